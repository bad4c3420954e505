/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Lower bounds of time by models: against contacts that were put there, polynomials with coefficients in eighths, so
 * that their zero is exact, and a rest that is used up; and the models of equations against the equations at points. */

#include "contact/context.h"
#include "contact/models.h"
#include "contact/time_bound.h"

#define ROUNDS UINT64_C(20000)

static uint64_t seed;

static double eighth(int most) {
  return ((double)(test_random(&seed) % (uint64_t)(16 * most + 1)) - 8 * most) / 8;
}

/* The polynomial at y, exactly: y in quarters, sums of multiples of 2^-9. */
static double value_at(const toi_equation_model *g, const double y[TOI_UNKNOWNS]) {
  long double at[TOI_UNKNOWNS];
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    at[i] = y[i];
  return (double)equation_model_at(g, at);
}

/* Random coefficients, those of higher degrees `small` times as large; zero at y up to all of the rest. */
static void plant(toi_equation_model *g, size_t n, const double y[TOI_UNKNOWNS], double small) {
  memset(g, 0, sizeof *g);
  for (size_t a = 0; a < n; a++) {
    g->slope[a] = eighth(2);
    for (size_t b = a; b < n; b++) {
      g->second[a][b] = small * eighth(2);
      for (size_t c = b; c < n; c++)
        g->third[a][b][c] = small * small * eighth(2);
    }
  }
  g->rest = small * small * fabs(eighth(1));
  g->value = -value_at(g, y) + (test_random(&seed) % 2 ? g->rest : -g->rest);
}

/* Of all kinds of pairs, with parameters that are frozen; times in [0, 1]. */
static void no_contact_is_earlier(void **state) {
  (void)state;
  uint64_t found = 0, rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    static const size_t equations[] = {3, 1, 2};
    toi_body_pair pair = {.kind = (toi_body_pair_kind)(round % 3)};
    toi_problem problem = {.pair = &pair};
    size_t n = toi_body_pair_unknowns(&pair);
    if (pair.kind != TOI_BODY_PAIR_II)
      problem.frozen = (uint32_t)(test_random(&seed) % 4);
    double y[TOI_UNKNOWNS] = {0};
    for (size_t a = 0; a < n; a++)
      y[a] = a < 2 && (problem.frozen >> a & 1) ? 0 : ((double)(test_random(&seed) % 9) - 4) / 4;
    toi_contact_model model = {.m = equations[pair.kind]};
    double small = ldexp(1, -(int)(test_random(&seed) % 12));
    for (size_t k = 0; k < model.m; k++)
      plant(&model.of[k], n, y, small);
    double bound = toi_time_model_bound(&problem, &model, (toi_interval){0, 1}, INFINITY);
    found += bound > -1;
    if (!(bound <= 0.5 + 0.5 * y[n - 1]))
      fail_msg("round %llu: contact at %.17g, bound %.17g", (unsigned long long)round, 0.5 + 0.5 * y[n - 1], bound);
  }
  assert_true(found > rounds / 100);
}

/* t = 1/2 + u^2 + v (v + 1) / 2 is 3/8 at least; then with u^2 times the time beside it, and a rest. */
static void bound_of_a_known_minimum_is_sharp(void **state) {
  (void)state;
  toi_body_pair pair = {.kind = TOI_BODY_PAIR_PI};
  toi_problem problem = {.pair = &pair};
  toi_contact_model model = {.m = 1};
  toi_equation_model *g = &model.of[0];
  g->slope[2] = -0.5;
  g->slope[1] = 0.5;
  g->second[0][0] = 1;
  g->second[1][1] = 0.5;
  double bound = toi_time_model_bound(&problem, &model, (toi_interval){0, 1}, INFINITY);
  if (!(bound <= 0.375 && bound >= 0.375 - 1e-5))
    fail_msg("bound %.17g of 0.375", bound);
  g->third[0][0][2] = 0.0625;
  g->rest = 0.03125;
  bound = toi_time_model_bound(&problem, &model, (toi_interval){0, 1}, INFINITY);
  assert_true(bound <= 0.375 - 0.03125 && bound >= 0.375 - 0.2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_contact_is_earlier),
      cmocka_unit_test(bound_of_a_known_minimum_is_sharp),
  };
  seed = test_seed(1520);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
