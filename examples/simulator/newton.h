/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One implicit step per frame, by projected Newton with a certified line search.
 *
 * Promise: every accepted state is reached from the one before along straight lines on which no two primitives touch
 * (pairs that share a vertex apart), and a frame that fails leaves the state as it was before it. */

#ifndef SIMULATOR_NEWTON_H
#define SIMULATOR_NEWTON_H

#include <toi/toi.h>

#include "contact.h"
#include "elastic.h"
#include "friction.h"
#include "model.h"
#include "solver.h"

/* What a frame, so far, came to. */
typedef struct sim_progress {
  long frame, iterations;
  double energy;   /* joule */
  size_t contacts; /* pairs closer than dhat */
  double distance; /* the least of theirs; infinity if there are none */
  double step;     /* fraction of Newton's step that was accepted last */
  double smallest; /* of these, in this frame */
  double move;     /* the longest displacement of the last step, metres */
  bool stalled;    /* the energy did not fall any more before the tolerance was reached */
} sim_progress;

typedef struct sim_world sim_world;

/* Called after each accepted iterate. False ends the frame: with `fault` filled in it is an error, else a stop. */
typedef bool (*iterate_visitor)(void *user, const sim_world *simulation, const sim_progress *progress,
                                sim_fault *fault);

struct sim_world {
  sim_scene scene;
  sim_model model;
  toi_context *context;
  double (*x)[3], (*v)[3]; /* the state, of all vertices; those of obstacles have velocity 0 */
  long frame;              /* frames that are done */

  bool check; /* prove every accepted state free of intersections */
  iterate_visitor visit;
  void *user;

  sim_shares shares;
  uint64_t iterations, line_searches; /* in all frames */
  double newton_seconds;              /* spent in newton_frame() without files and checks */

  /* Internal. */
  sim_elastic elastic;
  sim_contacts contacts, tried_contacts;
  sim_friction friction;
  sim_system system;
  sim_solver *solver;
  double (*before)[3], (*wanted)[3], (*tried)[3];
  double *step;
};

/* Builds the scene's mesh in its initial state, and proves that free of intersections. */
bool simulation_create(sim_world *s, const sim_scene *scene, uint32_t threads, sim_fault *fault);
void simulation_free(sim_world *s);

/* Fails if the present state, called `which` in the message, intersects itself. */
bool simulation_check(sim_world *s, const char *which, sim_fault *fault);

/* Computes the next frame. On failure, or if the visitor stops it, the state is that of the frame before. */
bool newton_frame(sim_world *s, sim_progress *p, sim_fault *fault);

#endif
