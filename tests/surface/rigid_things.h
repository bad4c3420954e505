/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Squares, rods and points in rigid motion, and what their answers have in common. */

#ifndef TOI_TESTS_SURFACE_RIGID_THINGS_H
#define TOI_TESTS_SURFACE_RIGID_THINGS_H

#include "support/support.h"
#include "surface/spin_motion.h"

#include <toi/surface.h>

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* What closed forms may be off by. */
#define SLACK 1e-12

/* --- things that move --- */

/* A square of half the side `half` around a place, normal to an axis: 0, 1 or 2. */
typedef struct square {
  double points[4][3];
  toi_patch patch;
  toi_model model;
} square;

static inline void make_square(square *s, int normal, double at, double half) {
  int i = (normal + 1) % 3, j = (normal + 2) % 3;
  for (int k = 0; k < 4; k++) {
    s->points[k][normal] = at;
    s->points[k][i] = k & 2 ? half : -half;
    s->points[k][j] = k & 1 ? half : -half;
  }
  s->patch = (toi_patch){.shape = TOI_PATCH_QUAD, .degree = {1, 1}, .points = (const double(*)[3])s->points};
  s->model = (toi_model){.patches = &s->patch, .patch_count = 1};
}

/* A rod, or a point if both ends are one. */
typedef struct rod {
  double points[2][3];
  toi_patch patch;
  toi_model model;
} rod;

static inline void make_rod(rod *r, const double from[3], const double to[3]) {
  memcpy(r->points[0], from, sizeof r->points[0]);
  memcpy(r->points[1], to, sizeof r->points[1]);
  uint32_t degree = memcmp(from, to, sizeof r->points[0]) != 0;
  r->patch = (toi_patch){.shape = TOI_PATCH_QUAD, .degree = {degree, 0}, .points = (const double(*)[3])r->points};
  r->model = (toi_model){.patches = &r->patch, .patch_count = 1};
}

static inline toi_model make_sphere(toi_context *context, double radius) {
  toi_model model;
  assert_int_equal(toi_model_sphere(context, radius, &model), TOI_OK);
  return model;
}

/* --- asking --- */

static inline toi_surface_hit ask(toi_context *context, const toi_model *a, const spin_motion *motion_a,
                                  const toi_model *b, const spin_motion *motion_b, const toi_surface_options *options) {
  toi_surface_options defaults = toi_default_surface_options();
  toi_surface_hit hit;
  toi_status status = spin_pair(context, a, motion_a, b, motion_b, options ? options : &defaults, &hit);
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return hit;
}

/* A hit around the time, at most `width` wide, with a safe time before it; its points within the tolerance. */
static inline void check_hit(const toi_surface_hit *hit, double time, double width) {
  if (hit->verdict != TOI_HIT || !(hit->t_lo <= time + SLACK) || !(hit->t_hi >= time - SLACK) ||
      !(hit->t_hi - hit->t_lo <= width))
    fail_msg("verdict %d (%s), [%.17g, %.17g], expected %.17g within %g", hit->verdict,
             toi_surface_end_name((toi_surface_end)hit->end), hit->t_lo, hit->t_hi, time, width);
  assert_true(hit->t_safe < time + SLACK && hit->t_safe >= hit->t_lo - 1e-6 && hit->t_safe <= hit->t_lo);
  assert_true(hit->distance <= fmax(1e-6, 1024 * width) && hit->tolerance_reached == 0);
}

static inline void check_miss(const toi_surface_hit *hit, double t_max) {
  assert_int_equal(hit->verdict, TOI_MISS);
  assert_true(hit->t_lo == INFINITY && hit->t_hi == INFINITY && hit->t_safe == t_max);
  assert_true(isnan(hit->a[0]) && isnan(hit->distance));
}

#endif
