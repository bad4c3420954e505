/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Directions in balls, and what they prove: a part of height_plain.c and height_avx2.c, which differ in speed only.
 *
 * Above. For a direction n and all corners c, n . c > d |n|* proves distance > d. n and n . c are polynomials in the
 * corners, evaluated in balls, so the comparison is proved; in l2 it is made between squares, in balls too.
 *
 * Within. Let h = n . p be the height of the feature's own corners. What is to be shown is a point x of the hull with
 * |x| = h / |n|* <= d.
 *   Corner, l2: x = p, |p|^2 <= d^2.
 *   Segment, l2: the foot of 0 on its line; it is between the ends if 0 < -p . e < e . e.
 *   Face: the ray from 0 along s, where n . s = |n|* |s|, meets the plane at x = s h / (n . s). For l2 s = n; for linf
 *     s_i is the sign of n_i, or 0 where that is not known (then h <= d n . s is asked for, which is more). x is in the
 *     hull if all s . (c_k x c_k+1) are strictly of one sign.
 *   Axis, linf: all points spanned by the corners with c_i <= d on that side have it too; one of them is shown whose
 *     other coordinates are strictly within d: a corner, a point of a segment, or the foot on the axis.
 *   Segment and axis, linf: n has two components i, j that are not 0. If s_i x_i - s_j x_j changes its sign along the
 *     segment, it is 0 at a point x, where n . x = |n|* s_i x_i, hence s_i x_i = s_j x_j = h / |n|* <= d. Its third
 *     coordinate must be strictly within d.
 * Strict signs are proved in intervals around positions in doubles. */

#include <math.h>
#include <string.h>

#include "narrow/height.h"
#include "number/interval.h"

/* --- directions --- */

typedef struct ball_hull {
  toi_ball c[TOI_MOST_CORNERS][3];
} ball_hull;

static void balls_at(const toi_moving *moving, double t, ball_hull *hull) {
  toi_ball time = toi_ball_of(t);
  for (int k = 0; k < moving->count; k++)
    for (int axis = 0; axis < 3; axis++)
      hull->c[k][axis] = toi_ball_add(moving->start_ball[k][axis], toi_ball_mul(time, moving->way_ball[k][axis]));
}

static void ball_edge(const ball_hull *hull, int from, int to, toi_ball e[3]) {
  for (int axis = 0; axis < 3; axis++)
    e[axis] = toi_ball_sub(hull->c[to][axis], hull->c[from][axis]);
}

static void feature_direction(const ball_hull *hull, int count, toi_feature feature, toi_ball n[3]) {
  int k = feature.index, axis = feature.axis;
  toi_ball e[3], last[3];
  switch (feature.kind) {
  case TOI_FEATURE_CORNER:
    memcpy(n, hull->c[k], sizeof(hull->c[k]));
    return;
  case TOI_FEATURE_SEGMENT:
    // e x (p x e)
    ball_edge(hull, k, toi_hull_next(count, k), e);
    toi_ball_cross(hull->c[k], e, last);
    toi_ball_cross(e, last, n);
    return;
  case TOI_FEATURE_FACE:
    ball_edge(hull, 0, 1, e);
    ball_edge(hull, 0, count - 1, last);
    toi_ball_cross(e, last, n);
    break;
  case TOI_FEATURE_AXIS:
    n[0] = n[1] = n[2] = toi_ball_of(0);
    n[axis] = toi_ball_of(1);
    break;
  case TOI_FEATURE_SEGMENT_AXIS:
    ball_edge(hull, k, toi_hull_next(count, k), e);
    n[axis] = toi_ball_of(0);
    n[(axis + 1) % 3] = e[(axis + 2) % 3];
    n[(axis + 2) % 3] = toi_ball_negate(e[(axis + 1) % 3]);
    break;
  }
  for (int i = 0; i < 3 && feature.sign < 0; i++)
    n[i] = toi_ball_negate(n[i]);
}

/* A dual norm, as what heights are compared with: d |n|* for linf, d^2 |n|^2 for l2; and the norm itself in doubles. */
typedef struct dual_norm {
  toi_ball limit;
  double size;
} dual_norm;

static toi_ball sum_of_magnitudes(const toi_ball n[3]) {
  return toi_ball_add(toi_ball_add(toi_ball_abs(n[0]), toi_ball_abs(n[1])), toi_ball_abs(n[2]));
}

static dual_norm norm_of(const toi_moving *moving, const toi_ball n[3]) {
  toi_ball d = toi_ball_of(moving->d);
  if (moving->norm == TOI_NORM_L2) {
    toi_ball square = toi_ball_dot(n, n);
    return (dual_norm){toi_ball_mul(toi_ball_mul(d, d), square), sqrt(square.x.hi)};
  }
  toi_ball sum = sum_of_magnitudes(n);
  return (dual_norm){toi_ball_mul(d, sum), sum.x.hi};
}

/* The height less d |n|*, or the difference of their squares. */
static toi_ball height_beyond(const toi_moving *moving, toi_ball height, const dual_norm *norm) {
  return toi_ball_sub(moving->norm == TOI_NORM_L2 ? toi_ball_mul(height, height) : height, norm->limit);
}

static void height_at(const toi_moving *moving, double t, toi_feature feature, toi_height *height) {
  ball_hull hull;
  toi_ball n[3];
  balls_at(moving, t, &hull);
  feature_direction(&hull, moving->count, feature, n);
  dual_norm norm = norm_of(moving, n);
  height->above = norm.size > 0;
  for (int k = 0; k < moving->count; k++) {
    toi_ball h = toi_ball_dot(n, hull.c[k]), beyond = height_beyond(moving, h, &norm);
    height->above = height->above && toi_ball_sign(h) > 0 && toi_ball_sign(beyond) > 0;
    // (h - d |n|) (h + d |n|) / (h + d |n|)
    double part = moving->norm == TOI_NORM_L2 ? h.x.hi + moving->d * norm.size : 1;
    double gap = beyond.x.hi / (part * norm.size);
    bool own = moving->norm == TOI_NORM_L2 ? k == feature.index : gap < height->gap;
    height->gap = k == 0 || own ? gap : height->gap;
  }
  double x = n[0].x.hi, y = n[1].x.hi, z = n[2].x.hi;
  double size = moving->guide == moving->norm ? norm.size : sqrt(x * x + y * y + z * z);
  for (int axis = 0; axis < 3; axis++)
    height->n[axis] = size > 0 ? n[axis].x.hi / size : 0;
  // u for what the centre has below hi, u for the quotient; and the radii.
  height->off = size > 0 ? (n[0].r + n[1].r + n[2].r) / size * TOI_BALL_OUTWARD : 0;
}

/* --- strict signs in intervals --- */

typedef struct wide_hull {
  toi_interval c[TOI_MOST_CORNERS][3];
} wide_hull;

static void intervals_of(const toi_hull *hull, wide_hull *wide) {
  for (int k = 0; k < hull->count; k++)
    for (int axis = 0; axis < 3; axis++)
      wide->c[k][axis] = toi_interval_around(hull->c[k][axis], TOI_POSITION_ERROR);
}

static toi_interval wide_dot(const toi_interval a[3], const toi_interval b[3]) {
  toi_interval sum = toi_interval_add(toi_interval_mul(a[0], b[0]), toi_interval_mul(a[1], b[1]));
  return toi_interval_add(sum, toi_interval_mul(a[2], b[2]));
}

static toi_interval wide_area(const toi_interval a[3], const toi_interval b[3], int axis) {
  int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return toi_interval_sub(toi_interval_mul(a[i], b[j]), toi_interval_mul(a[j], b[i]));
}

static void wide_edge(const wide_hull *wide, int from, int to, toi_interval e[3]) {
  for (int axis = 0; axis < 3; axis++)
    e[axis] = toi_interval_sub(wide->c[to][axis], wide->c[from][axis]);
}

static int strict_sign(toi_interval x) {
  return x.lo > 0 ? 1 : x.hi < 0 ? -1 : 0;
}

static toi_interval with_sign(toi_interval x, int sign) {
  return sign < 0 ? toi_interval_neg(x) : x;
}

/* Whether |x| < d. */
static bool strictly_within(toi_interval x, double d) {
  return x.lo > -d && x.hi < d;
}

/* --- within --- */

/* One question "within d?", and what it needs. */
typedef struct within_question {
  const toi_moving *moving;
  ball_hull balls;
  toi_hull hull;
  wide_hull wide;
} within_question;

static void ask_within(const toi_moving *moving, double t, within_question *q) {
  q->moving = moving;
  balls_at(moving, t, &q->balls);
  toi_moving_at(moving, t, &q->hull);
  intervals_of(&q->hull, &q->wide);
}

/* Whether corner `k` has no more than d |n|* along n. */
static bool below(const within_question *q, const toi_ball n[3], int k) {
  dual_norm norm = norm_of(q->moving, n);
  return toi_ball_sign(height_beyond(q->moving, toi_ball_dot(n, q->balls.c[k]), &norm)) < 0;
}

/* Whether the foot of 0 on the segment's line is strictly between its ends. */
static bool foot_inside(const within_question *q, int k) {
  int next = toi_hull_next(q->moving->count, k);
  toi_interval e[3];
  wide_edge(&q->wide, k, next, e);
  return strict_sign(wide_dot(q->wide.c[k], e)) < 0 && strict_sign(wide_dot(q->wide.c[next], e)) > 0;
}

static bool segment_within(const within_question *q, toi_feature feature) {
  if (!foot_inside(q, feature.index))
    return false;
  toi_ball n[3];
  feature_direction(&q->balls, q->moving->count, feature, n);
  return below(q, n, feature.index);
}

/* Whether the ray along s meets the hull away from its boundary; each component of s is off by at most `error`.
 * Errors, with M <= 1 the largest coordinate computed and positions off by 8 u: a component of c_k x c_k+1 is off by 2
 * (2 8 u M) and rounds by 4 u M^2, less than 38 u M if M is above 32 u; if it is not, no value is beyond the bound, as
 * components are at most 2 M^2. Dot products round by 3 u of their terms: in all less than 48 u M |s|_1 + 6 M^2 error.
 */
static bool ray_inside(const within_question *q, const double s[3], double error) {
  const toi_hull *hull = &q->hull;
  int sum = 0;
  double largest = 0;
  for (int k = 0; k < hull->count; k++)
    for (int axis = 0; axis < 3; axis++)
      largest = fabs(hull->c[k][axis]) > largest ? fabs(hull->c[k][axis]) : largest;
  double sizes = fabs(s[0]) + fabs(s[1]) + fabs(s[2]);
  double bound = (0x40p-53 * largest * sizes + 8 * largest * largest * error) * (1 + 0x1p-40) + TOI_BALL_TINY;
  for (int k = 0; k < hull->count; k++) {
    const double *a = hull->c[k], *b = hull->c[toi_hull_next(hull->count, k)];
    double value =
        s[0] * (a[1] * b[2] - a[2] * b[1]) + s[1] * (a[2] * b[0] - a[0] * b[2]) + s[2] * (a[0] * b[1] - a[1] * b[0]);
    sum += (value > bound) - (value < -bound);
  }
  return sum == hull->count || sum == -hull->count;
}

/* Whether the ray of a face with direction n, made with balls, meets it inside. l2: along n, whose components the
 * centres give with u more than the radius. linf: along the signs of n; *known says of how many it is sure. */
static bool face_inside(const within_question *q, const toi_ball n[3], int *known) {
  double s[3], error = 0;
  bool l2 = q->moving->norm == TOI_NORM_L2;
  *known = 0;
  for (int axis = 0; axis < 3; axis++) {
    int sign = toi_ball_sign(n[axis]);
    s[axis] = l2 ? n[axis].x.hi : sign;
    double own = l2 ? n[axis].r + 0x1p-52 * fabs(n[axis].x.hi) : 0;
    error = own > error ? own : error;
    *known += sign != 0;
  }
  return ray_inside(q, s, error);
}

static bool face_within(const within_question *q, toi_feature feature) {
  const toi_moving *moving = q->moving;
  toi_ball n[3], along = toi_ball_of(0);
  int known;
  feature_direction(&q->balls, moving->count, feature, n);
  if (!face_inside(q, n, &known))
    return false;
  if (moving->norm == TOI_NORM_L2)
    return below(q, n, 0);
  for (int axis = 0; axis < 3; axis++)
    if (toi_ball_sign(n[axis]) != 0)
      along = toi_ball_add(along, toi_ball_abs(n[axis]));
  toi_ball height = toi_ball_dot(n, q->balls.c[0]);
  return toi_ball_sign(toi_ball_sub(toi_ball_abs(height), toi_ball_mul(toi_ball_of(moving->d), along))) < 0;
}

/* Whether the segment has a point whose coordinates i and j are strictly within d. */
static bool segment_meets_square(const within_question *q, int k, int i, int j) {
  const toi_interval *from = q->wide.c[k], *to = q->wide.c[toi_hull_next(q->moving->count, k)];
  double lo = 0, hi = 1, d = q->moving->d;
  for (int step = 0; step < 2; step++) {
    int axis = step ? j : i;
    double a = from[axis].lo, way = to[axis].lo - a;
    double enter = way > 0 ? (-d - a) / way : (d - a) / way, leave = way > 0 ? (d - a) / way : (-d - a) / way;
    lo = enter > lo ? enter : lo;
    hi = leave < hi ? leave : hi;
  }
  if (!(lo <= hi))
    return false;
  toi_interval s = {(lo + hi) / 2, (lo + hi) / 2};
  for (int step = 0; step < 2; step++) {
    int axis = step ? j : i;
    toi_interval x = toi_interval_add(from[axis], toi_interval_mul(s, toi_interval_sub(to[axis], from[axis])));
    if (!strictly_within(x, d))
      return false;
  }
  return true;
}

static bool axis_within(const within_question *q, toi_feature feature) {
  const toi_moving *moving = q->moving;
  int axis = feature.axis, i = (axis + 1) % 3, j = (axis + 2) % 3, low_count = 0, around = 0;
  bool low[TOI_MOST_CORNERS] = {false};
  for (int k = 0; k < moving->count; k++) {
    toi_ball x = toi_ball_sub(toi_ball_abs(q->balls.c[k][axis]), toi_ball_of(moving->d));
    low[k] = toi_ball_sign(x) < 0;
    low_count += low[k];
    if (low[k] && strictly_within(q->wide.c[k][i], moving->d) && strictly_within(q->wide.c[k][j], moving->d))
      return true;
  }
  for (int k = 0; k < toi_hull_segments(moving->count); k++) {
    int next = toi_hull_next(moving->count, k);
    if (low[k] && low[next] && segment_meets_square(q, k, i, j))
      return true;
    around += strict_sign(wide_area(q->wide.c[k], q->wide.c[next], axis));
  }
  return moving->count > 2 && low_count == moving->count && (around == low_count || around == -low_count);
}

/* Whether the ray along the signs of n meets segment k, or the one opposite to it, strictly inside of it, and with a
 * third coordinate strictly within `near`; -1 if not, else that segment. */
static int segment_axis_inside(const within_question *q, const toi_ball n[3], toi_feature feature, double near) {
  int count = q->moving->count, axis = feature.axis, i = (axis + 1) % 3, j = (axis + 2) % 3;
  int si = toi_ball_sign(n[i]), sj = toi_ball_sign(n[j]), last = count == 4 ? feature.index + 2 : feature.index;
  if (si == 0 || sj == 0)
    return -1;
  for (int k = feature.index; k <= last; k += 2) {
    const toi_interval *from = q->wide.c[k], *to = q->wide.c[toi_hull_next(count, k)];
    toi_interval a = toi_interval_sub(with_sign(from[i], si), with_sign(from[j], sj));
    toi_interval b = toi_interval_sub(with_sign(to[i], si), with_sign(to[j], sj));
    if (strict_sign(a) * strict_sign(b) >= 0 || toi_ball_sign(toi_ball_dot(n, q->balls.c[k])) <= 0)
      continue;
    toi_interval s = toi_interval_div(a, toi_interval_sub(a, b));
    toi_interval x = toi_interval_add(from[axis], toi_interval_mul(s, toi_interval_sub(to[axis], from[axis])));
    if (strictly_within(x, near))
      return k;
  }
  return -1;
}

static bool segment_axis_within(const within_question *q, toi_feature feature) {
  toi_ball n[3];
  feature_direction(&q->balls, q->moving->count, feature, n);
  int k = segment_axis_inside(q, n, feature, q->moving->d);
  return k >= 0 && below(q, n, k);
}

static bool feature_within(const within_question *q, toi_feature feature) {
  bool euclidean = feature.kind == TOI_FEATURE_CORNER || feature.kind == TOI_FEATURE_SEGMENT;
  if (feature.kind != TOI_FEATURE_FACE && euclidean != (q->moving->norm == TOI_NORM_L2))
    return false;
  switch (feature.kind) {
  case TOI_FEATURE_CORNER:
    return below(q, q->balls.c[feature.index], feature.index);
  case TOI_FEATURE_SEGMENT:
    return segment_within(q, feature);
  case TOI_FEATURE_FACE:
    return face_within(q, feature);
  case TOI_FEATURE_AXIS:
    return axis_within(q, feature);
  case TOI_FEATURE_SEGMENT_AXIS:
    return segment_axis_within(q, feature);
  }
  return false;
}

static bool within_at(const toi_moving *moving, double t, toi_feature feature) {
  if (moving->d_tiny)
    return false;
  within_question q;
  ask_within(moving, t, &q);
  bool within = feature_within(&q, feature);
  // A point near the border of one feature may lie in its neighbour.
  for (int i = 0; !within && toi_feature_numbered(moving->count, moving->norm, i, &feature); i++)
    within = feature_within(&q, feature);
  return within;
}

/* --- a share of the distance --- */

/* The corner whose height is the distance, which is about `near`: the feature's nearest point is inside of it. -1: not
 * known. */
static int distance_corner(const within_question *q, toi_feature feature, const toi_ball n[3], double near) {
  int known, lowest = 0, axis = feature.axis, i = (axis + 1) % 3, j = (axis + 2) % 3;
  switch (feature.kind) {
  case TOI_FEATURE_CORNER:
    return feature.index;
  case TOI_FEATURE_SEGMENT:
    return foot_inside(q, feature.index) ? feature.index : -1;
  case TOI_FEATURE_FACE:
    return face_inside(q, n, &known) && (known == 3 || q->moving->norm == TOI_NORM_L2) ? 0 : -1;
  case TOI_FEATURE_SEGMENT_AXIS:
    return segment_axis_inside(q, n, feature, near);
  case TOI_FEATURE_AXIS:
    break;
  }
  for (int k = 1; k < q->moving->count; k++)
    if (feature.sign * q->hull.c[k][axis] < feature.sign * q->hull.c[lowest][axis])
      lowest = k;
  const toi_interval *c = q->wide.c[lowest];
  return strictly_within(c[i], near) && strictly_within(c[j], near) ? lowest : -1;
}

/* A share, as heights are compared with it: it is above x if factor h > (x - shift) |n|*, h the height of the nearest
 * point, shift = lift - factor base. */
typedef struct share_question {
  bool l2;
  toi_ball shift, dual; /* dual is |n|^2 or |n|* */
} share_question;

/* factor^2 h^2 - (x - shift)^2 |n|^2, or factor h - (x - shift) |n|*; nothing is known of its sign if x - shift, which
 * is squared, may be negative. */
static toi_ball beyond_share(const share_question *q, toi_ball scaled_height, double x) {
  toi_ball left = scaled_height, right = toi_ball_sub(toi_ball_of(x), q->shift);
  if (q->l2) {
    if (toi_ball_sign(right) <= 0)
      return (toi_ball){{0, 0}, INFINITY};
    left = toi_ball_mul(left, left);
    right = toi_ball_mul(right, right);
  }
  return toi_ball_sub(left, toi_ball_mul(right, q->dual));
}

/* What balls can tell of: the nearest point not too near, beyond the base, and nothing that underflows or overflows. */
static bool tractable(double near, const toi_share *share, double scale) {
  const double terms[2] = {share->base, share->lift};
  for (int i = 0; i < 2; i++)
    if (terms[i] != 0 && !(terms[i] * scale > 0x1p-500 && terms[i] * scale < 0x1p80))
      return false;
  return near > 0x1p-40 && near > share->base * scale && share->factor > 0x1p-100 && share->factor < 0x1p90;
}

/* The largest double x that is not above the share of a distance of this height, if it is within a neighbour of what a
 * Newton step makes of `about`; that it is not above is left to be shown. */
static bool share_about(const share_question *q, toi_ball height, double about, double *x) {
  double slope = q->dual.x.hi * (q->l2 ? 2 * (about - q->shift.x.hi) : 1);
  *x = about + beyond_share(q, height, about).x.hi / slope;
  if (toi_ball_sign(beyond_share(q, height, *x)) < 0)
    *x = toi_next_down(*x);
  return toi_ball_sign(beyond_share(q, height, toi_next_up(*x))) < 0;
}

static bool height_share(const toi_moving *moving, toi_feature feature, double near, const toi_share *share,
                         double *value) {
  within_question q;
  toi_ball n[3], heights[TOI_MOST_CORNERS], by = toi_ball_of(share->factor);
  const double factor = share->factor, base = share->base * moving->scale, lift = share->lift * moving->scale;
  ask_within(moving, 0, &q);
  feature_direction(&q.balls, moving->count, feature, n);
  int own = distance_corner(&q, feature, n, near * (1 - 0x1p-40));
  if (own < 0 || !tractable(near, share, moving->scale))
    return false;
  share_question of = {.l2 = moving->norm == TOI_NORM_L2,
                       .shift = toi_ball_sub(toi_ball_of(lift), toi_ball_mul(by, toi_ball_of(base)))};
  of.dual = of.l2 ? toi_ball_dot(n, n) : sum_of_magnitudes(n);
  for (int k = 0; k < moving->count; k++)
    heights[k] = toi_ball_mul(by, toi_ball_dot(n, q.balls.c[k]));
  double x;
  // A distance within the base has the lift alone.
  if (!share_about(&of, heights[own], lift + factor * (near - base), &x) || x < lift)
    return false;
  // The other coordinates are within `near` less a little: that must not be above the distance.
  const toi_ball least = toi_ball_sub(toi_ball_of(x), of.shift);
  if (!of.l2 && !(factor * near * (1 - 0x1p-41) <= least.x.hi * (1 - 0x1p-50) - least.r))
    return false;
  for (int k = 0; k < moving->count; k++)
    if (toi_ball_sign(heights[k]) <= 0 || toi_ball_sign(beyond_share(&of, heights[k], x)) <= 0)
      return false;
  *value = x / moving->scale;
  return *value > 0x1p-1000 && *value < 0x1p1000;
}

const toi_heights TOI_HEIGHTS = {height_at, within_at, height_share};
