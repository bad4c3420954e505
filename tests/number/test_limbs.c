/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The library's own limb functions against GMP's mpn, which may be believed on all of it, in every build: the sources
 * are compiled into this program. Operands are biased to where carries go wrong: zeros, ones, single bits, long runs;
 * for division, quotients and divisors by which the estimate of a digit is one or two too large. A guard limb follows
 * each result. */

#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include <gmp.h>

#ifndef TOI_WITHOUT_GMP
#define TOI_WITHOUT_GMP
#endif
/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "number/limbs.c"
#include "number/limbs_divide.c"
#include "number/limbs_gcd.c"
#include "number/limbs_multiply.c"
/* NOLINTEND(bugprone-suspicious-include) */

#define MOST 200
#define GUARD UINT64_C(0xa5a5a5a5a5a5a5a5)

static toi_limb draw_limb(uint64_t *state) {
  static const toi_limb special[] = {0,
                                     1,
                                     2,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     UINT64_C(1) << 63,
                                     (UINT64_C(1) << 63) - 1,
                                     (UINT64_C(1) << 63) + 1,
                                     UINT32_MAX,
                                     UINT64_C(1) << 32};
  const uint64_t kind = test_random(state) % 4;
  if (kind == 0)
    return special[test_random(state) % (sizeof special / sizeof special[0])];
  if (kind == 1)
    return UINT64_C(1) << test_random(state) % 64;
  return test_random(state);
}

/* A number of exactly so many limbs, the top one not 0. */
static void draw(toi_limb *a, size_t count, uint64_t *state) {
  const uint64_t style = test_random(state) % 6;
  for (size_t i = 0; i < count; i++)
    if (style < 3)
      a[i] = draw_limb(state);
    else
      a[i] = style == 3 ? UINT64_MAX : style == 4 ? 0 : test_random(state);
  // A single bit among zeros or ones.
  if (style == 3 || style == 4)
    a[test_random(state) % count] ^= test_random(state) % 2 ? UINT64_C(1) << test_random(state) % 64 : 0;
  // Short and long top limbs.
  if (test_random(state) % 4 == 0)
    a[count - 1] >>= test_random(state) % 64;
  if (a[count - 1] == 0)
    a[count - 1] = 1;
}

/* Mostly short. */
static size_t draw_count(uint64_t *state, size_t most) {
  return 1 + test_random(state) % (test_random(state) % 4 == 0 || most < 12 ? most : 12);
}

static void expect(const toi_limb *want, const toi_limb *got, size_t count, const char *what) {
  for (size_t i = 0; i < count; i++) {
    if (want[i] != got[i])
      fail_msg("%s: limb %zu of %zu is %016llx, want %016llx", what, i, count, (unsigned long long)got[i],
               (unsigned long long)want[i]);
  }
}

static void single_limbs_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  for (uint64_t round = 0; round < test_count(200000); round++) {
    const toi_limb a = draw_limb(&state), b = draw_limb(&state), c = draw_limb(&state), d = draw_limb(&state);
    toi_limb want[2], got[2];
    want[1] = mpn_mul_1(want, &a, 1, b);
    want[1] += mpn_add_1(want, want, 1, c);
    want[1] += mpn_add_1(want, want, 1, d);
    got[1] = toi_limb_multiply(&got[0], a, b, c, d);
    expect(want, got, 2, "multiply");
    const toi_limb carry = c & 1;
    want[1] = mpn_add_1(want, &a, 1, b);
    want[1] += mpn_add_1(want, want, 1, carry);
    got[1] = toi_limb_add(&got[0], a, b, carry);
    expect(want, got, 2, "add");
    want[1] = mpn_sub_1(want, &a, 1, b);
    want[1] += mpn_sub_1(want, want, 1, carry);
    got[1] = toi_limb_subtract(&got[0], a, b, carry);
    expect(want, got, 2, "subtract");
    if (d == 0)
      continue;
    const toi_limb pair[2] = {a, b % d};
    toi_limb rest;
    const toi_limb want_rest = mpn_divrem_1(want, 0, pair, 2, d);
    got[0] = toi_limb_divide(pair[1], pair[0], d, &rest);
    expect(want, got, 1, "divide");
    expect(&want_rest, &rest, 1, "divide: rest");
  }
}

static void sums_and_comparisons_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(60000); round++) {
    toi_limb a[MOST + 1], b[MOST + 1], want[MOST + 1], got[MOST + 1];
    const size_t count_a = draw_count(&state, MOST), count_b = 1 + test_random(&state) % count_a;
    draw(a, count_a, &state);
    draw(b, count_b, &state);
    // Carries through the whole length: a and its complement, and one more.
    if (round % 8 == 0)
      for (size_t i = 0; i < count_b; i++)
        b[i] = ~a[i] + (i == 0);
    got[count_a] = GUARD;
    want[count_a] = mpn_add(want, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
    assert_int_equal(toi_limbs_add(got, a, count_a, b, count_b), want[count_a]);
    assert_true(got[count_a] == GUARD);
    expect(want, got, count_a, "add");
    want[count_a] = mpn_sub(want, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
    assert_int_equal(toi_limbs_subtract(got, a, count_a, b, count_b), want[count_a]);
    assert_true(got[count_a] == GUARD);
    expect(want, got, count_a, "subtract");
    // In place, over either operand.
    memcpy(got, a, count_a * sizeof *a);
    assert_int_equal(toi_limbs_subtract(got, got, count_a, b, count_b), want[count_a]);
    expect(want, got, count_a, "subtract in place");
    memcpy(got, b, count_b * sizeof *b);
    assert_int_equal(toi_limbs_subtract(got, a, count_b, got, count_b), mpn_sub_n(want, a, b, (mp_size_t)count_b));
    expect(want, got, count_b, "subtract over the second");
    memcpy(got, a, count_a * sizeof *a);
    if (round % 2)
      got[test_random(&state) % count_a] = draw_limb(&state);
    const int order = mpn_cmp(a, got, (mp_size_t)count_a), own = toi_limbs_compare(a, got, count_a);
    assert_int_equal((own > 0) - (own < 0), (order > 0) - (order < 0));
  }
}

static void single_rows_and_shifts_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3);
  for (uint64_t round = 0; round < test_count(60000); round++) {
    toi_limb a[MOST + 1], want[MOST + 1], got[MOST + 1];
    const size_t count = draw_count(&state, MOST);
    draw(a, count, &state);
    const toi_limb b = draw_limb(&state);
    const bool in_place = round % 2;
    toi_limb *from = in_place ? got : a;
    got[count] = GUARD;
    memcpy(got, a, count * sizeof *a);
    assert_true(toi_limbs_multiply_limb(got, from, count, b) == mpn_mul_1(want, a, (mp_size_t)count, b));
    expect(want, got, count, "multiply by a limb");
    draw(want, count, &state);
    memcpy(got, want, count * sizeof *a);
    assert_true(toi_limbs_subtract_multiple(got, a, count, b) == mpn_submul_1(want, a, (mp_size_t)count, b));
    expect(want, got, count, "subtract a multiple");
    const unsigned bits = 1 + (unsigned)(test_random(&state) % 63);
    memcpy(got, a, count * sizeof *a);
    assert_true(toi_limbs_shift_left(got, from, count, bits) == mpn_lshift(want, a, (mp_size_t)count, bits));
    expect(want, got, count, "shift left");
    memcpy(got, a, count * sizeof *a);
    toi_limbs_shift_right(got, from, count, bits);
    mpn_rshift(want, a, (mp_size_t)count, bits);
    expect(want, got, count, "shift right");
    assert_true(got[count] == GUARD);
    assert_int_equal(toi_limbs_trailing_zeros(a), mpn_scan1(a, 0));
    assert_false(toi_limbs_are_zero(a, count));
  }
  assert_true(toi_limbs_are_zero((const toi_limb[3]){0, 0, 0}, 3));
}

static void check_product(size_t count_a, size_t count_b, uint64_t *state) {
  static toi_limb a[TOI_INTEGER_LIMBS_MAX], b[TOI_INTEGER_LIMBS_MAX];
  static toi_limb want[2 * TOI_INTEGER_LIMBS_MAX], got[2 * TOI_INTEGER_LIMBS_MAX + 1];
  draw(a, count_a, state);
  draw(b, count_b, state);
  // A square is often asked for, with the same memory twice.
  const toi_limb *other = count_a == count_b && test_random(state) % 4 == 0 ? a : b;
  mpn_mul(want, a, (mp_size_t)count_a, other, (mp_size_t)count_b);
  got[count_a + count_b] = GUARD;
  toi_limbs_multiply(got, a, count_a, other, count_b);
  expect(want, got, count_a + count_b, "multiply");
  assert_true(got[count_a + count_b] == GUARD);
}

static void products_of_all_sizes_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  const uint64_t step = 1 + (uint64_t)(1 / ((double)test_count(1000) / 1000));
  for (size_t count_a = 1; count_a <= MOST; count_a++)
    for (size_t count_b = 1; count_b <= count_a; count_b += 1 + test_random(&state) % step)
      check_product(count_a, count_b, &state);
  // The longest, and such that the pieces of the longer factor end in a short one.
  static const size_t large[][2] = {{1000, 1000}, {1000, 999}, {1000, 618}, {1000, 382}, {1000, 500},
                                    {999, 334},   {1000, 33},  {1000, 32},  {1000, 31},  {1000, 1}};
  for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
    for (uint64_t round = 0; round < test_count(20); round++)
      check_product(large[i][0], large[i][1], &state);
}

/* A divisor whose digits are hard to estimate: a top limb just above a power of two, ones or zeros below it. */
static void draw_divisor(toi_limb *b, size_t count, uint64_t *state) {
  draw(b, count, state);
  if (test_random(state) % 2)
    return;
  b[count - 1] = UINT64_C(1) << test_random(state) % 64;
  if (count > 1)
    b[count - 2] = test_random(state) % 2 ? UINT64_MAX : test_random(state) % 3;
  if (count > 2)
    b[count - 3] = test_random(state) % 2 ? UINT64_MAX : test_random(state) % 3;
}

/* q b + r with r < b, q of `digits` limbs: the dividend of a known division, in count + digits limbs at most. */
static size_t draw_dividend(toi_limb *a, const toi_limb *b, size_t count, size_t digits, uint64_t *state) {
  toi_limb q[MOST], r[MOST];
  draw(q, digits, state);
  // The largest remainder, the smallest, or any.
  memcpy(r, b, count * sizeof *b);
  const uint64_t kind = test_random(state) % 4;
  if (kind < 2)
    (void)mpn_sub_1(r, r, (mp_size_t)count, 1);
  else if (kind == 2)
    memset(r, 0, count * sizeof *r);
  else
    mpn_rshift(r, r, (mp_size_t)count, 1);
  if (digits >= count)
    mpn_mul(a, q, (mp_size_t)digits, b, (mp_size_t)count);
  else
    mpn_mul(a, b, (mp_size_t)count, q, (mp_size_t)digits);
  size_t size = count + digits;
  mpn_add(a, a, (mp_size_t)size, r, (mp_size_t)count);
  while (size > count && a[size - 1] == 0)
    size--;
  return size;
}

static void quotients_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(5);
  for (uint64_t round = 0; round < test_count(60000); round++) {
    toi_limb a[2 * MOST], b[MOST], want[2 * MOST + 1], got[2 * MOST + 2];
    const size_t count_b = draw_count(&state, MOST);
    draw_divisor(b, count_b, &state);
    size_t count_a;
    if (round % 2) {
      count_a = draw_dividend(a, b, count_b, draw_count(&state, MOST), &state);
    } else {
      count_a = count_b + draw_count(&state, MOST) - 1;
      draw(a, count_a, &state);
    }
    const size_t digits = count_a - count_b + 1;
    mpn_tdiv_qr(want, want + digits, 0, a, (mp_size_t)count_a, b, (mp_size_t)count_b);
    got[count_a + 1] = GUARD;
    toi_limbs_divide(got, a, count_a, b, count_b);
    expect(want, got, count_a + 1, "divide");
    assert_true(got[count_a + 1] == GUARD);
    got[count_b] = GUARD;
    toi_limbs_modulo(got, a, count_a, b, count_b);
    expect(want + digits, got, count_b, "modulo");
    assert_true(got[count_b] == GUARD);
    const toi_limb d = b[count_b - 1];
    const toi_limb rest = mpn_divrem_1(want, 0, a, (mp_size_t)count_a, d);
    assert_true(toi_limbs_modulo_limb(a, count_a, d) == rest);
    assert_true(toi_limbs_divide_limb(a, a, count_a, d) == rest);
    expect(want, a, count_a, "divide by a limb");
  }
}

/* W of count + 1 limbs with W < b B: how much the estimate of its digit is too large, after the comparison with the
 * third limb, and *before it. */
static toi_limb excess(const toi_limb *w, const toi_limb *b, size_t count, toi_limb *before) {
  toi_limb q[2], rest[4];
  mpn_tdiv_qr(q, rest, 0, w, (mp_size_t)count + 1, b, (mp_size_t)count);
  const divisor by = divisor_of(b[count - 1], b[count - 2], b[count - 3]);
  const toi_limb leading[4] = {w[count], w[count - 1], w[count - 2], w[count - 3]};
  const toi_limb first = shifted(leading[0], leading[1], by.zeros), second = shifted(leading[1], leading[2], by.zeros);
  toi_limb left;
  *before = (first >= by.top ? UINT64_MAX : digit_of(&by, first, second, &left)) - q[0];
  return estimate(&by, leading) - q[0];
}

static void estimates_are_off_by_what_is_proved_and_no_more(void **unused) {
  (void)unused;
  uint64_t state = test_seed(6), one = 0, two = 0, corrected = 0;
  for (uint64_t round = 0; round < test_count_from(200000, 50000); round++) {
    toi_limb b[3], w[4];
    draw_divisor(b, 3, &state);
    if (draw_dividend(w, b, 3, 1, &state) < 4)
      w[3] = 0;
    toi_limb before;
    const toi_limb after = excess(w, b, 3, &before);
    assert_true(before <= 2);
    assert_true(after <= 1);
    one += before == 1;
    two += before == 2;
    corrected += after == 1;
  }
  // The cases exist: otherwise this test would not be looking at what it says.
  assert_true(one > 0 && two > 0 && corrected > 0);
}

static void check_gcd(toi_limb *a, size_t count_a, toi_limb *b, size_t count_b) {
  toi_limb copy_a[2 * MOST], copy_b[2 * MOST], want[2 * MOST], got[2 * MOST + 1];
  a[0] |= 1;
  b[0] |= 1;
  if (count_a < count_b || (count_a == count_b && mpn_cmp(a, b, (mp_size_t)count_a) < 0)) {
    check_gcd(b, count_b, a, count_a);
    return;
  }
  memcpy(copy_a, a, count_a * sizeof *a);
  memcpy(copy_b, b, count_b * sizeof *b);
  const size_t count = (size_t)mpn_gcd(want, copy_a, (mp_size_t)count_a, copy_b, (mp_size_t)count_b);
  got[count_b] = GUARD;
  assert_int_equal(toi_limbs_gcd(got, a, count_a, b, count_b), count);
  assert_true(got[count_b] == GUARD);
  expect(want, got, count, "gcd");
}

static void divisors_agree_with_mpn(void **unused) {
  (void)unused;
  uint64_t state = test_seed(7);
  for (uint64_t round = 0; round < test_count(6000); round++) {
    toi_limb a[2 * MOST], b[2 * MOST], common[MOST];
    size_t count_a = draw_count(&state, 100), count_b = round % 3 ? count_a : draw_count(&state, 100);
    draw(a, count_a, &state);
    draw(b, count_b, &state);
    if (round % 2) {
      // A common factor, odd as both are.
      toi_limb product[2 * MOST];
      const size_t count = 1 + test_random(&state) % (count_a < count_b ? count_a : count_b);
      draw(common, count, &state);
      common[0] |= 1;
      a[0] |= 1;
      b[0] |= 1;
      mpn_mul(product, a, (mp_size_t)count_a, common, (mp_size_t)count);
      count_a += count - (product[count_a + count - 1] == 0);
      memcpy(a, product, count_a * sizeof *a);
      mpn_mul(product, b, (mp_size_t)count_b, common, (mp_size_t)count);
      count_b += count - (product[count_b + count - 1] == 0);
      memcpy(b, product, count_b * sizeof *b);
    }
    if (round % 16 == 0)
      memcpy(b, a, (count_b = count_a) * sizeof *a);
    check_gcd(a, count_a, b, count_b);
  }
}

/* Fibonacci numbers, all of whose quotients are 1: the most steps; their neighbours, of every length. */
static void divisors_of_fibonacci_numbers(void **unused) {
  (void)unused;
  toi_limb f[2][2 * MOST] = {{1}, {1}}, a[2 * MOST], b[2 * MOST];
  size_t count = 1;
  for (int i = 0; count < 60; i ^= 1) {
    f[i][count] = mpn_add_n(f[i], f[0], f[1], (mp_size_t)count);
    f[i ^ 1][count] = 0;
    count += f[i][count] != 0;
    size_t shorter = count;
    while (f[i ^ 1][shorter - 1] == 0)
      shorter--;
    memcpy(a, f[i], count * sizeof *a);
    memcpy(b, f[i ^ 1], shorter * sizeof *b);
    check_gcd(a, count, b, shorter);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_limbs_agree_with_mpn),
      cmocka_unit_test(sums_and_comparisons_agree_with_mpn),
      cmocka_unit_test(single_rows_and_shifts_agree_with_mpn),
      cmocka_unit_test(products_of_all_sizes_agree_with_mpn),
      cmocka_unit_test(quotients_agree_with_mpn),
      cmocka_unit_test(estimates_are_off_by_what_is_proved_and_no_more),
      cmocka_unit_test(divisors_agree_with_mpn),
      cmocka_unit_test(divisors_of_fibonacci_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
