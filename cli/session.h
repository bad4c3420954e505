/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context as the commands use it. */

#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <toi/base.h>

/* Checks the number of threads (0: one for each processor) and makes a context that may use the machine's memory.
 * Returns EXIT_DONE, or EXIT_BAD after its line, with *context NULL. */
int session_open(uint64_t threads, toi_context **context);

/* Prints what the context says went wrong, with the place in front unless it is NULL; returns EXIT_BAD. */
int session_fail(const toi_context *context, toi_status status, const char *place);

#endif
