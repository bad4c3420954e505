/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts over time of what comes and goes: balls on circles, over a plane, along curves, whose distance is known at
 * any time, at thousands of times of random scenes; with large and small budgets. And the progress of it all. */

#include "contact/context.h"

#include <toi/contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

enum { MOST = 512, MOMENTS = 4000 };

typedef struct record {
  toi_contact_history history;
  toi_contact_interval at[MOST];
  size_t count;
} record;

static toi_status take(void *user, const toi_contact_interval *one) {
  record *r = user;
  assert_true(r->count < MOST);
  r->at[r->count++] = *one;
  return TOI_OK;
}

static void well(toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static double draw(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

/* --- two bodies whose distance is known --- */

typedef enum swing_path { SWINGS = 0, CIRCLES, CURVE, PATHS } swing_path;

typedef struct swing {
  swing_path path;
  double p[6], radius[2];
  double inner, outer; /* surfaces touch at these distances */
  toi_shape *shapes[2];
  toi_motion *motions[2];
  toi_body bodies[2];
} swing;

/* Of a ball's middle from the plane, or of both middles. */
static long double distance(const swing *s, long double t) {
  const double *p = s->p;
  if (s->path == SWINGS)
    return fabsl(p[0] + p[1] * sinl(p[2] * t + p[3]));
  if (s->path == CIRCLES)
    return sqrtl((long double)p[0] * p[0] + (long double)p[1] * p[1] - 2.0L * p[0] * p[1] * cosl(p[2] * t + p[3]));
  const long double x = p[0] + t * (p[1] + t * (p[2] + t * p[3])), y = p[4] + t * p[5];
  return sqrtl(x * x + y * y);
}

static void move(swing *s, int which, const char *x, const char *y, const char *z) {
  well(toi_motion_formula(s->motions[which], NULL, (const char *const[]){x, y, z}));
}

static void set_paths(swing *s) {
  double *p = s->p;
  char x[200], y[200];
  if (s->path == SWINGS) {
    const double drawn[] = {draw(-1, 1), draw(0, 2), draw(1, 13), draw(0, 6)};
    memcpy(p, drawn, sizeof drawn);
    (void)snprintf(x, sizeof x, "%.17g + %.17g*sin(%.17g*t + %.17g)", p[0], p[1], p[2], p[3]);
    move(s, 0, "0.1", "0.2", x);
  } else if (s->path == CIRCLES) {
    const double drawn[] = {draw(0.3, 1.5), draw(0.3, 1.5), draw(1, 11), draw(0, 6)};
    memcpy(p, drawn, sizeof drawn);
    well(toi_motion_move(s->motions[0], (double[]){p[0], 0, 0}, NULL));
    well(toi_motion_turn(s->motions[0], (double[]){0, 0, 1}, NULL, p[3], p[2]));
    well(toi_motion_move(s->motions[1], (double[]){p[1], 0, 0}, NULL));
  } else {
    for (int k = 0; k < 6; k++)
      p[k] = draw(-2, 2) * (k == 1 || k == 2 ? 2 : 1);
    (void)snprintf(x, sizeof x, "%.17g + t*(%.17g + t*(%.17g + t*%.17g))", p[0], p[1], p[2], p[3]);
    (void)snprintf(y, sizeof y, "%.17g + %.17g*t", p[4], p[5]);
    move(s, 0, x, y, "0");
  }
}

static void make(swing *s, swing_path path) {
  static const double area[2] = {8, 8};
  *s = (swing){.path = path};
  for (int i = 0; i < 2; i++) {
    s->radius[i] = draw(0.2, 1);
    const bool plane = path == SWINGS && i == 1;
    const toi_shape_form form = draw(0, 1) < 0.5 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT;
    well(toi_shape_library(context, plane ? TOI_SHAPE_PLANE : TOI_SHAPE_SPHERE, form, plane ? area : &s->radius[i],
                           &s->shapes[i]));
    well(toi_motion_create(context, &s->motions[i]));
    s->bodies[i] = (toi_body){.size = sizeof(toi_body), .shape = s->shapes[i], .motion = s->motions[i]};
  }
  s->inner = path == SWINGS ? 0 : fabs(s->radius[0] - s->radius[1]);
  s->outer = path == SWINGS ? s->radius[0] : s->radius[0] + s->radius[1];
  set_paths(s);
}

static void end(swing *s) {
  for (int i = 0; i < 2; i++) {
    toi_shape_destroy(s->shapes[i]);
    toi_motion_destroy(s->motions[i]);
  }
}

/* How far within the distances at which surfaces touch; negative: apart. */
static long double depth(const swing *s, long double t) {
  const long double d = distance(s, t);
  return fminl(d - s->inner, s->outer - d);
}

/* Formulas are rounded, and so are distances here. */
#define ROUNDED 1e-11L

static void check_moment(const swing *s, const record *r, double t) {
  const long double within = depth(s, t);
  bool covered = false, proved = false;
  for (size_t k = 0; k < r->count; k++) {
    const toi_contact_interval *one = &r->at[k];
    covered = covered || (t >= one->begin_lo && t <= one->end_hi);
    proved = proved || (one->proved && one->doubt == 0 && t >= one->begin_hi && t <= one->end_lo);
  }
  if ((within > ROUNDED && !covered) || (within < -ROUNDED && proved))
    fail_msg("path %d at t = %.17g: within by %Lg, %s", (int)s->path, t, within, covered ? "said to touch" : "missed");
}

static void check_swing(const swing *s, record *r, uint64_t max_boxes) {
  toi_contact_options options = toi_default_contact_options();
  options.max_boxes = max_boxes;
  r->count = 0;
  well(toi_contact_intervals(context, s->bodies, 2, &options, &r->history, take, r));
  for (int i = 0; i <= MOMENTS; i++)
    check_moment(s, r, (double)i / MOMENTS);
  for (size_t k = 0; k < r->count; k++) {
    const toi_contact_interval *one = &r->at[k];
    assert_true(one->begin_lo <= one->begin_hi && one->end_lo <= one->end_hi && one->begin_lo <= one->end_hi);
    assert_true(k == 0 || one[-1].end_hi <= one->begin_lo);
    // Touching is closed: at both ends as well.
    if (one->proved && one->doubt == 0 && one->begin_hi <= one->end_lo)
      assert_true(depth(s, one->begin_hi) > -ROUNDED && depth(s, one->end_lo) > -ROUNDED);
  }
}

static void what_comes_and_goes_touches_when_its_distance_says(void **state) {
  (void)state;
  const uint64_t rounds = test_count_from(18, 3);
  record *r = calloc(1, sizeof *r);
  size_t intervals = 0, open = 0;
  assert_non_null(r);
  for (uint64_t i = 0; i < rounds; i++) {
    swing s;
    make(&s, (swing_path)(i % PATHS));
    check_swing(&s, r, i % 4 == 3 ? (uint64_t)draw(200, 3000) : 0);
    intervals += r->count;
    open += r->history.open;
    end(&s);
  }
  print_message("  %zu intervals, %zu of them open\n", intervals, open);
  assert_true(intervals > 0);
  free(r);
}

/* --- progress --- */

typedef struct watched {
  unsigned calls, most;
  double last;
} watched;

static bool watch(void *user, double done) {
  watched *w = user;
  assert_true(done >= w->last && done <= 1);
  w->last = done;
  return ++w->calls < w->most;
}

static void progress_rises_and_may_stop_it(void **state) {
  (void)state;
  swing s;
  record *r = calloc(1, sizeof *r);
  assert_non_null(r);
  seed = 1; // whatever was drawn before: some swings are settled by a single search
  make(&s, CIRCLES);
  watched w = {.most = 1000000};
  toi_contact_options options = toi_default_contact_options();
  options.progress = watch;
  options.progress_user = &w;
  well(toi_contact_intervals(context, s.bodies, 2, &options, &r->history, take, r));
  assert_true(w.calls > 2 && w.last == 1);
  w = (watched){.most = 2};
  assert_int_equal(toi_contact_intervals(context, s.bodies, 2, &options, &r->history, NULL, NULL), TOI_ERROR_CANCELLED);
  assert_true(w.calls == 2 && r->history.intervals == 0 && r->history.boxes == 0);
  end(&s);
  free(r);
}

int main(void) {
  seed = test_seed(UINT64_C(0x7377696e6773));
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_comes_and_goes_touches_when_its_distance_says),
                                     cmocka_unit_test(progress_rises_and_may_stop_it)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
