/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contact from outside where edges and vertices of solids take part, by the normals and tangents of all faces that meet
 * there: lemma 26 of docs/guarantees.md.
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
                    toi_cone *cone) {
  const toi_body_pair *pair = problem->pair;
  toi_interval own[3];
  to_own(problem, box, side, m, own);
  const size_t first = 2 * (size_t)side;
  const toi_interval uvt[3] = {box->x[first], box->x[first + 1], box->x[toi_body_pair_time(pair)]};
  return toi_cone_at(pair->surface[side], problem->frozen >> first & 3, uvt, depth, own, cone);
}

/* Of a face against an edge or a vertex of surface `side`. */
static bool against_face(const toi_problem *problem, const toi_box *box, int side, toi_interval approach,
                         toi_system *system) {
  toi_cone cone;
  if (!toi_solid_cone(problem, box, side, 0, system->normal[1 - side], &cone))
    return false;
  system->incoming[0] = approach;
  system->incoming[1] = least_of(cone.least, cone.convex);
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
  toi_cone first, second;
  // Along u or v, whichever is free.
  toi_cross3(jets[0].d[(problem->frozen & 3) == 1 ? 2 : 1], jets[1].d[(problem->frozen >> 2 & 3) == 1 ? 2 : 1], n);
  if (!toi_solid_cone(problem, box, 0, 0, n, &first) || !toi_solid_cone(problem, box, 1, 0, n, &second))
    return false;
  velocity_of(system, toi_body_pair_time(problem->pair), velocity);
  const toi_interval along = toi_dot3(velocity, n);
  const toi_interval above = least_of(least_of(first.least, toi_interval_neg(second.most)), toi_interval_neg(along));
  const toi_interval below = least_of(least_of(toi_interval_neg(first.most), second.least), along);
  system->incoming[0] = toi_interval_max(above, below);
  system->incoming[1] = least_of(first.convex, second.convex);
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
  toi_cone cone;
  *failed = !toi_solid_cone(problem, w, side, depth, n, &cone);
  if (*failed)
    return false;
  // n . G_i is n . w for the first surface, and -n . w for the second.
  const bool up = (falls < 0) == (side == 0);
  const double slack = TOI_PARALLEL * toi_plain_size3(n) * cone.size;
  return up ? cone.least.lo > slack : cone.most.hi < -slack;
}
