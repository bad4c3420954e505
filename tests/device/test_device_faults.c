/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Devices that fail: a driver of our own (faulty_icd.c) between OpenCL and another driver makes a device round wrongly,
 * refuse memory, not build its kernels, lose atomics, flush tiny numbers, or vanish in the midst of a call. Each is
 * answered by a clear sentence, and no answer changes. Needs a device of OpenCL; not compiled where its headers are
 * missing. */

#include "device/scenes.h"

#ifdef TOI_OPENCL

#include <math.h>

#include "device/faults.h"
#include "narrow/asking.h"

/* --- devices that cannot be used --- */

/* Refused by name, with these words; with "auto" the CPU works alone, and says why. */
static void assert_refused(const char *fault, const char *words) {
  set_fault("%s:0", fault);
  toi_context *context = context_on("0", 1, 0, 0);
  assert_int_equal(toi_context_device(context, NULL), TOI_ERROR_DEVICE);
  if (!strstr(toi_context_error(context), words))
    fail_msg("'%s' says nothing of '%s'", toi_context_error(context), words);
  assert_null(strchr(toi_context_error(context), '\n'));
  toi_context_destroy(context);
  set_fault("%s:0", fault);
  context = context_on("auto", 1, 0, 0);
  toi_device_info info;
  assert_int_equal(toi_context_device(context, &info), TOI_OK);
  assert_false(info.usable);
  if (!strstr(toi_context_warning(context), words))
    fail_msg("'%s' says nothing of '%s'", toi_context_warning(context), words);
  toi_context_destroy(context);
}

static void devices_that_cannot_be_used_are_refused(void **state) {
  (void)state;
  need_device();
  assert_refused("rounds", "is wrong; no proof would hold on it");
  assert_refused("atomics", "atomic operations");
  assert_refused("profile", "FULL_PROFILE is needed");
  assert_refused("source", "the kernels do not build");
  assert_refused("vanishes", "OpenCL");
}

/* --- devices that fail in the midst --- */

static outcome collisions_with(toi_context *context, const toi_mesh *mesh, const char *broad) {
  outcome all = {.sum = 0xcbf29ce484222325u};
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_work work;
  options.on_mesh = &on_mesh;
  on_mesh.work = &work;
  on_mesh.broad = broad;
  if (toi_collisions(context, mesh, &options, add_collisions, &all) != TOI_OK)
    fail_msg("toi_collisions: %s", toi_context_error(context));
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    all.candidates += work.candidates[kind];
  return all;
}

/* A made scene, and what comes of it on the CPU. */
static void make_scene(uint32_t side, drape *scene, toi_mesh *mesh, outcome *expected) {
  assert_true(drape_make(side, 3, scene));
  *mesh = mesh_of_drape(scene);
  toi_context *cpu = context_on(NULL, 2, 0, 0);
  *expected = outcome_of(cpu, mesh, 1, NULL);
  toi_context_destroy(cpu);
}

/* The device fails at a random call, of kernels or of buffers, in each phase of a join: every candidate, every
 * collision and the first impact are there, once. Small lists and slabs make it many calls. */
static void a_device_that_vanishes_loses_nothing(void **state) {
  (void)state;
  need_device();
  drape scene;
  toi_mesh mesh;
  outcome expected;
  make_scene(20, &scene, &mesh, &expected);
  uint64_t random = test_seed(91);
  int warned = 0;
  for (int rounds = (int)test_count_from(14, 5), round = 0; round < rounds; round++) {
    const uint64_t after = 12 + test_random(&random) % (4u << round % 8);
    set_fault("vanishes:%llu", (unsigned long long)after);
    toi_context *context = context_on("0", 2, 1 << 20, 8192);
    const char *broad = round % 2 ? "bvh" : "sweep";
    const outcome found = collisions_with(context, &mesh, broad);
    assert_int_equal(found.candidates, expected.candidates);
    assert_int_equal(found.hits, expected.hits);
    assert_true(found.sum == expected.sum);
    const bool lost = toi_context_warning(context)[0] != '\0';
    warned += lost;
    if (lost)
      assert_non_null(strstr(toi_context_warning(context), "the CPU did the rest"));
    // The next calls work on the CPU alone, without a word; or it fails in one of them.
    const outcome again = outcome_of(context, &mesh, 1, broad);
    assert_same_outcome(&expected, &again);
    if (lost)
      assert_string_equal(toi_context_warning(context), "");
    toi_context_destroy(context);
  }
  assert_true(warned > 3);
  set_fault("none");
  drape_free(&scene);
}

static void a_device_without_memory_leaves_the_work_to_the_cpu(void **state) {
  (void)state;
  need_device();
  drape scene;
  toi_mesh mesh;
  outcome expected;
  make_scene(32, &scene, &mesh, &expected);
  for (int i = 0; i < 2; i++) {
    set_fault("memory:%d", i == 0 ? 70000 : 600000);
    toi_context *context = context_on("0", 2, 0, 65536);
    const outcome found = collisions_with(context, &mesh, NULL);
    assert_true(found.sum == expected.sum && found.candidates == expected.candidates);
    // With a little memory the scene goes through in parts.
    if (i == 0)
      assert_non_null(strstr(toi_context_warning(context), "out of device memory"));
    else
      assert_string_equal(toi_context_warning(context), "");
    toi_context_destroy(context);
  }
  set_fault("none");
  drape_free(&scene);
}

/* Coordinates down to the smallest numbers, which the device takes as zero: pairs that touch there are met. */
static void a_device_that_flushes_gives_the_same_answers(void **state) {
  (void)state;
  need_device();
  drape scene;
  toi_mesh mesh;
  outcome expected;
  make_scene(24, &scene, &mesh, &expected);
  set_fault("flushes");
  toi_context *context = context_on("0", 2, 0, 0), *cpu = context_on(NULL, 2, 0, 0);
  toi_device_info info;
  assert_int_equal(toi_context_device(context, &info), TOI_OK);
  if (!info.usable || info.keeps_subnormals)
    print_message("this driver does not flush\n");
  outcome found = outcome_of(context, &mesh, 1, NULL);
  assert_same_outcome(&expected, &found);
  // The first scale makes all numbers tiny, the second one some.
  static const int exponents[] = {-140, -126};
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < scene.vertex_count; k++)
      for (int axis = 0; axis < 3; axis++) {
        const int change = i == 0 ? exponents[0] : exponents[1] - exponents[0];
        scene.start[k][axis] = ldexpf(scene.start[k][axis], change);
        scene.end[k][axis] = ldexpf(scene.end[k][axis], change);
      }
    expected = outcome_of(cpu, &mesh, 1, NULL);
    found = outcome_of(context, &mesh, 1, i % 2 ? "sweep" : "bvh");
    assert_same_outcome(&expected, &found);
    assert_string_equal(toi_context_warning(context), "");
  }
  toi_context_destroy(context);
  toi_context_destroy(cpu);
  set_fault("none");
  drape_free(&scene);
}

/* The method interval-queue: what the device has not done, threads do; nothing is missed by one that flushes. */
static void queries_survive_a_device_that_vanishes_or_flushes(void **state) {
  (void)state;
  need_device();
  enum { COUNT = 300 };
  double queries[COUNT][24];
  toi_hit hits[COUNT], exact[COUNT];
  uint64_t random = test_seed(92);
  for (size_t i = 0; i < COUNT; i++) {
    planted_query query;
    planted_mixed(TOI_VERTEX_FACE, 92, i, &query);
    memcpy(queries[i], query.points, sizeof queries[i]);
  }
  toi_options options = toi_default_options();
  options.max_checks = 500;
  for (int round = 0; round < (int)test_count_from(8, 4); round++) {
    if (round % 4 == 3)
      set_fault("flushes");
    else
      set_fault("vanishes:%llu", (unsigned long long)(12 + test_random(&random) % (8u << 2 * (round % 4))));
    toi_context *context = context_on("0", 2, 0, 65536);
    options.method = "interval-queue";
    assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries[0], COUNT, &options, hits), TOI_OK);
    const bool lost = toi_context_warning(context)[0] != '\0';
    if (lost)
      assert_non_null(strstr(toi_context_warning(context), "the CPU did the rest"));
    assert_false(lost && round % 4 == 3);
    options.method = "exact";
    assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries[0], COUNT, &options, exact), TOI_OK);
    for (size_t i = 0; i < COUNT; i++)
      assert_true(exact[i].verdict == TOI_MISS || (hits[i].verdict == TOI_NEAR && hits[i].t_lo <= exact[i].t_lo));
    toi_context_destroy(context);
  }
  set_fault("none");
}

int main(void) {
  use_faulty_driver();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(devices_that_cannot_be_used_are_refused),
      cmocka_unit_test(a_device_that_vanishes_loses_nothing),
      cmocka_unit_test(a_device_without_memory_leaves_the_work_to_the_cpu),
      cmocka_unit_test(a_device_that_flushes_gives_the_same_answers),
      cmocka_unit_test(queries_survive_a_device_that_vanishes_or_flushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* Without OpenCL there is no device, and that is said. */
static void a_library_without_opencl_says_so(void **state) {
  (void)state;
  toi_context *context = context_on("0", 1, 0, 0);
  assert_int_equal(toi_context_device(context, NULL), TOI_ERROR_DEVICE);
  assert_non_null(strstr(toi_context_error(context), "built without OpenCL"));
  size_t count;
  assert_int_equal(toi_device_count(context, &count), TOI_OK);
  assert_int_equal(count, 0);
  assert_non_null(strstr(toi_context_warning(context), "built without OpenCL"));
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_library_without_opencl_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
