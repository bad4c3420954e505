/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context as the commands use it: its budget is the machine's memory, so that what does not fit is reported as an
 * error. */

#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "platform.h"
#include "progress.h"
#include "ranks.h"
#include "standard.h"

#define THREADS_MAX 1024

/* From this size on, memory that is freed goes back to the system at once. */
#define MAPPED_BYTES (128 * 1024)

uint64_t session_memory(void) {
  const uint64_t bytes = platform_memory();
  // The rest is left to the system: an endless file must meet the budget first.
  // Ranks share the machine that they are on.
  return (bytes == 0 ? (uint64_t)1 << 30 : bytes / 4 * 3) / ranks_here();
}

/* Of several ranks on a machine each has its share of the processors. */
static uint32_t threads_of_rank(uint64_t threads) {
  const unsigned processors = platform_processors(), ranks = ranks_here();
  if (threads > 0 || ranks == 1)
    return (uint32_t)threads;
  return processors > ranks ? processors / ranks : 1;
}

static int open_context(uint64_t threads, uint64_t bytes, const session_device *device, toi_context **context) {
  *context = NULL;
  if (threads > THREADS_MAX) {
    return cli_fail("--threads %llu: give 1 to %d, or 0 for one per processor", (unsigned long long)threads,
                    THREADS_MAX);
  }
  toi_context_options options = toi_default_context_options();
  options.threads = threads_of_rank(threads);
  // A budget counts what is held; glibc, left alone, comes to keep large blocks that were freed, as much again.
  // Ranks share the machine's memory.
  if (bytes > 0 || ranks_started() > 1)
    platform_keep_nothing_freed(MAPPED_BYTES);
  options.memory_budget = bytes > 0 ? bytes : session_memory();
  options.allocator = memory_allocator();
  options.device = device->name;
  options.device_memory = device->memory;
  options.device_queue = device->queue;
  memory_limit(options.memory_budget);
  toi_status status = toi_context_create(&options, context);
  if (status == TOI_ERROR_MEMORY && bytes > 0) {
    return cli_fail("--memory %llu: too little for the threads alone; give more, such as 64M",
                    (unsigned long long)bytes);
  }
  if (status != TOI_OK) {
    return cli_fail("cannot start %llu threads: %s; give fewer with --threads", (unsigned long long)threads,
                    toi_status_text(status));
  }
  return EXIT_DONE;
}

int session_open(uint64_t threads, uint64_t bytes, toi_context **context) {
  const session_device none = {.name = NULL};
  return open_context(threads, bytes, &none, context);
}

int session_open_on(uint64_t threads, uint64_t bytes, const session_device *device, toi_context **context) {
  if (device->name != NULL && strlen(device->name) > 127)
    return cli_fail("--device %.20s...: longer than any name; toi devices lists them", device->name);
  if (device->name == NULL && (device->memory > 0 || device->queue > 0))
    return cli_fail("--device-memory and --device-queue need --device NAME; toi devices lists them");
  const int result = open_context(threads, bytes, device, context);
  if (result != EXIT_DONE || device->name == NULL)
    return result;
  const toi_status status = toi_context_device(*context, NULL);
  if (status != TOI_OK)
    return session_fail(*context, status, "--device");
  session_warn(*context);
  return EXIT_DONE;
}

void session_warn(const toi_context *context) {
  const char *sentence = toi_context_warning(context);
  if (sentence[0] != '\0')
    fprintf(stderr, "toi: warning: %s\n", sentence);
}

int session_fail(const toi_context *context, toi_status status, const char *place) {
  // The signal that asks to stop also ends a wait for a file.
  if (status == TOI_ERROR_CANCELLED || (status == TOI_ERROR_FILE && progress_stopped()))
    return cli_fail("stopped; nothing was written");
  if (status == TOI_ERROR_FILE && standard_failed())
    return standard_fail();
  const char *sentence = toi_context_error(context), *behind = place != NULL ? ": " : "";
  place = place != NULL ? place : "";
  if (sentence[0] == '\0')
    sentence = toi_status_text(status);
  if (status != TOI_ERROR_MEMORY)
    return cli_fail("%s%s%s", place, behind, sentence);

  // The library speaks of its own option, or of the allocator, which is ours.
  const char *advice = strstr(sentence, "raise memory_budget");
  const size_t length = advice != NULL ? (size_t)(advice - sentence) : strlen(sentence);
  const bool raise = advice != NULL || memory_limit_met();
  return cli_fail("%s%s%.*s%s%s", place, behind, (int)length, sentence, advice != NULL ? "" : "; ",
                  raise ? "raise --memory" : "close other programs");
}
