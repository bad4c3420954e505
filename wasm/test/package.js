// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Where the package that is tested lies: script/wasm makes it. What the tests share.

import { pathToFileURL } from "node:url";
import path from "node:path";

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), "../..");
export const directory = process.env.TOI_WASM_PACKAGE ?? path.join(root, "build/wasm/libtoi");
export const sources = root;

export const { load, loadCurved, startWorker, ToiError } = await import(pathToFileURL(path.join(directory, "lib/index.js")).href);

// A vertex falls onto a triangle at rest.
export const start = [0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0];
export const end = [0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0];

// A triangle falls onto one at rest, as in the project's README.
export const falling = {
  start: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, 1, 0.5, 0.25, 3, 0.25, 0.5, 3),
  end: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0.5, 0.25, 1, 0.25, 0.5, 1),
  faces: Uint32Array.of(0, 1, 2, 3, 4, 5),
};

// A mesh that takes a while: sheets that pass through each other.
export function sheets(side) {
  const count = side * side;
  const points = new Float64Array(6 * count);
  const faces = [];
  for (let s = 0; s < 2; s++)
    for (let i = 0; i < count; i++)
      points.set([i % side, Math.floor(i / side), s + 0.3 * Math.sin(i * (s + 1))], 3 * (s * count + i));
  for (let s = 0; s < 2; s++)
    for (let i = 0; i + side + 1 < count; i++)
      if ((i + 1) % side) faces.push(s * count + i, s * count + i + 1, s * count + i + side);
  const moved = points.map((x, i) => (i % 3 === 2 ? (i < 3 * count ? x + 2 : x - 2) : x + 3 * Math.sin(i)));
  return { start: points, end: moved, faces: Uint32Array.from(faces) };
}

// What assert.throws takes: an error of the library with this status, whose sentence matches.
export function toiError(status, sentence) {
  return (error) => {
    if (!(error instanceof ToiError) || error.status !== status || !sentence.test(error.message))
      throw new Error(`expected ${status} ${sentence}, got ${error.status}: ${error.stack}`);
    return true;
  };
}
