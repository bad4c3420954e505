/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of methods, what they share, and the method `exact`. */

#include "narrow/method.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/distance.h"
#include "narrow/exact.h"
#include "narrow/exact_separation.h"
#include "narrow/place.h"
#include "number/interval.h"

static const toi_method *const built_in[] = {&toi_method_certified,       &toi_method_exact,
                                             &toi_method_tight_inclusion, &toi_method_interval_queue,
                                             &toi_method_time_inclusion,  &toi_method_cubic};
#define BUILT_IN_COUNT (sizeof(built_in) / sizeof(built_in[0]))

const char *toi_method_name(size_t number) {
  return number < BUILT_IN_COUNT ? built_in[number]->name : NULL;
}

const toi_method *toi_method_find(const char *name) {
  if (!name)
    return &toi_method_certified;
  for (size_t i = 0; i < BUILT_IN_COUNT; i++)
    if (strcmp(built_in[i]->name, name) == 0)
      return built_in[i];
  return NULL;
}

const char *toi_method_promise(const char *name) {
  const toi_method *method = name ? toi_method_find(name) : NULL;
  return method ? method->promise : NULL;
}

void toi_count(toi_counters *counters, const toi_hit *hit) {
  counters->queries++;
  counters->verdicts[hit->verdict]++;
  counters->levels[hit->level]++;
}

toi_status toi_separation_of(const toi_chunk *chunk, size_t number, double *d) {
  const toi_options *options = chunk->options;
  const double least = toi_sum_down(options->min_separation, chunk->thickness ? chunk->thickness[number] : 0);
  *d = least;
  if (!(options->separation_fraction > 0))
    return TOI_OK;
  const toi_instant instant = {chunk->kind, toi_query_at(chunk, number), options->norm, chunk->context, chunk->thread};
  const toi_share share = {.factor = options->separation_fraction, .base = least, .lift = least};
  return toi_instant_share(&instant, &share, d);
}

bool toi_all_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

/* Covers all but queries whose coordinates span hundreds of binary digits, and separations. */
#define STACK_SCRATCH 32768

/* One query in integers, with its separation. */
typedef struct exact_task {
  const toi_chunk *chunk;
  const double *query;
  double guess, separation;
} exact_task;

static size_t task_scratch(const exact_task *task) {
  const toi_chunk *chunk = task->chunk;
  return task->separation > 0
             ? toi_exact_separation_scratch(chunk->kind, task->query, task->separation, chunk->options->norm)
             : toi_exact_scratch(chunk->kind, task->query);
}

static void task_run(const exact_task *task, void *scratch, toi_hit *hit) {
  const toi_chunk *chunk = task->chunk;
  toi_norm norm = chunk->options->norm;
  if (!(task->separation > 0)) {
    toi_exact(chunk->kind, task->query, chunk->options->t_max, task->guess, scratch, hit);
    return;
  }
  toi_exact_separation(chunk->kind, task->query, task->separation, norm, chunk->options->t_max, task->guess, scratch,
                       hit);
  if (hit->verdict == TOI_HIT)
    toi_place_nearest(chunk->kind, task->query, norm, hit->t_hi, hit);
}

toi_status toi_exact_in_chunk(const toi_chunk *chunk, size_t number, double guess, toi_hit *hit) {
  exact_task task = {chunk, toi_query_at(chunk, number), guess, 0};
  toi_status status = toi_separation_of(chunk, number, &task.separation);
  if (status != TOI_OK)
    return status;
  size_t size = task_scratch(&task);
  if (!chunk->context && size <= STACK_SCRATCH) {
    _Alignas(64) unsigned char scratch[STACK_SCRATCH];
    task_run(&task, scratch, hit);
    return TOI_OK;
  }
  void *scratch = toi_borrow(chunk->context, chunk->thread, size);
  if (!scratch)
    return TOI_ERROR_MEMORY;
  task_run(&task, scratch, hit);
  toi_give_back(chunk->context, scratch);
  return TOI_OK;
}

static toi_status run_exact(const toi_chunk *chunk) {
  size_t row = 6 * toi_kind_points(chunk->kind);
  for (size_t i = 0; i < chunk->count; i++) {
    if (!toi_all_finite(toi_query_at(chunk, i), row))
      return TOI_ERROR_INPUT;
    toi_status status = toi_exact_in_chunk(chunk, i, NAN, &chunk->hits[i]);
    if (status != TOI_OK)
      return status;
    toi_count(chunk->counters, &chunk->hits[i]);
  }
  return TOI_OK;
}

const toi_method toi_method_exact = {
    "exact",
    "Decides every query in integer arithmetic, without a filter, also with a separation: hit or miss, never near. "
    "The bracket is the tightest pair of doubles around the contact time. The tolerance is not used. Meant for ground "
    "truth, not for speed.",
    run_exact, true};
