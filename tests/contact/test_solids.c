/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Solids of several faces against closed forms: a ball, a corner and an edge of a box come down on each kind of feature
 * of each solid of the library (spots.h); and what is no solid. */

#include "contact/spots.h"

static const solid solids[] = {
    {"box", on_box, {0, 0, 0}, INFINITY, TOI_SHAPE_BOX, box_size, NULL},
    {"capped cylinder", on_can, {0, 0, 0}, INFINITY, TOI_SHAPE_CAPPED_CYLINDER, can_size, NULL},
    {"capped cone", on_cone, {0, 0, 0.4}, 1.5, TOI_SHAPE_CAPPED_CONE, cone_size, NULL},
    {"capsule", on_capsule, {0, 0, 0}, INFINITY, TOI_SHAPE_CAPSULE, capsule_size, NULL},
    {"wedge", on_wedge, {-0.4, -0.3, 0}, INFINITY, TOI_SHAPE_WEDGE, wedge_size, NULL},
};
#define SOLIDS (sizeof solids / sizeof *solids)

static void ball_comes_down_on_every_feature(void **state) {
  (void)state;
  run(solids, SOLIDS, "ball", 0);
}

static void corner_comes_down_on_every_feature(void **state) {
  (void)state;
  run(solids, SOLIDS, "corner", 1);
}

static void edge_comes_down_on_edges_and_vertices(void **state) {
  (void)state;
  run(solids, SOLIDS, "edge", 2);
}

static void ball_leaves_from_inside(void **state) {
  (void)state;
  leave(solids, SOLIDS);
}

/* --- refusals --- */

static void expect_refusal(toi_status status, toi_shape *shape, const char *word) {
  assert_int_equal(status, TOI_ERROR_INPUT);
  assert_null(shape);
  if (strstr(toi_context_error(context), word) == NULL)
    fail_msg("'%s' does not say '%s'", toi_context_error(context), word);
}

static void polygons_that_are_none_are_refused(void **state) {
  (void)state;
  static const struct {
    double corners[5][2];
    size_t count;
    const char *word;
  } polygons[] = {
      {{{0, 0}, {1, 0}}, 2, "2 corners"},
      {{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, 4, "meets itself"},
      {{{0, 0}, {1, 0}, {1, 0}, {0, 1}}, 4, "twice in a row"},
      {{{0, 0}, {1, 0}, {2, 0}, {0, 1}}, 4, "straight on"},
      {{{0, 0}, {NAN, 0}, {0, 1}}, 3, "finite"},
      {{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}, 5, "meets itself"},
  };
  for (size_t i = 0; i < sizeof polygons / sizeof *polygons; i++) {
    toi_shape *shape = NULL;
    const toi_status status = toi_shape_prism(context, polygons[i].corners, polygons[i].count, 1, &shape);
    expect_refusal(status, shape, polygons[i].word);
  }
  static const double corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  toi_shape *shape = NULL;
  expect_refusal(toi_shape_prism(context, corners, 3, 0, &shape), shape, "height");
  expect_refusal(toi_shape_prism(context, NULL, 3, 1, &shape), shape, "NULL");
}

static void profiles_that_are_none_are_refused(void **state) {
  (void)state;
  static const struct {
    double points[5][2];
    size_t count;
    const char *word;
  } profiles[] = {
      {{{1, 0}}, 1, "2 at least"},
      {{{1, 0}, {0, 1}, {1, 2}}, 3, "only an open profile's ends"},
      {{{-1, 0}, {1, 1}}, 2, "0 or positive"},
      {{{1, 0}, {1, 1}, {1, 2}}, 3, "straight on"},
      {{{1, 0}, {2, 1}, {1, 1}, {2, 0}, {1, 0}}, 5, "meets itself"},
      {{{0, 0}, {1, 0}, {0, 0}}, 3, "must be positive"},
  };
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
    toi_shape *shape = NULL;
    const toi_status status = toi_shape_turned(context, profiles[i].points, profiles[i].count, &shape);
    expect_refusal(status, shape, profiles[i].word);
  }
}

/* An outline has an inside, and nothing else has one. */
static void ends_are_cut_out_of_their_planes(void **state) {
  (void)state;
  static const double corners[5][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 0.5}, {0, 2}};
  toi_shape *shape = NULL;
  assert_int_equal(toi_shape_prism(context, corners, 5, 1, &shape), TOI_OK);
  assert_int_equal(toi_shape_pieces(shape), 7);
  assert_true(toi_shape_holds(toi_shape_piece(shape, 6), 0.25, 1));
  assert_false(toi_shape_holds(toi_shape_piece(shape, 6), 1, 1));
  assert_true(toi_shape_holds(toi_shape_piece(shape, 5), 1, 1.75)); /* u and v are y and x below */
  assert_false(toi_shape_holds(toi_shape_piece(shape, 5), 1.75, 1));
  assert_false(toi_shape_holds(shape, 0.25, 0.25));
  assert_false(toi_shape_holds(NULL, 0, 0));
  toi_shape_destroy(shape);
}

int main(void) {
  seed = test_seed(18);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_comes_down_on_every_feature),      cmocka_unit_test(corner_comes_down_on_every_feature),
      cmocka_unit_test(edge_comes_down_on_edges_and_vertices), cmocka_unit_test(ball_leaves_from_inside),
      cmocka_unit_test(polygons_that_are_none_are_refused),    cmocka_unit_test(profiles_that_are_none_are_refused),
      cmocka_unit_test(ends_are_cut_out_of_their_planes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
