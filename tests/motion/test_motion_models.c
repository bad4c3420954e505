/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is known of motions beside enclosures: models of them by polynomials of time, how a turn at a constant rate
 * moves its points, and which motions are shifts. All of it beside the enclosures at single times, which are tested
 * with MPFR. */

#include "support/support.h"

#include "motion/stage.h"
#include "solve/vector.h"

#include <stdlib.h>

#define ROUNDS UINT64_C(300)

static uint64_t seed;
static toi_context *context;

static double random_number(void) {
  return test_random(&seed) % 5 == 0 ? 0 : 2 * test_random_unit(&seed) - 1;
}

static void random_vector(double v[3]) {
  for (int k = 0; k < 3; k++)
    v[k] = random_number();
}

/* One more step: of those that make a wave, or of all. */
static void add_step(toi_motion *motion, bool wave) {
  double a[3], b[3];
  random_vector(a);
  random_vector(b);
  a[test_random(&seed) % 3] += 1.25;
  const toi_screw screw = {.axis = {a[0], a[1], a[2]},
                           .through = {b[0], b[1], b[2]},
                           .angle = random_number(),
                           .rate = random_number(),
                           .shift = random_number(),
                           .speed = random_number()};
  const char *const quaternion[] = {"1 + 0.25*t", "sin(t)", "0.5*t^2 - 0.125", "cos(2*t)"};
  const char *const translation[] = {"t*cos(t)", "1/(1 + t^2)", "t^3"};
  switch (test_random(&seed) % (wave ? 4 : 7)) {
  case 0:
    assert_int_equal(toi_motion_move(motion, a, b), TOI_OK);
    return;
  case 1:
    assert_int_equal(toi_motion_turn(motion, a, b, random_number(), random_number()), TOI_OK);
    return;
  case 2:
    assert_int_equal(toi_motion_spin(motion, a, b), TOI_OK);
    return;
  case 3:
    assert_int_equal(toi_motion_screw(motion, &screw), TOI_OK);
    return;
  case 4:
    assert_int_equal(toi_motion_turn_formula(motion, a, "0.5*t^2 - sin(3*t)"), TOI_OK);
    return;
  case 5:
    assert_int_equal(toi_motion_formula(motion, quaternion, translation), TOI_OK);
    return;
  default:
    assert_int_equal(toi_motion_formula(motion, NULL, translation), TOI_OK);
  }
}

static toi_motion *random_motion(bool wave) {
  toi_motion *motion;
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  for (uint64_t steps = test_random(&seed) % 4; steps > 0; steps--)
    add_step(motion, wave);
  return motion;
}

static bool meet(toi_interval a, toi_interval b) {
  return a.lo <= b.hi && b.lo <= a.hi;
}

/* --- models --- */

/* A model of one variable at y, with a little for the rounding of this. */
static toi_interval model_at(const toi_taylor *model, double y) {
  double sum = 0, power = 1, size = 1;
  for (unsigned i = 0; i <= model->degree; i++) {
    sum += model->c[i] * power;
    size += fabs(model->c[i]);
    power *= y;
  }
  return toi_interval_around(sum, model->r + 1e-14 * size);
}

static void models_hold_motions(void **state) {
  (void)state;
  seed = test_seed(0x7a91);
  toi_taylor_space space;
  toi_taylor_space_make(&space, 1, 6);
  static toi_motion_taylor pose[3];
  for (uint64_t round = test_count(ROUNDS); round > 0; round--) {
    toi_motion *motions[2] = {random_motion(false), random_motion(false)};
    const double start = test_random_unit(&seed), length = ldexp(1, -1 - (int)(test_random(&seed) % 6));
    const toi_interval times = {start, start + length};
    toi_taylor t, s[3], place[3];
    toi_taylor_variable(times, 0, &t);
    for (int i = 0; i < 2; i++) {
      const size_t registers = toi_motion_taylor_registers(motions[i]) + 1;
      toi_taylor *memory = malloc(registers * sizeof *memory);
      assert_non_null(memory);
      toi_motion_taylor_at(motions[i], &space, &t, memory, &pose[i]);
      free(memory);
    }
    toi_motion_taylor_relative(&space, &pose[0], &pose[1], &pose[2]);
    double point[3];
    random_vector(point);
    for (int k = 0; k < 3; k++)
      toi_taylor_constant(toi_interval_point(point[k]), &s[k]);
    toi_motion_taylor_place(&space, &pose[2], s, place);
    for (int part = 0; part <= 4; part++) {
      const double y = part / 2.0 - 1, now = start + 0.5 * length + 0.5 * length * y;
      toi_motion_jet jet[3];
      for (int i = 0; i < 2; i++)
        toi_motion_jet_at(motions[i], toi_interval_point(now), 0, &jet[i]);
      toi_motion_jet_relative(&jet[0], &jet[1], 0, &jet[2]);
      for (int i = 0; i < 3; i++)
        for (int row = 0; row < 3; row++) {
          assert_true(meet(model_at(&pose[i].translation[row], y), jet[i].translation[0][row]));
          for (int column = 0; column < 3; column++) {
            const toi_taylor *model = &pose[i].rotation[row][column];
            assert_true(meet(model_at(model, y), jet[i].rotation[0][row][column]));
            assert_true(model->r < (length < 0x1p-4 ? 0.01 : INFINITY));
          }
        }
      toi_interval at[3], image[3];
      for (int k = 0; k < 3; k++)
        at[k] = toi_interval_point(point[k]);
      toi_times3((const toi_interval(*)[3])jet[2].rotation[0], at, image);
      toi_add3(image, jet[2].translation[0], image);
      for (int k = 0; k < 3; k++)
        assert_true(meet(model_at(&place[k], y), image[k]));
    }
    toi_motion_destroy(motions[0]);
    toi_motion_destroy(motions[1]);
  }
}

/* --- turns at a constant rate --- */

/* A point p moves as the axis does, and around it: p' = v + w x (p - c - t v). */
static void points_turn_about_the_axis(void **state) {
  (void)state;
  seed = test_seed(0x7a92);
  uint64_t spinning = 0;
  for (uint64_t round = test_count(4 * ROUNDS); round > 0; round--) {
    toi_motion *motion = random_motion(true);
    const toi_wave *wave = toi_motion_wave(motion);
    const toi_interval t = toi_interval_point(random_number());
    toi_motion_jet jet;
    toi_interval point[3], at[3], velocity[3], arm[3], across[3];
    for (int k = 0; k < 3; k++)
      point[k] = toi_interval_point(random_number());
    if (wave != NULL && wave->turns) {
      assert_true(wave->spins);
      spinning++;
      toi_motion_jet_at(motion, t, 1, &jet);
      toi_times3((const toi_interval(*)[3])jet.rotation[0], point, at);
      toi_add3(at, jet.translation[0], at);
      toi_times3((const toi_interval(*)[3])jet.rotation[1], point, velocity);
      toi_add3(velocity, jet.translation[1], velocity);
      for (int k = 0; k < 3; k++)
        arm[k] = toi_interval_sub(at[k], toi_interval_add(wave->centre[k], toi_interval_mul(t, wave->velocity[k])));
      toi_cross3(wave->spin, arm, across);
      for (int k = 0; k < 3; k++) {
        const toi_interval meant = toi_interval_add(across[k], wave->velocity[k]);
        assert_true(meet(meant, velocity[k]) && toi_interval_width(meant) < 1e-12);
      }
    }
    if (wave != NULL && wave->in_place) {
      toi_motion_jet_at(motion, toi_interval_point(0), 0, &jet);
      for (int i = 0; i < 3; i++) {
        assert_true(toi_interval_contains(jet.translation[0][i], 0));
        for (int j = 0; j < 3; j++)
          assert_true(toi_interval_contains(jet.rotation[0][i][j], i == j));
      }
    }
    toi_motion_destroy(motion);
  }
  assert_true(spinning > 0);
}

/* --- shifts --- */

static void shifts_are_told_from_other_motions(void **state) {
  (void)state;
  const double a[3] = {0.1, 0.2, 0.3}, b[3] = {1, 2, 4}, zero[3] = {0};
  double shift[3] = {9, 9, 9}, velocity[3] = {9, 9, 9};
  assert_true(toi_motion_linear(NULL, shift, velocity) && shift[2] == 0 && velocity[0] == 0);
  toi_motion *motion;
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  assert_true(toi_motion_linear(motion, shift, velocity) && shift[0] == 0);
  assert_int_equal(toi_motion_spin(motion, zero, b), TOI_OK);
  assert_int_equal(toi_motion_move(motion, a, b), TOI_OK);
  assert_true(toi_motion_linear(motion, shift, velocity) && shift[1] == 0.2 && velocity[2] == 4);
  assert_false(toi_motion_wave(motion)->in_place);
  // Twice 0.3 is a double, and three times 0.1 is none.
  assert_int_equal(toi_motion_move(motion, a, NULL), TOI_OK);
  assert_true(toi_motion_linear(motion, shift, velocity) && shift[2] == 0.6 && velocity[1] == 2);
  assert_int_equal(toi_motion_move(motion, a, NULL), TOI_OK);
  assert_false(toi_motion_linear(motion, shift, velocity));
  toi_motion_destroy(motion);
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  assert_int_equal(toi_motion_spin(motion, b, a), TOI_OK);
  assert_true(toi_motion_wave(motion)->in_place && !toi_motion_linear(motion, shift, velocity));
  toi_motion_destroy(motion);
  toi_screw screw;
  memset(&screw, 0xff, sizeof screw);
  toi_screw_init(&screw, sizeof screw);
  assert_true(screw.size == sizeof screw && screw.rate == 0 && screw.axis[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_hold_motions),
      cmocka_unit_test(points_turn_about_the_axis),
      cmocka_unit_test(shifts_are_told_from_other_motions),
  };
  context = test_context(1);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  toi_context_destroy(context);
  return failed;
}
