/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The polynomials of the filter for turning bodies against exact arithmetic: every coefficient and value is within the
 * bound that rotating_forms.h derives, tables are within theirs, and twofold brackets hold the root. */

#include <gmp.h>
#include <stdlib.h>

#include "narrow/rotating_cases.h"
#include "narrow/rotating_forms.h"

enum { COEFFICIENTS = TOI_TURN_COEFFICIENTS };

typedef struct exact_row {
  mpq_t c[COEFFICIENTS]; /* Bernstein coefficients */
} exact_row;

static void row_init(exact_row *row) {
  for (int j = 0; j < COEFFICIENTS; j++)
    mpq_init(row->c[j]);
}

static void row_clear(exact_row *row) {
  for (int j = 0; j < COEFFICIENTS; j++)
    mpq_clear(row->c[j]);
}

/* A form as Bernstein coefficients, times 2^scale. */
static void row_of_form(exact_row *row, const toi_integer_form *form, int scale) {
  static const unsigned binomial[COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  for (int j = 0; j < COEFFICIENTS; j++) {
    const toi_integer a = form->c[j];
    mpz_import(mpq_numref(row->c[j]), (size_t)abs(a.size), -1, sizeof(toi_limb), 0, 0, a.limb);
    if (a.size < 0)
      mpz_neg(mpq_numref(row->c[j]), mpq_numref(row->c[j]));
    mpz_set_ui(mpq_denref(row->c[j]), binomial[j]);
    mpq_canonicalize(row->c[j]);
    if (scale >= 0)
      mpq_mul_2exp(row->c[j], row->c[j], (mp_bitcnt_t)scale);
    else
      mpq_div_2exp(row->c[j], row->c[j], (mp_bitcnt_t)-scale);
  }
}

/* out += factor row. */
static void row_add(exact_row *out, const mpq_t factor, const exact_row *row) {
  mpq_t product;
  mpq_init(product);
  for (int j = 0; j < COEFFICIENTS; j++) {
    mpq_mul(product, factor, row->c[j]);
    mpq_add(out->c[j], out->c[j], product);
  }
  mpq_clear(product);
}

/* The largest error of computed coefficients, in units of the bound. */
static double worst(const double *computed, const exact_row *row, double bound) {
  double most = 0;
  mpq_t x;
  mpq_init(x);
  for (int j = 0; j < COEFFICIENTS; j++) {
    mpq_set_d(x, computed[j]);
    mpq_sub(x, x, row->c[j]);
    most = fmax(most, fabs(mpq_get_d(x)) / bound);
  }
  mpq_clear(x);
  return most;
}

/* The same for the value at t. */
static double worst_at(const double *computed, const exact_row *row, double t, double bound) {
  mpq_t c[COEFFICIENTS], x, y;
  mpq_inits(x, y, NULL);
  mpq_set_d(x, t);
  for (int j = 0; j < COEFFICIENTS; j++) {
    mpq_init(c[j]);
    mpq_set(c[j], row->c[j]);
  }
  for (int level = COEFFICIENTS - 1; level > 0; level--)
    for (int j = 0; j < level; j++) {
      mpq_sub(y, c[j + 1], c[j]);
      mpq_mul(y, y, x);
      mpq_add(c[j], c[j], y);
    }
  const toi_turn_weights weights = toi_turn_weights_at(t);
  mpq_set_d(y, toi_turn_value(computed, &weights));
  mpq_sub(y, y, c[0]);
  double most = fabs(mpq_get_d(y)) / bound;
  for (int j = 0; j < COEFFICIENTS; j++)
    mpq_clear(c[j]);
  mpq_clears(x, y, NULL);
  return most;
}

/* All of a query, exactly. */
typedef struct exact_forms {
  exact_row w, r[3][3], t[3], s[3][3];
  exact_row corner[4][3], area[4][3], coplanarity;
} exact_forms;

static void each_row(exact_forms *forms, void (*visit)(exact_row *row)) {
  for (size_t i = 0; i < sizeof *forms / sizeof(exact_row); i++)
    visit((exact_row *)(void *)forms + i);
}

static void make_tables(exact_forms *forms, const toi_moving_pair *pair) {
  int top = 0;
  for (int j = 0; j < COEFFICIENTS; j++)
    top = (int)fmax(top, toi_integer_bits(pair->table.w.c[j]));
  int length = pair->exponent == INT32_MAX ? 0 : pair->exponent;
  row_of_form(&forms->w, &pair->table.w, -top);
  for (int i = 0; i < 3; i++) {
    row_of_form(&forms->t[i], &pair->table.t[i], length - top);
    for (int j = 0; j < 3; j++) {
      row_of_form(&forms->r[i][j], &pair->table.r[i][j], -top);
      row_of_form(&forms->s[i][j], &pair->table.s[i][j], length - top);
    }
  }
}

/* x = a - b c. */
static void fused(mpq_t x, const mpq_t a, const mpq_t b, const mpq_t c) {
  mpq_mul(x, b, c);
  mpq_sub(x, a, x);
}

static void cross_rows(exact_row out[3], const mpq_t v[3], const exact_row row[3], int sign) {
  // sign (v x row), added to what is there.
  mpq_t factor;
  mpq_init(factor);
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    for (int half = 0; half < 2; half++) {
      mpq_set(factor, v[half ? z : y]);
      if ((sign < 0) != (half == 1))
        mpq_neg(factor, factor);
      row_add(&out[axis], factor, &row[half ? y : z]);
    }
  }
  mpq_clear(factor);
}

static void make_forms(exact_forms *forms, const rotating_case *c) {
  mpq_t p[4][3], g[3], minus, one;
  mpq_inits(minus, one, g[0], g[1], g[2], NULL);
  mpq_set_ui(one, 1, 1);
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++) {
      mpq_init(p[i][axis]);
      mpq_set_d(p[i][axis], c->points[i][axis]);
    }
  const toi_corner *corners = toi_corners(c->kind);
  int count = (int)toi_corner_count(c->kind);
  for (int k = 0; k < count; k++)
    for (int axis = 0; axis < 3; axis++) {
      row_add(&forms->corner[k][axis], one, &forms->t[axis]);
      for (int i = 0; i < 3; i++)
        row_add(&forms->corner[k][axis], p[corners[k].first][i], &forms->r[axis][i]);
      mpq_neg(minus, p[corners[k].second][axis]);
      row_add(&forms->corner[k][axis], minus, &forms->w);
    }
  for (int k = 0; k < count; k++) {
    int next = (k + 1) % count;
    if (corners[k].first != corners[next].first)
      continue;
    for (int axis = 0; axis < 3; axis++)
      mpq_sub(g[axis], p[corners[k].second][axis], p[corners[next].second][axis]);
    cross_rows(forms->area[k], (const mpq_t *)g, forms->corner[k], -1);
  }
  if (c->kind == TOI_EDGE_EDGE) {
    exact_row direction[3];
    mpq_t m[3];
    for (int axis = 0; axis < 3; axis++) {
      int y = (axis + 1) % 3, z = (axis + 2) % 3;
      mpq_sub(g[axis], p[1][axis], p[0][axis]);
      mpq_init(m[axis]);
      mpq_mul(minus, p[0][y], p[1][z]);
      fused(m[axis], minus, p[0][z], p[1][y]);
      row_init(&direction[axis]);
    }
    for (int axis = 0; axis < 3; axis++)
      for (int i = 0; i < 3; i++) {
        row_add(&direction[axis], g[i], &forms->r[axis][i]);
        row_add(&forms->area[0][axis], g[i], &forms->s[axis][i]);
        row_add(&forms->area[0][axis], m[i], &forms->r[axis][i]);
      }
    mpq_set_si(minus, -1, 1);
    for (int axis = 0; axis < 3; axis++)
      row_add(&forms->area[2][axis], minus, &forms->area[0][axis]);
    cross_rows(forms->area[0], (const mpq_t *)p[2], direction, -1);
    cross_rows(forms->area[2], (const mpq_t *)p[3], direction, 1);
    for (int axis = 0; axis < 3; axis++) {
      mpq_sub(g[axis], p[2][axis], p[3][axis]);
      row_add(&forms->coplanarity, g[axis], &forms->area[0][axis]);
      mpq_clear(m[axis]);
      row_clear(&direction[axis]);
    }
  } else {
    mpq_t d[3], e[3];
    for (int axis = 0; axis < 3; axis++) {
      mpq_inits(d[axis], e[axis], NULL);
      mpq_sub(d[axis], p[2][axis], p[1][axis]);
      mpq_sub(e[axis], p[3][axis], p[1][axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
      int y = (axis + 1) % 3, z = (axis + 2) % 3;
      mpq_mul(minus, d[y], e[z]);
      fused(g[axis], minus, d[z], e[y]);
      row_add(&forms->coplanarity, g[axis], &forms->corner[0][axis]);
    }
    for (int axis = 0; axis < 3; axis++)
      mpq_clears(d[axis], e[axis], NULL);
  }
  for (int i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++)
      mpq_clear(p[i][axis]);
  mpq_clears(minus, one, g[0], g[1], g[2], NULL);
}

static void check_tables(const exact_forms *exact, const toi_moving_pair *pair) {
  const toi_turn_part *b = &pair->bernstein;
  const double unit = 5 * TOI_TURN_U;
  assert_true(worst(b->w, &exact->w, unit * pair->most_w) <= 1);
  for (int i = 0; i < 3; i++) {
    assert_true(pair->most_t == 0 || worst(b->t[i], &exact->t[i], unit * pair->most_t) <= 1);
    for (int j = 0; j < 3; j++) {
      assert_true(worst(b->r[i][j], &exact->r[i][j], unit * pair->most_r) <= 1);
      assert_true(pair->most_s == 0 || worst(b->s[i][j], &exact->s[i][j], unit * pair->most_s) <= 1);
    }
  }
}

static double coefficients_and_values(const rotating_case *c, toi_context *context, uint64_t *random) {
  static exact_forms exact;
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  each_row(&exact, row_init);
  make_tables(&exact, pair);
  make_forms(&exact, c);
  check_tables(&exact, pair);
  const toi_rotating query = {pair, c->kind, c->points[0]};
  toi_turn_forms forms;
  double most = 0, t = test_random_unit(random), m = TOI_TURN_U;
  bool in_range = toi_turn_begin(&query, &forms);
  for (int axis = 0; axis < 3 && in_range; axis++)
    toi_turn_corners(&query, axis, &forms);
  if (in_range && toi_turn_coplanarity(&query, &forms)) {
    toi_turn_areas(&query, &forms);
    const bool edges = c->kind == TOI_EDGE_EDGE;
    const double share = edges ? 80. / 128 : 160. / 256;
    for (int k = 0; k < forms.corners; k++)
      for (int axis = 0; axis < 3; axis++) {
        const double part = edges && k % 2 == 0 ? 20. / 40 : 48. / 80;
        most = fmax(most, worst(forms.corner[k][axis], &exact.corner[k][axis], 16 * m * forms.m));
        most = fmax(most, worst(forms.area[k][axis], &exact.area[k][axis], part * forms.area_error[k]));
        most = fmax(most, worst_at(forms.area[k][axis], &exact.area[k][axis], t, forms.area_error[k]));
      }
    most = fmax(most, worst(forms.coplanarity, &exact.coplanarity, share * forms.error));
    most = fmax(most, worst_at(forms.coplanarity, &exact.coplanarity, t, forms.error));
  }
  each_row(&exact, row_clear);
  toi_moving_pair_destroy(pair);
  return most;
}

static void errors_stay_within_their_bounds(void **state) {
  (void)state;
  uint64_t random = test_seed(31), rounds = test_count_from(2000, 200);
  toi_context *context = test_context(1);
  double most = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, (int)(i % CASE_STYLES), (toi_kind)(i / CASE_STYLES % 2));
    // Far from the frames' origins, and of other sizes.
    for (int j = 0; j < 12 && i % 4 == 1; j++)
      c.points[j / 3][j % 3] += 1000;
    if (i % 4 == 2)
      c = case_scaled(&c, (int)case_small(&random, 180), (int)case_small(&random, 400), (int)case_small(&random, 400));
    double own = coefficients_and_values(&c, context, &random);
    if (!(own <= 1)) {
      case_print(&c);
      fail_msg("an error is %g times its bound", own);
    }
    most = fmax(most, own);
  }
  printf("the largest error is %.3g of its bound\n", most);
  // The bounds are not idle.
  assert_true(most > 0.02);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_stay_within_their_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
