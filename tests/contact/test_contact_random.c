/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Random shapes that turn and fly towards each other, against an oracle that may be believed on one side: points of one
 * surface, on a grid of parameters and times, that are found inside the other one show that first contact is not later.
 * And the other side: contacts that are told lie on both surfaces, at their time. Spheres on straight lines are
 * compared with the roots of their quadratic, and where they touch with where they are told to. */

#include "contact/program.h"
#include "contact/stage.h"

#define ROUNDS 60
#define GRID 48
#define TIMES 96

static uint64_t seed;

static double between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

/* --- moving bodies in doubles --- */

typedef struct mover {
  toi_shape_kind kind;
  double size[5];
  double axis[3], angle, rate, from[3], velocity[3];
} mover;

/* Where a point of the body is at a time, or, backwards, which one is there. */
static void move(const mover *b, double t, const double p[3], bool backwards, double out[3]) {
  double moved[3];
  for (int k = 0; k < 3; k++)
    moved[k] = backwards ? p[k] - b->from[k] - t * b->velocity[k] : p[k];
  turn(b->axis, backwards ? -b->angle - t * b->rate : b->angle + t * b->rate, moved, out);
  for (int k = 0; k < 3 && !backwards; k++)
    out[k] += b->from[k] + t * b->velocity[k];
}

/* Negative inside, for the shapes that have an inside. */
static double depth(const mover *b, const double p[3]) {
  const double *s = b->size;
  if (b->kind == TOI_SHAPE_PLANE)
    return p[2];
  if (b->kind == TOI_SHAPE_TORUS)
    return hypot(hypot(p[0], p[1]) - s[0], p[2]) - s[1];
  double a[3] = {s[0], s[0], s[0]}, power = 2, sum = -1;
  for (int k = 0; k < 3 && b->kind != TOI_SHAPE_SPHERE; k++)
    a[k] = s[k];
  if (b->kind == TOI_SHAPE_SUPERQUADRIC)
    power = 2 / s[3];
  for (int k = 0; k < 3; k++)
    sum += pow(fabs(p[k] / a[k]), power);
  return sum;
}

static mover random_mover(toi_shape_kind kind, double side) {
  mover b = {.kind = kind, .angle = between(0, 6), .rate = between(-2, 2)};
  for (int k = 0; k < 3; k++) {
    b.size[k] = between(0.4, 1.2);
    b.axis[k] = between(-1, 1);
    b.from[k] = between(-0.7, 0.7);
    b.velocity[k] = between(-0.7, 0.7);
  }
  b.from[0] += side * 2.6;
  b.velocity[0] -= side * 2.8;
  if (kind == TOI_SHAPE_TORUS)
    b.size[1] = b.size[0] * between(0.2, 0.5);
  if (kind == TOI_SHAPE_SUPERQUADRIC)
    b.size[3] = b.size[4] = test_random(&seed) & 1 ? 0.5 : 1;
  if (kind == TOI_SHAPE_BUMPY_SPHERE) {
    b.size[1] = between(0.02, 0.1);
    b.size[2] = (double)(1 + test_random(&seed) % 4);
    b.size[3] = 2.0 * (double)(1 + test_random(&seed) % 3);
  }
  if (kind == TOI_SHAPE_PLANE) {
    // Solid below: it looks towards the other side.
    memcpy(b.axis, (double[]){between(-0.2, 0.2), -side, between(-0.2, 0.2)}, sizeof b.axis);
    b.angle = 1.5707963;
    b.rate = between(-0.2, 0.2);
  }
  return b;
}

static void enter_mover(stage *s, const mover *b, toi_shape_form form) {
  toi_motion *m = enter_library(s, b->kind, form, b->size);
  well(s, toi_motion_turn(m, b->axis, NULL, b->angle, b->rate));
  well(s, toi_motion_move(m, b->from, b->velocity));
}

static void print_mover(const mover *b) {
  print_message("  %s size %a %a %a %a %a\n    axis %a %a %a angle %a rate %a\n    from %a %a %a velocity %a %a %a\n",
                toi_shape_kind_name(b->kind), b->size[0], b->size[1], b->size[2], b->size[3], b->size[4], b->axis[0],
                b->axis[1], b->axis[2], b->angle, b->rate, b->from[0], b->from[1], b->from[2], b->velocity[0],
                b->velocity[1], b->velocity[2]);
}

/* The first time of the grid at which a point of the grid on a is in b; infinite: none. */
static double found_inside(const stage *s, const mover *a, const mover *b) {
  static double points[GRID * GRID][3];
  toi_extent extent = toi_shape_extent(s->shapes[0]);
  for (size_t i = 0; i < (size_t)GRID * GRID; i++) {
    size_t row = i / GRID, column = i % GRID;
    double normal[3], u = (double)row / (GRID - 1), v = (double)column / (GRID - 1);
    well(s, toi_shape_point(s->shapes[0], extent.u.lo + u * (extent.u.hi - extent.u.lo),
                            extent.v.lo + v * (extent.v.hi - extent.v.lo), 0, points[i], normal));
  }
  for (int k = 0; k <= TIMES; k++) {
    double t = (double)k / TIMES;
    for (size_t i = 0; i < (size_t)GRID * GRID; i++) {
      double world[3], own[3];
      move(a, t, points[i], false, world);
      move(b, t, world, true, own);
      if (depth(b, own) < -1e-9)
        return t;
    }
  }
  return INFINITY;
}

/* --- the oracle's side, and the other --- */

static void check_contacts(const stage *s, const mover *a, const mover *b) {
  for (size_t i = 0; i < got.count; i++) {
    const toi_contact_point *c = &got.contacts[i];
    double own[3], world[3], normal[3], slack = 1e-5 + 20 * c->error;
    move(b, c->t_lo, c->point, true, own);
    if (!(fabs(depth(b, own)) < 20 * slack))
      fail_msg("a contact is %g off the second surface", depth(b, own));
    if (isnan(c->parameters_a[0]))
      continue;
    well(s, toi_shape_point(s->shapes[0], c->parameters_a[0], c->parameters_a[1], c->t_lo, own, normal));
    move(a, c->t_lo, own, false, world);
    if (!(distance_of(world, c->point) < slack))
      fail_msg("a contact is %g off the first surface", distance_of(world, c->point));
  }
}

static void check_pair(toi_shape_kind first, toi_shape_kind second, toi_shape_form form, unsigned *hits) {
  stage s = {.context = context};
  mover a = random_mover(first, -1), b = random_mover(second, 1);
  toi_contact_options options = toi_default_contact_options();
  enter_mover(&s, &a, TOI_SHAPE_FORM_PARAMETRIC);
  enter_mover(&s, &b, form);
  ask(&s, &options, &got);
  double inside = found_inside(&s, &a, &b);
  // What is inside at the start need not touch.
  bool wrong = inside > 0 && (got.answer.verdict == TOI_MISS ? inside <= 1 : got.answer.t_lo > inside);
  hits[got.answer.verdict]++;
  if (wrong) {
    tell("random pair", &s, &got);
    print_mover(&a);
    print_mover(&b);
    fail_msg("inside at %.17g", inside);
  }
  check_contacts(&s, &a, &b);
  clear(&s);
}

static void nothing_is_inside_before_first_contact(void **state) {
  (void)state;
  static const toi_shape_kind first[] = {TOI_SHAPE_SPHERE,   TOI_SHAPE_ELLIPSOID, TOI_SHAPE_TORUS,
                                         TOI_SHAPE_CYLINDER, TOI_SHAPE_CONE,      TOI_SHAPE_BUMPY_SPHERE};
  static const toi_shape_kind second[] = {TOI_SHAPE_SPHERE, TOI_SHAPE_ELLIPSOID, TOI_SHAPE_SUPERQUADRIC,
                                          TOI_SHAPE_PLANE, TOI_SHAPE_TORUS};
  unsigned verdicts[3] = {0};
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    toi_shape_kind b = second[round / 6 % 5];
    bool smooth = b == TOI_SHAPE_SPHERE || b == TOI_SHAPE_ELLIPSOID || b == TOI_SHAPE_TORUS;
    check_pair(first[round % 6], b,
               smooth && (round & 1 || b == TOI_SHAPE_TORUS) ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_DEFAULT,
               verdicts);
  }
  print_message("  %u misses, %u hits, %u near\n", verdicts[TOI_MISS], verdicts[TOI_HIT], verdicts[TOI_NEAR]);
  // Few rounds, as under sanitizers, need not have both.
  assert_true(rounds < ROUNDS || (verdicts[TOI_MISS] > 0 && verdicts[TOI_HIT] > rounds / 3));
}

/* Whatever budget ends the search: a hit has a contact that is proved (`ask` sees to that), which lies on both
 * surfaces, and brackets hold the same time as those of a search that is not ended. Contacts are first found beyond a
 * seam now and then, or are not tangential. */
static void hits_that_a_budget_ends_have_a_proof(void **state) {
  (void)state;
  static const toi_shape_kind kinds[] = {TOI_SHAPE_SPHERE,   TOI_SHAPE_ELLIPSOID, TOI_SHAPE_TORUS,
                                         TOI_SHAPE_CYLINDER, TOI_SHAPE_CONE,      TOI_SHAPE_BUMPY_SPHERE};
  unsigned ended = 0;
  const uint64_t rounds = test_count_from(150, 30);
  for (uint64_t round = 0; round < rounds; round++) {
    stage s = {.context = context};
    mover a = random_mover(kinds[round % 6], -1), b = random_mover(kinds[round / 6 % 3], 1);
    toi_contact_options options = toi_default_contact_options();
    enter_mover(&s, &a, TOI_SHAPE_FORM_PARAMETRIC);
    enter_mover(&s, &b, round & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT);
    ask(&s, &options, &got);
    const toi_contact_answer whole = got.answer;
    for (options.max_boxes = 10; options.max_boxes <= 160; options.max_boxes *= 2) {
      ask(&s, &options, &got);
      const toi_contact_answer *x = &got.answer;
      ended += x->verdict == TOI_HIT && x->end == TOI_CONTACT_BOXES;
      if ((x->verdict == TOI_HIT && (whole.verdict == TOI_MISS || !(whole.t_lo <= x->t_hi))) ||
          (x->verdict == TOI_MISS && whole.verdict == TOI_HIT) || !(x->t_lo <= whole.t_hi))
        fail_msg("round %llu, %llu boxes: %s [%.17g, %.17g], then %s [%.17g, %.17g]", (unsigned long long)round,
                 (unsigned long long)options.max_boxes, toi_verdict_name(x->verdict), x->t_lo, x->t_hi,
                 toi_verdict_name(whole.verdict), whole.t_lo, whole.t_hi);
      check_contacts(&s, &a, &b);
    }
    clear(&s);
  }
  assert_true(rounds < 150 || ended > 100);
}

/* In units of length that are powers of two, with tolerance and spacing in these units. */
static mover scaled(const mover *b, double unit) {
  mover c = *b;
  const size_t lengths = b->kind == TOI_SHAPE_BUMPY_SPHERE ? 1 : 3;
  for (size_t k = 0; k < 3; k++) {
    c.size[k] *= k < lengths ? unit : 1;
    c.from[k] *= unit;
    c.velocity[k] *= unit;
  }
  return c;
}

/* About the same boxes, and the same time. A torus by a root has unbounded slopes on its axis, so that lengths
 * cannot tell what to halve there. */
static void units_of_length_do_not_matter(void **state) {
  (void)state;
  static const toi_shape_kind kinds[] = {TOI_SHAPE_TORUS, TOI_SHAPE_SPHERE, TOI_SHAPE_ELLIPSOID, TOI_SHAPE_SUPERQUADRIC,
                                         TOI_SHAPE_BUMPY_SPHERE};
  for (uint64_t round = 0; round < test_count_from(30, 10); round++) {
    const toi_shape_kind kind[2] = {kinds[round % 5], kinds[round / 5 % 3]};
    const mover a = random_mover(kind[0], -1), b = random_mover(kind[1], 1);
    toi_contact_answer plain = {0};
    for (int k = 0; k < 3; k++) {
      const double unit = (const double[]){1, 0x1p14, 0x1p-14}[k];
      const mover bodies[2] = {scaled(&a, unit), scaled(&b, unit)};
      stage s = {.context = context};
      toi_contact_options options = toi_default_contact_options();
      options.tolerance *= unit;
      options.spacing *= unit;
      for (int i = 0; i < 2; i++)
        enter_mover(&s, &bodies[i],
                    kind[i] == TOI_SHAPE_BUMPY_SPHERE ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT);
      ask(&s, &options, &got);
      const toi_contact_answer *x = &got.answer;
      plain = k == 0 ? *x : plain;
      if (x->verdict != plain.verdict || !(x->t_lo <= plain.t_hi && plain.t_lo <= x->t_hi) ||
          (double)x->boxes > 1.25 * (double)plain.boxes + 4)
        fail_msg("round %llu, unit %g: %s [%.17g, %.17g], %llu boxes; in units of 1 %s [%.17g, %.17g], %llu",
                 (unsigned long long)round, unit, toi_verdict_name(x->verdict), x->t_lo, x->t_hi,
                 (unsigned long long)x->boxes, toi_verdict_name(plain.verdict), plain.t_lo, plain.t_hi,
                 (unsigned long long)plain.boxes);
      clear(&s);
    }
  }
}

/* |p + t v| = r for the first time; infinite: never, NaN: too close to grazing to tell in doubles. */
static double first_time(const double p[3], const double v[3], double r) {
  double a = 0, b = 0, c = -r * r;
  for (int k = 0; k < 3; k++) {
    a += v[k] * v[k];
    b += p[k] * v[k];
    c += p[k] * p[k];
  }
  double d = b * b - a * c;
  if (fabs(d) < 1e-4)
    return NAN;
  return d < 0 || b > 0 ? INFINITY : c / (-b + sqrt(d));
}

static void spheres_on_straight_lines_meet_when_the_quadratic_says(void **state) {
  (void)state;
  uint64_t rounds = test_count(4 * ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    stage s = {.context = context};
    mover a = random_mover(TOI_SHAPE_SPHERE, -1), b = random_mover(TOI_SHAPE_SPHERE, 1);
    toi_contact_options options = toi_default_contact_options();
    double p[3], v[3];
    for (int k = 0; k < 3; k++) {
      p[k] = b.from[k] - a.from[k];
      v[k] = b.velocity[k] - a.velocity[k];
    }
    double t = first_time(p, v, a.size[0] + b.size[0]);
    if (isnan(t) || fabs(t - 1) < 1e-9)
      continue;
    enter_mover(&s, &a, round & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT);
    enter_mover(&s, &b, round & 2 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT);
    ask(&s, &options, &got);
    const toi_contact_answer *x = &got.answer;
    bool right =
        t > 1 ? x->verdict == TOI_MISS
              : x->verdict == TOI_HIT && x->t_lo <= t + 1e-12 && t - 1e-12 <= x->t_hi && x->t_hi - x->t_lo < 1e-9;
    if (!right || (t <= 1 && got.count != 1)) {
      tell("spheres", &s, &got);
      print_mover(&a);
      print_mover(&b);
      fail_msg("round %llu: they meet at %.17g", (unsigned long long)round, t);
    }
    clear(&s);
  }
}

/* Both fly along together, much faster than they approach: a time that is a little off is a place that is far off. */
static void where_fast_spheres_touch_is_known_as_well_as_they_say(void **state) {
  (void)state;
  for (int round = 0; round < ROUNDS; round++) {
    stage s = {.context = context};
    toi_contact_options options = toi_default_contact_options();
    options.polish = round & 4;
    options.guesses = round & 8;
    const double speed = pow(10, between(0, 5)), together[3] = {between(-speed, speed), between(-speed, speed), speed};
    // Along x, with an approach that is exact: they touch half way at 3/4.
    toi_motion *a = enter_library(&s, TOI_SHAPE_SPHERE, round & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT,
                                  (double[]){1});
    toi_motion *b = enter_library(&s, TOI_SHAPE_SPHERE, round & 2 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT,
                                  (double[]){1});
    well(&s, toi_motion_move(a, (double[]){-1.75, 0, 0}, (double[]){1, 0, 0}));
    well(&s, toi_motion_move(b, (double[]){1.75, 0, 0}, (double[]){-1, 0, 0}));
    well(&s, toi_motion_move(a, NULL, together));
    well(&s, toi_motion_move(b, NULL, together));
    ask(&s, &options, &got);
    assert_int_equal(got.answer.verdict, TOI_HIT);
    const double at[3] = {0.75 * together[0], 0.75 * together[1], 0.75 * together[2]};
    for (size_t i = 0; i < got.count; i++)
      if (got.contacts[i].certificate == TOI_CONTACT_UNIQUE &&
          distance_of(got.contacts[i].point, at) > got.contacts[i].error + 1e-15 * speed) {
        tell("fast spheres", &s, &got);
        fail_msg("round %d, speed %g: off by %g, error %g", round, speed, distance_of(got.contacts[i].point, at),
                 got.contacts[i].error);
      }
    clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_inside_before_first_contact),
      cmocka_unit_test(hits_that_a_budget_ends_have_a_proof),
      cmocka_unit_test(units_of_length_do_not_matter),
      cmocka_unit_test(spheres_on_straight_lines_meet_when_the_quadratic_says),
      cmocka_unit_test(where_fast_spheres_touch_is_known_as_well_as_they_say),
  };
  seed = test_seed(605);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
