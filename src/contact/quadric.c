/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Fitting a separating quadric. In a frame of unit size whose z axis is the normal, F = z + a0 + a1 x + ... + a8 z^2 is
 * to be c on the first piece and -c on the second, c unknown like the a: linear least squares, by modified Gram-Schmidt
 * with the largest column first. Columns that depend on those before, up to rounding, are left out. Pieces that are
 * nearly flat hardly determine the terms with z; a row for each a, weighted lightly, keeps these from following the
 * motion of a piece from sample to sample. */

#include "contact/quadric.h"

#include "solve/vector.h"

/* 1, x, y, xx, xy, yy, xz, yz, zz, and 1 or -1. */
#define COLUMNS 10

/* What is left of a column of length 1 when it depends on others. */
#define DEPENDENT 1e-13

/* The weight of the rows that keep the a small: they are about 1 in a frame of unit size, or less. */
#define LIGHT 1e-6

typedef struct fit {
  size_t rows;
  double column[COLUMNS + 1][TOI_QUADRIC_SAMPLES + COLUMNS]; /* the last one is -z */
  double length[COLUMNS];                                    /* that a column was divided by */
  size_t order[COLUMNS];
  double upper[COLUMNS][COLUMNS + 1]; /* by step and column */
} fit;

static double dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static void set_rows(const toi_quadric_samples *s, double frame[3][3], fit *f) {
  f->rows = s->count + COLUMNS;
  for (size_t i = 0; i < s->count; i++) {
    double x = toi_plain_dot3(frame[0], s->point[i]) / s->size, y = toi_plain_dot3(frame[1], s->point[i]) / s->size;
    double z = toi_plain_dot3(frame[2], s->point[i]) / s->size;
    const double row[COLUMNS + 1] = {1, x, y, x * x, x * y, y * y, x * z, y * z, z * z, i < s->second ? -1 : 1, -z};
    for (size_t j = 0; j <= COLUMNS; j++)
      f->column[j][i] = row[j];
  }
  for (size_t i = 0; i < COLUMNS; i++)
    for (size_t j = 0; j <= COLUMNS; j++)
      f->column[j][s->count + i] = i == j ? LIGHT : 0;
}

/* The columns become orthonormal, those that are independent first. Gives how many there are. */
static size_t orthogonalise(fit *f) {
  for (size_t j = 0; j < COLUMNS; j++) {
    f->order[j] = j;
    f->length[j] = sqrt(dot(f->column[j], f->column[j], f->rows));
    for (size_t i = 0; i < f->rows && f->length[j] > 0; i++)
      f->column[j][i] /= f->length[j];
  }
  for (size_t k = 0; k < COLUMNS; k++) {
    size_t best = k;
    double most = 0;
    for (size_t j = k; j < COLUMNS; j++) {
      double square = dot(f->column[f->order[j]], f->column[f->order[j]], f->rows);
      if (square > most) {
        most = square;
        best = j;
      }
    }
    if (!(most > DEPENDENT * DEPENDENT))
      return k;
    size_t now = f->order[best];
    f->order[best] = f->order[k];
    f->order[k] = now;
    double length = sqrt(most), *q = f->column[now];
    f->upper[k][now] = length;
    for (size_t i = 0; i < f->rows; i++)
      q[i] /= length;
    for (size_t j = k + 1; j <= COLUMNS; j++) {
      double *other = f->column[j < COLUMNS ? f->order[j] : COLUMNS], along = dot(q, other, f->rows);
      f->upper[k][j < COLUMNS ? f->order[j] : COLUMNS] = along;
      for (size_t i = 0; i < f->rows; i++)
        other[i] -= along * q[i];
    }
  }
  return COLUMNS;
}

/* Back substitution; what was left out is 0. */
static void solve(const fit *f, size_t rank, double a[COLUMNS]) {
  for (size_t j = 0; j < COLUMNS; j++)
    a[j] = 0;
  for (size_t k = rank; k-- > 0;) {
    double rest = f->upper[k][COLUMNS];
    for (size_t j = k + 1; j < rank; j++)
      rest -= f->upper[k][f->order[j]] * a[f->order[j]];
    a[f->order[k]] = rest / f->upper[k][f->order[k]];
  }
  for (size_t j = 0; j < COLUMNS; j++)
    a[j] = f->length[j] > 0 ? a[j] / f->length[j] : 0;
}

bool toi_quadric_fit(const toi_quadric_samples *samples, toi_quadric *quadric) {
  double frame[3][3], a[COLUMNS], size = samples->size;
  assert(samples->count <= TOI_QUADRIC_SAMPLES);
  memcpy(frame[2], samples->normal, sizeof frame[2]);
  toi_plain_across3(frame[2], frame[0], frame[1]);
  fit f;
  set_rows(samples, frame, &f);
  solve(&f, orthogonalise(&f), a);
  const double linear[3] = {a[1], a[2], 1};
  const double square[3][3] = {{a[3], a[4] / 2, a[6] / 2}, {a[4] / 2, a[5], a[7] / 2}, {a[6] / 2, a[7] / 2, a[8]}};
  bool fine = true;
  for (int i = 0; i < 3; i++) {
    quadric->linear[i] = 0;
    for (int k = 0; k < 3; k++)
      quadric->linear[i] += linear[k] * frame[k][i] / size;
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += frame[k][i] * square[k][l] * frame[l][j];
      quadric->quadratic[i][j] = sum / (size * size);
      fine = fine && fabs(quadric->quadratic[i][j]) <= DBL_MAX;
    }
    fine = fine && fabs(quadric->linear[i]) <= DBL_MAX;
  }
  return fine;
}
