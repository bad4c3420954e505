/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of pairs with a Boolean shape: the active functions of one feature of each are 0.
 *
 * Unknowns. Two implicit bodies: x y z t, in the coordinates of the first. A parametric one and a Boolean one: u v t.
 * Functions G_k: of implicit bodies F_k at the place; the parametric body has none, its place is the unknowns'.
 * Contact: G_k = 0, for k = 1 ... m. Tangency: the derivatives of G by the free unknowns but time have a rank below m
 * (lemma 40):
 *   m = 2 in space     the gradients' cross product is 0
 *   m = 3 in space     det(g1, g2, g3) = 0
 *   m = 1, u, v        the derivatives by what is free are 0
 *   m = 2, u and v     det(G_u, G_v) = 0
 *   otherwise          there is none: as many equations as unknowns
 * Sides: the functions that are not active. Incoming: toi_cone. */

#include "contact/boolean_pair.h"

#include "solve/vector.h"

#define FUNCTIONS TOI_CONE_MOST

/* What is known of the active functions over a box. */
typedef struct functions {
  size_t count, of_first;   /* those of the first body come first */
  toi_field own[FUNCTIONS]; /* by place and time, where the second body sees them; in space: where the first one does */
  toi_field along[FUNCTIONS]; /* by the unknowns */
  toi_interval place[3];      /* as the second body sees it */
  toi_interval first[3];      /* as the first one does */
  toi_surface_jet jet;        /* of a parametric first body */
  const toi_motion_jet *motion;
} functions;

static bool in_space(const toi_problem *problem) {
  return problem->pair->kind == TOI_BODY_PAIR_BB;
}

/* --- the functions --- */

static bool ask_field(toi_body_surface *surface, size_t primitive, const toi_interval place[3], toi_interval t,
                      unsigned order, toi_field *f) {
  if (surface->shape->boolean == NULL)
    return toi_field_at(surface, place, t, order, f);
  if (toi_boolean_field(surface->shape->boolean, primitive, place, t, order, f))
    return true;
  toi_body_surface_fail(surface, place, t, order);
  return false;
}

/* Of the first body, in its own coordinates. */
static bool ask_first(const toi_problem *problem, const toi_box *box, unsigned order, functions *g) {
  for (uint32_t rest = problem->feature[0]->active; rest != 0; rest &= rest - 1) {
    toi_field *f = &g->own[g->count];
    if (!ask_field(problem->pair->surface[0], (size_t)__builtin_ctz(rest), box->x, box->x[3], order, f))
      return false;
    g->along[g->count++] = *f;
  }
  g->of_first = g->count;
  return true;
}

/* Of the second body, at a place with these derivatives. */
static bool ask_second(const toi_problem *problem, const toi_place_jet *place, toi_interval t, unsigned order,
                       functions *g) {
  for (uint32_t rest = problem->feature[1]->active; rest != 0; rest &= rest - 1) {
    toi_field *f = &g->own[g->count];
    if (!ask_field(problem->pair->surface[1], (size_t)__builtin_ctz(rest), g->place, t, order, f))
      return false;
    toi_field_along(f, place, order, &g->along[g->count++]);
  }
  return true;
}

static bool compose_in_space(const toi_problem *problem, const toi_box *box, unsigned order, functions *g) {
  const toi_interval t = box->x[3];
  const toi_motion_jet *m = toi_body_pair_motion(problem->pair, t, order);
  g->motion = m;
  memcpy(g->first, box->x, sizeof g->first);
  toi_times3(m->rotation[0], box->x, g->place);
  toi_add3(g->place, m->translation[0], g->place);
  toi_seen_place place;
  toi_see_place(m, box->x, order, &place);
  return ask_first(problem, box, order, g) && ask_second(problem, &place.jet, t, order, g);
}

static bool compose_on_surface(const toi_problem *problem, const toi_box *box, unsigned order, functions *g) {
  enum { P, U, V, T, UU, UV, UT, VV, VT, TT };
  toi_surface_jet *p = &g->jet;
  if (!toi_body_pair_jet(problem->pair, problem->frozen, box->x, order, p))
    return false;
  memcpy(g->place, p->d[P], sizeof g->place);
  const toi_place_jet place = {.n = 3,
                               .first = {p->d[U], p->d[V], p->d[T]},
                               .second = {{p->d[UU]}, {p->d[UV], p->d[VV]}, {p->d[UT], p->d[VT], p->d[TT]}}};
  return (order == 0 || toi_body_pair_own(problem->pair, box->x, g->first)) &&
         ask_second(problem, &place, box->x[2], order, g);
}

static bool compose(const toi_problem *problem, const toi_box *box, unsigned order, functions *g) {
  g->count = g->of_first = 0;
  return in_space(problem) ? compose_in_space(problem, box, order, g) : compose_on_surface(problem, box, order, g);
}

/* --- sides --- */

static bool reaches(const toi_solid_feature *feature, const toi_interval place[3]) {
  for (int k = 0; k < 3; k++)
    if (place[k].lo > feature->hull[k].hi || place[k].hi < feature->hull[k].lo)
      return false;
  return true;
}

/* Of one body: *side falls to what is known of it. False: a function of the user's failed. */
static bool check_side(toi_body_surface *surface, const toi_solid_feature *feature, const toi_interval place[3],
                       toi_interval t, int *side) {
  const toi_boolean_tree *b = surface->shape->boolean;
  toi_interval values[TOI_BOOLEAN_PRIMITIVES];
  if (b == NULL)
    return true;
  if (!toi_boolean_values(b, b->node[0].leaves & ~feature->active, place, t, values)) {
    toi_body_surface_fail(surface, place, t, 0);
    return false;
  }
  const int here = toi_boolean_side(b, feature->active, values);
  *side = here < *side ? here : *side;
  return true;
}

static bool set_sides(const toi_problem *problem, const functions *g, toi_interval t, toi_system *system) {
  const toi_body_pair *pair = problem->pair;
  int side = reaches(problem->feature[1], g->place) ? 1 : -1;
  if (in_space(problem) && !check_side(pair->surface[0], problem->feature[0], g->first, t, &side))
    return false;
  if (side >= 0 && !check_side(pair->surface[1], problem->feature[1], g->place, t, &side))
    return false;
  system->sides = side < 0 ? toi_interval_point(-1) : side > 0 ? toi_interval_point(1) : (toi_interval){-1, 1};
  return true;
}

/* --- normals, and what comes from outside --- */

/* Both bodies' functions in common coordinates: those of the first body in space; else those of the second, where a
 * parametric solid is n . (y - p) nearby. */
static void set_cone(const toi_problem *problem, const functions *g, toi_cone *cone) {
  enum { P, U, V, T };
  cone->n = 0;
  if (!in_space(problem)) {
    toi_cross3(g->jet.d[U], g->jet.d[V], cone->gradient[0]);
    cone->by_time[cone->n++] = toi_interval_neg(toi_dot3(cone->gradient[0], g->jet.d[T]));
  }
  for (size_t k = 0; k < g->count; k++) {
    const toi_field *f = in_space(problem) ? &g->along[k] : &g->own[k];
    memcpy(cone->gradient[cone->n], f->slope, sizeof cone->gradient[0]);
    cone->by_time[cone->n++] = f->slope[3];
  }
}

/* A surface's functions along its parameters: a point of it that goes inside the second body is one of its own solid's.
 */
static void set_surface_cone(const functions *g, toi_cone *cone) {
  cone->n = g->count;
  for (size_t k = 0; k < g->count; k++) {
    cone->gradient[k][0] = g->along[k].slope[0];
    cone->gradient[k][1] = g->along[k].slope[1];
    cone->gradient[k][2] = toi_interval_point(0);
    cone->by_time[k] = g->along[k].slope[2];
  }
}

/* Where multipliers are positive, the solids approach if what they make of the slopes by time is not. Slightly beside a
 * contact gradients are not dependent, and nothing is refuted by that. */
static void set_incoming(const toi_problem *problem, const functions *g, const toi_cone *cone, toi_system *system) {
  toi_interval l[TOI_CONE_MOST], by_time;
  toi_cone along;
  system->inside = toi_cone_is_refuted(cone);
  if (!system->inside && !in_space(problem)) {
    set_surface_cone(g, &along);
    system->inside = toi_cone_is_refuted(&along);
  }
  if (!toi_cone_multipliers(cone, l, &by_time))
    return;
  for (size_t k = 0; k < cone->n; k++)
    if (!(l[k].lo > 0))
      return;
  system->incoming[1] = toi_interval_point(1);
  system->incoming[0] = toi_interval_neg(by_time);
}

/* The normal that both have in common, up to its sign: of a face; of two edges the one across both. */
static void common_normal(const toi_cone *cone, size_t of_first, toi_interval n[3]) {
  if (of_first == 1 || cone->n - of_first == 1) {
    memcpy(n, cone->gradient[of_first == 1 ? 0 : of_first], 3 * sizeof *n);
    return;
  }
  toi_interval along[2][3];
  toi_cross3(cone->gradient[0], cone->gradient[1], along[0]);
  toi_cross3(cone->gradient[of_first], cone->gradient[of_first + 1], along[1]);
  toi_cross3(along[0], along[1], n);
}

/* It points outwards of the body that these functions are of: along the sum of their unit gradients. */
static bool points_inwards(const toi_cone *cone, size_t from, size_t to, const toi_interval n[3]) {
  double sum = 0, middle[3];
  for (size_t k = from; k < to; k++) {
    for (int i = 0; i < 3; i++)
      middle[i] = toi_interval_midpoint(cone->gradient[k][i]);
    if (!toi_plain_unit3(middle))
      continue;
    for (int i = 0; i < 3; i++)
      sum += middle[i] * toi_interval_midpoint(n[i]);
  }
  return sum < 0;
}

static void set_normals(const toi_problem *problem, const functions *g, const toi_cone *cone, toi_system *system) {
  const size_t of_first = in_space(problem) ? g->of_first : 1;
  const size_t from[3] = {0, of_first, cone->n};
  for (int side = 0; side < 2; side++) {
    toi_interval n[3];
    if (from[side + 1] - from[side] == 1)
      memcpy(n, cone->gradient[from[side]], sizeof n);
    else
      common_normal(cone, of_first, n);
    const bool turn = points_inwards(cone, from[side], from[side + 1], n);
    for (int i = 0; i < 3; i++)
      n[i] = turn ? toi_interval_neg(n[i]) : n[i];
    // As the second body sees it.
    if (in_space(problem))
      toi_times3(g->motion->rotation[0], n, system->normal[side]);
    else
      memcpy(system->normal[side], n, sizeof n);
  }
}

/* --- tangency --- */

/* The two gradients' cross product, and its slopes. */
static void cross_rows(const functions *g, toi_system_order order, toi_system *system) {
  const toi_field *f = g->along;
  toi_cross3(f[0].slope, f[1].slope, system->value + 2);
  system->tangency = 3;
  for (int i = 0; i < 3; i++)
    system->size[2 + i] = toi_plain_size3(f[0].slope) * toi_plain_size3(f[1].slope);
  for (int j = 0; j < 4 && order == TOI_SYSTEM_ALL; j++) {
    toi_interval slope[3];
    toi_cross3_slope(f[0].slope, f[0].second[j], f[1].slope, f[1].second[j], slope);
    for (int i = 0; i < 3; i++)
      system->slope[2 + i][j] = slope[i];
  }
}

/* The determinant of three gradients. */
static void determinant_row(const functions *g, toi_system_order order, toi_system *system) {
  const toi_field *f = g->along;
  toi_interval minor[3][3];
  system->tangency = 1;
  system->size[3] = 1;
  for (int k = 0; k < 3; k++) {
    toi_cross3(f[(k + 1) % 3].slope, f[(k + 2) % 3].slope, minor[k]);
    system->size[3] *= toi_plain_size3(f[k].slope);
  }
  system->value[3] = toi_dot3(f[0].slope, minor[0]);
  for (int j = 0; j < 4 && order == TOI_SYSTEM_ALL; j++) {
    toi_interval sum = toi_dot3(f[0].second[j], minor[0]);
    for (int k = 1; k < 3; k++)
      sum = toi_branchless_add(sum, toi_dot3(f[k].second[j], minor[k]));
    system->slope[3][j] = sum;
  }
}

/* Of one function along what is free of u and v, or the determinant of two by both. */
static void surface_rows(const toi_problem *problem, const functions *g, toi_system_order order, toi_system *system) {
  const toi_field *f = g->along;
  const uint32_t frozen = problem->frozen & 3;
  for (int way = 0; way < 2 && g->count == 1; way++) {
    if (frozen >> way & 1)
      continue;
    const size_t row = 1 + system->tangency++;
    system->value[row] = f[0].slope[way];
    system->size[row] = toi_plain_size3(g->own[0].slope) * toi_plain_size3(g->jet.d[1 + way]);
    if (order == TOI_SYSTEM_ALL)
      memcpy(system->slope[row], f[0].second[way], 3 * sizeof f[0].second[way][0]);
  }
  if (g->count != 2 || frozen != 0)
    return;
  system->tangency = 1;
  system->value[2] = toi_branchless_sub(toi_branchless_mul(f[0].slope[0], f[1].slope[1]),
                                        toi_branchless_mul(f[0].slope[1], f[1].slope[0]));
  system->size[2] = toi_plain_size3(g->own[0].slope) * toi_plain_size3(g->own[1].slope) * toi_plain_size3(g->jet.d[1]) *
                    toi_plain_size3(g->jet.d[2]);
  for (int j = 0; j < 3 && order == TOI_SYSTEM_ALL; j++) {
    toi_interval sum = toi_branchless_add(toi_branchless_mul(f[0].second[0][j], f[1].slope[1]),
                                          toi_branchless_mul(f[0].slope[0], f[1].second[1][j]));
    sum = toi_branchless_sub(sum, toi_branchless_mul(f[0].second[1][j], f[1].slope[0]));
    system->slope[2][j] = toi_branchless_sub(sum, toi_branchless_mul(f[0].slope[1], f[1].second[0][j]));
  }
}

static void set_tangency(const toi_problem *problem, const functions *g, toi_system_order order, toi_system *system) {
  if (!in_space(problem))
    surface_rows(problem, g, order, system);
  else if (g->count == 2)
    cross_rows(g, order, system);
  else if (g->count == 3)
    determinant_row(g, order, system);
}

/* --- the system --- */

bool toi_system_boolean(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  functions g;
  if (!compose(problem, box, (unsigned)order, &g))
    return false;
  const size_t unknowns = toi_body_pair_unknowns(problem->pair);
  system->contact = g.count;
  system->tangency = 0;
  memcpy(system->place, g.place, sizeof g.place);
  for (size_t k = 0; k < g.count; k++)
    system->value[k] = g.along[k].value;
  if (order == TOI_SYSTEM_VALUES)
    return true;
  memcpy(system->own, g.first, sizeof g.first);
  for (size_t k = 0; k < g.count; k++)
    memcpy(system->slope[k], g.along[k].slope, unknowns * sizeof g.along[k].slope[0]);
  toi_cone cone;
  set_cone(problem, &g, &cone);
  set_normals(problem, &g, &cone, system);
  if (!problem->at_start)
    set_tangency(problem, &g, order, system);
  if (problem->pair->incoming && !problem->at_start && problem->frozen == 0)
    set_incoming(problem, &g, &cone, system);
  return set_sides(problem, &g, box->x[unknowns - 1], system);
}

/* As many equations as fit: a bound by some holds for all. */
bool toi_expand_boolean(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  functions g;
  if (!compose(problem, box, order, &g))
    return false;
  e->m = g.count < 3 ? g.count : 3;
  for (size_t k = 0; k < e->m; k++)
    toi_expansion_row(&g.along[k], toi_body_pair_unknowns(problem->pair), order, k, e);
  return true;
}

/* --- strict --- */

/* Multipliers of functions along the free parameters of a surface, by minors; false: there are none. */
static bool surface_multipliers(const functions *g, const size_t *free, size_t count, toi_interval *l) {
  const toi_field *f = g->along;
  if (g->count == 1) {
    l[0] = toi_interval_point(1);
  } else if (g->count == 2 && count == 1) {
    l[0] = f[1].slope[free[0]];
    l[1] = toi_interval_neg(f[0].slope[free[0]]);
  } else if (g->count == 2) {
    // Parallel at the contact: along the longer one.
    const size_t way = toi_interval_magnitude(f[0].slope[0]) > toi_interval_magnitude(f[0].slope[1]) ? 0 : 1;
    l[0] = f[1].slope[way];
    l[1] = toi_interval_neg(f[0].slope[way]);
  } else {
    for (int k = 0; k < 3; k++) {
      const toi_interval *a = f[(k + 1) % 3].slope, *b = f[(k + 2) % 3].slope;
      l[k] = toi_interval_sub(toi_interval_mul(a[0], b[1]), toi_interval_mul(a[1], b[0]));
    }
  }
  return g->count <= 3;
}

static bool surface_is_strict(const toi_problem *problem, const toi_newton_region *unique, const functions *g) {
  toi_interval l[TOI_CONE_MOST], by_time = {0, 0};
  size_t free[2], count = 0;
  for (size_t i = 0; i < 2; i++)
    if (!(problem->frozen >> i & 1))
      free[count++] = i;
  if (!surface_multipliers(g, free, count, l))
    return false;
  for (size_t k = 0; k < g->count; k++) {
    if (toi_interval_sign(l[k]) == 0)
      return false;
    by_time = toi_interval_add(by_time, toi_interval_mul(l[k], g->along[k].slope[2]));
  }
  const int falls = toi_interval_sign(by_time);
  for (size_t i = 0; i < 2 && falls != 0; i++) {
    if (!(problem->frozen >> i & 1))
      continue;
    toi_interval along = {0, 0};
    for (size_t k = 0; k < g->count; k++)
      along = toi_interval_add(along, toi_interval_mul(l[k], g->along[k].slope[i]));
    const toi_interval domain = problem->pair->surface[0]->shape->domain[i];
    const int inward = unique->root.x[i].lo <= domain.lo ? 1 : -1;
    if (inward * toi_interval_sign(along) * falls != -1)
      return false;
  }
  return falls != 0;
}

bool toi_boolean_is_strict(const toi_problem *problem, const toi_newton_region *unique, const toi_box *w,
                           bool *failed) {
  functions g;
  toi_system system;
  toi_cone cone;
  *failed = !compose(problem, w, 1, &g) || !set_sides(problem, &g, w->x[toi_body_pair_time(problem->pair)], &system);
  if (*failed || !(system.sides.lo > 0))
    return false;
  if (!in_space(problem))
    return surface_is_strict(problem, unique, &g);
  set_cone(problem, &g, &cone);
  toi_interval l[TOI_CONE_MOST], by_time;
  if (!toi_cone_multipliers(&cone, l, &by_time))
    return false;
  for (size_t k = 0; k < cone.n; k++)
    if (toi_interval_sign(l[k]) == 0)
      return false;
  return toi_interval_sign(by_time) != 0;
}

/* --- problems --- */

/* Parts of the window in each of which features are told apart. */
#define WINDOW_PARTS 8

/* The times at which two features may meet; false: they never do. */
static bool meet(const toi_body_pair *pair, const toi_interval first[3], const toi_interval second[3],
                 toi_interval *window) {
  const toi_interval all = *window;
  bool some = false;
  for (int i = 0; i < WINDOW_PARTS; i++) {
    const double from = (double)i / WINDOW_PARTS, to = (double)(i + 1) / WINDOW_PARTS;
    const toi_interval t = {i == 0 ? all.lo : all.lo * (1 - from) + all.hi * from,
                            i == WINDOW_PARTS - 1 ? all.hi : all.lo * (1 - to) + all.hi * to};
    const toi_motion_jet *m = toi_body_pair_motion(pair, t, 0);
    toi_interval place[3];
    bool apart = false;
    toi_times3(m->rotation[0], first, place);
    toi_add3(place, m->translation[0], place);
    for (int k = 0; k < 3; k++)
      apart = apart || place[k].lo > second[k].hi || place[k].hi < second[k].lo;
    if (apart)
      continue;
    window->lo = some ? window->lo : t.lo;
    window->hi = t.hi;
    some = true;
  }
  return some;
}

static const toi_solid_feature *feature_of(const toi_body_surface *surface, size_t number) {
  return surface->features != NULL ? &surface->features[number] : &surface->whole;
}

static size_t size_of(const toi_solid_feature *feature) {
  size_t size = 0;
  for (uint32_t rest = feature->active; rest != 0; rest &= rest - 1)
    size++;
  return size;
}

/* Whether contacts of this feature are looked for: at the start faces alone; from outside none with a reentrant edge,
 * whose contacts are those of its faces too (lemma 41). */
static bool counts(const toi_body_pair *pair, const toi_solid_feature *feature, bool at_start) {
  return at_start ? size_of(feature) == 1 : !pair->incoming || feature->convex;
}

static void set_time(toi_problem *problem, double t_max, toi_interval window) {
  const size_t t = toi_body_pair_time(problem->pair);
  problem->domain.x[t] = problem->at_start ? toi_interval_point(0) : (toi_interval){0, t_max};
  problem->first = problem->domain;
  if (!problem->at_start)
    problem->first.x[t] = window;
}

static size_t problems_in_space(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems) {
  size_t count = 0;
  const toi_body_surface *a = pair->surface[0], *b = pair->surface[1];
  for (size_t i = 0; i < a->feature_count; i++)
    for (size_t j = 0; j < b->feature_count; j++) {
      const toi_solid_feature *first = feature_of(a, i), *second = feature_of(b, j);
      toi_interval window = at_start ? toi_interval_point(0) : pair->window;
      if (!counts(pair, first, at_start) || !counts(pair, second, at_start) ||
          size_of(first) + size_of(second) > FUNCTIONS || !meet(pair, first->hull, second->hull, &window))
        continue;
      toi_problem problem = {.pair = pair, .at_start = at_start, .feature = {first, second}};
      memcpy(problem.domain.x, first->hull, sizeof first->hull);
      set_time(&problem, t_max, window);
      if (problems != NULL)
        problems[count] = problem;
      count++;
    }
  return count;
}

/* With a stratum of the surface, which has no more free unknowns than equations can take. */
static size_t problems_on_stratum(const toi_problem *stratum, double t_max, toi_problem *problems) {
  const toi_body_pair *pair = stratum->pair;
  const toi_body_surface *b = pair->surface[1];
  const size_t unknowns = 3 - (stratum->frozen & 1) - (stratum->frozen >> 1 & 1);
  size_t count = 0;
  for (size_t j = 0; j < b->feature_count; j++) {
    const toi_solid_feature *second = feature_of(b, j);
    toi_interval window = stratum->at_start ? toi_interval_point(0) : pair->window;
    if (!counts(pair, second, stratum->at_start) || size_of(second) > unknowns ||
        !meet(pair, pair->surface[0]->bounds, second->hull, &window))
      continue;
    toi_problem problem = *stratum;
    problem.feature[1] = second;
    set_time(&problem, t_max, window);
    if (problems != NULL)
      problems[count] = problem;
    count++;
  }
  return count;
}

size_t toi_boolean_problems(toi_body_pair *pair, bool at_start, double t_max, toi_problem *problems) {
  if (pair->kind == TOI_BODY_PAIR_BB)
    return problems_in_space(pair, at_start, t_max, problems);
  // The strata of the surface, as against a smooth one.
  enum { STRATA = 9 };
  toi_problem strata[STRATA];
  const size_t count = toi_body_pair_strata(pair, at_start, t_max, strata);
  size_t made = 0;
  for (size_t i = 0; i < count; i++)
    made += problems_on_stratum(&strata[i], t_max, problems == NULL ? NULL : problems + made);
  return made;
}

/* --- a surface --- */

toi_status toi_boolean_surface_begin(toi_context *context, double t_max, toi_body_surface *surface) {
  const toi_shape *shape = surface->shape;
  if (!shape->implicit)
    return TOI_OK;
  surface->features = NULL;
  surface->feature_count = 1;
  surface->whole = (toi_solid_feature){.active = 1, .convex = true};
  memcpy(surface->whole.hull, surface->bounds, sizeof surface->bounds);
  if (shape->boolean == NULL)
    return TOI_OK;
  if (shape->boolean->features != NULL || !shape->deforming) {
    surface->features = shape->boolean->features;
    surface->feature_count = shape->boolean->feature_count;
    return TOI_OK;
  }
  toi_solid_feature *made;
  const toi_status status = toi_boolean_features(context, shape->boolean, surface->bounds, (toi_interval){0, t_max},
                                                 &made, &surface->feature_count);
  surface->features = surface->owned = made;
  if (status == TOI_ERROR_CALLBACK)
    return toi_fail(context, status, "bodies[%u].shape: a function gave up, or gave no interval", surface->body);
  return status;
}
