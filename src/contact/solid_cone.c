/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cone of a solid at an edge or a vertex: the directions in which faces leave it, and on which side of them the
 * solid is.
 *
 * At an edge two faces leave: this one in the direction w of its own derivative across the edge, the other one in that
 * of its own, or, where that is flat and cut out by an outline, in T x n, n its normal and T the direction of the edge
 * that has this face on its left. The solid's angle there is less than half a turn where the other face goes down from
 * this one: n . w' < 0. At a vertex the faces are sectors, each from one direction to the next; where a half-space
 * m . x >= 0 holds all of them the solid lies between them, and not around them, if m . (from x to) < 0 in each. */

#include "contact/solid.h"

#include "solve/vector.h"

enum { U = 1 };

/* Parts of a tip's turn that are checked by themselves, and how often they are halved where that decides. */
#define PARTS 8
#define HALVINGS 5

/* Inward. */
static void keep_way(const toi_interval tangent[3], bool high, toi_interval way[3]) {
  for (int k = 0; k < 3; k++)
    way[k] = high ? toi_interval_neg(tangent[k]) : tangent[k];
}

static toi_body_surface *face_of(toi_body_surface *surface, uint32_t number) {
  return surface + ((ptrdiff_t)number - (ptrdiff_t)surface->piece);
}

/* From the end inward. */
static toi_interval inward(toi_interval domain, bool high, double depth) {
  if (depth == 0)
    return toi_interval_point(high ? domain.hi : domain.lo);
  const double deep = depth * toi_interval_width(domain);
  return high ? (toi_interval){fmax(domain.hi - deep, domain.lo), domain.hi}
              : (toi_interval){domain.lo, fmin(domain.lo + deep, domain.hi)};
}

static void begin(toi_way_cone *cone) {
  *cone = (toi_way_cone){
      .least = {INFINITY, INFINITY}, .most = {-INFINITY, -INFINITY}, .convex = {INFINITY, INFINITY}, .angle = INFINITY};
}

static void take_way(const toi_interval m[3], const toi_interval way[3], toi_way_cone *cone) {
  const toi_interval along = toi_dot3(m, way);
  cone->least = toi_interval_min(cone->least, along);
  cone->most = toi_interval_max(cone->most, along);
  cone->size = fmax(cone->size, toi_plain_size3(way));
  double unit[3];
  for (int k = 0; k < 3; k++)
    unit[k] = toi_interval_midpoint(way[k]);
  if (!toi_plain_unit3(unit))
    return;
  const double angle = toi_interval_midpoint(along) / (toi_plain_size3(way) * toi_plain_size3(m));
  if (angle < cone->angle) {
    cone->angle = angle;
    memcpy(cone->lowest, unit, sizeof unit);
  }
}

/* --- edges --- */

/* The parameter of the other edge at the same place. */
static toi_interval across(toi_interval along, toi_interval from, toi_interval to, bool reversed, bool ends) {
  if (reversed || from.lo != to.lo || from.hi != to.hi) {
    const toi_interval low = toi_interval_point(from.lo), high = toi_interval_point(from.hi);
    const toi_interval part = toi_interval_div(reversed ? toi_interval_sub(high, along) : toi_interval_sub(along, low),
                                               toi_interval_sub(high, low));
    along = toi_interval_add(
        toi_interval_point(to.lo),
        toi_interval_mul(part, toi_interval_sub(toi_interval_point(to.hi), toi_interval_point(to.lo))));
  }
  toi_interval inside = along;
  return ends && toi_interval_intersect(along, to, &inside) ? inside : along;
}

toi_body_surface *toi_face_beyond(toi_body_surface *surface, int side, const toi_interval uvt[3], double depth,
                                  toi_interval there[3]) {
  const toi_side *at = &surface->shape->face->side[side];
  toi_body_surface *other = face_of(surface, at->face);
  const toi_interval *from = surface->shape->domain, *to = other->shape->domain;
  there[2] = uvt[2];
  if (other->shape->face->outline != TOI_OUTLINE_NONE) {
    for (int i = 0; i < 2; i++)
      there[i] = toi_interval_point(to[i].lo);
    return other;
  }
  const int axis = side / 2, fixed = at->side / 2;
  const uint32_t ends = other->shape->edges >> (2 * (1 - fixed)) & 3;
  there[fixed] = inward(to[fixed], at->side % 2, depth);
  there[1 - fixed] = across(uvt[1 - axis], from[1 - axis], to[1 - fixed], at->reversed, ends != 0);
  return other;
}

/* The direction in which the face beyond a side leaves the edge, of which T is the direction. */
static bool find_beyond(toi_body_surface *surface, int side, const toi_interval uvt[3], double depth,
                        const toi_interval along[3], toi_interval way[3]) {
  const toi_side *at = &surface->shape->face->side[side];
  toi_interval there[3], normal[3];
  toi_body_surface *other = toi_face_beyond(surface, side, uvt, depth, there);
  const toi_surface_jet *jet = toi_body_surface_jet(other, there, 1);
  if (jet == NULL)
    return false;
  if (other->shape->face->outline != TOI_OUTLINE_NONE) {
    toi_cross3(jet->d[U], jet->d[U + 1], normal);
    toi_cross3(along, normal, way);
    return true;
  }
  keep_way(jet->d[U + at->side / 2], at->side % 2, way);
  return true;
}

/* Whether two planes are one up to TOI_SMOOTH: a normal of the one and a direction in the other. */
static bool is_flat(const toi_interval normal[3], const toi_interval way[3]) {
  return toi_interval_magnitude(toi_dot3(normal, way)) <= TOI_SMOOTH * toi_plain_size3(normal) * toi_plain_size3(way);
}

static bool edge_at(toi_body_surface *surface, int side, const toi_interval uvt[3], double depth,
                    const toi_interval m[3], toi_way_cone *cone) {
  const int axis = side / 2;
  const bool high = side % 2;
  toi_interval way[3], along[3], normal[3], beyond[3];
  const toi_surface_jet *jet = toi_body_surface_jet(surface, uvt, 1);
  if (jet == NULL)
    return false;
  toi_cross3(jet->d[U], jet->d[U + 1], normal);
  keep_way(jet->d[U + axis], high, way);
  // With this face on the left: down v where u begins, up where it ends; the other way round for v.
  if (axis == 0)
    keep_way(jet->d[U + 1], !high, along);
  else
    keep_way(jet->d[U], high, along);
  if (!find_beyond(surface, side, uvt, depth, along, beyond))
    return false;
  take_way(m, way, cone);
  take_way(m, beyond, cone);
  cone->convex = toi_interval_neg(toi_dot3(normal, beyond));
  const double give = surface->shape->face->side[side].give;
  cone->joined = give;
  cone->height = toi_plain_size3(m);
  cone->width = toi_plain_size3(normal);
  cone->give = give * cone->height * cone->size;
  toi_interval left[3];
  toi_cross3(normal, along, left);
  cone->flat = give > 0 && is_flat(normal, beyond) && toi_dot3(left, beyond).hi < 0;
  cone->facing = toi_dot3(m, normal);
  return true;
}

/* --- vertices --- */

static bool find_way(toi_body_surface *surface, const toi_way *at, toi_interval t, double depth, toi_interval way[3]) {
  toi_body_surface *face = face_of(surface, at->face);
  const toi_interval *domain = face->shape->domain;
  const toi_interval uvt[3] = {inward(domain[0], at->corner & 1, depth), inward(domain[1], at->corner >> 1, depth), t};
  const toi_surface_jet *jet = toi_body_surface_jet(face, uvt, 1);
  if (jet != NULL)
    keep_way(jet->d[U + at->axis], at->corner >> at->axis & 1, way);
  return jet != NULL;
}

/* The plane m . x = 1 cuts a cone that lies above m . x = 0 in a polygon: twice its area, with a positive sign if it is
 * run through with the solid on the right, that is if the solid is around it; unbounded while it is not known that all
 * directions lead there. */
static void take_sector(const toi_interval m[3], const toi_interval from[3], const toi_interval to[3],
                        toi_interval *area) {
  const toi_interval ends[2] = {toi_dot3(m, from), toi_dot3(m, to)};
  toi_interval normal[3];
  toi_cross3(from, to, normal);
  if (ends[0].lo > 0 && ends[1].lo > 0)
    *area = toi_interval_add(*area, toi_interval_div(toi_dot3(m, normal), toi_interval_mul(ends[0], ends[1])));
  else
    *area = toi_interval_whole();
}

/* The way from a tip at a value of the parameter that goes around it. */
static bool tip_way(toi_body_surface *face, toi_interval u, bool high, double depth, toi_interval t,
                    toi_interval way[3]) {
  const int across = 1 - face->shape->face->around;
  toi_interval uvt[3] = {u, u, t};
  uvt[across] = inward(face->shape->domain[across], high, depth);
  const toi_surface_jet *jet = toi_body_surface_jet(face, uvt, 1);
  if (jet != NULL)
    keep_way(jet->d[U + across], high, way);
  return jet != NULL;
}

/* A part of the turn around a tip. */
typedef struct turn {
  toi_body_surface *face;
  bool high;
  double depth;
  toi_interval t;
  const toi_interval *m;
} turn;

/* Halved where m . w is decided in the middle and not over the part. */
static bool take_part(const turn *p, toi_interval u, int depth, toi_way_cone *cone) {
  toi_interval way[3], middle[3];
  const double half = toi_interval_midpoint(u);
  if (!tip_way(p->face, u, p->high, p->depth, p->t, way))
    return false;
  if (depth > 0 && toi_interval_sign(toi_dot3(p->m, way)) == 0) {
    if (!tip_way(p->face, toi_interval_point(half), p->high, p->depth, p->t, middle))
      return false;
    if (toi_interval_sign(toi_dot3(p->m, middle)) != 0)
      return take_part(p, (toi_interval){u.lo, half}, depth - 1, cone) &&
             take_part(p, (toi_interval){half, u.hi}, depth - 1, cone);
  }
  take_way(p->m, way, cone);
  return true;
}

/* The polygon of the ends of the parts runs around as the circle does. */
static bool sweep(toi_body_surface *surface, const toi_way *at, toi_interval t, double depth, const toi_interval m[3],
                  toi_way_cone *cone, toi_interval *area) {
  toi_body_surface *face = face_of(surface, at->face);
  const uint8_t around = face->shape->face->around;
  const turn p = {face, at->corner >> (1 - around) & 1, depth, t, m};
  const toi_interval domain = face->shape->domain[around];
  for (int i = 0; i < PARTS; i++) {
    const double low = (double)i / PARTS, up = (double)(i + 1) / PARTS;
    const toi_interval u = {domain.lo * (1 - low) + domain.hi * low, domain.lo * (1 - up) + domain.hi * up};
    toi_interval ends[2][3];
    if (!take_part(&p, u, HALVINGS, cone) ||
        !tip_way(p.face, toi_interval_point(u.lo), p.high, depth, t, ends[p.high == (around == 1)]) ||
        !tip_way(p.face, toi_interval_point(u.hi), p.high, depth, t, ends[p.high != (around == 1)]))
      return false;
    take_sector(m, ends[0], ends[1], area);
  }
  return true;
}

/* What the sectors of a vertex are that lies within a smooth face, or on an edge that goes on smoothly: one part of a
 * plane, or two, each with the normal of its first sector. */
typedef struct sheets {
  toi_interval normal[2][3];
  bool known[2], flat; /* flat: so far all directions were in the planes, up to TOI_SMOOTH */
  toi_interval bend;   /* of the first normal and the direction of the other sheet that is farthest from its plane */
  double most;
} sheets;

static void take_sheet(uint8_t side, const toi_interval from[3], const toi_interval to[3], sheets *s) {
  const int sheet = side - 1;
  if (!s->known[sheet])
    toi_cross3(from, to, s->normal[sheet]);
  s->known[sheet] = true;
  s->flat = s->flat && is_flat(s->normal[sheet], from) && is_flat(s->normal[sheet], to);
  const toi_interval *const ways[2] = {from, to};
  for (int i = 0; i < 2 && sheet == 1 && s->known[0]; i++) {
    const toi_interval bend = toi_dot3(s->normal[0], ways[i]);
    const double size = fabs(toi_interval_midpoint(bend)) / toi_plain_size3(ways[i]);
    if (size > s->most) {
      s->most = size;
      s->bend = bend;
    }
  }
}

static void finish_sheets(const toi_interval m[3], const sheets *s, toi_way_cone *cone) {
  cone->flat = s->flat && !s->known[1];
  cone->facing = toi_dot3(m, s->normal[0]);
  cone->convex = s->flat && s->known[1] ? toi_interval_neg(s->bend) : toi_interval_whole();
}

static bool vertex_at(toi_body_surface *surface, uint32_t vertex, toi_interval t, double depth, const toi_interval m[3],
                      toi_way_cone *cone) {
  const toi_joints *joints = surface->shape->joints;
  toi_interval area = {0, 0};
  sheets planes = {.flat = true};
  for (uint32_t i = joints->first[vertex]; i < joints->first[vertex + 1]; i++) {
    const toi_sector *sector = &joints->sector[i];
    toi_interval from[3], to[3];
    if (sector->swept) {
      if (!sweep(surface, &sector->from, t, depth, m, cone, &area))
        return false;
      continue;
    }
    if (!find_way(surface, &sector->from, t, depth, from) || !find_way(surface, &sector->to, t, depth, to))
      return false;
    take_way(m, from, cone);
    take_way(m, to, cone);
    take_sector(m, from, to, &area);
    if (sector->side > 0)
      take_sheet(sector->side, from, to, &planes);
    for (int k = 0; k < 3 && sector->blunt; k++) {
      from[k] = toi_interval_neg(from[k]);
      to[k] = toi_interval_neg(to[k]);
    }
    if (sector->blunt) {
      take_way(m, from, cone);
      take_way(m, to, cone);
    }
  }
  cone->convex = toi_interval_neg(area);
  cone->joined = joints->give;
  cone->height = toi_plain_size3(m);
  cone->width = planes.known[0] ? toi_plain_size3(planes.normal[0]) : INFINITY;
  cone->give = joints->give * cone->height * cone->size;
  if (planes.known[0])
    finish_sheets(m, &planes, cone);
  return true;
}

bool toi_face_cone(toi_body_surface *surface, uint32_t frozen, const toi_interval uvt[3], double depth,
                   const toi_interval m[3], toi_way_cone *cone) {
  const toi_face *face = surface->shape->face;
  const uint32_t high = toi_face_ends(surface->shape, uvt);
  begin(cone);
  if (frozen == 3)
    return vertex_at(surface, face->vertex[high], uvt[2], depth, m, cone);
  return edge_at(surface, frozen == 1 ? (int)(high & 1) : 2 + (int)(high >> 1), uvt, depth, m, cone);
}
