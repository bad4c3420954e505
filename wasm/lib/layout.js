// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Structs of the module by the names of their fields. Where these are comes from the module itself, so that no number
// about memory stands here.

import { optionError, ToiError } from "./error.js";
import { enums } from "./names.js";

// t_lo -> tLo
export function camel(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

// Bytes, how a DataView reads and writes it, and which array holds a column of it.
const plain = {
  f64: [8, "Float64", Float64Array],
  f32: [4, "Float32", Float32Array],
  u32: [4, "Uint32", Uint32Array],
  i16: [2, "Int16", Int16Array],
  u8: [1, "Uint8", Uint8Array],
  i8: [1, "Int8", Int8Array],
  bool: [1, "Uint8", Uint8Array],
  pointer: [4, "Uint32", Uint32Array],
  text: [4, "Uint32", Uint32Array],
};

// An enum takes four bytes; in answers some take one, and are called verdict8 and so on.
function enumOf(type) {
  const small = type.endsWith("8") && type !== "u8" && type !== "i8";
  const names = enums[small ? type.slice(0, -1) : type];
  return names && { names, of: small ? plain.u8 : plain.u32 };
}

// --- reading the module's tables ---

// {toi_hit: {name, size, fields: [{name, type, offset, count}]}, ...}
export function readLayouts(instance) {
  const layouts = {};
  const word = (address) => instance.view.getUint32(address, true);
  for (let at = instance.exports.toi_web_layouts(); word(at) !== 0; at += 16) {
    const fields = [];
    for (let i = 0, field = word(at + 12); i < word(at + 8); i++, field += 16)
      fields.push({
        name: camel(instance.text(word(field))),
        type: instance.text(word(field + 4)),
        offset: word(field + 8),
        count: word(field + 12),
      });
    const name = instance.text(word(at));
    layouts[name] = { name, size: word(at + 4), fields };
  }
  return layouts;
}

// --- reading structs ---

function readOne(layouts, type, view, at) {
  const nested = layouts[type];
  if (nested) return decode(layouts, nested, view, at);
  const names = enumOf(type);
  if (names) return names.names[view["get" + names.of[1]](at, true)] ?? null;
  if (type === "u64") return Number(view.getBigUint64(at, true));
  const value = view["get" + plain[type][1]](at, true);
  return type === "bool" ? value !== 0 : value;
}

function bytesOf(layouts, type) {
  return layouts[type]?.size ?? enumOf(type)?.of[0] ?? (type === "u64" ? 8 : plain[type][0]);
}

// The struct at an address as an object. A pair becomes the two fields first and second.
export function decode(layouts, layout, view, at) {
  const object = {};
  for (const { name, type, offset, count } of layout.fields) {
    if (type === "pair") {
      object.first = view.getUint32(at + offset, true);
      object.second = view.getUint32(at + offset + 4, true);
    } else if (count === 1) {
      object[name] = readOne(layouts, type, view, at + offset);
    } else {
      const step = bytesOf(layouts, type);
      object[name] = Array.from({ length: count }, (_, i) => readOne(layouts, type, view, at + offset + i * step));
    }
  }
  return object;
}

// --- writing structs ---

function writeOne({ name, type }, view, at, value) {
  const names = enumOf(type);
  if (names) {
    const number = names.names.indexOf(value);
    if (number < 0) throw optionError(`${name} is one of ${names.names.join(", ")}, not ${JSON.stringify(value)}`);
    view["set" + names.of[1]](at, number, true);
  } else if (type === "u64") {
    if (!Number.isSafeInteger(value) || value < 0) throw optionError(`${name} is a whole number, not ${value}`);
    view.setBigUint64(at, BigInt(value), true);
  } else if (type === "bool") {
    if (typeof value !== "boolean") throw optionError(`${name} is true or false, not ${value}`);
    view.setUint8(at, value ? 1 : 0);
  } else {
    if (typeof value !== "number") throw optionError(`${name} is a number, not ${JSON.stringify(value)}`);
    view["set" + plain[type][1]](at, value, true);
  }
}

// Writes those fields of the struct at an address that the object has; a name that is none of its fields is refused.
// `scope` is where texts are allocated.
export function encode(instance, layout, at, object, scope) {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const field = layout.fields.find((one) => one.name === key);
    if (!field) throw optionError(`unknown option '${key}'`);
    if (field.type === "text") {
      if (typeof value !== "string") throw optionError(`${key} is a name, not ${value}`);
      const text = scope.text(value);
      instance.view.setUint32(at + field.offset, text, true);
      continue;
    }
    const many = field.count > 1;
    if (many && value.length !== field.count) throw optionError(`${key} has ${field.count} numbers`);
    const step = bytesOf(instance.layouts, field.type);
    for (let i = 0; i < field.count; i++)
      writeOne(field, instance.view, at + field.offset + i * step, many ? value[i] : value);
  }
}

// --- many answers ---

// See Records in libtoi.d.ts. `source` gives the bytes: a DataView whose first byte is the first answer's.
export class Records {
  #layouts;
  #layout;
  #source;

  constructor(layouts, name, length, source) {
    this.#layouts = layouts;
    this.#layout = layouts[name];
    this.#source = source;
    this.length = length;
  }

  at(index) {
    const i = index < 0 ? index + this.length : index;
    if (!(i >= 0 && i < this.length)) return undefined;
    return decode(this.#layouts, this.#layout, this.#source(), i * this.#layout.size);
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }

  toArray() {
    return Array.from(this);
  }

  #find(path) {
    let layout = this.#layout;
    let offset = 0;
    for (const [i, name] of path.split(".").entries()) {
      const last = i === path.split(".").length - 1;
      const pair = last && (name === "first" || name === "second") && layout.fields.find((f) => f.type === "pair");
      if (pair) return { type: "u32", offset: offset + pair.offset + (name === "first" ? 0 : 4), count: 1 };
      const field = layout.fields.find((f) => f.name === name);
      if (!field) break;
      if (last && !this.#layouts[field.type]) return { ...field, offset: offset + field.offset };
      layout = this.#layouts[field.type];
      offset += field.offset;
      if (!layout) break;
    }
    throw new ToiError("input", `there is no field '${path}'`);
  }

  column(path) {
    const { type, offset, count } = this.#find(path);
    const [bytes, reader, Column] = enumOf(type)?.of ?? (type === "u64" ? [8, "BigUint64", Float64Array] : plain[type]);
    const view = this.#source();
    const column = new Column(this.length * count);
    const read = "get" + reader;
    for (let i = 0, k = 0; i < this.length; i++)
      for (let j = 0; j < count; j++)
        column[k++] = Number(view[read](i * this.#layout.size + offset + j * bytes, true));
    return column;
  }

  // What crosses from a worker to the page: Records.received() makes them again there.
  sent() {
    const view = this.#source();
    const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + this.length * this.#layout.size);
    return { layouts: this.#layouts, name: this.#layout.name, length: this.length, bytes };
  }

  static received({ layouts, name, length, bytes }) {
    const view = new DataView(bytes);
    return new Records(layouts, name, length, () => view);
  }
}
