// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// A scene in view: time, list, histogram, links.

import { assert, pixels, quiet, state, tab, text } from "./expect.mjs";
import { drop, open, settled } from "./launch.mjs";
import { END, LATER, START } from "./inputs.mjs";

async function cloth(env, hash = "#example=cloth") {
  const page = await open(env.browser.context, env.viewer, { hash });
  await page.waitForSelector("#contacts .line");
  await settled(page);
  return page;
}

export const tests = {
  async slider_moves_the_scene(env) {
    const page = await cloth(env);
    const before = await pixels(page);
    await page.locator("#transport input[type=range]").fill("0.75");
    await settled(page);
    assert.equal((await state(page)).t, 0.75);
    assert.match(await text(page, ".readout"), /0\.75/);
    assert.notEqual(await pixels(page), before, "the picture did not change");
    quiet(page);
  },

  async play_runs_and_pauses(env) {
    const page = await cloth(env);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => window.toiPage.timeline.t > 0.05);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const { t } = await state(page);
    await page.waitForTimeout(200);
    assert.equal((await state(page)).t, t, "it goes on after a pause");
    quiet(page);
  },

  async a_click_in_the_list_flies_there(env) {
    const page = await cloth(env);
    const before = await state(page);
    await page.locator("#contacts .line").nth(3).click();
    await settled(page);
    const after = await state(page);
    assert.notDeepEqual(after.camera, before.camera);
    const shown = await text(page, "#panel-scene .card:nth-of-type(2)");
    assert.match(shown, /(vertex-face|edge-edge) \d+, \d+/);
    const hi = await page
      .getByRole("button", { name: /^t_hi / })
      .nth(1)
      .innerText();
    assert.equal(Number(hi), after.t, "the time is that of the contact");
    quiet(page);
  },

  async the_list_reaches_its_end(env) {
    const page = await cloth(env);
    await page.locator("#contacts").focus();
    await page.keyboard.press("End");
    await settled(page);
    const line = page.locator("#contacts .line[aria-selected=true]");
    const size = Number(await line.getAttribute("aria-setsize"));
    assert.equal(await line.getAttribute("aria-posinset"), String(size));
    assert.ok(size > 1000);
    assert.ok((await page.locator("#contacts .line").count()) < 60, "only lines in view exist");
    quiet(page);
  },

  async a_brush_narrows_list_and_marks(env) {
    const page = await cloth(env);
    const all = await page.locator("#panel-scene .fill h2").innerText();
    const box = await page.locator(".track svg").boundingBox();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const some = await page.locator("#panel-scene .fill h2").innerText();
    assert.notEqual(some, all);
    assert.match(some, /\d of \d,\d/);
    const times = await page.locator("#contacts .line span:first-child").allInnerTexts();
    for (const t of times) assert.ok(Number(t) >= 0.39 && Number(t) <= 0.51, t);
    await page.getByRole("button", { name: "All times" }).click();
    assert.equal(await page.locator("#panel-scene .fill h2").innerText(), all);
    quiet(page);
  },

  async what_is_drawn_can_be_chosen(env) {
    const page = await cloth(env, "#example=cloth&t=0.6");
    let before = await pixels(page);
    for (const name of ["Wireframe", "Shading", "Colliding", "Contacts", "Normals", "Trajectories"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await settled(page);
      const now = await pixels(page);
      assert.notEqual(now, before, `${name} changes nothing`);
      before = now;
    }
    quiet(page);
  },

  async a_sequence_has_its_steps(env) {
    const page = await open(env.browser.context, env.viewer);
    await drop(page, [
      ["f10.ply", LATER],
      ["f1.ply", START],
      ["f9.ply", END],
    ]);
    await page.waitForSelector("#transport select:not([hidden])");
    const names = await page.locator("#transport select option").allInnerTexts();
    assert.deepEqual(names, ["0: f1.ply → f9.ply", "1: f9.ply → f10.ply"]);
    await page.locator("#transport select").selectOption("1");
    await page.getByRole("button", { name: "All collisions" }).click();
    await settled(page);
    await tab(page, "Contacts");
    assert.match(await text(page, "#panel-scene"), /hit|miss/i);
    quiet(page);
  },

  async a_link_restores_the_view(env) {
    const page = await cloth(env);
    await page.locator("#contacts .line").nth(2).click();
    await page.getByRole("button", { name: "Wireframe", exact: true }).click();
    await page.getByRole("button", { name: "0x", exact: true }).click();
    await page.locator("#theme").click();
    await page.getByLabel("Brush to time").fill("0.5");
    await page.getByLabel("Brush to time").press("Enter");
    await page.locator("#stage canvas").focus();
    await page.keyboard.press("ArrowLeft");
    await settled(page);
    await page.waitForTimeout(400);
    const hash = await page.evaluate(() => location.hash);
    const other = await cloth(env, hash);
    await other.waitForTimeout(400);
    assert.equal(await other.evaluate(() => location.hash), hash);
    assert.deepEqual((await state(other)).t, (await state(page)).t);
    assert.equal(
      await text(other, "#panel-scene .card:nth-of-type(2) h2"),
      await text(page, "#panel-scene .card:nth-of-type(2) h2"),
    );
    quiet(page);
    quiet(other);
  },

  async numbers_are_exact_and_copied(env) {
    const page = await cloth(env);
    await env.browser.context.grantPermissions(["clipboard-read", "clipboard-write"]).catch(() => {});
    const number = page.getByRole("button", { name: /^t_lo / }).first();
    const decimal = await number.innerText();
    await page.locator("#hex").click();
    const hex = await number.innerText();
    assert.match(hex, /^0x1\.[0-9a-f]+p-\d+$/);
    const value = await page.evaluate(() => window.toiPage.mesh.impacts.get(0).hit.tLo);
    assert.equal(Number(decimal), value);
    await number.click();
    await page.waitForFunction(() => document.getElementById("status").textContent !== "");
    assert.match(await text(page, "#status"), /Copied 0x1\./);
    quiet(page);
  },
};
