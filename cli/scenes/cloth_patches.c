/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cloths. Each is a function of u and v in [0, 1], position and velocity, taken at the corners of the patches; what
 * lies between has the slopes of Catmull-Rom splines, first along u, then along v. All control points of the whole
 * cloth are found once, so that patches side by side share theirs. */

#include "scenes/cloth_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Position and velocity of one point. */
typedef struct state {
  double at[6];
} state;

typedef state (*cloth_shape)(const void *user, double u, double v);

/* --- patches from points --- */

/* The two control points between node 1 and node 2 of four in a row. */
static void between(const state *nodes[4], state *first, state *second) {
  for (int k = 0; k < 6; k++) {
    first->at[k] = nodes[1]->at[k] + (nodes[2]->at[k] - nodes[0]->at[k]) / 6;
    second->at[k] = nodes[2]->at[k] - (nodes[3]->at[k] - nodes[1]->at[k]) / 6;
  }
}

/* A row of size + 3 nodes, `step` apart, becomes one of 3 size + 1 control points; the first and the last node lie
 * beyond the ends. */
static void refine(const state *nodes, size_t step, uint32_t size, state *row, size_t row_step) {
  for (size_t i = 0; i < size; i++) {
    const state *four[4];
    for (size_t k = 0; k < 4; k++)
      four[k] = nodes + (i + k) * step;
    row[3 * i * row_step] = *four[1];
    between(four, &row[(3 * i + 1) * row_step], &row[(3 * i + 2) * row_step]);
  }
  row[(size_t)3 * size * row_step] = nodes[((size_t)size + 1) * step];
}

/* Takes the patches out of the control points of the whole cloth. */
static void cut(const state *whole, uint32_t size, cloth_patches *cloth) {
  const size_t side = (size_t)3 * size + 1;
  for (size_t p = 0; p < cloth->count; p++) {
    const state *corner = whole + 3 * (p / size) * side + 3 * (p % size);
    for (size_t i = 0; i < CLOTH_PATCH_POINTS; i++) {
      const double *from = corner[i / 4 * side + i % 4].at;
      memcpy(cloth->points[CLOTH_PATCH_POINTS * p + i], from, sizeof *cloth->points);
      memcpy(cloth->velocities[CLOTH_PATCH_POINTS * p + i], from + 3, sizeof *cloth->velocities);
    }
  }
}

static bool cloth_make(uint32_t size, cloth_shape shape, const void *user, cloth_patches *cloth) {
  const size_t nodes_side = (size_t)size + 3, side = (size_t)3 * size + 1;
  *cloth = (cloth_patches){.count = (size_t)size * size};
  cloth->points = calloc(cloth->count * CLOTH_PATCH_POINTS, sizeof *cloth->points);
  cloth->velocities = calloc(cloth->count * CLOTH_PATCH_POINTS, sizeof *cloth->velocities);
  state *nodes = calloc(nodes_side * nodes_side, sizeof *nodes);
  state *halves = calloc(nodes_side * side, sizeof *halves);
  state *whole = calloc(side * side, sizeof *whole);
  const bool made = cloth->points && cloth->velocities && nodes && halves && whole;
  if (made) {
    for (size_t i = 0; i < nodes_side * nodes_side; i++) {
      const size_t row = i / nodes_side, column = i % nodes_side;
      nodes[i] = shape(user, ((double)row - 1) / size, ((double)column - 1) / size);
    }
    for (size_t j = 0; j < nodes_side; j++)
      refine(nodes + j, nodes_side, size, halves + j, nodes_side);
    for (size_t i = 0; i < side; i++)
      refine(halves + i * nodes_side, 1, size, whole + i * side, 1);
    cut(whole, size, cloth);
  } else {
    cloth_free(cloth);
  }
  free(nodes);
  free(halves);
  free(whole);
  return made;
}

void cloth_free(cloth_patches *cloth) {
  free(cloth->points);
  free(cloth->velocities);
  *cloth = (cloth_patches){0};
}

/* --- over the teapot --- */

/* A wave of parabolas, of period 2 and height 1, for x > -64. */
static double wave(double x) {
  const int64_t whole = (int64_t)(x + 64);
  const double part = x + 64 - (double)whole;
  const double height = 4 * part * (1 - part);
  return whole % 2 == 0 ? height : -height;
}

/* A square of six by six about (x, y), as a tent: height - along (sqrt(1 + x^2) - 1) - across y^2, x and y from its
 * middle, with waves. */
typedef struct tent {
  const char *name;
  double x, y, height;
  double along, across; /* how it hangs */
  double waves;         /* their height */
  double slide[2];      /* velocity in x and y, */
  double fall;          /* downwards in the middle, */
  double sides;         /* and what is added to it one length from the middle, as the square of the length */
} tent;

static const tent tents[CLOTH_MOMENTS] = {
    [CLOTH_FALLS] = {"falls", 0.1, 0.05, 3.1441, 0.01, 0.01, 0.02, {0.05, 0}, 2, 0},
    [CLOTH_LANDS] = {"lands", 0.1, 0.05, 3.19, 0.315, 0.25, 0.02, {0.05, 0}, 0, 0.6},
    [CLOTH_SLIDES] = {"slides", -0.4, 0.05, 3.1784, 0.2, 0.25, 0, {-1, 0.1}, 0.01, 0},
    [CLOTH_SLIPS] = {"slips", -5.2, 0.1, 2.057, -0.1, 0.4, 0.02, {-1, 0}, 0.5, 0.05},
    [CLOTH_LEAVES] = {"leaves", -6.5, 0, 1.2, 0.1, 0.1, 0.05, {-1, 0}, 2, 0},
};

static state tent_shape(const void *user, double u, double v) {
  const tent *t = user;
  const double x = 6 * u - 3, y = 6 * v - 3;
  const double waves = t->waves * wave(x + 0.3) * wave(y + 0.6);
  const double hang = t->along * (sqrt(1 + x * x) - 1) + t->across * y * y;
  return (state){{t->x + x, t->y + y, t->height - hang + waves, t->slide[0], t->slide[1],
                  -t->fall - t->sides * (x * x + y * y) - waves}};
}

bool cloth_over_teapot(uint32_t size, cloth_moment moment, cloth_patches *cloth) {
  return cloth_make(size, tent_shape, &tents[moment], cloth);
}

const char *cloth_moment_name(cloth_moment moment) {
  return moment < CLOTH_MOMENTS ? tents[moment].name : "";
}

/* --- pinned --- */

/* Hung by the corners (0, 0) and (1, 1): s goes from one to the other, w across. The line between them sags, both sides
 * hang down from it as the legs of an arch, and come together, the tips fastest, while the pinned corners approach each
 * other. */
static state pinned_shape(const void *user, double u, double v) {
  (void)user;
  const double s = u + v - 1, w = u - v, bend = 0.2;
  const double leg = sqrt(w * w + bend * bend);
  return (state){{0.9 * s + 0.15 * w, 0.12 * w / leg, -0.6 * (1 - s * s) - 1.2 * (leg - bend), -0.1 * s,
                  -0.4 * w * w * w, -0.1 * (1 - s * s)}};
}

bool cloth_pinned(uint32_t size, cloth_patches *cloth) {
  return cloth_make(size, pinned_shape, NULL, cloth);
}
