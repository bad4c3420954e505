/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whole meshes: the earliest impact of a step, every collision, pairs that are close, and steps that are safe.
 *
 * Promise: with the methods `certified` and `exact` every answer is right for every finite mesh, and the same bits for
 * any number of threads, memory budget and broad phase. Pairs that share a vertex are skipped. Half-spaces of the mesh
 * are obstacles of every call: with vertices they form pairs of the kind TOI_VERTEX_HALF_SPACE, the last one in every
 * order, which are decided exactly with every method. If the broad phase does not fit the context's budget, the call
 * fails and says how much is needed. */

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
  toi_hit hit;   /* a miss if nothing touches; else that of the pair, with the tightest doubles (as `exact` gives) */
  toi_kind kind; /* the pair that touches first; of several at exactly the same time the one with the smallest kind,
                    then first, then second number */
  toi_pair pair;
  uint32_t reserved[5];
} toi_impact;

/* The earliest impact in [0, t_max]. Methods other than `certified` and `exact` may leave pairs `near`: the answer is
 * then the smallest t_lo of all pairs, not refined. On failure the impact is the safe answer: near, from 0. */
TOI_API TOI_MUST_USE toi_status toi_step(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                         toi_impact *impact);

/* A colliding pair. To keep it from passing through, enforce <hit.normal, first - second> >= 0 (or a margin), with the
 * points that touch first at their positions at the end of the step. */
typedef struct toi_collision {
  toi_hit hit;      /* hit or near */
  double first[3];  /* the contact point on the first primitive, at t = 1 */
  double second[3]; /* and on the second */
  toi_kind kind;
  toi_pair pair;
  uint32_t reserved[5];
} toi_collision;

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
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

/* Every pair at most `distance` apart (decided exactly) in the mesh's start; thickness is added to `distance` and the
 * sum rounded down. norm, broad, may_collide, progress and work are taken from the options. Order and visitor as for
 * toi_collisions(); end may be NULL. */
TOI_API TOI_MUST_USE toi_status toi_proximity(toi_context *context, const toi_mesh *mesh, double distance,
                                              const toi_options *options, toi_proximity_visitor visit, void *user);

/* How far each vertex may move on its own. displacements[v] is the largest double not above half of (distance - T) for
 * every pair of toi_proximity() that contains v (all of it for half-spaces, which do not move), where T is min_distance
 * plus the thicknesses of the pair; 0 if a pair is within T; at most `radius`. Decided exactly, in the mesh's start.
 *
 * Promise: as long as each vertex is displaced by less than its number (Euclidean norm, for both norms of distances) or
 * not at all, every pair that is farther apart than T stays so, at the end of a straight motion and during it.
 * min_distance and radius are finite and at most 2^1020; the options are those of toi_proximity(), and end may be NULL.
 * On failure all numbers are 0, if they were written at all. */
TOI_API TOI_MUST_USE toi_status toi_safe_displacements(toi_context *context, const toi_mesh *mesh, double min_distance,
                                                       double radius, const toi_options *options,
                                                       double *displacements);

/* A safe step. */
typedef struct toi_advance {
  double step; /* fraction of the displacement from start to end, in [0, t_max]; 0 only if they touch at the start */
  double fraction;  /* every pair keeps more than this fraction of its initial distance until the written positions;
                       with T = min_separation plus thickness, more than T plus this fraction of what is beyond */
  toi_impact first; /* the pair that reaches the fraction first in the whole step; a miss if none does */
  uint32_t tries;   /* rounded end positions that were tried */
  uint32_t reserved[7];
} toi_advance;

/* The largest safe step from start towards end. Let T be options.min_separation plus the thicknesses, p =
 * options.separation_fraction (in [0, 1)), and d0 the initial distance of a pair: no pair comes within T + p (d0 - T).
 * `positions`, a separate array laid out like mesh->end, receives the rounded positions at the end of that step, and
 * the promise holds for the straight motion from start to exactly those positions. The step is at least 0.99 of the
 * exact first time at which a pair comes that close. Where rounding alone would bring a pair that close, p is lowered
 * rather than the step shortened: see `fraction`. Only where rounding alone brings a pair within T is the step shorter;
 * it stays positive unless a pair is within T at the start. On failure positions are those of the start, if they were
 * written at all. */
TOI_API TOI_MUST_USE toi_status toi_line_search(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                                void *positions, toi_advance *advance);

/* The steps that toi_line_search() tries, for callers that hold a mesh in parts, such as toi/cluster.h:
 * the steps, and the rounding of positions, depend on the first impact alone. */
typedef enum toi_rounding {
  TOI_ROUND_NEAREST = 0,
  TOI_ROUND_TO_START, /* towards the start */
  TOI_ROUND_DOWN,     /* towards the smaller of start and end */
  TOI_ROUND_UP
} toi_rounding;

typedef enum toi_trial_what {
  TOI_TRIAL_ASK = 0, /* take the positions if they equal the start, or if nothing comes close on the way */
  TOI_TRIAL_START,   /* the search ends with the positions of the start; step and fraction are its answer */
  TOI_TRIAL_END      /* likewise, of the end */
} toi_trial_what;

typedef struct toi_line_trial {
  double step;
  double fraction; /* for the motion from the start to the positions that are tried */
  toi_trial_what what;
  toi_scalar scalar; /* of the positions */
  toi_rounding rounding;
  uint32_t mends; /* how often the vertices of the first pair that comes too close may be rounded away from each
                     other, one pair after the other, before the trial fails */
  uint32_t tries; /* START and END: counts as this many tries */
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
 *  - no edge meets a face with which it shares no vertex;
 *  - no two faces meet, except in their common vertices and edges. For if two faces meet elsewhere, an edge of one of
 *    them passes through the other one or touches it. (Only for two faces on the same three vertices nothing is said.)
 *
 * A vertex on the plane of a half-space, or behind it, is a contact too, of the last kind. Separation and thickness
 * play no part; skipped candidates are skipped crossings too, and may_collide skips a crossing if it refuses both ends
 * of the edge with the face. broad, progress and work are taken from the options; end may be NULL. On failure the
 * answer is the safe one: found, without a pair. */
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

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_crossings_visitor)(void *user, const toi_crossing *crossings, size_t count);

/* All pairs of which toi_mesh_intersects() gives the first, in its order: crossings by edge, then face; then touching
 * pairs by kind, first, second number. Each is given once. If they do not fit the budget at once, the work is done in
 * parts; the order stays. */
TOI_API TOI_MUST_USE toi_status toi_mesh_crossings(toi_context *context, const toi_mesh *mesh,
                                                   const toi_options *options, toi_crossings_visitor visit, void *user);

/* --- a scene kept between calls --- */

/* The type of vertex numbers in an array of edges or faces. */
typedef enum toi_index { TOI_UINT32 = 0, TOI_INT32, TOI_UINT64, TOI_INT64 } toi_index;

/* The data that stay the same from call to call. Edges and faces may be laid out by rows or by columns: number j of
 * primitive i is at array + i * stride + j * component_stride bytes; 0 stands for packed rows. Everything is copied,
 * and checked as by toi_mesh_check(); numbers that are negative or name no vertex are refused. The rest is as in
 * toi_mesh. */
typedef struct toi_topology {
  size_t size; /* 0 stands for the first layout of this struct, which this one is */
  size_t vertex_count;
  toi_index index;
  const void *edges; /* edge_count 0: the edges of the faces are found, numbered as by toi_mesh_edges() */
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

/* Sets everything to zero, and the size: for languages that have no initialisers. */
TOI_API void toi_topology_init(toi_topology *topology, size_t size);

/* The positions of the vertices; the arrays stay the caller's. Coordinate k of vertex i is at start + i * stride + k *
 * component_stride bytes, so that matrices by rows and by columns need no copy. */
typedef struct toi_positions {
  size_t size; /* 0 stands for the first layout of this struct, which this one is */
  const void *start;
  const void *end; /* NULL for calls on one instant */
  toi_scalar scalar;
  size_t stride;           /* 0: three scalars */
  size_t component_stride; /* 0: one scalar */
  size_t vertex_count;     /* must be that of the topology */
} toi_positions;

/* Sets everything to zero, and the size: for languages that have no initialisers. */
TOI_API void toi_positions_init(toi_positions *positions, size_t size);

/* A scene keeps edges, orders, memory, and, where vertices move little between calls, the pairs that are near each
 * other. The answers are those of the calls on a mesh above, bit by bit. A scene belongs to its context: calls name
 * both, and a scene of another context is refused. A call that fails leaves the scene as it was. Visitors, progress
 * functions and may_collide must not call functions on the same context: such calls are refused. */
typedef struct toi_scene toi_scene;

/* On failure *scene is NULL. */
TOI_API TOI_MUST_USE toi_status toi_scene_create(toi_context *context, const toi_topology *topology, toi_scene **scene);
TOI_API void toi_scene_destroy(toi_scene *scene);

/* Its edges, in the order of their numbers; the array belongs to the scene. Returns their count. */
TOI_API size_t toi_scene_edges(const toi_scene *scene, const uint32_t (**edges)[2]);

/* As toi_step(), toi_collisions(), toi_proximity(), toi_stencils() (rest positions are laid out like positions->start),
 * toi_safe_displacements(), toi_line_search(), toi_candidates(), toi_mesh_intersects() and toi_mesh_crossings(). The
 * output of a line search is laid out like positions->end. */
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
