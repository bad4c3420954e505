/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The equations of contact and tangency over boxes, of random pairs of all kinds that turn, deform and have edges:
 * what they are at points of a box, written down a second time in long doubles, lies in what is said of the box; and
 * slopes fulfil the mean value theorem. */

#include "contact/models.h"
#include "contact/planted.h"

#define ROUNDS UINT64_C(500)
#define BOXES 6

/* tolerance: of the truth, where differences stand for derivatives. */
static void check_inside(const char *what, size_t i, toi_interval x, long double truth, long double tolerance) {
  tolerance *= 1 + fabsl(truth);
  if (!(truth >= x.lo - tolerance && truth <= x.hi + tolerance))
    fail_msg("%s %zu: %.17Lg is not in [%.17g, %.17g]", what, i, truth, x.lo, x.hi);
}

/* A box in the domain, its sides from half of it down to a few roundings or nothing. */
static toi_box random_box(const plant *p, bool thin) {
  toi_box box = p->problem.domain;
  toi_columns columns = toi_problem_columns(&p->problem);
  double size = thin ? 0 : random_size(40);
  for (size_t j = 0; j < columns.count; j++) {
    size_t i = columns.at[j];
    toi_interval domain = p->problem.domain.x[i];
    double centre = between(domain.lo, domain.hi);
    box.x[i] = (toi_interval){fmax(domain.lo, centre - size), fmin(domain.hi, centre + size)};
  }
  return box;
}

static void random_point(const toi_box *box, double x[TOI_UNKNOWNS]) {
  for (size_t i = 0; i < TOI_UNKNOWNS; i++) {
    double at = coin() ? between(box->x[i].lo, box->x[i].hi) : coin() ? box->x[i].lo : box->x[i].hi;
    x[i] = at < box->x[i].lo ? box->x[i].lo : at > box->x[i].hi ? box->x[i].hi : at;
  }
}

/* The slopes of all equations, by differences of fourth order of what is right to 1e-12. */
static void check_slopes(const plant *p, const long double x[TOI_UNKNOWNS], const toi_system *over, size_t rows) {
  for (size_t j = 0; j < toi_body_pair_unknowns(&p->pair); j++) {
    precise e[5];
    for (int part = -2; part <= 2; part++) {
      long double at[TOI_UNKNOWNS];
      memcpy(at, x, sizeof at);
      at[j] += part * STEP;
      e[part + 2] = precise_at(p, at);
    }
    for (size_t i = 0; i < rows; i++) {
      long double slope = (8 * (e[3].value[i] - e[1].value[i]) - e[4].value[i] + e[0].value[i]) / (12 * STEP);
      check_inside("slope", 10 * i + j, over->slope[i][j], slope, 1e-7L);
    }
  }
}

static void check_system(const plant *p, const toi_box *box, const double point[TOI_UNKNOWNS], bool thin) {
  toi_system_order order = (toi_system_order)(test_random(&plant_seed) % 3);
  toi_system over;
  long double x[TOI_UNKNOWNS];
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    x[i] = point[i];
  assert_true(toi_system_at(&p->problem, box, order, &over));
  precise e = precise_at(p, x);
  assert_int_equal(over.contact, e.contact);
  for (size_t i = 0; i < e.contact; i++) {
    check_inside("contact", i, over.value[i], e.value[i], 1e-16L);
    assert_true(!thin || toi_interval_width(over.value[i]) < 1e-11);
  }
  for (size_t k = 0; k < 3; k++)
    check_inside("place", k, over.place[k], e.place[k], 1e-16L);
  if (order == TOI_SYSTEM_VALUES)
    return;

  assert_int_equal(over.tangency, e.tangency);
  for (size_t i = e.contact; i < e.contact + e.tangency; i++)
    check_inside("tangency", i, over.value[i], e.value[i], 1e-9L);
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < 2; i++)
      check_inside("normal", 10 * i + k, over.normal[i][k], e.normal[i][k], 1e-9L);
  for (size_t i = 0; i < 2 && p->problem.frozen == 0; i++) {
    check_inside("incoming", i, over.incoming[i], e.incoming[i], 1e-9L);
    assert_true(!thin || toi_interval_width(over.incoming[i]) < 1e-10);
  }
  // At an edge nothing is said about it: there is no telling which side of a face is outside of both.
  assert_true(p->problem.frozen == 0 || (over.incoming[0].hi > DBL_MAX && over.incoming[0].lo < -DBL_MAX));
  if (!thin)
    check_slopes(p, x, &over, order == TOI_SYSTEM_ALL ? e.contact + e.tangency : e.contact);
}

/* All derivatives of the first surface as the second body sees it, up to the second order. */
static void check_jet(const plant *p, const toi_box *box, const double point[TOI_UNKNOWNS]) {
  static const int second[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
  size_t columns[3] = {0, 1, toi_body_pair_time(&p->pair)};
  const toi_interval uvt[3] = {box->x[0], box->x[1], box->x[columns[2]]};
  toi_surface_jet jet;
  assert_true(toi_body_pair_jet(&p->pair, p->problem.frozen, uvt, 2, &jet));
  long double x[TOI_UNKNOWNS], d[KNOWN][TOI_UNKNOWNS], sides[2][KNOWN][TOI_UNKNOWNS];
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    x[i] = point[i];
  slopes_precisely(p, x, d);
  for (int i = 0; i < 3; i++) {
    long double at[TOI_UNKNOWNS];
    memcpy(at, x, sizeof at);
    at[columns[i]] = x[columns[i]] + STEP / 64;
    slopes_precisely(p, at, sides[1]);
    at[columns[i]] = x[columns[i]] - STEP / 64;
    slopes_precisely(p, at, sides[0]);
    for (size_t k = 0; k < 3; k++) {
      check_inside("derivative", 10 * (size_t)i + k, jet.d[1 + i][k], d[PLACE + k][columns[i]], 1e-9L);
      for (int j = 0; j < 3; j++) {
        long double slope = (sides[1][PLACE + k][columns[j]] - sides[0][PLACE + k][columns[j]]) / (STEP / 32);
        check_inside("second derivative", 10 * (size_t)second[i][j] + k, jet.d[second[i][j]][k], slope, 1e-7L);
      }
    }
  }
}

/* The equations of contact with their slopes and second derivatives, by differences of what is right to 1e-12. */
static void check_expansion(const plant *p, const toi_box *box, const double point[TOI_UNKNOWNS]) {
  toi_expansion e;
  long double x[TOI_UNKNOWNS], f[KNOWN], d[KNOWN][TOI_UNKNOWNS], sides[2][KNOWN][TOI_UNKNOWNS];
  assert_true(toi_expand(&p->problem, box, 2, &e));
  for (size_t i = 0; i < TOI_UNKNOWNS; i++)
    x[i] = point[i];
  contact_precisely(p, x, f);
  slopes_precisely(p, x, d);
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++) {
    for (int side = 0; side < 2; side++) {
      long double at[TOI_UNKNOWNS];
      memcpy(at, x, sizeof at);
      at[i] += (side == 0 ? -1 : 1) * STEP / 64;
      slopes_precisely(p, at, sides[side]);
    }
    for (size_t k = 0; k < e.m; k++) {
      check_inside("expansion's value", k, e.value[k], f[k], 1e-16L);
      check_inside("expansion's slope", 10 * k + i, e.slope[k][i], d[k][i], 1e-9L);
      for (size_t j = 0; j < toi_body_pair_unknowns(&p->pair); j++) {
        long double second = (sides[1][k][j] - sides[0][k][j]) / (STEP / 32);
        check_inside("expansion's second derivative", 100 * k + 10 * i + j, e.second[k][i][j], second, 1e-7L);
      }
    }
  }
}

/* The equations of contact by their models: off by the rest at most. */
static void check_model(const plant *p, toi_context *context, const toi_box *box, const double point[TOI_UNKNOWNS]) {
  toi_clearance work = {0};
  toi_contact_model model;
  long double x[TOI_UNKNOWNS], y[TOI_UNKNOWNS] = {0}, f[KNOWN];
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++) {
    double middle = toi_interval_midpoint(box->x[i]);
    toi_taylor variable;
    toi_taylor_variable(box->x[i], 0, &variable);
    x[i] = point[i];
    y[i] = variable.c[1] > 0 ? ((long double)point[i] - middle) / variable.c[1] : 0;
  }
  contact_precisely(p, x, f);
  assert_int_equal(toi_clearance_model(&work, context, &p->problem, box, &model), TOI_OK);
  for (size_t k = 0; k < model.m; k++) {
    const toi_equation_model *g = &model.of[k];
    check_inside("model", k, (toi_interval){-g->rest, g->rest}, f[k] - equation_model_at(g, y), 1e-16L);
  }
  toi_clearance_end(&work, context);
}

/* f(x) - f(c) in J(X) (x - c), f enclosed at points. */
static void check_mean_value(const plant *p, const toi_box *box, const double x[TOI_UNKNOWNS]) {
  toi_box centre = toi_box_centre(&p->problem, box), point = *box;
  for (size_t i = 0; i < toi_body_pair_unknowns(&p->pair); i++)
    point.x[i] = toi_interval_point(x[i]);
  toi_system over, at_centre, at_point;
  assert_true(toi_system_at(&p->problem, &centre, TOI_SYSTEM_SLOPES, &at_centre));
  assert_true(toi_system_at(&p->problem, box, TOI_SYSTEM_ALL, &over));
  assert_true(toi_system_at(&p->problem, &point, TOI_SYSTEM_ALL, &at_point));
  for (size_t i = 0; i < over.contact + over.tangency; i++) {
    toi_interval sum = {0, 0};
    for (size_t j = 0; j < toi_body_pair_unknowns(&p->pair); j++) {
      sum = toi_interval_add(sum, toi_interval_mul(over.slope[i][j], toi_interval_sub(point.x[j], centre.x[j])));
      assert_true(over.slope[i][j].lo <= at_point.slope[i][j].hi && at_point.slope[i][j].lo <= over.slope[i][j].hi);
    }
    toi_interval change = toi_interval_sub(at_point.value[i], at_centre.value[i]), common;
    if (!toi_interval_intersect(sum, change, &common))
      fail_msg("equation %zu changes by [%.17g, %.17g], not by [%.17g, %.17g]", i, change.lo, change.hi, sum.lo,
               sum.hi);
  }
}

static void check_pairs(toi_body_pair_kind kind) {
  toi_context *context = test_context(1);
  uint64_t rounds = test_count(ROUNDS / (kind == TOI_BODY_PAIR_PP ? 2 : 1));
  for (uint64_t round = 0; round < rounds; round++) {
    plant p;
    set_plant(&p, context, &(wish){.kind = kind, .edges = coin()});
    for (int i = 0; i < BOXES; i++) {
      bool thin = i % 2;
      toi_box box = random_box(&p, thin);
      double x[TOI_UNKNOWNS];
      random_point(&box, x);
      check_system(&p, &box, x, thin);
      check_system(&p, &box, x, thin);
      check_mean_value(&p, &box, x);
      check_expansion(&p, &box, x);
      if (round % 8 == 0)
        check_model(&p, context, &box, x);
      if (kind != TOI_BODY_PAIR_II)
        check_jet(&p, &box, x);
    }
    clear_plant(&p);
  }
  toi_context_destroy(context);
}

static void two_parametric_surfaces_lie_in_their_enclosures(void **state) {
  (void)state;
  check_pairs(TOI_BODY_PAIR_PP);
}

static void parametric_and_implicit_surfaces_lie_in_their_enclosures(void **state) {
  (void)state;
  check_pairs(TOI_BODY_PAIR_PI);
}

static void two_implicit_surfaces_lie_in_their_enclosures(void **state) {
  (void)state;
  check_pairs(TOI_BODY_PAIR_II);
}

/* At t = 0 there is no tangency: surfaces that intersect are in contact. */
static void at_the_start_nothing_is_tangential(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  for (int kind = 0; kind < 3; kind++) {
    plant p;
    set_plant(&p, context, &(wish){.kind = (toi_body_pair_kind)kind});
    p.problem.at_start = true;
    toi_system system;
    assert_true(toi_system_at(&p.problem, &p.problem.domain, TOI_SYSTEM_ALL, &system));
    assert_int_equal(system.tangency, 0);
    clear_plant(&p);
  }
  toi_context_destroy(context);
}

/* One pair after the other at the same place in memory, as when most are ruled out at once. */
static void couples_are_not_mistaken_for_each_other(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  toi_body_surface surface[2] = {{.shape = NULL}, {.shape = NULL}};
  toi_body_pair pair = {.surface = {&surface[0], &surface[1]}};
  assert_int_equal(toi_motions_begin(context, &pair.motions), TOI_OK);
  for (uint32_t i = 0; i < 20000; i++) {
    toi_motion *motion = NULL;
    assert_int_equal(toi_motion_create(context, &motion), TOI_OK);
    assert_int_equal(toi_motion_move(motion, (double[]){i, 0, 0}, NULL), TOI_OK);
    surface[0].motion = motion;
    pair.body[0] = i % 141;
    pair.body[1] = 141 + i / 141;
    assert_true(toi_body_pair_motion(&pair, (toi_interval){0, 1}, 0)->translation[0][0].lo == i);
    toi_motion_destroy(motion);
  }
  toi_motions_end(context, pair.motions);
  toi_context_destroy(context);
}

int main(void) {
  plant_seed = test_seed(UINT64_C(0x6b65726e656c));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_parametric_surfaces_lie_in_their_enclosures),
      cmocka_unit_test(parametric_and_implicit_surfaces_lie_in_their_enclosures),
      cmocka_unit_test(two_implicit_surfaces_lie_in_their_enclosures),
      cmocka_unit_test(at_the_start_nothing_is_tangential),
      cmocka_unit_test(couples_are_not_mistaken_for_each_other),
  };
  return cmocka_run_group_tests_name("contact kernel", tests, NULL, NULL);
}
