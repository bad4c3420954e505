/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Query files: what is written comes back bit by bit, and everything malformed is refused with its place. */

#include "support/files.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <toi/io.h>
#include <unistd.h>

#define DOUBLES 24

/* Finite doubles of all magnitudes, small integers among them. */
static void fill_random(uint64_t *seed, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = test_random(seed);
    double value;
    memcpy(&value, &bits, sizeof value);
    values[i] = test_random(seed) % 4 == 0 ? (double)(int)(bits % 64) - 32 : value;
    if (!isfinite(values[i]) || values[i] == 0)
      values[i] = 0.25;
  }
}

static toi_query_set make_set(size_t count, bool truth, uint64_t seed) {
  toi_query_set set = {.count = count};
  set.queries = malloc(count * DOUBLES * sizeof(double));
  assert_non_null(set.queries);
  fill_random(&seed, set.queries, count * DOUBLES);
  if (truth) {
    set.truth = malloc(count);
    assert_non_null(set.truth);
    for (size_t i = 0; i < count; i++)
      set.truth[i] = test_random(&seed) % 2;
  }
  return set;
}

static void free_made(toi_query_set *set) {
  free(set->queries);
  free(set->truth);
}

static void assert_same(const toi_query_set *a, const toi_query_set *b, bool truth) {
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->queries, b->queries, a->count * DOUBLES * sizeof(double));
  if (truth) {
    assert_non_null(b->truth);
    assert_memory_equal(a->truth, b->truth, a->count);
  } else {
    assert_null(b->truth);
  }
}

/* The bytes of a text file, gzipped under another name. */
static void compress_file(const char *path, const char *name) {
  size_t size;
  char *bytes = test_read_bytes(path, &size);
  test_write_bytes(name, bytes, size);
  free(bytes);
}

static void sets_of_many_sizes_come_back(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0003);
  // 3000 queries of all magnitudes are more than the window of 4 MiB that the reader works with.
  const size_t sizes[] = {1, 2, 17, 3000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (int truth = 0; truth < 2; truth++) {
      toi_query_set set = make_set(sizes[i], truth != 0, test_random(&seed));
      for (uint32_t threads = TEST_SANITIZED ? 4 : 1; threads <= 4; threads++) {
        toi_context *context = test_context(threads);
        const char *names[] = {"set.csv", "set.bin", "set.csv.gz"};
        for (int n = 0; n < 3; n++) {
          const char *path = test_path(names[n]);
          if (n == 2)
            compress_file(test_path("set.csv"), "set.csv.gz");
          else
            assert_int_equal(toi_queries_write(context, path, &set), TOI_OK);
          toi_query_set back;
          assert_int_equal(toi_queries_read(context, path, &back), TOI_OK);
          assert_same(&set, &back, truth != 0 && n != 1);
          toi_queries_free(context, &back);
          assert_null(back.queries);
        }
        toi_context_destroy(context);
      }
      free_made(&set);
    }
  }
}

/* --- layouts that are fine --- */

#define ROW "1,2,-3,4,5,1"
#define ROWS4 ROW "\n" ROW "\n" ROW "\n" ROW "\n"

static void assert_reads(const char *name, const char *text, size_t count) {
  toi_context *context = test_context(2);
  toi_query_set set;
  const char *path = test_write_text(name, text);
  if (toi_queries_read(context, path, &set) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_int_equal(set.count, count);
  for (size_t row = 0; row < 8 * count; row++) {
    assert_true(set.queries[3 * row] == 0.5);
    assert_true(set.queries[3 * row + 1] == -0.75);
    assert_true(set.queries[3 * row + 2] == 5);
  }
  toi_queries_free(context, &set);
  toi_context_destroy(context);
}

static void spaces_line_ends_and_blank_ends_are_fine(void **state) {
  (void)state;
  assert_reads("a.csv", ROWS4 ROWS4, 1);
  assert_reads("a.csv", ROWS4 ROW "\n" ROW "\n" ROW "\n" ROW, 1);
  assert_reads("a.csv", ROWS4 ROWS4 "\n\n  \n\t\r\n\n", 1);
  assert_reads("a.csv", ROWS4 ROW "\r\n" ROW "\r\n" ROW "\r\n" ROW "\r\n", 1);
  assert_reads("a.csv", ROWS4 ROW "\r\n" ROW "\r\n" ROW "\r\n" ROW "\r", 1);
  assert_reads("a.csv", ROWS4 ROW "\n" ROW "\n" ROW "\n  2 , 4 ,\t-6,8 ,10 , 2 \t\n", 1);
  assert_reads("a.csv", ROWS4 ROW "\n" ROW "\n" ROW "\n+1,2,3,-4,05,+1\n", 1);
  assert_reads("a.csv.gz", ROWS4 ROWS4 ROWS4 ROWS4, 2);
}

static void several_gzip_members_are_one_file(void **state) {
  (void)state;
  size_t size;
  char *bytes = test_read_bytes(test_write_text("part.csv.gz", ROWS4), &size);
  char *twice = malloc(2 * size);
  assert_non_null(twice);
  memcpy(twice, bytes, size);
  memcpy(twice + size, bytes, size);
  // Plain name, so that the bytes are stored as they are; then the name that says gzip.
  const char *plain = test_write_bytes("joined.tmp", twice, 2 * size);
  assert_int_equal(rename(plain, test_path("joined.csv.gz")), 0);
  toi_context *context = test_context(1);
  toi_query_set set;
  assert_int_equal(toi_queries_read(context, test_path("joined.csv.gz"), &set), TOI_OK);
  assert_int_equal(set.count, 1);
  toi_queries_free(context, &set);
  toi_context_destroy(context);
  free(bytes);
  free(twice);
}

/* --- what is refused --- */

static void assert_refused(const char *path, toi_status expected, const char *sentence) {
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    toi_context *context = test_context(threads);
    toi_query_set set = {.count = 7};
    toi_status status = toi_queries_read(context, path, &set);
    const char *error = toi_context_error(context);
    if (status != expected || strstr(error, sentence) == NULL || strncmp(error, path, strlen(path)) != 0)
      fail_msg("status %d, \"%s\"; expected %d and \"%s\"", (int)status, error, (int)expected, sentence);
    assert_null(set.queries);
    assert_null(set.truth);
    assert_int_equal(set.count, 0);
    toi_context_destroy(context);
  }
}

static void malformed_rows_are_refused_with_their_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *sentence;
  } cases[] = {
      {"", ": an empty file"},
      {"\n\n \n", ": an empty file"},
      {ROWS4 ROW "\n" ROW "\n" ROW "\n", ":7: the last query has 7 of 8 rows; the file is truncated"},
      {ROWS4 ROWS4 ROW "\n", ":9: the last query has 1 of 8 rows"},
      {ROWS4 ROW "\n" ROW "\n" ROW "\n1,2,-3,4,5", ":8: 5 columns"},
      {"1,2,-3,4,5\n" ROWS4, ":1: 5 columns; a row has 6"},
      {"hello\n", ":1: 1 column;"},
      {ROWS4 "1,2,-3,4,5,1,1,1\n" ROWS4, ":5: 8 columns"},
      {ROWS4 "1,2,-3,4,5,1,1\n" ROWS4, ":5: 7 columns where the first row has 6"},
      {ROWS4 "\n" ROWS4, ":5: an empty row"},
      {ROWS4 "1,2,-3,0,5,1\n" ROWS4, ":5: column 4: the denominator is 0"},
      {ROWS4 "1,2,-3,4,5x,1\n" ROWS4, ":5: column 5: \"5x\" is not an integer"},
      {ROWS4 "1,2,-3,4,5,1 1\n" ROWS4, ":5: column 6: \"1 1\" is not an integer"},
      {ROWS4 "1,2,-3,4,5,1\r1\n" ROWS4, ":5: column 6: \"1?1\" is not an integer"},
      {ROWS4 "1,2z,-3,4,5,1\n" ROWS4, ":5: column 2: \"2z\" is not an integer"},
      {ROWS4 "1,2,,4,5,1\n" ROWS4, ":5: column 3: \"\" is not an integer"},
      {ROWS4 "1,2,3,,5,1\n" ROWS4, ":5: column 4: \"\" is not an integer"},
      {ROWS4 "nan,2,-3,4,5,1\n" ROWS4, ":5: column 1: \"nan\" is not an integer"},
      {ROWS4 "0.5,1,-3,4,5,1\n" ROWS4, ":5: column 1: \"0.5\" is not an integer"},
      {ROWS4 "1,3,-3,4,5,1\n" ROWS4, ":5: column 1: 1/3 is not a double"},
      {ROWS4 "1,2,-3,4,9007199254740993,1\n" ROWS4, ":5: column 5: 9007199254740993/1 is not a double"},
      {"1,2,-3,4,5,1,2\n" ROWS4, ":1: the truth is \"2\"; write 0 or 1"},
      {"1,2,-3,4,5,1,\n" ROWS4, ":1: the truth is \"\"; write 0 or 1"},
      {"1,2,-3,4,5,1,01\n" ROWS4, ":1: the truth is \"01\"; write 0 or 1"},
      {"1,2,-3,4,5,1,1 ,\n" ROWS4, ":1: 8 columns"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_refused(test_write_text("bad.csv", cases[i].text), TOI_ERROR_FORMAT, cases[i].sentence);
    assert_refused(test_write_text("bad.csv.gz", cases[i].text), TOI_ERROR_FORMAT, cases[i].sentence);
  }
}

static void truth_must_agree_in_all_rows(void **state) {
  (void)state;
  char text[2048];
  size_t length = 0;
  for (int row = 0; row < 16; row++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s,%d\n", ROW, row != 13);
  assert_refused(test_write_text("bad.csv", text), TOI_ERROR_FORMAT,
                 ":14: the truth is 0 where the query's first row has 1");
}

static void bytes_that_are_no_text_are_refused(void **state) {
  (void)state;
  char bytes[3000];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 7);
  assert_refused(test_write_bytes("bad.csv", bytes, sizeof bytes), TOI_ERROR_FORMAT, ":1: ");
  memset(bytes, 0, sizeof bytes);
  assert_refused(test_write_bytes("bad.csv", bytes, sizeof bytes), TOI_ERROR_FORMAT, ":1: 1 column");
  const char zero[] = "1,2,-3,4,5,\0001\n";
  assert_refused(test_write_bytes("bad.csv", zero, sizeof zero - 1), TOI_ERROR_FORMAT, ":1: column 6: \"?1\" is no");
}

static void a_number_of_too_many_digits_is_refused(void **state) {
  (void)state;
  char *text = malloc(6000);
  assert_non_null(text);
  memset(text, '1', 5000);
  snprintf(text + 5000, 1000, ",1,1,1,1,1\n");
  assert_refused(test_write_text("bad.csv", text), TOI_ERROR_FORMAT, ":1: column 1: a number of more than 4096 digits");
  free(text);
}

static void a_line_without_end_is_refused(void **state) {
  (void)state;
  size_t size = (size_t)9 << 20;
  char *text = malloc(size);
  assert_non_null(text);
  memset(text, '7', size);
  assert_refused(test_write_bytes("bad.csv", text, size), TOI_ERROR_FORMAT, ":1: a line of more than");
  free(text);
}

/* The first wrong line is reported wherever the windows and chunks of the reader end. */
static void the_first_of_many_wrong_lines_is_reported(void **state) {
  (void)state;
  const char row[] = "12345678901,1048576,-3,4,5,1\n";
  const size_t rows = 400000, size = strlen(row);
  char *text = malloc(rows * size + 1);
  assert_non_null(text);
  for (size_t i = 0; i < rows; i++)
    memcpy(text + i * size, row, size);
  text[rows * size] = '\0';
  const size_t wrong[] = {399999, 300001, 150000, 2300, 2299, 8, 0};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    text[wrong[i] * size + 3] = '!';
    char sentence[64];
    snprintf(sentence, sizeof sentence, ":%zu: column 1: \"123!5678901\" is not an integer", wrong[i] + 1);
    assert_refused(test_write_text("bad.csv", text), TOI_ERROR_FORMAT, sentence);
  }
  free(text);
}

static void binary_files_that_are_cut_or_not_finite_are_refused(void **state) {
  (void)state;
  double values[3 * DOUBLES];
  for (size_t i = 0; i < 3 * DOUBLES; i++)
    values[i] = (double)i;
  assert_refused(test_write_bytes("bad.bin", values, 0), TOI_ERROR_FORMAT, ": an empty file");
  assert_refused(test_write_bytes("bad.bin", values, sizeof values - 1), TOI_ERROR_FORMAT,
                 ": 575 bytes are not a multiple of 192, a query's; the file is truncated");
  assert_refused(test_write_bytes("bad.bin", values, 191), TOI_ERROR_FORMAT, ": 191 bytes are not a multiple of 192");
  values[2 * DOUBLES + 5] = (double)NAN;
  assert_refused(test_write_bytes("bad.bin", values, sizeof values), TOI_ERROR_FORMAT,
                 ": query 2, value 5 (byte 424) is not a number");
  values[DOUBLES] = -(double)INFINITY;
  assert_refused(test_write_bytes("bad.bin", values, sizeof values), TOI_ERROR_FORMAT,
                 ": query 1, value 0 (byte 192) is infinite");
}

static void binary_files_are_little_endian(void **state) {
  (void)state;
  unsigned char bytes[192] = {0};
  bytes[6] = 0xf0; /* 1.0 is 3ff0000000000000 */
  bytes[7] = 0x3f;
  bytes[190] = 0x04; /* -2.5 is c004000000000000 */
  bytes[191] = 0xc0;
  toi_context *context = test_context(1);
  toi_query_set set;
  const char *path = test_write_bytes("order.bin", bytes, sizeof bytes);
  assert_int_equal(toi_queries_read(context, path, &set), TOI_OK);
  assert_true(set.queries[0] == 1);
  assert_true(set.queries[23] == -2.5);
  assert_int_equal(toi_queries_write(context, path, &set), TOI_OK);
  toi_queries_free(context, &set);
  toi_context_destroy(context);
  size_t size;
  char *back = test_read_bytes(path, &size);
  assert_int_equal(size, sizeof bytes);
  assert_memory_equal(back, bytes, size);
  free(back);
}

static void damaged_gzip_is_refused(void **state) {
  (void)state;
  size_t size;
  char *bytes = test_read_bytes(test_write_text("whole.csv.gz", ROWS4 ROWS4), &size);
  const char *plain = test_write_bytes("cut.tmp", bytes, size - 9);
  assert_int_equal(rename(plain, test_path("cut.csv.gz")), 0);
  assert_refused(test_path("cut.csv.gz"), TOI_ERROR_FORMAT, ": the gzip data ends early");

  bytes[size - 6] ^= 1; /* in the checksum */
  plain = test_write_bytes("sum.tmp", bytes, size);
  assert_int_equal(rename(plain, test_path("sum.csv.gz")), 0);
  assert_refused(test_path("sum.csv.gz"), TOI_ERROR_FORMAT, ": not gzip data, or damaged");
  free(bytes);

  plain = test_write_text("plain.tmp", ROWS4 ROWS4);
  assert_int_equal(rename(plain, test_path("plain.csv.gz")), 0);
  assert_refused(test_path("plain.csv.gz"), TOI_ERROR_FORMAT, ": not gzip data, or damaged");
  plain = test_write_text("empty.tmp", "");
  assert_int_equal(rename(plain, test_path("empty.csv.gz")), 0);
  assert_refused(test_path("empty.csv.gz"), TOI_ERROR_FORMAT, ": an empty file");
}

static void what_cannot_be_opened_is_refused(void **state) {
  (void)state;
  assert_refused(test_path("nothing.csv"), TOI_ERROR_FILE, "No such file");
  assert_refused(test_path("nothing.bin"), TOI_ERROR_FILE, "No such file");
  test_make_directory("folder.csv");
  assert_refused(test_path("folder.csv"), TOI_ERROR_FILE, "directory");
  assert_refused(test_write_text("queries.txt", ROWS4 ROWS4), TOI_ERROR_FORMAT, ": not a query file by its name");
  if (geteuid() != 0) {
    const char *path = test_write_text("secret.csv", ROWS4 ROWS4);
    assert_int_equal(chmod(path, 0), 0);
    assert_refused(path, TOI_ERROR_FILE, "Permission denied");
  }
}

static void null_pointers_are_refused(void **state) {
  (void)state;
  toi_query_set set;
  assert_int_equal(toi_queries_read(NULL, "x.csv", &set), TOI_ERROR_INPUT);
  toi_context *context = test_context(1);
  assert_int_equal(toi_queries_read(context, NULL, &set), TOI_ERROR_INPUT);
  assert_int_equal(toi_queries_read(context, "x.csv", NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_queries_write(context, "x.csv", NULL), TOI_ERROR_INPUT);
  toi_queries_free(context, NULL);
  toi_context_destroy(context);
}

/* --- memory --- */

/* Refuses each allocation in turn; nothing may be lost, and the next read must work. */
static void refuse_each_allocation(const char *path) {
  bool refused = true;
  for (size_t number = 1; refused; number++) {
    test_allocator allocator = {0};
    toi_context_options options = test_context_options(&allocator, 2);
    toi_context *context;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    size_t before = allocator.bytes;
    allocator.refuse_at = allocator.calls + number;
    toi_query_set set;
    toi_status status = toi_queries_read(context, path, &set);
    refused = allocator.calls >= allocator.refuse_at;
    if (refused) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_true(strlen(toi_context_error(context)) > 0);
      assert_null(set.queries);
      assert_int_equal(allocator.bytes, before);
      assert_int_equal(toi_queries_read(context, path, &set), TOI_OK);
    } else {
      assert_int_equal(status, TOI_OK);
      assert_true(number > 2);
    }
    toi_queries_free(context, &set);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_query_set set = make_set(2500, true, test_seed(0x5eed0004));
  assert_int_equal(toi_queries_write(context, test_path("memory.csv"), &set), TOI_OK);
  assert_int_equal(toi_queries_write(context, test_path("memory.bin"), &set), TOI_OK);
  compress_file(test_path("memory.csv"), "memory.csv.gz");
  free_made(&set);
  toi_context_destroy(context);
  refuse_each_allocation(test_path("memory.csv"));
  refuse_each_allocation(test_path("memory.bin"));
  refuse_each_allocation(test_path("memory.csv.gz"));
}

static void a_budget_too_small_is_said(void **state) {
  (void)state;
  toi_context_options options = toi_default_context_options();
  options.memory_budget = 300000;
  options.threads = 1;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  toi_query_set set;
  assert_int_equal(toi_queries_read(context, test_path("memory.bin"), &set), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "budget"));
  toi_context_destroy(context);
}

/* Real files: written again and read again they are the same. */
static void real_files_come_back(void **state) {
  (void)state;
  const char *data = test_data_directory();
  if (data == NULL)
    skip();
  char path[1024];
  snprintf(path, sizeof path, "%s/sample-queries/erleben-spikes/vertex-face/data_0_0.csv", data);
  toi_context *context = test_context(2);
  toi_query_set set, back;
  assert_int_equal(toi_queries_read(context, path, &set), TOI_OK);
  assert_int_equal(set.count, 125);
  assert_int_equal(toi_queries_write(context, test_path("copy.csv"), &set), TOI_OK);
  assert_int_equal(toi_queries_read(context, test_path("copy.csv"), &back), TOI_OK);
  assert_same(&set, &back, true);
  toi_queries_free(context, &set);
  toi_queries_free(context, &back);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sets_of_many_sizes_come_back),
      cmocka_unit_test(spaces_line_ends_and_blank_ends_are_fine),
      cmocka_unit_test(several_gzip_members_are_one_file),
      cmocka_unit_test(malformed_rows_are_refused_with_their_line),
      cmocka_unit_test(truth_must_agree_in_all_rows),
      cmocka_unit_test(bytes_that_are_no_text_are_refused),
      cmocka_unit_test(a_number_of_too_many_digits_is_refused),
      cmocka_unit_test(a_line_without_end_is_refused),
      cmocka_unit_test(the_first_of_many_wrong_lines_is_reported),
      cmocka_unit_test(binary_files_that_are_cut_or_not_finite_are_refused),
      cmocka_unit_test(binary_files_are_little_endian),
      cmocka_unit_test(damaged_gzip_is_refused),
      cmocka_unit_test(what_cannot_be_opened_is_refused),
      cmocka_unit_test(null_pointers_are_refused),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
      cmocka_unit_test(a_budget_too_small_is_said),
      cmocka_unit_test(real_files_come_back),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
