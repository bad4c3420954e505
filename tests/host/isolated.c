/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A process for each case: one that crashes, hangs or prints fails alone, and the line says during which call. */

#include "host/host.h"

#include "support/files.h"
#include "support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared by both processes; the strings are literals, at the same place in both. */
typedef struct report {
  const char *function, *what;
  char fault[HOST_FAULT_SIZE];
} report;

static report *shared;

void host_doing(const char *function, const char *what) {
  if (shared == NULL)
    return;
  shared->function = function;
  shared->what = what;
}

static _Noreturn void work(const char *printed, host_body body, void *user) {
  const int file = open(printed, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0)
    _exit(3);
  close(file);
  alarm(100);
  const bool well = body(user, shared->fault, sizeof shared->fault);
  alarm(0);
  // Not _exit(): a leak checker looks at the end of the process.
  exit(well ? 0 : 1);
}

/* The first bytes of what the process printed; "" if nothing. */
static void read_printed(const char *printed, char text[512]) {
  const int file = open(printed, O_RDONLY);
  const ssize_t length = file < 0 ? 0 : read(file, text, 511);
  text[length > 0 ? length : 0] = '\0';
  if (file >= 0)
    close(file);
  unlink(printed);
}

bool host_isolated(const char *name, host_body body, void *user) {
  char printed[600], text[512];
  snprintf(printed, sizeof printed, "%s", test_path("printed"));
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(shared != MAP_FAILED);
  shared->function = shared->what = "";
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    work(printed, body, user);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    assert_int_equal(errno, EINTR);

  read_printed(printed, text);
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0 && text[0] == '\0';
  if (WIFSIGNALED(status))
    print_error("%s: signal %d (%s) in %s, %s\n", name, WTERMSIG(status), strsignal(WTERMSIG(status)), shared->function,
                shared->what);
  if (shared->fault[0] != '\0')
    print_error("%s: %s\n", name, shared->fault);
  if (text[0] != '\0')
    print_error("%s: printed, last in %s: %s\n", name, shared->function, text);
  if (!well && !WIFSIGNALED(status) && shared->fault[0] == '\0' && text[0] == '\0')
    print_error("%s: ended with %d\n", name, WEXITSTATUS(status));
  munmap(shared, sizeof *shared);
  shared = NULL;
  return well;
}
