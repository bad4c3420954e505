// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The worker: answers as in the page, progress, cancelling, and what cannot be sent.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { directory, end, falling, load, sheets, sources, start, startWorker, toiError } from "./package.js";

test("a worker answers as the page does, in order", async () => {
  const toi = await load();
  const worker = startWorker();
  const [hit, impact, list] = await Promise.all([
    worker.run("query", ["vf", start, end]),
    worker.run("step", [falling]),
    worker.run("collisions", [falling]),
  ]);
  assert.deepEqual(hit, toi.vertexFace(start, end));
  assert.deepEqual(impact, toi.step(falling));
  assert.deepEqual(list.toArray(), toi.collisions(falling).toArray());
  const answer = await worker.run("contact", [readFileSync(path.join(sources, "examples/contact/two-spheres.json"), "utf8")]);
  assert.equal(answer.verdict, "hit");
  worker.end();
  await assert.rejects(worker.run("step", [falling]), toiError("cancelled", /ended/));
});

test("errors come through, and the worker lives on", async () => {
  const worker = startWorker();
  await assert.rejects(worker.run("step", [{ ...falling, faces: [0, 1, 9] }]), toiError("input", /9/));
  await assert.rejects(worker.run("readFrame", [new Uint8Array(3), "a.ply"]), toiError("format", /^a\.ply/));
  await assert.rejects(worker.run("nothing", []), toiError("input", /unknown job 'nothing'/));
  await assert.rejects(worker.run("step", [falling, { mayCollide: () => true }]), toiError("input", /cannot be asked/));
  const work = {};
  await worker.run("step", [falling, { work }]);
  assert.ok(work.candidates["vertex-face"] >= 1);
  worker.end();
});

test("progress comes in messages; cancelling ends what is under way and nothing else", async () => {
  const mesh = sheets(150);
  const worker = startWorker({ module: await WebAssembly.compile(readFileSync(path.join(directory, "lib/libtoi.wasm"))) });
  const control = new AbortController();
  const seen = [];
  const long = worker.run("collisions", [mesh], {
    signal: control.signal,
    progress: (done) => {
      seen.push(done);
      control.abort();
    },
  });
  const waiting = worker.run("query", ["vf", start, end]);
  const dropped = new AbortController();
  const never = worker.run("step", [falling], { signal: dropped.signal });
  dropped.abort();
  await assert.rejects(never, toiError("cancelled", /./));
  await assert.rejects(long, toiError("cancelled", /./));
  assert.ok(seen.length >= 1 && seen.every((done) => done >= 0 && done <= 1));
  assert.equal((await waiting).verdict, "hit");
  await assert.rejects(worker.run("step", [falling], { signal: AbortSignal.abort() }), toiError("cancelled", /./));
  worker.end();
});
