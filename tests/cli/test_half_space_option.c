/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* --half-space in the commands about meshes: what it adds to their answers, and what is refused. */

#include "cli/meshes.h"

#include <toi/io.h>

static const char *const below = "0,0,2,-1"; /* z >= -1/2 */

static void a_corner_reaches_the_floor(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  // Of the triangles alone the first contact is at 1/2; the floor z = 1/2 is met at 1/4, but the other one lies below
  // it.
  json_t *object = assert_json(run("step %s %s --json --half-space 0,0,1,0.5", start, end), 0);
  assert_first(object, "vh", 0, 0);
  json_t *first = json_object_get(object, "start");
  assert_true(json_is_true(json_object_get(first, "intersects")));
  assert_count(json_object_get(first, "half_spaces"), "behind", 3);
  assert_count(json_object_get(first, "half_spaces"), "touching", 0);
  json_decref(object);

  object = assert_json(run("step %s %s --json --all --half-space %s --half-space=-1,0,0,-4", start, end, below), 0);
  assert_first(object, "vf", 3, 0);
  assert_count(json_object_get(object, "candidates"), "vh", 1);
  assert_count(json_object_get(object, "hits"), "vh", 1);
  assert_int_equal(json_object_size(json_object_get(object, "hits")), TOI_KIND_COUNT + 1);
  json_decref(object);
}

/* It must end with this code and print these words. */
static void assert_prints(ran result, int code, const char *const *words, size_t count) {
  assert_int_equal(result.code, code);
  for (size_t k = 0; k < count; k++)
    if (strstr(result.out, words[k]) == NULL)
      fail_msg("\"%s\" is not in \"%s\"", words[k], result.out);
  ran_free(&result);
}

static void the_table_names_the_half_space(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", 0.25);
  static const char *const of_step[] = {"vertex-half-space", "vertex 0 with half-space 1",
                                        "meets half-spaces: 4 behind a plane, 0 on one"};
  static const char *const of_check[] = {"vertex 0 touches half-space 0", "0 vertices behind a plane, 3 on one"};
  assert_prints(run("step %s %s --all --half-space 0,0,1,-1 --half-space 1,0,0,0.28", start, end), 0, of_step, 3);
  assert_prints(run("check %s --half-space 0,0,1,0 --fail-on-hit", start), 1, of_check, 2);
}

static void pairs_are_written_behind_the_others(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", -1);
  static const char *const of_step = "\"vv\":[],\n\"vh\":[[3,0]]}";
  static const char *const of_check = "\"vh\":[[0,0],[1,0],[2,0]],\n\"patch\":[]}";
  assert_prints(run("step %s %s --hits - --half-space %s", start, end, below), 0, &of_step, 1);
  assert_prints(run("step %s %s --candidates - --half-space %s", start, end, below), 0, &of_step, 1);
  assert_prints(run("check %s --out - --half-space 0,0,1,0", start), 0, &of_check, 1);
  json_t *object = assert_json(run("check %s --json --half-space 0,0,1,0", start), 0);
  assert_first(object, "vh", 0, 0);
  assert_count(json_object_get(object, "half_spaces"), "touching", 3);
  json_decref(object);
}

static void the_largest_step_ends_above_the_floor(void **state) {
  (void)state;
  const char *start = write_triangles("start.ply", 1), *end = write_triangles("end.ply", 0.25);
  json_t *object = assert_json(run("line-search %s %s --json --half-space 1,0,1,0.75 --half-space 0,0,1,-1 "
                                   "--half-space 0,1,0,-1",
                                   start, end),
                               0);
  // x + z >= 3/4 is broken by the triangle at rest.
  assert_true(number_at(object, "step") == 0);
  assert_first(object, "vh", 0, 0);
  json_decref(object);
  object = assert_json(run("line-search %s %s --json --min-separation 0.125 --half-space 1,1,2,-1", start, end), 0);
  assert_true(number_at(object, "step") == 1);
  json_decref(object);
  object = assert_json(run("sequence %s %s --json --half-space 0,0,1,-1", start, end), 0);
  assert_int_equal(json_object_size(json_object_get(object, "candidates")), TOI_KIND_COUNT + 1);
  json_decref(object);
}

static void what_is_no_half_space_is_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"0,0,1",   "0,0,0,1", "0,0,1,0,", "0,0,nan,1", "0,0,1,inf",
                                      "a,0,1,0", "0 0 1 0", "",         "0,,1,0"};
  const char *start = write_triangles("start.ply", 1);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_fails(run("check %s --half-space '%s'", start, wrong[i]), "not a half-space; give four finite numbers");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_reaches_the_floor),          cmocka_unit_test(the_table_names_the_half_space),
      cmocka_unit_test(pairs_are_written_behind_the_others), cmocka_unit_test(the_largest_step_ends_above_the_floor),
      cmocka_unit_test(what_is_no_half_space_is_refused),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
