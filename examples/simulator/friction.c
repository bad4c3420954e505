/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lagged friction.
 *
 * Claim: the Hessian that is assembled is the exact one, and positive semi-definite.
 * Why: D depends on the slip s = T sum w_i (x_i - start_i), the rows of T being the tangents, which is linear. With y =
 * |s| its Hessian by s is f'(y) / y across s and f''(y) along s (and nothing along n), and both are >= 0: y < e:   f' /
 * y = 2 / e - y / e^2 > 0,  f'' = 2 / e - 2 y / e^2 >= 0 y >= e:  f' / y = 1 / y > 0,            f'' = 0 */

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
    const toi_stencil *p = &contacts->list[i];
    sim_rub *r = &f->list[f->count++];
    memcpy(r->vertices, p->vertices, sizeof r->vertices);
    memcpy(r->weights, p->weights, sizeof r->weights);
    memcpy(r->tangents, p->tangents, sizeof r->tangents);
    r->count = p->vertex_count;
    r->force = scene->friction * contacts_force(contacts, i);
  }
}

void friction_free(sim_friction *f) {
  free(f->list);
  *f = (sim_friction){0};
}

/* The slip s; returns its length. */
static double slip_of(const sim_friction *f, const sim_rub *r, const double (*x)[3], double s[2]) {
  double sum[3] = {0}, moved[3];
  for (uint32_t i = 0; i < r->count; i++) {
    subtract(x[r->vertices[i]], f->start[r->vertices[i]], moved);
    add_scaled(sum, r->weights[i], moved);
  }
  s[0] = dot(r->tangents[0], sum);
  s[1] = dot(r->tangents[1], sum);
  return sqrt(s[0] * s[0] + s[1] * s[1]);
}

double friction_energy(const sim_friction *f, const double (*x)[3]) {
  const double e = f->scene->slip * f->scene->step;
  double energy = 0, s[2];
  for (size_t i = 0; i < f->count; i++) {
    const double y = slip_of(f, &f->list[i], x, s);
    energy += f->list[i].force * (y >= e ? y - e / 3 : y * y / e * (1 - y / (3 * e)));
  }
  return energy;
}

void friction_pattern(const sim_friction *f, sim_system *system) {
  for (size_t i = 0; i < f->count; i++)
    system_need(system, f->list[i].vertices, (int)f->list[i].count);
}

/* The gradient by the gap, T^T (f' / y) s, and its Hessian, T^T (across 1 + (along - across) s s^T / y^2) T. */
static void derive(const sim_friction *f, const sim_rub *r, const double (*x)[3], double gradient[3],
                   double hessian[3][3]) {
  const double e = f->scene->slip * f->scene->step;
  double s[2];
  const double y = slip_of(f, r, x, s);
  const double across = r->force * (y >= e ? 1 / y : 2 / e - y / (e * e));
  const double along = r->force * (y >= e ? 0 : 2 / e - 2 * y / (e * e));
  const double turn = y > 0 ? (along - across) / (y * y) : 0;
  const double h[2][2] = {{across + turn * s[0] * s[0], turn * s[0] * s[1]},
                          {turn * s[0] * s[1], across + turn * s[1] * s[1]}};
  for (int a = 0; a < 3; a++) {
    gradient[a] = across * (s[0] * r->tangents[0][a] + s[1] * r->tangents[1][a]);
    for (int b = 0; b < 3; b++)
      hessian[a][b] = r->tangents[0][a] * (h[0][0] * r->tangents[0][b] + h[0][1] * r->tangents[1][b]) +
                      r->tangents[1][a] * (h[1][0] * r->tangents[0][b] + h[1][1] * r->tangents[1][b]);
  }
}

void friction_assemble(const sim_friction *f, const double (*x)[3], sim_system *system) {
  for (size_t number = 0; number < f->count; number++) {
    const sim_rub *r = &f->list[number];
    double gradient[3], hessian[3][3], part[3], block[9];
    derive(f, r, x, gradient, hessian);
    for (uint32_t i = 0; i < r->count; i++) {
      for (int k = 0; k < 3; k++)
        part[k] = r->weights[i] * gradient[k];
      system_add_gradient(system, r->vertices[i], part);
      for (uint32_t j = 0; j <= i; j++) {
        for (int k = 0; k < 9; k++)
          block[k] = r->weights[i] * r->weights[j] * hessian[k / 3][k % 3];
        system_add(system, r->vertices[i], r->vertices[j], block);
      }
    }
  }
}
