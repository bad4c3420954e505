/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The questions about pairs of patches, and what every question about surfaces checks first. */

#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/interval.h"

/* --- names --- */

typedef struct method {
  const char *name, *promise;
  toi_surface_solver solve;
} method;

static const method methods[] = {
    {"time-inclusion",
     "Misses and hits are proved. Separating axes that move with the pieces of the patches bound the times at which "
     "they may touch; where patches nearly fit, curved separators do. The tolerance bounds the pieces that are "
     "reported as near without a "
     "proof.",
     toi_time_inclusion_surface},
    {"swept-boxes",
     "The traditional baseline: boxes around pieces over intervals of time, all five parameters subdivided. Misses "
     "and hits are proved as well, with far more checks.",
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

/* --- options --- */

#define OPTIONS TOI_LAYOUT(toi_surface_options, progress_user)

/* Static, so that its padding is zero: callers receive all of its bytes. */
static const toi_surface_options defaults = {
    .size = sizeof(toi_surface_options), .tolerance = 1e-6, .t_max = 1, .simultaneity = 0, .spacing = 0.1};

void toi_surface_options_init(toi_surface_options *options, size_t size) {
  toi_init_struct(OPTIONS, &defaults, options, size);
}

static toi_status check_options(toi_context *context, const toi_surface_options *options) {
  if (find_method(options->method) == NULL)
    return toi_fail(context, TOI_ERROR_OPTION, "unknown surface method '%s'; toi_surface_method_name() lists them",
                    options->method);
  const struct {
    const char *name;
    double value;
    bool zero;
  } numbers[] = {{"tolerance", options->tolerance, false},
                 {"t_max", options->t_max, true},
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

toi_status toi_surface_take_options(toi_context *context, const toi_surface_options *given,
                                    toi_surface_options *taken) {
  *taken = defaults;
  toi_status status = toi_take_options(context, OPTIONS, given, taken);
  return status == TOI_OK ? check_options(context, taken) : status;
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
  toi_cross(side[0], side[1], normal);
  const double length = sqrt(toi_dot(normal, normal));
  for (int k = 0; k < 3; k++)
    normal[k] = length > 0 && isfinite(length) ? normal[k] / length : 0;
}

void toi_surface_place(const toi_forest *forest, const toi_touch *touch, bool proved, toi_surface_hit *hit) {
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
  if (!proved)
    return;
  hit->verdict = TOI_HIT;
  hit->t_hi = t;
  hit->tolerance_reached = 0;
  hit->touching_at_start = t == 0;
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

static TOI_APART toi_status point_of(toi_context *context, const toi_patch *patch, double u, double v, double t,
                                     double point[3], double normal[3]) {
  toi_patch taken;
  toi_status status = toi_patch_take(context, patch, "patch", &taken);
  if (status != TOI_OK)
    return status;
  double most_u = taken.shape == TOI_PATCH_QUAD ? 1 : 1 - v;
  if (!(u >= 0) || !(v >= 0) || !(v <= 1) || !(u <= most_u))
    return toi_fail(context, TOI_ERROR_INPUT, "u = %g, v = %g is not in the patch's domain", u, v);
  if (!isfinite(t))
    return toi_fail(context, TOI_ERROR_INPUT, "t is %g; it must be finite", t);
  double p[3], n[3], uv[2] = {u, v};
  patch_point(&taken, uv, t, p, n);
  if (point)
    memcpy(point, p, sizeof(p));
  if (normal)
    memcpy(normal, n, sizeof(n));
  return TOI_OK;
}

toi_status toi_patch_point(toi_context *context, const toi_patch *patch, double u, double v, double t, double point[3],
                           double normal[3]) {
  TOI_CALL(context, point_of(context, patch, u, v, t, point, normal));
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

static toi_status solve_and_walk(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  toi_status status = solve(context, question, hit);
  if (status == TOI_OK && question->visit && hit->verdict != TOI_MISS)
    status = toi_contacts_walk(context, question, hit);
  return status;
}

/* --- the start alone --- */

/* Patches at rest touch at any time if they touch at 0: a question about [0, 0] is asked of them over [0, 1]. */
typedef struct start_question {
  const toi_surface_question *asked;
  toi_patch pair[2];  /* of a question about one pair */
  toi_patch *patches; /* all of both sides; pair, or memory of the context */
} start_question;

/* Times in an answer of patches at rest. */
static void set_at_start(toi_surface_hit *hit) {
  hit->t_safe = 0;
  if (hit->verdict == TOI_MISS)
    return;
  hit->t_lo = hit->t_hi = 0;
  hit->touching_at_start = hit->verdict == TOI_HIT;
}

static bool visit_at_start(void *user, const toi_surface_hit *contact) {
  const start_question *start = user;
  toi_surface_hit hit = *contact;
  set_at_start(&hit);
  return start->asked->visit(start->asked->user, &hit);
}

static void put_to_rest(const toi_patch *from, size_t count, toi_patch *to) {
  for (size_t i = 0; i < count; i++) {
    to[i] = from[i];
    to[i].velocities = NULL;
    to[i].velocity_error = 0;
  }
}

static toi_status solve_start(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  start_question start = {.asked = question};
  toi_surface_options options = *question->options;
  toi_surface_question asked = *question;
  toi_patch_pairs *pairs = &asked.pairs;
  const bool same = pairs->a == pairs->b;
  const size_t count = pairs->a_count + (same ? 0 : pairs->b_count);
  start.patches = count <= 2 ? start.pair : toi_allocate(context, count * sizeof *start.patches);
  if (start.patches == NULL)
    return TOI_ERROR_MEMORY;
  put_to_rest(pairs->a, pairs->a_count, start.patches);
  if (!same)
    put_to_rest(pairs->b, pairs->b_count, start.patches + pairs->a_count);
  pairs->a = start.patches;
  pairs->b = same ? start.patches : start.patches + pairs->a_count;
  options.t_max = 1;
  asked.options = &options;
  if (question->visit) {
    asked.visit = visit_at_start;
    asked.user = &start;
  }
  const toi_status status = solve_and_walk(context, &asked, hit);
  set_at_start(hit);
  if (start.patches != start.pair)
    toi_free(context, start.patches, count * sizeof *start.patches);
  return status;
}

toi_status toi_surface_solve(toi_context *context, const toi_surface_question *question, toi_surface_hit *hit) {
  *hit = toi_surface_near();
  toi_status status =
      question->options->t_max > 0 ? solve_and_walk(context, question, hit) : solve_start(context, question, hit);
  if (status != TOI_OK)
    *hit = toi_surface_near();
  return status;
}

toi_status toi_surface_begin(toi_context *context, const toi_surface_options *options, toi_surface_options *taken,
                             toi_surface_hit *hit) {
  if (hit)
    *hit = toi_surface_near();
  if (context == NULL)
    return TOI_ERROR_INPUT;
  if (hit == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "the hit to fill in is NULL");
  return toi_surface_take_options(context, options, taken);
}

toi_status toi_surface_end_call(toi_context *context, toi_status status, const char *what, toi_surface_hit *hit) {
  if (status != TOI_OK && hit)
    *hit = toi_surface_near();
  if (status == TOI_ERROR_CANCELLED)
    return toi_fail(context, status, "stopped by the progress callback");
  if (status == TOI_ERROR_MEMORY && *toi_context_error(context) == '\0')
    return toi_fail(context, status, "the memory budget is too small for %s; raise it", what);
  return status;
}

static TOI_APART toi_status first_of_pair(toi_context *context, const toi_patch *a, const toi_patch *b,
                                          const toi_surface_options *options, toi_surface_hit *hit) {
  toi_surface_options taken;
  toi_patch patches[2];
  toi_status status = toi_surface_begin(context, options, &taken, hit);
  if (status == TOI_OK)
    status = toi_patch_take(context, a, "the first patch", &patches[0]);
  if (status == TOI_OK)
    status = toi_patch_take(context, b, "the second patch", &patches[1]);
  if (status != TOI_OK)
    return status;
  toi_surface_question question = {.pairs = {&patches[0], &patches[1], 1, 1, NULL, 1, NULL}, .options = &taken};
  status = toi_surface_solve(context, &question, hit);
  return toi_surface_end_call(context, status, "this pair of patches", hit);
}

toi_status toi_patch_pair(toi_context *context, const toi_patch *a, const toi_patch *b,
                          const toi_surface_options *options, toi_surface_hit *hit) {
  TOI_CALL(context, first_of_pair(context, a, b, options, hit));
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
  const toi_surface_options *options = work->options;
  return thread == 0 && !toi_progress_made(work->context, options->progress, options->progress_user,
                                           (double)done / (double)work->count);
}

static toi_status solve_some(void *user, uint32_t thread, size_t begin, size_t end) {
  const batch *work = user;
  for (size_t i = begin; i < end; i++) {
    toi_patch patches[2];
    toi_patch_case one;
    toi_status status = toi_case_take(work->context, work->cases, i, patches, &one);
    if (status != TOI_OK)
      return status;
    toi_surface_options options = *work->options;
    options.t_max = one.t_max;
    options.progress = NULL;
    toi_surface_question question = {
        .pairs = {one.a, one.b, 1, 1, NULL, 1, NULL}, .options = &options, .thread = thread};
    status = toi_surface_solve(work->context, &question, &work->hits[i]);
    if (status != TOI_OK)
      return status;
    if (told_to_stop(work, thread, i + 1))
      return TOI_ERROR_CANCELLED;
  }
  return TOI_OK;
}

/* Every case, before any is answered: a failure says which one. */
static toi_status check_cases(toi_context *context, const toi_patch_case *cases, size_t count) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    toi_patch patches[2];
    toi_patch_case one;
    status = toi_case_take(context, cases, i, patches, &one);
  }
  return status;
}

static TOI_APART toi_status first_of_cases(toi_context *context, const toi_patch_case *cases, size_t count,
                                           const toi_surface_options *options, toi_surface_hit *hits) {
  for (size_t i = 0; i < count && hits != NULL; i++)
    hits[i] = toi_surface_near();
  if (context == NULL || (count > 0 && (cases == NULL || hits == NULL)))
    return toi_fail(context, TOI_ERROR_INPUT, "cases or hits is NULL");
  toi_surface_options taken;
  toi_status status = toi_surface_take_options(context, options, &taken);
  if (status == TOI_OK)
    status = check_cases(context, cases, count);
  if (status != TOI_OK)
    return status;
  batch work = {context, cases, &taken, hits, count};
  status = toi_parallel(context, count, 1, solve_some, &work);
  for (size_t i = 0; i < count && status != TOI_OK; i++)
    hits[i] = toi_surface_near();
  return toi_surface_end_call(context, status, "these cases", NULL);
}

toi_status toi_patch_batch(toi_context *context, const toi_patch_case *cases, size_t count,
                           const toi_surface_options *options, toi_surface_hit *hits) {
  TOI_CALL(context, first_of_cases(context, cases, count, options, hits));
}
