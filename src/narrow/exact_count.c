/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How often they touch.
 *
 * Where the coplanarity is not identically zero, contact times are roots of it: at most three. Otherwise contact
 * depends on the signs of areas and corners alone (exact_hull.c), all of which are constant between neighbouring roots
 * of those that are not identically zero. So all of these roots, 0 and t_max are sorted as algebraic numbers; one
 * dyadic time in every gap tells whether they touch during all of it, which makes the number infinite; if no gap does,
 * the roots in contact are counted.
 *
 * Claim: the gap between different roots x, y of areas or corners is at least 2^-(6n+6), n the bits of the coefficients
 * of areas in powers of t; so their intervals are apart at 6 n + 6 bits, and toi_exact_count_limit suffices. Why: for
 * polynomials p, q of degree 2 with leading coefficients a, b and no common root, the resultant a^2 b^2 (x - y)(x -
 * y')(x' - y)(x' - y') is an integer that is not 0, and |a b (x - y')| <= |b| |a x| + |a| |b y'| <= 2^(2n+2), as |a x|,
 * |b y| <= 2^(n+1) by Cauchy. So |x - y| >= |a b| 2^-(6n+6). With a common root that is neither x nor y, or a lower
 * degree, factors drop out, and the gap is larger; for roots of the same polynomial it is at least 2^-n. */

#include <math.h>
#include <toi/proof.h>

#include "narrow/exact_hull.h"

/* All areas and corners with two roots or one, 0 and t_max. */
#define MOST_TIMES (TOI_MOST_CORNERS * TOI_AXES * 3 + 2)

typedef struct times {
  toi_exact_hull *hull;
  toi_arena kept; /* where the numbers live */
  uint32_t limit;
  int count;
  toi_algebraic time[MOST_TIMES]; /* in increasing order, all different */
} times;

uint32_t toi_exact_count_limit(uint32_t coefficient_bits) {
  return 7 * coefficient_bits + 128;
}

size_t toi_exact_count_limbs(uint32_t coefficient_bits) {
  return MOST_TIMES * toi_algebraic_limbs(toi_exact_count_limit(coefficient_bits));
}

/* Puts a number in its place, unless it is there. */
static void insert(times *t, const toi_algebraic *number) {
  toi_arena *arena = t->hull->arena;
  int place = t->count;
  while (place > 0) {
    int order = toi_algebraic_compare(arena, number, &t->time[place - 1]);
    if (order == 0)
      return;
    if (order > 0)
      break;
    place--;
  }
  assert(t->count < MOST_TIMES);
  for (int i = t->count; i > place; i--)
    t->time[i] = t->time[i - 1];
  t->time[place] = toi_algebraic_copy(&t->kept, number);
  t->count++;
}

/* The roots of a form in (0, t_max); 0 and t_max are there from the start. */
static void insert_roots(times *t, const toi_integer_form *form, const toi_algebraic *t_max) {
  if (toi_integer_form_is_zero(form))
    return;
  toi_arena *arena = t->hull->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_algebraic roots[TOI_DEGREE_CUBIC];
  int count = toi_integer_form_roots(arena, form, t->limit, roots);
  for (int i = 0; i < count; i++) {
    double bracket[2];
    toi_algebraic_bracket(arena, &roots[i], NAN, bracket);
    if (toi_algebraic_compare(arena, &roots[i], t_max) < 0)
      insert(t, &roots[i]);
  }
  toi_arena_release(arena, mark);
}

/* Whether they touch at a dyadic time strictly between two numbers. */
static bool touch_between(times *t, toi_algebraic *a, toi_algebraic *b) {
  toi_arena *arena = t->hull->arena;
  for (;;) {
    // The end of a's interval and the start of b's, over a common denominator.
    toi_limb *mark = toi_arena_mark(arena);
    uint32_t k = a->k > b->k ? a->k : b->k;
    toi_integer lo = toi_integer_shift_left(arena, toi_integer_add(arena, a->m, a->w), k - a->k);
    toi_integer hi = toi_integer_shift_left(arena, b->m, k - b->k);
    int order = toi_integer_compare(lo, hi);
    bool open = !toi_algebraic_is_dyadic(a) && !toi_algebraic_is_dyadic(b);
    if (order < 0 || (order == 0 && open)) {
      toi_algebraic middle = toi_algebraic_dyadic(arena, toi_integer_add(arena, lo, hi), k + 1, t->limit + 1);
      bool touching = toi_exact_contact_at(t->hull, &middle).touching;
      toi_arena_release(arena, mark);
      return touching;
    }
    toi_arena_release(arena, mark);
    // The wider of the two intervals first; widths are compared by their bits.
    bool wider = (int)toi_integer_bits(a->w) - (int)a->k > (int)toi_integer_bits(b->w) - (int)b->k;
    bool refined = toi_algebraic_refine(arena, wider ? a : b) || toi_algebraic_refine(arena, wider ? b : a);
    assert(refined);
    if (!refined)
      return false;
  }
}

static uint32_t count_planar(toi_exact_hull *hull, double t_max) {
  toi_arena *arena = hull->arena;
  toi_exact_hull_complete(hull);
  times t = {.hull = hull, .limit = toi_exact_count_limit(hull->coefficient_bits)};
  size_t limbs = toi_exact_count_limbs(hull->coefficient_bits);
  t.kept.next = toi_arena_take(arena, limbs);
  t.kept.end = t.kept.next + limbs;
  int exponent;
  toi_integer m = toi_integer_from_i64(arena, toi_double_split(t_max, &exponent));
  toi_algebraic start = toi_algebraic_dyadic(arena, TOI_INTEGER_ZERO, 0, t.limit);
  toi_algebraic end = toi_algebraic_dyadic(arena, m, (uint32_t)-exponent, t.limit);
  insert(&t, &start);
  insert(&t, &end);
  for (int k = 0; k < hull->count; k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      insert_roots(&t, &hull->corner[k][axis], &end);
      if (k < toi_exact_segments(hull))
        insert_roots(&t, &hull->area[k][axis], &end);
    }
  }
  uint32_t contacts = 0;
  for (int i = 0; i < t.count; i++) {
    contacts += toi_exact_contact_at(hull, &t.time[i]).touching;
    if (i + 1 < t.count && touch_between(&t, &t.time[i], &t.time[i + 1]))
      return TOI_CONTACT_TIMES_INFINITE;
  }
  return contacts;
}

uint32_t toi_exact_count(toi_exact_hull *hull, double t_max, toi_exact_first *first) {
  if (toi_integer_form_is_zero(&hull->coplanarity))
    return count_planar(hull, t_max);
  if (!first->touching || first->bracket[1] > t_max)
    return 0;
  uint32_t contacts = 1;
  for (int i = first->root + 1; i < first->root_count; i++) {
    double bracket[2];
    toi_algebraic_bracket(hull->arena, &first->roots[i], NAN, bracket);
    if (bracket[1] > t_max)
      break;
    contacts += toi_exact_contact_at(hull, &first->roots[i]).touching;
  }
  return contacts;
}
