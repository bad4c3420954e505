/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sums of products by midpoint and radius hold the exact ones, as computed by MPFR, also where all terms cancel, where
 * each rounding goes the same way, and where products underflow. */

#include "support/support.h"

#include "solve/midrad.h"

#include <mpfr.h>

#define TERMS 14
#define ROUNDS 4000

static uint64_t seed;

typedef struct sum_case {
  toi_midrad term[TERMS];
  double factor[TERMS];
} sum_case;

/* Sizes apart by up to 2^spread; every other one takes the last back, but for rounding, if they cancel. */
static void fill(sum_case *c, int spread, bool cancel, bool tiny) {
  for (int i = 0; i < TERMS; i++) {
    int power = spread == 0 ? 0 : (int)(test_random(&seed) % (uint64_t)(2 * spread)) - spread;
    c->term[i].x = ldexp(test_random_unit(&seed) + 0.5, power);
    c->factor[i] = (test_random(&seed) & 1 ? 1 : -1) * (test_random_unit(&seed) + 0.5);
    if (cancel && i % 2 == 1) {
      c->term[i].x = c->term[i - 1].x;
      c->factor[i] = -c->factor[i - 1] * (1 + ldexp(test_random_unit(&seed), -50));
    }
    if (tiny)
      c->factor[i] = ldexp(c->factor[i], -1060);
    c->term[i].r = test_random(&seed) & 1 ? 0 : ldexp(fabs(c->term[i].x), -(int)(test_random(&seed) % 80));
  }
}

/* Each sum is rounded by half of its last place, always downwards: 1, and then a little less than half a place. */
static void fill_one_way(sum_case *c) {
  for (int i = 0; i < TERMS; i++) {
    c->term[i] = (toi_midrad){i == 0 ? 1 : 0x1.fffffffffffffp-54, 0};
    c->factor[i] = 1;
  }
}

/* The exact sum where each term is at the end of its radius that `side` says: 1 high, -1 low. Gives how far it is off
 * the computed midpoint, rounded up. */
static double distance_of(const sum_case *c, double x, int side) {
  mpfr_t sum, at, by;
  mpfr_inits2(4096, sum, at, by, (mpfr_ptr)NULL);
  mpfr_set_d(sum, 0, MPFR_RNDN);
  for (int i = 0; i < TERMS; i++) {
    mpfr_set_d(at, c->term[i].x, MPFR_RNDN);
    mpfr_set_d(by, c->term[i].r, MPFR_RNDN);
    if ((c->factor[i] > 0) == (side > 0))
      mpfr_add(at, at, by, MPFR_RNDN);
    else
      mpfr_sub(at, at, by, MPFR_RNDN);
    mpfr_mul_d(at, at, c->factor[i], MPFR_RNDN);
    mpfr_add(sum, sum, at, MPFR_RNDN);
  }
  mpfr_sub_d(sum, sum, x, MPFR_RNDN);
  mpfr_abs(sum, sum, MPFR_RNDN);
  double distance = mpfr_get_d(sum, MPFR_RNDU);
  mpfr_clears(sum, at, by, (mpfr_ptr)NULL);
  return distance;
}

static void check(const sum_case *c) {
  toi_midrad_sum sum = {0};
  for (int i = 0; i < TERMS; i++)
    toi_midrad_accumulate(&sum, c->term[i], c->factor[i]);
  toi_midrad total = toi_midrad_total(sum);
  for (int side = -1; side <= 1; side += 2) {
    double distance = distance_of(c, total.x, side);
    if (!(distance <= total.r))
      fail_msg("off by %a, radius %a", distance, total.r);
  }
}

static void sums_hold_exact_sums(void **state) {
  (void)state;
  sum_case c;
  for (uint64_t round = 0; round < test_count(ROUNDS); round++) {
    fill(&c, (int)(round % 60), round % 3 == 1, round % 7 == 6);
    check(&c);
  }
}

/* The roundings of one operation after the other add up: nearly thirteen unit roundoffs of the largest term are lost.
 */
static void roundings_may_all_go_one_way(void **state) {
  (void)state;
  sum_case c;
  fill_one_way(&c);
  toi_midrad_sum sum = {0};
  for (int i = 0; i < TERMS; i++)
    toi_midrad_accumulate(&sum, c.term[i], c.factor[i]);
  assert_true(sum.x == 1);
  assert_true(distance_of(&c, sum.x, 1) > 12.9 * TOI_UNIT);
  check(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_hold_exact_sums),
      cmocka_unit_test(roundings_may_all_go_one_way),
  };
  seed = test_seed(1603);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
