/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Chebyshev series: each basis function is bounded by its range, and the sum by its centred form where that is tighter.
 *
 * Claim: whatever x in the domain is taken from the argument, the derivatives of the series there, give or take the
 * errors that it carries, lie in the result.
 *
 * Why. s is an increasing function of x, bounded by intervals at both ends, and lies in [-1, 1] as x is in the domain.
 *   Values: T_2k = 2 T_k^2 - 1 and T_2k+1 = 2 T_k T_k+1 - s, in interval arithmetic, cut to [-1, 1]. An error e of s
 *   grows to about n^2 e, as it must where s is near 1; the three-term recurrence would let it grow like 2.41^n.
 *   Ranges: T_n(cos a) = cos(n a) for a in [0, pi] is monotone between the angles i pi/n, where it is (-1)^i. So over
 *   s in [s0, s1] it is spanned by the values at the ends and by (-1)^i for the whole numbers i between
 *   n acos(s1)/pi and n acos(s0)/pi. These are rounded outward, so that no i is left out.
 *   Derivatives by s: if f = sum c_i T_i then f' = sum d_i T_i with d_i = d_i+2 + 2 (i + 1) c_i+1, d_0 halved, the
 *   coefficients being intervals from the second on. By x: times 2 / (to - from) each.
 *   Centred form: f(s) is in f(m) + f'(S)(S - m) for m in S, by the mean value theorem. */

#include "number/series.h"

#include "number/elementary.h"
#include "number/interval_branchless.h"

/* Value and three derivatives: each is centred by the next. */
#define ORDERS 4

struct toi_series {
  size_t references;
  size_t count;
  toi_interval domain;
  toi_interval slope;          /* ds/dx */
  double error[3];             /* of the value and its derivatives by x */
  toi_interval coefficients[]; /* ORDERS times count, those of the k-th derivative by s from k count on */
};

static size_t size_of(size_t count) {
  return sizeof(toi_series) + ORDERS * count * sizeof(toi_interval);
}

/* --- making --- */

static toi_status check(toi_context *context, const toi_series_input *in) {
  if (!(in->domain.lo < in->domain.hi) || !(fabs(in->domain.lo) <= DBL_MAX && fabs(in->domain.hi) <= DBL_MAX))
    return toi_fail(context, TOI_ERROR_INPUT, "the domain [%g, %g] of a series is not an interval of positive length",
                    in->domain.lo, in->domain.hi);
  if (in->coefficients == NULL || in->count == 0 || in->count > TOI_SERIES_MOST)
    return toi_fail(context, TOI_ERROR_INPUT, "a series has 1 to %d coefficients, %zu given", TOI_SERIES_MOST,
                    in->coefficients ? in->count : 0);
  for (size_t i = 0; i < in->count; i++)
    if (!(fabs(in->coefficients[i]) <= DBL_MAX))
      return toi_fail(context, TOI_ERROR_INPUT, "coefficient %zu of a series is %g, which is not finite", i,
                      in->coefficients[i]);
  for (int k = 0; in->error && k < 3; k++)
    if (!(in->error[k] >= 0 && in->error[k] <= DBL_MAX))
      return toi_fail(context, TOI_ERROR_INPUT, "error[%d] of a series is %g; it must be finite and not negative", k,
                      in->error[k]);
  return TOI_OK;
}

/* d of c, both of n coefficients, from the last one down. */
static void derive(const toi_interval *c, size_t n, toi_interval *d) {
  const toi_interval zero = {0, 0};
  for (size_t i = n; i-- > 0;) {
    toi_interval next = i + 1 < n ? toi_interval_mul(toi_interval_point(2 * (double)(i + 1)), c[i + 1]) : zero;
    d[i] = toi_interval_add(next, i + 2 < n ? d[i + 2] : zero);
  }
  d[0] = toi_interval_scale(d[0], -1);
}

toi_status toi_series_make(toi_context *context, const toi_series_input *input, toi_series **series) {
  *series = NULL;
  toi_status status = check(context, input);
  if (status != TOI_OK)
    return status;
  size_t n = input->count;
  toi_series *s = toi_allocate(context, size_of(n));
  if (s == NULL)
    return TOI_ERROR_MEMORY;
  toi_interval from = toi_interval_point(input->domain.lo), to = toi_interval_point(input->domain.hi);
  *s = (toi_series){.references = 1, .count = n, .domain = input->domain};
  s->slope = toi_interval_div(toi_interval_point(2), toi_interval_sub(to, from));
  for (int k = 0; k < 3; k++)
    s->error[k] = input->error ? input->error[k] : 0;
  for (size_t i = 0; i < n; i++)
    s->coefficients[i] = toi_interval_point(input->coefficients[i]);
  for (size_t k = 1; k < ORDERS; k++)
    derive(s->coefficients + (k - 1) * n, n, s->coefficients + k * n);
  *series = s;
  return TOI_OK;
}

void toi_series_share(toi_series *series) {
  series->references++;
}

toi_status toi_series_copy(toi_context *context, const toi_series *from, toi_series **series) {
  *series = toi_allocate(context, size_of(from->count));
  if (*series == NULL)
    return TOI_ERROR_MEMORY;
  memcpy(*series, from, size_of(from->count));
  (*series)->references = 1;
  return TOI_OK;
}

void toi_series_release(toi_context *context, toi_series *series) {
  assert(series->references > 0);
  if (--series->references == 0)
    toi_free(context, series, size_of(series->count));
}

/* --- the basis --- */

static const toi_interval all = {-1, 1};

static toi_interval cut(toi_interval a) {
  toi_interval common = all;
  toi_interval_intersect(a, all, &common);
  return common;
}

/* s at one x of the domain. */
static toi_interval place(const toi_series *series, double x) {
  toi_interval at = toi_interval_point(x), from = toi_interval_point(series->domain.lo),
               to = toi_interval_point(series->domain.hi);
  toi_interval length = toi_interval_sub(to, from);
  toi_interval twice = toi_interval_sub(toi_interval_sub(at, from), toi_interval_sub(to, at));
  return cut(toi_interval_div(twice, length));
}

/* T_0(s) ... of a narrow s. */
static void basis_at(toi_interval s, size_t count, toi_interval *t) {
  t[0] = toi_interval_point(1);
  if (count > 1)
    t[1] = s;
  for (size_t n = 2; n < count; n++) {
    size_t k = n / 2;
    toi_interval product = n % 2 ? toi_branchless_mul(t[k], t[k + 1]) : toi_branchless_square(t[k]);
    t[n] = cut(toi_branchless_sub(toi_branchless_add(product, product), n % 2 ? s : t[0]));
  }
}

/* acos(s) / pi for s in [-1, 1]: the angle of (s, sqrt(1 - s^2)). */
static toi_interval turn(toi_interval s) {
  toi_interval one = {1, 1}, half = toi_interval_mul(toi_interval_sub(one, s), toi_interval_add(one, s));
  half.lo = half.lo < 0 ? 0 : half.lo;
  toi_interval angle = toi_interval_div(toi_interval_atan2(toi_interval_sqrt(half), s, NULL), toi_interval_pi());
  return (toi_interval){angle.lo > 0 ? angle.lo : 0, angle.hi < 1 ? angle.hi : 1};
}

/* Widens the values at the low and the high end, in `lo` and `hi`, to ranges in `lo`. */
static void basis_over(toi_interval s_lo, toi_interval s_hi, size_t count, toi_interval *lo, const toi_interval *hi) {
  double first = turn(s_hi).lo, last = turn(s_lo).hi;
  for (size_t n = 1; n < count; n++) {
    toi_interval range = toi_interval_hull(lo[n], hi[n]);
    double i = ceil(toi_product_down((double)n, first)), j = floor(toi_product_up((double)n, last));
    bool even = (int64_t)i % 2 == 0;
    if (i < j)
      range = all;
    else if (i == j)
      range = even ? (toi_interval){range.lo, 1} : (toi_interval){-1, range.hi};
    lo[n] = range;
  }
}

/* --- sums --- */

static toi_interval sum(const toi_interval *c, const toi_interval *t, size_t count) {
  toi_interval total = c[0];
  for (size_t i = 1; i < count; i++)
    total = toi_branchless_add(total, toi_branchless_mul(c[i], t[i]));
  return total;
}

/* Derivatives by s up to the order, over S = the hull of s_lo and s_hi. */
static void bounds_by_s(const toi_series *series, toi_interval x, unsigned order, toi_interval *jet) {
  toi_interval over[TOI_SERIES_MOST], at[TOI_SERIES_MOST];
  size_t n = series->count;
  toi_interval s_lo = place(series, x.lo), s_hi = place(series, x.hi);
  basis_at(s_lo, n, over);
  basis_at(s_hi, n, at);
  if (x.lo < x.hi)
    basis_over(s_lo, s_hi, n, over, at);
  toi_interval sums[ORDERS] = {{0, 0}};
  for (unsigned k = 0; k <= order + 1; k++)
    sums[k] = sum(series->coefficients + k * n, over, n);

  // The centred form about a point near the middle.
  toi_interval s = toi_interval_hull(s_lo, s_hi), middle = toi_interval_point(toi_interval_midpoint(s));
  toi_interval away = toi_interval_sub(s, middle);
  basis_at(middle, n, at);
  for (unsigned k = 0; k <= order; k++) {
    toi_interval centre = sum(series->coefficients + k * n, at, n);
    toi_interval centred = toi_interval_add(centre, toi_interval_mul(sums[k + 1], away));
    jet[k] = sums[k];
    toi_interval_intersect(sums[k], centred, &jet[k]);
  }
}

bool toi_series_bounds(const toi_series *series, toi_interval x, unsigned order, toi_interval *jet) {
  assert(order <= 2);
  toi_interval inside;
  if (!toi_interval_intersect(x, series->domain, &inside)) {
    for (unsigned k = 0; k <= order; k++)
      jet[k] = toi_interval_whole();
    return false;
  }
  bounds_by_s(series, inside, order, jet);
  toi_interval factor = {1, 1};
  for (unsigned k = 0; k <= order; k++) {
    double e = series->error[k];
    jet[k] = toi_interval_add(toi_interval_mul(factor, jet[k]), (toi_interval){-e, e});
    factor = toi_interval_mul(factor, series->slope);
  }
  return toi_interval_encloses(series->domain, x);
}

/* --- expansions --- */

/* Beyond the domain by no more than this part of its length, where |T_n| <= exp(n sqrt(2^-39)) < 1.01 for n <= 1024. */
#define BEYOND 0x1p-42
#define BASIS_BEYOND 1.01

toi_series_parts toi_series_parts_of(const toi_series *series) {
  return (toi_series_parts){series->domain, series->slope, series->coefficients, series->count, series->error[0]};
}

static double sum_of_magnitudes(const toi_interval *c, size_t count) {
  double total = 0;
  for (size_t i = 0; i < count; i++)
    total = toi_sum_up(total, toi_interval_magnitude(c[i]));
  return total;
}

bool toi_series_expand(const toi_series *series, double point, toi_interval x, unsigned order, toi_interval *at,
                       toi_interval *next) {
  toi_interval basis[TOI_SERIES_MOST], c[TOI_SERIES_MOST], factor = {1, 1};
  const size_t n = series->count;
  const double beyond = BEYOND * (series->domain.hi - series->domain.lo);
  if (!(x.lo >= series->domain.lo - beyond && x.hi <= series->domain.hi + beyond) ||
      !toi_interval_contains(series->domain, point))
    return false;
  basis_at(place(series, point), n, basis);
  memcpy(c, series->coefficients, n * sizeof *c);
  for (unsigned k = 0; k <= order + 1; k++) {
    // f^(k) by s, times slope^k / k!.
    if (k <= order) {
      at[k] = toi_interval_mul(factor, sum(c, basis, n));
    } else {
      const double most = toi_product_up(sum_of_magnitudes(c, n), BASIS_BEYOND);
      *next = toi_interval_mul(factor, (toi_interval){-most, most});
    }
    toi_interval derived[TOI_SERIES_MOST];
    derive(c, n, derived);
    memcpy(c, derived, n * sizeof *c);
    factor = toi_interval_div(toi_interval_mul(factor, series->slope), toi_interval_point(k + 1));
  }
  at[0] = toi_interval_add(at[0], (toi_interval){-series->error[0], series->error[0]});
  return true;
}
