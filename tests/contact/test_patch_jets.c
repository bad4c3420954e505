/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches enclosed over parts of their squares: values and derivatives, and Taylor models. */

#include "contact/random_patches.h"

static void check_box(uint64_t *random, const toi_shape *shape, const sample *s) {
  const toi_interval box[3] = {draw_interval(random, 0, 1), draw_interval(random, 0, 1), draw_interval(random, 0, 2)};
  static const int sizes[] = {1, 4, 10};
  for (unsigned order = 0; order < 3; order++) {
    toi_interval jets[3 * TOI_JET3];
    assert_true(toi_shape_jets(shape, box, order, jets));
    for (int n = 0; n < 4; n++) {
      long double at[3], truth[3][TOI_JET3];
      for (int i = 0; i < 3; i++) {
        const long double part = n == 0 ? 0 : n == 1 ? 1 : (long double)test_random_unit(random);
        at[i] = box[i].lo + part * ((long double)box[i].hi - box[i].lo);
      }
      evaluate(s, at, truth);
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < sizes[order]; i++) {
          const toi_interval got = jets[k * sizes[order] + i];
          const long double slack = ORACLE * fmaxl(1, fabsl(truth[k][i]));
          if (!(truth[k][i] >= got.lo - slack && truth[k][i] <= got.hi + slack))
            fail_msg("%c, number %d of order %u: %.21Lg is not in [%.17g, %.17g]", "xyz"[k], i, order, truth[k][i],
                     got.lo, got.hi);
        }
    }
  }
}

static void enclosures_hold_what_is_meant(void **state) {
  (void)state;
  uint64_t random = test_seed(20261118);
  const uint64_t rounds = test_count(1200);
  for (uint64_t round = 0; round < rounds; round++) {
    sample s;
    draw_sample(&random, &s);
    toi_shape *shape = shape_of(&s);
    for (int i = 0; i < 4; i++)
      check_box(&random, toi_shape_piece(shape, 0), &s);
    toi_shape_destroy(shape);
  }
}

/* --- Taylor models --- */

/* The polynomial at y. */
static long double value_at(const toi_taylor_space *space, const toi_taylor *a, const long double y[3]) {
  long double sum = 0;
  for (unsigned i = 0; i < space->first[a->degree + 1]; i++) {
    long double term = a->c[i];
    for (unsigned v = 0; v < space->variables; v++)
      for (unsigned k = 0; k < space->power[i][v]; k++)
        term *= y[v];
    sum += term;
  }
  return sum;
}

/* Gives whether the remainder of x is small enough to say something. */
static bool check_models(uint64_t *random, const toi_shape *shape, const sample *s) {
  const toi_interval box[3] = {draw_interval(random, 0, 1), draw_interval(random, 0, 1), draw_interval(random, 0, 2)};
  toi_taylor of[3], at[3];
  toi_taylor_space space;
  unsigned variables = 0;
  for (int i = 0; i < 3; i++)
    if (box[i].lo < box[i].hi)
      toi_taylor_variable(box[i], variables++, &of[i]);
    else
      toi_taylor_constant(box[i], &of[i]);
  toi_taylor_space_make(&space, variables, 6);
  toi_shape_taylor(shape, &space, of, NULL, at);
  for (int n = 0; n < 4; n++) {
    long double x[3], y[3] = {0}, truth[3][TOI_JET3];
    unsigned number = 0;
    for (int i = 0; i < 3; i++) {
      x[i] = box[i].lo + (long double)test_random_unit(random) * ((long double)box[i].hi - box[i].lo);
      if (of[i].degree > 0) {
        y[number] = (x[i] - of[i].c[0]) / of[i].c[1 + number];
        number++;
      }
    }
    evaluate(s, x, truth);
    for (int k = 0; k < 3; k++) {
      const long double off = fabsl(value_at(&space, &at[k], y) - truth[k][0]);
      if (off > at[k].r + ORACLE * fmaxl(1, fabsl(truth[k][0])))
        fail_msg("%c: %.21Lg is %Lg off the model, whose remainder is %g", "xyz"[k], truth[k][0], off, at[k].r);
    }
  }
  return at[0].r < 0.01;
}

static void taylor_models_hold_what_is_meant(void **state) {
  (void)state;
  uint64_t random = test_seed(20261121);
  const uint64_t rounds = test_count_from(400, 40);
  uint64_t useful = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    sample s;
    draw_sample(&random, &s);
    toi_shape *shape = shape_of(&s);
    useful += check_models(&random, toi_shape_piece(shape, 0), &s);
    toi_shape_destroy(shape);
  }
  assert_true(2 * useful > rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(enclosures_hold_what_is_meant),
      cmocka_unit_test(taylor_models_hold_what_is_meant),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
