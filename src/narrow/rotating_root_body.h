/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the filter for turning bodies asks of a query's forms, in lanes: the levels of the cascade.
 *
 * 1. Box: on an axis of the second body all coefficients of all corners are certainly on one side of 0.
 * 2. Sign: all coefficients of the coplanarity are certainly of one sign.
 * 3. Root: the coplanarity's coefficients change their sign certainly once, whatever one of them is that may be zero
 *    (Descartes: one root, a simple one). It is enclosed in a zone at whose ends the signs are certain. There, areas on
 *    an axis that are all certainly of one sign prove contact at the root, and two certainly of opposite signs refute
 *    it (exact_hull.c, claims 1 and 2; the areas' sum, N on that axis, is then not zero), as corners do that are all
 *    certainly on one side of 0. A zone may be wide: what changes within it is part of the error.
 *
 * Walks over several roots also know 4., projection: on an axis two areas are certainly of opposite signs at all times
 * (exact_hull.c, claim 1). */

#ifndef TOI_NARROW_ROTATING_ROOT_BODY_H
#define TOI_NARROW_ROTATING_ROOT_BODY_H

#include "narrow/rotating_forms_body.h"

/* Steps to a root end with one that is shorter. */
#define SETTLED 0x1p-40

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

/* A simple root on its way, from 0 to 1, and what is known to hold it. */
typedef struct halley {
  real power[COEFFICIENTS], x, lo, hi;
  mask falling;
} halley;

/* Where the polygon of the coefficients crosses zero. */
TOI_INLINE real polygon_root(const real c[COEFFICIENTS]) {
  mask up = greater(c[0], every(0)), crossed = no_lanes();
  real first = c[0], second = c[COEFFICIENTS - 1], place = every(0), steps = every(COEFFICIENTS - 1);
  TOI_UNROLL
  for (int j = 1; j < COEFFICIENTS; j++) {
    mask here = (greater(c[j], every(0)) ^ up) & ~crossed;
    first = choose(here, c[j - 1], first);
    second = choose(here, c[j], second);
    place = choose(here, every(j - 1), place);
    steps = choose(here, every(1), steps);
    crossed |= here;
  }
  return clip_unit((place + steps * (first / (first - second))) * (1.0 / (COEFFICIENTS - 1)));
}

TOI_INLINE halley halley_begin(const real c[COEFFICIENTS]) {
  static const double binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  halley at = {.x = polygon_root(c), .lo = every(0), .hi = every(1)};
  real *p = at.power;
  at.falling = greater(c[0], every(0));
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
  return at;
}

/* Halley's step, or to the middle if that leads out of what holds the root; how long it was. Only lanes that go. */
TOI_INLINE real halley_step(halley *at, mask going) {
  real value = at->power[COEFFICIENTS - 1], rise = every(0), bend = every(0), x = at->x;
  TOI_UNROLL
  for (int j = COEFFICIENTS - 2; j >= 0; j--) {
    bend = bend * x + rise;
    rise = rise * x + value;
    value = value * x + at->power[j];
  }
  mask left = (greater(value, every(0)) & at->falling) | (less(value, every(0)) & ~at->falling);
  at->lo = choose(going & left, x, at->lo);
  at->hi = choose(going & ~left, x, at->hi);
  // bend is half the second derivative.
  real next = x - value * rise / (rise * rise - value * bend), moved = magnitude(next - x);
  mask inside = greater(next, at->lo) & less(next, at->hi);
  // A short step may end on an end, where rounding decides.
  next = choose(inside | less(moved, every(SETTLED)), clip_unit(next), (at->lo + at->hi) * 0.5);
  at->x = choose(going, next, x);
  return moved;
}

/* Where they do not settle, the zone's signs will not. */
TOI_INLINE real simple_root(const real c[COEFFICIENTS]) {
  enum { STEPS = 14 };
  halley at = halley_begin(c);
  mask going = all_lanes();
  // Lanes that have settled stay as they are, so that others do not change them.
  for (int step = 0; step < STEPS && bits_of(going) != 0; step++)
    going &= ~less(halley_step(&at, going), every(SETTLED));
  return at.x;
}

typedef struct root_lanes {
  mask miss, hit;
  real root, slope, zone[2], area[MOST_CORNERS];
} root_lanes;

/* Corners at the root on an axis, off by at most e; whether they are all on one side of 0; size grows with them. */
TOI_INLINE mask corners_at(int n, int axis, const turn_forms *f, const real weights[COEFFICIENTS], real e,
                           real corner[MOST_CORNERS][AXES], real *size) {
  const toi_turn_table *table = &f->piece->table;
  mask all_up = ~no_lanes(), all_down = ~no_lanes();
  real w = value_of_table(table->w, weights), t = value_of_table(table->t[axis], weights), r[AXES];
  TOI_UNROLL
  for (int j = 0; j < AXES; j++)
    r[j] = value_of_table(table->r[axis][j], weights);
  const real path[2] = {dot(r, f->x) + t, n == 4 ? dot(r, f->x + 3) + t : t};
  TOI_UNROLL
  for (int c = 0; c < n; c++) {
    corner[c][axis] = path[corner_first(n, c)] - f->x[3 * corner_second(n, c) + axis] * w;
    *size = most(magnitude(corner[c][axis]), *size);
    all_up &= greater(corner[c][axis], e);
    all_down &= less(corner[c][axis], -e);
  }
  return all_up | all_down;
}

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

/* Corners at a time, and areas made of them: those of first are W times the areas. */
typedef struct corner_lanes {
  real at[MOST_CORNERS][AXES], size; /* the largest magnitude */
  real error, first, second;         /* of corners, of areas of first and of second */
  mask apart;                        /* all on one side of 0, on some axis */
} corner_lanes;

/* Claim: at any time within `width` of the one of the weights corners are off by e = m (10 width + 32 u + h), areas of
 * second by db (2 e + 8 u size), of first by 4 e size + 2 e^2 + 8 u size^2. Why: coefficients of a corner differ by at
 * most 2 m, so its derivative is at most 10 m. An area of second has two products of a corner, off by e, and g, off by
 * u of its size: 2 e db + 2 u db size, and two roundings in each: 4 u db size. One of first has two products of two
 * corners: 2 (2 e size + e^2), and 4 u size^2. */
TOI_INLINE corner_lanes corners_of(int n, const turn_forms *f, const real weights[COEFFICIENTS], real width) {
  corner_lanes out = {.size = every(0), .apart = no_lanes()};
  out.error = f->m * (width * 10.0 + (32 * TURN_U + f->piece->unit)) * TURN_ROUNDED_UP;
  for (int axis = 0; axis < AXES; axis++)
    out.apart |= corners_at(n, axis, f, weights, out.error, out.at, &out.size);
  const real e = out.error, size = out.size;
  out.second = f->db * (e * 2.0 + size * (8 * TURN_U)) * TURN_ROUNDED_UP;
  out.first = (size * (e * 4.0 + size * (8 * TURN_U)) + e * e * 2.0) * TURN_ROUNDED_UP;
  return out;
}

TOI_INLINE real area_of(int n, int c, int axis, const turn_forms *f, const corner_lanes *corners) {
  const int next = (c + 1) % n, y = (axis + 1) % 3, z = (axis + 2) % 3;
  const real *own = corners->at[c], *other = corners->at[next];
  const real *p = f->x + 3 * corner_second(n, c), *q = f->x + 3 * corner_second(n, next);
  const bool of_second = is_of_second(n, c);
  const real gy = of_second ? p[y] - q[y] : other[y], gz = of_second ? p[z] - q[z] : other[z];
  return own[y] * gz - own[z] * gy;
}

/* The same by corners at the root, which cost less than the areas' coefficients. */
TOI_INLINE void contact_by_corners(int n, const turn_forms *f, mask found, root_lanes *out) {
  real weights[COEFFICIENTS], best = every(0);
  mask none = no_lanes();
  weights_at(out->root, weights);
  const corner_lanes corners = corners_of(n, f, weights, out->zone[1] - out->zone[0]);
  mask apart = corners.apart;
  for (int axis = 0; axis < AXES; axis++) {
    mask any_up = none, any_down = none, all_up = ~none, all_down = ~none;
    real area[MOST_CORNERS], sum = every(0);
    for (int c = 0; c < n; c++) {
      const real error = is_of_second(n, c) ? corners.second : corners.first;
      area[c] = area_of(n, c, axis, f, &corners);
      mask up = greater(area[c], error), down = less(area[c], -error);
      any_up |= up;
      any_down |= down;
      all_up &= up;
      all_down &= down;
      sum += magnitude(area[c]);
    }
    apart |= any_up & any_down;
    mask better = (all_up | all_down) & greater(sum, best);
    best = choose(better, sum, best);
    for (int c = 0; c < n; c++)
      out->area[c] = choose(better, magnitude(area[c]), out->area[c]);
  }
  out->miss |= found & apart;
  out->hit = found & ~apart & greater(best, every(0));
}

/* Times on which the coplanarity has one root, and its coefficients there. */
typedef struct span_lanes {
  const real *c;
  real from, length, to;
} span_lanes;

/* The zone of this half width around the root, which is in the span; where its ends are not those of the span, the
 * signs at them are certain: elsewhere the mask is not set. */
TOI_INLINE mask zone_around(const turn_forms *f, const span_lanes *span, real half, root_lanes *out) {
  const real *c = f->coplanarity, side = choose(less(span->c[0], every(0)), every(-1), every(1));
  out->zone[0] = most(out->root - half, span->from);
  out->zone[1] = least(out->root + half, span->to);
  mask before = greater(side * value_at(c, out->zone[0]), f->error) | ~greater(out->zone[0], span->from);
  mask after = less(side * value_at(c, out->zone[1]), -f->error) | ~less(out->zone[1], span->to);
  return before & after & less(half, every(1));
}

/* Steps that are taken for a rough root, and half the zone around it, which then nearly always holds it. */
enum { ROUGH_STEPS = 2 };
#define ROUGH_ZONE 0x1p-14

/* Whether there is certainly no contact at the root. */
TOI_INLINE mask rough_root(int n, const turn_forms *f, const span_lanes *span) {
  root_lanes out = {.miss = no_lanes()};
  halley at = halley_begin(span->c);
  for (int i = 0; i < ROUGH_STEPS; i++)
    (void)halley_step(&at, all_lanes());
  out.root = span->from + span->length * clip_unit(at.x);
  for (int i = 0; i < n; i++)
    out.area[i] = every(0);
  contact_by_corners(n, f, f->usable_forms & zone_around(f, span, every(ROUGH_ZONE), &out), &out);
  return out.miss;
}

TOI_INLINE root_lanes root_group(int n, const turn_forms *f, const span_lanes *span) {
  const real *c = f->coplanarity;
  root_lanes out = {.miss = no_lanes(), .hit = no_lanes()};
  for (int i = 0; i < n; i++)
    out.area[i] = every(0);
  // One step with the polynomial itself.
  real x = span->from + span->length * simple_root(span->c), next = x - value_at(c, x) / slope_at(c, x);
  out.root = choose(greater(next, span->from) & less(next, span->to), next, x);
  // Where the bracket needs it: inside the zone.
  out.slope = slope_at(c, out.root);
  const real half = f->error * 2.5 / magnitude(out.slope) + 0x1p-51;
  contact_by_corners(n, f, f->usable_forms & zone_around(f, span, half, &out), &out);
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
      real r[AXES];
      for (int j = 0; j < AXES; j++)
        r[j] = value_of_table(f->piece->table.r[axis][j], weights);
      d[axis] = dot(r, f->first_edge);
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
