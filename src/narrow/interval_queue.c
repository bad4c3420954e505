/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `interval-queue` (Belgrod 2023, section 6.3 and algorithm 3) on threads, in doubles: the intervals of all
 * queries of a chunk in one queue, and the next level in another one.
 *
 * An interval that begins at or after the time found for its query is left; one whose box of F stays clear of 0 is
 * dropped; one that is small is a time found; the others are halved. Boxes, filter and halving are those of
 * `tight-inclusion` (tight_inclusion.h), with the same proof: no contact is missed.
 *
 * Queues have a fixed size, and never grow (section 6.4). Where one has no room the queries are done again in halves; a
 * query that fills it alone ends with the earliest interval that is left. Its answer does not depend on the others.
 *
 * Where the caller asks for the earliest contact of all, times found are shared: what begins after the least of them is
 * left for every query. Intervals that begin with it are not, so that ties are met on every run. */

#include <stdatomic.h>

#include "narrow/interval_queue.h"

/* Both queues of a thread together; less where the budget has less. Single calls, whose memory is fresh, begin with
 * little. */
#define QUEUE_BYTES ((size_t)4 << 20)
#define LEAST_BYTES ((size_t)64 << 10)

/* m_I of Wang 2021, for each query. */
#define DEFAULT_CHECKS 1000000

/* A box of one query's parameters: corner, and how often each width was halved. */
typedef struct interval {
  double corner[TOI_TIGHT_PARAMETERS];
  uint32_t query;
  uint8_t halved[TOI_TIGHT_PARAMETERS];
} interval;

/* A query that its first box leaves open. */
typedef struct open_query {
  toi_tight_query asked;
  size_t number; /* in the chunk */
  uint64_t checks;
  double t; /* found, the box it begins; infinite: none was */
  toi_tight_box found;
} open_query;

typedef struct worker {
  const toi_chunk *chunk;
  const toi_tight_kernel *kernel;
  open_query *open;
  size_t open_count;
  interval *queues[2];
  size_t capacity; /* of either */
  bool cut;        /* a query filled a queue alone */
} worker;

/* --- intervals --- */

/* 2^-n for n up to 1022. */
static double part_of(unsigned n) {
  const uint64_t bits = (uint64_t)(1023 - n) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static toi_tight_box box_of(const worker *w, const interval *at) {
  const toi_tight_query *query = &w->open[at->query].asked;
  toi_tight_box box;
  for (int i = 0; i < TOI_TIGHT_PARAMETERS; i++) {
    box.corner[i] = at->corner[i];
    box.width[i] = query->width[i] * part_of(at->halved[i]);
  }
  return box;
}

/* The caller's least time; infinite if it has none. */
static double limit_of(const toi_chunk *chunk) {
  return chunk->limit ? atomic_load_explicit(chunk->limit, memory_order_relaxed) : INFINITY;
}

/* A time is found for a query. */
static void note(worker *w, const interval *at) {
  open_query *own = &w->open[at->query];
  if (at->corner[0] >= own->t)
    return;
  own->t = at->corner[0];
  own->found = box_of(w, at);
}

/* The halves of an interval; returns how many, two but outside the triangle. */
static size_t halve(const worker *w, const interval *at, int split, interval halves[2]) {
  const toi_tight_query *query = &w->open[at->query].asked;
  halves[0] = *at;
  halves[0].halved[split]++;
  halves[1] = halves[0];
  halves[1].corner[split] += query->width[split] * part_of(halves[0].halved[split]);
  if (split == 0)
    return halves[1].corner[0] <= query->t_max ? 2 : 1;
  return query->triangle && halves[1].corner[1] + halves[1].corner[2] > 1 ? 1 : 2;
}

/* ProcessInterval of algorithm 3. Returns how many intervals are left of it. */
static size_t process(worker *w, const interval *at, interval halves[2]) {
  open_query *own = &w->open[at->query];
  if (at->corner[0] >= own->t || at->corner[0] > limit_of(w->chunk))
    return 0;
  if (own->checks++ >= own->asked.max_checks) {
    note(w, at);
    return 0;
  }
  const toi_tight_box box = box_of(w, at);
  int split;
  switch (w->kernel->judge(&own->asked, &box, &split)) {
  case TOI_BOX_PRUNED:
    return 0;
  case TOI_BOX_ACCEPTED:
    note(w, at);
    return 0;
  default:
    return halve(w, at, split, halves);
  }
}

/* --- queues --- */

/* The whole domains of some queries. */
static void begin_queue(worker *w, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    w->queues[0][i] = (interval){.query = (uint32_t)(first + i)};
    w->open[first + i].checks = 0;
    w->open[first + i].t = INFINITY;
  }
}

/* All levels of some queries; false if a queue had no room for them. */
static bool run_queue(worker *w, size_t first, size_t count) {
  begin_queue(w, first, count);
  interval *now = w->queues[0], *next = w->queues[1];
  for (size_t size = count, more; size > 0; size = more) {
    more = 0;
    for (size_t i = 0; i < size; i++) {
      interval halves[2];
      const size_t left = process(w, &now[i], halves);
      if (more + left > w->capacity && count > 1)
        return false;
      for (size_t k = 0; k < left; k++) {
        // One query alone: the earliest that is left is its answer.
        const bool fits = more < w->capacity;
        w->cut |= !fits;
        if (fits)
          next[more++] = halves[k];
        else
          note(w, &halves[k]);
      }
    }
    interval *swapped = now;
    now = next;
    next = swapped;
  }
  return true;
}

/* All open queries: as many at a time as the queues have room for. */
static void run_queries(worker *w) {
  size_t size = w->open_count < w->capacity ? w->open_count : w->capacity;
  for (size_t first = 0; first < w->open_count;) {
    const size_t left = w->open_count - first, count = size < left ? size : left;
    if (run_queue(w, first, count)) {
      first += count;
      size *= 2;
      size = size < w->capacity ? size : w->capacity;
    } else {
      size = count / 2;
    }
  }
}

/* --- a chunk --- */

/* Queries, and queues of so many bytes; NULL if there is no memory. */
static void *make_room(worker *w, size_t queues) {
  const size_t queries = w->chunk->count * sizeof(open_query);
  char *memory = toi_borrow(w->chunk->context, w->chunk->thread, queries + queues);
  if (!memory)
    return NULL;
  w->open = (void *)memory;
  w->open_count = 0;
  w->cut = false;
  w->capacity = queues / 2 / sizeof(interval);
  w->queues[0] = (void *)(memory + queries);
  w->queues[1] = w->queues[0] + w->capacity;
  return memory;
}

toi_hit toi_interval_answer(const toi_tight_kernel *kernel, const toi_tight_query *query, const toi_tight_box *found) {
  const double t = found->corner[0], end = t + found->width[0];
  const double reached = kernel->distance(query, found) - query->d;
  toi_hit hit = toi_tight_near(t, end < query->t_max ? end : query->t_max, reached > 0 ? reached : 0);
  hit.u = found->corner[1];
  hit.v = found->corner[2];
  hit.separation = query->d;
  return hit;
}

/* A query of the chunk; the answer, unless it is open. */
static toi_status load(worker *w, size_t number, double d) {
  const toi_chunk *chunk = w->chunk;
  open_query *own = &w->open[w->open_count];
  if (!w->kernel->load(chunk->kind, toi_query_at(chunk, number), &own->asked))
    return TOI_ERROR_INPUT;
  own->number = number;
  toi_hit *hit = &chunk->hits[number];
  *hit = toi_hit_miss(chunk->options->t_max, TOI_LEVEL_BOX);
  if (!toi_tight_ask(chunk->kind, chunk->options, d, &own->asked))
    *hit = toi_tight_near(0, chunk->options->t_max, INFINITY);
  else if (!w->kernel->apart(&own->asked)) {
    w->kernel->set_kappa(&own->asked);
    if (chunk->options->max_checks == 0)
      own->asked.max_checks = DEFAULT_CHECKS;
    w->open_count++;
  }
  hit->separation = d;
  return TOI_OK;
}

static toi_status answer_all(worker *w, const double *separations) {
  const toi_chunk *chunk = w->chunk;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++)
    status = load(w, i, separations[i]);
  if (status != TOI_OK)
    return status;
  run_queries(w);
  for (size_t i = 0; i < w->open_count; i++) {
    const open_query *own = &w->open[i];
    toi_hit *hit = &chunk->hits[own->number];
    hit->level = TOI_LEVEL_SEARCH;
    if (own->t < INFINITY)
      *hit = toi_interval_answer(w->kernel, &own->asked, &own->found);
  }
  return TOI_OK;
}

static toi_status answer_with(worker *w, size_t queues, const double *separations) {
  void *memory = make_room(w, queues);
  if (!memory)
    return TOI_ERROR_MEMORY;
  const toi_status status = answer_all(w, separations);
  toi_give_back(w->chunk->context, memory);
  return status;
}

/* With queues of the full size, or as large as the budget allows; single calls with small ones where they do. */
static toi_status answer(worker *w, const double *separations) {
  toi_context *context = w->chunk->context;
  toi_status status;
  if (!context) {
    status = answer_with(w, LEAST_BYTES, separations);
    return status == TOI_OK && w->cut ? answer_with(w, QUEUE_BYTES, separations) : status;
  }
  size_t queues = QUEUE_BYTES;
  for (; queues > LEAST_BYTES; queues /= 4) {
    status = answer_with(w, queues, separations);
    if (status != TOI_ERROR_MEMORY)
      return status;
    toi_clear_error(context);
  }
  return answer_with(w, queues, separations);
}

static toi_status run(const toi_chunk *chunk) {
  worker w = {.chunk = chunk, .kernel = toi_tight_kernel_best()};
  double separations[TOI_CHUNK_QUERIES] = {0};
  assert(chunk->count <= TOI_CHUNK_QUERIES);
  for (size_t i = 0; i < chunk->count && toi_chunk_separates(chunk); i++) {
    if (!toi_all_finite(toi_query_at(chunk, i), 6 * toi_kind_points(chunk->kind)))
      return TOI_ERROR_INPUT;
    const toi_status status = toi_separation_of(chunk, i, &separations[i]);
    if (status != TOI_OK)
      return status;
  }
  // Separations may have used the thread's scratch, which is the queues' from here on.
  const toi_status status = answer(&w, separations);
  for (size_t i = 0; i < chunk->count && status == TOI_OK; i++)
    toi_count(chunk->counters, &chunk->hits[i]);
  return status;
}

const toi_method toi_method_interval_queue = {
    "interval-queue",
    "After Belgrod 2023: tight-inclusion for processors with many lanes. The boxes of many queries are halved level by "
    "level in one queue, which has a fixed size; a box that begins no earlier than the time found for its query is "
    "dropped. A miss is proved for every finite input, and nothing touches before t_lo; contact is never proved, so "
    "everything else is near. The tolerance is that of tight-inclusion. After max_checks boxes of a query (default "
    "1e6), or where it fills the queue alone, it answers with the earliest that is left. For comparison.",
    run, true};
