/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Methods on files of queries: each file is read once, answered by every entry, timed and counted. What the commands
 * `toi query` and `toi bench` share. */

#ifndef CLI_CONTEST_H
#define CLI_CONTEST_H

#include <toi/io.h>

#include "files.h"
#include "options.h"
#include "output.h"
#include "tally.h"

#define ENTRIES_MAX 128

/* A method with its options. */
typedef struct entry {
  toi_options options; /* method set */
  bool outside;        /* the method is a plug-in */
  bool unsupported;    /* the method does not answer with these options; it is left out */
  tally total;
  tally *files; /* one a file */
} entry;

typedef struct contest contest;

/* Bytes that grow: see contest_share.h. */
typedef struct contest_bytes {
  char *bytes;
  size_t size, room;
} contest_bytes;

struct contest {
  toi_context *context;
  file_list files;
  entry entries[ENTRIES_MAX];
  size_t count;

  uint64_t repeat;       /* timed batch calls, at least 1 */
  uint64_t samples;      /* queries of a file that are timed one by one */
  double sample_seconds; /* to spend on those of a batch, about; 0: as long as it takes */
  uint64_t limit;        /* queries of a file that are asked, evenly chosen; 0: all */

  /* What the command adds. Each may be NULL, and returns EXIT_DONE, or EXIT_BAD after its line. */
  void *user;
  int (*find_truth)(contest *c, size_t file, size_t entry, const toi_query_set *set, truth_view *truth);
  toi_status (*take_answers)(contest *c, const toi_hit *hits, size_t count);
  toi_status (*take_file)(contest *c, const query_file *file, const toi_query_set *set);
  output *written; /* what take_file() writes to; NULL: nothing */

  toi_hit *hits; /* answers to one batch */
  size_t hit_capacity;
  uint64_t bytes_done, bytes;

  /* Of several ranks, not the first: answers of the present file, and all that goes to the first. */
  contest_bytes answers, letter;
};

/* Adds entries for the methods that a list of names means, each with these options: names with commas between, "all",
 * or NULL for the plug-ins or, without any, the default. `plugins` have been loaded by contest_load(). */
int contest_enter(contest *c, const char *methods, const text_list *plugins, const toi_options *options);

/* Loads plug-ins; `names` gets what they are called. */
int contest_load(contest *c, const text_list *paths, text_list *names);

/* Answers all files by all entries. */
int contest_run(contest *c);

/* Adds up the files of each entry. */
int contest_finish(contest *c);

void contest_free(contest *c);

/* The number in a file of query i of those that a limit leaves. */
size_t contest_pick(size_t i, size_t count, uint64_t limit);

#endif
