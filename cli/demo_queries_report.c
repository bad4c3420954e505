/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the demonstration of queries found, as a table for people or one JSON object. */

#include <stdio.h>

#include "demo.h"
#include "measure.h"

/* --- a table --- */

static void print_row(const char *name, const demo_class *c) {
  printf("%-16s %10llu %10llu %10llu %6llu %6llu %9.0f %9.0f ", name, (unsigned long long)c->queries,
         (unsigned long long)c->hits, (unsigned long long)(c->queries - c->hits), (unsigned long long)c->near,
         (unsigned long long)c->wrong, mean_ns(c->seconds, c->queries), mean_ns(c->exact_seconds, c->queries));
  for (int level = 0; level <= TOI_LEVEL_EXACT; level++) {
    double percent = c->queries > 0 ? 100 * (double)c->levels[level] / (double)c->queries : 0;
    printf(c->levels[level] > 0 ? " %10.1f" : "          -", percent);
  }
  printf("\n");
}

static void print_wrong(const demo_options *options, const demo_result *result) {
  for (uint64_t i = 0; i < DEMO_WRONG_SHOWN && i < result->total.wrong; i++) {
    const demo_wrong *w = &result->wrong[i];
    printf("wrong: %s on %s, %s, separation %a, seed %llu, index %llu\n", w->method, options->catalog->name(w->number),
           toi_kind_name(w->kind), w->separation, (unsigned long long)options->seed, (unsigned long long)w->index);
  }
}

void demo_queries_table(const demo_options *options, const demo_result *result) {
  const demo_catalog *catalog = options->catalog;
  uint32_t classes = catalog->count(), degenerate = 0;
  printf(
      "Adversarial queries: most are degenerate on purpose and reach the last levels, so that they take longer than\n"
      "those of a simulation; toi demo and toi bench measure these.\n\n");
  printf("%-16s %10s %10s %10s %6s %6s %9s %9s ", "class", "queries", "hits", "misses", "near", "wrong", "certified",
         "exact");
  for (int level = 0; level <= TOI_LEVEL_EXACT; level++)
    printf(" %10s", toi_level_name((toi_level)level));
  printf("\n%-16s %10s %10s %10s %6s %6s %9s %9s  %s\n", "", "", "", "", "", "", "ns/query", "ns/query",
         "  per cent of the queries that each level of certified decides");
  for (uint32_t i = 0; i < classes; i++) {
    degenerate += catalog->is_degenerate(i);
    print_row(catalog->name(i), &result->classes[i]);
  }
  print_row("all", &result->total);
  printf("\n");
  print_wrong(options, result);
  unsigned long long queries = result->total.queries, wrong = result->total.wrong;
  if (wrong == 0 && result->total.near > 0) {
    printf("exact decides all %llu queries correctly, and certified all but %llu that it leaves undecided.\n", queries,
           (unsigned long long)result->total.near);
  } else if (wrong == 0) {
    printf("certified and exact decide all %llu queries correctly, %u of %u classes degenerate: every verdict is the "
           "planted "
           "one and every bracket contains the contact time.\n",
           queries, degenerate, classes);
  } else {
    printf("WRONG: %llu of %llu queries are decided incorrectly; please report them.\n", wrong, queries);
  }
}

/* --- JSON --- */

static json_t *class_json(const demo_class *c) {
  json_t *object = json_object();
  json_object_set_new(object, "queries", json_count(c->queries, true));
  json_object_set_new(object, "hits", json_count(c->hits, true));
  json_object_set_new(object, "misses", json_count(c->queries - c->hits, true));
  json_object_set_new(object, "near", json_count(c->near, true));
  json_object_set_new(object, "wrong", json_count(c->wrong, true));
  json_object_set_new(object, "ns_per_query", json_number(mean_ns(c->seconds, c->queries)));
  json_object_set_new(object, "exact_ns_per_query", json_number(mean_ns(c->exact_seconds, c->queries)));
  json_object_set_new(object, "levels", json_levels(c->levels));
  return object;
}

json_t *demo_queries_json(const demo_options *options, const demo_result *result) {
  json_t *object = class_json(&result->total), *classes = json_array(), *wrong = json_array();
  const demo_catalog *catalog = options->catalog;
  for (uint32_t i = 0; i < catalog->count(); i++) {
    json_t *class = class_json(&result->classes[i]);
    json_object_set_new(class, "class", json_text(catalog->name(i)));
    json_object_set_new(class, "description", json_text(catalog->description(i)));
    json_object_set_new(class, "degenerate", json_boolean(catalog->is_degenerate(i)));
    json_array_append_new(classes, class);
  }
  for (uint64_t i = 0; i < result->total.wrong && i < DEMO_WRONG_SHOWN; i++) {
    const demo_wrong *w = &result->wrong[i];
    json_t *query = json_object();
    json_object_set_new(query, "method", json_text(w->method));
    json_object_set_new(query, "class", json_text(catalog->name(w->number)));
    json_object_set_new(query, "kind", json_text(toi_kind_name(w->kind)));
    json_object_set_new(query, "index", json_count(w->index, true));
    json_object_set_new(query, "separation", json_number(w->separation));
    json_array_append_new(wrong, query);
  }
  json_object_set_new(object, "seed", json_count(options->seed, true));
  json_object_set_new(object, "threads", json_count(result->threads, true));
  json_object_set_new(object, "classes", classes);
  json_object_set_new(object, "wrong_queries", wrong);
  return object;
}
