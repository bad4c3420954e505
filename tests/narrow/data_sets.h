/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The real and degenerate queries of the data sets, with their truth, file by file. The truth names its files:
 * SCENE__KIND__FILE.csv.gz, or corner__KIND.csv.gz. */

#ifndef TOI_TESTS_NARROW_DATA_SETS_H
#define TOI_TESTS_NARROW_DATA_SETS_H

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <toi/toi.h>

#include "support/support.h"

#define DATA_PATH_MOST 1024

typedef struct data_file {
  toi_kind kind;
  char queries[DATA_PATH_MOST], truth[DATA_PATH_MOST];
} data_file;

static inline bool data_is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The query file that a file of truth speaks of. */
static inline bool data_find_queries(const char *root, const char *name, data_file *file) {
  char scene[256], kind[256], rest[256];
  snprintf(file->truth, DATA_PATH_MOST, "%s/truth/%s", root, name);
  if (sscanf(name, "corner__%255[^.].csv.gz", kind) == 1) {
    file->kind = strcmp(kind, "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    snprintf(file->queries, DATA_PATH_MOST, "%s/corner/%s.bin", root, kind);
    return data_is_file(file->queries);
  }
  // Scenes have single underscores at most.
  const char *first = strstr(name, "__"), *second = first ? strstr(first + 2, "__") : NULL;
  if (!second || sscanf(second, "__%255[^.].csv.gz", rest) != 1)
    return false;
  snprintf(scene, sizeof(scene), "%.*s", (int)(first - name), name);
  snprintf(kind, sizeof(kind), "%.*s", (int)(second - first - 2), first + 2);
  file->kind = strcmp(kind, "vf") == 0 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
  const char *folder = file->kind == TOI_VERTEX_FACE ? "vertex-face" : "edge-edge";
  snprintf(file->queries, DATA_PATH_MOST, "%s/sample-queries/%s/%s/%s.csv", root, scene, folder, rest);
  if (data_is_file(file->queries))
    return true;
  snprintf(file->queries, DATA_PATH_MOST, "%s/scenes/%s/queries/%s.csv", root, scene, rest);
  return data_is_file(file->queries);
}

/* A file's queries and truth, both of the same count, while a visit lasts. */
typedef struct data_set {
  const data_file *file;
  toi_context *context;
  toi_query_set queries;
  toi_truth truth;
} data_set;

/* Calls visit for every file with truth, and gives their number; 0, with a line that says so, where there is no data.
 */
static inline size_t data_visit(void (*visit)(void *user, const data_set *set), void *user) {
  const char *root = test_data_directory();
  if (!root)
    return 0;
  char path[DATA_PATH_MOST];
  snprintf(path, sizeof(path), "%s/truth", root);
  DIR *directory = opendir(path);
  assert_non_null(directory);
  data_set set = {.context = test_context(1)};
  size_t files = 0;
  for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
    data_file file;
    if (entry->d_name[0] == '.')
      continue;
    if (!data_find_queries(root, entry->d_name, &file))
      fail_msg("no queries for %s", entry->d_name);
    if (toi_queries_read(set.context, file.queries, &set.queries) != TOI_OK ||
        toi_truth_read(set.context, file.truth, &set.truth) != TOI_OK)
      fail_msg("%s", toi_context_error(set.context));
    assert_int_equal(set.queries.count, set.truth.count);
    set.file = &file;
    visit(user, &set);
    toi_truth_free(set.context, &set.truth);
    toi_queries_free(set.context, &set.queries);
    files++;
  }
  closedir(directory);
  toi_context_destroy(set.context);
  assert_true(files > 0);
  return files;
}

#endif
