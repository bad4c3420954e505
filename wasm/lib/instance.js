// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A module with its memory, one context of the library, and the functions that it calls.
//
// Promise: memory that a call takes is given back, whatever happens; what a function of the caller throws is thrown by
// the call, after the library has ended it.

import { CALLBACK, inputError, statuses, ToiError } from "./error.js";
import { encode, readLayouts } from "./layout.js";

const PAGE = 65536;
// As the modules are linked: CMakeLists.txt.
const INITIAL_PAGES = 64;
const MOST_PAGES = 65536;

// --- finding the module ---

async function bytesOf(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (typeof source === "string") source = new URL(source, globalThis.location?.href);
  if (source instanceof URL) {
    if (source.protocol === "file:" && globalThis.process?.versions?.node) {
      // Named by a variable, so that bundlers for the web leave it alone.
      const files = "node:fs/promises";
      return (await import(files)).readFile(source);
    }
    source = fetch(source);
  }
  const response = await source;
  if (!response.ok) throw new ToiError("file", `${response.url}: cannot be fetched: ${response.status}`);
  return response.arrayBuffer();
}

export async function compile(source) {
  return source instanceof WebAssembly.Module ? source : WebAssembly.compile(await bytesOf(source));
}

// --- the instance ---

export class Instance {
  // source: as ModuleSource in libtoi.d.ts.
  static async create(source, { memoryBudget = 0, memoryMaximum = MOST_PAGES * PAGE } = {}) {
    const maximum = Math.min(MOST_PAGES, Math.max(INITIAL_PAGES, Math.floor(memoryMaximum / PAGE)));
    const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
    const instance = new Instance(memory);
    const made = await WebAssembly.instantiate(await compile(source), instance.#imports());
    instance.#begin(made.exports, memoryBudget);
    return instance;
  }

  #memory;
  #view;
  #thrown = null;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  constructor(memory) {
    this.#memory = memory;
    this.#view = new DataView(memory.buffer);
    // Of the call under way.
    this.visitor = null;
    this.progress = null;
    this.mayCollide = null;
  }

  #imports() {
    const guarded = (call, otherwise) => (...args) => {
      try {
        return call(...args);
      } catch (thrown) {
        this.#thrown ??= thrown;
        return otherwise;
      }
    };
    return {
      env: { memory: this.#memory },
      host: {
        visit: guarded((at, count, of) => this.visitor(at, count, of) ?? 0, CALLBACK),
        progress: guarded((done) => (this.progress(done) === false ? 0 : 1), 0),
        // Where the function fails nothing may be left out.
        mayCollide: guarded((kind, first, second) => (this.mayCollide(kind, first >>> 0, second >>> 0) ? 1 : 0), 1),
        now: () => performance.now(),
      },
    };
  }

  #begin(exports, memoryBudget) {
    this.exports = exports;
    this.layouts = readLayouts(this);
    this.scope((scope) => {
      const layout = this.layouts.toi_context_options;
      const options = scope.struct("toi_context_options");
      exports.toi_context_options_init(options, layout.size);
      encode(this, layout, options, { threads: 1, memoryBudget }, scope);
      const made = scope.bytes(4);
      this.check(exports.toi_context_create(options, made));
      this.context = this.view.getUint32(made, true);
    });
  }

  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  // The memory; ask again after every call, which may have made it grow.
  get view() {
    if (this.#view.buffer !== this.#memory.buffer) this.#view = new DataView(this.#memory.buffer);
    return this.#view;
  }

  get buffer() {
    return this.#memory.buffer;
  }

  // --- memory ---

  allocate(bytes) {
    const address = bytes < 2 ** 32 ? this.exports.malloc(Math.max(1, bytes)) >>> 0 : 0;
    if (address === 0) throw new ToiError("memory", `out of memory: the allocator refused ${bytes} bytes`);
    return address;
  }

  free(address) {
    this.exports.free(address);
  }

  // Where a call allocates: all of it is freed when `work` ends.
  scope(work) {
    const taken = [];
    const bytes = (count) => {
      const address = this.allocate(count);
      taken.push(address);
      return address;
    };
    const scope = {
      bytes,
      // Zeroes, as long as that struct.
      struct: (name) => {
        const { size } = this.layouts[name];
        const address = bytes(size);
        new Uint8Array(this.buffer, address, size).fill(0);
        return address;
      },
      // A copy of a typed array.
      array: (array) => {
        const address = bytes(array.byteLength);
        this.put(address, array);
        return address;
      },
      text: (text) => {
        const encoded = this.#encoder.encode(text);
        const address = bytes(encoded.length + 1);
        this.put(address, encoded);
        this.view.setUint8(address + encoded.length, 0);
        return address;
      },
    };
    try {
      return work(scope);
    } finally {
      for (const address of taken) this.free(address);
    }
  }

  put(address, array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(this.buffer, address, bytes.length).set(bytes);
  }

  // A copy of `count` elements of a typed array's class.
  copy(Type, address, count) {
    try {
      return new Type(this.buffer, address, count).slice();
    } catch (error) {
      if (error instanceof RangeError) throw new ToiError("memory", `out of memory: no room for ${count} numbers`);
      throw error;
    }
  }

  text(address) {
    if (address === 0) return null;
    const bytes = new Uint8Array(this.buffer, address);
    return this.#decoder.decode(bytes.subarray(0, bytes.indexOf(0)).slice());
  }

  // --- calls ---

  // What a function of the caller threw, or an error if the status is none of success.
  check(status) {
    const thrown = this.#thrown;
    this.#thrown = null;
    if (thrown) throw thrown;
    if (status === 0) return;
    const sentence = this.context ? this.text(this.exports.toi_context_error(this.context)) : "";
    throw new ToiError(statuses[status] ?? "input", sentence || this.text(this.exports.toi_status_text(status)));
  }

  // A function of the module by its name, with the context first.
  call(name, ...args) {
    this.check(this.exports[name](this.context, ...args));
  }

  // The names that a function gives by number, up to the first that is none.
  list(name) {
    const names = [];
    for (let text; (text = this.text(this.exports[name](names.length))) !== null; ) names.push(text);
    return names;
  }

  // A sentence about something by its name; null if there is no such thing.
  promise(name, about) {
    return this.scope((scope) => this.text(this.exports[name](scope.text(String(about)))));
  }

  // A call whose answers are visited: `visit(address, count, of)` is called for each piece.
  visiting(visit, work) {
    this.visitor = visit;
    try {
      return work();
    } finally {
      this.visitor = null;
    }
  }
}

// A Float64Array of so many numbers; `what` is the name for the error.
export function numbers(values, count, what) {
  if (values === undefined || values === null || values.length !== count)
    throw inputError(`${what} has ${count} numbers, not ${values?.length ?? "none"}`);
  return values instanceof Float64Array ? values : Float64Array.from(values);
}
