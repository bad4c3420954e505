/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A question to all ranks: positions of own vertices and ghosts, the halo, and the two meshes that are asked.
 *
 * The pairs that a rank decides come from two meshes. The inner one has its own vertices, and all primitives made of
 * these alone: all of its pairs are this rank's. The seam has what meets primitives that are not inner: those of other
 * ranks (the halo) and those that have vertices of others. May_collide leaves the pairs there that are this rank's and
 * not the inner mesh's.
 *
 * Claim: every pair of the whole mesh is in one mesh of one rank, and nowhere else. Why: its owner is the rank of the
 * vertex, or of the smaller edge. If both are inner there, the inner mesh has it, and the rule of the seam leaves it
 * out; else the owner has both in its seam: what it does not hold itself overlaps a box of its own primitives and was
 * sent, and what it holds is taken where it overlaps something that is not inner. All other ranks leave it out. */

#ifndef TOI_CLUSTER_CALL_H
#define TOI_CLUSTER_CALL_H

#include <fenv.h>

#include "cluster/box.h"

/* Numbers that stand for none. */
#define TOI_NO_NUMBER UINT64_MAX

typedef struct toi_seam {
  size_t vertex_count, edge_count, face_count;
  uint64_t *vertices;     /* global numbers, ascending */
  uint64_t *edge_numbers; /* TOI_NO_NUMBER: of a face, and met by nothing here */
  uint64_t *face_numbers;
  int *owners;                                     /* of vertices */
  uint8_t *vertex_marks, *edge_marks, *face_marks; /* TOI_MARK_... */
  double (*at)[6];
  uint32_t (*edges)[2];
  uint32_t (*faces)[3];
  uint32_t *bodies;
  uint8_t *fixed;
  double *thickness;
  uint64_t halo_vertices, halo_edges, halo_faces;
} toi_seam;

enum { TOI_MARK_OWN = 1, TOI_MARK_INNER = 2, TOI_MARK_LOOSE = 4 };

typedef struct toi_cluster_call {
  toi_cluster *cluster;
  toi_options options; /* with on_mesh below */
  toi_mesh_options on_mesh;
  toi_work work;
  double (*at)[6];         /* own vertices, then ghosts: start and end */
  toi_positions positions; /* of own vertices in their order, in `at` */
  double t_max;            /* as asked */
  double radius, reach;
  bool crossings; /* the seam is asked about edges and faces too */
  toi_seam seam;
} toi_cluster_call;

/* Options are taken and compared, positions are checked and shared. distance: of a proximity, else 0. need_end: the end
 * is used; else the start stands for it. On failure nothing is left to end. Collective. */
typedef struct toi_cluster_question {
  const char *name;
  const toi_positions *positions;
  const toi_options *options;
  double distance;
  bool need_end;
} toi_cluster_question;

/* What is wrong with it on this rank alone. */
toi_status toi_cluster_question_check(toi_cluster *cluster, const toi_cluster_question *question);

/* Where coordinate k of a vertex stands in an array of positions, in bytes, and what it is. */
size_t toi_position_offset(const toi_positions *positions, size_t vertex, size_t k);
double toi_position_coordinate(const toi_positions *positions, const void *array, size_t vertex, size_t k);

/* The mode of the floating-point unit that a program starts with, and the caller's again. */
static inline void toi_plain_mode_enter(fenv_t *mode) {
  fegetenv(mode);
  fesetenv(FE_DFL_ENV);
}

static inline void toi_plain_mode_leave(const fenv_t *mode) {
  fesetenv(mode);
}

toi_status toi_cluster_call_begin(toi_cluster_call *call, toi_cluster *cluster, const toi_cluster_question *question);
void toi_cluster_call_end(toi_cluster_call *call);

/* How boxes are made for motions over [0, t]. */
static inline toi_growth toi_call_growth(const toi_cluster_call *call, double t) {
  return (toi_growth){t, call->radius + call->cluster->topology.thickest, call->reach};
}

/* Makes the seam for motions over [0, t]; the one before is freed. Collective. */
toi_status toi_seam_make(toi_cluster_call *call, double t);
void toi_seam_free(toi_seam *seam);

/* The meshes with the options of each. The inner one has no vertex-edge and vertex-vertex pairs: loose points are asked
 * about in the seam. */
void toi_ask_inner(toi_cluster_call *call, double t_max, uint32_t kinds);
toi_mesh toi_ask_seam(toi_cluster_call *call, double t_max, uint32_t kinds);

#define TOI_INNER_KINDS (TOI_KINDS_VERTEX_FACE | TOI_KINDS_EDGE_EDGE | TOI_KINDS_VERTEX_HALF_SPACE)

static inline uint32_t toi_seam_kinds(const toi_cluster_call *call) {
  const uint32_t loose = TOI_KINDS_VERTEX_EDGE | TOI_KINDS_VERTEX_VERTEX;
  return TOI_KINDS_VERTEX_FACE | TOI_KINDS_EDGE_EDGE | (call->cluster->topology.any_loose ? loose : 0);
}

/* Whether the rule of the seam gives a pair to this rank; the caller's own rule not asked. */
bool toi_seam_decides(const toi_cluster_call *call, toi_kind kind, uint32_t first, uint32_t second);

/* Global numbers of a pair of either mesh. */
toi_cluster_pair toi_inner_pair(const toi_cluster *cluster, toi_kind kind, toi_pair pair);
toi_cluster_pair toi_seam_pair(const toi_seam *seam, toi_kind kind, toi_pair pair);

/* Local numbers of the vertices of a pair, of the first primitive, then of the second; the inner mesh has no pairs of
 * loose points. */
void toi_inner_vertices(const toi_cluster_topology *t, toi_kind kind, toi_pair pair, uint32_t vertices[4]);
void toi_seam_vertices(const toi_seam *s, toi_kind kind, toi_pair pair, uint32_t vertices[4]);

/* How many vertices a pair of this kind has. */
static inline size_t toi_pair_vertex_count(toi_kind kind) {
  return kind == TOI_VERTEX_HALF_SPACE ? 1 : toi_kind_points(kind);
}

/* How many candidates each own vertex has, in the order in which vertices were given; weights are zero before.
 * Collective. */
toi_status toi_cluster_weigh(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                             double *weights);

/* The earliest impact of the call, on all ranks. Collective. */
toi_status toi_cluster_earliest(toi_cluster_call *call, toi_cluster_impact *impact);

/* The safe answer. */
void toi_cluster_impact_unknown(toi_cluster_impact *impact);

/* Adds what a call on one of the meshes did. */
void toi_add_work(toi_cluster_call *call);

#endif
