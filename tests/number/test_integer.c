/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Integers against GMP's mpz, which may be believed on all of it. Operands are biased to the borders of limbs: runs of
 * zeros and ones, powers of two, neighbours of powers of two. */

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "number/integer_text.h"

#define MEMORY_LIMBS 16384
#define MOST_BITS 1400

static toi_limb memory[MEMORY_LIMBS];

/* A random integer with long runs of equal bits, often short, sometimes zero. */
static void draw(mpz_t z, uint64_t *state) {
  uint64_t bits = test_random(state) % (test_random(state) % 4 == 0 ? MOST_BITS : 200);
  mpz_set_ui(z, 0);
  while (mpz_sizeinbase(z, 2) < bits) {
    unsigned run = 1 + (unsigned)(test_random(state) % 70);
    mpz_mul_2exp(z, z, run);
    if (test_random(state) % 2) {
      mpz_t ones;
      mpz_init_set_ui(ones, 1);
      mpz_mul_2exp(ones, ones, run);
      mpz_sub_ui(ones, ones, 1);
      mpz_add(z, z, ones);
      mpz_clear(ones);
    }
    if (mpz_sgn(z) == 0)
      break;
  }
  switch (test_random(state) % 8) {
  case 0:
    mpz_add_ui(z, z, 1);
    break;
  case 1:
    mpz_sub_ui(z, z, 1);
    break;
  case 2:
    mpz_set_ui(z, test_random(state));
    break;
  default:
    break;
  }
  if (test_random(state) % 2)
    mpz_neg(z, z);
}

static toi_integer import(toi_arena *arena, const mpz_t z) {
  size_t count = mpz_size(z);
  toi_limb *limbs = toi_arena_take(arena, count);
  memcpy(limbs, mpz_limbs_read(z), count * sizeof(toi_limb));
  return (toi_integer){limbs, mpz_sgn(z) < 0 ? -(int32_t)count : (int32_t)count};
}

static void expect(const mpz_t want, toi_integer got, const char *what, uint64_t round) {
  size_t count = mpz_size(want);
  int32_t size = mpz_sgn(want) < 0 ? -(int32_t)count : (int32_t)count;
  if (got.size != size || (count > 0 && memcmp(got.limb, mpz_limbs_read(want), count * sizeof(toi_limb)) != 0)) {
    gmp_fprintf(stderr, "%s, round %lu: want %Zd\n", what, (unsigned long)round, want);
    fail();
  }
}

/* Four operands as mpz and as integers of ours, and room for results. */
typedef struct operands {
  mpz_t z[4], want, help;
  toi_integer i[4];
  toi_arena arena;
} operands;

static void operands_init(operands *o) {
  for (int i = 0; i < 4; i++)
    mpz_init(o->z[i]);
  mpz_inits(o->want, o->help, NULL);
}

static void operands_clear(operands *o) {
  for (int i = 0; i < 4; i++)
    mpz_clear(o->z[i]);
  mpz_clears(o->want, o->help, NULL);
}

static void operands_draw(operands *o, uint64_t *state) {
  o->arena = toi_arena_make(memory, sizeof memory);
  for (int i = 0; i < 4; i++) {
    draw(o->z[i], state);
    // Equal and opposite operands are where carries and signs go wrong.
    if (i > 0 && test_random(state) % 8 == 0)
      mpz_set(o->z[i], o->z[i - 1]);
    o->i[i] = import(&o->arena, o->z[i]);
  }
}

static void sums_and_products_agree_with_mpz(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(200000); round++) {
    operands_draw(&o, &state);
    mpz_add(o.want, o.z[0], o.z[1]);
    expect(o.want, toi_integer_add(&o.arena, o.i[0], o.i[1]), "add", round);
    mpz_sub(o.want, o.z[0], o.z[1]);
    expect(o.want, toi_integer_subtract(&o.arena, o.i[0], o.i[1]), "subtract", round);
    mpz_mul(o.want, o.z[0], o.z[1]);
    expect(o.want, toi_integer_multiply(&o.arena, o.i[0], o.i[1]), "multiply", round);
    int32_t small = (int32_t)(test_random(&state) >> 32);
    mpz_mul_si(o.want, o.z[0], small);
    expect(o.want, toi_integer_multiply_small(&o.arena, o.i[0], small), "multiply_small", round);
    mpz_neg(o.want, o.z[2]);
    expect(o.want, toi_integer_negate(o.i[2]), "negate", round);
    int order = mpz_cmp(o.z[0], o.z[1]);
    assert_int_equal(toi_integer_compare(o.i[0], o.i[1]), (order > 0) - (order < 0));
    assert_int_equal(toi_integer_bits(o.i[3]), mpz_sgn(o.z[3]) ? mpz_sizeinbase(o.z[3], 2) : 0);
  }
  operands_clear(&o);
}

static void fused_operations_agree_with_mpz(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(200000); round++) {
    operands_draw(&o, &state);
    uint32_t bits = (uint32_t)(test_random(&state) % 200);
    mpz_mul_2exp(o.want, o.z[2], bits);
    expect(o.want, toi_integer_shift_left(&o.arena, o.i[2], bits), "shift_left", round);
    mpz_addmul(o.want, o.z[0], o.z[1]);
    expect(o.want, toi_integer_multiply_add(&o.arena, o.i[0], o.i[1], o.i[2], bits), "multiply_add", round);
    mpz_tdiv_q_2exp(o.want, o.z[2], bits);
    expect(o.want, toi_integer_shift_right(&o.arena, o.i[2], bits), "shift_right", round);
    mpz_mul(o.want, o.z[0], o.z[1]);
    mpz_submul(o.want, o.z[2], o.z[3]);
    expect(o.want, toi_integer_determinant(&o.arena, o.i[0], o.i[1], o.i[2], o.i[3]), "determinant", round);
    mpz_mul(o.want, o.z[0], o.z[1]);
    mpz_addmul(o.want, o.z[1], o.z[2]);
    mpz_addmul(o.want, o.z[2], o.z[3]);
    const toi_integer pairs[3][2] = {{o.i[0], o.i[1]}, {o.i[1], o.i[2]}, {o.i[2], o.i[3]}};
    expect(o.want, toi_integer_dot(&o.arena, pairs, 3), "dot", round);
  }
  operands_clear(&o);
}

static void dot_products_of_extreme_single_limbs_agree_with_mpz(void **unused) {
  (void)unused;
  // Six products of the largest limbs overflow 128 bits in either direction.
  static const uint64_t limbs[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, UINT64_C(1) << 32};
  uint64_t state = test_seed(3);
  mpz_t want, a, b;
  mpz_inits(want, a, b, NULL);
  for (uint64_t round = 0; round < test_count(100000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    toi_integer pairs[6][2];
    mpz_set_ui(want, 0);
    for (int i = 0; i < 6; i++) {
      mpz_set_ui(a, limbs[test_random(&state) % 6]);
      mpz_set_ui(b, limbs[test_random(&state) % 6]);
      if (test_random(&state) % 2)
        mpz_neg(a, a);
      mpz_addmul(want, a, b);
      pairs[i][0] = import(&arena, a);
      pairs[i][1] = import(&arena, b);
    }
    expect(want, toi_integer_dot(&arena, (const toi_integer(*)[2])pairs, 6), "dot of limbs", round);
  }
  mpz_clears(want, a, b, NULL);
}

static void gcd_division_and_decimal_agree_with_mpz(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    operands_draw(&o, &state);
    mpz_mul(o.z[0], o.z[0], o.z[2]);
    mpz_mul(o.z[1], o.z[1], o.z[2]);
    o.i[0] = import(&o.arena, o.z[0]);
    o.i[1] = import(&o.arena, o.z[1]);
    mpz_gcd(o.want, o.z[0], o.z[1]);
    expect(o.want, toi_integer_gcd(&o.arena, o.i[0], o.i[1]), "gcd", round);
    if (mpz_sgn(o.z[2]) != 0) {
      mpz_tdiv_q(o.want, o.z[0], o.z[2]);
      expect(o.want, toi_integer_divide(&o.arena, o.i[0], o.i[2]), "divide exactly", round);
    }
    if (mpz_sgn(o.z[3]) != 0) {
      mpz_tdiv_q(o.want, o.z[0], o.z[3]);
      expect(o.want, toi_integer_divide(&o.arena, o.i[0], o.i[3]), "divide", round);
    }
    char *want = mpz_get_str(NULL, 10, o.z[0]), text[2048];
    assert_true(toi_integer_decimal_size(o.i[0]) < sizeof text);
    memset(text, '#', sizeof text);
    size_t length = toi_integer_decimal(&o.arena, o.i[0], text);
    assert_string_equal(text, want);
    assert_int_equal(length, strlen(want));
    assert_int_equal(text[toi_integer_decimal_size(o.i[0])], '#');
    free(want);
  }
  operands_clear(&o);
}

static void approximations_are_within_an_ulp(void **unused) {
  (void)unused;
  uint64_t state = test_seed(5);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(100000); round++) {
    operands_draw(&o, &state);
    int exponent;
    long want_exponent;
    double got = toi_integer_approximate(o.i[0], &exponent), want = mpz_get_d_2exp(&want_exponent, o.z[0]);
    // mpz truncates; ours may round up to the next power of two.
    assert_true(fabs(ldexp(got, exponent - (int)want_exponent) - want) <= fabs(want) * 0x1p-52);
    assert_true(got == 0 || (fabs(got) >= 0.5 && fabs(got) <= 1));
  }
  operands_clear(&o);
}

static void doubles_of_every_exponent_become_integers(void **unused) {
  (void)unused;
  uint64_t state = test_seed(6);
  mpz_t want;
  mpz_init(want);
  for (int exponent = -1074; exponent <= 1023; exponent++) {
    for (int i = 0; i < 8; i++) {
      double x = ldexp(1 + (i == 0 ? 0 : test_random_unit(&state)), exponent);
      x = test_random(&state) % 2 ? -x : x;
      int own;
      int64_t odd = toi_double_split(x, &own);
      assert_true(odd % 2 != 0 && ldexp((double)odd, own) == x);
      // x 2^1074 as an integer, by way of mpf with more bits than it has.
      mpf_t wide;
      mpf_init2(wide, 2200);
      mpf_set_d(wide, x);
      mpf_mul_2exp(wide, wide, 1074);
      mpz_set_f(want, wide);
      mpf_clear(wide);
      toi_arena arena = toi_arena_make(memory, sizeof memory);
      expect(want, toi_integer_from_double(&arena, x, -1074), "from_double", (uint64_t)(exponent + 1074));
    }
  }
  int exponent;
  assert_int_equal(toi_double_split(0.0, &exponent), 0);
  assert_int_equal(toi_double_split(-0.0, &exponent), 0);
  assert_int_equal(toi_double_split(DBL_MAX, &exponent), (INT64_C(1) << 53) - 1);
  assert_int_equal(exponent, 971);
  mpz_clear(want);
}

static void keeping_moves_what_is_above_the_mark(void **unused) {
  (void)unused;
  toi_arena arena = toi_arena_make(memory, sizeof memory);
  toi_integer old = toi_integer_from_u64(&arena, 7);
  toi_limb *mark = toi_arena_mark(&arena);
  toi_integer_from_u64(&arena, 8);
  toi_integer young = toi_integer_shift_left(&arena, toi_integer_from_i64(&arena, -9), 130);
  toi_integer kept = toi_arena_keep(&arena, mark, young);
  assert_ptr_equal(kept.limb, mark);
  assert_int_equal(kept.size, -3);
  assert_true(kept.limb[0] == 0 && kept.limb[1] == 0 && kept.limb[2] == 9 * 4);
  assert_ptr_equal(toi_arena_mark(&arena), mark + 3);
  // What is older stays where it is.
  assert_ptr_equal(toi_arena_keep(&arena, mark, old).limb, old.limb);
  assert_ptr_equal(toi_arena_mark(&arena), mark);
}

static void exact_quotients_agree_with_mpz(void **unused) {
  (void)unused;
  uint64_t state = test_seed(8);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    operands_draw(&o, &state);
    if (mpz_sgn(o.z[1]) == 0)
      continue;
    mpz_mul(o.want, o.z[0], o.z[1]);
    toi_integer product = import(&o.arena, o.want);
    expect(o.z[0], toi_integer_divide_exact(&o.arena, product, o.i[1]), "exact quotient", round);
  }
  operands_clear(&o);
}

static void long_products_agree_with_mpz(void **unused) {
  (void)unused;
  // Beyond the sizes that are left to GMP in one piece.
  static toi_limb room[40 * TOI_INTEGER_LIMBS_MAX];
  uint64_t state = test_seed(9);
  operands o;
  operands_init(&o);
  for (uint64_t round = 0; round < test_count(200); round++) {
    toi_arena arena = toi_arena_make(room, sizeof room);
    for (int i = 0; i < 2; i++) {
      size_t limbs = 1 + test_random(&state) % (3 * TOI_INTEGER_LIMBS_MAX);
      toi_limb *fresh = mpz_limbs_write(o.z[i], (mp_size_t)limbs);
      for (size_t j = 0; j < limbs; j++)
        fresh[j] = test_random(&state) % 3 ? test_random(&state) : ~(toi_limb)0;
      fresh[limbs - 1] |= 1;
      mpz_limbs_finish(o.z[i], (mp_size_t)limbs);
      o.i[i] = import(&arena, o.z[i]);
    }
    mpz_mul(o.want, o.z[0], o.z[1]);
    toi_integer product = toi_integer_multiply(&arena, o.i[0], o.i[1]);
    expect(o.want, product, "long product", round);
    expect(o.z[1], toi_integer_divide_exact(&arena, product, o.i[0]), "long quotient", round);
  }
  operands_clear(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_products_agree_with_mpz),
      cmocka_unit_test(fused_operations_agree_with_mpz),
      cmocka_unit_test(dot_products_of_extreme_single_limbs_agree_with_mpz),
      cmocka_unit_test(gcd_division_and_decimal_agree_with_mpz),
      cmocka_unit_test(exact_quotients_agree_with_mpz),
      cmocka_unit_test(long_products_agree_with_mpz),
      cmocka_unit_test(approximations_are_within_an_ulp),
      cmocka_unit_test(doubles_of_every_exponent_become_integers),
      cmocka_unit_test(keeping_moves_what_is_above_the_mark),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
