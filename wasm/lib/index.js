// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// libtoi for the web; libtoi.d.ts is the reference.

import { Toi } from "./core.js";
import { Curved } from "./curved.js";
import { Instance } from "./instance.js";

export { ToiError } from "./error.js";
export { startWorker } from "./start_worker.js";

export async function load({ module, ...options } = {}) {
  return new Toi(await Instance.create(module ?? new URL("./libtoi.wasm", import.meta.url), options));
}

export async function loadCurved({ module, ...options } = {}) {
  return new Curved(await Instance.create(module ?? new URL("./libtoi-curved.wasm", import.meta.url), options));
}
