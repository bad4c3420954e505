// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Triangles for the eye only.

import { inputError } from "./error.js";
import { numbers } from "./instance.js";
import { decode, encode } from "./layout.js";

const PATCH = 16;
const SURFACE = 64;
const CELLS = 48;
const MOST_DETAIL = 512;

// Of a patch, of another surface with parameters, or of an implicit one.
export function detailOf(options, { implicit, pieces } = { implicit: false, pieces: 2 }) {
  const detail = options?.detail ?? (implicit ? CELLS : pieces > 1 ? PATCH : SURFACE);
  if (!Number.isInteger(detail) || detail < 1 || detail > MOST_DETAIL)
    throw inputError(`detail is a whole number from 1 to ${MOST_DETAIL}, not ${detail}`);
  return detail;
}

// work(view, triangles) is a call of the module that fills the triangles and returns its status. `unbounded` is called
// where the surface has no bounds of its own and none are given: it throws, or gives some.
export function sampled(instance, { t, detail, own = false, bounds }, work, unbounded) {
  return instance.scope((scope) => {
    const view = scope.struct("toi_web_view");
    const triangles = scope.struct("toi_web_triangles");
    if (!Number.isFinite(t)) throw inputError(`the time is a finite number, not ${t}`);
    const fields = { t, detail, own };
    const bound = (box) => Object.assign(fields, { bounded: true, bounds: Array.from(numbers(box, 6, "bounds")) });
    if (bounds) bound(bounds);
    const ask = () => {
      encode(instance, instance.layouts.toi_web_view, view, fields, scope);
      return work(view, triangles);
    };
    try {
      let status = ask();
      if (status === 2 && !fields.bounded) {
        bound(unbounded());
        status = ask();
      }
      instance.check(status);
      return taken(instance, decode(instance.layouts, instance.layouts.toi_web_triangles, instance.view, triangles));
    } finally {
      instance.exports.toi_web_triangles_free(triangles);
    }
  });
}

function taken(instance, made) {
  return {
    positions: instance.copy(Float32Array, made.positions, 3 * made.vertexCount),
    normals: instance.copy(Float32Array, made.normals, 3 * made.vertexCount),
    indices: instance.copy(Uint32Array, made.indices, 3 * made.triangleCount),
    patches: instance.copy(Uint32Array, made.patches, made.triangleCount),
  };
}

// lo x, y, z, hi x, y, z around all of these positions, and a quarter of its size more on each side.
export function boxAround(lists) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const positions of lists)
    for (let i = 0; i < positions.length; i++) {
      box[i % 3] = Math.min(box[i % 3], positions[i]);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], positions[i]);
    }
  if (!(box[0] <= box[3])) return [-1, -1, -1, 1, 1, 1];
  const more = 0.25 * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2], Number.MIN_VALUE);
  return box.map((x, k) => (k < 3 ? x - more : x + more));
}
