/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `time-inclusion` on the data sets with truth, with both inclusions: no contact missed, none before t_lo, and no more
 * answers that are near without a contact than are known. With a separation the truth is the answer of `exact`, which
 * is asked about some of the queries. Skipped where there is no data. */

#include <math.h>

#include "narrow/asking.h"
#include "narrow/data_sets.h"

/* Known of the data, at the default tolerance: gaps that rounding hides; with plain boxes, ones below the tolerance. */
#define NEAR_WITHOUT_CONTACT_OBB 85
#define NEAR_WITHOUT_CONTACT_AABB 336

/* With a separation, of so many queries one. */
#define EXACT_EVERY 37

typedef struct data_tally {
  size_t queries, hits, invented;
  toi_options options;
} data_tally;

static toi_hit *answer_all(const data_set *set, const double *queries, size_t count, const toi_options *options) {
  toi_hit *hits = calloc(count, sizeof(toi_hit));
  assert_non_null(hits);
  if (toi_batch(set->context, set->file->kind, queries, count, options, hits) != TOI_OK)
    fail_msg("%s", toi_context_error(set->context));
  return hits;
}

/* One answer beside the truth: first contact at t_lo or just behind it. */
static void check_one(data_tally *tally, const data_set *set, const double *query, const toi_hit *hit, double t_lo) {
  bool touches = t_lo <= 1;
  if (touches && (hit->verdict == TOI_MISS || hit->t_lo > t_lo)) {
    test_print_query(set->file->kind, query);
    fail_msg("%s: %s from %a, contact from %a", set->file->queries, toi_verdict_name((toi_verdict)hit->verdict),
             hit->t_lo, t_lo);
  }
  tally->queries++;
  tally->hits += touches;
  tally->invented += !touches && hit->verdict != TOI_MISS;
}

static void check_set(void *user, const data_set *set) {
  data_tally *tally = user;
  toi_hit *hits = answer_all(set, set->queries.queries, set->queries.count, &tally->options);
  for (size_t i = 0; i < set->queries.count; i++)
    check_one(tally, set, set->queries.queries + 24 * i, &hits[i], set->truth.hit[i] ? set->truth.t_lo[i] : INFINITY);
  free(hits);
}

static void check_separated_set(void *user, const data_set *set) {
  data_tally *tally = user;
  toi_options exactly = tally->options;
  exactly.method = "exact";
  for (size_t i = 0; i < set->queries.count; i += EXACT_EVERY) {
    const double *query = set->queries.queries + 24 * i;
    toi_hit *hit = answer_all(set, query, 1, &tally->options), *truth = answer_all(set, query, 1, &exactly);
    check_one(tally, set, query, hit, truth->t_lo);
    free(hit);
    free(truth);
  }
}

static data_tally visit(void (*check)(void *, const data_set *), toi_inclusion inclusion, toi_norm norm, double d) {
  data_tally tally = {.options = toi_default_options()};
  tally.options.method = "time-inclusion";
  tally.options.inclusion = inclusion;
  tally.options.norm = norm;
  tally.options.min_separation = d;
  size_t files = data_visit(check, &tally);
  if (files == 0)
    skip();
  print_message("%zu files, %zu queries, %zu hits, near without contact %zu\n", files, tally.queries, tally.hits,
                tally.invented);
  assert_true(tally.hits > 0);
  return tally;
}

static void oriented_boxes_miss_nothing_and_invent_little(void **test) {
  (void)test;
  assert_true(visit(check_set, TOI_INCLUSION_OBB, TOI_NORM_L2, 0).invented <= NEAR_WITHOUT_CONTACT_OBB);
}

static void plain_boxes_miss_nothing_and_invent_little(void **test) {
  (void)test;
  assert_true(visit(check_set, TOI_INCLUSION_AABB, TOI_NORM_L2, 0).invented <= NEAR_WITHOUT_CONTACT_AABB);
}

static void separations_of_the_data_are_not_missed(void **test) {
  (void)test;
  static const double separations[] = {1e-2, 1e-4, 1e-8, 1e-16, 1e-100};
  for (size_t i = 0; i < 5; i++)
    for (int norm = 0; norm < 2; norm++)
      visit(check_separated_set, (toi_inclusion)(i % 2), (toi_norm)norm, separations[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oriented_boxes_miss_nothing_and_invent_little),
      cmocka_unit_test(plain_boxes_miss_nothing_and_invent_little),
      cmocka_unit_test(separations_of_the_data_are_not_missed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
