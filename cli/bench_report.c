/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The figures of methods side by side: one row a set, question and method. Errors stand before times. */

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "name.h"

#define CELL 32

enum {
  SET,
  SEPARATION,
  METHOD,
  QUERIES,
  CONTACTS,
  FP,
  FN,
  HITS,
  NEAR,
  MISSES,
  LATE,
  EARLY,
  EARLY_MAX,
  MEAN,
  P99,
  MAX,
  COLUMNS
};

static const struct {
  const char *title;
  int width; /* of a table on a terminal; text stands left */
  bool text;
} columns[COLUMNS] = {
    [SET] = {"set", 28, true},
    [SEPARATION] = {"separation", 12, true},
    [METHOD] = {"method", 16, true},
    [QUERIES] = {"queries", 9, false},
    [CONTACTS] = {"contacts", 9, false},
    [FP] = {"FP", 6, false},
    [FN] = {"FN", 6, false},
    [HITS] = {"hit", 9, false},
    [NEAR] = {"near", 6, false},
    [MISSES] = {"miss", 9, false},
    [LATE] = {"late", 5, false},
    [EARLY] = {"early, mean", 11, false},
    [EARLY_MAX] = {"early, max", 10, false},
    [MEAN] = {"ns/query", 10, false},
    [P99] = {"p99 ns", 10, false},
    [MAX] = {"max ns", 11, false},
};

typedef struct row {
  char cells[COLUMNS][CELL];
} row;

/* --- cells --- */

/* Thousands apart, as in 1,234,567. */
static void cell_count(char cell[CELL], uint64_t count, bool known) {
  char digits[CELL];
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count), to = 0;
  for (int i = 0; known && i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      cell[to++] = ',';
    cell[to++] = digits[i];
  }
  if (!known)
    cell[to++] = '-';
  cell[to] = '\0';
}

static void cell_ns(char cell[CELL], double ns) {
  if (isfinite(ns) && ns < 10)
    snprintf(cell, CELL, "%.1f", ns);
  else
    cell_count(cell, isfinite(ns) ? (uint64_t)llround(ns) : 0, isfinite(ns));
}

static void cell_time(char cell[CELL], double time, bool known) {
  snprintf(cell, CELL, "%s", "-");
  if (known)
    snprintf(cell, CELL, time == 0 ? "0" : "%.1e", time);
}

static void cell_separation(char cell[CELL], const toi_options *options) {
  if (options->separation_fraction > 0)
    snprintf(cell, CELL, "%g x initial", options->separation_fraction);
  else
    snprintf(cell, CELL, "%g", options->min_separation);
}

static row make_row(const char *set, const entry *e, tally *t) {
  row r = {0};
  const bool asked = !e->unsupported, truth = t->truths > 0, timed = t->times > 0;
  name_write(set, r.cells[SET], CELL);
  cell_separation(r.cells[SEPARATION], &e->options);
  snprintf(r.cells[METHOD], CELL, "%s", e->options.method);
  cell_count(r.cells[QUERIES], t->queries, asked);
  cell_count(r.cells[CONTACTS], t->contacts, truth);
  cell_count(r.cells[FP], t->false_positives, truth && !t->contacts_only);
  cell_count(r.cells[FN], t->false_negatives, truth);
  cell_count(r.cells[HITS], t->verdicts[TOI_HIT], asked);
  cell_count(r.cells[NEAR], t->verdicts[TOI_NEAR], asked);
  cell_count(r.cells[MISSES], t->verdicts[TOI_MISS], asked);
  cell_count(r.cells[LATE], t->late, timed);
  cell_time(r.cells[EARLY], timed ? t->early_sum / (double)t->times : 0, timed);
  cell_time(r.cells[EARLY_MAX], t->early_max, timed);
  cell_ns(r.cells[MEAN], mean_ns(t->seconds, t->queries));
  cell_ns(r.cells[P99], samples_percentile(&t->samples, 0.99));
  cell_ns(r.cells[MAX], samples_percentile(&t->samples, 1));
  return r;
}

/* --- tables --- */

static void print_row(const row *r, bool separations, bench_form form) {
  for (int k = 0; k < COLUMNS; k++) {
    if (k == SEPARATION && !separations)
      continue;
    if (form == BENCH_MARKDOWN)
      printf("| %s ", r->cells[k]);
    else
      printf("%s%*s", k > 0 ? " " : "", columns[k].text ? -columns[k].width : columns[k].width, r->cells[k]);
  }
  printf(form == BENCH_MARKDOWN ? "|\n" : "\n");
}

static void print_header(bool separations, bench_form form) {
  row titles, rule;
  for (int k = 0; k < COLUMNS; k++) {
    snprintf(titles.cells[k], CELL, "%s", columns[k].title);
    snprintf(rule.cells[k], CELL, "%s", columns[k].text ? "---" : "---:");
  }
  print_row(&titles, separations, form);
  if (form == BENCH_MARKDOWN)
    print_row(&rule, separations, form);
}

static void print_table(const bench_result *result, bench_form form) {
  const size_t entries = result->contest->count;
  print_header(result->separations, form);
  for (size_t s = 0; s < result->sets->count; s++) {
    for (size_t e = 0; e < entries; e++) {
      const row r =
          make_row(result->sets->items[s].name, &result->contest->entries[e], &result->tallies[s * entries + e]);
      print_row(&r, result->separations, form);
    }
  }
}

/* --- JSON --- */

static json_t *row_json(const char *set, const entry *e, tally *t) {
  const bool asked = !e->unsupported, truth = t->truths > 0, timed = t->times > 0;
  const bool fraction = e->options.separation_fraction > 0;
  json_t *object = json_object(), *separation = json_object();
  json_object_set_new(separation, "kind", json_text(fraction ? "fraction" : "absolute"));
  json_object_set_new(separation, "value",
                      json_number(fraction ? e->options.separation_fraction : e->options.min_separation));
  json_object_set_new(separation, "norm", json_text(e->options.norm == TOI_NORM_LINF ? "linf" : "l2"));
  json_object_set_new(separation, "min", asked ? json_number(t->least_separation) : json_null());
  json_object_set_new(separation, "max", asked ? json_number(t->largest_separation) : json_null());
  json_object_set_new(object, "set", json_text(set));
  json_object_set_new(object, "method", json_text(e->options.method));
  json_object_set_new(object, "supported", json_boolean(asked));
  json_object_set_new(object, "separation", separation);
  json_object_set_new(object, "queries", json_count(t->queries, asked));
  json_object_set_new(object, "contacts", json_count(t->contacts, truth));
  json_object_set_new(object, "false_positives", json_count(t->false_positives, truth && !t->contacts_only));
  json_object_set_new(object, "false_negatives", json_count(t->false_negatives, truth));
  json_object_set_new(object, "hits", json_count(t->verdicts[TOI_HIT], asked));
  json_object_set_new(object, "near", json_count(t->verdicts[TOI_NEAR], asked));
  json_object_set_new(object, "misses", json_count(t->verdicts[TOI_MISS], asked));
  json_object_set_new(object, "late", json_count(t->late, timed));
  json_object_set_new(object, "early_mean", timed ? json_number(t->early_sum / (double)t->times) : json_null());
  json_object_set_new(object, "early_max", timed ? json_number(t->early_max) : json_null());
  json_object_set_new(object, "ns_per_query", json_number(mean_ns(t->seconds, t->queries)));
  json_object_set_new(object, "p50_ns", json_number(samples_percentile(&t->samples, 0.5)));
  json_object_set_new(object, "p99_ns", json_number(samples_percentile(&t->samples, 0.99)));
  json_object_set_new(object, "max_ns", json_number(samples_percentile(&t->samples, 1)));
  return object;
}

static int print_json(const bench_result *result) {
  json_t *object = json_object(), *rows = json_array();
  const size_t entries = result->contest->count;
  for (size_t s = 0; s < result->sets->count; s++) {
    for (size_t e = 0; e < entries; e++) {
      json_array_append_new(
          rows, row_json(result->sets->items[s].name, &result->contest->entries[e], &result->tallies[s * entries + e]));
    }
  }
  json_object_set_new(object, "version", json_text(toi_version()));
  json_object_set_new(object, "threads", json_count(1, true));
  json_object_set_new(object, "rows", rows);
  return json_print(object);
}

int bench_report(const bench_result *result, bench_form form) {
  if (form == BENCH_JSON)
    return print_json(result);
  print_table(result, form);
  return EXIT_DONE;
}
