/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Many cases at once, on threads, with little memory, and with input that is wrong: every refusal says where. */

#include "cases.h"

#define CASES 200

typedef struct crowd {
  test_case cases[CASES];
  toi_patch_case asked[CASES];
  toi_surface_hit hits[CASES];
} crowd;

static crowd *make_crowd(uint64_t seed) {
  crowd *c = calloc(1, sizeof(*c));
  assert_non_null(c);
  for (size_t i = 0; i < CASES; i++) {
    random_mixed_case(&seed, &c->cases[i]);
    c->asked[i] = (toi_patch_case){.size = sizeof(toi_patch_case),
                                   .a = &c->cases[i].a.patch,
                                   .b = &c->cases[i].b.patch,
                                   .t_max = c->cases[i].t_max};
  }
  return c;
}

static void a_batch_answers_as_single_calls_do(void **state) {
  (void)state;
  crowd *c = make_crowd(test_seed(0x5eed0b01));
  toi_surface_options options = toi_default_surface_options();
  toi_context *one = test_context(1);
  for (uint32_t threads = 1; threads <= 4; threads += 3) {
    toi_context *context = test_context(threads);
    assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_OK);
    for (size_t i = 0; i < CASES; i++) {
      toi_surface_hit single = ask(one, &c->cases[i], &options);
      if (memcmp(&single, &c->hits[i], sizeof(single)) != 0) {
        case_print(&c->cases[i], &c->hits[i]);
        fail_msg("case %zu differs on %u threads", i, threads);
      }
    }
    toi_context_destroy(context);
  }
  toi_context_destroy(one);
  free(c);
}

static void a_second_batch_allocates_nothing(void **state) {
  (void)state;
  crowd *c = make_crowd(0x5eed0b02);
  test_allocator allocator = {0};
  toi_surface_options options = toi_default_surface_options();
  toi_context *context = test_context_on(&allocator);
  assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_OK);
  size_t calls = allocator.calls;
  assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_OK);
  assert_int_equal(allocator.calls, calls);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  free(c);
}

static void memory_that_is_refused_is_a_status(void **state) {
  (void)state;
  crowd *c = make_crowd(0x5eed0b03);
  toi_surface_options options = toi_default_surface_options();
  for (size_t refused = 1; refused < 12; refused++) {
    test_allocator allocator = {.refuse_at = refused, .refuse_after = true};
    toi_context_options made = test_context_options(&allocator, 1);
    toi_context *context;
    if (toi_context_create(&made, &context) != TOI_OK)
      continue;
    toi_status status = toi_patch_pair(context, c->asked[0].a, c->asked[0].b, &options, &c->hits[0]);
    if (status != TOI_OK) {
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_int_equal(c->hits[0].verdict, TOI_NEAR);
      assert_true(c->hits[0].t_lo == 0);
      assert_true(strlen(toi_context_error(context)) > 20);
    }
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
  }
  free(c);
}

/* The context's sentence holds these words. */
static void assert_says(const toi_context *context, const char *words) {
  if (strstr(toi_context_error(context), words) == NULL)
    fail_msg("\"%s\" is not in: %s", words, toi_context_error(context));
}

/* Goes on until so much is done, and looks at what it is told. */
typedef struct listener {
  double last, until;
  bool backwards;
} listener;

static bool listen(void *user, double done) {
  listener *l = user;
  l->backwards = l->backwards || !(done >= l->last && done <= 1);
  l->last = done;
  return done < l->until;
}

static void a_batch_tells_how_far_it_is_and_stops_when_told(void **state) {
  (void)state;
  crowd *c = make_crowd(0x5eed0b05);
  for (uint32_t threads = 1; threads <= 2; threads++) {
    toi_context *context = test_context(threads);
    toi_surface_options options = toi_default_surface_options();
    listener all = {.until = 2}, some = {.until = 0};
    options.progress = listen;
    options.progress_user = &all;
    assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_OK);
    assert_false(all.backwards);
    assert_true(threads > 1 || all.last == 1);
    options.progress_user = &some;
    toi_status status = toi_patch_batch(context, c->asked, CASES, &options, c->hits);
    // with two threads, the other one may have answered everything before the calling one came to it
    assert_true(status == TOI_ERROR_CANCELLED || (threads > 1 && some.last == 0));
    if (status != TOI_OK)
      assert_says(context, "stopped by the progress callback");
    toi_context_destroy(context);
  }
  free(c);
}

static void bad_patches_are_named(void **state) {
  (void)state;
  toi_context *context = test_context(2);
  toi_surface_options options = toi_default_surface_options();
  crowd *c = make_crowd(0x5eed0b04);
  double points[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, NAN}}, weights[4] = {1, 1, 1, 1};
  toi_patch good = *c->asked[0].a, bad = {.shape = TOI_PATCH_QUAD, .degree = {1, 1}};
  toi_surface_hit hit;
  bad.points = (const double(*)[3])points;
  assert_int_equal(toi_patch_pair(context, &good, &bad, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "the second patch: coordinate z of control point 3 is nan");
  points[3][2] = 0;
  bad.velocities = (const double(*)[3])points;
  points[1][1] = INFINITY;
  bad.points = (const double[4][3]){{0}};
  assert_int_equal(toi_patch_pair(context, &bad, &good, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "the first patch: coordinate y of velocity 1");
  points[1][1] = 1;
  bad.weights = weights;
  weights[2] = 0;
  c->asked[7].b = &bad;
  assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_ERROR_INPUT);
  assert_says(context, "case 7, the second patch: weight 2 is 0");
  weights[2] = 1;
  bad.degree[0] = 10;
  assert_int_equal(toi_patch_pair(context, &bad, &good, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "degree[0] is 10");
  bad.degree[0] = 1;
  bad.error = -1;
  assert_int_equal(toi_patch_pair(context, &bad, &good, &options, &hit), TOI_ERROR_INPUT);
  assert_says(context, "error is -1");
  assert_int_equal(toi_patch_pair(context, NULL, &good, &options, &hit), TOI_ERROR_INPUT);
  c->asked[7].b = &good;
  c->asked[9].t_max = -1;
  assert_int_equal(toi_patch_batch(context, c->asked, CASES, &options, c->hits), TOI_ERROR_INPUT);
  assert_says(context, "case 9: t_max is -1");
  assert_int_equal(toi_patch_point(context, &good, 2, 0, 0, points[0], NULL), TOI_ERROR_INPUT);
  assert_says(context, "u = 2");
  toi_context_destroy(context);
  free(c);
}

static void bad_options_are_named(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  crowd *c = make_crowd(0x5eed0b05);
  const toi_surface_options good = toi_default_surface_options();
  toi_surface_options bad[] = {good, good, good, good, good, good, good, good};
  static const char *const words[] = {"toi_surface_options was not set",
                                      "unknown surface method '",
                                      "tolerance is 0",
                                      "t_max is inf",
                                      "min_separation is -1",
                                      "norm is 5",
                                      "accept is 7",
                                      "spacing is 0"};
  bad[0].size = 0;
  bad[1].method = "guess";
  bad[2].tolerance = 0;
  bad[3].t_max = INFINITY;
  bad[4].min_separation = -1;
  bad[5].norm = (toi_norm)5;
  bad[6].accept = (toi_accept)7;
  bad[7].spacing = 0;
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    toi_surface_hit hit;
    assert_int_equal(toi_patch_pair(context, c->asked[0].a, c->asked[0].b, &bad[i], &hit), TOI_ERROR_OPTION);
    assert_says(context, words[i]);
    assert_int_equal(hit.verdict, TOI_NEAR);
  }
  toi_context_destroy(context);
  free(c);
}

static bool stop(void *user, double done) {
  assert_true(done >= 0 && done <= 1);
  ++*(int *)user;
  return false;
}

static void a_long_search_can_be_stopped(void **state) {
  (void)state;
  // Two bowls, one in the other, at rest: nothing to prove, and nothing to refute for long with boxes alone.
  static const double bowl[9][3] = {{-1, -1, 2}, {-1, 0, 0}, {-1, 1, 2}, {0, -1, 0}, {0, 0, -2},
                                    {0, 1, 0},   {1, -1, 2}, {1, 0, 0},  {1, 1, 2}};
  double above[9][3];
  memcpy(above, bowl, sizeof(above));
  for (int i = 0; i < 9; i++)
    above[i][2] += 1e-2;
  toi_patch a = {.shape = TOI_PATCH_QUAD, .degree = {2, 2}, .points = bowl}, b = a;
  b.points = (const double(*)[3])above;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  toi_surface_hit hit;
  int told = 0;
  options.inclusion = TOI_INCLUSION_AABB;
  options.progress = stop;
  options.progress_user = &told;
  assert_int_equal(toi_patch_pair(context, &a, &b, &options, &hit), TOI_ERROR_CANCELLED);
  assert_int_equal(told, 1);
  assert_int_equal(hit.verdict, TOI_NEAR);
  options.progress = NULL;
  options.inclusion = TOI_INCLUSION_OBB;
  assert_int_equal(toi_patch_pair(context, &a, &b, &options, &hit), TOI_OK);
  assert_int_equal(hit.verdict, TOI_MISS);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_batch_answers_as_single_calls_do),
                                     cmocka_unit_test(a_second_batch_allocates_nothing),
                                     cmocka_unit_test(memory_that_is_refused_is_a_status),
                                     cmocka_unit_test(a_batch_tells_how_far_it_is_and_stops_when_told),
                                     cmocka_unit_test(bad_patches_are_named),
                                     cmocka_unit_test(bad_options_are_named),
                                     cmocka_unit_test(a_long_search_can_be_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
