/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi line-search`: how far a mesh can go towards another state of it, and the rounded positions there.
 *
 * Nothing is printed and no file appears before everything has gone well. */

#include <toi/io.h>

#include "commands.h"
#include "files.h"
#include "line_report.h"
#include "memory.h"
#include "progress.h"
#include "session.h"

typedef struct line_search {
  step_options options;
  stepping stepping;
  step_frame start, end;
  toi_mesh mesh;
  void *positions;
  line_facts facts;
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
  const toi_status status = toi_line_search(s->context, &l->mesh, &s->asked, l->positions, &l->facts.advance);
  l->facts.ms = 1e3 * (clock_seconds() - begin);
  l->facts.options = &l->options;
  l->facts.stepping = s;
  l->facts.vertices = l->mesh.vertex_count;
  l->facts.edges = l->mesh.edge_count;
  l->facts.faces = l->mesh.face_count;
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

/* The mesh is written once the report is there, whole. */
static int finish(line_search *l) {
  char *report = l->options.json ? json_finish(line_search_json(&l->facts)) : NULL;
  if (l->options.json && report == NULL)
    return EXIT_BAD;
  const int result = write_mesh(l);
  progress_clear();
  if (result != EXIT_DONE)
    memory_free(report);
  else if (report != NULL)
    json_say(report);
  else
    line_search_print(&l->facts);
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
