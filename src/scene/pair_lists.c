/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/pair_lists.h"

#include <string.h>

/* The part of the budget that all lists may take. */
#define SHARE 16

/* Pairs that a list starts with. */
#define FIRST_ROOM 256

static size_t lists_size(const toi_context *context) {
  return toi_context_threads(context) * TOI_KIND_COUNT * sizeof(toi_pair_list);
}

toi_status toi_pair_lists_begin(toi_pair_lists *lists, toi_context *context) {
  const size_t count = lists_size(context) / sizeof(toi_pair_list);
  lists->context = context;
  lists->most = (size_t)(toi_budget(context) / SHARE / (count * sizeof(toi_pair)));
  atomic_init(&lists->given_up, false);
  lists->of = toi_allocate(context, lists_size(context));
  if (!lists->of)
    return TOI_ERROR_MEMORY;
  memset(lists->of, 0, lists_size(context));
  return TOI_OK;
}

void toi_pair_lists_end(toi_pair_lists *lists) {
  for (uint32_t thread = 0; thread < toi_context_threads(lists->context); thread++)
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
      const toi_pair_list *list = &lists->of[thread][kind];
      toi_free(lists->context, list->pairs, list->room * sizeof(toi_pair));
      toi_free(lists->context, list->shells, list->shell_room);
    }
  toi_free(lists->context, lists->of, lists_size(lists->context));
}

bool toi_pair_list_shells(toi_context *context, toi_pair_list *list) {
  if (list->count > list->shell_room) {
    toi_free(context, list->shells, list->shell_room);
    list->shells = toi_allocate(context, list->count);
    list->shell_room = list->shells ? list->count : 0;
  }
  return list->shells != NULL;
}

void toi_pair_lists_clear(toi_pair_lists *lists) {
  for (uint32_t thread = 0; thread < toi_context_threads(lists->context); thread++)
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
      lists->of[thread][kind].count = 0;
  lists->given_up = false;
}

/* Room for `count` more; false if the list may not have it. */
static bool make_room(const toi_pair_lists *lists, toi_pair_list *list, size_t count) {
  const size_t needed = list->count + count;
  if (needed <= list->room)
    return true;
  size_t room = list->room ? 2 * list->room : FIRST_ROOM;
  room = room < needed ? needed : room;
  room = room > lists->most ? lists->most : room;
  if (needed > room)
    return false;
  toi_pair *moved = toi_resize(lists->context, list->pairs, list->room * sizeof(toi_pair), room * sizeof(toi_pair));
  if (!moved)
    return false;
  list->pairs = moved;
  list->room = room;
  return true;
}

void toi_pair_lists_add(toi_pair_lists *lists, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  toi_pair_list *list = &lists->of[thread][kind];
  if (count == 0 || atomic_load_explicit(&lists->given_up, memory_order_relaxed))
    return;
  if (!make_room(lists, list, count)) {
    atomic_store_explicit(&lists->given_up, true, memory_order_relaxed);
    return;
  }
  memcpy(list->pairs + list->count, pairs, count * sizeof(toi_pair));
  list->count += count;
}
