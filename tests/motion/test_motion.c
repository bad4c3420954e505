/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Shifts, turns, screws and formulas, alone and one after the other, against MPFR: at random times in random intervals
 * rotation and translation, with both derivatives, lie in the enclosures. What is exact has no width; turns are
 * enclosed as tightly as they swing. */

#include "motion/oracle.h"

#define ROUNDS UINT64_C(4000)
#define CALLS_MOST 4

static uint64_t seed;
static toi_context *context;

/* --- random calls, made on a motion and on the oracle --- */

typedef enum kind { MOVE, TURN, SPIN, SCREW, ANGLE, FORMULA, SHIFT_FORMULA, KINDS } kind;

typedef struct call {
  kind kind;
  double shift[3], velocity[3];
  toi_screw screw;
} call;

static double random_coordinate(void) {
  uint64_t style = test_random(&seed) % 8;
  if (style == 0)
    return 0;
  double x = 4 * test_random_unit(&seed) - 2;
  return style == 1 ? ldexp(x, (int)(test_random(&seed) % 40) - 20) : style == 2 ? floor(4 * x) : x;
}

static void random_vector(double v[3]) {
  for (int i = 0; i < 3; i++)
    v[i] = random_coordinate();
}

static call random_call(void) {
  call c = {.kind = (kind)(test_random(&seed) % KINDS)};
  random_vector(c.shift);
  random_vector(c.velocity);
  do
    random_vector(c.screw.axis);
  while (c.screw.axis[0] == 0 && c.screw.axis[1] == 0 && c.screw.axis[2] == 0);
  if (test_random(&seed) % 8 == 0)
    for (int i = 0; i < 3; i++)
      c.screw.axis[i] = ldexp(c.screw.axis[i], test_random(&seed) & 1 ? 900 : -900);
  if (test_random(&seed) & 1)
    random_vector(c.screw.through);
  c.screw.angle = random_coordinate();
  c.screw.rate = test_random(&seed) % 3 == 0 ? 0 : random_coordinate();
  c.screw.shift = random_coordinate();
  c.screw.speed = random_coordinate();
  return c;
}

static toi_status make_call(toi_motion *motion, const call *c) {
  const toi_screw *s = &c->screw;
  switch (c->kind) {
  case MOVE:
    return toi_motion_move(motion, c->shift, c->velocity);
  case TURN:
    return toi_motion_turn(motion, s->axis, s->through, s->angle, s->rate);
  case SPIN:
    return toi_motion_spin(motion, c->velocity, s->through);
  case SCREW:
    return toi_motion_screw(motion, s);
  case ANGLE:
    return toi_motion_turn_formula(motion, s->axis, "0.5*t^2 - sin(3*t)");
  case FORMULA:
    return toi_motion_formula(motion, (const char *const[]){"1 + 0.25*t", "sin(t)", "0.5*t^2 - 0.125", "cos(2*t)"},
                              (const char *const[]){"t*cos(t)", "1/(1 + t^2)", "t^3"});
  default:
    return toi_motion_formula(motion, NULL, (const char *const[]){"t^2", "sin(2*t)", "0.5"});
  }
}

/* The same formulas. */
static void call_formula(oracle *o) {
  number t = o->t, s, c, s2, c2, one = constant(1), square = times(t, t);
  sine_cosine(t, &s, &c);
  sine_cosine(plus(t, t), &s2, &c2);
  number q[4] = {linear(1, 0.25, t), s, minus(times(constant(0.5), square), constant(0.125)), c2};
  number p[3] = {times(t, c), over(one, plus(one, square)), times(t, square)};
  oracle_quaternion(o, q, p);
}

static void call_oracle(oracle *o, const call *c) {
  const toi_screw *s = &c->screw;
  number sine, cosine, zero = constant(0), angle = linear(s->angle, s->rate, o->t);
  switch (c->kind) {
  case MOVE:
    oracle_move(o, c->shift, c->velocity);
    return;
  case TURN:
    oracle_screw(o, s->axis, s->through, angle, zero);
    return;
  case SPIN:
    if (c->velocity[0] != 0 || c->velocity[1] != 0 || c->velocity[2] != 0)
      oracle_screw(o, c->velocity, s->through, times(length_of(c->velocity), o->t), zero);
    return;
  case SCREW:
    oracle_screw(o, s->axis, s->through, angle, linear(s->shift, s->speed, o->t));
    return;
  case ANGLE:
    sine_cosine(times(constant(3), o->t), &sine, &cosine);
    angle = minus(times(constant(0.5), times(o->t, o->t)), sine);
    oracle_screw(o, s->axis, (const double[3]){0, 0, 0}, angle, zero);
    return;
  case FORMULA:
    call_formula(o);
    return;
  default:
    sine_cosine(plus(o->t, o->t), &sine, &cosine);
    o->translation[0] = plus(o->translation[0], times(o->t, o->t));
    o->translation[1] = plus(o->translation[1], sine);
    o->translation[2] = plus(o->translation[2], constant(0.5));
  }
}

static toi_motion *make_motion(const call *calls, size_t count) {
  toi_motion *motion;
  assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(make_call(motion, &calls[i]), TOI_OK);
  return motion;
}

static oracle make_oracle(const call *calls, size_t count, double t) {
  oracle o = oracle_at(t);
  for (size_t i = 0; i < count; i++)
    call_oracle(&o, &calls[i]);
  return o;
}

/* --- Taylor models --- */

static toi_taylor_space space;
static toi_taylor registers[256];
static uint64_t models;

/* The model's values where its variable is in y. A quaternion that may be 0 has no model. */
static toi_interval model_at(const toi_taylor *a, toi_interval y) {
  toi_interval sum = {0, 0};
  if (!(a->r <= DBL_MAX))
    return toi_interval_whole();
  models++;
  for (unsigned k = a->degree + 1; k-- > 0;)
    sum = toi_interval_add(toi_interval_mul(sum, y), toi_interval_point(a->c[k]));
  return toi_interval_add(sum, (toi_interval){-a->r, a->r});
}

/* The models of a time, at a moment of it, hold what the oracle says; and seen from itself the motion rests. */
static void check_models(const toi_motion *motion, toi_interval t, double inside, const oracle *o) {
  toi_taylor time;
  toi_motion_taylor pose, relative;
  toi_motion_jet jet = {0};
  assert_true(toi_motion_taylor_registers(motion) <= sizeof registers / sizeof *registers);
  toi_taylor_space_make(&space, 1, 1 + (unsigned)(test_random(&seed) % TOI_TAYLOR_ORDER));
  toi_taylor_variable(t, 0, &time);
  toi_motion_taylor_at(motion, &space, &time, registers, &pose);
  toi_motion_taylor_relative(&space, &pose, &pose, &relative);
  toi_interval y = {0, 0};
  if (time.c[1] > 0)
    y = toi_interval_div(toi_interval_sub(toi_interval_point(inside), toi_interval_point(time.c[0])),
                         toi_interval_point(time.c[1]));
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      jet.rotation[0][i][j] = model_at(&pose.rotation[i][j], y);
      assert_true(toi_interval_contains(model_at(&relative.rotation[i][j], y), i == j));
    }
    jet.translation[0][i] = model_at(&pose.translation[i], y);
    assert_true(toi_interval_contains(model_at(&relative.translation[i], y), 0));
  }
  assert_int_equal(oracle_misses(o, &jet, 0, false), 0);
}

/* --- enclosures --- */

static void random_motions_are_enclosed(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(ROUNDS); round++) {
    call calls[CALLS_MOST];
    size_t count = 1 + test_random(&seed) % CALLS_MOST;
    for (size_t i = 0; i < count; i++)
      calls[i] = random_call();
    toi_motion *motion = make_motion(calls, count);
    for (int i = 0; i < 4; i++) {
      double inside;
      toi_interval t = random_times(&seed, -1, 3, &inside);
      toi_motion_jet jet = {0};
      unsigned order = (unsigned)(test_random(&seed) % 3);
      toi_motion_jet_at(motion, t, order, &jet);
      oracle o = make_oracle(calls, count, inside);
      assert_int_equal(oracle_misses(&o, &jet, order, false), 0);
      check_models(motion, t, inside, &o);
      for (int k = 0; k < 9; k++)
        assert_true(fabs(jet.rotation[0][k / 3][k % 3].lo) <= 1 && fabs(jet.rotation[0][k / 3][k % 3].hi) <= 1);
    }
    toi_motion_destroy(motion);
  }
  // Of 96 each: nearly all are finite.
  print_message("%llu models\n", (unsigned long long)models);
  assert_true(models > 80 * test_count(ROUNDS));
}

static void scale_vector(double v[3], int exponent) {
  for (int i = 0; i < 3; i++)
    v[i] = ldexp(v[i], exponent);
}

/* Lengths and times of any size: what over- or underflows in a product, or in a square, is still enclosed. */
static void motions_of_all_sizes_are_enclosed(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(ROUNDS); round++) {
    oracle_length = (int)(test_random(&seed) % 1900) - 950;
    oracle_time = (int)(test_random(&seed) % 1900) - 950;
    call calls[3];
    size_t count = 1 + test_random(&seed) % 3;
    for (size_t i = 0; i < count; i++) {
      calls[i] = random_call();
      calls[i].kind = (kind)(test_random(&seed) % 3);
      scale_vector(calls[i].shift, oracle_length);
      scale_vector(calls[i].velocity, oracle_length - oracle_time);
      scale_vector(calls[i].screw.through, oracle_length);
      calls[i].screw.rate = ldexp(calls[i].screw.rate, -oracle_time);
      calls[i].screw.shift = ldexp(calls[i].screw.shift, oracle_length);
      calls[i].screw.speed = ldexp(calls[i].screw.speed, oracle_length - oracle_time);
    }
    // What is beyond the largest double is refused, not enclosed.
    toi_motion *motion;
    toi_status status = toi_motion_create(context, &motion);
    for (size_t i = 0; i < count && status == TOI_OK; i++)
      status = make_call(motion, &calls[i]);
    if (status == TOI_OK) {
      double inside;
      toi_interval t = random_times(&seed, 0, ldexp(1, oracle_time), &inside);
      toi_motion_jet jet = {0};
      toi_motion_jet_at(motion, t, 2, &jet);
      oracle o = make_oracle(calls, count, inside);
      assert_int_equal(oracle_misses(&o, &jet, 2, false), 0);
    }
    toi_motion_destroy(motion);
  }
  oracle_length = oracle_time = 0;
}

/* An enclosure that is a little too small must be seen. */
static void an_enclosure_cut_by_a_hundredth_is_caught(void **state) {
  (void)state;
  unsigned caught = 0;
  for (int round = 0; round < 100; round++) {
    call c = random_call();
    c.kind = TURN;
    c.screw.rate = 1 + test_random_unit(&seed);
    toi_motion *motion = make_motion(&c, 1);
    toi_motion_jet jet = {0};
    double t = test_random_unit(&seed);
    toi_motion_jet_at(motion, (toi_interval){t, t + 0x1p-20}, 0, &jet);
    for (int i = 0; i < 9; i++) {
      toi_interval *a = &jet.rotation[0][i / 3][i % 3];
      a->hi -= 0.01 * (a->hi - a->lo);
      a->lo += 0.01 * (a->hi - a->lo);
    }
    oracle o = make_oracle(&c, 1, t);
    caught += oracle_misses(&o, &jet, 0, true) > 0;
    toi_motion_destroy(motion);
  }
  assert_true(caught > 90);
}

/* --- what is exact --- */

static void assert_point(toi_interval a, double x) {
  assert_true(a.lo == x && a.hi == x);
}

static void assert_identity(const toi_motion_jet *jet) {
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        assert_point(jet->rotation[k][i][j], k == 0 && i == j ? 1 : 0);
}

static void rest_is_exact(void **state) {
  (void)state;
  toi_motion *motion = make_motion(NULL, 0);
  const toi_motion *rests[2] = {motion, NULL};
  for (int m = 0; m < 2; m++) {
    toi_motion_jet jet;
    memset(&jet, 0xff, sizeof(jet));
    toi_motion_jet_at(rests[m], (toi_interval){0, 5}, 2, &jet);
    assert_identity(&jet);
    for (int k = 0; k < 9; k++)
      assert_point(jet.translation[k / 3][k % 3], 0);
    assert_true(toi_motion_is_shift(rests[m]));
  }
  toi_motion_destroy(motion);
}

static void shifts_have_the_identity_and_exact_velocities(void **state) {
  (void)state;
  toi_motion *motion = make_motion(NULL, 0);
  assert_int_equal(toi_motion_move(motion, (double[]){1, 0.1, -3}, NULL), TOI_OK);
  assert_int_equal(toi_motion_move(motion, NULL, (double[]){2, 0, 0.25}), TOI_OK);
  assert_int_equal(toi_motion_turn(motion, (double[]){1, 2, 3}, (double[]){4, 5, 6}, 0, 0), TOI_OK);
  assert_true(toi_motion_is_shift(motion));
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, (toi_interval){0.5, 0.75}, 2, &jet);
  assert_identity(&jet);
  assert_true(jet.translation[0][0].lo == 2 && jet.translation[0][0].hi == 2.5);
  assert_point(jet.translation[0][1], 0.1);
  assert_point(jet.translation[1][0], 2);
  assert_point(jet.translation[1][1], 0);
  assert_point(jet.translation[1][2], 0.25);
  for (int i = 0; i < 3; i++)
    assert_point(jet.translation[2][i], 0);
  assert_int_equal(toi_motion_formula(motion, NULL, (const char *const[]){"t^2", "0", "1"}), TOI_OK);
  assert_true(toi_motion_is_shift(motion));
  toi_motion_jet_at(motion, (toi_interval){0.5, 0.5}, 2, &jet);
  assert_identity(&jet);
  assert_point(jet.translation[0][0], 2.25);
  assert_point(jet.translation[2][0], 2);
  assert_int_equal(toi_motion_turn(motion, (double[]){0, 0, 1}, NULL, 0, 1), TOI_OK);
  assert_false(toi_motion_is_shift(motion));
  toi_motion_destroy(motion);
}

static void a_turn_about_z_leaves_z_alone(void **state) {
  (void)state;
  toi_motion *motion = make_motion(NULL, 0);
  assert_int_equal(toi_motion_turn(motion, (double[]){0, 0, -0.1}, (double[]){1, 0, 7}, 0, 0.5), TOI_OK);
  toi_motion_jet jet = {0};
  toi_motion_jet_at(motion, (toi_interval){0, 0}, 2, &jet);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      assert_point(jet.rotation[0][i][j], i == j);
    assert_point(jet.translation[0][i], 0);
  }
  // Clockwise, as the axis points down.
  assert_true(toi_interval_contains(jet.rotation[1][1][0], -0.5) && toi_interval_width(jet.rotation[1][1][0]) < 1e-15);
  assert_point(jet.rotation[1][0][0], 0);
  toi_motion_jet_at(motion, (toi_interval){0, 3}, 2, &jet);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      assert_point(jet.rotation[k][2][i], k == 0 && i == 2);
      assert_point(jet.rotation[k][i][2], k == 0 && i == 2);
    }
  assert_point(jet.translation[0][2], 0);
  toi_motion_destroy(motion);
}

/* --- tightness --- */

static void constant_turns_are_thin(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    call c = random_call();
    c.kind = TURN;
    c.screw.angle = 100 * test_random_unit(&seed) - 50;
    c.screw.rate = 0;
    toi_motion *motion = make_motion(&c, 1);
    toi_motion_jet jet = {0};
    toi_motion_jet_at(motion, (toi_interval){0, 3}, 2, &jet);
    for (int i = 0; i < 9; i++) {
      assert_true(toi_interval_width(jet.rotation[0][i / 3][i % 3]) < 0x1p-47);
      assert_point(jet.rotation[1][i / 3][i % 3], 0);
      assert_point(jet.rotation[2][i / 3][i % 3], 0);
    }
    toi_motion_destroy(motion);
  }
}

/* A turn before and after constant ones stays one stage, as narrow as what it encloses: the least and the largest of
 * many samples differ from the ends by no more than the samples' distance allows. */
static void turned_turns_are_enclosed_as_they_swing(void **state) {
  (void)state;
  enum { SAMPLES = 64 };
  for (int round = 0; round < 60; round++) {
    call calls[4] = {random_call(), random_call(), random_call(), random_call()};
    for (int i = 0; i < 4; i++) {
      calls[i].kind = i == 3 ? MOVE : TURN;
      calls[i].screw.rate = i == 1 ? 1 : 0;
    }
    toi_motion *motion = make_motion(calls, 3);
    toi_interval t = {test_random_unit(&seed), 0};
    double width = 4 * test_random_unit(&seed), step = width / SAMPLES;
    t.hi = t.lo + width;
    toi_motion_jet jet = {0};
    toi_motion_jet_at(motion, t, 0, &jet);
    toi_interval seen[3][3];
    for (int s = 0; s <= SAMPLES; s++) {
      oracle o = make_oracle(calls, 3, fmin(t.lo + s * step, t.hi));
      for (int i = 0; i < 9; i++) {
        toi_interval x = toi_interval_point(mpfr_get_d(o.rotation[i / 3][i % 3].of[0], MPFR_RNDN));
        seen[i / 3][i % 3] = s == 0 ? x : toi_interval_hull(seen[i / 3][i % 3], x);
      }
    }
    // Between samples an entry of the second derivative at most 1 rises by no more than step^2 / 8 above them.
    for (int i = 0; i < 9; i++) {
      toi_interval a = jet.rotation[0][i / 3][i % 3], b = seen[i / 3][i % 3];
      double slack = step * step / 8 + 1e-14;
      assert_true(width > 3.1 || (b.lo - a.lo <= slack && a.hi - b.hi <= slack));
    }
    toi_motion_destroy(motion);
  }
}

/* R R^T holds the identity, over any time. */
static void rotations_are_orthonormal(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(500); round++) {
    call calls[2] = {random_call(), random_call()};
    toi_motion *motion = make_motion(calls, 2);
    double inside;
    toi_interval t = random_times(&seed, 0, 2, &inside), r[9], p[3];
    assert_int_equal(toi_motion_at(motion, t, r, p), TOI_OK);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        toi_interval sum = {0, 0};
        for (int k = 0; k < 3; k++)
          sum = toi_interval_add(sum, toi_interval_mul(r[3 * i + k], r[3 * j + k]));
        assert_true(toi_interval_contains(sum, i == j));
      }
    toi_motion_destroy(motion);
  }
}

/* --- one motion as seen from another --- */

/* M = R2^T R1 and D = R2^T (T1 - T2) by MPFR. */
static oracle make_relative(const call *first, const call *second, double t) {
  oracle a = make_oracle(first, 2, t);
  oracle b = oracle_rest(t);
  for (int i = 0; i < 2; i++)
    call_oracle(&b, &second[i]);
  oracle m = {.t = a.t};
  for (int i = 0; i < 3; i++) {
    m.translation[i] = constant(0);
    for (int j = 0; j < 3; j++) {
      m.translation[i] = plus(m.translation[i], times(b.rotation[j][i], minus(a.translation[j], b.translation[j])));
      m.rotation[i][j] = constant(0);
      for (int k = 0; k < 3; k++)
        m.rotation[i][j] = plus(m.rotation[i][j], times(b.rotation[k][i], a.rotation[k][j]));
    }
  }
  return m;
}

static void relative_motions_are_enclosed(void **state) {
  (void)state;
  for (uint64_t round = 0; round < test_count(2000); round++) {
    call first[2] = {random_call(), random_call()}, second[2] = {random_call(), random_call()};
    // Shifts among them, on either side.
    for (int i = 0; i < 2 && round % 4 == 0; i++)
      first[i].kind = MOVE;
    for (int i = 0; i < 2 && round % 4 == 1; i++)
      second[i].kind = MOVE;
    toi_motion *a = make_motion(first, 2), *b = make_motion(second, 2);
    double inside;
    toi_interval t = random_times(&seed, 0, 2, &inside);
    toi_motion_jet jets[2] = {0}, relative = {0};
    unsigned order = (unsigned)(test_random(&seed) % 3);
    toi_motion_jet_at(a, t, order, &jets[0]);
    toi_motion_jet_at(b, t, order, &jets[1]);
    toi_motion_jet_relative(&jets[0], &jets[1], order, &relative);
    oracle o = make_relative(first, second, inside);
    assert_int_equal(oracle_misses(&o, &relative, order, false), 0);
    toi_motion_destroy(a);
    toi_motion_destroy(b);
  }
}

static void shifts_seen_from_shifts_are_exact(void **state) {
  (void)state;
  call first = {.kind = MOVE, .shift = {4, 0, 0}, .velocity = {-1, 0, 0}};
  call second = {.kind = MOVE, .shift = {0, 1, 0}, .velocity = {0, 0, 2}};
  toi_motion *a = make_motion(&first, 1), *b = make_motion(&second, 1);
  toi_motion_jet jets[2] = {0}, relative = {0};
  toi_motion_jet_at(a, (toi_interval){0.5, 1}, 2, &jets[0]);
  toi_motion_jet_at(b, (toi_interval){0.5, 1}, 2, &jets[1]);
  toi_motion_jet_relative(&jets[0], &jets[1], 2, &relative);
  assert_identity(&relative);
  assert_true(relative.translation[0][0].lo == 3 && relative.translation[0][0].hi == 3.5);
  assert_point(relative.translation[0][1], -1);
  assert_point(relative.translation[1][2], -2);
  toi_motion_destroy(a);
  toi_motion_destroy(b);
}

int main(void) {
  seed = test_seed(6);
  context = test_context(1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_motions_are_enclosed),
      cmocka_unit_test(motions_of_all_sizes_are_enclosed),
      cmocka_unit_test(an_enclosure_cut_by_a_hundredth_is_caught),
      cmocka_unit_test(rest_is_exact),
      cmocka_unit_test(shifts_have_the_identity_and_exact_velocities),
      cmocka_unit_test(a_turn_about_z_leaves_z_alone),
      cmocka_unit_test(constant_turns_are_thin),
      cmocka_unit_test(turned_turns_are_enclosed_as_they_swing),
      cmocka_unit_test(rotations_are_orthonormal),
      cmocka_unit_test(relative_motions_are_enclosed),
      cmocka_unit_test(shifts_seen_from_shifts_are_exact),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  oracle_end();
  toi_context_destroy(context);
  return failed;
}
