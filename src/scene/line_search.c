/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The largest step that is safe.
 *
 * Let d_i be the distance of pair i at the start, T_i its separation and thickness, p the fraction, s_i(p) = T_i +
 * p max(0, d_i - T_i), x0 and x1 start and end, and t* the first time at which some pair is within s_i(p) (toi_step()
 * brackets it by neighbouring doubles t_lo <= t* <= t_hi).
 *
 * Claim 1: for the positions y that are written, on the straight motion from x0 to y, every pair stays farther apart
 * than s_i(`fraction`), up to y. Why: y is taken only
 *   - if that very motion, its end included, is a proved miss for every pair with this fraction;
 *   - or if y is x1 and the miss was that of the whole step;
 *   - or if y is x0 and no pair is within T_i now, so that d_i > s_i(p), since p < 1.
 * In the first case the pairs that the pass up to t* cleared by a plane are not asked again. They were cleared for
 * every motion to positions that are off by at most rho in a coordinate from those at a time up to t*, with p, and so
 * with any smaller fraction; pairs whose boxes, grown for rho, did not meet are clear by lemma 6. The others are the
 * suspects, and they are asked about the motion to y; so is every vertex with every half-space, which no list holds. If
 * their list did not fit, a pass over that motion asks every pair: how y came about, by which roundings, then plays no
 * part at all.
 *
 * Claim of rho: positions that are tried differ by at most rho = ROUNDING M + FLOOR from those of the step, M the
 * largest magnitude of a coordinate. Why, in u M, u = 2^-53, for doubles: x1 - x0 rounds on 2 M, its product with the
 * step on 2 M, the sum on 2 M (it is clamped to the way afterwards): 2 + 2 + 2; the neighbour that is taken instead is
 * 2 away: 8, and ROUNDING_DOUBLE is 16 u. For floats there is 2^-24 M for the nearest and 2^-23 M for the neighbour,
 * less than ROUNDING_FLOAT = 2^-22 together with the above. FLOOR covers subnormal numbers: two units of the last
 * place.
 *
 * Claim 2: the step is at least 0.99 t*, for t* >= 2^-1022, unless rounding to the mesh's numbers takes pairs within
 * T_i at (1 - 2^-8) t* already. Why: steps (1 - 2^-k) t_lo are tried for k = 40, 16, 8. Between t_lo and the last one
 * there is 2^-8 of the way for the distances to be larger than s_i(p) by more than rounding takes from them. Where
 * this is not enough, for that step the vertices of pairs that come too close are rounded away from each other,
 * positions are rounded towards the start instead, and the fraction is lowered, to 0 at last: then only T_i is kept.
 * 1 - 2^-8 > 0.996, and t_lo > (1 - 2^-52) t*.
 *
 * Claim 3: the step is positive unless a pair is within T_i now. Why: what is tried last is y = x0, and every step that
 * is tried is positive.
 *
 * The published line search (Wang et al. 2021, algorithm 4) lowers p before the step is known, by bounds of the errors
 * in distances and times. Here neither has an error, and what is rounded, the positions, is checked itself. */

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "narrow/mesh.h"
#include "number/interval.h"
#include "number/vector.h"
#include "scene/line_trials.h"
#include "scene/requests.h"
#include "scene/step.h"

#include <toi/scene.h>

#define ROUNDING_DOUBLE 0x1p-49
#define ROUNDING_FLOAT 0x1p-22
#define FLOOR_DOUBLE 0x1p-1072
#define FLOOR_FLOAT 0x1p-147

#define VERTEX_GRAIN 4096

typedef struct search {
  toi_mesh_call call; /* from the start to the end, later to the positions that are tried */
  toi_mesh given;     /* the caller's: start and end */
  void *positions;
  toi_advance *advance;
  toi_pair_lists suspects;
  double fraction;     /* p */
  toi_work work;       /* of all steps so far */
  double before, left; /* the caller's progress: what is done, and what the step at work is worth */
} search;

/* --- positions --- */

/* Where vertex `number` is tried: the end of the call's motion. */
static double *tried(const search *s, size_t number) {
  return s->call.points + TOI_MOVING_ROW * number + TOI_STILL_ROW;
}

typedef struct placement {
  const search *s;
  double step;
  toi_rounding rounding;
  atomic_bool moved; /* some vertex is not where it was */
} placement;

static toi_status place_task(void *user, uint32_t thread, size_t begin, size_t end) {
  placement *p = user;
  const toi_mesh *mesh = &p->s->given;
  bool moved = false;
  (void)thread;
  for (size_t i = begin; i < end; i++) {
    const double *start = p->s->call.points + TOI_MOVING_ROW * i;
    double stop[3], *placed = tried(p->s, i);
    toi_mesh_point(mesh, mesh->end, i, stop);
    for (int k = 0; k < 3; k++) {
      placed[k] = toi_line_trial_coordinate(mesh->scalar, start[k], stop[k], p->step, p->rounding);
      moved = moved || placed[k] != start[k];
    }
  }
  if (moved)
    atomic_store_explicit(&p->moved, true, memory_order_relaxed);
  return TOI_OK;
}

/* The positions after a fraction of the step, to be tried. Returns whether one of them is not that of the start. */
static bool place(const search *s, double step, toi_rounding how) {
  placement p = {.s = s, .step = step, .rounding = how};
  atomic_init(&p.moved, false);
  toi_status status = toi_parallel(s->call.context, s->call.asked.mesh.vertex_count, VERTEX_GRAIN, place_task, &p);
  assert(status == TOI_OK);
  (void)status;
  return atomic_load_explicit(&p.moved, memory_order_relaxed);
}

/* Writes the positions of a state of the caller's, bit by bit. */
static void copy_state(const search *s, const void *state) {
  if (s->positions == NULL) // allowed where there are no vertices
    return;
  if (toi_mesh_stride(&s->given) == toi_mesh_row(&s->given) && s->given.component_stride == 0) {
    memcpy(s->positions, state, s->given.vertex_count * toi_mesh_row(&s->given));
    return;
  }
  const size_t stride = toi_mesh_stride(&s->given), step = toi_mesh_step(&s->given), size = toi_mesh_scalar(&s->given);
  for (size_t i = 0; i < s->given.vertex_count; i++)
    for (size_t k = 0; k < 3; k++) {
      const size_t at = i * stride + k * step;
      memcpy((unsigned char *)s->positions + at, (const unsigned char *)state + at, size);
    }
}

/* Writes the positions that were tried: numbers of the mesh's. */
static void write_tried(const search *s) {
  for (size_t i = 0; i < s->given.vertex_count; i++)
    toi_mesh_put(&s->given, s->positions, i, tried(s, i));
}

/* rho. */
static double rounding_of(const search *s) {
  double column[TOI_MOVING_ROW] = {0}, most = 0;
  for (size_t i = 0; i < s->given.vertex_count; i++)
    for (int k = 0; k < TOI_MOVING_ROW; k++)
      column[k] = toi_larger(column[k], fabs(s->call.points[TOI_MOVING_ROW * i + (size_t)k]));
  for (int k = 0; k < TOI_MOVING_ROW; k++)
    most = toi_larger(most, column[k]);
  const bool narrow = s->given.scalar == TOI_FLOAT32;
  return most * (narrow ? ROUNDING_FLOAT : ROUNDING_DOUBLE) + (narrow ? FLOOR_FLOAT : FLOOR_DOUBLE);
}

/* --- questions --- */

/* The question of the next step: its work and its progress. */
static void begin_question(search *s, double t_max, double fraction, toi_work *work) {
  toi_mesh_request *asked = &s->call.asked;
  asked->options.t_max = t_max;
  asked->options.separation_fraction = fraction;
  asked->on_mesh.work = work;
  asked->done_before = s->before;
  asked->done_share = s->left;
}

static void end_question(search *s, const toi_work *work) {
  s->before += s->left;
  s->left = (1 - s->before) / 2;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    s->work.candidates[kind] += work->candidates[kind];
  s->work.candidates[TOI_VERTEX_HALF_SPACE] += work->candidates[TOI_VERTEX_HALF_SPACE];
  s->work.broad_ns += work->broad_ns;
  s->work.narrow_ns += work->narrow_ns;
  s->work.passes += work->passes;
}

/* The first impact on the whole step, and who is suspect. */
static toi_status ask_step(search *s, toi_impact *impact) {
  toi_work work = {.passes = 0};
  begin_question(s, s->call.asked.options.t_max, s->call.asked.options.separation_fraction, &work);
  const toi_step_aim aim = {rounding_of(s), &s->suspects};
  const toi_status status = toi_step_search(&s->call, s->call.proves ? aim : (toi_step_aim){0, NULL}, impact);
  // A list that had no room is no failure.
  if (status == TOI_OK)
    toi_clear_error(s->call.context);
  end_question(s, &work);
  return status;
}

/* The first impact on the way from the start to the positions that are tried, with this fraction. */
static toi_status ask_tried(search *s, double fraction, toi_impact *impact) {
  toi_work work = {.passes = 0};
  begin_question(s, 1, fraction, &work);
  const bool listed = s->call.proves && !s->suspects.given_up;
  const toi_status status = listed ? toi_step_of_suspects(&s->call, &s->suspects, impact)
                                   : toi_step_search(&s->call, (toi_step_aim){0, NULL}, impact);
  end_question(s, &work);
  return status;
}

/* Rounds the vertices of the pair that came too close away from each other. Returns whether that changes anything. */
static bool mend(const search *s, double step, const toi_impact *impact) {
  const toi_mesh *mesh = &s->given;
  const bool obstacle = impact->kind == TOI_VERTEX_HALF_SPACE;
  const uint32_t firsts = impact->kind == TOI_EDGE_EDGE ? 2 : 1, count = obstacle ? 1 : toi_kind_points(impact->kind);
  uint32_t vertices[4] = {impact->pair.first};
  bool changed = false;
  if (!obstacle)
    toi_pair_vertices(impact->kind, &s->call.asked.mesh, impact->pair, vertices);
  for (uint32_t i = 0; i < count; i++) {
    double start[3], stop[3], *placed = tried(s, vertices[i]);
    toi_mesh_point(mesh, mesh->start, vertices[i], start);
    toi_mesh_point(mesh, mesh->end, vertices[i], stop);
    for (int k = 0; k < 3; k++) {
      double side = i < firsts ? impact->hit.normal[k] : -impact->hit.normal[k];
      if (side == 0)
        continue;
      const toi_rounding how = side < 0 ? TOI_ROUND_DOWN : TOI_ROUND_UP;
      double own = toi_line_trial_coordinate(mesh->scalar, start[k], stop[k], step, how);
      changed = changed || own != placed[k];
      placed[k] = own;
    }
  }
  return changed;
}

/* Takes the step if it is proved to be safe. Nothing touches now. */
static toi_status attempt(search *s, toi_line_trial t, bool *taken) {
  assert(t.step > 0);
  toi_status status = TOI_OK;
  bool moved = place(s, t.step, t.rounding), go_on = true;
  while (go_on) {
    toi_impact impact = {.hit = {.verdict = TOI_MISS}};
    status = moved ? ask_tried(s, t.fraction, &impact) : TOI_OK;
    s->advance->tries++;
    *taken = status == TOI_OK && impact.hit.verdict == TOI_MISS;
    go_on = status == TOI_OK && !*taken && t.mends-- > 0 && mend(s, t.step, &impact);
  }
  if (*taken) {
    s->advance->step = t.step;
    s->advance->fraction = moved ? t.fraction : s->fraction;
    write_tried(s);
  }
  return status;
}

/* --- the search --- */

static toi_status find_step(search *s) {
  toi_advance *advance = s->advance;
  toi_line_trials trials = {.t_max = s->call.asked.options.t_max, .fraction = s->fraction, .scalar = s->given.scalar};
  toi_status status = ask_step(s, &advance->first);
  if (status != TOI_OK)
    return status;
  trials.first = advance->first.hit;
  bool taken = false;
  for (uint32_t i = 0; status == TOI_OK && !taken; i++) {
    const toi_line_trial trial = toi_line_trial_number(&trials, i);
    if (trial.what == TOI_TRIAL_ASK) {
      status = attempt(s, trial, &taken);
      continue;
    }
    copy_state(s, trial.what == TOI_TRIAL_END ? s->given.end : s->given.start);
    advance->step = trial.step;
    advance->fraction = trial.fraction;
    advance->tries += trial.tries;
    taken = true;
  }
  return status;
}

/* --- for callers --- */

static toi_status check(toi_context *context, const toi_mesh_request *request, const void *positions) {
  const toi_mesh *mesh = &request->mesh;
  if (request->options.separation_fraction >= 1)
    return toi_fail(context, TOI_ERROR_OPTION, "separation_fraction is %g; in a line search it must be below 1",
                    request->options.separation_fraction);
  if (!positions && mesh->vertex_count > 0)
    return toi_fail(context, TOI_ERROR_INPUT, "positions is NULL; give an array laid out like the mesh's end");
  if (positions && (positions == mesh->start || positions == mesh->end))
    return toi_fail(context, TOI_ERROR_INPUT, "positions is the mesh's own %s; give an array of its own",
                    positions == mesh->start ? "start" : "end");
  return TOI_OK;
}

toi_advance toi_advance_none(void) {
  return (toi_advance){.first.hit = toi_hit_unknown()};
}

toi_status toi_line_search_of_request(toi_context *context, const toi_mesh_request *request, void *positions,
                                      toi_advance *advance) {
  search s = {.given = request->mesh,
              .positions = positions,
              .advance = advance,
              .fraction = request->options.separation_fraction,
              .left = 0.5};
  toi_status status = toi_mesh_call_begin(&s.call, context, request, true);
  if (status != TOI_OK)
    return status;
  status = check(context, request, positions);
  if (status == TOI_OK)
    status = toi_pair_lists_begin(&s.suspects, context);
  if (status == TOI_OK) {
    status = find_step(&s);
    if (request->on_mesh.work)
      *request->on_mesh.work = s.work;
    if (status != TOI_OK) {
      // The safe answer: where it was.
      copy_state(&s, request->mesh.start);
      *advance = toi_advance_none();
    }
    toi_pair_lists_end(&s.suspects);
  }
  toi_mesh_call_end(&s.call);
  return status;
}

static TOI_APART toi_status take_and_search(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                            void *positions, toi_advance *advance) {
  if (!advance)
    return toi_fail(context, TOI_ERROR_INPUT, "advance is NULL; give a place for the answer");
  *advance = toi_advance_none();
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  if (status != TOI_OK)
    return status;
  return toi_mesh_request_end(&request, toi_line_search_of_request(context, &request, positions, advance));
}

toi_status toi_line_search(toi_context *context, const toi_mesh *mesh, const toi_options *options, void *positions,
                           toi_advance *advance) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = take_and_search(context, mesh, options, positions, advance);
  toi_call_end(&call);
  return status;
}
