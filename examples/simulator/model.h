/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The mesh of a scene and what is known of it at rest. The vertices of the cloth come first: these are the unknowns;
 * those of the obstacles follow, and never move. */

#ifndef SIMULATOR_MODEL_H
#define SIMULATOR_MODEL_H

#include <toi/toi.h>

#include "bending.h"
#include "common.h"
#include "membrane.h"
#include "scene.h"

/* A vertex held by a spring. */
typedef struct sim_grip {
  uint32_t vertex;
  uint32_t held; /* which entry of scene.held */
} sim_grip;

typedef struct sim_model {
  size_t vertex_count, free_count; /* vertices below free_count are the cloth's */
  double (*start)[3];
  size_t face_count, cloth_faces;
  uint32_t (*faces)[3];
  toi_scene *kept;            /* faces, edges and what libtoi keeps between calls */
  const uint32_t (*edges)[2]; /* its own */
  double *mass;               /* of each free vertex */

  sim_triangle *triangles; /* one per face of the cloth */
  sim_hinge *hinges;       /* one per inner edge of the cloth */
  size_t hinge_count;
  sim_grip *grips;
  size_t grip_count;
} sim_model;

bool model_make(toi_context *context, const sim_scene *s, sim_model *m, sim_fault *fault);
void model_free(sim_model *m);

/* Positions as libtoi takes them. */
toi_positions model_positions(const sim_model *m, const double (*start)[3], const double (*end)[3]);

#endif
