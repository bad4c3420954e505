/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Rigid motion taken as linear over pieces of time, against Rodrigues' formula in MPFR: true places keep within the
 * error that is claimed, at all times of the piece, and the error is no larger than it has to be. */

#include "support/support.h"

#include "surface/rigid_body.h"
#include "surface/spin_motion.h"

#include <stdio.h>

#include <mpfr.h>

#define ROUNDS UINT64_C(1500)
#define POINTS 4
#define TIMES 5
#define BITS 300

static uint64_t seed;
static toi_context *context;

static double random_number(double size) {
  return size * (2 * test_random_unit(&seed) - 1);
}

/* --- the oracle --- */

typedef struct body_case {
  double points[POINTS][3];
  toi_patch patch;
  toi_model model;
  spin_motion motion;
  double rate;   /* of a turn about the spin's axis; 0: by its length */
  bool formulas; /* the motion is said by a formula, which is no turn at a constant rate to the library */
} body_case;

typedef struct oracle {
  mpfr_t angle, sine, cosine, length, dot, term, sum, square;
  mpfr_t d[3], axis[3], place[3];
} oracle;

static oracle o;

static void oracle_each(void (*visit)(mpfr_ptr)) {
  visit(o.angle);
  visit(o.sine);
  visit(o.cosine);
  visit(o.length);
  visit(o.dot);
  visit(o.term);
  visit(o.sum);
  visit(o.square);
  for (int k = 0; k < 3; k++) {
    visit(o.d[k]);
    visit(o.axis[k]);
    visit(o.place[k]);
  }
}

static void make(mpfr_ptr x) {
  mpfr_init2(x, BITS);
}

static void clear(mpfr_ptr x) {
  mpfr_clear(x);
}

/* Where the point is at time t: c + t v + (n . d) n + cos (d - (n . d) n) + sin n x d. */
static void true_place(const body_case *one, const double point[3], double t) {
  const spin_motion *motion = &one->motion;
  mpfr_set_zero(o.length, 1);
  for (int k = 0; k < 3; k++) {
    mpfr_set_d(o.d[k], point[k], MPFR_RNDN);
    mpfr_sub_d(o.d[k], o.d[k], motion->centre[k], MPFR_RNDN);
    mpfr_set_d(o.axis[k], motion->spin[k], MPFR_RNDN);
    mpfr_sqr(o.term, o.axis[k], MPFR_RNDN);
    mpfr_add(o.length, o.length, o.term, MPFR_RNDN);
  }
  mpfr_sqrt(o.length, o.length, MPFR_RNDN);
  if (one->rate != 0) {
    mpfr_set_d(o.angle, one->rate, MPFR_RNDN);
    mpfr_mul_d(o.angle, o.angle, t, MPFR_RNDN);
  } else {
    mpfr_mul_d(o.angle, o.length, t, MPFR_RNDN);
  }
  mpfr_sin_cos(o.sine, o.cosine, o.angle, MPFR_RNDN);
  mpfr_set_zero(o.dot, 1);
  for (int k = 0; k < 3; k++) {
    if (!mpfr_zero_p(o.length))
      mpfr_div(o.axis[k], o.axis[k], o.length, MPFR_RNDN);
    mpfr_fma(o.dot, o.axis[k], o.d[k], o.dot, MPFR_RNDN);
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    mpfr_fmms(o.sum, o.axis[i], o.d[j], o.axis[j], o.d[i], MPFR_RNDN);
    mpfr_mul(o.sum, o.sum, o.sine, MPFR_RNDN);
    mpfr_mul(o.term, o.dot, o.axis[k], MPFR_RNDN);
    mpfr_add(o.sum, o.sum, o.term, MPFR_RNDN);
    mpfr_sub(o.term, o.d[k], o.term, MPFR_RNDN);
    mpfr_fma(o.sum, o.term, o.cosine, o.sum, MPFR_RNDN);
    mpfr_add_d(o.sum, o.sum, motion->centre[k], MPFR_RNDN);
    mpfr_set_d(o.term, motion->velocity[k], MPFR_RNDN);
    mpfr_mul_d(o.term, o.term, t, MPFR_RNDN);
    mpfr_add(o.place[k], o.sum, o.term, MPFR_RNDN);
  }
}

/* How far the linear place at `since` lies from the true one, rounded up. */
static double distance_from(const double point[3], const double velocity[3], double since) {
  mpfr_set_zero(o.square, 1);
  for (int k = 0; k < 3; k++) {
    mpfr_set_d(o.term, velocity[k], MPFR_RNDN);
    mpfr_mul_d(o.term, o.term, since, MPFR_RNDN);
    mpfr_add_d(o.term, o.term, point[k], MPFR_RNDN);
    mpfr_sub(o.term, o.term, o.place[k], MPFR_RNDN);
    mpfr_sqr(o.term, o.term, MPFR_RNDN);
    mpfr_add(o.square, o.square, o.term, MPFR_RNDN);
  }
  mpfr_sqrt(o.square, o.square, MPFR_RNDU);
  return mpfr_get_d(o.square, MPFR_RNDU);
}

/* --- bodies --- */

/* About an axis of coordinates. */
static toi_status make_by_formula(const spin_motion *motion, int axis, toi_motion **made) {
  const double back[3] = {-motion->centre[0], -motion->centre[1], -motion->centre[2]};
  double along[3] = {0};
  char angle[64];
  along[axis] = 1;
  snprintf(angle, sizeof angle, "%.17g*t", motion->spin[axis]);
  toi_status status = toi_motion_create(context, made);
  if (status == TOI_OK)
    status = toi_motion_move(*made, back, NULL);
  if (status == TOI_OK)
    status = toi_motion_turn_formula(*made, along, angle);
  return status == TOI_OK ? toi_motion_move(*made, motion->centre, motion->velocity) : status;
}

static toi_status make_turn(const body_case *one, toi_motion **made) {
  toi_status status = toi_motion_create(context, made);
  if (status == TOI_OK)
    status = toi_motion_turn(*made, one->motion.spin, one->motion.centre, 0, one->rate);
  return status == TOI_OK ? toi_motion_move(*made, NULL, one->motion.velocity) : status;
}

/* The motion is the body's until it is freed. */
static void make_body(const body_case *one, double t_max, toi_rigid_body *body) {
  toi_motion *motion;
  int axis = one->motion.spin[0] != 0 ? 0 : one->motion.spin[1] != 0 ? 1 : 2;
  assert_int_equal(one->formulas    ? make_by_formula(&one->motion, axis, &motion)
                   : one->rate != 0 ? make_turn(one, &motion)
                                    : spin_make(context, &one->motion, &motion),
                   TOI_OK);
  *body = (toi_rigid_body){.name = "first"};
  assert_int_equal(toi_rigid_body_make(context, &one->model, motion, t_max, body), TOI_OK);
}

static void free_body(toi_rigid_body *body) {
  toi_motion_destroy((toi_motion *)body->motion);
  toi_rigid_body_free(context, body);
}

/* Sizes, speeds and places of all kinds; now and then no spin, or a point on the axis. */
static void random_case(body_case *one) {
  double size = ldexp(1, (int)(test_random(&seed) % 40) - 20), away = test_random(&seed) % 3 ? size : 1e6 * size;
  double spin = ldexp(1, (int)(test_random(&seed) % 24) - 16), speed = size * spin * 4 * test_random_unit(&seed);
  if (test_random(&seed) % 12 == 0)
    spin = 0;
  one->motion = (spin_motion){.spin = {0}};
  for (int k = 0; k < 3; k++) {
    double centre = random_number(away);
    one->motion.centre[k] = centre;
    one->motion.spin[k] = test_random(&seed) % 4 ? random_number(spin) : 0;
    one->motion.velocity[k] = test_random(&seed) % 4 ? random_number(speed) : 0;
    for (int i = 0; i < POINTS; i++)
      one->points[i][k] = i == 0 && test_random(&seed) % 4 == 0 ? centre : centre + random_number(size);
  }
  one->formulas = test_random(&seed) % 4 == 0;
  const bool turns = one->motion.spin[0] != 0 || one->motion.spin[1] != 0 || one->motion.spin[2] != 0;
  one->rate = !one->formulas && turns && test_random(&seed) % 3 == 0 ? random_number(spin) : 0;
  for (int k = (int)(test_random(&seed) % 3), i = 0; i < 3 && one->formulas; i++)
    one->motion.spin[i] = i == k ? one->motion.spin[i] : 0;
  one->patch = (toi_patch){.shape = TOI_PATCH_QUAD, .degree = {1, 1}, .points = (const double(*)[3])one->points};
  one->model = (toi_model){.patches = &one->patch, .patch_count = 1};
}

/* A piece of time, and a unit that all times are multiples of, so that their differences are exact. */
typedef struct piece_of_time {
  double t0, t1, unit;
} piece_of_time;

static piece_of_time random_times(void) {
  piece_of_time piece = {.unit = ldexp(1, (int)(test_random(&seed) % 12) - 46)};
  double start = floor(test_random_unit(&seed) * 0x1p40) * piece.unit;
  double length = floor(ldexp(test_random_unit(&seed), 40 - (int)(test_random(&seed) % 40)) + 1) * piece.unit;
  piece.t0 = test_random(&seed) % 4 ? start : 0;
  piece.t1 = piece.t0 + length;
  return piece;
}

static void true_places_keep_within_the_error(void **state) {
  (void)state;
  seed = test_seed(0x919d);
  for (uint64_t round = test_count(ROUNDS); round > 0; round--) {
    body_case one;
    random_case(&one);
    piece_of_time piece = random_times();
    toi_rigid_body body;
    make_body(&one, piece.t1, &body);
    assert_true((body.wave == NULL) == one.formulas);
    assert_int_equal(toi_rigid_body_move(context, &body, piece.t0, piece.t1), TOI_OK);
    const toi_patch *moved = body.moved.patches;
    for (int i = 0; i < POINTS; i++)
      for (int j = 0; j < TIMES; j++) {
        // The ends, the middle, and others.
        double part = j < 3 ? 0.5 * j : test_random_unit(&seed);
        double since = floor(part * ((piece.t1 - piece.t0) / piece.unit)) * piece.unit;
        true_place(&one, one.points[i], piece.t0 + since);
        double off = distance_from(moved->points[i], moved->velocities[i], since);
        if (!(off <= moved->error + since * moved->velocity_error))
          fail_msg("[%a, %a] after %a: off by %a, claimed %a + t %a", piece.t0, piece.t1, since, off, moved->error,
                   moved->velocity_error);
      }
    free_body(&body);
  }
}

static void poses_are_true_in_the_middle(void **state) {
  (void)state;
  seed = test_seed(0x9153);
  uint64_t followed = 0;
  for (uint64_t round = test_count(ROUNDS); round > 0; round--) {
    body_case one;
    random_case(&one);
    const piece_of_time piece = random_times();
    toi_rigid_body body;
    toi_turn turn;
    make_body(&one, piece.t1, &body);
    assert_true(toi_rigid_body_can_pose(&body) == !one.formulas);
    const bool posed = !one.formulas && toi_rigid_body_pose(&body, piece.t0, piece.t1, &turn);
    assert_true(posed || one.formulas || !body.followed);
    const toi_patch *moved = body.moved.patches;
    const double length = piece.t1 - piece.t0;
    for (int i = 0; posed && i < POINTS; i++)
      for (int j = 0; j < TIMES; j++) {
        const double since = j < 3 ? 0.5 * j * length : floor(test_random_unit(&seed) * 64) / 64 * length;
        true_place(&one, one.points[i], piece.t0 + since);
        const double off = distance_from(moved->points[i], moved->velocities[i], since);
        const double claimed = j == 1 ? turn.error : moved->error + since * moved->velocity_error;
        if (!(off <= claimed))
          fail_msg("[%a, %a] after %a: off by %a, claimed %a", piece.t0, piece.t1, since, off, claimed);
      }
    followed += posed && turn.turns;
    free_body(&body);
  }
  assert_true(followed > 0);
}

static void bend_is_what_it_has_to_be(void **state) {
  (void)state;
  // A point a unit away from the axis: off by a^2 / 4 in the middle and at the ends.
  double point[1][3] = {{3, 0, 5}};
  toi_patch patch = {.shape = TOI_PATCH_QUAD, .degree = {0, 0}, .points = (const double(*)[3])point};
  const body_case one = {.model = {.patches = &patch, .patch_count = 1},
                         .motion = {.spin = {0, 0, 1}, .centre = {2, 0, -7}}};
  for (int i = 0; i < 6; i++) {
    double length = ldexp(2, -3 * i);
    toi_rigid_body body;
    make_body(&one, 4, &body);
    assert_int_equal(toi_rigid_body_move(context, &body, 0.25, 0.25 + length), TOI_OK);
    assert_true(body.followed);
    const toi_patch *moved = body.moved.patches;
    double worst = 0;
    for (int j = 0; j <= 2; j++) {
      true_place(&one, point[0], 0.25 + 0.5 * j * length);
      worst = fmax(worst, distance_from(moved->points[0], moved->velocities[0], 0.5 * j * length));
    }
    assert_true(worst > 0.85 * body.bend && body.bend < 1.2 * length * length / 16);
    assert_true(moved->error <= worst * 1.2 + 1e-13);
    free_body(&body);
  }
}

static void long_pieces_are_the_axis_and_its_surroundings(void **state) {
  (void)state;
  double point[1][3] = {{3, 4, 5}};
  toi_patch patch = {.shape = TOI_PATCH_QUAD, .degree = {0, 0}, .points = (const double(*)[3])point};
  const double spins[] = {5, 1e5, 1e12, 1e160, 1e300};
  for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
    const body_case one = {.model = {.patches = &patch, .patch_count = 1},
                           .motion = {.spin = {0, 0, spins[i]}, .velocity = {1, 0, 0}}};
    toi_rigid_body body;
    make_body(&one, 1, &body);
    assert_int_equal(toi_rigid_body_move(context, &body, 0, 1), TOI_OK);
    assert_false(body.followed);
    const toi_patch *moved = body.moved.patches;
    assert_true(fabs(moved->points[0][0]) < 1e-12 && fabs(moved->points[0][2] - 5) < 1e-12);
    assert_true(moved->velocities[0][0] == 1 && moved->velocities[0][1] == 0);
    assert_true(moved->error >= 5 && moved->error < 5 + 1e-11);
    free_body(&body);
  }
}

static void the_smallest_and_largest_spins_have_an_axis(void **state) {
  (void)state;
  double point[1][3] = {{3, 4, 5}};
  toi_patch patch = {.shape = TOI_PATCH_QUAD, .degree = {0, 0}, .points = (const double(*)[3])point};
  const double spins[] = {0x1p-1074, 1e-310, 1e-200, 1, 1e200, 1e308};
  for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
    const body_case one = {.model = {.patches = &patch, .patch_count = 1}, .motion = {.spin = {0, -spins[i], 0}}};
    toi_rigid_body body;
    make_body(&one, 1, &body);
    // The cross product with the axis, which has its components as entries.
    const toi_interval x = body.wave->entry[2][1].sine, y = body.wave->entry[0][2].sine, speed = body.wave->rate;
    assert_true(!body.shifts && toi_interval_contains(y, -1) && toi_interval_contains(x, 0));
    assert_true(toi_interval_width(y) < 1e-15 && toi_interval_width(x) == 0);
    assert_true(toi_interval_contains(speed, spins[i]));
    assert_true(toi_interval_width(speed) <= 1e-15 * spins[i] + 0x1p-1072);
    assert_true(fabs(body.reach - sqrt(34)) < 1e-11);
    free_body(&body);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(true_places_keep_within_the_error),
      cmocka_unit_test(poses_are_true_in_the_middle),
      cmocka_unit_test(bend_is_what_it_has_to_be),
      cmocka_unit_test(long_pieces_are_the_axis_and_its_surroundings),
      cmocka_unit_test(the_smallest_and_largest_spins_have_an_axis),
  };
  context = test_context(1);
  oracle_each(make);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  oracle_each(clear);
  mpfr_free_cache();
  toi_context_destroy(context);
  return failed;
}
