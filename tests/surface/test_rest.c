/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches at relative rest, where the time of contact is not determined by any equation: crossing ones touch at 0, and
 * that is proved; touching and coincident ones are near from 0 or proved; apart ones are told apart. Every question
 * ends within a number of checks, and in bounded memory. */

#include "surface/dense.h"

/* The most checks of any question here, and the most memory. */

static void set_velocity(test_patch *p, const double velocity[3]) {
  for (size_t i = 0; i < patch_count(p); i++)
    memcpy(p->velocities[i], velocity, sizeof(p->velocities[i]));
}

/* Neither knows that the other moves likewise. */
static void move_together(uint64_t *state, test_case *c) {
  double velocity[3];
  double speed = exp2(random_between(state, -10, 10));
  random_direction(state, velocity);
  for (int k = 0; k < 3; k++)
    velocity[k] *= speed;
  set_velocity(&c->a, velocity);
  set_velocity(&c->b, velocity);
}

static void expect_start(const test_case *c, const toi_surface_hit *hit, bool proved) {
  if (hit->t_lo == 0 && hit->t_safe == 0 && hit->verdict != TOI_MISS && (!proved || hit->verdict == TOI_HIT) &&
      (hit->verdict != TOI_HIT || (hit->t_hi == 0 && hit->touching_at_start)))
    return;
  case_print(c, hit);
  fail_msg("they touch at the start");
}

/* --- crossing --- */

/* Two patches through one point, inside of both. */
static void cross(uint64_t *state, test_case *c) {
  double d[3] = {0, 0, 0};
  dense_point a, b;
  random_points(state, d, 0, &c->a);
  random_points(state, d, 0, &c->b);
  c->t_max = 1;
  dense_evaluate(&c->a.patch, 0.375, 0.25, &a);
  dense_evaluate(&c->b.patch, 0.25, 0.375, &b);
  for (size_t i = 0; i < patch_count(&c->b); i++)
    for (int k = 0; k < 3; k++)
      c->b.points[i][k] += a.value[k] - b.value[k];
}

static void crossing_patches_with_one_velocity_touch_at_the_start(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0031), rounds = test_count(40);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (size_t type = 0; type < PATCH_TYPE_COUNT; type++)
    for (uint64_t i = 0; i < rounds; i++) {
      const patch_type *other = &patch_types[random_below(&seed, PATCH_TYPE_COUNT)];
      test_case c;
      patch_make(&c.a, patch_types[type].shape, patch_types[type].degree, patch_types[type].degree);
      patch_make(&c.b, other->shape, other->degree, other->degree);
      cross(&seed, &c);
      move_together(&seed, &c);
      options.accept = (toi_accept)(i % 2);
      toi_surface_hit hit = ask_within(context, &c, &options);
      expect_start(&c, &hit, true);
      // The same with nothing said about velocities.
      c.a.patch.velocities = c.b.patch.velocities = NULL;
      hit = ask_within(context, &c, &options);
      expect_start(&c, &hit, true);
    }
  toi_context_destroy(context);
}

/* --- touching and coincident --- */

/* A square in the plane z = height, of degrees m and n. */
static void make_square(test_patch *p, uint32_t m, uint32_t n, double height) {
  patch_make(p, TOI_PATCH_QUAD, m, n);
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++) {
      double *x = p->points[i * (n + 1) + j];
      x[0] = 2.0 * i / m - 1;
      x[1] = 2.0 * j / n - 1;
      x[2] = height;
    }
}

/* z = x^2 + y^2 over the same square: it touches z = 0 in the middle of its parameters. */
static void make_bowl(test_patch *p) {
  static const double square[3] = {1, -1, 1};
  make_square(p, 2, 2, 0);
  for (int i = 0; i < 9; i++)
    p->points[i][2] = square[i / 3] + square[i % 3];
}

static void a_bowl_rests_on_a_plane(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0032);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  test_case c = {.t_max = 1};
  make_bowl(&c.a);
  make_square(&c.b, 1, 1, 0);
  for (int moving = 0; moving < 2; moving++)
    for (int accept = 0; accept < 2; accept++) {
      options.accept = (toi_accept)accept;
      toi_surface_hit hit = ask_within(context, &c, &options);
      expect_start(&c, &hit, false);
      move_together(&seed, &c);
    }
  toi_context_destroy(context);
}

/* It stays within the tolerance but never touches: no hit. */
static void a_bowl_floats_above_a_plane(void **state) {
  (void)state;
  static const double heights[] = {1e-3, 1e-5, 1e-8, 1e-12, 1e-15};
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  test_case c = {.t_max = 1};
  make_bowl(&c.a);
  for (size_t i = 0; i < 5; i++) {
    make_square(&c.b, 1, 1, -heights[i]);
    toi_surface_hit hit = ask_within(context, &c, &options);
    if (hit.verdict == TOI_HIT || (hit.verdict != TOI_MISS && heights[i] > options.tolerance)) {
      case_print(&c, &hit);
      fail_msg("nothing touches at height %g", heights[i]);
    }
    // A separation that reaches: within it at the start.
    options.min_separation = 1.5 * heights[i];
    hit = ask_within(context, &c, &options);
    expect_start(&c, &hit, heights[i] >= 1e-8);
    options.min_separation = 0;
  }
  toi_context_destroy(context);
}

static void coincident_patches_rest(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0033), rounds = test_count(6);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (size_t type = 0; type < PATCH_TYPE_COUNT; type++)
    for (uint64_t i = 0; i < rounds; i++) {
      double d[3] = {0, 0, 0};
      test_case c = {.t_max = 1};
      patch_make(&c.a, patch_types[type].shape, patch_types[type].degree, patch_types[type].degree);
      random_points(&seed, d, 0, &c.a);
      patch_copy(&c.b, &c.a);
      move_together(&seed, &c);
      toi_surface_hit hit = ask_within(context, &c, &options);
      expect_start(&c, &hit, false);
    }
  toi_context_destroy(context);
}

/* Neighbours in a surface: one edge or one corner in common, bit for bit. */
static void neighbours_rest(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0034), rounds = test_count(20);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c = {.t_max = 1};
    make_square(&c.a, 3, 3, 0);
    make_square(&c.b, 3, 3, 0);
    for (size_t j = 0; j < 16; j++) {
      c.b.points[j][0] += 2;
      c.b.points[j][1] += i % 2 ? 2 : 0;
      // The common ones keep their height.
      c.a.points[j][2] = j >= 12 ? 0 : random_between(&seed, 0.125, 1);
      c.b.points[j][2] = j < 4 ? 0 : random_between(&seed, 0.125, 1);
    }
    move_together(&seed, &c);
    toi_surface_hit hit = ask_within(context, &c, &options);
    expect_start(&c, &hit, false);
  }
  toi_context_destroy(context);
}

/* Planes that slide within each other. */
static void coplanar_squares_slide_into_each_other(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  test_case c = {.t_max = 1};
  const double velocity[3] = {-4, 0, 0};
  make_square(&c.a, 1, 1, 0);
  make_square(&c.b, 2, 2, 0);
  for (size_t i = 0; i < 9; i++)
    c.b.points[i][0] += 4;
  set_velocity(&c.b, velocity);
  toi_surface_hit hit = ask_within(context, &c, &options);
  // Their edges meet half way.
  assert_int_not_equal(hit.verdict, TOI_MISS);
  assert_true(hit.t_lo <= 0.5 && hit.t_lo >= 0.5 - 1e-5);
  assert_true(hit.verdict != TOI_HIT || hit.t_hi >= 0.5);
  // One that slides past at a height is not touched.
  for (size_t i = 0; i < 9; i++)
    c.b.points[i][2] = 1e-3;
  hit = ask_within(context, &c, &options);
  assert_int_equal(hit.verdict, TOI_MISS);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crossing_patches_with_one_velocity_touch_at_the_start),
      cmocka_unit_test(a_bowl_rests_on_a_plane),
      cmocka_unit_test(a_bowl_floats_above_a_plane),
      cmocka_unit_test(coincident_patches_rest),
      cmocka_unit_test(neighbours_rest),
      cmocka_unit_test(coplanar_squares_slide_into_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
