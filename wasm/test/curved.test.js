// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The curved module: scenes, cases, models, and triangles for the eye.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { loadCurved, sources, toiError } from "./package.js";

const curved = await loadCurved();
const example = (name) => new Uint8Array(readFileSync(path.join(sources, "examples/contact", name)));

test("a ball hits a larger one", async () => {
  const answer = await curved.contact(example("two-spheres.json"));
  assert.equal(answer.verdict, "hit");
  assert.ok(answer.tLo <= 0.5 && 0.5 <= answer.tHi);
  assert.equal(answer.contacts.length, 1);
  assert.deepEqual([answer.contacts[0].certificate, answer.contacts[0].proved], ["unique", true]);
  assert.deepEqual(answer.names, ["target", "ball"]);
  assert.equal((await curved.contact(new Uint8Array(gzipSync(example("two-spheres.json"))), {}, { name: "s.json.gz" })).verdict, "hit");
});

test("options override the scene's, and progress may stop", async () => {
  const scene = await curved.readScene(example("bumpy-spheres.json"), "bumpy-spheres.json");
  assert.equal(scene.bodies.length, 2);
  assert.equal(scene.contact({ tMax: 0.25 }).verdict, "miss");
  assert.ok(scene.options.tMax > 0.25);
  assert.throws(() => scene.contact({ progress: () => false }), toiError("cancelled", /./));
  assert.throws(() => scene.contact({ minSeparation: 0.1 }), toiError("option", /^bumpy-spheres.json: body 'first' is not made of patches/));
  scene.free();
  assert.throws(() => scene.contact(), toiError("input", /freed/));
});

test("a scene names a file; a separation needs patches", async () => {
  const model = JSON.stringify({ shape: "sphere", radius: 1 });
  const scene = JSON.stringify({
    bodies: [
      { name: "a", shape: { model: "ball.json" } },
      { name: "b", shape: { model: "sphere" }, motion: { move: { shift: [4, 0, 0], velocity: [-4, 0, 0] } } },
    ],
  });
  const files = { "ball.json": new TextEncoder().encode(model) };
  const read = await curved.readScene(scene, "folder/scene.json", files);
  assert.deepEqual(read.bodies.map(({ pieces }) => pieces), [8, 8]);
  const touch = read.contact();
  const within = read.contact({ minSeparation: 1 });
  assert.ok(touch.tLo <= 0.5 && 0.5 <= touch.tHi, `${touch.tLo} ${touch.tHi}`);
  assert.ok(within.tLo <= 0.25 + 1e-6 && 0.25 - 1e-6 <= within.tHi, `${within.tLo} ${within.tHi}`);
  assert.equal(within.contacts[0].certificate, "singular");
  await assert.rejects(curved.readScene(scene, "folder/scene.json"), toiError("format", /folder\/ball\.json: cannot be read: No such file/));
});

test("faulty scenes are refused with their place", async () => {
  await assert.rejects(curved.contact("{"), toiError("format", /^scene\.json:1/));
  await assert.rejects(curved.contact('{"bodies": []}', {}, { name: "x.json" }), toiError("format", /^x\.json/));
});

test("cases of patches", async () => {
  const square = (z, vz) => ({ type: "quad", degree: [1, 1], points: [[0, 0, z], [0, 1, z], [1, 0, z], [1, 1, z]], velocities: Array(4).fill([0, 0, vz]) });
  const lines = [1, 3].map((z) => JSON.stringify({ a: square(0, 0), b: square(z, -2) })).join("\n") + "\n";
  const cases = await curved.readCases(lines, "two.jsonl");
  assert.deepEqual([cases.count, cases.tMax(0)], [2, 1]);
  const hits = cases.surface();
  assert.deepEqual(hits.toArray().map(({ verdict }) => verdict), ["hit", "miss"]);
  assert.deepEqual(cases.one(0), hits.at(0));
  assert.deepEqual((await curved.surface(lines, "two.jsonl")).at(0), hits.at(0));
  const drawn = cases.sample(0, "b", 0.25, { detail: 2 });
  assert.equal(drawn.positions.length, 27);
  assert.ok(drawn.positions.every((x, i) => i % 3 !== 2 || x === 0.5));
  assert.throws(() => cases.sample(2, "a", 0), toiError("input", /no case 2/));
});

test("models: pairs, contacts, rigid motion", () => {
  const ball = curved.model("sphere");
  const other = ball.moved([4, 0, 0], [-4, 0, 0]);
  const hit = curved.modelPair(ball, other);
  assert.ok(hit.verdict === "hit" && hit.tLo <= 0.5 && 0.5 <= hit.tHi);
  const { first, contacts } = curved.modelContacts(ball, other);
  assert.ok(first.tLo === hit.tLo && contacts.length >= 1);
  const rigid = curved.rigidPair(ball, null, ball.moved([4, 0, 0]), { velocity: [-4, 0, 0], spin: [0, 0, 1], centre: [4, 0, 0] });
  assert.equal(rigid.verdict, "hit");
  assert.equal(curved.modelPair(ball, other, { tMax: 0.25 }).verdict, "miss");
  assert.throws(() => curved.model("kettle"), toiError("input", /kettle/));
});

// How far vertices are from |x| = radius around a centre, and whether triangles face outwards.
function checkBall({ positions, normals, indices }, centre, slack) {
  const at = (i) => [0, 1, 2].map((k) => positions[3 * i + k] - centre[k]);
  for (let i = 0; i < positions.length / 3; i++) {
    const p = at(i);
    assert.ok(Math.abs(Math.hypot(...p) - 1) < slack, `vertex ${i} at ${p}`);
    const n = [0, 1, 2].map((k) => normals[3 * i + k]);
    if (Math.hypot(...n) > 0) assert.ok(n[0] * p[0] + n[1] * p[1] + n[2] * p[2] > 0.99);
  }
  let volume = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [at(indices[i]), at(indices[i + 1]), at(indices[i + 2])];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
  }
  assert.ok(Math.abs(volume - (4 / 3) * Math.PI) < 0.1, `volume ${volume}`);
}

test("samples for the eye lie on the surface and face outwards", async () => {
  checkBall(curved.model("sphere").sample(0), [0, 0, 0], 1e-6);
  const motion = { velocity: [2, 0, 0], spin: [0, 0, 1], centre: [0, 0, 0] };
  checkBall(curved.model("sphere").sample(0.5, { motion }), [1, 0, 0], 1e-6);
  for (const form of ["implicit", "parametric"]) {
    const bodies = ["a", "b"].map((name, i) => ({
      name,
      shape: { sphere: { radius: 1, form } },
      motion: { move: { shift: [3 * i, 0, 0], velocity: [-2 * i, 0, 0] } },
    }));
    const scene = await curved.readScene(JSON.stringify({ bodies }), "balls.json");
    assert.equal(scene.bodies[0].implicit, form === "implicit");
    checkBall(scene.sample(1, 0.5), [2, 0, 0], 1e-5);
    checkBall(scene.sample(1, 0.5, { own: true }), [0, 0, 0], 1e-5);
    assert.deepEqual(scene.pose(1, 0.5), { rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [2, 0, 0] });
  }
});

test("a surface without bounds is drawn around the others", async () => {
  const scene = await curved.readScene(example("sphere-on-plane.json"), "s.json");
  const ground = scene.bodies.findIndex(({ name }) => name === "ground");
  const { positions } = scene.sample(ground, 0);
  assert.ok(positions.length > 0 && positions.every(Number.isFinite));
  assert.throws(() => scene.sample(7, 0), toiError("input", /no body 7/));
  assert.throws(() => scene.sample(0, 0, { detail: 0 }), toiError("input", /detail/));
});
