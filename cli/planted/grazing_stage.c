/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Closest points that pass the distance d, in both norms.
 *
 * Euclidean. N, W, U are orthogonal integer vectors of one integer length L, the rows of a rotation made from four
 * small integers. m = g N + o W has the length L sqrt(g^2 + o^2), and -o N + g W and U are perpendicular to it; N has a
 * positive product with it as long as g is positive. With L dividing d, everything is an integer: the limit of g is
 * d / L where o = 0.
 *
 * Maximum norm. The half-space { x : n.x >= n.m } with n >= 0 stays clear of the open cube of half width r as long as
 * n.m >= r |n|_1.
 *   straight   m = (g, g, g), or (g, g, z), or (g, y, z) with |y|, |z| <= g; n positive where m is g, else 0.
 *   kink       m = (g + o, g - o, z) with |z| <= g, and the half-spaces of both x and y: the distance is g + |o|.
 *   smooth     m = (g - c o, g + h o, 0), n = (h, c + o, 0) >= 0: n.m = g (h + c + o) + h o^2, so that the hull is at
 *              the distance g + h o^2 / (h + c + o), where (r, r, 0) is in it. That point is m + k (-(c + o), h, 0)
 *              with |k| = |o| (h + c) / (h + c + o) <= |o| (1 + c / h). */

#include "planted/stage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The slanting directions have lengths that divide this. */
#define LENGTHS 945

/* Sideways, so that 53 bits hold a few of them times a length. */
#define LARGEST_OFFSET (INT64_C(1) << 41)
#define LARGEST_SMOOTH_OFFSET (INT64_C(1) << 13)
#define LARGEST_SMOOTH_EXCESS (INT64_C(1) << 16)

enum { TIME_BITS = 12 };

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* From 1 to `most`, with every number of bits about equally often. */
static int64_t some_size(planted_random *random, int64_t most) {
  int bits = 0;
  while (bits < 62 && (most >> bits) > 0)
    bits++;
  return planted_between(random, 1, least(most, INT64_C(1) << planted_between(random, 0, bits)));
}

/* --- groups --- */

grazing_group grazing_group_make(toi_norm norm, uint64_t seed, uint64_t number) {
  planted_random random = planted_seed(seed, ~(uint64_t)norm, number);
  grazing_group group = {.norm = norm, .any_bits = planted_once_in(&random, 3)};
  if (group.any_bits) {
    const int64_t top = INT64_C(1) << planted_between(&random, 10, 45);
    group.units = top + (planted_between(&random, 0, top - 1) | 1);
  } else {
    group.units = LENGTHS * planted_between(&random, 1, 8) << planted_between(&random, 0, 30);
  }
  group.exponent = (int)planted_between(&random, -45, 5);
  if (planted_once_in(&random, 4))
    group.exponent = (int)planted_between(&random, -997, 950);
  group.separation = (double)group.units;
  for (int i = abs(group.exponent); i > 0; i--)
    group.separation *= group.exponent > 0 ? 2 : 0.5;
  return group;
}

/* --- heights, excesses, ways past --- */

void grazing_heights(planted_draft *draft, int64_t limit, grazing_motion motion, int64_t height[2]) {
  planted_random *random = &draft->random;
  const int64_t near = limit + planted_between(random, -1, 1), away = some_size(random, limit - 2);
  int bits = TIME_BITS;
  while (bits > 4 && (INT64_C(1) << bits) > limit / 2)
    bits--;
  planted_time time;
  int64_t step;
  switch (motion) {
  case GRAZING_ARRIVE:
    height[0] = near + away;
    height[1] = near;
    break;
  case GRAZING_LEAVE:
    height[0] = near;
    height[1] = near + away;
    break;
  case GRAZING_STEADY:
    height[0] = height[1] = near;
    break;
  default:
    time = planted_some_time(random, bits);
    step = some_size(random, (limit - 1) / (time.n + 1));
    height[0] = limit + time.m * step;
    height[1] = limit - (time.n - time.m) * step;
    break;
  }
  assert(height[0] > 0 && height[1] > 0);
  if (height[0] <= limit)
    grazing_hit(draft, 0, 1, 0, 0);
  else if (height[1] <= limit)
    grazing_hit(draft, height[0] - limit, height[0] - height[1], 0, 0);
  else
    grazing_miss(draft);
}

int64_t grazing_excess(planted_random *random, int64_t limit, grazing_motion motion) {
  if (motion == GRAZING_OBLIQUE) {
    // 3, 4, 5 makes the time rational.
    const bool square = limit % 5 == 0 && planted_once_in(random, 2);
    return square ? -2 * (limit / 5) : -planted_between(random, 1, limit - 1);
  }
  return planted_once_in(random, 2) ? 0 : planted_sign(random) * some_size(random, least(4, limit - 1));
}

planted_time grazing_passage(planted_random *random, int64_t most, bool within, int64_t offset[2]) {
  planted_time time = planted_some_time(random, TIME_BITS);
  if (within)
    time.m = time.m < 0 ? 0 : least(time.m, time.n);
  // One that passes within d mostly comes from outside.
  const int64_t largest = most / (time.n + 1) > 1 ? most / (time.n + 1) : 1;
  const int64_t step = within && !planted_once_in(random, 4) ? largest : some_size(random, largest);
  offset[0] = -time.m * step;
  offset[1] = (time.n - time.m) * step;
  return time;
}

/* --- the Euclidean norm --- */

/* Rows of a rotation times an integer, which is returned and divides LENGTHS; 1 where only the axes will do. */
static int64_t some_rotation(planted_random *random, bool axes, int64_t rows[3][3]) {
  int64_t a, b, c, d, length;
  do {
    const int64_t most = axes ? 0 : 4;
    a = planted_between(random, -most, most) + (axes ? 1 : 0);
    b = planted_between(random, -most, most);
    c = planted_between(random, -most, most);
    d = planted_between(random, -most, most);
    length = a * a + b * b + c * c + d * d;
  } while (length == 0 || LENGTHS % length != 0);
  const int64_t made[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                              {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
                              {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
  memcpy(rows, made, sizeof made);
  return length;
}

/* Past 0 at the distance L (limit + excess): within d while o^2 <= limit^2 - (limit + excess)^2. */
static void pass(planted_draft *draft, int64_t limit, int64_t excess, int64_t offset[2]) {
  const int64_t most = excess < 0 ? least(4 * limit, LARGEST_OFFSET) : LARGEST_OFFSET;
  const planted_time time = grazing_passage(&draft->random, most, excess < 0, offset);
  if (excess > 0 || time.m < 0 || time.m > time.n)
    grazing_miss(draft);
  else
    grazing_hit(draft, -offset[0], offset[1] - offset[0], -excess, 2 * limit + excess);
}

void grazing_stage_l2(planted_draft *draft, const grazing_group *group, grazing_motion motion, grazing_stage *stage) {
  int64_t rows[3][3], height[2], offset[2] = {0, 0};
  const int64_t length = some_rotation(&draft->random, group->any_bits, rows), limit = group->units / length;
  const bool passes = motion == GRAZING_TANGENT || motion == GRAZING_OBLIQUE;
  if (passes) {
    const int64_t excess = grazing_excess(&draft->random, limit, motion);
    height[0] = height[1] = limit + excess;
    pass(draft, limit, excess, offset);
  } else {
    grazing_heights(draft, limit, motion, height);
  }
  for (int k = 0; k < 3; k++) {
    for (int e = 0; e < 2; e++) {
      stage->at[e][k] = height[e] * rows[0][k] + offset[e] * rows[1][k];
      stage->turning[e][k] = passes ? height[e] * rows[1][k] - offset[e] * rows[0][k] : rows[1][k];
    }
    stage->out[k] = rows[0][k];
    stage->level[k] = rows[2][k];
  }
  stage->wide = false;
}

/* --- the maximum norm --- */

/* m on a face, an edge or a corner of the cube of half width `height`. */
static void stage_straight(planted_draft *draft, const int64_t height[2], grazing_stage *stage) {
  planted_random *random = &draft->random;
  const int axes = (int)planted_between(random, 1, 3);
  const int64_t p = planted_between(random, 1, 9), q = planted_between(random, 1, 9), r = planted_between(random, 1, 9);
  const int64_t turning[3][3] = {{0, p, q}, {-q, p, r - 5}, {-q, p, 0}};
  const int64_t level[3][3] = {{0, r - 5, p}, {0, 0, 1}, {-r, 0, p}};
  for (int k = 0; k < 3; k++) {
    for (int e = 0; e < 2; e++) {
      stage->at[e][k] = k < axes ? height[e] : planted_between(random, -height[e], height[e]);
      stage->turning[e][k] = turning[axes - 1][k];
    }
    stage->level[k] = level[axes - 1][k];
    stage->out[k] = planted_between(random, k < axes ? 0 : -5, 5);
  }
  stage->wide = false;
}

static void stage_kink(planted_draft *draft, int64_t limit, int64_t excess, grazing_stage *stage) {
  planted_random *random = &draft->random;
  const int64_t height = limit + excess;
  int64_t offset[2];
  const int64_t most = excess < 0 ? least(4 * limit, LARGEST_OFFSET) : LARGEST_OFFSET;
  const planted_time time = grazing_passage(random, most, excess < 0, offset);
  if (excess > 0 || time.m < 0 || time.m > time.n)
    grazing_miss(draft);
  else
    grazing_hit(draft, -offset[0] + excess, offset[1] - offset[0], 0, 0);
  for (int e = 0; e < 2; e++) {
    const int64_t at[3] = {height + offset[e], height - offset[e], planted_between(random, -height, height)};
    const int64_t along[3] = {0, 0, 1};
    memcpy(stage->at[e], at, sizeof at);
    memcpy(stage->turning[e], along, sizeof along);
    memcpy(stage->level, along, sizeof along);
  }
  for (int k = 0; k < 3; k++)
    stage->out[k] = planted_between(random, k < 2 ? 0 : -5, 5);
  stage->wide = false;
}

static void stage_smooth(planted_draft *draft, int64_t limit, int64_t excess, grazing_stage *stage) {
  planted_random *random = &draft->random;
  int64_t offset[2];
  const planted_time time = grazing_passage(random, LARGEST_SMOOTH_OFFSET, excess < 0, offset);
  const int64_t most = llabs(offset[0]) > llabs(offset[1]) ? llabs(offset[0]) : llabs(offset[1]);
  const int64_t h = planted_between(random, 1, 64);
  const int64_t c = (offset[0] < 0 ? -offset[0] : 0) + planted_between(random, 0, 64), reach = most * (2 + c / h);
  if (excess > 0 || time.m < 0 || time.m > time.n) {
    grazing_miss(draft);
  } else {
    // h o^2 + excess o + excess (h + c) <= 0 from the smaller root on.
    grazing_hit(draft, -excess - 2 * h * offset[0], 2 * h * (offset[1] - offset[0]), -excess,
                -excess + 4 * h * (h + c));
  }
  for (int e = 0; e < 2; e++) {
    const int64_t o = offset[e];
    const int64_t at[3] = {limit + excess - c * o, limit + excess + h * o, 0};
    const int64_t turning[3] = {-reach * (c + o), reach * h, 0};
    memcpy(stage->at[e], at, sizeof at);
    memcpy(stage->turning[e], turning, sizeof turning);
  }
  for (int k = 0; k < 3; k++) {
    stage->level[k] = k == 2;
    stage->out[k] = planted_between(random, k < 2 ? 0 : -5, 5);
  }
  stage->wide = true;
}

void grazing_stage_linf(planted_draft *draft, const grazing_group *group, grazing_motion motion, grazing_region region,
                        grazing_stage *stage) {
  if (motion != GRAZING_TANGENT && motion != GRAZING_OBLIQUE) {
    int64_t height[2];
    grazing_heights(draft, group->units, motion, height);
    stage_straight(draft, height, stage);
    return;
  }
  const bool turns = region == GRAZING_FACE || (region == GRAZING_EDGE && planted_once_in(&draft->random, 2));
  if (turns) {
    const int64_t most = least(group->units, LARGEST_SMOOTH_EXCESS);
    stage_smooth(draft, group->units, grazing_excess(&draft->random, most, motion), stage);
  } else {
    stage_kink(draft, group->units, grazing_excess(&draft->random, group->units, motion), stage);
  }
}
