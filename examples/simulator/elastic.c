/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sums over vertices, grips, triangles and hinges. */

#include "elastic.h"

#include <stdlib.h>
#include <string.h>

#include "vector.h"

void elastic_create(sim_elastic *e, const sim_scene *scene, const sim_model *model) {
  *e = (sim_elastic){.scene = scene, .model = model};
  e->free_fall = take(model->free_count, sizeof *e->free_fall);
  e->targets = take(model->grip_count, sizeof *e->targets);
  e->gripped = take(model->grip_count, sizeof *e->gripped);
}

void elastic_free(sim_elastic *e) {
  free(e->free_fall);
  free(e->targets);
  free(e->gripped);
  *e = (sim_elastic){0};
}

void elastic_pattern(const sim_elastic *e, sim_system *system) {
  for (size_t i = 0; i < e->model->cloth_faces; i++)
    system_need(system, e->model->triangles[i].v, 3);
  for (size_t i = 0; i < e->model->hinge_count; i++)
    system_need(system, e->model->hinges[i].v, 4);
}

/* --- what the step aims at --- */

/* Where a grip wants its vertex, which started at `start`: turned about the axis, then moved (Rodrigues' formula). */
static void aim(const sim_held *h, const double start[3], double time, double target[3]) {
  const double t = fmin(time, h->until), angle = 6.283185307179586 * h->turns * t, c = cos(angle), s = sin(angle);
  double arm[3], side[3];
  subtract(start, h->centre, arm);
  cross(h->axis, arm, side);
  const double along = dot(h->axis, arm);
  for (int k = 0; k < 3; k++)
    target[k] = h->centre[k] + c * arm[k] + s * side[k] + (1 - c) * along * h->axis[k] + t * h->velocity[k];
}

void elastic_begin(sim_elastic *e, const double (*x)[3], const double (*v)[3], double time) {
  const double h = e->scene->step;
  for (size_t i = 0; i < e->model->free_count; i++)
    for (int k = 0; k < 3; k++)
      e->free_fall[i][k] = x[i][k] + h * v[i][k] + h * h * e->scene->gravity[k];
  for (size_t i = 0; i < e->model->grip_count; i++) {
    const sim_grip *g = &e->model->grips[i];
    const sim_held *held = &e->scene->held[g->held];
    aim(held, e->model->start[g->vertex], time, e->targets[i]);
    e->gripped[i] = time <= held->release;
  }
}

/* --- energies --- */

static double half_square(double stiffness, const double a[3], const double b[3]) {
  double away[3];
  subtract(a, b, away);
  return 0.5 * stiffness * dot(away, away);
}

double elastic_energy(const sim_elastic *e, const double (*x)[3]) {
  const sim_model *m = e->model;
  const double rate = 1 / (e->scene->step * e->scene->step), bond = rate * e->scene->held_stiffness;
  const sim_lame lame = lame_constants(e->scene->cloth.stretch, e->scene->cloth.poisson);
  double inertia = 0, springs = 0, stretch = 0, bending = 0;
  for (size_t i = 0; i < m->free_count; i++)
    inertia += half_square(rate * m->mass[i], x[i], e->free_fall[i]);
  for (size_t i = 0; i < m->grip_count; i++) {
    const uint32_t vertex = m->grips[i].vertex;
    if (e->gripped[i])
      springs += half_square(bond * m->mass[vertex], x[vertex], e->targets[i]);
  }
  for (size_t i = 0; i < m->cloth_faces; i++)
    stretch += triangle_energy(&m->triangles[i], lame, x);
  for (size_t i = 0; i < m->hinge_count; i++)
    bending += hinge_energy(&m->hinges[i], x);
  return inertia + springs + stretch + bending;
}

/* --- derivatives --- */

static void pull(sim_system *system, uint32_t vertex, double stiffness, const double away[3]) {
  const double block[3][3] = {{stiffness, 0, 0}, {0, stiffness, 0}, {0, 0, stiffness}};
  const double gradient[3] = {stiffness * away[0], stiffness * away[1], stiffness * away[2]};
  system_add(system, vertex, vertex, block[0]);
  system_add_gradient(system, vertex, gradient);
}

static void assemble_points(const sim_elastic *e, const double (*x)[3], sim_system *system) {
  const sim_model *m = e->model;
  const double rate = 1 / (e->scene->step * e->scene->step), bond = rate * e->scene->held_stiffness;
  double away[3];
  for (uint32_t i = 0; i < m->free_count; i++) {
    subtract(x[i], e->free_fall[i], away);
    pull(system, i, rate * m->mass[i], away);
  }
  for (size_t i = 0; i < m->grip_count; i++) {
    const uint32_t vertex = m->grips[i].vertex;
    subtract(x[vertex], e->targets[i], away);
    if (e->gripped[i])
      pull(system, vertex, bond * m->mass[vertex], away);
  }
}

void elastic_assemble(const sim_elastic *e, const double (*x)[3], sim_system *system) {
  const sim_model *m = e->model;
  const sim_lame lame = lame_constants(e->scene->cloth.stretch, e->scene->cloth.poisson);
  assemble_points(e, x, system);
  for (size_t n = 0; n < m->cloth_faces; n++) {
    const sim_triangle *t = &m->triangles[n];
    double gradient[3][3], hessian[3][3][3][3];
    triangle_derivatives(t, lame, x, gradient, hessian);
    for (int i = 0; i < 3; i++) {
      system_add_gradient(system, t->v[i], gradient[i]);
      for (int j = 0; j <= i; j++)
        system_add(system, t->v[i], t->v[j], hessian[i][j][0]);
    }
  }
  for (size_t n = 0; n < m->hinge_count; n++) {
    const sim_hinge *h = &m->hinges[n];
    double gradient[4][3], a[4][3], block[3][3];
    const double curvature = hinge_derivatives(h, x, gradient, a);
    for (int i = 0; i < 4; i++) {
      system_add_gradient(system, h->v[i], gradient[i]);
      for (int j = 0; j <= i; j++) {
        outer(curvature, a[i], a[j], block);
        system_add(system, h->v[i], h->v[j], block[0]);
      }
    }
  }
}
