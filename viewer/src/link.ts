// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// What a link restores: the part of the address behind '#', as name=value pairs. Numbers are written so that the same
// doubles come back. Whatever cannot be read is left out: a link never breaks the page.

import { parseNumber } from "./number";

export interface LinkState {
  tab?: string;
  step?: number;
  t?: number;
  camera?: number[]; // position, target: six numbers
  up?: "y" | "z";
  pair?: { kind: string; first: number; second: number };
  brush?: [number, number];
  show?: string[]; // what is drawn
  query?: { kind: string; points: number[] };
  options?: Record<string, string>;
  example?: string;
  hex?: boolean;
  theme?: string;
}

const WORD = /^[A-Za-z0-9_.+-]{1,64}$/;

export function encodeLink(state: LinkState): string {
  const parts: string[] = [];
  const put = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") parts.push(`${name}=${value}`);
  };
  put("tab", state.tab);
  put("example", state.example);
  put("step", state.step ? String(state.step) : undefined);
  put("t", state.t === undefined ? undefined : String(state.t));
  put("camera", state.camera?.map((x) => String(Math.fround(x))).join(","));
  put("up", state.up);
  put("pair", state.pair && `${state.pair.kind},${state.pair.first},${state.pair.second}`);
  put("brush", state.brush?.map(String).join(","));
  put("show", state.show?.join(","));
  put("query", state.query && `${state.query.kind},${state.query.points.map(String).join(",")}`);
  for (const [name, value] of Object.entries(state.options ?? {})) put(`o.${name}`, value);
  put("hex", state.hex ? "1" : undefined);
  put("theme", state.theme);
  return parts.length ? `#${parts.join("&")}` : "";
}

export function decodeLink(hash: string): LinkState {
  const state: LinkState = {};
  const options: Record<string, string> = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const cut = part.indexOf("=");
    if (cut < 1) continue;
    const name = part.slice(0, cut);
    const value = decode(part.slice(cut + 1));
    if (name.startsWith("o.") && WORD.test(name.slice(2)) && WORD.test(value)) options[name.slice(2)] = value;
    else field(state, name, value);
  }
  if (Object.keys(options).length) state.options = options;
  return state;
}

function field(state: LinkState, name: string, value: string): void {
  if (name === "tab" && WORD.test(value)) state.tab = value;
  else if (name === "example" && WORD.test(value)) state.example = value;
  else if (name === "theme" && (value === "light" || value === "dark")) state.theme = value;
  else if (name === "up" && (value === "y" || value === "z")) state.up = value;
  else if (name === "hex") state.hex = value === "1";
  else if (name === "step" && /^\d{1,9}$/.test(value)) state.step = Number(value);
  else if (name === "t") {
    const t = numbers(value, 1);
    if (t && (t[0] as number) >= 0) state.t = t[0] as number;
  } else if (name === "camera") {
    const camera = numbers(value, 6);
    if (camera) state.camera = camera;
  } else if (name === "brush") {
    const brush = numbers(value, 2);
    if (brush && (brush[0] as number) <= (brush[1] as number)) state.brush = brush as [number, number];
  } else if (name === "show") {
    state.show = value.split(",").filter((word) => WORD.test(word));
  } else if (name === "pair") {
    const match = /^([a-z]{2}),(\d{1,10}),(\d{1,10})$/.exec(value);
    if (match) state.pair = { kind: match[1] as string, first: Number(match[2]), second: Number(match[3]) };
  } else if (name === "query") {
    const kind = value.slice(0, 2);
    const points = numbers(value.slice(3), 24);
    if (points && (kind === "vf" || kind === "ee")) state.query = { kind, points };
  }
}

function numbers(text: string, count: number): number[] | null {
  const parts = text.split(",");
  if (parts.length !== count) return null;
  try {
    return parts.map(parseNumber);
  } catch {
    return null;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
