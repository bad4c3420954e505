/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The answers of `certified`, against `exact` and against planted truth.
 *
 * Two oracles. The planted truth knows the verdict, and mostly the time, because of how the query was made: it may be
 * believed everywhere. `exact` shares with `certified` its last level, so that where that level answers, their
 * agreement means little; the planted truth is what counts there. Symmetries, contact points and real data have files
 * of their own. */

#include <inttypes.h>
#include <math.h>

#include "narrow/asking.h"

static const size_t planted_counts[TOI_KIND_COUNT] = {24000, 24000, 8000, 4000};

/* --- verdicts and brackets --- */

static const char *fault_of_miss(const toi_hit *hit, double t_max) {
  if (!isinf(hit->t_lo) || !isinf(hit->t_hi) || hit->t_safe != t_max || !isnan(hit->u) || !isnan(hit->v))
    return "a miss with a time or a place";
  for (int axis = 0; axis < 3; axis++)
    if (hit->point[axis] != 0 || hit->normal[axis] != 0)
      return "a miss with a point or a normal";
  return hit->touching_at_start || hit->tolerance_reached != 0 ? "a miss that touches" : NULL;
}

/* What is wrong with the answers to query i; NULL if nothing is. */
static const char *fault_of(const asked *a, size_t i) {
  const planted_query *truth = &a->truth[i];
  const toi_hit *c = &a->certified[i], *e = &a->exact[i];
  toi_verdict verdict = truth->hit ? TOI_HIT : TOI_MISS;
  if (c->verdict != verdict || e->verdict != verdict)
    return truth->hit ? "a contact is missed" : "a contact is invented";
  if (!truth->hit)
    return fault_of_miss(c, 1) ? fault_of_miss(c, 1) : fault_of_miss(e, 1);
  double lo = truth->time_known ? truth->t_lo : e->t_lo, hi = truth->time_known ? truth->t_hi : e->t_hi;
  if (e->t_lo != lo || e->t_hi != hi || (lo != hi && nextafter(lo, 2) != hi))
    return "exact's bracket is not the tightest";
  const char *fault = fault_of_time(e, lo, hi);
  return fault ? fault : fault_of_time(c, lo, hi);
}

static void both_methods_agree_with_the_planted_truth(void **test) {
  (void)test;
  uint64_t seed = test_seed(101);
  toi_counters counters = {0};
  uint64_t expected = 0;
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(planted_counts[kind]), &counters);
    for (size_t i = 0; i < a.count; i++) {
      const char *fault = fault_of(&a, i);
      if (fault)
        complain(&a, i, fault);
    }
    expected += a.count;
    asked_free(&a);
  }

  // The counters add up, and every level of the cascade was needed.
  assert_int_equal(counters.queries, expected);
  assert_int_equal(counters.verdicts[TOI_MISS] + counters.verdicts[TOI_HIT], expected);
  uint64_t settled = 0;
  for (unsigned level = 0; level <= TOI_LEVEL_EXACT; level++) {
    print_message("%s %" PRIu64 "  ", toi_level_name(level), counters.levels[level]);
    assert_true(level == TOI_LEVEL_PLANE || counters.levels[level] > expected / 200);
    settled += counters.levels[level];
  }
  print_message("of %" PRIu64 " queries\n", expected);
  assert_int_equal(settled, expected);
}

/* --- the same bits, however they are asked --- */

static void assert_same_hits(const asked *a, size_t first, size_t count, const toi_hit *found) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(&found[i], &a->certified[first + i], sizeof(toi_hit)) != 0)
      complain(a, first + i, "the answer depends on how it is asked");
}

static void single_calls_and_all_batches_give_the_same_bits(void **test) {
  (void)test;
  uint64_t seed = test_seed(102);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(3000), NULL);
    toi_hit *found = calloc(a.count, sizeof(toi_hit));
    assert_non_null(found);
    for (size_t i = 0; i < a.count; i++)
      found[i] = ask_one(kind, asked_query(&a, i), "certified", 1);
    assert_same_hits(&a, 0, a.count, found);

    // Batches of 1 to 9, and beyond a chunk on 1 to 3 threads.
    toi_context *context = test_context(1);
    for (size_t size = 1; size <= 9; size++)
      for (size_t i = 0; i < a.count; i += size) {
        asked part = a;
        part.queries += row_of(kind) * i;
        part.count = a.count - i < size ? a.count - i : size;
        ask_batch(context, &part, NULL, NULL, found + i);
        assert_same_hits(&a, i, part.count, found + i);
      }
    toi_context_destroy(context);
    for (uint32_t threads = 1; threads <= 3; threads++) {
      context = test_context(threads);
      memset(found, 0, a.count * sizeof(toi_hit));
      ask_batch(context, &a, "certified", NULL, found);
      assert_same_hits(&a, 0, a.count, found);
      toi_context_destroy(context);
    }
    free(found);
    asked_free(&a);
  }
}

/* --- t_max and t_safe --- */

/* Times at which the answer may change. */
#define CRITICAL_TIMES 12
static size_t critical_times(const toi_hit *c, const toi_hit *e, double times[CRITICAL_TIMES]) {
  const double brackets[4] = {c->t_lo, c->t_hi, e->t_lo, e->t_hi};
  size_t count = 0;
  for (int i = 0; i < 4; i++)
    for (int side = -1; side <= 1; side++) {
      double t = side ? nextafter(brackets[i], side < 0 ? -1 : 2) : brackets[i];
      if (t >= 0 && t <= 1)
        times[count++] = t;
    }
  return count;
}

static void t_max_decides_between_the_same_hit_and_a_miss(void **test) {
  (void)test;
  uint64_t seed = test_seed(103);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(1500), NULL);
    for (size_t i = 0; i < a.count; i++) {
      double times[CRITICAL_TIMES];
      size_t count = a.truth[i].hit ? critical_times(&a.certified[i], &a.exact[i], times) : 0;
      for (size_t j = 0; j < count; j++) {
        toi_hit c = ask_one(kind, asked_query(&a, i), "certified", times[j]);
        toi_hit e = ask_one(kind, asked_query(&a, i), "exact", times[j]);
        bool touches = times[j] >= a.exact[i].t_hi;
        if (c.verdict != (touches ? TOI_HIT : TOI_MISS) || e.verdict != c.verdict)
          complain(&a, i, "t_max is not respected");
        if (touches && (memcmp(&c, &a.certified[i], sizeof(c)) != 0 || memcmp(&e, &a.exact[i], sizeof(e)) != 0))
          complain(&a, i, "the bracket depends on t_max");
        if (!touches && (fault_of_miss(&c, times[j]) || fault_of_miss(&e, times[j])))
          complain(&a, i, "a miss before t_max is not clean");
      }
    }
    asked_free(&a);
  }
}

static void nothing_touches_until_t_safe(void **test) {
  (void)test;
  uint64_t seed = test_seed(104);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(3000), NULL);
    for (size_t i = 0; i < a.count; i++) {
      if (a.certified[i].verdict != TOI_HIT || a.certified[i].touching_at_start)
        continue;
      if (ask_one(kind, asked_query(&a, i), "exact", a.certified[i].t_safe).verdict != TOI_MISS ||
          ask_one(kind, asked_query(&a, i), "exact", a.exact[i].t_safe).verdict != TOI_MISS)
        complain(&a, i, "they touch by t_safe");
    }
    asked_free(&a);
  }
}

/* --- memory --- */

static void a_warm_context_allocates_nothing(void **test) {
  (void)test;
  test_allocator allocator = {0};
  toi_context_options options = test_context_options(&allocator, 1);
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  uint64_t seed = test_seed(105);
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
    asked a = ask_planted(kind, seed, test_count(2000), NULL);
    for (int method = 0; method < 2; method++) {
      const char *name = method ? "exact" : "certified";
      ask_batch(context, &a, name, NULL, a.certified);
      size_t calls = allocator.calls;
      uint64_t bytes = toi_context_bytes(context);
      for (int run = 0; run < 3; run++)
        ask_batch(context, &a, name, NULL, a.certified);
      assert_int_equal(allocator.calls, calls);
      assert_int_equal(toi_context_bytes(context), bytes);
    }
    asked_free(&a);
  }
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
}

/* --- random queries in the unit cube: shares known from Huh 2014, table 1 --- */

#define SHARE_ODD 0.074999
#define SHARE_EVEN 0.002278

static void random_query(uint64_t *state, double query[24]) {
  for (int j = 0; j < 24; j++)
    query[j] = test_random_unit(state);
}

/* Both the share here and the one published are samples: four standard deviations of their difference. */
static void assert_share(const char *what, uint64_t count, uint64_t of, double share) {
  double found = (double)count / (double)of, deviation = sqrt(share * (1 - share) / (double)of);
  print_message("%s: %.4f %% of %" PRIu64 ", published %.4f %%\n", what, 100 * found, of, 100 * share);
  assert_true(fabs(found - share) <= 4 * sqrt(2) * deviation);
}

static void random_vertices_and_faces_collide_as_often_as_published(void **test) {
  (void)test;
  enum { BLOCK = 4096 };
  static double queries[BLOCK * 24];
  static toi_hit hits[BLOCK];
  uint64_t state = test_seed(106), blocks = (test_count(200000) + BLOCK - 1) / BLOCK;
  toi_counters counters = {0};
  toi_options options = toi_default_options();
  options.counters = &counters;
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < blocks; i++) {
    for (size_t j = 0; j < BLOCK; j++)
      random_query(&state, queries + 24 * j);
    assert_int_equal(toi_batch(context, TOI_VERTEX_FACE, queries, BLOCK, &options, hits), TOI_OK);
  }
  toi_context_destroy(context);
  assert_share("colliding", counters.verdicts[TOI_HIT], blocks * BLOCK, SHARE_ODD + SHARE_EVEN);
}

static void random_contacts_are_odd_and_even_in_number_as_published(void **test) {
  (void)test;
  uint64_t state = test_seed(107), count = test_count(60000), odd = 0, even = 0;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  for (uint64_t i = 0; i < count; i++) {
    double query[24];
    random_query(&state, query);
    if (ask_one(TOI_VERTEX_FACE, query, "certified", 1).verdict == TOI_MISS)
      continue;
    toi_proof *proof;
    toi_status status = toi_prove(context, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof);
    assert_int_equal(status, TOI_OK);
    assert_in_range(proof->contact_times, 1, 3);
    odd += proof->contact_times % 2;
    even += proof->contact_times % 2 == 0;
    toi_proof_free(context, proof);
  }
  toi_context_destroy(context);
  assert_share("colliding an odd number of times", odd, count, SHARE_ODD);
  assert_share("colliding an even number of times", even, count, SHARE_EVEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_methods_agree_with_the_planted_truth),
      cmocka_unit_test(single_calls_and_all_batches_give_the_same_bits),
      cmocka_unit_test(t_max_decides_between_the_same_hit_and_a_miss),
      cmocka_unit_test(nothing_touches_until_t_safe),
      cmocka_unit_test(a_warm_context_allocates_nothing),
      cmocka_unit_test(random_vertices_and_faces_collide_as_often_as_published),
      cmocka_unit_test(random_contacts_are_odd_and_even_in_number_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
