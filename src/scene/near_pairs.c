/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The near pairs of a scene.
 *
 * The lists hold every pair that, at the reference positions r, is at most 2 R apart beyond its thickness.
 *
 * Claim: a pair that is not listed stays farther apart than a question asks if N <= R, where, over all vertices i,
 *     N = max (|x0_i - r_i| + (1 + reach) tau |x1_i - x0_i|) + (1 + reach) radius.
 * Why: let T be the thickness of the pair, and F the fraction, 1 + reach >= 1 / (1 - F).
 *   - Points of a primitive are convex combinations of its vertices, and move by no more than the one that moves most.
 *     So the initial distance is e0 + T with e0 > 2 R - s, s the sum of both primitives' largest |x0 - r|.
 *   - Until tau the distance falls by at most W, the sum of their largest displacements: it is e + T, e >= e0 - W.
 *   - The question is about e <= F e0 + 2 radius. If that held, then (1 - F) e0 <= W + 2 radius, and so
 *     2 R - s < (1 + reach) (W + 2 radius); but the right side and s together are at most 2 N.
 * Norms are Euclidean: questions in the maximum norm do without lists. For roundings in each coordinate, which are part
 * of it while vertices move, a radius counts sqrt(3) times. N has fewer than 32 roundings of sums, products and roots
 * of numbers that are not negative: OUTWARD covers them; squares that underflow are far below a radius that is not
 * zero, which is asked for.
 *
 * The same holds for R' instead of R and the pairs that are more than 2 R' apart at r: those are left out of a question
 * with N <= R'. Shells tell which: shell s of a pair says that it is at least s 2 R / SHELLS apart at r, beyond its
 * thickness. So with R' = N the pairs of shells above 2 N SHELLS / (2 R) are left out. Quotients are rounded down for
 * shells and up for questions, by more than their roundings (SHELL_SLACK).
 *
 * A list is made when pairs at one instant are asked about, and vertices have moved little since they were last: far
 * steps are better served by a broad phase each. One that did not fit is tried again later, as scenes change: after 4
 * questions, then 8, up to 64. Which of them answers never shows, but for the time it takes. */

#include "scene/near_pairs.h"

#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "broad/rules.h"
#include "narrow/distance.h"
#include "narrow/distance_kernel.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "number/vector.h"
#include "scene/kept_scene.h"
#include "scene/sort_keys.h"

#define OUTWARD (1 + 0x1p-47)
#define SQRT_3 1.7320508075688774 /* rounded up */

/* Lists reach this many times as far as they are asked for. */
#define FURTHER 1.5

/* Vertices that have moved by less than this part of the radius since the last question have moved little. */
#define LITTLE 0.25

#define STREAM_GRAIN 2048

/* Shells of a list: a byte each. */
#define SHELLS 255
#define SHELL_SLACK 0x1p-40

/* Questions that pass after a list did not fit: at first, and at most. */
#define FIRST_PATIENCE 4
#define MOST_PATIENCE 64

toi_status toi_near_pairs_begin(toi_near_pairs *near, toi_context *context) {
  *near = (toi_near_pairs){.least_refused = INFINITY};
  return toi_pair_lists_begin(&near->lists, context);
}

static size_t reference_size(size_t vertex_count) {
  return vertex_count * TOI_STILL_ROW * sizeof(double);
}

void toi_near_pairs_end(toi_near_pairs *near, size_t vertex_count) {
  if (!near->lists.of)
    return;
  toi_free(near->lists.context, near->reference, reference_size(vertex_count));
  toi_pair_lists_end(&near->lists);
}

/* --- how far vertices are from the reference --- */

static double length(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

/* The radius of the question in the Euclidean norm. */
static double euclidean_radius(const toi_broad_question *question) {
  return question->t_max == 0 ? question->radius : question->radius * SQRT_3;
}

/* N; infinite or NaN where a coordinate is not finite. */
static double radius_needed(const toi_mesh_call *call, const toi_broad_question *question) {
  const toi_near_pairs *near = &call->asked.scene->near;
  const toi_mesh *mesh = &call->asked.mesh;
  const size_t row = mesh->stride / sizeof(double);
  const double *points = mesh->start, tau = question->t_max, grown = (1 + question->reach) * tau;
  double most = 0, finite = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    const double *x0 = points + row * i;
    const double displacement = tau > 0 ? length(x0 + TOI_STILL_ROW, x0) : 0;
    const double own = length(x0, near->reference + TOI_STILL_ROW * i) + grown * displacement;
    most = own > most ? own : most;
    finite += 0 * own;
  }
  return finite == 0 ? (most + (1 + question->reach) * euclidean_radius(question)) * OUTWARD : NAN;
}

/* The present start becomes the reference; false if there is no memory for it. */
static bool remember(toi_near_pairs *near, toi_context *context, const toi_mesh *mesh) {
  const size_t row = mesh->stride / sizeof(double);
  const double *points = mesh->start;
  if (!near->reference)
    near->reference = toi_allocate(context, reference_size(mesh->vertex_count));
  if (!near->reference)
    return false;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    memcpy(near->reference + TOI_STILL_ROW * i, points + row * i, TOI_STILL_ROW * sizeof(double));
  near->referenced = true;
  return true;
}

/* Whether every coordinate of the start is finite. */
static bool start_finite(const toi_mesh *mesh) {
  const size_t row = mesh->stride / sizeof(double);
  const double *points = mesh->start;
  double sum = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    for (size_t k = 0; k < 3; k++)
      sum += 0 * points[row * i + k];
  return sum == 0;
}

/* --- making the lists --- */

typedef struct list_job {
  const toi_mesh_call *call;
  toi_near_pairs *near;
  toi_plane_question question;
} list_job;

static toi_status list_pairs(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs, size_t count) {
  const list_job *job = user;
  toi_pair open[TOI_FILTER_PAIRS];
  for (size_t begin = 0; begin < count; begin += TOI_FILTER_PAIRS) {
    const size_t size = count - begin < TOI_FILTER_PAIRS ? count - begin : TOI_FILTER_PAIRS;
    const size_t left =
        toi_mesh_call_filter(job->call, thread, (toi_kind)join, &job->question, pairs + begin, size, open);
    toi_pair_lists_add(&job->near->lists, thread, (toi_kind)join, open, left);
  }
  // Without room for them there is no use in going on.
  return job->near->lists.given_up ? TOI_ERROR_MEMORY : TOI_OK;
}

/* In order, so that what is made of them is in order too, and lies together. Left as they are without memory. */
static toi_status sort_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const toi_near_pairs *near = user;
  toi_context *context = near->lists.context;
  (void)thread;
  for (size_t i = begin; i < end; i++) {
    const toi_pair_list *list = &near->lists.of[i / TOI_KIND_COUNT][i % TOI_KIND_COUNT];
    toi_sort_key *keys = list->count > 1 ? toi_allocate(context, list->count * sizeof *keys) : NULL;
    if (!keys)
      continue;
    for (size_t k = 0; k < list->count; k++)
      keys[k] = (toi_sort_key){list->pairs[k].first, (uint64_t)list->pairs[k].second << 32};
    toi_sort_keys(context, keys, list->count);
    for (size_t k = 0; k < list->count; k++)
      list->pairs[k] = (toi_pair){(uint32_t)keys[k].high, (uint32_t)(keys[k].low >> 32)};
    toi_free(context, keys, list->count * sizeof *keys);
  }
  return TOI_OK;
}

/* Whether a list may be tried, after one that did not fit. */
static bool may_fit(toi_near_pairs *near, double radius) {
  if (radius < near->least_refused || near->waiting == 0)
    return true;
  near->waiting--;
  return false;
}

static void note_fit(toi_near_pairs *near, bool fits) {
  near->least_refused = fits ? INFINITY : near->radius;
  near->patience = fits ? 0 : near->patience ? 2 * near->patience : FIRST_PATIENCE;
  near->patience = near->patience > MOST_PATIENCE ? MOST_PATIENCE : near->patience;
  near->waiting = near->patience;
}

/* --- shells --- */

typedef struct shell_job {
  const toi_mesh_call *call;
  const toi_near_pairs *near;
  toi_kind kind;
  const toi_pair_list *list;
} shell_job;

static uint8_t shell_of(const shell_job *job, toi_pair pair, double lo) {
  const toi_mesh *mesh = &job->call->asked.mesh;
  const double thickness = toi_mesh_is_thick(mesh) ? toi_pair_thickness(job->kind, mesh, pair) : 0;
  const double shell = (lo - toi_next_up(thickness)) / (2 * job->near->radius) * (SHELLS * (1 - SHELL_SLACK));
  return shell > 0 ? (uint8_t)toi_smaller(shell, SHELLS) : 0;
}

static toi_status shell_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const shell_job *job = user;
  const toi_pair_instants at = {toi_mesh_call_points(job->call), job->kind, TOI_NORM_L2, job->call->context, thread};
  toi_distance distances[TOI_DISTANCE_PAIRS];
  const toi_status status =
      toi_pair_distances(&at, job->list->pairs + begin, end - begin, distances, sizeof distances[0]);
  for (size_t i = begin; i < end && status == TOI_OK; i++)
    job->list->shells[i] = shell_of(job, job->list->pairs[i], distances[i - begin].lo);
  return status;
}

/* The shells of all lists, around the reference, which is the start. Without memory there are none. */
static bool make_shells(const toi_mesh_call *call) {
  toi_near_pairs *near = &call->asked.scene->near;
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < toi_context_threads(call->context); i++)
    for (int kind = 0; kind < TOI_KIND_COUNT && status == TOI_OK; kind++) {
      toi_pair_list *list = &near->lists.of[i][kind];
      if (list->count == 0)
        continue;
      if (!toi_pair_list_shells(call->context, list))
        return false;
      shell_job job = {call, near, (toi_kind)kind, list};
      status = toi_parallel(call->context, list->count, TOI_DISTANCE_PAIRS, shell_task, &job);
    }
  return status == TOI_OK;
}

/* Lists around the reference. What the caller's filter says may change, so that it is asked later. */
static toi_status make_lists(const toi_mesh_call *call, const toi_broad_question *question) {
  toi_near_pairs *near = &call->asked.scene->near;
  toi_context *context = call->context;
  toi_mesh_options options = *question->options;
  toi_work work = {.passes = 0};
  const double radius = FURTHER * euclidean_radius(question);
  list_job job = {call, near, {.separation = toi_next_up(2 * radius)}};
  options.may_collide = NULL;
  options.work = &work;
  toi_broad_question all = *question;
  all.options = &options;
  all.radius = toi_next_up(radius);
  all.first_begin = 0;
  all.first_end = UINT32_MAX;
  all.kinds = TOI_ALL_KINDS;
  all.consume = list_pairs;
  all.user = &job;
  toi_pair_lists_clear(&near->lists);
  near->listed = false;
  toi_status status = toi_broad_run(context, &all);
  if (status == TOI_OK)
    status = toi_parallel(context, (size_t)toi_context_threads(context) * TOI_KIND_COUNT, 1, sort_task, near);
  if (question->options->work)
    question->options->work->broad_ns += work.broad_ns + work.narrow_ns;
  near->radius = radius;
  near->listed = status == TOI_OK;
  if (status != TOI_ERROR_MEMORY && status != TOI_OK)
    return status;
  near->shelled = near->listed && make_shells(call);
  note_fit(near, status == TOI_OK);
  // Without lists, if they did not fit.
  if (!near->listed)
    toi_pair_lists_clear(&near->lists);
  toi_clear_error(context);
  return TOI_OK;
}

/* --- streaming them --- */

typedef struct stream_job {
  const toi_broad_question *question;
  toi_kind kind;
  const toi_pair *pairs;
  const uint8_t *shells; /* NULL: none */
  uint8_t last_shell;    /* pairs of larger ones are left out */
  atomic_uint_fast64_t handed_on;
} stream_job;

/* Drops pairs that the question is not about. */
static size_t keep_asked(const stream_job *job, const toi_pair *pairs, size_t count, toi_pair *kept) {
  const toi_broad_question *q = job->question;
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    kept[left] = pairs[i];
    left += pairs[i].first >= q->first_begin && pairs[i].first < q->first_end &&
            toi_may_collide(q->options, job->kind, pairs[i].first, pairs[i].second);
  }
  return left;
}

/* Drops pairs of larger shells. */
static size_t keep_near(const uint8_t *shells, uint8_t last, const toi_pair *pairs, size_t count, toi_pair *kept) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) {
    kept[left] = pairs[i];
    left += shells[i] <= last;
  }
  return left;
}

static toi_status stream_task(void *user, uint32_t thread, size_t begin, size_t end) {
  stream_job *job = user;
  const toi_broad_question *q = job->question;
  const toi_pair *pairs = job->pairs + begin;
  toi_pair kept[STREAM_GRAIN];
  size_t count = end - begin;
  if (job->shells && job->last_shell < SHELLS) {
    count = keep_near(job->shells + begin, job->last_shell, pairs, count, kept);
    pairs = kept;
  }
  if (q->options->may_collide || q->first_begin > 0 || q->first_end < UINT32_MAX) {
    count = keep_asked(job, pairs, count, kept);
    pairs = kept;
  }
  atomic_fetch_add_explicit(&job->handed_on, count, memory_order_relaxed);
  return count > 0 ? q->consume(q->user, thread, (toi_join_kind)job->kind, pairs, count) : TOI_OK;
}

/* The largest shell that a question with N is about. */
static uint8_t shell_limit(const toi_near_pairs *near, double needed) {
  const double shell = needed / near->radius * (SHELLS * (1 + SHELL_SLACK));
  return shell < SHELLS ? (uint8_t)shell : SHELLS;
}

static toi_status stream_lists(toi_context *context, const toi_near_pairs *near, const toi_broad_question *question,
                               double needed) {
  const uint64_t begin = toi_clock();
  const toi_mesh_options *options = question->options;
  if (!toi_progress_made(context, options->progress, options->progress_user, question->done_before)) {
    if (question->stopped)
      *question->stopped = true;
    return toi_fail(context, TOI_ERROR_CANCELLED, "stopped by the progress callback");
  }
  toi_work *work = question->options->work;
  toi_status status = TOI_OK;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    stream_job job = {.question = question, .kind = (toi_kind)kind, .last_shell = shell_limit(near, needed)};
    for (uint32_t i = 0; i < toi_context_threads(context) && status == TOI_OK && question->kinds >> kind & 1; i++) {
      const toi_pair_list *list = &near->lists.of[i][kind];
      job.pairs = list->pairs;
      job.shells = near->shelled ? list->shells : NULL;
      status = toi_parallel(context, list->count, STREAM_GRAIN, stream_task, &job);
    }
    if (work)
      work->candidates[kind] += job.handed_on;
  }
  if (work) {
    work->narrow_ns += toi_clock() - begin;
    work->passes++;
  }
  return status;
}

toi_status toi_near_pairs_stream(const toi_mesh_call *call, const toi_broad_question *question, bool *streamed) {
  toi_near_pairs *near = &call->asked.scene->near;
  const toi_mesh *mesh = &call->asked.mesh;
  *streamed = false;
  // The lists are of loose primitives where other kinds cover the rest, and of Euclidean distances.
  const unsigned others = question->kinds & ~TOI_HALF_SPACES;
  const bool listable = others != 0 && (others & ~TOI_ALL_KINDS) == 0 && question->every == 0;
  if (mesh->vertex_count == 0 || !listable || call->asked.options.norm != TOI_NORM_L2)
    return TOI_OK;
  const double needed = near->referenced ? radius_needed(call, question) : INFINITY;
  if (near->listed && needed <= near->radius) {
    *streamed = true;
    return stream_lists(call->context, near, question, needed);
  }
  if (question->t_max > 0 || !(question->radius > 0x1p-400) || !start_finite(mesh))
    return TOI_OK;
  const double radius = euclidean_radius(question);
  const bool little = needed <= (1 + LITTLE) * radius;
  near->listed = false;
  if (!remember(near, call->context, mesh)) {
    toi_clear_error(call->context);
    return TOI_OK;
  }
  if (!little || !may_fit(near, FURTHER * radius))
    return TOI_OK;
  const toi_status status = make_lists(call, question);
  if (status != TOI_OK || !near->listed)
    return status;
  *streamed = true;
  return stream_lists(call->context, near, question, radius_needed(call, question));
}
