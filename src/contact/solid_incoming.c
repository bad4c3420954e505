/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contact from outside where edges and vertices of solids take part, by the normals and tangents of all faces that meet
 * there: lemma 39 of docs/guarantees.md.
 *
 *   first     second    m, from the second outwards       what must not be negative
 *   vertex    face      normal of the second              m.w of all w of the first, its convexity, -m.velocity
 *   edge      face      likewise                          likewise
 *   face      edge      normal of the first, turned       m'.w of all w of the second, its convexity, m'.velocity
 *   face      vertex    likewise, m' = -m                 likewise
 *   edge      edge      their product, either way round   m.w of the first, -m.w of the second, both convexities
 *   vertex    edge, vertex; edge, vertex                  no plane is known that must be between them: nothing
 *
 * velocity is that of the first as the second sees it. */

#include "contact/solid.h"

#include "solve/vector.h"

static toi_interval least_of(toi_interval a, toi_interval b) {
  return toi_interval_min(a, b);
}

/* m as a surface's own coordinates have it. */
static void to_own(const toi_problem *problem, const toi_box *box, int side, const toi_interval m[3],
                   toi_interval own[3]) {
  const toi_body_pair *pair = problem->pair;
  if (side == 1 || pair->shifts) {
    memcpy(own, m, 3 * sizeof *m);
    return;
  }
  toi_transposed3(toi_body_pair_motion(pair, box->x[toi_body_pair_time(pair)], 0)->rotation[0], m, own);
}

bool toi_solid_cone(const toi_problem *problem, const toi_box *box, int side, double depth, const toi_interval m[3],
                    toi_way_cone *cone) {
  const toi_body_pair *pair = problem->pair;
  toi_interval own[3];
  to_own(problem, box, side, m, own);
  const size_t first = 2 * (size_t)side;
  const toi_interval uvt[3] = {box->x[first], box->x[first + 1], box->x[toi_body_pair_time(pair)]};
  return toi_face_cone(pair->surface[side], problem->frozen >> first & 3, uvt, depth, own, cone);
}

/* What is less than 0 discards a contact; where faces were joined not what may be due to their gap. scale: what the
 * number is a cosine times of. */
static toi_interval softened(const toi_way_cone *cone, toi_interval x, double scale) {
  const bool discards = cone->joined == 0 || (cone->joined <= 2 * TOI_SMOOTH && x.hi < -TOI_INSIDE_COSINE * scale);
  return discards ? x : (toi_interval){x.lo, fmax(x.hi, 0)};
}

/* What says that a solid lies above the plane, m upwards, or below it. */
static toi_interval lies_above(const toi_way_cone *cone) {
  const toi_interval give = {cone->give, cone->give};
  const toi_interval least = softened(cone, toi_interval_add(cone->least, give), cone->size * cone->height);
  return cone->flat ? least_of(least, softened(cone, toi_interval_neg(cone->facing), cone->width * cone->height))
                    : least;
}

static toi_interval lies_below(const toi_way_cone *cone) {
  const toi_interval give = {cone->give, cone->give};
  const toi_interval most = softened(cone, toi_interval_sub(give, cone->most), cone->size * cone->height);
  return cone->flat ? least_of(most, softened(cone, cone->facing, cone->width * cone->height)) : most;
}

/* And that it is a convex edge: one that is smooth is neither. A vertex of joined faces is taken as one. */
static toi_interval convex_of(const toi_way_cone *cone) {
  return cone->flat ? (toi_interval){INFINITY, INFINITY} : softened(cone, cone->convex, cone->width * cone->size);
}

/* Of a face against an edge or a vertex of surface `side`. */
static bool against_face(const toi_problem *problem, const toi_box *box, int side, toi_interval approach,
                         toi_system *system) {
  toi_way_cone cone;
  if (!toi_solid_cone(problem, box, side, 0, system->normal[1 - side], &cone))
    return false;
  system->incoming[0] = approach;
  system->incoming[1] = least_of(lies_above(&cone), convex_of(&cone));
  return true;
}

static void velocity_of(const toi_system *system, size_t time, toi_interval velocity[3]) {
  for (int k = 0; k < 3; k++)
    velocity[k] = system->slope[k][time];
}

/* The plane of both edges lies between the solids, with the first one on one side of it or on the other. */
static bool edge_to_edge(const toi_problem *problem, const toi_box *box, const toi_surface_jet *jets,
                         toi_system *system) {
  toi_interval n[3], velocity[3];
  toi_way_cone first, second;
  // Along u or v, whichever is free.
  toi_cross3(jets[0].d[(problem->frozen & 3) == 1 ? 2 : 1], jets[1].d[(problem->frozen >> 2 & 3) == 1 ? 2 : 1], n);
  if (!toi_solid_cone(problem, box, 0, 0, n, &first) || !toi_solid_cone(problem, box, 1, 0, n, &second))
    return false;
  velocity_of(system, toi_body_pair_time(problem->pair), velocity);
  const toi_interval along = toi_dot3(velocity, n);
  const toi_interval above = least_of(least_of(lies_above(&first), lies_below(&second)), toi_interval_neg(along));
  const toi_interval below = least_of(least_of(lies_below(&first), lies_above(&second)), along);
  system->incoming[0] = toi_interval_max(above, below);
  system->incoming[1] = least_of(convex_of(&first), convex_of(&second));
  return true;
}

bool toi_solid_incoming(const toi_problem *problem, const toi_box *box, const toi_surface_jet *jets,
                        toi_system *system) {
  const toi_body_pair *pair = problem->pair;
  const uint32_t first = problem->frozen & 3, second = problem->frozen >> 2 & 3;
  if ((first != 0 && pair->surface[0]->shape->face == NULL) || (second != 0 && pair->surface[1]->shape->face == NULL))
    return true;
  toi_interval velocity[3];
  if (pair->kind == TOI_BODY_PAIR_PI)
    return against_face(problem, box, 0, toi_interval_neg(system->slope[0][toi_body_pair_time(pair)]), system);
  velocity_of(system, toi_body_pair_time(pair), velocity);
  if (second == 0)
    return against_face(problem, box, 0, toi_interval_neg(toi_dot3(velocity, system->normal[1])), system);
  if (first == 0)
    return against_face(problem, box, 1, toi_dot3(velocity, system->normal[0]), system);
  return first == 3 || second == 3 || edge_to_edge(problem, box, jets, system);
}

bool toi_solid_rises(const toi_problem *problem, const toi_box *w, double depth, int side, const toi_interval n[3],
                     int falls, bool *failed) {
  toi_way_cone cone;
  *failed = !toi_solid_cone(problem, w, side, depth, n, &cone);
  if (*failed)
    return false;
  // n . G_i is n . w for the first surface, and -n . w for the second.
  const bool up = (falls < 0) == (side == 0);
  const double slack = TOI_PARALLEL * toi_plain_size3(n) * cone.size;
  return up ? cone.least.lo > slack : cone.most.hi < -slack;
}

/* S_uv, and what the outward normal is a multiple of: its product with the derivative across the tip, S_uv x S_v, or
 * S_u x S_uv where v goes around it; as the second body sees them. */
static bool tip_tangents(const toi_problem *problem, const toi_box *box, int side, toi_interval along[3],
                         toi_interval normal[3]) {
  const toi_body_pair *pair = problem->pair;
  const size_t first = 2 * (size_t)side, time = toi_body_pair_time(pair);
  const toi_interval uvt[3] = {box->x[first], box->x[first + 1], box->x[time]};
  const toi_surface_jet *jet = toi_body_surface_jet(pair->surface[side], uvt, 2);
  if (jet == NULL)
    return false;
  if (pair->surface[side]->shape->face->around == 0)
    toi_cross3(jet->d[5], jet->d[2], normal);
  else
    toi_cross3(jet->d[1], jet->d[5], normal);
  memcpy(along, jet->d[5], 3 * sizeof *along);
  if (side == 1 || pair->shifts)
    return true;
  const toi_motion_jet *motion = toi_body_pair_motion(pair, box->x[time], 0);
  toi_interval turned[2][3];
  toi_times3((const toi_interval(*)[3])motion->rotation[0], along, turned[0]);
  toi_times3((const toi_interval(*)[3])motion->rotation[0], normal, turned[1]);
  memcpy(along, turned[0], sizeof turned[0]);
  memcpy(normal, turned[1], sizeof turned[1]);
  return true;
}

/* Whether a product that is 0 at contact is not, by more than what is taken as parallel. */
static bool is_not_zero(const toi_interval a[3], const toi_interval b[3]) {
  const toi_interval product = toi_dot3(a, b);
  const double slack = TOI_PARALLEL * toi_plain_size3(a) * toi_plain_size3(b);
  return product.lo > slack || product.hi < -slack;
}

/* The pole of a face that the box reaches, and no other. */
typedef enum pole { NO_POLE, AT_LOW, AT_HIGH } pole;

static pole pole_of(const toi_problem *problem, const toi_box *box, int side) {
  const toi_shape *shape = problem->pair->surface[side]->shape;
  if (shape->face == NULL || shape->face->poles == 0 || (problem->frozen >> (2 * side) & 3) != 0)
    return NO_POLE;
  const size_t across = 1 - (size_t)shape->face->around, x = 2 * (size_t)side + across;
  const uint32_t poles = shape->face->poles >> (2 * across);
  const bool low = (poles & 1) != 0 && box->x[x].lo <= shape->domain[across].lo;
  const bool high = (poles & 2) != 0 && box->x[x].hi >= shape->domain[across].hi;
  return low == high ? NO_POLE : low ? AT_LOW : AT_HIGH;
}

/* S_u is (v - v_end) S_uv: the face's own normal is that product where v begins at the tip, and its opposite where it
 * ends there. */
static bool refutes(const toi_problem *problem, const toi_box *box, const toi_system *system, int side, bool *failed) {
  const toi_body_pair *pair = problem->pair;
  const bool high = pole_of(problem, box, side) == AT_HIGH;
  const uint32_t other = problem->frozen >> (2 * (1 - side)) & 3;
  toi_interval along[3], normal[3];
  *failed = !tip_tangents(problem, box, side, along, normal);
  if (*failed || (pair->kind == TOI_BODY_PAIR_PP && other == 3))
    return false;
  if (pair->kind == TOI_BODY_PAIR_PP && other != 0) {
    toi_interval edge[3];
    for (int k = 0; k < 3; k++)
      edge[k] = system->slope[k][2 * (size_t)(1 - side) + (other == 1)];
    return is_not_zero(edge, normal);
  }
  const toi_interval facing = toi_dot3(normal, system->normal[1 - side]);
  return is_not_zero(along, system->normal[1 - side]) || (pair->incoming && (high ? facing.hi < 0 : facing.lo > 0));
}

bool toi_solid_tip_refutes(const toi_problem *problem, const toi_box *box, const toi_system *system, bool *failed) {
  *failed = false;
  if (problem->pair->kind > TOI_BODY_PAIR_PI || problem->at_start)
    return false;
  const int sides = problem->pair->kind == TOI_BODY_PAIR_PP ? 2 : 1;
  for (int side = 0; side < sides && !*failed; side++)
    if (pole_of(problem, box, side) != NO_POLE && refutes(problem, box, system, side, failed))
      return true;
  return false;
}
