/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which corners can take part in a contact, from their signs alone: at the start, inside the step, and at the end. */

#include "narrow/reduce.h"

#include "narrow/frame.h"

/* Signs of the corners, each -1, 0 or 1. */
typedef struct signs {
  unsigned count;
  int8_t at[2][TOI_MOST_CORNERS][3];
} signs;

/* When, within the step. */
typedef enum moment { AT_START, INSIDE, AT_END } moment;

static void signs_of(toi_kind kind, const double *query, signs *s) {
  const toi_corner *corners = toi_corners(kind);
  size_t points = toi_kind_points(kind);
  s->count = toi_corner_count(kind);
  for (size_t time = 0; time < 2; time++)
    for (unsigned k = 0; k < s->count; k++)
      for (size_t axis = 0; axis < 3; axis++) {
        double a = query[3 * (points * time + corners[k].first) + axis];
        double b = query[3 * (points * time + corners[k].second) + axis];
        s->at[time][k][axis] = (int8_t)((a > b) - (a < b));
      }
}

/* The lowest and highest sign of a corner on an axis at the moment: at the start, at the end, or over both. */
static void sign_range(const signs *s, moment when, unsigned k, unsigned axis, int *lo, int *hi) {
  int start = s->at[0][k][axis], end = s->at[1][k][axis];
  if (when == AT_START)
    end = start;
  if (when == AT_END)
    start = end;
  *lo = start < end ? start : end;
  *hi = start < end ? end : start;
}

/* The corners, as bits, that can take part in a contact at the moment. */
static unsigned active_corners(const signs *s, moment when) {
  unsigned active = (1u << s->count) - 1, before;
  do {
    before = active;
    for (unsigned axis = 0; axis < 3; axis++) {
      int lo = 1, hi = -1;
      unsigned zero = 0;
      for (unsigned k = 0; k < s->count; k++) {
        if (!(active >> k & 1))
          continue;
        int k_lo, k_hi;
        sign_range(s, when, k, axis, &k_lo, &k_hi);
        lo = k_lo < lo ? k_lo : lo;
        hi = k_hi > hi ? k_hi : hi;
        zero |= (unsigned)(k_lo == 0 && k_hi == 0) << k;
      }
      if (lo >= 0 || hi <= 0)
        active &= zero;
    }
  } while (active != before && active);
  return active;
}

/* Whether `active` is one corner, and that is the origin at the moment. */
static bool is_contact(const signs *s, moment when, unsigned active, unsigned *corner) {
  if (active == 0 || (active & (active - 1)) != 0)
    return false;
  unsigned k = (unsigned)__builtin_ctz(active);
  for (unsigned axis = 0; axis < 3; axis++)
    if (s->at[when == AT_END][k][axis] != 0)
      return false;
  *corner = k;
  return true;
}

/* Whether the active corners stay at 0 on some axis. */
static bool is_flat(const signs *s, unsigned active, int *axis) {
  for (*axis = 0; *axis < 3; ++*axis) {
    bool flat = true;
    for (unsigned k = 0; k < s->count; k++)
      if (active >> k & 1)
        flat = flat && s->at[0][k][*axis] == 0 && s->at[1][k][*axis] == 0;
    if (flat)
      return true;
  }
  return false;
}

/* What is left of a hull that stays in a plane, given the corners that can take part at any time. */
static toi_reduction reduce_flat(const signs *s, unsigned active, toi_remainder *remainder) {
  unsigned count = (unsigned)__builtin_popcount(active);
  if (count < 2 || !is_flat(s, active, &remainder->axis))
    return TOI_REDUCED_OPEN;
  remainder->corners[0] = (unsigned)__builtin_ctz(active);
  remainder->corners[1] = (unsigned)__builtin_ctz(active & (active - 1));
  if (count == 2)
    return TOI_REDUCED_SEGMENT;
  return count == s->count ? TOI_REDUCED_PLANE : TOI_REDUCED_OPEN;
}

toi_reduction toi_reduce(toi_kind kind, const double *query, toi_remainder *remainder) {
  signs s;
  signs_of(kind, query, &s);
  unsigned start = active_corners(&s, AT_START), inside = active_corners(&s, INSIDE);
  remainder->t = 0;
  if (is_contact(&s, AT_START, start, &remainder->corners[0]))
    return TOI_REDUCED_CORNER;
  unsigned end = active_corners(&s, AT_END);
  if (start || inside)
    return reduce_flat(&s, start | inside | end, remainder);
  remainder->t = 1;
  if (is_contact(&s, AT_END, end, &remainder->corners[0]))
    return TOI_REDUCED_CORNER;
  return end ? TOI_REDUCED_OPEN : TOI_REDUCED_MISS;
}
