/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Budgets that are kept and told, calls that fail and say why, and what an answer is then: never a miss. Each request
 * for memory is refused in turn; functions of one's own lie in the middle of a search. */

#include "contact/program.h"
#include "contact/scenes.h"
#include "contact/sets.h"

/* --- budgets --- */

static void boxes_are_counted_and_their_number_is_kept(void **state) {
  (void)state;
  for (uint64_t budget = 1; budget < 400; budget = budget * (TEST_SANITIZED ? 6 : 3) / 2 + 1)
    for (int order = 0; order < 3; order++) {
      stage s = {.context = context};
      truth known;
      toi_contact_options options = toi_default_contact_options();
      options.max_boxes = budget;
      options.order = (toi_contact_order)order;
      tori_aligned(&s, &known);
      ask(&s, &options, &got);
      const toi_contact_answer *a = &got.answer;
      assert_true(a->boxes <= budget);
      assert_int_equal(a->end, TOI_CONTACT_BOXES);
      assert_true(a->verdict != TOI_MISS && a->t_lo <= known.t && a->t_safe < known.t);
      assert_true(a->verdict != TOI_HIT || a->t_hi >= known.t);
      assert_true(a->verdict == TOI_HIT || isinf(a->tolerance_reached));
      clear(&s);
    }
}

static void a_search_without_time_ends_at_once(void **state) {
  (void)state;
  stage s = {.context = context};
  truth known;
  toi_contact_options options = toi_default_contact_options();
  options.max_seconds = 1e-9;
  torus_on_cone(&s, &known);
  ask(&s, &options, &got);
  assert_int_equal(got.answer.end, TOI_CONTACT_SECONDS);
  assert_true(got.answer.verdict != TOI_MISS && got.answer.t_lo <= known.t);
  clear(&s);
}

/* The context may hold so little that the queue cannot grow. */
static void memory_is_kept(void **state) {
  (void)state;
  unsigned ended = 0, refused = 0;
  for (uint64_t budget = UINT64_C(1) << 18; budget < UINT64_C(1) << 23; budget += budget / (TEST_SANITIZED ? 2 : 8)) {
    toi_context_options limits = toi_default_context_options();
    limits.threads = 1;
    limits.memory_budget = budget;
    stage s = {.context = NULL};
    truth known;
    assert_int_equal(toi_context_create(&limits, &s.context), TOI_OK);
    toi_contact_options options = toi_default_contact_options();
    options.guesses = options.tangency = false;
    options.newton = TOI_NEWTON_NONE;
    options.max_boxes = 30000;
    tori_crossed(&s, &known);
    toi_status status = toi_contact(s.context, s.bodies, s.count, &options, &got.answer, NULL, NULL);
    assert_true(toi_context_bytes(s.context) <= budget);
    if (status == TOI_OK) {
      ended += got.answer.end == TOI_CONTACT_MEMORY;
      assert_true(got.answer.verdict != TOI_MISS && got.answer.t_lo <= known.t);
    } else {
      refused++;
      assert_int_equal(status, TOI_ERROR_MEMORY);
      assert_int_equal(got.answer.verdict, TOI_NEAR);
    }
    clear(&s);
    toi_context_destroy(s.context);
  }
  print_message("  %u searches ended by memory, %u refused\n", ended, refused);
  assert_true(ended > 0);
}

/* More contacts than the memory holds: those that were found are reported, and the end says why there are no more. Once
 * the bodies fit, nothing is lost. */
static void contacts_that_were_found_survive_full_memory(void **state) {
  (void)state;
  unsigned ended = 0;
  size_t most = 0;
  bool fits = false;
  for (uint64_t budget = UINT64_C(1) << 19; budget <= UINT64_C(3) << 19; budget += UINT64_C(1) << 17) {
    toi_context_options limits = toi_default_context_options();
    limits.threads = 1;
    limits.memory_budget = budget;
    stage s = {.context = NULL};
    truth known;
    assert_int_equal(toi_context_create(&limits, &s.context), TOI_OK);
    toi_contact_options options = toi_default_contact_options();
    options.spacing = 0.002;
    clamped_sines(&s, &known);
    got.count = 0;
    const toi_status status = toi_contact(s.context, s.bodies, s.count, &options, &got.answer, collect, &got);
    assert_true(toi_context_bytes(s.context) <= budget);
    assert_true(status == TOI_OK || (status == TOI_ERROR_MEMORY && !fits));
    if (status == TOI_OK && got.answer.contacts > 0) {
      fits = true;
      ended += got.answer.end == TOI_CONTACT_MEMORY;
      assert_string_equal(toi_context_error(s.context), "");
      assert_int_equal(got.answer.verdict, TOI_HIT);
      assert_true(got.answer.t_lo <= known.t && got.answer.t_hi >= known.t && got.answer.contacts >= most);
      assert_int_equal(got.count, got.answer.contacts);
      for (size_t i = 0; i < got.count; i++)
        assert_true(known.distance(got.contacts[i].point) <= got.contacts[i].error + 1e-5);
      most = got.answer.contacts;
    }
    clear(&s);
    toi_context_destroy(s.context);
  }
  print_message("  %u searches ended by memory, with up to %zu contacts\n", ended, most);
  assert_true(ended > 2 && most > 200);
}

static void each_request_for_memory_may_be_refused(void **state) {
  (void)state;
  bool again = true;
  for (size_t refuse = 1; again; refuse++) {
    test_allocator allocator = {0};
    stage s = {.context = test_context_on(&allocator)};
    truth known;
    toi_contact_options options = toi_default_contact_options();
    tori_crossed(&s, &known);
    allocator.calls = 0;
    allocator.refuse_at = refuse;
    toi_status status = toi_contact(s.context, s.bodies, s.count, &options, &got.answer, NULL, NULL);
    again = allocator.calls >= refuse;
    if (status == TOI_OK)
      assert_true(got.answer.verdict != TOI_MISS && got.answer.t_lo <= known.t);
    else
      assert_true(status == TOI_ERROR_MEMORY && got.answer.verdict == TOI_NEAR && got.answer.t_lo == 0);
    assert_true(again || got.answer.verdict == TOI_HIT);
    clear(&s);
    toi_context_destroy(s.context);
    assert_int_equal(allocator.blocks, 0);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

/* --- callbacks --- */

static bool stop(void *user, double done) {
  unsigned *calls = user;
  assert_true(done >= 0 && done <= 1);
  return ++*calls < 3;
}

static toi_status first_only(void *user, const toi_contact_point *contact) {
  unsigned *calls = user;
  (void)contact;
  ++*calls;
  return TOI_ERROR_FILE;
}

static void callbacks_end_what_they_are_asked_about(void **state) {
  (void)state;
  stage s = {.context = context};
  truth known;
  unsigned calls = 0;
  toi_contact_options options = toi_default_contact_options();
  tori_crossed(&s, &known);
  assert_int_equal(toi_contact(context, s.bodies, s.count, &options, &got.answer, first_only, &calls), TOI_ERROR_FILE);
  assert_int_equal(calls, 1);
  // The answer was complete when the visitor ended the call.
  assert_true(got.answer.verdict == TOI_HIT && got.answer.contacts > 1);
  calls = 0;
  options.progress = stop;
  options.progress_user = &calls;
  assert_int_equal(toi_contact(context, s.bodies, s.count, &options, &got.answer, NULL, NULL), TOI_ERROR_CANCELLED);
  assert_int_equal(calls, 3);
  assert_int_equal(got.answer.verdict, TOI_NEAR);
  clear(&s);
}

/* --- what is refused --- */

static void expect(const stage *s, const toi_contact_options *options, toi_status status, const char *sentence) {
  toi_contact_answer answer = {.verdict = TOI_MISS, .t_lo = 1};
  toi_status found = toi_contact(s->context, s->bodies, s->count, options, &answer, NULL, NULL);
  if (found != status || strstr(toi_context_error(s->context), sentence) == NULL)
    fail_msg("%s: '%s' instead of '%s'", toi_status_text(found), toi_context_error(s->context), sentence);
  assert_true(answer.verdict == TOI_NEAR && answer.t_lo == 0 && answer.t_safe == 0);
}

static void bad_options_are_named(void **state) {
  (void)state;
  stage s = {.context = context};
  truth known;
  two_spheres(&s, &known);
  const toi_contact_options fine = toi_default_contact_options();
  toi_contact_options o = {0};
  expect(&s, &o, TOI_ERROR_OPTION, "toi_contact_options was not set");
  const double bad[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double *const fields[] = {&o.t_max, &o.tolerance, &o.simultaneity, &o.spacing};
    static const char *const names[] = {"t_max", "tolerance", "simultaneity", "spacing"};
    for (int k = bad[i] == 0 ? 1 : 0; k < 4; k++) {
      o = fine;
      *fields[k] = bad[i];
      expect(&s, &o, TOI_ERROR_OPTION, names[k]);
    }
  }
  o = fine;
  o.max_seconds = NAN;
  expect(&s, &o, TOI_ERROR_OPTION, "max_seconds");
  o = fine;
  o.newton = (toi_contact_newton)7;
  expect(&s, &o, TOI_ERROR_OPTION, "newton");
  s.bodies[1].shape = NULL;
  expect(&s, &fine, TOI_ERROR_INPUT, "bodies[1] has no shape");
  clear(&s);
}

static void fewer_than_two_bodies_touch_nothing(void **state) {
  (void)state;
  stage s = {.context = context};
  toi_contact_options options = toi_default_contact_options();
  ask(&s, &options, &got);
  assert_true(got.answer.verdict == TOI_MISS && got.answer.t_safe == 1 && got.answer.pairs == 0);
  enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){1});
  ask(&s, &options, &got);
  assert_true(got.answer.verdict == TOI_MISS && isinf(got.answer.t_lo) && got.answer.pairs == 0);
  clear(&s);
}

/* --- functions of one's own --- */

typedef enum lie { HONEST = 0, NOT_A_NUMBER, UPSIDE_DOWN, GIVES_UP, LIES } lie;

typedef struct own {
  lie what;
  unsigned calls, from; /* it begins with this call */
} own;

/* x^2 + y^2 + z^2 - 1, not tightly: everything is widened by some 1e-12 of the box's own size and one. */
static bool own_sphere(void *user, const toi_interval *box, unsigned order, toi_interval *jet) {
  own *o = user;
  toi_interval sum = {-1 - 1e-9, -1 + 1e-9};
  for (int k = 0; k < 3; k++) {
    double a = box[k].lo * box[k].lo, b = box[k].hi * box[k].hi;
    sum.lo += box[k].lo <= 0 && box[k].hi >= 0 ? 0 : fmin(a, b) * (1 - 1e-12);
    sum.hi += fmax(a, b) * (1 + 1e-12);
  }
  jet[0] = sum;
  if (order > 0)
    for (int k = 0; k < 4; k++)
      jet[1 + k] = k < 3 ? (toi_interval){2 * box[k].lo, 2 * box[k].hi} : (toi_interval){0, 0};
  static const double second[10] = {2, 0, 0, 0, 2, 0, 0, 2, 0, 0};
  for (int k = 0; k < 10 && order > 1; k++)
    jet[5 + k] = (toi_interval){second[k], second[k]};
  if (o->what == HONEST || ++o->calls < o->from)
    return true;
  if (o->what == NOT_A_NUMBER)
    jet[0].hi = NAN;
  if (o->what == UPSIDE_DOWN)
    jet[0] = (toi_interval){1, -1};
  return o->what != GIVES_UP;
}

/* The sphere of one's own, and one of radius 1/2 that comes along x: contact when it is at 3/2, t = 1/2, to 1e-9. */
static void functions_of_ones_own_are_believed_or_caught(void **state) {
  (void)state;
  for (int what = HONEST; what < LIES; what++)
    for (unsigned from = 1; from < (what == HONEST ? 2 : 60); from += 7) {
      own o = {.what = (lie)what, .from = from};
      stage s = {.context = context};
      toi_shape *shape = NULL;
      toi_contact_options options = toi_default_contact_options();
      const toi_implicit about = {.bounds = {{-2, 2}, {-2, 2}, {-2, 2}}, .solid = true};
      well(&s, toi_shape_own(context, own_sphere, &o, NULL, &about, &shape));
      enter(&s, shape);
      toi_motion *m = enter_library(&s, TOI_SHAPE_SPHERE, TOI_SHAPE_FORM_DEFAULT, (double[]){0.5});
      well(&s, toi_motion_move(m, (double[]){2.5, 0, 0}, (double[]){-2, 0, 0}));
      if (what == HONEST) {
        ask(&s, &options, &got);
        assert_int_equal(got.answer.verdict, TOI_HIT);
        assert_true(got.answer.t_lo <= 0.5 && 0.5 <= got.answer.t_hi && got.answer.t_hi - got.answer.t_lo < 1e-6);
      } else {
        expect(&s, &options, TOI_ERROR_CALLBACK, "bodies[0].shape: its function gave");
      }
      clear(&s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_are_counted_and_their_number_is_kept),
      cmocka_unit_test(a_search_without_time_ends_at_once),
      cmocka_unit_test(memory_is_kept),
      cmocka_unit_test(contacts_that_were_found_survive_full_memory),
      cmocka_unit_test(each_request_for_memory_may_be_refused),
      cmocka_unit_test(callbacks_end_what_they_are_asked_about),
      cmocka_unit_test(bad_options_are_named),
      cmocka_unit_test(fewer_than_two_bodies_touch_nothing),
      cmocka_unit_test(functions_of_ones_own_are_believed_or_caught),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
