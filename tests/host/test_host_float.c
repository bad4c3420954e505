/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every exported function in every floating-point state that a host may run in: the answers are the same bits as in the
 * default state; the state after the call is the one before, flags included, with what the caller's own visitors did to
 * it; visitors and progress functions run in the caller's state on its thread; what takes part in an answer, and
 * everything on other threads, runs in the default state. */

#include "host/host.h"

#include "support/files.h"
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static char labels[HOST_STATES][96];

static void label_states(void) {
  static const char *const roundings[] = {"to nearest", "down", "up", "to zero"};
  for (unsigned i = 0; i < HOST_STATES; i++)
    snprintf(labels[i], sizeof labels[i], "state %u: round %s%s%s%s", i, roundings[i & 3],
             (i & 4) != 0 ? ", results flushed" : "", (i & 8) != 0 ? ", operands flushed" : "",
             (i & 16) != 0 ? ", traps" : "");
}

/* The number of the state that a run's calls are made in. */
static unsigned number_of(const host_run *run) {
  return *(const unsigned *)run->user;
}

static void enter(host_run *run) {
  host_doing(run->function, labels[number_of(run)]);
  run->expected = host_state_number(number_of(run));
  host_state_set(run->expected);
}

static void leave(host_run *run) {
  const host_state left = host_state_get();
  host_state_set(host_state_default());
  if (left.control != run->expected.control)
    host_fault(run, "leaves control bits %" PRIx64 " instead of %" PRIx64 " (%s)", left.control, run->expected.control,
               labels[number_of(run)]);
  if (left.flags != run->expected.flags)
    host_fault(run, "leaves flags %" PRIx64 " instead of %" PRIx64 " (%s)", left.flags, run->expected.flags,
               labels[number_of(run)]);
}

static void look(host_run *run, host_role role) {
  const host_state now = host_state_get();
  const char *label = labels[number_of(run)];
  if (role == HOST_TAKES_PART || !pthread_equal(pthread_self(), run->caller)) {
    if (now.control != host_state_default().control)
      host_fault(run, "calls a function that takes part, or a worker's, with control bits %" PRIx64 " (%s)",
                 now.control, label);
    return;
  }
  if (now.control != run->expected.control || now.flags != run->expected.flags)
    host_fault(run,
               "calls a visitor or progress function with control bits %" PRIx64 " and flags %" PRIx64
               " instead of %" PRIx64 " and %" PRIx64 " (%s)",
               now.control, now.flags, run->expected.control, run->expected.flags, label);
  // What it does to the flags is the caller's doing, and stays.
  run->expected.flags |= UINT64_C(1) << run->visits % 5;
  host_state_set(run->expected);
}

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size) {
  (void)old_size;
  if (((host_run *)user)->called != NULL)
    look(user, HOST_TAKES_PART);
  if (new_size > 0)
    return realloc(pointer, new_size);
  free(pointer);
  return NULL;
}

static void run_in(host_run *run, const host_case *one, unsigned *number) {
  run->before = enter;
  run->after = leave;
  run->called = look;
  run->allocator = (toi_allocator){allocate, run};
  run->user = number;
  if (!host_run_open(run))
    host_fault(run, "there is no context");
  host_run_body(run, one);
  host_run_close(run);
}

/* State number 0 is the default one; the others are all tried with one thread, and some of them with three. */
static bool compare_states(const host_case *one, host_input input, uint32_t threads, char *fault) {
  static host_run usual, run;
  unsigned number = 0;
  host_run_init(&usual, input, threads);
  run_in(&usual, one, &number);
  snprintf(fault, HOST_FAULT_SIZE, "%s", usual.fault);
  const unsigned most = (unsigned)test_count(threads == 1 ? HOST_STATES - 1 : 4);
  const unsigned count = most < HOST_STATES - 1 ? most : HOST_STATES - 1;
  for (unsigned i = 0; i < count && fault[0] == '\0'; i++) {
    // 31 and what is left of it by steps that are spread evenly.
    number = HOST_STATES - 1 - i * (HOST_STATES - 1) / count;
    host_run_init(&run, input, threads);
    run_in(&run, one, &number);
    host_compare(&run, &usual);
    if (run.fault[0] != '\0')
      snprintf(fault, HOST_FAULT_SIZE, "%.900s (%s)", run.fault, labels[number]);
  }
  return fault[0] == '\0';
}

static bool compare_inputs(void *user, char *fault, size_t size) {
  const host_case *one = user;
  (void)size;
  for (int input = 0; input < HOST_INPUT_COUNT; input++)
    if ((one->inputs >> input & 1) != 0)
      if (!compare_states(one, (host_input)input, 1, fault) || !compare_states(one, (host_input)input, 3, fault))
        return false;
  return true;
}

static void every_exported_function_has_a_case(void **state) {
  (void)state;
  host_check_table();
}

static void every_function_works_in_every_state(void **state) {
  (void)state;
  size_t wrong = 0;
  const host_case *one;
  for (size_t i = 0; (one = host_case_number(i)) != NULL; i++)
    wrong += !host_isolated(one->name, compare_inputs, (void *)(uintptr_t)one);
  assert_int_equal(wrong, 0);
}

static int make(void **state) {
  const int made = test_directory_make(state);
  label_states();
  host_data_make();
  return made;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_exported_function_has_a_case),
                                     cmocka_unit_test(every_function_works_in_every_state)};
  return cmocka_run_group_tests(tests, make, test_directory_remove);
}
