/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The kernels of rotating_kernel.h, written once for any number of lanes. rotating_kernel_scalar.c, ..._two.c and
 * ..._avx2.c define TOI_LANES and include this file.
 * Levels 1 to 4 are those of rotating_root_body.h. */

#include <math.h>
#include <string.h>

#include "narrow/rotating_kernel.h"

#include "narrow/rotating_forms_body.h"

#include "narrow/rotating_root_body.h"

#include "narrow/rotating_residual_body.h"

TOI_INLINE void load_query(const double *const row[TOI_LANES], real x[12]) {
  TOI_UNROLL
  for (int i = 0; i < 12; i += TOI_LANES)
    load_columns(row, (size_t)i, x + i);
}

/* --- box and sign --- */

TOI_INLINE void filter_group(int n, const toi_turn_piece *piece, const double *const row[TOI_LANES], unsigned *boxes,
                             unsigned *signs) {
  real x[12];
  turn_forms f;
  load_query(row, x);
  forms_begin(n, piece, x, &f);
  mask apart = no_lanes();
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    forms_path(n, axis, &f);
    apart |= forms_apart(n, axis, &f);
  }
  *boxes = bits_of(apart & f.usable);
  *signs = 0;
  if (*boxes == (1u << TOI_LANES) - 1)
    return;
  forms_coplanarity(n, &f);
  *signs = bits_of(one_sign(f.coplanarity, f.error) & f.usable_forms);
}

/* How far ahead of the arithmetic the filter asks for memory, in bytes. */
#define FILTER_AHEAD 1536

TOI_INLINE void filter_kind(int n, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      row[j] = queries + 12 * (i + j < count ? i + j : count - 1);
      __builtin_prefetch((const void *)((uintptr_t)row[j] + FILTER_AHEAD));
    }
    unsigned boxes, signs;
    filter_group(n, piece, row, &boxes, &signs);
    for (size_t j = 0; j < TOI_LANES && i + j < count; j++)
      codes[i + j] = boxes >> j & 1 ? TOI_FILTER_BOX : signs >> j & 1 ? TOI_FILTER_SIGN : TOI_FILTER_OPEN;
  }
}

static void filter(int n, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes) {
  if (n == 3)
    filter_kind(3, piece, queries, count, codes);
  else
    filter_kind(4, piece, queries, count, codes);
}

/* --- projections and roots --- */

TOI_INLINE void root_kind(int n, const toi_turn_piece *piece, const toi_rows *rows, toi_turn_root *roots) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    real x[12];
    turn_forms f;
    for (size_t j = 0; j < TOI_LANES; j++)
      row[j] = rows->queries + rows->row_size * rows->numbers[i + j < rows->count ? i + j : rows->count - 1];
    load_query(row, x);
    forms_begin(n, piece, x, &f);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++)
      forms_path(n, axis, &f);
    forms_coplanarity(n, &f);
    forms_corners(n, &f);
    forms_areas(n, &f);
    const root_lanes lanes = root_group(n, &f);
    const unsigned miss = bits_of(lanes.miss), hit = bits_of(lanes.hit), projection = bits_of(lanes.projection);
    for (unsigned j = 0; j < TOI_LANES && i + j < rows->count; j++) {
      toi_turn_root *root = &roots[i + j];
      root->code = miss >> j & 1 ? TOI_ROTATING_MISS : hit >> j & 1 ? TOI_ROTATING_ROOT : TOI_ROTATING_OPEN;
      root->level = projection >> j & 1 ? TOI_LEVEL_PROJECTION : TOI_LEVEL_ROOT;
      // What lanes that are not settled hold depends on their neighbours.
      root->at = root->code == TOI_ROTATING_ROOT ? lane(lanes.root, j) : NAN;
      if (root->code == TOI_ROTATING_ROOT)
        write_contact(n, &f, &lanes, lane(f.coplanarity[0], j), j, root);
    }
  }
}

static void root_rows(int n, const toi_turn_piece *piece, const toi_rows *rows, toi_turn_root *roots) {
  if (n == 3)
    root_kind(3, piece, rows, roots);
  else
    root_kind(4, piece, rows, roots);
}

/* --- residuals --- */

static void residual(int n, const toi_turn_ends *ends, const toi_rows *rows, const double *times_of, double *values) {
  for (size_t i = 0; i < rows->count; i += TOI_LANES) {
    const double *row[TOI_LANES], *time[TOI_LANES];
    real x[12];
    for (size_t j = 0; j < TOI_LANES; j++) {
      const size_t number = i + j < rows->count ? i + j : rows->count - 1;
      row[j] = rows->queries + rows->row_size * rows->numbers[number];
      time[j] = times_of + number;
    }
    load_query(row, x);
    const real value = residual_of(n, ends, x, gather(time));
    for (unsigned j = 0; j < TOI_LANES && i + j < rows->count; j++)
      values[i + j] = lane(value, j);
  }
}

/* Each file that includes this names its table. */
const toi_turn_kernels TOI_TURN_KERNELS = {filter, root_rows, residual};
