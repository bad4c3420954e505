/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What operating systems do differently, and nothing else: a port to another one is one more file platform_NAME.c.
 * What processors do differently stands in float_mode.c and cpu.c.
 *
 * Promise: nothing here prints or keeps state, and nothing but toi_memory_aligned() allocates. A function that fails
 * leaves the reason in errno, but for shared objects, which have their own sentence. */

#ifndef TOI_BASE_PLATFORM_H
#define TOI_BASE_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- time and processes --- */

/* Nanoseconds on a clock that never goes back. */
uint64_t toi_clock(void);

/* Processors that are online; at least 1. */
uint32_t toi_processors(void);

/* Another number in a child of fork(). */
int64_t toi_process_id(void);

/* --- memory --- */

/* As aligned_alloc(), for callers without a context; NULL if there is none. */
void *toi_memory_aligned(size_t alignment, size_t size);
void toi_memory_aligned_free(void *memory);

/* --- threads: POSIX threads everywhere --- */

/* Starts a thread that takes no signals: those are the caller's business. False if there is none to be had. */
bool toi_thread_start(pthread_t *thread, void *(*work)(void *), void *user);

/* --- shared objects --- */

/* NULL if it cannot be loaded. A path, or a bare name that the system looks for in its own folders. */
void *toi_library_open(const char *file);
void toi_library_close(void *library);

/* Copies the address of a function into *function, which is a pointer to a function. False if there is none. */
bool toi_library_find(void *library, const char *name, void *function);

/* Why the last toi_library_open() of this thread failed, and the file. */
void toi_library_error(const char *file, char *sentence, size_t size);

/* --- files --- */

#define TOI_PATH_MAX 4096 /* bytes, with the zero at the end */

/* The absolute path of something that exists, links followed. */
bool toi_path_resolve(const char *path, char resolved[TOI_PATH_MAX]);

/* Opens for reading; -1 if that fails. */
int toi_file_open(const char *path);
void toi_file_close(int file);

/* The size of a regular file that is open; 0 for anything else. */
uint64_t toi_file_size(int file);

/* Some bytes, at most `size`; 0 at the end, -1 if that fails. */
int64_t toi_file_read(int file, void *buffer, size_t size);

/* The same from a place, without moving where toi_file_read() goes on; from any thread. */
int64_t toi_file_read_at(int file, uint64_t offset, void *buffer, size_t size);

/* What a path names, a link's target taken for the link. */
typedef enum toi_path_kind {
  TOI_PATH_NOTHING = 0, /* it is free, or cannot be asked: errno tells */
  TOI_PATH_BROKEN_LINK,
  TOI_PATH_FILE,
  TOI_PATH_OTHER /* a folder, a device, a pipe */
} toi_path_kind;

toi_path_kind toi_path_ask(const char *path);

/* Whether the file of that path may be written. */
bool toi_path_writable(const char *path);

/* A new file for writing, which must not exist; if `like` is not NULL, with that file's permissions, where allowed. */
int toi_file_create(const char *path, const char *like);

/* For writing to what is there: a device, a pipe. */
int toi_file_open_device(const char *path);

/* How many of the bytes were written; -1 if that fails. */
int64_t toi_file_write(int file, const void *bytes, size_t size);

/* Forces a file to the disk. */
bool toi_file_sync(int file);

/* Closes a written file. False: some of it may not have been written. */
bool toi_file_finish(int file);

/* Renames a file, replacing what has that name in one step, and forces the folder to the disk where that is possible.
 */
bool toi_file_replace(const char *from, const char *to);
void toi_file_remove(const char *path);

#endif
