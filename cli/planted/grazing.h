/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries that graze a minimum separation d: their smallest distance is exactly d, or just above or below it.
 *
 * Promise: as in planted.h. A query is a pure function of its numbers, its coordinates are the doubles that the truth
 * speaks of, and the truth, "does the distance fall to d in [0, 1], and when first", comes from the construction. */

#ifndef PLANTED_GRAZING_H
#define PLANTED_GRAZING_H

#include "planted/planted.h"

/* Queries that share one separation, so that one batch can ask them. */
typedef struct grazing_group {
  toi_norm norm;
  double separation; /* units * 2^exponent */
  int64_t units;     /* below 2^46 */
  int exponent;
  bool any_bits; /* units is no multiple of the lengths of the slanting directions: only the axes will do */
} grazing_group;

/* Group `number`: separations from 1e-297 to 1e300, most of them near 1. */
grazing_group grazing_group_make(toi_norm norm, uint64_t seed, uint64_t number);

/* The classes, by number from 0: a way to move and the features that come closest. */
uint32_t grazing_class_count(void);

/* A short name such as "tangent-edge", and one line about it; NULL past the last. */
const char *grazing_class_name(uint32_t number);
const char *grazing_class_description(uint32_t number);

/* Whether the class makes queries of this kind. */
bool grazing_class_has(uint32_t number, toi_kind kind);

/* Query `index` of a class, of a kind that it has. `hit` means that the distance falls to the group's separation. */
void grazing_make(uint32_t number, toi_kind kind, const grazing_group *group, uint64_t seed, uint64_t index,
                  planted_query *query);

#endif
