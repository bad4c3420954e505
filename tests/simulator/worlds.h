/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small worlds for tests of the simulator. */

#ifndef TOI_TESTS_SIMULATOR_WORLDS_H
#define TOI_TESTS_SIMULATOR_WORLDS_H

#include "support/files.h"
#include "support/support.h"

#include "simulator/newton.h"

/* A sheet of 4 x 4 squares just above a ball and, on one side, above a slope, closer than the barrier's distance. */
#define SMALL_SCENE                                                                                                    \
  "{\"title\": \"small\", \"step\": 0.01, \"gravity\": [0, 0, -9.81],"                                                 \
  " \"cloth\": {\"shape\": \"sheet\", \"size\": [1, 1], \"cells\": [4, 4], \"at\": [0.01, 0.02, 0.42],"                \
  "  \"density\": 0.3, \"stretch\": 40, \"bend\": 1e-3},"                                                              \
  " \"obstacles\": [{\"shape\": \"ball\", \"radius\": 0.4, \"cells\": [7, 10]}],"                                      \
  " \"half_spaces\": [{\"normal\": [0.2, 0, 1], \"offset\": 0.29}],"                                                   \
  " \"contact\": {\"distance\": 0.05, \"stiffness\": 5, \"friction\": 0.3},"                                           \
  " \"newton\": {\"tolerance\": 1e-4}}"

/* The world of a scene's text; the test frees it. */
static inline void make_world(const char *text, uint32_t threads, sim_world *world) {
  sim_scene scene;
  sim_fault fault;
  const char *path = test_write_text("scene.json", text);
  if (!scene_read(path, 1, &scene, &fault) || !simulation_create(world, &scene, threads, &fault))
    fail_msg("%s", fault.text);
}

#endif
