/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid bodies that turn: two primitives, each fixed to a body that moves and rotates. When do they first touch?
 *
 * A body has a frame of its own, in which its points stand still. A pose puts the frame into the world: point p is at
 * position + R p, R the rotation of the quaternion w, x, y, z. Quaternions need not be unit: lengths divide out, and no
 * digit of theirs is lost.
 *
 * From the start (t = 0) to the end (t = 1) the position moves on a straight line. The orientation follows a law:
 *
 *   nlerp   the quaternion (1 - t) q0 + t q1, divided by its length; q1 is negated first if q0 . q1 < 0, so that the
 *           body turns the shorter way. The stored doubles are the law, their lengths included: q0 and q1 of different
 *           length make a different motion between the same ends. It is rational in t, hence decided exactly.
 *
 * Promise: the answers are those of narrow.h (toi_hit), for every finite input of any magnitude: hit or miss, never
 * near; t_lo <= t* <= t_hi, at most 2^-48 apart; touching counts, so do t = 0 and t = t_max, points, segments and
 * triangles without area, motions that slide in one plane, and bodies that turn about a point of the other.
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

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct toi_pose {
  double position[3];
  double quaternion[4]; /* w, x, y, z; of any length but 0 */
} toi_pose;

/* How a body turns between its poses. */
typedef enum toi_law { TOI_LAW_NLERP = 0 } toi_law;

/* A body's motion over a step. */
typedef struct toi_moving_body {
  size_t size; /* sizeof(toi_moving_body); 0: the first layout */
  toi_pose start, end;
  toi_law law;
} toi_moving_body;

/* At rest at the origin: positions 0, quaternions 1, 0, 0, 0, nlerp; and the size. */
TOI_API void toi_moving_body_init(toi_moving_body *body, size_t size);

/* What queries between primitives of two bodies share: made once for the two, never changed. It costs about as much as
 * a few dozen queries. */
typedef struct toi_moving_pair toi_moving_pair;

/* On failure *pair is NULL. The bodies stay the caller's; the context must outlive the pair. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_create(toi_context *context, const toi_moving_body *first,
                                                       const toi_moving_body *second, toi_moving_pair **pair);
TOI_API void toi_moving_pair_destroy(toi_moving_pair *pair); /* NULL is ignored */

/* One query: toi_kind_points(kind) points, the first primitive's (a vertex, or the first edge) in the frame of the
 * first body, the second's in that of the second. For a face of the first body and a vertex of the second, make the
 * pair the other way round. u and v are those of narrow.h; point and normal are in world coordinates. Methods are
 * `certified` (the default) and `exact`; separations are not supported yet. On failure the hit is the safe answer:
 * near, from 0. Any number of threads may ask one pair at a time: it is only read. A query that takes exact arithmetic
 * takes memory from malloc meanwhile. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_query(const toi_moving_pair *pair, toi_kind kind,
                                                      const double (*points)[3], const toi_options *options,
                                                      toi_hit *hit);

/* Many queries of one kind, back to back: 3 * toi_kind_points(kind) doubles each. On the threads of the pair's context;
 * the answers are the same bits as those of single calls. On failure the context says which query, and every hit is the
 * safe answer. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_batch(const toi_moving_pair *pair, toi_kind kind, const double *queries,
                                                      size_t count, const toi_options *options, toi_hit *hits);

/* The same with the points of two meshes, meshes[0] of the first body and meshes[1] of the second, in their bodies'
 * frames: `start` holds the vertices, `end` is ignored. pairs[i].first is a vertex or an edge of meshes[0],
 * pairs[i].second a face, edge or vertex of meshes[1], as the kind says. */
TOI_API TOI_MUST_USE toi_status toi_moving_pair_batch_indexed(const toi_moving_pair *pair, toi_kind kind,
                                                              const toi_mesh *const meshes[2], const toi_pair *pairs,
                                                              size_t count, const toi_options *options, toi_hit *hits);

#ifdef __cplusplus
}
#endif

#endif
