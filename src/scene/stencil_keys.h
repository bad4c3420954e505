/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Keys of stencils: collected on all threads, then given out in order, each once with its multiplicity, in bounded
 * memory.
 *
 * A pass over the pairs of a mesh adds the key of each pair's stencil. What is collected is a beginning of all keys in
 * their order: where memory ends, the largest keys are dropped, and a limit says from which key on they are; the next
 * pass begins there.
 *
 * Promise: after a pass, every key in [from, limit) is there, with the number of times it was added, whatever the
 * number of threads and the memory. Why: each thread has a limit of its own, which only ever falls during a pass, and
 * drops or refuses only keys at or above what it is then; the least of these limits counts for all. A pass gives at
 * least some keys: the thread with the least limit keeps half of its different keys below it. */

#ifndef TOI_SCENE_STENCIL_KEYS_H
#define TOI_SCENE_STENCIL_KEYS_H

#include "scene/sort_keys.h"

#include <toi/narrow.h>

/* Kind and first number; second number, and a note of 32 bits. */
typedef toi_sort_key toi_stencil_key;

static inline toi_stencil_key toi_stencil_key_make(toi_kind kind, toi_pair pair, uint32_t note) {
  return (toi_stencil_key){(uint64_t)kind << 32 | pair.first, (uint64_t)pair.second << 32 | note};
}
static inline toi_kind toi_key_kind(toi_stencil_key key) {
  return (toi_kind)(key.high >> 32);
}
static inline toi_pair toi_key_pair(toi_stencil_key key) {
  return (toi_pair){(uint32_t)key.high, (uint32_t)(key.low >> 32)};
}

/* Of two edges the note says something about the pair; they are added once. Of other stencils it is how often they were
 * added. */
static inline uint32_t toi_key_note(toi_stencil_key key) {
  return (uint32_t)key.low;
}

typedef struct toi_stencil_keys {
  toi_context *context;
  struct toi_key_store *stores; /* one for each thread */
  size_t most;                  /* keys that each may hold */
  toi_stencil_key from;         /* smaller keys were given out */
} toi_stencil_keys;

/* Begins with the smallest key. End it if it succeeded. */
toi_status toi_stencil_keys_make(toi_context *context, toi_stencil_keys *keys);
void toi_stencil_keys_end(toi_stencil_keys *keys);

/* Adds a key, on a thread. It never fails: where memory ends, keys are dropped. */
void toi_stencil_keys_add(toi_stencil_keys *keys, uint32_t thread, toi_stencil_key own);

/* Whether the keys of the pass hold memory that something else may have lacked: then they are thrown away, and the pass
 * is to be made again with less. */
bool toi_stencil_keys_shrink(toi_stencil_keys *keys);

/* After a pass: sorts on all threads, and merges. */
toi_status toi_stencil_keys_sort(toi_stencil_keys *keys);

/* The next keys in order, at most `count`; 0 if there are no more in this pass. */
size_t toi_stencil_keys_next(toi_stencil_keys *keys, toi_stencil_key *next, size_t count);

/* Whether another pass is to be made; it begins where this one ended, with no keys. */
bool toi_stencil_keys_again(toi_stencil_keys *keys);

#endif
