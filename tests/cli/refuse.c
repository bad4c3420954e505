/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Preloaded by test_refused.c: memory that is refused by the C library itself, behind everybody's back.
 *
 * Calls are counted from the start of the program on. REFUSE_AT=N refuses the N-th, REFUSE_FROM=N that and all later
 * ones; REFUSE_COUNT=FILE has the number of calls written there at the end. */

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#pragma GCC visibility push(default)

/* The C library's own, by their other names. */
void *libc_malloc(size_t size) __asm__("__libc_malloc");
void *libc_calloc(size_t count, size_t size) __asm__("__libc_calloc");
void *libc_realloc(void *pointer, size_t size) __asm__("__libc_realloc");
void *libc_memalign(size_t alignment, size_t size) __asm__("__libc_memalign");

static atomic_ulong calls;
static unsigned long at, from;
static bool counting;

static unsigned long number(const char *name) {
  const char *text = getenv(name);
  unsigned long value = 0;
  for (; text != NULL && *text >= '0' && *text <= '9'; text++)
    value = 10 * value + (unsigned long)(*text - '0');
  return value;
}

__attribute__((constructor)) static void begin(void) {
  at = number("REFUSE_AT");
  from = number("REFUSE_FROM");
  counting = true;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("REFUSE_COUNT");
  const int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  if (file < 0)
    return;
  char digits[24];
  size_t place = sizeof digits;
  for (unsigned long left = atomic_load(&calls); left > 0 || place == sizeof digits; left /= 10)
    digits[--place] = (char)('0' + left % 10);
  const ssize_t written = write(file, digits + place, sizeof digits - place);
  (void)written;
  close(file);
}

static bool refused(void) {
  if (!counting)
    return false;
  const unsigned long call = atomic_fetch_add(&calls, 1) + 1;
  if (call != at && (from == 0 || call < from))
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) {
  return refused() ? NULL : libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size) {
  return refused() ? NULL : libc_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size) {
  return refused() ? NULL : libc_realloc(ptr, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size) {
  return refused() ? NULL : libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return refused() ? NULL : libc_memalign(alignment, size);
}

int posix_memalign(void **memptr, size_t alignment, size_t size) {
  if (refused())
    return ENOMEM;
  *memptr = libc_memalign(alignment, size);
  return *memptr == NULL ? ENOMEM : 0;
}

#pragma GCC visibility pop
