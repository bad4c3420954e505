/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The mollifier of two edges in lanes; follows stencil_kernel_body.h.
 *
 * With sides a and b, n = a x b, c = n . n = |a|^2 |b|^2 - (a . b)^2, threshold e and q = c / e:
 *     m  = q (2 - q)                                            where c < e; else 1, and no derivatives
 *     dm = 2 (1 - q) g,       g = dc / e,  dc/da = 2 b x n,  dc/db = 2 n x a
 *     d2m = 2 (1 - q) K - 2 g g^T,   K = d2c / e,  d2c/da2 = 2 (b.b I - b b^T),  d2c/db2 = 2 (a.a I - a a^T),
 *                                                  d2c/dadb = 2 (2 a b^T - b a^T - a.b I)
 * Edges are differences of points: ea0 and eb0 have the opposite signs of ea1 and eb1.
 *
 * Claim: the errors that stencil.h states. Why: n is off by 5.3 u |a| |b| (stencil_kernel_body.h). In u, to first
 * order:
 *   - c, and so q: 2 |n| 5.3 |a| |b| / e + 4 q <= 11 sqrt(E) + 4, as |n| < sqrt(e); m twice that, and 3: below 2^5 E.
 *   - g: (5.3 + 5.3) 2 |a| |b|^2 / e = 22 E / |a|; it is at most 2 |b| |n| / e <= 2 sqrt(E) / |a|. dm: 2 (22 E + 15
 * E^1/2 2 E^1/2) / |a|, below 2^7 E / L.
 *   - K is at most 4 E / L^2 and off by 8 of it; d2m: 2 (32 E + 15 E^1/2 4 E) + 2 * 2 * 22 E * 2 E^1/2 over L^2, below
 *     2^9 E^1.5 / L^2. */

#define LARGEST_BEND 0x1p500
#define LARGEST_SQUARE 0x1p1000

/* What a threshold makes of two edges. */
typedef struct mollified {
  real sides[2][AXES], normal[AXES];
  real ratio;   /* q */
  real inverse; /* 1 / e, or 0 where m is 1 */
  real value;
  mask below; /* c < e */
  mask settled;
} mollified;

/* The signs of the points in the sides, and which side they belong to. */
TOI_INLINE int side_of(int point) {
  return point >= 2;
}

TOI_INLINE bool is_end(int point) {
  return point == 1 || point == 3;
}

/* Half of K e, the block of sides i <= j. */
TOI_INLINE real curve(const mollified *at, int i, int j, int row, int column, const real dots[3]) {
  const real *a = at->sides[0], *b = at->sides[1];
  if (i != j) {
    const real mixed = a[row] * b[column] * 2.0 - b[row] * a[column];
    return row == column ? mixed - dots[1] : mixed;
  }
  const real *other = i == 0 ? b : a;
  const real product = other[row] * other[column];
  return row == column ? (i == 0 ? dots[2] : dots[0]) - product : -product;
}

/* The upper half of d2m by the two sides. Adding 0 makes every zero positive: lanes where m is 1 then have the bits
 * that a group of such lanes has. */
TOI_INLINE void bend_sides(const mollified *at, const real g[2][AXES], real h[2 * AXES][2 * AXES]) {
  const real dots[3] = {dot(at->sides[0], at->sides[0]), dot(at->sides[0], at->sides[1]),
                        dot(at->sides[1], at->sides[1])};
  const real factor = (every(1) - at->ratio) * 4.0;
  TOI_UNROLL
  for (int row = 0; row < 2 * AXES; row++)
    TOI_UNROLL
  for (int column = 0; column < 2 * AXES; column++) {
    if (column < row)
      continue;
    const int i = row / AXES, j = column / AXES;
    const real bent = curve(at, i, j, row % AXES, column % AXES, dots) * at->inverse;
    h[row][column] = (factor * bent - g[i][row % AXES] * g[j][column % AXES] * 2.0) + every(0);
  }
}

/* From sides to points: signs only. */
TOI_INLINE void spread_bend(real h[2 * AXES][2 * AXES], half_matrix *m) {
  TOI_UNROLL
  for (int row = 0; row < MOST; row++)
    TOI_UNROLL
  for (int column = 0; column < MOST; column++) {
    if (column < row)
      continue;
    const int i = row / AXES, j = column / AXES;
    const int first = AXES * side_of(i) + row % AXES, second = AXES * side_of(j) + column % AXES;
    const real bent = first <= second ? h[first][second] : h[second][first];
    m->h[row][column] = is_end(i) == is_end(j) ? bent : every(0) - bent;
  }
}

/* Settled: no result can overflow. Where c < e, n.n < e makes |g| <= 2 |b| / sqrt(e). */
TOI_INLINE mollified mollify_group(real x[POINTS][AXES], real threshold) {
  mollified at;
  const real zero = every(0), one = every(1);
  // cppcheck-suppress uninitvar // it is written
  take_difference(x[1], x[0], at.sides[0]);
  take_difference(x[3], x[2], at.sides[1]);
  cross(at.sides[0], at.sides[1], at.normal);
  const real area = dot(at.normal, at.normal);
  const real size = most(dot(at.sides[0], at.sides[0]), dot(at.sides[1], at.sides[1]));
  const mask below = at.below = less(area, threshold);
  at.inverse = choose(below, one / threshold, zero);
  at.ratio = choose(below, area / threshold, one);
  at.value = at.ratio * (every(2) - at.ratio);
  const mask bent = below & less(size * at.inverse, every(LARGEST_BEND)) & less(size, every(LARGEST_SQUARE));
  at.settled = bent | (~below & less(area, every(LARGEST_SQUARE)));
  // Where m is 1, sides and normal may be too large for their products.
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    at.normal[axis] = choose(below, at.normal[axis], zero);
    at.sides[0][axis] = choose(below, at.sides[0][axis], zero);
    at.sides[1][axis] = choose(below, at.sides[1][axis], zero);
  }
  return at;
}

/* g, scaled last: its factors may be as small as they like. */
TOI_INLINE void slope_sides(const mollified *at, real g[2][AXES]) {
  cross(at->sides[1], at->normal, g[0]);
  cross(at->normal, at->sides[0], g[1]);
  TOI_UNROLL
  for (int k = 0; k < 2; k++)
    scale(at->inverse * 2.0, g[k], g[k]);
}

/* Where all of a group are 1: no derivatives. */
TOI_INLINE void store_ones(const group_results *group) {
  for (unsigned j = 0; j < TOI_LANES; j++) {
    if (group->squared[j])
      *group->squared[j] = 1;
    if (group->gradient[j])
      memset(group->gradient[j], 0, MOST * sizeof(double));
    if (group->hessian[j])
      memset(group->hessian[j], 0, MOST * MOST * sizeof(double));
  }
}

TOI_INLINE void store_slopes(const mollified *at, const toi_stencil_results *results, const group_results *group) {
  real g[2][AXES], gradient[MOST];
  slope_sides(at, g);
  if (results->squared)
    store_rest(at->value, 0, group->squared);
  if (results->gradient) {
    const real factor = (every(1) - at->ratio) * 2.0;
    TOI_UNROLL
    for (int i = 0; i < MOST; i++) {
      const real slope = factor * g[side_of(i / AXES)][i % AXES];
      gradient[i] = is_end(i / AXES) ? slope + every(0) : every(0) - slope;
    }
    store_values(gradient, MOST, group->gradient);
  }
  if (results->hessian) {
    half_matrix m;
    real h[2 * AXES][2 * AXES];
    bend_sides(at, (const real(*)[AXES])g, h);
    spread_bend(h, &m);
    store_matrix(&m, MOST, group->hessian);
  }
}

static void mollify(const toi_stencil_points *from, const double *thresholds, size_t count,
                    const toi_stencil_results *results, uint8_t *outcomes) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    real x[POINTS][AXES];
    const double *limit[TOI_LANES];
    group_results group;
    for (size_t j = 0; j < TOI_LANES; j++)
      limit[j] = thresholds + (i + j < count ? i + j : count - 1);
    load_group(POINTS, from, i, count, x);
    const mollified at = mollify_group(x, gather(limit));
    find_results(results, i, count, &group);
    if (bits_of(at.below))
      store_slopes(&at, results, &group);
    else
      store_ones(&group);
    note_outcomes(at.settled, at.settled & ~at.settled, i, count, outcomes);
  }
}
