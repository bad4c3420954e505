/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Patches that are hardly ones: collapsed to points and segments, with an edge collapsed, far from the origin, of
 * extreme size; and input that is none. Every question ends within a number of checks and in bounded memory, whatever
 * the method, and no contact is missed. */

#include "surface/cases.h"

#define WAYS CASE_WAYS

/* First contact is at `t`; answers may be early by so much, of the whole, but never late. */
static void expect_contact(const test_case *c, const toi_surface_hit *hit, double t, double early) {
  double rounding = 1e-14 * c->t_max;
  if (hit->verdict != TOI_MISS && hit->t_lo <= t + rounding && hit->t_lo >= t - early * c->t_max &&
      (hit->verdict == TOI_NEAR || hit->t_hi >= t - rounding))
    return;
  case_print(c, hit);
  fail_msg("the contact is at %.17g", t);
}

static void expect_miss(const test_case *c, const toi_surface_hit *hit) {
  if (hit->verdict == TOI_MISS)
    return;
  case_print(c, hit);
  fail_msg("nothing touches");
}

/* --- shapes --- */

/* Of these degrees, the control point (i, j) at origin + i / m along + j / n across. */
static void make_net(test_patch *p, const uint32_t degree[2], const double origin[3], const double along[3],
                     const double across[3]) {
  uint32_t m = degree[0], n = degree[1];
  patch_make(p, TOI_PATCH_QUAD, m, n);
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++)
      for (int k = 0; k < 3; k++)
        p->points[i * (n + 1) + j][k] = origin[k] + (m > 0 ? along[k] * i / m : 0) + (n > 0 ? across[k] * j / n : 0);
}

static void make_triangle(test_patch *p, uint32_t n, const double origin[3], const double along[3],
                          const double across[3]) {
  patch_make(p, TOI_PATCH_TRIANGLE, n, n);
  for (uint32_t b = 0, i = 0; b <= n; b++)
    for (uint32_t a = 0; a <= n - b; a++, i++)
      for (int k = 0; k < 3; k++)
        p->points[i][k] = origin[k] + along[k] * a / n + across[k] * b / n;
}

static void set_velocity(test_patch *p, double x, double y, double z) {
  for (size_t i = 0; i < patch_count(p); i++) {
    p->velocities[i][0] = x;
    p->velocities[i][1] = y;
    p->velocities[i][2] = z;
  }
}

static void move_far(test_case *c, double by) {
  test_patch *patches[2] = {&c->a, &c->b};
  for (int i = 0; i < 2; i++)
    for (size_t j = 0; j < patch_count(patches[i]); j++) {
      patches[i]->points[j][0] += by;
      patches[i]->points[j][1] -= 2 * by;
      patches[i]->points[j][2] += 3 * by;
    }
}

static const double zero[3] = {0, 0, 0};

/* The square [-1, 1] x [-1, 1] at z = 0. */
static void make_floor(test_patch *p, uint32_t degree) {
  const double corner[3] = {-1, -1, 0}, x[3] = {2, 0, 0}, y[3] = {0, 2, 0};
  make_net(p, (const uint32_t[2]){degree, degree}, corner, x, y);
}

/* --- collapsed --- */

/* Near the floor, and over its edge: the first lands half way, the second does not. */
static void drop(toi_context *context, test_case *c, double early) {
  for (int number = 0; number < WAYS; number++) {
    toi_surface_options options = case_way(number, 8192);
    toi_surface_hit hit = ask_within(context, c, &options);
    // Boxes of all parts of what is collapsed overlap: the budget ends the baseline early.
    expect_contact(c, &hit, 0.5, options.method ? 0.1 : early);
  }
}

static void points_fall_on_a_floor(void **state) {
  (void)state;
  const double place[3] = {0.25, -0.125, 1}, beyond[3] = {1.25, 0, 1};
  const uint32_t degrees[][2] = {{0, 0}, {3, 0}, {0, 2}, {3, 3}, {9, 9}};
  toi_context *context = test_context(1);
  for (size_t i = 0; i < 5; i++) {
    test_case c = {.t_max = 1};
    make_floor(&c.b, 1 + (uint32_t)i % 3);
    make_net(&c.a, degrees[i], place, zero, zero);
    set_velocity(&c.a, 0, 0, -2);
    drop(context, &c, 1e-5);
    make_net(&c.a, degrees[i], beyond, zero, zero);
    set_velocity(&c.a, 0, 0, -2);
    for (int number = 0; number < WAYS; number++) {
      toi_surface_options options = case_way(number, 8192);
      toi_surface_hit hit = ask_within(context, &c, &options);
      expect_miss(&c, &hit);
    }
  }
  toi_context_destroy(context);
}

static void a_triangle_that_is_a_point_falls_on_a_triangle(void **state) {
  (void)state;
  const double place[3] = {0.25, 0.25, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  toi_context *context = test_context(1);
  for (uint32_t n = 1; n <= 9; n += 2) {
    test_case c = {.t_max = 1};
    make_triangle(&c.a, n, place, zero, zero);
    make_triangle(&c.b, 1 + n % 3, zero, x, y);
    set_velocity(&c.a, 0, 0, -2);
    drop(context, &c, 1e-5);
  }
  toi_context_destroy(context);
}

static void segments_cross(void **state) {
  (void)state;
  const double below[3] = {-1, 0, 0}, above[3] = {0, -1, 1}, x[3] = {2, 0, 0}, y[3] = {0, 2, 0};
  const uint32_t degrees[][2] = {{1, 0}, {0, 1}, {3, 0}, {2, 2}, {3, 1}};
  toi_context *context = test_context(1);
  for (size_t i = 0; i < 25; i++) {
    test_case c = {.t_max = 1};
    const uint32_t *da = degrees[i / 5], *db = degrees[i % 5];
    // What has only v runs along v; what has both is collapsed in v.
    make_net(&c.a, da, above, da[0] > 0 ? y : zero, da[0] > 0 ? zero : y);
    make_net(&c.b, db, below, db[0] > 0 ? x : zero, db[0] > 0 ? zero : x);
    set_velocity(&c.a, 0, 0, -2);
    drop(context, &c, 1e-5);
  }
  toi_context_destroy(context);
}

/* A cap whose edge u = 0 is one point, as in the lid of the teapot: the apex comes first. */
static void a_collapsed_edge_comes_first(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (uint32_t n = 1; n <= 3; n++) {
    test_case c = {.t_max = 1};
    make_floor(&c.b, n);
    patch_make(&c.a, TOI_PATCH_QUAD, 3, 3);
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t j = 0; j < 4; j++) {
        double *p = c.a.points[4 * i + j];
        p[0] = 0.25 + i * (j - 1.5) / 8;
        p[1] = 0.25 + i * (3 - fabs(j - 1.5)) / 16;
        p[2] = 1 + (double)(i * i) / 8;
      }
    set_velocity(&c.a, 0, 0, -2);
    drop(context, &c, 1e-5);
  }
  toi_context_destroy(context);
}

/* --- two points --- */

static void points_meet_or_pass(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int number = 0; number < WAYS; number++) {
    toi_surface_options options = case_way(number, 8192);
    test_case c = {.t_max = 1};
    patch_make(&c.a, TOI_PATCH_QUAD, 0, 0);
    patch_make(&c.b, TOI_PATCH_QUAD, 0, 0);
    c.a.points[0][0] = 1;
    set_velocity(&c.a, -2, 0, 0);
    toi_surface_hit hit = ask_within(context, &c, &options);
    expect_contact(&c, &hit, 0.5, 1e-5);
    c.a.points[0][1] = 1e-4;
    hit = ask_within(context, &c, &options);
    expect_miss(&c, &hit);
    // A separation reaches over the gap: a little before the closest approach.
    options.min_separation = 2e-4;
    hit = ask_within(context, &c, &options);
    // Coordinate axes alone do not tell a ball from a cube.
    expect_contact(&c, &hit, 0.5 - 0.5 * sqrt(4e-8 - 1e-8), options.inclusion == TOI_INCLUSION_AABB ? 1e-4 : 1e-5);
  }
  toi_context_destroy(context);
}

/* --- far away --- */

static void a_million_units_from_the_origin(void **state) {
  (void)state;
  const double place[3] = {0.25, -0.125, 1}, x[3] = {0.25, 0, 0.125}, y[3] = {0, 0.25, 0.125};
  toi_context *context = test_context(1);
  for (int number = 0; number < WAYS; number++) {
    toi_surface_options options = case_way(number, 8192);
    test_case c = {.t_max = 1};
    make_floor(&c.b, 3);
    make_net(&c.a, (const uint32_t[2]){2, 2}, place, x, y);
    set_velocity(&c.a, 1000, 2000, -2 - 3000);
    set_velocity(&c.b, 1000, 2000, -3000);
    move_far(&c, 0x1p20);
    toi_surface_hit hit = ask_within(context, &c, &options);
    expect_contact(&c, &hit, 0.5, options.method ? 0.05 : 1e-5);
    // A corner comes down on the floor: that is a proof's business, rounding or not.
    if (!options.method && hit.verdict != TOI_HIT) {
      case_print(&c, &hit);
      fail_msg("not proved, far from the origin");
    }
  }
  toi_context_destroy(context);
}

/* --- extreme sizes --- */

/* The same at another scale: the same answer, or near where doubles end. */
static void extreme_sizes_end(void **state) {
  (void)state;
  static const int exponents[] = {-1060, -1000, -700, -400, -200, 200, 400, 600, 1000, 1022};
  uint64_t seed = test_seed(0x5eed0041);
  toi_context *context = test_context(1);
  for (size_t i = 0; i < 10; i++)
    for (int number = 0; number < WAYS; number++) {
      toi_surface_options options = case_way(number, 8192);
      test_case c, scaled;
      random_paper_case(&seed, TOI_PATCH_QUAD, 2, &c);
      case_copy(&scaled, &c);
      for (size_t j = 0; j < 9; j++)
        for (int k = 0; k < 3; k++) {
          scaled.a.points[j][k] = ldexp(c.a.points[j][k], exponents[i]);
          scaled.b.points[j][k] = ldexp(c.b.points[j][k], exponents[i]);
          scaled.a.velocities[j][k] = ldexp(c.a.velocities[j][k], exponents[i] - 3);
          scaled.b.velocities[j][k] = ldexp(c.b.velocities[j][k], exponents[i] - 3);
        }
      scaled.t_max = 8;
      toi_surface_hit plain = ask_within(context, &c, &options), hit = ask_within(context, &scaled, &options);
      bool missed = plain.verdict == TOI_HIT && (hit.verdict == TOI_MISS || hit.t_lo > 8 * plain.t_hi * (1 + 1e-9));
      bool invented = plain.verdict == TOI_MISS && hit.verdict == TOI_HIT;
      // Below 2^-1000 coordinates themselves are rounded.
      if ((missed || invented) && exponents[i] > -1000) {
        case_print(&c, &plain);
        case_print(&scaled, &hit);
        fail_msg("times 2^%d the answer is another", exponents[i]);
      }
    }
  toi_context_destroy(context);
}

static void extreme_steps_end(void **state) {
  (void)state;
  static const double steps[] = {0x1p-1074, 0x1p-1022, 1e-300, 1e-100, 1e-9, 1e100, 1e300};
  uint64_t seed = test_seed(0x5eed0042);
  toi_context *context = test_context(1);
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
    for (int number = 0; number < WAYS; number++) {
      toi_surface_options options = case_way(number, 8192);
      test_case c;
      random_paper_case(&seed, TOI_PATCH_TRIANGLE, 2, &c);
      c.t_max = steps[i];
      toi_surface_hit hit = ask_within(context, &c, &options);
      // Apart at the start, and there is no time to meet.
      if (steps[i] < 1e-12)
        expect_miss(&c, &hit);
    }
  toi_context_destroy(context);
}

/* --- what is refused --- */

typedef struct fault {
  const char *what, *said;
  void (*make)(test_case *c);
} fault;

static void nan_point(test_case *c) {
  c->a.points[5][1] = NAN;
}
static void infinite_velocity(test_case *c) {
  c->b.velocities[3][2] = INFINITY;
}
static void zero_weight(test_case *c) {
  c->b.weights[4] = 0;
}
static void negative_weight(test_case *c) {
  c->b.weights[4] = -1;
}
static void nan_weight(test_case *c) {
  c->b.weights[8] = NAN;
}
static void high_degree(test_case *c) {
  c->a.patch.degree[1] = 10;
}
static void no_points(test_case *c) {
  c->a.patch.points = NULL;
}
static void no_shape(test_case *c) {
  c->a.patch.shape = (toi_patch_shape)7;
}
static void negative_error(test_case *c) {
  c->b.patch.error = -1;
}
static void nan_error(test_case *c) {
  c->b.patch.error = NAN;
}

static void bad_input_is_named(void **state) {
  (void)state;
  static const fault faults[] = {
      {"a NaN", "5", nan_point},
      {"an infinity", "3", infinite_velocity},
      {"a weight of zero", "4", zero_weight},
      {"a negative weight", "4", negative_weight},
      {"a weight that is NaN", "8", nan_weight},
      {"a high degree", "degree", high_degree},
      {"no points", "points", no_points},
      {"no shape", "shape", no_shape},
      {"a negative error", "error", negative_error},
      {"an error that is NaN", "error", nan_error},
  };
  uint64_t seed = test_seed(0x5eed0043);
  toi_context *context = test_context(1);
  for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
    test_case c;
    toi_surface_options options = toi_default_surface_options();
    toi_surface_hit hit;
    random_paper_case(&seed, TOI_PATCH_QUAD, 2, &c);
    for (size_t j = 0; j < 9; j++)
      c.b.weights[j] = 1;
    c.b.patch.weights = c.b.weights;
    faults[i].make(&c);
    toi_status status = toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit);
    const char *said = toi_context_error(context);
    if (status != TOI_ERROR_INPUT || !strstr(said, faults[i].said))
      fail_msg("%s: status %d, \"%s\"", faults[i].what, status, said);
    assert_int_equal(hit.verdict, TOI_NEAR);
    assert_true(hit.t_lo == 0 && hit.t_safe == 0);
  }
  toi_context_destroy(context);
}

static void bad_options_are_named(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0044);
  test_case c;
  random_paper_case(&seed, TOI_PATCH_TRIANGLE, 1, &c);
  toi_context *context = test_context(1);
  for (int i = 0; i < 9; i++) {
    toi_surface_options options = toi_default_surface_options();
    const double values[] = {0, -1, NAN, INFINITY};
    toi_surface_hit hit;
    if (i < 4)
      options.tolerance = values[i];
    else if (i < 7)
      options.t_max = values[i - 3];
    else if (i == 7)
      options.method = "guessing";
    else
      memset(&options, 0, sizeof(options));
    assert_int_equal(toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit), TOI_ERROR_OPTION);
    assert_true(toi_context_error(context)[0] != '\0');
    assert_int_equal(hit.verdict, TOI_NEAR);
    assert_true(hit.t_lo == 0);
  }
  toi_context_destroy(context);
}

/* Each request for memory refused in turn. */
static void refused_memory_is_reported(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0045);
  test_case c;
  random_paper_case(&seed, TOI_PATCH_QUAD, 3, &c);
  for (int number = 0; number < WAYS; number += 4)
    for (size_t refuse = 1;; refuse++) {
      test_allocator allocator = {.refuse_at = refuse};
      toi_context_options with = test_context_options(&allocator, 1);
      toi_surface_options options = case_way(number, 8192);
      toi_context *context;
      toi_surface_hit hit;
      if (toi_context_create(&with, &context) != TOI_OK)
        continue;
      toi_status status = toi_patch_pair(context, &c.a.patch, &c.b.patch, &options, &hit);
      bool refused = allocator.calls >= refuse;
      assert_true(status == (refused ? TOI_ERROR_MEMORY : TOI_OK));
      assert_true(!refused || (hit.verdict == TOI_NEAR && hit.t_lo == 0 && toi_context_error(context)[0] != '\0'));
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
      if (!refused)
        break;
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_fall_on_a_floor),
      cmocka_unit_test(a_triangle_that_is_a_point_falls_on_a_triangle),
      cmocka_unit_test(segments_cross),
      cmocka_unit_test(a_collapsed_edge_comes_first),
      cmocka_unit_test(points_meet_or_pass),
      cmocka_unit_test(a_million_units_from_the_origin),
      cmocka_unit_test(extreme_sizes_end),
      cmocka_unit_test(extreme_steps_end),
      cmocka_unit_test(bad_input_is_named),
      cmocka_unit_test(bad_options_are_named),
      cmocka_unit_test(refused_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
