/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The place of a stencil in lanes: weights, closest points, normal and tangents; follows stencil_kernel_body.h. */

/* Parameters within their ranges: a closest point on the border may have been computed a little outside. */
TOI_INLINE void clip_parameters(toi_kind kind, real p[2]) {
  const real one = every(1);
  if (kind == TOI_EDGE_EDGE)
    p[0] = -clip_unit(-p[0]);
  else if (kind != TOI_VERTEX_VERTEX)
    p[0] = clip_unit(p[0]);
  if (kind == TOI_VERTEX_FACE)
    p[1] = least(clip_unit(p[1]), one - p[0]);
  else if (kind == TOI_EDGE_EDGE)
    p[1] = clip_unit(p[1]);
}

/* The points with these weights; a weight of 1 leaves its point as it is. */
TOI_INLINE void closest_points(toi_kind kind, int points, real x[POINTS][AXES], const real weights[POINTS],
                               real first[AXES], real second[AXES]) {
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    first[axis] = x[0][axis];
    int next = 1;
    if (kind == TOI_EDGE_EDGE) {
      first[axis] = weights[0] * x[0][axis] + weights[1] * x[1][axis];
      next = 2;
    }
    second[axis] = -weights[next] * x[next][axis];
    TOI_UNROLL
    for (int k = 2; k < POINTS; k++)
      if (k > next && k < points)
        second[axis] -= weights[k] * x[k][axis];
  }
}

/* w divided by its length, 0 if it is 0. Its largest component comes to 1 first, so that no square underflows. */
TOI_INLINE void unit_normal(const nearest *at, real normal[AXES]) {
  const real zero = every(0);
  real largest = zero, signs = choose(less(at->height, zero), every(-1), every(1));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    largest = most(magnitude(at->normal[axis]), largest);
  const mask apart = greater(largest, zero) & (less(at->height, zero) | greater(at->height, zero));
  largest = choose(apart, largest, every(1));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    normal[axis] = at->normal[axis] / largest;
  const real length = signs * root(choose(apart, dot(normal, normal), every(1)));
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    normal[axis] = choose(apart, normal[axis] / length, zero);
}

/* Two vectors that make a right-handed basis with a unit normal (x, y, z): with s the sign of z and a = -1 / (s + z),
 *     (1 + s x^2 a, s x y a, -s x)   and   (x y a, s + y^2 a, -y)
 * are unit and square to it and to each other: no component is more than some units in the last place off. */
TOI_INLINE void complete_basis(const real normal[AXES], real tangents[2][AXES]) {
  const real x = normal[0], y = normal[1], z = normal[2], one = every(1), zero = every(0);
  const real s = choose(less(z, zero), -one, one), a = -one / (s + z), b = x * y * a;
  const mask apart =
      less(x, zero) | greater(x, zero) | less(y, zero) | greater(y, zero) | less(z, zero) | greater(z, zero);
  const real made[2][AXES] = {{one + s * x * x * a, s * b, -s * x}, {b, s + y * y * a, -y}};
  TOI_UNROLL
  for (int k = 0; k < 2; k++)
    TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++)
    tangents[k][axis] = choose(apart, made[k][axis], zero);
}

TOI_INLINE void place_kind(toi_kind kind, const toi_stencil_points *from, size_t count, toi_stencil_place *places,
                           uint8_t *outcomes) {
  const int points = kind == TOI_VERTEX_VERTEX ? 2 : kind == TOI_VERTEX_EDGE ? 3 : 4;
  for (size_t i = 0; i < count; i += TOI_LANES) {
    real x[POINTS][AXES], weights[POINTS], first[AXES], second[AXES], normal[AXES], tangents[2][AXES];
    nearest at;
    load_group(points, from, i, count, x);
    meet(kind, x, &at);
    clip_parameters(kind, at.p);
    weigh(kind, at.p, weights);
    TOI_UNROLL
    for (int k = 2; k < POINTS; k++)
      if (k >= points)
        weights[k] = every(0);
    closest_points(kind, points, x, weights, first, second);
    unit_normal(&at, normal);
    complete_basis(normal, tangents);
    const real values[TOI_STENCIL_PLACE] = {
        at.squared,     weights[0],     weights[1],     weights[2],     weights[3],     first[0],      first[1],
        first[2],       second[0],      second[1],      second[2],      normal[0],      normal[1],     normal[2],
        tangents[0][0], tangents[0][1], tangents[0][2], tangents[1][0], tangents[1][1], tangents[1][2]};
    double *row[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++)
      row[j] = &places[i + j < count ? i + j : count - 1].squared;
    store_values(values, TOI_STENCIL_PLACE, row);
    note_outcomes(at.settled, at.close, i, count, outcomes);
  }
}

static void place(toi_kind kind, const toi_stencil_points *points, size_t count, toi_stencil_place *places,
                  uint8_t *outcomes) {
  switch (kind) {
  case TOI_VERTEX_FACE:
    place_kind(TOI_VERTEX_FACE, points, count, places, outcomes);
    return;
  case TOI_EDGE_EDGE:
    place_kind(TOI_EDGE_EDGE, points, count, places, outcomes);
    return;
  case TOI_VERTEX_EDGE:
    place_kind(TOI_VERTEX_EDGE, points, count, places, outcomes);
    return;
  default:
    place_kind(TOI_VERTEX_VERTEX, points, count, places, outcomes);
  }
}
