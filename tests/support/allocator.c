/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An allocator for tests: every block remembers its size, so that wrong old sizes and leaks are seen. */

#include "support/support.h"

#include <stdlib.h>

/* Before every block; keeps malloc's alignment. */
typedef union header {
  size_t size;
  max_align_t alignment;
} header;

static bool refuses(test_allocator *allocator) {
  allocator->calls++;
  if (allocator->refuse_at == 0)
    return false;
  return allocator->calls == allocator->refuse_at ||
         (allocator->refuse_after && allocator->calls > allocator->refuse_at);
}

static void *resize(void *user, void *pointer, size_t old_size, size_t new_size) {
  test_allocator *const allocator = (test_allocator *)user;
  header *const old = pointer == NULL ? NULL : (header *)pointer - 1;
  if (old_size != (old == NULL ? 0 : old->size))
    allocator->wrong_sizes++;

  if (new_size == 0) {
    if (old != NULL) {
      allocator->blocks--;
      allocator->bytes -= old->size;
    }
    free(old);
    return NULL;
  }
  if (refuses(allocator))
    return NULL;
  header *const moved = (header *)realloc(old, sizeof(header) + new_size);
  if (moved == NULL)
    return NULL;
  allocator->blocks += pointer == NULL;
  allocator->bytes += new_size - old_size;
  moved->size = new_size;
  return moved + 1;
}

toi_allocator test_allocator_hooks(test_allocator *allocator) {
  return (toi_allocator){.resize = resize, .user = allocator};
}

toi_context_options test_context_options(test_allocator *allocator, uint32_t threads) {
  toi_context_options options = toi_default_context_options();
  options.threads = threads;
  options.allocator = test_allocator_hooks(allocator);
  return options;
}
