/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface FILE.jsonl`: pairs of patches, answered by one method or by all, counted and timed.
 *
 * Answers come from one call of the batch on all threads; times from single calls on one thread, in a context of its
 * own. Nothing is printed and no output file appears before everything has gone well. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "memory.h"
#include "name.h"
#include "page_curved.h"
#include "progress.h"
#include "session.h"
#include "surface.h"

#define METHODS_MAX 8
#define CELL 24
#define NEAR_KEPT 100
#define NEAR_SHOWN 8
/* Answers that a page holds: more cases than anybody looks at one by one. */
#define PAGE_RESULTS 10000

enum { OUT, VIEW, OUTPUTS };

/* One method and what its answers come to. */
typedef struct entry {
  toi_surface_options options;
  uint64_t verdicts[3]; /* by toi_verdict */
  uint64_t ends[TOI_SURFACE_END_COUNT];
  uint64_t checks, pieces;
  size_t near[NEAR_KEPT]; /* numbers of the first cases that are near, and why */
  uint8_t near_end[NEAR_KEPT];
  double widest;        /* bracket of a hit */
  double batch_seconds; /* of the batch call */
  double seconds;       /* of single calls, one for each sample */
  sample_list samples;
} entry;

typedef struct cases_run {
  const surface_options *options;
  toi_context *context, *single; /* all threads, and one */
  toi_case_set set;
  double read_seconds;
  toi_surface_hit *hits;
  entry entries[METHODS_MAX];
  size_t count;
  output outputs[OUTPUTS];
  page_curved page;
} cases_run;

/* --- preparation --- */

static void enter_methods(cases_run *r) {
  const surface_options *o = r->options;
  const bool all = o->method != NULL && strcmp(o->method, "all") == 0;
  for (size_t i = 0; toi_surface_method_name(i) != NULL && r->count < METHODS_MAX; i++) {
    const char *name = toi_surface_method_name(i);
    if (all || (o->method == NULL ? i == 0 : strcmp(o->method, name) == 0)) {
      entry *e = &r->entries[r->count++];
      e->options = o->toi;
      e->options.method = name;
    }
  }
}

static int read_cases(cases_run *r) {
  double begin = clock_seconds();
  int result = surface_read_cases(r->context, r->options, &r->set);
  if (result != EXIT_DONE)
    return result;
  r->read_seconds = clock_seconds() - begin;
  r->hits = memory_zeroed(r->set.count + 1, sizeof *r->hits);
  return r->hits != NULL ? EXIT_DONE : memory_fail("the answers", "split the file");
}

static int prepare(cases_run *r) {
  enter_methods(r);
  int result = session_open(r->options->threads, r->options->memory, &r->context);
  if (result == EXIT_DONE)
    result = session_open(1, r->options->memory, &r->single);
  if (result == EXIT_DONE)
    result = read_cases(r);
  if (result == EXIT_DONE)
    result = surface_open_output(r->context, r->options, false, &r->outputs[OUT]);
  return result == EXIT_DONE ? surface_open_view(r->context, r->options, &r->outputs[VIEW]) : result;
}

/* --- answers --- */

static void tally(cases_run *r, entry *e) {
  for (size_t i = 0; i < r->set.count; i++) {
    const toi_surface_hit *hit = &r->hits[i];
    const uint64_t near = e->verdicts[TOI_NEAR];
    if (hit->verdict == TOI_NEAR && near < NEAR_KEPT) {
      e->near[near] = i;
      e->near_end[near] = hit->end;
    }
    e->verdicts[hit->verdict]++;
    e->ends[hit->end]++;
    e->checks += hit->checks;
    e->pieces += hit->pieces;
    if (hit->verdict == TOI_HIT && hit->t_hi - hit->t_lo > e->widest)
      e->widest = hit->t_hi - hit->t_lo;
  }
}

static toi_status write_answers(cases_run *r) {
  toi_status status = TOI_OK;
  for (size_t i = 0; output_is_open(&r->outputs[OUT]) && status == TOI_OK && i < r->set.count; i++)
    status = surface_append(&r->outputs[OUT], i, &r->hits[i], false);
  return status;
}

static toi_status answer(cases_run *r, entry *e, double before) {
  surface_progress progress = {.doing = e->options.method, .before = before, .part = 0.25 / (double)r->count};
  toi_surface_options asked = e->options;
  surface_watch(&asked, &progress);
  double begin = clock_seconds();
  toi_status status = toi_patch_batch(r->context, r->set.cases, r->set.count, &asked, r->hits);
  e->batch_seconds = clock_seconds() - begin;
  if (status != TOI_OK)
    return status;
  tally(r, e);
  return write_answers(r);
}

/* --- times --- */

static toi_status time_once(cases_run *r, const entry *e, size_t number, double cost, double *seconds) {
  const toi_patch_case *c = toi_case_set_case(&r->set, number);
  toi_surface_options asked = e->options;
  asked.t_max = c->t_max;
  toi_surface_hit hit;
  double begin = clock_seconds();
  toi_status status = toi_patch_pair(r->single, c->a, c->b, &asked, &hit);
  double time = clock_seconds() - begin;
  *seconds = time > cost ? time - cost : 0;
  return status;
}

static toi_status time_shortest(cases_run *r, const entry *e, size_t number, double cost, double *shortest) {
  double spent = 0;
  toi_status status = TOI_OK;
  *shortest = (double)INFINITY;
  for (int i = 0; i < SINGLE_CALLS && spent < SINGLE_SECONDS && status == TOI_OK; i++) {
    double time;
    status = time_once(r, e, number, cost, &time);
    *shortest = time < *shortest ? time : *shortest;
    spent += time;
  }
  return status;
}

/* One call for each sample, for the mean, and then several, for the percentiles. */
static toi_status measure(cases_run *r, entry *e, double before) {
  const size_t count = r->set.count, stride = samples_stride(count, r->options->samples);
  const double cost = clock_cost(), part = 0.75 / (double)r->count;
  if (stride == 0 || count == 0)
    return TOI_OK;
  if (!samples_reserve(&e->samples, count / stride + 1))
    return TOI_ERROR_MEMORY;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK && !progress_stopped(); i += stride) {
    double seconds;
    status = time_once(r, e, i, cost, &seconds);
    e->seconds += seconds;
    progress_show(before + part / 6 * (double)i / (double)count, e->options.method);
  }
  for (size_t i = 0; i < count && status == TOI_OK && !progress_stopped(); i += stride) {
    double seconds;
    status = time_shortest(r, e, i, cost, &seconds);
    e->samples.items[e->samples.count++] = (sample){.ns = 1e9 * seconds, .weight = 1};
    progress_show(before + part / 6 + part * 5 / 6 * (double)i / (double)count, e->options.method);
  }
  return status;
}

static int run_entries(cases_run *r) {
  for (size_t i = 0; i < r->count; i++) {
    const double before = (double)i / (double)r->count;
    toi_status status = answer(r, &r->entries[i], before);
    if (status != TOI_OK)
      return session_fail(r->context, status, status == TOI_ERROR_FILE ? NULL : r->options->paths[0]);
    status = measure(r, &r->entries[i], before + 0.25 / (double)r->count);
    if (status != TOI_OK)
      return session_fail(r->single, status, r->options->paths[0]);
    if (progress_stopped())
      return cli_fail("stopped; nothing was written");
  }
  return EXIT_DONE;
}

/* --- the report --- */

static double mean_ms(const entry *e) {
  return e->samples.count > 0 ? 1e3 * e->seconds / (double)e->samples.count : (double)NAN;
}

static double percentile_ms(entry *e, double share) {
  return 1e-6 * samples_percentile(&e->samples, share);
}

static void cell_ms(char cell[CELL], double ms) {
  snprintf(cell, CELL, "%s", "-");
  if (isfinite(ms))
    snprintf(cell, CELL, "%.*f", ms < 1 ? 5 : 3, ms);
}

static void print_entry(const cases_run *r, entry *e) {
  char mean[CELL], p50[CELL], p99[CELL], max[CELL];
  cell_ms(mean, mean_ms(e));
  cell_ms(p50, percentile_ms(e, 0.5));
  cell_ms(p99, percentile_ms(e, 0.99));
  cell_ms(max, percentile_ms(e, 1));
  const double cases = r->set.count > 0 ? (double)r->set.count : 1;
  printf("%-16s %8zu %8llu %8llu %8llu %12.3g %12.1f %10s %10s %10s %10s\n", e->options.method, r->set.count,
         (unsigned long long)e->verdicts[TOI_HIT], (unsigned long long)e->verdicts[TOI_NEAR],
         (unsigned long long)e->verdicts[TOI_MISS], e->widest, (double)e->checks / cases, mean, p50, p99, max);
}

/* Why searches ended. */
static void print_ends(const cases_run *r) {
  printf("\n%-16s", "ended");
  for (int end = 0; end < TOI_SURFACE_END_COUNT; end++)
    printf(" %12s", toi_surface_end_name((toi_surface_end)end));
  printf("\n");
  for (size_t i = 0; i < r->count; i++) {
    printf("%-16s", r->entries[i].options.method);
    for (int end = 0; end < TOI_SURFACE_END_COUNT; end++)
      printf(" %12llu", (unsigned long long)r->entries[i].ends[end]);
    printf("\n");
  }
}

static size_t near_up_to(const entry *e, size_t most) {
  return e->verdicts[TOI_NEAR] < most ? (size_t)e->verdicts[TOI_NEAR] : most;
}

static void print_near(const entry *e) {
  const size_t shown = near_up_to(e, NEAR_SHOWN);
  for (size_t i = 0; i < shown; i++) {
    printf("%s case %zu (%s)", i == 0 ? "\nnear:" : ",", e->near[i],
           toi_surface_end_name((toi_surface_end)e->near_end[i]));
  }
  printf("%s%s", shown < e->verdicts[TOI_NEAR] ? ", ..." : "", shown > 0 ? "\n" : "");
}

static void print_table(cases_run *r) {
  const toi_surface_options *o = &r->options->toi;
  const uint32_t threads = toi_context_threads(r->context);
  printf("%zu case%s from ", r->set.count, r->set.count == 1 ? "" : "s");
  name_print(r->options->paths[0]);
  printf(", read in %.3g s; tolerance %g by %s; %u thread%s\n", r->read_seconds, o->tolerance, accept_name(o->accept),
         threads, threads == 1 ? "" : "s");
  if (o->min_separation > 0)
    printf("separation (%s): %.17g\n", r->options->norm, o->min_separation);
  printf("\n%-16s %8s %8s %8s %8s %12s %12s %10s %10s %10s %10s\n", "method", "cases", "hits", "near", "misses",
         "widest", "checks/case", "ms/case", "p50", "p99", "max");
  for (size_t i = 0; i < r->count; i++)
    print_entry(r, &r->entries[i]);
  print_ends(r);
  for (size_t i = 0; i < r->count; i++)
    print_near(&r->entries[i]);
}

static json_t *near_json(const entry *e) {
  json_t *list = json_array();
  for (size_t i = 0; i < near_up_to(e, NEAR_KEPT); i++) {
    json_t *object = json_object();
    json_object_set_new(object, "index", json_count(e->near[i], true));
    json_object_set_new(object, "end", json_text(toi_surface_end_name((toi_surface_end)e->near_end[i])));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *entry_json(const cases_run *r, entry *e) {
  const double cases = r->set.count > 0 ? (double)r->set.count : 1;
  json_t *object = json_object(), *ends = json_object();
  for (int end = 0; end < TOI_SURFACE_END_COUNT; end++)
    json_object_set_new(ends, toi_surface_end_name((toi_surface_end)end), json_count(e->ends[end], true));
  json_object_set_new(object, "cases", json_count(r->set.count, true));
  json_object_set_new(object, "hits", json_count(e->verdicts[TOI_HIT], true));
  json_object_set_new(object, "near", json_count(e->verdicts[TOI_NEAR], true));
  json_object_set_new(object, "misses", json_count(e->verdicts[TOI_MISS], true));
  json_object_set_new(object, "ms_per_case", json_number(mean_ms(e)));
  json_object_set_new(object, "p50_ms", json_number(percentile_ms(e, 0.5)));
  json_object_set_new(object, "p99_ms", json_number(percentile_ms(e, 0.99)));
  json_object_set_new(object, "max_ms", json_number(percentile_ms(e, 1)));
  json_object_set_new(object, "method", json_text(e->options.method));
  json_object_set_new(object, "tolerance", json_number(e->options.tolerance));
  json_object_set_new(object, "accept", json_text(accept_name(e->options.accept)));
  json_object_set_new(object, "inclusion", json_text(r->options->inclusion));
  json_object_set_new(object, "widest_bracket", json_number(e->widest));
  json_object_set_new(object, "checks_per_case", json_number((double)e->checks / cases));
  json_object_set_new(object, "pieces_per_case", json_number((double)e->pieces / cases));
  json_object_set_new(object, "ends", ends);
  json_object_set_new(object, "near_cases", near_json(e));
  json_object_set_new(object, "batch_ms", json_number(1e3 * e->batch_seconds));
  json_object_set_new(object, "threads", json_count(toi_context_threads(r->context), true));
  json_object_set_new(object, "read_ms", json_number(1e3 * r->read_seconds));
  json_object_set_new(object, "peak_bytes", json_count(platform_peak_bytes(), true));
  return object;
}

static json_t *cases_json(cases_run *r) {
  if (r->options->method == NULL || strcmp(r->options->method, "all") != 0)
    return entry_json(r, &r->entries[0]);
  json_t *object = json_object(), *methods = json_array();
  for (size_t i = 0; i < r->count; i++)
    json_array_append_new(methods, entry_json(r, &r->entries[i]));
  json_object_set_new(object, "methods", methods);
  return object;
}

static json_t *result_json(size_t index, const toi_surface_hit *hit) {
  json_t *object = json_object();
  const double values[] = {hit->t_lo, hit->t_hi, hit->a[0], hit->a[1], hit->b[0], hit->b[1]};
  static const char *const keys[] = {"t_lo", "t_hi", "u1", "v1", "u2", "v2"};
  json_object_set_new(object, "index", json_count(index, true));
  json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)hit->verdict)));
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    json_object_set_new(object, keys[i], json_number(values[i]));
  return object;
}

/* The cases as they were read, and the answers to the first of them. */
static int write_page(cases_run *r) {
  int result = page_curved_open(&r->page, r->context, &r->outputs[VIEW], r->options->viewer);
  if (result == EXIT_DONE)
    result = page_curved_path(&r->page, r->options->paths[0], r->options->paths[0], "cases");
  if (result != EXIT_DONE || !page_is_open(&r->page.page))
    return result;
  json_t *more = json_object(), *results = json_array();
  for (size_t i = 0; i < r->set.count && i < PAGE_RESULTS; i++)
    json_array_append_new(results, result_json(i, &r->hits[i]));
  json_object_set_new(more, "results", results);
  return page_curved_finish(&r->page, "surface", cases_json(r), more);
}

static int finish(cases_run *r) {
  bool table = false;
  int result = write_page(r);
  if (result == EXIT_DONE)
    result = outputs_finish(r->context, r->outputs, OUTPUTS, r->options->json ? cases_json(r) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    print_table(r);
    page_print(r->options->view);
  }
  bool touched = false;
  for (size_t i = 0; i < r->count; i++)
    touched |= r->entries[i].verdicts[TOI_MISS] < r->set.count;
  return r->options->fail_on_hit && touched ? EXIT_FINDING : EXIT_DONE;
}

int surface_cases(const surface_options *options) {
  cases_run r = {.options = options};
  r.outputs[OUT] = (output){.option = "--out", .path = options->out};
  r.outputs[VIEW] = (output){.option = "--view", .path = options->view};
  int result = outputs_check(r.outputs, OUTPUTS, options->json);
  if (result == EXIT_DONE)
    result = prepare(&r);
  if (result == EXIT_DONE)
    result = run_entries(&r);
  if (result == EXIT_DONE)
    result = finish(&r);
  outputs_discard(r.outputs, OUTPUTS);
  page_curved_close(&r.page);
  for (size_t i = 0; i < r.count; i++)
    samples_free(&r.entries[i].samples);
  if (r.context != NULL)
    toi_cases_free(r.context, &r.set);
  memory_free(r.hits);
  toi_context_destroy(r.single);
  toi_context_destroy(r.context);
  return result;
}
