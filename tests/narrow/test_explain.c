/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* toi_explain: the same answer as toi_query, bounds that hold against exact arithmetic, roots that agree with the
 * methods `exact` and `certified`, and outcomes that agree with the kernels. The oracle for the cubic is hull_oracle.h
 * on GMP; for the roots the method `exact`, and planted queries, whose times are known by construction. */

#include <float.h>
#include <math.h>
#include <string.h>

#include <toi/explain.h>

#include "narrow/asking.h"
#include "narrow/hull_oracle.h"
#include "narrow/kernel.h"
#include "planted/wide.h"

static toi_explanation explain_with(toi_kind kind, const double *query, const toi_options *options) {
  const double(*start)[3] = (const double(*)[3])query, (*end)[3] = start + toi_kind_points(kind);
  toi_explanation e;
  memset(&e, 0xff, sizeof e);
  assert_int_equal(toi_explain(kind, start, end, options, &e), TOI_OK);
  return e;
}

static toi_explanation explain(toi_kind kind, const double *query) {
  const toi_options options = toi_default_options();
  return explain_with(kind, query, &options);
}

/* --- what must hold of any explanation --- */

/* The first touching root, or NULL. */
static const toi_explained_root *first_of(const toi_explanation *e) {
  const toi_explained_root *first = NULL;
  for (int i = 0; i < e->root_count; i++)
    if (e->roots[i].first) {
      assert_null(first);
      first = &e->roots[i];
    }
  return first;
}

/* One level decided; those before it passed the query on. */
static const char *fault_of_outcomes(const toi_explanation *e) {
  static const uint8_t outcomes[] = {TOI_OUTCOME_MISS, TOI_OUTCOME_HIT, TOI_OUTCOME_NEAR};
  for (int i = 0; i < TOI_COUNTERS; i++) {
    const bool decided = e->outcomes[i] >= TOI_OUTCOME_MISS;
    if (decided != (i == e->hit.level))
      return "not the level that decided";
    if (decided && e->outcomes[i] != outcomes[e->hit.verdict])
      return "the level's outcome is not the verdict";
  }
  return NULL;
}

/* The roots against the exact method. */
static const char *fault_of_roots(toi_kind kind, const double *query, const toi_explanation *e) {
  const toi_hit truth = ask_one(kind, query, "exact", 1);
  const toi_explained_root *first = first_of(e);
  if ((first != NULL) != (truth.verdict == TOI_HIT))
    return "a contact among the roots, or none, against `exact`";
  if (first != NULL && (first->t_lo != truth.t_lo || first->t_hi != truth.t_hi))
    return "the first contact is at another time";
  // Of a planar motion the same time may come from another polynomial, and be rounded otherwise. Contacts whose times
  // lie between the same two doubles are told apart.
  if (first != NULL && !(fabs(first->u - truth.u) <= 0x1p-40 && fabs(first->v - truth.v) <= 0x1p-40))
    return "the first contact is at another place";
  for (int i = 0; i < e->root_count; i++) {
    const toi_explained_root *root = &e->roots[i];
    if (first != NULL && root->touching && root->t_hi < first->t_hi)
      return "a contact before the first";
    bool up = false, down = false;
    for (int k = 0; k < 4; k++) {
      up |= root->area_sign[k] > 0;
      down |= root->area_sign[k] < 0;
      // A fraction below the doubles is 0, whatever its sign.
      const int sign = (root->area[k] > 0) - (root->area[k] < 0);
      if (isnan(root->area[k]) || (root->area_sign[k] == 0 && sign != 0))
        return "an area and its sign";
    }
    if (root->touching && up && down)
      return "a contact with opposite areas";
    if (!root->touching && e->corner_count >= 3 && root->axis >= 0 && !(up && down))
      return "no contact, but no opposite areas";
  }
  return NULL;
}

/* The kernels say the same. */
static const char *fault_of_kernels(int corners, const double *query, const toi_explanation *e) {
  uint8_t code, miss;
  const uint32_t number = 0;
  const toi_rows rows = {query, 24, &number, 1};
  toi_root_answer root;
  toi_kernels_scalar.filter(corners, query, 1, &code);
  toi_kernels_scalar.projection(corners, &rows, &miss);
  toi_kernels_scalar.root(corners, &rows, &root);
  const bool apart = e->box_apart[0] || e->box_apart[1] || e->box_apart[2];
  if (apart != (code == TOI_FILTER_BOX))
    return "the box";
  const int8_t *s = e->coefficient_sign;
  const bool one_sign = s[0] != 0 && s[0] == s[1] && s[1] == s[2] && s[2] == s[3];
  if (e->in_range && !apart && one_sign != (code == TOI_FILTER_SIGN))
    return "the signs of the coefficients";
  if (e->in_range && (e->half_clear[0] && e->half_clear[1]) != miss)
    return "the halves";
  const toi_explained_piece *hit = NULL;
  for (int i = 0; i < TOI_EXPLAIN_PIECES; i++)
    hit = e->pieces[i].bracketed ? &e->pieces[i] : hit;
  if (e->in_range && (hit != NULL) != (root.code == TOI_ROOT_HIT))
    return "the pieces";
  if (e->in_range && hit != NULL && (hit->t_lo != root.t_lo || hit->t_hi != root.t_hi))
    return "the bracket of the piece";
  return NULL;
}

/* The coefficients against exact arithmetic, on axes as they are. */
static const char *fault_of_cubic(int corners, const double *query, const toi_explanation *e) {
  dyadic_reset();
  exact_hull hull;
  exact b[4], c[4], f[4];
  exact_hull_load(corners, query, &hull);
  exact_cubic(&hull, b);
  bool zero = true;
  for (int i = 0; i < 4; i++) {
    const double factor = i == 1 || i == 2 ? 3 : 1;
    zero &= sign_of(b[i]) == 0;
    const exact off = minus(times(exactly(factor), exactly(e->coefficient[i])), b[i]);
    if (e->bound[i] > 0 ? !(ratio_of(off, times(exactly(factor), exactly(e->bound[i]))) <= 1) : sign_of(off) != 0)
      return "a coefficient is off by more than its bound";
    const exact rounded = minus(times(exactly(factor), exactly(e->exact[i])), b[i]);
    const bool normal = fabs(e->exact[i]) >= DBL_MIN;
    if (sign_of(b[i]) == 0 ? e->exact[i] != 0 : normal && !(ratio_of(rounded, b[i]) <= 0x1p-51))
      return "an exact coefficient is off by more than rounding";
    if (e->coefficient_sign[i] != 0 && e->coefficient_sign[i] != sign_of(b[i]))
      return "a sign that is said to be proved is wrong";
  }
  if (zero != (e->cubic_zero != 0))
    return "whether the cubic is 0";
  exact_cubic_thrice(&hull, f);
  for (int side = 0; side < 2; side++) {
    exact_half(3, f, side, c);
    for (int i = 0; i < 4; i++) {
      // The oracle goes from the outer end inwards.
      const exact off = minus(times(exactly(3), exactly(e->half[side][side ? 3 - i : i])), c[i]);
      if (e->half_bound > 0 ? !(ratio_of(off, times(exactly(3), exactly(e->half_bound))) <= 1) : sign_of(off) != 0)
        return "a coefficient of a half is off by more than its bound";
    }
    if (e->half_clear[side] && !exact_half_is_free(&hull, side))
      return "a half that is said to be free is not";
  }
  return NULL;
}

static void check(toi_kind kind, const double *query) {
  const toi_hit answer = ask_one(kind, query, "certified", 1);
  const toi_explanation e = explain(kind, query);
  const char *fault = memcmp(&answer, &e.hit, sizeof answer) != 0 ? "another answer than toi_query" : NULL;
  if (!fault)
    fault = fault_of_outcomes(&e);
  if (!fault)
    fault = fault_of_roots(kind, query, &e);
  if (!fault && e.cubic_defined)
    fault = fault_of_kernels(e.corner_count, query, &e);
  if (!fault && e.in_range)
    fault = fault_of_cubic(e.corner_count, query, &e);
  if (!fault)
    return;
  test_print_query(kind, query);
  fail_msg("%s (%s by %s)", fault, toi_verdict_name((toi_verdict)e.hit.verdict),
           toi_level_name((toi_level)e.hit.level));
}

static void planted_queries_are_explained(void **test) {
  (void)test;
  const uint64_t seed = test_seed(17);
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (uint64_t i = test_count(4000); i > 0; i--) {
      planted_query query;
      planted_mixed((toi_kind)kind, seed, i, &query);
      check((toi_kind)kind, query.points);
    }
}

/* Exponents from the whole range of doubles: what the integers need in memory. */
static void queries_of_all_exponents(void **test) {
  (void)test;
  const uint64_t seed = test_seed(20);
  for (uint64_t i = test_count(200); i > 0; i--) {
    double query[24];
    const toi_kind kind = planted_wide((toi_kind)(i % TOI_KIND_COUNT), seed, i, query);
    const toi_explanation e = explain(kind, query);
    const char *fault = fault_of_outcomes(&e);
    if (!fault)
      fault = fault_of_roots(kind, query, &e);
    if (fault) {
      test_print_query(kind, query);
      fail_msg("%s", fault);
    }
  }
}

/* Small whole numbers: most of these are degenerate. */
static void queries_on_a_small_lattice(void **test) {
  (void)test;
  uint64_t state = test_seed(18);
  for (uint64_t i = test_count(20000); i > 0; i--) {
    double query[24];
    const uint64_t side = 2 + test_random(&state) % 4, flat = test_random(&state) % 6;
    for (int j = 0; j < 24; j++)
      query[j] = (uint64_t)(j % 3) == flat ? 0 : (double)(test_random(&state) % side);
    check((toi_kind)(i % TOI_KIND_COUNT), query);
  }
}

/* --- single situations --- */

static void a_vertex_falls_onto_a_face(void **test) {
  (void)test;
  const double query[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const toi_explanation e = explain(TOI_VERTEX_FACE, query);
  assert_int_equal(e.hit.level, TOI_LEVEL_ROOT);
  assert_int_equal(e.outcomes[TOI_LEVEL_BOX], TOI_OUTCOME_OPEN);
  assert_int_equal(e.outcomes[TOI_LEVEL_EXACT], TOI_OUTCOME_SKIPPED);
  assert_int_equal(e.outcomes[TOI_LEVEL_PLANE], TOI_OUTCOME_ABSENT);
  assert_true(e.box_lo[2] == -1 && e.box_hi[2] == 1 && e.in_range && !e.cubic_zero);
  assert_true(e.exact[0] == 1 && e.exact[3] == -1);
  assert_int_equal(e.root_count, 1);
  assert_true(e.roots[0].t_lo == 0.5 && e.roots[0].t_hi == 0.5 && e.roots[0].multiplicity == 1);
  assert_true(e.roots[0].touching && e.roots[0].axis == 2 && e.roots[0].u == 0.25 && e.roots[0].v == 0.25);
  assert_true(e.roots[0].area[0] == 0.25 && e.roots[0].area[1] == 0.5 && e.roots[0].area[2] == 0.25);
  assert_int_equal(e.reduced, TOI_REDUCED_NOT_ASKED);
}

static void a_root_beside_the_face_is_told_with_its_place(void **test) {
  (void)test;
  const double query[24] = {1.5, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1.5, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const toi_explanation e = explain(TOI_VERTEX_FACE, query);
  assert_int_equal(e.hit.verdict, TOI_MISS);
  assert_int_equal(e.root_count, 1);
  assert_false(e.roots[0].touching || e.roots[0].first);
  assert_true(e.roots[0].u == 1.5 && e.roots[0].v == 0.25);
}

/* f(t) = (2 t - 1)^2 up to a factor: an edge turns about the x axis as it goes by another, and only grazes it. */
static void a_double_root_is_one_root_of_multiplicity_two(void **test) {
  (void)test;
  const double query[24] = {-1, 0, 1, 1, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, -1, 1, 0, 1, 0, -1, 0, 0, 1, 0};
  bool found = false;
  for (int class = 0; class < (int)planted_class_count(); class ++)
    if (strcmp(planted_class_name((uint32_t) class), "double-root") == 0)
      for (uint64_t i = 0; i < 20; i++) {
        planted_query own;
        planted_make((uint32_t) class, TOI_VERTEX_FACE, 17, i, &own);
        const toi_explanation e = explain(TOI_VERTEX_FACE, own.points);
        const toi_explained_root *first = first_of(&e);
        found |= first != NULL && first->multiplicity == 2;
        check(TOI_VERTEX_FACE, own.points);
      }
  assert_true(found);
  check(TOI_EDGE_EDGE, query);
}

static void a_motion_in_a_plane_has_no_cubic(void **test) {
  (void)test;
  const double query[24] = {2, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.25, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const toi_explanation e = explain(TOI_VERTEX_FACE, query);
  assert_true(e.cubic_zero && e.cubic_defined);
  assert_int_equal(e.hit.level, TOI_LEVEL_REDUCTION);
  assert_int_equal(e.reduced, TOI_REDUCED_TO_PLANE);
  assert_int_equal(e.reduced_axis, 2);
  assert_int_equal(e.roots[0].source, TOI_ROOT_AT_START);
  const toi_explained_root *first = first_of(&e);
  assert_non_null(first);
  assert_int_equal(first->source, TOI_ROOT_OF_AREA);
  assert_true(first->t_lo < 0.8334 && first->t_hi > 0.8333);
  check(TOI_VERTEX_FACE, query);
}

static void extreme_magnitudes_are_told_on_scaled_axes(void **test) {
  (void)test;
  static const double sizes[] = {1e-300, 1e300, 0x1p-1070};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    double query[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0.125, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (int j = 0; j < 24; j++)
      query[j] *= sizes[i];
    const toi_explanation e = explain(TOI_VERTEX_FACE, query);
    assert_false(e.in_range);
    assert_true(e.scale[0] != 0 && isfinite(e.coefficient[0]) && e.size[0] >= 0x1p-100 && e.size[0] < 1);
    for (int k = 0; k < 4; k++)
      assert_true(fabs(e.coefficient[k] - e.exact[k]) <= e.bound[k] * 1.01);
    check(TOI_VERTEX_FACE, query);
  }
  // A difference of coordinates overflows: the integers still tell.
  const double query[24] = {1e308, 0.25, 1, -1e308, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  const toi_explanation e = explain(TOI_VERTEX_FACE, query);
  assert_true(isnan(e.coefficient[0]) && isnan(e.half_bound) && e.coefficient_sign[0] == 0);
  check(TOI_VERTEX_FACE, query);
}

/* --- options --- */

static void a_separation_moves_the_limits(void **test) {
  (void)test;
  const double query[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  toi_options options = toi_default_options();
  options.min_separation = 0.5;
  const toi_explanation e = explain_with(TOI_VERTEX_FACE, query, &options);
  assert_true(e.separation == 0.5 && e.limit[0] > 0 && e.limit[1] == e.limit[0] && e.half_limit > 0);
  assert_true(e.hit.t_lo <= 0.25 && 0.25 <= e.hit.t_hi);
  assert_int_equal(e.outcomes[TOI_LEVEL_ROOT], TOI_OUTCOME_ABSENT);
  assert_int_equal(e.outcomes[e.hit.level], TOI_OUTCOME_HIT);
  assert_true(e.roots[0].t_lo == 0.5 && e.roots[0].touching);
  assert_int_equal(e.reduced, TOI_REDUCED_NOT_ASKED);
  // Beyond the separation on an axis.
  options.min_separation = 0.125;
  double far[24];
  memcpy(far, query, sizeof far);
  far[2] = 3;
  far[14] = 0.5;
  const toi_explanation apart = explain_with(TOI_VERTEX_FACE, far, &options);
  assert_int_equal(apart.hit.level, TOI_LEVEL_BOX);
  assert_true(apart.box_apart[2] && !apart.box_apart[0]);
  options.min_separation = 0.75;
  assert_false(explain_with(TOI_VERTEX_FACE, far, &options).box_apart[2]);
}

static void separated_levels_agree_with_the_kernels(void **test) {
  (void)test;
  const uint64_t seed = test_seed(19);
  toi_options options = toi_default_options();
  for (uint64_t i = test_count(2000); i > 0; i--) {
    const toi_kind kind = i % 2 ? TOI_VERTEX_FACE : TOI_EDGE_EDGE;
    planted_query query;
    planted_mixed(kind, seed, i, &query);
    options.min_separation = ldexp(1, -(int)(i % 20));
    options.norm = i % 3 ? TOI_NORM_L2 : TOI_NORM_LINF;
    const toi_explanation e = explain_with(kind, query.points, &options);
    const toi_hit answer = ask_with(kind, query.points, &options);
    assert_memory_equal(&answer, &e.hit, sizeof answer);
    assert_null(fault_of_outcomes(&e));
    uint8_t code, miss;
    const uint32_t number = 0;
    const toi_rows rows = {query.points, 24, &number, 1};
    toi_kernels_scalar.filter_separated(e.corner_count, query.points, &e.separation, 1, &code);
    toi_kernels_scalar.projection_separated(e.corner_count, &rows, &e.separation, &miss);
    assert_int_equal(e.box_apart[0] || e.box_apart[1] || e.box_apart[2], code == TOI_FILTER_BOX);
    assert_int_equal(e.half_clear[0] && e.half_clear[1], miss);
    const int8_t *s = e.coefficient_sign;
    if (code != TOI_FILTER_BOX)
      assert_int_equal(s[0] != 0 && s[0] == s[1] && s[1] == s[2] && s[2] == s[3], code == TOI_FILTER_SIGN);
  }
}

static void other_methods_answer_by_one_level(void **test) {
  (void)test;
  const double query[24] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
  toi_options options = toi_default_options();
  for (size_t i = 1; (options.method = toi_method_name(i)) != NULL; i++) {
    const toi_explanation e = explain_with(TOI_VERTEX_FACE, query, &options);
    assert_null(fault_of_outcomes(&e));
    int present = 0;
    for (int level = 0; level < TOI_COUNTERS; level++)
      present += e.outcomes[level] != TOI_OUTCOME_ABSENT;
    assert_int_equal(present, 1);
    assert_int_equal(e.root_count, 1);
  }
}

static void bad_input_leaves_the_safe_answer(void **test) {
  (void)test;
  const double finite[4][3] = {{0}}, other[4][3] = {{0}, {0, NAN, 0}};
  const double(*start)[3] = finite, (*end)[3] = finite;
  toi_options options = toi_default_options();
  toi_explanation e;
  assert_int_equal(toi_explain(TOI_VERTEX_FACE, start, end, &options, NULL), TOI_ERROR_INPUT);
  start = other;
  memset(&e, 0xff, sizeof e);
  assert_int_equal(toi_explain(TOI_VERTEX_FACE, start, end, &options, &e), TOI_ERROR_INPUT);
  assert_true(e.hit.verdict == TOI_NEAR && e.hit.t_lo == 0 && e.root_count == 0 && e.bound[0] == 0);
  assert_int_equal(toi_explain(TOI_EDGE_FACE, start, end, &options, &e), TOI_ERROR_INPUT);
  options.method = "guess";
  assert_int_equal(toi_explain(TOI_VERTEX_FACE, end, end, &options, &e), TOI_ERROR_UNSUPPORTED);
  assert_true(e.hit.verdict == TOI_NEAR && e.root_count == 0);
}

static void sizes_are_frozen_and_names_known(void **test) {
  (void)test;
  assert_int_equal(sizeof(toi_explained_root), 80);
  assert_int_equal(sizeof(toi_explained_piece), 200);
  assert_int_equal(sizeof(toi_explanation), 2080);
  assert_string_equal(toi_outcome_name(TOI_OUTCOME_SKIPPED), "skipped");
  assert_string_equal(toi_root_source_name(TOI_ROOT_OF_CORNER), "corner");
  assert_null(toi_outcome_name((toi_outcome)6));
  assert_null(toi_root_source_name(TOI_ROOT_SOURCES));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planted_queries_are_explained),
      cmocka_unit_test(queries_of_all_exponents),
      cmocka_unit_test(queries_on_a_small_lattice),
      cmocka_unit_test(a_vertex_falls_onto_a_face),
      cmocka_unit_test(a_root_beside_the_face_is_told_with_its_place),
      cmocka_unit_test(a_double_root_is_one_root_of_multiplicity_two),
      cmocka_unit_test(a_motion_in_a_plane_has_no_cubic),
      cmocka_unit_test(extreme_magnitudes_are_told_on_scaled_axes),
      cmocka_unit_test(a_separation_moves_the_limits),
      cmocka_unit_test(separated_levels_agree_with_the_kernels),
      cmocka_unit_test(other_methods_answer_by_one_level),
      cmocka_unit_test(bad_input_leaves_the_safe_answer),
      cmocka_unit_test(sizes_are_frozen_and_names_known),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
