// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The module's answers beside the native library's, byte by byte.

import { createHash } from "node:crypto";

const CHUNK = 20000;
const points = { vf: 4, ee: 4, ve: 3, vv: 2 };

// Counts, and a hash over all answers: two runs that say the same hash have seen the same answers.
export class Tally {
  #hash = createHash("sha256");
  queries = 0;
  different = 0;
  first = null;

  add(kind, options, ours, theirs, size, queries) {
    this.#hash.update(ours);
    this.queries += ours.length / size;
    if (Buffer.compare(ours, theirs) === 0) return;
    for (let i = 0; i < ours.length; i += size)
      if (Buffer.compare(ours.subarray(i, i + size), theirs.subarray(i, i + size)) !== 0) {
        this.different++;
        const per = 6 * points[kind];
        this.first ??= { kind, options, query: Array.from(queries.subarray((i / size) * per, (i / size + 1) * per)) };
      }
  }

  get hash() {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }
}

// Asks both about all of these queries.
export async function compare(toi, native, kind, queries, options, tally) {
  const per = 6 * points[kind];
  for (let from = 0; from < queries.length; from += CHUNK * per) {
    const part = queries.subarray(from, Math.min(queries.length, from + CHUNK * per));
    const count = part.length / per;
    const buffer = toi.queryBuffer(kind, count);
    buffer.queries.set(part);
    const ours = Buffer.from(buffer.batch(options).sent().bytes);
    buffer.free();
    const theirs = await native.batch(kind, part, count, options);
    tally.add(kind, options, ours, theirs.bytes, ours.length / count, part);
  }
}
