/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "cluster/contest.h"

#include <stdlib.h>
#include <string.h>

/* An entry: kind, numbers, then four vertices of VERTEX_WORDS words: number, start and end, body, thickness. */
#define HEAD_WORDS 3
#define VERTEX_WORDS 9
#define ENTRY_WORDS (HEAD_WORDS + 4 * VERTEX_WORDS)

typedef struct entry {
  toi_kind kind;
  toi_cluster_pair pair;
  uint32_t vertices[4]; /* in the small mesh */
  toi_pair small;       /* the pair there */
} entry;

/* The mesh of all entries. */
typedef struct arena {
  toi_cluster_call *call;
  size_t entry_count, vertex_count, face_count, loose_count, edge_count;
  entry *entries;
  uint64_t *numbers; /* of vertices */
  double (*at)[6];
  uint32_t *bodies;
  double *thickness;
  uint64_t *face_numbers;
  uint32_t (*faces)[3], (*loose)[2], (*edges)[2];
} arena;

toi_status toi_contest_begin(toi_cluster *cluster, toi_contest *contest) {
  (void)cluster;
  *contest = (toi_contest){0};
  return TOI_OK;
}

void toi_contest_end(toi_contest *contest) {
  toi_words_free(&contest->own);
  toi_words_free(&contest->all);
}

/* --- entering --- */

static uint64_t *enter(const toi_cluster_call *call, toi_contest *contest, toi_kind kind, toi_cluster_pair pair) {
  uint64_t *words = toi_words_add(&contest->own, ENTRY_WORDS);
  if (words == NULL) {
    (void)toi_cluster_fail(call->cluster, TOI_ERROR_MEMORY, "out of memory for a contact");
    return NULL;
  }
  memset(words, 0, ENTRY_WORDS * sizeof *words);
  words[0] = (uint64_t)kind;
  words[1] = pair.first;
  words[2] = pair.second;
  return words + HEAD_WORDS;
}

static void put_vertex(uint64_t *words, uint64_t number, const double at[6], uint32_t body, double thickness) {
  words[0] = number;
  memcpy(words + 1, at, 6 * sizeof(double));
  words[7] = body;
  memcpy(words + 8, &thickness, sizeof thickness);
}

toi_status toi_contest_enter_inner(const toi_cluster_call *call, toi_contest *contest, const toi_impact *impact) {
  const toi_cluster_topology *t = &call->cluster->topology;
  uint64_t *words = enter(call, contest, impact->kind, toi_inner_pair(call->cluster, impact->kind, impact->pair));
  if (words == NULL)
    return TOI_ERROR_MEMORY;
  uint32_t vertices[4] = {impact->pair.first};
  toi_inner_vertices(t, impact->kind, impact->pair, vertices);
  for (size_t i = 0; i < toi_pair_vertex_count(impact->kind); i++) {
    const uint32_t v = vertices[i];
    put_vertex(words + i * VERTEX_WORDS, t->vertices[v], call->at[v], t->bodies != NULL ? t->bodies[v] : TOI_NO_BODY,
               t->thickness != NULL ? t->thickness[v] : 0);
  }
  return TOI_OK;
}

toi_status toi_contest_enter_seam(const toi_cluster_call *call, toi_contest *contest, const toi_impact *impact) {
  const toi_seam *s = &call->seam;
  uint64_t *words = enter(call, contest, impact->kind, toi_seam_pair(s, impact->kind, impact->pair));
  if (words == NULL)
    return TOI_ERROR_MEMORY;
  uint32_t vertices[4] = {0};
  toi_seam_vertices(s, impact->kind, impact->pair, vertices);
  for (size_t i = 0; i < toi_pair_vertex_count(impact->kind); i++) {
    const uint32_t v = vertices[i];
    put_vertex(words + i * VERTEX_WORDS, s->vertices[v], s->at[v], s->bodies != NULL ? s->bodies[v] : TOI_NO_BODY,
               s->thickness != NULL ? s->thickness[v] : 0);
  }
  return TOI_OK;
}

/* Every rank's entries to all. */
static toi_status share(toi_cluster *cluster, toi_contest *contest, toi_status status) {
  const size_t ranks = (size_t)cluster->ranks;
  int *counts = toi_cluster_allocate(cluster, 2 * ranks, sizeof *counts);
  if (counts == NULL)
    status = TOI_ERROR_MEMORY;
  status = toi_agree(cluster, status);
  size_t total = 0;
  if (status == TOI_OK) {
    const int own = (int)contest->own.count;
    MPI_Allgather(&own, 1, MPI_INT, counts, 1, MPI_INT, cluster->comm);
    for (size_t r = 0; r < ranks; r++) {
      counts[ranks + r] = (int)total;
      total += (size_t)counts[r];
    }
    if (toi_words_add(&contest->all, total) == NULL)
      status = toi_cluster_fail(cluster, TOI_ERROR_MEMORY, "out of memory for the ranks' contacts");
    status = toi_agree(cluster, status);
  }
  if (status == TOI_OK)
    MPI_Allgatherv(contest->own.at, (int)contest->own.count, MPI_UINT64_T, contest->all.at, counts, counts + ranks,
                   MPI_UINT64_T, cluster->comm);
  free(counts);
  return status;
}

/* --- the small mesh --- */

static bool make_room(arena *a, size_t entries) {
  toi_cluster *cluster = a->call->cluster;
  a->entries = toi_cluster_allocate(cluster, entries, sizeof *a->entries);
  a->numbers = toi_cluster_allocate(cluster, 4 * entries, sizeof *a->numbers);
  a->at = toi_cluster_allocate(cluster, 4 * entries, sizeof *a->at);
  a->bodies = toi_cluster_allocate(cluster, 4 * entries, sizeof *a->bodies);
  a->thickness = toi_cluster_allocate(cluster, 4 * entries, sizeof *a->thickness);
  a->face_numbers = toi_cluster_allocate(cluster, entries, sizeof *a->face_numbers);
  a->faces = toi_cluster_allocate(cluster, entries, sizeof *a->faces);
  a->loose = toi_cluster_allocate(cluster, 2 * entries, sizeof *a->loose);
  return a->entries && a->numbers && a->at && a->bodies && a->thickness && a->face_numbers && a->faces && a->loose;
}

static void read_entries(arena *a, const uint64_t *words) {
  for (size_t i = 0; i < a->entry_count; i++) {
    const uint64_t *own = words + i * ENTRY_WORDS;
    a->entries[i] = (entry){.kind = (toi_kind)own[0], .pair = {own[1], own[2]}};
    for (size_t k = 0; k < toi_pair_vertex_count(a->entries[i].kind); k++)
      a->numbers[a->vertex_count++] = own[HEAD_WORDS + k * VERTEX_WORDS];
    if (a->entries[i].kind == TOI_VERTEX_FACE)
      a->face_numbers[a->face_count++] = own[2];
  }
  a->vertex_count = toi_sort_unique(a->numbers, a->vertex_count);
  a->face_count = toi_sort_unique(a->face_numbers, a->face_count);
  for (size_t i = 0; i < a->entry_count; i++)
    for (size_t k = 0; k < toi_pair_vertex_count(a->entries[i].kind); k++) {
      const uint64_t *vertex = words + i * ENTRY_WORDS + HEAD_WORDS + k * VERTEX_WORDS;
      const size_t place = toi_find_number(a->numbers, a->vertex_count, vertex[0]);
      a->entries[i].vertices[k] = (uint32_t)place;
      memcpy(a->at[place], vertex + 1, sizeof a->at[0]);
      a->bodies[place] = (uint32_t)vertex[7];
      memcpy(&a->thickness[place], vertex + 8, sizeof(double));
    }
}

static void add_loose(arena *a, const uint32_t *vertices) {
  memcpy(a->loose[a->loose_count++], vertices, sizeof a->loose[0]);
}

static void list_primitives(arena *a) {
  for (size_t i = 0; i < a->entry_count; i++) {
    const entry *e = &a->entries[i];
    if (e->kind == TOI_VERTEX_FACE)
      memcpy(a->faces[toi_find_number(a->face_numbers, a->face_count, e->pair.second)], e->vertices + 1,
             sizeof a->faces[0]);
    if (e->kind == TOI_EDGE_EDGE)
      add_loose(a, e->vertices);
    if (e->kind == TOI_EDGE_EDGE)
      add_loose(a, e->vertices + 2);
    if (e->kind == TOI_VERTEX_EDGE)
      add_loose(a, e->vertices + 1);
  }
}

static uint32_t find_edge(const arena *a, const uint32_t *ends) {
  uint32_t at = 0;
  while (at < a->edge_count && (a->edges[at][0] != ends[0] || a->edges[at][1] != ends[1]))
    at++;
  return at;
}

/* The numbers of the entries' primitives in the small mesh. */
static void name_pairs(arena *a) {
  for (size_t i = 0; i < a->entry_count; i++) {
    entry *e = &a->entries[i];
    e->small.first = e->kind == TOI_EDGE_EDGE ? find_edge(a, e->vertices) : e->vertices[0];
    if (e->kind == TOI_VERTEX_FACE)
      e->small.second = (uint32_t)toi_find_number(a->face_numbers, a->face_count, e->pair.second);
    else if (e->kind == TOI_EDGE_EDGE || e->kind == TOI_VERTEX_EDGE)
      e->small.second = find_edge(a, e->vertices + (e->kind == TOI_EDGE_EDGE ? 2 : 1));
    else
      e->small.second = e->kind == TOI_VERTEX_HALF_SPACE ? (uint32_t)e->pair.second : e->vertices[1];
  }
}

static const entry *find_entry(const arena *a, toi_kind kind, uint32_t first, uint32_t second) {
  for (size_t i = 0; i < a->entry_count; i++)
    if (a->entries[i].kind == kind && a->entries[i].small.first == first && a->entries[i].small.second == second)
      return &a->entries[i];
  return NULL;
}

/* No other pairs: those of edges that faces bring along, or of points that are not loose in the whole mesh. */
static bool is_entry(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  return find_entry(user, kind, first, second) != NULL;
}

static toi_status ask(arena *a, toi_impact *impact) {
  toi_cluster_call *call = a->call;
  const toi_cluster_topology *t = &call->cluster->topology;
  toi_mesh mesh;
  toi_mesh_init(&mesh, sizeof mesh);
  mesh.start = &a->at[0][0];
  mesh.end = &a->at[0][3];
  mesh.stride = sizeof a->at[0];
  mesh.vertex_count = a->vertex_count;
  mesh.edges = (const uint32_t(*)[2])a->edges;
  mesh.edge_count = a->edge_count;
  mesh.faces = (const uint32_t(*)[3])a->faces;
  mesh.face_count = a->face_count;
  mesh.thickness = t->thickness != NULL ? a->thickness : NULL;
  if (t->body_thickness != NULL) {
    mesh.bodies = a->bodies;
    mesh.body_thickness = t->body_thickness;
    mesh.body_count = t->body_count;
    mesh.body_pairs = t->body_pairs;
  }
  mesh.half_spaces = t->half_spaces;
  mesh.half_space_count = t->half_space_count;
  call->options.t_max = call->t_max;
  call->on_mesh.kinds = 0;
  call->on_mesh.may_collide = is_entry;
  call->on_mesh.may_collide_user = a;
  return toi_step(call->cluster->context, &mesh, &call->options, impact);
}

static toi_status decide(arena *a, toi_cluster_impact *impact) {
  toi_context *context = a->call->cluster->context;
  toi_impact small;
  toi_status status = toi_mesh_edges(context, (const uint32_t(*)[3])a->faces, a->face_count,
                                     (const uint32_t(*)[2])a->loose, a->loose_count, &a->edges, &a->edge_count);
  if (status == TOI_OK) {
    name_pairs(a);
    status = ask(a, &small);
  }
  if (status != TOI_OK)
    return toi_cluster_fail_context(a->call->cluster, status);
  const entry *winner = find_entry(a, small.kind, small.pair.first, small.pair.second);
  if (winner == NULL || small.hit.verdict == TOI_MISS)
    return toi_cluster_fail(
        a->call->cluster, TOI_ERROR_INPUT,
        "ranks disagree about the first contact; are they the same library on machines of one kind?");
  *impact = (toi_cluster_impact){.hit = small.hit, .kind = winner->kind, .pair = winner->pair};
  for (size_t i = 0; i < toi_pair_vertex_count(winner->kind); i++)
    impact->vertices[i] = a->numbers[winner->vertices[i]];
  return TOI_OK;
}

static void free_arena(arena *a) {
  if (a->edges != NULL)
    toi_mesh_edges_free(a->call->cluster->context, a->edges, a->edge_count);
  void *const lists[] = {a->entries, a->numbers, a->at, a->bodies, a->thickness, a->face_numbers, a->faces, a->loose};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    free(lists[i]);
}

toi_status toi_contest_decide(toi_cluster_call *call, toi_contest *contest, toi_status status,
                              toi_cluster_impact *impact) {
  status = share(call->cluster, contest, status);
  if (status != TOI_OK)
    return status;
  arena a = {.call = call, .entry_count = contest->all.count / ENTRY_WORDS};
  if (make_room(&a, a.entry_count)) {
    read_entries(&a, contest->all.at);
    list_primitives(&a);
    status = decide(&a, impact);
  } else {
    status = TOI_ERROR_MEMORY;
  }
  free_arena(&a);
  return toi_agree(call->cluster, status);
}
