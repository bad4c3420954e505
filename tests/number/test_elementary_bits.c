/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Elementary functions of intervals give the same bits whatever compiler and machine: sums over many results, written
 * down once. Needs nothing but the library, so that it runs on other machines too. A change that is meant to change
 * results changes the sums; test_elementary says whether it may. */

#include "support/support.h"

#include "number/elementary.h"

#define BOXES 20000

static uint64_t seed, sum;

static void add(toi_interval x) {
  // Zeros have no sign.
  sum = (sum ^ toi_bits(x.lo + 0.0)) * UINT64_C(0x100000001b3);
  sum = (sum ^ toi_bits(x.hi + 0.0)) * UINT64_C(0x100000001b3);
}

/* Of all sizes from 2^-span to 2^span. */
static double number(int span) {
  uint64_t size = test_random(&seed) % (uint64_t)(2 * span);
  double x = ldexp(1 + test_random_unit(&seed), (int)size - span);
  return test_random(&seed) & 1 ? -x : x;
}

static toi_interval box(int span) {
  double a = number(span), b = test_random(&seed) & 1 ? number(span) : a + a * 0x1p-3 * test_random_unit(&seed);
  return a < b ? (toi_interval){a, b} : (toi_interval){b, a};
}

static void expect(const char *name, uint64_t wanted) {
  print_message("%s: 0x%llx\n", name, (unsigned long long)sum);
  assert_true(sum == wanted);
  sum = 0;
}

static void the_same_bits_everywhere(void **state) {
  (void)state;
  // Not from the environment: these are the numbers the sums are of.
  seed = 0xe1fa;
  for (int i = 0; i < BOXES; i++)
    add(toi_interval_exp(box(10)));
  expect("exp", UINT64_C(0x1648a49e83ad7d16));
  for (int i = 0; i < BOXES; i++)
    add(toi_interval_log(toi_interval_abs(box(i % 2 ? 1000 : 2)), NULL));
  expect("log", UINT64_C(0xcb5e406ecad78cdc));
  for (int i = 0; i < BOXES; i++)
    add(toi_interval_atan(box(i % 2 ? 1000 : 4)));
  expect("atan", UINT64_C(0xcc57af8f7b3b89f));
  for (int i = 0; i < BOXES; i++)
    add(toi_interval_tan(box(20), NULL));
  expect("tan", UINT64_C(0x57b235042a0cf5a6));
  for (int i = 0; i < BOXES; i++) {
    toi_interval y = box(4), x = box(i % 2 ? 1000 : 4);
    add(toi_interval_atan2(y, x, NULL));
  }
  expect("atan2", UINT64_C(0x9298050b4e02808b));
  for (int i = 0; i < BOXES; i++) {
    toi_interval x = toi_interval_abs(box(4)), y = i % 4 ? box(4) : toi_interval_point(0.5 * (i % 31));
    add(toi_interval_pow(x, y, NULL));
  }
  expect("pow", UINT64_C(0x9143a809aeee086d));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_bits_everywhere)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
