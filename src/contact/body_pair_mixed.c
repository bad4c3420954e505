/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of a parametric surface and an implicit one: H(u, v, t) = F(p(u, v, t), t) = 0, with p the first as the
 * second body sees it. Where they first touch H has a zero and no sign change nearby, so H_u = H_v = 0 as far as the
 * parameters are free. The outside of a solid F is where it is positive, so H falls towards contact. */

#include "contact/solid.h"
#include "solve/vector.h"

enum { P, U, V, T, UU, UV, UT, VV, VT, TT };

/* p, F at p, and H. */
static bool compose(const toi_problem *problem, const toi_box *box, unsigned order, toi_surface_jet *p, toi_field *f,
                    toi_field *h) {
  const toi_body_pair *pair = problem->pair;
  if (!toi_body_pair_jet(pair, problem->frozen, box->x, order, p) ||
      !toi_field_at(pair->surface[1], p->d[P], box->x[2], order, f))
    return false;
  const toi_place_jet place = {.n = 3,
                               .first = {p->d[U], p->d[V], p->d[T]},
                               .second = {{p->d[UU]}, {p->d[UV], p->d[VV]}, {p->d[UT], p->d[VT], p->d[TT]}}};
  toi_field_along(f, &place, order, h);
  return true;
}

bool toi_system_mixed(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  toi_surface_jet p;
  toi_field f, h;
  if (!compose(problem, box, (unsigned)order, &p, &f, &h))
    return false;
  system->contact = 1;
  system->tangency = 0;
  system->value[0] = h.value;
  memcpy(system->place, p.d[P], sizeof system->place);
  if (order == TOI_SYSTEM_VALUES)
    return true;
  if (!toi_body_pair_own(problem->pair, box->x, system->own))
    return false;

  memcpy(system->slope[0], h.slope, 3 * sizeof h.slope[0]);
  toi_cross3(p.d[U], p.d[V], system->normal[0]);
  memcpy(system->normal[1], f.slope, sizeof system->normal[1]);
  for (int way = 0; way < 2 && !problem->at_start; way++) {
    if (problem->frozen >> way & 1)
      continue;
    size_t equation = 1 + system->tangency++;
    system->value[equation] = h.slope[way];
    system->size[equation] = toi_plain_size3(f.slope) * toi_plain_size3(p.d[U + way]);
    if (order == TOI_SYSTEM_ALL)
      memcpy(system->slope[equation], h.second[way], 3 * sizeof h.second[way][0]);
  }
  if (problem->pair->incoming && problem->frozen == 0) {
    system->incoming[0] = toi_interval_neg(h.slope[2]);
    system->incoming[1] = toi_interval_neg(toi_dot3(system->normal[0], f.slope));
  }
  return !problem->pair->incoming || problem->frozen == 0 || problem->at_start ||
         toi_solid_incoming(problem, box, NULL, system);
}

bool toi_expand_mixed(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  toi_surface_jet p;
  toi_field f, h;
  if (!compose(problem, box, order, &p, &f, &h))
    return false;
  e->m = 1;
  toi_expansion_row(&h, 3, order, 0, e);
  return true;
}
