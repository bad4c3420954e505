/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/suspects.h"

#include <string.h>

/* The part of the budget that all lists may take. */
#define SHARE 16

/* Pairs that a list starts with. */
#define FIRST_ROOM 256

static size_t lists_size(const toi_context *context) {
  return toi_context_threads(context) * TOI_KIND_COUNT * sizeof(toi_suspect_list);
}

toi_status toi_suspects_begin(toi_suspects *suspects, toi_context *context) {
  const size_t lists = lists_size(context) / sizeof(toi_suspect_list);
  suspects->context = context;
  suspects->most = (size_t)(toi_budget(context) / SHARE / (lists * sizeof(toi_pair)));
  atomic_init(&suspects->given_up, false);
  suspects->lists = toi_allocate(context, lists_size(context));
  if (!suspects->lists)
    return TOI_ERROR_MEMORY;
  memset(suspects->lists, 0, lists_size(context));
  return TOI_OK;
}

void toi_suspects_end(toi_suspects *suspects) {
  for (uint32_t thread = 0; thread < toi_context_threads(suspects->context); thread++)
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
      const toi_suspect_list *list = &suspects->lists[thread][kind];
      toi_free(suspects->context, list->pairs, list->room * sizeof(toi_pair));
    }
  toi_free(suspects->context, suspects->lists, lists_size(suspects->context));
}

void toi_suspects_clear(toi_suspects *suspects) {
  for (uint32_t thread = 0; thread < toi_context_threads(suspects->context); thread++)
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
      suspects->lists[thread][kind].count = 0;
  suspects->given_up = false;
}

/* Room for `count` more; false if the list may not have it. */
static bool make_room(const toi_suspects *suspects, toi_suspect_list *list, size_t count) {
  const size_t needed = list->count + count;
  if (needed <= list->room)
    return true;
  size_t room = list->room ? 2 * list->room : FIRST_ROOM;
  room = room < needed ? needed : room;
  room = room > suspects->most ? suspects->most : room;
  if (needed > room)
    return false;
  toi_pair *moved = toi_resize(suspects->context, list->pairs, list->room * sizeof(toi_pair), room * sizeof(toi_pair));
  if (!moved)
    return false;
  list->pairs = moved;
  list->room = room;
  return true;
}

void toi_suspects_add(toi_suspects *suspects, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  toi_suspect_list *list = &suspects->lists[thread][kind];
  if (count == 0 || atomic_load_explicit(&suspects->given_up, memory_order_relaxed))
    return;
  if (!make_room(suspects, list, count)) {
    atomic_store_explicit(&suspects->given_up, true, memory_order_relaxed);
    return;
  }
  memcpy(list->pairs + list->count, pairs, count * sizeof(toi_pair));
  list->count += count;
}
