/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What calls on scenes of rigid bodies share: motions and options, taken and checked. */

#include <stdio.h>
#include <string.h>

#include "broad/broad.h"
#include "narrow/method.h"
#include "scene/rigid_search.h"

/* Poses are compared as they are stored: a body that is fixed does not move at all. */
static bool rests(const toi_moving_body *body) {
  return body->law != TOI_LAW_MOTION && memcmp(&body->start, &body->end, sizeof body->start) == 0;
}

static toi_status take_bodies(toi_rigid_call *call, const toi_moving_body *given) {
  toi_context *context = call->context;
  const size_t stride = toi_moving_body_stride(given);
  for (size_t i = 0; i < call->scene->count; i++) {
    char name[48];
    toi_moving_body *body = &call->bodies[i];
    (void)snprintf(name, sizeof name, "body %zu: the moving", i);
    const void *at = (const char *)given + i * stride;
    toi_status status = toi_moving_body_take(context, name, at, body);
    if (status == TOI_OK && call->scene->parts[i].fixed && !rests(body))
      status =
          toi_fail(context, TOI_ERROR_INPUT,
                   "body %zu is fixed, but its start and end differ, or it follows a motion; give the same pose twice, "
                   "or add it as a body that moves",
                   i);
    if (status == TOI_OK)
      status = toi_moving_body_check_motion(context, name, body);
    const bool steady = status == TOI_OK && body->law != TOI_LAW_NLERP && !rests(body);
    if (steady && call->options.method != NULL && strcmp(call->options.method, "exact") == 0)
      status =
          toi_fail(context, TOI_ERROR_UNSUPPORTED,
                   "method 'exact' decides motions that are rational in time; body %zu turns at a constant rate: use "
                   "'certified'",
                   i);
    if (status != TOI_OK)
      return status;
    toi_shorter_way(body);
    toi_body_samples_make(body, &call->samples[i]);
  }
  return TOI_OK;
}

toi_status toi_rigid_call_begin(toi_rigid_call *call, toi_rigid_scene *scene, const toi_moving_body *bodies,
                                size_t count, const toi_options *options) {
  toi_context *context = scene->context;
  *call = (toi_rigid_call){.scene = scene, .context = context};
  toi_status status = toi_check_entered_once(context);
  if (status == TOI_OK)
    status = toi_options_take(context, options, &call->options);
  if (status == TOI_OK)
    status = toi_options_check(context, &call->options);
  if (status == TOI_OK)
    status = toi_rotating_check(context, &call->options);
  if (status == TOI_OK)
    status = toi_mesh_options_take(context, call->options.on_mesh, &call->on_mesh);
  if (status != TOI_OK)
    return status;
  if (count != scene->count)
    return toi_fail(context, TOI_ERROR_INPUT, "there are motions of %zu bodies, but the scene has %zu; give one each",
                    count, scene->count);
  if (count > 0 && bodies == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "bodies is NULL; give the motion of each body");
  if (count == 0)
    return TOI_OK;
  call->bodies = toi_allocate(context, count * sizeof *call->bodies);
  call->samples = toi_allocate(context, count * sizeof *call->samples);
  call->counters = toi_allocate(context, toi_context_threads(context) * sizeof *call->counters);
  if (call->bodies == NULL || call->samples == NULL || call->counters == NULL)
    return TOI_ERROR_MEMORY;
  memset(call->counters, 0, toi_context_threads(context) * sizeof *call->counters);
  return take_bodies(call, bodies);
}

static void add_up(toi_counters *sum, const toi_counters *own) {
  sum->queries += own->queries;
  for (int k = 0; k < TOI_COUNTERS; k++) {
    sum->verdicts[k] += own->verdicts[k];
    sum->levels[k] += own->levels[k];
  }
}

void toi_rigid_call_end(toi_rigid_call *call) {
  toi_context *context = call->context;
  const size_t count = call->scene->count, threads = toi_context_threads(context);
  toi_counters *total = call->options.counters;
  for (size_t i = 0; total != NULL && call->counters != NULL && i < threads; i++)
    add_up(total, &call->counters[i]);
  if (call->counters != NULL)
    toi_free(context, call->counters, threads * sizeof *call->counters);
  if (call->samples != NULL)
    toi_free(context, call->samples, count * sizeof *call->samples);
  if (call->bodies != NULL)
    toi_free(context, call->bodies, count * sizeof *call->bodies);
}
