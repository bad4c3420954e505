// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";
import test from "node:test";
import { decodeLink, encodeLink, type LinkState } from "../src/link";

test("a_link_restores_the_state_to_the_bit", () => {
  const state: LinkState = {
    tab: "query",
    example: "tori-crossed.json",
    step: 3,
    t: 0.1 + 0.2,
    camera: [1.5, -2, 3, 0, 0.25, 0],
    up: "z",
    pair: { kind: "ee", first: 4294967294, second: 0 },
    brush: [1e-300, 0.30000000000000004],
    show: ["shading", "contacts"],
    query: { kind: "vf", points: Array.from({ length: 24 }, (_, i) => Math.sqrt(i) * (i % 2 ? -1e-200 : 1)) },
    options: { method: "tight-inclusion", minSeparation: "1e-3" },
    hex: true,
    theme: "dark",
  };
  assert.deepEqual(decodeLink(encodeLink(state)), state);
});

test("an_empty_link_is_no_link", () => {
  assert.equal(encodeLink({}), "");
  assert.deepEqual(decodeLink(""), {});
});

test("what_cannot_be_read_is_left_out", () => {
  const bad =
    "#t=NaN&up=x&step=-1&camera=1,2,3&pair=vf,1&brush=1,0&query=vf,1,2&query=xx&theme=pink&tab=<script>&o.method=a b&%&=&o.=1&show=a,<b>&example=%E0%A4%A&hex=yes";
  assert.deepEqual(decodeLink(bad), { hex: false, show: ["a"] });
});

test("hex_floats_are_understood", () => {
  assert.equal(decodeLink("#t=0x1p-1").t, 0.5);
});
