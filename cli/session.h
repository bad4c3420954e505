/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context as the commands use it. */

#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <toi/base.h>

/* Checks the number of threads (0: one for each processor) and makes a context. It, and all else that memory.h counts,
 * may hold no more than this many bytes; 0: session_memory(). Returns EXIT_DONE, or EXIT_BAD after its line, with
 * *context NULL. */
int session_open(uint64_t threads, uint64_t bytes, toi_context **context);

/* Most of the machine's memory, in bytes: the rest is left to the system. */
uint64_t session_memory(void);

/* The most memory that the process has held at a time, as the kernel counts it. */
uint64_t session_peak_bytes(void);

/* Prints what the context says went wrong, with the place in front unless it is NULL; returns EXIT_BAD. */
int session_fail(const toi_context *context, toi_status status, const char *place);

#endif
