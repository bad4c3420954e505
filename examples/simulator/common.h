/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What all files of the simulator share: errors as a sentence, memory, and where the time goes. */

#ifndef SIMULATOR_COMMON_H
#define SIMULATOR_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One sentence: what is wrong, where, and what to do. */
typedef struct sim_fault {
  char text[1024];
} sim_fault;

/* Writes the sentence and returns false, so that `return refuse(...)` reads well. */
bool refuse(sim_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory for `count` things of `size` bytes. A process that has none left ends with a sentence: what it wrote
 * is whole, and --resume goes on from there. */
void *take(size_t count, size_t size);

/* The same for an array that grows: room for `count` things of `size` bytes, and *capacity says for how many. */
void *grow(void *array, size_t *capacity, size_t count, size_t size);

/* What a run spends its time on. */
typedef enum sim_share {
  SHARE_ASSEMBLY,  /* gradients and Hessians of all energies, and their sum in the sparse matrix */
  SHARE_FACTOR,    /* ordering, factorisation, solution */
  SHARE_PROXIMITY, /* contact: toi_scene_proximity() and what is made of its pairs */
  SHARE_CCD,       /* contact: toi_scene_line_search() */
  SHARE_ENERGY,    /* the elastic energy of tried positions */
  SHARE_CHECK,     /* toi_scene_intersects() */
  SHARE_OUTPUT,    /* files */
  SHARE_COUNT
} sim_share;

typedef struct sim_shares {
  double seconds[SHARE_COUNT];
} sim_shares;

/* Seconds on a clock that only goes forward. */
double clock_seconds(void);

/* Adds what has passed since `began` to a share, and returns the time now. */
double share_add(sim_shares *shares, sim_share share, double began);

#endif
