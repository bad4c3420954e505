/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From a draft to a query: the truth, and the disguises that keep it.
 *
 * Every disguise is a bijection of space that is affine at each time, so it takes touching to touching at the same
 * time: an integer matrix of determinant 1, a translation that changes linearly with time, a power of two on each axis,
 * a signed permutation of the axes. Renumbering the corners of a primitive changes nothing at all. */

#include "planted/draft.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every integer up to this magnitude is a double. */
static const int64_t LARGEST = INT64_C(1) << 53;

void planted_pass(planted_draft *draft, planted_time time, const int64_t at[PLANTED_POINTS][3],
                  const int64_t step[PLANTED_POINTS][3]) {
  for (uint32_t i = 0; i < draft->points; i++) {
    for (int k = 0; k < 3; k++) {
      draft->start[i][k] = at[i][k] - time.m * step[i][k];
      draft->end[i][k] = at[i][k] + (time.n - time.m) * step[i][k];
    }
  }
}

planted_time planted_inner_time(planted_random *random, int limit) {
  planted_time time;
  switch (planted_bits(random) % 4) {
  case 0: /* dyadic */
    time.n = INT64_C(1) << planted_between(random, 1, limit);
    time.m = planted_between(random, 1, time.n - 1);
    return time;
  case 1: /* small fraction */
    time.n = planted_between(random, 2, 12);
    time.m = planted_between(random, 1, time.n - 1);
    return time;
  case 2: /* next to an end */
    time.n = planted_between(random, 2, INT64_C(1) << limit);
    time.m = planted_once_in(random, 2) ? 1 : time.n - 1;
    return time;
  default: /* any fraction */
    time.n = planted_between(random, 2, INT64_C(1) << limit);
    time.m = planted_between(random, 1, time.n - 1);
    return time;
  }
}

planted_time planted_some_time(planted_random *random, int limit) {
  planted_time time = planted_inner_time(random, limit);
  switch (planted_bits(random) % 12) {
  case 0:
    time.m = 0;
    return time;
  case 1:
    time.m = time.n;
    return time;
  case 2:
    time.m = -1;
    return time;
  case 3:
    time.m = time.n + 1;
    return time;
  default:
    return time;
  }
}

/* The largest magnitude of coordinate k. */
static int64_t extent(const planted_draft *draft, int k) {
  int64_t most = 0;
  for (uint32_t i = 0; i < draft->points; i++) {
    const int64_t start = llabs(draft->start[i][k]), end = llabs(draft->end[i][k]);
    most = start > most ? start : most;
    most = end > most ? end : most;
  }
  return most;
}

/* Adds a small multiple of one coordinate to another, where there is room. */
static void shear(planted_draft *draft) {
  const int to = (int)(planted_bits(&draft->random) % 3);
  const int from = (to + 1 + (int)(planted_bits(&draft->random) % 2)) % 3;
  const int64_t factor = planted_nonzero(&draft->random, 3);
  if (extent(draft, to) > LARGEST / 8 || extent(draft, from) > LARGEST / 8)
    return;
  for (uint32_t i = 0; i < draft->points; i++) {
    draft->start[i][to] += factor * draft->start[i][from];
    draft->end[i][to] += factor * draft->end[i][from];
  }
}

/* Moves everything by one integer vector at the start and another at the end, as far as 53 bits allow. */
static void translate(planted_draft *draft) {
  for (int k = 0; k < 3; k++) {
    const int64_t room = LARGEST - extent(draft, k);
    int64_t offset[2];
    for (int e = 0; e < 2; e++) {
      const int64_t reach = room >> (draft->far ? 0 : planted_between(&draft->random, 0, 52));
      const int64_t least = draft->far ? reach / 2 : 0;
      offset[e] = planted_sign(&draft->random) * planted_between(&draft->random, least, reach);
    }
    for (uint32_t i = 0; i < draft->points; i++) {
      draft->start[i][k] += offset[0];
      draft->end[i][k] += offset[1];
    }
  }
}

/* Integers times powers of two are exact unless they leave the range of doubles, which the classes avoid. */
static void to_doubles(planted_draft *draft) {
  for (uint32_t i = 0; i < draft->points; i++) {
    for (int k = 0; k < 3; k++) {
      assert(llabs(draft->start[i][k]) <= LARGEST && llabs(draft->end[i][k]) <= LARGEST);
      draft->place[0][i][k] = ldexp((double)draft->start[i][k], draft->unit[k]);
      draft->place[1][i][k] = ldexp((double)draft->end[i][k], draft->unit[k]);
      assert(ldexp(draft->place[0][i][k], -draft->unit[k]) == (double)draft->start[i][k]);
      assert(ldexp(draft->place[1][i][k], -draft->unit[k]) == (double)draft->end[i][k]);
    }
  }
}

void planted_bracket(planted_time time, double *lo, double *hi) {
  assert(time.m >= 0 && time.m <= time.n && time.n > 0);
  if (time.m == 0) {
    *lo = *hi = 0;
    return;
  }
  // Long division until the quotient has 53 bits: quotient 2^-shift <= m / n < (quotient + 1) 2^-shift.
  uint64_t quotient = (uint64_t)(time.m / time.n), rest = (uint64_t)(time.m % time.n);
  int shift = 0;
  while (quotient < (UINT64_C(1) << 52)) {
    rest *= 2;
    quotient *= 2;
    if (rest >= (uint64_t)time.n) {
      rest -= (uint64_t)time.n;
      quotient++;
    }
    shift++;
  }
  *lo = ldexp((double)quotient, -shift);
  *hi = rest == 0 ? *lo : ldexp((double)(quotient + 1), -shift);
}

void planted_set_hit(planted_draft *draft, double time) {
  draft->decided = draft->hit = draft->time_known = true;
  draft->t_lo = draft->t_hi = time;
  draft->time[0] = time;
  draft->time[1] = 1;
}

/* The first of the listed times in [0, 1] at which they touch. */
static void decide(planted_draft *draft) {
  draft->hit = false;
  double best = INFINITY;
  for (uint32_t i = 0; i < draft->time_count; i++) {
    const planted_time time = draft->times[i];
    if (time.m < 0 || time.m > time.n || !planted_touches(draft, time))
      continue;
    double lo, hi;
    planted_bracket(time, &lo, &hi);
    // Brackets order as the times do, by hi and then by lo; times with the same bracket are told apart by nobody.
    if (!draft->hit || hi < best || (hi == best && lo < draft->t_lo)) {
      draft->t_lo = lo;
      draft->t_hi = best = hi;
      draft->time[0] = (double)time.m;
      draft->time[1] = (double)time.n;
    }
    draft->hit = true;
  }
  draft->time_known = draft->hit;
}

/* Writes the points in the order that the permutation says. */
static void write_points(const planted_draft *draft, const uint32_t order[PLANTED_POINTS], planted_query *query) {
  double *out = query->points;
  for (int e = 0; e < 2; e++) {
    for (uint32_t i = 0; i < draft->points; i++) {
      memcpy(out, draft->place[e][order[i]], 3 * sizeof(double));
      out += 3;
    }
  }
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* A random renumbering of the corners that leaves the primitives what they are. */
static void renumber(planted_draft *draft, uint32_t order[PLANTED_POINTS]) {
  for (uint32_t i = 0; i < PLANTED_POINTS; i++)
    order[i] = i;
  const uint64_t bits = planted_bits(&draft->random);
  switch (draft->kind) {
  case TOI_VERTEX_FACE:
    swap(&order[1], &order[1 + bits % 3]);
    swap(&order[2], &order[2 + (bits >> 8) % 2]);
    break;
  case TOI_EDGE_EDGE:
    swap(&order[0], &order[bits & 1]);
    swap(&order[2], &order[2 + ((bits >> 1) & 1)]);
    if ((bits & 4) != 0) {
      swap(&order[0], &order[2]);
      swap(&order[1], &order[3]);
    }
    break;
  case TOI_VERTEX_EDGE:
    swap(&order[1], &order[1 + (bits & 1)]);
    break;
  default:
    swap(&order[0], &order[bits & 1]);
    break;
  }
}

/* A random signed permutation of the axes. */
static void turn(planted_draft *draft) {
  uint32_t axes[3] = {0, 1, 2};
  const uint64_t bits = planted_bits(&draft->random);
  swap(&axes[0], &axes[bits % 3]);
  swap(&axes[1], &axes[1 + ((bits >> 8) & 1)]);
  for (int e = 0; e < 2; e++) {
    for (uint32_t i = 0; i < draft->points; i++) {
      double turned[3];
      for (uint32_t k = 0; k < 3; k++) {
        const bool mirrored = ((bits >> (16 + k)) & 1) != 0;
        turned[k] = mirrored ? -draft->place[e][i][axes[k]] : draft->place[e][i][axes[k]];
      }
      memcpy(draft->place[e][i], turned, sizeof turned);
    }
  }
}

void planted_finish(planted_draft *draft, planted_query *query) {
  if (!draft->decided)
    decide(draft);
  if (!draft->direct) {
    for (uint64_t i = planted_bits(&draft->random) % 5; !draft->rigid && i > 0; i--)
      shear(draft);
    if (draft->far || planted_once_in(&draft->random, 2))
      translate(draft);
    to_doubles(draft);
  }
  turn(draft);
  uint32_t order[PLANTED_POINTS];
  renumber(draft, order);

  query->kind = draft->kind;
  query->hit = draft->hit;
  query->time_known = draft->hit && draft->time_known;
  query->t_lo = query->time_known ? draft->t_lo : 0;
  query->t_hi = query->time_known ? draft->t_hi : 0;
  for (int i = 0; i < 3; i++)
    query->time[i] = draft->hit ? draft->time[i] : 0;
  write_points(draft, order, query);
}
