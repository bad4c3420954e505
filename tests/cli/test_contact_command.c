/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi contact` as its users see it: what it prints, writes and draws about scenes, and what it refuses. Times and
 * places are those of the closed form. */

#include "cli/base64.h"
#include "cli/meshes.h"

#include <math.h>

/* A ball of radius 1 rests at the origin; another one comes along (-2, -4, -4) from (2, 4, 4). */
#define BALLS(more)                                                                                                    \
  "{" more "\"bodies\":[{\"name\":\"still\",\"shape\":{\"sphere\":{\"radius\":1}}},{\"name\":\"coming\",\"shape\":"    \
  "{\"sphere\":{\"radius\":1}},\"motion\":{\"move\":{\"shift\":[2,4,4],\"velocity\":[-2,-4,-4]}}}]}"

#define BALLS_MEET (2.0 / 3)

/* Budgets are looked at once for so many boxes. */
#define BOXES_BETWEEN_LOOKS 64

static const char *write_balls(void) {
  return test_write_text("balls.json", BALLS(""));
}

/* The answer has a bracket that holds this time and is no wider than that. */
static void assert_bracket(const json_t *object, double time, double width) {
  const json_t *toi = json_object_get(object, "toi");
  const double lo = number_at(toi, "lo"), hi = number_at(toi, "hi"), safe = number_at(object, "t_safe");
  if (!(lo <= time && time <= hi && hi - lo <= width && (safe < time || safe == 0)))
    fail_msg("[%.17g, %.17g], safe %.17g, is not %.17g", lo, hi, safe, time);
}

static void assert_vector(const json_t *object, const char *key, const double expected[3], double error) {
  const json_t *vector = json_object_get(object, key);
  assert_int_equal(json_array_size(vector), 3);
  for (size_t k = 0; k < 3; k++) {
    const double x = json_number_value(json_array_get(vector, k));
    if (!(fabs(x - expected[k]) <= error))
      fail_msg("%s[%zu] is %.17g, not %.17g", key, k, x, expected[k]);
  }
}

/* --- the answer --- */

static void two_balls_meet_at_one_point(void **state) {
  (void)state;
  json_t *object = assert_json(run("contact %s --json", write_balls()), 0);
  assert_text(object, "verdict", "hit");
  assert_text(object, "end", "done");
  assert_bracket(object, BALLS_MEET, 1e-6);
  assert_true(json_is_false(json_object_get(object, "touching_at_start")));
  assert_count(object, "bodies", 2);
  assert_count(object, "pairs", 1);
  assert_true(number_at(object, "boxes") > 0 && number_at(object, "ms") > 0);
  const json_t *contacts = json_object_get(object, "contacts");
  assert_int_equal(json_array_size(contacts), 1);
  const json_t *contact = json_array_get(contacts, 0), *t = json_object_get(contact, "t");
  assert_text(contact, "a", "still");
  assert_text(contact, "b", "coming");
  assert_text(contact, "certificate", "unique");
  assert_true(json_is_true(json_object_get(contact, "proved")));
  assert_true(number_at(t, "lo") <= BALLS_MEET && BALLS_MEET <= number_at(t, "hi"));
  const double error = number_at(contact, "error");
  assert_true(error <= 1e-6);
  assert_vector(contact, "point", (const double[]){1.0 / 3, 2.0 / 3, 2.0 / 3}, error + 1e-15);
  assert_vector(contact, "normal_a", (const double[]){1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-5);
  assert_vector(contact, "normal_b", (const double[]){-1.0 / 3, -2.0 / 3, -2.0 / 3}, 1e-5);
  json_decref(object);
}

/* The keys that other programs rely on come first, in this order. */
static void the_object_begins_as_it_always_does(void **state) {
  (void)state;
  static const char *const keys[] = {"verdict", "toi", "contacts", "boxes", "ms"};
  static const char *const contact_keys[] = {"a", "b", "point", "normal_a", "normal_b", "certificate"};
  json_t *object = assert_json(run("contact %s --json", write_balls()), 0);
  void *at = json_object_iter(object);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++, at = json_object_iter_next(object, at))
    assert_string_equal(json_object_iter_key(at), keys[i]);
  json_t *contact = json_array_get(json_object_get(object, "contacts"), 0);
  at = json_object_iter(contact);
  for (size_t i = 0; i < sizeof contact_keys / sizeof contact_keys[0]; i++, at = json_object_iter_next(contact, at))
    assert_string_equal(json_object_iter_key(at), contact_keys[i]);
  json_decref(object);
}

static void what_does_not_meet_is_a_miss(void **state) {
  (void)state;
  const char *balls = write_balls();
  json_t *object = assert_json(run("contact %s --json --t-max 0.5 --fail-on-hit", balls), 0);
  assert_text(object, "verdict", "miss");
  assert_true(json_is_null(json_object_get(object, "toi")));
  assert_int_equal(json_array_size(json_object_get(object, "contacts")), 0);
  assert_true(number_at(object, "t_safe") == 0.5 && number_at(object, "t_max") == 0.5);
  json_decref(object);
  json_decref(assert_json(run("contact %s --json --fail-on-hit", balls), 1));
}

/* With every technique left out in turn the answer stays right. */
/* The balls pass through each other: |d(t)| = |6 - 6 t| <= 2 from 2/3 to 4/3. */
static void contacts_over_time_have_both_ends(void **state) {
  (void)state;
  json_t *object = assert_json(run("contact %s --until 2 --json", write_balls()), 0);
  assert_count(object, "pairs", 1);
  assert_count(object, "open", 0);
  const json_t *pair = json_array_get(json_object_get(object, "touching"), 0);
  assert_text(pair, "a", "still");
  assert_text(pair, "b", "coming");
  const json_t *list = json_object_get(pair, "intervals"), *last = json_array_get(list, json_array_size(list) - 1);
  const json_t *begin = json_object_get(json_array_get(list, 0), "begin"), *end = json_object_get(last, "end");
  assert_true(number_at(begin, "lo") <= 2.0 / 3 && number_at(begin, "hi") >= 2.0 / 3 - 1e-15);
  assert_true(number_at(end, "lo") <= 4.0 / 3 && number_at(end, "hi") >= 4.0 / 3 - 1e-15);
  assert_true(number_at(end, "hi") - number_at(end, "lo") < 1e-6);
  json_decref(object);
  assert_fails(run("contact %s --until -1", write_balls()), "--until must be finite and not negative");
  assert_fails(run("contact %s --until 1 --t-max 2", write_balls()), "--until reports contact from either side");
}

static void techniques_can_be_left_out(void **state) {
  (void)state;
  static const char *const words[] = {
      "--order upper",
      "--order race",
      "--newton krawczyk",
      "--newton none --tolerance 1e-2",
      "--without tangency",
      "--without mean-value,polish",
      "--without=spheres,guesses",
      "--incoming on",
      "--incoming off --t-max 0.7",
  };
  const char *balls = write_balls();
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    json_t *object = assert_json(run("contact %s --json %s", balls, words[i]), 0);
    const char *verdict = json_string_value(json_object_get(object, "verdict"));
    if (strcmp(verdict, "hit") != 0 && strcmp(verdict, "near") != 0)
      fail_msg("%s: %s", words[i], verdict);
    const json_t *toi = json_object_get(object, "toi");
    assert_true(number_at(toi, "lo") <= BALLS_MEET);
    assert_true(strcmp(verdict, "near") == 0 || number_at(toi, "hi") >= BALLS_MEET);
    json_decref(object);
  }
}

static void options_go_over_what_the_scene_says(void **state) {
  (void)state;
  const char *scene = test_write_text("said.json", BALLS("\"title\":\"two balls\",\"t_max\":0.5,\"tolerance\":1e-4,"
                                                         "\"simultaneity\":1e-3,\"spacing\":0.25,"));
  json_t *object = assert_json(run("contact %s --json", scene), 0);
  assert_text(object, "verdict", "miss");
  assert_true(number_at(object, "tolerance") == 1e-4 && number_at(object, "simultaneity") == 1e-3);
  assert_true(number_at(object, "spacing") == 0.25);
  json_decref(object);
  object = assert_json(
      run("contact %s --json --t-max 2 --tolerance 1e-5 --simultaneity 1e-2 --spacing 0.5 --max-seconds 100", scene),
      0);
  assert_text(object, "verdict", "hit");
  assert_bracket(object, BALLS_MEET, 1e-5);
  assert_true(number_at(object, "t_max") == 2 && number_at(object, "tolerance") == 1e-5);
  assert_true(number_at(object, "simultaneity") == 1e-2 && number_at(object, "spacing") == 0.5);
  json_decref(object);
}

/* A search that may look at few boxes is near, and says why; nothing touches before its t_lo. */
static void a_budget_ends_the_search(void **state) {
  (void)state;
  const char *words = "--without spheres,guesses --newton none --max-boxes 3";
  json_t *object = assert_json(run("contact %s --json %s", write_balls(), words), 0);
  assert_text(object, "verdict", "near");
  assert_text(object, "end", "boxes");
  assert_true(number_at(object, "boxes") <= 3 + BOXES_BETWEEN_LOOKS);
  assert_true(number_at(json_object_get(object, "toi"), "lo") <= BALLS_MEET);
  json_decref(object);
  ran result = run("contact %s %s", write_balls(), words);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "raise --max-boxes"));
  ran_free(&result);
}

static void the_table_says_when_and_where(void **state) {
  (void)state;
  const char *scene = test_write_text("titled.json", BALLS("\"title\":\"two balls\","));
  ran result = run("contact %s", scene);
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {"two balls\n", "2 bodies",         "verdict            hit", "time of impact",
                                     "safe",        "1 of them unique", "still, coming: unique",  "boxes processed"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    if (strstr(result.out, said[i]) == NULL)
      fail_msg("\"%s\" is not in:\n%s", said[i], result.out);
  ran_free(&result);
  result = run("contact %s --t-max 0.25", scene);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "verdict            miss"));
  assert_null(strstr(result.out, "contacts"));
  ran_free(&result);
}

/* The scenes that are shipped, each with the time its note tells. */
static void the_examples_are_answered(void **state) {
  (void)state;
  const struct {
    const char *name;
    double time; /* NaN: there is no closed form */
    size_t contacts;
  } scenes[] = {
      {"bumpy-spheres", (double)NAN, 1}, {"chebyshev", 0.5, 1},       {"ellipsoid-on-plane", 0.5, 1},
      {"flat-squares", 0.5, 24},         {"plane-on-sphere", 0.5, 1}, {"sphere-on-ellipsoid", 0.5, 1},
      {"sphere-on-plane", 0.5, 1},       {"tori-aligned", 0.5, 20},   {"tori-crossed", 3 - sqrt(5), 2},
      {"tube-on-cushion", 0.5, 5},       {"two-spheres", 0.5, 1},     {"torus-on-cone", 1 - sqrt(2) / 4, 10},
      {"rolling", sqrt(0.625), 5},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
    const double time = scenes[i].time;
    json_t *object = assert_json(run("contact %s/examples/contact/%s.json --json", TOI_SOURCE_DIR, scenes[i].name), 0);
    assert_text(object, "verdict", "hit");
    const json_t *toi = json_object_get(object, "toi");
    const double lo = number_at(toi, "lo"), hi = number_at(toi, "hi");
    if (!isnan(time) && !(lo <= time + 1e-15 && time - 1e-15 <= hi && hi - lo < 1e-4))
      fail_msg("%s: [%.17g, %.17g] is not %.17g", scenes[i].name, lo, hi, time);
    const size_t contacts = json_array_size(json_object_get(object, "contacts"));
    if (scenes[i].contacts <= 2 ? contacts != scenes[i].contacts : contacts < scenes[i].contacts)
      fail_msg("%s: %zu contacts", scenes[i].name, contacts);
    json_decref(object);
  }
}

/* --- files --- */

static void contacts_are_written_with_names_quoted(void **state) {
  (void)state;
  const char *out = test_path("contacts.csv");
  const char *scene =
      test_write_text("names.json", "{\"bodies\":[{\"name\":\"a, \\\"b\\\"\",\"shape\":{\"sphere\":{\"radius\":1}}},"
                                    "{\"name\":\"c\",\"shape\":{\"sphere\":{\"radius\":1}},\"motion\":"
                                    "{\"move\":{\"shift\":[4,0,0],\"velocity\":[-4,0,0]}}}]}");
  json_decref(assert_json(run("contact %s --json --out %s", scene, out), 0));
  char *text = test_read_bytes(out, NULL);
  static const char header[] = "index,a,b,certificate,proved,t_lo,t_hi,x,y,z,error,normal_a_x,normal_a_y,normal_a_z,"
                               "normal_b_x,normal_b_y,normal_b_z,u_a,v_a,u_b,v_b\n";
  assert_true(strncmp(text, header, strlen(header)) == 0);
  const char *row = text + strlen(header);
  static const char names[] = "0,\"a, \"\"b\"\"\",c,unique,1,0x";
  if (strncmp(row, names, strlen(names)) != 0)
    fail_msg("%s", row);
  size_t commas = 0;
  for (const char *c = row; *c != '\n'; c++)
    commas += *c == ',';
  assert_int_equal(commas, 21);
  assert_int_equal(strchr(row, '\n')[1], '\0');
  free(text);
}

/* What a picture of any scene has. */
static char *assert_picture(const char *path) {
  size_t size;
  char *text = test_read_bytes(path, &size);
  drop_images(text);
  assert_true(strncmp(text, "<svg xmlns=", 11) == 0);
  assert_non_null(strstr(text, "</svg>\n"));
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
  assert_true(size < 200000);
  return text;
}

static void pictures_show_bodies_and_contacts(void **state) {
  (void)state;
  const char *path = test_path("balls.svg");
  ran result = run("contact %s --picture %s --eye 0,0,1", write_balls(), path);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  char *text = assert_picture(path);
  assert_non_null(strstr(text, "<circle"));
  assert_non_null(strstr(text, "still</tspan>"));
  assert_non_null(strstr(text, "1 contact<"));
  free(text);

  // A parametric ball above a floor without an end, which it misses.
  const char *scene = test_write_text(
      "floor.json", "{\"bodies\":[{\"name\":\"floor <z=0>\",\"shape\":{\"plane\":{}}},{\"name\":\"ball\",\"shape\":"
                    "{\"sphere\":{\"radius\":1,\"form\":\"parametric\"}},\"motion\":{\"move\":{\"shift\":[0,0,2],"
                    "\"velocity\":[0,0,-0.75]}}}]}");
  json_decref(assert_json(run("contact %s --json --picture %s", scene, path), 0));
  text = assert_picture(path);
  assert_null(strstr(text, "<circle"));
  assert_non_null(strstr(text, "floor &#60;z=0>"));
  assert_non_null(strstr(text, "miss, t = 1"));
  free(text);
}

static void nothing_is_written_after_a_failure(void **state) {
  (void)state;
  const char *balls = write_balls();
  const size_t before = test_count_files();
  const char *bad = test_write_text("bad.json", "{\"bodies\":[]}");
  assert_fails(run("contact %s --out %s", bad, test_path("never.csv")), "bad.json:1");
  assert_fails(run("contact %s --out %s --picture %s", balls, test_path("a"), test_path("a")),
               "--out and --picture name the same file");
  assert_fails(run("contact %s --out %s", balls, balls), "holds the scene and would be replaced");
  assert_fails(run("contact %s --picture %s", balls, balls), "holds the scene and would be replaced");
  assert_fails(run("contact %s --out %s/there/is/none.csv", balls, test_path("no")), "none.csv");
  assert_int_equal(test_count_files(), before + 1);
}

/* --- the comparison --- */

static void the_comparison_has_the_rows_of_the_paper(void **state) {
  (void)state;
  static const struct {
    const char *method, *newton;
    bool tangency;
    double tolerance;
  } rows[] = {
      {"libtoi", "linear", true, 1e-6},   {"LEQN", "linear", true, 1e-6},     {"KM", "krawczyk", true, 1e-6},
      {"NIN", "none", true, 1e-3},        {"NIN", "none", true, 1e-4},        {"NIN", "none", true, 1e-5},
      {"NIN", "none", true, 1e-6},        {"NIN, NTAN", "none", false, 1e-3}, {"NIN, NTAN", "none", false, 1e-4},
      {"NIN, NTAN", "none", false, 1e-5},
  };
  json_t *object = assert_json(run("contact --compare --json --max-boxes 200"), 0);
  assert_text(object, "scene", "two bumpy spheres");
  const json_t *list = json_object_get(object, "rows");
  assert_int_equal(json_array_size(list), sizeof rows / sizeof rows[0]);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const json_t *row = json_array_get(list, i);
    assert_text(row, "method", rows[i].method);
    assert_text(row, "newton", rows[i].newton);
    assert_true(json_is_true(json_object_get(row, "tangency")) == rows[i].tangency);
    assert_true(number_at(row, "tolerance") == rows[i].tolerance);
    assert_true(number_at(row, "boxes") <= 200 + BOXES_BETWEEN_LOOKS && number_at(row, "ms") >= 0);
    assert_string_not_equal(json_string_value(json_object_get(row, "verdict")), "miss");
    assert_true(json_is_object(json_object_get(row, "toi")));
  }
  json_decref(object);

  ran result = run("contact --compare %s --max-seconds 0.2", write_balls());
  assert_int_equal(result.code, 0);
  static const char *const said[] = {"libtoi ", "LEQN ", "KM ", "NIN ", "NIN, NTAN", "boxes", "not before"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    assert_non_null(strstr(result.out, said[i]));
  ran_free(&result);
}

/* --- usage --- */

static void bad_usage_ends_with_one_line(void **state) {
  (void)state;
  static const struct {
    const char *words, *sentence;
  } cases[] = {
      {"", "toi contact needs a scene"},
      {"a.json b.json", "toi contact takes one scene"},
      {"nowhere.json", "nowhere.json"},
      {". ", "."},
      {"x.json --t-max=-1", "--t-max must be finite and not negative"},
      {"x.json --t-max inf", "--t-max must be finite"},
      {"x.json --tolerance -1", "--tolerance must be positive"},
      {"x.json --tolerance nan", "--tolerance nan: not a number"},
      {"x.json --simultaneity 0", "--simultaneity must be positive"},
      {"x.json --spacing 0", "--spacing must be positive"},
      {"x.json --max-seconds -1", "--max-seconds must be finite and not negative"},
      {"x.json --max-boxes many", "--max-boxes many: not a whole number"},
      {"x.json --memory lots", "--memory lots: not a size"},
      {"x.json --incoming yes", "--incoming must be auto, on or off"},
      {"x.json --order first", "--order must be lower, upper or race"},
      {"x.json --newton newton", "--newton must be linear, krawczyk or none"},
      {"x.json --without everything", "--without takes tangency"},
      {"x.json --without tangency,", "--without takes tangency"},
      {"x.json --without tangency,a-name-that-is-very-long-indeed", "--without takes tangency"},
      {"x.json --eye 1,2", "--eye must be three numbers"},
      {"x.json --eye 0,0,0", "--eye must be three numbers"},
      {"x.json --eye 1,2,3", "give --picture too"},
      {"x.json --frobnicate", "unknown option '--frobnicate' for toi contact"},
      {"--compare --newton none", "--compare sets"},
      {"--compare --tolerance 1e-3", "--compare sets"},
      {"--compare --without polish", "--compare sets"},
      {"--compare --out x.csv", "need a single answer"},
      {"--compare --picture x.svg", "need a single answer"},
      {"--compare --fail-on-hit", "need a single answer"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_fails(run("contact %s", cases[i].words), cases[i].sentence);
  assert_fails(run("contact %s --memory 1", write_balls()), "memory");
  assert_fails(run("contact %s --memory 100000", write_balls()), "raise --memory");
}

/* More contacts than the memory holds: those that were found, and the end `memory`. */
static void full_memory_ends_the_search_with_an_answer(void **state) {
  (void)state;
  json_t *object = assert_json(
      run("contact %s/examples/contact/flat-squares.json --spacing 0.002 --memory 1M --json", TOI_SOURCE_DIR), 0);
  assert_string_equal(json_string_value(json_object_get(object, "verdict")), "hit");
  assert_string_equal(json_string_value(json_object_get(object, "end")), "memory");
  assert_true(json_array_size(json_object_get(object, "contacts")) > 100);
  json_decref(object);
}

/* The sentences of the reader and of the library come through, with the place. */
static void bad_scenes_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"{", "scene.json:1"},
      {"{\"bodies\":[]}", "scene.json:1:11: bodies: 0 bodies"},
      {"{\"bodies\":[],\"t_min\":0}", "t_min"},
      {BALLS("\"t_max\":-1,"), "scene.json:1:10: t_max: must be 0 or greater, not -1"},
      {"{\"bodies\":[{\"name\":\"a\",\"shape\":{\"cube\":{}}},{\"name\":\"b\",\"shape\":{\"plane\":{}}}]}", "cube"},
      {"{\"bodies\":[{\"name\":\"a\",\"shape\":{\"sphere\":{\"radius\":\"1 +\"}}},"
       "{\"name\":\"b\",\"shape\":{\"plane\":{}}}]}",
       "bodies[0].shape.sphere.radius"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_fails(run("contact %s", test_write_text("scene.json", cases[i].text)), cases[i].sentence);
}

static void help_is_printed(void **state) {
  (void)state;
  ran result = run("contact --help");
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "usage: toi contact SCENE.json [OPTION...]"));
  assert_non_null(strstr(result.out, "--compare"));
  ran_free(&result);
  result = run("--help");
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "\n  contact "));
  ran_free(&result);
  json_t *object = assert_json(run("methods --json"), 0);
  const json_t *newtons = json_object_get(object, "contact");
  assert_int_equal(json_array_size(newtons), 3);
  assert_text(json_array_get(newtons, 0), "name", "linear");
  assert_true(json_is_true(json_object_get(json_array_get(newtons, 0), "default")));
  json_decref(object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_balls_meet_at_one_point),
      cmocka_unit_test(the_object_begins_as_it_always_does),
      cmocka_unit_test(what_does_not_meet_is_a_miss),
      cmocka_unit_test(contacts_over_time_have_both_ends),
      cmocka_unit_test(techniques_can_be_left_out),
      cmocka_unit_test(options_go_over_what_the_scene_says),
      cmocka_unit_test(a_budget_ends_the_search),
      cmocka_unit_test(the_table_says_when_and_where),
      cmocka_unit_test(the_examples_are_answered),
      cmocka_unit_test(full_memory_ends_the_search_with_an_answer),
      cmocka_unit_test(contacts_are_written_with_names_quoted),
      cmocka_unit_test(pictures_show_bodies_and_contacts),
      cmocka_unit_test(nothing_is_written_after_a_failure),
      cmocka_unit_test(the_comparison_has_the_rows_of_the_paper),
      cmocka_unit_test(bad_usage_ends_with_one_line),
      cmocka_unit_test(bad_scenes_are_named),
      cmocka_unit_test(help_is_printed),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
