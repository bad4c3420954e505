/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances at one instant: the fast ones against the rational ones, parts of them, closest points and regions, for all
 * kinds and norms, of all magnitudes, on primitives of every bad shape. The rational ones have a test of their own
 * (test_exact_distance.c). */

#include <float.h>
#include <gmp.h>
#include <inttypes.h>

#include "narrow/distance.h"
#include "narrow/separated_queries.h"

typedef struct instant {
  toi_kind kind;
  toi_norm norm;
  double points[24];
} instant;

static const double (*points_of(const instant *at))[3] {
  return (const double(*)[3])at->points;
}

static void reject(const instant *at, const toi_distance *found, const char *what) {
  double query[24];
  size_t half = (size_t)3 * toi_kind_points(at->kind);
  memcpy(query, at->points, half * sizeof(double));
  memcpy(query + half, at->points, half * sizeof(double));
  test_print_query(at->kind, query);
  fail_msg("%s: norm %d, [%a, %a], u %a, v %a, on %u %u and %u %u", what, (int)at->norm, found->lo, found->hi, found->u,
           found->v, found->on_first.dimension, found->on_first.index, found->on_second.dimension,
           found->on_second.index);
}

/* --- rational --- */

/* The squared distance, or the distance, as GMP's number. */
static void rational_of(const instant *at, mpq_t value) {
  static char text[1u << 16];
  size_t size = sizeof text, asked = 0;
  assert_int_equal(toi_distance_rational(at->kind, points_of(at), at->norm, NULL, &asked), TOI_OK);
  assert_int_equal(toi_distance_rational(at->kind, points_of(at), at->norm, text, &size), TOI_OK);
  assert_int_equal(asked, size);
  assert_int_equal(strlen(text) + 1, size);
  assert_int_equal(mpq_set_str(value, text, 16), 0);
}

/* The sign of factor times the distance less x; factor and x not negative. */
static int compare_exactly(const instant *at, const mpq_t value, double factor, double x) {
  mpq_t left, right;
  mpq_inits(left, right, NULL);
  mpq_set_d(left, factor);
  mpq_set_d(right, x);
  if (at->norm == TOI_NORM_L2) {
    mpq_mul(left, left, left);
    mpq_mul(right, right, right);
  }
  mpq_mul(left, left, value);
  int order = mpq_cmp(left, right);
  mpq_clears(left, right, NULL);
  return order;
}

/* --- fast --- */

/* The largest difference of coordinates between the two. */
static double largest_difference(const instant *at) {
  int points = (int)toi_kind_points(at->kind), first = at->kind == TOI_EDGE_EDGE ? 2 : 1;
  double most = 0;
  for (int i = 0; i < first; i++)
    for (int j = first; j < points; j++)
      for (int axis = 0; axis < 3; axis++)
        most = fmax(most, fabs(at->points[3 * i + axis] - at->points[3 * j + axis]));
  return most;
}

static bool same_region(toi_region a, unsigned dimension, unsigned index) {
  return a.dimension == dimension && a.index == index;
}

/* The feature of an edge at a parameter: an end, or the edge. */
static bool region_on_edge(toi_region region, double u) {
  return u == 0 ? same_region(region, 0, 0) : u == 1 ? same_region(region, 0, 1) : same_region(region, 1, 0);
}

static bool region_on_face(toi_region region, double u, double v) {
  if (v == 0)
    return region_on_edge(region, u);
  if (u == 0)
    return v == 1 ? same_region(region, 0, 2) : same_region(region, 1, 2);
  if (u + v > 1 - 0x1p-50)
    return region.dimension == 2 || same_region(region, 1, 1);
  return same_region(region, 2, 0);
}

static bool regions_fit(const instant *at, const toi_distance *found) {
  switch (at->kind) {
  case TOI_VERTEX_FACE:
    return same_region(found->on_first, 0, 0) && region_on_face(found->on_second, found->u, found->v);
  case TOI_EDGE_EDGE:
    return region_on_edge(found->on_first, found->u) && region_on_edge(found->on_second, found->v);
  case TOI_VERTEX_EDGE:
    return same_region(found->on_first, 0, 0) && region_on_edge(found->on_second, found->u);
  default:
    return same_region(found->on_first, 0, 0) && same_region(found->on_second, 0, 0);
  }
}

/* The points with the parameters u, v. */
static void points_with(const instant *at, double u, double v, long double first[3], long double second[3]) {
  bool edges = at->kind == TOI_EDGE_EDGE;
  long double a = u, b = v;
  for (int axis = 0; axis < 3; axis++) {
    long double p[4] = {0};
    for (uint32_t i = 0; i < toi_kind_points(at->kind); i++)
      p[i] = at->points[3 * i + (uint32_t)axis];
    first[axis] = edges ? (1 - a) * p[0] + a * p[1] : p[0];
    second[axis] = edges ? (1 - b) * p[2] + b * p[3] : (1 - a - b) * p[1] + a * p[2] + b * p[3];
  }
}

static const char *fault_of_points(const instant *at, const toi_distance *found) {
  bool triangle = at->kind == TOI_VERTEX_FACE;
  if (!(found->u >= 0 && found->u <= 1 && found->v >= 0 && found->v <= 1) ||
      (triangle && (long double)found->u + found->v > 1))
    return "parameters out of range";
  if (!regions_fit(at, found))
    return "regions and parameters differ";
  long double first[3], second[3], gap[3], size = 0;
  for (uint32_t i = 0; i < 3 * toi_kind_points(at->kind); i++)
    size = fmaxl(size, fabsl((long double)at->points[i]));
  points_with(at, found->u, found->v, first, second);
  for (int axis = 0; axis < 3; axis++) {
    long double rounding = size * 0x1p-50L + 0x1p-1070L;
    if (fabsl(first[axis] - found->first[axis]) > rounding || fabsl(second[axis] - found->second[axis]) > rounding)
      return "the points do not have these parameters";
    gap[axis] = first[axis] - second[axis];
  }
  long double distance = at->norm == TOI_NORM_L2 ? hypotl(hypotl(gap[0], gap[1]), gap[2])
                                                 : fmaxl(fabsl(gap[0]), fmaxl(fabsl(gap[1]), fabsl(gap[2])));
  // Of thin faces and edges side by side, what is rounded shows.
  long double off = size * 0x1p-36L + 0x1p-1068L;
  return distance < found->lo - off || distance > found->hi + off ? "the points are not at that distance" : NULL;
}

static void check_fast(const instant *at, const mpq_t value, double *widest) {
  toi_distance found;
  memset(&found, 0xff, sizeof found);
  assert_int_equal(toi_distance_fast(at->kind, points_of(at), at->norm, &found), TOI_OK);
  if (!(found.lo >= 0) || compare_exactly(at, value, 1, found.lo) < 0)
    reject(at, &found, "the lower bound is above the distance");
  if (isfinite(found.hi) && compare_exactly(at, value, 1, found.hi) > 0)
    reject(at, &found, "the upper bound is below the distance");
  double size = largest_difference(at), width = found.hi - found.lo;
  if (isfinite(size) && isfinite(found.hi) && !(width <= fmax(size * 0x1p-44, 0x1p-1060)))
    reject(at, &found, "the bounds are too wide");
  if (size > 0x1p-900 && isfinite(size) && width / size > *widest)
    *widest = width / size;
  const char *fault = isfinite(size) ? fault_of_points(at, &found) : NULL;
  if (fault)
    reject(at, &found, fault);
}

/* The largest double that is not above factor times the distance. */
static void check_part(const instant *at, const mpq_t value, double factor) {
  double part = NAN;
  toi_distance none = {0};
  assert_int_equal(toi_distance_part(at->kind, points_of(at), at->norm, factor, &part), TOI_OK);
  none.lo = part;
  none.hi = factor;
  if (!(part >= 0 && part <= DBL_MAX) || compare_exactly(at, value, factor, part) < 0)
    reject(at, &none, "a part [and its factor] above the distance");
  if (part < DBL_MAX && compare_exactly(at, value, factor, nextafter(part, INFINITY)) >= 0)
    reject(at, &none, "a part [and its factor] that is not the largest");
}

/* --- shares --- */

/* The sign of the share less x. */
static int compare_share(const instant *at, const mpq_t value, const toi_share *share, double x) {
  if (compare_exactly(at, value, 1, share->base) <= 0)
    return (share->lift > x) - (share->lift < x);
  // factor distance against x - lift + factor base.
  mpq_t left, right, term;
  mpq_inits(left, right, term, NULL);
  mpq_set_d(left, share->factor);
  mpq_set_d(term, share->base);
  mpq_mul(right, left, term);
  mpq_set_d(term, x);
  mpq_add(right, right, term);
  mpq_set_d(term, share->lift);
  mpq_sub(right, right, term);
  int order = 1;
  if (mpq_sgn(right) >= 0) {
    if (at->norm == TOI_NORM_L2) {
      mpq_mul(left, left, left);
      mpq_mul(right, right, right);
    }
    mpq_mul(left, left, value);
    order = mpq_cmp(left, right);
  }
  mpq_clears(left, right, term, NULL);
  return order;
}

static void check_share(const instant *at, const mpq_t value, const toi_share *share) {
  const toi_instant here = {at->kind, at->points, at->norm, NULL, 0};
  double found = NAN;
  assert_int_equal(toi_instant_share(&here, share, &found), TOI_OK);
  toi_distance none = {.lo = found, .hi = share->factor, .u = share->base, .v = share->lift};
  if (!(found >= share->lift && found <= DBL_MAX) || compare_share(at, value, share, found) < 0)
    reject(at, &none, "a share [and its factor], base and lift as u and v, above the real one");
  if (found < DBL_MAX && compare_share(at, value, share, nextafter(found, INFINITY)) >= 0)
    reject(at, &none, "a share [and its factor], base and lift as u and v, that is not the largest");
}

static void draw_instant(uint64_t *state, int exponent, query_family family, instant *at) {
  query_draft draft = {.state = state, .kind = at->kind, .norm = at->norm};
  draft_make(family, &draft, test_random_unit(state));
  for (uint32_t i = 0; i < 3 * toi_kind_points(at->kind); i++)
    at->points[i] =
        family == QUERY_PLANTED ? draft.query[i] : fmax(-DBL_MAX, fmin(ldexp(draft.query[i], exponent), DBL_MAX));
}

/* Bases at the distance, a unit or a little beside it, far below and above. */
static double draw_base(uint64_t *state, const instant *at) {
  double distance = NAN, by = pow(10, -18 * test_random_unit(state));
  assert_int_equal(toi_distance_part(at->kind, points_of(at), at->norm, 1, &distance), TOI_OK);
  switch (test_random(state) % 7) {
  case 0:
    return distance;
  case 1:
    return fmin(nextafter(distance, INFINITY), DBL_MAX);
  case 2:
    return nextafter(distance, 0);
  case 3:
    return fmin(distance * (1 + by), DBL_MAX);
  case 4:
    return distance * (1 - by);
  case 5:
    return distance * by;
  default:
    return test_random(state) % 2 ? 0x1p-1074 : 0.3;
  }
}

static void shares_are_the_largest_doubles_not_above(void **test) {
  (void)test;
  static const int exponents[] = {0, 0, 0, 0, 30, -30, 500, -500, 1003, -1000, -1040, -1070};
  static const double factors[] = {0.2, 0.5, 0.999, 0x1p-40, 1, 1.5, 1e-200, 1e200};
  uint64_t state = test_seed(602), lifts = 0;
  mpq_t value;
  mpq_init(value);
  for (uint64_t round = 0; round < test_count(20000); round++) {
    instant at = {.kind = (toi_kind)(round % TOI_KIND_COUNT), .norm = (toi_norm)(round / TOI_KIND_COUNT % 2)};
    draw_instant(&state, exponents[test_random(&state) % 12], (query_family)(test_random(&state) % QUERY_FAMILIES),
                 &at);
    rational_of(&at, value);
    toi_share share = {.factor = factors[test_random(&state) % 8], .base = draw_base(&state, &at)};
    share.lift = test_random(&state) % 3 ? share.base : test_random(&state) % 2 ? 0 : draw_base(&state, &at);
    check_share(&at, value, &share);
    lifts += compare_exactly(&at, value, 1, share.base) <= 0;
  }
  assert_true(lifts > 0);
  mpq_clear(value);
}

/* --- runs --- */

static void bounds_hold_the_rational_distance_and_are_narrow(void **test) {
  (void)test;
  static const int exponents[] = {0, 0, 0, 0, 30, -30, 500, -500, 1003, -1000, -1040, -1070};
  static const double factors[] = {0.2, 0.999, 1, 1.5, 0x1p-1074, 1e-200, 1e200, 0};
  uint64_t state = test_seed(601);
  double widest = 0;
  mpq_t value;
  mpq_init(value);
  for (uint64_t round = 0; round < test_count(10000); round++) {
    instant at = {.kind = (toi_kind)(round % TOI_KIND_COUNT), .norm = (toi_norm)(round / TOI_KIND_COUNT % 2)};
    int exponent = exponents[test_random(&state) % 12];
    draw_instant(&state, exponent, (query_family)(test_random(&state) % QUERY_FAMILIES), &at);
    rational_of(&at, value);
    check_fast(&at, value, &widest);
    check_part(&at, value, factors[test_random(&state) % 8]);
  }
  print_message("widest: 2^%.2f of the largest difference\n", log2(widest));
  mpq_clear(value);
}

/* --- by hand --- */

static void points_that_coincide_are_at_distance_0(void **test) {
  (void)test;
  for (unsigned kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (int norm = 0; norm < 2; norm++) {
      instant at = {.kind = (toi_kind)kind, .norm = (toi_norm)norm};
      for (int i = 0; i < 12; i++)
        at.points[i] = 0.1 * (i % 3 + 1);
      toi_distance found;
      double part = NAN;
      assert_int_equal(toi_distance_fast(at.kind, points_of(&at), at.norm, &found), TOI_OK);
      assert_true(found.lo == 0 && found.hi == 0);
      assert_int_equal(toi_distance_part(at.kind, points_of(&at), at.norm, 1, &part), TOI_OK);
      assert_true(part == 0);
    }
}

/* Found by the test above, in more rounds. */
static void check_by_hand(const instant *at) {
  double widest = 0;
  mpq_t value;
  mpq_init(value);
  rational_of(at, value);
  check_fast(at, value, &widest);
  check_part(at, value, 1);
  mpq_clear(value);
}

static void a_corner_far_on_the_other_side_is_not_beyond(void **test) {
  (void)test;
  instant at = {
      TOI_VERTEX_FACE,
      TOI_NORM_L2,
      {0, 48, -24, -0x1.800000006p+41, 0x1.dap+16, -0x1.dap+15, 0, 0, 0, -0x1.f1p+14, -0x1.cd8p+16, 0x1.cep+15}};
  check_by_hand(&at);
}

static void the_smallest_doubles_are_no_zeros(void **test) {
  (void)test;
  const double s = 0x1p-1074;
  instant edge = {TOI_VERTEX_EDGE, TOI_NORM_L2, {2 * s, -s, 0, -s, 0, -s, s, -s, s}};
  instant pair = {TOI_VERTEX_VERTEX, TOI_NORM_LINF, {s, 0, 0, 0, 0, 0}};
  check_by_hand(&edge);
  check_by_hand(&pair);
}

static void regions_name_the_features_of_both(void **test) {
  (void)test;
  const double over[4][3] = {{2, 2, 3}, {0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
  const double beside[4][3] = {{-3, 2, 0}, {0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
  const double crossing[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}};
  const double tee[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 3, 0}};
  for (int norm = 0; norm < 2; norm++) {
    toi_distance found;
    assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, over, (toi_norm)norm, &found), TOI_OK);
    assert_true(found.lo <= 3 && found.hi >= 3);
    if (norm == TOI_NORM_L2)
      assert_true(same_region(found.on_second, 2, 0));
    assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, beside, (toi_norm)norm, &found), TOI_OK);
    assert_true(same_region(found.on_first, 0, 0) && found.on_second.dimension < 2 && found.u == 0);
    assert_int_equal(toi_distance_fast(TOI_EDGE_EDGE, tee, (toi_norm)norm, &found), TOI_OK);
    assert_true(same_region(found.on_second, 0, 0) && found.v == 0);
    assert_int_equal(toi_distance_fast(TOI_EDGE_EDGE, crossing, TOI_NORM_L2, &found), TOI_OK);
    assert_true(same_region(found.on_first, 1, 0) && same_region(found.on_second, 1, 0));
    assert_true(fabs(found.u - 0.5) < 1e-12 && fabs(found.v - 0.5) < 1e-12);
  }
}

static void calls_that_mean_nothing_are_refused(void **test) {
  (void)test;
  double points[4][3] = {{2, 2, 3}, {0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
  const double(*fine)[3] = (const double(*)[3])points;
  toi_distance found;
  double part;
  size_t size = 0;
  assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, NULL, TOI_NORM_L2, &found), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, fine, TOI_NORM_L2, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_fast(TOI_KIND_COUNT, fine, TOI_NORM_L2, &found), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, fine, (toi_norm)2, &found), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_rational(TOI_VERTEX_FACE, fine, TOI_NORM_L2, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_rational(TOI_VERTEX_FACE, NULL, TOI_NORM_L2, NULL, &size), TOI_ERROR_INPUT);
  assert_int_equal(toi_distance_part(TOI_VERTEX_FACE, fine, TOI_NORM_L2, 1, NULL), TOI_ERROR_INPUT);
  static const double bad_factors[] = {-1, -0x1p-1074, NAN, INFINITY};
  for (int i = 0; i < 4; i++)
    assert_int_equal(toi_distance_part(TOI_VERTEX_FACE, fine, TOI_NORM_L2, bad_factors[i], &part), TOI_ERROR_INPUT);
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 36; i++) {
    double kept = points[i / 9][i / 3 % 3];
    points[i / 9][i / 3 % 3] = bad[i % 3];
    assert_int_equal(toi_distance_fast(TOI_VERTEX_FACE, fine, TOI_NORM_L2, &found), TOI_ERROR_INPUT);
    assert_int_equal(toi_distance_rational(TOI_EDGE_EDGE, fine, TOI_NORM_LINF, NULL, &size), TOI_ERROR_INPUT);
    assert_int_equal(toi_distance_part(TOI_EDGE_EDGE, fine, TOI_NORM_LINF, 1, &part), TOI_ERROR_INPUT);
    points[i / 9][i / 3 % 3] = kept;
  }
}

static void text_that_does_not_fit_is_not_written(void **test) {
  (void)test;
  const double points[4][3] = {{2, -4, 3}, {0, 0, 0}, {8, 0, 0}, {0, 8, 0}};
  char text[8] = "xxxxxxx";
  for (size_t room = 0; room < 5; room++) {
    size_t size = room;
    assert_int_equal(toi_distance_rational(TOI_VERTEX_FACE, points, TOI_NORM_L2, text, &size), TOI_ERROR_MEMORY);
    assert_int_equal(size, 5);
    assert_string_equal(text, "xxxxxxx");
  }
  size_t size = 5;
  assert_int_equal(toi_distance_rational(TOI_VERTEX_FACE, points, TOI_NORM_L2, text, &size), TOI_OK);
  assert_int_equal(size, 5);
  assert_string_equal(text, "19/1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_hold_the_rational_distance_and_are_narrow),
      cmocka_unit_test(shares_are_the_largest_doubles_not_above),
      cmocka_unit_test(points_that_coincide_are_at_distance_0),
      cmocka_unit_test(a_corner_far_on_the_other_side_is_not_beyond),
      cmocka_unit_test(the_smallest_doubles_are_no_zeros),
      cmocka_unit_test(regions_name_the_features_of_both),
      cmocka_unit_test(calls_that_mean_nothing_are_refused),
      cmocka_unit_test(text_that_does_not_fit_is_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
