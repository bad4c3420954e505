// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import { byTime, emptyCollisions, findPair, histogram, within } from "../src/collisions";
import { baseName, byNumber, stepTitle } from "../src/names";
import { firstRow, scrollFor } from "../src/rows";
import { around } from "../src/window";

function made(rows: [t: number, hi: number, kind: number, first: number, second: number][]) {
  const c = emptyCollisions(rows.length);
  rows.forEach(([t, hi, kind, first, second], i) => {
    c.tLo[i] = t;
    c.tHi[i] = hi;
    c.kind[i] = kind;
    c.first[i] = first;
    c.second[i] = second;
  });
  return c;
}

test("the_list_is_in_the_order_of_impacts", () => {
  const c = made([
    [0.5, 0.5, 1, 0, 0],
    [0.25, 0.25, 1, 7, 9],
    [0.25, 0.25, 0, 9, 9],
    [0.25, 0.25, 0, 9, 8],
    [0.25, 0.2, 3, 9, 8],
    [0, 0, 3, 1, 1],
  ]);
  assert.deepEqual([...byTime(c)], [5, 4, 3, 2, 1, 0]);
  assert.equal(findPair(c, 0, 9, 8), 3);
  assert.equal(findPair(c, 2, 9, 8), -1);
});

test("a_brush_is_closed_at_both_ends", () => {
  const c = made([0, 0.25, 0.25, 0.5, 1].map((t) => [t, t, 0, 0, 0]));
  const order = byTime(c);
  const times = (from: number, to: number) => [...within(c, order, from, to)].map((i) => c.tLo[i]);
  assert.deepEqual(times(0, 1), [0, 0.25, 0.25, 0.5, 1]);
  assert.deepEqual(times(0.25, 0.5), [0.25, 0.25, 0.5]);
  assert.deepEqual(times(0.26, 0.49), []);
  assert.deepEqual(times(2, 3), []);
  assert.deepEqual(times(0.6, 0.4), []);
});

test("every_time_is_in_one_bin", () => {
  const counts = histogram(Float64Array.of(0, 0.1, 0.5, 0.999, 1, 2), 4);
  assert.deepEqual([...counts], [2, 0, 1, 2]);
});

test("rows_of_a_long_list_can_all_be_reached", () => {
  for (const count of [1, 10, 1000, 300_000, 5_000_000]) {
    const height = 400;
    for (const row of [0, 1, Math.floor(count / 3), count - 1]) {
      const top = scrollFor(row, height, count);
      const first = firstRow(top, height, count).row;
      assert.ok(first <= row && row < first + Math.ceil(height / 26) + 1, `row ${row} of ${count}: first is ${first}`);
    }
  }
});

test("crowds_are_drawn_around_the_time", () => {
  const times = Array.from({ length: 10000 }, (_, i) => i / 10000);
  assert.deepEqual(around(times.slice(0, 100), 0.9), [0, 100]);
  const [from, to] = around(times, 0.5);
  assert.ok(from < 5000 && to > 5000 && to - from < 3000);
  assert.deepEqual(around(times, -1)[0], 0);
  assert.deepEqual(around(times, 2)[1], 10000);
});

test("frames_come_in_the_order_of_their_numbers", () => {
  assert.deepEqual(["f10.ply", "f9.ply", "f1.ply"].sort(byNumber), ["f1.ply", "f9.ply", "f10.ply"]);
  assert.equal(baseName("/a/b/c.ply"), "c.ply");
  assert.equal(stepTitle(["/a/0.ply", "/a/1.ply", "/a/2.ply"]), "0.ply → 2.ply");
  assert.equal(stepTitle(["a.ply"]), "a.ply");
});
