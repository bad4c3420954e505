/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `tight-inclusion` and `interval-queue` against `exact`, which is to be believed everywhere: no contact is missed and
 * none lies before t_lo, on planted and degenerate queries of all kinds, with a separation in both norms; and what ends
 * a search early. A test's state is the method's name. */

#include <float.h>
#include <math.h>

#include "narrow/asking.h"

static toi_options options_of(void **test) {
  toi_options options = toi_default_options();
  options.method = *test;
  return options;
}

/* What is wrong with an answer, given the exact one; NULL if nothing is. */
static const char *fault_of(const toi_hit *hit, const toi_hit *exact, double t_max) {
  if (hit->verdict == TOI_MISS)
    return exact->verdict == TOI_HIT ? "a contact is missed" : NULL;
  if (hit->verdict != TOI_NEAR)
    return "contact cannot be proved";
  if (!(hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= t_max && hit->tolerance_reached >= 0))
    return "the interval is none";
  if (hit->t_lo > 0 ? hit->t_safe >= hit->t_lo : hit->t_safe != 0)
    return "t_safe is not safe";
  return exact->verdict == TOI_HIT && hit->t_lo > exact->t_lo ? "a contact lies before t_lo" : NULL;
}

static void compare(toi_kind kind, const double *query, const toi_options *options) {
  toi_options exactly = *options;
  exactly.method = "exact";
  toi_hit hit = ask_with(kind, query, options), exact = ask_with(kind, query, &exactly);
  const char *fault = fault_of(&hit, &exact, options->t_max);
  if (hit.separation != exact.separation)
    fault = "the separation differs";
  if (!fault)
    return;
  test_print_query(kind, query);
  fail_msg("%s, d = %a: %s [%a, %a], exact %s [%a, %a]: %s", toi_kind_name(kind), hit.separation,
           toi_verdict_name((toi_verdict)hit.verdict), hit.t_lo, hit.t_hi, toi_verdict_name((toi_verdict)exact.verdict),
           exact.t_lo, exact.t_hi, fault);
}

static void planted_contacts_are_never_missed_nor_late(void **test) {
  uint64_t seed = test_seed(51), rounds = test_count(6000);
  toi_options options = options_of(test);
  options.max_checks = 2000;
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    for (uint64_t i = 0; i < rounds; i++) {
      planted_query query;
      planted_mixed((toi_kind)k, seed, i, &query);
      options.t_max = i % 4 == 1 ? test_random_unit(&seed) : i % 64 == 2 ? 0 : 1;
      options.max_checks = i % 16 == 3 ? 1 + test_random(&seed) % 60 : 2000;
      options.no_zero_toi = i % 8 == 5;
      compare((toi_kind)k, query.points, &options);
    }
}

static void planted_separations_are_never_missed_nor_late(void **test) {
  uint64_t seed = test_seed(52), rounds = test_count(1500);
  static const double distances[] = {1e-2, 1e-4, 1e-8, 1e-16, 1e-100, 1e-300, 0.5, 3, 1e100, 1e300};
  toi_options options = options_of(test);
  options.max_checks = 2000;
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    for (uint64_t i = 0; i < rounds; i++) {
      planted_query query;
      planted_mixed((toi_kind)k, seed, i, &query);
      options.norm = i % 2 ? TOI_NORM_LINF : TOI_NORM_L2;
      options.min_separation = distances[test_random(&seed) % 10];
      options.t_max = i % 4 == 1 ? test_random_unit(&seed) : 1;
      compare((toi_kind)k, query.points, &options);
    }
}

/* The distance is exactly d at one time: separation must count it, an ulp more must too. */
static void vertices_that_graze_the_separation_are_near(void **test) {
  uint64_t seed = test_seed(53), rounds = test_count(20000);
  toi_options options = options_of(test);
  options.max_checks = 500;
  for (uint64_t i = 0; i < rounds; i++) {
    double x = 1 + test_random_unit(&seed), y = (double)(test_random(&seed) % 64),
           z = (double)(test_random(&seed) % 64);
    // The first passes along x at (y, z) from the second; the least distance is |(y, z)|.
    double query[12] = {-x, y, z, 0, 0, 0, x, y, z, 0, 0, 0};
    options.norm = i % 2 ? TOI_NORM_LINF : TOI_NORM_L2;
    options.min_separation = i % 2 ? fmax(y, z) : sqrt(y * y + z * z);
    compare(TOI_VERTEX_VERTEX, query, &options);
  }
}

/* --- how it ends --- */

/* A vertex falls on a face and stops below it. */
static const double falling[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};

static void a_falling_vertex_is_near_within_the_tolerance(void **test) {
  toi_options options = options_of(test);
  toi_hit hit = ask_with(TOI_VERTEX_FACE, falling, &options);
  assert_int_equal(hit.verdict, TOI_NEAR);
  assert_int_equal(hit.level, TOI_LEVEL_SEARCH);
  assert_true(hit.t_lo <= 0.5 && hit.t_lo > 0.5 - 1e-6 && hit.t_hi >= 0.5);
  assert_true(hit.tolerance_reached > 0 && hit.tolerance_reached <= 2e-6);
  assert_true(fabs(hit.u - 0.25) <= 1e-6 && fabs(hit.v - 0.25) <= 1e-6);
  // Parameters stay dyadic: a power of two brings them to integers.
  assert_true(hit.u * 0x1p52 == floor(hit.u * 0x1p52) && hit.t_lo * 0x1p52 == floor(hit.t_lo * 0x1p52));
  options.t_max = 0.4375;
  assert_int_equal(ask_with(TOI_VERTEX_FACE, falling, &options).verdict, TOI_MISS);
}

static void fewer_checks_reach_a_larger_tolerance(void **test) {
  toi_options options = options_of(test);
  double last = 0;
  for (uint64_t checks = 1; checks < 1000; checks = 2 * checks + 1) {
    options.max_checks = checks;
    toi_hit hit = ask_with(TOI_VERTEX_FACE, falling, &options);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo >= last && hit.t_lo <= 0.5);
    assert_true(checks > 1 || hit.tolerance_reached >= 1);
    last = hit.t_lo;
  }
  assert_true(last > 0.499);
}

/* Contact that lasts, contact that ends at once, no motion at all: an answer, within the budget. */
static void degenerate_motions_are_answered(void **test) {
  toi_options options = options_of(test);
  double resting[24], parting[24], still[24], far[24];
  memcpy(resting, falling, sizeof(resting));
  resting[2] = resting[14] = 0;
  memcpy(parting, resting, sizeof(parting));
  parting[14] = 1;
  memcpy(still, resting, sizeof(still));
  still[2] = still[14] = 0.5;
  memcpy(far, falling, sizeof(far));
  for (int i = 0; i < 24; i++)
    far[i] *= 1e300;
  for (int zero = 0; zero < 2; zero++) {
    options.no_zero_toi = zero;
    options.max_checks = zero ? 20000 : 0;
    const double *touching[] = {resting, parting};
    for (int i = 0; i < 2; i++) {
      toi_hit hit = ask_with(TOI_VERTEX_FACE, touching[i], &options);
      assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_safe == 0);
    }
    assert_int_equal(ask_with(TOI_VERTEX_FACE, still, &options).verdict, TOI_MISS);
    compare(TOI_VERTEX_FACE, far, &options);
    compare(TOI_EDGE_EDGE, far, &options);
  }
  double zeros[24] = {0};
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    assert_int_equal(ask_with((toi_kind)k, zeros, &options).verdict, TOI_NEAR);
}

static void coordinates_that_overflow_are_near_at_once(void **test) {
  toi_options options = options_of(test);
  double query[24];
  for (int i = 0; i < 24; i++)
    query[i] = i % 2 ? DBL_MAX : -DBL_MAX;
  for (int k = 0; k < TOI_KIND_COUNT; k++) {
    toi_hit hit = ask_with((toi_kind)k, query, &options);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.t_hi == 1 && isinf(hit.tolerance_reached));
  }
}

static void what_is_not_finite_is_refused(void **test) {
  toi_options options = options_of(test);
  toi_context *context = test_context(1);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    for (size_t i = 0; i < row_of((toi_kind)k); i++) {
      double query[24];
      toi_hit hit;
      memcpy(query, falling, sizeof(query));
      query[i] = bad[i % 3];
      assert_int_equal(toi_batch(context, (toi_kind)k, query, 1, &options, &hit), TOI_ERROR_INPUT);
    }
  toi_context_destroy(context);
}

/* Just above the face at the start, moving away: the plain answer is 0, with no_zero_toi it is not. */
static void no_zero_toi_leaves_the_start(void **test) {
  toi_options options = options_of(test);
  double query[24];
  memcpy(query, falling, sizeof(query));
  query[2] = 1e-8;
  assert_true(ask_with(TOI_VERTEX_FACE, query, &options).t_lo == 0);
  options.no_zero_toi = true;
  toi_hit hit = ask_with(TOI_VERTEX_FACE, query, &options);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo > 0);
  compare(TOI_VERTEX_FACE, query, &options);
  // A budget that does not suffice for the whole step: for a part of it.
  options.max_checks = 60;
  compare(TOI_VERTEX_FACE, query, &options);
}

static void within_the_separation_throughout_is_near_from_the_start(void **test) {
  toi_options options = options_of(test);
  double query[24];
  memcpy(query, falling, sizeof(query));
  query[2] = query[14] = 0.5;
  options.min_separation = 0.6;
  for (int norm = 0; norm < 2; norm++) {
    options.norm = (toi_norm)norm;
    toi_hit hit = ask_with(TOI_VERTEX_FACE, query, &options);
    assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.separation == 0.6);
    options.min_separation = 0.49;
    assert_int_equal(ask_with(TOI_VERTEX_FACE, query, &options).verdict, TOI_MISS);
    options.min_separation = 0.6;
  }
}

/* --- batches --- */

static void batches_and_single_calls_agree_and_memory_may_be_refused(void **test) {
  enum { COUNT = 40 };
  toi_options options = options_of(test);
  options.max_checks = 200000;
  options.tolerance = 1e-9;
  double queries[COUNT][24];
  toi_hit single[COUNT], batch[COUNT];
  for (int i = 0; i < COUNT; i++) {
    memcpy(queries[i], falling, sizeof(falling));
    // A vertex that slides in the face's plane: a level has very many boxes.
    queries[i][0] -= i;
    queries[i][2] = queries[i][14] = i % 2 ? 0 : 1e-3 * i;
    single[i] = ask_with(TOI_VERTEX_FACE, queries[i], &options);
  }
  toi_context *context = test_context(1);
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries[0], COUNT, &options, batch), TOI_OK);
  for (int i = 0; i < COUNT; i++)
    assert_memory_equal(&single[i], &batch[i], sizeof(toi_hit));
  toi_context_destroy(context);

  test_allocator allocator = {0};
  toi_context_options refusing = test_context_options(&allocator, 1);
  assert_int_equal(toi_context_create(&refusing, &context), TOI_OK);
  allocator.refuse_at = allocator.calls + 1;
  allocator.refuse_after = true;
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries[0], COUNT, &options, batch), TOI_ERROR_MEMORY);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

/* Edges on one line that rest on each other: contact in two dimensions of the parameters, so that levels grow without
 * end. With checks enough the memory ends it, at the method's limit. */
static void the_memory_of_a_search_is_limited(void **test) {
  const double resting[24] = {0, 0.1, 0, 1, 0.7, 0, 0.5, 0.4, 0, 1.5, 1, 0,
                              0, 0.1, 0, 1, 0.7, 0, 0.5, 0.4, 0, 1.5, 1, 0};
  double sliding[24];
  memcpy(sliding, resting, sizeof(sliding));
  for (int i = 0; i < 2; i++) {
    sliding[12 + 3 * i] += 0.5;
    sliding[13 + 3 * i] += 0.3;
  }
  toi_options options = options_of(test);
  options.max_checks = 1000000000;
  test_allocator allocator = {0};
  toi_context_options limited = test_context_options(&allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&limited, &context), TOI_OK);
  toi_hit hit;
  assert_int_equal(toi_batch(context, TOI_EDGE_EDGE, sliding, 1, &options, &hit), TOI_OK);
  assert_true(hit.verdict == TOI_NEAR && hit.t_lo == 0 && hit.tolerance_reached > options.tolerance);
  assert_true(hit.tolerance_reached < 1e-2);
  assert_true(allocator.bytes > (size_t)60 << 20 && allocator.bytes < (size_t)65 << 20);
  toi_context_destroy(context);
}

/* The queue of fixed size is full of one query: it ends as early as it must, and takes no more memory. */
static void a_full_queue_ends_a_query_alone(void **test) {
  toi_options options = options_of(test);
  options.tolerance = 1e-12;
  options.max_checks = 1000000000;
  test_allocator allocator = {0};
  toi_context_options limited = test_context_options(&allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&limited, &context), TOI_OK);
  enum { COUNT = 20 };
  double queries[COUNT][24];
  toi_hit hits[COUNT];
  for (int i = 0; i < COUNT; i++) {
    memcpy(queries[i], falling, sizeof falling);
    // Every other vertex slides in the face's plane, so that levels grow without end.
    if (i % 2)
      queries[i][2] = queries[i][14] = 0;
  }
  assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries[0], COUNT, &options, hits), TOI_OK);
  for (int i = 0; i < COUNT; i++) {
    assert_int_equal(hits[i].verdict, TOI_NEAR);
    assert_true(i % 2 ? hits[i].t_lo == 0 : hits[i].t_lo <= 0.5 && hits[i].t_lo > 0.4999);
    const toi_hit single = ask_with(TOI_VERTEX_FACE, queries[i], &options);
    assert_memory_equal(&single, &hits[i], sizeof single);
  }
  assert_true(allocator.bytes < (size_t)5 << 20);
  toi_context_destroy(context);
}

#define FOR(method, test) cmocka_unit_test_prestate(test, (void *)(uintptr_t)(method))
#define FOR_BOTH(test) FOR("tight-inclusion", test), FOR("interval-queue", test)

int main(void) {
  const struct CMUnitTest tests[] = {
      FOR_BOTH(planted_contacts_are_never_missed_nor_late),
      FOR_BOTH(planted_separations_are_never_missed_nor_late),
      FOR_BOTH(vertices_that_graze_the_separation_are_near),
      FOR_BOTH(a_falling_vertex_is_near_within_the_tolerance),
      FOR_BOTH(fewer_checks_reach_a_larger_tolerance),
      FOR_BOTH(degenerate_motions_are_answered),
      FOR_BOTH(coordinates_that_overflow_are_near_at_once),
      FOR_BOTH(what_is_not_finite_is_refused),
      FOR_BOTH(no_zero_toi_leaves_the_start),
      FOR_BOTH(within_the_separation_throughout_is_near_from_the_start),
      FOR_BOTH(batches_and_single_calls_agree_and_memory_may_be_refused),
      FOR("tight-inclusion", the_memory_of_a_search_is_limited),
      FOR("interval-queue", a_full_queue_ends_a_query_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
