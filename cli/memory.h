/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Memory of the command, under one limit.
 *
 * What contexts hold, JSON that is read and what the commands work with count together, so that --memory is a hard
 * limit for all of it. Not counted: answers that are kept to be reported, the report, stacks, the C library's own
 * buffers, and the scenes and queries that `toi demo` makes. */

#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <toi/base.h>

/* The most bytes from now on; there is no limit before. */
void memory_limit(uint64_t bytes);

/* Bytes that are left below the limit. */
uint64_t memory_left(void);

/* Each gives NULL if the system refuses, or the limit would be exceeded. Give it back by memory_free(). */
void *memory_allocate(size_t size);
void *memory_zeroed(size_t count, size_t size);
char *memory_text(const char *text);

/* Room for `count` items of this size, moved; the old one stays as it was if that fails. */
void *memory_resize(void *pointer, size_t count, size_t size);

/* The same beyond the limit, for answers and reports; a block is always of one sort. */
void *memory_resize_beyond(void *pointer, size_t count, size_t size);

void memory_free(void *pointer);

/* The same for contexts. */
toi_allocator memory_allocator(void);

/* Prints that there is no memory for something, and what to do: `advice`, or to raise --memory where that was the
 * reason; returns EXIT_BAD. */
int memory_fail(const char *what, const char *advice);

/* Whether the last refusal was the limit's. */
bool memory_limit_met(void);

#endif
