/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The seam: what is not inner, what came from other ranks, and what of the inner mesh meets these.
 *
 * Its vertices, edges and faces stand in the order of their global numbers, so that the order of a pair, and which of
 * two primitives is the first, are those of the whole mesh. Every edge of its faces is there, as calls on meshes want
 * it; what looks loose here alone is left out by the rule (call.c). */

#include "cluster/halo.h"

#include <stdlib.h>
#include <string.h>

/* Which own primitives are taken, and the boxes of what they must meet. */
typedef struct choice {
  toi_cluster_call *call;
  toi_halo halo;
  toi_box_tree edges, faces; /* that are not inner, of this rank and of others */
  uint8_t *vertex_taken, *edge_taken, *face_taken;
  toi_number_map map; /* of the seam's vertices */
} choice;

/* --- reading messages --- */

/* A message, part by part. */
typedef struct parts {
  size_t vertex_count, edge_count, face_count;
  const uint64_t *vertices, *edges, *faces;
} parts;

static parts parts_of(const toi_halo *halo, int rank) {
  const uint64_t *words = toi_halo_message(halo, rank);
  parts p = {0};
  if (words == NULL)
    return p;
  p.vertex_count = (size_t)words[0];
  p.edge_count = (size_t)words[1];
  p.face_count = (size_t)words[2];
  p.vertices = words + TOI_HALO_COUNTS;
  p.edges = p.vertices + p.vertex_count * TOI_HALO_VERTEX_WORDS;
  p.faces = p.edges + p.edge_count * TOI_HALO_EDGE_WORDS;
  return p;
}

static const uint64_t *vertex_words(const parts *p, uint64_t place) {
  return p->vertices + place * TOI_HALO_VERTEX_WORDS;
}

/* The places of a primitive's vertices in the message. */
static void places_of(const uint64_t *words, size_t count, uint64_t places[3]) {
  places[0] = words[1] >> 32;
  places[1] = (uint32_t)words[1];
  places[2] = count == 3 ? words[2] : 0;
}

/* --- boxes of what is not inner --- */

typedef struct box_list {
  toi_box *at;
  size_t count;
} box_list;

static toi_box box_of_message(const toi_cluster_call *call, const parts *p, const uint64_t *words, size_t count,
                              double t) {
  const toi_growth growth = toi_call_growth(call, t);
  uint64_t places[3];
  places_of(words, count, places);
  toi_box box = toi_box_empty();
  for (size_t i = 0; i < count; i++) {
    const uint64_t *vertex = vertex_words(p, places[i]);
    double at[6];
    memcpy(at, vertex + 1, sizeof at);
    const toi_box own = toi_box_of_vertex(&growth, at);
    toi_box_join(&box, &own);
  }
  return box;
}

static toi_status plant(choice *c, double t, size_t count, toi_box_tree *tree) {
  const toi_cluster_call *call = c->call;
  const toi_cluster_topology *top = &call->cluster->topology;
  const bool faces = count == 3;
  const size_t own = faces ? top->face_count : top->edge_count;
  size_t room = own;
  for (int r = 0; r < call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    room += faces ? p.face_count : p.edge_count;
  }
  box_list list = {.at = toi_cluster_allocate(call->cluster, room, sizeof(toi_box))};
  if (list.at == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < own; i++)
    if (!(faces ? top->face_inner[i] : top->edge_inner[i]))
      list.at[list.count++] = toi_box_around(c->halo.boxes, faces ? top->faces[i] : top->edges[i], count);
  for (int r = 0; r < call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < (faces ? p.face_count : p.edge_count); i++)
      list.at[list.count++] = box_of_message(
          call, &p, faces ? p.faces + i * TOI_HALO_FACE_WORDS : p.edges + i * TOI_HALO_EDGE_WORDS, count, t);
  }
  const toi_status status = toi_box_tree_make(call->cluster, list.at, list.count, tree);
  free(list.at);
  return status;
}

/* --- own primitives --- */

static toi_status choose(choice *c) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  const toi_box *boxes = c->halo.boxes;
  c->vertex_taken = toi_cluster_allocate(c->call->cluster, t->vertex_count + t->ghost_count, 1);
  c->edge_taken = toi_cluster_allocate(c->call->cluster, t->edge_count, 1);
  c->face_taken = toi_cluster_allocate(c->call->cluster, t->face_count, 1);
  if (!c->vertex_taken || !c->edge_taken || !c->face_taken)
    return TOI_ERROR_MEMORY;
  const bool crossings = c->call->crossings;
  for (size_t i = 0; i < t->vertex_count; i++)
    c->vertex_taken[i] = (t->any_loose && t->loose[i]) || toi_box_tree_meets(&c->faces, &boxes[i]);
  for (size_t i = 0; i < t->edge_count; i++) {
    const toi_box box = toi_box_around(boxes, t->edges[i], 2);
    c->edge_taken[i] = !t->edge_inner[i] || (t->any_loose && t->edge_loose[i]) || toi_box_tree_meets(&c->edges, &box) ||
                       (crossings && toi_box_tree_meets(&c->faces, &box));
    for (int k = 0; c->edge_taken[i] && k < 2; k++)
      c->vertex_taken[t->edges[i][k]] = 1;
  }
  for (size_t i = 0; i < t->face_count; i++) {
    c->face_taken[i] = !t->face_inner[i];
    if (!c->face_taken[i] && crossings) {
      const toi_box box = toi_box_around(boxes, t->faces[i], 3);
      c->face_taken[i] = toi_box_tree_meets(&c->edges, &box);
    }
    for (int k = 0; c->face_taken[i] && k < 3; k++)
      c->vertex_taken[t->faces[i][k]] = 1;
  }
  return TOI_OK;
}

/* --- vertices --- */

static toi_status list_vertices(choice *c) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  toi_seam *s = &c->call->seam;
  size_t room = t->vertex_count + t->ghost_count;
  for (int r = 0; r < c->call->cluster->ranks; r++)
    room += parts_of(&c->halo, r).vertex_count;
  s->vertices = toi_cluster_allocate(c->call->cluster, room, sizeof *s->vertices);
  if (s->vertices == NULL)
    return TOI_ERROR_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < t->vertex_count + t->ghost_count; i++)
    if (c->vertex_taken[i])
      s->vertices[count++] = toi_global_vertex(t, (uint32_t)i);
  for (int r = 0; r < c->call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < p.vertex_count; i++)
      s->vertices[count++] = vertex_words(&p, i)[0];
    s->halo_vertices += p.vertex_count;
  }
  s->vertex_count = toi_sort_unique(s->vertices, count);
  if (s->vertex_count >= UINT32_MAX)
    return toi_cluster_fail(c->call->cluster, TOI_ERROR_INPUT,
                            "%zu vertices at the seams of a rank; at most 2^32 - 2 are possible; use more ranks",
                            s->vertex_count);
  return toi_number_map_make(c->call->cluster, s->vertices, s->vertex_count, &c->map);
}

static void set_attributes(toi_seam *s, size_t place, uint64_t attributes, double thickness) {
  if (s->bodies != NULL)
    s->bodies[place] = (uint32_t)attributes;
  if (s->fixed != NULL)
    s->fixed[place] = (attributes & TOI_HALO_FIXED) != 0;
  if (s->thickness != NULL)
    s->thickness[place] = thickness;
  s->owners[place] = (int)(attributes >> TOI_HALO_OWNER_SHIFT);
  if (attributes & TOI_HALO_LOOSE)
    s->vertex_marks[place] |= TOI_MARK_LOOSE;
}

static void place_own(choice *c, size_t vertex) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  toi_seam *s = &c->call->seam;
  const size_t place = toi_number_map_find(&c->map, toi_global_vertex(t, (uint32_t)vertex));
  const bool own = vertex < t->vertex_count;
  memcpy(s->at[place], c->call->at[vertex], sizeof s->at[0]);
  uint64_t attributes = t->bodies != NULL ? t->bodies[vertex] : TOI_NO_BODY;
  attributes |= t->fixed != NULL && t->fixed[vertex] ? TOI_HALO_FIXED : 0;
  attributes |= own && t->loose[vertex] ? TOI_HALO_LOOSE : 0;
  attributes |= (uint64_t)toi_vertex_owner(c->call->cluster, (uint32_t)vertex) << TOI_HALO_OWNER_SHIFT;
  set_attributes(s, place, attributes, t->thickness != NULL ? t->thickness[vertex] : 0);
  s->vertex_marks[place] |= own ? TOI_MARK_OWN : 0;
}

static toi_status place_vertices(choice *c) {
  toi_cluster *cluster = c->call->cluster;
  const toi_cluster_topology *t = &cluster->topology;
  toi_seam *s = &c->call->seam;
  bool fits = (s->at = toi_cluster_allocate(cluster, s->vertex_count, sizeof *s->at)) != NULL;
  fits = (s->vertex_marks = toi_cluster_allocate(cluster, s->vertex_count, 1)) != NULL && fits;
  fits = (s->owners = toi_cluster_allocate(cluster, s->vertex_count, sizeof *s->owners)) != NULL && fits;
  if (t->bodies != NULL)
    fits = (s->bodies = toi_cluster_allocate(cluster, s->vertex_count, sizeof *s->bodies)) != NULL && fits;
  if (t->fixed != NULL)
    fits = (s->fixed = toi_cluster_allocate(cluster, s->vertex_count, sizeof *s->fixed)) != NULL && fits;
  if (t->thickness != NULL)
    fits = (s->thickness = toi_cluster_allocate(cluster, s->vertex_count, sizeof *s->thickness)) != NULL && fits;
  if (!fits)
    return TOI_ERROR_MEMORY;
  for (int r = 0; r < cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < p.vertex_count; i++) {
      const uint64_t *words = vertex_words(&p, i);
      const size_t place = toi_number_map_find(&c->map, words[0]);
      double thickness;
      memcpy(s->at[place], words + 1, sizeof s->at[0]);
      memcpy(&thickness, words + 8, sizeof thickness);
      set_attributes(s, place, words[7], thickness);
    }
  }
  for (size_t i = 0; i < t->vertex_count + t->ghost_count; i++)
    if (c->vertex_taken[i])
      place_own(c, i);
  return TOI_OK;
}

/* --- faces --- */

typedef struct numbered_face {
  uint64_t number;
  uint32_t vertices[3];
  uint8_t marks;
} numbered_face;

static int compare_faces(const void *a, const void *b) {
  const numbered_face *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static size_t gather_faces(const choice *c, numbered_face *faces) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  size_t count = 0;
  for (size_t i = 0; i < t->face_count; i++) {
    if (!c->face_taken[i])
      continue;
    numbered_face *face = &faces[count++];
    *face =
        (numbered_face){.number = t->face_numbers[i], .marks = TOI_MARK_OWN | (t->face_inner[i] ? TOI_MARK_INNER : 0)};
    for (int k = 0; k < 3; k++)
      face->vertices[k] = (uint32_t)toi_number_map_find(&c->map, toi_global_vertex(t, t->faces[i][k]));
  }
  for (int r = 0; r < c->call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < p.face_count; i++) {
      const uint64_t *words = p.faces + i * TOI_HALO_FACE_WORDS;
      uint64_t places[3];
      places_of(words, 3, places);
      numbered_face *face = &faces[count++];
      *face = (numbered_face){.number = words[0]};
      for (int k = 0; k < 3; k++)
        face->vertices[k] = (uint32_t)toi_number_map_find(&c->map, vertex_words(&p, places[k])[0]);
    }
  }
  return count;
}

static toi_status place_faces(choice *c) {
  toi_cluster *cluster = c->call->cluster;
  toi_seam *s = &c->call->seam;
  size_t room = cluster->topology.face_count;
  for (int r = 0; r < cluster->ranks; r++) {
    room += parts_of(&c->halo, r).face_count;
    s->halo_faces += parts_of(&c->halo, r).face_count;
  }
  numbered_face *faces = toi_cluster_allocate(cluster, room, sizeof *faces);
  if (faces == NULL)
    return TOI_ERROR_MEMORY;
  s->face_count = gather_faces(c, faces);
  qsort(faces, s->face_count, sizeof *faces, compare_faces);
  s->faces = toi_cluster_allocate(cluster, s->face_count, sizeof *s->faces);
  s->face_numbers = toi_cluster_allocate(cluster, s->face_count, sizeof *s->face_numbers);
  s->face_marks = toi_cluster_allocate(cluster, s->face_count, 1);
  const bool fits = s->faces && s->face_numbers && s->face_marks;
  for (size_t i = 0; fits && i < s->face_count; i++) {
    memcpy(s->faces[i], faces[i].vertices, sizeof s->faces[i]);
    s->face_numbers[i] = faces[i].number;
    s->face_marks[i] = faces[i].marks;
  }
  free(faces);
  return fits ? TOI_OK : TOI_ERROR_MEMORY;
}

/* --- edges --- */

/* By the larger vertex, then the smaller: as the whole mesh numbers them. */
static uint64_t edge_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)b << 32 | a : (uint64_t)a << 32 | b;
}

static uint64_t own_key(const choice *c, size_t edge) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  return edge_key((uint32_t)toi_number_map_find(&c->map, toi_global_vertex(t, t->edges[edge][0])),
                  (uint32_t)toi_number_map_find(&c->map, toi_global_vertex(t, t->edges[edge][1])));
}

static uint64_t message_key(const choice *c, const parts *p, size_t edge) {
  uint64_t places[3];
  places_of(p->edges + edge * TOI_HALO_EDGE_WORDS, 2, places);
  return edge_key((uint32_t)toi_number_map_find(&c->map, vertex_words(p, places[0])[0]),
                  (uint32_t)toi_number_map_find(&c->map, vertex_words(p, places[1])[0]));
}

/* Those of faces, own ones that are taken, and those of others. */
static size_t gather_keys(const choice *c, uint64_t *keys) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  const toi_seam *s = &c->call->seam;
  size_t count = 0;
  for (size_t i = 0; i < s->face_count; i++)
    for (int k = 0; k < 3; k++)
      if (s->faces[i][k] != s->faces[i][(k + 1) % 3])
        keys[count++] = edge_key(s->faces[i][k], s->faces[i][(k + 1) % 3]);
  for (size_t i = 0; i < t->edge_count; i++)
    if (c->edge_taken[i])
      keys[count++] = own_key(c, i);
  for (int r = 0; r < c->call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < p.edge_count; i++)
      keys[count++] = message_key(c, &p, i);
  }
  return toi_sort_unique(keys, count);
}

/* Numbers and marks of edges that are known. */
static void mark_edges(const choice *c, const toi_number_map *map) {
  const toi_cluster_topology *t = &c->call->cluster->topology;
  toi_seam *s = &c->call->seam;
  for (size_t i = 0; i < s->edge_count; i++)
    s->edge_numbers[i] = TOI_NO_NUMBER;
  for (size_t i = 0; i < t->edge_count; i++) {
    if (!c->edge_taken[i])
      continue;
    const size_t place = toi_number_map_find(map, own_key(c, i));
    s->edge_numbers[place] = t->edge_numbers[i];
    s->edge_marks[place] =
        TOI_MARK_OWN | (t->edge_inner[i] ? TOI_MARK_INNER : 0) | (t->edge_loose[i] ? TOI_MARK_LOOSE : 0);
  }
  for (int r = 0; r < c->call->cluster->ranks; r++) {
    const parts p = parts_of(&c->halo, r);
    for (size_t i = 0; i < p.edge_count; i++) {
      const size_t place = toi_number_map_find(map, message_key(c, &p, i));
      const uint64_t number = p.edges[i * TOI_HALO_EDGE_WORDS];
      s->edge_numbers[place] = number & ~TOI_HALO_LOOSE_EDGE;
      s->edge_marks[place] = (number & TOI_HALO_LOOSE_EDGE) != 0 ? TOI_MARK_LOOSE : 0;
    }
  }
}

static toi_status place_edges(choice *c) {
  toi_cluster *cluster = c->call->cluster;
  toi_seam *s = &c->call->seam;
  size_t room = cluster->topology.edge_count + 3 * s->face_count;
  for (int r = 0; r < cluster->ranks; r++) {
    room += parts_of(&c->halo, r).edge_count;
    s->halo_edges += parts_of(&c->halo, r).edge_count;
  }
  uint64_t *keys = toi_cluster_allocate(cluster, room, sizeof *keys);
  if (keys == NULL)
    return TOI_ERROR_MEMORY;
  s->edge_count = gather_keys(c, keys);
  s->edges = toi_cluster_allocate(cluster, s->edge_count, sizeof *s->edges);
  s->edge_numbers = toi_cluster_allocate(cluster, s->edge_count, sizeof *s->edge_numbers);
  s->edge_marks = toi_cluster_allocate(cluster, s->edge_count, 1);
  toi_number_map map = {0};
  toi_status status = s->edges && s->edge_numbers && s->edge_marks ? TOI_OK : TOI_ERROR_MEMORY;
  if (status == TOI_OK)
    status = toi_number_map_make(cluster, keys, s->edge_count, &map);
  for (size_t i = 0; status == TOI_OK && i < s->edge_count; i++) {
    s->edges[i][0] = (uint32_t)keys[i];
    s->edges[i][1] = (uint32_t)(keys[i] >> 32);
  }
  if (status == TOI_OK)
    mark_edges(c, &map);
  toi_number_map_free(&map);
  free(keys);
  return status;
}

/* --- all of it --- */

toi_status toi_seam_make(toi_cluster_call *call, double t) {
  toi_seam_free(&call->seam);
  choice c = {.call = call};
  toi_status status = toi_halo_exchange(call, t, &c.halo);
  if (status == TOI_OK) {
    status = plant(&c, t, 2, &c.edges);
    if (status == TOI_OK)
      status = plant(&c, t, 3, &c.faces);
    if (status == TOI_OK)
      status = choose(&c);
    if (status == TOI_OK)
      status = list_vertices(&c);
    if (status == TOI_OK)
      status = place_vertices(&c);
    if (status == TOI_OK)
      status = place_faces(&c);
    if (status == TOI_OK)
      status = place_edges(&c);
    status = toi_agree(call->cluster, status);
  }
  toi_cluster_work *work = &call->cluster->work;
  work->halo_vertices = call->seam.halo_vertices;
  work->halo_edges = call->seam.halo_edges;
  work->halo_faces = call->seam.halo_faces;
  toi_box_tree_free(&c.edges);
  toi_box_tree_free(&c.faces);
  toi_number_map_free(&c.map);
  free(c.vertex_taken);
  free(c.edge_taken);
  free(c.face_taken);
  toi_halo_free(&c.halo);
  return status;
}

void toi_seam_free(toi_seam *seam) {
  void *const lists[] = {seam->vertices,   seam->edge_numbers, seam->face_numbers, seam->vertex_marks, seam->edge_marks,
                         seam->face_marks, seam->at,           seam->edges,        seam->faces,        seam->bodies,
                         seam->fixed,      seam->thickness,    seam->owners};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    free(lists[i]);
  *seam = (toi_seam){0};
}
