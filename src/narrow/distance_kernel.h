/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Euclidean distances of pairs of a mesh at its start, in SIMD from vertex numbers. What doubles do not settle here is
 * left open for distance.c, which has more to try. Claims, bounds and derivations stand in distance_kernel_body.h. */

#ifndef TOI_NARROW_DISTANCE_KERNEL_H
#define TOI_NARROW_DISTANCE_KERNEL_H

#include <toi/distance.h>

#include "narrow/filter_mesh.h"

/* The most pairs at a time. */
#define TOI_DISTANCE_PAIRS 64

/* Of each pair lo, hi, u, v, first and second of toi_distance; all but the settled ones are to be ignored. */
typedef struct toi_distance_block {
  double lo[TOI_DISTANCE_PAIRS], hi[TOI_DISTANCE_PAIRS];
  double u[TOI_DISTANCE_PAIRS], v[TOI_DISTANCE_PAIRS];
  double first[3][TOI_DISTANCE_PAIRS], second[3][TOI_DISTANCE_PAIRS];
  bool settled[TOI_DISTANCE_PAIRS];
} toi_distance_block;

/* At most TOI_DISTANCE_PAIRS. */
typedef void (*toi_distance_kernel)(toi_kind kind, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                                    toi_distance_block *block);

/* The kernel for so many pairs on this machine. All give the same bits. */
toi_distance_kernel toi_distance_kernel_best(size_t count);

void toi_distance_kernel_scalar(toi_kind kind, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                                toi_distance_block *block);
void toi_distance_kernel_two(toi_kind kind, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                             toi_distance_block *block);
#if defined(__x86_64__)
void toi_distance_kernel_avx2(toi_kind kind, const toi_filter_mesh *mesh, const toi_pair *pairs, size_t count,
                              toi_distance_block *block);
#endif

#endif
