/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models inside the room: which pairs of their patches can touch, and the solver asked about all of them at once. */

#ifndef TOI_SURFACE_MODEL_H
#define TOI_SURFACE_MODEL_H

#include "surface/surface.h"

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
