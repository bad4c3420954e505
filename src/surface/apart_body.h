/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The test of apart.h for one width of lanes: the including file defines TOI_LANES and APART_KERNEL. */

#include "number/lanes.h"
#include "number/vector.h"
#include "surface/apart.h"

#define MORE (1 + 0x1p-40)
#define CHORD_INWARD (1 - 0x1p-48)
#define TIME_INWARD (1 - 0x1p-51)
#define TIME_LEAST 0x1p-1070

/* Axes with smaller sums of components are not used: piece.h. */
#define AXIS_LEAST 0x1p-60

/* A piece along an axis at the two ends of the span. */
typedef struct extent {
  double lo[2], hi[2];
} extent;

/* What is left of the span. */
typedef struct left_over {
  toi_interval given, times;
} left_over;

TOI_INLINE real load(const double *at) {
  real value;
  memcpy(&value, at, sizeof(value));
  return value;
}

TOI_INLINE void store(double *at, real value) {
  memcpy(at, &value, sizeof(value));
}

static void moments_of(const toi_piece *piece, toi_interval times, toi_moments *moments) {
  size_t stride = piece->root->stride;
  real t0 = every(times.lo), t1 = every(times.hi);
  moments->piece = piece;
  for (size_t k = 0; k < 3; k++) {
    const double *p = piece->net + k * stride, *v = p + 3 * stride;
    for (size_t i = 0; i < stride; i += TOI_LANES) {
      real position = load(p + i), velocity = load(v + i);
      store(&moments->at[k * stride + i], position + t0 * velocity);
      store(&moments->at[(3 + k) * stride + i], position + t1 * velocity);
    }
  }
}

TOI_INLINE double least_of(real a) {
  double value = lane(a, 0);
  for (unsigned i = 1; i < TOI_LANES; i++)
    value = lane(a, i) < value ? lane(a, i) : value;
  return value;
}

TOI_INLINE double most_of(real a) {
  double value = lane(a, 0);
  for (unsigned i = 1; i < TOI_LANES; i++)
    value = lane(a, i) > value ? lane(a, i) : value;
  return value;
}

/* Along coordinate k. */
TOI_INLINE extent extent_on(const toi_moments *m, size_t k) {
  extent e;
  for (int end = 0; end < 2; end++) {
    const double *row = m->at + toi_moments_row(m->piece, (size_t)end, k);
    real lo = load(row), hi = lo;
    for (size_t i = TOI_LANES; i < m->piece->root->stride; i += TOI_LANES) {
      real x = load(row + i);
      lo = least(x, lo);
      hi = most(x, hi);
    }
    e.lo[end] = least_of(lo);
    e.hi[end] = most_of(hi);
  }
  return e;
}

/* Along an axis. */
TOI_INLINE extent extent_along(const toi_moments *m, const double n[3]) {
  extent e;
  real nx = every(n[0]), ny = every(n[1]), nz = every(n[2]);
  for (int end = 0; end < 2; end++) {
    const size_t stride = m->piece->root->stride;
    const double *x = m->at + toi_moments_row(m->piece, (size_t)end, 0), *y = x + stride, *z = y + stride;
    real lo = every(INFINITY), hi = every(-INFINITY);
    for (size_t i = 0; i < stride; i += TOI_LANES) {
      real d = nx * load(x + i) + ny * load(y + i) + nz * load(z + i);
      lo = least(d, lo);
      hi = most(d, hi);
    }
    e.lo[end] = least_of(lo);
    e.hi[end] = most_of(hi);
  }
  return e;
}

/* One direction: h at both ends. False: apart throughout. Written so that NaN leaves everything. */
TOI_INLINE bool cut(left_over *left, double h0, double h1) {
  bool below0 = h0 < 0, below1 = h1 < 0;
  if (below0 && below1)
    return false;
  if (below0) {
    double t = left->given.lo + (left->given.hi - left->given.lo) * (h0 / (h0 - h1) * CHORD_INWARD);
    t = t * TIME_INWARD - TIME_LEAST;
    left->times.lo = t > left->times.lo ? t : left->times.lo;
  } else if (below1) {
    double t = left->given.hi - (left->given.hi - left->given.lo) * (h1 / (h1 - h0) * CHORD_INWARD);
    t = t / TIME_INWARD + TIME_LEAST;
    left->times.hi = t < left->times.hi ? t : left->times.hi;
  }
  return left->times.lo <= left->times.hi;
}

TOI_INLINE bool cut_both(left_over *left, const extent *a, const extent *b, double slack) {
  return cut(left, a->hi[0] - b->lo[0] + slack, a->hi[1] - b->lo[1] + slack) &&
         cut(left, b->hi[0] - a->lo[0] + slack, b->hi[1] - a->lo[1] + slack);
}

/* False: apart. */
TOI_INLINE bool try_axis(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, left_over *left,
                         const double n[3]) {
  double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
  if (!(sum >= AXIS_LEAST))
    return true;
  double dual = rules->norm == TOI_NORM_L2 ? sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) : sum;
  double slack = (sum * (a->piece->error + b->piece->error) + dual * rules->separation) * MORE;
  extent ea = extent_along(a, n), eb = extent_along(b, n);
  return cut_both(left, &ea, &eb, slack);
}

/* Pieces without a normal, and separations: from one piece to the other, and across each one's direction. */
static bool try_differences(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, left_over *left) {
  double difference[3], length = 0;
  for (int k = 0; k < 3; k++) {
    extent ea = extent_on(a, (size_t)k), eb = extent_on(b, (size_t)k);
    difference[k] = (ea.lo[0] + ea.hi[0]) - (eb.lo[0] + eb.hi[0]);
    length += difference[k] * difference[k];
  }
  length = sqrt(length);
  if (!(length > 0x1p-900) || !(length < 0x1p500))
    return true;
  for (int k = 0; k < 3; k++)
    difference[k] /= length;
  if (!try_axis(rules, a, b, left, difference))
    return false;
  const toi_moments *each[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    const double *along = each[i]->piece->axes[0];
    double n[3], dot = 0;
    for (int k = 0; k < 3; k++)
      dot += along[k] * difference[k];
    for (int k = 0; k < 3; k++)
      n[k] = difference[k] - dot * along[k];
    if (!try_axis(rules, a, b, left, n))
      return false;
  }
  return true;
}

/* With a separation in the norm of the largest coordinate, pieces are grown by cubes: their edges count as well. */
static bool try_cube_edges(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, left_over *left) {
  const toi_moments *each[2] = {a, b};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      const double *along = each[i / 2]->piece->axes[i % 2];
      double edge[3] = {k == 0, k == 1, k == 2}, n[3];
      toi_cross(along, edge, n);
      if (!try_axis(rules, a, b, left, n))
        return false;
    }
  return true;
}

static bool try_oriented(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, left_over *left) {
  const double(*axes_a)[3] = a->piece->axes, (*axes_b)[3] = b->piece->axes;
  if (!try_axis(rules, a, b, left, axes_a[2]) || !try_axis(rules, a, b, left, axes_b[2]))
    return false;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double n[3];
      toi_cross(axes_a[i], axes_b[j], n);
      if (!try_axis(rules, a, b, left, n))
        return false;
    }
  if (rules->separation > 0 && rules->norm == TOI_NORM_LINF && !try_cube_edges(rules, a, b, left))
    return false;
  double normals = fabs(axes_a[2][0]) + fabs(axes_a[2][1]) + fabs(axes_a[2][2]);
  normals *= fabs(axes_b[2][0]) + fabs(axes_b[2][1]) + fabs(axes_b[2][2]);
  return (rules->separation == 0 && normals > 0) || try_differences(rules, a, b, left);
}

static bool meet(const toi_apart_rules *rules, const toi_moments *a, const toi_moments *b, toi_interval *times) {
  left_over left = {*times, *times};
  double slack = (a->piece->error + b->piece->error + rules->separation) * MORE;
  for (size_t k = 0; k < 3; k++) {
    extent ea = extent_on(a, k), eb = extent_on(b, k);
    if (!cut_both(&left, &ea, &eb, slack))
      return false;
  }
  if (rules->inclusion == TOI_INCLUSION_OBB && !try_oriented(rules, a, b, &left))
    return false;
  *times = left.times;
  return true;
}

const toi_apart_kernel APART_KERNEL = {moments_of, meet};
