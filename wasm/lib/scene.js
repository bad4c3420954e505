// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A scene of moving surfaces in the curved module's memory.

import { Collector } from "./collector.js";
import { inputError, ToiError } from "./error.js";
import { decode, Records } from "./layout.js";
import { boxAround, detailOf, sampled } from "./sample.js";
import { withContactOptions, withSurfaceOptions } from "./surface_options.js";

const registry = new FinalizationRegistry(({ instance, address }) => freeScene(instance, address));

function freeScene(instance, address) {
  instance.exports.toi_contact_scene_free(instance.context, address);
  instance.free(address);
}

// Keeps what a call visits.
export function visited(instance, type, work) {
  const collector = new Collector(instance, instance.layouts[type].size);
  const result = instance.visiting(collector.visit, work);
  const { view, count } = collector.finish();
  return { result, records: new Records(instance.layouts, type, count, () => view) };
}

export class ContactScene {
  #instance;
  #address;
  #name;
  #patches;
  #onlyModels;

  // The struct at `address` becomes this scene's. Bodies of a scene of models have no shapes.
  constructor(instance, address, name, onlyModels) {
    this.#instance = instance;
    this.#address = address;
    this.#name = name;
    this.#onlyModels = onlyModels;
    registry.register(this, { instance, address }, this);
    const { names, count, title, patches, minSeparation } = this.#decode("toi_contact_scene", address);
    this.#patches = patches;
    this.title = instance.text(title) ?? "";
    this.minSeparation = minSeparation;
    this.bodies = Array.from({ length: count }, (_, i) => this.#body(i, names));
    this.options = withContactOptions(instance, address, {}, (at) => this.#decode("toi_contact_options", at));
  }

  #decode(type, address) {
    return decode(this.#instance.layouts, this.#instance.layouts[type], this.#instance.view, address);
  }

  #body(number, names) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const body = scope.struct("toi_web_body");
      instance.exports.toi_web_scene_body(this.#address, number, body);
      const name = instance.text(instance.view.getUint32(names + 4 * number, true));
      return { name, ...this.#decode("toi_web_body", body) };
    });
  }

  #there() {
    if (this.#address === 0) throw inputError("this scene was freed");
    return this.#address;
  }

  contact({ minSeparation = this.minSeparation, ...options } = {}) {
    const instance = this.#instance;
    const scene = this.#there();
    if (minSeparation > 0 || this.bodies.length === 1 || this.#onlyModels) return this.#askPatches(minSeparation, options);
    return withContactOptions(instance, scene, options, (asked, scope) => {
      const answer = scope.struct("toi_contact_answer");
      const { records } = visited(instance, "toi_contact_point", () =>
        instance.call("toi_web_contact", scene, asked, answer),
      );
      return { ...this.#decode("toi_contact_answer", answer), contacts: records.toArray(), names: this.#names() };
    });
  }

  #names() {
    return this.bodies.map(({ name }) => name);
  }

  // --- what only the solvers of patches answer: a separation, and one body with itself ---

  #checkPatches() {
    const { size } = this.#instance.layouts.toi_scene_patches;
    const refuse = (what) => {
      throw new ToiError("option", `${this.#name}: ${what}`);
    };
    if (this.bodies.length > 2) refuse(`minSeparation is for two bodies, not ${this.bodies.length}; leave it out`);
    for (const [i, { name }] of this.bodies.entries())
      if (this.#patches === 0 || this.#decode("toi_scene_patches", this.#patches + i * size).model === 0)
        refuse(`body '${name}' is not made of patches; leave minSeparation out`);
  }

  #askPatches(minSeparation, options) {
    const instance = this.#instance;
    this.#checkPatches();
    const { tMax, tolerance, simultaneity, spacing, maxBoxes } = { ...this.options, ...options };
    const { progress } = options;
    const asked = { tMax, tolerance, simultaneity, spacing, maxChecks: maxBoxes, minSeparation, progress };
    const began = performance.now();
    return withSurfaceOptions(instance, asked, (at, scope) => {
      const hit = scope.struct("toi_surface_hit");
      const { records } = visited(instance, "toi_surface_hit", () =>
        instance.call("toi_web_scene_ask", this.#address, at, hit),
      );
      return this.#asAnswer(this.#decode("toi_surface_hit", hit), records.toArray(), (performance.now() - began) / 1000);
    });
  }

  #asAnswer(first, listed, seconds) {
    const hits = listed.length > 0 ? listed : first.verdict === "miss" ? [] : [first];
    const self = this.bodies.length === 1;
    return {
      verdict: first.verdict,
      end: first.end === "budget" ? "boxes" : first.end === "memory" ? "memory" : "done",
      tLo: first.tLo,
      tHi: first.tHi,
      tSafe: first.tSafe,
      touchingAtStart: first.touchingAtStart,
      toleranceReached: first.toleranceReached,
      boxes: first.checks,
      pairs: 1,
      culled: 0,
      seconds,
      contacts: hits.map((hit) => ({
        a: 0,
        b: self ? 0 : 1,
        certificate: "singular",
        proved: hit.verdict === "hit",
        tLo: hit.tLo,
        tHi: hit.tHi,
        point: hit.point,
        error: hit.distance,
        normalA: hit.normalA,
        normalB: hit.normalB,
        parametersA: hit.a,
        parametersB: hit.b,
        patchA: hit.patchA,
        patchB: hit.patchB,
      })),
      names: this.#names(),
    };
  }

  // --- for the eye ---

  sample(body, t, options = {}) {
    const instance = this.#instance;
    const scene = this.#there();
    if (!this.bodies[body]) throw inputError(`there is no body ${body}`);
    const detail = detailOf(options, this.bodies[body]);
    return sampled(
      instance,
      { ...options, t, detail },
      (view, made) => instance.exports.toi_web_sample_body(instance.context, scene, body, view, made),
      () => this.#boxOfOthers(body),
    );
  }

  // Around everything that has bounds, at the start and at the end: where a surface without bounds is worth drawing.
  #boxOfOthers(body) {
    const lists = [];
    for (const [i] of this.bodies.entries())
      for (const t of i === body ? [] : [0, this.options.tMax])
        try {
          lists.push(this.sample(i, t, { detail: 6, bounds: [0, 0, 0, 0, 0, 0] }).positions);
        } catch (error) {
          // Another one without bounds.
          if (!(error instanceof ToiError)) throw error;
        }
    return boxAround(lists);
  }

  pose(body, t) {
    const instance = this.#instance;
    const scene = this.#there();
    if (!this.bodies[body]) throw inputError(`there is no body ${body}`);
    return instance.scope((scope) => {
      const pose = scope.bytes(96);
      instance.check(instance.exports.toi_web_body_pose(scene, body, t, pose));
      const found = Array.from(instance.copy(Float64Array, pose, 12));
      return { rotation: found.slice(0, 9), translation: found.slice(9) };
    });
  }

  free() {
    if (this.#address === 0) return;
    registry.unregister(this);
    freeScene(this.#instance, this.#address);
    this.#address = 0;
  }
}
