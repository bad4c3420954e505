// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the libtoi authors

// Which of many contacts are drawn at a time.

/** Of more contacts than this, points and normals are drawn only of those around the present time: more would
 * hide each other, and each costs time to draw. */
export const CROWD = 3000;
const BEFORE = 1500;
const AFTER = 300;

/** Which of the times, sorted, are drawn at time t: [from, to). */
export function around(times: ArrayLike<number>, t: number): [number, number] {
  if (times.length <= CROWD) return [0, times.length];
  let lo = 0;
  let hi = times.length;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if ((times[middle] as number) <= t) lo = middle + 1;
    else hi = middle;
  }
  return [Math.max(0, lo - BEFORE), Math.min(times.length, lo + AFTER)];
}
