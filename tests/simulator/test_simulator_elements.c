/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The simulator's elements: gradients and Hessians against differences of the energy, which may be believed to about
 * eight digits; projected Hessians are positive semi-definite and not below the true ones. */

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulator/bending.h"
#include "simulator/contact.h"
#include "simulator/membrane.h"
#include "simulator/vector.h"

#define STEP 1e-5

static uint64_t random_state;

static double random_between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&random_state);
}

/* The energy and gradient of one element of `points` points, whichever it is. */
typedef struct element {
  int points;
  sim_triangle triangle;
  sim_hinge hinge;
  sim_lame lame;
} element;

static double energy(const element *e, const double (*x)[3]) {
  return e->points == 3 ? triangle_energy(&e->triangle, e->lame, x) : hinge_energy(&e->hinge, x);
}

/* The gradient, and the Hessian by the element itself; all blocks. */
static void derivatives(const element *e, const double (*x)[3], double g[12], double h[12][12]) {
  double gradient[4][3], a[4][3], blocks[3][3][3][3];
  double curvature = 0;
  if (e->points == 3)
    triangle_derivatives(&e->triangle, e->lame, x, gradient, blocks);
  else
    curvature = hinge_derivatives(&e->hinge, x, gradient, a);
  const int n = 3 * e->points;
  for (int i = 0; i < n; i++) {
    g[i] = gradient[i / 3][i % 3];
    for (int j = 0; j < n; j++) {
      const bool lower = i / 3 >= j / 3;
      if (e->points == 3)
        h[i][j] = lower ? blocks[i / 3][j / 3][i % 3][j % 3] : blocks[j / 3][i / 3][j % 3][i % 3];
      else
        h[i][j] = curvature * a[i / 3][i % 3] * a[j / 3][j % 3];
    }
  }
}

/* Central differences: of the energy, and of the gradient. */
static void differences(const element *e, const double (*x)[3], double g[12], double h[12][12]) {
  const int n = 3 * e->points;
  for (int j = 0; j < n; j++) {
    double y[4][3], plus[12], minus[12], unused[12][12];
    memcpy(y, x, (size_t)e->points * sizeof *y);
    y[j / 3][j % 3] = x[j / 3][j % 3] + STEP;
    const double above = energy(e, (const double(*)[3])y);
    derivatives(e, (const double(*)[3])y, plus, unused);
    y[j / 3][j % 3] = x[j / 3][j % 3] - STEP;
    g[j] = (above - energy(e, (const double(*)[3])y)) / (2 * STEP);
    derivatives(e, (const double(*)[3])y, minus, unused);
    for (int i = 0; i < n; i++)
      h[i][j] = (plus[i] - minus[i]) / (2 * STEP);
  }
}

static double largest(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(values[i]));
  return most;
}

static void assert_close(const double *a, const double *b, int count, double tolerance, const char *what) {
  const double scale = 1 + largest(b, count);
  for (int i = 0; i < count; i++)
    if (!(fabs(a[i] - b[i]) <= tolerance * scale))
      fail_msg("%s: entry %d is %.12g, by differences %.12g", what, i, a[i], b[i]);
}

/* v^T h v for random v, of this sign or about 0. */
static void assert_not_negative(int n, double h[12][12], const char *what) {
  for (int round = 0; round < 40; round++) {
    double v[12], sum = 0;
    for (int i = 0; i < n; i++)
      v[i] = random_between(-1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += v[i] * h[i][j] * v[j];
    if (!(sum >= -1e-6 * (1 + largest(h[0], 144))))
      fail_msg("%s: v^T H v = %g", what, sum);
  }
}

/* A triangle or a hinge with sides of about 1, flat or not. */
static void random_points(double (*x)[3], double height) {
  const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.9, 0}, {0.5, -0.9, 0}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      x[i][k] = corners[i][k] + random_between(-0.3, 0.3) * (k == 2 ? height : 1);
}

static element make_triangle(void) {
  element e = {.points = 3, .triangle = {.v = {0, 1, 2}}, .lame = lame_constants(3, random_between(0, 0.45))};
  double rest[4][3];
  random_points(rest, 1);
  assert_true(triangle_make(&e.triangle, (const double(*)[3])rest));
  return e;
}

static void triangle_at_rest_has_no_force(void **state) {
  (void)state;
  element e = {.points = 3, .triangle = {.v = {0, 1, 2}}, .lame = lame_constants(7, 0.3)};
  double rest[4][3], g[12], h[12][12];
  random_points(rest, 1);
  assert_true(triangle_make(&e.triangle, (const double(*)[3])rest));
  derivatives(&e, (const double(*)[3])rest, g, h);
  assert_true(largest(g, 9) < 1e-14);
  assert_true(fabs(energy(&e, (const double(*)[3])rest)) < 1e-14);
}

static void triangle_gradient_is_that_of_its_energy(void **state) {
  (void)state;
  for (uint64_t round = test_count(2000); round > 0; round--) {
    const element e = make_triangle();
    double x[4][3], g[12], h[12][12], dg[12], dh[12][12];
    random_points(x, 1);
    derivatives(&e, (const double(*)[3])x, g, h);
    differences(&e, (const double(*)[3])x, dg, dh);
    assert_close(g, dg, 9, 1e-7, "gradient");
  }
}

/* Stretched in both directions no eigenvalue is negative: the Hessian is the true one. */
static void stretched_triangle_has_its_own_hessian(void **state) {
  (void)state;
  for (uint64_t round = test_count(1000); round > 0; round--) {
    element e = {.points = 3, .triangle = {.v = {0, 1, 2}}, .lame = lame_constants(3, 0.3)};
    double rest[4][3], x[4][3], g[12], h[12][12] = {{0}}, dg[12], dh[12][12] = {{0}};
    random_points(rest, 1);
    assert_true(triangle_make(&e.triangle, (const double(*)[3])rest));
    // A map of singular values above 1.
    const double angle = random_between(0, 6), a = random_between(1.01, 2), b = random_between(1.01, 2);
    const double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 4; i++) {
      x[i][0] = a * (c * rest[i][0] - s * rest[i][1]);
      x[i][1] = b * (s * rest[i][0] + c * rest[i][1]);
      x[i][2] = 1.7 * rest[i][2];
    }
    derivatives(&e, (const double(*)[3])x, g, h);
    differences(&e, (const double(*)[3])x, dg, dh);
    assert_close(h[0], dh[0], 9 * 12, 1e-6, "Hessian");
  }
}

/* Nearest positive semi-definite: neither below 0 nor below the true one; the same where nothing was cut. */
static void compressed_triangle_has_a_projected_hessian(void **state) {
  (void)state;
  for (uint64_t round = test_count(1000); round > 0; round--) {
    const element e = make_triangle();
    double x[4][3], g[12], h[12][12] = {{0}}, dg[12], dh[12][12], more[12][12] = {{0}};
    random_points(x, round % 2 == 0 ? 1 : 0);
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 3; k++)
        x[i][k] *= k == 0 ? random_between(0.2, 1) : 0.6;
    derivatives(&e, (const double(*)[3])x, g, h);
    differences(&e, (const double(*)[3])x, dg, dh);
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 9; j++)
        more[i][j] = h[i][j] - dh[i][j];
    assert_not_negative(9, h, "projected Hessian");
    assert_not_negative(9, more, "projected minus true Hessian");
  }
}

static void triangle_without_area_has_infinite_energy(void **state) {
  (void)state;
  const element e = make_triangle();
  const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  assert_true(energy(&e, x) == INFINITY);
  sim_triangle flat = {.v = {0, 1, 2}};
  assert_false(triangle_make(&flat, x));
}

static void hinge_gradient_is_that_of_its_energy(void **state) {
  (void)state;
  for (uint64_t round = test_count(2000); round > 0; round--) {
    element e = {.points = 4, .hinge = {.v = {0, 1, 2, 3}}};
    double rest[4][3], x[4][3], g[12], h[12][12], dg[12], dh[12][12];
    random_points(rest, round % 2 == 0 ? 1 : 0);
    random_points(x, 2);
    hinge_make(&e.hinge, 0.5, (const double(*)[3])rest);
    derivatives(&e, (const double(*)[3])x, g, h);
    differences(&e, (const double(*)[3])x, dg, dh);
    assert_close(g, dg, 12, 1e-6, "gradient");
    assert_not_negative(12, h, "Hessian");
    // At rest nothing is left out of the Hessian.
    derivatives(&e, (const double(*)[3])rest, g, h);
    differences(&e, (const double(*)[3])rest, dg, dh);
    assert_true(largest(g, 12) < 1e-12);
    assert_close(h[0], dh[0], 144, 1e-5, "Hessian at rest");
  }
}

static void folded_hinge_has_infinite_energy(void **state) {
  (void)state;
  element e = {.points = 4, .hinge = {.v = {0, 1, 2, 3}}};
  const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
  const double folded[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, 1, 0}};
  hinge_make(&e.hinge, 0.5, rest);
  assert_true(energy(&e, rest) == 0);
  assert_true(energy(&e, folded) == INFINITY);
}

/* A right angle across a strip of width 1: 2 tan(45 degrees) = 2, weight 3 B |e|^2 / (A + A). */
static void hinge_of_a_right_angle(void **state) {
  (void)state;
  element e = {.points = 4, .hinge = {.v = {0, 1, 2, 3}}};
  const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
  const double bent[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 1}, {0.5, -1, 0}};
  hinge_make(&e.hinge, 0.5, rest);
  assert_true(fabs(energy(&e, bent) - 0.5 * (0.5 * 3 / 1) * 4) < 1e-14);
}

static void barrier_derivatives_are_those_of_the_barrier(void **state) {
  (void)state;
  const sim_scene s = {.distance = 0.01, .stiffness = 3};
  assert_true(barrier(&s, 0.01) == 0 && barrier_slope(&s, 0.01) == 0 && barrier_curvature(&s, 0.02) == 0);
  for (int i = 1; i < 99; i++) {
    const double d = 1e-4 * i, h = 1e-5 * d;
    const double slope = (barrier(&s, d + h) - barrier(&s, d - h)) / (2 * h);
    const double curvature = (barrier_slope(&s, d + h) - barrier_slope(&s, d - h)) / (2 * h);
    assert_true(fabs(slope - barrier_slope(&s, d)) <= 1e-6 * fabs(slope));
    assert_true(fabs(curvature - barrier_curvature(&s, d)) <= 1e-6 * fabs(curvature));
    assert_true(slope < 0 && curvature > 0);
  }
}

int main(void) {
  random_state = test_seed(20260301);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangle_at_rest_has_no_force),
      cmocka_unit_test(triangle_gradient_is_that_of_its_energy),
      cmocka_unit_test(stretched_triangle_has_its_own_hessian),
      cmocka_unit_test(compressed_triangle_has_a_projected_hessian),
      cmocka_unit_test(triangle_without_area_has_infinite_energy),
      cmocka_unit_test(hinge_gradient_is_that_of_its_energy),
      cmocka_unit_test(folded_hinge_has_infinite_energy),
      cmocka_unit_test(hinge_of_a_right_angle),
      cmocka_unit_test(barrier_derivatives_are_those_of_the_barrier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
