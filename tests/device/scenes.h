/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes for devices, contexts with one, and what a call on a mesh gave as numbers that can be compared. */

#ifndef TESTS_DEVICE_SCENES_H
#define TESTS_DEVICE_SCENES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <toi/device.h>
#include <toi/scene.h>

#include "scenes/drape.h"
#include "support/support.h"

/* A context with a device; sizes of 0 are the defaults. */
static inline toi_context *context_on(const char *device, uint32_t threads, uint64_t memory, uint64_t queue) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  options.device = device;
  options.device_memory = memory;
  options.device_queue = queue;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  return context;
}

/* Skips the test where there is no device that can be used: OpenCL, with a driver such as PoCL, is not everywhere, and
 * it is not made for sanitizers. */
static inline void need_device(void) {
  static int found = -1;
  static char why[512];
  if (found < 0 && TEST_SANITIZED) {
    found = 0;
    snprintf(why, sizeof why, "devices of OpenCL are not made for sanitizers");
  }
  if (found < 0) {
    toi_context *context = context_on("auto", 1, 0, 0);
    toi_device_info info;
    found = toi_context_device(context, &info) == TOI_OK && info.usable;
    snprintf(why, sizeof why, "%.500s", toi_context_warning(context));
    toi_context_destroy(context);
  }
  if (!found) {
    test_skip_reason("%s", why);
    skip();
  }
}

/* What came of a mesh: all collisions and candidates in order, added up bit by bit, and the first impact. */
typedef struct outcome {
  uint64_t sum, hits, candidates, counted, pairs;
  toi_impact impact;
} outcome;

static inline uint64_t mix(uint64_t sum, const void *from, size_t size) {
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ ((const unsigned char *)from)[i]) * 0x100000001b3u;
  return sum;
}

static inline toi_status add_collisions(void *user, const toi_collision *collisions, size_t count) {
  outcome *all = user;
  for (size_t i = 0; i < count; i++) {
    toi_collision own = collisions[i];
    own.hit.level = 0;
    all->sum = mix(all->sum, &own.hit, sizeof own.hit);
    all->sum = mix(all->sum, &own.kind, sizeof own.kind);
    all->sum = mix(all->sum, &own.pair, sizeof own.pair);
    all->hits++;
  }
  return TOI_OK;
}

/* The order of candidates is free: a sum that does not depend on it. */
static inline toi_status add_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  outcome *all = user;
  for (size_t i = 0; i < count; i++) {
    uint64_t own = mix(0xcbf29ce484222325u, &kind, sizeof kind);
    all->pairs += mix(own, &pairs[i], sizeof pairs[i]);
    all->counted++;
  }
  return TOI_OK;
}

static inline outcome outcome_of(toi_context *context, const toi_mesh *mesh, double t_max, const char *broad) {
  outcome all = {.sum = 0xcbf29ce484222325u};
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_work work;
  options.t_max = t_max;
  options.on_mesh = &on_mesh;
  on_mesh.work = &work;
  on_mesh.broad = broad;
  if (toi_collisions(context, mesh, &options, add_collisions, &all) != TOI_OK)
    fail_msg("toi_collisions: %s", toi_context_error(context));
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    all.candidates += work.candidates[kind];
  if (toi_candidates(context, mesh, &options, add_pairs, &all) != TOI_OK)
    fail_msg("toi_candidates: %s", toi_context_error(context));
  if (toi_step(context, mesh, &options, &all.impact) != TOI_OK)
    fail_msg("toi_step: %s", toi_context_error(context));
  all.impact.hit.level = 0;
  return all;
}

static inline void assert_same_outcome(const outcome *a, const outcome *b) {
  assert_int_equal(a->candidates, b->candidates);
  assert_int_equal(a->candidates, a->counted);
  assert_int_equal(b->counted, a->counted);
  assert_true(a->pairs == b->pairs);
  assert_int_equal(a->hits, b->hits);
  assert_true(a->sum == b->sum);
  assert_memory_equal(&a->impact.hit, &b->impact.hit, sizeof a->impact.hit);
  assert_int_equal(a->impact.kind, b->impact.kind);
  assert_memory_equal(&a->impact.pair, &b->impact.pair, sizeof a->impact.pair);
}

static inline toi_mesh mesh_of_drape(const drape *scene) {
  return (toi_mesh){.size = sizeof(toi_mesh),
                    .start = scene->start,
                    .end = scene->end,
                    .scalar = TOI_FLOAT32,
                    .vertex_count = scene->vertex_count,
                    .faces = (const uint32_t(*)[3])scene->faces,
                    .face_count = scene->face_count};
}

#endif
