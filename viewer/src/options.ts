// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// All options of a query or a step, as a form. Only those that were changed are passed on: the rest has the library's
// defaults.

import type { MeshOptions, Toi } from "libtoi";
import { parseNumber } from "./number";
import { el } from "./ui";

type Values = Record<string, string>;

const NUMBERS: [name: string, label: string, placeholder: string][] = [
  ["tMax", "t_max", "1"],
  ["minSeparation", "Minimum separation", "0"],
  ["separationFraction", "Separation fraction", "0"],
  ["tolerance", "Tolerance", "1e-6"],
  ["maxChecks", "Limit of checks", "0: the method's"],
  ["memory", "Memory of the library", "1073741824 bytes"],
];

export class OptionsForm {
  readonly host = el("form", { class: "card", "aria-label": "Options" });
  onChange: () => void = () => {};
  private readonly selects = new Map<string, HTMLSelectElement>();
  private readonly inputs = new Map<string, HTMLInputElement>();
  private readonly noZero = el("input", { type: "checkbox", id: "option-no-zero" });
  private readonly promise = el("p", { class: "soft" });
  private toi: Toi | null = null;

  constructor() {
    this.host.addEventListener("submit", (event) => event.preventDefault());
    this.host.append(
      el("h2", {}, "Options"),
      this.select("method", "Method", [
        "certified",
        "exact",
        "tight-inclusion",
        "interval-queue",
        "cubic",
        "time-inclusion",
      ]),
      this.promise,
    );
    for (const [name, label, placeholder] of NUMBERS) {
      const input = el("input", { type: "text", inputmode: "decimal", placeholder, id: `option-${name}` });
      input.addEventListener("change", () => this.changed());
      this.inputs.set(name, input);
      this.host.append(el("label", { class: "field" }, el("span", {}, label), input));
    }
    this.host.append(
      this.select("norm", "Norm of the separation", ["l2", "linf"]),
      this.select("inclusion", "Boxes of time-inclusion", ["obb", "aabb"]),
      this.select("broad", "Broad phase", [""]),
      this.select("filter", "Precision of the first filter", ["", "float", "double"]),
      el("label", { class: "field" }, el("span", {}, "Refine before answering t = 0"), this.noZero),
    );
    this.noZero.addEventListener("change", () => this.changed());
  }

  /** Names that only the library knows. */
  start(toi: Toi): void {
    this.toi = toi;
    const fill = (name: string, words: string[]) => {
      const select = this.selects.get(name) as HTMLSelectElement;
      const chosen = select.value;
      select.replaceChildren(...words.map((word) => el("option", { value: word }, word || "default")));
      if (words.includes(chosen)) select.value = chosen;
    };
    fill("method", toi.methods());
    fill("broad", ["", ...toi.broads()]);
    this.describe();
  }

  /** As a link keeps them: only what is not the default. */
  values(): Values {
    const values: Values = {};
    for (const [name, select] of this.selects) if (select.selectedIndex > 0) values[name] = select.value;
    for (const [name, input] of this.inputs) if (input.value.trim()) values[name] = input.value.trim();
    if (this.noZero.checked) values.noZeroToi = "1";
    return values;
  }

  restore(values: Values): void {
    for (const [name, select] of this.selects) {
      const value = values[name];
      if (value && [...select.options].some((option) => option.value === value)) select.value = value;
      else select.selectedIndex = 0;
    }
    for (const [name, input] of this.inputs) input.value = values[name] ?? "";
    this.noZero.checked = values.noZeroToi === "1";
    this.changed();
  }

  method(): string {
    return this.selects.get("method")?.value ?? "certified";
  }

  /** Bytes that the library may hold; 0: its default. */
  memory(): number {
    const bytes = Number(this.inputs.get("memory")?.value.trim() || 0);
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
  }

  /** For the library; a field that is no number is marked and left out. */
  options(): MeshOptions {
    const options: MeshOptions = {};
    for (const [name, value] of Object.entries(this.values())) {
      if (this.inputs.has(name)) {
        const input = this.inputs.get(name) as HTMLInputElement;
        try {
          const number = parseNumber(value);
          if (name !== "memory") (options as Record<string, number>)[name] = number;
          input.removeAttribute("aria-invalid");
        } catch {
          input.setAttribute("aria-invalid", "true");
        }
      } else if (name === "noZeroToi") options.noZeroToi = true;
      else (options as Record<string, string>)[name] = value;
    }
    return options;
  }

  private select(name: string, label: string, words: string[]): HTMLElement {
    const select = el(
      "select",
      { id: `option-${name}` },
      ...words.map((word) => el("option", { value: word }, word || "default")),
    );
    select.addEventListener("change", () => this.changed());
    this.selects.set(name, select);
    return el("label", { class: "field" }, el("span", {}, label), select);
  }

  private changed(): void {
    this.describe();
    this.onChange();
  }

  private describe(): void {
    this.promise.textContent = this.toi?.methodPromise(this.method()) ?? "";
  }
}
