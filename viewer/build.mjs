// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Builds the page: one HTML file with script, style, worker and the library's modules inside.
//   node build.mjs PACKAGE OUT.html   PACKAGE: the built npm package of the library
//   node build.mjs PACKAGE --tests DIRECTORY   bundles tests/*.test.ts for node --test

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [, , packagePath, target, testsOut] = process.argv;
if (!packagePath || !target) {
  console.error("usage: node build.mjs PACKAGE OUT.html | node build.mjs PACKAGE --tests DIRECTORY");
  process.exit(2);
}
const library = resolve(packagePath);
const entry = (name) => join(library, name);

/** The library's worker as one classic script, in a string. */
async function workerSource() {
  const made = await build({
    entryPoints: [entry("worker.js")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    external: ["node:*"],
    legalComments: "none",
    logLevel: "warning",
    define: { "import.meta.url": '""' },
  });
  return made.outputFiles[0].text;
}

/** Scenes that name no other file. */
function scenes() {
  const folder = join(here, "..", "examples", "contact");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, title: JSON.parse(text).title ?? name, text };
    });
}

const virtual = {
  name: "virtual",
  setup(plugin) {
    plugin.onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path, namespace: "virtual" }));
    plugin.onResolve({ filter: /^libtoi$/ }, () => ({ path: entry("index.js") }));
    plugin.onLoad({ filter: /.*/, namespace: "virtual" }, async ({ path }) => {
      const contents = path === "virtual:worker" ? await workerSource() : JSON.stringify(scenes());
      return { contents, loader: path === "virtual:worker" ? "text" : "json" };
    });
  },
};

const common = {
  bundle: true,
  target: "es2022",
  plugins: [virtual],
  absWorkingDir: here,
  legalComments: "none",
  logLevel: "warning",
  external: ["node:*"],
};

if (target === "--tests") {
  const tests = readdirSync(join(here, "tests"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(here, "tests", name));
  await build({
    ...common,
    entryPoints: tests,
    format: "esm",
    platform: "node",
    outdir: resolve(testsOut),
    outExtension: { ".js": ".mjs" },
  });
  process.exit(0);
}

/** A module as base64 of gzip: inflated by the page. */
function embedded(id, file) {
  const packed = gzipSync(readFileSync(entry(file)), { level: 9 }).toString("base64");
  return `<script id="${id}" type="text/plain">${packed}</script>`;
}

const script = await build({
  ...common,
  entryPoints: [join(here, "src", "main.ts")],
  write: false,
  minify: true,
  format: "iife",
  platform: "browser",
  define: { "import.meta.url": '""' },
});
const style = await build({ entryPoints: [join(here, "page.css")], write: false, minify: true, logLevel: "warning" });
/** What is inside, and may be passed on with its licence only. */
const licences = [join(here, "..", "LICENSE"), join(here, "node_modules", "three", "LICENSE")]
  .map((file) => readFileSync(file, "utf8").trim())
  .join("\n\nthree.js, which is inside:\n\n");
const parts = {
  "<!--LICENCES-->": `<!--\n${licences}\n-->`,
  "/*STYLE*/": style.outputFiles[0].text.trim(),
  "<!--MODULES-->": [embedded("toi-core", "libtoi.wasm"), embedded("toi-curved", "libtoi-curved.wasm")].join("\n"),
  "/*SCRIPT*/": script.outputFiles[0].text.trim(),
};
let page = readFileSync(join(here, "page.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) {
  if (page.split(mark).length !== 2) throw new Error(`page.html must hold ${mark} once`);
  page = page.replace(mark, () => text);
}
const place = '<script id="toi-data" type="text/plain"></script>';
if (page.split(place).length !== 2) throw new Error("the page must hold the place for data once");
mkdirSync(dirname(resolve(target)), { recursive: true });
writeFileSync(resolve(target), page);
console.log(`${target}: ${(page.length / 1e6).toFixed(2)} MB`);
