/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries whose answer is known because of how they are made: for tests, benchmarks and the demonstration.
 *
 * Promise: a query is a pure function of (class, kind, seed, index), the same on every machine, so that twenty million
 * can be streamed and any one of them made again from its numbers. All coordinates are exactly the doubles that the
 * truth speaks of. No code is shared with the solver: the truth comes from the construction, which leaves finitely many
 * rational times at which contact can begin, and from testing those in integers. It is the truth for t_max = 1. */

#ifndef PLANTED_PLANTED_H
#define PLANTED_PLANTED_H

#include <toi/narrow.h>

/* Let the generator choose the kind. */
#define PLANTED_ANY TOI_KIND_COUNT

typedef struct planted_query {
  toi_kind kind;
  uint32_t number;   /* of the class it comes from */
  bool hit;          /* they touch in [0, 1] */
  bool time_known;   /* for hits: t_lo and t_hi are set */
  double t_lo, t_hi; /* the tightest doubles around the first time of contact, equal if it is a double */
  double time[3];    /* for hits: time[0] / (time[1] + time[2]) is a time of contact; 0 / 0: none is rational */
  double points[24]; /* as toi_batch takes them: start, then end; 6 doubles a point of the kind */
} planted_query;

/* The classes, by number from 0. */
uint32_t planted_class_count(void);

/* A short name such as "double-root", and one line about it; NULL past the last. */
const char *planted_class_name(uint32_t number);
const char *planted_class_description(uint32_t number);

/* Whether the class makes queries of this kind. */
bool planted_class_has(uint32_t number, toi_kind kind);

/* Whether its queries are exactly or nearly degenerate. */
bool planted_class_is_degenerate(uint32_t number);

/* Query `index` of a class. kind is one that the class has, or PLANTED_ANY. */
void planted_make(uint32_t number, toi_kind kind, uint64_t seed, uint64_t index, planted_query *query);

/* Query `index` of a mixture of all classes that have the kind, more than half of them degenerate. */
void planted_mixed(toi_kind kind, uint64_t seed, uint64_t index, planted_query *query);

/* Points of a kind at one time, and how many of them belong to the first primitive. */
uint32_t planted_points(toi_kind kind);
uint32_t planted_first_points(toi_kind kind);

#endif
