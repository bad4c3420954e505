/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Suspects: the candidates of a pass that no plane cleared, listed by kind on every thread.
 *
 * The plane filter clears a pair for all end positions that rounding may make of a step (plane_filter.h). So a line
 * search that tries such positions need only ask about the suspects. A list that would take more than its share of the
 * context's budget is given up: the try then makes a pass of its own, with the same answer. */

#ifndef TOI_SCENE_SUSPECTS_H
#define TOI_SCENE_SUSPECTS_H

#include <stdatomic.h>

#include "base/internal.h"

#include <toi/narrow.h>

typedef struct toi_suspect_list {
  toi_pair *pairs;
  size_t count, room;
} toi_suspect_list;

typedef struct toi_suspects {
  toi_context *context;
  toi_suspect_list (*lists)[TOI_KIND_COUNT]; /* one row for each thread */
  size_t most;                               /* pairs in one list */
  atomic_bool given_up;                      /* there were more */
} toi_suspects;

/* Empty lists; or TOI_ERROR_MEMORY. End them if it succeeded. */
toi_status toi_suspects_begin(toi_suspects *suspects, toi_context *context);
void toi_suspects_end(toi_suspects *suspects);

/* A pass begins. */
void toi_suspects_clear(toi_suspects *suspects);

/* Called by thread `thread`. */
void toi_suspects_add(toi_suspects *suspects, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count);

#endif
