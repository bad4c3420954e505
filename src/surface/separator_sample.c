/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Points of pieces that a separator is fitted to, in plain arithmetic: nothing rests on them. */

#include "number/trigonometry.h"
#include "solve/vector.h"
#include "surface/evaluate.h"
#include "surface/separator.h"

/* Turns a point about a centre by the spin's angle in a time. */
static void turn_sample(const toi_turn *turn, double time, double x[3]) {
  double d[3], n[3], cross[3];
  memcpy(n, turn->spin, sizeof(n));
  const toi_sine_cosine by = toi_sin_cos(sqrt(toi_dot(n, n)) * time);
  toi_plain_unit3(n);
  for (int k = 0; k < 3; k++)
    d[k] = x[k] - turn->centre[k];
  toi_cross(n, d, cross);
  const double along = (1 - by.cos) * toi_dot(n, d);
  for (int k = 0; k < 3; k++)
    x[k] = turn->centre[k] + by.cos * d[k] + by.sin * cross[k] + along * n[k];
}

/* The parameters at parts a and b of a piece, from its first corner on; of a triangle, those of its square. */
static void parameters_at(const toi_piece *piece, double a, double b, double uv[2]) {
  const bool quad = piece->root->patch->shape == TOI_PATCH_QUAD;
  const double(*c)[2] = piece->corner;
  for (int k = 0; k < 2; k++)
    uv[k] = quad ? c[0][k] + (k == 0 ? a : b) * (c[1][k] - c[0][k])
                 : c[0][k] + a * (1 - b) * (c[1][k] - c[0][k]) + b * (c[2][k] - c[0][k]);
}

void toi_separator_sample(const toi_separator_question *q, int side, toi_separator_samples *samples) {
  enum { LINES = TOI_SAMPLE_LINES, EACH = LINES * LINES };
  const toi_piece *piece = q->piece[side];
  const bool turns = q->turn && q->turn[side].turns;
  const bool moves = q->times.lo < q->times.hi && (turns || piece->root->magnitude[1] > 0);
  const double middle = q->turn ? 0.5 * q->times.lo + 0.5 * q->times.hi : q->at;
  const double times[3] = {middle, q->times.lo, q->times.hi};
  const int time_count = moves ? 3 : 1;
  for (int i = 0; i < EACH; i++) {
    const int row = i / LINES, column = i % LINES;
    double uv[2];
    toi_jet jet;
    parameters_at(piece, (double)row / (LINES - 1), (double)column / (LINES - 1), uv);
    toi_root_jet(piece->root, uv, false, &jet);
    for (int time = 0; time < time_count; time++) {
      double *x = samples->at[side][time * EACH + i];
      for (int k = 0; k < 3; k++)
        x[k] = (jet.value[k] + (turns ? q->at : times[time]) * jet.value[k + 3]) / jet.value[6];
      if (turns)
        turn_sample(&q->turn[side], times[time] - q->at, x);
    }
  }
  if (turns)
    memcpy(samples->axis, q->turn[side].spin, sizeof samples->axis);
  toi_plain_unit3(samples->axis);
  samples->lines[side][0] = samples->lines[side][1] = LINES;
  samples->count[side] = (size_t)(EACH * time_count);
}
