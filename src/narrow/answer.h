/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Who answers: the built-in method or the plug-in that the options name. */

#ifndef TOI_NARROW_ANSWER_H
#define TOI_NARROW_ANSWER_H

#include "narrow/method.h"
#include "narrow/plugin.h"

typedef struct toi_answerer {
  const toi_method *method; /* NULL: the plug-in */
  toi_plugin *plugin;
} toi_answerer;

/* Fails if there is no such method, or it does not answer with the separation of the options. Without a context only
 * built-in methods are found. */
toi_status toi_answerer_find(toi_context *context, const toi_options *options, toi_answerer *answerer);

/* Answers a chunk. TOI_ERROR_PLUGIN: the plug-in could not answer query *unanswered of it. */
toi_status toi_answer(const toi_answerer *answerer, const toi_chunk *chunk, size_t *unanswered);

/* --- pairs of a mesh --- */

/* The most pairs at a time: their queries, 24 KiB, are gathered on the stack. */
#define TOI_GATHER_PAIRS 128

/* The thicknesses of both primitives, rounded down: boxes are grown by no less. */
double toi_pair_thickness(toi_kind kind, const toi_mesh *mesh, toi_pair pair);

/* The chunk's queries are those of `pairs`, at most TOI_GATHER_PAIRS, whose numbers are in range; all else in the chunk
 * is set by the caller, and stays. The mesh's thickness counts. */
toi_status toi_answer_pairs(const toi_answerer *answerer, const toi_chunk *chunk, const toi_mesh *mesh,
                            const toi_pair *pairs, size_t *unanswered);

#endif
