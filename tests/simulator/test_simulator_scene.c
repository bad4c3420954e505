/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scene files: what is unknown, missing or out of range is refused with the file, the field, and what is allowed. */

#include "simulator/worlds.h"

#include <stdio.h>
#include <string.h>

#define CLOTH                                                                                                          \
  "\"cloth\": {\"shape\": \"sheet\", \"size\": [1, 1], \"cells\": [4, 4], \"density\": 1, \"stretch\": 1, \"bend\": "  \
  "0}"
#define CONTACT "\"contact\": {\"distance\": 1e-3, \"stiffness\": 1}"
#define START "{\"title\": \"t\", \"step\": 0.01, "

static void assert_refused(const char *text, const char *sentence) {
  sim_scene scene;
  sim_fault fault;
  const char *path = test_write_text("bad.json", text);
  assert_false(scene_read(path, 1, &scene, &fault));
  if (strncmp(fault.text, path, strlen(path)) != 0 || strstr(fault.text, sentence) == NULL)
    fail_msg("said \"%s\"; expected \"%s\"", fault.text, sentence);
}

static void smallest_scene_is_read(void **state) {
  (void)state;
  sim_scene scene, finer;
  sim_fault fault;
  const char *path = test_write_text("good.json", START CLOTH ", " CONTACT "}");
  assert_true(scene_read(path, 1, &scene, &fault));
  assert_true(scene.step == 0.01 && scene.fraction == 0.2 && scene.frames == 100 && scene.cloth.poisson == 0.3);
  assert_true(scene_read(path, 2.5, &finer, &fault));
  assert_int_equal(finer.cloth.cells[0], 10);
  assert_true(finer.hash != scene.hash);
}

static void unknown_fields_are_refused(void **state) {
  (void)state;
  assert_refused(
      START CLOTH ", " CONTACT ", \"gravitiy\": [0, 0, -9]}",
      "unknown field 'gravitiy' of the scene; allowed: title, step, frames, gravity, cloth, obstacles, half_spaces, "
      "held, held_stiffness, contact, newton");
  assert_refused(START CONTACT
                 ", \"cloth\": {\"shape\": \"sheet\", \"size\": [1, 1], \"cells\": [4, 4], \"density\": 1,"
                 " \"stretch\": 1, \"bend\": 0, \"colour\": 3}}",
                 "unknown field 'colour' of the cloth; allowed: shape, size, cells, at, density");
  assert_refused(START CLOTH ", \"contact\": {\"distance\": 1e-3, \"stiffness\": 1, \"dhat\": 1}}",
                 "unknown field 'dhat' of contact; allowed: distance, stiffness, friction, slip, fraction");
  assert_refused(START CLOTH ", " CONTACT ", \"newton\": {\"steps\": 3}}",
                 "unknown field 'steps' of newton; allowed: tolerance, iterations");
  assert_refused(START CLOTH ", " CONTACT ", \"held\": [{\"box\": [[0, 0, 0], [1, 1, 1]], \"spin\": 3}]}",
                 "unknown field 'spin' of held 0; allowed: box, velocity, axis, centre, turns, until, release");
  // A ball has no cross-section.
  assert_refused(START CLOTH ", " CONTACT
                             ", \"obstacles\": [{\"shape\": \"ball\", \"radius\": 1, \"cells\": [6, 6], \"tube\": 1}]}",
                 "unknown field 'tube' of obstacle 0; allowed: shape, radius, cells, at");
}

static void missing_and_wrong_values_are_refused(void **state) {
  (void)state;
  assert_refused("{\"title\": \"t\", " CLOTH ", " CONTACT "}", "field 'step' of the scene is missing");
  assert_refused(START CLOTH "}", "field 'contact' of the scene is missing");
  assert_refused(START CLOTH ", \"contact\": 3}", "contact: expected an object");
  assert_refused(START "\"cloth\": [], " CONTACT "}", "the cloth: expected an object");
  assert_refused(START CLOTH ", \"contact\": {\"distance\": -1, \"stiffness\": 1}}",
                 "field 'distance' of contact: expected a number from 1e-09 to 1e+06");
  assert_refused(START CLOTH ", \"contact\": {\"distance\": 1e-3, \"stiffness\": 1, \"fraction\": 1}}",
                 "field 'fraction' of contact: expected a number from 0 to 0.99");
  assert_refused(START CLOTH ", " CONTACT ", \"gravity\": [0, 0]}",
                 "field 'gravity' of the scene: expected a list of 3");
  assert_refused(START CLOTH ", " CONTACT ", \"gravity\": [0, 0, \"down\"]}",
                 "field 'gravity' of the scene: expected a number");
  assert_refused(START CLOTH ", " CONTACT ", \"frames\": 1.5}", "field 'frames' of the scene: expected a whole number");
  assert_refused(START CLOTH ", " CONTACT ", \"obstacles\": [{\"shape\": \"cube\"}]}",
                 "field 'shape' of obstacle 0: expected 'ball' or 'ring'");
  assert_refused(START CLOTH ", " CONTACT ", \"obstacles\": {}}", "expected a list of at most");
  assert_refused(START CLOTH ", " CONTACT ", \"half_spaces\": [{\"normal\": [0, 0, 0], \"offset\": 1}]}",
                 "field 'normal' of half-space 0: expected a vector of positive length");
  assert_refused(START CLOTH ", " CONTACT ", \"half_spaces\": [{\"offset\": 1}]}",
                 "field 'normal' of half-space 0 is missing");
  assert_refused(START CLOTH ", " CONTACT ", \"held\": [{\"box\": [[0, 0, 0], [1, 1, 1]], \"axis\": [0, 0, 0]}]}",
                 "field 'axis' of held 0: expected a vector of positive length");
}

static void what_is_not_json_is_refused(void **state) {
  (void)state;
  assert_refused("{\"title\": \"t\",\n\"step\" 0.01}", "line 2: not JSON");
  assert_refused("", "not JSON");
  assert_refused("[]", "the scene: expected an object");
  assert_refused(START "\"step\": 0.02, " CLOTH ", " CONTACT "}", "duplicate");
  sim_scene scene;
  sim_fault fault;
  assert_false(scene_read(test_path("nothing.json"), 1, &scene, &fault));
  assert_non_null(strstr(fault.text, "cannot be read"));
}

static void impossible_worlds_are_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *sentence;
  } cases[] = {
      {START CLOTH ", " CONTACT ", \"held\": [{\"box\": [[5, 5, 5], [6, 6, 6]]}]}",
       "held 0: no vertex of the cloth starts in its box"},
      {START CLOTH ", " CONTACT ", \"obstacles\": [{\"shape\": \"ball\", \"radius\": 0.3, \"cells\": [6, 6]}]}",
       "the initial state intersects itself"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sim_scene scene;
    sim_fault fault = {.text = ""};
    sim_world world;
    assert_true(scene_read(test_write_text("scene.json", cases[i].text), 1, &scene, &fault));
    assert_false(simulation_create(&world, &scene, 1, &fault));
    if (strstr(fault.text, cases[i].sentence) == NULL)
      fail_msg("said \"%s\"; expected \"%s\"", fault.text, cases[i].sentence);
    simulation_free(&world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smallest_scene_is_read),
      cmocka_unit_test(unknown_fields_are_refused),
      cmocka_unit_test(missing_and_wrong_values_are_refused),
      cmocka_unit_test(what_is_not_json_is_refused),
      cmocka_unit_test(impossible_worlds_are_refused),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
