/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The teapot, 32 patches, on a plane, a cone, waves and another teapot: against dense samples with a local search, and
 * against the solver of patches. */

#include "contact/patches.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_teapot_falls_on_a_surface),
      cmocka_unit_test(the_teapot_falls_on_a_teapot),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
