/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The checker of certificates reads any text. A single certificate that it accepts, of a query in doubles, says what
 * the method `exact` says of that query: nothing false is ever proved. */

#include "fuzz/queries.h"

#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

/* A word of an accepted certificate; "" at the end. */
typedef struct words {
  char *at;
} words;

static const char *next_word(words *w) {
  char *word = w->at + strspn(w->at, " \n");
  w->at = word + strcspn(word, " \n");
  if (*w->at != '\0')
    *w->at++ = '\0';
  return word;
}

/* The next word is a double, as %a writes it, so that it is read without rounding. */
static bool next_double(words *w, double *value) {
  const char *word = next_word(w);
  char again[64];
  *value = strtod(word, NULL);
  snprintf(again, sizeof again, "%a", *value);
  return strcmp(word, again) == 0;
}

static bool read_query(words *w, fuzz_query *query, double *t_max) {
  static const char *const kinds[] = {"vertex-face", "edge-edge", "vertex-edge", "vertex-vertex"};
  // toi-certificate 1 kind KIND
  for (int i = 0; i < 3; i++)
    (void)next_word(w);
  const char *kind = next_word(w);
  for (unsigned k = 0; k < TOI_KIND_COUNT; k++)
    if (strcmp(kind, kinds[k]) == 0)
      query->kind = (toi_kind)k;
  query->half = (size_t)3 * toi_kind_points(query->kind);
  // start NUMBER... end NUMBER... t-max NUMBER
  for (size_t i = 0; i < 2 * query->half; i++) {
    if (i % query->half == 0)
      (void)next_word(w);
    if (!next_double(w, &query->points[i]))
      return false;
  }
  (void)next_word(w);
  return next_double(w, t_max);
}

static void check_accepted(char *text) {
  words w = {.at = text};
  fuzz_query query = {0};
  toi_options options = toi_default_options();
  options.method = "exact";
  if (!read_query(&w, &query, &options.t_max))
    return;
  (void)next_word(&w);
  const toi_verdict said = strcmp(next_word(&w), "hit") == 0 ? TOI_HIT : TOI_MISS;
  toi_hit exact;
  FUZZ_CHECK(fuzz_query_ask(&query, &options, &exact) == TOI_OK);
  FUZZ_CHECK(exact.verdict == said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  verify_report report = {0};
  const verify_status status = verify_text((const char *)data, size, &report);
  if (status != VERIFY_ACCEPTED) {
    FUZZ_CHECK(report.line > 0 && report.reason != NULL && report.reason[0] != '\0');
    return 0;
  }
  FUZZ_CHECK(report.hits + report.misses > 0);
  if (report.hits + report.misses > 1)
    return 0;
  char *text = malloc(size + 1);
  FUZZ_CHECK(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  check_accepted(text);
  free(text);
  return 0;
}
