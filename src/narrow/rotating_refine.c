/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A root of the coplanarity, narrowed by one step of Newton's with an accurate value.
 *
 * Claim: the bracket holds the root. Why: let f be the coplanarity on the piece, z the zone, which holds the root r and
 * the time t = root->at. By the mean value theorem r = t - f(t) / s for a slope s of f in z. The computed slope, at a
 * point of z, is off by at most 11 errors of values (rotating_forms_body.h), and within z the slope changes by at most
 * |f''| (width of z), where |f''| <= 5 * 4 * 4 size = 80 size. So |s - slope| <= delta = 12 error + 100 size (width of
 * z), with room for rounding. Of a fitted table this is the slope of the polynomial; that of f is off by `bend` more.
 * Let v be the given value, off by e, and t1 = t - v / slope, computed. Then
 *
 *   |r - t1| <= |v| delta / (|slope| (|slope| - delta)) + e / (|slope| - delta) + rounding,
 *
 * where the rounding is at most 3 u |v / slope| of the quotient and u |t1| of the difference; twice that is taken. */

#include <math.h>

#include "narrow/rotating.h"
#include "number/vector.h"

bool toi_turn_bracket(const toi_turn_root *root, double value, double error, double bracket[2]) {
  const double u = 0x1p-53, slope = fabs(root->slope);
  const double delta = 12 * root->error + 100 * root->size * root->width + root->bend;
  // A slope that is known to an eighth of itself is of use: what it is off by is in the radius.
  if (!(slope > 1.125 * delta) || !(fabs(value) < slope))
    return false;
  const double step = value / root->slope, t = root->at - step;
  const double radius = (fabs(step) * (delta / (slope - delta)) + error / (slope - delta)) * (1 + 0x1p-40) +
                        6 * u * fabs(step) + 2 * u * fabs(t);
  bracket[0] = toi_larger(t - radius, root->zone[0]);
  bracket[1] = toi_smaller(t + radius, root->zone[1]);
  return true;
}

bool toi_turn_narrow(const toi_turn_root *root, double value, double error, double width, double bracket[2]) {
  return toi_turn_bracket(root, value, error, bracket) && bracket[0] > 0 && bracket[0] < bracket[1] &&
         bracket[1] - bracket[0] <= width;
}
