/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/halo.h"

#include <stdlib.h>
#include <string.h>

#define CHUNKS 512
#define BOX_WORDS 6

/* Those whose boxes meet, and the trees over their rows' boxes. */
typedef struct neighbours {
  toi_box *around; /* everything that each rank has */
  uint8_t *near;
  toi_box_tree *trees;
} neighbours;

/* --- boxes --- */

static toi_status make_boxes(toi_cluster_call *call, double t, toi_halo *halo) {
  const toi_cluster_topology *top = &call->cluster->topology;
  const size_t count = top->vertex_count + top->ghost_count;
  const toi_growth growth = toi_call_growth(call, t);
  halo->boxes = toi_cluster_allocate(call->cluster, count, sizeof *halo->boxes);
  if (halo->boxes == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++)
    halo->boxes[i] = toi_box_of_vertex(&growth, call->at[i]);
  return TOI_OK;
}

/* Rows of own vertices along the curve, which is drawn once: it decides nothing but time. */
static toi_status make_order(toi_cluster *cluster, const toi_box *boxes) {
  toi_cluster_topology *t = &cluster->topology;
  if (t->chunk_of != NULL)
    return TOI_OK;
  uint32_t *order = toi_box_order(cluster, boxes, t->vertex_count);
  t->chunk_of = toi_cluster_allocate(cluster, t->vertex_count, sizeof *t->chunk_of);
  for (size_t i = 0; order != NULL && t->chunk_of != NULL && i < t->vertex_count; i++)
    t->chunk_of[order[i]] = (uint16_t)(i * CHUNKS / t->vertex_count);
  free(order);
  return order != NULL && t->chunk_of != NULL ? TOI_OK : TOI_ERROR_MEMORY;
}

/* Boxes of rows, and around all that the rank has, faces included. */
static void box_rows(const toi_cluster_topology *t, const toi_box *boxes, toi_box rows[CHUNKS], toi_box *around) {
  for (size_t i = 0; i < CHUNKS; i++)
    rows[i] = toi_box_empty();
  for (size_t i = 0; i < t->vertex_count; i++)
    toi_box_join(&rows[t->chunk_of[i]], &boxes[i]);
  for (size_t i = 0; i < t->edge_count; i++)
    if (!t->edge_inner[i] || t->chunk_of[t->edges[i][0]] != t->chunk_of[t->edges[i][1]])
      toi_box_join(&rows[t->chunk_of[t->edges[i][1]]], &boxes[t->edges[i][0]]);
  *around = toi_box_empty();
  for (size_t i = 0; i < CHUNKS; i++)
    toi_box_join(around, &rows[i]);
  for (size_t i = 0; i < t->face_count; i++)
    for (int k = 0; k < 3; k++)
      toi_box_join(around, &boxes[t->faces[i][k]]);
}

/* --- who is near --- */

static toi_status post_rows(toi_cluster *cluster, const neighbours *n, const toi_box rows[CHUNKS], toi_mail *mail) {
  for (int r = 0; r < cluster->ranks; r++) {
    if (!n->near[r])
      continue;
    for (size_t i = 0; i < CHUNKS; i++) {
      if (rows[i].lo[0] > rows[i].hi[0])
        continue;
      uint64_t *words = toi_words_add(&mail->out[r], BOX_WORDS);
      if (words == NULL)
        return toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for messages; use more ranks");
      memcpy(words, &rows[i], sizeof rows[i]);
    }
  }
  return TOI_OK;
}

static toi_status plant_trees(toi_cluster *cluster, const toi_mail *mail, neighbours *n) {
  toi_box boxes[CHUNKS];
  toi_status status = TOI_OK;
  for (int r = 0; r < cluster->ranks && status == TOI_OK; r++) {
    const size_t words = toi_mail_count(mail, r), count = words / BOX_WORDS;
    if (count > CHUNKS)
      return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "rank %d sent %zu boxes, %d are possible", r, count, CHUNKS);
    if (count == 0) {
      n->near[r] = 0;
      continue;
    }
    memcpy(boxes, mail->in + mail->in_begin[r], count * sizeof boxes[0]);
    status = toi_box_tree_make(cluster, boxes, count, &n->trees[r]);
  }
  return status;
}

static toi_status find_neighbours(toi_cluster_call *call, const toi_halo *halo, neighbours *n) {
  toi_cluster *cluster = call->cluster;
  const size_t ranks = (size_t)cluster->ranks;
  toi_box(*rows)[CHUNKS] = toi_cluster_allocate(cluster, 1, sizeof *rows);
  n->around = toi_cluster_allocate(cluster, ranks, sizeof *n->around);
  n->near = toi_cluster_allocate(cluster, ranks, 1);
  n->trees = toi_cluster_allocate(cluster, ranks, sizeof *n->trees);
  toi_status status = rows && n->around && n->near && n->trees ? TOI_OK : TOI_ERROR_MEMORY;
  if (status == TOI_OK)
    status = make_order(cluster, halo->boxes);
  toi_mail mail = {0};
  if (status == TOI_OK)
    status = toi_mail_begin(cluster, &mail);
  status = toi_agree(cluster, status);
  if (status == TOI_OK) {
    toi_box around;
    box_rows(&cluster->topology, halo->boxes, *rows, &around);
    MPI_Allgather(&around, BOX_WORDS, MPI_DOUBLE, n->around, BOX_WORDS, MPI_DOUBLE, cluster->comm);
    for (size_t r = 0; r < ranks; r++)
      n->near[r] = (int)r != cluster->rank && toi_box_meets(&around, &n->around[r]);
    status = toi_graph_make(cluster, n->near, &cluster->near);
    if (status == TOI_OK)
      status = toi_mail_exchange_near(cluster, &cluster->near, &mail, post_rows(cluster, n, *rows, &mail));
  }
  if (status == TOI_OK)
    status = toi_agree(cluster, plant_trees(cluster, &mail, n));
  cluster->work.bytes_sent += mail.sent;
  free(rows);
  toi_mail_end(&mail);
  return status;
}

static void free_neighbours(const toi_cluster *cluster, neighbours *n) {
  for (int r = 0; n->trees != NULL && r < cluster->ranks; r++)
    toi_box_tree_free(&n->trees[r]);
  free(n->around);
  free(n->near);
  free(n->trees);
}

/* --- what they get --- */

/* A message to one rank being written: vertices get places as primitives need them. */
typedef struct letter {
  const toi_cluster_call *call;
  uint32_t *places; /* 1 + place of each local vertex; 0: not in this letter */
  toi_words vertices, edges, faces;
} letter;

static bool put_vertex(letter *l, uint32_t vertex, uint32_t *place) {
  const toi_cluster_topology *t = &l->call->cluster->topology;
  if (l->places[vertex] == 0) {
    uint64_t *words = toi_words_add(&l->vertices, TOI_HALO_VERTEX_WORDS);
    if (words == NULL)
      return false;
    l->places[vertex] = (uint32_t)(l->vertices.count / TOI_HALO_VERTEX_WORDS);
    words[0] = toi_global_vertex(t, vertex);
    memcpy(words + 1, l->call->at[vertex], sizeof l->call->at[0]);
    words[7] = t->bodies != NULL ? t->bodies[vertex] : TOI_NO_BODY;
    words[7] |= t->fixed != NULL && t->fixed[vertex] ? TOI_HALO_FIXED : 0;
    words[7] |= vertex < t->vertex_count && t->loose[vertex] ? TOI_HALO_LOOSE : 0;
    words[7] |= (uint64_t)toi_vertex_owner(l->call->cluster, vertex) << TOI_HALO_OWNER_SHIFT;
    const double thickness = t->thickness != NULL ? t->thickness[vertex] : 0;
    memcpy(words + 8, &thickness, sizeof thickness);
  }
  *place = l->places[vertex] - 1;
  return true;
}

static bool put_edge(letter *l, size_t edge) {
  const toi_cluster_topology *t = &l->call->cluster->topology;
  uint32_t places[2];
  if (!put_vertex(l, t->edges[edge][0], &places[0]) || !put_vertex(l, t->edges[edge][1], &places[1]))
    return false;
  uint64_t *words = toi_words_add(&l->edges, TOI_HALO_EDGE_WORDS);
  if (words == NULL)
    return false;
  words[0] = t->edge_numbers[edge] | (t->edge_loose[edge] ? TOI_HALO_LOOSE_EDGE : 0);
  words[1] = (uint64_t)places[0] << 32 | places[1];
  return true;
}

static bool put_face(letter *l, size_t face) {
  const toi_cluster_topology *t = &l->call->cluster->topology;
  uint32_t places[3];
  for (int k = 0; k < 3; k++)
    if (!put_vertex(l, t->faces[face][k], &places[k]))
      return false;
  uint64_t *words = toi_words_add(&l->faces, TOI_HALO_FACE_WORDS);
  if (words == NULL)
    return false;
  words[0] = t->face_numbers[face];
  words[1] = (uint64_t)places[0] << 32 | places[1];
  words[2] = places[2];
  return true;
}

/* All that meets what a rank has: edges, faces, and loose vertices, which are primitives by themselves. */
static bool write_letter(letter *l, const toi_box *boxes, const toi_box *around, const toi_box_tree *tree) {
  const toi_cluster_topology *t = &l->call->cluster->topology;
  for (size_t i = 0; i < t->edge_count; i++) {
    const toi_box box = toi_box_around(boxes, t->edges[i], 2);
    if (toi_box_meets(&box, around) && toi_box_tree_meets(tree, &box) && !put_edge(l, i))
      return false;
  }
  for (size_t i = 0; i < t->face_count; i++) {
    const toi_box box = toi_box_around(boxes, t->faces[i], 3);
    if (toi_box_meets(&box, around) && toi_box_tree_meets(tree, &box) && !put_face(l, i))
      return false;
  }
  uint32_t place;
  for (size_t i = 0; t->any_loose && i < t->vertex_count; i++)
    if (t->loose[i] && toi_box_tree_meets(tree, &boxes[i]) && !put_vertex(l, (uint32_t)i, &place))
      return false;
  return true;
}

/* The letter as it is sent; vertices that were in it are forgotten. */
static bool close_letter(letter *l, toi_words *out) {
  const toi_cluster_topology *t = &l->call->cluster->topology;
  const toi_words *parts[] = {&l->vertices, &l->edges, &l->faces};
  const size_t each[] = {TOI_HALO_VERTEX_WORDS, TOI_HALO_EDGE_WORDS, TOI_HALO_FACE_WORDS};
  bool fits = true;
  if (l->vertices.count > 0) {
    uint64_t *words = toi_words_add(out, TOI_HALO_COUNTS + l->vertices.count + l->edges.count + l->faces.count);
    fits = words != NULL;
    size_t at = TOI_HALO_COUNTS;
    for (int i = 0; fits && i < 3; i++) {
      words[i] = parts[i]->count / each[i];
      if (parts[i]->count > 0)
        memcpy(words + at, parts[i]->at, parts[i]->count * sizeof *words);
      at += parts[i]->count;
    }
  }
  memset(l->places, 0, (t->vertex_count + t->ghost_count) * sizeof *l->places);
  l->vertices.count = l->edges.count = l->faces.count = 0;
  return fits;
}

static toi_status write_letters(toi_cluster_call *call, const neighbours *n, toi_halo *halo) {
  toi_cluster *cluster = call->cluster;
  const toi_cluster_topology *t = &cluster->topology;
  letter l = {.call = call};
  l.places = toi_cluster_allocate(cluster, t->vertex_count + t->ghost_count, sizeof *l.places);
  bool fits = l.places != NULL;
  for (int r = 0; r < cluster->ranks && fits; r++)
    fits = !n->near[r] ||
           (write_letter(&l, halo->boxes, &n->around[r], &n->trees[r]) && close_letter(&l, &halo->mail.out[r]));
  toi_words_free(&l.vertices);
  toi_words_free(&l.edges);
  toi_words_free(&l.faces);
  free(l.places);
  return fits ? TOI_OK : toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for the halo; use more ranks");
}

toi_status toi_halo_exchange(toi_cluster_call *call, double t, toi_halo *halo) {
  *halo = (toi_halo){0};
  neighbours n = {0};
  toi_status status = toi_mail_begin(call->cluster, &halo->mail);
  if (status == TOI_OK)
    status = make_boxes(call, t, halo);
  status = toi_agree(call->cluster, status);
  if (status == TOI_OK)
    status = find_neighbours(call, halo, &n);
  if (status == TOI_OK)
    status = toi_mail_exchange_near(call->cluster, &call->cluster->near, &halo->mail, write_letters(call, &n, halo));
  call->cluster->work.bytes_sent += halo->mail.sent;
  free_neighbours(call->cluster, &n);
  return status;
}

void toi_halo_free(toi_halo *halo) {
  free(halo->boxes);
  toi_mail_end(&halo->mail);
  *halo = (toi_halo){0};
}
