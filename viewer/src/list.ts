// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A list of any length: only the lines in view exist.

import { firstRow, LINE, scrollFor, TALLEST } from "./rows";
import { el } from "./ui";

export class VirtualList {
  private count = 0;
  private selected = -1;
  private readonly spacer = el("div", { class: "spacer" });
  private lines: HTMLElement[] = [];
  private asked = false;

  constructor(
    readonly host: HTMLElement,
    private readonly render: (row: number, line: HTMLElement) => void,
    private readonly choose: (row: number) => void,
  ) {
    host.classList.add("list");
    host.tabIndex = 0;
    host.setAttribute("role", "listbox");
    host.append(this.spacer);
    host.addEventListener("scroll", () => this.ask());
    host.addEventListener("keydown", (e) => this.key(e));
    host.addEventListener("click", (e) => {
      const line = (e.target as Element).closest<HTMLElement>(".line");
      if (line?.dataset.row) this.select(Number(line.dataset.row), true);
    });
    new ResizeObserver(() => this.ask()).observe(host);
  }

  setCount(count: number): void {
    this.count = count;
    this.selected = -1;
    this.host.removeAttribute("aria-activedescendant");
    this.spacer.style.height = `${Math.min(TALLEST, count * LINE)}px`;
    this.host.scrollTop = 0;
    this.draw();
  }

  select(row: number, tell: boolean): void {
    this.selected = row;
    this.reveal(row);
    this.draw();
    if (!tell || row < 0) return;
    this.choose(row);
    // What is shown of the row may have left less room for the list.
    this.reveal(row);
    this.draw();
  }

  private reveal(row: number): void {
    const { scrollTop, clientHeight } = this.host;
    const { row: first } = firstRow(scrollTop, clientHeight, this.count);
    if (row >= 0 && (row <= first || row >= first + Math.floor(clientHeight / LINE) - 1))
      this.host.scrollTop = scrollFor(row, clientHeight, this.count);
  }

  redraw(): void {
    this.draw();
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.host.clientHeight / LINE) - 1);
    const moves: Record<string, number> = {
      ArrowDown: this.selected + 1,
      ArrowUp: this.selected - 1,
      PageDown: this.selected + page,
      PageUp: this.selected - page,
      Home: 0,
      End: this.count - 1,
    };
    const to = event.key === "Enter" ? this.selected : moves[event.key];
    if (to === undefined || this.count === 0) return;
    event.preventDefault();
    this.select(Math.min(this.count - 1, Math.max(0, to)), true);
  }

  private draw(): void {
    const height = this.host.clientHeight;
    const { row, top } = firstRow(this.host.scrollTop, height, this.count);
    const need = Math.max(0, Math.min(this.count - row, Math.ceil(height / LINE) + 1));
    while (this.lines.length < need) {
      const line = el("div", { class: "line", role: "option" });
      this.lines.push(line);
      this.host.append(line);
    }
    while (this.lines.length > need) this.lines.pop()?.remove();
    let active = "";
    this.lines.forEach((line, k) => {
      const at = row + k;
      line.style.top = `${top + k * LINE}px`;
      line.dataset.row = String(at);
      line.id = `${this.host.id}-row-${at}`;
      line.setAttribute("aria-posinset", String(at + 1));
      line.setAttribute("aria-setsize", String(this.count));
      line.setAttribute("aria-selected", String(at === this.selected));
      if (at === this.selected) active = line.id;
      line.replaceChildren();
      this.render(at, line);
    });
    if (active) this.host.setAttribute("aria-activedescendant", active);
    else this.host.removeAttribute("aria-activedescendant");
  }
}
