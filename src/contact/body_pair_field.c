/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Functions F(x, y, z, t) of implicit surfaces, at places p(y) that depend on other unknowns, time the last of them:
 * G(y) = F(p(y), t). With F'_t the slope of the gradient by t, and [t] for terms that are there along time only,
 *   G_a  = F' p_a [+ F_t]
 *   G_ab = p_b (F'' p_a [+ F'_t]) + F' p_ab [+ p_t F'_t + F_tt, for both]. */

#include "contact/body_pair.h"
#include "solve/vector.h"

void toi_field_unpack(const toi_interval *jet, unsigned order, toi_field *f) {
  static const int packed[4][4] = {{5, 6, 7, 8}, {6, 9, 10, 11}, {7, 10, 12, 13}, {8, 11, 13, 14}};
  f->value = jet[0];
  if (order >= 1)
    memcpy(f->slope, jet + 1, sizeof f->slope);
  for (int i = 0; i < 4 && order >= 2; i++)
    for (int j = 0; j < 4; j++)
      f->second[i][j] = jet[packed[i][j]];
}

bool toi_field_at(toi_body_surface *surface, const toi_interval place[3], toi_interval t, unsigned order,
                  toi_field *f) {
  toi_interval box[4] = {place[0], place[1], place[2], t}, jet[TOI_JET4];
  if (!toi_body_surface_ask(surface, box, order, jet))
    return false;
  toi_field_unpack(jet, order, f);
  return true;
}

void toi_see_place(const toi_motion_jet *m, const toi_interval x[3], unsigned order, toi_seen_place *place) {
  for (unsigned k = 1; k <= order; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        place->column[k - 1][j][i] = m->rotation[k - 1][i][j];
    toi_times3(m->rotation[k], x, place->by_time[k]);
    toi_add3(place->by_time[k], m->translation[k], place->by_time[k]);
  }
  toi_interval(*c)[3][3] = place->column, (*w)[3] = place->by_time;
  place->jet = (toi_place_jet){.n = 4,
                               .first = {c[0][0], c[0][1], c[0][2], w[1]},
                               .second = {{NULL}, {NULL}, {NULL}, {c[1][0], c[1][1], c[1][2], w[2]}}};
}

void toi_field_along(const toi_field *f, const toi_place_jet *p, unsigned order, toi_field *g) {
  const size_t time = p->n - 1;
  g->value = f->value;
  for (size_t a = 0; a < p->n && order >= 1; a++)
    g->slope[a] = toi_dot3(f->slope, p->first[a]);
  if (order >= 1)
    g->slope[time] = toi_branchless_add(g->slope[time], f->slope[3]);
  for (size_t a = 0; a < p->n && order >= 2; a++) {
    toi_interval curved[3];
    for (int i = 0; i < 3; i++) {
      curved[i] = toi_dot3(f->second[i], p->first[a]);
      if (a == time)
        curved[i] = toi_branchless_add(curved[i], f->second[i][3]);
    }
    for (size_t b = 0; b <= a; b++) {
      toi_interval sum = toi_dot3(curved, p->first[b]);
      if (p->second[a][b] != NULL)
        sum = toi_branchless_add(sum, toi_dot3(f->slope, p->second[a][b]));
      if (b == time)
        sum = toi_branchless_add(sum, toi_branchless_add(toi_dot3(f->second[3], p->first[b]), f->second[3][3]));
      g->second[a][b] = g->second[b][a] = sum;
    }
  }
}

void toi_expansion_row(const toi_field *f, size_t n, unsigned order, size_t k, toi_expansion *e) {
  e->value[k] = f->value;
  memcpy(e->slope[k], f->slope, n * sizeof f->slope[0]);
  for (size_t i = 0; i < n && order == 2; i++)
    memcpy(e->second[k][i], f->second[i], n * sizeof f->second[i][0]);
}
