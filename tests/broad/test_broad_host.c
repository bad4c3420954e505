/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase in every floating-point state of the caller: the same pairs, the state and its flags as they were,
 * visitors and progress in the caller's state on its thread, everything else in the default one. */

#include <pthread.h>
#include <stdatomic.h>

#include "broad/pairs.h"
#include "support/float_state.h"

/* Primitives with coordinates of small whole numbers of `unit`. */
static test_scene make_lattice(double unit, uint64_t *random) {
  test_scene scene = {0};
  for (int i = 0; i < 60; i++) {
    double start[3], end[3];
    for (int k = 0; k < 3; k++) {
      start[k] = unit * (double)(test_random(random) % 32);
      end[k] = start[k] + unit * (double)(test_random(random) % 4);
    }
    test_add_vertex(&scene, start, end);
  }
  for (uint32_t i = 0; i < 36; i += 3)
    test_add_face(&scene, i, i + 1, i + 2);
  for (uint32_t i = 36; i < 46; i += 2)
    test_add_edge(&scene, i, i + 1);
  return scene;
}

/* --- what the caller's functions see --- */

typedef struct witness {
  pthread_t caller;
  uint64_t control; /* of the caller */
  atomic_uint wrong, elsewhere, calls;
  test_pairs pairs;
} witness;

static uint64_t control_now(void) {
  return test_float_control(test_float_get());
}

/* On the calling thread in its state, on any other in the default one. */
static void note_state(witness *w) {
  const bool here = pthread_equal(pthread_self(), w->caller);
  atomic_fetch_add(&w->calls, 1);
  if (!here)
    atomic_fetch_add(&w->elsewhere, 1);
  if (control_now() != (here ? w->control : TEST_FLOAT_DEFAULT))
    atomic_fetch_add(&w->wrong, 1);
}

static toi_status visit(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  witness *w = user;
  note_state(w);
  return test_collect(&w->pairs, kind, pairs, count);
}

static toi_status look(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)kind;
  (void)pairs;
  (void)count;
  note_state(user);
  return TOI_OK;
}

static bool listen(void *user, double done) {
  (void)done;
  note_state(user);
  return true;
}

/* --- tests --- */

static void check_mesh(const toi_mesh *mesh, const toi_options *options, uint32_t threads) {
  toi_context *context = test_context(threads);
  test_pairs expected = test_candidates(context, mesh, options);
  for (unsigned state = 0; state < TEST_FLOAT_STATES; state++) {
    witness w = {.caller = pthread_self()};
    const uint64_t before = test_float_enter(state);
    w.control = test_float_control(before);
    const toi_status status = toi_candidates(context, mesh, options, visit, &w);
    const uint64_t after = test_float_leave();
    assert_int_equal(status, TOI_OK);
    assert_true(after == before);
    assert_int_equal(w.wrong, 0);
    char what[32];
    snprintf(what, sizeof what, "state %u", state);
    test_pairs_sort(&w.pairs);
    test_pairs_equal(&w.pairs, &expected, what);
    test_pairs_free(&w.pairs);
  }
  test_pairs_free(&expected);
  toi_context_destroy(context);
}

/* Separations of an odd number of units: flushing takes half of the last one away. */
static void candidates_in_every_state(void **unused) {
  (void)unused;
  static const double units[] = {0x1p-1074, 0x3p-1074, 0.1, 0x1p1016};
  uint64_t random = test_seed(0x51ee9301);
  for (uint64_t i = 0; i < test_count(12); i++) {
    const double unit = units[i % 4];
    test_scene scene = make_lattice(unit, &random);
    for (size_t number = 0; toi_broad_name(number); number++) {
      toi_mesh_options on_mesh = toi_default_mesh_options();
      toi_options options = toi_default_options();
      on_mesh.broad = toi_broad_name(number);
      options.on_mesh = &on_mesh;
      options.min_separation = i % 3 < 2 ? unit : 0;
      options.separation_fraction = i % 3 == 2 ? 0.375 : 0;
      options.t_max = i % 2 ? 1 : 0.75;
      check_mesh(&scene.mesh, &options, i % 2 ? 1 : 3);
    }
    test_scene_free(&scene);
  }
}

/* Enough pairs for visits on several threads, and for progress. */
static void callers_functions_on_every_thread(void **unused) {
  (void)unused;
  test_scene scene = {0};
  const double at[3] = {0x1p-1074, 0, 0};
  for (int i = 0; i < (TEST_SANITIZED ? 3000 : 12000); i++)
    test_add_vertex(&scene, at, at);
  toi_context *context = test_context(3);
  for (unsigned state = 0; state < TEST_FLOAT_STATES; state += 9) {
    witness visits = {.caller = pthread_self()}, reports = {.caller = pthread_self()};
    toi_mesh_options on_mesh = toi_default_mesh_options();
    toi_options options = toi_default_options();
    on_mesh.broad = "brute";
    on_mesh.progress = listen;
    on_mesh.progress_user = &reports;
    options.on_mesh = &on_mesh;
    const uint64_t before = test_float_enter(state);
    visits.control = reports.control = test_float_control(before);
    const toi_status status = toi_candidates(context, &scene.mesh, &options, look, &visits);
    const uint64_t after = test_float_leave();
    assert_int_equal(status, TOI_OK);
    assert_true(after == before);
    assert_int_equal(visits.wrong + reports.wrong, 0);
    assert_int_equal(reports.elsewhere, 0);
    printf("state %u: %u visits, %u on other threads, %u reports\n", state, visits.calls, visits.elsewhere,
           reports.calls);
  }
  toi_context_destroy(context);
  test_scene_free(&scene);
}

static void edges_and_checks_in_every_state(void **unused) {
  (void)unused;
  uint64_t random = test_seed(0x51ee9302);
  test_scene scene = make_lattice(0x1p-1074, &random);
  toi_context *context = test_context(2);
  for (unsigned state = 0; state < TEST_FLOAT_STATES; state++) {
    uint32_t(*edges)[2] = NULL;
    size_t count = 0;
    const uint64_t before = test_float_enter(state);
    toi_status status = toi_mesh_check(context, &scene.mesh);
    if (status == TOI_OK)
      status = toi_mesh_edges(context, scene.mesh.faces, scene.mesh.face_count, scene.mesh.edges, scene.mesh.edge_count,
                              &edges, &count);
    toi_mesh_edges_free(context, edges, count);
    const uint64_t after = test_float_leave();
    assert_int_equal(status, TOI_OK);
    assert_int_equal(count, scene.mesh.edge_count);
    assert_true(after == before);
  }
  toi_context_destroy(context);
  test_scene_free(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(candidates_in_every_state),
      cmocka_unit_test(callers_functions_on_every_thread),
      cmocka_unit_test(edges_and_checks_in_every_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
