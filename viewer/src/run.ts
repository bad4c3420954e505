// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The playground's panel: where the input comes from, what is asked, and how long it takes. One call at a time; a long
// one shows how far it is and can be stopped.

import type { RunOptions } from "libtoi";
import { cancelled, sentence } from "./engine";
import { MESH_EXAMPLES, SCENE_EXAMPLES } from "./examples";
import type { OptionsForm } from "./options";
import { el, errorBox } from "./ui";

export interface RunActions {
  first(run: RunOptions): Promise<void>;
  all(run: RunOptions): Promise<void>;
  crossings(run: RunOptions): Promise<void>;
  contact(run: RunOptions): Promise<void>;
  open(files: File[]): void;
  example(id: string): void;
}

export class RunPanel {
  readonly dragging = el("input", { type: "checkbox", id: "drag-vertices" });
  private readonly buttons: HTMLButtonElement[] = [];
  private readonly meshButtons: HTMLElement;
  private readonly curvedButtons: HTMLElement;
  private readonly progress = el("progress", { max: 1, value: 0, "aria-label": "Progress", hidden: true });
  private readonly stopButton = el("button", { type: "button", hidden: true }, "Stop");
  private readonly said = el("p", { class: "soft", "aria-live": "polite" });
  private readonly failure = el("div");
  private readonly dragRow: HTMLElement;
  /** Where the options stand while this panel is shown. */
  readonly slot = el("div");
  private abort: AbortController | null = null;

  constructor(host: HTMLElement, form: OptionsForm, actions: RunActions) {
    const file = el("input", {
      type: "file",
      multiple: true,
      id: "files",
      class: "visually-hidden",
      accept: ".ply,.obj,.gz,.json,.jsonl",
    });
    file.addEventListener("change", () => {
      actions.open([...(file.files ?? [])]);
      file.value = "";
    });
    const examples = el(
      "select",
      { "aria-label": "Example scene" },
      el("option", { value: "" }, "Take an example…"),
      el("optgroup", { label: "Meshes" }, ...MESH_EXAMPLES.map((x) => el("option", { value: x.id }, x.title))),
      el(
        "optgroup",
        { label: "Curved surfaces" },
        ...SCENE_EXAMPLES.map((x) => el("option", { value: x.name }, x.title)),
      ),
    );
    examples.addEventListener("change", () => {
      if (examples.value) actions.example(examples.value);
      examples.value = "";
    });
    const button = (text: string, primary: boolean, action: (run: RunOptions) => Promise<void>) => {
      const made = el("button", { type: "button", class: primary ? "primary" : "" }, text);
      made.addEventListener("click", () => void this.run(text, action));
      this.buttons.push(made);
      return made;
    };
    this.meshButtons = el(
      "div",
      { class: "row" },
      button("First impact", true, actions.first),
      button("All collisions", false, actions.all),
      button("Self-intersection", false, actions.crossings),
    );
    this.curvedButtons = el("div", { class: "row" }, button("First contact", true, actions.contact));
    this.dragRow = el(
      "label",
      { class: "row" },
      this.dragging,
      "Drag vertices: before t = 0.5 their start, after it their end",
    );
    this.stopButton.addEventListener("click", () => this.abort?.abort());
    host.append(
      el(
        "div",
        { class: "card" },
        el("h2", {}, "Input"),
        el(
          "p",
          { class: "soft" },
          "Drop two PLY or OBJ files (a step), more of them (a sequence), one (a state), a scene of curved surfaces, or .jsonl cases. Nothing leaves this page.",
        ),
        el("div", { class: "row" }, el("label", { for: "files", class: "button-like" }, "Open files…"), file, examples),
      ),
      el(
        "div",
        { class: "card" },
        el("h2", {}, "Ask the library"),
        this.meshButtons,
        this.curvedButtons,
        this.dragRow,
        el("div", { class: "row" }, this.progress, this.stopButton),
        this.said,
        this.failure,
      ),
      this.slot,
    );
    this.slot.append(form.host);
    this.setKind(null);
  }

  setKind(kind: "mesh" | "curved" | null): void {
    this.meshButtons.hidden = kind !== "mesh";
    this.curvedButtons.hidden = kind !== "curved";
    this.dragRow.hidden = kind !== "mesh";
    this.said.textContent = kind ? "" : "Open files or choose an example first.";
    this.failure.replaceChildren();
  }

  fail(error: unknown): void {
    this.failure.replaceChildren(errorBox(sentence(error)));
  }

  clear(): void {
    this.failure.replaceChildren();
  }

  async run(name: string, action: (run: RunOptions) => Promise<void>): Promise<void> {
    if (this.abort) return;
    this.abort = new AbortController();
    const began = performance.now();
    this.waiting(true);
    this.failure.replaceChildren();
    this.said.textContent = `${name}…`;
    try {
      await action({ signal: this.abort.signal, progress: (done) => (this.progress.value = done) });
      this.said.textContent = `${name}: ${Math.round(performance.now() - began)} ms in this tab.`;
    } catch (error) {
      this.said.textContent = "";
      if (cancelled(error)) this.said.textContent = `${name}: stopped.`;
      else this.fail(error);
    }
    this.abort = null;
    this.waiting(false);
  }

  private waiting(on: boolean): void {
    for (const button of this.buttons) button.disabled = on;
    this.progress.hidden = this.stopButton.hidden = !on;
    if (on) this.progress.removeAttribute("value");
  }
}
