/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries of the narrow phase, drawn from bytes. */

#ifndef TOI_TESTS_FUZZ_QUERIES_H
#define TOI_TESTS_FUZZ_QUERIES_H

#include "fuzz/fuzz.h"

#include <string.h>

typedef struct fuzz_query {
  toi_kind kind;
  size_t half; /* doubles at one end */
  double points[24];
} fuzz_query;

/* Many of them are degenerate: points at rest, points that coincide, coordinates that are all the same. */
static inline fuzz_query fuzz_query_draw(fuzz_bytes *bytes) {
  fuzz_query query = {.kind = (toi_kind)fuzz_choice(bytes, TOI_KIND_COUNT)};
  query.half = (size_t)3 * toi_kind_points(query.kind);
  const uint8_t how = fuzz_byte(bytes);
  const fuzz_style style = (fuzz_style)(how % FUZZ_STYLES);
  for (size_t i = 0; i < 2 * query.half; i++) {
    // The end may be the start and a motion, so that only what moves takes bytes that are not zero.
    const double drawn = fuzz_double(bytes, style);
    query.points[i] = i >= query.half && (how & 0x40) != 0 ? query.points[i - query.half] + drawn : drawn;
  }
  if ((how & 0x10) != 0)
    memcpy(query.points + 3, query.points, 3 * sizeof(double));
  if ((how & 0x20) != 0)
    memcpy(query.points + query.half, query.points, 3 * sizeof(double));
  return query;
}

static inline toi_status fuzz_query_ask(const fuzz_query *query, const toi_options *options, toi_hit *hit) {
  const double(*start)[3] = (const double(*)[3])query->points;
  const double(*end)[3] = (const double(*)[3])(query->points + query->half);
  return toi_query(query->kind, start, end, options, hit);
}

#endif
