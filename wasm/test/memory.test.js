// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Memory that runs out is an error, and the module lives on; memory that was taken comes back.

import assert from "node:assert/strict";
import test from "node:test";
import { end, falling, load, loadCurved, start, toiError } from "./package.js";

test("a module that may not grow refuses, and goes on", async () => {
  const toi = await load({ memoryMaximum: 8 << 20 });
  const many = new Float64Array(24 * 200000);
  assert.throws(() => toi.batch("vf", many), toiError("memory", /out of memory: the allocator refused \d+ bytes/));
  assert.throws(() => toi.mesh({ start: new Float64Array(6e6) }), toiError("memory", /refused/));
  assert.throws(() => toi.queryBuffer("vf", 1e9), toiError("memory", /refused/));
  assert.equal(toi.vertexFace(start, end).verdict, "hit");
  assert.equal(toi.step(falling).hit.tLo, 0.5);
  assert.ok(toi.memoryBytes <= 8 << 20);
});

test("the library's own budget is kept, in its own words", async () => {
  const toi = await load({ memoryBudget: 1 << 20 });
  const side = 150;
  const points = new Float64Array(3 * side * side);
  const faces = [];
  for (let i = 0; i < side * side; i++) points.set([i % side, Math.floor(i / side), Math.sin(i)], 3 * i);
  for (let i = 0; i + side + 1 < side * side; i++) if ((i + 1) % side) faces.push(i, i + 1, i + side);
  const mesh = { start: points, end: points, faces };
  assert.throws(() => toi.step(mesh), toiError("memory", /memory budget of 1048576 bytes is too small/));
  assert.equal(toi.step(falling).hit.tLo, 0.5);
});

test("calls give their memory back", async () => {
  const toi = await load();
  const queries = new Float64Array(24 * 1000);
  for (let i = 0; i < 1000; i++) {
    queries.set(start, 24 * i);
    queries.set(end, 24 * i + 12);
  }
  const once = () => {
    toi.batch("vf", queries);
    toi.step(falling);
    toi.prove("vf", start, end);
    assert.throws(() => toi.step({ ...falling, faces: [0, 1, 99] }));
  };
  for (let i = 0; i < 20; i++) once();
  const before = toi.memoryBytes;
  for (let i = 0; i < 300; i++) once();
  assert.equal(toi.memoryBytes, before);
});

test("the curved module refuses, and goes on", async () => {
  const curved = await loadCurved({ memoryMaximum: 12 << 20 });
  const model = curved.model("teapot");
  assert.throws(() => model.sample(0, { detail: 500 }), toiError("memory", /memory/));
  assert.ok(model.sample(0, { detail: 4 }).indices.length > 0);
});
