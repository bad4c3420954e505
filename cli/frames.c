/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which frames a command line means. A file that is named is taken as it is; in a directory, what does not end like a
 * mesh is skipped. */

#include "frames.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "memory.h"
#include "options.h"
#include "platform.h"

/* --- order --- */

/* Compares two runs of digits as numbers and moves behind them. */
static int compare_digits(const char **a, const char **b) {
  while (**a == '0')
    ++*a;
  while (**b == '0')
    ++*b;
  size_t x = 0, y = 0;
  while (isdigit((unsigned char)(*a)[x]))
    x++;
  while (isdigit((unsigned char)(*b)[y]))
    y++;
  int order = x != y ? (x > y) - (x < y) : strncmp(*a, *b, x);
  *a += x;
  *b += y;
  return order;
}

int compare_naturally(const char *a, const char *b) {
  const char *x = a, *y = b;
  while (*x != '\0' && *y != '\0') {
    int order;
    if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
      order = compare_digits(&x, &y);
    } else {
      order = (unsigned char)*x - (unsigned char)*y;
      x++;
      y++;
    }
    if (order != 0)
      return order;
  }
  if (*x != *y)
    return *x == '\0' ? -1 : 1;
  // Equal but for zeros in front of numbers.
  return strcmp(a, b);
}

static int compare_names(const void *a, const void *b) {
  return compare_naturally(*(char *const *)a, *(char *const *)b);
}

/* --- collecting --- */

static int add(frame_list *frames, const char *directory, const char *name) {
  if (frames->count == frames->capacity) {
    size_t capacity = frames->capacity == 0 ? 64 : 2 * frames->capacity;
    char **paths = memory_resize(frames->paths, capacity, sizeof *paths);
    if (paths == NULL)
      return memory_fail("the list of frames", "name fewer at a time");
    frames->paths = paths;
    frames->capacity = capacity;
  }
  size_t length = strlen(directory), size = length + strlen(name) + 2;
  char *path = memory_allocate(size);
  if (path == NULL)
    return memory_fail("the list of frames", "name fewer at a time");
  bool slash = length > 0 && directory[length - 1] != '/';
  snprintf(path, size, "%s%s%s", directory, slash ? "/" : "", name);
  frames->paths[frames->count++] = path;
  return EXIT_DONE;
}

static bool ends_like_a_mesh(const char *name) {
  static const char *const endings[] = {".ply", ".ply.gz", ".obj", ".obj.gz"};
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
    if (path_ends(name, endings[i]))
      return true;
  return false;
}

static int add_directory(frame_list *frames, const char *path) {
  platform_names names;
  if (!platform_names_read(path, &names))
    return cli_fail("%s: cannot be read: %s; check its permissions", path, strerror(errno));
  qsort(names.at, names.count, sizeof *names.at, compare_names);
  const size_t before = frames->count;
  int result = EXIT_DONE;
  for (size_t i = 0; i < names.count && result == EXIT_DONE; i++)
    if (ends_like_a_mesh(names.at[i]))
      result = add(frames, path, names.at[i]);
  platform_names_free(&names);
  if (result == EXIT_DONE && frames->count == before)
    return cli_fail("%s: a directory without meshes; their names end in .ply, .obj, .ply.gz or .obj.gz", path);
  return result;
}

int frames_collect(char **paths, int count, frame_list *frames) {
  for (int i = 0; i < count; i++) {
    const platform_kind kind = platform_ask(paths[i], NULL);
    if (kind == PLATFORM_NOTHING)
      return cli_fail("%s: cannot be read: %s; check the name and its permissions", paths[i], strerror(errno));
    int result = kind == PLATFORM_FOLDER ? add_directory(frames, paths[i]) : add(frames, "", paths[i]);
    if (result != EXIT_DONE)
      return result;
  }
  return EXIT_DONE;
}

void frames_free(frame_list *frames) {
  for (size_t i = 0; i < frames->count; i++)
    memory_free(frames->paths[i]);
  memory_free(frames->paths);
  *frames = (frame_list){0};
}
