/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface A B`, `toi surface A --self` and `toi surface SCENE.json`: the first contact of models, or all contacts
 * of the first moment.
 *
 * Nothing is printed and no output file appears before everything has gone well. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "name.h"
#include "page_curved.h"
#include "progress.h"
#include "session.h"
#include "surface.h"

#define LABEL 18
#define CONTACTS_SHOWN 20

enum { OUT, VIEW, OUTPUTS };

typedef struct models_run {
  const surface_options *options;
  toi_surface_options asked;
  surface_progress progress;
  toi_context *context;
  surface_pair pair;
  surface_answer answer;
  double load_ms;
  output outputs[OUTPUTS];
  page_curved page;
} models_run;

/* --- JSON --- */

static json_t *numbers_json(const double *values, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_number(values[i]));
  return list;
}

static json_t *two(json_t *a, json_t *b) {
  json_t *list = json_array();
  json_array_append_new(list, a);
  json_array_append_new(list, b);
  return list;
}

static json_t *bracket_json(const toi_surface_hit *hit, bool safe) {
  if (hit->verdict == TOI_MISS)
    return json_null();
  json_t *object = json_object();
  json_object_set_new(object, "lo", json_number(hit->t_lo));
  json_object_set_new(object, "hi", json_number(hit->t_hi));
  if (safe)
    json_object_set_new(object, "safe", json_number(hit->t_safe));
  return object;
}

/* Parameters of the surface that a patch was cut from; null where there is none. */
static json_t *surface_uv_json(const toi_model *model, uint32_t patch, const double uv[2]) {
  if (model->domains == NULL || patch >= model->patch_count)
    return json_null();
  const double *d = model->domains[patch];
  const double surface[2] = {d[0] + uv[0] * (d[1] - d[0]), d[2] + uv[1] * (d[3] - d[2])};
  return numbers_json(surface, 2);
}

static json_t *place_json(const surface_pair *pair, const toi_surface_hit *hit) {
  const toi_model *a = &pair->model[0], *b = pair->self ? a : &pair->model[1];
  json_t *object = json_object();
  json_object_set_new(object, "patches", two(json_count(hit->patch_a, true), json_count(hit->patch_b, true)));
  json_object_set_new(object, "uv", two(numbers_json(hit->a, 2), numbers_json(hit->b, 2)));
  if (a->domains != NULL || b->domains != NULL) {
    json_object_set_new(object, "surface_uv",
                        two(surface_uv_json(a, hit->patch_a, hit->a), surface_uv_json(b, hit->patch_b, hit->b)));
  }
  json_object_set_new(object, "point", numbers_json(hit->point, 3));
  json_object_set_new(object, "normals", two(numbers_json(hit->normal_a, 3), numbers_json(hit->normal_b, 3)));
  json_object_set_new(object, "distance", json_number(hit->distance));
  return object;
}

static json_t *contacts_json(const surface_pair *pair, const surface_answer *answer) {
  json_t *list = json_array();
  for (size_t i = 0; i < answer->count; i++) {
    const toi_surface_hit *hit = &answer->contacts[i];
    json_t *object = place_json(pair, hit);
    json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)hit->verdict)));
    json_object_set_new(object, "toi", bracket_json(hit, false));
    json_array_append_new(list, object);
  }
  return list;
}

json_t *surface_answer_json(const surface_pair *pair, const surface_answer *answer, bool contacts) {
  const toi_surface_hit *hit = &answer->first;
  const bool miss = hit->verdict == TOI_MISS;
  json_t *object = json_object();
  json_object_set_new(object, "verdict", json_text(toi_verdict_name((toi_verdict)hit->verdict)));
  json_object_set_new(object, "toi", bracket_json(hit, true));
  json_object_set_new(object, "first", miss ? json_null() : place_json(pair, hit));
  if (contacts)
    json_object_set_new(object, "contacts", contacts_json(pair, answer));
  json_object_set_new(object, "touching_at_start", json_boolean(hit->touching_at_start != 0));
  json_object_set_new(object, "tolerance_reached", json_number(hit->tolerance_reached));
  json_object_set_new(object, "end", json_text(toi_surface_end_name((toi_surface_end)hit->end)));
  json_object_set_new(object, "checks", json_count(hit->checks, true));
  json_object_set_new(object, "pieces", json_count(hit->pieces, true));
  json_object_set_new(object, "ms", json_number(answer->ms));
  return object;
}

static json_t *models_json(const models_run *r) {
  const surface_pair *pair = &r->pair;
  const size_t counts[2] = {pair->model[0].patch_count, pair->model[1].patch_count};
  json_t *object = surface_answer_json(pair, &r->answer, r->options->contacts);
  json_object_set_new(object, "patches", two(json_count(counts[0], true), json_count(counts[1], !pair->self)));
  json_object_set_new(object, "t_max", json_number(r->asked.t_max));
  json_object_set_new(object, "tolerance", json_number(r->asked.tolerance));
  json_object_set_new(object, "method", json_text(r->asked.method));
  json_object_set_new(object, "load_ms", json_number(r->load_ms));
  json_object_set_new(object, "threads", json_count(toi_context_threads(r->context), true));
  json_object_set_new(object, "peak_bytes", json_count(platform_peak_bytes(), true));
  return object;
}

/* --- tables --- */

static void print_vector(const char *label, const double v[3]) {
  printf("%-*s (%.10g, %.10g, %.10g)\n", LABEL, label, v[0], v[1], v[2]);
}

static void print_contacts(const surface_answer *answer) {
  printf("\n%zu contact%s at the first time of contact\n", answer->count, answer->count == 1 ? "" : "s");
  for (size_t i = 0; i < answer->count && i < CONTACTS_SHOWN; i++) {
    const toi_surface_hit *c = &answer->contacts[i];
    const bool proved = c->verdict == TOI_HIT;
    printf("%5zu  %-4s  t %s %-20.17g (%.10g, %.10g, %.10g)  patches %u and %u\n", i,
           toi_verdict_name((toi_verdict)c->verdict), proved ? "<=" : ">=", proved ? c->t_hi : c->t_lo, c->point[0],
           c->point[1], c->point[2], c->patch_a, c->patch_b);
  }
  if (answer->count > CONTACTS_SHOWN)
    printf("   and %zu more: --json or --out lists them all\n", answer->count - CONTACTS_SHOWN);
}

void surface_answer_print(const surface_pair *pair, const surface_answer *answer, bool contacts) {
  const toi_surface_hit *hit = &answer->first;
  printf("%-*s %s\n", LABEL, "verdict", toi_verdict_name((toi_verdict)hit->verdict));
  if (hit->verdict == TOI_MISS) {
    printf("%-*s up to t = %.17g\n", LABEL, "safe", hit->t_safe);
    return;
  }
  printf("%-*s patch %u of the %s and patch %u of the %s\n", LABEL,
         hit->verdict == TOI_HIT ? "first to touch" : "first undecided", hit->patch_a, pair->self ? "model" : "first",
         hit->patch_b, pair->self ? "model" : "second");
  printf("%-*s (%.10g, %.10g) and (%.10g, %.10g)\n", LABEL, "at u, v", hit->a[0], hit->a[1], hit->b[0], hit->b[1]);
  if (hit->verdict == TOI_HIT) {
    const char *end = toi_surface_end_name((toi_surface_end)hit->end);
    const bool whole = hit->end == TOI_SURFACE_BRACKETED || hit->end == TOI_SURFACE_EXACT;
    printf("%-*s %.17g <= t <= %.17g%s%s%s%s\n", LABEL, "time of impact", hit->t_lo, hit->t_hi,
           hit->touching_at_start ? ": touching at the start" : "", whole ? "" : " (", whole ? "" : end,
           whole ? "" : ")");
  } else {
    printf("%-*s not before t = %.17g; within %.3g of each other by t = %.17g (%s)\n", LABEL, "time of impact",
           hit->t_lo, hit->tolerance_reached, hit->t_hi, toi_surface_end_name((toi_surface_end)hit->end));
  }
  printf("%-*s up to t = %.17g\n", LABEL, "safe", hit->t_safe);
  print_vector("contact point", hit->point);
  print_vector("normals", hit->normal_a);
  print_vector("", hit->normal_b);
  if (contacts)
    print_contacts(answer);
}

static void print_table(const models_run *r) {
  const surface_pair *pair = &r->pair;
  const uint32_t threads = toi_context_threads(r->context);
  const size_t counts[2] = {pair->model[0].patch_count, pair->model[1].patch_count};
  name_print(r->options->paths[0]);
  if (pair->self) {
    printf(" with itself: %zu patch%s", counts[0], counts[0] == 1 ? "" : "es");
  } else if (r->options->mode == SURFACE_SCENE) {
    printf(": patches: %zu and %zu", counts[0], counts[1]);
  } else {
    printf(", %zu patch%s, and ", counts[0], counts[0] == 1 ? "" : "es");
    name_print(r->options->paths[1]);
    printf(", %zu", counts[1]);
  }
  printf("; times from 0 to %g; tolerance %g by %s; %u thread%s\n", r->asked.t_max, r->asked.tolerance,
         accept_name(r->asked.accept), threads, threads == 1 ? "" : "s");
  if (r->asked.min_separation > 0)
    printf("separation (%s): %.17g\n", r->options->norm, r->asked.min_separation);
  if (pair->self)
    printf("skipped: each patch with itself, and pairs of patches that share a corner\n");
  printf("\n");
  surface_answer_print(pair, &r->answer, r->options->contacts);
  if (pair->self)
    printf("%-*s %s\n", LABEL, "skipped", SURFACE_NOT_EXAMINED);
  printf("\n%llu pairs of pieces checked, %llu pieces made; load %.1f ms, answer %.3f ms\n",
         (unsigned long long)r->answer.first.checks, (unsigned long long)r->answer.first.pieces, r->load_ms,
         r->answer.ms);
}

/* --- beginning and end --- */

static int load(models_run *r) {
  const surface_options *o = r->options;
  double begin = clock_seconds();
  r->pair.t_max = (double)NAN;
  int result = session_open(o->threads, o->memory, &r->context);
  if (result != EXIT_DONE)
    return result;
  if (o->mode == SURFACE_SCENE) {
    result = surface_read_scene(r->context, o->paths[0], &r->pair);
  } else {
    r->pair.self = o->self;
    for (int i = 0; result == EXIT_DONE && i < o->path_count; i++) {
      result = surface_load(r->context, o->paths[i], &r->pair.model[i]);
      if (result == EXIT_DONE)
        result = surface_move(r->context, &r->pair, i, &o->motion[i]);
    }
  }
  r->load_ms = 1e3 * (clock_seconds() - begin);
  return result;
}

static int ask(models_run *r) {
  const surface_options *o = r->options;
  if (o->contacts && !surface_is_linear(&r->pair))
    return cli_fail("%s: --contacts is for models that do not turn; leave out --contacts or the spin", o->paths[0]);
  r->asked = o->toi;
  r->asked.method = o->method != NULL ? o->method : toi_surface_method_name(0);
  r->asked.t_max = isnan(o->t_max) && !isnan(r->pair.t_max) ? r->pair.t_max : r->asked.t_max;
  r->progress = (surface_progress){.doing = o->paths[0], .part = 1};
  surface_watch(&r->asked, &r->progress);
  return surface_ask(r->context, &r->pair, &r->asked, o->contacts, &r->answer);
}

static int write_answers(models_run *r) {
  const surface_answer *a = &r->answer;
  const bool list = r->options->contacts;
  const size_t count = list ? a->count : 1;
  toi_status status = TOI_OK;
  for (size_t i = 0; output_is_open(&r->outputs[OUT]) && status == TOI_OK && i < count; i++)
    status = surface_append(&r->outputs[OUT], i, list ? &a->contacts[i] : &a->first, true);
  return status == TOI_OK ? EXIT_DONE : session_fail(r->context, status, NULL);
}

/* How a model moves that turns: its patches do not say so. */
static json_t *motion_json(const surface_motion *motion) {
  json_t *object = json_object();
  json_object_set_new(object, "shift", numbers_json(motion->shift, 3));
  json_object_set_new(object, "spin", numbers_json(motion->spin, 3));
  json_object_set_new(object, "centre", numbers_json(motion->centre, 3));
  json_object_set_new(object, "velocity", numbers_json(motion->velocity, 3));
  return object;
}

/* The models where they were put, or as they are where they turn. */
static int write_models(models_run *r) {
  static const char *const roles[] = {"model-a", "model-b"};
  int result = EXIT_DONE;
  for (int i = 0; result == EXIT_DONE && i < r->options->path_count; i++)
    result = page_curved_model(&r->page, surface_placed(&r->pair, i), r->options->paths[i], roles[i]);
  return result;
}

/* What was asked about, and the answer. */
static int write_page(models_run *r) {
  const surface_options *o = r->options;
  int result = page_curved_open(&r->page, r->context, &r->outputs[VIEW], o->viewer);
  if (result != EXIT_DONE || !page_is_open(&r->page.page))
    return result;
  result = o->mode == SURFACE_SCENE ? page_curved_scene(&r->page, o->paths[0]) : write_models(r);
  if (result != EXIT_DONE)
    return result;
  json_t *more = json_object();
  if (o->mode == SURFACE_MODELS && !surface_is_linear(&r->pair))
    json_object_set_new(more, "motions", two(motion_json(&o->motion[0]), motion_json(&o->motion[1])));
  json_object_set_new(more, "t_max", json_number(r->asked.t_max));
  return page_curved_finish(&r->page, "surface", models_json(r), more);
}

static int open_outputs(models_run *r) {
  const int result = surface_open_output(r->context, r->options, true, &r->outputs[OUT]);
  return result == EXIT_DONE ? surface_open_view(r->context, r->options, &r->outputs[VIEW]) : result;
}

int surface_models(const surface_options *options) {
  models_run r = {.options = options};
  r.outputs[OUT] = (output){.option = "--out", .path = options->out};
  r.outputs[VIEW] = (output){.option = "--view", .path = options->view};
  int result = outputs_check(r.outputs, OUTPUTS, options->json);
  if (result == EXIT_DONE)
    result = load(&r);
  if (result == EXIT_DONE)
    result = open_outputs(&r);
  if (result == EXIT_DONE)
    result = ask(&r);
  if (result == EXIT_DONE)
    result = write_answers(&r);
  if (result == EXIT_DONE)
    result = write_page(&r);
  bool table = false;
  if (result == EXIT_DONE)
    result = outputs_finish(r.context, r.outputs, OUTPUTS, options->json ? models_json(&r) : NULL, &table);
  if (table) {
    print_table(&r);
    page_print(options->view);
  }
  if (result == EXIT_DONE && options->fail_on_hit && r.answer.first.verdict != TOI_MISS)
    result = EXIT_FINDING;
  outputs_discard(r.outputs, OUTPUTS);
  page_curved_close(&r.page);
  surface_answer_free(&r.answer);
  surface_pair_free(r.context, &r.pair);
  toi_context_destroy(r.context);
  return result;
}
