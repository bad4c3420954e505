/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* malloc and its kin, for the whole process: the library, GMP, zlib, the C library itself, any thread. Under a
 * sanitizer, which has its own, only for the library (by the linker's --wrap), and blocks are left to the sanitizer. */

#include "host/refuse.h"

#include "support/support.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static atomic_bool is_armed;
static atomic_size_t counted, refused, refuse_at, blocks;
static atomic_bool refuse_after;

void refuse_from(size_t at, bool after) {
  counted = refused = 0;
  refuse_at = at;
  refuse_after = after;
}

void refuse_arm(bool armed) {
  is_armed = armed;
}

size_t refuse_counted(void) {
  return counted;
}

size_t refuse_refused(void) {
  return refused;
}

size_t refuse_blocks(void) {
  return TEST_SANITIZED ? 0 : (size_t)blocks;
}

/* Whether this request is to be refused; it is counted then or else. */
static bool is_refused(void) {
  if (!is_armed)
    return false;
  const size_t number = atomic_fetch_add(&counted, 1) + 1, at = refuse_at;
  if (at == 0 || number < at || (number > at && !refuse_after))
    return false;
  atomic_fetch_add(&refused, 1);
  errno = ENOMEM;
  return true;
}

/* The functions there were, by the names that the C library and the linker's --wrap give them. */
#if TEST_SANITIZED
#define ORIGINAL(name) __asm__("__real_" name)
#define REPLACES(name) __asm__("__wrap_" name)
void *original_aligned_alloc(size_t alignment, size_t size) ORIGINAL("aligned_alloc");
int original_posix_memalign(void **made, size_t alignment, size_t size) ORIGINAL("posix_memalign");
#else
#define ORIGINAL(name) __asm__("__libc_" name)
#define REPLACES(name) __asm__(name)
void *original_aligned_alloc(size_t alignment, size_t size) ORIGINAL("memalign");
void original_free(void *pointer) ORIGINAL("free");
#endif

void *original_malloc(size_t size) ORIGINAL("malloc");
void *original_calloc(size_t count, size_t size) ORIGINAL("calloc");
void *original_realloc(void *pointer, size_t size) ORIGINAL("realloc");

/* And those in their place, seen by every shared library of the process. */
#pragma GCC visibility push(default)
void *our_malloc(size_t size) REPLACES("malloc");
void *our_calloc(size_t count, size_t size) REPLACES("calloc");
void *our_realloc(void *pointer, size_t size) REPLACES("realloc");
void *our_aligned_alloc(size_t alignment, size_t size) REPLACES("aligned_alloc");
int our_posix_memalign(void **made, size_t alignment, size_t size) REPLACES("posix_memalign");
#if !TEST_SANITIZED
void our_free(void *pointer) REPLACES("free");
#endif
#pragma GCC visibility pop

static void *counted_block(void *made) {
  if (made != NULL)
    atomic_fetch_add(&blocks, 1);
  return made;
}

void *our_malloc(size_t size) {
  return is_refused() ? NULL : counted_block(original_malloc(size));
}

void *our_calloc(size_t count, size_t size) {
  return is_refused() ? NULL : counted_block(original_calloc(count, size));
}

void *our_realloc(void *pointer, size_t size) {
  if (is_refused())
    return NULL;
  void *moved = original_realloc(pointer, size);
  if (pointer == NULL)
    return counted_block(moved);
  if (moved == NULL && size == 0)
    atomic_fetch_sub(&blocks, 1);
  return moved;
}

void *our_aligned_alloc(size_t alignment, size_t size) {
  return is_refused() ? NULL : counted_block(original_aligned_alloc(alignment, size));
}

int our_posix_memalign(void **made, size_t alignment, size_t size) {
  if (is_refused())
    return ENOMEM;
#if TEST_SANITIZED
  return original_posix_memalign(made, alignment, size);
#else
  *made = counted_block(original_aligned_alloc(alignment, size));
  return *made == NULL ? ENOMEM : 0;
#endif
}

#if !TEST_SANITIZED
void our_free(void *pointer) {
  if (pointer != NULL)
    atomic_fetch_sub(&blocks, 1);
  original_free(pointer);
}
#endif
