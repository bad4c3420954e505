/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Contacts within rounding of where a patch or the step ends: what is there is not missed, and what is not there is not
 * proved. A point falls by the edges and corners of patches, at distances down to the last bit, and patches meet just
 * before, at and just after the end of the step, or just before and at its start. The same for patches that are known
 * within an error only. */

#include "surface/cases.h"

#define WAYS 6

/* Whether there is a contact is known. */
static void expect(toi_context *context, const test_case *c, bool touches, const char *what) {
  for (int number = 0; number < WAYS; number++) {
    toi_surface_options options = case_way(number, 4096);
    toi_surface_hit hit = ask(context, c, &options);
    check_form(c, &hit);
    if (hit.verdict != (touches ? TOI_MISS : TOI_HIT))
      continue;
    case_print(c, &hit);
    fail_msg("%s: they %s", what, touches ? "touch" : "do not touch");
  }
}

static void set_velocity(test_patch *p, double x, double y, double z) {
  for (size_t i = 0; i < patch_count(p); i++) {
    p->velocities[i][0] = x;
    p->velocities[i][1] = y;
    p->velocities[i][2] = z;
  }
}

/* [0, 1] x [0, 1] at z = 0; as a triangle what lies below x + y = 1. Control points are exact: degrees 1, 2 and 4. */
static void make_floor(test_patch *p, toi_patch_shape shape, uint32_t n) {
  patch_make(p, shape, n, n);
  for (uint32_t b = 0, i = 0; b <= n; b++)
    for (uint32_t a = 0; a <= (shape == TOI_PATCH_TRIANGLE ? n - b : n); a++, i++) {
      p->points[i][0] = (double)a / n;
      p->points[i][1] = (double)b / n;
    }
}

/* A point at (x, y) falls through the plane half way. */
static void make_fall(test_case *c, double x, double y) {
  patch_make(&c->a, TOI_PATCH_QUAD, 0, 0);
  c->a.points[0][0] = x;
  c->a.points[0][1] = y;
  c->a.points[0][2] = 1;
  set_velocity(&c->a, 0, 0, -2);
  c->t_max = 1;
}

/* --- where patches end --- */

static void points_fall_by_the_edges_of_squares(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (uint32_t n = 1; n <= 4; n *= 2)
    for (int bits = 20; bits <= 52; bits += 4) {
      double by = ldexp(1, -bits);
      test_case c;
      make_floor(&c.b, TOI_PATCH_QUAD, n);
      const double inside[][2] = {{1 - by, 0.5}, {0, by}, {1, 1}, {0.25, 0}, {by, 1 - by}, {1, 0.75}};
      const double outside[][2] = {{1 + by, 0.5}, {-by, 0.5}, {0.25, 1 + by}, {0.75, -by}, {1 + by, 1}, {-by, -by}};
      for (int i = 0; i < 6; i++) {
        make_fall(&c, inside[i][0], inside[i][1]);
        expect(context, &c, true, "inside");
        make_fall(&c, outside[i][0], outside[i][1]);
        expect(context, &c, false, "outside");
      }
    }
  toi_context_destroy(context);
}

static void points_fall_by_the_edges_of_triangles(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (uint32_t n = 1; n <= 4; n *= 2)
    for (int bits = 20; bits <= 52; bits += 4) {
      double by = ldexp(1, -bits);
      test_case c;
      make_floor(&c.b, TOI_PATCH_TRIANGLE, n);
      const double inside[][2] = {{0.5, 0.5}, {0.75 - by, 0.25}, {1 - by, by}, {1, 0}, {0, 0.5}, {0.25, by}};
      const double outside[][2] = {{0.5 + by, 0.5}, {0.25, 0.75 + by}, {1, by}, {1 + by, 0}, {-by, 0.5}, {0.25, -by}};
      for (int i = 0; i < 6; i++) {
        make_fall(&c, inside[i][0], inside[i][1]);
        expect(context, &c, true, "inside");
        make_fall(&c, outside[i][0], outside[i][1]);
        expect(context, &c, false, "outside");
      }
    }
  toi_context_destroy(context);
}

/* The same far away: the point is beside the edge by the last bit that is left. */
static void points_fall_by_edges_far_away(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const double far = 0x1p20, bit = 0x1p-32;
  for (int shape = 0; shape < 2; shape++) {
    test_case c;
    make_floor(&c.b, (toi_patch_shape)shape, 2);
    for (size_t i = 0; i < patch_count(&c.b); i++)
      for (int k = 0; k < 2; k++)
        c.b.points[i][k] += far;
    make_fall(&c, far + 0.25, far);
    expect(context, &c, true, "on the edge");
    make_fall(&c, far + 0.25, far - bit);
    expect(context, &c, false, "beside the edge");
  }
  toi_context_destroy(context);
}

/* --- where the step ends --- */

static void contacts_at_the_end_of_the_step(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int shape = 0; shape < 2; shape++)
    for (uint32_t n = 1; n <= 4; n *= 2)
      for (int bits = 30; bits <= 54; bits += 4) {
        test_case c;
        make_floor(&c.b, (toi_patch_shape)shape, n);
        make_fall(&c, 0.25, 0.375);
        c.t_max = 0.5;
        expect(context, &c, true, "at the end");
        c.t_max = 0.5 + ldexp(1, 1 - bits);
        expect(context, &c, true, "before the end");
        c.t_max = 0.5 - ldexp(1, -bits);
        expect(context, &c, false, "after the end");
      }
  toi_context_destroy(context);
}

static void contacts_at_the_start_of_the_step(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int shape = 0; shape < 2; shape++)
    for (uint32_t n = 1; n <= 4; n *= 2)
      for (int bits = 30; bits <= 1070; bits += 40) {
        test_case c;
        make_floor(&c.b, (toi_patch_shape)shape, n);
        make_fall(&c, 0.25, 0.375);
        set_velocity(&c.a, 0, 0, 2);
        c.a.points[0][2] = 0;
        expect(context, &c, true, "at the start");
        c.a.points[0][2] = ldexp(1, -bits);
        expect(context, &c, false, "before the start");
        c.a.points[0][2] = -ldexp(1, -bits);
        expect(context, &c, true, "after the start");
      }
  toi_context_destroy(context);
}

/* --- patches with an error --- */

#define MEANT 0x1p-10

/* Half of the error is of the velocity, which counts for half at half time. */
static void set_error(test_patch *p) {
  p->patch.error = MEANT / 2;
  p->patch.velocity_error = MEANT;
}

/* Within the error of the edge nobody can tell: neither a miss nor a hit. */
static void points_fall_within_the_error_of_an_edge(void **state) {
  (void)state;
  static const double places[][2] = {{1 + MEANT / 2, 0.5}, {1 - MEANT / 2, 0.5}, {1, 0.5}, {0.25, -MEANT / 4}};
  toi_context *context = test_context(1);
  for (uint32_t n = 1; n <= 4; n *= 2)
    for (int i = 0; i < 4; i++)
      for (int which = 0; which < 2; which++) {
        test_case c;
        make_floor(&c.b, TOI_PATCH_QUAD, n);
        make_fall(&c, places[i][0], places[i][1]);
        set_error(which == 0 ? &c.a : &c.b);
        expect(context, &c, true, "within the error");
        expect(context, &c, false, "within the error");
      }
  toi_context_destroy(context);
}

/* Above the middle there is a contact, somewhere in the time that the error leaves. */
static void errors_widen_the_bracket(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int shape = 0; shape < 2; shape++)
    for (int number = 0; number < WAYS; number++) {
      toi_surface_options options = case_way(number, 4096);
      test_case c;
      make_floor(&c.b, (toi_patch_shape)shape, 2);
      make_fall(&c, 0.25, 0.375);
      set_error(&c.b);
      toi_surface_hit hit = ask(context, &c, &options);
      check_form(&c, &hit);
      // At a speed of 2 the error takes this long to pass.
      const double passing = MEANT / 2;
      if (hit.verdict == TOI_MISS || hit.t_lo > 0.5 - passing * 0.999 ||
          (hit.verdict == TOI_HIT && hit.t_hi < 0.5 + passing * 0.999)) {
        case_print(&c, &hit);
        fail_msg("the error is not counted");
      }
      // It stops within the error, then beyond it.
      c.t_max = 0.5 - passing / 2;
      hit = ask(context, &c, &options);
      assert_int_equal(hit.verdict, TOI_NEAR);
      c.t_max = 0.5 - 2 * passing;
      hit = ask(context, &c, &options);
      assert_int_equal(hit.verdict, TOI_MISS);
    }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_fall_by_the_edges_of_squares),
      cmocka_unit_test(points_fall_by_the_edges_of_triangles),
      cmocka_unit_test(points_fall_by_edges_far_away),
      cmocka_unit_test(contacts_at_the_end_of_the_step),
      cmocka_unit_test(contacts_at_the_start_of_the_step),
      cmocka_unit_test(points_fall_within_the_error_of_an_edge),
      cmocka_unit_test(errors_widen_the_bracket),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
