/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The earliest impact on all ranks.
 *
 * Passes over growing parts [0, tau] of the step, the same on all ranks: each asks its two meshes for their earliest
 * impact in [0, tau], and all exchange the best time. Claim: the first pass in which some rank finds a contact is the
 * last. Why: it was found at t* <= tau, and every rank has asked about all its pairs in [0, tau]; what comes later than
 * tau comes later than t*.
 *
 * The winner is found among the ranks' own: those whose brackets begin no later than the earliest one ends, at most two
 * for each rank, become one small mesh, which toi_step() is asked about with the options as given. Claim: its answer is
 * that of the whole mesh, bit by bit. Why: it is the least of these pairs in the same total order, the order of the
 * primitives' numbers is kept, the winner of all is the winner of its rank and thus among them, and a pair's own answer
 * does not depend on what else there is. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/call.h"
#include "cluster/contest.h"

/* As toi_step() does, the first pass goes until vertices have gone a part of an edge's length on the average, but
 * farther: no single pass of the calls below is longer than theirs would be. */
#define FIRST_WAY 0.125
#define FURTHER 16
#define SAMPLE 1024

/* --- how far a pass goes --- */

static double way(const double a[3], const double b[3]) {
  return fabs(b[0] - a[0]) + fabs(b[1] - a[1]) + fabs(b[2] - a[2]);
}

/* The part of the step in which vertices go FIRST_WAY of an edge. Time alone depends on it. */
static double first_part(const toi_cluster_call *call) {
  const toi_cluster_topology *t = &call->cluster->topology;
  double sums[4] = {0};
  for (size_t i = 0; i < SAMPLE && t->vertex_count > 0; i++) {
    const double *at = call->at[t->vertex_count * i / SAMPLE];
    sums[0] += way(at, at + 3);
    sums[1] += 1;
  }
  for (size_t i = 0; i < SAMPLE && t->edge_count > 0; i++) {
    const uint32_t *edge = t->edges[t->edge_count * i / SAMPLE];
    sums[2] += way(call->at[edge[0]], call->at[edge[1]]);
    sums[3] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_SUM, call->cluster->comm);
  const double fraction = call->options.separation_fraction;
  const double part = FIRST_WAY * (sums[2] / sums[3]) / (sums[0] / sums[1]) * ((1 - fraction) / (1 + fraction));
  // No edges, nothing moves, or numbers too large: any part will do.
  double chosen = part > 0x1p-20 && part < 1 ? part : part >= 1 ? 1 : 0x1p-10;
  MPI_Bcast(&chosen, 1, MPI_DOUBLE, 0, call->cluster->comm);
  return chosen;
}

/* --- a pass --- */

/* What this rank has found so far: in the inner mesh and in the seam. */
typedef struct finds {
  toi_impact inner, seam;
} finds;

/* Of this rank's seam over [0, tau]; *end: where contacts that come later cannot be the first. */
static toi_status ask_seam(toi_cluster_call *call, double tau, bool by_bracket, finds *f, double *end) {
  const toi_mesh mesh = toi_ask_seam(call, tau, toi_seam_kinds(call));
  toi_status status = TOI_OK;
  *end = tau;
  f->seam.hit.verdict = TOI_MISS;
  if (mesh.vertex_count > 0) {
    status = toi_step(call->cluster->context, &mesh, &call->options, &f->seam);
    toi_add_work(call);
    if (status == TOI_OK && !by_bracket && f->seam.hit.verdict == TOI_HIT && f->seam.hit.t_hi < tau)
      *end = f->seam.hit.t_hi;
  }
  return toi_cluster_fail_context(call->cluster, status);
}

static toi_status ask_inner(toi_cluster_call *call, double end, finds *f) {
  toi_status status = TOI_OK;
  f->inner.hit.verdict = TOI_MISS;
  if (call->cluster->topology.vertex_count > 0) {
    toi_ask_inner(call, end, TOI_INNER_KINDS);
    status = toi_scene_step(call->cluster->context, call->cluster->topology.scene, &call->positions, &call->options,
                            &f->inner);
    toi_add_work(call);
  }
  return toi_cluster_fail_context(call->cluster, status);
}

/* The smaller mesh first; the other one no further than what any rank has found in it. */
static toi_status ask(toi_cluster_call *call, double tau, bool by_bracket, finds *f) {
  double end;
  toi_status status = toi_agree(call->cluster, ask_seam(call, tau, by_bracket, f, &end));
  if (status != TOI_OK)
    return status;
  MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_DOUBLE, MPI_MIN, call->cluster->comm);
  return toi_agree(call->cluster, ask_inner(call, end, f));
}

static double bound_of(const toi_impact *impact, bool by_bracket) {
  if (impact->hit.verdict == TOI_MISS)
    return INFINITY;
  return by_bracket ? impact->hit.t_lo : impact->hit.t_hi;
}

/* Passes until somebody has found a contact, or the whole step was asked about. *limit: what begins later cannot win.
 */
static toi_status search(toi_cluster_call *call, bool by_bracket, finds *f, double *limit) {
  const double t_max = call->t_max;
  double tau = by_bracket ? t_max : first_part(call);
  toi_status status = TOI_OK;
  *limit = INFINITY;
  for (bool done = false; status == TOI_OK && !done; tau *= FURTHER) { // NOLINT(cert-flp30-c): ends at t_max
    tau = tau * 2 < t_max ? tau : t_max;
    status = toi_seam_make(call, tau);
    if (status == TOI_OK)
      status = ask(call, tau, by_bracket, f);
    if (status != TOI_OK)
      return status;
    *limit = fmin(bound_of(&f->inner, by_bracket), bound_of(&f->seam, by_bracket));
    MPI_Allreduce(MPI_IN_PLACE, limit, 1, MPI_DOUBLE, MPI_MIN, call->cluster->comm);
    done = *limit < INFINITY || tau >= t_max;
  }
  return status;
}

/* --- for callers --- */

static void set_miss(const toi_cluster_call *call, toi_cluster_impact *impact) {
  *impact = (toi_cluster_impact){.hit = {.t_lo = INFINITY,
                                         .t_hi = INFINITY,
                                         .t_safe = call->t_max,
                                         .u = NAN,
                                         .v = NAN,
                                         .distance = NAN,
                                         .verdict = TOI_MISS}};
}

void toi_cluster_impact_unknown(toi_cluster_impact *impact) {
  *impact = (toi_cluster_impact){
      .hit = {
          .t_hi = INFINITY, .u = NAN, .v = NAN, .tolerance_reached = INFINITY, .distance = NAN, .verdict = TOI_NEAR}};
}

/* Whether the method brackets times, or only bounds them from below. */
static bool proves(const toi_options *options) {
  const char *method = options->method;
  return method == NULL || strcmp(method, "certified") == 0 || strcmp(method, "exact") == 0;
}

toi_status toi_cluster_earliest(toi_cluster_call *call, toi_cluster_impact *impact) {
  const bool by_bracket = !proves(&call->options);
  finds f = {0};
  double limit;
  toi_status status = search(call, by_bracket, &f, &limit);
  if (status != TOI_OK)
    return status;
  set_miss(call, impact);
  if (limit == INFINITY)
    return TOI_OK;
  toi_contest contest;
  status = toi_contest_begin(call->cluster, &contest);
  if (status == TOI_OK && f.inner.hit.verdict != TOI_MISS && f.inner.hit.t_lo <= limit)
    status = toi_contest_enter_inner(call, &contest, &f.inner);
  if (status == TOI_OK && f.seam.hit.verdict != TOI_MISS && f.seam.hit.t_lo <= limit)
    status = toi_contest_enter_seam(call, &contest, &f.seam);
  status = toi_contest_decide(call, &contest, status, impact);
  toi_contest_end(&contest);
  return status;
}

toi_status toi_cluster_step(toi_cluster *cluster, const toi_positions *positions, const toi_options *options,
                            toi_cluster_impact *impact) {
  const toi_cluster_question question = {.name = "step", .positions = positions, .options = options, .need_end = true};
  toi_cluster_call call;
  toi_cluster_impact_unknown(impact);
  toi_status status = toi_cluster_call_begin(&call, cluster, &question);
  if (status != TOI_OK)
    return status;
  status = toi_cluster_earliest(&call, impact);
  if (status != TOI_OK)
    toi_cluster_impact_unknown(impact);
  toi_cluster_call_end(&call);
  return status;
}
