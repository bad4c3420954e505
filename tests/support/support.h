/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the test programs share: cmocka with what it needs, the data sets' place, the size of long runs, random numbers
 * with a printed seed, queries as hex floats, and an allocator that fails when told to. */

#ifndef TOI_TESTS_SUPPORT_H
#define TOI_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <toi/narrow.h>

/* Whether the program is built with a sanitizer, under which everything is slow and the address space is taken. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/* Whether it is built for another machine, to run under an emulator, which keeps no limits. */
#if defined(TOI_TESTS_CROSS_CMOCKA_H)
#define TEST_EMULATED 1
#else
#define TEST_EMULATED 0
#endif

/* A skipped test is counted with its reason. A program ends with one line for each reason, "skipped: 2 of 5 tests:
 * REASON", which script/test collects; one that skipped all of its tests exits with TEST_SKIPPED, which ctest shows. */
#define TEST_SKIPPED 77

/* Says why skip() is called next. */
__attribute__((format(printf, 1, 2))) void test_skip_reason(const char *format, ...);

void test_skip(const char *file, int line);
int test_run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down);

/* cmocka's own skip() and runners, with that count. */
#undef skip
#define skip() test_skip(__FILE__, __LINE__)
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, set_up, tear_down)                                                    \
  test_run_group(name, tests, sizeof(tests) / sizeof((tests)[0]), set_up, tear_down)
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, set_up, tear_down) cmocka_run_group_tests_name(#tests, tests, set_up, tear_down)

/* $TOI_DATA_DIR, or ../shared/data beside the project; NULL, with the reason said, where no data sets are there: then
 * skip(). */
const char *test_data_directory(void);

/* full times $TOI_TEST_SCALE (default 1), at least 1: how many rounds a long test makes. */
uint64_t test_count(uint64_t full);

/* The same, but at least this many: where fewer rounds would not meet all that the test expects to meet. */
uint64_t test_count_from(uint64_t full, uint64_t least);

/* $TOI_TEST_SEED, or the given one; printed, so that a failure can be had again. */
uint64_t test_seed(uint64_t fallback);

/* The next number of a sequence whose state is one word; any seed will do. */
uint64_t test_random(uint64_t *state);

/* Uniform in [0, 1), a multiple of 2^-53. */
double test_random_unit(uint64_t *state);

/* A finite double of all exponents (style 0), one of the most extreme (1), a small number times any power of two (2),
 * or a small number with tiny and huge ones among them (3). */
double test_random_extreme(uint64_t *state, int style);

/* A query on standard error, as eight (six, four) rows of three C99 hex floats, start before end. */
void test_print_query(toi_kind kind, const double *query);

/* Counts what it hands out, and refuses when told to. */
typedef struct test_allocator {
  size_t calls;       /* requests for memory so far, refused ones among them */
  size_t refuse_at;   /* the number of the request to refuse, from 1; 0: none */
  bool refuse_after;  /* refuse all later ones as well */
  size_t blocks;      /* handed out and not yet given back */
  size_t bytes;       /* likewise */
  size_t wrong_sizes; /* calls whose old_size was not the block's size */
} test_allocator;

toi_allocator test_allocator_hooks(test_allocator *allocator);

/* The default options, with this allocator and number of threads. */
toi_context_options test_context_options(test_allocator *allocator, uint32_t threads);

/* A context of one thread with this allocator; the test destroys it. */
toi_context *test_context_on(test_allocator *allocator);

/* A context with this number of threads; the test destroys it. */
toi_context *test_context(uint32_t threads);

#endif
