/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Answers that are the same whatever the method: nothing touches, and nothing is known. */

#include <math.h>

#include "narrow/method.h"

toi_hit toi_hit_miss(double t_max, toi_level level) {
  toi_hit hit = {.t_lo = INFINITY, .t_hi = INFINITY, .t_safe = t_max, .u = NAN, .v = NAN, .distance = NAN};
  hit.verdict = TOI_MISS;
  hit.level = (uint8_t)level;
  return hit;
}

toi_hit toi_hit_unknown(void) {
  toi_hit hit = {.t_lo = 0, .t_hi = 1, .u = NAN, .v = NAN, .tolerance_reached = INFINITY, .distance = NAN};
  hit.verdict = TOI_NEAR;
  return hit;
}
