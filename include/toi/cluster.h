/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes larger than one machine: each rank of an MPI program holds a part, and all ranks make the calls together.
 *
 * This is a separate library, libtoi-cluster, which uses the public functions of libtoi and plain MPI-3; toi/toi.h does
 * not include it. MPI is used only from the calling thread, as MPI_THREAD_FUNNELED allows; the contexts have their own
 * threads. A rank's context must not be in use by another call at the same time.
 *
 * Parts. Vertices have global numbers of 64 bits, possibly with gaps. Each vertex belongs to one rank. A face is given
 * by exactly one rank, loose edges by one or several. Edges are found from faces and loose edges: an edge is identified
 * by its two vertices; edges are ordered by the larger number, then by the smaller, and numbered from 0 in this order;
 * each belongs to the owner of its larger vertex. With vertices 0 to n - 1 these are the numbers of toi_mesh_edges().
 *
 * Promise: the answers are those of the calls of toi/scene.h on the whole mesh, bit by bit, for any number of ranks
 * (including ranks without a vertex), any partition, and any number of threads. Each pair is decided by one rank, the
 * owner of its smaller primitive: of the vertex, or of the edge or vertex with the smaller number. No rank needs memory
 * for the whole mesh: beside its part, a rank holds the primitives of other ranks whose boxes reach into its own.
 *
 * Collective calls. All ranks of the communicator make the same calls in the same order, with the same options; the
 * data of each rank may differ. A call that fails on one rank fails on all with the same status, and
 * toi_cluster_error() names the rank. Answers are then the safe ones. */

#ifndef TOI_CLUSTER_H
#define TOI_CLUSTER_H

#include <toi/scene.h>

#if defined(__GNUC__)
#define TOI_CLUSTER_API __attribute__((visibility("default")))
#else
#define TOI_CLUSTER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Ranks that work together: a duplicate of the communicator, the rank's part of a mesh, and data derived from it. It
 * belongs to its context, and must be destroyed before it. */
typedef struct toi_cluster toi_cluster;

typedef struct toi_cluster_options {
  size_t size;              /* set by toi_default_cluster_options() */
  const void *communicator; /* the address of an MPI_Comm; NULL: MPI_COMM_WORLD */
  /* May these two collide? By global numbers; NULL: all may. It replaces toi_mesh_options.may_collide, which is not
   * used: the answer must be the same on all ranks. */
  bool (*may_collide)(void *user, toi_kind kind, uint64_t first, uint64_t second);
  void *may_collide_user;
} toi_cluster_options;

/* The defaults, for languages that have no inline functions. */
TOI_CLUSTER_API void toi_cluster_options_init(toi_cluster_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_cluster_options toi_default_cluster_options(void) {
  toi_cluster_options options;
  toi_cluster_options_init(&options, sizeof options);
  return options;
}

/* MPI for programs that do not call it themselves: begin starts it unless it has been started, end ends it unless it
 * has been ended. begin returns TOI_ERROR_UNSUPPORTED if this MPI does not support threads besides the calling one. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_begin(void);
TOI_CLUSTER_API void toi_cluster_end(void);

/* Collective. options may be NULL for the defaults. On failure *cluster is NULL. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_create(toi_context *context, const toi_cluster_options *options,
                                                           toi_cluster **cluster);

/* Collective. NULL is ignored. */
TOI_CLUSTER_API void toi_cluster_destroy(toi_cluster *cluster);

/* This rank's number, from 0. */
TOI_CLUSTER_API int toi_cluster_rank(const toi_cluster *cluster);

/* The number of ranks. */
TOI_CLUSTER_API int toi_cluster_ranks(const toi_cluster *cluster);

/* One sentence about the last call that failed, the same on all ranks; "" if none did. */
TOI_CLUSTER_API const char *toi_cluster_error(const toi_cluster *cluster);

/* Removes the unfinished files of this cluster: for a program that is ended by a signal. POSIX allows everything that
 * it does in a signal handler. Not collective. */
TOI_CLUSTER_API void toi_cluster_remove_files(const toi_cluster *cluster);

/* Agrees on a status and its message on all ranks: if a rank passes a status other than TOI_OK, all get the status of
 * the first such rank. For work of the caller between calls. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_agree(toi_cluster *cluster, toi_status status,
                                                          const char *sentence);

/* The rank's part of a mesh. Arrays are copied, except half_spaces and the arrays of bodies. */
typedef struct toi_cluster_part {
  size_t size;
  const uint64_t *vertices; /* the numbers of the rank's vertices, in any order */
  size_t vertex_count;
  const uint64_t (*faces)[3];
  const uint64_t *face_numbers; /* NULL on all ranks: numbered from 0, rank by rank */
  size_t face_count;
  const uint64_t (*edges)[2]; /* loose edges; edges of faces are allowed */
  size_t edge_count;

  /* Of the rank's vertices, in their order, as in toi_mesh; each may be NULL. */
  const uint32_t *bodies;
  const uint8_t *fixed;
  const double *thickness;

  /* The same on all ranks. */
  const double *body_thickness;
  const uint64_t *body_pairs;
  size_t body_count;
  const toi_half_space *half_spaces;
  size_t half_space_count;
} toi_cluster_part;

/* Sets everything to zero, and the size. */
TOI_CLUSTER_API void toi_cluster_part_init(toi_cluster_part *part, size_t size);

/* Sets or replaces the mesh of the cluster. Fails if a vertex has two owners, if a face or an edge names a vertex
 * without an owner, or if two faces have the same number. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_mesh(toi_cluster *cluster, const toi_cluster_part *part);

/* Numbers of primitives on all ranks together. */
typedef struct toi_cluster_counts {
  uint64_t vertices, edges, faces;
  uint64_t reserved[5];
} toi_cluster_counts;

/* Of the present mesh; zeroes if there is none. */
TOI_CLUSTER_API toi_cluster_counts toi_cluster_count(const toi_cluster *cluster);

/* What the last call did on this rank. */
typedef struct toi_cluster_work {
  uint64_t candidates[TOI_COUNTERS];              /* pairs that reached the narrow phase, or the visitor; by toi_kind */
  uint64_t hits[TOI_COUNTERS];                    /* of these, hit or near; toi_cluster_collisions() only */
  uint64_t halo_vertices, halo_edges, halo_faces; /* primitives of other ranks that were held */
  uint64_t bytes_sent;                            /* positions and halo */
  uint64_t broad_ns, narrow_ns;                   /* as in toi_work */
  uint32_t passes;
  uint32_t reserved[7];
} toi_cluster_work;

/* All zero before the first call. */
TOI_CLUSTER_API toi_cluster_work toi_cluster_last_work(const toi_cluster *cluster);

/* Two primitives by their global numbers. */
typedef struct toi_cluster_pair {
  uint64_t first, second;
} toi_cluster_pair;

typedef struct toi_cluster_impact {
  toi_hit hit;
  toi_kind kind;
  toi_cluster_pair pair;
  uint64_t vertices[4]; /* of the first primitive, then of the second, in the order of their numbers */
} toi_cluster_impact;

/* As toi_step(), with the positions of the rank's vertices in the order in which they were given. All ranks get the
 * answer. Passes over growing parts of the step end on all ranks as soon as one of them has found a contact. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_step(toi_cluster *cluster, const toi_positions *positions,
                                                         const toi_options *options, toi_cluster_impact *impact);

typedef struct toi_cluster_collision {
  toi_hit hit;
  double first[3], second[3]; /* as in toi_collision */
  toi_kind kind;
  uint8_t decided; /* 1 on the rank that decided the pair, 0 if it came from another rank */
  uint8_t padding[3];
  toi_cluster_pair pair;
  uint64_t vertices[4]; /* of the first primitive, then of the second, in their order */
  uint64_t reserved[4];
} toi_cluster_collision;

typedef toi_status (*toi_cluster_collisions_visitor)(void *user, const toi_cluster_collision *collisions, size_t count);

/* As toi_collisions(). The visitor of a rank receives every collision that it decided, ordered by kind, then first,
 * then second number; with `to_owners` also those that other ranks decided and that have a vertex of this rank, in the
 * same order, so that every owner of a vertex knows all of its collisions. The exchanged data are held in memory. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_collisions(toi_cluster *cluster, const toi_positions *positions,
                                                               const toi_options *options, bool to_owners,
                                                               toi_cluster_collisions_visitor visit, void *user);

typedef struct toi_cluster_proximal {
  toi_distance distance;
  toi_kind kind;
  uint8_t decided; /* as in toi_cluster_collision */
  uint8_t padding[3];
  toi_cluster_pair pair;
  uint64_t vertices[4];
  uint64_t reserved[4];
} toi_cluster_proximal;

typedef toi_status (*toi_cluster_proximity_visitor)(void *user, const toi_cluster_proximal *pairs, size_t count);

/* As toi_proximity(), for the start; each rank's visitor receives its pairs as in toi_cluster_collisions(). */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_proximity(toi_cluster *cluster, const toi_positions *positions,
                                                              double distance, const toi_options *options,
                                                              bool to_owners, toi_cluster_proximity_visitor visit,
                                                              void *user);

typedef struct toi_cluster_advance {
  double step, fraction;    /* as in toi_advance */
  toi_cluster_impact first; /* the pair that reaches the fraction first on the whole step; a miss if none does */
  uint32_t tries;
  uint32_t reserved[7];
} toi_cluster_advance;

/* As toi_line_search(): `placed`, a separate array laid out like positions->end, receives the rounded positions of the
 * rank's vertices. All ranks get the answer. Each try is a separate step of all ranks. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_line_search(toi_cluster *cluster, const toi_positions *positions,
                                                                const toi_options *options, void *placed,
                                                                toi_cluster_advance *advance);

/* Some pairs that this rank decides, of one kind; otherwise as toi_pairs_visitor. */
typedef toi_status (*toi_cluster_pairs_visitor)(void *user, toi_kind kind, const toi_cluster_pair *pairs, size_t count);

/* As toi_candidates(), for vertex-face, edge-edge, vertex-edge and vertex-vertex pairs, and half-spaces. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_candidates(toi_cluster *cluster, const toi_positions *positions,
                                                               const toi_options *options,
                                                               toi_cluster_pairs_visitor visit, void *user);

/* A pair that meets in one state, like toi_crossing. */
typedef struct toi_cluster_crossing {
  uint8_t crossing, behind;
  uint8_t padding[2];
  toi_kind kind;
  toi_cluster_pair pair;
  uint64_t reserved[2];
} toi_cluster_crossing;

typedef toi_status (*toi_cluster_crossings_visitor)(void *user, const toi_cluster_crossing *crossings, size_t count);

/* As toi_mesh_crossings(), for the start; each rank gives the pairs that it decides, in no particular order. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_crossings(toi_cluster *cluster, const toi_positions *positions,
                                                              const toi_options *options,
                                                              toi_cluster_crossings_visitor visit, void *user);

/* --- mesh files and lists of pairs --- */

/* The positions of the rank's vertices, as read. */
typedef struct toi_cluster_frames {
  uint64_t *vertices; /* numbers in the file */
  void *start;        /* three numbers for each, of the files' scalar */
  void *end;
  size_t vertex_count;
  toi_scalar scalar;
  uint64_t reserved[4];
} toi_cluster_frames;

/* Reads two states of a mesh (end NULL: one, which stands for both), distributes it and gives it to the cluster.
 * Vertices are distributed along a Hilbert curve, in pieces of equal number; with `weighed`, the options of a later
 * call, in pieces with the same number of candidates of that call, which are counted first. Of `extra` body_...,
 * half_spaces and their counts are used. Binary .ply files are read in slices, each rank its own
 * (toi_frame_slice_read()); rank 0 reads other files, and holds them until they are distributed. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_read(toi_cluster *cluster, const char *start, const char *end,
                                                         const toi_cluster_part *extra, const toi_options *weighed,
                                                         toi_cluster_frames *frames);

/* Distributes the mesh of these frames again, in pieces with the same number of candidates of this call between the
 * present states of the frames, which are replaced by arrays of the new parts. Of `extra` the same fields are used. If
 * a sequence of steps has become unbalanced (see toi_cluster_last_work()) this costs about as much as two steps. On
 * failure the cluster may have no mesh. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_rebalance(toi_cluster *cluster, const toi_cluster_part *extra,
                                                              const toi_options *options, toi_cluster_frames *frames);

/* Frees the arrays and empties the frames. */
TOI_CLUSTER_API void toi_cluster_frames_free(toi_cluster_frames *frames);

/* The positions for the calls above. */
TOI_CLUSTER_API toi_positions toi_cluster_frames_positions(const toi_cluster_frames *frames);

/* Writes the cluster's mesh with vertices at the start of these positions as a binary .ply file, as toi_frame_write()
 * writes the whole mesh: the ranks write their parts of it at once, and it is written completely or not at all.
 * Vertices and faces are numbered from 0, without gaps; there are no loose edges. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_frames_write(toi_cluster *cluster, const char *path,
                                                                 const toi_positions *positions);

/* Pairs of all ranks, to be written into one file:
 * {"vf":[[vertex,face],...],"ee":[[edge,edge],...],"ve":[...],"vv":[...]}, with half_spaces also "vh", each list
 * sorted. Every rank adds its own pairs, then all write at once, through a file system that they share. The file is
 * written completely or not at all. */
typedef struct toi_cluster_list toi_cluster_list;

/* Collective. Fails if the file cannot be written; on failure *list is NULL. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_list_create(toi_cluster *cluster, const char *path,
                                                                bool half_spaces, toi_cluster_list **list);

/* Not collective. Each pair is added once, in any order. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_list_add(toi_cluster_list *list, toi_kind kind,
                                                             const toi_cluster_pair *pairs, size_t count);

/* Sorts and writes everything, once. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_list_write(toi_cluster_list *list);

/* Gives the file its name, and ends the list in any case. Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_list_commit(toi_cluster_list *list);

/* Ends a list without a file; NULL is ignored. Collective. */
TOI_CLUSTER_API void toi_cluster_list_destroy(toi_cluster_list *list);

/* For programs that do not call MPI: sums over all ranks, the largest values over all ranks, and the least of the
 * ranks' rows, compared number by number. The results replace the arguments on all ranks. Collective. */
TOI_CLUSTER_API void toi_cluster_sum(toi_cluster *cluster, uint64_t *numbers, size_t count);
TOI_CLUSTER_API void toi_cluster_largest(toi_cluster *cluster, double *numbers, size_t count);
TOI_CLUSTER_API void toi_cluster_least(toi_cluster *cluster, uint64_t row[4]);

/* The position of the smaller vertex of an edge at the start, on all ranks; -INFINITY if there is no such edge.
 * Collective. */
TOI_CLUSTER_API void toi_cluster_edge_place(toi_cluster *cluster, const toi_positions *positions, uint64_t edge,
                                            double at[3]);

/* The bytes of one rank, of the same size on all, replace those of the others. Collective. */
TOI_CLUSTER_API void toi_cluster_share(toi_cluster *cluster, int rank, void *bytes, size_t size);

/* Return TOI_OK to continue; any other status ends the call on all ranks, which return it. */
typedef toi_status (*toi_cluster_bytes_visitor)(void *user, int rank, const void *bytes, size_t size);

/* The bytes of every rank, rank by rank, for the visitor of the first rank; other visitors are not called.
 * Collective. */
TOI_CLUSTER_API TOI_MUST_USE toi_status toi_cluster_gather(toi_cluster *cluster, const void *bytes, size_t size,
                                                           toi_cluster_bytes_visitor take, void *user);

#ifdef __cplusplus
}
#endif

#endif
