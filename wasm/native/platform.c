/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the library asks of the system, besides files: the time, how many processors there are, which process this is.
 */

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "web.h"

int clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  const double now = toi_web_now();
  time->tv_sec = (time_t)(now / 1000);
  time->tv_nsec = (long)((now - 1000 * (double)time->tv_sec) * 1e6);
  return 0;
}

long sysconf(int name) {
  (void)name;
  return 1;
}

pid_t getpid(void) {
  return 1;
}

/* The C library's stderr, which its printf names, leads nowhere. */
ssize_t writev(int file, const struct iovec *parts, int count) {
  (void)file;
  (void)parts;
  (void)count;
  errno = EBADF;
  return -1;
}

off_t __lseek(int file, off_t place, int from); /* NOLINT: the C library calls it so */
off_t __lseek(int file, off_t place, int from) {
  (void)file;
  (void)place;
  (void)from;
  errno = EBADF;
  return -1;
}

bool toi_web_watch(void *user, double done) {
  (void)user;
  return toi_web_progress(done);
}
