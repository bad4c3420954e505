/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Polynomials and their roots. The oracle is construction: a polynomial is made from roots that are known as rationals
 * (or as roots of a known polynomial of degree 2), so number, order, multiplicity, tightest doubles and signs follow
 * from rational arithmetic (mpq), which may be believed on all of it. */

#include "support/support.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

#include "number/algebraic.h"

#define MEMORY_LIMBS (1 << 18)
#define LIMIT 60000u

static toi_limb memory[MEMORY_LIMBS];

static toi_integer import(toi_arena *arena, const mpz_t z) {
  size_t count = mpz_size(z);
  toi_limb *limbs = toi_arena_take(arena, count);
  if (count > 0)
    memcpy(limbs, mpz_limbs_read(z), count * sizeof(toi_limb));
  return (toi_integer){limbs, mpz_sgn(z) < 0 ? -(int32_t)count : (int32_t)count};
}

/* A polynomial in powers of t, over mpz. */
typedef struct plain {
  int degree;
  mpz_t c[8];
} plain;

static void plain_init(plain *p, int degree) {
  p->degree = degree;
  for (int i = 0; i < 8; i++)
    mpz_init(p->c[i]);
}

static void plain_clear(plain *p) {
  for (int i = 0; i < 8; i++)
    mpz_clear(p->c[i]);
}

/* p *= b t - a. */
static void plain_times_root(plain *p, const mpz_t a, const mpz_t b) {
  p->degree++;
  for (int i = p->degree; i >= 0; i--) {
    mpz_mul(p->c[i], p->c[i], a);
    mpz_neg(p->c[i], p->c[i]);
    if (i > 0)
      mpz_addmul(p->c[i], p->c[i - 1], b);
  }
}

/* The form of a polynomial: c[i] = sum of binomial(n - j, i - j) p[j]. */
static toi_integer_form plain_form(toi_arena *arena, const plain *p) {
  toi_integer_form form = {p->degree, {TOI_INTEGER_ZERO}};
  mpz_t sum, binomial;
  mpz_inits(sum, binomial, NULL);
  for (int i = 0; i <= p->degree; i++) {
    mpz_set_ui(sum, 0);
    for (int j = 0; j <= i; j++) {
      mpz_bin_uiui(binomial, (unsigned long)(p->degree - j), (unsigned long)(i - j));
      mpz_addmul(sum, binomial, p->c[j]);
    }
    form.c[i] = import(arena, sum);
  }
  mpz_clears(sum, binomial, NULL);
  return form;
}

/* Whether bracket is the tightest pair of doubles around x in [0, 1]. */
static bool tightest(const double bracket[2], const mpq_t x) {
  mpq_t lo, hi;
  mpq_inits(lo, hi, NULL);
  mpq_set_d(lo, bracket[0]);
  mpq_set_d(hi, bracket[1]);
  int below = mpq_cmp(lo, x), above = mpq_cmp(hi, x);
  mpq_clears(lo, hi, NULL);
  if (bracket[0] == bracket[1])
    return below == 0;
  return below < 0 && above > 0 && nextafter(bracket[0], 2) == bracket[1];
}

/* A rational in [0, 1], or near it, of one of many kinds. */
static void draw_root(mpq_t x, uint64_t *state) {
  switch (test_random(state) % 8) {
  case 0: // a small fraction
    mpq_set_ui(x, test_random(state) % 9, 1 + test_random(state) % 8);
    break;
  case 1: // a double
    mpq_set_d(x, test_random_unit(state));
    break;
  case 2: // a tiny double, subnormal at times, or one third of it
    mpq_set_d(x, ldexp(1 + test_random_unit(state), -1074 + (int)(test_random(state) % 80)));
    if (test_random(state) % 2)
      mpz_mul_ui(mpq_denref(x), mpq_denref(x), 3);
    break;
  case 3: // below all doubles
    mpq_set_ui(x, 1 + test_random(state) % 5, 7);
    mpq_div_2exp(x, x, 1075 + test_random(state) % 100);
    break;
  case 4: // an end
    mpq_set_ui(x, test_random(state) % 2, 1);
    break;
  case 5: // just outside
    mpq_set_d(x, test_random(state) % 2 ? -0x1p-300 : 1 + 0x1p-50);
    break;
  default: // anything
    mpq_set_ui(x, test_random(state), UINT64_MAX);
  }
  mpq_canonicalize(x);
}

/* Sometimes a neighbour of the root before, by far less than the distance of doubles. */
static void draw_near(mpq_t x, const mpq_t before, uint64_t *state) {
  switch (test_random(state) % 4) {
  case 0:
    mpq_set(x, before);
    break;
  case 1: {
    mpq_t step;
    mpq_init(step);
    mpq_set_ui(step, 1, 1 + 2 * (test_random(state) % 3));
    mpq_div_2exp(step, step, 40 + test_random(state) % 1500);
    if (test_random(state) % 2)
      mpq_neg(step, step);
    mpq_add(x, before, step);
    mpq_clear(step);
    break;
  }
  default:
    draw_root(x, state);
  }
}

static void sort_roots(mpq_t *x, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && mpq_cmp(x[j], x[j - 1]) < 0; j--)
      mpq_swap(x[j], x[j - 1]);
}

/* Whether a number is this rational, by its interval and the sign of b t - a. */
static bool is_rational(toi_arena *arena, const toi_algebraic *number, const mpq_t x) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial line = {1, {import(arena, mpq_numref(x)), import(arena, mpq_denref(x))}};
  line.c[0] = toi_integer_negate(line.c[0]);
  int sign = toi_algebraic_sign(arena, number, &line);
  toi_arena_release(arena, mark);
  return sign == 0;
}

static void roots_are_found_with_their_multiplicities(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  mpq_t x[3];
  mpq_inits(x[0], x[1], x[2], NULL);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    int degree = 1 + (int)(test_random(&state) % 3);
    for (int i = 0; i < degree; i++)
      if (i == 0)
        draw_root(x[0], &state);
      else
        draw_near(x[i], x[i - 1], &state);
    sort_roots(x, degree);
    plain p;
    plain_init(&p, 0);
    mpz_set_si(p.c[0], test_random(&state) % 2 ? 1 : -3);
    for (int i = 0; i < degree; i++)
      plain_times_root(&p, mpq_numref(x[i]), mpq_denref(x[i]));
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    toi_integer_form form = plain_form(&arena, &p);
    toi_algebraic roots[TOI_DEGREE_CUBIC];
    int count = toi_integer_form_roots(&arena, &form, LIMIT, roots), found = 0;
    for (int i = 0; i < degree;) {
      int same = i;
      while (same < degree && mpq_equal(x[same], x[i]))
        same++;
      if (mpq_sgn(x[i]) >= 0 && mpq_cmp_ui(x[i], 1, 1) <= 0) {
        assert_true(found < count);
        assert_int_equal(roots[found].multiplicity, same - i);
        assert_true(is_rational(&arena, &roots[found], x[i]));
        double bracket[2], guess = test_random(&state) % 3 == 0 ? NAN : test_random_unit(&state) * 1.5 - 0.2;
        toi_algebraic_bracket(&arena, &roots[found], guess, bracket);
        assert_true(tightest(bracket, x[i]));
        assert_true(is_rational(&arena, &roots[found], x[i]));
        found++;
      }
      i = same;
    }
    assert_int_equal(found, count);
    // All pairs of them in order.
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count; j++)
        assert_int_equal(toi_algebraic_compare(&arena, &roots[i], &roots[j]), (i > j) - (i < j));
    plain_clear(&p);
  }
  mpq_clears(x[0], x[1], x[2], NULL);
}

static void signs_at_rational_roots_agree_with_rationals(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  mpq_t x[3], y[2], value, term;
  mpq_inits(x[0], x[1], x[2], y[0], y[1], value, term, NULL);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    plain p, g;
    plain_init(&p, 0);
    plain_init(&g, 0);
    mpz_set_ui(p.c[0], 1);
    mpz_set_si(g.c[0], test_random(&state) % 2 ? 1 : -1);
    for (int i = 0; i < 3; i++) {
      draw_root(x[i], &state);
      plain_times_root(&p, mpq_numref(x[i]), mpq_denref(x[i]));
    }
    // g vanishes at the root, or so close to it that only exact arithmetic tells.
    for (int i = 0; i < 2; i++) {
      draw_near(y[i], x[test_random(&state) % 3], &state);
      plain_times_root(&g, mpq_numref(y[i]), mpq_denref(y[i]));
    }
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    toi_integer_form form = plain_form(&arena, &p), other = plain_form(&arena, &g);
    toi_algebraic roots[TOI_DEGREE_CUBIC];
    int count = toi_integer_form_roots(&arena, &form, LIMIT, roots);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < 3; j++)
        if (is_rational(&arena, &roots[i], x[j]))
          mpq_set(value, x[j]);
      int want = mpz_sgn(g.c[2]);
      for (int j = 0; j < 2; j++) {
        int order = mpq_cmp(value, y[j]);
        want *= (order > 0) - (order < 0);
      }
      assert_int_equal(toi_algebraic_sign_form(&arena, &roots[i], &other), want);
      double bracket[2];
      toi_algebraic_bracket(&arena, &roots[i], NAN, bracket);
      assert_int_equal(toi_algebraic_sign_form(&arena, &roots[i], &other), want);
    }
    plain_clear(&p);
    plain_clear(&g);
  }
  mpq_clears(x[0], x[1], x[2], y[0], y[1], value, term, NULL);
}

/* A radicand in (0, 1), or one close to the radicand before. */
static void draw_radicand(mpq_t r, const mpq_t before, uint64_t *state) {
  if (before == NULL || test_random(state) % 3 == 0) {
    mpq_set_ui(r, 1 + test_random(state) % 1000, 1001);
    mpq_canonicalize(r);
    if (test_random(state) % 4 == 0)
      mpq_div_2exp(r, r, test_random(state) % 2100);
    return;
  }
  draw_near(r, before, state);
  if (mpq_sgn(r) <= 0 || mpq_cmp_ui(r, 1, 1) >= 0)
    mpq_set(r, before);
}

/* sqrt(r) for r = a / b as a root of b t^2 - a, at times multiplied by a factor whose root is in the way. */
static toi_algebraic root_of(toi_arena *arena, const mpq_t r, uint64_t *state) {
  plain p;
  plain_init(&p, 2);
  mpz_neg(p.c[0], mpq_numref(r));
  mpz_set(p.c[2], mpq_denref(r));
  mpq_t third, square;
  mpq_inits(third, square, NULL);
  mpq_set_ui(third, test_random(state) % 2, 1 + test_random(state) % 5);
  mpq_canonicalize(third);
  mpq_mul(square, third, third);
  bool cubic = test_random(state) % 2;
  if (cubic)
    plain_times_root(&p, mpq_numref(third), mpq_denref(third));
  // The root in the way may be smaller, or the same.
  int which = cubic && mpq_cmp(square, r) < 0 ? 1 : 0;
  toi_integer_form form = plain_form(arena, &p);
  toi_algebraic roots[TOI_DEGREE_CUBIC];
  assert_true(which < toi_integer_form_roots(arena, &form, LIMIT, roots));
  mpq_clears(third, square, NULL);
  plain_clear(&p);
  return roots[which];
}

/* Whether the squares of the bracket are around the radicand, as tightly as can be. */
static bool around_root(const double bracket[2], const mpq_t r) {
  mpq_t lo, hi;
  mpq_inits(lo, hi, NULL);
  mpq_set_d(lo, bracket[0]);
  mpq_set_d(hi, bracket[1]);
  mpq_mul(lo, lo, lo);
  mpq_mul(hi, hi, hi);
  bool around = mpq_cmp(lo, r) <= 0 && mpq_cmp(hi, r) >= 0;
  around &= bracket[0] == bracket[1] ? mpq_equal(lo, r) != 0 : nextafter(bracket[0], 2) == bracket[1];
  mpq_clears(lo, hi, NULL);
  return around;
}

static void irrational_roots_compare_by_their_squares(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3);
  mpq_t r[2];
  mpq_inits(r[0], r[1], NULL);
  for (uint64_t round = 0; round < test_count(10000); round++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    toi_algebraic number[2];
    double bracket[2];
    for (int i = 0; i < 2; i++) {
      draw_radicand(r[i], i == 0 ? NULL : r[0], &state);
      number[i] = root_of(&arena, r[i], &state);
      if (test_random(&state) % 2)
        toi_algebraic_bracket(&arena, &number[i], NAN, bracket);
    }
    int order = mpq_cmp(r[0], r[1]);
    order = (order > 0) - (order < 0);
    assert_int_equal(toi_algebraic_compare(&arena, &number[0], &number[1]), order);
    assert_int_equal(toi_algebraic_compare(&arena, &number[1], &number[0]), -order);
    toi_algebraic_bracket(&arena, &number[0], test_random_unit(&state), bracket);
    assert_true(around_root(bracket, r[0]));
  }
  mpq_clears(r[0], r[1], NULL);
}

static void refining_keeps_the_number(void **unused) {
  (void)unused;
  // 3 t - 1 and 2 t^2 - 1, to a thousand bits and more.
  for (int degree = 1; degree <= 2; degree++) {
    toi_arena arena = toi_arena_make(memory, sizeof memory);
    plain p;
    plain_init(&p, degree);
    mpz_set_si(p.c[0], -1);
    mpz_set_si(p.c[degree], degree == 1 ? 3 : 2);
    toi_integer_form form = plain_form(&arena, &p);
    toi_algebraic root[TOI_DEGREE_CUBIC];
    assert_int_equal(toi_integer_form_roots(&arena, &form, 2000, root), 1);
    uint32_t steps = 0;
    while (toi_algebraic_refine(&arena, &root[0])) {
      toi_polynomial power = toi_integer_form_power(&arena, &form);
      assert_int_equal(toi_polynomial_sign_at(&arena, &power, root[0].m, root[0].k), -1);
      toi_integer end = toi_integer_add(&arena, root[0].m, root[0].w);
      assert_int_equal(toi_polynomial_sign_at(&arena, &power, end, root[0].k), 1);
      steps++;
    }
    assert_int_equal(root[0].k, 2000);
    assert_in_range(steps, 1, 30);
    plain_clear(&p);
  }
}

static void zero_touches_of_the_index(void **unused) {
  (void)unused;
  // (t - 1/2)(t - 1/4) over (t - 1/2)(t - 3/4): one pole, at 3/4, from infinity with the sign of 1/2 - 0: positive.
  toi_arena arena = toi_arena_make(memory, sizeof memory);
  mpq_t x;
  mpq_init(x);
  plain p, g;
  plain_init(&p, 0);
  plain_init(&g, 0);
  mpz_set_ui(p.c[0], 1);
  mpz_set_ui(g.c[0], 1);
  mpq_set_ui(x, 1, 2);
  plain_times_root(&p, mpq_numref(x), mpq_denref(x));
  plain_times_root(&g, mpq_numref(x), mpq_denref(x));
  mpq_set_ui(x, 3, 4);
  plain_times_root(&p, mpq_numref(x), mpq_denref(x));
  toi_integer_form form_p = plain_form(&arena, &p), form_g = plain_form(&arena, &g);
  toi_polynomial power_p = toi_integer_form_power(&arena, &form_p), power_g = toi_integer_form_power(&arena, &form_g);
  toi_integer one = toi_integer_from_u64(&arena, 1);
  assert_int_equal(toi_polynomial_index(&arena, &power_p, &power_g, TOI_INTEGER_ZERO, one, 0), 1);
  for (int i = 0; i <= power_g.degree; i++)
    power_g.c[i] = toi_integer_negate(power_g.c[i]);
  assert_int_equal(toi_polynomial_index(&arena, &power_p, &power_g, TOI_INTEGER_ZERO, one, 0), -1);
  // Up to 5/8 there is none.
  toi_integer five = toi_integer_from_u64(&arena, 5);
  assert_int_equal(toi_polynomial_index(&arena, &power_p, &power_g, TOI_INTEGER_ZERO, five, 3), 0);
  plain_clear(&p);
  plain_clear(&g);
  mpq_clear(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots_are_found_with_their_multiplicities),
      cmocka_unit_test(signs_at_rational_roots_agree_with_rationals),
      cmocka_unit_test(irrational_roots_compare_by_their_squares),
      cmocka_unit_test(refining_keeps_the_number),
      cmocka_unit_test(zero_touches_of_the_index),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
