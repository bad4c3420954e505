/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rounds rows of doubles to high and low floats and measures what is lost: see float_mesh.h. float_rows_two.c and
 * float_rows_avx2.c define TOI_LANES and TOI_FLOAT_ROWS and include this file. */

#include <string.h>

#include "narrow/filter_mesh.h"
#include "narrow/float_mesh.h"
#include "number/lanes.h"

/* Pieces of a point and its padding, four doubles. */
#define PIECES (4 / TOI_LANES)

typedef float narrow_real __attribute__((vector_size(4 * TOI_LANES)));

TOI_INLINE real load_real(const double *from) {
  real x;
  memcpy(&x, from, sizeof x);
  return x;
}

/* A point of one time: from four doubles to four floats, of which the last is 0. */
TOI_INLINE void round_point(const double *from, const real centre[PIECES], real scale, float *high, float *low,
                            real span[4][PIECES]) {
  TOI_UNROLL
  for (size_t i = 0; i < PIECES; i++) {
    const real y = (load_real(from + TOI_LANES * i) - centre[i]) * scale;
    const narrow_real f = __builtin_convertvector(y, narrow_real);
    const real rest = y - __builtin_convertvector(f, real);
    memcpy(high + TOI_LANES * i, &f, sizeof f);
    span[0][i] = most(magnitude(rest), span[0][i]);
    span[2][i] = most(magnitude(y), span[2][i]);
    span[3][i] += y * 0.0;
    if (!low)
      continue;
    const narrow_real g = __builtin_convertvector(rest, narrow_real);
    memcpy(low + TOI_LANES * i, &g, sizeof g);
    span[1][i] = most(magnitude(rest - __builtin_convertvector(g, real)), span[1][i]);
  }
}

TOI_INLINE void round_rows(const toi_float_rows *rows, float *low, toi_float_span *to) {
  double *const all[4] = {to->rest, to->left, to->most, to->finite};
  const double centres[4] = {rows->map->centre[0], rows->map->centre[1], rows->map->centre[2], 0};
  real centre[PIECES], span[4][PIECES], scale = every(rows->map->scale);
  for (size_t i = 0; i < PIECES; i++)
    centre[i] = load_real(centres + TOI_LANES * i);
  for (size_t k = 0; k < 4; k++)
    for (size_t i = 0; i < PIECES; i++)
      span[k][i] = load_real(all[k] + TOI_LANES * i);
  for (size_t v = 0; v < rows->count; v++) {
    const double *from = rows->points + TOI_MOVING_ROW * v;
    const size_t at = TOI_FLOAT_ROW * v;
    // The second point begins where the first one's padding is.
    for (size_t time = 0; time < 2; time++)
      round_point(from + TOI_STILL_ROW * time, centre, scale, rows->high + at + 3 * time,
                  low ? low + at + 3 * time : NULL, span);
    rows->high[at + TOI_FLOAT_ROW - 1] = 0;
    if (low)
      low[at + TOI_FLOAT_ROW - 1] = 0;
  }
  for (size_t k = 0; k < 4; k++)
    for (size_t i = 0; i < PIECES; i++)
      memcpy(all[k] + TOI_LANES * i, &span[k][i], sizeof(real));
}

void TOI_FLOAT_ROWS(const toi_float_rows *rows, toi_float_span *span) {
  if (rows->low)
    round_rows(rows, rows->low, span);
  else
    round_rows(rows, NULL, span);
}
