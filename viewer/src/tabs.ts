// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Tabs as the ARIA practices have them: arrows move, the chosen panel is shown.

import { byId, el } from "./ui";

export class Tabs {
  chosen = "";
  onChoose: (id: string) => void = () => {};
  private readonly entries = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement }>();

  constructor() {
    byId("tabs").addEventListener("keydown", (event) => {
      const ids = [...this.entries.keys()];
      const at = ids.indexOf(this.chosen);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: ids.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const id = ids[(to + ids.length) % ids.length] as string;
      this.choose(id);
      this.entries.get(id)?.tab.focus();
    });
  }

  add(id: string, title: string): HTMLElement {
    const tab = el(
      "button",
      { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.choose(id) },
      title,
    );
    const panel = el("div", {
      role: "tabpanel",
      id: `panel-${id}`,
      "aria-labelledby": `tab-${id}`,
      tabindex: 0,
      hidden: true,
    });
    this.entries.set(id, { tab, panel });
    byId("tabs").append(tab);
    byId("panels").append(panel);
    return panel;
  }

  choose(id: string): void {
    if (!this.entries.has(id) || id === this.chosen) return;
    this.chosen = id;
    for (const [name, { tab, panel }] of this.entries) {
      tab.setAttribute("aria-selected", String(name === id));
      tab.tabIndex = name === id ? 0 : -1;
      panel.hidden = name !== id;
    }
    this.onChoose(id);
  }
}
