/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every claim of the library beside an independent search (dense.h), on random patches of all shapes and degrees: no
 * contact where it says miss, none before t_lo, and one to be seen where it says hit. The search itself is tried on
 * contacts that were planted. */

#include "surface/dense.h"

/* Times closer than this part of the step to t_lo are left to others: the distance there is no larger than rounding. On
 * a lattice curves graze, to the fourth order in time. */
#define TIME_MARGIN 1e-9
#define LATTICE_MARGIN 2e-3

/* Where a hit is proved the two come at least this close, as a part of the largest coordinate. */
#define HIT_CLOSE 1e-11

typedef struct tally {
  double margin;
  size_t verdicts[3], unconfirmed;
} tally;

/* --- the search itself --- */

/* A case with a contact: the second patch is shifted until they meet somewhere. */
static void plant(uint64_t *state, test_case *c) {
  random_mixed_case(state, c);
  dense_point a, b;
  double t = c->t_max * test_random_unit(state);
  double u = test_random_unit(state), v = test_random_unit(state) * (1 - u);
  dense_evaluate(&c->a.patch, u, v, &a);
  dense_evaluate(&c->b.patch, v, u * (1 - v), &b);
  for (int k = 0; k < 3; k++) {
    double shift = a.value[k] + t * a.value[3 + k] - b.value[k] - t * b.value[3 + k];
    for (size_t i = 0; i < patch_count(&c->b); i++)
      c->b.points[i][k] += shift;
  }
}

/* Points against points meet at one time only, and are not found when rounding has moved them apart. */
static void the_search_finds_planted_contacts(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0001), rounds = test_count(1000), found = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    dense_contact contact;
    plant(&seed, &c);
    found += dense_find(dense_ask(&c, 0, c.t_max), &contact);
  }
  print_message("%.1f %% of the planted contacts found\n", 100.0 * (double)found / (double)rounds);
  assert_true((double)found >= 0.97 * (double)rounds - 1);
}

/* --- one answer beside the search --- */

static void check_refuted(const test_case *c, const toi_surface_options *options, const toi_surface_hit *hit,
                          double margin) {
  double end = hit->verdict == TOI_MISS ? c->t_max : hit->t_lo - margin * c->t_max;
  if (!(end > 0))
    return;
  dense_problem q = dense_ask(c, 0, end);
  dense_contact found;
  q.norm = options->norm;
  if (options->min_separation > 0)
    q.goal = options->min_separation * (1 - 1e-9);
  if (!dense_find(q, &found))
    return;
  case_print(c, hit);
  fail_msg("d = %g: they are %g apart at %.17g, a %.17g %.17g, b %.17g %.17g", options->min_separation, found.distance,
           found.t, found.a[0], found.a[1], found.b[0], found.b[1]);
}

static void check_proved(const test_case *c, const toi_surface_options *options, const toi_surface_hit *hit,
                         tally *sum) {
  dense_problem q = dense_ask(c, 0, hit->t_hi);
  dense_contact found;
  q.norm = options->norm;
  q.goal = options->min_separation * (1 + 1e-9) + HIT_CLOSE * dense_scale(c);
  if (dense_confirm(q, hit->a, hit->b, &found))
    return;
  sum->unconfirmed++;
  if (dense_find(q, &found))
    return;
  case_print(c, hit);
  fail_msg("d = %g: no contact seen where one is said to be proved", options->min_separation);
}

static void check(const test_case *c, const toi_surface_options *options, const toi_surface_hit *hit, tally *sum) {
  check_form(c, hit);
  sum->verdicts[hit->verdict]++;
  check_refuted(c, options, hit, sum->margin);
  if (hit->verdict == TOI_HIT)
    check_proved(c, options, hit, sum);
}

static void report(const tally *sum) {
  print_message("%zu misses, %zu hits (%zu seen elsewhere only), %zu near\n", sum->verdicts[TOI_MISS],
                sum->verdicts[TOI_HIT], sum->unconfirmed, sum->verdicts[TOI_NEAR]);
}

/* --- the library --- */

static void nothing_is_missed_among_all_shapes_and_degrees(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0002), rounds = test_count(2000);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  tally sum = {.margin = TIME_MARGIN};
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    options.accept = (toi_accept)(i % 2);
    options.inclusion = (toi_inclusion)(i / 2 % 2);
    // Plain boxes converge slowly: what they claim is checked, not how far they come.
    options.max_checks = options.inclusion == TOI_INCLUSION_AABB ? 4096 : 0;
    toi_surface_hit hit = ask(context, &c, &options);
    check(&c, &options, &hit, &sum);
  }
  report(&sum);
  toi_context_destroy(context);
  // Random patches do not graze; two curves pass each other closely at times.
  assert_true((double)sum.verdicts[TOI_NEAR] <= 0.01 * (double)rounds + 1);
  assert_true((double)sum.unconfirmed <= 0.05 * (double)rounds + 1);
}

static void nothing_is_missed_among_the_types_of_the_paper(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0003), rounds = test_count(250);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (size_t type = 0; type < PATCH_TYPE_COUNT; type++) {
    tally sum = {.margin = TIME_MARGIN};
    for (uint64_t i = 0; i < rounds; i++) {
      test_case c;
      random_paper_case(&seed, patch_types[type].shape, patch_types[type].degree, &c);
      toi_surface_hit hit = ask(context, &c, &options);
      check(&c, &options, &hit, &sum);
    }
    report(&sum);
    assert_true((double)sum.verdicts[TOI_NEAR] <= 0.005 * (double)rounds + 1);
  }
  toi_context_destroy(context);
}

/* Small whole numbers: edges and corners meet exactly, patches are collapsed, coplanar, at relative rest, or touch at
 * the very end. */
static void make_lattice(uint64_t *state, test_patch *p, double height) {
  uint32_t kind = random_below(state, 6), m = 1 + random_below(state, 2), n = 1 + random_below(state, 2);
  if (kind < 2)
    patch_make(p, TOI_PATCH_QUAD, kind == 0 ? m : 0, 0);
  else
    patch_make(p, kind < 4 ? TOI_PATCH_QUAD : TOI_PATCH_TRIANGLE, m, n);
  uint32_t speeds = random_below(state, 2) ? 3 : 1;
  for (size_t i = 0; i < patch_count(p); i++)
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = (double)random_below(state, 3) + (k == 2 ? height : 0);
      p->velocities[i][k] = (double)random_below(state, speeds) - (k == 2 ? height : 0);
    }
}

static void nothing_is_missed_on_a_lattice(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0006), rounds = test_count(1500);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  // Exact touching ends in the budget: what is claimed is checked, not how far it comes.
  options.max_checks = 4096;
  tally sum = {.margin = LATTICE_MARGIN};
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c = {.t_max = 1};
    make_lattice(&seed, &c.a, 0);
    make_lattice(&seed, &c.b, (double)random_below(&seed, 4));
    options.accept = (toi_accept)(i % 2);
    options.inclusion = (toi_inclusion)(i / 2 % 2);
    toi_surface_hit hit = ask(context, &c, &options);
    check(&c, &options, &hit, &sum);
  }
  report(&sum);
  toi_context_destroy(context);
  assert_true(sum.verdicts[TOI_MISS] > 0 && sum.verdicts[TOI_HIT] > 0);
}

static void nothing_comes_within_a_separation_unseen(void **state) {
  (void)state;
  static const double separations[] = {1e-6, 1e-3, 0.05, 0.5};
  uint64_t seed = test_seed(0x5eed0004), rounds = test_count(600);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.max_checks = 8192;
  tally sums[2] = {{.margin = TIME_MARGIN}, {.margin = TIME_MARGIN}};
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    options.norm = (toi_norm)(i % 2);
    options.min_separation = separations[i / 2 % 4];
    toi_surface_hit hit = ask(context, &c, &options);
    check(&c, &options, &hit, &sums[i % 2]);
  }
  report(&sums[0]);
  report(&sums[1]);
  toi_context_destroy(context);
  // Of each norm there are half of them.
  assert_true((double)sums[0].verdicts[TOI_NEAR] <= 0.01 * (double)rounds + 1);
  assert_true((double)sums[1].verdicts[TOI_NEAR] <= 0.02 * (double)rounds + 1);
}

static void swept_boxes_miss_nothing(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0005), rounds = test_count(300);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.method = "swept-boxes";
  options.tolerance = 1e-2;
  options.max_checks = 8192;
  tally sum = {.margin = TIME_MARGIN};
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_mixed_case(&seed, &c);
    options.accept = (toi_accept)(i % 2);
    options.norm = (toi_norm)(i / 2 % 2);
    options.min_separation = i % 3 == 0 ? 0.05 : 0;
    toi_surface_hit hit = ask(context, &c, &options);
    check(&c, &options, &hit, &sum);
  }
  report(&sum);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_search_finds_planted_contacts),
      cmocka_unit_test(nothing_is_missed_among_all_shapes_and_degrees),
      cmocka_unit_test(nothing_is_missed_among_the_types_of_the_paper),
      cmocka_unit_test(nothing_is_missed_on_a_lattice),
      cmocka_unit_test(nothing_comes_within_a_separation_unseen),
      cmocka_unit_test(swept_boxes_miss_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
