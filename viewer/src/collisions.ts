// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Colliding pairs as columns: hundreds of thousands of them stay a few megabytes, and sorting, brushing and drawing
// touch only the columns they need. The numbers are those of the library, unchanged.

export const KINDS = ["vertex-face", "edge-edge", "vertex-edge", "vertex-vertex"] as const;
export const KIND_WORDS = ["vf", "ee", "ve", "vv"] as const;
export const HALF_SPACE = 10;
export const VERDICTS = ["miss", "hit", "near"] as const;

export interface Collisions {
  count: number;
  /** False: only kind, pair, verdict, level and t_lo are there yet. */
  complete: boolean;
  kind: Uint8Array;
  first: Uint32Array;
  second: Uint32Array;
  verdict: Uint8Array;
  level: Uint8Array;
  touching: Uint8Array; // at the start
  tLo: Float64Array;
  tHi: Float64Array;
  tSafe: Float64Array;
  u: Float64Array;
  v: Float64Array;
  point: Float64Array; // 3 each
  normal: Float64Array; // 3 each
  separation: Float64Array;
  distance: Float64Array;
}

export function emptyCollisions(count: number): Collisions {
  return {
    count,
    complete: true,
    kind: new Uint8Array(count),
    first: new Uint32Array(count),
    second: new Uint32Array(count),
    verdict: new Uint8Array(count),
    level: new Uint8Array(count),
    touching: new Uint8Array(count),
    tLo: new Float64Array(count),
    tHi: new Float64Array(count),
    tSafe: new Float64Array(count),
    u: new Float64Array(count),
    v: new Float64Array(count),
    point: new Float64Array(3 * count),
    normal: new Float64Array(3 * count),
    separation: new Float64Array(count),
    distance: new Float64Array(count),
  };
}

/** "vf", "ee", ... or "vh" for a vertex and a half-space. */
export function kindWord(kind: number): string {
  return KIND_WORDS[kind] ?? (kind === HALF_SPACE ? "vh" : "?");
}

export function kindName(kind: number): string {
  return KINDS[kind] ?? (kind === HALF_SPACE ? "vertex-half-space" : "unknown");
}

/** The library's order of impacts: earlier bracket, then kind, first, second. */
export function byTime(c: Collisions): Uint32Array {
  const order = new Uint32Array(c.count);
  for (let i = 0; i < c.count; i++) order[i] = i;
  return order.sort(
    (a, b) =>
      (c.tLo[a] as number) - (c.tLo[b] as number) ||
      (c.tHi[a] as number) - (c.tHi[b] as number) ||
      (c.kind[a] as number) - (c.kind[b] as number) ||
      (c.first[a] as number) - (c.first[b] as number) ||
      (c.second[a] as number) - (c.second[b] as number),
  );
}

/** The part of `order` whose brackets begin in [from, to]. */
export function within(c: Collisions, order: Uint32Array, from: number, to: number): Uint32Array {
  const lower = bound(c, order, (t) => t < from);
  const upper = bound(c, order, (t) => t <= to);
  return order.subarray(lower, Math.max(lower, upper));
}

/** How many of the sorted times satisfy the predicate, which holds for a beginning of them. */
function bound(c: Collisions, order: Uint32Array, holds: (t: number) => boolean): number {
  let lo = 0;
  let hi = order.length;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if (holds(c.tLo[order[middle] as number] as number)) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

/** How many brackets begin in each of `bins` equal parts of [from, to]; the last part is closed. */
export function histogram(times: Float64Array, bins: number, from = 0, to = 1): Uint32Array {
  const counts = new Uint32Array(bins);
  const scale = bins / (to - from);
  for (const t of times) {
    if (t < from || t > to) continue;
    const bin = Math.min(bins - 1, Math.floor((t - from) * scale));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return counts;
}

/** The position of a pair in the list, or -1. */
export function findPair(c: Collisions, kind: number, first: number, second: number): number {
  for (let i = 0; i < c.count; i++) if (c.kind[i] === kind && c.first[i] === first && c.second[i] === second) return i;
  return -1;
}
