/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every exported function gives the same bits with any number of threads. */

#include "host/host.h"

#include "support/files.h"
#include "support/support.h"

#include <stdio.h>

static const uint32_t thread_counts[] = {1, 2, 4};

static bool compare_threads(void *user, char *fault, size_t size) {
  static host_run usual, run;
  const host_case *one = user;
  for (int input = 0; input < HOST_INPUT_COUNT; input++) {
    if ((one->inputs >> input & 1) == 0)
      continue;
    for (size_t i = 0; i < sizeof thread_counts / sizeof thread_counts[0]; i++) {
      host_run *this_one = i == 0 ? &usual : &run;
      host_run_init(this_one, (host_input)input, thread_counts[i]);
      if (!host_run_open(this_one))
        return false;
      host_run_body(this_one, one);
      host_run_close(this_one);
      if (i > 0)
        host_compare(this_one, &usual);
      if (this_one->fault[0] != '\0') {
        snprintf(fault, size, "%s", this_one->fault);
        return false;
      }
    }
  }
  return true;
}

static void answers_do_not_depend_on_threads(void **state) {
  (void)state;
  size_t wrong = 0;
  const host_case *one;
  for (size_t i = 0; (one = host_case_number(i)) != NULL; i++)
    wrong += !host_isolated(one->name, compare_threads, (void *)(uintptr_t)one);
  assert_int_equal(wrong, 0);
}

static int make(void **state) {
  const int made = test_directory_make(state);
  host_data_make();
  return made;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_do_not_depend_on_threads)};
  return cmocka_run_group_tests(tests, make, test_directory_remove);
}
