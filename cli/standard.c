/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Standard output. A process has one, so this file keeps state. */

#include "standard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

static int reason;      /* errno of the first failure; 0: none */
static bool told;       /* it was printed */
static bool signal_due; /* SIGPIPE would have ended the process */

void standard_start(void) {
  // Opened the wrong way round, so that using them still fails.
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF) {
      const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      (void)opened; // the lowest number that is free: this file's
    }

  struct sigaction ignored, before;
  memset(&ignored, 0, sizeof ignored);
  ignored.sa_handler = SIG_IGN;
  signal_due = sigaction(SIGPIPE, &ignored, &before) == 0 && before.sa_handler == SIG_DFL;
}

/* Why a write failed that was made a while ago. */
static int guess_reason(void) {
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0 ? EPIPE : EIO;
}

static bool note(bool fine) {
  if (!fine && reason == 0)
    reason = errno != 0 ? errno : guess_reason();
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
  if (standard_abandoned()) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
  }
  return standard_fail();
}
