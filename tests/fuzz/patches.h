/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What patches and answers about them promise, for the targets that meet them. */

#ifndef TOI_TESTS_FUZZ_PATCHES_H
#define TOI_TESTS_FUZZ_PATCHES_H

#include "fuzz/fuzz.h"

#include <toi/surface.h>

#include <math.h>

/* Bit for bit the same patch, but for the sign of zeroes. */
static inline void fuzz_patch_same(const toi_patch *a, const toi_patch *b) {
  FUZZ_CHECK(a->shape == b->shape && a->degree[0] == b->degree[0]);
  FUZZ_CHECK(a->shape == TOI_PATCH_TRIANGLE || a->degree[1] == b->degree[1]);
  const size_t count = toi_patch_points(a->shape, a->degree);
  FUZZ_CHECK(count > 0 && fuzz_same(a->points[0], b->points[0], 3 * count));
  FUZZ_CHECK((a->velocities == NULL) == (b->velocities == NULL));
  FUZZ_CHECK(a->velocities == NULL || fuzz_same(a->velocities[0], b->velocities[0], 3 * count));
  FUZZ_CHECK((a->weights == NULL) == (b->weights == NULL));
  FUZZ_CHECK(a->weights == NULL || fuzz_same(a->weights, b->weights, count));
  FUZZ_CHECK(a->error == b->error && a->velocity_error == b->velocity_error);
}

/* Default options with so small a budget that an input takes milliseconds. */
static inline toi_surface_options fuzz_surface_options(double t_max) {
  toi_surface_options options = toi_default_surface_options();
  options.max_checks = 64;
  options.t_max = t_max;
  return options;
}

static inline void fuzz_surface_safe(const toi_surface_hit *hit) {
  FUZZ_CHECK(hit->verdict == TOI_NEAR && hit->t_lo == 0 && hit->t_safe == 0 && !hit->touching_at_start);
}

static inline void fuzz_surface_hit(const toi_surface_hit *hit, double t_max) {
  FUZZ_CHECK(hit->verdict <= TOI_NEAR && hit->end < TOI_SURFACE_END_COUNT);
  if (hit->verdict == TOI_MISS) {
    FUZZ_CHECK(isinf(hit->t_lo) && isinf(hit->t_hi) && hit->t_safe == t_max && !hit->touching_at_start);
    return;
  }
  FUZZ_CHECK(hit->t_lo >= 0 && hit->t_lo <= t_max && hit->t_safe >= 0 && hit->t_safe <= hit->t_lo);
  if (hit->verdict == TOI_HIT)
    FUZZ_CHECK(hit->t_lo <= hit->t_hi && hit->t_hi <= t_max && hit->tolerance_reached == 0);
  else
    FUZZ_CHECK(hit->tolerance_reached >= 0 && !hit->touching_at_start);
  FUZZ_CHECK(!hit->touching_at_start || hit->t_lo == 0);
}

#endif
