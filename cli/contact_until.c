/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact SCENE.json --until T`: for each pair of bodies the intervals of time during which they touch, as a
 * table, JSON or, with --picture, a timeline. */

#include "contact.h"

#include "array.h"
#include "memory.h"
#include "name.h"
#include "session.h"

#include <math.h>
#include <string.h>

#define LABEL_BYTES 64
#define ROW_BYTES 512

/* Sizes of the picture. */
enum { WIDTH = 960, LEFT = 240, RIGHT = 30, TOP = 40, ROW = 26, BAR = 14 };

typedef struct until_run {
  const contact_options *options;
  contact_scene scene;
  toi_contact_history history;
  toi_contact_interval *intervals;
  size_t count, capacity;
  output picture;
} until_run;

static toi_status keep(void *user, const toi_contact_interval *one) {
  until_run *r = user;
  toi_contact_interval *grown = array_grow(r->intervals, r->count, &r->capacity, sizeof *grown);
  if (grown == NULL)
    return TOI_ERROR_MEMORY;
  r->intervals = grown;
  r->intervals[r->count++] = *one;
  return TOI_OK;
}

static bool same_pair(const toi_contact_interval *x, const toi_contact_interval *y) {
  return x->a == y->a && x->b == y->b;
}

/* --- JSON --- */

static json_t *bracket_json(double lo, double hi) {
  json_t *object = json_object();
  json_object_set_new(object, "lo", json_number(lo));
  json_object_set_new(object, "hi", json_number(hi));
  return object;
}

static json_t *interval_json(const toi_contact_interval *one) {
  json_t *object = json_object();
  json_object_set_new(object, "begin", bracket_json(one->begin_lo, one->begin_hi));
  json_object_set_new(object, "end", bracket_json(one->end_lo, one->end_hi));
  json_object_set_new(object, "proved", json_boolean(one->proved));
  json_object_set_new(object, "doubt", json_number(one->doubt));
  return object;
}

static json_t *pairs_json(const until_run *r) {
  json_t *pairs = json_array(), *list = NULL;
  for (size_t i = 0; i < r->count; i++) {
    const toi_contact_interval *one = &r->intervals[i];
    if (i == 0 || !same_pair(one, one - 1)) {
      json_t *pair = json_object();
      list = json_array();
      json_object_set_new(pair, "a", json_text(r->scene.names[one->a]));
      json_object_set_new(pair, "b", json_text(r->scene.names[one->b]));
      json_object_set_new(pair, "intervals", list);
      json_array_append_new(pairs, pair);
    }
    json_array_append_new(list, interval_json(one));
  }
  return pairs;
}

static json_t *report_json(const until_run *r) {
  json_t *object = json_object();
  json_object_set_new(object, "until", json_number(r->options->until));
  json_object_set_new(object, "touching", pairs_json(r));
  json_object_set_new(object, "bodies", json_count(r->scene.count, true));
  json_object_set_new(object, "pairs", json_count(r->history.pairs, true));
  json_object_set_new(object, "intervals", json_count(r->history.intervals, true));
  json_object_set_new(object, "open", json_count(r->history.open, true));
  json_object_set_new(object, "complete", json_boolean(r->history.complete));
  json_object_set_new(object, "resolution", json_number(r->history.resolution));
  json_object_set_new(object, "boxes", json_count(r->history.boxes, true));
  json_object_set_new(object, "ms", json_number(1e3 * r->history.seconds));
  return object;
}

/* --- the table --- */

static void print_table(const until_run *r) {
  char a[LABEL_BYTES], b[LABEL_BYTES];
  printf("%s: %zu bodies; times from 0 to %.17g\n\n", r->scene.name, r->scene.count, r->options->until);
  for (size_t i = 0; i < r->count; i++) {
    const toi_contact_interval *one = &r->intervals[i];
    name_write(r->scene.names[one->a], a, sizeof a);
    name_write(r->scene.names[one->b], b, sizeof b);
    if (i == 0 || !same_pair(one, one - 1))
      printf("%s, %s\n", a, b);
    printf("  begin in [%.17g, %.17g]\n", one->begin_lo, one->begin_hi);
    printf("  end   in [%.17g, %.17g]%s\n", one->end_lo, one->end_hi,
           one->proved ? "" : ": not known whether they touch");
    if (one->proved && one->doubt > 0)
      printf("        not proved to touch for %.3g of it\n", one->doubt);
  }
  printf("%s%llu of %llu pairs touch, %llu intervals; %llu boxes processed, answer %.3g ms\n", r->count > 0 ? "\n" : "",
         (unsigned long long)r->history.touching, (unsigned long long)r->history.pairs,
         (unsigned long long)r->history.intervals, (unsigned long long)r->history.boxes, 1e3 * r->history.seconds);
  if (!r->history.complete)
    printf("ended early: a limit was reached; raise --max-boxes or --max-seconds\n");
}

/* --- the timeline --- */

/* The name with what SVG needs written otherwise. */
static void write_name(const char *name, char text[6 * LABEL_BYTES]) {
  char plain[LABEL_BYTES];
  size_t at = 0;
  name_write(name, plain, sizeof plain);
  for (const char *c = plain; *c != '\0'; c++)
    at += (size_t)snprintf(text + at, 6 * LABEL_BYTES - at, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "%c", *c);
}

static double place(const until_run *r, double t) {
  return LEFT + (WIDTH - LEFT - RIGHT) * (r->options->until > 0 ? t / r->options->until : 0);
}

static toi_status draw_axis(until_run *r, int bottom) {
  char row[ROW_BYTES];
  toi_status status = TOI_OK;
  for (int i = 0; i <= 4 && status == TOI_OK; i++) {
    const double t = r->options->until * i / 4, x = place(r, t);
    (void)snprintf(row, sizeof row,
                   "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"#ccc\"/>"
                   "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n",
                   x, TOP - 10, x, bottom, x, TOP - 16, t);
    status = output_append_text(&r->picture, row);
  }
  return status;
}

/* A bar from begin to end, thin where it is not proved; at least as wide as the eye needs. */
static toi_status draw_bar(until_run *r, const toi_contact_interval *one, int y) {
  char row[ROW_BYTES];
  const double from = place(r, one->begin_lo), to = place(r, one->end_hi);
  const int height = one->proved ? BAR : BAR / 3;
  (void)snprintf(
      row, sizeof row,
      "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%.17g to %.17g</title></rect>\n", from,
      y - height / 2, fmax(to - from, 1.5), height, one->proved ? "#2a6f97" : "#c77d2b", one->begin_lo, one->end_hi);
  return output_append_text(&r->picture, row);
}

static toi_status draw_pair(until_run *r, const toi_contact_interval *one, int y) {
  char a[6 * LABEL_BYTES], b[6 * LABEL_BYTES], row[sizeof a + sizeof b + 128];
  write_name(r->scene.names[one->a], a);
  write_name(r->scene.names[one->b], b);
  (void)snprintf(row, sizeof row, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s, %s</text>\n", LEFT - 12, y + 4, a,
                 b);
  return output_append_text(&r->picture, row);
}

static toi_status draw(until_run *r) {
  char row[ROW_BYTES];
  size_t rows = 0;
  for (size_t i = 0; i < r->count; i++)
    rows += i == 0 || !same_pair(&r->intervals[i], &r->intervals[i - 1]);
  const int bottom = TOP + ROW * (int)(rows > 0 ? rows : 1);
  (void)snprintf(row, sizeof row,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">\n"
                 "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                 "<g font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n",
                 WIDTH, bottom + 20);
  toi_status status = output_append_text(&r->picture, row);
  if (status == TOI_OK)
    status = draw_axis(r, bottom);
  int y = TOP - ROW / 2;
  for (size_t i = 0; i < r->count && status == TOI_OK; i++) {
    const toi_contact_interval *one = &r->intervals[i];
    if (i == 0 || !same_pair(one, one - 1)) {
      y += ROW;
      status = draw_pair(r, one, y);
    }
    if (status == TOI_OK)
      status = draw_bar(r, one, y);
  }
  return status == TOI_OK ? output_append_text(&r->picture, "</g>\n</svg>\n") : status;
}

/* --- the command --- */

static int ask(until_run *r) {
  contact_scene *scene = &r->scene;
  if (contact_needs_patches(scene))
    return cli_fail("%s: --until takes scenes without min_separation and of two bodies at least; leave it out",
                    scene->name);
  contact_progress progress = {.doing = scene->name, .part = 1};
  scene->asked.t_max = r->options->until;
  scene->asked.progress = contact_show_progress;
  scene->asked.progress_user = &progress;
  const toi_status status =
      toi_contact_intervals(scene->context, scene->bodies, scene->count, &scene->asked, &r->history, keep, r);
  return status == TOI_OK ? EXIT_DONE : session_fail(scene->context, status, scene->name);
}

static int finish(until_run *r) {
  bool table = false;
  if (output_is_open(&r->picture)) {
    const toi_status status = draw(r);
    if (status != TOI_OK)
      return session_fail(r->scene.context, status, NULL);
  }
  const int result = outputs_finish(r->scene.context, &r->picture, 1, r->options->json ? report_json(r) : NULL, &table);
  if (result == EXIT_DONE && table)
    print_table(r);
  return result != EXIT_DONE ? result : r->options->fail_on_hit && r->count > 0 ? EXIT_FINDING : EXIT_DONE;
}

int contact_print_until(const contact_options *options) {
  until_run r = {.options = options, .picture = {.option = "--picture", .path = options->picture}};
  int result = outputs_check(&r.picture, 1, options->json);
  if (result == EXIT_DONE)
    result = contact_scene_open(options, &r.scene);
  if (result == EXIT_DONE)
    result = output_open(r.scene.context, &r.picture);
  if (result == EXIT_DONE)
    result = ask(&r);
  if (result == EXIT_DONE)
    result = finish(&r);
  outputs_discard(&r.picture, 1);
  memory_free(r.intervals);
  contact_scene_close(&r.scene);
  return result;
}
