/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contact: pairs of primitives closer than dhat, and a barrier that keeps them apart.
 *
 *   b(d) = -kappa (d - dhat)^2 ln(d / dhat)   for 0 < d < dhat, else 0
 * is infinite at contact and smooth where it ends. Two edges that are nearly parallel have it multiplied by a mollifier
 * that goes to 0 as they become so, since their distance has a kink there. */

#ifndef SIMULATOR_CONTACT_H
#define SIMULATOR_CONTACT_H

#include <toi/toi.h>

#include "model.h"
#include "system.h"

typedef struct sim_contacts {
  const sim_scene *scene;
  const sim_model *model;
  toi_context *context;
  toi_stencil *list;
  size_t count, room;
  toi_stencil_arrays arrays; /* squared distances, mollifiers, and their gradients, of each stencil */
  size_t array_room;
  double least; /* distance; infinity if there is none */
} sim_contacts;

void contacts_create(sim_contacts *c, toi_context *context, const sim_scene *scene, const sim_model *model);
void contacts_free(sim_contacts *c);

/* All pairs closer than dhat in the positions x. */
bool contacts_find(sim_contacts *c, const double (*x)[3], sim_fault *fault);

double contacts_energy(const sim_contacts *c);

/* Asks for the blocks that the contacts need; then adds gradient and Hessian. Of the latter the part along the normal,
 * which is positive semi-definite. */
void contacts_pattern(const sim_contacts *c, sim_system *system);
void contacts_assemble(const sim_contacts *c, sim_system *system);

/* The force that pushes contact number i apart, newtons. */
double contacts_force(const sim_contacts *c, size_t i);

/* The barrier and its derivatives by d. */
double barrier(const sim_scene *s, double d);
double barrier_slope(const sim_scene *s, double d);
double barrier_curvature(const sim_scene *s, double d);

#endif
