// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The modules beside the native library, at full size. script/check-wasm runs it:
//   node run.js ANSWERS TOI DATA COUNT [PLAYWRIGHT]
// ANSWERS: answers.c as a program; TOI: the command; DATA: the directory of real data, or ""; COUNT: of made queries, 0: speed only;
// PLAYWRIGHT: where its package lies, for Chromium.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { load, loadCurved } from "../../build/wasm/libtoi/lib/index.js";
import { compare, Tally } from "./bits.js";
import { candidateQueries, readScene } from "./candidates.js";
import { inChromium } from "./chromium.js";
import { madeQueries } from "./made.js";
import { Native } from "./native.js";
import { race } from "./speed.js";

const [answers, command, data, countText, playwright] = process.argv.slice(2);
const count = Number(countText);
const MOST_RATIO = 1.8;
const RACED = 50000;
const EXACT_MOST = 20000;
let failures = 0;

function report(fine, line) {
  if (!fine) failures++;
  console.log(`${fine ? "ok    " : "FAILED"} ${line}`);
}

function reportTally(what, tally) {
  const first = tally.first ? `; first: ${JSON.stringify(tally.first)}` : "";
  report(tally.different === 0, `${what}: ${tally.queries} answers, ${tally.different} different, hash ${tally.hash}${first}`);
}

// --- bits ---

function filesUnder(folder, ending) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(name, ending) : ending.test(name) ? [name] : [];
  });
}

const kindOf = (file) => (/edge-edge|ee[^/]*$/.test(file.replace(data, "")) ? "ee" : "vf");

async function compareData(toi, native) {
  const files = ["sample-queries", "corner", "scenes"]
    .flatMap((folder) => filesUnder(path.join(data, folder), /\.(csv|csv\.gz|bin)$/))
    .filter((file) => !/\/(boxes|mma_bool|frames)\//.test(file));
  const ways = [{}, { method: "exact" }, { minSeparation: 1e-3 }, { separationFraction: 0.2 }];
  const methods = ["tight-inclusion", "time-inclusion", "cubic"].map((method) => ({ method, tolerance: 1e-4 }));
  const [read, all, others] = [new Tally(), new Tally(), new Tally()];
  for (const file of files) {
    const kind = kindOf(file);
    const { queries, count: held } = await toi.readQueries(new Uint8Array(readFileSync(file)), file);
    const theirs = await native.read(file);
    read.add(kind, file, Buffer.from(queries.buffer), theirs.bytes, 192, queries);
    for (const options of ways) await compare(toi, native, kind, queries, options, all);
    const some = queries.subarray(0, 24 * Math.min(held, 2000));
    for (const options of methods) await compare(toi, native, kind, some, options, others);
  }
  reportTally(`${files.length} files of queries, as read`, read);
  reportTally("these queries, certified, exact, and with a separation", all);
  reportTally("up to 2000 of each file, by the papers' methods", others);
}

async function compareMade(toi, native) {
  const tally = new Tally();
  const exact = new Tally();
  for (const [kind, points] of Object.entries({ vf: 4, ee: 4, ve: 3, vv: 2 })) {
    const share = Math.ceil((count * (points === 4 ? 0.4 : 0.1)) / 100000);
    for (let i = 0; i < share; i++)
      await compare(toi, native, kind, madeQueries(1000 * points + i, points, Math.min(count, 100000)), {}, tally);
    const some = madeQueries(77, points, Math.min(count, EXACT_MOST));
    for (const options of [{ method: "exact" }, { minSeparation: 0.01 }, { separationFraction: 0.3, norm: "linf" }])
      await compare(toi, native, kind, some, options, exact);
  }
  reportTally("made queries, certified", tally);
  reportTally("made queries, exact and with a separation", exact);
}

function sceneNames() {
  return readdirSync(path.join(data, "scenes")).filter((name) => existsSync(path.join(data, "scenes", name, "frames")));
}

// Every scene: the first impact, and all colliding pairs.
async function compareScenes(toi) {
  const scratch = mkdtempSync(path.join(tmpdir(), "toi-wasm-"));
  for (const scene of sceneNames()) {
    const folder = path.join(data, "scenes", scene, "frames");
    const mesh = await readScene(toi, folder);
    const names = readdirSync(folder).sort();
    const list = path.join(scratch, "hits.json");
    const said = execFileSync(command, ["step", ...names.map((name) => path.join(folder, name)), "--all", "--hits", list, "--threads", "1", "--json"]);
    const native = JSON.parse(said);
    const theirs = JSON.parse(readFileSync(list, "utf8"));
    const { hit, kind, first, second } = toi.step(mesh);
    const ours = { vf: [], ee: [], ve: [], vv: [] };
    const short = { "vertex-face": "vf", "edge-edge": "ee", "vertex-edge": "ve", "vertex-vertex": "vv" };
    for (const pair of toi.collisions(mesh)) ours[short[pair.kind]].push([pair.first, pair.second]);
    const same =
      hit.verdict === native.verdict &&
      (!native.toi || (hit.tLo === native.toi.lo && hit.tHi === native.toi.hi && hit.tSafe === native.toi.safe)) &&
      (!native.first || (short[kind] === native.first.kind && first === native.first.a && second === native.first.b)) &&
      Object.keys(ours).every((name) => JSON.stringify(ours[name]) === JSON.stringify(theirs[name] ?? []));
    report(same, `${scene}: first impact ${hit.tLo}, ${Object.values(ours).reduce((n, pairs) => n + pairs.length, 0)} colliding pairs as the command has them`);
    mesh.free();
  }
  rmSync(scratch, { recursive: true });
}

async function compareCurved() {
  const curved = await loadCurved();
  const root = new URL("../../", import.meta.url).pathname;
  const folder = path.join(root, "examples/contact");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const different = [];
  for (const name of names) {
    const native = JSON.parse(execFileSync(command, ["contact", path.join(folder, name), "--json"]));
    const answer = await curved.contact(new Uint8Array(readFileSync(path.join(folder, name))), {}, { name });
    const ours = [answer.verdict, answer.boxes, answer.contacts.map(({ point }) => point)];
    const theirs = [native.verdict, native.boxes, native.contacts.map(({ point }) => point)];
    const times = native.toi ? [native.toi.lo, native.toi.hi] : [];
    if (native.toi) ours.push([answer.tLo, answer.tHi]);
    if (native.toi) theirs.push(times);
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) different.push(name);
  }
  report(different.length === 0, `${names.length} contact scenes, verdicts, times, boxes and points: ${different.length} different ${different.join(" ")}`);
}

// --- speed ---

// Sets of candidates to race over: {name, kind, queries}; small ones are repeated.
async function raced(toi) {
  const sets = [];
  for (const scene of data ? sceneNames() : []) {
    const mesh = await readScene(toi, path.join(data, "scenes", scene, "frames"));
    for (const kind of ["vf", "ee"]) {
      const queries = candidateQueries(toi, mesh, kind, RACED);
      const repeats = Math.max(1, Math.floor((24 * RACED) / queries.length));
      const all = new Float64Array(queries.length * repeats);
      for (let i = 0; i < repeats; i++) all.set(queries, i * queries.length);
      sets.push({ name: `${scene} ${kind}`, kind, queries: all });
    }
    mesh.free();
  }
  return sets;
}

function reportRace(where, name, { module, native, ratio }) {
  report(ratio <= MOST_RATIO, `${where}, ${name}: ${module.toFixed(1)} ns per query, native ${native.toFixed(1)}, ratio ${ratio.toFixed(2)}`);
}

async function raceInNode(toi, native, sets) {
  for (const { name, kind, queries } of sets) {
    const number = queries.length / 24;
    const buffer = toi.queryBuffer(kind, number);
    buffer.queries.set(queries);
    const ours = () => {
      const began = performance.now();
      buffer.batch();
      return 1e6 * (performance.now() - began);
    };
    reportRace("node", name, await race(number, ours, async () => (await native.batch(kind, queries, number)).ns));
    buffer.free();
  }
}

// --- all of it ---

const toi = await load();
const native = new Native(answers);
if (count > 0) await compareMade(toi, native);
if (count > 0 && data) {
  await compareData(toi, native);
  await compareScenes(toi);
}
if (!data) console.log("skipped: no real data, and so no candidates to race over");
if (count > 0) await compareCurved();
const sets = await raced(toi);
await raceInNode(toi, native, sets);
if (playwright && existsSync(playwright)) await inChromium(playwright, native, sets, { report, reportRace });
else console.log("skipped: playwright-core cannot be had; nothing was asked in Chromium");
native.end();
console.log(failures === 0 ? "all as it must be" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
