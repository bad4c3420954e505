/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The linear system of Newton's method: a gradient, and a sparse symmetric matrix of 3 x 3 blocks, one block row per
 * vertex of the cloth. Blocks on and below the diagonal are stored, column by column.
 *
 * The pattern starts as that of the elastic energies; contact adds blocks as it needs them. */

#ifndef SIMULATOR_SYSTEM_H
#define SIMULATOR_SYSTEM_H

#include "common.h"

typedef struct sim_system {
  size_t count;        /* block rows */
  size_t *column;      /* blocks of block column j: from column[j] to column[j + 1] */
  uint32_t *row;       /* of each block, ascending in a column, the diagonal first */
  double *value;       /* 9 per block. Column j has k blocks: its 3 scalar columns, 3 k long, follow each other */
  double *gradient;    /* 3 per block row */
  uint64_t generation; /* changes with the pattern */

  uint64_t *keys; /* of the present pattern: column in the upper half, row in the lower, ascending */
  size_t key_count;
  uint64_t *base_keys; /* of the elastic pattern */
  size_t base_count;
  uint64_t *missing; /* asked for and not there yet */
  size_t missing_count, missing_room;
} sim_system;

/* The pattern of elements of `width` vertices each; elements[i] at `elements` + i * stride. Call it once per kind of
 * element, then system_finish(). */
void system_start(sim_system *s, size_t count);
void system_need(sim_system *s, const uint32_t *vertices, int width);
void system_finish(sim_system *s);
void system_free(sim_system *s);

/* Back to the elastic pattern. */
void system_reset(sim_system *s);

/* Asks for the blocks of some vertices, of which those from `count` on are not in the system; system_extend() then
 * adds what is missing. */
void system_extend(sim_system *s);

/* All values to zero. */
void system_clear(sim_system *s);

/* Adds a block; its place must be in the pattern. Vertices that are not in the system are skipped. */
void system_add(sim_system *s, uint32_t i, uint32_t j, const double *block);
void system_add_gradient(sim_system *s, uint32_t i, const double gradient[3]);

#endif
