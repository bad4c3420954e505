/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter of `tight-inclusion` against exact arithmetic: the computed interval of F, widened by the filter, holds
 * the exact values at all corners of the box, for coordinates of mixed magnitudes and any dyadic box; and the filter is
 * not idly large. Both kernels give the same bits. */

#include <float.h>

#include "base/internal.h"
#include "narrow/dyadic.h"
#include "narrow/tight_inclusion.h"
#include "support/support.h"

#define TRIES 30000

/* F at the parameters on an axis, from the frame's corners: an affine function of u and v at every time. */
static exact value_at(toi_kind kind, const double *row, int axis, const double at[3]) {
  exact one = exactly(1), t = exactly(at[0]), u = exactly(at[1]), v = exactly(at[2]);
  exact x[4];
  int points = (int)toi_kind_points(kind);
  for (int i = 0; i < points; i++)
    x[i] = mixed(exactly(row[3 * i + axis]), exactly(row[3 * (points + i) + axis]), t);
  switch (kind) {
  case TOI_VERTEX_FACE:
    return minus(x[0], plus(plus(times(minus(minus(one, u), v), x[1]), times(u, x[2])), times(v, x[3])));
  case TOI_EDGE_EDGE:
    return minus(mixed(x[0], x[1], u), mixed(x[2], x[3], v));
  case TOI_VERTEX_EDGE:
    return minus(x[0], mixed(x[1], x[2], u));
  default:
    return minus(x[0], x[1]);
  }
}

/* Coordinates of few or all bits, near one another or far apart. */
static double coordinate(uint64_t *seed, int scale) {
  double x = 2 * test_random_unit(seed) - 1;
  switch (test_random(seed) % 6) {
  case 0:
    return ldexp(x, scale - (int)(test_random(seed) % 60));
  case 1:
    return ldexp(1 + ldexp(x, -40), scale);
  case 2:
    return ldexp(x < 0 ? -1 : 1, scale);
  case 3:
    return ldexp(nextafter(1, x < 0 ? 0 : 2), scale);
  default:
    return ldexp(x, scale);
  }
}

/* A dyadic interval in [0, 1], and its width. */
static double random_corner(uint64_t *seed, double *width) {
  int depth = (int)(test_random(seed) % 53);
  *width = ldexp(1, -depth);
  double corner = floor(test_random_unit(seed) / *width) * *width;
  return test_random(seed) % 4 == 0 ? 1 - *width : corner;
}

/* The largest error of the interval in units of the filter. */
static double error_of(toi_kind kind, const double *row, const toi_tight_query *query, const double corner[3]) {
  double lo[4], hi[4], worst = 0;
  toi_tight_kernel_base.extent(query, corner, lo, hi);
  for (int axis = 0; axis < 3; axis++) {
    dyadic_reset();
    exact least = NULL, most = NULL;
    for (int k = 0; k < 8; k++) {
      double at[3];
      for (int i = 0; i < 3; i++)
        at[i] = corner[i] + (k >> i & 1 ? query->width[i] : 0);
      exact x = value_at(kind, row, axis, at);
      least = !least || sign_of(minus(x, least)) < 0 ? x : least;
      most = !most || sign_of(minus(x, most)) > 0 ? x : most;
    }
    exact filter = exactly(query->filter[axis]);
    worst = fmax(worst, ratio_of(minus(least, exactly(lo[axis])), filter));
    worst = fmax(worst, ratio_of(minus(most, exactly(hi[axis])), filter));
  }
  return worst;
}

static void complain(toi_kind kind, const double *row, const toi_tight_query *query, const double corner[3]) {
  test_print_query(kind, row);
  for (int i = 0; i < 3; i++)
    print_error("  [%a, +%a]", corner[i], query->width[i]);
  fail_msg("the filter of %s is too small", toi_kind_name(kind));
}

static void the_filtered_interval_holds_the_exact_corners(void **test) {
  (void)test;
  uint64_t seed = test_seed(41), tries = test_count(TRIES);
  static const int scales[] = {0, 0, -20, -7, -1, 3, 20, 400, -400, 990, -1040, -1070};
  toi_options options = toi_default_options();
  for (int k = 0; k < TOI_KIND_COUNT; k++) {
    toi_kind kind = (toi_kind)k;
    double worst = 0;
    for (uint64_t n = 0; n < tries; n++) {
      double row[24];
      for (size_t i = 0; i < 6 * toi_kind_points(kind); i++)
        row[i] = coordinate(&seed, scales[test_random(&seed) % (n % 2 ? 2 : sizeof(scales) / sizeof(scales[0]))]);
      toi_tight_query query;
      assert_true(toi_tight_kernel_base.load(kind, row, &query));
      assert_true(toi_tight_ask(kind, &options, 0, &query));
      double corner[3];
      for (int i = 0; i < 3; i++) {
        bool has = query.width[i] > 0;
        corner[i] = random_corner(&seed, &query.width[i]);
        if (!has)
          corner[i] = query.width[i] = 0;
      }
      double error = error_of(kind, row, &query, corner);
      if (error > 1)
        complain(kind, row, &query, corner);
      worst = fmax(worst, error);
    }
    print_message("%s: the largest error is %.3f of the filter\n", toi_kind_name(kind), worst);
    // Vertices have no a and b to make errors with; the others come near enough to show a filter cut to a fifth.
    if (test_count(100) >= 100)
      assert_true(worst > 0.2);
  }
}

/* A bound for the scene is used where it is larger than the query's own, and never where it is smaller. */
static void a_scene_bound_only_raises_the_filter(void **test) {
  (void)test;
  const double row[24] = {1, 2, 3, -1, -2, 4, 0.5, 0.25, 8, 7, 6, 5, 1, 1, 1, 2, 2, 2, 3, 5, 7, -4, -5, -6};
  toi_options options = toi_default_options();
  toi_tight_query own, small, large;
  assert_true(toi_tight_kernel_base.load(TOI_VERTEX_FACE, row, &own));
  small = large = own;
  toi_tight_ask(TOI_VERTEX_FACE, &options, 0, &own);
  options.scene_bound[0] = 1e-3;
  toi_tight_ask(TOI_VERTEX_FACE, &options, 0, &small);
  options.scene_bound[0] = 100;
  toi_tight_ask(TOI_VERTEX_FACE, &options, 0, &large);
  assert_true(small.filter[0] == own.filter[0] && large.filter[1] == own.filter[1]);
  assert_true(large.filter[0] > 6.5e-15 * 100 && large.filter[0] < 7.5e-15 * 100);
}

/* The filter follows the coordinates in both directions: no unit of length is built in. */
static void scaling_by_a_power_of_two_scales_the_filter(void **test) {
  (void)test;
  double row[24];
  uint64_t seed = test_seed(42);
  for (int i = 0; i < 24; i++)
    row[i] = coordinate(&seed, 0);
  toi_options options = toi_default_options();
  toi_tight_query query;
  double filter[3];
  for (int power = -300; power <= 300; power += 100) {
    double scaled[24];
    for (int i = 0; i < 24; i++)
      scaled[i] = ldexp(row[i], power);
    toi_tight_kernel_base.load(TOI_EDGE_EDGE, scaled, &query);
    toi_tight_ask(TOI_EDGE_EDGE, &options, 0, &query);
    for (int i = 0; i < 3; i++) {
      if (power > -300)
        assert_true(query.filter[i] == ldexp(filter[i], 100));
      filter[i] = query.filter[i];
    }
  }
}

static void both_kernels_give_the_same_bits(void **test) {
  (void)test;
#if defined(__x86_64__)
  if (toi_simd_best() != TOI_SIMD_AVX2) {
    test_skip_reason("this CPU has no AVX2");
    skip();
  }
  uint64_t seed = test_seed(43), tries = test_count(20000);
  toi_options options = toi_default_options();
  options.max_checks = 3000;
  for (uint64_t n = 0; n < tries; n++) {
    toi_kind kind = (toi_kind)(n % TOI_KIND_COUNT);
    double row[24], d = n % 3 == 0 ? 0.1 * test_random_unit(&seed) : 0;
    options.norm = n % 2 ? TOI_NORM_L2 : TOI_NORM_LINF;
    for (size_t i = 0; i < 6 * toi_kind_points(kind); i++)
      row[i] = coordinate(&seed, 0);
    static uint64_t memory[1 << 14];
    const toi_tight_kernel *kernels[2] = {&toi_tight_kernel_base, &toi_tight_kernel_avx2};
    toi_tight_query query[2];
    toi_tight_answer answer[2];
    for (int k = 0; k < 2; k++) {
      memset(&query[k], 0, sizeof(query[k]));
      memset(&answer[k], 0, sizeof(answer[k]));
      assert_true(kernels[k]->load(kind, row, &query[k]));
      assert_true(toi_tight_ask(kind, &options, d, &query[k]));
      kernels[k]->set_kappa(&query[k]);
      kernels[k]->search(&query[k], memory, sizeof(memory), &answer[k]);
      assert_true(!kernels[k]->apart(&query[k]) || answer[k].end == TOI_SEARCH_EMPTY);
    }
    assert_memory_equal(&query[0], &query[1], sizeof(query[0]));
    assert_memory_equal(&answer[0], &answer[1], sizeof(answer[0]));
  }
#else
  test_skip_reason("AVX2 is for x86-64 only");
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_filtered_interval_holds_the_exact_corners),
      cmocka_unit_test(a_scene_bound_only_raises_the_filter),
      cmocka_unit_test(scaling_by_a_power_of_two_scales_the_filter),
      cmocka_unit_test(both_kernels_give_the_same_bits),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
