/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Memory of the command, under one limit. A process has one limit, so this file keeps state; the threads of a context
 * may allocate at the same time. */

#include "memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

/* In front of each block that is freed without its size. */
typedef union block {
  size_t size; /* of all of it; 0: it is not counted */
  max_align_t align;
} block;

static _Atomic uint64_t held, limit = UINT64_MAX;
static atomic_bool limit_met;

void memory_limit(uint64_t bytes) {
  atomic_store(&limit, bytes);
}

uint64_t memory_left(void) {
  const uint64_t most = atomic_load(&limit), now = atomic_load(&held);
  return most > now ? most - now : 0;
}

bool memory_limit_met(void) {
  return atomic_load(&limit_met);
}

/* As the allocator of a context: the sizes are given. */
static void *resize(void *user, void *pointer, size_t old_size, size_t new_size) {
  (void)user;
  if (new_size > old_size) {
    const uint64_t more = new_size - old_size;
    // Counted before it is there, so that threads together do not exceed the limit.
    if (atomic_fetch_add(&held, more) + more > atomic_load(&limit)) {
      atomic_fetch_sub(&held, more);
      atomic_store(&limit_met, true);
      return NULL;
    }
  }
  void *moved = NULL;
  if (new_size > 0)
    moved = realloc(pointer, new_size);
  else
    free(pointer);
  const bool refused = new_size > 0 && moved == NULL;
  if (refused)
    atomic_store(&limit_met, false);
  if (refused && new_size > old_size)
    atomic_fetch_sub(&held, new_size - old_size);
  if (!refused && new_size < old_size)
    atomic_fetch_sub(&held, old_size - new_size);
  return moved;
}

toi_allocator memory_allocator(void) {
  return (toi_allocator){.resize = resize, .user = NULL};
}

void *memory_resize(void *pointer, size_t count, size_t size) {
  block *old = pointer == NULL ? NULL : (block *)pointer - 1;
  if (size > 0 && count > (SIZE_MAX - sizeof(block)) / size) {
    atomic_store(&limit_met, true);
    return NULL;
  }
  const size_t whole = count * size + sizeof(block);
  block *moved = resize(NULL, old, old == NULL ? 0 : old->size, whole);
  if (moved == NULL)
    return NULL;
  moved->size = whole;
  return moved + 1;
}

void *memory_resize_beyond(void *pointer, size_t count, size_t size) {
  block *old = pointer == NULL ? NULL : (block *)pointer - 1;
  const bool fits = size == 0 || count <= (SIZE_MAX - sizeof(block)) / size;
  block *moved = fits ? realloc(old, count * size + sizeof(block)) : NULL;
  if (moved == NULL) {
    atomic_store(&limit_met, false);
    return NULL;
  }
  moved->size = 0;
  return moved + 1;
}

void *memory_allocate(size_t size) {
  return memory_resize(NULL, size, 1);
}

void *memory_zeroed(size_t count, size_t size) {
  void *made = memory_resize(NULL, count, size);
  if (made != NULL)
    memset(made, 0, count * size);
  return made;
}

char *memory_text(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = memory_allocate(size);
  if (copy != NULL)
    memcpy(copy, text, size);
  return copy;
}

void memory_free(void *pointer) {
  if (pointer == NULL)
    return;
  block *old = (block *)pointer - 1;
  resize(NULL, old, old->size, 0);
}

int memory_fail(const char *what, const char *advice) {
  return cli_fail("out of memory for %s; %s", what, memory_limit_met() ? "raise --memory" : advice);
}
