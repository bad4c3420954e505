/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which files belong together, and where their truth lies. */

#include "bench.h"
#include "memory.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders above a query file that are looked into for its truth. */
#define FOLDERS_ABOVE 5

/* A part of a path. */
typedef struct span {
  const char *text;
  size_t length;
} span;

static const char *kind_mark(toi_kind kind) {
  return kind == TOI_VERTEX_FACE ? "vf" : "ee";
}

/* The last part of the text, without slashes behind it. */
static span last_part(const char *text, size_t length) {
  while (length > 1 && text[length - 1] == '/')
    length--;
  size_t begin = length;
  while (begin > 0 && text[begin - 1] != '/')
    begin--;
  return (span){text + begin, length - begin};
}

static bool span_is(span s, const char *word) {
  return s.length == strlen(word) && strncmp(s.text, word, s.length) == 0;
}

/* The folder that says what a file is of. */
static span scene_of(const char *path) {
  span part = last_part(path, strlen(path));
  while (part.text > path) {
    part = last_part(path, (size_t)(part.text - path));
    if (part.length > 0 && !span_is(part, "queries") && !span_is(part, "vertex-face") && !span_is(part, "edge-edge") &&
        !span_is(part, "vf") && !span_is(part, "ee"))
      return part;
    if (part.length == 0)
      break;
  }
  return (span){"queries", strlen("queries")};
}

/* --- sets --- */

static int add_to_set(bench_sets *sets, span name, const query_file *file, size_t number) {
  char text[256];
  snprintf(text, sizeof text, "%.*s %s", (int)(name.length < 200 ? name.length : 200), name.text,
           kind_mark(file->kind));
  size_t s = 0;
  while (s < sets->count && strcmp(sets->items[s].name, text) != 0)
    s++;
  if (s == sets->count) {
    bench_set *items = memory_resize(sets->items, (s + 1), sizeof *items);
    char *copy = memory_text(text);
    if (items == NULL || copy == NULL) {
      sets->items = items != NULL ? items : sets->items;
      memory_free(copy);
      return memory_fail("the list of sets", "name fewer files");
    }
    sets->items = items;
    sets->items[sets->count++] = (bench_set){.name = copy};
  }
  bench_set *set = &sets->items[s];
  size_t *files = memory_resize(set->files, (set->count + 1), sizeof *files);
  if (files == NULL)
    return memory_fail("the list of sets", "name fewer files");
  set->files = files;
  set->files[set->count++] = number;
  return EXIT_DONE;
}

/* A file that is named itself is a set by the name of the file, up to its ending. */
static span argument_name(const char *argument, const char *path) {
  span name = last_part(argument, strlen(argument));
  if (strcmp(argument, path) == 0)
    for (size_t i = 1; i < name.length; i++)
      name.length = name.text[i] == '.' ? i : name.length;
  return name;
}

int bench_sets_make(const file_list *files, char **arguments, bool pool, bench_sets *sets) {
  int result = EXIT_DONE;
  for (size_t i = 0; result == EXIT_DONE && i < files->count; i++) {
    const query_file *file = &files->items[i];
    const span name = pool ? argument_name(arguments[file->argument], file->path) : scene_of(file->path);
    result = add_to_set(sets, name, file, i);
  }
  return result;
}

void bench_sets_free(bench_sets *sets) {
  for (size_t i = 0; i < sets->count; i++) {
    memory_free(sets->items[i].name);
    memory_free(sets->items[i].files);
  }
  memory_free(sets->items);
  *sets = (bench_sets){0};
}

/* --- truth --- */

/* The forms that a truth's name takes, those with times first. */
enum { WITH_KIND, WITHOUT_KIND, BOOLEANS, FORMS };

/* The name of a truth of a file, in the folder that `base` characters of its path lead to. */
static void truth_name(const query_file *file, int form, int base, char *text, size_t size) {
  const span name = last_part(file->path, strlen(file->path)), scene = scene_of(file->path);
  const int stem = (int)strcspn(name.text, "."), length = (int)scene.length;
  if (form == WITH_KIND) {
    snprintf(text, size, "%.*struth/%.*s__%s__%.*s.csv.gz", base, file->path, length, scene.text, kind_mark(file->kind),
             stem, name.text);
  } else if (form == WITHOUT_KIND) {
    snprintf(text, size, "%.*struth/%.*s__%.*s.csv.gz", base, file->path, length, scene.text, stem, name.text);
  } else {
    snprintf(text, size, "%.*smma_bool/%.*s_mma_bool.json", base, file->path, stem, name.text);
  }
}

int bench_truth_find(const query_file *file, char **found) {
  const size_t size = 3 * strlen(file->path) + 64;
  char *text = memory_allocate(size);
  *found = NULL;
  if (text == NULL)
    return memory_fail("a name", "close other programs");
  for (int form = 0; form < FORMS && *found == NULL; form++) {
    span folder = last_part(file->path, strlen(file->path));
    for (int above = 0; above < FOLDERS_ABOVE && *found == NULL; above++) {
      // Up to the folder, with its slash; nothing for the folder that the command runs in.
      const size_t base = (size_t)(folder.text - file->path);
      truth_name(file, form, (int)base, text, size);
      *found = platform_is_readable(text) ? text : NULL;
      if (base == 0)
        break;
      folder = last_part(file->path, base);
    }
  }
  if (*found == NULL)
    memory_free(text);
  return EXIT_DONE;
}
