/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Variations on the three examples in the appendices of Wang 2021 on which earlier methods fail. */

#include "planted/draft.h"

static void set(int64_t out[3], int64_t x, int64_t y, int64_t z) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/* A level triangle sinks from height s to 0 while two of its corners change places, so that it collapses half-way; a
 * vertex rests. They are at the same height once, at the time (s - z) / s. */
void planted_hourglass(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int64_t s = INT64_C(1) << planted_between(random, 3, 30);
  const int64_t x = planted_between(random, -s / 8, s / 2), z = planted_between(random, 0, s);
  const int64_t y = planted_once_in(random, 2) ? x : planted_between(random, -s / 8, s / 2);
  set(draft->start[0], x, y, z);
  set(draft->end[0], x, y, z);
  set(draft->start[1], 0, 0, s);
  set(draft->end[1], 0, 0, 0);
  set(draft->start[2], s, 0, s);
  set(draft->end[2], 0, s, 0);
  set(draft->start[3], 0, s, s);
  set(draft->end[3], s, 0, 0);
  const planted_time level = {s - z, s};
  draft->times[0] = level;
  draft->time_count = 1;
}

/* --- inflection --- */

/* Lengths are in 32nds, times in 16ths. */
enum { PARTS = 32, TICKS = 16 };

static void inflection_points(planted_draft *draft, int64_t x, int64_t y) {
  set(draft->start[0], x, y, 0);
  set(draft->end[0], x, y, 0);
  set(draft->start[1], 0, 0, 5 * PARTS);
  set(draft->end[1], 0, 0, -PARTS);
  set(draft->start[2], 2 * PARTS, 0, 2 * PARTS);
  set(draft->end[2], 0, 0, -2 * PARTS);
  set(draft->start[3], 0, PARTS, 0);
  set(draft->end[3], 0, 7 * PARTS, 0);
}

/* Corner i at the time tick / TICKS, times TICKS. */
static void corner_at(const planted_draft *draft, int i, int64_t tick, int64_t out[3]) {
  for (int k = 0; k < 3; k++)
    out[k] = (TICKS - tick) * (draft->start[0][k] - draft->start[i][k]) + tick * (draft->end[0][k] - draft->end[i][k]);
}

/* The sign of the coplanarity cubic at the time tick / TICKS. */
static int coplanarity(const planted_draft *draft, int64_t tick) {
  int64_t p[3][3];
  for (int i = 0; i < 3; i++)
    corner_at(draft, i + 1, tick, p[i]);
  const int64_t f = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                    p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                    p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
  return (f > 0) - (f < 0);
}

/* Seen from above the triangle at time t has the corners (0, 0), (2 - 2t, 0), (0, 1 + 6t); a vertex at (x, y) with x, y
 * > 0 is inside where E(t) = (2 - 2t)(1 + 6t) - x (1 + 6t) - y (2 - 2t) >= 0. E is concave, so it is positive between
 * two times at which it is. Here E in units of 1 / (PARTS TICKS^2). */
static int64_t inside_at(int64_t x, int64_t y, int64_t tick) {
  const int64_t width = 2 * TICKS - 2 * tick, depth = TICKS + 6 * tick;
  return PARTS * width * depth - TICKS * (x * depth + y * width);
}

/* A hit for certain: between two ticks the vertex stays inside and the cubic changes sign. */
static bool surely_hits(const planted_draft *draft, int64_t x, int64_t y) {
  for (int64_t tick = 0; tick < TICKS; tick++)
    if (inside_at(x, y, tick) > 0 && inside_at(x, y, tick + 1) > 0 &&
        coplanarity(draft, tick) * coplanarity(draft, tick + 1) < 0)
      return true;
  return false;
}

/* A miss for certain: E has no real root and E(1) = -7 x < 0, so it is negative throughout.
 * -E = 12 t^2 - (10 - 6x + 2y) t + (x + 2y - 2); its discriminant times PARTS^2. */
static bool surely_misses(int64_t x, int64_t y) {
  const int64_t b = 10 * PARTS - 6 * x + 2 * y, c = x + 2 * y - 2 * PARTS;
  return b * b < 48 * PARTS * c;
}

/* The paper's vertex is (1, 1, 0). */
void planted_inflection(planted_draft *draft) {
  int64_t x, y;
  do {
    x = planted_between(&draft->random, 1, 2 * PARTS);
    y = planted_between(&draft->random, 1, 2 * PARTS);
    inflection_points(draft, x, y);
    draft->hit = surely_hits(draft, x, y);
  } while (!draft->hit && !surely_misses(x, y));
  draft->decided = true;
}

/* --- slide --- */

/* A triangle (or only its edge) glides in its own plane over a resting vertex: the edge from (0, y0) to (s, y0), the
 * third corner behind it. Its abscissae stay in [0, s], so a vertex outside is never met; one inside is met by the edge
 * first. */
void planted_slide(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int64_t s = INT64_C(1) << planted_between(random, 2, 50);
  const int64_t rest = planted_between(random, -s, s);
  const planted_time met = {planted_between(random, 0, s), s + planted_between(random, -1, 1)};
  const int64_t choices[] = {0, s, -1, s + 1, planted_between(random, 0, s), planted_between(random, 0, s)};
  const int64_t x = choices[planted_bits(random) % 6], y0 = rest + met.m, y1 = y0 - met.n;
  set(draft->start[0], x, rest, 0);
  set(draft->end[0], x, rest, 0);
  set(draft->start[1], 0, y0, 0);
  set(draft->end[1], 0, y1, 0);
  set(draft->start[2], s, y0, 0);
  set(draft->end[2], s, y1, 0);
  set(draft->start[3], s, y0 + s, 0);
  set(draft->end[3], s, y1 + s, 0);
  draft->times[0] = met;
  draft->time_count = 1;
}
