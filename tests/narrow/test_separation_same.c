/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What answers of `certified` with a separation do not depend on: t_max, the batch, the threads, the order of points
 * and axes, the unit of length; and how they depend on d: monotonically. */

#include "base/internal.h"
#include "narrow/height.h"
#include "narrow/method.h"
#include "narrow/separated_asking.h"

static separated asked_now;

/* Fills *s with queries of all families. */
static void draw_queries(separated *s, uint64_t *state, size_t count) {
  s->count = 0;
  while (s->count < count) {
    query_draft draft = {.state = state, .kind = s->kind, .norm = s->norm};
    draft_make((query_family)(s->count % QUERY_FAMILIES), &draft, s->d > 0 ? s->d : 0.3);
    separated_add(s, draft.query);
  }
}

/* All kinds in both norms with several separations, asked and given to `check`. */
static void each(uint64_t seed, size_t rounds, void (*check)(const separated *s, uint64_t *state)) {
  static const double some[] = {1e-300, 1e-8, 1e-2, 0.3, 1, 10};
  uint64_t state = test_seed(seed);
  toi_context *context = test_context(1);
  for (size_t round = 0; round < rounds; round++)
    for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
      separated *s = &asked_now;
      s->kind = (toi_kind)kind;
      s->norm = (toi_norm)(round % 2);
      s->d = round % 7 == 6 ? 0 : some[round % 7];
      s->fraction = round % 7 == 6 || round % 5 == 4 ? 0.7 : 0;
      draw_queries(s, &state, 14 * QUERY_FAMILIES);
      separated_ask(context, s);
      check(s, &state);
    }
  toi_context_destroy(context);
}

static bool same_bits(const toi_hit *a, const toi_hit *b) {
  return memcmp(a, b, sizeof(*a)) == 0;
}

/* --- how they are asked --- */

static void check_calls(const separated *s, uint64_t *state) {
  static toi_hit hits[SEPARATED_MOST];
  toi_options options = separated_options(s, "certified");
  for (size_t i = 0; i < s->count; i++) {
    toi_hit single = ask_with(s->kind, separated_query(s, i), &options);
    if (!same_bits(&single, &s->certified[i]))
      separated_complain(s, i, "a single call gives other bits");
  }
  size_t part = 1 + test_random(state) % 7;
  toi_context *context = test_context(2);
  for (size_t i = 0; i < s->count; i += part)
    assert_int_equal(toi_batch(context, s->kind, separated_query(s, i), part < s->count - i ? part : s->count - i,
                               &options, hits + i),
                     TOI_OK);
  for (size_t i = 0; i < s->count; i++)
    if (!same_bits(&hits[i], &s->certified[i]))
      separated_complain(s, i, "another batch gives other bits");
  toi_context_destroy(context);
}

static void single_calls_and_all_batches_give_the_same_bits(void **test) {
  (void)test;
  each(511, test_count(7), check_calls);
}

/* Where misses may be left unwritten, bounds of the separation sift the queries: verdicts and hits stay the same. */
static void quiet_chunks_of_a_fraction_give_the_same_answers(void **test) {
  (void)test;
  static const double fractions[] = {0.2, 0.7, 0.95, 1e-12}, units[] = {1, 0x1p-480, 0x1p480, 0x1p-1040, 0x1p-40};
  static const double separations[] = {0, 0, 0.3, 1e-3};
  static double thickness[SEPARATED_MOST];
  static toi_hit hits[SEPARATED_MOST];
  uint64_t state = test_seed(518);
  size_t misses = 0;
  toi_context *context = test_context(1);
  for (uint64_t round = 0; round < test_count(20); round++)
    for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
      separated *s = &asked_now;
      s->kind = (toi_kind)kind;
      s->norm = (toi_norm)(test_random(&state) % 2);
      s->d = separations[test_random(&state) % 4] * units[round % 5];
      s->fraction = fractions[test_random(&state) % 4];
      draw_queries(s, &state, 14 * QUERY_FAMILIES);
      for (size_t i = 0; i < s->count * row_of(s->kind); i++)
        s->queries[i] = isinf(s->queries[i] * units[round % 5]) ? s->queries[i] : s->queries[i] * units[round % 5];
      separated_ask(context, s);
      toi_options options = separated_options(s, "certified");
      toi_counters counters = {0};
      // The same as thickness of each query, and none else.
      const bool thick = s->d > 0 && round % 2;
      for (size_t i = 0; i < s->count && thick; i++)
        thickness[i] = s->d;
      options.min_separation = thick ? 0 : s->d;
      toi_chunk chunk = {.kind = s->kind,
                         .queries = s->queries,
                         .count = s->count,
                         .options = &options,
                         .hits = hits,
                         .counters = &counters,
                         .context = context,
                         .quiet = true,
                         .thickness = thick ? thickness : NULL};
      assert_int_equal(toi_method_certified.run(&chunk), TOI_OK);
      assert_int_equal(counters.queries, s->count);
      for (size_t i = 0; i < s->count; i++) {
        misses += hits[i].verdict == TOI_MISS;
        if (hits[i].verdict != s->certified[i].verdict ||
            (hits[i].verdict != TOI_MISS && !same_bits(&hits[i], &s->certified[i])))
          separated_complain(s, i, "a quiet chunk gives another answer");
      }
    }
  assert_true(misses > 0);
  toi_context_destroy(context);
}

/* Enough of them that two threads share the work. */
static void threads_give_the_same_bits(void **test) {
  (void)test;
  enum { COUNT = 6000 };
  double *queries = calloc(COUNT * 24, sizeof(double));
  toi_hit *hits[2] = {calloc(COUNT, sizeof(toi_hit)), calloc(COUNT, sizeof(toi_hit))};
  assert_true(queries && hits[0] && hits[1]);
  uint64_t state = test_seed(512);
  for (size_t i = 0; i < COUNT; i++) {
    query_draft draft = {.state = &state, .kind = TOI_EDGE_EDGE};
    draft_make((query_family)(i % QUERY_FAMILIES), &draft, 0.01);
    memcpy(queries + 24 * i, draft.query, sizeof(draft.query));
  }
  toi_options options = toi_default_options();
  options.min_separation = 0.01;
  for (uint32_t threads = 1; threads <= 2; threads++) {
    toi_context *context = test_context(threads);
    assert_int_equal(toi_batch(context, TOI_EDGE_EDGE, queries, COUNT, &options, hits[threads - 1]), TOI_OK);
    toi_context_destroy(context);
  }
  assert_memory_equal(hits[0], hits[1], COUNT * sizeof(toi_hit));
  free(queries);
  free(hits[0]);
  free(hits[1]);
}

#if defined(__x86_64__)
/* One query's heights, made on any machine and with fused products: at a time of each kind, for every feature. */
static void check_heights(const separated *s, uint64_t *state) {
  if (toi_simd_best() != TOI_SIMD_AVX2)
    return;
  for (size_t i = 0; i < s->count; i++) {
    toi_moving moving;
    toi_feature feature;
    double d = s->certified[i].separation, t = i % 3 ? test_random_unit(state) : (double)(i % 2);
    if (!(d > 0) || !toi_moving_make(s->kind, separated_query(s, i), d, s->norm, &moving))
      continue;
    bool wide = false;
    for (size_t j = 0; j < row_of(s->kind); j++)
      wide = wide || (separated_query(s, i)[j] != 0 && fabs(separated_query(s, i)[j] * moving.scale) < 0x1p-60);
    for (int j = 0; toi_feature_numbered(moving.count, moving.norm, j, &feature); j++) {
      toi_height plain = {0}, fused = {0};
      toi_heights_plain.at(&moving, t, feature, &plain);
      toi_heights_avx2.at(&moving, t, feature, &fused);
      // Where products underflow, the last digits may differ, what is proved does not.
      bool same = !wide && memcmp(&plain.gap, &fused.gap, sizeof(double)) == 0 &&
                  memcmp(plain.n, fused.n, sizeof(plain.n)) == 0;
      if (plain.above != fused.above || !(same || wide))
        separated_complain(s, i, "fused products give other heights");
      if (toi_heights_plain.within(&moving, t, feature) != toi_heights_avx2.within(&moving, t, feature))
        separated_complain(s, i, "fused products prove something else");
    }
  }
}

static void heights_are_the_same_bits_with_fused_products(void **test) {
  (void)test;
  each(517, test_count(7), check_heights);
}
#endif

static void check_t_max(const separated *s, uint64_t *state) {
  (void)state;
  toi_options options = separated_options(s, "certified");
  for (size_t i = 0; i < s->count; i++) {
    const toi_hit *c = &s->certified[i], *e = &s->exact[i];
    if (c->verdict != TOI_HIT)
      continue;
    const double times[] = {0, c->t_safe, c->t_lo, nextafter(c->t_lo, 2), e->t_lo, e->t_hi, c->t_hi, 0.5, 1};
    for (size_t j = 0; j < sizeof(times) / sizeof(times[0]); j++) {
      options.t_max = times[j] <= 1 ? times[j] : 1;
      bool within = options.t_max >= e->t_hi;
      toi_hit hit = ask_with(s->kind, separated_query(s, i), &options);
      if (hit.verdict != (within ? TOI_HIT : TOI_MISS) || (!within && hit.t_safe != options.t_max))
        separated_complain(s, i, "t_max is not respected");
      if (within && !same_bits(&hit, c))
        separated_complain(s, i, "the answer depends on t_max");
    }
  }
}

static void t_max_decides_between_the_same_hit_and_a_miss(void **test) {
  (void)test;
  each(513, test_count(7), check_t_max);
}

/* --- the geometry in other words --- */

/* Turns and mirrors the axes, and swaps the edges of a pair. */
static void disguise(const separated *s, const double *query, uint64_t how, double out[24]) {
  unsigned points = toi_kind_points(s->kind), turn = (unsigned)(how % 3);
  bool swap = s->kind == TOI_EDGE_EDGE && (how >> 2 & 1), odd = how >> 3 & 1;
  for (unsigned i = 0; i < 2 * points; i++) {
    unsigned from = swap ? i / 4 * 4 + (i + 2) % 4 : i;
    for (unsigned axis = 0; axis < 3; axis++) {
      unsigned to = odd && axis < 2 ? 1 - axis : axis;
      double x = query[3 * from + axis];
      out[3 * i + (to + turn) % 3] = how >> (4 + axis) & 1 ? -x : x;
    }
  }
}

static void check_disguises(const separated *s, uint64_t *state) {
  toi_options options = separated_options(s, "certified");
  for (size_t i = 0; i < s->count; i++) {
    double other[24];
    const toi_hit *e = &s->exact[i];
    disguise(s, separated_query(s, i), test_random(state), other);
    toi_hit hit = ask_with(s->kind, other, &options);
    if (hit.verdict != e->verdict || hit.separation != e->separation || hit.touching_at_start != e->touching_at_start)
      separated_complain(s, i, "a disguise changes the verdict");
    if (hit.verdict == TOI_HIT && !(hit.t_lo <= e->t_lo && e->t_hi <= hit.t_hi))
      separated_complain(s, i, "a disguise loses the time");
  }
}

static void turned_mirrored_and_swapped_queries_have_the_same_answer(void **test) {
  (void)test;
  each(514, test_count(14), check_disguises);
}

/* Whether the query times 2^power is what it should be: no digit is lost. */
static bool scaled_query(const separated *s, const double *query, int power, double out[24]) {
  bool exact = true;
  for (size_t j = 0; j < row_of(s->kind); j++) {
    out[j] = ldexp(query[j], power);
    exact = exact && fabs(out[j]) < 0x1p900 && (query[j] == 0 || fabs(out[j]) > 0x1p-900);
    exact = exact && (query[j] == 0 || (fabs(query[j]) > 0x1p-900 && fabs(query[j]) < 0x1p900));
  }
  return exact;
}

static void check_units(const separated *s, uint64_t *state) {
  int power = (int)(test_random(state) % 1200) - 600;
  toi_options options = separated_options(s, "certified");
  options.min_separation = ldexp(s->d, power);
  if (s->d > 0 && !(options.min_separation > 0x1p-900 && options.min_separation < 0x1p900))
    return;
  for (size_t i = 0; i < s->count; i++) {
    double other[24];
    const toi_hit *c = &s->certified[i];
    if (!scaled_query(s, separated_query(s, i), power, other))
      continue;
    toi_hit hit = ask_with(s->kind, other, &options);
    if (hit.verdict != c->verdict || hit.separation != ldexp(c->separation, power))
      separated_complain(s, i, "another unit changes the verdict");
    // What is in range of the filter and the kernels depends on the unit: brackets of contact itself may differ.
    const toi_hit *e = &s->exact[i];
    if (hit.verdict == TOI_HIT && !(hit.t_lo <= e->t_lo && e->t_hi <= hit.t_hi))
      separated_complain(s, i, "another unit loses the time");
    if (hit.verdict == TOI_HIT && abs(power) < 60 && (hit.t_lo != c->t_lo || hit.t_hi != c->t_hi))
      separated_complain(s, i, "another unit gives other bits");
  }
}

static void another_unit_of_length_does_not_matter(void **test) {
  (void)test;
  each(515, test_count(28), check_units);
}

/* --- larger distances --- */

static void larger_distances_are_reached_no_later(void **test) {
  (void)test;
  static const double rising[] = {0, 0x1p-1074,           1e-300, 1e-100, 1e-16, 1e-8, 1e-4, 1e-2, 0.3,
                                  1, 0x1.0000000000001p0, 10,     1e300};
  uint64_t state = test_seed(516);
  toi_context *context = test_context(1);
  separated *s = &asked_now;
  static toi_hit last[SEPARATED_MOST];
  for (uint64_t round = 0; round < test_count(4); round++)
    for (unsigned which = 0; which < 2 * TOI_KIND_COUNT; which++) {
      s->kind = (toi_kind)(which / 2);
      s->norm = (toi_norm)(which % 2);
      s->d = s->fraction = 0;
      draw_queries(s, &state, 14 * QUERY_FAMILIES);
      for (size_t j = 0; j < sizeof(rising) / sizeof(rising[0]); j++) {
        s->d = rising[j];
        toi_options options = separated_options(s, "certified");
        assert_int_equal(toi_batch(context, s->kind, s->queries, s->count, &options, s->certified), TOI_OK);
        for (size_t i = 0; i < s->count && j > 0; i++) {
          const toi_hit *c = &s->certified[i];
          s->exact[i] = last[i];
          if (last[i].verdict == TOI_HIT && (c->verdict != TOI_HIT || c->t_lo > last[i].t_hi))
            separated_complain(s, i, "later with a larger d [in the place of exact: the smaller d]");
        }
        memcpy(last, s->certified, sizeof(last));
      }
    }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(single_calls_and_all_batches_give_the_same_bits),
    cmocka_unit_test(quiet_chunks_of_a_fraction_give_the_same_answers),
    cmocka_unit_test(threads_give_the_same_bits),
#if defined(__x86_64__)
    cmocka_unit_test(heights_are_the_same_bits_with_fused_products),
#endif
    cmocka_unit_test(t_max_decides_between_the_same_hit_and_a_miss),
    cmocka_unit_test(turned_mirrored_and_swapped_queries_have_the_same_answer),
    cmocka_unit_test(another_unit_of_length_does_not_matter),
    cmocka_unit_test(larger_distances_are_reached_no_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
