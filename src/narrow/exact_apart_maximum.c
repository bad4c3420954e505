/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first time at which the distance of 0 to the hull in the maximum norm is at most d: at which the hull meets the
 * cube [-d, d]^3. Each axis has a scale of its own, so that the cube is a box here; nothing changes by that.
 *
 * Polynomials, with corners c_k, sides s_i = -1 or 1 of the cube on axis i, and s = (s_x, s_y, s_z):
 *   corner and face   g(k, i) = c_k[i] - s_i d                                      degree 1
 *   segment and edge  component i of (c_k - s d) x (c_(k+1) - s d), edge along i     degree 2
 *   face and corner   det (c_0 - s d, c_1 - s d, c_2 - s d)                         degree 3
 * and tests at a root:
 *   corner and face   c_k is in the cube
 *   segment and edge  on one of the two other axes c_k and c_(k+1) are strictly on either side of the edge, so that the
 *                     line of the segment meets that of the edge strictly inside the segment; there, |x_i| <= d
 *   face and corner   on some axis all areas of c_k - s d have one strict sign, so that s d is strictly inside the face
 *
 * Claim: if the hull misses the cube at t = 0, the first time t* at which it does not is the smallest root, over the
 * polynomials that are not identically zero, at which the test holds.
 * Why: where a test holds at a root, the hull meets the cube, so t* is not later. Conversely, the intersection at t* is
 * a polytope in the boundary of the cube (a point of the hull inside the cube would be inside just before t*). Let x be
 * one of its vertices, strictly inside the feature F of the hull and the feature G of the cube: x is their only common
 * point there, so their dimensions add up to 3 at most, and if to 3, F and G cross at x and did so just before t*.
 * - F a corner: G says on which axes c_k = s_i d; on the others |c_k[i]| < d. If g(k, i) were identically zero for all
 *   of the former, c_k would be in the cube just before t*. So one is not, has a root at t*, and the test holds.
 * - F the face, G a corner: the determinant is 0, the test holds and is strict. If the determinant were identically
 *   zero, s d would be in the face just before t*.
 * - F a segment, G an edge along i: as they share one point, the segment is not along i. The polynomial is 0, the test
 *   holds, and strictly. If the polynomial were identically zero, they would have met just before t*.
 * - F a segment, G a corner s: all three polynomials of s are 0 at t*. For an axis i that the segment is not along, the
 *   test of the edge along i through s holds. If one of those two or three polynomials is not identically zero, that
 *   settles it. If they are all, and the segment is along no axis, its line held s d just before t* as well.
 * - There is left a segment along an axis i at t* that has s d strictly inside, and goes on along the edge of the cube:
 *   - to an end of its own in the cube, a vertex of the intersection with F a corner;
 *   - or past the next corner of the cube, s' d. If the polynomials of s' for edges not along i are identically zero as
 *     well, then so are their differences from those of s, which are 2 d e_j, for both axes j other than i: the segment
 *     always lay along i, and in the line of the edge, and met it just before t*.
 *
 * At the start, separating axes decide: hull and cube are apart exactly if a facet of their Minkowski difference says
 * so, and those are normal to an axis, to the hull, or to a segment and an axis. */

#include <math.h>
#include <stdlib.h>

#include "narrow/exact_apart.h"

typedef struct cube {
  toi_exact_hull *hull;
  toi_arena *arena;
  toi_exact_search *search;
  toi_integer reach[TOI_AXES];                         /* d on the scale of the axis */
  toi_integer_form gap[TOI_MOST_CORNERS][TOI_AXES][2]; /* corners, from the sides at -d and at d */
  int8_t gap_sign[TOI_MOST_CORNERS][TOI_AXES][2];      /* 1 or -1 if strict on all of [0, 1] by the coefficients */
} cube;

/* A polynomial: which corner or segment, which axis, which sides of the cube (0 or 1). */
typedef struct pair {
  const cube *cube;
  int k, axis;
  int side[TOI_AXES];
} pair;

/* 1 or -1 if the form has this sign on all of [0, 1], as its coefficients show; 0 otherwise. */
static int strict_sign(const toi_integer_form *form) {
  int sign = toi_integer_form_sign(form);
  bool ends = form->c[0].size != 0 && form->c[form->degree].size != 0;
  return ends && sign != TOI_SIGN_OPEN ? sign : 0;
}

static void make_cube(toi_exact_hull *hull, const toi_exact_span *d, toi_exact_search *search, cube *out) {
  toi_arena *arena = hull->arena;
  out->hull = hull;
  out->arena = arena;
  out->search = search;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int shift = d->exponent - hull->exponent[axis];
    toi_integer reach = toi_integer_shift_left(arena, d->mantissa, shift > 0 ? (uint32_t)shift : 0);
    out->reach[axis] = reach;
    for (int k = 0; k < hull->count; k++) {
      toi_integer_form *corner = &hull->corner[k][axis];
      for (int i = 0; i < 2; i++) {
        corner->c[i] = toi_integer_shift_left(arena, corner->c[i], shift < 0 ? (uint32_t)-shift : 0);
        out->gap[k][axis][0].c[i] = toi_integer_add(arena, corner->c[i], reach);
        out->gap[k][axis][1].c[i] = toi_integer_subtract(arena, corner->c[i], reach);
      }
      for (int side = 0; side < 2; side++) {
        out->gap[k][axis][side].degree = 1;
        out->gap_sign[k][axis][side] = (int8_t)strict_sign(&out->gap[k][axis][side]);
      }
    }
  }
}

/* Component `axis` of the product of shifted corners k and k + 1. */
static toi_integer_form make_area(const cube *c, int k, int axis, const int side[TOI_AXES]) {
  int next = toi_exact_next(c->hull, k), y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
  const toi_integer_form *py = &c->gap[k][y][side[y]], *pz = &c->gap[k][z][side[z]];
  const toi_integer_form *qy = &c->gap[next][y][side[y]], *qz = &c->gap[next][z][side[z]];
  toi_integer_form back = {1, {toi_integer_negate(pz->c[0]), toi_integer_negate(pz->c[1])}};
  const toi_integer_form *pairs[2][2] = {{py, qz}, {&back, qy}};
  return toi_integer_form_dot(c->arena, (const toi_integer_form *const(*)[2])pairs, 2);
}

static int area_sign(const cube *c, int k, int axis, const int side[TOI_AXES], const toi_algebraic *root) {
  toi_limb *mark = toi_arena_mark(c->arena);
  toi_integer_form area = make_area(c, k, axis, side);
  int sign = toi_algebraic_sign_form(c->arena, root, &area);
  toi_arena_release(c->arena, mark);
  return sign;
}

static int gap_sign(const cube *c, int k, int axis, int side, const toi_algebraic *root) {
  int sign = c->gap_sign[k][axis][side];
  return sign != 0 ? sign : toi_algebraic_sign_form(c->arena, root, &c->gap[k][axis][side]);
}

/* --- tests at a root --- */

static bool corner_holds(const void *user, const toi_algebraic *root) {
  const pair *p = user;
  for (int i = 1; i < TOI_AXES; i++) {
    int axis = (p->axis + i) % TOI_AXES;
    if (gap_sign(p->cube, p->k, axis, 0, root) < 0 || gap_sign(p->cube, p->k, axis, 1, root) > 0)
      return false;
  }
  return true;
}

static bool segment_holds(const void *user, const toi_algebraic *root) {
  const pair *p = user;
  int next = toi_exact_next(p->cube->hull, p->k), along = 0, direction = 0;
  // An axis j on which the edge is strictly between the ends of the segment, which runs up (1) or down (-1) on it.
  for (int i = 1; i < TOI_AXES && direction == 0; i++) {
    along = (p->axis + i) % TOI_AXES;
    int from = gap_sign(p->cube, p->k, along, p->side[along], root);
    int to = gap_sign(p->cube, next, along, p->side[along], root);
    direction = from * to < 0 ? to : 0;
  }
  if (direction == 0)
    return false;
  // x_i - s_i d is the area of axes i and j, by e_j; its component is that of the third axis, up to the sign.
  int third = TOI_AXES - p->axis - along;
  int turn = (third + 1) % TOI_AXES == p->axis ? direction : -direction;
  for (int s = 0; s < 2; s++) {
    int side[TOI_AXES];
    side[p->axis] = s;
    side[along] = p->side[along];
    side[third] = 0;
    int beyond = turn * area_sign(p->cube, p->k, third, side, root);
    if (s == 0 ? beyond < 0 : beyond > 0)
      return false;
  }
  return true;
}

static bool face_holds(const void *user, const toi_algebraic *root) {
  const pair *p = user;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int sign = area_sign(p->cube, 0, axis, p->side, root), k = 1;
    while (sign != 0 && k < p->cube->hull->count && area_sign(p->cube, k, axis, p->side, root) == sign)
      k++;
    if (sign != 0) {
      // One axis decides: the projection along it is one to one if all areas have one sign, and shows if they have not.
      return k == p->cube->hull->count;
    }
  }
  return false;
}

/* --- the start --- */

/* Whether the direction v keeps the hull's corners and the cube apart at the start. */
static bool apart_along(const cube *c, const toi_integer v[TOI_AXES]) {
  toi_arena *arena = c->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer pairs[TOI_AXES][2];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    pairs[axis][0] = toi_integer_absolute(v[axis]);
    pairs[axis][1] = c->reach[axis];
  }
  toi_integer reach = toi_integer_dot(arena, (const toi_integer(*)[2])pairs, TOI_AXES);
  int beyond = 0;
  for (int k = 0; k < c->hull->count; k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      pairs[axis][0] = v[axis];
      pairs[axis][1] = c->hull->corner[k][axis].c[0];
    }
    toi_integer at = toi_integer_dot(arena, (const toi_integer(*)[2])pairs, TOI_AXES);
    beyond += toi_integer_compare(toi_integer_absolute(at), reach) > 0 ? toi_integer_sign(at) : 0;
  }
  toi_arena_release(arena, mark);
  return beyond == c->hull->count || beyond == -c->hull->count;
}

static bool within_at_start(const cube *c) {
  toi_arena *arena = c->arena;
  const toi_exact_hull *hull = c->hull;
  toi_integer one = toi_integer_from_u64(arena, 1), e[TOI_MOST_CORNERS][TOI_AXES] = {{TOI_INTEGER_ZERO}};
  for (int axis = 0; axis < TOI_AXES; axis++) {
    toi_integer v[TOI_AXES] = {TOI_INTEGER_ZERO, TOI_INTEGER_ZERO, TOI_INTEGER_ZERO};
    v[axis] = one;
    if (apart_along(c, v))
      return false;
    for (int k = 0; k < hull->count; k++) {
      toi_integer from = hull->corner[k][axis].c[0], to = hull->corner[toi_exact_next(hull, k)][axis].c[0];
      e[k][axis] = toi_integer_subtract(arena, to, from);
    }
  }
  // Normal to a segment and an axis.
  for (int k = 0; k < toi_exact_segments(hull); k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      toi_integer v[TOI_AXES] = {TOI_INTEGER_ZERO, TOI_INTEGER_ZERO, TOI_INTEGER_ZERO};
      int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
      v[y] = e[k][z];
      v[z] = toi_integer_negate(e[k][y]);
      if (apart_along(c, v))
        return false;
    }
  }
  // Normal to the hull: segments 0 and 1 span it.
  if (hull->count < 3)
    return true;
  toi_integer v[TOI_AXES];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
    v[axis] = toi_integer_determinant(arena, e[0][y], e[1][z], e[0][z], e[1][y]);
  }
  return !apart_along(c, v);
}

/* --- times --- */

#define CUBE_CORNERS 8

/* The face against the corners of the cube: true if that settles the query. */
static bool search_face(const cube *c) {
  toi_integer_form form[CUBE_CORNERS];
  int start = 0, always = 0;
  for (int s = 0; s < CUBE_CORNERS; s++) {
    const int side[TOI_AXES] = {s & 1, s >> 1 & 1, s >> 2};
    toi_integer_form area[TOI_AXES];
    const toi_integer_form *pairs[TOI_AXES][2];
    for (int axis = 0; axis < TOI_AXES; axis++) {
      area[axis] = make_area(c, 0, axis, side);
      pairs[axis][0] = &area[axis];
      pairs[axis][1] = &c->gap[2][axis][side[axis]];
    }
    form[s] = toi_integer_form_dot(c->arena, (const toi_integer_form *const(*)[2])pairs, TOI_AXES);
    start += toi_integer_sign(form[s].c[0]);
    always += strict_sign(&form[s]);
  }
  // The plane is beyond the cube, always or at the start.
  bool start_known = abs(start) == CUBE_CORNERS;
  if (abs(always) == CUBE_CORNERS)
    return true;
  if (!start_known && within_at_start(c)) {
    c->search->bracket[0] = c->search->bracket[1] = 0;
    return true;
  }
  double first = INFINITY;
  for (int s = 0; s < CUBE_CORNERS; s++) {
    pair p = {c, 0, 0, {s & 1, s >> 1 & 1, s >> 2}};
    if (strict_sign(&form[s]) == 0 && !toi_integer_form_is_zero(&form[s]))
      first = fmin(first, toi_search_form(c->search, c->arena, &form[s], face_holds, &p));
  }
  if (!start_known)
    return false;
  c->search->from = first;
  // Another time between the same doubles may still be earlier, which matters if the time itself is asked for.
  return first > c->search->t_max || (c->search->bracket[0] == first && c->search->time == NULL);
}

static void search_corners(const cube *c) {
  for (int k = 0; k < c->hull->count; k++) {
    for (int i = 0; i < 2 * TOI_AXES; i++) {
      pair p = {c, k, i / 2, {0, 0, 0}};
      const toi_integer_form *form = &c->gap[k][i / 2][i % 2];
      if (c->gap_sign[k][i / 2][i % 2] == 0 && !toi_integer_form_is_zero(form))
        toi_search_form(c->search, c->arena, form, corner_holds, &p);
    }
  }
}

/* Whether both ends of the segment are always strictly on one side, below (-1) or above (1). */
static bool always_beside(const cube *c, int k, int axis, int side, int sign) {
  return c->gap_sign[k][axis][side] == sign && c->gap_sign[toi_exact_next(c->hull, k)][axis][side] == sign;
}

static void search_segment(const cube *c, int k, int axis) {
  // Out of the cube along the edges for good.
  if (always_beside(c, k, axis, 0, -1) || always_beside(c, k, axis, 1, 1))
    return;
  int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
  for (int s = 0; s < 4; s++) {
    pair p = {c, k, axis, {0, 0, 0}};
    p.side[y] = s & 1;
    p.side[z] = s >> 1;
    bool beside = false;
    for (int sign = -1; sign <= 1; sign += 2)
      beside |= always_beside(c, k, y, p.side[y], sign) || always_beside(c, k, z, p.side[z], sign);
    if (beside)
      continue;
    toi_limb *mark = toi_arena_mark(c->arena);
    toi_integer_form form = make_area(c, k, axis, p.side);
    if (strict_sign(&form) == 0 && !toi_integer_form_is_zero(&form))
      toi_search_form(c->search, c->arena, &form, segment_holds, &p);
    toi_arena_release(c->arena, mark);
  }
}

void toi_apart_maximum(toi_exact_hull *hull, const toi_exact_span *d, toi_exact_search *search) {
  cube c = {.hull = hull};
  make_cube(hull, d, search, &c);
  if (hull->count >= 3) {
    if (search_face(&c))
      return;
  } else if (within_at_start(&c)) {
    search->bracket[0] = search->bracket[1] = 0;
    return;
  }
  search_corners(&c);
  for (int k = 0; k < toi_exact_segments(hull); k++)
    for (int axis = 0; axis < TOI_AXES; axis++)
      search_segment(&c, k, axis);
}
