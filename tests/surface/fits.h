/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Parts that nearly fit: shafts in bores, balls in sockets, grooved spindles, wavy sheets, all in a frame that is
 * turned against the coordinates. */

#ifndef TOI_TESTS_SURFACE_FITS_H
#define TOI_TESTS_SURFACE_FITS_H

#include "support/support.h"
#include "surface/spin_motion.h"

#include <toi/surface.h>

#include <math.h>
#include <string.h>

#define FIT_PATCHES 160

/* Patches with their arrays. */
typedef struct fit_part {
  double points[FIT_PATCHES][16][3], weights[FIT_PATCHES][16];
  toi_patch patches[FIT_PATCHES];
  toi_model model;
} fit_part;

/* From the shapes' own frame to a general one: a turn about (3, -7, 5) by 0.9 rad, to a few ulps. */
static inline void fit_turn(double x[3]) {
  const double length = sqrt(83), n[3] = {3 / length, -7 / length, 5 / length}, c = cos(0.9), s = sin(0.9);
  const double dot = n[0] * x[0] + n[1] * x[1] + n[2] * x[2], from[3] = {x[0], x[1], x[2]};
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    x[k] = c * from[k] + (1 - c) * dot * n[k] + s * (n[i] * from[j] - n[j] * from[i]);
  }
}

static inline void fit_start(fit_part *part) {
  part->model = (toi_model){.patches = part->patches};
}

/* A patch whose points were written to part->points[patch_count]. */
static inline void fit_add(fit_part *part, uint32_t m, uint32_t n, bool rational) {
  const size_t number = part->model.patch_count++;
  assert_true(number < FIT_PATCHES);
  for (size_t i = 0; i < (size_t)(m + 1) * (n + 1); i++)
    fit_turn(part->points[number][i]);
  part->patches[number] = (toi_patch){.shape = TOI_PATCH_QUAD,
                                      .degree = {m, n},
                                      .points = (const double(*)[3])part->points[number],
                                      .weights = rational ? part->weights[number] : NULL};
}

/* Control point i of a quarter of the unit circle that starts at an angle, and its weight. */
static inline double fit_circle(int quarter, int i, double start, double at[2]) {
  static const double x[9] = {1, 1, 0, -1, -1, -1, 0, 1, 1}, y[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
  const double a = x[2 * quarter + i], b = y[2 * quarter + i];
  at[0] = cos(start) * a - sin(start) * b;
  at[1] = sin(start) * a + cos(start) * b;
  return i == 1 ? sqrt(0.5) : 1;
}

/* A cylinder along z from -half to half, of radii rx and ry, its middle at (x, y); seams turned by an angle, where it
 * is round. */
typedef struct fit_cylinder {
  double rx, ry, half, x, y, seam;
} fit_cylinder;

static inline void fit_make_cylinder(fit_part *part, const fit_cylinder *c) {
  fit_start(part);
  for (int quarter = 0; quarter < 4; quarter++) {
    const size_t number = part->model.patch_count;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 2; j++) {
        double at[2], *point = part->points[number][i * 2 + j];
        part->weights[number][i * 2 + j] = fit_circle(quarter, i, c->seam, at);
        point[0] = c->x + c->rx * at[0];
        point[1] = c->y + c->ry * at[1];
        point[2] = j == 0 ? -c->half : c->half;
      }
    fit_add(part, 2, 1, true);
  }
}

/* A sphere about (x, 0, 0). */
static inline void fit_make_ball(fit_part *part, double radius, double x, double seam) {
  static const double out[5] = {0, 1, 1, 1, 0}, up[5] = {-1, -1, 0, 1, 1};
  fit_start(part);
  for (int patch = 0; patch < 8; patch++) {
    const size_t number = part->model.patch_count;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double at[2], *point = part->points[number][i * 3 + j];
        const int height = patch % 2 * 2 + j;
        part->weights[number][i * 3 + j] = fit_circle(patch / 2, i, seam, at) * (j == 1 ? sqrt(0.5) : 1);
        point[0] = x + radius * out[height] * at[0];
        point[1] = radius * out[height] * at[1];
        point[2] = radius * up[height];
      }
    fit_add(part, 2, 2, true);
  }
}

/* From the control points of a uniform cubic spline to those of one of its spans. */
static inline double fit_span(int i, int from) {
  static const double parts[4][4] = {{1, 4, 1, 0}, {0, 4, 2, 0}, {0, 2, 4, 0}, {0, 1, 4, 1}};
  return parts[i][from] / 6;
}

/* A surface of revolution with grooves, so much larger in radius: 4 patches around, `along` of them. */
static inline void fit_make_spindle(fit_part *part, double larger, double seam, int along) {
  fit_start(part);
  for (int patch = 0; patch < 4 * along; patch++) {
    const size_t number = part->model.patch_count;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++) {
        double at[2], radius = larger, height = 0, *point = part->points[number][i * 4 + j];
        part->weights[number][i * 4 + j] = fit_circle(patch / along, i, seam, at);
        for (int from = 0; from < 4; from++) {
          const double z = 2.0 * (patch % along + from - 1) / along - 1;
          radius += fit_span(j, from) * (1 + 0.08 * cos(5 * z) + 0.03 * sin(9 * z));
          height += fit_span(j, from) * z;
        }
        point[0] = radius * at[0];
        point[1] = radius * at[1];
        point[2] = height;
      }
    fit_add(part, 2, 3, true);
  }
}

/* A point of a wavy sheet, moved along the normal. */
static inline void fit_wave(double u, double v, double offset, double x[3]) {
  const double height = 0.1 * sin(5 * u + 1) * cos(4 * v) + 0.05 * sin(7 * v - 3 * u);
  const double along_u = 0.5 * cos(5 * u + 1) * cos(4 * v) - 0.15 * cos(7 * v - 3 * u);
  const double along_v = -0.4 * sin(5 * u + 1) * sin(4 * v) + 0.35 * cos(7 * v - 3 * u);
  const double length = sqrt(1 + along_u * along_u + along_v * along_v);
  x[0] = u - offset * along_u / length;
  x[1] = v - offset * along_v / length;
  x[2] = height + offset / length;
}

/* side x side patches. */
static inline void fit_make_sheet(fit_part *part, double offset, int side) {
  fit_start(part);
  for (int patch = 0; patch < side * side; patch++) {
    const size_t number = part->model.patch_count;
    memset(part->points[number], 0, sizeof part->points[number]);
    for (int from = 0; from < 16; from++) {
      double x[3];
      const int row = patch / side + from / 4 - 1, column = patch % side + from % 4 - 1;
      fit_wave((double)row / side, (double)column / side, offset, x);
      for (int i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++)
          part->points[number][i][k] += fit_span(i / 4, from / 4) * fit_span(i % 4, from % 4) * x[k];
    }
    fit_add(part, 3, 3, false);
  }
}

/* A motion, given in the shapes' own frame. */
static inline spin_motion fit_motion(const double velocity[3], const double spin[3], const double centre[3]) {
  spin_motion motion = {.spin = {0}};
  memcpy(motion.velocity, velocity, sizeof motion.velocity);
  memcpy(motion.spin, spin, sizeof motion.spin);
  memcpy(motion.centre, centre, sizeof motion.centre);
  fit_turn(motion.velocity);
  fit_turn(motion.spin);
  fit_turn(motion.centre);
  return motion;
}

#endif
