// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import type { Hit } from "libtoi";
import { judge } from "../src/judge";

const hit = (verdict: Hit["verdict"], tLo: number, tHi = tLo): Hit => ({
  verdict,
  tLo,
  tHi,
  tSafe: 0,
  u: 0,
  v: 0,
  point: [0, 0, 0],
  normal: [0, 0, 0],
  toleranceReached: 0,
  separation: 0,
  distance: 0,
  level: "exact",
  touchingAtStart: false,
});
const MISS = hit("miss", Number.POSITIVE_INFINITY);

test("other_methods_are_judged_by_the_proof", () => {
  assert.equal(judge(hit("hit", 0.5), hit("hit", 0.5)), "agrees");
  assert.equal(judge(MISS, MISS), "agrees");
  assert.match(judge(hit("hit", 0.5), hit("near", 0.25, 0.6)), /not proved.*early by 0.25/);
  assert.match(judge(MISS, hit("near", 0.25)), /false alarm/);
  assert.match(judge(MISS, hit("hit", 0.25)), /false alarm/);
  assert.match(judge(hit("hit", 0.5), MISS), /MISSED/);
  // A bracket that is a little wider is not early.
  assert.equal(judge(hit("hit", 0.5), hit("hit", 0.5 - 2 ** -50)), "agrees");
});
