/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whether K lies in Y. Magnitudes are sums of a few products that are not negative: the factor covers their rounding.
 * What overflowed, or is no number, proves nothing. */

#include "solve/touch.h"

/* Y is tried at these multiples of the values. */
#define TRIES 5
#define FIRST_SIZE 1.5
#define NEXT_SIZE 16.0

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

bool toi_touch_prove(toi_touch_system *s, double least, toi_touch_over over, void *user, double radius[TOI_UNKNOWNS]) {
  double half[TOI_UNKNOWNS] = {0};
  for (int i = 0; i < TRIES; i++) {
    for (size_t k = 0; k < s->m; k++)
      half[k] = i == 0 ? FIRST_SIZE * toi_midrad_most(s->value[k]) + least : NEXT_SIZE * half[k];
    for (size_t j = 0; j < s->n; j++) {
      bool moves = false;
      radius[j] = 0;
      for (size_t k = 0; k < s->m; k++) {
        radius[j] += fabs(s->inverse[j][k]) * half[k];
        moves = moves || s->inverse[j][k] != 0;
      }
      // What does not move stays in its domain, also at its end.
      radius[j] = moves ? radius[j] * TOI_MIDRAD_OUTWARD + TOI_MIDRAD_LEAST : 0;
    }
    if (!over(user, radius, s))
      return false;
    if (toi_touch_proves(s, half))
      return true;
  }
  return false;
}
