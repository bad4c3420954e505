// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// How long a batch takes in the module, beside the native two-lane kernels: one thread each, in turn, five times; the
// median of five. Each turn takes the least of a few runs, short enough to pass between two other programs.

const TURNS = 5;
const RUNS = 9;
const WARM = 40;

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

async function least(run) {
  let best = Infinity;
  for (let i = 0; i < RUNS; i++) best = Math.min(best, await run());
  return best;
}

// ours() and theirs() each run one batch and give its time in ns. Returns ns per query, and their ratio.
export async function race(count, ours, theirs) {
  // The module is compiled by a quick compiler first, and by a better one while it runs.
  for (let i = 0; i < WARM; i++) await ours();
  await theirs();
  const [a, b] = [[], []];
  for (let i = 0; i < TURNS; i++) {
    a.push(await least(ours));
    b.push(await least(theirs));
  }
  return { module: median(a) / count, native: median(b) / count, ratio: median(a) / median(b) };
}
