/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cloths of bicubic patches: joints, symmetry, and the same bits everywhere. */

#include "support/support.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "scenes/cloth_patches.h"

typedef const double (*grid)[3];

static void make(uint32_t size, int which, cloth_patches *cloth) {
  assert_true(which < CLOTH_MOMENTS ? cloth_over_teapot(size, (cloth_moment)which, cloth) : cloth_pinned(size, cloth));
  assert_int_equal(cloth->count, size * size);
}

/* Control point (i, j) of patch p. */
static const double *at(const double (*points)[3], size_t p, size_t i, size_t j) {
  return points[CLOTH_PATCH_POINTS * p + 4 * i + j];
}

/* Edges that two patches share are the same in every bit; and what is next to them on both sides is on one line. */
static void expect_joint(const double (*points)[3], size_t p, size_t q, bool along_u) {
  for (size_t k = 0; k < 4; k++) {
    const double *edge = along_u ? at(points, p, 3, k) : at(points, p, k, 3);
    const double *other = along_u ? at(points, q, 0, k) : at(points, q, k, 0);
    const double *before = along_u ? at(points, p, 2, k) : at(points, p, k, 2);
    const double *after = along_u ? at(points, q, 1, k) : at(points, q, k, 1);
    assert_memory_equal(edge, other, sizeof(double[3]));
    for (int c = 0; c < 3; c++)
      assert_true(fabs(before[c] + after[c] - 2 * edge[c]) < 1e-14);
  }
}

static void patches_join_smoothly(void **state) {
  (void)state;
  for (int which = 0; which <= CLOTH_MOMENTS; which++)
    for (uint32_t size = CLOTH_SIZE_MIN; size < 24; size += 3) {
      cloth_patches cloth;
      make(size, which, &cloth);
      for (size_t p = 0; p < cloth.count; p++) {
        if (p + size < cloth.count) {
          expect_joint((grid)cloth.points, p, p + size, true);
          expect_joint((grid)cloth.velocities, p, p + size, true);
        }
        if (p % size + 1 < size) {
          expect_joint((grid)cloth.points, p, p + 1, false);
          expect_joint((grid)cloth.velocities, p, p + 1, false);
        }
      }
      cloth_free(&cloth);
    }
}

static uint64_t hash(const cloth_patches *cloth) {
  uint64_t h = 0;
  for (size_t i = 0; i < cloth->count * CLOTH_PATCH_POINTS; i++)
    for (int k = 0; k < 6; k++) {
      uint64_t bits;
      memcpy(&bits, k < 3 ? &cloth->points[i][k] : &cloth->velocities[i][k - 3], sizeof(bits));
      h = (h ^ bits) * UINT64_C(0x100000001b3);
      h ^= h >> 29;
    }
  return h;
}

static void a_cloth_has_the_same_bits_everywhere(void **state) {
  (void)state;
  static const uint64_t expected[CLOTH_MOMENTS + 1] = {UINT64_C(0x64f5945cd1e16163), UINT64_C(0xb5f16fd98ccef902),
                                                       UINT64_C(0xfbf55fbec0d477b9), UINT64_C(0xbe61c786e6fe10b1),
                                                       UINT64_C(0x6289eca22c7a7555), UINT64_C(0x490e3ba08ec58ac6)};
  for (int which = 0; which <= CLOTH_MOMENTS; which++) {
    cloth_patches cloth;
    make(which < CLOTH_MOMENTS ? 20 : 10, which, &cloth);
    if (hash(&cloth) != expected[which])
      fail_msg("cloth %d has the hash 0x%016" PRIx64, which, hash(&cloth));
    cloth_free(&cloth);
  }
}

/* The corners that hold it do not fall, and move towards each other. */
static void the_pinned_cloth_hangs_by_two_corners(void **state) {
  (void)state;
  cloth_patches cloth;
  make(10, CLOTH_MOMENTS, &cloth);
  const double *first = cloth.points[0], *last = cloth.points[cloth.count * CLOTH_PATCH_POINTS - 1];
  assert_true(first[0] == -0.9 && first[1] == 0 && first[2] == 0 && last[0] == 0.9 && last[1] == 0 && last[2] == 0);
  assert_true(cloth.velocities[0][0] > 0 && cloth.velocities[0][1] == 0 && cloth.velocities[0][2] == 0);
  size_t higher = 0;
  for (size_t i = 0; i < cloth.count * CLOTH_PATCH_POINTS; i++)
    higher += cloth.points[i][2] >= 0;
  assert_int_equal(higher, 2);
  cloth_free(&cloth);
}

static void moments_have_names(void **state) {
  (void)state;
  for (int i = 0; i < CLOTH_MOMENTS; i++)
    for (int j = 0; j < i; j++)
      assert_string_not_equal(cloth_moment_name((cloth_moment)i), cloth_moment_name((cloth_moment)j));
  assert_string_equal(cloth_moment_name(CLOTH_MOMENTS), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches_join_smoothly),
      cmocka_unit_test(a_cloth_has_the_same_bits_everywhere),
      cmocka_unit_test(the_pinned_cloth_hangs_by_two_corners),
      cmocka_unit_test(moments_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
