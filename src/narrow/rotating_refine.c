/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A root of the coplanarity, narrowed in twofold numbers.
 *
 * Claim: the computed value at a double t in [0, 1] is off by less than 1024 u^2 times the magnitude of the coplanarity
 * (rotating_forms.h), u = 2^-53. Why: entries of the table are off by 2^-104 = 4 u^2; twofold products by 8 u^2 of
 * their magnitude, sums by 3 u^2 of that of their terms (twofold.h; lo may be 2 u |hi| in the table, for which there is
 * room); differences of two doubles, and 1 - t, are exact.
 * Summed up along the longest path, in u^2 of the magnitude:
 * - the table 4, its product with a coordinate, or a difference or product of two, 8 + 11, three sums 9;
 * - the cross product with f: 8 + 3; the sum of both: 3;
 * - times the normal, or an edge: 8 + 11; two sums: 6;
 * - powers of t and 1 - t, and the product: 5 * 8 + 8; five sums: 15.
 * Together 134. The forms' coefficients, which are Bernstein coefficients times binomials, enter with the weights (1 -
 * t)^(5-i) t^i, so that magnitudes are averages of those in rotating_forms.h. Underflow is as far away as there: what
 * is lost of a product is less than 2^-1074. */

#define TOI_LANES 1
#include "number/twofold.h"

#include "narrow/rotating_forms.h"

#define ERROR (1024 * TOI_TURN_U * TOI_TURN_U)

/* At most this wide. */
#define WIDTH 0x1p-48

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS };

typedef struct source {
  const toi_turn_part *hi, *lo;
} source;

#define ENTRY(from, member) ((twofold){(from)->hi->member, (from)->lo->member})

static twofold difference(double a, double b) {
  twofold d;
  d.hi = sum_exact(a, -b, &d.lo);
  return d;
}

static twofold times_double(twofold a, double b) {
  return twofold_mul(a, (twofold){b, 0});
}

/* Component of a x b. */
static twofold cross(const twofold a[3], const twofold b[3], int axis) {
  int y = (axis + 1) % 3, z = (axis + 2) % 3;
  return twofold_sub(twofold_mul(a[y], b[z]), twofold_mul(a[z], b[y]));
}

static twofold dot(const twofold a[3], const twofold b[3]) {
  twofold sum = twofold_add(twofold_mul(a[0], b[0]), twofold_mul(a[1], b[1]));
  return twofold_add(sum, twofold_mul(a[2], b[2]));
}

/* n . (T + R p - W f0). */
static void of_face(const toi_rotating *query, const source *from, twofold out[COEFFICIENTS]) {
  const double *v = query->points, *f = v + 3;
  twofold d[3], e[3], n[3], corner[3];
  for (int axis = 0; axis < 3; axis++) {
    d[axis] = difference(f[3 + axis], f[axis]);
    e[axis] = difference(f[6 + axis], f[axis]);
  }
  for (int axis = 0; axis < 3; axis++)
    n[axis] = cross(d, e, axis);
  for (int j = 0; j < COEFFICIENTS; j++) {
    for (int axis = 0; axis < 3; axis++) {
      twofold sum = twofold_sub(ENTRY(from, t[axis][j]), times_double(ENTRY(from, w[j]), f[axis]));
      for (int i = 0; i < 3; i++)
        sum = twofold_add(sum, times_double(ENTRY(from, r[axis][i][j]), v[i]));
      corner[axis] = sum;
    }
    out[j] = dot(n, corner);
  }
}

/* (eb0 - eb1) . (S d + R (a0 x d) - eb0 x R d). */
static void of_edges(const toi_rotating *query, const source *from, twofold out[COEFFICIENTS]) {
  const double *a = query->points, *b = a + 6;
  twofold d[3], e[3], a0[3], b0[3], m[3];
  for (int axis = 0; axis < 3; axis++) {
    d[axis] = difference(a[3 + axis], a[axis]);
    e[axis] = difference(b[axis], b[3 + axis]);
    a0[axis] = (twofold){a[axis], 0};
    b0[axis] = (twofold){b[axis], 0};
  }
  for (int axis = 0; axis < 3; axis++)
    m[axis] = cross(a0, d, axis);
  for (int j = 0; j < COEFFICIENTS; j++) {
    twofold direction[3], moment[3], area[3];
    for (int axis = 0; axis < 3; axis++) {
      twofold r[3], s[3];
      for (int i = 0; i < 3; i++) {
        r[i] = ENTRY(from, r[axis][i][j]);
        s[i] = ENTRY(from, s[axis][i][j]);
      }
      direction[axis] = dot(r, d);
      moment[axis] = twofold_add(dot(s, d), dot(r, m));
    }
    for (int axis = 0; axis < 3; axis++)
      area[axis] = twofold_sub(moment[axis], cross(b0, direction, axis));
    out[j] = dot(e, area);
  }
}

/* The sum of c_i (1 - t)^(5-i) t^i. */
static twofold value_at(const twofold c[COEFFICIENTS], double t) {
  twofold s = difference(1, t), x = {t, 0}, power = x, sum = c[0];
  for (int i = 1; i < COEFFICIENTS; i++) {
    sum = twofold_add(twofold_mul(sum, s), twofold_mul(c[i], power));
    power = twofold_mul(power, x);
  }
  return sum;
}

/* The certain sign at t; 0 if it is not known. */
static int sign_at(const twofold c[COEFFICIENTS], double t, double error) {
  double value = value_at(c, t).hi;
  return value > error ? 1 : value < -error ? -1 : 0;
}

bool toi_turn_refine(const toi_rotating *query, const toi_turn_forms *forms, const double zone[2], double guess,
                     int side, double bracket[2]) {
  enum { STEPS = 2 };
  const source from = {&query->pair->hi, &query->pair->lo};
  twofold c[COEFFICIENTS];
  if (query->kind == TOI_EDGE_EDGE)
    of_edges(query, &from, c);
  else
    of_face(query, &from, c);
  // Newton's steps from the guess, with a slope in doubles.
  double slope = toi_turn_slope(forms->coplanarity, guess), error = 2 * ERROR * forms->size, t = guess;
  for (int step = 0; step < STEPS; step++) {
    double next = t - value_at(c, t).hi / slope;
    t = next > zone[0] && next < zone[1] ? next : t;
  }
  // Ends a few units in the last place away, or further if the sign is not certain there.
  double width = 0x1p-51 * t;
  while (width < WIDTH / 2) {
    bracket[0] = t - width;
    bracket[1] = t + width;
    if (!(bracket[0] > zone[0]) || !(bracket[1] < zone[1]))
      return false;
    if (sign_at(c, bracket[0], error) == side && sign_at(c, bracket[1], error) == -side)
      return bracket[0] > 0 && bracket[1] - bracket[0] <= WIDTH;
    width *= 4;
  }
  return false;
}
