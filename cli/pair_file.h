/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Files of pairs:
 * {"vf":[[vertex,face],...],"ee":[[edge,edge],...],"ve":[[vertex,edge],...],"vv":[[vertex,vertex],...]}, each list
 * sorted; with half-spaces "vh":[[vertex,half-space],...] behind. Files of `toi check` begin with
 * "crossings":[[edge,face],...], and end with a list of numbers. */

#ifndef CLI_PAIR_FILE_H
#define CLI_PAIR_FILE_H

#include <toi/broad.h>

#include "output.h"

/* The kinds of pairs that meshes have, in the order of their lists: the queries, then half-spaces. */
#define PAIR_KINDS (TOI_KIND_COUNT + 1)

static inline int pair_row(toi_kind kind) {
  return kind == TOI_VERTEX_HALF_SPACE ? TOI_KIND_COUNT : (int)kind;
}

static inline toi_kind pair_kind(int row) {
  return row == TOI_KIND_COUNT ? TOI_VERTEX_HALF_SPACE : (toi_kind)row;
}

/* How many of them a mesh has, with half-spaces or without. */
static inline int pair_kinds(size_t half_spaces) {
  return half_spaces > 0 ? PAIR_KINDS : TOI_KIND_COUNT;
}

/* "vf", "ee", "ve", "vv", "vh". */
const char *pair_kind_name(toi_kind kind);

/* A file that is being written. */
typedef struct pair_file {
  output *out; /* which is open */
  int list;    /* which list is open: 0 crossings, 1 + row the others; before the first, the one in front of it */
  int kinds;   /* that have lists */
  bool began;  /* a list was opened */
  bool any;    /* the open list has an item */
} pair_file;

static inline pair_file pair_file_begin(output *out, size_t half_spaces) {
  return (pair_file){.out = out, .list = 0, .kinds = pair_kinds(half_spaces)};
}

/* A file that begins with crossings. */
static inline pair_file pair_file_begin_crossings(output *out, size_t half_spaces) {
  return (pair_file){.out = out, .list = -1, .kinds = pair_kinds(half_spaces)};
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
                             pair_file *file, uint64_t counts[TOI_COUNTERS]);

#endif
