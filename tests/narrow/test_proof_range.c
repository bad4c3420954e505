/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Proofs of queries with exponents from the whole range of doubles: the answer is that of `exact`, the certificate is
 * accepted by the checker's code and has few pieces, and GMP takes no memory. */

#include "narrow/exact_cases.h"

#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>

#include <toi/proof.h>

#include "narrow/gmp_counter.h"
#include "planted/planted.h"
#include "planted/wide.h"
#include "verify/verify.h"

/* Far fewer than a search that halves its way through a thousand binary places would need. */
enum { MOST_PIECES = 12 };

static toi_context *context;

static int make_context(void **unused) {
  (void)unused;
  gmp_count_allocations();
  return toi_context_create(NULL, &context) != TOI_OK;
}

static int destroy_context(void **unused) {
  (void)unused;
  toi_context_destroy(context);
  return 0;
}

static toi_proof *prove(toi_kind kind, const double *query, double t_max, toi_proof_request request) {
  toi_options options = toi_default_options();
  options.t_max = t_max;
  toi_proof *proof = NULL;
  const size_t before = gmp_allocations;
  const toi_status status =
      toi_prove(context, kind, query, query + (size_t)3 * toi_kind_points(kind), &options, request, &proof);
  if (status != TOI_OK || gmp_allocations != before) {
    test_print_query(kind, query);
    fail_msg("status %d, GMP allocated %zu times: %s", (int)status, gmp_allocations - before,
             toi_context_error(context));
  }
  return proof;
}

/* Proves with and without certificate and checks both; returns whether it is a hit. */
static bool check(toi_kind kind, const double *query, double t_max) {
  const toi_hit hit = decide_until(kind, query, t_max, NAN);
  toi_proof *number = prove(kind, query, t_max, TOI_PROOF_NUMBER);
  toi_proof *proof = prove(kind, query, t_max, TOI_PROOF_CERTIFICATE);
  verify_report report = {0};
  const verify_status status = verify_text(proof->certificate, strlen(proof->certificate), &report);
  const bool same = memcmp(&number->hit, &hit, sizeof hit) == 0 && memcmp(&proof->hit, &hit, sizeof hit) == 0 &&
                    strcmp(number->polynomial, proof->polynomial) == 0 && strcmp(number->lo, proof->lo) == 0;
  if (!same || status != VERIFY_ACCEPTED || report.hits != (hit.verdict == TOI_HIT) || report.pieces > MOST_PIECES) {
    test_print_query(kind, query);
    fail_msg("same %d, checked %d (%s), %d hits, %d pieces", same, (int)status,
             report.reason != NULL ? report.reason : "", (int)report.hits, (int)report.pieces);
  }
  toi_proof_free(context, number);
  toi_proof_free(context, proof);
  return hit.verdict == TOI_HIT;
}

static void exponents_from_the_whole_range(void **unused) {
  (void)unused;
  const uint64_t seed = test_seed(1), rounds = test_count(20000);
  uint64_t hits = 0;
  for (uint64_t i = 0; i < rounds; i++) {
    double query[24];
    const toi_kind kind = planted_wide(PLANTED_ANY, seed, i, query);
    hits += check(kind, query, i % 16 == 0 ? 0.5 : 1);
  }
  print_message("%" PRIu64 " hits of %" PRIu64 "\n", hits, rounds);
  assert_true(rounds < 200 || (hits > rounds / 20 && hits < rounds));
}

/* Each coordinate of a query of small integers in turn is the smallest double, of either sign. */
static void small_integers_and_the_smallest_double(void **unused) {
  (void)unused;
  static const double face[24] = {1, 1, 2, 0, 0, 0, 3, 0, 1, 0, 3, -1, 1, 1, -2, 0, 0, 1, 3, 1, 0, 0, 3, 1};
  static const double edges[24] = {-2, 0, 1, 2, 1, 1, 0, -2, 0, 1, 2, 0, -2, 1, -1, 2, 0, -2, 0, -2, 1, -1, 2, 0};
  for (int i = 0; i < 48; i++) {
    double query[24];
    const bool on_face = i < 24;
    memcpy(query, on_face ? face : edges, sizeof query);
    query[i % 24] = i % 2 ? -0x1p-1074 : 0x1p-1074;
    (void)check(on_face ? TOI_VERTEX_FACE : TOI_EDGE_EDGE, query, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponents_from_the_whole_range),
      cmocka_unit_test(small_integers_and_the_smallest_double),
  };
  return cmocka_run_group_tests(tests, make_context, destroy_context);
}
