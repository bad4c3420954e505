/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Bodies that follow motions: chains of links against a search in 200 bits, and motions of other steps against closed
 * forms. */

#include "narrow/law_oracle.h"
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

enum { MOST_LINKS = 3 };

/* Two bodies, each at the end of a chain of links. */
typedef struct chains {
  toi_moving_body link[2][MOST_LINKS];
  int count[2];
  toi_kind kind;
  double points[4][3];
} chains;

static chains random_chains(uint64_t *state, int style, toi_kind kind) {
  rotating_case of[MOST_LINKS];
  chains c = {.kind = kind};
  for (int i = 0; i < MOST_LINKS; i++)
    of[i] = case_random(state, style, kind);
  memcpy(c.points, of[0].points, sizeof c.points);
  for (int b = 0; b < 2; b++) {
    c.count[b] = 1 + (int)(test_random(state) % MOST_LINKS);
    for (int i = 0; i < c.count[b]; i++) {
      c.link[b][i] = of[i].body[b];
      c.link[b][i].law = (toi_law)(test_random(state) % 3);
      // Close to each other, so that many touch.
      for (int axis = 0; axis < 3; axis++) {
        c.link[b][i].start.position[axis] *= 0.5;
        c.link[b][i].end.position[axis] *= 0.5;
      }
    }
  }
  return c;
}

static void print_chains(const chains *c) {
  for (int i = 0; i < MOST_LINKS; i++) {
    rotating_case of = {.kind = c->kind};
    for (int b = 0; b < 2; b++)
      of.body[b] = c->link[b][i];
    memcpy(of.points, c->points, sizeof of.points);
    printf("link %d of %d and %d, laws %d %d:\n", i, c->count[0], c->count[1], (int)of.body[0].law,
           (int)of.body[1].law);
    case_print(&of);
  }
}

/* Motions of the links, one after the other; what is a single body at the law of its own now and then stays one. */
static toi_hit ask(const chains *c, bool alone, double separation) {
  toi_motion *motion[2];
  toi_moving_body body[2];
  toi_moving_pair *pair;
  toi_hit hit;
  toi_options options = toi_default_options();
  options.min_separation = separation;
  for (int b = 0; b < 2; b++) {
    assert_int_equal(toi_motion_create(context, &motion[b]), TOI_OK);
    for (int i = 0; i < c->count[b]; i++)
      assert_int_equal(toi_motion_poses(motion[b], &c->link[b][i]), TOI_OK);
    toi_moving_body_init(&body[b], sizeof body[b]);
    body[b].law = TOI_LAW_MOTION;
    body[b].motion = motion[b];
    if (b == 1 && alone && c->count[1] == 1)
      body[1] = c->link[1][0];
  }
  assert_int_equal(toi_moving_pair_create(context, &body[0], &body[1], &pair), TOI_OK);
  assert_int_equal(toi_moving_pair_query(pair, c->kind, c->points, &options, &hit), TOI_OK);
  toi_moving_pair_destroy(pair);
  for (int b = 0; b < 2; b++)
    toi_motion_destroy(motion[b]);
  return hit;
}

typedef struct tally {
  uint64_t queries, hits, near, unknown, wide;
  double widest;
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

static void check(const chains *c, bool alone, double separation, tally *count) {
  const toi_hit hit = ask(c, alone, separation);
  const law_chain chain[2] = {{c->link[0], c->count[0]}, {c->link[1], c->count[1]}};
  const law_query query = law_make_chains(chain, c->kind, c->points);
  double time = NAN;
  const bool touching = hit.verdict == TOI_HIT;
  const bool at_end = separation == 0 && (law_distance(&query, 0).hi <= 1e-12 * query.size ||
                                          law_distance(&query, 1).hi <= 1e-12 * query.size);
  const law_verdict truth = at_end ? LAW_UNKNOWN : law_search(&query, separation, 0, 1, &time);
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
    print_chains(c);
    fail_msg("separation %a: verdict %d in [%a, %a], safe %a, start %d, level %d; search: %d at %a", separation,
             hit.verdict, hit.t_lo, hit.t_hi, hit.t_safe, hit.touching_at_start, hit.level, (int)truth, time);
  }
  count->queries++;
  count->hits += touching;
  count->near += hit.verdict == TOI_NEAR && !at_end;
  count->unknown += truth == LAW_UNKNOWN;
  if (touching && separation == 0 && !at_end) {
    const double before = hit.t_lo - 0x1p-14, width = hit.t_hi - hit.t_lo;
    const bool fast = before >= 0 && law_distance(&query, before).hi * 0x1p14 > 0x1p-6 * query.size;
    count->wide += fast && width > 0x1p-44;
    count->widest = fast ? fmax(count->widest, width) : count->widest;
  }
}

static void run(int style, uint64_t full, bool with_separations, uint64_t seed) {
  uint64_t state = test_seed(seed), rounds = test_count_from(full, 20);
  tally count = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    const chains c = random_chains(&state, style, (toi_kind)(with_separations ? i % 4 : i % 2));
    check(&c, i % 3 == 0, with_separations ? case_between(&state, 0, 0.3) : 0, &count);
  }
  printf(
      "%llu queries: %llu hits, %llu near, %llu not known to the search, %llu brackets too wide, the widest 2^%.1f\n",
      (unsigned long long)count.queries, (unsigned long long)count.hits, (unsigned long long)count.near,
      (unsigned long long)count.unknown, (unsigned long long)count.wide, log2(count.widest));
  assert_true(count.near * 1000 <= count.queries && count.wide == 0);
}

static void chains_that_turn_by_1_radian(void **state) {
  (void)state;
  run(CASE_RANDOM, 300, false, 71);
}

static void chains_that_turn_by_3_radians(void **state) {
  (void)state;
  run(CASE_WIDE, 150, false, 72);
}

static void chains_of_slow_links(void **state) {
  (void)state;
  run(CASE_SLOW, 100, false, 73);
}

static void separations_of_chains(void **state) {
  (void)state;
  run(CASE_RANDOM, 150, true, 74);
}

/* A point meets a face at k / 16: times at which pieces might end. */
static void contacts_at_likely_times(void **state) {
  (void)state;
  for (int k = 1; k < 16; k++)
    for (int law = TOI_LAW_SLERP; law <= TOI_LAW_MOTION; law++) {
      chains c = {
          .count = {1, 1}, .kind = TOI_VERTEX_FACE, .points = {{0.5, 0, 0}, {-9, -9, 0}, {9, -9, 0}, {0, 18, 0}}};
      for (int b = 0; b < 2; b++)
        toi_moving_body_init(&c.link[b][0], sizeof c.link[b][0]);
      toi_moving_body *body = &c.link[0][0];
      body->law = law == TOI_LAW_MOTION ? TOI_LAW_NLERP : (toi_law)law;
      body->end.quaternion[0] = 0.8;
      body->end.quaternion[3] = 0.6;
      body->start.position[2] = k;
      body->end.position[2] = k - 16;
      toi_hit hit;
      if (law == TOI_LAW_MOTION) {
        hit = ask(&c, true, 0);
      } else {
        toi_moving_pair *pair;
        const toi_options options = toi_default_options();
        assert_int_equal(toi_moving_pair_create(context, &c.link[0][0], &c.link[1][0], &pair), TOI_OK);
        assert_int_equal(toi_moving_pair_query(pair, c.kind, (const double(*)[3])c.points, &options, &hit), TOI_OK);
        toi_moving_pair_destroy(pair);
      }
      if (hit.verdict != TOI_HIT || !(hit.t_lo <= k / 16.0 && hit.t_hi >= k / 16.0 && hit.t_hi - hit.t_lo <= 0x1p-48))
        fail_msg("law %d, at %d / 16: verdict %d in [%a, %a]", law, k, hit.verdict, hit.t_lo, hit.t_hi);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_that_turn_by_1_radian), cmocka_unit_test(chains_that_turn_by_3_radians),
      cmocka_unit_test(chains_of_slow_links),         cmocka_unit_test(separations_of_chains),
      cmocka_unit_test(contacts_at_likely_times),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
