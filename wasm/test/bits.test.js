// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The same bits as the native library; script/check-wasm asks about millions more.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { compare, Tally } from "../check/bits.js";
import { madeQueries } from "../check/made.js";
import { Native } from "../check/native.js";
import { load, loadCurved, sources } from "./package.js";

const scale = Number(process.env.TOI_TEST_SCALE ?? 1);
const count = Math.max(10, Math.round(4000 * scale));
const program = process.env.TOI_WASM_ANSWERS;
const command = process.env.TOI_BIN;

test("made queries have the native library's bits", { skip: program ? false : "TOI_WASM_ANSWERS is not set" }, async () => {
  const toi = await load();
  const native = new Native(program);
  const tally = new Tally();
  const ways = [
    {},
    { method: "exact" },
    { minSeparation: 0.01 },
    { separationFraction: 0.2, norm: "linf" },
    { method: "tight-inclusion", tolerance: 1e-3 },
    { method: "time-inclusion", tolerance: 1e-3 },
    { method: "cubic" },
  ];
  for (const [kind, points] of Object.entries({ vf: 4, ee: 4, ve: 3, vv: 2 }))
    for (const [i, options] of ways.entries()) {
      const some = madeQueries(7 + i, points, i === 0 ? count : Math.ceil(count / 20));
      try {
        await compare(toi, native, kind, some, options, tally);
      } catch (error) {
        // Methods that do not answer a kind say so on both sides.
        if (error.status !== "unsupported") throw error;
      }
    }
  native.end();
  assert.equal(tally.different, 0, JSON.stringify(tally.first));
  assert.ok(tally.queries >= 4 * count);
});

test("contact scenes have the command's answers", { skip: command ? false : "TOI_BIN is not set" }, async () => {
  const curved = await loadCurved();
  const folder = path.join(sources, "examples/contact");
  for (const name of readdirSync(folder).filter((one) => /^(two|near|plane|tori-c|sphere|chebyshev|shaft).*\.json$/.test(one))) {
    const native = JSON.parse(execFileSync(command, ["contact", path.join(folder, name), "--json"]));
    const answer = await curved.contact(new Uint8Array(readFileSync(path.join(folder, name))), {}, { name });
    assert.equal(answer.verdict, native.verdict, name);
    assert.deepEqual(native.toi && [native.toi.lo, native.toi.hi], native.toi && [answer.tLo, answer.tHi], name);
    assert.equal(answer.boxes, native.boxes, name);
    assert.deepEqual(answer.contacts.map(({ point }) => point), native.contacts.map(({ point }) => point), name);
  }
});
