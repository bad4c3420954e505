/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What was found out about steps: the verdict, the first pair, and only then times. */

#include "step_report.h"

#include <stdio.h>

#include "pair_file.h"

#define LABEL 18

/* --- tables --- */

void pair_text(toi_kind kind, toi_pair pair, const char *word, char *text, size_t size) {
  static const char *const names[PAIR_KINDS][2] = {
      {"vertex", "face"}, {"edge", "edge"}, {"vertex", "edge"}, {"vertex", "vertex"}, {"vertex", "half-space"}};
  const char *const *own = names[pair_row(kind)];
  snprintf(text, size, "%s %u %s %s %u", own[0], pair.first, word, own[1], pair.second);
}

void impact_text(const toi_impact *impact, char *text, size_t size) {
  pair_text(impact->kind, impact->pair, "with", text, size);
}

void print_label(const char *label) {
  printf("%-*s ", LABEL, label);
}

void bytes_text(uint64_t bytes, char *text, size_t size) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double value = (double)bytes;
  int unit = 0;
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    unit++;
  }
  snprintf(text, size, "%.*f %s", unit > 0, value, units[unit]);
}

static void print_vector(const char *label, const double v[3]) {
  printf("%-*s (%.10g, %.10g, %.10g)\n", LABEL, label, v[0], v[1], v[2]);
}

void print_impact(const toi_impact *impact) {
  const toi_hit *hit = &impact->hit;
  printf("%-*s %s\n", LABEL, "verdict", toi_verdict_name((toi_verdict)hit->verdict));
  if (hit->verdict == TOI_MISS) {
    printf("%-*s the whole step, up to t = %.17g\n", LABEL, "safe", hit->t_safe);
    return;
  }
  char pair[96];
  impact_text(impact, pair, sizeof pair);
  printf("%-*s %s\n", LABEL, hit->verdict == TOI_HIT ? "first to touch" : "first undecided", pair);
  if (hit->t_lo == hit->t_hi) {
    printf("%-*s t = %.17g, exactly%s\n", LABEL, "time of impact", hit->t_lo,
           hit->touching_at_start ? ": touching at the start" : "");
  } else {
    printf("%-*s %.17g <= t <= %.17g\n", LABEL, "time of impact", hit->t_lo, hit->t_hi);
  }
  printf("%-*s up to t = %.17g\n", LABEL, "safe", hit->t_safe);
  if (hit->verdict == TOI_HIT) {
    print_vector("contact point", hit->point);
    print_vector("normal", hit->normal);
  }
}

static void print_counts(const char *label, const uint64_t counts[TOI_COUNTERS], size_t half_spaces) {
  uint64_t all = 0;
  printf("%-*s", LABEL, label);
  for (int row = 0; row < pair_kinds(half_spaces); row++) {
    const uint64_t own = counts[pair_kind(row)];
    printf(" %*llu", row < TOI_KIND_COUNT ? 14 : 17, (unsigned long long)own);
    all += own;
  }
  printf(" %14llu\n", (unsigned long long)all);
}

void print_pairs(const step_answer *answer) {
  printf("%-*s", LABEL, "pairs");
  for (int row = 0; row < pair_kinds(answer->half_spaces); row++)
    printf(" %14s", toi_kind_name(pair_kind(row)));
  printf(" %14s\n", "all");
  print_counts(answer->every_candidate ? "candidates" : "checked", answer->candidates, answer->half_spaces);
  if (answer->every_hit)
    print_counts("colliding", answer->hits, answer->half_spaces);
}

void print_separation(const toi_options *options) {
  const char *norm = options->norm == TOI_NORM_LINF ? "linf" : "l2";
  if (options->separation_fraction > 0 && options->min_separation > 0)
    printf("separation (%s): %.17g, and %g of each pair's initial distance beyond it\n", norm, options->min_separation,
           options->separation_fraction);
  else if (options->separation_fraction > 0)
    printf("separation (%s): %g of each pair's initial distance\n", norm, options->separation_fraction);
  else if (options->min_separation > 0)
    printf("separation (%s): %.17g\n", norm, options->min_separation);
}

/* --- JSON --- */

json_t *kinds_json(const uint64_t counts[TOI_COUNTERS], size_t half_spaces) {
  json_t *object = json_object();
  for (int row = 0; row < pair_kinds(half_spaces); row++)
    json_object_set_new(object, pair_kind_name(pair_kind(row)), json_count(counts[pair_kind(row)], true));
  return object;
}

static json_t *vector_json(const double v[3]) {
  json_t *list = json_array();
  for (int k = 0; k < 3; k++)
    json_array_append_new(list, json_number(v[k]));
  return list;
}

json_t *toi_json(const toi_hit *hit) {
  if (hit->verdict == TOI_MISS)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "lo", json_number(hit->t_lo));
  json_object_set_new(object, "hi", json_number(hit->t_hi));
  json_object_set_new(object, "safe", json_number(hit->t_safe));
  return object;
}

json_t *first_json(const toi_impact *impact) {
  const toi_hit *hit = &impact->hit;
  if (hit->verdict == TOI_MISS)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "kind", json_text(pair_kind_name(impact->kind)));
  json_object_set_new(object, "a", json_count(impact->pair.first, true));
  json_object_set_new(object, "b", json_count(impact->pair.second, true));
  json_object_set_new(object, "touching_at_start", json_boolean(hit->touching_at_start != 0));
  json_object_set_new(object, "u", json_number(hit->u));
  json_object_set_new(object, "v", json_number(hit->v));
  json_object_set_new(object, "point", vector_json(hit->point));
  json_object_set_new(object, "normal", vector_json(hit->normal));
  json_object_set_new(object, "separation", json_number(hit->separation));
  return object;
}

static json_t *ms_json(const step_answer *answer) {
  json_t *object = json_object();
  json_object_set_new(object, "load", json_number(answer->load_ms));
  json_object_set_new(object, "broad", json_number(answer->broad_ms));
  json_object_set_new(object, "narrow", json_number(answer->narrow_ms));
  json_object_set_new(object, "first", json_number(answer->first_ms));
  json_object_set_new(object, "total", json_number(answer->total_ms));
  return object;
}

json_t *step_json(const stepping *s, const step_answer *answer) {
  const toi_options *o = &s->asked;
  json_t *object = json_object();
  json_object_set_new(object, "vertices", json_count(answer->vertices, true));
  json_object_set_new(object, "edges", json_count(answer->edges, true));
  json_object_set_new(object, "faces", json_count(answer->faces, true));
  json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)answer->impact.hit.verdict)));
  json_object_set_new(object, "candidates", kinds_json(answer->candidates, answer->half_spaces));
  if (answer->every_hit)
    json_object_set_new(object, "hits", kinds_json(answer->hits, answer->half_spaces));
  json_object_set_new(object, "toi", toi_json(&answer->impact.hit));
  json_object_set_new(object, "first", first_json(&answer->impact));
  json_object_set_new(object, "ms", ms_json(answer));
  json_object_set_new(object, "peak_bytes", json_count(answer->peak_bytes, true));
  json_object_set_new(object, "threads", json_count(toi_context_threads(s->context), true));
  json_object_set_new(object, "method", json_text(o->method != NULL ? o->method : toi_method_name(0)));
  json_object_set_new(object, "broad", json_text(s->on_mesh.broad != NULL ? s->on_mesh.broad : toi_broad_name(0)));
  json_object_set_new(object, "every_candidate", json_boolean(answer->every_candidate));
  return object;
}
