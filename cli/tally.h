/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the answers come to: counts, errors against a truth, and times. */

#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include <toi/narrow.h>

#include "measure.h"

/* The truth about queries, for all times from 0 to 1; each array may be NULL. */
typedef struct truth_view {
  const uint8_t *hit;
  const double *t_lo, *t_hi;
  bool contacts_only; /* of zero separation, where more is asked: what touches is a hit, the rest is not known */
} truth_view;

typedef struct tally {
  uint64_t queries;
  uint64_t verdicts[3]; /* by toi_verdict */
  uint64_t levels[TOI_LEVEL_COUNT];

  uint64_t truths; /* queries whose truth is known; the next two are counts among them */
  uint64_t false_positives, false_negatives;
  uint64_t contacts;  /* that the truth has */
  bool contacts_only; /* the truth knew no more: false positives cannot be told */
  uint64_t times;     /* contacts found whose true time is known; the next two are counts among them */
  uint64_t bracket_errors, bracket_exact;
  uint64_t late;               /* t_lo after the true time */
  double early_sum, early_max; /* true time less t_lo */
  double widest;               /* bracket of a hit */
  double least_separation, largest_separation;

  double read_seconds; /* of reading the file */
  double seconds;      /* of one answer to every query */
  sample_list samples;
} tally;

/* Adds answers. Without times, a truth about [0, 1] says nothing about hits within t_max < 1, and is left out. */
void tally_hits(tally *t, const toi_hit *hits, size_t count, const truth_view *truth, double t_max);

/* Adds another tally; false if memory ran out. */
bool tally_merge(tally *t, const tally *other);

#endif
