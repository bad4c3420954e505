/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A rank unlike the others, by LD_PRELOAD: its libtoi says that it is of another version, and no file that ranks write
 * together can be opened there; with OTHER_RANK=killed it is killed where it would open one. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define SEEN __attribute__((visibility("default")))

SEEN const char *toi_version(void);
SEEN int seen_open(const char *path, int flags, ...) __asm__("open");
SEEN int seen_open64(const char *path, int flags, ...) __asm__("open64");

const char *toi_version(void) {
  return "0.0.0";
}

static int refuse_or_open(const char *name, const char *path, int flags, mode_t mode) {
  const size_t length = strlen(path);
  if (length > 5 && strcmp(path + length - 5, ".part") == 0) {
    if (getenv("OTHER_RANK") != NULL)
      (void)raise(SIGKILL);
    errno = EACCES;
    return -1;
  }
  int (*next)(const char *, int, ...);
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(&next, &found, sizeof next);
  return next(path, flags, mode);
}

#define OPEN(name)                                                                                                     \
  int seen_##name(const char *path, int flags, ...) {                                                                  \
    va_list arguments;                                                                                                 \
    va_start(arguments, flags);                                                                                        \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;                          \
    va_end(arguments);                                                                                                 \
    return refuse_or_open(#name, path, flags, mode);                                                                   \
  }

OPEN(open)
OPEN(open64)
