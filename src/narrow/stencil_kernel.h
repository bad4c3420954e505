/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distance functions of stencils with their derivatives, in SIMD over stencils of one kind. Claims, bounds and
 * derivations stand in stencil_kernel_body.h; stencil.c rescales what is out of the kernels' range. */

#ifndef TOI_NARROW_STENCIL_KERNEL_H
#define TOI_NARROW_STENCIL_KERNEL_H

#include <toi/stencil.h>

/* The points of a stencil, toi_kind_points() of them: x y z, and one that is read and not used. */
typedef struct toi_stencil_points {
  double x[4][4];
} toi_stencil_points;

/* Where the results of a stencil go; each may be NULL, then it is NULL for all stencils of a call. */
typedef struct toi_stencil_results {
  double *squared;
  double *gradient; /* n = 3 points of them */
  double *hessian;  /* n * n of them */
} toi_stencil_results;

/* What toi_stencil says about its place. */
typedef struct toi_stencil_place {
  double squared, weights[4], first[3], second[3], normal[3], tangents[2][3];
} toi_stencil_place;
#define TOI_STENCIL_PLACE 20 /* doubles of it */

/* What became of a stencil. */
enum {
  TOI_STENCIL_SETTLED = 1, /* the results are as promised */
  TOI_STENCIL_CLOSE = 2    /* of a place: squared is not accurate to 2^-16 of itself */
};

/* The most stencils at a time. */
#define TOI_STENCIL_BLOCK 64

/* All take at most TOI_STENCIL_BLOCK stencils of one kind and write what became of each to `outcomes`; vertex-vertex
 * has no derivatives here, they are constants. What is not settled was written to all the same. */
typedef struct toi_stencil_kernel {
  void (*derive)(toi_kind kind, const toi_stencil_points *points, size_t count, const toi_stencil_results *results,
                 uint8_t *outcomes);
  void (*mollify)(const toi_stencil_points *points, const double *thresholds, size_t count,
                  const toi_stencil_results *results, uint8_t *outcomes);
  void (*place)(toi_kind kind, const toi_stencil_points *points, size_t count, toi_stencil_place *places,
                uint8_t *outcomes);
} toi_stencil_kernel;

extern const toi_stencil_kernel toi_stencil_kernel_scalar;
extern const toi_stencil_kernel toi_stencil_kernel_two;
#if defined(__x86_64__)
extern const toi_stencil_kernel toi_stencil_kernel_avx2;
extern const toi_stencil_kernel toi_stencil_kernel_rows; /* for one stencil */
#endif

/* The kernel for so many stencils on this machine. All give the same bits. */
const toi_stencil_kernel *toi_stencil_kernel_best(size_t count);

#endif
