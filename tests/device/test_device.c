/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes on a device: the same candidates, collisions and first impact as on the CPU, bit for bit, with lists and
 * memory of any size; and what is said where there is no such device. Needs a device of OpenCL, such as that of PoCL.
 */

#include "device/scenes.h"

/* The drape in doubles, far from the origin: floats round, and boxes tie. */
static double (*moved(float (*from)[3], size_t count))[3] {
  double(*to)[3] = calloc(count, sizeof *to);
  assert_non_null(to);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      to[i][k] = (double)from[i][k] * (1.0 / 3) + 1e3 * (k + 1);
  return to;
}

/* On the CPU, then on the device by both broad phases, with lists and memory of several sizes. */
static void compare(const toi_mesh *mesh, double t_max) {
  toi_context *cpu = context_on(NULL, 2, 0, 0);
  const outcome expected = outcome_of(cpu, mesh, t_max, NULL);
  assert_true(expected.candidates > 0);
  toi_context_destroy(cpu);
  static const struct {
    uint32_t threads;
    uint64_t memory, queue;
  } sizes[] = {{2, 0, 0}, {1, 1 << 20, 4096}, {2, 3 << 20, 65536}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    toi_context *context = context_on("0", sizes[i].threads, sizes[i].memory, sizes[i].queue);
    static const char *const broads[] = {"bvh", "sweep"};
    for (size_t k = 0; k < 2; k++) {
      const outcome found = outcome_of(context, mesh, t_max, broads[k]);
      assert_string_equal(toi_context_warning(context), "");
      assert_same_outcome(&expected, &found);
    }
    toi_context_destroy(context);
  }
}

static void a_drape_in_floats_is_answered_as_on_the_cpu(void **state) {
  (void)state;
  need_device();
  drape scene;
  assert_true(drape_make(24, 3, &scene));
  const toi_mesh mesh = mesh_of_drape(&scene);
  compare(&mesh, 1);
  compare(&mesh, 0.3);
  drape_free(&scene);
}

static void a_drape_in_doubles_far_from_the_origin_is_answered_as_on_the_cpu(void **state) {
  (void)state;
  need_device();
  drape scene;
  assert_true(drape_make(20, 5, &scene));
  toi_mesh mesh = mesh_of_drape(&scene);
  double(*start)[3] = moved(scene.start, scene.vertex_count), (*end)[3] = moved(scene.end, scene.vertex_count);
  mesh.start = start;
  mesh.end = end;
  mesh.scalar = TOI_FLOAT64;
  compare(&mesh, 1);
  free(start);
  free(end);
  drape_free(&scene);
}

/* Vertices in a plane, whose boxes all tie on one axis, above a second sheet that comes through. */
static void flat_sheets_tie_on_an_axis(void **state) {
  (void)state;
  need_device();
  enum { SIDE = 40, SHEET = SIDE * SIDE };
  double(*start)[3] = calloc(2 * SHEET, sizeof *start), (*end)[3] = calloc(2 * SHEET, sizeof *end);
  uint32_t(*faces)[3] = calloc(4 * SHEET, sizeof *faces);
  assert_true(start && end && faces);
  size_t face_count = 0;
  for (uint32_t sheet = 0; sheet < 2; sheet++)
    for (uint32_t i = 0; i < SIDE; i++)
      for (uint32_t j = 0; j < SIDE; j++) {
        const uint32_t v = sheet * SHEET + i * SIDE + j;
        start[v][0] = end[v][0] = i * 0.1 + sheet * 0.03;
        start[v][1] = end[v][1] = j * 0.1 + sheet * 0.04;
        start[v][2] = sheet ? 0.1 : 0.3;
        end[v][2] = sheet ? 0.1 : i % 2 ? 0.1 : 0.2;
        if (i + 1 < SIDE && j + 1 < SIDE) {
          const uint32_t next[2][3] = {{v, v + 1, v + SIDE}, {v + 1, v + SIDE + 1, v + SIDE}};
          memcpy(faces[face_count], next, sizeof next);
          face_count += 2;
        }
      }
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = start,
                         .end = end,
                         .scalar = TOI_FLOAT64,
                         .vertex_count = 2 * SHEET,
                         .faces = (const uint32_t(*)[3])faces,
                         .face_count = face_count};
  compare(&mesh, 1);
  free(start);
  free(end);
  free(faces);
}

/* One face meets every vertex: a list of 64 KiB holds 8192 of the 100,000 pairs. */
static void one_face_meets_a_hundred_thousand_vertices(void **state) {
  (void)state;
  need_device();
  const size_t count = 100000 + 3;
  float(*start)[3] = calloc(count, sizeof *start), (*end)[3] = calloc(count, sizeof *end);
  assert_true(start && end);
  const float corners[3][3] = {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}};
  memcpy(start, corners, sizeof corners);
  memcpy(end, corners, sizeof corners);
  uint64_t random = test_seed(7);
  for (size_t i = 3; i < count; i++) {
    for (int k = 0; k < 2; k++)
      start[i][k] = end[i][k] = (float)(test_random_unit(&random) - 0.5);
    // They arrive within 2^-21 of the step: the earliest is not the first that is proved.
    start[i][2] = 1 + (float)(test_random(&random) % 8) * 0x1p-21f;
    end[i][2] = -1;
  }
  const uint32_t face[1][3] = {{0, 1, 2}};
  const toi_mesh mesh = {.size = sizeof mesh,
                         .start = start,
                         .end = end,
                         .scalar = TOI_FLOAT32,
                         .vertex_count = count,
                         .faces = face,
                         .face_count = 1};
  toi_context *context = context_on("0", 2, 0, 65536);
  toi_options options = toi_default_options();
  options.t_max = 1;
  outcome all = {.sum = 0};
  assert_int_equal(toi_collisions(context, &mesh, &options, add_collisions, &all), TOI_OK);
  assert_int_equal(all.hits, count - 3);
  assert_int_equal(toi_candidates(context, &mesh, &options, add_pairs, &all), TOI_OK);
  assert_true(all.counted >= count - 3);
  toi_context *cpu = context_on(NULL, 2, 0, 0);
  toi_impact expected, found;
  assert_int_equal(toi_step(cpu, &mesh, &options, &expected), TOI_OK);
  assert_int_equal(toi_step(context, &mesh, &options, &found), TOI_OK);
  found.hit.level = expected.hit.level;
  assert_memory_equal(&expected.hit, &found.hit, sizeof found.hit);
  assert_memory_equal(&expected.pair, &found.pair, sizeof found.pair);
  assert_string_equal(toi_context_warning(context), "");
  toi_context_destroy(cpu);
  toi_context_destroy(context);
  free(start);
  free(end);
}

/* --- what is said --- */

static void assert_refused(const char *device, uint64_t memory, uint64_t queue, toi_status expected,
                           const char *words) {
  toi_context *context = context_on(device, 1, memory, queue);
  toi_device_info info;
  assert_int_equal(toi_context_device(context, &info), expected);
  assert_false(info.usable);
  if (!strstr(toi_context_error(context), words))
    fail_msg("'%s' says nothing of '%s'", toi_context_error(context), words);
  toi_context_destroy(context);
}

static void what_cannot_be_asked_for_is_refused(void **state) {
  (void)state;
  need_device();
  assert_refused("no such device", 0, 0, TOI_ERROR_DEVICE, "unknown device 'no such device'");
  assert_refused("17", 0, 0, TOI_ERROR_DEVICE, "unknown device '17'");
  assert_refused("0", 1000, 0, TOI_ERROR_OPTION, "device_memory is 1000");
  assert_refused("0", 0, 100, TOI_ERROR_OPTION, "device_queue is 100");
  assert_refused("0", 1 << 20, 1 << 19, TOI_ERROR_OPTION, "quarter");
  // The calls on meshes fail in the same words.
  drape scene;
  assert_true(drape_make(24, 3, &scene));
  const toi_mesh mesh = mesh_of_drape(&scene);
  toi_context *context = context_on("no such device", 1, 0, 0);
  toi_impact impact;
  const toi_options options = toi_default_options();
  assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_DEVICE);
  assert_int_equal(impact.hit.verdict, TOI_NEAR);
  assert_non_null(strstr(toi_context_error(context), "unknown device"));
  toi_context_destroy(context);
  drape_free(&scene);
}

static void devices_are_described(void **state) {
  (void)state;
  need_device();
  toi_context *context = context_on(NULL, 1, 0, 0);
  size_t count = 0;
  assert_int_equal(toi_device_count(context, &count), TOI_OK);
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    toi_device_info info;
    assert_int_equal(toi_device_describe(context, i, false, &info), TOI_OK);
    assert_int_equal(info.number, i);
    assert_true(info.name[0] != '\0' && info.memory > 0 && !info.usable);
  }
  toi_device_info info;
  assert_int_equal(toi_device_describe(context, count, false, &info), TOI_ERROR_DEVICE);
  assert_int_equal(toi_device_count(context, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_device_count(NULL, &count), TOI_ERROR_INPUT);
  assert_int_equal(toi_context_device(NULL, &info), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_warning(NULL), "");
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_drape_in_floats_is_answered_as_on_the_cpu),
      cmocka_unit_test(a_drape_in_doubles_far_from_the_origin_is_answered_as_on_the_cpu),
      cmocka_unit_test(flat_sheets_tie_on_an_axis),
      cmocka_unit_test(one_face_meets_a_hundred_thousand_vertices),
      cmocka_unit_test(what_cannot_be_asked_for_is_refused),
      cmocka_unit_test(devices_are_described),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
