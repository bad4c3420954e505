/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Both methods on the real and degenerate queries of the data sets, against their published truth: no contact invented,
 * none missed, none left open; `exact` gives the truth's bracket and `certified` one around it. Skipped where there is
 * no data. The truth names its files: SCENE__KIND__FILE.csv.gz, or corner__KIND.csv.gz. */

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "narrow/asking.h"

#define PATH_MOST 1024

typedef struct data_file {
  toi_kind kind;
  char queries[PATH_MOST], truth[PATH_MOST];
} data_file;

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The query file that a file of truth speaks of. */
static bool find_queries(const char *root, const char *name, data_file *file) {
  char scene[256], kind[256], rest[256];
  snprintf(file->truth, PATH_MOST, "%s/truth/%s", root, name);
  if (sscanf(name, "corner__%255[^.].csv.gz", kind) == 1) {
    file->kind = strcmp(kind, "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    snprintf(file->queries, PATH_MOST, "%s/corner/%s.bin", root, kind);
    return is_file(file->queries);
  }
  /* Scenes have single underscores at most. */
  const char *first = strstr(name, "__"), *second = first ? strstr(first + 2, "__") : NULL;
  if (!second || sscanf(second, "__%255[^.].csv.gz", rest) != 1)
    return false;
  snprintf(scene, sizeof(scene), "%.*s", (int)(first - name), name);
  snprintf(kind, sizeof(kind), "%.*s", (int)(second - first - 2), first + 2);
  file->kind = strcmp(kind, "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
  const char *folder = file->kind == TOI_VERTEX_FACE ? "vertex-face" : "edge-edge";
  snprintf(file->queries, PATH_MOST, "%s/sample-queries/%s/%s/%s.csv", root, scene, folder, rest);
  if (is_file(file->queries))
    return true;
  snprintf(file->queries, PATH_MOST, "%s/scenes/%s/queries/%s.csv", root, scene, rest);
  return is_file(file->queries);
}

typedef struct data_tally {
  size_t files, queries, hits;
  toi_counters counters;
} data_tally;

/* What is wrong with the answers to one query; NULL if nothing is. */
static const char *fault_of(const toi_truth *truth, size_t i, const toi_hit *certified, const toi_hit *exact) {
  toi_verdict verdict = truth->hit[i] ? TOI_HIT : TOI_MISS;
  if (certified->verdict != verdict || exact->verdict != verdict)
    return truth->hit[i] ? "a contact is missed" : "a contact is invented";
  if (!truth->hit[i])
    return NULL;
  if (exact->t_lo != truth->t_lo[i] || exact->t_hi != truth->t_hi[i])
    return "exact's bracket is not the truth's";
  if (!(certified->t_lo <= truth->t_lo[i] && truth->t_hi[i] <= certified->t_hi))
    return "certified's bracket does not hold the time";
  return certified->t_hi - certified->t_lo <= BRACKET_MOST_WIDE ? NULL : "certified's bracket is too wide";
}

static void check_file(toi_context *context, const data_file *file, data_tally *tally) {
  toi_query_set set;
  toi_truth truth;
  if (toi_queries_read(context, file->queries, &set) != TOI_OK ||
      toi_truth_read(context, file->truth, &truth) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_int_equal(set.count, truth.count);
  toi_hit *hits = calloc(2 * set.count, sizeof(toi_hit));
  assert_non_null(hits);
  asked certified = {.kind = file->kind, .count = set.count, .queries = set.queries};
  ask_batch(context, &certified, "certified", &tally->counters, hits);
  ask_batch(context, &certified, "exact", NULL, hits + set.count);
  for (size_t i = 0; i < set.count; i++) {
    const char *fault = fault_of(&truth, i, &hits[i], &hits[set.count + i]);
    if (fault) {
      test_print_query(file->kind, set.queries + 24 * i);
      fail_msg("%s, query %zu: %s", file->queries, i, fault);
    }
    tally->hits += truth.hit[i];
  }
  tally->files++;
  tally->queries += set.count;
  free(hits);
  toi_truth_free(context, &truth);
  toi_queries_free(context, &set);
}

static void every_data_set_with_truth_is_decided_rightly(void **test) {
  (void)test;
  const char *root = test_data_directory();
  if (!root)
    skip();
  char path[PATH_MOST];
  snprintf(path, sizeof(path), "%s/truth", root);
  DIR *directory = opendir(path);
  assert_non_null(directory);
  toi_context *context = test_context(1);
  data_tally tally = {0};
  for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
    data_file file;
    if (entry->d_name[0] == '.')
      continue;
    if (!find_queries(root, entry->d_name, &file))
      fail_msg("no queries for %s", entry->d_name);
    check_file(context, &file, &tally);
  }
  closedir(directory);
  toi_context_destroy(context);
  print_message("%zu files, %zu queries, %zu hits:", tally.files, tally.queries, tally.hits);
  for (unsigned level = 0; level <= TOI_LEVEL_EXACT; level++)
    print_message(" %s %zu", toi_level_name(level), (size_t)tally.counters.levels[level]);
  print_message("\n");
  assert_true(tally.files > 0 && tally.hits > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_data_set_with_truth_is_decided_rightly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
