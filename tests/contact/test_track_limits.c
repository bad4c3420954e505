/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tracked contacts that are none, and calls that fail and say why; budgets; each request for memory refused in turn;
 * the same from any side. */

#include "contact/tracks.h"

static uint64_t seed;

/* --- what is refused --- */

static void ball_on_plane(track_stage *s, const char *z) {
  track_open(s);
  track_path(track_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}), "0", "0", z);
  track_library(s, TOI_SHAPE_PLANE, TOI_SHAPE_FORM_DEFAULT, (double[]){1, 1});
}

static void refuse(track_stage *s, const char *words) {
  const toi_track before = s->tracks[0];
  assert_int_not_equal(toi_track_begin(context, &s->scene, &s->options), TOI_OK);
  if (strstr(toi_context_error(context), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", toi_context_error(context), words);
  assert_memory_equal(&before, &s->tracks[0], sizeof before);
  toi_track_answer answer;
  memset(&answer, 0xa5, sizeof answer);
  if (toi_track_step(context, &s->scene, &s->options, &answer, NULL, NULL) != TOI_OK)
    assert_true(answer.verdict == TOI_NEAR && (answer.t_safe == s->scene.t_from || answer.t_safe == 0) &&
                answer.contacts == 0);
  assert_true(answer.t_safe <= s->options.t_max);
}

/* One field of a good track spoilt at a time. */
static void tracks_that_are_none_are_refused(void **state) {
  (void)state;
  track_stage s;
  ball_on_plane(&s, "0.5");
  track_rest(&s, 1e-6, 0.05);
  assert_int_equal(s.scene.track_count, 1);
  const toi_track good = s.tracks[0];
  toi_track *bad = &s.tracks[0];
  bad->delta = 0;
  refuse(&s, "tracks[0].delta is 0");
  bad->delta = NAN;
  refuse(&s, "delta is");
  bad->delta = -1;
  refuse(&s, "must be positive");
  bad->delta = 0.04;
  refuse(&s, "an eighth of the margin");
  *bad = good;
  bad->margin = INFINITY;
  refuse(&s, "margin is inf");
  *bad = good;
  bad->a = 7;
  refuse(&s, "body 7");
  *bad = good;
  bad->b = bad->a;
  refuse(&s, "itself");
  *bad = good;
  bad->face_a = 3;
  refuse(&s, "face 3 of body 0");
  *bad = good;
  bad->normal[2] = 0;
  refuse(&s, "normal");
  bad->normal[1] = NAN;
  refuse(&s, "normal");
  *bad = good;
  bad->box_b[1] = (toi_interval){1, -1};
  refuse(&s, "box");
  bad->box_b[1] = (toi_interval){NAN, NAN};
  refuse(&s, "box");
  *bad = good;
  bad->state = (toi_track_state)9;
  refuse(&s, "state is 9");
  *bad = good;
  s.scene.t_from = 2;
  refuse(&s, "t_from is 2");
  s.scene.t_from = 0;
  // The other way round the ball is below the plane.
  for (int k = 0; k < 3; k++)
    bad->normal[k] = -good.normal[k];
  refuse(&s, "deep");
  track_close(&s);
}

static void bodies_apart_or_deep_in_each_other_have_no_contact(void **state) {
  (void)state;
  static const struct { const char *z, *words; } at[] = {{"0.51", "more than 1e-06 apart"}, {"0.4999", "1e-06 deep"}};
  track_stage good;
  ball_on_plane(&good, "0.5");
  track_rest(&good, 1e-6, 0.05);
  for (size_t i = 0; i < 2; i++) {
    track_stage s;
    ball_on_plane(&s, at[i].z);
    s.tracks[0] = good.tracks[0];
    s.scene.track_count = 1;
    refuse(&s, at[i].words);
    // In the middle of a simulation both are what has become of the track.
    s.tracks[0] = good.tracks[0];
    track_step(&s, 1);
    assert_int_equal(s.tracks[0].state, i == 0 ? TOI_TRACK_ENDED : TOI_TRACK_DEEPER);
    assert_true(i == 0 || (s.answer.event == TOI_TRACK_LOST && s.answer.t_lo == 0 && s.tracks[0].proved));
    track_close(&s);
  }
  track_close(&good);
}

static void scenes_and_contacts_that_are_none_are_refused(void **state) {
  (void)state;
  track_stage s;
  ball_on_plane(&s, "0.5");
  toi_track_contacts contacts = {.size = sizeof contacts, .delta = 1e-6, .margin = 0.05};
  size_t made = 7;
  assert_int_equal(toi_track_rest(context, &s.scene, &s.options, &contacts, &made), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "more than 0 contacts"));
  assert_int_equal(made, 0);
  contacts.room = TRACK_ROOM;
  const toi_contact_point point = {.a = 0, .b = 5};
  contacts.points = &point;
  contacts.count = 1;
  assert_int_equal(toi_track_make(context, &s.scene, &s.options, &contacts, &made), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "points[0] is of bodies 0 and 5"));
  const toi_contact_point nowhere = {.a = 0, .b = 1, .point = {0, NAN, 0}, .normal_b = {0, 0, 1}};
  contacts.points = &nowhere;
  assert_int_equal(toi_track_make(context, &s.scene, &s.options, &contacts, &made), TOI_ERROR_INPUT);
  const toi_contact_point far = {.a = 0, .b = 1, .point = {3, 0, 0}, .normal_b = {0, 0, 1}};
  contacts.points = &far;
  assert_int_equal(toi_track_make(context, &s.scene, &s.options, &contacts, &made), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "no contact"));
  assert_int_equal(toi_track_make(context, NULL, &s.options, &contacts, &made), TOI_ERROR_INPUT);
  assert_int_equal(toi_track_step(context, &s.scene, &s.options, NULL, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_track_begin(NULL, &s.scene, &s.options), TOI_ERROR_INPUT);
  s.scene.size = sizeof s.scene + 64;
  assert_int_equal(toi_track_begin(context, &s.scene, &s.options), TOI_ERROR_OPTION);
  track_close(&s);
  assert_null(toi_track_state_name((toi_track_state)4));
  assert_null(toi_track_event_name((toi_track_event)3));
}

/* --- budgets --- */

/* A ball that rolls, in whose way another one lies: it gets there at t = 1/2. */
static void rolling_ball(track_stage *s) {
  ball_on_plane(s, "0.5");
  toi_motion_destroy(s->motions[0]);
  track_well(toi_motion_create(context, &s->motions[0]));
  s->bodies[0].motion = s->motions[0];
  track_path(s->motions[0], "2*t", "0", "0.5");
  track_path(track_library(s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5}), "2", "0", "0.75");
}

/* The centres are 1 apart: (2 - 2 t)^2 + 1/16 = 1. */
static double meeting(void) {
  return 1 - sqrt(0.9375) / 2;
}

static void boxes_end_a_step_safely(void **state) {
  (void)state;
  for (uint64_t most = 1; most < 4000; most *= 3) {
    track_stage s;
    rolling_ball(&s);
    track_rest(&s, 1e-5, 0.05);
    s.options.max_boxes = most;
    track_step(&s, 1);
    assert_true(s.answer.event != TOI_TRACK_NOTHING && s.answer.t_safe <= meeting());
    assert_true(s.answer.verdict != TOI_HIT || fabs(s.answer.t_hi - meeting()) < 1e-6);
    track_close(&s);
  }
}

static void each_request_for_memory_may_be_refused(void **state) {
  (void)state;
  toi_context *usual = context;
  bool again = true;
  size_t refused = 0;
  for (size_t refuse_at = 1; again; refuse_at += TEST_SANITIZED ? 9 : 3) {
    test_allocator allocator = {0};
    track_stage s;
    context = test_context_on(&allocator);
    rolling_ball(&s);
    allocator.calls = 0;
    allocator.refuse_at = refuse_at;
    toi_status status = track_try_rest(&s, 1e-5, 0.05);
    s.answer = (toi_track_answer){.verdict = TOI_MISS};
    if (status == TOI_OK && s.scene.track_count > 0)
      status = toi_track_step(context, &s.scene, &s.options, &s.answer, NULL, NULL);
    else
      s.answer.verdict = TOI_NEAR;
    again = allocator.calls >= refuse_at;
    refused += again;
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    assert_true(s.answer.verdict != TOI_MISS && s.answer.t_safe <= meeting());
    assert_true(again || s.answer.verdict == TOI_HIT);
    track_close(&s);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
  context = usual;
  print_message("  %zu requests refused\n", refused);
  assert_true(refused > 10);
}

/* --- the same from any side --- */

/* A ball rolls over a plane of any slope, in any frame: it meets the other one at the same time. */
static void the_time_is_the_same_in_any_frame(void **state) {
  (void)state;
  const uint64_t rounds = test_count_from(10, 3);
  for (uint64_t i = 0; i < rounds; i++) {
    track_stage s;
    double axis[3], through[3];
    const double angle = 6 * test_random_unit(&seed);
    for (int k = 0; k < 3; k++) {
      axis[k] = test_random_unit(&seed) - 0.5;
      through[k] = 4 * test_random_unit(&seed) - 2;
    }
    rolling_ball(&s);
    for (size_t k = 0; k < 3; k++)
      track_well(toi_motion_turn(s.motions[k], axis, through, angle, 0));
    track_rest(&s, 1e-5, 0.05);
    assert_int_equal(s.scene.track_count, 1);
    track_step(&s, 1);
    assert_int_equal(s.answer.event, TOI_TRACK_CONTACT);
    assert_int_equal(s.answer.verdict, TOI_HIT);
    assert_true(fabs(s.answer.t_lo - meeting()) < 1e-9 && fabs(s.answer.t_hi - meeting()) < 1e-9);
    assert_int_equal(s.tracks[0].state, TOI_TRACK_HOLDS);
    track_close(&s);
  }
}

int main(void) {
  seed = test_seed(20261120);
  const struct CMUnitTest tests[] = {cmocka_unit_test(tracks_that_are_none_are_refused),
                                     cmocka_unit_test(bodies_apart_or_deep_in_each_other_have_no_contact),
                                     cmocka_unit_test(scenes_and_contacts_that_are_none_are_refused),
                                     cmocka_unit_test(boxes_end_a_step_safely),
                                     cmocka_unit_test(each_request_for_memory_may_be_refused),
                                     cmocka_unit_test(the_time_is_the_same_in_any_frame)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
