/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the files of this room share: the cluster, memory, messages and agreement.
 *
 * Every collective call is a row of local work and messages. Before each message all ranks agree that the work before
 * it went well (toi_agree): a rank that fails takes part in the agreement like all others, so nobody waits for it. */

#ifndef TOI_CLUSTER_INTERNAL_H
#define TOI_CLUSTER_INTERNAL_H

#include <mpi.h>

#include <toi/cluster.h>

#define TOI_CLUSTER_SENTENCE 1024

/* A growing list of 64-bit words: what messages are made of. */
typedef struct toi_words {
  uint64_t *at;
  size_t count, room;
} toi_words;

/* Room for `more` words behind what is there, counted already; NULL if there is no memory. */
uint64_t *toi_words_add(toi_words *words, size_t more);
void toi_words_free(toi_words *words);

/* Ranks that send to each other: r is a neighbour of this one where this one is a neighbour of r. */
typedef struct toi_graph {
  MPI_Comm comm; /* MPI_COMM_NULL: there is none */
  int count;
  int *ranks; /* ascending */
} toi_graph;

/* The words for each rank of a group and the words from each. */
typedef struct toi_mail {
  int ranks;
  toi_words *out;   /* one list for each rank */
  uint64_t *in;     /* what came, rank by rank */
  size_t *in_begin; /* of rank r: from in_begin[r] to in_begin[r + 1] */
  uint64_t sent;    /* bytes */
} toi_mail;

/* Where a number stands in an ascending list, which stays where it is. */
typedef struct toi_number_map {
  const uint64_t *numbers;
  size_t count;
  uint32_t *places; /* a hash table of 1 + place, 0: nobody; NULL where the list has no gaps */
  size_t mask;
} toi_number_map;

/* A rank's vertices, ghosts (vertices of others that its primitives have) and primitives. Local vertex numbers: its own
 * in the order of their global numbers, then ghosts in theirs. */
typedef struct toi_cluster_topology {
  size_t vertex_count; /* own */
  uint64_t *vertices;  /* their numbers, ascending */
  toi_number_map own_map, ghost_map;
  size_t *given;    /* the place of each among those that were given */
  uint8_t *loose;   /* 1: in no edge, and in no face but of this vertex alone, on any rank */
  uint32_t *bodies; /* NULL: none, on all ranks; these three in the order of local numbers, ghosts included */
  uint8_t *fixed;
  double *thickness;
  double thickest; /* the most that a vertex of any rank has, its body's included */

  size_t ghost_count;
  uint64_t *ghosts;  /* ascending */
  int *ghost_owners; /* their ranks */

  size_t face_count;
  uint32_t (*faces)[3];   /* in local numbers */
  uint64_t *face_numbers; /* ascending */
  size_t edge_count;      /* of which this rank has the larger vertex */
  uint32_t (*edges)[2];   /* the vertex with the smaller global number first; in order */
  uint64_t *edge_numbers;
  uint8_t *edge_loose; /* 1: of no face on any rank */

  toi_graph graph; /* the owners of ghosts, and those who have ghosts of this rank */

  /* Whom the positions of own vertices are sent to: rank r gets those of sent[sent_begin[r]] to sent[sent_begin[r +
   * 1]], and they are the ghosts there in the order of their numbers. */
  size_t *sent_begin;
  uint32_t *sent;

  uint16_t *chunk_of; /* the row of each own vertex along a curve: see halo.h; NULL until it is needed */
  bool any_loose;     /* some rank has a loose vertex */
  toi_cluster_counts counts;

  /* What all ranks have alike. */
  const double *body_thickness;
  const uint64_t *body_pairs;
  size_t body_count;
  const toi_half_space *half_spaces;
  size_t half_space_count;

  /* The mesh of own vertices alone: faces and edges all of whose vertices are own, by their places above, and the
   * scene that keeps it. */
  size_t inner_face_count, inner_edge_count;
  uint32_t *inner_faces, *inner_edges;
  uint8_t *face_inner, *edge_inner; /* by place */
  toi_scene *scene;
} toi_cluster_topology;

/* Files that a cluster writes at a time. */
#define TOI_CLUSTER_FILES 8

struct toi_cluster {
  toi_context *context;
  MPI_Comm comm;
  int rank, ranks;
  toi_cluster_options options;
  bool has_mesh;
  toi_cluster_topology topology;
  toi_graph near; /* whose boxes met in the last call: see halo.c */
  toi_cluster_work work;
  char *volatile unfinished[TOI_CLUSTER_FILES]; /* names of files that have not appeared: see shared_file.h */
  char error[TOI_CLUSTER_SENTENCE];
  char sentence[TOI_CLUSTER_SENTENCE]; /* of this rank, until all agree */
};

/* malloc and free, but never NULL for a size of 0. */
void *toi_cluster_allocate(toi_cluster *cluster, size_t count, size_t size);

/* This rank's failure, for the agreement to come. */
toi_status toi_cluster_fail(toi_cluster *cluster, toi_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with what the context says. */
toi_status toi_cluster_fail_context(toi_cluster *cluster, toi_status status);

/* TOI_OK if every rank brings TOI_OK; else the status of the first rank that does not, whose sentence all keep. */
toi_status toi_agree(toi_cluster *cluster, toi_status status);

/* The beginning of a call: forgets the last error, and fails on all ranks if they do not bring the same digest of what
 * they were asked. status: what is wrong already. */
toi_status toi_cluster_meet(toi_cluster *cluster, toi_status status, uint64_t digest);

/* Digests of what must be alike. */
uint64_t toi_digest(uint64_t digest, const void *bytes, size_t size);
uint64_t toi_digest_options(const toi_options *options, const char *call);

toi_status toi_mail_begin(toi_cluster *cluster, toi_mail *mail);
/* Agrees on status first, then on what there is to send. */
toi_status toi_mail_exchange(toi_cluster *cluster, toi_mail *mail, toi_status status);
/* The same between neighbours alone; there is nothing for others. */
toi_status toi_mail_exchange_near(toi_cluster *cluster, const toi_graph *graph, toi_mail *mail, toi_status status);
void toi_mail_end(toi_mail *mail);

/* Makes a graph of those that are marked, in place of the one before, which stays if it is the same on all ranks. The
 * marks are symmetric, and not of this rank. Collective. */
toi_status toi_graph_make(toi_cluster *cluster, const uint8_t *marks, toi_graph *graph);
void toi_graph_free(toi_graph *graph);

static inline size_t toi_mail_count(const toi_mail *mail, int rank) {
  return mail->in_begin[rank + 1] - mail->in_begin[rank];
}

/* The place of a number in an ascending list; SIZE_MAX if it is not there. */
size_t toi_find_number(const uint64_t *numbers, size_t count, uint64_t number);

/* The same of many. make returns TOI_OK or TOI_ERROR_MEMORY; the list has less than 2^32 numbers. */
toi_status toi_number_map_make(toi_cluster *cluster, const uint64_t *numbers, size_t count, toi_number_map *map);
void toi_number_map_free(toi_number_map *map);

static inline size_t toi_number_hash(const toi_number_map *map, uint64_t number) {
  return (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & map->mask;
}

static inline size_t toi_number_map_find(const toi_number_map *map, uint64_t number) {
  if (map->count == 0 || number < map->numbers[0] || number > map->numbers[map->count - 1])
    return SIZE_MAX;
  if (map->places == NULL)
    return (size_t)(number - map->numbers[0]);
  for (size_t at = toi_number_hash(map, number); map->places[at] != 0; at = (at + 1) & map->mask)
    if (map->numbers[map->places[at] - 1] == number)
      return map->places[at] - 1;
  return SIZE_MAX;
}

/* Sorts and keeps one of each; returns how many. */
size_t toi_sort_unique(uint64_t *numbers, size_t count);

/* Sorts rows of two words by the first, those that are alike in the order in which they stand; false if there is no
 * memory. */
bool toi_sort_rows(uint64_t *rows, size_t count);

/* The global number of a local vertex. */
static inline uint64_t toi_global_vertex(const toi_cluster_topology *t, uint32_t local) {
  return local < t->vertex_count ? t->vertices[local] : t->ghosts[local - t->vertex_count];
}

/* The local number of a global vertex; UINT32_MAX if there is none. */
static inline uint32_t toi_local_vertex(const toi_cluster_topology *t, uint64_t global) {
  size_t place = toi_number_map_find(&t->own_map, global);
  if (place != SIZE_MAX)
    return (uint32_t)place;
  place = toi_number_map_find(&t->ghost_map, global);
  return place == SIZE_MAX ? UINT32_MAX : (uint32_t)(t->vertex_count + place);
}

/* The rank that owns a local vertex. */
static inline int toi_vertex_owner(const toi_cluster *cluster, uint32_t local) {
  const toi_cluster_topology *t = &cluster->topology;
  return local < t->vertex_count ? cluster->rank : t->ghost_owners[local - t->vertex_count];
}

void toi_cluster_topology_free(toi_cluster *cluster);

#endif
