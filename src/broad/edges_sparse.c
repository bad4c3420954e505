/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Edges of few faces whose vertex numbers are large, and of more than a table of 32-bit places can serve: sorted as
 * numbers j * 2^32 + i.
 *
 * Claim: time linear in the number of edges given, whatever the vertex numbers are; memory of 8 bytes an edge given and
 * at most 1 byte more for the buckets.
 * Why: edges are dealt into buckets by the leading bits of j, at most one bucket for EDGES_A_BUCKET edges. A bucket of
 * few edges is sorted by insertion; a larger one, which many edges at one vertex or unevenly used numbers make, is
 * split by the highest bit in which its members differ, at most 64 times. Sorted edges become the result where they
 * lie. */

#include "broad/edges.h"

#include <assert.h>
#include <string.h>

#include "base/internal.h"

/* Buckets of this size on average; up to four times as many edges are cheaper to insert than to split. */
#define EDGES_A_BUCKET 8
#define FEW_EDGES 32

typedef struct sorter {
  const toi_edge_lists *lists;
  uint64_t *keys;
  size_t *ends; /* of each bucket: first its number of edges, then where its next edge goes */
  unsigned shift;
} sorter;

/* --- one bucket --- */

static void insert_keys(uint64_t *keys, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const uint64_t key = keys[i];
    size_t at = i;
    for (; at > 0 && keys[at - 1] > key; at--)
      keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

/* Those without the bit come first; returns how many they are. */
static size_t split_keys(uint64_t *keys, size_t count, uint64_t bit) {
  size_t low = 0, high = count;
  while (low < high) {
    const uint64_t key = keys[low];
    if ((key & bit) == 0) {
      low++;
      continue;
    }
    keys[low] = keys[--high];
    keys[high] = key;
  }
  return low;
}

/* The depth is that of the bits: at most 64. */
static void sort_keys(uint64_t *keys, size_t count) {
  while (count > FEW_EDGES) {
    uint64_t differing = 0;
    for (size_t i = 1; i < count; i++)
      differing |= keys[i] ^ keys[0];
    if (differing == 0)
      return;
    const size_t low = split_keys(keys, count, UINT64_C(1) << (63 - __builtin_clzll(differing)));
    assert(low > 0 && low < count);
    sort_keys(keys, low);
    keys += low;
    count -= low;
  }
  insert_keys(keys, count);
}

/* --- all of them --- */

static void count_edge(const sorter *s, uint32_t a, uint32_t b) {
  if (a != b)
    s->ends[(a < b ? b : a) >> s->shift]++;
}

static void place_edge(const sorter *s, uint32_t a, uint32_t b) {
  if (a != b)
    s->keys[s->ends[(a < b ? b : a) >> s->shift]++] = toi_edge_key(a, b);
}

static void each_edge(const sorter *s, void (*visit)(const sorter *s, uint32_t a, uint32_t b)) {
  const toi_edge_lists *lists = s->lists;
  for (size_t i = 0; i < lists->face_count; i++) {
    const uint32_t *face = lists->faces[i];
    visit(s, face[0], face[1]);
    visit(s, face[1], face[2]);
    visit(s, face[2], face[0]);
  }
  for (size_t i = 0; i < lists->loose_count; i++)
    visit(s, lists->loose[i][0], lists->loose[i][1]);
}

/* Deals the edges out and sorts each bucket; returns how many there are. */
static size_t sort_buckets(const sorter *s, size_t buckets) {
  memset(s->ends, 0, buckets * sizeof *s->ends);
  each_edge(s, count_edge);
  size_t begin = 0;
  for (size_t i = 0; i < buckets; i++) {
    const size_t count = s->ends[i];
    s->ends[i] = begin;
    begin += count;
  }
  each_edge(s, place_edge);
  size_t sorted = 0;
  for (size_t i = 0; i < buckets; i++) {
    sort_keys(s->keys + sorted, s->ends[i] - sorted);
    sorted = s->ends[i];
  }
  return sorted;
}

/* Each edge once, as two numbers, in the place of the keys. */
static size_t keys_to_edges(uint64_t *keys, size_t key_count) {
  char *bytes = (char *)keys;
  size_t count = 0;
  uint64_t last = 0; /* no key: 0 would be the edge (0, 0) */
  for (size_t i = 0; i < key_count; i++) {
    uint64_t key;
    memcpy(&key, bytes + i * sizeof key, sizeof key);
    if (key == last)
      continue;
    const uint32_t edge[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    memcpy(bytes + count * sizeof edge, edge, sizeof edge);
    count++;
    last = key;
  }
  return count;
}

toi_status toi_edges_make_sparse(toi_context *context, const toi_edge_lists *lists, uint32_t largest,
                                 toi_edge_list *edges) {
  const size_t room = 3 * lists->face_count + lists->loose_count;
  sorter s = {.lists = lists};
  while ((largest >> s.shift) >= 1 + room / EDGES_A_BUCKET)
    s.shift++;
  const size_t buckets = (size_t)(largest >> s.shift) + 1;
  s.keys = toi_allocate(context, room * sizeof *s.keys);
  s.ends = s.keys == NULL ? NULL : toi_allocate(context, buckets * sizeof *s.ends);
  if (s.ends == NULL) {
    toi_free(context, s.keys, room * sizeof *s.keys);
    return TOI_ERROR_MEMORY;
  }
  const size_t count = keys_to_edges(s.keys, sort_buckets(&s, buckets));
  toi_free(context, s.ends, buckets * sizeof *s.ends);

  void *made = count == 0 ? NULL : toi_resize(context, s.keys, room * sizeof *s.keys, count * sizeof *edges->pairs);
  if (made == NULL) {
    toi_free(context, s.keys, room * sizeof *s.keys);
    return count == 0 ? TOI_OK : TOI_ERROR_MEMORY;
  }
  *edges = (toi_edge_list){made, count};
  return TOI_OK;
}
