/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The line of a certificate that proves the contact.
 *
 * At a rational time: weights of the corners whose combination is 0. With V_k the corners there and a_k the areas
 * (V_k x V_k+1)[axis], not all 0 and none of opposite signs, the weights are
 *   triangle       (a_1, a_2, a_0) / N with N = a_0 + a_1 + a_2
 *   parallelogram  (a_1 a_2, a_2 a_3, a_3 a_0, a_0 a_1) / N^2 with N = a_0 + a_2 = a_1 + a_3
 * (for the corners q(u, v) of a parallelogram with q(u*, v*) = 0, the areas are v*, 1 - u*, 1 - v*, u* times N). If all
 * corners lie on a line through 0: the one that is 0, or two on opposite sides, weighted by the other's distance. At an
 * irrational time the certificate names the axis, or the two corners, and the checker looks at signs. */

#include "narrow/certificate_parts.h"

static const char *const AXIS_NAME[TOI_AXES] = {" x", " y", " z"};

/* Corner k at the rational contact time, times its denominator: c0 (denominator - numerator) + c1 numerator. */
static toi_integer corner_value(toi_certificate_parts *parts, int k, int axis) {
  const toi_contact_time *moment = &parts->moment;
  const toi_integer_form *corner = &parts->hull->corner[k][axis];
  const toi_integer before = toi_integer_subtract(parts->arena, moment->denominator, moment->numerator);
  const toi_integer terms[2][2] = {{corner->c[0], before}, {corner->c[1], moment->numerator}};
  return toi_integer_dot(parts->arena, terms, 2);
}

/* The area of corners k and k + 1 on an axis, all of them made positive together. */
static void area_values(toi_certificate_parts *parts, int axis, toi_integer area[TOI_MOST_CORNERS]) {
  const int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
  toi_integer value[TOI_MOST_CORNERS][2];
  for (int k = 0; k < parts->count; k++) {
    value[k][0] = corner_value(parts, k, y);
    value[k][1] = corner_value(parts, k, z);
  }
  for (int k = 0; k < parts->count; k++) {
    const toi_integer *p = value[k], *q = value[toi_exact_next(parts->hull, k)];
    area[k] = toi_integer_absolute(toi_integer_determinant(parts->arena, p[0], q[1], p[1], q[0]));
  }
}

static void add_weights_of_areas(toi_certificate_parts *parts, int axis, toi_prose *text) {
  toi_arena *arena = parts->arena;
  toi_integer a[TOI_MOST_CORNERS] = {TOI_INTEGER_ZERO}, weight[TOI_MOST_CORNERS];
  area_values(parts, axis, a);
  toi_integer sum = toi_integer_add(arena, a[0], a[2]);
  if (parts->count == 3) {
    sum = toi_integer_add(arena, sum, a[1]);
    weight[0] = a[1];
    weight[1] = a[2];
    weight[2] = a[0];
  } else {
    sum = toi_integer_multiply(arena, sum, sum);
    weight[0] = toi_integer_multiply(arena, a[1], a[2]);
    weight[1] = toi_integer_multiply(arena, a[2], a[3]);
    weight[2] = toi_integer_multiply(arena, a[3], a[0]);
    weight[3] = toi_integer_multiply(arena, a[0], a[1]);
  }
  for (int k = 0; k < parts->count; k++)
    toi_prose_add_rational(text, arena, weight[k], sum);
}

/* Two neighbouring corners, maybe the same, that are on opposite sides of 0 or at it. */
static int opposite_corner(const toi_certificate_parts *parts, const toi_exact_contact *contact) {
  for (int k = 0; k < parts->count; k++) {
    const int8_t *p = contact->corner_sign[k], *q = contact->corner_sign[toi_exact_next(parts->hull, k)];
    if (p[0] * q[0] <= 0 && p[1] * q[1] <= 0 && p[2] * q[2] <= 0)
      return k;
  }
  assert(false);
  return 0;
}

static bool is_zero(const int8_t sign[TOI_AXES]) {
  return sign[0] == 0 && sign[1] == 0 && sign[2] == 0;
}

static void add_weights_of_line(toi_certificate_parts *parts, const toi_exact_contact *contact, toi_prose *text) {
  toi_arena *arena = parts->arena;
  const int first = opposite_corner(parts, contact), second = toi_exact_next(parts->hull, first);
  const toi_integer one = toi_integer_from_u64(arena, 1);
  toi_integer weight[TOI_MOST_CORNERS] = {TOI_INTEGER_ZERO}, sum = one;
  if (is_zero(contact->corner_sign[first])) {
    weight[first] = one;
  } else if (is_zero(contact->corner_sign[second])) {
    weight[second] = one;
  } else {
    int axis = 0;
    while (contact->corner_sign[first][axis] == 0)
      axis++;
    weight[first] = toi_integer_absolute(corner_value(parts, second, axis));
    weight[second] = toi_integer_absolute(corner_value(parts, first, axis));
    sum = toi_integer_add(arena, weight[first], weight[second]);
  }
  for (int k = 0; k < parts->count; k++)
    toi_prose_add_rational(text, arena, weight[k], sum);
}

void toi_parts_add_contact(toi_certificate_parts *parts, const toi_exact_contact *contact, toi_prose *text) {
  toi_limb *mark = toi_arena_mark(parts->arena);
  if (parts->moment.rational) {
    toi_prose_add(text, "contact weights");
    if (contact->axis >= 0)
      add_weights_of_areas(parts, contact->axis, text);
    else
      add_weights_of_line(parts, contact, text);
  } else if (contact->axis >= 0) {
    toi_prose_add(text, "contact inside");
    toi_prose_add(text, AXIS_NAME[contact->axis]);
  } else {
    const int first = opposite_corner(parts, contact);
    toi_prose_add(text, "contact segment");
    toi_prose_add_dyadic(text, parts->arena, toi_integer_from_u64(parts->arena, (uint64_t)first), 0);
    toi_prose_add_dyadic(text, parts->arena,
                         toi_integer_from_u64(parts->arena, (uint64_t)toi_exact_next(parts->hull, first)), 0);
  }
  toi_prose_add(text, "\n");
  toi_arena_release(parts->arena, mark);
}
