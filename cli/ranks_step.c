/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi step` on several ranks: the same words and the same answers. Files are read in parts, lists are written by all
 * ranks at once, and the first prints. Every rank reaches every collective call: what goes wrong on one is agreed on
 * before the next. */

#include <stdio.h>
#include <string.h>
#include <toi/io.h>

#include "files.h"
#include "output.h"
#include "progress.h"
#include "ranks.h"
#include "session.h"
#include "step_table.h"

enum { CANDIDATES, HITS, LISTS };

typedef struct ranks_command {
  const ranks_library *mpi;
  step_options options;
  stepping stepping;
  toi_cluster *cluster;
  toi_cluster_frames frames;
  toi_positions positions;
  toi_cluster_list *lists[LISTS];
  examination at_start;
  step_answer answer;
  double began;
} ranks_command;

/* What the cluster says, of which rank it may be. */
static int fail(const ranks_command *c, toi_status status) {
  const char *sentence = c->mpi->error(c->cluster);
  if (status == TOI_ERROR_CANCELLED)
    return cli_fail("stopped; nothing was written");
  return cli_fail("%s", sentence[0] != '\0' ? sentence : toi_status_text(status));
}

/* --- what cannot be asked of several ranks --- */

static int check_options(const step_options *o) {
  const struct { const char *given, *name; } others[] = {{o->view, "--view"}, {o->picture, "--picture"}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (others[i].given != NULL)
      return cli_fail("%s does not work with several ranks; run toi without mpirun", others[i].name);
  const char *const lists[LISTS] = {o->candidates, o->hits};
  for (int i = 0; i < LISTS; i++) {
    if (lists[i] == NULL)
      continue;
    if (strcmp(lists[i], "-") == 0)
      return cli_fail("several ranks cannot write a list to standard output; name a file");
    for (int k = 0; k < 2; k++)
      if (files_same(lists[i], o->paths[k]))
        return cli_fail("%s: holds a mesh and would be replaced; write to another file", lists[i]);
  }
  if (lists[0] != NULL && lists[1] != NULL && (strcmp(lists[0], lists[1]) == 0 || files_same(lists[0], lists[1])))
    return cli_fail("--candidates and --hits name the same file; give two");
  return EXIT_DONE;
}

/* Ranks of one machine share its processors. */
static uint64_t threads_of_rank(void) {
  const unsigned processors = platform_processors(), ranks = ranks_started();
  return processors > ranks ? processors / ranks : 1;
}

/* --- the questions --- */

static toi_status add_pairs(void *user, toi_kind kind, const toi_cluster_pair *pairs, size_t count) {
  ranks_command *c = user;
  return c->mpi->list_add(c->lists[CANDIDATES], kind, pairs, count);
}

static toi_status add_hits(void *user, const toi_cluster_collision *collisions, size_t count) {
  ranks_command *c = user;
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK && c->lists[HITS] != NULL; i++)
    status = c->mpi->list_add(c->lists[HITS], collisions[i].kind, &collisions[i].pair, 1);
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
  if (c->options.no_start_check)
    return EXIT_DONE;
  const double began = clock_seconds();
  crossing_tally t = {.first = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
  const toi_status status = c->mpi->crossings(c->cluster, &c->positions, &c->stepping.asked, tally_crossings, &t);
  if (status != TOI_OK)
    return fail(c, status);
  uint64_t sums[4] = {t.crossings, t.touching, t.behind, t.on_plane};
  c->mpi->sum(c->cluster, sums, 4);
  c->mpi->least(c->cluster, t.first);
  examination *e = &c->at_start;
  e->crossings = sums[0];
  e->touching = sums[1];
  e->behind = sums[2];
  e->on_plane = sums[3];
  e->half_spaces = c->options.half_space_texts.count > 0;
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
  const toi_cluster_work work = c->mpi->last_work(c->cluster);
  uint64_t sums[2 * TOI_COUNTERS];
  memcpy(sums, work.candidates, sizeof work.candidates);
  memcpy(sums + TOI_COUNTERS, work.hits, sizeof work.hits);
  c->mpi->sum(c->cluster, sums, 2 * TOI_COUNTERS);
  memcpy(c->answer.candidates, sums, sizeof c->answer.candidates);
  if (hits)
    memcpy(c->answer.hits, sums + TOI_COUNTERS, sizeof c->answer.hits);
  double times[2] = {1e-6 * (double)work.broad_ns, 1e-6 * (double)work.narrow_ns};
  c->mpi->largest(c->cluster, times, 2);
  c->answer.broad_ms = times[0];
  c->answer.narrow_ms = times[1];
}

static int ask_first(ranks_command *c) {
  const double began = clock_seconds();
  toi_cluster_impact impact;
  const toi_status status = c->mpi->step(c->cluster, &c->positions, &c->stepping.asked, &impact);
  if (status != TOI_OK)
    return fail(c, status);
  c->answer.impact = (toi_impact){
      .hit = impact.hit, .kind = impact.kind, .pair = {(uint32_t)impact.pair.first, (uint32_t)impact.pair.second}};
  c->answer.first_ms = 1e3 * (clock_seconds() - began);
  take_work(c, false);
  return EXIT_DONE;
}

static int ask_all(ranks_command *c) {
  toi_status status = TOI_OK;
  if (c->options.all) {
    c->stepping.doing = "looking for collisions";
    status = c->mpi->collisions(c->cluster, &c->positions, &c->stepping.asked, false, add_hits, c);
    if (status == TOI_OK)
      take_work(c, true);
    c->answer.every_candidate = c->answer.every_hit = true;
  }
  if (status == TOI_OK && c->lists[CANDIDATES] != NULL) {
    c->stepping.doing = "listing the candidates";
    const double broad = c->answer.broad_ms, narrow = c->answer.narrow_ms;
    status = c->mpi->candidates(c->cluster, &c->positions, &c->stepping.asked, add_pairs, c);
    if (status == TOI_OK)
      take_work(c, false);
    c->answer.broad_ms = broad;
    c->answer.narrow_ms = narrow;
    c->answer.every_candidate = true;
  }
  return status == TOI_OK ? EXIT_DONE : fail(c, status);
}

/* --- the command --- */

static int open_all(ranks_command *c) {
  stepping *s = &c->stepping;
  if (c->options.threads == 0)
    c->options.threads = threads_of_rank();
  const int opened = stepping_open(s, &c->options);
  toi_status status = c->mpi->create(s->context, NULL, &c->cluster);
  // A rank without a context cannot take part in more than this.
  if (status != TOI_OK)
    return opened != EXIT_DONE ? opened : cli_fail("the ranks cannot begin: %s", toi_status_text(status));
  const char *const paths[LISTS] = {c->options.candidates, c->options.hits};
  for (int i = 0; i < LISTS && status == TOI_OK; i++)
    if (paths[i] != NULL)
      status = c->mpi->list_create(c->cluster, paths[i], c->options.half_space_texts.count > 0, &c->lists[i]);
  return status == TOI_OK ? EXIT_DONE : fail(c, status);
}

static int load(ranks_command *c) {
  toi_cluster_part extra;
  c->mpi->part_init(&extra, sizeof extra);
  extra.half_spaces = c->options.half_spaces;
  extra.half_space_count = c->options.half_space_texts.count;
  c->stepping.doing = "reading";
  const toi_status status = c->mpi->read(c->cluster, c->options.paths[0], c->options.paths[1], &extra,
                                         c->options.all ? &c->stepping.asked : NULL, &c->frames);
  if (status != TOI_OK)
    return fail(c, status);
  c->positions = c->mpi->frames_positions(&c->frames);
  const toi_cluster_counts counts = c->mpi->count(c->cluster);
  c->answer.vertices = (size_t)counts.vertices;
  c->answer.edges = (size_t)counts.edges;
  c->answer.faces = (size_t)counts.faces;
  c->answer.half_spaces = extra.half_space_count;
  c->answer.load_ms = 1e3 * (clock_seconds() - c->began);
  return EXIT_DONE;
}

static int write_lists(ranks_command *c) {
  toi_status status = TOI_OK;
  for (int i = 0; i < LISTS && status == TOI_OK; i++)
    if (c->lists[i] != NULL)
      status = c->mpi->list_write(c->lists[i]);
  for (int i = 0; i < LISTS && status == TOI_OK; i++)
    if (c->lists[i] != NULL) {
      status = c->mpi->list_commit(c->lists[i]);
      c->lists[i] = NULL;
    }
  return status == TOI_OK ? EXIT_DONE : fail(c, status);
}

static int finish(ranks_command *c) {
  double peak = (double)platform_peak_bytes();
  c->mpi->largest(c->cluster, &peak, 1);
  c->answer.peak_bytes = (uint64_t)peak;
  c->answer.total_ms = 1e3 * (clock_seconds() - c->began);
  const int written = write_lists(c);
  if (written != EXIT_DONE)
    return written;
  bool table = false;
  int result = EXIT_DONE;
  if (c->mpi->rank(c->cluster) == 0)
    result = outputs_finish(c->stepping.context, NULL, 0,
                            c->options.json ? step_whole_json(&c->stepping, &c->answer, &c->at_start) : NULL, &table);
  if (c->mpi->rank(c->cluster) == 0 && result == EXIT_DONE && table)
    print_step(&c->stepping, &c->answer, &c->at_start);
  const toi_status status =
      c->mpi->agree(c->cluster, result == EXIT_DONE ? TOI_OK : TOI_ERROR_FILE, "the answer cannot be printed");
  if (status != TOI_OK)
    return EXIT_BAD;
  const bool found = c->answer.impact.hit.verdict != TOI_MISS || examination_found(&c->at_start);
  return c->options.fail_on_hit && found ? EXIT_FINDING : EXIT_DONE;
}

static int run(ranks_command *c) {
  int result = check_options(&c->options);
  if (result == EXIT_DONE)
    result = open_all(c);
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
  ranks_command c = {.mpi = mpi, .began = clock_seconds()};
  const parse_result parsed = step_options_parse(argc, argv, &c.options);
  if (parsed != PARSE_FINE)
    return parsed == PARSE_HELP ? EXIT_DONE : EXIT_BAD;
  progress_start();
  const int result = run(&c);
  for (int i = 0; i < LISTS; i++)
    mpi->list_destroy(c.lists[i]);
  mpi->frames_free(&c.frames);
  mpi->destroy(c.cluster);
  stepping_close(&c.stepping);
  return result;
}
