/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the fuzz targets share: checks, files, numbers from bytes. */

#include "fuzz/fuzz.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_fail(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

toi_context *fuzz_context(void) {
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  options.memory_budget = UINT64_C(16) << 20;
  toi_context *context = NULL;
  FUZZ_CHECK(toi_context_create(&options, &context) == TOI_OK && context != NULL);
  return context;
}

/* The length of a character of UTF-8 that is no control character; 0 if there is none. */
static size_t character(const unsigned char *text) {
  static const uint32_t least[] = {0, 0x20, 0xa0, 0x800, 0x10000};
  const size_t length = text[0] < 0x80 ? 1 : text[0] < 0xc0 ? 0 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
  uint32_t code = length == 1 ? text[0] : text[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    code = code << 6 | (text[i] & 0x3fu);
  }
  const bool good = code >= least[length] && code != 0x7f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return good ? length : 0;
}

void fuzz_refused(const toi_context *context, toi_status status) {
  FUZZ_CHECK(status != TOI_OK);
  const unsigned char *text = (const unsigned char *)toi_context_error(context);
  FUZZ_CHECK(text[0] != '\0');
  while (text[0] != '\0') {
    const size_t length = character(text);
    if (length == 0)
      fprintf(stderr, "the sentence: %s\n", toi_context_error(context));
    FUZZ_CHECK(length > 0);
    text += length;
  }
}

/* --- files --- */

enum { FILES_AT_MOST = 16 };

/* The directory, the paths handed out in turn, and all names that were ever given, which are removed at the end. */
static char directory[PATH_MAX / 2], paths[2][PATH_MAX];
static char names[FILES_AT_MOST][64];
static size_t name_count, turn;

static void remove_all(void) {
  char path[PATH_MAX];
  for (size_t i = 0; i < name_count; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, names[i]);
    (void)unlink(path);
  }
  (void)rmdir(directory);
}

static void make_directory(void) {
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] == '\0')
    parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  const int length = snprintf(directory, sizeof directory, "%s/toi-fuzz-XXXXXX", parent);
  FUZZ_CHECK(length > 0 && (size_t)length < sizeof directory && mkdtemp(directory) != NULL && atexit(remove_all) == 0);
}

/* The path of a name with this ending. */
static const char *path_of(const char *name, const char *ending) {
  if (directory[0] == '\0')
    make_directory();
  char whole[64];
  const int length = snprintf(whole, sizeof whole, "%s%s", name, ending);
  FUZZ_CHECK(length > 0 && (size_t)length < sizeof whole);
  size_t i = 0;
  while (i < name_count && strcmp(names[i], whole) != 0)
    i++;
  if (i == name_count) {
    FUZZ_CHECK(i < FILES_AT_MOST);
    memcpy(names[name_count++], whole, sizeof whole);
  }
  char *path = paths[turn++ % 2];
  snprintf(path, sizeof paths[0], "%s/%s", directory, whole);
  return path;
}

const char *fuzz_path(const char *name) {
  return path_of(name, "");
}

const char *fuzz_file(const char *name, const uint8_t *bytes, size_t size) {
  const bool zipped = size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
  const char *path = path_of(name, zipped ? ".gz" : "");
  FILE *file = fopen(path, "wb");
  FUZZ_CHECK(file != NULL);
  if (size > 0)
    FUZZ_CHECK(fwrite(bytes, 1, size, file) == size);
  FUZZ_CHECK(fclose(file) == 0);
  return path;
}

/* --- bytes as numbers --- */

uint8_t fuzz_byte(fuzz_bytes *bytes) {
  if (bytes->left == 0)
    return 0;
  bytes->left--;
  return *bytes->at++;
}

uint32_t fuzz_choice(fuzz_bytes *bytes, uint32_t count) {
  return fuzz_byte(bytes) % count;
}

double fuzz_raw_double(fuzz_bytes *bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++)
    bits |= (uint64_t)fuzz_byte(bytes) << 8 * i;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int small(fuzz_bytes *bytes) {
  return (int)fuzz_byte(bytes) - 128;
}

double fuzz_double(fuzz_bytes *bytes, fuzz_style style) {
  if (style == FUZZ_WHOLE)
    return small(bytes) % 8;
  if (style == FUZZ_SIXTEENTHS)
    return small(bytes) / 16.0;
  if (style == FUZZ_SCALED) {
    const int number = small(bytes);
    return ldexp(number, 8 * small(bytes) - 50);
  }
  const double value = fuzz_raw_double(bytes);
  return isfinite(value) ? value : 1;
}

double fuzz_part(fuzz_bytes *bytes) {
  const uint8_t byte = fuzz_byte(bytes);
  if (byte < 128)
    return 1;
  if (byte < 254)
    return (byte - 128) / 126.0;
  const double value = fabs(fuzz_raw_double(bytes));
  return value <= 1 ? value : 0.5;
}

bool fuzz_same(const double *a, const double *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(a[i] == b[i] || (isnan(a[i]) && isnan(b[i]))))
      return false;
  return true;
}
