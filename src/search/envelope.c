/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Gaps between moving sets; envelope.h has the claims and why they hold. */

#include "search/envelope.h"

#include <assert.h>
#include <math.h>

/* Inward by more than two differences and a quotient err; the second where the quotient underflows. */
#define INWARD 0x1p-50
#define LEAST_TIME 0x1p-1022

/* u M times these: what the evaluation of two envelopes may err by, and what a guess keeps from the edge. */
#define PROOF_MARGIN (8 * 0x1p-53)
#define GUESS_MARGIN (24 * 0x1p-53)

/* --- one set against a level --- */

static inline double larger(double a, double b) {
  return a > b ? a : b;
}

static inline double smaller(double a, double b) {
  return a < b ? a : b;
}

/* The times at which all lines are below -level (sign 1) or above level (sign -1); each is so at one end at least, and
 * `level` is a number. */
static bool one_side(const toi_lines *lines, double level, double sign, toi_interval *gap) {
  double lo = -1, hi = 2;
  for (size_t i = 0; i < lines->count; i++) {
    double a = sign * lines->start[i], b = sign * lines->end[i], fall = a - b;
    if (a < -level && b < -level)
      continue;
    // The level lies between a and b: a + level is not the larger difference.
    if (!(fabs(fall) <= TOI_LINE_MOST))
      return false;
    double t = (a + level) / fall;
    if (b < -level)
      lo = larger(lo, t);
    else
      hi = smaller(hi, t);
  }
  // Where no line rises, all are below at the end, and where none falls, at the start.
  double inner_lo = lo >= 0 ? lo * (1 + INWARD) + LEAST_TIME : 0,
         inner_hi = hi <= 1 ? hi * (1 - INWARD) - LEAST_TIME : 1;
  *gap = (toi_interval){hi > 1 ? smaller(inner_lo, 1) : inner_lo, lo < 0 ? larger(inner_hi, 0) : inner_hi};
  return gap->lo <= gap->hi;
}

unsigned toi_envelope_sides(const toi_lines *lines, double level, toi_interval gaps[2]) {
  assert(lines->count > 0);
  // A line that is not below at an end is so nowhere, and this is so of most: no branch before it is known. Written so
  // that NaN counts as not below.
  bool below = true, above = true;
  for (size_t i = 0; i < lines->count; i++) {
    double a = lines->start[i], b = lines->end[i];
    below &= (a < -level) | (b < -level);
    above &= (a > level) | (b > level);
  }
  unsigned count = 0;
  if (below)
    count += one_side(lines, level, 1, &gaps[count]);
  if (above)
    count += one_side(lines, level, -1, &gaps[count]);
  return count;
}

/* --- two sets --- */

/* The two sets, and what is added to the lower one. */
typedef struct crossing {
  const toi_lines *lower, *upper;
  double proof, guess;
} crossing;

static inline double at(const toi_lines *lines, size_t i, double t) {
  return (1 - t) * lines->start[i] + t * lines->end[i];
}

/* The highest line at a time (sign 1), or the lowest (sign -1). */
static size_t extreme(const toi_lines *lines, double t, double sign) {
  size_t best = 0;
  double most = sign * at(lines, 0, t);
  for (size_t i = 1; i < lines->count; i++) {
    double value = sign * at(lines, i, t);
    best = value > most ? i : best;
    most = larger(most, value);
  }
  return best;
}

/* Proves that the sets are apart at a time. */
static bool apart_at(const crossing *c, double t) {
  double highest = at(c->lower, extreme(c->lower, t, 1), t), lowest = at(c->upper, extreme(c->upper, t, -1), t);
  return toi_sum_up(highest, c->proof) < lowest;
}

/* From an end of the step at which the sets overlap, to where they come apart: Newton's method on a convex function of
 * straight pieces, from outside, gets there in as many steps as there are pieces. False: they never do. */
static bool come_apart(const crossing *c, double from, double *edge) {
  double t = from;
  size_t most = c->lower->count + c->upper->count;
  for (size_t step = 0; step < most; step++) {
    size_t a = extreme(c->lower, t, 1), b = extreme(c->upper, t, -1);
    double start = c->lower->start[a] - c->upper->start[b] + c->guess;
    double end = c->lower->end[a] - c->upper->end[b] + c->guess;
    // Only a piece that falls below zero on the way to the other end leads on.
    if (from == 0 ? !(start >= 0 && end < 0) : !(start < 0 && end >= 0))
      break;
    double next = start / (start - end);
    if (from == 0 ? next <= t : next >= t)
      break;
    t = next;
  }
  *edge = t;
  return t != from && apart_at(c, t);
}

/* The largest magnitude; infinite if a value is NaN. */
static double magnitude_of(const toi_lines *lines) {
  double most = 0;
  for (size_t i = 0; i < lines->count; i++) {
    double here = larger(fabs(lines->start[i]), fabs(lines->end[i]));
    bool number = lines->start[i] <= INFINITY && lines->end[i] <= INFINITY;
    most = larger(most, number ? here : INFINITY);
  }
  return most;
}

bool toi_envelope_apart(const toi_lines *lower, const toi_lines *upper, double slack, toi_interval *gap) {
  assert(lower->count > 0 && upper->count > 0 && slack >= 0);
  // At least 2^-1000, so that underflow is covered.
  double magnitude = larger(0x1p-1000, larger(magnitude_of(lower), magnitude_of(upper)));
  if (!(magnitude <= TOI_LINE_MOST) || !(slack <= TOI_LINE_MOST))
    return false;
  crossing c = {lower, upper, toi_sum_up(slack, magnitude * PROOF_MARGIN), toi_sum_up(slack, magnitude * GUESS_MARGIN)};
  toi_interval times = {0, 1};
  if (!apart_at(&c, 0) && !come_apart(&c, 0, &times.lo))
    return false;
  if (!apart_at(&c, 1) && !come_apart(&c, 1, &times.hi))
    return false;
  if (times.lo > times.hi)
    return false;
  *gap = times;
  return true;
}

/* --- what gaps leave over --- */

bool toi_gaps_clip(const toi_gaps *gaps, toi_interval *times) {
  toi_interval left = *times;
  // Each round moves an end to the end of a gap, and each gap moves each end once at most.
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < gaps->count; i++) {
      toi_interval gap = gaps->gap[i];
      if (gap.lo <= left.lo && gap.hi >= left.hi)
        return false;
      if (gap.lo <= left.lo && gap.hi > left.lo) {
        left.lo = gap.hi;
        moved = true;
      }
      if (gap.hi >= left.hi && gap.lo < left.hi) {
        left.hi = gap.lo;
        moved = true;
      }
    }
  }
  assert(left.lo <= left.hi);
  *times = left;
  return true;
}

double toi_gaps_first_end(const toi_gaps *gaps, toi_interval times) {
  double end = times.hi;
  for (size_t i = 0; i < gaps->count; i++)
    if (gaps->gap[i].lo > times.lo)
      end = smaller(end, gaps->gap[i].lo);
  return end;
}
