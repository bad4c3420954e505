/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lists of pairs by kind, filled on every thread, in a bounded share of the context's budget. A list that would take
 * more is given up, and its owner does without it: in a line search, the suspects that no plane cleared; in a scene
 * that is kept, the pairs that are near each other. */

#ifndef TOI_SCENE_PAIR_LISTS_H
#define TOI_SCENE_PAIR_LISTS_H

#include <stdatomic.h>

#include "base/internal.h"

#include <toi/narrow.h>

typedef struct toi_pair_list {
  toi_pair *pairs;
  size_t count, room;
  uint8_t *shells;   /* of each pair, where the owner gave the list some; NULL: none */
  size_t shell_room; /* bytes of it */
} toi_pair_list;

typedef struct toi_pair_lists {
  toi_context *context;
  toi_pair_list (*of)[TOI_KIND_COUNT]; /* one row for each thread */
  size_t most;                         /* pairs in one list */
  atomic_bool given_up;                /* there were more */
} toi_pair_lists;

/* Empty lists; or TOI_ERROR_MEMORY. End them if it succeeded. */
toi_status toi_pair_lists_begin(toi_pair_lists *lists, toi_context *context);
void toi_pair_lists_end(toi_pair_lists *lists);

/* Room for the shells of a list, one for each of its pairs; false: there is none, and the list has no shells. */
bool toi_pair_list_shells(toi_context *context, toi_pair_list *list);

/* A pass begins. */
void toi_pair_lists_clear(toi_pair_lists *lists);

/* Called by thread `thread`. */
void toi_pair_lists_add(toi_pair_lists *lists, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count);

#endif
