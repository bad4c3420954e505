/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sorting keys of pairs: by digits between two arrays where memory allows it, else in place. */

#ifndef TOI_SCENE_SORT_KEYS_H
#define TOI_SCENE_SORT_KEYS_H

#include "base/internal.h"

/* Ordered by high, then by the upper half of low. The lower half goes along; keys that differ in it alone come in any
 * order. */
typedef struct toi_sort_key {
  uint64_t high, low;
} toi_sort_key;

static inline bool toi_sort_before(toi_sort_key a, toi_sort_key b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

void toi_sort_keys(toi_context *context, toi_sort_key *keys, size_t count);

#endif
