/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `cubic` on the data sets with truth: no contact missed, no time late, no hit without contact, and no more left open
 * than is known. Skipped where there is no data. */

#include "narrow/asking.h"
#include "narrow/data_sets.h"

/* Known of the data: queries without contact that come within rounding of one. */
#define NEAR_WITHOUT_CONTACT 58

typedef struct cubic_tally {
  size_t contacts, proved, open;
} cubic_tally;

static const char *fault_of(const toi_truth *truth, size_t i, const toi_hit *hit) {
  if (!truth->hit[i])
    return hit->verdict == TOI_HIT ? "a contact is invented" : NULL;
  if (hit->verdict == TOI_MISS)
    return "a contact is missed";
  if (!(hit->t_lo <= truth->t_lo[i] && hit->t_safe <= truth->t_lo[i]))
    return "a late time";
  return hit->verdict == TOI_NEAR || hit->t_hi >= truth->t_hi[i] ? NULL : "the bracket ends before the contact";
}

static void check_set(void *user, const data_set *set) {
  cubic_tally *tally = user;
  size_t count = set->queries.count;
  toi_hit *hits = calloc(count, sizeof(toi_hit));
  assert_non_null(hits);
  asked a = {.kind = set->file->kind, .count = count, .queries = set->queries.queries};
  ask_batch(set->context, &a, "cubic", NULL, hits);
  for (size_t i = 0; i < count; i++) {
    const char *fault = fault_of(&set->truth, i, &hits[i]);
    if (fault) {
      test_print_query(a.kind, asked_query(&a, i));
      fail_msg("%s, query %zu: %s", set->file->queries, i, fault);
    }
    tally->contacts += set->truth.hit[i];
    tally->proved += hits[i].verdict == TOI_HIT;
    tally->open += !set->truth.hit[i] && hits[i].verdict == TOI_NEAR;
  }
  free(hits);
}

static void no_contact_of_the_data_is_missed_or_late(void **test) {
  (void)test;
  cubic_tally tally = {0};
  if (data_visit(check_set, &tally) == 0)
    skip();
  print_message("%zu of %zu contacts proved, %zu queries left open without one\n", tally.proved, tally.contacts,
                tally.open);
  assert_true(tally.proved > tally.contacts / 2 && tally.open <= NEAR_WITHOUT_CONTACT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_contact_of_the_data_is_missed_or_late)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
