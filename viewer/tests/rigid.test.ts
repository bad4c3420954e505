// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import { pieceAt, poseAt, type RigidMotion, rigidSource, sweepContacts } from "../src/rigid";

const QUARTER: RigidMotion = { law: "nlerp", start: [0, 0, 0, 1, 0, 0, 0], end: [2, 0, 0, -3, 0, 0, -3] };

function angle(pose: number[]): number {
  return 2 * Math.atan2(pose[6] as number, pose[3] as number);
}

test("laws_agree_at_the_ends_and_differ_between", () => {
  // The end is three times as long and on the other side: nlerp is near it early, slerp turns evenly.
  const slerp = { ...QUARTER, law: "slerp" as const };
  for (const motion of [QUARTER, slerp]) {
    assert.ok(Math.abs(angle(poseAt(motion, 0))) < 1e-15);
    assert.ok(Math.abs(angle(poseAt(motion, 1)) - Math.PI / 2) < 1e-15);
    assert.equal(poseAt(motion, 0.25)[0], 0.5);
  }
  assert.ok(Math.abs(angle(poseAt(slerp, 0.5)) - Math.PI / 4) < 1e-15);
  assert.ok(angle(poseAt(QUARTER, 0.5)) > 1);
});

test("times_are_the_scenes_own_and_faces_are_placed", () => {
  const rest: RigidMotion = { law: "nlerp", start: [0, 0, 0, 1, 0, 0, 0], end: [0, 0, 0, 1, 0, 0, 0] };
  const scene = {
    bodies: [
      { name: "door", vertices: [0, 0, 0, 1, 0, 0, 1, 0, 1], faces: [0, 1, 2], edges: [] },
      { name: "point", vertices: [5, 5, 5], faces: [], edges: [] },
    ],
    times: [10, 12, 20],
    pieces: [
      [QUARTER, rest],
      [QUARTER, rest],
    ],
  };
  assert.deepEqual(pieceAt(scene, 11), [0, 0.5]);
  assert.deepEqual(pieceAt(scene, 12), [1, 0]);
  assert.deepEqual(pieceAt(scene, 99), [1, 1]);
  const source = rigidSource(new TextEncoder().encode(JSON.stringify(scene)), "a scene");
  assert.deepEqual([source.tMin, source.tMax, source.keys], [10, 20, 48]);
  const sample = source.sample(0, 20);
  const [x, y] = [sample.positions[3] as number, sample.positions[4] as number];
  assert.ok(Math.abs(x - 2) < 1e-6 && Math.abs(y - 1) < 1e-6, "the door has turned by 90 degrees");
  assert.ok(Math.abs(Math.abs(sample.normals[0] as number) - 1) < 1e-6);
  assert.equal(source.sample(1, 10).positions.length, 9);
});

test("contacts_are_those_that_were_printed", () => {
  const toi = { lo: 0.25, hi: 0.5, safe: 0.125 };
  const hit = {
    a: "x",
    b: "y",
    kind: "edge-edge",
    first: 3,
    second: 4,
    point: [1, 2, 3],
    normal: [0, 0, 1],
    toi,
    pairs: 2,
  };
  const printed = { verdict: "hit", toi, hits: [hit], min_separation: 0, bodies: 2, pieces: 1 };
  const [contact] = sweepContacts(printed);
  assert.equal(contact?.label, "x – y");
  assert.equal(contact?.tLo, 0.25);
  assert.deepEqual(contact?.rows[0], ["pair", "edge-edge 3, 4"]);
  assert.deepEqual(sweepContacts({ ...printed, hits: [] }), []);
});
