/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Public calls and the caller's own functions inside them: whose floating-point state holds where. */

#include "support/support.h"

#include "base/internal.h"

#include <fenv.h>
#include <float.h>

/* In the default state, without flags: the test runner leaves some behind. */
static toi_context *make_context(void) {
  fesetenv(FE_DFL_ENV);
  toi_context *context;
  assert_int_equal(toi_context_create(NULL, &context), TOI_OK);
  return context;
}

/* By arithmetic, as the library's own raise them: feraiseexcept() takes the x87 unit for some. */
static void overflow(void) {
  static volatile double largest = DBL_MAX, sink;
  sink = largest * largest;
  (void)sink;
}

static void state_is_the_librarys_inside_and_the_callers_outside(void **state) {
  (void)state;
  toi_context *context = make_context();
  fesetround(FE_UPWARD);
  feraiseexcept(FE_INVALID);
  toi_call call;
  toi_call_begin(&call, context);
  const bool inside = toi_float_mode_is_default();
  overflow();
  toi_call_end(&call);
  const int round = fegetround(), flags = fetestexcept(FE_ALL_EXCEPT);
  fesetenv(FE_DFL_ENV);
  assert_true(inside);
  assert_int_equal(round, FE_UPWARD);
  assert_int_equal(flags, FE_INVALID);
  toi_context_destroy(context);
}

static void callback_sees_and_changes_the_callers_state(void **state) {
  (void)state;
  toi_context *context = make_context();
  fesetround(FE_UPWARD);
  toi_call call, nested;
  toi_call_begin(&call, context);
  toi_call_begin(&nested, context);
  const toi_callback callback = toi_callback_begin(context, 0);
  const int seen = fegetround();
  fesetround(FE_DOWNWARD);
  feraiseexcept(FE_DIVBYZERO);
  toi_callback_end(callback);
  const bool inside = toi_float_mode_is_default();
  overflow();
  toi_call_end(&nested);
  toi_call_end(&call);
  const int round = fegetround(), flags = fetestexcept(FE_ALL_EXCEPT);
  fesetenv(FE_DFL_ENV);
  assert_int_equal(seen, FE_UPWARD);
  assert_true(inside);
  assert_int_equal(round, FE_DOWNWARD);
  assert_int_equal(flags, FE_DIVBYZERO);
  toi_context_destroy(context);
}

static void call_inside_a_callback_is_one_of_its_own(void **state) {
  (void)state;
  toi_context *context = make_context();
  toi_call call, inner;
  toi_call_begin(&call, context);
  const toi_callback callback = toi_callback_begin(context, 0);
  fesetround(FE_TOWARDZERO);
  toi_call_begin(&inner, context);
  const toi_callback deeper = toi_callback_begin(context, 0);
  const int seen = fegetround();
  toi_callback_end(deeper);
  toi_call_end(&inner);
  const int after = fegetround();
  fesetround(FE_TONEAREST);
  toi_callback_end(callback);
  toi_call_end(&call);
  assert_int_equal(seen, FE_TOWARDZERO);
  assert_int_equal(after, FE_TOWARDZERO);
  assert_int_equal(fegetround(), FE_TONEAREST);
  toi_context_destroy(context);
}

static void callbacks_on_workers_and_without_a_call_change_nothing(void **state) {
  (void)state;
  toi_context *context = make_context();
  fesetround(FE_UPWARD);
  toi_callback_end(toi_callback_begin(context, 0));
  toi_callback_end(toi_callback_begin(NULL, 0));
  toi_call call;
  toi_call_begin(&call, context);
  const toi_callback callback = toi_callback_begin(context, 1);
  const bool on_worker = toi_float_mode_is_default();
  toi_callback_end(callback);
  toi_call_end(&call);
  const int round = fegetround();
  fesetenv(FE_DFL_ENV);
  assert_true(on_worker);
  assert_int_equal(round, FE_UPWARD);
  toi_context_destroy(context);
}

static void outermost_call_forgets_the_last_error(void **state) {
  (void)state;
  toi_context *context = make_context();
  toi_fail(context, TOI_ERROR_INPUT, "the call before");
  toi_call call, nested;
  toi_call_begin(&call, context);
  assert_string_equal(toi_context_error(context), "");
  toi_fail(context, TOI_ERROR_INPUT, "this call");
  toi_call_begin(&nested, context);
  assert_string_equal(toi_context_error(context), "this call");
  toi_call_end(&nested);
  toi_call_end(&call);
  assert_string_equal(toi_context_error(context), "this call");
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_is_the_librarys_inside_and_the_callers_outside),
      cmocka_unit_test(callback_sees_and_changes_the_callers_state),
      cmocka_unit_test(call_inside_a_callback_is_one_of_its_own),
      cmocka_unit_test(callbacks_on_workers_and_without_a_call_change_nothing),
      cmocka_unit_test(outermost_call_forgets_the_last_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
