/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A context as the commands use it: its budget is the machine's memory, so that what does not fit gets a sentence. */

#include "session.h"

#include <unistd.h>

#include "options.h"

#define THREADS_MAX 1024

int session_open(uint64_t threads, toi_context **context) {
  *context = NULL;
  if (threads > THREADS_MAX) {
    return cli_fail("--threads %llu: give 1 to %d, or 0 for one for each processor", (unsigned long long)threads,
                    THREADS_MAX);
  }
  toi_context_options options = toi_default_context_options();
  options.threads = (uint32_t)threads;
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    /* The rest is left to the system: an endless file must meet the budget first. */
    options.memory_budget = (uint64_t)pages * (uint64_t)page / 4 * 3;
  }
  toi_status status = toi_context_create(&options, context);
  if (status != TOI_OK) {
    return cli_fail("no context of %llu threads: %s; give fewer with --threads", (unsigned long long)threads,
                    toi_status_text(status));
  }
  return EXIT_DONE;
}

int session_fail(const toi_context *context, toi_status status, const char *place) {
  const char *sentence = toi_context_error(context);
  if (sentence[0] == '\0') {
    sentence = toi_status_text(status);
  }
  return place == NULL ? cli_fail("%s", sentence) : cli_fail("%s: %s", place, sentence);
}
