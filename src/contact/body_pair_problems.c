/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What there is to solve for a pair, and when: its strata, and the times at which it can touch at all, by boxes and
 * by balls around both. Those of a shape that deforms are found anew for each part of the time. */

#include "contact/boolean_pair.h"
#include "contact/solid.h"
#include "solve/vector.h"

/* --- strata --- */

/* A value for u or v: free, or an end of its interval that is a real edge. */
typedef enum freedom { FREE = 0, AT_LO, AT_HI, FREEDOMS } freedom;

static bool is_there(const toi_shape *shape, int parameter, freedom which) {
  return which == FREE || (shape->edges >> (2 * parameter + (which == AT_HI)) & 1);
}

/* An edge that is a single point is there once: where the other parameter is at its low end. */
static bool is_repeated(const toi_shape *shape, const freedom uv[2]) {
  const uint32_t points = shape->nets != NULL ? shape->nets->collapsed : 0;
  for (int i = 0; i < 2; i++)
    if (uv[i] != FREE && uv[1 - i] != AT_LO && (points >> (2 * i + (uv[i] == AT_HI)) & 1))
      return true;
  return false;
}

/* Freezes parameters of one surface, `first` the number of its u. */
static bool set_stratum(const toi_shape *shape, const freedom uv[2], size_t first, toi_problem *problem) {
  const uint32_t frozen = (uint32_t)(uv[0] != FREE) | (uint32_t)(uv[1] != FREE) << 1;
  const uint32_t high = (uint32_t)(uv[0] == AT_HI) | (uint32_t)(uv[1] == AT_HI) << 1;
  // Of a solid's edges and vertices each is one face's.
  if (shape->face != NULL ? !toi_face_has(shape, frozen, high) : is_repeated(shape, uv))
    return false;
  for (int i = 0; i < 2; i++) {
    if (shape->face == NULL && !is_there(shape, i, uv[i]))
      return false;
    toi_interval domain = shape->domain[i];
    problem->domain.x[first + (size_t)i] =
        uv[i] == FREE ? domain : toi_interval_point(uv[i] == AT_LO ? domain.lo : domain.hi);
    if (uv[i] != FREE)
      problem->frozen |= UINT32_C(1) << (first + (size_t)i);
  }
  return true;
}

static void set_time(toi_problem *problem, double t_max) {
  size_t t = toi_body_pair_time(problem->pair);
  problem->domain.x[t] = problem->at_start ? problem->pair->moment : (toi_interval){0, t_max};
  problem->first = problem->domain;
  if (!problem->at_start)
    problem->first.x[t] = problem->pair->window;
}

size_t toi_body_pair_problems(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems) {
  if (pair->kind == TOI_BODY_PAIR_PB || pair->kind == TOI_BODY_PAIR_BB)
    return toi_boolean_problems(pair, at_start, t_max, problems);
  return toi_body_pair_strata(pair, at_start, t_max, problems);
}

size_t toi_body_pair_strata(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems) {
  size_t count = 0;
  // At t = 0 nothing is tangential: the closed faces are everything.
  int most = at_start ? 1 : FREEDOMS;
  int parameters = pair->kind == TOI_BODY_PAIR_PP ? 4 : toi_body_pair_in_space(pair) ? 0 : 2;
  int choices = 1;
  for (int i = 0; i < parameters; i++)
    choices *= most;
  for (int choice = 0; choice < choices; choice++) {
    toi_problem problem = {.pair = pair, .at_start = at_start};
    freedom uv[4] = {FREE, FREE, FREE, FREE};
    for (int i = 0, rest = choice; i < parameters; i++, rest /= most)
      uv[i] = (freedom)(rest % most);
    if (parameters >= 2 && !set_stratum(pair->surface[0]->shape, uv, 0, &problem))
      continue;
    if (parameters == 4 && !set_stratum(pair->surface[1]->shape, uv + 2, 2, &problem))
      continue;
    if (parameters == 0)
      memcpy(problem.domain.x, pair->surface[0]->bounds, sizeof pair->surface[0]->bounds);
    set_time(&problem, t_max);
    if (problems != NULL)
      problems[count] = problem;
    count++;
  }
  return count;
}

/* --- times --- */

/* A box and a ball around a shape at some times. */
typedef struct hull {
  toi_interval bounds[3];
  double centre[3], radius;
} hull;

/* Pieces of each parameter's interval. */
enum { PIECES = 4 };

static toi_interval piece(toi_interval x, int number) {
  double low = (double)number / PIECES, high = (double)(number + 1) / PIECES;
  double from = x.lo * (1 - low) + x.hi * low, to = x.lo * (1 - high) + x.hi * high;
  return (toi_interval){number == 0 ? x.lo : from, number == PIECES - 1 ? x.hi : to};
}

/* Of a deforming surface, at these times alone: piece by piece. */
static void shrink_hull(toi_body_surface *surface, toi_interval t, hull *h) {
  const toi_shape *shape = surface->shape;
  hull now = {.radius = 0};
  for (int n = 0; n < PIECES * PIECES; n++) {
    toi_interval uvt[3] = {piece(shape->domain[0], n / PIECES), piece(shape->domain[1], n % PIECES), t}, gap[3];
    const toi_surface_jet *jet = toi_body_surface_jet(surface, uvt, 0);
    if (jet == NULL)
      return;
    for (int k = 0; k < 3; k++) {
      now.bounds[k] = n == 0 ? jet->d[0][k] : toi_interval_hull(now.bounds[k], jet->d[0][k]);
      gap[k] = toi_interval_sub(jet->d[0][k], toi_interval_point(h->centre[k]));
    }
    now.radius = fmax(now.radius, toi_length3(gap).hi);
  }
  h->radius = fmin(h->radius, now.radius);
  for (int k = 0; k < 3; k++)
    (void)toi_interval_intersect(h->bounds[k], now.bounds[k], &h->bounds[k]);
}

static hull hull_at(toi_body_surface *surface, toi_interval t) {
  hull h = {.radius = surface->radius};
  memcpy(h.bounds, surface->bounds, sizeof h.bounds);
  memcpy(h.centre, surface->centre, sizeof h.centre);
  if (surface->shape->deforming && !surface->shape->implicit && surface->shape->enclose == NULL)
    shrink_hull(surface, t, &h);
  return h;
}

bool toi_body_pair_apart(const toi_body_pair *pair, toi_interval t, bool spheres) {
  const hull first = hull_at(pair->surface[0], t), second = hull_at(pair->surface[1], t), *a = &first, *b = &second;
  const toi_motion_jet *m = toi_body_pair_motion(pair, t, 0);
  toi_interval place[3];
  toi_times3(m->rotation[0], a->bounds, place);
  toi_add3(place, m->translation[0], place);
  for (int k = 0; k < 3; k++)
    if (place[k].lo > b->bounds[k].hi || place[k].hi < b->bounds[k].lo)
      return true;
  double reach = toi_sum_up(a->radius, b->radius);
  if (!spheres || !(reach <= DBL_MAX))
    return false;
  toi_interval centre[3], gap[3];
  for (int k = 0; k < 3; k++)
    centre[k] = toi_interval_point(a->centre[k]);
  toi_times3(m->rotation[0], centre, place);
  toi_add3(place, m->translation[0], place);
  for (int k = 0; k < 3; k++)
    gap[k] = toi_interval_sub(place[k], toi_interval_point(b->centre[k]));
  return toi_length3(gap).lo > reach;
}

/* The end of the times, the first (or the last) one that is not proved to be apart, to within `fine`. */
static bool find_end(const toi_body_pair *pair, toi_interval t, double fine, bool spheres, bool last, double *end) {
  if (toi_body_pair_apart(pair, t, spheres))
    return false;
  double middle = toi_interval_midpoint(t);
  if (toi_interval_width(t) <= fine || !(t.lo < middle && middle < t.hi)) {
    *end = last ? t.hi : t.lo;
    return true;
  }
  toi_interval halves[2] = {{t.lo, middle}, {middle, t.hi}};
  return find_end(pair, halves[last], fine, spheres, last, end) ||
         find_end(pair, halves[!last], fine, spheres, last, end);
}

bool toi_body_pair_window(const toi_body_pair *pair, toi_interval times, double fine, bool spheres,
                          toi_interval *window) {
  if (!find_end(pair, times, fine, spheres, false, &window->lo))
    return false;
  // Something is left at the first end, so there is a last one.
  window->hi = times.hi;
  (void)find_end(pair, (toi_interval){window->lo, times.hi}, fine, spheres, true, &window->hi);
  return true;
}
