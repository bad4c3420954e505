// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The curved module as an object. libtoi.d.ts says what each function does.

import { inputError } from "./error.js";
import { fileOf, withFiles } from "./files.js";
import { decode } from "./layout.js";
import { CaseSet, Model, withMotions } from "./model.js";
import { ContactScene, visited } from "./scene.js";
import { withSurfaceOptions } from "./surface_options.js";

// The files of a scene or model: itself, and those that it names, from its folder.
async function filesOf(contents, name, others = {}) {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const place = (other) => (other.startsWith("/") ? other : folder + other);
  return Promise.all([
    fileOf(name, contents),
    ...Object.entries(others).map(([other, bytes]) => fileOf(place(other), bytes)),
  ]);
}

export class Curved {
  #instance;

  constructor(instance) {
    this.#instance = instance;
  }

  // fill(address of the path) while the files are there.
  #reading(files, fill) {
    const instance = this.#instance;
    return instance.scope((scope) => withFiles(instance, scope, files, () => fill(scope.text(files[0].name))));
  }

  readScene(scene, name, files) {
    return this.#readScene("toi_contact_scene_read", scene, name, files);
  }

  readSurfaceScene(scene, name, files) {
    return this.#readScene("toi_surface_scene_read", scene, name, files);
  }

  async #readScene(read, scene, name, files) {
    const instance = this.#instance;
    const given = await filesOf(scene, name, files);
    const address = instance.allocate(instance.layouts.toi_contact_scene.size);
    try {
      this.#reading(given, (path) => instance.call(read, path, address));
    } catch (error) {
      instance.free(address);
      throw error;
    }
    return new ContactScene(instance, address, name, read === "toi_surface_scene_read");
  }

  async contact(scene, files = {}, { name = "scene.json", ...options } = {}) {
    const read = await this.readScene(scene, name, files);
    try {
      return read.contact(options);
    } finally {
      read.free();
    }
  }

  async readCases(bytes, name) {
    const files = await filesOf(bytes, name);
    const instance = this.#instance;
    return new CaseSet(instance, (made) =>
      this.#reading(files, (path) => instance.call("toi_cases_read", path, made)),
    );
  }

  async surface(bytes, name, options) {
    const cases = await this.readCases(bytes, name);
    try {
      return cases.surface(options);
    } finally {
      cases.free();
    }
  }

  async readModel(bytes, name, others) {
    const files = await filesOf(bytes, name, others);
    const instance = this.#instance;
    return new Model(instance, (made) => this.#reading(files, (path) => instance.call("toi_model_read", path, made)));
  }

  model(name) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const text = scope.text(String(name));
      return new Model(instance, (made) => instance.call("toi_model_named", text, made));
    });
  }

  modelNames() {
    return this.#instance.list("toi_model_name");
  }

  // work(options' address, address of the hit)
  #hit(options, work) {
    const instance = this.#instance;
    return withSurfaceOptions(instance, options, (asked, scope) => {
      const hit = scope.struct("toi_surface_hit");
      work(asked, hit, scope);
      return decode(instance.layouts, instance.layouts.toi_surface_hit, instance.view, hit);
    });
  }

  modelPair(a, b, options) {
    const second = b ? b.address : 0;
    return this.#hit(options, (asked, hit) => this.#instance.call("toi_model_pair", a.address, second, asked, hit));
  }

  modelContacts(a, b, options) {
    const instance = this.#instance;
    const second = b ? b.address : 0;
    const { result, records } = visited(instance, "toi_surface_hit", () =>
      this.#hit(options, (asked, hit) => instance.call("toi_web_model_contacts", a.address, second, asked, hit)),
    );
    return { first: result, contacts: records.toArray() };
  }

  rigidPair(a, motionA, b, motionB, options) {
    const instance = this.#instance;
    if (!b) throw inputError("rigidPair takes two models");
    return withMotions(instance, [motionA, motionB], ([ofA, ofB]) =>
      this.#hit(options, (asked, hit) => instance.call("toi_rigid_pair", a.address, ofA, b.address, ofB, asked, hit)),
    );
  }

  surfaceMethods() {
    return this.#instance.list("toi_surface_method_name");
  }

  surfaceMethodPromise(name) {
    return this.#instance.promise("toi_surface_method_promise", name);
  }

  get version() {
    return this.#instance.text(this.#instance.exports.toi_version());
  }

  get memoryBytes() {
    return this.#instance.memoryBytes;
  }
}
