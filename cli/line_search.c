/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi line-search`: how far a mesh can go towards another state of it, and the rounded positions there.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include <stdio.h>
#include <toi/io.h>

#include "commands.h"
#include "files.h"
#include "memory.h"
#include "name.h"
#include "progress.h"
#include "session.h"
#include "step_report.h"
#include "stepping.h"

typedef struct line_search {
  step_options options;
  stepping stepping;
  step_frame start, end;
  toi_mesh mesh;
  void *positions;
  toi_advance advance;
  double ms;
} line_search;

static int load(line_search *l) {
  stepping *s = &l->stepping;
  for (int i = 0; i < 2; i++)
    if (l->options.out != NULL && files_same(l->options.out, l->options.paths[i]))
      return cli_fail("%s: holds a mesh and would be replaced; write to another file", l->options.out);
  int result = stepping_read(s, l->options.paths[0], &l->start);
  if (result == EXIT_DONE)
    result = stepping_read(s, l->options.paths[1], &l->end);
  return result == EXIT_DONE ? stepping_join(s, &l->start, &l->end, &l->mesh) : result;
}

static int search(line_search *l) {
  stepping *s = &l->stepping;
  const size_t size = l->mesh.scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
  l->positions = memory_zeroed(l->mesh.vertex_count, 3 * size);
  if (l->positions == NULL)
    return memory_fail("the positions", "close other programs");
  s->doing = "looking for the largest step";
  const double begin = clock_seconds();
  const toi_status status = toi_line_search(s->context, &l->mesh, &s->asked, l->positions, &l->advance);
  l->ms = 1e3 * (clock_seconds() - begin);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

/* The start's mesh at the positions reached. */
static int write_mesh(line_search *l) {
  if (l->options.out == NULL)
    return EXIT_DONE;
  toi_frame reached = l->start.mesh;
  reached.vertices = l->positions;
  const toi_status status = toi_frame_write(l->stepping.context, l->options.out, &reached);
  return status == TOI_OK ? EXIT_DONE : session_fail(l->stepping.context, status, NULL);
}

/* What holds up to the positions of a step. */
static void print_guarantee(double separation, double fraction) {
  if (separation > 0 && fraction > 0)
    printf("every pair keeps more than %.6g, and %.6g of its initial distance beyond that\n", separation, fraction);
  else if (separation > 0)
    printf("every pair stays farther apart than %.6g\n", separation);
  else if (fraction > 0)
    printf("every pair keeps more than %.6g of its initial distance\n", fraction);
  else
    printf("nothing touches\n");
}

static void print_table(const line_search *l) {
  const toi_advance *a = &l->advance;
  const toi_options *asked = &l->stepping.asked;
  const uint32_t threads = toi_context_threads(l->stepping.context);
  name_print(l->options.paths[0]);
  printf(" -> ");
  name_print(l->options.paths[1]);
  printf(": %zu vertices, %zu edges, %zu faces; %u thread%s\n", l->mesh.vertex_count, l->mesh.edge_count,
         l->mesh.face_count, threads, threads == 1 ? "" : "s");
  print_separation(asked);
  printf("\n");
  print_label("step");
  printf("%.17g of the displacement%s\n", a->step, a->step == 0 ? ": something touches already" : "");
  print_label("guaranteed");
  if (a->step == 0)
    printf("nothing moves\n");
  else
    print_guarantee(asked->min_separation, a->fraction);
  if (a->first.hit.verdict != TOI_MISS) {
    char pair[96];
    impact_text(&a->first, pair, sizeof pair);
    print_label("limited by");
    printf("%s, which would be too close from t = %.17g on\n", pair, a->first.hit.t_lo);
  }
  print_label("tries");
  printf("%u\n\n%.1f ms\n", a->tries, l->ms);
}

static json_t *search_json(const line_search *l) {
  const toi_advance *a = &l->advance;
  json_t *object = json_object();
  json_object_set_new(object, "step", json_number(a->step));
  json_object_set_new(object, "fraction", json_number(a->fraction));
  json_object_set_new(object, "tries", json_count(a->tries, true));
  json_object_set_new(object, "toi", toi_json(&a->first.hit));
  json_object_set_new(object, "first", first_json(&a->first));
  json_object_set_new(object, "ms", json_number(l->ms));
  return object;
}

/* The mesh is written once the report is there, whole. */
static int finish(line_search *l) {
  char *report = l->options.json ? json_finish(search_json(l)) : NULL;
  if (l->options.json && report == NULL)
    return EXIT_BAD;
  const int result = write_mesh(l);
  progress_clear();
  if (result != EXIT_DONE)
    memory_free(report);
  else if (report != NULL)
    json_say(report);
  else
    print_table(l);
  return result;
}

static int run(line_search *l) {
  int result = stepping_open(&l->stepping, &l->options);
  if (result == EXIT_DONE)
    result = load(l);
  if (result == EXIT_DONE)
    result = search(l);
  return result == EXIT_DONE ? finish(l) : result;
}

int command_line_search(int argc, char **argv) {
  line_search l = {0};
  parse_result parsed = line_search_options_parse(argc, argv, &l.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = run(&l);
  memory_free(l.positions);
  stepping_release(&l.stepping, &l.start);
  stepping_release(&l.stepping, &l.end);
  stepping_close(&l.stepping);
  return result;
}
