/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Sines and cosines: the angle is reduced to within pi/4 of a multiple of pi/2, and Taylor's series does the rest. Let
 * u = 2^-53; |x| <= 2^20.
 *
 * Claim 1 (reduction): with k the integer nearest to x 2/pi as computed, r = x - k pi/2, and h, l as computed:
 *     |r| < 0.7854,  |r - (h + l)| <= 2^-103 |h| + 2^-135,  |l| <= 2.1 u |h| + 2^-83;  all exact, and l = 0, if k = 0.
 * Why:
 * - pi/2 = P1 + P2 + P3 + P4 + 2^-159.8, where P1, P2, P3 have 33 bits, multiples of 2^-32, 2^-66 and 2^-97, and
 *   |P2| < 2^-33.9, |P3| < 2^-68.7, |P4| < 2^-103.2.
 * - The quotient is off by less than 2u 2^20, so that |r| <= pi/2 (1/2 + 2^-32), and |k| < 2^19.4: the products k P1,
 *   k P2, k P3 have 53 bits at most and are exact.
 * - x - k P1: if k is not 0, |x| > 1/2 is a multiple of 2^-53, and so is the difference, which is below 1: exact.
 * - h1 + l1 = (x - k P1) - k P2 and h + l2 = h1 - k P3, exactly, |l1| <= u |h1|, |l2| <= u |h|, and
 *   |h1| <= |h| (1 + u) + 2^-49.
 * - l = (l1 + l2) - k P4: two sums round on at most 2u |h| + 2^-102 + 2^-83.8, the product on 2^-83.8, and
 *   |k| 2^-159.8 is left out: 2 u (2u |h| (1 + 4u)) + 2^-135.
 *
 * Claim 2 (series): with z = h^2,
 *     |sin r - (hi + lo)| <= u |h| (1.1 z + 0.04) + 2^-133,  |cos r - (hi + lo)| <= u (0.45 z^2 + 2^-20).
 * The code takes 1.2, 0.05, 2^-132 and 0.5, 2^-19, which covers the roundings of the bound itself and of lo -+ it.
 * Why, for the sine: sin h = h + h z Q(z), Q(z) = -1/3! + z/5! - ... + z^7/17!.
 * - What is left out alternates and is below |h| z^9/19! < 0.001 u |h| z. |Q| <= 1/6.
 * - As computed Q is off by less than 0.37 u: 1/6 for the last sum, 1/6 for the coefficient, and 6 z/5! < 0.031 for
 *   what comes before (two sums, two products, a coefficient, z, the rest).
 * - c = h (z Q) rounds twice, and z before: |h| z (0.37 + 3/6) u.
 * - sin(h + l) = sin h + l cos h - ..., and l (1 - z/2) in place of l cos h is off by |l| z^2/24 < 0.034 u |h|, its
 *   roundings and l^2 by less than 0.001 u |h| + 2^-134.9.
 * - The sum of c and l (1 - z/2) rounds on |h| z/6 + |l|: together u |h| (1.04 z + 0.036) + 2^-134.
 * - The sum with h is exact, as hi + lo. The reduction's error adds 2^-103 |h| + 2^-135.
 * For the cosine: cos h = 1 - z/2 + z^2 R(z), R(z) = 1/4! - z/6! + ... + z^6/16!.
 * - Left out: z^9/18! < 0.05 u z^2. |R| <= 1/24, off by less than 0.09 u as above; d = (z z) R by z^2 (0.09 + 4/24) u.
 * - The square is taken in two parts: g, the first 26 bits of h, has an exact square, and
 *   h^2 - g^2 = (h - g)(h + g) < 2^-24 z rounds twice.
 * - With w = 1 - g^2/2, rounded, (1 - w) - g^2/2 is its error, exactly (w > 1/2: Sterbenz; and the error of a sum is a
 *   double).
 * - Three more sums round on at most z^2/24 + 2^-24 each, and l (h + c) in place of l sin h is off by terms of l^2 and
 *   u l: together u z^2 (0.05 + 0.26 + 0.125) + 2^-21 u.
 * Nothing underflows: |h| >= 2^-27 if k = 0, as smaller angles are taken apart. Then x - |x|^3/6 <= sin x <= x for
 * x >= 0, |x|^3/6 < 2^-56 |x|, and 1 - 2^-55 <= cos x <= 1. If k is not 0 and h were tiny, what is lost by underflow
 * lies below 2^-1000.
 *
 * Claim 3 (intervals): sin is monotone between odd multiples of pi/2, and so its range over an interval without one is
 * spanned by the ends. Whether m pi/2 >= x is known from k and the sign of r, and this from h if |h| > 2^-75. Where it
 * is not known the multiple is counted in, at both ends. */

#include "number/trigonometry.h"

#include "number/trigonometry_constants.h"
#include "number/value.h"

/* --- reduction --- */

/* Adding it leaves no bits behind the point. */
#define INTEGERS 0x1.8p52

/* Angles below are taken apart. */
#define TINY 0x1p-27

typedef struct angle {
  double h, l;
  int32_t k;
} angle;

static inline angle reduce(double x) {
  const double *p = toi_pi_halves;
  double k = (x * toi_two_over_pi + INTEGERS) - INTEGERS;
  double l1, l2;
  double h1 = value_sum(x - k * p[0], -(k * p[1]), &l1);
  double h = value_sum(h1, -(k * p[2]), &l2);
  return (angle){h, (l1 + l2) - k * p[3], (int32_t)k};
}

/* --- series --- */

/* Sine and cosine. */
typedef struct values {
  value of[2];
} values;

static inline values of_tiny(double x) {
  if (x == 0)
    return (values){{{0, 0, 0}, {1, 0, 0}}};
  return (values){{{x, 0, fabs(x) * 0x1p-56 + 0x1p-1074}, {1, 0, 0x1p-55}}};
}

static inline values of_reduced(double h, double l) {
  double z = h * h, zz = z * z;
  // c = sin h - h and d = cos h - 1 + z/2.
  const double *a = toi_sine_terms, *b = toi_cosine_terms;
  double even = a[1] + zz * (a[3] + zz * (a[5] + zz * a[7]));
  double odd = a[2] + zz * (a[4] + zz * a[6]);
  double c = h * (z * (a[0] + z * (even + z * odd)));
  even = b[1] + zz * (b[3] + zz * b[5]);
  odd = b[2] + zz * (b[4] + zz * b[6]);
  double d = zz * (b[0] + z * (even + z * odd));

  value sine, cosine;
  sine.hi = value_sum(h, c + l * (1 - 0.5 * z), &sine.lo);
  sine.error = fabs(h) * (1.2 * 0x1p-53 * z + 0.05 * 0x1p-53) + 0x1p-132;

  double g = value_front(h);
  double square = 0.5 * (g * g), rest = 0.5 * ((h - g) * (h + g));
  double w = 1 - square;
  cosine.hi = value_sum(w, ((1 - w) - square) + ((d - l * (h + c)) - rest), &cosine.lo);
  cosine.error = 0.5 * 0x1p-53 * zz + 0x1p-72;
  return (values){{sine, cosine}};
}

static inline values of_angle(angle a) {
  return a.k == 0 && fabs(a.h) < TINY ? of_tiny(a.h) : of_reduced(a.h, a.l);
}

/* sin(k pi/2 + r). Angles come in no order that a branch could learn. */
static inline value turned(const values *v, int32_t k) {
  value a = v->of[k & 1];
  double sign = 1 - (k & 2);
  return (value){sign * a.hi, sign * a.lo, a.error};
}

/* --- intervals --- */

static const toi_interval all = {-1, 1};

static inline toi_interval enclosure(value a) {
  toi_interval b = value_bounds(a);
  return (toi_interval){b.lo < -1 ? -1 : b.lo, b.hi > 1 ? 1 : b.hi};
}

/* Whether first..last has a number that is m modulo 4. */
static inline bool holds(int32_t first, int32_t last, int32_t m) {
  return first + ((m - first) & 3) <= last;
}

/* The sign of r; 0: not known. */
static inline int side(angle a) {
  if (fabs(a.h) <= 0x1p-75 && a.k != 0)
    return 0;
  return (a.h > 0) - (a.h < 0);
}

/* An argument: its ends, and the multiples of pi/2 that may lie in it. */
typedef struct arc {
  angle lo, hi;
  int32_t first, last;
} arc;

static inline bool is_usable(toi_interval x) {
  return x.lo >= -TOI_ANGLE_MOST && x.hi <= TOI_ANGLE_MOST && x.lo <= x.hi;
}

static inline arc arc_of(toi_interval x) {
  arc a = {reduce(x.lo), reduce(x.hi), 0, 0};
  a.first = a.lo.k + (side(a.lo) > 0);
  a.last = a.hi.k - (side(a.hi) < 0);
  return a;
}

/* sin(x + shift pi/2) over the arc, from the values at its ends. */
static inline toi_interval range(const arc *a, const values ends[2], int32_t shift) {
  toi_interval lo = enclosure(turned(&ends[0], a->lo.k + shift));
  toi_interval hi = enclosure(turned(&ends[1], a->hi.k + shift));
  toi_interval both = toi_interval_hull(lo, hi);
  both.hi = holds(a->first + shift, a->last + shift, 1) ? 1 : both.hi;
  both.lo = holds(a->first + shift, a->last + shift, 3) ? -1 : both.lo;
  assert(toi_interval_is_valid(both) && toi_interval_encloses(all, both));
  return both;
}

static inline toi_interval wave(toi_interval x, int32_t shift) {
  if (!is_usable(x))
    return all;
  arc a = arc_of(x);
  if (a.last - a.first >= 3)
    return all;
  values ends[2] = {of_angle(a.lo)};
  ends[1] = x.lo == x.hi ? ends[0] : of_angle(a.hi);
  return range(&a, ends, shift);
}

toi_interval toi_interval_sin(toi_interval x) {
  return wave(x, 0);
}

toi_interval toi_interval_cos(toi_interval x) {
  return wave(x, 1);
}

void toi_interval_sin_cos(toi_interval x, toi_interval *sine, toi_interval *cosine) {
  *sine = *cosine = all;
  if (!is_usable(x))
    return;
  arc a = arc_of(x);
  if (a.last - a.first >= 3)
    return;
  values ends[2] = {of_angle(a.lo)};
  ends[1] = x.lo == x.hi ? ends[0] : of_angle(a.hi);
  *sine = range(&a, ends, 0);
  *cosine = range(&a, ends, 1);
}

/* --- doubles --- */

bool toi_sin_cos_values(double x, value *sine, value *cosine) {
  if (!(fabs(x) <= TOI_ANGLE_MOST))
    return false;
  angle a = reduce(x);
  values v = of_angle(a);
  *sine = turned(&v, a.k);
  *cosine = turned(&v, a.k + 1);
  return true;
}

toi_sine_cosine toi_sin_cos(double x) {
  value sine, cosine;
  if (!toi_sin_cos_values(x, &sine, &cosine))
    return (toi_sine_cosine){0, 0, 1, 1};
  return (toi_sine_cosine){sine.hi, cosine.hi, toi_sum_up(fabs(sine.lo), sine.error),
                           toi_sum_up(fabs(cosine.lo), cosine.error)};
}
