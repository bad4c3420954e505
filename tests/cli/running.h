/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Running the command as its users do, for tests of it: what it prints, its exit code, its JSON. */

#ifndef TOI_TESTS_RUNNING_H
#define TOI_TESTS_RUNNING_H

#include "support/files.h"
#include "support/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Quoted for the shell: the path may hold blanks. */
#define BUILT "'" TOI_BINARY_DIR "'"
#define TOI BUILT "/toi"
#define VERIFY BUILT "/toi-verify"

/* A vertex falls through a triangle at t = 1/2. */
#define HIT_ROWS(truth)                                                                                                \
  "1,4,1,4,1,1" truth "\n0,1,0,1,0,1" truth "\n1,1,0,1,0,1" truth "\n0,1,1,1,0,1" truth "\n1,4,1,4,-1,1" truth         \
  "\n0,1,0,1,0,1" truth "\n1,1,0,1,0,1" truth "\n0,1,1,1,0,1" truth "\n"

/* It stops above the triangle. */
#define MISS_ROWS(truth)                                                                                               \
  "1,4,1,4,1,1" truth "\n0,1,0,1,0,1" truth "\n1,1,0,1,0,1" truth "\n0,1,1,1,0,1" truth "\n1,4,1,4,1,2" truth          \
  "\n0,1,0,1,0,1" truth "\n1,1,0,1,0,1" truth "\n0,1,1,1,0,1" truth "\n"

typedef struct ran {
  int code;
  char *out, *err;
} ran;

/* Runs the command with these words, each path among them already whole. */
static inline ran run(const char *format, ...) {
  char words[4096], line[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "(%s %s) >%s 2>%s", TOI, words, test_path("stdout"), test_path("stderr"));
  int status = system(line);
  assert_true(WIFEXITED(status));
  ran result = {.code = WEXITSTATUS(status)};
  result.out = test_read_bytes(test_path("stdout"), NULL);
  result.err = test_read_bytes(test_path("stderr"), NULL);
  return result;
}

static inline void ran_free(ran *result) {
  free(result->out);
  free(result->err);
}

/* It must fail with one line that says this, and print nothing. */
static inline void assert_fails(ran result, const char *sentence) {
  const char *newline = strchr(result.err, '\n');
  bool one_line = newline != NULL && newline[1] == '\0' && strncmp(result.err, "toi: ", 5) == 0;
  if (result.code != 2 || !one_line || result.out[0] != '\0' || strstr(result.err, sentence) == NULL)
    fail_msg("exit %d, out \"%s\", err \"%s\"; expected \"%s\"", result.code, result.out, result.err, sentence);
  ran_free(&result);
}

/* It must end with this code; its JSON is returned. */
static inline json_t *assert_json(ran result, int code) {
  json_error_t error;
  json_t *object = json_loads(result.out, 0, &error);
  if (result.code != code || object == NULL || result.err[0] != '\0')
    fail_msg("exit %d, out \"%s\", err \"%s\"", result.code, result.out, result.err);
  ran_free(&result);
  return object;
}

static inline void assert_count(const json_t *object, const char *key, long long expected) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value) || json_integer_value(value) != expected)
    fail_msg("%s is %lld, not %lld", key, (long long)json_integer_value(value), expected);
}

static inline void assert_text(const json_t *object, const char *key, const char *expected) {
  assert_true(json_is_string(json_object_get(object, key)));
  assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static inline void assert_counts(const json_t *object, long long hits, long long near, long long misses) {
  assert_count(object, "queries", hits + near + misses);
  assert_count(object, "hits", hits);
  assert_count(object, "near", near);
  assert_count(object, "misses", misses);
}

#endif
