/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Crossings grouped into patches.
 *
 * A crossing joins its edge and its face: a forest over edges and faces, edges first, in which every root is the
 * smallest number of its tree. A tree with a crossing has an edge, so that its root is one: the first edge of the
 * patch. Crossings come in the order of their edges, hence the first edge is that of the first crossing, and patches
 * numbered by their roots are in the order of their first crossings. All crossings of an edge are in one patch: how
 * many it has is all that is kept of them. */

#include "patches.h"

#include <string.h>

#include "memory.h"
#include "options.h"

static size_t vertex_node(uint32_t vertex) {
  return vertex;
}

static size_t edge_node(const patches *p, uint32_t edge) {
  return p->mesh->vertex_count + edge;
}

static size_t face_node(const patches *p, uint32_t face) {
  return p->mesh->vertex_count + p->mesh->edge_count + face;
}

int patches_make(const toi_mesh *mesh, patches *p) {
  const size_t joined = mesh->edge_count + mesh->face_count;
  *p = (patches){.mesh = mesh};
  if (joined >= PATCH_TOUCHES)
    return cli_fail("%zu edges and %zu faces; patches need fewer than 2^32 in all", mesh->edge_count, mesh->face_count);
  p->parents = memory_resize(NULL, joined + 1, sizeof *p->parents);
  p->crossings = memory_zeroed(mesh->edge_count + 1, sizeof *p->crossings);
  p->numbers = memory_resize(NULL, mesh->edge_count + 1, sizeof *p->numbers);
  p->touched = memory_zeroed(mesh->vertex_count + joined + 1, 1);
  if (p->parents == NULL || p->crossings == NULL || p->numbers == NULL || p->touched == NULL)
    return memory_fail("the patches", "close other programs");
  for (size_t i = 0; i < joined; i++)
    p->parents[i] = (uint32_t)i;
  return EXIT_DONE;
}

void patches_free(patches *p) {
  memory_free(p->parents);
  memory_free(p->crossings);
  memory_free(p->numbers);
  memory_free(p->touched);
  *p = (patches){0};
}

/* --- crossings in --- */

/* The smallest number of the tree; on the way each node is hung one higher. */
static uint32_t root_of(const patches *p, uint32_t node) {
  uint32_t *parents = p->parents;
  while (parents[node] != node) {
    parents[node] = parents[parents[node]];
    node = parents[node];
  }
  return node;
}

static void touch(patches *p, const toi_crossing *pair) {
  const uint32_t first = pair->pair.first, second = pair->pair.second;
  p->touched[pair->kind == TOI_EDGE_EDGE ? edge_node(p, first) : vertex_node(first)] = 1;
  if (pair->kind == TOI_VERTEX_HALF_SPACE)
    return;
  p->touched[pair->kind == TOI_VERTEX_FACE     ? face_node(p, second)
             : pair->kind == TOI_VERTEX_VERTEX ? vertex_node(second)
                                               : edge_node(p, second)] = 1;
}

void patches_add(patches *p, const toi_crossing *crossing) {
  if (!crossing->crossing) {
    touch(p, crossing);
    return;
  }
  p->crossings[crossing->pair.first]++;
  const uint32_t edge = root_of(p, crossing->pair.first);
  const uint32_t face = root_of(p, (uint32_t)p->mesh->edge_count + crossing->pair.second);
  if (edge < face)
    p->parents[face] = edge;
  else
    p->parents[edge] = face;
}

void patches_finish(patches *p) {
  p->count = 0;
  for (uint32_t edge = 0; edge < p->mesh->edge_count; edge++) {
    const uint32_t root = root_of(p, edge);
    p->numbers[edge] = PATCH_NONE;
    if (p->crossings[edge] > 0)
      p->numbers[edge] = root == edge ? (uint32_t)p->count++ : p->numbers[root];
  }
}

/* --- patches out --- */

uint32_t patches_of_edge(const patches *p, uint32_t edge) {
  const uint32_t number = p->numbers[edge];
  return number == PATCH_NONE && p->touched[edge_node(p, edge)] ? PATCH_TOUCHES : number;
}

uint32_t patches_of_face(const patches *p, uint32_t face) {
  const uint32_t root = root_of(p, (uint32_t)p->mesh->edge_count + face);
  if (root < p->mesh->edge_count)
    return p->numbers[root];
  return p->touched[face_node(p, face)] ? PATCH_TOUCHES : PATCH_NONE;
}

void patches_describe(const patches *p, patch_facts *facts, size_t most) {
  memset(facts, 0, most * sizeof *facts);
  for (uint32_t edge = 0; edge < p->mesh->edge_count; edge++) {
    const uint32_t number = p->numbers[edge];
    if (number >= most)
      continue;
    facts[number].crossings += p->crossings[edge];
    if (facts[number].edges++ == 0)
      facts[number].first_edge = edge;
  }
  for (uint32_t face = 0; face < p->mesh->face_count; face++) {
    const uint32_t number = patches_of_face(p, face);
    if (number < most)
      facts[number].faces++;
  }
}
