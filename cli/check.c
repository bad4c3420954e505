/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi check`: one mesh, every edge of it that passes through a face and every pair that touches, grouped into patches.
 *
 * Pairs are written and grouped as they come; no list of them is made. Nothing is printed and no file appears before
 * everything has gone well. */

#include <stdio.h>
#include <toi/io.h>

#include "check_report.h"
#include "colour.h"
#include "commands.h"
#include "files.h"
#include "page_mesh.h"
#include "pair_file.h"
#include "progress.h"
#include "session.h"

enum { OUT, COLOUR, VIEW, OUTPUTS };

typedef struct check {
  step_options options;
  stepping stepping;
  step_frame frame;
  toi_mesh mesh;
  output outputs[OUTPUTS];
  pair_file out;
  page_mesh page;
  check_facts facts;
} check;

/* --- the work --- */

static int open_files(check *c) {
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && i < OUTPUTS; i++) {
    const char *path = c->outputs[i].path;
    if (path != NULL && files_same(path, c->options.paths[0]))
      return cli_fail("%s: holds the mesh and would be replaced; write to another file", path);
    result = output_open(c->stepping.context, &c->outputs[i]);
  }
  c->out = pair_file_begin_crossings(&c->outputs[OUT], c->mesh.half_space_count);
  if (result == EXIT_DONE)
    result = page_mesh_open(&c->page, &c->stepping, &c->outputs[VIEW], c->options.viewer);
  if (result != EXIT_DONE)
    return result;
  toi_status status = page_mesh_connect(&c->page, &c->stepping, &c->frame);
  if (status == TOI_OK)
    status = page_mesh_frame(&c->page, &c->frame, NULL);
  return status == TOI_OK ? EXIT_DONE : session_fail(c->stepping.context, status, NULL);
}

static toi_status take_pairs(void *user, const toi_crossing *crossings, size_t count) {
  check *c = user;
  toi_status status = page_mesh_crossings(&c->page, crossings, count);
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    const toi_crossing *own = &crossings[i];
    patches_add(&c->facts.patches, own);
    if (!output_is_open(c->out.out))
      continue;
    status = own->crossing ? pair_file_append_crossings(&c->out, &own->pair, 1)
                           : pair_file_append(&c->out, own->kind, &own->pair, 1);
  }
  return status;
}

/* The patch of each crossing: crossings come edge by edge, and those of an edge are in one patch. */
static toi_status append_patches(check *c) {
  toi_status status = pair_file_open_numbers(&c->out, "patch");
  for (uint32_t edge = 0; edge < c->mesh.edge_count && status == TOI_OK; edge++)
    if (c->facts.patches.crossings[edge] > 0)
      status = pair_file_append_number(&c->out, c->facts.patches.numbers[edge], c->facts.patches.crossings[edge]);
  return status;
}

static int write_files(check *c) {
  toi_status status = TOI_OK;
  if (output_is_open(&c->outputs[OUT])) {
    status = append_patches(c);
    if (status == TOI_OK)
      status = pair_file_end(&c->out);
  }
  if (status == TOI_OK && output_is_open(&c->outputs[COLOUR]))
    status = colour_append(&c->outputs[COLOUR], &c->frame.mesh, &c->facts.patches);
  return status == TOI_OK ? EXIT_DONE : session_fail(c->stepping.context, status, NULL);
}

/* --- the report --- */

/* Where the first patches are: at the smaller vertex of their first edge. */
static void find_places(check *c) {
  patch_facts facts[CHECK_ROWS];
  patches_describe(&c->facts.patches, facts, CHECK_ROWS);
  for (size_t i = 0; i < CHECK_ROWS && i < c->facts.patches.count; i++)
    for (size_t k = 0; k < 3; k++) {
      const size_t at = 3 * (size_t)c->mesh.edges[facts[i].first_edge][0] + k;
      c->facts.places[i][k] = c->mesh.scalar == TOI_FLOAT32 ? (double)((const float *)c->mesh.start)[at]
                                                            : ((const double *)c->mesh.start)[at];
    }
}

static void gather_facts(check *c) {
  c->facts.options = &c->options;
  c->facts.context = c->stepping.context;
  c->facts.vertices = c->mesh.vertex_count;
  c->facts.edges = c->mesh.edge_count;
  c->facts.faces = c->mesh.face_count;
  c->facts.half_spaces = c->mesh.half_space_count;
  find_places(c);
}

/* --- beginning and end --- */

static int run(check *c) {
  stepping *s = &c->stepping;
  c->outputs[OUT] = (output){.option = "--out", .path = c->options.out};
  c->outputs[COLOUR] = (output){.option = "--colour", .path = c->options.colour};
  c->outputs[VIEW] = (output){.option = "--view", .path = c->options.view};
  int result = outputs_check(c->outputs, OUTPUTS, c->options.json);
  if (result == EXIT_DONE)
    result = stepping_open(s, &c->options);
  if (result == EXIT_DONE)
    result = stepping_read(s, c->options.paths[0], &c->frame);
  if (result == EXIT_DONE)
    result = stepping_state(s, &c->frame, &c->mesh);
  if (result == EXIT_DONE)
    result = patches_make(&c->mesh, &c->facts.patches);
  if (result == EXIT_DONE)
    result = open_files(c);
  s->doing = "looking for intersections";
  if (result == EXIT_DONE)
    result = examine(s, &c->mesh, NULL, &c->facts.found);
  if (result != EXIT_DONE)
    return result;
  patches_finish(&c->facts.patches);
  gather_facts(c);
  result = write_files(c);
  bool table = false;
  if (result == EXIT_DONE && page_is_open(&c->page.page))
    result = page_mesh_finish(&c->page, s, &c->frame, "check", check_json(&c->facts));
  if (result == EXIT_DONE)
    result = outputs_finish(s->context, c->outputs, OUTPUTS, c->options.json ? check_json(&c->facts) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    check_print(&c->facts);
    page_print(c->options.view);
  }
  return c->options.fail_on_hit && examination_found(&c->facts.found) ? EXIT_FINDING : EXIT_DONE;
}

int command_check(int argc, char **argv) {
  check c = {0};
  c.facts.found = (examination){.visit = take_pairs, .visit_user = &c};
  parse_result parsed = check_options_parse(argc, argv, &c.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = run(&c);
  outputs_discard(c.outputs, OUTPUTS);
  page_mesh_close(&c.page);
  patches_free(&c.facts.patches);
  stepping_release(&c.stepping, &c.frame);
  stepping_close(&c.stepping);
  return result;
}
