/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One body turns at a constant rate, or both at the same one, and neither moves: decided in integers, like nlerp.
 *
 * Slerp and nlerp between the same quaternions go through the same orientations in the same order, nlerp at other
 * times; which times depends on the angle and on the ratio of the quaternions' lengths alone, so that two bodies that
 * have these in common meet the same pairs of orientations. So the verdict of the whole step is nlerp's. Contact at s
 * under nlerp is at t under slerp, where the body has turned by the share t of its angle: with phi the half angle and k
 * = |q1| / |q0|,
 *
 *   t = atan2(s k sin phi, (1 - s) + s k cos phi) / phi,
 *
 * which grows with s. Brackets are mapped end by end, in intervals: a few units of the last place wider. phi is known
 * within 200 u^2 (motion/slerp.h), and rounded. */

#include "narrow/rotating_chunk.h"

#include <math.h>

#include "number/elementary.h"
#include "number/vector.h"

typedef struct turn_parts {
  toi_interval sine, cosine; /* of phi, times k */
  toi_interval angle;
} turn_parts;

static toi_interval length_of(const double q[4]) {
  toi_interval square = toi_interval_point(0);
  for (int i = 0; i < 4; i++)
    square = toi_interval_add(square, toi_interval_square(toi_interval_point(q[i])));
  return toi_interval_sqrt(square);
}

static turn_parts parts_of(const double q0[4], const double q1[4], double angle) {
  const toi_interval k = toi_interval_div(length_of(q1), length_of(q0));
  turn_parts parts = {.angle = {toi_next_down(angle - 0x1p-97), toi_next_up(angle + 0x1p-97)}};
  parts.angle.lo = toi_larger(parts.angle.lo, 0);
  toi_interval_sin_cos(parts.angle, &parts.sine, &parts.cosine);
  parts.sine = toi_interval_mul(k, parts.sine);
  parts.cosine = toi_interval_mul(k, parts.cosine);
  return parts;
}

/* t at s. */
static toi_interval time_of(const turn_parts *parts, double s) {
  bool defined;
  const toi_interval at = toi_interval_point(s);
  const toi_interval rest = toi_interval_sub(toi_interval_point(1), at);
  const toi_interval x = toi_interval_add(rest, toi_interval_mul(at, parts->cosine));
  const toi_interval y = toi_interval_mul(at, parts->sine);
  toi_interval t = toi_interval_div(toi_interval_atan2(y, x, &defined), parts->angle);
  if (!(t.lo >= 0))
    t.lo = 0;
  if (!(t.hi <= 1))
    t.hi = 1;
  return s == 0 ? toi_interval_point(0) : s == 1 ? toi_interval_point(1) : t;
}

static void map_hit(const toi_turn_question *ask, const turn_parts *parts, toi_hit *hit) {
  const double t_max = ask->options.t_max;
  if (hit->verdict != TOI_HIT) {
    hit->t_safe = t_max;
    return;
  }
  const double lo = time_of(parts, hit->t_lo).lo, hi = time_of(parts, hit->t_hi).hi;
  if (lo > t_max) {
    *hit = toi_hit_miss(t_max, (toi_level)hit->level);
    return;
  }
  hit->t_lo = lo;
  hit->t_hi = hi;
  hit->t_safe = lo > 0 ? toi_next_down(lo) : 0;
  if (hi <= t_max)
    return;
  // Only t_max within the bracket leaves it open.
  hit->verdict = TOI_NEAR;
  hit->tolerance_reached = INFINITY;
  hit->u = hit->v = hit->distance = (double)NAN;
  for (int axis = 0; axis < 3; axis++)
    hit->point[axis] = hit->normal[axis] = 0;
}

toi_status toi_turn_answer_same_way(const toi_turn_question *question, const double *queries, size_t count,
                                    toi_hit *hits) {
  const toi_moving_pair *pair = question->pair->same_way;
  const int turning = question->pair->turning;
  const double(*q)[4] = pair->ends.quaternion[turning];
  toi_turn_question inner = *question;
  inner.pair = pair;
  inner.options.t_max = 1;
  const toi_status status = toi_turn_answer(&inner, queries, count, hits);
  if (status != TOI_OK)
    return status;
  const turn_parts parts = parts_of(q[0], q[1], question->pair->ends.slerp[turning].angle[0]);
  for (size_t i = 0; i < count; i++)
    map_hit(question, &parts, &hits[i]);
  return TOI_OK;
}
