// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Files for the module's readers. The platform decompresses; what it cannot decompress is left to the module to
// complain about, in the words that the command has for it.

import { ToiError } from "./error.js";

const FINE = 0;
const CUT = 1;
const DAMAGED = 2;

async function decompressed(bytes) {
  const parts = [];
  let state = FINE;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
    }
  } catch (error) {
    // Platforms word it in their own ways.
    const said = `${error?.message} ${error?.code} ${error?.cause?.message} ${error?.cause?.code}`;
    state = /truncat|unexpected end|end of file|Z_BUF_ERROR|incomplete/i.test(said) ? CUT : DAMAGED;
  }
  // One byte at least, so that the module looks at it at all.
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { bytes: state !== FINE && whole.length === 0 ? new Uint8Array(1) : whole, state };
}

// A file as the module takes it: {name, bytes, state}. Texts are UTF-8.
export async function fileOf(name, contents) {
  const bytes = typeof contents === "string" ? new TextEncoder().encode(contents) : contents;
  if (!(bytes instanceof Uint8Array)) throw new ToiError("input", `${name}: the contents of a file are a Uint8Array`);
  if (typeof name !== "string") throw new ToiError("input", "a file has a name, whose ending says what it is");
  if (name.endsWith(".gz") && bytes.length > 0) return { name, ...(await decompressed(bytes)) };
  return { name, bytes, state: FINE };
}

// Runs work() while these files are there.
export function withFiles(instance, scope, files, work) {
  try {
    for (const { name, bytes, state } of files)
      if (!instance.exports.toi_web_file_add(scope.text(name), scope.array(bytes), bytes.length, state))
        throw new ToiError("memory", "too many files at a time");
    return work();
  } finally {
    instance.exports.toi_web_files_remove();
  }
}
