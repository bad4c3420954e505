/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A call on a whole mesh as the caller put it, taken into today's layouts. */

#include <string.h>

#include "broad/broad.h"
#include "narrow/mesh.h"
#include "narrow/method.h"

#define LAYOUT TOI_LAYOUT(toi_mesh_options, kinds)

static const toi_mesh_options defaults = {.size = sizeof(toi_mesh_options)};

void toi_mesh_options_init(toi_mesh_options *options, size_t size) {
  toi_init_struct(LAYOUT, &defaults, options, size);
}

toi_status toi_mesh_options_take(toi_context *context, const toi_mesh_options *given, toi_mesh_options *taken) {
  *taken = defaults;
  const toi_status status = given ? toi_take_options(context, LAYOUT, given, taken) : TOI_OK;
  if (status == TOI_OK && taken->work != NULL)
    memset(taken->work, 0, sizeof *taken->work);
  return status;
}

/* The kinds that the caller's bits stand for. */
static toi_status take_kinds(toi_context *context, toi_mesh_request *request) {
  const uint32_t given = request->on_mesh.kinds;
  const uint32_t known = TOI_ALL_KINDS | TOI_KINDS_EDGE_FACE | TOI_KINDS_FACE_FACE | TOI_KINDS_EVERY_VERTEX_EDGE |
                         TOI_KINDS_VERTEX_HALF_SPACE;
  if ((given & ~known) != 0)
    return toi_fail(context, TOI_ERROR_OPTION, "kinds is %#x; it must have bits of toi_kinds only", (unsigned)given);
  request->every = (given & TOI_KINDS_EVERY_VERTEX_EDGE) != 0 ? 1u << TOI_JOIN_VERTEX_EDGE : 0;
  request->kinds = given == 0 ? TOI_ALL_KINDS | TOI_HALF_SPACES : (given & TOI_ALL_KINDS) | request->every;
  if ((given & TOI_KINDS_EDGE_FACE) != 0)
    request->kinds |= 1u << TOI_JOIN_EDGE_FACE;
  if ((given & TOI_KINDS_FACE_FACE) != 0)
    request->kinds |= 1u << TOI_JOIN_FACE_FACE;
  if ((given & TOI_KINDS_VERTEX_HALF_SPACE) != 0)
    request->kinds |= TOI_HALF_SPACES;
  return TOI_OK;
}

toi_status toi_mesh_request_take(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                 toi_mesh_request *request) {
  *request = (toi_mesh_request){.on_mesh = defaults, .done_share = 1};
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_status status = toi_check_entered_once(context);
  if (status != TOI_OK)
    return status;
  status = toi_options_take(context, options, &request->options);
  if (status == TOI_OK)
    status = toi_mesh_options_take(context, request->options.on_mesh, &request->on_mesh);
  if (status == TOI_OK)
    status = toi_options_check(context, &request->options);
  if (status == TOI_OK)
    status = take_kinds(context, request);
  if (status == TOI_OK)
    status = toi_mesh_take(context, mesh, &request->mesh);
  if (request->mesh.half_space_count == 0)
    request->kinds &= ~TOI_HALF_SPACES;
  return status;
}

toi_status toi_mesh_request_valid(toi_context *context, const toi_mesh_request *request, bool need_end) {
  return request->scene ? toi_mesh_states_valid(context, &request->mesh, need_end)
                        : toi_mesh_valid(context, &request->mesh, need_end);
}

toi_status toi_mesh_request_end(const toi_mesh_request *request, toi_status status) {
  if (status != TOI_OK && request->on_mesh.work != NULL)
    memset(request->on_mesh.work, 0, sizeof *request->on_mesh.work);
  return status;
}
