// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Options of calls, from an object to the library's structs. What is left out has the library's default; a name that is
// no option is refused.

import { inputError, optionError } from "./error.js";
import { decode, encode } from "./layout.js";
import { kindNumber, kinds, levels, verdicts } from "./names.js";

const EVERY_VERTEX_EDGE = 1 << 16;
const meshOnly = ["broad", "kinds", "mayCollide", "progress", "work"];

function kindBits(names) {
  let bits = 0;
  for (const name of names) bits |= name === "every-vertex-edge" ? EVERY_VERTEX_EDGE : 1 << kindNumber(name);
  return bits;
}

export function emptyCounters() {
  return {
    queries: 0,
    verdicts: Object.fromEntries(verdicts.map((name) => [name, 0])),
    levels: Object.fromEntries(levels.map((name) => [name, 0])),
  };
}

function addCounters(instance, address, counters) {
  const added = decode(instance.layouts, instance.layouts.toi_counters, instance.view, address);
  counters.queries += added.queries;
  verdicts.forEach((name, i) => (counters.verdicts[name] += added.verdicts[i]));
  levels.forEach((name, i) => (counters.levels[name] += added.levels[i]));
}

function fillWork(instance, address, work) {
  const done = decode(instance.layouts, instance.layouts.toi_work, instance.view, address);
  const byKind = (numbers) => Object.fromEntries([...kinds.entries()].filter(([, name]) => name).map(([i, name]) => [name, numbers[i]]));
  Object.assign(work, { ...done, candidates: byKind(done.candidates), hits: byKind(done.hits) });
}

function meshOptions(instance, scope, options) {
  const address = scope.struct("toi_mesh_options");
  const layout = instance.layouts.toi_mesh_options;
  instance.exports.toi_mesh_options_init(address, layout.size);
  const fields = { broad: options.broad };
  if (options.kinds !== undefined) fields.kinds = kindBits(options.kinds);
  if (options.work) fields.work = scope.struct("toi_work");
  encode(instance, layout, address, fields, scope);
  for (const name of ["progress", "mayCollide"])
    if (options[name] !== undefined && typeof options[name] !== "function")
      throw optionError(`${name} is a function, not ${options[name]}`);
  instance.exports.toi_web_mesh_options_watch(address, options.progress ? 1 : 0, options.mayCollide ? 1 : 0);
  return { address, work: fields.work };
}

// Runs work(address of toi_options) with the options of a query, or of a call on a mesh, and hands back what it counted.
export function withOptions(instance, scope, options, onMesh, work) {
  const given = options ?? {};
  if (typeof given !== "object") throw inputError("options are an object");
  const own = Object.fromEntries(
    Object.entries(given).filter(([name]) => name !== "counters" && !(onMesh && meshOnly.includes(name))),
  );
  const address = scope.struct("toi_options");
  const layout = instance.layouts.toi_options;
  instance.exports.toi_options_init(address, layout.size);
  if (own.onMesh !== undefined) throw optionError("unknown option 'onMesh'");
  if (given.counters) own.counters = scope.struct("toi_counters");
  const mesh = onMesh ? meshOptions(instance, scope, given) : null;
  if (mesh) own.onMesh = mesh.address;
  encode(instance, layout, address, own, scope);

  instance.progress = given.progress ?? null;
  instance.mayCollide = given.mayCollide ? (kind, a, b) => given.mayCollide(kinds[kind], a, b) : null;
  try {
    return work(address);
  } finally {
    instance.progress = instance.mayCollide = null;
    if (given.counters) addCounters(instance, own.counters, given.counters);
    if (mesh?.work) fillWork(instance, mesh.work, given.work);
  }
}

// The options of a query as the library sets them.
export function defaultOptions(instance) {
  return instance.scope((scope) => {
    const address = scope.struct("toi_options");
    const layout = instance.layouts.toi_options;
    instance.exports.toi_options_init(address, layout.size);
    const { counters, onMesh, ...options } = decode(instance.layouts, layout, instance.view, address);
    return { ...options, method: instance.text(instance.exports.toi_method_name(0)) };
  });
}
