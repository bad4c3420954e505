/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where tests find their data, what they skip, how long they run, and their random numbers. */

#include "support/support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The reasons given so far, and how many tests were skipped for each. */
#define REASONS_MOST 16
static struct {
  char text[512];
  size_t tests;
} reasons[REASONS_MOST];
static size_t reason_count;
static char reason[512];

void test_skip_reason(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
}

void test_skip(const char *file, int line) {
  if (reason[0] == '\0')
    test_skip_reason("for a reason that %s:%d does not give", file, line);
  size_t i = 0;
  while (i < reason_count && strcmp(reasons[i].text, reason) != 0)
    i++;
  assert_true(i < REASONS_MOST);
  reason_count += i == reason_count;
  memcpy(reasons[i].text, reason, sizeof reason);
  reasons[i].tests++;
  reason[0] = '\0';
  _skip(file, line);
}

int test_run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down) {
  const int failed = _cmocka_run_group_tests(name, tests, count, set_up, tear_down);
  size_t skipped = 0;
  for (size_t i = 0; i < reason_count; i++) {
    print_message("skipped: %zu of %zu tests: %s\n", reasons[i].tests, count, reasons[i].text);
    skipped += reasons[i].tests;
  }
  // Not the number of failures: it might be that of a skipped program.
  if (failed != 0)
    return 1;
  return skipped == count ? TEST_SKIPPED : 0;
}

/* What the first of the data sets is kept in: a directory without it is another's. */
static bool holds_data(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/sample-queries", directory);
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *test_data_directory(void) {
  const char *named = getenv("TOI_DATA_DIR");
  const char *directory = named != NULL && named[0] != '\0' ? named : TOI_SOURCE_DIR "/../shared/data";
  if (holds_data(directory))
    return directory;
  if (directory == named)
    test_skip_reason("no data sets in TOI_DATA_DIR=%s", named);
  else
    test_skip_reason("no data sets (set TOI_DATA_DIR to their directory)");
  return NULL;
}

uint64_t test_count(uint64_t full) {
  const char *text = getenv("TOI_TEST_SCALE");
  if (text == NULL || text[0] == '\0')
    return full;
  char *end;
  const double scale = strtod(text, &end);
  if (*end != '\0' || !(scale > 0 && scale <= 1e6))
    fail_msg("TOI_TEST_SCALE=%s is no positive number", text);
  const double scaled = (double)full * scale;
  return scaled < 1 ? 1 : (uint64_t)scaled;
}

uint64_t test_count_from(uint64_t full, uint64_t least) {
  const uint64_t count = test_count(full);
  return count < least ? least : count;
}

uint64_t test_seed(uint64_t fallback) {
  const char *text = getenv("TOI_TEST_SEED");
  const uint64_t seed = text != NULL && text[0] != '\0' ? strtoull(text, NULL, 0) : fallback;
  print_message("seed 0x%" PRIx64 " (TOI_TEST_SEED sets another)\n", seed);
  return seed;
}

uint64_t test_random(uint64_t *state) {
  // A Weyl sequence through a bijective mixer: every state is followed by another, none is special.
  *state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

double test_random_unit(uint64_t *state) {
  return (double)(test_random(state) >> 11) * 0x1p-53;
}

void test_print_query(toi_kind kind, const double *query) {
  // Kept apart from the library's own tables, so that every test links with it.
  static const struct {
    const char *name;
    uint32_t points;
  } kinds[] = {{"vertex-face", 4}, {"edge-edge", 4}, {"vertex-edge", 3}, {"vertex-vertex", 2}};
  assert_in_range(kind, 0, 3);
  print_error("%s\n", kinds[kind].name);
  for (uint32_t i = 0; i < 2 * kinds[kind].points; i++, query += 3)
    print_error("%a %a %a\n", query[0], query[1], query[2]);
}

double test_random_extreme(uint64_t *state, int style) {
  static const double extremes[] = {0,
                                    1,
                                    -1,
                                    0x1p-1074,
                                    -0x1p-1074,
                                    1.7e308,
                                    -1.7e308,
                                    0x1p1023,
                                    -0x1p1023,
                                    0x1p-1022,
                                    0.5,
                                    3,
                                    0x1p-500,
                                    0x1p300,
                                    -0x1p300,
                                    0x1p-300,
                                    0x1.fffffffffffffp1023,
                                    -0x1.fffffffffffffp1023};
  uint64_t bits = test_random(state);
  double x;
  switch (style) {
  case 0:
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 1;
  case 1:
    return extremes[bits % (sizeof(extremes) / sizeof(extremes[0]))];
  case 2:
    return ldexp((double)(bits % 7) - 3, (int)(bits / 7 % 2000) - 1000);
  default:
    x = (double)(bits % 5) - 2;
    return bits % 11 == 0 ? x + 0x1p900 : bits % 7 == 0 ? 0x1p-1074 : x;
  }
}
