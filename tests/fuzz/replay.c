/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Runs a fuzz target on files, without libFuzzer: on those that are named, or on all of its corpus. */

#include "fuzz/fuzz.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes have a block of exactly their size, so that a sanitizer sees a read behind them. */
static void replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "%s: cannot be opened\n", path);
    exit(1);
  }
  FUZZ_CHECK(fseek(file, 0, SEEK_END) == 0);
  const long end = ftell(file);
  FUZZ_CHECK(end >= 0);
  rewind(file);
  const size_t size = (size_t)end;
  uint8_t *bytes = malloc(size > 0 ? size : 1);
  FUZZ_CHECK(bytes != NULL && fread(bytes, 1, size, file) == size);
  FUZZ_CHECK(fclose(file) == 0);

  // Said before it is run: after a crash the last line names the input.
  printf("%s: %zu bytes\n", path, size);
  fflush(stdout);
  FUZZ_CHECK(LLVMFuzzerTestOneInput(bytes, size) == 0);
  free(bytes);
}

static int is_input(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    replay(argv[i]);
  if (argc > 1)
    return 0;

  struct dirent **entries;
  const int count = scandir(TOI_FUZZ_CORPUS, &entries, is_input, alphasort);
  if (count <= 0) {
    fprintf(stderr, "%s: no corpus is there\n", TOI_FUZZ_CORPUS);
    return 1;
  }
  for (int i = 0; i < count; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", TOI_FUZZ_CORPUS, entries[i]->d_name);
    replay(path);
    free(entries[i]);
  }
  free(entries);
  printf("%d inputs\n", count);
  return 0;
}
