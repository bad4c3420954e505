/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Both methods on the real and degenerate queries of the data sets, against their published truth: no contact invented,
 * none missed, none left open; `exact` gives the truth's bracket and `certified` one around it. Skipped where there is
 * no data. */

#include "narrow/asking.h"
#include "narrow/data_sets.h"

typedef struct data_tally {
  size_t queries, hits;
  toi_counters counters;
} data_tally;

/* What is wrong with the answers to one query; NULL if nothing is. */
static const char *fault_of(const toi_truth *truth, size_t i, const toi_hit *certified, const toi_hit *exact) {
  toi_verdict verdict = truth->hit[i] ? TOI_HIT : TOI_MISS;
  if (certified->verdict != verdict || exact->verdict != verdict)
    return truth->hit[i] ? "a contact is missed" : "a contact is invented";
  if (!truth->hit[i])
    return NULL;
  if (exact->t_lo != truth->t_lo[i] || exact->t_hi != truth->t_hi[i])
    return "exact's bracket is not the truth's";
  if (!(certified->t_lo <= truth->t_lo[i] && truth->t_hi[i] <= certified->t_hi))
    return "certified's bracket does not hold the time";
  return certified->t_hi - certified->t_lo <= BRACKET_MOST_WIDE ? NULL : "certified's bracket is too wide";
}

static void check_set(void *user, const data_set *set) {
  data_tally *tally = user;
  size_t count = set->queries.count;
  toi_hit *hits = calloc(2 * count, sizeof(toi_hit));
  assert_non_null(hits);
  asked certified = {.kind = set->file->kind, .count = count, .queries = set->queries.queries};
  ask_batch(set->context, &certified, "certified", &tally->counters, hits);
  ask_batch(set->context, &certified, "exact", NULL, hits + count);
  for (size_t i = 0; i < count; i++) {
    const char *fault = fault_of(&set->truth, i, &hits[i], &hits[count + i]);
    if (fault) {
      test_print_query(set->file->kind, set->queries.queries + 24 * i);
      fail_msg("%s, query %zu: %s", set->file->queries, i, fault);
    }
    tally->hits += set->truth.hit[i];
  }
  tally->queries += count;
  free(hits);
}

static void every_data_set_with_truth_is_decided_rightly(void **test) {
  (void)test;
  data_tally tally = {0};
  size_t files = data_visit(check_set, &tally);
  if (files == 0)
    skip();
  print_message("%zu files, %zu queries, %zu hits:", files, tally.queries, tally.hits);
  for (unsigned level = 0; level <= TOI_LEVEL_EXACT; level++)
    print_message(" %s %zu", toi_level_name(level), (size_t)tally.counters.levels[level]);
  print_message("\n");
  assert_true(tally.hits > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_data_set_with_truth_is_decided_rightly)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
