// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Options of the curved module's calls.

import { optionError } from "./error.js";
import { encode } from "./layout.js";

// Runs work(address) with a struct of options that `begin(address)` has set to what they are without the caller's.
function withStruct(instance, type, options, begin, watch, work) {
  const { progress, ...given } = options ?? {};
  if (progress !== undefined && typeof progress !== "function") throw optionError("progress is a function");
  return instance.scope((scope) => {
    const address = scope.struct(type);
    begin(address);
    encode(instance, instance.layouts[type], address, given, scope);
    if (progress) instance.exports[watch](address);
    instance.progress = progress ?? null;
    try {
      return work(address, scope);
    } finally {
      instance.progress = null;
    }
  });
}

export function withSurfaceOptions(instance, options, work) {
  const { size } = instance.layouts.toi_surface_options;
  const begin = (address) => instance.exports.toi_surface_options_init(address, size);
  return withStruct(instance, "toi_surface_options", options, begin, "toi_web_surface_options_watch", work);
}

export function withContactOptions(instance, scene, options, work) {
  const begin = (address) => instance.exports.toi_web_scene_options(scene, address);
  return withStruct(instance, "toi_contact_options", options, begin, "toi_web_contact_options_watch", work);
}
