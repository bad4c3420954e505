/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Models in rigid motion: closed forms, random turns of a point against a plane, and a dense search that knows nothing
 * of control points.
 *
 * Closed forms are good to a few units in the last place and decide times; the dense search finds contacts that are
 * missed, but cannot tell that two things do not quite touch. */

#include "surface/rigid_things.h"

static uint64_t seed;
static toi_context *context;

/* --- closed forms --- */

static void point_on_a_turning_arm_meets_a_plane(void **state) {
  (void)state;
  const double tip[3] = {1, 0, 0};
  rod point;
  make_rod(&point, tip, tip);
  square wall;
  make_square(&wall, 1, 0.7, 3);
  spin_motion arm = {.spin = {0, 0, 1}};
  toi_surface_hit hit = ask(context, &point.model, &arm, &wall.model, NULL, NULL);
  check_hit(&hit, asin(0.7), 1e-9);
  assert_true(fabs(hit.point[0] - sqrt(0.51)) < 1e-8 && fabs(hit.point[1] - 0.7) < 1e-8);
  // The other way round, and seen from the arm: the wall turns about the point.
  hit = ask(context, &wall.model, NULL, &point.model, &arm, NULL);
  check_hit(&hit, asin(0.7), 1e-9);
  arm.spin[2] = -1;
  hit = ask(context, &point.model, NULL, &wall.model, &arm, NULL);
  check_hit(&hit, asin(0.7), 4e-9);
  // Backwards it takes longer than the step.
  arm.spin[2] = -1;
  hit = ask(context, &point.model, &arm, &wall.model, NULL, NULL);
  check_miss(&hit, 1);
}

/* Squares of distances from the axis underflow below 2^-537. */
static void arms_of_any_length_meet_the_plane(void **state) {
  (void)state;
  for (int exponent = 0; exponent >= -1000; exponent -= 50) {
    const double scale = ldexp(1, exponent), tip[3] = {scale, 0, 0};
    rod point;
    make_rod(&point, tip, tip);
    square wall;
    make_square(&wall, 1, 0.7 * scale, 3 * scale);
    const spin_motion arm = {.spin = {0, 0, 1}};
    toi_surface_options options = toi_default_surface_options();
    options.tolerance = 1e-6 * scale;
    options.max_checks = 4096;
    const toi_surface_hit hit = ask(context, &point.model, &arm, &wall.model, NULL, &options);
    if (hit.verdict == TOI_MISS || !(hit.t_lo <= asin(0.7) + SLACK))
      fail_msg("an arm of length 2^%d: verdict %d from %.17g", exponent, hit.verdict, hit.t_lo);
  }
}

static void small_sphere_on_a_turning_arm_meets_a_plane(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1);
  square wall;
  make_square(&wall, 1, 0.7, 3);
  spin_motion arm = {.spin = {0, 0, 2}, .centre = {-1, 0, 0}};
  toi_surface_options options = toi_default_surface_options();
  for (int digits = 3; digits <= 9; digits += 2)
    for (int accept = 0; accept < 2; accept++) {
      double tolerance = pow(10, -digits);
      options.tolerance = tolerance;
      options.accept = (toi_accept)accept;
      toi_surface_hit hit = ask(context, &sphere, &arm, &wall.model, NULL, &options);
      check_hit(&hit, asin(0.6) / 2, fmax(tolerance * 0x1p-10, 1e-11));
      assert_true(fabs(hit.normal_b[1]) == 1 && fabs(fabs(hit.normal_a[1]) - 1) < 1e-5);
    }
  // Within a distance.
  options = toi_default_surface_options();
  options.min_separation = 0.05;
  toi_surface_hit hit = ask(context, &sphere, &arm, &wall.model, NULL, &options);
  assert_true(hit.verdict != TOI_MISS && hit.t_lo <= asin(0.55) / 2 + SLACK && hit.t_lo > asin(0.55) / 2 - 1e-6);
  assert_true(hit.t_hi >= asin(0.55) / 2 - SLACK);
  toi_model_free(context, &sphere);
}

static void spinning_sphere_is_a_sphere_in_translation(void **state) {
  (void)state;
  toi_model sphere = make_sphere(context, 0.1);
  square wall;
  make_square(&wall, 1, 0.7, 3);
  const double spins[][3] = {{3, 1, 2}, {0, 0, 1e-9}, {0, 5, 0}, {-40, 9, 3}};
  for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
    spin_motion rolling = {.velocity = {0.25, 1, 0}};
    memcpy(rolling.spin, spins[i], sizeof spins[i]);
    toi_surface_hit hit = ask(context, &sphere, &rolling, &wall.model, NULL, NULL);
    check_hit(&hit, 0.6, 1e-9);
    assert_true(fabs(hit.point[0] - 0.15) < 1e-5 && fabs(hit.point[1] - 0.7) < 1e-8);
  }
  // Two of them, both spinning: centres 1 apart, 2 a unit of time.
  spin_motion left = {.velocity = {1, 0, 0}, .spin = {1, 2, 3}};
  spin_motion right = {.velocity = {-1, 0, 0}, .spin = {-3, 1, -2}, .centre = {1, 0, 0}};
  const double shift[3] = {1, 0, 0}, rest[3] = {0, 0, 0};
  toi_model other;
  assert_int_equal(toi_model_moved(context, &sphere, shift, rest, &other), TOI_OK);
  toi_surface_hit hit = ask(context, &sphere, &left, &other, &right, NULL);
  check_hit(&hit, 0.4, 1e-9);
  toi_model_free(context, &other);
  toi_model_free(context, &sphere);
}

static void turning_cube_meets_a_wall_with_an_edge(void **state) {
  (void)state;
  square faces[6], wall;
  toi_patch patches[6];
  for (int i = 0; i < 6; i++) {
    make_square(&faces[i], i / 2, i % 2 ? 1 : -1, 1);
    patches[i] = faces[i].patch;
  }
  toi_model cube = {.patches = patches, .patch_count = 6};
  make_square(&wall, 1, 1.2, 3);
  spin_motion turning = {.spin = {0, 0, 1}};
  toi_surface_hit hit = ask(context, &cube, &turning, &wall.model, NULL, NULL);
  check_hit(&hit, asin(1.2 / sqrt(2)) - PI / 4, 1e-9);
  // With a corner: about an axis that is askew, the first of the eight to come up to the wall.
  const double spin[3] = {0.3, 0.2, 1};
  spin_motion askew = {.spin = {spin[0], spin[1], spin[2]}};
  hit = ask(context, &cube, &askew, &wall.model, NULL, NULL);
  double first = INFINITY, w = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
  for (int corner = 0; corner < 8; corner++) {
    double d[3] = {corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1};
    double along = (spin[0] * d[0] + spin[1] * d[1] + spin[2] * d[2]) / w;
    double fixed = spin[1] / w * along, c = d[1] - fixed, s = (spin[2] * d[0] - spin[0] * d[2]) / w;
    // fixed + c cos + s sin = 1.2
    double t = (atan2(s, c) - acos((1.2 - fixed) / sqrt(c * c + s * s))) / w;
    if (t > 0 && t < first)
      first = t;
  }
  check_hit(&hit, first, 1e-9);
}

static void turning_rod_meets_an_upright_one(void **state) {
  (void)state;
  const double from[3] = {0, 0, 0.25}, to[3] = {2, 0, 0.25};
  rod turning, upright;
  make_rod(&turning, from, to);
  for (int i = 0; i < 8; i++) {
    double angle = 0.1 + 0.37 * i;
    const double foot[3] = {1.5 * cos(angle), 1.5 * sin(angle), -1}, head[3] = {foot[0], foot[1], 1};
    make_rod(&upright, foot, head);
    spin_motion motion = {.spin = {0, 0, 3}};
    toi_surface_hit hit = ask(context, &turning.model, &motion, &upright.model, NULL, NULL);
    check_hit(&hit, angle / 3, 1e-9);
    assert_true(fabs(hit.a[0] - 0.75) < 1e-6 && fabs(hit.b[0] - 0.625) < 1e-6);
  }
}

static void two_gates_swing_together(void **state) {
  (void)state;
  // Hinges at x = 0 and x = 3; both stand upright and fall towards each other as fast. The rod is the longer one, so
  // that the rim of the gate meets it before its end.
  square left = {.points = {{0, 0, -1}, {0, 0, 1}, {0, 2, -1}, {0, 2, 1}}};
  rod right;
  const double hinge[3] = {3, 0, 0}, tip[3] = {3, 2.2, 0};
  left.patch = (toi_patch){.shape = TOI_PATCH_QUAD, .degree = {1, 1}, .points = (const double(*)[3])left.points};
  left.model = (toi_model){.patches = &left.patch, .patch_count = 1};
  make_rod(&right, hinge, tip);
  spin_motion clockwise = {.spin = {0, 0, -1}}, counter = {.spin = {0, 0, 1}, .centre = {3, 0, 0}};
  toi_surface_hit hit = ask(context, &left.model, &clockwise, &right.model, &counter, NULL);
  // By bisection: on which side of the rod the rim is.
  double lo = 0, hi = 1;
  for (int i = 0; i < 80; i++) {
    double t = 0.5 * (lo + hi), x = 2 * sin(t), y = 2 * cos(t);
    double side = (x - 3) * cos(t) + y * sin(t);
    *(side < 0 ? &lo : &hi) = t;
  }
  double x = 2 * sin(lo) - 3, y = 2 * cos(lo);
  assert_true(sqrt(x * x + y * y) < 2.2);
  check_hit(&hit, lo, 1e-9);
}

/* --- random turns --- */

/* The first t >= 0 with p + q cos(w t) + r sin(w t) = 0; infinity if there is none. */
static double first_crossing(double p, double q, double r, double w) {
  double size = sqrt(q * q + r * r);
  if (fabs(p) > size)
    return INFINITY;
  double phase = atan2(r, q), reach = acos(-p / size), first = INFINITY;
  for (int turn = -2; turn <= 2; turn++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double t = (phase + sign * reach + 2 * PI * turn) / w;
      if (t >= 0 && t < first)
        first = t;
    }
  return first;
}

static double random_number(void) {
  return 2 * test_random_unit(&seed) - 1;
}

static void random_turns_of_a_point_against_a_plane(void **state) {
  (void)state;
  seed = test_seed(0x7124);
  uint64_t hits = 0, count = test_count(400);
  for (uint64_t i = 0; i < count; i++) {
    double tip[3], height = random_number(), c = 0, s = 0, fixed, along = 0, w = 0;
    spin_motion motion = {.velocity = {random_number(), 0, random_number()}};
    for (int k = 0; k < 3; k++) {
      tip[k] = random_number();
      motion.spin[k] = 4 * random_number();
      motion.centre[k] = random_number();
      w += motion.spin[k] * motion.spin[k];
    }
    w = sqrt(w);
    double d[3] = {tip[0] - motion.centre[0], tip[1] - motion.centre[1], tip[2] - motion.centre[2]};
    for (int k = 0; k < 3; k++)
      along += motion.spin[k] * d[k] / w;
    fixed = along * motion.spin[1] / w;
    c = d[1] - fixed;
    s = (motion.spin[2] * d[0] - motion.spin[0] * d[2]) / w;
    // Grazing is for others.
    double clearance = fabs(height - motion.centre[1] - fixed) / sqrt(c * c + s * s);
    if (fabs(clearance - 1) < 0.01 || fabs(tip[1] - height) < 0.01)
      continue;
    double t = first_crossing(motion.centre[1] + fixed - height, c, s, w);
    rod point;
    make_rod(&point, tip, tip);
    square wall;
    make_square(&wall, 1, height, 20);
    toi_surface_hit hit = ask(context, &point.model, &motion, &wall.model, NULL, NULL);
    hits += hit.verdict == TOI_HIT;
    if (t > 1 + SLACK)
      assert_int_equal(hit.verdict, TOI_MISS);
    else if (t < 1 - SLACK)
      check_hit(&hit, t, 1e-8);
  }
  assert_true(count < 100 || hits > count / 5);
}

/* --- a dense search --- */

#define GRID 24
#define MOMENTS 160

/* Bernstein polynomials of degree 3. */
static void bernstein(double t, double b[4]) {
  double s = 1 - t;
  b[0] = s * s * s;
  b[1] = 3 * s * s * t;
  b[2] = 3 * s * t * t;
  b[3] = t * t * t;
}

/* Where a point of a bicubic patch in rigid motion is. */
static void place_of(double points[16][3], const spin_motion *motion, const double uv[2], double t, double out[3]) {
  double bu[4], bv[4], x[3] = {0, 0, 0}, w = 0, dot = 0;
  bernstein(uv[0], bu);
  bernstein(uv[1], bv);
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 3; k++)
      x[k] += bu[i / 4] * bv[i % 4] * points[i][k];
  for (int k = 0; k < 3; k++)
    w += motion->spin[k] * motion->spin[k];
  w = sqrt(w);
  double n[3] = {motion->spin[0] / w, motion->spin[1] / w, motion->spin[2] / w};
  for (int k = 0; k < 3; k++) {
    x[k] -= motion->centre[k];
    dot += n[k] * x[k];
  }
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double turned = dot * n[k] + cos(w * t) * (x[k] - dot * n[k]) + sin(w * t) * (n[i] * x[j] - n[j] * x[i]);
    out[k] = motion->centre[k] + turned + t * motion->velocity[k];
  }
}

typedef struct scene {
  double points[16][3];
  spin_motion motion, ball;
} scene;

static double gap_at(scene *s, const double uv[2], double t) {
  double x[3], sum = 0;
  place_of(s->points, &s->motion, uv, t, x);
  for (int k = 0; k < 3; k++) {
    double d = x[k] - s->ball.centre[k] - t * s->ball.velocity[k];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The smallest distance of the patch from the middle of the ball: on a grid, then by steps that shrink. */
static double smallest_gap(scene *s, double t) {
  double best = INFINITY, at[2] = {0, 0};
  for (int i = 0; i <= GRID; i++)
    for (int j = 0; j <= GRID; j++) {
      double uv[2] = {(double)i / GRID, (double)j / GRID}, gap = gap_at(s, uv, t);
      if (gap < best) {
        best = gap;
        memcpy(at, uv, sizeof at);
      }
    }
  static const int moves[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  for (int round = 0; round < 26; round++) {
    double step = ldexp(1.0 / GRID, -round);
    for (int move = 0; move < 8; move++) {
      double uv[2] = {at[0] + step * moves[move][0], at[1] + step * moves[move][1]};
      uv[0] = fmin(fmax(uv[0], 0), 1);
      uv[1] = fmin(fmax(uv[1], 0), 1);
      double gap = gap_at(s, uv, t);
      if (gap < best) {
        best = gap;
        memcpy(at, uv, sizeof at);
        move = -1;
      }
    }
  }
  return best;
}

static void random_scene(scene *s) {
  *s = (scene){.ball = {.centre = {random_number(), random_number(), 0}}};
  for (int k = 0; k < 3; k++) {
    s->motion.spin[k] = 3 * random_number();
    s->motion.velocity[k] = random_number();
    s->motion.centre[k] = 2 * random_number();
    s->ball.spin[k] = 3 * random_number();
    s->ball.velocity[k] = random_number() + (k == 2);
  }
  for (int i = 0; i < 16; i++) {
    int row = i / 4, column = i % 4;
    s->points[i][0] = row - 1.5 + 0.5 * random_number();
    s->points[i][1] = column - 1.5 + 0.5 * random_number();
    s->points[i][2] = 1.5 + 0.5 * random_number();
  }
}

static void patches_and_balls_against_a_dense_search(void **state) {
  (void)state;
  seed = test_seed(0x7125);
  const double radius = 0.5;
  toi_model ball = make_sphere(context, radius);
  uint64_t count = test_count(60), verdicts[3] = {0, 0, 0};
  for (uint64_t round = 0; round < count; round++) {
    scene s;
    random_scene(&s);
    // The sphere is made around the origin: its motion starts at its centre.
    double middle[3];
    memcpy(middle, s.ball.centre, sizeof middle);
    toi_patch patch = {.shape = TOI_PATCH_QUAD, .degree = {3, 3}, .points = (const double(*)[3])s.points};
    toi_model surface = {.patches = &patch, .patch_count = 1};
    toi_model placed;
    const double rest[3] = {0, 0, 0};
    assert_int_equal(toi_model_moved(context, &ball, middle, rest, &placed), TOI_OK);
    if (smallest_gap(&s, 0) < radius + 0.01) {
      toi_model_free(context, &placed);
      continue;
    }
    toi_surface_hit hit = ask(context, &surface, &s.motion, &placed, &s.ball, NULL);
    verdicts[hit.verdict]++;
    double until = hit.verdict == TOI_MISS ? 1 : hit.t_lo;
    for (int i = 0; i <= MOMENTS; i++)
      if (smallest_gap(&s, until * i / MOMENTS) < radius - 1e-9)
        fail_msg("round %lu: they touch before %.17g, at %g", (unsigned long)round, until, until * i / MOMENTS);
    if (hit.verdict == TOI_HIT) {
      double gap = smallest_gap(&s, hit.t_hi);
      if (!(gap < radius + 1e-6) || !(hit.t_hi - hit.t_lo < 1e-6))
        fail_msg("round %lu: at %.17g they are still %g apart; t_lo %.17g", (unsigned long)round, hit.t_hi,
                 gap - radius, hit.t_lo);
    }
    toi_model_free(context, &placed);
  }
  print_message("%lu hits, %lu near, %lu misses\n", (unsigned long)verdicts[TOI_HIT], (unsigned long)verdicts[TOI_NEAR],
                (unsigned long)verdicts[TOI_MISS]);
  // A few rounds say nothing about how often.
  if (count >= 60)
    assert_true(verdicts[TOI_NEAR] * 20 <= count && verdicts[TOI_HIT] > count / 5 && verdicts[TOI_MISS] > count / 10);
  toi_model_free(context, &ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(point_on_a_turning_arm_meets_a_plane),
      cmocka_unit_test(arms_of_any_length_meet_the_plane),
      cmocka_unit_test(small_sphere_on_a_turning_arm_meets_a_plane),
      cmocka_unit_test(spinning_sphere_is_a_sphere_in_translation),
      cmocka_unit_test(turning_cube_meets_a_wall_with_an_edge),
      cmocka_unit_test(turning_rod_meets_an_upright_one),
      cmocka_unit_test(two_gates_swing_together),
      cmocka_unit_test(random_turns_of_a_point_against_a_plane),
      cmocka_unit_test(patches_and_balls_against_a_dense_search),
  };
  context = test_context(1);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  toi_context_destroy(context);
  return failed;
}
