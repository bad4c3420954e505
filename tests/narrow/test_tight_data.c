/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `tight-inclusion` and `interval-queue` on the data sets with truth, at its default tolerance and budget: no contact
 * missed, none before t_lo, the corner contacts that a filter too small would lose among them; and no more answers that
 * are near without a contact than are known. Skipped where there is no data. */

#include <math.h>

#include "narrow/asking.h"
#include "narrow/data_sets.h"

/* Known of the data, at the default tolerance: degenerate queries that pass within it. */
#define NEAR_WITHOUT_CONTACT 629

typedef struct tight_tally {
  size_t queries, hits, near;
  toi_options options;
} tight_tally;

static const char *fault_of(const toi_truth *truth, size_t i, const toi_hit *hit) {
  if (!truth->hit[i])
    return NULL;
  if (hit->verdict != TOI_NEAR)
    return "a contact is missed";
  return hit->t_lo <= truth->t_lo[i] ? NULL : "a contact lies before t_lo";
}

static void check_set(void *user, const data_set *set) {
  tight_tally *tally = user;
  size_t count = set->queries.count;
  toi_hit *hits = calloc(count, sizeof(toi_hit));
  assert_non_null(hits);
  toi_status status = toi_batch(set->context, set->file->kind, set->queries.queries, count, &tally->options, hits);
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(set->context));
  size_t near = 0;
  for (size_t i = 0; i < count; i++) {
    const char *fault = fault_of(&set->truth, i, &hits[i]);
    if (fault) {
      test_print_query(set->file->kind, set->queries.queries + 24 * i);
      fail_msg("%s, query %zu: %s", set->file->queries, i, fault);
    }
    tally->hits += set->truth.hit[i];
    near += !set->truth.hit[i] && hits[i].verdict == TOI_NEAR;
  }
  tally->queries += count;
  tally->near += near;
  free(hits);
}

static size_t near_without_contact(const toi_options *options) {
  tight_tally tally = {.options = *options};
  size_t files = data_visit(check_set, &tally);
  if (files == 0)
    skip();
  print_message("%zu files, %zu queries, %zu hits, near without contact %zu\n", files, tally.queries, tally.hits,
                tally.near);
  assert_true(tally.hits > 0);
  return tally.near;
}

static void no_contact_of_the_data_is_missed_or_before_t_lo(void **test) {
  toi_options options = toi_default_options();
  options.method = *test;
  assert_true(near_without_contact(&options) <= NEAR_WITHOUT_CONTACT);
}

/* The answers may grow vague, but not wrong: few checks, and a scene's filter as large as its coordinates. */
static void a_small_budget_misses_nothing_either(void **test) {
  toi_options options = toi_default_options();
  options.method = *test;
  options.max_checks = 50;
  for (int i = 0; i < 3; i++)
    options.scene_bound[i] = 1e3;
  near_without_contact(&options);
}

static void no_zero_times_miss_nothing_either(void **test) {
  toi_options options = toi_default_options();
  options.method = *test;
  options.max_checks = 1000;
  options.no_zero_toi = true;
  near_without_contact(&options);
}

#define FOR(method, test) cmocka_unit_test_prestate(test, (void *)(uintptr_t)(method))

int main(void) {
  const struct CMUnitTest tests[] = {
      FOR("tight-inclusion", no_contact_of_the_data_is_missed_or_before_t_lo),
      FOR("tight-inclusion", a_small_budget_misses_nothing_either),
      FOR("tight-inclusion", no_zero_times_miss_nothing_either),
      FOR("interval-queue", a_small_budget_misses_nothing_either),
      FOR("interval-queue", no_zero_times_miss_nothing_either),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
