/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where they touch: contact parameters, point and normal of a first contact.
 *
 * Which areas and corners vanish is known exactly (toi_exact_contact), and so is the case that applies. Only then are
 * numbers rounded: integers evaluated at a dyadic time that is refined until they hardly change over its interval. All
 * quotients are of the kind d0 / (d0 + d1 + ...) with no d negative, so nothing cancels. Magnitudes are kept as
 * mantissa and exponent, so that no scale overflows.
 *
 * Where the hull has area at t*, 0 has one representation: for a triangle corner weights in the ratio of the areas
 * opposite to them, for a parallelogram v = a0 / (a0 + a2) and u = a3 / (a3 + a1). Where it has none, the
 * representations of 0 by (u, v) are a convex polygon whose extreme points have all weight on a corner that is 0, or on
 * a boundary segment with ends strictly on either side of 0; the smallest u, then v, is one of these. `choices` lists
 * them in that order; two that both have 0 < u < 1 are compared exactly. */

#include <float.h>
#include <math.h>

#include "narrow/exact_hull.h"

/* m 2^e, m = 0 or 1/2 <= |m| <= 1. */
typedef struct scaled {
  double m;
  int e;
} scaled;

/* Bits to which values have to be known, and relative size below which a difference of rounded values counts as
 * zero. */
#define SETTLED_BITS 44
#define SPARE_BITS 64 /* that an interval is narrowed by beyond what seems to be needed */
#define NOISE 0x1p-40

/* A form at the lower end of the time's interval, which is refined where more matters. */
static scaled form_at(toi_arena *arena, const toi_integer_form *form, const toi_algebraic *time) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial p = toi_integer_form_power(arena, form);
  toi_estimate estimate = toi_algebraic_estimate(arena, time, &p);
  toi_arena_release(arena, mark);
  return (scaled){estimate.m, estimate.e};
}

/* The numbers relative to the largest of them, in doubles; returns its exponent. */
static int level(const scaled *s, int count, double *out) {
  int top = INT32_MIN;
  for (int i = 0; i < count; i++)
    top = s[i].m != 0 && s[i].e > top ? s[i].e : top;
  for (int i = 0; i < count; i++)
    out[i] = s[i].m != 0 && s[i].e - top > -2000 ? ldexp(s[i].m, s[i].e - top) : 0;
  return top;
}

/* The magnitudes of polynomials with known signs at the time, up to a common factor: not negative, not all zero. */
static void measure(toi_arena *arena, toi_algebraic *time, const toi_polynomial *const *p, const int8_t *signs,
                    int count, double *out) {
  scaled s[TOI_MOST_CORNERS] = {{0, 0}};
  int least;
  do {
    least = SETTLED_BITS;
    for (int i = 0; i < count; i++) {
      if (signs[i] != 0) {
        toi_estimate estimate = toi_algebraic_estimate(arena, time, p[i]);
        least = estimate.bits < least ? estimate.bits : least;
        s[i] = (scaled){fabs(estimate.m), estimate.e};
      }
    }
  } while (least < SETTLED_BITS && toi_algebraic_refine_by(arena, time, (uint32_t)(SETTLED_BITS - least) + SPARE_BITS));
  // Should the limit leave no value, the signs are still known.
  bool known = level(s, count, out) != INT32_MIN;
  for (int i = 0; i < count && !known; i++)
    out[i] = signs[i] != 0;
}

/* --- contact parameters --- */

/* A corner (i = j) or a boundary segment that may hold 0 alone; i has the smaller u, or v. */
typedef struct choice {
  int8_t i, j;
} choice;

#define MOST_CHOICES 8
#define NO_CHOICE                                                                                                      \
  { -1, -1 }

/* In the order of u, then v. Two neighbours of different corners with 0 < u < 1 compete. */
static const choice choices[TOI_KIND_COUNT][MOST_CHOICES] = {
    [TOI_VERTEX_FACE] = {{0, 0}, {0, 2}, {2, 2}, {0, 1}, {2, 1}, {1, 1}, NO_CHOICE, NO_CHOICE},
    [TOI_EDGE_EDGE] = {{0, 0}, {0, 3}, {3, 3}, {0, 1}, {3, 2}, {1, 1}, {1, 2}, {2, 2}},
    [TOI_VERTEX_EDGE] = {{0, 0}, {0, 1}, {1, 1}, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE},
    [TOI_VERTEX_VERTEX] = {{0, 0}, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE, NO_CHOICE},
};

/* Whether a choice holds 0: a corner that is 0, a segment whose ends are strictly on either side of it. */
static bool holds(const toi_exact_contact *contact, choice c) {
  if (c.i < 0)
    return false;
  const int8_t *p = contact->corner_sign[c.i], *q = contact->corner_sign[c.j];
  bool corner = c.i == c.j;
  int opposite = 0, same = 0;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    opposite += p[axis] * q[axis] < 0;
    same += p[axis] * q[axis] > 0;
  }
  return corner ? same == 0 : opposite > 0;
}

/* An axis on which a corner that is not 0 shows it. */
static int axis_of(const toi_exact_contact *contact, int corner) {
  int axis = 0;
  while (axis < TOI_AXES - 1 && contact->corner_sign[corner][axis] == 0)
    axis++;
  return axis;
}

/* Of two segments with 0 < u < 1 the one with the smaller u: its first corner is closer to 0, the other corners being
 * equally far (triangle: the same one) or the segments equally long (parallelogram). */
static choice nearer(toi_exact_hull *hull, const toi_exact_first *first, choice a, choice b) {
  int axis = axis_of(&first->contact, a.i);
  toi_limb *mark = toi_arena_mark(hull->arena);
  toi_integer_form lead = toi_integer_form_subtract(hull->arena, &hull->corner[b.i][axis], &hull->corner[a.i][axis]);
  int sign = toi_algebraic_sign_form(hull->arena, &first->time, &lead) * first->contact.corner_sign[a.i][axis];
  toi_arena_release(hull->arena, mark);
  return sign < 0 ? b : a;
}

static choice choose(toi_exact_hull *hull, const toi_exact_first *first) {
  const choice *list = choices[hull->kind];
  for (int n = 0; n < MOST_CHOICES; n++) {
    if (!holds(&first->contact, list[n]))
      continue;
    // Places 3 and 4 of the list are the pair that competes, where there is one.
    bool rival = n == 3 && holds(&first->contact, list[4]) && list[4].i != list[4].j;
    return rival ? nearer(hull, first, list[3], list[4]) : list[n];
  }
  assert(false);
  return list[0];
}

static void place_on_line(toi_exact_hull *hull, toi_exact_first *first, choice c, toi_hit *hit) {
  const toi_corner *corners = toi_corners(hull->kind);
  double part = 0;
  if (c.i != c.j) {
    int axis = axis_of(&first->contact, c.i);
    toi_polynomial p[2] = {toi_integer_form_power(hull->arena, &hull->corner[c.i][axis]),
                           toi_integer_form_power(hull->arena, &hull->corner[c.j][axis])};
    int8_t signs[2] = {first->contact.corner_sign[c.i][axis], first->contact.corner_sign[c.j][axis]};
    double d[2] = {0};
    measure(hull->arena, &first->time, (const toi_polynomial *const[]){&p[0], &p[1]}, signs, 2, d);
    part = d[0] / (d[0] + d[1]);
  }
  const toi_corner *i = &corners[c.i], *j = &corners[c.j];
  hit->u = i->u == j->u ? i->u : i->u < j->u ? part : 1 - part;
  hit->v = i->v == j->v ? i->v : i->v < j->v ? part : 1 - part;
}

static void place_in_area(toi_exact_hull *hull, toi_exact_first *first, toi_hit *hit) {
  const toi_polynomial *areas[TOI_MOST_CORNERS];
  double d[TOI_MOST_CORNERS] = {0};
  for (int k = 0; k < hull->count; k++)
    areas[k] = toi_exact_hull_power(hull, k, first->contact.axis);
  measure(hull->arena, &first->time, areas, first->contact.area_sign, hull->count, d);
  if (hull->count == 3) {
    double sum = d[0] + d[1] + d[2];
    hit->u = d[2] / sum;
    hit->v = d[0] / sum;
    hit->v = hit->u + hit->v > 1 || d[1] == 0 ? 1 - hit->u : hit->v;
  } else {
    hit->u = d[3] / (d[3] + d[1]);
    hit->v = d[0] / (d[0] + d[2]);
  }
}

/* --- point --- */

/* Weights of the corners, and of the points of the second primitive, from u and v. */
static void weights_of(const toi_exact_hull *hull, const toi_hit *hit, double corner[4], double second[3]) {
  double u = hit->u, v = hit->v;
  switch (hull->kind) {
  case TOI_VERTEX_FACE:
    corner[0] = second[0] = fmax(0, 1 - u - v);
    corner[1] = second[1] = u;
    corner[2] = second[2] = v;
    break;
  case TOI_EDGE_EDGE:
    corner[0] = (1 - u) * (1 - v);
    corner[1] = u * (1 - v);
    corner[2] = u * v;
    corner[3] = (1 - u) * v;
    second[0] = 1 - v;
    second[1] = v;
    break;
  default:
    corner[0] = second[0] = 1 - u;
    corner[1] = second[1] = u;
  }
}

static void place_point(const toi_exact_hull *hull, double t, const double second[3], toi_hit *hit) {
  int points = (int)toi_kind_points(hull->kind), skip = hull->kind == TOI_EDGE_EDGE ? 2 : 1;
  for (int axis = 0; axis < TOI_AXES; axis++) {
    double sum = 0, least = DBL_MAX, most = -DBL_MAX;
    for (int i = skip; i < points; i++) {
      double start = hull->query[TOI_AXES * i + axis], end = hull->query[TOI_AXES * (points + i) + axis];
      sum += second[i - skip] * ((1 - t) * start + t * end);
      least = fmin(least, fmin(start, end));
      most = fmax(most, fmax(start, end));
    }
    // Rounding may not leave the box of the points, nor the range of doubles.
    hit->point[axis] = fmin(fmax(sum, least), most);
  }
}

/* --- normal --- */

static void normalise(const double n[TOI_AXES], double sign, toi_hit *hit) {
  double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (int axis = 0; axis < TOI_AXES && length > 0; axis++)
    hit->normal[axis] = sign * n[axis] / length + 0.0;
}

/* The vector from point i to point j of the query at time t, up to rounding, and bounds on its components over the
 * step. */
static void edge_at(const toi_exact_hull *hull, const int ends[2], double t, double at[TOI_AXES],
                    double most[TOI_AXES]) {
  const double *from = hull->query + TOI_AXES * ends[0], *to = hull->query + TOI_AXES * ends[1];
  int later = TOI_AXES * (int)toi_kind_points(hull->kind);
  for (int axis = 0; axis < TOI_AXES; axis++) {
    double start = to[axis] - from[axis], end = to[later + axis] - from[later + axis];
    at[axis] = (1 - t) * start + t * end;
    most[axis] = fmax(fabs(start), fabs(end));
  }
}

/* The normal of the hull from its edges in doubles, if little cancels and nothing overflows; false otherwise. */
static bool quick_normal(const toi_exact_hull *hull, double t, double n[TOI_AXES]) {
  enum { CANCELLED_BITS = 11 };
  static const int edges[2][2][2] = {{{1, 2}, {1, 3}}, {{0, 1}, {3, 2}}};
  double p[TOI_AXES], q[TOI_AXES], most_p[TOI_AXES], most_q[TOI_AXES], size = 0, bound = 0;
  edge_at(hull, edges[hull->count == 4][0], t, p, most_p);
  edge_at(hull, edges[hull->count == 4][1], t, q, most_q);
  for (int axis = 0; axis < TOI_AXES; axis++) {
    int y = (axis + 1) % TOI_AXES, z = (axis + 2) % TOI_AXES;
    n[axis] = p[y] * q[z] - p[z] * q[y];
    size = fmax(size, fabs(n[axis]));
    bound = fmax(bound, most_p[y] * most_q[z] + most_p[z] * most_q[y]);
  }
  return size > 0x1p-400 && size < 0x1p400 && size >= ldexp(bound, -CANCELLED_BITS);
}

/* The hull's normal at t*, on the side of the first primitive. */
static void normal_of_hull(toi_exact_hull *hull, const toi_exact_first *first, toi_hit *hit) {
  double n[TOI_AXES];
  if (hull->query == NULL || !quick_normal(hull, first->bracket[0], n)) {
    scaled s[TOI_AXES];
    for (int axis = 0; axis < TOI_AXES; axis++) {
      toi_integer_form form = toi_exact_hull_normal(hull, axis);
      s[axis] = form_at(hull->arena, &form, &first->time);
      // Products of the two other axes carry their scales: as good as the own scale divided out.
      s[axis].e -= hull->exponent[axis];
    }
    level(s, TOI_AXES, n);
  }
  normalise(n, first->side, hit);
}

/* How fast the corners pass 0: the weighted sum of their derivatives, in units of the largest component. */
static void velocity(toi_exact_hull *hull, const toi_algebraic *time, const double weight[TOI_MOST_CORNERS],
                     double out[TOI_AXES]) {
  scaled total[TOI_AXES];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    scaled s[TOI_MOST_CORNERS] = {{0, 0}};
    double d[TOI_MOST_CORNERS], sum = 0, size = 0;
    for (int k = 0; k < hull->count; k++) {
      if (!(weight[k] > 0))
        continue;
      toi_limb *mark = toi_arena_mark(hull->arena);
      toi_integer_form derivative = toi_integer_form_derivative(hull->arena, &hull->corner[k][axis]);
      s[k] = form_at(hull->arena, &derivative, time);
      toi_arena_release(hull->arena, mark);
    }
    int top = level(s, hull->count, d);
    for (int k = 0; k < hull->count; k++) {
      sum += weight[k] * d[k];
      size += fabs(weight[k] * d[k]);
    }
    total[axis].m = fabs(sum) > NOISE * size ? sum : 0;
    total[axis].e = total[axis].m != 0 ? top + hull->exponent[axis] : 0;
  }
  level(total, TOI_AXES, out);
}

/* Against the motion, without its part along the boundary segment that they touch in, if it is one (i != j). */
static void normal_of_motion(toi_exact_hull *hull, const toi_exact_first *first, choice c,
                             const double weight[TOI_MOST_CORNERS], toi_hit *hit) {
  double n[TOI_AXES], d[TOI_AXES], along = 0, length = 0, size = 0, rest = 0;
  velocity(hull, &first->time, weight, n);
  scaled s[TOI_AXES];
  for (int axis = 0; axis < TOI_AXES; axis++) {
    toi_limb *mark = toi_arena_mark(hull->arena);
    toi_integer_form edge = toi_integer_form_subtract(hull->arena, &hull->corner[c.j][axis], &hull->corner[c.i][axis]);
    s[axis] = form_at(hull->arena, &edge, &first->time);
    s[axis].e += hull->exponent[axis];
    toi_arena_release(hull->arena, mark);
  }
  level(s, TOI_AXES, d);
  for (int axis = 0; axis < TOI_AXES; axis++) {
    along += n[axis] * d[axis];
    length += d[axis] * d[axis];
    size += n[axis] * n[axis];
  }
  for (int axis = 0; axis < TOI_AXES; axis++) {
    n[axis] -= length > 0 ? along / length * d[axis] : 0;
    rest += n[axis] * n[axis];
  }
  if (rest > NOISE * NOISE * size)
    normalise(n, -1, hit);
}

/* The boundary segment of a contact in an area: the one whose area is zero, if it is the only one. */
static choice boundary_of(const toi_exact_hull *hull, const toi_exact_contact *contact) {
  choice c = {0, 0};
  int zeros = 0;
  for (int k = 0; k < hull->count; k++) {
    if (contact->area_sign[k] == 0) {
      zeros++;
      c = (choice){(int8_t)k, (int8_t)toi_exact_next(hull, k)};
    }
  }
  return zeros == 1 ? c : (choice){0, 0};
}

void toi_exact_place_in_hull(toi_exact_hull *hull, toi_exact_first *first, double second[3], toi_hit *hit) {
  bool area = first->contact.axis >= 0;
  choice c;
  if (area) {
    c = boundary_of(hull, &first->contact);
    place_in_area(hull, first, hit);
  } else {
    c = choose(hull, first);
    place_on_line(hull, first, c, hit);
  }
  double weight[TOI_MOST_CORNERS] = {0};
  weights_of(hull, hit, weight, second);
  if (first->bracket[1] == 0)
    return;
  if (area && first->side != 0)
    normal_of_hull(hull, first, hit);
  else
    normal_of_motion(hull, first, c, weight, hit);
}

void toi_exact_place(toi_exact_hull *hull, toi_exact_first *first, toi_hit *hit) {
  double second[3] = {0};
  toi_exact_place_in_hull(hull, first, second, hit);
  place_point(hull, first->bracket[0], second, hit);
}
