/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Calls that cannot succeed, or are not meant to: bad meshes and options, visitors that stop, callers that cancel,
 * budgets too small, allocations refused in turn. Each says why, and the next call on the context is right again. */

#include <stdatomic.h>

#include "broad/pairs.h"

static const test_soup mixture = {
    .points = 60, .segments = 60, .triangles = 300, .extent = 1, .size = 0.5, .octaves = 3};

static test_scene make_mixture(void) {
  uint64_t state = 0x51ee9201;
  return test_scene_soup(&mixture, &state);
}

/* A visitor that counts pairs, and returns a status of its own after some calls. */
typedef struct stopper {
  size_t calls, pairs;
  size_t stop_at; /* the call that stops; 0: none */
  atomic_int inside;
  bool overlapped; /* two calls at once */
} stopper;

static toi_status count_and_stop(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  stopper *const s = user;
  (void)kind;
  if (atomic_fetch_add(&s->inside, 1) != 0)
    s->overlapped = true;
  for (size_t i = 0; i < count; i++)
    s->pairs += pairs[i].first <= UINT32_MAX;
  const bool stop = ++s->calls == s->stop_at;
  atomic_fetch_sub(&s->inside, 1);
  return stop ? TOI_ERROR_FILE : TOI_OK;
}

static void visitors_stop_and_are_called_one_at_a_time(void **unused) {
  (void)unused;
  test_scene scene = make_mixture();
  for (uint32_t threads = 1; threads <= 5; threads += 2) {
    toi_context *const context = test_context(threads);
    for (size_t number = 0; toi_broad_name(number); number++) {
      toi_options options = toi_default_options();
      toi_mesh_options on_mesh = toi_default_mesh_options();
      options.on_mesh = &on_mesh;
      on_mesh.broad = toi_broad_name(number);
      stopper all = {0};
      assert_int_equal(toi_candidates(context, &scene.mesh, &options, count_and_stop, &all), TOI_OK);
      assert_true(all.calls >= 4 && all.pairs > 10000 && !all.overlapped);
      for (size_t stop_at = 1; stop_at <= 3; stop_at++) {
        stopper some = {.stop_at = stop_at};
        assert_int_equal(toi_candidates(context, &scene.mesh, &options, count_and_stop, &some), TOI_ERROR_FILE);
        assert_int_equal(some.calls, stop_at);
      }
      // What was left in buffers by the call that stopped does not reach the next one.
      stopper again = {0};
      assert_int_equal(toi_candidates(context, &scene.mesh, &options, count_and_stop, &again), TOI_OK);
      assert_int_equal(again.pairs, all.pairs);
    }
    toi_context_destroy(context);
  }
  test_scene_free(&scene);
}

static void the_work_done_is_counted(void **unused) {
  (void)unused;
  test_scene scene = make_mixture();
  toi_context *const context = test_context(2);
  for (size_t number = 0; toi_broad_name(number); number++) {
    toi_work work;
    memset(&work, 0xff, sizeof(work));
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    on_mesh.broad = toi_broad_name(number);
    on_mesh.work = &work;
    test_pairs found = test_candidates(context, &scene.mesh, &options);
    for (int kind = 0; kind < TOI_KIND_COUNT; kind++) {
      assert_int_equal(work.candidates[kind], found.count[kind]);
      assert_true(found.count[kind] > 0);
    }
    assert_true(work.passes >= 1 && work.broad_ns > 0);
    test_pairs_free(&found);
  }
  toi_context_destroy(context);
  test_scene_free(&scene);
}

/* --- progress --- */

typedef struct listener {
  double last;
  size_t calls;
  bool backwards, stop;
} listener;

static bool listen(void *user, double done) {
  listener *const l = user;
  l->backwards = l->backwards || !(done >= l->last) || done > 1;
  l->last = done;
  l->calls++;
  return !l->stop;
}

static toi_status ignore(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  (void)user;
  (void)kind;
  (void)pairs;
  (void)count;
  return TOI_OK;
}

/* Loose points whose boxes all overlap: with thousands of them a progress callback is asked. */
static test_scene make_long(int count) {
  test_scene scene = {0};
  const double p[2][3] = {{0, 0, 0}, {1, 1, 1}};
  for (int i = 0; i < count; i++)
    test_add_vertex(&scene, p[0], p[1]);
  return scene;
}

static void callers_cancel(void **unused) {
  (void)unused;
  test_scene scene = make_long(30000);
  for (uint32_t threads = 1; threads <= 2; threads++) {
    toi_context *const context = test_context(threads);
    for (size_t number = 0; toi_broad_name(number); number++) {
      listener l = {.stop = true};
      toi_options options = toi_default_options();
      toi_mesh_options on_mesh = toi_default_mesh_options();
      options.on_mesh = &on_mesh;
      on_mesh.broad = toi_broad_name(number);
      on_mesh.progress = listen;
      on_mesh.progress_user = &l;
      assert_int_equal(toi_candidates(context, &scene.mesh, &options, ignore, NULL), TOI_ERROR_CANCELLED);
      assert_int_equal(l.calls, 1);
      assert_true(strlen(toi_context_error(context)) > 0);
    }
    toi_context_destroy(context);
  }
  test_scene_free(&scene);
}

static void progress_runs_forward(void **unused) {
  (void)unused;
  test_scene scene = make_long(TEST_SANITIZED ? 1500 : 7000);
  toi_context *const context = test_context(2);
  for (size_t number = 0; toi_broad_name(number); number++) {
    listener l = {0};
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    on_mesh.broad = toi_broad_name(number);
    on_mesh.progress = listen;
    on_mesh.progress_user = &l;
    assert_int_equal(toi_candidates(context, &scene.mesh, &options, ignore, NULL), TOI_OK);
    assert_true(!l.backwards);
  }
  toi_context_destroy(context);
  test_scene_free(&scene);
}

/* --- memory --- */

static void each_allocation_refused_in_turn(void **unused) {
  (void)unused;
  test_scene scene = make_mixture();
  for (size_t number = 0; toi_broad_name(number); number++) {
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    on_mesh.broad = toi_broad_name(number);
    size_t refusals = 0;
    for (size_t refuse = 1;; refuse++) {
      test_allocator allocator = {0};
      const toi_context_options context_options = test_context_options(&allocator, 2);
      toi_context *context;
      assert_int_equal(toi_context_create(&context_options, &context), TOI_OK);
      // A single refusal is made up for with what other runs left; so all later ones are refused as well.
      allocator.refuse_at = allocator.calls + refuse;
      allocator.refuse_after = true;
      stopper count = {0}, again = {0};
      const toi_status status = toi_candidates(context, &scene.mesh, &options, count_and_stop, &count);
      const bool reached = allocator.calls >= allocator.refuse_at;
      if (reached) {
        refusals++;
        assert_int_equal(status, TOI_ERROR_MEMORY);
        assert_true(strlen(toi_context_error(context)) > 0);
      } else
        assert_int_equal(status, TOI_OK);
      allocator.refuse_at = 0;
      allocator.refuse_after = false;
      // The context is whole: the same call succeeds now, twice.
      for (int round = 0; round < 2; round++) {
        again.pairs = 0;
        assert_int_equal(toi_candidates(context, &scene.mesh, &options, count_and_stop, &again), TOI_OK);
        assert_true(again.pairs > 10000 && (reached || again.pairs == count.pairs));
      }
      toi_context_destroy(context);
      assert_int_equal(allocator.blocks, 0);
      assert_int_equal(allocator.wrong_sizes, 0);
      if (!reached)
        break;
    }
    assert_true(refusals >= 3);
  }
  test_scene_free(&scene);
}

/* Without edges of its own, so that finding them is part of it. */
static void small_budgets_fail_or_give_the_same_answer(void **unused) {
  (void)unused;
  test_scene scene = make_mixture();
  test_scene bare = scene;
  bare.mesh.edges = NULL;
  bare.mesh.edge_count = 0;
  for (int k = 0; k < 2; k++) {
    const toi_mesh *const mesh = k ? &bare.mesh : &scene.mesh;
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    toi_context *const whole = test_context(1);
    test_pairs expected = test_candidates(whole, mesh, &options);
    toi_context_destroy(whole);
    for (size_t number = 0; toi_broad_name(number); number++) {
      on_mesh.broad = toi_broad_name(number);
      size_t failed = 0, succeeded = 0;
      for (uint64_t budget = 16384; budget <= 4 << 20; budget += budget / (TEST_SANITIZED ? 1 : 4)) {
        toi_context_options context_options = toi_default_context_options();
        context_options.threads = 2;
        context_options.memory_budget = budget;
        toi_context *context;
        if (toi_context_create(&context_options, &context) != TOI_OK)
          continue;
        test_pairs found = {0};
        const toi_status status = toi_candidates(context, mesh, &options, test_collect, &found);
        if (status == TOI_OK) {
          succeeded++;
          test_pairs_sort(&found);
          test_pairs_equal(&found, &expected, on_mesh.broad);
        } else {
          failed++;
          assert_int_equal(status, TOI_ERROR_MEMORY);
          assert_non_null(strstr(toi_context_error(context), "budget"));
        }
        assert_true(toi_context_bytes(context) <= budget);
        test_pairs_free(&found);
        toi_context_destroy(context);
      }
      assert_true(failed > 0 && succeeded > 0);
    }
    test_pairs_free(&expected);
  }
  test_scene_free(&scene);
}

/* A context that served one mesh serves others: larger, smaller, and none. */
static void one_context_for_many_meshes(void **unused) {
  (void)unused;
  uint64_t state = test_seed(0x51ee9202);
  toi_context *const context = test_context(2);
  for (int round = 0; round < 30; round++) {
    const test_soup soup = {.points = (size_t)(test_random(&state) % 50),
                            .segments = (size_t)(test_random(&state) % 50),
                            .triangles = (size_t)(test_random(&state) % 100),
                            .extent = 1,
                            .size = 0.2,
                            .octaves = 3};
    test_scene scene = test_scene_soup(&soup, &state);
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    options.on_mesh = &on_mesh;
    const test_question question = {.mesh = &scene.mesh, .options = &options, .t_max = 1};
    test_pairs expected = test_oracle(&question);
    on_mesh.broad = toi_broad_name((size_t)(test_random(&state) % 4));
    test_pairs found = test_candidates(context, &scene.mesh, &options);
    test_pairs_equal(&found, &expected, on_mesh.broad);
    test_pairs_free(&found);
    test_pairs_free(&expected);
    test_scene_free(&scene);
  }
  toi_context_destroy(context);
}

/* --- bad input --- */

static void expect(const toi_mesh *mesh, const toi_options *options, toi_status expected, const char *word) {
  toi_context *const context = test_context(1);
  for (size_t number = 0; toi_broad_name(number); number++) {
    toi_options own = *options;
    toi_mesh_options on_mesh = test_mesh_options(options);
    own.on_mesh = &on_mesh;
    if (!on_mesh.broad)
      on_mesh.broad = toi_broad_name(number);
    stopper count = {0};
    assert_int_equal(toi_candidates(context, mesh, &own, count_and_stop, &count), expected);
    if (expected == TOI_OK)
      continue;
    assert_int_equal(count.calls, 0);
    if (!strstr(toi_context_error(context), word))
      fail_msg("\"%s\" does not say %s", toi_context_error(context), word);
  }
  toi_context_destroy(context);
}

static void coordinates_that_are_not_finite(void **unused) {
  (void)unused;
  const toi_options options = toi_default_options();
  const double bad[] = {NAN, INFINITY, -INFINITY};
  test_scene scene = make_mixture();
  for (int k = 0; k < 3; k++) {
    const double kept = scene.start[77][1];
    scene.start[77][1] = bad[k];
    expect(&scene.mesh, &options, TOI_ERROR_INPUT, "vertex 77");
    scene.start[77][1] = kept;
    scene.end[5][2] = bad[k];
    expect(&scene.mesh, &options, TOI_ERROR_INPUT, "vertex 5");
    scene.end[5][2] = 0;
  }
  test_scene_free(&scene);
}

static void indices_out_of_range(void **unused) {
  (void)unused;
  const toi_options options = toi_default_options();
  test_scene scene = make_mixture();
  const uint32_t count = (uint32_t)scene.mesh.vertex_count, kept[] = {scene.edges[9][1], scene.faces[4][2]};
  scene.edges[9][1] = count;
  expect(&scene.mesh, &options, TOI_ERROR_INPUT, "edge 9");
  scene.edges[9][1] = kept[0];
  scene.faces[4][2] = UINT32_MAX;
  expect(&scene.mesh, &options, TOI_ERROR_INPUT, "face 4");
  scene.faces[4][2] = kept[1];
  expect(&scene.mesh, &options, TOI_OK, "");
  test_scene_free(&scene);
}

static void meshes_with_little_in_them(void **unused) {
  (void)unused;
  const toi_options options = toi_default_options();
  const toi_mesh nothing = {0};
  const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const uint32_t face[1][3] = {{0, 1, 2}};
  const toi_mesh one_point = {.start = points, .end = points, .vertex_count = 1};
  const toi_mesh one_face = {.start = points, .end = points, .vertex_count = 3, .faces = face, .face_count = 1};
  const uint32_t flat[2][3] = {{0, 0, 0}, {1, 2, 1}};
  const toi_mesh degenerate = {.start = points, .end = points, .vertex_count = 3, .faces = flat, .face_count = 2};
  const toi_mesh *const meshes[] = {&nothing, &one_point, &one_face, &degenerate};
  toi_context *const context = test_context(2);
  for (int k = 0; k < 4; k++)
    for (size_t number = 0; toi_broad_name(number); number++) {
      toi_options own = options;
      toi_mesh_options on_mesh = toi_default_mesh_options();
      on_mesh.broad = toi_broad_name(number);
      own.on_mesh = &on_mesh;
      test_pairs found = test_candidates(context, meshes[k], &own);
      // Vertex 0 lies in the box of the degenerate face between the two others.
      assert_int_equal(found.count[TOI_VERTEX_FACE], meshes[k] == &degenerate);
      assert_int_equal(found.count[1] + found.count[2] + found.count[3], 0);
      test_pairs_free(&found);
    }
  toi_context_destroy(context);
}

static void arrays_and_options_that_are_missing_or_wrong(void **unused) {
  (void)unused;
  test_scene scene = make_mixture();
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  toi_mesh mesh = scene.mesh;
  mesh.start = NULL;
  expect(&mesh, &options, TOI_ERROR_INPUT, "NULL");
  mesh = scene.mesh;
  mesh.faces = NULL;
  expect(&mesh, &options, TOI_ERROR_INPUT, "NULL");
  mesh = scene.mesh;
  mesh.face_count = (size_t)1 << 33;
  expect(&mesh, &options, TOI_ERROR_INPUT, "2^32");
  expect(NULL, &options, TOI_ERROR_INPUT, "NULL");
  on_mesh.broad = "octree";
  expect(&scene.mesh, &options, TOI_ERROR_UNSUPPORTED, "octree");
  options = toi_default_options();
  options.t_max = 2;
  expect(&scene.mesh, &options, TOI_ERROR_OPTION, "t_max");
  options = toi_default_options();
  options.separation_fraction = 1;
  expect(&scene.mesh, &options, TOI_ERROR_OPTION, "separation_fraction");

  double *const thickness = calloc(scene.mesh.vertex_count, sizeof(double));
  assert_non_null(thickness);
  mesh = scene.mesh;
  mesh.thickness = thickness;
  options = toi_default_options();
  thickness[3] = -1;
  expect(&mesh, &options, TOI_ERROR_INPUT, "vertex 3");
  thickness[3] = NAN;
  expect(&mesh, &options, TOI_ERROR_INPUT, "vertex 3");
  free(thickness);

  toi_context *const context = test_context(1);
  assert_int_equal(toi_candidates(context, &scene.mesh, &options, NULL, NULL), TOI_ERROR_INPUT);
  assert_int_equal(toi_candidates(NULL, &scene.mesh, &options, ignore, NULL), TOI_ERROR_INPUT);
  toi_context_destroy(context);
  test_scene_free(&scene);
}

static void broad_phases_by_name(void **unused) {
  (void)unused;
  const char *const names[] = {"auto", "bvh", "sweep", "brute"};
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(toi_broad_name(i), names[i]);
    assert_non_null(toi_broad_promise(names[i]));
  }
  assert_null(toi_broad_name(4));
  assert_null(toi_broad_promise("octree"));
  assert_null(toi_broad_promise(NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(visitors_stop_and_are_called_one_at_a_time),
      cmocka_unit_test(the_work_done_is_counted),
      cmocka_unit_test(callers_cancel),
      cmocka_unit_test(progress_runs_forward),
      cmocka_unit_test(each_allocation_refused_in_turn),
      cmocka_unit_test(small_budgets_fail_or_give_the_same_answer),
      cmocka_unit_test(one_context_for_many_meshes),
      cmocka_unit_test(coordinates_that_are_not_finite),
      cmocka_unit_test(indices_out_of_range),
      cmocka_unit_test(meshes_with_little_in_them),
      cmocka_unit_test(arrays_and_options_that_are_missing_or_wrong),
      cmocka_unit_test(broad_phases_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
