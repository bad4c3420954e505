// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The data that `toi view` puts into a page: base64, gzip, then sections of delta-coded arrays, and a header in JSON
// last. What is decoded is the same bits as the files had. docs/view-format.md describes the format.

import { type Collisions, emptyCollisions } from "./collisions";

export interface Header {
  format: string;
  version: number;
  toi: string;
  view: "step" | "sequence" | "check" | "surface" | "contact" | "sweep";
  title: string;
  options?: Record<string, string | number | boolean | null>;
  mesh?: {
    scalar: "float32" | "float64";
    vertices: number;
    edges: number;
    faces: number;
    loose: number;
    frames: string[];
    half_spaces?: number[][];
  };
  answer?: Record<string, unknown>;
  contacts?: { count: number; every: boolean };
  crossings?: { count: number; frames: number[] };
  files?: { name: string; role: string }[];
  results?: CaseResult[];
  t_max?: number;
  motions?: { shift: number[]; spin: number[]; centre: number[]; velocity: number[] }[];
}

export interface CaseResult {
  index: number;
  verdict: string;
  t_lo: number | null;
  t_hi: number | null;
  u1: number | null;
  v1: number | null;
  u2: number | null;
  v2: number | null;
}

/** Pairs of one frame that cross or touch; kind 8 is an edge that passes through a face. */
export interface Crossings {
  count: number;
  kind: Uint8Array;
  behind: Uint8Array;
  first: Uint32Array;
  second: Uint32Array;
}

export interface Contents {
  header: Header;
  frames: (Float32Array | Float64Array)[];
  faces: Uint32Array;
  edges: Uint32Array;
  loose: Uint32Array;
  contacts: Map<number, Collisions>; // by step
  crossings: Map<number, Crossings>; // by frame
  files: Uint8Array[];
}

const MAGIC = "TOIVIEW1";

type Words = Uint8Array | Uint32Array;

/** An array's bit patterns: one word per element, or two (low, high) for 8-byte elements. */
interface Decoded {
  width: number;
  count: number;
  words: Words;
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads the inflated stream; throws an Error that says what is wrong with it. */
export function readContents(bytes: Uint8Array): Contents {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || ascii(bytes, 0, 8) !== MAGIC)
    throw new Error("the data in this page are not of a known format");
  const contents: Contents = {
    header: { format: "", version: 0, toi: "", view: "step", title: "" },
    frames: [],
    faces: new Uint32Array(0),
    edges: new Uint32Array(0),
    loose: new Uint32Array(0),
    contacts: new Map(),
    crossings: new Map(),
    files: [],
  };
  const pieces: { contacts: Map<number, Collisions[]>; crossings: Map<number, Crossings[]> } = {
    contacts: new Map(),
    crossings: new Map(),
  };
  let before: Decoded | null = null;
  let headerSeen = false;
  for (let at = 8; at < bytes.length; ) {
    if (at + 16 > bytes.length) throw new Error(`the data in this page end early, at byte ${at}`);
    const tag = ascii(bytes, at, 4);
    const size = Number(view.getBigUint64(at + 8, true));
    const begin = at + 16;
    if (begin + size > bytes.length) throw new Error(`section ${tag} of the data in this page ends early`);
    const reader = new Reader(bytes.subarray(begin, begin + size));
    if (tag === "VERT") {
      before = reader.array(before);
      contents.frames.push(before.width === 4 ? floats32(before) : floats64(before));
    } else if (tag === "FACE") contents.faces = uints(reader.array());
    else if (tag === "EDGE") contents.edges = uints(reader.array());
    else if (tag === "LOOS") contents.loose = uints(reader.array());
    else if (tag === "CONT") readContacts(reader, pieces.contacts, true);
    else if (tag === "PAIR") readContacts(reader, pieces.contacts, false);
    else if (tag === "CROS") readCrossings(reader, pieces.crossings);
    else if (tag === "FILE") contents.files.push(bytes.slice(begin, begin + size));
    else if (tag === "JSON") {
      contents.header = JSON.parse(new TextDecoder().decode(bytes.subarray(begin, begin + size))) as Header;
      headerSeen = true;
    }
    at = begin + size + ((8 - (size % 8)) % 8);
  }
  if (!headerSeen || contents.header.format !== "toi-view") throw new Error("the data in this page have no header");
  if (contents.header.version !== 1)
    throw new Error(`the data in this page are of version ${contents.header.version}; this viewer reads version 1`);
  for (const [step, parts] of pieces.contacts) contents.contacts.set(step, joined(parts));
  for (const [frame, parts] of pieces.crossings) contents.crossings.set(frame, joinedCrossings(parts));
  return contents;
}

class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  word(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  array(reference: Decoded | null = null): Decoded {
    const width = this.view.getUint8(this.at);
    const predictor = this.view.getUint8(this.at + 1);
    const components = this.view.getUint16(this.at + 2, true);
    const count = Number(this.view.getBigUint64(this.at + 8, true));
    const begin = this.at + 16;
    const size = width * count;
    if (begin + size > this.bytes.length) throw new Error("an array of the data in this page ends early");
    this.at = begin + size + ((8 - (size % 8)) % 8);
    if (predictor === 2 && (!reference || reference.count !== count || reference.width !== width))
      throw new Error("an array of the data in this page refers to one that is not there");
    const planes = this.bytes.subarray(begin, begin + size);
    const words = gather(planes, width, count);
    if (predictor === 1) undoDeltas(words, width === 8 ? 2 : 1, width, components, null);
    if (predictor === 2) undoDeltas(words, width === 8 ? 2 : 1, width, 0, (reference as Decoded).words);
    return { width, count, words };
  }
}

/** Planes of bytes back to words. */
function gather(planes: Uint8Array, width: number, count: number): Words {
  if (width === 1) return planes.slice();
  if (width !== 4 && width !== 8) throw new Error(`an array of the data in this page has elements of ${width} bytes`);
  const per = width / 4;
  const words = new Uint32Array(count * per);
  for (let half = 0; half < per; half++) {
    const base = 4 * half * count;
    for (let i = 0; i < count; i++)
      words[i * per + half] =
        (planes[base + i] as number) |
        ((planes[base + count + i] as number) << 8) |
        ((planes[base + 2 * count + i] as number) << 16) |
        ((planes[base + 3 * count + i] as number) << 24);
  }
  return words;
}

/** x = p + unzigzag(r), p the element `components` before, or that of the reference. */
function undoDeltas(words: Words, per: number, width: number, components: number, reference: Words | null): void {
  if (per === 1) {
    const mask = width === 1 ? 0xff : 0xffffffff;
    for (let i = 0; i < words.length; i++) {
      const r = words[i] as number;
      const p = reference ? (reference[i] as number) : i >= components ? (words[i - components] as number) : 0;
      words[i] = (p + ((r >>> 1) ^ -(r & 1))) & mask;
    }
    return;
  }
  for (let i = 0; i < words.length; i += 2) {
    const lo = words[i] as number;
    const hi = words[i + 1] as number;
    const sign = -(lo & 1);
    const dl = (((lo >>> 1) | (hi << 31)) ^ sign) >>> 0;
    const dh = ((hi >>> 1) ^ sign) >>> 0;
    const from = reference ? i : i - 2 * components;
    const source = reference ?? words;
    const pl = from >= 0 ? (source[from] as number) : 0;
    const ph = from >= 0 ? (source[from + 1] as number) : 0;
    const low = pl + dl;
    words[i] = low;
    words[i + 1] = ph + dh + (low > 0xffffffff ? 1 : 0);
  }
}

/** Complete rows, or short ones whose rest the library computes again in the tab. */
function readContacts(reader: Reader, out: Map<number, Collisions[]>, complete: boolean): void {
  const rows = reader.word();
  const step = reader.word();
  const c = emptyCollisions(rows);
  c.kind = bytesOf(reader.array());
  c.verdict = bytesOf(reader.array());
  c.level = bytesOf(reader.array());
  c.touching = bytesOf(reader.array());
  c.first = uints(reader.array());
  c.second = uints(reader.array());
  const tLo = reader.array();
  c.tLo = floats64(tLo);
  out.set(step, [...(out.get(step) ?? []), c]);
  c.complete = complete;
  if (!complete) return;
  c.tHi = floats64(reader.array(tLo));
  c.tSafe = floats64(reader.array(tLo));
  c.u = floats64(reader.array());
  c.v = floats64(reader.array());
  c.point = interleave([0, 1, 2].map(() => floats64(reader.array())));
  c.normal = interleave([0, 1, 2].map(() => floats64(reader.array())));
  c.separation = floats64(reader.array());
  c.distance = floats64(reader.array());
}

function readCrossings(reader: Reader, out: Map<number, Crossings[]>): void {
  const rows = reader.word();
  const frame = reader.word();
  const kind = bytesOf(reader.array());
  const behind = bytesOf(reader.array());
  const first = uints(reader.array());
  const second = uints(reader.array());
  out.set(frame, [...(out.get(frame) ?? []), { count: rows, kind, behind, first, second }]);
}

function interleave(columns: Float64Array[]): Float64Array {
  const count = (columns[0] as Float64Array).length;
  const all = new Float64Array(3 * count);
  columns.forEach((column, axis) => {
    for (let i = 0; i < count; i++) all[3 * i + axis] = column[i] as number;
  });
  return all;
}

function joined(parts: Collisions[]): Collisions {
  if (parts.length === 1) return parts[0] as Collisions;
  const all = emptyCollisions(parts.reduce((sum, part) => sum + part.count, 0));
  all.complete = parts.every((part) => part.complete);
  let at = 0;
  for (const part of parts) {
    for (const name of [
      "kind",
      "verdict",
      "level",
      "touching",
      "first",
      "second",
      "tLo",
      "tHi",
      "tSafe",
      "u",
      "v",
      "separation",
      "distance",
    ] as const)
      all[name].set(part[name], at);
    all.point.set(part.point, 3 * at);
    all.normal.set(part.normal, 3 * at);
    at += part.count;
  }
  return all;
}

function joinedCrossings(parts: Crossings[]): Crossings {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const all: Crossings = {
    count,
    kind: new Uint8Array(count),
    behind: new Uint8Array(count),
    first: new Uint32Array(count),
    second: new Uint32Array(count),
  };
  let at = 0;
  for (const part of parts) {
    for (const name of ["kind", "behind", "first", "second"] as const) all[name].set(part[name], at);
    at += part.count;
  }
  return all;
}

function bytesOf(a: Decoded): Uint8Array {
  if (a.width !== 1) throw new Error("a column of the data in this page has the wrong width");
  return a.words as Uint8Array;
}

function uints(a: Decoded): Uint32Array {
  if (a.width !== 4) throw new Error("a column of the data in this page has the wrong width");
  return a.words as Uint32Array;
}

function floats32(a: Decoded): Float32Array {
  return new Float32Array(a.words.buffer, a.words.byteOffset, a.count);
}

function floats64(a: Decoded): Float64Array {
  if (a.width !== 8) throw new Error("a column of the data in this page has the wrong width");
  return new Float64Array(a.words.buffer, a.words.byteOffset, a.count);
}

function ascii(bytes: Uint8Array, at: number, count: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + count));
}
