/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context of one thread for all tests of a program. */

#ifndef TOI_TESTS_CONTACT_CONTEXT_H
#define TOI_TESTS_CONTACT_CONTEXT_H

#include "support/support.h"

static toi_context *context;

static int set_up(void **state) {
  (void)state;
  context = test_context(1);
  return context ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  toi_context_destroy(context);
  return 0;
}

#endif
