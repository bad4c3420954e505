/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* NURBS surfaces cut into patches, against their definition in rational numbers: the bounds hold, and are not much
 * larger than the errors; edges agree bit for bit; circles of circles are the torus that the library makes itself. What
 * cannot be cut is refused with a sentence that names the place, and nothing is left behind. */

#include "support/support.h"

#include <math.h>
#include <stdlib.h>

#include "surface/nurbs_oracle.h"

#define MOST_COUNT 24
#define MOST_KNOTS (MOST_COUNT + 11)
#define MOST_POINTS (MOST_COUNT * MOST_COUNT)

/* A surface with room for its arrays. */
typedef struct sample {
  toi_nurbs nurbs;
  double knots[2][MOST_KNOTS];
  double points[MOST_POINTS][3], velocities[MOST_POINTS][3], weights[MOST_POINTS];
} sample;

/* --- random surfaces --- */

typedef enum style { STYLE_UNIFORM = 0, STYLE_RANDOM, STYLE_REPEATED, STYLE_WILD, STYLE_COUNT } style;

/* Gaps of one style, then the knots; the ends repeated if clamped. */
static void random_knots(sample *s, int k, style of, uint64_t *seed) {
  toi_nurbs *nurbs = &s->nurbs;
  const size_t p = nurbs->degree[k], n = nurbs->count[k];
  const bool clamped = !nurbs->periodic[k] && test_random(seed) % 2 == 0;
  double knot = of == STYLE_UNIFORM ? (double)(test_random(seed) % 7) - 3 : test_random_unit(seed) * 10 - 5;
  nurbs->knot_count[k] = nurbs->periodic[k] ? n + 1 : n + p + 1;
  nurbs->knots[k] = s->knots[k];
  for (size_t i = 0; i < nurbs->knot_count[k]; i++) {
    s->knots[k][i] = knot;
    double gap = of == STYLE_UNIFORM ? 1 : test_random_unit(seed) + 0x1p-20;
    if (of == STYLE_REPEATED && test_random(seed) % 2 == 0)
      gap = 0;
    if (of == STYLE_WILD)
      gap = ldexp(gap, (int)(test_random(seed) % 90) - 60);
    if (clamped && (i < p || i >= n))
      gap = 0;
    knot += gap;
  }
  // The surface is over a length at least.
  const size_t first = nurbs->periodic[k] ? 0 : p;
  if (!(s->knots[k][first] < s->knots[k][n]))
    for (size_t i = n; i < nurbs->knot_count[k]; i++)
      s->knots[k][i] += 1;
}

static void random_sample(sample *s, style of, uint64_t *seed) {
  *s = (sample){0};
  toi_nurbs *nurbs = &s->nurbs;
  for (int k = 0; k < 2; k++) {
    nurbs->degree[k] = 1 + (uint32_t)(test_random(seed) % (test_random(seed) % 4 == 0 ? 9 : 4));
    nurbs->periodic[k] = test_random(seed) % 3 == 0;
    nurbs->count[k] = (nurbs->periodic[k] ? 2 : nurbs->degree[k] + 1) + test_random(seed) % 5;
    random_knots(s, k, of, seed);
  }
  const bool moving = test_random(seed) % 2 == 0, rational = test_random(seed) % 2 == 0;
  const double far = test_random(seed) % 4 == 0 ? 1e6 : 0, size = ldexp(1, (int)(test_random(seed) % 40) - 20);
  for (size_t i = 0; i < nurbs->count[0] * nurbs->count[1]; i++) {
    for (int k = 0; k < 3; k++) {
      s->points[i][k] = far + size * (2 * test_random_unit(seed) - 1);
      s->velocities[i][k] = 2 * test_random_unit(seed) - 1;
    }
    s->weights[i] = ldexp(0.5 + test_random_unit(seed), (int)(test_random(seed) % 6) - 3);
  }
  nurbs->points = (const double(*)[3])s->points;
  nurbs->velocities = moving ? (const double(*)[3])s->velocities : NULL;
  nurbs->weights = rational ? s->weights : NULL;
}

/* --- comparing --- */

/* The span of the knots that begins at lo, the last such. */
static long span_at(const toi_nurbs *nurbs, int k, double lo) {
  long span = -1;
  for (size_t i = 0; i < nurbs->count[k]; i++)
    if (nurbs->knots[k][i] == lo)
      span = (long)i;
  return span;
}

/* How large errors are, as parts of their bounds; how many edges were found to agree. */
typedef struct tightness {
  double position, velocity;
  size_t edges;
} tightness;

static double part_of(const mpq_t square, double bound) {
  return bound == 0 ? 0 : sqrt(mpq_get_d(square)) / bound;
}

/* The patch against the surface at u = i / 8, v = j / 8. */
static void compare_at(const sample *s, const toi_model *model, size_t number, const unsigned at[2], tightness *t) {
  const toi_patch *patch = &model->patches[number];
  const double *domain = model->domains[number];
  mpq_t local[2], global[2], lo, square;
  mpq_inits(lo, square, NULL);
  exact_point given, meant;
  exact_point_init(&given);
  exact_point_init(&meant);
  long span[2];
  for (int k = 0; k < 2; k++) {
    mpq_inits(local[k], global[k], NULL);
    mpq_set_ui(local[k], at[k], 8);
    mpq_canonicalize(local[k]);
    mpq_set_d(lo, domain[2 * k]);
    mpq_set_d(global[k], domain[2 * k + 1]);
    mpq_sub(global[k], global[k], lo);
    mpq_mul(global[k], global[k], local[k]);
    mpq_add(global[k], global[k], lo);
    span[k] = span_at(&s->nurbs, k, domain[2 * k]);
  }
  exact_patch(patch, local[0], local[1], &given);
  exact_nurbs(&s->nurbs, span, global, &meant);
  exact_square_distance(&given, &meant, 0, square);
  assert_true(exact_within(square, patch->error));
  t->position = fmax(t->position, part_of(square, patch->error));
  exact_square_distance(&given, &meant, 3, square);
  assert_true(exact_within(square, patch->velocity_error));
  t->velocity = fmax(t->velocity, part_of(square, patch->velocity_error));
  exact_point_clear(&given);
  exact_point_clear(&meant);
  for (int k = 0; k < 2; k++)
    mpq_clears(local[k], global[k], NULL);
  mpq_clears(lo, square, NULL);
}

/* How often the knot at the upper end of a patch is repeated. */
static size_t repeated(const toi_nurbs *nurbs, int k, double knot) {
  size_t count = 0;
  for (size_t i = 0; i < nurbs->knot_count[k]; i++)
    count += nurbs->knots[k][i] == knot;
  return count;
}

/* Patches that follow each other share their edge, but for breaks. */
static size_t expect_edges_agree(const toi_nurbs *nurbs, const toi_model *model) {
  size_t edges = 0;
  for (size_t i = 0; i < model->patch_count; i++)
    for (size_t j = 0; j < model->patch_count; j++)
      for (int k = 0; k < 2; k++) {
        const double *a = model->domains[i], *b = model->domains[j];
        const size_t n = nurbs->count[k];
        const double *knots = nurbs->knots[k];
        const bool next = a[2 * k + 1] == b[2 * k];
        const bool around = nurbs->periodic[k] && a[2 * k + 1] == knots[n] && b[2 * k] == knots[0];
        size_t times = repeated(nurbs, k, a[2 * k + 1]);
        if (nurbs->periodic[k] && (around || a[2 * k + 1] == knots[n]))
          times = repeated(nurbs, k, knots[n]) + repeated(nurbs, k, knots[0]) - 1;
        if ((!next && !around) || a[2 - 2 * k] != b[2 - 2 * k] || times > nurbs->degree[k])
          continue;
        edges++;
        const toi_patch *p = &model->patches[i], *q = &model->patches[j];
        const int upper = k == 0 ? 1 : 2, lower = k == 0 ? 3 : 0;
        for (size_t c = 0; c <= side_degree(p, upper); c++) {
          const size_t x = side_control(p, upper, c), y = side_control(q, lower, c);
          assert_true(same_control(p, x, q, y));
          assert_true(p->weights == NULL || p->weights[x] == q->weights[y]);
        }
      }
  return edges;
}

static void check_sample(toi_context *context, const sample *s, uint64_t *seed, tightness *t) {
  toi_model model;
  const toi_status status = toi_model_from_nurbs(context, &s->nurbs, &model);
  if (status != TOI_OK)
    print_error("%s\n", toi_context_error(context));
  assert_int_equal(status, TOI_OK);
  for (size_t i = 0; i < model.patch_count; i++) {
    const toi_patch *patch = &model.patches[i];
    assert_int_equal(patch->shape, TOI_PATCH_QUAD);
    assert_int_equal(patch->degree[0], s->nurbs.degree[0]);
    assert_int_equal(patch->degree[1], s->nurbs.degree[1]);
    assert_true((patch->velocities != NULL) == (s->nurbs.velocities != NULL));
    assert_true(patch->velocity_error == 0 || patch->velocities != NULL);
    assert_true(i == 0 || model.domains[i - 1][0] < model.domains[i][0] ||
                (model.domains[i - 1][0] == model.domains[i][0] && model.domains[i - 1][2] < model.domains[i][2]));
    const unsigned places[4][2] = {{0, 0}, {8, 8}, {4, 3}, {(unsigned)(test_random(seed) % 9), 5}};
    for (int k = 0; k < 4; k++)
      compare_at(s, &model, i, places[k], t);
  }
  t->edges += expect_edges_agree(&s->nurbs, &model);
  toi_model_free(context, &model);
}

/* --- tests --- */

static void random_surfaces_within_their_errors(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(5);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  for (int of = 0; of < STYLE_COUNT; of++) {
    tightness most = {0}, least = {1, 1, 0};
    for (uint64_t round = test_count_from(60, 4); round > 0; round--) {
      random_sample(s, (style)of, &seed);
      tightness t = {0};
      check_sample(context, s, &seed, &t);
      most = (tightness){fmax(most.position, t.position), fmax(most.velocity, t.velocity), most.edges + t.edges};
      if (t.position > 0)
        least.position = fmin(least.position, t.position);
      if (t.velocity > 0)
        least.velocity = fmin(least.velocity, t.velocity);
    }
    print_message("style %d: errors are %.2g to %.2g of the bound, of velocities %.2g to %.2g; %zu edges agree\n", of,
                  least.position, most.position, least.velocity, most.velocity, most.edges);
    // A bound within 10^4 times the error on every surface that is cut at ordinary knots.
    assert_true(of == STYLE_WILD || (least.position > 1e-4 && least.velocity > 1e-4));
    // And errors that come near it, if there are enough of them.
    assert_true(most.edges > 0 && (most.position > 0.01 || test_count(60) < 30));
  }
  free(s);
  toi_context_destroy(context);
}

/* A surface that is one patch already, repeated knots at both ends: its patch is what was given, to the bit. */
static void bezier_surface_comes_back_as_it_was(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(6);
  sample *s = calloc(1, sizeof *s);
  assert_non_null(s);
  for (uint32_t p = 1; p <= 9; p++) {
    const uint32_t q = 10 - p;
    random_sample(s, STYLE_RANDOM, &seed);
    toi_nurbs *nurbs = &s->nurbs;
    const uint32_t degree[2] = {p, q};
    for (int k = 0; k < 2; k++) {
      nurbs->degree[k] = degree[k];
      nurbs->count[k] = degree[k] + 1;
      nurbs->knot_count[k] = 2 * nurbs->count[k];
      nurbs->periodic[k] = false;
      for (size_t i = 0; i < nurbs->knot_count[k]; i++)
        s->knots[k][i] = i < nurbs->count[k] ? 0.1 : 0.7;
    }
    for (size_t i = 0; i < nurbs->count[0] * nurbs->count[1]; i++)
      for (int k = 0; k < 3; k++) {
        s->points[i][k] = test_random_unit(&seed);
        s->weights[i] = 1 + test_random_unit(&seed);
      }
    nurbs->weights = s->weights;
    toi_model model;
    assert_int_equal(toi_model_from_nurbs(context, nurbs, &model), TOI_OK);
    assert_int_equal(model.patch_count, 1);
    const size_t count = nurbs->count[0] * nurbs->count[1];
    assert_memory_equal(model.patches[0].points, s->points, count * sizeof s->points[0]);
    assert_memory_equal(model.patches[0].weights, s->weights, count * sizeof(double));
    assert_true(model.patches[0].error == 0 && model.patches[0].velocity_error == 0);
    assert_true(model.domains[0][0] == 0.1 && model.domains[0][1] == 0.7);
    assert_true(model.domains[0][2] == 0.1 && model.domains[0][3] == 0.7);
    toi_model_free(context, &model);
  }
  free(s);
  toi_context_destroy(context);
}

/* Every knot inside repeated degree times: the patches are there already. Weights that are all the same are left out.
 */
static void repeated_knots_need_no_arithmetic(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double knots[] = {0, 0, 0, 1, 1, 3, 3, 3}, line[] = {2, 2, 5, 5};
  double points[10][3], weights[10];
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 3; k++)
      points[i][k] = sin(10 * i + k);
    weights[i] = 0.3;
  }
  toi_nurbs nurbs = {.degree = {2, 1},
                     .count = {5, 2},
                     .knots = {knots, line},
                     .knot_count = {8, 4},
                     .points = (const double(*)[3])points,
                     .weights = weights};
  toi_model model;
  assert_int_equal(toi_model_from_nurbs(context, &nurbs, &model), TOI_OK);
  assert_int_equal(model.patch_count, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_true(model.patches[i].error == 0);
    assert_null(model.patches[i].weights);
    assert_memory_equal(model.patches[i].points, points[4 * i], 6 * sizeof points[0]);
  }
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* A knot repeated more often than the degree: the surface is torn there, each part is right. */
static void torn_surface_in_two_parts(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double knots[] = {0, 0, 1, 1, 2, 2}, line[] = {0, 0, 1, 1};
  double points[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      points[i][k] = cos(7 * i + k);
  toi_nurbs nurbs = {.degree = {1, 1},
                     .count = {4, 2},
                     .knots = {knots, line},
                     .knot_count = {6, 4},
                     .points = (const double(*)[3])points};
  toi_model model;
  assert_int_equal(toi_model_from_nurbs(context, &nurbs, &model), TOI_OK);
  assert_int_equal(model.patch_count, 2);
  assert_memory_equal(model.patches[0].points, points[0], 4 * sizeof points[0]);
  assert_memory_equal(model.patches[1].points, points[4], 4 * sizeof points[0]);
  toi_model_free(context, &model);
  toi_context_destroy(context);
}

/* The unit circle, quadratic, weights 1, 1, 2, 1, 1, ... with double knots; clamped, or periodic with eight points. */
static const double circle_x[8] = {1, 1, 0, -1, -1, -1, 0, 1}, circle_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* Each quarter of weights 1, 1, 2 has the next one's weights doubled: w = 1, 1, 2, 2, 4, 4, 8, 8, and 16 for the first
 * point again: not periodic. With the symmetric weights 1, sqrt(1/2) it would not be exact. */
static const double circle_weight[9] = {1, 1, 2, 2, 4, 4, 8, 8, 16};

static void make_circles(sample *s, double ring, double tube) {
  static const double knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
  *s = (sample){0};
  for (int k = 0; k < 2; k++) {
    s->nurbs.degree[k] = 2;
    s->nurbs.count[k] = 9;
    s->nurbs.knot_count[k] = 12;
    memcpy(s->knots[k], knots, sizeof knots);
    s->nurbs.knots[k] = s->knots[k];
  }
  for (size_t i = 0; i < 9; i++)
    for (size_t j = 0; j < 9; j++) {
      const double x = ring + tube * circle_x[j % 8];
      double *point = s->points[9 * i + j];
      point[0] = x * circle_x[i % 8];
      point[1] = x * circle_y[i % 8];
      point[2] = tube * circle_y[j % 8];
      s->weights[9 * i + j] = circle_weight[i] * circle_weight[j];
    }
  s->nurbs.points = (const double(*)[3])s->points;
  s->nurbs.weights = s->weights;
}

/* Its sixteen patches are those of toi_model_torus: the same points, weights up to a factor a patch. */
static void circles_of_circles_are_the_torus(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  make_circles(s, 2, 0.75);
  toi_model cut, torus;
  assert_int_equal(toi_model_from_nurbs(context, &s->nurbs, &cut), TOI_OK);
  assert_int_equal(toi_model_torus(context, 2, 0.75, &torus), TOI_OK);
  assert_int_equal(cut.patch_count, torus.patch_count);
  for (size_t i = 0; i < cut.patch_count; i++) {
    const toi_patch *a = &cut.patches[i], *b = &torus.patches[i];
    assert_true(a->error == 0);
    for (size_t k = 0; k < 9; k++) {
      for (int c = 0; c < 3; c++)
        assert_true(a->points[k][c] == b->points[k][c]);
      assert_true(a->weights[k] * b->weights[0] == b->weights[k] * a->weights[0]);
    }
  }
  toi_model_free(context, &torus);
  toi_model_free(context, &cut);
  free(s);
  toi_context_destroy(context);
}

/* --- numbers at the limits of doubles --- */

static void random_extremes(sample *s, uint64_t *seed) {
  random_sample(s, (style)(test_random(seed) % STYLE_COUNT), seed);
  toi_nurbs *nurbs = &s->nurbs;
  const int kind = (int)(test_random(seed) % 4);
  for (size_t i = 0; i < nurbs->count[0] * nurbs->count[1]; i++) {
    for (int k = 0; k < 3; k++) {
      s->points[i][k] = test_random_extreme(seed, kind);
      s->velocities[i][k] = test_random_extreme(seed, kind);
    }
    if (test_random(seed) % 2 == 0)
      s->weights[i] = ldexp(1, test_random(seed) % 2 == 0 ? -400 : 400);
  }
  // Knots that a factor a cannot be computed from without underflow.
  for (int k = 0; k < 2; k++) {
    const int power = (int)(test_random(seed) % 3) * 500 - 500;
    for (size_t i = 0; i < nurbs->knot_count[k]; i++)
      s->knots[k][i] = ldexp(s->knots[k][i], power);
    if (test_random(seed) % 2 == 0)
      for (size_t i = nurbs->knot_count[k] / 2; i < nurbs->knot_count[k]; i++)
        s->knots[k][i] += 0x1p1000;
  }
}

static void extreme_surfaces_right_or_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(7);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  size_t made = 0, refused = 0;
  for (uint64_t round = test_count(200); round > 0; round--) {
    random_extremes(s, &seed);
    toi_model model;
    const toi_status status = toi_model_from_nurbs(context, &s->nurbs, &model);
    toi_model_free(context, &model);
    if (status == TOI_OK) {
      tightness t = {0};
      check_sample(context, s, &seed, &t);
      made++;
    } else {
      assert_int_equal(status, TOI_ERROR_INPUT);
      assert_true(strlen(toi_context_error(context)) > 0);
      refused++;
    }
  }
  print_message("%zu made, %zu refused\n", made, refused);
  assert_true(made > refused / 10);
  free(s);
  toi_context_destroy(context);
}

/* Products that vanish: coordinates down to the smallest doubles, and weights so small that w P is less than any. */
static void vanishing_products_within_their_errors(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  uint64_t seed = test_seed(12);
  sample *s = malloc(sizeof *s);
  assert_non_null(s);
  for (uint64_t round = test_count(100); round > 0; round--) {
    random_sample(s, STYLE_RANDOM, &seed);
    const int power = -1070 + (int)(test_random(&seed) % 400);
    for (size_t i = 0; i < s->nurbs.count[0] * s->nurbs.count[1]; i++) {
      s->weights[i] = ldexp(1 + test_random_unit(&seed), -400);
      for (int k = 0; k < 3; k++) {
        s->points[i][k] = ldexp(test_random_unit(&seed), power);
        s->velocities[i][k] = ldexp(test_random_unit(&seed), power);
      }
    }
    tightness t = {0};
    check_sample(context, s, &seed, &t);
  }
  free(s);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_surfaces_within_their_errors),    cmocka_unit_test(bezier_surface_comes_back_as_it_was),
      cmocka_unit_test(repeated_knots_need_no_arithmetic),      cmocka_unit_test(torn_surface_in_two_parts),
      cmocka_unit_test(circles_of_circles_are_the_torus),       cmocka_unit_test(extreme_surfaces_right_or_refused),
      cmocka_unit_test(vanishing_products_within_their_errors),

  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
