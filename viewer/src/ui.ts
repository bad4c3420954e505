// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Small helpers around the document. Text is only ever set as text: nothing of a file becomes markup.

import { brief, digits17, hexFloat } from "./number";

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as unknown as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** An element; attributes that begin with "on" are listeners. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element '${id}'`);
  return element as T;
}

let hiding = 0;

/** One line for the reader and for screen readers. */
export function say(text: string): void {
  const status = byId("status");
  status.textContent = text;
  status.classList.add("on");
  clearTimeout(hiding);
  hiding = window.setTimeout(() => status.classList.remove("on"), 2600);
}

/** Copies, also where a page opened from a file may not use the clipboard's interface. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { class: "visually-hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(`Copied ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`);
}

// --- exact numbers ---

export const numberStyle = { hex: false };
const values = new WeakMap<Element, number>();

export function exactText(x: number): string {
  return numberStyle.hex ? hexFloat(x) : digits17(x);
}

/** A number that can be copied: 17 digits, or a hex float where that is chosen. */
export function exact(x: number, label: string, short = false): HTMLButtonElement {
  const button = el("button", { type: "button", class: short ? "num short" : "num" });
  button.dataset.label = label;
  values.set(button, x);
  restyle(button);
  button.addEventListener("click", () => void copy(exactText(x)));
  return button;
}

function restyle(button: HTMLElement): void {
  const x = values.get(button);
  if (x === undefined) return;
  const text = exactText(x);
  button.textContent = button.classList.contains("short") && !numberStyle.hex ? brief(x, 9) : text;
  button.title = `${digits17(x)} = ${hexFloat(x)}; click to copy`;
  const shown = button.textContent ?? "";
  button.setAttribute(
    "aria-label",
    `${button.dataset.label ?? ""} ${shown}${shown === text ? "" : `, exactly ${text}`}, copy`,
  );
}

export function setHex(hex: boolean): void {
  numberStyle.hex = hex;
  for (const button of document.querySelectorAll<HTMLElement>(".num")) restyle(button);
}

export function exactPoint(p: ArrayLike<number>, label: string): HTMLElement {
  const parts = ["x", "y", "z"].map((axis, k) => exact(p[k] as number, `${label} ${axis}`));
  return el("span", {}, ...parts.flatMap((part, k) => (k ? [", ", part] : [part])));
}

export function facts(rows: [string, Node | string][]): HTMLDListElement {
  return el("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

export function badge(verdict: string): HTMLElement {
  return el("span", { class: `badge ${verdict}` }, verdict);
}

export function errorBox(message: string): HTMLElement {
  return el("div", { class: "error", role: "alert" }, message);
}
