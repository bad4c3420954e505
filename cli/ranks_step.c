/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step` on several ranks: the same words and the same answers. Files are read in parts, lists are written by all
 * ranks at once, and the first prints. */

#include <stdio.h>
#include <string.h>

#include "output.h"
#include "progress.h"
#include "ranks_mesh.h"
#include "session.h"
#include "spread.h"
#include "step_table.h"

enum { CANDIDATES, HITS };

typedef struct ranks_command {
  ranks_mesh mesh;
  examination at_start;
  step_answer answer;
} ranks_command;

/* --- the questions --- */

static toi_status add_pairs(void *user, toi_kind kind, const toi_cluster_pair *pairs, size_t count) {
  ranks_command *c = user;
  return c->mesh.mpi->list_add(c->mesh.lists[CANDIDATES], kind, pairs, count);
}

static toi_status add_hits(void *user, const toi_cluster_collision *collisions, size_t count) {
  ranks_command *c = user;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK && c->mesh.lists[HITS] != NULL; i++)
    status = c->mesh.mpi->list_add(c->mesh.lists[HITS], collisions[i].kind, &collisions[i].pair, 1);
  return status;
}

/* The first crossing of this rank as a row that is less the earlier it comes. */
typedef struct crossing_tally {
  uint64_t crossings, touching, behind, on_plane;
  uint64_t first[4];
} crossing_tally;

static toi_status tally_crossings(void *user, const toi_cluster_crossing *crossings, size_t count) {
  crossing_tally *t = user;
  for (size_t i = 0; i < count; i++) {
    const toi_cluster_crossing *x = &crossings[i];
    if (x->kind == TOI_VERTEX_HALF_SPACE)
      *(x->behind ? &t->behind : &t->on_plane) += 1;
    else
      *(x->crossing ? &t->crossings : &t->touching) += 1;
    const uint64_t row[4] = {x->crossing ? 0 : 1 + (uint64_t)x->kind, x->pair.first, x->pair.second, x->behind};
    for (int k = 0; k < 4; k++) {
      if (row[k] == t->first[k])
        continue;
      if (row[k] < t->first[k])
        memcpy(t->first, row, sizeof row);
      break;
    }
  }
  return TOI_OK;
}

static int check_start(ranks_command *c) {
  if (c->mesh.options.no_start_check)
    return EXIT_DONE;
  const double began = clock_seconds();
  crossing_tally t = {.first = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  const toi_status status =
      c->mesh.mpi->crossings(c->mesh.cluster, &c->mesh.positions, &c->mesh.stepping.asked, tally_crossings, &t);
  if (status != TOI_OK)
    return ranks_mesh_fail(&c->mesh, status);
  uint64_t sums[4] = {t.crossings, t.touching, t.behind, t.on_plane};
  c->mesh.mpi->sum(c->mesh.cluster, sums, 4);
  c->mesh.mpi->least(c->mesh.cluster, t.first);
  examination *e = &c->at_start;
  e->crossings = sums[0];
  e->touching = sums[1];
  e->behind = sums[2];
  e->on_plane = sums[3];
  e->half_spaces = c->mesh.options.half_space_texts.count > 0;
  if (examination_found(e))
    e->first = (toi_crossing){.crossing = t.first[0] == 0,
                              .behind = (uint8_t)t.first[3],
                              .kind = t.first[0] == 0 ? TOI_VERTEX_FACE : (toi_kind)(t.first[0] - 1),
                              .pair = {(uint32_t)t.first[1], (uint32_t)t.first[2]}};
  e->done = true;
  e->ms = 1e3 * (clock_seconds() - began);
  return EXIT_DONE;
}

/* What all ranks did in the last call. */
static void take_work(ranks_command *c, bool hits) {
  const toi_cluster_work work = c->mesh.mpi->last_work(c->mesh.cluster);
  uint64_t sums[2 * TOI_COUNTERS];
  memcpy(sums, work.candidates, sizeof work.candidates);
  memcpy(sums + TOI_COUNTERS, work.hits, sizeof work.hits);
  c->mesh.mpi->sum(c->mesh.cluster, sums, 2 * TOI_COUNTERS);
  memcpy(c->answer.candidates, sums, sizeof c->answer.candidates);
  if (hits)
    memcpy(c->answer.hits, sums + TOI_COUNTERS, sizeof c->answer.hits);
  double times[2] = {1e-6 * (double)work.broad_ns, 1e-6 * (double)work.narrow_ns};
  c->mesh.mpi->largest(c->mesh.cluster, times, 2);
  c->answer.broad_ms = times[0];
  c->answer.narrow_ms = times[1];
}

static int ask_first(ranks_command *c) {
  const double began = clock_seconds();
  toi_cluster_impact impact;
  const toi_status status = c->mesh.mpi->step(c->mesh.cluster, &c->mesh.positions, &c->mesh.stepping.asked, &impact);
  if (status != TOI_OK)
    return ranks_mesh_fail(&c->mesh, status);
  c->answer.impact = (toi_impact){
      .hit = impact.hit, .kind = impact.kind, .pair = {(uint32_t)impact.pair.first, (uint32_t)impact.pair.second}};
  c->answer.first_ms = 1e3 * (clock_seconds() - began);
  take_work(c, false);
  return EXIT_DONE;
}

static int ask_all(ranks_command *c) {
  toi_status status = TOI_OK;
  if (c->mesh.options.all) {
    c->mesh.stepping.doing = "looking for collisions";
    status = c->mesh.mpi->collisions(c->mesh.cluster, &c->mesh.positions, &c->mesh.stepping.asked, false, add_hits, c);
    if (status == TOI_OK)
      take_work(c, true);
    c->answer.every_candidate = c->answer.every_hit = true;
  }
  if (status == TOI_OK && c->mesh.lists[CANDIDATES] != NULL) {
    c->mesh.stepping.doing = "listing the candidates";
    const double broad = c->answer.broad_ms, narrow = c->answer.narrow_ms;
    status = c->mesh.mpi->candidates(c->mesh.cluster, &c->mesh.positions, &c->mesh.stepping.asked, add_pairs, c);
    if (status == TOI_OK)
      take_work(c, false);
    c->answer.broad_ms = broad;
    c->answer.narrow_ms = narrow;
    c->answer.every_candidate = true;
  }
  return status == TOI_OK ? EXIT_DONE : ranks_mesh_fail(&c->mesh, status);
}

/* --- the command --- */

static int load(ranks_command *c) {
  const step_options *o = &c->mesh.options;
  const int result = ranks_mesh_load(&c->mesh, o->paths[0], o->paths[1], o->all);
  c->answer.vertices = (size_t)c->mesh.counts.vertices;
  c->answer.edges = (size_t)c->mesh.counts.edges;
  c->answer.faces = (size_t)c->mesh.counts.faces;
  c->answer.half_spaces = o->half_space_texts.count;
  c->answer.load_ms = 1e3 * (clock_seconds() - c->mesh.began);
  return result;
}

static int finish(ranks_command *c) {
  ranks_mesh *m = &c->mesh;
  double peak = (double)platform_peak_bytes();
  m->mpi->largest(m->cluster, &peak, 1);
  c->answer.peak_bytes = (uint64_t)peak;
  c->answer.total_ms = 1e3 * (clock_seconds() - m->began);
  const int written = ranks_mesh_write(m);
  if (written != EXIT_DONE)
    return written;
  bool table = false;
  int result = EXIT_DONE;
  if (ranks_mesh_first(m))
    result = outputs_finish(m->stepping.context, NULL, 0,
                            m->options.json ? step_whole_json(&m->stepping, &c->answer, &c->at_start) : NULL, &table);
  if (table)
    print_step(&m->stepping, &c->answer, &c->at_start);
  if (spread_agree(result) != EXIT_DONE)
    return EXIT_BAD;
  const bool found = c->answer.impact.hit.verdict != TOI_MISS || examination_found(&c->at_start);
  return m->options.fail_on_hit && found ? EXIT_FINDING : EXIT_DONE;
}

static int run(ranks_command *c) {
  const step_options *o = &c->mesh.options;
  const ranks_refusal refusals[] = {{o->view, "--view"}, {o->picture, "--picture"}};
  const char *const lists[RANKS_LISTS] = {o->candidates, o->hits};
  int result = ranks_mesh_refuse(refusals, sizeof refusals / sizeof refusals[0]);
  if (result == EXIT_DONE)
    result = ranks_mesh_open(&c->mesh);
  if (result == EXIT_DONE)
    result = ranks_mesh_lists(&c->mesh, lists);
  if (result == EXIT_DONE)
    result = load(c);
  if (result == EXIT_DONE)
    result = check_start(c);
  if (result == EXIT_DONE)
    result = ask_first(c);
  if (result == EXIT_DONE)
    result = ask_all(c);
  return result == EXIT_DONE ? finish(c) : result;
}

int ranks_step(const ranks_library *mpi, int argc, char **argv) {
  ranks_command c = {.mesh = {.mpi = mpi, .began = clock_seconds()}};
  const parse_result parsed = step_options_parse(argc, argv, &c.mesh.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  const int result = run(&c);
  ranks_mesh_close(&c.mesh);
  return result;
}
