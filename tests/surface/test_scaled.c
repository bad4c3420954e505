/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scaled models: exact for powers of two, within the error claimed in rational numbers for other factors, down to the
 * smallest numbers. */

#include "support/files.h"
#include "support/support.h"
#include "surface/builder.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

#define POINTS 16

/* |given - factor from| <= bound - factor before. */
static void expect_within(const double *given, const double *from, double factor, double before, double bound) {
  mpq_t exact, term, square, limit;
  mpq_inits(exact, term, square, limit, NULL);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(exact, from[k]);
    mpq_set_d(term, factor);
    mpq_mul(exact, exact, term);
    mpq_set_d(term, given[k]);
    mpq_sub(exact, exact, term);
    mpq_mul(exact, exact, exact);
    mpq_add(square, square, exact);
  }
  mpq_set_d(limit, factor);
  mpq_set_d(term, before);
  mpq_mul(term, term, limit);
  mpq_set_d(limit, bound);
  mpq_sub(limit, limit, term);
  if (mpq_sgn(limit) < 0)
    fail_msg("factor %a: the error %a became %a", factor, before, bound);
  mpq_mul(limit, limit, limit);
  if (mpq_cmp(square, limit) > 0)
    fail_msg("factor %a: (%a, %a, %a) is not within %a", factor, given[0], given[1], given[2], bound);
  mpq_clears(exact, term, square, limit, NULL);
}

/* A model of one bicubic patch in memory of the context. */
typedef struct sample {
  toi_patch patch;
  double points[POINTS][3], velocities[POINTS][3];
} sample;

static toi_model make(toi_context *context, const sample *from) {
  sample *block = toi_allocate(context, sizeof *block);
  assert_non_null(block);
  *block = *from;
  block->patch.points = (const double(*)[3])block->points;
  if (from->patch.velocities != NULL)
    block->patch.velocities = (const double(*)[3])block->velocities;
  return (toi_model){.patches = &block->patch, .patch_count = 1, .owned = block, .owned_bytes = sizeof *block};
}

static void random_sample(uint64_t *seed, sample *s, int style) {
  *s = (sample){.patch = {.shape = TOI_PATCH_QUAD, .degree = {3, 3}}};
  for (size_t i = 0; i < POINTS; i++)
    for (size_t k = 0; k < 3; k++) {
      s->points[i][k] = test_random_extreme(seed, style);
      s->velocities[i][k] = test_random_extreme(seed, style);
    }
  if (test_random(seed) % 2 == 0)
    s->patch.velocities = (const double(*)[3])s->velocities;
  if (test_random(seed) % 2 == 0)
    s->patch.error = fabs(test_random_extreme(seed, style));
  if (test_random(seed) % 2 == 0)
    s->patch.velocity_error = fabs(test_random_extreme(seed, style));
}

static void scaled_models_are_within_their_errors(void **state) {
  uint64_t seed = test_seed(0x5eed0620);
  size_t scaled = 0;
  for (uint64_t round = test_count(4000); round > 0; round--) {
    sample s;
    random_sample(&seed, &s, (int)(round % 4));
    const double factor = fabs(test_random_extreme(&seed, (int)(round / 4 % 4)));
    if (factor == 0)
      continue;
    toi_model model = make(*state, &s);
    const toi_status status = toi_model_scale(*state, &model, factor);
    const toi_patch *patch = &model.patches[0];
    for (size_t i = 0; i < POINTS && status == TOI_OK; i++) {
      expect_within(patch->points[i], s.points[i], factor, s.patch.error, patch->error);
      if (patch->velocities != NULL)
        expect_within(patch->velocities[i], s.velocities[i], factor, s.patch.velocity_error, patch->velocity_error);
    }
    scaled += status == TOI_OK;
    toi_model_free(*state, &model);
  }
  print_message("%zu models do not overflow\n", scaled);
  assert_true(scaled > 0);
}

static void powers_of_two_are_exact(void **state) {
  uint64_t seed = test_seed(0x5eed0621);
  for (int power = -100; power <= 100; power += 10) {
    sample s;
    random_sample(&seed, &s, 2);
    s.patch.error = s.patch.velocity_error = 0;
    for (size_t i = 0; i < POINTS; i++)
      for (size_t k = 0; k < 3; k++) {
        s.points[i][k] = test_random_unit(&seed) - 0.5;
        s.velocities[i][k] = test_random_unit(&seed) - 0.5;
      }
    toi_model model = make(*state, &s);
    assert_int_equal(toi_model_scale(*state, &model, ldexp(1, power)), TOI_OK);
    assert_true(model.patches[0].error == 0 && model.patches[0].velocity_error == 0);
    for (size_t i = 0; i < POINTS; i++)
      for (size_t k = 0; k < 3; k++)
        assert_true(model.patches[0].points[i][k] == ldexp(s.points[i][k], power));
    toi_model_free(*state, &model);
  }
}

static void overflow_is_refused_and_names_the_patch(void **state) {
  uint64_t seed = test_seed(0x5eed0622);
  sample s;
  random_sample(&seed, &s, 2);
  s.patch.error = 0;
  s.points[7][1] = 1e200;
  toi_model model = make(*state, &s);
  assert_int_equal(toi_model_scale(*state, &model, 1e200), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(*state), "patch 0 of the model overflows; make it smaller");
  toi_model_free(*state, &model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scaled_models_are_within_their_errors),
      cmocka_unit_test(powers_of_two_are_exact),
      cmocka_unit_test(overflow_is_refused_and_names_the_patch),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
