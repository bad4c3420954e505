/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter for primitives of turning bodies as SIMD kernels over queries of one pair of bodies, vertex-face (3
 * corners) or edge-edge (4), rows of 12 doubles. The same source (rotating_kernel_body.h) is compiled for one lane (the
 * reference), two and four; all give the same bits. */

#ifndef TOI_NARROW_ROTATING_KERNEL_H
#define TOI_NARROW_ROTATING_KERNEL_H

#include "narrow/kernel.h"
#include "narrow/rotating.h"

/* The coplanarity of a query on a piece: Bernstein coefficients, and what values are off by, infinite if not known. Of
 * a part of the piece, also where it begins; the piece's time is from 0 to 1. */
enum { TOI_CURVE_ERROR = TOI_TURN_COEFFICIENTS, TOI_CURVE_FROM, TOI_CURVE_NUMBERS };
typedef struct toi_turn_curve {
  double at[TOI_CURVE_NUMBERS];
} toi_turn_curve;

/* A part of the piece, and whose it is; its ends are dyadic. */
typedef struct toi_turn_part {
  toi_turn_curve curve;
  double length;
  uint32_t row;
} toi_turn_part;

/* What the coefficients on a part say. */
typedef enum toi_turn_part_code {
  TOI_PART_OPEN,
  TOI_PART_CLEAR, /* certainly of one sign */
  TOI_PART_ROOT   /* they change it certainly once, whatever one of them is that may be zero: one root, a simple one */
} toi_turn_part_code;

/* Parts of some rows, and the rows' curves. */
typedef struct toi_turn_parts {
  const toi_rows *rows;
  const toi_turn_curve *curves;
  const toi_turn_part *parts;
  size_t count;
} toi_turn_parts;

typedef struct toi_turn_kernels {
  /* toi_filter_code of `count` queries back to back, for all of the piece's time. curves: of those that are left open,
   * one after another; NULL: not asked for. */
  void (*filter)(int corners, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes,
                 toi_turn_curve *curves);

  /* toi_turn_part_code of parts, and the halves of those that are open. */
  void (*divide)(const toi_turn_part *parts, size_t count, uint8_t *codes, toi_turn_part (*halves)[2]);

  /* Of parts with one root: whether it is certainly no contact, from roughly where it is. */
  void (*refute)(int corners, const toi_turn_piece *piece, const toi_turn_parts *parts, bool *refuted);

  /* The same by the root itself. A contact comes as TOI_ROTATING_ROOT. */
  void (*root)(int corners, const toi_turn_piece *piece, const toi_turn_parts *parts, toi_turn_root *roots);

  /* The coplanarity under nlerp at times[i], of row i of rows: within 1024 u^2 of the magnitude that the forms have. */
  void (*residual)(int corners, const toi_turn_ends *ends, const toi_rows *rows, const double *times, double *values);
} toi_turn_kernels;

/* What of some rows a piece comes to: rotating_find.c. At most TOI_FIND_ROWS of them. */
enum { TOI_FIND_ROWS = 64 };
void toi_turn_find(const toi_turn_kernels *kernels, int corners, const toi_turn_piece *piece, const toi_rows *rows,
                   const toi_turn_curve *curves, toi_turn_root *roots);

extern const toi_turn_kernels toi_turn_kernels_scalar;
extern const toi_turn_kernels toi_turn_kernels_two;
#if defined(__x86_64__)
extern const toi_turn_kernels toi_turn_kernels_avx2;
#endif

#endif
