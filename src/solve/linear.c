/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Small systems of linear equations with interval coefficients.
 *
 * Claim: what toi_linear_solve takes from x holds no solution, what toi_linear_enclose gives holds them all, and the
 * operator of Krawczyk holds what its formula gives for all real numbers in its arguments. Lemmas 10 and 11 of
 * docs/guarantees.md say what follows about zeros of functions. Inverses of points are rounded and promise nothing:
 * whatever is proved with them holds for any matrix. Why:
 *
 *   Row by row. Let A in M, c in b, A y = c, y in x. Row i says A_ij y_j = c_i - (sum over k < j) - (sum over k > j) of
 *   A_ik y_k. Products and sums are enclosed outward, the ones before j with x as shrunk so far, the ones after j with
 *   x as it was when the row began; y lies in both. So A_ij y_j = r for some r in the enclosure R of the right side.
 *   - 0 not in M_ij: y_j = r / A_ij lies in R / M_ij.
 *   - 0 in M_ij and in R: any y_j will do, as A_ij = r = 0 may be.
 *   - 0 in M_ij, R > 0 (else both change their sign): A_ij is not 0. If it is positive, y_j = r / A_ij is at least
 *     R.lo / M_ij.hi, if negative at most R.lo / M_ij.lo. y_j lies on one of these two half-lines, of which there is
 *     one for each sign that M_ij has; and in x_j: in the hull of what they leave of it.
 *   Where an end is infinite there is no bound on that side, so that the argument holds; no operation of
 *   number/interval.h or number/interval_branchless.h makes NaN of valid intervals. Sums before and after j are kept,
 *   so a row costs O(n).
 *
 *   LU. Elimination with a fixed order of pivots makes of a real matrix and a right side, by the four operations, the
 *   numbers that the interval elimination encloses, as long as no pivot is 0. The pivots chosen exclude 0. So it goes
 *   through for every real matrix in M, which is therefore regular, and its only solution is enclosed. Here it is that
 *   of Y M y = Y b, which every solution of M y = b fulfils, for any real Y; and if every matrix in the enclosure of
 *   Y M is regular, so is every one of M (and Y). Of the rows left, the one whose coefficient is farthest from 0 is the
 *   pivot.
 *
 *   Krawczyk. Each operation encloses; the sum of the largest magnitudes of a row is rounded up before it is compared
 *   with 1. */

#include "solve/linear.h"

#include "number/interval_branchless.h"

/* A width that shrinks less than by this factor is not worth another round, of which there are at most so many. */
#define WORTH 0.9
#define ROUNDS 8

/* Scaled to rows and columns of size one, a matrix with a smaller pivot is called singular. */
#define SMALLEST_PIVOT 0x1p-44

/* Of a row, what is not in the span of those before, in parts of it: less is called dependent. */
#define SMALLEST_REST 0x1p-40

static toi_interval zero(void) {
  return (toi_interval){0, 0};
}

/* --- points --- */

static void exchange(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

/* Gauss and Jordan with the largest pivot of all, in place, on a matrix whose entries are at most one. */
static bool invert_scaled(size_t n, toi_row *a) {
  size_t rows[TOI_UNKNOWNS], columns[TOI_UNKNOWNS];
  for (size_t k = 0; k < n; k++) {
    size_t r = k, c = k;
    for (size_t i = k; i < n; i++)
      for (size_t j = k; j < n; j++)
        if (fabs(a[i][j]) > fabs(a[r][c])) {
          r = i;
          c = j;
        }
    if (!(fabs(a[r][c]) >= SMALLEST_PIVOT))
      return false;
    rows[k] = r;
    columns[k] = c;
    for (size_t j = 0; j < n; j++)
      exchange(&a[k][j], &a[r][j]);
    for (size_t i = 0; i < n; i++)
      exchange(&a[i][k], &a[i][c]);
    // Unknown k changes places with right side k.
    double pivot = a[k][k];
    a[k][k] = 1;
    for (size_t j = 0; j < n; j++)
      a[k][j] /= pivot;
    for (size_t i = 0; i < n; i++) {
      double factor = a[i][k];
      if (i == k)
        continue;
      a[i][k] = 0;
      for (size_t j = 0; j < n; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  // Exchanges of rows become exchanges of the inverse's columns, the last one first, and the other way round.
  for (size_t k = n; k-- > 0;) {
    for (size_t i = 0; i < n; i++)
      exchange(&a[i][k], &a[i][rows[k]]);
    for (size_t j = 0; j < n; j++)
      exchange(&a[k][j], &a[columns[k]][j]);
  }
  return true;
}

/* The power of two that takes x > 0 into [1/2, 1). */
static int scale_of(double x) {
  return -toi_exponent_of(x);
}

/* x times 2 to a power: as ldexp(), which takes longer than all else here. */
static inline double scaled(double x, int power) {
  return power >= -1022 && power <= 1023 ? x * toi_power_of_two(power) : ldexp(x, power);
}

/* Scales each row, then each column, to a largest entry in [1/2, 1); false: one is zero, or not finite. */
static bool scale(size_t n, toi_row *a, int *rows, int *columns) {
  for (size_t i = 0; i < n; i++) {
    double most = 0;
    for (size_t j = 0; j < n; j++)
      most = fabs(a[i][j]) <= most ? most : fabs(a[i][j]);
    if (!(most > 0 && most <= DBL_MAX))
      return false;
    rows[i] = scale_of(most);
    for (size_t j = 0; j < n; j++)
      a[i][j] = scaled(a[i][j], rows[i]);
  }
  for (size_t j = 0; j < n; j++) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
      most = fmax(most, fabs(a[i][j]));
    if (!(most > 0))
      return false;
    columns[j] = scale_of(most);
    for (size_t i = 0; i < n; i++)
      a[i][j] = scaled(a[i][j], columns[j]);
  }
  return true;
}

bool toi_linear_inverse(size_t n, const toi_row *matrix, toi_row *inverse) {
  toi_row a[TOI_UNKNOWNS];
  int rows[TOI_UNKNOWNS], columns[TOI_UNKNOWNS];
  assert(0 < n && n <= TOI_UNKNOWNS);
  memcpy(a, matrix, n * sizeof *a);
  if (!scale(n, a, rows, columns) || !invert_scaled(n, a))
    return false;
  // With R and C the scales, (R A C)^-1 = C^-1 A^-1 R^-1.
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      inverse[i][j] = scaled(a[i][j], columns[i] + rows[j]);
      if (!(fabs(inverse[i][j]) <= DBL_MAX))
        return false;
    }
  return true;
}

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}

static void take_off(size_t n, double *a, double factor, const double *b) {
  for (size_t k = 0; k < n; k++)
    a[k] -= factor * b[k];
}

/* Row i of a becomes a unit vector orthogonal to those before; l[i] holds what it was made of. */
static bool orthogonal(size_t i, size_t n, toi_row *a, toi_row *l) {
  double whole = sqrt(dot(n, a[i], a[i]));
  for (size_t k = 0; k <= i; k++)
    l[i][k] = 0;
  // Twice is enough: what the first pass leaves along the others, by rounding, the second takes off.
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < i; k++) {
      double along = dot(n, a[i], a[k]);
      l[i][k] += along;
      take_off(n, a[i], along, a[k]);
    }
  double rest = sqrt(dot(n, a[i], a[i]));
  if (!(rest > whole * SMALLEST_REST && whole <= DBL_MAX))
    return false;
  l[i][i] = rest;
  for (size_t k = 0; k < n; k++)
    a[i][k] /= rest;
  return true;
}

/* With the steps y = x / w, J x = A y for A = J W. By the method of Gram and Schmidt A = L Q, L lower triangular and
 * the rows of Q orthonormal. The least y with A y = e is Q^T L^-1 e; so P L = Q^T is solved, the last column first, and
 * W P is the answer. */
bool toi_linear_right_inverse(size_t m, size_t n, const toi_row *jacobian, const double *weights, toi_row *inverse) {
  toi_row a[TOI_UNKNOWNS] = {{0}}, l[TOI_UNKNOWNS];
  int sizes[TOI_UNKNOWNS];
  assert(0 < m && m <= n && n <= TOI_UNKNOWNS);
  for (size_t i = 0; i < m; i++) {
    double most = 0;
    for (size_t j = 0; j < n; j++) {
      a[i][j] = jacobian[i][j] * weights[j];
      most = fabs(a[i][j]) <= most ? most : fabs(a[i][j]);
    }
    if (!(most > 0 && most <= DBL_MAX))
      return false;
    sizes[i] = scale_of(most);
    for (size_t j = 0; j < n; j++)
      a[i][j] = scaled(a[i][j], sizes[i]);
    if (!orthogonal(i, n, a, l))
      return false;
  }
  for (size_t j = m; j-- > 0;) {
    for (size_t i = j + 1; i < m; i++)
      take_off(n, a[j], l[i][j], a[i]);
    for (size_t k = 0; k < n; k++)
      a[j][k] /= l[j][j];
  }
  for (size_t k = 0; k < n; k++)
    for (size_t j = 0; j < m; j++) {
      inverse[k][j] = scaled(a[j][k], sizes[j]) * weights[k];
      if (!(fabs(inverse[k][j]) <= DBL_MAX))
        return false;
    }
  return true;
}

/* --- row by row --- */

/* Leaves of *x what solves m x = right, 0 in m: see above. False: nothing. */
static bool divide_extended(toi_interval right, toi_interval m, toi_interval *x) {
  if (toi_interval_contains(right, 0))
    return true;
  if (right.hi < 0) {
    right = toi_interval_neg(right);
    m = toi_interval_neg(m);
  }
  toi_interval above = *x, below = *x;
  bool positive =
      m.hi > 0 && toi_interval_intersect(*x, (toi_interval){toi_quotient_down(right.lo, m.hi), INFINITY}, &above);
  bool negative =
      m.lo < 0 && toi_interval_intersect(*x, (toi_interval){-INFINITY, toi_quotient_up(right.lo, m.lo)}, &below);
  if (positive && negative)
    *x = toi_interval_hull(below, above);
  else if (positive || negative)
    *x = positive ? above : below;
  return positive || negative;
}

/* What one equation says about each of its unknowns. */
static bool apply_row(size_t n, const toi_interval *m, toi_interval b, toi_interval *x) {
  toi_interval after[TOI_UNKNOWNS], before = zero();
  after[n - 1] = zero();
  for (size_t j = n - 1; j > 0; j--)
    after[j - 1] = toi_branchless_add(after[j], toi_branchless_mul(m[j], x[j]));
  for (size_t j = 0; j < n; j++) {
    toi_interval right = toi_branchless_sub(b, toi_branchless_add(before, after[j]));
    bool some = toi_interval_contains(m[j], 0) ? divide_extended(right, m[j], &x[j])
                                               : toi_interval_intersect(x[j], toi_interval_div(right, m[j]), &x[j]);
    if (!some)
      return false;
    before = toi_branchless_add(before, toi_branchless_mul(m[j], x[j]));
  }
  return true;
}

/* Whether x became much smaller than it was, or got an end. */
static bool is_worth_it(toi_interval was, toi_interval x) {
  double width = toi_interval_width(was);
  if (width > DBL_MAX && was.lo < -DBL_MAX && x.lo >= -DBL_MAX)
    return true;
  if (width > DBL_MAX && was.hi > DBL_MAX && x.hi <= DBL_MAX)
    return true;
  return width <= DBL_MAX && width > 0 && toi_interval_width(x) <= WORTH * width;
}

bool toi_linear_solve(size_t m, size_t n, const toi_interval_row *matrix, const toi_interval *b, toi_interval *x) {
  assert(0 < n && n <= TOI_UNKNOWNS && m <= TOI_EQUATIONS);
  bool worth_it = true;
  for (int round = 0; round < ROUNDS && worth_it; round++) {
    toi_interval was[TOI_UNKNOWNS];
    memcpy(was, x, n * sizeof *x);
    for (size_t i = 0; i < m; i++)
      if (!apply_row(n, matrix[i], b[i], x))
        return false;
    worth_it = false;
    for (size_t j = 0; j < n; j++)
      worth_it = worth_it || is_worth_it(was[j], x[j]);
  }
  return true;
}

/* --- LU --- */

/* The sum of y_k f_k, y real. */
static toi_interval combine(size_t n, const double *y, const toi_interval *f) {
  toi_interval sum = zero();
  for (size_t k = 0; k < n; k++)
    sum = toi_branchless_add(sum, toi_branchless_mul(toi_interval_point(y[k]), f[k]));
  return sum;
}

/* Row y of a real matrix times column j. */
static toi_interval times_column(size_t n, const double *y, const toi_interval_row *matrix, size_t j) {
  toi_interval column[TOI_UNKNOWNS];
  for (size_t k = 0; k < n; k++)
    column[k] = matrix[k][j];
  return combine(n, y, column);
}

static bool is_bounded(size_t n, const toi_interval_row *matrix) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      if (!(toi_interval_magnitude(matrix[i][j]) <= DBL_MAX))
        return false;
  return true;
}

/* Brings the row whose entry k is farthest from 0 to place k; false: none excludes 0. */
static bool choose_pivot(size_t n, size_t k, toi_interval_row *a, toi_interval *b) {
  size_t best = k;
  for (size_t i = k + 1; i < n; i++)
    if (toi_interval_least_magnitude(a[i][k]) > toi_interval_least_magnitude(a[best][k]))
      best = i;
  if (!(toi_interval_least_magnitude(a[best][k]) > 0))
    return false;
  for (size_t j = k; j < n; j++) {
    toi_interval entry = a[k][j];
    a[k][j] = a[best][j];
    a[best][j] = entry;
  }
  toi_interval entry = b[k];
  b[k] = b[best];
  b[best] = entry;
  return true;
}

/* In place. */
static bool eliminate(size_t n, toi_interval_row *a, toi_interval *b) {
  for (size_t k = 0; k < n; k++) {
    if (!choose_pivot(n, k, a, b))
      return false;
    for (size_t i = k + 1; i < n; i++) {
      toi_interval factor = toi_interval_div(a[i][k], a[k][k]);
      for (size_t j = k + 1; j < n; j++)
        a[i][j] = toi_branchless_sub(a[i][j], toi_branchless_mul(factor, a[k][j]));
      b[i] = toi_branchless_sub(b[i], toi_branchless_mul(factor, b[k]));
    }
  }
  return true;
}

bool toi_linear_enclose(size_t n, const toi_interval_row *matrix, const toi_interval *b, toi_interval *x) {
  toi_interval_row a[TOI_UNKNOWNS];
  toi_interval right[TOI_UNKNOWNS];
  toi_row middle[TOI_UNKNOWNS], inverse[TOI_UNKNOWNS];
  assert(0 < n && n <= TOI_UNKNOWNS);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      middle[i][j] = toi_interval_midpoint(matrix[i][j]);
  if (!is_bounded(n, matrix) || !toi_linear_inverse(n, (const toi_row *)middle, inverse))
    return false;
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++)
      a[i][j] = times_column(n, inverse[i], matrix, j);
    right[i] = combine(n, inverse[i], b);
  }
  if (!eliminate(n, a, right))
    return false;
  for (size_t i = n; i-- > 0;) {
    for (size_t j = i + 1; j < n; j++)
      right[i] = toi_branchless_sub(right[i], toi_branchless_mul(a[i][j], x[j]));
    x[i] = toi_interval_div(right[i], a[i][i]);
  }
  return true;
}

/* --- Krawczyk --- */

void toi_linear_krawczyk(size_t n, const toi_interval_row *jacobian, const toi_interval *f, const toi_row *y,
                         const double *centre, const toi_interval *box, toi_interval *result, bool *contracts) {
  assert(0 < n && n <= TOI_UNKNOWNS);
  toi_interval away[TOI_UNKNOWNS];
  for (size_t j = 0; j < n; j++)
    away[j] = toi_branchless_sub(box[j], toi_interval_point(centre[j]));
  bool all = true;
  for (size_t i = 0; i < n; i++) {
    double size = 0;
    toi_interval sum = toi_branchless_sub(toi_interval_point(centre[i]), combine(n, y[i], f));
    for (size_t j = 0; j < n; j++) {
      toi_interval entry = toi_branchless_sub(toi_interval_point(i == j), times_column(n, y[i], jacobian, j));
      size = toi_sum_up(size, toi_interval_magnitude(entry));
      sum = toi_branchless_add(sum, toi_branchless_mul(entry, away[j]));
    }
    all = all && size < 1;
    result[i] = sum;
  }
  if (contracts)
    *contracts = all;
}
