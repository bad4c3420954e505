/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase: which pairs of a moving mesh can touch at all?
 *
 * A candidate is a pair of primitives whose swept boxes overlap: closed boxes in doubles around all positions in
 * [0, t_max], each grown outward by half of min_separation and by the thickness of its primitive. Let T be
 * min_separation plus both thicknesses: pairs whose boxes are disjoint stay farther apart than T. With a
 * separation_fraction F < 1 boxes are also grown by F / (1 - F) times the displacement of each vertex, and contact
 * means "within T + F (d0 - T)", where d0 is the initial distance, and never less than T: pairs whose boxes are
 * disjoint stay farther apart than that.
 *
 * Skipped are pairs that share a vertex, pairs of fixed vertices, pairs within one body or of bodies that may not
 * collide, primitives with a skipped vertex, and pairs that the caller's may_collide refuses. Kinds: every vertex with
 * every face, every edge with every edge; vertex-edge and vertex-vertex only where these do not cover them, for loose
 * points with loose edges and with each other. toi_mesh_options.kinds chooses among them.
 *
 * Half-spaces of the mesh are obstacles: a candidate is every vertex with every half-space that its box, grown by all
 * of min_separation, reaches; skipped and fixed vertices are left out, and bodies do not matter.
 *
 * Promise: all methods give exactly the same pairs, each once, for any number of threads and any memory budget. */

#ifndef TOI_BROAD_H
#define TOI_BROAD_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call on a whole mesh did; filled in if toi_mesh_options.work points to one. */
typedef struct toi_work {
  uint64_t candidates[TOI_COUNTERS]; /* pairs that reached the narrow phase (or the visitor); by toi_kind */
  uint64_t hits[TOI_COUNTERS];       /* of these, hit or near; toi_collisions() only */
  uint64_t broad_ns, narrow_ns;      /* wall time; divided as the threads spent it, where both phases run at once */
  uint32_t passes;                   /* broad phases that were run */
  uint32_t reserved[7];
} toi_work;

/* Kinds of pairs, as bits of toi_mesh_options.kinds. */
typedef enum toi_kinds {
  TOI_KINDS_VERTEX_FACE = 1 << TOI_VERTEX_FACE,
  TOI_KINDS_EDGE_EDGE = 1 << TOI_EDGE_EDGE,
  TOI_KINDS_VERTEX_EDGE = 1 << TOI_VERTEX_EDGE,
  TOI_KINDS_VERTEX_VERTEX = 1 << TOI_VERTEX_VERTEX,
  TOI_KINDS_EDGE_FACE = 1 << TOI_EDGE_FACE, /* every edge with every face; toi_candidates() only */
  TOI_KINDS_FACE_FACE = 1 << TOI_FACE_FACE, /* every face with every face; toi_candidates() only */
  TOI_KINDS_VERTEX_HALF_SPACE = 1 << TOI_VERTEX_HALF_SPACE,
  TOI_KINDS_EVERY_VERTEX_EDGE = 1 << 16 /* vertex-edge: every vertex with every edge, as two dimensions need */
} toi_kinds;

/* Options of calls on whole meshes, in addition to toi_options, whose on_mesh points to them. Make them with
 * toi_default_mesh_options(): other structs are refused. */
typedef struct toi_mesh_options {
  size_t size;       /* set by toi_default_mesh_options() */
  const char *broad; /* a name that toi_broad_name() lists; NULL: "auto" */
  toi_work *work;    /* filled in if not NULL; zeroes if the call fails */
  /* May these two collide? NULL: all may. Called from any thread, possibly more than once per pair, in the default
   * floating-point state. */
  bool (*may_collide)(void *user, toi_kind kind, uint32_t first, uint32_t second);
  void *may_collide_user;
  bool (*progress)(void *user, double done); /* NULL: none. From the calling thread, done in [0, 1]; false: stop */
  void *progress_user;
  uint32_t kinds; /* which pairs take part: bits of toi_kinds; 0: queries and half-spaces, as above. Not used by
                     toi_mesh_intersects() and toi_mesh_crossings() */
} toi_mesh_options;

/* Sets the defaults, for languages that cannot call inline functions; size: sizeof(toi_mesh_options). */
TOI_API void toi_mesh_options_init(toi_mesh_options *options, size_t size);

/* The defaults of all fields; change the ones you need. */
static inline toi_mesh_options toi_default_mesh_options(void) {
  toi_mesh_options options;
  toi_mesh_options_init(&options, sizeof options);
  return options;
}

/* Some candidates of one kind; for edge-edge, vertex-vertex and face-face first < second. Return TOI_OK to continue;
 * any other status ends the call, which returns it. Calls come one at a time, from any of the context's threads. */
typedef toi_status (*toi_pairs_visitor)(void *user, toi_kind kind, const toi_pair *pairs, size_t count);

/* Every candidate, once, in no particular order. They are not stored: memory does not grow with their number. */
TOI_API TOI_MUST_USE toi_status toi_candidates(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                               toi_pairs_visitor visit, void *user);

/* Some pairs of boxes, first < second; otherwise as toi_pairs_visitor. */
typedef toi_status (*toi_box_visitor)(void *user, const toi_pair *pairs, size_t count);

/* Every pair of closed boxes that overlap, once, in no particular order. A box is lo x y z, then hi x y z, lo <= hi,
 * all finite. broad, progress and work are taken from the options (NULL: the defaults); work counts pairs as
 * vertex-vertex.
 */
TOI_API TOI_MUST_USE toi_status toi_box_pairs(toi_context *context, const double (*boxes)[6], size_t count,
                                              const toi_mesh_options *options, toi_box_visitor visit, void *user);

/* The broad phases by number from 0: "auto", "bvh", "sweep", "brute"; NULL past the last. */
TOI_API const char *toi_broad_name(size_t number);

/* What a broad phase does, in a sentence; NULL for an unknown name. */
TOI_API const char *toi_broad_promise(const char *name);

/* The edges of faces and loose edges: unique pairs i < j, ordered by j, then by i. The array belongs to the context:
 * free it with toi_mesh_edges_free(). Either input may be empty; a face or edge that repeats a vertex has fewer edges.
 */
TOI_API TOI_MUST_USE toi_status toi_mesh_edges(toi_context *context, const uint32_t (*faces)[3], size_t face_count,
                                               const uint32_t (*loose)[2], size_t loose_count, uint32_t (**edges)[2],
                                               size_t *edge_count);
TOI_API void toi_mesh_edges_free(toi_context *context, uint32_t (*edges)[2], size_t edge_count);

/* Checks everything in a mesh that could be wrong, and names the first error in the context's message: a NULL array, a
 * coordinate that is not finite, an index out of range, a negative thickness, an edge of a face that is not among the
 * edges, a duplicate edge. The other calls check all but the last two. */
TOI_API TOI_MUST_USE toi_status toi_mesh_check(toi_context *context, const toi_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
