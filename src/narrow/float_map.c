/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "narrow/float_map.h"

#include <math.h>

#include "narrow/mesh.h"
#include "number/vector.h"

#define SAMPLE 63

/* The median of a sample, and the exponent of its spread; -2000 if there is none. */
static int median_of(const double x[SAMPLE], double *median) {
  double sorted[SAMPLE] = {0};
  for (size_t i = 0; i < SAMPLE; i++) {
    size_t j = i;
    for (; j > 0 && sorted[j - 1] > x[i]; j--)
      sorted[j] = sorted[j - 1];
    sorted[j] = x[i];
  }
  *median = sorted[SAMPLE / 2];
  double spread = sorted[SAMPLE - 1 - SAMPLE / 8] / 2 - sorted[SAMPLE / 8] / 2;
  return spread > 0 && spread < 0x1p1000 ? ilogb(spread) : -2000;
}

toi_float_map toi_float_map_choose(const toi_mesh *mesh) {
  toi_float_map map;
  double x[3][SAMPLE], median[3], farthest = 0;
  for (size_t i = 0; i < SAMPLE; i++) {
    double at[3];
    toi_mesh_point(mesh, mesh->start, mesh->vertex_count * i / SAMPLE, at);
    for (int k = 0; k < 3; k++)
      x[k][i] = isfinite(at[k]) ? at[k] : 0;
  }
  int exponent = -2000;
  for (int k = 0; k < 3; k++) {
    int own = median_of(x[k], &median[k]);
    exponent = own > exponent ? own : exponent;
    farthest = toi_larger(farthest, fabs(median[k]));
  }
  bool near = farthest == 0 || ilogb(farthest) - exponent < 4;
  for (int k = 0; k < 3; k++)
    map.centre[k] = near || farthest > 0x1p1000 ? 0 : median[k];
  if (exponent < -1000 || exponent > 1000)
    exponent = farthest > 0 ? ilogb(farthest) : 0;
  map.scale = ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
  return map;
}
