/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The sign of a determinant: in floating point where its value is beyond the error, in integers otherwise.
 *
 * Claim: |value - det| <= 48 u Dx Dy Dz, with u = 2^-53 and D the largest computed |difference| on each axis, if
 * each D lies in [2^-300, 2^300].
 * Why: the exact differences X are x (1 + e) with |e| <= u / (1 - u), x the computed ones: subtraction has no underflow
 * that is not exact. So each of the six products X Y Z differs from x y z by at most (3 u + O(u^2)) D, D = Dx Dy Dz: 18
 * u. From x, y, z on, in units of u:
 * - a minor y z' - y' z: products 1 and 1, and the difference, at most 2 Dy Dz, 2: 4 Dy Dz;
 * - times x: 4 D from the minor, and the product, at most 2 D, 2: 6 D; three of them: 18 D;
 * - the sum of two, at most 4 D: 4 D; of all, at most 6 D: 6 D.
 * Together 18 + 18 + 10 = 46, up to terms of order u^2 (a few hundred of them) and of underflow: a product of two
 * differences is off by 2^-1075 at most beyond its relative error, against u Dy Dz >= 2^-653, a product of three
 * likewise against 2^-953. The bound itself, three rounded products, is short by 3 u of its value at most. 48 covers
 * all of it. Nothing overflows: 8 D <= 2^903.
 *
 * If a D is 0 all four points have the same coordinate there, as x - y rounds to 0 only if x = y, and det is 0.
 *
 * Claim: the integers fit in INTEGER_LIMBS. Why: on each axis the coordinates are integers below 2^2098 once divided by
 * the lowest bit of any (scaling an axis by a positive number leaves the sign), so that differences have at most 33
 * limbs; X = 35 covers each integer with what its making takes. 12 coordinates and 9 differences: 21 X. Three minors of
 * 2 X, and their products on the way, 4 X: 10 X. The sum of three products of 3 X, with one of them and a sum on the
 * way: 9 X. Together 40 X = 1400. */

#include "number/orientation.h"

#include <assert.h>
#include <math.h>

#include "base/internal.h"
#include "number/integer.h"

#define INTEGER_LIMBS 2048

static double larger(double a, double b) {
  return a > b ? a : b;
}

toi_volume toi_orientation_volume(const double a[3], const double b[3], const double c[3], const double d[3]) {
  double x[3][3], size = TOI_ORIENTATION_ROUNDINGS * 0x1p-53;
  bool flat = false, known = true;
  for (int axis = 0; axis < 3; axis++) {
    x[0][axis] = a[axis] - d[axis];
    x[1][axis] = b[axis] - d[axis];
    x[2][axis] = c[axis] - d[axis];
    double most = larger(fabs(x[0][axis]), larger(fabs(x[1][axis]), fabs(x[2][axis])));
    flat |= most == 0;
    known &= most >= TOI_ORIENTATION_SMALLEST && most <= TOI_ORIENTATION_LARGEST;
    size *= most;
  }
  if (flat)
    return (toi_volume){0, 0};
  if (!known)
    return (toi_volume){0, INFINITY};
  double along_x = x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]);
  double along_y = x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]);
  double along_z = x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
  return (toi_volume){along_x + along_y + along_z, size};
}

void toi_orientation_signs(const double (*const points[4])[TOI_ORIENTATIONS], size_t count,
                           int signs[TOI_ORIENTATIONS]) {
  assert(count <= TOI_ORIENTATIONS);
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2) {
    toi_orientation_signs_avx2(points, count, signs);
    return;
  }
#endif
  toi_orientation_signs_two(points, count, signs);
}

int toi_orientation_exact(const double a[3], const double b[3], const double c[3], const double d[3]) {
  const double *points[4] = {a, b, c, d};
  toi_limb memory[INTEGER_LIMBS];
  toi_arena arena = toi_arena_make(memory, sizeof memory);
  toi_integer x[3][3];
  for (int axis = 0; axis < 3; axis++) {
    int lowest = INT32_MAX;
    for (int i = 0; i < 4; i++) {
      int exponent;
      int64_t mantissa = toi_double_split(points[i][axis], &exponent);
      lowest = mantissa != 0 && exponent < lowest ? exponent : lowest;
    }
    toi_integer origin = toi_integer_from_double(&arena, d[axis], lowest);
    for (int i = 0; i < 3; i++)
      x[i][axis] = toi_integer_subtract(&arena, toi_integer_from_double(&arena, points[i][axis], lowest), origin);
  }
  toi_integer pairs[3][2];
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    pairs[axis][0] = x[0][axis];
    pairs[axis][1] = toi_integer_determinant(&arena, x[1][y], x[2][z], x[1][z], x[2][y]);
  }
  return toi_integer_sign(toi_integer_dot(&arena, (const toi_integer(*)[2])pairs, 3));
}

int toi_orientation(const double a[3], const double b[3], const double c[3], const double d[3]) {
  toi_volume volume = toi_orientation_volume(a, b, c, d);
  if (volume.value > volume.bound)
    return 1;
  if (volume.value < -volume.bound)
    return -1;
  // Nothing is left of a flat axis.
  return volume.bound == 0 ? 0 : toi_orientation_exact(a, b, c, d);
}

bool toi_edge_crosses(const double p[3], const double q[3], const double a[3], const double b[3], const double c[3]) {
  int side = toi_orientation(p, a, b, c);
  if (side == 0 || toi_orientation(q, a, b, c) != -side)
    return false;
  int turn = toi_orientation(p, q, a, b);
  return turn != 0 && toi_orientation(p, q, b, c) == turn && toi_orientation(p, q, c, a) == turn;
}
