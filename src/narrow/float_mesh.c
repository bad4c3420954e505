/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/float_mesh.h"

#include <math.h>
#include <string.h>

#include "narrow/contact_filter_bounds.h"
#include "narrow/filter_mesh.h"
#include "narrow/kept.h"
#include "narrow/mesh.h"
#include "number/vector.h"

#define VERTEX_GRAIN 4096

/* Vertices that are brought into rows of doubles at a time. */
#define STAGED 64

/* Edges and vertices that are checked before anything is made. */
#define SAMPLE 64

/* The first stage of the filter takes low floats too where coarse is more than this part of an edge's extent: bounds
 * would grow by some hundred roundings. */
#define COARSE_PART 0x1p-11

typedef struct rows_job {
  const toi_mesh *mesh;
  const toi_float_map *map;
  float *high, *low;
  toi_float_span *spans; /* one for each chunk */
  void (*round)(const toi_float_rows *rows, toi_float_span *span);
  bool alone; /* on this thread */
} rows_job;

static void (*best_rounding(void))(const toi_float_rows *rows, toi_float_span *span) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return toi_float_rows_avx2;
#endif
  return toi_float_rows_two;
}

/* The mesh's vertices, if they lie in rows of doubles as filter_mesh.h has them; else NULL. */
static const double *rows_of(const toi_mesh *mesh) {
  const bool packed = mesh->scalar == TOI_FLOAT64 && mesh->component_stride == 0 &&
                      mesh->stride == TOI_MOVING_ROW * sizeof(double) &&
                      mesh->end == (const void *)((const double *)mesh->start + TOI_STILL_ROW);
  return packed ? mesh->start : NULL;
}

/* Some vertices as rows of doubles. */
static void stage(const toi_mesh *mesh, size_t begin, size_t count, double *rows) {
  for (size_t i = 0; i < count; i++) {
    double *row = rows + TOI_MOVING_ROW * i;
    toi_mesh_point(mesh, mesh->start, begin + i, row);
    toi_mesh_point(mesh, mesh->end, begin + i, row + TOI_STILL_ROW);
    row[TOI_STILL_ROW - 1] = row[TOI_MOVING_ROW - 1] = 0;
  }
}

static toi_status rows_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const rows_job *job = user;
  toi_float_span *span = &job->spans[begin / VERTEX_GRAIN];
  const double *points = rows_of(job->mesh);
  double staged[STAGED * TOI_MOVING_ROW];
  (void)thread;
  memset(span, 0, sizeof *span);
  for (size_t count; begin < end; begin += count) {
    count = points || end - begin < STAGED ? end - begin : STAGED;
    if (!points)
      stage(job->mesh, begin, count, staged);
    const toi_float_rows rows = {.map = job->map,
                                 .points = points ? points + TOI_MOVING_ROW * begin : staged,
                                 .count = count,
                                 .high = job->high + TOI_FLOAT_ROW * begin,
                                 .low = job->low ? job->low + TOI_FLOAT_ROW * begin : NULL};
    job->round(&rows, span);
  }
  return TOI_OK;
}

/* The span of all vertices. */
static toi_float_span round_all(toi_context *context, rows_job *job) {
  const size_t count = job->mesh->vertex_count;
  toi_status status = TOI_OK;
  if (job->alone)
    for (size_t i = 0; i < count; i += VERTEX_GRAIN)
      rows_task(job, 0, i, count - i < VERTEX_GRAIN ? count : i + VERTEX_GRAIN);
  else
    status = toi_parallel(context, count, VERTEX_GRAIN, rows_task, job);
  toi_float_span all = job->spans[0];
  for (size_t i = 1; i * VERTEX_GRAIN < count; i++)
    for (int k = 0; k < 3; k++) {
      const toi_float_span *own = &job->spans[i];
      all.rest[k] = toi_larger(all.rest[k], own->rest[k]);
      all.left[k] = toi_larger(all.left[k], own->left[k]);
      all.most[k] = toi_larger(all.most[k], own->most[k]);
      all.finite[k] += own->finite[k];
    }
  if (status != TOI_OK)
    all.finite[0] = NAN;
  return all;
}

/* Whether a sample of the vertices is made of floats once mapped: then all of them may be. */
static bool looks_exact(const toi_mesh *mesh, const toi_float_map *map) {
  double row[TOI_MOVING_ROW];
  float high[TOI_FLOAT_ROW] = {0};
  toi_float_span span = {.rest = {0}};
  for (size_t i = 0; i < SAMPLE; i++) {
    stage(mesh, mesh->vertex_count * i / SAMPLE, 1, row);
    toi_float_rows_two(&(toi_float_rows){map, row, 1, high, NULL}, &span);
  }
  return span.rest[0] + span.rest[1] + span.rest[2] == 0;
}

/* The formula of float_mesh.h for a sum of errors, 0 for 0. */
static float outward(double error) {
  return error > 0 ? (float)(error * (1 + 0x1p-20) + 0x1p-100) : 0;
}

static void measure(const toi_float_map *map, const toi_float_span *span, toi_float_mesh *made) {
  for (int k = 0; k < 3; k++) {
    const double shift = map->centre[k] == 0 ? 0 : 0x1p-52 * span->most[k];
    made->coarse[k] = outward(2 * (span->rest[k] + shift));
    made->fine[k] = outward(2 * (span->left[k] + shift) + 2 * (double)TOI_FLOAT_U * span->rest[k]);
  }
}

/* Whether coarse is much beside what a sample of edges sweeps, on the average. */
static bool is_coarse(const toi_mesh *mesh, const toi_float_mesh *made) {
  double extent[3] = {0};
  const size_t count = mesh->edge_count ? mesh->edge_count : mesh->face_count;
  for (size_t i = 0; i < SAMPLE && count > 0; i++) {
    const size_t number = count * i / SAMPLE;
    const uint32_t *ends = mesh->edge_count ? mesh->edges[number] : mesh->faces[number];
    if (ends[0] >= mesh->vertex_count || ends[1] >= mesh->vertex_count)
      continue;
    const float *a = made->high + TOI_FLOAT_ROW * (size_t)ends[0], *b = made->high + TOI_FLOAT_ROW * (size_t)ends[1];
    for (int k = 0; k < 3; k++) {
      const double lo = (double)fminf(fminf(a[k], b[k]), fminf(a[3 + k], b[3 + k]));
      extent[k] += ((double)fmaxf(fmaxf(a[k], b[k]), fmaxf(a[3 + k], b[3 + k])) - lo) / SAMPLE;
    }
  }
  bool coarse = false;
  for (int k = 0; k < 3; k++)
    coarse = coarse || (double)made->coarse[k] > COARSE_PART * extent[k];
  return coarse;
}

/* Rounds the vertices, with low floats only if they are needed. */
static bool make_rows(toi_context *context, const toi_mesh *mesh, bool alone, char *memory, toi_float_mesh *made) {
  const size_t bytes = mesh->vertex_count * TOI_FLOAT_ROW * sizeof(float);
  const toi_float_map map = toi_float_map_choose(mesh);
  rows_job job = {.mesh = mesh,
                  .map = &map,
                  .high = (float *)(void *)memory,
                  .spans = (toi_float_span *)(void *)(memory + 2 * bytes),
                  .round = best_rounding(),
                  .alone = alone};
  toi_float_span span = {.rest = {0}};
  bool exact = looks_exact(mesh, &map);
  if (exact) {
    span = round_all(context, &job);
    exact = span.rest[0] + span.rest[1] + span.rest[2] == 0;
  }
  if (!exact) {
    job.low = (float *)(void *)(memory + bytes);
    span = round_all(context, &job);
  }
  made->high = job.high;
  made->low = job.low;
  measure(&map, &span, made);
  made->fine_first = job.low != NULL && is_coarse(mesh, made);
  const double most = toi_larger(span.most[0], toi_larger(span.most[1], span.most[2]));
  return span.finite[0] + span.finite[1] + span.finite[2] == 0 && most < (double)TOI_FLOAT_RANGE_HI;
}

static bool make(toi_context *context, const toi_mesh *mesh, bool alone, toi_float_mesh *made) {
  *made = (toi_float_mesh){.edges = mesh->edges, .faces = mesh->faces};
  if (mesh->vertex_count == 0)
    return false;
  const size_t spans = (mesh->vertex_count / VERTEX_GRAIN + 1) * sizeof(toi_float_span);
  const size_t rows = 2 * mesh->vertex_count * TOI_FLOAT_ROW * sizeof(float);
  void *memory = toi_kept_take(context, TOI_KEPT_FLOATS, rows + spans);
  if (!memory)
    return false;
  if (make_rows(context, mesh, alone, memory, made))
    return true;
  toi_float_mesh_free(context, made);
  return false;
}

bool toi_float_mesh_make(toi_context *context, const toi_mesh *mesh, toi_float_mesh *made) {
  const bool is_made = make(context, mesh, false, made);
  if (!is_made)
    toi_clear_error(context);
  return is_made;
}

bool toi_float_mesh_make_alone(toi_context *context, const toi_mesh *mesh, toi_float_mesh *made) {
  return make(context, mesh, true, made);
}

void toi_float_mesh_free(toi_context *context, toi_float_mesh *mesh) {
  if (mesh->high)
    toi_kept_give(context, TOI_KEPT_FLOATS);
  *mesh = (toi_float_mesh){.high = NULL};
}
