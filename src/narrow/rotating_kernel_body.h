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

#define ALL_LANES ((1u << TOI_LANES) - 1)

/* --- box and sign --- */

TOI_INLINE void put_curve(const real column[TOI_CURVE_NUMBERS], unsigned i, toi_turn_curve *out) {
  TOI_UNROLL
  for (int j = 0; j < TOI_CURVE_NUMBERS; j++)
    out->at[j] = lane(column[j], i);
}

/* Codes of the first `count` lanes; returns how many are open and have their curves written. */
TOI_INLINE size_t filter_group(int n, const toi_turn_piece *piece, const double *const row[TOI_LANES], unsigned count,
                               uint8_t *codes, toi_turn_curve *curves) {
  real x[12], curve[TOI_CURVE_NUMBERS];
  turn_forms f;
  size_t open = 0;
  load_query(row, x);
  forms_begin(n, piece, x, &f);
  mask apart = no_lanes();
  TOI_UNROLL
  for (int axis = 0; axis < AXES; axis++) {
    forms_path(n, axis, &f);
    apart |= forms_apart(n, axis, &f);
  }
  const unsigned boxes = bits_of(apart & f.usable);
  for (unsigned j = 0; j < count; j++)
    codes[j] = TOI_FILTER_BOX;
  if (boxes == ALL_LANES)
    return 0;
  forms_coplanarity(n, &f);
  const unsigned signs = bits_of(one_sign(f.coplanarity, f.error) & f.usable_forms);
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    curve[j] = f.coplanarity[j];
  curve[TOI_CURVE_ERROR] = choose(f.usable_forms, f.error, every(INFINITY));
  curve[TOI_CURVE_FROM] = every(0);
  for (unsigned j = 0; j < count; j++) {
    if (boxes >> j & 1)
      continue;
    codes[j] = signs >> j & 1 ? TOI_FILTER_SIGN : TOI_FILTER_OPEN;
    if (!(signs >> j & 1) && curves != NULL)
      put_curve(curve, j, &curves[open++]);
  }
  return open;
}

/* How far ahead of the arithmetic the filter asks for memory, in bytes. */
#define FILTER_AHEAD 1536

TOI_INLINE void filter_kind(int n, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes,
                            toi_turn_curve *curves) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    for (size_t j = 0; j < TOI_LANES; j++) {
      row[j] = queries + 12 * (i + j < count ? i + j : count - 1);
      __builtin_prefetch((const void *)((uintptr_t)row[j] + FILTER_AHEAD));
    }
    const size_t left = count - i;
    const size_t open = filter_group(n, piece, row, left < TOI_LANES ? (unsigned)left : TOI_LANES, codes + i, curves);
    curves = curves == NULL ? NULL : curves + open;
  }
}

static void filter(int n, const toi_turn_piece *piece, const double *queries, size_t count, uint8_t *codes,
                   toi_turn_curve *curves) {
  if (n == 3)
    filter_kind(3, piece, queries, count, codes, curves);
  else
    filter_kind(4, piece, queries, count, codes, curves);
}

/* --- parts --- */

/* Halving rounds five times, by 5 u of the magnitude, of which the error is 42 u at least (rotating_forms_body.h). */
#define HALVED 1.125

TOI_INLINE void load_curve(const double *const row[TOI_LANES], real column[TOI_CURVE_NUMBERS]) {
  TOI_UNROLL
  for (int i = 0; i < TOI_CURVE_NUMBERS; i += TOI_LANES)
    load_columns(row, (size_t)i, column + i);
}

/* A polynomial in two halves, by de Casteljau's rule. */
TOI_INLINE void halve(const real c[COEFFICIENTS], real left[COEFFICIENTS], real right[COEFFICIENTS]) {
  real x[COEFFICIENTS];
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    x[j] = c[j];
  TOI_UNROLL
  for (int level = COEFFICIENTS - 1; level >= 0; level--) {
    left[COEFFICIENTS - 1 - level] = x[0];
    right[level] = x[level];
    TOI_UNROLL
    for (int j = 0; j < level; j++)
      x[j] = (x[j] + x[j + 1]) * 0.5;
  }
}

static void divide(const toi_turn_part *parts, size_t count, uint8_t *codes, toi_turn_part (*halves)[2]) {
  for (size_t i = 0; i < count; i += TOI_LANES) {
    const double *row[TOI_LANES];
    real at[TOI_CURVE_NUMBERS], half[2][TOI_CURVE_NUMBERS];
    for (size_t j = 0; j < TOI_LANES; j++)
      row[j] = parts[i + j < count ? i + j : count - 1].curve.at;
    load_curve(row, at);
    const real error = at[TOI_CURVE_ERROR];
    const unsigned clear = bits_of(one_sign(at, error)), once = bits_of(changes_once(at, error));
    for (unsigned j = 0; j < TOI_LANES && i + j < count; j++)
      codes[i + j] = clear >> j & 1 ? TOI_PART_CLEAR : once >> j & 1 ? TOI_PART_ROOT : TOI_PART_OPEN;
    if ((clear | once) == ALL_LANES)
      continue;
    halve(at, half[0], half[1]);
    half[0][TOI_CURVE_ERROR] = half[1][TOI_CURVE_ERROR] = error * HALVED;
    half[0][TOI_CURVE_FROM] = half[1][TOI_CURVE_FROM] = at[TOI_CURVE_FROM];
    for (unsigned j = 0; j < TOI_LANES && i + j < count; j++)
      for (int k = 0; k < 2; k++) {
        toi_turn_part *out = &halves[i + j][k];
        put_curve(half[k], j, &out->curve);
        out->length = 0.5 * parts[i + j].length;
        out->curve.at[TOI_CURVE_FROM] += k * out->length;
        out->row = parts[i + j].row;
      }
  }
}

/* A group of parts with their queries: forms without paths. The last part is repeated. */
typedef struct part_lanes {
  real x[12], part[TOI_CURVE_NUMBERS], length;
  turn_forms f;
} part_lanes;

TOI_INLINE void load_parts(int n, const toi_turn_piece *piece, const toi_turn_parts *of, size_t i, part_lanes *p) {
  const double *row[TOI_LANES], *curve[TOI_LANES], *part[TOI_LANES], *length[TOI_LANES];
  for (size_t j = 0; j < TOI_LANES; j++) {
    const toi_turn_part *at = &of->parts[i + j < of->count ? i + j : of->count - 1];
    row[j] = of->rows->queries + of->rows->row_size * of->rows->numbers[at->row];
    curve[j] = of->curves[at->row].at;
    part[j] = at->curve.at;
    length[j] = &at->length;
  }
  real whole[TOI_CURVE_NUMBERS];
  load_query(row, p->x);
  load_curve(curve, whole);
  load_curve(part, p->part);
  p->length = gather(length);
  forms_begin(n, piece, p->x, &p->f);
  forms_spans(n, &p->f);
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    p->f.coplanarity[j] = whole[j];
}

TOI_INLINE span_lanes span_of(const part_lanes *p) {
  const real from = p->part[TOI_CURVE_FROM];
  return (span_lanes){.c = p->part, .from = from, .length = p->length, .to = from + p->length};
}

TOI_INLINE void refute_kind(int n, const toi_turn_piece *piece, const toi_turn_parts *of, bool *refuted) {
  for (size_t i = 0; i < of->count; i += TOI_LANES) {
    part_lanes p;
    load_parts(n, piece, of, i, &p);
    const span_lanes span = span_of(&p);
    const unsigned miss = bits_of(rough_root(n, &p.f, &span));
    for (unsigned j = 0; j < TOI_LANES && i + j < of->count; j++)
      refuted[i + j] = miss >> j & 1;
  }
}

static void refute(int n, const toi_turn_piece *piece, const toi_turn_parts *of, bool *refuted) {
  if (n == 3)
    refute_kind(3, piece, of, refuted);
  else
    refute_kind(4, piece, of, refuted);
}

TOI_INLINE void root_kind(int n, const toi_turn_piece *piece, const toi_turn_parts *of, toi_turn_root *roots) {
  for (size_t i = 0; i < of->count; i += TOI_LANES) {
    part_lanes p;
    load_parts(n, piece, of, i, &p);
    const span_lanes span = span_of(&p);
    const root_lanes lanes = root_group(n, &p.f, &span);
    const unsigned miss = bits_of(lanes.miss), hit = bits_of(lanes.hit);
    for (unsigned j = 0; j < TOI_LANES && i + j < of->count; j++) {
      toi_turn_root *root = &roots[i + j];
      *root = (toi_turn_root){.level = TOI_LEVEL_ROOT, .at = NAN};
      root->code = miss >> j & 1 ? TOI_ROTATING_MISS : hit >> j & 1 ? TOI_ROTATING_ROOT : TOI_ROTATING_OPEN;
      // What lanes that are not settled hold depends on their neighbours.
      if (root->code != TOI_ROTATING_ROOT)
        continue;
      root->at = lane(lanes.root, j);
      write_contact(n, &p.f, &lanes, lane(p.part[0], j), j, root);
    }
  }
}

static void root_parts(int n, const toi_turn_piece *piece, const toi_turn_parts *of, toi_turn_root *roots) {
  if (n == 3)
    root_kind(3, piece, of, roots);
  else
    root_kind(4, piece, of, roots);
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
const toi_turn_kernels TOI_TURN_KERNELS = {filter, divide, refute, root_parts, residual};
