/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What shrinks boxes, bounds times and proves contacts, on contacts that were planted exactly: none is ever lost, no
 * time is bounded too high, and nothing is proved where there is nothing. */

#include "contact/planted.h"

#include "contact/context.h"

#define ROUNDS UINT64_C(300)
/* From here on the shares that are asserted do not hang on single rounds. */
#define FEWEST 40
#define BOXES 12

static wish random_wish(bool tangential) {
  return (wish){.kind = (toi_body_pair_kind)(test_random(&plant_seed) % 3), .tangential = tangential, .edges = coin()};
}

/* --- shrinking --- */

static void check_contact_step(const plant *p, double size) {
  toi_box box = box_around(p, size), before = box;
  toi_system system;
  assert_true(toi_system_at(&p->problem, &box, TOI_SYSTEM_SLOPES, &system));
  bool linear = coin();
  assert_int_equal(toi_newton_contact(&p->problem, &system, linear, &box), TOI_NEWTON_SHRUNK);
  assert_true(box_holds(p, &box));
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++)
    assert_true(toi_interval_encloses(before.x[i], box.x[i]));
}

static void contacts_survive_the_equations_of_contact(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = random_wish(coin());
    set_plant(&p, context, &w);
    for (int i = 0; i < BOXES; i++)
      check_contact_step(&p, random_size(45));
    clear_plant(&p);
  }
}

/* Returns whether it was unique. */
static bool check_full_step(const plant *p, toi_contact_newton method, toi_box box) {
  toi_newton_region unique;
  toi_newton_end end = toi_newton_all(&p->problem, method, &box, &unique);
  assert_true(end == TOI_NEWTON_SHRUNK || end == TOI_NEWTON_UNIQUE);
  if (end == TOI_NEWTON_SHRUNK) {
    assert_true(box_holds(p, &box));
    return false;
  }
  assert_true(box_holds(p, &unique.region) && box_holds(p, &unique.root));
  assert_true(toi_newton_polish(&p->problem, &unique));
  assert_true(box_holds(p, &unique.root));
  // A part of the region without the contact holds none, with whatever is added to it on all sides.
  toi_columns columns = toi_problem_columns(&p->problem);
  for (int attempt = 0; attempt < 4; attempt++) {
    toi_box part = unique.region;
    for (size_t j = 0; j < columns.count; j++) {
      toi_interval *x = &part.x[columns.at[j]];
      double a = between(x->lo, x->hi), b = between(x->lo, x->hi);
      *x = (toi_interval){fmin(a, b), fmax(a, b)};
    }
    bool holds = box_holds(p, &part);
    toi_newton_region other;
    toi_box shrunk = part;
    end = toi_newton_all(&p->problem, method, &shrunk, &other);
    if (end == TOI_NEWTON_UNIQUE)
      assert_true(box_holds(p, &other.root));
    assert_true(!holds || end == TOI_NEWTON_UNIQUE || (end == TOI_NEWTON_SHRUNK && box_holds(p, &shrunk)));
  }
  return true;
}

static void tangential_contacts_survive_all_equations(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), unique[3][2] = {{0}};
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = random_wish(true);
    set_plant(&p, context, &w);
    for (int i = 0; i < BOXES; i++) {
      toi_contact_newton method = coin() ? TOI_NEWTON_LINEAR : TOI_NEWTON_KRAWCZYK;
      unique[w.kind][method == TOI_NEWTON_LINEAR] += check_full_step(&p, method, box_around(&p, random_size(30)));
    }
    clear_plant(&p);
  }
  // The test is about something: each kind has contacts that either method isolates.
  for (int kind = 0; kind < 3; kind++)
    assert_true(unique[kind][0] > rounds / 8 && unique[kind][1] > rounds / 8);
}

/* The contact is outside of the region around the box along one unknown, by next to nothing, and in the middle along
 * the others. It is the only one of a larger region, so that none is here. */
static size_t check_outside_along(const plant *p, toi_contact_newton method, double size, size_t unknown) {
  toi_columns columns = toi_problem_columns(&p->problem);
  toi_box box = p->problem.domain;
  size_t undecided = 0;
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    box.x[i] = (toi_interval){p->x[i] - size, p->x[i] + size};
    (void)toi_interval_intersect(box.x[i], p->problem.domain.x[i], &box.x[i]);
  }
  toi_newton_region around, other;
  toi_box whole = box;
  if (toi_newton_all(&p->problem, method, &whole, &around) != TOI_NEWTON_UNIQUE)
    return 0;
  for (int attempt = 0; attempt < 8; attempt++) {
    // A region is wider than its box by a tenth of its width.
    double width = 0.25 * size, away = 0.1 * width * (1 + random_size(30)) + 0x1p-40;
    toi_box part = box;
    part.x[unknown] = coin() ? (toi_interval){p->x[unknown] + away, p->x[unknown] + away + width}
                             : (toi_interval){p->x[unknown] - away - width, p->x[unknown] - away};
    if (!toi_interval_encloses(box.x[unknown], part.x[unknown]))
      continue;
    toi_newton_end end = toi_newton_all(&p->problem, method, &part, &other);
    assert_true(end == TOI_NEWTON_EMPTY || end == TOI_NEWTON_SHRUNK);
    undecided += end == TOI_NEWTON_SHRUNK;
  }
  return undecided;
}

static void contact_outside_along_one_unknown_is_none_inside(void **state) {
  (void)state;
  uint64_t rounds = 9 + test_count(ROUNDS), undecided[2][TOI_UNKNOWNS] = {{0}};
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = {.kind = (toi_body_pair_kind)(round % 3), .tangential = true};
    set_plant(&p, context, &w);
    for (size_t unknown = 0; unknown < toi_body_pair_unknowns(&p.pair); unknown++)
      for (int i = 0; i < 8; i++) {
        toi_contact_newton method = i & 1 ? TOI_NEWTON_LINEAR : TOI_NEWTON_KRAWCZYK;
        undecided[i & 1][unknown] += check_outside_along(&p, method, ldexp(1, -4 - i), unknown);
      }
    clear_plant(&p);
  }
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    print_message("  unknown %zu: %llu and %llu not decided\n", i, (unsigned long long)undecided[0][i],
                  (unsigned long long)undecided[1][i]);
  // The test is about something: each unknown alone keeps a contact from being proved.
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    assert_true(undecided[0][i] + undecided[1][i] > 0);
}

/* --- how early --- */

static void no_time_is_bounded_above_a_contact(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(3 * ROUNDS, FEWEST), known[3] = {0}, modelled[3] = {0};
  toi_clearance work = {0};
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    toi_body_pair_kind kind = (toi_body_pair_kind)(round % 3);
    bool edges = kind != TOI_BODY_PAIR_II && test_random(&plant_seed) % 4 == 0;
    set_plant(&p, context, &(wish){.kind = kind, .tangential = coin(), .edges = edges, .degenerate = coin()});
    size_t t = toi_body_pair_time(&p.pair);
    for (int i = 0; i < BOXES; i++) {
      toi_box box = box_around(&p, random_size(20));
      bool failed;
      double bound = toi_time_lower_bound(&p.problem, &box, &failed);
      assert_false(failed);
      if (bound > p.x[t])
        fail_msg("seed %llu: contact at %a, but none before %a", (unsigned long long)plant_seed, p.x[t], bound);
      known[kind] += bound > box.x[t].lo;
      toi_contact_model model;
      assert_int_equal(toi_clearance_model(&work, context, &p.problem, &box, &model), TOI_OK);
      bound = toi_time_model_bound(&p.problem, &model, box.x[t], INFINITY);
      if (bound > p.x[t])
        fail_msg("seed %llu: contact at %a, but a model says %a", (unsigned long long)plant_seed, p.x[t], bound);
      modelled[kind] += bound > box.x[t].lo;
    }
    clear_plant(&p);
  }
  toi_clearance_end(&work, context);
  for (int kind = 0; kind < 3; kind++)
    assert_true(known[kind] > rounds / 3 && modelled[kind] > rounds / 3);
}

/* Over a region of contact the first time is known to the second order of the box's size, although the surfaces are
 * anywhere in the box, and to the third if their own parameters agree. */
static void over_a_region_of_contact_the_time_is_known_well(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), close = 0, all = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    set_plant(&p, context, &(wish){.tangential = true, .degenerate = true});
    double speed = fabs(p.patches[0].velocity[2] - p.patches[1].velocity[2]);
    for (int i = 0; i < 6 && speed > 0.5; i++) {
      double size = ldexp(1, -6 - i), at[2] = {between(-0.25, 0.25), between(-0.25, 0.25)};
      // Somewhere else on both of them.
      for (size_t k = 0; k < 4; k++)
        p.x[k] = p.patches[k / 2].uv[k % 2] + at[k % 2];
      toi_box box = box_around(&p, size);
      bool failed;
      double bound = toi_time_lower_bound(&p.problem, &box, &failed);
      assert_false(failed);
      // The places of both are at the same distance of theirs only up to rounding.
      assert_true(bound <= p.x[4] + 1e-15);
      close += bound >= p.x[4] - 4 * size * size;
      all++;
    }
    clear_plant(&p);
  }
  print_message("  %llu of %llu within 4 w^2\n", (unsigned long long)close, (unsigned long long)all);
  assert_true(all > rounds && 10 * close > 7 * all);
}

/* --- proofs --- */

/* The zero of the contact equations that weighted steps of least size lead to from x. */
static bool zero_from(const plant *p, long double x[TOI_UNKNOWNS]) {
  toi_columns columns = toi_problem_columns(&p->problem);
  static const size_t rows[] = {3, 1, 2};
  size_t m = rows[p->pair.kind], n = columns.count;
  long double last = INFINITY;
  for (int round = 0; round < 8; round++) {
    long double f[KNOWN], d[KNOWN][TOI_UNKNOWNS], size = 0;
    contact_precisely(p, x, f);
    slopes_precisely(p, x, d);
    toi_row slopes[TOI_UNKNOWNS] = {{0}}, inverse[TOI_UNKNOWNS] = {{0}};
    double weights[TOI_UNKNOWNS] = {0};
    for (size_t j = 0; j < n; j++) {
      weights[j] = toi_interval_width(p->problem.domain.x[columns.at[j]]);
      for (size_t i = 0; i < m; i++)
        slopes[i][j] = (double)d[i][columns.at[j]];
    }
    if (!toi_linear_right_inverse(m, n, (const toi_row *)slopes, weights, inverse))
      return false;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < m; i++)
        x[columns.at[j]] -= inverse[j][i] * f[i];
    for (size_t i = 0; i < m; i++)
      size += fabsl(f[i]);
    last = size;
  }
  return last < 1e-17L;
}

static bool check_proof(const plant *p, double size) {
  double x[TOI_UNKNOWNS] = {0};
  toi_columns columns = toi_problem_columns(&p->problem);
  memcpy(x, p->x, sizeof x);
  for (size_t j = 0; j < columns.count; j++)
    x[columns.at[j]] += between(-size, size);
  toi_box proved;
  if (!toi_newton_prove(&p->problem, x, false, &proved))
    return false;
  // All edges are real.
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair) && p->pair.kind != TOI_BODY_PAIR_II; i++)
    assert_true(toi_interval_encloses(p->problem.domain.x[i], proved.x[i]));
  size_t time = toi_body_pair_time(&p->pair);
  assert_true(toi_interval_encloses(p->problem.domain.x[time], proved.x[time]));
  long double zero[TOI_UNKNOWNS] = {0};
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++)
    zero[i] = x[i];
  assert_true(zero_from(p, zero));
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++)
    if (!(zero[i] >= proved.x[i].lo - 0x1p-60L && zero[i] <= proved.x[i].hi + 0x1p-60L))
      fail_msg("unknown %zu is %.21Lg, not in [%.17g, %.17g]", i, zero[i], proved.x[i].lo, proved.x[i].hi);
  return true;
}

static void what_is_proved_holds_a_contact(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), proved = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = random_wish(coin());
    w.edges = false;
    set_plant(&p, context, &w);
    // Some of the domain ends where the contact is.
    for (size_t i = 0; i < toi_body_pair_unknowns(&p.pair); i++)
      if (test_random(&plant_seed) % 8 == 0)
        p.problem.domain.x[i].lo = p.x[i];
    for (int i = 0; i < 4; i++)
      proved += check_proof(&p, random_size(30));
    clear_plant(&p);
  }
  assert_true(proved > 2 * rounds);
}

/* The first is above the second, by 1e-9 where it is lowest, and comes and goes; or it dips into it by as much. */
static bool is_proved(const plant *p, double size) {
  double x[TOI_UNKNOWNS] = {0};
  // As the search does, from places of the domain only.
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++) {
    const toi_interval domain = p->problem.domain.x[i];
    x[i] = fmin(fmax(p->x[i] + between(-size, size), domain.lo), domain.hi);
  }
  toi_newton_region unique;
  toi_box proved, around = box_around(p, size);
  if (toi_newton_isolate(&p->problem, coin() ? TOI_NEWTON_LINEAR : TOI_NEWTON_KRAWCZYK, x, &around, &unique) ||
      toi_newton_all(&p->problem, coin() ? TOI_NEWTON_LINEAR : TOI_NEWTON_KRAWCZYK, &around, &unique) ==
          TOI_NEWTON_UNIQUE)
    return true;
  return toi_newton_prove(&p->problem, x, false, &proved);
}

static void nothing_is_proved_between_surfaces_that_stay_apart(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), proved = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    wish w = {.kind = (toi_body_pair_kind)(round % 3), .tangential = true, .rises = true, .gap = coin() ? 1e-9 : -1e-9};
    plant p;
    set_plant(&p, context, &w);
    for (int i = 0; i < 6; i++) {
      bool is = is_proved(&p, random_size(30));
      assert_true(w.gap < 0 || !is);
      proved += is;
    }
    clear_plant(&p);
  }
  print_message("  %llu of %llu that touch\n", (unsigned long long)proved, (unsigned long long)(3 * rounds));
  assert_true(proved > rounds / 8);
}

/* With incoming asked for, what is proved has it; and nothing out of the second body's bounds is. */
static void surfaces_that_part_are_not_proved_to_come(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), come = 0, part = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = {.kind = (toi_body_pair_kind)(round % 3), .tangential = true};
    set_plant(&p, context, &w);
    long double at[TOI_UNKNOWNS] = {0};
    double x[TOI_UNKNOWNS] = {0};
    for (size_t i = 0; i < toi_body_pair_unknowns(&p.pair); i++)
      at[i] = x[i] = p.x[i];
    precise e = precise_at(&p, at);
    toi_box proved;
    if (e.incoming[0] < -1e-3L || e.incoming[1] < -1e-3L) {
      assert_false(toi_newton_prove(&p.problem, x, true, &proved));
      part++;
    }
    if (e.incoming[0] > 1e-3L && e.incoming[1] > 1e-3L) {
      assert_true(toi_newton_prove(&p.problem, x, true, &proved));
      come++;
      p.surface[1].bounds[round % 3].lo = (double)e.place[round % 3] + 1e-9;
      assert_false(toi_newton_prove(&p.problem, x, true, &proved));
    }
    clear_plant(&p);
  }
  assert_true(come > rounds / 8 && part > rounds / 8);
}

/* Normals at a right angle do not oppose each other: rounding must not make that out. */
static void upright_surfaces_are_not_proved_to_come(void **state) {
  (void)state;
  uint64_t rounds = test_count_from(ROUNDS, FEWEST), touch = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = {.kind = (toi_body_pair_kind)(round % 3), .upright = true};
    set_plant(&p, context, &w);
    double x[TOI_UNKNOWNS];
    memcpy(x, p.x, sizeof x);
    toi_box proved;
    assert_false(toi_newton_prove(&p.problem, x, true, &proved));
    touch += toi_newton_prove(&p.problem, x, false, &proved);
    clear_plant(&p);
  }
  assert_true(touch > rounds / 2);
}

/* --- times --- */

static void no_window_cuts_off_a_contact(void **state) {
  (void)state;
  uint64_t rounds = test_count(ROUNDS);
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    wish w = random_wish(coin());
    set_plant(&p, context, &w);
    double t = p.x[toi_body_pair_time(&p.pair)];
    for (int spheres = 0; spheres < 2; spheres++) {
      toi_interval window, time = {t - between(0, t), t + between(0, 1 - t)};
      assert_false(toi_body_pair_apart(&p.pair, toi_interval_point(t), spheres));
      assert_false(toi_body_pair_apart(&p.pair, time, spheres));
      assert_true(toi_body_pair_window(&p.pair, (toi_interval){0, 1}, 0x1p-10, spheres, &window));
      assert_true(toi_interval_contains(window, t));
    }
    clear_plant(&p);
  }
}

int main(void) {
  plant_seed = test_seed(UINT64_C(0x706c616e746564));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_survive_the_equations_of_contact),
      cmocka_unit_test(tangential_contacts_survive_all_equations),
      cmocka_unit_test(no_time_is_bounded_above_a_contact),
      cmocka_unit_test(over_a_region_of_contact_the_time_is_known_well),
      cmocka_unit_test(what_is_proved_holds_a_contact),
      cmocka_unit_test(nothing_is_proved_between_surfaces_that_stay_apart),
      cmocka_unit_test(surfaces_that_part_are_not_proved_to_come),
      cmocka_unit_test(upright_surfaces_are_not_proved_to_come),
      cmocka_unit_test(no_window_cuts_off_a_contact),
      cmocka_unit_test(contact_outside_along_one_unknown_is_none_inside),
  };
  return cmocka_run_group_tests_name("planted contacts", tests, set_up, tear_down);
}
