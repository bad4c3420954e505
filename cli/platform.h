/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What operating systems do differently, for the commands: a port to another one is one more file platform_NAME.c. The
 * library has its own, src/base/platform.h. script/check-rooms looks after that.
 *
 * Nothing here prints, but for platform_end(). A function that fails leaves the reason in errno. */

#ifndef TOI_CLI_PLATFORM_H
#define TOI_CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- this process and its machine --- */

/* Seconds on a clock that never goes back. */
double clock_seconds(void);

/* At least 1. */
unsigned platform_processors(void);

/* Bytes of the machine's memory; 0 where it does not say. */
uint64_t platform_memory(void);

/* The most bytes that this process ever held. */
uint64_t platform_peak_bytes(void);

/* From now on memory in blocks of so many bytes and more goes back to the system when it is freed, where that is for
 * the C library to choose. */
void platform_keep_nothing_freed(size_t bytes);

#define PLATFORM_PATH_MAX 4096 /* bytes, with the zero at the end */

/* The file that this process runs. */
bool platform_own_path(char path[PLATFORM_PATH_MAX]);

/* --- standard streams and signals --- */

/* A standard stream that is closed is opened the wrong way round, so that no file takes its place and using it fails.
 */
void platform_reserve_streams(void);

/* Whether the other end of standard output is gone. */
bool platform_output_broken(void);

/* Writing to a pipe that nobody reads becomes an error; true if it would have ended the process. */
bool platform_ignore_broken_pipes(void);

/* Ends the process as such a write would have, if it can be ended so. */
void platform_end_by_broken_pipe(void);

/* Whether standard error is a terminal. */
bool platform_is_terminal(void);

/* What is called when the user or the system asks the process to stop for the first time, and may do what C allows in a
 * signal's handler, and platform_end(); the second time ends the process. What waits for a file wakes up. */
void platform_on_stop(void (*handler)(int));

/* What is called when another process, such as a launcher, ends this one: as platform_on_stop(), and platform_remove().
 */
void platform_on_end(void (*handler)(int));

/* Removes a file, if it is there. */
void platform_remove(const char *path);

/* Writes to standard error and ends the process at once, without flushing anything. */
_Noreturn void platform_end(const char *text, size_t size, int status);

/* --- files and folders --- */

typedef enum platform_kind { PLATFORM_NOTHING = 0, PLATFORM_FILE, PLATFORM_FOLDER, PLATFORM_OTHER } platform_kind;

/* What a path names, a link's target taken for the link; *size, if it is not NULL: the bytes of a file. */
platform_kind platform_ask(const char *path, uint64_t *size);

/* A folder itself, and no link to one. */
bool platform_is_plain_folder(const char *path);

/* Whether both are there, and one and the same. */
bool files_same(const char *a, const char *b);

bool platform_is_readable(const char *path);

/* True, too, if something of that name is there. */
bool platform_make_folder(const char *path);

/* What is in a folder, sorted by name; "." and ".." are not named. */
typedef struct platform_names {
  char **at;
  size_t count;
} platform_names;

bool platform_names_read(const char *path, platform_names *names);
void platform_names_free(platform_names *names);

/* --- shared objects --- */

/* Loads one from the system's own folders, for good, so that what it loads sees its symbols; NULL if that fails, with a
 * sentence in *reason. */
void *platform_library_open(const char *name, const char **reason);

/* Copies the address of a function into *function, which is a pointer to a function. False if there is none. */
bool platform_library_find(void *library, const char *name, void *function);

#endif
