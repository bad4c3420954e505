// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The package in Chromium: the bits of made queries, the worker, memory that runs out, and the race with the native
// kernels, each turn of which asks the page and then the native library.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { madeQueries } from "./made.js";
import { race } from "./speed.js";

const root = new URL("../../", import.meta.url).pathname;
const types = { ".js": "text/javascript", ".wasm": "application/wasm" };
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

// The tree on the loopback interface, and the sets of queries under /set/NUMBER.
function serve(sets) {
  const server = createServer((request, response) => {
    const asked = new URL(request.url, "http://localhost").pathname;
    try {
      const set = asked.match(/^\/set\/(\d+)$/);
      const body = set ? Buffer.from(sets[set[1]].queries.buffer) : asked === "/" ? "<!doctype html><title>libtoi</title>" : readFileSync(path.join(root, path.normalize(asked)));
      response.writeHead(200, { "content-type": asked === "/" ? "text/html" : types[path.extname(asked)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404);
      response.end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

// Runs in the page: everything that the checks below ask for.
async function prepare() {
  const { load, startWorker } = await import("/build/wasm/libtoi/lib/index.js");
  const { madeQueries: made } = await import("/wasm/check/made.js");
  const toi = await load();
  let buffer = null;
  globalThis.checks = {
    version: toi.version,
    async hash(kind, points, count) {
      const bytes = toi.batch(kind, made(5, points, count)).sent().bytes;
      return Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (x) => x.toString(16).padStart(2, "0")).join("");
    },
    async take(number, kind) {
      const queries = new Float64Array(await (await fetch(`/set/${number}`)).arrayBuffer());
      buffer?.free();
      buffer = toi.queryBuffer(kind, queries.length / 24);
      buffer.queries.set(queries);
    },
    time() {
      const began = performance.now();
      buffer.batch();
      return 1e6 * (performance.now() - began);
    },
    async small() {
      const bounded = await load({ memoryMaximum: 8 << 20 });
      let refused = "";
      try {
        bounded.batch("vf", new Float64Array(24 * 200000));
      } catch (error) {
        refused = error.status;
      }
      const hit = bounded.vertexVertex([0, 0, 1, 0, 0, 0], [0, 0, -1, 0, 0, 0]);
      return [refused, hit.verdict];
    },
    async worker() {
      const worker = startWorker();
      const control = new AbortController();
      const mesh = made(9, 3, 40000).map((x) => (Number.isFinite(x) ? Math.max(-10, Math.min(10, x)) : 0));
      const cloud = { start: mesh.subarray(0, 300000), end: mesh.subarray(300000, 600000), faces: Uint32Array.from({ length: 99999 }, (_, i) => i) };
      const long = worker.run("collisions", [cloud], { signal: control.signal, progress: () => control.abort() });
      const ended = await long.then(() => "finished", (error) => error.status);
      const after = await worker.run("query", ["vv", [0, 0, 1, 0, 0, 0], [0, 0, -1, 0, 0, 0]]);
      worker.end();
      return [ended, after.verdict];
    },
    async gzip() {
      const text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
      const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
      const frame = await toi.readFrame(packed, "a.obj.gz");
      const said = async (bytes) => toi.readFrame(bytes, "a.obj.gz").then(() => "", (error) => error.message);
      return [frame.faces.length, await said(packed.slice(0, 20)), await said(new Uint8Array([1, 2, 3]))];
    },
  };
}

async function checkPage(page, native, report) {
  for (const [kind, points] of Object.entries({ vf: 4, ee: 4, ve: 3, vv: 2 })) {
    const count = 50000;
    const theirs = await native.batch(kind, madeQueries(5, points, count), count);
    const hash = createHash("sha256").update(theirs.bytes).digest("hex");
    const ours = await page.evaluate(([k, p, n]) => globalThis.checks.hash(k, p, n), [kind, points, count]);
    report(ours === hash, `Chromium, ${count} made ${kind}: hash ${ours.slice(0, 16)}, native ${hash.slice(0, 16)}`);
  }
  const small = await page.evaluate(() => globalThis.checks.small());
  report(String(small) === "memory,hit", `Chromium, out of memory: ${small}`);
  const worker = await page.evaluate(() => globalThis.checks.worker());
  report(String(worker) === "cancelled,hit", `Chromium, a worker is cancelled and goes on: ${worker}`);
  const [faces, cut, damaged] = await page.evaluate(() => globalThis.checks.gzip());
  report(faces === 3 && /ends early/.test(cut) && /not gzip data/.test(damaged), `Chromium, gzip: ${cut}; ${damaged}`);
}

async function racePage(page, native, sets, reportRace) {
  for (const [number, { name, kind, queries }] of sets.entries()) {
    const count = queries.length / 24;
    await page.evaluate(([n, k]) => globalThis.checks.take(n, k), [number, kind]);
    const ours = () => page.evaluate(() => globalThis.checks.time());
    reportRace("Chromium", name, await race(count, ours, async () => (await native.batch(kind, queries, count)).ns));
  }
}

export async function inChromium(playwright, native, sets, { report, reportRace }) {
  const { chromium } = createRequire(path.join(playwright, "package.json"))("playwright-core");
  const profile = mkdtempSync(path.join(tmpdir(), "toi-chromium-"));
  const server = await serve(sets);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.evaluate(prepare);
    await checkPage(page, native, report);
    await racePage(page, native, sets, reportRace);
  } finally {
    await context.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
