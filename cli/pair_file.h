/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of pairs:
 * {"vf":[[vertex,face],...],"ee":[[edge,edge],...],"ve":[[vertex,edge],...],"vv":[[vertex,vertex],...]}, each list
 * sorted. They appear whole or not at all. */

#ifndef CLI_PAIR_FILE_H
#define CLI_PAIR_FILE_H

#include <toi/broad.h>
#include <toi/io.h>

/* "vf", "ee", "ve", "vv". */
const char *pair_kind_name(toi_kind kind);

/* A file that is being written. */
typedef struct pair_file {
  toi_output *output; /* NULL: none */
  int kind;           /* whose list is open; -1 before the first */
  bool any;           /* that list has a pair */
} pair_file;

toi_status pair_file_open(toi_context *context, const char *path, pair_file *file);

/* Pairs come in order: by kind, then first, then second number. */
toi_status pair_file_append(pair_file *file, toi_kind kind, const toi_pair *pairs, size_t count);

/* Makes the file appear. */
toi_status pair_file_commit(pair_file *file);

/* Ends a file that is not to appear; nothing if it has ended, or was never opened. */
void pair_file_discard(pair_file *file);

/* Finds all candidates and appends them in order. They are held in at most `bytes` bytes (and at least as many as their
 * counts and one row take): the broad phase is run once to count them, and then as often as it takes to list them part
 * by part. counts receives how many there are; on TOI_ERROR_MEMORY without a sentence in the context the list did not
 * fit. */
toi_status candidates_append(toi_context *context, const toi_mesh *mesh, const toi_options *options, uint64_t bytes,
                             pair_file *file, uint64_t counts[TOI_KIND_COUNT]);

#endif
