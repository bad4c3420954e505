/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies that turn at a constant rate, and separations under every law: against a search in 200 bits. */

#include "narrow/law_oracle.h"
#include "narrow/moving_pair.h"
#include "narrow/rotating_cases.h"

static toi_context *context;

static int set_up(void **state) {
  (void)state;
  context = test_context(1);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  toi_context_destroy(context);
  law_free();
  return 0;
}

static const char *const law_names[] = {"nlerp", "slerp", "screw"};

static void print_case(const rotating_case *c) {
  case_print(c);
  printf("  laws %s, %s\n", law_names[c->body[0].law], law_names[c->body[1].law]);
}

static toi_hit ask(const rotating_case *c, double separation) {
  toi_moving_pair *pair;
  toi_hit hit;
  toi_options options = toi_default_options();
  options.min_separation = separation;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  assert_int_equal(toi_moving_pair_query(pair, c->kind, c->points, &options, &hit), TOI_OK);
  toi_moving_pair_destroy(pair);
  return hit;
}

typedef struct tally {
  uint64_t queries, hits, near, unknown, wrong_hits, wide;
} tally;

/* Whether the coplanarity changes its sign in a bracket, or vanishes at an end of it. */
static bool changes(const law_query *query, const double bracket[2]) {
  const int mark = law_used;
  mpfr_ptr t = law_new();
  double value;
  mpfr_set_d(t, bracket[0], MPFR_RNDN);
  const int before = law_sign(query, t, &value, NULL);
  mpfr_set_d(t, bracket[1], MPFR_RNDN);
  const int after = law_sign(query, t, &value, NULL);
  law_used = mark;
  return before * after <= 0;
}

/* Whether they touch at the start, or at the end, in integers: laws do not matter there. */
static bool touch_at(const rotating_case *c, bool end) {
  rotating_case still = *c;
  for (int b = 0; b < 2; b++) {
    still.body[b].law = TOI_LAW_NLERP;
    if (end)
      still.body[b].start = still.body[b].end;
  }
  return case_ask(context, &still, "exact").touching_at_start;
}

static void check_ends(const rotating_case *c, const toi_hit *hit) {
  const bool start = touch_at(c, false), end = touch_at(c, true);
  if (start == (bool)hit->touching_at_start && (!end || hit->verdict == TOI_HIT))
    return;
  print_case(c);
  fail_msg("touching at the start %d, at the end %d; answered %d, at the start %d", start, end, hit->verdict,
           hit->touching_at_start);
}

static void check(const rotating_case *c, double separation, tally *count) {
  const toi_hit hit = ask(c, separation);
  if (separation == 0)
    check_ends(c, &hit);
  const law_query query = law_make(c->body, c->kind, c->points);
  double time = NAN;
  // The search sees nothing of contacts that are only just there at an end.
  const bool at_end = separation == 0 && hit.verdict == TOI_HIT && (hit.touching_at_start || hit.t_hi == 1) &&
                      law_distance(&query, hit.touching_at_start ? 0 : 1).hi <= 1e-13 * query.size;
  const law_verdict truth = at_end ? LAW_UNKNOWN : law_search(&query, separation, 0, 1, &time);
  const bool touching = hit.verdict == TOI_HIT;
  const double bracket[2] = {hit.t_lo, hit.t_hi};
  bool wrong = (truth == LAW_APART && touching) || (truth == LAW_TOUCH && hit.verdict == TOI_MISS);
  if (truth == LAW_TOUCH)
    wrong |= !(hit.t_lo <= time + 1e-11) || (touching && separation == 0 && !(hit.t_hi >= time - 1e-11)) ||
             !(hit.t_safe <= time + 1e-11);
  if (touching && separation == 0 && !at_end && toi_kind_points(c->kind) == 4)
    wrong |= !changes(&query, bracket);
  if (touching && separation > 0)
    wrong |= law_distance(&query, hit.t_hi).lo > separation;
  if (touching && separation > 0 && hit.t_safe > 0)
    wrong |= law_distance(&query, hit.t_safe).hi < separation;
  if (wrong) {
    print_case(c);
    fail_msg("separation %a: verdict %d in [%a, %a], safe %a, start %d, level %d; search: %d at %a", separation,
             hit.verdict, hit.t_lo, hit.t_hi, hit.t_safe, hit.touching_at_start, hit.level, (int)truth, time);
  }
  count->queries++;
  count->hits += touching;
  count->near += hit.verdict == TOI_NEAR;
  count->unknown += truth == LAW_UNKNOWN;
  // How fast they meet, per step, from their distance a little before.
  const double before = hit.t_lo - 0x1p-14;
  count->wide += touching && separation == 0 && !at_end && before >= 0 && hit.t_hi - hit.t_lo > 0x1p-44 &&
                 law_distance(&query, before).hi * 0x1p14 > 0x1p-6 * query.size;
}

static void report(const tally *count) {
  printf("%llu queries: %llu hits, %llu near, %llu not known to the search, %llu brackets too wide\n",
         (unsigned long long)count->queries, (unsigned long long)count->hits, (unsigned long long)count->near,
         (unsigned long long)count->unknown, (unsigned long long)count->wide);
}

/* Every pair of laws, but for `rational` ones. */
static void set_laws(rotating_case *c, uint64_t number, bool rational) {
  static const toi_law laws[9][2] = {{1, 1}, {1, 0}, {0, 1}, {2, 2}, {2, 0}, {1, 2}, {2, 1}, {0, 2}, {0, 0}};
  const toi_law *own = laws[number % (rational ? 9 : 8)];
  c->body[0].law = own[0];
  c->body[1].law = own[1];
}

static void run(int style, uint64_t full, bool with_separations, uint64_t seed) {
  uint64_t state = test_seed(seed), rounds = test_count_from(full, 40);
  tally count = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&state, style, (toi_kind)(with_separations ? i % 4 : i % 2));
    set_laws(&c, i / 4, with_separations);
    check(&c, with_separations ? case_between(&state, 0, 0.3) : 0, &count);
  }
  report(&count);
  // Slivers, and edges that are nearly parallel, have no good normal.
  assert_true(count.wide * 1000 <= count.queries && count.near * 1000 <= count.queries);
}

static void constant_rate_by_1_radian(void **state) {
  (void)state;
  run(CASE_RANDOM, 2000, false, 61);
}

static void constant_rate_by_3_radians(void **state) {
  (void)state;
  run(CASE_WIDE, 2000, false, 62);
}

/* One body turns by slerp, neither moves: as nlerp, in integers, at other times. */
static void what_only_turns_is_decided(void **state) {
  (void)state;
  uint64_t random = test_seed(65), rounds = test_count_from(2000, 200), hits = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random,
                                  i % 3 == 0   ? CASE_MIXED
                                  : i % 3 == 1 ? CASE_WIDE
                                               : CASE_PIVOT,
                                  (toi_kind)(i % 4));
    const int turning = (int)(i / 4 % 2);
    toi_moving_body *still = &c.body[!turning];
    for (int b = 0; b < 2; b++)
      memcpy(c.body[b].end.position, c.body[b].start.position, sizeof c.body[b].end.position);
    memcpy(still->end.quaternion, still->start.quaternion, sizeof still->end.quaternion);
    const toi_hit plain = case_ask(context, &c, "exact");
    c.body[0].law = c.body[1].law = TOI_LAW_SLERP;
    const toi_hit hit = ask(&c, 0);
    const law_query query = law_make(c.body, c.kind, (const double(*)[3])c.points);
    const double bracket[2] = {hit.t_lo, hit.t_hi};
    if (hit.verdict != plain.verdict || hit.touching_at_start != plain.touching_at_start ||
        (hit.verdict == TOI_HIT && !(hit.t_lo <= hit.t_hi && hit.t_hi - hit.t_lo <= 0x1p-46)) ||
        (hit.verdict == TOI_HIT && law_distance(&query, hit.t_hi).lo > 1e-11 * query.size)) {
      print_case(&c);
      fail_msg("nlerp %d, slerp %d in [%a, %a]", plain.verdict, hit.verdict, bracket[0], bracket[1]);
    }
    hits += hit.verdict == TOI_HIT;
  }
  printf("%llu hits\n", (unsigned long long)hits);
  assert_true(hits > rounds / 10);
}

/* Both turn by slerp at the same rate, neither moves: likewise. The second one's quaternions are those of the first
 * multiplied by another one, by reordering components, so that no rounding makes their angles differ; and by a number.
 */
static void equal_rates_are_decided(void **state) {
  (void)state;
  uint64_t random = test_seed(66), rounds = test_count_from(1000, 100), hits = 0, decided = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, i % 2 == 0 ? CASE_WIDE : CASE_MIXED, (toi_kind)(i % 4));
    const double factor = i % 3 == 0 ? 1 : i % 3 == 1 ? -4 : 0.25;
    for (int b = 0; b < 2; b++)
      for (int axis = 0; axis < 3; axis++)
        c.body[b].start.position[axis] *= 0.25;
    for (int b = 0; b < 2; b++)
      memcpy(c.body[b].end.position, c.body[b].start.position, sizeof c.body[b].end.position);
    for (int end = 0; end < 2; end++) {
      const double *q = end == 0 ? c.body[0].start.quaternion : c.body[0].end.quaternion;
      const double turned[4] = {q[1], -q[0], q[3], -q[2]};
      double *to = end == 0 ? c.body[1].start.quaternion : c.body[1].end.quaternion;
      for (int k = 0; k < 4; k++)
        to[k] = factor * turned[k];
    }
    const toi_hit plain = case_ask(context, &c, "exact");
    c.body[0].law = c.body[1].law = TOI_LAW_SLERP;
    const toi_hit hit = ask(&c, 0);
    const law_query query = law_make(c.body, c.kind, (const double(*)[3])c.points);
    if (hit.verdict != plain.verdict || hit.touching_at_start != plain.touching_at_start ||
        (hit.verdict == TOI_HIT && !(hit.t_lo <= hit.t_hi && hit.t_hi - hit.t_lo <= 0x1p-46)) ||
        (hit.verdict == TOI_HIT && law_distance(&query, hit.t_hi).lo > 1e-11 * query.size)) {
      print_case(&c);
      fail_msg("nlerp %d, slerp %d in [%a, %a]", plain.verdict, hit.verdict, hit.t_lo, hit.t_hi);
    }
    hits += hit.verdict == TOI_HIT;
    // As they are given: the shorter way may have changed a sign in one of them.
    decided += toi_quaternions_turn_alike(&c.body[0], &c.body[1]);
    // Rates that differ in the last digit are not the same.
    const bool turns = memcmp(c.body[0].start.quaternion, c.body[0].end.quaternion, sizeof(double[4])) != 0;
    c.body[1].end.quaternion[0] = nextafter(c.body[1].end.quaternion[0], 9);
    assert_true(!turns || !toi_quaternions_turn_alike(&c.body[0], &c.body[1]));
  }
  printf("%llu hits, %llu of equal rates as given\n", (unsigned long long)hits, (unsigned long long)decided);
  assert_true(hits > rounds / 100 && decided > rounds / 4);
}

static void separations_by_1_radian(void **state) {
  (void)state;
  run(CASE_RANDOM, 1000, true, 63);
}

static void separations_by_3_radians(void **state) {
  (void)state;
  run(CASE_WIDE, 1000, true, 64);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_rate_by_1_radian),  cmocka_unit_test(constant_rate_by_3_radians),
      cmocka_unit_test(what_only_turns_is_decided), cmocka_unit_test(equal_rates_are_decided),
      cmocka_unit_test(separations_by_1_radian),    cmocka_unit_test(separations_by_3_radians),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
