/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The checker by itself: certificates written by hand, one for each reason and each form of contact, and what it must
 * not accept. */

#include "support/support.h"

#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

#define TRIANGLE " 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0"

/* A vertex falls through a resting triangle. */
static const char falls_through[] = "toi-certificate 1\n"
                                    "kind vertex-face\n"
                                    "start 0x1p-2 0x1p-2 0x1p+0" TRIANGLE "\n"
                                    "end 0x1p-2 0x1p-2 -0x1p+0" TRIANGLE "\n"
                                    "t-max 0x1p+0\n"
                                    "verdict hit\n"
                                    "time 1/2 1/2\n"
                                    "polynomial -1 2\n"
                                    "piece 0 1p-2 plane 0 0 1\n"
                                    "last 1/4 sign\n"
                                    "contact weights 1/2 1/4 1/4\n"
                                    "qed\n";

/* A triangle tilts up to a vertex that moves along it: z = t x meets 1/4 at x = (1 + t) / 4, where t^2 + t = 1. */
static const char tilts_up[] =
    "toi-certificate 1\n"
    "kind vertex-face\n"
    "start 0x1p-2 0x1p-3 0x1p-2" TRIANGLE "\n"
    "end 0x1p-1 0x1p-3 0x1p-2 0x0p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x1p+0 0x0p+0 0x1p+0 0x0p+0\n"
    "t-max 0x1p+0\n"
    "verdict hit\n"
    "time 19p-5 5/8\n"
    "polynomial -1 1 1\n"
    "last 0 sign\n"
    "contact inside z\n"
    "qed\n";

/* An edge turns down to a vertex that moves under it, all in one plane: 1 = t (1 + t) again. */
static const char turns_down[] = "toi-certificate 1\n"
                                 "kind vertex-edge\n"
                                 "start 0x0p+0 0x0p+0 0x0p+0 -0x1p+0 0x1p+0 0x0p+0 0x1p+0 0x1p+0 0x0p+0\n"
                                 "end 0x1p+0 0x0p+0 0x0p+0 -0x1p+0 0x1p+0 0x0p+0 0x1p+0 -0x1p+0 0x0p+0\n"
                                 "t-max 0x1p+0\n"
                                 "verdict hit\n"
                                 "time 19/32 5/8\n"
                                 "polynomial -1 1 1\n"
                                 "piece 0 1/2 areas z 0 1\n"
                                 "last 1/2 areas z 0 1\n"
                                 "contact segment 0 1\n"
                                 "qed\n";

/* An edge sinks across another; then the same two, at rest and touching. */
static const char crosses[] =
    "toi-certificate 1\n"
    "kind edge-edge\n"
    "start -0x1p+0 0x0p+0 0x1p+0 0x1p+0 0x0p+0 0x1p+0 0x0p+0 -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0\n"
    "end -0x1p+0 0x0p+0 -0x1p+0 0x1p+0 0x0p+0 -0x1p+0 0x0p+0 -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0\n"
    "t-max 0x1p-1\n"
    "verdict hit\n"
    "time 1/2 1/2\n"
    "polynomial -1 2\n"
    "last 0 plane 0 0 3\n"
    "contact weights 1/4 1/4 1/4 1/4\n"
    "qed\n"
    "toi-certificate 1\n"
    "kind edge-edge\n"
    "start -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0\n"
    "end -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 -0x1p+0 0x0p+0 0x0p+0 0x1p+0 0x0p+0\n"
    "t-max 0x0p+0\n"
    "verdict hit\n"
    "time 0 0\n"
    "polynomial 0 1\n"
    "contact weights 1/4 1/4 1/4 1/4\n"
    "qed\n";

/* A vertex falls past a triangle. */
static const char falls_past[] = "toi-certificate 1\n"
                                 "kind vertex-face\n"
                                 "start 0x1p+1 0x1p+1 0x1p+0" TRIANGLE "\n"
                                 "end 0x1p+1 0x1p+1 -0x1p+0" TRIANGLE "\n"
                                 "t-max 0x1p+0\n"
                                 "verdict miss\n"
                                 "piece 0 1/4 sign\n"
                                 "piece 1/4 3/4 areas z 0 1\n"
                                 "piece 3/4 1 sign\n"
                                 "qed\n";

/* A vertex passes another on a slanted line. */
static const char passes_by[] = "toi-certificate 1\n"
                                "kind vertex-vertex\n"
                                "start 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\n"
                                "end 0x0p+0 0x1p+0 0x0p+0 0x0p+0 0x0p+0 0x0p+0\n"
                                "t-max 0x1p+0\n"
                                "verdict miss\n"
                                "piece 0 1 plane 1 1 0\n"
                                "qed\n";

static verify_status verify(const char *text) {
  verify_report report = {0};
  const verify_status status = verify_text(text, strlen(text), &report);
  assert_true(status == VERIFY_ACCEPTED || (report.reason != NULL && report.line > 0));
  return status;
}

static void every_reason_and_every_form_of_contact_is_accepted(void **state) {
  (void)state;
  static const char *const all[] = {falls_through, tilts_up, turns_down, crosses, falls_past, passes_by};
  verify_report report = {0};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    assert_int_equal(verify_text(all[i], strlen(all[i]), &report), VERIFY_ACCEPTED);
  assert_int_equal(report.hits, 5);
  assert_int_equal(report.misses, 2);
  assert_int_equal(report.pieces, 10);
}

/* The text with the first occurrence of one string replaced by another. */
static const char *replaced(const char *text, const char *from, const char *to) {
  static char buffer[4096];
  const char *at = strstr(text, from);
  assert_non_null(at);
  const int before = (int)(at - text);
  const int length = snprintf(buffer, sizeof buffer, "%.*s%s%s", before, text, to, at + strlen(from));
  assert_true(length > 0 && (size_t)length < sizeof buffer);
  return buffer;
}

typedef struct edit {
  const char *text, *from, *to;
} edit;

static const edit wrong_steps[] = {
    /* the verdict, and what it needs */
    {falls_past, "piece 3/4 1 sign\n", ""},
    {falls_past, "piece 0 1/4 sign\n", ""},
    {falls_past, "piece 1/4 3/4 areas z 0 1\n", ""},
    {passes_by, "piece 0 1 plane 1 1 0\n", ""},
    {falls_through, "contact weights 1/2 1/4 1/4\n", ""},
    {falls_through, "last 1/4 sign\n", ""},
    {falls_through, "piece 0 1p-2 plane 0 0 1\n", ""},
    /* the time */
    {falls_through, "time 1/2 1/2", "time 1/2 5/8"},
    {falls_through, "time 1/2 1/2", "time 5/8 5/8"},
    {falls_through, "time 1/2 1/2", "time 3/8 3/8"},
    {falls_through, "polynomial -1 2", "polynomial -1 3"},
    {falls_through, "polynomial -1 2", "polynomial 0"},
    {tilts_up, "time 19p-5 5/8", "time 17/32 19/32"},
    {tilts_up, "time 19p-5 5/8", "time -2 5/8"},
    {tilts_up, "time 19p-5 5/8", "time 19/32 9/8"},
    {tilts_up, "time 19p-5 5/8", "time 5/8 19/32"},
    {tilts_up, "polynomial -1 1 1", "polynomial -1 1 1 1"},
    {tilts_up, "polynomial -1 1 1", "polynomial -2 2 3"},
    {tilts_up, "t-max 0x1p+0", "t-max 0x1p-1"},
    {tilts_up, "t-max 0x1p+0", "t-max 0x1p+1"},
    {tilts_up, "t-max 0x1p+0", "t-max -0x1p+0"},
    /* reasons */
    {falls_through, "plane 0 0 1", "plane 0 0 -1"},
    {falls_through, "plane 0 0 1", "plane 0 0 0"},
    {falls_through, "plane 0 0 1", "plane 4 0 1"},
    {falls_through, "piece 0 1p-2", "piece 0 1p-1"},
    {falls_through, "piece 0 1p-2", "piece 1/8 1p-2"},
    {falls_through, "last 1/4", "last 1/8"},
    {falls_through, "last 1/4", "last 1/2"},
    {falls_through, "last 1/4 sign", "piece 1/4 1/2 sign"},
    {falls_through, "last 1/4 sign", "last 1/4 areas z 0 1"},
    {tilts_up, "last 0 sign", "last 0 plane 0 0 1"},
    {turns_down, "last 1/2 areas z 0 1", "last 1/2 areas z 0 0"},
    {turns_down, "last 1/2 areas z 0 1", "last 1/2 areas x 0 1"},
    {turns_down, "last 1/2 areas z 0 1", "last 1/2 areas z 0 2"},
    {turns_down, "last 1/2 areas z 0 1", "last 1/2 sign"},
    {turns_down, "piece 0 1/2 areas z 0 1", "piece 0 3/4 areas z 0 1"},
    {falls_past, "areas z 0 1", "areas z 0 2"},
    {falls_past, "areas z 0 1", "areas y 0 1"},
    {falls_past, "areas z 0 1", "sign"},
    {falls_past, "piece 3/4 1 sign", "piece 3/4 5/8 sign"},
    {passes_by, "plane 1 1 0", "plane 1 0 0"},
    {passes_by, "plane 1 1 0", "sign"},
    {passes_by, "plane 1 1 0", "areas z 0 0"},
    {passes_by, "plane 1 1 0\n", "plane 1 1 0\nlast 1 plane 1 1 0\n"},
    {passes_by, "piece 0 1 plane 1 1 0\n", "contact weights 1\n"},
    /* contact */
    {falls_through, "weights 1/2 1/4 1/4", "weights 1/4 1/2 1/4"},
    {falls_through, "weights 1/2 1/4 1/4", "weights 1/2 1/2 1/2"},
    {falls_through, "weights 1/2 1/4 1/4", "weights 1/4 1/8 1/8"},
    {falls_through, "weights 1/2 1/4 1/4", "weights 3/2 -1/4 -1/4"},
    {falls_through, "contact weights 1/2 1/4 1/4", "contact inside x"},
    {falls_through, "contact weights 1/2 1/4 1/4", "contact segment 0 1"},
    {falls_through, "contact weights 1/2 1/4 1/4", "contact segment 0 3"},
    {tilts_up, "contact inside z", "contact inside y"},
    {tilts_up, "contact inside z", "contact weights 1/2 1/4 1/4"},
    {tilts_up, "contact inside z", "contact segment 1 2"},
    {turns_down, "contact segment 0 1", "contact segment 0 0"},
    {turns_down, "contact segment 0 1", "contact inside z"},
    /* coordinates */
    {falls_through, "start 0x1p-2", "start 0x1p+1"},
    {falls_through, "end 0x1p-2 0x1p-2 -0x1p+0", "end 0x1p-2 0x1p-2 -0x1p-1"},
    {falls_past, "start 0x1p+1 0x1p+1", "start -0x1.8p+0 -0x1.8p+0"},
    {tilts_up, "end 0x1p-1", "end 0x1.8p-1"},
    {turns_down, "-0x1p+0 0x1p+0 0x0p+0 0x1p+0 -0x1p+0", "0x1p+0 0x1p+0 0x0p+0 0x1p+0 -0x1p+0"},
    {crosses, "start -0x1p+0", "start 0x1p-1"},
    {passes_by, "end 0x0p+0 0x1p+0", "end -0x1p+0 0x0p+0"},
};

static void what_does_not_follow_is_rejected(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrong_steps / sizeof wrong_steps[0]; i++) {
    const verify_status status = verify(replaced(wrong_steps[i].text, wrong_steps[i].from, wrong_steps[i].to));
    if (status != VERIFY_REJECTED)
      fail_msg("status %d after the edit of '%s' to '%s'", (int)status, wrong_steps[i].from, wrong_steps[i].to);
  }
}

static void what_is_no_certificate_is_unreadable(void **state) {
  (void)state;
  static const edit edits[] = {
      {falls_through, "toi-certificate 1", "toi-certificate 2"},
      {falls_through, "toi-certificate", "certificate"},
      {falls_through, "vertex-face", "face-vertex"},
      {falls_through, "vertex-face", "edge"},
      {falls_through, "vertex-face", "vertex-edge"},
      {falls_through, "start 0x1p-2", "start"},
      {falls_through, "start 0x1p-2", "start nan"},
      {falls_through, "start 0x1p-2", "start 0x1p"},
      {falls_through, "start 0x1p-2", "start 0xp-2"},
      {falls_through, "start 0x1p-2", "start 0x1p-99999999999999999999"},
      {falls_through, "start 0x1p-2", "start 1/0"},
      {falls_through, "start 0x1p-2", "start 0.25"},
      {falls_through, "start 0x1p-2", "start --1"},
      {falls_through, "verdict hit", "verdict near"},
      {falls_through, "verdict hit", "verdict miss"},
      {falls_past, "verdict miss", "verdict hit"},
      {falls_through, "time 1/2 1/2", "time 1/2"},
      {falls_through, "polynomial -1 2", "polynomial -1 2 3 4 5"},
      {falls_through, "polynomial -1 2", "polynomial"},
      {falls_through, "last 1/4 sign", "last 1/4 sign 0"},
      {falls_through, "last 1/4 sign", "last 1/4 areas w 0 1"},
      {falls_through, "last 1/4 sign", "last 1/4 areas z 0 4"},
      {falls_through, "weights 1/2 1/4 1/4", "weights 1/2 1/4"},
      {falls_through, "weights 1/2 1/4 1/4", "weights 1/2 1/4 1/4 0"},
      {falls_through, "contact weights", "touching weights"},
      {falls_through, "qed\n", "qed"},
      {falls_through, "qed\n", "qed qed\n"},
      {falls_through, "qed\n", "qed\n\n"},
  };
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
    const verify_status status = verify(replaced(edits[i].text, edits[i].from, edits[i].to));
    if (status != VERIFY_UNREADABLE)
      fail_msg("status %d after the edit of '%s' to '%s'", (int)status, edits[i].from, edits[i].to);
  }
  verify_report report = {0};
  assert_int_equal(verify_text("", 0, &report), VERIFY_UNREADABLE);
}

static void no_certificate_that_is_cut_short_is_accepted(void **state) {
  (void)state;
  for (size_t length = 1; length < strlen(falls_through); length++) {
    verify_report report = {0};
    assert_int_not_equal(verify_text(falls_through, length, &report), VERIFY_ACCEPTED);
  }
}

static void the_failing_line_is_told(void **state) {
  (void)state;
  verify_report report = {0};
  const char *text = replaced(falls_through, "last 1/4 sign", "last 1/4 areas z 0 1");
  assert_int_equal(verify_text(text, strlen(text), &report), VERIFY_REJECTED);
  assert_int_equal(report.line, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_reason_and_every_form_of_contact_is_accepted),
      cmocka_unit_test(what_does_not_follow_is_rejected),
      cmocka_unit_test(what_is_no_certificate_is_unreadable),
      cmocka_unit_test(no_certificate_that_is_cut_short_is_accepted),
      cmocka_unit_test(the_failing_line_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
