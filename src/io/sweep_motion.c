/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions of a scene of rigid bodies: poses of all bodies at the times where a path has a waypoint.
 *
 * Bound of chain_error. In unit time of a piece, let a point of a frame be at most r from its origin, with speed s and
 * acceleration c. In the parent's frame, where the frame's origin is at most l away and moves straight with speed v,
 * and turns with angular speed w and acceleration e,
 *
 *   r' = l + r,   s' = v + w r + s,   c' = (w^2 + e) r + 2 w s + c.
 *
 * Up the chain this bounds the acceleration of a point of the body on its way; by nlerp between the poses it is at most
 * (w^2 + e) r. Two paths with the same ends and accelerations of at most c and c' are no farther apart than (c + c')
 * / 8. Speeds: with n0 = |q0|^2, d = q0 . q1, n1 = |q1|^2, |q|^2 is a mean of the three; w = 2 |q0 ^ q1| / min, e = w 2
 * max(|d
 * - n0|, |n1 - d|) / min. At a constant rate w is the angle, which is smaller, as 2 tan x >= 2 x, and e is 0; the
 * origin of a screw has speed pi / 2 v and acceleration pi / 2 v w (broad/swept_table.h). Rounding is covered by a
 * factor of 1 + 2^-20. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "broad/swept_table.h"
#include "io/sweep_scene.h"
#include "scene/rigid_pose.h"

#define ROUNDED_UP (1 + 0x1p-20)
#define HALF_PI 1.5707963267948968 /* rounded up */
/* A joint at a constant rate turns by no more than this in a piece, in radians. */
#define MOST_TURN 2.5
#define MOST_PARTS 100000

/* --- poses --- */

static void turn(const double q[4], const double v[3], double out[3]) {
  const double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  double inner[3];
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    inner[i] = q[y + 1] * v[z] - q[z + 1] * v[y] + q[0] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = v[i] + 2 * (q[y + 1] * inner[z] - q[z + 1] * inner[y]) / n;
  }
}

static toi_pose composed(const toi_pose *parent, const toi_pose *local) {
  toi_pose pose;
  const double *p = parent->quaternion, *q = local->quaternion;
  turn(p, local->position, pose.position);
  for (int i = 0; i < 3; i++)
    pose.position[i] += parent->position[i];
  pose.quaternion[0] = p[0] * q[0] - (p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    pose.quaternion[i + 1] = p[0] * q[i + 1] + p[i + 1] * q[0] + (p[y + 1] * q[z + 1] - p[z + 1] * q[y + 1]);
  }
  return pose;
}

toi_pose toi_sweep_joint_pose(const toi_sweep_body *body, double value) {
  toi_pose pose = {.quaternion = {1, 0, 0, 0}};
  const bool slides = body->joint != TOI_SWEEP_REVOLUTE, turns = body->joint != TOI_SWEEP_PRISMATIC;
  const double along = !slides ? 0 : body->joint == TOI_SWEEP_SCREW ? body->pitch * value : value;
  for (int i = 0; i < 3; i++)
    pose.position[i] = body->origin[i] + along * body->axis[i];
  if (turns && value != 0) {
    pose.quaternion[0] = cos(value / 2);
    for (int i = 0; i < 3; i++)
      pose.quaternion[i + 1] = sin(value / 2) * body->axis[i];
  }
  return pose;
}

static double dot4(const double a[4], const double b[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

/* The motion of a path between two of its waypoints. */
static toi_moving_body piece_of(const toi_sweep_body *body, size_t i) {
  toi_moving_body piece;
  toi_moving_body_init(&piece, sizeof piece);
  piece.start = body->poses[i];
  piece.end = body->poses[i + 1];
  piece.law = body->law;
  toi_shorter_way(&piece);
  return piece;
}

/* Where the path is at a time; before and after it, at its ends. At a constant rate the value of a joint is linear. */
static toi_pose local_pose(const toi_sweep_body *body, double t) {
  size_t i = 0;
  while (i + 1 < body->count && body->times[i + 1] <= t)
    i++;
  if (i + 1 == body->count || t <= body->times[i])
    return body->poses[i];
  const double s = (t - body->times[i]) / (body->times[i + 1] - body->times[i]);
  if (body->joint != TOI_SWEEP_NONE && body->law == TOI_LAW_SLERP)
    return toi_sweep_joint_pose(body, (1 - s) * body->values[i] + s * body->values[i + 1]);
  const toi_moving_body piece = piece_of(body, i);
  return toi_rigid_pose_at(&piece, s);
}

/* Poses of all bodies from their local ones. */
static void compose_all(const toi_sweep_store *store, size_t count, const toi_pose *local, toi_pose *world) {
  for (size_t i = 0; i < count; i++) {
    const size_t body = store->order[i], parent = store->bodies[body].parent;
    world[body] = parent == TOI_SWEEP_ROOT ? local[body] : composed(&world[parent], &local[body]);
  }
}

/* --- how far a divided chain is from the chain --- */

typedef struct speeds {
  double turn, change, move, away; /* w, e, v, l */
} speeds;

static double length3(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static speeds speeds_of(const toi_pose *a, const toi_pose *b) {
  const double *p = a->quaternion, *q = b->quaternion;
  double wedge = 0, way[3];
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      const double minor = p[i] * q[j] - p[j] * q[i];
      wedge += minor * minor;
    }
  for (int i = 0; i < 3; i++)
    way[i] = b->position[i] - a->position[i];
  const double n0 = dot4(p, p), n1 = dot4(q, q), d = fabs(dot4(p, q)), least = fmin(d, fmin(n0, n1));
  speeds of = {.move = length3(way), .away = fmax(length3(a->position), length3(b->position))};
  of.turn = 2 * sqrt(wedge) / least;
  of.change = of.turn * 2 * fmax(fabs(d - n0), fabs(n1 - d)) / least;
  return of;
}

static double chain_error(const toi_sweep_store *store, size_t body, const toi_pose *const local[2],
                          const toi_pose *const world[2]) {
  const speeds own = speeds_of(&world[0][body], &world[1][body]);
  const double cut = (own.turn * own.turn + own.change) * store->bodies[body].reach;
  double r = store->bodies[body].reach, s = 0, c = 0;
  for (size_t at = body; at != TOI_SWEEP_ROOT; at = store->bodies[at].parent) {
    speeds of = speeds_of(&local[0][at], &local[1][at]);
    const double curve = store->bodies[at].law == TOI_LAW_SCREW ? HALF_PI * of.move * of.turn : 0;
    of.move *= store->bodies[at].law == TOI_LAW_SCREW ? HALF_PI : 1;
    of.away += curve / 8;
    c += (of.turn * of.turn + of.change) * r + 2 * of.turn * s + curve;
    s += of.move + of.turn * r;
    r += of.away;
  }
  return (c + cut) / 8 * ROUNDED_UP;
}

static bool is_zero(const double v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static bool same_quaternion(const toi_pose *const poses[2], size_t body) {
  return memcmp(poses[0][body].quaternion, poses[1][body].quaternion, sizeof(double[4])) == 0;
}

static bool same_position(const toi_pose *const poses[2], size_t body) {
  return memcmp(poses[0][body].position, poses[1][body].position, sizeof(double[3])) == 0;
}

/* Whether the law between the poses is not what the chain does: its parent turns, and it is more than carried about the
 * parent's origin; or its parent moves, and it is on a screw; or its parent does not follow its own law. */
static bool bends(const toi_sweep_store *store, size_t body, const toi_pose *const local[2],
                  const toi_pose *const world[2]) {
  const size_t parent = store->bodies[body].parent;
  if (parent == TOI_SWEEP_ROOT)
    return false;
  const bool turns = !same_quaternion(world, parent), own = !same_quaternion(local, body);
  const bool carried = is_zero(local[0][body].position) && is_zero(local[1][body].position) && !own;
  const bool screws = own && store->bodies[body].law == TOI_LAW_SCREW && !same_position(world, parent);
  return (turns && !carried) || screws || bends(store, parent, local, world);
}

/* The law of a body that does not bend: its own, or that of what carries it; of what moves straight, nlerp. */
static toi_law law_of(const toi_sweep_store *store, size_t body, const toi_pose *const local[2]) {
  while (same_quaternion(local, body) && store->bodies[body].parent != TOI_SWEEP_ROOT)
    body = store->bodies[body].parent;
  return same_quaternion(local, body) ? TOI_LAW_NLERP : store->bodies[body].law;
}

/* --- the scene --- */

typedef struct mover {
  const toi_tree *tree;
  toi_sweep_store *store;
  toi_sweep_scene *scene;
  toi_pose *local[2], *world[2]; /* at both ends of a piece */
} mover;

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* In order, and duplicates out: paths are in order already, so that little moves. */
static size_t sort_times(double *times, size_t count) {
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0 && by_time(&times[k - 1], &times[k]) > 0; k--) {
      const double held = times[k];
      times[k] = times[k - 1];
      times[k - 1] = held;
    }
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || times[i] != times[kept - 1])
      times[kept++] = times[i];
  return kept;
}

static void poses_at(const mover *m, double t, toi_pose *local, toi_pose *world) {
  for (size_t i = 0; i < m->scene->count; i++)
    local[i] = local_pose(&m->store->bodies[i], t);
  compose_all(m->store, m->scene->count, local, world);
}

/* Whether a body's nlerp between two times is not what its chain does; which one. */
static size_t bending(const mover *m, double from, double to) {
  const toi_pose *local[2] = {m->local[0], m->local[1]}, *world[2] = {m->world[0], m->world[1]};
  poses_at(m, from, m->local[0], m->world[0]);
  poses_at(m, to, m->local[1], m->world[1]);
  for (size_t i = 0; i < m->scene->count; i++)
    if (bends(m->store, i, local, world))
      return i;
  return SIZE_MAX;
}

/* Into how many parts a joint's way to the next waypoint is divided: its poses are less than half a turn apart. */
static size_t parts_of(const toi_sweep_body *body, size_t i) {
  if (body->joint == TOI_SWEEP_NONE || body->joint == TOI_SWEEP_PRISMATIC || i + 1 >= body->count)
    return 1;
  const double parts = ceil(fabs(body->values[i + 1] - body->values[i]) / MOST_TURN);
  return body->law != TOI_LAW_SLERP || parts < 2 ? 1 : parts < MOST_PARTS ? (size_t)parts : MOST_PARTS;
}

/* All times of waypoints, and between those of joints that turn far. */
static size_t path_times(const toi_sweep_body *body, double *times) {
  size_t count = 0;
  for (size_t i = 0; i < body->count && body->times != NULL; i++) {
    const size_t parts = parts_of(body, i);
    for (size_t k = 0; k < parts; k++, count++) {
      const double s = (double)k / (double)parts;
      if (times != NULL)
        times[count] = k == 0 ? body->times[i] : (1 - s) * body->times[i] + s * body->times[i + 1];
    }
  }
  return count;
}

/* All times at which something changes, and those that divide pieces in which a chain bends. */
static toi_status find_times(const mover *m, double **times, size_t *count) {
  toi_context *context = m->tree->context;
  size_t all = 0;
  for (size_t i = 0; i < m->scene->count; i++)
    all += path_times(&m->store->bodies[i], NULL);
  double *first = toi_sweep_keep(context, m->store, all + 1, sizeof *first);
  if (first == NULL)
    return TOI_ERROR_MEMORY;
  all = 0;
  for (size_t i = 0; i < m->scene->count; i++)
    all += path_times(&m->store->bodies[i], first + all);
  const size_t kept = sort_times(first, all), parts = m->store->chain_pieces;
  *times = toi_sweep_keep(context, m->store, (kept + 1) * (parts == 0 ? 1 : parts), sizeof **times);
  if (*times == NULL)
    return TOI_ERROR_MEMORY;
  *count = 0;
  for (size_t k = 0; k < kept; k++) {
    const size_t bent = k + 1 < kept ? bending(m, first[k], first[k + 1]) : SIZE_MAX;
    if (bent != SIZE_MAX && parts == 0)
      return toi_tree_fail(m->tree, m->store->bodies[bent].node,
                           "its parent turns between t = %.17g and %.17g, so its path is not an nlerp motion; give the "
                           "scene \"chain_pieces\": N, to follow it through N poses in each piece of time",
                           first[k], first[k + 1]);
    (*times)[(*count)++] = first[k];
    for (size_t i = 1; bent != SIZE_MAX && i < parts; i++) {
      const double s = (double)i / (double)parts, t = (1 - s) * first[k] + s * first[k + 1];
      if (t > (*times)[*count - 1] && t < first[k + 1])
        (*times)[(*count)++] = t;
    }
  }
  return TOI_OK;
}

/* One pose at every time for bodies that do not move: both ends of a motion are the same bits then. */
static void make_motion(const toi_pose *from, const toi_pose *to, toi_law law, toi_moving_body *motion) {
  toi_moving_body_init(motion, sizeof *motion);
  motion->law = law;
  motion->start = *from;
  motion->end = *to;
}

toi_status toi_sweep_move(const toi_tree *tree, toi_sweep_store *store, toi_sweep_scene *scene) {
  mover m = {tree, store, scene, {NULL, NULL}, {NULL, NULL}};
  toi_context *context = tree->context;
  double *times;
  size_t count;
  for (int i = 0; i < 2; i++) {
    m.local[i] = toi_sweep_keep(context, store, scene->count, sizeof *m.local[i]);
    m.world[i] = toi_sweep_keep(context, store, scene->count, sizeof *m.world[i]);
    if (m.local[i] == NULL || m.world[i] == NULL)
      return TOI_ERROR_MEMORY;
  }
  const toi_status status = find_times(&m, &times, &count);
  if (status != TOI_OK)
    return status;
  if (count < 2)
    return toi_tree_fail(tree, tree->root,
                         "nothing moves: give a body a path, or a joint with a path, of at least two waypoints");
  toi_moving_body *motions = toi_sweep_keep(context, store, (count - 1) * scene->count, sizeof *motions);
  if (motions == NULL)
    return TOI_ERROR_MEMORY;
  const toi_pose *local[2] = {m.local[0], m.local[1]}, *world[2] = {m.world[0], m.world[1]};
  for (size_t k = 0; k + 1 < count; k++) {
    poses_at(&m, times[k], m.local[0], m.world[0]);
    poses_at(&m, times[k + 1], m.local[1], m.world[1]);
    for (size_t i = 0; i < scene->count; i++) {
      const bool bent = bends(store, i, local, world);
      make_motion(&m.world[0][i], &m.world[1][i], bent ? TOI_LAW_NLERP : law_of(store, i, local),
                  &motions[k * scene->count + i]);
      if (bent)
        scene->chain_error = fmax(scene->chain_error, chain_error(store, i, local, world));
    }
  }
  scene->times = times;
  scene->piece_count = count - 1;
  scene->motions = motions;
  return TOI_OK;
}

/* --- one joint alone --- */

/* What was carried along, and not by nlerp. */
static toi_status check_carried(toi_context *context, const toi_sweep_scene *scene, const toi_pose *const local[2],
                                const toi_pose *const world[2]) {
  const toi_sweep_store *store = scene->owned;
  for (size_t i = 0; i < scene->count && store->chain_pieces == 0; i++)
    if (bends(store, i, local, world))
      return toi_fail(
          context, TOI_ERROR_INPUT,
          "body '%s' is carried along on a path that is not an nlerp motion; give the scene \"chain_pieces\": N, "
          "to follow it through N poses",
          scene->names[i]);
  return TOI_OK;
}

static toi_status move_joint(toi_context *context, const toi_sweep_scene *scene, size_t body, const double range[2],
                             size_t pieces, toi_moving_body *motions) {
  const toi_sweep_store *store = scene->owned;
  const size_t count = scene->count, bytes = 4 * count * sizeof(toi_pose);
  toi_pose *room = toi_allocate(context, bytes);
  toi_status status = room == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  for (size_t k = 0; k <= pieces && status == TOI_OK; k++) {
    const double s = (double)k / (double)pieces;
    toi_pose *local = room + (k % 2) * count, *world = room + (2 + k % 2) * count;
    for (size_t i = 0; i < count; i++)
      local[i] = local_pose(&store->bodies[i], scene->times[0]);
    local[body] = toi_sweep_joint_pose(&store->bodies[body], (1 - s) * range[0] + s * range[1]);
    compose_all(store, count, local, world);
    const toi_pose *locals[2] = {room, room + count}, *worlds[2] = {room + 2 * count, room + 3 * count};
    if (k > 0)
      status = check_carried(context, scene, locals, worlds);
    for (size_t i = 0; i < count && k > 0; i++)
      make_motion(&worlds[(k - 1) % 2][i], &world[i], TOI_LAW_NLERP, &motions[(k - 1) * count + i]);
  }
  if (room != NULL)
    toi_free(context, room, bytes);
  return status;
}

static TOI_APART toi_status ask_joint(toi_context *context, const toi_sweep_scene *scene, size_t body,
                                      const double range[2], size_t pieces, toi_moving_body *motions, double limits[2],
                                      double *start) {
  if (scene == NULL || scene->owned == NULL || body >= scene->count)
    return toi_fail(context, TOI_ERROR_INPUT, "there is no such body in the scene");
  const toi_sweep_body *of = &((const toi_sweep_store *)scene->owned)->bodies[body];
  if (of->joint == TOI_SWEEP_NONE)
    return toi_fail(context, TOI_ERROR_INPUT, "body '%s' has no joint", scene->names[body]);
  if (limits != NULL)
    memcpy(limits, of->limits, sizeof of->limits);
  if (start != NULL)
    *start = of->values[0];
  if (pieces == 0)
    return TOI_OK;
  if (range == NULL || motions == NULL || !isfinite(range[0]) || !isfinite(range[1]))
    return toi_fail(context, TOI_ERROR_INPUT, "the joint of '%s' needs two finite values and room for its motions",
                    scene->names[body]);
  if (of->joint != TOI_SWEEP_PRISMATIC && fabs(range[1] - range[0]) / (double)pieces > 3.14)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "the joint of '%s' turns by half a circle or more in a piece; ask for more", scene->names[body]);
  return move_joint(context, scene, body, range, pieces, motions);
}

toi_status toi_sweep_scene_joint(toi_context *context, const toi_sweep_scene *scene, size_t body, const double range[2],
                                 size_t pieces, toi_moving_body *motions, double limits[2], double *start) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(context, ask_joint(context, scene, body, range, pieces, motions, limits, start));
}
