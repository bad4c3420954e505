/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi sequence`, frame after frame, and the scene of `toi demo`. */

#include "cli/meshes.h"

/* Frames 1, 2, 9, 10 and 11 of a fall: the corner lands between the last two of them. */
static const char *write_animation(void) {
  static const struct {
    const char *name;
    double z;
  } frames[] = {{"fall/frame10.ply", 0.5},
                {"fall/frame2.ply", 1.5},
                {"fall/frame1.ply", 2},
                {"fall/frame011.ply", -0.5},
                {"fall/frame9.ply", 1}};
  static bool made;
  if (!made) {
    test_make_directory("fall");
    made = true;
  }
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
    write_triangles(frames[i].name, frames[i].z);
  test_write_text("fall/notes.txt", "no mesh");
  return test_path("fall");
}

static void a_directory_is_an_animation_in_natural_order(void **state) {
  (void)state;
  const char *directory = write_animation();
  static const char *const order[] = {"frame1.ply", "frame2.ply", "frame9.ply", "frame10.ply", "frame011.ply"};
  json_t *object = assert_json(run("sequence %s --json --all --threads 2", directory), 0);
  assert_count(object, "frames", 5);
  assert_count(object, "first_impact_step", 3);
  assert_count(object, "impacts", 1);
  assert_count(object, "threads", 2);
  assert_kinds(object, "hits", (const long long[]){1, 0, 0, 0});
  assert_true(number_at(json_object_get(object, "ms"), "total") >= 0);
  const json_t *steps = json_object_get(object, "steps");
  assert_int_equal(json_array_size(steps), 4);
  for (size_t i = 0; i < 4; i++) {
    const json_t *step = json_array_get(steps, i);
    const char *start = json_string_value(json_object_get(step, "start"));
    const char *end = json_string_value(json_object_get(step, "end"));
    assert_string_equal(strrchr(start, '/') + 1, order[i]);
    assert_string_equal(strrchr(end, '/') + 1, order[i + 1]);
    assert_count(step, "vertices", 6);
    assert_text(step, "verdict", i < 3 ? "miss" : "hit");
  }
  assert_time(json_array_get(steps, 3), 0.5);
  assert_first(json_array_get(steps, 3), "vf", 3, 0);
  json_decref(object);
}

static void without_an_impact_there_is_no_first(void **state) {
  (void)state;
  write_animation();
  const char *a = test_path("fall/frame1.ply"), *b = test_path("fall/frame2.ply");
  json_t *object = assert_json(run("sequence %s %s %s --json --fail-on-hit", a, b, a), 0);
  assert_count(object, "frames", 3);
  assert_count(object, "impacts", 0);
  assert_true(json_is_null(json_object_get(object, "first_impact_step")));
  assert_null(json_object_get(object, "hits"));
  json_decref(object);
}

static void the_table_has_a_row_a_step(void **state) {
  (void)state;
  ran result = run("sequence %s --fail-on-hit", write_animation());
  assert_int_equal(result.code, 1);
  assert_string_equal(result.err, "");
  assert_non_null(strstr(result.out, "5 frames of 6 vertices, 6 edges and 2 faces"));
  assert_non_null(strstr(result.out, "vertex 3 with face 0"));
  assert_non_null(strstr(result.out, "1 of 4 steps touch, the first in step 3"));
  ran_free(&result);
}

static void bad_frames_are_named(void **state) {
  (void)state;
  const char *directory = write_animation();
  assert_fails(run("sequence"), "needs frames");
  assert_fails(run("sequence %s", test_path("fall/frame1.ply")), "a single frame is not a step");
  assert_fails(run("sequence %s nowhere", directory), "nowhere: cannot be read");
  test_make_directory("bare");
  assert_fails(run("sequence %s", test_path("bare")), "a directory without meshes");
  assert_fails(run("sequence %s --hits x", directory), "unknown option '--hits' for toi sequence");
  assert_fails(run("sequence %s %s", directory, write_loose("other.ply", 0)), "other.ply");
  assert_fails(run("sequence %s %s", directory, test_write_text("fall12.ply", "ply\n")), "fall12.ply");
}

/* --- the scene of the demonstration --- */

static void the_demonstration_is_the_same_for_any_number_of_threads(void **state) {
  (void)state;
  char hash[64] = "";
  for (int threads = 1; threads <= 3; threads++) {
    json_t *object = assert_json(run("demo --json --size 20 --threads %d", threads), 0);
    assert_text(object, "verdict", "hit");
    assert_true(json_is_true(json_object_get(object, "right")));
    assert_count(object, "threads", threads);
    const json_t *between = json_object_get(object, "between");
    assert_true(json_integer_value(json_object_get(between, "cloth-ball")) > 100);
    assert_true(json_integer_value(json_object_get(between, "cloth-rings")) > 100);
    assert_count(between, "ball-rings", 0);
    const char *found = json_string_value(json_object_get(object, "hash"));
    assert_int_equal(strlen(found), 16);
    if (threads == 1)
      snprintf(hash, sizeof hash, "%s", found);
    assert_string_equal(found, hash);
    json_decref(object);
  }
  json_t *other = assert_json(run("demo --json --size 20 --seed 2"), 0);
  assert_string_not_equal(json_string_value(json_object_get(other, "hash")), hash);
  json_decref(other);
}

static void the_scene_is_written_for_others_to_read(void **state) {
  (void)state;
  const char *directory = test_path("scene");
  json_t *made = assert_json(run("demo --size 16 --json --write %s", directory), 0);
  json_t *read = assert_json(run("step %s/frame0.ply %s/frame1.ply --all --json", directory, directory), 0);
  static const char *const same[] = {"vertices", "edges", "faces", "verdict", "candidates", "hits", "toi", "first"};
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
    assert_true(json_equal(json_object_get(made, same[i]), json_object_get(read, same[i])));
  json_t *walked = assert_json(run("sequence %s --json", directory), 0);
  const json_t *step = json_array_get(json_object_get(walked, "steps"), 0);
  assert_true(json_equal(json_object_get(made, "first"), json_object_get(step, "first")));
  json_decref(made);
  json_decref(read);
  json_decref(walked);
  assert_fails(run("demo --write %s", test_path("scene/frame0.ply/below")), "cannot be");
}

static void the_demonstration_shows_a_table(void **state) {
  (void)state;
  ran result = run("demo");
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {
      "A cloth falls over a ball", "8064", "time of impact", "colliding", "cloth with ball", "cloth with rings"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    assert_non_null(strstr(result.out, said[i]));
  ran_free(&result);
}

static void options_of_the_scene_and_of_queries_do_not_mix(void **state) {
  (void)state;
  assert_fails(run("demo --size 3"), "--size must lie between 4 and 2000");
  assert_fails(run("demo --size 2001"), "--size must lie between 4 and 2000");
  assert_fails(run("demo --size 10 --queries"), "leave one or the other out");
  assert_fails(run("demo --write x --count 5"), "leave one or the other out");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_directory_is_an_animation_in_natural_order),
      cmocka_unit_test(without_an_impact_there_is_no_first),
      cmocka_unit_test(the_table_has_a_row_a_step),
      cmocka_unit_test(bad_frames_are_named),
      cmocka_unit_test(the_demonstration_is_the_same_for_any_number_of_threads),
      cmocka_unit_test(the_scene_is_written_for_others_to_read),
      cmocka_unit_test(the_demonstration_shows_a_table),
      cmocka_unit_test(options_of_the_scene_and_of_queries_do_not_mix),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
