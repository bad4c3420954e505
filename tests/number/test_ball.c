/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Balls hold the results of operations on all of their numbers: against GMP's rationals, on operands that cancel, that
 * are tiny, huge or zero, with and without radii; and their radii are not much larger than they must be. */

#include <gmp.h>
#include <inttypes.h>
#include <math.h>

#include "number/ball.h"
#include "support/support.h"

/* --- operands --- */

static double random_double(uint64_t *state, int exponent) {
  double x = ldexp(1 + test_random_unit(state), exponent);
  return test_random(state) % 2 ? x : -x;
}

/* A centre of two doubles, |lo| <= u |hi|, the low one possibly far below or 0; and a radius, possibly 0. */
static toi_ball random_ball(uint64_t *state, int exponent, bool sharp) {
  if (test_random(state) % 40 == 0)
    return toi_ball_of(0);
  double hi = random_double(state, exponent);
  // Few digits: products and sums round rarely, powers of two are where the ulp changes.
  if (test_random(state) % 4 == 0)
    hi = copysign(ldexp(1, exponent), hi);
  double ulp = ldexp(1, exponent - 53), lo = ulp * (2 * test_random_unit(state) - 1) * (1 - 0x1p-40);
  switch (test_random(state) % 4) {
  case 0:
    lo = 0;
    break;
  case 1:
    lo = ldexp(lo, -(int)(test_random(state) % 60));
    break;
  case 2:
    lo = copysign(ulp * (1 - 0x1p-53), lo);
    break;
  default:
    break;
  }
  double r =
      sharp || test_random(state) % 2 ? 0 : fabs(random_double(state, exponent - (int)(test_random(state) % 120)));
  return (toi_ball){{hi, lo}, r};
}

/* Close to -a, so that their sum cancels more or less. */
static toi_ball nearly_negative(uint64_t *state, toi_ball a) {
  toi_ball b = toi_ball_negate(a);
  switch (test_random(state) % 3) {
  case 0:
    b.x.hi = nextafter(b.x.hi, test_random(state) % 2 ? 0x1p300 : -0x1p300);
    break;
  case 1:
    b.x.lo *= test_random_unit(state);
    break;
  default:
    b.x.hi *= 1 + ldexp(1, -(int)(test_random(state) % 52) - 1);
    break;
  }
  return fabs(b.x.lo) <= 0x1p-53 * fabs(b.x.hi) ? b : toi_ball_negate(a);
}

/* --- truth --- */

/* The number of the ball at `place` in [-1, 1]. */
static void member(toi_ball a, double place, mpq_t out) {
  mpq_t part;
  mpq_init(part);
  mpq_set_d(out, a.x.hi);
  mpq_set_d(part, a.x.lo);
  mpq_add(out, out, part);
  mpq_set_d(part, place);
  mpq_t radius;
  mpq_init(radius);
  mpq_set_d(radius, a.r);
  mpq_mul(part, part, radius);
  mpq_add(out, out, part);
  mpq_clears(part, radius, NULL);
}

/* How far the number is from the ball's centre, as a part of its radius: above 1 it is outside. */
static double share_of(toi_ball a, const mpq_t number) {
  mpq_t off, radius;
  mpq_inits(off, radius, NULL);
  member(a, 0, off);
  mpq_sub(off, off, number);
  mpq_abs(off, off);
  mpq_set_d(radius, a.r);
  bool outside = mpq_cmp(off, radius) > 0;
  double share = 0;
  if (mpq_sgn(off) != 0 && mpq_sgn(radius) != 0) {
    mpq_div(off, off, radius);
    share = mpq_get_d(off);
  }
  mpq_clears(off, radius, NULL);
  return outside ? fmax(share, 2) : fmin(share, 1);
}

static void reject(const char *what, toi_ball a, toi_ball b) {
  fail_msg("%s: (%a + %a, %a) and (%a + %a, %a)", what, a.x.hi, a.x.lo, a.r, b.x.hi, b.x.lo, b.r);
}

/* --- operations --- */

typedef enum operation { SUM, DIFFERENCE, PRODUCT } operation;

static toi_ball operate(operation op, toi_ball a, toi_ball b) {
  return op == SUM ? toi_ball_add(a, b) : op == DIFFERENCE ? toi_ball_sub(a, b) : toi_ball_mul(a, b);
}

/* The largest share over the corners of the two balls; a difference to the centre is linear in each. */
static double worst_share(operation op, toi_ball a, toi_ball b) {
  mpq_t x, y;
  mpq_inits(x, y, NULL);
  toi_ball result = operate(op, a, b);
  double worst = 0;
  for (int corner = 0; corner < 4; corner++) {
    member(a, corner & 1 ? 1 : -1, x);
    member(b, corner & 2 ? 1 : -1, y);
    if (op == SUM)
      mpq_add(x, x, y);
    else if (op == DIFFERENCE)
      mpq_sub(x, x, y);
    else
      mpq_mul(x, x, y);
    worst = fmax(worst, share_of(result, x));
  }
  mpq_clears(x, y, NULL);
  if (!(worst <= 1))
    reject(op == PRODUCT ? "a product is outside" : "a sum is outside", a, b);
  if (!(fabs(result.x.lo) <= 0x1p-53 * fabs(result.x.hi)))
    reject("not normalised", a, b);
  return worst;
}

static double run(operation op, bool sharp, uint64_t *state) {
  static const int exponents[] = {0, 0, 0, 1, -30, 30, 199, -300, -420, -700, -900, -1000, -1022};
  double worst = 0;
  const uint64_t rounds = test_count_from(40000, sharp ? 8000 : 1);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_ball a = random_ball(state, sharp ? 0 : exponents[test_random(state) % 13], sharp);
    toi_ball b = random_ball(state, sharp ? (int)(test_random(state) % 3) : exponents[test_random(state) % 13], sharp);
    if (op != PRODUCT && test_random(state) % 3 == 0)
      b = op == SUM ? nearly_negative(state, a) : toi_ball_negate(nearly_negative(state, a));
    worst = fmax(worst, worst_share(op, a, b));
  }
  return worst;
}

static void results_are_in_the_ball(void **test) {
  (void)test;
  uint64_t state = test_seed(701);
  for (int op = SUM; op <= PRODUCT; op++)
    (void)run((operation)op, false, &state);
}

/* Without radii of their own, what is left of a result's radius is for its roundings: were it much smaller than now, it
 * would not hold them. */
static void radii_are_needed(void **test) {
  (void)test;
  static const double least[] = {0.3, 0.3, 0.3};
  const uint64_t seed = test_seed(702);
  for (int op = SUM; op <= PRODUCT; op++) {
    // Each from the same numbers, however many: more rounds never find less.
    uint64_t state = seed + (uint64_t)op;
    double worst = run((operation)op, true, &state);
    print_message("%s: %.1f %% of the radius is used\n", op == PRODUCT ? "product" : "sum", 100 * worst);
    assert_true(worst > least[op]);
  }
}

static void signs_are_those_of_all_numbers(void **test) {
  (void)test;
  uint64_t state = test_seed(703), known = 0, unknown = 0;
  mpq_t ends[2];
  mpq_inits(ends[0], ends[1], NULL);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    toi_ball a = random_ball(&state, (int)(test_random(&state) % 400) - 200, true);
    a.r = fabs(a.x.hi) * (1 + ((double)(test_random(&state) % 64) - 32) * 0x1p-53);
    member(a, -1, ends[0]);
    member(a, 1, ends[1]);
    int sign = toi_ball_sign(a), lo = mpq_sgn(ends[0]), hi = mpq_sgn(ends[1]);
    if (sign != 0 && (lo != sign || hi != sign))
      reject("a sign that is not that of all numbers", a, a);
    member(toi_ball_abs(a), 0, ends[0]);
    if (mpq_sgn(ends[0]) < 0 || toi_ball_abs(a).r != a.r)
      reject("a magnitude that is negative", a, a);
    known += sign != 0;
    unknown += sign == 0;
  }
  mpq_clears(ends[0], ends[1], NULL);
  assert_int_equal(toi_ball_sign(toi_ball_of(0)), 0);
  assert_int_equal(toi_ball_sign(toi_ball_of(0x1p-1000)), 1);
  assert_int_equal(toi_ball_sign(toi_ball_of(-0x1p-1000)), -1);
  assert_true(known > 0 && unknown > 0);
}

/* Coordinates of size 1 that all but cancel: dot and cross products hold the true ones. */
static void dot_and_cross_products_are_in_the_ball(void **test) {
  (void)test;
  uint64_t state = test_seed(704);
  mpq_t sum, x, y;
  mpq_inits(sum, x, y, NULL);
  for (uint64_t round = 0; round < test_count(10000); round++) {
    toi_ball a[3], b[3], cross[3];
    for (int i = 0; i < 3; i++) {
      a[i] = random_ball(&state, -1 - (int)(test_random(&state) % 3), round % 2);
      b[i] = test_random(&state) % 2 ? nearly_negative(&state, a[i]) : random_ball(&state, -1, round % 2);
    }
    mpq_set_d(sum, 0);
    for (int i = 0; i < 3; i++) {
      double place = 2 * test_random_unit(&state) - 1;
      member(a[i], place, x);
      member(b[i], -place, y);
      mpq_mul(x, x, y);
      mpq_add(sum, sum, x);
    }
    if (share_of(toi_ball_dot(a, b), sum) > 1)
      reject("a dot product is outside; first of", a[0], b[0]);
    toi_ball_cross(a, b, cross);
    for (int i = 0; i < 3; i++) {
      member(a[(i + 1) % 3], 1, x);
      member(b[(i + 2) % 3], 1, y);
      mpq_mul(sum, x, y);
      member(a[(i + 2) % 3], -1, x);
      member(b[(i + 1) % 3], 1, y);
      mpq_mul(x, x, y);
      mpq_sub(sum, sum, x);
      if (share_of(cross[i], sum) > 1)
        reject("a cross product is outside; first of", a[0], b[0]);
    }
  }
  mpq_clears(sum, x, y, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_in_the_ball),
      cmocka_unit_test(radii_are_needed),
      cmocka_unit_test(signs_are_those_of_all_numbers),
      cmocka_unit_test(dot_and_cross_products_are_in_the_ball),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
