/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "scene/earliest.h"

#include <string.h>

#include "narrow/exact_order.h"
#include "narrow/mesh.h"
#include "scene/half_spaces.h"

static bool comes_first(const toi_impact *a, const toi_impact *b) {
  if (a->kind != b->kind)
    return a->kind < b->kind;
  return a->pair.first != b->pair.first ? a->pair.first < b->pair.first : a->pair.second < b->pair.second;
}

toi_status toi_earliest_refine(const toi_mesh_call *call, uint32_t thread, toi_earliest *earliest) {
  if (earliest->refined || earliest->impact.hit.verdict != TOI_HIT)
    return TOI_OK;
  toi_impact *impact = &earliest->impact;
  toi_hit exact;
  toi_status status = toi_mesh_call_answer_exactly(call, thread, impact->kind, impact->pair, &exact);
  if (status != TOI_OK)
    return status;
  impact->hit = exact;
  earliest->refined = true;
  return TOI_OK;
}

/* -1, 0, 1 as far as brackets tell; 2: they do not. */
static int order_of_brackets(const toi_hit *a, const toi_hit *b) {
  if (a->t_hi < b->t_lo)
    return -1;
  if (b->t_hi < a->t_lo)
    return 1;
  return a->t_lo == a->t_hi && b->t_lo == b->t_hi ? 0 : 2;
}

static toi_timed timed(const toi_mesh_call *call, const toi_impact *impact, double query[24]) {
  if (impact->kind == TOI_VERTEX_HALF_SPACE) {
    const toi_half_space_query own = toi_half_space_query_of(NULL, 0, &call->asked.mesh, impact->pair);
    memcpy(query, own.at, sizeof own.at);
  } else {
    toi_pair_query(impact->kind, &call->asked.mesh, impact->pair, query);
  }
  return (toi_timed){.kind = impact->kind,
                     .query = query,
                     .separation = impact->hit.separation,
                     .norm = call->asked.options.norm,
                     .t_lo = impact->hit.t_lo,
                     .t_hi = impact->hit.t_hi};
}

/* The order of two refined contacts. */
static toi_status order_exactly(const toi_mesh_call *call, uint32_t thread, const toi_impact *a, const toi_impact *b,
                                int *order) {
  *order = order_of_brackets(&a->hit, &b->hit);
  // Tight brackets that meet in one double hold times strictly inside, or that double itself.
  if (*order != 2)
    return TOI_OK;
  double queries[2][24];
  toi_timed first = timed(call, a, queries[0]), second = timed(call, b, queries[1]);
  return toi_exact_order(call->context, thread, &first, &second, order);
}

toi_status toi_earliest_offer(const toi_mesh_call *call, uint32_t thread, toi_earliest *earliest,
                              const toi_earliest *offered, bool by_bracket) {
  if (offered->impact.hit.verdict == TOI_MISS)
    return TOI_OK;
  toi_hit *present = &earliest->impact.hit;
  if (present->verdict == TOI_MISS) {
    *earliest = *offered;
    return TOI_OK;
  }
  toi_earliest next = *offered;
  int order = order_of_brackets(&next.impact.hit, present);
  toi_status status = TOI_OK;
  if (by_bracket) {
    order = next.impact.hit.t_lo < present->t_lo ? -1 : next.impact.hit.t_lo > present->t_lo;
  } else if (order == 2) {
    status = toi_earliest_refine(call, thread, &next);
    if (status == TOI_OK)
      status = toi_earliest_refine(call, thread, earliest);
    if (status == TOI_OK)
      status = order_exactly(call, thread, &next.impact, &earliest->impact, &order);
  }
  if (status == TOI_OK && (order < 0 || (order == 0 && comes_first(&next.impact, &earliest->impact))))
    *earliest = next;
  return status;
}
