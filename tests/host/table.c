/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The table of cases, and its comparison with what the shared library exports. */

#include "host/cases.h"

#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const host_case *const parts[] = {
    host_base_cases,    host_init_cases,        host_formula_cases,  host_motion_cases, host_narrow_cases,
    host_rigid_cases,   host_rigid_scene_cases, host_distance_cases, host_scene_cases,  host_kept_cases,
    host_stencil_cases, host_worker_cases,      host_surface_cases,  host_model_cases,  host_shape_cases,
    host_contact_cases, host_track_cases,       host_read_cases,     host_write_cases};

const host_case *host_case_number(size_t number) {
  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++)
    for (const host_case *one = parts[part]; one->name != NULL; one++)
      if (number-- == 0)
        return one;
  return NULL;
}

/* The file that the build makes: a name a line. */
static size_t read_exported(char names[HOST_FUNCTIONS][64]) {
  FILE *file = fopen(TOI_EXPORTED_FUNCTIONS, "r");
  if (file == NULL)
    fail_msg("%s is missing: build it, or all", TOI_EXPORTED_FUNCTIONS);
  size_t count = 0;
  while (count < HOST_FUNCTIONS && fscanf(file, "%63s", names[count]) == 1)
    count++;
  assert_true(feof(file));
  fclose(file);
  assert_true(count > 100);
  return count;
}

/* Every case on every input that it has, here and in the default state. */
static void run_all(void) {
  static host_run run;
  const host_case *one;
  for (size_t i = 0; (one = host_case_number(i)) != NULL; i++)
    for (int input = 0; input < HOST_INPUT_COUNT; input++) {
      if ((one->inputs >> input & 1) == 0)
        continue;
      host_run_init(&run, (host_input)input, 1);
      assert_true(host_run_open(&run));
      host_run_body(&run, one);
      host_run_close(&run);
      if (run.fault[0] != '\0')
        fail_msg("%s: %s", one->name, run.fault);
    }
}

static bool contains(const char *const *names, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

void host_check_table(void) {
  static char exported[HOST_FUNCTIONS][64];
  const char *listed[HOST_FUNCTIONS];
  const size_t exported_count = read_exported(exported);
  for (size_t i = 0; i < exported_count; i++)
    listed[i] = exported[i];
  run_all();

  const char *const *called;
  const size_t called_count = host_functions(&called);
  size_t wrong = 0;
  for (size_t i = 0; i < exported_count; i++)
    if (!contains(called, called_count, exported[i])) {
      print_error("%s is exported, and no case calls it: add one to tests/host/cases_*.c\n", exported[i]);
      wrong++;
    }
  for (size_t i = 0; i < called_count; i++)
    if (!contains(listed, exported_count, called[i])) {
      print_error("%s is called by a case, and not exported\n", called[i]);
      wrong++;
    }
  assert_int_equal(wrong, 0);
}
