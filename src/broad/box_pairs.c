/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_box_pairs: boxes of the caller's own through the broad phases.
 *
 * A box is a vertex that goes from one corner to the opposite one: its swept box over the whole step is the box, bit by
 * bit (boxes.c: at t_max = 1 the ends are coordinates). */

#include <math.h>

#include "broad/broad.h"

#define BOX_GRAIN 16384

typedef struct box_job {
  const double (*boxes)[6];
} box_job;

/* The axis on which a box is none; 3 if it is one. */
static int fault_of(const double box[6]) {
  for (int axis = 0; axis < 3; axis++)
    if (!(box[axis] <= box[3 + axis]) || isinf(box[axis]) || isinf(box[3 + axis]))
      return axis;
  return 3;
}

static toi_status check_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const box_job *job = user;
  for (size_t i = begin; i < end; i++)
    if (fault_of(job->boxes[i]) < 3)
      return TOI_ERROR_INPUT;
  return TOI_OK;
}

/* Names the first box that is none. */
static toi_status check_boxes(toi_context *context, const double (*boxes)[6], size_t count) {
  if (count >= UINT32_MAX)
    return toi_fail(context, TOI_ERROR_INPUT, "%zu boxes; at most 2^32 - 2 are possible", count);
  if (!boxes && count > 0)
    return toi_fail(context, TOI_ERROR_INPUT, "boxes is NULL, but its count is %zu; give the array", count);
  box_job job = {boxes};
  const toi_status status = toi_parallel(context, count, BOX_GRAIN, check_task, &job);
  for (size_t i = 0; status != TOI_OK && i < count; i++) {
    const int axis = fault_of(boxes[i]);
    if (axis < 3)
      return toi_fail(context, TOI_ERROR_INPUT, "box %zu: %c runs from %g to %g; give finite numbers, lo <= hi", i,
                      'x' + axis, boxes[i][axis], boxes[i][3 + axis]);
  }
  return status;
}

/* The caller's visitor, which knows no kinds. */
typedef struct box_visits {
  toi_box_visitor visit;
  void *user;
} box_visits;

static toi_status visit_boxes(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  const box_visits *visits = user;
  (void)kind;
  return visits->visit(visits->user, pairs, count);
}

static toi_status join_boxes(toi_context *context, const double (*boxes)[6], size_t count, toi_mesh_options *options,
                             box_visits *visits) {
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = boxes,
                         .end = count > 0 ? boxes[0] + 3 : NULL,
                         .stride = sizeof *boxes,
                         .vertex_count = count};
  // Filters of primitives do not apply.
  options->may_collide = NULL;
  const toi_broad_question question = {.mesh = &mesh,
                                       .options = options,
                                       .t_max = 1,
                                       .kinds = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .every = 1u << TOI_JOIN_VERTEX_VERTEX,
                                       .done_share = 1,
                                       .first_end = UINT32_MAX};
  return toi_broad_visit(context, &question, visit_boxes, visits);
}

static TOI_APART toi_status box_pairs(toi_context *context, const double (*boxes)[6], size_t count,
                                      const toi_mesh_options *given, box_visits *visits) {
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_mesh_request request = {.done_share = 1};
  toi_status status = toi_check_entered_once(context);
  if (status == TOI_OK)
    status = toi_mesh_options_take(context, given, &request.on_mesh);
  if (status == TOI_OK && !visits->visit)
    status = toi_fail(context, TOI_ERROR_INPUT, "visit is NULL; give a function that takes the pairs");
  if (status == TOI_OK)
    status = check_boxes(context, boxes, count);
  if (status == TOI_OK)
    status = join_boxes(context, boxes, count, &request.on_mesh, visits);
  return toi_mesh_request_end(&request, status);
}

toi_status toi_box_pairs(toi_context *context, const double (*boxes)[6], size_t count, const toi_mesh_options *options,
                         toi_box_visitor visit, void *user) {
  box_visits visits = {visit, user};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = box_pairs(context, boxes, count, options, &visits);
  toi_call_end(&call);
  return status;
}
