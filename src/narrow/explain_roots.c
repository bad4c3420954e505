/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The roots of the coplanarity in integers, and the inside test at each, for toi_explain; of a planar motion the times
 * that exact.c looks at. The same functions decide in the method `exact`.
 *
 * Claim: all of it fits in toi_exact_count_bytes of arena. Why: the hull, one set of roots and temporaries with
 * a sign or a value are in toi_exact_solve_bytes, as are the components of the normal and the first contact so far; a
 * component in powers of t, 6 X(n) (exact_bound.c), is less than what counting adds. */

#include <math.h>

#include "narrow/exact_hull.h"
#include "narrow/explain.h"

/* Values are wanted to this many bits; an interval is narrowed by so many more than seems to be needed. */
#define WANTED_BITS 44
#define SPARE_BITS 64

/* The sum of fractions of 2^-WANTED_BITS stays well below what toi/explain.h promises, 2^-40. */

/* One root under examination. */
typedef struct examined {
  toi_exact_hull *hull;
  toi_algebraic *time;
  toi_exact_contact contact;
  toi_explained_root *root;
} examined;

size_t toi_explain_scratch(toi_kind kind, const double *query) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  return toi_exact_count_bytes(&bound);
}

/* --- coefficients --- */

static double coefficient(toi_integer c, double divisor, int exponent) {
  int own;
  double m = toi_integer_approximate(c, &own) / divisor;
  double value = m == 0 ? 0 : ldexp(m, own + exponent);
  return isfinite(value) ? value : NAN;
}

static void tell_coefficients(const toi_exact_hull *hull, toi_explanation *e) {
  int exponent = 0;
  for (int axis = 0; axis < TOI_AXES; axis++)
    exponent += hull->exponent[axis] + e->scale[axis];
  for (int i = 0; i <= TOI_DEGREE_CUBIC; i++)
    e->exact[i] = coefficient(hull->coplanarity.c[i], i == 1 || i == 2 ? 3 : 1, exponent);
}

/* --- the inside test --- */

/* The signs of the areas on an axis at the time: whether two are opposite. */
static bool signs_on_axis(const examined *x, int axis, int8_t sign[TOI_MOST_CORNERS]) {
  bool up = false, down = false;
  for (int k = 0; k < toi_exact_segments(x->hull); k++) {
    sign[k] = (int8_t)toi_algebraic_sign(x->hull->arena, x->time, toi_exact_hull_power(x->hull, k, axis));
    up |= sign[k] > 0;
    down |= sign[k] < 0;
  }
  return up && down;
}

/* The axis whose areas show whether 0 is in the hull, and their signs: that of a contact; or one with opposite areas,
 * or, of two corners, an area that is not 0. */
static int telling_axis(const examined *x, int8_t sign[TOI_MOST_CORNERS]) {
  int8_t own[TOI_MOST_CORNERS] = {0};
  for (int axis = 0; axis < TOI_AXES && x->hull->count > 1; axis++) {
    bool opposite = signs_on_axis(x, axis, own);
    bool shown = x->contact.touching ? axis == x->contact.axis : opposite || (x->hull->count == 2 && own[0] != 0);
    for (int k = 0; k < TOI_MOST_CORNERS && shown; k++)
      sign[k] = own[k];
    if (shown)
      return axis;
  }
  return -1;
}

/* A polynomial that is not 0 at the time, there: m 2^e. */
static toi_estimate value_at(const examined *x, const toi_polynomial *p) {
  toi_arena *arena = x->hull->arena;
  toi_estimate estimate = toi_algebraic_estimate(arena, x->time, p);
  while (estimate.bits < WANTED_BITS &&
         toi_algebraic_refine_by(arena, x->time, (uint32_t)(WANTED_BITS - estimate.bits) + SPARE_BITS))
    estimate = toi_algebraic_estimate(arena, x->time, p);
  return estimate;
}

/* The component of the normal along the axis; 0 if it is 0, or if the hull has none. */
static toi_estimate normal_at(const examined *x, int axis) {
  toi_estimate none = {0, 0, 0};
  if (x->hull->count < 3)
    return none;
  toi_arena *arena = x->hull->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer_form form = toi_exact_hull_normal(x->hull, axis);
  toi_estimate value = none;
  if (toi_algebraic_sign_form(arena, x->time, &form) != 0) {
    toi_polynomial power = toi_integer_form_power(arena, &form);
    value = value_at(x, &power);
  }
  toi_arena_release(arena, mark);
  return value;
}

/* The areas as fractions of the hull's area, or of the largest of them. */
static void measure_areas(const examined *x, int axis) {
  toi_explained_root *root = x->root;
  toi_estimate value[TOI_MOST_CORNERS] = {{0, 0, 0}}, whole = normal_at(x, axis);
  for (int k = 0; k < toi_exact_segments(x->hull); k++)
    if (root->area_sign[k] != 0)
      value[k] = value_at(x, toi_exact_hull_power(x->hull, k, axis));
  const bool flat = whole.m == 0;
  for (int k = 0; k < TOI_MOST_CORNERS && flat; k++) {
    bool larger = value[k].m != 0 && (whole.m == 0 || ldexp(fabs(value[k].m), value[k].e - whole.e) > whole.m);
    whole = larger ? (toi_estimate){fabs(value[k].m), value[k].e, 0} : whole;
  }
  for (int k = 0; k < TOI_MOST_CORNERS; k++)
    root->area[k] = value[k].m != 0 ? ldexp(value[k].m / whole.m, value[k].e - whole.e) : 0;
  if (!flat) {
    root->u = root->area[x->hull->count - 1];
    root->v = root->area[0];
  }
}

/* Everything about one time. */
static void examine(const examined *given, double bracket[2]) {
  examined own = *given, *x = &own;
  toi_explained_root *root = x->root;
  x->contact = toi_exact_contact_at(x->hull, x->time);
  root->t_lo = bracket[0];
  root->t_hi = bracket[1];
  root->u = root->v = NAN;
  root->touching = x->contact.touching;
  root->multiplicity = (uint8_t)(x->time->multiplicity > 0 ? x->time->multiplicity : 1);
  // Where they touch, as the answer has it: the smallest parameters, if there are many.
  toi_hit hit = {0};
  if (root->touching) {
    toi_limb *mark = toi_arena_mark(x->hull->arena);
    toi_exact_first first = {.touching = true, .time = *x->time, .bracket = {bracket[0], bracket[1]}};
    first.contact = x->contact;
    toi_exact_place(x->hull, &first, &hit);
    *x->time = first.time;
    toi_arena_release(x->hull->arena, mark);
  }
  root->axis = (int8_t)telling_axis(x, root->area_sign);
  if (root->axis >= 0)
    measure_areas(x, root->axis);
  if (root->touching) {
    root->u = hit.u;
    root->v = hit.v;
  }
}

/* --- the roots --- */

/* What is reported, and the first contact so far, kept in a part of the arena of its own. */
typedef struct listing {
  toi_exact_hull *hull;
  toi_explanation *e;
  toi_explained_root *first; /* NULL: none yet */
  toi_algebraic best;        /* its time */
  toi_arena kept;
  toi_limb *place;
} listing;

static void add_time(listing *l, toi_algebraic *time, toi_root_source source, int element) {
  toi_arena *arena = l->hull->arena;
  assert(l->e->root_count < TOI_EXPLAIN_ROOTS);
  if (l->e->root_count == TOI_EXPLAIN_ROOTS)
    return;
  toi_explained_root *root = &l->e->roots[l->e->root_count++];
  root->source = (uint8_t)source;
  root->element = (uint8_t)element;
  double bracket[2];
  toi_algebraic_bracket(arena, time, NAN, bracket);
  examine(&(examined){.hull = l->hull, .time = time, .root = root}, bracket);
  if (!root->touching || (l->first != NULL && toi_algebraic_compare(arena, time, &l->best) >= 0))
    return;
  toi_arena_release(&l->kept, l->place);
  l->best = toi_algebraic_copy(&l->kept, time);
  l->first = root;
}

static void add_roots(listing *l, const toi_integer_form *form, toi_root_source source, int element) {
  toi_arena *arena = l->hull->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_algebraic roots[TOI_DEGREE_CUBIC];
  int count = toi_integer_form_roots(arena, form, l->hull->limit, roots);
  for (int i = 0; i < count; i++)
    add_time(l, &roots[i], source, element);
  toi_arena_release(arena, mark);
}

/* 0 in a planar motion, and the roots of its candidates: at most 9, as a segment with two roots of its area needs no
 * corner, and one without has two corners at most, with a root each. */
static void add_planar(listing *l) {
  toi_exact_hull *hull = l->hull;
  toi_exact_candidate candidates[2 * TOI_MOST_CORNERS];
  int count = toi_exact_candidates(hull, candidates);
  toi_limb *mark = toi_arena_mark(hull->arena);
  toi_algebraic start = toi_algebraic_dyadic(hull->arena, TOI_INTEGER_ZERO, 0, hull->limit);
  add_time(l, &start, TOI_ROOT_AT_START, 0);
  toi_arena_release(hull->arena, mark);
  for (int i = 0; i < count; i++)
    add_roots(l, candidates[i].form, candidates[i].corner ? TOI_ROOT_OF_CORNER : TOI_ROOT_OF_AREA,
              candidates[i].element);
}

void toi_explain_roots(toi_kind kind, const double *query, void *scratch, toi_explanation *explanation) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  toi_arena arena = toi_arena_make(scratch, toi_exact_count_bytes(&bound));
  toi_exact_hull hull;
  toi_exact_hull_make(&arena, kind, query, &bound, &hull);
  if (hull.count >= 3) {
    toi_exact_hull_coplanarity(&hull);
    tell_coefficients(&hull, explanation);
    explanation->cubic_zero = toi_integer_form_is_zero(&hull.coplanarity);
  }
  toi_exact_hull_complete(&hull);
  listing l = {.hull = &hull, .e = explanation};
  l.place = toi_arena_take(&arena, toi_algebraic_limbs(hull.limit));
  l.kept = (toi_arena){l.place, toi_arena_mark(&arena)};
  if (toi_integer_form_is_zero(&hull.coplanarity))
    add_planar(&l);
  else
    add_roots(&l, &hull.coplanarity, TOI_ROOT_OF_CUBIC, 0);
  if (l.first != NULL)
    l.first->first = 1;
}
