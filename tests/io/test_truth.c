/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Truth files: JSON and CSV, gzipped or not; times exactly as written; everything else refused with its line. */

#include "support/files.h"
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>
#include <zlib.h>

#define HEADER "hit,toi_lo,toi_hi\n"

static void read_fine(toi_context *context, const char *path, toi_truth *truth) {
  if (toi_truth_read(context, path, truth) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static void lists_of_booleans_are_read(void **state) {
  static const char *const texts[] = {"[true,false,true]", " [ 1 , 0 ,\n\n1\t]\n \n", "[true,0,1]"};
  static const char *const names[] = {"t.json", "t.json.gz", "t"};
  for (size_t i = 0; i < 3; i++) {
    for (size_t n = 0; n < 3; n++) {
      toi_truth truth;
      read_fine(*state, test_write_text(names[n], texts[i]), &truth);
      assert_int_equal(truth.count, 3);
      assert_memory_equal(truth.hit, "\1\0\1", 3);
      assert_null(truth.t_lo);
      assert_null(truth.t_hi);
      toi_truth_free(*state, &truth);
      assert_null(truth.hit);
    }
  }
}

static void tables_of_times_are_read(void **state) {
  const char *text =
      HEADER "1,0x1.8p-3,0x1.8000000000001p-3\n0,,\r\n1,0x0p+0,0x0.0p0\n1,0x1.0000000000000p+0,0X1P0\n\n";
  static const char *const names[] = {"t.csv", "t.csv.gz"};
  for (size_t n = 0; n < 2; n++) {
    toi_truth truth;
    read_fine(*state, test_write_text(names[n], text), &truth);
    assert_int_equal(truth.count, 4);
    assert_memory_equal(truth.hit, "\1\0\1\1", 4);
    assert_true(truth.t_lo[0] == 0x1.8p-3 && truth.t_hi[0] == 0x1.8000000000001p-3);
    assert_true(isinf(truth.t_lo[1]) && isinf(truth.t_hi[1]));
    assert_true(truth.t_lo[2] == 0 && truth.t_hi[2] == 0);
    assert_true(truth.t_lo[3] == 1 && truth.t_hi[3] == 1);
    toi_truth_free(*state, &truth);
  }
}

/* printf's %a of any double in (0, 1] is read as that double, subnormal ones among them. */
static void times_of_every_exponent_come_back(void **state) {
  uint64_t seed = test_seed(0x5eed0005);
  enum { ROWS = 1023 };
  static double times[ROWS];
  char *text = malloc(64 * (ROWS + 1));
  assert_non_null(text);
  size_t length = (size_t)sprintf(text, HEADER);
  for (size_t i = 0; i < ROWS; i++) {
    uint64_t bits = (uint64_t)i << 52 | test_random(&seed) >> 12;
    memcpy(&times[i], &bits, sizeof bits);
    length += (size_t)sprintf(text + length, "1,%a,%a\n", times[i], times[i]);
  }
  toi_truth truth;
  read_fine(*state, test_write_text("t.csv", text), &truth);
  assert_int_equal(truth.count, ROWS);
  assert_memory_equal(truth.t_lo, times, sizeof times);
  assert_memory_equal(truth.t_hi, times, sizeof times);
  toi_truth_free(*state, &truth);
  free(text);
}

static void malformed_truths_are_refused_with_their_line(void **state) {
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"", ":1: an empty file"},
      {" \n ", ":1: an empty file"},
      {"[]", ":1: neither true nor false"},
      {"[true,]", ":1: neither true nor false"},
      {"[true,\nmaybe]", ":2: neither true nor false"},
      {"[2]", ":1: neither true nor false"},
      {"[10]", ":1: the JSON list of booleans ends early"},
      {"[true,false", ":1: the JSON list of booleans ends early"},
      {"[true\n\n,false;true]", ":3: the JSON list of booleans ends early"},
      {"[true] [true]", ":1: something follows the JSON list"},
      {"{\"a\":1}", ":1: neither a JSON list nor the header"},
      {"hit,lo,hi\n1,0x1p0,0x1p0\n", ":1: neither a JSON list nor the header"},
      {"hit,toi_lo,toi_hi", ":1: no rows after the header"},
      {HEADER "2,,\n", ":2: a row must begin with 0 or 1"},
      {HEADER "0,,\n\n0,,\n", ":3: an empty row"},
      {HEADER "0\n", ":2: a row must begin with 0 or 1 and a comma"},
      {HEADER "1,,\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0.5,0.5\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1,0x1\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0xp0,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1.p,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1.1.1p0,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1.00000000000001p0,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1p-1075,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1p99999999999999999999,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,nan,0x1p0\n", ":2: a time that is not a C99 hex float"},
      {HEADER "1,0x1p0,0x1p-1\n", ":2: toi_lo is above toi_hi"},
      {HEADER "0,,\n1,0x1p0,0x1p0,\n", ":3: something follows the last column"},
      {HEADER "0,0x1p-1,0x1p-1\n", ":2: a miss has no times"},
      {HEADER "0,,x\n", ":2: something follows the last column"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *path = test_write_text("bad", cases[i].text);
    toi_truth truth = {.count = 3};
    toi_status status = toi_truth_read(*state, path, &truth);
    const char *error = toi_context_error(*state);
    if (status != TOI_ERROR_FORMAT || strstr(error, cases[i].sentence) == NULL ||
        strncmp(error, path, strlen(path)) != 0)
      fail_msg("case %zu: status %d, \"%s\"; expected \"%s\"", i, (int)status, error, cases[i].sentence);
    assert_int_equal(truth.count, 0);
    assert_null(truth.hit);
  }
  assert_int_equal(toi_truth_read(*state, test_path("nothing"), &(toi_truth){0}), TOI_ERROR_FILE);
  const char *path = test_write_bytes("bad", "[true\0,false]", 13);
  assert_int_equal(toi_truth_read(*state, path, &(toi_truth){0}), TOI_ERROR_FORMAT);
}

/* Four million booleans, 28 MB of text, in a file of a few hundred kilobytes. */
static void inflated_text_is_never_held(void **state) {
  (void)state;
  enum { VALUES = 1 << 22, PIECE = 1 << 10 };
  char piece[7 * PIECE + 1] = "";
  for (size_t i = 0; i < PIECE; i++)
    memcpy(piece + 7 * i, i == 1 ? "true , " : "false, ", 7);
  const char *path = test_path("bomb.json.gz");
  gzFile file = gzopen(path, "wb1");
  assert_non_null(file);
  assert_int_equal(gzputs(file, "["), 1);
  for (size_t i = 0; i < VALUES / PIECE; i++)
    assert_int_equal(gzwrite(file, piece, 7 * PIECE), 7 * PIECE);
  assert_int_equal(gzputs(file, "true]\n"), 6);
  assert_int_equal(gzclose(file), Z_OK);

  // The values take 4 MiB, 8 while the array grows; the text would take 28.
  toi_context_options options = toi_default_context_options();
  options.memory_budget = 12 << 20;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  toi_truth truth;
  assert_int_equal(toi_truth_read(context, path, &truth), TOI_OK);
  assert_int_equal(truth.count, VALUES + 1);
  for (size_t i = 0; i <= VALUES; i++)
    assert_int_equal(truth.hit[i], i == VALUES || i % PIECE == 1);
  toi_truth_free(context, &truth);
  toi_context_destroy(context);

  // Where not even they fit, the error says so.
  options.memory_budget = 3 << 20;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  assert_int_equal(toi_truth_read(context, path, &truth), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "raise memory_budget"));
  assert_null(truth.hit);
  toi_context_destroy(context);
}

/* Rows that lie across the ends of the buffer that they are read through, the last one without its newline. */
static void long_tables_are_read_whole(void **state) {
  enum { ROWS = 60000 };
  char *text = malloc(64 * (ROWS + 1));
  assert_non_null(text);
  for (int crlf = 0; crlf < 2; crlf++) {
    const char *end = crlf ? "\r\n" : "\n";
    size_t length = (size_t)sprintf(text, "hit,toi_lo,toi_hi");
    for (size_t i = 0; i < ROWS; i++)
      length += i % 3 == 0 ? (size_t)sprintf(text + length, "%s0,,", end)
                           : (size_t)sprintf(text + length, "%s1,%a,%a", end, (double)i, (double)i + 1);
    toi_truth truth;
    read_fine(*state, test_write_text("t.csv", text), &truth);
    assert_int_equal(truth.count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
      assert_int_equal(truth.hit[i], i % 3 != 0);
      assert_true(i % 3 == 0 || (truth.t_lo[i] == (double)i && truth.t_hi[i] == (double)i + 1));
    }
    toi_truth_free(*state, &truth);
  }
  free(text);

  // A row that goes on for longer than any row can is not cut in two.
  char row[4096];
  memset(row, '0', sizeof row);
  memcpy(row, HEADER "1,0x", sizeof HEADER + 3);
  memcpy(row + sizeof row - 16, "1p0,0x1p0\n", 11);
  toi_truth truth;
  assert_int_equal(toi_truth_read(*state, test_write_text("t.csv", row), &truth), TOI_OK);
  assert_true(truth.count == 1 && truth.t_lo[0] == 1);
  toi_truth_free(*state, &truth);
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  const char *path = test_write_text("memory.csv.gz", HEADER "1,0x1p-1,0x1p-1\n0,,\n");
  bool refused = true;
  for (size_t number = 1; refused; number++) {
    test_allocator allocator = {0};
    toi_context_options options = test_context_options(&allocator, 1);
    toi_context *context;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    allocator.refuse_at = allocator.calls + number;
    toi_truth truth;
    toi_status status = toi_truth_read(context, path, &truth);
    refused = allocator.calls >= allocator.refuse_at;
    assert_int_equal(status, refused ? TOI_ERROR_MEMORY : TOI_OK);
    assert_true(refused || number > 4);
    toi_truth_free(context, &truth);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_of_booleans_are_read),
      cmocka_unit_test(tables_of_times_are_read),
      cmocka_unit_test(times_of_every_exponent_come_back),
      cmocka_unit_test(malformed_truths_are_refused_with_their_line),
      cmocka_unit_test(inflated_text_is_never_held),
      cmocka_unit_test(long_tables_are_read_whole),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
