/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The filter for primitives of turning bodies: a cascade in doubles in which every level proves its answer for all of
 * [0, 1], or passes the query on.
 *
 * 1. Box: on an axis of the second body all coefficients of all corners are certainly on one side of 0.
 * 2. Sign: all coefficients of the coplanarity are certainly of one sign.
 * 3. Projection: on an axis two areas are certainly of opposite signs at all times (exact_hull.c, claim 1).
 * 4. Root: pieces of [0, 1] from the left, halved until each
 *    - has no root: the coplanarity's coefficients are certainly of one sign, or levels 1 and 3 exclude contact on it;
 * or
 *    - has one root, a simple one: the coefficients change their sign certainly once, whatever those are that may be
 *      zero (Descartes). It is narrowed to a zone at whose ends the signs are certain. There, areas on an axis that are
 *      all certainly of one sign prove contact at the root, and two certainly of opposite signs refute it
 *      (exact_hull.c, claims 1 and 2; the areas' sum, N on that axis, is then not zero).
 *    The first contact is then narrowed to 2^-48 (rotating_refine.c).
 * Whatever remains is for the integers, and so is a coplanarity that is hardly more than noise. */

#include <math.h>

#include "narrow/rotating_forms.h"
#include "number/vector.h"

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS, DEPTH = 10, PIECES = 40 };

/* Coefficients below this many errors are noise: halving would not settle it. */
#define NOISE 16

/* The sign that all coefficients certainly have, or 0. */
static int sign_of(const toi_turn_row c, double error) {
  const double sign = c[0] > 0 ? 1 : -1;
  for (int j = 0; j < COEFFICIENTS; j++)
    if (!(sign * c[j] > error))
      return 0;
  return c[0] > 0 ? 1 : -1;
}

static double value_at(const toi_turn_row c, double t) {
  const toi_turn_weights weights = toi_turn_weights_at(t);
  return toi_turn_value(c, &weights);
}

/* --- pieces --- */

typedef struct piece {
  double lo, hi; /* dyadic: exact */
  int depth;
  toi_turn_row c; /* the coplanarity on it */
} piece;

/* The left and the right half. */
static void halve(const toi_turn_row c, toi_turn_row left, toi_turn_row right) {
  toi_turn_row x;
  for (int j = 0; j < COEFFICIENTS; j++)
    x[j] = c[j];
  for (int level = COEFFICIENTS - 1; level >= 0; level--) {
    left[COEFFICIENTS - 1 - level] = x[0];
    right[level] = x[level];
    for (int j = 0; j < level; j++)
      x[j] = 0.5 * (x[j] + x[j + 1]);
  }
}

/* The coefficients on a piece of depth > 0: halved from the whole down to it. */
static void part(const toi_turn_row c, const piece *at, toi_turn_row out) {
  for (int j = 0; j < COEFFICIENTS; j++)
    out[j] = c[j];
  double lo = 0, hi = 1;
  for (int depth = 0; depth < at->depth; depth++) {
    toi_turn_row left, right;
    double middle = 0.5 * (lo + hi);
    bool second = at->lo >= middle;
    halve(out, left, right);
    for (int j = 0; j < COEFFICIENTS; j++)
      out[j] = second ? right[j] : left[j];
    lo = second ? middle : lo;
    hi = second ? hi : middle;
  }
}

/* The sign that a polynomial certainly has on a piece, or 0. */
static int sign_on(const toi_turn_row c, const piece *at, double error) {
  if (at->depth == 0)
    return sign_of(c, error);
  toi_turn_row row;
  part(c, at, row);
  return sign_of(row, error);
}

/* What halving adds to an error, of the magnitude. */
static double halving_error(const piece *at) {
  return 5 * TOI_TURN_U * at->depth;
}

/* Whether all corners are certainly on one side of 0 on an axis, all along the piece. */
static bool corners_apart(const toi_turn_forms *forms, const piece *at, int axis) {
  double error = (16 * TOI_TURN_U + halving_error(at)) * forms->m;
  int sum = 0;
  for (int c = 0; c < forms->corners; c++) {
    int sign = sign_on(forms->corner[c][axis], at, error);
    sum += sign;
    if (sign == 0 || (sum != c + 1 && sum != -c - 1))
      return false;
  }
  return true;
}

/* Whether two areas are certainly of opposite signs on an axis, all along the piece. */
static bool areas_apart(const toi_turn_forms *forms, const piece *at, int axis) {
  bool positive = false, negative = false;
  for (int c = 0; c < forms->corners && !(positive && negative); c++) {
    double error = forms->area_error[c] + halving_error(at) * forms->area_size[c];
    int sign = sign_on(forms->area[c][axis], at, error);
    positive |= sign > 0;
    negative |= sign < 0;
  }
  return positive && negative;
}

static bool is_excluded(const toi_turn_forms *forms, const piece *at) {
  for (int axis = 0; axis < 3; axis++)
    if (areas_apart(forms, at, axis) || corners_apart(forms, at, axis))
      return true;
  return false;
}

/* Whether the coefficients change their sign certainly once: certain ones of one sign, at most one that is not certain,
 * certain ones of the other. */
static bool changes_once(const toi_turn_row c, double error) {
  int doubtful = 0, changes = 0, last = c[0] > error ? 1 : c[0] < -error ? -1 : 0;
  if (last == 0 || !(fabs(c[COEFFICIENTS - 1]) > error))
    return false;
  for (int j = 1; j < COEFFICIENTS; j++) {
    int sign = c[j] > error ? 1 : c[j] < -error ? -1 : 0;
    doubtful += sign == 0;
    changes += sign == -last;
    last = sign != 0 ? sign : last;
    // One that is not certain must stand where the sign changes.
    if (sign == 0 && (j + 1 == COEFFICIENTS || !(last * c[j + 1] < -error)))
      return false;
  }
  return changes == 1 && doubtful <= 1;
}

/* --- one root --- */

/* The coplanarity on a piece in powers of x, t = lo + (hi - lo) x, for guesses. */
static void power_from(const piece *at, toi_turn_row power) {
  static const double binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  for (int j = 0; j < COEFFICIENTS; j++)
    power[j] = at->c[j];
  // Differences of the piece's coefficients.
  for (int level = 1; level < COEFFICIENTS; level++)
    for (int j = COEFFICIENTS - 1; j >= level; j--)
      power[j] -= power[j - 1];
  for (int j = 0; j < COEFFICIENTS; j++)
    power[j] *= binomial[j];
}

/* A simple root in a piece, roughly: Newton's steps, kept inside by halving. */
static double root_in(const toi_turn_forms *forms, const piece *at, double *slope) {
  enum { STEPS = 60 };
  toi_turn_row p;
  power_from(at, p);
  double lo = 0, hi = 1, x = at->c[0] / (at->c[0] - at->c[COEFFICIENTS - 1]), width = at->hi - at->lo;
  bool rising = at->c[0] < 0;
  for (int step = 0; step < STEPS; step++) {
    double value = p[COEFFICIENTS - 1], rise = 0;
    for (int j = COEFFICIENTS - 2; j >= 0; j--) {
      rise = rise * x + value;
      value = value * x + p[j];
    }
    if ((value < 0) == rising)
      lo = x;
    else
      hi = x;
    double next = x - value / rise;
    if (fabs(next - x) <= 0x1p-40)
      break;
    x = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  // One step with the polynomial itself.
  double t = at->lo + width * x;
  *slope = toi_turn_slope(forms->coplanarity, t);
  double next = t - value_at(forms->coplanarity, t) / *slope;
  return next > at->lo && next < at->hi ? next : t;
}

/* Ends of an interval around the root at which the signs are certain; false if they are not found. */
static bool find_zone(const toi_turn_forms *forms, const piece *at, double root, double slope, double zone[2]) {
  enum { TRIES = 4 };
  double side = at->c[0] > 0 ? 1 : -1, width = 2.5 * forms->error / fabs(slope) + 0x1p-51;
  for (int i = 0; i < TRIES && width < 1; i++) {
    zone[0] = toi_larger(root - width, at->lo);
    zone[1] = toi_smaller(root + width, at->hi);
    // The piece's own ends are known.
    bool before = zone[0] == at->lo || side * value_at(forms->coplanarity, zone[0]) > forms->error;
    bool after = zone[1] == at->hi || side * value_at(forms->coplanarity, zone[1]) < -forms->error;
    if (before && after)
      return true;
    width *= 8;
  }
  return false;
}

/* Areas at the root. */
typedef struct place {
  double area[TOI_MOST_CORNERS];
  double size; /* of N on this axis, 0 before one is found */
} place;

/* 1: they certainly touch at every root in the zone; -1: they certainly do not; 0: not known. */
static int contact_in(const toi_turn_forms *forms, const double zone[2], double root, place *best) {
  const toi_turn_weights weights = toi_turn_weights_at(root);
  double width = zone[1] - zone[0];
  best->size = 0;
  for (int axis = 0; axis < 3; axis++) {
    int positive = 0, negative = 0;
    double values[TOI_MOST_CORNERS] = {0}, size = 0;
    for (int c = 0; c < forms->corners; c++) {
      // Coefficients differ by at most twice the magnitude, and the derivative is at most five times that.
      double error = forms->area_error[c] + 10 * width * forms->area_size[c];
      values[c] = toi_turn_value(forms->area[c][axis], &weights);
      positive += values[c] > error;
      negative += values[c] < -error;
      size += fabs(values[c]);
    }
    if (positive > 0 && negative > 0)
      return -1;
    if ((positive == forms->corners || negative == forms->corners) && size > best->size) {
      best->size = size;
      for (int c = 0; c < forms->corners; c++)
        best->area[c] = fabs(values[c]);
    }
  }
  return best->size > 0;
}

/* u, v and the normal of a contact at the root, before which the coplanarity has the sign `side`. */
static void fill(const toi_rotating *query, const toi_turn_forms *forms, double root, int side, const double area[4],
                 toi_rotating_answer *answer) {
  if (forms->corners == 3) {
    double sum = area[0] + area[1] + area[2];
    answer->u = area[2] / sum;
    answer->v = toi_smaller(area[0] / sum, 1 - answer->u);
    for (int axis = 0; axis < 3; axis++)
      answer->normal[axis] = side * forms->normal[axis];
    return;
  }
  answer->u = area[3] / (area[3] + area[1]);
  answer->v = area[0] / (area[0] + area[2]);
  double e[3], d[3], n[3];
  toi_minus(query->points + 9, query->points + 6, e);
  for (int axis = 0; axis < 3; axis++)
    d[axis] = value_at(forms->direction[axis], root);
  toi_cross(e, d, n);
  for (int axis = 0; axis < 3; axis++)
    answer->normal[axis] = side * n[axis];
}

/* A piece with one root. */
static toi_rotating_code settle_root(const toi_rotating *query, const toi_turn_forms *forms, const piece *at,
                                     toi_rotating_answer *answer) {
  double slope, zone[2], bracket[2], root = root_in(forms, at, &slope);
  place best;
  answer->guess = root;
  if (!find_zone(forms, at, root, slope, zone))
    return TOI_ROTATING_OPEN;
  int contact = contact_in(forms, zone, root, &best), side = at->c[0] > 0 ? 1 : -1;
  if (contact < 0)
    return TOI_ROTATING_MISS;
  if (contact == 0 || !toi_turn_refine(query, forms, zone, root, side, bracket))
    return TOI_ROTATING_OPEN;
  answer->t_lo = bracket[0];
  answer->t_hi = bracket[1];
  fill(query, forms, root, side, best.area, answer);
  return TOI_ROTATING_HIT;
}

/* --- the cascade --- */

/* From the left, piece by piece. */
static toi_rotating_code walk(const toi_rotating *query, const toi_turn_forms *forms, toi_rotating_answer *answer) {
  piece stack[DEPTH + 2];
  int count = 1;
  stack[0] = (piece){.lo = 0, .hi = 1};
  for (int j = 0; j < COEFFICIENTS; j++)
    stack[0].c[j] = forms->coplanarity[j];
  for (int seen = 0; count > 0; seen++) {
    piece at = stack[--count];
    double error = forms->error + halving_error(&at) * forms->size, most = 0;
    if (sign_of(at.c, error) != 0)
      continue;
    if (changes_once(at.c, error)) {
      toi_rotating_code code = settle_root(query, forms, &at, answer);
      if (code != TOI_ROTATING_MISS)
        return code;
      continue;
    }
    if (at.depth > 0 && is_excluded(forms, &at))
      continue;
    for (int j = 0; j < COEFFICIENTS; j++)
      most = toi_larger(fabs(at.c[j]), most);
    answer->guess = 0.5 * (at.lo + at.hi);
    if (at.depth == DEPTH || seen == PIECES || most <= NOISE * error)
      return TOI_ROTATING_OPEN;
    piece left = {.lo = at.lo, .hi = answer->guess, .depth = at.depth + 1}, right = left;
    right.lo = left.hi;
    right.hi = at.hi;
    halve(at.c, left.c, right.c);
    stack[count++] = right;
    stack[count++] = left;
  }
  return TOI_ROTATING_MISS;
}

void toi_rotating_filter(const toi_rotating *query, toi_rotating_answer *answer) {
  static const piece whole = {.lo = 0, .hi = 1};
  toi_turn_forms forms;
  *answer = (toi_rotating_answer){.code = TOI_ROTATING_OPEN, .guess = NAN};
  if (!toi_turn_begin(query, &forms))
    return;
  answer->code = TOI_ROTATING_MISS;
  answer->level = TOI_LEVEL_BOX;
  for (int axis = 0; axis < 3; axis++) {
    toi_turn_corners(query, axis, &forms);
    if (corners_apart(&forms, &whole, axis))
      return;
  }
  if (forms.corners < 3 || !toi_turn_coplanarity(query, &forms)) {
    answer->code = TOI_ROTATING_OPEN;
    return;
  }
  answer->level = TOI_LEVEL_SIGN;
  if (sign_of(forms.coplanarity, forms.error) != 0)
    return;
  toi_turn_areas(query, &forms);
  answer->level = TOI_LEVEL_PROJECTION;
  for (int axis = 0; axis < 3; axis++)
    if (areas_apart(&forms, &whole, axis))
      return;
  answer->level = TOI_LEVEL_ROOT;
  answer->code = walk(query, &forms, answer);
}
