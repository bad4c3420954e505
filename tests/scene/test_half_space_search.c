/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Line searches above half-spaces, scenes that are kept, rules, faults and memory. Safety is checked for every vertex
 * with every half-space by the single call, whose own test compares it with rational arithmetic. */

#include "scene/half_space_worlds.h"

/* --- line searches, and scenes that are kept --- */

typedef struct answers {
  toi_advance advance;
  double placed[MADE_VERTICES][3], displacements[MADE_VERTICES];
  toi_impact impact;
  records close, stencils;
} answers;

static toi_options search_options(uint64_t *random) {
  toi_options options = choose_options(random);
  options.norm = TOI_NORM_L2;
  return options;
}

static void ask_all(toi_context *context, const world *w, toi_scene *scene, const toi_options *options, answers *a) {
  const toi_positions at = {.start = w->mesh.start, .end = w->mesh.end, .vertex_count = w->mesh.vertex_count};
  const double distance = 0.3;
  a->close.count = a->stencils.count = 0;
  if (scene) {
    must(context, toi_scene_proximity(context, scene, &at, distance, options, add_close, &a->close));
    must(context, toi_scene_stencils(context, scene, &at, distance, options, NULL, add_stencils, &a->stencils));
    must(context, toi_scene_safe_displacements(context, scene, &at, 0.01, 0.1, options, a->displacements));
    must(context, toi_scene_step(context, scene, &at, options, &a->impact));
    must(context, toi_scene_line_search(context, scene, &at, options, a->placed, &a->advance));
    return;
  }
  must(context, toi_proximity(context, &w->mesh, distance, options, add_close, &a->close));
  must(context, toi_stencils(context, &w->mesh, distance, options, NULL, add_stencils, &a->stencils));
  must(context, toi_safe_displacements(context, &w->mesh, 0.01, 0.1, options, a->displacements));
  must(context, toi_step(context, &w->mesh, options, &a->impact));
  must(context, toi_line_search(context, &w->mesh, options, a->placed, &a->advance));
}

static void assert_same(const answers *a, const answers *b, size_t vertices) {
  assert_int_equal(a->close.count, b->close.count);
  assert_int_equal(a->stencils.count, b->stencils.count);
  assert_begins_with(&a->close, &b->close);
  assert_begins_with(&a->stencils, &b->stencils);
  assert_memory_equal(&a->impact, &b->impact, sizeof a->impact);
  assert_memory_equal(&a->advance, &b->advance, sizeof a->advance);
  assert_memory_equal(a->placed, b->placed, vertices * sizeof a->placed[0]);
  assert_memory_equal(a->displacements, b->displacements, vertices * sizeof a->displacements[0]);
}

/* On the way to the positions every vertex keeps its distance of every plane; the step is long enough. */
static void check_safe(const world *w, const toi_options *options, const answers *a) {
  toi_options own = *options;
  own.separation_fraction = a->advance.fraction;
  for (uint32_t v = 0; v < w->mesh.vertex_count && a->advance.step > 0; v++)
    for (uint32_t h = 0; h < w->plane_count; h++) {
      toi_hit hit;
      assert_int_equal(toi_vertex_half_space(w->made->start[v], a->placed[v], &w->planes[h], &own, &hit), TOI_OK);
      assert_int_equal(hit.verdict, TOI_MISS);
    }
  const toi_hit *first = &a->impact.hit;
  assert_true(first->verdict == TOI_MISS ? a->advance.step == 1 : a->advance.step >= 0.99 * first->t_lo);
  assert_true((a->advance.step == 0) == (first->touching_at_start != 0));
}

/* From these positions all fall alike, but for a little. */
static void fall(world *w, uint64_t *random, const double (*from)[3], double way) {
  for (size_t v = 0; v < w->mesh.vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      w->made->start[v][k] = from[v][k];
      w->made->end[v][k] = from[v][k] + way * (0.02 * pick_unit(random) - (k == 2));
    }
}

static void line_searches_are_safe_and_kept_scenes_the_same(void **state) {
  (void)state;
  uint64_t random = test_seed(85);
  toi_context *one = test_context(1), *two = test_context(2);
  answers *fresh = calloc(2, sizeof *fresh), *kept = fresh + 1;
  size_t limited = 0;
  assert_non_null(fresh);
  for (int i = 0; i < 2; i++) {
    fresh[i].close = records_make(sizeof(toi_proximal));
    fresh[i].stencils = records_make(sizeof(toi_stencil));
  }
  for (uint64_t i = 0; i < test_count_from(12, 3); i++) {
    world w;
    toi_scene *scene;
    world_make(&w, &random, false, 2.5, 0.05);
    const toi_topology topology = {.vertex_count = w.mesh.vertex_count,
                                   .faces = w.mesh.faces,
                                   .face_count = w.mesh.face_count,
                                   .half_spaces = w.planes,
                                   .half_space_count = w.plane_count};
    must(two, toi_scene_create(two, &topology, &scene));
    fall(&w, &random, (const double(*)[3])w.made->start, 1);
    for (int round = 0; round < 8; round++) {
      const toi_options options = search_options(&random);
      ask_all(one, &w, NULL, &options, fresh);
      ask_all(two, &w, scene, &options, kept);
      assert_same(fresh, kept, w.mesh.vertex_count);
      check_safe(&w, &options, fresh);
      limited += fresh->advance.first.kind == TOI_VERTEX_HALF_SPACE;
      fall(&w, &random, (const double(*)[3])fresh->placed, round % 3 == 2 ? 1 : 0x1p-8);
    }
    toi_scene_destroy(scene);
    free(w.made);
  }
  assert_true(limited > 0);
  for (int i = 0; i < 2; i++) {
    free(fresh[i].close.bytes);
    free(fresh[i].stencils.bytes);
  }
  free(fresh);
  toi_context_destroy(one);
  toi_context_destroy(two);
}

/* A vertex a few units of the last place above a slope cannot go far, but stays above. */
static void a_vertex_just_above_a_slope_is_rounded_away(void **state) {
  (void)state;
  uint64_t random = test_seed(86);
  toi_context *context = test_context(1);
  for (uint64_t i = 0; i < test_count(300); i++) {
    double start[1][3], end[1][3], placed[1][3], h = 0;
    toi_half_space plane = {{pick_unit(&random), pick_unit(&random), 1}, 0};
    for (int k = 0; k < 3; k++) {
      start[0][k] = pick_unit(&random);
      end[0][k] = start[0][k] + (k == 2 ? -0.5 : 0.5 * pick_unit(&random));
      h += start[0][k] * plane.normal[k];
    }
    plane.offset = h - 0x1p-50 * (double)(1 + test_random(&random) % 8);
    toi_mesh mesh = {.start = start, .end = end, .vertex_count = 1, .half_spaces = &plane, .half_space_count = 1};
    toi_options options = toi_default_options();
    toi_advance advance;
    toi_hit hit;
    options.separation_fraction = 0.5;
    must(context, toi_line_search(context, &mesh, &options, placed, &advance));
    assert_true(advance.step > 0);
    options.separation_fraction = advance.fraction;
    assert_int_equal(toi_vertex_half_space(start[0], placed[0], &plane, &options, &hit), TOI_OK);
    assert_int_equal(hit.verdict, TOI_MISS);
  }
  toi_context_destroy(context);
}

/* --- rules, faults, memory --- */

static bool only_even(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  (void)second;
  return kind == TOI_VERTEX_HALF_SPACE && first % 2 == 0;
}

typedef struct counted {
  size_t of_kind[TOI_COUNTERS];
  bool even;
} counted;

static toi_status count_pairs(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  counted *c = user;
  c->of_kind[kind] += count;
  for (size_t i = 0; i < count && kind == TOI_VERTEX_HALF_SPACE; i++)
    c->even = c->even && pairs[i].first % 2 == 0;
  return TOI_OK;
}

static void rules_choose_the_pairs(void **state) {
  (void)state;
  uint64_t random = test_seed(87);
  toi_context *context = test_context(2);
  world w;
  world_make(&w, &random, false, 0, 0.5);
  toi_work work;
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_options options = toi_default_options();
  options.on_mesh = &on_mesh;
  on_mesh.work = &work;
  counted every = {.even = true}, even = {.even = true}, none = {.even = true}, bare = {.even = true};
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &every));
  assert_true(every.of_kind[TOI_VERTEX_HALF_SPACE] > 1 && every.of_kind[TOI_VERTEX_FACE] > 0 && !every.even);
  assert_int_equal(work.candidates[TOI_VERTEX_HALF_SPACE], every.of_kind[TOI_VERTEX_HALF_SPACE]);
  on_mesh.may_collide = only_even;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &even));
  assert_true(even.even && even.of_kind[TOI_VERTEX_HALF_SPACE] > 0 && even.of_kind[TOI_VERTEX_FACE] == 0);
  on_mesh.may_collide = NULL;
  on_mesh.kinds = TOI_KINDS_VERTEX_FACE;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &none));
  assert_true(none.of_kind[TOI_VERTEX_HALF_SPACE] == 0 && none.of_kind[TOI_VERTEX_FACE] > 0);
  on_mesh.kinds = TOI_KINDS_VERTEX_HALF_SPACE;
  must(context, toi_candidates(context, &w.mesh, &options, count_pairs, &bare));
  assert_int_equal(bare.of_kind[TOI_VERTEX_HALF_SPACE], every.of_kind[TOI_VERTEX_HALF_SPACE]);
  assert_int_equal(bare.of_kind[TOI_VERTEX_FACE], 0);
  free(w.made);
  toi_context_destroy(context);
}

static void half_spaces_that_are_none_are_refused(void **state) {
  (void)state;
  const double x[1][3] = {{0, 0, 1}};
  const toi_half_space bad[3] = {{{0, 0, 0}, 1}, {{0, NAN, 1}, 0}, {{0, 1, 0}, INFINITY}};
  toi_context *context = test_context(1);
  const toi_options options = toi_default_options();
  toi_impact impact;
  toi_scene *scene;
  for (int i = 0; i < 4; i++) {
    const toi_half_space *given = i < 3 ? &bad[i] : NULL;
    const toi_mesh mesh = {.start = x, .end = x, .vertex_count = 1, .half_spaces = given, .half_space_count = 1};
    const toi_topology topology = {.vertex_count = 1, .half_spaces = given, .half_space_count = 1};
    assert_int_equal(toi_step(context, &mesh, &options, &impact), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "half"));
    assert_int_equal(impact.hit.verdict, TOI_NEAR);
    assert_int_equal(toi_scene_create(context, &topology, &scene), TOI_ERROR_INPUT);
    assert_non_null(strstr(toi_context_error(context), "half"));
    assert_null(scene);
  }
  toi_context_destroy(context);
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  uint64_t random = test_seed(88);
  world w;
  world_make(&w, &random, false, 1, 0.5);
  const toi_options options = toi_default_options();
  records close = records_make(sizeof(toi_proximal));
  toi_status status = TOI_ERROR_MEMORY;
  for (size_t at = 1; status != TOI_OK; at++) {
    test_allocator allocator = {.refuse_at = 0};
    toi_context *context = test_context_on(&allocator);
    toi_impact impact;
    toi_scene *scene = NULL;
    double displacements[MADE_VERTICES];
    close.count = 0;
    allocator.refuse_at = allocator.calls + at;
    const toi_topology topology = {
        .vertex_count = w.mesh.vertex_count, .half_spaces = w.planes, .half_space_count = w.plane_count};
    const toi_positions start = {.start = w.mesh.start, .vertex_count = w.mesh.vertex_count};
    status = toi_step(context, &w.mesh, &options, &impact);
    if (status == TOI_OK)
      status = toi_safe_displacements(context, &w.mesh, 0, 1, &options, displacements);
    if (status == TOI_OK)
      status = toi_scene_create(context, &topology, &scene);
    if (status == TOI_OK)
      status = toi_scene_proximity(context, scene, &start, 1, &options, add_close, &close);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    toi_scene_destroy(scene);
    toi_context_destroy(context);
    assert_true(allocator.blocks == 0 && allocator.wrong_sizes == 0);
    status = status == TOI_OK && allocator.calls >= allocator.refuse_at ? TOI_ERROR_MEMORY : status;
    assert_true(at < 10000);
  }
  assert_true(close.count > 0);
  free(close.bytes);
  free(w.made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line_searches_are_safe_and_kept_scenes_the_same),
      cmocka_unit_test(a_vertex_just_above_a_slope_is_rounded_away),
      cmocka_unit_test(rules_choose_the_pairs),
      cmocka_unit_test(half_spaces_that_are_none_are_refused),
      cmocka_unit_test(every_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
