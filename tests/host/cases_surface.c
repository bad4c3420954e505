/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* surface.h: patches, by every method. */

#include "host/cases.h"

enum { POINTS = 9 };

/* Two biquadratic patches, the second above the first and falling; rational ones have weights. */
typedef struct two {
  double points[2][POINTS][3], velocities[2][POINTS][3], weights[POINTS];
  toi_patch patches[2];
} two;

static void make_two(host_run *run, two *made, bool rational) {
  for (int patch = 0; patch < 2; patch++) {
    for (int i = 0; i < POINTS; i++) {
      const int bump = (i * 29 + patch * 13) % 17 - 8;
      const int at[3] = {64 * (i / 3) + 9 * patch, 64 * (i % 3) - 5 * patch, bump + 50 * patch};
      const int way[3] = {patch * 3, 0, run->input == HOST_RESTING ? 0 : -90 * patch};
      host_point(run->input, at, made->points[patch][i]);
      host_point(run->input, way, made->velocities[patch][i]);
      made->weights[i] = i % 2 == 0 ? 1 : 0.7;
    }
    made->patches[patch] = (toi_patch){.shape = TOI_PATCH_QUAD,
                                       .degree = {2, 2},
                                       .points = (const double(*)[3])made->points[patch],
                                       .velocities = (const double(*)[3])made->velocities[patch],
                                       .weights = rational ? made->weights : NULL,
                                       .error = host_number(run->input, rational ? 1 : 0)};
  }
}

static toi_surface_options options_of(host_run *run, int way) {
  toi_surface_options options;
  HOST_DO(run, toi_surface_options_init, (&options, sizeof options));
  options.max_checks = host_share(run, 200);
  options.tolerance = host_number(run->input, 1);
  if (way % 2 == 1)
    options.min_separation = host_number(run->input, 5);
  options.accept = way % 3 == 0 ? TOI_ACCEPT_WORLD : TOI_ACCEPT_PARAMETER;
  options.inclusion = way % 2 == 0 ? TOI_INCLUSION_OBB : TOI_INCLUSION_AABB;
  options.norm = way % 4 < 2 ? TOI_NORM_L2 : TOI_NORM_LINF;
  options.progress = host_progress;
  options.progress_user = run;
  return options;
}

static void patch_pair(host_run *run) {
  for (int way = 0; way < 4; way++) {
    two made;
    make_two(run, &made, way >= 2);
    const toi_surface_options options = options_of(run, way);
    toi_surface_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_patch_pair, (run->context, &made.patches[0], &made.patches[1], &options, &hit));
    if (!host_context_status(run, status))
      HOST_CHECK(run, hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
    run->short_of_memory = run->short_of_memory || hit.end == TOI_SURFACE_MEMORY;
    HOST_BITS(run, hit);
  }
}

/* Flat triangles go to the exact narrow phase. */
static void flat_pair(host_run *run) {
  double points[2][3][3], velocities[2][3][3];
  toi_patch patches[2];
  for (int patch = 0; patch < 2; patch++) {
    for (int i = 0; i < 3; i++) {
      const int at[3] = {70 * (i == 1), 66 * (i == 2), 40 * patch + i};
      const int way[3] = {3, patch, run->input == HOST_RESTING ? 0 : -81 * patch};
      host_point(run->input, at, points[patch][i]);
      host_point(run->input, way, velocities[patch][i]);
    }
    patches[patch] = (toi_patch){.shape = TOI_PATCH_TRIANGLE,
                                 .degree = {1, 0},
                                 .points = (const double(*)[3])points[patch],
                                 .velocities = (const double(*)[3])velocities[patch]};
  }
  for (int way = 0; way < 2; way++) {
    const toi_surface_options options = options_of(run, way);
    toi_surface_hit hit;
    HOST_SPOIL(hit);
    toi_status status;
    HOST_CALL(run, status, toi_patch_pair, (run->context, &patches[0], &patches[1], &options, &hit));
    if (!host_context_status(run, status))
      HOST_CHECK(run, hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
    run->short_of_memory = run->short_of_memory || hit.end == TOI_SURFACE_MEMORY;
    HOST_BITS(run, hit);
  }
}

static void patch_batch(host_run *run) {
  enum { COUNT = 6 };
  two made[2];
  make_two(run, &made[0], false);
  make_two(run, &made[1], true);
  toi_patch_case cases[COUNT];
  for (int i = 0; i < COUNT; i++)
    cases[i] =
        (toi_patch_case){.a = &made[i % 2].patches[0], .b = &made[i / 2 % 2].patches[1], .t_max = i < 4 ? 1 : 0.45};
  const toi_surface_options options = options_of(run, 2);
  toi_surface_hit hits[COUNT];
  HOST_SPOIL(hits);
  toi_status status;
  HOST_CALL(run, status, toi_patch_batch, (run->context, cases, COUNT, &options, hits));
  if (!host_context_status(run, status))
    return;
  for (int i = 0; i < COUNT; i++)
    run->short_of_memory = run->short_of_memory || hits[i].end == TOI_SURFACE_MEMORY;
  HOST_BITS(run, hits);
}

static void patch_point(host_run *run) {
  two made;
  make_two(run, &made, true);
  double point[3], normal[3];
  HOST_SPOIL(point);
  HOST_SPOIL(normal);
  toi_status status;
  HOST_CALL(run, status, toi_patch_point, (run->context, &made.patches[1], 0.3, 0.8, 0.1, point, normal));
  if (!host_context_status(run, status))
    return;
  HOST_BITS(run, point);
  HOST_BITS(run, normal);
}

static void names(host_run *run) {
  for (int i = -1; i < 9; i++) {
    const char *text;
    size_t count;
    HOST_CALL(run, text, toi_surface_end_name, ((toi_surface_end)i));
    host_text(run, "end", text);
    HOST_CALL(run, text, toi_surface_method_name, ((size_t)i));
    host_text(run, "method", text);
    if (text != NULL)
      HOST_CALL(run, text, toi_surface_method_promise, (text));
    host_text(run, "promise", text);
    HOST_CALL(run, count, toi_patch_points, ((toi_patch_shape)(i % 3), ((const uint32_t[]){(uint32_t)i + 1, 3})));
    HOST_BITS(run, count);
  }
}

const host_case host_surface_cases[] = {
    {"toi_patch_pair", patch_pair, HOST_FIGURES},   {"toi_patch_pair of triangles", flat_pair, HOST_FIGURES},
    {"toi_patch_batch", patch_batch, HOST_FIGURES}, {"toi_patch_point", patch_point, HOST_FIGURES},
    {"toi_surface_method_name", names, HOST_ONCE},  {NULL, NULL, 0}};
