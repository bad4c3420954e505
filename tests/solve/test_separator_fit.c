/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Separators: polynomials of degree three and their derivatives in whole numbers, and fits to surfaces that a quadric
 * or a cubic separates exactly. A bad fit proves nothing wrong, but it separates nothing either: these must be good
 * ones. */

#include "support/support.h"

#include "number/vector.h"
#include "solve/separator_fit.h"

#include <math.h>
#include <string.h>

#define ROUNDS UINT64_C(300)

static uint64_t seed;

/* --- polynomials --- */

static double value_at(const toi_cubic *f, const double y[3]) {
  double monomials[TOI_CUBIC_TERMS], sum = 0;
  toi_cubic_monomials(y, monomials);
  for (int m = 0; m < TOI_CUBIC_TERMS; m++)
    sum += f->term[m] * monomials[m];
  return sum;
}

/* Small whole numbers throughout: nothing is rounded, and products of linear forms have derivatives by the product
 * rule. */
static void derivatives_follow_the_product_rule(void **state) {
  (void)state;
  seed = test_seed(7);
  for (int round = 0; round < 200; round++) {
    double form[3][4], y[3], v[3];
    toi_affine field;
    for (int k = 0; k < 3; k++) {
      y[k] = (double)(test_random(&seed) % 9) - 4;
      field.shift[k] = (double)(test_random(&seed) % 9) - 4;
      for (int l = 0; l < 3; l++)
        field.matrix[k][l] = (double)(test_random(&seed) % 9) - 4;
      for (int l = 0; l < 4; l++)
        form[k][l] = (double)(test_random(&seed) % 9) - 4;
    }
    // The product of three linear forms, term by term.
    toi_cubic f = {{0}}, derivative;
    for (int i = 0; i < 64; i++) {
      const int pick[3] = {i % 4, i / 4 % 4, i / 16};
      double factor = 1;
      uint8_t term = 0;
      for (int k = 0; k < 3; k++) {
        factor *= form[k][pick[k]];
        term = pick[k] == 3 ? term : toi_term_times[term][pick[k]];
      }
      f.term[term] += factor;
    }
    double at[3], along[3];
    for (int k = 0; k < 3; k++)
      v[k] = field.matrix[k][0] * y[0] + field.matrix[k][1] * y[1] + field.matrix[k][2] * y[2] + field.shift[k];
    for (int k = 0; k < 3; k++) {
      at[k] = form[k][0] * y[0] + form[k][1] * y[1] + form[k][2] * y[2] + form[k][3];
      along[k] = form[k][0] * v[0] + form[k][1] * v[1] + form[k][2] * v[2];
    }
    toi_cubic_along(&f, &field, &derivative);
    assert_true(value_at(&f, y) == at[0] * at[1] * at[2]);
    assert_true(value_at(&derivative, y) ==
                along[0] * at[1] * at[2] + at[0] * along[1] * at[2] + at[0] * at[1] * along[2]);
  }
}

/* For a box and coefficients that are positive the bounds are the values at its corner. */
static void bounds_are_those_of_a_corner(void **state) {
  (void)state;
  seed = test_seed(11);
  for (int round = 0; round < 200; round++) {
    toi_cubic f, minus;
    double corner[3], monomials[TOI_CUBIC_TERMS], square = 0;
    for (int k = 0; k < 3; k++)
      corner[k] = (double)(test_random(&seed) % 5);
    for (int m = 0; m < TOI_CUBIC_TERMS; m++) {
      f.term[m] = (double)(test_random(&seed) % 9);
      minus.term[m] = test_random(&seed) & 1 ? -f.term[m] : f.term[m];
    }
    toi_cubic_monomials(corner, monomials);
    assert_true(toi_cubic_most(&minus, monomials) == value_at(&f, corner));
    for (int k = 0; k < 3; k++) {
      toi_affine along = {.shift = {0}};
      toi_cubic slope;
      along.shift[k] = 1;
      toi_cubic_along(&f, &along, &slope);
      square += value_at(&slope, corner) * value_at(&slope, corner);
    }
    assert_true(toi_cubic_slope_most(&minus, monomials) == sqrt(square));
  }
}

/* --- fits --- */

/* Two sheets over the same square, anywhere and of any size: +-half a gap about a height. */
typedef struct sheets {
  double axes[3][3], origin[3], size, gap;
  bool cubic;
  double way; /* the first one rises by this until the end, in gaps, and the second one by twice as much */
} sheets;

static void random_sheets(double gap, bool cubic, double way, sheets *s) {
  double a[3], b[3];
  for (int k = 0; k < 3; k++) {
    a[k] = test_random_unit(&seed) - 0.5;
    b[k] = test_random_unit(&seed) - 0.5;
    s->origin[k] = 10 * (test_random_unit(&seed) - 0.5);
  }
  const double length = sqrt(toi_dot(a, a)), part = toi_dot(a, b) / toi_dot(a, a);
  for (int k = 0; k < 3; k++) {
    s->axes[0][k] = a[k] / length;
    b[k] -= part * a[k];
  }
  const double across = sqrt(toi_dot(b, b));
  for (int k = 0; k < 3; k++)
    s->axes[1][k] = b[k] / across;
  toi_cross(s->axes[0], s->axes[1], s->axes[2]);
  s->size = ldexp(1, (int)(test_random(&seed) % 60) - 30);
  s->gap = gap;
  s->cubic = cubic;
  s->way = way;
}

static void sheet_point(const sheets *s, int side, double u, double v, double later, double x[3]) {
  const double curved = s->cubic ? 0.125 * (u * u * u - 2 * u * v * v) + 0.0625 * u * v : 0.25 * u * u - 0.125 * v * v;
  const double height = curved + (side == 0 ? 0.5 : -0.5) * s->gap + later * s->gap * s->way * (side + 1);
  for (int k = 0; k < 3; k++)
    x[k] = s->origin[k] + s->size * (u * s->axes[0][k] + v * s->axes[1][k] + height * s->axes[2][k]);
}

/* A grid in the middle of the time, and, if they move, one at its start and one at its end. */
static void take_samples(const sheets *s, toi_separator_samples *samples) {
  memset(samples, 0, sizeof *samples);
  for (int side = 0; side < 2; side++) {
    samples->lines[side][0] = samples->lines[side][1] = TOI_SAMPLE_LINES;
    for (int time = 0; time < (s->way != 0 ? 3 : 1); time++)
      for (int i = 0; i < TOI_SAMPLE_LINES * TOI_SAMPLE_LINES; i++) {
        const int row = i / TOI_SAMPLE_LINES, column = i % TOI_SAMPLE_LINES;
        sheet_point(s, side, row / 4.0 - 0.5, column / 4.0 - 0.5,
                    time == 0   ? 0
                    : time == 1 ? -1
                                : 1,
                    samples->at[side][samples->count[side]++]);
      }
  }
}

static void to_frame(const toi_separator_frame *frame, const double x[3], double y[3]) {
  for (int k = 0; k < 3; k++) {
    y[k] = 0;
    for (int l = 0; l < 3; l++)
      y[k] += frame->axes[k][l] * ((x[l] - frame->origin[l]) * frame->scale);
  }
}

/* The frame is one of unit size across both sheets. */
static void expect_frame(const sheets *s, const toi_separator_samples *samples, const toi_separator_samples *before,
                         const toi_separator_frame *frame) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      assert_true(fabs(toi_dot(frame->axes[i], frame->axes[j]) - (i == j)) < 1e-15);
  assert_true(fabs(toi_dot(frame->axes[2], s->axes[2])) > 0.95);
  int exponent;
  assert_true(frexp(frame->scale, &exponent) == 0.5);
  double far = 0;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < samples->count[side]; i++) {
      double y[3];
      to_frame(frame, before->at[side][i], y);
      for (int k = 0; k < 3; k++)
        assert_true(fabs(samples->at[side][i][k] - y[k]) < 1e-12 + 1e-14 / s->size);
      far = fmax(far, sqrt(toi_dot(y, y)));
    }
  assert_true(far >= 0.5 && far < 1.5);
}

/* F is near +c on the first sheet and -c on the second, everywhere between the samples too. */
static void expect_fit(const sheets *s, const toi_separator_frame *frame, const toi_cubic *f, double off) {
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 17 * 17; i++) {
      const int row = i / 17, column = i % 17;
      double x[3], y[3];
      sheet_point(s, side, row / 16.0 - 0.5, column / 16.0 - 0.5, 0, x);
      to_frame(frame, x, y);
      least[side] = fmin(least[side], value_at(f, y));
      most[side] = fmax(most[side], value_at(f, y));
    }
  const double gap = s->gap * s->size * frame->scale;
  if (!(least[0] - most[1] > (1 - off) * gap && most[0] - least[1] < (1 + off) * gap && fabs(least[0] + most[1]) < off))
    fail_msg("gap %g: from %g to %g, and from %g to %g", gap, least[1], most[1], least[0], most[0]);
}

static void fit_sheets(const sheets *s, int degree, double off) {
  toi_separator_samples samples, before;
  toi_separator_frame frame;
  toi_cubic f;
  take_samples(s, &samples);
  before = samples;
  assert_true(toi_separator_place(&samples, &frame));
  expect_frame(s, &samples, &before, &frame);
  toi_separator_fit(&samples, degree, &f);
  expect_fit(s, &frame, &f, off);
}

static void quadrics_separate_sheets_of_second_degree(void **state) {
  (void)state;
  seed = test_seed(12);
  for (uint64_t round = test_count(ROUNDS); round > 0; round--) {
    sheets s;
    random_sheets(1e-3, false, round % 2 ? 4 : 0, &s);
    fit_sheets(&s, 2, 0.1);
  }
}

/* In a frame that is not that of the sheets the cubic is nearly one of x and y alone. */
static void cubics_separate_sheets_of_third_degree(void **state) {
  (void)state;
  seed = test_seed(13);
  for (uint64_t round = test_count(ROUNDS); round > 0; round--) {
    sheets s;
    random_sheets(1e-2, true, round % 2 ? 1 : 0, &s);
    fit_sheets(&s, 3, 0.3);
  }
}

/* Along a turn's axis the frame is laid, if that does not go across the pieces. */
static void the_axis_of_a_turn_is_the_first(void **state) {
  (void)state;
  seed = test_seed(14);
  for (int round = 0; round < 50; round++) {
    toi_separator_samples samples;
    toi_separator_frame frame;
    sheets s;
    random_sheets(1e-3, false, 0, &s);
    take_samples(&s, &samples);
    memcpy(samples.axis, s.axes[round % 3], sizeof samples.axis);
    assert_true(toi_separator_place(&samples, &frame));
    assert_true((fabs(toi_dot(frame.axes[0], s.axes[round % 3])) > 1 - 1e-12) == (round % 3 < 2));
  }
}

/* Curves that run side by side leave many directions across them: it is the one from one to the other. */
static void parallel_curves_are_separated_along_their_distance(void **state) {
  (void)state;
  toi_separator_samples samples = {.count = {5, 5}, .lines = {{5, 1}, {5, 1}}};
  toi_separator_frame frame;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 5; i++) {
      const double at[3] = {i, 0.3 * side, 0.4 * side};
      memcpy(samples.at[side][i], at, sizeof at);
    }
  assert_true(toi_separator_place(&samples, &frame));
  assert_true(fabs(frame.axes[2][1]) > 0.599 && fabs(frame.axes[2][1]) < 0.601 && fabs(frame.axes[2][0]) < 1e-6);
  toi_cubic f;
  toi_separator_fit(&samples, 2, &f);
  for (int i = 0; i < 5; i++)
    assert_true(value_at(&f, samples.at[0][i]) > value_at(&f, samples.at[1][i]) + 0.4 * frame.scale);
}

static void what_is_too_small_or_too_large_has_no_frame(void **state) {
  (void)state;
  seed = test_seed(15);
  const double sizes[] = {0x1p-210, 0x1p-190, 0x1p190, 0x1p210, NAN};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    toi_separator_samples samples;
    toi_separator_frame frame;
    sheets s;
    random_sheets(1e-3, false, 0, &s);
    memset(s.origin, 0, sizeof s.origin);
    s.size = sizes[i];
    take_samples(&s, &samples);
    assert_true(toi_separator_place(&samples, &frame) == (i == 1 || i == 2));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_follow_the_product_rule),
      cmocka_unit_test(bounds_are_those_of_a_corner),
      cmocka_unit_test(quadrics_separate_sheets_of_second_degree),
      cmocka_unit_test(cubics_separate_sheets_of_third_degree),
      cmocka_unit_test(the_axis_of_a_turn_is_the_first),
      cmocka_unit_test(parallel_curves_are_separated_along_their_distance),
      cmocka_unit_test(what_is_too_small_or_too_large_has_no_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
