/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Curved separators, found and examined: pieces that touch, or are as close as the separation, are never told apart, at
 * rest, shifted or turning; with more room they are. */

#include "surface/separator.h"
#include "surface/trees.h"

#define T_MAX 1.0

static uint64_t seed;
static trees wood;
static toi_separator_space space;

static double random_number(double size) {
  return size * (2 * test_random_unit(&seed) - 1);
}

/* A random surface over the unit square, and another one above it: multiples of 2^-20, so that nothing is rounded. They
 * move up together, the lower one faster: at t = 1/2 its corner is `gap` below the other's, nothing is closer. Axes are
 * permuted. With a turn the lower one is at rest but for turning about its corner. */
static void two_sheets(uint32_t degree, double gap, bool turns, test_case *c) {
  const int up = (int)random_below(&seed, 3);
  c->t_max = T_MAX;
  patch_make(&c->a, TOI_PATCH_QUAD, degree, degree);
  patch_make(&c->b, TOI_PATCH_QUAD, degree, degree);
  for (size_t i = 0; i < patch_count(&c->a); i++) {
    const size_t column = i / (degree + 1), row = i % (degree + 1);
    const double height = ldexp(floor(random_number(0x1p18)), -20),
                 room = ldexp(floor(random_number(0x1p6) + 0x1p6), -20);
    double *low = c->a.points[i], *high = c->b.points[i];
    low[(up + 1) % 3] = high[(up + 1) % 3] = ldexp((double)column, -2);
    low[(up + 2) % 3] = high[(up + 2) % 3] = ldexp((double)row, -2);
    low[up] = turns ? height : height - 0x1p-12;
    high[up] = height + gap + (i == 0 ? 0 : room);
    c->a.velocities[i][up] = turns ? 0 : 0x1p-4 + 0x1p-11;
    c->b.velocities[i][up] = turns ? 0 : 0x1p-4;
  }
}

static toi_separator_result test_sheets(const test_case *c, const toi_turn *turns, toi_interval times,
                                        double separation) {
  trees_plant(&wood, c);
  toi_turn placed[2] = {{.turns = false}, {.turns = false}};
  if (turns) {
    placed[0] = *turns;
    for (int k = 0; k < 3; k++)
      placed[0].centre[k] -= wood.forest.centre[k];
    placed[0].centre_error = 0x1p-50;
  }
  const toi_separator_question question = {.piece = {wood.root[0], wood.root[1]},
                                           .turn = turns ? placed : NULL,
                                           .times = times,
                                           .at = 0.5,
                                           .separation = separation};
  toi_separator_result result;
  toi_separator_test(&question, &space, &result);
  return result;
}

/* They touch at t = 1/2. */
static void expect_touch(const test_case *c, toi_interval times, double separation) {
  const toi_separator_result at = test_sheets(c, NULL, times, separation);
  assert_false(at.apart);
  assert_true(at.left.lo <= 0.5 && at.left.hi >= 0.5);
}

/* Sheets that touch at one moment, or keep a distance that is no larger than the separation, are not apart then; a
 * little more, and most of them are. */
static void sheets_that_touch_are_not_apart(void **state) {
  (void)state;
  seed = test_seed(0x5e9a);
  const int rounds = (int)test_count_from(200, 50);
  int apart = 0, earlier = 0;
  for (int round = 0; round < rounds; round++) {
    const uint32_t degree = 1 + random_below(&seed, 4);
    const double distance = random_below(&seed, 2) ? 0x1p-16 : 0;
    const uint64_t same = seed;
    test_case touching, clear_of;
    two_sheets(degree, distance, false, &touching);
    seed = same;
    two_sheets(degree, distance + 0x1p-11, false, &clear_of);
    expect_touch(&touching, (toi_interval){0.25, 0.75}, distance);
    expect_touch(&touching, (toi_interval){0.375, 1}, distance);
    // Time turned around: they touch, and part.
    test_case parting = {.t_max = T_MAX};
    patch_copy(&parting.a, &touching.a);
    patch_copy(&parting.b, &touching.b);
    for (size_t i = 0; i < patch_count(&touching.a); i++)
      for (int k = 0; k < 3; k++) {
        parting.a.points[i][k] += parting.a.velocities[i][k];
        parting.b.points[i][k] += parting.b.velocities[i][k];
        parting.a.velocities[i][k] = -parting.a.velocities[i][k];
        parting.b.velocities[i][k] = -parting.b.velocities[i][k];
      }
    expect_touch(&parting, (toi_interval){0, 0.625}, distance);
    apart += test_sheets(&clear_of, NULL, (toi_interval){0.25, 0.75}, distance).apart;
    earlier += test_sheets(&touching, NULL, (toi_interval){0, 0.25}, distance).apart;
  }
  print_message("of %d pairs, %d apart with more room, %d before they touch\n", rounds, apart, earlier);
  assert_true(apart > rounds / 16 && earlier > rounds / 16);
}

/* The corner that touches lies on the axis. */
static void a_sheet_that_turns_about_where_it_touches_is_not_apart(void **state) {
  (void)state;
  seed = test_seed(0x5e9b);
  const int rounds = (int)test_count_from(200, 50);
  int apart = 0;
  for (int round = 0; round < rounds; round++) {
    const uint32_t degree = 1 + random_below(&seed, 4);
    const uint64_t same = seed;
    test_case touching, clear_of;
    two_sheets(degree, 0, true, &touching);
    seed = same;
    two_sheets(degree, 0x1p-10, true, &clear_of);
    toi_turn turn = {.turns = true};
    for (int k = 0; k < 3; k++) {
      turn.centre[k] = touching.a.points[0][k];
      turn.spin[k] = random_number(0x1p-10);
    }
    assert_false(test_sheets(&touching, &turn, (toi_interval){0, 1}, 0).apart);
    assert_false(test_sheets(&touching, &turn, (toi_interval){0, 0.25}, 0).apart);
    assert_false(test_sheets(&touching, &turn, (toi_interval){0.75, 1}, 0).apart);
    apart += test_sheets(&clear_of, &turn, (toi_interval){0, 1}, 0).apart;
  }
  print_message("of %d pairs, %d apart with more room\n", rounds, apart);
  assert_true(apart > rounds / 16);
}

/* Two pieces, the first maybe turning about the origin, at any time of the step. */
static bool are_apart(const test_case *c, const double *spin, double separation, toi_norm norm) {
  trees_plant(&wood, c);
  toi_turn turns[2] = {{.turns = spin != NULL, .centre_error = 0x1p-50, .error = c->a.patch.error}, {.turns = false}};
  for (int k = 0; k < 3; k++) {
    turns[0].spin[k] = spin ? spin[k] : 0;
    turns[0].centre[k] = -wood.forest.centre[k];
  }
  const toi_separator_question question = {.piece = {wood.root[0], wood.root[1]},
                                           .turn = spin ? turns : NULL,
                                           .times = {0, 1},
                                           .at = 0.5,
                                           .separation = separation,
                                           .norm = norm};
  toi_separator_result result;
  toi_separator_test(&question, &space, &result);
  return result.apart;
}

/* Plates 2^-10 apart, of which one may turn in its plane: the separation, the errors of both and their sum count, in
 * both norms, to the last. */
static void plates_are_apart_by_their_distance(void **state) {
  (void)state;
  const double distance = 0x1p-10, little = 0x1p-20;
  for (int up = 0; up < 3; up++)
    for (int way = 0; way < 16; way++) {
      test_case c = {.t_max = T_MAX};
      test_patch *plates[2] = {&c.a, &c.b};
      for (int side = 0; side < 2; side++) {
        patch_make(plates[side], TOI_PATCH_QUAD, 1, 1);
        for (int i = 0; i < 4; i++) {
          plates[side]->points[i][(up + 1) % 3] = (i < 2 ? 0 : 1) - 0.5;
          plates[side]->points[i][(up + 2) % 3] = i % 2 - 0.5;
          plates[side]->points[i][up] = side == 0 ? distance : 0;
        }
      }
      const double in_plane[3] = {up == 0, up == 1, up == 2}, *spin = way & 1 ? in_plane : NULL;
      const toi_norm norm = way & 2 ? TOI_NORM_LINF : TOI_NORM_L2;
      // Errors are distances, of which coordinates may be 1 / sqrt 3: what is counted of them is up to sqrt 3 as much.
      const double part = way & 8 ? 0.5 : 0, room = norm == TOI_NORM_L2 && part == 0 ? 1 : 0.57;
      plates[way >> 2 & 1]->patch.error = part * distance;
      assert_false(are_apart(&c, spin, (1 - part) * distance, norm));
      assert_true(are_apart(&c, spin, (room - part) * distance > 0 ? (room - part) * distance - little : 0, norm));
    }
}

/* The same octant of two spheres, one maybe turning: the slope of a quadric counts. */
static void octants_are_apart_by_their_distance(void **state) {
  (void)state;
  seed = test_seed(0x0c7a);
  for (int round = 0; round < 40; round++) {
    const double distance = ldexp(1, -5 - (int)random_below(&seed, 10));
    test_case c = {.t_max = T_MAX};
    test_patch *octants[2] = {&c.a, &c.b};
    for (int side = 0; side < 2; side++) {
      static const double quarter[3][2] = {{1, 0}, {1, 1}, {0, 1}};
      patch_make(octants[side], TOI_PATCH_QUAD, 2, 2);
      octants[side]->patch.weights = octants[side]->weights;
      for (int i = 0; i < 9; i++) {
        const double radius = side == 0 ? 1 : 1 + distance, *around = quarter[i / 3], *up = quarter[i % 3];
        octants[side]->points[i][0] = radius * up[0] * around[0];
        octants[side]->points[i][1] = radius * up[0] * around[1];
        octants[side]->points[i][2] = radius * up[1];
        octants[side]->weights[i] = (i / 3 == 1 ? sqrt(0.5) : 1) * (i % 3 == 1 ? sqrt(0.5) : 1);
      }
    }
    const double spin[3] = {random_number(0.5), random_number(0.5), random_number(0.5)};
    const bool turns = round % 2;
    // Their middles are in both octants at all times, so that the distance is reached.
    assert_false(are_apart(&c, turns ? spin : NULL, distance * (1 + 1e-9), TOI_NORM_L2));
    assert_true(are_apart(&c, turns ? spin : NULL, distance * 0.8, TOI_NORM_L2));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_that_touch_are_not_apart),
      cmocka_unit_test(a_sheet_that_turns_about_where_it_touches_is_not_apart),
      cmocka_unit_test(plates_are_apart_by_their_distance),
      cmocka_unit_test(octants_are_apart_by_their_distance),
  };
  wood = trees_make();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  trees_free(&wood);
  return failed;
}
