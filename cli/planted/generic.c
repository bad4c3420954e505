/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries in general position, but for what is planted in them.
 *
 * generic_hit: a contact is planted at a rational time; an earlier one is not excluded, so only the verdict is known.
 * generic_miss: a coordinate separates the primitives for the whole step. */

#include "planted/draft.h"

/* Random vectors of this size leave room in 53 bits for what is computed from them. */
static const int64_t WIDE = INT64_C(1) << 44;

static void some_points(planted_draft *draft, int64_t out[PLANTED_POINTS][3], int64_t size) {
  for (uint32_t i = 0; i < draft->points; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = planted_between(&draft->random, -size, size);
}

void planted_generic_hit(planted_draft *draft) {
  int64_t at[PLANTED_POINTS][3], step[PLANTED_POINTS][3];
  some_points(draft, at, WIDE);
  some_points(draft, step, WIDE);
  const int64_t i = planted_between(&draft->random, 1, 4), j = planted_between(&draft->random, 1, 4);
  for (int k = 0; k < 3; k++) {
    switch (draft->kind) {
    case TOI_VERTEX_FACE: /* f2 - v = -i (f0 - v) - j (f1 - v) */
      at[0][k] = 0;
      at[3][k] = -i * at[1][k] - j * at[2][k];
      break;
    case TOI_EDGE_EDGE: /* both edges straddle the origin */
      at[1][k] = -i * at[0][k];
      at[3][k] = -j * at[2][k];
      break;
    case TOI_VERTEX_EDGE:
      at[0][k] = 0;
      at[2][k] = -i * at[1][k];
      break;
    default:
      at[0][k] = at[1][k];
      break;
    }
  }
  const planted_time time = planted_inner_time(&draft->random, 4);
  planted_pass(draft, time, (const int64_t(*)[3])at, (const int64_t(*)[3])step);
  draft->decided = draft->hit = true;
  draft->time[0] = (double)time.m;
  draft->time[1] = (double)time.n;
}

void planted_generic_miss(planted_draft *draft) {
  some_points(draft, draft->start, WIDE);
  some_points(draft, draft->end, WIDE);
  for (uint32_t i = 0; i < draft->points; i++) {
    const int64_t sign = i < draft->first ? 1 : -1;
    draft->start[i][2] = sign * planted_between(&draft->random, 1, WIDE);
    draft->end[i][2] = sign * planted_between(&draft->random, 1, WIDE);
  }
}
