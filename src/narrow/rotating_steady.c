/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Chunks of queries between bodies one of which turns at a constant rate, and single ones that no integers decide.
 *
 * Groups of queries go through pieces of time in order: box and sign on a coarse piece, then, if that leaves a query
 * open, on the finer pieces in it, projections and roots there, the walk, and for the rest the search
 * (rotating_search.h). The first contact that is found is the query's: all before it was refuted. Which way a query
 * goes depends on its coordinates alone. */

#include "narrow/rotating_chunk.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/hull.h"
#include "narrow/rotating_search.h"
#include "number/interval.h"
#include "number/vector.h"

enum { GROUP = TOI_FIND_ROWS, ROW = 12 };

/* --- single answers --- */

/* Whether they touch at the start, by integers: laws do not matter there. */
static toi_status touching_at_start(const toi_turn_question *ask, const toi_rotating *query, toi_hit *hit) {
  toi_turn_question start = *ask;
  start.options.t_max = 0;
  return toi_turn_decide(&start, query, 0, hit);
}

/* Whether they touch at the end, likewise: at the start of bodies that rest there. */
static toi_status touching_at_end(const toi_turn_question *ask, const toi_rotating *query, bool *touching) {
  toi_moving_body body[2] = {ask->pair->body[0], ask->pair->body[1]};
  toi_moving_pair *pair;
  toi_hit hit;
  *touching = false;
  for (int b = 0; b < 2; b++) {
    body[b].start = body[b].end;
    body[b].law = TOI_LAW_NLERP;
  }
  toi_status status = toi_moving_pair_make(ask->pair->context, &body[0], &body[1], &pair);
  if (status != TOI_OK)
    return status;
  toi_turn_question end = *ask;
  toi_rotating still = *query;
  end.pair = still.pair = pair;
  status = touching_at_start(&end, &still, &hit);
  *touching = hit.verdict == TOI_HIT;
  toi_moving_pair_free(pair);
  return status;
}

/* Whether they are within the separation by t_max, which lies in the bracket: a hit, a miss, or near. */
static toi_verdict settle_end(const toi_turn_question *ask, const toi_rotating *query, const double bracket[2]) {
  const double t_max = ask->options.t_max;
  toi_turn_piece piece;
  toi_turn_view view;
  toi_turn_nearest near;
  toi_turn_fit(ask->pair, bracket[0] < t_max ? bracket[0] : t_max, bracket[1], &piece);
  toi_turn_look(query, &piece, ask->options.min_separation, &view);
  const double h = piece.to - piece.from;
  toi_turn_nearest_at(&view, h > 0 ? toi_smaller((t_max - piece.from) / h, 1) : 0, &near);
  return near.within ? TOI_HIT : TOI_NEAR;
}

/* A hit within a bracket, whose u and v are there; compared with t_max. */
static toi_status settle(const toi_turn_question *ask, const toi_rotating *query, const toi_turn_found *found,
                         toi_level level, toi_hit *hit) {
  const double *bracket = found->bracket, t_max = ask->options.t_max;
  *hit = toi_hit_miss(t_max, level);
  // The poses at both ends of a motion are no doubles.
  const bool posed = ask->pair->of_laws == NULL && ask->options.min_separation == 0;
  if (bracket[0] <= 0 && bracket[1] > 0 && posed) {
    const toi_status status = touching_at_start(ask, query, hit);
    if (status != TOI_OK || hit->verdict == TOI_HIT)
      return status;
    *hit = toi_hit_miss(t_max, level);
  }
  if (bracket[0] > t_max)
    return TOI_OK;
  toi_verdict verdict = found->verdict;
  double hi = bracket[1];
  if (verdict == TOI_NEAR && t_max == 1 && posed) {
    bool touching;
    const toi_status status = touching_at_end(ask, query, &touching);
    if (status != TOI_OK)
      return status;
    verdict = touching ? TOI_HIT : TOI_NEAR;
    hi = touching ? 1 : hi;
  }
  if (verdict == TOI_HIT && hi > t_max)
    verdict = settle_end(ask, query, bracket);
  hit->verdict = (uint8_t)verdict;
  hit->t_lo = bracket[0];
  hit->t_hi = hi;
  hit->t_safe = bracket[0] > 0 ? toi_next_down(bracket[0]) : 0;
  if (verdict == TOI_NEAR) {
    hit->tolerance_reached = INFINITY;
    return TOI_OK;
  }
  hit->u = found->u;
  hit->v = found->v;
  hit->distance = 0;
  hit->touching_at_start = hi == 0;
  toi_turn_place(query, found->n, hit);
  return TOI_OK;
}

toi_status toi_turn_search_answer(const toi_turn_question *ask, const toi_rotating *query, toi_hit *hit) {
  toi_turn_found found;
  const double d = ask->options.min_separation;
  toi_status status = TOI_OK;
  toi_turn_search(query, d, &found);
  *hit = toi_hit_miss(ask->options.t_max, TOI_LEVEL_ROOT);
  if (found.verdict != TOI_MISS)
    status = settle(ask, query, &found, TOI_LEVEL_ROOT, hit);
  hit->separation = d;
  if (hit->verdict == TOI_HIT)
    hit->distance = hit->touching_at_start && d > 0 ? toi_smaller(found.distance, d) : d;
  return status;
}

/* --- groups --- */

typedef struct group {
  const toi_turn_question *ask;
  const toi_turn_kernels *kernels;
  int corners;
  const double *queries;
  toi_hit *hits;
  uint32_t alive[GROUP]; /* numbers of queries that no contact was found for */
  size_t count;
  bool settled[GROUP]; /* of alive[i]: to be taken out */

  /* Contacts, to be narrowed together. */
  size_t found;
  uint32_t found_number[GROUP];
  toi_turn_root root[GROUP];
  const toi_turn_piece *found_piece[GROUP];
} group;

/* Rows of some of the living, back to back; `which` are places in alive. */
static void gather(const group *g, const uint32_t *which, size_t count, double *rows) {
  for (size_t i = 0; i < count; i++)
    memcpy(rows + i * ROW, g->queries + (size_t)ROW * g->alive[which[i]], ROW * sizeof *rows);
}

/* Which of some rows box and sign leave open on a piece: numbers of rows, and how many. */
static size_t open_rows(const group *g, const toi_turn_piece *piece, const double *rows, size_t count, uint32_t *open,
                        toi_turn_curve *curves) {
  uint8_t codes[GROUP];
  size_t kept = 0;
  g->kernels->filter(g->corners, piece, rows, count, codes, curves);
  for (size_t i = 0; i < count; i++)
    if (codes[i] == TOI_FILTER_OPEN)
      open[kept++] = (uint32_t)i;
  return kept;
}

/* What one row comes to on a piece: nothing, a contact, or the search over all of the step. */
static toi_status take(group *g, uint32_t place, const toi_turn_piece *piece, toi_turn_root *root) {
  const uint32_t number = g->alive[place];
  const toi_rotating query = {g->ask->pair, g->ask->kind, g->queries + (size_t)ROW * number};
  if (root->code == TOI_ROTATING_OPEN) {
    if (!toi_all_finite(query.points, ROW))
      return TOI_ERROR_INPUT;
    toi_rotating_walk(&query, piece, root);
  }
  if (root->code == TOI_ROTATING_MISS)
    return TOI_OK;
  g->settled[place] = true;
  if (root->code == TOI_ROTATING_OPEN)
    return toi_turn_search_answer(g->ask, &query, &g->hits[number]);
  g->root[g->found] = *root;
  g->found_piece[g->found] = piece;
  g->found_number[g->found++] = number;
  return TOI_OK;
}

/* Some of the living on the fine pieces of a coarse one. */
static toi_status visit_fine(group *g, uint32_t coarse, uint32_t *which, size_t count) {
  const toi_moving_pair *pair = g->ask->pair;
  double rows[GROUP * ROW];
  uint32_t open[GROUP];
  toi_turn_curve curves[GROUP];
  toi_turn_root roots[GROUP];
  for (uint32_t i = 0; i < pair->fine && count > 0; i++) {
    const toi_turn_piece *piece = &pair->pieces[pair->coarse + coarse * pair->fine + i];
    gather(g, which, count, rows);
    const size_t left = open_rows(g, piece, rows, count, open, curves);
    const toi_rows asked = {rows, ROW, open, left};
    if (left > 0)
      toi_turn_find(g->kernels, g->corners, piece, &asked, curves, roots);
    for (size_t j = 0; j < left; j++) {
      const toi_status status = take(g, which[open[j]], piece, &roots[j]);
      if (status != TOI_OK)
        return status;
    }
    size_t kept = 0;
    for (size_t j = 0; j < count; j++)
      if (!g->settled[which[j]])
        which[kept++] = which[j];
    count = kept;
  }
  return TOI_OK;
}

static toi_status narrow_contacts(group *g) {
  const toi_rows rows = {g->queries, ROW, g->found_number, g->found};
  toi_turn_refine(g->kernels, g->ask->pair, g->corners, &rows, g->found_piece, g->root);
  toi_status status = TOI_OK;
  for (size_t i = 0; i < g->found && status == TOI_OK; i++) {
    const toi_turn_root *root = &g->root[i];
    const toi_rotating query = {g->ask->pair, g->ask->kind, g->queries + (size_t)ROW * g->found_number[i]};
    toi_turn_found found;
    toi_turn_found_root(&query, g->found_piece[i], root, &found);
    status = settle(g->ask, &query, &found, root->level, &g->hits[g->found_number[i]]);
  }
  return status;
}

static toi_status answer_group(group *g) {
  const toi_moving_pair *pair = g->ask->pair;
  double rows[GROUP * ROW];
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < pair->coarse && g->count > 0 && status == TOI_OK; i++) {
    uint32_t which[GROUP];
    for (size_t j = 0; j < g->count; j++) {
      which[j] = (uint32_t)j;
      g->settled[j] = false;
    }
    // The first time they are still back to back.
    const double *at = g->queries + (size_t)ROW * g->alive[0];
    if (i > 0) {
      gather(g, which, g->count, rows);
      at = rows;
    }
    const size_t open = open_rows(g, &pair->pieces[i], at, g->count, which, NULL);
    status = visit_fine(g, i, which, open);
    size_t kept = 0;
    for (size_t j = 0; j < g->count; j++)
      if (!g->settled[j])
        g->alive[kept++] = g->alive[j];
    g->count = kept;
  }
  return status == TOI_OK && g->found > 0 ? narrow_contacts(g) : status;
}

toi_status toi_turn_answer_steady(const toi_turn_question *ask, const double *queries, size_t count, toi_hit *hits) {
  group g = {.ask = ask,
             .kernels = toi_turn_kernels_best(count),
             .corners = (int)toi_corner_count(ask->kind),
             .queries = queries,
             .hits = hits};
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i += GROUP) {
    g.count = g.found = 0;
    for (size_t j = i; j < count && j < i + GROUP; j++) {
      hits[j] = toi_hit_miss(ask->options.t_max, TOI_LEVEL_SIGN);
      g.alive[g.count++] = (uint32_t)j;
    }
    status = answer_group(&g);
  }
  return status;
}
