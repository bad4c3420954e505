/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid bodies that turn: two primitives, each fixed to a body that translates and rotates. When do they first touch?
 *
 * A body has its own frame, in which its points are at rest. A pose places the frame in the world: point p is at
 * position + R p, where R is the rotation of the quaternion w, x, y, z. Quaternions need not be unit: their lengths
 * divide out, and they are never rounded.
 *
 * From the start (t = 0) to the end (t = 1) the position moves on a straight line. The orientation follows a law:
 *
 *   nlerp   the quaternion (1 - t) q0 + t q1, divided by its length; q1 is negated first if q0 . q1 < 0, so that the
 *           body turns the shorter way. The stored doubles are the law, their lengths included: q0 and q1 of different
 *           length make a different motion between the same ends. It is rational in t, hence decided exactly.
 *   slerp   at constant angular speed about one axis, by the shorter way; lengths do not matter.
 *   screw   as slerp, and the position on a helix: about one axis and along it, both at constant speed.
 *   motion  follows a toi_motion (toi/motion.h), such as a chain of links (toi_motion_poses).
 *
 * If q0 . q1 is 0, either way is as short, and the stored q1 says which. Bodies of a pair may follow different laws.
 *
 * Promise, both bodies under nlerp: the answers are those of narrow.h (toi_hit), for every finite input of any
 * magnitude: hit or miss, never near; t_lo <= t* <= t_hi, at most 2^-48 apart; touching counts, so do t = 0 and t =
 * t_max, points, segments and triangles without area, motions that slide in one plane, and bodies that turn about a
 * point of the other.
 *
 * Slerp and screw contain sines: hit and miss are proved too, and t_lo <= t* <= t_hi; near means that the two
 * come so close, or touch so gently, that neither is proved (below about 2^-40 of the sizes; beyond 2^170 or below
 * 2^-170 always). Contacts at t = 0 and at t = 1 are decided exactly. A pair of which one body only
 * turns by slerp, and neither moves, is decided exactly, like nlerp. Brackets are at most 2^-44 wide where the two meet
 * faster than 2^-6 of their sizes per step. The bracket always says how wide it is.
 *
 * Motions: as slerp, except that contacts at t = 0 and t = 1 are near. Poses, shifts, turns and screws are
 * known to twice the digits of a double; formulas and series only as narrowly as they can be enclosed, and the
 * brackets, and how often the answer is near, follow from that.
 *
 * Separations: min_separation in the Euclidean norm, under every law; hit, miss or near as under slerp. Brackets are
 * about 2^-40 of the sizes wide, divided by the speed at which they meet. At t* the point is the vertex, or the point
 * on the second edge, that is nearest.
 *
 *   toi_moving_body door, wall;
 *   toi_moving_body_init(&door, sizeof door);                   // at rest, at the origin
 *   toi_moving_body_init(&wall, sizeof wall);
 *   door.end.quaternion[3] = 1;                                 // 90 degrees about z: w = z = 1
 *   toi_moving_pair *pair;
 *   toi_moving_pair_create(context, &door, &wall, &pair);         // once for the two bodies
 *   toi_moving_pair_query(pair, TOI_VERTEX_FACE, points, &options, &hit);   // as often as they have primitives
 *   toi_moving_pair_destroy(pair); */

#ifndef TOI_RIGID_H
#define TOI_RIGID_H

#include <toi/motion.h>
#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toi_pose {
  double position[3];
  double quaternion[4]; /* w, x, y, z; of any length but 0 */
} toi_pose;

/* How a body moves between its poses, or that it follows a motion. */
typedef enum toi_law { TOI_LAW_NLERP = 0, TOI_LAW_SLERP = 1, TOI_LAW_SCREW = 2, TOI_LAW_MOTION = 3 } toi_law;

/* A body's motion over a step. */
typedef struct toi_moving_body {
  size_t size;         /* sizeof(toi_moving_body); 0: the first layout */
  toi_pose start, end; /* not used under TOI_LAW_MOTION */
  toi_law law;
  const toi_motion *motion;      /* under TOI_LAW_MOTION; must outlive everything made from the body, unchanged */
  double motion_from, motion_to; /* the motion's own times at t = 0 and at t = 1; two different ones */
} toi_moving_body;

/* At rest at the origin: positions 0, quaternions 1, 0, 0, 0, nlerp, no motion, its times 0 and 1; and the size. */
TOI_API void toi_moving_body_init(toi_moving_body *body, size_t size);

/* Adds a step to the motion (toi/motion.h): that of a body between its poses, by nlerp, slerp or screw, over the
 * motion's times from 0 to 1. This is how chains are made: first the step of a link in the frame of its parent, then
 * the step of the parent. A motion of such steps is known to twice the digits of a double. Times beyond [0, 1] are
 * refused. */
TOI_API TOI_MUST_USE toi_status toi_motion_poses(toi_motion *motion, const toi_moving_body *body);

/* The pose of a body at a time t in [0, 1], in doubles: for pictures, and to continue from. Under nlerp the quaternion
 * is that of the line, not normalised; from a motion it has length 1. A motion can be used by one thread at a time. */
TOI_API TOI_MUST_USE toi_status toi_moving_body_at(const toi_moving_body *body, double t, toi_pose *pose);

/* The data that queries between primitives of two bodies share; made once for the two. It costs about as much as ten
 * queries. */
typedef struct toi_moving_pair toi_moving_pair;

/* On failure *pair is NULL. The bodies stay the caller's; the context must outlive the pair. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_create(toi_context *context, const toi_moving_body *first,
                                                       const toi_moving_body *second, toi_moving_pair **pair);
TOI_API void toi_moving_pair_destroy(toi_moving_pair *pair); /* NULL is ignored */

/* One query: toi_kind_points(kind) points, those of the first primitive (a vertex, or the first edge) in the frame of
 * the first body, those of the second in the frame of the second. For a face of the first body and a vertex of the
 * second, make a pair with the bodies exchanged. u and v are as in narrow.h; point and normal are in world coordinates.
 * Methods are `certified` (the default) and, for two bodies under nlerp without a separation, `exact`.
 * separation_fraction and other norms are not supported. On failure the hit is the safe answer: near, from 0. Any
 * number of threads may use one pair at a time: it is only read. A query that needs exact arithmetic takes temporary
 * memory from malloc. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_query(const toi_moving_pair *pair, toi_kind kind,
                                                      const double (*points)[3], const toi_options *options,
                                                      toi_hit *hit);

/* Many queries of one kind, back to back: 3 * toi_kind_points(kind) doubles each, on the threads of the pair's context.
 * The answers are the same bits as those of single calls. On failure the context says which query, and every hit is the
 * safe answer. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_batch(const toi_moving_pair *pair, toi_kind kind, const double *queries,
                                                      size_t count, const toi_options *options, toi_hit *hits);

/* The same with the points of two meshes, meshes[0] of the first body and meshes[1] of the second, in their bodies'
 * frames: `start` holds the vertices, `end` is ignored. pairs[i].first is a vertex or an edge of meshes[0],
 * pairs[i].second a face, edge or vertex of meshes[1], as the kind says. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_batch_indexed(const toi_moving_pair *pair, toi_kind kind,
                                                              const toi_mesh *const meshes[2], const toi_pair *pairs,
                                                              size_t count, const toi_options *options, toi_hit *hits);

/* --- whole scenes --- */

/* Rigid bodies with their meshes, numbered from 0. When a body is added, its tree of boxes in the body's own frame is
 * made, with at most 40 bytes per primitive, and kept. Motions are given to every call.
 *
 *   toi_rigid_scene *scene;
 *   toi_rigid_scene_create(context, &scene);
 *   toi_rigid_scene_add(scene, &door_mesh, false, NULL);        // body 0
 *   toi_rigid_scene_add(scene, &wall_mesh, true, NULL);         // body 1, fixed
 *   toi_moving_body bodies[2];                                  // their motions, as above
 *   toi_rigid_impact impact;
 *   toi_rigid_scene_step(scene, bodies, 2, &options, &impact);  // the first contact of all
 *
 * Pairs: every vertex of a body with every face of another, every edge with every edge; loose points with loose edges
 * and with each other. Pairs of primitives of one body, of two fixed bodies, and of bodies that ignore each other are
 * skipped.
 *
 * Promise: the answers are those of asking every such pair with toi_moving_pair_query(), the same bits for any number
 * of threads; but what is near there may be near in a shorter interval here, or a miss, by where its boxes are. Laws,
 * separations and methods are those of that call. A scene belongs to its context; it takes one call at a time. */
typedef struct toi_rigid_scene toi_rigid_scene;

/* On failure *scene is NULL. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_create(toi_context *context, toi_rigid_scene **scene);
TOI_API void toi_rigid_scene_destroy(toi_rigid_scene *scene); /* NULL is ignored */

/* Adds a body. Its mesh is copied: `start` holds the vertices in the frame of the body, `end` is ignored; faces, loose
 * edges and loose points may be mixed, and there must be a primitive. fixed: the body must rest in every call, and
 * pairs of fixed bodies are skipped. number, if not NULL, receives the body's number, which is the number of bodies
 * before it. Thickness and half-spaces are not supported. On failure the scene stays as it was. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_add(toi_rigid_scene *scene, const toi_mesh *mesh, bool fixed,
                                                    uint32_t *number);

/* The two bodies may overlap from now on: pairs of their primitives are skipped. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_ignore(toi_rigid_scene *scene, uint32_t first, uint32_t second);

/* A contact of primitives of two bodies: pair.first is a primitive of bodies[0], pair.second of bodies[1]. In an
 * edge-edge or vertex-vertex pair bodies[0] < bodies[1]; otherwise bodies[0] has the vertex. */
typedef struct toi_rigid_impact {
  toi_hit hit;
  toi_kind kind; /* for a miss 0, as the numbers */
  uint32_t bodies[2];
  toi_pair pair; /* numbers in the meshes; edges as listed, or as numbered by toi_mesh_edges() */
  uint32_t reserved[7];
} toi_rigid_impact;

/* The first contact of the step, `count` bodies in the order of their numbers; elements are bodies->size bytes apart.
 * Under nlerp, without a separation, a hit is that of the method `exact`: its bracket is the pair of tightest doubles.
 * Elsewhere it begins at the least t_lo of all pairs that are hit or near, and ends at the least t_hi of the hits; it
 * is near only if no pair is proved to touch. Of contacts that have the same bracket the first by kind, then bodies[0],
 * bodies[1], pair.first, pair.second is given. On failure it is the safe answer, near from 0. Of the options' on_mesh,
 * progress and work are used; work counts queries by kind and, under TOI_FACE_FACE, pairs of primitives whose swept
 * boxes meet. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_step(toi_rigid_scene *scene, const toi_moving_body *bodies,
                                                     size_t count, const toi_options *options,
                                                     toi_rigid_impact *impact);

/* Return TOI_OK to continue; any other status ends the call, which returns it. Called from the calling thread. */
typedef toi_status (*toi_rigid_visitor)(void *user, const toi_rigid_impact *impacts, size_t count);

/* Every pair that touches in the step, or is near, once, with its own first contact, ordered by kind, bodies[0],
 * bodies[1], pair.first, pair.second. An eighth of the memory budget holds them; what does not fit is searched for
 * again. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_collisions(toi_rigid_scene *scene, const toi_moving_body *bodies,
                                                           size_t count, const toi_options *options,
                                                           toi_rigid_visitor visit, void *user);

/* --- paths --- */

/* Pieces of time one after the other: in piece k, from times[k] to times[k + 1], body b moves as bodies[k * count + b]
 * says, over its own t from 0 to 1. */
typedef struct toi_rigid_path {
  size_t size;                   /* sizeof(toi_rigid_path); 0: the first layout */
  const double *times;           /* piece_count + 1 of them, finite and ascending */
  const toi_moving_body *bodies; /* elements are bodies->size bytes apart */
  size_t count, piece_count;     /* bodies, and pieces */
} toi_rigid_path;

/* A contact on a path. */
typedef struct toi_rigid_contact {
  toi_rigid_impact impact;   /* in the time of its piece */
  size_t piece;              /* of a miss: piece_count */
  double t_lo, t_hi, t_safe; /* in the path's time, rounded outward; of a miss infinite, and the end */
  uint64_t pairs; /* pairs of primitives of the two bodies that touch, or are near, in that piece; else 1, 0 */
  uint64_t reserved[4];
} toi_rigid_contact;

/* The first contact on a path: toi_rigid_scene_step() of one piece after the other, until one is no miss. t_max is 1.
 * Progress is that of all pieces. On failure it is the safe answer, near from the first time. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_path_step(toi_rigid_scene *scene, const toi_rigid_path *path,
                                                          const toi_options *options, toi_rigid_contact *first);

/* As toi_rigid_visitor. */
typedef toi_status (*toi_rigid_contact_visitor)(void *user, const toi_rigid_contact *contacts, size_t count);

/* The first contact of every two bodies that touch on a path, or are near, by t_lo, then by their numbers. One for each
 * two bodies is in memory. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_path_contacts(toi_rigid_scene *scene, const toi_rigid_path *path,
                                                              const toi_options *options,
                                                              toi_rigid_contact_visitor visit, void *user);

/* --- safe steps and distances --- */

/* A safe step. */
typedef struct toi_rigid_advance {
  double step; /* fraction of the motion, in [0, t_max]; 0 only if two bodies touch at the start, or are near */
  toi_rigid_impact first; /* the first contact of the whole step; a miss if there is none */
  uint32_t tries;         /* rounded poses that were tried */
  uint32_t reserved[7];
} toi_rigid_advance;

/* The largest safe step. poses[i] receives the pose of body i at its end, rounded to doubles, with the quaternion not
 * normalised and on the shorter way from start to end. Proved: the motion from the starts to exactly these poses, by
 * the law of each body, touches nothing (or stays farther apart than the separation), including its end. The step is at
 * least 0.99 of the first contact's time, unless rounding alone makes it shorter. On failure the poses are those of the
 * start, if they were written at all. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_advance(toi_rigid_scene *scene, const toi_moving_body *bodies,
                                                        size_t count, const toi_options *options, toi_pose *poses,
                                                        toi_rigid_advance *advance);

/* How close bodies come. */
typedef struct toi_rigid_clearance {
  double lo, hi;            /* the least distance over the step is in [lo, hi]; hi is infinite: not within `most` */
  toi_rigid_impact closest; /* the first time at which something is within hi, and what; a miss if hi is infinite */
  uint32_t tries;           /* distances that were tried */
  uint32_t reserved[7];
} toi_rigid_clearance;

/* The least Euclidean distance of any two bodies that may collide, over the whole step: proved never to be less than
 * lo, and proved to be at most hi. Distances beyond `most`, which is positive, are not searched: then lo is `most`.
 * The bracket is narrowed until hi - lo <= tolerance * hi (options, 1e-6); it stays wider where neither can be proved.
 * 0, 0 if something touches. min_separation must be 0, and the method certified. On failure lo is 0, hi infinite and
 * the impact the safe answer. */
TOI_API TOI_MUST_USE toi_status toi_rigid_scene_clearance(toi_rigid_scene *scene, const toi_moving_body *bodies,
                                                          size_t count, double most, const toi_options *options,
                                                          toi_rigid_clearance *clearance);

#ifdef __cplusplus
}
#endif

#endif
