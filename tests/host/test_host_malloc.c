/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every exported function with malloc itself refused at every turn: a status or a right answer, the safe value beside
 * the status, nothing printed, no abort, nothing leaked (memory, descriptors, files), and a usual answer on the same
 * context once there is memory again. */

#include "host/host.h"
#include "host/refuse.h"

#include "support/files.h"
#include "support/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void arm(host_run *run) {
  host_doing(run->function, *(const char *const *)run->user);
  refuse_arm(true);
}

static void disarm(host_run *run) {
  (void)run;
  refuse_arm(false);
}

static size_t open_descriptors(void) {
  size_t count = 0;
  for (int i = 0; i < 64; i++)
    count += fcntl(i, F_GETFD) >= 0;
  return count;
}

/* What must be as before once a context is gone. */
typedef struct holdings {
  size_t blocks, descriptors, files;
} holdings;

static holdings count_holdings(void) {
  const holdings all = {.descriptors = open_descriptors(), .files = test_count_files(), .blocks = refuse_blocks()};
  return all;
}

static void check_holdings(host_run *run, holdings before) {
  const holdings now = count_holdings();
  if (now.blocks != before.blocks)
    host_fault(run, "%zd blocks of memory too many are left", (ssize_t)(now.blocks - before.blocks));
  if (now.descriptors != before.descriptors)
    host_fault(run, "%zu descriptors are open instead of %zu", now.descriptors, before.descriptors);
  if (now.files != before.files)
    host_fault(run, "%zu files instead of %zu", now.files, before.files);
}

/* Requests for memory that the case makes on a new context; the answers are the usual ones from now on. */
static size_t run_usual(host_run *usual, const host_case *one) {
  refuse_from(0, false);
  if (host_run_open(usual))
    host_run_body(usual, one);
  else
    host_fault(usual, "there is no context");
  host_run_close(usual);
  return refuse_counted();
}

/* One run with request `at` refused, and one with memory, on the same context. Whether anything was refused. */
static bool run_refused(host_run *run, const host_run *usual, const host_case *one, size_t at, bool after) {
  refuse_from(at, after);
  if (!host_run_open(run))
    return refuse_refused() > 0;
  host_run_body(run, one);
  const bool refused = refuse_refused() > 0;
  if (!run->short_of_memory)
    host_compare(run, usual);
  refuse_from(0, false);
  host_run_body(run, one);
  host_compare(run, usual);
  host_run_close(run);
  return refused;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Half of the `runs` that there is time for at the first requests, one by one, the others spread over the rest. */
static size_t next(size_t at, size_t requests, size_t runs) {
  return at < runs / 2 || requests <= runs ? at + 1 : at + (requests - runs / 2) / (runs / 2);
}

static bool refuse_each(const host_case *one, host_input input, uint32_t threads, char *fault) {
  static host_run usual, run;
  static const char *const label[] = {"memory refused once", "memory refused from some request on"};
  host_run_init(&usual, input, threads);
  usual.before = arm;
  usual.after = disarm;
  usual.user = (void *)(uintptr_t)&label[0];
  // Twice: the C library keeps some memory from its first calls.
  run_usual(&usual, one);
  const double began = seconds();
  const size_t requests = run_usual(&usual, one);
  const double wanted = 1e-6 * (double)test_count(threads == 1 ? 12000 : 4000) / (seconds() - began);
  const size_t runs = wanted < 2 ? 2 : wanted > 1000 ? 1000 : (size_t)wanted;
  snprintf(fault, HOST_FAULT_SIZE, "%s", usual.fault);
  // What takes long is refused memory on ordinary input only if there is little time.
  if (wanted < 1 && (input != HOST_ORDINARY || threads != 1))
    return fault[0] == '\0';
  for (int after = 0; after < 2; after++) {
    size_t at = 1;
    for (bool refused = true; refused && fault[0] == '\0'; at = next(at, requests, runs)) {
      host_run_init(&run, input, threads);
      run.before = arm;
      run.after = disarm;
      run.user = (void *)(uintptr_t)&label[after];
      const holdings before = count_holdings();
      refused = run_refused(&run, &usual, one, at, after != 0);
      check_holdings(&run, before);
      if (run.fault[0] != '\0')
        snprintf(fault, HOST_FAULT_SIZE, "%.900s (%s: request %zu of %zu)", run.fault, label[after], at, requests);
    }
  }
  return fault[0] == '\0';
}

static bool refuse_inputs(void *user, char *fault, size_t size) {
  const host_case *one = user;
  (void)size;
  for (int input = 0; input < HOST_INPUT_COUNT; input++)
    if ((one->inputs >> input & 1) != 0)
      if (!refuse_each(one, (host_input)input, 1, fault) || !refuse_each(one, (host_input)input, 3, fault))
        return false;
  return true;
}

static void every_exported_function_has_a_case(void **state) {
  (void)state;
  host_check_table();
}

static void every_function_survives_refused_memory(void **state) {
  (void)state;
  size_t wrong = 0;
  const host_case *one;
  for (size_t i = 0; (one = host_case_number(i)) != NULL; i++)
    wrong += !host_isolated(one->name, refuse_inputs, (void *)(uintptr_t)one);
  assert_int_equal(wrong, 0);
}

static int make(void **state) {
  const int made = test_directory_make(state);
  host_data_make();
  return made;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_exported_function_has_a_case),
                                     cmocka_unit_test(every_function_survives_refused_memory)};
  return cmocka_run_group_tests(tests, make, test_directory_remove);
}
