/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_step: the earliest impact of a whole mesh.
 *
 * Passes over growing parts [0, tau] of the step. Claim: a pass whose boxes are around positions in [0, tau] meets
 * every pair that touches in [0, tau]; so as soon as a contact at a time <= tau is known, nothing earlier can have been
 * missed, and nothing as early. Most impacts of a step that has any come early: the first pass has few candidates, and
 * is the last. A contact found beyond tau is an upper bound too, and the next pass goes no further than that.
 *
 * Pairs are answered over the whole step whatever tau is, and the winner is the least in a total order: the answer does
 * not depend on passes, threads, broad phase or budget. */

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <toi/scene.h>

#include "narrow/mesh.h"
#include "scene/earliest.h"
#include "scene/scene.h"

/* In the first pass vertices go this part of an edge: boxes are hardly larger than at rest. The next goes further: far
 * if a pass met few pairs for each primitive, so that boxes took longest, else so that an impact soon after costs
 * little more than it must. */
#define FIRST_WAY 0x1p-6
#define FURTHER 16
#define A_LITTLE_FURTHER 3
#define FEW 2
#define SAMPLE 1024

typedef struct search {
  toi_scene scene;
  toi_earliest *earliest; /* one for each thread */
  _Atomic double limit;   /* nothing that begins after this can win */
  double tau;             /* of the pass */
  double slow;            /* up to here vertices go FIRST_WAY: a shorter pass would meet no fewer pairs */
  atomic_size_t met;      /* pairs of the pass */
  bool by_bracket;        /* the method proves no times: one pass, the smallest t_lo wins */
  atomic_bool too_far;    /* the pass was given up, as a much shorter one will do */
  bool stopped;           /* the caller's progress asked for it, maybe in a pass that was given up */
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
                         .refined = s->scene.answerer.method == &toi_method_exact};
    status = toi_earliest_offer(&s->scene, thread, &s->earliest[thread], &next, s->by_bracket);
    lower_limit(s, s->by_bracket ? next.impact.hit.t_lo : next.impact.hit.t_hi);
  }
  return status;
}

static toi_status answer_candidates(void *user, uint32_t thread, toi_join_kind join, const toi_pair *pairs,
                                    size_t count) {
  search *s = user;
  toi_hit hits[TOI_GATHER_PAIRS];
  atomic_fetch_add_explicit(&s->met, count, memory_order_relaxed);
  for (size_t begin = 0; begin < count; begin += TOI_GATHER_PAIRS) {
    size_t size = count - begin < TOI_GATHER_PAIRS ? count - begin : TOI_GATHER_PAIRS;
    toi_status status = toi_scene_answer(&s->scene, thread, (toi_kind)join, pairs + begin, size, hits);
    if (status == TOI_OK)
      status = offer(s, thread, (toi_kind)join, pairs + begin, hits, size);
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

/* One pass over [0, tau]. *finished: it met all candidates. */
static toi_status pass_over(search *s, uint32_t number, bool *finished) {
  toi_broad_question question;
  const toi_mesh_request *asked = &s->scene.asked;
  toi_status status = toi_broad_ask(s->scene.context, asked, s->tau, &question);
  if (status != TOI_OK)
    return status;
  question.consume = answer_candidates;
  question.user = s;
  question.done_before = asked->done_before + asked->done_share * (1 - ldexp(1, -(int)number));
  question.done_share = asked->done_share * ldexp(1, -(int)number - 1);
  question.stopped = &s->stopped;
  s->too_far = false;
  status = toi_broad_run(s->scene.context, &question);
  *finished = !s->too_far;
  if (status == TOI_ERROR_CANCELLED && s->too_far && !s->stopped) {
    toi_clear_error(s->scene.context);
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
  double t_max = s->scene.asked.options.t_max;
  toi_status status = TOI_OK;
  bool done = false;
  s->slow = slow_part(&s->scene.asked.mesh, s->scene.asked.options.separation_fraction);
  size_t primitives =
      s->scene.asked.mesh.vertex_count + s->scene.asked.mesh.edge_count + s->scene.asked.mesh.face_count;
  double next = s->by_bracket || FURTHER * s->slow > 4 ? t_max : s->slow;
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
  for (uint32_t i = 1; i < toi_context_threads(s->scene.context) && status == TOI_OK; i++)
    status = toi_earliest_offer(&s->scene, 0, &best, &s->earliest[i], s->by_bracket);
  if (status == TOI_OK && !s->by_bracket)
    status = toi_earliest_refine(&s->scene, 0, &best);
  if (status == TOI_OK)
    *impact = best.impact;
  return status;
}

toi_status toi_scene_step(toi_context *context, const toi_mesh_request *request, toi_impact *impact) {
  search s = {.limit = INFINITY};
  *impact = (toi_impact){.hit = toi_hit_unknown()};
  toi_status status = toi_scene_begin(&s.scene, context, request, true);
  if (status != TOI_OK)
    return status;
  const toi_method *method = s.scene.answerer.method;
  s.by_bracket = method != &toi_method_certified && method != &toi_method_exact;
  size_t size = toi_context_threads(context) * sizeof(toi_earliest);
  s.earliest = toi_allocate(context, size);
  status = s.earliest ? TOI_OK : TOI_ERROR_MEMORY;
  for (uint32_t i = 0; s.earliest && i < toi_context_threads(context); i++)
    s.earliest[i] = (toi_earliest){.impact.hit = toi_hit_miss(request->options.t_max, TOI_LEVEL_BOX)};
  if (status == TOI_OK)
    status = search_step(&s);
  if (status == TOI_OK)
    status = merge_threads(&s, impact);
  if (s.earliest)
    toi_free(context, s.earliest, size);
  toi_scene_end(&s.scene);
  return status;
}

static TOI_APART toi_status step(toi_context *context, const toi_mesh *mesh, const toi_options *options,
                                 toi_impact *impact) {
  if (!impact)
    return toi_fail(context, TOI_ERROR_INPUT, "impact is NULL; give a place for the answer");
  *impact = (toi_impact){.hit = toi_hit_unknown()};
  toi_mesh_request request;
  const toi_status status = toi_mesh_request_take(context, mesh, options, &request);
  return status == TOI_OK ? toi_mesh_request_end(&request, toi_scene_step(context, &request, impact)) : status;
}

toi_status toi_step(toi_context *context, const toi_mesh *mesh, const toi_options *options, toi_impact *impact) {
  toi_call call;
  toi_call_begin(&call, context);
  const toi_status status = step(context, mesh, options, impact);
  toi_call_end(&call);
  return status;
}
