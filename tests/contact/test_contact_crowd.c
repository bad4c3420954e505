/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Many bodies: the first contact of balls beside closed forms, in sparse scenes and where all paths cross; the same
 * answer on 1, 2 and 5 threads whatever ends the search; contacts at the same moment; bodies that rest; functions of
 * one's own, which stay on the calling thread; refusals, and memory that is refused. */

#include "contact/many.h"

#include <pthread.h>

static uint64_t seed;
static const uint32_t threads[] = {1, 2, 5};

static double within(double half) {
  return half * (2 * test_random_unit(&seed) - 1);
}

static void anywhere(double half, double at[3]) {
  for (int k = 0; k < 3; k++)
    at[k] = within(half);
}

/* --- balls, whose times are roots of quadratics --- */

typedef struct ball {
  double at[3], velocity[3];
} ball;

/* When two balls of these radii first touch; infinite: not in [0, 1]. They are apart at the start. */
static long double meeting_time(const ball *a, const ball *b, double reach) {
  long double vv = 0, dv = 0, dd = -(long double)reach * reach;
  for (int k = 0; k < 3; k++) {
    const long double d = (long double)b->at[k] - a->at[k], v = (long double)b->velocity[k] - a->velocity[k];
    vv += v * v;
    dv += d * v;
    dd += d * d;
  }
  const long double root = dv * dv - vv * dd;
  if (!(dd > 0) || !(dv < 0) || root < 0)
    return dd > 0 ? INFINITY : 0;
  const long double t = dd / (-dv + sqrtl(root));
  return t <= 1 ? t : INFINITY;
}

/* In a cube, no two of them within a margin of each other. */
static void place_balls(ball *balls, size_t count, double half, double speed, double radius) {
  for (size_t i = 0; i < count; i++) {
    bool apart = false;
    while (!apart) {
      anywhere(half, balls[i].at);
      anywhere(speed, balls[i].velocity);
      apart = true;
      for (size_t j = 0; j < i && apart; j++) {
        double square = 0;
        for (int k = 0; k < 3; k++)
          square += (balls[i].at[k] - balls[j].at[k]) * (balls[i].at[k] - balls[j].at[k]);
        apart = square > 4.2 * radius * radius;
      }
    }
  }
}

static long double first_meeting(const ball *balls, size_t count, double radius, uint32_t pair[2]) {
  long double first = INFINITY;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = i + 1; j < count; j++) {
      const long double t = meeting_time(&balls[i], &balls[j], 2 * radius);
      if (t < first) {
        first = t;
        pair[0] = i;
        pair[1] = j;
      }
    }
  return first;
}

static void check_balls(toi_context *context, size_t count, double half, double speed, double radius) {
  ball *balls = calloc(count, sizeof *balls);
  crowd *c = calloc(1, sizeof *c);
  assert_non_null(balls);
  assert_non_null(c);
  place_balls(balls, count, half, speed, radius);
  crowd_open(c, context, count);
  const toi_shape *forms[] = {crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_IMPLICIT, &radius),
                              crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, &radius)};
  for (size_t i = 0; i < count; i++)
    crowd_add(c, forms[i % 2], balls[i].at, balls[i].velocity, 0);
  const toi_contact_options options = toi_default_contact_options();
  uint32_t pair[2] = {0, 0};
  const long double truth = first_meeting(balls, count, radius, pair);
  crowd_ask(c, &options);
  assert_int_equal(c->answer.end, TOI_CONTACT_DONE);
  assert_int_equal(c->answer.verdict, truth <= 1 ? TOI_HIT : TOI_MISS);
  if (truth <= 1) {
    assert_true(c->answer.t_lo <= truth + 1e-14L && c->answer.t_hi >= truth - 1e-14L);
    assert_true(c->answer.t_hi - c->answer.t_lo <= 1e-9);
    assert_int_equal(c->point_count, 1);
    assert_int_equal(c->points[0].a, pair[0]);
    assert_int_equal(c->points[0].b, pair[1]);
    assert_int_equal(c->points[0].certificate, TOI_CONTACT_UNIQUE);
  }
  crowd_close(c);
  free(c);
  free(balls);
}

static void balls_touch_when_quadratics_say(void **state) {
  (void)state;
  toi_context *context = test_context(2);
  const uint64_t rounds = test_count_from(12, 2);
  for (uint64_t i = 0; i < rounds; i++)
    check_balls(context, 9 + test_random(&seed) % 80, 6, i % 3 == 0 ? 0.2 : 4, 0.4);
  toi_context_destroy(context);
}

/* So many paths cross that not all pairs can be listed at once: the time is cut into parts. */
static void paths_that_all_cross_are_searched_in_parts(void **state) {
  (void)state;
  toi_context *context = test_context(2);
  check_balls(context, TEST_SANITIZED ? 420 : 500, 40, 1000, 0.01);
  toi_context_destroy(context);
}

/* --- the same on any number of threads --- */

/* Where two balls overlap. */
static const toi_shape *lens_shape(crowd *c, const toi_shape *sphere) {
  toi_motion *beside = NULL;
  toi_shape *lens = NULL;
  crowd_must(c, toi_motion_create(c->context, &beside));
  crowd_must(c, toi_motion_move(beside, (double[]){0.8, 0.3, 0.1}, NULL));
  const toi_body operands[] = {{.shape = sphere}, {.shape = sphere, .motion = beside}};
  const toi_boolean of = {.operation = TOI_BOOLEAN_INTERSECTION, .count = 2, .operands = operands};
  crowd_must(c, toi_shape_boolean(c->context, &of, &lens));
  toi_motion_destroy(beside);
  c->shapes[c->shape_count++] = lens;
  return lens;
}

static void enter_mixture(crowd *c, size_t side, uint64_t from) {
  static const double one[] = {1}, torus[] = {0.7, 0.3}, boxlike[] = {0.55, 0.55, 0.55, 0.3, 0.3};
  const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, one);
  const toi_shape *shapes[] = {lens_shape(c, sphere), sphere,
                               crowd_shape(c, TOI_SHAPE_TORUS, TOI_SHAPE_FORM_DEFAULT, torus),
                               crowd_shape(c, TOI_SHAPE_SUPERQUADRIC, TOI_SHAPE_FORM_DEFAULT, boxlike)};
  toi_shape *floor = NULL;
  const toi_interval wide = {-8, 8};
  crowd_must(c, toi_shape_height_field(c->context, "0.02*(u^2 + v^2) - 1.4", wide, wide, &floor));
  c->shapes[c->shape_count++] = floor;
  seed = from;
  for (size_t i = 0; i < side * side * 2; i++) {
    const size_t cells[] = {i % side, i / side % side, i / side / side};
    const double cell[] = {(double)cells[0], (double)cells[1], (double)cells[2]};
    double at[3], velocity[3];
    anywhere(0.2, at);
    anywhere(0.8, velocity);
    for (int k = 0; k < 3; k++)
      at[k] += 2.5 * cell[k] - (k < 2 ? 1.25 * (double)(side - 1) : -0.8);
    crowd_add(c, shapes[test_random(&seed) % 4], at, velocity, 0.5);
  }
  crowd_add(c, floor, (double[]){0, 0, 0}, NULL, 0);
}

static void answers_are_the_same_on_any_number_of_threads(void **state) {
  (void)state;
  const uint64_t from = test_random(&seed), budgets[] = {0, 40, 700, 6000};
  for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
    crowd *all = calloc(3, sizeof *all);
    assert_non_null(all);
    for (int i = 0; i < 3; i++) {
      toi_context *context = test_context(threads[i]);
      crowd_open(&all[i], context, 200);
      enter_mixture(&all[i], TEST_SANITIZED ? 3 : 6, from);
      toi_contact_options options = toi_default_contact_options();
      options.max_boxes = budgets[b];
      crowd_ask(&all[i], &options);
      assert_true(budgets[b] == 0 || all[i].answer.boxes <= budgets[b]);
      assert_true(budgets[b] != 40 || all[i].answer.verdict != TOI_MISS);
      crowd_close(&all[i]);
      toi_context_destroy(context);
      if (i > 0)
        assert_same_answers(&all[0], &all[i]);
    }
    free(all);
  }
}

/* --- at the same moment --- */

/* All balls fall on an unbounded plane at t = 0.5, and on its unbounded twin below it never. */
static void balls_fall_on_a_plane_at_once(void **state) {
  (void)state;
  enum { SIDE = 5, BALLS = SIDE * SIDE };
  static const double radius = 0.5, down[] = {0, 0, -2};
  for (int i = 0; i < 3; i++) {
    toi_context *context = test_context(threads[i]);
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, context, BALLS + 2);
    const toi_shape *plane = crowd_shape(c, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
    const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
    for (int k = 0; k < BALLS; k++) {
      const int row = k / SIDE;
      crowd_add(c, sphere, (double[]){1.25 * (k % SIDE), 1.25 * row, 1.5}, down, 0);
    }
    crowd_add(c, plane, (double[]){0, 0, 0}, NULL, 0);
    crowd_add(c, plane, (double[]){0, 0, -1}, NULL, 0);
    const toi_contact_options options = toi_default_contact_options();
    crowd_ask(c, &options);
    assert_int_equal(c->answer.verdict, TOI_HIT);
    assert_true(c->answer.t_lo <= 0.5 && c->answer.t_hi >= 0.5 && c->answer.t_hi - c->answer.t_lo < 1e-12);
    assert_int_equal(c->point_count, BALLS);
    for (uint32_t k = 0; k < BALLS; k++) {
      assert_int_equal(c->points[k].a, k);
      assert_int_equal(c->points[k].b, BALLS);
      assert_int_equal(c->points[k].certificate, TOI_CONTACT_UNIQUE);
    }
    crowd_close(c);
    free(c);
    toi_context_destroy(context);
  }
}

/* A large surface among small ones: each ball meets a part of it of its own. */
static void balls_fall_on_a_wide_field(void **state) {
  (void)state;
  enum { SIDE = 9, BALLS = SIDE * SIDE };
  static const double radius = 0.5, down[] = {0, 0, -2};
  toi_context *context = test_context(2);
  crowd *c = calloc(1, sizeof *c);
  assert_non_null(c);
  crowd_open(c, context, BALLS + 1);
  const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
  const toi_interval wide = {-2, 12};
  crowd_must(c, toi_shape_height_field(context, "0.01*u + 3*max(0, 1 - (u - 1.2)^2 - (v - 1.3)^2)", wide, wide,
                                       &c->shapes[c->shape_count++]));
  for (int k = 0; k < BALLS; k++) {
    const int row = k / SIDE;
    crowd_add(c, sphere, (double[]){1.25 * (k % SIDE), 1.25 * row, 4}, down, 0);
  }
  crowd_add(c, c->shapes[c->shape_count - 1], (double[]){0, 0, 0}, NULL, 0);
  const toi_contact_options options = toi_default_contact_options();
  crowd_ask(c, &options);
  // The ball over the bump comes first, and near its top.
  assert_int_equal(c->answer.verdict, TOI_HIT);
  assert_int_equal(c->point_count, 1);
  assert_int_equal(c->points[0].a, SIDE + 1);
  assert_true(c->answer.t_lo > 0.2 && c->answer.t_hi < 0.26);
  crowd_close(c);
  free(c);
  toi_context_destroy(context);
}

/* --- rest, and the start --- */

static void enter_overlapping(crowd *c, bool one_moves) {
  static const double radius = 0.5, away[] = {0, 0, 1};
  const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
  for (int k = 0; k < 12; k++)
    crowd_add(c, sphere, (double[]){0.7 * k, 0, 0}, NULL, 0);
  crowd_add(c, sphere, (double[]){0, 0, 2}, one_moves ? away : NULL, 0);
}

static void resting_bodies_are_no_pairs_unless_all_rest(void **state) {
  (void)state;
  toi_context *context = test_context(2);
  for (int moves = 0; moves < 2; moves++) {
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, context, 13);
    enter_overlapping(c, moves == 1);
    const toi_contact_options options = toi_default_contact_options();
    crowd_ask(c, &options);
    assert_int_equal(c->answer.verdict, moves == 1 ? TOI_MISS : TOI_HIT);
    assert_int_equal(c->answer.touching_at_start, moves == 0);
    crowd_close(c);
    free(c);
  }
  toi_context_destroy(context);
}

static void two_that_overlap_at_the_start_are_found(void **state) {
  (void)state;
  static const double radius = 0.5;
  for (int i = 0; i < 3; i++) {
    toi_context *context = test_context(threads[i]);
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, context, 30);
    const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
    for (int k = 0; k < 30; k++)
      crowd_add(c, sphere, (double[]){k == 17 ? 16.4 * 1.5 : 1.5 * k, 0, 0}, (double[]){0, 0.1 * k, 0}, 0);
    for (int step = 0; step < 2; step++) {
      toi_contact_options options = toi_default_contact_options();
      options.t_max = step;
      crowd_ask(c, &options);
      assert_int_equal(c->answer.verdict, TOI_HIT);
      assert_true(c->answer.touching_at_start && c->answer.t_hi == 0 && c->point_count > 2);
      for (size_t k = 0; k < c->point_count; k++)
        assert_true(c->points[k].a == 16 && c->points[k].b == 17 && c->points[k].proved);
    }
    crowd_close(c);
    free(c);
    toi_context_destroy(context);
  }
}

/* --- functions of one's own --- */

typedef struct own {
  pthread_t caller;
  unsigned calls, elsewhere, fail_at;
} own;

/* The unit sphere, x^2 + y^2 + z^2 - 1. */
static bool enclose_sphere(void *user, const toi_interval *box, unsigned order, toi_interval *jets) {
  own *o = user;
  o->calls++;
  o->elsewhere += !pthread_equal(o->caller, pthread_self());
  if (o->fail_at != 0 && o->calls >= o->fail_at)
    return false;
  double lo = -1, hi = -1;
  for (int k = 0; k < 3; k++) {
    const double a = fabs(box[k].lo), b = fabs(box[k].hi), most = fmax(a, b);
    const double least = box[k].lo <= 0 && box[k].hi >= 0 ? 0 : fmin(a, b);
    lo = nextafter(lo + nextafter(least * least, -1), -INFINITY);
    hi = nextafter(hi + nextafter(most * most, INFINITY), INFINITY);
  }
  memset(jets, 0, (order == 0 ? 1 : order == 1 ? 5 : 15) * sizeof *jets);
  jets[0] = (toi_interval){lo, hi};
  for (int k = 0; k < 3 && order > 0; k++)
    jets[1 + k] = (toi_interval){2 * box[k].lo, 2 * box[k].hi};
  if (order > 1)
    jets[5] = jets[9] = jets[12] = (toi_interval){2, 2};
  return true;
}

static void enter_own(crowd *c, own *o) {
  static const double one[] = {1};
  toi_implicit given;
  toi_implicit_init(&given, sizeof given);
  for (int k = 0; k < 3; k++)
    given.bounds[k] = (toi_interval){-1.1, 1.1};
  given.solid = true;
  toi_shape *mine = NULL;
  crowd_must(c, toi_shape_own(c->context, enclose_sphere, o, NULL, &given, &mine));
  c->shapes[c->shape_count++] = mine;
  const toi_shape *torus = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, one);
  for (int k = 0; k < 20; k++)
    crowd_add(c, k % 3 == 0 ? mine : torus, (double[]){2.5 * k, 0, 0}, (double[]){k == 9 ? 1 : 0, 0, 0.1}, 0);
}

static void own_functions_stay_on_the_calling_thread(void **state) {
  (void)state;
  crowd *first = calloc(2, sizeof *first);
  assert_non_null(first);
  for (int i = 0; i < 3; i++) {
    toi_context *context = test_context(threads[i]);
    own o = {.caller = pthread_self()};
    crowd *c = first + 1;
    crowd_open(c, context, 20);
    enter_own(c, &o);
    const toi_contact_options options = toi_default_contact_options();
    crowd_ask(c, &options);
    assert_int_equal(o.elsewhere, 0);
    assert_int_equal(c->answer.verdict, TOI_HIT);
    assert_true(c->answer.t_lo <= 0.5 && c->answer.t_hi >= 0.5 && c->points[0].a == 9 && c->points[0].b == 10);
    if (i == 0)
      *first = *c;
    assert_same_answers(first, c);
    // It gives up after so many calls: in a check or a search, and the place is named; or when all that is left to ask
    // is what lies inside.
    const unsigned whole = o.calls, step = whole / 60 + 1;
    bool named = false;
    for (o.fail_at = 1; o.fail_at <= whole; o.fail_at += step) {
      o.calls = 0;
      const toi_status status = crowd_try(c, &options);
      named = named || strstr(toi_context_error(context), "bodies[9].shape") != NULL;
      assert_true(status == TOI_ERROR_CALLBACK || c->answer.inside_at_start == TOI_INSIDE_UNKNOWN);
      assert_true(status == TOI_OK || c->answer.verdict == TOI_NEAR);
      assert_int_equal(o.elsewhere, 0);
    }
    assert_true(named);
    crowd_close(c);
    toi_context_destroy(context);
  }
  free(first);
}

/* --- failures --- */

static void what_no_pair_may_be_is_refused(void **state) {
  (void)state;
  static const double radius = 0.5, tube[] = {1, 1};
  toi_context *context = test_context(2);
  crowd *c = calloc(1, sizeof *c);
  assert_non_null(c);
  crowd_open(c, context, 20);
  const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, &radius);
  const toi_shape *plane = crowd_shape(c, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_IMPLICIT, NULL);
  const toi_shape *cylinder = crowd_shape(c, TOI_SHAPE_CYLINDER, TOI_SHAPE_FORM_DEFAULT, tube);
  for (int k = 0; k < 12; k++)
    crowd_add(c, sphere, (double[]){10 * k, 0, 10}, (double[]){0, 0, 1}, 0);
  crowd_add(c, cylinder, (double[]){-20, 0, 10}, NULL, 0);
  toi_contact_options options = toi_default_contact_options();
  options.incoming = TOI_INCOMING_ON;
  assert_int_equal(crowd_try(c, &options), TOI_ERROR_OPTION);
  assert_non_null(strstr(toi_context_error(context), "bodies[0] and bodies[12] are not both solids"));
  crowd_add(c, plane, (double[]){0, 0, 0}, NULL, 0);
  crowd_add(c, plane, (double[]){0, 0, -5}, (double[]){0, 0, 1}, 0);
  options.incoming = TOI_INCOMING_AUTO;
  assert_int_equal(crowd_try(c, &options), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "bodies[13] and bodies[14] are implicit"));
  crowd_close(c);
  free(c);
  toi_context_destroy(context);
}

/* Each request for memory is refused in turn: the call fails or says that memory ended it, never that nothing
 * touches, and everything is given back. */
static void refused_memory_is_no_miss(void **state) {
  (void)state;
  static const double radius = 0.5;
  unsigned refused = 0, ended = 0;
  bool whole = false;
  for (size_t at = 1; !whole; at += TEST_SANITIZED ? 7 : 1) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    crowd *c = calloc(1, sizeof *c);
    assert_non_null(c);
    crowd_open(c, context, 10);
    const toi_shape *sphere = crowd_shape(c, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_PARAMETRIC, &radius);
    for (int k = 0; k < 10; k++)
      crowd_add(c, sphere, (double[]){1.5 * k, 0, 0}, (double[]){k == 3 ? 1 : 0, 0, 0.1 * k}, 0);
    allocator.refuse_at = allocator.calls + at;
    const size_t before = allocator.calls;
    const toi_contact_options options = toi_default_contact_options();
    const toi_status status = crowd_try(c, &options);
    whole = allocator.calls - before < at;
    refused += status == TOI_ERROR_MEMORY;
    ended += status == TOI_OK && c->answer.end == TOI_CONTACT_MEMORY;
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    assert_true(c->answer.verdict != TOI_MISS);
    assert_true(status != TOI_OK || c->answer.t_lo <= 0.51);
    crowd_close(c);
    free(c);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
  print_message("  %u calls refused, %u searches ended by memory\n", refused, ended);
  assert_true(refused > 0);
}

int main(void) {
  seed = test_seed(UINT64_C(0x63726f7764));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balls_touch_when_quadratics_say),
      cmocka_unit_test(paths_that_all_cross_are_searched_in_parts),
      cmocka_unit_test(answers_are_the_same_on_any_number_of_threads),
      cmocka_unit_test(balls_fall_on_a_plane_at_once),
      cmocka_unit_test(balls_fall_on_a_wide_field),
      cmocka_unit_test(resting_bodies_are_no_pairs_unless_all_rest),
      cmocka_unit_test(two_that_overlap_at_the_start_are_found),
      cmocka_unit_test(own_functions_stay_on_the_calling_thread),
      cmocka_unit_test(what_no_pair_may_be_is_refused),
      cmocka_unit_test(refused_memory_is_no_miss),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
