/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Twofold numbers: a value as the unevaluated sum hi + lo of two doubles, in lanes.
 *
 * Claim, with u = 2^-53 and every argument normalised (|lo| <= u |hi|), away from underflow:
 * - twofold_add is off by at most 3 u^2 (|a| + |b|) (1 + 4u). The sum of the low parts rounds once on u (|a| + |b|),
 *   and its sum with the error of the high parts once on 2 u (|a| + |b|); the rest is exact.
 * - twofold_mul is off by at most 8 u^2 |a b| (1 + 8u). The two mixed products round (1 + 1), their sum rounds (2), the
 *   sum with the product's own error rounds (3), and lo * lo is left out (1).
 * Both return normalised numbers. */

#ifndef TOI_NUMBER_TWOFOLD_H
#define TOI_NUMBER_TWOFOLD_H

#include "number/lanes.h"

typedef struct twofold {
  real hi, lo;
} twofold;

TOI_INLINE twofold twofold_add(twofold a, twofold b) {
  real e;
  real s = sum_exact(a.hi, b.hi, &e);
  real low = e + (a.lo + b.lo);
  twofold sum;
  // The high parts may cancel, so the order of s and low is not known.
  sum.hi = sum_exact(s, low, &sum.lo);
  return sum;
}

TOI_INLINE twofold twofold_negate(twofold a) {
  return (twofold){-a.hi, -a.lo};
}

TOI_INLINE twofold twofold_sub(twofold a, twofold b) {
  return twofold_add(a, twofold_negate(b));
}

TOI_INLINE twofold twofold_mul(twofold a, twofold b) {
  real p = a.hi * b.hi;
  real low = product_error(a.hi, b.hi, p) + (a.hi * b.lo + a.lo * b.hi);
  twofold product;
  // |low| <= 3 u |p|: the order is known, three operations suffice.
  product.hi = p + low;
  product.lo = low - (product.hi - p);
  return product;
}

/* Zero where |a| < limit. */
TOI_INLINE twofold twofold_flush(twofold a, double limit) {
  mask tiny = less(magnitude(a.hi), every(limit));
  return (twofold){choose(tiny, every(0), a.hi), choose(tiny, every(0), a.lo)};
}

/* Factors of which counts as 0 what is smaller: then products are exact where twofold_mul says so, and the same bits
 * come from fused instructions and from Dekker's splitting. */
#define TWOFOLD_LEAST 0x1p-480

TOI_INLINE twofold twofold_product(twofold a, twofold b) {
  return twofold_mul(twofold_flush(a, TWOFOLD_LEAST), twofold_flush(b, TWOFOLD_LEAST));
}

TOI_INLINE twofold twofold_of(real a) {
  return (twofold){a, every(0)};
}

/* a - b, exactly. */
TOI_INLINE twofold twofold_difference(real a, real b) {
  twofold d;
  d.hi = difference_exact(a, b, &d.lo);
  return d;
}

#endif
