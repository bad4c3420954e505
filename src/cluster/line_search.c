/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The largest step that is safe, of a mesh in parts.
 *
 * Claim: step, fraction, tries and positions are those of toi_line_search() on the whole mesh, bit by bit. Why: both
 * try the same trials, which depend on the first impact alone (toi_line_trial_at()); a trial rounds every coordinate by
 * itself, wherever its vertex is held; it is taken if and only if no pair comes too close on the way there, which
 * toi_cluster_step() answers as toi_step() does on the whole mesh, and so does the search there: what it skips is
 * proved to be clear. Where a trial fails, both round the vertices of the same pair, the first impact, by the same
 * normal. */

#include <stdlib.h>
#include <string.h>

#include "cluster/call.h"

typedef struct searching {
  toi_cluster *cluster;
  const toi_positions *given;
  toi_options options;                        /* of the tries */
  double (*start)[3], (*end)[3], (*tried)[3]; /* of own vertices, in the order in which they were given */
  size_t count;
  toi_options asked;     /* the whole step */
  toi_cluster_work work; /* of all steps so far */
  toi_cluster_advance *advance;
} searching;

/* --- positions --- */

static toi_status take_positions(searching *s) {
  s->start = toi_cluster_allocate(s->cluster, s->count, sizeof *s->start);
  s->end = toi_cluster_allocate(s->cluster, s->count, sizeof *s->end);
  s->tried = toi_cluster_allocate(s->cluster, s->count, sizeof *s->tried);
  if (!s->start || !s->end || !s->tried)
    return TOI_ERROR_MEMORY;
  fenv_t mode;
  toi_plain_mode_enter(&mode);
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < 3; k++) {
      s->start[i][k] = toi_position_coordinate(s->given, s->given->start, i, k);
      s->end[i][k] = toi_position_coordinate(s->given, s->given->end, i, k);
    }
  toi_plain_mode_leave(&mode);
  return TOI_OK;
}

static void put_positions(const searching *s, double (*from)[3], void *placed) {
  fenv_t mode;
  toi_plain_mode_enter(&mode);
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < 3; k++) {
      char *at = (char *)placed + toi_position_offset(s->given, i, k);
      const float narrow = (float)from[i][k];
      if (s->given->scalar == TOI_FLOAT32)
        memcpy(at, &narrow, sizeof narrow);
      else
        memcpy(at, &from[i][k], sizeof from[i][k]);
    }
  toi_plain_mode_leave(&mode);
}

/* --- a trial --- */

static void add_work(searching *s) {
  const toi_cluster_work *last = &s->cluster->work;
  for (int kind = 0; kind < TOI_COUNTERS; kind++)
    s->work.candidates[kind] += last->candidates[kind];
  s->work.bytes_sent += last->bytes_sent;
  s->work.broad_ns += last->broad_ns;
  s->work.narrow_ns += last->narrow_ns;
  s->work.passes += last->passes;
  s->work.halo_vertices = last->halo_vertices;
  s->work.halo_edges = last->halo_edges;
  s->work.halo_faces = last->halo_faces;
}

static bool any_rank(const searching *s, bool here) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, s->cluster->comm);
  return any != 0;
}

static toi_status ask(searching *s, double fraction, toi_cluster_impact *impact) {
  toi_positions positions;
  toi_positions_init(&positions, sizeof positions);
  positions.start = s->start;
  positions.end = s->tried;
  positions.vertex_count = s->count;
  s->options.t_max = 1;
  s->options.separation_fraction = fraction;
  const toi_status status = toi_cluster_step(s->cluster, &positions, &s->options, impact);
  add_work(s);
  return status;
}

/* Rounds the vertices of the pair that comes too close away from each other. Returns whether that changes anything on
 * any rank. */
static bool mend(const searching *s, const toi_line_trial *trial, const toi_cluster_impact *impact) {
  const toi_cluster_topology *t = &s->cluster->topology;
  const size_t firsts = impact->kind == TOI_EDGE_EDGE ? 2 : 1;
  bool changed = false;
  for (size_t i = 0; i < toi_pair_vertex_count(impact->kind); i++) {
    const size_t own = toi_number_map_find(&t->own_map, impact->vertices[i]);
    if (own == SIZE_MAX)
      continue;
    const size_t v = t->given[own];
    for (size_t k = 0; k < 3; k++) {
      const double side = i < firsts ? impact->hit.normal[k] : -impact->hit.normal[k];
      if (side == 0)
        continue;
      toi_line_trial mended = *trial;
      double placed;
      mended.rounding = side < 0 ? TOI_ROUND_DOWN : TOI_ROUND_UP;
      (void)toi_line_trial_place(&mended, &s->start[v][k], &s->end[v][k], 1, &placed);
      changed = changed || placed != s->tried[v][k];
      s->tried[v][k] = placed;
    }
  }
  return any_rank(s, changed);
}

/* Takes the trial if it is proved to be safe. */
static toi_status attempt(searching *s, const toi_line_trial *trial, bool *taken) {
  const bool moved =
      any_rank(s, toi_line_trial_place(trial, &s->start[0][0], &s->end[0][0], 3 * s->count, &s->tried[0][0]));
  toi_status status = TOI_OK;
  bool go_on = true;
  uint32_t mends = trial->mends;
  while (go_on) {
    toi_cluster_impact impact = {.hit = {.verdict = TOI_MISS}};
    status = moved ? ask(s, trial->fraction, &impact) : TOI_OK;
    s->advance->tries++;
    *taken = status == TOI_OK && impact.hit.verdict == TOI_MISS;
    go_on = status == TOI_OK && !*taken && mends-- > 0 && mend(s, trial, &impact);
  }
  if (*taken) {
    s->advance->step = trial->step;
    s->advance->fraction = moved ? trial->fraction : s->asked.separation_fraction;
  }
  return status;
}

/* --- the search --- */

static toi_status search(searching *s, void *placed) {
  toi_cluster_advance *advance = s->advance;
  toi_status status = toi_cluster_step(s->cluster, s->given, &s->options, &advance->first);
  if (status != TOI_OK)
    return status;
  add_work(s);
  bool taken = false;
  for (uint32_t i = 0; status == TOI_OK && !taken; i++) {
    const toi_line_trial trial = toi_line_trial_at(&s->asked, s->given->scalar, &advance->first.hit, i);
    if (trial.what == TOI_TRIAL_ASK) {
      status = attempt(s, &trial, &taken);
      if (taken)
        put_positions(s, s->tried, placed);
      continue;
    }
    put_positions(s, trial.what == TOI_TRIAL_END ? s->end : s->start, placed);
    advance->step = trial.step;
    advance->fraction = trial.fraction;
    advance->tries += trial.tries;
    taken = true;
  }
  return status;
}

/* --- for callers --- */

static toi_status check(toi_cluster *cluster, const toi_cluster_question *question, const void *placed) {
  const toi_status status = toi_cluster_question_check(cluster, question);
  if (status != TOI_OK)
    return status;
  const toi_positions *p = question->positions;
  if (question->options != NULL && question->options->separation_fraction >= 1)
    return toi_cluster_fail(cluster, TOI_ERROR_OPTION, "separation_fraction is %g; in a line search it must be below 1",
                            question->options->separation_fraction);
  if (placed == NULL && p->vertex_count > 0)
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "placed is NULL; give an array laid out like the end");
  if (placed != NULL && (placed == p->start || placed == p->end))
    return toi_cluster_fail(cluster, TOI_ERROR_INPUT, "placed is the %s itself; give an array of its own",
                            placed == p->start ? "start" : "end");
  return TOI_OK;
}

static uint64_t digest_of(const toi_positions *positions, const toi_options *options) {
  const uint64_t digest = toi_digest_options(options, "line search");
  return positions == NULL ? digest : toi_digest(digest, &positions->scalar, sizeof positions->scalar);
}

static void set_unknown(toi_cluster_advance *advance) {
  *advance = (toi_cluster_advance){0};
  toi_cluster_impact_unknown(&advance->first);
}

toi_status toi_cluster_line_search(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                                   void *placed, toi_cluster_advance *advance) {
  const toi_cluster_question question = {
      .name = "line search", .positions = positions, .options = options, .need_end = true};
  set_unknown(advance);
  toi_status status = toi_cluster_meet(cluster, check(cluster, &question, placed), digest_of(positions, options));
  if (status != TOI_OK)
    return status;
  searching s = {.cluster = cluster,
                 .given = positions,
                 .options = options != NULL ? *options : toi_default_options(),
                 .count = positions->vertex_count,
                 .advance = advance};
  s.asked = s.options;
  status = toi_agree(cluster, take_positions(&s));
  if (status == TOI_OK)
    status = search(&s, placed);
  cluster->work = s.work;
  if (status != TOI_OK)
    set_unknown(advance);
  free(s.start);
  free(s.end);
  free(s.tried);
  return status;
}
