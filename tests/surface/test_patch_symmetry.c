/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Whatever leaves the geometry as it is leaves the first contact where it is: no miss beside a hit, and brackets that
 * overlap. Patches change their places, axes their order, sign and unit, time its unit; parameters run backwards;
 * everything is moved, with a common velocity too; degrees are raised and patches halved, where that is exact. And more
 * separation never makes contact later. */

#include "surface/cases.h"

/* Coordinates are multiples of this, below 4: all that is done to them here is exact. */
#define GRAIN 0x1p-24

typedef struct symmetry {
  const char *what;
  /* Changes a copy; false: not for this case. */
  bool (*apply)(uint64_t *state, const test_case *from, test_case *to);
} symmetry;

/* --- cases whose coordinates have bits to spare --- */

static void round_patch(test_patch *p) {
  for (size_t i = 0; i < patch_count(p); i++)
    for (int k = 0; k < 3; k++) {
      p->points[i][k] = round(p->points[i][k] / GRAIN) * GRAIN;
      p->velocities[i][k] = round(p->velocities[i][k] / GRAIN) * GRAIN;
    }
}

static void random_round_case(uint64_t *state, test_case *c) {
  do
    random_mixed_case(state, c);
  while (c->t_max != 1);
  round_patch(&c->a);
  round_patch(&c->b);
}

/* Calls with each number of both patches. */
static void map_numbers(test_case *c, void (*map)(double x[3], bool velocity, const void *with), const void *with) {
  test_patch *patches[2] = {&c->a, &c->b};
  for (int i = 0; i < 2; i++)
    for (size_t j = 0; j < patch_count(patches[i]); j++) {
      map(patches[i]->points[j], false, with);
      map(patches[i]->velocities[j], true, with);
    }
}

/* --- of the whole case --- */

static bool swap(uint64_t *state, const test_case *from, test_case *to) {
  (void)state;
  patch_copy(&to->a, &from->b);
  patch_copy(&to->b, &from->a);
  return true;
}

static void mirror_one(double x[3], bool velocity, const void *with) {
  (void)velocity;
  const uint32_t *axes = with;
  for (int k = 0; k < 3; k++)
    x[k] = *axes >> k & 1 ? -x[k] : x[k];
}

static bool mirror(uint64_t *state, const test_case *from, test_case *to) {
  (void)from;
  uint32_t axes = 1 + random_below(state, 7);
  map_numbers(to, mirror_one, &axes);
  return true;
}

static void permute_one(double x[3], bool velocity, const void *with) {
  static const unsigned orders[5][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  (void)velocity;
  const uint32_t *number = with;
  const double old[3] = {x[0], x[1], x[2]};
  for (int k = 0; k < 3; k++)
    x[k] = old[orders[*number][k]];
}

static bool permute(uint64_t *state, const test_case *from, test_case *to) {
  (void)from;
  uint32_t number = random_below(state, 5);
  map_numbers(to, permute_one, &number);
  return true;
}

static void scale_one(double x[3], bool velocity, const void *with) {
  (void)velocity;
  for (int k = 0; k < 3; k++)
    x[k] = ldexp(x[k], *(const int *)with);
}

static bool scale(uint64_t *state, const test_case *from, test_case *to) {
  (void)from;
  int exponent = (int)random_below(state, 41) - 20;
  map_numbers(to, scale_one, &exponent);
  return true;
}

static void shift_one(double x[3], bool velocity, const void *with) {
  for (int k = 0; k < 3; k++)
    x[k] += ((const double *)with)[k + (velocity ? 3 : 0)];
}

/* Far away, and with a common velocity. */
static bool shift(uint64_t *state, const test_case *from, test_case *to) {
  double by[6];
  for (int k = 0; k < 6; k++)
    by[k] = round(random_between(state, -0x1p20, 0x1p20));
  if (!from->a.patch.velocities)
    return false;
  map_numbers(to, shift_one, by);
  return true;
}

/* --- of one patch --- */

/* Control points in another order: what is number i was from[i]. */
static void reorder(const test_patch *from, const size_t order[CASE_POINTS_MOST], test_patch *to) {
  for (size_t i = 0; i < patch_count(from); i++) {
    memcpy(to->points[i], from->points[order[i]], sizeof(to->points[i]));
    memcpy(to->velocities[i], from->velocities[order[i]], sizeof(to->velocities[i]));
    to->weights[i] = from->weights[order[i]];
  }
}

/* The number of a triangle's control point with powers a of u, b of v. */
static size_t triangle_number(uint32_t n, uint32_t a, uint32_t b) {
  size_t number = a;
  for (uint32_t row = 0; row < b; row++)
    number += n + 1 - row;
  return number;
}

/* Quads run backwards or have u and v exchanged; triangles have their corners exchanged. */
static void turn_patch(uint64_t *state, const test_patch *from, test_patch *to) {
  size_t order[CASE_POINTS_MOST];
  uint32_t m = from->patch.degree[0], n = from->patch.degree[1], how = random_below(state, 5);
  if (from->patch.shape == TOI_PATCH_TRIANGLE) {
    for (uint32_t b = 0; b <= m; b++)
      for (uint32_t a = 0; a <= m - b; a++) {
        const uint32_t power[5] = {a, b, m - a - b, a, b};
        order[triangle_number(m, a, b)] = how < 3 ? triangle_number(m, power[how], power[how + 1])
                                                  : triangle_number(m, power[how - 2], power[how - 3]);
      }
    reorder(from, order, to);
    return;
  }
  bool back_u = how & 1, back_v = how & 2, exchange = how & 4;
  if (exchange) {
    to->patch.degree[0] = n;
    to->patch.degree[1] = m;
  }
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++) {
      size_t was = (size_t)(back_u ? m - i : i) * (n + 1) + (back_v ? n - j : j);
      order[exchange ? (size_t)j * (m + 1) + i : (size_t)i * (n + 1) + j] = was;
    }
  reorder(from, order, to);
}

static bool turn(uint64_t *state, const test_case *from, test_case *to) {
  turn_patch(state, &from->a, &to->a);
  turn_patch(state, &from->b, &to->b);
  return true;
}

/* (x + y (n - 1)) / n, exactly where n is a power of two. */
static void add_part(double out[3], const double x[3], double part) {
  for (int k = 0; k < 3; k++)
    out[k] += part * x[k];
}

static void raise_quad(const test_patch *from, int along, test_patch *to) {
  uint32_t m = from->patch.degree[0], n = from->patch.degree[1], raised = from->patch.degree[along] + 1;
  uint32_t wider = n + (along == 1);
  patch_make(to, TOI_PATCH_QUAD, m + (along == 0), wider);
  for (uint32_t i = 0; i <= m; i++)
    for (uint32_t j = 0; j <= n; j++) {
      uint32_t at = along == 0 ? i : j;
      const double *x = from->points[i * (n + 1) + j], *v = from->velocities[i * (n + 1) + j];
      size_t same = i * (wider + 1) + j, next = same + (along == 0 ? wider + 1 : 1);
      double stays = (double)(raised - at) / raised, goes = (double)(at + 1) / raised;
      add_part(to->points[same], x, stays);
      add_part(to->velocities[same], v, stays);
      add_part(to->points[next], x, goes);
      add_part(to->velocities[next], v, goes);
    }
}

static void raise_triangle(const test_patch *from, test_patch *to) {
  uint32_t n = from->patch.degree[0];
  patch_make(to, TOI_PATCH_TRIANGLE, n + 1, n + 1);
  for (uint32_t b = 0; b <= n; b++)
    for (uint32_t a = 0; a <= n - b; a++) {
      const double *x = from->points[triangle_number(n, a, b)], *v = from->velocities[triangle_number(n, a, b)];
      const size_t next[3] = {triangle_number(n + 1, a + 1, b), triangle_number(n + 1, a, b + 1),
                              triangle_number(n + 1, a, b)};
      const uint32_t power[3] = {a + 1, b + 1, n - a - b + 1};
      for (int i = 0; i < 3; i++) {
        add_part(to->points[next[i]], x, (double)power[i] / (n + 1));
        add_part(to->velocities[next[i]], v, (double)power[i] / (n + 1));
      }
    }
}

static bool is_power_of_two(uint32_t n) {
  return (n & (n - 1)) == 0;
}

static bool raise_patch(uint64_t *state, const test_patch *from, test_patch *to) {
  int along = from->patch.shape == TOI_PATCH_QUAD ? (int)random_below(state, 2) : 0;
  uint32_t raised = from->patch.degree[along] + 1;
  if (from->patch.weights || !is_power_of_two(raised) || raised > 8)
    return false;
  if (from->patch.shape == TOI_PATCH_QUAD)
    raise_quad(from, along, to);
  else
    raise_triangle(from, to);
  return true;
}

static bool raise(uint64_t *state, const test_case *from, test_case *to) {
  bool a = raise_patch(state, &from->a, &to->a), b = raise_patch(state, &from->b, &to->b);
  return a || b;
}

/* A polynomial patch as a rational one; a rational one with other weights of the same meaning. */
static bool weigh(uint64_t *state, const test_case *from, test_case *to) {
  (void)from;
  test_patch *patches[2] = {&to->a, &to->b};
  double factor = ldexp(1, (int)random_below(state, 21) - 10);
  for (int i = 0; i < 2; i++) {
    for (size_t j = 0; j < patch_count(patches[i]); j++)
      patches[i]->weights[j] = patches[i]->patch.weights ? patches[i]->weights[j] * factor : factor;
    patches[i]->patch.weights = patches[i]->weights;
  }
  return true;
}

/* --- two answers to one question --- */

/* Both brackets hold the one time of first contact, and a near's t_lo is not later than it. */
static bool do_agree(const toi_surface_hit *x, const toi_surface_hit *y) {
  if (x->verdict == TOI_NEAR)
    return y->verdict != TOI_HIT || x->t_lo <= y->t_hi;
  if (y->verdict == TOI_NEAR)
    return x->verdict != TOI_HIT || y->t_lo <= x->t_hi;
  return x->verdict == y->verdict && x->t_lo <= y->t_hi && y->t_lo <= x->t_hi;
}

static void check_change(const symmetry *change, uint64_t rounds) {
  uint64_t seed = test_seed(0x5eed0021), near = 0, done = 0;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  while (done < rounds) {
    test_case c, changed;
    random_round_case(&seed, &c);
    case_copy(&changed, &c);
    if (!change->apply(&seed, &c, &changed))
      continue;
    toi_surface_hit hit = ask(context, &c, &options), other = ask(context, &changed, &options);
    check_form(&changed, &other);
    if (!do_agree(&hit, &other)) {
      case_print(&c, &hit);
      case_print(&changed, &other);
      fail_msg("%s: the answers differ", change->what);
    }
    near += (hit.verdict == TOI_NEAR) != (other.verdict == TOI_NEAR);
    done++;
  }
  toi_context_destroy(context);
  print_message("%s: %u of %u are near on one side only\n", change->what, (unsigned)near, (unsigned)rounds);
  assert_true((double)near <= 0.02 * (double)rounds + 1);
}

static void the_first_contact_stays_where_it_is(void **state) {
  (void)state;
  static const symmetry changes[] = {
      {"a and b exchanged", swap}, {"axes mirrored", mirror},        {"axes permuted", permute},
      {"scaled", scale},           {"shifted, in motion", shift},    {"parameters turned", turn},
      {"degrees raised", raise},   {"weights of one factor", weigh},
  };
  for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
    check_change(&changes[i], test_count(200));
}

/* --- units of time --- */

static void time_in_other_units_scales_the_answer(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0022), rounds = test_count(300);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c, changed;
    random_round_case(&seed, &c);
    case_copy(&changed, &c);
    int exponent = (int)random_below(&seed, 61) - 30;
    changed.t_max = ldexp(c.t_max, exponent);
    for (size_t j = 0; j < CASE_POINTS_MOST; j++)
      for (int k = 0; k < 3; k++) {
        changed.a.velocities[j][k] = ldexp(c.a.velocities[j][k], -exponent);
        changed.b.velocities[j][k] = ldexp(c.b.velocities[j][k], -exponent);
      }
    toi_surface_hit hit = ask(context, &c, &options), other = ask(context, &changed, &options);
    check_form(&changed, &other);
    other.t_lo = ldexp(other.t_lo, -exponent);
    other.t_hi = ldexp(other.t_hi, -exponent);
    if (!do_agree(&hit, &other)) {
      case_print(&c, &hit);
      case_print(&changed, &other);
      fail_msg("times by 2^%d: the answers differ", exponent);
    }
  }
  toi_context_destroy(context);
}

/* --- halves --- */

/* One half of a quad in u, exactly: its degree is 3 at most. */
static void halve_quad(const test_patch *from, bool upper, test_patch *to) {
  uint32_t m = from->patch.degree[0], n = from->patch.degree[1];
  patch_copy(to, from);
  for (uint32_t j = 0; j <= n; j++)
    for (uint32_t round = 1; round <= m; round++)
      for (uint32_t i = 0; i <= m - round; i++) {
        size_t at = upper ? i : m - i, next = upper ? i + 1 : m - i - 1;
        for (int k = 0; k < 3; k++) {
          double *x = &to->points[at * (n + 1) + j][k], *v = &to->velocities[at * (n + 1) + j][k];
          *x = 0.5 * (*x + to->points[next * (n + 1) + j][k]);
          *v = 0.5 * (*v + to->velocities[next * (n + 1) + j][k]);
        }
      }
}

static toi_surface_hit earlier(const toi_surface_hit *x, const toi_surface_hit *y) {
  if (x->verdict == TOI_MISS || y->verdict == TOI_MISS)
    return x->verdict == TOI_MISS ? *y : *x;
  toi_surface_hit hit = *x;
  hit.verdict = x->verdict == TOI_HIT || y->verdict == TOI_HIT ? TOI_HIT : TOI_NEAR;
  hit.t_lo = fmin(x->t_lo, y->t_lo);
  hit.t_hi = x->verdict == y->verdict ? fmin(x->t_hi, y->t_hi) : x->verdict == TOI_HIT ? x->t_hi : y->t_hi;
  return hit;
}

static void halves_touch_as_the_whole_does(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0023), rounds = test_count(300), done = 0;
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  while (done < rounds) {
    test_case c, lower, upper;
    random_round_case(&seed, &c);
    if (c.a.patch.shape != TOI_PATCH_QUAD || c.a.patch.weights || c.a.patch.degree[0] > 3)
      continue;
    case_copy(&lower, &c);
    case_copy(&upper, &c);
    halve_quad(&c.a, false, &lower.a);
    halve_quad(&c.a, true, &upper.a);
    toi_surface_hit hit = ask(context, &c, &options), first = ask(context, &lower, &options),
                    second = ask(context, &upper, &options), both = earlier(&first, &second);
    if (!do_agree(&hit, &both)) {
      case_print(&c, &hit);
      case_print(&lower, &first);
      case_print(&upper, &second);
      fail_msg("the halves answer otherwise than the whole");
    }
    done++;
  }
  toi_context_destroy(context);
}

/* --- separations --- */

static void more_separation_is_never_later(void **state) {
  (void)state;
  static const double separations[] = {0, 1e-9, 1e-3, 0.1, 1};
  uint64_t seed = test_seed(0x5eed0024), rounds = test_count(100);
  toi_context *context = test_context(1);
  toi_surface_options options = toi_default_surface_options();
  options.max_checks = 4096;
  for (uint64_t i = 0; i < rounds; i++) {
    test_case c;
    toi_surface_hit last[2], hit;
    random_round_case(&seed, &c);
    for (size_t d = 0; d < 5; d++)
      for (int norm = 0; norm < 2; norm++) {
        options.norm = (toi_norm)norm;
        options.min_separation = separations[d];
        hit = ask(context, &c, &options);
        check_form(&c, &hit);
        // Within d in the Euclidean norm is within d in the other.
        bool later = d > 0 && last[norm].verdict == TOI_HIT && (hit.verdict == TOI_MISS || hit.t_lo > last[norm].t_hi);
        bool less = norm == 1 && last[0].verdict == TOI_HIT && (hit.verdict == TOI_MISS || hit.t_lo > last[0].t_hi);
        if (later || less) {
          case_print(&c, &last[later ? norm : 0]);
          case_print(&c, &hit);
          fail_msg("separation %g, norm %d: later than with less of it", separations[d], norm);
        }
        last[norm] = hit;
      }
  }
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_first_contact_stays_where_it_is),
      cmocka_unit_test(time_in_other_units_scales_the_answer),
      cmocka_unit_test(halves_touch_as_the_whole_does),
      cmocka_unit_test(more_separation_is_never_later),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
