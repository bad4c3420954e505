/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The questions about pairs of patches, and what every question about surfaces checks first. */

#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/interval.h"
#include "surface/flat.h"

/* --- names --- */

typedef struct method {
  const char *name, *promise;
  toi_surface_solver solve;
} method;

static const method methods[] = {
    {"time-inclusion",
     "Proved misses and hits. Separating axes that move with the pieces of a patch say when they may touch; no time is "
     "subdivided. The tolerance bounds the pieces that are called near without a proof.",
     toi_time_inclusion_surface},
    {"swept-boxes",
     "The traditional baseline: boxes around pieces over pieces of time, all five parameters subdivided. Misses and "
     "hits "
     "are proved all the same; it takes far more checks.",
     toi_swept_boxes},
};
#define METHOD_COUNT (sizeof(methods) / sizeof(methods[0]))

static const method *find_method(const char *name) {
  for (size_t i = 0; i < METHOD_COUNT; i++)
    if (name == NULL || strcmp(name, methods[i].name) == 0)
      return &methods[i];
  return NULL;
}

const char *toi_surface_method_name(size_t number) {
  return number < METHOD_COUNT ? methods[number].name : NULL;
}

const char *toi_surface_method_promise(const char *name) {
  const method *found = name ? find_method(name) : NULL;
  return found ? found->promise : NULL;
}

const char *toi_surface_end_name(toi_surface_end end) {
  static const char *const names[] = {"refuted", "bracketed", "accepted", "budget", "memory", "exact"};
  return (unsigned)end < TOI_SURFACE_END_COUNT ? names[end] : NULL;
}

size_t toi_patch_points(toi_patch_shape shape, const uint32_t degree[2]) {
  if (degree == NULL || degree[0] > TOI_PATCH_DEGREE_MOST)
    return 0;
  if (shape == TOI_PATCH_TRIANGLE)
    return (size_t)(degree[0] + 1) * (degree[0] + 2) / 2;
  if (shape != TOI_PATCH_QUAD || degree[1] > TOI_PATCH_DEGREE_MOST)
    return 0;
  return (size_t)(degree[0] + 1) * (degree[1] + 1);
}

/* --- checks --- */

toi_surface_options toi_default_surface_options(void) {
  return (toi_surface_options){
      .magic = TOI_SURFACE_OPTIONS_MAGIC, .tolerance = 1e-6, .t_max = 1, .simultaneity = 0, .spacing = 0.1};
}

toi_status toi_surface_check_options(toi_context *context, const toi_surface_options *options) {
  if (options == NULL || options->magic != TOI_SURFACE_OPTIONS_MAGIC)
    return toi_fail(context, TOI_ERROR_OPTION, "options were not made by toi_default_surface_options(); start from it");
  if (find_method(options->method) == NULL)
    return toi_fail(context, TOI_ERROR_OPTION,
                    "there is no surface method \"%s\"; toi_surface_method_name() lists them", options->method);
  const struct {
    const char *name;
    double value;
    bool zero;
  } numbers[] = {{"tolerance", options->tolerance, false},
                 {"t_max", options->t_max, false},
                 {"min_separation", options->min_separation, true},
                 {"simultaneity", options->simultaneity, true},
                 {"spacing", options->spacing, false}};
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    double value = numbers[i].value;
    if (!(value <= DBL_MAX) || !(numbers[i].zero ? value >= 0 : value > 0))
      return toi_fail(context, TOI_ERROR_OPTION, "%s is %g; it must be finite and %s", numbers[i].name, value,
                      numbers[i].zero ? "not negative" : "positive");
  }
  if (options->norm != TOI_NORM_L2 && options->norm != TOI_NORM_LINF)
    return toi_fail(context, TOI_ERROR_OPTION, "norm is %d; it must be TOI_NORM_L2 or TOI_NORM_LINF",
                    (int)options->norm);
  if (options->accept != TOI_ACCEPT_WORLD && options->accept != TOI_ACCEPT_PARAMETER)
    return toi_fail(context, TOI_ERROR_OPTION, "accept is %d; it must be TOI_ACCEPT_WORLD or TOI_ACCEPT_PARAMETER",
                    (int)options->accept);
  if (options->inclusion != TOI_INCLUSION_OBB && options->inclusion != TOI_INCLUSION_AABB)
    return toi_fail(context, TOI_ERROR_OPTION, "inclusion is %d; it must be TOI_INCLUSION_OBB or TOI_INCLUSION_AABB",
                    (int)options->inclusion);
  return TOI_OK;
}

static toi_status check_coordinates(toi_context *context, const double (*points)[3], size_t count, const char *name,
                                    const char *what) {
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(points[i][k]))
        return toi_fail(context, TOI_ERROR_INPUT, "%s: coordinate %c of %s %zu is %g; it must be finite", name,
                        "xyz"[k], what, i, points[i][k]);
  return TOI_OK;
}

toi_status toi_patch_check(toi_context *context, const toi_patch *patch, const char *name) {
  if (patch == NULL || patch->points == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: there are no control points", name);
  if (patch->shape != TOI_PATCH_QUAD && patch->shape != TOI_PATCH_TRIANGLE)
    return toi_fail(context, TOI_ERROR_INPUT, "%s: shape is %d; it must be TOI_PATCH_QUAD or TOI_PATCH_TRIANGLE", name,
                    (int)patch->shape);
  int degrees = patch->shape == TOI_PATCH_QUAD ? 2 : 1;
  for (int k = 0; k < degrees; k++)
    if (patch->degree[k] > TOI_PATCH_DEGREE_MOST)
      return toi_fail(context, TOI_ERROR_INPUT, "%s: degree[%d] is %u; degrees up to %d are supported", name, k,
                      patch->degree[k], TOI_PATCH_DEGREE_MOST);
  size_t count = toi_patch_points(patch->shape, patch->degree);
  toi_status status = check_coordinates(context, patch->points, count, name, "control point");
  if (status == TOI_OK && patch->velocities)
    status = check_coordinates(context, patch->velocities, count, name, "velocity");
  if (status != TOI_OK)
    return status;
  for (size_t i = 0; patch->weights && i < count; i++)
    if (!(patch->weights[i] > 0) || !isfinite(patch->weights[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s: weight %zu is %g; weights must be positive and finite", name, i,
                      patch->weights[i]);
  const double errors[2] = {patch->error, patch->velocity_error};
  for (int k = 0; k < 2; k++)
    if (!(errors[k] >= 0) || !isfinite(errors[k]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s: %s is %g; it must be finite and not negative", name,
                      k == 0 ? "error" : "velocity_error", errors[k]);
  return TOI_OK;
}

/* --- answers --- */

toi_surface_hit toi_surface_near(void) {
  toi_surface_hit hit = {.t_hi = INFINITY, .distance = NAN, .tolerance_reached = INFINITY, .verdict = TOI_NEAR};
  hit.end = TOI_SURFACE_BUDGET;
  for (int k = 0; k < 2; k++)
    hit.a[k] = hit.b[k] = NAN;
  return hit;
}

toi_surface_hit toi_surface_miss(double t_max) {
  toi_surface_hit hit = toi_surface_near();
  hit.t_lo = INFINITY;
  hit.t_safe = t_max;
  hit.tolerance_reached = 0;
  hit.verdict = TOI_MISS;
  hit.end = TOI_SURFACE_REFUTED;
  return hit;
}

/* A point at time t, in the forest's frame, and the unit normal there. */
static void point_and_normal(const toi_root *root, const double uv[2], double t, double point[3], double normal[3]) {
  toi_jet jet;
  double side[2][3];
  toi_root_jet(root, uv, false, &jet);
  double w = jet.value[6];
  for (int k = 0; k < 3; k++) {
    point[k] = (jet.value[k] + t * jet.value[k + 3]) / w;
    for (int i = 0; i < 2; i++)
      side[i][k] = (jet.first[i][k] + t * jet.first[i][k + 3] - point[k] * jet.first[i][6]) / w;
  }
  double length = 0;
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    normal[k] = side[0][l] * side[1][m] - side[0][m] * side[1][l];
    length += normal[k] * normal[k];
  }
  length = sqrt(length);
  for (int k = 0; k < 3; k++)
    normal[k] = length > 0 && isfinite(length) ? normal[k] / length : 0;
}

void toi_surface_place(const toi_forest *forest, const toi_touch *touch, toi_surface_hit *hit) {
  double point[2][3], square = 0, t = touch->at.t;
  point_and_normal(touch->root[0], touch->at.uv[0], t, point[0], hit->normal_a);
  point_and_normal(touch->root[1], touch->at.uv[1], t, point[1], hit->normal_b);
  for (int k = 0; k < 3; k++) {
    hit->point[k] = 0.5 * (point[0][k] + point[1][k]) + forest->centre[k] + t * forest->drift[k];
    square += (point[0][k] - point[1][k]) * (point[0][k] - point[1][k]);
  }
  hit->distance = sqrt(square);
  memcpy(hit->a, touch->at.uv[0], sizeof(hit->a));
  memcpy(hit->b, touch->at.uv[1], sizeof(hit->b));
  hit->patch_a = touch->root[0]->number;
  hit->patch_b = touch->root[1]->number;
}

/* Room for one patch of any kind. */
#define ONE_PATCH_BYTES 65536

static void patch_point(const toi_patch *patch, const double uv[2], double t, double point[3], double normal[3]) {
  _Alignas(32) unsigned char memory[ONE_PATCH_BYTES];
  toi_forest forest = toi_forest_make(memory, sizeof(memory), t > 0 ? t : 1, patch, patch);
  toi_piece *piece = toi_piece_root(&forest, patch, 0);
  assert(piece);
  point_and_normal(piece->root, uv, t, point, normal);
  for (int k = 0; k < 3; k++)
    point[k] += forest.centre[k] + t * forest.drift[k];
}

toi_status toi_patch_point(toi_context *context, const toi_patch *patch, double u, double v, double t, double point[3],
                           double normal[3]) {
  toi_clear_error(context);
  toi_status status = toi_patch_check(context, patch, "patch");
  if (status != TOI_OK)
    return status;
  double most_u = patch->shape == TOI_PATCH_QUAD ? 1 : 1 - v;
  if (!(u >= 0) || !(v >= 0) || !(v <= 1) || !(u <= most_u))
    return toi_fail(context, TOI_ERROR_INPUT, "u = %g, v = %g is not in the patch's domain", u, v);
  if (!isfinite(t))
    return toi_fail(context, TOI_ERROR_INPUT, "t is %g; it must be finite", t);
  double p[3], n[3], uv[2] = {u, v};
  toi_float_mode mode = toi_float_mode_enter();
  patch_point(patch, uv, t, p, n);
  toi_float_mode_leave(mode);
  if (point)
    memcpy(point, p, sizeof(p));
  if (normal)
    memcpy(normal, n, sizeof(n));
  return TOI_OK;
}

/* --- pairs --- */

/* By the method; a single pair of flat triangles needs no search. */
static toi_status solve(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  const toi_patch_pairs *pairs = &question->pairs;
  const toi_surface_options *options = question->options;
  toi_surface_solver solver = find_method(options->method)->solve;
  bool single = pairs->pairs == NULL && question->visit == NULL;
  if (single && solver == toi_time_inclusion_surface && toi_flat_suits(pairs->a, pairs->b, options))
    return toi_flat_pair(context, question->thread, pairs->a, pairs->b, options, hit);
  return solver(context, question, hit);
}

toi_status toi_surface_solve(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  *hit = toi_surface_near();
  toi_float_mode mode = toi_float_mode_enter();
  toi_status status = solve(context, question, hit);
  if (status == TOI_OK && question->visit && hit->verdict != TOI_MISS)
    status = toi_contacts_walk(context, question, hit);
  toi_float_mode_leave(mode);
  if (status != TOI_OK)
    *hit = toi_surface_near();
  return status;
}

toi_status toi_surface_begin(toi_context *context, const toi_surface_options *options, toi_surface_hit *hit) {
  if (hit)
    *hit = toi_surface_near();
  if (context == NULL)
    return TOI_ERROR_INPUT;
  toi_clear_error(context);
  if (hit == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the hit to fill in is NULL");
  return toi_surface_check_options(context, options);
}

toi_status toi_surface_end_call(toi_context *context, toi_status status, const char *what, toi_surface_hit *hit) {
  if (status != TOI_OK && hit)
    *hit = toi_surface_near();
  if (status == TOI_ERROR_CANCELLED)
    return toi_fail(context, status, "the progress callback asked to stop");
  if (status == TOI_ERROR_MEMORY && *toi_context_error(context) == '\0')
    return toi_fail(context, status, "the memory budget is too small for %s; raise it", what);
  return status;
}

toi_status toi_patch_pair(toi_context *context, const toi_patch *a, const toi_patch *b,
                          const toi_surface_options *options, toi_surface_hit *hit) {
  toi_status status = toi_surface_begin(context, options, hit);
  if (status == TOI_OK)
    status = toi_patch_check(context, a, "the first patch");
  if (status == TOI_OK)
    status = toi_patch_check(context, b, "the second patch");
  if (status != TOI_OK)
    return status;
  toi_surface_question question = {.pairs = {a, b, 1, 1, NULL, 1}, .options = options};
  status = toi_surface_solve(context, &question, hit);
  return toi_surface_end_call(context, status, "this pair of patches", hit);
}

/* --- many pairs --- */

typedef struct batch {
  toi_context *context;
  const toi_patch_case *cases;
  const toi_surface_options *options;
  toi_surface_hit *hits;
  size_t count;
} batch;

/* Worker 0 is the calling thread; the others stop because toi_parallel hands out nothing after a failure. */
static bool told_to_stop(const batch *work, uint32_t thread, size_t done) {
  if (thread != 0 || !work->options->progress)
    return false;
  return !work->options->progress(work->options->progress_user, (double)done / (double)work->count);
}

static toi_status solve_some(void *user, uint32_t thread, size_t begin, size_t end) {
  const batch *work = user;
  for (size_t i = begin; i < end; i++) {
    toi_surface_options options = *work->options;
    options.t_max = work->cases[i].t_max;
    options.progress = NULL;
    toi_surface_question question = {
        .pairs = {&work->cases[i].a, &work->cases[i].b, 1, 1, NULL, 1}, .options = &options, .thread = thread};
    toi_status status = toi_surface_solve(work->context, &question, &work->hits[i]);
    if (status != TOI_OK)
      return status;
    if (told_to_stop(work, thread, i + 1))
      return TOI_ERROR_CANCELLED;
  }
  return TOI_OK;
}

static toi_status check_case(toi_context *context, const toi_patch_case *one, size_t number) {
  char name[64];
  for (int i = 0; i < 2; i++) {
    snprintf(name, sizeof(name), "case %zu, the %s patch", number, i == 0 ? "first" : "second");
    toi_status status = toi_patch_check(context, i == 0 ? &one->a : &one->b, name);
    if (status != TOI_OK)
      return status;
  }
  if (!(one->t_max > 0) || !isfinite(one->t_max))
    return toi_fail(context, TOI_ERROR_INPUT, "case %zu: t_max is %g; it must be finite and positive", number,
                    one->t_max);
  return TOI_OK;
}

toi_status toi_patch_batch(toi_context *context, const toi_patch_case *cases, size_t count,
                           const toi_surface_options *options, toi_surface_hit *hits) {
  toi_clear_error(context);
  if (context == NULL || (count > 0 && (cases == NULL || hits == NULL)))
    return toi_fail(context, TOI_ERROR_INPUT, "cases or hits is NULL");
  toi_status status = toi_surface_check_options(context, options);
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = check_case(context, &cases[i], i);
  if (status != TOI_OK)
    return status;
  batch work = {context, cases, options, hits, count};
  status = toi_parallel(context, count, 1, solve_some, &work);
  return toi_surface_end_call(context, status, "these cases", NULL);
}
