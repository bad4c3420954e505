/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Errors, memory and clocks. */

#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

bool refuse(sim_fault *fault, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(fault->text, sizeof fault->text, format, list);
  va_end(list);
  return false;
}

static void *given(void *memory) {
  if (memory == NULL) {
    fputs("simulator: out of memory; what was written is whole, --resume goes on from there\n", stderr);
    exit(2);
  }
  return memory;
}

void *take(size_t count, size_t size) {
  return given(calloc(count == 0 ? 1 : count, size));
}

void *grow(void *array, size_t *capacity, size_t count, size_t size) {
  if (count <= *capacity)
    return array;
  const size_t more = count + count / 2 + 16;
  if (more < count || more > SIZE_MAX / size)
    return given(NULL);
  *capacity = more;
  return given(realloc(array, more * size));
}

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double share_add(sim_shares *shares, sim_share share, double began) {
  const double now = clock_seconds();
  shares->seconds[share] += now - began;
  return now;
}
