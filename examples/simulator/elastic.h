/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Inertia, springs that hold vertices, stretch and bending of the whole cloth: all but contact.
 *
 * Implicit Euler as a minimisation: the next positions are those at which
 *   sum m / (2 h^2) |x - y|^2 + springs + stretch + bending + barrier + friction
 * is least, y = x_n + h v_n + h^2 g where the cloth would go by itself. All in joule. */

#ifndef SIMULATOR_ELASTIC_H
#define SIMULATOR_ELASTIC_H

#include "model.h"
#include "system.h"

typedef struct sim_elastic {
  const sim_scene *scene;
  const sim_model *model;
  double (*free_fall)[3]; /* y */
  double (*targets)[3];   /* of the grips */
  bool *gripped;          /* whether each grip still holds */
} sim_elastic;

void elastic_create(sim_elastic *e, const sim_scene *scene, const sim_model *model);
void elastic_free(sim_elastic *e);

/* Adds the pattern of the elements. */
void elastic_pattern(const sim_elastic *e, sim_system *system);

/* What a step from x with velocities v to the time `time` aims at. */
void elastic_begin(sim_elastic *e, const double (*x)[3], const double (*v)[3], double time);

double elastic_energy(const sim_elastic *e, const double (*x)[3]);
void elastic_assemble(const sim_elastic *e, const double (*x)[3], sim_system *system);

#endif
