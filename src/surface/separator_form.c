/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bernstein coefficients of a polynomial on a piece, divided by those of a power of the weight. What they are off by is
 * in separator_bound.c. */

#include "surface/separator.h"

#include <math.h>
#include <string.h>

static const double binomial[TOI_PATCH_DEGREE_MOST + 1][TOI_PATCH_DEGREE_MOST + 1] = {
    {1},
    {1, 1},
    {1, 2, 1},
    {1, 3, 3, 1},
    {1, 4, 6, 4, 1},
    {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6, 1},
    {1, 7, 21, 35, 35, 21, 7, 1},
    {1, 8, 28, 56, 70, 56, 28, 8, 1},
    {1, 9, 36, 84, 126, 126, 84, 36, 9, 1}};

/* Rows and columns of coefficients of the D-th power; a triangle's lie in a square, those outside of it zero. */
static void form_size(const toi_patch *patch, size_t power, size_t size[2]) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  size[0] = power * patch->degree[0] + 1;
  size[1] = power * (quad ? patch->degree[1] : patch->degree[0]) + 1;
}

/* Adds the product of two forms, times binomials as they all are: a plain product of polynomials. */
static void add_product(const double *a, const size_t a_size[2], const double *b, const size_t b_size[2], double *sum) {
  const size_t columns = a_size[1] + b_size[1] - 1;
  for (size_t i = 0; i < b_size[0]; i++)
    for (size_t j = 0; j < b_size[1]; j++) {
      const double factor = b[i * b_size[1] + j];
      if (factor == 0)
        continue;
      for (size_t k = 0; k < a_size[0]; k++) {
        const double *row = a + k * a_size[1];
        double *to = sum + (i + k) * columns + j;
        for (size_t l = 0; l < a_size[1]; l++)
          to[l] += factor * row[l];
      }
    }
}

/* Rows of a net in a form's order, times binomials. */
static void spread(const toi_patch *patch, const double *row, double *form) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  const uint32_t m = patch->degree[0], n = quad ? patch->degree[1] : m;
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++) {
      const bool inside = quad || i + j <= m;
      const double factor = inside ? binomial[m][i] * (quad ? binomial[n][j] : binomial[m - i][j]) : 0;
      form[(size_t)i * (n + 1) + j] = inside ? factor * row[toi_net_index(patch, i, j)] : 0;
    }
}

void toi_separator_square(toi_separator_space *space, int side) {
  // Monomials in their order are products of W x y z, the first not after the second.
  double(*linear)[TOI_NET_POINTS] = space->linear[side];
  size_t size[2], square[2];
  form_size(space->side[side].piece->root->patch, 1, size);
  form_size(space->side[side].piece->root->patch, 2, square);
  for (int k = 0; k < 4; k++)
    spread(space->side[side].piece->root->patch, space->side[side].net[(k + 3) % 4], linear[k]);
  for (int i = 0, term = 0; i < 4; i++)
    for (int j = i; j < 4; j++, term++) {
      double *sum = space->square[side][term];
      memset(sum, 0, square[0] * square[1] * sizeof(double));
      add_product(linear[i], size, linear[j], size, sum);
    }
}

/* The sum of some terms of F over x, y, z or nothing, of degree two each; false: there are none. */
static bool sum_terms(toi_separator_space *space, int side, const toi_cubic *f, int over, size_t count) {
  bool any = false;
  const int first = over < 0 ? 0 : over == 0 ? 10 : over == 1 ? 16 : 19;
  const int last = over < 0 ? 10 : over == 0 ? 16 : over == 1 ? 19 : 20;
  for (int m = first; m < last; m++) {
    if (f->term[m] == 0)
      continue;
    const double *square = space->square[side][over < 0 ? m : toi_term_over[m][over]];
    if (!any)
      memset(space->sum, 0, count * sizeof(double));
    for (size_t i = 0; i < count; i++)
      space->sum[i] += f->term[m] * square[i];
    any = true;
  }
  return any;
}

/* Outside of a triangle there is no weight, and no coefficient. */
static void keep_quotients(const double *values, const double *weights, toi_separator_form *form, double *quotient) {
  form->count = 0;
  for (size_t i = 0; i < form->cells; i++)
    if (weights[i] > 0)
      quotient[form->count++] = values[i] / weights[i];
}

/* Quotients of F W^2 and W^2. */
static void divide_square(toi_separator_space *space, int side, const toi_cubic *f, double *quotient) {
  toi_separator_form *form = &space->form[side];
  const double *weight = space->square[side][0];
  if (!sum_terms(space, side, f, -1, form->cells))
    memset(space->sum, 0, form->cells * sizeof(double));
  keep_quotients(space->sum, weight, form, quotient);
}

/* Quotients of F W^3 and W^3: the terms up to degree two times W, those of degree three as products with x, y and z. */
static void divide_cube(toi_separator_space *space, int side, const toi_cubic *f, double *quotient) {
  toi_separator_form *form = &space->form[side];
  const toi_patch *patch = space->side[side].piece->root->patch;
  size_t size[2], square[2];
  form_size(patch, 1, size);
  form_size(patch, 2, square);
  memset(space->product, 0, form->cells * sizeof(double));
  for (int over = -1; over < 3; over++)
    if (sum_terms(space, side, f, over, square[0] * square[1]))
      add_product(space->sum, square, space->linear[side][over + 1], size, space->product);
  keep_quotients(space->product, space->weight, form, quotient);
}

static void make_weights(toi_separator_space *space, int side) {
  const toi_patch *patch = space->side[side].piece->root->patch;
  size_t size[2], square[2];
  form_size(patch, 1, size);
  form_size(patch, 2, square);
  memset(space->weight, 0, space->form[side].cells * sizeof(double));
  add_product(space->square[side][0], square, space->linear[side][0], size, space->weight);
}

void toi_separator_divide(toi_separator_space *space, int side, const toi_cubic *f, int degree, double *quotient) {
  size_t size[2];
  form_size(space->side[side].piece->root->patch, (size_t)degree, size);
  space->form[side].cells = size[0] * size[1];
  if (degree == 3) {
    make_weights(space, side);
    divide_cube(space, side, f, quotient);
  } else {
    divide_square(space, side, f, quotient);
  }
}

/* Adds a multiple of a form of degree one. */
static void add_multiple(double factor, const double *form, size_t count, double *sum) {
  for (size_t i = 0; i < count && factor != 0; i++)
    sum[i] += factor * form[i];
}

void toi_separator_divide_moving(toi_separator_space *space, int side, const toi_cubic *f) {
  const toi_patch *patch = space->side[side].piece->root->patch;
  toi_separator_form *form = &space->form[side];
  double speed[3][TOI_NET_POINTS], line[TOI_NET_POINTS];
  size_t size[2];
  form_size(patch, 1, size);
  for (int k = 0; k < 3; k++)
    spread(patch, space->side[side].velocity[k], speed[k]);
  for (int order = 1; order < 3; order++) {
    memset(space->product, 0, form->cells * sizeof(double));
    for (int k = 0; k < 3; k++) {
      // The derivative of F by coordinate k, times W; or its change along the velocity, halved.
      memset(line, 0, sizeof(line));
      if (order == 1)
        add_multiple(f->term[1 + k], space->linear[side][0], size[0] * size[1], line);
      for (int l = 0; l < 3; l++) {
        const double bend = (k == l ? 2 : 1) * f->term[toi_term_times[1 + k][l]];
        add_multiple(order == 1 ? bend : 0.5 * bend, order == 1 ? space->linear[side][1 + l] : speed[l],
                     size[0] * size[1], line);
      }
      add_product(line, size, speed[k], size, space->product);
    }
    keep_quotients(space->product, space->square[side][0], form, form->quotient[order]);
  }
}

double toi_separator_form_least(const toi_separator_form *form, double sign, double s0, double s1) {
  double least = INFINITY;
  const double *f = form->quotient[0], *g = form->quotient[1], *h = form->quotient[2];
  if (form->orders == 1) {
    for (size_t i = 0; i < form->count; i++)
      least = sign * f[i] < least ? sign * f[i] : least;
    return least;
  }
  // Of a quadratic polynomial from s0 to s1: its Bernstein coefficients.
  const double half = 0.5 * (s1 - s0);
  for (size_t i = 0; i < form->count; i++) {
    const double start = sign * (f[i] + s0 * (g[i] + s0 * h[i])), end = sign * (f[i] + s1 * (g[i] + s1 * h[i]));
    const double middle = start + half * sign * (g[i] + 2 * s0 * h[i]);
    least = start < least ? start : least;
    least = middle < least ? middle : least;
    least = end < least ? end : least;
  }
  return least;
}
