/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first contact, by dimension.
 *
 * Claim: toi_exact_first_contact finds the smallest t in [0, 1] at which 0 lies in the hull, if there is one.
 *
 * Three or four corners, coplanarity f not identically zero: where f is not 0, three corners are linearly
 * independent, so the hull's plane misses 0. The contact times are the roots of f at which 0 is in the hull.
 *
 * f identically zero: 0 is in the hull's plane, or the hull in a line or point, at all times. Let t* > 0 be the
 * first contact. Then 0 is on a boundary segment at t*: if N(t*) = 0 the hull is the union of its boundary segments.
 * If N_axis(t*) is not 0 and 0 were in the interior, all areas on that axis would be strictly of one sign at t* and,
 * being continuous, just before t* too, where 0 would be in the hull, as f = 0: a contradiction. So t* is the first
 * contact of a segment.
 *
 * A segment [p, q]: 0 is on it only where p x q = 0. If some component of p x q is not identically zero, contact
 * times are among its roots. If p x q is identically zero, and t* > 0 is the first contact, p or q is 0 at t*:
 * otherwise p = x d, q = y d with x y < 0 at t*, hence p . q < 0 just before t* too, where p and q are parallel as
 * well: a contact. So t* is the first contact of a corner, and a root of any of its coordinates that is not
 * identically zero; if all are, they touch at 0.
 *
 * Hence: test t = 0, and the roots of one polynomial for each segment or corner. Every candidate is tested as a
 * contact of the whole hull, so a root that is none does no harm. */

#include "narrow/exact.h"

#include <math.h>

#include "narrow/exact_hull.h"
#include "narrow/method.h"

static void first_of_coplanarity(toi_exact_hull *hull, double t_max, double guess, toi_exact_first *first) {
  toi_algebraic *roots = first->roots;
  int count = toi_integer_form_roots(hull->arena, &hull->coplanarity, hull->limit, roots);
  first->root_count = count;
  // The sign of the coplanarity before the first root in (0, 1].
  int side = 0;
  for (int i = 0; side == 0; i++)
    side = toi_integer_sign(hull->coplanarity.c[i]);
  for (int i = 0; i < count; i++) {
    first->time = roots[i];
    first->root = i;
    toi_algebraic_bracket(hull->arena, &first->time, guess, first->bracket);
    if (first->bracket[1] > t_max)
      return;
    first->contact = toi_exact_contact_at(hull, &first->time);
    bool at_start = first->bracket[1] == 0;
    if (first->contact.touching) {
      first->touching = true;
      first->side = at_start ? 0 : side;
      return;
    }
    side = at_start || roots[i].multiplicity % 2 == 0 ? side : -side;
  }
}

int toi_exact_candidates(toi_exact_hull *hull, toi_exact_candidate found[2 * TOI_MOST_CORNERS]) {
  int count = 0;
  bool corner_needed[TOI_MOST_CORNERS] = {hull->count == 1};
  for (int k = 0; k < toi_exact_segments(hull); k++) {
    const toi_integer_form *area = NULL;
    for (int axis = 0; axis < TOI_AXES; axis++) {
      const toi_integer_form *own = toi_exact_hull_area(hull, k, axis);
      area = area == NULL && !toi_integer_form_is_zero(own) ? own : area;
    }
    if (area != NULL)
      found[count++] = (toi_exact_candidate){area, false, k};
    else
      corner_needed[k] = corner_needed[toi_exact_next(hull, k)] = true;
  }
  for (int k = 0; k < hull->count; k++) {
    for (int axis = 0; corner_needed[k] && axis < TOI_AXES; axis++) {
      const toi_integer_form *corner = &hull->corner[k][axis];
      if (!toi_integer_form_is_zero(corner)) {
        found[count++] = (toi_exact_candidate){corner, true, k};
        corner_needed[k] = false;
      }
    }
  }
  return count;
}

/* Whether the time with this bracket is before the first contact found so far. */
static bool earlier(toi_arena *arena, const toi_algebraic *time, const double bracket[2],
                    const toi_exact_first *first) {
  if (!first->touching || bracket[1] < first->bracket[1])
    return true;
  return bracket[1] == first->bracket[1] && toi_algebraic_compare(arena, time, &first->time) < 0;
}

static void first_of_planar(toi_exact_hull *hull, double t_max, double guess, toi_exact_first *first) {
  toi_arena *arena = hull->arena;
  toi_exact_candidate candidates[2 * TOI_MOST_CORNERS];
  toi_exact_hull_complete(hull);
  int candidate_count = toi_exact_candidates(hull, candidates);
  // At the start.
  first->time = toi_algebraic_dyadic(arena, TOI_INTEGER_ZERO, 0, hull->limit);
  first->contact = toi_exact_contact_at(hull, &first->time);
  first->touching = first->contact.touching;
  first->bracket[0] = first->bracket[1] = 0;
  if (first->touching)
    return;
  // All areas are made, so that what follows may be released but for the best, which has a place of its own.
  size_t room = toi_algebraic_limbs(hull->limit);
  toi_limb *place = toi_arena_take(arena, room), *mark = toi_arena_mark(arena);
  toi_arena kept = {place, mark};
  for (int i = 0; i < candidate_count; i++) {
    toi_algebraic roots[TOI_DEGREE_CUBIC];
    int count = toi_integer_form_roots(arena, candidates[i].form, hull->limit, roots);
    for (int j = 0; j < count; j++) {
      double bracket[2];
      toi_algebraic_bracket(arena, &roots[j], guess, bracket);
      if (bracket[1] > t_max || !earlier(arena, &roots[j], bracket, first))
        break;
      toi_exact_contact contact = toi_exact_contact_at(hull, &roots[j]);
      if (contact.touching) {
        toi_arena_release(&kept, place);
        first->touching = true;
        first->time = toi_algebraic_copy(&kept, &roots[j]);
        first->bracket[0] = bracket[0];
        first->bracket[1] = bracket[1];
        first->contact = contact;
        break;
      }
    }
    toi_arena_release(arena, mark);
  }
}

void toi_exact_first_contact(toi_exact_hull *hull, double t_max, double guess, toi_exact_first *first) {
  first->touching = false;
  first->side = 0;
  first->root_count = first->root = 0;
  if (toi_integer_form_is_zero(&hull->coplanarity))
    first_of_planar(hull, t_max, guess, first);
  else
    first_of_coplanarity(hull, t_max, guess, first);
}

size_t toi_exact_scratch(toi_kind kind, const double *query) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  return toi_exact_solve_bytes(&bound);
}

static void miss(double t_max, toi_hit *hit) {
  *hit = toi_hit_miss(t_max, TOI_LEVEL_EXACT);
}

void toi_exact_answer(toi_exact_hull *hull, double t_max, toi_exact_first *first, toi_hit *hit) {
  miss(t_max, hit);
  if (!first->touching || first->bracket[1] > t_max)
    return;
  double lo = first->bracket[0], hi = first->bracket[1];
  hit->verdict = TOI_HIT;
  hit->distance = 0;
  hit->t_lo = lo;
  hit->t_hi = hi;
  hit->t_safe = lo < hi || lo == 0 ? lo : nextafter(lo, 0);
  hit->touching_at_start = hi == 0;
  toi_exact_place(hull, first, hit);
}

void toi_exact(toi_kind kind, const double *query, double t_max, double guess, void *scratch, toi_hit *hit) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  toi_arena arena = toi_arena_make(scratch, toi_exact_solve_bytes(&bound));
  toi_exact_hull hull;
  toi_exact_hull_make(&arena, kind, query, &bound, &hull);
  if (toi_exact_hull_apart(&hull)) {
    miss(t_max, hit);
    return;
  }
  if (hull.count >= 3)
    toi_exact_hull_coplanarity(&hull);
  toi_exact_first first;
  toi_exact_first_contact(&hull, t_max, guess, &first);
  toi_exact_answer(&hull, t_max, &first, hit);
}
