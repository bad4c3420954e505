/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/half_space_normal.h"

#include <math.h>

#include "number/interval.h"
#include "number/vector.h"

const char *toi_half_space_fault(const toi_half_space *half_space) {
  const double *n = half_space->normal;
  if (!isfinite(n[0]) || !isfinite(n[1]) || !isfinite(n[2]) || !isfinite(half_space->offset))
    return "has a number that is not finite";
  return n[0] == 0 && n[1] == 0 && n[2] == 0 ? "has a normal of length 0" : NULL;
}

void toi_half_space_unit(const double normal[3], double unit[3]) {
  const double most = toi_larger(fabs(normal[0]), toi_larger(fabs(normal[1]), fabs(normal[2])));
  for (int k = 0; k < 3; k++)
    unit[k] = normal[k] / most;
  const double size = sqrt(toi_dot(unit, unit));
  for (int k = 0; k < 3; k++)
    unit[k] /= size;
}
