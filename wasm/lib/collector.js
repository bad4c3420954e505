// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Answers that come piece by piece, in one block that grows.

import { ToiError } from "./error.js";

export class Collector {
  #instance;
  #size;
  #bytes = new Uint8Array(0);
  #used = 0;

  constructor(instance, size) {
    this.#instance = instance;
    this.#size = size;
    this.visit = (at, count) => this.#take(at >>> 0, (count >>> 0) * this.#size);
  }

  #take(at, bytes) {
    if (this.#used + bytes > this.#bytes.length) this.#grow(this.#used + bytes);
    this.#bytes.set(new Uint8Array(this.#instance.buffer, at, bytes), this.#used);
    this.#used += bytes;
    return 0;
  }

  #grow(needed) {
    try {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length, 4096));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    } catch (error) {
      if (error instanceof RangeError) throw new ToiError("memory", `out of memory: no room for ${needed} bytes of answers`);
      throw error;
    }
  }

  finish() {
    return { view: new DataView(this.#bytes.buffer, 0, this.#used), count: this.#used / this.#size };
  }

  // Pairs of numbers, ordered by the first, then by the second.
  sortedPairs() {
    const pairs = new Uint32Array(this.#bytes.buffer, 0, this.#used / 4);
    swap(pairs);
    new BigUint64Array(this.#bytes.buffer, 0, this.#used / 8).sort();
    swap(pairs);
    return pairs.slice();
  }
}

// The first number becomes the upper half of a word of 64 bits, and back.
function swap(pairs) {
  for (let i = 0; i < pairs.length; i += 2) {
    const first = pairs[i];
    pairs[i] = pairs[i + 1];
    pairs[i + 1] = first;
  }
}
