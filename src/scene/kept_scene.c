/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes that are kept: made of a topology, asked about positions. Each call becomes the request that the call on a
 * mesh would be, with the scene's own connectivity, and takes the same way from there. */

#include "scene/kept_scene.h"

#include <string.h>

#include "narrow/mesh.h"
#include "scene/requests.h"

#define LAYOUT TOI_LAYOUT(toi_positions, vertex_count)

static const toi_positions defaults = {.size = sizeof(toi_positions)};

void toi_positions_init(toi_positions *positions, size_t size) {
  toi_init_struct(LAYOUT, &defaults, positions, size);
}

/* --- the scene --- */

static void free_scene(toi_scene *scene) {
  toi_context *context = scene->context;
  toi_near_pairs_end(&scene->near, scene->mesh.vertex_count);
  toi_edge_index_end(&scene->index);
  toi_free(context, scene->buffer.memory, scene->buffer.size);
  // Edges that were found are not the topology's.
  if (scene->found.pairs) {
    toi_mesh_edges_free(context, scene->found.pairs, scene->found.count);
    scene->mesh.edges = NULL;
    scene->mesh.edge_count = 0;
  }
  toi_topology_free(context, &scene->mesh);
  toi_free(context, scene, sizeof *scene);
}

static TOI_APART toi_status create(toi_context *context, const toi_topology *topology, toi_scene **scene) {
  if (!scene)
    return toi_fail(context, TOI_ERROR_INPUT, "scene is NULL; give a place for it");
  *scene = NULL;
  if (!context)
    return TOI_ERROR_INPUT;
  toi_status status = toi_check_entered_once(context);
  if (status != TOI_OK)
    return status;
  toi_scene *made = toi_allocate(context, sizeof *made);
  if (!made)
    return TOI_ERROR_MEMORY;
  *made = (toi_scene){.context = context};
  status = toi_topology_copy(context, topology, &made->mesh);
  if (status == TOI_OK)
    status = toi_edges_find(context, &made->mesh, &made->found);
  if (status == TOI_OK)
    status = toi_near_pairs_begin(&made->near, context);
  if (status == TOI_OK)
    *scene = made;
  else
    free_scene(made);
  return status;
}

toi_status toi_scene_create(toi_context *context, const toi_topology *topology, toi_scene **scene) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = create(context, topology, scene);
  toi_call_end(&call);
  return status;
}

void toi_scene_destroy(toi_scene *scene) {
  if (!scene)
    return;
  toi_call call;
  toi_call_begin_free(&call, scene->context);
  free_scene(scene);
  toi_call_end(&call);
}

size_t toi_scene_edges(const toi_scene *scene, const uint32_t (**edges)[2]) {
  if (edges)
    *edges = scene ? scene->mesh.edges : NULL;
  return scene ? scene->mesh.edge_count : 0;
}

toi_scene_buffer toi_scene_lend(toi_scene *scene) {
  const toi_scene_buffer buffer = scene->buffer;
  scene->buffer = (toi_scene_buffer){NULL, 0};
  return buffer;
}

void toi_scene_take_back(toi_scene *scene, toi_scene_buffer buffer) {
  scene->buffer = buffer;
}

/* --- requests --- */

/* A question about positions of the scene. */
typedef struct scene_question {
  toi_context *context;
  toi_scene *scene;
  const toi_positions *positions;
  const toi_options *options;
} scene_question;

static toi_status take(const scene_question *q, toi_mesh_request *request) {
  *request = (toi_mesh_request){.done_share = 1};
  if (!q->context)
    return TOI_ERROR_INPUT;
  if (!q->scene)
    return toi_fail(q->context, TOI_ERROR_INPUT, "scene is NULL; make one with toi_scene_create()");
  if (q->scene->context != q->context)
    return toi_fail(q->context, TOI_ERROR_INPUT, "the scene belongs to another context; use that one");
  toi_positions taken = defaults;
  toi_status status = toi_take_description(q->context, LAYOUT, q->positions, &taken);
  if (status != TOI_OK)
    return status;
  if (taken.vertex_count != q->scene->mesh.vertex_count)
    return toi_fail(q->context, TOI_ERROR_INPUT, "there are positions of %zu vertices, but the scene has %zu",
                    taken.vertex_count, q->scene->mesh.vertex_count);
  toi_mesh mesh = q->scene->mesh;
  mesh.start = taken.start;
  mesh.end = taken.end;
  mesh.scalar = taken.scalar;
  mesh.stride = taken.stride;
  mesh.component_stride = taken.component_stride;
  status = toi_mesh_request_take(q->context, &mesh, q->options, request);
  request->scene = q->scene;
  return status;
}

/* --- the calls --- */

static TOI_APART toi_status step(const scene_question *q, toi_impact *impact) {
  if (!impact)
    return toi_fail(q->context, TOI_ERROR_INPUT, "impact is NULL; give a place for the answer");
  *impact = toi_impact_unknown();
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_step_of_request(q->context, &request, impact));
}

toi_status toi_scene_step(toi_context *context, toi_scene *scene, const toi_positions *positions,
                          const toi_options *options, toi_impact *impact) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = step(&q, impact);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status collisions(const scene_question *q, toi_collisions_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_collisions_of_request(q->context, &request, visit, user));
}

toi_status toi_scene_collisions(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_collisions_visitor visit, void *user) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = collisions(&q, visit, user);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status proximity(const scene_question *q, const double *distance, toi_proximity_visitor visit,
                                      void *user) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_proximity_of_request(q->context, &request, *distance, visit, user));
}

toi_status toi_scene_proximity(toi_context *context, toi_scene *scene, const toi_positions *positions, double distance,
                               const toi_options *options, toi_proximity_visitor visit, void *user) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = proximity(&q, &distance, visit, user);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status stencils(const scene_question *q, const toi_stencil_question *question) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_stencils_of_request(q->context, &request, question));
}

toi_status toi_scene_stencils(toi_context *context, toi_scene *scene, const toi_positions *positions, double distance,
                              const toi_options *options, const toi_stencil_options *stencil_options,
                              toi_stencil_visitor visit, void *user) {
  const scene_question q = {context, scene, positions, options};
  const toi_stencil_question question = {distance, stencil_options, visit, user};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = stencils(&q, &question);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status safe_displacements(const scene_question *q, const toi_safe_question *asked) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_safe_displacements_of_request(q->context, &request, asked));
}

toi_status toi_scene_safe_displacements(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                        double min_distance, double radius, const toi_options *options,
                                        double *displacements) {
  const scene_question q = {context, scene, positions, options};
  const toi_safe_question asked = {min_distance, radius, displacements};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = safe_displacements(&q, &asked);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status line_search(const scene_question *q, void *placed, toi_advance *advance) {
  if (!advance)
    return toi_fail(q->context, TOI_ERROR_INPUT, "advance is NULL; give a place for the answer");
  *advance = toi_advance_none();
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_line_search_of_request(q->context, &request, placed, advance));
}

toi_status toi_scene_line_search(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                 const toi_options *options, void *placed, toi_advance *advance) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = line_search(&q, placed, advance);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status candidates(const scene_question *q, toi_pairs_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_candidates_of_request(q->context, &request, visit, user));
}

toi_status toi_scene_candidates(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_pairs_visitor visit, void *user) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = candidates(&q, visit, user);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status intersects(const scene_question *q, toi_intersection *intersection) {
  if (!intersection)
    return toi_fail(q->context, TOI_ERROR_INPUT, "intersection is NULL; give a place for the answer");
  *intersection = toi_intersection_unknown();
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_intersects_of_request(q->context, &request, intersection));
}

toi_status toi_scene_intersects(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_intersection *intersection) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = intersects(&q, intersection);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status crossings(const scene_question *q, toi_crossings_visitor visit, void *user) {
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_crossings_of_request(q->context, &request, visit, user));
}

toi_status toi_scene_crossings(toi_context *context, toi_scene *scene, const toi_positions *positions,
                               const toi_options *options, toi_crossings_visitor visit, void *user) {
  const scene_question q = {context, scene, positions, options};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = crossings(&q, visit, user);
  toi_call_end(&call);
  return status;
}
