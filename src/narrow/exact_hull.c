/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The query in integers, and the test whether 0 lies in its hull at one time.
 *
 * Claim: let a_k be the areas of consecutive corners on an axis at some time (two-dimensional cross products of the
 * hull's projection, seen from 0), for a triangle or parallelogram whose plane holds 0 at that time (coplanarity 0).
 * 1. If two a_k have strictly opposite signs, 0 is not in the hull.
 * 2. Otherwise, if one is not zero, 0 is in the hull.
 * 3. If all are zero on all three axes, all corners lie on one line through 0, and 0 is in the hull exactly if it is on
 *    a boundary segment: corners p and q with p_i q_i <= 0 on every axis i.
 *
 * Why 1: if 0 is in the hull, it is in the projection. If the projection has area, all a_k are of one weak sign; if it
 * has none, it lies on a line through 0, and all a_k are 0.
 *
 * Why 2: component N_axis of the normal is a sum of a_k (all three of a triangle; a_0 + a_2 = a_1 + a_3 of a
 * parallelogram), of one weak sign and not all zero, so it is not zero, and projection along the axis maps the hull's
 * plane, 0 included, one to one; there, a convex polygon holds 0 exactly if no two a_k have opposite signs.
 *
 * Why 3: corner k is parallel to corner k + 1 for all k, and N = 0, so the corners lie on a line. If that line did not
 * hold 0, parallel corners would be equal, all of them, and then they lie on a line through 0 anyway. The hull is the
 * segment between its extreme corners, covered by the closed chain of boundary segments. For p and q on one line
 * through 0, with direction d, p = x d and q = y d: 0 is between them exactly if x y <= 0 or d = 0, and p_i q_i = x y
 * d_i^2. */

#include "narrow/exact_hull.h"

#define MOST_POINTS 4

/* The degree of a form or polynomial that is not made yet. */
#define NOT_MADE (-2)

/* Up to here coordinates and their differences fit a signed word. */
#define WORD_BITS 62

/* The corners of an axis whose coordinates fit a word. */
static void make_axis_in_words(toi_exact_hull *hull, const toi_exact_bound *bound, int axis) {
  int points = (int)toi_kind_points(hull->kind);
  const toi_corner *corners = toi_corners(hull->kind);
  int64_t whole[2 * MOST_POINTS] = {0}, difference[2 * TOI_MOST_CORNERS];
  for (int i = 0; i < 2 * points; i++) {
    int exponent;
    int64_t mantissa = toi_double_split(hull->query[TOI_AXES * i + axis], &exponent);
    whole[i] = mantissa == 0 ? 0 : mantissa * (INT64_C(1) << (exponent - bound->exponent[axis]));
  }
  uint64_t any = 0;
  for (int k = 0; k < hull->count; k++) {
    difference[2 * k] = whole[corners[k].first] - whole[corners[k].second];
    difference[2 * k + 1] = whole[points + corners[k].first] - whole[points + corners[k].second];
    any |= (uint64_t)difference[2 * k] | (uint64_t)difference[2 * k + 1];
  }
  // Zeros at the end of all of them are dropped.
  int zeros = any == 0 ? 0 : __builtin_ctzll(any);
  for (int k = 0; k < hull->count; k++) {
    for (int i = 0; i < 2; i++) {
      int64_t odd = difference[2 * k + i] / (INT64_C(1) << zeros);
      hull->corner[k][axis].c[i] = toi_integer_from_i64(hull->arena, odd);
    }
  }
  hull->exponent[axis] += zeros;
}

/* The corners of any axis. */
static void make_axis(toi_exact_hull *hull, const toi_exact_bound *bound, int axis) {
  int points = (int)toi_kind_points(hull->kind);
  const toi_corner *corners = toi_corners(hull->kind);
  toi_arena *arena = hull->arena;
  toi_integer whole[2 * MOST_POINTS];
  for (int i = 0; i < 2 * points; i++)
    whole[i] = toi_integer_from_double(arena, hull->query[TOI_AXES * i + axis], bound->exponent[axis]);
  uint32_t zeros = UINT32_MAX;
  for (int k = 0; k < hull->count; k++) {
    for (int i = 0; i < 2; i++) {
      toi_integer *c = &hull->corner[k][axis].c[i];
      *c = toi_integer_subtract(arena, whole[i * points + corners[k].first], whole[i * points + corners[k].second]);
      uint32_t own = c->size == 0 ? UINT32_MAX : toi_integer_trailing_zeros(*c);
      zeros = own < zeros ? own : zeros;
    }
  }
  if (zeros == 0 || zeros == UINT32_MAX)
    return;
  for (int k = 0; k < hull->count; k++) {
    for (int i = 0; i < 2; i++) {
      toi_integer *c = &hull->corner[k][axis].c[i];
      *c = toi_integer_shift_right(arena, *c, zeros);
    }
  }
  hull->exponent[axis] += (int)zeros;
}

void toi_exact_hull_make(toi_arena *arena, toi_kind kind, const double *query, const toi_exact_bound *bound,
                         toi_exact_hull *hull) {
  hull->arena = arena;
  hull->query = query;
  hull->kind = kind;
  hull->count = (int)toi_corner_count(kind);
  hull->coefficient_bits = bound->coefficient_bits;
  hull->limit = bound->limit;
  hull->coplanarity = (toi_integer_form){3, {TOI_INTEGER_ZERO}};
  for (int axis = 0; axis < TOI_AXES; axis++) {
    hull->exponent[axis] = bound->exponent[axis];
    for (int k = 0; k < hull->count; k++) {
      hull->corner[k][axis].degree = 1;
      hull->area[k][axis].degree = hull->power[k][axis].degree = NOT_MADE;
    }
    if (bound->bits[axis] <= WORD_BITS)
      make_axis_in_words(hull, bound, axis);
    else
      make_axis(hull, bound, axis);
  }
}

bool toi_exact_hull_apart(const toi_exact_hull *hull) {
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int sum = 0;
    for (int k = 0; k < hull->count; k++) {
      const toi_integer_form *corner = &hull->corner[k][axis];
      sum += toi_integer_sign(corner->c[0]) + toi_integer_sign(corner->c[1]);
    }
    if (sum == 2 * hull->count || sum == -2 * hull->count)
      return true;
  }
  return false;
}

int toi_exact_segments(const toi_exact_hull *hull) {
  return hull->count > 2 ? hull->count : hull->count - 1;
}

const toi_integer_form *toi_exact_hull_area(toi_exact_hull *hull, int k, int axis) {
  toi_integer_form *area = &hull->area[k][axis];
  if (area->degree != NOT_MADE)
    return area;
  toi_arena *arena = hull->arena;
  int next = toi_exact_next(hull, k), y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
  const toi_integer *py = hull->corner[k][y].c, *pz = hull->corner[k][z].c;
  const toi_integer *qy = hull->corner[next][y].c, *qz = hull->corner[next][z].c;
  // (p0 s + p1 t) x (q0 s + q1 t)
  area->degree = 2;
  const toi_integer nz[2] = {toi_integer_negate(pz[0]), toi_integer_negate(pz[1])};
  area->c[0] = toi_integer_dot(arena, (const toi_integer[][2]){{py[0], qz[0]}, {nz[0], qy[0]}}, 2);
  area->c[1] = toi_integer_dot(
      arena, (const toi_integer[][2]){{py[0], qz[1]}, {nz[0], qy[1]}, {py[1], qz[0]}, {nz[1], qy[0]}}, 4);
  area->c[2] = toi_integer_dot(arena, (const toi_integer[][2]){{py[1], qz[1]}, {nz[1], qy[1]}}, 2);
  return area;
}

const toi_polynomial *toi_exact_hull_power(toi_exact_hull *hull, int k, int axis) {
  toi_polynomial *power = &hull->power[k][axis];
  if (power->degree == NOT_MADE)
    *power = toi_integer_form_power(hull->arena, toi_exact_hull_area(hull, k, axis));
  return power;
}

void toi_exact_hull_complete(toi_exact_hull *hull) {
  for (int k = 0; k < toi_exact_segments(hull); k++)
    for (int axis = 0; axis < TOI_AXES; axis++)
      toi_exact_hull_power(hull, k, axis);
}

void toi_exact_hull_coplanarity(toi_exact_hull *hull) {
  assert(hull->count >= 3);
  // corner 2 . (corner 0 x corner 1): for a parallelogram any three corners give the same.
  toi_arena *arena = hull->arena;
  const toi_integer_form *area[TOI_AXES];
  for (int axis = 0; axis < TOI_AXES; axis++)
    area[axis] = toi_exact_hull_area(hull, 0, axis);
  for (int i = 0; i <= 3; i++) {
    toi_integer pairs[2 * TOI_AXES][2];
    int count = 0;
    for (int axis = 0; axis < TOI_AXES; axis++) {
      for (int late = 0; late < 2; late++) {
        if (i - late >= 0 && i - late < 3) {
          pairs[count][0] = area[axis]->c[i - late];
          pairs[count++][1] = hull->corner[2][axis].c[late];
        }
      }
    }
    hull->coplanarity.c[i] = toi_integer_dot(arena, (const toi_integer(*)[2])pairs, count);
  }
}

toi_integer_form toi_exact_hull_normal(toi_exact_hull *hull, int axis) {
  assert(hull->count >= 3);
  toi_integer_form normal =
      toi_integer_form_add(hull->arena, toi_exact_hull_area(hull, 0, axis), toi_exact_hull_area(hull, 2, axis));
  if (hull->count == 3)
    normal = toi_integer_form_add(hull->arena, &normal, toi_exact_hull_area(hull, 1, axis));
  return normal;
}

static int area_sign(toi_exact_hull *hull, const toi_algebraic *at, int k, int axis) {
  // Coefficients often show the sign for all times; otherwise it takes the powers of t, which are kept.
  const toi_integer_form *area = toi_exact_hull_area(hull, k, axis);
  bool end = toi_algebraic_is_dyadic(at) && at->k == 0;
  if (end || toi_integer_form_sign(area) != TOI_SIGN_OPEN)
    return toi_algebraic_sign_form(hull->arena, at, area);
  return toi_algebraic_sign(hull->arena, at, toi_exact_hull_power(hull, k, axis));
}

/* The signs of all areas on an axis: 0 if all are zero, -1 if two are opposite, 1 otherwise. */
static int area_signs(toi_exact_hull *hull, const toi_algebraic *at, int axis, int8_t sign[TOI_MOST_CORNERS]) {
  bool positive = false, negative = false;
  for (int k = 0; k < toi_exact_segments(hull); k++) {
    int own = area_sign(hull, at, k, axis);
    sign[k] = (int8_t)own;
    positive |= own > 0;
    negative |= own < 0;
    if (positive && negative)
      return -1;
  }
  return positive || negative;
}

/* Whether 0 is on one of the boundary segments, or is the only corner, when all corners lie on a line through 0. */
static bool on_line(toi_exact_hull *hull, const toi_algebraic *at, int8_t sign[TOI_MOST_CORNERS][TOI_AXES]) {
  for (int k = 0; k < hull->count; k++)
    for (int axis = 0; axis < TOI_AXES; axis++)
      sign[k][axis] = (int8_t)toi_algebraic_sign_form(hull->arena, at, &hull->corner[k][axis]);
  // A corner next to itself: p_i p_i <= 0 says that it is 0.
  for (int k = 0; k < hull->count; k++) {
    const int8_t *p = sign[k], *q = sign[toi_exact_next(hull, k)];
    if (p[0] * q[0] <= 0 && p[1] * q[1] <= 0 && p[2] * q[2] <= 0)
      return true;
  }
  return false;
}

toi_exact_contact toi_exact_contact_at(toi_exact_hull *hull, const toi_algebraic *at) {
  toi_exact_contact contact = {.axis = -1};
  for (int axis = 0; axis < TOI_AXES && hull->count > 1; axis++) {
    int signs = area_signs(hull, at, axis, contact.area_sign);
    // Two corners touch only on one line with 0.
    if (signs < 0 || (signs != 0 && hull->count == 2))
      return contact;
    if (signs > 0) {
      contact.touching = true;
      contact.axis = axis;
      return contact;
    }
  }
  contact.touching = on_line(hull, at, contact.corner_sign);
  return contact;
}
