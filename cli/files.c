/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which query files a command line means.
 *
 * A file that is named must be a query file. In a directory, what does not end like one is skipped, and so is CSV
 * that opens with a header: a row whose every column begins with a letter, as in tables of truths and answers. Links to
 * directories are not followed, so that a walk ends. */

#include "files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "memory.h"
#include "options.h"
#include "platform.h"

/* As much of a file as its first row is looked for in. */
#define HEADER_BYTES 256

/* --- kinds --- */

static const struct {
  const char *name;
  toi_kind kind;
} kind_names[] = {
    {"vertex-face", TOI_VERTEX_FACE}, {"edge-edge", TOI_EDGE_EDGE}, {"vf", TOI_VERTEX_FACE}, {"ee", TOI_EDGE_EDGE}};

#define KIND_NAMES (sizeof kind_names / sizeof kind_names[0])

toi_kind kind_from_name(const char *name) {
  for (size_t i = 0; i < KIND_NAMES; i++)
    if (strcmp(name, kind_names[i].name) == 0)
      return kind_names[i].kind;
  return TOI_KIND_COUNT;
}

/* Whether a part of a path holds the word, not as part of a longer one: "326vf" does, "wheel" does not. */
static bool part_holds(const char *part, size_t length, const char *word) {
  size_t size = strlen(word);
  for (size_t i = 0; i + size <= length; i++) {
    bool begins = i == 0 || !isalpha((unsigned char)part[i - 1]);
    bool ends = i + size == length || !isalpha((unsigned char)part[i + size]);
    if (begins && ends && strncasecmp(part + i, word, size) == 0)
      return true;
  }
  return false;
}

toi_kind kind_from_path(const char *path) {
  size_t end = strlen(path);
  while (end > 0) {
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
      begin--;
    bool said[TOI_KIND_COUNT] = {false};
    for (size_t i = 0; i < KIND_NAMES; i++)
      said[kind_names[i].kind] |= part_holds(path + begin, end - begin, kind_names[i].name);
    if (said[TOI_VERTEX_FACE] != said[TOI_EDGE_EDGE])
      return said[TOI_VERTEX_FACE] ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    if (said[TOI_VERTEX_FACE])
      return TOI_KIND_COUNT;
    end = begin > 0 ? begin - 1 : 0;
  }
  return TOI_KIND_COUNT;
}

/* --- files --- */

static int list_add(file_list *files, const char *path, uint64_t bytes, const char *kind) {
  if (files->count == files->capacity) {
    size_t capacity = files->capacity == 0 ? 64 : 2 * files->capacity;
    query_file *items = memory_resize(files->items, capacity, sizeof *items);
    if (items == NULL)
      return memory_fail("the list of files", "name fewer at a time");
    files->items = items;
    files->capacity = capacity;
  }
  query_file file = {.path = memory_text(path), .kind = kind != NULL ? kind_from_name(kind) : kind_from_path(path)};
  if (file.path == NULL)
    return memory_fail("the list of files", "name fewer at a time");
  file.bytes = bytes;
  files->items[files->count++] = file;
  if (file.kind == TOI_KIND_COUNT)
    return cli_fail(
        "%s: the path does not say whether the queries are vertex-face or edge-edge; give --kind vf or --kind ee",
        path);
  return EXIT_DONE;
}

bool path_ends(const char *path, const char *ending) {
  size_t length = strlen(path), size = strlen(ending);
  return length > size && strcmp(path + length - size, ending) == 0;
}

static bool ends_like_queries(const char *name) {
  return path_ends(name, ".csv") || path_ends(name, ".csv.gz") || path_ends(name, ".bin");
}

/* Whether the columns of a row all begin with a letter. */
static bool is_header(const char *row) {
  for (const char *column = row;; column++) {
    if (!isalpha((unsigned char)*column))
      return false;
    column = strchr(column, ',');
    if (column == NULL)
      return true;
  }
}

/* *header: whether a CSV file opens with one. What cannot be read has none: whoever reads it says why. zlib reads plain
 * files too. */
static int look_for_header(const char *path, bool *header) {
  *header = false;
  errno = 0;
  gzFile file = gzopen(path, "rb");
  if (file == NULL)
    return errno == 0 || errno == ENOMEM ? memory_fail(path, "close other programs") : EXIT_DONE;
  char row[HEADER_BYTES + 1];
  const int size = gzread(file, row, HEADER_BYTES);
  int error = Z_OK;
  (void)gzerror(file, &error);
  gzclose(file);
  if (size < 0 && error == Z_MEM_ERROR)
    return memory_fail(path, "close other programs");
  row[size > 0 ? size : 0] = '\0';
  row[strcspn(row, "\r\n")] = '\0';
  *header = is_header(row);
  return EXIT_DONE;
}

static int walk(const char *path, const char *kind, file_list *files);

static int walk_entry(const char *directory, const char *name, const char *kind, file_list *files) {
  size_t size = strlen(directory) + strlen(name) + 2;
  char *path = memory_allocate(size);
  if (path == NULL)
    return memory_fail("the list of files", "name fewer at a time");
  bool slash = directory[strlen(directory) - 1] == '/';
  snprintf(path, size, "%s%s%s", directory, slash ? "" : "/", name);

  int result = EXIT_DONE;
  uint64_t bytes;
  if (platform_is_plain_folder(path)) {
    result = walk(path, kind, files);
  } else if (ends_like_queries(name) && platform_ask(path, &bytes) == PLATFORM_FILE) {
    bool header = false;
    if (!path_ends(name, ".bin"))
      result = look_for_header(path, &header);
    if (result == EXIT_DONE && !header)
      result = list_add(files, path, bytes, kind);
  }
  memory_free(path);
  return result;
}

static int walk(const char *path, const char *kind, file_list *files) {
  platform_names names;
  if (!platform_names_read(path, &names))
    return cli_fail("%s: cannot be read: %s; check its permissions", path, strerror(errno));
  int result = EXIT_DONE;
  for (size_t i = 0; i < names.count && result == EXIT_DONE; i++)
    result = walk_entry(path, names.at[i], kind, files);
  platform_names_free(&names);
  return result;
}

int files_collect(char **paths, int count, const char *kind, file_list *files) {
  for (int i = 0; i < count; i++) {
    uint64_t bytes;
    const platform_kind found = platform_ask(paths[i], &bytes);
    if (found == PLATFORM_NOTHING)
      return cli_fail("%s: cannot be read: %s; check the name and its permissions", paths[i], strerror(errno));
    size_t before = files->count;
    int result = found == PLATFORM_FOLDER ? walk(paths[i], kind, files) : list_add(files, paths[i], bytes, kind);
    if (result != EXIT_DONE)
      return result;
    for (size_t f = before; f < files->count; f++)
      files->items[f].argument = i;
    if (files->count == before)
      return cli_fail("%s: a directory without query files; their names end in .csv, .csv.gz or .bin", paths[i]);
  }
  return EXIT_DONE;
}

void files_free(file_list *files) {
  for (size_t i = 0; i < files->count; i++)
    memory_free(files->items[i].path);
  memory_free(files->items);
  *files = (file_list){0};
}
