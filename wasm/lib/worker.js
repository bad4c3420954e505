// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// The worker's side: answers one call after the other. start_worker.js is the page's side.
//
// In:  {setup} once; then {id, job, args}.
// Out: {id, progress}, and at last {id, result, filled} or {id, error: {status, message}}.

import { load, loadCurved } from "./index.js";
import { Records } from "./layout.js";
import { Mesh } from "./mesh.js";

// Which module answers, and which argument has the options.
const jobs = {
  query: ["core", 3],
  batch: ["core", 2],
  step: ["core", 1],
  collisions: ["core", 1],
  candidates: ["core", 1],
  proximity: ["core", 2],
  lineSearch: ["core", 1],
  intersects: ["core", 1],
  crossings: ["core", 1],
  meshEdges: ["core", -1],
  readFrame: ["core", -1],
  readStep: ["core", -1],
  readQueries: ["core", -1],
  contact: ["curved", 2],
  surface: ["curved", 2],
};
const withProgress = new Set([
  "step", "collisions", "candidates", "proximity", "lineSearch", "intersects", "crossings", "contact", "surface",
]);
const PROGRESS_MS = 50;

let setup = {};
const modules = {};

function moduleOf(name) {
  const { module, curvedModule, memoryBudget, memoryMaximum } = setup;
  modules[name] ??=
    name === "core"
      ? load({ module, memoryBudget, memoryMaximum })
      : loadCurved({ module: curvedModule, memoryBudget, memoryMaximum });
  return modules[name];
}

// Answers that are objects of the module's become plain data.
function plain(result) {
  if (result instanceof Records) return { records: result.sent() };
  if (!(result instanceof Mesh)) return { value: result };
  const { start, end, faces, edges } = result;
  result.free();
  return { value: { start, end, faces, edges } };
}

async function answer({ id, job, args }, post) {
  if (!Object.hasOwn(jobs, job)) return post({ id, error: { status: "input", message: `unknown job '${job}'` } });
  const [module, place] = jobs[job];
  const options = place < 0 ? {} : { ...args[place] };
  if (withProgress.has(job)) {
    let last = performance.now();
    options.progress = (done) => {
      if (performance.now() - last < PROGRESS_MS) return;
      last = performance.now();
      post({ id, progress: done });
    };
  }
  const given = [...args];
  if (place >= 0) {
    while (given.length < place) given.push(undefined);
    given[place] = options;
  }
  try {
    const toi = await moduleOf(module);
    const result = await toi[job](...given);
    post({ id, result: plain(result), filled: { work: options.work, counters: options.counters } });
  } catch (error) {
    post({ id, error: { status: error?.status ?? "input", message: String(error?.message ?? error) } });
  }
}

// What comes while a call waits for a file to be decompressed is answered after it.
function serve(post) {
  let last = Promise.resolve();
  return (message) => {
    if (message.setup) setup = message.setup;
    else last = last.then(() => answer(message, post));
  };
}

if (typeof WorkerGlobalScope !== "undefined") {
  const take = serve((message) => globalThis.postMessage(message));
  globalThis.onmessage = ({ data }) => take(data);
} else {
  // Named by a variable, so that bundlers for the web leave it alone.
  const threads = "node:worker_threads";
  import(threads).then(({ parentPort }) => {
    parentPort.on("message", serve((message) => parentPort.postMessage(message)));
  });
}
