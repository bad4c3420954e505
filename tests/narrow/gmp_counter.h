/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How often GMP asks for memory: never, if all that is used of it is the mpn layer on memory of our own. */

#ifndef TOI_TESTS_NARROW_GMP_COUNTER_H
#define TOI_TESTS_NARROW_GMP_COUNTER_H

#include <gmp.h>
#include <stdlib.h>

static size_t gmp_allocations;

static void *count_allocation(size_t size) {
  gmp_allocations++;
  return malloc(size);
}

static void *count_reallocation(void *pointer, size_t old, size_t size) {
  (void)old;
  gmp_allocations++;
  return realloc(pointer, size);
}

static void release(void *pointer, size_t size) {
  (void)size;
  free(pointer);
}

/* Counts from now on, in gmp_allocations. */
static inline void gmp_count_allocations(void) {
  mp_set_memory_functions(count_allocation, count_reallocation, release);
}

#endif
