/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The calls on whole meshes, for requests that were taken: from a mesh of the caller's, or of a scene that is kept. The
 * answer holds the safe value before each of them; what a failed request did to its work is left to
 * toi_mesh_request_end(). */

#ifndef TOI_SCENE_REQUESTS_H
#define TOI_SCENE_REQUESTS_H

#include <toi/scene.h>

#include "broad/broad.h"

toi_status toi_step_of_request(toi_context *context, const toi_mesh_request *request, toi_impact *impact);
toi_status toi_collisions_of_request(toi_context *context, const toi_mesh_request *request,
                                     toi_collisions_visitor visit, void *user);
toi_status toi_proximity_of_request(toi_context *context, const toi_mesh_request *request, double distance,
                                    toi_proximity_visitor visit, void *user);
toi_status toi_line_search_of_request(toi_context *context, const toi_mesh_request *request, void *positions,
                                      toi_advance *advance);
toi_status toi_intersects_of_request(toi_context *context, const toi_mesh_request *request,
                                     toi_intersection *intersection);
toi_status toi_crossings_of_request(toi_context *context, const toi_mesh_request *request, toi_crossings_visitor visit,
                                    void *user);

/* What is asked about stencils; read from memory: see toi_float_mode_enter(). */
typedef struct toi_stencil_question {
  double distance;
  const toi_stencil_options *options; /* the caller's; NULL: the defaults */
  toi_stencil_visitor visit;
  void *user;
} toi_stencil_question;
toi_status toi_stencils_of_request(toi_context *context, const toi_mesh_request *request,
                                   const toi_stencil_question *question);

/* What toi_safe_displacements() is asked. */
typedef struct toi_safe_question {
  double min_distance, radius;
  double *displacements;
} toi_safe_question;

toi_status toi_safe_displacements_of_request(toi_context *context, const toi_mesh_request *request,
                                             const toi_safe_question *asked);

/* The safe answers. */
toi_impact toi_impact_unknown(void);
toi_advance toi_advance_none(void);
toi_intersection toi_intersection_unknown(void);

#endif
