/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context's life and its memory: bad options, refusals at every point, the budget, scratch, and the error sentence.
 */

#include "support/support.h"

#include "base/internal.h"

#include <stdio.h>
#include <string.h>

static toi_context *make(test_allocator *allocator, uint32_t threads, uint64_t budget) {
  toi_context_options options = test_context_options(allocator, threads);
  options.memory_budget = budget;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  assert_non_null(context);
  return context;
}

static void assert_nothing_left(const test_allocator *allocator) {
  assert_int_equal(allocator->blocks, 0);
  assert_int_equal(allocator->bytes, 0);
  assert_int_equal(allocator->wrong_sizes, 0);
}

static void every_status_has_its_own_phrase(void **state) {
  (void)state;
  for (int a = TOI_OK; a <= TOI_ERROR_DEVICE; a++) {
    assert_true(strlen(toi_status_text((toi_status)a)) > 0);
    for (int b = TOI_OK; b < a; b++)
      assert_string_not_equal(toi_status_text((toi_status)a), toi_status_text((toi_status)b));
  }
  assert_string_equal(toi_status_text((toi_status)(TOI_ERROR_DEVICE + 1)), "unknown status");
  assert_string_equal(toi_status_text((toi_status)-1), "unknown status");
}

static void version_matches_the_header(void **state) {
  (void)state;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", TOI_VERSION_MAJOR, TOI_VERSION_MINOR, TOI_VERSION_PATCH);
  assert_string_equal(toi_version(), text);
}

static void defaults_give_a_working_context(void **state) {
  (void)state;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(NULL, &context), TOI_OK);
  assert_true(toi_context_threads(context) >= 1);
  assert_string_equal(toi_context_error(context), "");
  assert_true(toi_context_bytes(context) > 0);
  toi_context_destroy(context);
}

static void null_pointers_are_answered(void **state) {
  (void)state;
  assert_int_equal(toi_context_create(NULL, NULL), TOI_ERROR_INPUT);
  toi_context_destroy(NULL);
  assert_string_equal(toi_context_error(NULL), "");
  assert_int_equal(toi_context_threads(NULL), 0);
  assert_int_equal(toi_context_bytes(NULL), 0);
  assert_int_equal(toi_fail(NULL, TOI_ERROR_FILE, "unheard"), TOI_ERROR_FILE);
  toi_clear_error(NULL);
}

static void options_not_made_by_the_default_function_are_refused(void **state) {
  (void)state;
  toi_context_options options;
  memset(&options, 0, sizeof options);
  toi_context *context = (toi_context *)&options;
  assert_int_equal(toi_context_create(&options, &context), TOI_ERROR_OPTION);
  assert_null(context);
}

static void a_million_threads_are_refused(void **state) {
  (void)state;
  toi_context_options options = toi_default_context_options();
  options.threads = 1000000;
  toi_context *context = NULL;
  assert_int_equal(toi_context_create(&options, &context), TOI_ERROR_OPTION);
  assert_null(context);
}

/* Uses memory in every way the room offers; stops at the first refusal. */
static toi_status use_memory(toi_context *context) {
  char *block = (char *)toi_allocate(context, 100);
  if (block == NULL)
    return TOI_ERROR_MEMORY;
  memset(block, 7, 100);
  char *const moved = (char *)toi_resize(context, block, 100, 100000);
  if (moved == NULL) {
    // A refusal leaves the block as it was.
    for (int i = 0; i < 100; i++)
      assert_int_equal(block[i], 7);
    toi_free(context, block, 100);
    return TOI_ERROR_MEMORY;
  }
  for (int i = 0; i < 100; i++)
    assert_int_equal(moved[i], 7);
  toi_free(context, moved, 100000);
  for (uint32_t thread = 0; thread < toi_context_threads(context); thread++)
    if (toi_scratch(context, thread, 1000) == NULL || toi_scratch(context, thread, 5000) == NULL)
      return TOI_ERROR_MEMORY;
  return TOI_OK;
}

static void each_allocation_refused_in_turn_leaves_nothing(void **state) {
  (void)state;
  size_t refused = 0;
  for (size_t turn = 1;; turn++) {
    test_allocator allocator = {.refuse_at = turn, .refuse_after = turn % 2 == 0};
    const toi_context_options options = test_context_options(&allocator, 3);
    toi_context *context = NULL;
    toi_status status = toi_context_create(&options, &context);
    if (status == TOI_OK) {
      status = use_memory(context);
      if (status != TOI_OK)
        assert_non_null(strstr(toi_context_error(context), "out of memory"));
    } else {
      assert_null(context);
    }
    toi_context_destroy(context);
    assert_nothing_left(&allocator);
    if (status == TOI_OK)
      break;
    assert_int_equal(status, TOI_ERROR_MEMORY);
    refused++;
  }
  // The context, its workers, a block, its growth, and two sizes of scratch for each of three threads.
  assert_int_equal(refused, 10);
}

static void a_refused_scratch_is_had_at_the_next_try(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, 0);
  assert_non_null(toi_scratch(context, 0, 64));
  allocator.refuse_at = allocator.calls + 1;
  assert_null(toi_scratch(context, 0, 4096));
  char *const scratch = (char *)toi_scratch(context, 0, 4096);
  assert_non_null(scratch);
  memset(scratch, 1, 4096);
  toi_context_destroy(context);
  assert_nothing_left(&allocator);
}

static void budget_is_kept_to_the_byte(void **state) {
  (void)state;
  const uint64_t budget = 100000;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, budget);
  const uint64_t empty = toi_context_bytes(context);
  assert_int_equal(empty, allocator.bytes);

  // The first allocation shows what a block costs beside its bytes; the second takes exactly what is left.
  void *const first = toi_allocate(context, 1000);
  assert_non_null(first);
  const uint64_t cost = toi_context_bytes(context) - empty - 1000;
  const size_t rest = (size_t)(budget - toi_context_bytes(context) - cost);
  assert_null(toi_allocate(context, rest + 1));
  assert_non_null(strstr(toi_context_error(context), "memory budget of 100000 bytes"));
  void *const second = toi_allocate(context, rest);
  assert_non_null(second);
  assert_int_equal(toi_context_bytes(context), budget);
  assert_int_equal(allocator.bytes, budget);

  // Full: one byte is refused, also as growth; shrinking and freeing make room again.
  assert_null(toi_allocate(context, 1));
  assert_null(toi_resize(context, first, 1000, 1001));
  void *const smaller = toi_resize(context, second, rest, 10);
  assert_non_null(smaller);
  void *const larger = toi_resize(context, first, 1000, 1001);
  assert_non_null(larger);
  assert_null(toi_resize(context, larger, 1001, 0));
  toi_free(context, smaller, 10);
  assert_int_equal(toi_context_bytes(context), empty);
  toi_context_destroy(context);
  assert_nothing_left(&allocator);
}

static void budget_too_small_for_the_context_is_an_error(void **state) {
  (void)state;
  test_allocator probe = {0};
  toi_context *context = make(&probe, 2, 0);
  const uint64_t needed = toi_context_bytes(context);
  toi_context_destroy(context);

  const uint64_t budgets[] = {1, needed / 2, needed - 1, needed};
  for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
    test_allocator allocator = {0};
    toi_context_options options = test_context_options(&allocator, 2);
    options.memory_budget = budgets[i];
    assert_int_equal(toi_context_create(&options, &context), budgets[i] < needed ? TOI_ERROR_MEMORY : TOI_OK);
    assert_true((context == NULL) == (budgets[i] < needed));
    toi_context_destroy(context);
    assert_nothing_left(&allocator);
  }
}

static void sizes_near_the_address_space_are_refused(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, UINT64_MAX);
  const size_t before = allocator.calls;
  assert_null(toi_allocate(context, SIZE_MAX));
  assert_null(toi_allocate(context, SIZE_MAX - 16));
  assert_null(toi_scratch(context, 0, SIZE_MAX));
  assert_null(toi_scratch(context, 0, SIZE_MAX - 64));
  assert_int_equal(allocator.calls, before);
  assert_null(toi_allocate(context, 0));
  toi_context_destroy(context);
  assert_nothing_left(&allocator);
}

static void blocks_that_were_never_freed_end_with_the_context(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, 0);
  void *blocks[5];
  for (size_t i = 0; i < 5; i++) {
    blocks[i] = toi_allocate(context, 10 * (i + 1));
    assert_non_null(blocks[i]);
  }
  // From the middle, the front and the back of the list, so that every link is exercised.
  toi_free(context, blocks[2], 30);
  toi_free(context, blocks[4], 50);
  toi_free(context, blocks[0], 10);
  assert_int_equal(allocator.blocks, 4);
  toi_context_destroy(context);
  assert_nothing_left(&allocator);
}

static void scratch_is_aligned_and_kept(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 4, 0);
  char *scratches[4];
  for (uint32_t thread = 0; thread < 4; thread++) {
    scratches[thread] = (char *)toi_scratch(context, thread, 777 + thread);
    assert_int_equal((uintptr_t)scratches[thread] % 64, 0);
    memset(scratches[thread], (int)thread, 777 + thread);
  }
  // Once warm, equal and smaller requests cost nothing and keep the place; threads do not share.
  const size_t calls = allocator.calls;
  const uint64_t bytes = toi_context_bytes(context);
  for (uint32_t thread = 0; thread < 4; thread++) {
    assert_ptr_equal(toi_scratch(context, thread, 777), scratches[thread]);
    for (int i = 0; i < 777; i++)
      assert_int_equal(scratches[thread][i], thread);
  }
  assert_int_equal(allocator.calls, calls);
  assert_int_equal(toi_context_bytes(context), bytes);
  toi_context_destroy(context);
  assert_nothing_left(&allocator);
}

static void sentence_is_kept_quoted_cut_and_cleared(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, 0);
  assert_int_equal(toi_fail(context, TOI_ERROR_FORMAT, "%s:%d: bad", "a.csv", 3), TOI_ERROR_FORMAT);
  assert_string_equal(toi_context_error(context), "a.csv:3: bad");

  // A sentence may quote the one before it.
  assert_int_equal(toi_fail(context, TOI_ERROR_FILE, "set: %s", toi_context_error(context)), TOI_ERROR_FILE);
  assert_string_equal(toi_context_error(context), "set: a.csv:3: bad");

  char longest[2 * TOI_ERROR_SIZE];
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  assert_int_equal(toi_fail(context, TOI_ERROR_FILE, "%s", longest), TOI_ERROR_FILE);
  const size_t length = strlen(toi_context_error(context));
  assert_in_range(length, 1024, TOI_ERROR_SIZE - 1);
  assert_string_equal(toi_context_error(context) + length - 4, "x...");

  toi_clear_error(context);
  assert_string_equal(toi_context_error(context), "");
  toi_context_destroy(context);
}

/* An extension that writes down the order in which it is closed, and holds memory of the context. */
typedef struct recorder {
  toi_extension extension;
  char name;
  char *order;
} recorder;

static void close_recorder(toi_context *context, toi_extension *extension) {
  const recorder *const closed = (const recorder *)(const void *)extension;
  strncat(closed->order, &closed->name, 1);
  toi_free(context, extension, sizeof(recorder));
}

static const toi_extension_type recorder_type = {.name = "recorder", .close = close_recorder};

static void extensions_close_last_first(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *const context = make(&allocator, 1, 0);
  assert_null(toi_context_extensions(context));
  char order[8] = "";
  for (size_t i = 0; i < 3; i++) {
    recorder *const made = (recorder *)toi_allocate(context, sizeof *made);
    assert_non_null(made);
    *made = (recorder){.extension = {.type = &recorder_type}, .name = "abc"[i], .order = order};
    toi_context_attach(context, &made->extension);
    assert_ptr_equal(toi_context_extensions(context), &made->extension);
  }
  toi_context_destroy(context);
  assert_string_equal(order, "cba");
  assert_nothing_left(&allocator);
}

static void simd_choice_does_not_change(void **state) {
  (void)state;
  const toi_simd best = toi_simd_best();
  assert_in_range(best, TOI_SIMD_SCALAR, TOI_SIMD_AVX2);
  assert_int_equal(toi_simd_best(), best);
#if defined(__x86_64__) || defined(__aarch64__)
  assert_int_not_equal(best, TOI_SIMD_SCALAR);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_its_own_phrase),
      cmocka_unit_test(version_matches_the_header),
      cmocka_unit_test(defaults_give_a_working_context),
      cmocka_unit_test(null_pointers_are_answered),
      cmocka_unit_test(options_not_made_by_the_default_function_are_refused),
      cmocka_unit_test(a_million_threads_are_refused),
      cmocka_unit_test(each_allocation_refused_in_turn_leaves_nothing),
      cmocka_unit_test(a_refused_scratch_is_had_at_the_next_try),
      cmocka_unit_test(budget_is_kept_to_the_byte),
      cmocka_unit_test(budget_too_small_for_the_context_is_an_error),
      cmocka_unit_test(sizes_near_the_address_space_are_refused),
      cmocka_unit_test(blocks_that_were_never_freed_end_with_the_context),
      cmocka_unit_test(scratch_is_aligned_and_kept),
      cmocka_unit_test(sentence_is_kept_quoted_cut_and_cleared),
      cmocka_unit_test(extensions_close_last_first),
      cmocka_unit_test(simd_choice_does_not_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
