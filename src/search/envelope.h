/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* When may one moving set overlap another along an axis? Times from crossing envelopes of linear functions.
 *
 * The coordinate of a point that moves on a straight line is a linear function of time. The largest of a set is a
 * convex function (its upper envelope), the smallest a concave one, so that "the largest of A lies below the smallest
 * of B" holds on one interval of time: a gap, in which A and B are apart. What the gaps of all axes, in both
 * directions, leave over are the times at which the boxes of A and B overlap; along one axis these are up to three
 * intervals.
 *
 * Promise: at every time of a gap that is returned, its ends included, the sets are strictly apart, all rounding
 * accounted for. Times in [0, 1];
 * a line is given by its values at 0 and at 1. Nothing is allocated.
 *
 * Claim of toi_envelope_sides: the ends are within a relative 2^-49 (and 2^-1021) of the exact ones.
 * Why: an end is the time (a + level) / (a - b) at which one line crosses -level. Two sums and a quotient of doubles,
 * so that the result is within 3u(1 + u) of it relatively, u = 2^-53; moved inward by 2^-50 it is beyond it. No bound
 * on the lines' magnitude comes in. Against the level 0, a and b may themselves be off by u relatively: they differ in
 * sign, so that a - b does not cancel, and the result is within 5u(1 + 2u).
 *
 * Claim of toi_envelope_apart: the gap holds all times at which the sets are apart by slack + 32 u M, M the largest
 * magnitude. Why: let h(t) = max A - min B + slack, convex. If h(p) < 0 and h(q) < 0, then h < 0 between them, however
 * p and q were found: so an end is only a guess, and evaluating h there proves it. (1 - t) a + t b has four roundings:
 * of 1 - t, of the two products, of their sum; together at most 2u |(1 - t) a| + u |t b| + u M, all times 1 + 3u, so
 * less than 3u M (1 + 3u), and twice 2^-1075 where products underflow. With M at least 2^-1000, 4u M covers it, and 8u
 * M does for the two envelopes. The guess is sought with 24 u M on top of the slack, so that the proof's rounding and
 * its own have room. */

#ifndef TOI_SEARCH_ENVELOPE_H
#define TOI_SEARCH_ENVELOPE_H

#include "number/interval.h"

/* `count` >= 1 linear functions. */
typedef struct toi_lines {
  const double *start; /* their values at time 0 */
  const double *end;   /* at time 1 */
  size_t count;
} toi_lines;

/* Values beyond this are not worked with: lines that cross there have no gap. */
#define TOI_LINE_MOST 0x1p1000

/* One set against the origin: the times at which every line is below -level, and those at which every line is above
 * level >= 0. Returns how many gaps there are, up to two; NaN is on neither side. What they leave over are the times at
 * which the set, grown by the level, may hold 0: up to three intervals. */
unsigned toi_envelope_sides(const toi_lines *lines, double level, toi_interval gaps[2]);

/* The times at which every line of `lower`, raised by slack >= 0, is below every line of `upper`. False if there are
 * none, or they are too few to be told from rounding. */
bool toi_envelope_apart(const toi_lines *lower, const toi_lines *upper, double slack, toi_interval *gap);

/* --- what gaps leave over --- */

/* Closed intervals of times, in any order. A full list forgets further gaps, which is safe. */
#define TOI_GAPS_MOST 32
typedef struct toi_gaps {
  size_t count;
  toi_interval gap[TOI_GAPS_MOST];
} toi_gaps;

static inline void toi_gaps_add(toi_gaps *gaps, toi_interval gap) {
  if (gaps->count < TOI_GAPS_MOST)
    gaps->gap[gaps->count++] = gap;
}

/* Shrinks *times to the smallest interval around what the gaps leave of it. False if they leave nothing. An end that
 * moved is the end of a gap: nothing overlaps at it, only beyond it. */
bool toi_gaps_clip(const toi_gaps *gaps, toi_interval *times);

/* The end of the earliest piece that is left of `times`, which starts with one (as toi_gaps_clip leaves it). */
double toi_gaps_first_end(const toi_gaps *gaps, toi_interval times);

#endif
