/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Fitting a separator: a local frame across both pieces, and least squares. Nothing here is proved or needs to be; the
 * operations are those of IEEE 754 in a fixed order, so that answers are the same bits everywhere.
 *
 * F = z + sum a_m y^m is to be +c on the first piece and -c on the second, and to change by d on either from the start
 * of the span to its middle, and by as much again to its end: the a_m, c and both d unknown. Where the pieces are
 * almost flat, or parts of cylinders, some monomials are sums of others on all samples, or nearly: a square of each
 * unknown, weighted lightly, keeps these small, and from following the motion of a piece from sample to sample. */

#include "solve/separator_fit.h"

#include "solve/linear.h"
#include "solve/vector.h"

/* Squares of directions that differ by less, in radians, count as one; how much of a direction that is across all lines
 * is taken where the way between the pieces is along them; and how often the direction is improved. */
#define SAME 1e-2
#define ANY 1e-9
#define ROUNDS 8

/* Cosines of angles with the last axis from which on a direction is not taken for another one. */
#define STEEP 0.9

/* Unknowns: F's terms but z, those of degree three only in x and y; both d; and c. */
#define QUADRIC_UNKNOWNS 12
#define UNKNOWNS 16
#define OTHERS 3
static const uint8_t unknown_term[UNKNOWNS - OTHERS] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16};

/* What squares of unknowns, about 1 in a frame of unit size, or less, count beside those of samples; and beside 1 on
 * the diagonal, so that elimination goes through whatever was rounded. */
#define LIGHT 1e-14
#define DEPENDENT 1e-13

/* --- the frame --- */

/* Unit vectors along the two middle lines of a grid; zero where there is none. */
static void find_lines(const toi_separator_samples *samples, int side, double along[2][3]) {
  const size_t m = samples->lines[side][0], n = samples->lines[side][1];
  const size_t ends[2][2] = {{n / 2, (m - 1) * n + n / 2}, {m / 2 * n, m / 2 * n + n - 1}};
  for (int line = 0; line < 2; line++) {
    for (int k = 0; k < 3; k++)
      along[line][k] = samples->at[side][ends[line][1]][k] - samples->at[side][ends[line][0]][k];
    toi_plain_unit3(along[line]);
  }
}

/* The direction across all lines: powers of the inverse of the sum of their squares grow along it. Two curves that are
 * parallel leave many, of which it is the one from one to the other. */
static bool find_across(double along[2][2][3], const double between[3], double across[3]) {
  toi_row sum[3] = {{0}}, inverse[3];
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++) {
      sum[k][l] = k == l ? SAME : 0;
      for (int i = 0; i < 4; i++)
        sum[k][l] += along[i / 2][i % 2][k] * along[i / 2][i % 2][l];
    }
  if (!toi_linear_inverse(3, (const toi_row *)sum, inverse))
    return false;
  int most = 0;
  for (int k = 1; k < 3; k++)
    most = inverse[k][k] > inverse[most][most] ? k : most;
  memcpy(across, between, 3 * sizeof(double));
  toi_plain_unit3(across);
  across[most] += ANY;
  bool fine = true;
  for (int round = 0; round < ROUNDS && fine; round++) {
    const double from[3] = {across[0], across[1], across[2]};
    for (int k = 0; k < 3; k++)
      across[k] = toi_dot(inverse[k], from);
    fine = toi_plain_unit3(across);
  }
  return fine;
}

/* Takes off a vector of length 1 what it has along another one, to the last places: twice is enough. */
static void turn_across(const double other[3], double a[3]) {
  for (int round = 0; round < 2; round++) {
    const double part = toi_dot(a, other);
    for (int k = 0; k < 3; k++)
      a[k] -= part * other[k];
    toi_plain_unit3(a);
  }
}

/* The first axis goes along the axis of a turn, or along a line: derivatives of round polynomials along a turn have few
 * terms then, so that their bounds are close. */
static void complete(const double turn[3], const double line[3], double axes[3][3]) {
  const bool turns = toi_dot(turn, turn) > 0.5 && fabs(toi_dot(turn, axes[2])) < STEEP;
  const double *along = turns ? turn : line;
  if (turns)
    turn_across(turn, axes[2]);
  toi_plain_across3(axes[2], axes[0], axes[1]);
  if (fabs(toi_dot(along, axes[2])) > STEEP || toi_dot(along, along) < 0.5)
    return;
  memcpy(axes[0], along, sizeof axes[0]);
  turn_across(axes[2], axes[0]);
  toi_cross(axes[2], axes[0], axes[1]);
}

static bool make_frame(const toi_separator_samples *samples, toi_separator_frame *frame) {
  double middle[2][3] = {{0}}, along[2][2][3], between[3], far = 0;
  for (int side = 0; side < 2; side++) {
    const size_t count = samples->lines[side][0] * samples->lines[side][1];
    for (size_t i = 0; i < count; i++)
      for (int k = 0; k < 3; k++)
        middle[side][k] += samples->at[side][i][k] / (double)count;
    find_lines(samples, side, along[side]);
  }
  for (int k = 0; k < 3; k++) {
    frame->origin[k] = 0.5 * middle[0][k] + 0.5 * middle[1][k];
    between[k] = middle[0][k] - middle[1][k];
  }
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < samples->lines[side][0] * samples->lines[side][1]; i++)
      far = fmax(far, toi_plain_distance3(samples->at[side][i], frame->origin));
  if (!(far > ldexp(1, -TOI_SEPARATOR_SCALE_MOST)) || !(far < ldexp(1, TOI_SEPARATOR_SCALE_MOST)) ||
      !find_across(along, between, frame->axes[2]))
    return false;
  int exponent;
  (void)frexp(far, &exponent);
  frame->scale = ldexp(1, -exponent);
  complete(samples->axis, along[0][0], frame->axes);
  return true;
}

bool toi_separator_place(toi_separator_samples *samples, toi_separator_frame *frame) {
  if (!make_frame(samples, frame))
    return false;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < samples->count[side]; i++) {
      double *x = samples->at[side][i], d[3];
      for (int k = 0; k < 3; k++)
        d[k] = (x[k] - frame->origin[k]) * frame->scale;
      for (int k = 0; k < 3; k++)
        x[k] = toi_dot(frame->axes[k], d);
    }
  return true;
}

/* --- least squares --- */

typedef struct normal_equations {
  int size;
  double matrix[UNKNOWNS][UNKNOWNS + 1]; /* upper triangle; the last column: the right side */
} normal_equations;

/* later: -1, 0 or 1 at the start, middle and end. */
static void add_sample(normal_equations *n, const double y[3], int side, double later, double weight) {
  const int terms = n->size - OTHERS;
  double monomials[TOI_CUBIC_TERMS], row[UNKNOWNS + 1];
  toi_cubic_monomials(y, monomials);
  for (int i = 0; i < terms; i++)
    row[i] = monomials[unknown_term[i]];
  row[terms] = side == 0 ? later : 0;
  row[terms + 1] = side == 0 ? 0 : later;
  row[terms + 2] = side == 0 ? -1 : 1;
  row[n->size] = -y[2];
  for (int i = 0; i < n->size; i++) {
    const double factor = weight * row[i];
    for (int j = i; j <= n->size && factor != 0; j++)
      n->matrix[i][j] += factor * row[j];
  }
}

/* Gaussian elimination of a positive definite matrix, rows and columns scaled to ones on the diagonal. */
static void solve(normal_equations *n, double solution[UNKNOWNS]) {
  double scale[UNKNOWNS], (*m)[UNKNOWNS + 1] = n->matrix;
  for (int i = 0; i < n->size; i++) {
    m[i][i] += LIGHT;
    scale[i] = 1 / sqrt(m[i][i]);
    for (int k = 0; k <= i; k++)
      m[k][i] *= scale[k] * scale[i];
    m[i][i] += DEPENDENT;
    m[i][n->size] *= scale[i];
  }
  for (int k = 0; k < n->size; k++)
    for (int i = k + 1; i < n->size; i++) {
      const double factor = m[k][i] / m[k][k];
      for (int j = i; j <= n->size; j++)
        m[i][j] -= factor * m[k][j];
    }
  for (int i = n->size - 1; i >= 0; i--) {
    double rest = m[i][n->size];
    for (int j = i + 1; j < n->size; j++)
      rest -= m[i][j] * solution[j];
    solution[i] = rest / m[i][i];
  }
  for (int i = 0; i < n->size; i++)
    solution[i] *= scale[i];
}

void toi_separator_fit(const toi_separator_samples *samples, int degree, toi_cubic *f) {
  normal_equations n = {.size = degree == 3 ? UNKNOWNS : QUADRIC_UNKNOWNS};
  for (int side = 0; side < 2; side++) {
    const size_t count = samples->count[side], middle = samples->lines[side][0] * samples->lines[side][1];
    for (size_t i = 0; i < count; i++) {
      const double later = i < middle ? 0 : 2 * i < middle + count ? -1 : 1;
      add_sample(&n, samples->at[side][i], side, later, 1 / (double)count);
    }
  }
  double solution[UNKNOWNS];
  solve(&n, solution);
  const double sign = solution[n.size - 1] < 0 ? -1 : 1;
  *f = (toi_cubic){.term = {[3] = sign}};
  for (int i = 0; i < n.size - OTHERS; i++)
    f->term[unknown_term[i]] = sign * solution[i];
}
