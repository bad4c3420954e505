/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One motion after another, and one as seen from another, with their derivatives: (A B)' = A' B + A B' and
 * (A B)'' = A'' B + 2 A' B' + A B''. Products with the identity are left out, so that shifts stay exact. Entries of
 * rotations are kept within [-1, 1]: products of rotations are rotations, however wide the factors.
 *
 * Claim: the sums of products below hold what they are meant to hold. Why: let all ends be at most TAME in magnitude,
 * u = 2^-53, and m the sum of the largest magnitudes of n products. The ends of the products, and their sums, are
 * computed rounded to nearest.
 * - Each product is off by u of itself and 2^-1074, each of n - 1 sums by u of at most m (1 + n u): together n u m to
 *   first order, and u m more when the bound is added. For n = 3, 6, 9 this is 4, 7 and 10 u m; ROUNDING[order] m = 5,
 *   8, 12 u m has room for higher orders and the roundings of the bound itself.
 * - A sum of one product by 1 or -1 is exact, and one of products with zero only is zero.
 * - Where an end is not tame every operation is one of interval.h. */

#include "motion/stage.h"

#define TAME 0x1p300
#define UNDERFLOW 0x1p-1060

static const double ROUNDING[3] = {5 * TOI_UNIT, 8 * TOI_UNIT, 12 * TOI_UNIT};

static const toi_interval zero = {0, 0};

/* --- sums of products --- */

/* A motion's rotation, or the inverse of it. */
typedef struct factor {
  const toi_motion_jet *of;
  bool inverse;
  bool tame; /* and so is what it is multiplied by */
} factor;

/* A vector by order and row. */
typedef struct vector {
  toi_interval of[3][3];
} vector;

static inline toi_interval at(const factor *a, unsigned order, int row, int column) {
  return a->inverse ? a->of->rotation[order][column][row] : a->of->rotation[order][row][column];
}

static bool are_tame(const toi_interval *a, size_t count) {
  bool tame = true;
  for (size_t i = 0; i < count; i++)
    tame = tame && a[i].lo >= -TAME && a[i].hi <= TAME;
  return tame;
}

static inline bool is_unit(toi_interval a) {
  return a.lo == a.hi && fabs(a.lo) == 1;
}

/* The ends of a sum so far, rounded to nearest, and the sum of the magnitudes. */
typedef struct sum {
  double lo, hi, most;
  unsigned count; /* of products that are not zero */
  bool unit;      /* the last had a factor of 1 or -1 */
} sum;

/* Goes on by `weight` times a row of the matrix times a vector, of some orders. */
static inline void add_row(sum *s, const factor *a, unsigned order, int row, const toi_interval b[3], double weight) {
  for (int k = 0; k < 3; k++) {
    toi_interval x = at(a, order, row, k), y = b[k];
    if ((x.lo == 0 && x.hi == 0) || (y.lo == 0 && y.hi == 0))
      continue;
    double p = x.lo * y.lo, q = x.lo * y.hi, r = x.hi * y.lo, t = x.hi * y.hi;
    double lo1 = p < q ? p : q, hi1 = p < q ? q : p, lo2 = r < t ? r : t, hi2 = r < t ? t : r;
    double lo = lo1 < lo2 ? lo1 : lo2, hi = hi1 < hi2 ? hi2 : hi1;
    s->lo += weight * lo;
    s->hi += weight * hi;
    s->most += weight * (-lo < hi ? hi : -lo);
    s->count++;
    s->unit = is_unit(x) || is_unit(y);
  }
}

static inline toi_interval enclose(const sum *s, unsigned order) {
  if (s->count == 0 || (s->count == 1 && s->unit))
    return (toi_interval){s->lo, s->hi};
  double off = s->most * ROUNDING[order] + UNDERFLOW;
  return (toi_interval){s->lo - off, s->hi + off};
}

/* Element `row` of the product's derivative of this order. */
static toi_interval product_tame(const factor *a, const vector *b, unsigned order, int row) {
  sum s = {0, 0, 0, 0, false};
  for (unsigned k = 0; k <= order; k++)
    add_row(&s, a, order - k, row, b->of[k], order == 2 && k == 1 ? 2 : 1);
  return enclose(&s, order);
}

static toi_interval product_wild(const factor *a, const vector *b, unsigned order, int row) {
  toi_interval total = zero;
  for (unsigned k = 0; k <= order; k++)
    for (unsigned twice = order == 2 && k == 1 ? 2 : 1; twice > 0; twice--)
      for (int i = 0; i < 3; i++)
        total = toi_plus_product(total, at(a, order - k, row, i), b->of[k][i]);
  return total;
}

static vector turn_vector(const factor *a, const vector *b, unsigned order) {
  vector product = {{{{0, 0}}}};
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      product.of[k][i] = a->tame ? product_tame(a, b, k, i) : product_wild(a, b, k, i);
  return product;
}

/* The rotation of `by` after that of b, column by column. */
static void turn_rotation(const factor *by, const toi_motion_jet *b, unsigned order, toi_motion_jet *product) {
  for (int j = 0; j < 3; j++) {
    vector column = {{{{0, 0}}}};
    for (unsigned k = 0; k <= order; k++)
      for (int i = 0; i < 3; i++)
        column.of[k][i] = b->rotation[k][i][j];
    vector turned = turn_vector(by, &column, order);
    for (unsigned k = 0; k <= order; k++)
      for (int i = 0; i < 3; i++)
        product->rotation[k][i][j] = k == 0 ? toi_rotation_entry(turned.of[k][i]) : turned.of[k][i];
  }
}

static bool is_tame(const toi_motion_jet *jet, unsigned order) {
  return are_tame(jet->rotation[0][0], (order + 1) * 9) && are_tame(jet->translation[0], (order + 1) * 3);
}

/* --- the identity --- */

static bool is_identity(const toi_motion_jet *jet, unsigned order) {
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double entry = k == 0 && i == j ? 1 : 0;
        if (jet->rotation[k][i][j].lo != entry || jet->rotation[k][i][j].hi != entry)
          return false;
      }
  return true;
}

static void copy_rotation(const factor *from, unsigned order, toi_motion_jet *to) {
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        to->rotation[k][i][j] = at(from, k, i, j);
}

/* --- motions --- */

void toi_motion_jet_after(const toi_motion_jet *next, unsigned order, toi_motion_jet *jet) {
  vector moved = {{{{0, 0}}}};
  for (unsigned k = 0; k <= order; k++)
    memcpy(moved.of[k], jet->translation[k], sizeof(moved.of[k]));
  if (!is_identity(next, order)) {
    factor turn = {next, false, is_tame(next, order) && is_tame(jet, order)};
    moved = turn_vector(&turn, &moved, order);
    if (is_identity(jet, order)) {
      copy_rotation(&turn, order, jet);
    } else {
      toi_motion_jet turned = {0};
      turn_rotation(&turn, jet, order, &turned);
      memcpy(jet->rotation, turned.rotation, (order + 1) * sizeof(turned.rotation[0]));
    }
  }
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      jet->translation[k][i] = toi_interval_add(moved.of[k][i], next->translation[k][i]);
}

void toi_motion_jet_relative(const toi_motion_jet *first, const toi_motion_jet *second, unsigned order,
                             toi_motion_jet *relative) {
  assert(relative != first && relative != second && order <= 2);
  vector between = {{{{0, 0}}}};
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      between.of[k][i] = toi_interval_sub(first->translation[k][i], second->translation[k][i]);
  bool tame = is_tame(first, order) && is_tame(second, order);
  factor forward = {first, false, tame}, back = {second, true, tame};
  if (is_identity(second, order)) {
    copy_rotation(&forward, order, relative);
  } else {
    between = turn_vector(&back, &between, order);
    if (is_identity(first, order))
      copy_rotation(&back, order, relative);
    else
      turn_rotation(&back, first, order, relative);
  }
  memcpy(relative->translation, between.of, (order + 1) * sizeof(between.of[0]));
}
