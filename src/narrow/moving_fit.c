/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tables of a pair of bodies one of which turns at a constant rate: fitted piece by piece.
 *
 * On a piece [from, to] of length h, R, T and S (moving_pair.h) are interpolated by polynomials of degree 5 at the six
 * Chebyshev nodes. W is a polynomial of degree 4 at most, and exact.
 *
 * Claim: with u = 2^-53, n^2 = `square` and X = `far` of the pair, the polynomials stored are off by at most
 *
 *   |f^(6)| h^6 / (2^11 6!) + 512 u n^2 (of T and S: 512 u X n^2),
 *
 * and their derivatives, times h, by at most 432 times the first and 50 times the second.
 * Why:
 * - interpolation: motion/fit.c, with six nodes and half the length h / 2: |f^(6)| (h / 2)^6 / 6! 2^-5, and for the
 *   derivative |f^(6)| (h / 2)^5 / 5! 2^-5 36, which is 36 6 2 = 432 times as much when multiplied by h. Derivatives of
 *   polynomials of degree 5 on [0, 1] are at most 2 5^2 = 50 times as large as they are (Markov);
 * - what a node's values are off by, in u, as in moving_table.c: a and b by 8 of |a| and |b| (slerp.h; under nlerp 3),
 * x by one difference, three roundings and 16 of the screws' own: 24 of X. q: 5 + 16; p, of X n / 2: 16 + 2 (8 + 8 +
 * 24) = 96; R: 2 * 2 * 21 + 6; S and T: 2 * 2 * 96 / 2 is of products of lengths, which hold sums of four terms twice:
 * as lengths 8 + 8 + 8 + 8 + 24 + 49 = 105 is enough, since S = M_B' [x] M_A and T are off by what their factors are.
 * The node itself is rounded by 2 u, times the first derivative, (2 pi + 4) n^2 or X n^2 at most: 21. In all less than
 * 130, and interpolation makes 2.11 times as much of it: 275;
 * - coefficients: half sums and half differences of values, products and sums: 5 roundings of at most 6.9 + 26.5 times
 *   the largest value: 167 u. Together 442.
 * The sixth derivatives come from bounds of all derivatives of the factors by Leibniz's rule: with m_k, n_k, x_k bounds
 * of those of M, N, x of order k. At a constant rate of 2 phi: m_k = |q|^2 (2 phi)^k, n_0 = |q|^2, as R turns about one
 * axis. Under nlerp, q being linear: |q|^2, 2 |q| |q'|, 2 |q'|^2 of both. x: X, |x'|, and of a screw, on a circle of
 * radius |across| / (2 sin phi), by (2 phi)^k of it, at most pi / 2 (2 phi)^(k-1) |across|; its first derivative is off
 * by that and |across|. */

#include "narrow/moving_law.h"

#include <math.h>
#include <string.h>

#include "number/trigonometry.h"
#include "number/vector.h"

#define FLOOR (512 * 0x1p-53)
#define ROUNDED_UP (1 + 0x1p-40)

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS, NODES = 6, ORDERS = 7 };

/* --- sixth derivatives --- */

/* Bounds of the derivatives of order 0 to 6. */
typedef struct growth {
  double of[ORDERS];
} growth;

static growth product(const growth *a, const growth *b) {
  static const double binomial[ORDERS][ORDERS] = {
      {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1}};
  growth out = {{0}};
  for (int k = 0; k < ORDERS; k++)
    for (int i = 0; i <= k; i++)
      out.of[k] += binomial[k][i] * a->of[i] * b->of[k - i] * ROUNDED_UP;
  return out;
}

static double length(const double *v, int count) {
  double square = 0;
  for (int i = 0; i < count; i++)
    square += v[i] * v[i];
  return sqrt(square) * ROUNDED_UP;
}

/* Of a body's M and N. */
static void growth_of_body(const toi_turn_ends *ends, int body, growth *m, growth *n) {
  const double(*q)[4] = ends->quaternion[body];
  const double start = length(q[0], 4), end = length(q[1], 4);
  *m = *n = (growth){{0}};
  if (!ends->steady[body]) {
    double way[4];
    for (int i = 0; i < 4; i++)
      way[i] = q[1][i] - q[0][i];
    const double most = toi_larger(start, end), rate = length(way, 4);
    m->of[0] = most * most;
    m->of[1] = 2 * most * rate;
    m->of[2] = 2 * rate * rate;
    *n = *m;
    return;
  }
  const double rate = 2 * ends->slerp[body].angle[0] * ROUNDED_UP;
  m->of[0] = n->of[0] = start * start * ROUNDED_UP;
  for (int k = 1; k < ORDERS; k++)
    m->of[k] = m->of[k - 1] * rate * ROUNDED_UP;
}

static growth growth_of_positions(const toi_moving_pair *pair) {
  const toi_turn_ends *ends = &pair->ends;
  double way[3];
  for (int i = 0; i < 3; i++)
    way[i] = ends->x_hi[1][i] - ends->x_hi[0][i];
  growth x = {{pair->far, length(way, 3)}};
  for (int body = 0; body < 2; body++) {
    const double rate = 2 * ends->slerp[body].angle[0] * ROUNDED_UP, off = length(ends->slerp[body].across[0], 3);
    double turned = 1.5708 * off;
    x.of[1] += off;
    for (int k = 1; k < ORDERS && off > 0; k++) {
      x.of[k] += turned;
      turned *= rate * ROUNDED_UP;
    }
  }
  return x;
}

void toi_turn_growth(toi_moving_pair *pair) {
  growth m[2], n[2];
  for (int body = 0; body < 2; body++)
    growth_of_body(&pair->ends, body, &m[body], &n[body]);
  const growth x = growth_of_positions(pair), r = product(&m[0], &m[1]), s = product(&r, &x);
  const growth nm = product(&n[0], &m[1]), t = product(&nm, &x);
  pair->sixth[0] = r.of[6];
  pair->sixth[1] = toi_larger(s.of[6], t.of[6]);
}

double toi_turn_remainder(const toi_moving_pair *pair, double h) {
  const double factor = ((h * h) * (h * h)) * (h * h) / (2048.0 * 720) * ROUNDED_UP;
  const double lengths = pair->square * pair->far;
  return factor * toi_larger(pair->sixth[0] / pair->square, lengths > 0 ? pair->sixth[1] / lengths : 0) * ROUNDED_UP;
}

/* --- a node --- */

/* Everything that is interpolated: R, T, S. */
enum { ENTRIES = 21 };

static void multiply(const double a[4], const double b[4], bool conjugate, double out[4]) {
  const double s = conjugate ? -1 : 1, x = s * a[1], y = s * a[2], z = s * a[3], w = a[0];
  out[0] = (w * b[0] - x * b[1]) - (y * b[2] + z * b[3]);
  out[1] = (w * b[1] + x * b[0]) + (y * b[3] - z * b[2]);
  out[2] = (w * b[2] + y * b[0]) + (z * b[1] - x * b[3]);
  out[3] = (w * b[3] + z * b[0]) + (x * b[2] - y * b[1]);
}

void toi_turn_pose_at(const toi_turn_ends *ends, int body, double t, double q[4], double off[3]) {
  const double(*end)[4] = ends->quaternion[body];
  if (ends->steady[body]) {
    toi_slerp_at(&ends->slerp[body], end[0], t, q, off);
    return;
  }
  for (int i = 0; i < 4; i++)
    q[i] = (1 - t) * end[0][i] + t * end[1][i];
  off[0] = off[1] = off[2] = 0;
}

static void values_at(const toi_turn_ends *ends, double t, double out[ENTRIES]) {
  double a[4], b[4], off[2][3], x[4] = {0}, q[4], xa[4], p[4];
  toi_turn_pose_at(ends, 0, t, a, off[0]);
  toi_turn_pose_at(ends, 1, t, b, off[1]);
  for (int i = 0; i < 3; i++)
    x[i + 1] = ((1 - t) * ends->x_hi[0][i] + t * ends->x_hi[1][i]) + (off[0][i] - off[1][i]);
  multiply(b, a, true, q);
  multiply(x, a, false, xa);
  multiply(b, xa, true, p);
  double *r = out, *tt = out + 9, *s = out + 12;
  for (int i = 0; i < 4; i++)
    p[i] *= 0.5;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3, y = j + 1, z = k + 1, m = i + 1;
    r[4 * i] = (q[0] * q[0] + q[m] * q[m]) - (q[y] * q[y] + q[z] * q[z]);
    r[3 * i + j] = 2 * (q[m] * q[y] - q[0] * q[z]);
    r[3 * j + i] = 2 * (q[m] * q[y] + q[0] * q[z]);
    tt[i] = 2 * ((q[0] * p[m] - q[m] * p[0]) - (q[z] * p[y] - q[y] * p[z]));
    s[4 * i] = 2 * ((q[0] * p[0] + q[m] * p[m]) - (q[y] * p[y] + q[z] * p[z]));
    s[3 * i + j] = 2 * ((q[m] * p[y] + q[y] * p[m]) - (q[0] * p[z] + q[z] * p[0]));
    s[3 * j + i] = 2 * ((q[m] * p[y] + q[y] * p[m]) + (q[0] * p[z] + q[z] * p[0]));
  }
}

/* --- a piece --- */

/* Bernstein coefficients from values at (1 - cos((2k + 1) pi / 12)) / 2, in two halves: what is even about the middle,
 * of half sums of values, and what is odd, of half differences. */
static const double nodes[NODES] = {0x1.1722b8b740eb4p-6, 0x1.2bec333018867p-3, 0x1.7b7c11f367cb8p-2,
                                    0x1.4241f7064c1a4p-1, 0x1.b504f333f9de6p-1, 0x1.f746ea3a45f8ap-1};
static const double even[3][3] = {{0x1.3e77e4d72c439p+0, -0x1.5555555555555p-2, 0x1.6dd707e2911c8p-4},
                                  {-0x1.d025cd922ba00p+0, 0x1.f777777777777p+1, -0x1.1ec9215cc34efp+0},
                                  {0x1.d99f3afad9650p-1, -0x1.3bbbbbbbbbbbcp+1, 0x1.4553ecfd05628p+1}};
static const double odd[3][3] = {{0x1.49b3e2f85d4b9p+0, -0x1.e2b7dddfefa66p-2, 0x1.615fd02195e16p-2},
                                 {-0x1.323377f004332p+1, 0x1.7012992df3887p+2, -0x1.1dd918fbfd9a8p+2},
                                 {0x1.8bd02c17b5d81p+1, -0x1.24a5de82f6167p+3, 0x1.c6f53ea7e1672p+3}};

/* Coefficients of one entry; the largest magnitude, or `most`. */
static double fit(double values[NODES][ENTRIES], int entry, double most, double out[COEFFICIENTS]) {
  double sum[3], rise[3];
  for (int k = 0; k < 3; k++) {
    sum[k] = 0.5 * (values[k][entry] + values[NODES - 1 - k][entry]);
    rise[k] = 0.5 * (values[k][entry] - values[NODES - 1 - k][entry]);
  }
  for (int j = 0; j < 3; j++) {
    const double e = (even[j][0] * sum[0] + even[j][1] * sum[1]) + even[j][2] * sum[2];
    const double o = (odd[j][0] * rise[0] + odd[j][1] * rise[1]) + odd[j][2] * rise[2];
    out[j] = e + o;
    out[COEFFICIENTS - 1 - j] = e - o;
    most = toi_larger(most, toi_larger(fabs(e + o), fabs(e - o)));
  }
  return most;
}

/* N of a body on a piece as a form of degree 2, from its quaternions at both ends, whose product is not negative. */
static void length_form(const toi_turn_ends *ends, int body, const double at[2], double n[3]) {
  double q[2][4], off[3];
  for (int end = 0; end < 2; end++)
    toi_turn_pose_at(ends, body, ends->steady[body] ? 0 : at[end], q[end], off);
  for (int k = 0; k < 3; k++) {
    const double *a = q[k == 2], *b = q[k > 0];
    n[k] = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
  }
  n[1] = toi_larger(2 * n[1], 0);
}

static double make_w(const toi_turn_ends *ends, const double at[2], double most, double w[COEFFICIENTS]) {
  static const double binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  double a[3], b[3], form[COEFFICIENTS] = {0};
  length_form(ends, 0, at, a);
  length_form(ends, 1, at, b);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      form[i + j] += a[i] * b[j];
  for (int k = 0; k < COEFFICIENTS; k++) {
    w[k] = (k > 0 ? form[k] + form[k - 1] : form[k]) / binomial[k];
    most = toi_larger(most, w[k]);
  }
  return most;
}

void toi_turn_fit(const toi_moving_pair *pair, double from, double to, toi_turn_piece *piece) {
  if (pair->of_laws != NULL) {
    toi_turn_law_fit(pair, from, to, piece);
    return;
  }
  const double at[2] = {from, to}, h = to - from;
  double values[NODES][ENTRIES];
  for (int k = 0; k < NODES; k++)
    values_at(&pair->ends, from + h * nodes[k], values[k]);
  double most_r = make_w(&pair->ends, at, pair->square, piece->table.w);
  double most_t = pair->square * pair->far;
  for (int i = 0; i < 9; i++)
    most_r = fit(values, i, most_r, piece->table.r[i / 3][i % 3]);
  for (int i = 0; i < 3; i++)
    most_t = fit(values, 9 + i, most_t, piece->table.t[i]);
  for (int i = 0; i < 9; i++)
    most_t = fit(values, 12 + i, most_t, piece->table.s[i / 3][i % 3]);
  const double remainder = toi_turn_remainder(pair, h);
  piece->from = from;
  piece->to = to;
  piece->most_r = most_r * ROUNDED_UP;
  piece->most_t = most_t * ROUNDED_UP;
  piece->unit = (remainder + FLOOR) * ROUNDED_UP;
  piece->slope_unit = (432 * remainder + 50 * FLOOR) * ROUNDED_UP;
  piece->in_range = pair->piece.in_range;
  // A table with a bound like twice the floor is as good as tables get.
  piece->finest = piece->unit <= 2 * FLOOR;
}
