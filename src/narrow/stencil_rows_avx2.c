/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stencils one at a time, four columns of a Hessian at a time. Compiled with -mavx2 -mfma; run only where the CPU has
 * both.
 *
 * Claim: the same bits as the kernels in lanes give. Why: entry (i row, j column) of stencil_derive_body.h, for i <= j,
 *     (l_i l_j 2 / n.n - B_i . B_j / 2) n_row n_column + (l_i n_column B_j,row + l_j n_row B_i,column)
 * is the sum of the same products, in the same order but for factors and for the two of the last sum, if (i row) and
 * (j column) change places; so that every row can be computed as it stands. Where a vertex has no B, the products
 * with it are left out there: here they become -0, and x + -0 is x for every x, -0 and 0 included. */

#if defined(__x86_64__)

#define TOI_LANES 1

#include "narrow/stencil_kernel_body.h"

typedef double quad __attribute__((vector_size(32)));
typedef double quad_in_memory __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t quad_mask __attribute__((vector_size(32)));

enum { QUADS = 3, COLUMNS = 4 * QUADS };

/* A row of twelve columns: point by point, axis by axis. */
typedef struct columns {
  quad of[QUADS];
} columns;

/* x, y, z for each point. */
TOI_INLINE columns by_axis(quad v) {
  return (columns){{__builtin_shufflevector(v, v, 0, 1, 2, 0), __builtin_shufflevector(v, v, 1, 2, 0, 1),
                    __builtin_shufflevector(v, v, 2, 0, 1, 2)}};
}

/* A number of each point for its three axes. */
TOI_INLINE columns by_point(quad v) {
  return (columns){{__builtin_shufflevector(v, v, 0, 0, 0, 1), __builtin_shufflevector(v, v, 1, 1, 2, 2),
                    __builtin_shufflevector(v, v, 2, 3, 3, 3)}};
}

TOI_INLINE quad vector_of(const real v[AXES]) {
  return (quad){v[0], v[1], v[2], 0};
}

/* The columns of the first point become `value`. */
TOI_INLINE void replace_first(columns *row, double value) {
  const quad_mask first = {-1, -1, -1, 0};
  const quad all = {value, value, value, value};
  row->of[0] = (quad)(((quad_mask)all & first) | ((quad_mask)row->of[0] & ~first));
}

TOI_INLINE void store_row(const columns *row, double *to) {
  TOI_UNROLL
  for (int k = 0; k < QUADS; k++)
    *(quad_in_memory *)(to + (ptrdiff_t)4 * k) = row->of[k];
}

/* What rows are made of. */
typedef struct row_parts {
  columns normal, lean;        /* n; l_j */
  columns spread[AXES];        /* B_j,row */
  quad weights, spreads[AXES]; /* l_j and B_j,row, once for each point */
  real unit2;                  /* 2 / n.n */
  bool still;                  /* point 0 has no B */
} row_parts;

/* The three rows of point i, whose B is `own`. */
TOI_INLINE void make_rows(const row_parts *parts, int i, const nearest *at, const real own[AXES], double *to) {
  const bool bent = !(parts->still && i == 0);
  quad both = parts->unit2 * (parts->weights[i] * parts->weights), bend = {0, 0, 0, 0};
  if (bent)
    bend = ((own[0] * parts->spreads[0] + own[1] * parts->spreads[1]) + own[2] * parts->spreads[2]) * 0.5;
  if (bent && parts->still)
    bend = (quad)((quad_mask)bend & (quad_mask){0, -1, -1, -1});
  const columns factors = by_point(both - bend), spread = by_axis(vector_of(own));
  for (int row = 0; row < AXES; row++) {
    columns sum, first;
    TOI_UNROLL
    for (int k = 0; k < QUADS; k++) {
      sum.of[k] = factors.of[k] * (at->normal[row] * parts->normal.of[k]);
      first.of[k] = (parts->weights[i] * parts->normal.of[k]) * parts->spread[row].of[k];
    }
    if (parts->still)
      replace_first(&first, -0.0);
    TOI_UNROLL
    for (int k = 0; k < QUADS; k++)
      sum.of[k] += bent ? first.of[k] + (parts->lean.of[k] * at->normal[row]) * spread.of[k] : first.of[k];
    store_row(&sum, to + (ptrdiff_t)row * COLUMNS);
  }
}

TOI_INLINE void make_matrix(toi_kind kind, const nearest *at, const real weights[POINTS], double *hessian) {
  real spread[POINTS][AXES];
  row_parts parts = {.still = kind != TOI_EDGE_EDGE, .unit2 = at->unit * 2.0};
  spread_duals(kind, at, spread);
  parts.normal = by_axis(vector_of(at->normal));
  parts.weights = (quad){weights[0], weights[1], weights[2], weights[3]};
  parts.lean = by_point(parts.weights);
  TOI_UNROLL
  for (int row = 0; row < AXES; row++) {
    parts.spreads[row] = (quad){spread[0][row], spread[1][row], spread[2][row], spread[3][row]};
    parts.spread[row] = by_point(parts.spreads[row]);
  }
  TOI_UNROLL
  for (int i = 0; i < POINTS; i++)
    make_rows(&parts, i, at, spread[i], hessian + (ptrdiff_t)AXES * i * COLUMNS);
}

TOI_INLINE void derive_one(toi_kind kind, const toi_stencil_points *from, const toi_stencil_results *to,
                           uint8_t *outcome) {
  real x[POINTS][AXES], weights[POINTS];
  nearest at;
  load_group(POINTS, from, 0, 1, x);
  meet(kind, x, &at);
  weigh(kind, at.p, weights);
  if (to->squared)
    *to->squared = at.squared;
  if (to->gradient) {
    const quad own = (quad){weights[0], weights[1], weights[2], weights[3]} * (at.height * 2.0);
    const columns normal = by_axis(vector_of(at.normal)), factors = by_point(own);
    columns gradient;
    TOI_UNROLL
    for (int k = 0; k < QUADS; k++)
      gradient.of[k] = factors.of[k] * normal.of[k];
    store_row(&gradient, to->gradient);
  }
  if (to->hessian)
    make_matrix(kind, &at, weights, to->hessian);
  *outcome = at.settled ? TOI_STENCIL_SETTLED : 0;
}

static void derive(toi_kind kind, const toi_stencil_points *points, size_t count, const toi_stencil_results *results,
                   uint8_t *outcomes) {
  // Nine columns are no multiple of four.
  if (kind == TOI_VERTEX_EDGE) {
    toi_stencil_kernel_scalar.derive(kind, points, count, results, outcomes);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (kind == TOI_VERTEX_FACE)
      derive_one(TOI_VERTEX_FACE, &points[i], &results[i], &outcomes[i]);
    else
      derive_one(TOI_EDGE_EDGE, &points[i], &results[i], &outcomes[i]);
}

static void mollify(const toi_stencil_points *points, const double *thresholds, size_t count,
                    const toi_stencil_results *results, uint8_t *outcomes) {
  toi_stencil_kernel_scalar.mollify(points, thresholds, count, results, outcomes);
}

static void place(toi_kind kind, const toi_stencil_points *points, size_t count, toi_stencil_place *places,
                  uint8_t *outcomes) {
  toi_stencil_kernel_scalar.place(kind, points, count, places, outcomes);
}

const toi_stencil_kernel toi_stencil_kernel_rows = {derive, mollify, place};

#else

typedef int toi_no_stencil_rows_here; /* an empty file is no C */

#endif
