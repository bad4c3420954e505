/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The floating-point mode guard under every mode a caller may run in: inside, arithmetic rounds to nearest, keeps
 * subnormal numbers and does not trap; outside, the caller's mode and flags are untouched. */

#define _GNU_SOURCE /* feenableexcept */

#include "support/support.h"

#include "base/internal.h"

#include <fenv.h>
#include <float.h>

/* What the guard must keep, as one number: control bits and flags. */
#if defined(__x86_64__)
#include <immintrin.h>
#define FLUSH_RESULTS UINT64_C(0x8000)
#define FLUSH_OPERANDS UINT64_C(0x0040)
static uint64_t mode_get(void) {
  return _mm_getcsr();
}
static void mode_set(uint64_t mode) {
  _mm_setcsr((unsigned)mode);
}
#elif defined(__aarch64__)
#define FLUSH_RESULTS (UINT64_C(1) << 56)
#define FLUSH_OPERANDS (UINT64_C(1) << 56)
static uint64_t mode_get(void) {
  uint64_t control, flags;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
  return control << 32 | flags;
}
static void mode_set(uint64_t mode) {
  __asm__ volatile("msr fpcr, %0" ::"r"(mode >> 32));
  __asm__ volatile("msr fpsr, %0" ::"r"(mode & 0xffffffff));
}
#endif

/* Operands the compiler knows nothing about. */
static volatile double one = 1, tiny = 0x1p-60, smallest = DBL_MIN, zero = 0, largest = DBL_MAX;
static volatile double sink;

/* Whether sums round to nearest and subnormal numbers live, both as results and as operands. */
static bool arithmetic_is_ieee(void) {
  const volatile double up = one + tiny, down = one - tiny * tiny, minus_up = -one - tiny;
  const volatile double subnormal = smallest / 2;
  const volatile double grown = subnormal * 0x1p100;
  return up == 1 && down == 1 && minus_up == -1 && subnormal > 0 && grown > 0;
}

/* Raises all five exceptions. */
static void raise_everything(void) {
  sink = one / zero;
  sink = one / zero * zero;
  sink = largest * largest;
  sink = smallest * smallest;
  sink = one / 3;
}

/* Enters under the caller's mode, computes without heed, leaves, and compares everything. */
static void check_guard(bool default_outside) {
  const uint64_t before = mode_get();
  const bool is_default_before = toi_float_mode_is_default();
  const toi_float_mode mode = toi_float_mode_enter();
  const bool is_default_inside = toi_float_mode_is_default();
  const bool ieee = arithmetic_is_ieee();
  raise_everything();
  toi_float_mode_leave(mode);
  const uint64_t after = mode_get();

  // Back to a harmless mode before cmocka computes anything.
  fesetenv(FE_DFL_ENV);
  assert_int_equal(is_default_before, default_outside);
  assert_int_equal(mode.changed, !default_outside);
  assert_true(is_default_inside);
  assert_true(ieee);
  assert_int_equal(after, before);
}

static void default_mode_costs_no_change(void **state) {
  (void)state;
  fesetenv(FE_DFL_ENV);
  check_guard(true);
}

static void results_flushed_to_zero(void **state) {
  (void)state;
  fesetenv(FE_DFL_ENV);
  mode_set(mode_get() | FLUSH_RESULTS);
  const bool flushed = !arithmetic_is_ieee();
  check_guard(false);
  assert_true(flushed);
}

static void operands_taken_as_zero(void **state) {
  (void)state;
  fesetenv(FE_DFL_ENV);
  mode_set(mode_get() | FLUSH_OPERANDS);
  const bool flushed = !arithmetic_is_ieee();
  check_guard(false);
  assert_true(flushed);
}

static void directed_rounding(void **state) {
  (void)state;
  const int directions[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; i++) {
    fesetenv(FE_DFL_ENV);
    assert_int_equal(fesetround(directions[i]), 0);
    const bool directed = !arithmetic_is_ieee();
    check_guard(false);
    assert_true(directed);
  }
}

static void traps_that_the_caller_enabled_do_not_fire(void **state) {
  (void)state;
  const int traps[] = {FE_DIVBYZERO, FE_INVALID, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT, FE_ALL_EXCEPT};
  for (int i = 0; i < 6; i++) {
    fesetenv(FE_DFL_ENV);
    // Some CPUs have no traps, and say so.
    if (feenableexcept(traps[i]) == -1) {
      fesetenv(FE_DFL_ENV);
      test_skip_reason("this CPU has no floating-point traps");
      skip();
    }
    check_guard(false);
  }
}

static void everything_at_once(void **state) {
  (void)state;
  fesetenv(FE_DFL_ENV);
  fesetround(FE_DOWNWARD);
  mode_set(mode_get() | FLUSH_RESULTS | FLUSH_OPERANDS);
  (void)feenableexcept(FE_INVALID);
  check_guard(false);
}

static void flags_of_the_caller_survive_in_every_mode(void **state) {
  (void)state;
  const int flags[] = {0, FE_DIVBYZERO, FE_INVALID, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT, FE_ALL_EXCEPT};
  for (int upward = 0; upward < 2; upward++) {
    for (int i = 0; i < 7; i++) {
      fesetenv(FE_DFL_ENV);
      fesetround(upward ? FE_UPWARD : FE_TONEAREST);
      feclearexcept(FE_ALL_EXCEPT);
      feraiseexcept(flags[i]);
      const toi_float_mode mode = toi_float_mode_enter();
      raise_everything();
      toi_float_mode_leave(mode);
      const int after = fetestexcept(FE_ALL_EXCEPT);
      fesetenv(FE_DFL_ENV);
      assert_int_equal(after & flags[i], flags[i]);
      assert_int_equal(after & ~flags[i] & FE_INVALID, 0);
      assert_int_equal(after & ~flags[i] & FE_DIVBYZERO, 0);
    }
  }
}

static void guards_nest(void **state) {
  (void)state;
  fesetenv(FE_DFL_ENV);
  fesetround(FE_UPWARD);
  const uint64_t before = mode_get();
  const toi_float_mode outer = toi_float_mode_enter();
  const toi_float_mode inner = toi_float_mode_enter();
  const bool changed = inner.changed;
  toi_float_mode_leave(inner);
  const bool still_default = toi_float_mode_is_default();
  toi_float_mode_leave(outer);
  const uint64_t after = mode_get();
  fesetenv(FE_DFL_ENV);
  assert_false(changed);
  assert_true(still_default);
  assert_int_equal(after, before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(default_mode_costs_no_change),
      cmocka_unit_test(results_flushed_to_zero),
      cmocka_unit_test(operands_taken_as_zero),
      cmocka_unit_test(directed_rounding),
      cmocka_unit_test(traps_that_the_caller_enabled_do_not_fire),
      cmocka_unit_test(everything_at_once),
      cmocka_unit_test(flags_of_the_caller_survive_in_every_mode),
      cmocka_unit_test(guards_nest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
