/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Separation by planes that turn.
 *
 * Claim: if for directions m at time a and n at time b, and every corner c,
 *     m . c(a) > d |m|*,   m . c(b) + n . c(a) > d (|m|* + |n|*),   n . c(b) > d |n|*,
 * the hull is farther than d from 0 on all of [a, b].
 * Why: let s = (t - a) / (b - a). The direction (1-s) m + s n has dual norm at most (1-s)|m|* + s|n|* = r(s). Its
 * product with c(t), which is linear in s, is the quadratic with the Bernstein coefficients given (the middle one
 * halved); those of d r(s), raised to degree 2, are on the right. So the product exceeds d r(s), for each corner: the
 * plane separates the hull from the ball (or cube) of radius d.
 *
 * With the best directions at a and b the loss is of second order in b - a: such a plane reaches up to the time at
 * which the distance becomes d, and a few of them cover a step.
 *
 * Errors, with u = 2^-53 and corners of size at most 1: a position is off by 8 u, a dot product with it by 8 u |m|_1
 * more 3 u |m|_1 for its roundings; n may stand for a direction known with 2 u |n|_1; the sum of two of them rounds
 * once more on |m|_1 + |n|_1: 16 u (|m|_1 + |n|_1) covers the middle coefficient, and the outer ones with their own.
 * Dual norms are computed with less than 4 u, as is their product with d: the factor 1 + 2^-48 covers both. Directions
 * made with balls have radii too, of any size next to them: `off` in all, times corners of at most 1, and times d.
 *
 * The bracket. Near the time at which the distance is d, doubles do not suffice. The last plane ends at t_lo, where its
 * height is taken in balls (height.h); at t_hi a point within d is shown in balls too, or contact itself is known by
 * then. What cannot be proved this way is left to the integers. */

#include "narrow/turning_planes.h"

#include <math.h>

#include "narrow/place.h"

#define PLANE_ERROR 0x1p-49 /* 16 u */
#define OUTWARD (1 + 0x1p-48)

/* Distances from d below this are not told in doubles. */
#define MARGIN 0x1p-46

/* Half the width of a bracket, if the time is not tiny. */
#define HALF_BRACKET 0x1p-50
#define WIDEST_BRACKET 0x1p-48

/* Planes tried, and steps of a root search, before the integers are called. */
#define MOST_PLANES 48
#define MOST_STEPS 40
#define MOST_POLISHES 5

/* --- planes --- */

typedef struct moment {
  double t;
  toi_hull hull;
  toi_nearest nearest;
} moment;

/* With the nearest point in the norm asked about, or in the one that guides the search. */
static void moment_in(const toi_moving *moving, toi_norm norm, double t, moment *at) {
  at->t = t;
  toi_moving_at(moving, t, &at->hull);
  toi_nearest_to(&at->hull, norm, &at->nearest);
}

static void moment_at(const toi_moving *moving, double t, moment *at) {
  moment_in(moving, moving->norm, t, at);
}

static void guide_at(const toi_moving *moving, double t, moment *at) {
  moment_in(moving, moving->guide, t, at);
}

static double sum_norm(const double n[3]) {
  return fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
}

static double dual_norm(const toi_moving *moving, const double n[3]) {
  if (moving->norm == TOI_NORM_LINF)
    return sum_norm(n) * OUTWARD;
  return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * OUTWARD;
}

/* The first two conditions of the claim; n stands for a direction that may be off by `off` more. */
static bool plane_begins(const toi_moving *moving, const moment *a, const toi_hull *end, const double n[3],
                         double off) {
  const double *m = a->nearest.n;
  double first = sum_norm(m) * PLANE_ERROR + moving->d * dual_norm(moving, m) * OUTWARD;
  double middle = first + (sum_norm(n) * PLANE_ERROR + moving->d * dual_norm(moving, n) * OUTWARD);
  first *= OUTWARD;
  middle = (middle + off * (1 + moving->d)) * OUTWARD;
  for (int k = 0; k < moving->count; k++)
    if (!(toi_dot(m, a->hull.c[k]) > first) || !(toi_dot(m, end->c[k]) + toi_dot(n, a->hull.c[k]) > middle))
      return false;
  return true;
}

/* The third, in doubles. */
static bool plane_ends(const toi_moving *moving, const moment *b) {
  const double *n = b->nearest.n;
  double last = (sum_norm(n) * PLANE_ERROR + moving->d * dual_norm(moving, n) * OUTWARD) * OUTWARD;
  for (int k = 0; k < moving->count; k++)
    if (!(toi_dot(n, b->hull.c[k]) > last))
      return false;
  return true;
}

static bool plane_covers(const toi_moving *moving, const moment *a, const moment *b) {
  return plane_ends(moving, b) && plane_begins(moving, a, &b->hull, b->nearest.n, 0);
}

/* --- the time at which the distance is d --- */

/* About where the distance falls to d, how fast, and on which feature. */
typedef struct crossing {
  double t, slope;
  toi_feature feature;
  moment at;
} crossing;

/* A crossing in (a, b], where the distance is above d at a and not at b: regula falsi, the end that stays loses weight.
 * It is good to the part `sharp` of t. */
static crossing crossing_between(const toi_moving *moving, const moment *a, const moment *b, double sharp) {
  double lo = a->t, hi = b->t, above = a->nearest.distance - moving->d, under = b->nearest.distance - moving->d;
  crossing found = {hi, (under - above) / (hi - lo), b->nearest.feature, *b};
  double last = lo, last_value = above;
  int side = 0;
  for (int step = 0; step < MOST_STEPS && hi - lo > 0x1p-52 * hi && under < 0; step++) {
    double t = lo + (hi - lo) * (above / (above - under));
    if (!(t > lo && t < hi))
      t = lo + (hi - lo) / 2;
    if (!(t > lo && t < hi))
      break;
    moment_at(moving, t, &found.at);
    double value = found.at.nearest.distance - moving->d, slope = (value - last_value) / (t - last);
    found.t = t;
    found.slope = slope;
    found.feature = found.at.nearest.feature;
    if (fabs(value) <= sharp * fabs(slope) * t)
      return found;
    last = t;
    last_value = value;
    if (value > 0) {
      lo = t;
      above = value;
      under = side > 0 ? under / 2 : under;
      side = 1;
    } else {
      hi = t;
      under = value;
      above = side < 0 ? above / 2 : above;
      side = -1;
    }
  }
  return found;
}

/* Steps with heights in balls, the first with the slope at hand, the next by secants; the feature is checked again in
 * between. */
static void polish(const toi_moving *moving, crossing *at) {
  double last_gap = NAN, step = NAN;
  for (int i = 0; i < MOST_POLISHES; i++) {
    toi_height height;
    moment now;
    toi_height_at(moving, at->t, at->feature, &height);
    double secant = (height.gap - last_gap) / step;
    bool sharp = secant < 0;
    at->slope = sharp ? secant : at->slope;
    step = -height.gap / at->slope;
    if (!(at->slope < 0) || !(fabs(step) < 0x1p-10 * at->t))
      return;
    at->t += step;
    if (fabs(step) < (sharp ? 0x1p-28 : 0x1p-34) * at->t)
      return;
    moment_at(moving, at->t, &now);
    bool same = now.nearest.feature.kind == at->feature.kind && now.nearest.feature.index == at->feature.index &&
                now.nearest.feature.axis == at->feature.axis;
    last_gap = same ? height.gap : NAN;
    at->feature = now.nearest.feature;
  }
}

/* What came of closing the bracket. */
typedef enum closing {
  CLOSING_DONE,
  CLOSING_EARLY,   /* no plane reaches as far as the bracket yet */
  CLOSING_HOPELESS /* balls do not tell where the distance is d */
} closing;

/* Proves that the hull is farther than d up to t, where `a` is a time until which that is known. Near the border of a
 * feature its neighbour's direction may be the better one: all are tried. */
static closing free_until(const toi_moving *moving, const moment *a, double t, toi_feature feature) {
  toi_hull end;
  toi_height height;
  if (!(t > a->t))
    return CLOSING_HOPELESS;
  toi_moving_at(moving, t, &end);
  toi_height_at(moving, t, feature, &height);
  for (int i = 0; !height.above && toi_feature_numbered(moving->count, moving->guide, i, &feature); i++)
    toi_height_at(moving, t, feature, &height);
  if (!height.above)
    return CLOSING_HOPELESS;
  return plane_begins(moving, a, &end, height.n, height.off) ? CLOSING_DONE : CLOSING_EARLY;
}

/* --- the search --- */

typedef struct separate_search {
  const toi_moving *moving;
  const toi_known_contact *contact;
  moment a; /* farther than d up to here */
  toi_turning_planes_answer *answer;
} separate_search;

static closing bracket(separate_search *s, double t_lo, double t_hi) {
  if (!(t_lo > 0) || !(t_hi <= 1) || !(t_hi - t_lo <= WIDEST_BRACKET))
    return CLOSING_HOPELESS;
  s->answer->code = TOI_TURNING_PLANES_HIT;
  s->answer->t_lo = t_lo;
  s->answer->t_hi = t_hi;
  return CLOSING_DONE;
}

/* The bracket around the time at which the distance falls to d. */
static closing close_at(separate_search *s, crossing *at) {
  const toi_moving *moving = s->moving;
  polish(moving, at);
  toi_feature feature = at->feature;
  double t = at->t;
  double half = t * 0x1p-8 < HALF_BRACKET ? t * 0x1p-8 : HALF_BRACKET;
  double t_lo = t - half, t_hi = t + half < 1 ? t + half : 1;
  s->answer->guess = t;
  closing free = free_until(moving, &s->a, t_lo, feature);
  if (free != CLOSING_DONE)
    return free;
  if (toi_within_at(moving, t_hi, feature))
    return bracket(s, t_lo, t_hi);
  return s->contact->touches ? bracket(s, t_lo, s->contact->t_hi) : CLOSING_HOPELESS;
}

/* The bracket of contact itself, where d is too small to matter. */
static closing close_at_contact(separate_search *s) {
  const toi_known_contact *contact = s->contact;
  // As early as a bracket may begin: there the distance is the largest.
  double t = contact->t_lo, room = (WIDEST_BRACKET - (contact->t_hi - t)) * (1 - 0x1p-8);
  double half = t * 0x1p-8 < room ? t * 0x1p-8 : room;
  moment before;
  guide_at(s->moving, t - half, &before);
  // Cheaper than balls, where doubles know the direction.
  bool known = before.nearest.feature.kind == TOI_FEATURE_FACE || before.nearest.distance > 0x1p-30;
  if (known && s->a.t < t * 0.75 && !plane_begins(s->moving, &s->a, &before.hull, before.nearest.n, 0))
    return CLOSING_EARLY;
  closing free = free_until(s->moving, &s->a, t - half, before.nearest.feature);
  return free == CLOSING_DONE ? bracket(s, t - half, contact->t_hi) : free;
}

/* The bracket before b, where the distance is not above d; *t is set to a time by which it falls to d, about. */
static closing close_before(separate_search *s, const moment *b, double *t) {
  closing result = CLOSING_HOPELESS;
  bool at_contact = s->contact->touches && b->t == s->contact->t_lo;
  if (at_contact && s->moving->d_small)
    result = close_at_contact(s);
  if (result != CLOSING_HOPELESS || s->moving->d_tiny) {
    *t = b->t;
    return result;
  }
  // The polish doubles the digits, but for a change of features on the way.
  moment from = s->a, to = *b;
  if (s->moving->guide != s->moving->norm) {
    moment_at(s->moving, s->a.t, &from);
    moment_at(s->moving, b->t, &to);
  }
  crossing at = crossing_between(s->moving, &from, &to, 0x1p-35);
  // Cheaper than balls, where doubles know the direction.
  if (at.at.nearest.distance > 0x1p-30 && !plane_begins(s->moving, &s->a, &at.at.hull, at.at.nearest.n, 0)) {
    *t = b->t;
    return CLOSING_EARLY;
  }
  result = close_at(s, &at);
  if (result == CLOSING_HOPELESS) {
    at = crossing_between(s->moving, &from, &to, 0x1p-53);
    result = close_at(s, &at);
  }
  *t = at.t;
  return result;
}

/* Where the distance would fall to d if it went on as it begins at a; NaN if it does not fall. */
static double foreseen(const toi_moving *moving, const moment *a, double end) {
  moment after;
  double step = (end - a->t) * 0x1p-20;
  guide_at(moving, a->t + step, &after);
  double fall = a->nearest.distance - after.nearest.distance;
  return fall > 0 ? a->t + (a->nearest.distance - moving->d) / fall * step : NAN;
}

/* Moves on from a towards b, where the distance is above d. True if it is proved all the way. */
static bool advance(separate_search *s, const moment *b) {
  if (!plane_covers(s->moving, &s->a, b))
    return false;
  s->a = *b;
  return true;
}

/* Short of `end`: where it is heading, once from each place, or halfway. */
static double next_end(const separate_search *s, double end, double *tried) {
  double ahead = *tried < s->a.t ? foreseen(s->moving, &s->a, end) : NAN;
  *tried = s->a.t;
  return ahead > s->a.t && ahead < end ? ahead : s->a.t + (end - s->a.t) / 2;
}

/* Whether a point of the hull is clearly within d of 0. Its coordinates are off by at most 60 u: 8 u (corner), twice 16
 * u + 4 u + 2 u (difference, rounded, and product), sums on at most 3 and 5; MARGIN is 128 u, and the size rounds by
 * less than 8 u. */
static bool point_within(const toi_moving *moving, const moment *at) {
  toi_place place = toi_place_on(moving->kind, &at->hull, moving->norm, &at->nearest);
  double x[3];
  toi_place_point(&at->hull, place, x);
  return toi_size_in(moving->norm, x) < moving->d - MARGIN;
}

/* At the start: HIT if within d, MISS if farther, OPEN if neither is proved. */
static toi_turning_planes_code code_at_start(const toi_moving *moving, moment *start) {
  guide_at(moving, 0, start);
  if (start->nearest.distance > moving->d + MARGIN && plane_ends(moving, start))
    return TOI_TURNING_PLANES_MISS;
  moment_at(moving, 0, start);
  if (start->nearest.distance < moving->d - MARGIN && !moving->d_tiny && point_within(moving, start))
    return TOI_TURNING_PLANES_HIT;
  toi_height height;
  toi_height_at(moving, 0, start->nearest.feature, &height);
  if (height.above)
    return TOI_TURNING_PLANES_MISS;
  return toi_within_at(moving, 0, start->nearest.feature) ? TOI_TURNING_PLANES_HIT : TOI_TURNING_PLANES_OPEN;
}

/* The rest of the step, farther than d at its start. */
static void search_step(separate_search *s) {
  const toi_known_contact *contact = s->contact;
  double last = contact->touches ? contact->t_lo : 1, end = last, tried = -1;
  if (contact->touches && s->moving->d_small && close_at_contact(s) == CLOSING_DONE)
    return;
  // Where there is a kernel, it has tried one plane for the whole step.
  if (!contact->touches && s->moving->count > 2)
    end = next_end(s, last, &tried);
  for (int plane = 0; plane < MOST_PLANES && end > s->a.t; plane++) {
    moment b;
    guide_at(s->moving, end, &b);
    bool beyond = b.nearest.distance > s->moving->d + MARGIN;
    if (beyond && advance(s, &b)) {
      if (end == 1 && !contact->touches) {
        s->answer->code = TOI_TURNING_PLANES_MISS;
        return;
      }
      end = last;
      continue;
    }
    if (!beyond) {
      if (close_before(s, &b, &end) != CLOSING_EARLY)
        return;
      last = end;
    }
    end = next_end(s, end, &tried);
  }
}

void toi_turning_planes(const toi_moving *moving, const toi_known_contact *contact, toi_turning_planes_answer *answer) {
  separate_search s = {.moving = moving, .contact = contact, .answer = answer};
  *answer = (toi_turning_planes_answer){TOI_TURNING_PLANES_OPEN, 0, 0, contact->touches ? contact->t_lo : NAN};
  toi_turning_planes_code start = code_at_start(moving, &s.a);
  if (start == TOI_TURNING_PLANES_HIT)
    answer->code = TOI_TURNING_PLANES_HIT;
  else if (start == TOI_TURNING_PLANES_MISS)
    search_step(&s);
}
