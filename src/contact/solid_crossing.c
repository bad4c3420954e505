/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A vertex on an edge or on a vertex, and edges side by side: more equations than unknowns, so that rounding decides
 * whether they have a solution. What can be proved is that the bodies come from different sides of a plane, and that a
 * little later faces cross that meet there.
 *
 * Claim: if toi_solid_parted is true, and faces that meet at the two strata are proved to cross close to x, at a time
 * t, then a contact from outside happens no later than t. Why: lemma 39 (iii) of docs/guarantees.md. */

#include "contact/contact_search.h"
#include "contact/solid.h"
#include "solve/vector.h"

/* Steps of a search for a plane, and what its angle to all directions is at least, about. */
#define STEPS 200
#define ENOUGH 0x1p-5

/* --- a plane between them --- */

typedef struct parting {
  const toi_problem *problem;
  toi_box point;
  toi_system system;
  double along[2][3]; /* the directions of edges, of length 1 */
  int edges;
  double m[3];
} parting;

static void take_out(const double from[3], double m[3]) {
  const double part = toi_dot(from, m);
  for (int k = 0; k < 3; k++)
    m[k] -= part * from[k];
}

/* m becomes a direction across all edges: of two that are not parallel it is their product. False: there is none. */
static bool keep_across(parting *p) {
  double product[3];
  if (p->edges == 2) {
    toi_cross(p->along[0], p->along[1], product);
    if (toi_dot(product, product) > TOI_PARALLEL) {
      const double sign = toi_dot(product, p->m) < 0 ? -1 : 1;
      for (int k = 0; k < 3; k++)
        p->m[k] = sign * product[k];
      return toi_plain_unit3(p->m);
    }
  }
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < p->edges; i++)
      take_out(p->along[i], p->m);
  return toi_plain_unit3(p->m);
}

static void find_edges(parting *p) {
  for (size_t side = 0; side < 2; side++) {
    const uint32_t frozen = p->problem->frozen >> (2 * side) & 3;
    if (frozen == 3)
      continue;
    const size_t column = 2 * side + (frozen == 1 ? 1 : 0);
    for (int k = 0; k < 3; k++)
      p->along[p->edges][k] = toi_interval_midpoint(p->system.slope[k][column]);
    p->edges += toi_plain_unit3(p->along[p->edges]);
  }
}

/* The cone of the first by m, of the second by -m. */
static bool examine(const parting *p, toi_way_cone cones[2]) {
  toi_interval up[3], down[3];
  for (int k = 0; k < 3; k++) {
    up[k] = toi_interval_point(p->m[k]);
    down[k] = toi_interval_point(-p->m[k]);
  }
  return toi_solid_cone(p->problem, &p->point, 0, 0, up, &cones[0]) &&
         toi_solid_cone(p->problem, &p->point, 1, 0, down, &cones[1]);
}

/* The first lies above the plane, the second one below it, and they approach: the least of m . w, and of -m . w, is
 * positive, and the solids are the cones and not what is around them. */
static bool is_between(const parting *p, const toi_way_cone cones[2]) {
  toi_interval m[3], velocity[3];
  for (int k = 0; k < 3; k++) {
    m[k] = toi_interval_point(p->m[k]);
    velocity[k] = p->system.slope[k][toi_body_pair_time(p->problem->pair)];
  }
  return cones[0].least.lo > 0 && cones[1].least.lo > 0 && cones[0].convex.lo >= 0 && cones[1].convex.lo >= 0 &&
         toi_dot3(m, velocity).hi < 0;
}

/* The direction that is worst is followed, or fled, a little. */
static bool improve(parting *p, const toi_way_cone cones[2]) {
  const double first = cones[0].angle, second = cones[1].angle;
  if (first >= ENOUGH && second >= ENOUGH)
    return false;
  const bool above = first <= second;
  const double *worst = cones[!above].lowest;
  double turned[3];
  const toi_body_pair *pair = p->problem->pair;
  memcpy(turned, worst, sizeof turned);
  // The first one's are in its own coordinates.
  const toi_motion_jet *motion = toi_body_pair_motion(pair, p->point.x[toi_body_pair_time(pair)], 0);
  for (int i = 0; above && i < 3; i++) {
    turned[i] = 0;
    for (int k = 0; k < 3; k++)
      turned[i] += toi_interval_midpoint(motion->rotation[0][i][k]) * worst[k];
  }
  for (int k = 0; k < 3; k++)
    p->m[k] += (above ? 1 : -1) * (ENOUGH + fabs(above ? first : second)) * turned[k];
  return keep_across(p);
}

bool toi_solid_parted(const toi_problem *problem, const double x[TOI_UNKNOWNS], bool *failed) {
  parting p = {.problem = problem, .point = problem->domain};
  for (size_t i = 0; i < toi_body_pair_unknowns(problem->pair); i++)
    p.point.x[i] = toi_interval_point(x[i]);
  *failed = !toi_system_at(problem, &p.point, TOI_SYSTEM_SLOPES, &p.system);
  if (*failed)
    return false;
  find_edges(&p);
  for (int k = 0; k < 3; k++)
    p.m[k] = -toi_interval_midpoint(p.system.slope[k][toi_body_pair_time(problem->pair)]);
  if (!toi_plain_unit3(p.m) || !keep_across(&p))
    return false;
  for (int step = 0; step < STEPS; step++) {
    toi_way_cone cones[2];
    *failed = !examine(&p, cones);
    if (*failed)
      return false;
    if (is_between(&p, cones) || !improve(&p, cones))
      return is_between(&p, cones);
  }
  return false;
}

/* --- faces that cross --- */

static bool has_sector(const toi_joints *joints, uint32_t vertex, uint32_t face) {
  for (uint32_t i = joints->first[vertex]; i < joints->first[vertex + 1]; i++)
    if (joints->sector[i].face == face)
      return true;
  return false;
}

static bool meets(const toi_problem *problem, int side, uint32_t number) {
  const toi_body_surface *surface = problem->pair->surface[side];
  const uint32_t frozen = problem->frozen >> (2 * side) & 3;
  const toi_face *face = surface->shape->face;
  if (number == surface->piece || face == NULL || frozen == 0)
    return number == surface->piece;
  uint32_t high = 0;
  for (size_t i = 0; i < 2; i++)
    high |= (uint32_t)(problem->domain.x[2 * (size_t)side + i].lo >= surface->shape->domain[i].hi) << i;
  return frozen == 3 ? has_sector(surface->shape->joints, face->vertex[high], number)
                     : face->side[frozen == 1 ? high & 1 : 2 + (high >> 1)].face == number;
}

/* Steps towards the place of a face that is nearest to a point, and points of each parameter to begin from. */
enum { NEAREST_STEPS = 8, NEAREST_POINTS = 4 };

/* The place at u and v less the point, and the tangents. */
static bool away_at(toi_body_surface *surface, const double uv[2], double t, const double point[3], double away[3],
                    double by[2][3]) {
  const toi_interval uvt[3] = {toi_interval_point(uv[0]), toi_interval_point(uv[1]), toi_interval_point(t)};
  const toi_surface_jet *jet = toi_body_surface_jet(surface, uvt, 1);
  for (int k = 0; jet != NULL && k < 3; k++) {
    away[k] = toi_interval_midpoint(jet->d[0][k]) - point[k];
    for (int i = 0; i < 2; i++)
      by[i][k] = toi_interval_midpoint(jet->d[1 + i][k]);
  }
  return jet != NULL;
}

static bool find_start(toi_body_surface *surface, double t, const double point[3], double uv[2]) {
  const toi_interval *domain = surface->shape->domain;
  double least = INFINITY;
  for (int n = 0; n < NEAREST_POINTS * NEAREST_POINTS; n++) {
    double at[2], away[3], by[2][3];
    for (int i = 0; i < 2; i++) {
      const double part = ((i == 0 ? n % NEAREST_POINTS : n / NEAREST_POINTS) + 0.5) / NEAREST_POINTS;
      at[i] = domain[i].lo * (1 - part) + domain[i].hi * part;
    }
    if (!away_at(surface, at, t, point, away, by))
      return false;
    const double square = toi_dot(away, away);
    if (square < least) {
      least = square;
      memcpy(uv, at, sizeof at);
    }
  }
  return least < INFINITY;
}

/* Rounded, by Gauss and Newton. */
static bool find_nearest(toi_body_surface *surface, double t, const double point[3], double uv[2]) {
  const toi_interval *domain = surface->shape->domain;
  if (!find_start(surface, t, point, uv))
    return false;
  for (int step = 0; step < NEAREST_STEPS; step++) {
    double away[3], by[2][3];
    if (!away_at(surface, uv, t, point, away, by))
      return false;
    const double a = toi_dot(by[0], by[0]), b = toi_dot(by[0], by[1]), c = toi_dot(by[1], by[1]);
    const double right[2] = {toi_dot(by[0], away), toi_dot(by[1], away)}, determinant = a * c - b * b;
    if (!(determinant > 0))
      return true;
    uv[0] -= (c * right[0] - b * right[1]) / determinant;
    uv[1] -= (a * right[1] - b * right[0]) / determinant;
    for (int i = 0; i < 2; i++)
      uv[i] = fmin(fmax(uv[i], domain[i].lo), domain[i].hi);
  }
  return true;
}

/* Inward by about so much of the domain at first, and no farther than a multiple of that in the end; places that are
 * tried on each face, steps towards where they meet the other one. */
static const double asides[] = {0x1p-32, 0x1p-28, 0x1p-24};
#define FARTHER 0x1p8
#define PLACES 6
#define MEETING_STEPS 4

/* A place on one face, of columns 2 - free and the next, is given: where and when the other one passes it. In doubles.
 */
static bool find_meeting(const toi_problem *faces, size_t free, double x[TOI_UNKNOWNS]) {
  for (int step = 0; step < MEETING_STEPS; step++) {
    toi_box point = faces->domain;
    toi_system system;
    for (size_t i = 0; i < 5; i++)
      point.x[i] = toi_interval_point(x[i]);
    if (!toi_system_at(faces, &point, TOI_SYSTEM_SLOPES, &system))
      return false;
    double columns[3][3], value[3], product[3];
    for (size_t j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        columns[j][k] = toi_interval_midpoint(system.slope[k][j < 2 ? free + j : 4]);
    for (int k = 0; k < 3; k++)
      value[k] = toi_interval_midpoint(system.value[k]);
    // By determinants.
    toi_cross(columns[1], columns[2], product);
    const double determinant = toi_dot(columns[0], product);
    if (!(fabs(determinant) > 0))
      return false;
    for (size_t j = 0; j < 3; j++) {
      toi_cross(columns[(j + 1) % 3], columns[(j + 2) % 3], product);
      x[j < 2 ? free + j : 4] -= toi_dot(value, product) / determinant;
    }
  }
  return true;
}

static bool is_inside(const toi_problem *faces, const double x[TOI_UNKNOWNS]) {
  for (size_t i = 0; i < 5; i++)
    if (!(x[i] > faces->domain.x[i].lo && x[i] < faces->domain.x[i].hi))
      return false;
  return true;
}

static bool is_close(const toi_problem *faces, const double x[TOI_UNKNOWNS], const toi_box *proved, double aside) {
  for (size_t i = 0; i < 5; i++) {
    const double most = FARTHER * aside * toi_interval_width(faces->domain.x[i]);
    if (!(proved->x[i].lo >= x[i] - most && proved->x[i].hi <= x[i] + most))
      return false;
  }
  return true;
}

/* Proves that the faces of a problem cross close to x: places of the one, beside x, that pass the other. */
static bool prove_beside(const toi_problem *faces, const double x[TOI_UNKNOWNS], toi_box *proved) {
  for (size_t n = 0; n < sizeof asides / sizeof *asides; n++)
    for (int place = 0; place < 2 * PLACES; place++) {
      double from[TOI_UNKNOWNS];
      memcpy(from, x, sizeof from);
      // The angle turns from along u to along v, from the end that is closer inward.
      const int turn = place / 2;
      const double part = (turn + 0.5) / PLACES, parts[2] = {part, 1 - part};
      const size_t given = 2 * (size_t)(place % 2);
      for (size_t i = 0; i < 2; i++) {
        const toi_interval domain = faces->domain.x[given + i];
        const double inward = x[given + i] < toi_interval_midpoint(domain) ? 1 : -1;
        from[given + i] += inward * parts[i] * asides[n] * toi_interval_width(domain);
      }
      if (find_meeting(faces, 2 - given, from) && is_inside(faces, from) &&
          toi_newton_prove(faces, from, false, proved) && is_close(faces, x, proved, asides[n]))
        return true;
    }
  return false;
}

static bool is_of_faces(const toi_problem *problem, const toi_problem *faces) {
  const toi_body_pair *a = problem->pair, *b = faces->pair;
  return faces->frozen == 0 && a->kind == b->kind && a->body[0] == b->body[0] && a->body[1] == b->body[1] &&
         meets(problem, 0, b->surface[0]->piece) && meets(problem, 1, b->surface[1]->piece);
}

/* The places of both strata at x, in coordinates of the shapes. */
static bool find_places(const toi_problem *problem, const double x[TOI_UNKNOWNS], double places[2][3]) {
  for (int side = 0; side < 2; side++) {
    const double none[3] = {0, 0, 0};
    double by[2][3];
    if (!away_at(problem->pair->surface[side], x + (ptrdiff_t)2 * side, x[4], none, places[side], by))
      return false;
  }
  return true;
}

/* The stratum of a face at a place, to within a distance, if the face comes there: 1 edges, 2 vertices; 0: none that is
 * the solid's. */
static int stratum_at(toi_body_surface *surface, double t, const double place[3], double within, double uv[2],
                      uint32_t *frozen) {
  const toi_shape *shape = surface->shape;
  double away[3], by[2][3];
  uint32_t high = 0;
  *frozen = 0;
  if (!find_nearest(surface, t, place, uv) || !away_at(surface, uv, t, place, away, by) ||
      sqrt(toi_dot(away, away)) > within)
    return 0;
  for (int i = 0; i < 2; i++) {
    const toi_interval domain = shape->domain[i];
    const double near = within / sqrt(toi_dot(by[i], by[i]));
    const uint32_t ends = shape->edges >> (2 * i) & 3;
    const bool low = (ends & 1) != 0 && uv[i] - domain.lo <= near, up = (ends & 2) != 0 && domain.hi - uv[i] <= near;
    *frozen |= (uint32_t)(low || up) << i;
    high |= (uint32_t)up << i;
    uv[i] = low ? domain.lo : up ? domain.hi : uv[i];
  }
  // A tip is a vertex where the parameter around it begins.
  const uint8_t around = shape->face->around;
  const uint32_t across = UINT32_C(2) >> around, side = 2 * (1 - (uint32_t)around) + ((high & across) != 0);
  if ((*frozen & across) != 0 && (shape->face->tips >> side & 1) != 0) {
    uv[around] = shape->domain[around].lo;
    *frozen = 3;
    high &= across;
  }
  return *frozen == 0 || !toi_face_has(shape, *frozen, high) ? 0 : *frozen == 3 ? 2 : 1;
}

/* The least stratum of the body at a place becomes that of the problem. */
static void set_stratum(toi_problem *problem, toi_body_pair *pair, int side, const double place[3], double within,
                        double x[TOI_UNKNOWNS]) {
  toi_body_surface *first = pair->surface[side] - (ptrdiff_t)pair->surface[side]->piece;
  const size_t at = 2 * (size_t)side;
  int most = (problem->frozen >> at & 3) == 3 ? 2 : (problem->frozen >> at & 3) != 0;
  for (size_t i = 0; i < first->shape->joints->faces; i++) {
    double uv[2];
    uint32_t frozen;
    const int rank = stratum_at(first + i, x[4], place, within, uv, &frozen);
    if (rank <= most)
      continue;
    most = rank;
    pair->surface[side] = first + i;
    problem->frozen = (problem->frozen & ~(UINT32_C(3) << at)) | frozen << at;
    for (size_t k = 0; k < 2; k++) {
      x[at + k] = uv[k];
      problem->domain.x[at + k] =
          (frozen >> k & 1) != 0 ? toi_interval_point(uv[k]) : pair->surface[side]->shape->domain[k];
    }
  }
}

/* Around a tip that many values of u are tried. */
#define TURNS 12

/* How many values of the parameter around a tip there are to begin with, for its face. */
static int turns_of(const toi_body_surface *surface, const double uv[2]) {
  const toi_face *face = surface->shape->face;
  const size_t across = 1 - (size_t)face->around;
  const toi_interval x = surface->shape->domain[across];
  const uint32_t tips = face->tips >> (2 * across);
  return ((tips & 1) != 0 && uv[across] <= x.lo) || ((tips & 2) != 0 && uv[across] >= x.hi) ? TURNS : 1;
}

static bool prove_around(const toi_problem *faces, const double x[TOI_UNKNOWNS], toi_box *proved) {
  const int turns[2] = {turns_of(faces->pair->surface[0], x), turns_of(faces->pair->surface[1], x + 2)};
  for (int n = 0; n < turns[0] * turns[1]; n++) {
    const int turn[2] = {n % turns[0], n / turns[0]};
    double at[TOI_UNKNOWNS];
    memcpy(at, x, sizeof at);
    for (size_t side = 0; side < 2; side++) {
      const uint8_t around = faces->pair->surface[side]->shape->face->around;
      const toi_interval u = faces->pair->surface[side]->shape->domain[around];
      if (turns[side] > 1)
        at[2 * side + around] = u.lo + toi_interval_width(u) * (turn[side] + 0.5) / TURNS;
    }
    if (prove_beside(faces, at, proved))
      return true;
  }
  return false;
}

/* Faces that meet at the strata of a problem, and cross beside them. */
static toi_status cross_faces(toi_contact_search *run, const toi_problem *problem, const double x[TOI_UNKNOWNS],
                              double places[2][3]) {
  for (uint32_t i = 0; i < run->problem_count; i++) {
    const toi_problem *faces = &run->problems[i];
    if (!is_of_faces(problem, faces))
      continue;
    double at[TOI_UNKNOWNS] = {0};
    toi_box proved;
    at[4] = x[4];
    for (int side = 0; side < 2; side++)
      if (!find_nearest(faces->pair->surface[side], x[4], places[side], at + (ptrdiff_t)2 * side))
        return TOI_ERROR_CALLBACK;
    bool failed = false;
    const bool counts = prove_around(faces, at, &proved) && proved.x[4].hi < run->bound &&
                        toi_contact_search_asks(run, i, &proved, &failed);
    if (failed)
      return TOI_ERROR_CALLBACK;
    if (counts)
      return toi_contact_search_note_box(run, i, &proved, true, NULL);
  }
  return TOI_OK;
}

toi_status toi_contact_search_cross(toi_contact_search *run, uint32_t number, const double from[TOI_UNKNOWNS]) {
  toi_body_pair pair = *run->problems[number].pair;
  toi_problem problem = run->problems[number];
  double x[TOI_UNKNOWNS], places[2][3];
  memcpy(x, from, sizeof x);
  problem.pair = &pair;
  if (pair.kind != TOI_BODY_PAIR_PP || problem.at_start || run->bound <= x[4] || pair.surface[0]->shape->face == NULL ||
      pair.surface[1]->shape->face == NULL)
    return TOI_OK;
  if (!find_places(&problem, x, places))
    return TOI_ERROR_CALLBACK;
  for (int side = 0; side < 2; side++)
    set_stratum(&problem, &pair, side, places[side], run->options->tolerance, x);
  if ((problem.frozen & 3) == 0 || (problem.frozen >> 2 & 3) == 0)
    return TOI_OK;
  bool failed = false;
  if ((pair.incoming && !toi_solid_parted(&problem, x, &failed)) || failed)
    return failed ? TOI_ERROR_CALLBACK : TOI_OK;
  // The strata's own places from here on.
  return find_places(&problem, x, places) ? cross_faces(run, &problem, x, places) : TOI_ERROR_CALLBACK;
}
