/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A query in integers: what `exact` decides on, and what a certificate is made of.
 *
 * Each axis is scaled by its own power of two, so that all corners (see hull.h) become integers on it; whether 0 lies
 * in a hull does not change under that. Corners, areas and the coplanarity are forms in the time t (see
 * number/polynomial.h):
 * - corner[k][axis], of degree 1: corner k; times 2^exponent[axis] it is the difference of the query's points;
 * - area[k][axis], of degree 2: component `axis` of corner k x corner k + 1 (cyclic; of two corners there is one area);
 * - coplanarity, of degree 3, for three corners and four: det of three corners = N . corner 0, where N is normal to the
 *   hull: the sum of the areas of a triangle, and of areas 0 and 2, as well as of areas 1 and 3, of a parallelogram.
 *
 * How to use it: size memory with toi_exact_bound_of and toi_exact_solve_bytes (or toi_exact_count_bytes), make an
 * arena, then the hull, then its coplanarity if it has three corners or four. toi_exact_hull_area and _power make
 * areas on first use. toi_exact_first_contact finds the first contact as an algebraic number, toi_exact_contact_at the
 * signs that show contact at a given one. All integers live in the arena until it is released. */

#ifndef TOI_NARROW_EXACT_HULL_H
#define TOI_NARROW_EXACT_HULL_H

#include <toi/narrow.h>

#include "narrow/hull.h"
#include "number/algebraic.h"

#define TOI_AXES 3

/* Sizes of the integers of a query, from its exponents alone; derivation in exact_bound.c. */
typedef struct toi_exact_bound {
  int exponent[TOI_AXES];    /* every coordinate is a multiple of 2^exponent */
  uint32_t bits[TOI_AXES];   /* and below 2^(exponent + bits) in magnitude */
  uint32_t coefficient_bits; /* of all polynomials in powers of t, and their derivatives */
  uint32_t limit;            /* of algebraic numbers */
} toi_exact_bound;

toi_exact_bound toi_exact_bound_of(toi_kind kind, const double *query);

/* Bytes of arena for the first contact, its place and its normal; for all of it, the number of contact times and text.
 */
size_t toi_exact_solve_bytes(const toi_exact_bound *bound);
size_t toi_exact_count_bytes(const toi_exact_bound *bound);

typedef struct toi_exact_hull {
  toi_arena *arena;
  const double *query; /* NULL: it moves otherwise than linearly, and its forms were made elsewhere */
  toi_kind kind;
  int count; /* corners: 3, 4, 2, 1 */
  int exponent[TOI_AXES];
  uint32_t coefficient_bits, limit; /* as in the bound */
  toi_integer_form corner[TOI_MOST_CORNERS][TOI_AXES];
  toi_integer_form area[TOI_MOST_CORNERS][TOI_AXES]; /* through toi_exact_hull_area */
  toi_polynomial power[TOI_MOST_CORNERS][TOI_AXES];  /* through toi_exact_hull_power */
  toi_integer_form coplanarity;                      /* zero for one corner or two */
} toi_exact_hull;

/* Corners only: no area, no coplanarity yet. */
void toi_exact_hull_make(toi_arena *arena, toi_kind kind, const double *query, const toi_exact_bound *bound,
                         toi_exact_hull *hull);

/* Whether on some axis all corners are strictly on one side at both ends, so that nothing ever touches. */
bool toi_exact_hull_apart(const toi_exact_hull *hull);

/* Makes the coplanarity; call it once, for three corners or four. */
void toi_exact_hull_coplanarity(toi_exact_hull *hull);

/* An area, and the same in powers of t; made on first use, on top of the arena: whoever releases the arena in between
 * makes all of them before, with toi_exact_hull_complete. */
const toi_integer_form *toi_exact_hull_area(toi_exact_hull *hull, int k, int axis);
const toi_polynomial *toi_exact_hull_power(toi_exact_hull *hull, int k, int axis);
void toi_exact_hull_complete(toi_exact_hull *hull);

/* A component of the hull's normal N, of degree 2; for three corners and four. */
toi_integer_form toi_exact_hull_normal(toi_exact_hull *hull, int axis);

/* Boundary segments of the hull: 3, 4, 1, 0; segment k joins corner k and corner toi_exact_next(hull, k). */
int toi_exact_segments(const toi_exact_hull *hull);

static inline int toi_exact_next(const toi_exact_hull *hull, int k) {
  return k + 1 < hull->count ? k + 1 : 0;
}

/* What shows that they touch at a time, and where. */
typedef struct toi_exact_contact {
  bool touching;
  int axis;                           /* the axis whose areas show it; -1: all corners lie on a line through 0 */
  int8_t area_sign[TOI_MOST_CORNERS]; /* of the areas on that axis */
  int8_t corner_sign[TOI_MOST_CORNERS][TOI_AXES]; /* of the corners, if axis is -1 */
} toi_exact_contact;

/* Whether 0 is in the hull at time `at`. */
toi_exact_contact toi_exact_contact_at(toi_exact_hull *hull, const toi_algebraic *at);

/* The first contact in [0, 1]. */
typedef struct toi_exact_first {
  bool touching;
  toi_algebraic time;
  double bracket[2]; /* the tightest doubles around it */
  int side;          /* sign of the coplanarity just before it; 0 if it is identically zero, or the time is 0 */
  toi_exact_contact contact;
  toi_algebraic roots[TOI_DEGREE_CUBIC]; /* of the coplanarity in [0, 1], if it is not identically zero */
  int root_count, root;                  /* how many there are; the one that `time` is */
} toi_exact_first;

/* A polynomial whose roots are candidates of a planar motion: an area of boundary segment `element`, or a coordinate of
 * that corner. */
typedef struct toi_exact_candidate {
  const toi_integer_form *form;
  bool corner;
  int element;
} toi_exact_candidate;

/* Where the coplanarity is identically zero: a polynomial for each segment that is not always in line with 0, and for
 * each corner of the others that is not always 0. Returns their number. */
int toi_exact_candidates(toi_exact_hull *hull, toi_exact_candidate found[2 * TOI_MOST_CORNERS]);

/* Contacts after t_max need not be found: touching may then be false, or true with a bracket past it. The hull must
 * have its coplanarity if it has three corners or four. */
void toi_exact_first_contact(toi_exact_hull *hull, double t_max, double guess, toi_exact_first *first);

/* The answer in doubles: everything in *hit. */
void toi_exact_answer(toi_exact_hull *hull, double t_max, toi_exact_first *first, toi_hit *hit);

/* The number of different contact times in [0, t_max], or TOI_CONTACT_TIMES_INFINITE, given the first of them; its
 * roots must still lie in the arena. */
uint32_t toi_exact_count(toi_exact_hull *hull, double t_max, toi_exact_first *first);

/* The limit of the numbers it sorts, and limbs of arena it takes for them. */
uint32_t toi_exact_count_limit(uint32_t coefficient_bits);
size_t toi_exact_count_limbs(uint32_t coefficient_bits);

/* u, v and normal of a first contact, and the weights of the second primitive's points; no point. */
void toi_exact_place_in_hull(toi_exact_hull *hull, toi_exact_first *first, double second[3], toi_hit *hit);

/* u, v, point and normal of a first contact. */
void toi_exact_place(toi_exact_hull *hull, toi_exact_first *first, toi_hit *hit);

#endif
