/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi check` on several ranks: each examines its part, the first groups what they found and writes it. What is found
 * is held there: a few words for each pair, and nothing of the mesh. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_report.h"
#include "memory.h"
#include "output.h"
#include "pair_file.h"
#include "platform.h"
#include "progress.h"
#include "ranks_mesh.h"
#include "session.h"
#include "spread.h"

/* A pair in the order of `toi check`: crossings first, then pairs that touch by kind; first and second number. */
typedef struct found_pair {
  uint32_t row; /* 0: a crossing; else 1 + pair_row() */
  uint32_t first, second, behind;
} found_pair;

typedef struct found_pairs {
  found_pair *at;
  size_t count, room;
} found_pairs;

typedef struct ranks_check_run {
  ranks_mesh mesh;
  found_pairs found;
  output out;
  check_facts facts;
  uint32_t *edges, *faces; /* that crossings have, ascending */
  size_t edge_count, face_count;
  toi_mesh pattern; /* as many edges and faces, by their places in these lists */
} ranks_check_run;

/* --- what is found --- */

static bool reserve(found_pairs *found, size_t more) {
  if (found->count + more <= found->room)
    return true;
  const size_t room = found->count + more + found->room;
  found_pair *at = memory_resize_beyond(found->at, room, sizeof *at);
  if (at == NULL)
    return false;
  found->at = at;
  found->room = room;
  return true;
}

static toi_status take_crossings(void *user, const toi_cluster_crossing *crossings, size_t count) {
  ranks_check_run *c = user;
  if (!reserve(&c->found, count))
    return TOI_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const toi_cluster_crossing *x = &crossings[i];
    c->found.at[c->found.count++] = (found_pair){.row = x->crossing ? 0 : 1 + (uint32_t)pair_row(x->kind),
                                                 .first = (uint32_t)x->pair.first,
                                                 .second = (uint32_t)x->pair.second,
                                                 .behind = x->behind};
  }
  return TOI_OK;
}

static toi_status take_from_rank(void *user, int rank, const void *bytes, size_t size) {
  ranks_check_run *c = user;
  const size_t count = size / sizeof(found_pair);
  if (rank == 0 || count == 0)
    return TOI_OK;
  if (!reserve(&c->found, count))
    return TOI_ERROR_MEMORY;
  memcpy(c->found.at + c->found.count, bytes, size);
  c->found.count += count;
  return TOI_OK;
}

static int compare_pairs(const void *a, const void *b) {
  const found_pair *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->second > y->second) - (x->second < y->second);
}

static toi_crossing crossing_of(const found_pair *pair) {
  return (toi_crossing){.crossing = pair->row == 0,
                        .behind = (uint8_t)pair->behind,
                        .kind = pair->row == 0 ? TOI_VERTEX_FACE : pair_kind((int)pair->row - 1),
                        .pair = {pair->first, pair->second}};
}

/* --- patches, of the edges and faces that crossings have --- */

static int compare_numbers(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static size_t keep_one_of_each(uint32_t *numbers, size_t count) {
  size_t kept = 0;
  if (count > 1)
    qsort(numbers, count, sizeof *numbers, compare_numbers);
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || numbers[kept - 1] != numbers[i])
      numbers[kept++] = numbers[i];
  return kept;
}

static uint32_t place_of(const uint32_t *numbers, size_t count, uint32_t number) {
  const uint32_t *at = bsearch(&number, numbers, count, sizeof number, compare_numbers);
  return (uint32_t)(at - numbers);
}

/* Places keep the order of numbers, so that patches are numbered as those of the whole mesh. */
static int find_patches(ranks_check_run *c) {
  const size_t crossings = (size_t)c->facts.found.crossings;
  c->edges = memory_zeroed(crossings + 1, sizeof *c->edges);
  c->faces = memory_zeroed(crossings + 1, sizeof *c->faces);
  if (c->edges == NULL || c->faces == NULL)
    return memory_fail("the patches", "start more ranks");
  for (size_t i = 0; i < crossings; i++) {
    c->edges[i] = c->found.at[i].first;
    c->faces[i] = c->found.at[i].second;
  }
  c->edge_count = c->pattern.edge_count = keep_one_of_each(c->edges, crossings);
  c->face_count = c->pattern.face_count = keep_one_of_each(c->faces, crossings);
  const int result = patches_make(&c->pattern, &c->facts.patches);
  if (result != EXIT_DONE)
    return result;
  for (size_t i = 0; i < crossings; i++) {
    toi_crossing crossing = crossing_of(&c->found.at[i]);
    crossing.pair.first = place_of(c->edges, c->edge_count, crossing.pair.first);
    crossing.pair.second = place_of(c->faces, c->face_count, crossing.pair.second);
    patches_add(&c->facts.patches, &crossing);
  }
  patches_finish(&c->facts.patches);
  return EXIT_DONE;
}

/* --- the file --- */

static toi_status write_pairs(ranks_check_run *c) {
  const size_t half_spaces = c->mesh.options.half_space_texts.count;
  pair_file file = pair_file_begin_crossings(&c->out, half_spaces);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < c->found.count && status == TOI_OK; i++) {
    const toi_crossing x = crossing_of(&c->found.at[i]);
    status = x.crossing ? pair_file_append_crossings(&file, &x.pair, 1) : pair_file_append(&file, x.kind, &x.pair, 1);
  }
  if (status == TOI_OK)
    status = pair_file_open_numbers(&file, "patch");
  const patches *p = &c->facts.patches;
  for (uint32_t edge = 0; edge < c->edge_count && status == TOI_OK; edge++)
    status = pair_file_append_number(&file, p->numbers[edge], p->crossings[edge]);
  return status == TOI_OK ? pair_file_end(&file) : status;
}

static int group(ranks_check_run *c) {
  examination *e = &c->facts.found;
  if (c->found.count > 1)
    qsort(c->found.at, c->found.count, sizeof *c->found.at, compare_pairs);
  for (size_t i = 0; i < c->found.count; i++) {
    const toi_crossing x = crossing_of(&c->found.at[i]);
    examination_count(e, &x);
  }
  e->done = true;
  int result = find_patches(c);
  if (result == EXIT_DONE && output_is_open(&c->out)) {
    const toi_status status = write_pairs(c);
    if (status != TOI_OK)
      result = session_fail(c->mesh.stepping.context, status, NULL);
  }
  return result;
}

/* --- where the first patches are --- */

/* Of the first edges of those that the table lists. */
static void find_places(ranks_check_run *c) {
  patch_facts facts[CHECK_ROWS];
  uint64_t edges[CHECK_ROWS] = {0}, count = 0;
  if (ranks_mesh_first(&c->mesh)) {
    count = c->facts.patches.count < CHECK_ROWS ? c->facts.patches.count : CHECK_ROWS;
    patches_describe(&c->facts.patches, facts, CHECK_ROWS);
    // cppcheck-suppress knownConditionTrueFalse // it does not see that there are patches
    for (size_t i = 0; i < count; i++)
      edges[i] = c->edges[facts[i].first_edge];
  }
  const ranks_library *mpi = c->mesh.mpi;
  mpi->share(c->mesh.cluster, 0, &count, sizeof count);
  mpi->share(c->mesh.cluster, 0, edges, sizeof edges);
  for (size_t i = 0; i < count; i++)
    mpi->edge_place(c->mesh.cluster, &c->mesh.positions, edges[i], c->facts.places[i]);
}

/* --- the command --- */

static int report(ranks_check_run *c) {
  ranks_mesh *m = &c->mesh;
  c->facts.options = &m->options;
  c->facts.context = m->stepping.context;
  c->facts.vertices = (size_t)m->counts.vertices;
  c->facts.edges = (size_t)m->counts.edges;
  c->facts.faces = (size_t)m->counts.faces;
  c->facts.half_spaces = m->options.half_space_texts.count;
  bool table = false;
  const int result =
      outputs_finish(m->stepping.context, &c->out, 1, m->options.json ? check_json(&c->facts) : NULL, &table);
  if (table)
    check_print(&c->facts);
  return result;
}

static int examine_parts(ranks_check_run *c) {
  ranks_mesh *m = &c->mesh;
  const double began = clock_seconds();
  m->stepping.doing = "looking for intersections";
  const toi_status status = m->mpi->crossings(m->cluster, &m->positions, &m->stepping.asked, take_crossings, c);
  if (status != TOI_OK)
    return ranks_mesh_fail(m, status);
  int result = spread_gather(c->found.at, c->found.count * sizeof *c->found.at, take_from_rank, c);
  c->facts.found.ms = 1e3 * (clock_seconds() - began);
  if (result == EXIT_DONE)
    result = spread_agree(ranks_mesh_first(m) ? group(c) : EXIT_DONE);
  return result;
}

static int run(ranks_check_run *c) {
  const step_options *o = &c->mesh.options;
  const ranks_refusal refusals[] = {{o->view, "--view"}, {o->colour, "--colour"}};
  c->out = (output){.option = "--out", .path = o->out};
  int result = ranks_mesh_refuse(refusals, sizeof refusals / sizeof refusals[0]);
  if (result == EXIT_DONE)
    result = spread_agree(outputs_check(&c->out, 1, o->json));
  if (result == EXIT_DONE)
    result = ranks_mesh_open(&c->mesh);
  if (result == EXIT_DONE)
    result = spread_agree(o->out != NULL && files_same(o->out, o->paths[0])
                              ? cli_fail("%s: holds the mesh and would be replaced; write to another file", o->out)
                              : output_open(c->mesh.stepping.context, &c->out));
  if (result == EXIT_DONE)
    result = ranks_mesh_load(&c->mesh, o->paths[0], NULL, false);
  if (result == EXIT_DONE)
    result = examine_parts(c);
  if (result != EXIT_DONE)
    return result;
  find_places(c);
  uint64_t any = c->found.count;
  c->mesh.mpi->sum(c->mesh.cluster, &any, 1);
  result = spread_agree(ranks_mesh_first(&c->mesh) ? report(c) : EXIT_DONE);
  return result == EXIT_DONE && o->fail_on_hit && any > 0 ? EXIT_FINDING : result;
}

int ranks_check(const ranks_library *mpi, int argc, char **argv) {
  ranks_check_run c = {.mesh = {.mpi = mpi, .began = clock_seconds()}};
  const parse_result parsed = check_options_parse(argc, argv, &c.mesh.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  const int result = run(&c);
  outputs_discard(&c.out, 1);
  patches_free(&c.facts.patches);
  memory_free(c.found.at);
  memory_free(c.edges);
  memory_free(c.faces);
  ranks_mesh_close(&c.mesh);
  return result;
}
