// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Pictures of the page against kept ones: at most 2 % of the pixels may differ by more than 16 of 255.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { difference } from "./compare.mjs";
import { assert, quiet, tab } from "./expect.mjs";
import { open, settled } from "./launch.mjs";

const KEPT = join(dirname(fileURLToPath(import.meta.url)), "shots");
const MOST = 0.02;

/** Name, link, size, and what is waited for or done first. */
const SHOTS = [
  ["cloth", "#example=cloth&t=0.62", 1040, 640, async (page) => page.waitForSelector("#contacts .line")],
  [
    "cloth-dark",
    "#example=cloth&t=0.62&theme=dark&show=shading,wires,colliding,contacts,normals,crossings",
    1040,
    640,
    async (page) => {
      await page.waitForSelector("#contacts .line");
      await page.locator("#contacts .line").nth(4).click();
    },
  ],
  ["crossed", "#example=crossed", 1040, 640, async (page) => page.waitForSelector("#contacts .line")],
  ["tori", "#example=tori-crossed.json&t=0.75", 1040, 640, async (page) => page.waitForSelector("#contacts .line")],
  ["query", "#tab=query&t=0.4", 1040, 1100, async () => {}],
  ["narrow", "#example=triangles&t=0.45", 400, 800, async (page) => page.waitForSelector("#contacts .line")],
];

export const tests = Object.fromEntries(
  SHOTS.map(([name, hash, width, height, prepare]) => [
    `picture_${name.replace("-", "_")}`,
    async (env) => {
      const page = await open(env.browser.context, env.viewer, { hash, width, height });
      await prepare(page);
      await settled(page);
      // Times differ from run to run, and a message fades.
      await page.evaluate(() => document.getElementById("status").classList.remove("on"));
      await page.waitForTimeout(300);
      const shot = await page.screenshot();
      writeFileSync(join(env.scratch, `${name}.png`), shot);
      const kept = join(KEPT, `${name}.png`);
      if (env.keep) writeFileSync(kept, shot);
      assert.ok(existsSync(kept), `${kept} is missing: make it with --keep, and look at it`);
      const part = await difference(env.browser.context, shot, readFileSync(kept));
      assert.ok(
        part <= MOST,
        `${(100 * part).toFixed(2)} % of the pixels differ; see ${join(env.scratch, `${name}.png`)}`,
      );
      quiet(page);
      await tab(page, "Help");
      return `${(100 * part).toFixed(3)} % differ`;
    },
  ]),
);
