/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random scenes of two solids that move and turn, those of the library and joined ones, against an independent truth
 * (convex.h): no wrong verdict, no contact that is missed or told elsewhere, and hardly any `near`. */

#include "contact/convex.h"
#include "contact/faces.h"
#include "contact/program.h"

static uint64_t seed;

static double between(double low, double high) {
  return low + (high - low) * test_random_unit(&seed);
}

/* --- solids, each as a shape and as a set of convex parts --- */

static void add_corner(convex_part *p, double x, double y, double z) {
  const double at[3] = {x, y, z};
  memcpy(p->corner[p->corners++], at, sizeof at);
}

static void fill_box(convex_part *p, const double size[3]) {
  for (int i = 0; i < 8; i++)
    add_corner(p, ((i & 1) - 0.5) * size[0], ((i >> 1 & 1) - 0.5) * size[1], ((i >> 2) - 0.5) * size[2]);
}

static toi_shape *library(toi_shape_kind kind, const double *size) {
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_library(context, kind, TOI_SHAPE_FORM_DEFAULT, size, &shape), TOI_OK);
  return shape;
}

static toi_shape *make_box(convex_body *b) {
  const double size[3] = {between(0.3, 1.5), between(0.3, 1.5), between(0.3, 1.5)};
  fill_box(&b->part[0], size);
  return library(TOI_SHAPE_BOX, size);
}

static toi_shape *make_joined_box(convex_body *b) {
  const double size[3] = {between(0.3, 1.5), between(0.3, 1.5), between(0.3, 1.5)};
  fill_box(&b->part[0], size);
  faces f = {.count = 0};
  faces_box(&f, size, (unsigned)(test_random(&seed) % 64));
  return faces_solid(&f);
}

static toi_shape *make_wedge(convex_body *b) {
  const double size[3] = {between(0.5, 1.5), between(0.5, 1.5), between(0.3, 1.5)};
  for (int i = 0; i < 6; i++)
    add_corner(&b->part[0], (i % 3 == 1 ? 0.5 : -0.5) * size[0], (i % 3 == 2 ? 0.5 : -0.5) * size[1],
               (i < 3 ? -0.5 : 0.5) * size[2]);
  return library(TOI_SHAPE_WEDGE, size);
}

static toi_shape *make_can(convex_body *b) {
  const double size[2] = {between(0.2, 0.8), between(0.3, 1.5)};
  b->part[0].circles = 2;
  for (int i = 0; i < 2; i++) {
    b->part[0].circle[i][0] = size[0];
    b->part[0].circle[i][1] = (i - 0.5) * size[1];
  }
  return library(TOI_SHAPE_CAPPED_CYLINDER, size);
}

static toi_shape *make_cone(convex_body *b) {
  const double size[2] = {between(0.2, 0.8), between(0.3, 1.5)};
  b->part[0].circles = 2;
  b->part[0].circle[0][0] = size[0];
  b->part[0].circle[1][1] = size[1];
  return library(TOI_SHAPE_CAPPED_CONE, size);
}

static toi_shape *make_capsule(convex_body *b) {
  const double size[2] = {between(0.2, 0.6), between(0.3, 1)};
  b->part[0].ball = size[0];
  add_corner(&b->part[0], 0, 0, -0.5 * size[1]);
  add_corner(&b->part[0], 0, 0, 0.5 * size[1]);
  return library(TOI_SHAPE_CAPSULE, size);
}

static toi_shape *make_ball(convex_body *b) {
  const double radius = between(0.2, 0.8);
  b->part[0].ball = radius;
  add_corner(&b->part[0], 0, 0, 0);
  return library(TOI_SHAPE_SPHERE, &radius);
}

/* An arrow head: a prism that is not convex, of two parts. */
static toi_shape *make_arrow(convex_body *b) {
  const double wide = between(0.4, 0.9), high = between(0.6, 1.2), notch = between(0.1, 0.4), z = between(0.3, 1);
  const double corners[4][2] = {{0, notch}, {wide, 0}, {0, high}, {-wide, 0}};
  b->parts = 2;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 6; i++) {
      const double *at = corners[i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : side == 0 ? 1 : 3];
      add_corner(&b->part[side], at[0], at[1], (i < 3 ? -0.5 : 0.5) * z);
    }
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_prism(context, corners, 4, z, &shape), TOI_OK);
  return shape;
}

/* Any four points, joined from triangles of either form. */
static toi_shape *make_tetrahedron(convex_body *b) {
  static const int sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  double at[4][3], volume = 0;
  while (volume < 0.1) {
    double e[3][3], product[3];
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 3; k++)
        at[i][k] = between(-0.8, 0.8);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        e[i][k] = at[i + 1][k] - at[0][k];
    for (int k = 0; k < 3; k++)
      product[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    volume = dot_of(product, e[2]);
  }
  faces f = {.count = 0};
  for (int i = 0; i < 4; i++) {
    add_corner(&b->part[0], at[i][0], at[i][1], at[i][2]);
    (test_random(&seed) % 2 ? faces_triangle : faces_formula_triangle)(&f, at[sides[i][0]], at[sides[i][1]],
                                                                       at[sides[i][2]]);
  }
  return faces_solid(&f);
}

/* Two caps of the unit ball. */
static toi_shape *make_lens(convex_body *b) {
  const double wide = between(0.5, 1.2);
  const toi_interval whole = {0, 1};
  b->part[0].cap = wide;
  faces f = {.count = 0};
  for (int low = 0; low < 2; low++) {
    char text[3][120];
    const char *const at[3] = {text[0], text[1], text[2]}, *v = low ? "v" : "(1-v)";
    snprintf(text[0], sizeof text[0], "sin(%.17g*%s)*cos(2*pi*u)", wide, v);
    snprintf(text[1], sizeof text[1], "sin(%.17g*%s)*sin(2*pi*u)", wide, v);
    snprintf(text[2], sizeof text[2], "%s(cos(%.17g*%s) - cos(%.17g))", low ? "-" : "", wide, v, wide);
    faces_formula_over(&f, at, whole, whole, low ? TOI_EDGE_V_HI : TOI_EDGE_V_LO);
  }
  return faces_solid(&f);
}

/* A profile with a curved segment: half a ball, smoothly on a cylinder, which ends in a disc. */
static toi_shape *make_bullet(convex_body *b) {
  const double r = between(0.2, 0.7), h = r + between(0.1, 0.6); /* longer than the ball */
  const toi_interval v[] = {{-h, 0}, {0, 1}, {0, 1}};
  static const uint32_t edges[] = {TOI_EDGES_V, TOI_EDGE_V_LO, TOI_EDGE_V_HI};
  b->part[0].dome = r;
  b->part[0].circles = 1;
  b->part[0].circle[0][0] = r;
  b->part[0].circle[0][1] = -h;
  faces f = {.count = 0};
  for (int i = 0; i < 3; i++) {
    char text[2][80];
    toi_shape *shape = NULL;
    snprintf(text[0], sizeof text[0], i == 0 ? "%.17g" : i == 1 ? "%.17g*sin(pi/2*(1 - v))" : "%.17g*v", r);
    snprintf(text[1], sizeof text[1], i == 0 ? "v + 0*%.17g" : i == 1 ? "%.17g*sin(pi/2*v)" : "-%.17g", i == 2 ? h : r);
    faces_keep(&f, toi_shape_revolution(context, text[0], text[1], v[i], edges[i], false, &shape), &shape);
  }
  return faces_solid(&f);
}

static toi_shape *(*const makers[])(convex_body *b) = {make_box,         make_joined_box, make_wedge, make_can,
                                                       make_cone,        make_capsule,    make_ball,  make_arrow,
                                                       make_tetrahedron, make_lens,       make_bullet};
#define MAKERS (sizeof makers / sizeof *makers)

/* --- scenes --- */

static void set_reach(convex_body *b) {
  b->reach = 0;
  for (size_t i = 0; i < b->parts; i++) {
    const convex_part *p = &b->part[i];
    for (size_t n = 0; n < p->corners; n++)
      b->reach = fmax(b->reach, sqrt(dot_of(p->corner[n], p->corner[n])) + p->ball);
    for (size_t n = 0; n < p->circles; n++)
      b->reach = fmax(b->reach, hypot(p->circle[n][0], p->circle[n][1]));
    b->reach = fmax(b->reach, p->dome);
    if (p->cap > 0)
      b->reach = fmax(b->reach, fmax(sin(p->cap), 1 - cos(p->cap)));
  }
}

static void enter_body(stage *s, convex_body *b, bool second) {
  *b = (convex_body){.parts = 1};
  const size_t kind = test_random(&seed) % MAKERS;
  toi_motion *m = enter(s, makers[kind](b));
  b->kind = kind;
  set_reach(b);
  set_centres(b);
  double length = 0;
  for (int k = 0; k < 3; k++) {
    b->axis[k] = between(-1, 1);
    b->from[k] = second ? between(-1, 1) : 0;
    length += b->from[k] * b->from[k];
  }
  b->angle = between(0, 6);
  b->rate = test_random(&seed) % 3 == 0 ? 0 : between(-2, 2);
  for (int k = 0; k < 3 && second; k++) {
    b->from[k] *= 3.5 / sqrt(length);
    b->velocity[k] = between(-1.1, 1.1) - 1.3 * b->from[k];
  }
  well(s, toi_motion_turn(m, b->axis, NULL, b->angle, b->rate));
  if (second)
    well(s, toi_motion_move(m, b->from, b->velocity));
}

typedef struct counts {
  size_t hits, misses, near, grazes, unsure;
  double boxes;
} counts;

static bool agrees(const convex_truth *known) {
  const toi_contact_answer *a = &got.answer;
  if (a->verdict == TOI_MISS)
    return !known->touches;
  if (a->verdict == TOI_HIT && known->t > 1)
    return known->least < 1e-7;
  if (known->t > 1)
    return true;
  if (known->touches && a->t_lo > known->later)
    return false;
  if (a->verdict != TOI_HIT || known->grazes)
    return true;
  if (a->t_hi < known->t - 1e-8)
    return false;
  // Where it was seen: the surfaces are nearly parallel there, so that a place is less certain than a distance.
  bool close = false;
  for (size_t i = 0; i < got.count; i++)
    close = close || distance_of(got.contacts[i].point, known->near) < 1e-3;
  return known->unsure || close;
}

static void random_solids_touch_when_and_where_they_do(void **state) {
  (void)state;
  counts c = {0, 0, 0, 0, 0, 0};
  toi_contact_options options = toi_default_contact_options();
  const uint64_t full = test_count_from(60, 5);
  for (uint64_t i = 0; i < full; i++) {
    const uint64_t begin = seed;
    stage s = {.context = context};
    convex_body bodies[2];
    enter_body(&s, &bodies[0], false);
    enter_body(&s, &bodies[1], true);
    assert_true(body_gap(&bodies[0], &bodies[1], 0).lower > 0.1);
    ask(&s, &options, &got);
    const convex_truth known = advance(&bodies[0], &bodies[1]);
    c.hits += got.answer.verdict == TOI_HIT;
    c.misses += got.answer.verdict == TOI_MISS;
    c.near += got.answer.verdict == TOI_NEAR;
    c.grazes += known.grazes;
    c.unsure += known.unsure;
    c.boxes += (double)got.answer.boxes;
    if (!agrees(&known)) {
      tell("random solids", &s, &got);
      for (size_t k = 0; k < got.count && k < 4; k++)
        print_message("    at %.9g %.9g %.9g\n", got.contacts[k].point[0], got.contacts[k].point[1],
                      got.contacts[k].point[2]);
      fail_msg("seed 0x%llx, solids %zu and %zu: %s from %.17g, by %.17g, least distance %g, near %.9g %.9g %.9g",
               (unsigned long long)begin, bodies[0].kind, bodies[1].kind,
               known.touches  ? "touch"
               : known.grazes ? "graze"
                              : "apart",
               known.t, known.later, known.least, known.near[0], known.near[1], known.near[2]);
    }
    clear(&s);
  }
  print_message("  %zu hits, %zu misses, %zu near, %zu grazes, %zu unsure; %.0f boxes\n", c.hits, c.misses, c.near,
                c.grazes, c.unsure, c.boxes / (double)full);
  assert_true(100 * c.near <= full + 50);
  assert_true(20 * c.unsure <= full + 50);
}

int main(void) {
  seed = test_seed(1801);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_solids_touch_when_and_where_they_do),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
