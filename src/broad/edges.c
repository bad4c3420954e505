/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The edges of faces and loose edges, unique and in order.
 *
 * Claim: time linear in the number of edges given, whatever the vertex numbers are; memory of 8 bytes an edge given and
 * at most 1 byte more for the buckets.
 * Why: edges are dealt into buckets by the leading bits of j, at most one bucket for EDGES_A_BUCKET edges. A bucket of
 * few edges is sorted by insertion; a larger one, which many edges at one vertex or unevenly used numbers make, is
 * split by the highest bit in which its members differ, at most 64 times. Sorted edges become the result where they
 * lie. */

#include "broad/mesh.h"

#include <assert.h>
#include <string.h>

#include "base/internal.h"

/* Buckets of this size on average; up to twice as many edges are cheaper to insert than to split. */
#define EDGES_A_BUCKET 8
#define FEW_EDGES 32

/* Numbers of primitives are 32 bits wide, and the largest one stands for "none". */
#define MOST_EDGES ((size_t)UINT32_MAX - 1)

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

static uint32_t largest_number(const toi_edge_lists *lists) {
  uint32_t largest = 0;
  const uint32_t *corners = lists->face_count > 0 ? lists->faces[0] : NULL;
  for (size_t i = 0; i < 3 * lists->face_count; i++)
    largest = corners[i] > largest ? corners[i] : largest;
  const uint32_t *ends = lists->loose_count > 0 ? lists->loose[0] : NULL;
  for (size_t i = 0; i < 2 * lists->loose_count; i++)
    largest = ends[i] > largest ? ends[i] : largest;
  return largest;
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

toi_status toi_edge_keys_make(toi_context *context, const toi_edge_lists *lists, toi_edge_keys *keys) {
  *keys = (toi_edge_keys){0};
  if (lists->face_count > SIZE_MAX / 64 || lists->loose_count > SIZE_MAX / 64)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu faces and %zu loose edges; so many do not fit in memory",
                    lists->face_count, lists->loose_count);
  const size_t room = 3 * lists->face_count + lists->loose_count;
  if (room == 0)
    return TOI_OK;

  sorter s = {.lists = lists};
  const uint32_t largest = largest_number(lists);
  while ((largest >> s.shift) >= 1 + room / EDGES_A_BUCKET)
    s.shift++;
  const size_t buckets = (size_t)(largest >> s.shift) + 1;
  s.keys = toi_allocate(context, room * sizeof *s.keys);
  s.ends = s.keys == NULL ? NULL : toi_allocate(context, buckets * sizeof *s.ends);
  *keys = (toi_edge_keys){.keys = s.keys, .room = room};
  if (s.ends == NULL) {
    toi_edge_keys_free(context, keys);
    return TOI_ERROR_MEMORY;
  }
  keys->count = sort_buckets(&s, buckets);
  toi_free(context, s.ends, buckets * sizeof *s.ends);
  return TOI_OK;
}

void toi_edge_keys_free(toi_context *context, toi_edge_keys *keys) {
  toi_free(context, keys->keys, keys->room * sizeof *keys->keys);
  *keys = (toi_edge_keys){0};
}

/* --- the public calls --- */

/* Each edge once, as two numbers, in the place of the keys. */
static size_t keys_to_edges(const toi_edge_keys *keys) {
  char *bytes = (char *)keys->keys;
  size_t count = 0;
  uint64_t last = 0; /* no key: 0 would be the edge (0, 0) */
  for (size_t i = 0; i < keys->count; i++) {
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

toi_status toi_mesh_edges(toi_context *context, const uint32_t (*faces)[3], size_t face_count,
                          const uint32_t (*loose)[2], size_t loose_count, uint32_t (**edges)[2], size_t *edge_count) {
  if (context == NULL || edges == NULL || edge_count == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_mesh_edges needs a context and places for its results");
  toi_clear_error(context);
  *edges = NULL;
  *edge_count = 0;
  if ((face_count > 0 && faces == NULL) || (loose_count > 0 && loose == NULL))
    return toi_fail(context, TOI_ERROR_INPUT, "%s is NULL; give the array, or a count of 0",
                    face_count > 0 && faces == NULL ? "faces" : "loose");

  const toi_edge_lists lists = {faces, face_count, loose, loose_count};
  toi_edge_keys keys;
  toi_status status = toi_edge_keys_make(context, &lists, &keys);
  if (status != TOI_OK)
    return status;
  const size_t count = keys_to_edges(&keys);
  if (count > MOST_EDGES)
    status = toi_fail(context, TOI_ERROR_INPUT, "%zu edges; a mesh has at most %zu", count, MOST_EDGES);
  if (status != TOI_OK || count == 0) {
    toi_edge_keys_free(context, &keys);
    return status;
  }
  void *made = toi_resize(context, keys.keys, keys.room * sizeof *keys.keys, count * sizeof **edges);
  if (made == NULL) {
    toi_edge_keys_free(context, &keys);
    return TOI_ERROR_MEMORY;
  }
  *edges = made;
  *edge_count = count;
  return TOI_OK;
}

void toi_mesh_edges_free(toi_context *context, uint32_t (*edges)[2], size_t edge_count) {
  if (context != NULL)
    toi_free(context, edges, edge_count * sizeof *edges);
}
