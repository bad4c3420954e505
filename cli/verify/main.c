/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi-verify FILE...: checks certificates with rational arithmetic and says how many hold.
 *
 * Exit 0: all of them. 1: one does not; the place and the reason go to standard error. 2: bad usage, a file that cannot
 * be read or is not a certificate, or no memory. "-" is standard input. */

#include "verify/verify.h"

#include <errno.h>
#include <gmp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory for GMP, which would abort without it; there is nothing to undo --- */

static void *given(void *pointer) {
  if (pointer == NULL) {
    (void)fputs("toi-verify: out of memory; check fewer certificates at a time\n", stderr);
    exit(2);
  }
  return pointer;
}

static void *allocate(size_t size) {
  return given(malloc(size));
}

static void *resize(void *pointer, size_t old_size, size_t size) {
  (void)old_size;
  return given(realloc(pointer, size));
}

static void release(void *pointer, size_t size) {
  (void)size;
  free(pointer);
}

/* --- files --- */

/* The whole file; NULL, with errno set, if it cannot be read. */
static char *read_all(FILE *file, size_t *length) {
  char *text = NULL;
  size_t size = 0;
  *length = 0;
  for (;;) {
    if (*length == size) {
      size = size == 0 ? 1 << 16 : 2 * size;
      char *larger = realloc(text, size);
      if (larger == NULL) {
        free(text);
        return NULL;
      }
      text = larger;
    }
    const size_t got = fread(text + *length, 1, size - *length, file);
    *length += got;
    if (got == 0)
      break;
  }
  if (ferror(file)) {
    free(text);
    return NULL;
  }
  return text;
}

static int verify_file(const char *path, verify_report *report) {
  const bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  size_t length = 0;
  char *text = file != NULL ? read_all(file, &length) : NULL;
  if (text == NULL)
    fprintf(stderr, "toi-verify: %s: %s\n", path, strerror(errno));
  if (file != NULL && !standard)
    (void)fclose(file);
  if (text == NULL)
    return 2;
  const verify_status status = verify_text(text, length, report);
  free(text);
  if (status == VERIFY_ACCEPTED)
    return 0;
  const char *what = status == VERIFY_REJECTED ? "rejected" : "not a certificate";
  fprintf(stderr, "toi-verify: %s:%zu: %s: %s\n", path, report->line, what, report->reason);
  return status == VERIFY_REJECTED ? 1 : 2;
}

/* 0 if all that was printed has arrived. */
static int finish(void) {
  if (fflush(stdout) == 0)
    return 0;
  fprintf(stderr, "toi-verify: standard output cannot be written: %s\n", strerror(errno));
  return 2;
}

int main(int argc, char **argv) {
  mp_set_memory_functions(allocate, resize, release);
  if (argc < 2) {
    fprintf(stderr, "toi-verify: a file is missing; name one, or - for standard input\n");
    return 2;
  }
  if (strcmp(argv[1], "--help") == 0) {
    printf("usage: toi-verify FILE...   (- for standard input)\n"
           "Checks certificates written by libtoi, with rational arithmetic. Exit codes: 0 all are right, 1 one is "
           "wrong, 2 error.\n");
    return finish();
  }
  verify_report report = {0};
  for (int i = 1; i < argc; i++) {
    const int status = verify_file(argv[i], &report);
    if (status != 0)
      return status;
  }
  const uint64_t verified = report.hits + report.misses;
  printf("%" PRIu64 " certificate%s verified: %" PRIu64 " hit%s, %" PRIu64 " miss%s, %" PRIu64 " piece%s\n", verified,
         verified == 1 ? "" : "s", report.hits, report.hits == 1 ? "" : "s", report.misses,
         report.misses == 1 ? "" : "es", report.pieces, report.pieces == 1 ? "" : "s");
  return finish();
}
