// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The names of enums, by their number in C. A test compares those that the library can say itself.

import { inputError } from "./error.js";

export const kinds = [
  "vertex-face", "edge-edge", "vertex-edge", "vertex-vertex", , , , , "edge-face", "face-face", "vertex-half-space",
];
export const verdicts = ["miss", "hit", "near"];
export const levels = ["box", "sign", "projection", "root", "reduction", "plane", "exact", "search", "outside"];

const shortKinds = { vf: 0, ee: 1, ve: 2, vv: 3 };

// What a field of a struct may hold, by the name of its type.
export const enums = {
  kind: kinds,
  verdict: verdicts,
  level: levels,
  norm: ["l2", "linf"],
  inclusion: ["obb", "aabb"],
  filter: ["float", "double"],
  accept: ["world", "parameter"],
  incoming: ["auto", "off", "on"],
  order: ["lower", "upper", "race"],
  newton: ["linear", "krawczyk", "none"],
  certificate: ["unique", "singular"],
  surfaceEnd: ["refuted", "bracketed", "accepted", "budget", "memory", "exact"],
  contactEnd: ["done", "boxes", "seconds", "memory"],
  inside: ["no", "yes", "unknown"],
  outcome: ["absent", "skipped", "open", "miss", "hit", "near"],
  rootSource: ["cubic", "start", "area", "corner"],
  reduced: ["all", "none", "corner", "segment", "plane", "not-asked"],
};

// The number of a kind that is given by its name, long or short.
export function kindNumber(name) {
  const number = Object.hasOwn(shortKinds, name) ? shortKinds[name] : kinds.indexOf(name);
  if (number < 0 || name === undefined)
    throw inputError(`unknown kind '${name}'; there are ${kinds.filter(Boolean).join(", ")}`);
  return number;
}
