/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From a query to the answer: integers, a box that is out of reach, the solver of the norm, doubles. */

#include "narrow/exact_separation.h"

#include <math.h>

#include "narrow/exact_apart.h"
#include "narrow/method.h"

size_t toi_exact_separation_scratch(toi_kind kind, const double *query, double d, toi_norm norm) {
  toi_apart_bound bound = toi_apart_bound_of(kind, query, d);
  return toi_apart_bytes(&bound, norm);
}

/* Whether a root with this bracket would be the earliest time so far. */
static bool improves(const toi_exact_search *search, toi_arena *arena, const toi_algebraic *root,
                     const double bracket[2]) {
  const double *best = search->bracket;
  if (bracket[1] > search->t_max)
    return false;
  if (search->time != NULL)
    return toi_exact_time_compare(arena, root, bracket, search->time) < 0;
  return bracket[1] < best[1] || (bracket[1] == best[1] && bracket[0] < best[0]);
}

double toi_search_form(toi_exact_search *search, toi_arena *arena, const toi_integer_form *form, toi_root_test test,
                       const void *user) {
  double first = INFINITY;
  toi_root_walk walk;
  toi_root_walk_start(&walk, arena, form, search->from, fmin(search->t_max, search->bracket[1]));
  for (toi_algebraic *root = toi_root_walk_next(&walk); root; root = toi_root_walk_next(&walk)) {
    double bracket[2];
    toi_algebraic_bracket(arena, root, search->guess, bracket);
    if (!improves(search, arena, root, bracket))
      break;
    first = fmin(first, bracket[0]);
    if (test(user, root)) {
      search->bracket[0] = bracket[0];
      search->bracket[1] = bracket[1];
      if (search->time != NULL)
        toi_exact_time_keep(search->time, arena, root, bracket);
      break;
    }
  }
  toi_root_walk_end(&walk);
  return first;
}

bool toi_apart_by_box(const toi_exact_hull *hull, const toi_exact_span *d) {
  toi_arena *arena = hull->arena;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    toi_limb *mark = toi_arena_mark(arena);
    int shift = d->exponent - hull->exponent[axis], beyond = 0;
    toi_integer reach = toi_integer_shift_left(arena, d->mantissa, shift > 0 ? (uint32_t)shift : 0);
    for (int k = 0; k < hull->count; k++) {
      for (int i = 0; i < 2; i++) {
        toi_integer c = hull->corner[k][axis].c[i];
        toi_integer size = toi_integer_shift_left(arena, toi_integer_absolute(c), shift < 0 ? (uint32_t)-shift : 0);
        beyond += toi_integer_compare(size, reach) > 0 ? toi_integer_sign(c) : 0;
      }
    }
    toi_arena_release(arena, mark);
    if (beyond == 2 * hull->count || beyond == -2 * hull->count)
      return true;
  }
  return false;
}

void toi_apart_search(toi_exact_hull *hull, double d, toi_norm norm, toi_exact_search *search) {
  toi_exact_span span;
  span.mantissa = toi_integer_from_i64(hull->arena, toi_double_split(d, &span.exponent));
  if (toi_apart_by_box(hull, &span))
    return;
  if (norm == TOI_NORM_L2) {
    toi_apart_hull_euclidean(hull);
    toi_apart_euclidean(hull, &span, search);
  } else {
    toi_apart_maximum(hull, &span, search);
  }
}

void toi_exact_separation(toi_kind kind, const double *query, double d, toi_norm norm, double t_max, double guess,
                          void *scratch, toi_hit *hit) {
  assert(isfinite(d) && d > 0);
  toi_apart_bound bound = toi_apart_bound_of(kind, query, d);
  toi_arena arena = toi_arena_make(scratch, toi_apart_bytes(&bound, norm));
  toi_exact_hull hull;
  toi_exact_hull_make(&arena, kind, query, &bound.hull, &hull);
  toi_exact_search search = {.t_max = t_max, .guess = guess, .bracket = {INFINITY, INFINITY}};
  toi_apart_search(&hull, d, norm, &search);
  *hit = toi_hit_miss(t_max, TOI_LEVEL_EXACT);
  hit->separation = d;
  if (search.bracket[1] > t_max)
    return;
  double lo = search.bracket[0], hi = search.bracket[1];
  hit->verdict = TOI_HIT;
  hit->t_lo = lo;
  hit->t_hi = hi;
  hit->t_safe = lo < hi || lo == 0 ? lo : nextafter(lo, 0);
  hit->touching_at_start = hi == 0;
}
