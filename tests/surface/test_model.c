/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two models: the pairs that can touch, beside every pair tried; first contact, beside that of each pair by itself. */

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "surface/crowd.h"
#include "surface/model.h"

static toi_surface_options unit_step(void) {
  return toi_default_surface_options();
}

/* --- pairs --- */

static bool meet(const toi_swept_box *a, const toi_swept_box *b) {
  for (int k = 0; k < 3; k++)
    if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k])
      return false;
  return true;
}

/* The pairs found are those whose boxes meet, in order. Returns how many there are. */
static size_t expect_pairs(toi_context *context, const crowd *a, const crowd *b, double separation) {
  toi_surface_options options = unit_step();
  options.t_max = 0.5;
  options.min_separation = separation;
  toi_model_pairs found;
  assert_int_equal(toi_model_pairs_find(context, &a->model, b ? &b->model : NULL, &options, &found), TOI_OK);
  const crowd *other = b ? b : a;
  size_t count = a->model.patch_count, next = 0;
  toi_patch_corners *corners = calloc(count, sizeof(*corners));
  assert_non_null(corners);
  assert_int_equal(toi_patch_corners_number(context, a->patches, count, corners), TOI_OK);
  for (size_t i = 0; i < count; i++) {
    toi_swept_box own, theirs;
    toi_patch_box(&a->patches[i], options.t_max, separation, &own);
    for (size_t j = b ? 0 : i + 1; j < other->model.patch_count; j++) {
      toi_patch_box(&other->patches[j], options.t_max, separation, &theirs);
      if (!meet(&own, &theirs) || (!b && toi_patch_corners_shared(&corners[i], &corners[j])))
        continue;
      assert_true(next < found.count);
      assert_true(found.pairs[next].first == i && found.pairs[next].second == j);
      next++;
    }
  }
  assert_int_equal(next, found.count);
  free(corners);
  toi_model_pairs_free(context, &found);
  return next;
}

/* Sizes on both sides of where pairs are no longer tried one by one. */
static void pairs_are_all_those_whose_boxes_meet(void **state) {
  (void)state;
  uint64_t seed = test_seed(71);
  static const size_t sizes[][2] = {{1, 1}, {1, 900}, {40, 30}, {350, 300}, {2500, 20}};
  for (uint32_t threads = 1; threads <= 2; threads++) {
    toi_context *context = test_context(threads);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      size_t pairs = 0;
      crowd a = crowd_draw(sizes[i][0], 6, 1, &seed), b = crowd_draw(sizes[i][1], 6, 1, &seed);
      pairs += expect_pairs(context, &a, &b, 0) + expect_pairs(context, &a, &b, 0.3) + expect_pairs(context, &b, &a, 0);
      pairs += expect_pairs(context, &a, NULL, 0) + expect_pairs(context, &b, NULL, 0);
      assert_true(pairs > 0 || sizes[i][1] == 1);
      crowd_free(&a);
      crowd_free(&b);
      a = crowd_on_grid(sizes[i][0], 5, &seed);
      b = crowd_on_grid(sizes[i][1], 5, &seed);
      expect_pairs(context, &a, &b, 0);
      expect_pairs(context, &a, NULL, 0);
      expect_pairs(context, &b, NULL, 0);
      crowd_free(&a);
      crowd_free(&b);
    }
    toi_context_destroy(context);
  }
}

/* Coordinates of 1e308 that double in the step: only their boxes beyond the largest double are left, and meet. */
static void patches_beyond_the_largest_double_are_pairs(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  crowd a = crowd_make(400), b = crowd_make(300);
  for (size_t i = 0; i < 400 * CROWD_POINTS; i++)
    for (int k = 0; k < 3; k++)
      a.points[i][k] = a.velocities[i][k] = 1e308 + (double)i;
  for (size_t i = 0; i < 300 * CROWD_POINTS; i++)
    for (int k = 0; k < 3; k++) {
      b.points[i][k] = -1e308;
      b.velocities[i][k] = 1.7e308;
    }
  toi_surface_options options = unit_step();
  options.t_max = 4;
  toi_model_pairs found;
  assert_int_equal(toi_model_pairs_find(context, &a.model, &b.model, &options, &found), TOI_OK);
  assert_int_equal(found.count, 400 * 300);
  toi_model_pairs_free(context, &found);
  crowd_free(&a);
  crowd_free(&b);
  toi_context_destroy(context);
}

/* --- contact --- */

static bool same_bits(const toi_surface_hit *a, const toi_surface_hit *b) {
  return memcmp(a, b, sizeof(*a)) == 0;
}

/* The answer of a model beside those of all pairs of its patches: none touches before its t_lo, one that touches proves
 * that it is no miss, and the pair that it names touches when it says. */
static void expect_earliest(toi_context *context, const crowd *a, const crowd *b, const toi_surface_hit *hit) {
  toi_surface_options options = unit_step();
  double first_hi = INFINITY, first_lo = INFINITY;
  for (size_t i = 0; i < a->model.patch_count; i++)
    for (size_t j = 0; j < b->model.patch_count; j++) {
      toi_surface_hit own;
      assert_int_equal(toi_patch_pair(context, &a->patches[i], &b->patches[j], &options, &own), TOI_OK);
      assert_true(own.verdict == TOI_MISS || hit->t_lo <= own.t_hi || own.verdict == TOI_NEAR);
      first_lo = own.t_lo < first_lo ? own.t_lo : first_lo;
      if (own.verdict == TOI_HIT)
        first_hi = own.t_hi < first_hi ? own.t_hi : first_hi;
      if (i == hit->patch_a && j == hit->patch_b && hit->verdict == TOI_HIT)
        assert_true(own.verdict != TOI_MISS && own.t_lo <= hit->t_hi);
    }
  assert_true(hit->t_lo <= first_hi);
  assert_true(hit->t_hi >= first_lo);
  assert_true(hit->verdict != TOI_MISS || first_hi == INFINITY);
}

static void the_first_contact_is_the_earliest_of_all_pairs(void **state) {
  (void)state;
  uint64_t seed = test_seed(72), hits = 0, misses = 0;
  toi_context *context = test_context(1), *two = test_context(2);
  toi_surface_options options = unit_step();
  for (uint64_t round = 0; round < test_count(40); round++) {
    crowd a = crowd_draw(12, 7, 2, &seed), b = crowd_draw(9, 7, 2, &seed);
    // Some of them clear of each other.
    for (size_t i = 0; i < 9 * CROWD_POINTS && round % 3; i++)
      b.points[i][0] += 9;
    toi_surface_hit hit, again;
    assert_int_equal(toi_model_pair(context, &a.model, &b.model, &options, &hit), TOI_OK);
    expect_earliest(context, &a, &b, &hit);
    assert_int_equal(toi_model_pair(two, &a.model, &b.model, &options, &again), TOI_OK);
    assert_true(same_bits(&hit, &again));
    hits += hit.verdict == TOI_HIT;
    misses += hit.verdict == TOI_MISS;
    crowd_free(&a);
    crowd_free(&b);
  }
  print_message("%d hits, %d misses\n", (int)hits, (int)misses);
  assert_true(hits > 0);
  toi_context_destroy(context);
  toi_context_destroy(two);
}

static void models_far_apart_need_no_search(void **state) {
  (void)state;
  uint64_t seed = test_seed(73);
  toi_context *context = test_context(1);
  crowd a = crowd_draw(50, 3, 1, &seed), b = crowd_draw(50, 3, 1, &seed);
  for (size_t i = 0; i < 50 * CROWD_POINTS; i++)
    b.points[i][2] += 6.5;
  toi_surface_options options = unit_step();
  toi_surface_hit hit;
  assert_int_equal(toi_model_pair(context, &a.model, &b.model, &options, &hit), TOI_OK);
  assert_int_equal(hit.verdict, TOI_MISS);
  assert_true(hit.checks == 0 && isinf(hit.t_lo) && hit.t_safe == options.t_max);
  // The same, with the separation that they keep.
  options.min_separation = 7;
  assert_int_equal(toi_model_pair(context, &a.model, &b.model, &options, &hit), TOI_OK);
  assert_int_not_equal(hit.verdict, TOI_MISS);
  crowd_free(&a);
  crowd_free(&b);
  toi_context_destroy(context);
}

static void a_model_given_twice_touches_itself_from_the_start(void **state) {
  (void)state;
  uint64_t seed = test_seed(74);
  toi_context *context = test_context(1);
  crowd a = crowd_draw(5, 20, 1, &seed);
  toi_surface_options options = unit_step();
  options.max_checks = 20000;
  toi_surface_hit hit;
  assert_int_equal(toi_model_pair(context, &a.model, &a.model, &options, &hit), TOI_OK);
  assert_int_not_equal(hit.verdict, TOI_MISS);
  assert_true(hit.t_lo == 0 && hit.t_safe == 0);
  crowd_free(&a);
  toi_context_destroy(context);
}

static bool stop_at_once(void *user, double done) {
  assert_true(done >= 0 && done <= 1);
  ++*(int *)user;
  return false;
}

/* The baseline, of a curved patch and a copy that is hardly above it: that takes very many checks. */
static void a_search_stops_when_asked_to(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  crowd a = crowd_make(1), b = crowd_make(1);
  for (size_t i = 0; i < CROWD_POINTS; i++) {
    const size_t row = i / 4, column = i % 4;
    const double x = (double)row, y = (double)column, z = (x - 1) * (y - 1.5);
    memcpy(a.points[i], (const double[3]){x, y, z}, sizeof(double[3]));
    memcpy(b.points[i], (const double[3]){x, y, z + 1e-5}, sizeof(double[3]));
  }
  int calls = 0;
  toi_surface_options options = unit_step();
  options.method = "swept-boxes";
  options.progress = stop_at_once;
  options.progress_user = &calls;
  toi_surface_hit hit;
  assert_int_equal(toi_model_pair(context, &a.model, &b.model, &options, &hit), TOI_ERROR_CANCELLED);
  assert_int_equal(calls, 1);
  assert_non_null(strstr(toi_context_error(context), "stopped by the progress callback"));
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0);
  crowd_free(&a);
  crowd_free(&b);
  toi_context_destroy(context);
}

/* --- what is refused --- */

static void expect_refused(toi_context *context, const toi_model *a, const toi_model *b, const char *sentence) {
  toi_surface_options options = unit_step();
  toi_surface_hit hit;
  memset(&hit, 0x55, sizeof(hit));
  assert_int_equal(toi_model_pair(context, a, b, &options, &hit), TOI_ERROR_INPUT);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
  if (!strstr(toi_context_error(context), sentence))
    fail_msg("'%s' does not say '%s'", toi_context_error(context), sentence);
}

static void a_bad_patch_is_named(void **state) {
  (void)state;
  uint64_t seed = test_seed(75);
  toi_context *context = test_context(2);
  crowd a = crowd_draw(2000, 3, 1, &seed), b = crowd_draw(20, 3, 1, &seed);
  a.velocities[CROWD_POINTS * 1507 + 2][1] = NAN;
  expect_refused(context, &a.model, &b.model, "patch 1507 of the first model");
  expect_refused(context, &b.model, &a.model, "patch 1507 of the second model");
  expect_refused(context, &a.model, NULL, "patch 1507 of the model");
  a.patches[1300].degree[0] = 12;
  expect_refused(context, &a.model, &b.model, "patch 1300 of the first model");
  crowd_free(&a);
  crowd_free(&b);
  toi_context_destroy(context);
}

static void empty_models_and_unmade_options_are_refused(void **state) {
  (void)state;
  uint64_t seed = test_seed(76);
  toi_context *context = test_context(1);
  crowd a = crowd_draw(2, 3, 1, &seed);
  const toi_model none = {0}, hollow = {.patch_count = 3};
  expect_refused(context, &none, &a.model, "the first model has no patches");
  expect_refused(context, &a.model, &none, "the second model has no patches");
  expect_refused(context, &a.model, &hollow, "the second model has no patches");
  expect_refused(context, &none, NULL, "the model has no patches");
  expect_refused(context, NULL, NULL, "the model has no patches");
  const toi_model many = {.patches = a.patches, .patch_count = SIZE_MAX};
  expect_refused(context, &a.model, &many, "too many");
  toi_surface_options options;
  memset(&options, 0, sizeof(options));
  toi_surface_hit hit;
  assert_int_equal(toi_model_pair(context, &a.model, &a.model, &options, &hit), TOI_ERROR_OPTION);
  options = unit_step();
  assert_int_equal(toi_model_pair(NULL, &a.model, &a.model, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_pair(context, &a.model, &a.model, &options, NULL), TOI_ERROR_INPUT);
  crowd_free(&a);
  toi_context_destroy(context);
}

/* Every request for memory refused in turn: the safe answer, and a sentence; what is there after is what was before. */
static void refused_memory_gives_the_safe_answer(void **state) {
  (void)state;
  uint64_t seed = test_seed(77);
  crowd a = crowd_draw(300, 4, 1, &seed), b = crowd_draw(300, 4, 1, &seed);
  size_t refused = 0;
  for (bool over = false; !over; refused++) {
    test_allocator allocator = {0};
    toi_context_options made = test_context_options(&allocator, 1);
    toi_context *context;
    assert_int_equal(toi_context_create(&made, &context), TOI_OK);
    toi_surface_options options = unit_step();
    options.max_checks = 1000;
    toi_surface_hit hit;
    allocator.refuse_at = allocator.calls + 1 + refused;
    allocator.refuse_after = true;
    toi_status status = toi_model_pair(context, &a.model, refused % 2 ? &b.model : NULL, &options, &hit);
    over = status == TOI_OK && allocator.calls < allocator.refuse_at;
    if (status != TOI_OK) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0);
      assert_true(strlen(toi_context_error(context)) > 0);
    }
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
  assert_true(refused > 8);
  crowd_free(&a);
  crowd_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_all_those_whose_boxes_meet),
      cmocka_unit_test(patches_beyond_the_largest_double_are_pairs),
      cmocka_unit_test(the_first_contact_is_the_earliest_of_all_pairs),
      cmocka_unit_test(models_far_apart_need_no_search),
      cmocka_unit_test(a_model_given_twice_touches_itself_from_the_start),
      cmocka_unit_test(a_search_stops_when_asked_to),
      cmocka_unit_test(a_bad_patch_is_named),
      cmocka_unit_test(empty_models_and_unmade_options_are_refused),
      cmocka_unit_test(refused_memory_gives_the_safe_answer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
