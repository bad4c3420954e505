/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the filter for turning bodies asks of a query's forms, in lanes: the levels of the cascade.
 *
 * 1. Box: on an axis of the second body all coefficients of all corners are certainly on one side of 0.
 * 2. Sign: all coefficients of the coplanarity are certainly of one sign.
 * 3. Projection: on an axis two areas are certainly of opposite signs at all times (exact_hull.c, claim 1).
 * 4. Root: the coplanarity's coefficients change their sign certainly once, whatever one of them is that may be zero
 *    (Descartes: one root, a simple one). It is enclosed in a zone at whose ends the signs are certain. There, areas on
 *    an axis that are all certainly of one sign prove contact at the root, and two certainly of opposite signs refute
 *    it (exact_hull.c, claims 1 and 2; the areas' sum, N on that axis, is then not zero). */

#ifndef TOI_NARROW_ROTATING_ROOT_BODY_H
#define TOI_NARROW_ROTATING_ROOT_BODY_H

#include "narrow/rotating_forms_body.h"

TOI_INLINE mask all_lanes(void) {
  return less(every(0), every(1));
}

TOI_INLINE mask no_lanes(void) {
  return less(every(1), every(0));
}

TOI_INLINE mask one_sign(const real c[COEFFICIENTS], real error) {
  real lo = c[0], hi = c[0];
  TOI_UNROLL
  for (int j = 1; j < COEFFICIENTS; j++) {
    lo = least(c[j], lo);
    hi = most(c[j], hi);
  }
  return greater(lo, error) | less(hi, -error);
}

/* Two areas of opposite signs on some axis, at all times. */
TOI_INLINE mask areas_apart(int n, const turn_forms *f) {
  mask none = no_lanes(), apart = none;
  for (int axis = 0; axis < AXES; axis++) {
    mask up = none, down = none;
    for (int c = 0; c < n; c++) {
      const real *a = f->area[c][axis], error = f->area_error[is_of_second(n, c) ? 0 : 1];
      real lo = a[0], hi = a[0];
      TOI_UNROLL
      for (int j = 1; j < COEFFICIENTS; j++) {
        lo = least(a[j], lo);
        hi = most(a[j], hi);
      }
      up |= greater(lo, error);
      down |= less(hi, -error);
    }
    apart |= up & down;
  }
  return apart;
}

/* Certain ones of one sign, at most one of any, certain ones of the other. */
TOI_INLINE mask changes_once(const real c[COEFFICIENTS], real error) {
  mask result = no_lanes();
  real sign = choose(less(c[0], every(0)), every(-1), every(1));
  mask before[COEFFICIENTS], after[COEFFICIENTS];
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    before[j] = j == 0 ? greater(sign * c[0], error) : before[j - 1] & greater(sign * c[j], error);
  TOI_UNROLL
  for (int j = COEFFICIENTS - 1; j >= 0; j--)
    after[j] = j == COEFFICIENTS - 1 ? less(sign * c[j], -error) : after[j + 1] & less(sign * c[j], -error);
  TOI_UNROLL
  for (int j = 1; j < COEFFICIENTS - 1; j++)
    result |= before[j - 1] & after[j + 1];
  return result;
}

/* A simple root, roughly: Newton's steps, kept inside by halving; where they do not settle the zone's signs will not.
 */
TOI_INLINE real root_of(const real c[COEFFICIENTS]) {
  static const double binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  enum { STEPS = 14 };
  real p[COEFFICIENTS], lo = every(0), hi = every(1), x = clip_unit(c[0] / (c[0] - c[COEFFICIENTS - 1]));
  mask falling = greater(c[0], every(0));
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    p[j] = c[j];
  TOI_UNROLL
  for (int level = 1; level < COEFFICIENTS; level++)
    TOI_UNROLL
  for (int j = COEFFICIENTS - 1; j >= level; j--)
    p[j] = p[j] - p[j - 1];
  TOI_UNROLL
  for (int j = 0; j < COEFFICIENTS; j++)
    p[j] = p[j] * binomial[j];
  // Lanes that have settled stay as they are, so that others do not change them.
  mask going = all_lanes();
  for (int step = 0; step < STEPS && bits_of(going) != 0; step++) {
    real value = p[COEFFICIENTS - 1], rise = every(0);
    TOI_UNROLL
    for (int j = COEFFICIENTS - 2; j >= 0; j--) {
      rise = rise * x + value;
      value = value * x + p[j];
    }
    mask left = (greater(value, every(0)) & falling) | (less(value, every(0)) & ~falling);
    lo = choose(going & left, x, lo);
    hi = choose(going & ~left, x, hi);
    real next = x - value / rise, moved = magnitude(next - x);
    next = choose(greater(next, lo) & less(next, hi), next, (lo + hi) * 0.5);
    mask settled = less(moved, every(0x1p-40));
    x = choose(going & ~settled, next, x);
    going &= ~settled;
  }
  return x;
}

typedef struct root_lanes {
  mask miss, hit, projection;
  real root, slope, zone[2], area[MOST_CORNERS];
} root_lanes;

/* Contact at the root, by areas there. */
TOI_INLINE void contact_at(int n, const turn_forms *f, mask found, root_lanes *out) {
  real weights[COEFFICIENTS], width = out->zone[1] - out->zone[0], best = every(0);
  mask none = no_lanes(), apart = none;
  weights_at(out->root, weights);
  for (int axis = 0; axis < AXES; axis++) {
    mask any_up = none, any_down = none, all_up = ~none, all_down = ~none;
    real value[MOST_CORNERS], size = every(0);
    for (int c = 0; c < n; c++) {
      const int kind = is_of_second(n, c) ? 0 : 1;
      // Coefficients differ by at most twice the magnitude, and the derivative is at most five times that.
      real error = f->area_error[kind] + (width * f->area_size[kind]) * 10.0;
      value[c] = value_with(f->area[c][axis], weights);
      mask up = greater(value[c], error), down = less(value[c], -error);
      any_up |= up;
      any_down |= down;
      all_up &= up;
      all_down &= down;
      size += magnitude(value[c]);
    }
    apart |= any_up & any_down;
    mask better = (all_up | all_down) & greater(size, best);
    best = choose(better, size, best);
    for (int c = 0; c < n; c++)
      out->area[c] = choose(better, magnitude(value[c]), out->area[c]);
  }
  out->miss |= found & apart;
  out->hit = found & ~apart & greater(best, every(0));
}

TOI_INLINE root_lanes root_group(int n, turn_forms *f) {
  root_lanes out = {.projection = areas_apart(n, f) & f->usable_forms};
  for (int c = 0; c < n; c++)
    out.area[c] = every(0);
  out.miss = out.projection;
  out.hit = no_lanes();
  mask once = changes_once(f->coplanarity, f->error) & f->usable_forms & ~out.miss;
  out.root = root_of(f->coplanarity);
  out.slope = slope_at(f->coplanarity, out.root);
  out.zone[0] = out.zone[1] = every(0);
  if (bits_of(once) == 0)
    return out;
  // One step with the polynomial itself.
  real next = out.root - value_at(f->coplanarity, out.root) / out.slope;
  out.root = choose(greater(next, every(0)) & less(next, every(1)), next, out.root);
  real width = f->error * 2.5 / magnitude(out.slope) + 0x1p-51;
  real side = choose(less(f->coplanarity[0], every(0)), every(-1), every(1));
  out.zone[0] = most(out.root - width, every(0));
  out.zone[1] = least(out.root + width, every(1));
  // The ends of the piece are certain.
  mask before = greater(side * value_at(f->coplanarity, out.zone[0]), f->error) | ~greater(out.zone[0], every(0));
  mask after = less(side * value_at(f->coplanarity, out.zone[1]), -f->error) | ~less(out.zone[1], every(1));
  mask found = once & before & after & less(width, every(1));
  contact_at(n, f, found, &out);
  return out;
}

/* What the lanes know of a row's contact; before: a value of the coplanarity between the last root and this one. */
TOI_INLINE void write_contact(int n, const turn_forms *f, const root_lanes *lanes, double before, unsigned i,
                              toi_turn_root *root) {
  double area[MOST_CORNERS] = {0};
  const double side = before > 0 ? 1 : -1;
  for (int c = 0; c < n; c++)
    area[c] = lane(lanes->area[c], i);
  root->slope = lane(lanes->slope, i);
  root->error = lane(f->error, i);
  root->size = lane(f->size, i);
  root->bend = f->piece->slope_unit * root->size;
  root->zone[0] = lane(lanes->zone[0], i);
  root->zone[1] = lane(lanes->zone[1], i);
  root->width = root->zone[1] - root->zone[0];
  double n3[3];
  if (n == 3) {
    double sum = (area[0] + area[1]) + area[2];
    root->u = area[2] / sum;
    root->v = area[0] / sum < 1 - root->u ? area[0] / sum : 1 - root->u;
    for (int axis = 0; axis < 3; axis++)
      n3[axis] = lane(f->normal[axis], i);
  } else {
    real weights[COEFFICIENTS], d[AXES], e[AXES], normal[AXES];
    weights_at(lanes->root, weights);
    for (int axis = 0; axis < 3; axis++) {
      d[axis] = value_with(f->direction[axis], weights);
      e[axis] = -f->second_edge[0][axis];
    }
    cross(e, d, normal);
    root->u = area[3] / (area[3] + area[1]);
    root->v = area[0] / (area[0] + area[2]);
    for (int axis = 0; axis < 3; axis++)
      n3[axis] = lane(normal[axis], i);
  }
  for (int axis = 0; axis < 3; axis++)
    root->normal[axis] = side * n3[axis];
}

#endif
