/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Angles and tangents. Let u = 2^-53; roundings are counted as in elementary.c.
 *
 * Claim 1 (angle): for 2^-900 <= x <= 2^900 and 2^-30 <= y/x <= 1, the angle a of (x, y), with t as computed: |a - (hi
 *   + lo)| <= u |t| (3.6 t^2 + 2^-49) if y/x < 1/16, else u |t| 3.7 + 2^-103, and |t| < 1/127 then. The code takes 4,
 *   2^-40 and 4, 2^-100, which covers the roundings of the bound itself and of lo -+ it.
 * Why: let q = y/x, rounded. If q < 1/16, t = q, and with p = q x, y - p is exact (Sterbenz), and y - q x, a double, is
 *   that less the product's error, known within 4 u^2 y. So y/x = t + e within 7 u^2 |t|, with e = (y - q x)/x, |e| <=
 *   u |t|. Else let c = i/64 be next to q: the angle less atan c is that with the tangent (y - c x)/(x + c y). g, the
 *   first 26 bits of x, times c, of 6 bits, is exact, and so is y - c g (Sterbenz: c >= 1/16, and y/x is within 1/128 +
 *   4u of c), and c (x - g) as well; their difference rounds. x + c y rounds, c y <= (x + c y)/2 does before, and so
 *   does the quotient t: (1 + 1.5 + 1) u |t|. |t| <= (1/128 + 4u)/(1 + 1/512). atan t = t + t z P(z), z = t^2, P = -1/3
 *   + z/5 - ... - z^6/15, z < 2^-8; left out: |t| z^8/17 < 0.01 u |t| z. |P| <= 1/3, off by less than 1.01 u: 1/3 for
 *   its coefficient, 1/3 for each of two sums, 6 z/5 for the rest. z, z P and its product with t round: u |t| z (0.01 +
 *   1.01 + 1). If q < 1/16: atan(t + e) - atan t = e - e z + ..., e in its place is off by u |t| z; the sum with e
 *   rounds on |t| z/3 + u |t|: together u |t| (3.4 z + 2^-50); the sum with t leaves lo <= u |t|, so that lo -+ the
 *   error rounds below u^2 |t|. Else z < 2^-13.9: 2.03 u |t| z < 0.001 u |t|; atan c + t in two parts is exact; what is
 *   left of it and of atan c, below u and 2^-54, and the series round in two sums, and lo -+ the error once more, on
 *   |t| z/3 + 1.5 u each: 0.001 u |t| + 2^-103.7. Nothing underflows: what is exact is a multiple of 2^-900 2^-30
 *   2^-104. Larger or smaller x are scaled, with y, by a power of two, which is exact as y/x >= 2^-30. If q < 2^-30,
 *   y/x (1 - 2^-61) < a <= y/x: one double below y/x rounded down is below a. Also a = q within 1.1 u q + 2^-1074 <
 *   2^-82.
 *
 * Claim 2 (turned): for a right angle B = pi/2 or pi, B -+ a is off by 2^-72 more. Why: B = Bhi + Blo + 2^-106, Bhi -+
 *   hi in two parts is exact, what is left is below 4u, |Blo| < 2u and |lo| < 2^-22 (t z P with z < 2^-13.9, or what a
 *   sum left): two sums and lo -+ the error round on less than 2^-21.9 each, below 2^-73.3 together.
 *
 * Claim 3 (boxes): away from the origin and the negative x axis the angle is monotone along each axis where the other
 *   coordinate keeps its sign, so over a box its ends are at corners. Infinite ends stand for limits; a corner never
 *   has two of them.
 *
 * Claim 4 (tangent): with sine S + s and cosine C + c within es and ec, |s| <= u |S|, |c| <= u |C|, ec < 2^-20 |C|, and
 *   t = S/C rounded, |tan x - (hi + lo)| <= (es + |t| ec)/|C| (1 + 2^-19) + 2^-49 u |t|. The code takes 1.001 and
 *   2^-47.
 * Why: the quotient of the sums is t + (S - t C + s - t c)/(C + c), the numerator at most 3 u |S|. S - t C, a double,
 *   is known within 4 u^2 |S| (as y - q x above), t c rounds by u^2 |S|, the difference from s by 2 u^2 |S|, the sum by
 *   3 u^2 |S|, the quotient by 3 u^2 |t|, and C in place of C + c is off by 3 u^2 |t|: together 16 u^2 |t|. es and ec
 *   change the quotient by (es + |t| ec)/(|C + c| - ec). Below 2^-27, where S = x, C = 1 and t = x, nothing rounds, and
 *   es holds the smallest double. tan 0 = 0 is exact.
 * Claim 5 (poles): the tangent rises between its poles, where the cosine is 0. Two numbers less than pi apart with
 *   cosines of the same sign have no pole between them: there would be two, pi apart. */

#include "number/elementary.h"

#include "number/elementary_constants.h"
#include "number/value.h"

/* Ratios below are their own angles, nearly. */
#define TINY 0x1p-30

/* --- the angle of (x, y), 0 <= y <= x --- */

/* t z P(z). */
static inline double odd_terms(double t, double z) {
  const double *a = toi_atan_terms;
  double zz = z * z;
  return t * (z * ((a[0] + z * a[1]) + zz * ((a[2] + z * a[3]) + zz * ((a[4] + z * a[5]) + zz * a[6]))));
}

/* Claim 1, of the quotient q = y/x, rounded. */
static inline value angle_of(double y, double x, double q) {
  value v;
  if (q < 0x1p-4) {
    double p = q * x, e = ((y - p) - value_product_error(q, x, p)) / x, z = q * q;
    v.hi = value_sum_ordered(q, odd_terms(q, z) + e, &v.lo);
    v.error = q * (4 * 0x1p-53 * z + 0x1p-93);
    return v;
  }
  int i = (int)(q * 64 + 0.5);
  double c = i * 0x1p-6, g = value_front(x), left;
  double t = ((y - c * g) - c * (x - g)) / (x + c * y);
  toi_two_parts base = toi_atan_table[i];
  v.hi = value_sum_ordered(base.hi, t, &left);
  v.lo = (left + base.lo) + odd_terms(t, t * t);
  v.error = 4 * 0x1p-53 * fabs(t) + 0x1p-100;
  return v;
}

/* Claim 2: B + sign a, B in right angles; for B = 0 that is a, exactly. */
static inline value turned(value a, int right_angles, double sign) {
  toi_two_parts base = toi_right_angles[right_angles];
  double left;
  value v;
  v.hi = value_sum_ordered(base.hi, sign * a.hi, &left);
  v.lo = (left + base.lo) + sign * a.lo;
  v.error = a.error + (right_angles != 0) * 0x1p-72;
  return v;
}

/* --- any angle --- */

/* The angle of (x, y), not both of them 0, not both infinite; pi for y = 0 and x < 0. Which of the octants it lies in
 * is seldom known to a branch. */
static inline toi_interval angle(double y, double x) {
  double height = fabs(y), width = fabs(x);
  bool steep = height > width, left = x < 0;
  double small = height < width ? height : width, large = height > width ? height : width, q = small / large;
  int right_angles = steep ? 1 : 2 * left;
  if (q < TINY && right_angles == 0) {
    double lo = toi_quotient_down(small, large);
    toi_interval tiny = {lo > 0 ? toi_next_down(lo) : 0, toi_quotient_up(small, large)};
    return y < 0 ? toi_interval_neg(tiny) : tiny;
  }
  value a = {q, 0, 0x1p-82};
  if (q >= TINY) {
    double factor = large > 0x1p900 ? 0x1p-200 : large < 0x1p-900 ? 0x1p200 : 1;
    a = angle_of(small * factor, large * factor, q);
  }
  a = turned(a, right_angles, 2 * (steep == left) - 1);
  double side = 1 - 2 * (y < 0);
  return value_bounds((value){side * a.hi, side * a.lo, a.error});
}

/* --- intervals --- */

toi_interval toi_interval_atan(toi_interval x) {
  assert(toi_interval_is_valid(x));
  if (!(x.lo <= x.hi))
    return toi_interval_whole();
  toi_interval lo = angle(x.lo, 1);
  return x.lo == x.hi ? lo : (toi_interval){lo.lo, angle(x.hi, 1).hi};
}

/* The box is above the x axis, or on it and not at the origin. */
static toi_interval angles_above(toi_interval y, toi_interval x) {
  return (toi_interval){angle(x.hi > 0 ? y.lo : y.hi, x.hi).lo, angle(x.lo < 0 ? y.lo : y.hi, x.lo).hi};
}

toi_interval toi_interval_atan2(toi_interval y, toi_interval x, bool *defined) {
  assert(toi_interval_is_valid(x) && toi_interval_is_valid(y));
  bool valid = x.lo <= x.hi && y.lo <= y.hi;
  bool origin = x.lo <= 0 && x.hi >= 0 && y.lo <= 0 && y.hi >= 0;
  if (defined != NULL)
    *defined = valid && !origin;
  toi_interval pi = toi_interval_pi(), all = {-pi.hi, pi.hi};
  if (!valid || origin)
    return all;
  if (y.lo >= 0)
    return angles_above(y, x);
  if (y.hi < 0)
    return toi_interval_neg(angles_above(toi_interval_neg(y), x));
  // Across the x axis, or touching it from below.
  if (x.lo > 0)
    return (toi_interval){angle(y.lo, x.lo).lo, angle(y.hi, x.lo).hi};
  return all;
}

/* --- the tangent --- */

/* Claim 4. */
static inline value quotient(value s, value c) {
  double t = s.hi / c.hi, p = t * c.hi;
  double left = (((s.hi - p) - value_product_error(t, c.hi, p)) + (s.lo - t * c.lo)) / c.hi;
  value v;
  v.hi = value_sum_ordered(t, left, &v.lo);
  v.error = 1.001 * ((s.error + fabs(t) * c.error) / fabs(c.hi)) + fabs(t) * 0x1p-100;
  return v;
}

/* The tangent, and the sign of the cosine. False: not known. */
static inline bool tan_at(double x, toi_interval *tangent, bool *right) {
  value sine, cosine;
  if (!toi_sin_cos_values(x, &sine, &cosine) || !(fabs(cosine.hi) > 0x1p20 * cosine.error))
    return false;
  *tangent = value_bounds(quotient(sine, cosine));
  *right = cosine.hi > 0;
  return true;
}

toi_interval toi_interval_tan(toi_interval x, bool *defined) {
  assert(toi_interval_is_valid(x));
  toi_interval lo = toi_interval_whole(), hi;
  bool right_lo, right_hi;
  bool known = x.lo <= x.hi && tan_at(x.lo, &lo, &right_lo);
  hi = lo;
  if (known && x.lo != x.hi)
    known = toi_interval_width(x) <= toi_interval_pi().lo && tan_at(x.hi, &hi, &right_hi) && right_lo == right_hi;
  if (defined != NULL)
    *defined = known;
  return known ? (toi_interval){lo.lo, hi.hi} : toi_interval_whole();
}
