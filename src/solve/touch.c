/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether K lies in Y: touch.h has the argument. Magnitudes are sums of a few products that are not negative: the
 * factor covers their rounding. What overflowed, or is no number, proves nothing. */

#include "solve/touch.h"

bool toi_touch_proves(const toi_touch_system *s, const double *radius) {
  assert(0 < s->m && s->m <= s->n && s->n <= TOI_UNKNOWNS);
  for (size_t k = 0; k < s->m; k++) {
    double most = toi_midrad_most(s->value[k]);
    for (size_t i = 0; i < s->m; i++) {
      toi_midrad entry = {k == i ? 1 : 0, 0};
      for (size_t j = 0; j < s->n; j++)
        entry = toi_midrad_sub(entry, toi_midrad_scale(s->slope[k][j], s->inverse[j][i]));
      most += toi_midrad_most(entry) * radius[i];
    }
    if (!(most * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST <= radius[k]))
      return false;
  }
  return true;
}
