/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Making tables of swept boxes; swept_table.h has the claim and its derivation. */

#include "broad/swept_table.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "motion/motion.h"
#include "motion/slerp.h"
#include "narrow/moving_pair.h"

/* Covers the roundings of a bound that is computed in doubles. */
#define ROUNDED_UP (1 + 0x1p-30)

#define FLOAT_ERROR 0x1p-19
#define POSE_ERROR 0x1p-40
#define HALF_PI 1.5707963267948968 /* rounded up */
#define LEAST_ANGLE 0x1p-100       /* of half a turn: below it slerp.h knows no axis */
#define LARGEST 0x1p100

/* --- a body --- */

static double length3(const double v[3]) {
  return hypot(hypot(v[0], v[1]), v[2]) * ROUNDED_UP;
}

/* Scales four numbers by one power of two, so that the largest is in [1/2, 1); not if all are 0. */
static void normalise(double q[4]) {
  double most = 0;
  int exponent;
  for (int i = 0; i < 4; i++)
    most = fabs(q[i]) > most ? fabs(q[i]) : most;
  (void)frexp(most, &exponent);
  for (int i = 0; i < 4; i++)
    q[i] = ldexp(q[i], -exponent);
}

static double dot4(const double a[4], const double b[4]) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
}

void toi_shorter_way(toi_moving_body *body) {
  const bool negative = toi_quaternion_dot_sign(body->start.quaternion, body->end.quaternion) < 0;
  for (int i = 0; i < 4 && negative; i++)
    body->end.quaternion[i] = -body->end.quaternion[i];
}

/* The rotation of a quaternion of any length, its largest component in [1/2, 1). */
static void rotation_of(const double q[4], double r[3][3]) {
  const double scale = 2 / dot4(q, q);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    r[i][i] = 1 - scale * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
    r[i][j] = scale * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
    r[j][i] = scale * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
  }
}

/* Both quaternions, scaled alike so that the largest component of either is in [1/2, 1). */
static void scale_alike(const toi_moving_body *body, double q0[4], double q1[4]) {
  double most = 0;
  int exponent;
  for (int i = 0; i < 4; i++) {
    most = fmax(most, fabs(body->start.quaternion[i]));
    most = fmax(most, fabs(body->end.quaternion[i]));
  }
  (void)frexp(most, &exponent);
  for (int i = 0; i < 4; i++) {
    q0[i] = ldexp(body->start.quaternion[i], -exponent);
    q1[i] = ldexp(body->end.quaternion[i], -exponent);
  }
}

/* The orientation at k / 64. At the ends it is the given one, however short that is beside the other. */
static void orientation(const toi_moving_body *body, const double q0[4], const double q1[4], int k, double r[3][3]) {
  const double t = (double)k / TOI_PIECES;
  double q[4];
  for (int i = 0; i < 4; i++)
    q[i] = k == 0 ? body->start.quaternion[i] : k == TOI_PIECES ? body->end.quaternion[i] : (1 - t) * q0[i] + t * q1[i];
  normalise(q);
  rotation_of(q, r);
}

/* Bounds of angular speed and acceleration on each piece. */
static void bound_speeds(const double q0[4], const double q1[4], toi_body_samples *samples) {
  double wedge = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++) {
      const double minor = q0[i] * q1[j] - q0[j] * q1[i];
      wedge += minor * minor;
    }
  const double n0 = dot4(q0, q0), n1 = dot4(q1, q1), d = fmax(dot4(q0, q1), 0);
  // Each minor is off by 2^-52, as components are at most 1, and by no more than 2^-50 |q0| |q1|.
  wedge = sqrt(wedge) + 0x1p-48 * sqrt(n0) * sqrt(n1);
  for (int k = 0; k < TOI_PIECES; k++) {
    const double s = (double)k / TOI_PIECES, t = (double)(k + 1) / TOI_PIECES;
    const double least = ((1 - t) * (1 - t) * n0 + 2 * fmin(s * (1 - s), t * (1 - t)) * d + s * s * n1) / ROUNDED_UP;
    const double from = fabs((1 - 2 * s) * d + s * n1 - (1 - s) * n0);
    const double to = fabs((1 - 2 * t) * d + t * n1 - (1 - t) * n0);
    const double slope = 2 * (fmax(from, to) + 0x1p-48 * (n0 + n1)) * ROUNDED_UP;
    samples->speed[k] = 2 * wedge / least * ROUNDED_UP;
    samples->acceleration[k] = samples->speed[k] * (slope / least) * ROUNDED_UP;
    // A body that keeps its orientation is known to, and shorter quaternions than these are not looked into.
    if (!(least > 0x1p-900)) {
      samples->speed[k] = INFINITY;
      samples->acceleration[k] = INFINITY;
    }
  }
}

/* Of a body that turns at a constant rate: poses at the inner times, and its speeds. */
static void sample_steady(const toi_moving_body *body, toi_body_samples *samples) {
  double q0[4], q1[4], way[2][3];
  memcpy(q0, body->start.quaternion, sizeof q0);
  memcpy(q1, body->end.quaternion, sizeof q1);
  normalise(q0);
  normalise(q1);
  for (int i = 0; i < 3; i++) {
    const double from = body->start.position[i], to = body->end.position[i], back = to - from;
    const double own = to - back;
    way[0][i] = back;
    way[1][i] = (to - (own + back)) + (own - from);
  }
  toi_slerp slerp;
  toi_slerp_make(q0, q1, (const double(*)[3])way, body->law == TOI_LAW_SCREW, &slerp);
  for (int k = 1; k < TOI_PIECES; k++) {
    double q[4], off[3];
    toi_slerp_at(&slerp, q0, (double)k / TOI_PIECES, q, off);
    normalise(q);
    rotation_of(q, samples->rotation[k]);
    for (int i = 0; i < 3; i++)
      samples->position[k][i] += off[i];
  }
  const double angle = 2 * fmax(slerp.angle[0], LEAST_ANGLE) * ROUNDED_UP;
  for (int k = 0; k < TOI_PIECES; k++) {
    samples->speed[k] = angle;
    samples->acceleration[k] = 0;
  }
  if (body->law == TOI_LAW_SCREW) {
    samples->pace *= HALF_PI * ROUNDED_UP;
    samples->curve = angle * samples->pace * ROUNDED_UP;
  }
}

/* The length of the vector that the skew part of a matrix crosses with. */
static double axial_length(const toi_interval m[3][3]) {
  double square = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double twice = toi_interval_magnitude(toi_interval_sub(m[k][j], m[j][k]));
    square += twice * twice;
  }
  return 0.5 * sqrt(square) * ROUNDED_UP;
}

/* A R', whose skew part is of interest. */
static void times_transposed(const toi_interval a[3][3], const toi_interval r[3][3], toi_interval out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out[i][j] = toi_interval_mul(a[i][0], r[j][0]);
      for (int k = 1; k < 3; k++)
        out[i][j] = toi_interval_add(out[i][j], toi_interval_mul(a[i][k], r[j][k]));
    }
}

static double magnitude3(const toi_interval v[3]) {
  double square = 0;
  for (int i = 0; i < 3; i++)
    square += toi_interval_magnitude(v[i]) * toi_interval_magnitude(v[i]);
  return sqrt(square) * ROUNDED_UP;
}

/* The motion's own time at k / 64 of the step, within its times. */
static toi_interval motion_time(const toi_moving_body *body, int k) {
  const toi_interval from = toi_interval_point(body->motion_from), to = toi_interval_point(body->motion_to);
  const toi_interval part = toi_interval_point((double)k / TOI_PIECES), ends = toi_interval_hull(from, to);
  toi_interval time = k == TOI_PIECES ? to : toi_interval_add(from, toi_interval_mul(part, toi_interval_sub(to, from)));
  toi_interval_intersect(time, ends, &time);
  return time;
}

/* Where a motion is at k / 64, rounded, and what it does in the piece from there. */
static void sample_at(const toi_moving_body *body, int k, toi_body_samples *samples) {
  const double rate = fabs(body->motion_to - body->motion_from) * ROUNDED_UP;
  toi_motion_jet at, over;
  toi_motion_jet_at(body->motion, motion_time(body, k), 0, &at);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      samples->rotation[k][i][j] = toi_interval_midpoint(at.rotation[0][i][j]);
      samples->doubt_turned = fmax(samples->doubt_turned, toi_interval_width(at.rotation[0][i][j]));
    }
    samples->position[k][i] = toi_interval_midpoint(at.translation[0][i]);
    samples->doubt = fmax(samples->doubt, toi_interval_width(at.translation[0][i]));
  }
  if (k == TOI_PIECES)
    return;
  toi_interval turned[3][3];
  toi_motion_jet_at(body->motion, toi_interval_hull(motion_time(body, k), motion_time(body, k + 1)), 2, &over);
  times_transposed((const toi_interval(*)[3])over.rotation[1], (const toi_interval(*)[3])over.rotation[0], turned);
  samples->speed[k] = axial_length((const toi_interval(*)[3])turned) * rate;
  times_transposed((const toi_interval(*)[3])over.rotation[2], (const toi_interval(*)[3])over.rotation[0], turned);
  samples->acceleration[k] = axial_length((const toi_interval(*)[3])turned) * rate * rate * ROUNDED_UP;
  samples->pace = fmax(samples->pace, magnitude3(over.translation[1]) * rate);
  samples->curve = fmax(samples->curve, magnitude3(over.translation[2]) * rate * rate * ROUNDED_UP);
}

static void sample_motion(const toi_moving_body *body, toi_body_samples *samples) {
  samples->pace = samples->doubt = samples->doubt_turned = 0;
  // Not 0: nothing says that it moves straight.
  samples->curve = 0x1p-1000;
  for (int k = 0; k <= TOI_PIECES; k++)
    sample_at(body, k, samples);
}

void toi_body_samples_make(const toi_moving_body *body, toi_body_samples *samples) {
  double q0[4], q1[4], way[3];
  if (body->law == TOI_LAW_MOTION) {
    sample_motion(body, samples);
    return;
  }
  scale_alike(body, q0, q1);
  const bool turns = memcmp(body->start.quaternion, body->end.quaternion, sizeof body->end.quaternion) != 0;
  const bool steady = turns && body->law != TOI_LAW_NLERP;
  for (int k = 0; k <= TOI_PIECES; k++) {
    const double t = (double)k / TOI_PIECES;
    for (int axis = 0; axis < 3; axis++)
      samples->position[k][axis] = (1 - t) * body->start.position[axis] + t * body->end.position[axis];
    if (k > 0 && !turns)
      memcpy(samples->rotation[k], samples->rotation[0], sizeof samples->rotation[k]);
    else if (!steady || k == 0 || k == TOI_PIECES)
      orientation(body, q0, q1, k, samples->rotation[k]);
  }
  for (int axis = 0; axis < 3; axis++)
    way[axis] = body->end.position[axis] - body->start.position[axis];
  samples->pace = length3(way) * ROUNDED_UP;
  samples->curve = samples->doubt = samples->doubt_turned = 0;
  if (steady)
    sample_steady(body, samples);
  else if (turns)
    bound_speeds(q0, q1, samples);
  else
    for (int k = 0; k < TOI_PIECES; k++)
      samples->speed[k] = samples->acceleration[k] = 0;
}

/* --- a table --- */

/* The larger distance of a body's origin from the world's: at the ends, or on its way between. */
static double farthest(const toi_body_samples *samples) {
  return fmax(length3(samples->position[0]), length3(samples->position[TOI_PIECES])) + samples->curve / 8 * ROUNDED_UP;
}

/* What the pieces of a pair share. */
typedef struct relative {
  double speed;    /* V */
  double curve;    /* c_A + c_B */
  double distance; /* X */
  double reach;    /* P */
  double size;     /* S */
  double unit;     /* of B */
  double separation;
} relative;

static relative relative_of(const toi_body_samples *const samples[2], const toi_body_tree *const tree[2],
                            double separation) {
  relative of = {.reach = tree[0]->reach, .separation = separation};
  double from[3], to[3], way[3];
  for (int axis = 0; axis < 3; axis++) {
    from[axis] = samples[0]->position[0][axis] - samples[1]->position[0][axis];
    to[axis] = samples[0]->position[TOI_PIECES][axis] - samples[1]->position[TOI_PIECES][axis];
    way[axis] = to[axis] - from[axis];
  }
  of.curve = (samples[0]->curve + samples[1]->curve) * ROUNDED_UP;
  of.size = farthest(samples[0]) + farthest(samples[1]) + 2 * tree[0]->reach + 2 * tree[1]->reach;
  of.speed = (of.curve > 0 ? samples[0]->pace + samples[1]->pace : length3(way)) + POSE_ERROR * of.size;
  of.distance = fmax(length3(from), length3(to)) + of.curve / 8 + POSE_ERROR * of.size;
  of.unit = ldexp(1, tree[1]->exponent);
  of.separation +=
      (samples[0]->doubt + samples[1]->doubt) * 2 +
      3 * (samples[0]->doubt_turned * of.reach + samples[1]->doubt_turned * (of.distance + of.reach)) * ROUNDED_UP;
  return of;
}

/* h^2 K / 8 + 2^-40 S and the separation, in units of B; speeds are those of A, then B. */
static double bend(const relative *of, double h, const double speed[2], const double acceleration[2]) {
  const double w = speed[0] + speed[1];
  const double k = (w * w + acceleration[0] + acceleration[1]) * of->reach + 2 * speed[1] * of->speed +
                   (speed[1] * speed[1] + acceleration[1]) * of->distance + of->curve;
  return (h * h / 8 * k + POSE_ERROR * of->size + of->separation) / of->unit * ROUNDED_UP;
}

/* Rounded up; NaN becomes infinite, so that it separates nothing. */
static float slack_of(double bend, double magnitude) {
  const double slack = bend + FLOAT_ERROR * magnitude;
  if (!(slack < LARGEST) || !(magnitude < LARGEST))
    return INFINITY;
  return nextafterf((float)slack, INFINITY);
}

/* y at sample k as a row of the table: r and t in both trees' coordinates. */
static void make_row(const toi_body_samples *const samples[2], const toi_body_tree *const tree[2], int k, double r[9],
                     double t[3]) {
  const double(*a)[3] = samples[0]->rotation[k], (*b)[3] = samples[1]->rotation[k];
  double x[3];
  for (int axis = 0; axis < 3; axis++) {
    const double *c = tree[0]->centre;
    x[axis] = (samples[0]->position[k][axis] - samples[1]->position[k][axis]) +
              ((a[axis][0] * c[0] + a[axis][1] * c[1]) + a[axis][2] * c[2]);
  }
  for (int i = 0; i < 3; i++) {
    t[i] = ((b[0][i] * x[0] + b[1][i] * x[1]) + b[2][i] * x[2]) - tree[1]->centre[i];
    for (int j = 0; j < 3; j++)
      r[3 * i + j] = (b[0][i] * a[0][j] + b[1][i] * a[1][j]) + b[2][i] * a[2][j];
  }
}

/* Row k, the end of piece k - 1 and the begin of piece k, with lanes of eight from `lanes` on. */
static void put_row(toi_swept_lanes *lanes, int count, int k, const float r[9], const float t[3]) {
  for (int end = 0; end < 2; end++) {
    const int piece = k - end;
    if (piece < 0 || piece >= count)
      continue;
    toi_swept_lanes *to = &lanes[piece / TOI_GROUP];
    for (int i = 0; i < 9; i++) {
      float *most = &to->most[i][piece % TOI_GROUP];
      to->r[end][i][piece % TOI_GROUP] = r[i];
      *most = fabsf(r[i]) > *most ? fabsf(r[i]) : *most;
    }
    for (int i = 0; i < 3; i++)
      to->t[end][i][piece % TOI_GROUP] = t[i];
  }
}

/* Rows of pieces and groups; size[k] gets M at time k / 64. */
static void put_rows(const toi_body_samples *const samples[2], const toi_body_tree *const tree[2],
                     toi_swept_table *table, double size[TOI_PIECES + 1]) {
  const int own = tree[0]->exponent - tree[1]->exponent;
  for (int k = 0; k <= TOI_PIECES; k++) {
    double r[9], t[3], most = 0;
    float row[9], at[3];
    make_row(samples, tree, k, r, t);
    for (int i = 0; i < 9; i++)
      row[i] = (float)ldexp(r[i], own);
    for (int i = 0; i < 3; i++) {
      t[i] = ldexp(t[i], -tree[1]->exponent);
      at[i] = (float)t[i];
      most = fmax(most, fabs(t[i]));
    }
    size[k] = isnan(t[0] + t[1] + t[2]) ? INFINITY : most + 3 * ldexp(1, own) + 1;
    put_row(table->fine, TOI_PIECES, k, row, at);
    if (k % TOI_GROUP == 0)
      put_row(&table->coarse, TOI_GROUPS, k / TOI_GROUP, row, at);
  }
}

void toi_swept_table_make(const toi_body_samples *const samples[2], const toi_body_tree *const tree[2],
                          double separation, toi_swept_table *table) {
  const relative of = relative_of(samples, tree, separation);
  double size[TOI_PIECES + 1], spread = 0;
  memset(table, 0, sizeof *table);
  table->wide = toi_simd_best() == TOI_SIMD_AVX2;
  table->unit = (float)ldexp(1, tree[0]->exponent - tree[1]->exponent);
  put_rows(samples, tree, table, size);
  for (int g = 0; g < TOI_GROUPS; g++) {
    double speed[2] = {0, 0}, acceleration[2] = {0, 0}, magnitude = 0;
    for (int k = g * TOI_GROUP; k < (g + 1) * TOI_GROUP; k++) {
      const double here[2] = {samples[0]->speed[k], samples[1]->speed[k]};
      const double change[2] = {samples[0]->acceleration[k], samples[1]->acceleration[k]};
      const double most = fmax(size[k], size[k + 1]);
      table->fine[g].slack[k % TOI_GROUP] = slack_of(bend(&of, 1.0 / TOI_PIECES, here, change), most);
      for (int i = 0; i < 2; i++) {
        speed[i] = fmax(speed[i], here[i]);
        acceleration[i] = fmax(acceleration[i], change[i]);
      }
      magnitude = fmax(magnitude, most);
    }
    table->coarse.slack[g] = slack_of(bend(&of, 1.0 / TOI_GROUPS, speed, acceleration), magnitude);
    const double path = of.speed + speed[0] * of.reach + speed[1] * (of.distance + of.reach);
    spread = fmax(spread, path / TOI_GROUPS / of.unit);
  }
  table->spread = spread < LARGEST ? (float)spread : INFINITY;
}

/* --- boxes in the world --- */

void toi_body_swept_box(const toi_body_samples *samples, const toi_body_tree *tree, int begin, int end, double box[6]) {
  // The centre's path bends by (w^2 + e) |centre| h^2 / 8, and the ball around it turns in place.
  const double size = farthest(samples) + 2 * tree->reach, most = 0x1p1000;
  const double away = length3(tree->centre);
  double bent = 0;
  for (int k = begin; k < end; k++) {
    const double w = samples->speed[k];
    bent = fmax(bent, (w * w + samples->acceleration[k]) * away * (0x1p-15 * ROUNDED_UP));
  }
  // Whatever it does, it stays within that of the origin, which moves straight, or nearly.
  bent = (bent < 2 * away ? bent : 2 * away) + samples->curve * (0x1p-15 * ROUNDED_UP);
  const double doubt = samples->doubt + 3 * samples->doubt_turned * away;
  const double grown = (tree->radius + bent + POSE_ERROR * size + doubt) * ROUNDED_UP;
  for (int axis = 0; axis < 3; axis++) {
    box[axis] = INFINITY;
    box[3 + axis] = -INFINITY;
  }
  for (int k = begin; k <= end; k++) {
    for (int axis = 0; axis < 3; axis++) {
      const double *r = samples->rotation[k][axis];
      const double at =
          samples->position[k][axis] + ((r[0] * tree->centre[0] + r[1] * tree->centre[1]) + r[2] * tree->centre[2]);
      const double lo = at - grown, hi = at + grown;
      box[axis] = lo < box[axis] ? lo : box[axis];
      box[3 + axis] = hi > box[3 + axis] ? hi : box[3 + axis];
    }
  }
  // Finite, by a map that keeps the order: boxes that overlap still do.
  for (int i = 0; i < 6; i++)
    box[i] = isnan(box[i]) || fabs(box[i]) > most ? (i < 3 ? -most : most) : box[i];
}
