/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Memory of a context: the caller's allocator behind a budget.
 *
 * Promise: the bytes held, bookkeeping included, never exceed the budget; a refusal changes nothing; every block that
 * is still there when the context ends is freed with it. The allocator is called by one thread at a time. */

#include "base/context.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/platform.h"

/* Scratch starts on a cache line, which also serves every SIMD width. */
#define SCRATCH_ALIGNMENT 64u

/* What a request came to; the sentence is written after the lock is released. */
typedef enum outcome { GRANTED, OVER_BUDGET, REFUSED } outcome;

void *toi_allocator_default(void *user, void *pointer, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size > 0)
    return realloc(pointer, new_size);
  free(pointer);
  return NULL;
}

static void link_block(toi_context *context, toi_block *block) {
  block->previous = NULL;
  block->next = context->blocks;
  if (block->next != NULL)
    block->next->previous = block;
  context->blocks = block;
}

static void unlink_block(toi_context *context, toi_block *block) {
  if (block->previous != NULL)
    block->previous->next = block->next;
  else
    context->blocks = block->next;
  if (block->next != NULL)
    block->next->previous = block->previous;
}

static toi_block *block_of(void *pointer) {
  return pointer == NULL ? NULL : (toi_block *)pointer - 1;
}

static void release(toi_context *context, toi_block *block) {
  const size_t whole = block->size + sizeof *block;
  assert(context->bytes >= whole);
  unlink_block(context, block);
  context->bytes -= whole;
  context->allocator.resize(context->allocator.user, block, whole, 0);
  toi_float_mode_establish();
}

/* *block: the old one or NULL before, the new one after; unchanged unless granted. The context is locked. */
static outcome grow_or_shrink(toi_context *context, toi_block **block, size_t size) {
  toi_block *const old = *block;
  const size_t old_whole = old == NULL ? 0 : old->size + sizeof *old;
  const uint64_t others = context->bytes - old_whole;
  assert(context->bytes >= old_whole && others <= context->budget);
  if (size > SIZE_MAX - sizeof *old || size + sizeof *old > context->budget - others)
    return OVER_BUDGET;

  // The block may move, so the list must not point to it meanwhile; on refusal it goes back unchanged.
  if (old != NULL)
    unlink_block(context, old);
  toi_block *const moved =
      (toi_block *)context->allocator.resize(context->allocator.user, old, old_whole, size + sizeof *old);
  toi_float_mode_establish();
  if (moved == NULL) {
    if (old != NULL)
      link_block(context, old);
    return REFUSED;
  }
  moved->size = size;
  link_block(context, moved);
  context->bytes = others + size + sizeof *moved;
  *block = moved;
  return GRANTED;
}

/* One try. *held: bytes that the context holds afterwards. */
static outcome try_resize(toi_context *context, toi_block **block, size_t size, uint64_t *held) {
  pthread_mutex_lock(&context->lock);
  const outcome result = grow_or_shrink(context, block, size);
  *held = context->bytes;
  pthread_mutex_unlock(&context->lock);
  return result;
}

static uint64_t bytes_held(toi_context *context) {
  pthread_mutex_lock(&context->lock);
  const uint64_t bytes = context->bytes;
  pthread_mutex_unlock(&context->lock);
  return bytes;
}

/* Has what is kept for speed given back; returns whether that freed anything. */
static bool trim_extensions(toi_context *context, uint64_t held) {
  for (toi_extension *at = context->extensions; at != NULL; at = at->next)
    if (at->type->trim != NULL)
      at->type->trim(context, at);
  return bytes_held(context) < held;
}

void *toi_resize(toi_context *context, void *pointer, size_t old_size, size_t new_size) {
  assert(context != NULL);
  if (toi_check_whole(context) != TOI_OK)
    return NULL;
  toi_block *block = block_of(pointer);
  assert(block == NULL || block->size == old_size);
  (void)old_size;

  if (new_size == 0) {
    toi_free(context, pointer, old_size);
    return NULL;
  }
  uint64_t held;
  outcome result = try_resize(context, &block, new_size, &held);
  if (result != GRANTED && trim_extensions(context, held))
    result = try_resize(context, &block, new_size, &held);

  if (result == OVER_BUDGET)
    toi_fail(context, TOI_ERROR_MEMORY,
             "the memory budget of %" PRIu64 " bytes is too small: %zu more bytes are needed besides the %" PRIu64
             " in use; raise memory_budget",
             context->budget, new_size, held);
  if (result == REFUSED)
    toi_fail(context, TOI_ERROR_MEMORY, "out of memory: the allocator refused %zu bytes", new_size);
  return result == GRANTED ? block + 1 : NULL;
}

void *toi_allocate(toi_context *context, size_t size) {
  return toi_resize(context, NULL, 0, size);
}

void *toi_grow(toi_context *context, void *array, size_t count, size_t *room, size_t size, size_t first) {
  if (count < *room)
    return array;
  const size_t more = *room == 0 ? first : 2 * *room;
  void *grown = toi_resize(context, array, *room * size, more * size);
  if (grown != NULL)
    *room = more;
  return grown;
}

void toi_free(toi_context *context, void *pointer, size_t size) {
  assert(context != NULL);
  if (pointer == NULL || context->cut_off)
    return;
  toi_block *const block = block_of(pointer);
  assert(block->size == size);
  (void)size;
  pthread_mutex_lock(&context->lock);
  release(context, block);
  pthread_mutex_unlock(&context->lock);
}

void *toi_scratch(toi_context *context, uint32_t thread, size_t size) {
  assert(context != NULL && thread < context->threads);
  if (toi_check_whole(context) != TOI_OK)
    return NULL;
  toi_worker *const worker = &context->workers[thread];

  // Old contents need not be kept: freeing first keeps the peak low.
  if (worker->scratch == NULL || worker->scratch_size < size) {
    toi_free(context, worker->scratch, worker->scratch_size + SCRATCH_ALIGNMENT);
    worker->scratch = NULL;
    worker->scratch_size = 0;
    if (size > SIZE_MAX - SCRATCH_ALIGNMENT) {
      toi_fail(context, TOI_ERROR_MEMORY, "out of memory: scratch of %zu bytes does not fit the address space", size);
      return NULL;
    }
    worker->scratch = toi_allocate(context, size + SCRATCH_ALIGNMENT);
    if (worker->scratch == NULL)
      return NULL;
    worker->scratch_size = size;
  }
  const uintptr_t address = (uintptr_t)worker->scratch;
  const uintptr_t padding = (SCRATCH_ALIGNMENT - address % SCRATCH_ALIGNMENT) % SCRATCH_ALIGNMENT;
  return (char *)worker->scratch + padding;
}

uint64_t toi_context_bytes(const toi_context *context) {
  if (context == NULL)
    return 0;
  // Locking changes no answer, so the caller's const stands.
  toi_context *const held = (toi_context *)context;
  toi_pool_after_fork(held);
  return bytes_held(held);
}

uint64_t toi_budget(const toi_context *context) {
  return context->budget;
}

void toi_memory_release(toi_context *context) {
  while (context->blocks != NULL)
    release(context, context->blocks);
}

void *toi_borrow(toi_context *context, uint32_t thread, size_t size) {
  return context ? toi_scratch(context, thread, size) : toi_memory_aligned(64, (size + 63) / 64 * 64);
}

void toi_give_back(const toi_context *context, void *scratch) {
  if (!context)
    toi_memory_aligned_free(scratch);
}
