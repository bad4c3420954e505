// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Chromium without a display, with pixels made by software, and pages that may not ask the network for anything: each
// request beyond the page itself is counted, and so is each line in the console that is a warning or an error.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
  "--disable-lcd-text",
  "--hide-scrollbars",
];
const PIXELS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const NO_PIXELS = ["--disable-gpu", "--disable-3d-apis", "--disable-software-rasterizer"];

/** A browser with a fresh profile; end() closes it and removes the profile. */
export async function launch({ webgl = true } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "toi-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [...FLAGS, ...(webgl ? PIXELS : NO_PIXELS)],
    viewport: { width: 1400, height: 900 },
    hasTouch: true,
    reducedMotion: "reduce",
    colorScheme: "light",
  });
  return {
    context,
    async end() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A page with its own counts of what must not happen. */
export async function open(context, file, { hash = "", width = 1400, height = 900, until = "library" } = {}) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  const url = pathToFileURL(file).href;
  const bad = { console: [], requests: [] };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") bad.console.push(message.text());
  });
  page.on("pageerror", (error) => bad.console.push(String(error.stack ?? error)));
  await page.route("**/*", (route) => {
    const asked = route.request().url();
    if (asked.split("#")[0] === url || asked.startsWith("data:") || asked.startsWith("blob:")) return route.continue();
    bad.requests.push(asked);
    return route.abort();
  });
  page.bad = bad;
  await page.goto(url + hash, { waitUntil: "commit" });
  if (until === "library") await ready(page);
  return page;
}

/** Until the library answers and the page has drawn. */
export async function ready(page) {
  await page.waitForFunction(() => document.documentElement.dataset.library === "ready", null, { timeout: 60_000 });
  await settled(page);
}

/** Until no call is under way, and the next frames are drawn. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector("progress:not([hidden])"), null, { timeout: 120_000 });
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))),
  );
}

/** Drops files with these names and contents on the page. */
export async function drop(page, files) {
  const packed = files.map(([name, content]) => [name, Buffer.from(content).toString("base64")]);
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list)
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, packed);
}
