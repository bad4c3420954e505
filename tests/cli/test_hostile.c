/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a user must never see: a name that drives the terminal, a file that takes all memory, a number that ends the
 * process, a file that is none and no word about it. */

#include "cli/inputs.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* --- names --- */

/* Sets the title of a window, rings, turns colours on; a C1 control in UTF-8; bytes that are no UTF-8; and letters. */
#define EVIL "\x1b]0;x\a\x1b[31m\xc2\x9b\xff\xc3\xa9"
#define SHOWN "\\x1b]0;x\\x07\\x1b[31m\\xc2\\x9b\\xff\xc3\xa9"

static void assert_harmless(const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++)
    if ((*c < ' ' && *c != '\n') || *c == 0x7f || *c == 0xff || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
      fail_msg("byte %d in \"%s\"", *c, text);
}

static void names_do_nothing_to_a_terminal(void **state) {
  (void)state;
  write_inputs();
  test_write_text(EVIL "vf.csv", HIT_ROWS(",1") MISS_ROWS(",0"));
  write_triangles(EVIL "1.ply", 1);
  write_triangles(EVIL "2.ply", -1);
  test_write_text(EVIL "c.json", SPHERES);
  test_write_text(EVIL "s.json", "{\"a\":\"model.json\"}");
  test_write_text(EVIL "c.jsonl", CASE);
  test_write_text("names.json", "{\"title\":\"\\u009b31m\",\"bodies\":[{\"name\":\"\\u009b32m\",\"shape\":"
                                "{\"sphere\":{\"radius\":1}}},{\"name\":\"\\u202e\",\"shape\":{\"sphere\":{\"radius\":"
                                "1}}}]}");
  // Each ends well; tables show the name where the second column says so.
  static const struct {
    const char *words;
    bool named;
  } lines[] = {
      {"query '@" EVIL "vf.csv' @vf.csv --samples 0", true},
      {"step '@" EVIL "1.ply' '@" EVIL "2.ply'", true},
      {"sequence '@" EVIL "1.ply' '@" EVIL "2.ply'", true},
      {"check '@" EVIL "1.ply'", true},
      {"line-search '@" EVIL "1.ply' '@" EVIL "2.ply'", true},
      {"contact '@" EVIL "c.json'", true},
      {"contact @names.json", false},
      {"surface '@" EVIL "s.json'", true},
      {"surface '@" EVIL "c.jsonl' --convergence", true},
      {"surface '@" EVIL "c.jsonl'", false},
      {"bench '@" EVIL "vf.csv' --pool --method certified", true},
      {"demo --size 4 --write '@" EVIL "d'", true},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    ran result = run("%s", with_paths(lines[i].words));
    if (result.code != 0 || result.err[0] != '\0' || (lines[i].named && strstr(result.out, "\\x1b[31m") == NULL))
      fail_msg("line %zu: exit %d, out \"%s\", err \"%s\"", i, result.code, result.out, result.err);
    assert_harmless(result.out);
    ran_free(&result);
  }
  // Errors, of the library and of the command.
  static const char *const wrong[] = {
      "query '@" EVIL "no-vf.csv'",
      "query @vf.csv --truth '@" EVIL "no'",
      "query @vf.csv --out '@" EVIL "no/file'",
      "query @vf.csv --method '" EVIL "'",
      "step '@" EVIL "no.ply' @end.ply",
      "step '@" EVIL "1.ply' '@" EVIL "c.json'",
      "contact '@" EVIL "no.json'",
      "surface '@" EVIL "no.jsonl'",
      "surface '@" EVIL "no' sphere",
      "'" EVIL "'",
      "step '--" EVIL "'",
      "query '@" EVIL "vf.csv' --samples '" EVIL "'",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    ran result = run("%s", with_paths(wrong[i]));
    assert_harmless(result.err);
    assert_fails(result, SHOWN);
  }
  // JSON keeps what it can, and stays JSON.
  json_t *object = assert_json(run("%s", with_paths("query '@" EVIL "vf.csv' --json --samples 0")), 0);
  const json_t *file = json_array_get(json_object_get(object, "files"), 0);
  assert_non_null(strstr(json_string_value(json_object_get(file, "file")), "\\xff"));
  json_decref(object);
}

/* --- files that are none --- */

static const struct {
  const char *line, *ending;
} readers[] = {
    {"query %s", "-vf.csv"},
    {"query %s", "-vf.csv.gz"},
    {"query %s", "-vf.bin"},
    {"query @vf.csv --truth %s", "-truth"},
    {"bench %s", "-vf.csv"},
    {"step %s @end.ply", ".ply"},
    {"step @start.ply %s", ".obj"},
    {"step %s @end.ply", ".ply.gz"},
    {"sequence @start.ply %s", ".obj.gz"},
    {"surface %s", ".jsonl"},
    {"surface %s", ".json"},
    {"surface %s sphere", ".json"},
    {"contact %s", ".json"},
    {"contact %s", ".json.gz"},
    {"check %s", ".ply"},
    {"line-search %s @end.ply", ".ply"},
};

static void assert_refused(size_t reader, const char *path, const char *sentence) {
  char line[2048];
  snprintf(line, sizeof line, readers[reader].line, path);
  assert_fails(run("%s", with_paths(line)), sentence);
}

static void files_that_are_none_are_named(void **state) {
  (void)state;
  write_inputs();
  for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "nothing%s", readers[i].ending);
    assert_refused(i, test_path(name), name);
    snprintf(name, sizeof name, "empty%s", readers[i].ending);
    const char *path = test_path(name);
    fclose(fopen(path, "wb"));
    assert_refused(i, path, name);
    snprintf(name, sizeof name, "zero%s", readers[i].ending);
    assert_int_equal(symlink("/dev/zero", test_path(name)), 0);
    if (strstr(name, "bin") == NULL && strcmp(readers[i].line, "bench %s") != 0)
      assert_refused(i, test_path(name), name);
    unlink(test_path(name));
    snprintf(name, sizeof name, "folder%s", readers[i].ending);
    test_make_directory(name);
    assert_refused(i, test_path(name), name);
    rmdir(test_path(name));
    snprintf(name, sizeof name, "secret%s", readers[i].ending);
    test_write_text(name, "x");
    if (geteuid() != 0 && chmod(test_path(name), 0) == 0)
      assert_refused(i, test_path(name), "Permission denied");
  }
}

/* --- memory --- */

/* Gzipped: `head`, and then `unit` so often that the whole would take 256 MiB of text, a quarter of it
 * under sanitizers. */
static const char *write_bomb(const char *name, const char *head, const char *unit) {
  enum { PIECE = 1 << 20, PIECES = TEST_SANITIZED ? 64 : 256 };
  const char *path = test_path(name);
  const size_t size = strlen(unit), count = PIECE / size;
  char *piece = malloc(PIECE);
  assert_non_null(piece);
  for (size_t i = 0; i < count; i++)
    memcpy(piece + i * size, unit, size);
  gzFile file = gzopen(path, "wb1");
  assert_non_null(file);
  assert_true(gzputs(file, head) >= 0);
  for (int i = 0; i < PIECES; i++)
    assert_int_equal(gzwrite(file, piece, (unsigned)(count * size)), (int)(count * size));
  assert_int_equal(gzclose(file), Z_OK);
  free(piece);
  return path;
}

/* Runs under a limit that is far above --memory and far below what the file would take; sanitizers reserve more of the
 * address space than that. */
static void assert_bounded(const char *words) {
  char line[8192];
  snprintf(line, sizeof line, "%sexec %s %s >%s 2>%s", TEST_SANITIZED ? "" : "ulimit -v 1500000; ", TOI,
           with_paths(words), test_path("stdout"), test_path("stderr"));
  const int status = system(line);
  char *said = test_read_bytes(test_path("stderr"), NULL);
  const char *newline = strchr(said, '\n');
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 2 || newline == NULL || newline[1] != '\0' ||
      strstr(said, "raise --memory") == NULL || strstr(said, "bomb") == NULL)
    fail_msg("%s: status %d, \"%s\"", line, status, said);
  free(said);
}

static void bombs_meet_the_limit(void **state) {
  (void)state;
  write_inputs();
  write_bomb("bomb.obj.gz", "", "v 0 0 0\n");
  assert_bounded("step @bomb.obj.gz @end.ply --memory 32M");
  assert_bounded("sequence @start.ply @bomb.obj.gz --memory 32M");
  assert_bounded("check @bomb.obj.gz --memory 32M");
  assert_bounded("line-search @start.ply @bomb.obj.gz --memory 32M");
  unlink(test_path("bomb.obj.gz"));
  write_bomb("bomb.ply.gz",
             "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty double x\nproperty double y\nproperty double "
             "z\nend_header\n",
             "0 0 0\n");
  assert_bounded("step @bomb.ply.gz @end.ply --memory 32M");
  unlink(test_path("bomb.ply.gz"));
  write_bomb("bomb-vf.csv.gz", "", "0,1,0,1,0,1\n");
  assert_bounded("query @bomb-vf.csv.gz --memory 32M");
  assert_bounded("bench @bomb-vf.csv.gz --memory 32M");
  unlink(test_path("bomb-vf.csv.gz"));
  write_bomb("bomb.truth.gz", "[true", ",0");
  assert_bounded("query @vf.csv --truth @bomb.truth.gz --memory 8M");
  unlink(test_path("bomb.truth.gz"));
  write_bomb("bomb.jsonl.gz", "", CASE);
  assert_bounded("surface @bomb.jsonl.gz --memory 32M");
  unlink(test_path("bomb.jsonl.gz"));
  write_bomb("bomb.json.gz", "{\"patches\":[" SQUARE_AT("0", "0"), "," SQUARE_AT("0", "0"));
  assert_bounded("surface @bomb.json.gz sphere --memory 32M");
  unlink(test_path("bomb.json.gz"));
  write_bomb("bomb.json.gz", "{\"bodies\":[{}", ",{}");
  assert_bounded("contact @bomb.json.gz --memory 32M");
  unlink(test_path("bomb.json.gz"));
}

/* A scene file of surfaces is not gzipped. */
static void a_long_scene_meets_the_limit(void **state) {
  (void)state;
  FILE *file = fopen(test_path("bomb.json"), "wb");
  assert_non_null(file);
  fputs("{\"a\":[0", file);
  for (int i = 0; i < 2000000; i++)
    fputs(",0", file);
  fputs("]}", file);
  assert_int_equal(fclose(file), 0);
  assert_bounded("surface @bomb.json --memory 16M");
  unlink(test_path("bomb.json"));
}

/* The meshes are a part of it, and what is answered does not depend on it. */
static void the_limit_is_for_all(void **state) {
  (void)state;
  write_inputs();
  FILE *file = fopen(test_path("many-vf.csv"), "wb");
  assert_non_null(file);
  enum { QUERIES = 8192 };
  for (int i = 0; i < QUERIES; i++)
    fputs(i % 3 == 0 ? HIT_ROWS(",1") : MISS_ROWS(",0"), file);
  assert_int_equal(fclose(file), 0);
  // The queries take 1.5 MiB, their answers 1 MiB: they are answered in parts.
  ran all = run("%s", with_paths("query @many-vf.csv --samples 0 --threads 1 --out -"));
  ran some = run("%s", with_paths("query @many-vf.csv --samples 0 --threads 1 --out - --memory 8M"));
  assert_int_equal(all.code, 0);
  assert_int_equal(some.code, 0);
  assert_string_equal(all.out, some.out);
  ran_free(&all);
  ran_free(&some);
  assert_fails(run("%s", with_paths("query @many-vf.csv --threads 1 --memory 2M")), "raise --memory");
  assert_fails(run("%s", with_paths("query @many-vf.csv --threads 1 --memory 2M")), "many-vf.csv");
  assert_fails(run("%s", with_paths("query @many-vf.csv --memory 10")), "--memory 10: too little");
  for (int i = 0; i < 2; i++)
    assert_fails(run("%s", with_paths(i == 0 ? "step @start.ply @end.ply --memory 300K --threads 1"
                                             : "surface @scene.json --memory 300K --threads 1")),
                 "raise --memory");
}

/* --- numbers --- */

static void no_number_ends_the_process(void **state) {
  (void)state;
  write_inputs();
  static const char *const lines[] = {"query @vf.csv",
                                      "bench @vf.csv --method certified",
                                      "step @start.ply @end.ply",
                                      "sequence @start.ply @end.ply",
                                      "check @start.ply",
                                      "line-search @start.ply @end.ply",
                                      "surface @cases.jsonl",
                                      "surface @scene.json",
                                      "contact @spheres.json",
                                      "demo --size 4",
                                      "demo --queries --count 100"};
  static const char *const options[] = {"--threads",     "--samples",        "--repeat",
                                        "--limit",       "--max-checks",     "--max-boxes",
                                        "--max-seconds", "--tolerance",      "--t-max",
                                        "--spacing",     "--simultaneity",   "--memory",
                                        "--seed",        "--size",           "--count",
                                        "--scene-bound", "--velocity-a",     "--spin-a",
                                        "--eye",         "--min-separation", "--separation-fraction",
                                        "--norm",        "--newton",         "--inclusion"};
  static const char *const values[] = {"0",
                                       "-1",
                                       "1e308",
                                       "nan",
                                       "inf",
                                       "18446744073709551615",
                                       "9223372036854775807",
                                       "''",
                                       "1e-320",
                                       "9999999999999999999999",
                                       "x"};
  const size_t all = sizeof lines / sizeof lines[0] * (sizeof options / sizeof options[0]);
  // Each line with each option; the values go round.
  const size_t value_count = sizeof values / sizeof values[0], step = test_count(4);
  for (size_t i = 0; i < all; i++)
    for (size_t k = 0; k < step; k++) {
      const char *line = lines[i % (sizeof lines / sizeof lines[0])],
                 *option = options[i / (sizeof lines / sizeof lines[0])];
      const char *value = values[(i + k) % value_count];
      // Long by request: as many queries, or as large a scene, as the number says.
      if (strcmp(value, "9223372036854775807") == 0 && strcmp(option, "--count") == 0)
        continue;
      ran result = run("%s %s %s", with_paths(line), option, value);
      const char *newline = strchr(result.err, '\n');
      const bool one_line = newline != NULL && newline[1] == '\0' && strncmp(result.err, "toi: ", 5) == 0;
      if (!(result.code == 0 && result.err[0] == '\0') && !(result.code == 2 && one_line && result.out[0] == '\0'))
        fail_msg("%s %s %s: exit %d, out \"%.100s\", err \"%s\"", line, option, value, result.code, result.out,
                 result.err);
      ran_free(&result);
    }
  // As it was found.
  assert_fails(run("%s", with_paths("query @vf.csv --samples 18446744073709551615")),
               "--samples 18446744073709551615: too");
  json_decref(assert_json(run("%s", with_paths("query @vf.csv --samples 9223372036854775807 --json")), 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_do_nothing_to_a_terminal), cmocka_unit_test(files_that_are_none_are_named),
      cmocka_unit_test(bombs_meet_the_limit),           cmocka_unit_test(a_long_scene_meets_the_limit),
      cmocka_unit_test(the_limit_is_for_all),           cmocka_unit_test(no_number_ends_the_process),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
