/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi surface` as its users see it: what it prints and writes about patches, models and scenes, and what it refuses.
 * Times are those of the closed form. */

#include "cli/meshes.h"

#include <math.h>

/* The unit square at z = 0, at rest. */
#define SQUARE "{\"type\":\"quad\",\"degree\":[1,1],\"points\":[[0,0,0],[0,1,0],[1,0,0],[1,1,0]]}"

/* A curved triangle that stands on its corner at (1/2, 1/2, 1) and moves by (0, 0, v). */
#define CUP(v)                                                                                                         \
  "{\"type\":\"triangle\",\"degree\":2,\"points\":[[0.5,0.5,1],[0.75,0.5,2],[1,0.5,5],[0.5,0.75,2],[0.75,0.75,3],"     \
  "[0.5,1,5]],\"velocities\":[[0,0," v "],[0,0," v "],[0,0," v "],[0,0," v "],[0,0," v "],[0,0," v "]]}"

/* It lands at t = 1/2; it rises; it lands at t = 2, within the case's own time. */
#define HIT_CASE "{\"a\":" SQUARE ",\"b\":" CUP("-2") "}\n"
#define MISS_CASE "{\"a\":" SQUARE ",\"b\":" CUP("2") ",\"t_max\":1}\n"
#define LATE_CASE "{\"a\":" CUP("-0.5") ",\"b\":" SQUARE ",\"t_max\":2.5}\n"

static const char *write_cases(void) {
  return test_write_text("cases.jsonl", HIT_CASE MISS_CASE LATE_CASE);
}

static void assert_answers(const json_t *object, long long hits, long long near, long long misses) {
  assert_count(object, "cases", hits + near + misses);
  assert_count(object, "hits", hits);
  assert_count(object, "near", near);
  assert_count(object, "misses", misses);
}

/* A proved contact whose bracket holds this time and is no wider than that. */
static void assert_bracket(const json_t *object, double time, double width) {
  assert_text(object, "verdict", "hit");
  const json_t *toi = json_object_get(object, "toi");
  const double lo = number_at(toi, "lo"), hi = number_at(toi, "hi"), safe = number_at(toi, "safe");
  if (!(lo <= time && time <= hi && hi - lo <= width && (safe < lo || safe == 0)))
    fail_msg("[%.17g, %.17g], safe %.17g, is not %.17g", lo, hi, safe, time);
}

/* --- cases --- */

static void cases_are_counted_and_timed(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface %s --json --threads 2", write_cases()), 0);
  assert_answers(object, 2, 0, 1);
  assert_text(object, "method", "time-inclusion");
  const double p50 = number_at(object, "p50_ms"), p99 = number_at(object, "p99_ms"), max = number_at(object, "max_ms");
  assert_true(number_at(object, "ms_per_case") > 0);
  assert_true(0 < p50 && p50 <= p99 && p99 <= max);
  assert_true(number_at(object, "widest_bracket") <= 1e-9);
  const json_t *ends = json_object_get(object, "ends");
  assert_count(ends, "refuted", 1);
  assert_count(ends, "bracketed", 2);
  json_decref(object);

  object = assert_json(run("surface %s --json --samples 0", write_cases()), 0);
  assert_true(json_is_null(json_object_get(object, "p50_ms")));
  json_decref(object);
}

static void all_methods_answer_in_turn(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface %s --json --method all --tolerance 1e-3", write_cases()), 0);
  const json_t *methods = json_object_get(object, "methods");
  assert_int_equal(json_array_size(methods), 2);
  assert_text(json_array_get(methods, 0), "method", "time-inclusion");
  assert_text(json_array_get(methods, 1), "method", "swept-boxes");
  for (size_t i = 0; i < 2; i++)
    assert_count(json_array_get(methods, i), "misses", 1);
  json_decref(object);
}

/* A row of index,verdict,t_lo,t_hi,u1,v1,u2,v2; returns the next. */
static const char *assert_row(const char *row, long index, const char *verdict, double time, const double uv[4]) {
  char *end;
  assert_int_equal(strtol(row, &end, 10), index);
  const size_t length = strlen(verdict);
  assert_true(*end == ',' && strncmp(end + 1, verdict, length) == 0);
  end += 1 + length;
  double values[6];
  for (int k = 0; k < 6; k++) {
    assert_int_equal(*end, ',');
    values[k] = strtod(end + 1, &end);
  }
  assert_int_equal(*end, '\n');
  if (strcmp(verdict, "miss") == 0) {
    assert_true(isinf(values[0]) && isinf(values[1]) && isnan(values[2]) && isnan(values[5]));
    return end + 1;
  }
  assert_true(values[0] <= time && time <= values[1] && values[1] - values[0] <= 1e-9);
  for (int k = 0; k < 4; k++)
    assert_true(fabs(values[2 + k] - uv[k]) <= 1e-4);
  return end + 1;
}

static void answers_are_written_with_hex_times(void **state) {
  (void)state;
  const char *out = test_path("answers.csv"), *cases = write_cases();
  json_decref(assert_json(run("surface %s --json --out %s", cases, out), 0));
  char *text = test_read_bytes(out, NULL);
  const char *row = strchr(text, '\n') + 1;
  assert_true(strncmp(text, "index,verdict,t_lo,t_hi,u1,v1,u2,v2\n", 36) == 0);
  assert_non_null(strstr(row, "0x1"));
  row = assert_row(row, 0, "hit", 0.5, (const double[]){0.5, 0.5, 0, 0});
  row = assert_row(row, 1, "miss", 0, NULL);
  row = assert_row(row, 2, "hit", 2, (const double[]){0, 0, 0.5, 0.5});
  assert_string_equal(row, "");
  free(text);
}

static void the_question_about_cases_can_be_changed(void **state) {
  (void)state;
  static const struct {
    const char *words;
    long long touching, misses;
  } cases[] = {
      {"--t-max 1", 1, 2},
      {"--t-max 0.25", 0, 3},
      {"--t-max 0.25 --min-separation 0.625", 1, 2},
      {"--t-max 0.25 --min-separation 0.625 --norm linf", 1, 2},
      {"--inclusion aabb", 2, 1},
      {"--accept parameter --tolerance 1e-4", 2, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    json_t *object = assert_json(run("surface %s --json %s", write_cases(), cases[i].words), 0);
    assert_count(object, "misses", cases[i].misses);
    const json_t *hits = json_object_get(object, "hits"), *near = json_object_get(object, "near");
    assert_int_equal(json_integer_value(hits) + json_integer_value(near), cases[i].touching);
    json_decref(object);
  }
  json_decref(assert_json(run("surface %s --json --fail-on-hit", write_cases()), 1));
  json_decref(assert_json(run("surface %s --json --fail-on-hit --t-max 0.25", write_cases()), 0));
}

static void the_table_of_cases_has_a_row_a_method(void **state) {
  (void)state;
  ran result = run("surface %s --method all", write_cases());
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {"3 cases from", "time-inclusion ", "swept-boxes ", "ms/case", "refuted"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    assert_non_null(strstr(result.out, said[i]));
  ran_free(&result);
}

static void errors_shrink_with_the_tolerance(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface --convergence %s --json", write_cases()), 0);
  assert_count(object, "cases", 3);
  const json_t *types = json_object_get(object, "types");
  assert_int_equal(json_array_size(types), 2);
  assert_text(json_array_get(types, 0), "type", "quad 1x1 with triangle 2");
  assert_text(json_array_get(types, 1), "type", "triangle 2 with quad 1x1");
  const json_t *levels = json_object_get(json_array_get(types, 0), "levels");
  assert_int_equal(json_array_size(levels), 18);
  for (size_t i = 0; i < 18; i++) {
    const json_t *level = json_array_get(levels, i);
    assert_text(level, "accept", i < 9 ? "parameter" : "world");
    assert_count(level, "misses", 1);
    const double tolerance = number_at(level, "tolerance");
    const double error = number_at(json_object_get(level, "time_error"), "max");
    assert_true(error <= tolerance);
  }
  json_decref(object);
  ran result = run("surface --convergence %s", write_cases());
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "quad 1x1 with triangle 2, by world: 2 cases, 1 in contact"));
  ran_free(&result);
}

/* --- models --- */

static void two_spheres_meet_head_on(void **state) {
  (void)state;
  // Centres 6 apart, along (1, 2, 2) / 3.
  static const char words[] = "surface sphere sphere --shift-b 2,4,4 --velocity-b -2,-4,-4 --json";
  json_t *object = assert_json(run("%s", words), 0);
  assert_bracket(object, 2.0 / 3, 1e-9);
  const json_t *first = json_object_get(object, "first");
  const json_t *point = json_object_get(first, "point"), *patches = json_object_get(first, "patches");
  assert_true(fabs(json_number_value(json_array_get(point, 0)) - 1.0 / 3) < 1e-4);
  assert_int_equal(json_array_size(patches), 2);
  assert_int_equal(json_array_size(json_object_get(first, "uv")), 2);
  assert_int_equal(json_array_size(json_object_get(first, "normals")), 2);
  assert_true(number_at(object, "checks") > 0);
  assert_true(number_at(object, "ms") > 0);
  json_decref(object);

  object = assert_json(run("%s --t-max 0.25", words), 0);
  assert_text(object, "verdict", "miss");
  assert_true(json_is_null(json_object_get(object, "toi")));
  assert_true(json_is_null(json_object_get(object, "first")));
  json_decref(object);
  json_decref(assert_json(run("%s --fail-on-hit", words), 1));
}

static void a_sphere_swings_into_another(void **state) {
  (void)state;
  // Centres at (3, 0, 0) and (0, 3, 0); they are 2 apart when the angle between them is 2 asin(1/3).
  const double time = acos(0) - 2 * asin(1.0 / 3);
  json_t *object = assert_json(
      run("surface sphere sphere --shift-a 3,0,0 --spin-a 0,0,1 --shift-b 0,3,0 --json --tolerance 1e-4"), 0);
  const json_t *toi = json_object_get(object, "toi");
  assert_true(number_at(toi, "lo") <= time && number_at(toi, "lo") > time - 1e-2);
  assert_true(number_at(toi, "hi") >= time);
  json_decref(object);
}

static void the_teapot_meets_itself_and_a_sphere_does_not(void **state) {
  (void)state;
  // Its handle and spout reach into the body.
  json_t *object = assert_json(run("surface teapot --self --json"), 0);
  assert_text(object, "verdict", "hit");
  assert_true(json_is_true(json_object_get(object, "touching_at_start")));
  json_decref(object);
  object = assert_json(run("surface sphere --self --json"), 0);
  assert_text(object, "verdict", "miss");
  json_decref(object);
  // What a miss does not say.
  ran result = run("surface sphere --self");
  assert_non_null(strstr(result.out, "skipped: each patch with itself"));
  ran_free(&result);
}

static void contacts_are_listed_apart(void **state) {
  (void)state;
  const char *out = test_path("contacts.csv");
  const char *words = "torus torus --shift-b 0,0,2 --velocity-b 0,0,-2 --contacts --simultaneity 1e-3 --spacing 1";
  json_t *object = assert_json(run("surface %s --json --out %s", words, out), 0);
  assert_bracket(object, 0.5, 1e-6);
  const json_t *contacts = json_object_get(object, "contacts");
  const size_t count = json_array_size(contacts);
  assert_true(count >= 4 && count <= 12);
  for (size_t i = 0; i < count; i++) {
    const json_t *point = json_object_get(json_array_get(contacts, i), "point");
    const double x = json_number_value(json_array_get(point, 0)), y = json_number_value(json_array_get(point, 1));
    assert_true(fabs(hypot(x, y) - 2) < 0.1);
  }
  json_decref(object);
  char *text = test_read_bytes(out, NULL);
  size_t rows = 0;
  for (const char *c = text; *c != '\0'; c++)
    rows += *c == '\n';
  assert_int_equal(rows, count + 1);
  assert_true(strncmp(text, "index,verdict,t_lo,t_hi,u1,v1,u2,v2,patch_a,patch_b,x,y,z\n", 58) == 0);
  free(text);
}

static void the_table_of_models_says_where_and_when(void **state) {
  (void)state;
  ran result = run("surface torus torus --shift-b 0,0,2 --velocity-b 0,0,-2 --contacts --spacing 1");
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {"torus, 16 patches, and torus, 16", "verdict            hit", "time of impact",
                                     "normals", "at the first time of contact"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    if (strstr(result.out, said[i]) == NULL)
      fail_msg("\"%s\" is not in\n%s", said[i], result.out);
  ran_free(&result);
}

/* --- scenes --- */

static void a_scene_says_what_moves(void **state) {
  (void)state;
  test_make_directory("models");
  test_write_text("models/ball.json", "{\"shape\":\"sphere\",\"radius\":0.5}");
  const char *scene =
      test_write_text("models/scene.json", "{\"a\":\"ball.json\",\"b\":{\"shape\":\"sphere\",\"radius\":1.5},"
                                           "\"motion_b\":{\"shift\":[2,4,4],\"velocity\":[-1,-2,-2]},\"t_max\":3}");
  json_t *object = assert_json(run("surface %s --json", scene), 0);
  assert_bracket(object, 4.0 / 3, 1e-9);
  assert_true(number_at(object, "t_max") == 3);
  json_decref(object);
  object = assert_json(run("surface %s --json --t-max 1.25", scene), 0);
  assert_text(object, "verdict", "miss");
  json_decref(object);

  scene = test_write_text("models/alone.json", "{\"a\":\"torus\",\"name\":\"a ring alone\"}");
  object = assert_json(run("surface %s --json", scene), 0);
  assert_text(object, "verdict", "miss");
  json_decref(object);
}

static void a_shaft_turns_in_its_bore(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface " TOI_SOURCE_DIR "/examples/surfaces/fit.json --json"), 0);
  assert_text(object, "verdict", "miss");
  assert_text(object, "end", "refuted");
  json_decref(object);
}

static void bad_scenes_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"{\"a\":", "scene.json:1:"},
      {"[1,2]", "scene.json:1:1: not a scene: the field \"a\" is missing"},
      {"{\"patches\":[]}", "the field \"a\" is missing; name one model to check it with itself"},
      {"{\"a\":\"teapot\",\"a\":\"torus\"}", "scene.json:1:19: a: a duplicate"},
      {"{\"a\":7}", "scene.json:1:6: a: a number where a model, or the path of its file, belongs"},
      {"{\"a\":\"nowhere.json\"}", "nowhere.json: "},
      {"{\"a\":{\"shape\":\"cube\"}}", "scene.json:1:15: a.shape: "},
      {"{\"a\":{\"shape\":\"sphere\",\"radius\":-1}}", "scene.json:1:"},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"motion_b\":[0,0,1]}", "scene.json:1:37: motion_b: "},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"motion_b\":{\"speed\":1}}", "unknown field 'speed' for a motion"},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"motion_a\":{\"spin\":[1,2]}}", "scene.json:1:45: motion_a.spin: "},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"motion_a\":{\"spin\":[1,2,null]}}", "scene.json:1:50: motion_a.spin[2]: "},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"t_max\":-1}", "scene.json:1:34: t_max: must be 0 or greater"},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"tmax\":1}", "unknown field 'tmax' for a scene"},
      {"{\"a\":\"torus\",\"b\":\"torus\",\"name\":1}", "scene.json:1:33: name: "},
      {"{\"a\":\"torus\",\"motion_a\":{\"velocity\":[1,0,0]}}",
       "a motion of the whole body causes no contact with itself"},
      {"{\"a\":\"torus\",\"motion_b\":{\"velocity\":[1,0,0]}}", "there is no second model to move"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_fails(run("surface %s", test_write_text("scene.json", cases[i].text)), cases[i].sentence);
  const char *spins =
      test_write_text("spins.json", "{\"a\":\"torus\",\"b\":\"torus\",\"motion_a\":{\"spin\":[1,0,0]}}");
  assert_fails(run("surface %s --contacts", spins), "--contacts is for models that do not turn");
}

/* --- demonstrations --- */

static void the_demonstration_of_tori_is_right(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface --demo torus --json"), 0);
  const json_t *answers = json_object_get(object, "answers");
  assert_int_equal(json_array_size(answers), 2);
  for (size_t i = 0; i < 2; i++) {
    const json_t *answer = json_array_get(answers, i);
    assert_bracket(answer, 0.5, 1e-6);
    assert_true(json_is_true(json_object_get(answer, "right")));
    assert_true(number_at(answer, "nearest") >= number_at(answer, "spacing"));
  }
  json_decref(object);
}

/* A longer step sees the same contact as a shorter one, or one that comes later. */
static void the_cloth_lands_on_the_teapot(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface --demo cloth --json"), 0);
  assert_count(object, "patches", 400);
  const json_t *answers = json_object_get(object, "answers");
  assert_int_equal(json_array_size(answers), 25);
  for (size_t i = 0; i < 25; i++) {
    const json_t *answer = json_array_get(answers, i), *toi = json_object_get(answer, "toi");
    const char *moment = json_string_value(json_object_get(answer, "moment"));
    const json_t *before = i % 5 > 0 ? json_object_get(json_array_get(answers, i - 1), "toi") : NULL;
    if (json_is_null(toi)) {
      assert_true(before == NULL || json_is_null(before));
      assert_string_not_equal(moment, "falls");
      continue;
    }
    assert_text(answer, "verdict", "hit");
    assert_string_not_equal(moment, "leaves");
    if (before != NULL && !json_is_null(before))
      assert_true(number_at(toi, "lo") <= number_at(before, "hi") && number_at(before, "lo") <= number_at(toi, "hi"));
  }
  json_decref(object);
  ran result = run("surface --demo cloth");
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "A cloth of 20 x 20 bicubic patches and the teapot, of 32"));
  ran_free(&result);
}

static void the_pinned_cloth_meets_itself(void **state) {
  (void)state;
  json_t *object = assert_json(run("surface --demo pinned --json"), 0);
  const json_t *answer = json_array_get(json_object_get(object, "answers"), 0);
  assert_text(answer, "verdict", "hit");
  assert_true(number_at(json_object_get(answer, "toi"), "lo") > 0);
  json_decref(object);
  ran result = run("surface --demo pinned --fail-on-hit");
  assert_int_equal(result.code, 1);
  assert_non_null(strstr(result.out, "neighbours are skipped"));
  ran_free(&result);
}

/* --- usage --- */

static void bad_usage_ends_with_one_line(void **state) {
  (void)state;
  static const struct {
    const char *words, *sentence;
  } cases[] = {
      {"", "needs a file"},
      {"nowhere.jsonl", "nowhere.jsonl"},
      {"nowhere.json", "nowhere.json: cannot be read"},
      {"teapot", "teapot: only one model; name the second one too, or give --self"},
      {"nowhere.json teapot", "nowhere.json"},
      {". teapot", ".: a directory"},
      {"a b c", "at most two models"},
      {"teapot torus --self", "--self takes one model"},
      {"teapot torus --tolerance 0", "--tolerance must be positive"},
      {"teapot torus --accept box", "--accept must be parameter or world"},
      {"teapot torus --inclusion sphere", "--inclusion must be aabb or obb"},
      {"teapot torus --norm l1", "--norm must be l2 or linf"},
      {"teapot torus --method best", "--method best: unknown method for surfaces"},
      {"teapot torus --method certified", "--method certified: unknown method for surfaces"},
      {"teapot torus --method all", "--method all is for a file of cases"},
      {"teapot torus --t-max=-1", "--t-max must be finite and not negative"},
      {"teapot torus --t-max inf", "--t-max must be finite"},
      {"teapot torus --min-separation -1", "--min-separation must be finite and not negative"},
      {"teapot torus --velocity-a 1,2", "--velocity-a 1,2: must be three numbers"},
      {"teapot torus --spin-b 1,2,nan", "--spin-b 1,2,nan: must be three numbers"},
      {"teapot torus --shift-b 1,2,3,4", "--shift-b 1,2,3,4: must be three numbers"},
      {"teapot torus --contacts --spin-a 1,0,0", "--contacts is for models that do not turn"},
      {"teapot torus --contacts --spacing 0", "--spacing must be positive"},
      {"teapot torus --contacts --simultaneity -1", "--simultaneity must be finite"},
      {"teapot torus --spacing 1", "need --contacts"},
      {"teapot --self --velocity-a 1,0,0", "are for two models"},
      {"x.jsonl --shift-a 1,0,0", "are for two models"},
      {"x.jsonl --contacts", "are for models"},
      {"x.jsonl --method all --out x.csv", "--out takes the answers of one method"},
      {"--convergence", "needs a file"},
      {"--convergence x.jsonl --accept world", "both values of --accept"},
      {"--convergence x.jsonl y.jsonl", "--convergence takes one file"},
      {"--convergence x.jsonl --out y.csv", "--out takes the answers of cases or models"},
      {"--demo soup", "--demo must be cloth, pinned or torus"},
      {"--demo torus teapot", "--demo makes its own scene"},
      {"--demo torus --frobnicate", "unknown option '--frobnicate' for toi surface"},
      {"teapot torus --threads 1000000", "--threads 1000000"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_fails(run("surface %s", cases[i].words), cases[i].sentence);
  const char *file = write_cases();
  assert_fails(run("surface %s --out %s", file, file), "is an input file and would be replaced");
  const size_t before = test_count_files();
  const char *bad = test_write_text("bad.jsonl", HIT_CASE "{\"a\":" SQUARE "}\n");
  assert_fails(run("surface %s --out %s", bad, test_path("never.csv")), "bad.jsonl:2");
  assert_int_equal(test_count_files(), before + 1);
}

static void help_is_printed_and_methods_are_listed(void **state) {
  (void)state;
  ran result = run("surface --help");
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "teapot, sphere"));
  ran_free(&result);
  json_t *object = assert_json(run("methods --json"), 0);
  const json_t *methods = json_object_get(object, "surface");
  assert_int_equal(json_array_size(methods), 2);
  assert_text(json_array_get(methods, 0), "name", "time-inclusion");
  assert_true(json_is_true(json_object_get(json_array_get(methods, 0), "default")));
  json_decref(object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_are_counted_and_timed),
      cmocka_unit_test(all_methods_answer_in_turn),
      cmocka_unit_test(answers_are_written_with_hex_times),
      cmocka_unit_test(the_question_about_cases_can_be_changed),
      cmocka_unit_test(the_table_of_cases_has_a_row_a_method),
      cmocka_unit_test(errors_shrink_with_the_tolerance),
      cmocka_unit_test(two_spheres_meet_head_on),
      cmocka_unit_test(a_sphere_swings_into_another),
      cmocka_unit_test(the_teapot_meets_itself_and_a_sphere_does_not),
      cmocka_unit_test(contacts_are_listed_apart),
      cmocka_unit_test(the_table_of_models_says_where_and_when),
      cmocka_unit_test(a_scene_says_what_moves),
      cmocka_unit_test(a_shaft_turns_in_its_bore),
      cmocka_unit_test(bad_scenes_are_named),
      cmocka_unit_test(the_demonstration_of_tori_is_right),
      cmocka_unit_test(the_cloth_lands_on_the_teapot),
      cmocka_unit_test(the_pinned_cloth_meets_itself),
      cmocka_unit_test(bad_usage_ends_with_one_line),
      cmocka_unit_test(help_is_printed_and_methods_are_listed),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
