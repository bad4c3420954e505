/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Moving hulls in the scale of their heights.
 *
 * Positions. Claim: toi_moving_at is off by at most 8 u a coordinate. Why: as POINT_AREA in kernel_bounds.h, with
 * corners of size at most 1: u (start) + 2 u (both ends, in the way) + 2 u (the way rounds) + 2 u (product) + u (sum).
 */

#include "narrow/height.h"

#include <math.h>

#include "base/internal.h"
#include "number/interval.h"

/* Squares of this are far above TOI_BALL_TINY. */
#define LEAST_SEPARATION 0x1p-300
#define SMALL_SEPARATION 0x1p-40
#define RANGE 0x1p900

/* --- scaling --- */

/* A power of two that brings x, which is normal, to [1/2, 1). */
static double scale_for(double x) {
  uint64_t exponent = toi_bits(x) >> 52;
  return toi_from_bits((2045 - exponent) << 52);
}

static void scale_separation(double d, double scale, toi_moving *moving) {
  double scaled = d * scale;
  moving->d_tiny = !(scaled > LEAST_SEPARATION);
  moving->d = moving->d_tiny ? LEAST_SEPARATION : scaled;
  moving->d_small = moving->d < SMALL_SEPARATION;
  moving->guide = moving->d_small ? TOI_NORM_L2 : moving->norm;
}

bool toi_moving_make(toi_kind kind, const double *query, double d, toi_norm norm, toi_moving *moving) {
  const toi_corner *corners = toi_corners(kind);
  size_t points = toi_kind_points(kind);
  twofold ends[2][TOI_MOST_CORNERS][3];
  double size = 0;
  moving->kind = kind;
  moving->count = (int)toi_corner_count(kind);
  moving->norm = norm;
  for (size_t time = 0; time < 2; time++)
    for (int k = 0; k < moving->count; k++)
      for (size_t axis = 0; axis < 3; axis++) {
        const double *at = query + 3 * points * time + axis;
        twofold *c = &ends[time][k][axis];
        c->hi = difference_exact(at[(size_t)3 * corners[k].first], at[(size_t)3 * corners[k].second], &c->lo);
        size = fabs(c->hi) > size ? fabs(c->hi) : size;
        size = isnan(c->hi) || isnan(c->lo) ? INFINITY : size;
      }
  if (!(size > 1 / RANGE && size < RANGE && d < RANGE))
    return false;
  double scale = scale_for(size * (1 + 0x1p-40));
  moving->scale = scale;
  scale_separation(d, scale, moving);
  for (int k = 0; k < moving->count; k++)
    for (int axis = 0; axis < 3; axis++) {
      // What underflows here is far below the radius.
      toi_ball from = {{ends[0][k][axis].hi * scale, ends[0][k][axis].lo * scale}, TOI_BALL_TINY};
      toi_ball to = {{ends[1][k][axis].hi * scale, ends[1][k][axis].lo * scale}, TOI_BALL_TINY};
      moving->start_ball[k][axis] = from;
      moving->way_ball[k][axis] = toi_ball_sub(to, from);
      moving->start[k][axis] = from.x.hi;
      moving->way[k][axis] = to.x.hi - from.x.hi;
    }
  return true;
}

void toi_moving_at(const toi_moving *moving, double t, toi_hull *hull) {
  hull->count = moving->count;
  for (int k = 0; k < moving->count; k++)
    for (int axis = 0; axis < 3; axis++)
      hull->c[k][axis] = moving->start[k][axis] + t * moving->way[k][axis];
}

/* --- features --- */

bool toi_feature_numbered(int count, toi_norm norm, int number, toi_feature *feature) {
  int faces = count > 2 ? 2 : 0;
  if (number < faces) {
    *feature = (toi_feature){TOI_FEATURE_FACE, 0, 0, number ? -1 : 1};
    return true;
  }
  number -= faces;
  if (norm == TOI_NORM_L2) {
    int segments = toi_hull_segments(count);
    bool segment = number < segments;
    *feature =
        (toi_feature){segment ? TOI_FEATURE_SEGMENT : TOI_FEATURE_CORNER, segment ? number : number - segments, 0, 1};
    return number < segments + count;
  }
  int pairs = 6 * toi_hull_directions(count), sign = number % 2 ? -1 : 1;
  if (number < pairs)
    *feature = (toi_feature){TOI_FEATURE_SEGMENT_AXIS, number / 6, number / 2 % 3, sign};
  else
    *feature = (toi_feature){TOI_FEATURE_AXIS, 0, (number - pairs) / 2, sign};
  return number < pairs + 6;
}

/* --- the fastest way --- */

static const toi_heights *best_heights(void) {
#if defined(__x86_64__)
  if (toi_simd_best() == TOI_SIMD_AVX2)
    return &toi_heights_avx2;
#endif
  return &toi_heights_plain;
}

void toi_height_at(const toi_moving *moving, double t, toi_feature feature, toi_height *height) {
  best_heights()->at(moving, t, feature, height);
}

bool toi_within_at(const toi_moving *moving, double t, toi_feature feature) {
  return best_heights()->within(moving, t, feature);
}

bool toi_height_share(const toi_moving *moving, toi_feature feature, double near, const toi_share *share,
                      double *value) {
  return best_heights()->share(moving, feature, near, share, value);
}
