/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What a separator is off by on a piece, all counted: letters as in separator.h, u = 2^-53.
 *
 * Net. X + t V - o W errs by 4 u W (M + |o|) in a coordinate, M the largest magnitude of points and of the time times
 *   their velocities (four roundings), and the three products and two sums with a row of E by 3 u times the sum of
 *   magnitudes, at most 2 (M + |o|) W each: together less than 12 u sqrt 3 (M + |o|) W, as rows of E are unit vectors,
 * and sqrt 3 of it as a distance. NET, 64 u, is taken. Scaling is exact. The true piece is within piece->error of its
 * net in every coordinate, at equal parameters: with net errors e W and f W of X and W, x' - x = (sum B (X' - X) - x
 * sum B (W' - W)) / sum B W', at most (e + |x| f) / (1 - f). So `error` = sqrt 3 scale piece->error + NET scale (M +
 * |o|).
 *
 * Field of a shift. Velocities of points are means of those of control points. u is the middle of the latter, and
 *   `stray` how far they are from it: points are s stray from where the field takes them.
 * Field of a turn. y' = scale E w x (x - c) = A y + u with A = E [w] E^-1, u = scale E w x (o - c). E^-1 is E^T up to
 *   4 FRAME_ERROR, and rounding of A, and of derivatives along it (cubic.h), 16 u: TURN |w|_1, 2^-44, covers both. No
 *   handedness is assumed. u errs by 2 scale |w|_1 times (centre_error and 8 u (|o| + |c|)); 2^-47 is taken for the
 *   latter. A turn keeps distances, so that what is `error` from a net's point stays so; in the local frame up to
 *   FRAME_ERROR.
 *
 * Within. |y_k(s)| <= |y_k| + |s| |y'_k| + s^2/2 |A| |y'|, convex in y for s fixed: the largest is at a control point.
 *   Everything that is bounded below is bounded there, `error` and s stray included.
 *
 * Quotients. With n control points, a Bernstein coefficient of degree 3 is a sum of products made in at most 2 n + 3
 *   roundings on each way from the net (scaling by binomials, two products of sums of n), and 24 more for the terms of
 *   F; so it errs by (2 n + 27) u times what absolute values give, which is at most |F|(within) times the coefficient
 * of W^D, as |Y_k| <= within_k W. The quotient, with the error of W^D, errs by less than (5 n + 60) u |F|(within):
 * ROUNDING. This leaves room for evaluation in s, with at most eight operations on each of the three.
 *
 * Derivatives. Let L be along the computed field and L' along the true one, |L| along magnitudes with the field's
 * errors added, and e along these errors alone. Then |L'F - LF| <= e|F|, |L'^2 F - L^2 F| <= (e |L| + |L| e)|F|, and
 *   |L'^3 F| <= |L^3 F| + (e |L||L| + |L| e |L| + |L||L| e)|F|, at `within`, where all coefficients are taken positive.
 *
 * Underflow. Frames have a scale between 2^-SCALE_MOST and 2^SCALE_MOST, weights are at least 2^-100, so that all that
 *   underflow can take from a quotient is far below TINY. MORE covers the roundings of the bounds themselves. What is
 *   not finite compares as false, and separates nothing. */

#include "surface/separator.h"

#include "number/interval.h"

#include <math.h>
#include <string.h>

#define NET (64 * TOI_UNIT)
#define TURN 0x1p-44
#define CENTRE 0x1p-47
#define SHIFT 0x1p-47
#define FRAME_ERROR 0x1p-48
#define MORE (1 + 0x1p-30)
#define TINY 0x1p-700
#define SQRT_3 1.7320509
#define ROUNDING(points) ((5 * (double)(points) + 60) * TOI_UNIT)

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double most_of(const double v[3]) {
  return larger(fabs(v[0]), larger(fabs(v[1]), fabs(v[2])));
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* --- the net --- */

/* Whether E E^T is the unit matrix, nearly. Written so that NaN is not. */
static bool is_orthonormal(const double axes[3][3]) {
  bool good = true;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      const double dot = axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
      good &= fabs(dot - (i == j)) <= 0.25 * FRAME_ERROR;
    }
  return good;
}

/* The largest magnitude of points and their ways up to the time, in a coordinate. */
static double magnitude(const toi_piece *piece, double at) {
  const size_t stride = piece->root->stride;
  double most = 0;
  for (size_t k = 0; k < 3; k++) {
    const double *p = piece->net + k * stride, *v = p + 3 * stride;
    for (size_t i = 0; i < piece->root->count; i++)
      most = larger(most, fabs(p[i]) + at * fabs(v[i]));
  }
  return most;
}

static void place_net(const toi_separator_frame *frame, double at, toi_separator_side *s) {
  const toi_root *root = s->piece->root;
  const size_t stride = root->stride;
  const double *x = s->piece->net + (root->rational ? TOI_NET_ROWS * stride : 0);
  for (size_t i = 0; i < root->count; i++) {
    const double w = root->rational ? x[6 * stride + i] : 1;
    double z[3];
    for (size_t k = 0; k < 3; k++)
      z[k] = (x[k * stride + i] + at * x[(k + 3) * stride + i]) - frame->origin[k] * w;
    for (int k = 0; k < 3; k++)
      s->net[k][i] = (frame->axes[k][0] * z[0] + frame->axes[k][1] * z[1] + frame->axes[k][2] * z[2]) * frame->scale;
    s->net[3][i] = w;
  }
}

/* --- fields --- */

/* The middle of all velocities. */
static void set_shift(const toi_separator_frame *frame, toi_separator_side *s) {
  const size_t stride = s->piece->root->stride;
  const double *v = s->piece->net + 3 * stride;
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, square = 0, fastest = 0;
  for (size_t i = 0; i < s->piece->root->count; i++)
    for (int k = 0; k < 3; k++) {
      const double *e = frame->axes[k];
      const double local = (e[0] * v[i] + e[1] * v[stride + i] + e[2] * v[2 * stride + i]) * frame->scale;
      lo[k] = local < lo[k] ? local : lo[k];
      hi[k] = local > hi[k] ? local : hi[k];
      fastest = larger(fastest, fabs(v[(size_t)k * stride + i]));
    }
  for (int k = 0; k < 3; k++) {
    const double middle = lo[k] == hi[k] ? lo[k] : 0.5 * lo[k] + 0.5 * hi[k],
                 way = larger(hi[k] - middle, middle - lo[k]);
    s->field.shift[k] = middle;
    square += way * way;
  }
  s->moves = fastest > 0;
  s->stray = sqrt(square) * MORE + SHIFT * frame->scale * fastest + (s->moves ? TINY : 0);
  s->field_error[1] = 2 * SHIFT * most_of(s->field.shift);
}

/* E [w] E^T, and scale E w x (o - c). */
static void set_turn(const toi_separator_frame *frame, const toi_turn *turn, toi_separator_side *s) {
  const double *w = turn->spin, (*e)[3] = frame->axes;
  double d[3], cross[3];
  for (int k = 0; k < 3; k++)
    d[k] = frame->origin[k] - turn->centre[k];
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    cross[i] = w[j] * d[k] - w[k] * d[j];
  }
  for (int i = 0; i < 3; i++) {
    s->field.shift[i] = (e[i][0] * cross[0] + e[i][1] * cross[1] + e[i][2] * cross[2]) * frame->scale;
    for (int j = 0; j < 3; j++) {
      // Row i of E times w x (row j of E).
      const double turned[3] = {w[1] * e[j][2] - w[2] * e[j][1], w[2] * e[j][0] - w[0] * e[j][2],
                                w[0] * e[j][1] - w[1] * e[j][0]};
      s->field.matrix[i][j] = e[i][0] * turned[0] + e[i][1] * turned[1] + e[i][2] * turned[2];
    }
  }
  const double sum = fabs(w[0]) + fabs(w[1]) + fabs(w[2]);
  s->field_error[0] = TURN * sum;
  s->field_error[1] =
      2 * frame->scale * sum * (turn->centre_error + CENTRE * (most_of(frame->origin) + most_of(turn->centre)));
  s->spin = length_of(w) * MORE;
  s->moves = true;
}

bool toi_separator_side_make(const toi_separator_question *question, int side, const toi_separator_frame *frame,
                             toi_separator_side *made) {
  const toi_piece *piece = question->piece[side];
  const toi_turn *turn = question->turn && question->turn[side].turns ? &question->turn[side] : NULL;
  if (!isfinite(piece->error) || !is_orthonormal(frame->axes))
    return false;
  made->piece = piece;
  made->field = (toi_affine){.shift = {0}};
  made->field_error[0] = made->field_error[1] = made->spin = made->stray = 0;
  place_net(frame, question->at, made);
  const double net = turn ? SQRT_3 * piece->rounding + turn->error : SQRT_3 * piece->error;
  const double sizes = magnitude(piece, question->at) + most_of(frame->origin);
  made->error = (net + NET * sizes) * frame->scale * MORE + TINY;
  if (turn)
    set_turn(frame, turn, made);
  else
    set_shift(frame, made);
  return true;
}

/* Where the side is within `span` of the time. */
static void sweep(toi_separator_side *s, double span) {
  const toi_affine *f = &s->field;
  double most[3] = {0}, far = 0, fast = 0;
  for (size_t i = 0; i < s->piece->root->count; i++) {
    const double w = s->net[3][i], y[3] = {s->net[0][i] / w, s->net[1][i] / w, s->net[2][i] / w};
    double v[3];
    for (int k = 0; k < 3; k++) {
      v[k] = f->matrix[k][0] * y[0] + f->matrix[k][1] * y[1] + f->matrix[k][2] * y[2] + f->shift[k];
      most[k] = larger(most[k], fabs(y[k]) + span * fabs(v[k]));
    }
    far = larger(far, fabs(y[0]) + fabs(y[1]) + fabs(y[2]));
    fast = larger(fast, length_of(v));
  }
  const double unsure = s->field_error[0] * far + 2 * s->field_error[1];
  const double bend = 0.5 * span * span * s->spin * (fast + 2 * unsure);
  for (int k = 0; k < 3; k++)
    s->within[k] = (most[k] + span * unsure + bend + s->error + span * s->stray) * MORE;
  toi_cubic_monomials(s->within, s->monomials);
}

/* --- Bernstein coefficients --- */

static const double binomial[TOI_PATCH_DEGREE_MOST + 1][TOI_PATCH_DEGREE_MOST + 1] = {
    {1},
    {1, 1},
    {1, 2, 1},
    {1, 3, 3, 1},
    {1, 4, 6, 4, 1},
    {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6, 1},
    {1, 7, 21, 35, 35, 21, 7, 1},
    {1, 8, 28, 56, 70, 56, 28, 8, 1},
    {1, 9, 36, 84, 126, 126, 84, 36, 9, 1}};

/* Rows and columns of coefficients of the D-th power; a triangle's lie in a square, those outside of it zero. */
static void form_size(const toi_patch *patch, size_t power, size_t size[2]) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  size[0] = power * patch->degree[0] + 1;
  size[1] = power * (quad ? patch->degree[1] : patch->degree[0]) + 1;
}

/* Adds the product of two forms, times binomials as they all are: a plain product of polynomials. */
static void add_product(const double *a, const size_t a_size[2], const double *b, const size_t b_size[2], double *sum) {
  const size_t columns = a_size[1] + b_size[1] - 1;
  for (size_t i = 0; i < b_size[0]; i++)
    for (size_t j = 0; j < b_size[1]; j++) {
      const double factor = b[i * b_size[1] + j];
      if (factor == 0)
        continue;
      for (size_t k = 0; k < a_size[0]; k++) {
        const double *row = a + k * a_size[1];
        double *to = sum + (i + k) * columns + j;
        for (size_t l = 0; l < a_size[1]; l++)
          to[l] += factor * row[l];
      }
    }
}

/* W x y z, their coefficients times binomials. */
static void make_linear(const toi_separator_side *s, double linear[4][TOI_NET_POINTS]) {
  const toi_patch *patch = s->piece->root->patch;
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  const uint32_t m = patch->degree[0], n = quad ? patch->degree[1] : m;
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++) {
      const size_t at = (size_t)i * (n + 1) + j;
      const bool inside = quad || i + j <= m;
      const size_t from = inside ? toi_net_index(patch, i, j) : 0;
      const double factor = inside ? binomial[m][i] * (quad ? binomial[n][j] : binomial[m - i][j]) : 0;
      linear[0][at] = factor * s->net[3][from];
      for (int k = 0; k < 3; k++)
        linear[k + 1][at] = factor * s->net[k][from];
    }
}

void toi_separator_square(toi_separator_space *space, int side) {
  // Monomials in their order are products of W x y z, the first not after the second.
  double(*linear)[TOI_NET_POINTS] = space->linear[side];
  size_t size[2], square[2];
  form_size(space->side[side].piece->root->patch, 1, size);
  form_size(space->side[side].piece->root->patch, 2, square);
  make_linear(&space->side[side], linear);
  for (int i = 0, term = 0; i < 4; i++)
    for (int j = i; j < 4; j++, term++) {
      double *sum = space->square[side][term];
      memset(sum, 0, square[0] * square[1] * sizeof(double));
      add_product(linear[i], size, linear[j], size, sum);
    }
}

/* The sum of some terms of F over x, y, z or nothing, of degree two each; false: there are none. */
static bool sum_terms(toi_separator_space *space, int side, const toi_cubic *f, int over, size_t count) {
  bool any = false;
  const int first = over < 0 ? 0 : over == 0 ? 10 : over == 1 ? 16 : 19;
  const int last = over < 0 ? 10 : over == 0 ? 16 : over == 1 ? 19 : 20;
  for (int m = first; m < last; m++) {
    if (f->term[m] == 0)
      continue;
    const double *square = space->square[side][over < 0 ? m : toi_term_over[m][over]];
    if (!any)
      memset(space->sum, 0, count * sizeof(double));
    for (size_t i = 0; i < count; i++)
      space->sum[i] += f->term[m] * square[i];
    any = true;
  }
  return any;
}

/* Outside of a triangle there is no weight, and no coefficient. */
static void keep_quotients(const double *values, const double *weights, toi_separator_form *form, double *quotient) {
  form->count = 0;
  for (size_t i = 0; i < form->cells; i++)
    if (weights[i] > 0)
      quotient[form->count++] = values[i] / weights[i];
}

/* Quotients of F W^2 and W^2. */
static void divide_square(toi_separator_space *space, int side, const toi_cubic *f, double *quotient) {
  toi_separator_form *form = &space->form[side];
  const double *weight = space->square[side][0];
  if (!sum_terms(space, side, f, -1, form->cells))
    memset(space->sum, 0, form->cells * sizeof(double));
  keep_quotients(space->sum, weight, form, quotient);
}

/* Quotients of F W^3 and W^3: the terms up to degree two times W, those of degree three as products with x, y and z. */
static void divide_cube(toi_separator_space *space, int side, const toi_cubic *f, double *quotient) {
  toi_separator_form *form = &space->form[side];
  const toi_patch *patch = space->side[side].piece->root->patch;
  size_t size[2], square[2];
  form_size(patch, 1, size);
  form_size(patch, 2, square);
  memset(space->product, 0, form->cells * sizeof(double));
  for (int over = -1; over < 3; over++)
    if (sum_terms(space, side, f, over, square[0] * square[1]))
      add_product(space->sum, square, space->linear[side][over + 1], size, space->product);
  keep_quotients(space->product, space->weight, form, quotient);
}

static void make_weights(toi_separator_space *space, int side) {
  const toi_patch *patch = space->side[side].piece->root->patch;
  size_t size[2], square[2];
  form_size(patch, 1, size);
  form_size(patch, 2, square);
  memset(space->weight, 0, space->form[side].cells * sizeof(double));
  add_product(space->square[side][0], square, space->linear[side][0], size, space->weight);
}

/* --- the bound --- */

static toi_cubic magnitudes(const toi_cubic *f) {
  toi_cubic most;
  for (int m = 0; m < TOI_CUBIC_TERMS; m++)
    most.term[m] = fabs(f->term[m]);
  return most;
}

static toi_affine constant_field(double matrix, double shift) {
  toi_affine field;
  for (int i = 0; i < 3; i++) {
    field.shift[i] = shift;
    for (int j = 0; j < 3; j++)
      field.matrix[i][j] = matrix;
  }
  return field;
}

/* What the field's errors change in L F, in L^2 F, and in L^3 F, at the most. */
static void field_errors(const toi_separator_side *s, const toi_cubic *f, double change[3]) {
  const toi_affine error = constant_field(s->field_error[0], s->field_error[1]);
  toi_affine most = error;
  for (int i = 0; i < 3; i++) {
    most.shift[i] += fabs(s->field.shift[i]);
    for (int j = 0; j < 3; j++)
      most.matrix[i][j] += fabs(s->field.matrix[i][j]);
  }
  const toi_cubic plain = magnitudes(f);
  toi_cubic e, l, le, el, ll, third;
  toi_cubic_along(&plain, &error, &e);
  toi_cubic_along(&plain, &most, &l);
  toi_cubic_along(&e, &most, &le);
  toi_cubic_along(&l, &error, &el);
  toi_cubic_along(&l, &most, &ll);
  change[0] = toi_cubic_most(&e, s->monomials);
  change[1] = toi_cubic_most(&el, s->monomials) + toi_cubic_most(&le, s->monomials);
  toi_cubic_along(&ll, &error, &third);
  change[2] = toi_cubic_most(&third, s->monomials);
  toi_cubic_along(&el, &most, &third);
  change[2] += toi_cubic_most(&third, s->monomials);
  toi_cubic_along(&le, &most, &third);
  change[2] += toi_cubic_most(&third, s->monomials);
}

double toi_separator_form_make(toi_separator_space *space, int side, const toi_cubic *f, int degree, double span) {
  toi_separator_side *s = &space->side[side];
  toi_separator_form *form = &space->form[side];
  size_t size[2];
  form_size(s->piece->root->patch, (size_t)degree, size);
  form->cells = size[0] * size[1];
  form->orders = s->moves ? 3 : 1;
  sweep(s, s->moves ? span : 0);
  if (degree == 3)
    make_weights(space, side);
  toi_cubic derivative[3] = {*f};
  const double part[3] = {1, span, span * span};
  double error = toi_cubic_slope_most(f, s->monomials) * (s->error + (s->moves ? span * s->stray : 0));
  for (int order = 0; order < form->orders; order++) {
    toi_cubic *d = &derivative[order];
    if (order > 0)
      toi_cubic_along(&derivative[order - 1], &s->field, d);
    for (int m = 0; order == 2 && m < TOI_CUBIC_TERMS; m++)
      d->term[m] *= 0.5;
    (degree == 3 ? divide_cube : divide_square)(space, side, d, form->quotient[order]);
    error += ROUNDING(s->piece->root->count) * part[order] * toi_cubic_most(d, s->monomials);
  }
  if (s->moves) {
    double change[3];
    toi_cubic third;
    field_errors(s, f, change);
    // A third of the derivative of L^2 F / 2 is a sixth of L^3 F.
    toi_cubic_along(&derivative[2], &s->field, &third);
    const double remainder = toi_cubic_most(&third, s->monomials) / 3 + change[2] / 6;
    error += span * change[0] + span * span * (0.5 * change[1] + span * remainder);
  }
  return error * MORE + TINY;
}

double toi_separator_form_least(const toi_separator_form *form, double sign, double s0, double s1) {
  double least = INFINITY;
  const double *f = form->quotient[0], *g = form->quotient[1], *h = form->quotient[2];
  if (form->orders == 1) {
    for (size_t i = 0; i < form->count; i++)
      least = sign * f[i] < least ? sign * f[i] : least;
    return least;
  }
  // Of a quadratic polynomial from s0 to s1: its Bernstein coefficients.
  const double half = 0.5 * (s1 - s0);
  for (size_t i = 0; i < form->count; i++) {
    const double start = sign * (f[i] + s0 * (g[i] + s0 * h[i])), end = sign * (f[i] + s1 * (g[i] + s1 * h[i]));
    const double middle = start + half * sign * (g[i] + 2 * s0 * h[i]);
    least = start < least ? start : least;
    least = middle < least ? middle : least;
    least = end < least ? end : least;
  }
  return least;
}
