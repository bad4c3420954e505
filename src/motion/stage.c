/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Stages given by a quaternion and a translation that a tape tells.
 *
 * The rotation of q = (w, x, y, z), of any length but 0, is N / n with n = w^2 + x^2 + y^2 + z^2, N_ii = n - 2 (q_j^2 +
 * q_k^2) and N_ij = 2 (q_i q_j -+ w q_k), i, j, k = 1, 2, 3 in a cycle. So R_ii - 1 and R_ij are quotients, and those
 * of jets follow from r n = N: r n' + r' n = N' and r n'' + 2 r' n' + r'' n = N''. r is known to lie in [-1, 1], or
 * [-2, 0], before it is used. What divides by an interval with zero in it is the whole line. */

#include "motion/stage.h"

#include "motion/poses.h"

#define TERMS 7

static const toi_interval zero = {0, 0};
static const toi_interval one = {1, 1};

/* A number and its derivatives. */
typedef struct jet {
  toi_interval of[3];
} jet;

static toi_interval twice(toi_interval a) {
  return toi_interval_add(a, a);
}

static jet jet_product(const jet *a, const jet *b, unsigned order) {
  jet p = {{toi_plus_product(zero, a->of[0], b->of[0]), zero, zero}};
  if (order >= 1)
    p.of[1] = toi_plus_product(toi_plus_product(zero, a->of[1], b->of[0]), a->of[0], b->of[1]);
  if (order >= 2) {
    toi_interval ends = toi_plus_product(toi_plus_product(zero, a->of[2], b->of[0]), a->of[0], b->of[2]);
    p.of[2] = toi_plus_product(ends, twice(a->of[1]), b->of[1]);
  }
  return p;
}

static jet jet_square(const jet *a, unsigned order) {
  jet p = {{toi_interval_square(a->of[0]), zero, zero}};
  if (order >= 1)
    p.of[1] = twice(toi_plus_product(zero, a->of[0], a->of[1]));
  if (order >= 2)
    p.of[2] = twice(toi_plus_product(toi_interval_square(a->of[1]), a->of[0], a->of[2]));
  return p;
}

/* a + b, or a - b. */
static jet jet_sum(const jet *a, const jet *b, bool minus, unsigned order) {
  jet s = {{zero, zero, zero}};
  for (unsigned k = 0; k <= order; k++)
    s.of[k] = minus ? toi_interval_sub(a->of[k], b->of[k]) : toi_interval_add(a->of[k], b->of[k]);
  return s;
}

/* 2 a / n, which is known to lie in `bounds`. */
static jet double_quotient(const jet *a, const jet *n, toi_interval bounds, unsigned order) {
  jet r = {{bounds, zero, zero}};
  toi_interval quotient = toi_interval_div(twice(a->of[0]), n->of[0]);
  toi_interval_intersect(quotient, bounds, &r.of[0]);
  if (order >= 1) {
    toi_interval rest = toi_plus_product(twice(a->of[1]), toi_interval_neg(r.of[0]), n->of[1]);
    r.of[1] = toi_interval_div(rest, n->of[0]);
  }
  if (order >= 2) {
    toi_interval rest = toi_plus_product(twice(a->of[2]), toi_interval_neg(r.of[0]), n->of[2]);
    rest = toi_plus_product(rest, toi_interval_neg(twice(r.of[1])), n->of[1]);
    r.of[2] = toi_interval_div(rest, n->of[0]);
  }
  return r;
}

static void write_entry(const jet *r, int row, int column, unsigned order, toi_motion_jet *to) {
  for (unsigned k = 0; k <= order; k++)
    to->rotation[k][row][column] = r->of[k];
}

static void rotation_of(const jet q[4], unsigned order, toi_motion_jet *to) {
  jet square[4];
  for (int i = 0; i < 4; i++)
    square[i] = jet_square(&q[i], order);
  jet left = jet_sum(&square[0], &square[1], false, order), right = jet_sum(&square[2], &square[3], false, order);
  jet n = jet_sum(&left, &right, false, order);
  const toi_interval off_diagonal = {-1, 1}, missing = {0, 2};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    jet others = jet_sum(&square[1 + j], &square[1 + k], false, order);
    jet r = double_quotient(&others, &n, missing, order);
    for (unsigned m = 0; m <= order; m++)
      r.of[m] = toi_interval_sub(m == 0 ? one : zero, r.of[m]);
    r.of[0] = toi_rotation_entry(r.of[0]);
    write_entry(&r, i, i, order, to);

    jet across = jet_product(&q[1 + i], &q[1 + j], order), about = jet_product(&q[0], &q[1 + k], order);
    for (int minus = 0; minus < 2; minus++) {
      jet numerator = jet_sum(&across, &about, minus, order);
      r = double_quotient(&numerator, &n, off_diagonal, order);
      write_entry(&r, minus ? i : j, minus ? j : i, order, to);
    }
  }
}

void toi_quaternion_jet(const toi_interval q[4][3], unsigned order, toi_motion_jet *to) {
  jet of[4];
  for (int i = 0; i < 4; i++)
    memcpy(of[i].of, q[i], sizeof(of[i].of));
  rotation_of(of, order, to);
}

void toi_stage_jet(const toi_stage *stage, toi_interval t, unsigned order, toi_motion_jet *jet_at) {
  assert(order <= 2);
  if (stage->poses) {
    toi_poses_jet(stage->poses, t, order, jet_at);
    return;
  }
  if (!stage->tape) {
    toi_wave_jet(&stage->wave, t, order, jet_at);
    return;
  }
  toi_interval values[TERMS * 3] = {{0, 0}};
  toi_tape_bounds(stage->tape, &t, order, values);
  const toi_interval *value = values;
  jet q[4] = {{{one, zero, zero}}};
  for (int i = 0; i < 4 && stage->turns; i++, value += order + 1)
    memcpy(q[i].of, value, (order + 1) * sizeof(*value));
  if (stage->turns)
    rotation_of(q, order, jet_at);
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3 && !stage->turns; j++)
        jet_at->rotation[k][i][j] = k == 0 && i == j ? one : zero;
      jet_at->translation[k][i] = stage->moves ? value[(unsigned)i * (order + 1) + k] : zero;
    }
}

toi_interval toi_stage_length(const toi_stage *stage, toi_interval t) {
  assert(stage->tape && stage->turns);
  toi_interval values[TERMS] = {{0, 0}}, length = zero;
  toi_tape_bounds(stage->tape, &t, 0, values);
  for (int i = 0; i < 4; i++)
    length = toi_interval_add(length, toi_interval_square(values[i]));
  return length;
}
