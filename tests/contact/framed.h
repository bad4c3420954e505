/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes by formulas, in any frame: the frame is a last motion of every body, or it is built into the shapes, their
 * formulas turned and their velocities with them. The bodies touch at t = 1/2: along a curve or over a region, whose
 * points are told by a distance and sampled; or at one point. */

#ifndef TOI_TESTS_CONTACT_FRAMED_H
#define TOI_TESTS_CONTACT_FRAMED_H

#include "contact/stage.h"

#define CIRCLE_X "cos(2*pi*u)"
#define CIRCLE_Y "sin(2*pi*u)"
#define FRAMED_SAMPLES 400

/* A shape around its own origin, which is at `at` at the time of contact, and moves. */
typedef struct framed_body {
  const char *x, *y, *z; /* formulas in u and v from 0 to 1 */
  uint32_t edges;
  const char *f; /* or one in x, y, z; solid */
  double reach;  /* f is bounded by a cube of this half width; 0: not at all */
  double at[3], velocity[3];
} framed_body;

typedef struct framed {
  const char *name;
  framed_body bodies[2];
  bool isolated;        /* one point, the sample 0; it is unique */
  double spacing, most; /* the spacing asked for; boxes allowed in the plain frame */
  void (*sample)(size_t i, double at[3]);
  double (*distance)(const double p[3]);
} framed;

/* Where the scene is seen from; perturb: how much velocities are off, and bodies tilted. */
typedef struct view {
  bool built_in;
  placement place;
  double perturb, direction[3], tilt[3];
} view;

/* --- sets of points --- */

static inline void on_circle(double radius, double z, size_t i, double at[3]) {
  double angle = 6.283185307179586 * (double)i / FRAMED_SAMPLES;
  at[0] = radius * cos(angle);
  at[1] = radius * sin(angle);
  at[2] = z;
}

static inline double from_circle(double radius, double z, const double p[3]) {
  return hypot(hypot(p[0], p[1]) - radius, p[2] - z);
}

static inline double from_rectangle(double a, double b, const double p[3]) {
  return sqrt(pow(fmax(fabs(p[0]) - a, 0), 2) + pow(fmax(fabs(p[1]) - b, 0), 2) + p[2] * p[2]);
}

#define CIRCLE(NAME, RADIUS, Z)                                                                                        \
  static inline void NAME##_sample(size_t i, double at[3]) {                                                           \
    on_circle(RADIUS, Z, i, at);                                                                                       \
  }                                                                                                                    \
  static inline double NAME##_distance(const double p[3]) {                                                            \
    return from_circle(RADIUS, Z, p);                                                                                  \
  }
#define POINT(NAME, X, Y, Z)                                                                                           \
  static inline void NAME##_sample(size_t i, double at[3]) {                                                           \
    (void)i;                                                                                                           \
    memcpy(at, (const double[]){X, Y, Z}, 3 * sizeof *at);                                                             \
  }                                                                                                                    \
  static inline double NAME##_distance(const double p[3]) {                                                            \
    return distance_of(p, (const double[]){X, Y, Z});                                                                  \
  }

CIRCLE(rim, 1, 0)
CIRCLE(hole, 0.8, 0.15)
CIRCLE(slope, 1.8, 1.6)
CIRCLE(rings, 2.45, 0.6)
CIRCLE(foot, 2, 0)
POINT(beside, 0.6, 0.8, 0)
POINT(below, 0.25, -0.5, 0)
POINT(diagonal, 0.5, 0.5, 0.5)
POINT(lowest, 0, 0.2, 0)

static inline void plate_sample(size_t i, double at[3]) {
  size_t row = i / 20, column = i % 20;
  at[0] = (double)row / 9.5 - 1;
  at[1] = (double)column / 9.5 - 1;
  at[2] = 0;
}

static inline double plate_distance(const double p[3]) {
  return from_rectangle(1, 1, p);
}

static inline void line_sample(size_t i, double at[3]) {
  at[0] = 2 * (double)i / (FRAMED_SAMPLES - 1) - 1;
  at[1] = at[2] = 0;
}

static inline double line_distance(const double p[3]) {
  return from_rectangle(1, 0, p);
}

/* --- scenes --- */

#define PLANE                                                                                                          \
  { .f = "z" }
#define TORUS_X(RING, TUBE) "(" RING "+" TUBE "*cos(2*pi*v))*cos(2*pi*u)"
#define TORUS_Y(RING, TUBE) "(" RING "+" TUBE "*cos(2*pi*v))*sin(2*pi*u)"
#define TORUS_Z(TUBE) TUBE "*sin(2*pi*v)"
#define TORUS_F(RING, TUBE) "(x^2 + y^2 + z^2 + " RING "^2 - " TUBE "^2)^2 - 4*" RING "^2*(x^2 + y^2)"

static const framed framed_scenes[] = {
    /* 3-4-5: a ball of radius 5/4 with its centre 3/4 above the rim, of radius 1. */
    {.name = "ball on a rim",
     .bodies = {{.x = CIRCLE_X, .y = CIRCLE_Y, .z = "-2*v", .edges = TOI_EDGES_V},
                {.f = "x^2 + y^2 + z^2 - 1.25^2", .reach = 1.25, .at = {0, 0, 0.75}, .velocity = {0, 0, -2}}},
     .spacing = 0.1,
     .most = 260,
     .sample = rim_sample,
     .distance = rim_distance},
    /* The centre of a ball of radius 1 is 3/4 above the middle of a ring of radius 1, 5/4 from its core: the tube is
     * 1/4. They touch 4/5 of the way from the centre to the core. */
    {.name = "sphere in a ring",
     .bodies = {{.x = TORUS_X("1", "0.25"), .y = TORUS_Y("1", "0.25"), .z = TORUS_Z("0.25")},
                {.f = "x^2 + y^2 + z^2 - 1", .reach = 1, .at = {0, 0, 0.75}, .velocity = {0, 0, -2}}},
     .spacing = 0.1,
     .most = 420,
     .sample = hole_sample,
     .distance = hole_distance},
    {.name = "sphere in an implicit ring",
     .bodies = {{.f = TORUS_F("1", "0.25"), .reach = 1.25},
                {.f = "x^2 + y^2 + z^2 - 1", .reach = 1, .at = {0, 0, 0.75}, .velocity = {0, 0, -2}}},
     .spacing = 0.1,
     .most = 5000,
     .sample = hole_sample,
     .distance = hole_distance},
    {.name = "plate on a plane",
     .bodies = {{.x = "2*u - 1", .y = "2*v - 1", .z = "0", .edges = TOI_EDGES, .velocity = {0, 0, -2}}, PLANE},
     .spacing = 0.5,
     .most = 75,
     .sample = plate_sample,
     .distance = plate_distance},
    {.name = "rim on a plane",
     .bodies = {{.x = CIRCLE_X, .y = CIRCLE_Y, .z = "2*v", .edges = TOI_EDGES_V, .velocity = {0, 0, -2}}, PLANE},
     .spacing = 0.5,
     .most = 75,
     .sample = rim_sample,
     .distance = rim_distance},
    /* tests/contact/sets.h has the derivation of these two. */
    {.name = "torus on a cone",
     .bodies = {{.x = TORUS_X("2", "0.25"),
                 .y = TORUS_Y("2", "0.25"),
                 .z = TORUS_Z("0.25"),
                 .at = {0, 0, 1.75},
                 .velocity = {0, 0, -2.5}},
                {.x = "3*(1 - v)*" CIRCLE_X, .y = "3*(1 - v)*" CIRCLE_Y, .z = "4*v", .edges = TOI_EDGES_V}},
     .spacing = 0.5,
     .most = 0,
     .sample = slope_sample,
     .distance = slope_distance},
    {.name = "aligned tori",
     .bodies = {{.x = TORUS_X("2", "0.75"), .y = TORUS_Y("2", "0.75"), .z = TORUS_Z("0.75")},
                {.x = TORUS_X("2.75", "0.5"),
                 .y = TORUS_Y("2.75", "0.5"),
                 .z = TORUS_Z("0.5"),
                 .at = {0, 0, 1},
                 .velocity = {0, 0, -2}}},
     .spacing = 0.5,
     .most = 0,
     .sample = rings_sample,
     .distance = rings_distance},
    {.name = "torus on a plane",
     .bodies = {{.x = TORUS_X("2", "0.5"),
                 .y = TORUS_Y("2", "0.5"),
                 .z = TORUS_Z("0.5"),
                 .at = {0, 0, 0.5},
                 .velocity = {0, 0, -2}},
                PLANE},
     .spacing = 0.25,
     .most = 0,
     .sample = foot_sample,
     .distance = foot_distance},
    {.name = "cylinder lies on a plane",
     .bodies = {{.x = "2*v - 1",
                 .y = "0.5*" CIRCLE_X,
                 .z = "0.5*" CIRCLE_Y,
                 .edges = TOI_EDGES_V,
                 .at = {0, 0, 0.5},
                 .velocity = {0, 0, -2}},
                PLANE},
     .spacing = 0.25,
     .most = 0,
     .sample = line_sample,
     .distance = line_distance},
    /* Isolated ones: radii 1 and 3/2 along (3, 4, 0). */
    {.name = "two spheres",
     .bodies = {{.f = "x^2 + y^2 + z^2 - 1", .reach = 1},
                {.f = "x^2 + y^2 + z^2 - 2.25", .reach = 1.5, .at = {1.5, 2, 0}, .velocity = {-3, -4, 0}}},
     .isolated = true,
     .spacing = 0.1,
     .most = 0,
     .sample = beside_sample,
     .distance = beside_distance},
    {.name = "sphere on a plane",
     .bodies = {{.x = "0.75*sin(pi*v)*" CIRCLE_X,
                 .y = "0.75*cos(pi*v)",
                 .z = "0.75*sin(pi*v)*" CIRCLE_Y,
                 .at = {0.25, -0.5, 0.75},
                 .velocity = {0, 0, -2.5}},
                PLANE},
     .isolated = true,
     .spacing = 0.1,
     .most = 0,
     .sample = below_sample,
     .distance = below_distance},
    /* Rounded cubes: x = y = z = 1/2 solves 3 (2x)^4 = 3. */
    {.name = "superquadrics",
     .bodies = {{.f = "(2*x)^4 + (2*y)^4 + (2*z)^4 - 3", .reach = 0.75},
                {.f = "(2*x)^4 + (2*y)^4 + (2*z)^4 - 3", .reach = 0.75, .at = {1, 1, 1}, .velocity = {-1, -1, -1}}},
     .isolated = true,
     .spacing = 0.1,
     .most = 0,
     .sample = diagonal_sample,
     .distance = diagonal_distance},
    /* tests/contact/edges.h has the derivation. */
    {.name = "tilted rim on a plane",
     .bodies = {{.x = "0.5*" CIRCLE_X,
                 .y = "0.8*0.5*" CIRCLE_Y " - 0.6*(2*v - 1)",
                 .z = "0.6*0.5*" CIRCLE_Y " + 0.8*(2*v - 1)",
                 .edges = TOI_EDGES_V,
                 .at = {0, 0, 1.1},
                 .velocity = {0, 0, -2}},
                PLANE},
     .isolated = true,
     .spacing = 0.1,
     .most = 0,
     .sample = lowest_sample,
     .distance = lowest_distance},
};
#define FRAMED_SCENES (sizeof framed_scenes / sizeof *framed_scenes)

/* --- building --- */

/* Row k of the rotation as formulas: of names a, b, c. Of the transposed one with `back`. */
static inline void turned_text(const view *from, int k, bool back, const char *const names[3], char *text,
                               size_t size) {
  double columns[3][3];
  for (int j = 0; j < 3; j++) {
    double axis[3] = {j == 0, j == 1, j == 2};
    turn(from->place.axis, from->place.angle, axis, columns[j]);
  }
  snprintf(text, size, "(%.17g)*%s + (%.17g)*%s + (%.17g)*%s", back ? columns[k][0] : columns[0][k], names[0],
           back ? columns[k][1] : columns[1][k], names[1], back ? columns[k][2] : columns[2][k], names[2]);
}

static inline toi_shape *parametric_shape(const stage *s, const framed_body *body, const view *from) {
  static const char *const names[3] = {"own_x", "own_y", "own_z"};
  const char *own[3] = {body->x, body->y, body->z};
  toi_formula *f = NULL;
  toi_shape *shape = NULL;
  well(s, toi_formula_create(s->context, (const char *const[]){"u", "v", "t"}, 3, &f));
  toi_parametric p = {.formula = f, .u = {0, 1}, .v = {0, 1}, .edges = body->edges};
  for (int k = 0; k < 3; k++) {
    p.at[k] = toi_formula_parse(f, own[k]);
    if (from->built_in)
      well(s, toi_formula_name(f, names[k], p.at[k]));
  }
  for (int k = 0; k < 3 && from->built_in; k++) {
    char text[256];
    turned_text(from, k, false, names, text, sizeof text);
    p.at[k] = toi_formula_parse(f, text);
  }
  well(s, toi_formula_status(f));
  well(s, toi_shape_parametric(s->context, &p, &shape));
  toi_formula_destroy(f);
  return shape;
}

static inline toi_shape *implicit_shape(const stage *s, const framed_body *body, const view *from) {
  static const char *const outer[4] = {"world_x", "world_y", "world_z", "t"}, *const plain[4] = {"x", "y", "z", "t"};
  toi_formula *f = NULL;
  toi_shape *shape = NULL;
  well(s, toi_formula_create(s->context, from->built_in ? outer : plain, 4, &f));
  for (int k = 0; k < 3 && from->built_in; k++) {
    char text[256];
    turned_text(from, k, true, outer, text, sizeof text);
    well(s, toi_formula_name(f, plain[k], toi_formula_parse(f, text)));
  }
  toi_implicit i = {.formula = f, .function = toi_formula_parse(f, body->f), .solid = true};
  double reach = body->reach == 0 ? INFINITY : from->built_in ? 1.75 * body->reach : body->reach;
  for (int k = 0; k < 3; k++)
    i.bounds[k] = (toi_interval){-reach, reach};
  well(s, toi_formula_status(f));
  well(s, toi_shape_implicit(s->context, &i, &shape));
  toi_formula_destroy(f);
  return shape;
}

/* A vector of the scene in the frame. */
static inline void in_frame(const view *from, const double v[3], double out[3]) {
  if (from->built_in)
    turn(from->place.axis, from->place.angle, v, out);
  else
    memmove(out, v, 3 * sizeof *out);
}

static inline void enter_framed(stage *s, const framed_body *body, const view *from) {
  toi_motion *m = enter(s, body->f != NULL ? implicit_shape(s, body, from) : parametric_shape(s, body, from));
  double velocity[3], start[3], off = from->perturb;
  bool moves = body->velocity[0] != 0 || body->velocity[1] != 0 || body->velocity[2] != 0;
  for (int k = 0; k < 3; k++) {
    velocity[k] = body->velocity[k] + (moves ? off * from->direction[k] : 0);
    start[k] = body->at[k] - 0.5 * body->velocity[k];
  }
  in_frame(from, velocity, velocity);
  in_frame(from, start, start);
  if (moves && off != 0)
    well(s, toi_motion_turn(m, from->tilt, NULL, off, 0));
  for (int k = 0; k < 3 && from->built_in; k++)
    start[k] += from->place.shift[k];
  well(s, toi_motion_move(m, start, velocity));
}

/* The scene as it is seen; the stage's answers are told without the frame, in either case. */
static inline void enter_scene(stage *s, const framed *what, const view *from) {
  for (int i = 0; i < 2; i++)
    enter_framed(s, &what->bodies[i], from);
  if (!from->built_in)
    put_in_place(s);
}

#endif
