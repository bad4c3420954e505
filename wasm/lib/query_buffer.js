// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Queries and their answers in the module's memory, for those who ask again and again: nothing is copied.

import { inputError } from "./error.js";
import { Records } from "./layout.js";
import { withOptions } from "./options.js";

const registry = new FinalizationRegistry(({ instance, taken }) => {
  for (const address of taken) instance.free(address);
});

export class QueryBuffer {
  #instance;
  #kind;
  #per;
  #taken = [];

  constructor(instance, kind, count) {
    this.#instance = instance;
    this.#kind = kind;
    this.#per = 6 * instance.exports.toi_kind_points(kind);
    if (this.#per === 0 || !Number.isInteger(count) || count < 0)
      throw inputError("a buffer is for a number of queries of points");
    this.count = count;
    this.#taken.push(instance.allocate(8 * this.#per * count));
    try {
      this.#taken.push(instance.allocate(instance.layouts.toi_hit.size * count));
    } catch (error) {
      this.free();
      throw error;
    }
    registry.register(this, { instance, taken: this.#taken }, this);
  }

  #address(i) {
    if (this.#taken.length === 0) throw inputError("this buffer was freed");
    return this.#taken[i];
  }

  get queries() {
    return new Float64Array(this.#instance.buffer, this.#address(0), this.#per * this.count);
  }

  batch(options) {
    const instance = this.#instance;
    const [queries, hits] = [this.#address(0), this.#address(1)];
    instance.scope((scope) =>
      withOptions(instance, scope, options, false, (asked) =>
        instance.call("toi_batch", this.#kind, queries, this.count, asked, hits),
      ),
    );
    const bytes = this.count * instance.layouts.toi_hit.size;
    return new Records(instance.layouts, "toi_hit", this.count, () => new DataView(instance.buffer, this.#address(1), bytes));
  }

  free() {
    registry.unregister(this);
    for (const address of this.#taken.splice(0)) this.#instance.free(address);
  }
}
