/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The figures of methods side by side: one row a set, question and method. Errors stand before times. */

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "name.h"

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
  int width; /* at least, on a terminal; text stands left */
  bool text;
  bool narrow; /* also where 100 columns must do */
} columns[COLUMNS] = {
    [SET] = {"set", 12, true, true},
    [SEPARATION] = {"separation", 12, true, true},
    [METHOD] = {"method", 12, true, true},
    [QUERIES] = {"queries", 9, false, true},
    [CONTACTS] = {"contacts", 9, false, false},
    [FP] = {"FP", 6, false, true},
    [FN] = {"FN", 6, false, true},
    [HITS] = {"hit", 9, false, false},
    [NEAR] = {"near", 6, false, true},
    [MISSES] = {"miss", 9, false, false},
    [LATE] = {"late", 5, false, false},
    [EARLY] = {"early, mean", 11, false, false},
    [EARLY_MAX] = {"early, max", 10, false, false},
    [MEAN] = {"ns/query", 10, false, true},
    [P99] = {"p99 ns", 10, false, true},
    [MAX] = {"max ns", 11, false, false},
};

/* Names are cut to this on a narrow table, so that a row has 100 columns at most. */
#define NARROW_NAME 20

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

void bench_separation(char cell[CELL], const toi_options *options) {
  if (options->separation_fraction > 0)
    snprintf(cell, CELL, "%g x initial", options->separation_fraction);
  else
    snprintf(cell, CELL, "%g", options->min_separation);
}

static row make_row(const char *set, const entry *e, tally *t) {
  row r = {0};
  const bool asked = !e->unsupported, truth = t->truths > 0, timed = t->times > 0;
  name_write(set, r.cells[SET], CELL);
  bench_separation(r.cells[SEPARATION], &e->options);
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

/* A table in the making: its form, and how wide its columns are. */
typedef struct table {
  bench_form form;
  bool separations;
  int width[COLUMNS];
} table;

static bool has_column(const table *t, int column) {
  if (column == SEPARATION)
    return t->separations;
  // With a separation on the row, the number of queries gives way to it.
  return t->form != BENCH_NARROW || (columns[column].narrow && !(t->separations && column == QUERIES));
}

/* Columns of text are as wide as what stands in them. */
static void widen(table *t, const row *r) {
  for (int k = 0; k < COLUMNS; k++) {
    int width = columns[k].text ? (int)strlen(r->cells[k]) : 0;
    width = t->form == BENCH_NARROW && width > NARROW_NAME ? NARROW_NAME : width;
    t->width[k] = width > t->width[k] ? width : t->width[k];
  }
}

static void print_row(const table *t, const row *r) {
  for (int k = 0; k < COLUMNS; k++) {
    if (!has_column(t, k))
      continue;
    printf(t->form == BENCH_MARKDOWN ? "| " : k > 0 ? " " : "");
    if (t->form == BENCH_MARKDOWN)
      printf("%s ", r->cells[k]);
    else if (columns[k].text)
      name_print_column(r->cells[k], t->width[k]);
    else
      printf("%*s", t->width[k], r->cells[k]);
  }
  printf(t->form == BENCH_MARKDOWN ? "|\n" : "\n");
}

static void print_header(const table *t) {
  row titles, rule;
  for (int k = 0; k < COLUMNS; k++) {
    snprintf(titles.cells[k], CELL, "%s", columns[k].title);
    snprintf(rule.cells[k], CELL, "%s", columns[k].text ? "---" : "---:");
  }
  print_row(t, &titles);
  if (t->form == BENCH_MARKDOWN)
    print_row(t, &rule);
}

/* The row of entry i % count and set i / count. */
static row row_of(const bench_result *result, size_t i) {
  const size_t entries = result->contest->count;
  return make_row(result->sets->items[i / entries].name, &result->contest->entries[i % entries], &result->tallies[i]);
}

void bench_print(const bench_result *result, bench_form form) {
  const size_t rows = result->sets->count * result->contest->count;
  table t = {.form = form, .separations = result->separations};
  for (int k = 0; k < COLUMNS; k++)
    t.width[k] = columns[k].width;
  for (size_t i = 0; i < rows; i++) {
    const row r = row_of(result, i);
    widen(&t, &r);
  }
  print_header(&t);
  for (size_t i = 0; i < rows; i++) {
    const row r = row_of(result, i);
    print_row(&t, &r);
  }
}

/* --- CSV --- */

/* A name in quotes, so that it may have commas. */
static toi_status csv_name(output *out, const char *name, const char *after) {
  char shown[CELL], text[2 * CELL + 8];
  name_write(name, shown, sizeof shown);
  size_t to = 0;
  text[to++] = '"';
  for (const char *c = shown; *c != '\0'; c++) {
    if (*c == '"')
      text[to++] = '"';
    text[to++] = *c;
  }
  snprintf(text + to, sizeof text - to, "\"%s", after);
  return output_append_text(out, text);
}

/* A number, or nothing where it is not known. */
static toi_status csv_number(output *out, double number, bool known, const char *after) {
  char text[CELL];
  snprintf(text, sizeof text, "%.*g%s", known && isfinite(number) ? 17 : 0, known && isfinite(number) ? number : 0.0,
           after);
  return output_append_text(out, known && isfinite(number) ? text : after);
}

static toi_status csv_row(const char *set, const entry *e, tally *t, output *out) {
  const bool asked = !e->unsupported, truth = t->truths > 0, timed = t->times > 0;
  const bool fraction = e->options.separation_fraction > 0;
  const struct {
    double number;
    bool known;
  } figures[] = {
      {fraction ? NAN : e->options.min_separation, true},
      {fraction ? e->options.separation_fraction : NAN, true},
      {(double)t->queries, asked},
      {(double)t->contacts, truth},
      {(double)t->false_positives, truth && !t->contacts_only},
      {(double)t->false_negatives, truth},
      {(double)t->verdicts[TOI_HIT], asked},
      {(double)t->verdicts[TOI_NEAR], asked},
      {(double)t->verdicts[TOI_MISS], asked},
      {(double)t->late, timed},
      {timed ? t->early_sum / (double)t->times : 0, timed},
      {t->early_max, timed},
      {mean_ns(t->seconds, t->queries), asked},
      {samples_percentile(&t->samples, 0.5), asked},
      {samples_percentile(&t->samples, 0.99), asked},
      {samples_percentile(&t->samples, 1), asked},
  };
  const size_t count = sizeof figures / sizeof figures[0];
  toi_status status = csv_name(out, set, ",");
  if (status == TOI_OK)
    status = csv_name(out, e->options.method, ",");
  for (size_t i = 0; i < count && status == TOI_OK; i++)
    status = csv_number(out, figures[i].number, figures[i].known, i + 1 < count ? "," : "\n");
  return status;
}

toi_status bench_csv(const bench_result *result, output *out) {
  const size_t entries = result->contest->count;
  toi_status status = output_append_text(out, "set,method,min_separation,separation_fraction,queries,contacts,"
                                              "false_positives,false_negatives,hits,near,misses,late,early_mean,"
                                              "early_max,ns_per_query,p50_ns,p99_ns,max_ns\n");
  for (size_t i = 0; i < result->sets->count * entries && status == TOI_OK; i++)
    status = csv_row(result->sets->items[i / entries].name, &result->contest->entries[i % entries], &result->tallies[i],
                     out);
  return status;
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

json_t *bench_json(const bench_result *result) {
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
  return object;
}
