/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter for primitives of turning bodies as SIMD kernels over queries of one pair of bodies, vertex-face (3
 * corners) or edge-edge (4), rows of 12 doubles. The same source (rotating_kernel_body.h) is compiled for one lane (the
 * reference), two and four; all give the same bits. */

#ifndef TOI_NARROW_ROTATING_KERNEL_H
#define TOI_NARROW_ROTATING_KERNEL_H

#include "narrow/kernel.h"
#include "narrow/rotating.h"

typedef struct toi_turn_kernels {
  /* toi_filter_code of `count` queries back to back, for all of the piece's time. */
  void (*filter)(int corners, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes);

  /* Projections, and the root of a coplanarity whose coefficients change their sign once. A contact comes as
   * TOI_ROTATING_ROOT. */
  void (*root)(int corners, const toi_turn_piece *piece, const toi_rows *rows, toi_turn_root *roots);

  /* The coplanarity under nlerp at times[i], of row i of rows: within 1024 u^2 of the magnitude that the forms have. */
  void (*residual)(int corners, const toi_turn_ends *ends, const toi_rows *rows, const double *times, double *values);
} toi_turn_kernels;

extern const toi_turn_kernels toi_turn_kernels_scalar;
extern const toi_turn_kernels toi_turn_kernels_two;
#if defined(__x86_64__)
extern const toi_turn_kernels toi_turn_kernels_avx2;
#endif

#endif
