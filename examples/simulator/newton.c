/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The loop that docs/simulators.md explains step by step. */

#include "newton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vector.h"

/* A step must bring down the energy by this part of what its slope promises. */
#define SUFFICIENT 1e-4
#define HALVINGS 30

/* --- the simulation --- */

bool simulation_create(sim_world *s, const sim_scene *scene, uint32_t threads, sim_fault *fault) {
  *s = (sim_world){.scene = *scene};
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  if (toi_context_create(&options, &s->context) != TOI_OK)
    return refuse(fault, "no context for %u threads: out of memory", threads);
  if (!model_make(s->context, &s->scene, &s->model, fault))
    return false;
  const size_t count = s->model.vertex_count;
  s->x = take(count, sizeof *s->x);
  s->v = take(count, sizeof *s->v);
  s->before = take(count, sizeof *s->before);
  s->wanted = take(count, sizeof *s->wanted);
  s->tried = take(count, sizeof *s->tried);
  memcpy(s->x, s->model.start, count * sizeof *s->x);
  s->step = take(3 * s->model.free_count, sizeof *s->step);
  elastic_create(&s->elastic, &s->scene, &s->model);
  contacts_create(&s->contacts, s->context, &s->scene, &s->model);
  contacts_create(&s->tried_contacts, s->context, &s->scene, &s->model);
  system_start(&s->system, s->model.free_count);
  elastic_pattern(&s->elastic, &s->system);
  system_finish(&s->system);
  s->solver = solver_create();
  return simulation_check(s, "the initial state", fault);
}

void simulation_free(sim_world *s) {
  if (s->context == NULL)
    return;
  solver_destroy(s->solver);
  system_free(&s->system);
  friction_free(&s->friction);
  contacts_free(&s->contacts);
  contacts_free(&s->tried_contacts);
  elastic_free(&s->elastic);
  free(s->x);
  free(s->v);
  free(s->before);
  free(s->wanted);
  free(s->tried);
  free(s->step);
  model_free(&s->model);
  toi_context_destroy(s->context);
  *s = (sim_world){0};
}

bool simulation_check(sim_world *s, const char *which, sim_fault *fault) {
  const double began = clock_seconds();
  const toi_positions positions = model_positions(&s->model, (const double(*)[3])s->x, NULL);
  const toi_options options = toi_default_options();
  toi_intersection found;
  const toi_status status = toi_scene_intersects(s->context, s->model.kept, &positions, &options, &found);
  share_add(&s->shares, SHARE_CHECK, began);
  if (status != TOI_OK)
    return refuse(fault, "toi_scene_intersects: %s", toi_context_error(s->context));
  if (found.found)
    return refuse(fault, "%s intersects itself: %s %u and %u", which,
                  found.crossing ? "an edge passes through a face," : toi_kind_name(found.kind), found.pair.first,
                  found.pair.second);
  return true;
}

/* --- one iteration --- */

/* The energy of positions, and their contacts. */
static bool look(sim_world *s, const double (*x)[3], sim_contacts *contacts, double *energy, sim_fault *fault) {
  double clock = clock_seconds();
  if (!contacts_find(contacts, x, fault))
    return false;
  *energy = contacts_energy(contacts);
  clock = share_add(&s->shares, SHARE_PROXIMITY, clock);
  const double(*at)[3] = (const double(*)[3])x;
  *energy += friction_energy(&s->friction, at) + elastic_energy(&s->elastic, at);
  share_add(&s->shares, SHARE_ENERGY, clock);
  return true;
}

/* The step of Newton's method from x. */
static bool find_step(sim_world *s, sim_fault *fault) {
  double clock = clock_seconds();
  const double(*x)[3] = (const double(*)[3])s->x;
  contacts_pattern(&s->contacts, &s->system);
  friction_pattern(&s->friction, &s->system);
  system_extend(&s->system);
  system_clear(&s->system);
  elastic_assemble(&s->elastic, x, &s->system);
  contacts_assemble(&s->contacts, &s->system);
  friction_assemble(&s->friction, x, &s->system);
  clock = share_add(&s->shares, SHARE_ASSEMBLY, clock);
  sim_fault why;
  const bool solved = solver_solve(s->solver, &s->system, s->step, &why);
  share_add(&s->shares, SHARE_FACTOR, clock);
  return solved || refuse(fault,
                          "%.600s; the least distance of a pair is %g: where that is far below the barrier's "
                          "distance, give contact a larger stiffness or fraction",
                          why.text, s->contacts.least);
}

/* The longest displacement of a vertex in the step. */
static double longest(const sim_world *s) {
  double most = 0;
  for (size_t i = 0; i < s->model.free_count; i++)
    most = fmax(most, norm(s->step + 3 * i));
  return most;
}

/* The certified positions towards x + part * step; *reached is the fraction of the step that they are at. */
static bool advance(sim_world *s, double part, double *reached, sim_fault *fault) {
  const double began = clock_seconds();
  memcpy(s->wanted, s->x, s->model.vertex_count * sizeof *s->x);
  for (size_t i = 0; i < s->model.free_count; i++)
    add_scaled(s->wanted[i], part, s->step + 3 * i);
  const toi_positions positions = model_positions(&s->model, (const double(*)[3])s->x, (const double(*)[3])s->wanted);
  toi_options options = toi_default_options();
  options.separation_fraction = s->scene.fraction;
  toi_advance advance;
  const toi_status status = toi_scene_line_search(s->context, s->model.kept, &positions, &options, s->tried, &advance);
  s->line_searches++;
  share_add(&s->shares, SHARE_CCD, began);
  if (status != TOI_OK)
    return refuse(fault, "toi_scene_line_search: %s", toi_context_error(s->context));
  *reached = part * advance.step;
  return true;
}

/* The slope of the energy from x to the tried positions: negative downhill. */
static double slope(const sim_world *s) {
  double sum = 0;
  for (size_t i = 0; i < s->model.free_count; i++)
    for (size_t k = 0; k < 3; k++)
      sum += s->system.gradient[3 * i + k] * (s->tried[i][k] - s->x[i][k]);
  return sum;
}

/* Goes along the step as far as is safe, then halves until the energy falls; every trial is certified. progress->step
 * is 0 if the energy does not fall at all. */
static bool search_line(sim_world *s, sim_progress *p, sim_fault *fault) {
  double part = 1, reached = 0, energy = 0;
  for (int i = 0; i < HALVINGS; i++) {
    if (!advance(s, part, &reached, fault) ||
        !look(s, (const double(*)[3])s->tried, &s->tried_contacts, &energy, fault))
      return false;
    if (energy <= p->energy + SUFFICIENT * slope(s)) {
      p->step = reached;
      p->energy = energy;
      p->smallest = fmin(p->smallest, reached);
      return true;
    }
    part = 0.5 * reached;
  }
  p->step = 0;
  return true;
}

/* The tried positions become the state. */
static bool accept(sim_world *s, sim_progress *p, sim_fault *fault) {
  double(*x)[3] = s->x;
  s->x = s->tried;
  s->tried = x;
  const sim_contacts found = s->contacts;
  s->contacts = s->tried_contacts;
  s->tried_contacts = found;
  p->iterations++;
  p->contacts = s->contacts.count;
  p->distance = s->contacts.least;
  s->iterations++;
  char which[64];
  snprintf(which, sizeof which, "frame %ld, iterate %ld", p->frame, p->iterations);
  if (s->check && !simulation_check(s, which, fault))
    return false;
  return s->visit == NULL || s->visit(s->user, s, p, fault);
}

/* --- one frame --- */

static bool iterate(sim_world *s, sim_progress *p, sim_fault *fault) {
  const double enough = s->scene.tolerance * s->scene.step;
  while (p->iterations < s->scene.iterations) {
    if (!find_step(s, fault))
      return false;
    p->move = longest(s);
    if (p->move <= enough)
      return true;
    if (!search_line(s, p, fault))
      return false;
    p->stalled = p->step == 0;
    if (p->stalled)
      return true;
    if (!accept(s, p, fault))
      return false;
  }
  return true;
}

static bool begin_frame(sim_world *s, sim_progress *p, sim_fault *fault) {
  const double(*x)[3] = (const double(*)[3])s->before;
  memcpy(s->before, s->x, s->model.vertex_count * sizeof *s->x);
  elastic_begin(&s->elastic, x, (const double(*)[3])s->v, (double)p->frame * s->scene.step);
  system_reset(&s->system);
  friction_free(&s->friction);
  const double began = clock_seconds();
  if (!contacts_find(&s->contacts, x, fault))
    return false;
  friction_begin(&s->friction, &s->scene, &s->contacts, x);
  share_add(&s->shares, SHARE_PROXIMITY, began);
  p->energy = contacts_energy(&s->contacts) + friction_energy(&s->friction, x) + elastic_energy(&s->elastic, x);
  p->contacts = s->contacts.count;
  p->distance = s->contacts.least;
  if (!isfinite(p->energy))
    return refuse(fault, "the energy is not finite: a position, a velocity or a target of the scene is out of range");
  return true;
}

bool newton_frame(sim_world *s, sim_progress *p, sim_fault *fault) {
  *p = (sim_progress){.frame = s->frame + 1, .smallest = 1, .step = 1, .distance = INFINITY};
  const double began = clock_seconds();
  const double apart = s->shares.seconds[SHARE_CHECK] + s->shares.seconds[SHARE_OUTPUT];
  const bool fine = begin_frame(s, p, fault) && iterate(s, p, fault);
  s->newton_seconds +=
      clock_seconds() - began - (s->shares.seconds[SHARE_CHECK] + s->shares.seconds[SHARE_OUTPUT] - apart);
  if (!fine) {
    memcpy(s->x, s->before, s->model.vertex_count * sizeof *s->x);
    return false;
  }
  for (size_t i = 0; i < s->model.free_count; i++)
    for (int k = 0; k < 3; k++)
      s->v[i][k] = (s->x[i][k] - s->before[i][k]) / s->scene.step;
  s->frame++;
  return true;
}
