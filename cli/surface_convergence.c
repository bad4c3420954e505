/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface --convergence`: how time and parameters of the first contact converge as the tolerance shrinks, and how
 * far apart the two points are that are reported, as figures 5 and 6 of Chen 2024 show it.
 *
 * The reference is the answer at the smallest tolerance, by parameter width. Errors are over the cases that are no miss
 * there and none at the tolerance in question; a contact along a curve has no one place, and its parameters need not
 * converge. Every call is alone, on one thread. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "memory.h"
#include "name.h"
#include "progress.h"
#include "session.h"
#include "surface.h"

#define REFERENCE 1e-10
#define LABEL_BYTES 64

enum { ACCEPTS = 2, TOLERANCES = 9 };

static const double tolerances[TOLERANCES] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

static const toi_accept accepts[ACCEPTS] = {TOI_ACCEPT_PARAMETER, TOI_ACCEPT_WORLD};

/* The sum and the largest of some values. */
typedef struct spread {
  double sum, most;
} spread;

/* Cases of one type at one tolerance. */
typedef struct level {
  uint64_t verdicts[3];
  uint64_t compared; /* cases behind the next three */
  spread time, place, distance;
  spread checks, seconds; /* of all cases */
} level;

typedef struct group {
  char label[LABEL_BYTES]; /* such as "quad 3x3" */
  uint64_t cases, contacts;
  level levels[ACCEPTS][TOLERANCES];
} group;

typedef struct convergence {
  const surface_options *options;
  toi_context *context;
  toi_case_set set;
  toi_surface_hit *references;
  size_t *group_of; /* case by case */
  group *groups;
  size_t group_count;
} convergence;

/* --- types --- */

static void patch_label(const toi_patch *patch, char *label, size_t size) {
  const char *rational = patch->weights != NULL ? "rational " : "";
  if (patch->shape == TOI_PATCH_TRIANGLE)
    snprintf(label, size, "%striangle %u", rational, patch->degree[0]);
  else
    snprintf(label, size, "%squad %ux%u", rational, patch->degree[0], patch->degree[1]);
}

static void case_label(const toi_patch_case *c, char label[LABEL_BYTES]) {
  char a[LABEL_BYTES / 2 - 8], b[LABEL_BYTES / 2 - 8];
  patch_label(c->a, a, sizeof a);
  patch_label(c->b, b, sizeof b);
  if (strcmp(a, b) == 0)
    snprintf(label, LABEL_BYTES, "%s", a);
  else
    snprintf(label, LABEL_BYTES, "%s with %s", a, b);
}

static bool find_group(convergence *c, const char *label, size_t *number) {
  for (*number = 0; *number < c->group_count; ++*number)
    if (strcmp(c->groups[*number].label, label) == 0)
      return true;
  group *groups = memory_resize(c->groups, (c->group_count + 1), sizeof *groups);
  if (groups == NULL)
    return false;
  c->groups = groups;
  groups[c->group_count] = (group){0};
  snprintf(groups[c->group_count].label, LABEL_BYTES, "%s", label);
  c->group_count++;
  return true;
}

static int sort_cases(convergence *c) {
  for (size_t i = 0; i < c->set.count; i++) {
    char label[LABEL_BYTES];
    case_label(toi_case_set_case(&c->set, i), label);
    if (!find_group(c, label, &c->group_of[i]))
      return memory_fail("the table", "split the file");
    c->groups[c->group_of[i]].cases++;
  }
  return EXIT_DONE;
}

/* --- answers --- */

static void spread_add(spread *s, double value) {
  s->sum += value;
  s->most = value > s->most ? value : s->most;
}

static void level_add(level *l, const toi_surface_hit *hit, const toi_surface_hit *reference, double seconds) {
  l->verdicts[hit->verdict]++;
  spread_add(&l->checks, (double)hit->checks);
  spread_add(&l->seconds, seconds);
  if (hit->verdict == TOI_MISS || reference->verdict == TOI_MISS)
    return;
  double square = 0;
  for (int k = 0; k < 2; k++) {
    const double a = hit->a[k] - reference->a[k], b = hit->b[k] - reference->b[k];
    square += a * a + b * b;
  }
  l->compared++;
  spread_add(&l->time, fabs(hit->t_lo - reference->t_lo));
  spread_add(&l->place, sqrt(square));
  spread_add(&l->distance, hit->distance);
}

/* Asks about every case; to a level of its group, or (levels: none) as the references. */
static int ask_all(convergence *c, double tolerance, size_t accept, size_t level_number, double done) {
  const bool references = level_number == TOLERANCES;
  const double cost = clock_cost(), part = 1.0 / (ACCEPTS * TOLERANCES + 1);
  toi_surface_options asked = c->options->toi;
  surface_progress progress = {.doing = c->options->paths[0]};
  surface_watch(&asked, &progress);
  asked.method = c->options->method;
  asked.tolerance = tolerance;
  asked.accept = accepts[accept];
  for (size_t i = 0; i < c->set.count; i++) {
    const toi_patch_case *one = toi_case_set_case(&c->set, i);
    toi_surface_hit hit;
    progress.before = (done + (double)i / (double)c->set.count) * part;
    asked.t_max = one->t_max;
    double begin = clock_seconds();
    toi_status status = toi_patch_pair(c->context, one->a, one->b, &asked, &hit);
    double seconds = clock_seconds() - begin - cost;
    if (status != TOI_OK) {
      char place[4096 + 32];
      snprintf(place, sizeof place, "%.4096s: case %zu", c->options->paths[0], i);
      return session_fail(c->context, status, place);
    }
    if (progress_stopped())
      return cli_fail("stopped; nothing was written");
    progress_show(progress.before, progress.doing);
    group *g = &c->groups[c->group_of[i]];
    if (references) {
      c->references[i] = hit;
      g->contacts += hit.verdict != TOI_MISS;
    } else {
      level_add(&g->levels[accept][level_number], &hit, &c->references[i], seconds > 0 ? seconds : 0);
    }
  }
  return EXIT_DONE;
}

static int run_all(convergence *c) {
  int result = ask_all(c, REFERENCE, 0, TOLERANCES, 0);
  for (size_t a = 0; a < ACCEPTS; a++)
    for (size_t i = 0; result == EXIT_DONE && i < TOLERANCES; i++)
      result = ask_all(c, tolerances[i], a, i, (double)(1 + a * TOLERANCES + i));
  return result;
}

/* --- the report --- */

static double mean(const spread *s, uint64_t count) {
  return count > 0 ? s->sum / (double)count : (double)NAN;
}

static double most(const spread *s, uint64_t count) {
  return count > 0 ? s->most : (double)NAN;
}

static void print_level(double tolerance, const level *l) {
  const uint64_t n = l->compared, all = l->verdicts[0] + l->verdicts[1] + l->verdicts[2];
  printf("%9.0e %7llu %6llu %7llu %11.2e %11.2e %11.2e %11.2e %11.2e %11.2e %10.1f %9.4f\n", tolerance,
         (unsigned long long)l->verdicts[TOI_HIT], (unsigned long long)l->verdicts[TOI_NEAR],
         (unsigned long long)l->verdicts[TOI_MISS], mean(&l->time, n), most(&l->time, n), mean(&l->place, n),
         most(&l->place, n), mean(&l->distance, n), most(&l->distance, n), mean(&l->checks, all),
         1e3 * mean(&l->seconds, all));
}

static void print_table(const convergence *c) {
  printf("%zu case%s from ", c->set.count, c->set.count == 1 ? "" : "s");
  name_print(c->options->paths[0]);
  printf("; the reference is the answer at %.0e by parameter width\n", REFERENCE);
  for (size_t g = 0; g < c->group_count; g++) {
    const group *one = &c->groups[g];
    for (size_t a = 0; a < ACCEPTS; a++) {
      printf("\n%s, by %s: %llu cases, %llu in contact\n", one->label, accept_name(accepts[a]),
             (unsigned long long)one->cases, (unsigned long long)one->contacts);
      printf("%9s %7s %6s %7s %11s %11s %11s %11s %11s %11s %10s %9s\n", "tolerance", "hits", "near", "misses",
             "time error", "largest", "uv error", "largest", "distance", "largest", "checks", "ms");
      for (size_t i = 0; i < TOLERANCES; i++)
        print_level(tolerances[i], &one->levels[a][i]);
    }
  }
}

static json_t *spread_json(const spread *s, uint64_t count) {
  json_t *object = json_object();
  json_object_set_new(object, "mean", json_number(mean(s, count)));
  json_object_set_new(object, "max", json_number(most(s, count)));
  return object;
}

static json_t *level_json(toi_accept accept, double tolerance, const level *l) {
  const uint64_t all = l->verdicts[0] + l->verdicts[1] + l->verdicts[2];
  json_t *object = json_object();
  json_object_set_new(object, "accept", json_text(accept_name(accept)));
  json_object_set_new(object, "tolerance", json_number(tolerance));
  json_object_set_new(object, "hits", json_count(l->verdicts[TOI_HIT], true));
  json_object_set_new(object, "near", json_count(l->verdicts[TOI_NEAR], true));
  json_object_set_new(object, "misses", json_count(l->verdicts[TOI_MISS], true));
  json_object_set_new(object, "time_error", spread_json(&l->time, l->compared));
  json_object_set_new(object, "uv_error", spread_json(&l->place, l->compared));
  json_object_set_new(object, "distance", spread_json(&l->distance, l->compared));
  json_object_set_new(object, "checks", spread_json(&l->checks, all));
  json_object_set_new(object, "ms_per_case", json_number(1e3 * mean(&l->seconds, all)));
  return object;
}

static int print_json(const convergence *c) {
  json_t *object = json_object(), *types = json_array();
  for (size_t g = 0; g < c->group_count; g++) {
    const group *one = &c->groups[g];
    json_t *type = json_object(), *levels = json_array();
    for (size_t a = 0; a < ACCEPTS; a++)
      for (size_t i = 0; i < TOLERANCES; i++)
        json_array_append_new(levels, level_json(accepts[a], tolerances[i], &one->levels[a][i]));
    json_object_set_new(type, "type", json_text(one->label));
    json_object_set_new(type, "cases", json_count(one->cases, true));
    json_object_set_new(type, "contacts", json_count(one->contacts, true));
    json_object_set_new(type, "levels", levels);
    json_array_append_new(types, type);
  }
  const char *method = c->options->method != NULL ? c->options->method : toi_surface_method_name(0);
  json_object_set_new(object, "cases", json_count(c->set.count, true));
  json_object_set_new(object, "reference_tolerance", json_number(REFERENCE));
  json_object_set_new(object, "method", json_text(method));
  json_object_set_new(object, "types", types);
  return json_print(object);
}

/* --- beginning and end --- */

static int prepare(convergence *c) {
  const surface_options *o = c->options;
  int result = session_open(1, o->memory, &c->context);
  if (result != EXIT_DONE)
    return result;
  result = surface_read_cases(c->context, o, &c->set);
  if (result != EXIT_DONE)
    return result;
  c->references = memory_zeroed(c->set.count + 1, sizeof *c->references);
  c->group_of = memory_zeroed(c->set.count + 1, sizeof *c->group_of);
  if (c->references == NULL || c->group_of == NULL)
    return memory_fail("the answers", "split the file");
  return sort_cases(c);
}

int surface_convergence(const surface_options *options) {
  convergence c = {.options = options};
  int result = prepare(&c);
  if (result == EXIT_DONE)
    result = run_all(&c);
  if (result == EXIT_DONE) {
    progress_clear();
    if (options->json)
      result = print_json(&c);
    else
      print_table(&c);
  }
  if (c.context != NULL)
    toi_cases_free(c.context, &c.set);
  memory_free(c.references);
  memory_free(c.group_of);
  memory_free(c.groups);
  toi_context_destroy(c.context);
  return result;
}
