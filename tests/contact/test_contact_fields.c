/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Two random height fields, one coming straight down on the other: they touch first where the gap between them is
 * least, over the rectangle that both are drawn over: inside it, on its edges, where edges of the two cross, at
 * corners. The least gap is found on a grid and refined by halving steps, a bound of the time that errs to the late
 * side only, by about 1e-12; also with the whole scene placed anywhere. */

#include "contact/program.h"
#include "contact/stage.h"

#define ROUNDS 300
#define SQUARES 8
#define GRID 8
#define WAVES 2

static uint64_t seed;

static double between(double lo, double hi) {
  return lo + (hi - lo) * test_random_unit(&seed);
}

/* The sum of height sin(along x + across y + phase), over a rectangle. */
typedef struct field {
  double height[WAVES], along[WAVES], across[WAVES], phase[WAVES];
  toi_interval x, y;
} field;

static field random_field(double size) {
  field f = {.x = {between(-2, -0.5), between(0.5, 2)}, .y = {between(-2, -0.5), between(0.5, 2)}};
  for (int k = 0; k < WAVES; k++) {
    f.height[k] = between(-size, size);
    f.along[k] = between(-2, 2);
    f.across[k] = between(-2, 2);
    f.phase[k] = between(0, 6);
  }
  return f;
}

static double height_at(const field *f, double x, double y) {
  double sum = 0;
  for (int k = 0; k < WAVES; k++)
    sum += f->height[k] * sin(f->along[k] * x + f->across[k] * y + f->phase[k]);
  return sum;
}

static toi_motion *enter_field(stage *s, const field *f) {
  char text[WAVES * 160];
  size_t used = 0;
  for (int k = 0; k < WAVES; k++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.17g*sin(%.17g*u + %.17g*v + %.17g)", k ? " + " : "",
                             f->height[k], f->along[k], f->across[k], f->phase[k]);
  toi_shape *shape = NULL;
  well(s, toi_shape_height_field(s->context, text, f->x, f->y, &shape));
  return enter(s, shape);
}

/* --- where the gap is least --- */

typedef struct least {
  const field *below, *above;
  toi_interval x, y; /* of both */
  double at[2], gap;
} least;

static void try_at(least *l, double x, double y) {
  x = fmin(fmax(x, l->x.lo), l->x.hi);
  y = fmin(fmax(y, l->y.lo), l->y.hi);
  double gap = height_at(l->above, x, y) - height_at(l->below, x, y);
  if (gap < l->gap) {
    l->gap = gap;
    l->at[0] = x;
    l->at[1] = y;
  }
}

/* From where it is now, by ever smaller steps. */
static void refine(least *l, double step) {
  while (step > 1e-9) {
    double before = l->gap, x = l->at[0], y = l->at[1];
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++)
        try_at(l, x + step * i, y + step * j);
    if (!(l->gap < before))
      step /= 2;
  }
}

/* The best of what is found from the best point of each of some squares: neighbouring valleys may be as deep. */
static least least_gap(const field *below, const field *above) {
  least best = {.below = below, .above = above, .gap = INFINITY};
  best.x = (toi_interval){fmax(below->x.lo, above->x.lo), fmin(below->x.hi, above->x.hi)};
  best.y = (toi_interval){fmax(below->y.lo, above->y.lo), fmin(below->y.hi, above->y.hi)};
  double width = (best.x.hi - best.x.lo) / SQUARES, depth = (best.y.hi - best.y.lo) / SQUARES;
  for (int square = 0; square < SQUARES * SQUARES; square++) {
    least l = best;
    l.gap = INFINITY;
    double row = square % SQUARES, column = (square - row) / SQUARES;
    for (int i = 0; i <= GRID; i++)
      for (int j = 0; j <= GRID; j++)
        try_at(&l, best.x.lo + width * (row + (double)i / GRID), best.y.lo + depth * (column + (double)j / GRID));
    refine(&l, fmax(width, depth) / GRID);
    if (l.gap < best.gap)
      best = l;
  }
  return best;
}

/* --- comparisons --- */

static void complain(const field *below, const field *above, const least *l, double t) {
  const field *both[2] = {below, above};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < WAVES; k++)
      print_message("  %a*sin(%a*u + %a*v + %a)\n", both[i]->height[k], both[i]->along[k], both[i]->across[k],
                    both[i]->phase[k]);
    print_message("  over [%a, %a] x [%a, %a]\n", both[i]->x.lo, both[i]->x.hi, both[i]->y.lo, both[i]->y.hi);
  }
  fail_msg("they meet at %.17g, over %.17g, %.17g", t, l->at[0], l->at[1]);
}

/* The second field starts 2 above the least gap at `late` and falls by 2 a unit of time: contact at t = late. */
static void check_fields(bool placed, unsigned *unique) {
  field below = random_field(0.5), above = random_field(0.5);
  least l = least_gap(&below, &above);
  double late = between(0.2, 0.9), start = 2 * late - l.gap;
  placement place = random_placement(&seed);
  stage s = {.context = context, .place = placed ? &place : NULL};
  toi_contact_options options = toi_default_contact_options();
  enter_field(&s, &below);
  well(&s, toi_motion_move(enter_field(&s, &above), (double[]){0, 0, start}, (double[]){0, 0, -2}));
  put_in_place(&s);
  ask(&s, &options, &got);
  const toi_contact_answer *a = &got.answer;
  bool right = a->verdict == TOI_HIT && a->t_lo <= late + 1e-14 && late - 1e-9 <= a->t_hi && a->t_hi - a->t_lo < 1e-5;
  if (!right || got.count == 0) {
    tell("fields", &s, &got);
    complain(&below, &above, &l, late);
  }
  *unique += got.count == 1 && got.contacts[0].certificate == TOI_CONTACT_UNIQUE;
  const double at[3] = {l.at[0], l.at[1], height_at(&below, l.at[0], l.at[1])};
  if (got.count == 1 && !(distance_of(got.contacts[0].point, at) < 1e-3))
    complain(&below, &above, &l, late);
  // Stopped before.
  options.t_max = late - 1e-4;
  ask(&s, &options, &got);
  if (a->verdict != TOI_MISS)
    complain(&below, &above, &l, late);
  clear(&s);
}

static void fields_meet_where_the_gap_is_least(void **state) {
  (void)state;
  unsigned unique = 0;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++)
    check_fields(round % 3 == 2, &unique);
  print_message("  %u of %llu unique\n", unique, (unsigned long long)rounds);
  assert_true(unique > rounds / 2);
}

/* Ridges, tips and flats at exactly where boxes are halved: the lowest points of these fields, at height 0, come down
 * on a floor, written in two ways, from 1 above by 2 a unit of time. There is no tangent plane where most of them
 * touch. */
static void kinks_touch(void **state) {
  (void)state;
  static const char *const fields[] = {"abs(u)",
                                       "max(u, -u)",
                                       "abs(u) + abs(v)",
                                       "max(abs(u), abs(v))",
                                       "sqrt(u^2 + v^2)",
                                       "max(-0.5*u, u) + 0.1*v^2",
                                       "abs(u - 0.3) + abs(v - 0.1)",
                                       "max(0, u^2 + v^2 - 0.25)",
                                       "abs(u)^1.5 + v^2",
                                       "abs(sin(u)) + abs(v)"};
  for (size_t i = 0; i < 2 * sizeof fields / sizeof *fields; i++) {
    stage s = {.context = context};
    toi_shape *shape = NULL;
    toi_contact_options options = toi_default_contact_options();
    toi_interval unit = {-1, 1};
    well(&s, toi_shape_height_field(context, fields[i / 2], unit, unit, &shape));
    well(&s, toi_motion_move(enter(&s, shape), (double[]){0, 0, 1}, (double[]){0, 0, -2}));
    enter_library(&s, TOI_SHAPE_PLANE, i & 1 ? TOI_SHAPE_FORM_PARAMETRIC : TOI_SHAPE_FORM_IMPLICIT, (double[]){4, 4});
    ask(&s, &options, &got);
    tell(fields[i / 2], &s, &got);
    const toi_contact_answer *a = &got.answer;
    if (a->verdict == TOI_MISS || a->t_lo > 0.5 || a->t_lo < 0.5 - 1e-5 || got.count == 0)
      fail_msg("%s: %s from %.17g", fields[i / 2], toi_verdict_name(a->verdict), a->t_lo);
    clear(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_meet_where_the_gap_is_least),
      cmocka_unit_test(kinks_touch),
  };
  seed = test_seed(606);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
