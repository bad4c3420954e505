// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Everybody can use it: keyboard, touch, narrow screens, screen readers, no WebGL.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { assert, quiet, state, tab, text } from "./expect.mjs";
import { drop, launch, open, settled } from "./launch.mjs";
import { END, START } from "./inputs.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious findings of axe, as lines. */
async function findings(page) {
  // The page's policy forbids foreign scripts, so it is put in by the protocol.
  await page.evaluate(`${AXE}; 0`);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
  });
}

/** Tab until something has the focus. */
async function tabTo(page, selector) {
  for (let i = 0; i < 120; i++) {
    if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${selector} cannot be reached by keyboard`);
}

export const tests = {
  async keyboard_alone_suffices(env) {
    const page = await open(env.browser.context, env.viewer);
    await tabTo(page, "#panel-scene button.primary");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#contacts .line");
    await settled(page);
    await tabTo(page, "#stage canvas");
    const before = await state(page);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("+");
    await settled(page);
    assert.notDeepEqual((await state(page)).camera, before.camera);
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.toiPage.timeline.t > 0.02);
    await page.keyboard.press(" ");
    await page.keyboard.press(".");
    assert.equal(await page.locator("#contacts .line[aria-selected=true]").count(), 1);
    await tabTo(page, "#transport input[type=range]");
    const { t } = await state(page);
    await page.keyboard.press("ArrowRight");
    assert.notEqual((await state(page)).t, t);
    await tabTo(page, "#tab-scene");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-query");
    await tabTo(page, "#panel-query .points input");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("7");
    await settled(page);
    assert.match(await text(page, "#panel-query .card"), /MISS/);
    quiet(page);
  },

  async fingers_turn_and_zoom(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=cloth" });
    await page.waitForSelector("#contacts .line");
    await settled(page);
    const before = await state(page);
    const client = await env.browser.context.newCDPSession(page);
    const touch = (type, ...points) =>
      client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await touch("touchStart", [400, 400]);
    await touch("touchMove", [460, 420]);
    await touch("touchEnd");
    await settled(page);
    const turned = await state(page);
    assert.notDeepEqual(turned.camera, before.camera);
    await touch("touchStart", [400, 400], [500, 400]);
    await touch("touchMove", [350, 400], [550, 400]);
    await touch("touchEnd");
    await settled(page);
    const distance = ({ camera }) => Math.hypot(camera[0] - camera[3], camera[1] - camera[4], camera[2] - camera[5]);
    assert.ok(distance(await state(page)) < 0.8 * distance(turned), "two fingers did not zoom");
    quiet(page);
  },

  async narrow_screens_show_all(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=cloth", width: 400, height: 800 });
    await page.waitForSelector("#contacts .line");
    for (const name of ["Contacts", "Run", "Query", "Methods", "Help"]) {
      await tab(page, name);
      await settled(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 400, `${name} is ${wide} pixels wide`);
    }
    quiet(page);
  },

  async screen_readers_have_no_serious_finding(env) {
    const found = [];
    for (const theme of ["light", "dark"]) {
      const page = await open(env.browser.context, env.viewer, { hash: `#example=cloth&theme=${theme}` });
      await page.waitForSelector("#contacts .line");
      await page.locator("#contacts .line").first().click();
      for (const name of ["Contacts", "Run", "Query", "Methods", "Help"]) {
        await tab(page, name);
        await settled(page);
        for (const line of await findings(page)) found.push(`${theme}, ${name}: ${line}`);
      }
      quiet(page);
      await page.close();
    }
    assert.deepEqual(found, []);
  },

  async without_webgl_lists_numbers_and_queries_work(env) {
    const browser = await launch({ webgl: false });
    try {
      const page = await open(browser.context, env.viewer, { hash: "#tab=run" });
      assert.equal(await page.evaluate(() => window.toiPage.stage.available), false);
      assert.match(await text(page, "#no-webgl"), /WebGL/);
      await drop(page, [
        ["a.ply", START],
        ["b.ply", END],
      ]);
      await page.getByRole("button", { name: "All collisions" }).click();
      await page.waitForSelector("#contacts .line");
      await page.locator("#contacts .line").first().click();
      assert.match(await text(page, "#panel-scene .card:nth-of-type(2)"), /vertex-face 3, 0/);
      await tab(page, "Query");
      await page.getByLabel("v at the end, z").fill("0.5");
      await settled(page);
      assert.match(await text(page, "#panel-query .card"), /MISS/);
      assert.deepEqual(page.bad.requests, []);
      assert.deepEqual(
        page.bad.console.filter((line) => !/webgl|gpu|context/i.test(line)),
        [],
      );
    } finally {
      await browser.end();
    }
  },
};
