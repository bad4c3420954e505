/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The coplanarity of two bodies at one time, in twofold numbers from the poses themselves.
 *
 *   vertex-face:  (M_B n) . (N_A x + M_A v) - N_A N_B (n . f0),     n = (f1 - f0) x (f2 - f0);
 *   edge-edge:    (M_B e) . (x cross y + M_A (a0 x d)) - (M_B (e x eb0)) . y,   y = M_A d, d = a1 - a0, e = eb0 - eb1,
 *
 * which is what rotating_forms_body.h has as polynomials, since z . M_B' y = (M_B z) . y.
 *
 * Claim: off by less than 1024 u^2 times the magnitude there, u = 2^-53; of bodies that turn at a constant rate by less
 * than 32768 u^2.
 * Why: twofold products are off by 8 u^2 of their magnitude, sums by 3 u^2 of that of their terms (twofold.h).
 * Differences of doubles and 1 - t are exact. In u^2, relative to the Euclidean lengths that bound each:
 * - q: product 8, sum 3: 11; N: 2 * 11 + 8 + 2 * 3 = 36; x: 11;
 * - M y = N y + 2 q x (w y + q x y) for a y that is off by e: |w y| + |q x y| <= 2 |q| |y| holds each component of the
 * inner sum, off by 11 + e + 8 + 3 + 3 of that; the outer product, of at most 4 N |y| in all its terms: 11 + (25 + e) +
 * 8 + 3; N y: 36 + e + 8; sum 3: at most (4 (50 + e) + 44 + e) < 260 + 5 e of N |y|;
 * - e is 0 of v and d, 8 + 3 = 11 of n, of the moment and of e x eb0 (their terms are at most twice the product of
 *   lengths: 22 of it): M y is off by at most 370;
 * - N_A x + M_A v: max(36 + 11 + 8, 260) + 3; the dot product with M_B n: 263 + 370 + 8 + 6 = 647 of lengths
 *   |n| N_A N_B (|x| + |v|); N_A N_B (n . f0): 36 + 36 + 8 + 22 + 8 + 6 + 8; the difference 3: at most 650;
 * - edges: x cross y: 11 + 260 + 8 + 3; with M_A (a0 x d): 373; with M_B e: 373 + 260 + 14 = 647; M_B (e x eb0) . y:
 * 370 + 260 + 14; the difference 3: 650. The lengths: |n| <= 2 sqrt(3) db^2, |v| <= sqrt(3) a, and so on: 2 sqrt(3)
 * db^2 (X + sqrt(3) (a + b)) N_A N_B is below 6 db^2 m, and edges likewise below 3 da db k.
 * At a constant rate q is off by 512 instead of 11, x by at most 2048 + 11 of lengths whose sum is X (motion/slerp.h):
 * N 1038; M y: 4 (1038 + 14 + 512 + e + 22) + 1046 + e < 7400 + 5 e, at most 7510 with e = 22; N_A x + M_A v 7513; the
 * dot product with M_B n 7513 + 7510 + 14, the difference with that of W, 2100, 15,040. Edges: x cross y 2059 + 7400 +
 * 11 = 9470, with M_A (a0 x d) 9473, with M_B e 9473 + 7510 + 14; the difference less than 17,000.
 *
 * Factors below 2^-480 counts as 0, so that twofold products are exact where they say so, and the same bits come
 * from fused instructions and from Dekker's splitting. With da, db and m at least 2^-170 that is below u^2 times any
 * magnitude here: what is left out of a product of lengths l l' is at most 2^-480 l, where l' >= 2^-340. */

#include "number/twofold_sine.h"

TOI_INLINE twofold times(twofold a, twofold b) {
  return twofold_product(a, b);
}

TOI_INLINE twofold twice(twofold a) {
  return (twofold){a.hi + a.hi, a.lo + a.lo};
}

TOI_INLINE void cross_two(const twofold a[3], const twofold b[3], twofold out[3]) {
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = twofold_sub(times(a[y], b[z]), times(a[z], b[y]));
  }
}

TOI_INLINE twofold dot_two(const twofold a[3], const twofold b[3]) {
  return twofold_add(twofold_add(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

typedef struct two_pose {
  twofold q[4], n;
} two_pose;

TOI_INLINE twofold kept(const double numbers[2][4], int i) {
  return (twofold){every(numbers[0][i]), every(numbers[1][i])};
}

TOI_INLINE twofold kept3(const double numbers[2][3], int i) {
  return (twofold){every(numbers[0][i]), every(numbers[1][i])};
}

/* How far a screw is from the straight line (motion/slerp.h), added to x with a sign. */
static void wind(const toi_slerp *slerp, bool minus, twofold t, twofold sine, twofold cosine, twofold x[3]) {
  for (int i = 0; i < 3; i++) {
    const twofold round = twofold_add(times(cosine, kept3(slerp->first, i)), times(sine, kept3(slerp->second, i)));
    const twofold off = twofold_sub(times(sine, round), times(t, kept3(slerp->across, i)));
    x[i] = twofold_add(x[i], minus ? twofold_negate(off) : off);
  }
}

/* The pose of a body; x gets what its path has beside the line. */
static two_pose pose_at(const toi_turn_ends *ends, int body, twofold s, twofold t, twofold x[3]) {
  const toi_slerp *slerp = &ends->slerp[body];
  const double(*q)[4] = ends->quaternion[body];
  twofold first = s, second = t;
  two_pose pose;
  if (ends->steady[body])
    twofold_sin_cos(times(t, (twofold){every(slerp->angle[0]), every(slerp->angle[1])}), &second, &first);
  for (int i = 0; i < 4; i++) {
    const twofold end = ends->steady[body] ? kept(slerp->side, i) : twofold_of(every(q[1][i]));
    pose.q[i] = twofold_add(times(first, twofold_of(every(q[0][i]))), times(second, end));
  }
  pose.n = twofold_add(twofold_add(times(pose.q[0], pose.q[0]), times(pose.q[1], pose.q[1])),
                       twofold_add(times(pose.q[2], pose.q[2]), times(pose.q[3], pose.q[3])));
  if (slerp->winds)
    wind(slerp, body == 1, t, second, first, x);
  return pose;
}

/* M y. */
static void turn(const two_pose *pose, const twofold y[3], twofold out[3]) {
  const twofold *v = pose->q + 1;
  twofold inner[3], outer[3];
  cross_two(v, y, inner);
  for (int i = 0; i < 3; i++)
    inner[i] = twofold_add(inner[i], times(pose->q[0], y[i]));
  cross_two(v, inner, outer);
  for (int i = 0; i < 3; i++)
    out[i] = twofold_add(times(pose->n, y[i]), twice(outer[i]));
}

typedef struct two_motion {
  two_pose pose[2];
  twofold x[3];
} two_motion;

static twofold face_residual(const two_motion *m, const real p[12]) {
  const real *f = p + 3;
  twofold d[3], e[3], n[3], v[3], f0[3], turned[3], path[3];
  for (int i = 0; i < 3; i++) {
    d[i] = twofold_difference(f[3 + i], f[i]);
    e[i] = twofold_difference(f[6 + i], f[i]);
    v[i] = twofold_of(p[i]);
    f0[i] = twofold_of(f[i]);
  }
  cross_two(d, e, n);
  turn(&m->pose[0], v, path);
  turn(&m->pose[1], n, turned);
  for (int i = 0; i < 3; i++)
    path[i] = twofold_add(path[i], times(m->pose[0].n, m->x[i]));
  const twofold w = times(m->pose[0].n, m->pose[1].n);
  return twofold_sub(dot_two(turned, path), times(w, dot_two(n, f0)));
}

static twofold edge_residual(const two_motion *m, const real p[12]) {
  twofold a0[3], b0[3], d[3], e[3], moment[3], g[3], y[3], z[3], turned_e[3], turned_g[3], arm[3];
  for (int i = 0; i < 3; i++) {
    a0[i] = twofold_of(p[i]);
    b0[i] = twofold_of(p[6 + i]);
    d[i] = twofold_difference(p[3 + i], p[i]);
    e[i] = twofold_difference(p[6 + i], p[9 + i]);
  }
  cross_two(a0, d, moment);
  cross_two(e, b0, g);
  turn(&m->pose[0], d, y);
  turn(&m->pose[0], moment, z);
  turn(&m->pose[1], e, turned_e);
  turn(&m->pose[1], g, turned_g);
  cross_two(m->x, y, arm);
  for (int i = 0; i < 3; i++)
    arm[i] = twofold_add(arm[i], z[i]);
  return twofold_sub(dot_two(turned_e, arm), dot_two(turned_g, y));
}

static real residual_of(int n, const toi_turn_ends *ends, const real p[12], real time) {
  const twofold s = twofold_difference(every(1), time), t = twofold_of(time);
  two_motion m;
  for (int i = 0; i < 3; i++)
    m.x[i] = twofold_add(times(s, (twofold){every(ends->x_hi[0][i]), every(ends->x_lo[0][i])}),
                         times(t, (twofold){every(ends->x_hi[1][i]), every(ends->x_lo[1][i])}));
  for (int body = 0; body < 2; body++)
    m.pose[body] = pose_at(ends, body, s, t, m.x);
  return (n == 4 ? edge_residual(&m, p) : face_residual(&m, p)).hi;
}
