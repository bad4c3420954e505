/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries laid out as a mesh, through the contact filter in all its forms: every number of lanes, subnormal numbers
 * kept and flushed. */

#ifndef TOI_TESTS_NARROW_FILTER_BLOCK_H
#define TOI_TESTS_NARROW_FILTER_BLOCK_H

#include <string.h>

#include "narrow/contact_filter.h"
#include "support/float_state.h"
#include "support/support.h"

#define BLOCK_PAIRS 61 /* no multiple of the lanes */

/* The points of query i are vertices 4 i to 4 i + 3; both sorts of pairs can be made of them. */
typedef struct filter_block {
  toi_kind kind;
  size_t count;
  double queries[BLOCK_PAIRS][24];
  double start[4 * BLOCK_PAIRS][3], end[4 * BLOCK_PAIRS][3];
  uint32_t edges[2 * BLOCK_PAIRS][2], faces[BLOCK_PAIRS][3];
  toi_pair pairs[BLOCK_PAIRS];
  toi_mesh mesh;
} filter_block;

static inline void filter_block_lay_out(filter_block *b) {
  for (uint32_t i = 0; i < b->count; i++) {
    for (uint32_t k = 0; k < 4; k++) {
      memcpy(b->start[4 * i + k], b->queries[i] + 3 * k, sizeof b->start[0]);
      memcpy(b->end[4 * i + k], b->queries[i] + 12 + 3 * k, sizeof b->end[0]);
    }
    for (uint32_t k = 0; k < 2; k++) {
      b->edges[2 * i][k] = 4 * i + k;
      b->edges[2 * i + 1][k] = 4 * i + 2 + k;
    }
    for (uint32_t k = 0; k < 3; k++)
      b->faces[i][k] = 4 * i + 1 + k;
    b->pairs[i] = b->kind == TOI_EDGE_EDGE ? (toi_pair){2 * i, 2 * i + 1} : (toi_pair){4 * i, i};
  }
  b->mesh = (toi_mesh){.start = b->start,
                       .end = b->end,
                       .vertex_count = 4 * b->count,
                       .edges = (const uint32_t(*)[2])b->edges,
                       .edge_count = 2 * b->count,
                       .faces = (const uint32_t(*)[3])b->faces,
                       .face_count = b->count};
}

/* One kernel in the present floating-point state. */
static inline size_t filter_block_ask(const filter_block *b, const toi_float_mesh *mesh, toi_contact_filter filter,
                                      uint32_t open[BLOCK_PAIRS]) {
  toi_contact_block asked = {.kind = b->kind, .pairs = b->pairs, .count = b->count, .open = open};
  const size_t left = filter(mesh, &asked);
  assert_int_equal(asked.by_box + asked.by_sign + asked.by_projection + left, b->count);
  return left;
}

/* All kernels, which must agree: open[i] says whether pair i stays so. */
static inline void filter_block_ask_all(const filter_block *b, const toi_float_mesh *mesh, bool open[BLOCK_PAIRS]) {
  uint32_t numbers[BLOCK_PAIRS], others[BLOCK_PAIRS];
  const size_t left = filter_block_ask(b, mesh, toi_contact_filter_scalar, numbers);
  assert_int_equal(filter_block_ask(b, mesh, toi_contact_filter_four, others), left);
  assert_memory_equal(numbers, others, left * sizeof numbers[0]);
  assert_int_equal(filter_block_ask(b, mesh, toi_contact_filter_best(), others), left);
  assert_memory_equal(numbers, others, left * sizeof numbers[0]);
  memset(open, 0, BLOCK_PAIRS * sizeof open[0]);
  for (size_t i = 0; i < left; i++) {
    assert_true(numbers[i] < b->count && (i == 0 || numbers[i] > numbers[i - 1]));
    open[numbers[i]] = true;
  }
}

/* What stays open in the default state, and with subnormal numbers flushed. False if there is no float mesh. */
static inline bool filter_block_run(toi_context *context, const filter_block *b, bool open[2][BLOCK_PAIRS]) {
  toi_float_mesh mesh;
  if (!toi_float_mesh_make(context, &b->mesh, &mesh))
    return false;
  for (unsigned flushed = 0; flushed < 2; flushed++) {
    test_float_set(test_float_state_of(0, flushed, flushed, 0));
    filter_block_ask_all(b, &mesh, open[flushed]);
    test_float_leave();
  }
  toi_float_mesh_free(context, &mesh);
  return true;
}

#endif
