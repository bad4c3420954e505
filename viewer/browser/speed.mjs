// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Large steps: how big the page is, how long it takes to load, to answer, and to draw; medians of five runs. Where other
// work slows the machine, drawing is held against a bare three.js page with the same triangles, measured in turn with it.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { assert, quiet } from "./expect.mjs";
import { open } from "./launch.mjs";

const RUNS = 5;
const LOAD_MS = 5000;
const ANSWER_MS = 3000;
const FRAME_MS = 150;
const BARE_RATIO = 1.5;

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** A page that draws the same triangles with three.js as its manual says: no marks, nothing else. */
async function barePage(env, name) {
  const here = dirname(fileURLToPath(import.meta.url));
  const made = await build({
    entryPoints: [join(here, "bare.mjs")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    logLevel: "warning",
  });
  const data = /<script id="toi-data" type="text\/plain">([^<]*)</.exec(
    readFileSync(join(env.scratch, `${name}.html`), "utf8"),
  )[1];
  const out = join(env.scratch, `${name}-bare.html`);
  writeFileSync(
    out,
    `<!doctype html><style>body{margin:0}</style><script id="data" type="text/plain">${data}</script><script>${made.outputFiles[0].text}</script>`,
  );
  return out;
}

/** The times of some moves of the slider, each drawn to the last pixel. */
function moves(page, from, to) {
  return page.evaluate(
    ([first, last]) => {
      const ms = [];
      for (let i = first; i < last; i++) {
        const began = performance.now();
        window.toiMove(i / 99);
        ms.push(performance.now() - began);
      }
      return ms;
    },
    [from, to],
  );
}

/** The 95th percentile of 100 moves on each of two pages, by turns, so that what slows one slows the other. */
async function byTurns(page, other) {
  const times = [[], []];
  for (let i = 0; i < 100; i += 5) {
    times[0].push(...(await moves(page, i, i + 5)));
    times[1].push(...(await moves(other, i, i + 5)));
  }
  return times.map((list) => list.sort((a, b) => a - b)[94]);
}

async function measure(env, scene) {
  const frames = join(env.data, "scenes", scene, "frames");
  if (!env.toi || !env.data || !existsSync(frames))
    return `skipped: the frames of ${scene} or the command toi are not there`;
  const [start, end] = readdirSync(frames)
    .sort()
    .map((file) => join(frames, file));
  const out = join(env.scratch, `${scene}.html`);
  execFileSync(env.toi, ["view", start, end, "--viewer", env.viewer, "--out", out], { stdio: "pipe" });
  const size = statSync(out).size;
  const limit = 2 * (statSync(start).size + statSync(end).size);
  const bare = await barePage(env, scene);
  const found = { load: [], answer: [], frame: [], bare: [], ratio: [] };
  for (let run = 0; run < RUNS; run++) {
    const began = Date.now();
    const page = await open(env.browser.context, out, { until: "nothing" });
    await page.waitForFunction(() => window.toiPage?.stage.drawn > 0, null, { polling: 20, timeout: 60_000 });
    found.load.push(Date.now() - began);
    await page.waitForFunction(() => document.documentElement.dataset.library === "ready", null, { timeout: 60_000 });
    found.answer.push(
      await page.evaluate(async () => {
        const began = performance.now();
        await window.toiPage.mesh.findFirst({}, {});
        return performance.now() - began;
      }),
    );
    await page.evaluate(() => {
      window.toiMove = (t) => {
        window.toiPage.timeline.setTime(t, true);
        window.toiPage.stage.drawNow(performance.now(), true);
      };
    });
    const other = await open(env.browser.context, bare, { until: "nothing" });
    await other.waitForFunction(() => window.toiMove);
    const [own, theirs] = await byTurns(page, other);
    found.frame.push(own);
    found.bare.push(theirs);
    found.ratio.push(own / theirs);
    quiet(page);
    await page.close();
    await other.close();
  }
  const of = Object.fromEntries(Object.entries(found).map(([key, list]) => [key, median(list)]));
  const said = `${(size / 1e6).toFixed(2)} MB of ${(limit / 1e6).toFixed(2)}, load ${of.load} ms, first impact ${of.answer.toFixed(0)} ms, frame ${of.frame.toFixed(0)} ms (p95), ${of.ratio.toFixed(2)} times a bare page (${of.bare.toFixed(0)} ms)`;
  assert.ok(size < limit, said);
  assert.ok(of.load < LOAD_MS, said);
  assert.ok(of.answer < ANSWER_MS, said);
  assert.ok(of.frame <= FRAME_MS || of.ratio <= BARE_RATIO, said);
  return said;
}

export const tests = {
  speed_n_body: (env) => measure(env, "n-body-simulation"),
  speed_cloth_ball: (env) => measure(env, "cloth-ball"),
};
