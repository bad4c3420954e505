// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The page: opens what lies in it, or the playground, and joins stage, time, panels, keyboard, link and theme.

import type { Toi } from "libtoi";
import { pageOptions } from "./answers";
import { kindWord } from "./collisions";
import { type Contents, fromBase64, inflate, readContents } from "./container";
import { type CurvedInput, CurvedView } from "./curvedview";
import { library, sentence, setMemoryBudget } from "./engine";
import { MESH_EXAMPLES, SCENE_EXAMPLES } from "./examples";
import { openFiles } from "./files";
import { help } from "./help";
import { decodeLink, encodeLink, type LinkState } from "./link";
import type { MeshModel } from "./meshlayer";
import { MeshView } from "./meshview";
import { compare, MethodsPanel } from "./methods";
import { baseName, stepTitle } from "./names";
import { OptionsForm } from "./options";
import { QueryPanel } from "./query";
import { QueryLayer } from "./querylayer";
import { RunPanel } from "./run";
import { Space, Stage } from "./stage";
import { Tabs } from "./tabs";
import { Timeline } from "./timeline";
import { byId, copy, el, errorBox, numberStyle, say, setHex } from "./ui";

const SHOWN = [
  ["shading", "Shading", "#9fb0c7", true],
  ["wires", "Wireframe", "#4b5563", false],
  ["colliding", "Colliding", "#f59a1f", true],
  ["contacts", "Contacts", "#8c4505", true],
  ["normals", "Normals", "#733305", true],
  ["trajectories", "Trajectories", "#26808c", false],
  ["crossings", "Crossings", "#e0262e", true],
] as const;

type ShownName = (typeof SHOWN)[number][0];
const KINDS: Record<string, CurvedInput["kind"]> = { scene: "contact", sweep: "rigid", cases: "cases" };
const KIND_NUMBERS: Record<string, number> = { vf: 0, ee: 1, ve: 2, vv: 3, vh: 10 };

class App {
  private readonly stage = new Stage(byId("stage"));
  private readonly timeline = new Timeline();
  private readonly tabs = new Tabs();
  private readonly form = new OptionsForm();
  private readonly querySpace = new Space(this.stage);
  private readonly queryLayer = new QueryLayer(this.querySpace);
  private readonly scenePanel = this.tabs.add("scene", "Contacts");
  private readonly runPanel: RunPanel;
  private readonly query: QueryPanel;
  private readonly methods: MethodsPanel;
  private readonly shown: Record<ShownName, boolean>;
  private readonly toggles = new Map<ShownName, HTMLButtonElement>();
  private readonly note = el("p", { class: "stage-note", hidden: true });
  private mesh: MeshView | null = null;
  private curved: CurvedView | null = null;
  private toi: Toi | null = null;
  private example = "";
  private linkTimer = 0;
  private ready = false;

  constructor() {
    this.shown = Object.fromEntries(SHOWN.map(([name, , , on]) => [name, on])) as Record<ShownName, boolean>;
    this.querySpace.up = "z";
    this.querySpace.margin = 1.2;
    this.runPanel = new RunPanel(this.tabs.add("run", "Run"), this.form, {
      first: (run) => this.needMesh().findFirst(this.form.options(), run),
      all: (run) =>
        this.needMesh()
          .findAll(this.form.options(), run)
          .then(() => this.tabs.choose("scene")),
      crossings: (run) =>
        this.needMesh()
          .findCrossings(this.form.options(), run)
          .then(() => this.tabs.choose("scene")),
      contact: async (run) => {
        await this.curved?.run(run);
        this.tabs.choose("scene");
      },
      open: (files) => void this.open(files),
      example: (id) => void this.openExample(id),
    });
    this.query = new QueryPanel(this.tabs.add("query", "Query"));
    this.methods = new MethodsPanel(this.tabs.add("methods", "Methods"));
    this.tabs.add("help", "Help").append(...help());
    this.legend();
    this.actions();
    this.wire();
    if (!this.stage.available) byId("no-webgl").hidden = false;
    byId("stage").append(this.note);
  }

  async start(): Promise<void> {
    const link = decodeLink(location.hash);
    this.setTheme(link.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    const data = byId("toi-data").textContent?.trim() ?? "";
    let contents: Contents | null = null;
    this.tabs.choose(link.tab ?? "scene");
    try {
      if (data) {
        contents = readContents(await inflate(fromBase64(data)));
        byId("toi-data").textContent = "";
        await this.openContents(contents);
      }
    } catch (error) {
      this.fail(error);
    }
    if (!contents && link.example) await this.openExample(link.example, false);
    else if (!contents)
      this.scenePanel.append(
        welcome(
          () => this.tabs.choose("run"),
          (id) => void this.openExample(id),
        ),
      );
    this.restore(link, contents !== null || link.example !== undefined);
    this.ready = true;
    this.stage.draw();
    void this.startLibrary(contents);
    addEventListener("hashchange", () => this.restore(decodeLink(location.hash), true));
  }

  private async startLibrary(contents: Contents | null): Promise<void> {
    try {
      this.toi = await library();
    } catch (error) {
      this.fail(error);
      return;
    }
    this.form.start(this.toi);
    this.query.start(this.toi);
    this.offerMethods();
    try {
      if (contents) await this.mesh?.complete(this.toi, pageOptions(contents.header));
    } catch (error) {
      this.fail(error);
    }
    document.documentElement.dataset.library = "ready";
  }

  // --- what is open ---

  private async openContents(contents: Contents): Promise<void> {
    const { header } = contents;
    if (header.mesh) {
      this.openMesh(
        {
          title: stepTitle(header.mesh.frames),
          frames: contents.frames,
          frameNames: header.mesh.frames.map(baseName),
          faces: contents.faces,
          edges: contents.edges,
          loose: contents.loose,
          halfSpaces: header.mesh.half_spaces ?? [],
        },
        contents,
      );
      return;
    }
    const files = Object.fromEntries(
      (header.files ?? []).map((file, k) => [file.name, contents.files[k] as Uint8Array]),
    );
    const role = (word: string) => (header.files ?? []).find((file) => file.role === word);
    const main = role("scene") ?? role("sweep") ?? role("cases") ?? role("model-a") ?? header.files?.[0];
    if (!main) throw new Error("the data in this page hold no file to show");
    const input: CurvedInput = {
      kind: KINDS[main.role] ?? "models",
      name: main.name,
      text: files[main.name] as Uint8Array,
      files,
    };
    const second = role("model-b");
    if (second)
      input.second = { name: second.name, text: contents.files[(header.files ?? []).indexOf(second)] as Uint8Array };
    if (header.results) input.results = header.results;
    if (header.motions) input.motions = header.motions;
    if (header.t_max !== undefined) input.tMax = header.t_max;
    input.surface = header.view === "surface" && main.role === "scene";
    await this.openCurved(input, contents);
    if (input.kind !== "models") this.setTitle(header.title);
  }

  private close(): void {
    this.mesh?.dispose();
    this.curved?.dispose();
    this.mesh = null;
    this.curved = null;
    this.scenePanel.replaceChildren();
    this.runPanel.clear();
    this.note.hidden = true;
  }

  private openMesh(model: MeshModel, contents: Contents | null): void {
    this.close();
    const view = new MeshView(this.stage, this.scenePanel, this.timeline, model, contents);
    this.mesh = view;
    view.onExplain = (kind, points, note) => {
      this.query.load(kind, points, note);
      this.tabs.choose("query");
    };
    view.onChanged = () => {
      this.offerMethods();
      this.keepLink();
    };
    this.setTitle(model.title);
    this.runPanel.setKind("mesh");
    this.wireColors();
    this.applyShown();
    this.showSpace();
  }

  private async openCurved(input: CurvedInput, contents: Contents | null): Promise<void> {
    this.close();
    const view = new CurvedView(this.stage, this.scenePanel, this.timeline, input);
    this.curved = view;
    this.runPanel.setKind(input.kind === "rigid" ? null : "curved");
    this.setTitle(input.name);
    try {
      await view.open(contents);
    } catch (error) {
      this.close();
      this.runPanel.setKind(null);
      throw error;
    }
    this.setTitle(view.title || input.name);
    view.onChanged = () => this.keepLink();
    this.note.textContent =
      input.kind === "rigid"
        ? "Poses are computed for display only; the answer holds for the motions themselves."
        : "Surfaces are meshed for display only; the answer holds for the surfaces themselves.";
    this.note.hidden = false;
    this.applyShown();
    this.showSpace();
  }

  private async open(files: File[]): Promise<void> {
    this.example = "";
    try {
      const input = await openFiles(files);
      if ("mesh" in input) this.openMesh(input.mesh, null);
      else await this.openCurved(input.curved, null);
      this.tabs.choose("run");
      say(`Opened ${files.map((file) => file.name).join(", ")}`);
    } catch (error) {
      this.fail(error);
    }
  }

  private async openExample(id: string, answer = true): Promise<void> {
    const mesh = MESH_EXAMPLES.find((x) => x.id === id);
    const scene = SCENE_EXAMPLES.find((x) => x.name === id);
    try {
      if (mesh) {
        const toi = await library();
        const model = mesh.make();
        model.edges = toi.meshEdges(model.faces);
        this.openMesh(model, null);
      } else if (scene) {
        await this.openCurved(
          { kind: "contact", name: scene.name, text: new TextEncoder().encode(scene.text), files: {} },
          null,
        );
      } else return;
    } catch (error) {
      this.fail(error);
      return;
    }
    this.example = id;
    const run = this.runPanel;
    if (scene) await run.run("First contact", async (options) => this.curved?.run(options));
    else if ((this.mesh?.model.frames.length ?? 0) > 1)
      await run.run("All collisions", (options) => this.needMesh().findAll(this.form.options(), options));
    else await run.run("Self-intersection", (options) => this.needMesh().findCrossings(this.form.options(), options));
    if (answer) this.tabs.choose("scene");
  }

  private needMesh(): MeshView {
    if (!this.mesh) throw new Error("no mesh is open: drop two files, or take an example");
    return this.mesh;
  }

  /** Errors stand in the run panel, and where nothing is open, in the first one too. */
  private fail(error: unknown): void {
    this.runPanel.fail(error);
    if (!this.mesh && !this.curved)
      this.scenePanel.replaceChildren(
        errorBox(sentence(error)),
        welcome(
          () => this.tabs.choose("run"),
          (id) => void this.openExample(id),
        ),
      );
    this.tabs.choose("run");
    say(sentence(error));
  }

  // --- what is shown ---

  private showSpace(): void {
    const query = this.tabs.chosen === "query" || this.tabs.chosen === "methods";
    const scene = this.mesh?.space ?? this.curved?.space;
    this.stage.show(query || !scene ? this.querySpace : scene);
    this.note.hidden = query || !this.curved;
    this.showUp();
    byId("legend").hidden = query || !scene;
    byId("transport").classList.toggle("plain", query || !scene);
    byId("transport").hidden = !query && this.mesh !== null && this.mesh.model.frames.length < 2;
    this.setTime(this.timeline.t);
  }

  private get queryShown(): boolean {
    return this.stage.space === this.querySpace;
  }

  private setTime(t: number): void {
    if (!this.queryShown && this.curved) this.curved.setTime(t);
    else {
      if (!this.queryShown) this.mesh?.setTime(t);
      this.stage.setTime(t);
    }
    this.keepLink();
  }

  private applyShown(): void {
    const { mesh, curved, shown } = this;
    mesh?.show({ ...shown, surface: true });
    curved?.show({ ...shown, surface: true });
    for (const [name, button] of this.toggles) {
      button.setAttribute("aria-pressed", String(shown[name]));
      const ofMotion = name === "colliding" || name === "trajectories";
      const still = mesh !== null && mesh.model.frames.length < 2;
      button.hidden = curved
        ? ofMotion || name === "crossings"
        : still && (ofMotion || name === "contacts" || name === "normals");
    }
  }

  private legend(): void {
    const host = byId("legend");
    host.setAttribute("role", "group");
    host.setAttribute("aria-label", "What is drawn");
    for (const [name, title, color] of SHOWN) {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = color;
      const button = el("button", { type: "button", "aria-pressed": "false" }, swatch, title);
      button.addEventListener("click", () => {
        this.shown[name] = !this.shown[name];
        this.applyShown();
        this.keepLink();
      });
      this.toggles.set(name, button);
      host.append(button);
    }
  }

  private actions(): void {
    const hex = el(
      "button",
      { type: "button", id: "hex", "aria-pressed": "false", title: "Numbers as hex floats, or with 17 digits" },
      "0x",
    );
    hex.addEventListener("click", () => this.setHex(!numberStyle.hex));
    byId("actions").append(
      el("button", { type: "button", onclick: () => this.stage.fit(), title: "All in view (F)" }, "Fit"),
      el("button", { type: "button", id: "up", onclick: () => this.turnUp(), title: "Which axis is up" }, "Up: y"),
      hex,
      el(
        "button",
        {
          type: "button",
          id: "copy-link",
          onclick: () => void this.copyLink(),
          title: "Copy a link that restores this view",
        },
        "Copy link",
      ),
      el(
        "button",
        {
          type: "button",
          id: "theme",
          onclick: () => this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
        },
        "Dark",
      ),
    );
  }

  /** y up, z up. */
  private turnUp(): void {
    const { space, orbit } = this.stage;
    if (!space) return;
    space.up = space.up === "y" ? "z" : "y";
    orbit.up = space.up;
    this.showUp();
    this.stage.draw();
    this.keepLink();
  }

  private showUp(): void {
    byId("up").textContent = `Up: ${this.stage.space?.up ?? "y"}`;
  }

  private setHex(on: boolean): void {
    setHex(on);
    byId("hex").setAttribute("aria-pressed", String(on));
    this.mesh?.redrawNumbers();
    this.curved?.redrawNumbers();
    this.keepLink();
  }

  private setTheme(theme: string): void {
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
    this.stage.setBackground(theme === "dark" ? 0x1b212c : 0xe9edf3);
    this.wireColors();
    this.keepLink();
  }

  private wireColors(): void {
    const dark = document.documentElement.dataset.theme === "dark";
    this.mesh?.layer.setWireColor(dark ? [0.02, 0.03, 0.05] : [0.08, 0.1, 0.14], dark ? 0.5 : 0.35);
  }

  private setTitle(title: string): void {
    byId("title").textContent = title;
    document.title = `${title} · toi`;
  }

  private offerMethods(): void {
    if (this.mesh && this.toi)
      this.methods.offerScene(
        this.mesh.model,
        this.mesh.step,
        this.mesh.current(),
        this.form.options(),
        this.toi.methods(),
      );
  }

  // --- links ---

  private state(): LinkState {
    const state: LinkState = {
      tab: this.tabs.chosen,
      t: this.timeline.t,
      options: this.form.values(),
      theme: document.documentElement.dataset.theme ?? "light",
    };
    if (this.example) state.example = this.example;
    if (this.timeline.step) state.step = this.timeline.step;
    if (this.timeline.brush) state.brush = this.timeline.brush;
    if (numberStyle.hex) state.hex = true;
    if (this.stage.available) state.camera = this.stage.orbit.numbers();
    state.show = SHOWN.filter(([name]) => this.shown[name]).map(([name]) => name);
    if (this.stage.space) state.up = this.stage.space.up;
    const pair = this.mesh?.pair();
    if (pair) state.pair = { kind: kindWord(pair.kind), first: pair.first, second: pair.second };
    if (this.queryShown) state.query = { kind: this.query.kind, points: this.query.points };
    return state;
  }

  private keepLink(): void {
    if (!this.ready) return;
    clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => history.replaceState(null, "", encodeLink(this.state())), 250);
  }

  private async copyLink(): Promise<void> {
    const hash = encodeLink(this.state());
    history.replaceState(null, "", hash);
    await copy(location.href);
  }

  private restore(link: LinkState, hasScene: boolean): void {
    if (link.hex !== undefined) this.setHex(link.hex);
    if (link.show) for (const [name] of SHOWN) this.shown[name] = link.show.includes(name);
    this.applyShown();
    if (link.options) this.form.restore(link.options);
    if (link.query) this.query.load(link.query.kind as "vf" | "ee", link.query.points);
    if (link.step !== undefined) this.timeline.setStep(link.step, true);
    if (link.brush) this.timeline.setBrush(link.brush);
    if (link.pair && this.mesh)
      this.mesh.choosePair({
        kind: KIND_NUMBERS[link.pair.kind] ?? 0,
        first: link.pair.first,
        second: link.pair.second,
      });
    this.tabs.choose(link.tab ?? (hasScene ? "scene" : this.tabs.chosen || "scene"));
    if (link.t !== undefined) this.timeline.setTime(link.t, true);
    if (link.up && this.stage.space && link.up !== this.stage.space.up) this.turnUp();
    if (link.camera) this.stage.orbit.restore(link.camera);
  }

  // --- events ---

  private wire(): void {
    this.timeline.onTime = (t) => this.setTime(t);
    this.timeline.onStep = () => {
      this.mesh?.setStep();
      this.keepLink();
    };
    this.timeline.onBrush = () => {
      this.mesh?.setBrush();
      this.keepLink();
    };
    this.timeline.onJump = (direction) => (this.mesh ?? this.curved)?.jump(direction);
    this.tabs.onChoose = (id) => {
      (id === "query" ? this.query : this.runPanel).slot.append(this.form.host);
      this.showSpace();
      this.keepLink();
    };
    this.stage.onCamera = () => this.keepLink();
    this.form.onChange = () => {
      setMemoryBudget(this.form.memory());
      this.query.setOptions(this.form.options());
      this.offerMethods();
      this.keepLink();
    };
    this.query.onExample = (options) => this.form.restore(options);
    this.query.onChange = (fresh) => this.queryChanged(fresh);
    this.stage.orbit.intercept = (event) => this.grab(event);
    document.addEventListener("keydown", (event) => this.key(event));
    this.dropping();
  }

  private queryChanged(fresh: boolean): void {
    const { kind, points } = this.query;
    if (fresh) this.querySpace.camera = null;
    this.queryLayer.set(kind, points, this.query.contact, fresh);
    if (fresh && this.queryShown) this.stage.fit();
    if (this.toi) this.methods.showQuery(compare(this.toi, kind, points, this.form.options()));
    this.keepLink();
  }

  /** A handle of the query, or a vertex where vertices are dragged. */
  private grab(event: PointerEvent): boolean {
    const box = this.stage.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (this.queryShown) {
      const handle = this.queryLayer.pick(this.stage, x, y);
      if (handle < 0) return false;
      this.drag(
        event,
        () => this.queryLayer.handle(handle),
        (v) => this.query.movePoint(handle, this.querySpace.unplace(v)),
      );
      return true;
    }
    const { mesh, toi } = this;
    if (!mesh || !toi || !this.runPanel.dragging.checked) return false;
    const vertex = mesh.layer.pick(x, y, 14);
    if (vertex < 0) return false;
    this.drag(
      event,
      () => mesh.layer.drawn(vertex),
      (v) => mesh.moveVertex(toi, vertex, mesh.space.unplace(v), this.form.options()),
    );
    return true;
  }

  private drag(
    event: PointerEvent,
    from: () => ReturnType<QueryLayer["handle"]>,
    to: (v: ReturnType<QueryLayer["handle"]>) => void,
  ): void {
    const canvas = this.stage.canvas;
    canvas.setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => {
      if (e.pointerId === event.pointerId) to(this.stage.under(e.clientX, e.clientY, from()));
    };
    const up = (e: PointerEvent) => {
      if (e.pointerId !== event.pointerId) return;
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", up);
      canvas.removeEventListener("pointercancel", up);
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const onCanvas = target === this.stage.canvas;
    const { orbit } = this.stage;
    const turns: Record<string, () => void> = {
      ArrowLeft: () => orbit.turn(-0.12, 0),
      ArrowRight: () => orbit.turn(0.12, 0),
      ArrowUp: () => orbit.turn(0, 0.1),
      ArrowDown: () => orbit.turn(0, -0.1),
      "+": () => orbit.zoom(0.85),
      "=": () => orbit.zoom(0.85),
      "-": () => orbit.zoom(1.18),
    };
    const anywhere: Record<string, () => void> = {
      " ": () => this.timeline.toggle(),
      f: () => this.stage.fit(),
      w: () => this.toggles.get("wires")?.click(),
      ",": () => this.timeline.onJump(-1),
      ".": () => this.timeline.onJump(1),
      "?": () => this.tabs.choose("help"),
    };
    const action = (onCanvas ? turns[event.key] : undefined) ?? anywhere[event.key];
    if (!action || (event.key === " " && target.tagName === "BUTTON")) return;
    event.preventDefault();
    action();
  }

  private dropping(): void {
    const stage = byId("stage");
    const hint = byId("drop-hint");
    const over = (on: boolean) => {
      stage.classList.toggle("dropping", on);
      hint.hidden = !on;
    };
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      over(true);
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) over(false);
    });
    document.addEventListener("drop", (event) => {
      over(false);
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      void this.open([...event.dataTransfer.files]);
    });
  }
}

/** The first panel of an empty page. */
function welcome(run: () => void, example: (id: string) => void): HTMLElement {
  return el(
    "div",
    { class: "card welcome" },
    el("h2", {}, "Two things move: when do they first touch?"),
    el(
      "p",
      {},
      "This page contains the whole library. Drop two PLY or OBJ files, or a scene, anywhere; or choose an example. Nothing leaves this tab.",
    ),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "primary", onclick: () => example("cloth") }, "A cloth falls over a ball"),
      el("button", { type: "button", onclick: () => example("triangles") }, "Two triangles"),
      el("button", { type: "button", onclick: run }, "Open files…"),
    ),
  );
}

const app = new App();
Object.assign(window, { toiPage: app });
void app.start();
