/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries of turning bodies whose coplanarity may have several roots: pieces of time from the left, halved until each
 *
 * - has no contact: the coplanarity's coefficients are certainly of one sign, or two areas on an axis are certainly of
 *   opposite signs, or all corners on one side;
 * - or has one root, a simple one (rotating_root_body.h, level 4).
 *
 * Whatever remains is for the integers, and so is a coplanarity that is hardly more than noise. */

#define TOI_LANES 1

#include <math.h>

#include "narrow/hull.h"
#include "narrow/rotating.h"
#include "narrow/rotating_root_body.h"
#include "number/vector.h"

enum { DEPTH = 10, PIECES = 40 };

/* Coefficients below this many errors are noise: halving would not settle it. */
#define NOISE 16

typedef struct piece {
  double lo, hi; /* dyadic: exact */
  int depth;
  double c[COEFFICIENTS]; /* the coplanarity on it */
} piece;

/* The left and the right half. */
static void halve(const double *c, double *left, double *right) {
  double x[COEFFICIENTS];
  for (int j = 0; j < COEFFICIENTS; j++)
    x[j] = c[j];
  for (int level = COEFFICIENTS - 1; level >= 0; level--) {
    left[COEFFICIENTS - 1 - level] = x[0];
    right[level] = x[level];
    for (int j = 0; j < level; j++)
      x[j] = 0.5 * (x[j] + x[j + 1]);
  }
}

/* The coefficients on a piece: halved from the whole down to it. */
static void part(const double *c, const piece *at, double *out) {
  for (int j = 0; j < COEFFICIENTS; j++)
    out[j] = c[j];
  double lo = 0, hi = 1;
  for (int depth = 0; depth < at->depth; depth++) {
    double left[COEFFICIENTS], right[COEFFICIENTS], middle = 0.5 * (lo + hi);
    bool second = at->lo >= middle;
    halve(out, left, right);
    for (int j = 0; j < COEFFICIENTS; j++)
      out[j] = second ? right[j] : left[j];
    lo = second ? middle : lo;
    hi = second ? hi : middle;
  }
}

/* The sign that a polynomial certainly has on a piece, or 0. */
static int sign_on(const double *c, const piece *at, double error) {
  double row[COEFFICIENTS];
  part(c, at, row);
  return one_sign(row, error) ? (row[0] > 0 ? 1 : -1) : 0;
}

/* What halving adds to an error, of the magnitude. */
static double halving_error(const piece *at) {
  return 5 * TURN_U * at->depth;
}

/* Whether all corners are certainly on one side of 0 on an axis, all along the piece. */
static bool corners_apart(int n, const turn_forms *forms, const piece *at, int axis) {
  const double error = forms->corner_error + halving_error(at) * forms->m;
  int sum = 0;
  for (int c = 0; c < n; c++) {
    int sign = sign_on(forms->corner[c][axis], at, error);
    sum += sign;
    if (sign == 0 || (sum != c + 1 && sum != -c - 1))
      return false;
  }
  return true;
}

/* Whether two areas are certainly of opposite signs on an axis, all along the piece. */
static bool areas_oppose(int n, const turn_forms *forms, const piece *at, int axis) {
  bool positive = false, negative = false;
  for (int c = 0; c < n && !(positive && negative); c++) {
    const int kind = is_of_second(n, c) ? 0 : 1;
    int sign = sign_on(forms->area[c][axis], at, forms->area_error[kind] + halving_error(at) * forms->area_size[kind]);
    positive |= sign > 0;
    negative |= sign < 0;
  }
  return positive && negative;
}

static bool is_excluded(int n, const turn_forms *forms, const piece *at) {
  for (int axis = 0; axis < AXES; axis++)
    if (areas_oppose(n, forms, at, axis) || corners_apart(n, forms, at, axis))
      return true;
  return false;
}

/* --- one root --- */

/* Ends of an interval around the root at which the signs are certain; false if they are not found. */
static bool find_zone(const turn_forms *forms, const piece *at, root_lanes *found) {
  enum { TRIES = 4 };
  double side = at->c[0] > 0 ? 1 : -1, width = 2.5 * forms->error / fabs(found->slope) + 0x1p-51;
  for (int i = 0; i < TRIES && width < 1; i++) {
    found->zone[0] = toi_larger(found->root - width, at->lo);
    found->zone[1] = toi_smaller(found->root + width, at->hi);
    // The piece's own ends are known.
    bool before = found->zone[0] == at->lo || side * value_at(forms->coplanarity, found->zone[0]) > forms->error;
    bool after = found->zone[1] == at->hi || side * value_at(forms->coplanarity, found->zone[1]) < -forms->error;
    if (before && after)
      return true;
    width *= 8;
  }
  return false;
}

/* A piece with one root. */
static toi_rotating_code settle_root(int n, const turn_forms *forms, const piece *at, toi_turn_root *root) {
  const double x = at->lo + (at->hi - at->lo) * simple_root(at->c);
  const double next = x - value_at(forms->coplanarity, x) / slope_at(forms->coplanarity, x);
  root_lanes found = {.root = next > at->lo && next < at->hi ? next : x};
  // Where the bracket needs it: inside the zone.
  found.slope = slope_at(forms->coplanarity, found.root);
  root->at = found.root;
  if (!find_zone(forms, at, &found))
    return TOI_ROTATING_OPEN;
  contact_at(n, forms, all_lanes(), &found);
  if (found.miss)
    return TOI_ROTATING_MISS;
  if (!found.hit)
    return TOI_ROTATING_OPEN;
  write_contact(n, forms, &found, at->c[0], 0, root);
  return TOI_ROTATING_ROOT;
}

/* From the left, piece by piece. */
static toi_rotating_code walk(int n, const turn_forms *forms, toi_turn_root *root) {
  piece stack[DEPTH + 2];
  int count = 1;
  stack[0] = (piece){.lo = 0, .hi = 1};
  for (int j = 0; j < COEFFICIENTS; j++)
    stack[0].c[j] = forms->coplanarity[j];
  for (int seen = 0; count > 0; seen++) {
    piece at = stack[--count];
    const double error = forms->error + halving_error(&at) * forms->size;
    if (one_sign(at.c, error))
      continue;
    if (changes_once(at.c, error)) {
      toi_rotating_code code = settle_root(n, forms, &at, root);
      if (code != TOI_ROTATING_MISS)
        return code;
      continue;
    }
    if (is_excluded(n, forms, &at)) {
      if (at.depth == 0)
        root->level = TOI_LEVEL_PROJECTION;
      continue;
    }
    root->at = 0.5 * (at.lo + at.hi);
    if (at.depth == DEPTH || seen == PIECES || largest(at.c, COEFFICIENTS) <= NOISE * error)
      return TOI_ROTATING_OPEN;
    piece left = {.lo = at.lo, .hi = root->at, .depth = at.depth + 1}, right = left;
    right.lo = left.hi;
    right.hi = at.hi;
    halve(at.c, left.c, right.c);
    stack[count++] = right;
    stack[count++] = left;
  }
  return TOI_ROTATING_MISS;
}

void toi_rotating_walk(const toi_rotating *query, const toi_turn_piece *given, toi_turn_root *root) {
  const int n = (int)toi_corner_count(query->kind);
  turn_forms forms;
  *root = (toi_turn_root){.code = TOI_ROTATING_OPEN, .level = TOI_LEVEL_ROOT, .at = NAN};
  forms_begin(n, given, query->points, &forms);
  if (!given->in_range || !forms.usable)
    return;
  for (int axis = 0; axis < AXES; axis++) {
    forms_path(n, axis, &forms);
    if (forms_apart(n, axis, &forms)) {
      root->code = TOI_ROTATING_MISS;
      root->level = TOI_LEVEL_BOX;
      return;
    }
  }
  if (n < 3)
    return;
  forms_coplanarity(n, &forms);
  if (!forms.usable_forms)
    return;
  forms_corners(n, &forms);
  forms_areas(n, &forms);
  root->code = walk(n, &forms, root);
}
