/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi explain`: the words of the table, the JSON and the picture say what toi_explain() says; bad words get a line. */

#include "cli/inputs.h"

#include <toi/explain.h>

#define FALLING "--kind vf --points '0.25,0.25,1 0,0,0 1,0,0 0,1,0  0.25,0.25,-1 0,0,0 1,0,0 0,1,0'"

static void the_table_names_the_level_that_decided(void **state) {
  (void)state;
  write_inputs();
  ran result = run("explain %s --index 0", test_path("vf.csv"));
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "vertex-face: hit, decided by root"));
  assert_non_null(strstr(result.out, "sign         open    signs of b0 to b3: + + - -"));
  assert_non_null(
      strstr(result.out, "t = 0.5, simple: the first contact, u = 0.25, v = 0.25; areas along z: 0.25 0.5 0.25"));
  assert_null(strstr(result.out, " \n"));
  ran_free(&result);
  result = run("explain %s --index 1", test_path("vf.csv"));
  assert_non_null(strstr(result.out, "vertex-face: miss, decided by box"));
  assert_non_null(strstr(result.out, "z in [0.5, 1] (apart)"));
  assert_non_null(strstr(result.out, "  none\n"));
  ran_free(&result);
}

static void the_json_holds_every_number(void **state) {
  (void)state;
  json_t *object = assert_json(run("explain " FALLING " --json --min-separation 0.5"), 0);
  const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double end[4][3] = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  toi_options options = toi_default_options();
  options.min_separation = 0.5;
  toi_explanation e;
  assert_int_equal(toi_explain(TOI_VERTEX_FACE, start, end, &options, &e), TOI_OK);
  assert_text(object, "kind", "vertex-face");
  assert_text(json_object_get(object, "outcomes"), toi_level_name((toi_level)e.hit.level), "hit");
  assert_text(json_object_get(object, "outcomes"), "root", "absent");
  assert_true(number_at(json_object_get(object, "hit"), "t_lo") == e.hit.t_lo);
  static const char *const keys[] = {"coefficient", "bound", "exact", "limit"};
  const double *values[] = {e.coefficient, e.bound, e.exact, e.limit};
  for (int i = 0; i < 4; i++)
    for (size_t k = 0; k < 4; k++)
      assert_true(json_number_value(json_array_get(json_object_get(object, keys[i]), k)) == values[i][k]);
  const json_t *root = json_array_get(json_object_get(object, "roots"), 0);
  assert_text(root, "source", "cubic");
  assert_true(number_at(root, "t_lo") == 0.5 && json_is_true(json_object_get(root, "touching")));
  assert_true(json_is_null(json_object_get(object, "reduced")));
  json_decref(object);
}

static void the_picture_is_whole(void **state) {
  (void)state;
  const char *picture = test_path("why.svg");
  static const char falling[] = FALLING, close[] = FALLING " --min-separation 0.25";
  static const char *const lines[] = {falling, close, "--kind ve --points '0,0,1 -1,0,0 1,0,0 0,0,-1 -1,0,0 1,0,0'",
                                      "--kind vv --points '0,0,1 0,0,0 0,0,-1 0,0,0'",
                                      "--kind ee --points '0,0,0 0,0,0 0,0,0 0,0,0 0,0,0 0,0,0 0,0,0 0,0,0'"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    ran result = run("explain %s --picture %s", lines[i], picture);
    assert_int_equal(result.code, 0);
    ran_free(&result);
    char *text = test_read_bytes(picture, NULL);
    assert_true(strncmp(text, "<svg", 4) == 0 && strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
  }
  assert_fails(run("explain " FALLING " --picture /dev/full"), "No space left");
}

static void bad_words_get_a_line(void **state) {
  (void)state;
  write_inputs();
  assert_fails(run("explain"), "needs one file of queries, or --kind and --points");
  assert_fails(run("explain %s --index 2", test_path("vf.csv")), "has 2 queries, numbered from 0");
  assert_fails(run("explain %s", test_path("spheres.json")), "--kind");
  assert_fails(run("explain --points '0,0,0'"), "--points needs --kind");
  assert_fails(run("explain --kind vf --points '0,0,0'"), "number 4 of 24 is missing");
  assert_fails(run("explain --kind vv --points '0 0 0 0 0 0 0 0 0 0 0 0 1'"), "more than 12 numbers");
  assert_fails(run("explain --kind ef --points '0'"), "must be vf, ee, ve or vv");
  assert_fails(run("explain --kind vv --points 'nan 0 0 0 0 0 0 0 0 0 0 0'"), "not finite");
  assert_fails(run("explain " FALLING " --method guess"), "toi methods");
  assert_fails(run("explain " FALLING " --min-separation -1"), "not negative");
  assert_fails(run("explain %s --picture %s", test_path("vf.csv"), test_path("vf.csv")), "would be replaced");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_names_the_level_that_decided),
      cmocka_unit_test(the_json_holds_every_number),
      cmocka_unit_test(the_picture_is_whole),
      cmocka_unit_test(bad_words_get_a_line),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
