/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/scene.h"

#include <string.h>

#include "narrow/mesh.h"

typedef struct pack_job {
  const toi_mesh *mesh;
  double (*points)[6];
} pack_job;

static toi_status pack_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  pack_job *job = user;
  for (size_t i = begin; i < end; i++) {
    toi_mesh_point(job->mesh, job->mesh->start, i, job->points[i]);
    toi_mesh_point(job->mesh, job->mesh->end, i, job->points[i] + 3);
  }
  return TOI_OK;
}

/* Both states of a vertex side by side, in doubles. */
static toi_status pack_points(toi_scene *scene) {
  toi_mesh *mesh = &scene->asked.mesh;
  if (mesh->vertex_count == 0)
    return TOI_OK;
  scene->points = toi_allocate(scene->context, mesh->vertex_count * sizeof(*scene->points));
  if (!scene->points)
    return TOI_ERROR_MEMORY;
  pack_job job = {mesh, scene->points};
  toi_status status = toi_parallel(scene->context, mesh->vertex_count, 16384, pack_task, &job);
  mesh->start = scene->points[0];
  mesh->end = scene->points[0] + 3;
  mesh->scalar = TOI_FLOAT64;
  mesh->stride = sizeof(*scene->points);
  // Nothing else looks at an end that is asked for and not moved to.
  if (status == TOI_OK && scene->asked.options.t_max == 0)
    status = toi_mesh_finite(scene->context, mesh, mesh->end, "end");
  return status;
}

toi_status toi_scene_begin(toi_scene *scene, toi_context *context, const toi_mesh_request *request, bool need_end) {
  *scene = (toi_scene){.context = context, .asked = *request};
  toi_status status = toi_mesh_valid(context, &request->mesh, need_end);
  if (status == TOI_OK)
    status = toi_answerer_find(context, &request->options, &scene->answerer);
  if (status != TOI_OK)
    return status;
  size_t size = toi_context_threads(context) * sizeof(toi_counters);
  scene->counters = toi_allocate(context, size);
  if (!scene->counters)
    return TOI_ERROR_MEMORY;
  memset(scene->counters, 0, size);
  status = toi_edges_find(context, &scene->asked.mesh, &scene->found);
  if (status == TOI_OK && need_end)
    status = pack_points(scene);
  if (status != TOI_OK)
    toi_scene_end(scene);
  return status;
}

void toi_scene_end(toi_scene *scene) {
  toi_counters *sum = scene->asked.options.counters;
  uint32_t threads = toi_context_threads(scene->context);
  for (uint32_t i = 0; sum && i < threads; i++) {
    sum->queries += scene->counters[i].queries;
    for (size_t k = 0; k <= TOI_NEAR; k++)
      sum->verdicts[k] += scene->counters[i].verdicts[k];
    for (size_t k = 0; k < TOI_LEVEL_COUNT; k++)
      sum->levels[k] += scene->counters[i].levels[k];
  }
  toi_free(scene->context, scene->counters, threads * sizeof(toi_counters));
  if (scene->points)
    toi_free(scene->context, scene->points, scene->asked.mesh.vertex_count * sizeof(*scene->points));
  toi_mesh_edges_free(scene->context, scene->found.pairs, scene->found.count);
}

toi_status toi_scene_answer(const toi_scene *scene, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count,
                            toi_hit *hits) {
  toi_chunk chunk = {.kind = kind,
                     .count = count,
                     .options = &scene->asked.options,
                     .hits = hits,
                     .counters = &scene->counters[thread],
                     .context = scene->context,
                     .thread = thread,
                     .quiet = true};
  size_t unanswered = 0;
  toi_status status = toi_answer_pairs(&scene->answerer, &chunk, &scene->asked.mesh, pairs, &unanswered);
  if (status == TOI_ERROR_PLUGIN)
    return toi_fail(scene->context, status, "%s pair (%u, %u): the plug-in could not answer it", toi_kind_name(kind),
                    (unsigned)pairs[unanswered].first, (unsigned)pairs[unanswered].second);
  return status;
}

toi_status toi_scene_answer_exactly(const toi_scene *scene, uint32_t thread, toi_kind kind, toi_pair pair,
                                    toi_hit *hit) {
  toi_counters unused = {0};
  toi_chunk chunk = {.kind = kind,
                     .count = 1,
                     .options = &scene->asked.options,
                     .hits = hit,
                     .counters = &unused,
                     .context = scene->context,
                     .thread = thread};
  toi_answerer exact = {.method = &toi_method_exact};
  size_t unanswered;
  return toi_answer_pairs(&exact, &chunk, &scene->asked.mesh, &pair, &unanswered);
}
