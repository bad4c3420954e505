/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid motion as linear motion, with what they differ by.
 *
 * A point p of a body that turns about the unit axis n through the centre c by the angle w t, and moves by t v, is at
 * time t at
 *   c + t v + n (n . d) + cos s F d + sin s G d,   d = p - c,   s = w (t - tm),
 * tm the middle of [t0, t1], F = cos(w tm) P + sin(w tm) N, G = cos(w tm) N - sin(w tm) P, P d = d - n (n . d),
 * N d = n x d. F d and G d are orthogonal, and as long as d is far from the axis: r. With h = t1 - t0 and a = w h / 2
 * the linear motion taken is
 *   c + t v + n (n . d) + m F d + (s / a) sin a G d,   m = (1 + cos a) / 2.
 *
 * Claim 1 (bend): the two are never farther apart than r a^2 sqrt(1/16 + a^2/243).
 * Why: for |s| <= a <= pi, cos s lies in [cos a, 1], whose middle is m: |cos s - m| <= (1 - cos a) / 2 <= a^2 / 4. And
 *   (s / a) sin a interpolates sin s at -a, 0, a: it is off by at most |s (a^2 - s^2)| / 6 <= a^3 / (9 sqrt 3).
 *   With m = 1 in its place the linear motion is the true one at tm, and |cos s - 1| <= a^2 / 2: a^2 sqrt(1/4 +
 * a^2/243). Where a > A_MOST the linear motion is that of the axis, c + t v + n (n . d), off by r. A point of a patch
 * is a mean of its control points, with weights that do not change in time, and so of their motions: what holds for all
 * control points holds for it. What was meant by the patch at rest is turned with it and keeps its distance.
 *
 * Claim 2 (rounding): with A the matrix of the linear motion at t0 and W that of its velocity, computed as intervals
 *   and taken as their middles within place.error and turn.error, B and V the largest magnitudes of entries, o = c + t0
 *   v likewise, D the largest |d_x| + |d_y| + |d_z|, and u = 2^-53: computed points o + A d are off by at most
 *   place.error D + 5 u B D + o.error + u |o| in every coordinate, to first order, and velocities v + W d by
 *   turn.error D + 5 u V D + u |v|.
 * Why: d rounds once, a product once, a row of three products has two more sums, and there is one with o. The code
 *   takes 8 u B D and 2 u |o|, which leaves room for higher orders and for the bound's own roundings, and 7/4 > sqrt 3
 *   of it as a distance; TINY covers underflow. */

#include "surface/rigid_body.h"

#include <stdio.h>
#include <string.h>

#include "number/trigonometry.h"
#include "number/vector.h"
#include "surface/builder.h"

/* Half the angle of a piece of time, up to which its turn is followed: bend is then below the distance from the axis.
 */
#define A_MOST 2.0

#define TINY 0x1p-1060
#define SQUARES_LEAST 0x1p-900
#define AS_DISTANCE 1.75

/* For bounds that are computed in a few roundings. */
#define OUTWARD (1 + 0x1p-46)

/* A matrix, and how far its entries may be off. */
typedef struct matrix {
  double entry[3][3];
  double error;
  double most; /* of the magnitudes */
} matrix;

/* The linear motion over a piece of time. */
typedef struct frame {
  double t0;
  matrix place, turn;
  double origin[3], origin_error, origin_most;
  double velocity_most;
  double bend;   /* a unit away from the axis */
  bool exact;    /* asked for: m = 1 */
  bool followed; /* the turn is */
} frame;

/* --- making --- */

#define RIGID TOI_LAYOUT(toi_rigid, centre)

void toi_rigid_init(toi_rigid *rigid, size_t size) {
  toi_init_struct(RIGID, NULL, rigid, size);
}

static bool is_moving(const toi_patch *patch) {
  size_t count = patch->velocities ? toi_patch_points(patch->shape, patch->degree) : 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++)
      if (patch->velocities[i][k] != 0)
        return true;
  return false;
}

static toi_status check(toi_context *context, const toi_rigid_body *body) {
  const toi_model *model = body->model;
  const double *parts[3] = {body->motion.velocity, body->motion.spin, body->motion.centre};
  static const char *const names[3] = {"velocity", "spin", "centre"};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(parts[i][k]))
        return toi_fail(context, TOI_ERROR_INPUT, "motion of the %s model: %s[%d] is %g; it must be finite", body->name,
                        names[i], k, parts[i][k]);
  for (size_t i = 0; i < model->patch_count; i++) {
    char name[64];
    snprintf(name, sizeof(name), "patch %zu of the %s model", i, body->name);
    toi_status status = toi_patch_check(context, &model->patches[i], name);
    if (status != TOI_OK)
      return status;
    if (is_moving(&model->patches[i]))
      return toi_fail(context, TOI_ERROR_INPUT, "%s has velocities of its own; in rigid motion patches have none",
                      name);
  }
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

/* --- the linear motion --- */

/* Intervals as their middles, within one error. */
static matrix middles(toi_interval from[3][3]) {
  matrix m = {.error = 0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      m.entry[i][j] = toi_interval_midpoint(from[i][j]);
      m.error = toi_larger(m.error, toi_interval_width(from[i][j]));
      m.most = toi_larger(m.most, fabs(m.entry[i][j]));
    }
  return m;
}

typedef struct turn {
  toi_interval sine, cosine; /* of the angle in the middle */
  toi_interval mean;         /* m */
  toi_interval sine_a;
  toi_interval rate; /* 2 sin a / h */
} turn;

/* Entry by entry of n n, P and N: A = n n + m F - sin a G and W = (2 sin a / h) G. */
static void make_matrices(const toi_rigid_body *body, const turn *by, frame *f) {
  toi_interval place[3][3], rate[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const toi_wave_entry *e = &body->turn.entry[i][j];
      toi_interval forth =
          toi_interval_add(toi_interval_mul(by->cosine, e->cosine), toi_interval_mul(by->sine, e->sine));
      toi_interval side =
          toi_interval_sub(toi_interval_mul(by->cosine, e->sine), toi_interval_mul(by->sine, e->cosine));
      toi_interval mean = toi_interval_add(e->constant, toi_interval_mul(by->mean, forth));
      place[i][j] = toi_interval_sub(mean, toi_interval_mul(by->sine_a, side));
      rate[i][j] = toi_interval_mul(by->rate, side);
    }
  f->place = middles(place);
  f->turn = middles(rate);
}

/* The angle's half, a. */
static toi_interval half_angle(const toi_rigid_body *body, double length) {
  return toi_interval_scale(toi_interval_mul(body->turn.rate, toi_interval_point(length)), -1);
}

static void make_turn(const toi_rigid_body *body, double t0, double t1, frame *f) {
  toi_interval a = half_angle(body, t1 - t0);
  toi_interval sum = toi_interval_add(toi_interval_point(t0), toi_interval_point(t1));
  toi_interval middle = toi_interval_scale(toi_interval_mul(body->turn.rate, sum), -1);
  turn by = {.sine = {0, 0}};
  f->bend = OUTWARD;
  // Without a turn to follow all factors are zero, and the axis is left.
  if (a.hi <= A_MOST && middle.hi <= TOI_ANGLE_MOST) {
    toi_interval cosine_a;
    toi_interval_sin_cos(middle, &by.sine, &by.cosine);
    toi_interval_sin_cos(a, &by.sine_a, &cosine_a);
    by.mean =
        f->exact ? toi_interval_point(1) : toi_interval_scale(toi_interval_add(toi_interval_point(1), cosine_a), -1);
    by.rate = toi_interval_div(toi_interval_scale(by.sine_a, 1), toi_interval_point(t1 - t0));
    double square = a.hi * a.hi;
    f->bend = square * sqrt((f->exact ? 0.25 : 0.0625) + square / 243) * OUTWARD + TINY;
    f->followed = true;
  }
  make_matrices(body, &by, f);
}

static void make_frame(const toi_rigid_body *body, double t0, double t1, frame *f) {
  f->t0 = t0;
  for (int k = 0; k < 3; k++) {
    toi_interval way = toi_interval_mul(toi_interval_point(body->motion.velocity[k]), toi_interval_point(t0));
    toi_interval at = body->spins ? toi_interval_add(toi_interval_point(body->motion.centre[k]), way) : way;
    f->origin[k] = toi_interval_midpoint(at);
    f->origin_error = toi_larger(f->origin_error, toi_interval_width(at));
    f->origin_most = toi_larger(f->origin_most, fabs(f->origin[k]));
    f->velocity_most = toi_larger(f->velocity_most, fabs(body->motion.velocity[k]));
  }
  if (body->spins)
    make_turn(body, t0, t1, f);
}

/* --- patches --- */

/* At least the distance from the axis: |n x d|. */
static double axis_distance(const toi_rigid_body *body, const double d[3]) {
  double cross[3], square = 0, size = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
  for (int k = 0; k < 3; k++) {
    const toi_wave_entry *row = body->turn.entry[k];
    cross[k] = row[0].b * d[0] + row[1].b * d[1] + row[2].b * d[2];
    square += cross[k] * cross[k];
  }
  // Squares that underflow lose more than OUTWARD covers.
  double length = square >= SQUARES_LEAST ? sqrt(square) : toi_builder_length(cross[0], cross[1], cross[2]);
  // The axis is known within a few units in the last place, all of d counts in them.
  return length * OUTWARD + 0x1p-46 * size + TINY;
}

/* What the turn adds to the error is returned; infinity where numbers leave the range of doubles. The moved patches'
 * arrays are the body's own: const is for those who are given them. */

/* Turned and shifted, point by point. */
static double turn_patch(const toi_rigid_body *body, const frame *f, const toi_patch *from, toi_patch *to) {
  size_t count = toi_patch_points(from->shape, from->degree);
  double most = 0, far = 0, sum = 0;
  for (size_t i = 0; i < count; i++) {
    double d[3], *point = (double *)to->points[i], *velocity = (double *)to->velocities[i];
    for (int k = 0; k < 3; k++)
      d[k] = from->points[i][k] - body->motion.centre[k];
    for (int k = 0; k < 3; k++) {
      const double *place = f->place.entry[k], *rate = f->turn.entry[k];
      point[k] = f->origin[k] + (place[0] * d[0] + place[1] * d[1] + place[2] * d[2]);
      velocity[k] = body->motion.velocity[k] + (rate[0] * d[0] + rate[1] * d[1] + rate[2] * d[2]);
      sum += fabs(point[k]) * 0x1p-20 + fabs(velocity[k]) * 0x1p-20;
    }
    most = toi_larger(most, fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
    far = toi_larger(far, axis_distance(body, d));
  }
  double place =
      (f->place.error + 8 * TOI_UNIT * f->place.most) * most + f->origin_error + 2 * TOI_UNIT * f->origin_most + TINY;
  double rate = (f->turn.error + 8 * TOI_UNIT * f->turn.most) * most + 2 * TOI_UNIT * f->velocity_most + TINY;
  double bend = f->bend * far;
  to->error = (from->error + f->t0 * from->velocity_error + AS_DISTANCE * place + bend) * OUTWARD;
  to->velocity_error = (from->velocity_error + AS_DISTANCE * rate) * OUTWARD;
  return isfinite(sum + to->error * 0x1p-20 + to->velocity_error * 0x1p-20) ? bend : INFINITY;
}

/* Shifted only; at t0 = 0 nothing is lost. */
static double shift_patch(const toi_rigid_body *body, const frame *f, const toi_patch *from, toi_patch *to) {
  size_t count = toi_patch_points(from->shape, from->degree);
  double most = 0;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      double *point = (double *)to->points[i], *velocity = (double *)to->velocities[i];
      point[k] = from->points[i][k] + f->origin[k];
      velocity[k] = body->motion.velocity[k];
      most = toi_larger(most, fabs(point[k]));
    }
  to->error = from->error;
  to->velocity_error = from->velocity_error;
  if (f->t0 > 0)
    to->error =
        (from->error + f->t0 * from->velocity_error + AS_DISTANCE * (f->origin_error + 2 * TOI_UNIT * most + TINY)) *
        OUTWARD;
  return isfinite(most) && isfinite(to->error) ? 0 : INFINITY;
}

/* All patches; the number of the first that leaves the range of doubles, or of patches. */
static size_t move_patches(toi_rigid_body *body, const frame *f) {
  toi_patch *patches = body->moved.owned;
  body->bend = body->rounding = body->velocity_rounding = 0;
  for (size_t i = 0; i < body->model->patch_count; i++) {
    const toi_patch *from = &body->model->patches[i];
    double bend = (body->spins ? turn_patch : shift_patch)(body, f, from, &patches[i]);
    if (!isfinite(bend))
      return i;
    body->bend = toi_larger(body->bend, bend);
    // OUTWARD in the error makes up for this difference's rounding.
    body->rounding = toi_larger(body->rounding, patches[i].error - bend);
    body->velocity_rounding = toi_larger(body->velocity_rounding, patches[i].velocity_error);
  }
  return body->model->patch_count;
}

toi_status toi_rigid_body_move(toi_context *context, toi_rigid_body *body, double t0, double t1) {
  assert(t0 >= 0 && t0 < t1);
  frame f = {.exact = false};
  make_frame(body, t0, t1, &f);
  const size_t moved = move_patches(body, &f);
  if (moved == body->model->patch_count)
    return TOI_OK;
  return toi_fail(context, TOI_ERROR_INPUT, "patch %zu of the %s model moves beyond the range of doubles", moved,
                  body->name);
}

bool toi_rigid_body_pose(toi_rigid_body *body, double t0, double t1, toi_turn *turning) {
  assert(t0 >= 0 && t0 < t1);
  frame f = {.exact = true};
  make_frame(body, t0, t1, &f);
  if ((body->spins && !f.followed) || move_patches(body, &f) < body->model->patch_count)
    return false;
  *turning = (toi_turn){.turns = body->spins, .centre_error = f.origin_error};
  memcpy(turning->spin, body->motion.spin, sizeof(turning->spin));
  memcpy(turning->centre, f.origin, sizeof(turning->centre));
  turning->error = (body->rounding + (t1 - t0) * body->velocity_rounding) * OUTWARD;
  return true;
}

/* --- the body as a whole --- */

static void measure(toi_rigid_body *body) {
  for (size_t i = 0; i < body->model->patch_count; i++) {
    const toi_patch *patch = &body->model->patches[i];
    size_t count = toi_patch_points(patch->shape, patch->degree);
    for (size_t j = 0; j < count; j++) {
      double d[3], way = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = patch->points[j][k] - body->motion.centre[k];
        way = toi_larger(way, fabs(patch->points[j][k] - patch->points[0][k]));
      }
      body->extent = toi_larger(body->extent, way);
      if (body->spins)
        body->reach = toi_larger(body->reach, axis_distance(body, d));
    }
  }
}

toi_status toi_rigid_body_make(toi_context *context, const toi_model *model, const toi_rigid *motion, const char *name,
                               toi_rigid_body *body) {
  *body = (toi_rigid_body){.name = name};
  body->model = &body->taken.model;
  char whole[32];
  (void)snprintf(whole, sizeof whole, "the %s model", name);
  toi_status status = toi_model_take(context, model, whole, &body->taken);
  if (status == TOI_OK && motion)
    status = toi_take_description(context, RIGID, motion, &body->motion);
  if (status == TOI_OK)
    status = check(context, body);
  if (status != TOI_OK)
    return status;
  const double *spin = body->motion.spin;
  body->spins = spin[0] != 0 || spin[1] != 0 || spin[2] != 0;
  if (body->spins)
    toi_wave_spin(spin, &body->turn);
  measure(body);
  return make_room(context, body);
}

void toi_rigid_body_free(toi_context *context, toi_rigid_body *body) {
  toi_free(context, body->moved.owned, body->moved.owned_bytes);
  toi_model_give_back(context, &body->taken);
  *body = (toi_rigid_body){.model = NULL};
}

bool toi_rigid_body_follows(const toi_rigid_body *body, double length) {
  return !body->spins || half_angle(body, length).hi <= A_MOST;
}

double toi_rigid_body_length(const toi_rigid_body bodies[2], double bend) {
  // a^2 r / 4 with a = speed length / 2, of both.
  double sum = 0;
  for (int i = 0; i < 2; i++)
    sum += bodies[i].turn.rate.hi * bodies[i].turn.rate.hi * (bodies[i].reach / 16);
  return sqrt(bend / sum);
}
