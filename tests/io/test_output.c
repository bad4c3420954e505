/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files that appear whole or not at all. A full disk is played by a limit on the size of files, and by /dev/full. */

#include "support/files.h"
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <toi/io.h>
#include <unistd.h>

static void assert_holds(const char *path, const char *text) {
  char *bytes = test_read_bytes(path, NULL);
  assert_string_equal(bytes, text);
  free(bytes);
}

static toi_output *open_output(toi_context *context, const char *path) {
  toi_output *output;
  if (toi_output_create(context, path, &output) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return output;
}

static void nothing_is_seen_before_commit(void **state) {
  size_t before = test_count_files();
  const char *path = test_path("new.csv");
  toi_output *output = open_output(*state, path);
  assert_int_equal(toi_output_append(output, "one\n", 4), TOI_OK);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(toi_output_append(output, "two\n", 4), TOI_OK);
  assert_int_equal(toi_output_commit(output), TOI_OK);
  assert_holds(path, "one\ntwo\n");
  assert_int_equal(test_count_files(), before + 1);
}

static void pieces_of_every_size_are_written_in_order(void **state) {
  const char *path = test_path("large.csv");
  toi_output *output = open_output(*state, path);
  size_t sizes[] = {1, 100000, 262143, 262144, 262145, 3, 1000000, 0, 200000, 100000};
  char *bytes = malloc(1000000);
  assert_non_null(bytes);
  size_t total = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    memset(bytes, 'a' + (int)i, sizes[i]);
    assert_int_equal(toi_output_append(output, bytes, sizes[i]), TOI_OK);
    total += sizes[i];
  }
  free(bytes);
  assert_int_equal(toi_output_commit(output), TOI_OK);
  size_t size, at = 0;
  char *back = test_read_bytes(path, &size);
  assert_int_equal(size, total);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (size_t j = 0; j < sizes[i]; j++)
      if (back[at++] != (char)('a' + i))
        fail_msg("byte %zu is %c", at - 1, back[at - 1]);
  }
  free(back);
}

static void a_discarded_output_leaves_the_old_file(void **state) {
  const char *path = test_write_text("old.csv", "old\n");
  size_t before = test_count_files();
  toi_output *output = open_output(*state, path);
  assert_int_equal(toi_output_append(output, "new\n", 4), TOI_OK);
  toi_output_destroy(output);
  toi_output_destroy(NULL);
  assert_holds(path, "old\n");
  assert_int_equal(test_count_files(), before);
}

static void a_piece_that_is_refused_keeps_the_file_from_appearing(void **state) {
  const char *path = test_write_text("old.csv", "old\n");
  size_t before = test_count_files();
  double queries[24] = {0};
  const toi_query_set set = {.queries = queries, .count = 1}, none = {.count = 1};
  for (int i = 0; i < 3; i++) {
    toi_output *output = open_output(*state, path);
    queries[5] = 0;
    assert_int_equal(toi_output_append_queries(output, &set), TOI_OK);
    queries[5] = (double)INFINITY;
    toi_status status = i == 0   ? toi_output_append_queries(output, &set)
                        : i == 1 ? toi_output_append_queries(output, &none)
                                 : toi_output_append(output, NULL, 1);
    assert_int_equal(status, TOI_ERROR_INPUT);
    assert_int_equal(toi_output_commit(output), TOI_ERROR_INPUT);
    assert_holds(path, "old\n");
    assert_int_equal(test_count_files(), before);
  }
}

static void no_output_is_bad_input(void **state) {
  (void)state;
  const toi_query_set set = {0};
  assert_int_equal(toi_output_append(NULL, "x", 1), TOI_ERROR_INPUT);
  assert_int_equal(toi_output_append_queries(NULL, &set), TOI_ERROR_INPUT);
  assert_int_equal(toi_output_commit(NULL), TOI_ERROR_INPUT);
}

static void a_replaced_file_keeps_its_permissions(void **state) {
  const char *path = test_write_text("modes.csv", "old\n");
  assert_int_equal(chmod(path, 0640), 0);
  toi_output *output = open_output(*state, path);
  assert_int_equal(toi_output_append(output, "new\n", 4), TOI_OK);
  assert_int_equal(toi_output_commit(output), TOI_OK);
  assert_holds(path, "new\n");
  struct stat facts;
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal(facts.st_mode & 0777, 0640);
}

static void a_link_stays_a_link(void **state) {
  const char *target = test_write_text("target.csv", "old\n");
  const char *link_path = test_path("link.csv");
  assert_int_equal(symlink(target, link_path), 0);
  toi_output *output = open_output(*state, link_path);
  assert_int_equal(toi_output_append(output, "new\n", 4), TOI_OK);
  assert_int_equal(toi_output_commit(output), TOI_OK);
  struct stat facts;
  assert_int_equal(lstat(link_path, &facts), 0);
  assert_true(S_ISLNK(facts.st_mode));
  assert_holds(target, "new\n");
}

static void a_link_that_leads_nowhere_is_refused(void **state) {
  const char *link_path = test_path("dangling"), *target = test_path("not-there");
  assert_int_equal(symlink(target, link_path), 0);
  const size_t files = test_count_files();
  toi_output *output;
  assert_int_equal(toi_output_create(*state, link_path, &output), TOI_ERROR_FILE);
  assert_null(output);
  char wanted[512];
  snprintf(wanted, sizeof wanted,
           "%s: a symbolic link to a file that does not exist; create that file, or remove the link", link_path);
  assert_string_equal(toi_context_error(*state), wanted);
  assert_int_equal(test_count_files(), files);
  struct stat facts;
  assert_true(lstat(link_path, &facts) == 0 && S_ISLNK(facts.st_mode));
  // Nor is one that leads to such a link, or to itself.
  assert_int_equal(symlink("dangling", test_path("twice")), 0);
  assert_int_equal(toi_output_create(*state, test_path("twice"), &output), TOI_ERROR_FILE);
  assert_non_null(strstr(toi_context_error(*state), "a symbolic link to a file that does not exist"));
  assert_int_equal(symlink("round", test_path("round")), 0);
  assert_int_equal(toi_output_create(*state, test_path("round"), &output), TOI_ERROR_FILE);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(unlink(test_path((const char *const[]){"dangling", "twice", "round"}[i])), 0);
}

static void devices_are_written_in_place(void **state) {
  toi_output *output = open_output(*state, "/dev/null");
  assert_int_equal(toi_output_append(output, "gone\n", 5), TOI_OK);
  assert_int_equal(toi_output_commit(output), TOI_OK);
  struct stat facts;
  assert_int_equal(stat("/dev/null", &facts), 0);
  assert_true(S_ISCHR(facts.st_mode));

  output = open_output(*state, "/dev/full");
  assert_int_equal(toi_output_append(output, "gone\n", 5), TOI_OK);
  assert_int_equal(toi_output_commit(output), TOI_ERROR_FILE);
  assert_non_null(strstr(toi_context_error(*state), "/dev/full: cannot be written: No space left"));
}

static void a_full_disk_leaves_nothing_behind(void **state) {
  const char *path = test_write_text("full.csv", "old\n");
  size_t before = test_count_files();
  struct rlimit limit, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  small = limit;
  small.rlim_cur = 300000;
  void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);

  toi_output *output = open_output(*state, path);
  toi_status status = TOI_OK;
  char bytes[1000];
  memset(bytes, 'x', sizeof bytes);
  for (int i = 0; i < 1000; i++)
    status = toi_output_append(output, bytes, sizeof bytes);
  toi_status end = toi_output_commit(output);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, old);

  assert_int_equal(status, TOI_ERROR_FILE);
  assert_int_equal(end, TOI_ERROR_FILE);
  assert_non_null(strstr(toi_context_error(*state), "full.csv: cannot be written"));
  assert_holds(path, "old\n");
  assert_int_equal(test_count_files(), before);
}

static void assert_unwritable(toi_context *context, const char *path, const char *sentence) {
  toi_output *output = (toi_output *)1;
  assert_int_equal(toi_output_create(context, path, &output), TOI_ERROR_FILE);
  assert_null(output);
  if (strstr(toi_context_error(context), sentence) == NULL)
    fail_msg("%s", toi_context_error(context));
}

static void what_cannot_be_written_is_said(void **state) {
  assert_unwritable(*state, test_path("no/such/folder.csv"), "No such file or directory");
  test_make_directory("folder.csv");
  assert_unwritable(*state, test_path("folder.csv"), "Is a directory");
  assert_unwritable(*state, "", "No such file or directory");
  char longest[6000];
  memset(longest, 'a', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  assert_unwritable(*state, longest, "File name too long");
  if (geteuid() != 0) {
    const char *path = test_write_text("closed.csv", "old\n");
    assert_int_equal(chmod(path, 0444), 0);
    assert_unwritable(*state, path, "Permission denied");
  }
}

static void queries_that_are_not_finite_are_not_written(void **state) {
  double values[48] = {0};
  values[30] = (double)INFINITY;
  toi_query_set set = {.queries = values, .count = 2};
  assert_int_equal(toi_queries_write(*state, test_path("bad.csv"), &set), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(*state), "query 1, value 6 is not finite"));
  assert_int_not_equal(access(test_path("bad.csv"), F_OK), 0);
  set.count = 1;
  assert_int_equal(toi_queries_write(*state, test_path("bad.txt"), &set), TOI_ERROR_OPTION);
  assert_int_not_equal(access(test_path("bad.txt"), F_OK), 0);
}

static void refused_memory_is_said(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context_options options = test_context_options(&allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  allocator.refuse_at = allocator.calls + 1;
  toi_output *output;
  assert_int_equal(toi_output_create(context, test_path("memory.csv"), &output), TOI_ERROR_MEMORY);
  assert_null(output);
  assert_int_not_equal(access(test_path("memory.csv"), F_OK), 0);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

static void an_output_that_cannot_be_made_holds_no_memory(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  size_t blocks = allocator.blocks;
  toi_output *output = NULL;
  assert_int_not_equal(toi_output_create(context, test_path("missing/file.txt"), &output), TOI_OK);
  assert_null(output);
  assert_int_equal(allocator.blocks, blocks);
  toi_context_destroy(context);
}

/* Room that a later version may give a meaning: what is not zero there is refused by this one. */
static void reserved_room_must_be_zero(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double point[3] = {0, 0, 0};
  const toi_patch patch = {.shape = TOI_PATCH_QUAD, .points = &point};
  toi_patch_case one = {.size = sizeof one, .a = &patch, .b = &patch, .t_max = 1};
  double query[24] = {0}, corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int room = 0; room < 2; room++) {
    const uint64_t last = room == 0 ? 0 : 1;
    const toi_status expected = room == 0 ? TOI_OK : TOI_ERROR_INPUT;
    const toi_query_set queries = {.queries = query, .count = 1, .reserved = {[3] = last}};
    const toi_frame frame = {.vertices = corners, .vertex_count = 3, .reserved = {[7] = last}};
    const toi_case_set cases = {.cases = &one, .count = 1, .reserved = {[3] = last}};
    const toi_model model = {.patches = &patch, .patch_count = 1, .reserved = {[3] = last}};
    assert_int_equal(toi_queries_write(context, test_path("room.bin"), &queries), expected);
    assert_int_equal(toi_frame_write(context, test_path("room.ply"), &frame), expected);
    assert_int_equal(toi_cases_write(context, test_path("room.jsonl"), &cases), expected);
    assert_int_equal(toi_model_write(context, test_path("room.json"), &model), expected);
    assert_true(room == 0 || strstr(toi_context_error(context), "reserved fields are not zero") != NULL);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reserved_room_must_be_zero),
      cmocka_unit_test(an_output_that_cannot_be_made_holds_no_memory),
      cmocka_unit_test(nothing_is_seen_before_commit),
      cmocka_unit_test(pieces_of_every_size_are_written_in_order),
      cmocka_unit_test(a_discarded_output_leaves_the_old_file),
      cmocka_unit_test(a_piece_that_is_refused_keeps_the_file_from_appearing),
      cmocka_unit_test(no_output_is_bad_input),
      cmocka_unit_test(a_replaced_file_keeps_its_permissions),
      cmocka_unit_test(a_link_stays_a_link),
      cmocka_unit_test(a_link_that_leads_nowhere_is_refused),
      cmocka_unit_test(devices_are_written_in_place),
      cmocka_unit_test(a_full_disk_leaves_nothing_behind),
      cmocka_unit_test(what_cannot_be_written_is_said),
      cmocka_unit_test(queries_that_are_not_finite_are_not_written),
      cmocka_unit_test(refused_memory_is_said),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
