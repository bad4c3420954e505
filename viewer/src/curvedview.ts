// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Curved surfaces: scenes of `toi contact`, pairs of models and cases of `toi surface`. Contact points with certificate
// and bracket; the bodies themselves are drawn from samples.

import type { ContactAnswer, ContactPoint, Curved, Files, Rigid, RunOptions, SceneBody, SurfaceHit } from "libtoi";
import type { CaseResult, Contents } from "./container";
import { contactWorker, curvedLibrary } from "./engine";
import { type CurvedContact, CurvedLayer, type CurvedSource } from "./curvedlayer";
import { VirtualList } from "./list";
import { grouped } from "./number";
import { type PrintedSweep, rigidSource, sweepContacts } from "./rigid";
import { Space, type Stage } from "./stage";
import type { Timeline } from "./timeline";
import { badge, el, exact, exactPoint, exactText, facts } from "./ui";

export interface CurvedInput {
  kind: "contact" | "cases" | "models" | "rigid";
  name: string;
  text: Uint8Array;
  files: Files;
  second?: { name: string; text: Uint8Array };
  results?: CaseResult[];
  /** Of two models; 1 where it is not said. */
  tMax?: number;
  /** Of two models that turn. */
  motions?: Rigid[];
  /** The scene is of the form that `toi surface` takes. */
  surface?: boolean;
}

interface CurvedAnswer {
  verdict: string;
  tLo: number;
  tHi: number;
  tSafe: number | null;
  rows: [string, string][];
  contacts: CurvedContact[];
}

export class CurvedView {
  readonly space: Space;
  layer: CurvedLayer | null = null;
  title = "";
  private readonly list: VirtualList;
  private readonly card = el("div", { class: "card", "aria-live": "polite" });
  private readonly chosenCard = el("div", { class: "card", hidden: true });
  private readonly listTitle = el("h2", {}, "Contacts");
  private answer: CurvedAnswer | null = null;
  private chosen = -1;
  private curved: Curved | null = null;
  private showing = { surface: true, wires: false, shading: true, contacts: true, normals: true };
  private caseNumber = 0;
  onChanged: () => void = () => {};

  constructor(
    private readonly stage: Stage,
    private readonly host: HTMLElement,
    private readonly timeline: Timeline,
    readonly input: CurvedInput,
  ) {
    this.space = new Space(stage);
    const listHost = el("div", {
      id: "contacts",
      "aria-label": input.kind === "cases" ? "Cases" : "Contact points by time",
    });
    host.replaceChildren(this.card, this.chosenCard, el("div", { class: "fill" }, this.listTitle, listHost));
    this.list = new VirtualList(
      listHost,
      (row, line) => this.line(row, line),
      (row) => this.choose(row, true),
    );
    this.card.append(el("p", { class: "soft" }, "Sampling the surfaces…"));
  }

  /** Reads the input and draws it; throws what the library says of a bad file. */
  async open(contents: Contents | null): Promise<void> {
    if (this.input.kind !== "rigid") this.curved = await curvedLibrary();
    await this.draw();
    const printed = contents?.header.answer;
    if (printed && this.input.kind === "rigid") this.take(sweepAnswer(printed as unknown as PrintedSweep));
    else if (printed && this.input.kind !== "cases") this.take(printedAnswer(printed as unknown as Printed));
    else if (this.input.kind === "cases") this.showCases();
    else this.showAnswer();
  }

  get caseChosen(): number {
    return this.caseNumber;
  }

  setTime(t: number): void {
    this.layer?.setTime(t);
  }

  show(what: typeof this.showing): void {
    this.showing = { ...what };
    this.layer?.show(what);
  }

  jump(direction: 1 | -1): void {
    const count = this.input.kind === "cases" ? (this.input.results?.length ?? 0) : (this.answer?.contacts.length ?? 0);
    const to = this.chosen + direction;
    if (to >= 0 && to < count) this.list.select(to, true);
  }

  /** The library answers in this tab. */
  async run(run: RunOptions): Promise<void> {
    const worker = await contactWorker();
    if (this.input.surface && this.curved) {
      const scene = await this.curved.readSurfaceScene(this.input.text, this.input.name, this.input.files);
      this.take(contactAnswer(scene.contact()));
      scene.free();
    } else if (this.input.kind === "contact") {
      const answer = await worker.run("contact", [this.input.text, this.input.files, { name: this.input.name }], run);
      this.take(contactAnswer(answer));
    } else if (this.input.kind === "cases") {
      const hits = await worker.run("surface", [this.input.text, this.input.name], run);
      this.input.results = hits.toArray().map((hit, index) => caseResult(hit, index));
      this.showCases();
    } else if (this.curved && this.input.second) {
      const a = await this.curved.readModel(this.input.text, this.input.name);
      const b = await this.curved.readModel(this.input.second.text, this.input.second.name);
      const [motionA, motionB] = this.input.motions ?? [];
      if (motionA && motionB) {
        const first = this.curved.rigidPair(a, motionA, b, motionB);
        this.take(modelAnswer(first, first.verdict === "miss" ? [] : [first]));
      } else {
        const { first, contacts } = this.curved.modelContacts(a, b);
        this.take(modelAnswer(first, contacts));
      }
      a.free();
      b.free();
    }
  }

  dispose(): void {
    this.layer?.dispose();
    this.space.group.removeFromParent();
    this.host.replaceChildren();
  }

  redrawNumbers(): void {
    this.list.redraw();
  }

  private async draw(): Promise<void> {
    const source =
      this.input.kind === "rigid"
        ? rigidSource(this.input.text, this.input.name)
        : await sourceOf(this.curved as Curved, this.input, this.caseNumber);
    this.title = source.title;
    this.layer?.dispose();
    this.stage.scene.add(this.space.group);
    this.layer = new CurvedLayer(this.space, source);
    this.layer.show(this.showing);
    this.timeline.setSteps(["start", "end"], source.tMax, source.tMin);
  }

  private take(answer: CurvedAnswer): void {
    this.answer = answer;
    this.chosen = -1;
    this.chosenCard.hidden = true;
    this.layer?.mark(answer.contacts, -1);
    this.layer?.show(this.showing);
    this.list.setCount(answer.contacts.length);
    this.showAnswer();
    this.onChanged();
  }

  private showAnswer(): void {
    const note = el(
      "p",
      { class: "soft" },
      this.input.kind === "rigid"
        ? "The drawing is for display only: the answer of toi sweep holds for the motions themselves."
        : "The triangles are samples, for display only: the answer holds for the surfaces themselves.",
    );
    const { answer } = this;
    if (!answer) {
      this.card.replaceChildren(
        el("h2", {}, this.title),
        el("p", { class: "soft" }, "No answer yet: press Run to compute it in this tab."),
        note,
      );
      this.listTitle.textContent = "Contacts: not searched";
      return;
    }
    const rows: [string, Node | string][] = [];
    if (answer.verdict !== "miss") rows.push(["t_lo", exact(answer.tLo, "t_lo")], ["t_hi", exact(answer.tHi, "t_hi")]);
    if (answer.tSafe !== null)
      rows.push([answer.verdict === "miss" ? "nothing touches up to" : "t_safe", exact(answer.tSafe, "t_safe")]);
    this.card.replaceChildren(
      el(
        "div",
        { class: "row" },
        badge(answer.verdict),
        el("h2", {}, answer.verdict === "miss" ? "No contact" : "First contact"),
      ),
      facts([...rows, ...answer.rows]),
      note,
    );
    this.listTitle.textContent =
      this.input.kind === "rigid"
        ? `${grouped(answer.contacts.length)} pairs of bodies that touch, by time`
        : `${grouped(answer.contacts.length)} contact points, by time`;
  }

  private showCases(): void {
    const results = this.input.results;
    this.card.replaceChildren(
      el("h2", {}, this.title),
      el(
        "p",
        { class: "soft" },
        results
          ? `${grouped(results.length)} cases; choose one to see it.`
          : "No answer yet: press Run to compute it in this tab.",
      ),
      el(
        "p",
        { class: "soft" },
        "The triangles are samples, for display only: the answer holds for the surfaces themselves.",
      ),
    );
    this.listTitle.textContent = "Cases";
    this.list.setCount(results?.length ?? 0);
    this.onChanged();
  }

  private choose(row: number, fly: boolean): void {
    this.chosen = row;
    if (this.input.kind === "cases") {
      void this.chooseCase(row);
      return;
    }
    const contact = this.answer?.contacts[row];
    if (!contact) return;
    this.layer?.mark(this.answer?.contacts ?? [], row);
    this.layer?.show(this.showing);
    this.showContact(contact);
    if (fly) {
      this.timeline.stop();
      this.timeline.setTime(contact.tHi, true);
      this.stage.orbit.fly(
        this.space.place(contact.point[0] as number, contact.point[1] as number, contact.point[2] as number),
        1.1,
      );
    }
  }

  private showContact(contact: CurvedContact): void {
    this.chosenCard.hidden = false;
    this.chosenCard.replaceChildren(
      el("div", { class: "row" }, el("span", { class: "badge" }, contact.certificate), el("h2", {}, contact.label)),
      facts([
        ["t_lo", exact(contact.tLo, "t_lo")],
        ["t_hi", exact(contact.tHi, "t_hi")],
        ["point", exactPoint(contact.point, "point")],
        ["normal a", exactPoint(contact.normalA, "normal of a")],
        ["normal b", exactPoint(contact.normalB, "normal of b")],
        ...contact.rows.map(([name, value]): [string, Node | string] => [
          name,
          typeof value === "number" ? exact(value, name) : value,
        ]),
      ]),
    );
  }

  private async chooseCase(row: number): Promise<void> {
    this.caseNumber = row;
    await this.draw();
    const result = this.input.results?.[row];
    if (!result || !this.curved) return;
    const cases = await this.curved.readCases(this.input.text, this.input.name);
    const hit = cases.one(row);
    cases.free();
    const answer = modelAnswer(hit, hit.verdict === "miss" ? [] : [hit]);
    this.layer?.mark(answer.contacts, 0);
    this.layer?.show(this.showing);
    if (answer.contacts[0]) this.showContact(answer.contacts[0]);
    else {
      this.chosenCard.hidden = false;
      this.chosenCard.replaceChildren(el("div", { class: "row" }, badge(hit.verdict), el("h2", {}, `Case ${row}`)));
    }
    if (hit.verdict !== "miss") this.timeline.setTime(hit.tHi, true);
  }

  private line(row: number, line: HTMLElement): void {
    if (this.input.kind === "cases") {
      const result = this.input.results?.[row];
      if (!result) return;
      line.append(
        el("span", {}, result.t_lo === null ? "" : exactText(result.t_lo)),
        el("span"),
        el("span", {}, `case ${result.index}`),
        el("span", {}, result.verdict),
      );
      return;
    }
    const contact = this.answer?.contacts[row];
    if (!contact) return;
    line.append(
      el("span", {}, exactText(contact.tLo)),
      el("span"),
      el("span", {}, contact.label),
      el("span", {}, contact.certificate),
    );
  }
}

/** Fine enough for the eye: many patches need few pieces each. */
function detailOf(body: SceneBody | undefined): number {
  if (!body || body.implicit) return 40;
  return body.pieces > 1 ? Math.max(4, Math.round(48 / Math.sqrt(body.pieces))) : 56;
}

async function sourceOf(curved: Curved, input: CurvedInput, caseNumber: number): Promise<CurvedSource> {
  if (input.kind === "contact") {
    const read = input.surface ? curved.readSurfaceScene : curved.readScene;
    const scene = await read.call(curved, input.text, input.name, input.files);
    return {
      title: scene.title || input.name,
      tMax: scene.options.tMax,
      names: scene.bodies.map((body) => body.name),
      sample: (body, t, bounds) =>
        scene.sample(body, t, { detail: detailOf(scene.bodies[body]), ...(bounds ? { bounds } : {}) }),
      free: () => scene.free(),
    };
  }
  if (input.kind === "cases") {
    const cases = await curved.readCases(input.text, input.name);
    return {
      title: `${input.name}, case ${caseNumber}`,
      tMax: cases.tMax(caseNumber),
      names: ["a", "b"],
      sample: (body, t) => cases.sample(caseNumber, body ? "b" : "a", t),
      free: () => cases.free(),
    };
  }
  const models = [await curved.readModel(input.text, input.name, input.files)];
  if (input.second) models.push(await curved.readModel(input.second.text, input.second.name, input.files));
  return {
    title: [input.name, input.second?.name].filter(Boolean).join(" and "),
    tMax: input.tMax ?? 1,
    names: models.map((_, i) => (i ? "b" : "a")),
    sample: (body, t) => {
      const motion = input.motions?.[body];
      return (models[body] as (typeof models)[0]).sample(t, motion ? { motion } : {});
    },
    free: () => {
      for (const model of models) model.free();
    },
  };
}

function pointOf(c: ContactPoint, names: string[]): CurvedContact {
  const rows: [string, string | number][] = [
    ["certificate", `${c.certificate}${c.proved ? ", proved" : ", not proved"}`],
    [c.proved ? "point off by at most" : "tolerance reached", c.error],
  ];
  if (c.parametersA.every(Number.isFinite)) rows.push(["u, v on a", c.parametersA.map((x) => exactText(x)).join(", ")]);
  if (c.parametersB.every(Number.isFinite)) rows.push(["u, v on b", c.parametersB.map((x) => exactText(x)).join(", ")]);
  return {
    label: `${names[c.a] ?? c.a} – ${names[c.b] ?? c.b}`,
    tLo: c.tLo,
    tHi: c.tHi,
    point: c.point,
    normalA: c.normalA,
    normalB: c.normalB,
    rows,
    certificate: c.certificate,
  };
}

function contactAnswer(answer: ContactAnswer): CurvedAnswer {
  return {
    verdict: answer.verdict,
    tLo: answer.tLo,
    tHi: answer.tHi,
    tSafe: answer.tSafe,
    rows: [
      ["boxes", grouped(answer.boxes)],
      ["search ended", answer.end],
    ],
    contacts: answer.contacts.map((c) => pointOf(c, answer.names)).sort((a, b) => a.tLo - b.tLo),
  };
}

function modelAnswer(first: SurfaceHit, contacts: SurfaceHit[]): CurvedAnswer {
  return {
    verdict: first.verdict,
    tLo: first.tLo,
    tHi: first.tHi,
    tSafe: first.tSafe,
    rows: [
      ["search ended", first.end],
      ["checks", grouped(first.checks)],
    ],
    contacts: contacts.map((hit) => ({
      label: `patch ${hit.patchA} – patch ${hit.patchB}`,
      tLo: hit.tLo,
      tHi: hit.tHi,
      point: hit.point,
      normalA: hit.normalA,
      normalB: hit.normalB,
      rows: [
        ["u, v on a", hit.a.map((x) => exactText(x)).join(", ")],
        ["u, v on b", hit.b.map((x) => exactText(x)).join(", ")],
      ],
      certificate: hit.verdict,
    })),
  };
}

function caseResult(hit: SurfaceHit, index: number): CaseResult {
  const known = hit.verdict !== "miss";
  return {
    index,
    verdict: hit.verdict,
    t_lo: known ? hit.tLo : null,
    t_hi: known ? hit.tHi : null,
    u1: hit.a[0],
    v1: hit.a[1],
    u2: hit.b[0],
    v2: hit.b[1],
  };
}

/** What `toi sweep` prints. */
function sweepAnswer(printed: PrintedSweep): CurvedAnswer {
  const rows: [string, string][] = [
    ["bodies", grouped(printed.bodies)],
    ["pieces of time", grouped(printed.pieces)],
  ];
  if (printed.min_separation > 0) rows.push(["separation", exactText(printed.min_separation)]);
  return {
    verdict: printed.verdict,
    tLo: printed.toi?.lo ?? Infinity,
    tHi: printed.toi?.hi ?? Infinity,
    tSafe: printed.toi?.safe ?? null,
    rows,
    contacts: sweepContacts(printed),
  };
}

/** What `toi contact` and `toi surface` print. */
interface Printed {
  end?: string;
  checks?: number;
  first?: { patches: number[]; uv: number[][]; point: number[]; normals: number[][]; distance: number } | null;
  verdict: string;
  toi?: { lo: number; hi: number; safe?: number } | null;
  t_safe?: number;
  boxes?: number;
  contacts?: {
    a: string;
    b: string;
    point: number[];
    normal_a: number[];
    normal_b: number[];
    certificate: string;
    proved?: boolean;
    error?: number;
    toi?: { lo: number; hi: number };
    t_lo?: number;
    t_hi?: number;
  }[];
}

/** The first contact of two models, as `toi surface` prints it. */
function printedFirst(printed: Printed): CurvedContact[] {
  const { first, toi } = printed;
  if (!first?.point || !toi) return [];
  const uv = (k: number) => (first.uv[k] ?? []).map((x) => exactText(x)).join(", ");
  return [
    {
      label: `patch ${first.patches[0]} – patch ${first.patches[1]}`,
      tLo: toi.lo,
      tHi: toi.hi,
      point: first.point,
      normalA: first.normals[0] ?? [0, 0, 0],
      normalB: first.normals[1] ?? [0, 0, 0],
      rows: [
        ["u, v on a", uv(0)],
        ["u, v on b", uv(1)],
        ["distance", first.distance],
      ],
      certificate: printed.verdict,
    },
  ];
}

function printedAnswer(printed: Printed): CurvedAnswer {
  const { toi } = printed;
  return {
    verdict: printed.verdict,
    tLo: toi?.lo ?? Infinity,
    tHi: toi?.hi ?? Infinity,
    tSafe: toi?.safe ?? printed.t_safe ?? null,
    rows: [
      ...(printed.boxes === undefined ? [] : [["boxes", grouped(printed.boxes)] as [string, string]]),
      ...(printed.checks === undefined ? [] : [["checks", grouped(printed.checks)] as [string, string]]),
      ...(typeof printed.end === "string" ? [["search ended", printed.end] as [string, string]] : []),
    ],
    contacts:
      (printed.contacts ?? []).length === 0
        ? printedFirst(printed)
        : (printed.contacts ?? []).map((c) => ({
            label: `${c.a} – ${c.b}`,
            tLo: c.toi?.lo ?? c.t_lo ?? toi?.lo ?? Number.NaN,
            tHi: c.toi?.hi ?? c.t_hi ?? toi?.hi ?? Number.NaN,
            point: c.point,
            normalA: c.normal_a,
            normalB: c.normal_b,
            rows: [
              [
                "certificate",
                `${c.certificate}${c.proved === undefined ? "" : c.proved ? ", proved" : ", not proved"}`,
              ] as [string, string | number],
              ...(c.error === undefined ? [] : [["error", c.error] as [string, string | number]]),
            ],
            certificate: c.certificate,
          })),
  };
}
