/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi demo --queries`: queries of every class, with planted truth, decided by `certified` and by `exact`.
 *
 * An answer is wrong if its verdict is not the truth's; if the true time is known and `exact`'s bracket is not the
 * truth's, or `certified`'s does not hold it; or if `certified`'s bracket is wider than 2^-48 or does not hold
 * `exact`'s. With a separation `certified` may leave a query open; such an answer is wrong only if its t_lo is late.
 * Queries are made and answered block by block, so that twenty million take no more memory than a thousand. */

#include "demo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>

#include "answers.h"
#include "memory.h"
#include "options.h"
#include "planted/grazing.h"
#include "progress.h"
#include "session.h"

#define BLOCK_QUERIES 4096
#define GROUP_QUERIES 256 /* of a block that shares one separation */
#define QUERY_DOUBLES 24
#define CERTIFICATES 64

/* The two kinds that have query files. */
enum { FILES = 2 };

typedef struct demo {
  demo_options options;
  demo_result result;
  toi_context *context;
  toi_output *outputs[FILES]; /* by toi_kind */
  output certificates;
  uint64_t done;

  /* One block. */
  double *points;
  uint8_t *truth;
  planted_query *planted;
  toi_hit *certified, *exact;
} demo;

/* The queries of one class and kind that are made and answered together. */
typedef struct block {
  uint32_t number;
  toi_kind kind;
  uint64_t first; /* index of its first query */
  size_t count;
  bool opening;        /* the first of its class and kind */
  grazing_group group; /* with a separation */
} block;

/* --- the classes to choose from --- */

static bool always(uint32_t number) {
  (void)number;
  return true;
}

static const demo_catalog touching = {planted_class_count, planted_class_name, planted_class_description,
                                      planted_class_has, planted_class_is_degenerate};
static const demo_catalog grazing = {grazing_class_count, grazing_class_name, grazing_class_description,
                                     grazing_class_has, always};

/* --- one block --- */

static void block_make(demo *d, const block *b) {
  size_t size = 6 * (size_t)toi_kind_points(b->kind);
  for (size_t i = 0; i < b->count; i++) {
    planted_query *query = &d->planted[i];
    if (d->options.grazing)
      grazing_make(b->number, b->kind, &b->group, d->options.seed, b->first + i, query);
    else
      planted_make(b->number, b->kind, d->options.seed, b->first + i, query);
    memcpy(d->points + i * size, query->points, size * sizeof(double));
    d->truth[i] = query->hit;
  }
}

static toi_status block_answer(demo *d, const block *b, const char *method, toi_hit *hits, double *seconds) {
  toi_options options = toi_default_options();
  options.method = method;
  options.min_separation = b->group.separation;
  options.norm = b->group.norm;
  double begin = clock_seconds();
  toi_status status = toi_batch(d->context, b->kind, d->points, b->count, &options, hits);
  *seconds += clock_seconds() - begin;
  return status;
}

static bool holds(const toi_hit *hit, double t_lo, double t_hi) {
  return hit->t_lo <= t_lo && t_hi <= hit->t_hi;
}

static bool exact_is_right(const planted_query *truth, const toi_hit *exact) {
  if (exact->verdict != (truth->hit ? TOI_HIT : TOI_MISS))
    return false;
  return !truth->hit || !truth->time_known || (exact->t_lo == truth->t_lo && exact->t_hi == truth->t_hi);
}

static bool certified_is_right(const planted_query *truth, const toi_hit *certified, const toi_hit *exact) {
  if (certified->verdict == TOI_NEAR && certified->separation > 0)
    return !truth->hit || !truth->time_known || certified->t_lo <= truth->t_lo;
  if (certified->verdict != (truth->hit ? TOI_HIT : TOI_MISS))
    return false;
  if (!truth->hit)
    return true;
  bool time = !truth->time_known || holds(certified, truth->t_lo, truth->t_hi);
  bool agrees = exact->verdict != TOI_HIT || holds(certified, exact->t_lo, exact->t_hi);
  return time && agrees && certified->t_hi - certified->t_lo <= 0x1p-48;
}

static void block_count(demo *d, const block *b) {
  demo_class *sum = &d->result.classes[b->number];
  for (size_t i = 0; i < b->count; i++) {
    const planted_query *truth = &d->planted[i];
    bool exact = exact_is_right(truth, &d->exact[i]);
    bool certified = certified_is_right(truth, &d->certified[i], &d->exact[i]);
    sum->queries++;
    sum->hits += truth->hit;
    sum->near += d->certified[i].verdict == TOI_NEAR;
    sum->levels[d->certified[i].level]++;
    if (exact && certified)
      continue;
    if (d->result.total.wrong < DEMO_WRONG_SHOWN) {
      d->result.wrong[d->result.total.wrong] =
          (demo_wrong){b->number, b->kind, b->first + i, b->group.separation, exact ? "certified" : "exact"};
    }
    sum->wrong++;
    d->result.total.wrong++;
  }
}

static toi_status block_write(demo *d, const block *b) {
  toi_status status = TOI_OK;
  if ((unsigned)b->kind < FILES && d->outputs[b->kind] != NULL) {
    const toi_query_set set = {.queries = d->points, .truth = d->truth, .count = b->count};
    status = toi_output_append_queries(d->outputs[b->kind], &set);
  }
  if (status == TOI_OK && output_is_open(&d->certificates) && b->opening) {
    const toi_options options = toi_default_options();
    size_t count = b->count < CERTIFICATES ? b->count : CERTIFICATES;
    status = certificates_append(d->context, &d->certificates, b->kind, d->points, count, &options);
  }
  return status;
}

static toi_status block_run(demo *d, const block *b) {
  demo_class *sum = &d->result.classes[b->number];
  block_make(d, b);
  toi_status status = block_answer(d, b, "certified", d->certified, &sum->seconds);
  if (status == TOI_OK)
    status = block_answer(d, b, "exact", d->exact, &sum->exact_seconds);
  if (status == TOI_OK) {
    block_count(d, b);
    status = block_write(d, b);
  }
  d->done += b->count;
  progress_show((double)d->done / (double)d->options.count, d->options.catalog->name(b->number));
  return status;
}

/* --- all classes --- */

/* Share number `part` of `parts` equal ones, the first ones larger by the rest. */
static uint64_t share(uint64_t count, uint64_t parts, uint64_t part) {
  return count / parts + (part < count % parts);
}

/* How many queries come next; those with a separation in groups, of both norms in turn. */
static size_t next_count(const demo *d, uint64_t left, block *b) {
  const uint64_t most = d->options.grazing ? GROUP_QUERIES : BLOCK_QUERIES;
  if (d->options.grazing) {
    const uint64_t group = b->first / GROUP_QUERIES;
    const toi_norm norm = (group + b->number) % 2 == 0 ? TOI_NORM_L2 : TOI_NORM_LINF;
    b->group = grazing_group_make(norm, d->options.seed, group ^ (uint64_t)b->number << 48);
  }
  return (size_t)(left < most ? left : most);
}

/* The queries of one class, the same number of each of its kinds. */
static toi_status run_class(demo *d, uint32_t number) {
  const demo_catalog *catalog = d->options.catalog;
  uint64_t queries = share(d->options.count, catalog->count(), number), kinds = 0, place = 0;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    kinds += catalog->has(number, (toi_kind)kind);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
    if (!catalog->has(number, (toi_kind)kind))
      continue;
    // Each kind counts from its own power of two, so that no two draw the same random numbers.
    uint64_t left = share(queries, kinds, place++);
    block b = {.number = number, .kind = (toi_kind)kind, .first = (uint64_t)kind << 40, .opening = true};
    while (left > 0 && !progress_stopped()) {
      b.count = next_count(d, left, &b);
      toi_status status = block_run(d, &b);
      if (status != TOI_OK)
        return status;
      b.first += b.count;
      b.opening = false;
      left -= b.count;
    }
  }
  return TOI_OK;
}

static void add_up(demo_result *result, uint32_t classes) {
  demo_class *total = &result->total;
  for (uint32_t i = 0; i < classes; i++) {
    const demo_class *c = &result->classes[i];
    total->queries += c->queries;
    total->hits += c->hits;
    total->near += c->near;
    total->seconds += c->seconds;
    total->exact_seconds += c->exact_seconds;
    for (int level = 0; level < TOI_LEVEL_COUNT; level++)
      total->levels[level] += c->levels[level];
  }
}

/* --- beginning and end --- */

/* name.csv becomes name-vf.csv and name-ee.csv, because a query file holds one kind. */
static toi_status open_set(demo *d, toi_kind kind) {
  static const char *const marks[FILES] = {"-vf", "-ee"};
  const char *path = d->options.out, *dot = strrchr(path, '.');
  size_t stem = (size_t)(dot - path), size = strlen(path) + 4;
  char *marked = memory_allocate(size);
  if (marked == NULL)
    return TOI_ERROR_MEMORY;
  snprintf(marked, size, "%.*s%s%s", (int)stem, path, marks[kind], path + stem);
  toi_status status = toi_output_create(d->context, marked, &d->outputs[kind]);
  memory_free(marked);
  return status;
}

static int prepare(demo *d) {
  int result = outputs_check(&d->certificates, 1, d->options.json);
  if (result == EXIT_DONE)
    result = session_open(d->options.threads, d->options.memory, &d->context);
  if (result != EXIT_DONE)
    return result;
  d->result.threads = toi_context_threads(d->context);
  toi_status status = TOI_OK;
  for (int kind = 0; status == TOI_OK && d->options.out != NULL && kind < FILES; kind++)
    status = open_set(d, (toi_kind)kind);
  result = status == TOI_OK ? output_open(d->context, &d->certificates) : session_fail(d->context, status, NULL);
  if (result != EXIT_DONE)
    return result;
  d->result.classes = memory_zeroed(d->options.catalog->count(), sizeof *d->result.classes);
  d->points = memory_allocate(BLOCK_QUERIES * QUERY_DOUBLES * sizeof *d->points);
  d->truth = memory_allocate(BLOCK_QUERIES * sizeof *d->truth);
  d->planted = memory_allocate(BLOCK_QUERIES * sizeof *d->planted);
  d->certified = memory_allocate(BLOCK_QUERIES * sizeof *d->certified);
  d->exact = memory_allocate(BLOCK_QUERIES * sizeof *d->exact);
  bool whole = d->result.classes && d->points && d->truth && d->planted && d->certified && d->exact;
  return whole ? EXIT_DONE : memory_fail("a block of queries", "close other programs");
}

/* The files of queries appear last: the others and the report are certain then. */
static int finish(demo *d) {
  json_t *object = d->options.json ? demo_queries_json(&d->options, &d->result) : NULL;
  char *text = object != NULL ? json_finish(object) : NULL;
  if (object != NULL && text == NULL)
    return EXIT_BAD;
  toi_status status = TOI_OK;
  for (int i = 0; status == TOI_OK && i < FILES; i++) {
    status = d->outputs[i] == NULL ? TOI_OK : toi_output_commit(d->outputs[i]);
    d->outputs[i] = NULL;
  }
  bool table = false;
  int result = status == TOI_OK ? outputs_finish(d->context, &d->certificates, 1, NULL, &table)
                                : session_fail(d->context, status, NULL);
  if (result == EXIT_DONE && text != NULL)
    json_say(text);
  else
    memory_free(text);
  if (result == EXIT_DONE && table && text == NULL)
    demo_queries_table(&d->options, &d->result);
  if (result != EXIT_DONE)
    return result;
  return d->result.total.wrong == 0 ? EXIT_DONE : EXIT_FINDING;
}

static int run_all(demo *d) {
  const demo_catalog *catalog = d->options.catalog;
  for (uint32_t i = 0; i < catalog->count(); i++) {
    toi_status status = run_class(d, i);
    if (status != TOI_OK)
      return session_fail(d->context, status, status == TOI_ERROR_FILE ? NULL : catalog->name(i));
    if (progress_stopped())
      return cli_fail("stopped; nothing was written");
  }
  add_up(&d->result, catalog->count());
  return finish(d);
}

static void demo_free(demo *d) {
  for (int i = 0; i < FILES; i++)
    toi_output_destroy(d->outputs[i]);
  outputs_discard(&d->certificates, 1);
  memory_free(d->result.classes);
  memory_free(d->points);
  memory_free(d->truth);
  memory_free(d->planted);
  memory_free(d->certified);
  memory_free(d->exact);
  toi_context_destroy(d->context);
}

int demo_queries(const demo_options *options) {
  demo d = {.options = *options, .certificates = {.option = "--certificates", .path = options->certificates}};
  d.options.catalog = options->grazing ? &grazing : &touching;
  int result = prepare(&d);
  if (result == EXIT_DONE)
    result = run_all(&d);
  demo_free(&d);
  return result;
}
