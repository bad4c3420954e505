/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of two parametric surfaces. With p the first as the second body sees it and s the second:
 *   contact    p - s = 0
 *   tangency   det(p_u, s_u, s_v) = det(p_v, s_u, s_v) = det(p_u, p_v, s_u) = det(p_u, p_v, s_v) = 0, as far as the
 *              parameters are free. Any two of the first or of the last pair say it all where normals are not zero; the
 *              others cost little and tighten. */

#include "contact/solid.h"
#include "solve/vector.h"

enum { P, U, V, T, UU, UV, UT, VV, VT, TT };

/* A normal u x v and its derivatives by u, v and t. */
typedef struct normal_jet {
  toi_interval n[3];
  toi_interval d[3][3];
} normal_jet;

static void normal_slopes(const toi_surface_jet *s, normal_jet *normal) {
  static const int by[3][2] = {{UU, UV}, {UV, VV}, {UT, VT}};
  for (int i = 0; i < 3; i++)
    toi_cross3_slope(s->d[U], s->d[by[i][0]], s->d[V], s->d[by[i][1]], normal->d[i]);
}

/* One equation: tangent `way` (U or V) of one surface times the other's normal. `own` is the column of the tangent's
 * surface's u, `other` that of the other's. */
static void tangency_row(const toi_surface_jet *surface, int way, const normal_jet *normal, const size_t columns[2],
                         bool slopes, toi_interval *value, toi_interval *row) {
  const toi_interval *tangent = surface->d[way];
  *value = toi_dot3(tangent, normal->n);
  if (!slopes)
    return;
  static const int second[2][3] = {{UU, UV, UT}, {UV, VV, VT}};
  const int *by = second[way == V];
  size_t own = columns[0], other = columns[1];
  row[own] = toi_dot3(surface->d[by[0]], normal->n);
  row[own + 1] = toi_dot3(surface->d[by[1]], normal->n);
  row[other] = toi_dot3(tangent, normal->d[0]);
  row[other + 1] = toi_dot3(tangent, normal->d[1]);
  row[4] = toi_interval_add(toi_dot3(surface->d[by[2]], normal->n), toi_dot3(tangent, normal->d[2]));
}

static void contact_slopes(const toi_surface_jet *p, const toi_surface_jet *s, bool deforms, toi_interval_row *rows) {
  for (int k = 0; k < 3; k++) {
    toi_interval *row = rows[k];
    row[0] = p->d[U][k];
    row[1] = p->d[V][k];
    row[2] = toi_interval_neg(s->d[U][k]);
    row[3] = toi_interval_neg(s->d[V][k]);
    row[4] = deforms ? toi_interval_sub(p->d[T][k], s->d[T][k]) : p->d[T][k];
  }
}

static void tangency(const toi_problem *problem, const toi_surface_jet jets[2], const normal_jet normals[2],
                     toi_system_order order, toi_system *system) {
  static const size_t columns[2][2] = {{0, 2}, {2, 0}};
  for (int i = 0; i < 2; i++) {
    // Only a face has a normal that counts.
    uint32_t others = problem->frozen >> (2 * (1 - i)) & 3;
    for (int way = 0; way < 2; way++) {
      if (others != 0 || (problem->frozen >> (2 * i + way) & 1))
        continue;
      size_t row = 3 + system->tangency++;
      system->size[row] = toi_plain_size3(jets[i].d[U + way]) * toi_plain_size3(normals[1 - i].n);
      tangency_row(&jets[i], U + way, &normals[1 - i], columns[i], order == TOI_SYSTEM_ALL, &system->value[row],
                   system->slope[row]);
    }
  }
}

bool toi_system_parametric(const toi_problem *problem, const toi_box *box, toi_system_order order, toi_system *system) {
  const toi_body_pair *pair = problem->pair;
  toi_surface_jet jets[2];
  unsigned orders = (unsigned)order;
  const toi_interval second[3] = {box->x[2], box->x[3], box->x[4]}, first[3] = {box->x[0], box->x[1], box->x[4]};
  const toi_surface_jet *s = toi_face_jet(pair->surface[1], problem->frozen >> 2 & 3, second, orders, &jets[1]);
  if (s == NULL)
    return false;
  if (s != &jets[1])
    memcpy(jets[1].d, s->d, (size_t)TOI_JET_SIZE(3, order) * sizeof s->d[0]);
  if (!toi_body_pair_jet(pair, problem->frozen, first, orders, &jets[0]))
    return false;

  system->contact = 3;
  system->tangency = 0;
  for (int k = 0; k < 3; k++)
    system->value[k] = toi_interval_sub(jets[0].d[P][k], jets[1].d[P][k]);
  memcpy(system->place, jets[0].d[P], sizeof system->place);
  if (order == TOI_SYSTEM_VALUES)
    return true;
  if (!toi_body_pair_own(pair, first, system->own))
    return false;

  contact_slopes(&jets[0], &jets[1], pair->surface[1]->shape->deforming, system->slope);
  normal_jet normals[2];
  for (int i = 0; i < 2; i++) {
    toi_cross3(jets[i].d[U], jets[i].d[V], normals[i].n);
    memcpy(system->normal[i], normals[i].n, sizeof normals[i].n);
    if (order == TOI_SYSTEM_ALL)
      normal_slopes(&jets[i], &normals[i]);
  }
  if (!problem->at_start)
    tangency(problem, jets, normals, order, system);
  if (pair->incoming && problem->frozen != 0 && !problem->at_start)
    return toi_solid_incoming(problem, box, jets, system);
  if (pair->incoming && problem->frozen == 0) {
    const toi_interval velocity[3] = {system->slope[0][4], system->slope[1][4], system->slope[2][4]};
    system->incoming[0] = toi_dot3(velocity, normals[0].n);
    system->incoming[1] = toi_interval_neg(toi_dot3(normals[0].n, normals[1].n));
  }
  return true;
}

bool toi_expand_parametric(const toi_problem *problem, const toi_box *box, unsigned order, toi_expansion *e) {
  static const int of[3][3] = {{UU, UV, UT}, {UV, VV, VT}, {UT, VT, TT}};
  static const size_t at_first[3] = {0, 1, 4}, at_second[3] = {2, 3, 4};
  const toi_body_pair *pair = problem->pair;
  const toi_interval first[3] = {box->x[0], box->x[1], box->x[4]}, second[3] = {box->x[2], box->x[3], box->x[4]};
  toi_surface_jet p, thick;
  if (!toi_body_pair_jet(pair, problem->frozen, first, order, &p))
    return false;
  const toi_surface_jet *s = toi_face_jet(pair->surface[1], problem->frozen >> 2 & 3, second, order, &thick);
  if (s == NULL)
    return false;
  e->m = 3;
  contact_slopes(&p, s, pair->surface[1]->shape->deforming, e->slope);
  memset(e->second, 0, sizeof e->second);
  for (int k = 0; k < 3; k++) {
    e->value[k] = toi_branchless_sub(p.d[P][k], s->d[P][k]);
    for (int i = 0; i < 3 && order == 2; i++)
      for (int j = 0; j < 3; j++) {
        toi_interval *a = &e->second[k][at_first[i]][at_first[j]];
        *a = toi_branchless_add(*a, p.d[of[i][j]][k]);
        toi_interval *b = &e->second[k][at_second[i]][at_second[j]];
        *b = toi_branchless_sub(*b, s->d[of[i][j]][k]);
      }
  }
  return true;
}
