/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the programs that ask about stages share: a context of one thread for all of their tests, and the last answer.
 */

#ifndef TOI_TESTS_CONTACT_PROGRAM_H
#define TOI_TESTS_CONTACT_PROGRAM_H

#include "contact/stage.h"

static toi_context *context;
static answered got;

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
