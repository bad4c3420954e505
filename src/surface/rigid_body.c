/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid motion as linear motion, with what they differ by.
 *
 * Turns at a constant rate w (motion/stage.h). With A, B and C affine maps and v a velocity, a point p is at time t at
 *   C p + cos x A p + sin x B p + t v,   x = angle + w t.
 * Let tm be the middle of [t0, t1], s = w (t - tm), F = cos xm A + sin xm B and G = cos xm B - sin xm A, so that this
 * is C p + cos s F p + sin s G p + t v. F p and G p are orthogonal, and as long as p is far from the axis: r = |B p|.
 * With h = t1 - t0 and a = w h / 2 the linear motion taken is
 *   C p + m F p + (s / a) sin a G p + t v,   m = (1 + cos a) / 2.
 *
 * Claim 1 (bend): the two are never farther apart than r a^2 sqrt(1/16 + a^2/243).
 * Why: for |s| <= |a| <= pi, cos s lies in [cos a, 1], whose middle is m: |cos s - m| <= (1 - cos a) / 2 <= a^2 / 4.
 * And (s / a) sin a interpolates sin s at -a, 0, a: it is off by at most |s (a^2 - s^2)| / 6 <= |a|^3 / (9 sqrt 3).
 *   With m = 1 in its place the linear motion is the true one at tm, and |cos s - 1| <= a^2 / 2: a^2 sqrt(1/4 +
 * a^2/243). Where |a| > A_MOST the linear motion is that of the axis, C p + t v, off by r. A point of a patch is a mean
 * of its control points, with weights that do not change in time, and so of their motions: what holds for all control
 * points holds for it. What was meant by the patch at rest is turned with it and keeps its distance.
 *
 * Any other motion, R(t) p + T(t): the linear motion taken is that of tm, with the velocity there. By Taylor's formula
 * the two differ by at most (h/2)^2 / 2 times |R'' p + T''| over [t0, t1], which is enclosed at every control point;
 * or, where that is more, it is rest in the middle of what R p + T is over [t0, t1], off by the distance from there.
 *
 * Claim 2 (rounding): with M the matrix of a map, computed as intervals and taken as their middles within `error`, B
 *   the largest magnitude of its entries, o its shift likewise, D the largest |p_x| + |p_y| + |p_z|, and u = 2^-53:
 *   computed points o + M p are off by at most error D + 4 u B D + o.error + u |o| in every coordinate, to first order.
 * Why: a product rounds once, a row of three products has two more sums, and there is one with o. The code takes 8 u B
 * D and 2 u |o|, which leaves room for higher orders and for the bound's own roundings, and 7/4 > sqrt 3 of it as a
 *   distance; TINY covers underflow. */

#include "surface/rigid_body.h"

#include <stdio.h>
#include <string.h>

#include "number/trigonometry.h"
#include "solve/vector.h"
#include "surface/builder.h"

/* Half the angle of a piece of time, up to which its turn is followed: bend is then below the distance from the axis.
 */
#define A_MOST 2.0

#define TINY 0x1p-1060
#define SQUARES_LEAST 0x1p-900
#define AS_DISTANCE 1.75

/* For bounds that are computed in a few roundings. */
#define OUTWARD (1 + 0x1p-46)

/* Pieces of time at which speed and acceleration are measured, where they change. */
#define SPEED_PIECES 16

/* The linear motion over a piece of time. */
typedef struct frame {
  double t0;
  toi_rounded_map place, rate; /* at t0, and for each unit of time */
  double bend;                 /* of a wave: a unit away from the axis */
  toi_interval rest[3][4]; /* of any other motion: the difference of a point from the linear motion lies in rest p */
  bool exact;              /* asked for: m = 1 */
} frame;

/* --- maps --- */

/* Intervals as their middles; the last column is the shift. */
static toi_rounded_map middles(toi_interval from[3][4]) {
  toi_rounded_map m = {.error = 0};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      m.map.matrix[i][j] = toi_interval_midpoint(from[i][j]);
      m.error = toi_larger(m.error, toi_interval_width(from[i][j]));
      m.most = toi_larger(m.most, fabs(m.map.matrix[i][j]));
    }
    m.map.shift[i] = toi_interval_midpoint(from[i][3]);
    m.shift_error = toi_larger(m.shift_error, toi_interval_width(from[i][3]));
    m.shift_most = toi_larger(m.shift_most, fabs(m.map.shift[i]));
  }
  return m;
}

static void apply(const toi_affine *a, const double p[3], double image[3]) {
  for (int k = 0; k < 3; k++) {
    const double *row = a->matrix[k];
    image[k] = a->shift[k] + (row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
  }
}

static double sum_of(const double p[3]) {
  return fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
}

/* Claim 2, as a distance, for points of this sum of coordinates. */
static double rounding_of(const toi_rounded_map *m, double sum) {
  return AS_DISTANCE *
         ((m->error + 8 * TOI_UNIT * m->most) * sum + m->shift_error + 2 * TOI_UNIT * m->shift_most + TINY);
}

/* --- turns at a constant rate --- */

typedef struct turn {
  toi_interval sine, cosine; /* of the angle in the middle */
  toi_interval mean;         /* m */
  toi_interval sine_a;
  toi_interval rate; /* 2 sin a / h */
} turn;

/* Entry by entry: C + m F - sin a G + t0 v and (2 sin a / h) G + v. */
static void make_maps(const toi_wave *wave, const turn *by, frame *f) {
  toi_interval place[3][4], rate[3][4];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      const toi_wave_entry *e = &wave->entry[i][j];
      toi_interval forth =
          toi_interval_add(toi_interval_mul(by->cosine, e->cosine), toi_interval_mul(by->sine, e->sine));
      toi_interval side =
          toi_interval_sub(toi_interval_mul(by->cosine, e->sine), toi_interval_mul(by->sine, e->cosine));
      toi_interval mean = toi_interval_add(e->constant, toi_interval_mul(by->mean, forth));
      place[i][j] = toi_interval_sub(mean, toi_interval_mul(by->sine_a, side));
      rate[i][j] = toi_interval_mul(by->rate, side);
    }
    toi_interval way = toi_interval_mul(wave->velocity[i], toi_interval_point(f->t0));
    place[i][3] = toi_interval_add(place[i][3], way);
    rate[i][3] = toi_interval_add(rate[i][3], wave->velocity[i]);
  }
  f->place = middles(place);
  f->rate = middles(rate);
}

static void make_turn(toi_rigid_body *body, double t1, frame *f) {
  const toi_wave *wave = body->wave;
  const toi_interval length = toi_interval_point(t1 - f->t0);
  toi_interval a = toi_interval_scale(toi_interval_mul(wave->rate, length), -1);
  toi_interval sum = toi_interval_add(toi_interval_point(f->t0), toi_interval_point(t1));
  toi_interval middle = toi_interval_add(wave->angle, toi_interval_scale(toi_interval_mul(wave->rate, sum), -1));
  turn by = {.sine = {0, 0}};
  const double most = toi_interval_magnitude(a);
  body->followed = !wave->turns || most <= A_MOST;
  f->bend = wave->turns ? OUTWARD : 0;
  // Without a turn to follow all factors are zero, and the axis is left.
  if (wave->turns && most <= A_MOST && toi_interval_magnitude(middle) <= TOI_ANGLE_MOST) {
    toi_interval cosine_a;
    toi_interval_sin_cos(middle, &by.sine, &by.cosine);
    toi_interval_sin_cos(a, &by.sine_a, &cosine_a);
    by.mean =
        f->exact ? toi_interval_point(1) : toi_interval_scale(toi_interval_add(toi_interval_point(1), cosine_a), -1);
    by.rate = toi_interval_div(toi_interval_scale(by.sine_a, 1), length);
    double square = most * most;
    f->bend = square * sqrt((f->exact ? 0.25 : 0.0625) + square / 243) * OUTWARD + TINY;
  }
  make_maps(wave, &by, f);
}

/* At least the distance from the axis: |B p|. */
static double axis_distance(const toi_rigid_body *body, const double p[3]) {
  double arm[3];
  apply(&body->swing.map, p, arm);
  const double square = toi_dot(arm, arm);
  // Squares that underflow lose more than OUTWARD covers.
  const double length = square >= SQUARES_LEAST ? sqrt(square) : toi_builder_length(arm[0], arm[1], arm[2]);
  return length * OUTWARD + rounding_of(&body->swing, sum_of(p));
}

/* --- any other motion --- */

/* Rotation and translation of one order as a map of three rows. */
static toi_interval entry_of(const toi_motion_jet *jet, unsigned order, int i, int j) {
  return j < 3 ? jet->rotation[order][i][j] : jet->translation[order][i];
}

/* About how large its images are of points so far from the origin. */
static double size_of(toi_interval rest[3][4], double reach) {
  double size = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      size += toi_interval_magnitude(rest[i][j]) * (j < 3 ? reach : 1);
  return size;
}

static void make_tangent(toi_rigid_body *body, double t1, frame *f) {
  const double tm = 0.5 * f->t0 + 0.5 * t1, half = fmax(toi_sum_up(t1, -tm), toi_sum_up(tm, -f->t0));
  const toi_interval back = toi_interval_sub(toi_interval_point(f->t0), toi_interval_point(tm));
  const toi_interval part = {0, toi_product_up(toi_product_up(half, half), 0.5)};
  toi_motion_jet at, over;
  toi_motion_jet_at(body->motion, toi_interval_point(tm), 1, &at);
  toi_motion_jet_at(body->motion, (toi_interval){f->t0, t1}, 2, &over);
  toi_interval place[3][4], rate[3][4], still[3][4], stray[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      rate[i][j] = entry_of(&at, 1, i, j);
      place[i][j] = toi_interval_add(entry_of(&at, 0, i, j), toi_interval_mul(back, rate[i][j]));
      f->rest[i][j] = toi_interval_mul(part, entry_of(&over, 2, i, j));
      still[i][j] = toi_interval_point(toi_interval_midpoint(entry_of(&over, 0, i, j)));
      stray[i][j] = toi_interval_sub(entry_of(&over, 0, i, j), still[i][j]);
    }
  body->followed = size_of(f->rest, body->reach) <= size_of(stray, body->reach);
  if (!body->followed) {
    memcpy(f->rest, stray, sizeof stray);
    memset(rate, 0, sizeof rate);
  }
  f->place = middles(body->followed ? place : still);
  f->rate = middles(rate);
}

/* At least the length of rest p. */
static double rest_length(toi_interval rest[3][4], const double p[3]) {
  toi_interval image[3];
  for (int i = 0; i < 3; i++) {
    image[i] = rest[i][3];
    for (int j = 0; j < 3; j++)
      image[i] = toi_interval_add(image[i], toi_interval_mul(rest[i][j], toi_interval_point(p[j])));
  }
  return toi_length3(image).hi;
}

/* --- patches --- */

static void make_frame(toi_rigid_body *body, double t0, double t1, frame *f) {
  assert(t0 >= 0 && t0 < t1);
  f->t0 = t0;
  if (body->wave)
    make_turn(body, t1, f);
  else
    make_tangent(body, t1, f);
}

/* What the turn adds to the error is returned; NaN where numbers leave the range of doubles. The moved patches' arrays
 * are the body's own: const is for those who are given them. */

/* Turned and shifted, point by point. */
static double turn_patch(const toi_rigid_body *body, frame *f, const toi_patch *from, toi_patch *to) {
  const size_t count = toi_patch_points(from->shape, from->degree);
  double most = 0, bend = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double *p = from->points[i];
    double *point = (double *)to->points[i], *velocity = (double *)to->velocities[i];
    apply(&f->place.map, p, point);
    apply(&f->rate.map, p, velocity);
    for (int k = 0; k < 3; k++)
      sum += fabs(point[k]) * 0x1p-20 + fabs(velocity[k]) * 0x1p-20;
    most = toi_larger(most, sum_of(p));
    bend = fmax(bend, !body->wave ? rest_length(f->rest, p) : body->wave->turns ? axis_distance(body, p) : 0);
  }
  bend *= body->wave ? f->bend : 1;
  to->error = (from->error + f->t0 * from->velocity_error + rounding_of(&f->place, most) + bend) * OUTWARD;
  to->velocity_error = (from->velocity_error + rounding_of(&f->rate, most)) * OUTWARD;
  const bool known = to->error < INFINITY || (!body->wave && bend == INFINITY);
  return known && isfinite(sum + to->velocity_error * 0x1p-20) ? bend : (double)NAN;
}

/* Shifted only; what stays in place loses nothing. */
static double shift_patch(frame *f, const toi_patch *from, toi_patch *to) {
  const size_t count = toi_patch_points(from->shape, from->degree);
  double most = 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      double *point = (double *)to->points[i], *velocity = (double *)to->velocities[i];
      point[k] = from->points[i][k] + f->place.map.shift[k];
      velocity[k] = f->rate.map.shift[k];
      most = toi_larger(most, fabs(point[k]));
    }
  to->error = from->error;
  to->velocity_error = from->velocity_error;
  if (f->rate.shift_error > 0)
    to->velocity_error = (from->velocity_error + AS_DISTANCE * f->rate.shift_error) * OUTWARD;
  if (f->t0 > 0 || f->place.shift_most > 0 || f->place.shift_error > 0)
    to->error = (from->error + f->t0 * from->velocity_error +
                 AS_DISTANCE * (f->place.shift_error + 2 * TOI_UNIT * most + TINY)) *
                OUTWARD;
  return isfinite(most) && isfinite(to->error) && isfinite(to->velocity_error) ? 0 : (double)NAN;
}

/* All patches; the number of the first that leaves the range of doubles, or of patches. */
static size_t move_patches(toi_rigid_body *body, frame *f) {
  toi_patch *patches = body->moved.owned;
  body->bend = body->rounding = body->velocity_rounding = 0;
  for (size_t i = 0; i < body->model->patch_count; i++) {
    const toi_patch *from = &body->model->patches[i];
    const double bend = body->shifts && body->wave->identity ? shift_patch(f, from, &patches[i])
                                                             : turn_patch(body, f, from, &patches[i]);
    if (isnan(bend))
      return i;
    body->bend = toi_larger(body->bend, bend);
    if (bend == INFINITY)
      continue;
    // OUTWARD in the error makes up for this difference's rounding.
    body->rounding = toi_larger(body->rounding, patches[i].error - bend);
    body->velocity_rounding = toi_larger(body->velocity_rounding, patches[i].velocity_error);
  }
  return body->model->patch_count;
}

toi_status toi_rigid_body_move(toi_context *context, toi_rigid_body *body, double t0, double t1) {
  frame f = {.exact = false};
  make_frame(body, t0, t1, &f);
  const size_t moved = move_patches(body, &f);
  if (moved == body->model->patch_count)
    return TOI_OK;
  return toi_fail(context, TOI_ERROR_INPUT, "patch %zu of the %s model moves beyond the range of doubles", moved,
                  body->name);
}

bool toi_rigid_body_can_pose(const toi_rigid_body *body) {
  return body->wave && (!body->wave->turns || body->wave->spins);
}

bool toi_rigid_body_pose(toi_rigid_body *body, double t0, double t1, toi_turn *turning) {
  frame f = {.exact = true};
  const toi_wave *wave = body->wave;
  make_frame(body, t0, t1, &f);
  if (!body->followed || move_patches(body, &f) < body->model->patch_count)
    return false;
  *turning = (toi_turn){.turns = wave->turns};
  for (int k = 0; k < 3; k++) {
    turning->spin[k] = toi_interval_midpoint(wave->spin[k]);
    turning->spin_error = toi_larger(turning->spin_error, toi_interval_width(wave->spin[k]));
    const toi_interval way = toi_interval_mul(wave->velocity[k], toi_interval_point(t0));
    const toi_interval centre = toi_interval_add(wave->centre[k], way);
    turning->centre[k] = toi_interval_midpoint(centre);
    turning->centre_error = toi_larger(turning->centre_error, toi_interval_width(centre));
  }
  // Half of the time for the nets in the middle; half for an axis whose velocity is not the double that it drifts with.
  turning->error = (body->rounding + (t1 - t0) * body->velocity_rounding) * OUTWARD;
  return true;
}

/* --- the body as a whole --- */

static bool is_moving(const toi_patch *patch) {
  size_t count = patch->velocities ? toi_patch_points(patch->shape, patch->degree) : 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      if (patch->velocities[i][k] != 0)
        return true;
  return false;
}

static toi_status check_rest(toi_context *context, const toi_rigid_body *body) {
  for (size_t i = 0; i < body->model->patch_count; i++)
    if (is_moving(&body->model->patches[i]))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "patch %zu of the %s model has velocities of its own; in rigid motion patches have none", i,
                      body->name);
  return TOI_OK;
}

static toi_status make_room(toi_context *context, toi_rigid_body *body) {
  const toi_model *model = body->model;
  toi_model_size size = {.patches = model->patch_count, .moving = true};
  for (size_t i = 0; i < model->patch_count; i++)
    size.points += toi_patch_points(model->patches[i].shape, model->patches[i].degree);
  toi_builder builder;
  const toi_status status = toi_builder_start(context, &size, &body->moved, &builder);
  for (size_t i = 0; i < model->patch_count && status == TOI_OK; i++)
    toi_builder_next(&builder, model->patches[i].shape, model->patches[i].degree).patch->weights =
        model->patches[i].weights;
  return status;
}

static void set_motion(const toi_motion *motion, toi_rigid_body *body) {
  toi_wave_shift(NULL, NULL, &body->rest);
  body->motion = motion;
  body->wave = motion && motion->count > 0 ? toi_motion_wave(motion) : &body->rest;
  if (body->wave == NULL)
    return;
  body->shifts = !body->wave->turns;
  body->rate = body->shifts ? 0 : toi_interval_magnitude(body->wave->rate);
  toi_interval swing[3][4];
  for (int i = 0; i < 3; i++) {
    body->velocity[i] = toi_interval_midpoint(body->wave->velocity[i]);
    for (int j = 0; j < 4; j++)
      swing[i][j] = body->wave->entry[i][j].sine;
  }
  body->swing = middles(swing);
}

/* Of a motion that is not of a constant rate: what can be told of a piece of time. */
static void measure_speed(toi_rigid_body *body, toi_interval t) {
  double size[3] = {0, 0, 0};
  toi_motion_jet jet;
  toi_motion_jet_at(body->motion, t, 2, &jet);
  for (unsigned order = 1; order < 3; order++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++)
        size[order] =
            fmax(size[order], toi_interval_magnitude(entry_of(&jet, order, i, j)) * (j < 3 ? body->reach : 1));
  body->speed = size[1] < INFINITY ? fmax(body->speed, size[1]) : body->speed;
  body->acceleration = size[2] < INFINITY ? fmax(body->acceleration, 2 * size[2]) : body->acceleration;
}

static void measure(double t_max, toi_rigid_body *body) {
  for (size_t i = 0; i < body->model->patch_count; i++) {
    const toi_patch *patch = &body->model->patches[i];
    size_t count = toi_patch_points(patch->shape, patch->degree);
    for (size_t j = 0; j < count; j++) {
      const double *p = patch->points[j];
      for (int k = 0; k < 3; k++)
        body->extent = toi_larger(body->extent, fabs(p[k] - patch->points[0][k]));
      body->reach = toi_larger(body->reach, !body->wave ? sum_of(p) : body->shifts ? 0 : axis_distance(body, p));
    }
  }
  body->speed = body->rate * body->reach;
  body->acceleration = body->rate * body->rate * body->reach;
  for (int i = 0; i < SPEED_PIECES && !body->wave; i++)
    measure_speed(body, (toi_interval){t_max * (i / (double)SPEED_PIECES), t_max * ((i + 1) / (double)SPEED_PIECES)});
}

toi_status toi_rigid_body_make(toi_context *context, const toi_model *model, const toi_motion *motion, double t_max,
                               toi_rigid_body *body) {
  body->model = &body->taken.model;
  char whole[48];
  (void)snprintf(whole, sizeof whole, "the %s model", body->name);
  toi_status status = toi_model_take(context, model, whole, &body->taken);
  if (status == TOI_OK)
    status = toi_model_check(context, body->model, whole);
  (void)snprintf(whole, sizeof whole, "motion of the %s model", body->name);
  if (status == TOI_OK)
    status = toi_motion_check(context, motion, t_max, whole);
  if (status == TOI_OK)
    status = check_rest(context, body);
  if (status != TOI_OK)
    return status;
  set_motion(motion, body);
  measure(t_max, body);
  return make_room(context, body);
}

void toi_rigid_body_free(toi_context *context, toi_rigid_body *body) {
  toi_free(context, body->moved.owned, body->moved.owned_bytes);
  toi_model_give_back(context, &body->taken);
  *body = (toi_rigid_body){.model = NULL};
}

double toi_rigid_body_length(const toi_rigid_body bodies[2], double bend) {
  // a^2 r / 4 with a = rate length / 2, of both.
  return sqrt(bend / ((bodies[0].acceleration + bodies[1].acceleration) / 16));
}
