/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The coplanarity cubic of the method `cubic`, and the zones where it may vanish: claim, bound, why.
 *
 * Claim: outside of the zones there is no contact. If 0 is within distance d of the hull at time t, it is within d of
 * the hull's plane, and f(t) = det(first, second, last corner) = first . N with N = (second - first) x (last - first)
 * satisfies |f(t)| <= d dual(N(t)), where dual is the dual norm: a point q of the plane with |q| <= d has q . N = f.
 *
 * Bound: BAND = d N* + GAP u V + TINY, N* an upper bound of dual(N) over the step, GAP u V that of the coefficients of
 * f on a part of [0, 1] (kernel_bounds.h). A part is cleared if its computed coefficients all lie beyond BAND on one
 * side: f lies between its coefficients.
 *
 * NORMAL: N has Bernstein coefficients N0, N1, N2. An edge, the difference of two corners, is off by 2 u X (corners)
 * + 2 u X (difference, at most 2 X); a product of two by 4 u X 2 Y twice, and 4 u XY itself: 20 u XY. N0: 2 products
 * and a difference on 8 XY: 48 u XY. M = 2 N1: twice that and a sum on 16 XY: 112, halved 56 u XY. Bound 64 u XY.
 * For d below the hull's size GAP u V outweighs it; it is there so that no argument about sizes is needed.
 *
 * LEADING: the coefficient of t^3, (b3 - b0) + (B1 - B2), inherits 2 (49 + 182) u V and rounds 12 + 36 + 48 u V: 558.
 * It only tells cases apart; no proof rests on it.
 *
 * Why the zones are small: [0, 1] is cut at the extrema of f. On a piece f is monotone, so that |f| <= LEVEL, a little
 * above BAND, is one interval. Its ends are found by Householder's iteration, which need not be trusted: what is left
 * and right of them is cleared, or the level is raised, and at last the piece is taken whole. An extremum that only
 * touches 0, a double root that no change of sign shows, is one where |f| <= LEVEL: its two pieces' zones meet there
 * and are joined. */

#include <assert.h>
#include <math.h>

#include "narrow/cubic.h"
#include "narrow/kernel_bounds.h"
#include "number/vector.h"

#define BOUND_NORMAL (64 * TOI_U)
#define BOUND_LEADING (560 * TOI_U)
/* Covers the roundings of norms and of a bound's own few operations. */
#define SLACK (1 + 0x1p-40)

/* LEVEL exceeds BAND by this many u V, raised eightfold where that does not suffice, for so many attempts. */
#define LEVEL_NOISE 512.0
#define LEVEL_ATTEMPTS 3

#define HOUSEHOLDER_STEPS 32
/* A step this small leaves an error of about its cube. */
#define HOUSEHOLDER_CLOSE 0x1p-24

typedef struct cubic {
  double b[4]; /* Bernstein coefficients */
  double power[4];
  double volume;     /* V = XYZ */
  double band, wide; /* BAND; its part d N* */
} cubic;

/* Where a square underflows it loses up to 2^-1075, of which the root would make 2^-538, and TOI_CUBIC_TINY does not
 * cover that. From SQUARES_SAFE on the largest square is 2^-800 at least, and what the others lose is below 2^-270 of
 * it; what is smaller is brought there by a power of two, which is exact. */
#define SQUARES_SAFE 0x1p-400
#define SQUARES_SCALE 0x1p+600

double toi_cubic_length(const double w[3]) {
  if (fmax(fabs(w[0]), fmax(fabs(w[1]), fabs(w[2]))) >= SQUARES_SAFE)
    return sqrt(toi_dot(w, w));
  const double scaled[3] = {w[0] * SQUARES_SCALE, w[1] * SQUARES_SCALE, w[2] * SQUARES_SCALE};
  return sqrt(toi_dot(scaled, scaled)) * (1 / SQUARES_SCALE);
}

double toi_cubic_dual(const toi_cubic_hull *hull, const double w[3]) {
  return hull->norm == TOI_NORM_LINF ? (fabs(w[0]) + fabs(w[1])) + fabs(w[2]) : toi_cubic_length(w);
}

/* --- the cubic --- */

static void edges_at(const toi_cubic_hull *hull, int time, double edge[2][3]) {
  for (int axis = 0; axis < 3; axis++) {
    edge[0][axis] = hull->at[time][1][axis] - hull->at[time][0][axis];
    edge[1][axis] = hull->at[time][hull->count - 1][axis] - hull->at[time][0][axis];
  }
}

/* N*: the dual norm of the largest components; see NORMAL. */
static double normal_bound(const toi_cubic_hull *hull) {
  double e[2][2][3], n0[3], n2[3], m0[3], m1[3], most[3];
  edges_at(hull, 0, e[0]);
  edges_at(hull, 1, e[1]);
  toi_cross(e[0][0], e[0][1], n0);
  toi_cross(e[1][0], e[1][1], n2);
  toi_cross(e[0][0], e[1][1], m0);
  toi_cross(e[1][0], e[0][1], m1);
  for (int axis = 0; axis < 3; axis++) {
    double noise = hull->size[(axis + 1) % 3] * hull->size[(axis + 2) % 3] * BOUND_NORMAL + TOI_CUBIC_TINY;
    most[axis] = toi_larger(toi_larger(fabs(n0[axis]), fabs(n2[axis])), 0.5 * fabs(m0[axis] + m1[axis])) + noise;
  }
  return toi_cubic_dual(hull, most) * SLACK;
}

/* f in both forms; B1 = 3 b1 and B2 = 3 b2 are what is computed first, as in the kernels. */
static void make_cubic(const toi_cubic_hull *hull, cubic *f, toi_cubic_zones *zones) {
  double c[4];
  for (int time = 0; time < 2; time++) {
    const double(*p)[3] = hull->at[time], (*q)[3] = hull->at[1 - time];
    unsigned last = hull->count - 1;
    double bc[3], ca[3], ab[3];
    toi_cross(p[1], p[last], bc);
    toi_cross(p[last], p[0], ca);
    toi_cross(p[0], p[1], ab);
    c[3 * time] = toi_dot(p[0], bc);
    c[1 + time] = (toi_dot(q[0], bc) + toi_dot(q[1], ca)) + toi_dot(q[last], ab);
  }
  f->volume = hull->size[0] * hull->size[1] * hull->size[2];
  f->b[0] = f->power[0] = c[0];
  f->b[1] = c[1] * (1.0 / 3.0);
  f->b[2] = c[2] * (1.0 / 3.0);
  f->b[3] = c[3];
  f->power[1] = c[1] - 3 * c[0];
  f->power[2] = (c[2] - c[1]) - f->power[1];
  f->power[3] = (c[3] - c[0]) + (c[1] - c[2]);
  f->wide = hull->d_hi > 0 ? hull->d_hi * normal_bound(hull) * SLACK : 0;
  f->band = (f->wide + f->volume * TOI_BOUND_GAP) * SLACK + TOI_CUBIC_TINY;

  double end = f->volume * TOI_BOUND_SIGN_END + TOI_CUBIC_TINY, mid = f->volume * TOI_BOUND_SIGN_MID + TOI_CUBIC_TINY;
  zones->degenerate = fabs(c[0]) <= end && fabs(c[1]) <= mid && fabs(c[2]) <= mid && fabs(c[3]) <= end;
  zones->zero_leading = fabs(f->power[3]) <= f->volume * BOUND_LEADING + TOI_CUBIC_TINY;
}

static double value(const cubic *f, double t) {
  return ((f->power[3] * t + f->power[2]) * t + f->power[1]) * t + f->power[0];
}

static double mix(double a, double b, double t) {
  return a * (1 - t) + b * t;
}

/* 1 or -1 if f lies beyond BAND on that side on all of [s, e] inside [0, 1]; 0: not proved. */
static int clear_sign(const cubic *f, double s, double e) {
  const double *b = f->b;
  double x[3], y[3], c[4];
  for (int i = 0; i < 3; i++) {
    x[i] = mix(b[i], b[i + 1], s);
    y[i] = mix(b[i], b[i + 1], e);
  }
  double xx[2] = {mix(x[0], x[1], s), mix(x[1], x[2], s)}, yy[2] = {mix(y[0], y[1], e), mix(y[1], y[2], e)};
  double xy[2] = {mix(x[0], x[1], e), mix(x[1], x[2], e)};
  c[0] = mix(xx[0], xx[1], s);
  c[1] = mix(xx[0], xx[1], e);
  c[2] = mix(xy[0], xy[1], e);
  c[3] = mix(yy[0], yy[1], e);
  bool up = true, down = true;
  for (int i = 0; i < 4; i++) {
    up &= c[i] > f->band;
    down &= c[i] < -f->band;
  }
  return up - down;
}

/* --- the pieces --- */

/* The cuts of [0, 1]: the extrema of f inside it, or its inflection where it has none; 0 and 1 first and last. Returns
 * the number of pieces. Algebraic degeneracy: a leading coefficient of 0 leaves a parabola with one extremum, or a
 * line. */
static int cut_step(const cubic *f, bool zero_leading, double cuts[4]) {
  double a = 3 * f->power[3], half = f->power[2], c = f->power[1], first = NAN, second = NAN;
  if (zero_leading) {
    first = -c / (2 * half);
  } else {
    double square = half * half - a * c;
    if (square > 0) {
      double q = -(half + copysign(sqrt(square), half));
      first = q / a;
      second = c / q;
    } else {
      first = -half / a;
    }
  }
  int pieces = 0;
  double lo = fmin(first, second), hi = fmax(first, second);
  cuts[0] = 0;
  if (lo > 0 && lo < 1)
    cuts[++pieces] = lo;
  if (hi > cuts[pieces] && hi < 1)
    cuts[++pieces] = hi;
  cuts[++pieces] = 1;
  return pieces;
}

/* One piece [a, b] between cuts, and f at its ends, roughly. */
typedef struct piece {
  double a, b, f_a, f_b;
} piece;

/* A t in [a, b] with f(t) close to `target`, by Householder's iteration of order 2, kept between a and b by halving. f
 * is monotone there and passes the target. */
static double householder(const cubic *f, double target, const piece *p, double x) {
  bool rising = p->f_b > p->f_a;
  double a = p->a, b = p->b;
  for (int step = 0; step < HOUSEHOLDER_STEPS; step++) {
    double y = value(f, x) - target;
    double slope = (3 * f->power[3] * x + 2 * f->power[2]) * x + f->power[1];
    double bend = 6 * f->power[3] * x + 2 * f->power[2];
    if ((y > 0) == rising)
      b = x;
    else
      a = x;
    double steepness = 1 / slope, newton = y * steepness, next = x - newton * (1 + 0.5 * newton * bend * steepness);
    if (!(next >= a && next <= b))
      next = 0.5 * (a + b);
    double moved = fabs(next - x);
    x = next;
    if (moved < HOUSEHOLDER_CLOSE)
      break;
  }
  return x;
}

static int side_of(double y, double level) {
  return (y > level) - (y < -level);
}

/* Where |f| falls below the level, seen from the end `outer` of the piece: everything between is cleared. Returns
 * `outer` itself, with *sign 0, if nothing could be. */
static double zone_end(const cubic *f, const piece *p, bool from_left, double start, int *sign) {
  double outer = from_left ? p->a : p->b, f_outer = from_left ? p->f_a : p->f_b, f_inner = from_left ? p->f_b : p->f_a;
  double noise = LEVEL_NOISE * TOI_U * f->volume + 2 * TOI_CUBIC_TINY;
  for (int attempt = 0; attempt < LEVEL_ATTEMPTS; attempt++) {
    double level = f->wide * SLACK + noise;
    int side = side_of(f_outer, level);
    if (side == 0 || side * f_inner > level)
      break;
    double t = householder(f, side * level, p, start);
    *sign = from_left ? clear_sign(f, outer, t) : clear_sign(f, t, outer);
    if (*sign != 0)
      return t;
    start = t;
    noise *= 8;
  }
  *sign = 0;
  return outer;
}

/* The zone of a piece; false if all of it is cleared. */
static bool piece_zone(const cubic *f, const piece *p, toi_cubic_zone *zone) {
  double level = f->wide * SLACK + LEVEL_NOISE * TOI_U * f->volume + 2 * TOI_CUBIC_TINY;
  int side = side_of(p->f_a, level);
  if (side != 0 && side == side_of(p->f_b, level) && clear_sign(f, p->a, p->b) != 0)
    return false;
  // Roots are guessed on the chord; the second end of a narrow zone lies beside the first.
  double chord = p->a + (p->b - p->a) * (p->f_a / (p->f_a - p->f_b));
  double start = chord > p->a && chord < p->b ? chord : 0.5 * (p->a + p->b);
  zone->lo = zone_end(f, p, true, start, &zone->sign_lo);
  zone->hi = zone_end(f, p, false, zone->sign_lo && f->wide == 0 ? zone->lo : start, &zone->sign_hi);
  if (zone->lo <= zone->hi)
    return true;
  // The cleared parts overlap: nothing is left.
  assert(zone->sign_lo != 0 && zone->sign_lo == zone->sign_hi);
  return false;
}

/* Zones that meet at a cut become one. */
static void add_zone(toi_cubic_zones *zones, const toi_cubic_zone *zone) {
  toi_cubic_zone *last = zones->count > 0 ? &zones->zone[zones->count - 1] : NULL;
  if (last && last->hi == zone->lo) {
    last->hi = zone->hi;
    last->sign_hi = zone->sign_hi;
    return;
  }
  zones->zone[zones->count++] = *zone;
}

void toi_cubic_find_zones(const toi_cubic_hull *hull, toi_cubic_zones *zones) {
  assert(hull->count >= 3);
  cubic f;
  double cuts[4];
  zones->count = 0;
  make_cubic(hull, &f, zones);
  // A separation beyond all sizes, or nothing but noise: the whole step.
  if (zones->degenerate || !(f.band < INFINITY)) {
    add_zone(zones, &(toi_cubic_zone){.lo = 0, .hi = 1});
    return;
  }
  if (clear_sign(&f, 0, 1) != 0)
    return;
  int pieces = cut_step(&f, zones->zero_leading, cuts);
  for (int i = 0; i < pieces; i++) {
    piece p = {cuts[i], cuts[i + 1], value(&f, cuts[i]), value(&f, cuts[i + 1])};
    toi_cubic_zone zone;
    if (piece_zone(&f, &p, &zone))
      add_zone(zones, &zone);
  }
}

void toi_cubic_normal(const toi_cubic_hull *hull, double t, double normal[3]) {
  double p[TOI_MOST_CORNERS][3] = {{0}}, edge[2][3];
  toi_cubic_positions(hull, t, p);
  for (int axis = 0; axis < 3; axis++) {
    edge[0][axis] = p[1][axis] - p[0][axis];
    edge[1][axis] = p[hull->count - 1][axis] - p[0][axis];
  }
  toi_cross(edge[0], edge[1], normal);
}
