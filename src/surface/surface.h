/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The surface room inside: what a solver is given, and what it gives back. */

#ifndef TOI_SURFACE_SURFACE_H
#define TOI_SURFACE_SURFACE_H

#include "surface/piece.h"

/* Pairs of whole patches to look at; a search starts from all of them at once. */
typedef struct toi_patch_pairs {
  const toi_patch *a, *b; /* checked; the same array for a model against itself */
  size_t a_count, b_count;
  const toi_pair *pairs; /* numbers in a and in b; NULL: the one pair (0, 0) */
  size_t count;
} toi_patch_pairs;

/* One question to a solver. Memory comes from scratch of worker `thread` of the context. */
typedef struct toi_surface_question {
  toi_patch_pairs pairs;
  const toi_surface_options *options; /* checked; t_max from here */
  uint32_t thread;
  /* NULL, or each contact is given away: see toi_model_contacts. */
  bool (*visit)(void *user, const toi_surface_hit *contact);
  void *user;
} toi_surface_question;

/* TOI_ERROR_MEMORY (without a sentence) or TOI_ERROR_CANCELLED; a hit otherwise. */
typedef toi_status (*toi_surface_solver)(toi_context *context, const toi_surface_question *question,
                                         toi_surface_hit *hit);

toi_status toi_time_inclusion_surface(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit);
toi_status toi_swept_boxes(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit);

/* The solver of a name, NULL being the default's; NULL if there is none. */
toi_surface_solver toi_surface_find(const char *method);

/* The safe answer, and that of a miss. */
toi_surface_hit toi_surface_near(void);
toi_surface_hit toi_surface_miss(double t_max);

/* --- checks, with a sentence that names the place; `name` is such as "a" or "patch 7 of the first model" --- */

toi_status toi_surface_check_options(toi_context *context, const toi_surface_options *options);
toi_status toi_patch_check(toi_context *context, const toi_patch *patch, const char *name);

/* --- a proved contact --- */

typedef struct toi_touch {
  double t;          /* they touch at or before this time, proved */
  double a[2], b[2]; /* near these parameters */
} toi_touch;

/* A solver's last step: point, normals and distance at a place and time, from the patches as they are given. */
void toi_surface_place(const toi_patch *a, const toi_patch *b, const toi_touch *touch, toi_surface_hit *hit);

/* Looks for a contact of two pieces at a time in [0, t_max], as early as it can, starting from the middle of the pieces
 * and the time `t`, and proves it: true only if there is one. The contact may lie outside the pieces. d: within this
 * distance. */
typedef struct toi_finder {
  const toi_patch *a, *b;
  double t_max;
  double separation;
  toi_norm norm;
} toi_finder;
bool toi_find_touch(const toi_finder *finder, const toi_piece *a, const toi_piece *b, double t, toi_touch *touch);

#endif
