/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi check`: one mesh, every edge of it that passes through a face and every pair that touches, grouped into patches.
 *
 * Pairs are written and grouped as they come; no list of them is made. Nothing is printed and no file appears before
 * everything has gone well. */

#include <stdio.h>
#include <toi/io.h>

#include "colour.h"
#include "commands.h"
#include "examine.h"
#include "files.h"
#include "name.h"
#include "page_mesh.h"
#include "pair_file.h"
#include "patches.h"
#include "progress.h"
#include "session.h"
#include "step_report.h"

/* Patches that the table lists. */
#define ROWS 10

enum { OUT, COLOUR, VIEW, OUTPUTS };

typedef struct check {
  step_options options;
  stepping stepping;
  step_frame frame;
  toi_mesh mesh;
  patches patches;
  output outputs[OUTPUTS];
  pair_file out;
  page_mesh page;
  examination found;
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
    patches_add(&c->patches, own);
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
    if (c->patches.crossings[edge] > 0)
      status = pair_file_append_number(&c->out, c->patches.numbers[edge], c->patches.crossings[edge]);
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
    status = colour_append(&c->outputs[COLOUR], &c->frame.mesh, &c->patches);
  return status == TOI_OK ? EXIT_DONE : session_fail(c->stepping.context, status, NULL);
}

/* --- the report --- */

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

static void print_patches(const check *c) {
  patch_facts facts[ROWS];
  const size_t shown = c->patches.count < ROWS ? c->patches.count : ROWS;
  patches_describe(&c->patches, facts, ROWS);
  printf("\n%7s %12s %10s %10s  %s\n", "patch", "crossings", "edges", "faces", "near");
  // cppcheck-suppress knownConditionTrueFalse // it does not see that there are patches
  for (size_t i = 0; i < shown; i++) {
    double at[3];
    const size_t vertex = 3 * (size_t)c->mesh.edges[facts[i].first_edge][0];
    for (size_t k = 0; k < 3; k++)
      at[k] = c->mesh.scalar == TOI_FLOAT32 ? (double)((const float *)c->mesh.start)[vertex + k]
                                            : ((const double *)c->mesh.start)[vertex + k];
    printf("%7zu %12llu %10u %10u  (%.6g, %.6g, %.6g)\n", i, (unsigned long long)facts[i].crossings, facts[i].edges,
           facts[i].faces, at[0], at[1], at[2]);
  }
  if (shown < c->patches.count)
    printf("%7s and %zu more\n", "...", c->patches.count - shown);
}

static void print_table(const check *c) {
  const examination *e = &c->found;
  const uint32_t threads = toi_context_threads(c->stepping.context);
  name_print(c->options.paths[0]);
  printf(": %zu vertices, %zu edges, %zu faces; %u thread%s\n\n", c->mesh.vertex_count, c->mesh.edge_count,
         c->mesh.face_count, threads, threads == 1 ? "" : "s");
  if (!examination_found(e)) {
    printf("The mesh does not intersect itself: no edge passes through a face, and nothing touches.\n");
    if (c->mesh.half_space_count > 0)
      printf("Every vertex is strictly inside of every half-space.\n");
  } else {
    char first[96];
    crossing_text(&e->first, first, sizeof first);
    printf(e->crossings + e->touching > 0 ? "The mesh intersects itself.\n" : "The mesh meets a half-space's plane.\n");
    printf("Edges pass through faces in %llu place%s (crossings), which make up %zu patch%s; %llu pair%s touch%s.\n",
           (unsigned long long)e->crossings, plural(e->crossings), c->patches.count, c->patches.count == 1 ? "" : "es",
           (unsigned long long)e->touching, plural(e->touching), e->touching == 1 ? "es" : "");
    if (e->behind + e->on_plane > 0)
      printf("Half-spaces: %llu vert%s behind a plane, %llu on one.\n", (unsigned long long)e->behind,
             e->behind == 1 ? "ex" : "ices", (unsigned long long)e->on_plane);
    printf("The first: %s.\n", first);
  }
  if (c->patches.count > 0)
    print_patches(c);
  printf("\n%.1f ms\n", e->ms);
}

static json_t *check_json(const check *c) {
  const examination *e = &c->found;
  json_t *object = json_object();
  json_object_set_new(object, "vertices", json_count(c->mesh.vertex_count, true));
  json_object_set_new(object, "edges", json_count(c->mesh.edge_count, true));
  json_object_set_new(object, "faces", json_count(c->mesh.face_count, true));
  json_object_set_new(object, "intersects", json_boolean(examination_found(e)));
  json_object_set_new(object, "crossings", json_count(e->crossings, true));
  json_object_set_new(object, "touching", json_count(e->touching, true));
  if (c->mesh.half_space_count > 0)
    json_object_set_new(object, "half_spaces", half_spaces_json(e));
  json_object_set_new(object, "patches", json_count(c->patches.count, true));
  json_object_set_new(object, "first", crossing_json(e));
  json_object_set_new(object, "ms", json_number(e->ms));
  return object;
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
    result = patches_make(&c->mesh, &c->patches);
  if (result == EXIT_DONE)
    result = open_files(c);
  s->doing = "looking for intersections";
  if (result == EXIT_DONE)
    result = examine(s, &c->mesh, NULL, &c->found);
  if (result != EXIT_DONE)
    return result;
  patches_finish(&c->patches);
  result = write_files(c);
  bool table = false;
  if (result == EXIT_DONE && page_is_open(&c->page.page))
    result = page_mesh_finish(&c->page, s, &c->frame, "check", check_json(c));
  if (result == EXIT_DONE)
    result = outputs_finish(s->context, c->outputs, OUTPUTS, c->options.json ? check_json(c) : NULL, &table);
  if (result != EXIT_DONE)
    return result;
  if (table) {
    print_table(c);
    page_print(c->options.view);
  }
  return c->options.fail_on_hit && examination_found(&c->found) ? EXIT_FINDING : EXIT_DONE;
}

int command_check(int argc, char **argv) {
  check c = {0};
  c.found = (examination){.visit = take_pairs, .visit_user = &c};
  parse_result parsed = check_options_parse(argc, argv, &c.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  int result = run(&c);
  outputs_discard(c.outputs, OUTPUTS);
  page_mesh_close(&c.page);
  patches_free(&c.patches);
  stepping_release(&c.stepping, &c.frame);
  stepping_close(&c.stepping);
  return result;
}
