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

/* One of the calls for requests: what it takes beyond the request is in `what`. */
typedef struct scene_call {
  toi_status (*run)(toi_context *context, const toi_mesh_request *request, void *what);
  const char *answer; /* the parameter that `what` is, where it is the place for the answer; NULL: it is not */
} scene_call;

/* Numbers among `what` are read from memory here: see toi_float_mode_enter(). */
static TOI_APART toi_status take_and_run(const scene_question *q, const scene_call *call, void *what) {
  if (call->answer && !what)
    return toi_fail(q->context, TOI_ERROR_INPUT, "%s is NULL; give a place for the answer", call->answer);
  toi_mesh_request request;
  const toi_status status = take(q, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, call->run(q->context, &request, what));
}

/* The frame of every call. The answer holds the safe value already. */
static toi_status ask(const scene_question *q, scene_call own, void *what) {
  toi_call call;
  toi_call_begin(&call, q->context);
  const toi_status status = take_and_run(q, &own, what);
  toi_call_end(&call);
  return status;
}

static toi_status run_step(toi_context *context, const toi_mesh_request *request, void *what) {
  return toi_step_of_request(context, request, what);
}

toi_status toi_scene_step(toi_context *context, toi_scene *scene, const toi_positions *positions,
                          const toi_options *options, toi_impact *impact) {
  if (impact)
    *impact = toi_impact_unknown();
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_step, "impact"}, impact);
}

typedef struct collisions_visit {
  toi_collisions_visitor visit;
  void *user;
} collisions_visit;

static toi_status run_collisions(toi_context *context, const toi_mesh_request *request, void *what) {
  const collisions_visit *to = what;
  return toi_collisions_of_request(context, request, to->visit, to->user);
}

toi_status toi_scene_collisions(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_collisions_visitor visit, void *user) {
  collisions_visit to = {visit, user};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_collisions, NULL}, &to);
}

typedef struct proximity_visit {
  double distance;
  toi_proximity_visitor visit;
  void *user;
} proximity_visit;

static toi_status run_proximity(toi_context *context, const toi_mesh_request *request, void *what) {
  const proximity_visit *to = what;
  return toi_proximity_of_request(context, request, to->distance, to->visit, to->user);
}

toi_status toi_scene_proximity(toi_context *context, toi_scene *scene, const toi_positions *positions, double distance,
                               const toi_options *options, toi_proximity_visitor visit, void *user) {
  proximity_visit to = {distance, visit, user};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_proximity, NULL}, &to);
}

static toi_status run_stencils(toi_context *context, const toi_mesh_request *request, void *what) {
  return toi_stencils_of_request(context, request, what);
}

toi_status toi_scene_stencils(toi_context *context, toi_scene *scene, const toi_positions *positions, double distance,
                              const toi_options *options, const toi_stencil_options *stencil_options,
                              toi_stencil_visitor visit, void *user) {
  toi_stencil_question question = {distance, stencil_options, visit, user};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_stencils, NULL}, &question);
}

static toi_status run_displacements(toi_context *context, const toi_mesh_request *request, void *what) {
  return toi_safe_displacements_of_request(context, request, what);
}

toi_status toi_scene_safe_displacements(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                        double min_distance, double radius, const toi_options *options,
                                        double *displacements) {
  toi_safe_question asked = {min_distance, radius, displacements};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_displacements, NULL},
             &asked);
}

typedef struct line_search_places {
  void *placed;
  toi_advance *advance;
} line_search_places;

static toi_status run_line_search(toi_context *context, const toi_mesh_request *request, void *what) {
  const line_search_places *to = what;
  return toi_line_search_of_request(context, request, to->placed, to->advance);
}

toi_status toi_scene_line_search(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                 const toi_options *options, void *placed, toi_advance *advance) {
  line_search_places to = {placed, advance};
  if (advance)
    *advance = toi_advance_none();
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_line_search, "advance"},
             advance ? &to : NULL);
}

typedef struct candidates_visit {
  toi_pairs_visitor visit;
  void *user;
} candidates_visit;

static toi_status run_candidates(toi_context *context, const toi_mesh_request *request, void *what) {
  const candidates_visit *to = what;
  return toi_candidates_of_request(context, request, to->visit, to->user);
}

toi_status toi_scene_candidates(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_pairs_visitor visit, void *user) {
  candidates_visit to = {visit, user};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_candidates, NULL}, &to);
}

static toi_status run_intersects(toi_context *context, const toi_mesh_request *request, void *what) {
  return toi_intersects_of_request(context, request, what);
}

toi_status toi_scene_intersects(toi_context *context, toi_scene *scene, const toi_positions *positions,
                                const toi_options *options, toi_intersection *intersection) {
  if (intersection)
    *intersection = toi_intersection_unknown();
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_intersects, "intersection"},
             intersection);
}

typedef struct crossings_visit {
  toi_crossings_visitor visit;
  void *user;
} crossings_visit;

static toi_status run_crossings(toi_context *context, const toi_mesh_request *request, void *what) {
  const crossings_visit *to = what;
  return toi_crossings_of_request(context, request, to->visit, to->user);
}

toi_status toi_scene_crossings(toi_context *context, toi_scene *scene, const toi_positions *positions,
                               const toi_options *options, toi_crossings_visitor visit, void *user) {
  crossings_visit to = {visit, user};
  return ask(&(const scene_question){context, scene, positions, options}, (scene_call){run_crossings, NULL}, &to);
}
