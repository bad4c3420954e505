// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The query editor: one vertex-face or edge-edge pair, every coordinate a field, every point a handle in the picture.
// Each change asks the library again, at once, and shows why it answers as it does.

import type { Explanation, QueryOptions, Toi } from "libtoi";
import { sentence } from "./engine";
import { QUERY_EXAMPLES } from "./examples";
import { boxFigure, cascade, coefficientTable, cubicFigure, rootFigures, why } from "./explain";
import { hexFloat, parseNumber } from "./number";
import { badge, copy, el, errorBox, exact, exactPoint, facts } from "./ui";

export type PairKind = "vf" | "ee";
export const POINT_NAMES: Record<PairKind, string[]> = {
  vf: ["v", "f0", "f1", "f2"],
  ee: ["ea0", "ea1", "eb0", "eb1"],
};

export class QueryPanel {
  kind: PairKind = "vf";
  /** Where they touch, for the picture; null for a miss. */
  contact: number[] | null = null;
  points: number[] = [...(QUERY_EXAMPLES[0]?.points ?? new Array(24).fill(0))];
  /** After each change that the library answered. */
  onChange: (fresh: boolean) => void = () => {};
  private toi: Toi | null = null;
  private options: QueryOptions = {};
  private readonly inputs: HTMLInputElement[] = [];
  private readonly kindSelect = el(
    "select",
    { "aria-label": "Kind of pair" },
    el("option", { value: "vf" }, "vertex-face"),
    el("option", { value: "ee" }, "edge-edge"),
  );
  private readonly exampleSelect = el("select", { "aria-label": "Example query" });
  private readonly note = el("p", { class: "soft" });
  private readonly grid = el("div", { class: "points", role: "group", "aria-label": "Coordinates" });
  private readonly answer = el("div", { class: "card", "aria-live": "polite" });
  private readonly reasons = el("div", { class: "card" });
  private readonly proof = el("div", { class: "card", hidden: true });
  /** Where the options stand while this panel is shown. */
  readonly slot = el("details", {}, el("summary", {}, "Options: method, separation, …"));

  constructor(readonly host: HTMLElement) {
    this.exampleSelect.append(
      el("option", { value: "" }, "Take an example…"),
      ...QUERY_EXAMPLES.map((example, i) => el("option", { value: i }, example.title)),
    );
    this.exampleSelect.addEventListener("change", () => this.example(Number(this.exampleSelect.value)));
    this.kindSelect.addEventListener("change", () => this.load(this.kindSelect.value as PairKind, this.points));
    host.append(
      el("div", { class: "row" }, this.kindSelect, this.exampleSelect),
      this.note,
      this.answer,
      this.grid,
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", onclick: () => void copy(this.text()) }, "Copy for toi explain"),
        el("button", { type: "button", onclick: () => this.prove() }, "Certificate"),
      ),
      this.slot,
      this.proof,
      this.reasons,
    );
    this.labels();
  }

  start(toi: Toi): void {
    this.toi = toi;
    this.ask(true);
  }

  setOptions(options: QueryOptions): void {
    this.options = options;
    this.ask(false);
  }

  load(kind: PairKind, points: number[], note = ""): void {
    this.kind = kind;
    this.points = [...points];
    this.kindSelect.value = kind;
    this.exampleSelect.value = "";
    this.note.textContent = note;
    this.labels();
    this.ask(true);
  }

  /** A point dragged in the picture: 0 to 3 at the start, 4 to 7 at the end. */
  movePoint(point: number, to: [number, number, number]): void {
    for (let k = 0; k < 3; k++) {
      this.points[3 * point + k] = to[k] as number;
      (this.inputs[3 * point + k] as HTMLInputElement).value = String(to[k]);
    }
    this.ask(false);
  }

  private example(index: number): void {
    const example = QUERY_EXAMPLES[index];
    if (!example) return;
    this.load(example.kind, example.points, example.note);
    this.exampleSelect.value = String(index);
    this.onExample(example.options ?? {});
  }

  /** An example may ask for a separation of its own. */
  onExample: (options: Record<string, string>) => void = () => {};

  private labels(): void {
    this.grid.replaceChildren(el("span"), ...["x", "y", "z"].map((axis) => el("span", { class: "head" }, axis)));
    this.inputs.length = 0;
    for (const [half, when] of [
      [0, "start"],
      [1, "end"],
    ] as const) {
      POINT_NAMES[this.kind].forEach((name, p) => {
        this.grid.append(el("span", { class: "mono" }, `${name} ${when}`));
        for (let k = 0; k < 3; k++) {
          const at = 12 * half + 3 * p + k;
          const input = el("input", {
            type: "text",
            inputmode: "decimal",
            spellcheck: "false",
            autocomplete: "off",
            "aria-label": `${name} at the ${when}, ${["x", "y", "z"][k]}`,
          });
          input.value = String(this.points[at]);
          input.addEventListener("input", () => this.typed(at, input));
          this.inputs.push(input);
          this.grid.append(input);
        }
      });
    }
  }

  private typed(at: number, input: HTMLInputElement): void {
    try {
      this.points[at] = parseNumber(input.value);
      input.removeAttribute("aria-invalid");
      input.title = hexFloat(this.points[at] as number);
      this.ask(false);
    } catch (error) {
      input.setAttribute("aria-invalid", "true");
      input.title = (error as Error).message;
    }
  }

  private ask(fresh: boolean): void {
    this.proof.hidden = true;
    if (!this.toi) {
      this.answer.replaceChildren(el("p", { class: "soft" }, "The library is loading…"));
      return;
    }
    try {
      const x = this.toi.explain(this.kind, this.points.slice(0, 12), this.points.slice(12), this.options);
      this.contact = x.hit.verdict === "miss" ? null : x.hit.point;
      this.show(x);
    } catch (error) {
      this.answer.replaceChildren(errorBox(sentence(error)));
      this.reasons.replaceChildren();
    }
    this.onChange(fresh);
  }

  private show(x: Explanation): void {
    const { hit } = x;
    const rows: [string, Node | string][] = [];
    if (hit.verdict === "miss") rows.push(["nothing touches before", exact(hit.tSafe, "safe time")]);
    else {
      rows.push(
        ["t_lo", exact(hit.tLo, "t_lo")],
        ["t_hi", exact(hit.tHi, "t_hi")],
        ["t_safe", exact(hit.tSafe, "t_safe")],
      );
      rows.push(["u, v", el("span", {}, exact(hit.u, "u"), ", ", exact(hit.v, "v"))]);
      rows.push(["point", exactPoint(hit.point, "point")], ["normal", exactPoint(hit.normal, "normal")]);
    }
    if (hit.verdict === "near") rows.push(["within", exact(hit.toleranceReached, "tolerance reached")]);
    if (hit.separation > 0) rows.push(["separation", exact(hit.separation, "separation")]);
    this.answer.replaceChildren(
      el(
        "div",
        { class: "row between" },
        el(
          "div",
          { class: "row" },
          badge(hit.verdict),
          el("span", {}, "decided by ", el("b", { id: "query-level" }, hit.level)),
        ),
        hit.touchingAtStart ? el("span", { class: "soft" }, "touching at the start") : null,
      ),
      facts(rows),
    );
    this.explain(x);
  }

  private explain(x: Explanation): void {
    const parts: (HTMLElement | Element)[] = [el("h2", {}, "Why"), el("p", {}, why(x, this.kind)), cascade(x)];
    if (x.separation > 0)
      parts.push(
        el("p", { class: "soft" }, "With a separation the times below are those of contact itself, distance 0."),
      );
    parts.push(cubicFigure(x));
    if (x.cubicDefined) parts.push(this.folded("Coefficients", coefficientTable(x)));
    parts.push(el("h2", {}, "Inside test"), rootFigures(x, this.kind));
    parts.push(this.folded("Box of the differences, axis by axis", boxFigure(x)));
    this.reasons.replaceChildren(...parts);
  }

  private folded(title: string, content: Element): HTMLElement {
    return el("details", { open: true }, el("summary", {}, title), content);
  }

  private prove(): void {
    if (!this.toi) return;
    try {
      const proof = this.toi.prove(this.kind, this.points.slice(0, 12), this.points.slice(12), { certificate: true });
      const text = el(
        "pre",
        { class: "certificate mono", tabindex: 0, "aria-label": "Certificate" },
        proof.certificate,
      );
      this.proof.replaceChildren(
        el(
          "div",
          { class: "row between" },
          el("h2", {}, "Certificate"),
          el("button", { type: "button", onclick: () => void copy(proof.certificate) }, "Copy"),
        ),
        el("p", { class: "soft" }, "Checked by toi-verify with rational arithmetic only."),
        text,
      );
    } catch (error) {
      this.proof.replaceChildren(errorBox(sentence(error)));
    }
    this.proof.hidden = false;
  }

  /** The command that explains the same query. */
  text(): string {
    const rows: string[] = [];
    for (let p = 0; p < 8; p++)
      rows.push(
        this.points
          .slice(3 * p, 3 * p + 3)
          .map(String)
          .join(","),
      );
    return `toi explain --kind ${this.kind} --points "${rows.join(" ")}"`;
  }
}
