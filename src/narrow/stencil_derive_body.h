/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Derivatives of stencils for any number of lanes; included behind stencil_kernel_body.h, which has the derivation. */

/* What all blocks of a Hessian are made of. */
typedef struct block_parts {
  bool line; /* with one side */
  int still; /* 1: point 0 has no B */
  real weights[POINTS];
  real lean[POINTS][AXES];     /* l_i n */
  real spread[POINTS][AXES];   /* B_i */
  real outer[AXES][AXES];      /* n n^T */
  real projection[AXES][AXES]; /* I - e e*^T, of a line */
  real unit2;                  /* 2 / n.n, or 2 */
} block_parts;

/* The block of points i <= j; of a diagonal one the upper half. */
TOI_INLINE void make_block(const block_parts *parts, int i, int j, half_matrix *m) {
  real weight = parts->unit2 * (parts->weights[i] * parts->weights[j]), bend = every(0);
  const bool bent = i >= parts->still;
  if (bent)
    bend = dot(parts->spread[i], parts->spread[j]) * 0.5;
  const real both = weight - bend;
  TOI_UNROLL
  for (int row = 0; row < AXES; row++)
    TOI_UNROLL
  for (int column = 0; column < AXES; column++) {
    real sum;
    if (i == j && column < row)
      continue;
    if (!parts->line)
      sum = both * parts->outer[row][column];
    else if (bent)
      sum = weight * parts->projection[row][column] - bend * parts->outer[row][column];
    else
      sum = weight * parts->projection[row][column];
    if (bent)
      sum += parts->lean[i][column] * parts->spread[j][row] + parts->lean[j][row] * parts->spread[i][column];
    else if (j >= parts->still)
      sum += parts->lean[i][column] * parts->spread[j][row];
    m->h[AXES * i + row][AXES * j + column] = sum;
  }
}

TOI_INLINE void make_hessian(toi_kind kind, int points, const nearest *at, const real weights[POINTS], half_matrix *m) {
  block_parts parts = {.line = kind == TOI_VERTEX_EDGE, .still = kind != TOI_EDGE_EDGE, .unit2 = at->unit * 2.0};
  spread_duals(kind, at, parts.spread);
  TOI_UNROLL
  for (int i = 0; i < points; i++) {
    parts.weights[i] = weights[i];
    scale(weights[i], at->normal, parts.lean[i]);
  }
  TOI_UNROLL
  for (int row = 0; row < AXES; row++)
    TOI_UNROLL
  for (int column = 0; column < AXES; column++) {
    parts.outer[row][column] = at->normal[row] * at->normal[column];
    if (!parts.line)
      continue;
    // One product for both places: the projection is symmetric.
    const real along = at->sides[0][row < column ? row : column] * at->duals[0][row < column ? column : row];
    parts.projection[row][column] = every(row == column ? 1 : 0) - along;
  }
  TOI_UNROLL
  for (int i = 0; i < points; i++)
    TOI_UNROLL
  for (int j = 0; j < points; j++)
    if (i <= j)
      make_block(&parts, i, j, m);
}

TOI_INLINE void derive_kind(toi_kind kind, const toi_stencil_points *from, size_t count,
                            const toi_stencil_results *results, uint8_t *outcomes) {
  const int points = kind == TOI_VERTEX_EDGE ? 3 : 4;
  for (size_t i = 0; i < count; i += TOI_LANES) {
    real x[POINTS][AXES], weights[POINTS], gradient[MOST];
    nearest at;
    group_results group;
    load_group(points, from, i, count, x);
    meet(kind, x, &at);
    weigh(kind, at.p, weights);
    find_results(results, i, count, &group);
    if (results->squared)
      store_rest(at.squared, 0, group.squared);
    if (results->gradient) {
      TOI_UNROLL
      for (int k = 0; k < points; k++)
        scale(weights[k] * (at.height * 2.0), at.normal, gradient + (ptrdiff_t)AXES * k);
      store_values(gradient, (size_t)AXES * (size_t)points, group.gradient);
    }
    if (results->hessian) {
      half_matrix m;
      make_hessian(kind, points, &at, weights, &m);
      store_matrix(&m, (size_t)AXES * (size_t)points, group.hessian);
    }
    note_outcomes(at.settled, at.settled & ~at.settled, i, count, outcomes);
  }
}

static void derive(toi_kind kind, const toi_stencil_points *points, size_t count, const toi_stencil_results *results,
                   uint8_t *outcomes) {
  if (kind == TOI_VERTEX_FACE)
    derive_kind(TOI_VERTEX_FACE, points, count, results, outcomes);
  else if (kind == TOI_EDGE_EDGE)
    derive_kind(TOI_EDGE_EDGE, points, count, results, outcomes);
  else
    derive_kind(TOI_VERTEX_EDGE, points, count, results, outcomes);
}
