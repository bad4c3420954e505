/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two flat triangles on their way, for tests: what every answer about them must be, and random ones. */

#ifndef TOI_TESTS_SURFACE_DUO_H
#define TOI_TESTS_SURFACE_DUO_H

#include "support/support.h"

#include <math.h>
#include <string.h>

#include "surface/surface.h"

/* Two triangles that own their arrays. */
typedef struct duo {
  double points[2][3][3], velocities[2][3][3];
  toi_patch patch[2];
  toi_surface_options options;
} duo;

static inline duo duo_make(const double points[2][3][3]) {
  duo made = {.options = toi_default_surface_options()};
  memcpy(made.points, points, sizeof(made.points));
  return made;
}

/* The patches, wherever the duo is by now. */
static inline void duo_point(duo *pair) {
  for (int i = 0; i < 2; i++)
    pair->patch[i] = (toi_patch){.shape = TOI_PATCH_TRIANGLE,
                                 .degree = {1, 0},
                                 .points = (const double(*)[3])pair->points[i],
                                 .velocities = (const double(*)[3])pair->velocities[i]};
}

/* All corners of one triangle move alike. */
static inline void move(duo *pair, int side, double x, double y, double z) {
  for (int i = 0; i < 3; i++)
    memcpy(pair->velocities[side][i], (double[3]){x, y, z}, sizeof(double[3]));
}

static inline void print_duo(const duo *pair) {
  print_error("t_max %a, separation %a, norm %d\n", pair->options.t_max, pair->options.min_separation,
              (int)pair->options.norm);
  for (int i = 0; i < 6; i++) {
    const double *p = pair->points[i / 3][i % 3], *v = pair->velocities[i / 3][i % 3];
    print_error("%a %a %a  %a %a %a\n", p[0], p[1], p[2], v[0], v[1], v[2]);
  }
}

#define CHECK(condition, pair)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      print_duo(pair);                                                                                                 \
      fail_msg("%s", #condition);                                                                                      \
    }                                                                                                                  \
  } while (0)

/* --- what every answer must be --- */

static inline double gap_in(toi_norm norm, const double p[3], const double q[3]) {
  double most = 0, square = 0;
  for (int k = 0; k < 3; k++) {
    double x = fabs(p[k] - q[k]);
    most = x > most ? x : most;
    square += x * x;
  }
  return norm == TOI_NORM_L2 ? sqrt(square) : most;
}

/* Twice the area of a triangle at a time, or nearly so. */
static inline double area_at(const duo *pair, int side, double t) {
  double corner[3][3], cross[3];
  for (int i = 0; i < 9; i++)
    corner[i / 3][i % 3] = pair->points[side][i / 3][i % 3] + t * pair->velocities[side][i / 3][i % 3];
  for (int k = 0; k < 3; k++) {
    int l = (k + 1) % 3, m = (k + 2) % 3;
    cross[k] = (corner[1][l] - corner[0][l]) * (corner[2][m] - corner[0][m]) -
               (corner[1][m] - corner[0][m]) * (corner[2][l] - corner[0][l]);
  }
  return gap_in(TOI_NORM_L2, cross, (const double[3]){0, 0, 0});
}

/* The place of a hit: parameters in the domain, points at the separation, normals as the patches have them. */
static inline void check_place(toi_context *context, const duo *pair, const toi_surface_hit *hit) {
  const double *uv[2] = {hit->a, hit->b}, *normals[2] = {hit->normal_a, hit->normal_b};
  double point[2][3], normal[3], d = pair->options.min_separation;
  for (int i = 0; i < 2; i++) {
    CHECK(toi_patch_point(context, &pair->patch[i], uv[i][0], uv[i][1], hit->t_hi, point[i], normal) == TOI_OK, pair);
    // Rounding alone gives a direction to one that has collapsed.
    CHECK(area_at(pair, i, hit->t_hi) < 1e-5 || gap_in(TOI_NORM_LINF, normal, normals[i]) < 1e-9, pair);
  }
  double gap = gap_in(pair->options.norm, point[0], point[1]);
  CHECK(gap <= d + 1e-11 && (hit->touching_at_start || gap >= d - 1e-11), pair);
  CHECK(fabs(hit->distance - gap_in(TOI_NORM_L2, point[0], point[1])) < 1e-11, pair);
  for (int k = 0; k < 3; k++)
    CHECK(fabs(hit->point[k] - 0.5 * (point[0][k] + point[1][k])) < 1e-11, pair);
}

static inline void check_answer(toi_context *context, const duo *pair, const toi_surface_hit *hit) {
  CHECK(hit->end == TOI_SURFACE_EXACT && hit->checks <= 15 && hit->pieces == 0 && hit->tolerance_reached == 0, pair);
  CHECK(hit->patch_a == 0 && hit->patch_b == 0, pair);
  double t_max = pair->options.t_max;
  if (hit->verdict == TOI_MISS) {
    CHECK(hit->t_lo == INFINITY && hit->t_hi == INFINITY && hit->t_safe == t_max && isnan(hit->distance), pair);
    CHECK(isnan(hit->a[0]) && isnan(hit->b[1]) && !hit->touching_at_start, pair);
    return;
  }
  CHECK(hit->verdict == TOI_HIT && hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= t_max, pair);
  CHECK(hit->t_hi - hit->t_lo <= 0x1.01p-48 * t_max, pair);
  CHECK(hit->touching_at_start ? hit->t_hi == 0 && hit->t_safe == 0 : hit->t_lo > 0 && hit->t_safe < hit->t_lo, pair);
  check_place(context, pair, hit);
}

/* The answer, which must be the same whichever triangle comes first. */
static inline toi_surface_hit ask(duo *pair) {
  toi_context *context = test_context(1);
  toi_surface_hit hit, turned;
  duo_point(pair);
  CHECK(toi_flat_suits(&pair->patch[0], &pair->patch[1], &pair->options), pair);
  CHECK(toi_patch_pair(context, &pair->patch[0], &pair->patch[1], &pair->options, &hit) == TOI_OK, pair);
  CHECK(toi_patch_pair(context, &pair->patch[1], &pair->patch[0], &pair->options, &turned) == TOI_OK, pair);
  check_answer(context, pair, &hit);
  CHECK(turned.verdict == hit.verdict && turned.touching_at_start == hit.touching_at_start, pair);
  CHECK(hit.verdict == TOI_MISS || (turned.t_lo <= hit.t_hi && hit.t_lo <= turned.t_hi), pair);
  toi_context_destroy(context);
  return hit;
}

static inline bool suits(duo *pair) {
  return toi_flat_suits(&pair->patch[0], &pair->patch[1], &pair->options);
}

/* --- random ones --- */

static inline double draw_below(uint64_t *seed, int most) {
  return (double)(test_random(seed) % (uint64_t)(2 * most + 1)) - most;
}

/* On a small grid, often with corners in common, in one plane, without area, or at relative rest. */
static inline duo draw_duo(uint64_t *seed) {
  duo pair = duo_make((const double[2][3][3]){{{0}}});
  static const double times[] = {1, 1, 2, 3, 0.75, 0.625, 5};
  pair.options.t_max = times[test_random(seed) % 7];
  uint64_t style = test_random(seed);
  int size = 1 + (int)(style >> 40 & 7), speed = 1 + (int)(style >> 48 & 3);
  double apart = (double)(style >> 24 & 15);
  int axis = (int)(style >> 32) & 1;
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) {
      pair.points[i / 3][i % 3][k] = draw_below(seed, size) + (i < 3 && k == axis ? apart : 0);
      pair.velocities[i / 3][i % 3][k] = draw_below(seed, speed) - (i < 3 && k == axis ? speed : 0);
    }
  if (style % 8 == 0)
    for (int i = 0; i < 6; i++)
      pair.points[i / 3][i % 3][2] = pair.velocities[i / 3][i % 3][2] = 0;
  if (style / 8 % 4 == 0)
    for (int i = 0; i < 6; i++)
      memcpy(pair.velocities[i / 3][i % 3], pair.velocities[i / 3][0], sizeof(double[3]));
  // Within one triangle, or anywhere.
  for (uint64_t copies = style / 32 % 8; copies < 3; copies++) {
    int to = (int)(test_random(seed) % 6), from = (int)(test_random(seed) % 6);
    if (style / 32 % 8 > 0)
      from = to / 3 * 3 + from % 3;
    memcpy(pair.points[to / 3][to % 3], pair.points[from / 3][from % 3], sizeof(double[3]));
    memcpy(pair.velocities[to / 3][to % 3], pair.velocities[from / 3][from % 3], sizeof(double[3]));
  }
  return pair;
}

#endif
