/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The thread pool: every item once, the same borders and the same error for any number of threads, the default
 * floating-point mode in every task, and work that goes on where threads cannot be had. */

#include "support/support.h"

#include "base/internal.h"

#include <fenv.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MOST 8

static toi_context *make(uint32_t threads) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  assert_int_equal(toi_context_threads(context), threads);
  return context;
}

/* --- sums --- */

typedef struct sum {
  atomic_uint *visits; /* one for each item */
  size_t count, grain;
  uint64_t partial[THREADS_MOST];
  atomic_uint wrong;
} sum;

/* Adds up its items and looks at its borders; counts what is wrong, as cmocka's assertions belong to the main thread.
 */
static toi_status add(void *user, uint32_t thread, size_t begin, size_t end) {
  sum *const s = (sum *)user;
  const size_t expected = begin + s->grain < s->count ? begin + s->grain : s->count;
  if (begin % s->grain != 0 || end != expected || thread >= THREADS_MOST || !toi_float_mode_is_default()) {
    atomic_fetch_add(&s->wrong, 1);
    return TOI_OK;
  }
  for (size_t i = begin; i < end; i++) {
    atomic_fetch_add(&s->visits[i], 1);
    s->partial[thread] += i;
  }
  return TOI_OK;
}

static void check_sum(toi_context *context, size_t count, size_t grain) {
  sum s = {.count = count, .grain = grain};
  s.visits = (atomic_uint *)calloc(count + 1, sizeof *s.visits);
  assert_non_null(s.visits);
  assert_int_equal(toi_parallel(context, count, grain, add, &s), TOI_OK);
  assert_int_equal(atomic_load(&s.wrong), 0);
  uint64_t total = 0;
  for (size_t i = 0; i < THREADS_MOST; i++)
    total += s.partial[i];
  assert_int_equal(total, count == 0 ? 0 : (uint64_t)count * (count - 1) / 2);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(atomic_load(&s.visits[i]), 1);
  free(s.visits);
}

static void every_item_is_visited_once(void **state) {
  (void)state;
  const size_t counts[] = {0, 1, 2, 7, 8, 9, 1000, 4096, 12345};
  const size_t grains[] = {1, 3, 8, 1000, 1000000, SIZE_MAX};
  for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
    toi_context *const context = make(threads);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
      for (size_t g = 0; g < 5; g++)
        check_sum(context, counts[c], grains[g]);
    toi_context_destroy(context);
  }
}

static void many_small_jobs_follow_each_other(void **state) {
  (void)state;
  const uint64_t rounds = test_count(2000);
  for (uint32_t threads = 1; threads <= THREADS_MOST; threads *= 2) {
    toi_context *const context = make(threads);
    for (uint64_t round = 0; round < rounds; round++)
      check_sum(context, round % 17, 1 + round % 3);
    toi_context_destroy(context);
  }
}

/* --- errors --- */

typedef struct trap {
  size_t first, second; /* items that fail, first < second */
  atomic_size_t below;  /* items seen before first */
} trap;

static toi_status fail_at(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  trap *const t = (trap *)user;
  if (begin <= t->second && t->second < end && !(begin <= t->first && t->first < end))
    return TOI_ERROR_FILE;
  if (begin <= t->first && t->first < end) {
    atomic_fetch_add(&t->below, t->first - begin);
    return TOI_ERROR_FORMAT;
  }
  if (begin < t->first)
    atomic_fetch_add(&t->below, end - begin);
  return TOI_OK;
}

static void first_failing_chunk_wins_for_any_number_of_threads(void **state) {
  (void)state;
  uint64_t random = test_seed(0x7001);
  const uint64_t rounds = test_count(2000);
  for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
    toi_context *const context = make(threads);
    for (uint64_t round = 0; round < rounds; round++) {
      const size_t count = 2 + test_random(&random) % 500, grain = 1 + test_random(&random) % 4;
      trap t = {.first = test_random(&random) % (count - 1)};
      t.second = t.first + 1 + test_random(&random) % (count - 1 - t.first);
      assert_int_equal(toi_parallel(context, count, grain, fail_at, &t), TOI_ERROR_FORMAT);
      assert_int_equal(atomic_load(&t.below), t.first);
    }
    // A failure is forgotten by the next job.
    check_sum(context, 1000, 10);
    toi_context_destroy(context);
  }
}

static toi_status fail_always(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  (void)end;
  atomic_fetch_add((atomic_size_t *)user, 1);
  return begin == 0 ? TOI_ERROR_CANCELLED : TOI_ERROR_PLUGIN;
}

static void work_stops_soon_after_a_failure(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= THREADS_MOST; threads++) {
    toi_context *const context = make(threads);
    atomic_size_t calls = 0;
    assert_int_equal(toi_parallel(context, 1000000, 1, fail_always, &calls), TOI_ERROR_CANCELLED);
    assert_in_range(atomic_load(&calls), 1, threads == 1 ? 1 : 999999);
    toi_context_destroy(context);
  }
}

/* --- memory and sentences from tasks --- */

static toi_status allocate_in_task(void *user, uint32_t thread, size_t begin, size_t end) {
  toi_context *const context = (toi_context *)user;
  const size_t size = 1 + begin % 300;
  char *const scratch = (char *)toi_scratch(context, thread, size);
  char *const block = (char *)toi_allocate(context, size);
  if (scratch == NULL || block == NULL)
    return TOI_ERROR_MEMORY;
  memset(scratch, (int)thread, size);
  memset(block, (int)end, size);
  toi_free(context, block, size);
  if (begin % 97 == 0)
    (void)toi_fail(context, TOI_ERROR_INPUT, "item %zu", begin);
  return TOI_OK;
}

static void tasks_share_the_allocator_and_the_sentence(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= THREADS_MOST; threads *= 2) {
    test_allocator allocator = {0};
    const toi_context_options options = test_context_options(&allocator, threads);
    toi_context *context = NULL;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    assert_int_equal(toi_parallel(context, 5000, 1, allocate_in_task, context), TOI_OK);
    assert_memory_equal(toi_context_error(context), "item ", 5);

    // Warm: the scratch of every thread that took part is there already.
    assert_int_equal(toi_context_bytes(context), allocator.bytes);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

static toi_status starve(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)begin;
  (void)end;
  return toi_scratch((toi_context *)user, thread, 1 << 20) == NULL ? TOI_ERROR_MEMORY : TOI_OK;
}

static void scratch_over_budget_in_a_task_is_an_error(void **state) {
  (void)state;
  toi_context_options options = toi_default_context_options();
  options.threads = 4;
  options.memory_budget = 1 << 16;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  assert_int_equal(toi_parallel(context, 100, 1, starve, context), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "memory budget of 65536 bytes"));
  toi_context_destroy(context);
}

/* --- the floating-point mode --- */

static toi_status disturb_mode(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  (void)begin;
  (void)end;
  if (!toi_float_mode_is_default())
    atomic_fetch_add((atomic_uint *)user, 1);
  fesetround(FE_DOWNWARD);
  return TOI_OK;
}

static void every_chunk_starts_in_the_default_mode(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 4; threads++) {
    // The threads are born while the caller rounds upwards, and each chunk leaves another mode behind.
    toi_context *const context = make(threads);
    atomic_uint wrong = 0;
    fesetround(FE_UPWARD);
    const toi_status status = toi_parallel(context, 1000, 1, disturb_mode, &wrong);
    volatile const double one = 1, tiny = 0x1p-60;
    const bool still_upward = one + tiny > 1;
    fesetround(FE_TONEAREST);
    assert_int_equal(status, TOI_OK);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(still_upward);
    toi_context_destroy(context);
  }
}

/* --- a system without threads --- */

/* In a process of its own, whose address space has no room for another stack; returns what the process should. */
static int sum_without_threads(void) {
  toi_context_options options = toi_default_context_options();
  options.threads = 8;
  toi_context *context = NULL;
  if (toi_context_create(&options, &context) != TOI_OK)
    return 1;
  const struct rlimit none = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
  if (setrlimit(RLIMIT_AS, &none) != 0)
    return 2;
  atomic_uint visits[100] = {0};
  sum s = {.visits = visits, .count = 100, .grain = 1};
  if (toi_parallel(context, 100, 1, add, &s) != TOI_OK || atomic_load(&s.wrong) != 0)
    return 3;
  if (s.partial[0] != 4950)
    return 4;
  toi_context_destroy(context);
  return 0;
}

static void calling_thread_works_alone_where_threads_are_refused(void **state) {
  (void)state;
  if (TEST_SANITIZED || TEST_EMULATED) {
    test_skip_reason("the address space cannot be limited under a sanitizer or an emulator");
    skip();
  }
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    _exit(sum_without_threads());
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  // The first test comes first: the C library keeps the stacks of ended threads and would hand one out.
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calling_thread_works_alone_where_threads_are_refused),
      cmocka_unit_test(every_item_is_visited_once),
      cmocka_unit_test(many_small_jobs_follow_each_other),
      cmocka_unit_test(first_failing_chunk_wins_for_any_number_of_threads),
      cmocka_unit_test(work_stops_soon_after_a_failure),
      cmocka_unit_test(tasks_share_the_allocator_and_the_sentence),
      cmocka_unit_test(scratch_over_budget_in_a_task_is_an_error),
      cmocka_unit_test(every_chunk_starts_in_the_default_mode),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
