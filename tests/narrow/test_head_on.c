/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Motions along one axis, with all else at rest in one line: two points that meet head on, a point that runs into the
 * end of an edge. The normal is that axis, against the motion of the first. */

#include <math.h>

#include "narrow/asking.h"

static void expect_head_on(const char *method, toi_kind kind, const double *query, int axis, double sign) {
  toi_hit hit = ask_one(kind, query, method, 1);
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(hit.t_lo <= 0.5 && hit.t_hi >= 0.5);
  for (int k = 0; k < 3; k++)
    assert_true(hit.normal[k] == (k == axis ? sign : 0));
}

static void points_meet_head_on_along_each_axis(void **unused) {
  (void)unused;
  static const char *const methods[] = {"certified", "exact", "cubic"};
  for (size_t m = 0; m < 3; m++)
    for (int axis = 0; axis < 3; axis++)
      for (int sign = -1; sign <= 1; sign += 2) {
        // From sign to -sign, through the origin.
        double points[12] = {0}, edge[18] = {0};
        points[axis] = edge[axis] = sign;
        points[6 + axis] = edge[9 + axis] = -sign;
        expect_head_on(methods[m], TOI_VERTEX_VERTEX, points, axis, sign);
        // The edge lies behind the origin, along the same axis.
        edge[6 + axis] = edge[15 + axis] = -2 * sign;
        expect_head_on(methods[m], TOI_VERTEX_EDGE, edge, axis, sign);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_meet_head_on_along_each_axis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
