/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step`: two frames of a mesh, the first impact between them and, where asked, every candidate and every
 * collision.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include <stdio.h>
#include <toi/io.h>

#include "commands.h"
#include "examine.h"
#include "files.h"
#include "memory.h"
#include "page_mesh.h"
#include "pair_file.h"
#include "progress.h"
#include "session.h"
#include "step_picture.h"
#include "step_table.h"
#include "stepping.h"

enum { CANDIDATES, HITS, VIEW, PICTURE, OUTPUTS };

typedef struct step_command {
  step_options options;
  stepping stepping;
  step_frame start, end;
  toi_mesh mesh;
  output outputs[OUTPUTS];
  pair_file candidates, hits;
  page_mesh page;
  examination at_start;
  step_answer answer;
  double began;
} step_command;

/* The mesh in a page; its contacts and crossings come later. */
static int begin_page(step_command *c) {
  stepping *s = &c->stepping;
  const int result = page_mesh_open(&c->page, s, &c->outputs[VIEW], c->options.viewer);
  if (result != EXIT_DONE)
    return result;
  toi_status status = page_mesh_connect(&c->page, s, &c->start);
  if (status == TOI_OK)
    status = page_mesh_frame(&c->page, &c->start, NULL);
  if (status == TOI_OK)
    status = page_mesh_frame(&c->page, &c->end, &c->start);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

static int open_files(step_command *c) {
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && i < OUTPUTS; i++) {
    const char *path = c->outputs[i].path;
    for (int k = 0; path != NULL && k < 2; k++)
      if (files_same(path, c->options.paths[k]))
        return cli_fail("%s: holds a mesh and would be replaced; write to another file", path);
    result = output_open(c->stepping.context, &c->outputs[i]);
  }
  c->candidates = pair_file_begin(&c->outputs[CANDIDATES], c->mesh.half_space_count);
  c->hits = pair_file_begin(&c->outputs[HITS], c->mesh.half_space_count);
  return result == EXIT_DONE ? begin_page(c) : result;
}

static int load(step_command *c) {
  stepping *s = &c->stepping;
  int result = stepping_read(s, c->options.paths[0], &c->start);
  if (result == EXIT_DONE)
    result = stepping_read(s, c->options.paths[1], &c->end);
  if (result == EXIT_DONE)
    result = stepping_join(s, &c->start, &c->end, &c->mesh);
  c->answer.load_ms = 1e3 * (clock_seconds() - c->began);
  return result;
}

static toi_status write_hits(void *user, const toi_collision *collisions, size_t count) {
  step_command *c = user;
  toi_status status = page_mesh_contacts(&c->page, collisions, count);
  for (size_t i = 0; status == TOI_OK && output_is_open(&c->outputs[HITS]) && i < count; i++)
    status = pair_file_append(&c->hits, collisions[i].kind, &collisions[i].pair, 1);
  return status;
}

static toi_status write_crossings(void *user, const toi_crossing *crossings, size_t count) {
  step_command *c = user;
  return page_mesh_crossings(&c->page, crossings, count);
}

/* Lists the candidates in what the limit leaves. */
static int write_candidates(step_command *c) {
  stepping *s = &c->stepping;
  const uint64_t left = c->options.memory > 0 ? memory_left() : memory_left() / 2;
  s->doing = "listing the candidates";
  toi_status status = candidates_append(s->context, &c->mesh, &s->asked, left, &c->candidates, c->answer.candidates);
  c->answer.every_candidate = true;
  if (status == TOI_OK)
    status = pair_file_end(&c->candidates);
  return status == TOI_OK ? EXIT_DONE : session_fail(s->context, status, NULL);
}

static int ask(step_command *c) {
  stepping *s = &c->stepping;
  const bool lists = output_is_open(&c->outputs[CANDIDATES]), hits = output_is_open(&c->outputs[HITS]);
  c->at_start.visit = write_crossings;
  c->at_start.visit_user = c;
  int result = examine_start(s, &c->mesh, c->options.paths[0], &c->at_start);
  if (result != EXIT_DONE)
    return result;
  s->doing = "looking for collisions";
  s->visit = write_hits;
  s->visit_user = c;
  s->part = lists ? s->part / 2 : s->part;
  result = stepping_ask(s, &c->mesh, NULL, &c->answer);
  const toi_status status = result == EXIT_DONE && hits ? pair_file_end(&c->hits) : TOI_OK;
  if (status != TOI_OK)
    return session_fail(s->context, status, NULL);
  if (result == EXIT_DONE && lists) {
    s->done_before += s->part;
    result = write_candidates(c);
  }
  return result;
}

static int finish(step_command *c) {
  c->answer.peak_bytes = platform_peak_bytes();
  c->answer.total_ms = 1e3 * (clock_seconds() - c->began);
  bool table = false;
  int result = EXIT_DONE;
  if (output_is_open(&c->outputs[PICTURE]))
    result = step_draw(&c->stepping, &c->mesh, &c->answer.impact, c->options.from, &c->outputs[PICTURE]);
  if (result == EXIT_DONE && page_is_open(&c->page.page))
    result = page_mesh_finish(&c->page, &c->stepping, &c->start, "step",
                              step_whole_json(&c->stepping, &c->answer, &c->at_start));
  if (result == EXIT_DONE)
    result = outputs_finish(c->stepping.context, c->outputs, OUTPUTS,
                            c->options.json ? step_whole_json(&c->stepping, &c->answer, &c->at_start) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    print_step(&c->stepping, &c->answer, &c->at_start);
    page_print(c->options.view);
  }
  const bool found = c->answer.impact.hit.verdict != TOI_MISS || examination_found(&c->at_start);
  return c->options.fail_on_hit && found ? EXIT_FINDING : EXIT_DONE;
}

static int run(step_command *c) {
  c->outputs[CANDIDATES] = (output){.option = "--candidates", .path = c->options.candidates};
  c->outputs[HITS] = (output){.option = "--hits", .path = c->options.hits};
  c->outputs[VIEW] = (output){.option = "--view", .path = c->options.view};
  c->outputs[PICTURE] = (output){.option = "--picture", .path = c->options.picture};
  int result = outputs_check(c->outputs, OUTPUTS, c->options.json);
  if (result == EXIT_DONE)
    result = stepping_open(&c->stepping, &c->options);
  if (result == EXIT_DONE)
    result = load(c);
  if (result == EXIT_DONE)
    result = open_files(c);
  if (result == EXIT_DONE)
    result = ask(c);
  return result == EXIT_DONE ? finish(c) : result;
}

int command_step(int argc, char **argv) {
  step_command c = {.began = clock_seconds()};
  parse_result parsed = step_options_parse(argc, argv, &c.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = run(&c);
  outputs_discard(c.outputs, OUTPUTS);
  page_mesh_close(&c.page);
  stepping_release(&c.stepping, &c.start);
  stepping_release(&c.stepping, &c.end);
  stepping_close(&c.stepping);
  return result;
}
