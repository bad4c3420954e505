/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The swept box of a patch.
 *
 * Claim: the box holds every point that is meant by the patch at every time in [0, t_max], with half the separation
 * around it. Why: weights are positive, so that a point of the patch is a mean of its control points; these go straight
 * from p to p + t_max v, so that the box around both ends of all of them holds it. Around that, error + t_max
 * velocity_error and half the separation, all of it rounded outward.
 *
 * Bound: the rounded e = p + t v is off by at most 4 u M + 2^-1073, u = 2^-53, M the larger of |lo| and |hi| of the
 * rounded ends. Why: with q the rounded t v, |q - t v| <= u |q| + 2^-1075 and |e - (p + q)| <= u |e|; as |e| <= M and
 * |p| <= M, |q| <= |p + q| + |p| <= (2 + u) M; together (3 + u) u M + 2^-1075. The rest covers that 4 u M, which is
 * exact unless it underflows, and its sum with 2^-1073 are rounded. Where e overflows, M and with it the box do. */

#include "surface/model.h"

#include <assert.h>
#include <float.h>
#include <math.h>

#include "number/interval.h"
#include "number/vector.h"

/* The box around both ends of all control points, as they round. */
static toi_swept_box sweep_points(const toi_patch *patch, double t_max, size_t count) {
  toi_swept_box box;
  for (int k = 0; k < 3; k++)
    box.lo[k] = box.hi[k] = patch->points[0][k];
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      double start = patch->points[i][k];
      double end = patch->velocities ? start + t_max * patch->velocities[i][k] : start;
      box.lo[k] = toi_smaller(box.lo[k], toi_smaller(start, end));
      box.hi[k] = toi_larger(box.hi[k], toi_larger(start, end));
    }
  return box;
}

void toi_patch_box(const toi_patch *patch, double t_max, double separation, toi_swept_box *box) {
  size_t count = toi_patch_points(patch->shape, patch->degree);
  assert(count > 0 && t_max >= 0 && separation >= 0);
  *box = sweep_points(patch, t_max, count);

  // Half of it is a double, unless it is tiny: then the whole.
  double around = toi_sum_up(separation < 0x1p-1000 ? separation : separation / 2, patch->error);
  if (patch->velocity_error > 0)
    around = toi_sum_up(around, toi_product_up(t_max, patch->velocity_error));
  for (int k = 0; k < 3; k++) {
    double most = toi_larger(-box->lo[k], box->hi[k]);
    double rounding = patch->velocities ? 4 * TOI_UNIT * most + 0x1p-1073 : 0;
    double reach = toi_sum_up(around, rounding);
    box->lo[k] = toi_larger(toi_sum_down(box->lo[k], -reach), -DBL_MAX);
    box->hi[k] = toi_smaller(toi_sum_up(box->hi[k], reach), DBL_MAX);
    assert(box->lo[k] <= box->hi[k]);
  }
}
