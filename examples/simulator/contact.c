/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Finds contacts with toi_scene_proximity() and sums up the barrier. */

#include "contact.h"

#include <stdlib.h>
#include <string.h>

#include "vector.h"

double barrier(const sim_scene *s, double d) {
  const double gap = d - s->distance;
  return d < s->distance ? -s->stiffness * gap * gap * log(d / s->distance) : 0;
}

double barrier_slope(const sim_scene *s, double d) {
  const double gap = d - s->distance;
  return d < s->distance ? -s->stiffness * (2 * gap * log(d / s->distance) + gap * gap / d) : 0;
}

double barrier_curvature(const sim_scene *s, double d) {
  const double part = (d - s->distance) / d;
  return d < s->distance ? -s->stiffness * (2 * log(d / s->distance) + 4 * part - part * part) : 0;
}

void contacts_create(sim_contacts *c, toi_context *context, const sim_scene *scene, const sim_model *model) {
  *c = (sim_contacts){.scene = scene, .model = model, .context = context};
}

void contacts_free(sim_contacts *c) {
  free(c->list);
  *c = (sim_contacts){0};
}

/* --- one pair --- */

/* The mollifier of two edges a and b: r (2 - r) with r = |a x b|^2 / e below 1, e a thousandth of |a|^2 |b|^2 at rest.
 */
static void mollify(const sim_contacts *c, sim_contact *pair, const double (*x)[3]) {
  const double(*rest)[3] = (const double(*)[3])c->model->start;
  double a[3], b[3], n[3], a_rest[3], b_rest[3];
  subtract(x[pair->v[1]], x[pair->v[0]], a);
  subtract(x[pair->v[3]], x[pair->v[2]], b);
  subtract(rest[pair->v[1]], rest[pair->v[0]], a_rest);
  subtract(rest[pair->v[3]], rest[pair->v[2]], b_rest);
  cross(a, b, n);
  const double e = 1e-3 * dot(a_rest, a_rest) * dot(b_rest, b_rest), r = dot(n, n) / e;
  if (r >= 1)
    return;
  pair->m = r * (2 - r);
  // d|a x b|^2 = 2 n . (da x b + a x db) = 2 (b x n) . da + 2 (n x a) . db
  double da[3], db[3];
  cross(b, n, da);
  cross(n, a, db);
  for (int k = 0; k < 3; k++) {
    const double scale = 4 * (1 - r) / e;
    pair->dm[0][k] = -scale * da[k];
    pair->dm[1][k] = scale * da[k];
    pair->dm[2][k] = -scale * db[k];
    pair->dm[3][k] = scale * db[k];
  }
}

typedef struct search {
  sim_contacts *contacts;
  const double (*x)[3];
} search;

static void make_contact(const search *s, const toi_proximal *from, sim_contact *to) {
  const sim_model *m = s->contacts->model;
  const double u = from->distance.u, v = from->distance.v;
  *to = (sim_contact){.m = 1};
  if (from->kind == TOI_VERTEX_FACE) {
    const uint32_t *face = m->faces[from->pair.second];
    const uint32_t points[4] = {from->pair.first, face[0], face[1], face[2]};
    const double weights[4] = {1, u + v - 1, -u, -v};
    memcpy(to->v, points, sizeof points);
    memcpy(to->w, weights, sizeof weights);
  } else {
    const uint32_t *a = m->edges[from->pair.first], *b = m->edges[from->pair.second];
    const uint32_t points[4] = {a[0], a[1], b[0], b[1]};
    const double weights[4] = {1 - u, u, v - 1, -v};
    memcpy(to->v, points, sizeof points);
    memcpy(to->w, weights, sizeof weights);
    mollify(s->contacts, to, s->x);
  }
  for (int i = 0; i < 4; i++)
    add_scaled(to->n, to->w[i], s->x[to->v[i]]);
  to->d = norm(to->n);
  for (int k = 0; k < 3; k++)
    to->n[k] /= to->d;
}

static toi_status keep(void *user, const toi_proximal *pairs, size_t count) {
  const search *s = user;
  sim_contacts *c = s->contacts;
  c->list = grow(c->list, &c->room, c->count + count, sizeof *c->list);
  for (size_t i = 0; i < count; i++) {
    sim_contact *to = &c->list[c->count];
    make_contact(s, &pairs[i], to);
    c->count += to->d < c->scene->distance;
    c->least = fmin(c->least, to->d);
  }
  return TOI_OK;
}

bool contacts_find(sim_contacts *c, const double (*x)[3], sim_fault *fault) {
  const toi_positions positions = model_positions(c->model, x, NULL);
  const toi_options options = toi_default_options();
  search s = {c, x};
  c->count = 0;
  c->least = INFINITY;
  if (toi_scene_proximity(c->context, c->model->kept, &positions, c->scene->distance, &options, keep, &s) != TOI_OK)
    return refuse(fault, "toi_scene_proximity: %s", toi_context_error(c->context));
  return true;
}

/* --- all of them --- */

double contacts_energy(const sim_contacts *c) {
  double energy = 0;
  for (size_t i = 0; i < c->count; i++)
    energy += c->list[i].m * barrier(c->scene, c->list[i].d);
  return energy;
}

void contacts_pattern(const sim_contacts *c, sim_system *system) {
  for (size_t i = 0; i < c->count; i++)
    system_need(system, c->list[i].v, 4);
}

/* The distance's gradient by x_i is w_i n: where the closest points go along their primitives changes nothing, to first
 * order. */
void contacts_assemble(const sim_contacts *c, sim_system *system) {
  for (size_t number = 0; number < c->count; number++) {
    const sim_contact *p = &c->list[number];
    const double value = barrier(c->scene, p->d), slope = p->m * barrier_slope(c->scene, p->d);
    const double curvature = p->m * barrier_curvature(c->scene, p->d);
    double normal[3][3], block[3][3];
    outer(curvature, p->n, p->n, normal);
    for (int i = 0; i < 4; i++) {
      double gradient[3];
      for (int k = 0; k < 3; k++)
        gradient[k] = slope * p->w[i] * p->n[k] + value * p->dm[i][k];
      system_add_gradient(system, p->v[i], gradient);
      for (int j = 0; j <= i; j++) {
        for (int r = 0; r < 9; r++)
          (&block[0][0])[r] = p->w[i] * p->w[j] * (&normal[0][0])[r];
        system_add(system, p->v[i], p->v[j], block[0]);
      }
    }
  }
}
