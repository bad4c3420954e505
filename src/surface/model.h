/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models inside the room: boxes and neighbours among their patches, which pairs of them can touch, and the solver asked
 * about all of these at once. */

#ifndef TOI_SURFACE_MODEL_H
#define TOI_SURFACE_MODEL_H

#include "broad/boxes.h"
#include "surface/surface.h"

/* --- patches of models --- */

/* A closed box of finite coordinates around all that is meant by a checked patch, at all times in [0, t_max], grown by
 * half the separation. Two patches whose boxes are apart keep a larger distance than the separation, in both norms.
 * What lies beyond the largest double is taken to lie there, so that boxes that meet beyond it still meet. */
void toi_patch_box(const toi_patch *patch, double t_max, double separation, toi_swept_box *box);

static inline bool toi_patch_boxes_meet(const toi_swept_box *a, const toi_swept_box *b) {
  bool meet = true;
  for (int k = 0; k < 3; k++)
    meet &= (a->lo[k] <= b->hi[k]) & (b->lo[k] <= a->hi[k]);
  return meet;
}

/* The most patches whose corners can be numbered. */
#define TOI_NEIGHBOURS_MOST (UINT32_C(1) << 29)

/* Numbers of a patch's corners; a triangle's third is there twice. */
typedef struct toi_patch_corners {
  uint32_t at[4];
} toi_patch_corners;

/* Numbers the corners of all patches, so that two have the same number just if they are at the same position and move
 * with the same velocity, as numbers: zeroes of either sign are the same, and no velocities are zeroes. Patches were
 * checked. Expected time is linear, in whatever way corners coincide. */
toi_status toi_patch_corners_number(toi_context *context, const toi_patch *patches, size_t count,
                                    toi_patch_corners *corners);

/* Whether they are neighbours. */
static inline bool toi_patch_corners_shared(const toi_patch_corners *a, const toi_patch_corners *b) {
  bool shared = false;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      shared |= a->at[i] == b->at[j];
  return shared;
}

/* --- pairs --- */

/* Pairs of patches, in order: by the first number, then by the second. */
typedef struct toi_model_pairs {
  toi_pair *pairs;
  size_t count;
  size_t room; /* pairs that there is memory for */
} toi_model_pairs;

/* The pairs of two models (or of one with itself: b NULL) whose swept boxes over [0, options->t_max] meet, less pairs
 * of neighbours if b is NULL. Models are checked here, options were before. Free the pairs after, also on failure. */
toi_status toi_model_pairs_find(toi_context *context, const toi_model *a, const toi_model *b,
                                const toi_surface_options *options, toi_model_pairs *found);
void toi_model_pairs_free(toi_context *context, toi_model_pairs *found);

/* Asks about all pairs of the models that can touch. Everything in the question but its pairs is the caller's. */
toi_status toi_model_ask(toi_context *context, const toi_model *a, const toi_model *b,
                         const toi_surface_question *question, toi_surface_hit *hit);

#endif
