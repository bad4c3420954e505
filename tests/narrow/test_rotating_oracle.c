/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives of turning bodies against an independent decision in rational arithmetic: `exact` and `certified`, verdict
 * and bracket, in every kind of position. */

#include <math.h>

#include "narrow/rotating_cases.h"
#include "narrow/rotating_oracle.h"

static toi_context *context;

static int set_up(void **state) {
  (void)state;
  toi_context_options options = toi_default_context_options();
  options.threads = 1;
  return toi_context_create(&options, &context) != TOI_OK;
}

static int tear_down(void **state) {
  (void)state;
  toi_context_destroy(context);
  oracle_free();
  return 0;
}

/* Whether an answer of `exact` is the oracle's. */
static bool agrees(const toi_hit *hit, const oracle_answer *truth) {
  if (hit->verdict != (truth->touching ? TOI_HIT : TOI_MISS))
    return false;
  if (!truth->touching)
    return hit->t_safe == 1;
  if (truth->before || !truth->between || truth->at_start != (bool)hit->touching_at_start)
    return false;
  if (hit->t_lo != hit->t_hi && nextafter(hit->t_lo, 2) != hit->t_hi)
    return false;
  return truth->at_start ? hit->t_safe == 0 : hit->t_safe < hit->t_hi;
}

/* Whether an answer of `certified` is right, given that of `exact`. */
static bool contains(const toi_hit *hit, const toi_hit *exact) {
  if (hit->verdict != exact->verdict || hit->touching_at_start != exact->touching_at_start)
    return false;
  if (hit->verdict == TOI_MISS)
    return hit->t_safe == 1;
  return hit->t_lo <= exact->t_lo && exact->t_hi <= hit->t_hi && hit->t_hi - hit->t_lo <= 0x1p-48 &&
         hit->t_safe <= exact->t_safe;
}

typedef struct tally {
  uint64_t queries, hits, exact_level;
} tally;

/* `exact` against the oracle, `certified` against `exact`. */
static void check(const rotating_case *c, bool thorough, tally *count) {
  const toi_hit exact = case_ask(context, c, "exact"), hit = case_ask(context, c, "certified");
  const bool touching = exact.verdict == TOI_HIT;
  const double bracket[2] = {touching ? exact.t_lo : 0, touching ? exact.t_hi : 1};
  const oracle_answer truth = oracle_ask(c->body, c->kind, c->points, thorough, bracket);
  if (!agrees(&exact, &truth)) {
    case_print(c);
    fail_msg("exact: verdict %d in [%a, %a], start %d, safe %a; oracle: touching %d, at start %d, before %d, in it %d",
             exact.verdict, exact.t_lo, exact.t_hi, exact.touching_at_start, exact.t_safe, truth.touching,
             truth.at_start, truth.before, truth.between);
  }
  if (!contains(&hit, &exact)) {
    case_print(c);
    fail_msg("certified: verdict %d in [%a, %a], start %d, safe %a; exact: %d in [%a, %a]", hit.verdict, hit.t_lo,
             hit.t_hi, hit.touching_at_start, hit.t_safe, exact.verdict, exact.t_lo, exact.t_hi);
  }
  count->hits += touching;
  count->exact_level += hit.level == TOI_LEVEL_EXACT;
  count->queries++;
}

static void run_style(int style, uint64_t full, uint64_t seed) {
  uint64_t state = test_seed(seed), rounds = test_count(full);
  tally count = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    // Faces and edges three times as often as what touches by design only.
    static const toi_kind kinds[8] = {TOI_VERTEX_FACE, TOI_EDGE_EDGE, TOI_VERTEX_FACE, TOI_EDGE_EDGE,
                                      TOI_VERTEX_FACE, TOI_EDGE_EDGE, TOI_VERTEX_EDGE, TOI_VERTEX_VERTEX};
    const rotating_case c = case_random(&state, style, kinds[i % 8]);
    check(&c, i % 64 == 0, &count);
  }
  printf("%llu queries, %llu hits, %llu by integers\n", (unsigned long long)count.queries,
         (unsigned long long)count.hits, (unsigned long long)count.exact_level);
}

#define STYLE(name, style, full)                                                                                       \
  static void name(void **state) {                                                                                     \
    (void)state;                                                                                                       \
    run_style(style, full, 20 + (style));                                                                              \
  }
STYLE(any_poses, CASE_RANDOM, 1000)
STYLE(slow_turns, CASE_SLOW, 500)
STYLE(turns_up_to_3_radians, CASE_WIDE, 500)
STYLE(small_integers, CASE_GRID, 2000)
STYLE(sliding_in_a_plane, CASE_SLIDING, 100)
STYLE(pivot_on_the_other_body, CASE_PIVOT, 200)
STYLE(parallel_edges, CASE_PARALLEL, 500)
STYLE(contact_at_the_ends, CASE_ENDS, 2000)
STYLE(quaternions_of_any_length, CASE_MIXED, 500)

static void all_magnitudes(void **state) {
  (void)state;
  uint64_t random = test_seed(40), rounds = test_count(50);
  tally count = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, (int)(i % CASE_STYLES), (toi_kind)(i / CASE_STYLES % TOI_KIND_COUNT));
    int range = i % 2 == 0 ? 990 : 120;
    c = case_scaled(&c, (int)case_small(&random, range), (int)case_small(&random, range),
                    (int)case_small(&random, range));
    // Now and then a coordinate, or a component of a quaternion, of quite another size.
    if (i % 3 == 0)
      c.points[test_random(&random) % 4][test_random(&random) % 3] *= ldexp(1, (int)case_small(&random, 60));
    if (i % 5 == 0)
      c.body[i % 2].end.quaternion[test_random(&random) % 4] *= ldexp(1, (int)case_small(&random, 30));
    bool finite = true;
    for (int j = 0; j < 12; j++)
      finite = finite && isfinite(c.points[j / 3][j % 3]);
    double square = 0;
    for (int j = 0; j < 4; j++)
      square += fabs(c.body[i % 2].end.quaternion[j]);
    if (finite && isfinite(square) && square > 0)
      check(&c, false, &count);
  }
  printf("%llu queries, %llu hits, %llu by integers\n", (unsigned long long)count.queries,
         (unsigned long long)count.hits, (unsigned long long)count.exact_level);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_poses),
      cmocka_unit_test(slow_turns),
      cmocka_unit_test(turns_up_to_3_radians),
      cmocka_unit_test(small_integers),
      cmocka_unit_test(sliding_in_a_plane),
      cmocka_unit_test(pivot_on_the_other_body),
      cmocka_unit_test(parallel_edges),
      cmocka_unit_test(contact_at_the_ends),
      cmocka_unit_test(quaternions_of_any_length),
      cmocka_unit_test(all_magnitudes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
