/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase inside the library: pairs of one mesh whose boxes overlap, streamed to a consumer on every thread.
 *
 * A broad phase is a way to join two sets of boxes (or one with itself). What it gives away are pairs of primitive
 * numbers; the sink drops those that the mesh's rules leave out and hands the rest on. */

#ifndef TOI_BROAD_BROAD_H
#define TOI_BROAD_BROAD_H

#include "base/device.h"
#include "base/internal.h"
#include "broad/boxes.h"
#include "narrow/float_mesh.h"

#include <toi/broad.h>

/* What is joined: the queries of narrow.h in their order, and what are candidates only. */
typedef enum toi_join_kind {
  TOI_JOIN_VERTEX_FACE = TOI_VERTEX_FACE,
  TOI_JOIN_EDGE_EDGE = TOI_EDGE_EDGE,
  TOI_JOIN_VERTEX_EDGE = TOI_VERTEX_EDGE,
  TOI_JOIN_VERTEX_VERTEX = TOI_VERTEX_VERTEX,
  TOI_JOIN_EDGE_FACE,
  TOI_JOIN_FACE_FACE,
  TOI_JOIN_VERTEX_HALF_SPACE, /* no join of boxes: half_spaces.c */
  TOI_JOIN_COUNT
} toi_join_kind;

/* The kinds that are joins of boxes come first. */
#define TOI_BOX_JOIN_COUNT TOI_JOIN_VERTEX_HALF_SPACE

/* The caller's name for it. */
static inline toi_kind toi_join_public(toi_join_kind kind) {
  return kind < TOI_JOIN_EDGE_FACE ? (toi_kind)kind : (toi_kind)(TOI_EDGE_FACE + (kind - TOI_JOIN_EDGE_FACE));
}

/* Some pairs, on thread `thread`; threads call it at the same time. Any status but TOI_OK ends the run. The consumer
 * may keep nothing that points into `pairs`. */
typedef toi_status (*toi_pairs_consumer)(void *user, uint32_t thread, toi_join_kind kind, const toi_pair *pairs,
                                         size_t count);

/* A call on a whole mesh, in today's layouts. */
typedef struct toi_mesh_request {
  toi_options options; /* checked; on_mesh stands for the caller's, below is what is used */
  toi_mesh_options on_mesh;
  toi_mesh mesh;                  /* scalar and stride are checked */
  unsigned kinds;                 /* asked for: bits of toi_join_kind */
  unsigned every;                 /* as toi_broad_question.every */
  double done_before, done_share; /* of the caller's progress: the call runs from the one, by the other; 0, 1 */
  struct toi_scene *scene;        /* whose connectivity it is, which was checked; NULL: none */
} toi_mesh_request;

/* Takes what the caller gave and empties the work; fails if there is no context, or a call on it is under way. The mesh
 * is left to toi_mesh_request_valid(). */
toi_status toi_mesh_request_take(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                 toi_mesh_request *request);

/* toi_mesh_valid(), but for connectivity that was checked before. */
toi_status toi_mesh_request_valid(toi_context *context, const toi_mesh_request *request, bool need_end);

/* Copies the caller's options, of whatever layout; NULL: the defaults. Empties their work. */
toi_status toi_mesh_options_take(toi_context *context, const toi_mesh_options *given, toi_mesh_options *taken);

/* What became of the call: its work is empty again if it failed. Returns the status. */
toi_status toi_mesh_request_end(const toi_mesh_request *request, toi_status status);

typedef struct toi_broad_question {
  const toi_mesh *mesh;            /* checked, with edges */
  const toi_mesh_options *options; /* taken */
  double t_max, radius, reach;     /* see toi_boxer */
  unsigned kinds;                  /* 1 << toi_join_kind for each kind wanted */
  unsigned every;                  /* of these kinds, vertex-edge and vertex-vertex, pairs of all primitives, not of
                                      loose ones only */
  bool crossings;                  /* edge-face pairs are asked about crossings: may_collide has no say in them here */
  double done_before, done_share;  /* of the caller's progress: it runs from the one, by the other */
  uint32_t first_begin, first_end; /* pairs whose first number lies in [first_begin, first_end); 0, UINT32_MAX: all */
  toi_pairs_consumer consume;
  void *user;
  const toi_float_mesh *floats; /* where contact alone is asked for: a device may refute it by these; or NULL */
  const _Atomic double *limit;  /* likewise, the time up to which contacts are asked for, which may fall; or NULL */
  /* What it refuted, beside the pairs that reach the consumer; on the calling thread. */
  void (*settled)(void *user, toi_join_kind kind, const toi_device_counts *counts);
  bool *stopped; /* becomes true if the progress function asks to stop; may be NULL */
} toi_broad_question;

/* Gives every pair to the consumer, once. Adds to options->work. */
toi_status toi_broad_run(toi_context *context, const toi_broad_question *question);

/* Gives the vertices and half-spaces among the question's kinds to the consumer: part of toi_broad_run(), for those who
 * have the other pairs from elsewhere. The mesh is finite. Adds to options->work. */
toi_status toi_half_space_candidates(toi_context *context, const toi_broad_question *question);

/* Gives every pair to a visitor of the caller's, once, one call at a time; in the question, consume and user are left
 * out. Returns what the visitor did, if it ended the run. */
toi_status toi_broad_visit(toi_context *context, const toi_broad_question *question, toi_pairs_visitor visit,
                           void *user);

/* All queries of narrow.h, as bits of toi_join_kind; and half-spaces. */
#define TOI_ALL_KINDS ((1u << TOI_KIND_COUNT) - 1)
#define TOI_HALF_SPACES (1u << TOI_JOIN_VERTEX_HALF_SPACE)

/* The question of the request for its separation over [0, t_max], with its kinds; TOI_ERROR_OPTION if there is none. It
 * points into the request; consume and user are left to the caller. */
toi_status toi_broad_ask(toi_context *context, const toi_mesh_request *request, double t_max,
                         toi_broad_question *question);

/* toi_candidates() of a request that was taken. */
toi_status toi_candidates_of_request(toi_context *context, const toi_mesh_request *request, toi_pairs_visitor visit,
                                     void *user);

/* --- for the broad phases themselves --- */

/* Pairs wait here until there are enough of them to hand on. A broad phase writes at pairs[count] and counts up; when
 * count >= TOI_SINK_PAIRS it calls toi_sink_flush(). It may write TOI_SINK_SLACK pairs beyond. */
#define TOI_SINK_PAIRS 4096
#define TOI_SINK_SLACK 64

typedef struct toi_sink {
  size_t count;
  toi_pair *pairs;
} toi_sink;

/* Two sets, or one with itself (b == a in every field): every pair whose closed float boxes overlap, does not share a
 * vertex, and whose double boxes overlap. In a self join the first number is the smaller one. */
typedef struct toi_run toi_run;

typedef struct toi_join {
  toi_join_kind kind;
  const toi_boxer *boxer;
  toi_box_set a, b;
  bool self;
  toi_run *run;
  const struct toi_join_done *done; /* pairs that a device handed on before it was lost; or NULL */
} toi_join;

/* The thread's sink for this join. flush is called by that thread. */
toi_sink *toi_join_sink(const toi_join *join, uint32_t thread);
toi_status toi_sink_flush(const toi_join *join, uint32_t thread);

/* The floats by which a device may refute pairs of this join: NULL if there are none, or rules keep pairs out. The
 * question's limit. And what it refuted. */
const toi_float_mesh *toi_join_floats(const toi_join *join);
const _Atomic double *toi_join_limit(const toi_join *join);
void toi_join_settle(const toi_join *join, const toi_device_counts *counts);

/* Tells the caller's progress callback, now and then and from the calling thread, that `done` of `total` pieces are
 * done; a task calls it when it begins. TOI_ERROR_CANCELLED if it asks to stop. */
toi_status toi_join_progress(const toi_join *join, uint32_t thread, size_t done, size_t total);

/* Whether the double boxes of two primitives overlap: for pairs whose float boxes touch but do not overlap strictly. */
bool toi_join_touches(const toi_join *join, uint32_t first, uint32_t second);

/* Whether two primitives share a vertex. */
bool toi_join_adjacent(const toi_join *join, uint32_t first, uint32_t second);

/* A broad phase; all give the same pairs to toi_join_sink(). Runs its own toi_parallel(); sinks need not be empty at
 * the end. Called only where neither set is empty. */
typedef struct toi_broad_method {
  const char *name;
  const char *promise;
  toi_status (*join)(toi_context *context, const toi_join *join);
  bool on_the_way; /* needs no rows of edges and faces listed: it makes them on the way, or none */
} toi_broad_method;

extern const toi_broad_method toi_broad_auto;
extern const toi_broad_method toi_broad_bvh;
extern const toi_broad_method toi_broad_sweep;
extern const toi_broad_method toi_broad_brute;

#endif
