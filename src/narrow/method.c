/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of methods, what they share, and the method `exact`. */

#include "narrow/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/exact.h"

static const toi_method *const built_in[] = {&toi_method_certified, &toi_method_exact};
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

toi_hit toi_hit_miss(double t_max, toi_level level) {
  toi_hit hit = {.t_lo = INFINITY, .t_hi = INFINITY, .t_safe = t_max, .u = NAN, .v = NAN, .distance = NAN};
  hit.verdict = TOI_MISS;
  hit.level = (uint8_t)level;
  return hit;
}

toi_hit toi_hit_unknown(void) {
  toi_hit hit = {.t_lo = 0, .t_hi = 1, .u = NAN, .v = NAN, .tolerance_reached = INFINITY, .distance = NAN};
  hit.verdict = TOI_NEAR;
  return hit;
}

void toi_count(toi_counters *counters, const toi_hit *hit) {
  counters->queries++;
  counters->verdicts[hit->verdict]++;
  counters->levels[hit->level]++;
}

toi_status toi_separation_of(const toi_chunk *chunk, size_t number, double *d) {
  (void)number;
  *d = chunk->options->min_separation;
  return TOI_OK;
}

bool toi_all_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i]))
      return false;
  return true;
}

/* Covers all but queries whose coordinates span hundreds of binary digits. */
#define STACK_SCRATCH 32768

toi_status toi_exact_in_chunk(const toi_chunk *chunk, size_t number, double guess, toi_hit *hit) {
  const double *query = toi_query_at(chunk, number);
  size_t size = toi_exact_scratch(chunk->kind, query);
  if (chunk->context) {
    void *scratch = toi_scratch(chunk->context, chunk->thread, size);
    if (!scratch)
      return TOI_ERROR_MEMORY;
    toi_exact(chunk->kind, query, chunk->options->t_max, guess, scratch, hit);
    return TOI_OK;
  }
  if (size <= STACK_SCRATCH) {
    _Alignas(64) unsigned char scratch[STACK_SCRATCH];
    toi_exact(chunk->kind, query, chunk->options->t_max, guess, scratch, hit);
    return TOI_OK;
  }
  void *scratch = aligned_alloc(64, (size + 63) / 64 * 64);
  if (!scratch)
    return TOI_ERROR_MEMORY;
  toi_exact(chunk->kind, query, chunk->options->t_max, guess, scratch, hit);
  free(scratch);
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
    "Decides every query in integer arithmetic, without a filter: hit or miss, never near. The bracket is the tightest "
    "pair of doubles around the contact time. The tolerance is not used. Made for ground truth, not for speed.",
    run_exact, false};
