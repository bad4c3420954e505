/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* POSIX. What only Linux has, /proc, is asked for where the program runs, and done without where it is not. */

#include "platform.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

double clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

unsigned platform_processors(void) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online > 65536 ? 65536 : (unsigned)online;
}

uint64_t platform_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages <= 0 || page <= 0 ? 0 : (uint64_t)pages * (uint64_t)page;
}

uint64_t platform_peak_bytes(void) {
  // getrusage() also counts the process that started this one, up to the moment when it became toi.
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  unsigned long long kilobytes = 0;
  while (file != NULL && kilobytes == 0 && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmHWM:", 6) == 0)
      kilobytes = strtoull(line + 6, NULL, 10);
  if (file != NULL)
    fclose(file);
  struct rusage usage;
  if (kilobytes == 0 && getrusage(RUSAGE_SELF, &usage) == 0)
    kilobytes = (unsigned long long)usage.ru_maxrss;
  return (uint64_t)kilobytes * 1024;
}

void platform_keep_nothing_freed(size_t bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, (int)bytes);
#else
  (void)bytes;
#endif
}

bool platform_own_path(char path[PLATFORM_PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", path, PLATFORM_PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  return length > 0;
}

void platform_reserve_streams(void) {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF) {
      const int opened = open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
      (void)opened; // the lowest number that is free: this file's
    }
}

bool platform_output_broken(void) {
  struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

bool platform_ignore_broken_pipes(void) {
  struct sigaction ignored, before;
  memset(&ignored, 0, sizeof ignored);
  ignored.sa_handler = SIG_IGN;
  return sigaction(SIGPIPE, &ignored, &before) == 0 && before.sa_handler == SIG_DFL;
}

void platform_end_by_broken_pipe(void) {
  (void)signal(SIGPIPE, SIG_DFL);
  (void)raise(SIGPIPE);
}

bool platform_is_terminal(void) {
  return isatty(STDERR_FILENO) == 1;
}

void platform_on_stop(void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  // Without SA_RESTART: a pipe that nobody writes to must not keep the process waiting.
  action.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

void platform_on_end(void (*handler)(int)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGTERM, &action, NULL);
}

void platform_remove(const char *path) {
  (void)unlink(path);
}

_Noreturn void platform_end(const char *text, size_t size, int status) {
  const ssize_t written = write(STDERR_FILENO, text, size);
  (void)written;
  _exit(status);
}

platform_kind platform_ask(const char *path, uint64_t *size) {
  struct stat facts;
  const bool there = stat(path, &facts) == 0;
  const bool file = there && S_ISREG(facts.st_mode);
  if (size != NULL)
    *size = file ? (uint64_t)facts.st_size : 0;
  return file ? PLATFORM_FILE : !there ? PLATFORM_NOTHING : S_ISDIR(facts.st_mode) ? PLATFORM_FOLDER : PLATFORM_OTHER;
}

bool platform_is_plain_folder(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

bool files_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool platform_is_readable(const char *path) {
  return access(path, R_OK) == 0;
}

bool platform_make_folder(const char *path) {
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static int is_named(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

bool platform_names_read(const char *path, platform_names *names) {
  *names = (platform_names){0};
  struct dirent **entries;
  const int count = scandir(path, &entries, is_named, alphasort);
  if (count < 0)
    return false;
  names->at = calloc((size_t)count + 1, sizeof *names->at);
  bool fine = names->at != NULL;
  for (int i = 0; i < count; i++) {
    char *name = fine ? strdup(entries[i]->d_name) : NULL;
    fine = name != NULL;
    if (fine)
      names->at[names->count++] = name;
    free(entries[i]);
  }
  free(entries);
  if (!fine) {
    platform_names_free(names);
    errno = ENOMEM;
  }
  return fine;
}

void platform_names_free(platform_names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->at[i]);
  free(names->at);
  *names = (platform_names){0};
}

void *platform_library_open(const char *name, const char **reason) {
  void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  *reason = library == NULL ? dlerror() : NULL;
  return library;
}

bool platform_library_find(void *library, const char *name, void *function) {
  // POSIX lets dlsym return functions; ISO C has no cast for that, so the bytes are copied.
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}
