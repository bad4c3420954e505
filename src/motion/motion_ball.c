/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions at one time in twofold numbers.
 *
 * Claim: the balls hold the entries of rotation and translation. Why: they are made of what was given to each call, in
 * doubles, by the formulas of these calls, and every operation is one of balls: a turn by the angle a about n is the
 * quaternion cos(a / 2), n sin(a / 2), divided by its length; about an axis through a point p, p stays where it is.
 * Parts follow each other as R' R and R' T + T'. */

#include "motion/motion_ball.h"

#include "motion/poses.h"
#include "motion/stage.h"
#include "number/ball_functions.h"
#include "number/tape_ball.h"

/* A quaternion and a translation. */
#define TERMS 7

static toi_ball halved(toi_ball a) {
  return (toi_ball){{0.5 * a.x.hi, 0.5 * a.x.lo}, 0.5 * a.r};
}

static toi_ball doubled(toi_ball a) {
  return (toi_ball){{2 * a.x.hi, 2 * a.x.lo}, 2 * a.r};
}

void toi_ball_rotation(const toi_ball q[4], toi_ball rotation[3][3]) {
  toi_ball n = toi_ball_mul(q[0], q[0]), square[3];
  for (int i = 0; i < 3; i++) {
    square[i] = toi_ball_mul(q[i + 1], q[i + 1]);
    n = toi_ball_add(n, square[i]);
  }
  const toi_ball over = doubled(toi_ball_inverse(n));
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const toi_ball across = toi_ball_mul(q[i + 1], q[j + 1]), about = toi_ball_mul(q[0], q[k + 1]);
    rotation[i][i] = toi_ball_sub(toi_ball_of(1), toi_ball_mul(over, toi_ball_add(square[j], square[k])));
    rotation[i][j] = toi_ball_mul(over, toi_ball_sub(across, about));
    rotation[j][i] = toi_ball_mul(over, toi_ball_add(across, about));
  }
}

static void put_rest(toi_motion_ball *ball) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      ball->rotation[i][j] = toi_ball_of(i == j);
    ball->translation[i] = toi_ball_of(0);
  }
}

/* --- parts --- */

/* The direction of an axis that is not 0, and its length. */
static toi_ball unit_of(const double axis[3], toi_ball n[3]) {
  int exponent, others = 0;
  double most = 0;
  for (int i = 0; i < 3; i++) {
    most = fmax(most, fabs(axis[i]));
    others += axis[i] != 0;
  }
  (void)frexp(most, &exponent);
  toi_ball square = toi_ball_of(0);
  for (int i = 0; i < 3; i++) {
    n[i] = toi_ball_of(ldexp(axis[i], -exponent));
    square = toi_ball_add(square, toi_ball_mul(n[i], n[i]));
  }
  toi_ball length = toi_ball_root(square);
  const toi_ball over = toi_ball_inverse(length);
  for (int i = 0; i < 3; i++) {
    n[i] = toi_ball_mul(n[i], over);
    // An axis of coordinates is one exactly.
    if (others == 1)
      n[i] = toi_ball_of((axis[i] > 0) - (axis[i] < 0));
  }
  if (others == 1)
    return toi_ball_of(most);
  length.x = (twofold){ldexp(length.x.hi, exponent), ldexp(length.x.lo, exponent)};
  length.r = ldexp(length.r, exponent) + TOI_BALL_TINY;
  return length;
}

static toi_ball angle_of(const toi_motion_part *part, toi_ball t, toi_ball *registers, toi_ball length) {
  toi_ball angle;
  if (part->kind == TOI_PART_SPIN)
    return toi_ball_mul(length, t);
  if (part->angle) {
    toi_tape_ball(part->angle, &t, registers, &angle);
    return angle;
  }
  return toi_ball_add(toi_ball_of(part->given.angle), toi_ball_mul(toi_ball_of(part->given.rate), t));
}

static void turn_at(const toi_motion_part *part, toi_ball t, toi_ball *registers, toi_motion_ball *ball) {
  const toi_screw *screw = &part->given;
  toi_ball n[3], q[4], sine;
  const toi_ball length = unit_of(screw->axis, n);
  toi_ball_sin_cos(halved(angle_of(part, t, registers, length)), &sine, &q[0]);
  for (int i = 0; i < 3; i++)
    q[i + 1] = toi_ball_mul(n[i], sine);
  toi_ball_rotation(q, ball->rotation);
  toi_ball along = toi_ball_of(0), through[3];
  if (part->kind == TOI_PART_SCREW)
    along = toi_ball_add(toi_ball_of(screw->shift), toi_ball_mul(toi_ball_of(screw->speed), t));
  for (int i = 0; i < 3; i++)
    through[i] = toi_ball_of(screw->through[i]);
  for (int i = 0; i < 3; i++)
    ball->translation[i] =
        toi_ball_add(toi_ball_sub(through[i], toi_ball_dot(ball->rotation[i], through)), toi_ball_mul(along, n[i]));
}

static void tape_at(const toi_stage *stage, toi_ball t, toi_ball *registers, toi_motion_ball *ball) {
  toi_ball terms[TERMS];
  toi_tape_ball(stage->tape, &t, registers, terms);
  put_rest(ball);
  if (stage->turns)
    toi_ball_rotation(terms, ball->rotation);
  for (int i = 0; i < 3 && stage->moves; i++)
    ball->translation[i] = terms[(stage->turns ? 4 : 0) + i];
}

static void part_at(const toi_motion *motion, const toi_motion_part *part, toi_ball t, toi_ball *registers,
                    toi_motion_ball *ball) {
  const toi_stage *stage = &motion->stages[part->stage];
  if (part->kind == TOI_PART_STAGE && stage->poses) {
    toi_poses_ball(stage->poses, t, ball);
  } else if (part->kind == TOI_PART_STAGE) {
    tape_at(stage, t, registers, ball);
  } else if (part->kind == TOI_PART_SHIFT) {
    put_rest(ball);
    for (int i = 0; i < 3; i++)
      ball->translation[i] =
          toi_ball_add(toi_ball_of(part->given.through[i]), toi_ball_mul(toi_ball_of(part->given.axis[i]), t));
  } else {
    turn_at(part, t, registers, ball);
  }
}

static void follow(const toi_motion_ball *next, toi_motion_ball *ball) {
  for (int j = 0; j < 4; j++) {
    toi_ball column[3];
    for (int i = 0; i < 3; i++)
      column[i] = j < 3 ? ball->rotation[i][j] : ball->translation[i];
    for (int i = 0; i < 3; i++)
      if (j < 3)
        ball->rotation[i][j] = toi_ball_dot(next->rotation[i], column);
      else
        ball->translation[i] = toi_ball_add(toi_ball_dot(next->rotation[i], column), next->translation[i]);
  }
}

/* --- motions --- */

size_t toi_motion_ball_registers(const toi_motion *motion) {
  size_t most = 0;
  for (size_t i = 0; motion && i < motion->count; i++) {
    const toi_tape *tapes[2] = {motion->stages[i].tape, motion->stages[i].wave.tape};
    for (int k = 0; k < 2; k++)
      if (tapes[k] && toi_tape_ball_registers(tapes[k]) > most)
        most = toi_tape_ball_registers(tapes[k]);
  }
  return most;
}

void toi_motion_ball_at(const toi_motion *motion, toi_ball t, toi_ball *registers, toi_motion_ball *ball) {
  put_rest(ball);
  for (size_t i = 0; motion && i < motion->part_count; i++) {
    toi_motion_ball next;
    part_at(motion, &motion->parts[i], t, registers, i == 0 ? ball : &next);
    if (i > 0)
      follow(&next, ball);
  }
}
