/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `interval-queue` on a device, in floats, against `exact`, which is to be believed everywhere: no contact
 * is missed and none lies before t_lo, on planted queries of all kinds and sizes, with a separation in both norms, with
 * queues of any size. Needs a device of OpenCL, such as that of PoCL. */

#include <math.h>

#include "device/scenes.h"
#include "narrow/asking.h"

/* Planted queries of one kind, each multiplied by a power of two of its own. */
typedef struct question {
  toi_kind kind;
  size_t count;
  double *queries;
  toi_options options;
} question;

static question question_of(toi_kind kind, uint64_t seed, size_t count, int sizes) {
  question q = {.kind = kind, .count = count, .options = toi_default_options()};
  q.queries = calloc(count * row_of(kind), sizeof(double));
  assert_non_null(q.queries);
  for (size_t i = 0; i < count; i++) {
    planted_query query;
    planted_mixed(kind, seed, i, &query);
    const int exponent = sizes > 0 ? (int)(test_random(&seed) % (uint64_t)(2 * sizes)) - sizes : 0;
    for (size_t k = 0; k < row_of(kind); k++) {
      const double x = ldexp(query.points[k], exponent);
      q.queries[i * row_of(kind) + k] = isfinite(x) ? x : 1;
    }
  }
  q.options.method = "interval-queue";
  return q;
}

static toi_hit *answers_of(toi_context *context, const question *q, const char *method) {
  toi_options options = q->options;
  options.method = method;
  toi_hit *hits = calloc(q->count, sizeof *hits);
  assert_non_null(hits);
  if (toi_batch(context, q->kind, q->queries, q->count, &options, hits) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return hits;
}

/* What is wrong with an answer, given the exact one; NULL if nothing is. */
static const char *fault_of(const toi_hit *hit, const toi_hit *exact, double t_max) {
  if (hit->separation != exact->separation)
    return "the separation differs";
  if (hit->verdict == TOI_MISS)
    return exact->verdict == TOI_HIT ? "a contact is missed" : NULL;
  if (hit->verdict != TOI_NEAR)
    return "contact cannot be proved";
  if (!(hit->t_lo >= 0 && hit->t_lo <= hit->t_hi && hit->t_hi <= t_max && hit->tolerance_reached >= 0))
    return "the interval is none";
  return exact->verdict == TOI_HIT && hit->t_lo > exact->t_lo ? "a contact lies before t_lo" : NULL;
}

/* Asks the device, with queues of this size; frees the question's queries. Returns how many are near without contact.
 */
static size_t check(question q, uint64_t memory, uint64_t queue) {
  toi_context *context = context_on("0", 2, memory, queue), *cpu = context_on(NULL, 2, 0, 0);
  toi_hit *exact = answers_of(cpu, &q, "exact"), *hits = answers_of(context, &q, "interval-queue");
  assert_string_equal(toi_context_warning(context), "");
  size_t near = 0;
  for (size_t i = 0; i < q.count; i++) {
    const char *fault = fault_of(&hits[i], &exact[i], q.options.t_max);
    near += hits[i].verdict == TOI_NEAR && exact[i].verdict == TOI_MISS;
    if (fault) {
      test_print_query(q.kind, q.queries + i * row_of(q.kind));
      fail_msg("query %zu, d = %a, near [%a, %a], exact [%a, %a]: %s", i, hits[i].separation, hits[i].t_lo,
               hits[i].t_hi, exact[i].t_lo, exact[i].t_hi, fault);
    }
  }
  free(exact);
  free(hits);
  free(q.queries);
  toi_context_destroy(context);
  toi_context_destroy(cpu);
  return near;
}

static void planted_contacts_are_never_missed_nor_late(void **state) {
  (void)state;
  need_device();
  const uint64_t seed = test_seed(71);
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    for (int round = 0; round < 4; round++) {
      question q = question_of((toi_kind)k, seed + (uint64_t)round, test_count_from(150, 50), round == 3 ? 400 : 0);
      q.options.max_checks = round == 2 ? 7 : 1000;
      q.options.t_max = round == 1 ? 0.7 : 1;
      q.options.no_zero_toi = round == 2;
      check(q, 0, 0);
    }
}

static void planted_separations_are_never_missed_nor_late(void **state) {
  (void)state;
  need_device();
  static const double distances[] = {1e-2, 1e-7, 1e-300, 0.5, 1e300};
  const uint64_t seed = test_seed(72);
  for (int k = 0; k < TOI_KIND_COUNT; k++)
    for (int i = 0; i < 5; i++) {
      question q = question_of((toi_kind)k, seed + (uint64_t)i, test_count_from(100, 30), 0);
      q.options.max_checks = 300;
      q.options.min_separation = distances[i];
      q.options.norm = i % 2 ? TOI_NORM_LINF : TOI_NORM_L2;
      check(q, 0, 0);
      q = question_of((toi_kind)k, seed + (uint64_t)i, test_count_from(50, 30), 0);
      q.options.max_checks = 300;
      q.options.separation_fraction = 0.3;
      check(q, 0, 0);
    }
}

/* Most queries are decided in floats; were the device's filter much too large, all would be near. */
static void queries_that_miss_clearly_are_misses(void **state) {
  (void)state;
  need_device();
  question q = question_of(TOI_EDGE_EDGE, test_seed(73), 1000, 0);
  const size_t row = row_of(q.kind);
  uint64_t random = 9;
  for (size_t i = 0; i < q.count * row; i++)
    // Both edges of a size, one a hundredth of it above the other.
    q.queries[i] = test_random_unit(&random) + (i % 12 < 6 || i % 3 < 2 ? 0 : 1.01);
  q.options.max_checks = 100000;
  assert_int_equal(check(q, 0, 0), 0);
}

/* A queue of 4 KiB holds 256 intervals: queries go in halves, some fill it alone. */
static void small_queues_lose_nothing(void **state) {
  (void)state;
  need_device();
  const uint64_t seed = test_seed(75);
  for (int k = 0; k < TOI_KIND_COUNT; k++) {
    question q = question_of((toi_kind)k, seed, test_count_from(150, 50), 0);
    q.options.max_checks = 5000;
    check(q, 1 << 20, 4096);
  }
}

/* What is found does not depend on the order of the work items, nor on the batch. */
static void answers_are_the_same_again(void **state) {
  (void)state;
  need_device();
  question q = question_of(TOI_VERTEX_FACE, test_seed(76), test_count_from(500, 200), 0);
  q.options.max_checks = 2000;
  toi_context *a = context_on("0", 2, 0, 0), *b = context_on("0", 1, 0, 1 << 20);
  toi_hit *first = answers_of(a, &q, "interval-queue"), *again = answers_of(a, &q, "interval-queue");
  toi_hit *other = answers_of(b, &q, "interval-queue");
  assert_memory_equal(first, again, q.count * sizeof *first);
  assert_memory_equal(first, other, q.count * sizeof *first);
  free(first);
  free(again);
  free(other);
  free(q.queries);
  toi_context_destroy(a);
  toi_context_destroy(b);
}

static void pairs_of_a_mesh_are_answered_as_queries(void **state) {
  (void)state;
  need_device();
  drape scene;
  assert_true(drape_make(12, 3, &scene));
  const toi_mesh mesh = mesh_of_drape(&scene);
  enum { COUNT = 3000 };
  toi_pair *pairs = calloc(COUNT, sizeof *pairs);
  toi_hit *hits = calloc(COUNT, sizeof *hits), *exact = calloc(COUNT, sizeof *exact);
  assert_true(pairs && hits && exact);
  uint64_t random = test_seed(77);
  for (size_t i = 0; i < COUNT; i++)
    pairs[i] = (toi_pair){(uint32_t)(test_random(&random) % mesh.vertex_count),
                          (uint32_t)(test_random(&random) % mesh.face_count)};
  toi_context *context = context_on("auto", 2, 0, 0);
  toi_options options = toi_default_options();
  options.max_checks = 1000;
  options.method = "interval-queue";
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, &mesh, pairs, COUNT, &options, hits), TOI_OK);
  options.method = "exact";
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, &mesh, pairs, COUNT, &options, exact), TOI_OK);
  for (size_t i = 0; i < COUNT; i++)
    assert_null(fault_of(&hits[i], &exact[i], 1));
  pairs[17].second = (uint32_t)mesh.face_count;
  options.method = "interval-queue";
  assert_int_equal(toi_batch_indexed(context, TOI_VERTEX_FACE, &mesh, pairs, COUNT, &options, hits), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "pair 17"));
  assert_true(hits[0].verdict == TOI_NEAR && hits[0].t_lo == 0);
  toi_context_destroy(context);
  free(pairs);
  free(hits);
  free(exact);
  drape_free(&scene);
}

static void bad_queries_are_refused_and_huge_ones_answered(void **state) {
  (void)state;
  need_device();
  question q = question_of(TOI_VERTEX_FACE, test_seed(78), 40, 0);
  for (size_t i = 0; i < 24; i++) {
    q.queries[24 * 3 + i] = i % 2 ? 0x1.fffffffffffffp1023 : -0x1.fffffffffffffp1023;
    q.queries[24 * 5 + i] = i % 2 ? 0x1p-1074 : -0x1p-1070;
    q.queries[24 * 7 + i] = 0;
  }
  toi_context *context = context_on("0", 2, 0, 0);
  toi_hit *hits = answers_of(context, &q, "interval-queue"), *exact = answers_of(context, &q, "exact");
  for (size_t i = 0; i < q.count; i++)
    assert_null(fault_of(&hits[i], &exact[i], 1));
  q.queries[24 * 9 + 4] = NAN;
  assert_int_equal(toi_batch(context, q.kind, q.queries, q.count, &q.options, hits), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "query 9"));
  assert_int_equal(toi_batch(context, q.kind, NULL, 0, &q.options, NULL), TOI_OK);
  free(hits);
  free(exact);
  free(q.queries);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_contacts_are_never_missed_nor_late),
      cmocka_unit_test(planted_separations_are_never_missed_nor_late),
      cmocka_unit_test(queries_that_miss_clearly_are_misses),
      cmocka_unit_test(small_queues_lose_nothing),
      cmocka_unit_test(answers_are_the_same_again),
      cmocka_unit_test(pairs_of_a_mesh_are_answered_as_queries),
      cmocka_unit_test(bad_queries_are_refused_and_huge_ones_answered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
