/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact` about bodies of patches: among formulas, with a separation, with themselves; scenes of `toi surface`
 * rewritten, and each command's scene given to the other. Times are those of the closed form. */

#include "cli/meshes.h"

#include <math.h>

#define OLD_FALL                                                                                                       \
  "{\"name\":\"fall\",\"comment\":\"c\",\"a\":\"sphere\",\"b\":{\"shape\":\"sphere\",\"radius\":0.5},\"motion_a\":"    \
  "{\"shift\":[0,0,4],\"velocity\":[0,0,-2],\"spin\":[0.5,0,1],\"centre\":[0,0,4]},\"t_max\":2}"
#define OLD_SELF "{\"a\":{\"shape\":\"teapot\"}}"
/* Centres 4 - 2 t apart, radii 1 and 0.5. */
#define FALL_MEETS 1.25

static void assert_meets(const json_t *object, double time) {
  const json_t *toi = json_object_get(object, "toi");
  const double lo = json_number_value(json_object_get(toi, "lo")), hi = json_number_value(json_object_get(toi, "hi"));
  if (!(lo <= time && time <= hi && hi - lo < 1e-5))
    fail_msg("[%.17g, %.17g] is not %.17g", lo, hi, time);
}

static void the_examples_are_answered(void **state) {
  (void)state;
  static const struct {
    const char *path, *verdict;
    double t;
  } examples[] = {{"contact/teapot-on-cone", "hit", 0.616960725572752},
                  {"contact/teapots", "hit", 0.53445222532009},
                  {"contact/patch-on-waves", "hit", 0.98825467101447},
                  {"surfaces/ring-near-teapot", "hit", 0.70133927311},
                  {"surfaces/teapot-with-itself", "hit", 0},
                  {"surfaces/tube-meets-ball", "hit", 0.52176225414373}};
  for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    json_t *object = assert_json(run("contact " TOI_SOURCE_DIR "/examples/%s.json --json", examples[i].path), 0);
    assert_text(object, "verdict", examples[i].verdict);
    assert_text(object, "end", "done");
    assert_meets(object, examples[i].t);
    json_decref(object);
  }
}

/* The first contact names the patches of models, and nothing of other bodies. */
static void contacts_name_their_patches(void **state) {
  (void)state;
  ran table = run("contact " TOI_SOURCE_DIR "/examples/contact/teapot-on-cone.json --picture %s", test_path("a.svg"));
  assert_int_equal(table.code, 0);
  assert_non_null(strstr(table.out, "teapot (patch 29), cone: unique"));
  ran_free(&table);
  char *picture = test_read_bytes(test_path("a.svg"), NULL);
  assert_non_null(strstr(picture, "<svg"));
  free(picture);
  json_t *object = assert_json(run("contact " TOI_SOURCE_DIR "/examples/contact/teapot-on-cone.json --json"), 0);
  const json_t *contact = json_array_get(json_object_get(object, "contacts"), 0);
  assert_count(contact, "patch_a", 29);
  assert_true(json_is_null(json_object_get(contact, "patch_b")));
  json_decref(object);
}

static void older_scenes_are_rewritten(void **state) {
  (void)state;
  ran written = run("contact --convert %s", test_write_text("old.json", OLD_FALL));
  assert_int_equal(written.code, 0);
  json_t *scene = json_loads(written.out, 0, NULL);
  assert_text(scene, "title", "fall");
  assert_text(scene, "note", "c");
  const json_t *first = json_array_get(json_object_get(scene, "bodies"), 0);
  assert_int_equal(json_array_size(json_object_get(first, "motion")), 3);
  json_decref(scene);
  test_write_text("new.json", written.out);
  ran_free(&written);
  // All three ask the same.
  json_t *object = assert_json(run("contact %s --json", test_path("new.json")), 0);
  assert_text(object, "verdict", "hit");
  assert_meets(object, FALL_MEETS);
  json_decref(object);
  object = assert_json(run("contact %s --min-separation 0.5 --json", test_path("new.json")), 0);
  assert_text(object, "verdict", "hit");
  assert_meets(object, FALL_MEETS - 0.25);
  json_decref(object);
  object = assert_json(run("surface %s --json", test_path("old.json")), 0);
  assert_text(object, "verdict", "hit");
  assert_meets(object, FALL_MEETS);
  json_decref(object);
}

/* One model with itself, whose answer says what it does not speak of; to a file. */
static void an_older_scene_of_one_model_is_rewritten(void **state) {
  (void)state;
  test_write_text("self.json", OLD_SELF);
  ran written = run("contact --convert %s --out %s", test_path("self.json"), test_path("one.json"));
  assert_int_equal(written.code, 0);
  ran_free(&written);
  ran table = run("contact %s", test_path("one.json"));
  assert_int_equal(table.code, 0);
  assert_non_null(strstr(table.out, "one.json: 1 body with itself"));
  assert_non_null(strstr(table.out, "skipped            patches with themselves"));
  assert_non_null(strstr(table.out, "touching at the start"));
  ran_free(&table);
  table = run("surface %s", test_path("self.json"));
  assert_non_null(strstr(table.out, "skipped            patches with themselves"));
  ran_free(&table);
}

/* Each command says what the other's scene is. */
static void a_scene_of_the_other_command_gets_a_hint(void **state) {
  (void)state;
  const char *text = "{\"bodies\":[{\"name\":\"a\",\"shape\":{\"model\":\"teapot\"}}]}";
  assert_fails(run("surface %s", test_write_text("new.json", text)), "a scene of toi contact; run toi contact ");
  assert_fails(
      run("contact %s", test_write_text("old.json", OLD_FALL)),
      "old.json:1:34: a: a scene of `toi surface`; use that command, or rewrite the file with `toi contact --convert`");
  assert_fails(run("contact --convert %s", test_path("new.json")), "a scene of toi contact");
}

/* A unit ball comes within 1/2 of another whose centre starts 4 away, at the time when the centres are 5/2 apart, in
 * whatever way the same motion is said; one turns about itself, which changes nothing. */
static void separations_are_asked_about_any_motion(void **state) {
  (void)state;
  static const struct {
    const char *motion;
    double meets;
  } cases[] = {
      {"{\"move\":{\"shift\":[4,0,0],\"velocity\":[-2,0,0]}}", 0.75},
      {"[{\"turn\":{\"axis\":[1,2,3],\"rate\":2,\"angle\":1}},{\"move\":{\"shift\":[4,0,0],\"velocity\":[-2,0,0]}}]",
       0.75},
      {"[{\"spin\":{\"rate\":[1,2,3]}},{\"move\":{\"shift\":[4,0,0],\"velocity\":[-2,0,0]}}]", 0.75},
      {"{\"move\":{\"shift\":[\"4 - 2*t^2\",0,0]}}", 0.8660254037844386},
      {"{\"move\":{\"shift\":[\"2.25 + 2*abs(t - 0.5)\",0,0]}}", 0.375},
      {"{\"formula\":{\"quaternion\":[\"cos(t)\",0,\"sin(t)\",\"0.5*t\"],\"translation\":[\"4 - 2*t\",0,0]}}", 0.75},
      {"{\"chebyshev\":{\"from\":-1,\"to\":1,\"translation\":[[3,-2,-1],[0,0,0],[0,0,0]]}}", 0.5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"min_separation\":0.5,\"bodies\":[{\"name\":\"a\",\"shape\":{\"model\":\"sphere\"}},"
             "{\"name\":\"b\",\"shape\":{\"model\":\"sphere\"},\"motion\":%s}]}",
             cases[i].motion);
    json_t *object = assert_json(run("contact %s --json", test_write_text("any.json", text)), 0);
    assert_text(object, "verdict", "hit");
    assert_meets(object, cases[i].meets);
    json_decref(object);
  }
}

/* A shaft turns in its bore, a gap of 1e-4 apart, both put somewhere by a turn and a shift. */
static void parts_that_nearly_fit_are_followed_wherever_they_are_put(void **state) {
  (void)state;
#define PUT                                                                                                            \
  "{\"turn\":{\"axis\":[1,2,3],\"angle\":0.7,\"through\":[0.3,0.2,0.1]}},"                                             \
  "{\"move\":{\"shift\":[1,2,3],\"velocity\":[0.1,0,0]}}]}"
  static const char *const turns[] = {"{\"turn\":{\"axis\":[0,0,2],\"rate\":1}},",
                                      "{\"spin\":{\"rate\":[0,0,1],\"through\":[0,0,7]}},",
                                      "{\"screw\":{\"axis\":[0,0,-1],\"rate\":1,\"speed\":0.01}},"};
  for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"min_separation\":1e-9,\"bodies\":["
             "{\"name\":\"shaft\",\"shape\":{\"model\":\"" TOI_SOURCE_DIR
             "/examples/surfaces/shaft.json\"},\"motion\":[%s" PUT
             ",{\"name\":\"bore\",\"shape\":{\"model\":\"" TOI_SOURCE_DIR
             "/examples/surfaces/bore.json\"},\"motion\":[" PUT "]}",
             turns[i]);
    json_t *object = assert_json(run("contact %s --json", test_write_text("fit.json", text)), 0);
    assert_text(object, "verdict", "miss");
    json_decref(object);
  }
}

static void what_cannot_be_asked_is_refused(void **state) {
  (void)state;
  const char *balls =
      test_write_text("balls.json", "{\"bodies\":[{\"name\":\"a\",\"shape\":{\"sphere\":{\"radius\":1}}},"
                                    "{\"name\":\"b\",\"shape\":{\"model\":\"teapot\"},\"motion\":"
                                    "{\"turn\":{\"axis\":[0,0,1],\"rate\":1}}}]}");
  assert_fails(run("contact %s --min-separation 1", balls), "body 'a' is not made of patches");
  assert_fails(run("contact %s --min-separation -1", balls), "--min-separation must be finite and not negative");
  assert_fails(run("contact %s --convert --json", balls), "--convert only rewrites a scene");
  assert_fails(run("contact --convert"), "--convert needs a scene");
  assert_fails(run("contact --convert %s", test_path("nothing.json")), "cannot be read");
  test_write_text("part.json", "{\"shape\":\"teapot\"}");
  test_write_text("old.json", "{\"a\":\"part.json\",\"b\":\"sphere\"}");
  assert_fails(run("contact --convert %s --out /tmp/elsewhere.json", test_path("old.json")), "write to that folder");
  assert_fails(run("contact --convert %s --out %s", test_path("old.json"), test_path("old.json")), "would be replaced");
  assert_fails(run("contact %s --compare --min-separation 1",
                   test_write_text("two.json", "{\"bodies\":[{\"name\":\"a\",\"shape\":{\"model\":\"sphere\"}},{"
                                               "\"name\":\"b\",\"shape\":{\"model\":\"torus\"}}]}")),
               "--compare does not support a separation");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_are_answered),
      cmocka_unit_test(contacts_name_their_patches),
      cmocka_unit_test(older_scenes_are_rewritten),
      cmocka_unit_test(an_older_scene_of_one_model_is_rewritten),
      cmocka_unit_test(a_scene_of_the_other_command_gets_a_hint),
      cmocka_unit_test(separations_are_asked_about_any_motion),
      cmocka_unit_test(parts_that_nearly_fit_are_followed_wherever_they_are_put),
      cmocka_unit_test(what_cannot_be_asked_is_refused),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
