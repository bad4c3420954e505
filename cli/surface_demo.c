/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface --demo`: the scenes of Chen 2024, made here.
 *
 * cloth: a cloth of 20 x 20 patches and the teapot, at five moments, each with the five steps of the paper's table 2.
 * pinned: a cloth of 10 x 10 patches that hangs by two corners meets itself (figure 8).
 * torus: a torus is lowered on another, and they meet along a circle (figure 9); the contacts are checked against it.
 * Exit code 1: the answer is wrong. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "memory.h"
#include "progress.h"
#include "scenes/cloth_patches.h"
#include "session.h"
#include "surface.h"

/* Lengths of a step, in seconds. */
static const double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02};

#define STEPS (sizeof steps / sizeof steps[0])
#define ROWS_MAX (CLOTH_MOMENTS * STEPS)

/* What the contacts come to, beside the circle that two tori meet along. */
typedef struct circle_check {
  double nearest; /* two contacts */
  double gap;     /* the farthest point of the circle from any contact */
  double off;     /* the farthest contact from the circle */
} circle_check;

/* One question. */
typedef struct demo_row {
  const char *moment; /* of the cloth; NULL: there is none */
  double t_max, spacing;
  surface_answer answer;
  circle_check circle;
  bool right;
} demo_row;

typedef struct demo {
  const surface_options *options;
  toi_surface_options asked;
  surface_progress progress;
  toi_context *context;
  surface_pair pair;
  cloth_patches cloth;
  toi_patch *patches; /* of the cloth */
  demo_row rows[ROWS_MAX];
  size_t count, planned;
} demo;

/* Asks the question of the next row; its time is the shortest of several calls. */
static int ask_row(demo *d, bool contacts, demo_row **asked) {
  demo_row *row = &d->rows[d->count++];
  double shortest = (double)INFINITY, spent = 0;
  int result = EXIT_DONE;
  *asked = row;
  d->progress.before = (double)(d->count - 1) / (double)d->planned;
  d->progress.part = 1 / (double)d->planned;
  row->t_max = d->asked.t_max;
  row->spacing = d->asked.spacing;
  row->right = true;
  for (int i = 0; result == EXIT_DONE && i < SINGLE_CALLS && spent < SINGLE_SECONDS; i++) {
    surface_answer_free(&row->answer);
    result = surface_ask(d->context, &d->pair, &d->asked, contacts, &row->answer);
    shortest = row->answer.ms < shortest ? row->answer.ms : shortest;
    spent += 1e-3 * row->answer.ms;
  }
  row->answer.ms = shortest;
  return result;
}

/* --- a torus on a torus --- */

#define RING 2.0
#define TUBE 0.5
#define HEIGHT 2.0        /* of the upper one's middle, at the start */
#define FALL 2.0          /* its speed */
#define MEETING 0.5       /* (HEIGHT - 2 TUBE) / FALL */
#define SIMULTANEITY 1e-3 /* as in the paper's figure 9 */
#define CIRCLE_POINTS 3600
#define TURN 6.283185307179586

/* How far apart contacts are to be, one question each. */
static const double spacings[] = {1, 0.1};

#define SPACINGS (sizeof spacings / sizeof spacings[0])

static double distance(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

static double nearest_contact(const surface_answer *answer, const double point[3], size_t but) {
  double least = (double)INFINITY;
  for (size_t i = 0; i < answer->count; i++) {
    const double d = i == but ? (double)INFINITY : distance(answer->contacts[i].point, point);
    least = d < least ? d : least;
  }
  return least;
}

static void check_circle(const toi_surface_options *asked, demo_row *row) {
  const surface_answer *answer = &row->answer;
  const toi_surface_hit *first = &answer->first;
  circle_check *c = &row->circle;
  c->nearest = (double)INFINITY;
  for (size_t i = 0; i < answer->count; i++) {
    const double *p = answer->contacts[i].point;
    const double off = hypot(hypot(p[0], p[1]) - RING, p[2] - TUBE), near = nearest_contact(answer, p, i);
    c->off = off > c->off ? off : c->off;
    c->nearest = near < c->nearest ? near : c->nearest;
  }
  for (int i = 0; i < CIRCLE_POINTS; i++) {
    const double angle = TURN * i / CIRCLE_POINTS, point[3] = {RING * cos(angle), RING * sin(angle), TUBE};
    const double gap = nearest_contact(answer, point, answer->count);
    c->gap = gap > c->gap ? gap : c->gap;
  }
  const bool time = first->t_lo <= MEETING && (first->verdict == TOI_NEAR || first->t_hi >= MEETING);
  row->right = time && first->verdict != TOI_MISS && c->nearest >= asked->spacing &&
               c->gap <= 2 * asked->spacing + asked->tolerance;
}

static int lower_torus(demo *d) {
  toi_status status = toi_model_torus(d->context, RING, TUBE, &d->pair.model[0]);
  if (status == TOI_OK)
    status = toi_model_torus(d->context, RING, TUBE, &d->pair.model[1]);
  int result = status == TOI_OK ? EXIT_DONE : session_fail(d->context, status, NULL);
  const surface_motion falls = {.shift = {0, 0, HEIGHT}, .velocity = {0, 0, -FALL}};
  if (result == EXIT_DONE)
    result = surface_move(d->context, &d->pair, 1, &falls);
  d->asked.simultaneity = SIMULTANEITY;
  d->planned = SPACINGS;
  for (size_t i = 0; result == EXIT_DONE && i < SPACINGS; i++) {
    demo_row *row;
    d->asked.spacing = spacings[i];
    result = ask_row(d, true, &row);
    if (result == EXIT_DONE)
      check_circle(&d->asked, row);
  }
  return result;
}

static void print_tori(const demo *d) {
  printf("A torus of radii %g and %g is lowered on another; they meet along a circle of radius %g at t = %g.\n\n", RING,
         TUBE, RING, MEETING);
  printf("%8s %-8s %-24s %-24s %8s %10s %10s %10s %12s %10s\n", "spacing", "verdict", "not before", "by", "contacts",
         "nearest", "gap", "off", "checks", "ms");
  for (size_t i = 0; i < d->count; i++) {
    const demo_row *r = &d->rows[i];
    const toi_surface_hit *hit = &r->answer.first;
    printf("%8g %-8s %-24.17g %-24.17g %8zu %10.4f %10.4f %10.2e %12llu %10.2f%s\n", r->spacing,
           toi_verdict_name((toi_verdict)hit->verdict), hit->t_lo, hit->t_hi, r->answer.count, r->circle.nearest,
           r->circle.gap, r->circle.off, (unsigned long long)hit->checks, r->answer.ms, r->right ? "" : "  WRONG");
  }
  printf("\nnearest: two contacts. gap: the point of the circle that is farthest from a contact. off: the contact "
         "that is\nfarthest from the circle, within %g of the first time of contact.\n",
         SIMULTANEITY);
}

/* --- cloths --- */

#define FALLING_SIZE 20
#define PINNED_SIZE 10

static void free_cloth(demo *d) {
  memory_free(d->patches);
  cloth_free(&d->cloth);
  d->patches = NULL;
  d->cloth = (cloth_patches){0};
}

/* The cloth as the first model. */
static int take_cloth(demo *d, bool made) {
  d->patches = made ? memory_zeroed(d->cloth.count, sizeof *d->patches) : NULL;
  if (d->patches == NULL)
    return memory_fail("the cloth", "close other programs");
  for (size_t i = 0; i < d->cloth.count; i++) {
    d->patches[i] = (toi_patch){.size = sizeof(toi_patch),
                                .shape = TOI_PATCH_QUAD,
                                .degree = {3, 3},
                                .points = (const double(*)[3])d->cloth.points + CLOTH_PATCH_POINTS * i,
                                .velocities = (const double(*)[3])d->cloth.velocities + CLOTH_PATCH_POINTS * i};
  }
  d->pair.model[0] = (toi_model){.patches = d->patches, .patch_count = d->cloth.count};
  return EXIT_DONE;
}

static int drop_cloth(demo *d) {
  toi_status status = toi_model_teapot(d->context, &d->pair.model[1]);
  int result = status == TOI_OK ? EXIT_DONE : session_fail(d->context, status, NULL);
  d->planned = ROWS_MAX;
  for (int m = 0; result == EXIT_DONE && m < CLOTH_MOMENTS; m++) {
    free_cloth(d);
    result = take_cloth(d, cloth_over_teapot(FALLING_SIZE, (cloth_moment)m, &d->cloth));
    for (size_t i = 0; result == EXIT_DONE && i < STEPS; i++) {
      demo_row *row;
      d->asked.t_max = steps[i];
      result = ask_row(d, false, &row);
      row->moment = cloth_moment_name((cloth_moment)m);
    }
  }
  return result;
}

static int hang_cloth(demo *d) {
  demo_row *row;
  d->planned = 1;
  d->pair.self = true;
  int result = take_cloth(d, cloth_pinned(PINNED_SIZE, &d->cloth));
  return result == EXIT_DONE ? ask_row(d, false, &row) : result;
}

static void print_cloth(const demo *d) {
  printf("A cloth of %d x %d bicubic patches and the teapot, of %zu, at five moments, each with steps of five "
         "lengths.\n\n",
         FALLING_SIZE, FALLING_SIZE, d->pair.model[1].patch_count);
  printf("%-8s %8s  %-8s %-24s %-24s %-16s %12s %10s\n", "cloth", "step", "verdict", "not before", "by", "patches",
         "checks", "ms");
  for (size_t i = 0; i < d->count; i++) {
    const demo_row *r = &d->rows[i];
    const toi_surface_hit *hit = &r->answer.first;
    char patches[32] = "-", lo[32] = "-", hi[32] = "-";
    if (hit->verdict != TOI_MISS) {
      snprintf(patches, sizeof patches, "%u and %u", hit->patch_a, hit->patch_b);
      snprintf(lo, sizeof lo, "%.17g", hit->t_lo);
      snprintf(hi, sizeof hi, "%.17g", hit->t_hi);
    }
    printf("%-8s %8g  %-8s %-24s %-24s %-16s %12llu %10.3f\n", r->moment, r->t_max,
           toi_verdict_name((toi_verdict)hit->verdict), lo, hi, patches, (unsigned long long)hit->checks, r->answer.ms);
  }
}

static void print_pinned(const demo *d) {
  printf("A cloth of %d x %d bicubic patches hangs by two corners and meets itself; neighbours are skipped.\n\n",
         PINNED_SIZE, PINNED_SIZE);
  surface_answer_print(&d->pair, &d->rows[0].answer, false);
  printf("\n%llu pairs of pieces checked; answer %.3f ms\n", (unsigned long long)d->rows[0].answer.first.checks,
         d->rows[0].answer.ms);
}

/* --- all of them --- */

static int print_json(const demo *d, bool contacts) {
  json_t *object = json_object(), *rows = json_array();
  for (size_t i = 0; i < d->count; i++) {
    const demo_row *r = &d->rows[i];
    json_t *row = surface_answer_json(&d->pair, &r->answer, contacts);
    if (r->moment != NULL)
      json_object_set_new(row, "moment", json_text(r->moment));
    json_object_set_new(row, "t_max", json_number(r->t_max));
    if (contacts) {
      json_object_set_new(row, "spacing", json_number(r->spacing));
      json_object_set_new(row, "expected", json_number(MEETING));
      json_object_set_new(row, "nearest", json_number(r->circle.nearest));
      json_object_set_new(row, "gap", json_number(r->circle.gap));
      json_object_set_new(row, "off_circle", json_number(r->circle.off));
    }
    json_object_set_new(row, "right", json_boolean(r->right));
    json_array_append_new(rows, row);
  }
  json_object_set_new(object, "demo", json_text(d->options->demo));
  json_object_set_new(object, "patches", json_count(d->pair.model[0].patch_count, true));
  json_object_set_new(object, "threads", json_count(toi_context_threads(d->context), true));
  json_object_set_new(object, "answers", rows);
  return json_print(object);
}

/* The demonstrations, by name. */
static const struct {
  const char *name;
  int (*run)(demo *d);
  void (*print)(const demo *d);
} demos[] = {
    {"cloth", drop_cloth, print_cloth}, {"pinned", hang_cloth, print_pinned}, {"torus", lower_torus, print_tori}};

static int finish(const demo *d, void (*print)(const demo *d)) {
  bool right = true, touched = false;
  progress_clear();
  if (!d->options->json)
    print(d);
  else if (print_json(d, print == print_tori) != EXIT_DONE)
    return EXIT_BAD;
  for (size_t i = 0; i < d->count; i++) {
    right &= d->rows[i].right;
    touched |= d->rows[i].answer.first.verdict != TOI_MISS;
  }
  return !right || (d->options->fail_on_hit && touched) ? EXIT_FINDING : EXIT_DONE;
}

int surface_demo(const surface_options *options) {
  size_t number = 0;
  while (strcmp(demos[number].name, options->demo) != 0)
    number++;
  demo d = {.options = options, .asked = options->toi};
  d.asked.method = options->method;
  d.progress = (surface_progress){.doing = options->demo, .part = 1};
  surface_watch(&d.asked, &d.progress);
  int result = session_open(options->threads, options->memory, &d.context);
  if (result == EXIT_DONE)
    result = demos[number].run(&d);
  if (result == EXIT_DONE)
    result = finish(&d, demos[number].print);
  for (size_t i = 0; i < d.count; i++)
    surface_answer_free(&d.rows[i].answer);
  surface_pair_free(d.context, &d.pair);
  free_cloth(&d);
  toi_context_destroy(d.context);
  return result;
}
