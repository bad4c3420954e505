/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the tests of exact separations share: one call with memory of its own, and what must hold of every answer. */

#ifndef TOI_TESTS_NARROW_SEPARATION_CASES_H
#define TOI_TESTS_NARROW_SEPARATION_CASES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/exact_separation.h"
#include "narrow/separation_oracle.h"
#include "support/support.h"

typedef struct question {
  toi_kind kind;
  toi_norm norm;
  double d, t_max;
} question;

static inline toi_hit separate(question q, const double *query, double guess) {
  size_t size = toi_exact_separation_scratch(q.kind, query, q.d, q.norm);
  void *scratch = aligned_alloc(64, (size + 63) / 64 * 64);
  assert_non_null(scratch);
  toi_hit hit;
  memset(&hit, 0xff, sizeof hit);
  toi_exact_separation(q.kind, query, q.d, q.norm, q.t_max, guess, scratch, &hit);
  free(scratch);
  return hit;
}

/* Says what is wrong, with the query. */
static inline void reject(question q, const double *query, const toi_hit *hit, const char *what) {
  test_print_query(q.kind, query);
  fail_msg("%s: norm %d, d = %a, verdict %d in [%a, %a]", what, (int)q.norm, q.d, hit->verdict, hit->t_lo, hit->t_hi);
}

/* What the header says of every answer, whatever the query. */
static inline void expect_sound(question q, const double *query, const toi_hit *hit) {
  if (hit->level != TOI_LEVEL_EXACT || hit->separation != q.d || !isnan(hit->distance))
    reject(q, query, hit, "level, separation or distance");
  if (hit->verdict == TOI_MISS) {
    if (!isinf(hit->t_lo) || !isinf(hit->t_hi) || hit->t_safe != q.t_max || hit->touching_at_start)
      reject(q, query, hit, "not what a miss looks like");
    return;
  }
  bool tight = hit->t_lo == hit->t_hi || nextafter(hit->t_lo, 2) == hit->t_hi;
  bool safe = hit->t_hi == 0 ? hit->t_safe == 0 : hit->t_safe < hit->t_hi && hit->t_safe <= hit->t_lo;
  if (hit->verdict != TOI_HIT || !(hit->t_lo >= 0) || !(hit->t_hi <= q.t_max) || !tight || !safe)
    reject(q, query, hit, "not what a hit looks like");
  if ((hit->touching_at_start != 0) != (hit->t_hi == 0))
    reject(q, query, hit, "the flag of the start");
}

/* What the oracle can say: not within d at times before, within d at a time that is a double. */
static inline void expect_oracle(question q, const double *query, const toi_hit *hit, int samples) {
  double end = hit->verdict == TOI_MISS ? q.t_max : hit->t_lo;
  bool open = hit->verdict == TOI_MISS || hit->t_lo < hit->t_hi;
  for (int i = 0; i <= samples; i++) {
    double t = end * i / samples;
    if ((t < end || open) && oracle_within(q.kind, query, q.d, q.norm, t))
      reject(q, query, hit, "within d before");
  }
  if (hit->verdict == TOI_HIT && !open && !oracle_within(q.kind, query, q.d, q.norm, end))
    reject(q, query, hit, "not within d at the time");
}

#endif
