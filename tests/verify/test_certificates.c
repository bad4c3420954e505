/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Certificates made by toi_prove: every one is accepted, says the planted truth, and no corrupted one proves anything
 * false. */

#include "support/support.h"

#include "planted/planted.h"
#include "verify/verify.h"

#include <toi/io.h>
#include <toi/proof.h>

#include <glob.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static toi_context *context;

static int make_context(void **state) {
  (void)state;
  return toi_context_create(NULL, &context) == TOI_OK ? 0 : -1;
}

static int free_context(void **state) {
  (void)state;
  toi_context_destroy(context);
  return 0;
}

static toi_proof *prove(toi_kind kind, const double *points, double t_max) {
  toi_options options = toi_default_options();
  options.t_max = t_max;
  toi_proof *proof = NULL;
  const toi_status status = toi_prove(context, kind, points, points + (size_t)3 * toi_kind_points(kind), &options,
                                      TOI_PROOF_CERTIFICATE, &proof);
  if (status != TOI_OK) {
    test_print_query(kind, points);
    fail_msg("no proof: %s", toi_context_error(context));
  }
  return proof;
}

/* --- what a certificate says --- */

/* A number of a certificate's time line: digits, maybe /digits or p-digits. */
static void parse(mpq_t out, const char *word) {
  char number[40000];
  const size_t length = strcspn(word, " \n"), digits = strcspn(word, "p \n");
  assert_true(length < sizeof number);
  memcpy(number, word, digits);
  number[digits] = '\0';
  assert_int_equal(mpq_set_str(out, number, 10), 0);
  if (digits < length)
    mpq_div_2exp(out, out, strtoul(word + digits + 2, NULL, 10));
}

/* Whether the certificate's contact time lies between two doubles. */
static bool time_within(const char *certificate, double lo, double hi) {
  const char *line = strstr(certificate, "\ntime ");
  assert_non_null(line);
  mpq_t said[2], bound;
  mpq_inits(said[0], said[1], bound, NULL);
  const char *second = strchr(line + 6, ' ') + 1;
  parse(said[0], line + 6);
  parse(said[1], second);
  mpq_set_d(bound, lo);
  bool within = mpq_cmp(said[0], bound) >= 0;
  mpq_set_d(bound, hi);
  within = within && mpq_cmp(said[1], bound) <= 0;
  mpq_clears(said[0], said[1], bound, NULL);
  return within;
}

static bool is_accepted(const char *certificate) {
  verify_report report = {0};
  return verify_text(certificate, strlen(certificate), &report) == VERIFY_ACCEPTED;
}

/* Proves a query and checks the certificate against the answer. */
static toi_hit check(toi_kind kind, const double *points, double t_max) {
  toi_proof *proof = prove(kind, points, t_max);
  verify_report report = {0};
  const verify_status status = verify_text(proof->certificate, strlen(proof->certificate), &report);
  if (status != VERIFY_ACCEPTED) {
    test_print_query(kind, points);
    fail_msg("line %zu: %s\n%s", report.line, report.reason, proof->certificate);
  }
  const toi_hit hit = proof->hit;
  assert_int_equal(report.hits, hit.verdict == TOI_HIT);
  assert_int_equal(report.misses, hit.verdict == TOI_MISS);
  assert_true(report.pieces < 100);
  if (hit.verdict == TOI_HIT)
    assert_true(time_within(proof->certificate, hit.t_lo, hit.t_hi));
  toi_proof_free(context, proof);
  return hit;
}

static void every_certificate_of_the_mixture_says_the_planted_truth(void **state) {
  (void)state;
  const uint64_t seed = test_seed(31), count = test_count(30000);
  for (uint64_t i = 0; i < count; i++) {
    planted_query query;
    planted_mixed(PLANTED_ANY, seed, i, &query);
    const toi_hit hit = check(query.kind, query.points, 1);
    const bool right = (hit.verdict == TOI_HIT) == query.hit &&
                       (!query.time_known || (hit.t_lo == query.t_lo && hit.t_hi == query.t_hi));
    if (!right) {
      test_print_query(query.kind, query.points);
      fail_msg("class %s, index %llu: %s in [%a, %a], planted %s in [%a, %a]", planted_class_name(query.number),
               (unsigned long long)i, toi_verdict_name((toi_verdict)hit.verdict), hit.t_lo, hit.t_hi,
               query.hit ? "hit" : "miss", query.t_lo, query.t_hi);
    }
  }
}

static void the_end_of_the_question_may_come_just_before_the_contact_or_at_it(void **state) {
  (void)state;
  const uint64_t seed = test_seed(32), count = test_count(3000);
  for (uint64_t i = 0; i < count; i++) {
    planted_query query;
    planted_mixed(PLANTED_ANY, seed, i, &query);
    const toi_hit whole = check(query.kind, query.points, 1);
    check(query.kind, query.points, 0);
    check(query.kind, query.points, 0x1p-1074);
    if (whole.verdict != TOI_HIT)
      continue;
    const toi_hit at = check(query.kind, query.points, whole.t_hi);
    assert_int_equal(at.verdict, TOI_HIT);
    assert_true(at.t_lo == whole.t_lo && at.t_hi == whole.t_hi);
    if (whole.t_hi > 0) {
      const double before = whole.t_lo < whole.t_hi ? whole.t_lo : nextafter(whole.t_lo, 0);
      assert_int_equal(check(query.kind, query.points, before).verdict, TOI_MISS);
    }
  }
}

static void the_same_query_has_the_same_certificate(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 200; i++) {
    planted_query query;
    planted_mixed(PLANTED_ANY, 33, i, &query);
    toi_proof *once = prove(query.kind, query.points, 1);
    toi_proof *again = prove(query.kind, query.points, 1);
    assert_string_equal(once->certificate, again->certificate);
    toi_proof_free(context, once);
    toi_proof_free(context, again);
  }
}

/* All queries of the files that match a pattern in the data's directory, or every nth of them. */
static size_t check_files(const char *directory, const char *pattern, size_t every) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", directory, pattern);
  const toi_kind kind =
      strstr(pattern, "ee.bin") != NULL || strstr(pattern, "edge-edge") != NULL ? TOI_EDGE_EDGE : TOI_VERTEX_FACE;
  glob_t files;
  size_t count = 0;
  if (glob(path, 0, NULL, &files) != 0)
    return 0;
  for (size_t f = 0; f < files.gl_pathc; f++) {
    toi_query_set set;
    assert_int_equal(toi_queries_read(context, files.gl_pathv[f], &set), TOI_OK);
    for (size_t i = 0; i < set.count; i += every) {
      const toi_hit hit = check(kind, set.queries + 24 * i, 1);
      assert_true(set.truth == NULL || (hit.verdict == TOI_HIT) == set.truth[i]);
      count++;
    }
    toi_queries_free(context, &set);
  }
  globfree(&files);
  return count;
}

static void every_certificate_of_real_queries_says_their_truth(void **state) {
  (void)state;
  const char *directory = test_data_directory();
  if (directory == NULL)
    skip();
  const size_t every = test_count(16) > 16 ? 1 : 16 / test_count(16);
  size_t count = check_files(directory, "sample-queries/*/vertex-face/*.csv", every);
  count += check_files(directory, "sample-queries/*/edge-edge/*.csv", every);
  count += check_files(directory, "corner/vf.bin", 8 * every);
  count += check_files(directory, "corner/ee.bin", 8 * every);
  assert_true(count > 0);
}

/* --- corruption --- */

/* A certificate that can be changed. */
typedef struct draft {
  char text[60000];
} draft;

static void copy(draft *out, const char *text) {
  assert_true(strlen(text) < sizeof out->text);
  memcpy(out->text, text, strlen(text) + 1);
}

/* Replaces `length` bytes at a place by a string. */
static void replace(draft *d, size_t at, size_t length, const char *by) {
  const size_t rest = strlen(d->text + at + length) + 1, size = strlen(by);
  assert_true(at + size + rest < sizeof d->text);
  memmove(d->text + at + size, d->text + at + length, rest);
  memcpy(d->text + at, by, size);
}

/* The place of the nth line that begins with a word; SIZE_MAX if there is none. */
static size_t find_line(const char *text, const char *word, int n) {
  for (const char *line = text; line[0] != '\0'; line = strchr(line, '\n') + 1)
    if (strncmp(line, word, strlen(word)) == 0 && n-- == 0)
      return (size_t)(line - text);
  return SIZE_MAX;
}

static void must_be_rejected(const draft *d, const char *what) {
  if (is_accepted(d->text))
    fail_msg("accepted although %s:\n%s", what, d->text);
}

/* Every piece is needed, and none may begin elsewhere. */
static void corrupt_pieces(const char *certificate) {
  static const char *const words[] = {"piece ", "last ", "contact "};
  for (int w = 0; w < 3; w++) {
    draft d;
    copy(&d, certificate);
    for (int n = 0; find_line(d.text, words[w], n) != SIZE_MAX; n++) {
      const size_t at = find_line(d.text, words[w], n);
      replace(&d, at, strcspn(d.text + at, "\n") + 1, "");
      must_be_rejected(&d, "a line is missing");
      copy(&d, certificate);
      if (w < 2) {
        replace(&d, at + strlen(words[w]), 0, "1");
        must_be_rejected(&d, "a piece begins elsewhere");
        copy(&d, certificate);
      }
    }
  }
}

/* The contact time: moved, or the root of another polynomial. */
static void corrupt_time(const char *certificate, const toi_hit *hit) {
  static const struct {
    const char *line;
    double lo, hi;
  } moved[] = {{"time 2/3 3/4", 0.66, 0.75}, {"time 1/3 1/3", 0.33, 0.34},  {"time 1 1", 1, 1},
               {"time 0 0", 0, 0},           {"time 1p-3 1/7", 0.12, 0.15}, {"time 0 1/9", 0, 0.12}};
  draft d;
  copy(&d, certificate);
  const size_t time = find_line(d.text, "time ", 0), polynomial = find_line(d.text, "polynomial ", 0);
  const size_t length = strcspn(d.text + time, "\n");
  for (size_t i = 0; i < sizeof moved / sizeof moved[0]; i++) {
    // An interval around the true time may do as well as the one that was there.
    if (hit->t_hi >= moved[i].lo && hit->t_lo <= moved[i].hi)
      continue;
    replace(&d, time, length, moved[i].line);
    must_be_rejected(&d, "the time was moved");
    copy(&d, certificate);
  }
  // 1 + t P for P, and another leading coefficient, which does not matter to the root 0.
  replace(&d, polynomial + 11, 0, "1 ");
  must_be_rejected(&d, "the polynomial was changed");
  if (hit->t_hi > 0) {
    copy(&d, certificate);
    replace(&d, polynomial + strcspn(d.text + polynomial, "\n"), 0, "1");
    must_be_rejected(&d, "the polynomial was changed");
  }
}

static void corrupt_weights(const char *certificate) {
  const size_t at = find_line(certificate, "contact weights ", 0);
  if (at == SIZE_MAX)
    return;
  for (const char *space = certificate + at + 15; space != NULL && space[0] == ' '; space = strpbrk(space + 1, " \n")) {
    draft d;
    copy(&d, certificate);
    replace(&d, (size_t)(space - certificate) + 1, 0, "1");
    must_be_rejected(&d, "a weight was changed");
  }
}

static void flip_verdict(const char *certificate, bool hit) {
  draft d;
  copy(&d, certificate);
  const size_t at = find_line(d.text, "verdict ", 0), length = strcspn(d.text + at, "\n");
  if (hit) {
    // A miss has no time, no last piece and no contact.
    const size_t piece = find_line(d.text, "polynomial ", 0);
    replace(&d, at, piece + strcspn(d.text + piece, "\n") - at, "verdict miss");
    must_be_rejected(&d, "the verdict was flipped");
    const size_t last = find_line(d.text, "last ", 0), contact = find_line(d.text, "contact ", 0);
    const size_t from = last != SIZE_MAX ? last : contact;
    replace(&d, from, strlen(d.text + from), "qed\n");
    must_be_rejected(&d, "the verdict was flipped");
  } else {
    replace(&d, at, length, "verdict hit\ntime 1/2 1/2\npolynomial -1 2");
    must_be_rejected(&d, "the verdict was flipped");
    replace(&d, strlen(d.text) - 4, 4, "contact weights 1 0 0\nqed\n");
    must_be_rejected(&d, "the verdict was flipped");
  }
}

static void corrupted_certificates_are_rejected(void **state) {
  (void)state;
  const uint64_t seed = test_seed(34), count = test_count(4000);
  for (uint64_t i = 0; i < count; i++) {
    planted_query query;
    planted_mixed(PLANTED_ANY, seed, i, &query);
    toi_proof *proof = prove(query.kind, query.points, 1);
    const bool hit = proof->hit.verdict == TOI_HIT;
    corrupt_pieces(proof->certificate);
    if (hit) {
      corrupt_time(proof->certificate, &proof->hit);
      corrupt_weights(proof->certificate);
    }
    flip_verdict(proof->certificate, hit);
    toi_proof_free(context, proof);
  }
}

/* A double near another, or the other way round, or far away. */
static double changed(double x, uint64_t bits) {
  switch (bits % 6) {
  case 0:
    return nextafter(x, HUGE_VAL);
  case 1:
    return nextafter(x, -HUGE_VAL);
  case 2:
    return -x;
  case 3:
    return 0;
  case 4:
    return x + 1;
  default:
    return x * 1.5;
  }
}

/* Another query above the same proof. */
static void move_coordinate(draft *d, uint32_t number, uint32_t points, double to) {
  const bool at_end = number >= 3 * points;
  size_t at = find_line(d->text, at_end ? "end " : "start ", 0);
  for (uint32_t i = 0; i <= (at_end ? number - 3 * points : number); i++)
    at += strcspn(d->text + at, " ") + 1;
  char word[64];
  snprintf(word, sizeof word, "%a", to);
  replace(d, at, strcspn(d->text + at, " \n"), word);
}

/* The checker is sound: where it accepts a proof of one query for another, the statement is true for that as well. */
static void a_proof_that_fits_another_query_is_true_of_it(void **state) {
  (void)state;
  const uint64_t seed = test_seed(35), count = test_count(20000);
  uint64_t random = seed, accepted = 0;
  for (uint64_t i = 0; i < count; i++) {
    planted_query query;
    planted_mixed(PLANTED_ANY, seed, i, &query);
    const uint32_t points = toi_kind_points(query.kind), number = (uint32_t)(test_random(&random) % (6 * points));
    const double to = changed(query.points[number], test_random(&random));
    toi_proof *proof = prove(query.kind, query.points, 1);
    draft d;
    copy(&d, proof->certificate);
    move_coordinate(&d, number, points, to);
    toi_proof_free(context, proof);
    if (!isfinite(to) || !is_accepted(d.text))
      continue;
    accepted++;
    query.points[number] = to;
    proof = prove(query.kind, query.points, 1);
    const bool hit = strstr(d.text, "\nverdict hit\n") != NULL;
    const bool holds =
        hit == (proof->hit.verdict == TOI_HIT) &&
        (!hit || time_within(d.text, proof->hit.t_lo, proof->hit.t_hi) || proof->hit.t_lo < proof->hit.t_hi);
    if (!holds) {
      test_print_query(query.kind, query.points);
      fail_msg("accepted, but false:\n%s", d.text);
    }
    toi_proof_free(context, proof);
  }
  // Most misses and some hits survive a small change, or this would test nothing.
  assert_true(accepted > count / 20);
}

/* --- failures --- */

static void refused_memory_is_an_error_and_loses_nothing(void **state) {
  (void)state;
  planted_query query;
  for (uint64_t i = 0; i < 12; i++) {
    planted_mixed(PLANTED_ANY, 36, i, &query);
    for (size_t refuse_at = 1;; refuse_at++) {
      test_allocator allocator = {0};
      const toi_context_options options = test_context_options(&allocator, 1);
      toi_context *own = NULL;
      assert_int_equal(toi_context_create(&options, &own), TOI_OK);
      allocator.refuse_at = allocator.calls + refuse_at;
      const size_t calls = allocator.calls;
      const toi_options question = toi_default_options();
      toi_proof *proof = NULL;
      const toi_status status =
          toi_prove(own, query.kind, query.points, query.points + (size_t)3 * toi_kind_points(query.kind), &question,
                    TOI_PROOF_CERTIFICATE, &proof);
      const bool refused = allocator.calls >= calls + refuse_at;
      assert_int_equal(status, refused ? TOI_ERROR_MEMORY : TOI_OK);
      assert_true((proof == NULL) == refused);
      assert_true((toi_context_error(own)[0] != '\0') == refused);
      toi_proof_free(own, proof);
      toi_context_destroy(own);
      assert_int_equal(allocator.blocks, 0);
      assert_int_equal(allocator.wrong_sizes, 0);
      if (!refused) {
        assert_true(refuse_at > 3);
        break;
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_certificate_of_the_mixture_says_the_planted_truth),
      cmocka_unit_test(the_end_of_the_question_may_come_just_before_the_contact_or_at_it),
      cmocka_unit_test(every_certificate_of_real_queries_says_their_truth),
      cmocka_unit_test(the_same_query_has_the_same_certificate),
      cmocka_unit_test(corrupted_certificates_are_rejected),
      cmocka_unit_test(a_proof_that_fits_another_query_is_true_of_it),
      cmocka_unit_test(refused_memory_is_an_error_and_loses_nothing),
  };
  return cmocka_run_group_tests(tests, make_context, free_context);
}
