/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where tests find their data, how long they run, and their random numbers. */

#include "support/support.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *test_data_directory(void) {
  const char *named = getenv("TOI_DATA_DIR");
  if (named != NULL && named[0] != '\0') {
    // A named directory that is missing is a mistake, not a reason to skip.
    if (!is_directory(named))
      fail_msg("TOI_DATA_DIR=%s is no directory", named);
    return named;
  }
  static const char beside[] = TOI_SOURCE_DIR "/../shared/data";
  if (is_directory(beside))
    return beside;
  print_message("skipped: no data sets (set TOI_DATA_DIR to their directory)\n");
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
