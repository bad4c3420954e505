/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `certified` with a separation, against `exact`: the same verdicts, and brackets around the exact times, on queries
 * made to be hard (separated_queries.h), on planted ones that graze d, and on planted contacts. Where `certified`
 * leaves a query to the integers the two are the same; the counters say how often that was. */

#include <inttypes.h>

#include "narrow/data_sets.h"
#include "narrow/hull.h"
#include "narrow/kernel.h"
#include "narrow/separated_asking.h"
#include "planted/grazing.h"

static separated asked_now;

/* --- queries made to be hard --- */

static const double separations[] = {0x1p-1074, 1e-300, 1e-100, 1e-16, 1e-8, 1e-4, 1e-2, 0.3, 1, 10, 1e300};
static const double fractions[] = {0.2, 0.999, 1, 1.5};
/* Both: distances at the start below the first, about it, and far above. */
static const double both[][2] = {{0.3, 0.2}, {0.3, 0.999}, {1e-8, 0.5}, {1, 0.1}, {1e-300, 0.7}, {10, 0.5}, {0.1, 1.5}};
#define SEPARATIONS (sizeof(separations) / sizeof(separations[0]))
#define FRACTIONS (sizeof(fractions) / sizeof(fractions[0]))
#define WAYS (SEPARATIONS + FRACTIONS + sizeof(both) / sizeof(both[0]))

/* What a kernel says is farther than d is so. */
static void check_kernels(const separated *s) {
  uint8_t codes[SEPARATED_MOST], miss[2][SEPARATED_MOST];
  double d[SEPARATED_MOST];
  uint32_t numbers[SEPARATED_MOST];
  int corners = (int)toi_corner_count(s->kind);
  for (size_t i = 0; i < s->count; i++) {
    numbers[i] = (uint32_t)i;
    d[i] = s->exact[i].separation;
  }
  toi_rows rows = {s->queries, 24, numbers, s->count};
  toi_kernels_scalar.filter_separated(corners, s->queries, d, s->count, codes);
  toi_kernels_scalar.projection_separated(corners, &rows, d, miss[0]);
  toi_kernels_scalar.planes(corners, &rows, d, s->norm == TOI_NORM_LINF, miss[1]);
  for (size_t i = 0; i < s->count; i++)
    if (s->exact[i].verdict != TOI_MISS && (codes[i] != TOI_FILTER_OPEN || miss[0][i] || miss[1][i]))
      separated_complain(s, i, "a kernel misses a contact");
}

static void ask_family(toi_context *context, query_family family, uint64_t *state, size_t rounds,
                       toi_counters *counters) {
  for (size_t round = 0; round < rounds * WAYS * 2; round++) {
    size_t which = round / 2 % WAYS;
    separated *s = &asked_now;
    s->norm = (toi_norm)(round % 2);
    s->d = which < SEPARATIONS ? separations[which] : 0;
    s->fraction = which < SEPARATIONS || which >= SEPARATIONS + FRACTIONS ? 0 : fractions[which - SEPARATIONS];
    if (which >= SEPARATIONS + FRACTIONS) {
      s->d = both[which - SEPARATIONS - FRACTIONS][0];
      s->fraction = both[which - SEPARATIONS - FRACTIONS][1];
    }
    for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
      s->kind = (toi_kind)kind;
      s->count = 0;
      s->counters = (toi_counters){0};
      while (s->count < (kind < 2 ? 12 : 6)) {
        query_draft draft = {.state = state, .kind = s->kind, .norm = s->norm};
        draft_make(family, &draft, s->d > 0 ? s->d : 0.3);
        separated_add(s, draft.query);
      }
      separated_ask(context, s);
      separated_check(s);
      if (kind <= TOI_EDGE_EDGE)
        check_kernels(s);
      for (int level = 0; level < TOI_LEVEL_COUNT; level++)
        counters->levels[level] += s->counters.levels[level];
      counters->queries += s->counters.queries;
      counters->verdicts[TOI_HIT] += s->counters.verdicts[TOI_HIT];
    }
  }
}

static void hard_queries_agree_with_the_integers(void **test) {
  (void)test;
  static const char *const names[QUERY_FAMILIES] = {"spread", "short", "lattice", "near a lattice",
                                                    "thin",   "slow",  "planted"};
  uint64_t state = test_seed(501);
  toi_context *context = test_context(1);
  for (int family = 0; family < QUERY_FAMILIES; family++) {
    toi_counters counters = {0};
    ask_family(context, (query_family)family, &state, test_count(3), &counters);
    print_message("%s: %" PRIu64 " queries, %" PRIu64 " hits, %" PRIu64 " left to the integers\n", names[family],
                  counters.queries, counters.verdicts[TOI_HIT], counters.levels[TOI_LEVEL_EXACT]);
    assert_true(counters.verdicts[TOI_HIT] > 0 && counters.levels[TOI_LEVEL_PLANE] > 0);
  }
  toi_context_destroy(context);
}

/* --- planted --- */

static void check_planted(const separated *s, const planted_query *truth) {
  separated_check(s);
  for (size_t i = 0; i < s->count; i++) {
    const toi_hit *e = &s->exact[i];
    if ((e->verdict == TOI_HIT) != truth[i].hit)
      separated_complain(s, i, "not what was planted");
    if (truth[i].hit && truth[i].time_known && (e->t_lo != truth[i].t_lo || e->t_hi != truth[i].t_hi))
      separated_complain(s, i, "not when it was planted");
  }
}

static void distances_that_graze_d_are_told_from_those_that_do_not(void **test) {
  (void)test;
  static planted_query truth[16];
  uint64_t seed = test_seed(502), count = 0, exact = 0;
  toi_context *context = test_context(1);
  separated *s = &asked_now;
  for (uint64_t number = 0; number < test_count(24); number++) {
    const grazing_group group = grazing_group_make((toi_norm)(number % 2), seed, number / 2);
    s->norm = group.norm;
    s->d = group.separation;
    s->fraction = 0;
    for (uint32_t class = 0; class < grazing_class_count(); class ++)
      for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
        if (!grazing_class_has(class, (toi_kind)kind))
          continue;
        s->kind = (toi_kind)kind;
        s->count = 0;
        s->counters = (toi_counters){0};
        for (uint64_t i = 0; i < 16; i++) {
          grazing_make(class, s->kind, &group, seed, 16 * number + i, &truth[i]);
          separated_add(s, truth[i].points);
        }
        separated_ask(context, s);
        check_planted(s, truth);
        count += s->count;
        exact += s->counters.levels[TOI_LEVEL_EXACT];
      }
  }
  print_message("%" PRIu64 " queries, %" PRIu64 " left to the integers\n", count, exact);
  assert_true(exact < count);
  toi_context_destroy(context);
}

/* With a d that is smaller than any distance of these, the answers are those of contact; with any d, contacts remain.
 */
static void contacts_are_within_any_distance(void **test) {
  (void)test;
  static const double some[] = {0x1p-1074, 1e-300, 1e-30, 1e-12, 0.01, 1, 1e10};
  static planted_query truth[64];
  uint64_t seed = test_seed(503);
  toi_context *context = test_context(1);
  separated *s = &asked_now;
  for (uint64_t round = 0; round < test_count(7 * 4); round++) {
    s->norm = (toi_norm)(round % 2);
    s->d = some[round % 7];
    s->fraction = 0;
    for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++) {
      s->kind = (toi_kind)kind;
      s->count = 0;
      for (uint64_t i = 0; i < 64; i++) {
        planted_mixed(s->kind, seed, 64 * round + i, &truth[i]);
        separated_add(s, truth[i].points);
      }
      separated_ask(context, s);
      separated_check(s);
      for (size_t i = 0; i < s->count; i++) {
        const toi_hit *c = &s->certified[i];
        if (truth[i].hit && (c->verdict != TOI_HIT || (truth[i].time_known && c->t_lo > truth[i].t_hi)))
          separated_complain(s, i, "a contact that is not within d, or later");
      }
    }
  }
  toi_context_destroy(context);
}

/* --- real queries --- */

static void visit_set(void *user, const data_set *set) {
  static const double some[] = {1e-2, 1e-8, 1e-100};
  uint64_t *count = user;
  separated *s = &asked_now;
  s->kind = set->file->kind;
  s->fraction = 0;
  size_t blocks = (set->queries.count + 63) / 64, step = (size_t)(1 + (double)blocks / (double)test_count(2));
  for (size_t block = 0; block < blocks; block += step)
    for (int which = 0; which < 6; which++) {
      s->d = some[which % 3];
      s->norm = (toi_norm)(which / 3);
      s->count = 0;
      for (size_t i = 64 * block; i < 64 * block + 64 && i < set->queries.count; i++)
        separated_add(s, set->queries.queries + row_of(s->kind) * i);
      separated_ask(set->context, s);
      separated_check(s);
      *count += s->count;
    }
}

static void real_queries_agree_with_the_integers(void **test) {
  (void)test;
  uint64_t count = 0;
  if (data_visit(visit_set, &count) == 0)
    skip();
  print_message("%" PRIu64 " queries\n", count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_queries_agree_with_the_integers),
      cmocka_unit_test(distances_that_graze_d_are_told_from_those_that_do_not),
      cmocka_unit_test(contacts_are_within_any_distance),
      cmocka_unit_test(real_queries_agree_with_the_integers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
