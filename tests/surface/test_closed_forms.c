/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exact rational shapes in translation: the first contact of spheres, cylinders, tori, floors and points has a closed
 * form, which lies in the bracket, with a separation in either norm as well. A torus lowered onto another one touches
 * it along a circle: the contacts that are listed are spread over all of it. */

#include "surface/cases.h"

/* The widest bracket of a proved contact here, also along a whole line; and the rounding of the closed forms. */
#define BRACKET 1e-8
#define LINE_BRACKET 1e-5
#define ROUNDING 1e-14

/* A shape around the origin. */
typedef struct body {
  const char *name;
  double ring, radius, height; /* of a torus, all round ones, a cylinder */
} body;

static toi_model build(toi_context *context, const body *b) {
  toi_model model;
  toi_status status = b->height > 0 ? toi_model_cylinder(context, b->radius, b->height, &model)
                      : b->ring > 0 ? toi_model_torus(context, b->ring, b->radius, &model)
                                    : toi_model_sphere(context, b->radius, &model);
  if (status != TOI_OK)
    fail_msg("%s: %s", b->name, toi_context_error(context));
  return model;
}

/* The second body starts at `from` and moves on; the first is at rest. */
typedef struct flight {
  double from[3], velocity[3];
} flight;

static toi_surface_hit meet(toi_context *context, const toi_model *a, const toi_model *b, const flight *f,
                            const toi_surface_options *options) {
  toi_model moved;
  toi_surface_hit hit = {.verdict = TOI_NEAR};
  if (toi_model_moved(context, b, f->from, f->velocity, &moved) != TOI_OK ||
      toi_model_pair(context, a, &moved, options, &hit) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_model_free(context, &moved);
  return hit;
}

/* First contact at t; NAN: none. The step ends at 1. */
static void expect(const char *what, const toi_surface_hit *hit, double t, double bracket) {
  bool well = is_well_formed(hit, 1);
  if (isnan(t) || t > 1)
    well = well && hit->verdict == TOI_MISS;
  else
    well = well && hit->verdict == TOI_HIT && hit->t_lo <= t + ROUNDING && t - ROUNDING <= hit->t_hi &&
           hit->t_hi - hit->t_lo <= bracket;
  if (!well)
    fail_msg("%s: %s from %.17g to %.17g (%s after %llu checks), expected %.17g", what, verdict_of(hit), hit->t_lo,
             hit->t_hi, toi_surface_end_name((toi_surface_end)hit->end), (unsigned long long)hit->checks, t);
}

/* The first time at which |p + t v| = r, in so many dimensions; NAN: never. */
static double reach(const double p[3], const double v[3], double r, int dimensions) {
  double a = 0, b = 0, c = -r * r;
  for (int k = 0; k < dimensions; k++) {
    a += v[k] * v[k];
    b += p[k] * v[k];
    c += p[k] * p[k];
  }
  double root = b * b - a * c;
  if (root < 0 || b >= 0)
    return NAN;
  return c / (-b + sqrt(root));
}

/* A start at a distance, and a way past the origin at another one. */
static void random_flight(uint64_t *state, double distance, double offset, flight *f) {
  double d[3], aside[3];
  random_direction(state, d);
  random_direction(state, aside);
  for (int k = 0; k < 3; k++) {
    f->from[k] = distance * d[k];
    f->velocity[k] = 2 * (offset * aside[k] - f->from[k]);
  }
}

/* --- spheres --- */

static void spheres_meet(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0061), rounds = test_count(20);
  toi_context *context = test_context(1);
  const body one = {"sphere", 0, 1, 0}, other = {"sphere", 0, 0.5, 0};
  toi_model a = build(context, &one), b = build(context, &other);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    flight f;
    random_flight(&seed, 3, random_between(&seed, 0, 2), &f);
    double t = reach(f.from, f.velocity, 1.5, 3);
    toi_surface_hit hit = meet(context, &a, &b, &f, &options);
    expect("sphere and sphere", &hit, t, BRACKET);
  }
  toi_model_free(context, &a);
  toi_model_free(context, &b);
  toi_context_destroy(context);
}

/* A point is a model too; its separation from a sphere is a sphere's radius. */
static void points_come_within_a_separation_of_a_sphere(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0062), rounds = test_count(20);
  toi_context *context = test_context(1);
  const body one = {"sphere", 0, 1, 0};
  toi_model a = build(context, &one);
  test_patch point;
  patch_make(&point, TOI_PATCH_QUAD, 0, 0);
  const toi_model b = {.patches = &point.patch, .patch_count = 1};
  for (uint64_t i = 0; i < rounds; i++) {
    toi_surface_options options = toi_default_surface_options();
    flight f;
    random_flight(&seed, 3, random_between(&seed, 0, 1.5), &f);
    options.min_separation = i % 4 == 0 ? 0 : random_between(&seed, 0.01, 0.5);
    toi_surface_hit hit = meet(context, &a, &b, &f, &options);
    expect("point and sphere", &hit, reach(f.from, f.velocity, 1 + options.min_separation, 3), BRACKET);
    // Along the diagonal it is a cube's corner that comes first, along an axis its face.
    double d = options.min_separation, side = i % 2 ? 2 : 3 / sqrt(3);
    flight straight = {{side, i % 2 ? 0 : side, i % 2 ? 0 : side}, {0}};
    for (int k = 0; k < 3; k++)
      straight.velocity[k] = -straight.from[k];
    options.norm = TOI_NORM_LINF;
    hit = meet(context, &a, &b, &straight, &options);
    expect("point and sphere, cube", &hit, 1 - (i % 2 ? 1 + d : 1 / sqrt(3) + d) / side, BRACKET);
  }
  toi_model_free(context, &a);
  toi_context_destroy(context);
}

/* --- cylinders and tori --- */

/* Below the rims only the distance from the axis counts. */
static void a_sphere_meets_a_cylinder(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0063), rounds = test_count(20);
  toi_context *context = test_context(1);
  const body tube = {"cylinder", 0, 0.75, 8}, ball = {"sphere", 0, 0.5, 0};
  toi_model a = build(context, &tube), b = build(context, &ball);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    flight f;
    random_flight(&seed, 3, random_between(&seed, 0, 1.5), &f);
    // From outside, and along the tube not far.
    f.from[0] += f.from[0] < 0 ? -1.5 : 1.5;
    f.from[2] = random_between(&seed, -1, 1);
    f.velocity[2] = random_between(&seed, -1, 1);
    toi_surface_hit hit = meet(context, &a, &b, &f, &options);
    expect("cylinder and sphere", &hit, reach(f.from, f.velocity, 1.25, 2), BRACKET);
  }
  toi_model_free(context, &a);
  toi_model_free(context, &b);
  toi_context_destroy(context);
}

/* Parallel ones meet along a line. */
static void a_cylinder_meets_a_parallel_one(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0064), rounds = test_count(5);
  toi_context *context = test_context(1);
  const body tube = {"cylinder", 0, 0.75, 2}, other = {"cylinder", 0, 0.5, 1};
  toi_model a = build(context, &tube), b = build(context, &other);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    double angle = random_between(&seed, 0, 6);
    flight f = {{3 * cos(angle), 3 * sin(angle), 0.25}, {-2 * cos(angle), -2.5 * sin(angle), 0}};
    toi_surface_hit hit = meet(context, &a, &b, &f, &options);
    expect("cylinders", &hit, reach(f.from, f.velocity, 1.25, 2), LINE_BRACKET);
  }
  toi_model_free(context, &a);
  toi_model_free(context, &b);
  toi_context_destroy(context);
}

/* A ball comes down on a torus at a distance from its axis: within the hole, on the ring, beside it. */
static void a_sphere_falls_on_a_torus(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0065), rounds = test_count(20);
  toi_context *context = test_context(1);
  const body torus = {"torus", 2, 0.5, 0}, ball = {"sphere", 0, 0.75, 0};
  toi_model a = build(context, &torus), b = build(context, &ball);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    double from = random_between(&seed, 0, 4), angle = random_between(&seed, 0, 6);
    flight f = {{from * cos(angle), from * sin(angle), 3}, {0, 0, -4}};
    double aside = hypot(f.from[0], f.from[1]) - 2, t = (3 - sqrt(1.25 * 1.25 - aside * aside)) / 4;
    toi_surface_hit hit = meet(context, &a, &b, &f, &options);
    expect("torus and sphere", &hit, t, BRACKET);
  }
  toi_model_free(context, &a);
  toi_model_free(context, &b);
  toi_context_destroy(context);
}

/* --- a torus on a torus --- */

#define CONTACTS_MOST 4096

typedef struct contact_list {
  size_t count, near;
  double point[CONTACTS_MOST][3];
} contact_list;

static toi_status collect(void *user, const toi_surface_hit *contact) {
  contact_list *list = user;
  assert_true(list->count < CONTACTS_MOST);
  memcpy(list->point[list->count++], contact->point, sizeof(contact->point));
  list->near += contact->verdict == TOI_NEAR;
  return TOI_OK;
}

static double distance(const double a[3], const double b[3]) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Pairwise apart, on the circle, and none of the circle far from all of them. */
static void check_circle(const contact_list *list, double spacing, double slack) {
  for (size_t i = 0; i < list->count; i++) {
    const double *p = list->point[i];
    assert_true(fabs(hypot(p[0], p[1]) - 2) <= slack && fabs(p[2] - 0.5) <= slack);
    for (size_t j = 0; j < i; j++)
      assert_true(distance(p, list->point[j]) >= spacing);
  }
  for (int i = 0; i < 720; i++) {
    const double angle = i * 0.00872664625997165, on[3] = {2 * cos(angle), 2 * sin(angle), 0.5};
    double nearest = INFINITY;
    for (size_t j = 0; j < list->count; j++)
      nearest = fmin(nearest, distance(on, list->point[j]));
    if (!(nearest <= 2 * spacing + slack))
      fail_msg("at %d half degrees the nearest of %zu contacts is %g away", i, list->count, nearest);
  }
}

static void a_torus_is_lowered_onto_another(void **state) {
  (void)state;
  static const double spacings[] = {1, 0.1};
  static contact_list list;
  toi_context *context = test_context(1);
  const body torus = {"torus", 2, 0.5, 0};
  const double from[3] = {0, 0, 2}, velocity[3] = {0, 0, -3};
  toi_model a = build(context, &torus), b;
  assert_int_equal(toi_model_moved(context, &a, from, velocity, &b), TOI_OK);
  for (size_t i = 0; i < 2; i++) {
    toi_surface_options options = toi_default_surface_options();
    toi_surface_hit first;
    options.spacing = spacings[i];
    options.simultaneity = 1e-4;
    list.count = list.near = 0;
    if (toi_model_contacts(context, &a, &b, &options, &first, collect, &list) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
    print_message("spacing %g: %zu contacts, %zu of them not proved\n", spacings[i], list.count, list.near);
    expect("torus and torus", &first, 1 / 3.0, LINE_BRACKET);
    // Within the simultaneity the overlap is this wide, on each side.
    check_circle(&list, spacings[i], 0.02);
  }
  toi_model_free(context, &a);
  toi_model_free(context, &b);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_meet),
      cmocka_unit_test(points_come_within_a_separation_of_a_sphere),
      cmocka_unit_test(a_sphere_meets_a_cylinder),
      cmocka_unit_test(a_cylinder_meets_a_parallel_one),
      cmocka_unit_test(a_sphere_falls_on_a_torus),
      cmocka_unit_test(a_torus_is_lowered_onto_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
