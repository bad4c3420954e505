/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A stack of bytes: blocks are given one after another, only the last one can grow in place or go back by itself, and
 * when none is left the stack is empty again. */

#include "planted/memory.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAIN = 16, EXIT_NO_MEMORY = 2 };

/* GMP's allocator is a global of the process, so this is one too. */
static struct {
  _Alignas(16) unsigned char bytes[PLANTED_MEMORY_BYTES];
  size_t used, peak, blocks;
  const char *command;
} pool;

static size_t rounded(size_t size) {
  return (size + GRAIN - 1) / GRAIN * GRAIN;
}

static bool is_pooled(const void *pointer) {
  const uintptr_t at = (uintptr_t)pointer, first = (uintptr_t)pool.bytes;
  return at >= first && at < first + sizeof pool.bytes;
}

/* Whether a block is the last one given. */
static bool is_last(const unsigned char *block, size_t size) {
  return block + rounded(size) == pool.bytes + pool.used;
}

static void *checked(void *pointer) {
  if (pointer == NULL) {
    (void)fprintf(stderr, "%s: out of memory for exact numbers\n", pool.command);
    exit(EXIT_NO_MEMORY);
  }
  return pointer;
}

static void set_used(size_t used) {
  pool.used = used;
  pool.peak = used > pool.peak ? used : pool.peak;
}

static void *allocate(size_t size) {
  const size_t room = rounded(size);
  if (room < size || room > sizeof pool.bytes - pool.used)
    return checked(malloc(size));
  unsigned char *block = pool.bytes + pool.used;
  set_used(pool.used + room);
  pool.blocks++;
  return block;
}

static void release(void *pointer, size_t size) {
  if (!is_pooled(pointer)) {
    free(pointer);
    return;
  }
  pool.blocks--;
  if (pool.blocks == 0)
    pool.used = 0;
  else if (is_last(pointer, size))
    pool.used -= rounded(size);
}

static void *resize(void *pointer, size_t old_size, size_t size) {
  if (!is_pooled(pointer))
    return checked(realloc(pointer, size));
  const size_t start = (size_t)((unsigned char *)pointer - pool.bytes), room = rounded(size);
  if (is_last(pointer, old_size) && room >= size && room <= sizeof pool.bytes - start) {
    set_used(start + room);
    return pointer;
  }
  void *moved = allocate(size);
  memcpy(moved, pointer, old_size < size ? old_size : size);
  release(pointer, old_size);
  return moved;
}

void planted_use_own_memory(const char *command) {
  pool.command = command;
  mp_set_memory_functions(allocate, resize, release);
}

size_t planted_memory_peak(void) {
  return pool.peak;
}
