/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What one call leaves behind for the next, and for its caller: no error, no open call, no signals blocked; and what a
 * context is made with if nothing is said. */

#include "support/support.h"

#include "base/context.h"
#include "base/reserved.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void second_call_forgets_the_error_of_the_first(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int i = 0; i < 3; i++) {
    toi_call call;
    toi_call_begin(&call, context);
    assert_string_equal(toi_context_error(context), "");
    assert_int_equal(toi_fail(context, TOI_ERROR_INPUT, "call %d", i), TOI_ERROR_INPUT);
    toi_call_end(&call);
    assert_string_not_equal(toi_context_error(context), "");
    // No call is open any more: a function of the caller's would be outside of one.
    toi_callback callback = toi_callback_begin(context, 0);
    assert_null(callback.call);
    toi_callback_end(callback);
  }
  toi_context_destroy(context);
}

static toi_status nothing(void *user, uint32_t thread, size_t begin, size_t end) {
  (void)thread;
  (void)begin;
  (void)end;
  (void)user;
  return TOI_OK;
}

static void starting_workers_leaves_the_callers_signals_alone(void **state) {
  (void)state;
  sigset_t blocked, before, after;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  assert_int_equal(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
  toi_context *context = test_context(3);
  assert_int_equal(toi_parallel(context, 100, 1, nothing, NULL), TOI_OK);
  assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
  for (int i = 1; i < 32; i++)
    assert_int_equal(sigismember(&after, i), i == SIGUSR1 ? 1 : sigismember(&before, i));
  toi_context_destroy(context);
}

static void threads_are_as_many_as_processors_if_not_said(void **state) {
  (void)state;
  assert_int_equal(toi_default_context_options().threads, 0);
  toi_context *context;
  assert_int_equal(toi_context_create(NULL, &context), TOI_OK);
  long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  assert_int_equal(toi_context_threads(context), cpus < TOI_THREADS_MAX ? cpus : TOI_THREADS_MAX);
  toi_context_destroy(context);
}

/* One that just fits stays whole, the next longer one shows that it was cut. */
static void sentence_is_cut_only_where_it_does_not_fit(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  char text[TOI_ERROR_SIZE + 2];
  for (size_t length = TOI_ERROR_SIZE - 2; length < sizeof text; length++) {
    memset(text, 'a', length);
    text[length] = '\0';
    (void)toi_fail(context, TOI_ERROR_INPUT, "%s", text);
    const char *sentence = toi_context_error(context);
    bool cut = length >= TOI_ERROR_SIZE;
    assert_int_equal(strlen(sentence), cut ? TOI_ERROR_SIZE - 1 : length);
    assert_string_equal(sentence + strlen(sentence) - 3, cut ? "..." : "aaa");
  }
  toi_context_destroy(context);
}

/* --- small promises that every room relies on --- */

static bool note_progress(void *user, double done) {
  *(double *)user = done;
  return done < 0.5;
}

static void progress_is_asked_if_there_is_one(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  double seen = -1;
  assert_true(toi_progress_made(context, NULL, NULL, 0.75));
  assert_true(toi_progress_made(context, note_progress, &seen, 0.25));
  assert_true(seen == 0.25);
  assert_false(toi_progress_made(context, note_progress, &seen, 0.75));
  assert_true(seen == 0.75);
  toi_context_destroy(context);
}

static void reserved_room_is_zero_in_every_place(void **state) {
  (void)state;
  uint64_t room[3] = {0};
  assert_true(toi_reserved_is_zero(room, sizeof room));
  for (size_t i = 0; i < 3; i++) {
    room[i] = i + 1;
    assert_false(toi_reserved_is_zero(room, sizeof room));
    room[i] = 0;
  }
}

typedef struct toi_thing {
  size_t size;
  double a;
} toi_thing;

static void unset_options_are_told_where_to_start(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_thing taken = {0};
  assert_int_equal(toi_take_options(context, TOI_LAYOUT(toi_thing, a), NULL, &taken), TOI_ERROR_OPTION);
  assert_non_null(strstr(toi_context_error(context), "toi_default_thing()"));
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(second_call_forgets_the_error_of_the_first),
      cmocka_unit_test(starting_workers_leaves_the_callers_signals_alone),
      cmocka_unit_test(threads_are_as_many_as_processors_if_not_said),
      cmocka_unit_test(sentence_is_cut_only_where_it_does_not_fit),
      cmocka_unit_test(progress_is_asked_if_there_is_one),
      cmocka_unit_test(reserved_room_is_zero_in_every_place),
      cmocka_unit_test(unset_options_are_told_where_to_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
