/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter: which candidates of a mesh cannot touch, decided in floats, eight at a time, from vertex numbers.
 *
 * It stands behind the interface for candidates: a block of pairs goes in, by number, and the numbers of those that it
 * could not settle come out. It proves a miss on all of [0, 1] or leaves a pair open; it never guesses. The tests are
 * those of the levels box, sign and projection (kernel_body.h), with bounds that hold for floats
 * (contact_filter_bounds.h), whether or not subnormal numbers are kept. */

#ifndef TOI_NARROW_CONTACT_FILTER_H
#define TOI_NARROW_CONTACT_FILTER_H

#include "narrow/float_mesh.h"

/* Vertex-face or edge-edge pairs of a mesh, and what became of them. */
typedef struct toi_contact_block {
  toi_kind kind;
  const toi_pair *pairs;
  size_t count;
  uint32_t *open;                        /* room for count numbers of pairs */
  size_t by_box, by_sign, by_projection; /* how many each test settled */
} toi_contact_block;

/* Adds what was settled to the counters. */
static inline void toi_count_filtered(const toi_contact_block *block, toi_counters *counters) {
  const size_t settled = block->by_box + block->by_sign + block->by_projection;
  counters->queries += settled;
  counters->verdicts[TOI_MISS] += settled;
  counters->levels[TOI_LEVEL_BOX] += block->by_box;
  counters->levels[TOI_LEVEL_SIGN] += block->by_sign;
  counters->levels[TOI_LEVEL_PROJECTION] += block->by_projection;
}

/* Writes the numbers of the pairs that stay open, in order, and returns how many they are. */
typedef size_t (*toi_contact_filter)(const toi_float_mesh *mesh, toi_contact_block *block);

/* The kernel for this machine. All give the same numbers. */
toi_contact_filter toi_contact_filter_best(void);

size_t toi_contact_filter_scalar(const toi_float_mesh *mesh, toi_contact_block *block);
size_t toi_contact_filter_four(const toi_float_mesh *mesh, toi_contact_block *block);
#if defined(__x86_64__)
size_t toi_contact_filter_avx2(const toi_float_mesh *mesh, toi_contact_block *block);
#endif

#endif
