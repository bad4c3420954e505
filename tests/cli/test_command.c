/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The command as its users see it: what it prints, what it writes, its exit codes, and the one line it fails with. */

#include "cli/running.h"

#include <math.h>

/* --- usage --- */

static void version_and_help_are_printed(void **state) {
  (void)state;
  static const char *const words[] = {"help bench",   "bench -h", "--version",      "--help",
                                      "help",         "-h",       "help query",     "help demo",
                                      "query --help", "demo -h",  "methods --help", "methods"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    ran result = run("%s", words[i]);
    assert_int_equal(result.code, 0);
    assert_true(strlen(result.out) > 5);
    assert_string_equal(result.err, "");
    ran_free(&result);
  }
  char version[64];
  snprintf(version, sizeof version, "toi %d.%d.%d\n", TOI_VERSION_MAJOR, TOI_VERSION_MINOR, TOI_VERSION_PATCH);
  ran result = run("--version");
  assert_string_equal(result.out, version);
  ran_free(&result);
}

static void bad_usage_ends_with_one_line(void **state) {
  (void)state;
  static const struct {
    const char *words, *sentence;
  } cases[] = {
      {"", "a command is missing"},
      {"frobnicate", "unknown command 'frobnicate'; toi --help"},
      {"help frobnicate", "unknown command 'frobnicate'; toi --help"},
      {"stp", "unknown command 'stp'; did you mean 'step'?"},
      {"squence", "unknown command 'squence'; did you mean 'sequence'?"},
      {"help methdos", "unknown command 'methdos'; did you mean 'methods'?"},
      {"line-serach", "unknown command 'line-serach'; did you mean 'line-search'?"},
      {"Demo", "unknown command 'Demo'; did you mean 'demo'?"},
      {"pet", "unknown command 'pet'; toi --help"},
      {"a-word-that-is-far-too-long-for-any-command-of-this-program", "-program'; toi --help"},
      {"query FILE --treads=2", "unknown option '--treads' for toi query; did you mean '--threads'? toi query --help"},
      {"query FILE -threads 2", "unknown option '-threads' for toi query; did you mean '--threads'?"},
      {"demo --hlep", "unknown option '--hlep' for toi demo; did you mean '--help'?"},
      {"query", "needs a file or a directory"},
      {"query FILE --frobnicate", "unknown option '--frobnicate' for toi query"},
      {"query FILE -x", "unknown option '-x' for toi query"},
      {"query FILE --json=1", "--json takes no value"},
      {"query FILE --threads", "--threads needs a value"},
      {"query FILE --threads two", "--threads two: not a whole number"},
      {"query FILE --threads -1", "--threads -1: not a whole number"},
      {"query FILE --threads 1000000", "--threads 1000000"},
      {"query FILE --tolerance small", "--tolerance small: not a number"},
      {"query FILE --tolerance nan", "--tolerance nan: not a number"},
      {"query FILE --tolerance 0", "--tolerance must be positive"},
      {"query FILE --tolerance -1e-6", "--tolerance must be positive"},
      {"query FILE --tolerance inf", "--tolerance must be positive and finite"},
      {"query FILE --t-max 1.5", "--t-max must lie in [0, 1]"},
      {"query FILE --t-max=-0.1", "--t-max must lie in [0, 1]"},
      {"query FILE --min-separation -1", "--min-separation must be finite and not negative"},
      {"query FILE --min-separation inf", "--min-separation must be finite and not negative"},
      {"query FILE --separation-fraction -1", "--separation-fraction must be finite and not negative"},
      {"query FILE --min-separation 1 --separation-fraction 1", "exclude each other"},
      {"query FILE --norm l1", "--norm must be l2 or linf"},
      {"query FILE --inclusion sphere", "--inclusion must be aabb or obb"},
      {"query FILE --scene-bound 1,2", "--scene-bound must be three positive numbers"},
      {"query FILE --scene-bound 1,2,0", "--scene-bound must be three positive numbers"},
      {"query FILE --scene-bound 1,2,3,4", "--scene-bound must be three positive numbers"},
      {"query FILE --kind vv", "--kind must be vf or ee"},
      {"query FILE --repeat 0", "--repeat must lie between 1 and 1000000"},
      {"query FILE --method best", "--method best: unknown method"},
      {"query FILE --method exact,best", "--method best: unknown method"},
      {"query FILE --method exact,", "--method : unknown method"},
      {"query FILE --truth nowhere.json", "nowhere.json: cannot be read"},
      {"query FILE --plugin nowhere.so", "nowhere.so"},
      {"query FILE FILE --truth nowhere.json", "--truth is for one query file, but there are 2"},
      {"query FILE --method all --out x.csv", "--out takes the answers of one method"},
      {"query nowhere-vf.csv", "nowhere-vf.csv: cannot be read: No such file"},
      {"demo --count 0", "--count must lie between 1 and 1000000000000"},
      {"demo now", "now: toi demo takes no arguments"},
      {"demo --out set.txt", "--out set.txt: queries are written to .csv or .bin"},
      {"demo --out ./set", "--out ./set: queries are written to .csv or .bin"},
      {"demo --grazing --out set.csv", "leave them out"},
      {"methods now", "now: toi methods takes no arguments"},
  };
  const char *file = test_write_text("usage-vf.csv", HIT_ROWS(""));
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char words[2048] = "";
    const char *rest = cases[i].words;
    for (const char *place; (place = strstr(rest, "FILE")) != NULL; rest = place + 4)
      snprintf(words + strlen(words), sizeof words - strlen(words), "%.*s%s", (int)(place - rest), rest, file);
    snprintf(words + strlen(words), sizeof words - strlen(words), "%s", rest);
    assert_fails(run("%s", words), cases[i].sentence);
  }
}

/* --- queries --- */

static void verdicts_are_counted_against_the_truth(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0") HIT_ROWS(",0") MISS_ROWS(",1"));
  json_t *object = assert_json(run("query %s --json --counters --threads 2 --repeat 3", file), 0);
  assert_counts(object, 2, 0, 2);
  assert_count(object, "false_positives", 1);
  assert_count(object, "false_negatives", 1);
  assert_count(object, "truth_queries", 4);
  assert_count(object, "threads", 2);
  assert_text(object, "method", "certified");
  assert_true(json_is_null(json_object_get(object, "bracket_errors")));
  static const char *const times[] = {"ns_per_query", "p50_ns", "p99_ns", "max_ns", "read_ms"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    assert_true(json_real_value(json_object_get(object, times[i])) >= 0);
    assert_true(json_is_real(json_object_get(object, times[i])));
  }
  long long settled = 0;
  const char *level;
  json_t *count;
  json_object_foreach(json_object_get(object, "levels"), level, count) {
    settled += json_integer_value(count);
  }
  assert_int_equal(settled, 4);

  const json_t *files = json_object_get(object, "files");
  assert_int_equal(json_array_size(files), 1);
  assert_text(json_array_get(files, 0), "file", file);
  assert_text(json_array_get(files, 0), "kind", "vertex-face");
  assert_counts(json_array_get(files, 0), 2, 0, 2);
  json_decref(object);
}

static void without_truth_errors_are_null(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS(""));
  json_t *object = assert_json(run("query %s --json --samples 0", file), 0);
  assert_counts(object, 1, 0, 1);
  assert_true(json_is_null(json_object_get(object, "false_positives")));
  assert_true(json_is_null(json_object_get(object, "false_negatives")));
  assert_true(json_is_null(json_object_get(object, "p50_ns")));
  assert_null(json_object_get(object, "levels"));
  json_decref(object);
}

static void the_table_puts_correctness_before_time(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  ran result = run("query %s --counters", file);
  assert_int_equal(result.code, 0);
  static const char *const columns[] = {"method", "queries",  "hits", "near", "misses", "FP",
                                        "FN",     "ns/query", "p50",  "p99",  "max"};
  const char *place = strstr(result.out, "\n\n");
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
    assert_non_null(place);
    place = strstr(place, columns[i]);
  }
  if (place == NULL)
    fail_msg("no columns in this order: %s", result.out);
  assert_non_null(strstr(result.out, "settled by level"));
  ran_free(&result);
}

static void answers_are_written_as_hex_floats(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS("")), *out = test_path("answers.csv");
  ran result = run("query %s %s --out %s --method exact", file, file, out);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  char *text = test_read_bytes(out, NULL);
  assert_string_equal(text, "index,verdict,t_lo,t_hi,u,v\n0,hit,0x1p-1,0x1p-1,0.25,0.25\n1,miss,inf,inf,nan,nan\n"
                            "2,hit,0x1p-1,0x1p-1,0.25,0.25\n3,miss,inf,inf,nan,nan\n");
  free(text);
}

static void the_step_can_be_cut_short(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1"));
  static const struct {
    const char *t_max;
    int hits;
  } cases[] = {{"1", 1}, {"0.5", 1}, {"0.4999", 0}, {"0", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    json_t *object = assert_json(run("query %s --json --t-max %s", file, cases[i].t_max), 0);
    assert_count(object, "hits", cases[i].hits);
    // The truth is about the whole step; without times it says nothing about a part of it.
    assert_int_equal(json_is_null(json_object_get(object, "false_negatives")), i > 0);
    json_decref(object);
  }
}

static void a_hit_is_a_finding_where_asked(void **state) {
  (void)state;
  const char *hits = test_write_text("hits-vf.csv", HIT_ROWS("")),
             *misses = test_write_text("misses-vf.csv", MISS_ROWS(""));
  json_decref(assert_json(run("query %s --json --fail-on-hit", hits), 1));
  json_decref(assert_json(run("query %s --json", hits), 0));
  json_decref(assert_json(run("query %s --json --fail-on-hit", misses), 0));
}

static void all_methods_agree(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  json_t *object = assert_json(run("query %s --json --method all", file), 0);
  const json_t *methods = json_object_get(object, "methods");
  assert_true(json_array_size(methods) >= 2);
  assert_text(json_array_get(methods, 0), "method", "certified");
  assert_text(json_array_get(methods, 1), "method", "exact");
  for (size_t i = 0; i < json_array_size(methods); i++) {
    if (i < 2)
      assert_counts(json_array_get(methods, i), 1, 0, 1);
    assert_count(json_array_get(methods, i), "false_positives", 0);
    assert_count(json_array_get(methods, i), "false_negatives", 0);
  }
  json_decref(object);
}

/* --- truth --- */

static void truth_may_come_from_another_file(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS(""));
  static const struct {
    const char *name, *text;
    int positives, negatives, brackets;
  } cases[] = {
      {"t.json", "[true,false]", 0, 0, -1},
      {"t.json.gz", "[false,true]", 1, 1, -1},
      {"t.csv", "hit,toi_lo,toi_hi\n1,0x1p-1,0x1p-1\n0,,\n", 0, 0, 0},
      {"t.csv.gz", "hit,toi_lo,toi_hi\n1,0x1.8p-1,0x1.8p-1\n0,,\n", 0, 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *truth = test_write_text(cases[i].name, cases[i].text);
    json_t *object = assert_json(run("query %s --json --method exact --truth %s", file, truth), 0);
    assert_count(object, "false_positives", cases[i].positives);
    assert_count(object, "false_negatives", cases[i].negatives);
    if (cases[i].brackets < 0) {
      assert_true(json_is_null(json_object_get(object, "bracket_errors")));
    } else {
      assert_count(object, "bracket_errors", cases[i].brackets);
      assert_count(object, "bracket_exact", 1 - cases[i].brackets);
    }
    json_decref(object);
  }
  // With times, the truth of a part of the step follows.
  const char *truth = test_write_text("t.csv", "hit,toi_lo,toi_hi\n1,0x1p-1,0x1p-1\n0,,\n");
  json_t *object = assert_json(run("query %s --json --truth %s --t-max 0.25", file, truth), 0);
  assert_counts(object, 0, 0, 2);
  assert_count(object, "false_negatives", 0);
  json_decref(object);
  truth = test_write_text("t.json", "[true]");
  assert_fails(run("query %s --json --truth %s", file, truth), "the truth of 1 queries, but");
}

/* --- files --- */

static void directories_are_walked_in_order(void **state) {
  (void)state;
  test_make_directory("walk");
  test_make_directory("walk/vertex-face");
  test_make_directory("walk/vertex-face/deep");
  test_make_directory("walk/empty");
  test_write_text("walk/vertex-face/b.csv", HIT_ROWS(""));
  test_write_text("walk/vertex-face/a.csv.gz", MISS_ROWS("") MISS_ROWS(""));
  test_write_text("walk/vertex-face/deep/326ee.csv", MISS_ROWS(""));
  test_write_text("walk/vertex-face/notes.txt", "not a query file");
  test_write_text("walk/vertex-face/answers.csv", "index,verdict,t_lo,t_hi,u,v\n0,miss,inf,inf,nan,nan\n");
  test_write_text("walk/truth_vf.csv.gz", "hit,toi_lo,toi_hi\n0,,\n");
  json_t *object = assert_json(run("query %s --json --samples 0", test_path("walk")), 0);
  const json_t *files = json_object_get(object, "files");
  static const struct {
    const char *name, *kind;
    int queries;
  } expected[] = {{"walk/vertex-face/a.csv.gz", "vertex-face", 2},
                  {"walk/vertex-face/b.csv", "vertex-face", 1},
                  {"walk/vertex-face/deep/326ee.csv", "edge-edge", 1}};
  assert_int_equal(json_array_size(files), 3);
  for (size_t i = 0; i < 3; i++) {
    assert_text(json_array_get(files, i), "file", test_path(expected[i].name));
    assert_text(json_array_get(files, i), "kind", expected[i].kind);
    assert_count(json_array_get(files, i), "queries", expected[i].queries);
  }
  assert_count(object, "queries", 4);
  json_decref(object);
  assert_fails(run("query %s --json", test_path("walk/empty")), "a directory without query files");
  assert_fails(run("query %s --json", test_path("walk/vertex-face/answers.csv")),
               "answers.csv:1: column 1: \"index\" is not an integer");
}

static void the_kind_is_taken_from_the_path(void **state) {
  (void)state;
  test_make_directory("vf");
  static const struct {
    const char *name, *kind;
  } cases[] = {{"vf/plain.csv", "vertex-face"}, {"vf/x_ee.csv", "edge-edge"},
               {"vf/326EE.csv", "edge-edge"},   {"vf/edge-edge.csv", "edge-edge"},
               {"vf/wheel.csv", "vertex-face"}, {"wheel.csv", NULL},
               {"vf-or-ee.csv", NULL},          {"vfx.csv", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *path = test_write_text(cases[i].name, MISS_ROWS(""));
    if (cases[i].kind == NULL)
      assert_fails(run("query %s --json", path),
                   "the path does not say whether the queries are vertex-face or edge-edge");
    json_t *object =
        assert_json(run("query %s --json --samples 0 %s", path, cases[i].kind == NULL ? "--kind ee" : ""), 0);
    const json_t *file = json_array_get(json_object_get(object, "files"), 0);
    assert_text(file, "kind", cases[i].kind == NULL ? "edge-edge" : cases[i].kind);
    json_decref(object);
  }
}

static void bad_input_ends_with_one_line_and_no_output(void **state) {
  (void)state;
  const char *good = test_write_text("good-vf.csv", HIT_ROWS("")), *out = test_write_text("kept.csv", "kept\n");
  static const struct {
    const char *name, *text, *sentence;
  } cases[] = {
      {"bad-vf.csv", "", ": an empty file"},
      {"bad-vf.csv", "1,4,1,4,1,1\n", ":1: the last query has 1 of 8 rows; the file is truncated"},
      {"bad-vf.csv", "1,4,1,4,1\n", ":1: 5 columns"},
      {"bad-vf.csv", "1,0,1,4,1,1\n", ":1: column 2: the denominator is 0"},
      {"bad-vf.csv", "1,4,1,4,one,1\n", ":1: column 5: \"one\" is not an integer"},
      {"bad-vf.csv", "1,4,1,3,1,1\n", ":1: column 3: 1/3 is not a double"},
      {"bad-vf.csv", HIT_ROWS(",1") "1,4,1,4,1,1,2\n", ":9: the truth is \"2\""},
      {"bad-vf.bin", "12345", ": 5 bytes are not a multiple of 192"},
      {"bad-vf.txt", HIT_ROWS(""), ": not a query file by its name"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *path = test_write_text(cases[i].name, cases[i].text);
    size_t before = test_count_files();
    assert_fails(run("query %s %s --json --out %s", good, path, out), cases[i].sentence);
    assert_fails(run("query %s %s --out %s", good, path, out), cases[i].sentence);
    assert_int_equal(test_count_files(), before);
    char *text = test_read_bytes(out, NULL);
    assert_string_equal(text, "kept\n");
    free(text);
  }
  double values[24] = {0};
  values[7] = (double)NAN;
  assert_fails(run("query %s --json", test_write_bytes("nan-vf.bin", values, sizeof values)),
               "value 7 (byte 56) is not a number");
}

static void output_that_cannot_be_written_is_said(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(""));
  assert_fails(run("query %s --json --out %s", file, test_path("no/such/folder.csv")),
               "cannot be written: No such file");
  assert_fails(run("query %s --json --out %s", file, file), "holds the queries and would be replaced");
  const char *truth = test_write_text("truth.json", "[true]");
  assert_fails(run("query %s --json --truth %s --out %s", file, truth, truth), "holds the truth and would be replaced");
  const char *both = test_path("both.txt");
  assert_fails(run("query %s --json --out %s --certificates %s", file, both, both), "name the same file");
  assert_fails(run("query %s --json --out /dev/full", file), "/dev/full: cannot be written: No space left");
  assert_fails(run("query %s --json --certificates /dev/full", file), "/dev/full: cannot be written: No space left");
  char line[2048];
  snprintf(line, sizeof line, "%s query %s --json >/dev/full 2>%s", TOI, file, test_path("stderr"));
  int status = system(line);
  assert_int_equal(WEXITSTATUS(status), 2);
  char *text = test_read_bytes(test_path("stderr"), NULL);
  assert_non_null(strstr(text, "standard output cannot be written"));
  free(text);
}

/* --- plug-ins --- */

static void an_outside_method_runs_beside_ours(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  json_t *object = assert_json(run("query %s --json --plugin %s/sampling.so", file, BUILT), 0);
  assert_text(object, "method", "sampling");
  assert_counts(object, 1, 0, 1);
  json_decref(object);
  object = assert_json(run("query %s --json --plugin %s/sampling.so --method all --counters", file, BUILT), 0);
  const json_t *methods = json_object_get(object, "methods");
  const json_t *last = json_array_get(methods, json_array_size(methods) - 1);
  assert_true(json_array_size(methods) >= 3);
  assert_text(last, "method", "sampling");
  assert_count(json_object_get(last, "levels"), "outside", 2);
  json_decref(object);
  object = assert_json(run("query %s --json --plugin %s/sampling.so --method exact", file, BUILT), 0);
  assert_text(object, "method", "exact");
  json_decref(object);
  object = assert_json(
      run("query %s --json --plugin %s/sampling.so --plugin %s/faulty_fine.so --threads 3", file, BUILT, BUILT), 0);
  methods = json_object_get(object, "methods");
  assert_int_equal(json_array_size(methods), 2);
  assert_counts(json_array_get(methods, 1), 0, 2, 0);
  json_decref(object);
  json_decref(assert_json(run("query %s --json --plugin %s/faulty_fine.so --fail-on-hit", file, BUILT), 1));
}

static void a_plugin_at_fault_is_refused(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS(""));
  static const struct {
    const char *name, *sentence;
  } cases[] = {
      {"faulty_other_version", "made for plug-in version 3, this library supports 2; rebuild it"},
      {"faulty_no_entry", "exports no toi_plugin_entry"},
      {"faulty_taken_name", "its method is called exact, a name already in use"},
      {"faulty_no_name", "has no name or no answer function"},
      {"faulty_no_state", "the plug-in could not answer"},
      {"faulty_bad_verdict", "the plug-in could not answer"},
      {"faulty_gives_up", "set-vf.csv: query 0: the plug-in could not answer it"},
      {"sampling.so --plugin " BUILT "/sampling", "a plug-in called sampling is already loaded"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_fails(run("query %s --json --plugin %s/%s.so", file, BUILT, cases[i].name), cases[i].sentence);
  assert_fails(run("query %s --json --plugin %s", file, file), "build the plug-in as a shared object");
}

/* --- certificates --- */

#ifdef TOI_WITHOUT_GMP

static void queries_with_known_answers_need_gmp(void **state) {
  (void)state;
  static const char *const lines[] = {"demo --queries", "demo --grazing", "demo --count 10"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    assert_fails(run("%s", lines[i]), "this toi was built without it (TOI_WITH_GMP=OFF); leave --queries");
}

#else

/* The checker accepts what the command writes, and not what somebody changed. */
static void certificates_are_checked_by_another_program(void **state) {
  (void)state;
  const char *file = test_write_text("set-vf.csv", HIT_ROWS("") MISS_ROWS("")), *proofs = test_path("proofs.txt");
  ran result = run("query %s --certificates %s && " VERIFY " %s", file, proofs, proofs);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "2 certificates verified"));
  ran_free(&result);
  char *text = test_read_bytes(proofs, NULL);
  char *verdict = strstr(text, "miss");
  assert_non_null(verdict);
  memcpy(verdict, "hit ", 4);
  const char *forged = test_write_text("forged.txt", text);
  free(text);
  result = run("--version && " VERIFY " %s", forged);
  assert_int_not_equal(result.code, 0);
  ran_free(&result);
  result = run("demo --count 1000 --certificates %s && " VERIFY " %s", proofs, proofs);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "1000 certificates verified"));
  ran_free(&result);
}

/* --- the demonstration --- */

static void the_demonstration_finds_nothing_wrong(void **state) {
  (void)state;
  json_t *object = assert_json(run("demo --count 3300 --seed 7 --json --out %s", test_path("demo.csv")), 0);
  assert_count(object, "queries", 3300);
  assert_count(object, "wrong", 0);
  assert_true(json_integer_value(json_object_get(object, "hits")) > 300);
  assert_true(json_integer_value(json_object_get(object, "misses")) > 300);
  assert_true(json_array_size(json_object_get(object, "classes")) > 20);
  json_decref(object);
  static const char *const names[] = {"demo-vf.csv", "demo-ee.csv"};
  for (size_t i = 0; i < 2; i++) {
    object = assert_json(run("query %s --json --method certified,exact --samples 0", test_path(names[i])), 0);
    for (size_t m = 0; m < 2; m++) {
      const json_t *method = json_array_get(json_object_get(object, "methods"), m);
      assert_count(method, "near", 0);
      assert_count(method, "false_positives", 0);
      assert_count(method, "false_negatives", 0);
      assert_true(json_integer_value(json_object_get(method, "truth_queries")) > 500);
    }
    json_decref(object);
  }
  ran result = run("demo --count 100 --threads 1");
  assert_int_equal(result.code, 0);
  assert_int_equal(strncmp(result.out, "Adversarial queries: ", 21), 0);
  assert_non_null(strstr(result.out, "certified and exact decide all 100 queries correctly"));
  ran_free(&result);
}

static void the_demonstration_shows_its_scene_and_what_to_do_next(void **state) {
  (void)state;
  ran result = run("demo --size 8 --threads 1");
  assert_int_equal(result.code, 0);
  // Between the first line and the first table stands the picture: cloth and rings; the ball is behind the cloth.
  const char *picture = strchr(result.out, '\n'), *table = strstr(result.out, "\npart ");
  assert_non_null(picture);
  assert_non_null(table);
  assert_non_null(memchr(picture, ':', (size_t)(table - picture)));
  assert_non_null(memchr(picture, '=', (size_t)(table - picture)));
  const char *next = strstr(result.out, "\nNext\n");
  assert_non_null(next);
  int commands = 0;
  for (const char *at = strstr(next, "\n  toi "); at != NULL; at = strstr(at + 1, "\n  toi "))
    commands++;
  assert_int_equal(commands, 3);
  ran_free(&result);

  const char *folder = test_path("demo-scene");
  result = run("demo --size 8 --threads 1 --write %s", folder);
  assert_int_equal(result.code, 0);
  char command[2048];
  snprintf(command, sizeof command, "\n  toi step %s/frame0.ply %s/frame1.ply --all\n", folder, folder);
  assert_non_null(strstr(result.out, command));
  ran_free(&result);
  char *drawn = test_read_bytes(test_path("demo-scene/impact.svg"), NULL);
  assert_int_equal(strncmp(drawn, "<svg ", 5), 0);
  assert_non_null(strstr(drawn, "</svg>"));
  free(drawn);
}

static void the_demonstration_of_separations_finds_nothing_wrong(void **state) {
  (void)state;
  json_t *object = assert_json(run("demo --grazing --count 6000 --seed 7 --json"), 0);
  assert_count(object, "queries", 6000);
  assert_count(object, "wrong", 0);
  assert_true(json_integer_value(json_object_get(object, "hits")) > 3000);
  assert_true(json_integer_value(json_object_get(object, "misses")) > 1000);
  assert_int_equal(json_array_size(json_object_get(object, "classes")), 24);
  json_decref(object);
}

static void answers_do_not_depend_on_threads(void **state) {
  (void)state;
  json_decref(assert_json(run("demo --count 20000 --seed 3 --json --out %s", test_path("many.bin")), 0));
  char *reference = NULL;
  for (int threads = 1; threads <= 4; threads++) {
    const char *out = test_path("many-answers.csv");
    ran result = run("query %s --out %s --threads %d --samples 0", test_path("many-ee.bin"), out, threads);
    assert_int_equal(result.code, 0);
    ran_free(&result);
    char *text = test_read_bytes(out, NULL);
    if (reference == NULL) {
      reference = text;
      continue;
    }
    assert_string_equal(text, reference);
    free(text);
  }
  free(reference);
}

#endif

static void methods_are_listed(void **state) {
  (void)state;
  json_t *object = assert_json(run("methods --json"), 0);
  const json_t *methods = json_object_get(object, "methods");
  assert_true(json_array_size(methods) >= 2);
  assert_text(json_array_get(methods, 0), "name", "certified");
  assert_non_null(strstr(json_string_value(json_object_get(json_array_get(methods, 0), "promise")), "tolerance"));
  json_decref(object);
}

/* --- real data --- */

static void real_queries_are_decided_rightly(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  json_t *object = assert_json(run("query %s/sample-queries --json --method certified,exact --samples 0", data), 0);
  for (size_t i = 0; i < 2; i++) {
    const json_t *method = json_array_get(json_object_get(object, "methods"), i);
    assert_count(method, "queries", 2679);
    assert_count(method, "near", 0);
    assert_count(method, "false_positives", 0);
    assert_count(method, "false_negatives", 0);
  }
  json_decref(object);
  static const char *const sets[][2] = {{"corner/vf.bin", "corner__vf"},
                                        {"corner/ee.bin", "corner__ee"},
                                        {"scenes/armadillo-rollers/queries/326vf.csv", "armadillo-rollers__vf__326vf"},
                                        {"scenes/cloth-funnel/queries/227ee.csv", "cloth-funnel__ee__227ee"},
                                        {"scenes/rod-twist/queries/3036vf.csv", "rod-twist__vf__3036vf"},
                                        {"scenes/rod-twist/queries/3036ee.csv", "rod-twist__ee__3036ee"}};
  for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
    object = assert_json(run("query %s/%s --truth %s/truth/%s.csv.gz --json --method certified,exact --samples 0", data,
                             sets[i][0], data, sets[i][1]),
                         0);
    for (size_t m = 0; m < 2; m++) {
      const json_t *method = json_array_get(json_object_get(object, "methods"), m);
      assert_count(method, "near", 0);
      assert_count(method, "false_positives", 0);
      assert_count(method, "false_negatives", 0);
      assert_count(method, "bracket_errors", 0);
      assert_true(json_real_value(json_object_get(method, "bracket_widest")) <= 0x1p-48);
      if (m == 1)
        assert_count(method, "bracket_exact", json_integer_value(json_object_get(method, "hits")));
    }
    json_decref(object);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_and_help_are_printed),
      cmocka_unit_test(bad_usage_ends_with_one_line),
      cmocka_unit_test(verdicts_are_counted_against_the_truth),
      cmocka_unit_test(without_truth_errors_are_null),
      cmocka_unit_test(the_table_puts_correctness_before_time),
      cmocka_unit_test(answers_are_written_as_hex_floats),
      cmocka_unit_test(the_step_can_be_cut_short),
      cmocka_unit_test(a_hit_is_a_finding_where_asked),
      cmocka_unit_test(all_methods_agree),
      cmocka_unit_test(truth_may_come_from_another_file),
      cmocka_unit_test(directories_are_walked_in_order),
      cmocka_unit_test(the_kind_is_taken_from_the_path),
      cmocka_unit_test(bad_input_ends_with_one_line_and_no_output),
      cmocka_unit_test(output_that_cannot_be_written_is_said),
      cmocka_unit_test(an_outside_method_runs_beside_ours),
      cmocka_unit_test(a_plugin_at_fault_is_refused),
#ifdef TOI_WITHOUT_GMP
      cmocka_unit_test(queries_with_known_answers_need_gmp),
#else
      cmocka_unit_test(certificates_are_checked_by_another_program),
      cmocka_unit_test(the_demonstration_finds_nothing_wrong),
      cmocka_unit_test(the_demonstration_shows_its_scene_and_what_to_do_next),
      cmocka_unit_test(the_demonstration_of_separations_finds_nothing_wrong),
      cmocka_unit_test(answers_do_not_depend_on_threads),
#endif
      cmocka_unit_test(methods_are_listed),
      cmocka_unit_test(real_queries_are_decided_rightly),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
