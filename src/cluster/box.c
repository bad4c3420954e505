/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/box.h"

#include <stdlib.h>

toi_box toi_box_of_vertex(const toi_growth *growth, const double at[6]) {
  toi_box box;
  double way = 0;
  for (int k = 0; k < 3; k++)
    way += fabs(at[3 + k] - at[k]);
  double by = growth->radius;
  if (growth->reach > 0 && way > 0)
    by += growth->reach * way * growth->t;
  for (int k = 0; k < 3; k++) {
    // With t between 0 and 1 no position is beyond the end; what overflows is bounded by it too.
    const double end = growth->t == 1 ? at[3 + k] : at[k] + growth->t * (at[3 + k] - at[k]);
    const double least = fmin(at[k], at[3 + k]), most = fmax(at[k], at[3 + k]);
    const double slack = TOI_BOX_SLACK * (fmax(fabs(least), fabs(most)) + by) + TOI_BOX_LEAST;
    box.lo[k] = fmax(least, fmin(at[k], end)) - by - slack;
    box.hi[k] = fmin(most, fmax(at[k], end)) + by + slack;
  }
  return box;
}

/* --- order --- */

#define KEY_BITS 20

/* Axes to a Hilbert index, by the transposed form: bits of all axes, highest first, are undone from the top. */
static uint64_t hilbert(uint32_t x[3]) {
  for (uint32_t q = 1u << (KEY_BITS - 1); q > 1; q >>= 1)
    for (int i = 0; i < 3; i++) {
      const uint32_t low = q - 1;
      if (x[i] & q) {
        x[0] ^= low;
      } else {
        const uint32_t swap = (x[0] ^ x[i]) & low;
        x[0] ^= swap;
        x[i] ^= swap;
      }
    }
  x[1] ^= x[0];
  x[2] ^= x[1];
  uint32_t flips = 0;
  for (uint32_t q = 1u << (KEY_BITS - 1); q > 1; q >>= 1)
    if (x[2] & q)
      flips ^= q - 1;
  uint64_t key = 0;
  for (int bit = KEY_BITS - 1; bit >= 0; bit--)
    for (int i = 0; i < 3; i++)
      key = key << 1 | ((x[i] ^ flips) >> bit & 1);
  return key;
}

uint64_t toi_hilbert_key(const toi_box *grid, const double at[3]) {
  uint32_t cell[3];
  for (int k = 0; k < 3; k++) {
    const double part = (at[k] / 2 - grid->lo[k] / 2) / (grid->hi[k] / 2 - grid->lo[k] / 2);
    const double place = part * (1u << KEY_BITS);
    // No extent, or beyond it: the keys decide order alone.
    cell[k] = place >= 0 && place < (1u << KEY_BITS) ? (uint32_t)place : place >= 1 ? (1u << KEY_BITS) - 1 : 0;
  }
  return hilbert(cell);
}

uint32_t *toi_box_order(toi_cluster *cluster, const toi_box *boxes, size_t count) {
  uint64_t *rows = toi_cluster_allocate(cluster, 2 * count, sizeof *rows); // keys, numbers
  uint32_t *order = toi_cluster_allocate(cluster, count, sizeof *order);
  toi_box grid = toi_box_empty();
  for (size_t i = 0; i < count; i++)
    toi_box_join(&grid, &boxes[i]);
  for (size_t i = 0; rows != NULL && i < count; i++) {
    double centre[3];
    for (int k = 0; k < 3; k++)
      centre[k] = boxes[i].lo[k] / 2 + boxes[i].hi[k] / 2;
    rows[2 * i] = toi_hilbert_key(&grid, centre);
    rows[2 * i + 1] = i;
  }
  const bool sorted = rows != NULL && order != NULL && toi_sort_rows(rows, count);
  for (size_t i = 0; sorted && i < count; i++)
    order[i] = (uint32_t)rows[2 * i + 1];
  free(rows);
  if (!sorted) {
    free(order);
    order = NULL;
  }
  return order;
}

/* --- the tree --- */

static toi_status make_levels(toi_cluster *cluster, toi_box_tree *tree) {
  for (int level = 0; tree->counts[level] > 1; level++) {
    const size_t below = tree->counts[level], count = (below + 7) / 8;
    toi_box *boxes = toi_cluster_allocate(cluster, count, sizeof *boxes);
    if (boxes == NULL)
      return TOI_ERROR_MEMORY;
    for (size_t i = 0; i < below; i++) {
      if (i % 8 == 0)
        boxes[i / 8] = toi_box_empty();
      toi_box_join(&boxes[i / 8], &tree->levels[level][i]);
    }
    tree->levels[level + 1] = boxes;
    tree->counts[level + 1] = count;
    tree->height = level + 2;
  }
  return TOI_OK;
}

toi_status toi_box_tree_make(toi_cluster *cluster, const toi_box *boxes, size_t count, toi_box_tree *tree) {
  *tree = (toi_box_tree){0};
  if (count == 0)
    return TOI_OK;
  uint32_t *order = toi_box_order(cluster, boxes, count);
  tree->levels[0] = toi_cluster_allocate(cluster, count, sizeof *boxes);
  tree->counts[0] = count;
  tree->height = 1;
  toi_status status = order != NULL && tree->levels[0] != NULL ? TOI_OK : TOI_ERROR_MEMORY;
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    tree->levels[0][i] = boxes[order[i]];
  free(order);
  return status == TOI_OK ? make_levels(cluster, tree) : status;
}

void toi_box_tree_free(toi_box_tree *tree) {
  for (int level = 0; level < TOI_TREE_LEVELS; level++)
    free(tree->levels[level]);
  *tree = (toi_box_tree){0};
}

bool toi_box_tree_meets(const toi_box_tree *tree, const toi_box *box) {
  struct {
    int level;
    size_t at;
  } stack[8 * TOI_TREE_LEVELS];
  int depth = 0;
  if (tree->height > 0 && toi_box_meets(&tree->levels[tree->height - 1][0], box)) {
    stack[depth].level = tree->height - 1;
    stack[depth++].at = 0;
  }
  while (depth > 0) {
    depth--;
    const int level = stack[depth].level - 1;
    const size_t first = 8 * stack[depth].at;
    if (level < 0)
      return true;
    for (size_t i = first; i < first + 8 && i < tree->counts[level]; i++)
      if (toi_box_meets(&tree->levels[level][i], box)) {
        if (level == 0)
          return true;
        stack[depth].level = level;
        stack[depth++].at = i;
      }
  }
  return false;
}
