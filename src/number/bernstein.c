/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Arithmetic of polynomials in Bernstein form, with forward error bounds: claim, bound, why.
 *
 * Claim: each function returns coefficients and an error E' that bounds how far any of them is from the exact one.
 * Notation: u = 2^-53; n is the degree, at most 15; M the largest |b_i|, E the error of the argument. Every step below
 * takes averages with exact weights, or differences, of exact coefficients, so inherited errors are those of the
 * averages; to them come roundings, each u of what is rounded, and 2^-1075 where a product or quotient underflows.
 *
 * Bound: E' = (E + k u M) SLACK + TINY, where k counts the roundings that a coefficient passes, each on a value of at
 * most M; k is at most 48.
 * - SLACK = 1 + 2^-40 covers terms of higher order, (1 + u)^48 - 1 < 48 u (1 + 2^-47), by which computed values may
 *   exceed M as well, and the at most 5 roundings of the bound itself.
 * - TINY = 2^-1068 covers underflow: two products or quotients a level in at most 15 levels, 2^-1075 each, averaged
 *   further on, and the bound's own few.
 *
 * Why, by operation:
 * - HALVE: each of n levels replaces neighbours a, b by (a + b) / 2: one rounding, as halving is exact or underflows.
 *   k = n.
 * - MIX: each of n levels replaces them by (1 - t) a + t b: 1 - t, the product, the sum are rounded. k = 3 n. Split,
 *   part and value are all this: coefficient j of the part on [s, e] comes from n levels, n - j of them with t = s and
 *   j with t = e (the blossom of f).
 * - DERIVATIVE: n (b_(i+1) - b_i) inherits 2 n E; two roundings, M being the largest computed result.
 * - ELEVATE: (i b_(i-1) + (n + 1 - i) b_i) / (n + 1): product, sum, quotient. k = 3.
 * - SUM: inherits both errors; k = 1, M the largest computed result.
 * - PRODUCT: coefficient k is the average of f_i g_j, i + j = k, with weights C(n, i) C(m, j) / C(n + m, k), whose
 *   numerators and denominators are exact. Inherits E_f M_g + M_f E_g + E_f E_g; rounded are the product, its
 *   weighting, min(n, m) sums and the quotient: k = min(n, m) + 3 on values of at most M_f M_g.
 *
 * Coefficients are kept below LARGEST, so that no sum or product with a weight overflows. */

#include "number/bernstein.h"

#include "number/interval.h"

#define SLACK (1 + 0x1p-40)
#define TINY 0x1p-1068
#define LARGEST 0x1p1000
#define COUNT (TOI_BERNSTEIN_DEGREE + 1)

#define ROUNDINGS_MIX 3.0
#define ROUNDINGS_HALVE 1.0
#define ROUNDINGS_DERIVATIVE 2.0
#define ROUNDINGS_ELEVATE 3.0
#define ROUNDINGS_SUM 1.0
#define ROUNDINGS_PRODUCT 3.0

static double bound(double inherited, double roundings, double size) {
  return (inherited + roundings * TOI_UNIT * size) * SLACK + TINY;
}

static double size_of(const toi_bernstein *f) {
  double size = 0;
  for (int i = 0; i <= f->degree; i++)
    size = fabs(f->b[i]) > size ? fabs(f->b[i]) : size;
  return size;
}

/* The polynomial that stands for all, where a coefficient or the error is NaN or too large. */
static void settle(toi_bernstein *f) {
  bool right = f->error <= LARGEST;
  for (int i = 0; i <= f->degree; i++)
    right = right && fabs(f->b[i]) <= LARGEST;
  if (right)
    return;
  f->error = INFINITY;
  for (int i = 0; i <= f->degree; i++)
    f->b[i] = 0;
}

/* C(n, k), exactly: every partial product is a binomial coefficient times k!/i!, and small. */
static double binomial(int n, int k) {
  double c = 1;
  for (int i = 1; i <= k; i++)
    c = c * (n - k + i) / i;
  return c;
}

/* One level of interpolation: count + 1 values become count. */
static void mix(double *row, int count, double t) {
  double rest = 1 - t;
  for (int i = 0; i < count; i++)
    row[i] = rest * row[i] + t * row[i + 1];
}

/* --- making them --- */

toi_bernstein toi_bernstein_make(int degree, const double *b, double error) {
  assert(0 <= degree && degree <= TOI_BERNSTEIN_DEGREE);
  toi_bernstein f = {.degree = degree, .error = error};
  memcpy(f.b, b, sizeof *b * (size_t)(degree + 1));
  settle(&f);
  assert(toi_bernstein_is_valid(&f));
  return f;
}

toi_bernstein toi_bernstein_from_intervals(int degree, const toi_interval *b) {
  assert(0 <= degree && degree <= TOI_BERNSTEIN_DEGREE);
  toi_bernstein f = {.degree = degree};
  for (int i = 0; i <= degree; i++) {
    f.b[i] = toi_interval_midpoint(b[i]);
    double above = toi_sum_up(b[i].hi, -f.b[i]), below = toi_sum_up(f.b[i], -b[i].lo);
    double far = above > below ? above : below;
    f.error = far > f.error ? far : f.error;
  }
  settle(&f);
  assert(toi_bernstein_is_valid(&f));
  return f;
}

/* With x = lo + w t: first powers of x - lo, then of t, then b_k = sum over j of C(k, j) / C(n, j) a_j. In intervals,
 * so that what is exact stays exact. */
toi_bernstein toi_bernstein_from_power(int degree, const toi_interval *a, double lo, double hi) {
  assert(0 <= degree && degree <= TOI_BERNSTEIN_DEGREE);
  toi_interval c[COUNT], b[COUNT], shift = toi_interval_point(lo), width = toi_interval_point(hi), scale = {1, 1};
  width = toi_interval_sub(width, shift);
  memcpy(c, a, sizeof *a * (size_t)(degree + 1));
  for (int i = 0; i < degree && lo != 0; i++)
    for (int j = degree - 1; j >= i; j--)
      c[j] = toi_interval_add(c[j], toi_interval_mul(shift, c[j + 1]));
  for (int j = 1; j <= degree; j++) {
    scale = toi_interval_mul(scale, width);
    c[j] = toi_interval_mul(c[j], scale);
  }
  for (int k = 0; k <= degree; k++) {
    b[k] = c[0];
    for (int j = 1; j <= k; j++) {
      toi_interval over = toi_interval_point(binomial(degree, j)), weight = toi_interval_point(binomial(k, j));
      b[k] = toi_interval_add(b[k], toi_interval_div(toi_interval_mul(weight, c[j]), over));
    }
  }
  return toi_bernstein_from_intervals(degree, b);
}

/* --- looking at them --- */

toi_interval toi_bernstein_range(const toi_bernstein *f) {
  assert(toi_bernstein_is_valid(f));
  double least = f->b[0], most = f->b[0];
  for (int i = 1; i <= f->degree; i++) {
    least = f->b[i] < least ? f->b[i] : least;
    most = f->b[i] > most ? f->b[i] : most;
  }
  return (toi_interval){toi_sum_down(least, -f->error), toi_sum_up(most, f->error)};
}

int toi_bernstein_sign(const toi_bernstein *f) {
  assert(toi_bernstein_is_valid(f));
  bool plus = true, minus = true;
  for (int i = 0; i <= f->degree; i++) {
    plus &= f->b[i] > f->error;
    minus &= f->b[i] < -f->error;
  }
  return plus - minus;
}

/* The derivative's coefficients are n times the differences, each off by 2 E at most. Rounding is monotone and 2 E a
 * double: if the rounded difference exceeds 2 E, so does the exact one. */
int toi_bernstein_slope(const toi_bernstein *f) {
  assert(toi_bernstein_is_valid(f));
  bool rises = f->degree > 0, falls = f->degree > 0;
  for (int i = 0; i < f->degree; i++) {
    double difference = f->b[i + 1] - f->b[i];
    rises &= difference > 2 * f->error;
    falls &= difference < -2 * f->error;
  }
  return rises - falls;
}

toi_interval toi_bernstein_at(const toi_bernstein *f, double t) {
  assert(toi_bernstein_is_valid(f) && 0 <= t && t <= 1);
  if (t == 0 || t == 1)
    return toi_interval_around(f->b[t == 0 ? 0 : f->degree], f->error);
  double row[COUNT];
  memcpy(row, f->b, sizeof row);
  for (int count = f->degree; count > 0; count--)
    mix(row, count, t);
  return toi_interval_around(row[0], bound(f->error, ROUNDINGS_MIX * f->degree, size_of(f)));
}

/* --- parts --- */

/* Both parts from the rows of de Casteljau's scheme: their first and their last values. The parts may be f itself, so
 * everything is read first. */
void toi_bernstein_split(const toi_bernstein *f, double t, toi_bernstein *left, toi_bernstein *right) {
  assert(toi_bernstein_is_valid(f) && 0 <= t && t <= 1);
  double row[COUNT], error = bound(f->error, ROUNDINGS_MIX * f->degree, size_of(f));
  int n = f->degree;
  memcpy(row, f->b, sizeof row);
  left->degree = right->degree = n;
  left->error = right->error = error;
  for (int level = 0; level <= n; level++) {
    left->b[level] = row[0];
    right->b[n - level] = row[n - level];
    mix(row, n - level, t);
  }
}

void toi_bernstein_halve(const toi_bernstein *f, toi_bernstein *left, toi_bernstein *right) {
  assert(toi_bernstein_is_valid(f));
  double row[COUNT], error = bound(f->error, ROUNDINGS_HALVE * f->degree, size_of(f));
  int n = f->degree;
  memcpy(row, f->b, sizeof row);
  left->degree = right->degree = n;
  left->error = right->error = error;
  for (int level = 0; level <= n; level++) {
    left->b[level] = row[0];
    right->b[n - level] = row[n - level];
    for (int i = 0; i < n - level; i++)
      row[i] = 0.5 * (row[i] + row[i + 1]);
  }
}

toi_bernstein toi_bernstein_part(const toi_bernstein *f, double s, double e) {
  assert(toi_bernstein_is_valid(f) && 0 <= s && s <= e && e <= 1);
  toi_bernstein part = {.degree = f->degree, .error = bound(f->error, ROUNDINGS_MIX * f->degree, size_of(f))};
  double from_s[COUNT], row[COUNT];
  memcpy(from_s, f->b, sizeof from_s);
  // from_s has passed degree - j levels with s; j levels with e are left.
  for (int j = f->degree; j >= 0; j--) {
    memcpy(row, from_s, sizeof row);
    for (int count = j; count > 0; count--)
      mix(row, count, e);
    part.b[j] = row[0];
    mix(from_s, j, s);
  }
  return part;
}

/* --- arithmetic --- */

toi_bernstein toi_bernstein_derivative(const toi_bernstein *f) {
  assert(toi_bernstein_is_valid(f));
  int n = f->degree;
  toi_bernstein d = {.degree = n > 0 ? n - 1 : 0};
  for (int i = 0; i < n; i++)
    d.b[i] = n * (f->b[i + 1] - f->b[i]);
  // A constant is known to be one, whatever its value.
  if (n > 0)
    d.error = bound(2 * n * f->error, ROUNDINGS_DERIVATIVE, size_of(&d));
  settle(&d);
  return d;
}

toi_bernstein toi_bernstein_negate(const toi_bernstein *f) {
  toi_bernstein g = *f;
  for (int i = 0; i <= g.degree; i++)
    g.b[i] = -g.b[i];
  return g;
}

toi_bernstein toi_bernstein_elevate(const toi_bernstein *f) {
  assert(toi_bernstein_is_valid(f) && f->degree < TOI_BERNSTEIN_DEGREE);
  int n = f->degree + 1;
  toi_bernstein g = {.degree = n, .error = bound(f->error, ROUNDINGS_ELEVATE, size_of(f))};
  g.b[0] = f->b[0];
  g.b[n] = f->b[n - 1];
  for (int i = 1; i < n; i++)
    g.b[i] = (i * f->b[i - 1] + (n - i) * f->b[i]) / n;
  return g;
}

toi_bernstein toi_bernstein_sum(const toi_bernstein *f, const toi_bernstein *g) {
  assert(toi_bernstein_is_valid(f) && toi_bernstein_is_valid(g));
  toi_bernstein x = *f, y = *g;
  while (x.degree < y.degree)
    x = toi_bernstein_elevate(&x);
  while (y.degree < x.degree)
    y = toi_bernstein_elevate(&y);
  for (int i = 0; i <= x.degree; i++)
    x.b[i] += y.b[i];
  x.error = bound(x.error + y.error, ROUNDINGS_SUM, size_of(&x));
  settle(&x);
  return x;
}

toi_bernstein toi_bernstein_product(const toi_bernstein *f, const toi_bernstein *g) {
  int n = f->degree, m = g->degree;
  assert(toi_bernstein_is_valid(f) && toi_bernstein_is_valid(g) && n + m <= TOI_BERNSTEIN_DEGREE);
  toi_bernstein h = {.degree = n + m};
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++)
      h.b[i + j] += binomial(n, i) * binomial(m, j) * (f->b[i] * g->b[j]);
  for (int k = 0; k <= n + m; k++)
    h.b[k] /= binomial(n + m, k);
  double size_f = size_of(f), size_g = size_of(g);
  double inherited = f->error * size_g + (size_f + f->error) * g->error;
  h.error = bound(inherited, ROUNDINGS_PRODUCT + (n < m ? n : m), size_f * size_g);
  settle(&h);
  return h;
}
