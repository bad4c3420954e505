/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether a body starts inside another one.
 *
 * Claim: yes means that a point of one body lies in another's solid at t = 0; no that no body has one there. Why: yes
 * is proved of a point. No, of surfaces that are proved not to meet: a connected one lies on one side of a solid, so
 * that a point of it tells. Shapes of the library and parametric surfaces are connected; of other implicit shapes
 * nothing is known, and no point common to both solids is looked for piece by piece of the box that they may share.
 * Bodies whose boxes are apart are not inside each other, if the boxes hold their solids: those of implicit shapes do
 * where the function is positive on all sides of the bounds. */

#include "contact/inside.h"
#include "contact/solid.h"

#include "solve/vector.h"

/* Pieces of a box that two bodies may share, and of a side of a box. */
#define PIECES 128
#define DEPTH 24
#define SIDE 4

/* Points along each axis at which the inside of an implicit shape is looked for. */
#define GRID 5

/* The same of the parameters of a face, where only an outline of them is of the surface. */
#define OUTLINE_GRID 16
#define OUTLINE_FIRST (6 * OUTLINE_GRID + 6)

static const toi_interval start = {0, 0};

typedef struct view {
  const toi_body_surface *surfaces;
  size_t count;
  toi_motion_jet pose;
  toi_interval box[3]; /* of its solid, in the world */
} view;

/* --- where solids are --- */

/* Whether the function is positive on all sides of the box around it. */
static bool is_held(const toi_body_surface *surface) {
  const toi_shape *shape = surface->shape;
  if (shape->known || !shape->solid)
    return shape->bounds[0].hi <= DBL_MAX;
  for (int n = 0; n < 6 * SIDE * SIDE; n++) {
    const int axis = n / (SIDE * SIDE) / 2, place[2] = {n % SIDE, n / SIDE % SIDE};
    const bool high = n / (SIDE * SIDE) % 2;
    toi_interval box[4] = {surface->bounds[0], surface->bounds[1], surface->bounds[2], start}, jet[TOI_JET_SIZE(4, 1)];
    box[axis] = toi_interval_point(high ? box[axis].hi : box[axis].lo);
    for (int i = 0; i < 2; i++) {
      toi_interval *x = &box[(axis + 1 + i) % 3];
      const double step = (x->hi - x->lo) / SIDE, lo = x->lo + place[i] * step;
      *x = (toi_interval){place[i] == 0 ? x->lo : lo, place[i] == SIDE - 1 ? x->hi : lo + step};
    }
    if (!toi_shape_jets(shape, box, 0, jet) || !(jet[0].lo > 0))
      return false;
  }
  return true;
}

static void see(const toi_body_surface *surfaces, size_t count, view *v) {
  *v = (view){.surfaces = surfaces, .count = count};
  toi_body_surface_motion(&surfaces[0], start, 0, &v->pose);
  toi_interval own[3] = {start, start, start};
  bool held = true;
  for (size_t i = 0; i < count; i++) {
    held = held && (!surfaces[i].shape->implicit || is_held(&surfaces[i]));
    for (int k = 0; k < 3; k++)
      own[k] = i == 0 ? surfaces[i].bounds[k] : toi_interval_hull(own[k], surfaces[i].bounds[k]);
  }
  toi_times3((const toi_interval(*)[3])v->pose.rotation[0], own, v->box);
  for (int k = 0; k < 3; k++) {
    v->box[k] = toi_interval_add(v->box[k], v->pose.translation[0][k]);
    if (!held || !toi_interval_is_valid(v->box[k]))
      v->box[k] = toi_interval_whole();
  }
}

static void to_world(const view *v, const toi_interval own[3], toi_interval world[3]) {
  toi_times3((const toi_interval(*)[3])v->pose.rotation[0], own, world);
  toi_add3(world, v->pose.translation[0], world);
}

static void from_world(const view *v, const toi_interval world[3], toi_interval own[3]) {
  toi_interval away[3];
  for (int k = 0; k < 3; k++)
    away[k] = toi_interval_sub(world[k], v->pose.translation[0][k]);
  toi_transposed3((const toi_interval(*)[3])v->pose.rotation[0], away, own);
}

static bool is_solid(const view *v) {
  return v->surfaces[0].shape->solid;
}

static bool is_implicit(const view *v) {
  return v->surfaces[0].shape->implicit;
}

static toi_inside holds(const view *solid, const toi_interval world[3]) {
  toi_interval own[3];
  from_world(solid, world, own);
  return toi_inside_place(solid->surfaces, solid->count, own, start);
}

/* --- a point of a body --- */

static double sample(toi_interval x, int number, int count) {
  const double part = (number + 0.5) / count;
  return x.lo >= -DBL_MAX && x.hi <= DBL_MAX ? x.lo * (1 - part) + x.hi * part : 2 * part - 1;
}

/* Of a face that is cut out of its plane, a point within the outline. */
static bool find_on_surface(const toi_shape *shape, toi_interval own[3]) {
  for (int n = 0; n < OUTLINE_GRID * OUTLINE_GRID; n++) {
    // From near the middle on.
    const int place = (n + OUTLINE_FIRST) % (OUTLINE_GRID * OUTLINE_GRID);
    const toi_interval at[3] = {toi_interval_point(sample(shape->domain[0], place % OUTLINE_GRID, OUTLINE_GRID)),
                                toi_interval_point(sample(shape->domain[1], place / OUTLINE_GRID, OUTLINE_GRID)),
                                start};
    if (toi_face_place(shape, at) == TOI_OUTLINE_INSIDE)
      return toi_shape_jets(shape, at, 0, own);
  }
  return false;
}

/* Of a parametric surface, or within an implicit solid; false: none is found. */
static bool find_point(const view *v, size_t piece, toi_interval world[3]) {
  const toi_body_surface *surface = &v->surfaces[piece];
  const toi_shape *shape = surface->shape;
  toi_interval own[3];
  if (!shape->implicit) {
    if (!find_on_surface(shape, own))
      return false;
    to_world(v, own, world);
    return true;
  }
  for (int n = 0; n < GRID * GRID * GRID; n++) {
    // From the middle on.
    const int at = (n + GRID * GRID * GRID / 2) % (GRID * GRID * GRID);
    const int step[3] = {at % GRID, at / GRID % GRID, at / (GRID * GRID)};
    for (int k = 0; k < 3; k++)
      own[k] = toi_interval_point(sample(surface->bounds[k], step[k], GRID));
    if (toi_inside_place(surface, 1, own, start) == TOI_INSIDE_YES) {
      to_world(v, own, world);
      return true;
    }
  }
  return false;
}

/* --- two bodies --- */

typedef struct part {
  toi_interval box[3];
  int depth;
} part;

/* Whether a piece of space holds nothing of a solid. */
static bool is_free(const view *v, const toi_interval world[3]) {
  toi_interval own[3], away = start;
  for (int k = 0; k < 3; k++)
    if (world[k].lo > v->box[k].hi || world[k].hi < v->box[k].lo)
      return true;
  from_world(v, world, own);
  if (is_implicit(v)) {
    const toi_interval box[4] = {own[0], own[1], own[2], start};
    toi_interval value;
    return toi_shape_jets(v->surfaces[0].shape, box, 0, &value) && (value.lo > 0 || (!is_solid(v) && value.hi < 0));
  }
  const toi_body_surface *surface = &v->surfaces[0];
  for (int k = 0; k < 3; k++)
    away =
        toi_interval_add(away, toi_interval_square(toi_interval_sub(own[k], toi_interval_point(surface->centre[k]))));
  return v->count == 1 && away.lo > toi_interval_square(toi_interval_point(surface->radius)).hi;
}

/* Whether the middle of a piece is proved to be in both solids, of implicit ones. */
static bool is_common(const view *a, const view *b, const toi_interval world[3]) {
  toi_interval middle[3];
  if (!is_implicit(a) || !is_implicit(b))
    return false;
  for (int k = 0; k < 3; k++)
    middle[k] = toi_interval_point(toi_interval_midpoint(world[k]));
  return holds(a, middle) == TOI_INSIDE_YES && holds(b, middle) == TOI_INSIDE_YES;
}

/* Whether two solids have a point in common, piece by piece. */
static toi_inside meet(const view *a, const view *b) {
  part stack[DEPTH + 2] = {{.depth = 0}};
  for (int k = 0; k < 3; k++) {
    if (!toi_interval_intersect(a->box[k], b->box[k], &stack[0].box[k]))
      return TOI_INSIDE_NO;
    if (!(toi_interval_magnitude(stack[0].box[k]) <= DBL_MAX))
      return TOI_INSIDE_UNKNOWN;
  }
  int pieces = 0;
  for (int count = 1; count > 0;) {
    part *top = &stack[count - 1];
    if (is_free(a, top->box) || is_free(b, top->box)) {
      count--;
      continue;
    }
    if (is_common(a, b, top->box))
      return TOI_INSIDE_YES;
    int axis = 0;
    for (int k = 1; k < 3; k++)
      if (toi_interval_width(top->box[k]) > toi_interval_width(top->box[axis]))
        axis = k;
    const double middle = toi_interval_midpoint(top->box[axis]);
    if (pieces++ == PIECES || top->depth == DEPTH || !(top->box[axis].lo < middle && middle < top->box[axis].hi))
      return TOI_INSIDE_UNKNOWN;
    top->depth++;
    top[1] = *top;
    top[1].box[axis].hi = middle;
    top->box[axis].lo = middle;
    count++;
  }
  return TOI_INSIDE_NO;
}

/* Whether the first one, or a part of it, is inside the second: of each surface by a point. */
static toi_inside starts_in(const view *a, const view *solid, bool apart) {
  if (!is_solid(solid))
    return TOI_INSIDE_NO;
  toi_inside all = TOI_INSIDE_NO;
  for (size_t piece = 0; piece < a->count; piece++) {
    const toi_shape *shape = a->surfaces[piece].shape;
    toi_interval world[3];
    const bool surface = !shape->implicit || shape->solid;
    const toi_inside here = surface && find_point(a, piece, world) ? holds(solid, world) : TOI_INSIDE_UNKNOWN;
    if (here == TOI_INSIDE_YES)
      return here;
    const bool connected = !shape->implicit || shape->known;
    if (here == TOI_INSIDE_UNKNOWN || !connected || !apart)
      all = TOI_INSIDE_UNKNOWN;
  }
  return all;
}

static toi_inside compare(const view *a, const view *b, bool apart) {
  const toi_inside first = starts_in(a, b, apart), second = starts_in(b, a, apart);
  if (first == TOI_INSIDE_YES || second == TOI_INSIDE_YES)
    return TOI_INSIDE_YES;
  if (first == TOI_INSIDE_NO && second == TOI_INSIDE_NO)
    return TOI_INSIDE_NO;
  return meet(a, b);
}

/* --- all of them --- */

/* In order of where their boxes begin along x. */
static void sort(const view *views, uint32_t *order, size_t count) {
  size_t gap = 1;
  while (gap < count / 3)
    gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3)
    for (size_t i = gap; i < count; i++) {
      const uint32_t now = order[i];
      size_t at = i;
      for (; at >= gap && views[order[at - gap]].box[0].lo > views[now].box[0].lo; at -= gap)
        order[at] = order[at - gap];
      order[at] = now;
    }
}

static bool overlap(const view *a, const view *b) {
  for (int k = 0; k < 3; k++)
    if (a->box[k].lo > b->box[k].hi || b->box[k].lo > a->box[k].hi)
      return false;
  return true;
}

static size_t see_all(const toi_question *q, view *views, uint32_t *order) {
  size_t count = 0;
  for (size_t i = 0, next; i < q->surface_count; i = next) {
    for (next = i + 1; next < q->surface_count && q->surface[next].body == q->surface[i].body;)
      next++;
    see(&q->surface[i], next - i, &views[count]);
    order[count] = (uint32_t)count;
    count++;
  }
  sort(views, order, count);
  return count;
}

static toi_inside compare_all(const toi_question *q, const view *views, const uint32_t *order, size_t count,
                              bool apart) {
  toi_inside all = TOI_INSIDE_NO;
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count && views[order[j]].box[0].lo <= views[order[i]].box[0].hi; j++) {
      const view *a = &views[order[i]], *b = &views[order[j]];
      if ((!is_solid(a) && !is_solid(b)) || !overlap(a, b) || toi_question_skips(q, a->surfaces, b->surfaces))
        continue;
      const toi_inside here = compare(a, b, apart);
      if (here == TOI_INSIDE_YES)
        return here;
      all = here == TOI_INSIDE_NO ? all : here;
    }
  return all;
}

toi_status toi_inside_at_start(const toi_question *q, bool apart, toi_inside *inside) {
  view *views = toi_allocate(q->context, (q->count + 1) * sizeof *views);
  uint32_t *order = toi_allocate(q->context, (q->count + 1) * sizeof *order);
  const bool fine = views != NULL && order != NULL;
  if (fine)
    *inside = compare_all(q, views, order, see_all(q, views, order), apart);
  if (order != NULL)
    toi_free(q->context, order, (q->count + 1) * sizeof *order);
  if (views != NULL)
    toi_free(q->context, views, (q->count + 1) * sizeof *views);
  return fine ? TOI_OK : TOI_ERROR_MEMORY;
}
