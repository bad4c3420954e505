/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Every bound of narrow/contact_filter_bounds.h against exact arithmetic, as test_bounds.c does for doubles: a search
 * climbs towards pairs that use up most of a bound. The largest ratio found is printed and must be at most 1; it must
 * also reach a floor, so that a measure that has gone blind fails as well.
 *
 * A pair lies at one of two places of its mesh, whose size is up to a million times its own. Then what the mesh's
 * rounding adds is most of a bound for high floats alone; where all coordinates are floats the roundings are all of it.
 */

#include <float.h>

#include "narrow/contact_filter.h"

#define TOI_FLOAT_LANES 1
#define TOI_CONTACT_FILTER test_contact_filter_kernel
size_t test_contact_filter_kernel(const toi_float_mesh *mesh, toi_contact_block *block);

#include "narrow/contact_filter_body.h"

#include "narrow/hull_oracle.h"
#include "support/float_state.h"
#include "support/support.h"

static toi_context *context;

/* A pair of n corners; vertices 4 and 5 only give the mesh its size. */
typedef struct subject {
  int n, fine;
  bool floats;  /* all coordinates are made floats */
  bool flushed; /* subnormal numbers are flushed in the kernel */
  double place, size, spread;
  double local[2][4][3];
} subject;

/* What the kernel computes of it. */
typedef struct computed {
  float_bounds bounds;
  float_hull hull;
  float_cubic f;
  real halves[2][4], areas[3][4][2][3];
  real end, mid, half, area[3];
  bool in_range;
} computed;

static double coordinate(const subject *x, int time, int k, int axis) {
  const double at = x->place + x->size * x->local[time][k][axis];
  return x->floats ? (double)(float)at : at;
}

TOI_INLINE void compute(int n, const subject *x, const toi_float_mesh *mesh, computed *to) {
  uint32_t vertices[CORNERS][1] = {{0}, {1}, {2}, {3}};
  to->bounds = bounds_of(mesh, x->fine);
  load_hull(n, x->fine, mesh, vertices, &to->hull);
  hull_box(n, &to->bounds, &to->hull);
  to->f = hull_cubic(n, &to->bounds, &to->hull);
  to->end = end_bound(&to->bounds, &to->f);
  to->mid = mid_bound(&to->bounds, &to->f);
  to->half = half_bound(&to->bounds, &to->f);
  to->in_range = hull_in_range(&to->hull) != 0;
  for (int side = 0; side < 2; side++)
    cubic_half(&to->f, side, to->halves[side]);
  for (int axis = 0; axis < 3; axis++) {
    to->area[axis] = area_bound(&to->bounds, &to->hull, axis);
    for (int k = 0; k < n; k++)
      area_halves(n, &to->hull, axis, k, to->areas[axis][k]);
  }
}

/* Apart from what changes the floating-point state. */
static __attribute__((noinline)) void compute_triangle(const subject *x, const toi_float_mesh *mesh, computed *to) {
  compute(3, x, mesh, to);
}

static __attribute__((noinline)) void compute_parallelogram(const subject *x, const toi_float_mesh *mesh,
                                                            computed *to) {
  compute(4, x, mesh, to);
}

/* The kernel's numbers, and the exact hull in the units of the float mesh; false if it is out of range, or there are no
 * low floats. */
static bool load(const subject *x, computed *to, exact_hull *hull) {
  static const int points[2][4][2] = {{{0, 1}, {0, 2}, {0, 3}, {0, 0}}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}};
  double rows[2][6][3];
  for (int time = 0; time < 2; time++)
    for (int axis = 0; axis < 3; axis++) {
      for (int k = 0; k < 4; k++)
        rows[time][k][axis] = coordinate(x, time, k, axis);
      rows[time][4][axis] = x->spread;
      rows[time][5][axis] = -x->spread;
    }
  static const uint32_t edges[2][2] = {{0, 1}, {2, 3}};
  const toi_mesh mesh = {.start = rows[0], .end = rows[1], .vertex_count = 6, .edges = edges, .edge_count = 2};
  toi_float_mesh floats;
  if (!toi_float_mesh_make(context, &mesh, &floats))
    return false;
  const bool usable = !x->fine || floats.low;
  if (usable) {
    test_float_set(test_float_state_of(0, x->flushed, x->flushed, 0));
    if (x->n == 3)
      compute_triangle(x, &floats, to);
    else
      compute_parallelogram(x, &floats, to);
    test_float_leave();
  }
  toi_float_mesh_free(context, &floats);
  dyadic_reset();
  hull->n = x->n;
  const exact scale = exactly(toi_float_map_choose(&mesh).scale);
  for (int time = 0; time < 2; time++)
    for (int k = 0; k < x->n; k++)
      for (int axis = 0; axis < 3; axis++) {
        const int *of = points[x->n - 3][k];
        hull->at[time][k][axis] =
            times(minus(exactly(rows[time][of[0]][axis]), exactly(rows[time][of[1]][axis])), scale);
      }
  return usable && to->in_range;
}

static double off_by(float value, exact truth, float bound) {
  return ratio_of(minus(exactly((double)value), truth), exactly((double)bound));
}

/* --- measures --- */

/* A corner beside r and its k roundings. */
static double corners(const subject *x) {
  computed c;
  exact_hull hull;
  double worst = 0;
  if (!load(x, &c, &hull))
    return 0;
  for (int time = 0; time < 2; time++)
    for (int k = 0; k < x->n; k++)
      for (int axis = 0; axis < 3; axis++) {
        const double at = (double)c.hull.at[time][k][axis], roundings = x->fine ? 2 : 1;
        const exact bound = exactly((double)c.bounds.r[axis] + roundings * (0x1p-24 + 0x1p-44) * fabs(at) + 0x1p-124);
        worst = fmax(worst, ratio_of(minus(exactly(at), hull.at[time][k][axis]), bound));
      }
  return worst;
}

static double ends(const subject *x) {
  computed c;
  exact_hull hull;
  exact b[4];
  if (!load(x, &c, &hull))
    return 0;
  exact_cubic(&hull, b);
  return fmax(off_by(c.f.b[0], b[0], c.end), off_by(c.f.b[3], b[3], c.end));
}

static double middles(const subject *x) {
  computed c;
  exact_hull hull;
  exact b[4];
  if (!load(x, &c, &hull))
    return 0;
  exact_cubic(&hull, b);
  return fmax(off_by(c.f.b[1], b[1], c.mid), off_by(c.f.b[2], b[2], c.mid));
}

static double halves(const subject *x) {
  computed c;
  exact_hull hull;
  exact f[4], half[4];
  double worst = 0;
  if (!load(x, &c, &hull))
    return 0;
  exact_cubic_thrice(&hull, f);
  for (int side = 0; side < 2; side++) {
    exact_half(3, f, side, half);
    for (int i = 0; i < 4; i++)
      worst = fmax(worst, off_by(c.halves[side][i], times(exactly(8), half[i]), c.half));
  }
  return worst;
}

static double areas(const subject *x) {
  computed c;
  exact_hull hull;
  double worst = 0;
  if (!load(x, &c, &hull))
    return 0;
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < x->n; k++) {
      exact area[3], half[3];
      exact_area_twice(&hull, axis, k, area);
      for (int side = 0; side < 2; side++) {
        exact_half(2, area, side, half);
        for (int i = 0; i < 3; i++)
          worst = fmax(worst, off_by(c.areas[axis][k][side][i], times(exactly(2), half[i]), c.area[axis]));
      }
    }
  return worst;
}

/* --- the search --- */

#define RESTARTS 4
#define STEPS 500

static double signed_unit(uint64_t *state) {
  return 2 * test_random_unit(state) - 1;
}

/* Just above a power of two a rounding weighs most. */
static double draw(uint64_t *state) {
  switch (test_random(state) % 4) {
  case 0:
    return signed_unit(state);
  case 1:
    return signed_unit(state) * 0x1p-20;
  default:
    return (test_random(state) % 2 ? 1 : -1) * (1 + test_random_unit(state) * 0x1p-10);
  }
}

static void make(uint64_t *state, subject *x) {
  // At the origin, or far from it beside its own size; floats at the origin, where their differences round.
  const uint64_t most_apart = x->fine ? 18 : 12;
  const int apart = x->floats ? 0 : (int)(test_random(state) % 3) * (int)(test_random(state) % most_apart);
  x->size = x->floats ? 1 : 1 + test_random_unit(state);
  x->spread = ldexp(x->floats ? 1 : 1 + test_random_unit(state), apart);
  x->place = apart > 0 ? x->spread * signed_unit(state) : 0;
  for (int i = 0; i < 24; i++)
    x->local[i / 12][i % 12 / 3][i % 3] = draw(state);
}

static void change(uint64_t *state, subject *x) {
  for (uint64_t i = 1 + test_random(state) % 3; i > 0; i--) {
    double *at = &x->local[test_random(state) % 2][test_random(state) % 4][test_random(state) % 3];
    switch (test_random(state) % 5) {
    case 0:
      *at = draw(state);
      break;
    case 1:
      *at = -*at;
      break;
    default:
      *at += ldexp(signed_unit(state), -(int)(test_random(state) % 40));
      break;
    }
  }
}

static double climb(double (*measure)(const subject *x), subject x, uint64_t *state) {
  double best = 0;
  for (int restart = 0; restart < RESTARTS; restart++) {
    make(state, &x);
    double at = measure(&x);
    for (uint64_t step = test_count(STEPS); step > 0; step--) {
      subject next = x;
      change(state, &next);
      const double there = measure(&next);
      if (there >= at) {
        x = next;
        at = there;
      }
    }
    best = fmax(best, at);
  }
  return best;
}

/* High floats that round, high floats that do not, high and low floats; for triangles and parallelograms. */
static void check_measure(const char *name, double (*measure)(const subject *x), double least_ratio) {
  uint64_t state = test_seed(0x5eed);
  for (int form = 0; form < 6; form++) {
    const subject x = {.n = 3 + form % 2, .fine = form / 2 == 2, .floats = form / 2 == 1};
    const double ratio = climb(measure, x, &state);
    print_message("%-8s %s, %-24s %.3f of the bound\n", name, x.n == 3 ? "vertex-face" : "edge-edge  ",
                  x.fine     ? "high and low floats"
                  : x.floats ? "floats"
                             : "high floats",
                  ratio);
    assert_true(ratio <= 1);
    if (test_count(STEPS) >= STEPS)
      assert_true(ratio >= least_ratio);
  }
}

static void corners_of_the_hull(void **test) {
  (void)test;
  check_measure("corners", corners, 0.3);
}

static void the_cubics_outer_coefficients(void **test) {
  (void)test;
  check_measure("END", ends, 0.045);
}

static void the_cubics_inner_coefficients(void **test) {
  (void)test;
  check_measure("MID", middles, 0.022);
}

static void the_cubic_on_halves_of_the_step(void **test) {
  (void)test;
  check_measure("HALVES", halves, 0.03);
}

static void areas_on_halves_of_the_step(void **test) {
  (void)test;
  check_measure("AREAS", areas, 0.09);
}

/* --- the edges of the range, with subnormal numbers flushed --- */

static void bounds_hold_at_the_edges_of_the_range(void **test) {
  (void)test;
  static double (*const measures[])(const subject *) = {corners, ends, middles, halves, areas};
  uint64_t state = test_seed(11), in_range = 0;
  const uint64_t count = test_count_from(6000, 100);
  for (uint64_t i = 0; i < count; i++) {
    subject x = {.n = 3 + (int)(i % 2), .fine = (int)(i / 2 % 2), .flushed = i % 8 != 0};
    make(&state, &x);
    // Coordinates down to far below the smallest normal float, by axis and by point; sizes around 2^-28.
    x.size = ldexp(1 + test_random_unit(&state), -20 - (int)(test_random(&state) % 10));
    x.spread = 1 + test_random_unit(&state);
    x.place = 0;
    for (int k = 0; k < 24; k++)
      if (test_random(&state) % 3 == 0)
        x.local[k / 12][k % 12 / 3][k % 3] *= ldexp(1, -(int)(test_random(&state) % 130));
    const double ratio = measures[i % 5](&x);
    assert_true(ratio <= 1);
    in_range += ratio > 0;
  }
  print_message("%d of %d in range\n", (int)in_range, (int)count);
  assert_true(in_range > count / 8);
}

static int set_up(void **test) {
  (void)test;
  context = test_context(1);
  return 0;
}

static int tear_down(void **test) {
  (void)test;
  toi_context_destroy(context);
  dyadic_free_all();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_of_the_hull),           cmocka_unit_test(the_cubics_outer_coefficients),
      cmocka_unit_test(the_cubics_inner_coefficients), cmocka_unit_test(the_cubic_on_halves_of_the_step),
      cmocka_unit_test(areas_on_halves_of_the_step),   cmocka_unit_test(bounds_hold_at_the_edges_of_the_range),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
