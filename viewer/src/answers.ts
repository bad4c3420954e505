// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Answers in the one form that the panels show, whether they came with the page or were computed in this tab.

import type { Collision, Crossing, Hit, Impact, Kind, Mesh, QueryOptions, Records, Toi } from "libtoi";
import { type Collisions, findPair, HALF_SPACE, KIND_WORDS, KINDS, kindName, VERDICTS } from "./collisions";
import type { Crossings, Header } from "./container";

export const LEVELS = [
  "box",
  "sign",
  "projection",
  "root",
  "reduction",
  "plane",
  "exact",
  "search",
  "outside",
] as const;

export function collisionColumns(records: Records<Collision>): Collisions {
  const f64 = (field: string) => records.column(field) as Float64Array;
  const u32 = (field: string) => Uint32Array.from(records.column(field));
  const u8 = (field: string) => Uint8Array.from(records.column(field));
  return {
    count: records.length,
    complete: true,
    kind: u8("kind"),
    first: u32("first"),
    second: u32("second"),
    verdict: u8("hit.verdict"),
    level: u8("hit.level"),
    touching: u8("hit.touchingAtStart"),
    tLo: f64("hit.tLo"),
    tHi: f64("hit.tHi"),
    tSafe: f64("hit.tSafe"),
    u: f64("hit.u"),
    v: f64("hit.v"),
    point: f64("hit.point"),
    normal: f64("hit.normal"),
    separation: f64("hit.separation"),
    distance: f64("hit.distance"),
  };
}

const CHUNK = 8192;

/** Computes what short rows leave out: the same calls on the same pairs, so the same bits. In parts, so that the page
 * stays alive meanwhile. */
export async function completeColumns(toi: Toi, mesh: Mesh, c: Collisions, options: QueryOptions): Promise<void> {
  for (let from = 0; from < c.count; ) {
    const kind = c.kind[from] as number;
    let to = from;
    while (to < c.count && to < from + CHUNK && c.kind[to] === kind) to++;
    const pairs = new Uint32Array(2 * (to - from));
    for (let i = from; i < to; i++) {
      pairs[2 * (i - from)] = c.first[i] as number;
      pairs[2 * (i - from) + 1] = c.second[i] as number;
    }
    const hits = toi.batchIndexed(kindName(kind) as Kind, mesh, pairs, options);
    for (const name of ["tHi", "tSafe", "u", "v", "separation", "distance"] as const)
      c[name].set(hits.column(name), from);
    c.point.set(hits.column("point"), 3 * from);
    c.normal.set(hits.column("normal"), 3 * from);
    from = to;
    await new Promise((resolve) => setTimeout(resolve));
  }
  c.complete = true;
}

/** The options that a page was made with, as the library takes them here. */
export function pageOptions(header: Header): QueryOptions {
  const o = header.options ?? {};
  const options: QueryOptions = {};
  if (typeof o.method === "string") options.method = o.method;
  if (typeof o.t_max === "number") options.tMax = o.t_max;
  if (typeof o.tolerance === "number") options.tolerance = o.tolerance;
  if (typeof o.min_separation === "number") options.minSeparation = o.min_separation;
  if (typeof o.separation_fraction === "number") options.separationFraction = o.separation_fraction;
  if (o.norm === "l2" || o.norm === "linf") options.norm = o.norm;
  return options;
}

/** Kind 8 is an edge that passes through a face, as in pages. */
export function crossingColumns(records: Records<Crossing>): Crossings {
  const kind = Uint8Array.from(records.column("kind"));
  const crossing = records.column("crossing");
  for (let i = 0; i < kind.length; i++) if (crossing[i]) kind[i] = 8;
  return {
    count: records.length,
    kind,
    behind: Uint8Array.from(records.column("behind")),
    first: Uint32Array.from(records.column("first")),
    second: Uint32Array.from(records.column("second")),
  };
}

/** One pair of the list as a hit. */
export function hitAt(c: Collisions, i: number): Hit {
  const three = (a: Float64Array) => [a[3 * i], a[3 * i + 1], a[3 * i + 2]] as [number, number, number];
  return {
    tLo: c.tLo[i] as number,
    tHi: c.tHi[i] as number,
    tSafe: c.tSafe[i] as number,
    u: c.u[i] as number,
    v: c.v[i] as number,
    point: three(c.point),
    normal: three(c.normal),
    toleranceReached: 0,
    separation: c.separation[i] as number,
    distance: c.distance[i] as number,
    verdict: VERDICTS[c.verdict[i] as number] ?? "near",
    level: LEVELS[c.level[i] as number] ?? "outside",
    touchingAtStart: c.touching[i] === 1,
  };
}

/** By its name, or by the short one that the command prints. */
export function kindNumber(name: string): number {
  const number = Math.max((KINDS as readonly string[]).indexOf(name), (KIND_WORDS as readonly string[]).indexOf(name));
  return number >= 0 ? number : HALF_SPACE;
}

interface StepAnswer {
  verdict?: string;
  toi?: { lo: number; hi: number; safe: number } | null;
  first?: { kind: string; a: number; b: number } | null;
}

/** The first impact of a step as the command printed it: the rest of the hit is that of the pair in the list. */
export function impactOf(header: Header, step: number, c: Collisions | undefined): Impact | null {
  const answer = header.answer as (StepAnswer & { steps?: StepAnswer[] }) | undefined;
  const own = header.view === "sequence" ? answer?.steps?.[step] : answer;
  if (!own || (header.view !== "sequence" && header.view !== "step")) return null;
  const miss: Hit = {
    tLo: Infinity,
    tHi: Infinity,
    tSafe: Number(header.options?.t_max ?? 1),
    u: Number.NaN,
    v: Number.NaN,
    point: [0, 0, 0],
    normal: [0, 0, 0],
    toleranceReached: 0,
    separation: 0,
    distance: Number.NaN,
    verdict: "miss",
    level: "box",
    touchingAtStart: false,
  };
  if (!own.toi || !own.first) return { hit: miss, kind: null, first: null, second: null };
  const { kind, a, b } = own.first;
  const row = c ? findPair(c, kindNumber(kind), a, b) : -1;
  const known = c && row >= 0 ? hitAt(c, row) : { ...miss, verdict: "hit" as const, level: "exact" as const };
  return {
    hit: { ...known, tLo: own.toi.lo, tHi: own.toi.hi, tSafe: own.toi.safe },
    kind: kindName(kindNumber(kind)) as Impact["kind"],
    first: a,
    second: b,
  };
}
