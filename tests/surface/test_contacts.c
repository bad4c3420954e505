/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All contacts of the first moment: along a circle, at two places at once, over a square; at least `spacing` apart, and
 * with none of the contact far from all of them. */

#include "surface/cases.h"

#define REPORTS_MOST 4096

/* What the visitor ends the call with. */
#define ENOUGH TOI_ERROR_FILE

typedef struct reports {
  double points[REPORTS_MOST][3];
  size_t count, enough; /* enough: where to stop; 0: never */
  double t_first, t_last;
  size_t hits;
} reports;

static toi_status report(void *user, const toi_surface_hit *contact) {
  reports *r = user;
  assert_true(r->count < REPORTS_MOST);
  assert_true(contact->verdict == TOI_HIT || contact->verdict == TOI_NEAR);
  assert_true(contact->t_lo <= contact->t_hi && contact->t_safe <= contact->t_lo);
  memcpy(r->points[r->count++], contact->point, sizeof(contact->point));
  r->t_first = fmin(r->t_first, contact->t_lo);
  r->t_last = fmax(r->t_last, contact->t_hi);
  r->hits += contact->verdict == TOI_HIT;
  return r->count == r->enough ? ENOUGH : TOI_OK;
}

static toi_surface_hit contacts(toi_context *context, const toi_model models[2], const toi_surface_options *options,
                                reports *r) {
  toi_surface_hit first;
  size_t enough = r->enough;
  *r = (reports){.enough = enough, .t_first = INFINITY};
  const toi_status status = toi_model_contacts(context, &models[0], &models[1], options, &first, report, r);
  if (status != (enough > 0 && r->count == enough ? ENOUGH : TOI_OK))
    fail_msg("status %d: %s", (int)status, toi_context_error(context));
  return first;
}

static double distance(const double a[3], const double b[3]) {
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* The least distance of two reports. */
static double least_distance(const reports *r) {
  double least = INFINITY;
  for (size_t i = 0; i < r->count; i++)
    for (size_t j = 0; j < i; j++)
      least = fmin(least, distance(r->points[i], r->points[j]));
  return least;
}

static double distance_to_reports(const reports *r, const double x[3]) {
  double least = INFINITY;
  for (size_t i = 0; i < r->count; i++)
    least = fmin(least, distance(r->points[i], x));
  return least;
}

/* --- the circle of two tori --- */

/* A torus of radii 2 and 1, and a copy 6 higher that comes down with speed 5: they touch at t = 0.8, on the circle of
 * radius 2 at z = 1. */
static void make_tori(toi_context *context, toi_model models[2]) {
  const double shift[3] = {0, 0, 6}, velocity[3] = {0, 0, -5};
  assert_int_equal(toi_model_torus(context, 2, 1, &models[0]), TOI_OK);
  assert_int_equal(toi_model_moved(context, &models[0], shift, velocity, &models[1]), TOI_OK);
}

static void free_models(toi_context *context, toi_model models[2]) {
  for (int i = 0; i < 2; i++)
    toi_model_free(context, &models[i]);
}

/* Reports lie on the circle at this height, and all of it is near one. */
static void check_circle(const reports *r, double z, double spacing, double off) {
  double farthest = 0;
  for (size_t i = 0; i < r->count; i++) {
    const double *x = r->points[i];
    if (!(fabs(hypot(x[0], x[1]) - 2) <= off && fabs(x[2] - z) <= off))
      fail_msg("%.17g %.17g %.17g is not on the circle", x[0], x[1], x[2]);
  }
  for (int i = 0; i < 20000; i++) {
    double angle = 2 * acos(-1) * i / 20000, x[3] = {2 * cos(angle), 2 * sin(angle), z};
    farthest = fmax(farthest, distance_to_reports(r, x));
  }
  print_message("spacing %g: %zu contacts, %zu proved; %.6g apart; none of the circle farther than %.6g\n", spacing,
                r->count, r->hits, least_distance(r), farthest);
  assert_true(least_distance(r) >= spacing);
  assert_true(farthest <= 2 * spacing + 1e-5);
  // Points `spacing` apart on the circle at the most, twice 2 spacing apart at the least.
  assert_true(r->count >= (size_t)(4 * acos(-1) / (4 * spacing)) && r->count <= (size_t)(4 * acos(-1) / spacing));
}

static void a_torus_comes_down_on_a_torus(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model models[2];
  make_tori(context, models);
  const double spacings[3] = {1, 0.3, 0.1};
  for (int i = 0; i < 3; i++) {
    toi_surface_options options = toi_default_surface_options();
    options.spacing = spacings[i];
    reports r = {0};
    toi_surface_hit first = contacts(context, models, &options, &r);
    assert_true(first.verdict != TOI_MISS && first.t_lo <= 0.8 + 1e-15 && first.t_lo >= 0.8 - 1e-6);
    assert_true(first.end != TOI_SURFACE_BUDGET && first.end != TOI_SURFACE_MEMORY);
    assert_true(r.t_first >= 0.8 - 1e-6 && r.t_last <= 0.8 + 1e-6);
    check_circle(&r, 1, options.spacing, 1e-3);
  }
  free_models(context, models);
  toi_context_destroy(context);
}

static void tori_come_within_a_distance(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model models[2];
  make_tori(context, models);
  toi_surface_options options = toi_default_surface_options();
  options.spacing = 0.5;
  options.min_separation = 0.5;
  reports r = {0};
  toi_surface_hit first = contacts(context, models, &options, &r);
  assert_true(first.verdict != TOI_MISS && first.t_lo <= 0.7 + 1e-15 && first.t_lo >= 0.7 - 1e-6);
  check_circle(&r, 1.25, options.spacing, 1e-3);
  // By the largest coordinate they come that close over a ring, at the same time.
  options.norm = TOI_NORM_LINF;
  options.max_checks = 20000;
  first = contacts(context, models, &options, &r);
  assert_true(first.verdict != TOI_MISS && first.t_lo <= 0.7 + 1e-15 && first.t_lo >= 0.7 - 1e-4);
  assert_true(r.count > 0 && least_distance(&r) >= options.spacing);
  for (size_t i = 0; i < r.count; i++)
    assert_true(fabs(r.points[i][2] - 1.25) < 1e-2 && fabs(hypot(r.points[i][0], r.points[i][1]) - 2) < 0.26);
  free_models(context, models);
  toi_context_destroy(context);
}

static void later_contacts_count_within_the_simultaneity(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model models[2];
  make_tori(context, models);
  toi_surface_options options = toi_default_surface_options();
  options.spacing = 0.5;
  options.simultaneity = 1e-3;
  reports r = {0};
  contacts(context, models, &options, &r);
  assert_true(least_distance(&r) >= options.spacing && r.t_last <= 0.801 + 1e-6);
  // 0.005 deeper, the tubes cross in two circles that are sqrt(2 * 0.005) and more from each other.
  for (size_t i = 0; i < r.count; i++)
    assert_true(fabs(hypot(r.points[i][0], r.points[i][1]) - 2) < 0.075 && fabs(r.points[i][2] - 1) < 0.01);
  free_models(context, models);
  toi_context_destroy(context);
}

/* --- two places at once --- */

#define SPHERES_MOST 32

/* Two unit spheres, 6 apart, that come down with speed 2 from 2 above the floor. */
typedef struct landing {
  toi_model sphere[3], models[2];
  toi_patch both[SPHERES_MOST], floor;
  double corners[4][3];
} landing;

static void make_landing(toi_context *context, landing *l) {
  const double left[3] = {-3, 0, 3}, right[3] = {3, 0, 3}, velocity[3] = {0, 0, -2};
  assert_int_equal(toi_model_sphere(context, 1, &l->sphere[0]), TOI_OK);
  assert_int_equal(toi_model_moved(context, &l->sphere[0], left, velocity, &l->sphere[1]), TOI_OK);
  assert_int_equal(toi_model_moved(context, &l->sphere[0], right, velocity, &l->sphere[2]), TOI_OK);
  size_t count = l->sphere[0].patch_count;
  assert_true(2 * count <= SPHERES_MOST);
  memcpy(l->both, l->sphere[1].patches, count * sizeof(toi_patch));
  memcpy(l->both + count, l->sphere[2].patches, count * sizeof(toi_patch));
  for (int i = 0; i < 4; i++) {
    l->corners[i][0] = i / 2 ? 8 : -8;
    l->corners[i][1] = i % 2 ? 7 : -9;
    l->corners[i][2] = 0;
  }
  l->floor = (toi_patch){.degree = {1, 1}, .points = (const double(*)[3])l->corners};
  l->models[0] = (toi_model){.patches = l->both, .patch_count = 2 * count};
  l->models[1] = (toi_model){.patches = &l->floor, .patch_count = 1};
}

static void free_landing(toi_context *context, landing *l) {
  for (int i = 0; i < 3; i++)
    toi_model_free(context, &l->sphere[i]);
}

static void two_spheres_land_at_once(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  landing l;
  make_landing(context, &l);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 2;
  reports r = {0};
  toi_surface_hit first = contacts(context, l.models, &options, &r);
  assert_true(first.verdict != TOI_MISS && first.t_lo <= 1 + 1e-15 && first.t_lo >= 1 - 1e-6);
  assert_int_equal(r.count, 2);
  for (int i = 0; i < 2; i++) {
    const double place[3] = {i ? 3 : -3, 0, 0};
    assert_true(distance_to_reports(&r, place) < 2e-2);
  }
  // Spread wider than the two: one is enough.
  options.spacing = 7;
  contacts(context, l.models, &options, &r);
  assert_int_equal(r.count, 1);
  free_landing(context, &l);
  toi_context_destroy(context);
}

static void the_caller_has_enough(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  landing l;
  toi_model tori[2];
  make_landing(context, &l);
  make_tori(context, tori);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 2;
  for (size_t enough = 1; enough < 6; enough++) {
    reports r = {.enough = enough};
    contacts(context, tori, &options, &r);
    assert_int_equal(r.count, enough);
    r.enough = enough;
    contacts(context, l.models, &options, &r);
    assert_int_equal(r.count, enough < 2 ? enough : 2);
  }
  free_models(context, tori);
  free_landing(context, &l);
  toi_context_destroy(context);
}

/* Goes on until there are some contacts. */
static bool few_contacts(void *user, double done) {
  const reports *r = user;
  assert_true(done >= 0 && done <= 1);
  return r->count < 20;
}

static void a_walk_over_many_contacts_can_be_stopped(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  reports *r = calloc(1, sizeof *r);
  assert_non_null(r);
  toi_model models[2];
  make_tori(context, models);
  options.spacing = 0.01;
  options.progress = few_contacts;
  options.progress_user = r;
  toi_surface_hit first;
  assert_int_equal(toi_model_contacts(context, &models[0], &models[1], &options, &first, report, r),
                   TOI_ERROR_CANCELLED);
  assert_true(strstr(toi_context_error(context), "stopped by the progress callback") != NULL);
  assert_true(r->count >= 20 && r->count < 400);
  assert_true(first.verdict == TOI_NEAR && first.t_lo == 0);
  free_models(context, models);
  toi_context_destroy(context);
  free(r);
}

static void a_small_budget_is_told(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model models[2];
  make_tori(context, models);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t checks = 1; checks < 600; checks = 2 * checks + 1) {
    options.max_checks = checks;
    reports r = {0};
    toi_surface_hit first = contacts(context, models, &options, &r);
    assert_int_equal(first.end, TOI_SURFACE_BUDGET);
    assert_true(first.verdict != TOI_MISS && first.t_lo <= 0.8 + 1e-15);
    assert_true(least_distance(&r) >= options.spacing);
  }
  free_models(context, models);
  toi_context_destroy(context);
}

static void a_miss_has_no_contacts(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_model models[2];
  make_tori(context, models);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 0.75;
  reports r = {0};
  toi_surface_hit first = contacts(context, models, &options, &r);
  assert_int_equal(first.verdict, TOI_MISS);
  assert_int_equal(r.count, 0);
  free_models(context, models);
  toi_context_destroy(context);
}

/* --- a square on a square --- */

static void a_square_lands_flat_on_a_square(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  double corners[2][4][3], fall[4][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
  toi_patch patches[2];
  toi_model models[2];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 4; j++) {
      corners[i][j][0] = j >= 2;
      corners[i][j][1] = j % 2;
      corners[i][j][2] = i == 0 ? 0.5 : 0;
    }
    patches[i] = (toi_patch){.degree = {1, 1}, .points = (const double(*)[3])corners[i]};
    models[i] = (toi_model){.patches = &patches[i], .patch_count = 1};
  }
  patches[0].velocities = (const double(*)[3])fall;
  toi_surface_options options = toi_default_surface_options();
  for (int i = 0; i < 2; i++) {
    options.spacing = i == 0 ? 0.25 : 0.0625;
    reports r = {0};
    toi_surface_hit first = contacts(context, models, &options, &r);
    assert_true(first.t_lo <= 0.5 && first.t_lo >= 0.5 - 1e-6);
    assert_true(first.end != TOI_SURFACE_BUDGET && first.end != TOI_SURFACE_MEMORY);
    double farthest = 0, side = 1 / options.spacing;
    for (int k = 0; k < 40 * 40; k++) {
      int row = k / 40;
      const double x[3] = {row / 39.0, k % 40 / 39.0, 0};
      farthest = fmax(farthest, distance_to_reports(&r, x));
    }
    print_message("spacing %g: %zu contacts, none of the square farther than %g\n", options.spacing, r.count, farthest);
    assert_true(least_distance(&r) >= options.spacing && farthest <= 2 * options.spacing + 1e-5);
    // A disc of twice the spacing around each covers the square; discs of half of it do not overlap.
    assert_true((double)r.count >= side * side / (4 * acos(-1)));
    assert_true((double)r.count <= (side + 1) * (side + 1) * 4 / acos(-1));
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_torus_comes_down_on_a_torus),
      cmocka_unit_test(tori_come_within_a_distance),
      cmocka_unit_test(later_contacts_count_within_the_simultaneity),
      cmocka_unit_test(two_spheres_land_at_once),
      cmocka_unit_test(the_caller_has_enough),
      cmocka_unit_test(a_walk_over_many_contacts_can_be_stopped),
      cmocka_unit_test(a_small_budget_is_told),
      cmocka_unit_test(a_miss_has_no_contacts),
      cmocka_unit_test(a_square_lands_flat_on_a_square),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
