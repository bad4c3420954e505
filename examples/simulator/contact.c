/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Finds contacts with toi_scene_stencils(), their derivatives with toi_stencil_batch(), and sums up the barrier.
 *
 * Close pairs come reduced to the features that are closest, each stencil with the number of pairs that were reduced to
 * it: the energy of a stencil counts so often, and stays continuous where the features change. */

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
  *c = (sim_contacts){.scene = scene, .model = model, .context = context, .arrays = {.size = sizeof c->arrays}};
}

void contacts_free(sim_contacts *c) {
  free(c->list);
  free(c->arrays.squared);
  free(c->arrays.gradients);
  free(c->arrays.mollifiers);
  free(c->arrays.mollifier_gradients);
  *c = (sim_contacts){0};
}

/* --- finding them --- */

static toi_status keep(void *user, const toi_stencil *stencils, size_t count) {
  sim_contacts *c = user;
  c->list = grow(c->list, &c->room, c->count + count, sizeof *c->list);
  memcpy(c->list + c->count, stencils, count * sizeof *stencils);
  c->count += count;
  return TOI_OK;
}

static void make_room(sim_contacts *c) {
  toi_stencil_arrays *a = &c->arrays;
  size_t room[4] = {c->array_room, c->array_room, c->array_room, c->array_room};
  a->squared = grow(a->squared, &room[0], c->count, sizeof *a->squared);
  a->gradients = grow(a->gradients, &room[1], c->count, sizeof *a->gradients);
  a->mollifiers = grow(a->mollifiers, &room[2], c->count, sizeof *a->mollifiers);
  a->mollifier_gradients = grow(a->mollifier_gradients, &room[3], c->count, sizeof *a->mollifier_gradients);
  c->array_room = room[0];
}

bool contacts_find(sim_contacts *c, const double (*x)[3], sim_fault *fault) {
  const toi_positions positions = model_positions(c->model, x, NULL);
  const toi_options options = toi_default_options();
  toi_stencil_options stencil_options = toi_default_stencil_options();
  stencil_options.rest = c->model->start;
  c->count = 0;
  c->least = INFINITY;
  if (toi_scene_stencils(c->context, c->model->kept, &positions, c->scene->distance, &options, &stencil_options, keep,
                         c) != TOI_OK)
    return refuse(fault, "toi_scene_stencils: %s", toi_context_error(c->context));
  make_room(c);
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = x,
                         .vertex_count = c->model->vertex_count,
                         .half_spaces = c->scene->half_spaces,
                         .half_space_count = c->scene->half_space_count};
  if (toi_stencil_batch(c->context, &mesh, c->list, c->count, &c->arrays) != TOI_OK)
    return refuse(fault, "toi_stencil_batch: %s", toi_context_error(c->context));
  for (size_t i = 0; i < c->count; i++)
    c->least = fmin(c->least, sqrt(c->arrays.squared[i]));
  return true;
}

/* --- all of them --- */

/* How much the barrier of a stencil counts. */
static double weight_of(const sim_contacts *c, size_t i) {
  return c->list[i].multiplicity * c->arrays.mollifiers[i];
}

double contacts_energy(const sim_contacts *c) {
  double energy = 0;
  for (size_t i = 0; i < c->count; i++)
    energy += weight_of(c, i) * barrier(c->scene, sqrt(c->arrays.squared[i]));
  return energy;
}

double contacts_force(const sim_contacts *c, size_t i) {
  return -weight_of(c, i) * barrier_slope(c->scene, sqrt(c->arrays.squared[i]));
}

void contacts_pattern(const sim_contacts *c, sim_system *system) {
  for (size_t i = 0; i < c->count; i++)
    system_need(system, c->list[i].vertices, (int)c->list[i].vertex_count);
}

/* With s = d^2: the gradient of d is that of s over 2 d. */
void contacts_assemble(const sim_contacts *c, sim_system *system) {
  for (size_t number = 0; number < c->count; number++) {
    const toi_stencil *p = &c->list[number];
    const double d = sqrt(c->arrays.squared[number]), weight = weight_of(c, number);
    const double slope = weight * barrier_slope(c->scene, d), curvature = weight * barrier_curvature(c->scene, d);
    const double value = p->multiplicity * barrier(c->scene, d);
    double along[4][3], block[3][3], gradient[3];
    for (uint32_t i = 0; i < p->vertex_count; i++)
      for (uint32_t k = 0; k < 3; k++)
        along[i][k] = c->arrays.gradients[number][3 * i + k] / (2 * d);
    for (uint32_t i = 0; i < p->vertex_count; i++) {
      for (uint32_t k = 0; k < 3; k++)
        gradient[k] = slope * along[i][k] + value * c->arrays.mollifier_gradients[number][3 * i + k];
      system_add_gradient(system, p->vertices[i], gradient);
      for (uint32_t j = 0; j <= i; j++) {
        outer(curvature, along[i], along[j], block);
        system_add(system, p->vertices[i], p->vertices[j], block[0]);
      }
    }
  }
}
