/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of patches, and how far rounding may have moved them.
 *
 * Let u = 2^-53, and M the largest magnitude in a net.
 *
 * Recentring. p = fl(P - c) is within u |p| of P - c: a difference of doubles has no other error, underflow included.
 * Moving both patches by the same vector at the same time changes nothing about when they touch, so c and the drift
 * need no accuracy at all.
 *
 * Halving. Each control point of a half is made in at most `degree` averages fl(a + b) / 2. A sum errs by u |a + b|, so
 * that the average errs by u M at most on top of the larger error of a and b; averages do not exceed M, as rounding is
 * monotone. A half's error is the whole's plus degree u M. (Halving a subnormal number errs by 2^-1075: see below.)
 *
 * Rational patches are halved as x = w p, w v and w. Errors are counted in parts of the weight: those of x are at most
 * e w', of w at most f w', with w' the weight and M the largest |x'/w'| as computed. As weights are positive, an
 * average of a and b errs by (e + u M) (w'_a + w'_b) / 2 at most, and of their weights by (f + u) as much, up to
 * rounding, and (w'_a + w'_b) / 2 is w' up to rounding: e grows by degree u M, f by degree u, however far the weights
 * are apart. The quotient errs by (e + M f) / (1 - f) + u M, as x/w = (x' -+ e w') / (w' (1 -+ f)). Weights stay
 * positive, so that the hull holds the piece.
 *
 * Evaluation. n . (p + t v) in doubles, with the sums and products in any order, errs by at most
 * 6 u (1 + 8 u) |n|_1 (M_p + t M_v): five roundings meet each term at most (two products, or product and sums), and 6
 * covers their products. 8 is used.
 *
 * What is meant by the patch may be error + t velocity_error from it.
 *
 * The factor TOI_MIDRAD_OUTWARD covers the rounding of these bounds themselves (some twenty operations on positive
 * numbers) and TOI_MIDRAD_LEAST everything that underflow can do: fewer than 2^12 operations that err by 2^-1074 each,
 * and divisions by weights of at least 2^-100. Where a magnitude or a bound is beyond MOST, or weights span more than
 * 2^100, the error is infinite: nothing is claimed. */

#include "surface/piece.h"

#include "number/vector.h"
#include "solve/midrad.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define EVALUATION (8 * TOI_UNIT)
#define MOST 0x1p900
#define WEIGHTS_LEAST 0x1p-100

/* --- memory --- */

size_t toi_piece_bytes(const toi_patch *patch) {
  size_t rows = TOI_NET_ROWS + (patch->weights ? TOI_HOMOGENEOUS_ROWS : 0);
  size_t stride = toi_piece_stride(toi_patch_points(patch->shape, patch->degree));
  return toi_aligned(sizeof(toi_piece)) + rows * stride * sizeof(double);
}

size_t toi_root_bytes(const toi_patch *patch) {
  size_t count = toi_patch_points(patch->shape, patch->degree);
  return toi_aligned(sizeof(toi_root)) + 8 * count * sizeof(double) + toi_piece_bytes(patch) + 64;
}

static void *take(toi_forest *forest, size_t bytes) {
  bytes = toi_aligned(bytes);
  if (bytes > forest->bytes - forest->used)
    return NULL;
  void *taken = forest->memory + forest->used;
  forest->used += bytes;
  return taken;
}

static toi_piece *new_piece(toi_forest *forest, const toi_root *root) {
  toi_piece *piece = take(forest, toi_piece_bytes(root->patch));
  if (piece == NULL)
    return NULL;
  *piece = (toi_piece){.root = root};
  piece->net = (double *)(void *)((unsigned char *)piece + toi_aligned(sizeof(toi_piece)));
  forest->pieces++;
  return piece;
}

toi_forest toi_forest_make(void *memory, size_t bytes, double t_max, const toi_patch *a, const toi_patch *b) {
  toi_forest forest = {.memory = memory, .bytes = bytes / 32 * 32, .t_max = t_max};
  const toi_patch *both[2] = {a, b};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++) {
      size_t last = toi_patch_points(both[i]->shape, both[i]->degree) - 1;
      const double(*points)[3] = both[i]->points, (*velocities)[3] = both[i]->velocities;
      forest.centre[k] += 0.25 * points[0][k] + 0.25 * points[last][k];
      if (velocities)
        forest.drift[k] += 0.25 * velocities[0][k] + 0.25 * velocities[last][k];
    }
  for (int k = 0; k < 3; k++) {
    forest.centre[k] = isfinite(forest.centre[k]) ? forest.centre[k] : 0;
    forest.drift[k] = isfinite(forest.drift[k]) ? forest.drift[k] : 0;
  }
  return forest;
}

/* --- errors --- */

static double magnitude(const double *row, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = toi_larger(most, fabs(row[i]));
  return most;
}

static double rows_magnitude(const toi_piece *piece, size_t first_row) {
  return magnitude(piece->net + first_row * piece->root->stride, (size_t)3 * piece->root->stride);
}

/* From the errors of the net, and the net, the error that the test of pairs counts on. */
static void bound_error(toi_piece *piece) {
  const toi_root *root = piece->root;
  double most[2] = {rows_magnitude(piece, 0), rows_magnitude(piece, 3)}, error[2];
  for (int i = 0; i < 2; i++)
    error[i] = piece->net_error[i];
  if (root->rational) {
    const double *weights = piece->net + (size_t)12 * root->stride;
    double least = weights[0];
    for (size_t i = 1; i < root->count; i++)
      least = toi_smaller(least, weights[i]);
    if (!(least > WEIGHTS_LEAST && piece->weight_error < 0.5)) {
      piece->error = piece->rounding = INFINITY;
      return;
    }
    for (int i = 0; i < 2; i++)
      error[i] = (piece->net_error[i] + most[i] * piece->weight_error) / (1 - piece->weight_error) + TOI_UNIT * most[i];
  }
  double meant = root->patch->error + root->t_max * root->patch->velocity_error;
  double sum = error[0] + root->t_max * error[1] + EVALUATION * (most[0] + root->t_max * most[1]);
  piece->rounding = sum * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
  piece->error = (sum + meant) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
  if (!(most[0] + root->t_max * most[1] <= MOST) || !(piece->error <= MOST))
    piece->error = piece->rounding = INFINITY;
}

/* --- axes --- */

/* The sum of the corners, with signs, at a time. */
static void corner_sum(const toi_piece *piece, const size_t corner[4], const double sign[4], double t, double sum[3]) {
  size_t stride = piece->root->stride;
  for (size_t k = 0; k < 3; k++) {
    const double *p = piece->net + k * stride, *v = p + 3 * stride;
    sum[k] = 0;
    for (int i = 0; i < 4; i++)
      sum[k] += sign[i] * (p[corner[i]] + t * v[corner[i]]);
  }
}

/* Its length; then it is of length 1, or zero if it was too small to have a direction. */
static double normalise(double v[3], double least) {
  double length = sqrt(toi_dot(v, v));
  bool good = length > least && length < MOST;
  for (int k = 0; k < 3; k++)
    v[k] = good ? v[k] / length : 0;
  return good ? length : 0;
}

static void set_axes(toi_piece *piece, double t) {
  static const double along_u[4] = {-0.5, -0.5, 0.5, 0.5}, along_v[4] = {-0.5, 0.5, -0.5, 0.5};
  static const double edge_u[4] = {-1, 1, 0, 0}, edge_v[4] = {-0.5, -0.5, 1, 0};
  const toi_patch *patch = piece->root->patch;
  bool quad = patch->shape == TOI_PATCH_QUAD;
  size_t last = piece->root->count - 1, n = quad ? patch->degree[1] : patch->degree[0];
  size_t quad_corners[4] = {0, n, last - n, last}, triangle_corners[4] = {0, n, last, last};
  const size_t *corners = quad ? quad_corners : triangle_corners;
  double(*axes)[3] = piece->axes;
  corner_sum(piece, corners, quad ? along_u : edge_u, t, axes[0]);
  corner_sum(piece, corners, quad ? along_v : edge_v, t, axes[1]);
  for (int k = 0; k < 2; k++)
    piece->length[k] = normalise(axes[k], TOI_MIDRAD_LEAST);
  toi_cross(axes[0], axes[1], axes[2]);
  normalise(axes[2], 0x1p-40);
}

/* --- roots --- */

static void pad_rows(const toi_root *root, double *net, size_t rows) {
  for (size_t row = 0; row < rows; row++)
    for (size_t i = root->count; i < root->stride; i++)
      net[row * root->stride + i] = net[row * root->stride + root->count - 1];
}

/* The Cartesian rows of a rational piece, from its homogeneous ones. */
static void project(toi_piece *piece) {
  size_t stride = piece->root->stride;
  const double *homogeneous = piece->net + TOI_NET_ROWS * stride, *weights = homogeneous + TOI_NET_ROWS * stride;
  for (size_t row = 0; row < TOI_NET_ROWS; row++)
    for (size_t i = 0; i < stride; i++)
      piece->net[row * stride + i] = homogeneous[row * stride + i] / weights[i];
}

/* Weights by a power of two, the largest in [1/2, 1). */
static double weight_scale(const double *weights, size_t count) {
  double most = 0;
  for (size_t i = 0; i < count; i++)
    most = toi_larger(most, weights[i]);
  int exponent;
  frexp(most, &exponent);
  return ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
}

static void fill_root(const toi_forest *forest, toi_root *root, toi_piece *piece) {
  const toi_patch *patch = root->patch;
  size_t stride = root->stride;
  double *net = piece->net + (root->rational ? TOI_NET_ROWS * stride : 0);
  double scale = root->rational ? weight_scale(patch->weights, root->count) : 1;
  for (size_t i = 0; i < root->count; i++) {
    double weight = root->rational ? patch->weights[i] * scale : 1;
    for (size_t k = 0; k < 3; k++) {
      double velocity = (patch->velocities ? patch->velocities[i][k] : 0) - forest->drift[k];
      net[k * stride + i] = root->control[i][k] = weight * (patch->points[i][k] - forest->centre[k]);
      net[(k + 3) * stride + i] = root->control[i][k + 3] = weight * velocity;
    }
    root->control[i][6] = weight;
    root->control[i][7] = 0;
    if (root->rational)
      net[6 * stride + i] = weight;
  }
  pad_rows(root, net, root->rational ? TOI_HOMOGENEOUS_ROWS : TOI_NET_ROWS);
  if (root->rational)
    project(piece);
}

toi_piece *toi_piece_root(toi_forest *forest, const toi_patch *patch, uint32_t number) {
  size_t count = toi_patch_points(patch->shape, patch->degree);
  toi_root *root = take(forest, sizeof(toi_root));
  double(*control)[8] = root ? take(forest, 8 * count * sizeof(double)) : NULL;
  if (control == NULL)
    return NULL;
  *root = (toi_root){.patch = patch, .number = number, .count = (uint32_t)count, .control = control};
  root->stride = (uint32_t)toi_piece_stride(count);
  root->rational = patch->weights != NULL;
  root->t_max = forest->t_max;
  toi_piece *piece = new_piece(forest, root);
  if (piece == NULL)
    return NULL;
  fill_root(forest, root, piece);
  // One difference, and with weights a product; the scaled weight itself is exact.
  for (int i = 0; i < 2; i++) {
    for (size_t j = 0; j < count; j++)
      for (int k = 0; k < 3; k++)
        root->magnitude[i] = toi_larger(root->magnitude[i], fabs(control[j][3 * i + k]));
    double roundings = (root->rational ? 3 : 1) * TOI_UNIT * TOI_MIDRAD_OUTWARD;
    root->error[i] = roundings * root->magnitude[i] + TOI_MIDRAD_LEAST;
    piece->net_error[i] = roundings * rows_magnitude(piece, (size_t)3 * (size_t)i) + TOI_MIDRAD_LEAST;
  }
  if (patch->shape == TOI_PATCH_QUAD) {
    piece->corner[1][0] = piece->corner[1][1] = 1;
  } else {
    piece->corner[1][0] = 1;
    piece->corner[2][1] = 1;
  }
  bound_error(piece);
  set_axes(piece, forest->t_max / 2);
  return piece;
}

/* --- halving --- */

/* The two halves of `wide` neighbouring curves at once, their control points `wide` apart. */
static inline void halve_lines(const double *whole, size_t degree, size_t wide, double *left, double *right) {
  double lines[TOI_NET_POINTS];
  memcpy(lines, whole, (degree + 1) * wide * sizeof(double));
  for (size_t done = 0; done <= degree; done++) {
    memcpy(left + done * wide, lines, wide * sizeof(double));
    memcpy(right + (degree - done) * wide, lines + (degree - done) * wide, wide * sizeof(double));
    for (size_t i = 0; i < (degree - done) * wide; i++)
      lines[i] = (lines[i] + lines[i + wide]) * 0.5;
  }
}

static void halve_quad(const toi_piece *piece, int parameter, size_t row, double *left, double *right) {
  size_t m = piece->root->patch->degree[0], n = piece->root->patch->degree[1];
  const double *whole = piece->net + row * piece->root->stride;
  if (parameter == 0) {
    halve_lines(whole, m, n + 1, left, right);
    return;
  }
  for (size_t i = 0; i <= m; i++)
    halve_lines(whole + i * (n + 1), n, 1, left + i * (n + 1), right + i * (n + 1));
}

/* Cuts the edge from the first to the second corner at its middle, which becomes the third corner of both halves; the
 * corner opposite stays the second of the left half, and becomes the first of the right one. */
static void halve_triangle(const toi_piece *piece, size_t row, double *left, double *right) {
  const toi_patch *patch = piece->root->patch;
  size_t n = patch->degree[0];
  const double *whole = piece->net + row * piece->root->stride;
  for (size_t b = 0; b <= n; b++) {
    double near[TOI_PATCH_DEGREE_MOST + 1], far[TOI_PATCH_DEGREE_MOST + 1];
    halve_lines(whole + toi_net_index(patch, 0, b), n - b, 1, near, far);
    for (size_t a = 0; a + b <= n; a++) {
      left[toi_net_index(patch, b, a)] = near[a];
      right[toi_net_index(patch, a, n - a - b)] = far[a];
    }
  }
}

static void cut_corners(toi_piece *piece, int parameter) {
  toi_piece *left = piece->child[0], *right = piece->child[1];
  double(*c)[2] = piece->corner;
  if (piece->root->patch->shape == TOI_PATCH_QUAD) {
    memcpy(left->corner, c, sizeof(piece->corner));
    memcpy(right->corner, c, sizeof(piece->corner));
    left->corner[1][parameter] = right->corner[0][parameter] = 0.5 * (c[0][parameter] + c[1][parameter]);
    return;
  }
  for (int k = 0; k < 2; k++) {
    double middle = 0.5 * (c[0][k] + c[1][k]);
    left->corner[0][k] = c[0][k];
    left->corner[1][k] = right->corner[0][k] = c[2][k];
    right->corner[1][k] = c[1][k];
    left->corner[2][k] = right->corner[2][k] = middle;
  }
}

/* The parameter in which a quad is halved: the longer one, unless it is much narrower in the parameter already. */
static int split_parameter(const toi_piece *piece) {
  const uint32_t *degree = piece->root->patch->degree;
  if (piece->root->patch->shape == TOI_PATCH_TRIANGLE || degree[1] == 0)
    return 0;
  if (degree[0] == 0)
    return 1;
  if (piece->split > 0)
    return piece->split - 1;
  double u = toi_piece_width(piece, 0), v = toi_piece_width(piece, 1);
  if (u > 4 * v || v > 4 * u)
    return v > u;
  return piece->length[1] > piece->length[0] || (piece->length[1] == piece->length[0] && v > u);
}

bool toi_piece_split(toi_forest *forest, toi_piece *piece, double t) {
  if (piece->child[0])
    return true;
  const toi_root *root = piece->root;
  const toi_patch *patch = root->patch;
  if (2 * toi_piece_bytes(patch) > forest->bytes - forest->used)
    return false;
  for (int i = 0; i < 2; i++)
    piece->child[i] = new_piece(forest, root);
  bool quad = patch->shape == TOI_PATCH_QUAD;
  int parameter = split_parameter(piece);
  size_t first = root->rational ? TOI_NET_ROWS : 0, last = root->rational ? first + 7 : TOI_NET_ROWS;
  for (size_t row = first; row < last; row++) {
    double *left = piece->child[0]->net + row * root->stride, *right = piece->child[1]->net + row * root->stride;
    if (quad)
      halve_quad(piece, parameter, row, left, right);
    else
      halve_triangle(piece, row, left, right);
  }
  double roundings = patch->degree[parameter] * TOI_UNIT * TOI_MIDRAD_OUTWARD;
  double most[2] = {rows_magnitude(piece, 0), rows_magnitude(piece, 3)};
  cut_corners(piece, parameter);
  for (int i = 0; i < 2; i++) {
    toi_piece *half = piece->child[i];
    pad_rows(root, half->net + first * root->stride, last - first);
    if (root->rational)
      project(half);
    for (int k = 0; k < 2; k++)
      half->net_error[k] = (piece->net_error[k] + roundings * most[k]) * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST;
    half->weight_error = root->rational ? (piece->weight_error + roundings) * TOI_MIDRAD_OUTWARD : 0;
    half->level = piece->level + 1;
    bound_error(half);
    set_axes(half, t);
  }
  return true;
}

void toi_piece_middle(const toi_piece *piece, double uv[2]) {
  double(*c)[2] = (double(*)[2])piece->corner;
  bool quad = piece->root->patch->shape == TOI_PATCH_QUAD;
  for (int k = 0; k < 2; k++)
    uv[k] = quad ? 0.5 * (c[0][k] + c[1][k]) : (c[0][k] + c[1][k] + c[2][k]) / 3;
}

/* --- boxes --- */

void toi_piece_box(const toi_piece *piece, double t0, double t1, double lo[3], double hi[3]) {
  size_t stride = piece->root->stride;
  for (size_t k = 0; k < 3; k++) {
    const double *p = piece->net + k * stride, *v = p + 3 * stride;
    lo[k] = hi[k] = p[0] + t0 * v[0];
    for (size_t i = 0; i < piece->root->count; i++) {
      double start = p[i] + t0 * v[i], end = p[i] + t1 * v[i];
      lo[k] = toi_smaller(lo[k], toi_smaller(start, end));
      hi[k] = toi_larger(hi[k], toi_larger(start, end));
    }
    // The claim's error has room for the rounding of these two sums.
    lo[k] -= 2 * piece->error;
    hi[k] += 2 * piece->error;
  }
}

double toi_piece_size(const toi_piece *piece, double t0, double t1) {
  // The extent along an axis is the largest of linear functions of time: its maximum is at an end.
  double most = 0, widest = 0;
  for (int end = 0; end < 2; end++) {
    double lo[3], hi[3], square = 0, sum = 0, t = end == 0 ? t0 : t1;
    toi_piece_box(piece, t, t, lo, hi);
    for (int k = 0; k < 3; k++) {
      square += (hi[k] - lo[k]) * (hi[k] - lo[k]);
      sum += hi[k] - lo[k];
    }
    most = toi_larger(most, square);
    widest = toi_larger(widest, sum);
  }
  // Squares that underflow lose more than TOI_MIDRAD_OUTWARD covers.
  return most >= TOI_MIDRAD_LEAST ? sqrt(most) * TOI_MIDRAD_OUTWARD : widest * TOI_MIDRAD_OUTWARD;
}
