/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where the command's output goes: files, links, devices and standard output, which may be closed, full or left by its
 * reader. What fails says so in one line, and leaves nothing behind. */

#include "cli/inputs.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every option that names a file to write, in a line that works with it, and how what is written begins. */
static const struct {
  const char *line, *begins;
} writers[] = {
    {"query @vf.csv --samples 0 --out", "index,verdict,t_lo,t_hi,u,v\n0,hit,0x1"},
    {"query @vf.csv --samples 0 --certificates", "toi-certificate"},
    {"step @start.ply @end.ply --candidates", "{\"vf\":[["},
    {"step @start.ply @end.ply --hits", "{\"vf\":[[3,0]],\n\"ee\":[],\n\"ve\":[],\n\"vv\":[]}\n"},
    {"check @crossed.ply --out", "{\"crossings\":[[3,0],[4,0]],\n\"vf\":[],"},
    {"surface @cases.jsonl --samples 0 --out", "index,verdict,t_lo,t_hi,u1,v1,u2,v2\n0,hit,"},
    {"surface @scene.json --out", "index,verdict,t_lo,t_hi,u1,v1,u2,v2,patch_a,patch_b,x,y,z\n0,hit,"},
    {"contact @spheres.json --out", "index,a,b,certificate,"},
    {"contact @spheres.json --picture", "<svg "},
#ifndef TOI_WITHOUT_GMP
    {"demo --count 100 --certificates", "toi-certificate"},
#endif
};

#define WRITERS (sizeof writers / sizeof writers[0])

/* What a line writes to a file; the caller frees it. */
static char *written(const char *line) {
  unlink(test_path("out"));
  ran result = run("%s %s", with_paths(line), test_path("out"));
  if (result.code != 0 || result.err[0] != '\0' || result.out[0] == '\0')
    fail_msg("%s: exit %d, out \"%s\", err \"%s\"", line, result.code, result.out, result.err);
  ran_free(&result);
  return test_read_bytes(test_path("out"), NULL);
}

static void a_dash_is_standard_output(void **state) {
  (void)state;
  write_inputs();
  for (size_t i = 0; i < WRITERS; i++) {
    char *expected = written(writers[i].line);
    if (strncmp(expected, writers[i].begins, strlen(writers[i].begins)) != 0)
      fail_msg("%s: \"%.80s\" does not begin with \"%s\"", writers[i].line, expected, writers[i].begins);
    const size_t files = test_count_files();
    ran result = run("%s -", with_paths(writers[i].line));
    if (result.code != 0 || result.err[0] != '\0' || strcmp(result.out, expected) != 0)
      fail_msg("%s -: exit %d, err \"%s\", out \"%s\"", writers[i].line, result.code, result.err, result.out);
    assert_int_equal(test_count_files(), files);
    assert_int_equal(access("-", F_OK), -1);
    ran_free(&result);
    free(expected);
  }
  // A coloured mesh is no text, and its name has an ending.
  ran result = run("%s", with_paths("check @crossed.ply --colour @c.ply"));
  assert_int_equal(result.code, 0);
  ran_free(&result);
  result = run("%s | cmp - %s", with_paths("check @crossed.ply --colour -"), test_path("c.ply"));
  assert_int_equal(result.code, 0);
  ran_free(&result);
}

static void standard_output_takes_one_thing(void **state) {
  (void)state;
  write_inputs();
  for (size_t i = 0; i < WRITERS; i++)
    assert_fails(run("%s - --json", with_paths(writers[i].line)), "and --json both go to standard output");
  static const struct {
    const char *words, *sentence;
  } lines[] = {
      {"step @start.ply @end.ply --hits - --candidates -", "-: --candidates and --hits name the same file"},
      {"step @start.ply @end.ply --hits @h --candidates @h", "--candidates and --hits name the same file"},
      {"query @vf.csv --out - --certificates -", "-: --out and --certificates name the same file"},
      {"check @start.ply --out - --colour -", "-: --out and --colour name the same file"},
      {"line-search @start.ply @end.ply --out -", "--out -: meshes are written as .ply or .obj"},
      {"contact @spheres.json --out - --picture -", "-: --out and --picture name the same file"},
      {"demo --count 100 --out -", "--out -: queries are written to two files"},
      {"demo --write -", "--write needs a directory"},
      {"step @start.ply @end.ply --hits ''", "--hits: the name of the file is empty"},
      {"query @vf.csv --out ''", "--out: the name of the file is empty"},
      {"surface @cases.jsonl --out ''", "--out: the name of the file is empty"},
      {"contact @spheres.json --picture ''", "--picture: the name of the file is empty"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    assert_fails(run("%s", with_paths(lines[i].words)), lines[i].sentence);
  // One there and one in a file is fine.
  ran result = run("%s", with_paths("step @start.ply @end.ply --hits - --candidates @c.json"));
  assert_int_equal(result.code, 0);
  assert_string_equal(result.out, "{\"vf\":[[3,0]],\n\"ee\":[],\n\"ve\":[],\n\"vv\":[]}\n");
  ran_free(&result);
  assert_int_equal(unlink(test_path("c.json")), 0);
}

static void what_was_printed_to_a_file_stays(void **state) {
  (void)state;
  write_inputs();
  const char *log = test_write_text("log", "before\n");
  char line[8192];
  snprintf(line, sizeof line, "%s %s - >>%s", TOI, with_paths(writers[3].line), log);
  assert_int_equal(system(line), 0);
  char *text = test_read_bytes(log, NULL);
  assert_true(strncmp(text, "before\n{\"vf\":", 13) == 0);
  free(text);
}

static void links_stay_links(void **state) {
  (void)state;
  write_inputs();
  const char *link_path = test_path("link"), *target = test_path("target");
  for (size_t i = 0; i < WRITERS; i++) {
    char *expected = written(writers[i].line);
    unlink(link_path);
    assert_int_equal(symlink("target", link_path), 0);
    unlink(target);
    // Nowhere: refused, and neither the link nor a file is made of it.
    const size_t files = test_count_files();
    assert_fails(run("%s %s", with_paths(writers[i].line), link_path), "a symbolic link to a file that does not exist");
    assert_int_equal(test_count_files(), files);
    // To a file: that is replaced.
    test_write_text("target", "old");
    ran result = run("%s %s", with_paths(writers[i].line), link_path);
    assert_int_equal(result.code, 0);
    ran_free(&result);
    struct stat facts;
    assert_true(lstat(link_path, &facts) == 0 && S_ISLNK(facts.st_mode));
    char *text = test_read_bytes(target, NULL);
    assert_string_equal(text, expected);
    free(text);
    free(expected);
  }
}

/* A full disk, a directory, a folder that is not there. */
static void what_cannot_be_written_leaves_nothing(void **state) {
  (void)state;
  write_inputs();
  for (size_t i = 0; i < WRITERS; i++) {
    const char *line = writers[i].line;
    const size_t files = test_count_files();
    assert_fails(run("%s /dev/full", with_paths(line)), "/dev/full: cannot be written: No space left");
    assert_fails(run("%s %s", with_paths(line), test_path("")), "cannot be written: Is a directory");
    assert_fails(run("%s %s", with_paths(line), test_path("no/such")), "no/such: cannot be written: No such file");
    ran result = run("%s - >/dev/full", with_paths(line));
    if (result.code != 2 || strstr(result.err, "toi: standard output cannot be written: No space") != result.err)
      fail_msg("%s: exit %d, err \"%s\"", line, result.code, result.err);
    ran_free(&result);
    assert_int_equal(test_count_files(), files);
  }
}

/* Lines that print a report, each. */
static const char *const reports[] = {
    "--help",
    "--version",
    "help step",
    "methods",
    "methods --json",
    "query @vf.csv",
    "query @vf.csv --json",
    "bench @vf.csv --method certified",
    "step @start.ply @end.ply",
    "step @start.ply @end.ply --json",
    "sequence @start.ply @end.ply",
    "check @crossed.ply",
    "check @crossed.ply --json",
    "line-search @start.ply @end.ply",
    "surface @cases.jsonl",
    "surface @scene.json --json",
    "contact @spheres.json",
    "contact @spheres.json --json",
    "demo --size 4",
#ifndef TOI_WITHOUT_GMP
    "demo --count 100",
#endif
};

#define REPORTS (sizeof reports / sizeof reports[0])

static void assert_one_line(const ran *result, const char *words, const char *sentence) {
  const char *newline = strchr(result->err, '\n');
  if (result->code != 2 || newline == NULL || newline[1] != '\0' || strstr(result->err, sentence) == NULL)
    fail_msg("%s: exit %d, err \"%s\"; expected \"%s\"", words, result->code, result->err, sentence);
}

static void a_report_that_gets_lost_is_an_error(void **state) {
  (void)state;
  write_inputs();
  for (size_t i = 0; i < REPORTS; i++) {
    ran result = run("%s >&-", with_paths(reports[i]));
    assert_one_line(&result, reports[i],
                    "toi: standard output cannot be written: it is closed; check where it is redirected");
    ran_free(&result);
    result = run("%s >/dev/full", with_paths(reports[i]));
    assert_one_line(&result, reports[i], "toi: standard output cannot be written: No space left on device");
    ran_free(&result);
  }
  // What is written to a file does not end up in the place of standard output, or the other way round.
  ran result = run("%s >&-", with_paths("step @start.ply @end.ply --hits @hits.json"));
  assert_int_equal(result.code, 2);
  ran_free(&result);
  char *text = test_read_bytes(test_path("hits.json"), NULL);
  assert_string_equal(text, writers[3].begins);
  free(text);
  // Without standard error there is still the exit code.
  result = run("%s 2>&-", with_paths("step @start.ply @nothing.ply"));
  assert_int_equal(result.code, 2);
  ran_free(&result);
  result = run("%s <&- 2>&-", with_paths(writers[3].line));
  assert_int_equal(result.code, 2);
  assert_string_equal(result.out, "");
  ran_free(&result);
}

/* As `toi ... | head -1` where the reader is gone at once: ends by the signal, without a word, and without files. */
static void a_reader_that_leaves_ends_it_quietly(void **state) {
  (void)state;
  write_inputs();
  char line[8192];
  for (size_t i = 0; i < REPORTS + WRITERS; i++) {
    const bool report = i < REPORTS;
    snprintf(line, sizeof line, "{ (sleep 0.1; %s %s%s; echo $? >&3) | true; } 3>%s 2>%s", TOI,
             with_paths(report ? reports[i] : writers[i - REPORTS].line), report ? "" : " -", test_path("code"),
             test_path("stderr"));
    assert_int_equal(system(line), 0);
    char *code = test_read_bytes(test_path("code"), NULL), *said = test_read_bytes(test_path("stderr"), NULL);
    if (strtol(code, NULL, 10) != 128 + SIGPIPE || said[0] != '\0')
      fail_msg("%s: exit %s, err \"%s\"", line, code, said);
    free(code);
    free(said);
  }
  // Another file that was being written is removed; the signal alone would leave a part of it.
  const size_t files = test_count_files();
  snprintf(line, sizeof line, "(sleep 0.1; %s %s) | true", TOI,
           with_paths("query @vf.csv --samples 0 --out - --certificates @proofs"));
  assert_int_equal(system(line), 0);
  assert_int_equal(test_count_files(), files);
  assert_int_equal(access(test_path("proofs"), F_OK), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_dash_is_standard_output),
      cmocka_unit_test(standard_output_takes_one_thing),
      cmocka_unit_test(what_was_printed_to_a_file_stays),
      cmocka_unit_test(links_stay_links),
      cmocka_unit_test(what_cannot_be_written_leaves_nothing),
      cmocka_unit_test(a_report_that_gets_lost_is_an_error),
      cmocka_unit_test(a_reader_that_leaves_ends_it_quietly),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
