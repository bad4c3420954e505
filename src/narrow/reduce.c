/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which corners can take part in a contact, from their signs alone: at the start, inside the step, and at the end. */

#include "narrow/reduce.h"

#include "narrow/hull.h"

/* Signs of the corners as sets: bit k of up[time][axis] says that corner k is positive there, of down that it is
 * negative. */
typedef struct signs {
  unsigned count;
  unsigned up[2][3], down[2][3];
} signs;

static void signs_of(toi_kind kind, const double *query, signs *s) {
  const toi_corner *corners = toi_corners(kind);
  size_t points = toi_kind_points(kind);
  *s = (signs){.count = toi_corner_count(kind)};
  for (size_t time = 0; time < 2; time++)
    for (unsigned k = 0; k < s->count; k++)
      for (size_t axis = 0; axis < 3; axis++) {
        double a = query[3 * (points * time + corners[k].first) + axis];
        double b = query[3 * (points * time + corners[k].second) + axis];
        s->up[time][axis] |= (unsigned)(a > b) << k;
        s->down[time][axis] |= (unsigned)(a < b) << k;
      }
}

/* The corners, as bits, that can take part in a contact at a moment of the step: at its start (first = last = 0), at
 * its end (1, 1), or in between (0, 1), where only a corner that is 0 at both ends is 0. */
static unsigned active_corners(const signs *s, int first, int last) {
  unsigned active = (1u << s->count) - 1, before;
  do {
    before = active;
    for (int axis = 0; axis < 3; axis++) {
      unsigned up = s->up[first][axis] | s->up[last][axis], down = s->down[first][axis] | s->down[last][axis];
      if ((up & active) == 0 || (down & active) == 0)
        active &= ~(up | down);
    }
  } while (active != before && active);
  return active;
}

/* Whether `active` is one corner; it is 0 then, or it would not be active. */
static bool is_contact(unsigned active, unsigned *corner) {
  if (active == 0 || (active & (active - 1)) != 0)
    return false;
  *corner = (unsigned)__builtin_ctz(active);
  return true;
}

/* Whether the active corners stay at 0 on some axis. */
static bool is_flat(const signs *s, unsigned active, int *axis) {
  for (*axis = 0; *axis < 3; ++*axis)
    if (((s->up[0][*axis] | s->up[1][*axis] | s->down[0][*axis] | s->down[1][*axis]) & active) == 0)
      return true;
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
  unsigned start = active_corners(&s, 0, 0), inside = active_corners(&s, 0, 1);
  remainder->t = 0;
  if (is_contact(start, &remainder->corners[0]))
    return TOI_REDUCED_CORNER;
  unsigned end = active_corners(&s, 1, 1);
  if (start || inside)
    return reduce_flat(&s, start | inside | end, remainder);
  remainder->t = 1;
  if (is_contact(end, &remainder->corners[0]))
    return TOI_REDUCED_CORNER;
  return end ? TOI_REDUCED_OPEN : TOI_REDUCED_MISS;
}
