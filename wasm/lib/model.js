// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Models and cases in the curved module's memory.

import { inputError } from "./error.js";
import { numbers } from "./instance.js";
import { decode, Records } from "./layout.js";
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

const motionFields = ["shift", "spin", "centre", "velocity"];

// Runs work(addresses) with these motions; 0 stands for rest.
export function withMotions(instance, motions, work) {
  const made = [];
  try {
    instance.scope((scope) => {
      for (const motion of motions) made.push(motion ? makeMotion(instance, scope, motion) : 0);
    });
    return work(made);
  } finally {
    for (const address of made) if (address) instance.exports.toi_motion_destroy(address);
  }
}

function makeMotion(instance, scope, motion) {
  for (const name of Object.keys(motion))
    if (!motionFields.includes(name)) throw inputError(`unknown field '${name}' for a motion`);
  const all = motionFields.map((name) => numbers(motion[name] ?? [0, 0, 0], 3, name));
  const given = scope.array(Float64Array.from(all.flatMap((part) => Array.from(part))));
  const made = scope.bytes(4);
  instance.view.setUint32(made, 0, true);
  const status = instance.exports.toi_web_motion(instance.context, given, made);
  const address = instance.view.getUint32(made, true);
  if (status !== 0) instance.exports.toi_motion_destroy(address);
  instance.check(status);
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
    return withMotions(instance, [motion], ([moving]) =>
      sampled(instance, { ...rest, t, detail: detailOf(options) }, (view, made) =>
        instance.exports.toi_web_sample_model(instance.context, model, moving, view, made),
      ),
    );
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
