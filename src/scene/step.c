/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_step: the earliest impact of a whole mesh.
 *
 * Passes over growing parts [0, tau] of the step. Claim: a pass whose boxes are around positions in [0, tau] meets
 * every pair that touches in [0, tau]; so as soon as a contact at a time <= tau is known, nothing earlier can have been
 * missed, and nothing as early. Most impacts of a step that has any come early: the first pass has few candidates, and
 * is the last. A contact found beyond tau is an upper bound too, and the next pass goes no further than that.
 *
 * With a separation, one plane per pair clears most candidates first (plane_filter.h), on [0, tau] or up to the best
 * time so far, if that is earlier: a pair that is cleared cannot win in this pass.
 *
 * Where there are many pairs and no separation, the contact filter clears most of the later ones (contact_filter.h).
 *
 * The other pairs are answered over the whole step whatever tau is, and the winner is the least in a total order: the
 * answer does not depend on passes, threads, broad phase or budget. */

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <toi/scene.h>

#include "narrow/kept.h"
#include "narrow/mesh.h"
#include "number/interval.h"
#include "scene/earliest.h"
#include "scene/half_spaces.h"
#include "scene/requests.h"
#include "scene/step.h"

/* In the first pass vertices go this part of an edge: boxes are hardly larger than at rest. The next goes further: far
 * if a pass met few pairs for each primitive, so that boxes took longest, else so that an impact soon after costs
 * little more than it must. */
#define FIRST_WAY 0x1p-6
#define SHORT_WAY 0.16 /* steps in which vertices go no further than this part of an edge are one pass */
#define FURTHER 16
#define A_LITTLE_FURTHER 3
#define FEW 2

/* Pairs for each vertex after which the others are worth a contact filter: in most steps there are fewer. */
#define MANY_PAIRS 8
#define SAMPLE 1024

typedef struct search {
  const toi_mesh_call *call;
  toi_step_aim aim;
  const toi_pair_lists *listed; /* pairs that are asked about instead of candidates; or NULL */
  bool filters;                 /* planes come first */
  toi_mesh_call *contacts;      /* the call, if the contact filter may come first where there are many pairs */
  toi_earliest *earliest;       /* one for each thread */
  _Atomic double limit;         /* nothing that begins after this can win */
  double tau;                   /* of the pass */
  double slow;                  /* up to here vertices go FIRST_WAY: a shorter pass would meet no fewer pairs */
  atomic_size_t met;            /* pairs of the pass */
  bool by_bracket;              /* the method proves no times: one pass, the smallest t_lo wins */
  atomic_bool too_far;          /* the pass was given up, as a much shorter one will do */
  bool stopped;                 /* the caller's progress asked for it, maybe in a pass that was given up */
} search;

static void lower_limit(search *s, double t) {
  double limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
  bool lowered = false;
  while (t < limit && !lowered)
    lowered = atomic_compare_exchange_weak_explicit(&s->limit, &limit, t, memory_order_relaxed, memory_order_relaxed);
}

/* The hits of some pairs: those that may come first are offered to the thread's earliest. */
static toi_status offer(search *s, uint32_t thread, toi_kind kind, const toi_pair *pairs, const toi_hit *hits,
                        size_t count) {
  toi_status status = TOI_OK;
  for (size_t i = 0; i < count && status == TOI_OK; i++) {
    if (hits[i].verdict == TOI_MISS || hits[i].t_lo > atomic_load_explicit(&s->limit, memory_order_relaxed))
      continue;
    toi_earliest next = {.impact = {.hit = hits[i], .kind = kind, .pair = pairs[i]},
                         .refined = s->call->answerer.method == &toi_method_exact || kind == TOI_VERTEX_HALF_SPACE};
    status = toi_earliest_offer(s->call, thread, &s->earliest[thread], &next, s->by_bracket);
    lower_limit(s, s->by_bracket ? next.impact.hit.t_lo : next.impact.hit.t_hi);
  }
  return status;
}

/* Pairs that were not cleared. */
static toi_status answer_pairs(search *s, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  toi_hit hits[TOI_GATHER_PAIRS];
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_GATHER_PAIRS) {
    size_t size = count - begin < TOI_GATHER_PAIRS ? count - begin : TOI_GATHER_PAIRS;
    status = toi_mesh_call_answer(s->call, thread, kind, pairs + begin, size, hits);
    if (status == TOI_OK)
      status = offer(s, thread, kind, pairs + begin, hits, size);
  }
  return status;
}

/* The contact filter first: what it clears touches nowhere in the step. */
static toi_status filter_contacts(search *s, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  toi_pair open[TOI_FILTER_PAIRS];
  const size_t left = toi_mesh_call_filter_contacts(s->call, thread, kind, pairs, count, open);
  return answer_pairs(s, thread, kind, open, left);
}

/* A filter first, then the narrow phase. With planes, what is left open is suspect. */
static toi_status filter_and_answer(search *s, uint32_t thread, toi_kind kind, const toi_pair *pairs, size_t count) {
  const toi_options *options = &s->call->asked.options;
  if (!s->filters)
    return filter_contacts(s, thread, kind, pairs, count);
  const double limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
  const toi_plane_question question = {.t_max = limit < s->tau ? limit : s->tau,
                                       .separation = options->min_separation,
                                       .fraction = options->separation_fraction,
                                       .rounding = s->aim.rounding,
                                       .norm = options->norm};
  toi_pair open[TOI_FILTER_PAIRS];
  const size_t left = toi_mesh_call_filter(s->call, thread, kind, &question, pairs, count, open);
  if (s->aim.suspects)
    toi_pair_lists_add(s->aim.suspects, thread, kind, open, left);
  return answer_pairs(s, thread, kind, open, left);
}

/* Vertices and half-spaces: those that are clear up to the best time so far cannot win in this pass. */
static toi_status answer_half_spaces(search *s, uint32_t thread, const toi_pair *pairs, size_t count) {
  toi_hit hits[TOI_GATHER_PAIRS];
  toi_status status = TOI_OK;
  for (size_t begin = 0; begin < count && status == TOI_OK; begin += TOI_GATHER_PAIRS) {
    const size_t size = count - begin < TOI_GATHER_PAIRS ? count - begin : TOI_GATHER_PAIRS;
    const toi_half_space_pairs some = {thread, pairs + begin, size};
    const double limit = atomic_load_explicit(&s->limit, memory_order_relaxed);
    status = toi_half_spaces_answer(s->call, limit < s->tau ? limit : s->tau, &some, hits);
    if (status == TOI_OK)
      status = offer(s, thread, TOI_VERTEX_HALF_SPACE, pairs + begin, hits, size);
  }
  return status;
}

static toi_status answer_candidates(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                                    size_t count) {
  search *s = user;
  if (join == TOI_JOIN_VERTEX_HALF_SPACE)
    return answer_half_spaces(s, thread, pairs, count);
  const size_t met = atomic_fetch_add_explicit(&s->met, count, memory_order_relaxed);
  if (s->contacts && met > MANY_PAIRS * s->call->asked.mesh.vertex_count)
    toi_mesh_call_make_floats_alone(s->contacts);
  const bool filtered = s->filters || toi_mesh_call_has_filter(s->call, (toi_kind)join);
  const size_t most = filtered ? TOI_FILTER_PAIRS : TOI_GATHER_PAIRS;
  for (size_t begin = 0; begin < count; begin += most) {
    const size_t size = count - begin < most ? count - begin : most;
    const toi_status status = filtered ? filter_and_answer(s, thread, (toi_kind)join, pairs + begin, size)
                                       : answer_pairs(s, thread, (toi_kind)join, pairs + begin, size);
    if (status != TOI_OK)
      return status;
    // A pass as far as the best time will meet far fewer pairs.
    if (!s->by_bracket && atomic_load_explicit(&s->limit, memory_order_relaxed) < s->tau / 4 && s->tau > 2 * s->slow) {
      atomic_store_explicit(&s->too_far, true, memory_order_relaxed);
      return TOI_ERROR_CANCELLED;
    }
  }
  return TOI_OK;
}

static void count_settled(void *user, toi_join_kind join, const toi_device_counts *counts) {
  search *s = user;
  (void)join;
  atomic_fetch_add(&s->met, (size_t)(counts->by_box + counts->by_sign + counts->by_projection));
  toi_mesh_call_count_settled(s->call, counts);
}

/* One pass over [0, tau]. *finished: it met all candidates. */
static toi_status pass_over(search *s, uint32_t number, bool *finished) {
  toi_broad_question question;
  const toi_mesh_request *asked = &s->call->asked;
  toi_status status = toi_broad_ask(s->call->context, asked, s->tau, &question);
  if (status != TOI_OK)
    return status;
  // Displacements grow by at most sqrt(3) times the rounding, and boxes by `reach` times that.
  question.radius = toi_sum_up(question.radius, s->aim.rounding * (1 + 2 * question.reach) * (1 + 0x1p-50));
  question.consume = answer_candidates;
  question.user = s;
  question.done_before = asked->done_before + asked->done_share * (1 - ldexp(1, -(int)number));
  question.done_share = asked->done_share * ldexp(1, -(int)number - 1);
  question.stopped = &s->stopped;
  question.settled = count_settled;
  toi_mesh_call_offer_floats(s->call, &question);
  question.limit = s->by_bracket ? NULL : &s->limit;
  s->too_far = false;
  if (s->aim.suspects)
    toi_pair_lists_clear(s->aim.suspects);
  status = toi_mesh_call_run(s->call, &question);
  *finished = !s->too_far;
  if (status == TOI_ERROR_CANCELLED && s->too_far && !s->stopped) {
    toi_clear_error(s->call->context);
    return TOI_OK;
  }
  return status;
}

static double way(const double a[3], const double b[3]) {
  return fabs(b[0] - a[0]) + fabs(b[1] - a[1]) + fabs(b[2] - a[2]);
}

/* The part of the step in which vertices go FIRST_WAY of an edge, on the average of a sample; a fraction of the
 * distance makes boxes grow by more than that. */
static double slow_part(const toi_mesh *mesh, double fraction) {
  double moved = 0, length = 0;
  double a[3], b[3];
  for (size_t i = 0; i < SAMPLE && mesh->vertex_count > 0; i++) {
    size_t vertex = mesh->vertex_count * i / SAMPLE;
    toi_mesh_point(mesh, mesh->start, vertex, a);
    toi_mesh_point(mesh, mesh->end, vertex, b);
    moved += way(a, b);
  }
  for (size_t i = 0; i < SAMPLE && mesh->edge_count > 0; i++) {
    const uint32_t *edge = mesh->edges[mesh->edge_count * i / SAMPLE];
    toi_mesh_point(mesh, mesh->start, edge[0], a);
    toi_mesh_point(mesh, mesh->start, edge[1], b);
    length += way(a, b);
  }
  double part = FIRST_WAY * length / moved * ((1 - fraction) / (1 + fraction));
  // No edges, nothing moves, or numbers too large: any part will do.
  return part > 0x1p-20 && part < 1 ? part : part >= 1 ? 1 : 0x1p-10;
}

/* Passes until the earliest impact is known. */
static toi_status search_step(search *s) {
  double t_max = s->call->asked.options.t_max;
  toi_status status = TOI_OK;
  bool done = false;
  s->slow = slow_part(&s->call->asked.mesh, s->call->asked.options.separation_fraction);
  size_t primitives =
      s->call->asked.mesh.vertex_count + s->call->asked.mesh.edge_count + s->call->asked.mesh.face_count;
  double next = s->by_bracket || s->slow * SHORT_WAY > FIRST_WAY * t_max ? t_max : s->slow;
  for (uint32_t number = 0; !done && status == TOI_OK; number++) {
    s->tau = next < t_max ? next : t_max;
    if (!s->by_bracket && s->limit < s->tau)
      s->tau = s->limit;
    bool finished = false;
    s->met = 0;
    status = pass_over(s, number, &finished);
    done = finished && (s->limit <= s->tau || s->tau >= t_max);
    if (finished)
      next = s->tau * (s->met < FEW * primitives ? FURTHER : A_LITTLE_FURTHER);
  }
  return status;
}

/* The least of the threads' earliest, refined. */
static toi_status merge_threads(search *s, toi_impact *impact) {
  toi_earliest best = s->earliest[0];
  toi_status status = TOI_OK;
  for (uint32_t i = 1; i < toi_context_threads(s->call->context) && status == TOI_OK; i++)
    status = toi_earliest_offer(s->call, 0, &best, &s->earliest[i], s->by_bracket);
  if (status == TOI_OK && !s->by_bracket)
    status = toi_earliest_refine(s->call, 0, &best);
  if (status == TOI_OK)
    *impact = best.impact;
  return status;
}

toi_impact toi_impact_unknown(void) {
  return (toi_impact){.hit = toi_hit_unknown()};
}

/* Runs a search with an earliest for each thread. */
static toi_status run_search(search *s, toi_status (*work)(search *s), toi_impact *impact) {
  toi_context *context = s->call->context;
  const size_t size = toi_context_threads(context) * sizeof(toi_earliest);
  *impact = toi_impact_unknown();
  s->earliest = toi_allocate(context, size);
  if (!s->earliest)
    return TOI_ERROR_MEMORY;
  for (uint32_t i = 0; i < toi_context_threads(context); i++)
    s->earliest[i] = (toi_earliest){.impact.hit = toi_hit_miss(s->call->asked.options.t_max, TOI_LEVEL_BOX)};
  toi_status status = work(s);
  if (status == TOI_OK)
    status = merge_threads(s, impact);
  toi_free(context, s->earliest, size);
  return status;
}

static search search_of(const toi_mesh_call *call, toi_step_aim aim) {
  search s = {.call = call, .aim = aim, .limit = INFINITY, .by_bracket = !call->proves};
  const toi_options *options = &call->asked.options;
  s.filters = call->proves && (aim.suspects || options->separation_fraction > 0 || options->min_separation > 0 ||
                               toi_mesh_is_thick(&call->asked.mesh));
  return s;
}

toi_status toi_step_search(const toi_mesh_call *call, toi_step_aim aim, toi_impact *impact) {
  search s = search_of(call, aim);
  return run_search(&s, search_step, impact);
}

/* --- suspects --- */

typedef struct suspect_job {
  search *s;
  toi_kind kind;
  const toi_pair *pairs;
} suspect_job;

static toi_status suspect_task(void *user, uint32_t thread, size_t begin, size_t end) {
  const suspect_job *job = user;
  return filter_and_answer(job->s, thread, job->kind, job->pairs + begin, end - begin);
}

static toi_status search_suspects(search *s) {
  toi_status status = TOI_OK;
  for (uint32_t i = 0; i < toi_context_threads(s->call->context); i++)
    for (int kind = 0; kind < TOI_KIND_COUNT && status == TOI_OK; kind++) {
      const toi_pair_list *list = &s->listed->of[i][kind];
      suspect_job job = {s, (toi_kind)kind, list->pairs};
      status = toi_parallel(s->call->context, list->count, TOI_FILTER_PAIRS, suspect_task, &job);
    }
  toi_broad_question question;
  if (status == TOI_OK)
    status = toi_broad_ask(s->call->context, &s->call->asked, s->tau, &question);
  if (status != TOI_OK)
    return status;
  // Half-spaces are not listed: to go through the vertices again takes no longer than to place them.
  question.consume = answer_candidates;
  question.user = s;
  return toi_half_space_candidates(s->call->context, &question);
}

toi_status toi_step_of_suspects(const toi_mesh_call *call, const toi_pair_lists *suspects, toi_impact *impact) {
  assert(call->proves && !suspects->given_up);
  search s = {.call = call, .listed = suspects, .filters = true, .limit = INFINITY, .tau = call->asked.options.t_max};
  return run_search(&s, search_suspects, impact);
}

/* --- for callers --- */

toi_status toi_step_of_request(toi_context *context, const toi_mesh_request *request, toi_impact *impact) {
  toi_mesh_call call;
  toi_status status = toi_mesh_call_begin(&call, context, request, true);
  if (status != TOI_OK)
    return status;
  search s = search_of(&call, (toi_step_aim){0, NULL});
  if (toi_mesh_call_may_filter(&call) && toi_kept_prepare(context))
    s.contacts = &call;
  // Times found are shared by all queries: algorithm 3 of Belgrod 2023.
  if (call.answerer.method == &toi_method_interval_queue)
    call.limit = &s.limit;
  // A device refutes from the first pass on.
  if (s.contacts && toi_device_asked(context))
    toi_mesh_call_make_floats(&call);
  status = run_search(&s, search_step, impact);
  // A filter that had no room is no failure.
  if (status == TOI_OK)
    toi_clear_error(context);
  toi_mesh_call_end(&call);
  return status;
}

static TOI_APART toi_status step(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                 toi_impact *impact) {
  if (!impact)
    return toi_fail(context, TOI_ERROR_INPUT, "impact is NULL; give a place for the answer");
  *impact = toi_impact_unknown();
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  return status == TOI_OK ? toi_mesh_request_end(&request, toi_step_of_request(context, &request, impact)) : status;
}

toi_status toi_step(toi_context *context, const toi_mesh *mesh, const toi_options *options, toi_impact *impact) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = step(context, mesh, options, impact);
  toi_call_end(&call);
  return status;
}
