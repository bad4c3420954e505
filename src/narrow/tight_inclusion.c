/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `tight-inclusion` (Wang 2021; no_zero_toi: Belgrod 2023, appendix B): the filter, the question, the
 * memory and the answer. The search is in tight_inclusion_body.h.
 *
 * Claim: on each axis, the interval that the kernel computes for F over a box of parameters, widened on both sides by
 *
 *   filter = 11 e M + 2^-1070,   e = 2^-53,   M = |p| + |a| + |b|, each the larger of its values at start and end,
 *
 * holds the exact one. (p, a, b: tight_inclusion.h; parameters in [0, 1].) In terms of the largest coordinate X of the
 * query or the scene, M <= 6 X: filter = 66 e X = 7.4e-15 X, linear in X, not cubic, and not bounded from below by 1.
 *
 * Why. All terms are to first order in e; the excess of the constant over those below, at least 4 %, covers the rest.
 * 1. p is one rounded subtraction, wrong by e |p|; so is every mean of its two ends, by e Mp (Mp: its larger end).
 * 2. dp = p1 - p0 rounds by 2 e Mp at most; t dp by another 2 e Mp; the sum by e Mp. With 1: p(t) is within 6 e Mp of
 *    the exact one, and so are a(t) and b(t) of theirs. In p + u a + v b with u, v in [0, 1] that makes 6 e M.
 * 3. From here on the rounded p, a and b are what they are. The centre c = (p + uc a) + vc b has four roundings: e Ma,
 *    e (Mp + Ma), e Mb, e M. Together at most e (2 Mp + 3 Ma + 2 Mb).
 * 4. The radius hu |a| + hv |b|, with hu, hv <= 1/2 powers of two, rounds once: e (Ma + Mb) / 2.
 * 5. The ends c - r and c + r round once more: e M, as |c| + r <= M. Where c is compared with r + reach instead, only
 *    that sum rounds, by e (Ma + Mb) / 2 and e reach (see below).
 * Together e (9 Mp + 10.5 Ma + 9.5 Mb). Products in the subnormal range are wrong by 2^-1075 each, and there are seven.
 * The times t_lo and t_max are any doubles; corners and middles in u and v are dyadic and exact.
 *
 * With a separation d, filter (8) of the paper: reach = (filter + d)(1 + 4 e), which covers its own two roundings and
 * the e reach of 5. A ball: the gaps of the widened box, each within a factor (1 - e) of a lower bound, squared and
 * summed, lose less than a factor (1 - 8 e) and 2^-1072; d squared is raised by (1 + 16 e) and 2^-1020.
 *
 * Sizes M beyond 2^1000 are not searched: they are near from 0. Below, nothing overflows but the squares of a ball,
 * which then prune nothing. */

#include "narrow/tight_inclusion.h"

#include "base/internal.h"
#include "narrow/method.h"

#define FILTER_FACTOR (11 * 0x1p-53)
#define FILTER_LEAST 0x1p-1070
#define LARGEST_SIZE 0x1p1000

/* m_I of the paper. */
#define DEFAULT_CHECKS 1000000

/* The queue: on the stack; then, from the beginning, in larger and larger memory; 64 MiB are the method's limit. */
#define FIRST_BYTES ((size_t)16 << 10)
#define GROWTH 16
#define MOST_BYTES ((size_t)64 << 20)

/* no_zero_toi: where the budget ends with t_lo = 0, the time asked about is cut to this part, so many times. */
#define HORIZON_PART 0x1p-4
#define HORIZON_CUTS 8

/* Queries ahead whose coordinates are called for: by the time they are needed they have come from memory. */
#define AHEAD 6

typedef struct worker {
  const toi_chunk *chunk;
  toi_hit apart; /* the answer to most queries */
  const toi_tight_kernel *kernel;
  void *own; /* of single calls, which have no context */
  size_t own_bytes;
} worker;

static void *memory_of(worker *w, size_t bytes) {
  if (w->chunk->context)
    return toi_scratch(w->chunk->context, w->chunk->thread, bytes);
  if (w->own_bytes < bytes) {
    toi_give_back(NULL, w->own);
    w->own = toi_borrow(NULL, 0, bytes);
    w->own_bytes = w->own ? bytes : 0;
  }
  return w->own;
}

static toi_status search_with_memory(worker *w, const toi_tight_query *query, toi_tight_answer *answer) {
  uint64_t first[FIRST_BYTES / sizeof(uint64_t)];
  w->kernel->search(query, first, sizeof(first), answer);
  for (size_t bytes = FIRST_BYTES * GROWTH; answer->end == TOI_SEARCH_FULL && bytes <= MOST_BYTES; bytes *= GROWTH) {
    void *memory = memory_of(w, bytes);
    if (!memory)
      return TOI_ERROR_MEMORY;
    w->kernel->search(query, memory, bytes, answer);
  }
  return TOI_OK;
}

/* The smallest power of two that is not smaller; 0 for 0. */
static double power_above(double t) {
  int exponent;
  return t == 0 ? 0 : ldexp(1, frexp(t, &exponent) == 0.5 ? exponent - 1 : exponent);
}

bool toi_tight_ask(toi_kind kind, const toi_options *options, double d, toi_tight_query *query) {
  bool searchable = d <= LARGEST_SIZE;
  for (int i = 0; i < 3; i++) {
    // A scene's filter is for its largest coordinates, whatever this query has.
    double scene = 6 * options->scene_bound[i], size = query->size[i] < scene ? scene : query->size[i];
    searchable &= size <= LARGEST_SIZE;
    query->filter[i] = FILTER_FACTOR * size + FILTER_LEAST;
    query->reach[i] = (query->filter[i] + d) * (1 + 0x1p-51);
  }
  // Nothing exceeds the reach of what fills the lanes.
  query->filter[3] = query->reach[3] = 0;
  query->d = d;
  query->euclidean = options->norm == TOI_NORM_L2;
  query->d_squared = query->euclidean && d > 0 ? d * d * (1 + 0x1p-49) + 0x1p-1020 : 0;
  query->tolerance = options->tolerance;
  query->t_max = options->t_max;
  query->max_checks = options->max_checks ? options->max_checks : DEFAULT_CHECKS;
  query->no_zero = options->no_zero_toi;
  query->triangle = kind == TOI_VERTEX_FACE;
  query->width[0] = power_above(options->t_max);
  query->width[1] = kind == TOI_VERTEX_VERTEX ? 0 : 1;
  query->width[2] = kind == TOI_VERTEX_FACE || kind == TOI_EDGE_EDGE ? 1 : 0;
  return searchable;
}

/* The budget ended before the start of the step was cleared: ask about shorter and shorter times, so that it suffices
 * for them. Where nothing touches in one, its end is where the open time begins. */
static toi_status leave_zero(worker *w, toi_tight_query *query, toi_tight_answer *answer) {
  double t_max = query->t_max;
  for (int cut = 0; cut < HORIZON_CUTS; cut++) {
    toi_tight_answer part;
    query->t_max *= HORIZON_PART;
    query->width[0] = power_above(query->t_max);
    toi_status status = search_with_memory(w, query, &part);
    if (status != TOI_OK)
      return status;
    if (part.end == TOI_SEARCH_EMPTY) {
      answer->t = query->t_max;
      answer->t_end = answer->t_end > answer->t ? answer->t_end : t_max;
      return TOI_OK;
    }
    if (part.t > 0 || part.end == TOI_SEARCH_FOUND) {
      *answer = part;
      return TOI_OK;
    }
  }
  return TOI_OK;
}

toi_hit toi_tight_near(double t_lo, double t_hi, double tolerance) {
  toi_hit hit = toi_hit_unknown();
  hit.level = TOI_LEVEL_SEARCH;
  hit.t_lo = t_lo;
  hit.t_hi = t_hi;
  hit.t_safe = t_lo > 0 ? nextafter(t_lo, 0) : 0;
  hit.tolerance_reached = tolerance;
  return hit;
}

static toi_status answer_one(worker *w, size_t number, toi_hit *hit) {
  const toi_chunk *chunk = w->chunk;
  const toi_options *options = chunk->options;
  toi_tight_query query;
  if (!w->kernel->load(chunk->kind, toi_query_at(chunk, number), &query))
    return TOI_ERROR_INPUT;
  double d = 0;
  toi_status status = TOI_OK;
  if (toi_chunk_separates(chunk))
    status = toi_separation_of(chunk, number, &d);
  if (status != TOI_OK)
    return status;

  bool searchable = toi_tight_ask(chunk->kind, options, d, &query);
  toi_tight_answer answer = {.end = TOI_SEARCH_EMPTY};
  if (!searchable) {
    *hit = toi_tight_near(0, options->t_max, INFINITY);
  } else if (w->kernel->apart(&query)) {
    *hit = w->apart;
  } else {
    w->kernel->set_kappa(&query);
    status = search_with_memory(w, &query, &answer);
    bool cut_short = answer.end == TOI_SEARCH_SPENT || answer.end == TOI_SEARCH_FULL;
    if (status == TOI_OK && query.no_zero && cut_short && answer.t == 0)
      status = leave_zero(w, &query, &answer);
    *hit = toi_hit_miss(options->t_max, TOI_LEVEL_SEARCH);
  }
  if (answer.end != TOI_SEARCH_EMPTY) {
    *hit = toi_tight_near(answer.t, answer.t_end, fmax(answer.distance - d, 0));
    hit->u = answer.u;
    hit->v = answer.v;
  }
  hit->separation = d;
  return status;
}

static void call_for(const toi_chunk *chunk, size_t number) {
  if (number >= chunk->count)
    return;
  const char *row = (const char *)toi_query_at(chunk, number);
  for (size_t i = 0; i < 3; i++)
    __builtin_prefetch(row + 64 * i);
}

const toi_tight_kernel *toi_tight_kernel_best(void) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return &toi_tight_kernel_avx2;
#endif
  return &toi_tight_kernel_base;
}

static toi_status run(const toi_chunk *chunk) {
  worker w = {.chunk = chunk, .kernel = toi_tight_kernel_best()};
  w.apart = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++) {
    call_for(chunk, i + AHEAD);
    status = answer_one(&w, i, &chunk->hits[i]);
    if (status == TOI_OK)
      toi_count(chunk->counters, &chunk->hits[i]);
  }
  toi_give_back(NULL, w.own);
  return status;
}

const toi_method toi_method_tight_inclusion = {
    "tight-inclusion",
    "After Wang 2021: bisects boxes of time and parameters, level by level, until none is left or the earliest is "
    "small. A miss is proved for every finite input, and nothing touches before t_lo; contact is never proved, so "
    "everything else is near. The tolerance, a distance, bounds the box of differences on each axis; where motion is "
    "slow the time may be early by more. After max_checks boxes (default 1e6), or with 64 MiB of them, it answers "
    "with what it has; tolerance_reached says how close the primitives come.",
    run, true};
