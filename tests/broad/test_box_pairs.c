/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of the caller's own boxes: every broad phase on every number of threads gives those of a double loop, boxes
 * that only touch among them, and boxes that are none are named. */

#include "broad/pairs.h"

#include <float.h>

typedef double box[6];

static toi_status collect(void *user, const toi_pair *pairs, size_t count) {
  return test_collect(user, TOI_VERTEX_VERTEX, pairs, count);
}

static test_pairs expected_pairs(const box *boxes, size_t count) {
  test_pairs pairs = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t j = i + 1; j < count; j++) {
      bool apart = false;
      for (int k = 0; k < 3; k++)
        apart = apart || boxes[i][k] > boxes[j][3 + k] || boxes[j][k] > boxes[i][3 + k];
      if (!apart)
        test_pairs_add(&pairs, TOI_VERTEX_VERTEX, (uint32_t)i, (uint32_t)j);
    }
  return pairs;
}

static size_t check_boxes(const box *boxes, size_t count) {
  test_pairs expected = expected_pairs(boxes, count);
  for (size_t t = 0; t < sizeof test_threads / sizeof *test_threads; t++)
    for (size_t number = 0; toi_broad_name(number); number++) {
      toi_context *const context = test_context(test_threads[t]);
      toi_mesh_options options = toi_default_mesh_options();
      toi_work work;
      options.broad = toi_broad_name(number);
      options.work = &work;
      test_pairs found = {0};
      if (toi_box_pairs(context, boxes, count, &options, collect, &found) != TOI_OK)
        fail_msg("%s", toi_context_error(context));
      test_pairs_sort(&found);
      test_pairs_equal(&found, &expected, options.broad);
      assert_int_equal(work.candidates[TOI_VERTEX_VERTEX], expected.count[TOI_VERTEX_VERTEX]);
      test_pairs_free(&found);
      toi_context_destroy(context);
    }
  const size_t pairs = expected.count[TOI_VERTEX_VERTEX];
  test_pairs_free(&expected);
  return pairs;
}

static void random_boxes_of_many_sizes(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9301);
  enum { COUNT = 700 };
  static box boxes[COUNT];
  const double units[] = {1, 1e-300, 1e300, 0x1p-1060};
  for (int round = 0; round < 4; round++) {
    for (size_t i = 0; i < COUNT; i++)
      for (int k = 0; k < 3; k++) {
        const double size = ldexp(test_random_unit(&state), -(int)(test_random(&state) % 9));
        boxes[i][k] = (test_random_unit(&state) - 0.5) * units[round];
        boxes[i][3 + k] = boxes[i][k] + size * units[round];
      }
    assert_true(check_boxes((const box *)boxes, COUNT) > 100);
  }
}

/* Cells of a lattice, points and sheets without extent among them: most pairs touch in one number only. */
static void boxes_that_touch(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9302);
  enum { COUNT = 400 };
  static box boxes[COUNT];
  for (size_t i = 0; i < COUNT; i++)
    for (int k = 0; k < 3; k++) {
      const double step = i % 2 ? 0.1 : 0x1p-45, from = i % 2 ? 0 : 1;
      boxes[i][k] = from + step * (double)(test_random(&state) % 5);
      boxes[i][3 + k] = boxes[i][k] + step * (double)(test_random(&state) % 2);
    }
  assert_true(check_boxes((const box *)boxes, COUNT) > 1000);
}

static void few_boxes_and_the_largest(void **unused) {
  (void)unused;
  const box boxes[] = {{-DBL_MAX, -DBL_MAX, -DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX},
                       {0, 0, 0, 0, 0, 0},
                       {-0.0, -0.0, -0.0, 0x1p-1074, 0x1p-1074, 0x1p-1074},
                       {0x1p-1074, 0x1p-1074, 0x1p-1074, 1, 1, 1},
                       {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX}};
  assert_int_equal(check_boxes(boxes, 0), 0);
  assert_int_equal(check_boxes(boxes, 1), 0);
  assert_int_equal(check_boxes(boxes, 5), 4 + 1 + 1);
}

static toi_status stop(void *user, const toi_pair *pairs, size_t count) {
  (void)pairs;
  *(size_t *)user += count;
  return TOI_ERROR_UNSUPPORTED;
}

static void bad_calls_are_named_and_visitors_may_stop(void **unused) {
  (void)unused;
  toi_context *const context = test_context(2);
  box boxes[3] = {{0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 1, 1}};
  size_t seen = 0;
  assert_int_equal(toi_box_pairs(context, (const box *)boxes, 3, NULL, stop, &seen), TOI_ERROR_UNSUPPORTED);
  assert_int_equal(seen, 3);
  assert_int_equal(toi_box_pairs(NULL, (const box *)boxes, 3, NULL, stop, &seen), TOI_ERROR_INPUT);
  assert_int_equal(toi_box_pairs(context, NULL, 3, NULL, stop, &seen), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "boxes is NULL, but its count is 3"));
  assert_int_equal(toi_box_pairs(context, (const box *)boxes, 3, NULL, NULL, &seen), TOI_ERROR_INPUT);
  assert_int_equal(toi_box_pairs(context, (const box *)boxes, (size_t)1 << 32, NULL, stop, &seen), TOI_ERROR_INPUT);
  toi_mesh_options options = toi_default_mesh_options();
  toi_work work = {.passes = 7};
  options.work = &work;
  static const double bad[] = {NAN, INFINITY, -INFINITY, 2};
  for (int i = 0; i < 4; i++) {
    boxes[1][1] = bad[i];
    assert_int_equal(toi_box_pairs(context, (const box *)boxes, 3, &options, stop, &seen), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "box 1: y runs from "));
    assert_int_equal(work.passes, 0);
  }
  boxes[1][1] = 0;
  options.broad = "octree";
  assert_int_equal(toi_box_pairs(context, (const box *)boxes, 3, &options, stop, &seen), TOI_ERROR_UNSUPPORTED);
  options = (toi_mesh_options){0};
  assert_int_equal(toi_box_pairs(context, (const box *)boxes, 3, &options, stop, &seen), TOI_ERROR_OPTION);
  assert_int_equal(seen, 3);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_boxes_of_many_sizes),
      cmocka_unit_test(boxes_that_touch),
      cmocka_unit_test(few_boxes_and_the_largest),
      cmocka_unit_test(bad_calls_are_named_and_visitors_may_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
