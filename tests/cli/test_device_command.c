/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi devices` and `--device` as their users see them: what is there, what is said where there is none or where it
 * fails, and that no answer changes. Devices fail by the driver of tests/device/faulty_icd.c; what needs a device is
 * skipped where there is none. */

#include "cli/meshes.h"
#include "device/scenes.h"

#include <toi/io.h>

/* The drape as two files, large enough for a device. */
static void write_drape(const char *paths[2]) {
  static char names[2][1024];
  drape scene;
  assert_true(drape_make(24, 3, &scene));
  toi_context *context = context_on(NULL, 1, 0, 0);
  for (int i = 0; i < 2; i++) {
    toi_frame frame = {.vertices = i == 0 ? scene.start : scene.end,
                       .scalar = TOI_FLOAT32,
                       .vertex_count = scene.vertex_count,
                       .faces = scene.faces,
                       .face_count = scene.face_count};
    snprintf(names[i], sizeof names[i], "%s", test_path(i == 0 ? "from.ply" : "to.ply"));
    assert_int_equal(toi_frame_write(context, names[i], &frame), TOI_OK);
    paths[i] = names[i];
  }
  toi_context_destroy(context);
  drape_free(&scene);
}

/* What is in all reports of one scene: not times, memory and threads. */
static char *answers_of(const json_t *report) {
  json_t *part = json_object();
  static const char *const keys[] = {"verdict", "toi", "first", "hits", "candidates"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    json_object_set(part, keys[i], json_object_get(report, keys[i]));
  char *text = json_dumps(part, JSON_SORT_KEYS);
  json_decref(part);
  assert_non_null(text);
  return text;
}

static void words_that_are_wrong_are_refused(void **state) {
  (void)state;
  assert_fails(run("devices x"), "takes no arguments");
  assert_fails(run("step a.ply b.ply --device-memory 1M"), "need --device");
  assert_fails(run("query --device-queue 1M x.csv"), "need --device");
}

/* Nobody is there: OpenCL without a driver, and no OpenCL at all. */
static void without_a_device_the_cpu_works(void **state) {
  (void)state;
  const char *frames[2];
  write_drape(frames);
  const char *vendors = getenv("OCL_ICD_VENDORS");
  char kept[1024];
  snprintf(kept, sizeof kept, "%s", vendors ? vendors : "");
  assert_int_equal(setenv("OCL_ICD_VENDORS", test_path("nowhere"), 1), 0);
  json_t *list = assert_json(run("devices --json"), 0);
  assert_int_equal(json_array_size(json_object_get(list, "devices")), 0);
  assert_true(json_is_string(json_object_get(list, "reason")));
  json_decref(list);
  ran shown = run("devices");
  assert_non_null(strstr(shown.out, "no devices: "));
  assert_int_equal(shown.code, 0);
  ran_free(&shown);
  assert_fails(run("step %s %s --device 0", frames[0], frames[1]), "--device: device '0': ");
  ran result = run("step %s %s --device auto --json", frames[0], frames[1]);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.err, "toi: warning: no device can be used, the CPU works alone"));
  ran_free(&result);
  if (kept[0] != '\0')
    setenv("OCL_ICD_VENDORS", kept, 1);
  else
    unsetenv("OCL_ICD_VENDORS");
}

#ifdef TOI_OPENCL

#include "device/faults.h"

static void a_device_is_listed_and_used(void **state) {
  (void)state;
  need_device();
  const char *frames[2];
  write_drape(frames);
  set_fault("none");
  json_t *list = assert_json(run("devices --json"), 0), *devices = json_object_get(list, "devices");
  assert_true(json_array_size(devices) >= 1);
  const json_t *first = json_array_get(devices, 0);
  assert_true(json_is_true(json_object_get(first, "usable")));
  assert_count(first, "number", 0);
  json_t *cpu = assert_json(run("step %s %s --all --json", frames[0], frames[1]), 0);
  char *expected = answers_of(cpu);
  static const char *const ways[] = {"--device 0", "--device auto --device-memory 4M --device-queue 64K",
                                     "--device 0 --broad sweep", "--device cpu"};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    json_t *report = assert_json(run("step %s %s --all --json %s", frames[0], frames[1], ways[i]), 0);
    char *found = answers_of(report);
    assert_string_equal(found, expected);
    free(found);
    json_decref(report);
  }
  assert_fails(run("step %s %s --device 99", frames[0], frames[1]), "unknown device '99'");
  assert_fails(run("step %s %s --device 0 --device-memory 1K", frames[0], frames[1]), "device_memory is 1024");
  free(expected);
  json_decref(cpu);
  json_decref(list);
}

static void a_device_that_fails_is_named_and_the_cpu_finishes(void **state) {
  (void)state;
  need_device();
  const char *frames[2];
  write_drape(frames);
  json_t *cpu = assert_json(run("step %s %s --all --json", frames[0], frames[1]), 0);
  char *expected = answers_of(cpu);
  static const struct {
    const char *fault, *words;
  } cases[] = {{"vanishes:20", "; the CPU did the rest"},
               {"vanishes:45", "; the CPU did the rest"},
               {"memory:60000", "out of device memory (clCreateBuffer"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    set_fault(cases[i].fault);
    ran result = run("step %s %s --all --json --device 0 --device-memory 1M --device-queue 64K", frames[0], frames[1]);
    if (!strstr(result.err, cases[i].words) || strncmp(result.err, "toi: warning: device '", 22) != 0)
      fail_msg("%s: %s", cases[i].fault, result.err);
    json_t *report = json_loads(result.out, 0, NULL);
    assert_non_null(report);
    assert_int_equal(result.code, 0);
    char *found = answers_of(report);
    assert_string_equal(found, expected);
    free(found);
    json_decref(report);
    ran_free(&result);
  }
  set_fault("rounds");
  assert_fails(run("step %s %s --device 0", frames[0], frames[1]), "its arithmetic is not IEEE 754's");
  set_fault("none");
  free(expected);
  json_decref(cpu);
}

static void queries_are_answered_on_a_device(void **state) {
  (void)state;
  need_device();
  const char *hit = test_write_text("hit-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  static const char *const faults[] = {"none", "vanishes:14"};
  for (int i = 0; i < 2; i++) {
    set_fault(faults[i]);
    ran result = run("query %s --method interval-queue --device 0 --json", hit);
    json_t *report = json_loads(result.out, 0, NULL);
    assert_non_null(report);
    assert_count(report, "near", 1);
    assert_count(report, "misses", 1);
    assert_count(report, "false_negatives", 0);
    assert_int_equal(strstr(result.err, "; the CPU did the rest") != NULL, i == 1);
    json_decref(report);
    ran_free(&result);
  }
  set_fault("none");
  ran table = run("bench %s --method interval-queue --device 0", hit);
  assert_int_equal(table.code, 0);
  assert_string_equal(table.err, "");
  ran_free(&table);
}

#endif

int main(void) {
#ifdef TOI_OPENCL
  use_faulty_driver();
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_that_are_wrong_are_refused),
      cmocka_unit_test(without_a_device_the_cpu_works),
#ifdef TOI_OPENCL
      cmocka_unit_test(a_device_is_listed_and_used),
      cmocka_unit_test(a_device_that_fails_is_named_and_the_cpu_finishes),
      cmocka_unit_test(queries_are_answered_on_a_device),
#endif
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
