/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the forms of batches share. */

#ifndef TOI_NARROW_BATCH_H
#define TOI_NARROW_BATCH_H

#include <stdatomic.h>

#include "base/internal.h"
#include "narrow/answer.h"

/* A batch under way, shared by the threads. */
typedef struct toi_batch_job {
  toi_context *context;
  toi_kind kind;
  const double *queries; /* NULL: gathered from the mesh */
  toi_mesh mesh;
  const toi_pair *pairs;
  size_t count;
  toi_options options;
  toi_hit *hits;
  toi_answerer answerer;
  _Atomic uint64_t verdicts[TOI_COUNTERS];
  _Atomic uint64_t levels[TOI_COUNTERS];
  _Atomic size_t unanswered; /* the first query that the plug-in could not answer */
} toi_batch_job;

/* Takes and checks the options, and finds who answers; then, the mesh. */
toi_status toi_batch_begin(toi_batch_job *job, const toi_options *given);
toi_status toi_batch_take_mesh(toi_batch_job *job, const toi_mesh *given);

/* A chunk of the batch but for its queries and hits; answers it, its first query being number `first`, and counts. */
toi_chunk toi_batch_chunk(const toi_batch_job *job, uint32_t thread, toi_counters *counters);
toi_status toi_batch_run(toi_batch_job *job, const toi_chunk *chunk, size_t first);

/* The plug-in could not answer this query. */
void toi_batch_note_unanswered(toi_batch_job *job, size_t number);

/* Adds what was counted elsewhere. */
void toi_batch_count(toi_batch_job *job, const toi_counters *counters);

/* At the end of a batch that succeeded: job->count queries are added to the caller's counters. */
void toi_batch_add_counters(const toi_batch_job *job);

/* The sentence for a batch that failed; for want of memory, the one that stands there already. */
toi_status toi_batch_explain(const toi_batch_job *job, toi_status status);
toi_status toi_batch_explain_indexed(const toi_batch_job *job, toi_status status);

#endif
