/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The surface room inside: what a solver is given, and what it gives back. */

#ifndef TOI_SURFACE_SURFACE_H
#define TOI_SURFACE_SURFACE_H

#include "surface/directions.h"
#include "surface/fitting.h"
#include "surface/piece.h"
#include "surface/prove.h"

/* Pairs of whole patches to look at; a search starts from all of them at once. */
typedef struct toi_patch_pairs {
  const toi_patch *a, *b; /* checked; the same array for a model against itself */
  size_t a_count, b_count;
  const toi_pair *pairs; /* numbers in a and in b; NULL: the one pair (0, 0) */
  size_t count;
  const bool *used; /* whether a patch of a, then of b if that is another array, occurs in pairs; NULL: all do */
} toi_patch_pairs;

/* One question to a solver. Memory comes from scratch of worker `thread` of the context. */
typedef struct toi_surface_question {
  toi_patch_pairs pairs;
  const toi_surface_options *options; /* checked; t_max from here */
  uint32_t thread;
  double bracket; /* a hit's need be no narrower than this, in time, whatever the options say; 0 */
  bool rough;     /* near is as good an answer as any, the caller will ask again: no long looks for a proof */
  const toi_turning *turning;                /* NULL, or bodies that turn: patches are where they are at t_max / 2 */
  bool (*progress)(void *user, double done); /* NULL: the options', which are the caller's */
  void *progress_user;
  /* NULL, or each contact is given away: see toi_model_contacts. False: enough of them. */
  bool (*visit)(void *user, const toi_surface_hit *contact);
  void *user;
} toi_surface_question;

/* TOI_ERROR_MEMORY (without a sentence) or TOI_ERROR_CANCELLED; a hit otherwise. */
typedef toi_status (*toi_surface_solver)(toi_context *context, const toi_surface_question *question,
                                         toi_surface_hit *hit);

toi_status toi_time_inclusion_surface(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit);
toi_status toi_swept_boxes(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit);

/* Whether a pair is one of flat triangles that are known exactly: triangles of degree 1, polynomial or of equal
 * weights, without errors, each coordinate of whose corners at t_max is a double. Both patches were checked. A budget
 * of checks that is smaller than such a pair may take is left to the search. */
bool toi_flat_suits(const toi_patch *a, const toi_patch *b, const toi_surface_options *options);

/* First contact of a pair that suits, exactly: hit or miss, never near. The bracket is at most 2^-48 of t_max wide, up
 * to rounding. Checks are queries of the narrow phase: none where boxes or a crossing at the start decide. The hit is
 * written unless memory is short, TOI_ERROR_MEMORY; that comes from scratch of worker `thread`. */
toi_status toi_flat_pair(toi_context *context, uint32_t thread, const toi_patch *a, const toi_patch *b,
                         const toi_surface_options *options, toi_surface_hit *hit);

/* Gives away the contacts of the moment that begins with `first`: see toi_model_contacts. What ended it early, if
 * anything did, becomes the end of `first`. */
toi_status toi_contacts_walk(toi_context *context, const toi_surface_question *question, toi_surface_hit *first);

/* Asks the method of the options. */
toi_status toi_surface_solve(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit);

/* The safe answer, and that of a miss. */
toi_surface_hit toi_surface_near(void);
toi_surface_hit toi_surface_miss(double t_max);

/* What every call begins and ends with: the safe answer in *hit, and the caller's options, checked, in *taken; and a
 * sentence for what has none yet, with the safe answer again. `what` is such as "these models". */
toi_status toi_surface_begin(toi_context *context, const toi_surface_options *options, toi_surface_options *taken,
                             toi_surface_hit *hit);
toi_status toi_surface_end_call(toi_context *context, toi_status status, const char *what, toi_surface_hit *hit);

/* --- checks, with a sentence that names the place; `name` is such as "a" or "patch 7 of the first model" --- */

/* Of a patch in today's layout, and of all of a model's, whose name is such as "the first model". */
toi_status toi_patch_check(toi_context *context, const toi_patch *patch, const char *name);
toi_status toi_model_check(toi_context *context, const toi_model *model, const char *name);

/* --- what the caller gives, of whatever layout it is, in today's --- */

toi_status toi_surface_take_options(toi_context *context, const toi_surface_options *given, toi_surface_options *taken);

/* A patch, checked. */
toi_status toi_patch_take(toi_context *context, const toi_patch *given, const char *name, toi_patch *taken);

/* Case `number` of an array, its two patches checked and copied to patches[0] and [1], to which taken->a and b point.
 */
toi_status toi_case_take(toi_context *context, const toi_patch_case *cases, size_t number, toi_patch patches[2],
                         toi_patch_case *taken);

/* A model whose patches lie as today's compiler puts them: in the caller's own array, or in a copy. They are not
 * checked yet. `name` is such as "the first model". Give it back after, also on failure. */
typedef struct toi_taken_model {
  toi_model model;
  toi_patch *copy; /* NULL: the array is the caller's */
} toi_taken_model;
toi_status toi_model_take(toi_context *context, const toi_model *given, const char *name, toi_taken_model *taken);
void toi_model_give_back(toi_context *context, toi_taken_model *taken);

/* --- a proved contact --- */

typedef struct toi_touch {
  const toi_root *root[2];
  toi_moment at; /* they touch at or before this time, proved, near these parameters */
} toi_touch;

/* A solver's last step: parameters, point, normals and distance at a place and time. proved: they touch there, a hit.
 */
void toi_surface_place(const toi_forest *forest, const toi_touch *touch, bool proved, toi_surface_hit *hit);

/* Looks for contacts of pieces, and proves them. It remembers what it knows of the pair of patches seen last. */
typedef struct toi_finder {
  double separation;
  toi_norm norm;
  bool stay;     /* take the contact next to the pieces, rather than the first one of the neighbourhood */
  bool thorough; /* spend more on a proof: there may be no second try */
  toi_prover prover;
} toi_finder;

/* Looks for a contact of two pieces' patches, as early as can be, from the pieces on and around the time t, and proves
 * it: true only if there is one at or before touch->at.t. It may lie outside the pieces. */
bool toi_find_touch(toi_finder *finder, const toi_piece *a, const toi_piece *b, double t, toi_touch *touch);

/* Whether two points are within the separation at the time of *at, or a little later: *at is then that time. */
bool toi_prove_within(const toi_finder *finder, toi_moment *at);

#endif
