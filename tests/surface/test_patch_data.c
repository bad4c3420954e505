/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The cases of the experiment of Chen 2024, beside contacts that are known: none missed, nothing proved apart when they
 * touch, nearly all of them proved with a narrow bracket, and nothing invented. Its other experiment, a bunny of flat
 * triangles against a rational torus. Skipped where there is no data. */

#include "surface/dense.h"

/* What is known of a time of contact. */
#define TRUTH_ERROR 1e-13

/* Widest bracket of a hit, and the least part of the colliding cases that must be such. */
#define BRACKET 1e-9
#define PART_PROVED 0.995

/* Of so many cases one is asked about; all, unless long tests are cut. */
static size_t every(void) {
  uint64_t some = test_count(500);
  return some < 500 ? (size_t)(500 / some) : 1;
}

typedef struct data_tally {
  const patch_type *type;
  size_t number, cases, colliding, proved, near_without;
  double widest;
} data_tally;

static void complain(const test_case *c, const toi_surface_hit *hit, double t_ref, const char *what) {
  case_print(c, hit);
  fail_msg("%s; contact known at %.17g", what, t_ref);
}

/* What holds for every method: nothing missed, no t_lo too late. */
static void check_safe(const test_case *c, const toi_surface_hit *hit, double t_ref) {
  check_form(c, hit);
  if (t_ref == INFINITY)
    return;
  if (hit->verdict == TOI_MISS)
    complain(c, hit, t_ref, "a contact is missed");
  if (hit->t_lo > t_ref + TRUTH_ERROR)
    complain(c, hit, t_ref, "t_lo is later than a contact");
}

/* Where no contact is known: a hit must be seen by the independent search, and a near too, within the tolerance. */
static void check_invented(const test_case *c, const toi_surface_hit *hit, double tolerance) {
  if (hit->verdict == TOI_MISS)
    return;
  dense_contact found;
  dense_problem q = dense_ask(c, hit->verdict == TOI_HIT ? 0 : hit->t_lo, hit->verdict == TOI_HIT ? hit->t_hi : 1);
  if (hit->verdict == TOI_NEAR)
    q.goal = tolerance;
  if (!dense_confirm(q, hit->a, hit->b, &found) && !dense_find(q, &found))
    complain(c, hit, INFINITY, "neither a contact nor close to one");
}

static void count_proof(data_tally *sum, const toi_surface_hit *hit, double t_ref) {
  bool proved = hit->verdict == TOI_HIT && hit->t_hi - hit->t_lo <= BRACKET;
  sum->proved += proved;
  if (hit->verdict == TOI_HIT)
    sum->widest = fmax(sum->widest, hit->t_hi - hit->t_lo);
  if (!proved)
    print_message("  %s, the case on line %zu: %s from %.17g, bracket %.3g, %s after %llu checks; known at %.17g\n",
                  sum->type->name, sum->number + 1, verdict_of(hit), hit->t_lo, hit->t_hi - hit->t_lo,
                  toi_surface_end_name((toi_surface_end)hit->end), (unsigned long long)hit->checks, t_ref);
}

/* Whether enough of them are proved. */
static bool check_type(const patch_type *type, toi_context *context, const toi_surface_options *options) {
  data_cases data = {.type = type};
  if (!data_cases_open(type, &data))
    skip();
  data_tally sum = {.type = type};
  test_case c;
  double t_ref;
  while (data_cases_next(&data, &c, &t_ref)) {
    if (sum.number++ % every() != 0)
      continue;
    sum.cases++;
    toi_surface_hit hit = ask(context, &c, options);
    check_safe(&c, &hit, t_ref);
    if (t_ref < INFINITY) {
      sum.colliding++;
      count_proof(&sum, &hit, t_ref);
    } else {
      check_invented(&c, &hit, options->tolerance);
      sum.near_without += hit.verdict == TOI_NEAR;
    }
  }
  data_cases_close(&data);
  print_message("%s: %zu cases, %zu collide, %zu of them proved, widest bracket %.3g; near without contact %zu\n",
                type->name, sum.cases, sum.colliding, sum.proved, sum.widest, sum.near_without);
  assert_true(sum.colliding > 0);
  return (double)sum.proved >= PART_PROVED * (double)sum.colliding;
}

static void check_types(toi_accept accept, toi_inclusion inclusion) {
  if (!test_data_directory())
    skip();
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.accept = accept;
  options.inclusion = inclusion;
  size_t types = 0;
  for (size_t i = 0; i < PATCH_TYPE_COUNT; i++)
    types += check_type(&patch_types[i], context, &options);
  toi_context_destroy(context);
  assert_int_equal(types, PATCH_TYPE_COUNT);
}

static void contacts_are_proved_to_a_distance(void **state) {
  (void)state;
  check_types(TOI_ACCEPT_WORLD, TOI_INCLUSION_OBB);
}

static void contacts_are_proved_to_a_width_of_parameters(void **state) {
  (void)state;
  check_types(TOI_ACCEPT_PARAMETER, TOI_INCLUSION_OBB);
}

/* --- the baseline --- */

/* Of so many cases one; it takes its time. */
#define SWEPT_EVERY 8

/* How many hits there are. */
static size_t check_swept_type(const patch_type *type, toi_context *context, const toi_surface_options *options) {
  data_cases data = {.type = type};
  if (!data_cases_open(type, &data))
    skip();
  size_t verdicts[3] = {0}, ends[TOI_SURFACE_END_COUNT] = {0};
  test_case c;
  double t_ref;
  for (size_t i = 0; data_cases_next(&data, &c, &t_ref); i++) {
    if (i % (SWEPT_EVERY * every()) != 0)
      continue;
    toi_surface_hit hit = ask(context, &c, options);
    check_safe(&c, &hit, t_ref);
    if (t_ref == INFINITY && hit.verdict == TOI_HIT)
      complain(&c, &hit, t_ref, "a contact is invented");
    verdicts[hit.verdict]++;
    ends[hit.end]++;
  }
  data_cases_close(&data);
  print_message("%s: %zu misses, %zu hits, %zu near; %zu beyond the budget\n", type->name, verdicts[TOI_MISS],
                verdicts[TOI_HIT], verdicts[TOI_NEAR], ends[TOI_SURFACE_BUDGET] + ends[TOI_SURFACE_MEMORY]);
  return verdicts[TOI_HIT];
}

static void swept_boxes_agree(void **state) {
  (void)state;
  if (!test_data_directory())
    skip();
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.method = "swept-boxes";
  options.tolerance = 1e-3;
  options.max_checks = 40000;
  size_t hits = 0;
  for (size_t i = 0; i < PATCH_TYPE_COUNT; i++)
    hits += check_swept_type(&patch_types[i], context, &options);
  toi_context_destroy(context);
  assert_true(hits > 0);
}

/* --- the bunny and the torus --- */

#define BUNNY_FACES 292
#define TORUS_PATCHES 16
#define STEPS 50
#define STEP_TIME 0.02
#define CONTACT_STEP 16
#define CONTACT_TIME 0.0063858566

typedef struct bunny_step {
  double bunny[2][BUNNY_FACES][3][3];   /* positions, velocities */
  double torus[2][TORUS_PATCHES][9][3]; /* Cartesian control points, velocities */
} bunny_step;

static toi_surface_hit ask_step(toi_context *context, const bunny_step *step) {
  static const double weights[9] = {1, 1, 2, 1, 1, 2, 2, 2, 4};
  toi_patch bunny[BUNNY_FACES], torus[TORUS_PATCHES];
  for (size_t i = 0; i < BUNNY_FACES; i++)
    bunny[i] = (toi_patch){
        .shape = TOI_PATCH_TRIANGLE, .degree = {1, 1}, .points = step->bunny[0][i], .velocities = step->bunny[1][i]};
  for (size_t i = 0; i < TORUS_PATCHES; i++)
    torus[i] = (toi_patch){.shape = TOI_PATCH_QUAD,
                           .degree = {2, 2},
                           .points = step->torus[0][i],
                           .velocities = step->torus[1][i],
                           .weights = weights};
  const toi_model a = {.patches = bunny, .patch_count = BUNNY_FACES};
  const toi_model b = {.patches = torus, .patch_count = TORUS_PATCHES};
  toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hit;
  options.t_max = STEP_TIME;
  if (toi_model_pair(context, &a, &b, &options, &hit) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return hit;
}

static void the_bunny_meets_the_torus_in_step_16(void **state) {
  (void)state;
  const char *root = test_data_directory();
  char path[1024];
  snprintf(path, sizeof(path), "%s/patches/bunny_torus.f64", root ? root : ".");
  FILE *file = root ? fopen(path, "rb") : NULL;
  if (!file) {
    if (root)
      test_skip_reason("no %s", path);
    skip();
  }
  static bunny_step step;
  toi_context *context = test_context(1);
  for (int i = 0; i < STEPS; i++) {
    assert_int_equal(fread(&step, sizeof(step), 1, file), 1);
    toi_surface_hit hit = ask_step(context, &step);
    if (i < CONTACT_STEP) {
      assert_int_equal(hit.verdict, TOI_MISS);
    } else if (i == CONTACT_STEP) {
      print_message("step %d: %s from %.13f to %.13f, patches %u and %u\n", i, verdict_of(&hit), hit.t_lo, hit.t_hi,
                    hit.patch_a, hit.patch_b);
      assert_int_equal(hit.verdict, TOI_HIT);
      assert_true(fabs(hit.t_lo - CONTACT_TIME) <= 2e-10 && fabs(hit.t_hi - CONTACT_TIME) <= 2e-10);
    }
  }
  fclose(file);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_are_proved_to_a_distance),
      cmocka_unit_test(contacts_are_proved_to_a_width_of_parameters),
      cmocka_unit_test(swept_boxes_agree),
      cmocka_unit_test(the_bunny_meets_the_torus_in_step_16),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
