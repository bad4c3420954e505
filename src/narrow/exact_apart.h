/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the solvers of exact_separation.h share: the query and the separation in integers, and the search for the first
 * of many candidate times. */

#ifndef TOI_NARROW_EXACT_APART_H
#define TOI_NARROW_EXACT_APART_H

#include "narrow/exact_hull.h"
#include "narrow/exact_time.h"
#include "number/root_walk.h"

/* d = mantissa 2^exponent, mantissa an odd integer. */
typedef struct toi_exact_span {
  toi_integer mantissa;
  int exponent;
} toi_exact_span;

/* The earliest time found so far. Times are compared by the tightest doubles around them: two with the same doubles
 * give the same answer, unless the time itself is asked for. */
typedef struct toi_exact_search {
  double t_max, guess;
  double from;       /* nothing happens before */
  double bracket[2]; /* infinite if none is found */
  toi_exact_time
      *time; /* NULL; or keeps the time itself, of those with the same doubles the earliest, unless it is 0 */
} toi_exact_search;

/* Sizes of a query with a separation; derivation in exact_apart.c. */
typedef struct toi_apart_bound {
  toi_exact_bound hull;
  uint32_t euclidean_bits; /* of the polynomials of the Euclidean norm in powers of t */
  uint32_t maximum_bits;   /* and of the maximum norm */
} toi_apart_bound;

toi_apart_bound toi_apart_bound_of(toi_kind kind, const double *query, double d);
size_t toi_apart_bytes(const toi_apart_bound *bound, toi_norm norm);

/* A hull with one scale for all axes (exponent[0]). */
void toi_apart_hull_euclidean(toi_exact_hull *hull);

/* Whether on some axis all corners are beyond d on one side at both ends, so that the distance is always above d. */
bool toi_apart_by_box(const toi_exact_hull *hull, const toi_exact_span *d);

/* What makes a root a time of contact. */
typedef bool (*toi_root_test)(const void *user, const toi_algebraic *root);

/* The first root of a form, which is not zero, at which the test holds, into search->bracket if it is the earliest so
 * far. Returns the lower end of the bracket of the first root in (0, t_max], infinity if there is none before the
 * earliest time. */
double toi_search_form(toi_exact_search *search, toi_arena *arena, const toi_integer_form *form, toi_root_test test,
                       const void *user);

/* The first time at which the distance is at most d into search->bracket. The hull is fresh: corners only. */
void toi_apart_search(toi_exact_hull *hull, double d, toi_norm norm, toi_exact_search *search);

/* Its solvers, one a norm: the first time at which the distance is at most d into search->bracket. */
void toi_apart_euclidean(toi_exact_hull *hull, const toi_exact_span *d, toi_exact_search *search);
void toi_apart_maximum(toi_exact_hull *hull, const toi_exact_span *d, toi_exact_search *search);

#endif
