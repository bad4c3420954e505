/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cluster and its mesh: attributes of ghosts, the mesh of own vertices, and what frees them. */

#include <stdlib.h>
#include <string.h>

#include "cluster/taking.h"

/* --- attributes --- */

/* A vertex's attributes as two words. */
static void pack(const toi_cluster_topology *t, uint32_t v, uint64_t words[2]) {
  const uint32_t body = t->bodies != NULL ? t->bodies[v] : TOI_NO_BODY;
  const uint64_t fixed = t->fixed != NULL ? t->fixed[v] : 0;
  const double thickness = t->thickness != NULL ? t->thickness[v] : 0;
  words[0] = (uint64_t)body | fixed << 32;
  memcpy(&words[1], &thickness, sizeof thickness);
}

static void unpack(toi_cluster_topology *t, uint32_t v, const uint64_t words[2]) {
  if (t->bodies != NULL)
    t->bodies[v] = (uint32_t)words[0];
  if (t->fixed != NULL)
    t->fixed[v] = (uint8_t)(words[0] >> 32);
  if (t->thickness != NULL)
    memcpy(&t->thickness[v], &words[1], sizeof(double));
}

/* Who owns ghosts of this rank, and who has ghosts that it owns. */
static toi_status find_neighbours(taking *k) {
  toi_cluster_topology *t = k->t;
  uint8_t *marks = toi_cluster_allocate(k->cluster, (size_t)k->cluster->ranks, 1);
  toi_status status = toi_agree(k->cluster, marks == NULL ? TOI_ERROR_MEMORY : TOI_OK);
  for (size_t i = 0; status == TOI_OK && i < t->ghost_count; i++)
    marks[t->ghost_owners[i]] = 1;
  for (int r = 0; status == TOI_OK && r < k->cluster->ranks; r++)
    marks[r] |= t->sent_begin[r + 1] > t->sent_begin[r];
  if (status == TOI_OK)
    status = toi_graph_make(k->cluster, marks, &t->graph);
  free(marks);
  return status;
}

/* Which attributes some rank gives, as bits: then all have them. */
enum { BODIES = 1, FIXED = 2, THICKNESS = 4 };

static toi_status take_attributes(taking *k, int given) {
  toi_cluster_topology *t = k->t;
  const toi_cluster_part *part = k->part;
  const size_t count = t->vertex_count + t->ghost_count;
  bool fits = true;
  if (given & BODIES)
    fits = (t->bodies = toi_cluster_allocate(k->cluster, count, sizeof *t->bodies)) != NULL && fits;
  if (given & FIXED)
    fits = (t->fixed = toi_cluster_allocate(k->cluster, count, sizeof *t->fixed)) != NULL && fits;
  if (given & THICKNESS)
    fits = (t->thickness = toi_cluster_allocate(k->cluster, count, sizeof *t->thickness)) != NULL && fits;
  for (size_t i = 0; fits && i < t->vertex_count; i++) {
    const size_t place = t->given[i];
    if (t->bodies != NULL)
      t->bodies[i] = part->bodies != NULL ? part->bodies[place] : TOI_NO_BODY;
    if (t->fixed != NULL && part->fixed != NULL)
      t->fixed[i] = part->fixed[place] != 0;
    if (t->thickness != NULL && part->thickness != NULL)
      t->thickness[i] = part->thickness[place];
  }
  return fits ? TOI_OK : TOI_ERROR_MEMORY;
}

static toi_status share_attributes(taking *k) {
  toi_cluster_topology *t = k->t;
  int given = (k->part->bodies != NULL ? BODIES : 0) | (k->part->fixed != NULL ? FIXED : 0) |
              (k->part->thickness != NULL ? THICKNESS : 0);
  MPI_Allreduce(MPI_IN_PLACE, &given, 1, MPI_INT, MPI_BOR, k->cluster->comm);
  if (given == 0)
    return TOI_OK;
  toi_status status = take_attributes(k, given);
  toi_mail mail = {0};
  if (status == TOI_OK)
    status = toi_mail_begin(k->cluster, &mail);
  for (int r = 0; status == TOI_OK && r < k->cluster->ranks; r++) {
    const size_t begin = t->sent_begin[r], count = t->sent_begin[r + 1] - begin;
    uint64_t *words = toi_words_add(&mail.out[r], 2 * count);
    if (words == NULL && count > 0)
      status = toi_cluster_fail(k->cluster, TOI_ERROR_MEMORY, "out of memory for messages; use more ranks");
    for (size_t i = 0; status == TOI_OK && i < count; i++)
      pack(t, t->sent[begin + i], words + 2 * i);
  }
  status = toi_agree(k->cluster, status);
  if (status == TOI_OK)
    status = toi_mail_exchange_near(k->cluster, &t->graph, &mail, status);
  size_t *next = status == TOI_OK ? toi_cluster_ghost_places(k->cluster, &mail) : NULL;
  status = status == TOI_OK ? toi_agree(k->cluster, next == NULL ? TOI_ERROR_MEMORY : TOI_OK) : status;
  for (size_t i = 0; status == TOI_OK && i < t->ghost_count; i++) {
    unpack(t, (uint32_t)(t->vertex_count + i), mail.in + next[t->ghost_owners[i]]);
    next[t->ghost_owners[i]] += 2;
  }
  free(next);
  toi_mail_end(&mail);
  return status;
}

size_t *toi_cluster_ghost_places(toi_cluster *cluster, const toi_mail *mail) {
  size_t *next = toi_cluster_allocate(cluster, (size_t)cluster->ranks, sizeof *next);
  for (int r = 0; next != NULL && r < cluster->ranks; r++)
    next[r] = mail->in_begin[r];
  return next;
}

/* --- the mesh of own vertices alone --- */

static bool all_own(const toi_cluster_topology *t, const uint32_t *vertices, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (vertices[i] >= t->vertex_count)
      return false;
  return true;
}

static toi_status find_inner(taking *k) {
  toi_cluster_topology *t = k->t;
  t->face_inner = toi_cluster_allocate(k->cluster, t->face_count, 1);
  t->edge_inner = toi_cluster_allocate(k->cluster, t->edge_count, 1);
  t->inner_faces = toi_cluster_allocate(k->cluster, t->face_count, sizeof *t->inner_faces);
  t->inner_edges = toi_cluster_allocate(k->cluster, t->edge_count, sizeof *t->inner_edges);
  if (!t->face_inner || !t->edge_inner || !t->inner_faces || !t->inner_edges)
    return TOI_ERROR_MEMORY;
  if (t->face_count >= UINT32_MAX || t->edge_count >= UINT32_MAX)
    return toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                            "%zu faces and %zu edges on a rank; at most 2^32 - 2 are possible; use more ranks",
                            t->face_count, t->edge_count);
  for (size_t i = 0; i < t->face_count; i++)
    if ((t->face_inner[i] = all_own(t, t->faces[i], 3)))
      t->inner_faces[t->inner_face_count++] = (uint32_t)i;
  for (size_t i = 0; i < t->edge_count; i++)
    if ((t->edge_inner[i] = all_own(t, t->edges[i], 2)))
      t->inner_edges[t->inner_edge_count++] = (uint32_t)i;
  return TOI_OK;
}

static toi_status make_scene(taking *k) {
  toi_cluster_topology *t = k->t;
  toi_status status = find_inner(k);
  if (status != TOI_OK)
    return status;
  uint32_t(*faces)[3] = toi_cluster_allocate(k->cluster, t->inner_face_count, sizeof *faces);
  uint32_t(*edges)[2] = toi_cluster_allocate(k->cluster, t->inner_edge_count, sizeof *edges);
  status = faces && edges ? TOI_OK : TOI_ERROR_MEMORY;
  for (size_t i = 0; status == TOI_OK && i < t->inner_face_count; i++)
    memcpy(faces[i], t->faces[t->inner_faces[i]], sizeof faces[i]);
  for (size_t i = 0; status == TOI_OK && i < t->inner_edge_count; i++)
    memcpy(edges[i], t->edges[t->inner_edges[i]], sizeof edges[i]);
  toi_topology topology;
  toi_topology_init(&topology, sizeof topology);
  topology.vertex_count = t->vertex_count;
  topology.edges = edges;
  topology.edge_count = t->inner_edge_count;
  topology.faces = faces;
  topology.face_count = t->inner_face_count;
  topology.bodies = t->bodies;
  topology.fixed = t->fixed;
  topology.thickness = t->thickness;
  topology.body_thickness = t->body_thickness;
  topology.body_count = t->body_count;
  topology.body_pairs = t->body_pairs;
  topology.half_spaces = t->half_spaces;
  topology.half_space_count = t->half_space_count;
  if (status == TOI_OK)
    status = toi_cluster_fail_context(k->cluster, toi_scene_create(k->cluster->context, &topology, &t->scene));
  free(faces);
  free(edges);
  return status;
}

/* --- taking it all --- */

static uint64_t digest_part(const toi_cluster_part *part) {
  toi_options none = toi_default_options();
  uint64_t digest = toi_digest_options(&none, "mesh");
  if (part->half_space_count > 0 && part->half_spaces != NULL)
    digest = toi_digest(digest, part->half_spaces, part->half_space_count * sizeof *part->half_spaces);
  if (part->body_thickness != NULL)
    digest = toi_digest(digest, part->body_thickness, part->body_count * sizeof *part->body_thickness);
  const uint64_t words[] = {part->half_space_count, part->body_count, part->body_thickness != NULL,
                            part->body_pairs != NULL};
  return toi_digest(digest, words, sizeof words);
}

static toi_status check_part(toi_cluster *cluster, const toi_cluster_part *part) {
  if (part == NULL)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "part is NULL; give the rank's part, which may be empty");
  if (part->size != 0 && part->size != sizeof *part)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "part has size %zu, %zu is known; use toi_cluster_part_init",
                            part->size, sizeof *part);
  const struct {
    const void *array;
    size_t count;
    const char *name;
  } arrays[] = {{part->vertices, part->vertex_count, "vertices"},
                {part->faces, part->face_count, "faces"},
                {part->edges, part->edge_count, "edges"},
                {part->half_spaces, part->half_space_count, "half_spaces"}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (arrays[i].array == NULL && arrays[i].count > 0)
      return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "%s is NULL, but its count is %zu; give the array",
                              arrays[i].name, arrays[i].count);
  return TOI_OK;
}

static double thickness_of(const toi_cluster_topology *t, size_t vertex) {
  double thickness = t->thickness != NULL ? t->thickness[vertex] : 0;
  if (t->bodies != NULL && t->body_thickness != NULL && t->bodies[vertex] < t->body_count)
    thickness += t->body_thickness[t->bodies[vertex]];
  return thickness;
}

static void count_all(toi_cluster *cluster) {
  toi_cluster_topology *t = &cluster->topology;
  for (size_t i = 0; i < t->vertex_count; i++)
    t->thickest = thickness_of(t, i) > t->thickest ? thickness_of(t, i) : t->thickest;
  MPI_Allreduce(MPI_IN_PLACE, &t->thickest, 1, MPI_DOUBLE, MPI_MAX, cluster->comm);
  uint64_t sums[4] = {t->vertex_count, t->edge_count, t->face_count, 0};
  for (size_t i = 0; i < t->vertex_count; i++)
    sums[3] += t->loose[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, cluster->comm);
  t->counts = (toi_cluster_counts){.vertices = sums[0], .edges = sums[1], .faces = sums[2]};
  t->any_loose = sums[3] > 0;
}

toi_status toi_cluster_mesh(toi_cluster *cluster, const toi_cluster_part *part) {
  toi_status status = check_part(cluster, part);
  status = toi_cluster_meet(cluster, status, status == TOI_OK ? digest_part(part) : 0);
  if (status != TOI_OK)
    return status;
  toi_cluster_topology_free(cluster);
  toi_cluster_topology *t = &cluster->topology;
  *t = (toi_cluster_topology){.body_thickness = part->body_thickness,
                              .body_pairs = part->body_pairs,
                              .body_count = part->body_count,
                              .half_spaces = part->half_spaces,
                              .half_space_count = part->half_space_count};
  taking k = {.cluster = cluster, .part = part, .t = t};
  status = toi_taking_run(&k);
  if (status == TOI_OK)
    status = find_neighbours(&k);
  if (status == TOI_OK)
    status = share_attributes(&k);
  if (status == TOI_OK)
    status = toi_agree(cluster, make_scene(&k));
  toi_taking_end(&k);
  if (status == TOI_OK)
    count_all(cluster);
  cluster->has_mesh = status == TOI_OK;
  if (status != TOI_OK)
    toi_cluster_topology_free(cluster);
  return status;
}

void toi_cluster_topology_free(toi_cluster *cluster) {
  toi_cluster_topology *t = &cluster->topology;
  toi_scene_destroy(t->scene);
  toi_graph_free(&t->graph);
  toi_number_map_free(&t->own_map);
  toi_number_map_free(&t->ghost_map);
  void *const lists[] = {t->vertices,   t->given,        t->loose,        t->bodies,       t->fixed,
                         t->thickness,  t->ghosts,       t->faces,        t->edges,        t->sent_begin,
                         t->sent,       t->ghost_owners, t->face_numbers, t->edge_loose,   t->face_inner,
                         t->edge_inner, t->inner_faces,  t->inner_edges,  t->edge_numbers, t->chunk_of};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    free(lists[i]);
  *t = (toi_cluster_topology){0};
  cluster->has_mesh = false;
}

void toi_cluster_part_init(toi_cluster_part *part, size_t size) {
  memset(part, 0, size);
  part->size = size;
}

toi_cluster_counts toi_cluster_count(const toi_cluster *cluster) {
  return cluster->topology.counts;
}
