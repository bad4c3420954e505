/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exact separations on queries that nobody worked out: small integers, where everything degenerates; the planted ones,
 * whose smallest distance is d or just beside it; real ones. Two oracles: separation_oracle.h at single times, and the
 * construction of the planted ones, which knows the first time itself. */

#include <stdio.h>

#include "narrow/separation_cases.h"
#include "planted/grazing.h"

#define SAMPLES 16

/* Few values, so that things are parallel, equal or flat; some at rest. */
static toi_kind draw_small(uint64_t *state, double query[24]) {
  toi_kind kind = (toi_kind)(test_random(state) % TOI_KIND_COUNT);
  int values = 3 * (int)toi_kind_points(kind), most = 2 + (int)(test_random(state) % 6);
  bool flat = test_random(state) % 8 == 0, still = test_random(state) % 8 == 0;
  for (int i = 0; i < 2 * values; i++) {
    query[i] = (double)(test_random(state) % (uint64_t)(2 * most + 1)) - most;
    query[i] = flat && i % 3 == 2 ? 0 : query[i];
    query[i] = still && i >= values && test_random(state) % 2 ? query[i - values] : query[i];
  }
  return kind;
}

static double draw_separation(uint64_t *state) {
  static const double some[] = {1, 2, 3, 0.5, 5, 0x1.6a09e667f3bcdp0, 1.25, 1e-3, 1e-9, 0.1};
  double d = some[test_random(state) % 10];
  uint64_t nudge = test_random(state) % 4;
  return nudge == 0 ? nextafter(d, 0) : nudge == 1 ? nextafter(d, 9) : d;
}

static void small_integers_agree_with_the_oracle(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1), hits = 0, late = 0;
  for (uint64_t round = 0; round < test_count(6000); round++) {
    double query[24];
    question q = {draw_small(&state, query), (toi_norm)(round % 2), draw_separation(&state), 1};
    toi_hit hit = separate(q, query, NAN);
    expect_sound(q, query, &hit);
    expect_oracle(q, query, &hit, SAMPLES);
    hits += hit.verdict == TOI_HIT;
    late += hit.verdict == TOI_HIT && hit.t_hi > 0;
  }
  assert_true(hits > 0 && late > 0);
}

static bool same_answer(const toi_hit *a, const toi_hit *b) {
  return a->verdict == b->verdict && a->t_lo == b->t_lo && a->t_hi == b->t_hi;
}

/* Mirrored, axes turned, first and second primitive of an edge pair swapped, all moved together: nothing changes. */
static void disguised_queries_have_the_same_answer(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  for (uint64_t round = 0; round < test_count(3000); round++) {
    double query[24], other[24];
    question q = {draw_small(&state, query), (toi_norm)(round % 2), draw_separation(&state), 1};
    int points = (int)toi_kind_points(q.kind), turn = (int)(test_random(&state) % 3), at = (int)(round % 7);
    for (int i = 0; i < 2 * points; i++) {
      bool swap = q.kind == TOI_EDGE_EDGE && round % 3 == 0;
      int from = swap ? i / 4 * 4 + (i + 2) % 4 : i;
      for (int axis = 0; axis < 3; axis++) {
        // The common motion is linear, and exact in doubles.
        double moved = query[3 * from + axis] + (i < points ? at : 3 * axis - at);
        other[3 * i + (axis + turn) % 3] = round % 2 ? -moved : moved;
      }
    }
    toi_hit a = separate(q, query, NAN), b = separate(q, other, 0.3);
    if (!same_answer(&a, &b))
      reject(q, query, &a, "a disguise changes the answer");
  }
}

static void scaling_and_time_do_not_matter(void **unused) {
  (void)unused;
  uint64_t state = test_seed(3);
  for (uint64_t round = 0; round < test_count(2000); round++) {
    double query[24], scaled[24], longer[24];
    question q = {draw_small(&state, query), (toi_norm)(round % 2), draw_separation(&state), 1}, r = q;
    int values = 3 * (int)toi_kind_points(q.kind), power = (int)(test_random(&state) % 1000) - 500;
    r.d = ldexp(q.d, power);
    for (int i = 0; i < values; i++) {
      scaled[i] = ldexp(query[i], power);
      scaled[values + i] = ldexp(query[values + i], power);
      // Twice as far in the same time.
      longer[i] = query[i];
      longer[values + i] = 2 * query[values + i] - query[i];
    }
    toi_hit a = separate(q, query, NAN), b = separate(r, scaled, NAN);
    if (!same_answer(&a, &b))
      reject(q, query, &a, "a scale changes the answer");
    question h = q;
    h.t_max = 0.5;
    b = separate(h, longer, NAN);
    if (a.verdict != b.verdict || (a.verdict == TOI_HIT && (a.t_lo != 2 * b.t_lo || a.t_hi != 2 * b.t_hi)))
      reject(q, query, &a, "a longer step changes the answer");
  }
}

static void answers_are_monotone_in_d(void **unused) {
  (void)unused;
  uint64_t state = test_seed(4);
  static const double rising[] = {0x1p-1074, 1e-200, 1e-20, 0.25, 1, 0x1.0000000000001p0, 2, 4, 1e10, 1e300};
  for (uint64_t round = 0; round < test_count(1000); round++) {
    double query[24], last = INFINITY;
    question q = {draw_small(&state, query), (toi_norm)(round % 2), 0, 1};
    for (int i = 0; i < 10; i++) {
      q.d = rising[i];
      toi_hit hit = separate(q, query, NAN);
      expect_sound(q, query, &hit);
      if (hit.t_hi > last)
        reject(q, query, &hit, "later with a larger d");
      last = hit.t_hi;
    }
    // The maximum norm is the smaller one.
    q.d = 1;
    q.norm = TOI_NORM_L2;
    toi_hit euclidean = separate(q, query, NAN);
    q.norm = TOI_NORM_LINF;
    toi_hit maximum = separate(q, query, NAN);
    if (maximum.t_hi > euclidean.t_hi)
      reject(q, query, &maximum, "later in the smaller norm");
  }
}

static void planted_grazing_queries_have_their_planted_answer(void **unused) {
  (void)unused;
  uint64_t seed = test_seed(5), asked = 0;
  for (int norm = 0; norm < 2; norm++)
    for (uint32_t number = 0; number < grazing_class_count(); number++)
      for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
        for (uint64_t i = 0; grazing_class_has(number, (toi_kind)kind) && i < test_count(150); i++) {
          grazing_group group = grazing_group_make((toi_norm)norm, seed, i / 4);
          planted_query planted;
          grazing_make(number, (toi_kind)kind, &group, seed, i, &planted);
          question q = {(toi_kind)kind, (toi_norm)norm, group.separation, 1};
          toi_hit hit = separate(q, planted.points, NAN);
          expect_sound(q, planted.points, &hit);
          if ((hit.verdict == TOI_HIT) != planted.hit)
            reject(q, planted.points, &hit, grazing_class_name(number));
          if (planted.hit && planted.time_known && (hit.t_lo != planted.t_lo || hit.t_hi != planted.t_hi))
            reject(q, planted.points, &hit, grazing_class_name(number));
          asked++;
        }
  assert_true(asked > 0);
}

/* A file of the corner cases, if it is there. */
static size_t ask_file(const char *root, const char *name, toi_kind kind) {
  static const double separations[] = {1e-2, 1e-8, 1e-100};
  char path[1024];
  snprintf(path, sizeof path, "%s/corner/%s.bin", root, name);
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  double query[24];
  size_t asked = 0, stride = 1 + (size_t)(40 / test_count(10));
  for (size_t i = 0; fread(query, sizeof query, 1, file) == 1; i++) {
    if (i % stride != 0)
      continue;
    for (int d = 0; d < 3; d++) {
      question q = {kind, (toi_norm)(asked % 2), separations[d], 1};
      toi_hit hit = separate(q, query, NAN);
      expect_sound(q, query, &hit);
      expect_oracle(q, query, &hit, 4);
      asked++;
    }
  }
  fclose(file);
  return asked;
}

static void real_queries_agree_with_the_oracle(void **unused) {
  (void)unused;
  const char *root = test_data_directory();
  if (!root)
    skip();
  size_t asked = ask_file(root, "vf", TOI_VERTEX_FACE) + ask_file(root, "ee", TOI_EDGE_EDGE);
  assert_true(asked > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_integers_agree_with_the_oracle),
      cmocka_unit_test(disguised_queries_have_the_same_answer),
      cmocka_unit_test(scaling_and_time_do_not_matter),
      cmocka_unit_test(answers_are_monotone_in_d),
      cmocka_unit_test(planted_grazing_queries_have_their_planted_answer),
      cmocka_unit_test(real_queries_agree_with_the_oracle),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
