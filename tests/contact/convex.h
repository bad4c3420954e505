/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The truth about convex bodies that move, without the library: distances by support functions (Gilbert, Johnson and
 * Keerthi), times by conservative advancement.
 *
 * A body is the union of convex parts. A separating direction bounds their distance from below, and speeds are bounded,
 * so that no contact is earlier than the time at which the search for it stops; that they touch is told by parts that
 * have a point in common soon after. */

#ifndef TOI_TESTS_CONTACT_CONVEX_H
#define TOI_TESTS_CONTACT_CONVEX_H

#include "contact/stage.h"

#define PARTS_MOST 4
#define CORNERS_MOST 12

/* The hull of corners and of circles about z, with a ball around each of its points. */
typedef struct convex_part {
  size_t corners, circles;
  double corner[CORNERS_MOST][3];
  double circle[2][2]; /* radius and height */
  double ball;
  double cap;       /* a lens: two caps of the unit ball, so wide; 0: none */
  double dome;      /* the radius of a ball around the origin that belongs to the hull; 0: none */
  double centre[3]; /* a point inside */
} convex_part;

typedef struct convex_body {
  size_t kind, parts;
  convex_part part[PARTS_MOST];
  double reach;  /* no point is farther from the origin */
  double shrunk; /* towards the centres of its parts by this part of itself */
  double axis[3], angle, rate, from[3], velocity[3];
} convex_body;

static inline double dot_of(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The point farthest along n, in the body's own coordinates. */
static inline void farthest(const convex_part *p, const double n[3], double x[3]) {
  const double across = hypot(n[0], n[1]), length = sqrt(dot_of(n, n));
  double most = -INFINITY;
  for (size_t i = 0; i < p->corners; i++)
    if (dot_of(p->corner[i], n) > most) {
      most = dot_of(p->corner[i], n);
      memcpy(x, p->corner[i], sizeof p->corner[i]);
    }
  for (size_t i = 0; i < p->circles; i++) {
    const double at = p->circle[i][0] * across + p->circle[i][1] * n[2];
    if (at <= most)
      continue;
    most = at;
    x[0] = across > 0 ? p->circle[i][0] * n[0] / across : p->circle[i][0];
    x[1] = across > 0 ? p->circle[i][0] * n[1] / across : 0;
    x[2] = p->circle[i][1];
  }
  for (int k = 0; k < 3 && p->dome > 0 && p->dome * length > most; k++)
    x[k] = p->dome * n[k] / length;
  for (int k = 0; k < 3 && p->ball > 0; k++)
    x[k] += p->ball * n[k] / length;
  if (p->cap > 0) {
    // Within the cone of a cap's normals the ball, else the rim.
    const double side = n[2] < 0 ? -1 : 1;
    const bool inside = fabs(n[2]) >= cos(p->cap) * length;
    for (int k = 0; k < 3; k++)
      x[k] = n[k] / length - (k == 2 ? side * cos(p->cap) : 0);
    if (!inside) {
      x[0] = sin(p->cap) * n[0] / across;
      x[1] = sin(p->cap) * n[1] / across;
      x[2] = 0;
    }
  }
}

static inline void support(const convex_body *b, const convex_part *p, double t, const double n[3], double x[3]) {
  double own[3], at[3];
  turn(b->axis, -(b->angle + t * b->rate), n, own);
  farthest(p, own, at);
  for (int k = 0; k < 3; k++)
    at[k] -= b->shrunk * (at[k] - p->centre[k]);
  turn(b->axis, b->angle + t * b->rate, at, x);
  for (int k = 0; k < 3; k++)
    x[k] += b->from[k] + t * b->velocity[k];
}

/* --- the point of a simplex that is nearest to the origin --- */

typedef struct simplex {
  size_t count;
  double at[4][3], a[4][3]; /* of the difference, and of the first body */
} simplex;

static inline double volume_of(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static inline void less(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++)
    c[k] = a[k] - b[k];
}

/* Of a triangle: by the areas that the origin, brought into its plane, makes with its sides. */
static inline void weigh_triangle(const double a[3], const double b[3], const double c[3], double weights[4]) {
  double ab[3], ac[3], n[3];
  less(b, a, ab);
  less(c, a, ac);
  for (int k = 0; k < 3; k++)
    n[k] = ab[(k + 1) % 3] * ac[(k + 2) % 3] - ab[(k + 2) % 3] * ac[(k + 1) % 3];
  const double square = dot_of(n, n);
  weights[0] = volume_of(n, b, c) / square;
  weights[1] = volume_of(n, c, a) / square;
  weights[2] = volume_of(n, a, b) / square;
}

/* Barycentric coordinates of the point nearest to the origin, of the line, plane or space through some corners; false:
 * it is not between them. */
static inline bool weigh(const simplex *s, const size_t *of, size_t count, double weights[4]) {
  const double *a = s->at[of[0]], *b = s->at[of[count > 1]], *c = s->at[of[count > 2 ? 2 : 0]],
               *d = s->at[of[count > 3 ? 3 : 0]];
  double ab[3], ac[3], ad[3];
  less(b, a, ab);
  less(c, a, ac);
  less(d, a, ad);
  weights[0] = 1;
  if (count == 2) {
    weights[1] = -dot_of(a, ab) / dot_of(ab, ab);
    weights[0] = 1 - weights[1];
  } else if (count == 3) {
    weigh_triangle(a, b, c, weights);
  } else if (count == 4) {
    const double all = volume_of(ab, ac, ad);
    weights[0] = volume_of(b, c, d) / all;
    weights[1] = -volume_of(a, c, d) / all;
    weights[2] = volume_of(a, b, d) / all;
    weights[3] = -volume_of(a, b, c) / all;
  }
  for (size_t i = 0; i < count; i++)
    if (!(weights[i] >= 0))
      return false;
  return true;
}

/* Keeps the corners that hold it; the point, and that of the first body. */
static inline void nearest(simplex *s, double v[3], double on_first[3]) {
  simplex best = {.count = 0};
  double least = INFINITY;
  for (unsigned set = 1; set < 1u << s->count; set++) {
    size_t of[4], count = 0;
    double weights[4], point[3] = {0, 0, 0}, first[3] = {0, 0, 0};
    for (size_t i = 0; i < s->count; i++)
      if (set >> i & 1)
        of[count++] = i;
    if (!weigh(s, of, count, weights))
      continue;
    for (size_t i = 0; i < count; i++)
      for (int k = 0; k < 3; k++) {
        point[k] += weights[i] * s->at[of[i]][k];
        first[k] += weights[i] * s->a[of[i]][k];
      }
    if (!(dot_of(point, point) < least))
      continue;
    least = dot_of(point, point);
    best.count = count;
    for (size_t i = 0; i < count; i++) {
      memcpy(best.at[i], s->at[of[i]], sizeof best.at[i]);
      memcpy(best.a[i], s->a[of[i]], sizeof best.a[i]);
    }
    memcpy(v, point, sizeof point);
    memcpy(on_first, first, sizeof first);
  }
  *s = best;
}

/* The volume of a simplex of four corners, six times, beside the cube of its size: that of a flat one is rounding. */
static inline double fullness(const simplex *s) {
  double e[3][3], product[3], size = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      e[i][k] = s->at[i + 1][k] - s->at[0][k];
      size = fmax(size, fabs(e[i][k]));
    }
  for (int k = 0; k < 3; k++)
    product[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
  return fabs(dot_of(product, e[2])) / (size * size * size);
}

/* Bounds of a distance, and a point close to both. */
typedef struct gap {
  double lower, upper, near[3];
} gap;

static inline gap part_gap(const convex_body *a, const convex_part *p, const convex_body *b, const convex_part *q,
                           double t) {
  double v[3] = {1, 0.3, 0.2};
  gap g = {0, INFINITY, {0, 0, 0}};
  simplex s = {.count = 0};
  for (int step = 0; step < 200; step++) {
    double down[3] = {-v[0], -v[1], -v[2]}, x[3], y[3], w[3];
    support(a, p, t, down, x);
    support(b, q, t, v, y);
    for (int k = 0; k < 3; k++)
      w[k] = x[k] - y[k];
    const double length = sqrt(dot_of(v, v)), along = dot_of(v, w) / length;
    if (step > 0)
      g.lower = fmax(g.lower, along);
    if (step > 0 && length - along <= 1e-13 + 1e-12 * length)
      break;
    memcpy(s.at[s.count], w, sizeof w);
    memcpy(s.a[s.count++], x, sizeof x);
    const double full = s.count == 4 ? fullness(&s) : 1;
    nearest(&s, v, g.near);
    if (s.count == 0 || (s.count == 4 && full < 1e-9))
      break;
    g.upper = s.count == 4 ? 0 : sqrt(dot_of(v, v));
    if (g.upper < 1e-14)
      break;
  }
  return g;
}

static inline gap body_gap(const convex_body *a, const convex_body *b, double t) {
  gap least = {INFINITY, INFINITY, {0, 0, 0}};
  for (size_t i = 0; i < a->parts; i++)
    for (size_t j = 0; j < b->parts; j++) {
      const gap g = part_gap(a, &a->part[i], b, &b->part[j], t);
      if (g.upper < least.upper)
        memcpy(least.near, g.near, sizeof g.near);
      least.upper = fmin(least.upper, g.upper);
      least.lower = fmin(least.lower, g.lower);
    }
  return least;
}

/* What is true of two bodies over [0, 1]. */
typedef struct convex_truth {
  bool touches, grazes; /* they have common points right after t; or come close and may not */
  bool unsure;          /* the place is: they come together slowly, or rounding hid how */
  double t, later;      /* no contact is before t; one is before `later` */
  double least;         /* distance that was seen */
  double near[3];       /* where */
} convex_truth;

#define TOUCHING 1e-10

/* Bodies that still have a point in common when they are smaller by this part are taken to intersect. */
#define DEEP 1e-8

/* If that is later than this after they touch, their place is not known well. */
#define SLOW 1e-5

static inline void set_centres(convex_body *b) {
  for (size_t i = 0; i < b->parts; i++) {
    convex_part *p = &b->part[i];
    const double count = (double)(p->corners + p->circles) + (p->dome > 0);
    for (size_t n = 0; n < p->corners; n++)
      for (int k = 0; k < 3; k++)
        p->centre[k] += p->corner[n][k] / count;
    for (size_t n = 0; n < p->circles; n++)
      p->centre[2] += p->circle[n][1] / count;
  }
}

/* Whether they are one inside the other by some depth. */
static inline bool is_deep(const convex_body *a, const convex_body *b, double t) {
  convex_body small[2] = {*a, *b};
  small[0].shrunk = small[1].shrunk = DEEP;
  return body_gap(&small[0], &small[1], t).upper < 1e-14;
}

static inline convex_truth advance(const convex_body *a, const convex_body *b) {
  double velocity[3];
  for (int k = 0; k < 3; k++)
    velocity[k] = a->velocity[k] - b->velocity[k];
  const double speed = sqrt(dot_of(velocity, velocity)) + fabs(a->rate) * a->reach + fabs(b->rate) * b->reach + 1e-12;
  convex_truth now = {.least = INFINITY};
  for (int step = 0; step < 20000 && now.t <= 1; step++) {
    const gap g = body_gap(a, b, now.t);
    now.least = fmin(now.least, g.lower);
    memcpy(now.near, g.near, sizeof g.near);
    if (g.lower < TOUCHING)
      break;
    now.t += g.lower / speed;
  }
  if (now.t > 1)
    return now;
  now.later = 1e-7;
  while (!now.touches && now.later < 1e-2) {
    now.later *= 4;
    now.touches = is_deep(a, b, now.t + now.later);
  }
  now.unsure = now.later > SLOW;
  now.later += now.t;
  now.grazes = !now.touches;
  return now;
}

#endif
