/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first contact of queries on a piece of time, many at a time, from the coplanarities that the filter left open.
 *
 * A coplanarity is halved until its coefficients are certainly of one sign on a part, or change it once: a root. Roots
 * are first refuted from roughly where they are, which settles nearly all; what is left is decided at the root itself.
 * A row's first contact is at its first root that is not refuted, if contact is proved there: parts before it are of
 * one sign, or have a root that is no contact. If nothing is proved there, or a part stays undecided, the row is left
 * open.
 *
 * What a row comes to depends on its own coefficients alone: limits count the parts of one row. */

#include <math.h>

#include "narrow/rotating_kernel.h"

/* Parts are halved so often, of at most so many of a row, of so many rows at a time. */
enum { DEPTH = 4, OF_ROW = 4, ROWS = 16, PARTS = ROWS * OF_ROW };

/* Roots that are processed together: roughly, then those that are left. */
enum { ROUGH = 32, LEFT = 16 };

typedef struct finding {
  const toi_turn_kernels *kernels;
  int corners;
  const toi_turn_piece *piece;
  const toi_rows *rows;
  const toi_turn_curve *curves;
  toi_turn_root *roots;
  double earliest[TOI_FIND_ROWS]; /* begin of the first part that is not refuted; negative: the row is left open */
  toi_turn_part rough[ROUGH], left[LEFT];
  size_t rough_count, left_count;
} finding;

static toi_turn_parts parts_of(const finding *f, const toi_turn_part *parts, size_t count) {
  return (toi_turn_parts){.rows = f->rows, .curves = f->curves, .parts = parts, .count = count};
}

static void settle_left(finding *f) {
  toi_turn_root roots[LEFT];
  const toi_turn_parts parts = parts_of(f, f->left, f->left_count);
  f->kernels->root(f->corners, f->piece, &parts, roots);
  for (size_t i = 0; i < f->left_count; i++) {
    const uint32_t row = f->left[i].row;
    const double from = f->left[i].curve.at[TOI_CURVE_FROM];
    if (roots[i].code == TOI_ROTATING_MISS || !(from < f->earliest[row]))
      continue;
    f->earliest[row] = from;
    f->roots[row] = roots[i];
  }
  f->left_count = 0;
}

static void settle_rough(finding *f) {
  bool refuted[ROUGH];
  const toi_turn_parts parts = parts_of(f, f->rough, f->rough_count);
  f->kernels->refute(f->corners, f->piece, &parts, refuted);
  for (size_t i = 0; i < f->rough_count; i++) {
    if (refuted[i])
      continue;
    f->left[f->left_count++] = f->rough[i];
    if (f->left_count == LEFT)
      settle_left(f);
  }
  f->rough_count = 0;
}

static void add_root(finding *f, const toi_turn_part *part) {
  f->rough[f->rough_count++] = *part;
  if (f->rough_count == ROUGH)
    settle_rough(f);
}

static void leave_open(finding *f, uint32_t row) {
  f->earliest[row] = -1;
  f->roots[row] = (toi_turn_root){.code = TOI_ROTATING_OPEN, .level = TOI_LEVEL_ROOT, .at = NAN};
}

/* Parts of some rows, those of a row back to back: roots are noted, and open parts halved. Returns how many halves. */
static size_t divide(finding *f, const toi_turn_part *parts, size_t count, bool last, toi_turn_part *out) {
  uint8_t codes[PARTS];
  toi_turn_part halves[PARTS][2];
  size_t made = 0, of_row = 0;
  f->kernels->divide(parts, count, codes, halves);
  for (size_t i = 0; i < count; i++) {
    const uint32_t row = parts[i].row;
    if (i > 0 && parts[i - 1].row != row)
      of_row = 0;
    if (codes[i] == TOI_PART_ROOT)
      add_root(f, &parts[i]);
    if (codes[i] != TOI_PART_OPEN || f->earliest[row] < 0)
      continue;
    of_row += 2;
    if (last || of_row > OF_ROW) {
      leave_open(f, row);
      continue;
    }
    out[made++] = halves[i][0];
    out[made++] = halves[i][1];
  }
  return made;
}

/* Some rows, from all of the piece down. */
static void find_some(finding *f, uint32_t begin, uint32_t end) {
  toi_turn_part parts[2][PARTS];
  size_t count = 0;
  for (uint32_t row = begin; row < end; row++) {
    f->roots[row] = (toi_turn_root){.code = TOI_ROTATING_MISS, .level = TOI_LEVEL_ROOT, .at = NAN};
    f->earliest[row] = INFINITY;
    if (f->curves[row].at[TOI_CURVE_ERROR] < INFINITY)
      parts[0][count++] = (toi_turn_part){.curve = f->curves[row], .length = 1, .row = row};
    else
      leave_open(f, row);
  }
  for (int depth = 0; depth <= DEPTH && count > 0; depth++)
    count = divide(f, parts[depth % 2], count, depth == DEPTH, parts[(depth + 1) % 2]);
}

void toi_turn_find(const toi_turn_kernels *kernels, int corners, const toi_turn_piece *piece, const toi_rows *rows,
                   const toi_turn_curve *curves, toi_turn_root *roots) {
  finding f = {.kernels = kernels, .corners = corners, .piece = piece, .rows = rows, .curves = curves, .roots = roots};
  for (uint32_t row = 0; row < rows->count; row += ROWS)
    find_some(&f, row, row + ROWS < rows->count ? row + ROWS : (uint32_t)rows->count);
  settle_rough(&f);
  settle_left(&f);
}
