/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of a parametric surface and an implicit one: H(u, v, t) = F(p(u, v, t), t) = 0, with p the first as the
 * second body sees it. Where they first touch H has a zero and no sign change nearby, so H_u = H_v = 0 as far as the
 * parameters are free. The outside of a solid F is where it is positive, so H falls towards contact. */

#include "contact/couple.h"
#include "solve/vector.h"

enum { P, U, V, T, UU, UV, UT, VV, VT, TT };

/* The jet of F by x, y, z, t as vector and matrix. */
typedef struct implicit_jet {
  toi_interval value, by_time, by_time_twice;
  toi_interval gradient[3], gradient_by_time[3];
  toi_interval hessian[3][3];
} implicit_jet;

static bool fetch(toi_seen *seen, const toi_interval place[3], toi_interval t, unsigned order, implicit_jet *jet) {
  toi_interval box[4] = {place[0], place[1], place[2], t}, f[TOI_JET4];
  if (!toi_seen_ask(seen, box, order, f))
    return false;
  jet->value = f[0];
  if (order == 0)
    return true;
  memcpy(jet->gradient, f + 1, sizeof jet->gradient);
  jet->by_time = f[4];
  if (order == 1)
    return true;
  static const int packed[3][3] = {{5, 6, 7}, {6, 9, 10}, {7, 10, 12}}, by_time[3] = {8, 11, 13};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      jet->hessian[i][j] = f[packed[i][j]];
    jet->gradient_by_time[i] = f[by_time[i]];
  }
  jet->by_time_twice = f[14];
  return true;
}

/* The derivative of H_a = F' p_a by b: p_a F'' p_b + F' p_ab. */
static toi_interval second(const implicit_jet *f, const toi_interval curved[3], const toi_interval b[3],
                           const toi_interval ab[3]) {
  return toi_interval_add(toi_dot3(curved, b), toi_dot3(f->gradient, ab));
}

/* The slopes of H_u and H_v. */
static void tangency_slopes(const implicit_jet *f, const toi_surface_jet *p, int way, toi_interval *row) {
  static const int by[2][3] = {{UU, UV, UT}, {UV, VV, VT}};
  toi_interval curved[3];
  toi_times3(f->hessian, p->d[U + way], curved);
  row[0] = second(f, curved, p->d[U], p->d[by[way][0]]);
  row[1] = second(f, curved, p->d[V], p->d[by[way][1]]);
  row[2] = toi_interval_add(second(f, curved, p->d[T], p->d[by[way][2]]), toi_dot3(p->d[U + way], f->gradient_by_time));
}

/* The slopes of H. */
static void contact_slopes(const toi_problem *problem, const implicit_jet *f, const toi_surface_jet *p,
                           toi_interval *row) {
  for (int k = 0; k < 3; k++)
    row[k] = toi_dot3(f->gradient, p->d[U + k]);
  if (problem->couple->seen[1]->shape->deforming)
    row[2] = toi_interval_add(row[2], f->by_time);
}

bool toi_system_mixed(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  const toi_couple *couple = problem->couple;
  toi_surface_jet p;
  implicit_jet f;
  unsigned orders = (unsigned)order;
  if (!toi_couple_jet(couple, box->x, orders, &p) || !fetch(couple->seen[1], p.d[P], box->x[2], orders, &f))
    return false;
  system->contact = 1;
  system->tangency = 0;
  system->value[0] = f.value;
  memcpy(system->place, p.d[P], sizeof system->place);
  if (order == TOI_SYSTEM_VALUES)
    return true;

  toi_interval *row = system->slope[0];
  contact_slopes(problem, &f, &p, row);
  toi_cross3(p.d[U], p.d[V], system->normal[0]);
  memcpy(system->normal[1], f.gradient, sizeof f.gradient);
  for (int way = 0; way < 2 && !problem->at_start; way++) {
    if (problem->frozen >> way & 1)
      continue;
    size_t equation = 1 + system->tangency++;
    system->value[equation] = row[way];
    system->size[equation] = toi_plain_size3(f.gradient) * toi_plain_size3(p.d[U + way]);
    if (order == TOI_SYSTEM_ALL)
      tangency_slopes(&f, &p, way, system->slope[equation]);
  }
  if (couple->incoming && problem->frozen == 0) {
    system->incoming[0] = toi_interval_neg(row[2]);
    system->incoming[1] = toi_interval_neg(toi_dot3(system->normal[0], f.gradient));
  }
  return true;
}

bool toi_expand_mixed(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  const toi_couple *couple = problem->couple;
  toi_surface_jet p;
  implicit_jet f;
  if (!toi_couple_jet(couple, box->x, order, &p) || !fetch(couple->seen[1], p.d[P], box->x[2], order, &f))
    return false;
  e->m = 1;
  e->value[0] = f.value;
  contact_slopes(problem, &f, &p, e->slope[0]);
  if (order < 2)
    return true;
  toi_interval_row *h = e->second[0];
  tangency_slopes(&f, &p, 0, h[0]);
  tangency_slopes(&f, &p, 1, h[1]);
  h[2][0] = h[0][2];
  h[2][1] = h[1][2];
  // H_tt = p_t F'' p_t + F' p_tt + 2 p_t F'_t + F_tt
  toi_interval curved[3];
  toi_times3((const toi_interval(*)[3])f.hessian, p.d[T], curved);
  toi_interval moved = second(&f, curved, p.d[T], p.d[TT]);
  toi_interval changed = toi_interval_mul(toi_interval_point(2), toi_dot3(p.d[T], f.gradient_by_time));
  h[2][2] = toi_interval_add(moved, toi_interval_add(changed, f.by_time_twice));
  return true;
}
