/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every bound of narrow/kernel_bounds.h and number/twofold.h against exact arithmetic.
 *
 * measures.h tells how much of a bound a query uses up. A search climbs: it changes mantissas, signs and magnitudes of
 * the query and keeps what does not lower that ratio. The largest one found is printed and must be at most 1; it must
 * also reach a floor, half of what the search finds, so that a measure that has gone blind fails as well. */

#include <float.h>

#include "narrow/measures.h"
#include "support/support.h"

/* --- queries to climb from --- */

static double signed_unit(uint64_t *state) {
  return 2 * test_random_unit(state) - 1;
}

/* Magnitudes from 2^(exponent - range) on. */
static double scaled_unit(uint64_t *state, int exponent, uint64_t range) {
  int further = (int)(test_random(state) % range);
  return ldexp(signed_unit(state), exponent - further);
}

/* Magnitudes just above a power of two, where a rounding weighs most; low bits at random. */
static double near_one(uint64_t *state) {
  uint64_t shift = 43 + test_random(state) % 21;
  double x = 1 + (double)(test_random(state) >> shift) * DBL_EPSILON;
  return test_random(state) & 1 ? x : -x;
}

static void subject_make(uint64_t *state, int n, subject *x) {
  x->n = n;
  bool rough = test_random(state) % 4 == 0;
  for (int j = 0; j < 24; j++) {
    // The first primitive is tiny: corners are then the second's coordinates with a rounding of their own.
    bool tiny = j % 12 < (n == 3 ? 3 : 6);
    x->row[j] = rough ? signed_unit(state) : tiny ? signed_unit(state) * DBL_EPSILON : near_one(state);
  }
  x->time[0] = test_random_unit(state);
  x->time[1] = x->time[0] + (1 - x->time[0]) * test_random_unit(state);
}

static double change_number(uint64_t *state, double x) {
  uint64_t bits;
  switch (test_random(state) % 6) {
  case 0:
    return signed_unit(state);
  case 1:
    return near_one(state);
  case 2:
    return -x;
  case 3:
    return x * (test_random(state) & 1 ? 2 : 0.5);
  default:
    memcpy(&bits, &x, sizeof(bits));
    bits ^= UINT64_C(1) << (test_random(state) % 52);
    memcpy(&x, &bits, sizeof(x));
    return x;
  }
}

static void subject_change(uint64_t *state, subject *x) {
  for (uint64_t i = 1 + test_random(state) % 3; i > 0; i--) {
    uint64_t j = test_random(state) % 26;
    if (j < 24)
      x->row[j] = change_number(state, x->row[j]);
    else
      x->time[j - 24] = clip_unit(magnitude(change_number(state, x->time[j - 24])));
  }
  x->time[1] = fmax(x->time[0], x->time[1]);
}

/* --- the search --- */

#define RESTARTS 6
#define STEPS 1500

static double climb(double (*measure)(const subject *x), int n, uint64_t *state) {
  double best = 0;
  uint64_t steps = test_count(STEPS);
  for (int restart = 0; restart < RESTARTS; restart++) {
    subject x;
    subject_make(state, n, &x);
    double at = measure(&x);
    for (uint64_t step = 0; step < steps; step++) {
      subject next = x;
      subject_change(state, &next);
      double there = measure(&next);
      if (there >= at) {
        x = next;
        at = there;
      }
    }
    if (!(at <= 1))
      test_print_query(n == 3 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE, x.row);
    best = fmax(best, at);
  }
  return best;
}

static void check_measure(const char *name, double (*measure)(const subject *x), double floor_of_ratio) {
  uint64_t state = test_seed(0x5eed);
  double vertex_face = climb(measure, 3, &state), edge_edge = climb(measure, 4, &state);
  print_message("%-16s vertex-face %.3f  edge-edge %.3f of the bound\n", name, vertex_face, edge_edge);
  assert_true(vertex_face <= 1 && edge_edge <= 1);
  if (test_count(STEPS) >= STEPS)
    assert_true(vertex_face >= floor_of_ratio && edge_edge >= floor_of_ratio);
}

static void the_cubics_outer_coefficients(void **test) {
  (void)test;
  check_measure("SIGN_END", sign_end, 0.13);
}

static void the_cubics_inner_coefficients(void **test) {
  (void)test;
  check_measure("SIGN_MID", sign_mid, 0.1);
}

static void the_cubics_coefficients_as_they_are_told(void **test) {
  (void)test;
  check_measure("THIRD", third, 0.1);
  check_measure("HALF", half, 0.09);
}

static void the_cubic_on_halves_of_the_step(void **test) {
  (void)test;
  check_measure("HALVES", halves, 0.09);
}

static void areas_on_halves_of_the_step(void **test) {
  (void)test;
  check_measure("AREAS", areas, 0.2);
}

static void the_cubic_on_an_interval(void **test) {
  (void)test;
  check_measure("GAP", gap, 0.06);
}

static void the_slope_at_a_time(void **test) {
  (void)test;
  check_measure("SLOPE", slope, 0.05);
}

static void the_slope_over_a_zone(void **test) {
  (void)test;
  check_measure("slope_spread", slope_spread, 0.9);
}

static void the_largest_second_derivative(void **test) {
  (void)test;
  check_measure("CURVE", curve, 0.05);
}

static void areas_at_a_time(void **test) {
  (void)test;
  check_measure("POINT_AREA", point_area, 0.1);
}

static void areas_as_time_passes(void **test) {
  (void)test;
  check_measure("AREA_DRIFT", area_drift, 0.9);
}

static void the_cubic_in_twofold_numbers(void **test) {
  (void)test;
  check_measure("TWOFOLD", twofold_residual, 0.01);
}

static void the_root_in_its_bracket(void **test) {
  (void)test;
  check_measure("bracket", bracket, 0.12);
}

static void sums_and_products_of_twofold_numbers(void **test) {
  (void)test;
  check_measure("twofold_add", add_twofold, 0.25);
  check_measure("twofold_mul", mul_twofold, 0.15);
}

/* --- the parts that are exact --- */

static void errors_of_sums_and_products_are_exact(void **test) {
  (void)test;
  uint64_t state = test_seed(7);
  for (uint64_t i = test_count(100000); i > 0; i--) {
    double a = scaled_unit(&state, 300, 600), error;
    double b = test_random(&state) & 1 ? scaled_unit(&state, 300, 600) : a * (1 + signed_unit(&state) * 0x1p-40);
    dyadic_reset();
    double sum = sum_exact(a, b, &error);
    assert_int_equal(sign_of(minus(plus(exactly(sum), exactly(error)), plus(exactly(a), exactly(b)))), 0);
    double difference = difference_exact(a, b, &error);
    assert_int_equal(sign_of(minus(plus(exactly(difference), exactly(error)), minus(exactly(a), exactly(b)))), 0);
    double product = a * b;
    error = product_error(a, b, product);
    assert_int_equal(sign_of(minus(plus(exactly(product), exactly(error)), times(exactly(a), exactly(b)))), 0);
  }
}

/* --- the edges of the range --- */

/* Axes at either end of the range, with single coordinates far smaller, around the limits below which twofold values
 * are taken as zero. */
static void subject_at_the_edge(uint64_t *state, int n, subject *x) {
  subject_make(state, n, x);
  for (int axis = 0; axis < 3; axis++) {
    uint64_t where = test_random(state) % 4;
    int shift = where == 0 ? 0 : where == 1 ? 98 : -99 + (int)(test_random(state) % 2);
    for (int j = axis; j < 24; j += 3) {
      int further = test_random(state) % 3 ? 0 : -(int)(test_random(state) % 200);
      x->row[j] = ldexp(x->row[j], shift + (where > 1 ? further : 0));
    }
  }
  if (test_random(state) % 4 == 0)
    x->time[0] = fabs(scaled_unit(state, 0, 1074));
}

static void bounds_hold_at_the_edges_of_the_range(void **test) {
  (void)test;
  static double (*const measures[])(const subject *) = {
      sign_end, sign_mid, halves, areas, gap, slope, curve, point_area, twofold_residual, slope_spread, bracket};
  uint64_t state = test_seed(11), in_range = 0;
  for (uint64_t i = test_count(6000); i > 0; i--) {
    subject x;
    subject_at_the_edge(&state, 3 + (int)(i % 2), &x);
    double ratio = measures[i % 11](&x);
    if (!(ratio <= 1))
      test_print_query(x.n == 3 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE, x.row);
    assert_true(ratio <= 1);
    in_range += ratio > 0;
  }
  print_message("%d queries in range\n", (int)in_range);
  assert_true(in_range > test_count(6000) / 4);
}

/* --- decisions --- */

/* Nearly flat: coefficients and areas of about the size of their bounds. */
static void nearly_flat(uint64_t *state, int n, subject *x) {
  subject_make(state, n, x);
  double noise = ldexp(1, -(int)(40 + test_random(state) % 14));
  for (int point = 0; point < 8; point++) {
    double *p = x->row + 3 * point;
    for (int axis = 0; axis < 2; axis++)
      p[axis] = test_random(state) % 4 ? (double)(int)(test_random(state) % 5) - 2 : signed_unit(state);
    p[2] = p[0] + p[1] + noise * signed_unit(state);
    p[1] = test_random(state) % 4 ? p[1] : p[0] + noise * signed_unit(state);
  }
}

static void what_is_called_a_miss_is_one_by_exact_signs(void **test) {
  (void)test;
  uint64_t state = test_seed(13), signs = 0, misses = 0;
  for (uint64_t i = test_count(20000); i > 0; i--) {
    subject x;
    nearly_flat(&state, 3 + (int)(i % 2), &x);
    uint8_t code, miss;
    uint32_t number = 0;
    toi_rows rows = {x.row, 24, &number, 1};
    test_bounds_kernels.filter(x.n, x.row, 1, &code);
    test_bounds_kernels.projection(x.n, &rows, &miss);
    dyadic_reset();
    exact_hull hull;
    exact b[4];
    exact_hull_load(x.n, x.row, &hull);
    exact_cubic(&hull, b);
    if (code == TOI_FILTER_SIGN)
      assert_true(exact_one_sign(3, b) != 0);
    if (miss)
      assert_true(exact_half_is_free(&hull, 0) && exact_half_is_free(&hull, 1));
    signs += code == TOI_FILTER_SIGN;
    misses += miss;
  }
  print_message("%d by the sign, %d by projections\n", (int)signs, (int)misses);
  assert_true(signs > 0 && misses > test_count(20000) / 20);
}

/* The same contacts at any magnitude, through the kernel that scales the axes first. */
static void scaled_queries_are_decided_by_exact_signs(void **test) {
  (void)test;
  uint64_t state = test_seed(17), hits = 0, misses = 0;
  for (uint64_t i = test_count(6000); i > 0; i--) {
    subject x;
    subject_make(&state, 3 + (int)(i % 2), &x);
    for (int j = 0; j < 24; j++)
      x.row[j] = ldexp(signed_unit(&state), (j % 3) * (int)(i % 900) - 900);
    toi_scaled_answer answer;
    toi_kernel_scaled(x.n, x.row, &answer);
    dyadic_reset();
    exact_hull hull;
    exact f[4];
    exact_hull_load(x.n, x.row, &hull);
    exact_cubic_thrice(&hull, f);
    if (answer.root.code == TOI_ROOT_HIT) {
      exact lo = exactly(answer.root.t_lo), hi = exactly(answer.root.t_hi);
      exact ends[2] = {exact_blossom(3, f, (exact[3]){lo, lo, lo}), exact_blossom(3, f, (exact[3]){hi, hi, hi})};
      assert_true(sign_of(ends[0]) * sign_of(ends[1]) <= 0);
      assert_true(exact_is_inside(&hull, lo, hi));
    }
    hits += answer.root.code == TOI_ROOT_HIT;
    misses += answer.projection_miss != 0;
  }
  print_message("%d hits, %d misses\n", (int)hits, (int)misses);
  assert_true(hits > test_count(6000) / 40 && misses > test_count(6000) / 40);
}

static int free_numbers(void **test) {
  (void)test;
  dyadic_free_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_cubics_outer_coefficients),
      cmocka_unit_test(the_cubics_inner_coefficients),
      cmocka_unit_test(the_cubics_coefficients_as_they_are_told),
      cmocka_unit_test(the_cubic_on_halves_of_the_step),
      cmocka_unit_test(areas_on_halves_of_the_step),
      cmocka_unit_test(the_cubic_on_an_interval),
      cmocka_unit_test(the_slope_at_a_time),
      cmocka_unit_test(the_slope_over_a_zone),
      cmocka_unit_test(the_largest_second_derivative),
      cmocka_unit_test(areas_at_a_time),
      cmocka_unit_test(areas_as_time_passes),
      cmocka_unit_test(the_cubic_in_twofold_numbers),
      cmocka_unit_test(the_root_in_its_bracket),
      cmocka_unit_test(sums_and_products_of_twofold_numbers),
      cmocka_unit_test(errors_of_sums_and_products_are_exact),
      cmocka_unit_test(bounds_hold_at_the_edges_of_the_range),
      cmocka_unit_test(what_is_called_a_miss_is_one_by_exact_signs),
      cmocka_unit_test(scaled_queries_are_decided_by_exact_signs),
  };
  return cmocka_run_group_tests(tests, NULL, free_numbers);
}
