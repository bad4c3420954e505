/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A mesh in parts: who owns what, which vertices of others a rank's primitives have, and what every edge is called.
 *
 * Claim: the edges that a rank owns, with their numbers, are those that toi_mesh_edges() would find on the whole mesh
 * and number. Why: each face and each loose edge sends its edges to the owner of the larger vertex, which therefore
 * knows all edges with this larger vertex, and keeps one of each. In the order by (larger, smaller), an edge comes
 * behind all edges of smaller larger vertices, which the directory adds up over all ranks, and behind those of the same
 * larger vertex with a smaller end, which are here. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/taking.h"

/* --- own vertices --- */

/* Numbers in order, with the places where they were given. */
static toi_status sort_numbers(toi_cluster *cluster, const uint64_t *given, size_t count, uint64_t *numbers,
                               size_t *places) {
  bool ordered = true;
  for (size_t i = 0; i < count; i++) {
    numbers[i] = given[i];
    places[i] = i;
    ordered = ordered && (i == 0 || given[i - 1] < given[i]);
  }
  if (ordered)
    return TOI_OK;
  uint64_t *rows = toi_cluster_allocate(cluster, 2 * count, sizeof *rows); // numbers, places
  for (size_t i = 0; rows != NULL && i < count; i++) {
    rows[2 * i] = given[i];
    rows[2 * i + 1] = i;
  }
  const bool sorted = rows != NULL && toi_sort_rows(rows, count);
  for (size_t i = 0; sorted && i < count; i++) {
    numbers[i] = rows[2 * i];
    places[i] = (size_t)rows[2 * i + 1];
  }
  free(rows);
  return sorted ? TOI_OK : TOI_ERROR_MEMORY;
}

static toi_status take_vertices(taking *k) {
  toi_cluster_topology *t = k->t;
  const size_t count = k->part->vertex_count;
  t->vertex_count = count;
  t->vertices = toi_cluster_allocate(k->cluster, count, sizeof *t->vertices);
  t->given = toi_cluster_allocate(k->cluster, count, sizeof *t->given);
  t->loose = toi_cluster_allocate(k->cluster, count, sizeof *t->loose);
  if (t->vertices == NULL || t->given == NULL || t->loose == NULL)
    return TOI_ERROR_MEMORY;
  toi_status status = sort_numbers(k->cluster, k->part->vertices, count, t->vertices, t->given);
  for (size_t i = 1; status == TOI_OK && i < count; i++)
    if (t->vertices[i - 1] == t->vertices[i])
      status = toi_cluster_fail(k->cluster, TOI_ERROR_INPUT, "vertex %" PRIu64 " is given twice; give each once",
                                t->vertices[i]);
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    t->loose[i] = 1;
  if (status == TOI_OK && count >= UINT32_MAX)
    status =
        toi_cluster_fail(k->cluster, TOI_ERROR_INPUT, "%zu vertices on a rank; at most 2^32 - 2 are possible", count);
  return status == TOI_OK ? toi_number_map_make(k->cluster, t->vertices, count, &t->own_map) : status;
}

/* --- vertices of others --- */

static toi_status add_needed(taking *k, toi_words *words, uint64_t number) {
  if (toi_number_map_find(&k->t->own_map, number) != SIZE_MAX)
    return TOI_OK;
  uint64_t *word = toi_words_add(words, 1);
  if (word == NULL)
    return toi_cluster_fail(k->cluster, TOI_ERROR_MEMORY, "out of memory for vertex numbers; use more ranks");
  *word = number;
  return TOI_OK;
}

static toi_status list_needed(taking *k) {
  toi_words words = {0};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < k->part->face_count; i++)
    for (size_t j = 0; j < 3 && status == TOI_OK; j++)
      status = add_needed(k, &words, k->part->faces[i][j]);
  for (size_t i = 0; i < k->part->edge_count; i++)
    for (size_t j = 0; j < 2 && status == TOI_OK; j++)
      status = add_needed(k, &words, k->part->edges[i][j]);
  k->needed = words.at;
  k->needed_count = toi_sort_unique(words.at, words.count);
  k->owners = toi_cluster_allocate(k->cluster, k->needed_count, sizeof *k->owners);
  if (status == TOI_OK)
    status = toi_number_map_make(k->cluster, k->needed, k->needed_count, &k->needed_map);
  return status == TOI_OK && k->owners == NULL ? TOI_ERROR_MEMORY : status;
}

/* The rank that owns a vertex; -1: none. */
static int owner_of(const taking *k, uint64_t number) {
  if (toi_number_map_find(&k->t->own_map, number) != SIZE_MAX)
    return k->cluster->rank;
  const size_t place = toi_number_map_find(&k->needed_map, number);
  return place == SIZE_MAX ? -1 : k->owners[place];
}

/* Names the first primitive with a vertex that nobody owns. */
static toi_status check_owned(const taking *k) {
  bool all = true;
  for (size_t i = 0; i < k->needed_count; i++)
    all = all && k->owners[i] >= 0;
  if (all)
    return TOI_OK;
  for (size_t i = 0; i < k->part->face_count; i++)
    for (size_t j = 0; j < 3; j++)
      if (owner_of(k, k->part->faces[i][j]) < 0)
        return toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                                "its face %zu has vertex %" PRIu64 ", which no rank owns; give it to one", i,
                                k->part->faces[i][j]);
  for (size_t i = 0; i < k->part->edge_count; i++)
    for (size_t j = 0; j < 2; j++)
      if (owner_of(k, k->part->edges[i][j]) < 0)
        return toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                                "its edge %zu has vertex %" PRIu64 ", which no rank owns; give it to one", i,
                                k->part->edges[i][j]);
  return TOI_ERROR_INPUT;
}

static toi_status find_owners(taking *k) {
  toi_status status = toi_agree(k->cluster, list_needed(k));
  if (status == TOI_OK)
    status = toi_directory_find(k->cluster, &k->directory, k->needed, k->needed_count, k->owners);
  return status == TOI_OK ? toi_agree(k->cluster, check_owned(k)) : status;
}

/* --- edges --- */

/* An edge that a face or the caller has. */
typedef struct side {
  uint64_t smaller, larger;
  bool of_face;
} side;

/* Calls for each edge of the part, those of faces as often as faces have them. */
static toi_status visit_edges(taking *k, toi_status (*visit)(taking *k, const side *s, void *user), void *user) {
  const toi_cluster_part *part = k->part;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < 3 * part->face_count + part->edge_count && status == TOI_OK; i++) {
    const bool of_face = i < 3 * part->face_count;
    const uint64_t *ends = of_face ? part->faces[i / 3] : part->edges[i - 3 * part->face_count];
    const uint64_t a = ends[of_face ? i % 3 : 0], b = ends[of_face ? (i + 1) % 3 : 1];
    const side s = {a < b ? a : b, a < b ? b : a, of_face};
    if (a != b)
      status = visit(k, &s, user);
  }
  return status;
}

/* Edges whose larger vertex is another rank's: three words each. */
static toi_status post_edge(taking *k, const side *s, void *user) {
  toi_mail *mail = user;
  const int owner = owner_of(k, s->larger);
  if (owner == k->cluster->rank)
    return TOI_OK;
  uint64_t *words = toi_words_add(&mail->out[owner], 3);
  if (words == NULL)
    return toi_cluster_fail(k->cluster, TOI_ERROR_MEMORY, "out of memory for edges; use more ranks");
  words[0] = s->larger;
  words[1] = s->smaller;
  words[2] = (uint64_t)owner_of(k, s->smaller) * 2 + s->of_face;
  return TOI_OK;
}

static toi_status count_edge(taking *k, const side *s, void *user) {
  (void)user;
  const size_t own = toi_number_map_find(&k->t->own_map, s->larger);
  if (own != SIZE_MAX)
    k->begin[own + 2]++;
  return TOI_OK;
}

static toi_status place_edge(taking *k, const side *s, void *user) {
  (void)user;
  const size_t own = toi_number_map_find(&k->t->own_map, s->larger);
  if (own != SIZE_MAX)
    k->ends[k->begin[own + 1]++] = (toi_edge_end){s->smaller, owner_of(k, s->smaller), s->of_face};
  return TOI_OK;
}

/* All edges with an own larger vertex, from here and from other ranks, in rows of that vertex. */
static toi_status gather_ends(taking *k, const toi_mail *mail) {
  const size_t vertices = k->t->vertex_count, came = mail->in_begin[mail->ranks] / 3;
  k->begin = toi_cluster_allocate(k->cluster, vertices + 2, sizeof *k->begin);
  if (k->begin == NULL)
    return TOI_ERROR_MEMORY;
  (void)visit_edges(k, count_edge, NULL);
  for (size_t i = 0; i < came; i++) {
    const size_t own = toi_number_map_find(&k->t->own_map, mail->in[3 * i]);
    if (own == SIZE_MAX)
      return toi_cluster_fail(k->cluster, TOI_ERROR_INPUT, "an edge of vertex %" PRIu64 " came to the wrong rank",
                              mail->in[3 * i]);
    k->begin[own + 2]++;
  }
  for (size_t v = 0; v < vertices; v++)
    k->begin[v + 2] += k->begin[v + 1];
  k->ends = toi_cluster_allocate(k->cluster, k->begin[vertices + 1], sizeof *k->ends);
  if (k->ends == NULL)
    return TOI_ERROR_MEMORY;
  (void)visit_edges(k, place_edge, NULL);
  for (size_t i = 0; i < came; i++) {
    const uint64_t *words = mail->in + 3 * i;
    const size_t own = toi_number_map_find(&k->t->own_map, words[0]);
    k->ends[k->begin[own + 1]++] = (toi_edge_end){words[1], (int)(words[2] / 2), words[2] % 2 != 0};
  }
  return TOI_OK;
}

static int compare_ends(const void *a, const void *b) {
  const toi_edge_end *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

/* One of each in every row, of a face if one of them is; returns how many there are in all. */
static size_t keep_one_of_each(taking *k) {
  size_t kept = 0;
  for (size_t v = 0, from = 0; v < k->t->vertex_count; v++) {
    const size_t behind = k->begin[v + 1], first = kept;
    qsort(k->ends + from, behind - from, sizeof *k->ends, compare_ends);
    for (size_t i = from; i < behind; i++)
      if (kept > first && k->ends[kept - 1].number == k->ends[i].number)
        k->ends[kept - 1].of_face |= k->ends[i].of_face;
      else
        k->ends[kept++] = k->ends[i];
    from = behind;
    k->begin[v] = first;
  }
  k->begin[k->t->vertex_count] = kept;
  return kept;
}

static toi_status find_edges(taking *k) {
  toi_mail mail;
  toi_status status = toi_mail_begin(k->cluster, &mail);
  if (status == TOI_OK)
    status = visit_edges(k, post_edge, &mail);
  status = toi_mail_exchange(k->cluster, &mail, status);
  if (status == TOI_OK)
    status = toi_agree(k->cluster, gather_ends(k, &mail));
  toi_mail_end(&mail);
  if (status == TOI_OK)
    k->t->edge_count = keep_one_of_each(k);
  return status;
}

/* --- ghosts --- */

/* Ghosts: what faces need, and the smaller ends of own edges. */
static toi_status list_ghosts(taking *k) {
  toi_cluster_topology *t = k->t;
  toi_words words = {0};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < k->part->face_count; i++)
    for (size_t j = 0; j < 3 && status == TOI_OK; j++)
      status = add_needed(k, &words, k->part->faces[i][j]);
  for (size_t i = 0; i < t->edge_count && status == TOI_OK; i++)
    if (k->ends[i].owner != k->cluster->rank)
      status = add_needed(k, &words, k->ends[i].number);
  t->ghosts = words.at;
  t->ghost_count = toi_sort_unique(words.at, words.count);
  if (status == TOI_OK && t->vertex_count + t->ghost_count >= UINT32_MAX)
    return toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                            "%zu vertices and %zu of other ranks; at most 2^32 - 2 are possible; use more ranks",
                            t->vertex_count, t->ghost_count);
  if (status == TOI_OK)
    status = toi_number_map_make(k->cluster, t->ghosts, t->ghost_count, &t->ghost_map);
  t->ghost_owners = toi_cluster_allocate(k->cluster, t->ghost_count, sizeof *t->ghost_owners);
  if (status != TOI_OK || t->ghost_owners == NULL)
    return status == TOI_OK ? TOI_ERROR_MEMORY : status;
  for (size_t i = 0; i < t->ghost_count; i++)
    t->ghost_owners[i] = owner_of(k, t->ghosts[i]);
  for (size_t i = 0; i < t->edge_count; i++)
    if (k->ends[i].owner != k->cluster->rank)
      t->ghost_owners[toi_number_map_find(&t->ghost_map, k->ends[i].number)] = k->ends[i].owner;
  return TOI_OK;
}

/* Edges in local numbers; who is in one is not loose. used: of ghosts. */
static toi_status take_edges(taking *k, uint8_t *used) {
  toi_cluster_topology *t = k->t;
  t->edges = toi_cluster_allocate(k->cluster, t->edge_count, sizeof *t->edges);
  t->edge_loose = toi_cluster_allocate(k->cluster, t->edge_count, sizeof *t->edge_loose);
  t->edge_numbers = toi_cluster_allocate(k->cluster, t->edge_count, sizeof *t->edge_numbers);
  if (t->edges == NULL || t->edge_loose == NULL || t->edge_numbers == NULL)
    return TOI_ERROR_MEMORY;
  for (size_t v = 0; v < t->vertex_count; v++)
    for (size_t i = k->begin[v]; i < k->begin[v + 1]; i++) {
      const uint32_t smaller = toi_local_vertex(t, k->ends[i].number);
      t->edges[i][0] = smaller;
      t->edges[i][1] = (uint32_t)v;
      t->edge_loose[i] = !k->ends[i].of_face;
      t->loose[v] = 0;
      if (smaller < t->vertex_count)
        t->loose[smaller] = 0;
      else
        used[smaller - t->vertex_count] = 1;
    }
  return TOI_OK;
}

/* Tells owners which of their vertices are ghosts here, and whether they are in an edge. */
static toi_status post_ghosts(taking *k, const uint8_t *used, toi_mail *mail) {
  const toi_cluster_topology *t = k->t;
  toi_status status = toi_mail_begin(k->cluster, mail);
  for (size_t i = 0; status == TOI_OK && i < t->ghost_count; i++) {
    uint64_t *words = toi_words_add(&mail->out[t->ghost_owners[i]], 2);
    if (words == NULL)
      return toi_cluster_fail(k->cluster, TOI_ERROR_MEMORY, "out of memory for vertex numbers; use more ranks");
    words[0] = t->ghosts[i];
    words[1] = used[i];
  }
  return status;
}

/* Who wants positions of own vertices. */
static toi_status take_orders(taking *k, const toi_mail *mail) {
  toi_cluster_topology *t = k->t;
  const size_t count = mail->in_begin[mail->ranks] / 2;
  t->sent_begin = toi_cluster_allocate(k->cluster, (size_t)mail->ranks + 1, sizeof *t->sent_begin);
  t->sent = toi_cluster_allocate(k->cluster, count, sizeof *t->sent);
  if (t->sent_begin == NULL || t->sent == NULL)
    return TOI_ERROR_MEMORY;
  for (int r = 0; r <= mail->ranks; r++)
    t->sent_begin[r] = mail->in_begin[r] / 2;
  for (size_t i = 0; i < count; i++) {
    t->sent[i] = toi_local_vertex(t, mail->in[2 * i]);
    if (mail->in[2 * i + 1] != 0)
      t->loose[t->sent[i]] = 0;
  }
  return TOI_OK;
}

static toi_status find_ghosts(taking *k) {
  toi_status status = toi_agree(k->cluster, list_ghosts(k));
  if (status != TOI_OK)
    return status;
  uint8_t *used = toi_cluster_allocate(k->cluster, k->t->ghost_count, 1);
  status = used == NULL ? TOI_ERROR_MEMORY : take_edges(k, used);
  toi_mail mail = {0};
  status = toi_agree(k->cluster, status);
  if (status == TOI_OK)
    status = toi_mail_exchange(k->cluster, &mail, post_ghosts(k, used, &mail));
  if (status == TOI_OK)
    status = toi_agree(k->cluster, take_orders(k, &mail));
  toi_mail_end(&mail);
  free(used);
  return status;
}

/* --- numbers --- */

static toi_status number_edges(taking *k) {
  toi_cluster_topology *t = k->t;
  uint64_t *things = toi_cluster_allocate(k->cluster, t->vertex_count, sizeof *things);
  uint64_t *before = toi_cluster_allocate(k->cluster, t->vertex_count, sizeof *before);
  toi_status status = toi_agree(k->cluster, things && before ? TOI_OK : TOI_ERROR_MEMORY);
  for (size_t v = 0; status == TOI_OK && v < t->vertex_count; v++)
    things[v] = k->begin[v + 1] - k->begin[v];
  if (status == TOI_OK)
    status = toi_directory_sum(k->cluster, &k->directory, t->vertices, things, t->vertex_count, before);
  for (size_t v = 0; status == TOI_OK && v < t->vertex_count; v++)
    for (size_t i = k->begin[v]; i < k->begin[v + 1]; i++)
      t->edge_numbers[i] = before[v] + (i - k->begin[v]);
  free(things);
  free(before);
  return status;
}

/* Two faces of one number on different ranks meet in a directory of faces. */
static toi_status check_face_numbers(taking *k) {
  const toi_cluster_topology *t = k->t;
  toi_status status = TOI_OK;
  for (size_t i = 1; status == TOI_OK && i < t->face_count; i++)
    if (t->face_numbers[i - 1] == t->face_numbers[i])
      status =
          toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                           "two faces have the number %" PRIu64 "; give each a number of its own", t->face_numbers[i]);
  status = toi_agree(k->cluster, status);
  toi_directory faces = {0};
  if (status == TOI_OK)
    status = toi_directory_make(k->cluster, "face", t->face_numbers, t->face_count, &faces);
  toi_directory_free(&faces);
  return status;
}

static toi_status take_faces(taking *k) {
  toi_cluster_topology *t = k->t;
  const toi_cluster_part *part = k->part;
  const size_t count = part->face_count;
  t->face_count = count;
  t->faces = toi_cluster_allocate(k->cluster, count, sizeof *t->faces);
  t->face_numbers = toi_cluster_allocate(k->cluster, count, sizeof *t->face_numbers);
  size_t *places = toi_cluster_allocate(k->cluster, count, sizeof *places);
  toi_status status = t->faces && t->face_numbers && places ? TOI_OK : TOI_ERROR_MEMORY;
  if (status == TOI_OK && part->face_numbers != NULL)
    status = sort_numbers(k->cluster, part->face_numbers, count, t->face_numbers, places);
  for (size_t i = 0; status == TOI_OK && i < count; i++)
    for (size_t j = 0; j < 3; j++)
      t->faces[i][j] = toi_local_vertex(t, part->faces[part->face_numbers != NULL ? places[i] : i][j]);
  free(places);
  return toi_agree(k->cluster, status);
}

static toi_status number_faces(taking *k) {
  toi_cluster_topology *t = k->t;
  toi_status status = take_faces(k);
  int given = k->part->face_numbers != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &given, 1, MPI_INT, MPI_MAX, k->cluster->comm);
  if (status != TOI_OK)
    return status;
  if (given) {
    if (k->part->face_numbers == NULL && t->face_count > 0)
      status = toi_cluster_fail(k->cluster, TOI_ERROR_INPUT,
                                "face_numbers is NULL here, but not on all ranks; give them on all or none");
    status = toi_agree(k->cluster, status);
    return status == TOI_OK ? check_face_numbers(k) : status;
  }
  uint64_t own = t->face_count, before = 0;
  MPI_Exscan(&own, &before, 1, MPI_UINT64_T, MPI_SUM, k->cluster->comm);
  if (k->cluster->rank == 0)
    before = 0;
  for (size_t i = 0; i < t->face_count; i++)
    t->face_numbers[i] = before + i;
  return TOI_OK;
}

/* --- all of it --- */

toi_status toi_taking_run(taking *k) {
  toi_status status = toi_agree(k->cluster, take_vertices(k));
  if (status == TOI_OK)
    status = toi_directory_make(k->cluster, "vertex", k->t->vertices, k->t->vertex_count, &k->directory);
  if (status == TOI_OK)
    status = find_owners(k);
  if (status == TOI_OK)
    status = find_edges(k);
  if (status == TOI_OK)
    status = find_ghosts(k);
  if (status == TOI_OK)
    status = number_edges(k);
  return status == TOI_OK ? number_faces(k) : status;
}

void toi_taking_end(taking *k) {
  toi_directory_free(&k->directory);
  toi_number_map_free(&k->needed_map);
  free(k->needed);
  free(k->owners);
  free(k->begin);
  free(k->ends);
}
