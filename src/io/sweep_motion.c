/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions of a scene of rigid bodies: poses of all bodies at the times where a path has a waypoint.
 *
 * Where a body moves in the frame of a parent that turns, no law between its own poses is what it does. It follows a
 * motion then: what it does in its parent's frame, then what that does in the frame of its own, and so on, each by its
 * own law between its local poses, rounded to doubles at the times of the scene. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "broad/swept_table.h"
#include "io/sweep_scene.h"
#include "motion/motion.h"
#include "scene/rigid_pose.h"

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

/* --- chains --- */

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
  toi_sweep_poses(m->store, m->scene->count, t, local);
  toi_sweep_compose(m->store, m->scene->count, local, world);
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

/* All times at which something changes. */
static toi_status find_times(const mover *m, double **times, size_t *count) {
  toi_sweep_store *store = m->store;
  const size_t own = store->has_time ? 2 : 0;
  size_t all = own;
  for (size_t i = 0; i < m->scene->count; i++)
    all += path_times(&store->bodies[i], NULL);
  *times = toi_sweep_keep(m->tree->context, store, all + 1, sizeof **times);
  if (*times == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(*times, store->time, own * sizeof **times);
  all = own;
  for (size_t i = 0; i < m->scene->count; i++)
    all += path_times(&store->bodies[i], *times + all);
  *count = sort_times(*times, all);
  return TOI_OK;
}

/* One pose at every time for bodies that do not move: both ends of a motion are the same bits then. */
static void make_motion(const toi_pose *from, const toi_pose *to, toi_law law, toi_moving_body *motion) {
  toi_moving_body_init(motion, sizeof *motion);
  motion->law = law;
  motion->start = *from;
  motion->end = *to;
}

static bool is_identity(const toi_pose *pose) {
  const double *q = pose->quaternion;
  return is_zero(pose->position) && q[0] != 0 && q[1] == 0 && q[2] == 0 && q[3] == 0;
}

static bool rests(const toi_pose *const poses[2], size_t body) {
  return same_position(poses, body) && same_quaternion(poses, body);
}

/* The steps of a body's chain: its own, then those of its parents. */
static toi_status fill_chain(const toi_sweep_store *store, size_t body, const toi_pose *const local[2],
                             toi_motion *motion) {
  toi_status status = TOI_OK;
  for (size_t at = body; at != TOI_SWEEP_ROOT && status == TOI_OK; at = store->bodies[at].parent) {
    toi_moving_body link;
    if (rests(local, at) && is_identity(&local[0][at]))
      continue;
    make_motion(&local[0][at], &local[1][at], rests(local, at) ? TOI_LAW_NLERP : store->bodies[at].law, &link);
    status = toi_motion_poses(motion, &link);
  }
  return status;
}

void toi_sweep_chains_free(toi_context *context, toi_sweep_chain **list) {
  for (toi_sweep_chain *chain = *list, *next; chain != NULL; chain = next) {
    next = chain->next;
    toi_motion_destroy(chain->motion);
    toi_free(context, chain, sizeof *chain);
  }
  *list = NULL;
}

/* A motion, kept in a list. */
static toi_status new_chain(toi_context *context, toi_sweep_chain **list, toi_motion **motion) {
  toi_sweep_chain *chain = toi_allocate(context, sizeof *chain);
  if (chain == NULL)
    return TOI_ERROR_MEMORY;
  const toi_status status = toi_motion_create(context, motion);
  if (status != TOI_OK) {
    toi_free(context, chain, sizeof *chain);
    return status;
  }
  *chain = (toi_sweep_chain){*list, *motion};
  *list = chain;
  return TOI_OK;
}

toi_status toi_sweep_piece(const toi_sweep_piece_question *ask, toi_moving_body *motions) {
  const toi_sweep_store *store = ask->store;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < ask->count && status == TOI_OK; i++) {
    const bool bent = bends(store, i, ask->local, ask->world);
    make_motion(&ask->world[0][i], &ask->world[1][i], bent ? TOI_LAW_MOTION : law_of(store, i, ask->local),
                &motions[i]);
    if (!bent)
      continue;
    toi_motion *motion;
    status = new_chain(ask->context, ask->chains, &motion);
    if (status == TOI_OK)
      status = fill_chain(store, i, ask->local, motion);
    motions[i].motion = status == TOI_OK ? motion : NULL;
  }
  return status;
}

/* Of bodies that are given a motion in the scene's own time. */
static void follow_given(const mover *m, const double *times, toi_moving_body *motions) {
  for (size_t i = 0; i < m->scene->count; i++)
    if (m->store->bodies[i].motion != NULL) {
      motions[i].law = TOI_LAW_MOTION;
      motions[i].motion = m->store->bodies[i].motion;
      motions[i].motion_from = times[0];
      motions[i].motion_to = times[1];
      motions[i].start = toi_rigid_pose_at(&motions[i], 0);
      motions[i].end = toi_rigid_pose_at(&motions[i], 1);
    }
}

/* Given motions are defined over all times. */
static toi_status check_given(const mover *m, toi_interval times) {
  for (size_t i = 0; i < m->scene->count; i++) {
    const toi_sweep_body *body = &m->store->bodies[i];
    const toi_status status =
        body->motion == NULL ? TOI_OK : toi_motion_check_over(m->tree->context, body->motion, times, "the motion");
    if (status != TOI_OK)
      return toi_tree_fail_made(m->tree, body->motion_node, status);
  }
  return TOI_OK;
}

static toi_status move_all(const mover *m, const double *times, size_t pieces, toi_moving_body *motions) {
  const toi_sweep_piece_question ask = {
      m->tree->context,           m->store,         m->scene->count, {m->local[0], m->local[1]},
      {m->world[0], m->world[1]}, &m->store->chains};
  toi_status status = TOI_OK;
  for (size_t k = 0; k < pieces && status == TOI_OK; k++) {
    poses_at(m, times[k], m->local[0], m->world[0]);
    poses_at(m, times[k + 1], m->local[1], m->world[1]);
    status = toi_sweep_piece(&ask, motions + k * m->scene->count);
    if (status == TOI_OK)
      follow_given(m, times + k, motions + k * m->scene->count);
  }
  return status;
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
  toi_status status = find_times(&m, &times, &count);
  if (status != TOI_OK)
    return status;
  if (count < 2)
    return toi_tree_fail(tree, tree->root,
                         "nothing moves: give a body a path, or a joint with a path, of at least two waypoints; or a "
                         "motion, and the scene its \"time\": [from, to]");
  status = check_given(&m, (toi_interval){times[0], times[count - 1]});
  if (status != TOI_OK)
    return status;
  toi_moving_body *motions = toi_sweep_keep(context, store, (count - 1) * scene->count, sizeof *motions);
  if (motions == NULL)
    return TOI_ERROR_MEMORY;
  scene->times = times;
  scene->piece_count = count - 1;
  scene->motions = motions;
  return move_all(&m, times, count - 1, motions);
}

void toi_sweep_poses(const toi_sweep_store *store, size_t count, double t, toi_pose *local) {
  for (size_t i = 0; i < count; i++)
    local[i] = local_pose(&store->bodies[i], t);
}

void toi_sweep_compose(const toi_sweep_store *store, size_t count, const toi_pose *local, toi_pose *world) {
  for (size_t i = 0; i < count; i++) {
    const size_t body = store->order[i], parent = store->bodies[body].parent;
    world[body] = parent == TOI_SWEEP_ROOT ? local[body] : composed(&world[parent], &local[body]);
  }
}
