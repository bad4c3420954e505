/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes that touch along a curve or over a region, each with its derivation; they touch at t = 1/2, exactly. */

#ifndef TOI_TESTS_CONTACT_SETS_H
#define TOI_TESTS_CONTACT_SETS_H

#include "contact/stage.h"

#define TWO_PI 6.283185307179586

/* --- circles around z --- */

#define CIRCLE_SAMPLES 2000

static inline void circle_at(double radius, double height, size_t i, double at[3]) {
  double angle = TWO_PI * (double)i / CIRCLE_SAMPLES;
  at[0] = radius * cos(angle);
  at[1] = radius * sin(angle);
  at[2] = height;
}

static inline double circle_distance(double radius, double height, const double p[3]) {
  return hypot(hypot(p[0], p[1]) - radius, p[2] - height);
}

static inline void cone_sample(size_t i, double at[3]) {
  circle_at(1.8, 1.6, i, at);
}

static inline double cone_distance(const double p[3]) {
  return circle_distance(1.8, 1.6, p);
}

/* The cone's profile, radius r at height z, is 4 r + 3 z = 12; a point is (4 r + 3 z - 12) / 5 away from it. The torus
 * has its core at radius 2 and a tube of 1/4: 8 + 3 z - 12 = 5/4 where its centre is at z = 7/4. It touches along the
 * circle at (2, 7/4) - 1/4 (0.8, 0.6) = (1.8, 1.6). The apex, at 4, stands in the hole. */
static inline void torus_on_cone(stage *s, truth *known) {
  toi_motion *m = enter_library(s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, (double[]){2, 0.25});
  enter_library(s, TOI_SHAPE_CONE, TOI_SHAPE_FORM_DEFAULT, (double[]){3, 4});
  approach(s, m, (double[]){0, 0, 1.75}, (double[]){0, 0, 2.5}, 0.5);
  *known =
      (truth){.t = 0.5, .samples = CIRCLE_SAMPLES, .spacing = 0.5, .sample = cone_sample, .distance = cone_distance};
}

static inline void tori_sample(size_t i, double at[3]) {
  circle_at(2.45, 0.6, i, at);
}

static inline double tori_distance(const double p[3]) {
  return circle_distance(2.45, 0.6, p);
}

/* Rings of radius 2 and 11/4 with tubes of 3/4 and 1/2 around the same axis: the cores are 5/4 apart when one is 1
 * above the other, as 3/4 is the rest. Contact along the circle at (2, 0) + 3/4 (0.6, 0.8) = (2.45, 0.6). */
static inline void tori_aligned(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, (double[]){2, 0.75});
  toi_motion *m = enter_library(s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, (double[]){2.75, 0.5});
  approach(s, m, (double[]){0, 0, 1}, (double[]){0, 0, 2}, 0.5);
  *known =
      (truth){.t = 0.5, .samples = CIRCLE_SAMPLES, .spacing = 0.5, .sample = tori_sample, .distance = tori_distance};
}

/* --- a tube that swells onto a cushion --- */

#define TUBE_SAMPLES 500

static inline void tube_sample(size_t i, double at[3]) {
  at[0] = 2 * (double)i / (TUBE_SAMPLES - 1) - 1;
  at[1] = 0;
  at[2] = 0.25 * at[0] * at[0];
}

/* At most this far from the curve: to the point at the same x, or at the end. */
static inline double tube_distance(const double p[3]) {
  double x = fmin(fmax(p[0], -1), 1);
  return distance_of(p, (const double[]){x, 0, 0.25 * x * x});
}

/* The cushion is z = x^2 / 4 + y^2 / 8. At each x in [-1, 1] the tube is a circle of radius q = (1 + t) / 2 whose
 * centre is 3/4 above (x, 0, x^2 / 4). Its lower half is 3/4 - sqrt(q^2 - y^2) >= 3/4 - q + y^2 / 2q above x^2 / 4, the
 * cushion y^2 / 8, which is less as long as q < 3/4, and equal only for y = 0 where q = 3/4: at t = 1/2, along all of
 * the parabola, the ends of the tube among it. */
static inline void tube_on_cushion(stage *s, truth *known) {
  toi_formula *f = NULL;
  toi_shape *cushion = NULL, *tube = NULL;
  well(s, toi_shape_height_field(s->context, "0.25*u^2 + 0.125*v^2", (toi_interval){-1.5, 1.5},
                                 (toi_interval){-1.5, 1.5}, &cushion));
  enter(s, cushion);
  well(s, toi_formula_create(s->context, (const char *const[]){"u", "v", "t"}, 3, &f));
  // Once around and a bit, as pi is no double; the seam is far from the contact.
  toi_parametric p = {.formula = f, .u = {-1, 1}, .v = {-3.1415926535897936, 3.1415926535897936}, .edges = TOI_EDGES_U};
  p.at[0] = toi_formula_parse(f, "u");
  p.at[1] = toi_formula_parse(f, "(0.5 + 0.5*t)*cos(v)");
  p.at[2] = toi_formula_parse(f, "0.75 + 0.25*u^2 + (0.5 + 0.5*t)*sin(v)");
  well(s, toi_formula_status(f));
  well(s, toi_shape_parametric(s->context, &p, &tube));
  enter(s, tube);
  toi_formula_destroy(f);
  *known =
      (truth){.t = 0.5, .samples = TUBE_SAMPLES, .spacing = 0.25, .sample = tube_sample, .distance = tube_distance};
}

/* --- clamped sines --- */

#define SQUARE_SIDE 12
#define SQUARE_SAMPLES (6 * SQUARE_SIDE * SQUARE_SIDE)
#define SQUARE_LO (1.0 / 6 + 0.125)
#define SQUARE_HI (5.0 / 6)

static inline void squares_sample(size_t i, double at[3]) {
  size_t square = i / (SQUARE_SIDE * SQUARE_SIDE), row = i / SQUARE_SIDE % SQUARE_SIDE, column = i % SQUARE_SIDE;
  double step = (SQUARE_HI - SQUARE_LO) / (SQUARE_SIDE - 1);
  size_t across = square % 3, up = square / 3;
  at[0] = 2.0 * (double)across + SQUARE_LO + step * (double)row;
  at[1] = 2.0 * (double)up + SQUARE_LO + step * (double)column;
  at[2] = 1;
}

static inline double squares_distance(const double p[3]) {
  double least = INFINITY;
  for (int square = 0; square < 6; square++) {
    double x = 2.0 * (square % 3), y = square < 3 ? 0 : 2;
    const double nearest[3] = {fmin(fmax(p[0], x + SQUARE_LO), x + SQUARE_HI),
                               fmin(fmax(p[1], y + SQUARE_LO), y + SQUARE_HI), 1};
    least = fmin(least, distance_of(p, nearest));
  }
  return least;
}

/* z = min(1/2, sin pi u) + min(1/2, sin pi v) is at most 1, and 1 just where both sines are at least 1/2: for u and v
 * in [1/6, 5/6] and every 2 further on, six squares in [0, 6] x [0, 4]. The same field upside down, shifted by 1/8
 * along both axes, comes down: it meets the first where both are at their heights, on [1/6 + 1/8, 5/6] in each period,
 * all at once. */
static inline void clamped_sines(stage *s, truth *known) {
  static const char below[] = "min(0.5, sin(pi*u)) + min(0.5, sin(pi*v))";
  static const char above[] = "-min(0.5, sin(pi*u)) - min(0.5, sin(pi*v))";
  toi_shape *shape = NULL;
  toi_interval u = {0, 6}, v = {0, 4};
  well(s, toi_shape_height_field(s->context, below, u, v, &shape));
  enter(s, shape);
  well(s, toi_shape_height_field(s->context, above, u, v, &shape));
  approach(s, enter(s, shape), (double[]){0.125, 0.125, 2}, (double[]){0, 0, 2}, 0.5);
  *known = (truth){
      .t = 0.5, .samples = SQUARE_SAMPLES, .spacing = 0.25, .sample = squares_sample, .distance = squares_distance};
}

#endif
