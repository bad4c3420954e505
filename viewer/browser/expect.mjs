// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

import assert from "node:assert/strict";

export { assert };

/** Nothing in the console, nothing asked of the network. */
export function quiet(page) {
  assert.deepEqual(page.bad.console, [], "the console is not empty");
  assert.deepEqual(page.bad.requests, [], "the page asked the network");
}

/** Chooses a tab of the panel. */
export async function tab(page, name) {
  await page.getByRole("tab", { name, exact: true }).click();
}

export function text(page, selector) {
  return page.locator(selector).first().innerText();
}

/** The camera and the time, as a link has them. */
export function state(page) {
  return page.evaluate(() => {
    const { stage, timeline } = window.toiPage;
    return { camera: stage.orbit.numbers(), t: timeline.t, drawn: stage.drawn };
  });
}

/** What the canvas shows, as one number. */
export async function pixels(page) {
  const shot = await page.locator("#stage canvas").screenshot();
  let hash = 0;
  for (const byte of shot) hash = (Math.imul(hash, 31) + byte) | 0;
  return hash;
}
