// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The picture of the README: a page of the demonstration scene, at a contact.
//   node picture.mjs PAGE.html OUT.png

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { launch, open, settled } from "./launch.mjs";

const [file, out] = process.argv.slice(2);
const browser = await launch();
const page = await open(browser.context, resolve(file), { hash: "#t=0.47", width: 1200, height: 680 });
await page.evaluate(() => {
  const { stage } = window.toiPage;
  stage.orbit.turn(0.3, 0.16);
  stage.orbit.zoom(0.74);
  stage.orbit.pan(0, 20);
});
await settled(page);
writeFileSync(resolve(out), await page.screenshot());
await browser.end();
