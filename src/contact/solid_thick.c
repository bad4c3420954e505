/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Edges and vertices of solids whose faces do not meet exactly, thickened by their gaps.
 *
 * Claim: let the solid be closed along an edge by the segments from each point a(s) of the one face's edge to b(s) of
 * the other's, at the same place along it, and at a vertex by anything in the hull of the faces' corners. Then what
 * toi_face_jet encloses of the stratum is that of each curve (1 - l) a + l b, 0 <= l <= 1, and of each point of that
 * hull. Why: (1 - l) a + l b and its derivatives by s lie in the hull of those of a and b; and so do points of the hull
 * of corners in the box around these. What is found of contacts with such a stratum holds for each l, as the equations
 * of each are enclosed, and for l = 0 the edge is this face's own: a contact that is proved is one of it. */

#include "contact/solid.h"

#include "solve/vector.h"

/* The edge of a disc is a circle, which u runs through once, as of a turned face beside it: where the circles are no
 * farther apart than the gap, so are their radii, and their derivatives of order k than (2 pi)^k times as much. */
static const double turns[] = {1, 6.2831853071795872, 39.478417604357439};

enum { P = 0, FIRST = 1 };

/* The place of a second derivative, by the parameter, in a jet: uu, vv. */
static const int second_of[2] = {4, 7};

uint32_t toi_face_ends(const toi_shape *shape, const toi_interval uv[2]) {
  uint32_t high = 0;
  for (int i = 0; i < 2; i++)
    high |= (uint32_t)(uv[i].hi >= shape->domain[i].hi && uv[i].lo > shape->domain[i].lo) << i;
  return high;
}

static int side_of(uint32_t frozen, uint32_t high) {
  return frozen == 1 ? (int)(high & 1) : 2 + (int)(high >> 1);
}

double toi_face_thickness(const toi_shape *shape, uint32_t frozen, const toi_interval uv[2]) {
  if (shape->face == NULL || frozen == 0)
    return 0;
  const uint32_t high = toi_face_ends(shape, uv);
  return frozen == 3 ? shape->joints->gap[shape->face->vertex[high]] : shape->face->side[side_of(frozen, high)].gap;
}

double toi_problem_thickness(const toi_problem *problem) {
  double sum = 0;
  for (size_t side = 0; side < 2 && problem->frozen != 0; side++) {
    const toi_body_surface *surface = problem->pair->surface[side];
    if (!surface->shape->implicit)
      sum += toi_face_thickness(surface->shape, problem->frozen >> (2 * side) & 3, &problem->domain.x[2 * side]);
  }
  return sum;
}

static void take_hull(toi_interval a[3], const toi_interval b[3], toi_interval factor) {
  for (int k = 0; k < 3; k++)
    a[k] = toi_interval_hull(a[k], toi_interval_mul(factor, b[k]));
}

static void widen(toi_interval a[3], double by) {
  for (int k = 0; k < 3; k++)
    a[k] = (toi_interval){toi_sum_down(a[k].lo, -by), toi_sum_up(a[k].hi, by)};
}

static bool thicken_edge(toi_body_surface *surface, int side, const toi_interval uvt[3], unsigned order,
                         toi_surface_jet *jet) {
  const toi_side *at = &surface->shape->face->side[side];
  toi_interval there[3];
  toi_body_surface *other = toi_face_beyond(surface, side, uvt, 0, there);
  const int along = 1 - side / 2, beyond = 1 - at->side / 2;
  if (other->shape->face->outline != TOI_OUTLINE_NONE) {
    for (unsigned i = 0; i <= order; i++)
      widen(jet->d[i == 0 ? P : i == 1 ? FIRST + along : second_of[along]], toi_product_up(turns[i], at->gap));
    return true;
  }
  const toi_surface_jet *b = toi_body_surface_jet(other, there, order);
  if (b == NULL)
    return false;
  const toi_interval from = surface->shape->domain[along], to = other->shape->domain[beyond];
  toi_interval rate = toi_interval_div(toi_interval_sub(toi_interval_point(to.hi), toi_interval_point(to.lo)),
                                       toi_interval_sub(toi_interval_point(from.hi), toi_interval_point(from.lo)));
  if (at->reversed)
    rate = toi_interval_neg(rate);
  take_hull(jet->d[P], b->d[P], toi_interval_point(1));
  if (order > 0)
    take_hull(jet->d[FIRST + along], b->d[FIRST + beyond], rate);
  if (order > 1)
    take_hull(jet->d[second_of[along]], b->d[second_of[beyond]], toi_interval_square(rate));
  return true;
}

static bool thicken_vertex(toi_body_surface *surface, uint32_t vertex, toi_interval t, toi_surface_jet *jet) {
  const toi_joints *joints = surface->shape->joints;
  for (uint32_t i = joints->first[vertex]; i < joints->first[vertex + 1]; i++) {
    const toi_way *at = &joints->sector[i].from;
    toi_body_surface *face = surface + ((ptrdiff_t)at->face - (ptrdiff_t)surface->piece);
    toi_interval uvt[3] = {{0, 0}, {0, 0}, t};
    for (int k = 0; k < 2; k++) {
      const toi_interval domain = face->shape->domain[k];
      uvt[k] = toi_interval_point((at->corner >> k & 1) != 0 ? domain.hi : domain.lo);
    }
    const toi_surface_jet *corner = toi_body_surface_jet(face, uvt, 0);
    if (corner == NULL)
      return false;
    take_hull(jet->d[P], corner->d[P], toi_interval_point(1));
  }
  return true;
}

const toi_surface_jet *toi_face_jet(toi_body_surface *surface, uint32_t frozen, const toi_interval uvt[3],
                                    unsigned order, toi_surface_jet *room) {
  const toi_surface_jet *jet = toi_body_surface_jet(surface, uvt, order);
  if (jet == NULL || frozen == 0 || toi_face_thickness(surface->shape, frozen, uvt) == 0)
    return jet;
  memcpy(room->d, jet->d, (size_t)TOI_JET_SIZE(3, order) * sizeof jet->d[0]);
  const uint32_t high = toi_face_ends(surface->shape, uvt);
  const bool fine = frozen == 3 ? thicken_vertex(surface, surface->shape->face->vertex[high], uvt[2], room)
                                : thicken_edge(surface, side_of(frozen, high), uvt, order, room);
  return fine ? room : NULL;
}
