/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A directory for one test program, and files in it. */

#define _GNU_SOURCE /* nftw */

#include "support/files.h"

#include "support/support.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char directory[256];

int test_directory_make(void **state) {
  (void)state;
  const char *parent = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/toi-test-XXXXXX", parent != NULL && parent[0] != '\0' ? parent : "/tmp");
  return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *place) {
  (void)facts;
  (void)type;
  (void)place;
  return remove(path);
}

int test_directory_remove(void **state) {
  (void)state;
  return nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_path(const char *name) {
  enum { PATHS = 256 };
  static char paths[PATHS][512];
  char path[512];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  size_t i = 0;
  while (i < PATHS && paths[i][0] != '\0' && strcmp(paths[i], path) != 0)
    i++;
  if (i == PATHS)
    fail_msg("more than %d files in one test", PATHS);
  memcpy(paths[i], path, sizeof path);
  return paths[i];
}

void test_make_directory(const char *name) {
  assert_int_equal(mkdir(test_path(name), 0777), 0);
}

const char *test_write_bytes(const char *name, const void *bytes, size_t size) {
  const char *path = test_path(name);
  const size_t length = strlen(name);
  if (length > 3 && strcmp(name + length - 3, ".gz") == 0) {
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
  }
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  return path;
}

const char *test_write_text(const char *name, const char *text) {
  return test_write_bytes(name, text, strlen(text));
}

char *test_read_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long length = ftell(file);
  assert_true(length >= 0);
  rewind(file);
  char *bytes = malloc((size_t)length + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, (size_t)length, file), length);
  fclose(file);
  bytes[length] = '\0';
  if (size != NULL)
    *size = (size_t)length;
  return bytes;
}

size_t test_count_files(void) {
  DIR *opened = opendir(directory);
  assert_non_null(opened);
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(opened);
  return count;
}

int test_context_make(void **state) {
  toi_context *context;
  if (test_directory_make(state) != 0 || toi_context_create(NULL, &context) != TOI_OK)
    return -1;
  *state = context;
  return 0;
}

int test_context_remove(void **state) {
  toi_context_destroy(*state);
  return test_directory_remove(state);
}
