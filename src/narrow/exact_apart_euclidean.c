/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first time at which the Euclidean distance of 0 to the hull is at most d.
 *
 * Features of the hull and their polynomials, with corners c_k, e = c_(k+1) - c_k, areas a_k = c_k x c_(k+1) = c_k x e,
 * normal N and coplanarity f = N . c_0 (exact_hull.h):
 *   corner   |c|^2 - d^2              degree 2
 *   segment  |a_k|^2 - d^2 |e|^2      degree 4; the point closest to 0 on its line is strictly inside, and e is not 0,
 *                                     exactly if -c_k . e > 0 and c_(k+1) . e > 0
 *   face     f^2 - d^2 |N|^2          degree 6; the point closest to 0 in its plane is strictly inside, and N is not 0,
 *                                     exactly if N . a_k > 0 for all sides k
 * At a time when the tests hold, the distance of the feature is below, at or above d as its polynomial is negative, 0
 * or positive.
 *
 * Claim: if the distance is above d at t = 0, the first time t* at which it is d is the smallest root, over the
 * features whose polynomial is not identically zero, at which the feature's tests hold.
 * Why: where the tests hold at a root, a point of the hull is at distance d, so t* is not later. Conversely the closest
 * point at t* is a corner, or strictly inside a segment with e != 0, or strictly inside the face with N != 0 (with N =
 * 0 the hull is the union of its segments and corners). Of that feature the polynomial is 0 and the tests hold at t*;
 * they are strict, so they hold just before t* too. Were the polynomial identically zero, the distance would be at most
 * d just before t*: a contradiction. So features with a zero polynomial can be left out, and so can whatever happens
 * where a test is exactly zero.
 *
 * The plane is not farther than the hull, so before the first root of a face's polynomial that is positive at 0 nothing
 * happens, and likewise for the line of a segment and its ends. */

#include <math.h>

#include "narrow/exact_apart.h"

/* A feature: its polynomial, and the forms that are positive where it holds the closest point. */
typedef struct feature {
  toi_arena *arena;
  toi_integer_form form;
  int test_count;
  toi_integer_form test[TOI_MOST_CORNERS];
} feature;

typedef struct solver {
  toi_exact_hull *hull;
  toi_arena *arena;
  toi_integer square;  /* of d: square 2^-shift_down, or square 2^0, in units of the squared scale */
  uint32_t shift_down; /* so that forms times 2^shift_down compare with square */
  toi_exact_search *search;
} solver;

/* square times what `lower` says, subtracted from `form`: A - d^2 B. */
static toi_integer_form separated(const solver *s, const toi_integer_form *form, const toi_integer_form *lower) {
  toi_integer_form raised = form->degree == lower->degree ? *lower : toi_integer_form_elevate(s->arena, lower);
  toi_integer_form result = {form->degree, {TOI_INTEGER_ZERO}};
  toi_integer negative = toi_integer_negate(s->square);
  for (int i = 0; i <= form->degree; i++)
    result.c[i] = toi_integer_multiply_add(s->arena, raised.c[i], negative, form->c[i], s->shift_down);
  return result;
}

static toi_integer_form dot(const solver *s, const toi_integer_form *a, const toi_integer_form *b) {
  const toi_integer_form *pairs[TOI_AXES][2];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    pairs[axis][0] = &a[axis];
    pairs[axis][1] = &b[axis];
  }
  return toi_integer_form_dot(s->arena, (const toi_integer_form *const(*)[2])pairs, TOI_AXES);
}

/* --- features --- */

static void make_corner(const solver *s, int k, feature *out) {
  // d^2 has degree 0.
  toi_integer_form square = dot(s, s->hull->corner[k], s->hull->corner[k]);
  toi_integer_form one = {0, {toi_integer_from_u64(s->arena, 1)}};
  out->form = separated(s, &square, &one);
  out->arena = s->arena;
  out->test_count = 0;
}

static void make_segment(const solver *s, int k, feature *out) {
  const toi_integer_form *p = s->hull->corner[k], *q = s->hull->corner[toi_exact_next(s->hull, k)];
  toi_integer_form e[TOI_AXES], back[TOI_AXES], area[TOI_AXES];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    e[axis] = toi_integer_form_subtract(s->arena, &q[axis], &p[axis]);
    back[axis] = toi_integer_form_subtract(s->arena, &p[axis], &q[axis]);
    area[axis] = *toi_exact_hull_area(s->hull, k, axis);
  }
  toi_integer_form square = dot(s, area, area), length = dot(s, e, e);
  out->form = separated(s, &square, &length);
  out->arena = s->arena;
  out->test_count = 2;
  out->test[0] = dot(s, p, back);
  out->test[1] = dot(s, q, e);
}

/* The polynomial of the face; its tests are made when they are needed. */
static void make_face(const solver *s, toi_integer_form normal[TOI_AXES], feature *out) {
  for (int axis = 0; axis < TOI_AXES; axis++)
    normal[axis] = toi_exact_hull_normal(s->hull, axis);
  const toi_integer_form *f = &s->hull->coplanarity, *pair[1][2] = {{f, f}};
  toi_integer_form square = toi_integer_form_dot(s->arena, (const toi_integer_form *const(*)[2])pair, 1),
                   length = dot(s, normal, normal);
  out->form = separated(s, &square, &length);
  out->arena = s->arena;
  out->test_count = 0;
}

static void make_face_tests(const solver *s, const toi_integer_form normal[TOI_AXES], feature *out) {
  out->test_count = s->hull->count;
  for (int k = 0; k < s->hull->count; k++) {
    toi_integer_form area[TOI_AXES];
    for (int axis = 0; axis < TOI_AXES; axis++)
      area[axis] = *toi_exact_hull_area(s->hull, k, axis);
    out->test[k] = dot(s, normal, area);
  }
}

/* --- times --- */

/* Whether the form is positive on all of [0, 1], as its coefficients show. */
static bool always_positive(const toi_integer_form *form) {
  return toi_integer_form_sign(form) == 1 && form->c[0].size > 0 && form->c[form->degree].size > 0;
}

/* Within d at the start: the first coefficients are the values there. */
static bool within_at_start(const feature *x) {
  bool within = x->form.c[0].size <= 0;
  for (int i = 0; i < x->test_count && within; i++)
    within = x->test[i].c[0].size > 0;
  return within;
}

static bool tests_hold(const void *user, const toi_algebraic *root) {
  const feature *x = user;
  for (int i = 0; i < x->test_count; i++)
    if (toi_algebraic_sign_form(x->arena, root, &x->test[i]) <= 0)
      return false;
  return true;
}

/* Looks for the feature's first time; returns the lower end of the bracket of its first root. */
static double search_feature(const solver *s, const feature *x) {
  if (toi_integer_form_is_zero(&x->form) || always_positive(&x->form))
    return INFINITY;
  return toi_search_form(s->search, s->arena, &x->form, tests_hold, x);
}

/* The face: true if it settles the query. */
static bool search_face(const solver *s, bool *start_known) {
  feature face = {.arena = s->arena};
  toi_integer_form normal[TOI_AXES];
  toi_exact_hull_coplanarity(s->hull);
  make_face(s, normal, &face);
  *start_known = face.form.c[0].size > 0;
  if (always_positive(&face.form))
    return true;
  make_face_tests(s, normal, &face);
  if (within_at_start(&face)) {
    s->search->bracket[0] = s->search->bracket[1] = 0;
    return true;
  }
  double first = search_feature(s, &face);
  if (!*start_known)
    return false;
  // The plane was farther than d up to its first root.
  s->search->from = first;
  // Another time between the same doubles may still be earlier, which matters if the time itself is asked for.
  return first > s->search->t_max || (s->search->bracket[0] == first && s->search->time == NULL);
}

void toi_apart_euclidean(toi_exact_hull *hull, const toi_exact_span *d, toi_exact_search *search) {
  solver s = {.hull = hull, .arena = hull->arena, .search = search};
  s.square = toi_integer_multiply(s.arena, d->mantissa, d->mantissa);
  int shift = 2 * (d->exponent - hull->exponent[0]);
  s.square = shift > 0 ? toi_integer_shift_left(s.arena, s.square, (uint32_t)shift) : s.square;
  s.shift_down = shift < 0 ? (uint32_t)-shift : 0;
  bool start_known = false;
  if (hull->count >= 3 && search_face(&s, &start_known))
    return;
  // Segments and corners, all at the start first.
  int segments = toi_exact_segments(hull);
  feature x[2 * TOI_MOST_CORNERS] = {{.arena = s.arena}};
  for (int i = 0; i < segments + hull->count; i++) {
    if (i < segments)
      make_segment(&s, i, &x[i]);
    else
      make_corner(&s, i - segments, &x[i]);
    if (!start_known && within_at_start(&x[i])) {
      search->bracket[0] = search->bracket[1] = 0;
      return;
    }
  }
  bool beyond[TOI_MOST_CORNERS] = {false};
  for (int k = 0; k < segments; k++) {
    search_feature(&s, &x[k]);
    // Ends of a segment whose line is always farther than d.
    if (always_positive(&x[k].form))
      beyond[k] = beyond[toi_exact_next(hull, k)] = true;
  }
  for (int k = 0; k < hull->count; k++)
    if (!beyond[k])
      search_feature(&s, &x[segments + k]);
}
