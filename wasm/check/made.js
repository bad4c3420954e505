// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Made queries, the same for the same seed everywhere: random ones, and ones biased to what is degenerate: few different
// coordinates, motions in a plane, points at rest, magnitudes far apart.

function generator(seed) {
  // xorshift128 by Marsaglia, on 32 bits.
  let [x, y, z, w] = [seed >>> 0 || 1, 362436069, 521288629, 88675123];
  return () => {
    const t = (x ^ (x << 11)) >>> 0;
    [x, y, z] = [y, z, w];
    w = (w ^ (w >>> 19) ^ t ^ (t >>> 8)) >>> 0;
    return w;
  };
}

// How one query's coordinates are drawn, by turns.
const styles = [
  (next) => next() / 2 ** 31 - 1,
  (next) => (next() / 2 ** 31 - 1) * 2 ** -20 + (next() % 4),
  (next) => (next() % 3) - 1,
  (next) => ((next() % 17) - 8) / 8,
  (next) => (next() / 2 ** 31 - 1) * 2 ** ((next() % 600) - 300),
  (next) => Math.fround(next() / 2 ** 31 - 1),
];

// `count` queries of `points` points, 6 * points numbers each.
export function madeQueries(seed, points, count) {
  const next = generator(seed);
  const queries = new Float64Array(6 * points * count);
  for (let q = 0; q < count; q++) {
    const draw = styles[next() % styles.length];
    const query = queries.subarray(6 * points * q, 6 * points * (q + 1));
    for (let i = 0; i < query.length; i++) query[i] = draw(next);
    const shape = next() % 8;
    // In a plane; at rest but for the first point; one point on another.
    if (shape === 0) for (let i = 2; i < query.length; i += 3) query[i] = 0;
    if (shape === 1) query.copyWithin(3 * points + 3, 3, 3 * points);
    if (shape === 2) query.copyWithin(3, 0, 3);
  }
  return queries;
}
