/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Points in solids that are bounded by a closed parametric surface, by the parity of crossings along a ray.
 *
 * The ray from p is the part of the line (x - p) . e = (x - p) . f = 0 on which (x - p) . d > 0. e, f and d are
 * doubles, taken as they are, and independent. Claim: an answer is proved. Why: pieces of the parameters are left out
 * only where an equation excludes 0, or all of it lies behind p. A crossing is counted in a piece where the slopes of
 * both equations hold no singular matrix, so that there is one zero at most (lemma 11c), if what encloses it lies in
 * the interior of the piece, so that there is one (11b), and all of the piece is in front of p. There the ray crosses
 * the surface, from one side to the other. The surface closes, so that the parity of crossings tells the sides apart.
 * Faces of a solid close up to gaps along their edges, at most `gap` wide on any axis: in pieces at an edge an equation
 * must exclude 0 by 2 gap, more than a gap can add along axes of length 1, so that the line meets nothing that would
 * close it. What cannot be told, such as a ray that grazes or goes through a seam, ends the ray, and another one is
 * asked. */

#include "contact/inside.h"
#include "contact/solid.h"

#include "solve/linear.h"
#include "solve/vector.h"

#define RAYS 5
#define DEPTH 48
#define PIECES 1500

/* Pieces are not halved in the middle, where symmetric surfaces have what is met. */
#define PART 0.4873

typedef struct ray {
  const toi_shape *shape;
  const toi_interval *from;
  toi_interval t;
  double axis[3][3]; /* d, e, f */
  double slack;      /* what gaps add */
  int pieces;
} ray;

typedef struct piece {
  toi_interval u, v;
  int depth;
} piece;

typedef enum finding { NOTHING, CROSSING, UNTOLD } finding;

/* (S - p) . axis, and its slopes by u and v, over a piece. */
static bool along(const ray *r, const piece *p, unsigned order, toi_interval value[3], toi_interval slope[3][2]) {
  const toi_interval box[3] = {p->u, p->v, r->t};
  toi_interval jets[3 * TOI_JET_SIZE(3, 1)];
  const size_t size = TOI_JET_SIZE(3, order);
  if (!toi_shape_jets(r->shape, box, order, jets))
    return false;
  for (int i = 0; i < 3; i++) {
    toi_interval away[3];
    for (int k = 0; k < 3; k++)
      away[k] = toi_interval_sub(jets[(size_t)k * size], r->from[k]);
    value[i] = toi_combine3(r->axis[i], away[0], away[1], away[2]);
    for (size_t j = 0; j < 2 && order > 0; j++)
      slope[i][j] = toi_combine3(r->axis[i], jets[1 + j], jets[size + 1 + j], jets[2 * size + 1 + j]);
  }
  return true;
}

/* Whether a piece reaches a real edge of the surface, or its outline. */
static bool is_at_edge(const ray *r, const piece *p, toi_outline_place place) {
  const toi_interval *domain = r->shape->domain;
  const bool at[4] = {p->u.lo <= domain[0].lo, p->u.hi >= domain[0].hi, p->v.lo <= domain[1].lo,
                      p->v.hi >= domain[1].hi};
  for (int i = 0; i < 4; i++)
    if (at[i] && r->shape->edges >> i & 1)
      return true;
  return place == TOI_OUTLINE_OPEN;
}

static toi_interval widened(toi_interval x, double by) {
  return (toi_interval){toi_sum_down(x.lo, -by), toi_sum_up(x.hi, by)};
}

/* Whether the value at the middle, with the slopes, says that there is none; else what encloses the zero. */
static finding examine(const ray *r, const piece *p) {
  toi_interval value[3], slope[3][2], middle[3];
  const toi_interval uv[2] = {p->u, p->v};
  const toi_outline_place place = toi_face_place(r->shape, uv);
  if (place == TOI_OUTLINE_OUTSIDE)
    return NOTHING;
  if (!along(r, p, 1, value, slope))
    return UNTOLD;
  const bool edge = is_at_edge(r, p, place);
  const double slack = edge ? r->slack : 0;
  for (int i = 0; i < 3; i++)
    value[i] = widened(value[i], slack);
  if (toi_interval_sign(value[1]) != 0 || toi_interval_sign(value[2]) != 0 || value[0].hi < 0)
    return NOTHING;
  const piece centre = {.u = toi_interval_point(toi_interval_midpoint(p->u)),
                        .v = toi_interval_point(toi_interval_midpoint(p->v))};
  if (!along(r, &centre, 0, middle, NULL))
    return UNTOLD;
  const toi_interval way[2] = {toi_interval_sub(p->u, centre.u), toi_interval_sub(p->v, centre.v)};
  toi_interval_row matrix[2];
  toi_interval b[2], y[2];
  for (int i = 0; i < 3; i++) {
    toi_interval centred = middle[i];
    for (int j = 0; j < 2; j++)
      centred = toi_interval_add(centred, toi_interval_mul(slope[i][j], way[j]));
    if (!toi_interval_intersect(widened(centred, slack), value[i], &value[i]) ||
        (i > 0 && toi_interval_sign(value[i]) != 0))
      return NOTHING;
  }
  if (value[0].hi < 0)
    return NOTHING;
  if (edge)
    return UNTOLD;
  for (int i = 0; i < 2; i++) {
    b[i] = toi_interval_neg(middle[i + 1]);
    memcpy(matrix[i], slope[i + 1], sizeof slope[0]);
  }
  if (!toi_linear_enclose(2, (const toi_interval_row *)matrix, b, y))
    return UNTOLD;
  bool within = true;
  for (int j = 0; j < 2; j++) {
    if (y[j].hi < way[j].lo || y[j].lo > way[j].hi)
      return NOTHING;
    within = within && way[j].lo < y[j].lo && y[j].hi < way[j].hi;
  }
  return within && value[0].lo > 0 ? CROSSING : UNTOLD;
}

static bool halve(piece *from, toi_interval domain[2], piece *first) {
  const bool v = toi_interval_width(from->v) / toi_interval_width(domain[1]) >
                 toi_interval_width(from->u) / toi_interval_width(domain[0]);
  toi_interval *x = v ? &from->v : &from->u;
  const double at = x->lo + PART * (x->hi - x->lo);
  if (!(x->lo < at && at < x->hi) || from->depth == DEPTH)
    return false;
  from->depth++;
  *first = *from;
  (v ? &first->v : &first->u)->hi = at;
  x->lo = at;
  return true;
}

/* The crossings of one surface; -1: they cannot be told. */
static int count_crossings(ray *r) {
  toi_interval domain[2] = {r->shape->domain[0], r->shape->domain[1]};
  piece stack[DEPTH + 2] = {{domain[0], domain[1], 0}};
  int crossings = 0;
  for (int count = 1; count > 0;) {
    piece *top = &stack[count - 1];
    const finding found = examine(r, top);
    if (found != UNTOLD) {
      crossings += found == CROSSING;
      count--;
      continue;
    }
    if (r->pieces++ == PIECES || !halve(top, domain, top + 1))
      return -1;
    count++;
  }
  return crossings;
}

/* Axes that are nobody's: turned by golden angles. */
static void set_axes(ray *r, int number) {
  const double round = 2.399963229728653 * (number + 1), up = 1 - (2 * number + 1.13) / RAYS;
  const double across = sqrt(1 - up * up);
  r->axis[0][0] = across * cos(round);
  r->axis[0][1] = across * sin(round);
  r->axis[0][2] = up;
  toi_plain_across3(r->axis[0], r->axis[1], r->axis[2]);
}

/* The widest gap of a solid of several faces. */
static double widest_gap(const toi_joints *joints) {
  double gap = 0;
  for (size_t i = 0; joints != NULL && i < joints->vertices; i++)
    gap = fmax(gap, joints->gap[i]);
  for (size_t i = 0; joints != NULL && i < joints->faces; i++)
    for (int side = 0; side < TOI_SIDES; side++)
      gap = fmax(gap, joints->face[i].side[side].gap);
  return gap;
}

toi_inside toi_inside_by_rays(const toi_body_surface *surfaces, size_t count, const toi_interval place[3],
                              toi_interval t) {
  for (int number = 0; number < RAYS; number++) {
    ray r = {.from = place, .t = t, .slack = toi_product_up(2, widest_gap(surfaces[0].shape->joints))};
    set_axes(&r, number);
    int crossings = 0;
    for (size_t i = 0; i < count && crossings >= 0; i++) {
      r.shape = surfaces[i].shape;
      const int more = count_crossings(&r);
      crossings = more < 0 ? -1 : crossings + more;
    }
    if (crossings >= 0)
      return crossings % 2 == 1 ? TOI_INSIDE_YES : TOI_INSIDE_NO;
  }
  return TOI_INSIDE_UNKNOWN;
}
