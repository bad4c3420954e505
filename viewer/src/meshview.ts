// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A mesh in motion with its answers: the first impact, the list of contacts by time, crossings. Answers come with the
// page or from the library in this tab.

import type { Impact, Mesh as ToiMesh, MeshData, MeshOptions, QueryOptions, RunOptions, Toi } from "libtoi";
import { Vector3 } from "three";
import { collisionColumns, completeColumns, crossingColumns, hitAt, impactOf, kindNumber, LEVELS } from "./answers";
import { byTime, type Collisions, findPair, kindName, kindWord, within } from "./collisions";
import type { Contents, Crossings } from "./container";
import { meshWorker, sentence } from "./engine";
import { VirtualList } from "./list";
import { Marks, pairVertices, type Shown } from "./marks";
import { MeshLayer, type MeshModel } from "./meshlayer";
import { grouped } from "./number";
import { Space, type Stage } from "./stage";
import type { Timeline } from "./timeline";
import { badge, el, errorBox, exact, exactPoint, exactText, facts } from "./ui";

export interface ChosenPair {
  kind: number;
  first: number;
  second: number;
}

/** Up to here a dragged vertex is answered at once, in this thread. */
const AT_ONCE = 4000;

export class MeshView {
  readonly space: Space;
  readonly layer: MeshLayer;
  private readonly marks: Marks;
  private readonly list: VirtualList;
  private readonly collisions = new Map<number, { c: Collisions; order: Uint32Array }>();
  private readonly impacts = new Map<number, Impact>();
  private readonly crossings = new Map<number, Crossings>();
  private shownRows: Uint32Array = new Uint32Array(0);
  private chosen = -1;
  private kept: ToiMesh | null = null;
  private busy = false;
  private again = false;
  private readonly impactCard = el("div", { class: "card", "aria-live": "polite" });
  private readonly pairCard = el("div", { class: "card", hidden: true });
  private readonly listTitle = el("h2", {}, "Contacts");
  /** The pair that is chosen, for the query editor. */
  onExplain: (kind: "vf" | "ee", points: number[], note: string) => void = () => {};
  onChanged: () => void = () => {};

  constructor(
    private readonly stage: Stage,
    private readonly host: HTMLElement,
    private readonly timeline: Timeline,
    readonly model: MeshModel,
    contents: Contents | null,
  ) {
    this.space = new Space(stage);
    this.layer = new MeshLayer(this.space, model);
    this.marks = new Marks(this.space, model, this.layer);
    const listHost = el("div", {
      id: "contacts",
      "aria-label": model.frames.length > 1 ? "Contacts by time" : "Crossings",
    });
    host.replaceChildren(
      this.impactCard,
      this.pairCard,
      el(
        "div",
        { class: "fill" },
        this.listTitle,
        el(
          "div",
          { class: "list-head", "aria-hidden": "true" },
          el("span", {}, model.frames.length > 1 ? "t_lo" : ""),
          el("span"),
          el("span", {}, "pair"),
          el("span", {}, model.frames.length > 1 ? "level" : ""),
        ),
        listHost,
      ),
    );
    this.list = new VirtualList(
      listHost,
      (row, line) => this.line(row, line),
      (row) => this.chooseRow(row, true),
    );
    if (contents) this.take(contents);
    timeline.setSteps(model.frameNames, Number(contents?.header.options?.t_max ?? 1));
    this.refresh();
  }

  get step(): number {
    return this.timeline.step;
  }

  current(): Collisions | null {
    return this.collisions.get(this.step)?.c ?? null;
  }

  setStep(): void {
    this.layer.setStep(this.step);
    this.choose(-1);
    this.refresh();
  }

  setTime(t: number): void {
    this.marks.setTime(t);
  }

  setBrush(): void {
    this.refresh();
  }

  show(shown: Shown & { surface: boolean; wires: boolean; shading: boolean }): void {
    this.layer.show(shown);
    this.marks.show(shown);
  }

  /** Steps through contacts in order of time. */
  jump(direction: 1 | -1): void {
    if (!this.shownRows.length) return;
    const row = this.shownRows.indexOf(this.chosen);
    const to = row < 0 ? (direction > 0 ? 0 : this.shownRows.length - 1) : row + direction;
    if (to >= 0 && to < this.shownRows.length) this.list.select(to, true);
  }

  pair(): ChosenPair | null {
    const c = this.current();
    if (!c || this.chosen < 0) return null;
    return {
      kind: c.kind[this.chosen] as number,
      first: c.first[this.chosen] as number,
      second: c.second[this.chosen] as number,
    };
  }

  /** Chooses a pair by its numbers, as a link does; the camera stays where it is. */
  choosePair(pair: ChosenPair): void {
    const c = this.current();
    const index = c ? findPair(c, pair.kind, pair.first, pair.second) : -1;
    if (index < 0) return;
    this.choose(index);
    this.list.select(this.shownRows.indexOf(index), false);
  }

  // --- the library in this tab ---

  /** Completes short rows that came with the page. */
  async complete(toi: Toi, options: QueryOptions): Promise<void> {
    for (const [step, { c }] of this.collisions) {
      if (c.complete) continue;
      const mesh = toi.mesh(this.data(step));
      try {
        await completeColumns(toi, mesh, c, options);
      } finally {
        mesh.free();
      }
      if (step === this.step) this.refresh();
    }
  }

  data(step = this.step): MeshData {
    const last = this.model.frames.length - 1;
    const data: MeshData = {
      start: this.model.frames[Math.min(step, last)] as Float64Array,
      end: this.model.frames[Math.min(step + 1, last)] as Float64Array,
      faces: this.model.faces,
      edges: this.model.edges,
    };
    if (this.model.halfSpaces.length) data.halfSpaces = Float64Array.from(this.model.halfSpaces.flat());
    return data;
  }

  async findFirst(options: MeshOptions, run: RunOptions): Promise<void> {
    const impact = await (await meshWorker()).run("step", [this.data(), options], run);
    this.impacts.set(this.step, impact);
    this.refresh();
  }

  async findAll(options: MeshOptions, run: RunOptions): Promise<void> {
    const worker = await meshWorker();
    const step = this.step;
    const impact = await worker.run("step", [this.data(), options], run);
    const records = await worker.run("collisions", [this.data(), options], run);
    this.impacts.set(step, impact);
    this.put(step, collisionColumns(records));
    this.choose(-1);
    this.refresh();
  }

  async findCrossings(options: MeshOptions, run: RunOptions): Promise<void> {
    const frame = this.step;
    const start = this.model.frames[frame] as Float64Array;
    const records = await (await meshWorker()).run("crossings", [{ ...this.data(), start, end: start }, options], run);
    this.crossings.set(frame, crossingColumns(records));
    this.refresh();
  }

  /** A vertex was dragged: the library answers again. */
  moveVertex(toi: Toi, vertex: number, p: [number, number, number], options: MeshOptions): void {
    const early = this.timeline.t < 0.5 || this.model.frames.length < 2;
    const t = this.model.frames.length < 2 ? 0 : this.timeline.t;
    const frame = early ? this.step : this.step + 1;
    const from = this.model.frames[frame] as Float64Array;
    const other = this.model.frames[
      Math.min(early ? this.step + 1 : this.step, this.model.frames.length - 1)
    ] as Float64Array;
    for (let k = 0; k < 3; k++) {
      const rest = other[3 * vertex + k] as number;
      from[3 * vertex + k] = early ? ((p[k] as number) - t * rest) / (1 - t) : ((p[k] as number) - (1 - t) * rest) / t;
    }
    this.layer.vertexMoved(frame, vertex);
    this.collisions.delete(this.step);
    this.crossings.delete(this.step);
    if (this.model.frames.length > 1) this.answerAgain(toi, vertex, early ? "start" : "end", from, options);
  }

  private answerAgain(toi: Toi, vertex: number, at: "start" | "end", from: Float64Array, options: MeshOptions): void {
    if (from.length / 3 <= AT_ONCE) {
      try {
        this.kept ??= toi.mesh(this.data());
        this.kept.moveVertex(vertex, at, Array.from(from.subarray(3 * vertex, 3 * vertex + 3)));
        this.impacts.set(this.step, toi.step(this.kept, options));
        if (from.length / 3 <= 200) this.put(this.step, collisionColumns(toi.collisions(this.kept, options)));
        this.refresh();
      } catch (error) {
        this.impactCard.replaceChildren(errorBox(sentence(error)));
      }
      return;
    }
    this.again = this.busy;
    if (this.busy) return;
    this.busy = true;
    this.findFirst(options, {})
      .catch((error) => this.impactCard.replaceChildren(errorBox(sentence(error))))
      .finally(() => {
        this.busy = false;
        if (this.again) this.answerAgain(toi, vertex, at, from, options);
      });
  }

  dispose(): void {
    this.kept?.free();
    this.marks.dispose();
    this.layer.dispose();
    this.space.group.removeFromParent();
    this.host.replaceChildren();
  }

  // --- what is shown ---

  private take(contents: Contents): void {
    for (const [step, c] of contents.contacts) this.put(step, c);
    for (const [frame, c] of contents.crossings) this.crossings.set(frame, c);
    for (let step = 0; step < Math.max(1, contents.frames.length - 1); step++) {
      const impact = impactOf(contents.header, step, contents.contacts.get(step));
      if (impact) this.impacts.set(step, impact);
    }
  }

  private put(step: number, c: Collisions): void {
    this.collisions.set(step, { c, order: byTime(c) });
  }

  private refresh(): void {
    if (this.model.frames.length < 2) {
      this.refreshState();
      return;
    }
    const own = this.collisions.get(this.step);
    const brush = this.timeline.brush;
    this.shownRows = !own ? new Uint32Array(0) : brush ? within(own.c, own.order, brush[0], brush[1]) : own.order;
    this.timeline.setTimes(own?.c.tLo ?? new Float64Array(0));
    this.listTitle.textContent = !own
      ? "Contacts: not searched"
      : this.shownRows.length === own.c.count
        ? `${grouped(own.c.count)} contacts, by time`
        : `${grouped(this.shownRows.length)} of ${grouped(own.c.count)} contacts, by time`;
    this.list.setCount(this.shownRows.length);
    if (this.chosen >= 0) this.list.select(this.shownRows.indexOf(this.chosen), false);
    this.marks.set(this.step, own?.c ?? null, this.shownRows, this.crossings.get(this.step) ?? null);
    this.showImpact();
    this.onChanged();
  }

  /** One state: the list is that of its crossings. */
  private refreshState(): void {
    const crossings = this.crossings.get(0) ?? null;
    this.listTitle.textContent = crossings
      ? `${grouped(crossings.count)} pairs that cross or touch`
      : "Crossings: not searched";
    this.list.setCount(crossings?.count ?? 0);
    this.marks.set(0, null, this.shownRows, crossings);
    this.showImpact();
    this.onChanged();
  }

  private showImpact(): void {
    const impact = this.impacts.get(this.step);
    const crossings = this.crossings.get(this.step);
    const parts: Node[] = [];
    if (impact) {
      const { hit } = impact;
      const rows: [string, Node | string][] = [];
      if (hit.verdict === "miss") rows.push(["nothing touches up to", exact(hit.tSafe, "safe time")]);
      else {
        rows.push(
          ["t_lo", exact(hit.tLo, "t_lo")],
          ["t_hi", exact(hit.tHi, "t_hi")],
          ["t_safe", exact(hit.tSafe, "t_safe")],
        );
        rows.push(["pair", `${impact.kind} ${impact.first}, ${impact.second}`]);
      }
      const go = el("button", { type: "button", onclick: () => this.goFirst() }, "Show");
      parts.push(
        el(
          "div",
          { class: "row between" },
          el(
            "div",
            { class: "row" },
            badge(hit.verdict),
            el("h2", {}, hit.verdict === "miss" ? "No contact in this step" : "First impact"),
          ),
          hit.verdict === "miss" ? null : go,
        ),
        facts(rows),
      );
    }
    if (crossings)
      parts.push(
        el(
          "p",
          {},
          crossings.count
            ? el(
                "span",
                {},
                el("span", { class: "badge bad" }, grouped(crossings.count)),
                " pairs cross or touch in the first frame",
              )
            : "The first frame does not intersect itself: proved.",
        ),
      );
    if (!parts.length) parts.push(el("p", { class: "soft" }, "No answer yet: press Run to compute it in this tab."));
    parts.push(
      el(
        "p",
        { class: "soft" },
        `${grouped((this.model.frames[0] as Float64Array).length / 3)} vertices, ${grouped(this.model.edges.length / 2)} edges, ${grouped(this.model.faces.length / 3)} faces`,
      ),
    );
    this.impactCard.replaceChildren(...parts);
  }

  private goFirst(): void {
    const impact = this.impacts.get(this.step);
    if (!impact || impact.kind === null) return;
    const c = this.current();
    const index = c ? findPair(c, kindNumber(impact.kind), impact.first as number, impact.second as number) : -1;
    if (index >= 0) {
      this.choose(index);
      this.list.select(this.shownRows.indexOf(index), false);
      this.flyTo(index);
    } else {
      this.timeline.setTime(impact.hit.tHi, true);
      this.stage.orbit.fly(this.space.place(...impact.hit.point), 0.6);
    }
  }

  private flyToCrossing(row: number): void {
    const crossings = this.crossings.get(0);
    if (!crossings) return;
    const vertices = pairVertices(
      this.model,
      crossings.kind[row] as number,
      crossings.first[row] as number,
      crossings.second[row] as number,
    ).flat();
    const target = new Vector3();
    for (const v of vertices) target.add(this.layer.drawn(v));
    target.divideScalar(vertices.length);
    const size = Math.max(...vertices.map((v) => this.layer.drawn(v).distanceTo(target)));
    this.stage.orbit.fly(target, Math.max(size * 7, 0.01));
  }

  private chooseRow(row: number, fly: boolean): void {
    if (this.model.frames.length < 2) {
      this.flyToCrossing(row);
      return;
    }
    const index = this.shownRows[row];
    if (index === undefined) return;
    this.choose(index);
    if (fly) this.flyTo(index);
  }

  private choose(index: number): void {
    this.chosen = index;
    const c = this.current();
    this.marks.choose(this.step, c, index);
    this.pairCard.hidden = !c || index < 0;
    if (!c || index < 0) return;
    if (!c.complete) {
      this.pairCard.replaceChildren(el("p", { class: "soft" }, "The library computes this contact…"));
      return;
    }
    const hit = hitAt(c, index);
    const [kind, first, second] = [c.kind[index] as number, c.first[index] as number, c.second[index] as number];
    const rows: [string, Node | string][] = [
      ["t_lo", exact(hit.tLo, "t_lo")],
      ["t_hi", exact(hit.tHi, "t_hi")],
      ["t_safe", exact(hit.tSafe, "t_safe")],
      ["u, v", el("span", {}, exact(hit.u, "u"), ", ", exact(hit.v, "v"))],
      ["point", exactPoint(hit.point, "point")],
      ["normal", exactPoint(hit.normal, "normal")],
      ["decided by", hit.level],
    ];
    const explain = el("button", { type: "button", onclick: () => this.explain(kind, first, second) }, "Explain");
    this.pairCard.replaceChildren(
      el(
        "div",
        { class: "row between" },
        el("div", { class: "row" }, badge(hit.verdict), el("h2", {}, `${kindName(kind)} ${first}, ${second}`)),
        kind < 2 ? explain : null,
      ),
      facts(rows),
    );
    this.onChanged();
  }

  private explain(kind: number, first: number, second: number): void {
    const vertices = pairVertices(this.model, kind, first, second).flat();
    const points: number[] = [];
    for (const frame of [this.step, this.step + 1]) {
      const p = this.model.frames[frame] as Float64Array;
      for (const v of vertices) points.push(p[3 * v] as number, p[3 * v + 1] as number, p[3 * v + 2] as number);
    }
    this.onExplain(kind === 0 ? "vf" : "ee", points, `${kindName(kind)} ${first}, ${second} of ${this.model.title}`);
  }

  private flyTo(index: number): void {
    const c = this.current();
    if (!c?.complete) return;
    const [kind, first, second] = [c.kind[index] as number, c.first[index] as number, c.second[index] as number];
    this.timeline.stop();
    this.timeline.setTime(c.tHi[index] as number, true);
    const target = this.space.place(
      c.point[3 * index] as number,
      c.point[3 * index + 1] as number,
      c.point[3 * index + 2] as number,
    );
    let size = 0;
    for (const v of pairVertices(this.model, kind, first, second).flat())
      size = Math.max(size, this.layer.drawn(v).distanceTo(target));
    const outward = new Vector3().fromArray(Array.from(c.normal.subarray(3 * index, 3 * index + 3)));
    const side = this.stage.camera.position.clone().sub(target).normalize();
    // From where the camera is, leaning to or off the normal so that both primitives are seen.
    const facing = outward.dot(side);
    const direction = side.addScaledVector(
      outward,
      facing > 0.8 ? -0.6 : Math.abs(facing) < 0.45 ? (facing < 0 ? -0.5 : 0.5) : 0,
    );
    this.stage.orbit.fly(target, Math.max(size * 7, 0.01), direction);
  }

  private crossingLine(row: number, line: HTMLElement): void {
    const crossings = this.crossings.get(0);
    if (!crossings) return;
    const kind = crossings.kind[row] as number;
    const what = kind === 8 ? "edge through face" : kindName(kind);
    const pair = `${crossings.first[row]}, ${crossings.second[row]}`;
    line.append(
      el("span", {}, what),
      el("span"),
      el("span", {}, pair),
      el("span", {}, kind === 8 ? "crosses" : crossings.behind[row] ? "behind" : "touches"),
    );
  }

  private line(row: number, line: HTMLElement): void {
    if (this.model.frames.length < 2) {
      this.crossingLine(row, line);
      return;
    }
    const c = this.current();
    const i = this.shownRows[row];
    if (!c || i === undefined) return;
    const t = c.tLo[i] as number;
    const word = kindWord(c.kind[i] as number);
    line.append(
      el("span", {}, exactText(t)),
      el("span", {}, word),
      el("span", {}, `${c.first[i]}, ${c.second[i]}`),
      el("span", {}, c.verdict[i] === 2 ? "near" : (LEVELS[c.level[i] as number] ?? "")),
    );
  }

  redrawNumbers(): void {
    this.list.redraw();
  }
}
