/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* NURBS surfaces that cannot be cut: refused with a sentence that names the place, and nothing is left behind, nor
 * where memory is refused. */

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <toi/surface.h>

/* A surface with its arrays. */
typedef struct sample {
  toi_nurbs nurbs;
  double knots[2][7];
  double points[12][3], velocities[12][3], weights[12];
} sample;

/* A surface that is right: degrees 2 and 1, 4 x 3 control points. */
static void make_plain(sample *s) {
  static const double u[7] = {0, 0, 0, 0.5, 1, 1, 1}, v[5] = {0, 1, 2, 3, 4};
  *s = (sample){.nurbs = {.degree = {2, 1}, .count = {4, 3}, .knot_count = {7, 5}}};
  memcpy(s->knots[0], u, sizeof u);
  memcpy(s->knots[1], v, sizeof v);
  for (int i = 0; i < 12; i++) {
    s->weights[i] = 1 + i;
    s->points[i][0] = i;
  }
  s->nurbs.knots[0] = s->knots[0];
  s->nurbs.knots[1] = s->knots[1];
  s->nurbs.points = (const double(*)[3])s->points;
  s->nurbs.velocities = (const double(*)[3])s->velocities;
  s->nurbs.weights = s->weights;
}

static void spoil(sample *s, int how) {
  toi_nurbs *nurbs = &s->nurbs;
  switch (how) {
  case 0:
    nurbs->degree[0] = 0;
    break;
  case 1:
    nurbs->degree[1] = 10;
    break;
  case 2:
    nurbs->count[0] = 2;
    break;
  case 3:
    nurbs->knot_count[1] = 6;
    break;
  case 4:
    s->knots[0][3] = -0.25;
    break;
  case 5:
    s->knots[1][2] = 0.5;
    break;
  case 6:
    s->knots[0][6] = INFINITY;
    break;
  case 7:
    s->knots[1][0] = NAN;
    break;
  case 8:
    s->weights[7] = 0;
    break;
  case 9:
    s->weights[5] = -1;
    break;
  case 10:
    s->weights[11] = NAN;
    break;
  case 11:
    s->weights[0] = 1e-200;
    break;
  case 12:
    s->points[4][1] = NAN;
    break;
  case 13:
    s->velocities[10][2] = -INFINITY;
    break;
  case 14:
    nurbs->points = NULL;
    break;
  case 15:
    nurbs->knots[1] = NULL;
    break;
  case 16:
    nurbs->periodic[1] = true;
    break;
  case 17:
    memset(s->knots[0], 0, sizeof s->knots[0]);
    break;
  case 18:
    nurbs->periodic[1] = true, nurbs->knot_count[1] = 4, memset(s->knots[1], 0, sizeof s->knots[1]);
    break;
  case 19:
    nurbs->periodic[1] = true, nurbs->count[1] = 1, nurbs->knot_count[1] = 2;
    break;
  case 20:
    s->knots[1][0] = -1.7e308, s->knots[1][4] = 1.7e308;
    break;
  default:
    s->points[1][0] = s->points[4][0] = 1.7e308, s->weights[1] = s->weights[4] = 1e100;
    break;
  }
}

static void bad_surfaces_named(void **state) {
  (void)state;
  static const char sentences[][60] = {"the degree in u is 0",
                                       "the degree in v is 10",
                                       "2 control points in u",
                                       "6 knots in v",
                                       "knot 3 in u is -0.25, below knot 2",
                                       "knot 2 in v is 0.5, below knot 1",
                                       "knot 6 in u is inf",
                                       "knot 0 in v is ",
                                       "the weight of control point (2, 1) is 0",
                                       "the weight of control point (1, 2) is -1",
                                       "the weight of control point (3, 2) is ",
                                       "the weight of control point (0, 0) is 1e-200",
                                       "y of the position of control point (1, 1) is ",
                                       "z of the velocity of control point (3, 1) is -inf",
                                       "the points are NULL",
                                       "the knots in v are NULL",
                                       "5 knots in v; 3 control points of periodic degree 1 take 4",
                                       "the domain has no length in u",
                                       "the period in v",
                                       "1 control points in v",
                                       "the knots in v go from",
                                       "overflows"};
  toi_context *context = test_context(1);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  const uint64_t bytes = toi_context_bytes(context);
  toi_model model;
  for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
    make_plain(s);
    assert_int_equal(toi_model_from_nurbs(context, &s->nurbs, &model), TOI_OK);
    toi_model_free(context, &model);
    spoil(s, (int)i);
    memset(&model, 0x55, sizeof model);
    assert_int_equal(toi_model_from_nurbs(context, &s->nurbs, &model), TOI_ERROR_INPUT);
    if (strstr(toi_context_error(context), sentences[i]) == NULL)
      print_error("%s\n%s\n", sentences[i], toi_context_error(context));
    assert_non_null(strstr(toi_context_error(context), sentences[i]));
    assert_null(model.patches);
    assert_null(model.owned);
  }
  make_plain(s);
  assert_int_equal(toi_model_from_nurbs(NULL, &s->nurbs, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_from_nurbs(context, NULL, &model), TOI_ERROR_INPUT);
  assert_int_equal(toi_model_from_nurbs(context, &s->nurbs, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_context_bytes(context), bytes);
  free(s);
  toi_context_destroy(context);
}

static void refused_memory_leaves_nothing(void **state) {
  (void)state;
  test_allocator allocator = {0};
  toi_context *context = test_context_on(&allocator);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  make_plain(s);
  const size_t blocks = allocator.blocks;
  toi_model model;
  toi_status status = TOI_ERROR_MEMORY;
  size_t refusals = 0;
  for (size_t number = 1; status != TOI_OK; number++) {
    allocator.refuse_at = allocator.calls + number;
    status = toi_model_from_nurbs(context, &s->nurbs, &model);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    refusals += status != TOI_OK;
    assert_int_equal(allocator.blocks, blocks + (status == TOI_OK));
  }
  assert_true(refusals > 0);
  toi_model_free(context, &model);
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);

  // A budget that the model does not fit in: six thousand patches of degrees 2 and 1.
  toi_context_options options = test_context_options(&allocator, 1);
  options.memory_budget = 1 << 20;
  allocator.refuse_at = 0;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  enum { COUNT = 3002 };
  double *knots = malloc((COUNT + 3) * sizeof *knots);
  double(*points)[3] = calloc((size_t)COUNT * 3, sizeof *points);
  assert_true(knots != NULL && points != NULL);
  for (int i = 0; i < COUNT + 3; i++)
    knots[i] = i;
  toi_nurbs nurbs = {.degree = {2, 1},
                     .count = {COUNT, 3},
                     .knots = {knots, s->knots[1]},
                     .knot_count = {COUNT + 3, 5},
                     .points = (const double(*)[3])points};
  assert_int_equal(toi_model_from_nurbs(context, &nurbs, &model), TOI_ERROR_MEMORY);
  assert_non_null(strstr(toi_context_error(context), "memory"));
  toi_context_destroy(context);
  assert_int_equal(allocator.blocks, 0);
  assert_int_equal(allocator.wrong_sizes, 0);
  free(points);
  free(knots);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_surfaces_named),
      cmocka_unit_test(refused_memory_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
