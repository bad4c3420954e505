/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every method on planted queries that graze a minimum separation, in both norms and of all magnitudes: what comes
 * within d is never a miss, no time is late, a hit is one, and `exact` gives the planted times. */

#include "support/support.h"

#include "planted/grazing.h"

#include <string.h>

/* Whether the method answers with a separation at all. */
static bool separates(toi_context *context, const char *method) {
  toi_options options = toi_default_options();
  options.method = method;
  options.min_separation = 1;
  return toi_batch(context, TOI_VERTEX_FACE, NULL, 0, &options, NULL) == TOI_OK;
}

static const char *fault(const char *method, const planted_query *query, const grazing_group *group,
                         const toi_hit *hit) {
  if (hit->separation != group->separation)
    return "another separation";
  if (!query->hit)
    return hit->verdict == TOI_HIT ? "a hit that is none" : NULL;
  if (hit->verdict == TOI_MISS)
    return "a contact missed";
  if (hit->t_lo > query->t_lo || (hit->verdict == TOI_HIT && hit->t_hi < query->t_hi))
    return "a bracket without the time";
  if (!(hit->t_safe <= hit->t_lo) || (hit->verdict == TOI_HIT && !(hit->t_hi <= 1)))
    return "a time that is none";
  if (strcmp(method, "exact") == 0 && (hit->verdict != TOI_HIT || hit->t_lo != query->t_lo || hit->t_hi != query->t_hi))
    return "not the tightest bracket";
  return NULL;
}

static void ask(toi_context *context, const char *method, uint32_t number, uint64_t count) {
  const uint64_t seed = 20260404;
  for (uint64_t i = 0; i < count; i++) {
    const grazing_group group = grazing_group_make(i % 2 == 0 ? TOI_NORM_L2 : TOI_NORM_LINF, seed, i / 2);
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
      if (!grazing_class_has(number, (toi_kind)kind))
        continue;
      planted_query query;
      grazing_make(number, (toi_kind)kind, &group, seed, i, &query);
      toi_options options = toi_default_options();
      options.method = method;
      options.min_separation = group.separation;
      options.norm = group.norm;
      toi_hit hit;
      assert_int_equal(toi_batch(context, (toi_kind)kind, query.points, 1, &options, &hit), TOI_OK);
      const char *wrong = fault(method, &query, &group, &hit);
      if (wrong != NULL) {
        test_print_query((toi_kind)kind, query.points);
        fail_msg("%s: %s; class %s, norm %d, d %a, seed %llu, index %llu, planted %d [%a, %a], got %d [%a, %a]", method,
                 wrong, grazing_class_name(number), (int)group.norm, group.separation, (unsigned long long)seed,
                 (unsigned long long)i, query.hit, query.t_lo, query.t_hi, hit.verdict, hit.t_lo, hit.t_hi);
      }
    }
  }
}

static void no_method_errs_on_distances_that_graze_d(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  size_t asked = 0;
  for (size_t m = 0; toi_method_name(m) != NULL; m++) {
    const char *method = toi_method_name(m);
    if (!separates(context, method))
      continue;
    asked++;
    // Its boxes take their time where nothing can be refuted.
    const bool slow = strcmp(method, "tight-inclusion") == 0 || strcmp(method, "interval-queue") == 0;
    for (uint32_t number = 0; number < grazing_class_count(); number++)
      ask(context, method, number, slow ? 4 : test_count(TEST_SANITIZED ? 20 : 200));
  }
  assert_true(asked >= 4);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_method_errs_on_distances_that_graze_d),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
