/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lagged friction.
 *
 * Claim: the Hessian that is assembled is the exact one, and positive semi-definite.
 * Why: D depends on the slip s = T sum w_i (x_i - start_i), T = 1 - n n^T, which is linear. With y = |s| its Hessian by
 * s is f'(y) / y across s and f''(y) along s (and nothing along n), and both are >= 0: y < e:   f' / y = 2 / e - y /
 * e^2 > 0,  f'' = 2 / e - 2 y / e^2 >= 0 y >= e:  f' / y = 1 / y > 0,            f'' = 0 */

#include "friction.h"

#include <stdlib.h>
#include <string.h>

#include "vector.h"

void friction_begin(sim_friction *f, const sim_scene *scene, const sim_contacts *contacts, const double (*start)[3]) {
  f->scene = scene;
  f->start = start;
  f->count = 0;
  if (scene->friction == 0)
    return;
  f->list = grow(f->list, &f->room, contacts->count, sizeof *f->list);
  for (size_t i = 0; i < contacts->count; i++) {
    const sim_contact *c = &contacts->list[i];
    sim_rub *r = &f->list[f->count++];
    memcpy(r->v, c->v, sizeof r->v);
    memcpy(r->w, c->w, sizeof r->w);
    memcpy(r->n, c->n, sizeof r->n);
    r->force = -scene->friction * c->m * barrier_slope(scene, c->d);
  }
}

void friction_free(sim_friction *f) {
  free(f->list);
  *f = (sim_friction){0};
}

/* The slip s; returns its length. */
static double slip_of(const sim_friction *f, const sim_rub *r, const double (*x)[3], double s[3]) {
  memset(s, 0, 3 * sizeof *s);
  for (int i = 0; i < 4; i++) {
    double moved[3];
    subtract(x[r->v[i]], f->start[r->v[i]], moved);
    add_scaled(s, r->w[i], moved);
  }
  add_scaled(s, -dot(s, r->n), r->n);
  return norm(s);
}

double friction_energy(const sim_friction *f, const double (*x)[3]) {
  const double e = f->scene->slip * f->scene->step;
  double energy = 0, s[3];
  for (size_t i = 0; i < f->count; i++) {
    const double y = slip_of(f, &f->list[i], x, s);
    energy += f->list[i].force * (y >= e ? y - e / 3 : y * y / e * (1 - y / (3 * e)));
  }
  return energy;
}

void friction_pattern(const sim_friction *f, sim_system *system) {
  for (size_t i = 0; i < f->count; i++)
    system_need(system, f->list[i].v, 4);
}

void friction_assemble(const sim_friction *f, const double (*x)[3], sim_system *system) {
  const double e = f->scene->slip * f->scene->step;
  for (size_t number = 0; number < f->count; number++) {
    const sim_rub *r = &f->list[number];
    double s[3], hessian[3][3], block[3][3];
    const double y = slip_of(f, r, x, s);
    const double across = r->force * (y >= e ? 1 / y : 2 / e - y / (e * e));
    const double along = r->force * (y >= e ? 0 : 2 / e - 2 * y / (e * e));
    // across (1 - n n^T) + (along - across) s s^T / y^2
    const double turn = y > 0 ? (along - across) / (y * y) : 0;
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        hessian[a][b] = across * ((a == b) - r->n[a] * r->n[b]) + turn * s[a] * s[b];
    for (int i = 0; i < 4; i++) {
      double gradient[3];
      for (int k = 0; k < 3; k++)
        gradient[k] = across * r->w[i] * s[k];
      system_add_gradient(system, r->v[i], gradient);
      for (int j = 0; j <= i; j++) {
        for (int k = 0; k < 9; k++)
          (&block[0][0])[k] = r->w[i] * r->w[j] * (&hessian[0][0])[k];
        system_add(system, r->v[i], r->v[j], block[0]);
      }
    }
  }
}
