/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which query files a command line means, and of which kind each is. */

#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <toi/narrow.h>

#include "platform.h"

typedef struct query_file {
  char *path;
  toi_kind kind;
  uint64_t bytes;
  int argument; /* the number of the path that led to it */
} query_file;

typedef struct file_list {
  query_file *items;
  size_t count, capacity;
} file_list;

/* Adds the files that are named, and those in the directories that are named, by name in sorted order. kind: "vf",
 * "ee", or NULL for what each path says. Returns EXIT_DONE, or EXIT_BAD after its line; free the list in both cases. */
int files_collect(char **paths, int count, const char *kind, file_list *files);

void files_free(file_list *files);

/* Whether a path ends so, behind at least one character. */
bool path_ends(const char *path, const char *ending);
/* The kind that "vf", "ee", "vertex-face" or "edge-edge" means; TOI_KIND_COUNT for anything else. */
toi_kind kind_from_name(const char *name);

/* The kind that a path speaks of, the part nearest to its end first; TOI_KIND_COUNT if none, or both at once. */
toi_kind kind_from_path(const char *path);

#endif
