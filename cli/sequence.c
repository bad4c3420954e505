/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi sequence`: an animation, checked from each frame to the next. Two frames are in memory at a time; what is known
 * about a step is a few hundred bytes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>

#include "commands.h"
#include "examine.h"
#include "files.h"
#include "frames.h"
#include "memory.h"
#include "name.h"
#include "page_mesh.h"
#include "progress.h"
#include "session.h"
#include "spread.h"
#include "step_report.h"
#include "stepping.h"

#define NAME_WIDTH 20

typedef struct sequence {
  step_options options;
  frame_list frames;
  stepping stepping;
  step_frame start, end; /* of the present step */
  examination at_start;  /* of the first frame */
  step_answer *answers;  /* one per step */
  output view;
  page_mesh page;
  size_t steps;
  double began, total_ms;
} sequence;

/* --- the steps --- */

/* "first.ply to second.ply" */
static void place_text(const sequence *q, size_t step, char *text, size_t size) {
  snprintf(text, size, "%s to %s", q->frames.paths[step], q->frames.paths[step + 1]);
}

static toi_status write_contacts(void *user, const toi_collision *collisions, size_t count) {
  sequence *q = user;
  return page_mesh_contacts(&q->page, collisions, count);
}

static toi_status write_crossings(void *user, const toi_crossing *crossings, size_t count) {
  sequence *q = user;
  return page_mesh_crossings(&q->page, crossings, count);
}

/* The end of a step in the page; before the first step, its start too. */
static int write_frames(sequence *q, size_t step) {
  toi_status status = TOI_OK;
  if (step == 0) {
    status = page_mesh_connect(&q->page, &q->stepping, &q->start);
    if (status == TOI_OK)
      status = page_mesh_frame(&q->page, &q->start, NULL);
  }
  if (status == TOI_OK)
    status = page_mesh_flush(&q->page);
  q->page.step = (uint32_t)step;
  if (status == TOI_OK)
    status = page_mesh_frame(&q->page, &q->end, &q->start);
  return status == TOI_OK ? EXIT_DONE : session_fail(q->stepping.context, status, NULL);
}

/* Reads the next frame and asks about the step to it. */
static int run_step(sequence *q, size_t step) {
  stepping *s = &q->stepping;
  step_answer *answer = &q->answers[step];
  char place[8192];
  place_text(q, step, place, sizeof place);
  s->doing = q->frames.paths[step + 1];
  s->done_before = (double)step / (double)q->steps;
  s->part = 1 / (double)q->steps;
  progress_show(s->done_before, s->doing);

  toi_mesh mesh;
  double begin = clock_seconds();
  int result = stepping_read(s, q->frames.paths[step + 1], &q->end);
  if (result == EXIT_DONE)
    result = stepping_join(s, &q->start, &q->end, &mesh);
  answer->load_ms = 1e3 * (clock_seconds() - begin);
  if (result == EXIT_DONE)
    result = write_frames(q, step);
  if (result == EXIT_DONE && step == 0)
    result = examine_start(s, &mesh, q->frames.paths[0], &q->at_start);
  s->doing = q->frames.paths[step + 1];
  if (result == EXIT_DONE)
    result = stepping_ask(s, &mesh, place, answer);
  answer->total_ms = 1e3 * (clock_seconds() - begin);
  answer->peak_bytes = platform_peak_bytes();

  stepping_release(s, &q->start);
  q->start = q->end;
  q->end = (step_frame){0};
  return result;
}

/* Of several ranks each has some steps, one behind the other: the first has the first step. */
static size_t first_step(const sequence *q, size_t rank) {
  const size_t ranks = spread_ranks();
  return (q->steps * rank + ranks - 1) / ranks;
}

static int run_own_steps(sequence *q) {
  const size_t begin = first_step(q, spread_rank()), end = first_step(q, spread_rank() + 1);
  int result = begin < end ? stepping_read(&q->stepping, q->frames.paths[begin], &q->start) : EXIT_DONE;
  for (size_t step = begin; result == EXIT_DONE && step < end; step++) {
    if (progress_stopped())
      return cli_fail("stopped; nothing was written");
    result = run_step(q, step);
  }
  return result;
}

/* The answers of a rank's steps; what they are of the mesh is the same in all. */
static toi_status take_answers(void *user, int rank, const void *bytes, size_t size) {
  sequence *q = user;
  if (rank > 0 && size > 0)
    memcpy(q->answers + first_step(q, (size_t)rank), bytes, size);
  return TOI_OK;
}

static int run_steps(sequence *q) {
  int result = spread_agree(run_own_steps(q));
  if (result == EXIT_DONE && spread_ranks() > 1) {
    const size_t begin = first_step(q, spread_rank()), end = first_step(q, spread_rank() + 1);
    result = spread_gather(q->answers + begin, (end - begin) * sizeof *q->answers, take_answers, q);
  }
  q->total_ms = 1e3 * (clock_seconds() - q->began);
  return result;
}

/* The number of the first step in which something touches; q->steps if there is none. */
static size_t first_impact(const sequence *q) {
  size_t step = 0;
  while (step < q->steps && q->answers[step].impact.hit.verdict == TOI_MISS)
    step++;
  return step;
}

/* --- the report --- */

/* The whole animation as one answer: counts and times added up. */
static step_answer add_up(const sequence *q, size_t *impacts) {
  step_answer sum = {0};
  *impacts = 0;
  for (size_t step = 0; step < q->steps; step++) {
    const step_answer *a = &q->answers[step];
    *impacts += a->impact.hit.verdict != TOI_MISS;
    sum.half_spaces = a->half_spaces;
    for (int kind = 0; kind < TOI_COUNTERS; kind++) {
      sum.candidates[kind] += a->candidates[kind];
      sum.hits[kind] += a->hits[kind];
    }
    sum.load_ms += a->load_ms;
    sum.first_ms += a->first_ms;
    sum.broad_ms += a->broad_ms;
    sum.narrow_ms += a->narrow_ms;
  }
  return sum;
}

static unsigned long long all_kinds(const uint64_t counts[TOI_COUNTERS]) {
  unsigned long long sum = 0;
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    sum += counts[kind];
  return sum;
}

/* The last part of a path. */
static const char *short_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void print_row(const sequence *q, size_t step) {
  const step_answer *a = &q->answers[step];
  const toi_hit *hit = &a->impact.hit;
  char pair[96] = "-", lo[32] = "-", hi[32] = "-";
  if (hit->verdict != TOI_MISS) {
    impact_text(&a->impact, pair, sizeof pair);
    snprintf(lo, sizeof lo, "%.17g", hit->t_lo);
    snprintf(hi, sizeof hi, "%.17g", hit->t_hi);
  }
  printf("%5zu  ", step);
  name_print_column(short_name(q->frames.paths[step]), NAME_WIDTH);
  printf(" ");
  name_print_column(short_name(q->frames.paths[step + 1]), NAME_WIDTH);
  printf(" %-7s %-24s %-24s %-28s %12llu", toi_verdict_name((toi_verdict)hit->verdict), lo, hi, pair,
         all_kinds(a->candidates));
  if (q->options.all)
    printf(" %12llu", all_kinds(a->hits));
  printf(" %9.1f\n", a->total_ms);
}

static void print_table(const sequence *q) {
  const step_answer *first = &q->answers[0];
  const uint32_t threads = toi_context_threads(q->stepping.context);
  char peak[32];
  size_t impacts;
  const step_answer sum = add_up(q, &impacts);
  bytes_text(platform_peak_bytes(), peak, sizeof peak);
  printf("%zu frames of %zu vertices, %zu edges and %zu faces; %u thread%s\n", q->frames.count, first->vertices,
         first->edges, first->faces, threads, threads == 1 ? "" : "s");
  print_separation(&q->stepping.asked);
  print_start(&q->at_start);
  printf("\n%5s  %-*s %-*s %-7s %-24s %-24s %-28s %12s", "step", NAME_WIDTH, "from", NAME_WIDTH, "to", "verdict",
         "impact not before", "impact by", "first to touch", q->options.all ? "candidates" : "checked");
  printf(q->options.all ? " %12s %9s\n" : "%s %9s\n", q->options.all ? "colliding" : "", "ms");
  for (size_t step = 0; step < q->steps; step++)
    print_row(q, step);
  const size_t found = first_impact(q);
  printf("\n%zu of %zu steps touch", impacts, q->steps);
  if (found < q->steps) {
    printf(", the first in step %zu, from ", found);
    name_print(q->frames.paths[found]);
    printf(" to ");
    name_print(q->frames.paths[found + 1]);
  }
  printf(".\nload %.1f ms, broad %.1f ms, narrow %.1f ms, total %.1f ms; peak memory %s\n", sum.load_ms, sum.broad_ms,
         sum.narrow_ms, q->total_ms, peak);
}

static json_t *sequence_json(const sequence *q) {
  json_t *object = json_object(), *steps = json_array(), *ms = json_object();
  size_t impacts;
  const step_answer sum = add_up(q, &impacts);
  const size_t found = first_impact(q);
  for (size_t step = 0; step < q->steps; step++) {
    json_t *one = step_json(&q->stepping, &q->answers[step]);
    json_object_set_new(one, "start", json_text(q->frames.paths[step]));
    json_object_set_new(one, "end", json_text(q->frames.paths[step + 1]));
    json_array_append_new(steps, one);
  }
  json_object_set_new(ms, "load", json_number(sum.load_ms));
  json_object_set_new(ms, "broad", json_number(sum.broad_ms));
  json_object_set_new(ms, "narrow", json_number(sum.narrow_ms));
  json_object_set_new(ms, "start", q->at_start.done ? json_number(q->at_start.ms) : json_null());
  json_object_set_new(ms, "total", json_number(q->total_ms));
  json_object_set_new(object, "frames", json_count(q->frames.count, true));
  json_object_set_new(object, "start", start_json(&q->at_start));
  json_object_set_new(object, "steps", steps);
  json_object_set_new(object, "first_impact_step", json_count(found, found < q->steps));
  json_object_set_new(object, "impacts", json_count(impacts, true));
  json_object_set_new(object, "candidates", kinds_json(sum.candidates, sum.half_spaces));
  if (q->options.all)
    json_object_set_new(object, "hits", kinds_json(sum.hits, sum.half_spaces));
  json_object_set_new(object, "ms", ms);
  json_object_set_new(object, "peak_bytes", json_count(platform_peak_bytes(), true));
  json_object_set_new(object, "threads", json_count(toi_context_threads(q->stepping.context), true));
  return object;
}

/* --- beginning and end --- */

static int prepare(sequence *q) {
  int result = frames_collect(q->options.paths, q->options.path_count, &q->frames);
  if (result != EXIT_DONE)
    return result;
  if (q->options.view != NULL && spread_ranks() > 1)
    return cli_fail("--view does not work with several ranks; run toi without mpirun");
  if (q->frames.count < 2)
    return cli_fail("%s: a single frame is not a step; give two or more", q->frames.paths[0]);
  q->steps = q->frames.count - 1;
  q->answers = memory_zeroed(q->steps, sizeof *q->answers);
  if (q->answers == NULL)
    return memory_fail("the answers", "name fewer frames at a time");
  q->view = (output){.option = "--view", .path = q->options.view};
  for (size_t i = 0; q->view.path != NULL && i < q->frames.count; i++)
    if (files_same(q->view.path, q->frames.paths[i]))
      return cli_fail("%s: holds a mesh and would be replaced; write to another file", q->view.path);
  result = outputs_check(&q->view, 1, q->options.json);
  if (result == EXIT_DONE)
    result = stepping_open(&q->stepping, &q->options);
  if (result == EXIT_DONE)
    result = output_open(q->stepping.context, &q->view);
  q->at_start.visit = write_crossings;
  q->stepping.visit = write_contacts;
  q->at_start.visit_user = q->stepping.visit_user = q;
  return result == EXIT_DONE ? page_mesh_open(&q->page, &q->stepping, &q->view, q->options.viewer) : result;
}

static int finish(sequence *q) {
  bool table = false;
  int result = EXIT_DONE;
  if (page_is_open(&q->page.page))
    result = page_mesh_finish(&q->page, &q->stepping, &q->start, "sequence", sequence_json(q));
  if (result == EXIT_DONE)
    result = outputs_finish(q->stepping.context, &q->view, 1, q->options.json ? sequence_json(q) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    print_table(q);
    page_print(q->options.view);
  }
  const bool found = first_impact(q) < q->steps || examination_found(&q->at_start);
  return q->options.fail_on_hit && found ? EXIT_FINDING : EXIT_DONE;
}

int command_sequence(int argc, char **argv) {
  sequence q = {.began = clock_seconds()};
  parse_result parsed = sequence_options_parse(argc, argv, &q.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = spread_agree(prepare(&q));
  if (result == EXIT_DONE)
    result = run_steps(&q);
  if (result == EXIT_DONE && spread_rank() == 0)
    result = finish(&q);
  outputs_discard(&q.view, 1);
  page_mesh_close(&q.page);
  stepping_release(&q.stepping, &q.start);
  stepping_release(&q.stepping, &q.end);
  stepping_close(&q.stepping);
  frames_free(&q.frames);
  memory_free(q.answers);
  return result;
}
