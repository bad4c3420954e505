// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The package is complete, and its types name what it has.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import * as toi from "./package.js";

const manifest = JSON.parse(readFileSync(path.join(toi.directory, "package.json"), "utf8"));
const types = readFileSync(path.join(toi.directory, "lib/libtoi.d.ts"), "utf8");

// The members that the types give an interface.
function members(name) {
  const body = types.match(new RegExp(`export interface ${name}[^{]*\\{([^]*?)\\n\\}`))[1];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:<]/gm)].map(([, member]) => member).sort();
}

function offered(object) {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
  return own.sort();
}

test("the version is the library's, in both modules", async () => {
  assert.equal((await toi.load()).version, manifest.version);
  assert.equal((await toi.loadCurved()).version, manifest.version);
});

test("what the manifest names is there", () => {
  const named = Object.values(manifest.exports).flatMap((one) => (typeof one === "string" ? [one] : Object.values(one)));
  for (const file of [...named, manifest.types, "README.md", "LICENSE"])
    assert.ok(existsSync(path.join(toi.directory, file)), file);
  assert.equal(manifest.dependencies, undefined);
});

test("types and objects have the same members", async () => {
  assert.deepEqual(offered(await toi.load()), members("Toi"));
  assert.deepEqual(offered(await toi.loadCurved()), members("Curved"));
  for (const name of ["load", "loadCurved", "startWorker", "ToiError"])
    assert.match(types, new RegExp(`export (function|class) ${name}\\b`));
});

// The fields of a struct in a public header, in camel case.
function declared(header, struct) {
  const text = readFileSync(path.join(toi.sources, "include/toi", header), "utf8").replace(/\/\*[^]*?\*\//g, "");
  const body = text.match(new RegExp(`typedef struct ${struct} \\{([^]*?)\\n\\} ${struct};`))[1];
  const names = [...body.matchAll(/(?:\(\*)?(\w+)(?:\)\([^)]*\)|\[[^;]*\])?\s*[,;]/g)].map(([, name]) => name);
  return names.map((name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()));
}

// What is no option by itself: how long the struct is, and where the caller's functions find their things.
const hidden = ["size", "progressUser", "mayCollideUser", "onMesh", "user"];

test("every option of the headers can be given", () => {
  const structs = [
    ["narrow.h", "toi_options", "QueryOptions"],
    ["broad.h", "toi_mesh_options", "MeshOptions"],
    ["surface.h", "toi_surface_options", "SurfaceOptions"],
    ["contact.h", "toi_contact_options", "ContactOptions"],
  ];
  for (const [header, struct, type] of structs) {
    const fields = declared(header, struct).filter((name) => !hidden.includes(name));
    assert.ok(fields.length >= 3, struct);
    for (const name of fields) assert.ok(members(type).includes(name), `${type} has no ${name}: wasm/native/, wasm/lib/`);
  }
});

test("the modules ask the host for four functions and memory, and for nothing else", async () => {
  for (const file of ["libtoi.wasm", "libtoi-curved.wasm"]) {
    const module = await WebAssembly.compile(readFileSync(path.join(toi.directory, "lib", file)));
    const wanted = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
    const known = ["env.memory", "host.mayCollide", "host.now", "host.progress", "host.visit"];
    assert.deepEqual(wanted.filter((one) => !known.includes(one)), []);
  }
});
