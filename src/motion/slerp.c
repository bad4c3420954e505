/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Numbers of poses that turn at a constant rate: see slerp.h for claim, bound and why. */

#define TOI_LANES 1

#include "motion/slerp.h"

#include "number/elementary.h"
#include "number/twofold_sine.h"

/* Below this sine of the half angle there is no axis. */
#define LEAST_SINE 0x1p-110

static twofold root_of(twofold a) {
  if (!(a.hi > 0))
    return twofold_of(0);
  const twofold guess = twofold_of(sqrt(a.hi));
  const double rest = twofold_sub(a, twofold_product(guess, guess)).hi / (2 * guess.hi);
  return twofold_add(guess, twofold_of(rest));
}

static twofold quotient(twofold a, twofold b) {
  const twofold guess = twofold_of(a.hi / b.hi);
  const double rest = twofold_sub(a, twofold_product(guess, b)).hi / b.hi;
  return twofold_add(guess, twofold_of(rest));
}

static twofold dot(const twofold a[3], const twofold b[3]) {
  return twofold_add(twofold_add(twofold_product(a[0], b[0]), twofold_product(a[1], b[1])),
                     twofold_product(a[2], b[2]));
}

static void cross(const twofold a[3], const twofold b[3], twofold out[3]) {
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    out[i] = twofold_sub(twofold_product(a[y], b[z]), twofold_product(a[z], b[y]));
  }
}

/* w, v of q1 q0', for quaternions of doubles. */
static twofold between(const double q0[4], const double q1[4], twofold v[3]) {
  twofold a[4], b[4], crossed[3];
  for (int i = 0; i < 4; i++) {
    a[i] = twofold_of(q0[i]);
    b[i] = twofold_of(q1[i]);
  }
  cross(a + 1, b + 1, crossed);
  for (int i = 0; i < 3; i++)
    v[i] = twofold_add(twofold_sub(twofold_product(a[0], b[i + 1]), twofold_product(b[0], a[i + 1])), crossed[i]);
  return twofold_add(twofold_product(a[0], b[0]), dot(a + 1, b + 1));
}

/* phi, from its sine and cosine times a length: a guess, and what is missing. */
static twofold angle_of(twofold sine, twofold cosine) {
  bool defined;
  const toi_interval around = toi_interval_atan2(toi_interval_point(sine.hi), toi_interval_point(cosine.hi), &defined);
  const twofold guess = twofold_of(toi_interval_midpoint(around));
  const twofold length = root_of(twofold_add(twofold_product(sine, sine), twofold_product(cosine, cosine)));
  twofold s, c;
  twofold_sin_cos(guess, &s, &c);
  const twofold rest = twofold_sub(twofold_product(sine, c), twofold_product(cosine, s));
  return twofold_add(guess, quotient(rest, length));
}

static void put(const twofold *from, int count, double *hi, double *lo) {
  for (int i = 0; i < count; i++) {
    hi[i] = from[i].hi;
    lo[i] = from[i].lo;
  }
}

/* n q0. */
static void make_side(const twofold n[3], const double q0[4], toi_slerp *slerp) {
  twofold q[4], side[4], crossed[3];
  for (int i = 0; i < 4; i++)
    q[i] = twofold_of(q0[i]);
  side[0] = twofold_negate(dot(n, q + 1));
  cross(n, q + 1, crossed);
  for (int i = 0; i < 3; i++)
    side[i + 1] = twofold_add(twofold_product(q[0], n[i]), crossed[i]);
  put(side, 4, slerp->side[0], slerp->side[1]);
}

static void make_circle(const twofold n[3], twofold cotangent, const double d[2][3], toi_slerp *slerp) {
  twofold way[3], across[3], turned[3], first[3], second[3];
  for (int i = 0; i < 3; i++)
    way[i] = (twofold){d[0][i], d[1][i]};
  const twofold along = dot(n, way);
  for (int i = 0; i < 3; i++) {
    across[i] = twofold_sub(way[i], twofold_product(along, n[i]));
    slerp->winds |= across[i].hi != 0;
  }
  cross(n, across, turned);
  for (int i = 0; i < 3; i++) {
    first[i] = twofold_sub(twofold_product(cotangent, across[i]), turned[i]);
    second[i] = twofold_add(across[i], twofold_product(cotangent, turned[i]));
  }
  put(across, 3, slerp->across[0], slerp->across[1]);
  put(first, 3, slerp->first[0], slerp->first[1]);
  put(second, 3, slerp->second[0], slerp->second[1]);
  put(turned, 3, slerp->turned[0], slerp->turned[1]);
}

void toi_slerp_make(const double q0[4], const double q1[4], const double d[2][3], bool screw, toi_slerp *slerp) {
  twofold v[3], n[3];
  *slerp = (toi_slerp){.turns = false};
  const twofold cosine = between(q0, q1, v), sine = root_of(dot(v, v));
  if (!(sine.hi > LEAST_SINE))
    return;
  slerp->turns = true;
  const twofold angle = angle_of(sine, cosine);
  put(&angle, 1, &slerp->angle[0], &slerp->angle[1]);
  for (int i = 0; i < 3; i++)
    n[i] = quotient(v[i], sine);
  make_side(n, q0, slerp);
  if (screw)
    make_circle(n, quotient(cosine, sine), d, slerp);
}

void toi_slerp_at(const toi_slerp *slerp, const double q0[4], double t, double q[4], double off[3]) {
  const toi_sine_cosine at = toi_sin_cos(slerp->angle[0] * t);
  for (int i = 0; i < 4; i++)
    q[i] = slerp->turns ? at.cos * q0[i] + at.sin * slerp->side[0][i] : q0[i];
  for (int i = 0; i < 3; i++)
    off[i] = slerp->winds
                 ? at.sin * (at.cos * slerp->first[0][i] + at.sin * slerp->second[0][i]) - t * slerp->across[0][i]
                 : 0;
}
