/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Standard output. A process has one, so this file keeps state. */

#include "standard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "platform.h"

static int reason;      /* errno of the first failure; 0: none */
static bool told;       /* it was printed */
static bool signal_due; /* SIGPIPE would have ended the process */

void standard_start(void) {
  platform_reserve_streams();
  signal_due = platform_ignore_broken_pipes();
}

static bool note(bool fine) {
  // Without errno the write that failed was made a while ago.
  if (!fine && reason == 0)
    reason = errno != 0 ? errno : platform_output_broken() ? EPIPE : EIO;
  return fine;
}

bool standard_write(const void *bytes, size_t size) {
  errno = 0;
  return note(fwrite(bytes, 1, size, stdout) == size);
}

bool standard_flush(void) {
  errno = 0;
  const bool sent = note(fflush(stdout) == 0);
  return note(ferror(stdout) == 0) && sent;
}

bool standard_failed(void) {
  return reason != 0;
}

bool standard_abandoned(void) {
  return reason == EPIPE && signal_due;
}

int standard_fail(void) {
  if (!told && !standard_abandoned())
    cli_fail("standard output cannot be written: %s; check where it is redirected",
             reason == EBADF ? "it is closed" : strerror(reason));
  told = true;
  return EXIT_BAD;
}

int standard_finish(int result) {
  // A full disk behind a redirection shows only when the last bytes leave.
  if (standard_flush())
    return result;
  if (standard_abandoned())
    platform_end_by_broken_pipe();
  return standard_fail();
}
