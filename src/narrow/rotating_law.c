/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts narrowed on the laws themselves: Newton's method in intervals on the coplanarity
 *
 *   face:   f = (R_B n) . (R_A v + a - b) - n . f0,                     n = (f1 - f0) x (f2 - f0);
 *   edges:  f = (R_B e) . ((a - b) x R_A d + R_A (a0 x d)) - (R_B g) . (R_A d),   e = eb0 - eb1, g = e x eb0, d = a1 -
 *           a0,
 *
 * which is that of rotating.h with W = 1.
 *
 * Claim: every root of f in the bracket is in the narrower one. Why: for a root r and the middle m of the bracket
 * there is a slope s of f in the bracket with r = m - f(m) / s, by the mean value theorem. f(m) is enclosed in twofold
 * numbers with their radii (motion/motion_ball.h), the slopes by intervals, from derivatives of both bodies over the
 * bracket (motion/motion.h): f' = n . (R' v + T'), and e . (T' x R d + T x R' d + R' (a0 x d)) - g . R' d, with R and T
 * of the first body as seen from the second one. The first to be known of is untouched unless 0 is no slope. */

#include "narrow/rotating_law.h"

#include <math.h>

#include "narrow/hull.h"
#include "number/ball_functions.h"

/* Balls are for numbers below 2^200: of points that are larger nothing is narrowed. */
#define MOST_LENGTH 0x1p60

static toi_ball difference(double a, double b) {
  return (toi_ball){twofold_difference(a, b), 0};
}

static void turned(const toi_motion_ball *pose, const toi_ball v[3], toi_ball out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = toi_ball_dot(pose->rotation[i], v);
}

/* Row i of points, minus row j. */
static void way_between(const double *points, int i, int j, toi_ball out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = difference(points[3 * i + axis], points[3 * j + axis]);
}

static void point_of(const double *points, int i, toi_ball out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = toi_ball_of(points[3 * i + axis]);
}

/* --- values --- */

static toi_ball face_value(const double *points, const toi_motion_ball pose[2], const toi_ball x[3]) {
  toi_ball e1[3], e2[3], n[3], v[3], f0[3], normal[3], place[3];
  way_between(points, 2, 1, e1);
  way_between(points, 3, 1, e2);
  toi_ball_cross(e1, e2, n);
  point_of(points, 0, v);
  point_of(points, 1, f0);
  turned(&pose[0], v, place);
  turned(&pose[1], n, normal);
  for (int i = 0; i < 3; i++)
    place[i] = toi_ball_add(place[i], x[i]);
  return toi_ball_sub(toi_ball_dot(normal, place), toi_ball_dot(n, f0));
}

static toi_ball edge_value(const double *points, const toi_motion_ball pose[2], const toi_ball x[3]) {
  toi_ball a0[3], b0[3], d[3], e[3], moment[3], g[3], y[3], z[3], turned_e[3], turned_g[3], arm[3];
  point_of(points, 0, a0);
  point_of(points, 2, b0);
  way_between(points, 1, 0, d);
  way_between(points, 2, 3, e);
  toi_ball_cross(a0, d, moment);
  toi_ball_cross(e, b0, g);
  turned(&pose[0], d, y);
  turned(&pose[0], moment, z);
  turned(&pose[1], e, turned_e);
  turned(&pose[1], g, turned_g);
  toi_ball_cross(x, y, arm);
  for (int i = 0; i < 3; i++)
    arm[i] = toi_ball_add(arm[i], z[i]);
  return toi_ball_sub(toi_ball_dot(turned_e, arm), toi_ball_dot(turned_g, y));
}

static toi_interval value_at(const toi_rotating *query, const toi_body_law *const law[2], double t,
                             toi_law_desk *desk) {
  toi_motion_ball pose[2];
  toi_ball x[3];
  for (int b = 0; b < 2; b++)
    toi_body_law_ball(law[b], t, desk, &pose[b]);
  for (int i = 0; i < 3; i++)
    x[i] = toi_ball_sub(pose[0].translation[i], pose[1].translation[i]);
  const bool edges = query->kind == TOI_EDGE_EDGE;
  return toi_ball_bounds(edges ? edge_value(query->points, pose, x) : face_value(query->points, pose, x));
}

/* --- slopes --- */

static toi_interval dot(const toi_interval a[3], const toi_interval b[3]) {
  return toi_interval_add(toi_interval_add(toi_interval_mul(a[0], b[0]), toi_interval_mul(a[1], b[1])),
                          toi_interval_mul(a[2], b[2]));
}

static void cross(const toi_interval a[3], const toi_interval b[3], toi_interval out[3]) {
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = toi_interval_sub(toi_interval_mul(a[y], b[z]), toi_interval_mul(a[z], b[y]));
  }
}

static void apply(const toi_interval rotation[3][3], const toi_interval v[3], toi_interval out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = dot(rotation[i], v);
}

static void bounds_of(const toi_ball from[3], toi_interval to[3]) {
  for (int i = 0; i < 3; i++)
    to[i] = toi_ball_bounds(from[i]);
}

static toi_interval face_slope(const double *points, const toi_motion_jet *jet) {
  toi_ball e1[3], e2[3], normal[3], vertex[3];
  toi_interval n[3], v[3], velocity[3];
  way_between(points, 2, 1, e1);
  way_between(points, 3, 1, e2);
  toi_ball_cross(e1, e2, normal);
  point_of(points, 0, vertex);
  bounds_of(normal, n);
  bounds_of(vertex, v);
  apply(jet->rotation[1], v, velocity);
  for (int i = 0; i < 3; i++)
    velocity[i] = toi_interval_add(velocity[i], jet->translation[1][i]);
  return dot(n, velocity);
}

static toi_interval edge_slope(const double *points, const toi_motion_jet *jet) {
  toi_ball ball[4][3], moment[3], plane[3];
  toi_interval d[3], e[3], m[3], g[3], rd[3], rd_rate[3], rm_rate[3], first[3], second[3];
  point_of(points, 0, ball[0]);
  point_of(points, 2, ball[1]);
  way_between(points, 1, 0, ball[2]);
  way_between(points, 2, 3, ball[3]);
  toi_ball_cross(ball[0], ball[2], moment);
  toi_ball_cross(ball[3], ball[1], plane);
  bounds_of(ball[2], d);
  bounds_of(ball[3], e);
  bounds_of(moment, m);
  bounds_of(plane, g);
  apply(jet->rotation[0], d, rd);
  apply(jet->rotation[1], d, rd_rate);
  apply(jet->rotation[1], m, rm_rate);
  cross(jet->translation[1], rd, first);
  cross(jet->translation[0], rd_rate, second);
  for (int i = 0; i < 3; i++)
    first[i] = toi_interval_add(toi_interval_add(first[i], second[i]), rm_rate[i]);
  return toi_interval_sub(dot(e, first), dot(g, rd_rate));
}

static toi_interval slope_over(const toi_rotating *query, const toi_body_law *const law[2], const double bracket[2],
                               toi_law_desk *desk) {
  toi_motion_jet jet[2], relative;
  for (int b = 0; b < 2; b++)
    toi_body_law_jet(law[b], b, (toi_interval){bracket[0], bracket[1]}, desk, &jet[b]);
  toi_motion_jet_relative(&jet[0], &jet[1], 1, &relative);
  const bool edges = query->kind == TOI_EDGE_EDGE;
  return edges ? edge_slope(query->points, &relative) : face_slope(query->points, &relative);
}

/* --- the bracket --- */

static bool is_small(const toi_rotating *query) {
  const size_t count = (size_t)3 * toi_kind_points(query->kind);
  double most = query->pair->far;
  for (size_t i = 0; i < count; i++)
    most = fmax(most, fabs(query->points[i]));
  return most <= MOST_LENGTH;
}

/* One step; false if it does not halve the bracket. */
static bool narrow_once(const toi_rotating *query, const toi_body_law *const law[2], toi_law_desk *desk,
                        double bracket[2]) {
  const toi_interval before = {bracket[0], bracket[1]}, slope = slope_over(query, law, bracket, desk);
  if (!(slope.lo > 0 || slope.hi < 0) || !isfinite(slope.lo) || !isfinite(slope.hi))
    return false;
  const double middle = 0.5 * (bracket[0] + bracket[1]);
  const toi_interval step = toi_interval_div(value_at(query, law, middle, desk), slope);
  toi_interval after = toi_interval_sub(toi_interval_point(middle), step);
  // The bracket has a root: they have one in common.
  if (!toi_interval_intersect(before, after, &after))
    return false;
  bracket[0] = after.lo;
  bracket[1] = after.hi;
  return after.hi - after.lo <= 0.5 * (before.hi - before.lo);
}

void toi_law_narrow(const toi_rotating *query, double bracket[2]) {
  enum { STEPS = 12 };
  const toi_turn_law *of = query->pair->of_laws;
  toi_body_law own[2];
  const toi_body_law *law[2] = {&own[0], &own[1]};
  if (!is_small(query) || toi_corner_count(query->kind) < 3)
    return;
  for (int b = 0; b < 2; b++)
    if (of != NULL)
      law[b] = &of->body[b];
    else
      toi_body_law_of_poses(&query->pair->body[b], &own[b]);
  toi_law_desk *desk = toi_law_desk_take(of);
  bool better = true;
  for (int step = 0; step < STEPS && better && bracket[0] < bracket[1]; step++)
    better = narrow_once(query, law, desk, bracket);
  toi_law_desk_leave(desk);
}
