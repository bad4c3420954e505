/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The polynomials of the filter for turning bodies against exact arithmetic: every coefficient, value and slope is
 * within the bound that rotating_forms_body.h derives, tables and twofold residuals are within theirs; and kernels of
 * all widths give the same bits. */

#define TOI_LANES 1

#include <gmp.h>
#include <stdlib.h>

#include "narrow/hull.h"
#include "narrow/rotating_cases.h"
#include "narrow/rotating_chunk.h"
#include "narrow/rotating_forms_body.h"
#include "narrow/rotating_root_body.h"

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

/* The value at t. */
static void value_of_row(const exact_row *row, double t, mpq_t out) {
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
  mpq_set(out, c[0]);
  for (int j = 0; j < COEFFICIENTS; j++)
    mpq_clear(c[j]);
  mpq_clears(x, y, NULL);
}

/* How far a computed number is from what is given, in units of the bound. */
static double off_from(double computed, const mpq_t exact, double bound) {
  mpq_t x;
  mpq_init(x);
  mpq_set_d(x, computed);
  mpq_sub(x, x, exact);
  const double off = fabs(mpq_get_d(x)) / bound;
  mpq_clear(x);
  return off;
}

/* The error of the value at t, in units of the bound. */
static double worst_at(const double *computed, const exact_row *row, double t, double bound) {
  mpq_t exact;
  mpq_init(exact);
  value_of_row(row, t, exact);
  const double off = off_from(value_at(computed, t), exact, bound);
  mpq_clear(exact);
  return off;
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
  toi_turn_integers own;
  void *scratch = aligned_alloc(64, toi_turn_integers_scratch(pair));
  assert_non_null(scratch);
  const toi_turn_integers *table = toi_turn_integers_of(pair, &own, scratch);
  // Quaternions of the table are scaled so that the largest component is in [1/2, 1).
  int scale = 0, length = pair->exponent == INT32_MAX ? 0 : pair->exponent;
  for (int b = 0; b < 2; b++) {
    double most_of = 0;
    int top;
    for (int i = 0; i < 4; i++)
      most_of = fmax(most_of, fmax(fabs(pair->body[b].start.quaternion[i]), fabs(pair->body[b].end.quaternion[i])));
    (void)frexp(most_of, &top);
    scale += 2 * (pair->quaternion_low[b] - top);
  }
  row_of_form(&forms->w, &table->w, scale);
  for (int i = 0; i < 3; i++) {
    row_of_form(&forms->t[i], &table->t[i], length + scale);
    for (int j = 0; j < 3; j++) {
      row_of_form(&forms->r[i][j], &table->r[i][j], scale);
      row_of_form(&forms->s[i][j], &table->s[i][j], length + scale);
    }
  }
  free(scratch);
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

static double check_tables(const exact_forms *exact, const toi_moving_pair *pair) {
  const toi_turn_table *b = &pair->piece.table;
  const double of_r = pair->piece.unit * pair->piece.most_r, of_t = pair->piece.unit * pair->piece.most_t;
  double most_of = worst(b->w, &exact->w, of_r);
  for (int i = 0; i < 3; i++) {
    if (of_t > 0)
      most_of = fmax(most_of, worst(b->t[i], &exact->t[i], of_t));
    for (int j = 0; j < 3; j++) {
      most_of = fmax(most_of, worst(b->r[i][j], &exact->r[i][j], of_r));
      if (of_t > 0)
        most_of = fmax(most_of, worst(b->s[i][j], &exact->s[i][j], of_t));
    }
  }
  return most_of;
}

/* The twofold residual at t, in units of its bound. */
static double check_residual(const exact_forms *exact, const toi_moving_pair *pair, const rotating_case *c,
                             const turn_forms *forms, double t) {
  const uint32_t number = 0;
  const toi_rows rows = {c->points[0], 12, &number, 1};
  double value;
  toi_turn_kernels_scalar.residual((int)toi_corner_count(c->kind), &pair->ends, &rows, &t, &value);
  mpq_t exact_value;
  mpq_init(exact_value);
  value_of_row(&exact->coplanarity, t, exact_value);
  // The value is rounded to one double at the end: u of it.
  const double off = fmax(0, off_from(value, exact_value, 1) - TURN_U * fabs(value));
  mpq_clear(exact_value);
  return off / (TOI_TURN_RESIDUAL_ERROR * forms->size);
}

/* Corners and areas made of them at t, in units of their bounds: at t + width too, and there of the bounds for that. */
static double check_corners(const exact_forms *exact, int n, const turn_forms *forms, double t, double width) {
  double weights[COEFFICIENTS], most_of = 0;
  mpq_t value, w;
  mpq_inits(value, w, NULL);
  weights_at(t, weights);
  const corner_lanes corners = corners_of(n, forms, weights, width);
  value_of_row(&exact->w, t + width, w);
  for (int c = 0; c < n; c++)
    for (int axis = 0; axis < AXES; axis++) {
      const bool of_second = is_of_second(n, c);
      value_of_row(&exact->corner[c][axis], t + width, value);
      most_of = fmax(most_of, off_from(corners.at[c][axis], value, corners.error));
      value_of_row(&exact->area[c][axis], t + width, value);
      if (!of_second)
        mpq_mul(value, value, w);
      most_of = fmax(most_of,
                     off_from(area_of(n, c, axis, forms, &corners), value, of_second ? corners.second : corners.first));
    }
  mpq_clears(value, w, NULL);
  return most_of;
}

/* The slope at t, in units of its bound. */
static double check_slope(const exact_forms *exact, const turn_forms *forms, double t) {
  exact_row difference;
  double slope = slope_at(forms->coplanarity, t), flat[COEFFICIENTS], off;
  row_init(&difference);
  mpq_t five, zero;
  mpq_inits(five, zero, NULL);
  mpq_set_ui(five, 5, 1);
  // Coefficients of the derivative, elevated to degree 5: averages of neighbours.
  mpq_t d[COEFFICIENTS];
  for (int j = 0; j < COEFFICIENTS; j++) {
    mpq_init(d[j]);
    if (j + 1 < COEFFICIENTS) {
      mpq_sub(d[j], exact->coplanarity.c[j + 1], exact->coplanarity.c[j]);
      mpq_mul(d[j], d[j], five);
    }
    flat[j] = 0;
  }
  for (int j = 0; j < COEFFICIENTS; j++) {
    mpq_t share, term;
    mpq_inits(share, term, NULL);
    mpq_set_ui(share, (unsigned)j, 5);
    mpq_canonicalize(share);
    if (j > 0) {
      mpq_mul(term, share, d[j - 1]);
      mpq_add(difference.c[j], difference.c[j], term);
    }
    mpq_set_ui(share, (unsigned)(5 - j), 5);
    mpq_canonicalize(share);
    mpq_mul(term, share, d[j]);
    mpq_add(difference.c[j], difference.c[j], term);
    mpq_set_d(term, slope);
    mpq_sub(difference.c[j], difference.c[j], term);
    mpq_clears(share, term, NULL);
  }
  off = worst_at(flat, &difference, t, 11.5 * forms->error);
  for (int j = 0; j < COEFFICIENTS; j++)
    mpq_clear(d[j]);
  mpq_clears(five, zero, NULL);
  row_clear(&difference);
  return off;
}

enum { OF_TABLE, OF_FORMS, OF_RESIDUAL, OF_SLOPE, OF_CORNERS, OF_ZONES, OFS };

static void coefficients_and_values(const rotating_case *c, toi_context *context, uint64_t *random, double off[OFS]) {
  static exact_forms exact;
  toi_moving_pair *pair;
  assert_int_equal(toi_moving_pair_create(context, &c->body[0], &c->body[1], &pair), TOI_OK);
  each_row(&exact, row_init);
  make_tables(&exact, pair);
  make_forms(&exact, c);
  const int n = (int)toi_corner_count(c->kind);
  turn_forms forms;
  double most_of = 0, t = test_random_unit(random), unit = pair->piece.unit;
  for (int i = 0; i < OFS; i++)
    off[i] = 0;
  if (pair->piece.in_range)
    off[OF_TABLE] = check_tables(&exact, pair);
  forms_begin(n, &pair->piece, c->points[0], &forms);
  for (int axis = 0; axis < 3; axis++)
    forms_path(n, axis, &forms);
  forms_coplanarity(n, &forms);
  if (pair->piece.in_range && forms.usable_forms) {
    forms_corners(n, &forms);
    forms_areas(n, &forms);
    const bool edges = c->kind == TOI_EDGE_EDGE;
    const double share = edges ? (80 * TURN_U + 3 * unit) / (128 * TURN_U + 3 * unit)
                               : (160 * TURN_U + 6 * unit) / (256 * TURN_U + 6 * unit);
    for (int k = 0; k < n; k++)
      for (int axis = 0; axis < 3; axis++) {
        const int kind = is_of_second(n, k) ? 0 : 1;
        const double part =
            kind ? (20 * TURN_U + unit) / (40 * TURN_U + unit) : (48 * TURN_U + 2 * unit) / (80 * TURN_U + 2 * unit);
        most_of = fmax(most_of, worst(forms.corner[k][axis], &exact.corner[k][axis], forms.corner_error));
        most_of = fmax(most_of, worst(forms.area[k][axis], &exact.area[k][axis], part * forms.area_error[kind]));
        most_of = fmax(most_of, worst_at(forms.area[k][axis], &exact.area[k][axis], t, forms.area_error[kind]));
      }
    most_of = fmax(most_of, worst(forms.coplanarity, &exact.coplanarity, share * forms.error));
    most_of = fmax(most_of, worst_at(forms.coplanarity, &exact.coplanarity, t, forms.error));
    off[OF_FORMS] = most_of;
    off[OF_RESIDUAL] = check_residual(&exact, pair, c, &forms, t);
    off[OF_SLOPE] = check_slope(&exact, &forms, t);
    off[OF_CORNERS] = check_corners(&exact, n, &forms, t, 0);
    off[OF_ZONES] = check_corners(&exact, n, &forms, t * (1 - 0x1p-10), 0x1p-12);
  }
  each_row(&exact, row_clear);
  toi_moving_pair_destroy(pair);
}

static void errors_stay_within_their_bounds(void **state) {
  (void)state;
  uint64_t random = test_seed(31), rounds = test_count_from(2000, 200);
  toi_context *context = test_context(1);
  double most_of[OFS] = {0};
  for (uint64_t i = 0; i < rounds; i++) {
    rotating_case c = case_random(&random, (int)(i % CASE_STYLES), (toi_kind)(i / CASE_STYLES % 2));
    // Far from the frames' origins, and of other sizes.
    for (int j = 0; j < 12 && i % 4 == 1; j++)
      c.points[j / 3][j % 3] += 1000;
    if (i % 4 == 2)
      c = case_scaled(&c, (int)case_small(&random, 140), (int)case_small(&random, 400), (int)case_small(&random, 400));
    double own[OFS];
    coefficients_and_values(&c, context, &random, own);
    for (int j = 0; j < OFS; j++) {
      if (!(own[j] <= 1)) {
        case_print(&c);
        fail_msg("an error is %g times its bound (%d)", own[j], j);
      }
      most_of[j] = fmax(most_of[j], own[j]);
    }
  }
  printf(
      "largest errors, of their bounds: tables %.3g, forms %.3g, residuals %.3g, slopes %.3g, corners %.3g, in a zone "
      "%.3g\n",
      most_of[OF_TABLE], most_of[OF_FORMS], most_of[OF_RESIDUAL], most_of[OF_SLOPE], most_of[OF_CORNERS],
      most_of[OF_ZONES]);
  // The bounds are not idle.
  assert_true(most_of[OF_TABLE] > 0.02 && most_of[OF_FORMS] > 0.02);
  assert_true(most_of[OF_RESIDUAL] > 1e-5 && most_of[OF_SLOPE] > 5e-4);
  assert_true(most_of[OF_CORNERS] > 0.02 && most_of[OF_ZONES] > 0.05);
  toi_context_destroy(context);
}

/* What the kernels of a width say of some queries, level by level. */
enum { COUNT = 259 };
typedef struct said {
  uint8_t codes[COUNT], part_codes[TOI_FIND_ROWS];
  toi_turn_curve curves[COUNT];
  toi_turn_part halves[TOI_FIND_ROWS][2];
  bool refuted[TOI_FIND_ROWS];
  toi_turn_root roots[TOI_FIND_ROWS], found[TOI_FIND_ROWS];
  double values[COUNT];
  size_t rows, parts; /* that are open, and that have a root */
} said;

static void ask_kernels(const toi_turn_kernels *kernels, const toi_moving_pair *pair, int n, const double *queries,
                        const double *times, said *out) {
  uint32_t numbers[COUNT];
  toi_turn_part parts[TOI_FIND_ROWS];
  memset(out, 0, sizeof *out);
  kernels->filter(n, &pair->piece, queries, COUNT, out->codes, out->curves);
  for (uint32_t i = 0; i < COUNT && out->rows < TOI_FIND_ROWS; i++)
    if (out->codes[i] == TOI_FILTER_OPEN)
      numbers[out->rows++] = i;
  const toi_rows rows = {queries, 12, numbers, out->rows};
  for (uint32_t i = 0; i < out->rows; i++)
    parts[i] = (toi_turn_part){.curve = out->curves[i], .length = 1, .row = i};
  kernels->divide(parts, out->rows, out->part_codes, out->halves);
  for (uint32_t i = 0; i < out->rows; i++)
    if (out->part_codes[i] == TOI_PART_ROOT)
      parts[out->parts++] = parts[i];
  const toi_turn_parts of = {&rows, out->curves, parts, out->parts};
  kernels->refute(n, &pair->piece, &of, out->refuted);
  kernels->root(n, &pair->piece, &of, out->roots);
  toi_turn_find(kernels, n, &pair->piece, &rows, out->curves, out->found);
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = (i * 7 + 3) % COUNT;
  const toi_rows all = {queries, 12, numbers, COUNT};
  kernels->residual(n, &pair->ends, &all, times, out->values);
}

/* NaNs may differ in sign and payload. */
static bool same_double(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_curve(const toi_turn_curve *a, const toi_turn_curve *b) {
  bool same = true;
  for (int j = 0; j < TOI_CURVE_NUMBERS; j++)
    same = same && same_double(a->at[j], b->at[j]);
  return same;
}

static void assert_same(const said *a, const said *b) {
  assert_true(a->rows == b->rows && a->parts == b->parts);
  assert_memory_equal(a->codes, b->codes, sizeof a->codes);
  assert_memory_equal(a->part_codes, b->part_codes, sizeof a->part_codes);
  assert_memory_equal(a->refuted, b->refuted, sizeof a->refuted);
  assert_memory_equal(a->roots, b->roots, a->parts * sizeof a->roots[0]);
  assert_memory_equal(a->found, b->found, a->rows * sizeof a->found[0]);
  for (size_t i = 0; i < a->rows; i++) {
    assert_true(same_curve(&a->curves[i], &b->curves[i]));
    for (int k = 0; k < 2 && a->part_codes[i] == TOI_PART_OPEN; k++)
      assert_true(same_curve(&a->halves[i][k].curve, &b->halves[i][k].curve));
  }
  for (int i = 0; i < COUNT; i++)
    assert_true(same_double(a->values[i], b->values[i]));
}

/* Kernels of every width on queries of one pair of bodies. */
static void every_width_gives_the_same_bits(void **state) {
  (void)state;
  static double queries[COUNT * 12], times[COUNT];
  static said answers[3];
  const toi_turn_kernels *kernels[3] = {&toi_turn_kernels_scalar, &toi_turn_kernels_two, toi_turn_kernels_best(COUNT)};
  toi_context *context = test_context(1);
  uint64_t random = test_seed(33), rounds = test_count_from(200, 20), found[3] = {0}, refuted = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    rotating_case c = case_random(&random, (int)(round % CASE_STYLES), (toi_kind)(round / CASE_STYLES % 2));
    toi_moving_pair *pair;
    assert_int_equal(toi_moving_pair_create(context, &c.body[0], &c.body[1], &pair), TOI_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
      case_points(&random, i % 5 == 0 ? CASE_GRID : (int)(round % CASE_STYLES), &c);
      // Tiny, huge and infinite coordinates among the others.
      const double odd[4] = {0x1p-1060, -0x1p-500, 0x1p600, INFINITY};
      if (i % 16 == 3)
        c.points[test_random(&random) % 4][test_random(&random) % 3] = odd[test_random(&random) % 4];
      memcpy(queries + (size_t)12 * i, c.points, sizeof c.points);
      times[i] = test_random_unit(&random);
    }
    for (int k = 0; k < 3; k++)
      ask_kernels(kernels[k], pair, (int)toi_corner_count(c.kind), queries, times, &answers[k]);
    assert_same(&answers[0], &answers[1]);
    assert_same(&answers[0], &answers[2]);
    for (size_t i = 0; i < answers[0].rows; i++)
      found[answers[0].found[i].code]++;
    for (size_t i = 0; i < answers[0].parts; i++)
      refuted += answers[0].refuted[i];
    toi_moving_pair_destroy(pair);
  }
  assert_true(found[0] > 0 && found[1] > 0 && found[2] > 0 && refuted > 0);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(errors_stay_within_their_bounds),
                                     cmocka_unit_test(every_width_gives_the_same_bits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
