/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The C library refuses memory, at every turn, in every command: it ends with exit code 2, one line, and no file, or it
 * did not need that memory and ends as ever. It never aborts.
 *
 * The refusals come from a library that is preloaded, refuse.c, so that what other libraries allocate is refused too.
 */

#include "cli/inputs.h"

#include <unistd.h>

/* Turns that are tried one by one; beyond them, a few that are spread over the rest. */
#define FIRST_TURNS 40
#define LATER_TURNS 20

/* Each line; those that write do so to @out. */
static const char *const lines[] = {
    "--help",
    "--version",
    "help query",
    "methods",
    "methods --json",
    "query @vf.csv --truth @truth.json --threads 1 --samples 2 --out @out --json",
    "query @queries --threads 2 --counters",
    "query @vf.csv --threads 1 --method all",
    "query @vf.csv --threads 1 --certificates @out",
    "query @missing-vf.csv",
    "bench @vf.csv --method certified,exact --truth-by exact --json",
    "bench @queries --method certified --samples 0",
    "step @start.ply @end.ply --threads 1 --hits @out --json",
    "step @start.ply @end.ply --threads 2 --candidates @out",
    "step @loose.obj.gz @loose.obj.gz --threads 1 --memory 64M",
    "sequence @start.ply @end.ply @start.ply --threads 1 --json",
    "sequence @frames --threads 1 --all",
    "check @crossed.ply --threads 1 --out @out --json",
    "check @crossed.ply --threads 2 --colour @out.ply",
    "line-search @start.ply @end.ply --threads 1 --out @out.ply --json",
    "surface @cases.jsonl --threads 1 --samples 1 --out @out --json",
    "surface @cases.jsonl --convergence",
    "surface @scene.json --threads 1 --out @out --json",
    "surface sphere torus --shift-a 0,0,5 --velocity-a 0,0,-10 --contacts --threads 2",
    "step @start.ply @end.ply --threads 1 --view @out --viewer @viewer.html",
    "contact @spheres.json --out @out --json",
    "contact @spheres.json --picture @out",
    "demo --size 4 --threads 1 --json",
    "demo --size 4 --threads 2 --write @written",
#ifndef TOI_WITHOUT_GMP
    "demo --queries --count 140 --threads 1 --certificates @out",
    "demo --grazing --count 100 --threads 2 --json",
#endif
};

#define LINES (sizeof lines / sizeof lines[0])

/* Runs a line with a variable for the library; returns what system() does. */
static int run_refused(const char *variable, const char *value, const char *words) {
  char line[8192];
  snprintf(line, sizeof line, "LD_PRELOAD='%s' %s='%s' %s %s >%s 2>%s", TOI_BINARY_DIR "/refuse.so", variable, value,
           TOI, with_paths(words), test_path("stdout"), test_path("stderr"));
  return system(line);
}

static size_t count_calls(const char *words) {
  unlink(test_path("count"));
  const int status = run_refused("REFUSE_COUNT", test_path("count"), words);
  assert_true(WIFEXITED(status));
  char *text = test_read_bytes(test_path("count"), NULL);
  const size_t calls = (size_t)strtoull(text, NULL, 10);
  free(text);
  assert_true(calls > 0);
  return calls;
}

/* Files that a line leaves in the directory, itself apart. */
static void clean(void) {
  unlink(test_path("out"));
  unlink(test_path("out.ply"));
  unlink(test_path("written/frame0.ply"));
  unlink(test_path("written/frame1.ply"));
  rmdir(test_path("written"));
}

typedef struct expectation {
  int code;      /* without a refusal */
  char *written; /* NULL: nothing */
  size_t files;  /* in the directory, before */
} expectation;

static void assert_fine(const char *words, const char *turn, int status, const expectation *expected) {
  char *out = test_read_bytes(test_path("stdout"), NULL), *err = test_read_bytes(test_path("stderr"), NULL);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const char *newline = strchr(err, '\n');
  const bool there = access(test_path("out"), F_OK) == 0;
  const bool one_line = newline != NULL && newline[1] == '\0' && strncmp(err, "toi: ", 5) == 0;
  bool fine = code == 2 ? one_line && out[0] == '\0' && !there : code == expected->code && err[0] == '\0';
  // A search for contacts that runs out of memory is an answer, which says so.
  const bool partial = code == 0 && strncmp(words, "contact ", 8) == 0 && strstr(out, "memory") != NULL;
  if (code != 2 && expected->written != NULL && !partial) {
    char *written = there ? test_read_bytes(test_path("out"), NULL) : NULL;
    fine = fine && written != NULL && strcmp(written, expected->written) == 0;
    free(written);
  }
  clean();
  const size_t files = test_count_files();
  if (!fine || files != expected->files)
    fail_msg("%s, %s: status %d, out \"%.200s\", err \"%s\", file %s, %zu files where %zu were", words, turn, status,
             out, err, there ? "there" : "not there", files, expected->files);
  free(out);
  free(err);
}

static void refuse(const char *words, size_t number, const expectation *expected) {
  char value[32], turn[64];
  snprintf(value, sizeof value, "%zu", number);
  static const char *const variables[] = {"REFUSE_AT", "REFUSE_FROM"};
  for (size_t i = 0; i < 2; i++) {
    snprintf(turn, sizeof turn, "%s=%zu", variables[i], number);
    assert_fine(words, turn, run_refused(variables[i], value, words), expected);
  }
}

static void test_line(const char *words) {
  clean();
  const size_t calls = count_calls(words);
  expectation expected = {0};
  expected.written = access(test_path("out"), F_OK) == 0 ? test_read_bytes(test_path("out"), NULL) : NULL;
  clean();
  const int status = run_refused("REFUSE_AT", "0", words);
  assert_true(WIFEXITED(status));
  expected.code = WEXITSTATUS(status);
  clean();
  expected.files = test_count_files();
  const size_t first = test_count(FIRST_TURNS), later = test_count(LATER_TURNS);
  for (size_t i = 1; i <= calls && i <= first; i++)
    refuse(words, i, &expected);
  for (size_t i = 0; i < later && calls > first; i++)
    refuse(words, first + 1 + i * (calls - first) / later, &expected);
  printf("%6zu allocations: toi %s\n", calls, words);
  free(expected.written);
}

static void every_command_survives_every_refusal(void **state) {
  (void)state;
  write_inputs();
  test_make_directory("queries");
  test_write_text("queries/vf.csv.gz", HIT_ROWS(",1") MISS_ROWS(",0"));
  test_write_text("queries/vf-table.csv", "name,time\na,b\n");
  test_make_directory("frames");
  write_triangles("frames/1.ply", 1);
  write_triangles("frames/2.ply", 0.5);
  test_write_text("loose.obj.gz", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 2\n");
  for (size_t i = 0; i < LINES; i++)
    test_line(lines[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_command_survives_every_refusal),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
