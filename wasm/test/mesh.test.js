// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Whole meshes: every call, the caller's functions, and meshes that are kept.

import assert from "node:assert/strict";
import test from "node:test";
import { falling, load, sheets, toiError } from "./package.js";

const toi = await load();

test("a triangle falls onto one at rest", () => {
  const impact = toi.step(falling);
  assert.deepEqual([impact.kind, impact.first, impact.second], ["vertex-face", 3, 0]);
  assert.deepEqual([impact.hit.tLo, impact.hit.tSafe], [0.5, 0.5 - 2 ** -54]);
  const miss = toi.step({ ...falling, end: falling.start });
  assert.deepEqual([miss.hit.verdict, miss.kind, miss.first, miss.second], ["miss", null, null, null]);
});

test("floats are widened exactly", () => {
  const floats = { ...falling, start: Float32Array.from(falling.start), end: Float32Array.from(falling.end) };
  assert.deepEqual(toi.step(floats), toi.step(falling));
});

test("collisions are ordered, and have columns", () => {
  const list = toi.collisions(falling);
  assert.ok(list.length >= 1);
  const [first] = list;
  assert.deepEqual([first.kind, first.first, first.second], ["vertex-face", 3, 0]);
  assert.deepEqual(first.firstPoint, [0.25, 0.25, -1]);
  assert.equal(list.column("hit.tLo")[0], first.hit.tLo);
  assert.equal(list.column("first")[0], 3);
  assert.equal(list.column("kind")[0], 0);
});

test("candidates are sorted, by kind", () => {
  const work = {};
  const candidates = toi.candidates(falling, { work });
  assert.deepEqual(candidates["vertex-face"], Uint32Array.of(3, 0));
  const pairs = Array.from({ length: candidates["edge-edge"].length / 2 }, (_, i) => candidates["edge-edge"].slice(2 * i, 2 * i + 2));
  assert.deepEqual(pairs, [...pairs].sort(([a, b], [c, d]) => a - c || b - d));
  for (const [kind, list] of Object.entries(candidates)) assert.equal(work.candidates[kind], list.length / 2);
  assert.deepEqual(Object.keys(toi.candidates(falling, { kinds: ["ee"] })), ["edge-edge"]);
});

test("proximity, displacements and crossings of one state", () => {
  const near = toi.proximity({ start: falling.start, faces: falling.faces }, 1.5);
  assert.ok(near.length > 0 && near.at(0).distance.hi <= 1.5 + 1e-12);
  const safe = toi.safeDisplacements(falling, 0, 10);
  assert.equal(safe[3], 0.5);
  const crossed = { start: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1, 0.2, 0.2, 1, 0.2, 3, 1), faces: falling.faces };
  const crossings = toi.crossings(crossed);
  assert.ok(crossings.toArray().some(({ crossing }) => crossing));
  const found = toi.intersects(crossed);
  assert.deepEqual([found.found, found.crossing, found.first, found.second], [true, true, crossings.at(0).first, crossings.at(0).second]);
  assert.equal(toi.intersects(falling).found, false);
});

test("a line search stops before contact", () => {
  const { step, positions, first, tries } = toi.lineSearch(falling, { separationFraction: 0.1 });
  assert.ok(step > 0.4 && step < 0.5 && tries >= 1);
  assert.equal(first.kind, "vertex-face");
  assert.ok(positions instanceof Float64Array && positions[11] > 0);
});

test("pairs of a batch are those of the mesh", () => {
  const hits = toi.batchIndexed("vf", falling, Uint32Array.of(3, 0, 0, 1));
  assert.deepEqual(hits.toArray().map(({ verdict }) => verdict), ["hit", "miss"]);
  const { numbers, hits: listed } = toi.batchIndexedHits("vf", falling, Uint32Array.of(0, 1, 3, 0));
  assert.deepEqual([Array.from(numbers), listed.length, listed.at(0).verdict], [[1], 1, "hit"]);
  assert.throws(() => toi.batchIndexed("vf", falling, Uint32Array.of(9, 0)), toiError("input", /9/));
});

test("a kept mesh can be moved, read back and freed", () => {
  const mesh = toi.mesh(falling);
  assert.deepEqual([mesh.vertexCount, mesh.faceCount, mesh.edgeCount], [6, 2, 6]);
  assert.deepEqual(mesh.faces, falling.faces);
  assert.deepEqual(mesh.edges, toi.meshEdges(falling.faces));
  mesh.moveVertex(3, "end", [0.25, 0.25, 0.5]);
  assert.equal(toi.step(mesh).hit.verdict, "miss");
  mesh.move({ end: falling.end });
  assert.equal(toi.step(mesh).hit.verdict, "hit");
  assert.deepEqual(mesh.end, falling.end);
  assert.throws(() => mesh.move({ end: falling.end.slice(3) }), toiError("input", /end has 18 numbers/));
  assert.throws(() => mesh.moveVertex(6, "end", [0, 0, 0]), toiError("input", /no vertex 6/));
  mesh.free();
  mesh.free();
  assert.throws(() => toi.step(mesh), toiError("input", /freed/));
  assert.throws(() => mesh.start, toiError("input", /freed/));
});

test("attributes of a mesh", () => {
  assert.equal(toi.step({ ...falling, bodies: [0, 0, 0, 0, 0, 0] }).hit.verdict, "miss");
  assert.equal(toi.step({ ...falling, bodies: [0, 0, 0, 1, 1, 1], bodyPairs: [0, 1] }).hit.verdict, "hit");
  assert.equal(toi.step({ ...falling, bodies: [0, 0, 0, 1, 1, 1], bodyPairs: [0, 0] }).hit.verdict, "miss");
  assert.equal(toi.step({ ...falling, skipped: [3, 0] }).hit.verdict, "miss");
  assert.equal(toi.step({ ...falling, fixed: [1, 1, 1, 1, 1, 1] }).hit.verdict, "miss");
  assert.ok(toi.step({ ...falling, thickness: [0.25, 0.25, 0.25, 0.25, 0.25, 0.25] }).hit.tHi < 0.3);
  const floor = toi.step({ start: [0, 0, 1], end: [0, 0, -1], halfSpaces: [0, 0, 1, 0] });
  assert.deepEqual([floor.kind, floor.hit.tHi], ["vertex-half-space", 0.5]);
  const loose = { start: [0, 0, 1, -1, 0, 0, 1, 0, 0], end: [0, 0, -1, -1, 0, 0, 1, 0, 0], loose: [1, 2] };
  assert.equal(toi.step(loose).kind, "vertex-edge");
});

test("functions of the caller: a filter, progress, and what they throw", () => {
  const asked = [];
  const mayCollide = (kind, first, second) => (asked.push([kind, first, second]), false);
  assert.equal(toi.step(falling, { mayCollide }).hit.verdict, "miss");
  assert.ok(asked.some(([kind, first, second]) => kind === "vertex-face" && first === 3 && second === 0));
  const seen = [];
  toi.collisions(sheets(40), { progress: (done) => void seen.push(done) });
  assert.ok(seen.length > 0 && seen.every((done) => done >= 0 && done <= 1));
  assert.throws(() => toi.collisions(sheets(40), { progress: () => false }), toiError("cancelled", /./));
  const thrower = () => {
    throw new Error("from the caller");
  };
  assert.throws(() => toi.collisions(sheets(40), { progress: thrower }), /from the caller/);
  assert.throws(() => toi.step(falling, { mayCollide: thrower }), /from the caller/);
  assert.equal(toi.step(falling).hit.verdict, "hit");
});

test("bad meshes are refused in a sentence", () => {
  assert.throws(() => toi.step({ ...falling, faces: [0, 1, 9, 3, 4, 5] }), toiError("input", /9/));
  assert.throws(() => toi.step({ ...falling, faces: [0, 1] }), toiError("input", /3 numbers each/));
  assert.throws(() => toi.step({ ...falling, end: falling.end.slice(0, 9) }), toiError("input", /6 vertices, end has 3/));
  assert.throws(() => toi.step({ ...falling, end: Float32Array.from(falling.end) }), toiError("input", /same type/));
  assert.throws(() => toi.step({ ...falling, colour: 1 }), toiError("input", /unknown field 'colour'/));
  assert.throws(() => toi.step(falling, { broad: "best" }), toiError("unsupported", /unknown broad phase 'best'/));
  assert.throws(() => toi.meshCheck({ ...falling, edges: [0, 1] }), toiError("input", /edge/));
});
