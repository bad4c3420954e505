/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Decimal text of integers of all sizes against mpz; and what integer.h claims about GMP: that operands up to the
 * largest size allowed take no memory from it. */

#include "support/support.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/gmp_counter.h"
#include "number/integer_text.h"

enum { MOST_LIMBS = TOI_INTEGER_LIMBS_MAX, ROOM = 16 * MOST_LIMBS };

static toi_limb memory[ROOM];

/* A number of so many limbs: random, all ones, or a power of two. */
static toi_integer draw(toi_arena *arena, uint64_t *state, size_t limbs) {
  toi_limb *limb = toi_arena_take(arena, limbs);
  const uint64_t style = test_random(state) % 4;
  for (size_t i = 0; i < limbs; i++)
    limb[i] = style == 0 ? ~UINT64_C(0) : style == 1 ? 0 : test_random(state);
  limb[limbs - 1] |= UINT64_C(1) << (test_random(state) % 64);
  return (toi_integer){limb, (int32_t)(test_random(state) % 2 ? -(int64_t)limbs : (int64_t)limbs)};
}

static size_t draw_size(uint64_t *state, size_t most) {
  return 1 + test_random(state) % (test_random(state) % 2 ? most : 1 + most / 20);
}

static void set(mpz_t z, toi_integer a) {
  const toi_integer size = toi_integer_absolute(a);
  mpz_import(z, (size_t)size.size, -1, sizeof(toi_limb), 0, 0, a.limb);
  if (a.size < 0)
    mpz_neg(z, z);
}

static void text_is_that_of_mpz(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  mpz_t z;
  mpz_init(z);
  for (uint64_t round = 0; round < test_count(2000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    const toi_integer a = draw(&arena, &state, draw_size(&state, MOST_LIMBS));
    set(z, a);
    const size_t room = toi_integer_decimal_size(a);
    char *want = mpz_get_str(NULL, 10, z), *text = malloc(room + 1);
    assert_non_null(text);
    text[room] = '#';
    assert_int_equal(toi_integer_decimal(&arena, a, text), strlen(want));
    assert_string_equal(text, want);
    assert_int_equal(text[room], '#');
    // And back, with zeros in front at times.
    const char *digits = want + (*want == '-');
    const size_t count = strlen(digits);
    toi_limb *back = toi_arena_take(&arena, TOI_DECIMAL_LIMBS(count));
    const toi_integer read = {back, (int32_t)toi_limbs_from_decimal(digits, count, back)};
    assert_int_equal(toi_integer_compare(read, toi_integer_absolute(a)), 0);
    free(text);
    free(want);
  }
  mpz_clear(z);
}

static void text_next_to_powers_of_ten(void **unused) {
  (void)unused;
  mpz_t z;
  mpz_init(z);
  for (unsigned power = 0; power < 400; power++) {
    for (int shift = -1; shift <= 1; shift++) {
      mpz_ui_pow_ui(z, 10, power);
      if (shift < 0)
        mpz_sub_ui(z, z, 1);
      else
        mpz_add_ui(z, z, (unsigned)shift);
      char *want = mpz_get_str(NULL, 10, z), text[512], padded[600];
      toi_limb limbs[32];
      (void)snprintf(padded, sizeof padded, "000000000000000000000%s", want);
      const size_t size = toi_limbs_from_decimal(padded, strlen(padded), limbs);
      assert_int_equal(size, mpz_size(z));
      toi_arena arena = toi_arena_make(memory, sizeof memory);
      toi_integer_decimal(&arena, (toi_integer){limbs, (int32_t)size}, text);
      assert_string_equal(text, want);
      free(want);
    }
  }
  mpz_clear(z);
}

static void remainders_by_small_numbers(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  mpz_t z;
  mpz_init(z);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    const toi_integer a = draw(&arena, &state, draw_size(&state, 100));
    const uint32_t m = 1 + (uint32_t)(test_random(&state) % (round % 2 ? 100 : UINT32_MAX));
    set(z, a);
    assert_int_equal(toi_integer_modulo(a, m), mpz_fdiv_ui(z, m));
  }
  mpz_clear(z);
  assert_int_equal(toi_integer_modulo(TOI_INTEGER_ZERO, 7), 0);
}

/* Every size up to the limit in one operand, several in the other. */
static void gmp_takes_no_memory_up_to_the_limit(void **unused) {
  (void)unused;
  gmp_count_allocations();
  uint64_t state = test_seed(3);
  const uint64_t rounds = test_count(4000);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    const bool largest = round < 16;
    const size_t first = largest ? MOST_LIMBS : draw_size(&state, MOST_LIMBS);
    const size_t second = largest && round % 2 ? MOST_LIMBS : draw_size(&state, MOST_LIMBS);
    const toi_integer a = draw(&arena, &state, first), b = draw(&arena, &state, second);
    toi_limb *mark = toi_arena_mark(&arena);
    (void)toi_integer_multiply(&arena, a, b);
    toi_arena_release(&arena, mark);
    (void)toi_integer_divide(&arena, a, b);
    toi_arena_release(&arena, mark);
    if (round % 4 == 0)
      (void)toi_integer_gcd(&arena, a, b);
    assert_int_equal(gmp_allocations, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_that_of_mpz),
      cmocka_unit_test(text_next_to_powers_of_ten),
      cmocka_unit_test(remainders_by_small_numbers),
      cmocka_unit_test(gmp_takes_no_memory_up_to_the_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
