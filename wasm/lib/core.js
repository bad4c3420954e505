// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The core module as an object: queries, meshes and their readers. libtoi.d.ts says what each function does.

import { inputError } from "./error.js";
import { fileOf, withFiles } from "./files.js";
import { numbers } from "./instance.js";
import { decode, encode, Records } from "./layout.js";
import { Mesh, meshEdges, withMesh } from "./mesh.js";
import { enums, kindNumber, kinds, levels } from "./names.js";
import { defaultOptions, emptyCounters, withOptions } from "./options.js";
import { Collector } from "./collector.js";
import { QueryBuffer } from "./query_buffer.js";

const INFINITE_TIMES = 0xffffffff;
// Hits that one call lists.
const LIST_ROOM = 1 << 16;

export class Toi {
  #instance;

  constructor(instance) {
    this.#instance = instance;
  }

  // --- two primitives ---

  vertexFace(start, end, options) {
    return this.query("vertex-face", start, end, options);
  }

  edgeEdge(start, end, options) {
    return this.query("edge-edge", start, end, options);
  }

  vertexEdge(start, end, options) {
    return this.query("vertex-edge", start, end, options);
  }

  vertexVertex(start, end, options) {
    return this.query("vertex-vertex", start, end, options);
  }

  // Start and end, one behind the other: what a batch of one takes.
  #putQuery(scope, number, start, end) {
    const count = 3 * this.#instance.exports.toi_kind_points(number);
    if (count === 0) throw inputError(`${kinds[number]} is no query of points alone`);
    const both = new Float64Array(2 * count);
    both.set(numbers(start, count, "start"));
    both.set(numbers(end, count, "end"), count);
    return { start: scope.array(both), bytes: 8 * count };
  }

  query(kind, start, end, options) {
    const instance = this.#instance;
    const number = kindNumber(kind);
    return instance.scope((scope) => {
      const query = this.#putQuery(scope, number, start, end);
      const hit = scope.struct("toi_hit");
      return withOptions(instance, scope, options, false, (asked) => {
        const status = instance.exports.toi_query(number, query.start, query.start + query.bytes, asked, hit);
        // A single query has no context to say what was wrong; a batch of one has.
        if (status !== 0) instance.call("toi_batch", number, query.start, 1, asked, hit);
        return decode(instance.layouts, instance.layouts.toi_hit, instance.view, hit);
      });
    });
  }

  vertexHalfSpace(start, end, halfSpace, options) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const from = scope.array(numbers(start, 3, "start"));
      const to = scope.array(numbers(end, 3, "end"));
      const plane = scope.array(numbers(halfSpace, 4, "halfSpace"));
      const hit = scope.struct("toi_hit");
      return withOptions(instance, scope, options, false, (asked) => {
        instance.check(instance.exports.toi_vertex_half_space(from, to, plane, asked, hit));
        return decode(instance.layouts, instance.layouts.toi_hit, instance.view, hit);
      });
    });
  }

  // The number of a kind, and how many of such queries there are.
  #countQueries(kind, queries) {
    const number = kindNumber(kind);
    const per = 6 * this.#instance.exports.toi_kind_points(number);
    if (!(queries instanceof Float64Array) || per === 0 || queries.length % per !== 0)
      throw inputError(`queries are a Float64Array of ${per} numbers each`);
    return { number, per, count: queries.length / per };
  }

  batch(kind, queries, options) {
    const instance = this.#instance;
    const { number, count } = this.#countQueries(kind, queries);
    return this.#hits(count, options, (scope) => {
      const address = scope.array(queries);
      return (asked, hits) => instance.call("toi_batch", number, address, count, asked, hits);
    });
  }

  batchIndexed(kind, mesh, pairs, options) {
    const instance = this.#instance;
    const number = kindNumber(kind);
    const count = countPairs(pairs);
    return withMesh(instance, mesh, ({ address: on }) =>
      this.#hits(count, options, (scope) => {
        const address = scope.array(pairs);
        return (asked, hits) => instance.call("toi_batch_indexed", number, on, address, count, asked, hits);
      }),
    );
  }

  batchHits(kind, queries, options) {
    const instance = this.#instance;
    const { number, per, count } = this.#countQueries(kind, queries);
    return this.#hitList(count, options, (scope) => {
      const address = scope.array(queries);
      return (from, asked, list) =>
        instance.call("toi_batch_hits", number, address + 8 * per * from, count - from, asked, list);
    });
  }

  batchIndexedHits(kind, mesh, pairs, options) {
    const instance = this.#instance;
    const number = kindNumber(kind);
    const count = countPairs(pairs);
    return withMesh(instance, mesh, ({ address: on }) =>
      this.#hitList(count, options, (scope) => {
        const address = scope.array(pairs);
        return (from, asked, list) =>
          instance.call("toi_batch_indexed_hits", number, on, address + 8 * from, count - from, asked, list);
      }),
    );
  }

  // Calls until all are answered; each call begins where the one before ran out of room.
  #hitList(count, options, prepare) {
    const instance = this.#instance;
    const { size } = instance.layouts.toi_hit;
    const collector = new Collector(instance, size);
    const numbers = [];
    instance.scope((scope) => {
      const call = prepare(scope);
      const room = Math.min(Math.max(count, 1), LIST_ROOM);
      const list = scope.struct("toi_hit_list");
      const given = { hits: scope.bytes(room * size), numbers: scope.bytes(4 * room), room };
      withOptions(instance, scope, options, false, (asked) => {
        for (let from = 0; from < count; ) {
          encode(instance, instance.layouts.toi_hit_list, list, given, scope);
          call(from, asked, list);
          const found = decode(instance.layouts, instance.layouts.toi_hit_list, instance.view, list);
          collector.visit(given.hits, found.count);
          for (const number of instance.copy(Uint32Array, given.numbers, found.count)) numbers.push(from + number);
          from += found.answered;
        }
      });
    });
    const { view, count: listed } = collector.finish();
    return { numbers: Uint32Array.from(numbers), hits: new Records(instance.layouts, "toi_hit", listed, () => view) };
  }

  // Room for `count` hits, what fills it, and a copy of it.
  #hits(count, options, prepare) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const call = prepare(scope);
      const bytes = count * instance.layouts.toi_hit.size;
      const hits = scope.bytes(bytes);
      return withOptions(instance, scope, options, false, (asked) => {
        call(asked, hits);
        const view = new DataView(instance.copy(Uint8Array, hits, bytes).buffer);
        return new Records(instance.layouts, "toi_hit", count, () => view);
      });
    });
  }

  queryBuffer(kind, count) {
    return new QueryBuffer(this.#instance, kindNumber(kind), count);
  }

  explain(kind, start, end, options) {
    const instance = this.#instance;
    const number = kindNumber(kind);
    return instance.scope((scope) => {
      const query = this.#putQuery(scope, number, start, end);
      const answer = scope.struct("toi_explanation");
      const hit = scope.struct("toi_hit");
      return withOptions(instance, scope, options, false, (asked) => {
        const status = instance.exports.toi_explain(number, query.start, query.start + query.bytes, asked, answer);
        // As for query().
        if (status !== 0) instance.call("toi_batch", number, query.start, 1, asked, hit);
        instance.check(status);
        return explained(decode(instance.layouts, instance.layouts.toi_explanation, instance.view, answer));
      });
    });
  }

  prove(kind, start, end, { certificate = true, ...options } = {}) {
    const instance = this.#instance;
    const number = kindNumber(kind);
    return instance.scope((scope) => {
      const query = this.#putQuery(scope, number, start, end);
      const made = scope.bytes(4);
      return withOptions(instance, scope, options, false, (asked) => {
        instance.call("toi_prove", number, query.start, query.start + query.bytes, asked, certificate ? 1 : 0, made);
        const address = instance.view.getUint32(made, true);
        try {
          return this.#proof(decode(instance.layouts, instance.layouts.toi_proof, instance.view, address));
        } finally {
          instance.exports.toi_proof_free(instance.context, address);
        }
      });
    });
  }

  #proof({ hit, contactTimes, polynomial, lo, hi, certificate }) {
    const text = (address) => this.#instance.text(address) ?? "";
    return {
      hit,
      contactTimes: contactTimes === INFINITE_TIMES ? Infinity : contactTimes,
      polynomial: text(polynomial).split(" ").filter(Boolean).map(BigInt),
      lo: text(lo),
      hi: text(hi),
      certificate: text(certificate),
    };
  }

  distanceFast(kind, points, norm = "l2") {
    const instance = this.#instance;
    const number = kindNumber(kind);
    const normNumber = enums.norm.indexOf(norm);
    if (normNumber < 0) throw inputError(`norm is l2 or linf, not ${norm}`);
    return instance.scope((scope) => {
      const at = scope.array(numbers(points, 3 * instance.exports.toi_kind_points(number), "points"));
      const distance = scope.struct("toi_distance");
      instance.check(instance.exports.toi_distance_fast(number, at, normNumber, distance));
      return decode(instance.layouts, instance.layouts.toi_distance, instance.view, distance);
    });
  }

  // --- whole meshes ---

  mesh(data) {
    return new Mesh(this.#instance, data);
  }

  meshEdges(faces, loose = new Uint32Array(0)) {
    return meshEdges(this.#instance, Uint32Array.from(faces), Uint32Array.from(loose));
  }

  meshCheck(mesh) {
    withMesh(this.#instance, mesh, ({ address }) => this.#instance.call("toi_mesh_check", address));
  }

  // work(scope, mesh, options' address)
  #onMesh(mesh, options, work) {
    const instance = this.#instance;
    return withMesh(instance, mesh, (given) =>
      instance.scope((scope) => withOptions(instance, scope, options, true, (asked) => work(scope, given, asked))),
    );
  }

  // A call that fills in one struct.
  #answer(name, type, mesh, options) {
    const instance = this.#instance;
    return this.#onMesh(mesh, options, (scope, { address }, asked) => {
      const answer = scope.struct(type);
      instance.call(name, address, asked, answer);
      return decode(instance.layouts, instance.layouts[type], instance.view, answer);
    });
  }

  // A call that visits structs.
  #collected(type, mesh, options, work) {
    const instance = this.#instance;
    const collector = new Collector(instance, instance.layouts[type].size);
    this.#onMesh(mesh, options, (scope, given, asked) =>
      instance.visiting(collector.visit, () => work(given.address, asked)),
    );
    const { view, count } = collector.finish();
    return new Records(instance.layouts, type, count, () => view);
  }

  step(mesh, options) {
    return noMiss(this.#answer("toi_step", "toi_impact", mesh, options));
  }

  collisions(mesh, options) {
    return this.#collected("toi_collision", mesh, options, (at, asked) =>
      this.#instance.call("toi_web_collisions", at, asked),
    );
  }

  proximity(mesh, distance, options) {
    return this.#collected("toi_proximal", mesh, options, (at, asked) =>
      this.#instance.call("toi_web_proximity", at, distance, asked),
    );
  }

  crossings(mesh, options) {
    return this.#collected("toi_crossing", mesh, options, (at, asked) =>
      this.#instance.call("toi_web_crossings", at, asked),
    );
  }

  intersects(mesh, options) {
    return this.#answer("toi_mesh_intersects", "toi_intersection", mesh, options);
  }

  candidates(mesh, options) {
    const instance = this.#instance;
    const found = new Map();
    const visit = (at, count, kind) => {
      if (!found.has(kind)) found.set(kind, new Collector(instance, 8));
      return found.get(kind).visit(at, count);
    };
    this.#onMesh(mesh, options, (scope, { address }, asked) =>
      instance.visiting(visit, () => instance.call("toi_web_candidates", address, asked)),
    );
    return Object.fromEntries([...found].sort(([a], [b]) => a - b).map(([kind, pairs]) => [kinds[kind], pairs.sortedPairs()]));
  }

  lineSearch(mesh, options) {
    const instance = this.#instance;
    return this.#onMesh(mesh, options, (scope, given, asked) => {
      const length = 3 * given.vertexCount;
      const positions = scope.bytes(length * given.Scalar.BYTES_PER_ELEMENT);
      const advance = scope.struct("toi_advance");
      instance.call("toi_line_search", given.address, asked, positions, advance);
      const answer = decode(instance.layouts, instance.layouts.toi_advance, instance.view, advance);
      return { ...answer, first: noMiss(answer.first), positions: instance.copy(given.Scalar, positions, length) };
    });
  }

  safeDisplacements(mesh, minDistance, radius, options) {
    const instance = this.#instance;
    return this.#onMesh(mesh, options, (scope, { address, vertexCount }, asked) => {
      const displacements = scope.bytes(8 * vertexCount);
      instance.call("toi_safe_displacements", address, minDistance, radius, asked, displacements);
      return instance.copy(Float64Array, displacements, vertexCount);
    });
  }

  // --- files from memory ---

  // Reads one file into a struct, takes what it points to, and frees it.
  #read(file, type, read, free, take) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const made = scope.struct(type);
      return withFiles(instance, scope, [file], () => {
        instance.call(read, scope.text(file.name), made);
        try {
          return take(decode(instance.layouts, instance.layouts[type], instance.view, made));
        } finally {
          instance.exports[free](instance.context, made);
        }
      });
    });
  }

  #takeFrame(frame) {
    const instance = this.#instance;
    const Scalar = frame.scalar === 1 ? Float32Array : Float64Array;
    return {
      vertices: instance.copy(Scalar, frame.vertices, 3 * frame.vertexCount),
      faces: instance.copy(Uint32Array, frame.faces, 3 * frame.faceCount),
      loose: instance.copy(Uint32Array, frame.loose, 2 * frame.looseCount),
    };
  }

  async readFrame(bytes, name) {
    return this.#read(await fileOf(name, bytes), "toi_frame", "toi_frame_read", "toi_frame_free", (frame) =>
      this.#takeFrame(frame),
    );
  }

  async readMesh(bytes, name, attributes = {}) {
    const { vertices, faces, loose } = await this.readFrame(bytes, name);
    return this.mesh({ start: vertices, faces, loose, ...attributes });
  }

  async readStep(start, startName, end, endName, attributes = {}) {
    const [from, to] = [await fileOf(startName, start), await fileOf(endName, end)];
    const data = this.#readBoth(from, to);
    return this.mesh({ ...data, ...attributes });
  }

  // Both frames are kept until the library has compared them.
  #readBoth(from, to) {
    const instance = this.#instance;
    return instance.scope((scope) => {
      const made = [scope.struct("toi_frame"), scope.struct("toi_frame")];
      const paths = [scope.text(from.name), scope.text(to.name)];
      try {
        [from, to].forEach((file, i) =>
          withFiles(instance, scope, [file], () => instance.call("toi_frame_read", paths[i], made[i])),
        );
        instance.call("toi_frames_match", made[0], paths[0], made[1], paths[1]);
        const [first, second] = made.map((at) =>
          this.#takeFrame(decode(instance.layouts, instance.layouts.toi_frame, instance.view, at)),
        );
        return { start: first.vertices, end: second.vertices, faces: first.faces, loose: first.loose };
      } finally {
        for (const at of made) instance.exports.toi_frame_free(instance.context, at);
      }
    });
  }

  async readQueries(bytes, name) {
    const instance = this.#instance;
    const file = await fileOf(name, bytes);
    return this.#read(file, "toi_query_set", "toi_queries_read", "toi_queries_free", ({ queries, truth, count }) => ({
      queries: instance.copy(Float64Array, queries, 24 * count),
      truth: truth === 0 ? null : instance.copy(Uint8Array, truth, count),
      count,
    }));
  }

  async readTruth(bytes, name) {
    const instance = this.#instance;
    const file = await fileOf(name, bytes);
    const column = (address, count) => (address === 0 ? null : instance.copy(Float64Array, address, count));
    return this.#read(file, "toi_truth", "toi_truth_read", "toi_truth_free", ({ hit, tLo, tHi, count }) => ({
      hit: instance.copy(Uint8Array, hit, count),
      tLo: column(tLo, count),
      tHi: column(tHi, count),
      count,
    }));
  }

  // --- names ---

  get version() {
    return this.#instance.text(this.#instance.exports.toi_version());
  }

  get memoryBytes() {
    return this.#instance.memoryBytes;
  }

  methods() {
    return this.#instance.list("toi_method_name");
  }

  methodPromise(name) {
    return this.#instance.promise("toi_method_promise", name);
  }

  broads() {
    return this.#instance.list("toi_broad_name");
  }

  broadPromise(name) {
    return this.#instance.promise("toi_broad_promise", name);
  }

  kindPoints(kind) {
    return this.#instance.exports.toi_kind_points(kindNumber(kind));
  }

  counters() {
    return emptyCounters();
  }

  defaults() {
    return defaultOptions(this.#instance);
  }
}

function countPairs(pairs) {
  if (!(pairs instanceof Uint32Array) || pairs.length % 2 !== 0)
    throw inputError("pairs are a Uint32Array of two numbers each");
  return pairs.length / 2;
}

// Only what was used, and outcomes by the names of levels.
function explained({ pieces, roots, rootCount, outcomes, ...rest }) {
  return {
    ...rest,
    pieces: pieces.filter(({ used }) => used).map(({ used, ...piece }) => piece),
    roots: roots.slice(0, rootCount),
    outcomes: Object.fromEntries(levels.map((name, i) => [name, outcomes[i]])),
  };
}

// Of a miss there is no pair.
function noMiss(impact) {
  return impact.hit.verdict === "miss" ? { ...impact, kind: null, first: null, second: null } : impact;
}
