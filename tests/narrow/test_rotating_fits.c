/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tables that are fitted, and residuals at a constant rate, against 200 bits: values, derivatives and twofold values
 * are within the bounds that moving_fit.c, slerp.h and rotating_residual_body.h derive, and these are not idle. */

#include "narrow/law_oracle.h"
#include "narrow/rotating_cases.h"
#include "narrow/rotating_chunk.h"

static void set_laws(rotating_case *c, uint64_t number) {
  static const toi_law laws[8][2] = {{1, 1}, {1, 0}, {0, 1}, {2, 2}, {2, 0}, {1, 2}, {2, 1}, {0, 2}};
  c->body[0].law = laws[number % 8][0];
  c->body[1].law = laws[number % 8][1];
}

static toi_moving_pair *pair_of(toi_context *context, const rotating_case *c) {
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  return pair;
}

/* N_A N_B at a time, in the units of the scaled quaternions. */
static void make_w(const toi_moving_pair *pair, mpfr_srcptr t, mpfr_ptr w) {
  mpfr_set_ui(w, 1, MPFR_RNDN);
  for (int body = 0; body < 2; body++) {
    const double(*q)[4] = (const double(*)[4])pair->ends.quaternion[body];
    const lvector q0 = lvector_of(q[0], 4), q1 = lvector_of(q[1], 4);
    lvector at = q0;
    if (!pair->ends.steady[body]) {
      mpfr_ptr s = law_new();
      at = lvector_of(NULL, 0);
      mpfr_ui_sub(s, 1, t, MPFR_RNDN);
      at = lvector_plus(&at, s, &q0, 4);
      at = lvector_plus(&at, t, &q1, 4);
    }
    mpfr_mul(w, w, law_dot(&at, &at, 4), MPFR_RNDN);
  }
}

enum { ENTRIES = 22 };

/* W, R, T, S at a time, from the definitions. */
static void truth_at(const toi_moving_pair *pair, mpfr_srcptr t, mpfr_ptr out[ENTRIES]) {
  lvector column[2][3], origin[2], x;
  for (int body = 0; body < 2; body++) {
    origin[body] = law_place(&pair->body[body], t, (const double[3]){0, 0, 0});
    for (int i = 0; i < 3; i++) {
      double unit[3] = {0};
      unit[i] = 1;
      const lvector moved = law_place(&pair->body[body], t, unit);
      column[body][i] = lvector_minus(&moved, &origin[body]);
    }
  }
  x = lvector_minus(&origin[0], &origin[1]);
  for (int i = 0; i < ENTRIES; i++)
    out[i] = law_new();
  make_w(pair, t, out[0]);
  for (int i = 0; i < 3; i++) {
    mpfr_mul(out[10 + i], law_dot(&column[1][i], &x, 3), out[0], MPFR_RNDN);
    for (int j = 0; j < 3; j++) {
      const lvector crossed = law_cross(&x, &column[0][j]);
      mpfr_mul(out[1 + 3 * i + j], law_dot(&column[1][i], &column[0][j], 3), out[0], MPFR_RNDN);
      mpfr_mul(out[13 + 3 * i + j], law_dot(&column[1][i], &crossed, 3), out[0], MPFR_RNDN);
    }
  }
}

static const double *row_of(const toi_turn_table *table, int entry) {
  if (entry == 0)
    return table->w;
  if (entry < 10)
    return table->r[(entry - 1) / 3][(entry - 1) % 3];
  return entry < 13 ? table->t[entry - 10] : table->s[(entry - 13) / 3][(entry - 13) % 3];
}

/* The polynomial at s, by de Casteljau's rule. */
static mpfr_ptr value_of(const double *row, mpfr_srcptr s) {
  mpfr_ptr c[TOI_TURN_COEFFICIENTS], step = law_new();
  for (int j = 0; j < TOI_TURN_COEFFICIENTS; j++) {
    c[j] = law_new();
    mpfr_set_d(c[j], row[j], MPFR_RNDN);
  }
  for (int level = TOI_TURN_DEGREE; level > 0; level--)
    for (int j = 0; j < level; j++) {
      mpfr_sub(step, c[j + 1], c[j], MPFR_RNDN);
      mpfr_fma(c[j], step, s, c[j], MPFR_RNDN);
    }
  return c[0];
}

enum { OF_VALUE, OF_SLOPE, OF_RESIDUAL, OFS };

/* Largest errors at a time of a piece, s from 0 to 1, in units of their bounds. */
static void check_piece(const toi_moving_pair *pair, const toi_turn_piece *piece, double at, double most[OFS]) {
  const int mark = law_used;
  mpfr_ptr t[2], s[2], h = law_new(), fitted[2], off = law_new(), step = law_new(), truth[2][ENTRIES];
  mpfr_set_d(h, piece->to, MPFR_RNDN);
  mpfr_sub_d(h, h, piece->from, MPFR_RNDN);
  mpfr_set_ui_2exp(step, 1, -60, MPFR_RNDN);
  for (int i = 0; i < 2; i++) {
    s[i] = law_new();
    t[i] = law_new();
    mpfr_set_d(s[i], at, MPFR_RNDN);
    if (i == 1)
      mpfr_add(s[i], s[i], step, MPFR_RNDN);
    mpfr_set_d(t[i], piece->from, MPFR_RNDN);
    mpfr_fma(t[i], s[i], h, t[i], MPFR_RNDN);
    truth_at(pair, t[i], truth[i]);
  }
  for (int entry = 0; entry < ENTRIES; entry++) {
    const double size = entry < 10 ? piece->most_r : piece->most_t;
    double error[2];
    for (int i = 0; i < 2; i++) {
      fitted[i] = value_of(row_of(&piece->table, entry), s[i]);
      mpfr_sub(fitted[i], fitted[i], truth[i][entry], MPFR_RNDN);
    }
    error[0] = fabs(mpfr_get_d(fitted[0], MPFR_RNDN));
    mpfr_sub(off, fitted[1], fitted[0], MPFR_RNDN);
    mpfr_div(off, off, step, MPFR_RNDN);
    error[1] = fabs(mpfr_get_d(off, MPFR_RNDN));
    // Bodies that move alike have no T and no S.
    if (size > 0) {
      most[OF_VALUE] = fmax(most[OF_VALUE], error[0] / (piece->unit * size));
      most[OF_SLOPE] = fmax(most[OF_SLOPE], error[1] / (piece->slope_unit * size));
    }
  }
  law_used = mark;
}

/* The residual at a time, in units of its bound: of the magnitude that the forms have. */
static double check_residual(const toi_moving_pair *pair, const rotating_case *c, double time) {
  const uint32_t number = 0;
  const toi_rows rows = {c->points[0], 12, &number, 1};
  const law_query query = {.body = {{&pair->body[0], 1}, {&pair->body[1], 1}}, .kind = c->kind, .points = c->points};
  const int mark = law_used;
  mpfr_ptr t = law_new(), w = law_new();
  double value, truth, a = 0, b = 0, da = 0, db = 0;
  mpfr_set_d(t, time, MPFR_RNDN);
  make_w(pair, t, w);
  (void)law_sign(&query, t, &truth, NULL);
  truth *= mpfr_get_d(w, MPFR_RNDN);
  law_used = mark;
  toi_turn_kernels_scalar.residual((int)(c->kind == TOI_EDGE_EDGE ? 4 : 3), &pair->ends, &rows, &time, &value);
  const int first = c->kind == TOI_EDGE_EDGE ? 2 : 1;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int axis = 0; axis < 3; axis++) {
        double *own = i < first ? &a : &b, *difference = i < first ? &da : &db;
        *own = fmax(*own, fabs(c->points[i][axis]));
        if ((i < first) == (j < first))
          *difference = fmax(*difference, fabs(c->points[i][axis] - c->points[j][axis]));
      }
  const double r = pair->square, far = r * pair->far;
  const double size =
      c->kind == TOI_EDGE_EDGE ? 3 * da * db * (3 * far + 6 * r * (a + b)) : 6 * db * db * (far + 3 * r * a + r * b);
  return size == 0 ? 0 : fmax(0, fabs(value - truth) - 0x1p-50 * fabs(truth)) / (TOI_STEADY_RESIDUAL_ERROR * size);
}

static void report_and_check(const rotating_case *c, const double own[OFS], double most[OFS]) {
  for (int j = 0; j < OFS; j++) {
    if (!(own[j] <= 1)) {
      case_print(c);
      fail_msg("laws %d, %d: an error is %g times its bound (%d)", c->body[0].law, c->body[1].law, own[j], j);
    }
    most[j] = fmax(most[j], own[j]);
  }
}

static void errors_stay_within_their_bounds(void **state) {
  (void)state;
  uint64_t random = test_seed(71), rounds = test_count_from(400, 60);
  toi_context *context = test_context(1);
  double coarse[OFS] = {0}, fine[OFS] = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, (int)(i % CASE_PIVOT), (toi_kind)(i % 2));
    set_laws(&c, i / 2);
    toi_moving_pair *pair = pair_of(context, &c);
    double own[OFS] = {0}, tight[OFS] = {0};
    for (int k = 0; k < 4; k++) {
      toi_turn_piece whole, part;
      const double from = ldexp((double)(test_random(&random) % 64), -6);
      toi_turn_fit(pair, 0, 1, &whole);
      check_piece(pair, &whole, k == 0 ? 0 : test_random_unit(&random), own);
      toi_turn_fit(pair, from, from + 0x1p-6, &part);
      check_piece(pair, &part, k == 0 ? 1 : test_random_unit(&random), tight);
    }
    // Close to a root, where the value is small, and anywhere.
    const toi_hit hit = case_ask(context, &c, NULL);
    own[OF_RESIDUAL] = check_residual(pair, &c, hit.verdict == TOI_HIT ? hit.t_lo : test_random_unit(&random));
    report_and_check(&c, own, coarse);
    report_and_check(&c, tight, fine);
    toi_moving_pair_destroy(pair);
  }
  printf("largest errors, of their bounds: whole steps %.3g, slopes %.3g; short pieces %.3g, %.3g; residuals %.3g\n",
         coarse[OF_VALUE], coarse[OF_SLOPE], fine[OF_VALUE], fine[OF_SLOPE], coarse[OF_RESIDUAL]);
  // Few rounds may miss what comes close.
  assert_true((fine[OF_VALUE] > 1e-3 && coarse[OF_RESIDUAL] > 1e-6) || test_count(100) < 100);
  toi_context_destroy(context);
  law_free();
}

/* Two bodies about one axis, against each other: the sixth derivative is what it may be. */
static void remainder_is_reached(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  double most[OFS] = {0};
  rotating_case c = {.kind = TOI_VERTEX_FACE};
  for (int b = 0; b < 2; b++) {
    const double axis[3] = {0, 0, b ? -1 : 1};
    toi_moving_body_init(&c.body[b], sizeof c.body[b]);
    case_turned(axis, 0.7, c.body[b].start.quaternion, c.body[b].end.quaternion);
    c.body[b].law = TOI_LAW_SLERP;
  }
  toi_moving_pair *pair = pair_of(context, &c);
  toi_turn_piece piece;
  toi_turn_fit(pair, 0, 0.5, &piece);
  for (int i = 0; i <= 200; i++)
    check_piece(pair, &piece, i / 200., most);
  printf("of the remainder: %.3g, of that of slopes %.3g\n", most[OF_VALUE], most[OF_SLOPE]);
  assert_true(most[OF_VALUE] > 0.6 && most[OF_VALUE] <= 1);
  // Rolle's theorem gives away a factor of 6 of the slope.
  assert_true(most[OF_SLOPE] > 0.15 && most[OF_SLOPE] <= 1);
  toi_moving_pair_destroy(pair);
  toi_context_destroy(context);
  law_free();
}

/* Kernels of every width agree on residuals of bodies at a constant rate, and on fitted tables. */
static void every_width_gives_the_same_bits(void **state) {
  (void)state;
  enum { COUNT = 67 };
  static double queries[COUNT * 12], times[COUNT], values[3][COUNT];
  static uint8_t codes[3][COUNT];
  static uint32_t numbers[COUNT];
  const toi_turn_kernels *kernels[3] = {&toi_turn_kernels_scalar, &toi_turn_kernels_two, toi_turn_kernels_best(COUNT)};
  toi_context *context = test_context(1);
  uint64_t random = test_seed(73), rounds = test_count_from(60, 16);
  for (uint64_t round = 0; round < rounds; round++) {
    rotating_case c = case_random(&random, (int)(round % CASE_PIVOT), (toi_kind)(round % 2));
    set_laws(&c, round / 2);
    toi_moving_pair *pair = pair_of(context, &c);
    const int n = c.kind == TOI_EDGE_EDGE ? 4 : 3;
    for (uint32_t i = 0; i < COUNT; i++) {
      case_points(&random, (int)(round % CASE_PIVOT), &c);
      memcpy(queries + (size_t)12 * i, c.points, sizeof c.points);
      numbers[i] = i;
      times[i] = i % 7 == 0 ? 0 : test_random_unit(&random) * (i % 5 == 0 ? 0x1p-300 : 1);
    }
    const toi_rows rows = {queries, 12, numbers, COUNT};
    for (int k = 0; k < 3; k++) {
      kernels[k]->filter(n, &pair->pieces[0], queries, COUNT, codes[k], NULL);
      kernels[k]->residual(n, &pair->ends, &rows, times, values[k]);
    }
    for (int k = 1; k < 3; k++) {
      assert_memory_equal(codes[0], codes[k], sizeof codes[0]);
      assert_memory_equal(values[0], values[k], sizeof values[0]);
    }
    toi_moving_pair_destroy(pair);
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_stay_within_their_bounds),
                                     cmocka_unit_test(remainder_is_reached),
                                     cmocka_unit_test(every_width_gives_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
