/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Windows, with MinGW-w64 and its POSIX threads. Paths are in the process's code page. */

#include "base/platform.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

uint64_t toi_clock(void) {
  LARGE_INTEGER ticks, per_second;
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&per_second);
  const uint64_t count = (uint64_t)ticks.QuadPart, rate = (uint64_t)per_second.QuadPart;
  return count / rate * 1000000000u + count % rate * 1000000000u / rate;
}

uint32_t toi_processors(void) {
  const DWORD active = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return active < 1 ? 1 : (uint32_t)active;
}

int64_t toi_process_id(void) {
  return _getpid();
}

void *toi_memory_aligned(size_t alignment, size_t size) {
  return _aligned_malloc(size, alignment);
}

void toi_memory_aligned_free(void *memory) {
  _aligned_free(memory);
}

bool toi_thread_start(pthread_t *thread, void *(*work)(void *), void *user) {
  return pthread_create(thread, NULL, work, user) == 0;
}

void *toi_library_open(const char *file) {
  return (void *)LoadLibraryA(file);
}

void toi_library_close(void *library) {
  FreeLibrary((HMODULE)library);
}

bool toi_library_find(void *library, const char *name, void *function) {
  const FARPROC symbol = GetProcAddress((HMODULE)library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

void toi_library_error(const char *file, char *sentence, size_t size) {
  snprintf(sentence, size, "%s: cannot be loaded (error %lu of Windows)", file, (unsigned long)GetLastError());
}

/* errno for the errors of Windows that a path can give. */
static void set_errno(void) {
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
  case ERROR_INVALID_NAME:
    errno = ENOENT;
    return;
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION:
    errno = EACCES;
    return;
  case ERROR_DISK_FULL:
    errno = ENOSPC;
    return;
  default:
    errno = EIO;
  }
}

bool toi_path_resolve(const char *path, char resolved[TOI_PATH_MAX]) {
  const DWORD length = GetFullPathNameA(path, TOI_PATH_MAX, resolved, NULL);
  if (length >= TOI_PATH_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (length == 0 || GetFileAttributesA(resolved) == INVALID_FILE_ATTRIBUTES) {
    set_errno();
    return false;
  }
  return true;
}

int toi_file_open(const char *path) {
  return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

void toi_file_close(int file) {
  _close(file);
}

uint64_t toi_file_size(int file) {
  struct _stat64 facts;
  return _fstat64(file, &facts) == 0 && (facts.st_mode & _S_IFMT) == _S_IFREG ? (uint64_t)facts.st_size : 0;
}

/* Reads and writes count in unsigned int here: a large piece is done in several. */
static unsigned piece(size_t size) {
  return size < (1u << 30) ? (unsigned)size : 1u << 30;
}

int64_t toi_file_read(int file, void *buffer, size_t size) {
  return _read(file, buffer, piece(size));
}

int64_t toi_file_read_at(int file, uint64_t offset, void *buffer, size_t size) {
  OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
  DWORD count = 0;
  if (ReadFile((HANDLE)_get_osfhandle(file), buffer, piece(size), &count, &place) != 0)
    return count;
  if (GetLastError() == ERROR_HANDLE_EOF)
    return 0;
  set_errno();
  return -1;
}

toi_path_kind toi_path_ask(const char *path) {
  struct _stat64 facts;
  if (_stat64(path, &facts) != 0)
    return TOI_PATH_NOTHING;
  return (facts.st_mode & _S_IFMT) == _S_IFREG ? TOI_PATH_FILE : TOI_PATH_OTHER;
}

bool toi_path_writable(const char *path) {
  return _access(path, 2) == 0;
}

int toi_file_create(const char *path, const char *like) {
  (void)like; // The folder decides who may read it.
  return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

int toi_file_open_device(const char *path) {
  return _open(path, _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

int64_t toi_file_write(int file, const void *bytes, size_t size) {
  return _write(file, bytes, piece(size));
}

bool toi_file_sync(int file) {
  return _commit(file) == 0;
}

bool toi_file_finish(int file) {
  return _close(file) == 0;
}

bool toi_file_replace(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0)
    return true;
  set_errno();
  return false;
}

void toi_file_remove(const char *path) {
  (void)_unlink(path);
}

#endif
