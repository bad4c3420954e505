// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Drives the page in Chromium. script/check-viewer runs it:
//   node check.mjs VIEWER.html SCRATCH TOI DATA [--keep] [--quick] [NAME...]
// TOI: the command, for its error texts and its pages; DATA: the directory of real data, or "". --keep: writes the
// pictures that later runs are compared with. --quick: all but speed. NAMEs: only these tests.

import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { tests as access } from "./access.mjs";
import { tests as contents } from "./contents.mjs";
import { launch } from "./launch.mjs";
import { tests as pictures } from "./pictures.mjs";
import { tests as playground } from "./playground.mjs";
import { tests as scene } from "./scene.mjs";
import { tests as speed } from "./speed.mjs";

const [viewer, scratch, toi, data, ...rest] = process.argv.slice(2);
const env = {
  viewer: resolve(viewer),
  scratch: resolve(scratch),
  toi: toi && resolve(toi),
  data: data && resolve(data),
  keep: rest.includes("--keep"),
  browser: null,
  without: null,
};
const wanted = rest.filter((word) => !word.startsWith("--"));
mkdirSync(env.scratch, { recursive: true });

const all = {
  ...scene,
  ...playground,
  ...contents,
  ...access,
  ...pictures,
  ...(rest.includes("--quick") ? {} : speed),
};
const unknown = wanted.filter((name) => !(name in all));
if (unknown.length) {
  console.error(`unknown tests: ${unknown.join(", ")}; there are ${Object.keys(all).join(", ")}`);
  process.exit(2);
}
env.browser = await launch();
let failed = 0;
let skipped = 0;
for (const [name, run] of Object.entries(all)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const began = Date.now();
  try {
    const said = await run(env);
    if (said?.startsWith("skipped")) skipped++;
    console.log(
      `${said?.startsWith("skipped") ? "skip" : "ok  "} ${name} (${Date.now() - began} ms)${said ? `: ${said}` : ""}`,
    );
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${error.stack ?? error}`);
  }
  for (const page of env.browser.context.pages().slice(1)) await page.close();
}
await env.browser.end();
console.log(failed ? `${failed} tests failed` : `all tests passed${skipped ? `, ${skipped} skipped` : ""}`);
process.exit(failed ? 1 : 0);
