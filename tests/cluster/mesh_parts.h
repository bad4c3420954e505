/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes dealt out to ranks, and the answers of all ranks in one place, to compare with the library on one machine.
 * Every rank makes the whole mesh; what it gives the cluster is its part alone. */

#ifndef TOI_TESTS_CLUSTER_MESH_PARTS_H
#define TOI_TESTS_CLUSTER_MESH_PARTS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/cluster.h>
#include <toi/toi.h>

/* A wrong answer ends the job at once: no rank waits for another. */
#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                                                  \
      fprintf(stderr, __VA_ARGS__);                                                                                    \
      fputc('\n', stderr);                                                                                             \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                                    \
    }                                                                                                                  \
  } while (0)

/* The whole mesh. */
typedef struct whole_mesh {
  size_t vertex_count, face_count, loose_count, edge_count;
  double (*start)[3], (*end)[3];
  uint32_t (*faces)[3], (*loose)[2], (*edges)[2]; /* edges: of the context */
  uint32_t *bodies;
  uint8_t *fixed;
  double *thickness;
  toi_half_space half_spaces[2];
  size_t half_space_count;
} whole_mesh;

/* How it is dealt out. */
typedef enum dealing { IN_BLOCKS, AT_RANDOM, TO_ONE, DEALINGS } dealing;

typedef struct rank_part {
  toi_cluster_part part;
  uint64_t *vertices, (*faces)[3], *face_numbers, (*edges)[2];
  uint32_t *bodies;
  uint8_t *fixed;
  double *thickness;
  double (*start)[3], (*end)[3];
} rank_part;

static inline int world_rank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static inline int world_size(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

static inline uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * UINT64_C(0x2545f4914f6cdd1d) >> 11;
}

static inline double next_unit(uint64_t *state) {
  return (double)next_random(state) / 0x1p53;
}

static inline int owner_of(dealing how, uint64_t seed, size_t number, size_t count) {
  const int ranks = world_size();
  uint64_t state = (seed + 1) * 977 + number * 7919 + 1;
  if (how == IN_BLOCKS)
    return (int)(number * (size_t)ranks / count);
  if (how == TO_ONE)
    return ranks - 1;
  (void)next_random(&state);
  return (int)(next_random(&state) % (uint64_t)ranks);
}

static inline toi_mesh mesh_of(const whole_mesh *w) {
  toi_mesh mesh;
  toi_mesh_init(&mesh, sizeof mesh);
  mesh.start = w->start;
  mesh.end = w->end;
  mesh.vertex_count = w->vertex_count;
  mesh.faces = (const uint32_t(*)[3])w->faces;
  mesh.face_count = w->face_count;
  mesh.edges = (const uint32_t(*)[2])w->edges;
  mesh.edge_count = w->edge_count;
  mesh.bodies = w->bodies;
  mesh.fixed = w->fixed;
  mesh.thickness = w->thickness;
  mesh.half_spaces = w->half_spaces;
  mesh.half_space_count = w->half_space_count;
  return mesh;
}

/* The rank's part. Faces are dealt apart from vertices where the dealing is at random. */
static inline rank_part *part_of(const whole_mesh *w, dealing how, uint64_t seed) {
  rank_part *p = calloc(1, sizeof *p);
  const int rank = world_rank();
  p->vertices = malloc((w->vertex_count + 1) * sizeof *p->vertices);
  p->faces = malloc((w->face_count + 1) * sizeof *p->faces);
  p->face_numbers = malloc((w->face_count + 1) * sizeof *p->face_numbers);
  p->edges = malloc((w->loose_count + 1) * sizeof *p->edges);
  p->bodies = malloc((w->vertex_count + 1) * sizeof *p->bodies);
  p->fixed = malloc(w->vertex_count + 1);
  p->thickness = malloc((w->vertex_count + 1) * sizeof *p->thickness);
  p->start = malloc((w->vertex_count + 1) * sizeof *p->start);
  p->end = malloc((w->vertex_count + 1) * sizeof *p->end);
  toi_cluster_part_init(&p->part, sizeof p->part);
  // Backwards, as no order is asked for.
  for (size_t i = w->vertex_count; i-- > 0;) {
    if (owner_of(how, seed, i, w->vertex_count) != rank)
      continue;
    const size_t n = p->part.vertex_count++;
    p->vertices[n] = i;
    memcpy(p->start[n], w->start[i], sizeof p->start[n]);
    memcpy(p->end[n], w->end[i], sizeof p->end[n]);
    p->bodies[n] = w->bodies != NULL ? w->bodies[i] : 0;
    p->fixed[n] = w->fixed != NULL ? w->fixed[i] : 0;
    p->thickness[n] = w->thickness != NULL ? w->thickness[i] : 0;
  }
  for (size_t i = w->face_count; i-- > 0;) {
    const int owner = how == AT_RANDOM ? owner_of(how, seed + 1, i, w->face_count)
                                       : owner_of(how, seed, w->faces[i][0], w->vertex_count);
    if (owner != rank)
      continue;
    for (int k = 0; k < 3; k++)
      p->faces[p->part.face_count][k] = w->faces[i][k];
    p->face_numbers[p->part.face_count++] = i;
  }
  for (size_t i = 0; i < w->loose_count; i++)
    if (owner_of(how, seed, w->loose[i][i % 2], w->vertex_count) == rank || i % 5 == 0)
      for (int k = 0; k < 2; k++)
        p->edges[p->part.edge_count][k] = w->loose[i][k], p->part.edge_count += (size_t)k;
  p->part.vertices = p->vertices;
  p->part.faces = (const uint64_t(*)[3])p->faces;
  p->part.face_numbers = p->face_numbers;
  p->part.edges = (const uint64_t(*)[2])p->edges;
  p->part.bodies = w->bodies != NULL ? p->bodies : NULL;
  p->part.fixed = w->fixed != NULL ? p->fixed : NULL;
  p->part.thickness = w->thickness != NULL ? p->thickness : NULL;
  p->part.half_spaces = w->half_spaces;
  p->part.half_space_count = w->half_space_count;
  return p;
}

static inline void part_free(rank_part *p) {
  free(p->vertices);
  free(p->faces);
  free(p->face_numbers);
  free(p->edges);
  free(p->bodies);
  free(p->fixed);
  free(p->thickness);
  free(p->start);
  free(p->end);
  free(p);
}

static inline toi_positions positions_of(const rank_part *p) {
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = p->start;
  positions.end = p->end;
  positions.vertex_count = p->part.vertex_count;
  return positions;
}

/* Records of one size in a growing list. */
typedef struct record_list {
  char *at;
  size_t count, room, size;
} record_list;

static inline void records_add(record_list *list, const void *record) {
  if (list->count == list->room) {
    list->room = 2 * list->room + 64;
    list->at = realloc(list->at, list->room * list->size);
    CHECK(list->at != NULL, "out of memory");
  }
  memcpy(list->at + list->count++ * list->size, record, list->size);
}

/* All ranks' records on rank 0, rank by rank. */
static inline record_list records_gather(const record_list *own) {
  const int ranks = world_size();
  int *counts = calloc((size_t)ranks * 2, sizeof *counts), bytes = (int)(own->count * own->size), total = 0;
  MPI_Gather(&bytes, 1, MPI_INT, counts, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < ranks; r++) {
    counts[ranks + r] = total;
    total += counts[r];
  }
  record_list all = {.at = malloc((size_t)total + 1), .count = (size_t)total / own->size, .size = own->size};
  MPI_Gatherv(own->at, bytes, MPI_BYTE, all.at, counts, counts + ranks, MPI_BYTE, 0, MPI_COMM_WORLD);
  free(counts);
  return all;
}

#endif
