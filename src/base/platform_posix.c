/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* POSIX: Linux with glibc or musl, the BSDs, macOS, WebAssembly. */

#include "base/platform.h"

#if !defined(_WIN32)

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

uint64_t toi_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t toi_processors(void) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online > 65536 ? 65536 : (uint32_t)online;
}

int64_t toi_process_id(void) {
  return getpid();
}

void *toi_memory_aligned(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

void toi_memory_aligned_free(void *memory) {
  free(memory);
}

bool toi_thread_start(pthread_t *thread, void *(*work)(void *), void *user) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
    return false;
  const int failed = pthread_create(thread, NULL, work, user);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed == 0;
}

void *toi_library_open(const char *file) {
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}

void toi_library_close(void *library) {
  dlclose(library);
}

bool toi_library_find(void *library, const char *name, void *function) {
  // POSIX lets dlsym return functions; ISO C has no cast for that, so the bytes are copied.
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

void toi_library_error(const char *file, char *sentence, size_t size) {
  // The loader's own sentence begins with the file.
  const char *said = dlerror();
  snprintf(sentence, size, "%s", said != NULL ? said : file);
}

bool toi_path_resolve(const char *path, char resolved[TOI_PATH_MAX]) {
  static_assert(PATH_MAX <= TOI_PATH_MAX, "realpath writes up to PATH_MAX bytes");
  return realpath(path, resolved) != NULL;
}

int toi_file_open(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC);
}

void toi_file_close(int file) {
  close(file);
}

uint64_t toi_file_size(int file) {
  struct stat facts;
  return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) ? (uint64_t)facts.st_size : 0;
}

int64_t toi_file_read(int file, void *buffer, size_t size) {
  ssize_t count;
  do {
    count = read(file, buffer, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

int64_t toi_file_read_at(int file, uint64_t offset, void *buffer, size_t size) {
  ssize_t count;
  do {
    count = pread(file, buffer, size, (off_t)offset);
  } while (count < 0 && errno == EINTR);
  return count;
}

/* WebAssembly reads files and writes none. */
#if !defined(__wasm__)

toi_path_kind toi_path_ask(const char *path) {
  struct stat facts;
  if (stat(path, &facts) == 0)
    return S_ISREG(facts.st_mode) ? TOI_PATH_FILE : TOI_PATH_OTHER;
  const int error = errno;
  const bool link = lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode);
  errno = error;
  return link && error == ENOENT ? TOI_PATH_BROKEN_LINK : TOI_PATH_NOTHING;
}

bool toi_path_writable(const char *path) {
  return access(path, W_OK) == 0;
}

int toi_file_create(const char *path, const char *like) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  struct stat old;
  if (file >= 0 && like != NULL && stat(like, &old) == 0 && fchmod(file, old.st_mode & 07777) != 0)
    errno = 0;
  return file;
}

int toi_file_open_device(const char *path) {
  return open(path, O_WRONLY | O_CLOEXEC);
}

int64_t toi_file_write(int file, const void *bytes, size_t size) {
  ssize_t count;
  do {
    count = write(file, bytes, size);
  } while (count < 0 && errno == EINTR);
  return count;
}

bool toi_file_sync(int file) {
  return fsync(file) == 0;
}

bool toi_file_finish(int file) {
  return close(file) == 0;
}

/* The folder, too, must reach the disk, or a power failure could undo the rename. Some file systems cannot do this. */
static void sync_folder(const char *path) {
  char folder[TOI_PATH_MAX];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1, slash == NULL ? "." : path);
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file >= 0) {
    (void)fsync(file);
    close(file);
  }
}

bool toi_file_replace(const char *from, const char *to) {
  if (rename(from, to) != 0)
    return false;
  sync_folder(to);
  return true;
}

void toi_file_remove(const char *path) {
  (void)unlink(path);
}

#endif
#endif
