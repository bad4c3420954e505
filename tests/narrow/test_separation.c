/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `certified` with a separation, against `exact`: the same verdicts, and brackets around the exact times, on queries
 * made to be hard (separated_queries.h), on planted ones that graze d, and on planted contacts. Where `certified`
 * leaves a query to the integers the two are the same; the counters say how often that was. */

#include <inttypes.h>

#include "narrow/separated_asking.h"
#include "planted/grazing.h"

static separated asked_now;

/* --- queries made to be hard --- */

static const double separations[] = {0x1p-1074, 1e-300, 1e-100, 1e-16, 1e-8, 1e-4, 1e-2, 0.3, 1, 10, 1e300};
static const double fractions[] = {0.2, 0.999, 1, 1.5};
#define SEPARATIONS (sizeof(separations) / sizeof(separations[0]))
#define FRACTIONS (sizeof(fractions) / sizeof(fractions[0]))

static void ask_family(toi_context *context, query_family family, uint64_t *state, size_t rounds,
                       toi_counters *counters) {
  for (size_t round = 0; round < rounds * (SEPARATIONS + FRACTIONS) * 2; round++) {
    size_t which = round / 2 % (SEPARATIONS + FRACTIONS);
    separated *s = &asked_now;
    s->norm = (toi_norm)(round % 2);
    s->d = which < SEPARATIONS ? separations[which] : 0;
    s->fraction = which < SEPARATIONS ? 0 : fractions[which - SEPARATIONS];
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hard_queries_agree_with_the_integers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
