/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The time of each query is found again, as a number, and the numbers are compared.
 *
 * What finds it is what `exact` uses; of a half-space, exact_half_space.c. Without separation that is the number itself
 * (exact.c). With one, `exact` stops where two candidates have the same doubles around them; here the search is told to
 * keep the number, and compares candidates with the same doubles exactly (exact_apart.h), so that the one that is left
 * is the time of the claims in exact_apart_euclidean.c and exact_apart_maximum.c.
 *
 * Sizes. Two times are kept, side by side; what finds one takes what it takes for `exact`, and on top of it one
 * comparison of candidates, whose polynomials have the same bound; at the end there is one comparison of the two. With
 * a separation, polynomials of at most n bits (exact_apart.c) have primitive factors of at most n + 9 (root_walk.c),
 * and times denominators of toi_root_walk_limit(n) bits; without, exact_bound.c says it. */

#include "narrow/exact_order.h"

#include <math.h>

#include "narrow/exact_apart.h"
#include "narrow/exact_half_space.h"
#include "narrow/exact_time.h"

/* Primitive factors are longer than the polynomial by so many bits at most. */
#define FACTOR_BITS 9

/* The bound of a query's time, and limbs of arena to find it in. */
static toi_time_bound bound_of(const toi_timed *x, size_t *limbs) {
  toi_time_bound bound;
  if (x->kind == TOI_VERTEX_HALF_SPACE) {
    bound = toi_exact_half_space_bound(x->query, x->separation, limbs);
  } else if (x->separation > 0) {
    toi_apart_bound apart = toi_apart_bound_of(x->kind, x->query, x->separation);
    bool euclidean = x->norm == TOI_NORM_L2;
    uint32_t bits = euclidean ? apart.euclidean_bits : apart.maximum_bits;
    bound.degree = euclidean ? TOI_DEGREE_MAX : TOI_DEGREE_CUBIC;
    bound.bits = bits + FACTOR_BITS;
    bound.limit = toi_root_walk_limit(bits);
    *limbs = toi_apart_bytes(&apart, x->norm) / sizeof(toi_limb);
  } else {
    toi_exact_bound hull = toi_exact_bound_of(x->kind, x->query);
    bound = (toi_time_bound){TOI_DEGREE_CUBIC, hull.coefficient_bits, hull.limit};
    *limbs = toi_exact_solve_bytes(&hull) / sizeof(toi_limb);
  }
  *limbs += toi_exact_time_compare_limbs(&bound, &bound);
  return bound;
}

size_t toi_exact_order_scratch(const toi_timed *a, const toi_timed *b) {
  size_t find_a, find_b;
  toi_time_bound bound_a = bound_of(a, &find_a), bound_b = bound_of(b, &find_b);
  size_t work = toi_exact_time_compare_limbs(&bound_a, &bound_b);
  work = work > find_a ? work : find_a;
  work = work > find_b ? work : find_b;
  return (toi_exact_time_limbs(&bound_a) + toi_exact_time_limbs(&bound_b) + work) * sizeof(toi_limb);
}

/* Finds the time of a query without separation. */
static void find_contact(const toi_timed *x, toi_arena *arena, toi_exact_time *time) {
  toi_exact_bound bound = toi_exact_bound_of(x->kind, x->query);
  toi_exact_hull hull;
  toi_exact_first first;
  toi_exact_hull_make(arena, x->kind, x->query, &bound, &hull);
  if (hull.count >= 3)
    toi_exact_hull_coplanarity(&hull);
  toi_exact_first_contact(&hull, x->t_hi, x->t_lo, &first);
  if (first.touching)
    toi_exact_time_keep(time, arena, &first.time, first.bracket);
}

/* With a separation. */
static void find_separated(const toi_timed *x, toi_arena *arena, toi_exact_time *time) {
  toi_apart_bound bound = toi_apart_bound_of(x->kind, x->query, x->separation);
  toi_exact_hull hull;
  toi_exact_hull_make(arena, x->kind, x->query, &bound.hull, &hull);
  // From 0 on, though nothing happens before t_lo: the solvers learn from the first roots of planes.
  toi_exact_search search = {.t_max = x->t_hi, .guess = x->t_lo, .bracket = {INFINITY, INFINITY}, .time = time};
  toi_apart_search(&hull, x->separation, x->norm, &search);
  // At the start there is no number to keep.
  time->bracket[0] = search.bracket[0];
  time->bracket[1] = search.bracket[1];
}

/* Of a half-space, with or without. */
static void find_half_space(const toi_timed *x, toi_arena *arena, toi_exact_time *time) {
  toi_exact_search search = {.t_max = x->t_hi, .guess = x->t_lo, .bracket = {INFINITY, INFINITY}, .time = time};
  toi_exact_half_space_search(x->query, x->separation, x->norm, arena, &search);
  time->bracket[0] = search.bracket[0];
  time->bracket[1] = search.bracket[1];
}

static void find(const toi_timed *x, toi_arena *arena, toi_exact_time *time) {
  toi_limb *mark = toi_arena_mark(arena);
  if (x->kind == TOI_VERTEX_HALF_SPACE)
    find_half_space(x, arena, time);
  else if (x->separation > 0)
    find_separated(x, arena, time);
  else
    find_contact(x, arena, time);
  assert(x->t_lo <= time->bracket[1] && time->bracket[1] <= x->t_hi);
  toi_arena_release(arena, mark);
}

/* Whether the brackets show the order. */
static bool order_by_brackets(const toi_timed *a, const toi_timed *b, int *order) {
  assert(a->t_lo <= a->t_hi && b->t_lo <= b->t_hi);
  *order = a->t_hi < b->t_lo ? -1 : b->t_hi < a->t_lo;
  return *order != 0 || (a->t_lo == a->t_hi && b->t_lo == b->t_hi);
}

toi_status toi_exact_order(toi_context *context, uint32_t thread, const toi_timed *a, const toi_timed *b, int *order) {
  if (order_by_brackets(a, b, order))
    return TOI_OK;
  size_t bytes = toi_exact_order_scratch(a, b), unused;
  void *scratch = toi_borrow(context, thread, bytes);
  if (!scratch)
    return TOI_ERROR_MEMORY;
  toi_arena arena = toi_arena_make(scratch, bytes);
  toi_time_bound bound_a = bound_of(a, &unused), bound_b = bound_of(b, &unused);
  toi_exact_time time_a = toi_exact_time_make(&arena, &bound_a), time_b = toi_exact_time_make(&arena, &bound_b);
  find(a, &arena, &time_a);
  find(b, &arena, &time_b);
  *order = toi_exact_time_compare(&arena, &time_a.number, time_a.bracket, &time_b);
  toi_give_back(context, scratch);
  return TOI_OK;
}
