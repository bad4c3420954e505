/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* How many of 1000 fresh random pairs collide, beside the counts that Chen 2024 published for the same distribution.
 * Pairs that touch at the start are left out, as there. */

#include "surface/cases.h"

/* Both counts are samples, theirs of 1000: of n cases, of which a part p collides, four standard deviations. */
#define DEVIATIONS 4

static void check_type(const patch_type *type, uint64_t *seed) {
  uint64_t rounds = test_count(1000), colliding = 0, near = 0, first = 0;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    random_paper_case(seed, type->shape, type->degree, &c);
    toi_surface_hit hit = ask(context, &c, &options);
    check_form(&c, &hit);
    first += hit.verdict != TOI_MISS && hit.t_lo == 0;
    colliding += hit.verdict == TOI_HIT && hit.t_lo > 0;
    near += hit.verdict == TOI_NEAR;
  }
  toi_context_destroy(context);

  double n = (double)rounds, p = type->colliding / 1000.0, deviation = sqrt(n * p * (1 - p) * (1 + n / 1000));
  print_message("%s: %.0f collide, %.0f expected, deviation %.1f; %.0f near, %.0f at the start\n", type->name,
                (double)colliding, n * p, deviation, (double)near, (double)first);
  assert_true(fabs((double)colliding - n * p) <= DEVIATIONS * deviation);
  assert_true((double)near <= 0.005 * n + 1);
}

static void triangles_and_quads_collide_as_often_as_published(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0011);
  for (size_t type = 0; type < PATCH_TYPE_COUNT; type++)
    check_type(&patch_types[type], &seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_and_quads_collide_as_often_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
