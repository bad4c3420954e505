/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions as Taylor models of time.
 *
 * Claim: the models hold the entries of rotation and translation. Why: a wave is C + A cos + B sin of its angle and a
 * velocity times t (stage.h), and a quaternion's rotation N / n (stage.c): sums, products, a quotient and sines of
 * models. Stages follow each other as R' R and R' T + T'. Factors of 0 and 1, which are many, leave no rounding. */

#include "motion/poses.h"
#include "motion/stage.h"

static const toi_interval zero = {0, 0};
static const toi_interval one = {1, 1};

/* A quaternion and a translation. */
#define TERMS 7

size_t toi_motion_taylor_registers(const toi_motion *motion) {
  size_t most = 0;
  for (size_t i = 0; motion && i < motion->count; i++) {
    const toi_tape *tapes[2] = {motion->stages[i].tape, motion->stages[i].wave.tape};
    for (int k = 0; k < 2; k++)
      if (tapes[k] && toi_tape_taylor_registers(tapes[k]) > most)
        most = toi_tape_taylor_registers(tapes[k]);
  }
  return most;
}

/* --- sums of products --- */

static bool is_number(const toi_taylor *a, double x) {
  return a->degree == 0 && a->r == 0 && a->c[0] == x;
}

/* sum + a b. */
static void add_product(const toi_taylor_space *space, const toi_taylor *a, const toi_taylor *b, toi_taylor *sum) {
  if (is_number(a, 0) || is_number(b, 0))
    return;
  toi_taylor product;
  if (is_number(a, 1) || is_number(b, 1))
    toi_taylor_copy(space, is_number(a, 1) ? b : a, &product);
  else
    toi_taylor_mul(space, a, b, &product);
  if (is_number(sum, 0))
    toi_taylor_copy(space, &product, sum);
  else
    toi_taylor_add(space, sum, &product, sum);
}

static void add_multiple(const toi_taylor_space *space, toi_interval factor, const toi_taylor *a, toi_taylor *sum) {
  toi_taylor number;
  toi_taylor_constant(factor, &number);
  add_product(space, &number, a, sum);
}

/* R v, or its transpose times v. */
static void turn(const toi_taylor_space *space, const toi_taylor rotation[3][3], bool inverse, const toi_taylor v[3],
                 toi_taylor turned[3]) {
  for (int i = 0; i < 3; i++) {
    toi_taylor_constant(zero, &turned[i]);
    for (int k = 0; k < 3; k++)
      add_product(space, inverse ? &rotation[k][i] : &rotation[i][k], &v[k], &turned[i]);
  }
}

/* --- stages --- */

static void wave_at(const toi_wave *wave, const toi_taylor_space *space, const toi_taylor *t, toi_taylor *registers,
                    toi_motion_taylor *pose) {
  toi_taylor angle, sine, cosine;
  toi_taylor_constant(zero, &sine);
  toi_taylor_constant(zero, &cosine);
  if (wave->turns) {
    toi_taylor_constant(wave->angle, &angle);
    if (wave->tape)
      toi_tape_taylor(wave->tape, space, t, registers, &angle);
    else
      add_multiple(space, wave->rate, t, &angle);
    toi_taylor_sin_cos(space, &angle, &sine, &cosine);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      const toi_wave_entry *e = &wave->entry[i][j];
      toi_taylor *to = j < 3 ? &pose->rotation[i][j] : &pose->translation[i];
      toi_taylor_constant(e->constant, to);
      if (!e->still) {
        add_multiple(space, e->cosine, &cosine, to);
        add_multiple(space, e->sine, &sine, to);
      }
      if (j == 3)
        add_multiple(space, wave->velocity[i], t, to);
    }
}

/* R_ij and R_ji: 2 (q_i q_j -+ w q_k) / n, k the third number; over_n is 2 / n. */
static void off_diagonal(const toi_taylor_space *space, const toi_taylor q[4], int i, const toi_taylor *over_n,
                         toi_taylor rotation[3][3]) {
  int j = (i + 1) % 3, k = (i + 2) % 3;
  toi_taylor across, about, entry;
  toi_taylor_mul(space, &q[1 + i], &q[1 + j], &across);
  toi_taylor_mul(space, &q[0], &q[1 + k], &about);
  toi_taylor_sub(space, &across, &about, &entry);
  toi_taylor_mul(space, &entry, over_n, &rotation[i][j]);
  toi_taylor_add(space, &across, &about, &entry);
  toi_taylor_mul(space, &entry, over_n, &rotation[j][i]);
}

void toi_quaternion_taylor(const toi_taylor_space *space, const toi_taylor q[4], toi_taylor rotation[3][3]) {
  toi_taylor square[4], n, number;
  toi_taylor_constant(zero, &n);
  toi_taylor_constant(one, &number);
  for (int i = 0; i < 4; i++) {
    toi_taylor_mul(space, &q[i], &q[i], &square[i]);
    toi_taylor_add(space, &n, &square[i], &n);
  }
  toi_taylor_inverse(space, &n, &n);
  toi_taylor_scale(space, 2, &n, &n);
  for (int i = 0; i < 3; i++) {
    // R_ii = 1 - 2 (q_j^2 + q_k^2) / n
    toi_taylor *entry = &rotation[i][i];
    toi_taylor_add(space, &square[1 + (i + 1) % 3], &square[1 + (i + 2) % 3], entry);
    toi_taylor_mul(space, entry, &n, entry);
    toi_taylor_sub(space, &number, entry, entry);
    off_diagonal(space, q, i, &n, rotation);
  }
}

static void stage_at(const toi_stage *stage, const toi_taylor_space *space, const toi_taylor *t, toi_taylor *registers,
                     toi_motion_taylor *pose) {
  if (stage->poses) {
    toi_poses_taylor(stage->poses, space, t, pose);
    return;
  }
  if (!stage->tape) {
    wave_at(&stage->wave, space, t, registers, pose);
    return;
  }
  toi_taylor terms[TERMS];
  toi_tape_taylor(stage->tape, space, t, registers, terms);
  const toi_taylor *translation = terms + (stage->turns ? 4 : 0);
  if (stage->turns)
    toi_quaternion_taylor(space, terms, pose->rotation);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3 && !stage->turns; j++)
      toi_taylor_constant(i == j ? one : zero, &pose->rotation[i][j]);
    if (stage->moves)
      toi_taylor_copy(space, &translation[i], &pose->translation[i]);
    else
      toi_taylor_constant(zero, &pose->translation[i]);
  }
}

/* What `next` makes of the motion so far. */
static void follow(const toi_taylor_space *space, const toi_motion_taylor *next, toi_motion_taylor *pose) {
  toi_taylor column[3], turned[3];
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++)
      toi_taylor_copy(space, j < 3 ? &pose->rotation[i][j] : &pose->translation[i], &column[i]);
    turn(space, next->rotation, false, column, turned);
    for (int i = 0; i < 3; i++)
      if (j < 3)
        toi_taylor_copy(space, &turned[i], &pose->rotation[i][j]);
      else
        toi_taylor_add(space, &turned[i], &next->translation[i], &pose->translation[i]);
  }
}

/* --- motions --- */

void toi_motion_taylor_at(const toi_motion *motion, const toi_taylor_space *space, const toi_taylor *t,
                          toi_taylor *registers, toi_motion_taylor *pose) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      toi_taylor_constant(i == j ? one : zero, &pose->rotation[i][j]);
    toi_taylor_constant(zero, &pose->translation[i]);
  }
  for (size_t i = 0; motion && i < motion->count; i++) {
    toi_motion_taylor next;
    stage_at(&motion->stages[i], space, t, registers, i == 0 ? pose : &next);
    if (i > 0)
      follow(space, &next, pose);
  }
}

void toi_motion_taylor_relative(const toi_taylor_space *space, const toi_motion_taylor *first,
                                const toi_motion_taylor *second, toi_motion_taylor *relative) {
  assert(relative != first && relative != second);
  toi_taylor column[3], turned[3];
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++)
      if (j < 3)
        toi_taylor_copy(space, &first->rotation[i][j], &column[i]);
      else
        toi_taylor_sub(space, &first->translation[i], &second->translation[i], &column[i]);
    turn(space, second->rotation, true, column, turned);
    for (int i = 0; i < 3; i++)
      toi_taylor_copy(space, &turned[i], j < 3 ? &relative->rotation[i][j] : &relative->translation[i]);
  }
}

void toi_motion_taylor_place(const toi_taylor_space *space, const toi_motion_taylor *pose, const toi_taylor s[3],
                             toi_taylor place[3]) {
  turn(space, pose->rotation, false, s, place);
  for (int i = 0; i < 3; i++)
    toi_taylor_add(space, &place[i], &pose->translation[i], &place[i]);
}
