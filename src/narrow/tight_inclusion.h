/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the method `tight-inclusion` and its kernels share: a query as three moving differences, and the box of
 * parameters that an answer rests on.
 *
 * For all kinds F(t, u, v) = p(t) + u a(t) + v b(t), with p, a and b linear in time, and contact is F = 0:
 *
 *   vertex-face    p = v - f0     a = f0 - f1    b = f0 - f2    u + v <= 1
 *   edge-edge      p = ea0 - eb0  a = ea1 - ea0  b = eb0 - eb1
 *   vertex-edge    p = v - e0     a = e0 - e1    b = 0
 *   vertex-vertex  p = a - b      a = 0          b = 0 */

#ifndef TOI_NARROW_TIGHT_INCLUSION_H
#define TOI_NARROW_TIGHT_INCLUSION_H

#include <toi/narrow.h>

#include "search/search.h"

/* Three axes, and one of zeros that fills the lanes. */
#define TOI_TIGHT_LANES 4

/* t, u and v as indices of widths, tolerances and so on. */
#define TOI_TIGHT_PARAMETERS 3

typedef struct toi_tight_query {
  /* p, a and b at the start, and what is added until the end; rounded. */
  _Alignas(32) double p[TOI_TIGHT_LANES], a[TOI_TIGHT_LANES], b[TOI_TIGHT_LANES];
  _Alignas(32) double dp[TOI_TIGHT_LANES], da[TOI_TIGHT_LANES], db[TOI_TIGHT_LANES];
  _Alignas(32) double size[TOI_TIGHT_LANES];   /* the largest |p| + |a| + |b| there is, by axis */
  _Alignas(32) double filter[TOI_TIGHT_LANES]; /* bounds the error of F's computed box; tight_inclusion.c */
  _Alignas(32) double reach[TOI_TIGHT_LANES];  /* filter and separation */
  double kappa[TOI_TIGHT_PARAMETERS];          /* (7) of the paper: how much F varies with t, u, v */
  double width[TOI_TIGHT_PARAMETERS];          /* of the whole domain: powers of two, or 0 for what a kind has not */
  double d, d_squared;                         /* the separation; its square rounded up, 0 where a cube is meant */
  double tolerance, t_max;
  uint64_t max_checks;
  bool triangle;  /* u + v <= 1 */
  bool euclidean; /* the norm */
  bool no_zero;   /* boxes from t = 0 on are split on where they would be accepted */
} toi_tight_query;

/* The box of the answer: the earliest that is left open. */
typedef struct toi_tight_answer {
  toi_search_end end;
  double t, t_end, u, v;
  double distance; /* that F has in the box at most, in the norm asked */
} toi_tight_answer;

/* A box of parameters whose widths are its own: its lower corner in t, u and v, and its widths. */
typedef struct toi_tight_box {
  double corner[TOI_TIGHT_PARAMETERS], width[TOI_TIGHT_PARAMETERS];
} toi_tight_box;

typedef struct toi_tight_kernel {
  /* p, a, b and size of the row of a kind; false if a coordinate is not finite. */
  bool (*load)(toi_kind kind, const double *row, toi_tight_query *query);
  /* Whether the whole domain is pruned: most queries end here. */
  bool (*apart)(const toi_tight_query *query);
  /* The computed interval of F over the box of `width` at a corner, by axis, as the search sees it: for tests. */
  void (*extent)(const toi_tight_query *query, const double corner[3], double lo[4], double hi[4]);
  /* The splitting's measure, for queries that are not. */
  void (*set_kappa)(toi_tight_query *query);
  void (*search)(const toi_tight_query *query, void *memory, size_t bytes, toi_tight_answer *answer);
  /* What becomes of one box; *split is the parameter to be halved, if it is to be split. And the distance that F has in
   * it at most, in the norm asked. */
  toi_search_fate (*judge)(const toi_tight_query *query, const toi_tight_box *at, int *split);
  double (*distance)(const toi_tight_query *query, const toi_tight_box *at);
} toi_tight_kernel;

/* The kernels for this CPU. */
const toi_tight_kernel *toi_tight_kernel_best(void);

/* The answer "nothing earlier than t_lo", from a search. */
toi_hit toi_tight_near(double t_lo, double t_hi, double tolerance);

/* Sets what depends on the separation, the options and the kind, from what load has set; false if the query is too
 * large to be searched. */
bool toi_tight_ask(toi_kind kind, const toi_options *options, double d, toi_tight_query *query);

extern const toi_tight_kernel toi_tight_kernel_base;
extern const toi_tight_kernel toi_tight_kernel_avx2;

#endif
