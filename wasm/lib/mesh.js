// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A mesh in the module's memory: the arrays of toi_mesh, and the struct that names them.

import { inputError } from "./error.js";
import { encode } from "./layout.js";

const registry = new FinalizationRegistry(({ instance, taken }) => {
  for (const address of taken) instance.free(address);
});

const known = [
  "start", "end", "faces", "edges", "loose", "bodies", "fixed", "thickness", "bodyThickness", "skipped", "bodyPairs",
  "halfSpaces",
];

function typed(Type, values, per, what) {
  if (values === undefined || values === null) return new Type(0);
  const array = values instanceof Type ? values : Type.from(values);
  if (array.length % per !== 0) throw inputError(`${what} has ${per} numbers each; ${array.length} are no multiple`);
  return array;
}

function positions(values, what) {
  if (!values || typeof values.length !== "number") throw inputError(`a mesh needs ${what}: three numbers per vertex`);
  const array = values instanceof Float32Array ? values : values instanceof Float64Array ? values : Float64Array.from(values);
  if (array.length % 3 !== 0) throw inputError(`${what} has three numbers per vertex; ${array.length} are no multiple`);
  return array;
}

// A set of numbers below `count`, 64 to a word.
function bitSet(numbers, count) {
  const bits = new Uint32Array(2 * Math.ceil(count / 64));
  for (const number of numbers) {
    if (!(number >= 0 && number < count)) throw inputError(`number ${number} is not below ${count}`);
    bits[number >>> 5] |= 1 << (number & 31);
  }
  return bits;
}

function bodyPairBits(pairs, bodies) {
  const bits = [];
  for (let k = 0; k < pairs.length; k += 2) {
    const [i, j] = [Math.min(pairs[k], pairs[k + 1]), Math.max(pairs[k], pairs[k + 1])];
    if (!(i >= 0 && j < bodies)) throw inputError(`bodyPairs: there is no body ${j}`);
    bits.push(i * bodies + j);
  }
  return bitSet(bits, bodies * bodies);
}

export class Mesh {
  #instance;
  #taken = [];
  #at = {};
  #Scalar;

  constructor(instance, data) {
    this.#instance = instance;
    for (const name of Object.keys(data))
      if (!known.includes(name)) throw inputError(`unknown field '${name}' for a mesh`);
    try {
      this.#fill(data);
    } catch (error) {
      this.#giveBack();
      throw error;
    }
    registry.register(this, { instance, taken: this.#taken }, this);
  }

  #keep(name, array) {
    const address = this.#instance.allocate(array.byteLength);
    this.#taken.push(address);
    this.#instance.put(address, array);
    this.#at[name] = { address, length: array.length, Type: array.constructor };
    return address;
  }

  #fill(data) {
    const start = positions(data.start, "start");
    const end = data.end === undefined || data.end === null ? null : positions(data.end, "end");
    if (end && end.constructor !== start.constructor) throw inputError("start and end are of the same type");
    if (end && end.length !== start.length)
      throw inputError(`start has ${start.length / 3} vertices, end has ${end.length / 3}; give the same number`);
    const faces = typed(Uint32Array, data.faces, 3, "faces");
    this.#Scalar = start.constructor;
    this.vertexCount = start.length / 3;
    this.faceCount = faces.length / 3;

    const fields = { vertexCount: this.vertexCount, faceCount: this.faceCount };
    fields.scalar = start instanceof Float32Array ? 1 : 0;
    fields.start = this.#keep("start", start);
    if (end) fields.end = this.#keep("end", end);
    fields.faces = this.#keep("faces", faces);
    fields.edges = this.#takeEdges(data, faces);
    fields.edgeCount = this.edgeCount;
    this.#takeAttributes(data, fields);

    const instance = this.#instance;
    const { size } = instance.layouts.toi_mesh;
    this.address = instance.allocate(size);
    this.#taken.push(this.address);
    instance.exports.toi_mesh_init(this.address, size);
    encode(instance, instance.layouts.toi_mesh, this.address, fields, null);
  }

  #takeEdges(data, faces) {
    const edges = data.edges
      ? typed(Uint32Array, data.edges, 2, "edges")
      : meshEdges(this.#instance, faces, typed(Uint32Array, data.loose, 2, "loose"));
    this.edgeCount = edges.length / 2;
    return this.#keep("edges", edges);
  }

  #takeAttributes(data, fields) {
    const perVertex = { bodies: Uint32Array, fixed: Uint8Array, thickness: Float64Array };
    for (const [name, Type] of Object.entries(perVertex)) {
      if (data[name] === undefined) continue;
      const array = typed(Type, data[name], 1, name);
      if (array.length !== this.vertexCount)
        throw inputError(`${name} has one number per vertex: ${this.vertexCount}, not ${array.length}`);
      fields[name] = this.#keep(name, array);
    }
    if (data.bodyThickness !== undefined) {
      const array = typed(Float64Array, data.bodyThickness, 1, "bodyThickness");
      fields.bodyThickness = this.#keep("bodyThickness", array);
      fields.bodyCount = array.length;
    }
    if (data.bodyPairs !== undefined) {
      const pairs = typed(Uint32Array, data.bodyPairs, 2, "bodyPairs");
      const named = typed(Uint32Array, data.bodies, 1, "bodies").reduce((a, b) => (b === 0xffffffff || b < a ? a : b + 1), 0);
      fields.bodyCount ??= pairs.reduce((a, b) => Math.max(a, b + 1), named);
      fields.bodyPairs = this.#keep("bodyPairs", bodyPairBits(pairs, fields.bodyCount));
    }
    if (data.skipped !== undefined) fields.skipped = this.#keep("skipped", bitSet(data.skipped, this.vertexCount));
    if (data.halfSpaces !== undefined) {
      const array = typed(Float64Array, data.halfSpaces, 4, "halfSpaces");
      fields.halfSpaces = this.#keep("halfSpaces", array);
      fields.halfSpaceCount = array.length / 4;
    }
  }

  #copy(name) {
    if (this.#taken.length === 0) throw inputError("this mesh was freed");
    const kept = this.#at[name];
    return kept ? this.#instance.copy(kept.Type, kept.address, kept.length) : null;
  }

  get start() {
    return this.#copy("start");
  }

  get end() {
    return this.#copy("end");
  }

  get faces() {
    return this.#copy("faces");
  }

  get edges() {
    return this.#copy("edges");
  }

  move(moved) {
    for (const name of Object.keys(moved)) {
      const kept = this.#at[name];
      if (!kept || (name !== "start" && name !== "end")) throw inputError(`this mesh has no ${name}`);
      const array = positions(moved[name], name);
      if (array.length !== kept.length || array.constructor !== kept.Type)
        throw inputError(`${name} has ${kept.length} numbers of a ${kept.Type.name}, as before`);
      this.#instance.put(kept.address, array);
    }
  }

  moveVertex(vertex, at, point) {
    const kept = this.#at[at];
    if (!kept || (at !== "start" && at !== "end")) throw inputError(`this mesh has no ${at}`);
    if (!(vertex >= 0 && vertex < this.vertexCount)) throw inputError(`there is no vertex ${vertex}`);
    if (point.length !== 3) throw inputError("a point has three numbers");
    this.#instance.put(kept.address + 3 * vertex * kept.Type.BYTES_PER_ELEMENT, kept.Type.from(point));
  }

  // A new array as long as the positions, of their type.
  get Scalar() {
    return this.#Scalar;
  }

  #giveBack() {
    for (const address of this.#taken.splice(0)) this.#instance.free(address);
    this.#at = {};
  }

  free() {
    registry.unregister(this);
    this.#giveBack();
    this.address = 0;
  }
}

// The unique edges of faces and loose edges, as toi_mesh_edges() numbers them.
export function meshEdges(instance, faces, loose) {
  return instance.scope((scope) => {
    const made = scope.bytes(8);
    const [faceArray, looseArray] = [scope.array(faces), scope.array(loose)];
    instance.call("toi_mesh_edges", faceArray, faces.length / 3, looseArray, loose.length / 2, made, made + 4);
    const [address, count] = [instance.view.getUint32(made, true), instance.view.getUint32(made + 4, true)];
    try {
      return instance.copy(Uint32Array, address, 2 * count);
    } finally {
      instance.exports.toi_mesh_edges_free(instance.context, address, count);
    }
  });
}

// Runs work(mesh) with a mesh as it is, or with one made of a description for this call.
export function withMesh(instance, mesh, work) {
  if (mesh instanceof Mesh) {
    if (!mesh.address) throw inputError("this mesh was freed");
    return work(mesh);
  }
  const made = new Mesh(instance, mesh);
  try {
    return work(made);
  } finally {
    made.free();
  }
}
