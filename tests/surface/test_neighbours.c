/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Corners that patches share. The oracle compares all corners with all others, number by number. */

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "surface/model.h"

/* Places for the control points of many small patches. */
typedef struct heap {
  double points[40000][3], velocities[40000][3];
  size_t used;
} heap;

static heap *heap_make(void) {
  heap *h = calloc(1, sizeof(*h));
  assert_non_null(h);
  return h;
}

/* A bilinear patch, or a flat triangle, with these corners. */
static toi_patch flat(heap *h, toi_patch_shape shape, const double corners[4][3], bool moves) {
  toi_patch patch = {.shape = shape, .degree = {1, 1}, .points = (const double(*)[3])(h->points + h->used)};
  size_t count = shape == TOI_PATCH_QUAD ? 4 : 3;
  memcpy(h->points + h->used, corners, count * sizeof(double[3]));
  if (moves)
    patch.velocities = (const double(*)[3])(h->velocities + h->used);
  h->used += count;
  return patch;
}

static toi_patch_corners *number(toi_context *context, const toi_patch *patches, size_t count) {
  toi_patch_corners *corners = calloc(count, sizeof(*corners));
  assert_non_null(corners);
  assert_int_equal(toi_patch_corners_number(context, patches, count, corners), TOI_OK);
  return corners;
}

/* --- the oracle --- */

static size_t corners_of(const toi_patch *patch, size_t at[4]) {
  size_t n = patch->degree[0] + 1, m = patch->degree[1] + 1;
  bool quad = patch->shape == TOI_PATCH_QUAD;
  at[0] = 0;
  at[1] = quad ? m - 1 : n - 1;
  at[2] = quad ? (n - 1) * m : n * (n + 1) / 2 - 1;
  at[3] = n * m - 1;
  return quad ? 4 : 3;
}

static bool same_corner(const toi_patch *a, size_t i, const toi_patch *b, size_t j) {
  for (int k = 0; k < 3; k++) {
    double v = a->velocities ? a->velocities[i][k] : 0, w = b->velocities ? b->velocities[j][k] : 0;
    if (a->points[i][k] != b->points[j][k] || v != w)
      return false;
  }
  return true;
}

static bool neighbours(const toi_patch *a, const toi_patch *b) {
  size_t at[4], bt[4], a_count = corners_of(a, at), b_count = corners_of(b, bt);
  for (size_t i = 0; i < a_count; i++)
    for (size_t j = 0; j < b_count; j++)
      if (same_corner(a, at[i], b, bt[j]))
        return true;
  return false;
}

static void expect_as_oracle(toi_context *context, const toi_patch *patches, size_t count) {
  toi_patch_corners *corners = number(context, patches, count);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      assert_int_equal(toi_patch_corners_shared(&corners[i], &corners[j]), neighbours(&patches[i], &patches[j]));
  free(corners);
}

/* --- tests --- */

static void a_square_of_a_sheet_has_eight_neighbours(void **state) {
  (void)state;
  enum { N = 9 };
  toi_context *context = test_context(1);
  heap *h = heap_make();
  toi_patch patches[N * N];
  for (int i = 0; i < N * N; i++) {
    const int row = i / N, column = i % N;
    const double x = row, y = column;
    patches[i] = flat(h, TOI_PATCH_QUAD, (const double[4][3]){{x, y}, {x, y + 1}, {x + 1, y}, {x + 1, y + 1}}, false);
  }
  toi_patch_corners *corners = number(context, patches, (size_t)N * N);
  for (int i = 0; i < N * N; i++) {
    int found = 0, wide = i / N > 0 && i / N < N - 1 ? 3 : 2, high = i % N > 0 && i % N < N - 1 ? 3 : 2;
    for (int j = 0; j < N * N; j++)
      found += toi_patch_corners_shared(&corners[i], &corners[j]);
    assert_int_equal(found, wide * high);
  }
  free(corners);
  free(h);
  toi_context_destroy(context);
}

static void patches_of_all_shapes_and_degrees_meet_at_corners_only(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(51);
  for (uint64_t round = test_count(200); round > 0; round--) {
    heap *h = heap_make();
    toi_patch patches[60];
    for (size_t i = 0; i < 60; i++) {
      toi_patch patch = {.shape = (toi_patch_shape)(test_random(&seed) % 2),
                         .degree = {(uint32_t)(test_random(&seed) % 4), (uint32_t)(test_random(&seed) % 4)},
                         .points = (const double(*)[3])(h->points + h->used)};
      patch.velocities = test_random(&seed) % 2 ? NULL : (const double(*)[3])(h->velocities + h->used);
      // Few places, so that corners and other control points coincide often; and zeroes of both signs.
      for (size_t p = 0; p < 16; p++)
        for (int k = 0; k < 3; k++) {
          h->points[h->used + p][k] = (double)(test_random(&seed) % 3) - 1;
          h->velocities[h->used + p][k] = test_random(&seed) % 8 ? 0.0 : -0.0 + (double)(test_random(&seed) % 2);
          h->points[h->used + p][k] *= test_random(&seed) % 2 ? 1 : -1;
        }
      h->used += 16;
      patches[i] = patch;
    }
    expect_as_oracle(context, patches, 60);
    free(h);
  }
  toi_context_destroy(context);
}

static void velocities_that_are_not_there_are_zeroes(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  heap *h = heap_make();
  const double low[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  const double high[4][3] = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}, {2, 2, 0}};
  toi_patch patches[3] = {flat(h, TOI_PATCH_QUAD, low, false), flat(h, TOI_PATCH_QUAD, high, true),
                          flat(h, TOI_PATCH_TRIANGLE, high, true)};
  h->velocities[4][1] = -0.0;   /* of the corner (1, 1, 0) of the second patch */
  h->velocities[8][1] = 1e-300; /* of that of the third */
  toi_patch_corners *corners = number(context, patches, 3);
  assert_true(toi_patch_corners_shared(&corners[0], &corners[1]));
  assert_false(toi_patch_corners_shared(&corners[0], &corners[2]));
  assert_true(toi_patch_corners_shared(&corners[1], &corners[2]));
  free(corners);
  free(h);
  toi_context_destroy(context);
}

/* A fan whose patches have an edge collapsed to the tip: each meets every other there. */
static void patches_with_a_collapsed_edge_all_meet_at_the_tip(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  heap *h = heap_make();
  toi_patch patches[12];
  for (int i = 0; i < 12; i++) {
    double x = i, next = i + 1;
    patches[i] = flat(h, TOI_PATCH_QUAD, (const double[4][3]){{5, 5, 5}, {5, 5, 5}, {x, 0, 0}, {next, 0, 0}}, false);
  }
  toi_patch_corners *corners = number(context, patches, 12);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      assert_true(toi_patch_corners_shared(&corners[i], &corners[j]));
  assert_int_equal(corners[7].at[0], corners[7].at[1]);
  expect_as_oracle(context, patches, 12);
  free(corners);
  free(h);
  toi_context_destroy(context);
}

/* A table whose places were searched one by one would take hours here. */
static void a_quarter_of_a_million_corners_at_one_place_are_numbered_at_once(void **state) {
  (void)state;
  enum { COUNT = 1 << 18 };
  toi_context *context = test_context(1);
  heap *h = heap_make();
  const double here[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  toi_patch one = flat(h, TOI_PATCH_QUAD, here, true), *patches = calloc(COUNT, sizeof(*patches));
  assert_non_null(patches);
  for (size_t i = 0; i < COUNT; i++)
    patches[i] = one;
  toi_patch_corners *corners = number(context, patches, COUNT);
  for (size_t i = 0; i < COUNT; i++)
    for (int k = 0; k < 4; k++)
      assert_int_equal(corners[i].at[k], 0);
  free(corners);
  free(patches);
  free(h);
  toi_context_destroy(context);
}

static void refused_memory_is_said(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  heap *h = heap_make();
  const double here[4][3] = {{0}};
  toi_patch patch = flat(h, TOI_PATCH_QUAD, here, false);
  toi_patch_corners corners;
  allocator.refuse_at = allocator.calls + 1;
  assert_int_equal(toi_patch_corners_number(context, &patch, 1, &corners), TOI_ERROR_MEMORY);
  assert_int_equal(toi_patch_corners_number(context, &patch, 1, &corners), TOI_OK);
  free(h);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_square_of_a_sheet_has_eight_neighbours),
      cmocka_unit_test(patches_of_all_shapes_and_degrees_meet_at_corners_only),
      cmocka_unit_test(velocities_that_are_not_there_are_zeroes),
      cmocka_unit_test(patches_with_a_collapsed_edge_all_meet_at_the_tip),
      cmocka_unit_test(a_quarter_of_a_million_corners_at_one_place_are_numbered_at_once),
      cmocka_unit_test(refused_memory_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
