// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Files from memory, compressed or not, fine or faulty: what is wrong with them is said as the command says it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { load, toiError } from "./package.js";

const toi = await load();
const utf8 = (text) => new TextEncoder().encode(text);
const plain = (buffer) => new Uint8Array(buffer);

const ply = (z) => `ply
format ascii 1.0
element vertex 6
property double x
property double y
property double z
element face 2
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0.25 0.25 ${z}
0.5 0.25 ${z + 2}
0.25 0.5 ${z + 2}
3 0 1 2
3 3 4 5
`;
const obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n";
const csv = (truth) => Array.from({ length: 8 }, (_, i) => `${i},1,${i % 3},2,-1,4${truth}`).join("\n") + "\n";

test("a frame, plain and compressed", async () => {
  const frame = await toi.readFrame(utf8(ply(1)), "a.ply");
  assert.deepEqual(frame.faces, Uint32Array.of(0, 1, 2, 3, 4, 5));
  assert.equal(frame.vertices[11], 1);
  const packed = await toi.readFrame(plain(gzipSync(ply(1))), "a.ply.gz");
  assert.deepEqual(packed, frame);
  const other = await toi.readFrame(utf8(obj), "a.obj");
  assert.deepEqual([other.vertices.length, other.loose.length], [9, 2]);
});

test("a step of two files", async () => {
  const mesh = await toi.readStep(utf8(ply(1)), "a.ply", plain(gzipSync(ply(-1))), "b.ply.gz");
  assert.equal(toi.step(mesh).hit.tLo, 0.5);
  const wrong = toi.readStep(utf8(ply(1)), "a.ply", utf8(obj), "b.obj");
  await assert.rejects(wrong, toiError("input", /a\.ply.*b\.obj|b\.obj.*a\.ply/));
});

test("queries and truth", async () => {
  const set = await toi.readQueries(utf8(csv(",1")), "vf.csv");
  assert.deepEqual([set.count, set.truth[0], set.queries[5]], [1, 1, -0.25]);
  assert.equal((await toi.readQueries(utf8(csv("")), "vf.csv")).truth, null);
  const truth = await toi.readTruth(utf8("hit,toi_lo,toi_hi\n1,0x1p-1,0x1p-1\n0,,\n"), "t.csv");
  assert.deepEqual([Array.from(truth.hit), truth.tLo[0], truth.tLo[1]], [[1, 0], 0.5, Infinity]);
});

test("what is wrong with compressed data", async () => {
  const packed = plain(gzipSync(ply(1).repeat(20)));
  await assert.rejects(
    toi.readFrame(packed.slice(0, packed.length - 20), "a.ply.gz"),
    toiError("format", /^a\.ply\.gz: the gzip data ends early; restore the file$/),
  );
  await assert.rejects(
    toi.readFrame(utf8("no gzip at all"), "a.ply.gz"),
    toiError("format", /^a\.ply\.gz: not gzip data, or damaged; restore the file$/),
  );
  await assert.rejects(toi.readFrame(new Uint8Array(0), "a.ply.gz"), toiError("format", /^a\.ply\.gz/));
  assert.equal((await toi.readFrame(utf8(ply(1)), "a.ply")).vertices.length, 18);
});

// The command's sentence about the same file, behind its name.
function commandSays(name, bytes, verb) {
  const folder = mkdtempSync(path.join(tmpdir(), "toi-"));
  try {
    writeFileSync(path.join(folder, name), bytes);
    execFileSync(process.env.TOI_BIN, [...verb, name], { cwd: folder, stdio: "pipe" });
    return null;
  } catch (error) {
    return error.stderr.toString().trim().replace(/^toi [a-z-]+: |^toi: /, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("faulty files get the command's sentences", { skip: process.env.TOI_BIN ? false : "TOI_BIN is not set" }, async () => {
  const faults = [
    ["a.ply", utf8("")],
    ["a.ply", utf8("plx\n")],
    ["a.ply", utf8(ply(1).slice(0, 200))],
    ["a.ply", utf8(ply(1).replace("3 3 4 5", "3 3 4 6"))],
    ["a.ply", utf8(ply(1).replace("0.25 0.25 1", "0.25 nan 1"))],
    ["a.obj", utf8("v 1 2\n")],
    ["a.obj", utf8(obj + "f 1 2 9\n")],
    ["a.stl", utf8("solid\n")],
    ["a.ply.gz", utf8("plain")],
    ["a.ply.gz", plain(gzipSync(ply(1))).slice(0, 60)],
  ];
  for (const [name, bytes] of faults)
    await assert.rejects(toi.readFrame(bytes, name), (error) => {
      assert.equal(error.message, commandSays(name, bytes, ["check"]));
      return true;
    });
  const queries = [
    ["vf.csv", utf8("1,2,3\n")],
    ["vf.csv", utf8(csv("").replace("-1,4", "-1,3"))],
    ["vf.csv", utf8(csv("") + "1,1,1,1,1,1\n")],
    ["vf.bin", new Uint8Array(100)],
  ];
  for (const [name, bytes] of queries)
    await assert.rejects(toi.readQueries(bytes, name), (error) => {
      assert.equal(error.message, commandSays(name, bytes, ["query"]));
      return true;
    });
});
