/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Strict complementarity: whether a contact at an edge or a corner is the only one around, or an end of a curve or the
 * corner of a region of contacts.
 *
 * Claim: if toi_problem_is_strict is true, a box around the contact, in the parameters of both surfaces and in time, up
 * to their real edges, holds no other first contact; and time rises from the contact inward across each edge. Why:
 * lemma 15 of docs/guarantees.md. With n the normal of the contact and G the equations, what is checked over the box W
 * is n . G_i excludes 0, and has the sign of -n . G_t times the direction inward, for each frozen parameter i; by more
 * than TOI_PARALLEL |n| |G_i|, so that data turned by rounding make no unique contact of a region's corner. n is the
 * normal of the surface that has a face there, the cross product of the two edges, or the gradient of an implicit
 * surface. A contact at the corner of one surface and at an edge or a corner of the other has no normal of its own, and
 * is never strict. Of free unknowns nothing is asked: the region surrounds the contact there. */

#include "contact/boolean_pair.h"
#include "contact/contact_search.h"
#include "contact/solid.h"
#include "solve/vector.h"

/* W reaches so far inward, and into the free unknowns, in parts of the domain: any size will do. */
#define FIRST_REACH 0x1p-10
#define NEXT_REACH 0x1p-10
#define REACHES 4

/* W: inside the region along free unknowns, so that it meets no other edges. */
static toi_box around(const toi_problem *problem, const toi_newton_region *unique, double reach) {
  toi_box w = unique->root;
  for (size_t i = 0; i <= toi_body_pair_time(problem->pair); i++) {
    bool frozen = problem->frozen >> i & 1;
    toi_interval domain = frozen ? problem->pair->surface[i / 2]->shape->domain[i % 2] : problem->domain.x[i];
    toi_interval root = unique->root.x[i], region = unique->region.x[i], within = domain;
    double aside = reach * toi_interval_width(domain);
    if (!frozen)
      within = (toi_interval){0.5 * (region.lo + root.lo), 0.5 * (region.hi + root.hi)};
    w.x[i].lo = fmax(within.lo, root.lo - aside);
    w.x[i].hi = fmin(within.hi, root.hi + aside);
  }
  return w;
}

static void column_of(const toi_system *system, size_t i, toi_interval column[3]) {
  for (int k = 0; k < 3; k++)
    column[k] = system->slope[k][i];
}

/* n of two parametric surfaces; false: there is none. */
static bool find_normal(const toi_problem *problem, const toi_system *system, toi_interval n[3]) {
  uint32_t first = problem->frozen & 3, second = problem->frozen >> 2 & 3;
  if (first == 0 || second == 0) {
    memcpy(n, system->normal[second == 0], sizeof system->normal[0]);
    return true;
  }
  if (first == 3 || second == 3)
    return false;
  toi_interval e[3], f[3];
  column_of(system, first == 1 ? 1 : 0, e);
  column_of(system, second == 1 ? 3 : 2, f);
  toi_cross3(e, f, n);
  return true;
}

/* The sign of n . G_i over W; 0: it has none, or is too small. With an implicit surface n . G_i is the equation of
 * tangency along i, which is there as no parameter of the system is frozen. */
static int sign_along(const toi_problem *problem, const toi_system *system, const toi_interval n[3], size_t i) {
  if (problem->pair->kind == TOI_BODY_PAIR_PI)
    return toi_interval_sign(i == 2 ? system->slope[0][2] : toi_system_tangency(system, 1 + i));
  toi_interval column[3];
  column_of(system, i, column);
  toi_interval along = toi_dot3(n, column);
  double slack = TOI_PARALLEL * toi_plain_size3(n) * toi_plain_size3(column);
  return toi_interval_sign((toi_interval){along.lo - slack, along.hi + slack});
}

/* Whether the stratum of a surface is an edge or a vertex of a solid, where other faces meet this one. */
static bool is_solid(const toi_problem *problem, int side) {
  return problem->pair->surface[side]->shape->face != NULL && (problem->frozen >> (2 * side) & 3) != 0;
}

/* Whether time rises inward over W, which reaches inward by that part. */
static bool rises(const toi_problem *problem, const toi_system *system, const toi_newton_region *unique,
                  const toi_box *w, double reach, bool *failed) {
  size_t time = toi_body_pair_time(problem->pair);
  toi_interval n[3] = {{0, 0}, {0, 0}, {0, 0}};
  if (problem->pair->kind == TOI_BODY_PAIR_PP && !find_normal(problem, system, n))
    return false;
  int falls = sign_along(problem, system, n, time);
  if (problem->pair->kind == TOI_BODY_PAIR_PI)
    memcpy(n, system->normal[1], sizeof n);
  for (int side = 0; side < 2; side++)
    if (is_solid(problem, side) && (falls == 0 || !toi_solid_rises(problem, w, reach, side, n, falls, failed)))
      return false;
  for (size_t i = 0; i < time; i++) {
    if (!(problem->frozen >> i & 1) || is_solid(problem, (int)i / 2))
      continue;
    toi_interval domain = problem->pair->surface[i / 2]->shape->domain[i % 2];
    int inward = unique->root.x[i].lo <= domain.lo ? 1 : -1;
    if (inward * sign_along(problem, system, n, i) * falls != -1)
      return false;
  }
  return true;
}

bool toi_problem_is_strict(const toi_problem *problem, const toi_newton_region *unique, bool *failed) {
  *failed = false;
  const bool boolean = problem->feature[1] != NULL;
  if (problem->frozen == 0 && !boolean)
    return true;
  toi_problem faces = *problem;
  faces.frozen = problem->pair->kind == TOI_BODY_PAIR_PI ? 0 : problem->frozen;
  double reach = FIRST_REACH;
  for (int i = 0; i < REACHES; i++) {
    toi_box w = around(problem, unique, reach);
    reach *= NEXT_REACH;
    // Of the faces that meet this one at an edge nothing is known there.
    if (boolean && is_solid(problem, 0))
      return false;
    if (boolean && toi_boolean_is_strict(problem, unique, &w, failed))
      return true;
    if (boolean && *failed)
      return false;
    if (boolean)
      continue;
    toi_system system;
    *failed = !toi_system_at(&faces, &w, TOI_SYSTEM_SLOPES, &system);
    if (*failed)
      return false;
    if (rises(problem, &system, unique, &w, reach, failed))
      return true;
    if (*failed)
      return false;
  }
  return false;
}
