/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The viewer's file: found relative to the command, read whole, and checked for the one place where data goes. */

#include "page_viewer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "options.h"
#include "platform.h"

#define MARKER "<script id=\"toi-data\" type=\"text/plain\">"
#define MARKER_END "</script>"

/* A viewer of today has about 3 MB. */
#define MOST_BYTES (64u << 20)

/* A file beside the command's folder; false if it is not there. */
static bool find_beside(const char *name, char path[PLATFORM_PATH_MAX]) {
  char command[PLATFORM_PATH_MAX];
  if (!platform_own_path(command))
    return false;
  char *slash = strrchr(command, '/');
  if (slash == NULL)
    return false;
  *slash = '\0';
  const int written = snprintf(path, PLATFORM_PATH_MAX, "%s/%s", command, name);
  return written > 0 && written < PLATFORM_PATH_MAX && platform_is_readable(path);
}

static int find_viewer(char path[PLATFORM_PATH_MAX]) {
  static const char *const places[] = {"../share/libtoi/viewer.html", "../viewer/viewer.html"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (find_beside(places[i], path))
      return EXIT_DONE;
  return cli_fail(
      "viewer.html, which pages are made of, was not found beside this command; make it with script/viewer, "
      "or name one by --viewer FILE");
}

/* All of an open file. */
static int read_all(FILE *file, const char *path, page *p) {
  uint64_t bytes;
  if (platform_ask(path, &bytes) != PLATFORM_FILE || bytes > MOST_BYTES)
    return cli_fail("%s: not a viewer: a regular file of at most 64 MiB is expected; make it with script/viewer", path);
  p->size = (size_t)bytes;
  p->viewer = memory_allocate(p->size + 1);
  if (p->viewer == NULL)
    return memory_fail(path, "close other programs");
  if (fread(p->viewer, 1, p->size, file) != p->size)
    return cli_fail("%s: cannot be read: %s", path, strerror(errno));
  p->viewer[p->size] = '\0';
  return EXIT_DONE;
}

/* Behind the first marker from here on; NULL if there is none. */
static const char *behind_marker(const char *from, const char *end) {
  const size_t length = sizeof MARKER - 1;
  while (from != NULL && (size_t)(end - from) >= length) {
    if (memcmp(from, MARKER, length) == 0)
      return from + length;
    from = memchr(from + 1, MARKER[0], (size_t)(end - from) - 1);
  }
  return NULL;
}

/* The one empty element that data goes into. */
static int find_place(const char *path, page *p) {
  const char *end = p->viewer + p->size, *place = behind_marker(p->viewer, end);
  const size_t left = place != NULL ? (size_t)(end - place) : 0;
  const bool empty = left >= sizeof MARKER_END - 1 && memcmp(place, MARKER_END, sizeof MARKER_END - 1) == 0;
  if (!empty || behind_marker(place, end) != NULL)
    return cli_fail("%s: not a viewer of this version: it must have one empty element %s%s; make it with script/viewer",
                    path, MARKER, MARKER_END);
  p->place = (size_t)(place - p->viewer);
  return EXIT_DONE;
}

int page_viewer_read(const char *named, page *p) {
  char found[PLATFORM_PATH_MAX];
  if (named == NULL && find_viewer(found) != EXIT_DONE)
    return EXIT_BAD;
  const char *path = named != NULL ? named : found;
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return cli_fail("%s: cannot be read: %s; make it with script/viewer, or name another by --viewer", path,
                    strerror(errno));
  int result = read_all(file, path, p);
  fclose(file);
  return result == EXIT_DONE ? find_place(path, p) : result;
}
