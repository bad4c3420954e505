/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A separator, found and examined: a quadric, and where it fails a cubic.
 *
 * Claim: nothing of the two pieces is within the separation d outside of result->left, at times of the span.
 * Why: let F >= f on the first piece and F <= g on the second from s0 to s1, all errors counted. Were two points within
 *   d of each other, F would differ by at most d times the largest |grad F| on the segment between them, which lies in
 *   the box around both; so f - g > d scale |grad F| is impossible. (With the largest-coordinate norm, within sqrt 3
 * d.) The comparison's own rounding is far below what MORE adds. */

#include "surface/separator.h"

#include "number/vector.h"

#include <math.h>
#include <string.h>

#define MORE (1 + 0x1p-30)
#define SQRT_3 1.7320509

/* Of coefficients of |grad F|^2, which are sums of at most six products of three numbers each. */
#define SQUARE_ROUNDING (32 * TOI_UNIT)

/* Of a quadric: |grad F|^2 and, in *bend, the norm of its second derivative, both up to a few roundings. */
static toi_cubic slope_square(const toi_cubic *f, double *bend) {
  toi_cubic square = {{0}};
  *bend = 0;
  for (int k = 0; k < 3; k++) {
    double line[4] = {f->term[1 + k]};
    for (int l = 0; l < 3; l++) {
      line[1 + l] = (k == l ? 2 : 1) * f->term[toi_term_times[1 + k][l]];
      *bend += line[1 + l] * line[1 + l];
    }
    // Term l of the line is 1, x, y or z, which have these numbers.
    for (int l = 0; l < 4; l++)
      for (int m = 0; m < 4; m++)
        square.term[l == 0 ? m : m == 0 ? l : toi_term_times[l][m - 1]] += line[l] * line[m];
  }
  *bend = sqrt(*bend);
  return square;
}

/* At least |grad F| within a local distance of the first piece. */
static double slope_near(const toi_separator_question *q, toi_separator_space *space, const toi_cubic *f, double span,
                         double distance) {
  double bend;
  const toi_cubic square = slope_square(f, &bend);
  const double error = toi_separator_form_make(space, 0, &square, 2, span);
  const double most = -toi_separator_form_least(&space->form[0], -1, q->times.lo - q->at, q->times.hi - q->at);
  const double rounded = SQUARE_ROUNDING * toi_cubic_slope_most(f, space->side[0].monomials);
  return (sqrt(most + error + rounded * toi_cubic_slope_most(f, space->side[0].monomials)) + distance * bend) * MORE;
}

/* What F must differ by between the two sides' quotients, for the separation and all errors. */
static double margin_of(const toi_separator_question *q, toi_separator_space *space, const toi_separator_frame *frame,
                        const toi_cubic *f, int degree) {
  const double span = toi_larger(q->times.hi - q->at, q->at - q->times.lo) * MORE;
  const double distance = q->separation * (q->norm == TOI_NORM_L2 ? 1 : SQRT_3) * frame->scale * MORE;
  const double near = distance > 0 && degree == 2 ? slope_near(q, space, f, span, distance) : INFINITY;
  double margin =
      toi_separator_form_make(space, 0, f, degree, span) + toi_separator_form_make(space, 1, f, degree, span);
  if (distance > 0) {
    double box[3], monomials[TOI_CUBIC_TERMS];
    for (int k = 0; k < 3; k++)
      box[k] = toi_larger(space->side[0].within[k], space->side[1].within[k]);
    toi_cubic_monomials(box, monomials);
    const double most = toi_cubic_slope_most(f, monomials);
    margin += distance * (near < most ? near : most);
  }
  return margin * MORE;
}

/* By how much F differs from s0 to s1. */
static double difference(const toi_separator_space *space, double s0, double s1) {
  return toi_separator_form_least(&space->form[0], 1, s0, s1) + toi_separator_form_least(&space->form[1], -1, s0, s1);
}

/* The largest difference of quotients in a row, or in a column. */
static double variation(const toi_separator_form *form, size_t columns, bool along_columns) {
  const size_t rows = form->count / columns, lines = along_columns ? columns : rows;
  double most = 0;
  for (size_t i = 0; i < lines; i++) {
    double lo = INFINITY, hi = -INFINITY;
    for (size_t j = 0; j < (along_columns ? rows : columns); j++) {
      const double x = form->quotient[0][along_columns ? j * columns + i : i * columns + j];
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
    }
    most = toi_larger(most, hi - lo);
  }
  return most;
}

/* Of a triangle there is one, of all quotients. */
static void set_variation(const toi_separator_form *form, const toi_patch *patch, int degree, double result[2]) {
  const bool quad = patch->shape == TOI_PATCH_QUAD;
  const size_t columns = quad ? (size_t)degree * patch->degree[1] + 1 : form->count;
  result[0] = quad ? variation(form, columns, true) : variation(form, columns, false);
  result[1] = variation(form, columns, false);
}

/* What one polynomial says. */
static void examine(const toi_separator_question *q, const toi_separator_space *space, double margin,
                    toi_separator_result *result) {
  const double s0 = q->times.lo - q->at, s1 = q->times.hi - q->at, middle = 0.5 * s0 + 0.5 * s1;
  const double whole = difference(space, s0, s1);
  result->gap = whole - margin;
  result->apart = whole > margin;
  result->left = q->times;
  result->apart_at_once = result->apart;
  if (result->apart)
    return;
  if (space->form[0].orders == 1 && space->form[1].orders == 1)
    return;
  // Half of the span is better than none. Its end is rounded inward by more than the differences above.
  const double cut = q->at + middle, inward = 8 * TOI_UNIT * (fabs(q->at) + fabs(s0) + fabs(s1));
  if (difference(space, s0, middle) > margin && cut - inward > q->times.lo)
    result->left.lo = cut - inward;
  else if (difference(space, middle, s1) > margin && cut + inward < q->times.hi)
    result->left.hi = cut + inward;
  result->apart_at_once = difference(space, middle, middle) > margin;
}

/* How far samples are from a plane, roughly. */
static double thickness(const toi_separator_samples *samples) {
  double most = 0;
  for (int side = 0; side < 2; side++) {
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < samples->lines[side][0] * samples->lines[side][1]; i++) {
      const double z = samples->at[side][i][2];
      lo = z < lo ? z : lo;
      hi = z > hi ? z : hi;
    }
    most = toi_larger(most, hi - lo);
  }
  return most;
}

void toi_separator_test(const toi_separator_question *question, toi_separator_space *space,
                        toi_separator_result *result) {
  *result = (toi_separator_result){.left = question->times};
  toi_separator_frame frame;
  memset(space->samples.axis, 0, sizeof space->samples.axis);
  for (int side = 0; side < 2; side++)
    toi_separator_sample(question, side, &space->samples);
  if (!toi_separator_place(&space->samples, &frame))
    return;
  for (int side = 0; side < 2; side++)
    if (!toi_separator_side_make(question, side, &frame, &space->side[side]))
      return;
  result->thickness = thickness(&space->samples);
  for (int degree = 2; degree <= 3; degree++) {
    toi_cubic f;
    toi_separator_fit(&space->samples, degree, &f);
    for (int side = 0; degree == 2 && side < 2; side++)
      toi_separator_square(space, side);
    examine(question, space, margin_of(question, space, &frame, &f, degree), result);
    if (result->apart || result->apart_at_once)
      return;
    for (int side = 0; degree == 3 && side < 2; side++)
      set_variation(&space->form[side], question->piece[side]->root->patch, degree, result->variation[side]);
  }
}
