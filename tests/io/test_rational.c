/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rationals to doubles and back. Oracles: for what is written and read again, the double itself, bit by bit; for
 * arbitrary fractions GMP's mpq, which may be believed everywhere, because a fraction is a double exactly if mpq's
 * truncation of it to a double equals it. */

#include "support/support.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rational.h"

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Reads a pair followed by a newline and the padding the reader may look at. */
static toi_rational_fault read_pair(const char *pair, double *value) {
  size_t size = strlen(pair);
  char *text = calloc(size + 1 + TOI_RATIONAL_PADDING, 1);
  assert_non_null(text);
  snprintf(text, size + 2, "%s\n", pair);
  toi_rational_fault fault;
  const char *end = toi_rational_read(text, value, &fault);
  if (fault == TOI_RATIONAL_FINE)
    assert_ptr_equal(end, text + size);
  else
    assert_null(end);
  free(text);
  return fault;
}

static void assert_reads(const char *pair, double expected) {
  double value = -1;
  assert_int_equal(read_pair(pair, &value), TOI_RATIONAL_FINE);
  if (bits_of(value) != bits_of(expected))
    fail_msg("%s is read as %a, not %a", pair, value, expected);
}

static void assert_refuses(const char *pair, toi_rational_fault expected) {
  double value;
  toi_rational_fault fault = read_pair(pair, &value);
  if (fault != expected)
    fail_msg("%s: fault %d, not %d", pair, (int)fault, (int)expected);
}

static void small_fractions_are_read(void **state) {
  (void)state;
  assert_reads("0,1", 0.0);
  assert_reads("-0,1", 0.0);
  assert_reads("0,-7", 0.0);
  assert_reads("1,1", 1.0);
  assert_reads("-1,2", -0.5);
  assert_reads("1,-2", -0.5);
  assert_reads("-3,-6", 0.5);
  assert_reads("+3,+6", 0.5);
  assert_reads("12345678,1", 12345678.0);
  assert_reads("123456789,1", 123456789.0);
  assert_reads("7,14", 0.5);
  assert_reads("  3\t, 4  ", 0.75);
  assert_reads("0000000000000000000000000003,00000000000000000000000000000000004", 0.75);
}

static void integers_of_every_length_are_read(void **state) {
  (void)state;
  // 10^k is a double up to 10^22.
  char pair[64];
  double power = 1;
  for (int k = 0; k <= 22; k++) {
    snprintf(pair, sizeof pair, "1%0*d,1", k, 0);
    if (k == 0)
      snprintf(pair, sizeof pair, "1,1");
    assert_reads(pair, power);
    power *= 10;
  }
  assert_reads("9007199254740991,1", 0x1p53 - 1);
  assert_reads("9007199254740992,1", 0x1p53);
  assert_refuses("9007199254740993,1", TOI_RATIONAL_NO_DOUBLE);
  assert_reads("9007199254740994,1", 0x1p53 + 2);
  assert_reads("9223372036854775808,1", 0x1p63);
  assert_reads("9999999999999997952,1", 1e19 - 2048);
  assert_reads("18446744073709551616,1", 0x1p64);
  assert_refuses("9999999999999999999,1", TOI_RATIONAL_NO_DOUBLE);
  assert_refuses("100000000000000000000000,1", TOI_RATIONAL_NO_DOUBLE);
}

static void what_is_no_double_is_refused(void **state) {
  (void)state;
  assert_refuses("1,3", TOI_RATIONAL_NO_DOUBLE);
  assert_refuses("-1,10", TOI_RATIONAL_NO_DOUBLE);
  assert_refuses("100000000000000000000001,300000000000000000000", TOI_RATIONAL_NO_DOUBLE);
  assert_refuses("1,0", TOI_RATIONAL_ZERO);
  assert_refuses("0,0", TOI_RATIONAL_ZERO);
  assert_refuses("1,00000000000000000000000000000", TOI_RATIONAL_ZERO);
  assert_refuses("1,-0", TOI_RATIONAL_ZERO);
}

static void what_is_no_integer_is_refused(void **state) {
  (void)state;
  static const char *const tops[] = {"",    "-",         "+",   "a",   "1a",   "1.5", "1e3", "0x10", "--1", "+-1",
                                     "1 2", "12345678a", "nan", "inf", "\xb2", "1/2", "/",   ":",    "1:"};
  for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
    char pair[64];
    snprintf(pair, sizeof pair, "%s,1", tops[i]);
    assert_refuses(pair, TOI_RATIONAL_NO_NUMERATOR);
  }
  assert_refuses("1", TOI_RATIONAL_NO_NUMERATOR);
  assert_refuses("1,", TOI_RATIONAL_NO_DENOMINATOR);
  assert_refuses("1,-", TOI_RATIONAL_NO_DENOMINATOR);
  assert_refuses("1,x", TOI_RATIONAL_NO_DENOMINATOR);
}

static void ends_of_the_range_are_read(void **state) {
  (void)state;
  char pair[TOI_RATIONAL_TEXT + 1];
  const double ends[] = {DBL_MAX,   -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN, 0x1.fffffffffffffp-1023,
                         0x1p-1022, 0x1p1023};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    pair[toi_rational_write(ends[i], pair)] = '\0';
    assert_reads(pair, ends[i]);
  }
}

/* 2^exponent in decimal. */
static void power_text(unsigned exponent, char *text) {
  mpz_t power;
  mpz_init(power);
  mpz_ui_pow_ui(power, 2, exponent);
  mpz_get_str(text, 10, power);
  mpz_clear(power);
}

static void beyond_the_range_is_refused(void **state) {
  (void)state;
  char power[512], pair[1024];
  power_text(1024, power);
  snprintf(pair, sizeof pair, "%s,1", power);
  assert_refuses(pair, TOI_RATIONAL_NO_DOUBLE);
  power_text(1075, power);
  snprintf(pair, sizeof pair, "1,%s", power);
  assert_refuses(pair, TOI_RATIONAL_NO_DOUBLE);
  // In lowest terms it is 2^-1074.
  snprintf(pair, sizeof pair, "2,%s", power);
  assert_reads(pair, DBL_TRUE_MIN);
  snprintf(pair, sizeof pair, "3,%s", power);
  assert_refuses(pair, TOI_RATIONAL_NO_DOUBLE);
}

static void numbers_of_4096_digits_are_read_and_no_longer_ones(void **state) {
  (void)state;
  char *pair = malloc(10000);
  assert_non_null(pair);
  for (int digits = 4095; digits <= 4097; digits++) {
    memset(pair, '9', 10000);
    pair[digits] = ',';
    pair[2 * digits + 1] = '\0';
    if (digits <= TOI_RATIONAL_DIGITS)
      assert_reads(pair, 1.0);
    else
      assert_refuses(pair, TOI_RATIONAL_TOO_LONG);
  }
  free(pair);
}

static void doubles_of_every_exponent_come_back(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0001);
  char pair[TOI_RATIONAL_TEXT + 1];
  for (uint64_t round = 0; round < test_count(20); round++) {
    for (uint64_t biased = 0; biased < 0x7ff; biased++) {
      // Mantissas of every number of trailing zeros, and both signs.
      uint64_t mantissa = (test_random(&seed) & ((1ull << 52) - 1)) >> (test_random(&seed) % 53)
                                                                           << (test_random(&seed) % 53);
      uint64_t bits = (test_random(&seed) & (1ull << 63)) | biased << 52 | (mantissa & ((1ull << 52) - 1));
      double value = double_of(bits);
      pair[toi_rational_write(value, pair)] = '\0';
      assert_reads(pair, value == 0 ? 0.0 : value);
    }
  }
}

static void fractions_are_written_in_lowest_terms(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } pairs[] = {{0, "0,1"}, {-0.0, "0,1"}, {1, "1,1"}, {-0.5, "-1,2"}, {0.75, "3,4"}, {6, "6,1"}, {1.25, "5,4"}};
  char text[TOI_RATIONAL_TEXT + 1];
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    text[toi_rational_write(pairs[i].value, text)] = '\0';
    assert_string_equal(text, pairs[i].text);
  }
}

/* Random fractions, a common factor in both or not, a power of two below or not, against mpq. */
static void random_fractions_agree_with_gmp(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0002);
  gmp_randstate_t random;
  gmp_randinit_default(random);
  gmp_randseed_ui(random, (unsigned long)seed);
  mpz_t n, d, factor;
  mpq_t q, back;
  mpz_inits(n, d, factor, NULL);
  mpq_inits(q, back, NULL);
  char pair[4096];
  uint64_t fine = 0, rounds = test_count(50000);
  for (uint64_t i = 0; i < rounds; i++) {
    mpz_rrandomb(n, random, 1 + test_random(&seed) % 60);
    mpz_mul_2exp(n, n, test_random(&seed) % 4 == 0 ? test_random(&seed) % 1000 : 0);
    mpz_ui_pow_ui(d, 2, test_random(&seed) % (test_random(&seed) % 4 == 0 ? 1100 : 70));
    mpz_rrandomb(factor, random, 1 + test_random(&seed) % (test_random(&seed) % 4 == 0 ? 800 : 30));
    mpz_mul(d, d, factor);
    if (test_random(&seed) % 2 == 0)
      mpz_mul(n, n, factor);
    if (test_random(&seed) % 2 == 0)
      mpz_neg(n, n);
    gmp_snprintf(pair, sizeof pair, "%Zd,%Zd", n, d);

    mpq_set_num(q, n);
    mpq_set_den(q, d);
    mpq_canonicalize(q);
    double truncated = mpq_get_d(q);
    bool exact = isfinite(truncated);
    if (exact) {
      mpq_set_d(back, truncated);
      exact = mpq_equal(q, back) != 0;
    }
    fine += exact;
    if (exact)
      assert_reads(pair, truncated);
    else
      assert_refuses(pair, TOI_RATIONAL_NO_DOUBLE);
  }
  // Both branches must have been taken often.
  assert_in_range(fine, rounds / 10, rounds - rounds / 10);
  mpz_clears(n, d, factor, NULL);
  mpq_clears(q, back, NULL);
  gmp_randclear(random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_fractions_are_read),
      cmocka_unit_test(integers_of_every_length_are_read),
      cmocka_unit_test(what_is_no_double_is_refused),
      cmocka_unit_test(what_is_no_integer_is_refused),
      cmocka_unit_test(ends_of_the_range_are_read),
      cmocka_unit_test(beyond_the_range_is_refused),
      cmocka_unit_test(numbers_of_4096_digits_are_read_and_no_longer_ones),
      cmocka_unit_test(doubles_of_every_exponent_come_back),
      cmocka_unit_test(fractions_are_written_in_lowest_terms),
      cmocka_unit_test(random_fractions_agree_with_gmp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
