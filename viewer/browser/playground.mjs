// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The library in the tab: files, queries, methods, dragging.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, quiet, state, tab, text } from "./expect.mjs";
import { drop, open, settled } from "./launch.mjs";
import { BAD, END, SCENE, START } from "./inputs.mjs";

async function queryPage(env, example) {
  const page = await open(env.browser.context, env.viewer, { hash: "#tab=query" });
  if (example !== undefined) {
    const select = page.getByLabel("Example query");
    const option = await select.locator("option").filter({ hasText: example }).getAttribute("value");
    await select.selectOption(option);
    await settled(page);
  }
  return page;
}

/** What the command says about a bad file; its last line on standard error, less the name of the command. */
function said(env, file) {
  try {
    execFileSync(env.toi, ["check", file], { cwd: env.scratch, stdio: "pipe" });
  } catch (error) {
    return String(error.stderr)
      .trim()
      .split("\n")
      .at(-1)
      .replace(/^toi( check)?: /, "");
  }
  return null;
}

export const tests = {
  async two_dropped_files_are_answered(env) {
    const page = await open(env.browser.context, env.viewer);
    await drop(page, [
      ["a.ply", START],
      ["b.ply", END],
    ]);
    await page.getByRole("button", { name: "First impact" }).click();
    await settled(page);
    await tab(page, "Contacts");
    const card = await text(page, "#panel-scene .card");
    assert.match(card, /HIT/);
    assert.match(card, /vertex-face 3, 0/);
    assert.match(card, /t_safe\s+0\.49999999999999994/);
    quiet(page);
  },

  async a_dropped_scene_is_answered(env) {
    const page = await open(env.browser.context, env.viewer);
    await drop(page, [["balls.json", SCENE]]);
    await page.getByRole("button", { name: "First contact" }).click();
    await page.waitForSelector("#contacts .line");
    const card = await text(page, "#panel-scene .card");
    assert.match(card, /HIT/);
    await page.locator("#contacts .line").first().click();
    const contact = await text(page, "#panel-scene .card:nth-of-type(2)");
    assert.match(contact, /UNIQUE/i);
    assert.match(contact, /<b>left<\/b> – right/);
    assert.equal((await state(page)).t, 1);
    assert.match(await text(page, ".stage-note"), /for display only/);
    quiet(page);
  },

  async bad_files_get_the_commands_words(env) {
    const page = await open(env.browser.context, env.viewer);
    for (const [name, content] of BAD) {
      writeFileSync(join(env.scratch, name), content);
      const expected = env.toi ? said(env, name) : null;
      await page.evaluate(() => {
        for (const box of document.querySelectorAll("#panel-run .error")) box.remove();
      });
      await drop(page, [[name, content]]);
      await page.waitForSelector("#panel-run .error");
      const found = await text(page, "#panel-run .error");
      assert.ok(found.includes(name), found);
      if (expected) assert.equal(found, expected);
    }
    // And the page lives on.
    await drop(page, [
      ["a.ply", START],
      ["b.ply", END],
    ]);
    await page.getByRole("button", { name: "First impact" }).click();
    await settled(page);
    await tab(page, "Contacts");
    assert.match(await text(page, "#panel-scene .card"), /HIT/);
    quiet(page);
    return env.toi ? "" : "the command was not there to compare with";
  },

  async out_of_memory_is_an_error_and_the_page_lives_on(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=cloth&tab=run" });
    await settled(page);
    await page.getByLabel("Memory of the library").fill("100000");
    await page.getByLabel("Memory of the library").press("Enter");
    await page.getByRole("button", { name: "All collisions" }).click();
    await page.waitForSelector("#panel-run .error");
    assert.match(await text(page, "#panel-run .error"), /memory|budget/i);
    await page.getByLabel("Memory of the library").fill("");
    await page.getByLabel("Memory of the library").press("Enter");
    await page.getByRole("button", { name: "First impact" }).click();
    await settled(page);
    assert.match(await text(page, "#panel-run"), /First impact: \d+ ms/);
    quiet(page);
  },

  async editing_a_query_changes_the_answer(env) {
    const page = await queryPage(env, "A vertex falls");
    assert.match(await text(page, "#panel-query .card"), /HIT/);
    await page.getByLabel("v at the end, z").fill("0.5");
    await settled(page);
    assert.match(await text(page, "#panel-query .card"), /MISS/);
    assert.equal(await text(page, "#query-level"), "box");
    await page.getByLabel("v at the end, z").fill("0x1.8p+");
    assert.equal(await page.getByLabel("v at the end, z").getAttribute("aria-invalid"), "true");
    await page.getByLabel("v at the end, z").fill("-0x1p+0");
    await settled(page);
    assert.match(await text(page, "#panel-query .card"), /HIT/);
    quiet(page);
  },

  async the_explanation_is_drawn_from_the_library(env) {
    const page = await queryPage(env, "A vertex falls");
    const same = await page.evaluate(() => {
      const { toi, query } = window.toiPage;
      const x = toi.explain(query.kind, query.points.slice(0, 12), query.points.slice(12));
      const cells = [...document.querySelectorAll("#panel-query table tbody tr td:nth-child(2) .num")].map((cell) =>
        Number(cell.textContent),
      );
      return {
        shown: cells,
        said: x.coefficient,
        roots: x.roots.length,
        cards: document.querySelectorAll(".roots .card").length,
      };
    });
    assert.deepEqual(same.shown, Array.from(same.said));
    assert.equal(same.cards, same.roots);
    assert.ok(same.roots >= 1);
    await page.getByRole("button", { name: "Certificate" }).click();
    assert.match(await text(page, ".certificate"), /\S/);
    quiet(page);
  },

  async every_situation_has_its_answer(env) {
    const page = await queryPage(env);
    const expected = [
      ["Double root", /HIT/, /multiplicity 2/],
      ["Coplanar", /HIT/, /in a plane/],
      ["Corner", /HIT/, /t_lo\s+0\.5/],
      ["False alarm", /MISS/, /./],
      ["Minimum separation", /HIT/, /separation\s+0\.25/],
    ];
    for (const [example, verdict, detail] of expected) {
      const select = page.getByLabel("Example query");
      await select.selectOption(await select.locator("option").filter({ hasText: example }).getAttribute("value"));
      await settled(page);
      assert.match(await text(page, "#panel-query .card"), verdict, example);
      assert.match(await text(page, "#panel-query"), detail, example);
    }
    quiet(page);
  },

  async the_method_can_be_changed(env) {
    const page = await queryPage(env, "A vertex falls");
    await page.getByText("Options: method").click();
    await page.locator("#option-method").selectOption("tight-inclusion");
    await settled(page);
    assert.equal(await text(page, "#query-level"), "search");
    await page.locator("#option-method").selectOption("exact");
    await settled(page);
    assert.equal(await text(page, "#query-level"), "exact");
    quiet(page);
  },

  async methods_are_compared(env) {
    const page = await queryPage(env, "False alarm");
    await tab(page, "Methods");
    const table = await text(page, "#panel-methods table");
    for (const method of ["certified", "exact", "tight-inclusion", "interval-queue", "cubic", "time-inclusion"])
      assert.ok(table.includes(method), method);
    assert.match(table, /false alarm/);
    await tab(page, "Query");
    const select = page.getByLabel("Example query");
    await select.selectOption(await select.locator("option").filter({ hasText: "Early" }).getAttribute("value"));
    await tab(page, "Methods");
    assert.match(await text(page, "#panel-methods table"), /early by/);
    quiet(page);
  },

  async methods_are_compared_on_the_scene(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=triangles" });
    await page.waitForSelector("#contacts .line");
    await settled(page);
    await tab(page, "Methods");
    await page.getByRole("button", { name: /^Compare on/ }).click();
    await page.waitForFunction(() => document.querySelectorAll("#panel-methods .card:last-child tbody tr").length >= 5);
    quiet(page);
  },

  async a_dragged_point_of_a_query_is_answered_at_once(env) {
    const page = await queryPage(env, "A vertex falls");
    const before = await text(page, "#panel-query .card");
    const at = await page.evaluate(() => {
      const { stage, queryLayer } = window.toiPage;
      const box = stage.canvas.getBoundingClientRect();
      const p = stage.project(queryLayer.handle(4));
      return { x: box.left + p.x, y: box.top + p.y };
    });
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y - 30, { steps: 5 });
    await page.mouse.up();
    await settled(page);
    assert.notEqual(await text(page, "#panel-query .card"), before);
    assert.notEqual(await page.getByLabel("v at the end, x").inputValue(), "0.25");
    quiet(page);
  },

  async a_dragged_vertex_is_answered_at_once(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=triangles&t=0" });
    await page.waitForSelector("#contacts .line");
    await settled(page);
    await tab(page, "Run");
    await page.getByLabel(/Drag vertices/).check();
    await tab(page, "Contacts");
    const before = await text(page, "#panel-scene .card");
    const at = await page.evaluate(() => {
      const { stage, mesh } = window.toiPage;
      const box = stage.canvas.getBoundingClientRect();
      const p = stage.project(mesh.layer.drawn(3));
      return { x: box.left + p.x, y: box.top + p.y };
    });
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y - 80, { steps: 6 });
    await page.mouse.up();
    await settled(page);
    const after = await text(page, "#panel-scene .card");
    assert.notEqual(after, before);
    assert.match(after, /HIT/);
    quiet(page);
  },

  async a_pair_of_the_list_can_be_explained(env) {
    const page = await open(env.browser.context, env.viewer, { hash: "#example=cloth" });
    await page.waitForSelector("#contacts .line");
    await page.locator("#contacts .line").nth(1).click();
    const level = await page.locator("#contacts .line").nth(1).locator("span").last().innerText();
    await page.getByRole("button", { name: "Explain" }).click();
    await settled(page);
    assert.match(await text(page, "#panel-query .card"), /HIT/);
    assert.equal(await text(page, "#query-level"), level);
    quiet(page);
  },
};
