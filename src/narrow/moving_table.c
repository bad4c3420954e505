/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The ends of a pair of bodies, and its table under nlerp, in doubles.
 *
 * By quaternions, since they take the fewest products. Let a and b be those of the bodies, as polynomials of degree 1,
 * and ' conjugate. Then, as products of quaternions, x being pure:
 *
 *   q = b' a  of degree 2:       R = M(q);
 *   p = b' x a / 2  of degree 3: T = 2 p q',   S = dM(q) p, the derivative of M at q along p.
 *
 * Why: M(q) y = q y q'. 2 p q' = b' x a a' b = N_A b' x b = N_A M_B' x. dM(q) p y = p y q' + q y p' = b' (x z - z x) b
 * / 2 with z = a y a' = M_A y, x' = -x, and x z - z x = 2 x cross z.
 *
 * All polynomials are forms (number/polynomial.h), Bernstein coefficients times binomials: products are convolutions.
 *
 * Claim: with n = (largest |a|) (largest |b|) at the ends, X the largest |x|, and u = 2^-53: entries of r and w have
 * magnitudes of at most n^2 and those of t and s of at most X n^2, and all are off by at most 64 u of these.
 * Why: Bernstein coefficients of a product are averages of products of coefficients, so |q| <= n, |p| <= X n / 2, and
 * what is said below of products of coefficients holds for the averages, which add a rounding for each further term.
 * Errors of components, in u, of the magnitude behind "of"; a sum of |c_i| over four components is at most 2 |c|:
 * - q: four products 1 + 3, two terms 1: 5 of n;
 * - x: one difference, 1 of X; x a: 1 + three products 1 + 2, two terms 1: 5 of X nA;
 * - p: from x a: 2 * 5; four products 1 + 3, three terms 2: 16 of X n / 2;
 * - R: from q: 2 * 2 * 5 = 20; products, three terms, and a sum of four: 1 + 2 + 3: 26 of n^2;
 * - W = N_A N_B: 4 + 4 + 1 + 2 = 11 of n^2; its exact coefficients are not negative, so 0 is as good as a value below;
 * - S and T: from p: 2 * 2 * 8 = 32, from q: 2 * 2 * 5 / 2 = 10; 1 + 3 + 3: 49 of X n^2;
 * - degree 4 elevated to 5: 1; divided by a binomial: 1. At most 51, and factors 1 + 100 u have room.
 * Scaling quaternions is exact but for components that underflow, by less than 2^-1074, where n >= 1/4. */

#include <math.h>

#include "narrow/moving_pair.h"
#include "number/vector.h"

/* Entries are off by this much of the largest. */
#define UNIT (64 * 0x1p-53)

#define ROUNDED_UP (1 + 0x1p-40)

/* Limits of the doubles: lengths may be multiplied three at a time without leaving the range. */
#define LEAST_LENGTH 0x1p-170
#define MOST_LENGTH 0x1p170

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS };

/* A quaternion of forms; degree at most 3. */
typedef struct quaternion_form {
  double c[4][4]; /* [coefficient][component] */
} quaternion_form;

/* sign a' b, ' if conjugate. */
static void multiply(const double a[4], const double b[4], bool conjugate, double out[4]) {
  const double s = conjugate ? -1 : 1, x = s * a[1], y = s * a[2], z = s * a[3], w = a[0];
  out[0] += (w * b[0] - x * b[1]) - (y * b[2] + z * b[3]);
  out[1] += (w * b[1] + x * b[0]) + (y * b[3] - z * b[2]);
  out[2] += (w * b[2] + y * b[0]) + (z * b[1] - x * b[3]);
  out[3] += (w * b[3] + z * b[0]) + (x * b[2] - y * b[1]);
}

static quaternion_form product(const quaternion_form *a, int a_degree, const quaternion_form *b, int b_degree,
                               bool conjugate) {
  quaternion_form out = {{{0}}};
  for (int i = 0; i <= a_degree; i++)
    for (int j = 0; j <= b_degree; j++)
      multiply(a->c[i], b->c[j], conjugate, out.c[i + j]);
  return out;
}

/* The product of component i of a and component j of b as a form. */
static void times(const quaternion_form *a, int a_degree, int i, const quaternion_form *b, int b_degree, int j,
                  double out[COEFFICIENTS]) {
  for (int k = 0; k < COEFFICIENTS; k++)
    out[k] = 0;
  for (int k = 0; k <= a_degree; k++)
    for (int l = 0; l <= b_degree; l++)
      out[k + l] += a->c[k][i] * b->c[l][j];
}

/* A form of degree 4 or 5 as Bernstein coefficients of degree 5. */
static void finish(const double form[COEFFICIENTS], bool elevate, double out[COEFFICIENTS]) {
  static const double binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  for (int k = 0; k < COEFFICIENTS; k++)
    out[k] = (elevate && k > 0 ? form[k] + form[k - 1] : form[k]) / binomial[k];
}

/* R from the products q_i q_j: w^2 + x^2 - y^2 - z^2, 2 (x y - w z), 2 (x y + w z), and so on. */
static void make_r(const quaternion_form *q, toi_turn_table *table) {
  double p[4][4][COEFFICIENTS], form[COEFFICIENTS];
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      times(q, 2, i, q, 2, j, p[i][j]);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double *xy = i < j ? p[i + 1][j + 1] : p[j + 1][i + 1], *wz = p[0][k + 1];
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = (p[0][0][c] + p[i + 1][i + 1][c]) - (p[j + 1][j + 1][c] + p[k + 1][k + 1][c]);
    finish(form, true, table->r[i][i]);
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * (xy[c] - wz[c]);
    finish(form, true, table->r[i][j]);
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * (xy[c] + wz[c]);
    finish(form, true, table->r[j][i]);
  }
}

/* S and T from the products q_i p_j. */
static void make_s_and_t(const quaternion_form *q, const quaternion_form *p, toi_turn_table *table) {
  double m[4][4][COEFFICIENTS], form[COEFFICIENTS];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      times(q, 2, i, p, 3, j, m[i][j]);
  for (int i = 0; i < 3; i++) {
    const int x = i + 1, y = (i + 1) % 3 + 1, z = (i + 2) % 3 + 1, j = y - 1;
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * ((m[0][x][c] - m[x][0][c]) - (m[z][y][c] - m[y][z][c]));
    finish(form, false, table->t[i]);
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * ((m[0][0][c] + m[x][x][c]) - (m[y][y][c] + m[z][z][c]));
    finish(form, false, table->s[i][i]);
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * ((m[x][y][c] + m[y][x][c]) - (m[0][z][c] + m[z][0][c]));
    finish(form, false, table->s[i][j]);
    for (int c = 0; c < COEFFICIENTS; c++)
      form[c] = 2 * ((m[x][y][c] + m[y][x][c]) + (m[0][z][c] + m[z][0][c]));
    finish(form, false, table->s[j][i]);
  }
}

/* N of a body as a form. */
static void make_n(const double q[2][4], double n[3]) {
  for (int k = 0; k < 3; k++) {
    const double *a = q[k == 2], *b = q[k > 0];
    n[k] = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
  }
  n[1] = toi_larger(2 * n[1], 0);
}

static void make_w(const toi_turn_ends *ends, toi_turn_table *table) {
  double a[3], b[3], form[COEFFICIENTS] = {0};
  make_n(ends->quaternion[0], a);
  make_n(ends->quaternion[1], b);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      form[i + j] += a[i] * b[j];
  finish(form, true, table->w);
}

/* --- ends --- */

static int top_of(const double q[4]) {
  double most = 0;
  int top;
  for (int i = 0; i < 4; i++)
    most = toi_larger(most, fabs(q[i]));
  (void)frexp(most, &top);
  return top;
}

/* Both ends are scaled alike, unless their lengths do not matter. */
static void scale_quaternions(const toi_moving_body *body, double out[2][4]) {
  int top[2] = {top_of(body->start.quaternion), top_of(body->end.quaternion)};
  if (body->law == TOI_LAW_NLERP)
    top[0] = top[1] = top[0] > top[1] ? top[0] : top[1];
  for (int i = 0; i < 4; i++) {
    out[0][i] = ldexp(body->start.quaternion[i], -top[0]);
    out[1][i] = ldexp(body->end.quaternion[i], -top[1]);
  }
}

/* hi + lo = a - b, unless it overflows (Knuth). */
static void difference(double a, double b, double *hi, double *lo) {
  *hi = a - b;
  const double bb = a - *hi;
  *lo = (a - (*hi + bb)) + (bb - b);
}

/* The numbers of a body at a constant rate. */
static void make_steady(const toi_moving_body *body, int number, toi_turn_ends *ends) {
  double way[2][3];
  ends->steady[number] = body->law != TOI_LAW_NLERP;
  ends->slerp[number] = (toi_slerp){.turns = false};
  for (int i = 0; i < 3; i++)
    difference(body->end.position[i], body->start.position[i], &way[0][i], &way[1][i]);
  if (ends->steady[number])
    toi_slerp_make(ends->quaternion[number][0], ends->quaternion[number][1], (const double(*)[3])way,
                   body->law == TOI_LAW_SCREW, &ends->slerp[number]);
}

static double length_of(const double *v, int count) {
  double square = 0;
  for (int i = 0; i < count; i++)
    square += v[i] * v[i];
  return sqrt(square) * ROUNDED_UP;
}

static bool fits(double most) {
  return most == 0 || (most >= LEAST_LENGTH && most <= MOST_LENGTH);
}

/* x at both ends; the largest coordinate of what is added to it. */
static double make_positions(const toi_moving_pair *pair, toi_turn_ends *ends) {
  double top = 0;
  for (int end = 0; end < 2; end++) {
    const toi_pose *first = end ? &pair->body[0].end : &pair->body[0].start;
    const toi_pose *second = end ? &pair->body[1].end : &pair->body[1].start;
    for (int i = 0; i < 3; i++) {
      difference(first->position[i], second->position[i], &ends->x_hi[end][i], &ends->x_lo[end][i]);
      top = toi_larger(top, fabs(ends->x_hi[end][i]));
      top = toi_larger(top, fabs(ends->slerp[end].across[0][i]));
    }
  }
  return top;
}

/* The table of all of [0, 1] under nlerp. */
static void make_exact(const toi_turn_ends *ends, toi_turn_table *table) {
  quaternion_form a, b, x = {{{0}}};
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 3; i++)
      x.c[end][i + 1] = ends->x_hi[end][i];
    for (int i = 0; i < 4; i++) {
      a.c[end][i] = ends->quaternion[0][end][i];
      b.c[end][i] = ends->quaternion[1][end][i];
    }
  }
  const quaternion_form q = product(&b, 1, &a, 1, true), xa = product(&x, 1, &a, 1, false);
  quaternion_form p = product(&b, 1, &xa, 2, true);
  for (int i = 0; i < 16; i++)
    p.c[i / 4][i % 4] *= 0.5;
  make_r(&q, table);
  make_s_and_t(&q, &p, table);
  make_w(ends, table);
}

void toi_turn_tables_make(toi_moving_pair *pair) {
  toi_turn_ends *ends = &pair->ends;
  toi_turn_piece *piece = &pair->piece;
  double norm = 1;
  for (int i = 0; i < 2; i++) {
    scale_quaternions(&pair->body[i], ends->quaternion[i]);
    make_steady(&pair->body[i], i, ends);
    const double start = length_of(ends->quaternion[i][0], 4), end = length_of(ends->quaternion[i][1], 4);
    norm *= ends->steady[i] ? start : toi_larger(start, end);
  }
  pair->square = norm * norm * ROUNDED_UP;
  const double top = make_positions(pair, ends);
  piece->in_range = fits(top);
  pair->far = 0;
  for (int i = 0; i < 2 && piece->in_range; i++)
    pair->far = toi_larger(pair->far, length_of(ends->x_hi[i], 3));
  for (int i = 0; i < 2 && piece->in_range; i++)
    pair->far += length_of(ends->slerp[i].across[0], 3);
  piece->to = 1;
  piece->unit = UNIT;
  piece->finest = true;
  piece->most_r = pair->square;
  piece->most_t = piece->most_r * pair->far * ROUNDED_UP;
  if (piece->in_range && !ends->steady[0] && !ends->steady[1])
    make_exact(ends, &piece->table);
}
