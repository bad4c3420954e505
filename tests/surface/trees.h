/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of the patches of a case, for tests of what the surface room does inside. */

#ifndef TOI_TESTS_SURFACE_TREES_H
#define TOI_TESTS_SURFACE_TREES_H

#include "surface/cases.h"
#include "surface/piece.h"

#include <stdlib.h>

#define TREES_BYTES ((size_t)4 << 20)

/* Two trees in one forest; made once, planted for each case. */
typedef struct trees {
  void *memory;
  toi_forest forest;
  toi_piece *root[2];
} trees;

static inline trees trees_make(void) {
  trees t = {.memory = aligned_alloc(32, TREES_BYTES)};
  assert_non_null(t.memory);
  return t;
}

static inline void trees_free(trees *t) {
  free(t->memory);
}

/* Both patches whole. */
static inline void trees_plant(trees *t, const test_case *c) {
  t->forest = toi_forest_make(t->memory, TREES_BYTES, c->t_max, &c->a.patch, &c->b.patch);
  t->root[0] = toi_piece_root(&t->forest, &c->a.patch, 0);
  t->root[1] = toi_piece_root(&t->forest, &c->b.patch, 1);
  assert_true(t->root[0] && t->root[1]);
}

/* A piece that is so many halves down, at random. */
static inline toi_piece *trees_descend(trees *t, int side, uint32_t levels, uint64_t *seed) {
  toi_piece *piece = t->root[side];
  for (uint32_t i = 0; i < levels; i++) {
    assert_true(toi_piece_split(&t->forest, piece, t->forest.t_max * test_random_unit(seed)));
    piece = piece->child[test_random(seed) % 2];
  }
  return piece;
}

/* Whether the piece's part of the domain holds the place. */
static inline bool piece_holds(const toi_piece *piece, const double uv[2]) {
  const double(*c)[2] = (const double(*)[2])piece->corner;
  if (piece->root->patch->shape == TOI_PATCH_QUAD)
    return uv[0] >= c[0][0] && uv[0] <= c[1][0] && uv[1] >= c[0][1] && uv[1] <= c[1][1];
  double e[2] = {c[1][0] - c[0][0], c[1][1] - c[0][1]}, f[2] = {c[2][0] - c[0][0], c[2][1] - c[0][1]};
  double d[2] = {uv[0] - c[0][0], uv[1] - c[0][1]}, det = e[0] * f[1] - e[1] * f[0];
  double x = (d[0] * f[1] - d[1] * f[0]) / det, y = (e[0] * d[1] - e[1] * d[0]) / det;
  return x >= 0 && y >= 0 && x + y <= 1;
}

/* A piece so many halves down that holds the place. */
static inline toi_piece *trees_descend_to(trees *t, int side, uint32_t levels, const double uv[2]) {
  toi_piece *piece = t->root[side];
  for (uint32_t i = 0; i < levels; i++) {
    assert_true(toi_piece_split(&t->forest, piece, t->forest.t_max / 2));
    piece = piece->child[piece_holds(piece->child[0], uv) ? 0 : 1];
  }
  return piece;
}

/* The parameters of the patch at x, y of the piece's own unit square or triangle. */
static inline void piece_parameters(const toi_piece *piece, double x, double y, double uv[2]) {
  const double(*c)[2] = (const double(*)[2])piece->corner;
  bool quad = piece->root->patch->shape == TOI_PATCH_QUAD;
  for (int k = 0; k < 2; k++)
    uv[k] = quad ? c[0][k] + (k == 0 ? x : y) * (c[1][k] - c[0][k])
                 : c[0][k] + x * (c[1][k] - c[0][k]) + y * (c[2][k] - c[0][k]);
}

/* What is left of a patch in a piece, in the forest's frame. */
static inline void patch_of_piece(const toi_piece *piece, test_patch *p) {
  const toi_root *root = piece->root;
  size_t stride = root->stride;
  patch_make(p, root->patch->shape, root->patch->degree[0], root->patch->degree[1]);
  p->patch.weights = root->rational ? p->weights : NULL;
  for (size_t i = 0; i < root->count; i++) {
    for (size_t k = 0; k < 3; k++) {
      p->points[i][k] = piece->net[k * stride + i];
      p->velocities[i][k] = piece->net[(k + 3) * stride + i];
    }
    p->weights[i] = root->rational ? piece->net[12 * stride + i] : 1;
  }
}

#endif
