/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The terms of the simulator's energy on a small mesh, and its linear system: the gradient that is assembled is that of
 * the energy, by differences; Hessians are positive semi-definite; the solution solves the system. */

#include "simulator/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 1e-7

static uint64_t random_state;

typedef enum term { ELASTIC, CONTACT, FRICTION } term;

static double term_energy(sim_world *w, term which, const double (*x)[3]) {
  sim_fault fault;
  if (which == ELASTIC)
    return elastic_energy(&w->elastic, x);
  if (which == FRICTION)
    return friction_energy(&w->friction, x);
  if (!contacts_find(&w->contacts, x, &fault))
    fail_msg("%s", fault.text);
  return contacts_energy(&w->contacts);
}

static void term_assemble(sim_world *w, term which, const double (*x)[3]) {
  if (which == CONTACT)
    contacts_pattern(&w->contacts, &w->system);
  if (which == FRICTION)
    friction_pattern(&w->friction, &w->system);
  system_extend(&w->system);
  system_clear(&w->system);
  if (which == ELASTIC)
    elastic_assemble(&w->elastic, x, &w->system);
  else if (which == FRICTION)
    friction_assemble(&w->friction, x, &w->system);
  else
    contacts_assemble(&w->contacts, &w->system);
}

/* y = H v with what is stored of the matrix. */
static void multiply(const sim_system *s, const double *v, double *y) {
  memset(y, 0, 3 * s->count * sizeof *y);
  for (size_t j = 0; j < s->count; j++) {
    const size_t first = s->column[j], height = 3 * (s->column[j + 1] - first);
    for (size_t k = first; k < s->column[j + 1]; k++)
      for (size_t a = 0; a < 9; a++) {
        const size_t row = 3 * s->row[k] + a % 3, column = 3 * j + a / 3;
        const double value = s->value[9 * first + a / 3 * height + 3 * (k - first) + a % 3];
        y[row] += value * v[column];
        if (s->row[k] != j)
          y[column] += value * v[row];
      }
  }
}

/* Moves all vertices a little. */
static void shake(sim_world *w, double size) {
  for (size_t i = 0; i < w->model.free_count; i++)
    for (int k = 0; k < 3; k++)
      w->x[i][k] += size * (test_random_unit(&random_state) - 0.5);
}

/* Along random directions v: (E(x + h v) - E(x - h v)) / 2 h against g . v, and v . H v >= 0. With `exact`, H v against
 * differences of the gradient. */
static void check_term(sim_world *w, term which, bool exact) {
  const size_t n = 3 * w->model.free_count, bytes = w->model.vertex_count * sizeof *w->x;
  double *v = take(n, sizeof *v), *y = take(n, sizeof *y), *above = take(n, sizeof *above);
  double(*x)[3] = take(1, bytes);
  for (int round = 0; round < 20; round++) {
    double slopes[2], curvature = 0, slope = 0;
    for (size_t i = 0; i < n; i++)
      v[i] = test_random_unit(&random_state) - 0.5;
    for (int side = 0; side < 2; side++) {
      memcpy(x, w->x, bytes);
      for (size_t i = 0; i < n; i++)
        x[i / 3][i % 3] += (side == 0 ? STEP : -STEP) * v[i];
      slopes[side] = term_energy(w, which, (const double(*)[3])x);
      term_assemble(w, which, (const double(*)[3])x);
      for (size_t i = 0; i < n; i++)
        above[i] = side == 0 ? w->system.gradient[i] : above[i] - w->system.gradient[i];
    }
    const double by_differences = (slopes[0] - slopes[1]) / (2 * STEP);
    term_energy(w, which, (const double(*)[3])w->x);
    term_assemble(w, which, (const double(*)[3])w->x);
    multiply(&w->system, v, y);
    double size = 0, wrong = 0;
    for (size_t i = 0; i < n; i++) {
      slope += w->system.gradient[i] * v[i];
      size += fabs(w->system.gradient[i] * v[i]);
      curvature += v[i] * y[i];
      wrong = fmax(wrong, fabs(above[i] / (2 * STEP) - y[i]));
    }
    assert_true(size > 0 && fabs(slope - by_differences) <= 1e-6 * size + 1e-9);
    assert_true(curvature >= 0);
    assert_true(!exact || wrong <= 1e-4 * (1 + curvature));
  }
  free(v);
  free(y);
  free(above);
  free(x);
}

static void elastic_gradient_by_differences(void **state) {
  (void)state;
  sim_world w;
  make_world(SMALL_SCENE, 1, &w);
  elastic_begin(&w.elastic, (const double(*)[3])w.x, (const double(*)[3])w.v, 0.01);
  shake(&w, 0.1);
  check_term(&w, ELASTIC, false);
  simulation_free(&w);
}

static void barrier_gradient_by_differences(void **state) {
  (void)state;
  for (uint64_t round = test_count(10); round > 0; round--) {
    sim_world w;
    make_world(SMALL_SCENE, 1, &w);
    shake(&w, 0.02);
    check_term(&w, CONTACT, false);
    assert_true(w.contacts.count > 10);
    simulation_free(&w);
  }
}

/* A flat sheet above a flat one: nearly parallel edges everywhere. */
static void barrier_gradient_of_parallel_edges(void **state) {
  (void)state;
  for (uint64_t round = test_count(10); round > 0; round--) {
    sim_world w;
    make_world("{\"title\": \"tube\", \"step\": 0.01,"
               " \"cloth\": {\"shape\": \"tube\", \"size\": [1, 0.04], \"cells\": [6, 6],"
               "  \"density\": 0.3, \"stretch\": 40, \"bend\": 1e-3},"
               " \"contact\": {\"distance\": 0.07, \"stiffness\": 5}}",
               1, &w);
    shake(&w, 1e-3);
    check_term(&w, CONTACT, false);
    size_t mollified = 0;
    for (size_t i = 0; i < w.contacts.count; i++)
      mollified += w.contacts.arrays.mollifiers[i] < 1;
    assert_true(mollified > 0);
    simulation_free(&w);
  }
}

static void friction_hessian_by_differences(void **state) {
  (void)state;
  for (int round = 0; round < 6; round++) {
    sim_world w;
    sim_fault fault;
    make_world(SMALL_SCENE, 1, &w);
    memcpy(w.before, w.x, w.model.vertex_count * sizeof *w.x);
    assert_true(contacts_find(&w.contacts, (const double(*)[3])w.x, &fault));
    friction_begin(&w.friction, &w.scene, &w.contacts, (const double(*)[3])w.before);
    assert_true(w.friction.count > 0);
    // Sliding and, below the slip speed times the step, sticking.
    w.scene.slip = round % 2 == 0 ? 0.1 : 10;
    shake(&w, 0.05);
    check_term(&w, FRICTION, true);
    simulation_free(&w);
  }
}

/* Blocks far from each other join the pattern, and the solution solves the system. */
static void system_is_solved(void **state) {
  (void)state;
  sim_system s;
  const uint32_t chain[2][2] = {{0, 1}, {1, 2}}, far[3] = {4, 0, 9};
  system_start(&s, 5);
  system_need(&s, chain[0], 2);
  system_need(&s, chain[1], 2);
  system_finish(&s);
  assert_int_equal(s.key_count, 7);
  const uint64_t generation = s.generation;
  system_need(&s, far, 3);
  system_extend(&s);
  assert_int_equal(s.key_count, 8);
  assert_true(s.generation != generation);
  const double eye[9] = {4, 0, 0, 0, 4, 0, 0, 0, 4}, block[9] = {0.1, 0.2, 0.3, -0.1, 0.5, 0.4, 0.7, 0.2, -0.3};
  for (int round = 0; round < 2; round++) {
    system_clear(&s);
    for (uint32_t i = 0; i < 5; i++)
      system_add(&s, i, i, eye);
    system_add(&s, 0, 1, block);
    system_add(&s, 2, 1, block);
    if (round == 0)
      system_add(&s, 4, 0, block);
    system_add(&s, 9, 0, block);
    double v[15], y[15];
    for (int i = 0; i < 15; i++)
      v[i] = test_random_unit(&random_state) - 0.5;
    multiply(&s, v, y);
    for (uint32_t i = 0; i < 5; i++)
      system_add_gradient(&s, i, y + 3 * i);
    double step[15];
    sim_fault fault;
    sim_solver *solver = solver_create();
    assert_true(solver_solve(solver, &s, step, &fault));
    for (int i = 0; i < 15; i++)
      assert_true(fabs(step[i] + v[i]) < 1e-12);
    solver_destroy(solver);
    system_reset(&s);
    assert_int_equal(s.key_count, 7);
  }
  system_free(&s);
}

static void indefinite_matrix_is_an_error(void **state) {
  (void)state;
  sim_system s;
  system_start(&s, 2);
  system_finish(&s);
  const double bad[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
  system_add(&s, 0, 0, bad);
  system_add(&s, 1, 1, bad);
  double step[6];
  sim_fault fault;
  sim_solver *solver = solver_create();
  assert_false(solver_solve(solver, &s, step, &fault));
  assert_non_null(strstr(fault.text, "positive definite"));
  solver_destroy(solver);
  system_free(&s);
}

int main(void) {
  random_state = test_seed(20260302);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elastic_gradient_by_differences),
      cmocka_unit_test(barrier_gradient_by_differences),
      cmocka_unit_test(barrier_gradient_of_parallel_edges),
      cmocka_unit_test(friction_hessian_by_differences),
      cmocka_unit_test(system_is_solved),
      cmocka_unit_test(indefinite_matrix_is_an_error),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
