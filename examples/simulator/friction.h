/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Friction, lagged: normal forces, tangents and weights are those of the contacts at the start of the frame, and stay
 * while Newton's method runs; then friction is the gradient of an energy.
 *
 * With s the slip of a pair since the start of the frame along its two tangents, and e = slip * step:
 *   D = mu F f(|s|),  f(y) = y - e / 3 for y >= e,  y^2 / e - y^3 / (3 e^2) below: f' grows smoothly from 0 to 1. */

#ifndef SIMULATOR_FRICTION_H
#define SIMULATOR_FRICTION_H

#include "contact.h"

typedef struct sim_rub {
  uint32_t vertices[4], count;
  double weights[4], tangents[2][3];
  double force; /* mu times the normal force */
} sim_rub;

typedef struct sim_friction {
  const sim_scene *scene;
  const double (*start)[3]; /* positions at the start of the frame */
  sim_rub *list;
  size_t count, room;
} sim_friction;

void friction_begin(sim_friction *f, const sim_scene *scene, const sim_contacts *contacts, const double (*start)[3]);
void friction_free(sim_friction *f);

double friction_energy(const sim_friction *f, const double (*x)[3]);
void friction_pattern(const sim_friction *f, sim_system *system);
void friction_assemble(const sim_friction *f, const double (*x)[3], sim_system *system);

#endif
