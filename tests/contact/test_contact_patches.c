/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies made of patches among formulas: the teapot on a plane, a cone, waves, a ring and another teapot, against dense
 * samples with a local search; spheres and rings of patches against closed forms. */

#include "contact/context.h"

#include <toi/contact.h>

#include <math.h>
#include <string.h>

/* --- bodies --- */

typedef struct pair {
  toi_model models[2];
  toi_shape *shapes[2];
  toi_motion *motions[2];
  toi_body bodies[2];
} pair;

static void well(toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s: %s", toi_status_text(status), toi_context_error(context));
}

/* Turned at first, then lowered from a height of 5 by 8 per unit of time. */
typedef struct fall {
  double axis[3], angle, aside[2];
} fall;

#define HEIGHT 5.0
#define SPEED 8.0

static void enter(pair *p, int i, toi_shape *shape) {
  p->shapes[i] = shape;
  well(toi_motion_create(context, &p->motions[i]));
  p->bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = shape, .motion = p->motions[i]};
}

static void enter_model(pair *p, int i) {
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &p->models[i], &shape));
  assert_int_equal(toi_shape_pieces(shape), p->models[i].patch_count);
  enter(p, i, shape);
}

static void let_fall(pair *p, const fall *f) {
  well(toi_motion_turn(p->motions[0], f->axis, NULL, f->angle, 0));
  well(toi_motion_move(p->motions[0], (double[]){f->aside[0], f->aside[1], HEIGHT}, (double[]){0, 0, -SPEED}));
}

static void leave(pair *p) {
  for (int i = 0; i < 2; i++) {
    toi_motion_destroy(p->motions[i]);
    toi_shape_destroy(p->shapes[i]);
    toi_model_free(context, &p->models[i]);
  }
  *p = (pair){0};
}

typedef struct answer {
  toi_contact_answer found;
  toi_contact_point contacts[512];
  size_t count;
} answer;

static toi_status keep(void *user, const toi_contact_point *contact) {
  answer *a = user;
  assert_true(a->count < sizeof a->contacts / sizeof a->contacts[0]);
  a->contacts[a->count++] = *contact;
  return TOI_OK;
}

static void ask(const pair *p, answer *a) {
  toi_contact_options options = toi_default_contact_options();
  *a = (answer){0};
  well(toi_contact(context, p->bodies, 2, &options, &a->found, keep, a));
}

/* --- samples --- */

/* v turned about an axis of any length. */
static void turn(const double axis[3], double angle, double v[3]) {
  double k[3], along = 0, length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), out[3];
  for (int i = 0; i < 3; i++) {
    k[i] = axis[i] / length;
    along += k[i] * v[i];
  }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, l = (i + 2) % 3;
    out[i] = v[i] * cos(angle) + (k[j] * v[l] - k[l] * v[j]) * sin(angle) + k[i] * along * (1 - cos(angle));
  }
  memcpy(v, out, sizeof out);
}

/* A point of the falling body at t = 0. */
static void place(const pair *p, const fall *f, size_t patch, const double uv[2], double point[3]) {
  well(toi_patch_point(context, toi_model_patch(&p->models[0], patch), uv[0], uv[1], 0, point, NULL));
  turn(f->axis, f->angle, point);
  point[0] += f->aside[0];
  point[1] += f->aside[1];
  point[2] += HEIGHT;
}

typedef double (*height)(double x, double y);

/* When a point of the body meets the surface below it. */
static double time_of(const pair *p, const fall *f, height below, size_t patch, const double uv[2]) {
  double point[3];
  place(p, f, patch, uv, point);
  return (point[2] - below(point[0], point[1])) / SPEED;
}

static double inside(double x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* The earliest of many samples of every patch, each of the best of a patch made earlier by a pattern search. */
static double sampled_time(const pair *p, const fall *f, height below) {
  enum { SIDE = 24 };
  double first = INFINITY;
  for (size_t patch = 0; patch < p->models[0].patch_count; patch++) {
    double best[2] = {0, 0}, time = INFINITY;
    for (int i = 0; i <= SIDE * (SIDE + 2); i++) {
      const int row = i / (SIDE + 1), column = i % (SIDE + 1);
      const double uv[2] = {row / (double)SIDE, column / (double)SIDE};
      const double t = time_of(p, f, below, patch, uv);
      if (t < time) {
        time = t;
        memcpy(best, uv, sizeof best);
      }
    }
    for (int halvings = 0; halvings < 26; halvings++)
      for (bool better = true; better;) {
        const double step = ldexp(1.0 / SIDE, -halvings);
        better = false;
        for (int way = 0; way < 8; way++) {
          static const int ways[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
          const double uv[2] = {inside(best[0] + ways[way][0] * step), inside(best[1] + ways[way][1] * step)};
          const double t = time_of(p, f, below, patch, uv);
          if (t < time) {
            time = t;
            memcpy(best, uv, sizeof best);
            better = true;
          }
        }
      }
    first = fmin(first, time);
  }
  return first;
}

/* The samples are contacts, so the first one is not later than they; and they come close to it. */
#define SAMPLED 1e-10
#define ROUNDED 1e-13

static void expect_time(const answer *a, double t) {
  assert_int_equal(a->found.verdict, TOI_HIT);
  assert_int_equal(a->found.end, TOI_CONTACT_DONE);
  if (!(a->found.t_lo <= t + ROUNDED && t <= a->found.t_hi + SAMPLED))
    fail_msg("%.17g is not in [%.17g, %.17g]", t, a->found.t_lo, a->found.t_hi);
  assert_true(a->found.t_hi - a->found.t_lo < 1e-6);
  assert_true(a->count > 0);
}

/* A contact's point is on the patch that it names, where its parameters say. */
static void expect_on_patch(const pair *p, const fall *f, const toi_contact_point *contact) {
  double point[3], square = 0;
  place(p, f, contact->patch_a, contact->parameters_a, point);
  point[2] -= SPEED * contact->t_hi;
  for (int k = 0; k < 3; k++)
    square += (point[k] - contact->point[k]) * (point[k] - contact->point[k]);
  assert_true(sqrt(square) < 1e-5);
}

/* --- the teapot on surfaces that are given as heights --- */

static double plane_height(double x, double y) {
  (void)x;
  (void)y;
  return 0;
}

#define CONE_ROUND 0.01
static double cone_height(double x, double y) {
  return -sqrt(x * x + y * y + CONE_ROUND);
}

static double wave_height(double x, double y) {
  return 0.3 * sin(2 * x) * cos(2 * y);
}

static toi_shape *make_plane(void) {
  toi_shape *shape = NULL;
  well(toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1}, &shape));
  return shape;
}

static toi_shape *make_cone(void) {
  toi_formula *formula = NULL;
  toi_shape *shape = NULL;
  well(toi_formula_create(context, (const char *const[]){"x", "y", "z", "t"}, 4, &formula));
  const toi_implicit cone = {.size = sizeof cone,
                             .formula = formula,
                             .function = toi_formula_parse(formula, "z + sqrt(x^2 + y^2 + 0.01)"),
                             .bounds = {{-8, 8}, {-8, 8}, {-12, 1}}};
  well(toi_shape_implicit(context, &cone, &shape));
  toi_formula_destroy(formula);
  return shape;
}

static toi_shape *make_waves(void) {
  toi_shape *shape = NULL;
  const toi_interval side = {-6, 6};
  well(toi_shape_height_field(context, "0.3*sin(2*u)*cos(2*v)", side, side, &shape));
  return shape;
}

static void the_teapot_falls_on_a_surface(void **state) {
  (void)state;
  static const struct {
    toi_shape *(*make)(void);
    height below;
  } floors[] = {{make_plane, plane_height}, {make_cone, cone_height}, {make_waves, wave_height}};
  uint64_t random = test_seed(20261119);
  for (uint64_t n = 0; n < test_count_from(6, 3); n++) {
    fall f = {.axis = {1, 0.3, 0.2}, .angle = 0.7, .aside = {0.1, 0.2}};
    for (int k = 0; n >= 3 && k < 3; k++)
      f.axis[k] = 2 * test_random_unit(&random) - 1;
    f.angle = n >= 3 ? 6 * test_random_unit(&random) : f.angle;
    pair p = {0};
    answer a;
    well(toi_model_teapot(context, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &f);
    enter(&p, 1, floors[n % 3].make());
    ask(&p, &a);
    expect_time(&a, sampled_time(&p, &f, floors[n % 3].below));
    assert_int_equal(a.count, 1);
    assert_int_equal(a.contacts[0].certificate, TOI_CONTACT_UNIQUE);
    expect_on_patch(&p, &f, &a.contacts[0]);
    leave(&p);
  }
}

/* --- the teapot on another one --- */

/* The second model as a height: the highest of its points near a place, by Newton's method on its patches. */
static const toi_model *below_model;
static double most_near;

static double model_height(double x, double y) {
  double highest = -INFINITY;
  for (size_t patch = 0; patch < below_model->patch_count; patch++)
    for (int start = 0; start < 4; start++) {
      double uv[2] = {start / 2 == 0 ? 0.25 : 0.75, start % 2 == 0 ? 0.25 : 0.75}, at[3] = {0}, gap = INFINITY;
      const toi_patch *surface = toi_model_patch(below_model, patch);
      for (int step = 0; step < 12; step++) {
        double side[2][3], h = 1e-6;
        well(toi_patch_point(context, surface, uv[0], uv[1], 0, at, NULL));
        for (int i = 0; i < 2; i++) {
          double moved[2] = {uv[0], uv[1]};
          moved[i] += moved[i] > 0.5 ? -h : h;
          well(toi_patch_point(context, surface, moved[0], moved[1], 0, side[i], NULL));
          for (int k = 0; k < 3; k++)
            side[i][k] = (side[i][k] - at[k]) / (moved[i] - uv[i]);
        }
        const double dx = x - at[0], dy = y - at[1], det = side[0][0] * side[1][1] - side[0][1] * side[1][0];
        gap = fabs(dx) + fabs(dy);
        if (gap < 1e-12 || fabs(det) < 1e-12)
          break;
        uv[0] = inside(uv[0] + (dx * side[1][1] - dy * side[1][0]) / det);
        uv[1] = inside(uv[1] + (dy * side[0][0] - dx * side[0][1]) / det);
      }
      if (gap < most_near)
        highest = fmax(highest, at[2]);
    }
  return highest;
}

/* Around the contact that was found no sample of the one comes earlier onto the other; and the solver of patches, which
 * shares no part of the search, finds the same time for models whose control points are turned. */
static void the_teapot_falls_on_a_teapot(void **state) {
  (void)state;
  const fall f = {.axis = {1, 0.3, 0.2}, .angle = 0.7, .aside = {0.1, 0.2}};
  const double low[3] = {0.3, 0.2, -3};
  pair p = {0};
  answer a;
  well(toi_model_teapot(context, &p.models[0]));
  enter_model(&p, 0);
  let_fall(&p, &f);
  toi_model pot;
  well(toi_model_teapot(context, &pot));
  well(toi_model_moved(context, &pot, low, NULL, &p.models[1]));
  toi_model_free(context, &pot);
  enter_model(&p, 1);
  ask(&p, &a);
  assert_int_equal(a.found.verdict, TOI_HIT);
  assert_int_equal(a.count, 1);
  expect_on_patch(&p, &f, &a.contacts[0]);

  // Samples of the falling one around the contact.
  below_model = &p.models[1];
  most_near = 1e-9;
  const toi_contact_point *c = &a.contacts[0];
  double first = INFINITY;
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++) {
      const double uv[2] = {inside(c->parameters_a[0] + 0.01 * i), inside(c->parameters_a[1] + 0.01 * j)};
      first = fmin(first, time_of(&p, &f, model_height, c->patch_a, uv));
    }
  expect_time(&a, first);

  // The other solver.
  double points[32][16][3];
  toi_patch turned[32];
  for (size_t i = 0; i < 32; i++) {
    const toi_patch *patch = toi_model_patch(&p.models[0], i);
    turned[i] = (toi_patch){.size = sizeof turned[i], .degree = {3, 3}, .points = (const double(*)[3])points[i]};
    for (int j = 0; j < 16; j++) {
      memcpy(points[i][j], patch->points[j], sizeof points[i][j]);
      turn(f.axis, f.angle, points[i][j]);
    }
  }
  const toi_model model = {.patches = turned, .patch_count = 32};
  toi_model falling;
  well(
      toi_model_moved(context, &model, (double[]){f.aside[0], f.aside[1], HEIGHT}, (double[]){0, 0, -SPEED}, &falling));
  const toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hit;
  well(toi_model_pair(context, &falling, &p.models[1], &options, &hit));
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(hit.t_lo <= a.found.t_hi + 1e-12 && a.found.t_lo <= hit.t_hi + 1e-12);
  toi_model_free(context, &falling);
  leave(&p);
}

/* --- closed forms --- */

/* A sphere of patches on a plane: HEIGHT - 1 below, whichever way it is turned; on its pole it has no normal. */
static void a_sphere_of_patches_falls_on_a_plane(void **state) {
  (void)state;
  for (int n = 0; n < 4; n++) {
    const fall f = {.axis = {1, 0.3, 0.2}, .angle = 0.7 * n, .aside = {0.25, -0.5}};
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &f);
    enter(&p, 1, make_plane());
    ask(&p, &a);
    expect_time(&a, (HEIGHT - 1) / SPEED);
    assert_int_equal(a.count, 1);
    assert_int_equal(a.contacts[0].certificate, n == 0 ? TOI_CONTACT_SINGULAR : TOI_CONTACT_UNIQUE);
    for (int k = 0; k < 3; k++)
      assert_true(fabs(a.contacts[0].point[k] - (double[]){0.25, -0.5, 0}[k]) < 1e-6);
    leave(&p);
  }
}

/* Turned so that it lands on an edge, or a corner, that patches have in common: one contact, whichever patch has it. */
static void a_contact_on_a_common_edge_is_reported_once(void **state) {
  (void)state;
  static const fall falls[] = {{.axis = {1, 0, 0}, .angle = 0.6},
                               {.axis = {0, 1, 0}, .angle = 0.6},
                               {.axis = {1, 0, 0}, .angle = 0x1.921fb54442d18p+0}};
  for (size_t n = 0; n < sizeof falls / sizeof falls[0]; n++) {
    pair p = {0};
    answer a;
    well(toi_model_sphere(context, 1, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &falls[n]);
    enter(&p, 1, make_plane());
    ask(&p, &a);
    expect_time(&a, (HEIGHT - 1) / SPEED);
    assert_int_equal(a.count, 1);
    assert_true(a.contacts[0].proved);
    leave(&p);
  }
}

/* A ring of patches lies down on a plane: it touches along a circle, and stops short of another. */
static void a_ring_of_patches_lies_on_a_plane(void **state) {
  (void)state;
  for (int n = 0; n < 2; n++) {
    const fall f = {.axis = {0, 0, 1}, .angle = 0.7};
    pair p = {0};
    answer a;
    well(toi_model_torus(context, 2, 0.5, &p.models[0]));
    enter_model(&p, 0);
    let_fall(&p, &f);
    enter(&p, 1, make_plane());
    well(toi_motion_move(p.motions[1], (double[]){0, 0, n == 0 ? 0 : HEIGHT - SPEED - 0.5 - 1e-3}, NULL));
    ask(&p, &a);
    if (n == 1) {
      assert_int_equal(a.found.verdict, TOI_MISS);
      leave(&p);
      continue;
    }
    expect_time(&a, (HEIGHT - 0.5) / SPEED);
    for (size_t i = 0; i < a.count; i++) {
      const double *at = a.contacts[i].point;
      assert_true(a.contacts[i].proved && fabs(hypot(at[0], at[1]) - 2) < 1e-6 && fabs(at[2]) < 1e-6);
    }
    assert_true(a.count > 12.5 / 0.2 / 2);
    leave(&p);
  }
}

/* A square whose corners move: it flaps up into a sphere. Its middle is at height t - 1/4. */
static void a_patch_that_deforms_meets_a_sphere(void **state) {
  (void)state;
  static const double points[4][3] = {{-1, -1, -0.25}, {-1, 1, -0.25}, {1, -1, -0.25}, {1, 1, -0.25}};
  static const double velocities[4][3] = {{0, 0, 0}, {0, 0, 2}, {0, 0, 2}, {0, 0, 0}};
  const toi_patch patch = {
      .size = sizeof patch, .degree = {1, 1}, .points = points, .velocities = (const double(*)[3])velocities};
  const toi_model model = {.patches = &patch, .patch_count = 1};
  pair p = {0};
  answer a;
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  enter(&p, 0, shape);
  shape = NULL;
  well(toi_shape_library(context, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}, &shape));
  enter(&p, 1, shape);
  well(toi_motion_move(p.motions[1], (double[]){0, 0, 0.75}, NULL));
  ask(&p, &a);
  // z = -1/4 + t (1 - x y) meets x^2 + y^2 + (z - 3/4)^2 = 1/4 first where x = -y = s, below its middle: dense samples.
  double first = INFINITY;
  for (int i = 0; i <= 200000; i++) {
    const double s = 0.3 * i / 200000, low = 0.75 - sqrt(0.25 - 2 * s * s);
    first = fmin(first, (low + 0.25) / (1 + s * s));
  }
  expect_time(&a, first);
  leave(&p);
}

/* --- refusals --- */

static void what_is_no_surface_is_refused(void **state) {
  (void)state;
  double points[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
  const double same[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  toi_patch patch = {.size = sizeof patch, .degree = {1, 1}, .points = (const double(*)[3])points};
  toi_model model = {.patches = &patch, .patch_count = 1};
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  assert_non_null(toi_shape_piece(shape, 0));
  assert_null(toi_shape_piece(shape, 1));
  double at[3], normal[3];
  assert_int_equal(toi_shape_point(shape, 0.5, 0.5, 0, at, normal), TOI_ERROR_INPUT);
  well(toi_shape_point(toi_shape_piece(shape, 0), 0.5, 0.25, 0, at, normal));
  assert_true(fabs(at[0] - 0.5) < 1e-12 && fabs(at[1] - 0.25) < 1e-12 && normal[2] > 0.99);
  toi_shape_destroy(shape);

  const struct {
    const char *sentence;
    uint32_t degree;
    const double (*points)[3];
  } wrong[] = {{"patch 0: degree[1] is 0", 0, (const double(*)[3])points}, {"no extent", 1, same}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    patch.degree[1] = wrong[i].degree;
    patch.points = wrong[i].points;
    assert_int_equal(toi_shape_patches(context, &model, &shape), TOI_ERROR_INPUT);
    assert_null(shape);
    if (strstr(toi_context_error(context), wrong[i].sentence) == NULL)
      fail_msg("%s", toi_context_error(context));
  }
  model.patch_count = 0;
  assert_int_equal(toi_shape_patches(context, &model, &shape), TOI_ERROR_INPUT);
  assert_int_equal(toi_shape_patches(context, NULL, &shape), TOI_ERROR_INPUT);
}

/* Weights so far apart that rounding hides the smaller ones leave nothing to say; that is a sentence, not an answer. */
static void weights_too_far_apart_are_refused(void **state) {
  (void)state;
  const double points[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}, weights[4] = {1, 1, 1, 1e-30};
  const toi_patch patch = {.size = sizeof patch, .degree = {1, 1}, .points = points, .weights = weights};
  const toi_model model = {.patches = &patch, .patch_count = 1};
  pair p = {0};
  toi_shape *shape = NULL;
  well(toi_shape_patches(context, &model, &shape));
  enter(&p, 0, shape);
  enter(&p, 1, make_plane());
  const toi_contact_options options = toi_default_contact_options();
  toi_contact_answer found;
  assert_int_equal(toi_contact(context, p.bodies, 2, &options, &found, NULL, NULL), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "bodies[0].shape, patch 0: a patch has no bounds in"));
  leave(&p);
}

/* Every allocation refused in turn: a failure, or an answer that is safe, and nothing left behind. */
static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  toi_context *usual = context;
  bool refused = true;
  for (size_t at = 1; refused; at++) {
    test_allocator allocator = {0};
    context = test_context_on(&allocator);
    const size_t from = allocator.calls;
    allocator.refuse_at = from + at;
    pair p = {0};
    toi_status status = toi_model_cylinder(context, 1, 2, &p.models[0]);
    if (status == TOI_OK)
      status = toi_shape_patches(context, &p.models[0], &p.shapes[0]);
    if (status == TOI_OK)
      status = toi_shape_library(context, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1}, &p.shapes[1]);
    for (int i = 0; i < 2; i++)
      p.bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = p.shapes[i]};
    const toi_contact_options options = toi_default_contact_options();
    toi_contact_answer found = {.verdict = TOI_HIT};
    if (status == TOI_OK)
      status = toi_contact(context, p.bodies, 2, &options, &found, NULL, NULL);
    assert_true(status == TOI_ERROR_MEMORY || (status == TOI_OK && found.verdict != TOI_MISS));
    refused = allocator.calls >= from + at;
    leave(&p);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
  context = usual;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_teapot_falls_on_a_surface),
      cmocka_unit_test(the_teapot_falls_on_a_teapot),
      cmocka_unit_test(a_sphere_of_patches_falls_on_a_plane),
      cmocka_unit_test(a_ring_of_patches_lies_on_a_plane),
      cmocka_unit_test(a_contact_on_a_common_edge_is_reported_once),
      cmocka_unit_test(a_patch_that_deforms_meets_a_sphere),
      cmocka_unit_test(what_is_no_surface_is_refused),
      cmocka_unit_test(weights_too_far_apart_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
