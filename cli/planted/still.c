/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries without relative motion, and contacts that last.
 *
 * at_rest: nothing moves against anything, so contact is at 0 or never. duplicate: a vertex of one primitive is a
 * vertex of the other at the start, bit for bit. riding: C = u0 A + v0 B for the whole step (letters as in touch.c),
 * with A x B never zero: contact at 0 if (u0, v0) is inside, never if not; the coplanarity cubic is zero throughout. */

#include "planted/draft.h"

#include <math.h>

void planted_at_rest(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int64_t size = planted_once_in(random, 2) ? 2 : 12;
  const int dimensions = (int)planted_between(random, 1, 3);
  for (uint32_t i = 0; i < draft->points; i++)
    for (int k = 0; k < dimensions; k++)
      draft->end[i][k] = draft->start[i][k] = planted_between(random, -size, size);
  const planted_time start = {0, 1};
  draft->times[0] = start;
  draft->time_count = 1;
}

/* Any double with an exponent near `exponent`. */
static double some_double(planted_random *random, int exponent) {
  const int64_t mantissa = planted_between(random, -(INT64_C(1) << 53) + 1, (INT64_C(1) << 53) - 1);
  return ldexp((double)mantissa, exponent - 53 - (int)planted_between(random, 0, 12));
}

void planted_duplicate(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int exponent = (int)planted_between(random, -30, 30);
  const bool moving = planted_once_in(random, 2);
  for (uint32_t i = 0; i < draft->points; i++) {
    for (int k = 0; k < 3; k++) {
      draft->place[0][i][k] = some_double(random, exponent);
      draft->place[1][i][k] = moving ? some_double(random, exponent) : draft->place[0][i][k];
    }
  }
  for (int k = 0; k < 3; k++) {
    draft->place[0][draft->first][k] = draft->place[0][0][k];
    draft->place[1][draft->first][k] = draft->place[1][0][k];
  }
  draft->direct = true;
  planted_set_hit(draft, 0);
}

enum { PARTS = 16 };

/* The points of C, A and B, where B is zero for a vertex and an edge. */
static void place_plane(planted_draft *draft, int e, const int64_t a[3], const int64_t b[3], const int64_t c[3]) {
  int64_t(*p)[3] = e == 0 ? draft->start : draft->end;
  for (int k = 0; k < 3; k++) {
    if (draft->kind == TOI_EDGE_EDGE) {
      p[0][k] = 0;
      p[1][k] = a[k];
      p[2][k] = c[k];
      p[3][k] = c[k] - b[k];
    } else {
      p[0][k] = c[k];
      p[1][k] = 0;
      p[2][k] = a[k];
      p[3][k] = b[k];
    }
  }
}

void planted_riding(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int64_t size = INT64_C(1) << planted_between(random, 1, 30);
  const int64_t u = planted_between(random, -2, PARTS + 2);
  const int64_t v = draft->kind == TOI_VERTEX_EDGE ? 0 : planted_between(random, -2, PARTS + 2);
  for (int e = 0; e < 2; e++) {
    // (A x B)[2] is the product of two positive functions.
    int64_t a[3] = {planted_between(random, 1, size), 0, planted_between(random, -size, size)};
    int64_t b[3] = {planted_between(random, -size, size), planted_between(random, 1, size),
                    planted_between(random, -size, size)};
    int64_t c[3];
    for (int k = 0; k < 3; k++) {
      c[k] = u * a[k] + v * b[k];
      a[k] *= PARTS;
      b[k] *= PARTS;
    }
    place_plane(draft, e, a, b, c);
  }
  const bool high = draft->kind == TOI_EDGE_EDGE ? u <= PARTS && v <= PARTS : u + v <= PARTS;
  draft->decided = true;
  if (u >= 0 && v >= 0 && high)
    planted_set_hit(draft, 0);
}

void planted_gliding(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int64_t size = INT64_C(1) << planted_between(random, 1, 20);
  const planted_time enters = planted_some_time(random, 16), starts = {0, 1};
  const int64_t v = draft->kind == TOI_VERTEX_EDGE ? 0 : planted_between(random, -1, PARTS + 1);
  // u0 in units of 1 / scale: it grows by n over the step.
  const int64_t scale = enters.n >> planted_between(random, 0, 2);
  const int64_t x = planted_between(random, 1, 30), z = planted_between(random, -30, 30);
  const int64_t whole = scale > 0 ? scale : 1, a[3] = {x * whole, 0, z * whole};
  for (int e = 0; e < 2; e++) {
    const int64_t u = e == 0 ? -enters.m : enters.n - enters.m;
    int64_t b[3] = {planted_between(random, -size, size), planted_between(random, 1, size),
                    planted_between(random, -size, size)};
    const int64_t c[3] = {u * x + v * b[0], v * b[1], u * z + v * b[2]};
    for (int k = 0; k < 3; k++)
      b[k] *= PARTS;
    place_plane(draft, e, a, b, c);
  }
  draft->times[0] = enters;
  draft->times[1] = starts;
  draft->time_count = 2;
}
