// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Models and cases in the curved module's memory.

import { inputError } from "./error.js";
import { numbers } from "./instance.js";
import { decode, encode, Records } from "./layout.js";
import { detailOf, sampled } from "./sample.js";
import { withSurfaceOptions } from "./surface_options.js";

const registry = new FinalizationRegistry(({ instance, address, free }) => give(instance, address, free));

function give(instance, address, free) {
  instance.exports[free](instance.context, address);
  instance.free(address);
}

// A struct of the library's that is kept until it is freed: `fill(address)` makes it.
class Kept {
  #free;

  constructor(instance, type, free, fill) {
    this.instance = instance;
    this.#free = free;
    const { size } = instance.layouts[type];
    this.address = instance.allocate(size);
    new Uint8Array(instance.buffer, this.address, size).fill(0);
    try {
      fill(this.address);
    } catch (error) {
      instance.free(this.address);
      throw error;
    }
    registry.register(this, { instance, address: this.address, free }, this);
  }

  get there() {
    if (this.address === 0) throw inputError("this was freed");
    return this.address;
  }

  decode(type, address) {
    return decode(this.instance.layouts, this.instance.layouts[type], this.instance.view, address);
  }

  free() {
    if (this.address === 0) return;
    registry.unregister(this);
    give(this.instance, this.address, this.#free);
    this.address = 0;
  }
}

// Where a rigid motion is wanted: its address, 0 for none.
export function rigidOf(instance, scope, motion) {
  if (!motion) return 0;
  const address = scope.struct("toi_rigid");
  instance.exports.toi_rigid_init(address, instance.layouts.toi_rigid.size);
  encode(instance, instance.layouts.toi_rigid, address, motion, scope);
  return address;
}

export class Model {
  #kept;

  constructor(instance, fill) {
    this.#kept = new Kept(instance, "toi_model", "toi_model_free", fill);
    this.patchCount = this.#kept.decode("toi_model", this.#kept.address).patchCount;
  }

  get address() {
    return this.#kept.there;
  }

  moved(shift, velocity) {
    const instance = this.#kept.instance;
    return instance.scope((scope) => {
      const by = scope.array(numbers(shift, 3, "shift"));
      const with_ = velocity ? scope.array(numbers(velocity, 3, "velocity")) : 0;
      return new Model(instance, (made) => instance.call("toi_model_moved", this.address, by, with_, made));
    });
  }

  sample(t, options = {}) {
    const instance = this.#kept.instance;
    const model = this.address;
    const { motion, ...rest } = options;
    return instance.scope((scope) => {
      const rigid = rigidOf(instance, scope, motion);
      return sampled(instance, { ...rest, t, detail: detailOf(options) }, (view, made) =>
        instance.exports.toi_web_sample_model(instance.context, model, rigid, view, made),
      );
    });
  }

  free() {
    this.#kept.free();
  }
}

export class CaseSet {
  #kept;
  #cases;

  constructor(instance, fill) {
    this.#kept = new Kept(instance, "toi_case_set", "toi_cases_free", fill);
    const { cases, count } = this.#kept.decode("toi_case_set", this.#kept.address);
    this.#cases = cases;
    this.count = count;
  }

  #case(number) {
    if (!(number >= 0 && number < this.count)) throw inputError(`there is no case ${number}`);
    const instance = this.#kept.instance;
    return this.#kept.decode("toi_patch_case", instance.exports.toi_web_case(this.#kept.there, number));
  }

  tMax(number) {
    return this.#case(number).tMax;
  }

  surface(options) {
    const instance = this.#kept.instance;
    void this.#kept.there;
    return withSurfaceOptions(instance, options, (asked, scope) => {
      const bytes = this.count * instance.layouts.toi_surface_hit.size;
      const hits = scope.bytes(bytes);
      instance.call("toi_patch_batch", this.#cases, this.count, asked, hits);
      const view = new DataView(instance.copy(Uint8Array, hits, bytes).buffer);
      return new Records(instance.layouts, "toi_surface_hit", this.count, () => view);
    });
  }

  one(number, options) {
    const instance = this.#kept.instance;
    const { a, b, tMax } = this.#case(number);
    return withSurfaceOptions(instance, { tMax, ...options }, (asked, scope) => {
      const hit = scope.struct("toi_surface_hit");
      instance.call("toi_patch_pair", a, b, asked, hit);
      return this.#kept.decode("toi_surface_hit", hit);
    });
  }

  sample(number, which, t, options = {}) {
    if (which !== "a" && which !== "b") throw inputError(`a case has the patches a and b, not ${which}`);
    this.#case(number);
    const instance = this.#kept.instance;
    return sampled(instance, { ...options, t, detail: detailOf(options) }, (view, made) =>
      instance.exports.toi_web_sample_case(instance.context, this.#kept.there, number, which === "b" ? 1 : 0, view, made),
    );
  }

  free() {
    this.#kept.free();
  }
}
