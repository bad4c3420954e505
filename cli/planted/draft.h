/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A query under construction, in integers, before it is disguised.
 *
 * Points move from start to end; points 0 .. first-1 belong to the first primitive. A class writes the points and every
 * time at which contact can begin; draft.c tests those times exactly, then disguises the query by maps that keep the
 * truth: unimodular shears, common motions, powers of two on each axis, mirrored and permuted axes, renumbered corners.
 */

#ifndef PLANTED_DRAFT_H
#define PLANTED_DRAFT_H

#include "planted/planted.h"
#include "planted/random.h"

enum { PLANTED_TIMES = 4, PLANTED_POINTS = 4 };

/* The time m / n; n > 0, both below 2^53 in magnitude. It may lie outside [0, 1]. */
typedef struct planted_time {
  int64_t m, n;
} planted_time;

typedef struct planted_draft {
  planted_random random;
  toi_kind kind;
  uint32_t points, first;

  /* Integer coordinates below 2^53 in magnitude; coordinate k is later multiplied by 2^unit[k]. */
  int64_t start[PLANTED_POINTS][3], end[PLANTED_POINTS][3];
  int unit[3];

  /* If they touch in [0, 1], then first at one of these times. */
  planted_time times[PLANTED_TIMES];
  uint32_t time_count;

  bool far;   /* move everything as far from the origin as 53 bits allow */
  bool rigid; /* disguise by common motions, mirrors and turns of the axes only: distances count */

  /* A class that decides by itself sets `decided`, and then the answer; `direct` if it also wrote the doubles. */
  bool decided, direct;
  bool hit, time_known;
  double t_lo, t_hi;
  double time[3]; /* as in planted_query */
  double place[2][PLANTED_POINTS][3];
} planted_draft;

/* Whether the two primitives touch at the time m / n, decided in integers. */
bool planted_touches(const planted_draft *draft, planted_time time);

/* Disguises the draft and writes the query. */
void planted_finish(planted_draft *draft, planted_query *query);

/* Says that they touch, first at this double if it is known to be the first. */
void planted_set_hit(planted_draft *draft, double time);

/* The tightest doubles around m / n, which lies in [0, 1]. */
void planted_bracket(planted_time time, double *lo, double *hi);

/* Moves every point so that it passes `at` at the time m / n with the given steps:
 * start = at - m step, end = at + (n - m) step. */
void planted_pass(planted_draft *draft, planted_time time, const int64_t at[PLANTED_POINTS][3],
                  const int64_t step[PLANTED_POINTS][3]);

/* Times as the classes like them: 0, 1, just inside, just outside, dyadic, small fractions; n <= 2^limit. */
planted_time planted_some_time(planted_random *random, int limit);

/* One in (0, 1). */
planted_time planted_inner_time(planted_random *random, int limit);

/* --- the classes --- */

typedef void (*planted_maker)(planted_draft *draft);

/* meet.c: everything on one side until one instant */
void planted_inside(planted_draft *draft);
void planted_edge(planted_draft *draft);
void planted_corner(planted_draft *draft);
void planted_outside(planted_draft *draft);
void planted_coplanar(planted_draft *draft);
void planted_collinear(planted_draft *draft);
void planted_parallel(planted_draft *draft);
void planted_collapsed(planted_draft *draft);
void planted_near_boundary(planted_draft *draft);
void planted_near_time(planted_draft *draft);
void planted_at_start(planted_draft *draft);
void planted_at_end(planted_draft *draft);

/* product.c: coplanarity cubics with chosen rational roots */
void planted_roots(planted_draft *draft);
void planted_double_root(planted_draft *draft);
void planted_triple_root(planted_draft *draft);
void planted_close_roots(planted_draft *draft);
void planted_returning(planted_draft *draft);
void planted_positive(planted_draft *draft);

/* generic.c: no coincidence but the planted one */
void planted_generic_hit(planted_draft *draft);
void planted_generic_miss(planted_draft *draft);

/* irrational.c: contact times that are bracketed, not known */
void planted_irrational(planted_draft *draft);
void planted_irrational_edge(planted_draft *draft);

/* still.c: no relative motion, or contact for the whole step */
void planted_at_rest(planted_draft *draft);
void planted_duplicate(planted_draft *draft);
void planted_riding(planted_draft *draft);
void planted_gliding(planted_draft *draft);

/* paper.c: after the appendices of Wang 2021 */
void planted_hourglass(planted_draft *draft);
void planted_inflection(planted_draft *draft);
void planted_slide(planted_draft *draft);

/* extreme.c: magnitudes */
void planted_mixed_magnitude(planted_draft *draft);
void planted_one_ulp(planted_draft *draft);
void planted_tiny_time(planted_draft *draft);
void planted_scaled(planted_draft *draft);
void planted_extreme(planted_draft *draft);
void planted_offset(planted_draft *draft);

#endif
