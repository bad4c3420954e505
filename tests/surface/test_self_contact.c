/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A model with itself: times in closed form, what is left out, and a cloth that hangs by two corners. */

#include "support/support.h"

#include <math.h>
#include <string.h>

#include "scenes/cloth_patches.h"
#include "surface/crowd.h"

/* A bilinear patch of a crowd: its corners (0, 0), (0, 1), (1, 0), (1, 1), each with a velocity along z. */
static void set_flat(crowd *made, size_t number, const double corners[4][4]) {
  made->patches[number].degree[0] = made->patches[number].degree[1] = 1;
  for (size_t i = 0; i < 4; i++) {
    memcpy(made->points[CROWD_POINTS * number + i], corners[i], sizeof(double[3]));
    made->velocities[CROWD_POINTS * number + i][2] = corners[i][3];
  }
}

static toi_surface_hit ask(const toi_model *model, double t_max) {
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = t_max;
  toi_surface_hit hit;
  toi_status status = toi_model_pair(context, model, NULL, &options, &hit);
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_context_destroy(context);
  return hit;
}

/* A floor, a wall at its end, and a lid at the wall's top that comes down, its free edge fastest: that meets the floor
 * at t = 1/2, if the floor reaches so far. */
static void a_lid_meets_the_floor_when_its_edge_does(void **state) {
  (void)state;
  crowd box = crowd_make(3);
  set_flat(&box, 0, (const double[4][4]){{0, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {2, 1, 0, 0}});
  set_flat(&box, 1, (const double[4][4]){{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, -0.4}, {0, 1, 1, -0.4}});
  set_flat(&box, 2, (const double[4][4]){{0, 0, 1, -0.4}, {0, 1, 1, -0.4}, {1, 0.25, 1, -2}, {1, 0.75, 1, -2}});
  toi_surface_hit hit = ask(&box.model, 1);
  assert_int_equal(hit.verdict, TOI_HIT);
  assert_true(hit.t_lo <= 0.5 && hit.t_hi >= 0.5 && hit.t_hi - hit.t_lo < 1e-9);
  assert_true(hit.patch_a == 0 && hit.patch_b == 2);
  assert_true(fabs(hit.point[0] - 1) < 1e-6 && fabs(hit.point[2]) < 1e-6);
  assert_int_equal(ask(&box.model, 0.499).verdict, TOI_MISS);
  crowd_free(&box);
}

/* Two that share an edge, one of which goes through the other; and one alone. */
static void neighbours_that_cross_are_left_out(void **state) {
  (void)state;
  crowd two = crowd_make(2);
  set_flat(&two, 0, (const double[4][4]){{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}});
  set_flat(&two, 1, (const double[4][4]){{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, -2}, {1, 1, 1, -2}});
  toi_surface_hit hit = ask(&two.model, 1);
  assert_true(hit.verdict == TOI_MISS && hit.checks == 0 && hit.t_safe == 1);
  two.model.patch_count = 1;
  assert_int_equal(ask(&two.model, 1).verdict, TOI_MISS);
  crowd_free(&two);
}

/* The same with edges that meet, but without a common corner: they touch from the start. */
static void a_joint_without_a_common_corner_touches_from_the_start(void **state) {
  (void)state;
  crowd two = crowd_make(2);
  set_flat(&two, 0, (const double[4][4]){{0, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}});
  set_flat(&two, 1, (const double[4][4]){{0, 0.25, 0, 0}, {0, 0.75, 0, 0}, {1, 0, 1, -2}, {1, 1, 1, -2}});
  toi_surface_hit hit = ask(&two.model, 1);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.t_safe == 0);

  // And corners that differ in their velocity only.
  set_flat(&two, 1, (const double[4][4]){{0, 0, 0, 1e-9}, {0, 1, 0, 1e-9}, {1, 0, 1, 0}, {1, 1, 1, 0}});
  hit = ask(&two.model, 1);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.t_safe == 0);
  crowd_free(&two);
}

/* Its spout and its handle begin inside the body. */
static void the_teapot_meets_itself(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model teapot;
  assert_int_equal(toi_model_teapot(context, &teapot), TOI_OK);
  toi_surface_hit hit = ask(&teapot, 1);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.t_safe == 0);
  toi_model_free(context, &teapot);
  toi_context_destroy(context);
}

/* --- the pinned cloth --- */

static crowd pinned(uint32_t size) {
  cloth_patches cloth;
  assert_true(cloth_pinned(size, &cloth));
  crowd made = crowd_make(cloth.count);
  memcpy(made.points, cloth.points, cloth.count * CROWD_POINTS * sizeof(double[3]));
  memcpy(made.velocities, cloth.velocities, cloth.count * CROWD_POINTS * sizeof(double[3]));
  cloth_free(&cloth);
  return made;
}

/* Whether two patches of a cloth of this size lie side by side or across a corner. */
static bool adjacent(size_t a, size_t b, size_t size) {
  size_t high = a / size > b / size ? a / size - b / size : b / size - a / size;
  size_t wide = a % size > b % size ? a % size - b % size : b % size - a % size;
  return high <= 1 && wide <= 1;
}

/* The legs of the arch meet near their tips: 0.12 apart from the middle, about 0.3 a second. */
static void a_cloth_pinned_by_two_corners_meets_itself(void **state) {
  (void)state;
  enum { SIZE = 10 };
  crowd cloth = pinned(SIZE);
  toi_surface_hit hit = ask(&cloth.model, 1);
  assert_int_equal(hit.verdict, TOI_HIT);
  print_message("patches %u and %u at %.12f, within %.1e, %d checks\n", hit.patch_a, hit.patch_b, hit.t_lo,
                hit.t_hi - hit.t_lo, (int)hit.checks);
  assert_true(hit.t_lo > 0.25 && hit.t_hi < 0.6 && hit.t_hi - hit.t_lo < 1e-8);
  assert_true(fabs(hit.point[1]) < 0.02);

  // Beside every pair by itself.
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = hit.t_hi;
  double first = INFINITY;
  for (size_t i = 0; i < cloth.model.patch_count; i++)
    for (size_t j = i + 1; j < cloth.model.patch_count; j++) {
      toi_surface_hit own;
      if (adjacent(i, j, SIZE))
        continue;
      assert_int_equal(toi_patch_pair(context, &cloth.patches[i], &cloth.patches[j], &options, &own), TOI_OK);
      if (own.verdict == TOI_HIT)
        first = own.t_hi < first ? own.t_hi : first;
      assert_true(own.verdict == TOI_MISS || own.t_hi >= hit.t_lo);
    }
  assert_true(first >= hit.t_lo && first <= hit.t_hi + 1e-8);
  assert_int_equal(ask(&cloth.model, hit.t_lo - 1e-6).verdict, TOI_MISS);
  toi_context_destroy(context);
  crowd_free(&cloth);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lid_meets_the_floor_when_its_edge_does),
      cmocka_unit_test(neighbours_that_cross_are_left_out),
      cmocka_unit_test(a_joint_without_a_common_corner_touches_from_the_start),
      cmocka_unit_test(the_teapot_meets_itself),
      cmocka_unit_test(a_cloth_pinned_by_two_corners_meets_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
