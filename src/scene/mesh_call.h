/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What calls on whole meshes share: the checked question, with edges, vertices laid out for kernels, the plane filter
 * and the narrow phase of its candidates. */

#ifndef TOI_SCENE_MESH_CALL_H
#define TOI_SCENE_MESH_CALL_H

#include <stdatomic.h>

#include <toi/scene.h>

#include "broad/broad.h"
#include "broad/edges.h"
#include "narrow/answer.h"
#include "narrow/contact_filter.h"
#include "narrow/plane_filter.h"

/* Memory that a scene keeps for the next call. */
typedef struct toi_scene_buffer {
  void *memory;
  size_t size;
} toi_scene_buffer;

typedef struct toi_mesh_call {
  toi_context *context;
  toi_mesh_request asked;  /* its mesh, where it lists no edges, with those of its faces; vertices as below */
  double *points;          /* rows of filter_mesh.h: what is read together lies together */
  toi_scene_buffer buffer; /* they are in it */
  toi_edge_list found;     /* edges found here */
  toi_answerer answerer;   /* who answers the narrow phase */
  bool proves;             /* a method that decides: filters may take its place */
  toi_plane_filter filter; /* the kernel of this machine */
  toi_contact_filter contact_filter;
  toi_float_mesh floats;       /* for the contact filter */
  atomic_bool filters;         /* they are there */
  atomic_bool asked_for;       /* somebody makes them, or has made them */
  toi_counters *counters;      /* one for each thread */
  const _Atomic double *limit; /* see toi_chunk; NULL: none */
} toi_mesh_call;

/* Checks the mesh, finds edges and method, and lays out the vertices: both states if `moves`, else the start. End it if
 * it succeeded. */
toi_status toi_mesh_call_begin(toi_mesh_call *call, toi_context *context, const toi_mesh_request *request, bool moves);

/* Gives every candidate to the question's consumer, and maybe pairs that are none: from the list of near pairs of the
 * scene, if it has one that will do, or by a broad phase. The user is the call, as toi_parts hands it on. */
toi_status toi_mesh_call_run(const void *user, const toi_broad_question *question);

/* Frees what was found, and adds up the counters. */
void toi_mesh_call_end(toi_mesh_call *call);

/* The mesh for kernels. */
toi_filter_mesh toi_mesh_call_points(const toi_mesh_call *call);

/* The most candidates that are filtered at a time. */
#define TOI_FILTER_PAIRS 512

/* Copies those of at most TOI_FILTER_PAIRS candidates to `open` that no plane clears, and returns how many. The
 * thickness of the mesh is added to the separation of the question. */
size_t toi_mesh_call_filter(const toi_mesh_call *call, uint32_t thread, toi_kind kind,
                            const toi_plane_question *question, const toi_pair *pairs, size_t count, toi_pair *open);

/* Whether the question is one for the contact filter: contact itself, by `certified`. */
bool toi_mesh_call_may_filter(const toi_mesh_call *call);

/* Makes the floats of such a call. The vertices must stay where they are from now on. */
void toi_mesh_call_make_floats(toi_mesh_call *call);

/* The same from a task, once, after toi_kept_prepare(); meanwhile the others go on without. */
void toi_mesh_call_make_floats_alone(toi_mesh_call *call);

/* Copies those of at most TOI_FILTER_PAIRS candidates to `open` that the contact filter leaves open, and returns how
 * many. Ask it only where toi_mesh_call_has_filter(). */
size_t toi_mesh_call_filter_contacts(const toi_mesh_call *call, uint32_t thread, toi_kind kind, const toi_pair *pairs,
                                     size_t count, toi_pair *open);

/* Lets a device refute contact for the question, where the floats are there. The question's user must be the caller's;
 * `settled` counts for the call. */
void toi_mesh_call_offer_floats(const toi_mesh_call *call, toi_broad_question *question);
void toi_mesh_call_count_settled(const toi_mesh_call *call, const toi_device_counts *counts);

static inline bool toi_mesh_call_has_filter(const toi_mesh_call *call, toi_kind kind) {
  return (kind == TOI_VERTEX_FACE || kind == TOI_EDGE_EDGE) &&
         atomic_load_explicit(&call->filters, memory_order_acquire);
}

/* Answers at most TOI_GATHER_PAIRS candidates on a thread; of misses only the verdict is written. Where
 * toi_mesh_call_has_filter(), it is taken that it left them open, or all would go through the slower levels. */
toi_status toi_mesh_call_answer(const toi_mesh_call *call, uint32_t thread, toi_kind kind, const toi_pair *pairs,
                                size_t count, toi_hit *hits);

/* One pair by the method `exact`, over the whole of [0, t_max]. */
toi_status toi_mesh_call_answer_exactly(const toi_mesh_call *call, uint32_t thread, toi_kind kind, toi_pair pair,
                                        toi_hit *hit);

#endif
