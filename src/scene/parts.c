/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Records in order, in parts that fit.
 *
 * Each thread keeps its records and their keys in arrays of its own. A part that was run to its end is sorted, each
 * thread's keys by one task, and merged into the visitor's batches. A part that ran out of memory while it held records
 * is thrown away and run again, smaller: first kind by kind, then in halves of the first numbers. Nothing of it was
 * streamed, so that the parts that are, one after the other, make up the whole in order. */

#include "scene/parts.h"

#include <assert.h>
#include <string.h>

#include "scene/sort_keys.h"

/* Bytes of a batch for the visitor, on the stack. */
#define BATCH_BYTES 16384

/* Records that an array starts with. */
#define FIRST_ROOM 64

/* Where a record comes in the order: rank of its kind and first number; second number, and index in the thread's array,
 * which orders nothing. */
typedef toi_sort_key key;

/* An array that grows. */
typedef struct array {
  void *items;
  size_t room;
} array;

typedef struct toi_part_store {
  array records, keys;
  size_t count;
  size_t next; /* the first that was not streamed yet */
  uint64_t hits[TOI_JOIN_COUNT];
} store;

/* Kinds in the order of their records. */
static const toi_join_kind in_order[TOI_JOIN_COUNT] = {
    TOI_JOIN_EDGE_FACE,     TOI_JOIN_VERTEX_FACE, TOI_JOIN_EDGE_EDGE,        TOI_JOIN_VERTEX_EDGE,
    TOI_JOIN_VERTEX_VERTEX, TOI_JOIN_FACE_FACE,   TOI_JOIN_VERTEX_HALF_SPACE};

static uint64_t rank_of(toi_join_kind kind) {
  return kind == TOI_JOIN_EDGE_FACE ? 0 : kind < TOI_JOIN_EDGE_FACE ? 1 + (uint64_t)kind : (uint64_t)kind;
}

/* --- arrays --- */

/* Makes room for `more` items beyond `count`: an eighth more where doubling is refused. */
static bool make_room(toi_context *context, array *a, size_t count, size_t more, size_t size) {
  if (more <= a->room - count)
    return true;
  size_t wanted[2] = {(a->room ? 2 * a->room : FIRST_ROOM) + more, count + more + a->room / 8};
  for (int i = 0; i < 2; i++) {
    void *moved = wanted[i] <= SIZE_MAX / size ? toi_resize(context, a->items, a->room * size, wanted[i] * size) : NULL;
    if (!moved)
      continue;
    *a = (array){moved, wanted[i]};
    return true;
  }
  return false;
}

static key key_of(toi_join_kind kind, toi_pair pair, size_t index) {
  return (key){rank_of(kind) << 32 | pair.first, (uint64_t)pair.second << 32 | index};
}

static void drop(toi_context *context, array *a, size_t size) {
  toi_free(context, a->items, a->room * size);
  *a = (array){NULL, 0};
}

void *toi_parts_add(const toi_parts *parts, uint32_t thread, toi_join_kind kind, toi_pair pair) {
  assert(thread < toi_context_threads(parts->context) && (unsigned)kind < TOI_JOIN_COUNT && parts->record_size > 0);
  store *s = &parts->stores[thread];
  bool fits = s->count < UINT32_MAX && make_room(parts->context, &s->records, s->count, 1, parts->record_size) &&
              make_room(parts->context, &s->keys, s->count, 1, sizeof(key));
  if (!fits)
    return NULL;
  ((key *)s->keys.items)[s->count] = key_of(kind, pair, s->count);
  s->hits[kind]++;
  return (unsigned char *)s->records.items + parts->record_size * s->count++;
}

bool toi_parts_note(const toi_parts *parts, uint32_t thread, toi_join_kind kind, const toi_pair *pairs, size_t count) {
  assert(thread < toi_context_threads(parts->context) && (unsigned)kind < TOI_JOIN_COUNT && parts->record_size == 0);
  store *s = &parts->stores[thread];
  if (count == 0)
    return true;
  if (!make_room(parts->context, &s->keys, s->count, count, sizeof(key)))
    return false;
  key *own = (key *)s->keys.items + s->count;
  for (size_t i = 0; i < count; i++)
    own[i] = key_of(kind, pairs[i], 0);
  s->count += count;
  s->hits[kind] += count;
  return true;
}

/* --- order --- */

static toi_status sort_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const toi_parts *parts = user;
  (void)thread;
  for (size_t i = begin; i < end; i++)
    toi_sort_keys(parts->context, parts->stores[i].keys.items, parts->stores[i].count);
  return TOI_OK;
}

static key head(const store *s) {
  return s->next < s->count ? ((const key *)s->keys.items)[s->next] : (key){UINT64_MAX, UINT64_MAX};
}

/* The thread whose next record comes first, or NULL; *bound is the next key of all others. */
static store *first_store(const toi_parts *parts, key *bound) {
  store *first = NULL;
  key least = {UINT64_MAX, UINT64_MAX};
  *bound = least;
  for (uint32_t i = 0; i < toi_context_threads(parts->context); i++) {
    key own = head(&parts->stores[i]);
    if (toi_sort_before(own, least)) {
      *bound = least;
      least = own;
      first = &parts->stores[i];
    } else if (toi_sort_before(own, *bound)) {
      *bound = own;
    }
  }
  return first;
}

/* Writes the record of a key, or its pair. */
static void put(const toi_parts *parts, const store *s, key own, void *to) {
  const size_t size = parts->record_size;
  if (size > 0) {
    memcpy(to, (const unsigned char *)s->records.items + size * (uint32_t)own.low, size);
    return;
  }
  const toi_part_pair pair = {in_order[own.high >> 32], {(uint32_t)own.high, (uint32_t)(own.low >> 32)}};
  memcpy(to, &pair, sizeof(pair));
}

/* Merges the sorted stores into batches for the visitor. */
static toi_status stream(const toi_parts *parts) {
  _Alignas(64) unsigned char batch[BATCH_BYTES];
  const size_t size = parts->record_size > 0 ? parts->record_size : sizeof(toi_part_pair), most = BATCH_BYTES / size;
  size_t count = 0;
  toi_status status = TOI_OK;
  key bound;
  for (store *s = first_store(parts, &bound); s && status == TOI_OK; s = first_store(parts, &bound))
    for (; status == TOI_OK && toi_sort_before(head(s), bound); s->next++) {
      put(parts, s, head(s), batch + size * count++);
      if (count == most) {
        status = parts->visit(parts->visit_user, batch, count);
        count = 0;
      }
    }
  return status == TOI_OK && count > 0 ? parts->visit(parts->visit_user, batch, count) : status;
}

/* --- one part --- */

static uint64_t held(const toi_parts *parts) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < toi_context_threads(parts->context); i++)
    count += parts->stores[i].count;
  return count;
}

static void empty(const toi_parts *parts) {
  for (uint32_t i = 0; i < toi_context_threads(parts->context); i++) {
    store *s = &parts->stores[i];
    drop(parts->context, &s->records, parts->record_size);
    drop(parts->context, &s->keys, sizeof(key));
    *s = (store){.count = 0};
  }
}

/* The times of the part, and if it was whole, its numbers. */
static void note_work(toi_parts *parts, const toi_work *own, bool whole) {
  parts->work.broad_ns += own->broad_ns;
  parts->work.narrow_ns += own->narrow_ns;
  parts->work.passes += own->passes;
  for (int kind = 0; kind < TOI_JOIN_COUNT && whole; kind++) {
    const toi_kind named = toi_join_public((toi_join_kind)kind);
    if (named == TOI_EDGE_FACE || named == TOI_FACE_FACE)
      continue;
    parts->work.candidates[named] += own->candidates[named];
    for (uint32_t i = 0; i < toi_context_threads(parts->context); i++)
      parts->work.hits[named] += parts->stores[i].hits[kind];
  }
}

/* Pairs of these kinds whose first number is in [begin, end). *fits: false if it must be tried in smaller parts; then
 * the status says what would be returned if there are none. */
static toi_status run_part(toi_parts *parts, unsigned kinds, uint32_t begin, uint32_t end, bool *fits) {
  toi_broad_question question = parts->question;
  toi_mesh_options options = *question.options;
  toi_work own = {.passes = 0};
  options.work = &own;
  question.options = &options;
  question.kinds = kinds;
  question.first_begin = begin;
  question.first_end = end;
  question.done_before = parts->from;
  question.done_share = parts->span;
  toi_clear_error(parts->context);
  toi_status status = parts->run(parts->run_user, &question);
  note_work(parts, &own, status == TOI_OK);
  uint64_t records = held(parts);
  *fits = status != TOI_ERROR_MEMORY || records == 0;
  if (!*fits)
    parts->overflow = records;
  if (status == TOI_OK && records > 0)
    status = toi_parallel(parts->context, toi_context_threads(parts->context), 1, sort_task, parts);
  if (status == TOI_OK)
    status = stream(parts);
  return status;
}

/* --- all parts --- */

/* One kind from the first to the last number, in ranges that fit. */
static toi_status run_kind(toi_parts *parts, toi_join_kind kind) {
  const toi_mesh *mesh = parts->question.mesh;
  const bool edges = kind == TOI_JOIN_EDGE_EDGE || kind == TOI_JOIN_EDGE_FACE;
  size_t count = edges ? mesh->edge_count : mesh->vertex_count, width = count, begin = 0;
  double from = parts->from, span = parts->span;
  toi_status status = TOI_OK;
  while (begin < count && status == TOI_OK) {
    size_t end = count - begin < width ? count : begin + width;
    bool fits;
    parts->from = from + span * (double)begin / (double)count;
    parts->span = span * (double)(end - begin) / (double)count;
    status = run_part(parts, 1u << kind, (uint32_t)begin, (uint32_t)end, &fits);
    uint64_t records = held(parts);
    empty(parts);
    width = end - begin;
    if (fits) {
      begin = end;
      // Where there are few, more numbers at a time.
      width = records < parts->overflow / 4 ? 2 * width : width;
    } else if (width > 1) {
      width = (width + 1) / 2;
      status = TOI_OK;
    }
  }
  return status;
}

static toi_status run_all(toi_parts *parts) {
  bool fits;
  unsigned kinds = parts->question.kinds;
  parts->from = 0;
  parts->span = 1;
  toi_status status = run_part(parts, kinds, 0, UINT32_MAX, &fits);
  empty(parts);
  if (fits)
    return status;
  status = TOI_OK;
  int asked = 0, done = 0;
  for (int i = 0; i < TOI_JOIN_COUNT; i++)
    asked += (int)(kinds >> i & 1);
  for (int i = 0; i < TOI_JOIN_COUNT && status == TOI_OK; i++) {
    if (!(kinds & 1u << in_order[i]))
      continue;
    parts->from = (double)done++ / asked;
    parts->span = 1.0 / asked;
    status = run_kind(parts, in_order[i]);
  }
  return status;
}

toi_status toi_parts_run(toi_parts *parts) {
  size_t size = sizeof(store) * toi_context_threads(parts->context);
  assert(parts->record_size <= TOI_RECORD_MOST && parts->record_size % sizeof(double) == 0);
  parts->stores = toi_allocate(parts->context, size);
  if (!parts->stores)
    return TOI_ERROR_MEMORY;
  memset(parts->stores, 0, size);
  parts->work = (toi_work){.passes = 0};
  toi_status status = run_all(parts);
  toi_free(parts->context, parts->stores, size);
  parts->stores = NULL;
  if (status == TOI_OK)
    toi_clear_error(parts->context);
  return status;
}
