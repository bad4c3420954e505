/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Derivatives of stencils against differences in 700 bits (stencil_oracle.h), within the errors that toi/stencil.h
 * states; where features meet, against each other; and points that have none. */

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "narrow/stencil.h"
#include "narrow/stencil_oracle.h"
#include "support/support.h"

#define UNIT 0x1p-53

/* The letters of toi/stencil.h, for points of ordinary size. */
typedef struct scale {
  double k, m, s, least;
} scale;

static double length(const double a[3]) {
  return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void minus(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[i] - b[i];
}

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static scale scale_of(toi_kind kind, const double (*points)[3]) {
  const bool edges = kind == TOI_EDGE_EDGE;
  double a[3], b[3], r[3], n[3];
  minus(points[0], points[edges ? 2 : 1], r);
  scale z = {1, length(r), 1, 1};
  if (kind == TOI_VERTEX_VERTEX)
    return z;
  minus(points[edges ? 1 : 2], points[edges ? 0 : 1], a);
  z.least = length(a);
  z.m = fmax(z.m, z.least);
  if (kind != TOI_VERTEX_EDGE) {
    minus(points[3], points[edges ? 2 : 1], b);
    cross(a, b, n);
    z.k = length(a) * length(b) / length(n);
    z.m = fmax(z.m, length(b));
    z.least = fmin(z.least, length(b));
  }
  z.s = 1 + 2 * z.k * z.m / z.least;
  return z;
}

typedef struct derived {
  double squared, gradient[12], hessian[144];
} derived;

static void print_points(toi_kind kind, const double (*points)[3]) {
  fprintf(stderr, "%s\n", toi_kind_name(kind));
  for (uint32_t i = 0; i < toi_kind_points(kind); i++)
    fprintf(stderr, "%a %a %a\n", points[i][0], points[i][1], points[i][2]);
}

static double uniform(uint64_t *random, double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(random);
}

/* --- points, biased to what is thin, close and far --- */

static void make_points(uint64_t *random, toi_kind kind, double points[4][3]) {
  const uint64_t style = test_random(random) % 8;
  const uint32_t count = toi_kind_points(kind);
  for (uint32_t i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++)
      points[i][k] = style == 1 ? (double)(test_random(random) % 7) - 3 : uniform(random, -1, 1);
  const double tiny = ldexp(1, -(int)(test_random(random) % 30));
  switch (style) {
  case 2: // a thin face, edges that are nearly parallel
    for (int k = 0; k < 3; k++)
      points[3][k] = points[kind == TOI_EDGE_EDGE ? 2 : 1][k] +
                     0.7 * (points[kind == TOI_EDGE_EDGE ? 1 : 2][k] - points[kind == TOI_EDGE_EDGE ? 0 : 1][k]) +
                     tiny * uniform(random, -1, 1);
    break;
  case 3: // close
    for (int k = 0; k < 3; k++)
      points[0][k] = (points[1][k] + points[2][k]) / 2 + tiny * uniform(random, -1, 1);
    break;
  case 4: // far from the origin
    for (uint32_t i = 0; i < count; i++)
      points[i][0] += 1000;
    break;
  case 5: // a short side
    for (int k = 0; k < 3; k++)
      points[2][k] = points[1][k] + tiny * uniform(random, -1, 1);
    break;
  case 6: // a far point
    for (int k = 0; k < 3; k++)
      points[0][k] /= tiny;
    break;
  default:
    break;
  }
}

/* --- against differences --- */

/* The part of a bound that a difference takes; infinite for what is no number. */
static double share_of(double bound, double got, double expected) {
  const double part = fabs(got - expected) / bound;
  return part >= 0 ? part : INFINITY;
}

/* Compares within a factor of the stated errors and one more unit; returns the largest share of it that was used. */
static double check_against(toi_kind kind, const double (*points)[3], const derived *got, const derived *expected,
                            const double bounds[3]) {
  const int n = 3 * (int)toi_kind_points(kind);
  double most = share_of(bounds[0], sqrt(got->squared), sqrt(expected->squared));
  for (int i = 0; i < n; i++)
    most = fmax(most, share_of(bounds[1], got->gradient[i], expected->gradient[i]));
  for (int i = 0; i < n * n; i++) {
    most = fmax(most, share_of(bounds[2], got->hessian[i], expected->hessian[i]));
    assert_true(got->hessian[i] == got->hessian[i % n * n + i / n]);
  }
  if (!(most <= 1)) {
    print_points(kind, points);
    fail_msg("off by %g of the bound", most);
  }
  return most;
}

static void derivatives_are_those_of_differences(void **state) {
  (void)state;
  uint64_t random = test_seed(21);
  double most[TOI_KIND_COUNT] = {0};
  size_t refused = 0;
  oracle o = {.mollifier = false};
  oracle_make(&o);
  for (uint64_t round = 0; round < test_count(2400); round++) {
    const toi_kind kind = (toi_kind)(round % TOI_KIND_COUNT);
    double points[4][3];
    const double(*given)[3] = (const double(*)[3])points;
    derived got, expected = {0};
    make_points(&random, kind, points);
    const scale z = scale_of(kind, given);
    const toi_status status = toi_stencil_derivatives(kind, given, &got.squared, got.gradient, got.hessian);
    if (status != TOI_OK) {
      assert_true(!(z.k < 0x1p41) || z.least < 0x1p-63 * z.m);
      refused++;
      continue;
    }
    assert_true(z.k < 0x1p43);
    if (z.m == 0) { // points that coincide: there is no step for differences
      for (int i = 0; i < 36; i++)
        assert_true(got.gradient[i % 6] == 0 && got.hessian[i] == (i % 7 == 0 ? 2 : i % 6 == (i / 6 + 3) % 6 ? -2 : 0));
      continue;
    }
    o.kind = kind;
    oracle_derive(&o, given, &expected.squared, expected.gradient, expected.hessian);
    const double bounds[3] = {0x1p5 * z.k * UNIT * z.m, 0x1p8 * z.k * UNIT * z.s * z.m,
                              0x1p10 * z.k * UNIT * z.s * z.s};
    most[kind] = fmax(most[kind], check_against(kind, given, &got, &expected, bounds));
  }
  oracle_free(&o);
  printf("at most %.3f %.3f %.3f %.3f of the stated errors; %zu refused\n", most[0], most[1], most[2], most[3],
         refused);
}

/* --- where features meet --- */

/* The gradient of a pair, and that of its smaller features at the same points, agree: both are off by the stated error
 * at most, and the points are on the border up to a rounding of their coordinates. */
static void check_meeting(toi_kind kind, const double (*points)[3], toi_regions regions) {
  const toi_features features = toi_features_of(kind, regions);
  scale z = scale_of(kind, points);
  for (uint32_t i = 0; i < 3 * toi_kind_points(kind); i++)
    z.m = fmax(z.m, fabs(points[i / 3][i % 3]));
  double part[4][3] = {{0}}, spread[12] = {0};
  derived whole, smaller;
  assert_true(toi_regions_valid(kind, regions));
  for (uint32_t i = 0; i < toi_kind_points(features.kind); i++)
    memcpy(part[i], points[features.points[i]], sizeof part[i]);
  assert_int_equal(toi_stencil_derivatives(kind, points, &whole.squared, whole.gradient, whole.hessian), TOI_OK);
  assert_int_equal(toi_stencil_derivatives(features.kind, (const double(*)[3])part, &smaller.squared, smaller.gradient,
                                           smaller.hessian),
                   TOI_OK);
  for (uint32_t i = 0; i < 3 * toi_kind_points(features.kind); i++)
    spread[3 * features.points[i / 3] + i % 3] = smaller.gradient[i];
  assert_true(fabs(sqrt(whole.squared) - sqrt(smaller.squared)) <= 0x1p7 * z.k * UNIT * z.m);
  for (uint32_t i = 0; i < 3 * toi_kind_points(kind); i++)
    if (fabs(whole.gradient[i] - spread[i]) > 0x1p10 * z.k * UNIT * z.s * z.m) {
      print_points(kind, points);
      fail_msg("component %u: %a, and %a on the other side", i, whole.gradient[i], spread[i]);
    }
}

/* x = from + t (to - from) + h n. */
static void place(const double from[3], const double to[3], double t, const double n[3], double h, double x[3]) {
  for (int k = 0; k < 3; k++)
    x[k] = from[k] + t * (to[k] - from[k]) + h * n[k];
}

static void vertex_above_the_border_of_a_face(void **state) {
  (void)state;
  uint64_t random = test_seed(22);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    double points[4][3], a[3], b[3], n[3];
    const double(*given)[3] = (const double(*)[3])points;
    make_points(&random, TOI_VERTEX_FACE, points);
    const double h = ldexp(1, -(int)(test_random(&random) % 20));
    const uint8_t side = (uint8_t)(test_random(&random) % 3);
    minus(points[2], points[1], a);
    minus(points[3], points[1], b);
    cross(a, b, n);
    if (!(length(n) > 0x1p-20 * length(a) * length(b)) || fmin(length(a), length(b)) < 0x1p-20)
      continue;
    for (int k = 0; k < 3; k++)
      n[k] /= length(a) * length(b);
    place(points[1 + side], points[1 + (side + 1) % 3], test_random_unit(&random), n, h, points[0]);
    check_meeting(TOI_VERTEX_FACE, given, (toi_regions){{0, 0}, {1, side}});
    place(points[1 + side], points[1 + side], 0, n, h, points[0]);
    check_meeting(TOI_VERTEX_FACE, given, (toi_regions){{0, 0}, {1, side}});
    check_meeting(TOI_VERTEX_FACE, given, (toi_regions){{0, 0}, {0, side}});
  }
}

static void edge_whose_end_is_nearest(void **state) {
  (void)state;
  uint64_t random = test_seed(23);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    double points[4][3], a[3], b[3], n[3], foot[3];
    const double(*given)[3] = (const double(*)[3])points;
    make_points(&random, TOI_EDGE_EDGE, points);
    const double h = ldexp(1, -(int)(test_random(&random) % 20));
    const uint8_t end = (uint8_t)(test_random(&random) % 2);
    const bool corner = test_random(&random) % 3 == 0;
    minus(points[1], points[0], a);
    minus(points[3], points[2], b);
    cross(a, b, n);
    if (!(length(n) > 0x1p-20 * length(a) * length(b)) || fmin(length(a), length(b)) < 0x1p-20)
      continue;
    for (int k = 0; k < 3; k++)
      n[k] /= length(a) * length(b);
    // The first edge moves so that its end is above a point of the second one.
    place(points[2], points[3], corner ? 1 : test_random_unit(&random), n, h, foot);
    for (int k = 0; k < 3; k++) {
      points[end][k] = foot[k];
      points[!end][k] = foot[k] + (end ? -a[k] : a[k]);
    }
    check_meeting(TOI_EDGE_EDGE, given, (toi_regions){{0, end}, {1, 0}});
    if (!corner)
      continue;
    check_meeting(TOI_EDGE_EDGE, given, (toi_regions){{1, 0}, {0, 1}});
    check_meeting(TOI_EDGE_EDGE, given, (toi_regions){{0, end}, {0, 1}});
  }
}

static void vertex_beside_the_end_of_an_edge(void **state) {
  (void)state;
  uint64_t random = test_seed(24);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    double points[4][3], e[3], any[3], n[3];
    make_points(&random, TOI_VERTEX_EDGE, points);
    const uint8_t end = (uint8_t)(test_random(&random) % 2);
    minus(points[2], points[1], e);
    if (length(e) < 0x1p-20)
      continue;
    for (int k = 0; k < 3; k++)
      any[k] = uniform(&random, -1, 1) / length(e);
    cross(e, any, n);
    place(points[1 + end], points[1 + end], 0, n, ldexp(1, -(int)(test_random(&random) % 20)), points[0]);
    check_meeting(TOI_VERTEX_EDGE, (const double(*)[3])points, (toi_regions){{0, 0}, {0, end}});
  }
}

/* --- magnitudes --- */

/* A power of two scales the results exactly, out of the kernels' range and back; what overflows is refused. */
static void any_magnitude_gives_the_same_bits(void **state) {
  (void)state;
  static const int powers[] = {1, -1, 99, -99, 100, -101, 130, -130, 480, -480, -530, 505};
  uint64_t random = test_seed(25);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    const toi_kind kind = (toi_kind)(round % TOI_KIND_COUNT);
    const int power = powers[test_random(&random) % 12], n = 3 * (int)toi_kind_points(kind);
    double points[4][3], scaled[4][3];
    derived first, second;
    make_points(&random, kind, points);
    for (int i = 0; i < 12; i++)
      scaled[i / 3][i % 3] = ldexp(points[i / 3][i % 3], power);
    const toi_status status =
        toi_stencil_derivatives(kind, (const double(*)[3])points, &first.squared, first.gradient, first.hessian);
    const toi_status other =
        toi_stencil_derivatives(kind, (const double(*)[3])scaled, &second.squared, second.gradient, second.hessian);
    // Points far from the origin may overflow, far points square so.
    if (power > 400 && other != TOI_OK)
      continue;
    assert_int_equal(status, other);
    if (status != TOI_OK)
      continue;
    assert_true(ldexp(first.squared, 2 * power) == second.squared);
    for (int i = 0; i < n; i++)
      assert_true(ldexp(first.gradient[i], power) == second.gradient[i]);
    for (int i = 0; i < n * n; i++)
      assert_true(first.hessian[i] == second.hessian[i]);
  }
}

static void one_result_at_a_time_has_the_same_bits(void **state) {
  (void)state;
  uint64_t random = test_seed(26);
  for (int round = 0; round < 400; round++) {
    const toi_kind kind = (toi_kind)(round % TOI_KIND_COUNT);
    const size_t n = (size_t)3 * toi_kind_points(kind);
    double points[4][3];
    const double(*given)[3] = (const double(*)[3])points;
    derived all, one;
    make_points(&random, kind, points);
    const toi_status status = toi_stencil_derivatives(kind, given, &all.squared, all.gradient, all.hessian);
    assert_int_equal(toi_stencil_derivatives(kind, given, &one.squared, NULL, NULL), status);
    assert_int_equal(toi_stencil_derivatives(kind, given, NULL, one.gradient, NULL), status);
    assert_int_equal(toi_stencil_derivatives(kind, given, NULL, NULL, one.hessian), status);
    assert_memory_equal(&all.squared, &one.squared, sizeof all.squared);
    assert_memory_equal(all.gradient, one.gradient, n * sizeof(double));
    assert_memory_equal(all.hessian, one.hessian, n * n * sizeof(double));
  }
}

/* --- no derivatives --- */

static void check_refused(toi_kind kind, const double (*points)[3]) {
  const size_t n = (size_t)3 * toi_kind_points(kind);
  derived got;
  memset(&got, 0x55, sizeof got);
  assert_int_equal(toi_stencil_derivatives(kind, points, &got.squared, got.gradient, got.hessian), TOI_ERROR_INPUT);
  assert_true(got.squared == 0);
  for (size_t i = 0; i < n; i++)
    assert_true(got.gradient[i] == 0);
  for (size_t i = 0; i < n * n; i++)
    assert_true(got.hessian[i] == 0);
}

static void points_without_derivatives_are_refused(void **state) {
  (void)state;
  const double flat[4][3] = {{0, 0, 1}, {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}};
  const double parallel[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {3, 0, 0}};
  const double pointed[4][3] = {{0, 0, 1}, {1, 1, 1}, {1, 1, 1}, {3, 0, 0}};
  const double apart[4][3] = {{0, 0, 1}, {1, 0, 0}, {1, 0x1p-70, 0}, {0, 0, 1}};
  check_refused(TOI_VERTEX_FACE, flat);
  check_refused(TOI_VERTEX_FACE, pointed);
  check_refused(TOI_EDGE_EDGE, parallel);
  check_refused(TOI_VERTEX_EDGE, pointed);
  check_refused(TOI_VERTEX_EDGE, apart);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (uint32_t i = 0; i < 3 * toi_kind_points((toi_kind)kind); i++)
      // A square that overflows; lines and planes may well be that long.
      for (int what = 0; what < (kind == TOI_VERTEX_VERTEX ? 3 : 2); what++) {
        double points[4][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0.25, 1, 1}};
        points[i / 3][i % 3] = what == 0 ? NAN : what == 1 ? INFINITY : 1e300;
        check_refused((toi_kind)kind, (const double(*)[3])points);
      }
  check_refused(TOI_VERTEX_FACE, NULL);
  assert_int_equal(toi_stencil_derivatives((toi_kind)9, flat, NULL, NULL, NULL), TOI_ERROR_INPUT);
}

static void touching_features_have_derivatives(void **state) {
  (void)state;
  const double points[4][3] = {{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double twice[2][3] = {{1, 2, 3}, {1, 2, 3}};
  derived got;
  assert_int_equal(toi_stencil_derivatives(TOI_VERTEX_FACE, points, &got.squared, got.gradient, got.hessian), TOI_OK);
  assert_true(got.squared == 0 && got.gradient[2] == 0 && got.hessian[2 * 12 + 2] == 2);
  assert_int_equal(toi_stencil_derivatives(TOI_VERTEX_VERTEX, twice, &got.squared, got.gradient, got.hessian), TOI_OK);
  assert_true(got.squared == 0 && got.gradient[0] == 0 && got.hessian[0] == 2 && got.hessian[3] == -2);
}

/* --- the mollifier --- */

static void mollifiers_are_those_of_differences(void **state) {
  (void)state;
  uint64_t random = test_seed(27);
  double most = 0;
  size_t ones = 0;
  oracle o = {.kind = TOI_EDGE_EDGE, .mollifier = true};
  oracle_make(&o);
  for (uint64_t round = 0; round < test_count(600); round++) {
    double points[4][3], a[3], b[3], n[3];
    const double(*given)[3] = (const double(*)[3])points;
    derived got, expected = {0};
    make_points(&random, TOI_EDGE_EDGE, points);
    minus(points[1], points[0], a);
    minus(points[3], points[2], b);
    cross(a, b, n);
    const double lengths = length(a) * length(a) * length(b) * length(b), shorter = fmin(length(a), length(b));
    o.threshold = test_random(&random) % 3 ? lengths * ldexp(1, -(int)(test_random(&random) % 20))
                                           : length(n) * length(n) * uniform(&random, 1, 2);
    if (!(o.threshold > 0))
      continue;
    assert_int_equal(toi_stencil_mollifier(given, o.threshold, &got.squared, got.gradient, got.hessian), TOI_OK);
    if (length(n) * length(n) >= o.threshold) {
      ones++;
      assert_true(fabs(got.squared - 1) < 0x1p-40);
      continue;
    }
    oracle_derive(&o, given, &expected.squared, expected.gradient, expected.hessian);
    const double e = fmax(1, lengths / o.threshold);
    const double bounds[3] = {0x1p5 * UNIT * e, 0x1p7 * UNIT * e / shorter,
                              0x1p9 * UNIT * pow(e, 1.5) / (shorter * shorter)};
    assert_true(fabs(got.squared - expected.squared) <= bounds[0]);
    got.squared = expected.squared = 1;
    most = fmax(most, check_against(TOI_EDGE_EDGE, given, &got, &expected, bounds));
  }
  oracle_free(&o);
  printf("at most %.3f of the stated errors; %zu are 1\n", most, ones);
  assert_true(ones > 0);
}

static void mollifier_at_its_ends(void **state) {
  (void)state;
  const double parallel[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {3, 0, 0}};
  const double square[4][3] = {{0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {0, 1, 0}};
  const double huge[4][3] = {{0, 0, 1}, {1e200, 0, 1}, {0, 0, 0}, {0, 1e200, 0}};
  derived got;
  assert_int_equal(toi_stencil_mollifier(parallel, 1, &got.squared, got.gradient, got.hessian), TOI_OK);
  assert_true(got.squared == 0 && got.hessian[13 * 1] > 0);
  for (int i = 0; i < 12; i++)
    assert_true(got.gradient[i] == 0);
  for (int way = 0; way < 3; way++) {
    const double threshold = way == 0 ? 1 : 0.5;
    assert_int_equal(
        toi_stencil_mollifier(way == 2 ? huge : square, threshold, &got.squared, got.gradient, got.hessian), TOI_OK);
    assert_true(got.squared == 1);
    for (int i = 0; i < 144; i++)
      assert_true(got.hessian[i] == 0 && got.gradient[i % 12] == 0);
  }
  static const double bad[] = {0, -1, NAN, INFINITY, 1e-320};
  for (int i = 0; i < 5; i++) {
    memset(&got, 0x55, sizeof got);
    assert_int_equal(toi_stencil_mollifier(parallel, bad[i], &got.squared, got.gradient, got.hessian), TOI_ERROR_INPUT);
    assert_true(got.squared == 0 && got.gradient[11] == 0 && got.hessian[143] == 0);
  }
  double broken[4][3];
  memcpy(broken, square, sizeof broken);
  broken[2][1] = NAN;
  assert_int_equal(toi_stencil_mollifier((const double(*)[3])broken, 1, NULL, NULL, got.hessian), TOI_ERROR_INPUT);
  broken[2][1] = INFINITY;
  assert_int_equal(toi_stencil_mollifier((const double(*)[3])broken, 1, &got.squared, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_stencil_mollifier(NULL, 1, &got.squared, NULL, NULL), TOI_ERROR_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivatives_are_those_of_differences),
      cmocka_unit_test(vertex_above_the_border_of_a_face),
      cmocka_unit_test(edge_whose_end_is_nearest),
      cmocka_unit_test(vertex_beside_the_end_of_an_edge),
      cmocka_unit_test(any_magnitude_gives_the_same_bits),
      cmocka_unit_test(one_result_at_a_time_has_the_same_bits),
      cmocka_unit_test(points_without_derivatives_are_refused),
      cmocka_unit_test(touching_features_have_derivatives),
      cmocka_unit_test(mollifiers_are_those_of_differences),
      cmocka_unit_test(mollifier_at_its_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
