/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of pairs:
 * {"vf":[[vertex,face],...],"ee":[[edge,edge],...],"ve":[[vertex,edge],...],"vv":[[vertex,vertex],...]}, each list
 * sorted. Files of `toi check` begin with "crossings":[[edge,face],...], and end with a list of numbers. */

#ifndef CLI_PAIR_FILE_H
#define CLI_PAIR_FILE_H

#include <toi/broad.h>

#include "output.h"

/* "vf", "ee", "ve", "vv". */
const char *pair_kind_name(toi_kind kind);

/* A file that is being written. */
typedef struct pair_file {
  output *out; /* which is open */
  int list;    /* which list is open: 0 crossings, 1 + kind the others; before the first, the one in front of it */
  bool began;  /* a list was opened */
  bool any;    /* the open list has an item */
} pair_file;

static inline pair_file pair_file_begin(output *out) {
  return (pair_file){.out = out, .list = 0};
}

/* A file that begins with crossings. */
static inline pair_file pair_file_begin_crossings(output *out) {
  return (pair_file){.out = out, .list = -1};
}

/* Pairs come in order: by kind, then first, then second number. */
toi_status pair_file_append(pair_file *file, toi_kind kind, const toi_pair *pairs, size_t count);

/* Pairs of an edge and a face, before all others; in order. */
toi_status pair_file_append_crossings(pair_file *file, const toi_pair *pairs, size_t count);

/* Ends the lists of pairs and opens one of numbers; then a number, so many times. */
toi_status pair_file_open_numbers(pair_file *file, const char *name);
toi_status pair_file_append_number(pair_file *file, uint32_t number, size_t times);

/* Ends the lists. */
toi_status pair_file_end(pair_file *file);

/* Finds all candidates and appends them in order. They are held in at most `bytes` bytes (and at least as many as their
 * counts and one row take): the broad phase is run once to count them, and then as often as it takes to list them part
 * by part. counts receives how many there are; on TOI_ERROR_MEMORY without a sentence in the context the list did not
 * fit. */
toi_status candidates_append(toi_context *context, const toi_mesh *mesh, const toi_options *options, uint64_t bytes,
                             pair_file *file, uint64_t counts[TOI_KIND_COUNT]);

#endif
