/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One joint of a scene moves alone, and carries what is attached to it. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "io/sweep_scene.h"

/* A joint turns by less than half a circle in a piece. */
#define MOST_TURN 3.14

static toi_status move_joint(toi_context *context, const toi_sweep_scene *scene, size_t body, const double range[2],
                             size_t pieces, toi_moving_body *motions) {
  toi_sweep_store *store = scene->owned;
  const size_t count = scene->count, bytes = 4 * count * sizeof(toi_pose);
  toi_pose *room = toi_allocate(context, bytes);
  toi_status status = room == NULL ? TOI_ERROR_MEMORY : TOI_OK;
  toi_sweep_chains_free(context, &store->joint_chains);
  toi_sweep_piece_question ask = {.context = context, .store = store, .count = count, .chains = &store->joint_chains};
  for (size_t k = 0; k <= pieces && status == TOI_OK; k++) {
    const double s = (double)k / (double)pieces;
    toi_pose *local = room + (k % 2) * count, *world = room + (2 + k % 2) * count;
    toi_sweep_poses(store, count, scene->times[0], local);
    local[body] = toi_sweep_joint_pose(&store->bodies[body], (1 - s) * range[0] + s * range[1]);
    toi_sweep_compose(store, count, local, world);
    for (size_t end = 0; end < 2; end++) {
      const size_t row = (k + 1 + end) % 2;
      ask.local[end] = room + row * count;
      ask.world[end] = room + (2 + row) * count;
    }
    if (k > 0)
      status = toi_sweep_piece(&ask, &motions[(k - 1) * count]);
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
  if (of->joint != TOI_SWEEP_PRISMATIC && fabs(range[1] - range[0]) / (double)pieces > MOST_TURN)
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
