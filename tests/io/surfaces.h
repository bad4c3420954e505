/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* For the tests of files of curved surfaces: random patches, texts that are damaged, and comparisons. */

#ifndef TOI_TESTS_IO_SURFACES_H
#define TOI_TESTS_IO_SURFACES_H

#include "support/files.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>

#define MOST_POINTS 100

/* A patch with room for its numbers. */
typedef struct random_patch {
  toi_patch patch;
  double points[MOST_POINTS][3], velocities[MOST_POINTS][3], weights[MOST_POINTS];
} random_patch;

/* Of any shape and degree, with numbers of all exponents. */
static inline void patch_make(uint64_t *seed, random_patch *made) {
  const uint64_t kind = test_random(seed);
  made->patch = (toi_patch){.shape = kind % 2 == 0 ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE,
                            .points = (const double(*)[3])made->points};
  made->patch.degree[0] = (uint32_t)(kind / 2 % 10);
  made->patch.degree[1] = kind % 2 == 0 ? (uint32_t)(kind / 20 % 10) : made->patch.degree[0];
  const size_t count = toi_patch_points(made->patch.shape, made->patch.degree);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 3; k++) {
      made->points[i][k] = test_random_extreme(seed, (int)(kind / 200 % 4));
      made->velocities[i][k] = test_random_extreme(seed, (int)(kind / 200 % 4));
    }
    const double weight = fabs(test_random_extreme(seed, 3));
    made->weights[i] = weight > 0 ? weight : 1;
  }
  if (kind / 800 % 3 > 0)
    made->patch.velocities = (const double(*)[3])made->velocities;
  if (kind / 2400 % 2 > 0)
    made->patch.weights = made->weights;
  if (kind / 4800 % 2 > 0)
    made->patch.error = test_random_unit(seed);
  if (kind / 9600 % 2 > 0)
    made->patch.velocity_error = test_random_unit(seed);
}

static inline void expect_bits(const double *a, const double *b, size_t count) {
  assert_int_equal(a == NULL, b == NULL);
  if (a != NULL)
    assert_memory_equal(a, b, count * sizeof *a);
}

static inline const double *flat(const double (*triples)[3]) {
  return triples == NULL ? NULL : triples[0];
}

static inline void expect_patch(const toi_patch *a, const toi_patch *b) {
  assert_int_equal(a->shape, b->shape);
  assert_int_equal(a->degree[0], b->degree[0]);
  assert_int_equal(a->degree[1], b->degree[1]);
  const size_t count = toi_patch_points(a->shape, a->degree);
  expect_bits(flat(a->points), flat(b->points), 3 * count);
  expect_bits(flat(a->velocities), flat(b->velocities), 3 * count);
  expect_bits(a->weights, b->weights, count);
  expect_bits(&a->error, &b->error, 1);
  expect_bits(&a->velocity_error, &b->velocity_error, 1);
}

/* A patch that one may ask about. */
static inline void expect_sound(const toi_patch *patch) {
  const size_t count = toi_patch_points(patch->shape, patch->degree);
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 3; k++)
      assert_true(isfinite(patch->points[i][k]) && (patch->velocities == NULL || isfinite(patch->velocities[i][k])));
    assert_true(patch->weights == NULL || (patch->weights[i] > 0 && isfinite(patch->weights[i])));
  }
  assert_true(patch->error >= 0 && patch->velocity_error >= 0 && isfinite(patch->error + patch->velocity_error));
}

/* A few bytes of a text changed, left out, cut off, or written over. */
static inline size_t damage(char *text, size_t size, uint64_t *seed) {
  static const char words[][12] = {"-1",    "1e999", "null", ",",        "]",     "}",   "{",        "[",
                                   "\"a\"", "\n",    "\\",   "\"type\"", "[1,2]", "9e9", "\"quad\"", ":"};
  for (uint64_t times = 1 + test_random(seed) % 3; times > 0 && size > 0; times--) {
    const size_t place = test_random(seed) % size;
    const char *word = words[test_random(seed) % 16];
    const size_t length = strlen(word), room = size - place;
    switch (test_random(seed) % 6) {
    case 0:
      size = place;
      break;
    case 1:
      text[place] = (char)test_random(seed);
      break;
    case 2:
      text[place] = (char)(text[place] ^ (1 << (test_random(seed) % 8)));
      break;
    case 3:
    case 4:
      memcpy(text + place, word, length < room ? length : room);
      break;
    default:
      memmove(text + place, text + place + 1, room - 1);
      size--;
    }
  }
  return size;
}

/* A new file each time: some file systems put an old one that was emptied on the disk at once. */
static inline const char *write_new(const char *name, const char *text, size_t size) {
  (void)remove(test_path(name));
  return test_write_bytes(name, text, size);
}

/* A failure whose sentence is this one, behind the path. */
static inline void expect_sentence(toi_context *context, toi_status status, const char *path, const char *wanted) {
  const char *error = toi_context_error(context);
  if (status != TOI_ERROR_FORMAT)
    fail_msg("status %d, \"%s\" instead of: %s", (int)status, error, wanted);
  if (strncmp(error, path, strlen(path)) != 0 || strcmp(error + strlen(path), wanted) != 0)
    fail_msg("\"%s\"\n  instead of: %s", error, wanted);
}

#endif
