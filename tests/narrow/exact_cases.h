/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the tests of `exact` share: one call with memory of its own, and queries written point by point. */

#ifndef TOI_TESTS_NARROW_EXACT_CASES_H
#define TOI_TESTS_NARROW_EXACT_CASES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "narrow/exact.h"
#include "support/support.h"

/* Enough for coordinates of any exponents. */
#define EXACT_SCRATCH (1u << 20)

static inline toi_hit decide_until(toi_kind kind, const double *query, double t_max, double guess) {
  static _Alignas(64) unsigned char scratch[EXACT_SCRATCH];
  assert_true(toi_exact_scratch(kind, query) <= sizeof scratch);
  toi_hit hit;
  memset(&hit, 0xff, sizeof hit);
  toi_exact(kind, query, t_max, guess, scratch, &hit);
  return hit;
}

static inline toi_hit decide(toi_kind kind, const double *query) {
  return decide_until(kind, query, 1, NAN);
}

/* A miss, with all that the header says about one. */
static inline void expect_miss(toi_kind kind, const double *query) {
  toi_hit hit = decide(kind, query);
  if (hit.verdict != TOI_MISS)
    test_print_query(kind, query);
  assert_int_equal(hit.verdict, TOI_MISS);
  assert_int_equal(hit.level, TOI_LEVEL_EXACT);
  assert_true(isinf(hit.t_lo) && isinf(hit.t_hi) && hit.t_safe == 1 && isnan(hit.u) && isnan(hit.v));
  for (int axis = 0; axis < 3; axis++)
    assert_true(hit.point[axis] == 0 && hit.normal[axis] == 0);
}

/* A hit in [lo, hi], with what must hold of every hit. */
static inline toi_hit expect_hit(toi_kind kind, const double *query, double lo, double hi) {
  toi_hit hit = decide(kind, query);
  if (hit.verdict != TOI_HIT || hit.t_lo != lo || hit.t_hi != hi) {
    test_print_query(kind, query);
    print_error("got verdict %d in [%a, %a], want [%a, %a]\n", hit.verdict, hit.t_lo, hit.t_hi, lo, hi);
  }
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_int_equal(hit.level, TOI_LEVEL_EXACT);
  assert_true(hit.t_lo == lo && hit.t_hi == hi);
  assert_true(lo == hi || nextafter(lo, 2) == hi);
  assert_int_equal(hit.touching_at_start, hi == 0);
  assert_true(hi == 0 ? hit.t_safe == 0 : hit.t_safe < hi && hit.t_safe <= lo);
  assert_true(hit.u >= 0 && hit.u <= 1 && hit.v >= 0 && hit.v <= 1);
  assert_true(kind != TOI_VERTEX_FACE || hit.u + hit.v <= 1);
  double length = 0;
  for (int axis = 0; axis < 3; axis++) {
    assert_true(isfinite(hit.point[axis]) && isfinite(hit.normal[axis]));
    length += hit.normal[axis] * hit.normal[axis];
  }
  assert_true(length == 0 || fabs(length - 1) < 1e-14);
  assert_true(hi != 0 || length == 0);
  return hit;
}

static inline void expect_place(const toi_hit *hit, double u, double v) {
  if (fabs(hit->u - u) > 1e-14 || fabs(hit->v - v) > 1e-14) {
    print_error("got u = %a, v = %a, want %a, %a\n", hit->u, hit->v, u, v);
    fail();
  }
}

static inline void expect_normal(const toi_hit *hit, double x, double y, double z) {
  if (fabs(hit->normal[0] - x) > 1e-14 || fabs(hit->normal[1] - y) > 1e-14 || fabs(hit->normal[2] - z) > 1e-14) {
    print_error("got normal %g %g %g, want %g %g %g\n", hit->normal[0], hit->normal[1], hit->normal[2], x, y, z);
    fail();
  }
}

static inline void expect_point(const toi_hit *hit, double x, double y, double z) {
  if (fabs(hit->point[0] - x) > 1e-14 || fabs(hit->point[1] - y) > 1e-14 || fabs(hit->point[2] - z) > 1e-14) {
    print_error("got point %g %g %g, want %g %g %g\n", hit->point[0], hit->point[1], hit->point[2], x, y, z);
    fail();
  }
}

#endif
