/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context as the commands use it. */

#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <toi/device.h>

/* Checks the number of threads (0: one for each processor) and makes a context. It, and all else that memory.h counts,
 * may hold no more than this many bytes; 0: session_memory(). Returns EXIT_DONE, or EXIT_BAD after its line, with
 * *context NULL. */
int session_open(uint64_t threads, uint64_t bytes, toi_context **context);

/* What the options about devices say: see toi/device.h. */
typedef struct session_device {
  const char *name; /* NULL: none */
  uint64_t memory, queue;
} session_device;

#define DEVICE_OPTIONS(d, effect)                                                                                      \
  {"--device", OPTION_TEXT, &(d)->name, "NAME",                                                                        \
   "cpu, auto, or a number or part of a name that toi devices lists; " effect " (default cpu)"},                       \
      {"--device-memory", OPTION_SIZE, &(d)->memory, "BYTES",                                                          \
       "memory of the device that may be used (default three quarters of it)"},                                        \
  {                                                                                                                    \
    "--device-queue", OPTION_SIZE, &(d)->queue, "BYTES", "size of a list of pairs on the device (default 16M)"         \
  }

/* The same with a device, which is made ready: its self-test is run. */
int session_open_on(uint64_t threads, uint64_t bytes, const session_device *device, toi_context **context);

/* Prints the context's warning on standard error, if it has one. */
void session_warn(const toi_context *context);

/* Most of the machine's memory, in bytes: the rest is left to the system. */
uint64_t session_memory(void);
/* Prints what the context says went wrong, with the place in front unless it is NULL; returns EXIT_BAD. */
int session_fail(const toi_context *context, toi_status status, const char *place);

#endif
