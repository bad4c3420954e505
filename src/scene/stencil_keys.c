/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/stencil_keys.h"

#include <assert.h>
#include <string.h>

/* Keys that a store begins with. */
#define FIRST_ROOM 64

typedef toi_stencil_key key;

static const key no_limit = {UINT64_MAX, UINT64_MAX};

typedef struct toi_key_store {
  key *keys;
  size_t count, room;
  size_t next; /* the first that was not given out yet */
  key limit;   /* keys from here on were dropped */
} store;

/* --- order --- */

static bool same(key a, key b) {
  return a.high == b.high && a.low >> 32 == b.low >> 32;
}

static bool before(key a, key b) {
  return a.high < b.high || (a.high == b.high && a.low >> 32 < b.low >> 32);
}

/* Adds the number of times that a key was added to that of its equal. */
static void add_note(key *to, key own) {
  assert(same(*to, own) && toi_key_kind(own) != TOI_EDGE_EDGE);
  to->low += toi_key_note(own);
}

static void sort_and_merge(toi_context *context, store *s) {
  size_t kept = 0;
  toi_sort_keys(context, s->keys, s->count);
  for (size_t i = 0; i < s->count; i++)
    if (kept > 0 && same(s->keys[kept - 1], s->keys[i]))
      add_note(&s->keys[kept - 1], s->keys[i]);
    else
      s->keys[kept++] = s->keys[i];
  s->count = kept;
}

/* --- collecting --- */

/* False at the most that a store may hold, even where it could not be made smaller than it was. */
static bool grow(const toi_stencil_keys *keys, store *s) {
  const size_t room = s->room < keys->most / 2 ? 2 * s->room : keys->most;
  if (room <= s->room || room > SIZE_MAX / sizeof(key))
    return false;
  key *moved = toi_resize(keys->context, s->keys, s->room * sizeof(key), room * sizeof(key));
  if (!moved)
    return false;
  s->keys = moved;
  s->room = room;
  return true;
}

/* Room by merging; where keys differ, by dropping the larger half of them. */
static void make_room(toi_context *context, store *s) {
  sort_and_merge(context, s);
  if (s->count <= s->room / 2)
    return;
  s->count = s->room / 2;
  s->limit = s->keys[s->count];
}

void toi_stencil_keys_add(toi_stencil_keys *keys, uint32_t thread, toi_stencil_key own) {
  assert(thread < toi_context_threads(keys->context));
  store *s = &keys->stores[thread];
  if (before(own, keys->from) || !before(own, s->limit))
    return;
  if (s->count == s->room && !grow(keys, s)) {
    make_room(keys->context, s);
    if (!before(own, s->limit))
      return;
  }
  s->keys[s->count++] = own;
}

/* --- passes --- */

static void empty(const toi_stencil_keys *keys) {
  for (uint32_t i = 0; i < toi_context_threads(keys->context); i++) {
    store *s = &keys->stores[i];
    s->count = s->next = 0;
    s->limit = no_limit;
  }
}

toi_status toi_stencil_keys_make(toi_context *context, toi_stencil_keys *keys) {
  const uint32_t threads = toi_context_threads(context);
  *keys = (toi_stencil_keys){.context = context, .most = SIZE_MAX / sizeof(key)};
  keys->stores = toi_allocate(context, threads * sizeof(store));
  if (!keys->stores)
    return TOI_ERROR_MEMORY;
  memset(keys->stores, 0, threads * sizeof(store));
  for (uint32_t i = 0; i < threads; i++) {
    keys->stores[i].keys = toi_allocate(context, FIRST_ROOM * sizeof(key));
    if (!keys->stores[i].keys) {
      toi_stencil_keys_end(keys);
      return TOI_ERROR_MEMORY;
    }
    keys->stores[i].room = FIRST_ROOM;
  }
  empty(keys);
  return TOI_OK;
}

void toi_stencil_keys_end(toi_stencil_keys *keys) {
  const uint32_t threads = toi_context_threads(keys->context);
  for (uint32_t i = 0; i < threads; i++)
    if (keys->stores[i].keys)
      toi_free(keys->context, keys->stores[i].keys, keys->stores[i].room * sizeof(key));
  toi_free(keys->context, keys->stores, threads * sizeof(store));
}

bool toi_stencil_keys_shrink(toi_stencil_keys *keys) {
  size_t largest = 0;
  for (uint32_t i = 0; i < toi_context_threads(keys->context); i++)
    largest = keys->stores[i].room > largest ? keys->stores[i].room : largest;
  if (largest > keys->most)
    largest = keys->most;
  if (largest <= FIRST_ROOM)
    return false;
  keys->most = largest / 2 > FIRST_ROOM ? largest / 2 : FIRST_ROOM;
  for (uint32_t i = 0; i < toi_context_threads(keys->context); i++) {
    store *s = &keys->stores[i];
    key *moved = toi_resize(keys->context, s->keys, s->room * sizeof(key), FIRST_ROOM * sizeof(key));
    if (!moved)
      continue;
    s->keys = moved;
    s->room = FIRST_ROOM;
  }
  empty(keys);
  return true;
}

static toi_status sort_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const toi_stencil_keys *keys = user;
  for (size_t i = begin; i < end; i++)
    sort_and_merge(keys->context, &keys->stores[i]);
  return TOI_OK;
}

/* Where the keys of this pass end. */
static key least_limit(const toi_stencil_keys *keys) {
  key least = no_limit;
  for (uint32_t i = 0; i < toi_context_threads(keys->context); i++)
    least = before(keys->stores[i].limit, least) ? keys->stores[i].limit : least;
  return least;
}

toi_status toi_stencil_keys_sort(toi_stencil_keys *keys) {
  const uint32_t threads = toi_context_threads(keys->context);
  const toi_status status = toi_parallel(keys->context, threads, 1, sort_task, keys);
  const key limit = least_limit(keys);
  for (uint32_t i = 0; i < threads; i++) {
    store *s = &keys->stores[i];
    while (s->count > 0 && !before(s->keys[s->count - 1], limit))
      s->count--;
    s->limit = limit;
  }
  return status;
}

size_t toi_stencil_keys_next(toi_stencil_keys *keys, toi_stencil_key *next, size_t count) {
  const uint32_t threads = toi_context_threads(keys->context);
  size_t given = 0;
  for (; given < count; given++) {
    key least = no_limit;
    for (uint32_t i = 0; i < threads; i++) {
      const store *s = &keys->stores[i];
      if (s->next < s->count && before(s->keys[s->next], least))
        least = s->keys[s->next];
    }
    if (!before(least, no_limit))
      return given;
    least.low -= toi_key_kind(least) == TOI_EDGE_EDGE ? 0 : toi_key_note(least);
    next[given] = least;
    for (uint32_t i = 0; i < threads; i++) {
      store *s = &keys->stores[i];
      if (s->next == s->count || !same(s->keys[s->next], least))
        continue;
      if (toi_key_kind(least) != TOI_EDGE_EDGE)
        add_note(&next[given], s->keys[s->next]);
      s->next++;
    }
  }
  return given;
}

bool toi_stencil_keys_again(toi_stencil_keys *keys) {
  const key limit = least_limit(keys);
  if (!before(limit, no_limit))
    return false;
  assert(before(keys->from, limit));
  keys->from = limit;
  empty(keys);
  return true;
}
