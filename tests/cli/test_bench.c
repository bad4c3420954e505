/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Methods side by side, and questions with a separation, as the command answers them. */

#include "cli/running.h"

#include <math.h>
#include <unistd.h>

/* The row of a set and a method; the test fails if there is none. */
static const json_t *find_row(const json_t *object, const char *set, const char *method, double separation) {
  const json_t *rows = json_object_get(object, "rows");
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i), *asked = json_object_get(row, "separation");
    if (strcmp(json_string_value(json_object_get(row, "set")), set) == 0 &&
        strcmp(json_string_value(json_object_get(row, "method")), method) == 0 &&
        json_number_value(json_object_get(asked, "value")) == separation)
      return row;
  }
  fail_msg("no row of %s, %s, separation %g", set, method, separation);
  return NULL;
}

static double number_of(const json_t *object, const char *key) {
  assert_true(json_is_number(json_object_get(object, key)));
  return json_number_value(json_object_get(object, key));
}

static void bad_benches_end_with_one_line(void **state) {
  (void)state;
  static const struct {
    const char *words, *sentence;
  } cases[] = {
      {"bench", "toi bench needs a file or a directory"},
      {"bench FILE --frobnicate", "unknown option '--frobnicate' for toi bench"},
      {"bench FILE --method best", "--method best: unknown method"},
      {"bench FILE --truth-by guess", "--truth-by must be exact"},
      {"bench FILE --min-separation 1e-2,", "--min-separation must be finite numbers"},
      {"bench FILE --min-separation -1", "--min-separation must be finite numbers"},
      {"bench FILE --min-separation 1,x", "--min-separation must be finite numbers"},
      {"bench FILE --min-separation 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "more than 16"},
      {"bench FILE --json --markdown", "--json and --markdown exclude each other"},
      {"bench FILE --repeat 0", "--repeat must lie between 1 and 1000000"},
      {"bench FILE --kind vv", "--kind must be vf or ee"},
      {"bench FILE --tolerance 0", "--tolerance must be positive"},
      {"bench FILE --plugin nowhere.so", "nowhere.so"},
      {"bench nowhere-vf.csv", "nowhere-vf.csv: cannot be read"},
  };
  const char *file = test_write_text("usage-vf.csv", HIT_ROWS(""));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char words[2048];
    const char *place = strstr(cases[i].words, "FILE");
    if (place == NULL)
      snprintf(words, sizeof words, "%s", cases[i].words);
    else
      snprintf(words, sizeof words, "%.*s%s%s", (int)(place - cases[i].words), cases[i].words, file, place + 4);
    assert_fails(run("%s", words), cases[i].sentence);
  }
}

/* Two scenes, one with the truth in the file, one with times beside it. */
static const char *write_scenes(void) {
  test_make_directory("data");
  test_make_directory("data/truth");
  test_make_directory("data/falls");
  test_make_directory("data/falls/vertex-face");
  test_make_directory("data/stops");
  test_make_directory("data/stops/queries");
  test_make_directory("data/stops/mma_bool");
  test_write_text("data/falls/vertex-face/a.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  test_write_text("data/falls/vertex-face/b.csv", HIT_ROWS(",1"));
  test_write_text("data/stops/queries/7vf.csv", MISS_ROWS("") HIT_ROWS("") MISS_ROWS(""));
  test_write_text("data/stops/mma_bool/7vf_mma_bool.json", "[true,true,true]");
  test_write_text("data/truth/stops__vf__7vf.csv.gz", "hit,toi_lo,toi_hi\n0,,\n1,0x1p-1,0x1p-1\n0,,\n");
  return test_path("data");
}

static void scenes_are_sets_and_find_their_truth(void **state) {
  (void)state;
  const char *data = write_scenes();
  json_t *object = assert_json(run("bench %s --json --samples 10", data), 0);
  const json_t *falls = find_row(object, "falls vf", "certified", 0), *stops = find_row(object, "stops vf", "exact", 0);
  assert_counts(falls, 2, 0, 1);
  assert_count(falls, "contacts", 2);
  assert_count(falls, "false_positives", 0);
  assert_true(json_is_null(json_object_get(falls, "late")));
  assert_counts(stops, 1, 0, 2);
  assert_count(stops, "contacts", 1);
  assert_count(stops, "false_positives", 0);
  assert_count(stops, "false_negatives", 0);
  assert_count(stops, "late", 0);
  assert_true(number_of(stops, "early_max") == 0);
  assert_true(number_of(stops, "ns_per_query") > 0 && number_of(stops, "max_ns") >= number_of(stops, "p99_ns"));
  json_decref(object);

  object = assert_json(run("bench %s --json --pool --method exact,certified --limit 1", data), 0);
  assert_int_equal(json_array_size(json_object_get(object, "rows")), 2);
  assert_counts(find_row(object, "data vf", "exact", 0), 2, 0, 1);
  json_decref(object);

  // A truth of another file is no truth.
  test_write_text("data/truth/stops__vf__7vf.csv.gz", "hit,toi_lo,toi_hi\n0,,\n");
  assert_fails(run("bench %s --json", data), "the truth of 1 queries, but");
}

static void early_and_late_times_are_told_apart(void **state) {
  (void)state;
  test_make_directory("times");
  test_make_directory("times/truth");
  const char *file = test_write_text("times/x-vf.csv", HIT_ROWS(""));
  test_write_text("times/truth/times__x-vf.csv.gz", "hit,toi_lo,toi_hi\n1,0x1.8p-1,0x1.8p-1\n");
  json_t *object = assert_json(run("bench %s --json --method exact", file), 0);
  assert_count(find_row(object, "times vf", "exact", 0), "late", 0);
  assert_true(number_of(find_row(object, "times vf", "exact", 0), "early_max") == 0.25);
  json_decref(object);
  test_write_text("times/truth/times__x-vf.csv.gz", "hit,toi_lo,toi_hi\n1,0x1p-2,0x1p-2\n");
  object = assert_json(run("bench %s --json --method exact", file), 0);
  assert_count(find_row(object, "times vf", "exact", 0), "late", 1);
  json_decref(object);
}

static void tables_come_in_three_forms(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  ran result = run("bench %s --pool", file);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "set-vf vf "));
  assert_null(strstr(result.out, "separation"));
  ran_free(&result);
  result = run("bench %s --pool --markdown --method exact --min-separation 0,0.25", file);
  assert_int_equal(result.code, 0);
  const char *heading = "| set | separation | method | queries | contacts | FP | FN | hit | near | miss | late | ";
  assert_int_equal(strncmp(result.out, heading, strlen(heading)), 0);
  assert_non_null(strstr(result.out, "| set-vf vf | 0 | exact | 2 | 1 | 0 | 0 | 1 | 0 | 1 | - | "));
  assert_non_null(strstr(result.out, "| set-vf vf | 0.25 | exact | 2 | 1 | - | 0 | 1 | 0 | 1 | - | "));
  ran_free(&result);
}

/* Fails on a line of more than `columns` characters. */
static void assert_fits(const char *text, size_t columns) {
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= columns);
}

static void tables_fit_a_hundred_columns(void **state) {
  (void)state;
  test_make_directory("a-folder-with-a-long-name-of-its-own");
  const char *file = test_write_text("a-folder-with-a-long-name-of-its-own/x-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  ran result = run("bench %s --method all", file);
  assert_int_equal(result.code, 0);
  assert_fits(result.out, 100);
  assert_null(strstr(result.out, "early, mean"));
  ran_free(&result);
  result = run("bench %s --method all --min-separation 0,0.125 --separation-fraction 0.5", file);
  assert_int_equal(result.code, 0);
  assert_fits(result.out, 100);
  assert_non_null(strstr(result.out, "0.5 x initial"));
  ran_free(&result);
  result = run("bench %s --wide", file);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "early, mean"));
  assert_non_null(strstr(result.out, "a-folder-with-a-long-name-of-i"));
  ran_free(&result);
}

/* How often a word stands in a text. */
static int count_of(const char *text, const char *word) {
  int count = 0;
  for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
    count++;
  return count;
}

static void figures_go_into_a_picture_and_a_list(void **state) {
  (void)state;
  test_make_directory("plotted");
  const char *file = test_write_text("plotted/x<&-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  ran result = run("bench '%s' --pool --method certified,exact,cubic --plot %s --csv %s", file,
                   test_path("plotted/p.svg"), test_path("plotted/p.csv"));
  assert_int_equal(result.code, 0);
  ran_free(&result);
  char *picture = test_read_bytes(test_path("plotted/p.svg"), NULL);
  // A dot for each method, with its time, and one in the key.
  assert_int_equal(count_of(picture, "<circle"), 6);
  assert_int_equal(count_of(picture, "<title>certified: "), 1);
  assert_int_equal(count_of(picture, " ns</title>"), 3);
  assert_non_null(strstr(picture, ">x&lt;&amp;-vf vf<"));
  assert_non_null(strstr(picture, "</svg>\n"));
  free(picture);
  char *list = test_read_bytes(test_path("plotted/p.csv"), NULL);
  assert_int_equal(count_of(list, "\n"), 4);
  assert_non_null(strstr(list, "\n\"x<&-vf vf\",\"exact\",0,,2,1,0,0,1,0,1,"));
  free(list);

  // Nothing of a bench that fails.
  result = run("bench nowhere-vf.csv --csv %s", test_path("plotted/none.csv"));
  assert_fails(result, "nowhere-vf.csv: cannot be read");
  assert_int_equal(access(test_path("plotted/none.csv"), F_OK), -1);
  result = run("bench '%s' --method exact --csv -", file);
  assert_int_equal(result.code, 0);
  assert_int_equal(strncmp(result.out, "set,method,", 11), 0);
  assert_int_equal(count_of(result.out, "\n"), 2);
  ran_free(&result);
}

/* --- separation --- */

/* The vertex of the second query stops at the height 1/2; it starts at 1. */
static void a_separation_turns_a_miss_into_a_hit(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0")), *out = test_path("answers.csv");
  static const struct {
    const char *words;
    int hits;
    const char *kind;
    double value, used;
  } cases[] = {{"--min-separation 0.5", 2, "absolute", 0.5, 0.5},
               {"--min-separation 0.49999", 1, "absolute", 0.49999, 0.49999},
               {"--min-separation 1e-300 --norm linf", 1, "absolute", 1e-300, 1e-300},
               {"--min-separation 0.5 --norm linf", 2, "absolute", 0.5, 0.5},
               {"--separation-fraction 0.5", 2, "fraction", 0.5, 0.5},
               {"--separation-fraction 0.25 --norm linf", 1, "fraction", 0.25, 0.25}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    json_t *object = assert_json(run("query %s --json --method exact %s --out %s", file, cases[i].words, out), 0);
    assert_counts(object, cases[i].hits, 0, 2 - cases[i].hits);
    // The file knows what touches, not what comes close.
    assert_true(json_is_null(json_object_get(object, "false_positives")));
    assert_count(object, "false_negatives", 0);
    const json_t *asked = json_object_get(object, "separation");
    assert_text(asked, "kind", cases[i].kind);
    assert_true(number_of(asked, "value") == cases[i].value);
    assert_true(number_of(asked, "min") == cases[i].used && number_of(asked, "max") == cases[i].used);
    assert_non_null(json_object_get(json_array_get(json_object_get(object, "files"), 0), "separation"));
    json_decref(object);
  }
  // The truth that is given is that of the question.
  const char *truth = test_write_text("t.csv", "hit,toi_lo,toi_hi\n1,0x1p-2,0x1p-2\n1,0x1p+0,0x1p+0\n");
  json_t *object = assert_json(run("query %s --json --method exact --min-separation 0.5 --truth %s", file, truth), 0);
  assert_count(object, "false_positives", 0);
  assert_count(object, "bracket_exact", 2);
  json_decref(object);
  ran result = run("query %s --method exact --separation-fraction 0.5", file);
  assert_non_null(strstr(result.out, "separation (l2): 0.5 of the initial distance, from 0.5 to 0.5"));
  ran_free(&result);
}

/* A plug-in is asked about the distance that a fraction comes to. */
static void an_outside_method_is_asked_with_a_fraction(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS(""));
  json_t *object =
      assert_json(run("query %s --json --plugin %s/faulty_fine.so --separation-fraction 0.75", file, BUILT), 0);
  const json_t *asked = json_object_get(object, "separation");
  assert_true(number_of(asked, "min") == 0.75 && number_of(asked, "max") == 0.75);
  json_decref(object);
}

static void exact_is_the_truth_where_asked(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS(""));
  json_t *object = assert_json(
      run("bench %s --json --pool --method exact --min-separation 0.25,0.5 --separation-fraction 0.5 --truth-by exact",
          file),
      0);
  assert_int_equal(json_array_size(json_object_get(object, "rows")), 3);
  const json_t *far = find_row(object, "set-vf vf", "exact", 0.25), *near = find_row(object, "set-vf vf", "exact", 0.5);
  assert_count(far, "contacts", 1);
  assert_count(near, "contacts", 2);
  assert_count(near, "false_positives", 0);
  assert_count(near, "late", 0);
  json_decref(object);
}

/* --- real data --- */

static void no_method_misses_real_contacts_or_is_late(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  const int limit = TEST_SANITIZED ? 10 : 60;
  json_t *object = assert_json(run("bench %s --json --samples 0 --limit %d", data, limit), 0);
  const json_t *rows = json_object_get(object, "rows");
  assert_true(json_array_size(rows) >= 38);
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    assert_count(row, "false_negatives", 0);
    if (json_integer_value(json_object_get(row, "contacts")) > 0)
      assert_count(row, "late", 0);
  }
  json_decref(object);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_benches_end_with_one_line),
      cmocka_unit_test(scenes_are_sets_and_find_their_truth),
      cmocka_unit_test(early_and_late_times_are_told_apart),
      cmocka_unit_test(tables_come_in_three_forms),
      cmocka_unit_test(tables_fit_a_hundred_columns),
      cmocka_unit_test(figures_go_into_a_picture_and_a_list),
      cmocka_unit_test(a_separation_turns_a_miss_into_a_hit),
      cmocka_unit_test(an_outside_method_is_asked_with_a_fraction),
      cmocka_unit_test(exact_is_the_truth_where_asked),
      cmocka_unit_test(no_method_misses_real_contacts_or_is_late),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
