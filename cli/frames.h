/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Which frames a command line means, in the order of time. */

#ifndef CLI_FRAMES_H
#define CLI_FRAMES_H

#include <stddef.h>

typedef struct frame_list {
  char **paths;
  size_t count, capacity;
} frame_list;

/* Adds the meshes that are named and, for a directory, the meshes in it (not below it), sorted with numbers in names as
 * numbers. Returns EXIT_DONE, or EXIT_BAD after its line; free the list in both cases. */
int frames_collect(char **paths, int count, frame_list *frames);

void frames_free(frame_list *frames);

/* Less, equal or greater, digits in a row compared as numbers: frame2 before frame10. */
int compare_naturally(const char *a, const char *b);

#endif
