// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Pages with data inside, as `toi view` writes them: what they show, and that nothing in them becomes markup.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, quiet, state, tab, text } from "./expect.mjs";
import { drop, open, settled } from "./launch.mjs";
import { END, LATER, SCENE, START, SWEEP } from "./inputs.mjs";

const EVIL = "<script>window.bad=1<\\script><img src=x onerror=window.bad=1>.ply".replace("\\", "∕");

/** Makes a page with the command. */
function view(env, name, ...words) {
  const out = join(env.scratch, `${name}.html`);
  execFileSync(env.toi, ["view", ...words, "--viewer", env.viewer, "--out", out], { cwd: env.scratch, stdio: "pipe" });
  return out;
}

function files(env, ...list) {
  for (const [name, content] of list) writeFileSync(join(env.scratch, name), content);
}

export const tests = {
  async a_step_opens_with_its_answer(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    files(env, ["a.ply", START], ["b.ply", END]);
    const page = await open(env.browser.context, view(env, "step", "a.ply", "b.ply"));
    const card = await text(page, "#panel-scene .card");
    assert.match(card, /HIT/);
    assert.match(card, /vertex-face 3, 0/);
    assert.match(card, /t_safe\s+0\.49999999999999994/);
    await page.locator("#contacts .line").first().click();
    assert.equal((await state(page)).t >= 0.5, true);
    quiet(page);
  },

  async a_sequence_opens_with_its_steps(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    files(env, ["s0.ply", START], ["s1.ply", END], ["s2.ply", LATER]);
    const page = await open(env.browser.context, view(env, "sequence", "s0.ply", "s1.ply", "s2.ply"));
    assert.equal(await page.locator("#transport select option").count(), 2);
    const first = await text(page, "#panel-scene .card");
    await page.locator("#transport select").selectOption("1");
    await settled(page);
    assert.notEqual(await text(page, "#panel-scene .card"), first);
    quiet(page);
  },

  async a_scene_of_rigid_bodies_opens_with_its_contacts(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    files(env, ["door.json", SWEEP]);
    const page = await open(env.browser.context, view(env, "sweep", "door.json"));
    assert.match(await text(page, "#panel-scene .card"), /HIT/);
    const time = await state(page);
    assert.equal(time.t, 10, "the time begins where the scene's does");
    await page.locator("#contacts .line").first().click();
    assert.match(await text(page, "#panel-scene .card:nth-of-type(2)"), /vertex-face/i);
    assert.ok(Math.abs((await state(page)).t - 11) < 1e-9);
    quiet(page);
  },

  async a_contact_scene_opens_with_its_contacts(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    files(env, ["balls.json", SCENE]);
    const page = await open(env.browser.context, view(env, "contact", "balls.json"));
    assert.match(await text(page, "#panel-scene .card"), /HIT/);
    await page.locator("#contacts .line").first().click();
    assert.match(await text(page, "#panel-scene .card:nth-of-type(2)"), /unique/i);
    quiet(page);
  },

  async models_and_cases_open_with_their_answers(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    const turning = join(env.scratch, "surface.html");
    const motion = "--shift-b 0,0,6 --velocity-b 0,0,-4 --spin-b 0,0.5,0".split(" ");
    execFileSync(env.toi, ["surface", "teapot", "torus", ...motion, "--viewer", env.viewer, "--view", turning], {
      stdio: "pipe",
    });
    const page = await open(env.browser.context, turning);
    assert.match(await text(page, "#panel-scene .card"), /HIT|NEAR|MISS/);
    assert.equal(await text(page, "#title"), "teapot and torus");
    await page.locator("#contacts .line").first().click();
    assert.match(await text(page, "#panel-scene .card:nth-of-type(2)"), /patch 18 – patch 2/);
    await tab(page, "Run");
    await page.getByRole("button", { name: "First contact" }).click();
    await settled(page);
    assert.equal(await page.locator("#panel-run .error").count(), 0);
    quiet(page);
    const square = (z, v) => ({
      type: "quad",
      degree: [1, 1],
      points: [
        [0, 0, z],
        [0, 1, z],
        [1, 0, z],
        [1, 1, z],
      ],
      velocities: Array(4).fill([0, 0, v]),
    });
    files(env, [
      "cases.jsonl",
      `${JSON.stringify({ a: square(0, 0), b: square(1, -2) })}\n${JSON.stringify({ a: square(0, 0), b: square(5, -2) })}\n`,
    ]);
    const cases = await open(env.browser.context, view(env, "cases", "cases.jsonl"));
    assert.equal(await cases.locator("#contacts .line").count(), 2);
    await cases.locator("#contacts .line").first().click();
    await settled(cases);
    assert.match(await text(cases, "#panel-scene .card:nth-of-type(2)"), /hit|near/i);
    quiet(cases);
  },

  async names_never_become_markup(env) {
    const page = await open(env.browser.context, env.viewer);
    await drop(page, [
      [`1${EVIL}`, START],
      [`2${EVIL}`, END],
    ]);
    await page.getByRole("button", { name: "All collisions" }).click();
    await settled(page);
    assert.ok((await text(page, "#title")).includes("<script>"));
    await drop(page, [[`3${EVIL}`, "ply\nnot a mesh"]]);
    await page.waitForSelector("#panel-run .error");
    await drop(page, [["x.json", SCENE.replace("Two balls", EVIL)]]);
    await settled(page);
    assert.ok((await text(page, "#title")).includes("<script>"));
    assert.equal(await page.evaluate(() => window.bad), undefined);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img, #title *, #panel-scene script").length), 0);
    quiet(page);
  },

  async names_in_a_page_never_become_markup(env) {
    if (!env.toi) return "skipped: the command toi was not built";
    const name = "<script>window.bad=1<!--.ply";
    files(env, [name, START], ["b.ply", END]);
    const made = view(env, "evil", name, "b.ply");
    assert.ok(!readFileSync(made, "utf8").includes("window.bad=1"), "the name is in the page as text");
    const page = await open(env.browser.context, made);
    assert.ok((await text(page, "#title")).includes("<script>"));
    assert.equal(await page.evaluate(() => window.bad), undefined);
    quiet(page);
  },

  async damaged_data_are_refused(env) {
    const out = join(env.scratch, "damaged.html");
    const place = '<script id="toi-data" type="text/plain">';
    writeFileSync(out, readFileSync(env.viewer, "utf8").replace(place, `${place}H4sIAAAAAAAAAwMAAAAAAAAAAAA=`));
    const page = await open(env.browser.context, out);
    assert.match(await text(page, "#panel-run .error"), /data in this page|not of a known format/);
    await tab(page, "Query");
    assert.match(await text(page, "#panel-query .card"), /HIT/);
    quiet(page);
  },
};
