/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions between two poses: see poses.h for formulas, claims and why. */

#include "motion/poses.h"

#include "motion/stage.h"
#include "number/trigonometry.h"
#include "number/twofold_sine.h"

/* What twofold numbers of a slerp are off by: 1024 u^2. */
#define TWOFOLD_ERROR 0x1p-96

/* Half turns below it wind as if they were straight, nearly. */
#define SMALL_ANGLE 0x1p-30

/* q0 without an axis, and q' there. */
#define STILL_ERROR 0x1p-109

static const toi_interval zero = {0, 0};

/* --- making --- */

static int top_of(const double q[4]) {
  double most = 0;
  int top;
  for (int i = 0; i < 4; i++)
    most = fmax(most, fabs(q[i]));
  (void)frexp(most, &top);
  return top;
}

static toi_interval around(double hi, double lo, double error) {
  return toi_interval_around(hi, toi_sum_up(fabs(lo), error));
}

static double length_of(const double v[3]) {
  return hypot(hypot(v[0], v[1]), v[2]) * (1 + 0x1p-40);
}

static void enclose_slerp(toi_poses *poses) {
  const toi_slerp *slerp = &poses->slerp;
  if (!slerp->turns) {
    for (int i = 0; i < 4; i++)
      poses->side[i] = (toi_interval){-STILL_ERROR, STILL_ERROR};
    return;
  }
  // sin phi >= phi / 2 in [0, pi / 2], and |q0| < 2.
  const double sine = 0.5 * slerp->angle[0];
  toi_interval cosine;
  poses->angle = around(slerp->angle[0], slerp->angle[1], TWOFOLD_ERROR);
  poses->angle.lo = fmax(poses->angle.lo, 0);
  toi_interval_sin_cos(poses->angle, &poses->sine, &cosine);
  for (int i = 0; i < 4; i++)
    poses->side[i] = around(slerp->side[0][i], slerp->side[1][i], 2 * TWOFOLD_ERROR / sine);
  double way[3];
  for (int i = 0; i < 3; i++)
    way[i] = toi_interval_magnitude(poses->way[i]);
  const double far = length_of(way);
  for (int i = 0; i < 3 && slerp->winds; i++) {
    poses->across[i] = around(slerp->across[0][i], slerp->across[1][i], 2 * TWOFOLD_ERROR / sine * far);
    poses->turned[i] = around(slerp->turned[0][i], slerp->turned[1][i], 3 * TWOFOLD_ERROR / sine * far);
  }
}

void toi_poses_make(const double quaternion[2][4], const double position[2][3], bool steady, bool screw,
                    toi_poses *poses) {
  *poses = (toi_poses){.steady = steady};
  int top[2] = {top_of(quaternion[0]), top_of(quaternion[1])};
  if (!steady)
    top[0] = top[1] = top[0] > top[1] ? top[0] : top[1];
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 4; i++)
      poses->quaternion[end][i] = ldexp(quaternion[end][i], -top[end]);
    memcpy(poses->position[end], position[end], sizeof poses->position[end]);
  }
  double d[2][3];
  for (int i = 0; i < 3; i++) {
    const twofold way = twofold_difference(position[1][i], position[0][i]);
    d[0][i] = way.hi;
    d[1][i] = way.lo;
    poses->way[i] = toi_interval_sub(toi_interval_point(position[1][i]), toi_interval_point(position[0][i]));
  }
  if (steady) {
    toi_slerp_make(poses->quaternion[0], poses->quaternion[1], (const double(*)[3])d, screw, &poses->slerp);
    enclose_slerp(poses);
  }
  for (int i = 0; i < 4 && !steady; i++)
    poses->side[i] =
        toi_interval_sub(toi_interval_point(poses->quaternion[1][i]), toi_interval_point(poses->quaternion[0][i]));
}

bool toi_poses_rest(const toi_poses *poses) {
  return memcmp(poses->quaternion[0], poses->quaternion[1], sizeof poses->quaternion[0]) == 0 &&
         memcmp(poses->position[0], poses->position[1], sizeof poses->position[0]) == 0;
}

/* --- jets --- */

static toi_interval sum2(toi_interval a, toi_interval x, toi_interval b, toi_interval y) {
  return toi_interval_add(toi_interval_mul(a, x), toi_interval_mul(b, y));
}

/* q and its derivatives. */
static void quaternion_jet(const toi_poses *poses, toi_interval t, toi_interval q[4][3]) {
  toi_interval sine, cosine;
  if (poses->slerp.turns)
    toi_interval_sin_cos(toi_interval_mul(poses->angle, t), &sine, &cosine);
  for (int i = 0; i < 4; i++) {
    const toi_interval start = toi_interval_point(poses->quaternion[0][i]);
    if (!poses->slerp.turns) {
      q[i][0] = toi_interval_add(start, toi_interval_mul(poses->side[i], t));
      q[i][1] = poses->side[i];
      q[i][2] = poses->steady ? poses->side[i] : zero;
      continue;
    }
    q[i][0] = sum2(start, cosine, poses->side[i], sine);
    q[i][1] = toi_interval_mul(poses->angle, sum2(poses->side[i], cosine, toi_interval_neg(start), sine));
    q[i][2] = toi_interval_neg(toi_interval_mul(toi_interval_square(poses->angle), q[i][0]));
  }
}

/* A factor within 2 phi^2 of 1, and a number within so many phi^2 of 0. */
static toi_interval nearly_one(const toi_poses *poses) {
  const double off = 2 * poses->angle.hi * poses->angle.hi;
  return (toi_interval){1 - 2 * off, 1 + 2 * off};
}

static toi_interval nearly_zero(const toi_poses *poses, double times) {
  const double off = 1.125 * times * poses->angle.hi * poses->angle.hi;
  return (toi_interval){-off, off};
}

/* G - t and H with their derivatives. */
typedef struct winding {
  toi_interval g[3], h[3];
} winding;

static winding winding_of(const toi_poses *poses, toi_interval t) {
  const toi_interval phi = poses->angle, one = {1, 1}, rest = toi_interval_sub(one, t);
  const toi_interval twice = toi_interval_add(phi, phi), middle = toi_interval_sub(t, rest);
  if (phi.hi < SMALL_ANGLE) {
    const toi_interval slow = toi_interval_mul(phi, nearly_one(poses));
    return (winding){{nearly_zero(poses, 1), nearly_zero(poses, 1), nearly_zero(poses, 3)},
                     {toi_interval_neg(toi_interval_mul(slow, toi_interval_mul(t, rest))),
                      toi_interval_mul(slow, middle), toi_interval_add(slow, slow)}};
  }
  toi_interval sine[3], cosine[3];
  toi_interval_sin_cos(toi_interval_mul(phi, t), &sine[0], &cosine[0]);
  toi_interval_sin_cos(toi_interval_mul(phi, rest), &sine[1], &cosine[1]);
  toi_interval_sin_cos(toi_interval_mul(phi, middle), &sine[2], &cosine[2]);
  const toi_interval k = toi_interval_div(phi, poses->sine), part = toi_interval_div(sine[0], poses->sine);
  const toi_interval bent = toi_interval_mul(twice, k);
  return (winding){{toi_interval_sub(toi_interval_mul(part, cosine[1]), t),
                    toi_interval_sub(toi_interval_mul(k, cosine[2]), one),
                    toi_interval_neg(toi_interval_mul(bent, sine[2]))},
                   {toi_interval_neg(toi_interval_mul(part, sine[1])), toi_interval_mul(k, sine[2]),
                    toi_interval_mul(bent, cosine[2])}};
}

static void position_jet(const toi_poses *poses, toi_interval t, unsigned order, toi_motion_jet *jet) {
  const winding w = poses->slerp.winds ? winding_of(poses, t) : (winding){{{0, 0}}, {{0, 0}}};
  for (int i = 0; i < 3; i++) {
    const toi_interval start = toi_interval_point(poses->position[0][i]);
    toi_interval p[3] = {toi_interval_add(start, toi_interval_mul(poses->way[i], t)), poses->way[i], zero};
    for (unsigned k = 0; k <= order; k++) {
      if (poses->slerp.winds)
        p[k] = toi_interval_add(p[k], sum2(poses->across[i], w.g[k], poses->turned[i], w.h[k]));
      jet->translation[k][i] = p[k];
    }
  }
}

void toi_poses_jet(const toi_poses *poses, toi_interval t, unsigned order, toi_motion_jet *jet) {
  toi_interval q[4][3];
  quaternion_jet(poses, t, q);
  toi_quaternion_jet((const toi_interval(*)[3])q, order, jet);
  position_jet(poses, t, order, jet);
}

/* --- Taylor models --- */

/* a x + b y + c. */
static void combine(const toi_taylor_space *space, const toi_interval factor[2], const toi_taylor *x,
                    const toi_taylor *y, toi_interval c, toi_taylor *out) {
  toi_taylor number, product;
  toi_taylor_constant(c, out);
  for (int i = 0; i < 2; i++) {
    if (factor[i].lo == 0 && factor[i].hi == 0)
      continue;
    toi_taylor_constant(factor[i], &number);
    toi_taylor_mul(space, &number, i == 0 ? x : y, &product);
    toi_taylor_add(space, out, &product, out);
  }
}

static void multiple(const toi_taylor_space *space, toi_interval factor, const toi_taylor *t, toi_taylor *out) {
  combine(space, (toi_interval[2]){factor, zero}, t, t, zero, out);
}

static void quaternion_taylor(const toi_poses *poses, const toi_taylor_space *space, const toi_taylor *t,
                              toi_taylor q[4]) {
  toi_taylor angle, sine, cosine;
  if (poses->slerp.turns) {
    multiple(space, poses->angle, t, &angle);
    toi_taylor_sin_cos(space, &angle, &sine, &cosine);
  }
  for (int i = 0; i < 4; i++) {
    const toi_interval start = toi_interval_point(poses->quaternion[0][i]);
    if (poses->slerp.turns)
      combine(space, (toi_interval[2]){start, poses->side[i]}, &cosine, &sine, zero, &q[i]);
    else
      combine(space, (toi_interval[2]){poses->side[i], zero}, t, t, start, &q[i]);
  }
}

/* G - t and H. */
static void winding_taylor(const toi_poses *poses, const toi_taylor_space *space, const toi_taylor *t, toi_taylor *g,
                           toi_taylor *h) {
  const toi_interval phi = poses->angle, one = {1, 1};
  toi_taylor rest, angle, sine[2], cosine[2], part;
  toi_taylor_constant(one, &rest);
  toi_taylor_sub(space, &rest, t, &rest);
  if (phi.hi < SMALL_ANGLE) {
    toi_taylor_constant(nearly_zero(poses, 1), g);
    toi_taylor_mul(space, t, &rest, &part);
    multiple(space, toi_interval_neg(toi_interval_mul(phi, nearly_one(poses))), &part, h);
    return;
  }
  multiple(space, phi, t, &angle);
  toi_taylor_sin_cos(space, &angle, &sine[0], &cosine[0]);
  multiple(space, phi, &rest, &angle);
  toi_taylor_sin_cos(space, &angle, &sine[1], &cosine[1]);
  multiple(space, toi_interval_div(one, poses->sine), &sine[0], &part);
  toi_taylor_mul(space, &part, &cosine[1], g);
  toi_taylor_sub(space, g, t, g);
  toi_taylor_mul(space, &part, &sine[1], h);
  toi_taylor_negate(space, h, h);
}

static void position_taylor(const toi_poses *poses, const toi_taylor_space *space, const toi_taylor *t,
                            toi_taylor p[3]) {
  toi_taylor g, h, wound;
  if (poses->slerp.winds)
    winding_taylor(poses, space, t, &g, &h);
  for (int i = 0; i < 3; i++) {
    const toi_interval start = toi_interval_point(poses->position[0][i]);
    combine(space, (toi_interval[2]){poses->way[i], zero}, t, t, start, &p[i]);
    if (!poses->slerp.winds)
      continue;
    combine(space, (toi_interval[2]){poses->across[i], poses->turned[i]}, &g, &h, zero, &wound);
    toi_taylor_add(space, &p[i], &wound, &p[i]);
  }
}

void toi_poses_taylor(const toi_poses *poses, const toi_taylor_space *space, const toi_taylor *t,
                      toi_motion_taylor *pose) {
  toi_taylor q[4];
  quaternion_taylor(poses, space, t, q);
  toi_quaternion_taylor(space, q, pose->rotation);
  position_taylor(poses, space, t, pose->translation);
}

/* --- twofold numbers --- */

/* Number i of those that are kept as two rows, of what is large and what it lacks. */
static twofold kept(const double *hi, const double *lo, int i) {
  return (twofold){hi[i], lo[i]};
}

/* The error of poses at a constant rate, of their lengths, at a time that is off by t.r: sines change by phi t.r, and
 * what the path has beside the line by less than 5 |across| t.r. */
static double radius(double units, double length, toi_ball t, double speed) {
  return ((units * 0x1p-106 + speed * t.r) * length + TOI_BALL_TINY) * TOI_BALL_OUTWARD;
}

void toi_poses_ball(const toi_poses *poses, toi_ball t, toi_motion_ball *ball) {
  const toi_slerp *slerp = &poses->slerp;
  toi_ball q[4];
  twofold sine = {0, 0}, cosine = {1, 0};
  if (slerp->turns)
    twofold_sin_cos(twofold_product(t.x, (twofold){slerp->angle[0], slerp->angle[1]}), &sine, &cosine);
  for (int i = 0; i < 4; i++) {
    const twofold start = twofold_of(poses->quaternion[0][i]);
    if (slerp->turns) {
      q[i].x =
          twofold_add(twofold_product(cosine, start), twofold_product(sine, kept(slerp->side[0], slerp->side[1], i)));
      q[i].r = radius(512, 2, t, 1.6);
    } else if (poses->steady) {
      q[i] = (toi_ball){start, 2 * STILL_ERROR};
    } else {
      const toi_ball way = {twofold_difference(poses->quaternion[1][i], poses->quaternion[0][i]), 0};
      q[i] = toi_ball_add((toi_ball){start, 0}, toi_ball_mul(t, way));
    }
  }
  toi_ball_rotation(q, ball->rotation);
  const double across = length_of(slerp->across[0]);
  for (int i = 0; i < 3; i++) {
    const toi_ball way = {twofold_difference(poses->position[1][i], poses->position[0][i]), 0};
    ball->translation[i] = toi_ball_add(toi_ball_of(poses->position[0][i]), toi_ball_mul(t, way));
    if (!slerp->winds)
      continue;
    const twofold round = twofold_add(twofold_product(cosine, kept(slerp->first[0], slerp->first[1], i)),
                                      twofold_product(sine, kept(slerp->second[0], slerp->second[1], i)));
    const toi_ball off = {
        twofold_sub(twofold_product(sine, round), twofold_product(t.x, kept(slerp->across[0], slerp->across[1], i))),
        radius(2048, across, t, 5)};
    ball->translation[i] = toi_ball_add(ball->translation[i], off);
  }
}
