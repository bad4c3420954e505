/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes that touch at isolated points, each with its derivation. All numbers that are not said to be rounded are
 * doubles, so that the time 1/2 is exact. */

#ifndef TOI_TESTS_CONTACT_SCENES_H
#define TOI_TESTS_CONTACT_SCENES_H

#include "contact/stage.h"

/* Of a time that follows from a few rounded numbers of size one. */
#define ROUNDED 1e-15

/* Radii 1 and 3/2, the second centre at s (3, 4, 0), s falling to 1/2 at t = 1/2: its distance 5 s is 5/2 then. */
static inline void two_spheres(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1.5});
  approach(s, m, (double[]){1.5, 2, 0}, (double[]){3, 4, 0}, 0.5);
  *known = (truth){.t = 0.5, .points = 1, .at = {{0.6, 0.8, 0}}, .normal = {{0.6, 0.8, 0}}, .unique = true};
}

/* The same, both as parametric surfaces. */
static inline void two_parametric_spheres(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1});
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1.5});
  approach(s, m, (double[]){1.5, 2, 0}, (double[]){3, 4, 0}, 0.5);
  *known = (truth){.t = 0.5, .points = 1, .at = {{0.6, 0.8, 0}}, .normal = {{0.6, 0.8, 0}}, .unique = true};
}

/* A sphere of radius 3/4 above (1/4, -1/2), a plane z = 0 below it. Its centre is 3/4 above the plane at t = 1/2; one
 * of the two moves. */
static inline void sphere_and_plane(stage *s, truth *known, bool plane_first, bool plane_moves) {
  toi_motion *plane = NULL, *ball = NULL;
  if (plane_first)
    plane = enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  ball = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.75});
  if (!plane_first)
    plane = enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  if (plane_moves) {
    well(s, toi_motion_move(ball, (double[]){0.25, -0.5, 0.75}, NULL));
    approach(s, plane, (double[]){0, 0, 0}, (double[]){0, 0, -2.5}, 0.5);
  } else {
    approach(s, ball, (double[]){0.25, -0.5, 0.75}, (double[]){0, 0, 2.5}, 0.5);
  }
  double up = plane_first ? 1 : -1;
  *known = (truth){.t = 0.5, .points = 1, .at = {{0.25, -0.5, 0}}, .normal = {{0, 0, up}}, .unique = true};
}

static inline void sphere_falls_on_plane(stage *s, truth *known) {
  sphere_and_plane(s, known, false, false);
}

static inline void plane_under_a_falling_sphere(stage *s, truth *known) {
  sphere_and_plane(s, known, true, false);
}

static inline void sphere_over_a_rising_plane(stage *s, truth *known) {
  sphere_and_plane(s, known, false, true);
}

static inline void plane_rises_to_sphere(stage *s, truth *known) {
  sphere_and_plane(s, known, true, true);
}

/* A parametric sphere on a parametric plane of 4 x 6, which is open. It lies on its side, so that its poles are not
 * where it touches; or stands on one, where the parameters tell no contact from its neighbours. */
static inline void sphere_on_open_plane(stage *s, truth *known, bool on_pole) {
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){0.75});
  if (!on_pole)
    well(s, toi_motion_turn(m, (double[]){1, 0.5, 0}, NULL, 1, 0));
  enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){4, 6});
  approach(s, m, (double[]){0.25, -0.5, 0.75}, (double[]){0, 0, 2.5}, 0.5);
  *known = (truth){.t = 0.5, .points = 1, .at = {{0.25, -0.5, 0}}, .normal = {{0, 0, -1}}, .unique = !on_pole};
}

static inline void sphere_falls_on_open_plane(stage *s, truth *known) {
  sphere_on_open_plane(s, known, false);
}

static inline void sphere_falls_on_its_pole(stage *s, truth *known) {
  sphere_on_open_plane(s, known, true);
}

/* --- an ellipsoid that turns about an axis through its centre while it sinks onto z = 0 ---
 *
 * With R the rotation and n = R^T (0, 0, 1), the lowest point of the ellipsoid with half axes a_i is h below its
 * centre, h^2 = sum of (a_i n_i)^2, and in its own coordinates at -a_i^2 n_i / h. The height of the centre falls by 2 a
 * unit of time; |dh/dt| <= rate max a < 2. So height - h falls, and its zero is the first contact: found by bisection
 * in long doubles. */

#define TURNING_AXES ((const double[3]){1, 0.5, 0.25})
#define TURNING_AXIS ((const double[3]){1, 2, 2})
#define TURNING_ANGLE 0.25
#define TURNING_RATE 1.25
#define TURNING_HEIGHT 1.75

/* v turned about an axis of length 3. */
static inline void turn_precisely(long double angle, const long double v[3], long double out[3]) {
  long double k[3], along = 0;
  for (int i = 0; i < 3; i++) {
    k[i] = (long double)TURNING_AXIS[i] / 3;
    along += k[i] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    out[i] = v[i] * cosl(angle) + (k[j] * v[l] - k[l] * v[j]) * sinl(angle) + k[i] * along * (1 - cosl(angle));
  }
}

/* The height of the lowest point, and where it is. */
static inline long double lowest(long double t, long double at[3]) {
  long double n[3], angle = TURNING_ANGLE + TURNING_RATE * t, square = 0, own[3];
  turn_precisely(-angle, (const long double[]){0, 0, 1}, n);
  for (int i = 0; i < 3; i++)
    square += (TURNING_AXES[i] * n[i]) * (TURNING_AXES[i] * n[i]);
  for (int i = 0; i < 3; i++)
    own[i] = -TURNING_AXES[i] * TURNING_AXES[i] * n[i] / sqrtl(square);
  turn_precisely(angle, own, at);
  at[2] += TURNING_HEIGHT - 2 * t;
  return TURNING_HEIGHT - 2 * t - sqrtl(square);
}

static inline void turning_ellipsoid(stage *s, truth *known, toi_shape_form form) {
  toi_motion *m = enter_library(s, TOI_SHAPE_ELLIPSOID, form, TURNING_AXES);
  well(s, toi_motion_turn(m, TURNING_AXIS, NULL, TURNING_ANGLE, TURNING_RATE));
  well(s, toi_motion_move(m, (double[]){0, 0, TURNING_HEIGHT}, (double[]){0, 0, -2}));
  enter_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
  long double lo = 0, hi = 1, at[3];
  for (int step = 0; step < 80; step++) {
    long double middle = (lo + hi) / 2;
    if (lowest(middle, at) > 0)
      lo = middle;
    else
      hi = middle;
  }
  *known = (truth){.t = (double)lo, .rounding = ROUNDED, .points = 1, .normal = {{0, 0, -1}}, .unique = true};
  for (int k = 0; k < 3; k++)
    known->at[0][k] = (double)at[k];
  // A near miss ends when the lowest point is still so far above.
  hi = lo - 0.01L;
  known->stop = (double)(lo - s->gap * 0.01L / lowest(hi, at));
}

static inline void ellipsoid_turns_onto_plane(stage *s, truth *known) {
  turning_ellipsoid(s, known, TOI_SHAPE_FORM_DEFAULT);
}

static inline void parametric_ellipsoid_turns_onto_plane(stage *s, truth *known) {
  turning_ellipsoid(s, known, TOI_SHAPE_FORM_PARAMETRIC);
}

/* Two rings of radius R = 3/2 with tubes of radius 1/2, one lying around the z axis, one standing in the plane y = 0
 * with its centre at height z. They touch when their core circles are 1 apart. The point of the first at angle q, c =
 * cos q, has the squared distance (sqrt(R^2 c^2 + z^2) - R)^2 + R^2 (1 - c^2) = z^2 + 2 R^2 - 2 R sqrt(R^2 c^2 + z^2)
 * from the second circle, which is least for c = -1 and 1: sqrt(R^2 + z^2) - R = 1 where z = 2. The core points are
 * (3/2, 0, 0) and (0, 0, 2) + 3/2 (0.6, 0, -0.8) then, and the contact lies halfway, at (1.2, 0, 0.4), and opposite. */
static inline void tori_crossed(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, (double[]){1.5, 0.5});
  toi_motion *m = enter_library(s, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, (double[]){1.5, 0.5});
  // A quarter turn about x, exactly.
  well(s, toi_motion_formula(m, (const char *const[]){"1", "1", "0", "0"}, NULL));
  approach(s, m, (double[]){0, 0, 2}, (double[]){0, 0, 4}, 0.5);
  *known = (truth){.t = 0.5,
                   .points = 2,
                   .at = {{1.2, 0, 0.4}, {-1.2, 0, 0.4}},
                   .normal = {{-0.6, 0, 0.8}, {0.6, 0, 0.8}},
                   .unique = true};
}

/* The ellipsoid with half axes 3/2, 1, 1/2 has at (a 2/3, b 1/3, c 2/3) = (1, 1/3, 1/3) the normal (2/3a, 1/3b, 2/3c),
 * in the direction of (4, 3, 12), whose length is 13. A sphere of radius 1/2 comes down along it; the ellipsoid is
 * convex. */
static inline void parametric_sphere_on_implicit_ellipsoid(stage *s, truth *known) {
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){0.5});
  enter_library(s, TOI_SHAPE_ELLIPSOID, TOI_SHAPE_FORM_IMPLICIT, (double[]){1.5, 1, 0.5});
  const double n[3] = {4.0 / 13, 3.0 / 13, 12.0 / 13}, at[3] = {1, 1.0 / 3, 1.0 / 3};
  double centre[3];
  for (int k = 0; k < 3; k++)
    centre[k] = at[k] + 0.5 * n[k];
  approach(s, m, centre, (double[]){1, 0.75, 3}, 0.5);
  *known = (truth){.t = 0.5,
                   .rounding = ROUNDED,
                   .points = 1,
                   .at = {{at[0], at[1], at[2]}},
                   .normal = {{-n[0], -n[1], -n[2]}},
                   .unique = true};
}

/* x^4 + y^4 + z^4 = 1 and the same of half the size, coming down the diagonal: both are convex and have there, at (k,
 * k, k), 3 k^4 = 1, a normal along it. So they touch when the centre is at 3/2 k (1, 1, 1). */
static inline void superquadrics_along_a_diagonal(stage *s, truth *known) {
  double k = 1 / sqrt(sqrt(3)), n = 1 / sqrt(3);
  enter_library(s, TOI_SHAPE_SUPERQUADRIC, TOI_SHAPE_FORM_IMPLICIT, (double[]){1, 1, 1, 0.5, 0.5});
  toi_motion *m =
      enter_library(s, TOI_SHAPE_SUPERQUADRIC, TOI_SHAPE_FORM_IMPLICIT, (double[]){0.5, 0.5, 0.5, 0.5, 0.5});
  approach(s, m, (double[]){1.5 * k, 1.5 * k, 1.5 * k}, (double[]){1, 1, 1}, 0.5);
  *known =
      (truth){.t = 0.5, .rounding = ROUNDED, .points = 1, .at = {{k, k, k}}, .normal = {{n, n, n}}, .unique = true};
}

/* The same two along x: they touch at (1, 0, 0) when the centre is at (3/2, 0, 0). Both are flat there up to the fourth
 * order, so that second derivatives do not tell the contact. */
static inline void superquadrics_along_an_axis(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_SUPERQUADRIC, TOI_SHAPE_FORM_IMPLICIT, (double[]){1, 1, 1, 0.5, 0.5});
  toi_motion *m =
      enter_library(s, TOI_SHAPE_SUPERQUADRIC, TOI_SHAPE_FORM_IMPLICIT, (double[]){0.5, 0.5, 0.5, 0.5, 0.5});
  approach(s, m, (double[]){1.5, 0, 0}, (double[]){2, 0, 0}, 0.5);
  *known = (truth){.t = 0.5, .points = 1, .at = {{1, 0, 0}}, .normal = {{1, 0, 0}}};
}

/* --- motions of other kinds, and deformation --- */

/* Unit sphere and one of radius 1/2 at 1 + 2 (t - 1)^2 on the x axis: 3/2 at t = 1/2, at a speed of 2. */
static inline void sphere_on_a_parabola(stage *s, truth *known, bool chebyshev) {
  enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5});
  if (chebyshev) {
    // With r = 2t - 1: 1 + (r - 1)^2 / 2 = 7/4 - T1(r) + T2(r) / 4.
    static const double x[3] = {1.75, -1, 0.25}, none[3] = {0};
    well(s, toi_motion_chebyshev(m, &(toi_chebyshev){.t_to = 1, .count = 3, .translation = {x, none, none}}));
  } else {
    well(s, toi_motion_formula(m, NULL, (const char *const[]){"1 + 2*(t - 1)^2", "0", "0"}));
  }
  *known = (truth){.t = 0.5, .points = 1, .at = {{1, 0, 0}}, .normal = {{1, 0, 0}}, .unique = true};
  known->stop = known->t - s->gap / 2;
}

static inline void sphere_moves_by_formula(stage *s, truth *known) {
  sphere_on_a_parabola(s, known, false);
}

static inline void sphere_moves_by_series(stage *s, truth *known) {
  sphere_on_a_parabola(s, known, true);
}

/* Radii 1 and 3/2. The second centre winds down at a distance of 3/2 around the z axis, at the height 3 - 2t: 5/2 away
 * at t = 1/2, when it has turned by 3/2. The distance falls by 2 (4/5) a unit of time then. */
static inline void sphere_winds_down(stage *s, truth *known) {
  enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  toi_motion *m = enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, (double[]){1.5});
  well(s, toi_motion_move(m, (double[]){1.5, 0, 0}, NULL));
  well(s, toi_motion_screw(m, &(toi_screw){.axis = {0, 0, 1}, .rate = 3, .shift = 3, .speed = -2}));
  double n[3] = {0.6 * cos(1.5), 0.6 * sin(1.5), 0.8};
  *known = (truth){.t = 0.5, .points = 1, .at = {{n[0], n[1], n[2]}}, .normal = {{n[0], n[1], n[2]}}, .unique = true};
  known->stop = known->t - s->gap / 1.6;
}

/* x^2 + y^2 + z^2 = (1/2 + t)^2 and a unit sphere 2 away. */
static inline void sphere_grows(stage *s, truth *known) {
  toi_formula *f = NULL;
  toi_shape *shape = NULL;
  well(s, toi_formula_create(s->context, (const char *const[]){"x", "y", "z", "t"}, 4, &f));
  toi_implicit p = {.formula = f, .bounds = {{-2, 2}, {-2, 2}, {-2, 2}}, .solid = true};
  p.function = toi_formula_parse(f, "x^2 + y^2 + z^2 - (0.5 + t)^2");
  well(s, toi_formula_status(f));
  well(s, toi_shape_implicit(s->context, &p, &shape));
  toi_formula_destroy(f);
  enter(s, shape);
  well(s, toi_motion_move(enter_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1}),
                          (double[]){0, 2, 0}, NULL));
  *known = (truth){.t = 0.5, .points = 1, .at = {{0, 1, 0}}, .normal = {{0, 1, 0}}, .unique = true};
  known->stop = known->t - s->gap;
}

static const scene isolated_scenes[] = {
    {"two spheres", two_spheres},
    {"two parametric spheres", two_parametric_spheres},
    {"sphere falls on plane", sphere_falls_on_plane},
    {"plane under a falling sphere", plane_under_a_falling_sphere},
    {"sphere over a rising plane", sphere_over_a_rising_plane},
    {"plane rises to sphere", plane_rises_to_sphere},
    {"sphere falls on open plane", sphere_falls_on_open_plane},
    {"sphere falls on its pole", sphere_falls_on_its_pole},
    {"ellipsoid turns onto plane", ellipsoid_turns_onto_plane},
    {"parametric ellipsoid turns onto plane", parametric_ellipsoid_turns_onto_plane},
    {"tori crossed", tori_crossed},
    {"parametric sphere on implicit ellipsoid", parametric_sphere_on_implicit_ellipsoid},
    {"superquadrics along a diagonal", superquadrics_along_a_diagonal},
    {"superquadrics along an axis", superquadrics_along_an_axis},
    {"sphere moves by formula", sphere_moves_by_formula},
    {"sphere moves by series", sphere_moves_by_series},
    {"sphere winds down", sphere_winds_down},
    {"sphere grows", sphere_grows},
};
#define ISOLATED (sizeof isolated_scenes / sizeof *isolated_scenes)

#endif
