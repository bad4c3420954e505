/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Derivatives of many stencils of a mesh: sorted by what their active features are, so that the kernels get stencils of
 * one kind, chunk by chunk on all threads.
 *
 * Promise: results do not depend on how stencils are grouped, since the kernels' lanes do not. */

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/half_space_normal.h"
#include "narrow/mesh.h"
#include "narrow/stencil.h"
#include "number/vector.h"

#define LAYOUT TOI_LAYOUT(toi_stencil_arrays, mollifier_hessians)

static const toi_stencil_arrays defaults = {.size = sizeof(toi_stencil_arrays)};

void toi_stencil_arrays_init(toi_stencil_arrays *arrays, size_t size) {
  toi_init_struct(LAYOUT, &defaults, arrays, size);
}

/* Mollified stencils whose features have fewer points than they do; their results are spread out, so many at a time. */
#define SPREAD_BLOCK 16

typedef struct batch {
  toi_mesh mesh;
  const toi_stencil *stencils;
  size_t count;
  toi_stencil_arrays arrays;
} batch;

/* What stencils are sorted by: their kinds, those of two edges with smaller features by that of these; half-spaces. */
enum { SMALLER = TOI_KIND_COUNT, HALF_SPACES = 2 * TOI_KIND_COUNT, CLASSES };

static const uint8_t points_of[TOI_KIND_COUNT] = {4, 4, 3, 2};

/* Stencils of a chunk that have something in common. */
typedef struct members {
  size_t count;
  uint8_t numbers[TOI_STENCIL_BLOCK]; /* from the chunk's first on */
} members;

/* --- one stencil --- */

/* Of a vertex and a half-space. */
static const char *half_space_fault_of(const batch *b, const toi_stencil *stencil) {
  if (stencil->vertices[0] >= b->mesh.vertex_count)
    return "names a vertex that the mesh does not have";
  if (!b->mesh.half_spaces || stencil->pair.second >= b->mesh.half_space_count ||
      toi_half_space_fault(&b->mesh.half_spaces[stencil->pair.second]))
    return "names a half-space that the mesh does not have";
  return NULL;
}

/* What is wrong with a stencil itself, beginning with a verb; NULL: nothing. */
static const char *fault_of(const batch *b, const toi_stencil *stencil) {
  const toi_regions regions = {stencil->on_first, stencil->on_second};
  if (stencil->kind == TOI_VERTEX_HALF_SPACE)
    return half_space_fault_of(b, stencil);
  if ((unsigned)stencil->kind >= TOI_KIND_COUNT)
    return "has an unknown kind";
  for (unsigned i = 0; i < points_of[stencil->kind]; i++)
    if (stencil->vertices[i] >= b->mesh.vertex_count)
      return "names a vertex that the mesh does not have";
  if (stencil->kind != TOI_EDGE_EDGE)
    return NULL;
  if (!toi_regions_valid(TOI_EDGE_EDGE, regions))
    return "has regions that two edges do not have";
  if (!(stencil->mollifier_threshold >= 0) || isinf(stencil->mollifier_threshold))
    return "has a mollifier_threshold that is negative or not finite";
  return NULL;
}

/* Its features among its vertices: those of two edges may be smaller. */
static toi_features features_of(const toi_stencil *stencil) {
  return toi_features_of(TOI_EDGE_EDGE, (toi_regions){stencil->on_first, stencil->on_second});
}

/* The class of a stencil without a fault. */
static unsigned class_of(const toi_stencil *stencil) {
  if (stencil->kind == TOI_VERTEX_HALF_SPACE)
    return HALF_SPACES;
  if (stencil->kind != TOI_EDGE_EDGE || (stencil->on_first.dimension == 1 && stencil->on_second.dimension == 1))
    return stencil->kind;
  return SMALLER + (unsigned)features_of(stencil).kind;
}

/* The coordinates of a vertex, and one number more that is not used. */
static void read_point(const batch *b, uint32_t vertex, double x[4]) {
  if (b->mesh.scalar == TOI_FLOAT64 && b->mesh.component_stride == 0 && vertex + 1 < b->mesh.vertex_count) {
    memcpy(x, (const unsigned char *)b->mesh.start + vertex * b->mesh.stride, 4 * sizeof(double));
    return;
  }
  toi_mesh_point(&b->mesh, b->mesh.start, vertex, x);
  x[3] = 0;
}

static toi_stencil_results results_of(const batch *b, size_t number) {
  const toi_stencil_arrays *to = &b->arrays;
  return (toi_stencil_results){to->squared ? to->squared + number : NULL, to->gradients ? to->gradients[number] : NULL,
                               to->hessians ? to->hessians[number] : NULL};
}

/* --- features with all points --- */

static toi_status derive_whole(const batch *b, toi_kind kind, size_t begin, const members *of) {
  toi_stencil_points points[TOI_STENCIL_BLOCK];
  toi_stencil_results results[TOI_STENCIL_BLOCK];
  size_t failed;
  for (size_t i = 0; i < of->count; i++) {
    const size_t number = begin + of->numbers[i];
    for (unsigned k = 0; k < points_of[kind]; k++)
      read_point(b, b->stencils[number].vertices[k], points[i].x[k]);
    results[i] = results_of(b, number);
  }
  return toi_stencil_derive(kind, points, of->count, results, &failed) ? TOI_OK : TOI_ERROR_INPUT;
}

/* --- two edges with smaller features --- */

/* Writes the results of features to the vertices that they belong to. */
static void spread_results(toi_kind kind, const uint8_t *at, const toi_stencil_results *from,
                           const toi_stencil_results *to) {
  const size_t points = points_of[kind], n = 3 * points;
  if (to->squared)
    *to->squared = *from->squared;
  if (to->gradient)
    memset(to->gradient, 0, 12 * sizeof(double));
  if (to->hessian)
    memset(to->hessian, 0, 144 * sizeof(double));
  for (size_t i = 0; i < points; i++) {
    if (to->gradient)
      memcpy(to->gradient + (size_t)3 * at[i], from->gradient + 3 * i, 3 * sizeof(double));
    for (size_t row = 0; row < 3 && to->hessian; row++)
      for (size_t j = 0; j < points; j++)
        memcpy(to->hessian + 12 * (3 * (size_t)at[i] + row) + (size_t)3 * at[j],
               from->hessian + n * (3 * i + row) + 3 * j, 3 * sizeof(double));
  }
}

/* Some of them, at most SPREAD_BLOCK. */
static toi_status derive_smaller(const batch *b, toi_kind kind, size_t begin, const members *of) {
  toi_stencil_points points[SPREAD_BLOCK];
  toi_features features[SPREAD_BLOCK];
  toi_stencil_results own[SPREAD_BLOCK];
  double squared[SPREAD_BLOCK], gradients[SPREAD_BLOCK][9], hessians[SPREAD_BLOCK][81];
  size_t failed;
  for (size_t done = 0, count; done < of->count; done += count) {
    count = of->count - done < SPREAD_BLOCK ? of->count - done : SPREAD_BLOCK;
    for (size_t i = 0; i < count; i++) {
      const toi_stencil *stencil = &b->stencils[begin + of->numbers[done + i]];
      features[i] = features_of(stencil);
      for (unsigned k = 0; k < points_of[kind]; k++)
        read_point(b, stencil->vertices[features[i].points[k]], points[i].x[k]);
      own[i] = (toi_stencil_results){&squared[i], &gradients[i][0], &hessians[i][0]};
    }
    if (!toi_stencil_derive(kind, points, count, own, &failed))
      return TOI_ERROR_INPUT;
    for (size_t i = 0; i < count; i++) {
      const toi_stencil_results to = results_of(b, begin + of->numbers[done + i]);
      spread_results(kind, features[i].points, &own[i], &to);
    }
  }
  return TOI_OK;
}

/* --- half-spaces --- */

/* h^2 / |n|^2, h = n . x - c, with the normal scaled so that nothing overflows that does not in the result. */
static bool derive_half_space(const toi_half_space *half_space, const double x[3], const toi_stencil_results *to) {
  double unit[3], normal[3], most = 0;
  toi_half_space_unit(half_space->normal, unit);
  for (int k = 0; k < 3; k++)
    most = toi_larger(most, fabs(half_space->normal[k]));
  for (int k = 0; k < 3; k++)
    normal[k] = half_space->normal[k] / most;
  const double height = (toi_dot(normal, x) - half_space->offset / most) / sqrt(toi_dot(normal, normal));
  const double squared = height * height;
  if (to->squared)
    *to->squared = squared;
  for (int i = 0; i < 3; i++) {
    if (to->gradient)
      to->gradient[i] = 2 * height * unit[i];
    for (int j = 0; j < 3 && to->hessian; j++)
      to->hessian[3 * i + j] = 2 * (unit[i] * unit[j]);
  }
  return isfinite(squared);
}

static toi_status derive_half_spaces(const batch *b, size_t begin, const members *of) {
  bool finite = true;
  for (size_t i = 0; i < of->count; i++) {
    const size_t number = begin + of->numbers[i];
    const toi_stencil *stencil = &b->stencils[number];
    const toi_stencil_results to = results_of(b, number);
    double x[4];
    read_point(b, stencil->vertices[0], x);
    finite = derive_half_space(&b->mesh.half_spaces[stencil->pair.second], x, &to) && finite;
  }
  return finite ? TOI_OK : TOI_ERROR_INPUT;
}

/* --- mollifiers --- */

static toi_stencil_results mollifier_of(const batch *b, size_t number) {
  const toi_stencil_arrays *to = &b->arrays;
  return (toi_stencil_results){to->mollifiers ? to->mollifiers + number : NULL,
                               to->mollifier_gradients ? to->mollifier_gradients[number] : NULL,
                               to->mollifier_hessians ? to->mollifier_hessians[number] : NULL};
}

static void no_mollifier(const toi_stencil_results *to, uint32_t points) {
  const size_t n = (size_t)3 * points;
  if (to->squared)
    *to->squared = 1;
  if (to->gradient)
    memset(to->gradient, 0, n * sizeof(double));
  if (to->hessian)
    memset(to->hessian, 0, n * n * sizeof(double));
}

static toi_status mollify(const batch *b, size_t begin, size_t end) {
  toi_stencil_points points[TOI_STENCIL_BLOCK];
  toi_stencil_results results[TOI_STENCIL_BLOCK];
  double thresholds[TOI_STENCIL_BLOCK];
  size_t count = 0, failed;
  for (size_t i = begin; i < end; i++) {
    const toi_stencil *stencil = &b->stencils[i];
    results[count] = mollifier_of(b, i);
    if (stencil->kind != TOI_EDGE_EDGE || stencil->mollifier_threshold == 0) {
      no_mollifier(&results[count], stencil->kind == TOI_VERTEX_HALF_SPACE ? 1 : points_of[stencil->kind]);
      continue;
    }
    for (unsigned k = 0; k < 4; k++)
      read_point(b, stencil->vertices[k], points[count].x[k]);
    thresholds[count++] = stencil->mollifier_threshold;
  }
  return count == 0 || toi_stencil_mollify(points, thresholds, count, results, &failed) ? TOI_OK : TOI_ERROR_INPUT;
}

/* --- all of them --- */

static toi_status derive_task(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  const batch *b = user;
  const toi_stencil_arrays *to = &b->arrays;
  members classes[CLASSES];
  for (unsigned i = 0; i < CLASSES; i++)
    classes[i].count = 0;
  for (size_t i = begin; i < end; i++) {
    if (fault_of(b, &b->stencils[i]))
      return TOI_ERROR_INPUT;
    members *own = &classes[class_of(&b->stencils[i])];
    own->numbers[own->count++] = (uint8_t)(i - begin);
  }
  toi_status status = TOI_OK;
  for (unsigned kind = 0; kind < TOI_KIND_COUNT && status == TOI_OK; kind++) {
    if (classes[kind].count > 0)
      status = derive_whole(b, (toi_kind)kind, begin, &classes[kind]);
    if (status == TOI_OK && classes[SMALLER + kind].count > 0)
      status = derive_smaller(b, (toi_kind)kind, begin, &classes[SMALLER + kind]);
  }
  if (status == TOI_OK && classes[HALF_SPACES].count > 0)
    status = derive_half_spaces(b, begin, &classes[HALF_SPACES]);
  if (status == TOI_OK && (to->mollifiers || to->mollifier_gradients || to->mollifier_hessians))
    status = mollify(b, begin, end);
  return status;
}

/* The first stencil that fails, by itself. */
static toi_status explain(toi_context *context, batch *b) {
  for (size_t i = 0; i < b->count; i++) {
    const char *fault = fault_of(b, &b->stencils[i]);
    if (!fault && derive_task(b, 0, i, i + 1) != TOI_OK)
      fault = "has no derivatives: its points are not finite, an edge has no length, a face no area, or edges are "
              "parallel";
    if (fault)
      return toi_fail(context, TOI_ERROR_INPUT, "stencil %zu %s; take stencils of this state from toi_stencils()", i,
                      fault);
  }
  return TOI_ERROR_INPUT;
}

static void clear(const batch *b) {
  const toi_stencil_arrays *to = &b->arrays;
  double *const all[6] = {to->squared,    (double *)to->gradients,           (double *)to->hessians,
                          to->mollifiers, (double *)to->mollifier_gradients, (double *)to->mollifier_hessians};
  static const size_t sizes[6] = {1, 12, 144, 1, 12, 144};
  for (int i = 0; i < 6; i++)
    if (all[i])
      memset(all[i], 0, b->count * sizes[i] * sizeof(double));
}

static TOI_APART toi_status run(toi_context *context, const toi_mesh *mesh, const toi_stencil_arrays *arrays,
                                batch *b) {
  if (!context)
    return TOI_ERROR_INPUT;
  b->arrays = defaults;
  toi_status status = toi_take_description(context, LAYOUT, arrays, &b->arrays);
  if (status != TOI_OK) {
    b->arrays = defaults;
    return status;
  }
  status = toi_mesh_take(context, mesh, &b->mesh);
  if (status == TOI_OK && b->count > 0 && (!b->stencils || !b->mesh.start))
    status = toi_fail(context, TOI_ERROR_INPUT, "%s is NULL; give the array, or a count of 0",
                      b->stencils ? "start of the mesh" : "stencils");
  b->mesh.stride = toi_mesh_stride(&b->mesh);
  if (status == TOI_OK) {
    status = toi_parallel(context, b->count, TOI_STENCIL_BLOCK, derive_task, b);
    if (status != TOI_OK)
      status = explain(context, b);
  }
  if (status != TOI_OK)
    clear(b);
  return status;
}

toi_status toi_stencil_batch(toi_context *context, const toi_mesh *mesh, const toi_stencil *stencils, size_t count,
                             const toi_stencil_arrays *arrays) {
  batch b = {.stencils = stencils, .count = count};
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = run(context, mesh, arrays, &b);
  toi_call_end(&call);
  return status;
}
