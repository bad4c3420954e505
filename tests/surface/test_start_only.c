/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* t_max = 0: the start alone is asked about, whatever comes later. What crosses there is a hit at 0, what is apart a
 * miss that is safe up to 0; how things move does not matter. */

#include "surface/dense.h"
#include "surface/spin_motion.h"

static void expect_hit(const toi_surface_hit *hit) {
  if (hit->verdict != TOI_HIT || hit->t_lo != 0 || hit->t_hi != 0 || hit->t_safe != 0 || !hit->touching_at_start)
    fail_msg("%s (%s) [%g, %g], safe up to %g", verdict_of(hit), toi_surface_end_name((toi_surface_end)hit->end),
             hit->t_lo, hit->t_hi, hit->t_safe);
  assert_true(isfinite(hit->distance));
}

static void expect_miss(const toi_surface_hit *hit) {
  if (hit->verdict != TOI_MISS || !isinf(hit->t_lo) || !isinf(hit->t_hi) || hit->t_safe != 0)
    fail_msg("%s (%s) [%g, %g], safe up to %g", verdict_of(hit), toi_surface_end_name((toi_surface_end)hit->end),
             hit->t_lo, hit->t_hi, hit->t_safe);
}

/* --- patches --- */

/* A square z = height; and a bowl z = (x^2 + y^2) / 2 over the same x and y, that falls. */
static void make_fall(test_case *c, double height) {
  static const double square[3] = {0.5, -0.5, 0.5};
  patch_make(&c->a, TOI_PATCH_QUAD, 2, 2);
  patch_make(&c->b, TOI_PATCH_QUAD, 1, 1);
  for (int i = 0; i < 9; i++) {
    const int row = i / 3, column = i % 3;
    c->a.points[i][0] = row - 1.0;
    c->a.points[i][1] = column - 1.0;
    c->a.points[i][2] = square[row] + square[column];
    c->a.velocities[i][2] = -4;
  }
  for (int i = 0; i < 4; i++) {
    c->b.points[i][0] = i < 2 ? -1 : 1;
    c->b.points[i][1] = i % 2 == 0 ? -1 : 1;
    c->b.points[i][2] = height;
  }
  c->t_max = 0;
}

static void only_the_start_of_a_fall_counts(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int number = 0; number < CASE_WAYS; number++) {
    toi_surface_options options = case_way(number, 0);
    test_case c;
    make_fall(&c, 0.25);
    toi_surface_hit hit = ask(context, &c, &options);
    expect_hit(&hit);
    make_fall(&c, -0.25);
    hit = ask(context, &c, &options);
    expect_miss(&hit);
    // The fall itself ends in a hit.
    c.t_max = 1;
    hit = ask(context, &c, &options);
    assert_true(hit.verdict != TOI_MISS && hit.t_lo > 0);
    // Within a separation at the start, and what is meant may be that far off.
    c.t_max = 0;
    options.min_separation = 0.3125;
    hit = ask(context, &c, &options);
    assert_true(hit.verdict != TOI_MISS && hit.t_lo == 0 && hit.t_hi == 0 && hit.t_safe == 0);
    options.min_separation = 0.1875;
    hit = ask(context, &c, &options);
    expect_miss(&hit);
    options.min_separation = 0;
    c.b.patch.error = 0.5;
    hit = ask(context, &c, &options);
    assert_int_equal(hit.verdict, TOI_NEAR);
    assert_true(hit.t_lo == 0 && hit.t_hi == 0 && hit.t_safe == 0 && !hit.touching_at_start);
  }
  toi_context_destroy(context);
}

/* Against the answer over a longer time, which knows what touches at 0 and what does not before t_lo. */
static void random_cases_agree_with_longer_times(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0051), rounds = test_count(300), verdicts[3] = {0};
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    const toi_surface_hit later = ask(context, &c, &options);
    c.t_max = 0;
    const toi_surface_hit start = ask(context, &c, &options);
    verdicts[start.verdict]++;
    const bool touches = later.touching_at_start, apart = later.t_lo > 0;
    if ((touches && start.verdict == TOI_MISS) || (apart && start.verdict == TOI_HIT)) {
      case_print(&c, &start);
      fail_msg("%s at the start, and %s from %g", verdict_of(&start), verdict_of(&later), later.t_lo);
    }
    if (start.verdict == TOI_MISS)
      expect_miss(&start);
    if (start.verdict == TOI_HIT)
      expect_hit(&start);
  }
  print_message("  %llu misses, %llu hits, %llu near\n", (unsigned long long)verdicts[TOI_MISS],
                (unsigned long long)verdicts[TOI_HIT], (unsigned long long)verdicts[TOI_NEAR]);
  assert_true(verdicts[TOI_MISS] > rounds / 4 && verdicts[TOI_NEAR] < 1 + rounds / 20);
  toi_context_destroy(context);
}

/* Triangles of degree 1 are settled exactly, touching ones too. */
static void flat_triangles_touch_exactly_at_the_start(void **state) {
  (void)state;
  static const double floor[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                      down[3][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
  double above[3][3] = {{1, 1, 0}, {1, 1, 1}, {2, 1, 1}};
  const toi_patch a = {.shape = TOI_PATCH_TRIANGLE, .degree = {1, 1}, .points = floor};
  const toi_patch b = {
      .shape = TOI_PATCH_TRIANGLE, .degree = {1, 1}, .points = (const double(*)[3])above, .velocities = down};
  const toi_patch_case cases[2] = {{.size = sizeof cases[0], .a = &a, .b = &b},
                                   {.size = sizeof cases[0], .a = &b, .b = &a, .t_max = 0}};
  toi_context *context = test_context(2);
  const toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hits[2];
  assert_int_equal(toi_patch_batch(context, cases, 2, &options, hits), TOI_OK);
  for (int i = 0; i < 2; i++) {
    expect_hit(&hits[i]);
    assert_int_equal(hits[i].end, TOI_SURFACE_EXACT);
  }
  above[0][2] = 0x1p-1074;
  assert_int_equal(toi_patch_batch(context, cases, 2, &options, hits), TOI_OK);
  for (int i = 0; i < 2; i++)
    expect_miss(&hits[i]);
  toi_context_destroy(context);
}

/* --- models --- */

static toi_status count_contact(void *user, const toi_surface_hit *contact) {
  size_t *count = user;
  assert_true(contact->t_lo == 0 && contact->t_hi == 0 && contact->t_safe == 0);
  assert_int_equal(contact->touching_at_start, contact->verdict == TOI_HIT);
  ++*count;
  return TOI_OK;
}

/* Two rings of radii 2 and 1/2, the second shifted along z, and coming nearer or going away. */
static void models_and_all_their_contacts(void **state) {
  (void)state;
  toi_context *context = test_context(2);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 0;
  options.spacing = 0.5;
  toi_model ring, moved;
  assert_int_equal(toi_model_torus(context, 2, 0.5, &ring), TOI_OK);
  for (int i = 0; i < 4; i++) {
    const double shift[3] = {0, 0, i < 2 ? 0.75 : 1.25}, velocity[3] = {0, 0, i % 2 ? 8 : -8};
    assert_int_equal(toi_model_moved(context, &ring, shift, velocity, &moved), TOI_OK);
    toi_surface_hit pair, first;
    size_t count = 0;
    assert_int_equal(toi_model_pair(context, &ring, &moved, &options, &pair), TOI_OK);
    assert_int_equal(toi_model_contacts(context, &ring, &moved, &options, &first, count_contact, &count), TOI_OK);
    if (i < 2) {
      expect_hit(&pair);
      expect_hit(&first);
      assert_true(count >= 12);
    } else {
      expect_miss(&pair);
      expect_miss(&first);
      assert_int_equal(count, 0);
    }
    toi_model_free(context, &moved);
  }
  toi_model_free(context, &ring);
  toi_context_destroy(context);
}

static void turning_models_are_where_they_are_given(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.t_max = 0;
  toi_model ball, other;
  assert_int_equal(toi_model_sphere(context, 1, &ball), TOI_OK);
  for (int i = 0; i < 2; i++) {
    const double shift[3] = {i == 0 ? 1.5 : 2.5, 0, 0};
    const spin_motion turning = {.velocity = {i == 0 ? 9 : -9, 0, 0}, .spin = {3, 2, 1}, .centre = {5, 5, 5}};
    assert_int_equal(toi_model_moved(context, &ball, shift, NULL, &other), TOI_OK);
    toi_surface_hit hit;
    assert_int_equal(spin_pair(context, &ball, NULL, &other, &turning, &options, &hit), TOI_OK);
    if (i == 0)
      expect_hit(&hit);
    else
      expect_miss(&hit);
    toi_model_free(context, &other);
  }
  toi_model_free(context, &ball);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_the_start_of_a_fall_counts),
      cmocka_unit_test(random_cases_agree_with_longer_times),
      cmocka_unit_test(flat_triangles_touch_exactly_at_the_start),
      cmocka_unit_test(models_and_all_their_contacts),
      cmocka_unit_test(turning_models_are_where_they_are_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
