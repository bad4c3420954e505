/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The number of an edge by its two vertices: a list of edges for each larger vertex, in the order of the smaller ones,
 * which is halved until the edge is found. Time linear in the edges, whatever their order: they are dealt out by their
 * smaller vertices, then by their larger ones, and each deal keeps the order of the one before. */

#include "scene/edge_index.h"

#include <string.h>

#include "broad/edges.h"

static uint64_t key_of(const toi_edge_index *index, size_t place) {
  const uint32_t *edge = index->edges[index->numbers ? index->numbers[place] : place];
  return toi_edge_key(edge[0], edge[1]);
}

static bool in_order(const toi_edge_index *index) {
  for (size_t i = 1; i < index->edge_count; i++)
    if (key_of(index, i - 1) > key_of(index, i))
      return false;
  return true;
}

static uint32_t vertex_of(const toi_edge_index *index, uint32_t edge, bool larger) {
  const uint32_t a = index->edges[edge][0], b = index->edges[edge][1];
  return (a < b) == larger ? b : a;
}

/* begins[v] is how many edges have a vertex, the larger or the smaller one, below v. */
static void count_edges(const toi_edge_index *index, bool larger) {
  memset(index->begins, 0, (index->vertex_count + 1) * sizeof *index->begins);
  for (uint32_t i = 0; i < index->edge_count; i++)
    index->begins[vertex_of(index, i, larger) + 1]++;
  for (size_t i = 0; i < index->vertex_count; i++)
    index->begins[i + 1] += index->begins[i];
}

/* Deals the edges of one order out to the other; begins end up one place too far. */
static void deal(const toi_edge_index *index, bool larger, const uint32_t *from, uint32_t *to) {
  for (uint32_t i = 0; i < index->edge_count; i++) {
    const uint32_t edge = from ? from[i] : i;
    to[index->begins[vertex_of(index, edge, larger)]++] = edge;
  }
}

static toi_status sort_edges(toi_edge_index *index) {
  const size_t size = index->edge_count * sizeof *index->numbers;
  uint32_t *by_smaller = toi_allocate(index->context, size);
  uint32_t *numbers = by_smaller ? toi_allocate(index->context, size) : NULL;
  if (numbers) {
    count_edges(index, false);
    deal(index, false, NULL, by_smaller);
    count_edges(index, true);
    deal(index, true, by_smaller, numbers);
  }
  toi_free(index->context, by_smaller, by_smaller ? size : 0);
  index->numbers = numbers;
  return numbers ? TOI_OK : TOI_ERROR_MEMORY;
}

toi_status toi_edge_index_make(toi_context *context, const toi_mesh *mesh, toi_edge_index *index) {
  *index = (toi_edge_index){
      .context = context, .edges = mesh->edges, .edge_count = mesh->edge_count, .vertex_count = mesh->vertex_count};
  index->begins = toi_allocate(context, (mesh->vertex_count + 1) * sizeof *index->begins);
  if (!index->begins)
    return TOI_ERROR_MEMORY;
  if (!in_order(index)) {
    const toi_status status = sort_edges(index);
    if (status != TOI_OK) {
      toi_edge_index_end(index);
      return status;
    }
  }
  count_edges(index, true);
  return TOI_OK;
}

void toi_edge_index_end(toi_edge_index *index) {
  if (index->begins)
    toi_free(index->context, index->begins, (index->vertex_count + 1) * sizeof *index->begins);
  if (index->numbers)
    toi_free(index->context, index->numbers, index->edge_count * sizeof *index->numbers);
  *index = (toi_edge_index){.edges = NULL};
}

uint32_t toi_edge_number(const toi_edge_index *index, uint32_t a, uint32_t b) {
  const uint64_t key = toi_edge_key(a, b);
  size_t low = index->begins[key >> 32], high = index->begins[(key >> 32) + 1];
  const size_t end = high;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (key_of(index, middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == end || key_of(index, low) != key)
    return TOI_NO_EDGE;
  return index->numbers ? index->numbers[low] : (uint32_t)low;
}
