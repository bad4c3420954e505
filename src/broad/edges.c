/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The edges of faces and loose edges, unique and in order.
 *
 * Claim: time linear in the number of edges given; memory beyond the result of at most 4 bytes an edge given and 12 a
 * vertex, and no more vertices count than four times the edges.
 * Why: edges are dealt by their smaller vertex i into lists of j; a mark at j says whether i has met it before. Walking
 * the lists in the order of i deals them out once more, by j, and what arrives at a j is in the order of i. Nothing is
 * compared, so nothing is mispredicted. Where numbers are large and edges few, sorting takes over (edges_sparse.c). */

#include <assert.h>
#include <string.h>

#include "base/internal.h"
#include "broad/edges.h"

/* Numbers of primitives are 32 bits wide, and the largest one stands for "none". */
#define MOST_EDGES ((size_t)UINT32_MAX - 1)

/* Tables for all numbers up to the largest pay while they are not much longer than the edges. */
#define NUMBERS_AN_EDGE 4

/* All arrays lie in one block of memory. */
typedef struct dealer {
  const toi_edge_lists *lists;
  size_t numbers;   /* the largest vertex number, and one */
  size_t room;      /* edges given */
  uint32_t *ends;   /* of the list of each i */
  uint32_t *marks;  /* of each j: the last i that met it, and one */
  uint32_t *places; /* of each j: how many edges end there, then where the next one goes */
  uint32_t *others; /* the lists of j, back to back */
} dealer;

/* --- by the smaller vertex --- */

static void count_edge(const dealer *d, uint32_t a, uint32_t b) {
  d->ends[a < b ? a : b] += a != b;
}

static void deal_edge(const dealer *d, uint32_t a, uint32_t b) {
  if (a != b)
    d->others[d->ends[a < b ? a : b]++] = a < b ? b : a;
}

static void each_edge(const dealer *d, void (*visit)(const dealer *d, uint32_t a, uint32_t b)) {
  const toi_edge_lists *lists = d->lists;
  for (size_t i = 0; i < lists->face_count; i++) {
    const uint32_t *face = lists->faces[i];
    visit(d, face[0], face[1]);
    visit(d, face[1], face[2]);
    visit(d, face[2], face[0]);
  }
  for (size_t i = 0; i < lists->loose_count; i++)
    visit(d, lists->loose[i][0], lists->loose[i][1]);
}

/* Each count becomes the sum of those before it. */
static void sum_before(uint32_t *counts, size_t size) {
  uint32_t sum = 0;
  for (size_t i = 0; i < size; i++) {
    const uint32_t count = counts[i];
    counts[i] = sum;
    sum += count;
  }
}

/* Drops what a list has twice, counts by j what is left, and returns how much that is. */
static size_t drop_repeated(const dealer *d) {
  uint32_t from = 0, to = 0;
  for (uint32_t i = 0; i < d->numbers - 1; i++) {
    for (; from < d->ends[i]; from++) {
      const uint32_t j = d->others[from];
      const uint32_t fresh = d->marks[j] != i + 1;
      d->marks[j] = i + 1;
      d->places[j] += fresh;
      d->others[to] = j;
      to += fresh;
    }
    d->ends[i] = to;
  }
  return to;
}

/* --- by the larger vertex --- */

static void deal_again(const dealer *d, uint32_t (*edges)[2]) {
  uint32_t from = 0;
  for (uint32_t i = 0; i < d->numbers - 1; i++)
    for (; from < d->ends[i]; from++) {
      const uint32_t j = d->others[from];
      uint32_t *edge = edges[d->places[j]++];
      edge[0] = i;
      edge[1] = j;
    }
}

static toi_status make_edges(toi_context *context, const dealer *d, toi_edge_list *edges) {
  memset(d->ends, 0, 3 * d->numbers * sizeof *d->ends);
  each_edge(d, count_edge);
  sum_before(d->ends, d->numbers);
  each_edge(d, deal_edge);
  const size_t count = drop_repeated(d);
  if (count == 0)
    return TOI_OK;
  edges->pairs = toi_allocate(context, count * sizeof *edges->pairs);
  if (edges->pairs == NULL)
    return TOI_ERROR_MEMORY;
  sum_before(d->places, d->numbers);
  deal_again(d, edges->pairs);
  edges->count = count;
  return TOI_OK;
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

toi_status toi_edges_make(toi_context *context, const toi_edge_lists *lists, toi_edge_list *edges) {
  *edges = (toi_edge_list){0};
  if (lists->face_count > SIZE_MAX / 64 || lists->loose_count > SIZE_MAX / 64)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu faces and %zu loose edges; so many do not fit in memory",
                    lists->face_count, lists->loose_count);
  dealer d = {.lists = lists, .room = 3 * lists->face_count + lists->loose_count};
  if (d.room == 0)
    return TOI_OK;
  const uint32_t largest = largest_number(lists);
  if (d.room > UINT32_MAX || largest / NUMBERS_AN_EDGE > d.room)
    return toi_edges_make_sparse(context, lists, largest, edges);

  d.numbers = (size_t)largest + 1;
  const size_t size = (3 * d.numbers + d.room) * sizeof *d.ends;
  d.ends = toi_allocate(context, size);
  if (d.ends == NULL)
    return TOI_ERROR_MEMORY;
  d.marks = d.ends + d.numbers;
  d.places = d.marks + d.numbers;
  d.others = d.places + d.numbers;
  const toi_status status = make_edges(context, &d, edges);
  toi_free(context, d.ends, size);
  return status;
}

/* --- the public calls --- */

static TOI_APART toi_status list_edges(toi_context *context, const toi_edge_lists *lists, toi_edge_list *made) {
  const bool no_faces = lists->face_count > 0 && lists->faces == NULL;
  if (no_faces || (lists->loose_count > 0 && lists->loose == NULL))
    return toi_fail(context, TOI_ERROR_INPUT, "%s is NULL; give the array, or a count of 0",
                    no_faces ? "faces" : "loose");
  const toi_status status = toi_edges_make(context, lists, made);
  if (status != TOI_OK || made->count <= MOST_EDGES)
    return status;
  const size_t count = made->count;
  toi_mesh_edges_free(context, made->pairs, count);
  *made = (toi_edge_list){0};
  return toi_fail(context, TOI_ERROR_INPUT, "%zu edges; a mesh has at most %zu", count, MOST_EDGES);
}

toi_status toi_mesh_edges(toi_context *context, const uint32_t (*faces)[3], size_t face_count,
                          const uint32_t (*loose)[2], size_t loose_count, uint32_t (**edges)[2], size_t *edge_count) {
  const toi_edge_lists lists = {faces, face_count, loose, loose_count};
  toi_edge_list made = {0};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = context != NULL && edges != NULL && edge_count != NULL
                                ? list_edges(context, &lists, &made)
                                : toi_fail(context, TOI_ERROR_INPUT, "a place for the edges is NULL; give both");
  if (edges != NULL)
    *edges = made.pairs;
  if (edge_count != NULL)
    *edge_count = made.count;
  toi_call_end(&call);
  return status;
}

void toi_mesh_edges_free(toi_context *context, uint32_t (*edges)[2], size_t edge_count) {
  if (context == NULL)
    return;
  toi_call call;
  toi_call_begin_free(&call, context);
  toi_free(context, edges, edge_count * sizeof *edges);
  toi_call_end(&call);
}

toi_status toi_edges_find(toi_context *context, toi_mesh *mesh, toi_edge_list *found) {
  *found = (toi_edge_list){0};
  if (mesh->edges || mesh->face_count == 0)
    return TOI_OK;
  const toi_edge_lists of_faces = {.faces = mesh->faces, .face_count = mesh->face_count};
  const toi_status status = toi_edges_make(context, &of_faces, found);
  mesh->edges = (const uint32_t(*)[2])found->pairs;
  mesh->edge_count = found->count;
  return status;
}
