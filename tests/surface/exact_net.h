/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Control nets in exact arithmetic, cut to parts of the domain by polar forms.
 *
 * All numbers are doubles, or sums and products of few of them: in binary floating point with EXACT_BITS nothing is
 * rounded, as long as coordinates, weights and parameters are multiples of 2^-100 below 2^100. */

#ifndef TOI_TESTS_SURFACE_EXACT_NET_H
#define TOI_TESTS_SURFACE_EXACT_NET_H

#include <gmp.h>

#include <toi/surface.h>

#define EXACT_BITS 3072
#define EXACT_POINTS 100

/* w x, w y, w z, their velocities, w. */
#define EXACT_ROWS 7

typedef struct exact_net {
  mpf_t at[EXACT_ROWS][EXACT_POINTS];
} exact_net;

/* The net itself, its part, and room for one polar form. */
typedef struct exact_cut {
  exact_net whole, part;
  mpf_t line[EXACT_POINTS], arguments[9][3], product, place[2];
} exact_cut;

static inline void exact_cut_init(exact_cut *c) {
  mpf_set_default_prec(EXACT_BITS);
  for (int row = 0; row < EXACT_ROWS; row++)
    for (int i = 0; i < EXACT_POINTS; i++)
      mpf_inits(c->whole.at[row][i], c->part.at[row][i], NULL);
  for (int i = 0; i < EXACT_POINTS; i++)
    mpf_init(c->line[i]);
  for (int i = 0; i < 27; i++)
    mpf_init(c->arguments[i / 3][i % 3]);
  mpf_inits(c->product, c->place[0], c->place[1], NULL);
}

static inline void exact_cut_clear(exact_cut *c) {
  for (int row = 0; row < EXACT_ROWS; row++)
    for (int i = 0; i < EXACT_POINTS; i++)
      mpf_clears(c->whole.at[row][i], c->part.at[row][i], NULL);
  for (int i = 0; i < EXACT_POINTS; i++)
    mpf_clear(c->line[i]);
  for (int i = 0; i < 27; i++)
    mpf_clear(c->arguments[i / 3][i % 3]);
  mpf_clears(c->product, c->place[0], c->place[1], NULL);
}

/* The whole net of a patch, in the world. */
static inline void exact_cut_take(exact_cut *c, const toi_patch *patch) {
  size_t count = toi_patch_points(patch->shape, patch->degree);
  for (size_t i = 0; i < count; i++) {
    mpf_t *weight = &c->whole.at[6][i];
    mpf_set_d(*weight, patch->weights ? patch->weights[i] : 1);
    for (int k = 0; k < 3; k++) {
      mpf_set_d(c->whole.at[k][i], patch->points[i][k]);
      mpf_set_d(c->whole.at[k + 3][i], patch->velocities ? patch->velocities[i][k] : 0);
      mpf_mul(c->whole.at[k][i], c->whole.at[k][i], *weight);
      mpf_mul(c->whole.at[k + 3][i], c->whole.at[k + 3][i], *weight);
    }
  }
}

/* The polar form of a curve, control points in c->line, at c->arguments[.][0]: in c->line[0]. */
static inline void exact_polar_line(exact_cut *c, unsigned degree) {
  for (unsigned step = 0; step < degree; step++)
    for (unsigned i = 0; i + step < degree; i++) {
      mpf_sub(c->product, c->line[i + 1], c->line[i]);
      mpf_mul(c->product, c->product, c->arguments[step][0]);
      mpf_add(c->line[i], c->line[i], c->product);
    }
}

/* One direction of a quad's net, from `from` into `to`. */
static inline void exact_cut_direction(exact_cut *c, const toi_patch *patch, int way, const double ends[2]) {
  unsigned m = patch->degree[0], n = patch->degree[1], degree = patch->degree[way], lines = way == 0 ? n : m;
  size_t step = way == 0 ? n + 1 : 1, across = way == 0 ? 1 : n + 1;
  exact_net *from = way == 0 ? &c->whole : &c->part;
  mpf_t results[10];
  for (unsigned i = 0; i <= degree; i++)
    mpf_init(results[i]);
  for (int row = 0; row < EXACT_ROWS; row++)
    for (unsigned line = 0; line <= lines; line++) {
      for (unsigned i = 0; i <= degree; i++) {
        for (unsigned k = 0; k < degree; k++)
          mpf_set_d(c->arguments[k][0], ends[k < i]);
        for (unsigned k = 0; k <= degree; k++)
          mpf_set(c->line[k], from->at[row][line * across + k * step]);
        exact_polar_line(c, degree);
        mpf_set(results[i], c->line[0]);
      }
      for (unsigned i = 0; i <= degree; i++)
        mpf_set(c->part.at[row][line * across + i * step], results[i]);
    }
  for (unsigned i = 0; i <= degree; i++)
    mpf_clear(results[i]);
}

/* A triangle's polar form at c->arguments (barycentric: 1 - u - v, u, v), of the row in c->line. */
static inline void exact_polar_triangle(exact_cut *c, unsigned degree) {
  for (unsigned step = 0; step < degree; step++) {
    size_t from = 0, to = 0;
    for (unsigned b = 0; b + step < degree; b++) {
      size_t above = from + degree - step - b + 1;
      for (unsigned a = 0; a + b + step < degree; a++, to++) {
        mpf_mul(c->line[from + a], c->line[from + a], c->arguments[step][0]);
        mpf_mul(c->product, c->line[from + a + 1], c->arguments[step][1]);
        mpf_add(c->line[from + a], c->line[from + a], c->product);
        mpf_mul(c->product, c->line[above + a], c->arguments[step][2]);
        mpf_add(c->line[to], c->line[from + a], c->product);
      }
      from = above;
    }
  }
}

static inline void exact_cut_triangle(exact_cut *c, unsigned n, const double corner[3][2]) {
  size_t count = (size_t)(n + 1) * (n + 2) / 2, at = 0;
  for (unsigned b = 0; b <= n; b++)
    for (unsigned a = 0; a + b <= n; a++, at++) {
      for (unsigned k = 0; k < n; k++) {
        const double *uv = corner[k < a ? 1 : k < a + b ? 2 : 0];
        mpf_set_d(c->arguments[k][1], uv[0]);
        mpf_set_d(c->arguments[k][2], uv[1]);
        mpf_set_ui(c->arguments[k][0], 1);
        mpf_sub(c->arguments[k][0], c->arguments[k][0], c->arguments[k][1]);
        mpf_sub(c->arguments[k][0], c->arguments[k][0], c->arguments[k][2]);
      }
      for (int row = 0; row < EXACT_ROWS; row++) {
        for (size_t i = 0; i < count; i++)
          mpf_set(c->line[i], c->whole.at[row][i]);
        exact_polar_triangle(c, n);
        mpf_set(c->part.at[row][at], c->line[0]);
      }
    }
}

/* One row of the whole net at c->place, into `out`. */
static inline void exact_cut_at(exact_cut *c, const toi_patch *patch, int row, mpf_t out) {
  bool quad = patch->shape == TOI_PATCH_QUAD;
  uint32_t m = patch->degree[0], n = patch->degree[1];
  for (int k = 0; k < 9; k++) {
    mpf_set(c->arguments[k][1], c->place[0]);
    mpf_set(c->arguments[k][2], c->place[1]);
    mpf_set_ui(c->arguments[k][0], 1);
    mpf_sub(c->arguments[k][0], c->arguments[k][0], c->place[0]);
    mpf_sub(c->arguments[k][0], c->arguments[k][0], c->place[1]);
  }
  if (!quad) {
    for (size_t i = 0; i < toi_patch_points(patch->shape, patch->degree); i++)
      mpf_set(c->line[i], c->whole.at[row][i]);
    exact_polar_triangle(c, m);
    mpf_set(out, c->line[0]);
    return;
  }
  // The results of the lines wait in the part's net.
  for (uint32_t i = 0; i <= m; i++) {
    for (int k = 0; k < 9; k++)
      mpf_set(c->arguments[k][0], c->place[1]);
    for (uint32_t j = 0; j <= n; j++)
      mpf_set(c->line[j], c->whole.at[row][(size_t)i * (n + 1) + j]);
    exact_polar_line(c, n);
    mpf_set(c->part.at[row][i], c->line[0]);
  }
  for (int k = 0; k < 9; k++)
    mpf_set(c->arguments[k][0], c->place[0]);
  for (uint32_t i = 0; i <= m; i++)
    mpf_set(c->line[i], c->part.at[row][i]);
  exact_polar_line(c, m);
  mpf_set(out, c->line[0]);
}

/* The part over the corners: of a quad the least and the largest parameters, of a triangle three places. */
static inline void exact_cut_to(exact_cut *c, const toi_patch *patch, const double corner[3][2]) {
  if (patch->shape == TOI_PATCH_TRIANGLE) {
    exact_cut_triangle(c, patch->degree[0], corner);
    return;
  }
  for (int way = 0; way < 2; way++) {
    const double ends[2] = {corner[0][way], corner[1][way]};
    exact_cut_direction(c, patch, way, ends);
  }
}

#endif
