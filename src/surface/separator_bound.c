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
 * Nets that change their shape. A quadric is followed along the control points' own velocities V, from the net's rows
 * as Y is from points: F(Y + s V) is F + s grad F . V + s^2 (V H V) / 2 exactly, products of forms of degree one, whose
 *   quotients err by no more than ROUNDING times what absolute values give. V errs by SHIFT times the fastest, which is
 *   `velocity_error`; there is no remainder. Cubics take the field of a shift.
 * Field of a turn. y' = scale E w x (x - c) = A y + u with A = E [w] E^-1, u = scale E w x (o - c). E^-1 is E^T up to
 *   4 FRAME_ERROR, and rounding of A, and of derivatives along it (cubic.h), 16 u: TURN |w|_1, 2^-44, covers both. No
 *   handedness is assumed. u errs by 2 scale |w|_1 times (centre_error and 8 u (|o| + |c|)); 2^-47 is taken for the
 *   latter. A spin w that is off by e in each coordinate is off by a turn about a vector of length sqrt 3 e at most: A
 * by 2 e, u by 2 scale e |o - c|, |o - c| <= sqrt 3 (|o| + |c|), for which 4 scale e (|o| + |c|) is taken. A turn keeps
 * distances, so that what is `error` from a net's point stays so; in the local frame up to FRAME_ERROR.
 *
 * Within. |y_k(s)| <= |y_k| + |s| |y'_k| + s^2/2 |A| |y'|, convex in y for s fixed: the largest is at a control point.
 *   Everything that is bounded below is bounded there, `error` and s stray included.
 *
 * Quotients. With n control points, a Bernstein coefficient of degree 3 is a sum of products, each made in at most
 *   5 n + 13 roundings: three binomials, a product and a sum of n for the squares, ten for the terms of F, and four
 *   sums of n, one after the other, for what is multiplied by W, x, y and z. So it errs by that many u times what
 *   absolute values give, which is at most |F|(within) times the coefficient of W^D, as |Y_k| <= within_k W. W^D itself
 *   errs by (2 n + 3) u. The quotient errs by less than (7 n + 60) u |F|(within): ROUNDING. This leaves room for
 *   evaluation in s, with at most eight operations on each of the three.
 *
 * Derivatives. Let L be along the computed field and L' along the true one, |L| along magnitudes with the field's
 * errors added, and e along these errors alone. Then |L'F - LF| <= e|F|, |L'^2 F - L^2 F| <= (e |L| + |L| e)|F|, and
 *   |L'^3 F| <= |L^3 F| + (e |L||L| + |L| e |L| + |L||L| e)|F|, at `within`, where all coefficients are taken positive.
 *
 * Underflow. Frames have a scale between 2^-200 and 2^200, weights are at least 2^-100, so that all that
 *   underflow can take from a quotient is far below TINY. MORE covers the roundings of the bounds themselves. What is
 *   not finite compares as false, and separates nothing. */

#include "surface/separator.h"

#include "number/interval.h"
#include "number/vector.h"

#include <math.h>

#define NET (64 * TOI_UNIT)
#define TURN 0x1p-44
#define CENTRE 0x1p-47
#define SHIFT 0x1p-47
#define FRAME_ERROR 0x1p-48

/* Velocities that differ by less than so many times their own error are one. */
#define DEFORMS 4
#define MORE (1 + 0x1p-30)
#define TINY 0x1p-700
#define SQRT_3 1.7320509
#define ROUNDING(points) ((7 * (double)(points) + 60) * TOI_UNIT)

static double most_of(const double v[3]) {
  return toi_larger(fabs(v[0]), toi_larger(fabs(v[1]), fabs(v[2])));
}

/* --- the net --- */

/* Whether E E^T is the unit matrix, nearly. Written so that NaN is not. */
static bool is_orthonormal(const double axes[3][3]) {
  bool good = true;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      good &= fabs(toi_dot(axes[i], axes[j]) - (i == j)) <= 0.25 * FRAME_ERROR;
  return good;
}

/* The largest magnitude of points and their displacements up to the time, in a coordinate. */
static double magnitude(const toi_piece *piece, double at) {
  const size_t stride = piece->root->stride;
  double most = 0;
  for (size_t k = 0; k < 3; k++) {
    const double *p = piece->net + k * stride, *v = p + 3 * stride;
    for (size_t i = 0; i < piece->root->count; i++)
      most = toi_larger(most, fabs(p[i]) + at * fabs(v[i]));
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
      s->net[k][i] = toi_dot(frame->axes[k], z) * frame->scale;
    s->net[3][i] = w;
  }
}

/* --- fields --- */

/* Velocities of the net, times its weights. */
static void place_velocities(const toi_separator_frame *frame, toi_separator_side *s) {
  const toi_root *root = s->piece->root;
  const size_t stride = root->stride;
  const double *v = s->piece->net + (root->rational ? TOI_NET_ROWS + 3 : 3) * stride;
  for (size_t i = 0; i < root->count; i++)
    for (int k = 0; k < 3; k++) {
      const double *e = frame->axes[k];
      s->velocity[k][i] = (e[0] * v[i] + e[1] * v[stride + i] + e[2] * v[2 * stride + i]) * frame->scale;
    }
}

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
      fastest = toi_larger(fastest, fabs(v[(size_t)k * stride + i]));
    }
  for (int k = 0; k < 3; k++) {
    const double middle = lo[k] == hi[k] ? lo[k] : 0.5 * lo[k] + 0.5 * hi[k],
                 way = toi_larger(hi[k] - middle, middle - lo[k]);
    s->field.shift[k] = middle;
    square += way * way;
  }
  s->moves = fastest > 0;
  s->velocity_error = SHIFT * frame->scale * fastest + (s->moves ? TINY : 0);
  s->stray = sqrt(square) * MORE + s->velocity_error;
  s->field_error[1] = 2 * SHIFT * most_of(s->field.shift);
  s->deforms = s->stray > DEFORMS * s->velocity_error;
  if (s->deforms)
    place_velocities(frame, s);
}

/* E [w] E^T, and scale E w x (o - c). */
static void set_turn(const toi_separator_frame *frame, const toi_turn *turn, toi_separator_side *s) {
  const double *w = turn->spin, (*e)[3] = frame->axes;
  double d[3], cross[3];
  for (int k = 0; k < 3; k++)
    d[k] = frame->origin[k] - turn->centre[k];
  toi_cross(w, d, cross);
  for (int i = 0; i < 3; i++) {
    s->field.shift[i] = toi_dot(e[i], cross) * frame->scale;
    for (int j = 0; j < 3; j++) {
      // Row i of E times w x (row j of E).
      double turned[3];
      toi_cross(w, e[j], turned);
      s->field.matrix[i][j] = toi_dot(e[i], turned);
    }
  }
  const double sum = fabs(w[0]) + fabs(w[1]) + fabs(w[2]), far = most_of(frame->origin) + most_of(turn->centre);
  s->field_error[0] = TURN * sum + 2 * turn->spin_error;
  s->field_error[1] = 2 * frame->scale * (sum * (turn->centre_error + CENTRE * far) + 2 * turn->spin_error * far);
  s->spin = (sqrt(toi_dot(w, w)) + 2 * turn->spin_error) * MORE;
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
  made->field_error[0] = made->field_error[1] = made->spin = made->stray = made->velocity_error = 0;
  made->deforms = false;
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

/* Where the side is within `span` of the time, and how fast, by coordinates: along the field, or along the velocities
 * of the net.
 */
static void sweep(toi_separator_side *s, double span, bool along_net, double fastest[3]) {
  const toi_affine *f = &s->field;
  double most[3] = {0}, far = 0, fast = 0;
  fastest[0] = fastest[1] = fastest[2] = 0;
  for (size_t i = 0; i < s->piece->root->count; i++) {
    const double w = s->net[3][i], y[3] = {s->net[0][i] / w, s->net[1][i] / w, s->net[2][i] / w};
    double v[3];
    for (int k = 0; k < 3; k++) {
      v[k] = along_net ? s->velocity[k][i] / w
                       : f->matrix[k][0] * y[0] + f->matrix[k][1] * y[1] + f->matrix[k][2] * y[2] + f->shift[k];
      fastest[k] = toi_larger(fastest[k], fabs(v[k]) * MORE);
      most[k] = toi_larger(most[k], fabs(y[k]) + span * fabs(v[k]));
    }
    far = toi_larger(far, fabs(y[0]) + fabs(y[1]) + fabs(y[2]));
    fast = toi_larger(fast, sqrt(toi_dot(v, v)));
  }
  const double unsure = s->field_error[0] * far + 2 * s->field_error[1];
  const double bend = 0.5 * span * span * s->spin * (fast + 2 * unsure);
  for (int k = 0; k < 3; k++)
    s->within[k] =
        (most[k] + span * unsure + bend + s->error + span * (along_net ? s->velocity_error : s->stray)) * MORE;
  toi_cubic_monomials(s->within, s->monomials);
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

/* Along the field: F's derivatives, what rounding and the field's errors change in them, and the remainder. */
static double follow_field(toi_separator_space *space, int side, const toi_cubic *f, int degree, double span) {
  const toi_separator_side *s = &space->side[side];
  toi_separator_form *form = &space->form[side];
  toi_cubic derivative[3] = {*f}, third;
  const double part[3] = {1, span, span * span};
  double error = 0, change[3];
  for (int order = 1; order < 3; order++) {
    toi_cubic *d = &derivative[order];
    toi_cubic_along(&derivative[order - 1], &s->field, d);
    for (int m = 0; order == 2 && m < TOI_CUBIC_TERMS; m++)
      d->term[m] *= 0.5;
    toi_separator_divide(space, side, d, degree, form->quotient[order]);
    error += ROUNDING(s->piece->root->count) * part[order] * toi_cubic_most(d, s->monomials);
  }
  field_errors(s, f, change);
  // A third of the derivative of L^2 F / 2 is a sixth of L^3 F.
  toi_cubic_along(&derivative[2], &s->field, &third);
  const double remainder = toi_cubic_most(&third, s->monomials) / 3 + change[2] / 6;
  return error + span * change[0] + span * span * (0.5 * change[1] + span * remainder);
}

/* Along the net's own velocities, of a quadric: what rounding changes. */
static double follow_net(toi_separator_space *space, int side, const toi_cubic *f, double span,
                         const double fastest[3]) {
  const toi_separator_side *s = &space->side[side];
  double first = 0, second = 0;
  toi_separator_divide_moving(space, side, f);
  for (int k = 0; k < 3; k++) {
    double slope = fabs(f->term[1 + k]);
    for (int l = 0; l < 3; l++) {
      const double bend = (k == l ? 2 : 1) * fabs(f->term[toi_term_times[1 + k][l]]);
      slope += bend * s->within[l];
      second += 0.5 * bend * fastest[k] * fastest[l];
    }
    first += slope * fastest[k];
  }
  return ROUNDING(s->piece->root->count) * span * (first + span * second);
}

double toi_separator_form_make(toi_separator_space *space, int side, const toi_cubic *f, int degree, double span) {
  toi_separator_side *s = &space->side[side];
  toi_separator_form *form = &space->form[side];
  const bool along_net = s->deforms && degree == 2;
  double fastest[3];
  form->orders = s->moves ? 3 : 1;
  sweep(s, s->moves ? span : 0, along_net, fastest);
  const double stray = along_net ? s->velocity_error : s->stray;
  double error = toi_cubic_slope_most(f, s->monomials) * (s->error + (s->moves ? span * stray : 0));
  error += ROUNDING(s->piece->root->count) * toi_cubic_most(f, s->monomials);
  toi_separator_divide(space, side, f, degree, form->quotient[0]);
  if (s->moves)
    error += along_net ? follow_net(space, side, f, span, fastest) : follow_field(space, side, f, degree, span);
  return error * MORE + TINY;
}
