/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One plane per pair: which candidates of a mesh stay farther apart than asked, decided in SIMD from vertex numbers.
 *
 * This is the first filter behind the one interface for candidates: a block of pairs goes in, by number, and the
 * numbers of those that it could not settle come out. It proves a miss or leaves a pair open; it never guesses. Claims,
 * bounds and derivations stand in plane_filter_body.h. */

#ifndef TOI_NARROW_PLANE_FILTER_H
#define TOI_NARROW_PLANE_FILTER_H

#include "narrow/filter_mesh.h"

/* Farther than d_i = T_i + F max(0, d0_i - T_i) on all of [0, t_max], d0_i the distance of pair i at the start?
 * With t_max > 0 this is asked of every straight motion from the start to positions that are off by at most `rounding`
 * in a coordinate from those at some time in [0, t_max]. */
typedef struct toi_plane_question {
  double t_max;              /* in [0, 1]; 0: at the start only, still rows will do */
  double separation;         /* T, unless there is one for each pair */
  const double *separations; /* T_i of the pairs of the block; NULL: all the same */
  double fraction;           /* F in [0, 1) */
  double rounding;           /* finite, not negative */
  toi_norm norm;
} toi_plane_question;

/* Writes the numbers i of the pairs that stay open, in order, and returns how many they are. */
typedef size_t (*toi_plane_filter)(toi_kind kind, const toi_filter_mesh *mesh, const toi_plane_question *question,
                                   const toi_pair *pairs, size_t count, uint32_t *open);

/* The kernel for this machine. All give the same numbers. */
toi_plane_filter toi_plane_filter_best(void);

size_t toi_plane_filter_scalar(toi_kind kind, const toi_filter_mesh *mesh, const toi_plane_question *question,
                               const toi_pair *pairs, size_t count, uint32_t *open);
size_t toi_plane_filter_two(toi_kind kind, const toi_filter_mesh *mesh, const toi_plane_question *question,
                            const toi_pair *pairs, size_t count, uint32_t *open);
#if defined(__x86_64__)
size_t toi_plane_filter_avx2(toi_kind kind, const toi_filter_mesh *mesh, const toi_plane_question *question,
                             const toi_pair *pairs, size_t count, uint32_t *open);
#endif

#endif
