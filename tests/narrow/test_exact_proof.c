/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proofs without their certificate: the contact time as an algebraic number, and how many contact times there are. What
 * the text says is checked with mpq. */

#include "narrow/exact_cases.h"

#include <stdio.h>

#include <gmp.h>

#include <toi/proof.h>

#define FACE 0, 0, 0, 1, 0, 0, 0, 1, 0

static toi_context *context;

static int make_context(void **unused) {
  (void)unused;
  return toi_context_create(NULL, &context) != TOI_OK;
}

static int destroy_context(void **unused) {
  (void)unused;
  toi_context_destroy(context);
  return 0;
}

static toi_proof *prove_until(toi_kind kind, const double *query, double t_max) {
  toi_options options = toi_default_options();
  options.t_max = t_max;
  toi_proof *proof;
  const double *end = query + 3 * toi_kind_points(kind);
  assert_int_equal(toi_prove(context, kind, query, end, &options, TOI_PROOF_NUMBER, &proof), TOI_OK);
  return proof;
}

/* The polynomial in text at x. */
static void evaluate(const char *text, const mpq_t x, mpq_t value) {
  mpq_t power, term;
  mpq_inits(power, term, NULL);
  mpq_set_ui(power, 1, 1);
  mpq_set_ui(value, 0, 1);
  char *copy = strdup(text), *rest = copy;
  for (char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    assert_int_equal(mpq_set_str(term, word, 10), 0);
    mpq_mul(term, term, power);
    mpq_add(value, value, term);
    mpq_mul(power, power, x);
  }
  free(copy);
  mpq_clears(power, term, NULL);
}

/* Proves, checks the text against itself and against the bracket, and returns the number of contact times. */
static uint32_t check(toi_kind kind, const double *query, double t_max, const char *polynomial) {
  toi_proof *proof = prove_until(kind, query, t_max);
  toi_hit hit = decide_until(kind, query, t_max, NAN);
  assert_memory_equal(&proof->hit, &hit, sizeof hit);
  assert_string_equal(proof->certificate, "");
  if (hit.verdict == TOI_MISS) {
    assert_int_equal(proof->degree, 0);
    assert_string_equal(proof->polynomial, "");
    assert_string_equal(proof->lo, "");
    assert_string_equal(proof->hi, "");
    assert_int_equal(proof->contact_times, 0);
    toi_proof_free(context, proof);
    return 0;
  }
  if (polynomial != NULL)
    assert_string_equal(proof->polynomial, polynomial);
  mpq_t lo, hi, at_lo, at_hi, bound;
  mpq_inits(lo, hi, at_lo, at_hi, bound, NULL);
  assert_int_equal(mpq_set_str(lo, proof->lo, 10), 0);
  assert_int_equal(mpq_set_str(hi, proof->hi, 10), 0);
  mpq_canonicalize(lo);
  mpq_canonicalize(hi);
  evaluate(proof->polynomial, lo, at_lo);
  evaluate(proof->polynomial, hi, at_hi);
  // A root at the only point of the interval, or a change of sign.
  assert_true(mpq_equal(lo, hi) ? mpq_sgn(at_lo) == 0 : mpq_sgn(at_lo) * mpq_sgn(at_hi) < 0);
  mpq_set_d(bound, hit.t_lo);
  assert_true(mpq_cmp(bound, hi) <= 0);
  mpq_set_d(bound, hit.t_hi);
  assert_true(mpq_cmp(bound, lo) >= 0);
  mpq_clears(lo, hi, at_lo, at_hi, bound, NULL);
  uint32_t contacts = proof->contact_times;
  toi_proof_free(context, proof);
  return contacts;
}

static void one_contact_time(void **unused) {
  (void)unused;
  const double half[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -1, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, half, 1, "-1 2"), 1);
  const double third[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -2, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, third, 1, "-1 3"), 1);
  const double start[] = {0.25, 0.25, 0, FACE, 0.25, 0.25, -2, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, start, 1, "0 1"), 1);
  const double end[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, 0, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, end, 1, "-1 1"), 1);
  const double never[] = {0.75, 0.75, 1, FACE, 0.75, 0.75, 0, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, never, 1, NULL), 0);
}

/* Above each other by (t - 1/2)^2 - h (see test_exact.c). */
static void two_contact_times_of_grazing_edges(void **unused) {
  (void)unused;
  double query[] = {-1, 0, 0.5,  1, 0, -0.5, -0.5, -1, 0, -0.5, 1, 0, //
                    -1, 0, -0.5, 1, 0, 0.5,  0.5,  -1, 0, 0.5,  1, 0};
  static const double heights[] = {0, 0x1p-4, 0x1p-5, 0x1p-300};
  static const uint32_t contacts[] = {1, 2, 2, 2};
  static const char *const polynomials[] = {"-1 2", "-1 4", "7 -32 32", NULL};
  for (int i = 0; i < 4; i++) {
    query[8] = query[11] = query[20] = query[23] = heights[i];
    assert_int_equal(check(TOI_EDGE_EDGE, query, 1, polynomials[i]), contacts[i]);
    assert_int_equal(check(TOI_EDGE_EDGE, query, 0.5, polynomials[i]), 1);
  }
}

static void contact_during_an_interval(void **unused) {
  (void)unused;
  const double through[] = {-1, 0.25, 0, FACE, 1, 0.25, 0, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, through, 1, "-1 2"), TOI_CONTACT_TIMES_INFINITE);
  // Up to the first contact there is one.
  assert_int_equal(check(TOI_VERTEX_FACE, through, 0.5, "-1 2"), 1);
  const double resting[] = {0.25, 0.25, 0, FACE, 0.25, 0.25, 0, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, resting, 1, "0 1"), TOI_CONTACT_TIMES_INFINITE);
  assert_int_equal(check(TOI_VERTEX_FACE, resting, 0, "0 1"), 1);
  const double riding[] = {0, 0, 0, 0, 0, 0, 1, 2, 3, 1, 2, 3};
  assert_int_equal(check(TOI_VERTEX_VERTEX, riding, 1, "0 1"), TOI_CONTACT_TIMES_INFINITE);
}

static void planar_contact_at_single_times(void **unused) {
  (void)unused;
  // Over the corner (0, 0) only, in the plane of the face.
  const double corner[] = {-1, 1, 0, FACE, 1, -1, 0, FACE};
  assert_int_equal(check(TOI_VERTEX_FACE, corner, 1, "-1 2"), 1);
  // An edge that turns about its end, which lies beside the vertex's path: the vertex meets it once.
  const double line[] = {0, 1, 0, -1, 0, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 1, 0, 0};
  assert_int_equal(check(TOI_VERTEX_EDGE, line, 1, "-1 2"), 1);
  // Two vertices on one line.
  const double meeting[] = {-4, 0, 0, 4, 0, 0, 4, 0, 0, -4, 0, 0};
  assert_int_equal(check(TOI_VERTEX_VERTEX, meeting, 1, "-1 2"), 1);
}

static void planar_contact_at_an_irrational_time(void **unused) {
  (void)unused;
  // From (1, 0) the vertex goes up to (1, 2); the edge from the origin ends at (1 + t, 1 - t) ... (2, 0): the slopes
  // 2 t and (1 - t) / (1 + t) agree where 2 t^2 + 3 t - 1 = 0.
  const double query[] = {1, 0, 0, 0, 0, 0, 1, 1, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0};
  assert_int_equal(check(TOI_VERTEX_EDGE, query, 1, "-1 3 2"), 1);
}

static void bad_input_is_refused_with_a_sentence(void **unused) {
  (void)unused;
  double query[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -1, FACE};
  toi_options options = toi_default_options();
  toi_proof *proof = (toi_proof *)query;
  query[5] = NAN;
  assert_int_equal(toi_prove(context, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_INPUT);
  assert_null(proof);
  assert_string_not_equal(toi_context_error(context), "");
  query[5] = 0;
  assert_int_equal(toi_prove(context, TOI_KIND_COUNT, query, query + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_INPUT);
  assert_int_equal(toi_prove(context, TOI_VERTEX_FACE, NULL, query, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_INPUT);
  assert_int_equal(toi_prove(NULL, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_INPUT);
  options.t_max = 2;
  assert_int_equal(toi_prove(context, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_OPTION);
  options = toi_default_options();
  options.min_separation = 1;
  assert_int_equal(toi_prove(context, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof),
                   TOI_ERROR_UNSUPPORTED);
  toi_proof_free(context, NULL);
}

static void refused_memory_leaves_nothing_behind(void **unused) {
  (void)unused;
  const double query[] = {0.25, 0.25, 1, FACE, 0.25, 0.25, -2, FACE};
  toi_options options = toi_default_options();
  bool done = false;
  for (size_t refused = 1; !done; refused++) {
    test_allocator allocator = {0};
    toi_context_options context_options = test_context_options(&allocator, 1);
    toi_context *own;
    assert_int_equal(toi_context_create(&context_options, &own), TOI_OK);
    allocator.refuse_at = allocator.calls + refused;
    toi_proof *proof;
    toi_status status = toi_prove(own, TOI_VERTEX_FACE, query, query + 12, &options, TOI_PROOF_NUMBER, &proof);
    done = status == TOI_OK;
    assert_true(done ? proof != NULL : status == TOI_ERROR_MEMORY && proof == NULL);
    toi_proof_free(own, proof);
    toi_context_destroy(own);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_time),
      cmocka_unit_test(two_contact_times_of_grazing_edges),
      cmocka_unit_test(contact_during_an_interval),
      cmocka_unit_test(planar_contact_at_single_times),
      cmocka_unit_test(planar_contact_at_an_irrational_time),
      cmocka_unit_test(bad_input_is_refused_with_a_sentence),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, make_context, destroy_context);
}
