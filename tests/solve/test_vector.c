/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Vectors of three intervals and of three doubles, in whole numbers, where nothing rounds. */

#include "support/support.h"

#include "solve/vector.h"

#define ROUNDS UINT64_C(2000)

static uint64_t seed;

static double whole(void) {
  return (double)(test_random(&seed) % 15) - 7;
}

static bool is(toi_interval a, double x) {
  return a.lo == x && a.hi == x;
}

static void products_of_whole_numbers_are_exact(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    double m[3][3], b[3];
    toi_interval matrix[3][3], vector[3], product[3], transposed[3], cross[3], slope[3];
    for (int i = 0; i < 3; i++) {
      b[i] = whole();
      vector[i] = toi_interval_point(b[i]);
      for (int j = 0; j < 3; j++) {
        m[i][j] = whole();
        matrix[i][j] = toi_interval_point(m[i][j]);
      }
    }
    toi_times3((const toi_interval(*)[3])matrix, vector, product);
    toi_transposed3((const toi_interval(*)[3])matrix, vector, transposed);
    toi_cross3(matrix[0], vector, cross);
    toi_cross3_slope(matrix[0], matrix[1], vector, matrix[2], slope);
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      assert_true(is(product[i], m[i][0] * b[0] + m[i][1] * b[1] + m[i][2] * b[2]));
      assert_true(is(transposed[i], m[0][i] * b[0] + m[1][i] * b[1] + m[2][i] * b[2]));
      assert_true(is(cross[i], m[0][j] * b[k] - m[0][k] * b[j]));
      assert_true(is(slope[i], m[1][j] * b[k] - m[1][k] * b[j] + m[0][j] * m[2][k] - m[0][k] * m[2][j]));
    }
    const double factors[3] = {m[0][0], m[1][0], m[2][0]};
    assert_true(is(toi_combine3(factors, vector[0], vector[1], vector[2]), transposed[0].lo));
  }
}

static void lengths_and_directions(void **state) {
  (void)state;
  const toi_interval box[3] = {{-2, 1}, {3, 4}, {-12, 12}}, point[3] = {{2, 2}, {-3, -3}, {6, 6}};
  assert_true(toi_interval_contains(toi_length3(point), 7) && toi_interval_width(toi_length3(point)) < 1e-14);
  assert_true(toi_interval_contains(toi_length3(box), 3) && toi_interval_contains(toi_length3(box), sqrt(164)));
  assert_true(fabs(toi_plain_size3(box) - sqrt(164)) < 1e-14);
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    double n[3] = {whole(), whole(), 8}, first[3], second[3], back[3] = {0};
    const double was[3] = {n[0], n[1], n[2]}, origin[3] = {0, 0, 0}, length = toi_plain_distance3(was, origin);
    assert_true(toi_plain_unit3(n));
    toi_plain_across3(n, first, second);
    for (int k = 0; k < 3; k++) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      back[k] = first[i] * second[j] - first[j] * second[i];
      assert_true(fabs(n[k] * length - was[k]) < 1e-13 && fabs(back[k] - n[k]) < 1e-14);
    }
    assert_true(fabs(toi_plain_distance3(first, origin) - 1) < 1e-14);
  }
  for (int i = 0; i < 3; i++) {
    double none[3] = {0, i == 1 ? INFINITY : 0, i == 2 ? NAN : 0};
    assert_true(!toi_plain_unit3(none) && none[0] == 0 && none[1] == 0 && none[2] == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_of_whole_numbers_are_exact),
      cmocka_unit_test(lengths_and_directions),
  };
  seed = test_seed(1504);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
