/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What `toi query` found. Correctness stands before time, and what is not known is a dash, or null. */

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "name.h"

#define CELL 24
#define NAME_WIDTH 44

/* --- tables --- */

static void cell_count(char cell[CELL], uint64_t count, bool known) {
  snprintf(cell, CELL, "%s", "-");
  if (known)
    snprintf(cell, CELL, "%llu", (unsigned long long)count);
}

static void cell_ns(char cell[CELL], double ns) {
  snprintf(cell, CELL, "%s", "-");
  if (isfinite(ns))
    snprintf(cell, CELL, "%.*f", ns < 1000 ? 1 : 0, ns);
}

static void print_row(const char *name, tally *t, bool brackets) {
  char fp[CELL], fn[CELL], wrong[CELL], mean[CELL], p50[CELL], p99[CELL], max[CELL];
  cell_count(fp, t->false_positives, t->truths > 0 && !t->contacts_only);
  cell_count(fn, t->false_negatives, t->truths > 0);
  cell_count(wrong, t->bracket_errors, t->times > 0);
  cell_ns(mean, mean_ns(t->seconds, t->queries));
  cell_ns(p50, samples_percentile(&t->samples, 0.5));
  cell_ns(p99, samples_percentile(&t->samples, 0.99));
  cell_ns(max, samples_percentile(&t->samples, 1));

  name_print_column(name, NAME_WIDTH);
  printf(" %10llu %10llu %8llu %10llu %6s %6s", (unsigned long long)t->queries,
         (unsigned long long)t->verdicts[TOI_HIT], (unsigned long long)t->verdicts[TOI_NEAR],
         (unsigned long long)t->verdicts[TOI_MISS], fp, fn);
  if (brackets)
    printf(" %8s", wrong);
  printf(" %10s %10s %10s %10s\n", mean, p50, p99, max);
}

static void print_header(const char *name, bool brackets) {
  printf("%-*s %10s %10s %8s %10s %6s %6s", NAME_WIDTH, name, "queries", "hits", "near", "misses", "FP", "FN");
  if (brackets)
    printf(" %8s", "brackets");
  printf(" %10s %10s %10s %10s\n", "ns/query", "p50", "p99", "max");
}

static void print_levels(const report *r) {
  printf("\n%-*s", NAME_WIDTH, "settled by level");
  for (int level = 0; level < TOI_LEVEL_COUNT; level++)
    printf(" %12s", toi_level_name((toi_level)level));
  printf("\n");
  for (size_t i = 0; i < r->count; i++) {
    printf("%-*s", NAME_WIDTH, r->entries[i].options.method);
    for (int level = 0; level < TOI_LEVEL_COUNT; level++)
      printf(" %12llu", (unsigned long long)r->entries[i].total.levels[level]);
    printf("\n");
  }
}

static void print_separation(const report *r) {
  const toi_options *o = &r->entries[0].options;
  const char *norm = o->norm == TOI_NORM_LINF ? "linf" : "l2";
  const tally *t = &r->entries[0].total;
  if (o->separation_fraction > 0) {
    printf("separation (%s): %g of the initial distance, from %.6g to %.6g\n", norm, o->separation_fraction,
           t->least_separation, t->largest_separation);
  } else if (o->min_separation > 0) {
    printf("separation (%s): %.17g\n", norm, o->min_separation);
  }
}

void report_table(const report *r) {
  bool brackets = false;
  for (size_t i = 0; i < r->count; i++)
    brackets |= r->entries[i].total.times > 0;
  const tally *first = &r->entries[0].total;
  printf("%llu quer%s from %zu file%s, read in %.3g s; %u thread%s\n", (unsigned long long)first->queries,
         first->queries == 1 ? "y" : "ies", r->files->count, r->files->count == 1 ? "" : "s", first->read_seconds,
         r->threads, r->threads == 1 ? "" : "s");
  print_separation(r);
  printf("\n");
  print_header("method", brackets);
  for (size_t i = 0; i < r->count; i++)
    print_row(r->entries[i].options.method, &r->entries[i].total, brackets);
  for (size_t i = 0; i < r->count && r->files->count > 1; i++) {
    char title[NAME_WIDTH + 1];
    snprintf(title, sizeof title, "%s, file by file", r->entries[i].options.method);
    printf("\n");
    print_header(title, brackets);
    for (size_t f = 0; f < r->files->count; f++)
      print_row(r->files->items[f].path, &r->entries[i].files[f], brackets);
  }
  if (r->levels)
    print_levels(r);
}

/* --- JSON --- */

static json_t *separation_json(const toi_options *options, const tally *t) {
  const bool fraction = options->separation_fraction > 0, any = t->queries > 0;
  json_t *object = json_object();
  json_object_set_new(object, "kind", json_text(fraction ? "fraction" : "absolute"));
  json_object_set_new(object, "value", json_number(fraction ? options->separation_fraction : options->min_separation));
  json_object_set_new(object, "norm", json_text(options->norm == TOI_NORM_LINF ? "linf" : "l2"));
  json_object_set_new(object, "min", any ? json_number(t->least_separation) : json_null());
  json_object_set_new(object, "max", any ? json_number(t->largest_separation) : json_null());
  return object;
}

static json_t *tally_json(const report *r, const toi_options *options, tally *t) {
  bool truth = t->truths > 0, times = t->times > 0;
  json_t *object = json_object();
  json_object_set_new(object, "queries", json_count(t->queries, true));
  json_object_set_new(object, "hits", json_count(t->verdicts[TOI_HIT], true));
  json_object_set_new(object, "near", json_count(t->verdicts[TOI_NEAR], true));
  json_object_set_new(object, "misses", json_count(t->verdicts[TOI_MISS], true));
  json_object_set_new(object, "false_positives", json_count(t->false_positives, truth && !t->contacts_only));
  json_object_set_new(object, "false_negatives", json_count(t->false_negatives, truth));
  json_object_set_new(object, "ns_per_query", json_number(mean_ns(t->seconds, t->queries)));
  json_object_set_new(object, "p50_ns", json_number(samples_percentile(&t->samples, 0.5)));
  json_object_set_new(object, "p99_ns", json_number(samples_percentile(&t->samples, 0.99)));
  json_object_set_new(object, "max_ns", json_number(samples_percentile(&t->samples, 1)));
  json_object_set_new(object, "method", json_text(options->method));
  json_object_set_new(object, "threads", json_count(r->threads, true));
  json_object_set_new(object, "truth_queries", json_count(t->truths, true));
  json_object_set_new(object, "bracket_errors", json_count(t->bracket_errors, times));
  json_object_set_new(object, "bracket_exact", json_count(t->bracket_exact, times));
  json_object_set_new(object, "bracket_widest", json_number(t->widest));
  json_object_set_new(object, "late", json_count(t->late, times));
  json_object_set_new(object, "early_mean", times ? json_number(t->early_sum / (double)t->times) : json_null());
  json_object_set_new(object, "early_max", times ? json_number(t->early_max) : json_null());
  json_object_set_new(object, "separation", separation_json(options, t));
  json_object_set_new(object, "read_ms", json_number(1e3 * t->read_seconds));
  if (r->levels)
    json_object_set_new(object, "levels", json_levels(t->levels));
  return object;
}

static json_t *entry_json(const report *r, entry *o) {
  json_t *object = tally_json(r, &o->options, &o->total);
  json_t *files = json_array();
  for (size_t f = 0; f < r->files->count; f++) {
    json_t *file = tally_json(r, &o->options, &o->files[f]);
    json_object_set_new(file, "file", json_text(r->files->items[f].path));
    json_object_set_new(file, "kind", json_text(toi_kind_name(r->files->items[f].kind)));
    json_array_append_new(files, file);
  }
  json_object_set_new(object, "files", files);
  return object;
}

json_t *report_json(const report *r) {
  if (!r->list)
    return entry_json(r, &r->entries[0]);
  json_t *object = json_object(), *methods = json_array();
  for (size_t i = 0; i < r->count; i++)
    json_array_append_new(methods, entry_json(r, &r->entries[i]));
  json_object_set_new(object, "methods", methods);
  return object;
}
