/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries that strain the range and the precision of doubles.
 *
 * mixed_magnitude: the first points of both primitives coincide at the end, bit for bit; on the first axis everything
 * else of the first primitive stays strictly below everything of the second, so this is the only contact. one_ulp: the
 * same, then one coordinate of the meeting point moves by one ulp such that nothing touches. tiny_time: the primitives
 * are level and keep their shape; the second rises by h from height 0, the first rests at height s (or sinks from s to
 * 0), so they are level at s / h (or s / (s + h)), and touch then or never. scaled, extreme, offset: other classes,
 * with powers of two on each axis or far from the origin. */

#include "planted/draft.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* --- one axis separates until the end --- */

/* A double of either sign, up to 2^12 times smaller than 2^exponent. */
static double some_double(planted_random *random, int exponent) {
  const int64_t mantissa = planted_between(random, -(INT64_C(1) << 53) + 1, (INT64_C(1) << 53) - 1);
  return ldexp((double)mantissa, exponent - 53 - (int)planted_between(random, 0, 12));
}

/* A double strictly below (sign -1) or above (sign 1) a border. */
static double beyond(planted_random *random, double border, int sign, int exponent) {
  const double distance = fabs(some_double(random, exponent));
  const double there = sign > 0 ? border + distance : border - distance;
  return (sign > 0 ? there > border : there < border) ? there : nextafter(border, sign > 0 ? HUGE_VAL : -HUGE_VAL);
}

void planted_mixed_magnitude(planted_draft *draft) {
  planted_random *random = &draft->random;
  const int exponent = (int)planted_between(random, -20, 20);
  double meeting[3];
  for (int k = 0; k < 3; k++)
    meeting[k] = some_double(random, exponent);
  const double border = some_double(random, exponent);
  for (uint32_t i = 0; i < draft->points; i++) {
    const bool meets = i == 0 || i == draft->first;
    const int side = i < draft->first ? -1 : 1;
    for (int k = 0; k < 3; k++) {
      draft->place[0][i][k] = some_double(random, exponent);
      draft->place[1][i][k] = meets ? meeting[k] : some_double(random, exponent);
    }
    draft->place[0][i][0] = beyond(random, border, side, exponent);
    draft->place[1][i][0] = meets ? meeting[0] : beyond(random, meeting[0], side, exponent);
  }
  draft->direct = true;
  planted_set_hit(draft, 1);
}

/* Away on the separating axis: that axis separates strictly. On another axis, if the meeting points are the only ones
 * at the border: then theirs is the only corner that is 0 on the first axis, and it is not 0. */
void planted_one_ulp(planted_draft *draft) {
  planted_mixed_magnitude(draft);
  const int k = (int)(planted_bits(&draft->random) % 4);
  if (k == 3)
    return;
  const double towards = k == 0 || planted_once_in(&draft->random, 2) ? -HUGE_VAL : HUGE_VAL;
  draft->place[1][0][k] = nextafter(draft->place[1][0][k], towards);
  draft->hit = draft->time_known = false;
}

/* --- tiny times --- */

/* The tightest doubles around (a / b) 2^-e: exact scaling while the result is normal, division at the finest grain
 * below. */
static void scaled_bracket(int64_t a, int64_t b, int e, double *lo, double *hi) {
  const planted_time time = {a, b};
  planted_bracket(time, lo, hi);
  if (ldexp(*lo, -e) >= DBL_MIN) {
    *lo = ldexp(*lo, -e);
    *hi = ldexp(*hi, -e);
    return;
  }
  const int shift = 1074 - e;
  uint64_t quotient = 0;
  bool exact = false;
  if (shift >= 0) {
    assert((uint64_t)a <= UINT64_MAX >> shift);
    quotient = ((uint64_t)a << shift) / (uint64_t)b;
    exact = ((uint64_t)a << shift) % (uint64_t)b == 0;
  }
  *lo = ldexp((double)quotient, -1074);
  *hi = exact ? *lo : ldexp((double)(quotient + 1), -1074);
}

/* Both primitives in the plane, touching or not: small numbers, so that either is frequent. */
static void lay_flat(planted_draft *draft) {
  for (uint32_t i = 0; i < draft->points; i++)
    for (int k = 0; k < 2; k++)
      draft->end[i][k] = draft->start[i][k] = planted_between(&draft->random, -2, 2);
}

void planted_tiny_time(planted_draft *draft) {
  planted_random *random = &draft->random;
  lay_flat(draft);
  const planted_time level = {0, 1};
  draft->hit = draft->time_known = planted_touches(draft, level);
  draft->decided = draft->direct = true;

  // The time is (a / b) 2^-(p + q), or less by a part in 2^(p + q).
  const int64_t b = planted_between(random, 1, 999);
  const int64_t a = planted_between(random, 1, b);
  const int p = (int)planted_between(random, 900, 1074), q = (int)planted_between(random, 60, 300);
  const double s = ldexp((double)a, -p), h = ldexp((double)b, q);
  const bool sinks = planted_once_in(random, 2);
  draft->time[0] = s;
  draft->time[1] = h;
  draft->time[2] = sinks ? s : 0;
  scaled_bracket(a, b, p + q, &draft->t_lo, &draft->t_hi);
  if (sinks && draft->t_lo == draft->t_hi)
    draft->t_lo = nextafter(draft->t_lo, 0);

  const double drift = (double)planted_between(random, -3, 3);
  const int unit = (int)planted_between(random, -40, 40);
  for (uint32_t i = 0; i < draft->points; i++) {
    for (int k = 0; k < 2; k++) {
      draft->place[0][i][k] = ldexp((double)draft->start[i][k], unit);
      draft->place[1][i][k] = ldexp((double)draft->start[i][k] + drift, unit);
    }
    draft->place[0][i][2] = i < draft->first ? s : 0;
    draft->place[1][i][2] = i < draft->first ? (sinks ? 0 : s) : h;
  }
}

/* --- other classes, elsewhere --- */

static void make_any(planted_draft *draft) {
  static const planted_maker pointed[] = {planted_inside,    planted_corner, planted_collinear,
                                          planted_near_time, planted_at_end, planted_at_rest};
  static const planted_maker longer[] = {planted_edge,      planted_outside,       planted_coplanar, planted_parallel,
                                         planted_collapsed, planted_near_boundary, planted_riding};
  static const planted_maker solid[] = {planted_roots, planted_double_root, planted_triple_root, planted_close_roots,
                                        planted_positive};
  const bool points = draft->kind == TOI_VERTEX_VERTEX;
  const bool volume = draft->kind == TOI_VERTEX_FACE || draft->kind == TOI_EDGE_EDGE;
  const uint64_t bits = planted_bits(&draft->random);
  if (volume && bits % 2 == 0)
    solid[(bits >> 8) % 5](draft);
  else if (!points && bits % 4 < 2)
    longer[(bits >> 8) % 7](draft);
  else
    pointed[(bits >> 8) % 6](draft);
}

static void set_units(planted_draft *draft, int lo, int hi) {
  const bool same = planted_once_in(&draft->random, 3);
  for (int k = 0; k < 3; k++)
    draft->unit[k] = same && k > 0 ? draft->unit[0] : (int)planted_between(&draft->random, lo, hi);
}

/* Coordinates from 2^-500 to 2^300. */
void planted_scaled(planted_draft *draft) {
  make_any(draft);
  set_units(draft, -500, 247);
}

/* Everything that is finite, down to the smallest double. */
void planted_extreme(planted_draft *draft) {
  make_any(draft);
  set_units(draft, -1074, 970);
}

void planted_offset(planted_draft *draft) {
  make_any(draft);
  draft->far = true;
}
