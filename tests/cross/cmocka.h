/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A stand-in for cmocka where it is built for another architecture than the machine's: the assertions that our tests
 * use, in one header. A failed assertion ends its test and fails the program, as with the original. */

#ifndef TOI_TESTS_CROSS_CMOCKA_H
#define TOI_TESTS_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
  const char *name;
  CMUnitTestFunction function;
};

#define cmocka_unit_test(f)                                                                                            \
  { #f, f }

/* One place to leave a test from: 1 after a failure, 2 after skip(). Every program is one translation unit and its
 * support, which fails through here as well. */
__attribute__((weak)) jmp_buf stand_in_exit;

#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define fail_msg(...) (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), stand_in_fail())
#define fail() fail_msg("failed\n")

static inline void stand_in_fail(void) {
  fputc('\n', stderr);
  longjmp(stand_in_exit, 1);
}

static inline void stand_in_check(int right, const char *text, const char *file, int line) {
  if (right)
    return;
  fprintf(stderr, "%s:%d: %s", file, line, text);
  stand_in_fail();
}

#define STAND_IN_CHECK(c, text) stand_in_check((c) ? 1 : 0, text, __FILE__, __LINE__)
#define assert_true(c) STAND_IN_CHECK(c, #c)
#define assert_false(c) STAND_IN_CHECK(!(c), "not " #c)
#define assert_null(p) STAND_IN_CHECK((p) == NULL, #p " == NULL")
#define assert_non_null(p) STAND_IN_CHECK((p) != NULL, #p " != NULL")
#define assert_ptr_equal(a, b) STAND_IN_CHECK((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_int_equal(a, b) STAND_IN_CHECK((uintmax_t)(a) == (uintmax_t)(b), #a " == " #b)
#define assert_int_not_equal(a, b) STAND_IN_CHECK((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b)
#define assert_string_equal(a, b) STAND_IN_CHECK(strcmp(a, b) == 0, #a " equals " #b)
#define assert_string_not_equal(a, b) STAND_IN_CHECK(strcmp(a, b) != 0, #a " differs from " #b)
#define assert_memory_equal(a, b, n) STAND_IN_CHECK(memcmp(a, b, n) == 0, #a " holds the bytes of " #b)
#define assert_memory_not_equal(a, b, n) STAND_IN_CHECK(memcmp(a, b, n) != 0, #a " differs from " #b)
#define assert_in_range(v, lo, hi) STAND_IN_CHECK(stand_in_between(v, lo, hi), #v " in [" #lo ", " #hi "]")

static inline int stand_in_between(uintmax_t value, uintmax_t lo, uintmax_t hi) {
  return lo <= value && value <= hi;
}

/* What cmocka's skip() and cmocka_run_group_tests() stand for, which support.h replaces. */
static inline void _skip(const char *file, int line) {
  printf("%s:%d: skipped\n", file, line);
  longjmp(stand_in_exit, 2);
}

static inline int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
                                          CMFixtureFunction set_up, CMFixtureFunction tear_down) {
  // Volatile: kept across the jump.
  volatile int failed = set_up != NULL || tear_down != NULL;
  printf("%s\n", failed ? "the stand-in runs no group fixtures" : name);
  for (volatile size_t i = 0; i < count; i++) {
    void *state = NULL;
    const int left = setjmp(stand_in_exit);
    if (left == 0)
      tests[i].function(&state);
    failed += left == 1;
    printf("[ %s ] %s\n", left == 0 ? "OK" : left == 1 ? "FAILED" : "SKIPPED", tests[i].name);
  }
  return failed;
}

#endif
