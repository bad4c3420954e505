/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal numbers against the C library's, which rounds correctly in the "C" locale that tests run in; and back. */

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/decimal.h"

static void expect_read(const char *text) {
  char line[2048];
  snprintf(line, sizeof line, "%s\n", text);
  double value, single;
  const char *end = toi_decimal_read(line, TOI_FLOAT64, &value);
  if (end == NULL || end != line + strlen(text) || toi_decimal_read(line, TOI_FLOAT32, &single) != end)
    fail_msg("%s is not read", text);
  const double wanted = strtod(text, NULL), wanted_single = (double)strtof(text, NULL);
  if (memcmp(&value, &wanted, sizeof value) != 0)
    fail_msg("%s gives %a, not %a", text, value, wanted);
  if (memcmp(&single, &wanted_single, sizeof single) != 0)
    fail_msg("%s gives the float %a, not %a", text, single, wanted_single);
}

static void limits_and_ties_are_rounded_as_they_must_be(void **state) {
  (void)state;
  static const char *const texts[] = {"0",
                                      "-0",
                                      "0.0",
                                      "-0.000e5",
                                      "0e99999999999",
                                      "1e999",
                                      "-1e999",
                                      "1e-999",
                                      "1e99999999999999999999",
                                      "1e-99999999999999999999",
                                      "4.9e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "-2e-324",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.797693134862315807e308",
                                      "1.7976931348623159e308",
                                      "9007199254740993",
                                      "9007199254740992.5",
                                      "9007199254740993.0000000000000000000000000000000000000000001",
                                      ".5",
                                      "5.",
                                      "+1E5",
                                      "1e+5",
                                      "00000000000000000000000000000001",
                                      "0.00000000000000000000000000000000000000000001",
                                      "3.4028235e38",
                                      "3.4028236e38",
                                      "1.401298464324817e-45",
                                      "7.006492321624085e-46",
                                      "7.006492321624086e-46",
                                      "1.00000005960464477539062500001",
                                      "18446744073709551615e27",
                                      "18446744073709551615e-27",
                                      "1e22",
                                      "1e23"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    expect_read(texts[i]);
}

static void what_is_no_number_is_not_read(void **state) {
  (void)state;
  static const char *const texts[] = {"\n", "-\n", ".\n", "e5\n", "1e\n", "1e+\n", "nan\n", "inf\n", "-.\n", "--1\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    double value;
    assert_null(toi_decimal_read(texts[i], TOI_FLOAT64, &value));
  }
  double value;
  assert_string_equal(toi_decimal_read("1.5,2\n", TOI_FLOAT64, &value), ",2\n");
  assert_string_equal(toi_decimal_read("1.5.2\n", TOI_FLOAT64, &value), ".2\n");
}

static double random_double(uint64_t *seed) {
  for (;;) {
    const uint64_t bits = test_random(seed) >> (test_random(seed) % 4 == 0 ? test_random(seed) % 20 : 0);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value))
      return value;
  }
}

static void random_numbers_are_read_as_the_c_library_does(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0045);
  char text[64];
  for (uint64_t round = test_count(100000); round > 0; round--) {
    snprintf(text, sizeof text, "%.*g", 1 + (int)(test_random(&seed) % 25), random_double(&seed));
    expect_read(text);
    const unsigned long long digits = test_random(&seed) >> (test_random(&seed) % 64);
    snprintf(text, sizeof text, "%llu%se%d", digits, digits % 2 == 0 ? "" : ".5", (int)(test_random(&seed) % 60) - 30);
    expect_read(text);
  }
}

/* Half way between two neighbours, to the last digit; and a little above it, hundreds of digits behind. */
static void ties_between_neighbours_go_to_the_even_one(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0046);
  for (uint64_t round = test_count(3000); round > 0; round--) {
    const double low = fabs(random_double(&seed)), high = nextafter(low, INFINITY);
    char text[1200];
    // The digits of both have the same exponent, so the long format is exact for their mean where doubles are.
    const double mean = low / 2 + high / 2;
    if (LDBL_MANT_DIG > DBL_MANT_DIG && isfinite(high))
      snprintf(text, sizeof text, "%.1100Lf", ((long double)low + (long double)high) / 2);
    else
      snprintf(text, sizeof text, "%.1100f", mean);
    if (strlen(text) + 2 >= sizeof text)
      continue;
    expect_read(text);
    strcat(text, "1");
    expect_read(text);
    const float single = (float)ldexp((double)(test_random(&seed) >> 40), (int)(test_random(&seed) % 280) - 170);
    snprintf(text, sizeof text, "%.300g", ((double)single + (double)nextafterf(single, INFINITY)) / 2);
    if (isfinite(nextafterf(single, INFINITY)))
      expect_read(text);
  }
}

static void numbers_are_written_so_that_they_come_back(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0047);
  for (uint64_t round = test_count(100000); round > 0; round--) {
    const double values[2] = {random_double(&seed), ldexp((double)(test_random(&seed) >> 11), -(int)(round % 90))};
    char text[TOI_DECIMAL_TEXT + 1], printed[64], again[64];
    for (size_t i = 0; i < 2; i++) {
      text[toi_decimal_write(values[i], TOI_DOUBLE_DIGITS, text)] = '\0';
      const double back = strtod(text, NULL);
      if (memcmp(&back, &values[i], sizeof back) != 0)
        fail_msg("%a is written as %s", values[i], text);
      // The very digits that printf gives.
      snprintf(printed, sizeof printed, "%.16e", values[i]);
      snprintf(again, sizeof again, "%.16Le", strtold(text, NULL));
      if (LDBL_MANT_DIG >= 64)
        assert_string_equal(printed, again);
    }
    const uint32_t bits = (uint32_t)test_random(&seed);
    float single;
    memcpy(&single, &bits, sizeof single);
    if (!isfinite(single))
      continue;
    text[toi_decimal_write((double)single, TOI_FLOAT_DIGITS, text)] = '\0';
    const float back = strtof(text, NULL);
    assert_memory_equal(&back, &single, sizeof back);
  }
}

static void written_numbers_are_short_to_read(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-2.5, "-2.5"},
               {100, "100"},
               {123456, "123456"},
               {1e16, "10000000000000000"},
               {1e17, "1e17"},
               {1e100, "1e100"},
               {0x1p-14, "0.00006103515625"},
               {0x1p-20, "9.5367431640625e-7"},
               {0.1, "0.10000000000000001"},
               {5e-324, "4.9406564584124654e-324"},
               {DBL_MAX, "1.7976931348623157e308"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[TOI_DECIMAL_TEXT + 1];
    text[toi_decimal_write(cases[i].value, TOI_DOUBLE_DIGITS, text)] = '\0';
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_and_ties_are_rounded_as_they_must_be),
      cmocka_unit_test(what_is_no_number_is_not_read),
      cmocka_unit_test(random_numbers_are_read_as_the_c_library_does),
      cmocka_unit_test(ties_between_neighbours_go_to_the_even_one),
      cmocka_unit_test(numbers_are_written_so_that_they_come_back),
      cmocka_unit_test(written_numbers_are_short_to_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
