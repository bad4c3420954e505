/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A directory for one test program, and files in it. */

#ifndef TOI_TESTS_FILES_H
#define TOI_TESTS_FILES_H

#include <stddef.h>

/* cmocka's group fixtures: they make an empty directory, and remove it with all that is in it. */
int test_directory_make(void **state);
int test_directory_remove(void **state);

/* The same, with a context as the state. */
int test_context_make(void **state);
int test_context_remove(void **state);

/* The path of a name in the directory; it lives as long as the program. */
const char *test_path(const char *name);

/* Makes a directory in the directory. */
void test_make_directory(const char *name);

/* Each returns the path of the file it wrote; a name that ends in .gz is compressed. */
const char *test_write_bytes(const char *name, const void *bytes, size_t size);
const char *test_write_text(const char *name, const char *text);

/* A whole file, followed by a zero byte; the caller frees it. */
char *test_read_bytes(const char *path, size_t *size);

/* How many entries the directory holds. */
size_t test_count_files(void);

#endif
