/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Methods side by side: sets of query files, and how the figures are shown. */

#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "contest.h"
#include "json.h"
#include "output.h"

/* Files that are reported together: of one scene, or of one argument, and of one kind. */
typedef struct bench_set {
  char *name; /* such as "rod-twist ee" */
  size_t *files;
  size_t count;
} bench_set;

typedef struct bench_sets {
  bench_set *items;
  size_t count;
} bench_sets;

/* The sets of a list of files. Pooled: the files under one argument make one set a kind, named after the argument; else
 * the scene, the last folder of a path that is no kind and not called "queries", makes one. Free them in any case. */
int bench_sets_make(const file_list *files, char **arguments, bool pool, bench_sets *sets);

void bench_sets_free(bench_sets *sets);

/* The truth that lies beside a query file: truth/SCENE__KIND__FILE.csv.gz or truth/SCENE__FILE.csv.gz in a folder above
 * it, or mma_bool/FILE_mma_bool.json beside its folder. *found is NULL if there is none; the caller frees it. */
int bench_truth_find(const query_file *file, char **found);

/* Room for a figure as text. */
#define CELL 32

/* What a table has: everything, as people read it on 100 columns, or as documents have it. */
typedef enum bench_form { BENCH_NARROW, BENCH_WIDE, BENCH_MARKDOWN } bench_form;

/* What was asked of each set. */
typedef struct bench_result {
  const contest *contest;
  const bench_sets *sets;
  tally *tallies; /* of set s and entry e at s * contest->count + e */
  bool separations;
} bench_result;

/* The separation that was asked about, as tables have it. */
void bench_separation(char cell[CELL], const toi_options *options);

void bench_print(const bench_result *result, bench_form form);
json_t *bench_json(const bench_result *result);

/* The same figures as comma-separated values: names of the columns, then one line for each set, question and method. */
toi_status bench_csv(const bench_result *result, output *out);

/* The mean times as a picture. The entries are `questions` times the same methods. */
toi_status bench_draw(const bench_result *result, size_t questions, output *out);

#endif
