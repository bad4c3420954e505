/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole meshes: the earliest impact of a step, every collision, pairs that are close, and steps that are safe.
 *
 * Promise: with the methods `certified` and `exact` every answer is right for every finite mesh, and the same bits for
 * any number of threads, memory budget and broad phase. Pairs that share a vertex are skipped. Half-spaces of the mesh
 * are obstacles of every call: vertices with them are pairs of the kind TOI_VERTEX_HALF_SPACE, the last one in every
 * order, and are decided exactly whatever the method. Where a broad
 * phase does not fit the context's budget, the call fails and says how much is needed. */

#ifndef TOI_SCENE_H
#define TOI_SCENE_H

#include <toi/broad.h>
#include <toi/distance.h>
#include <toi/stencil.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first impact of a step. */
typedef struct toi_impact {
  toi_hit hit;   /* a miss if nothing touches; else the winner's, its bracket the tightest doubles (as `exact` gives) */
  toi_kind kind; /* of the winner: the pair that touches first; of several at exactly the same time the one whose kind,
                    then first, then second number is smallest */
  toi_pair pair;
  uint32_t reserved[5];
} toi_impact;

/* The earliest impact in [0, t_max]. Methods other than `certified` and `exact` may leave pairs `near`: the answer is
 * then the smallest t_lo of all pairs, unrefined. On failure the impact is the safe answer: near, from 0. */
TOI_API TOI_MUST_USE toi_status toi_step(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                         toi_impact *impact);

/* A colliding pair. To keep it from passing through, hold <hit.normal, first - second> >= 0 (or a margin): the points
 * that touch first, where they are at the end of the step. */
typedef struct toi_collision {
  toi_hit hit;      /* hit or near */
  double first[3];  /* the contact's point on the first primitive at t = 1 */
  double second[3]; /* and on the second */
  toi_kind kind;
  toi_pair pair;
  uint32_t reserved[5];
} toi_collision;

/* Return TOI_OK to go on; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_collisions_visitor)(void *user, const toi_collision *collisions, size_t count);

/* Every pair that is hit or near in [0, t_max], ordered by kind, then first, then second number. If they do not fit the
 * budget at once, the work is done in parts; the order stays. */
TOI_API TOI_MUST_USE toi_status toi_collisions(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                               toi_collisions_visitor visit, void *user);

/* A pair that is close at one instant. */
typedef struct toi_proximal {
  toi_distance distance;
  toi_kind kind;
  toi_pair pair;
  uint32_t reserved[5];
} toi_proximal;

typedef toi_status (*toi_proximity_visitor)(void *user, const toi_proximal *pairs, size_t count);

/* Every pair at most `distance` apart (decided exactly) in the mesh's start, thickness added to `distance` and
 * the sum rounded down; norm, broad, may_collide, progress and work are taken from the options. Order and visitor as
 * for toi_collisions(); end may be NULL. */
TOI_API TOI_MUST_USE toi_status toi_proximity(toi_context *context, const toi_mesh *mesh, double distance,
                                              const toi_options *options, toi_proximity_visitor visit, void *user);

/* How far each vertex may move on its own: displacements[v] is the largest double that is not above half of (distance -
 * T) for any pair of toi_proximity() that contains v (the whole of it for half-spaces, which do not move), T being
 * min_distance and the thicknesses of the pair; 0 where a pair is within T; at most `radius`. Decided exactly, in the
 * mesh's start.
 *
 * Promise: whatever the vertices do, as long as each is displaced by less than its number (Euclidean norm, both norms
 * of distances) or not at all, every pair that is farther apart than T stays so; at the end of a straight motion and on
 * the way. min_distance and radius are finite and at most 2^1020; the options are those of toi_proximity(), and end may
 * be NULL. On failure all numbers are 0, if they were written at all. */
TOI_API TOI_MUST_USE toi_status toi_safe_displacements(toi_context *context, const toi_mesh *mesh, double min_distance,
                                                       double radius, const toi_options *options,
                                                       double *displacements);

/* A safe step. */
typedef struct toi_advance {
  double
      step; /* fraction of the displacement from start to end, in [0, t_max]; 0 only if a pair touches at the start */
  double fraction;  /* every pair keeps more than this fraction of its initial distance until the written positions;
                       with T = min_separation and thickness, more than T and this fraction of what lies beyond it */
  toi_impact first; /* the pair that reaches the fraction first on the whole step; a miss if none does */
  uint32_t tries;   /* rounded end positions that were tried */
  uint32_t reserved[7];
} toi_advance;

/* The largest safe step from start towards end. No pair comes within T, which is options.min_separation and the
 * thicknesses, and p = options.separation_fraction (in [0, 1)) of what its distance d0 at the start has beyond: within
 * T + p (d0 - T). `positions`, an array of its own laid out like mesh->end, receives the rounded positions at the end
 * of that step, and what is promised holds for the straight motion from start to those very positions. The step is at
 * least 0.99 of the exact first time at which a pair comes that close. Where rounding alone would bring a pair that
 * close, p is lowered rather than the step cut: `fraction` says to what. Only where rounding alone brings a pair within
 * T is the step shorter; it stays positive unless a pair is within T at the start. On failure positions are those of
 * the start, if they were written at all. */
TOI_API TOI_MUST_USE toi_status toi_line_search(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                                void *positions, toi_advance *advance);

/* The steps that toi_line_search() tries, for those who hold a mesh in parts and ask about it elsewhere, as
 * toi/cluster.h does: which ones, and how positions are rounded, depends on the first impact alone. */
typedef enum toi_rounding {
  TOI_ROUND_NEAREST = 0,
  TOI_ROUND_TO_START, /* towards the start */
  TOI_ROUND_DOWN,     /* towards the smaller of start and end */
  TOI_ROUND_UP
} toi_rounding;

typedef enum toi_trial_what {
  TOI_TRIAL_ASK = 0, /* take the positions if they differ from the start nowhere, or nothing comes close on the way */
  TOI_TRIAL_START,   /* the search ends with the positions of the start; step and fraction are its answer */
  TOI_TRIAL_END      /* likewise, of the end */
} toi_trial_what;

typedef struct toi_line_trial {
  double step;
  double fraction; /* with which is asked about the motion from the start to the positions that are tried */
  toi_trial_what what;
  toi_scalar scalar; /* of the positions */
  toi_rounding rounding;
  uint32_t mends; /* so often the vertices of the pair that comes too close first may be rounded away from each other,
                     one pair after the other, before the trial fails */
  uint32_t tries; /* START and END: counts as so many tries */
  uint32_t reserved[3];
} toi_line_trial;

/* Trial number `index`, from 0, after the first impact of the whole step: `first`, with the options' t_max and
 * separation_fraction (NULL: the defaults). After the last, which is START or END, it stays the same. */
TOI_API toi_line_trial toi_line_trial_at(const toi_options *options, toi_scalar scalar, const toi_hit *first,
                                         uint32_t index);

/* Coordinates of a trial, all of them numbers of its scalar; whether one of them differs from the start. */
TOI_API bool toi_line_trial_place(const toi_line_trial *trial, const double *start, const double *end, size_t count,
                                  double *placed);

/* Whether one state of a mesh intersects itself. */
typedef struct toi_intersection {
  uint8_t found;
  uint8_t crossing; /* an edge passes through a face: pair is that edge and that face; else two primitives touch */
  uint8_t behind;   /* a vertex is strictly behind a half-space: pair is that vertex and that half-space */
  uint8_t padding;
  toi_kind kind; /* of the pair that touches; 0 for a crossing */
  toi_pair pair; /* the first one: crossings first, then by kind, first, second */
  uint32_t reserved[4];
} toi_intersection;

/* Decided exactly for the mesh's start: does an edge pass through a face, or do two primitives touch that would be
 * candidates?
 *
 * An edge passes through a face if its ends lie strictly on different sides of the face's plane and it meets the face
 * strictly inside. An edge that meets a face in any other way ends in it, or meets one of its sides: then a vertex and
 * a face touch, or two edges. So with neither a crossing nor a contact
 *  - no edge meets a face that it shares no vertex with;
 *  - no two faces meet, except in the vertices and the edge that they have in common. For where two faces meet
 *    elsewhere, an edge of one of them passes through the other one or touches it. (Two faces of the same three
 * vertices are the one case about which nothing is said.) A vertex on the plane of a half-space, or behind it, is a
 * contact too, of the last kind. Separation and thickness play no part; skipped candidates are
 * skipped crossings too, and may_collide skips a crossing if it refuses both ends of the edge with the face. broad,
 * progress and work are taken from the options; end may be NULL. On failure the safe answer stands there: found, and no
 * pair. */
TOI_API TOI_MUST_USE toi_status toi_mesh_intersects(toi_context *context, const toi_mesh *mesh,
                                                    const toi_options *options, toi_intersection *intersection);

/* A pair that meets in one state of a mesh. */
typedef struct toi_crossing {
  uint8_t crossing; /* 1: an edge passes through a face, pair is that edge and that face; 0: two primitives touch */
  uint8_t behind; /* 1: of a vertex and a half-space, the vertex is strictly behind the plane; 0: it is on the plane */
  uint8_t padding[2];
  toi_kind kind; /* of the pair that touches; 0 for a crossing */
  toi_pair pair;
  uint64_t reserved[2];
} toi_crossing;

/* Return TOI_OK to go on; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_crossings_visitor)(void *user, const toi_crossing *crossings, size_t count);

/* All pairs of which toi_mesh_intersects() gives the first, in its order: crossings by edge, then face; then the pairs
 * that touch by kind, first, second number. Each comes once. If they do not fit the budget at once, the work is done in
 * parts; the order stays. */
TOI_API TOI_MUST_USE toi_status toi_mesh_crossings(toi_context *context, const toi_mesh *mesh,
                                                   const toi_options *options, toi_crossings_visitor visit, void *user);

/* --- a scene that is kept between calls --- */

/* The numbers of vertices in an array of edges or faces. */
typedef enum toi_index { TOI_UINT32 = 0, TOI_INT32, TOI_UINT64, TOI_INT64 } toi_index;

/* What stays the same from call to call. Edges and faces may be laid out by rows or by columns: number j of primitive i
 * is at array + i * stride + j * component_stride bytes; 0 stands for packed rows. All of it is copied, and checked as
 * toi_mesh_check() does; numbers that are negative or name no vertex are refused. The rest is as in toi_mesh. */
typedef struct toi_topology {
  size_t size; /* 0 stands for the first layout of this struct, which this is */
  size_t vertex_count;
  toi_index index;
  const void *edges; /* edge_count 0: those of the faces are found, numbered as toi_mesh_edges() does */
  size_t edge_count, edge_stride, edge_component_stride;
  const void *faces;
  size_t face_count, face_stride, face_component_stride;
  const uint32_t *bodies;
  const uint8_t *fixed;
  const double *thickness;
  const double *body_thickness;
  size_t body_count;
  const uint64_t *skipped;
  const uint64_t *body_pairs;
  const toi_half_space *half_spaces;
  size_t half_space_count;
} toi_topology;

/* Zeroes, and the size: for languages that have no initialisers. */
TOI_API void toi_topology_init(toi_topology *topology, size_t size);

/* Where the vertices are; the arrays stay the caller's. Coordinate k of vertex i is at start + i * stride + k *
 * component_stride bytes, so that matrices by rows and by columns need no copy. */
typedef struct toi_positions {
  size_t size; /* 0 stands for the first layout of this struct, which this is */
  const void *start;
  const void *end; /* NULL where one instant is asked about */
  toi_scalar scalar;
  size_t stride;           /* 0: three scalars */
  size_t component_stride; /* 0: one scalar */
  size_t vertex_count;     /* must be that of the topology */
} toi_positions;

/* Zeroes, and the size: for languages that have no initialisers. */
TOI_API void toi_positions_init(toi_positions *positions, size_t size);

/* A scene keeps what connectivity and last positions allow: edges, orders, memory, and where vertices move little
 * between calls, the pairs that are near each other. The answers are those of the calls on a mesh above, bit by bit. It
 * belongs to its context: calls name both, and a scene of another context is refused. A call that fails leaves the
 * scene as it was. Calls from within visitors, progress functions and may_collide of a call on the same context are
 * refused. */
typedef struct toi_scene toi_scene;

/* On failure *scene is NULL. */
TOI_API TOI_MUST_USE toi_status toi_scene_create(toi_context *context, const toi_topology *topology, toi_scene **scene);
TOI_API void toi_scene_destroy(toi_scene *scene);

/* Its edges, in the order of their numbers; they are the scene's. Returns how many. */
TOI_API size_t toi_scene_edges(const toi_scene *scene, const uint32_t (**edges)[2]);

/* As toi_step(), toi_collisions(), toi_proximity(), toi_stencils() (rest positions are laid out like positions->start),
 * toi_safe_displacements(), toi_line_search(), toi_candidates(), toi_mesh_intersects() and toi_mesh_crossings(). The
 * positions of a line search are laid out like positions->end. */
TOI_API TOI_MUST_USE toi_status toi_scene_step(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                               const toi_options *options, toi_impact *impact);
TOI_API TOI_MUST_USE toi_status toi_scene_collisions(toi_context *context, toi_scene *scene,
                                                     const toi_positions *positions, const toi_options *options,
                                                     toi_collisions_visitor visit, void *user);
TOI_API TOI_MUST_USE toi_status toi_scene_proximity(toi_context *context, toi_scene *scene,
                                                    const toi_positions *positions, double distance,
                                                    const toi_options *options, toi_proximity_visitor visit,
                                                    void *user);
TOI_API TOI_MUST_USE toi_status toi_scene_stencils(toi_context *context, toi_scene *scene,
                                                   const toi_positions *positions, double distance,
                                                   const toi_options *options,
                                                   const toi_stencil_options *stencil_options,
                                                   toi_stencil_visitor visit, void *user);
TOI_API TOI_MUST_USE toi_status toi_scene_safe_displacements(toi_context *context, toi_scene *scene,
                                                             const toi_positions *positions, double min_distance,
                                                             double radius, const toi_options *options,
                                                             double *displacements);
TOI_API TOI_MUST_USE toi_status toi_scene_line_search(toi_context *context, toi_scene *scene,
                                                      const toi_positions *positions, const toi_options *options,
                                                      void *placed, toi_advance *advance);
TOI_API TOI_MUST_USE toi_status toi_scene_candidates(toi_context *context, toi_scene *scene,
                                                     const toi_positions *positions, const toi_options *options,
                                                     toi_pairs_visitor visit, void *user);
TOI_API TOI_MUST_USE toi_status toi_scene_intersects(toi_context *context, toi_scene *scene,
                                                     const toi_positions *positions, const toi_options *options,
                                                     toi_intersection *intersection);
TOI_API TOI_MUST_USE toi_status toi_scene_crossings(toi_context *context, toi_scene *scene,
                                                    const toi_positions *positions, const toi_options *options,
                                                    toi_crossings_visitor visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
