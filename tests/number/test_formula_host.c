/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Formulas in a host that rounds upwards, flushes subnormal numbers to zero or traps: the same terms, the same bounds,
 * and the host's state afterwards. */

#include "support/host_state.h"
#include "support/support.h"

#include <toi/formula.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t states[] = {HOST_DEFAULT, HOST_FLUSHING, HOST_TRAPPING, HOST_UPWARD, HOST_FLAGGED};
#define STATES (sizeof states / sizeof *states)

enum { TERMS = 7, JETS = TOI_JET_SIZE(2, 2) };

typedef struct bounds {
  toi_term term[TERMS];
  toi_status status[TERMS];
  toi_interval jet[TERMS][JETS];
  bool defined[TERMS];
} bounds;

/* Everything by calls and by text, on numbers down to the smallest; the state is the host's throughout. */
static void ask_all(toi_context *context, bounds *b) {
  static const double series[3] = {0x1p-1070, -0x1p-1074, 0x1p-1022}, error[3] = {0x1p-1074, 0, 0};
  static const toi_interval box[2] = {{0x1p200, 0x1p200}, {-0x1p-1074, 0x1.8p-1000}};
  toi_formula *f = NULL;
  b->status[0] = toi_formula_create(context, (const char *const[]){"u", "v"}, 2, &f);
  if (f == NULL)
    return;
  const toi_term u = toi_formula_variable(f, 0), v = toi_formula_variable(f, 1);
  b->term[0] = toi_formula_apply(f, TOI_OP_MUL, u, toi_formula_constant(f, 0x1p-1070));
  b->term[1] = toi_formula_apply(f, TOI_OP_DIV, v, toi_formula_constant(f, 3));
  b->term[2] = toi_formula_enclosed(f, (toi_interval){0x1p-1074, 0x1.8p-1072});
  b->term[3] = toi_formula_series(f, v, (toi_interval){-1, 1}, series, 3, error);
  b->term[4] = toi_formula_parse(f, "1e-310*u + exp(-700)*v - 0.1");
  b->term[5] = toi_formula_parse(f, "sqrt(5e-324)*atan2(v, u) + 4.9e-322");
  b->term[6] = toi_formula_apply(f, TOI_OP_POW, b->term[0], toi_formula_constant(f, -2));
  for (int i = 0; i < TERMS; i++)
    b->status[i] = toi_formula_bounds(f, b->term[i], box, 2, b->jet[i], &b->defined[i]);
  toi_formula_destroy(f);
}

static void bounds_are_the_same_in_every_host(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  static bounds all[STATES];
  for (size_t i = 0; i < STATES; i++) {
    const uint64_t before = host_state_get();
    host_state_set(states[i]);
    ask_all(context, &all[i]);
    const uint64_t after = host_state_get();
    host_state_set(before);
    if (HOST_STATES_SET)
      assert_int_equal(after, states[i]);
    assert_memory_equal(&all[i], &all[0], sizeof all[i]);
  }
  for (int i = 0; i < TERMS; i++)
    assert_int_equal(all[0].status[i], TOI_OK);
  // u 2^-1070 at u = 2^200.
  const toi_interval product = all[0].jet[0][0], slope = all[0].jet[0][1];
  assert_true(product.lo <= 0x1p-870 && product.lo > 0 && product.hi >= 0x1p-870);
  assert_true(slope.lo <= 0x1p-1070 && slope.lo > 0 && slope.hi >= 0x1p-1070);
  toi_context_destroy(context);
}

static void first_failure_is_kept_whatever_follows(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_formula *f = NULL;
  assert_int_equal(toi_formula_create(context, (const char *const[]){"u"}, 1, &f), TOI_OK);
  assert_int_equal(toi_formula_constant(f, (double)NAN), TOI_NO_TERM);
  char sentence[256];
  (void)snprintf(sentence, sizeof sentence, "%s", toi_context_error(context));
  assert_non_null(strstr(sentence, "not finite"));
  // Each call begins without an error, and the formula puts its own back.
  assert_int_not_equal(toi_formula_constant(f, 2), TOI_NO_TERM);
  assert_string_equal(toi_context_error(context), sentence);
  assert_int_equal(toi_formula_parse(f, "u +"), TOI_NO_TERM);
  assert_string_equal(toi_context_error(context), sentence);
  assert_int_equal(toi_formula_status(f), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), sentence);
  toi_formula_destroy(f);
  assert_string_equal(toi_context_error(context), sentence);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_are_the_same_in_every_host),
      cmocka_unit_test(first_failure_is_kept_whatever_follows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
