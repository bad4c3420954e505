/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* GMP's memory in a command. GMP prints and aborts when malloc refuses it memory, and offers no way back. The numbers
 * of planted queries are small, and none outlives the call that made it: they fit a fixed block of the process. */

#ifndef PLANTED_MEMORY_H
#define PLANTED_MEMORY_H

#include <stddef.h>

/* From now on GMP takes its memory from a block of PLANTED_MEMORY_BYTES, which all of it goes back to when the last
 * number is cleared. What does not fit comes from malloc; if that refuses it, the process prints a line that begins
 * with the name of the command, and exits with 2. For programs in which one thread uses GMP's numbers. */
#define PLANTED_MEMORY_BYTES 65536
void planted_use_own_memory(const char *command);

/* Bytes of the block that were in use at most. */
size_t planted_memory_peak(void);

#endif
