/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arrays of answers, which grow beyond the limit of memory.h: they are reported whole. */

#ifndef CLI_ARRAY_H
#define CLI_ARRAY_H

#include "memory.h"

/* Room for more items of this size; false, and nothing has changed, if there is no memory. */
static inline bool array_grow(void **items, size_t *capacity, size_t size) {
  const size_t wanted = 2 * *capacity + 64;
  void *grown = memory_resize_beyond(*items, wanted, size);
  if (grown == NULL)
    return false;
  *items = grown;
  *capacity = wanted;
  return true;
}

#endif
