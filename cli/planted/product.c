/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries whose coplanarity cubic is a product of three linear functions with chosen rational roots.
 *
 * Why the truth is known. With C = u A + v B as in touch.c the cubic is f = det(A, B, C). Let l1, l2, l3 be linear
 * functions of time with integer values at the start and the end, r1, r2, r3 any others, u0 and v0 constants, and A =
 * (l2, 0, r1),  B = (r2, l3, r3),  C = u0 A + v0 B + (0, 0, l1). Then f = l1 l2 l3, and contact is possible at the
 * three roots only. At the root of l1 the contact is (u0, v0), inside or outside as chosen; at the others it depends on
 * r1, r2, r3 and is left to planted_touches. */

#include "planted/draft.h"

#include <string.h>

/* u0 and v0 are multiples of 1 / PARTS. */
enum { PARTS = 8 };

/* A linear function by its values at the start and the end. */
typedef struct line {
  int64_t at[2];
} line;

static line line_through(planted_time root, int64_t slope) {
  const line l = {{-slope * root.m, slope * (root.n - root.m)}};
  return l;
}

static line some_line(planted_random *random, int64_t size) {
  const line l = {{planted_between(random, -size, size), planted_between(random, -size, size)}};
  return l;
}

typedef struct factors {
  line l[3], r[3];
  int64_t u, v; /* in parts */
} factors;

/* Contact parameters in parts: inside, on the boundary, or a little outside. */
static int64_t some_parameter(planted_random *random) {
  switch (planted_bits(random) % 4) {
  case 0:
    return 0;
  case 1:
    return planted_between(random, -3, 9);
  default:
    return planted_between(random, 1, 3);
  }
}

static factors some_factors(planted_draft *draft) {
  planted_random *random = &draft->random;
  factors f;
  const int64_t size = INT64_C(1) << planted_between(random, 1, 14);
  for (int i = 0; i < 3; i++) {
    f.l[i] = line_through(draft->times[i], planted_nonzero(random, 3));
    f.r[i] = some_line(random, size);
    if (planted_once_in(random, 6))
      f.r[i] = line_through(draft->times[i], planted_nonzero(random, 3));
  }
  f.u = some_parameter(random);
  f.v = some_parameter(random);
  return f;
}

/* Writes the points; all lengths are multiplied by PARTS. */
static void build(planted_draft *draft, const factors *f) {
  const bool face = draft->kind == TOI_VERTEX_FACE;
  draft->time_count = 3;
  for (int e = 0; e < 2; e++) {
    int64_t(*p)[3] = e == 0 ? draft->start : draft->end;
    const int64_t a[3] = {f->l[1].at[e], 0, f->r[0].at[e]};
    const int64_t b[3] = {f->r[1].at[e], f->l[2].at[e], f->r[2].at[e]};
    for (int k = 0; k < 3; k++) {
      const int64_t c = f->u * a[k] + f->v * b[k] + (k == 2 ? f->l[0].at[e] : 0);
      if (face) {
        p[0][k] = c;
        p[1][k] = 0;
        p[2][k] = PARTS * a[k];
        p[3][k] = PARTS * b[k];
      } else {
        p[0][k] = 0;
        p[1][k] = PARTS * a[k];
        p[2][k] = c;
        p[3][k] = c - PARTS * b[k];
      }
    }
  }
}

static void product(planted_draft *draft) {
  const factors f = some_factors(draft);
  build(draft, &f);
}

static bool is_inner(planted_time time) {
  return time.m >= 0 && time.m <= time.n;
}

/* How many of the listed times in the step are times of contact, equal ones counted once. */
static uint32_t contacts(const planted_draft *draft) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < draft->time_count; i++) {
    bool again = false;
    for (uint32_t j = 0; j < i; j++)
      again = again || draft->times[i].m * draft->times[j].n == draft->times[j].m * draft->times[i].n;
    count += !again && is_inner(draft->times[i]) && planted_touches(draft, draft->times[i]);
  }
  return count;
}

void planted_roots(planted_draft *draft) {
  for (int i = 0; i < 3; i++)
    draft->times[i] = planted_some_time(&draft->random, 12);
  product(draft);
}

void planted_double_root(planted_draft *draft) {
  const planted_time twice = planted_some_time(&draft->random, 12);
  const planted_time once = planted_some_time(&draft->random, 12);
  const uint64_t odd = planted_bits(&draft->random) % 3;
  for (uint64_t i = 0; i < 3; i++)
    draft->times[i] = i == odd ? once : twice;
  product(draft);
}

void planted_triple_root(planted_draft *draft) {
  const planted_time time = planted_some_time(&draft->random, 12);
  for (int i = 0; i < 3; i++)
    draft->times[i] = time;
  product(draft);
}

/* A fraction m' / n' with |m n' - m' n| = 1 and 0 < n' < n, for m and n without a common divisor: the last convergent
 * of the continued fraction before m / n itself. */
static planted_time neighbour(planted_time time) {
  int64_t m = time.m, n = time.n;
  planted_time before = {0, 1}, now = {1, 0};
  while (n != 0) {
    const int64_t digit = m / n, rest = m % n;
    m = n;
    n = rest;
    if (n == 0)
      break;
    const planted_time next = {digit * now.m + before.m, digit * now.n + before.n};
    before = now;
    now = next;
  }
  return now;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Two roots closer than 2^-53; if a few draws find it, only the later one is a contact. */
void planted_close_roots(planted_draft *draft) {
  planted_random *random = &draft->random;
  planted_time chosen, close;
  do {
    chosen.n = planted_between(random, INT64_C(1) << 29, INT64_C(1) << 32);
    chosen.m = planted_between(random, 1, chosen.n - 1);
    const int64_t divisor = common_divisor(chosen.n, chosen.m);
    chosen.n /= divisor;
    chosen.m /= divisor;
    close = neighbour(chosen);
  } while (close.n < (INT64_C(1) << 25) || chosen.n < (INT64_C(1) << 29));

  // The difference of the cross products is 1 or -1, whatever they are modulo 2^64.
  const uint64_t difference = (uint64_t)chosen.m * (uint64_t)close.n - (uint64_t)close.m * (uint64_t)chosen.n;
  const planted_time early = difference == 1 ? close : chosen, late = difference == 1 ? chosen : close;
  for (int attempt = 0; attempt < 8; attempt++) {
    draft->times[0] = chosen;
    draft->times[1] = close;
    draft->times[2] = planted_once_in(random, 2) ? planted_some_time(random, 12) : close;
    product(draft);
    if (!planted_touches(draft, early) && planted_touches(draft, late))
      break;
  }
}

/* Contact at two different times at least, if a few draws find one. */
void planted_returning(planted_draft *draft) {
  for (int attempt = 0; attempt < 16; attempt++) {
    for (int i = 0; i < 3; i++)
      draft->times[i] = planted_inner_time(&draft->random, 8);
    product(draft);
    if (contacts(draft) >= 2)
      break;
  }
}

/* All roots outside the step, some of them by very little: the cubic has one sign. */
void planted_positive(planted_draft *draft) {
  for (int i = 0; i < 3; i++) {
    planted_time time = {-1, INT64_C(1) << planted_between(&draft->random, 0, 44)};
    if (planted_once_in(&draft->random, 2))
      time.m = time.n + 1;
    draft->times[i] = time;
  }
  product(draft);
}
