/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The plane filter: what it clears is apart, for every kind, norm and magnitude, and all lanes say the same.
 *
 * The oracle is the method `exact`, and the exact order of distances, which may be believed everywhere. Separations are
 * put next to the distance, and times next to the first contact, where a bound that is too small would show. */

#include <float.h>

#include "narrow/distance.h"
#include "narrow/distance_kernel.h"
#include "narrow/plane_filter.h"
#include "narrow/separated_queries.h"

#define PAIRS 61

/* Queries of one kind as a mesh: the points of query i are vertices 4 i, 4 i + 1, ... */
typedef struct block {
  toi_kind kind;
  toi_norm norm;
  double queries[PAIRS][24];
  double rows[4 * PAIRS][TOI_MOVING_ROW];
  uint32_t edges[2 * PAIRS][2], faces[PAIRS][3];
  toi_pair pairs[PAIRS];
  toi_filter_mesh mesh;
} block;

static void block_lay_out(block *b) {
  const size_t points = toi_kind_points(b->kind);
  memset(b->rows, 0, sizeof b->rows);
  for (uint32_t i = 0; i < PAIRS; i++) {
    for (size_t k = 0; k < points; k++) {
      memcpy(b->rows[4 * i + k], b->queries[i] + 3 * k, 3 * sizeof(double));
      memcpy(b->rows[4 * i + k] + TOI_STILL_ROW, b->queries[i] + 3 * (points + k), 3 * sizeof(double));
    }
    const bool edges = b->kind == TOI_EDGE_EDGE;
    const uint32_t first[2] = {4 * i, 4 * i + 1}, second[2] = {4 * i + 1 + edges, 4 * i + 2 + edges};
    memcpy(b->edges[2 * i], first, sizeof first);
    memcpy(b->edges[2 * i + 1], second, sizeof second);
    for (uint32_t k = 0; k < 3; k++)
      b->faces[i][k] = 4 * i + 1 + k;
    b->pairs[i] = (toi_pair){edges ? 2 * i : 4 * i, b->kind == TOI_VERTEX_FACE     ? i
                                                    : b->kind == TOI_VERTEX_VERTEX ? 4 * i + 1
                                                                                   : 2 * i + 1};
  }
  b->mesh =
      (toi_filter_mesh){b->rows[0], TOI_MOVING_ROW, (const uint32_t(*)[2])b->edges, (const uint32_t(*)[3])b->faces};
}

static void block_draw(block *b, uint64_t *state, int exponent) {
  for (size_t i = 0; i < PAIRS; i++) {
    query_draft draft = {.state = state, .kind = b->kind, .norm = b->norm};
    const query_family family = (query_family)(test_random(state) % QUERY_FAMILIES);
    draft_make(family, &draft, test_random_unit(state));
    for (size_t j = 0; j < 6 * (size_t)toi_kind_points(b->kind); j++)
      b->queries[i][j] = fmax(-DBL_MAX, fmin(ldexp(draft.query[j], exponent), DBL_MAX));
  }
  block_lay_out(b);
}

/* A magnitude to scale by: mostly none. */
static int draw_exponent(uint64_t *state) {
  static const int exponents[] = {0,    0,    0,    0,   30,  -30,  -160,  -480,  -505, -520,
                                  -530, -536, -538, 480, 700, 1003, -1000, -1050, -1072};
  return exponents[test_random(state) % (sizeof exponents / sizeof exponents[0])];
}

/* The pairs that one kernel leaves open; all others must leave the same. */
static size_t run_all(const block *b, const toi_plane_question *question, bool open[PAIRS]) {
  uint32_t numbers[PAIRS], others[PAIRS];
  const size_t count = toi_plane_filter_scalar(b->kind, &b->mesh, question, b->pairs, PAIRS, numbers);
  assert_int_equal(toi_plane_filter_two(b->kind, &b->mesh, question, b->pairs, PAIRS, others), count);
  assert_memory_equal(numbers, others, count * sizeof numbers[0]);
  assert_int_equal(toi_plane_filter_best()(b->kind, &b->mesh, question, b->pairs, PAIRS, others), count);
  assert_memory_equal(numbers, others, count * sizeof numbers[0]);
  memset(open, 0, PAIRS * sizeof open[0]);
  for (size_t i = 0; i < count; i++) {
    assert_true(numbers[i] < PAIRS && (i == 0 || numbers[i] > numbers[i - 1]));
    open[numbers[i]] = true;
  }
  return count;
}

static void reject(const block *b, size_t i, const toi_plane_question *q, const char *what) {
  test_print_query(b->kind, b->queries[i]);
  fail_msg("%s: norm %d, t_max %a, separation %a, fraction %a, rounding %a", what, (int)b->norm, q->t_max,
           q->separations ? q->separations[i] : q->separation, q->fraction, q->rounding);
}

/* --- one instant --- */

/* Separations at the distance, one double below and above it, and around; what is within must stay open. */
static void close_pairs_stay_open(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1401);
  static block b;
  size_t cleared = 0, far = 0;
  for (uint64_t round = 0; round < test_count(3000); round++) {
    b.kind = (toi_kind)(round % TOI_KIND_COUNT);
    b.norm = (toi_norm)(round / TOI_KIND_COUNT % 2);
    block_draw(&b, &state, draw_exponent(&state));
    double separations[PAIRS];
    int orders[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
      const toi_instant at = {b.kind, b.queries[i], b.norm, NULL, 0};
      double part = 0;
      assert_int_equal(toi_instant_share(&at, &(toi_share){.factor = 1}, &part), TOI_OK);
      static const double factors[] = {1, 1, 1, 1 - 0x1p-52, 1 - 0x1p-45, 1 - 0x1p-30, 0.5};
      separations[i] = part * factors[test_random(&state) % 7];
      if (test_random(&state) % 2)
        separations[i] = fmin(nextafter(separations[i], INFINITY), DBL_MAX);
      assert_int_equal(toi_instant_compare(&at, separations[i], &orders[i]), TOI_OK);
    }
    const toi_plane_question question = {.separations = separations, .norm = b.norm};
    bool open[PAIRS];
    run_all(&b, &question, open);
    for (size_t i = 0; i < PAIRS; i++) {
      if (!open[i] && orders[i] <= 0)
        reject(&b, i, &question, "a pair within the separation is cleared");
      cleared += !open[i];
      far += orders[i] > 0;
    }
  }
  print_message("%zu of %zu pairs beyond their separation are cleared\n", cleared, far);
  assert_true(cleared > far / 8);
}

/* --- moving --- */

/* The first time within the separation, by `exact`. */
static toi_hit exact_hit(const block *b, const double *query, const toi_plane_question *q, size_t i) {
  toi_options options = toi_default_options();
  toi_hit hit;
  const double *end = query + 3 * (size_t)toi_kind_points(b->kind);
  static toi_status (*const ask[])(const double[4][3], const double[4][3], const toi_options *,
                                   toi_hit *) = {toi_vertex_face, toi_edge_edge};
  options.method = "exact";
  options.norm = b->norm;
  options.separation_fraction = q->fraction;
  options.min_separation = q->fraction > 0 ? 0 : q->separations ? q->separations[i] : q->separation;
  toi_status status;
  if (b->kind <= TOI_EDGE_EDGE)
    status = ask[b->kind]((const double(*)[3])query, (const double(*)[3])end, &options, &hit);
  else if (b->kind == TOI_VERTEX_EDGE)
    status = toi_vertex_edge((const double(*)[3])query, (const double(*)[3])end, &options, &hit);
  else
    status = toi_vertex_vertex((const double(*)[3])query, (const double(*)[3])end, &options, &hit);
  assert_int_equal(status, TOI_OK);
  return hit;
}

/* Up to a time just after the first contact a pair must stay open; just before, it need not. */
static void pairs_that_meet_stay_open(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1402);
  static block b;
  size_t cleared = 0, asked = 0;
  for (uint64_t round = 0; round < test_count(700); round++) {
    b.kind = (toi_kind)(round % TOI_KIND_COUNT);
    b.norm = (toi_norm)(round / TOI_KIND_COUNT % 2);
    block_draw(&b, &state, draw_exponent(&state));
    static const double fractions[] = {0, 0.2, 0.5, 0.9, 0.99999, 1e-10};
    toi_plane_question question = {.fraction = fractions[test_random(&state) % 6], .norm = b.norm};
    if (!(question.fraction > 0))
      question.separation = ldexp(test_random_unit(&state), (int)(test_random(&state) % 40) - 38);
    // One time for all pairs of a block: that of one of them, so that a few are close to theirs.
    const size_t chosen = test_random(&state) % PAIRS;
    const toi_hit first = exact_hit(&b, b.queries[chosen], &question, chosen);
    question.t_max = first.verdict == TOI_HIT && first.t_hi > 0 ? first.t_hi : test_random(&state) % 2 ? 1 : 0.375;
    bool open[PAIRS];
    run_all(&b, &question, open);
    for (size_t i = 0; i < PAIRS; i++) {
      cleared += !open[i];
      asked++;
      if (open[i])
        continue;
      const toi_hit hit = exact_hit(&b, b.queries[i], &question, i);
      if (hit.verdict == TOI_HIT && hit.t_hi <= question.t_max)
        reject(&b, i, &question, "a pair that meets is cleared");
    }
  }
  print_message("%zu of %zu pairs are cleared\n", cleared, asked);
  assert_true(cleared > asked / 50);
}

/* A pair that is cleared with a rounding keeps its fraction on the motion to any positions that are off by no more. */
static void cleared_pairs_may_be_rounded(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1403);
  static block b;
  size_t asked = 0;
  for (uint64_t round = 0; round < test_count(700); round++) {
    b.kind = (toi_kind)(round % TOI_KIND_COUNT);
    b.norm = (toi_norm)(round / TOI_KIND_COUNT % 2);
    block_draw(&b, &state, 0);
    toi_plane_question question = {.fraction = 0.2, .norm = b.norm, .t_max = 1};
    question.rounding = ldexp(1, -(int)(test_random(&state) % 40) - 2);
    bool open[PAIRS];
    run_all(&b, &question, open);
    for (size_t i = 0; i < PAIRS; i++) {
      if (open[i])
        continue;
      const size_t half = 3 * (size_t)toi_kind_points(b.kind);
      const double step = test_random(&state) % 3 ? test_random_unit(&state) : 1;
      double moved[24];
      memcpy(moved, b.queries[i], half * sizeof(double));
      // All of it off, in one direction or the other: that is where rounding brings a pair closest.
      for (size_t j = 0; j < half; j++)
        moved[half + j] = b.queries[i][j] + step * (b.queries[i][half + j] - b.queries[i][j]) +
                          question.rounding * (1 - 0x1p-20) * (test_random(&state) % 2 ? 1 : -1);
      asked++;
      if (exact_hit(&b, moved, &question, i).verdict != TOI_MISS)
        reject(&b, i, &question, "a cleared pair comes too close when it is rounded");
    }
  }
  assert_true(asked > test_count(700) / 4);
}

/* A face that waits at a distance, the vertex stops just beyond: the rounding alone brings it within. */
static void rounding_counts_to_the_last_unit(void **unused) {
  (void)unused;
  static const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static block b = {.kind = TOI_VERTEX_FACE};
  for (int k = 2; k < 40; k++)
    for (int beyond = 0; beyond < 2; beyond++) {
      const double rounding = ldexp(1, -k);
      // The vertex may come down, the face up, by one rounding each: 2 rho in all.
      const double stop = 0.2 + 2 * rounding * (beyond ? 1.01 : 0.99);
      for (size_t i = 0; i < PAIRS; i++) {
        memcpy(b.queries[i], start, sizeof start);
        memcpy(b.queries[i] + 12, start, sizeof start);
        b.queries[i][14] = stop;
      }
      block_lay_out(&b);
      const toi_plane_question question = {.t_max = 1, .fraction = 0.2, .rounding = rounding};
      bool open[PAIRS];
      const size_t left = run_all(&b, &question, open);
      assert_true(left == PAIRS || (beyond && left == 0));
      // Far enough beyond, also for the sum norm that the rounding is bounded in.
      assert_true(!beyond || left == 0);
    }
}

/* --- distances --- */

static void distances_have_the_same_bits_in_all_lanes(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1404);
  static block b;
  static toi_distance_block ones, twos, best;
  size_t settled = 0, asked = 0;
  for (uint64_t round = 0; round < test_count(3000); round++) {
    b.kind = (toi_kind)(round % TOI_KIND_COUNT);
    const int exponent = draw_exponent(&state);
    block_draw(&b, &state, exponent);
    memset(&ones, 0, sizeof ones);
    memset(&twos, 0, sizeof twos);
    memset(&best, 0, sizeof best);
    toi_distance_kernel_scalar(b.kind, &b.mesh, b.pairs, PAIRS, &ones);
    toi_distance_kernel_two(b.kind, &b.mesh, b.pairs, PAIRS, &twos);
    toi_distance_kernel_best(PAIRS)(b.kind, &b.mesh, b.pairs, PAIRS, &best);
    for (size_t i = 0; i < PAIRS; i++) {
      assert_true(ones.settled[i] == twos.settled[i] && ones.settled[i] == best.settled[i]);
      asked += exponent == 0;
      settled += exponent == 0 && ones.settled[i];
      if (!ones.settled[i])
        continue;
      const double one[] = {ones.lo[i], ones.hi[i], ones.u[i], ones.v[i], ones.first[0][i], ones.second[2][i]};
      const double two[] = {twos.lo[i], twos.hi[i], twos.u[i], twos.v[i], twos.first[0][i], twos.second[2][i]};
      const double four[] = {best.lo[i], best.hi[i], best.u[i], best.v[i], best.first[0][i], best.second[2][i]};
      assert_memory_equal(one, two, sizeof one);
      assert_memory_equal(one, four, sizeof one);
    }
  }
  print_message("%zu of %zu distances of ordinary size are settled\n", settled, asked);
  assert_true(settled > asked / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(close_pairs_stay_open),
      cmocka_unit_test(pairs_that_meet_stay_open),
      cmocka_unit_test(cleared_pairs_may_be_rounded),
      cmocka_unit_test(rounding_counts_to_the_last_unit),
      cmocka_unit_test(distances_have_the_same_bits_in_all_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
