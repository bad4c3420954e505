/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contexts for tests that are about something else. */

#include "support/support.h"

toi_context *test_context(uint32_t threads) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  return context;
}

toi_context *test_context_on(test_allocator *allocator) {
  toi_context_options options = test_context_options(allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  return context;
}
