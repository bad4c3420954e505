/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions at one time by MPFR, with two derivatives by time: the textbook's formulas in 192 bits, call by call. What
 * they are off by lies far below the last place of a double. */

#ifndef TOI_TESTS_MOTION_ORACLE_H
#define TOI_TESTS_MOTION_ORACLE_H

#include "support/support.h"

#include "motion/motion.h"

#include <mpfr.h>
#include <stdio.h>

#define ORACLE_BITS 192
#define ORACLE_SLACK 50 /* bits */
#define ORACLE_NUMBERS 65536

/* --- numbers with derivatives, from a pool that is emptied before each motion --- */

static mpfr_t oracle_pool[ORACLE_NUMBERS];
static size_t oracle_made, oracle_used;

static inline mpfr_ptr oracle_number(void) {
  assert_true(oracle_used < ORACLE_NUMBERS);
  if (oracle_used == oracle_made)
    mpfr_init2(oracle_pool[oracle_made++], ORACLE_BITS);
  mpfr_set_zero(oracle_pool[oracle_used], 1);
  return oracle_pool[oracle_used++];
}

static inline void oracle_end(void) {
  while (oracle_made > 0)
    mpfr_clear(oracle_pool[--oracle_made]);
  mpfr_free_cache();
}

typedef struct number {
  mpfr_ptr of[3];
} number;

static inline number make_number(void) {
  number n = {{oracle_number(), oracle_number(), oracle_number()}};
  return n;
}

static inline number constant(double value) {
  number n = make_number();
  mpfr_set_d(n.of[0], value, MPFR_RNDN);
  return n;
}

static inline number time_at(double t) {
  number n = constant(t);
  mpfr_set_d(n.of[1], 1, MPFR_RNDN);
  return n;
}

static inline number plus(number a, number b) {
  number n = make_number();
  for (int k = 0; k < 3; k++)
    mpfr_add(n.of[k], a.of[k], b.of[k], MPFR_RNDN);
  return n;
}

static inline number minus(number a, number b) {
  number n = make_number();
  for (int k = 0; k < 3; k++)
    mpfr_sub(n.of[k], a.of[k], b.of[k], MPFR_RNDN);
  return n;
}

static inline number times(number a, number b) {
  number n = make_number();
  mpfr_ptr part = oracle_number();
  const int factor[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i <= k; i++) {
      mpfr_mul(part, a.of[i], b.of[k - i], MPFR_RNDN);
      mpfr_mul_si(part, part, factor[k][i], MPFR_RNDN);
      mpfr_add(n.of[k], n.of[k], part, MPFR_RNDN);
    }
  return n;
}

/* From r b = a. */
static inline number over(number a, number b) {
  number n = make_number();
  mpfr_ptr part = oracle_number();
  const int factor[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  for (int k = 0; k < 3; k++) {
    mpfr_set(n.of[k], a.of[k], MPFR_RNDN);
    for (int i = 0; i < k; i++) {
      mpfr_mul(part, n.of[i], b.of[k - i], MPFR_RNDN);
      mpfr_mul_si(part, part, factor[k][i], MPFR_RNDN);
      mpfr_sub(n.of[k], n.of[k], part, MPFR_RNDN);
    }
    mpfr_div(n.of[k], n.of[k], b.of[0], MPFR_RNDN);
  }
  return n;
}

static inline void sine_cosine(number a, number *sine, number *cosine) {
  number s = make_number(), c = make_number();
  mpfr_ptr part = oracle_number(), square = oracle_number();
  mpfr_sin_cos(s.of[0], c.of[0], a.of[0], MPFR_RNDN);
  mpfr_mul(s.of[1], c.of[0], a.of[1], MPFR_RNDN);
  mpfr_mul(c.of[1], s.of[0], a.of[1], MPFR_RNDN);
  mpfr_neg(c.of[1], c.of[1], MPFR_RNDN);
  mpfr_sqr(square, a.of[1], MPFR_RNDN);
  mpfr_mul(s.of[2], c.of[0], a.of[2], MPFR_RNDN);
  mpfr_mul(part, s.of[0], square, MPFR_RNDN);
  mpfr_sub(s.of[2], s.of[2], part, MPFR_RNDN);
  mpfr_mul(c.of[2], s.of[0], a.of[2], MPFR_RNDN);
  mpfr_mul(part, c.of[0], square, MPFR_RNDN);
  mpfr_add(c.of[2], c.of[2], part, MPFR_RNDN);
  mpfr_neg(c.of[2], c.of[2], MPFR_RNDN);
  *sine = s;
  *cosine = c;
}

/* a + b t. */
static inline number linear(double a, double b, number t) {
  return plus(constant(a), times(constant(b), t));
}

/* --- motions --- */

typedef struct oracle {
  number t;
  number rotation[3][3], translation[3];
} oracle;

static inline oracle oracle_rest(double t) {
  oracle o = {.t = time_at(t)};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      o.rotation[i][j] = constant(i == j);
    o.translation[i] = constant(0);
  }
  return o;
}

/* At rest so far, with the pool emptied. */
static inline oracle oracle_at(double t) {
  oracle_used = 0;
  return oracle_rest(t);
}

/* Goes on by a rotation and a translation. */
static inline void oracle_after(oracle *o, number rotation[3][3], const number translation[3]) {
  oracle before = *o;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      o->rotation[i][j] = constant(0);
      for (int k = 0; k < 3; k++)
        o->rotation[i][j] = plus(o->rotation[i][j], times(rotation[i][k], before.rotation[k][j]));
    }
    o->translation[i] = translation[i];
    for (int k = 0; k < 3; k++)
      o->translation[i] = plus(o->translation[i], times(rotation[i][k], before.translation[k]));
  }
}

static inline void oracle_move(oracle *o, const double shift[3], const double velocity[3]) {
  for (int i = 0; i < 3; i++)
    o->translation[i] = plus(o->translation[i], linear(shift[i], velocity[i], o->t));
}

static inline number length_of(const double v[3]) {
  number square = constant(0), length = make_number();
  for (int i = 0; i < 3; i++)
    square = plus(square, times(constant(v[i]), constant(v[i])));
  mpfr_sqrt(length.of[0], square.of[0], MPFR_RNDN);
  return length;
}

/* Rodrigues' formula; `along` is the way along the axis. */
static inline void oracle_screw(oracle *o, const double axis[3], const double through[3], number angle, number along) {
  number n[3], length = length_of(axis), sine, cosine, rotation[3][3], translation[3];
  for (int i = 0; i < 3; i++)
    n[i] = over(constant(axis[i]), length);
  sine_cosine(angle, &sine, &cosine);
  number rest = minus(constant(1), cosine);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int m = 0; m < 3; m++)
      rotation[i][m] = times(rest, times(n[i], n[m]));
    rotation[i][i] = plus(rotation[i][i], cosine);
    rotation[i][j] = minus(rotation[i][j], times(sine, n[k]));
    rotation[i][k] = plus(rotation[i][k], times(sine, n[j]));
  }
  for (int i = 0; i < 3; i++) {
    translation[i] = plus(constant(through[i]), times(n[i], along));
    for (int k = 0; k < 3; k++)
      translation[i] = minus(translation[i], times(rotation[i][k], constant(through[k])));
  }
  oracle_after(o, rotation, translation);
}

/* q v q* / |q|^2, from products of quaternions. */
static inline void quaternion_product(const number a[4], const number b[4], number c[4]) {
  c[0] = times(a[0], b[0]);
  for (int i = 1; i < 4; i++)
    c[0] = minus(c[0], times(a[i], b[i]));
  for (int i = 1; i < 4; i++) {
    int j = i % 3 + 1, k = j % 3 + 1;
    c[i] = plus(times(a[0], b[i]), times(a[i], b[0]));
    c[i] = plus(c[i], minus(times(a[j], b[k]), times(a[k], b[j])));
  }
}

static inline void oracle_quaternion(oracle *o, const number q[4], const number translation[3]) {
  number rotation[3][3], square = constant(0), back[4];
  for (int i = 0; i < 4; i++) {
    square = plus(square, times(q[i], q[i]));
    back[i] = i == 0 ? q[i] : minus(constant(0), q[i]);
  }
  for (int column = 0; column < 3; column++) {
    number unit[4], half[4], whole[4];
    for (int i = 0; i < 4; i++)
      unit[i] = constant(i == column + 1);
    quaternion_product(q, unit, half);
    quaternion_product(half, back, whole);
    for (int i = 0; i < 3; i++)
      rotation[i][column] = over(whole[i + 1], square);
  }
  oracle_after(o, rotation, translation);
}

/* A Chebyshev series by its recurrence. */
static inline number series_at(const double *coefficients, size_t count, double from, double to, number t) {
  number length = minus(constant(to), constant(from));
  number s = over(minus(minus(plus(t, t), constant(from)), constant(to)), length);
  number before = s, now = constant(1), sum = constant(0);
  for (size_t i = 0; i < count; i++) {
    sum = plus(sum, times(constant(coefficients[i]), now));
    number next = minus(times(plus(s, s), now), before);
    before = now;
    now = next;
  }
  return sum;
}

/* --- whether it is enclosed --- */

/* Powers of two that times and lengths of a motion are of the order of, for what the oracle itself may be off by. */
static int oracle_time, oracle_length;

/* That is let pass: what is exact has no width. */
static inline bool is_in(mpfr_srcptr x, toi_interval a, int scale) {
  mpfr_ptr slack = oracle_number(), off = oracle_number(), unit = oracle_number();
  mpfr_set_ui_2exp(unit, 1, scale, MPFR_RNDN);
  mpfr_abs(slack, x, MPFR_RNDN);
  mpfr_add(slack, slack, unit, MPFR_RNDN);
  mpfr_mul_2si(slack, slack, ORACLE_SLACK - ORACLE_BITS, MPFR_RNDN);
  mpfr_add(off, x, slack, MPFR_RNDN);
  bool above = mpfr_cmp_d(off, a.lo) >= 0;
  mpfr_sub(off, x, slack, MPFR_RNDN);
  return above && mpfr_cmp_d(off, a.hi) <= 0;
}

/* Of all entries and orders, how many are not; each is printed if it is not wanted so. */
static inline unsigned oracle_misses(const oracle *o, const toi_motion_jet *jet, unsigned order, bool quiet) {
  unsigned misses = 0;
  for (unsigned k = 0; k <= order; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++) {
        mpfr_srcptr exact = j < 3 ? o->rotation[i][j].of[k] : o->translation[i].of[k];
        toi_interval a = j < 3 ? jet->rotation[k][i][j] : jet->translation[k][i];
        int scale = (j < 3 ? 0 : oracle_length) - (int)k * oracle_time;
        if (is_in(exact, a, scale) && toi_interval_is_valid(a))
          continue;
        misses++;
        if (!quiet)
          fprintf(stderr, "order %u, row %d, column %d at t = %a: %.20g is not in [%a, %a]\n", k, i, j,
                  mpfr_get_d(o->t.of[0], MPFR_RNDN), mpfr_get_d(exact, MPFR_RNDN), a.lo, a.hi);
      }
  return misses;
}

/* A random interval in [from, to], from a point to all of it, and a time in it. */
static inline toi_interval random_times(uint64_t *seed, double from, double to, double *inside) {
  double width = (to - from) * ldexp(1, -(int)(test_random(seed) % 50));
  double lo = from + (to - from - width) * test_random_unit(seed);
  toi_interval t = {lo, test_random(seed) % 5 == 0 ? lo : lo + width};
  t.hi = t.hi < to ? t.hi : to;
  uint64_t where = test_random(seed) % 4;
  *inside = where == 0 ? t.lo : where == 1 ? t.hi : t.lo + (t.hi - t.lo) * test_random_unit(seed);
  *inside = fmin(*inside, t.hi);
  return t;
}

#endif
