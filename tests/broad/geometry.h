/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every broad phase gives exactly the pairs of the definition, on every thread count: geometry that is hard for boxes
 * in floats, for sorting and for trees. The oracle is a double loop over boxes of its own, exact here because nothing
 * is grown and steps are whole. */

#ifndef TOI_TESTS_BROAD_GEOMETRY_H
#define TOI_TESTS_BROAD_GEOMETRY_H

#include "broad/pairs.h"

/* All broad phases against the oracle, at least `least` pairs: a scene without pairs would prove nothing. */
static void check_scene(const test_scene *scene, size_t least) {
  const toi_options options = toi_default_options();
  const test_question question = {.mesh = &scene->mesh, .options = &options, .t_max = 1};
  test_pairs expected = test_oracle(&question);
  assert_true(expected.count[0] + expected.count[1] + expected.count[2] + expected.count[3] >= least);
  test_all_methods(&scene->mesh, &options, &expected);
  test_pairs_free(&expected);
}

static void check_soup(const test_soup *soup, uint64_t seed, size_t least) {
  uint64_t state = test_seed(seed);
  test_scene scene = test_scene_soup(soup, &state);
  check_scene(&scene, least);
  test_scene_free(&scene);
}

static void boxes_of_many_sizes(void **unused) {
  (void)unused;
  const test_soup small = {.triangles = 200, .extent = 1, .size = 0.5, .octaves = 20};
  check_soup(&small, 0x51ee9001, 1000);
  // More boxes than any tile, block or chunk holds, and few pairs each.
  const test_soup large = {.points = 40, .segments = 100, .triangles = 1000, .extent = 1, .size = 0.05, .octaves = 8};
  check_soup(&large, 0x51ee9002, 500);
}

static void boxes_all_the_same(void **unused) {
  (void)unused;
  const double p[3][3] = {{0, 0, 0}, {1, 1, 0}, {0, 1, 1}};
  test_scene scene = {0};
  for (int i = 0; i < 150; i++) {
    uint32_t vertex[3];
    for (int k = 0; k < 3; k++)
      vertex[k] = test_add_vertex(&scene, p[k], p[(k + 1) % 3]);
    test_add_face(&scene, vertex[0], vertex[1], vertex[2]);
  }
  check_scene(&scene, 450 * 449 / 2 - 450);
  test_scene_free(&scene);
}

static void boxes_all_one_point(void **unused) {
  (void)unused;
  const double p[3] = {0.3, -0.7, 1e-9};
  test_scene scene = {0};
  for (int i = 0; i < 60; i++) {
    for (int k = 0; k < 3; k++)
      test_add_vertex(&scene, p, p);
    test_add_face(&scene, (uint32_t)(3 * i), (uint32_t)(3 * i + 1), (uint32_t)(3 * i + 2));
  }
  check_scene(&scene, 10000);
  test_scene_free(&scene);
}

static void cells_of_a_grid_touch(void **unused) {
  (void)unused;
  double line[7];
  // Whole numbers; tenths, which no float holds; and lines that only doubles tell apart.
  const double step[] = {1, 0.1, 0x1p-45};
  const double first[] = {-3, 100, 1};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 7; i++)
      line[i] = first[k] + i * step[k];
    test_scene scene = test_scene_cells(6, line);
    check_scene(&scene, 6 * 6 * 6);
    test_scene_free(&scene);
  }
}

/* Cells whose borders differ by a few bits of a double: equal in floats, apart or overlapping in doubles. */
static void cells_touch_in_floats_only(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9003);
  test_scene scene = {0};
  for (int i = 0; i < 300; i++) {
    uint32_t vertex[3];
    for (int k = 0; k < 3; k++) {
      double p[3], q[3];
      for (int axis = 0; axis < 3; axis++) {
        p[axis] = (double)(test_random(&state) % 5) + 0x1p-48 * (double)(test_random(&state) % 3);
        q[axis] = p[axis] + 0x1p-48 * (double)(test_random(&state) % 3);
      }
      vertex[k] = test_add_vertex(&scene, p, q);
    }
    test_add_face(&scene, vertex[0], vertex[1], vertex[2]);
  }
  check_scene(&scene, 1000);
  test_scene_free(&scene);
}

static void sheets_across_each_axis(void **unused) {
  (void)unused;
  for (int axis = 0; axis < 3; axis++) {
    test_scene scene = {0};
    test_add_sheet(&scene, 14, axis, 0, 0);
    test_add_sheet(&scene, 14, axis, 1, 0);
    test_add_sheet(&scene, 14, axis, 2, 1.5);
    check_scene(&scene, 1000);
    test_scene_free(&scene);
  }
}

/* Slices across an axis, each as thin as the way to the next: an order along it that is not quite right loses some. */
static void thin_slices_along_each_axis(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9015);
  for (int axis = 0; axis < 3; axis++) {
    test_scene scene = {0};
    for (int i = 0; i < (TEST_SANITIZED ? 600 : 2500); i++) {
      double p[3] = {0, 0, 0}, q[3] = {1, 1, 1};
      p[axis] = test_random_between(&state, 1, 3);
      q[axis] = p[axis] + test_random_between(&state, 0, 0.002);
      const uint32_t a = test_add_vertex(&scene, p, p), b = test_add_vertex(&scene, q, q);
      test_add_new_edge(&scene, a, b);
    }
    check_scene(&scene, 100);
    test_scene_free(&scene);
  }
}

static void a_rod_along_each_axis(void **unused) {
  (void)unused;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t state = test_seed(0x51ee9004);
    const test_soup soup = {.segments = 50, .triangles = 300, .extent = 1, .size = 0.1, .octaves = 4};
    test_scene scene = test_scene_soup(&soup, &state);
    for (size_t i = 0; i < scene.mesh.vertex_count; i++) {
      scene.start[i][axis] *= 1000;
      scene.end[i][axis] *= 1000;
    }
    check_scene(&scene, 500);
    test_scene_free(&scene);
  }
}

static void one_vertex_far_away(void **unused) {
  (void)unused;
  const double far[] = {1e4, 1e9, 1e30, 1e300};
  for (int k = 0; k < 4; k++) {
    uint64_t state = test_seed(0x51ee9005);
    const test_soup soup = {.points = 20, .segments = 20, .triangles = 200, .extent = 1, .size = 0.1, .octaves = 4};
    test_scene scene = test_scene_soup(&soup, &state);
    scene.end[7][1] = far[k];
    check_scene(&scene, 100);
    test_scene_free(&scene);
  }
}

static void scenes_far_from_the_origin(void **unused) {
  (void)unused;
  const double offset[] = {1e6, -1e9, 1e15};
  for (int k = 0; k < 3; k++) {
    const test_soup soup = {
        .points = 20, .segments = 20, .triangles = 200, .extent = 1, .size = 0.1, .octaves = 4, .offset = offset[k]};
    check_soup(&soup, 0x51ee9006, 100);
  }
}

static void scenes_huge_and_tiny(void **unused) {
  (void)unused;
  const test_soup soups[] = {
      {.triangles = 200, .extent = 1e300, .size = 1e299, .octaves = 4, .offset = 1e300},
      {.triangles = 200, .extent = 1.2e308, .size = 2e307, .octaves = 4, .offset = -1e307},
      {.triangles = 200, .extent = 1e39, .size = 1e38, .octaves = 4},
      {.triangles = 200, .extent = 1e-44, .size = 1e-45, .octaves = 4},
      {.triangles = 200, .extent = 1e-310, .size = 1e-311, .octaves = 4},
      {.triangles = 100, .extent = 0x1p-1070, .size = 0x1p-1071, .octaves = 4},
  };
  for (size_t k = 0; k < sizeof(soups) / sizeof(*soups); k++)
    check_soup(&soups[k], 0x51ee9007 + k, 100);
}

/* The widest range of all: differences of coordinates overflow. */
static void coordinates_at_both_ends_of_doubles(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9010);
  const test_soup soup = {.segments = 20, .triangles = 150, .extent = 1.7e308, .size = 1e306, .octaves = 4};
  test_scene scene = test_scene_soup(&soup, &state);
  for (size_t i = 0; i < scene.mesh.vertex_count; i += 2)
    for (int axis = 0; axis < 3; axis++) {
      scene.start[i][axis] = -scene.start[i][axis];
      scene.end[i][axis] = -scene.end[i][axis];
    }
  check_scene(&scene, 100);
  test_scene_free(&scene);
}

static void zeros_of_both_signs(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9011);
  const double values[] = {0.0, -0.0, 1, -1, 0.0, -0.0};
  test_scene scene = {0};
  for (int i = 0; i < 120; i++) {
    uint32_t vertex[3];
    for (int k = 0; k < 3; k++) {
      double p[2][3];
      for (int axis = 0; axis < 6; axis++)
        p[axis / 3][axis % 3] = values[test_random(&state) % 6];
      vertex[k] = test_add_vertex(&scene, p[0], p[1]);
    }
    if (i % 3 == 0)
      test_add_face(&scene, vertex[0], vertex[1], vertex[2]);
    else
      test_add_edge(&scene, vertex[0], vertex[1]);
  }
  check_scene(&scene, 1000);
  test_scene_free(&scene);
}

static void a_mesh_that_stands_still(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9012);
  const test_soup soup = {.points = 30, .segments = 40, .triangles = 200, .extent = 1, .size = 0.2, .octaves = 4};
  test_scene scene = test_scene_soup(&soup, &state);
  scene.mesh.end = scene.mesh.start;
  check_scene(&scene, 100);
  test_scene_free(&scene);
}

/* Floats, and strides of both, hold the same numbers as the doubles beside them. */
static void floats_and_strides(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9013);
  const test_soup soup = {.points = 20, .segments = 30, .triangles = 200, .extent = 1, .size = 0.1, .octaves = 4};
  test_scene scene = test_scene_soup(&soup, &state);
  const size_t count = scene.mesh.vertex_count;
  float *const floats = calloc(count, 10 * sizeof(float));
  double *const doubles = calloc(count, 7 * sizeof(double));
  assert_true(floats && doubles);
  for (size_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      floats[10 * i + (size_t)axis] = (float)scene.start[i][axis];
      floats[10 * i + 5 + (size_t)axis] = (float)scene.end[i][axis];
      doubles[7 * i + (size_t)axis] = scene.start[i][axis];
      doubles[7 * i + 4 + (size_t)axis] = scene.end[i][axis];
    }
  test_scene other = scene;
  other.mesh.start = doubles;
  other.mesh.end = doubles + 4;
  other.mesh.stride = 7 * sizeof(double);
  check_scene(&other, 100);
  other.mesh.start = floats;
  other.mesh.end = floats + 5;
  other.mesh.stride = 10 * sizeof(float);
  other.mesh.scalar = TOI_FLOAT32;
  check_scene(&other, 100);
  free(floats);
  free(doubles);
  test_scene_free(&scene);
}

/* Random small scenes of every mixture, on coordinates that often coincide. */
static void small_scenes_at_random(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9014);
  for (uint64_t round = 0; round < test_count(60); round++) {
    const test_soup soup = {.points = (size_t)(test_random(&state) % 40),
                            .segments = (size_t)(test_random(&state) % 40),
                            .triangles = (size_t)(test_random(&state) % 40),
                            .extent = test_random(&state) % 2 ? 8 : 3,
                            .size = 1,
                            .octaves = 3};
    test_scene scene = test_scene_soup(&soup, &state);
    const bool whole = test_random(&state) % 2;
    for (size_t i = 0; whole && i < scene.mesh.vertex_count; i++)
      for (int axis = 0; axis < 3; axis++) {
        scene.start[i][axis] = rint(scene.start[i][axis]);
        scene.end[i][axis] = rint(scene.end[i][axis]);
      }
    if (scene.mesh.vertex_count > 0)
      check_scene(&scene, 0);
    test_scene_free(&scene);
  }
}

static inline int test_geometry(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_many_sizes),         cmocka_unit_test(boxes_all_the_same),
      cmocka_unit_test(boxes_all_one_point),         cmocka_unit_test(cells_of_a_grid_touch),
      cmocka_unit_test(cells_touch_in_floats_only),  cmocka_unit_test(sheets_across_each_axis),
      cmocka_unit_test(thin_slices_along_each_axis), cmocka_unit_test(a_rod_along_each_axis),
      cmocka_unit_test(one_vertex_far_away),         cmocka_unit_test(scenes_far_from_the_origin),
      cmocka_unit_test(scenes_huge_and_tiny),        cmocka_unit_test(coordinates_at_both_ends_of_doubles),
      cmocka_unit_test(zeros_of_both_signs),         cmocka_unit_test(a_mesh_that_stands_still),
      cmocka_unit_test(floats_and_strides),          cmocka_unit_test(small_scenes_at_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
