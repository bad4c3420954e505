/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arrays of answers, which grow beyond the limit of memory.h: they are reported whole. */

#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "memory.h"

/* The items, moved if need be, with room for more than `count` of them; NULL, and nothing has changed: no memory. */
static inline void *array_grow(void *items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity)
    return items;
  const size_t wanted = 2 * *capacity + 64;
  void *grown = memory_resize_beyond(items, wanted, size);
  if (grown != NULL)
    *capacity = wanted;
  return grown;
}

#endif
