/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Scenes that are kept between calls: whatever moved before, however positions and numbers are laid out, the answers
 * are those of the calls on a mesh, bit by bit. */

#include <stdio.h>

#include "scene/kept_scene.h"
#include "scene/meshes.h"

/* --- answers as bits --- */

typedef struct digest {
  uint64_t bits;
  size_t count;
} digest;

static void mix(digest *d, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    d->bits = (d->bits ^ at[i]) * 0x100000001b3u;
}

static toi_status add_close(void *user, const toi_proximal *pairs, size_t count) {
  digest *d = user;
  for (size_t i = 0; i < count; i++) {
    mix(d, &pairs[i].distance, sizeof pairs[i].distance);
    mix(d, &pairs[i].kind, sizeof pairs[i].kind);
    mix(d, &pairs[i].pair, sizeof pairs[i].pair);
  }
  d->count += count;
  return TOI_OK;
}

static toi_status add_collisions(void *user, const toi_collision *collisions, size_t count) {
  digest *d = user;
  for (size_t i = 0; i < count; i++) {
    mix(d, &collisions[i].hit, sizeof collisions[i].hit);
    mix(d, &collisions[i].pair, sizeof collisions[i].pair);
  }
  d->count += count;
  return TOI_OK;
}

static toi_status add_crossings(void *user, const toi_crossing *crossings, size_t count) {
  digest *d = user;
  for (size_t i = 0; i < count; i++)
    mix(d, &crossings[i].pair, sizeof crossings[i].pair);
  d->count += count;
  return TOI_OK;
}

/* Pairs in no particular order. */
static toi_status add_candidates(void *user, toi_kind kind, const toi_pair *pairs, size_t count) {
  digest *d = user;
  for (size_t i = 0; i < count; i++)
    d->bits += ((uint64_t)kind + 1) * 0x9e3779b97f4a7c15u ^
               ((uint64_t)pairs[i].first << 32 | pairs[i].second) * 0xbf58476d1ce4e5b9u;
  d->count += count;
  return TOI_OK;
}

/* What all calls answer. */
typedef struct answers {
  digest close, collisions, crossings, candidates;
  toi_impact impact;
  toi_advance advance;
  toi_intersection intersection;
  double placed[MADE_VERTICES][3];
} answers;

static void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static void ask_mesh(toi_context *context, const toi_mesh *mesh, double distance, double fraction, answers *out) {
  toi_options options = toi_default_options(), plain = options;
  options.separation_fraction = fraction;
  memset(out, 0, sizeof *out);
  must(context, toi_proximity(context, mesh, distance, &plain, add_close, &out->close));
  must(context, toi_line_search(context, mesh, &options, out->placed, &out->advance));
  must(context, toi_step(context, mesh, &plain, &out->impact));
  must(context, toi_collisions(context, mesh, &plain, add_collisions, &out->collisions));
  must(context, toi_candidates(context, mesh, &plain, add_candidates, &out->candidates));
  must(context, toi_mesh_intersects(context, mesh, &plain, &out->intersection));
  must(context, toi_mesh_crossings(context, mesh, &plain, add_crossings, &out->crossings));
}

static void ask_scene(toi_context *context, toi_scene *scene, const toi_positions *at, double distance, double fraction,
                      answers *out) {
  toi_options options = toi_default_options(), plain = options;
  options.separation_fraction = fraction;
  memset(out, 0, sizeof *out);
  must(context, toi_scene_proximity(context, scene, at, distance, &plain, add_close, &out->close));
  must(context, toi_scene_line_search(context, scene, at, &options, out->placed, &out->advance));
  must(context, toi_scene_step(context, scene, at, &plain, &out->impact));
  must(context, toi_scene_collisions(context, scene, at, &plain, add_collisions, &out->collisions));
  must(context, toi_scene_candidates(context, scene, at, &plain, add_candidates, &out->candidates));
  must(context, toi_scene_intersects(context, scene, at, &plain, &out->intersection));
  must(context, toi_scene_crossings(context, scene, at, &plain, add_crossings, &out->crossings));
}

static void check_same(const answers *a, const answers *b, size_t round) {
  if (memcmp(&a->close, &b->close, sizeof a->close) != 0)
    fail_msg("round %zu: %zu and %zu close pairs, or others", round, a->close.count, b->close.count);
  if (memcmp(&a->advance, &b->advance, sizeof a->advance) != 0 || memcmp(a->placed, b->placed, sizeof a->placed) != 0)
    fail_msg("round %zu: steps of %a and %a, %u and %u tries", round, a->advance.step, b->advance.step,
             a->advance.tries, b->advance.tries);
  assert_memory_equal(&a->impact, &b->impact, sizeof a->impact);
  assert_memory_equal(&a->collisions, &b->collisions, sizeof a->collisions);
  assert_memory_equal(&a->candidates, &b->candidates, sizeof a->candidates);
  assert_memory_equal(&a->intersection, &b->intersection, sizeof a->intersection);
  assert_memory_equal(&a->crossings, &b->crossings, sizeof a->crossings);
}

/* --- a scene in motion --- */

/* Two sheets above a ball, some loose edges and points, at a distance of a few hundredths. */
static void make_scene(made_mesh *m, uint64_t *state) {
  made_ball(m, 3, 0.4, (const double[3]){0, 0, -0.45});
  made_grid(m, 5, 0.2, (const double[3]){0, 0, 0});
  made_grid(m, 4, 0.23, (const double[3]){0.03, 0.01, 0.04});
  for (int i = 0; i < 3; i++) {
    uint32_t a = made_vertex(m, test_random_unit(state) - 0.5, test_random_unit(state) - 0.5, 0.1 + 0.03 * i);
    made_edge(m, a, made_vertex(m, test_random_unit(state) - 0.5, test_random_unit(state) - 0.5, 0.1 + 0.03 * i));
    made_vertex(m, test_random_unit(state) - 0.5, test_random_unit(state) - 0.5, 0.11 + 0.03 * i);
  }
  for (size_t i = 0; i < m->vertex_count; i++) {
    m->bodies[i] = i % 3 == 0 ? TOI_NO_BODY : (uint32_t)(i % 2);
    m->fixed[i] = i < 20;
    m->thickness[i] = 0.001 * (double)(i % 4);
  }
  made_finish(m);
}

/* Every vertex is pushed by up to `way`; those of the start become what they were pushed to before. */
static void move(made_mesh *m, double way, uint64_t *state) {
  for (size_t i = 0; i < m->vertex_count; i++)
    for (int k = 0; k < 3; k++)
      m->end[i][k] = m->start[i][k] + way * (2 * test_random_unit(state) - 1);
}

static toi_topology topology_of(const toi_mesh *mesh) {
  return (toi_topology){.vertex_count = mesh->vertex_count,
                        .edges = mesh->edges,
                        .edge_count = mesh->edge_count,
                        .faces = mesh->faces,
                        .face_count = mesh->face_count,
                        .bodies = mesh->bodies,
                        .fixed = mesh->fixed,
                        .thickness = mesh->thickness};
}

static toi_positions positions_of(const toi_mesh *mesh) {
  return (toi_positions){
      .start = mesh->start, .end = mesh->end, .scalar = mesh->scalar, .vertex_count = mesh->vertex_count};
}

static bool skips_some(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  return (first * 3 + second * 5 + (uint32_t)kind) % 4 != 0;
}

/* Mostly small motions, of a tenth of the distance and less; now and then far ones, and other distances. */
static void thousand_iterations_have_the_answers_of_fresh_calls(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1411);
  made_mesh *m = made_new();
  static answers fresh, kept;
  make_scene(m, &state);
  for (int variant = 0; variant < 3; variant++) {
    toi_context *context = test_context(variant == 1 ? 3 : 1);
    toi_mesh mesh = made_as(m, TOI_FLOAT64);
    mesh.bodies = variant == 1 ? m->bodies : NULL;
    mesh.fixed = variant == 1 ? m->fixed : NULL;
    mesh.thickness = variant == 2 ? m->thickness : NULL;
    toi_scene *scene;
    const toi_topology topology = topology_of(&mesh);
    must(context, toi_scene_create(context, &topology, &scene));
    size_t from_lists = 0;
    const size_t rounds = (size_t)test_count(340);
    for (size_t round = 0; round < rounds; round++) {
      const double distance = round % 97 == 96 ? 0.05 : 0.02;
      const double way = round % 50 == 49 ? 0.3 : 0.1 * distance * test_random_unit(&state);
      move(m, way, &state);
      const toi_positions at = positions_of(&mesh);
      ask_mesh(context, &mesh, distance, mesh.thickness ? 0 : 0.2, &fresh);
      ask_scene(context, scene, &at, distance, mesh.thickness ? 0 : 0.2, &kept);
      check_same(&fresh, &kept, round);
      from_lists += scene->near.listed;
      memcpy(m->start, fresh.placed, m->vertex_count * sizeof m->start[0]);
    }
    print_message("variant %d: %zu of %zu rounds with lists, %zu close pairs at last\n", variant, from_lists, rounds,
                  kept.close.count);
    assert_true(rounds < 20 || (from_lists > rounds / 3 && from_lists < rounds));
    toi_scene_destroy(scene);
    toi_context_destroy(context);
  }
  free(m);
}

/* A list that was made in one norm is no answer in the other, nor for other kinds; thickness counts in both. */
static void other_norms_and_kinds_are_asked_anew(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1418);
  made_mesh *m = made_new();
  make_scene(m, &state);
  toi_context *context = test_context(1);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  mesh.thickness = m->thickness;
  const toi_topology topology = topology_of(&mesh);
  toi_scene *scene;
  must(context, toi_scene_create(context, &topology, &scene));
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_options options = toi_default_options();
  options.on_mesh = &on_mesh;
  for (int round = 0; round < 40; round++) {
    static const uint32_t kinds[] = {0, TOI_KINDS_EDGE_EDGE, TOI_KINDS_EVERY_VERTEX_EDGE, 0};
    digest fresh = {0, 0}, kept = {0, 0};
    toi_advance a, b;
    static double placed[2][MADE_VERTICES][3];
    move(m, 0.02, &state);
    const toi_positions at = positions_of(&mesh);
    options.norm = round % 3 == 2 ? TOI_NORM_LINF : TOI_NORM_L2;
    options.min_separation = round % 5 == 1 ? 0.001 : 0;
    on_mesh.kinds = kinds[round % 4];
    must(context, toi_proximity(context, &mesh, 0.05, &options, add_close, &fresh));
    must(context, toi_scene_proximity(context, scene, &at, 0.05, &options, add_close, &kept));
    assert_memory_equal(&fresh, &kept, sizeof fresh);
    must(context, toi_line_search(context, &mesh, &options, placed[0], &a));
    must(context, toi_scene_line_search(context, scene, &at, &options, placed[1], &b));
    assert_memory_equal(&a, &b, sizeof a);
    assert_memory_equal(placed[0], placed[1], m->vertex_count * sizeof placed[0][0]);
  }
  toi_scene_destroy(scene);
  toi_context_destroy(context);
  free(m);
}

/* Two points on a diagonal: what is far in one norm is near in the other, with thickness and with a fraction. */
static void diagonal_pairs_are_found_in_the_maximum_norm(void **unused) {
  (void)unused;
  static const double start[2][2][3] = {{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 0.875, 0.875}}};
  static const double end[2][3] = {{0.0625, 0, 0}, {0.9375, 0.875, 0.875}}, thickness[2] = {0.5, 0.5};
  toi_context *context = test_context(1);
  toi_options options = toi_default_options(), linf = options;
  linf.norm = TOI_NORM_LINF;
  for (int thick = 0; thick < 2; thick++) {
    const toi_topology topology = {.vertex_count = 2, .thickness = thick ? thickness : NULL};
    const toi_positions at = {.start = start[!thick], .end = end, .vertex_count = 2};
    toi_scene *scene;
    digest d = {0, 0};
    toi_impact impact;
    must(context, toi_scene_create(context, &topology, &scene));
    const double distance = thick ? 0.01 : 1.05;
    for (int i = 0; i < 2; i++)
      must(context, toi_scene_proximity(context, scene, &at, distance, &options, add_close, &d));
    assert_int_equal(d.count, 0);
    assert_true(scene->near.listed);
    if (thick) {
      must(context, toi_scene_proximity(context, scene, &at, distance, &linf, add_close, &d));
      assert_int_equal(d.count, 1);
    } else {
      linf.separation_fraction = 0.875;
      must(context, toi_scene_step(context, scene, &at, &linf, &impact));
      assert_int_equal(impact.hit.verdict, TOI_HIT);
    }
    toi_scene_destroy(scene);
  }
  toi_context_destroy(context);
}

static void filter_of_the_caller_is_asked_anew(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1412);
  made_mesh *m = made_new();
  make_scene(m, &state);
  toi_context *context = test_context(2);
  const toi_mesh mesh = made_as(m, TOI_FLOAT64);
  const toi_topology topology = topology_of(&mesh);
  toi_scene *scene;
  must(context, toi_scene_create(context, &topology, &scene));
  toi_mesh_options on_mesh = toi_default_mesh_options();
  toi_options options = toi_default_options();
  options.on_mesh = &on_mesh;
  static const uint32_t kinds[] = {0, TOI_KINDS_EVERY_VERTEX_EDGE, TOI_KINDS_VERTEX_EDGE | TOI_KINDS_EDGE_EDGE};
  for (int round = 0; round < 12; round++) {
    digest fresh = {0, 0}, kept = {0, 0};
    const toi_positions at = positions_of(&mesh);
    on_mesh.may_collide = round % 2 ? skips_some : NULL;
    on_mesh.kinds = round < 6 ? 0 : kinds[round % 3];
    must(context, toi_proximity(context, &mesh, 0.05, &options, add_close, &fresh));
    must(context, toi_scene_proximity(context, scene, &at, 0.05, &options, add_close, &kept));
    assert_true(round < 1 || scene->near.listed);
    assert_memory_equal(&fresh, &kept, sizeof fresh);
  }
  toi_scene_destroy(scene);
  toi_context_destroy(context);
  free(m);
}

/* --- layouts --- */

/* Numbers of each type, by rows and by columns, and positions by columns in both scalars. */
static void matrices_by_columns_and_all_numbers_are_read(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1413);
  made_mesh *m = made_new();
  make_scene(m, &state);
  move(m, 0.01, &state);
  toi_context *context = test_context(1);
  static answers fresh, kept;
  static uint64_t wide[3 * MADE_FACES];
  static uint32_t narrow[3 * MADE_FACES];
  static double columns[2][3 * MADE_VERTICES], placed[3 * MADE_VERTICES];
  static float narrow_columns[2][3 * MADE_VERTICES];
  for (int index = 0; index < 4; index++)
    for (int scalar = 0; scalar < 2; scalar++) {
      toi_mesh mesh = made_as(m, (toi_scalar)scalar);
      const size_t faces = m->face_count, vertices = m->vertex_count;
      for (size_t i = 0; i < faces; i++)
        for (size_t j = 0; j < 3; j++)
          wide[j * faces + i] = narrow[j * faces + i] = m->faces[i][j];
      for (size_t i = 0; i < vertices; i++)
        for (size_t k = 0; k < 3; k++) {
          columns[0][k * vertices + i] = m->start[i][k];
          columns[1][k * vertices + i] = m->end[i][k];
          narrow_columns[0][k * vertices + i] = m->narrow_start[i][k];
          narrow_columns[1][k * vertices + i] = m->narrow_end[i][k];
        }
      const size_t size = index < 2 ? 4 : 8, scalar_size = scalar == TOI_FLOAT32 ? 4 : 8;
      const toi_topology topology = {.vertex_count = vertices,
                                     .index = (toi_index)index,
                                     .faces = index < 2 ? (void *)narrow : (void *)wide,
                                     .face_count = faces,
                                     .face_stride = size,
                                     .face_component_stride = faces * size};
      const toi_positions at = {.start = scalar == TOI_FLOAT32 ? (void *)narrow_columns[0] : (void *)columns[0],
                                .end = scalar == TOI_FLOAT32 ? (void *)narrow_columns[1] : (void *)columns[1],
                                .scalar = (toi_scalar)scalar,
                                .stride = scalar_size,
                                .component_stride = vertices * scalar_size,
                                .vertex_count = vertices};
      toi_scene *scene;
      must(context, toi_scene_create(context, &topology, &scene));
      mesh.edges = NULL;
      mesh.edge_count = 0;
      ask_mesh(context, &mesh, 0.05, 0.2, &fresh);
      const uint32_t(*edges)[2];
      const size_t edge_count = toi_scene_edges(scene, &edges);
      assert_true(edge_count > 0 && edges[0][0] < edges[0][1]);
      toi_options options = toi_default_options();
      options.separation_fraction = 0.2;
      memset(&kept, 0, sizeof kept);
      must(context, toi_scene_line_search(context, scene, &at, &options, placed, &kept.advance));
      assert_memory_equal(&kept.advance, &fresh.advance, sizeof kept.advance);
      for (size_t i = 0; i < vertices; i++)
        for (size_t k = 0; k < 3; k++) {
          const double own =
              scalar == TOI_FLOAT32 ? (double)((float *)(void *)placed)[k * vertices + i] : placed[k * vertices + i];
          const double other =
              scalar == TOI_FLOAT32 ? (double)((float *)(void *)fresh.placed)[3 * i + k] : fresh.placed[i][k];
          assert_true(own == other);
        }
      toi_scene_destroy(scene);
    }
  toi_context_destroy(context);
  free(m);
}

/* --- what is refused --- */

static void refused(toi_context *context, toi_status status, const char *word) {
  assert_int_equal(status, TOI_ERROR_INPUT);
  if (!strstr(toi_context_error(context), word))
    fail_msg("'%s' does not say '%s'", toi_context_error(context), word);
}

static void bad_topologies_are_refused_with_a_sentence(void **unused) {
  (void)unused;
  toi_context *context = test_context(1);
  toi_scene *scene;
  const int32_t negative[] = {0, 1, -3};
  const uint64_t huge[] = {0, 1, (uint64_t)1 << 32};
  const uint32_t edges[2][2] = {{0, 1}, {0, 1}};
  toi_topology t = {.vertex_count = 3, .index = TOI_INT32, .faces = negative, .face_count = 1};
  refused(context, toi_scene_create(context, &t, &scene), "vertex -3");
  assert_null(scene);
  t.index = TOI_UINT64;
  t.faces = huge;
  refused(context, toi_scene_create(context, &t, &scene), "vertex 4294967296");
  t.faces = NULL;
  refused(context, toi_scene_create(context, &t, &scene), "NULL");
  t.index = (toi_index)9;
  refused(context, toi_scene_create(context, &t, &scene), "toi_index");
  t = (toi_topology){.vertex_count = 3, .edges = edges, .edge_count = 2};
  refused(context, toi_scene_create(context, &t, &scene), "once");
  t.edge_count = 1;
  t.edge_stride = 2;
  refused(context, toi_scene_create(context, &t, &scene), "stride");
  refused(context, toi_scene_create(context, NULL, &scene), "");
  refused(context, toi_scene_create(context, &t, NULL), "scene is NULL");
  assert_int_equal(toi_scene_create(NULL, &t, &scene), TOI_ERROR_INPUT);
  toi_scene_destroy(NULL);
  toi_context_destroy(context);
}

static void bad_positions_leave_the_scene_as_it_was(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1414);
  made_mesh *m = made_new();
  make_scene(m, &state);
  move(m, 0.001, &state);
  toi_context *context = test_context(1), *other = test_context(1);
  const toi_mesh mesh = made_as(m, TOI_FLOAT64);
  const toi_topology topology = topology_of(&mesh);
  static answers fresh, kept;
  toi_scene *scene;
  must(context, toi_scene_create(context, &topology, &scene));
  const toi_positions good = positions_of(&mesh);
  ask_mesh(context, &mesh, 0.05, 0.2, &fresh);
  for (int round = 0; round < 4; round++) {
    ask_scene(context, scene, &good, 0.05, 0.2, &kept);
    check_same(&fresh, &kept, (size_t)round);
    toi_options options = toi_default_options();
    toi_impact impact;
    toi_advance advance;
    digest d = {0, 0};
    toi_positions bad = good;
    bad.vertex_count--;
    refused(context, toi_scene_step(context, scene, &bad, &options, &impact), "vertices");
    assert_int_equal(impact.hit.verdict, TOI_NEAR);
    refused(other, toi_scene_step(other, scene, &good, &options, &impact), "another context");
    refused(context, toi_scene_step(context, NULL, &good, &options, &impact), "scene is NULL");
    const double start = m->start[7][1], end = m->end[8][2];
    m->start[7][1] = NAN;
    refused(context, toi_scene_proximity(context, scene, &good, 0.05, &options, add_close, &d), "vertex 7");
    refused(context, toi_scene_line_search(context, scene, &good, &options, kept.placed, &advance), "vertex 7");
    m->start[7][1] = start;
    m->end[8][2] = INFINITY;
    refused(context, toi_scene_line_search(context, scene, &good, &options, kept.placed, &advance), "vertex 8");
    assert_true(advance.step == 0);
    m->end[8][2] = end;
  }
  toi_scene_destroy(scene);
  toi_context_destroy(other);
  toi_context_destroy(context);
  free(m);
}

/* --- calls from within calls --- */

typedef struct nested {
  toi_context *context;
  toi_scene *scene;
  const toi_mesh *mesh;
  size_t calls;
} nested;

static toi_status call_again(void *user, const toi_proximal *pairs, size_t count) {
  nested *n = user;
  toi_options options = toi_default_options();
  toi_impact impact;
  toi_hit hit;
  const toi_positions at = positions_of(n->mesh);
  const double query[24] = {0};
  (void)pairs;
  (void)count;
  n->calls++;
  assert_int_equal(toi_step(n->context, n->mesh, &options, &impact), TOI_ERROR_INPUT);
  assert_int_equal(toi_scene_step(n->context, n->scene, &at, &options, &impact), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(n->context), "under way"));
  assert_int_equal(toi_batch(n->context, TOI_VERTEX_FACE, query, 1, &options, &hit), TOI_ERROR_INPUT);
  assert_int_equal(hit.verdict, TOI_NEAR);
  return TOI_OK;
}

static bool filter_again(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  nested *n = user;
  toi_options options = toi_default_options();
  toi_impact impact;
  (void)kind;
  (void)first;
  (void)second;
  return toi_step(n->context, n->mesh, &options, &impact) == TOI_ERROR_INPUT;
}

static void calls_from_within_calls_are_refused(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1415);
  made_mesh *m = made_new();
  make_scene(m, &state);
  const toi_mesh mesh = made_as(m, TOI_FLOAT64);
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    toi_context *context = test_context(threads);
    const toi_topology topology = topology_of(&mesh);
    nested n = {.context = context, .mesh = &mesh};
    must(context, toi_scene_create(context, &topology, &n.scene));
    toi_mesh_options on_mesh = toi_default_mesh_options();
    toi_options options = toi_default_options();
    const toi_positions at = positions_of(&mesh);
    on_mesh.may_collide = filter_again;
    on_mesh.may_collide_user = &n;
    options.on_mesh = &on_mesh;
    must(context, toi_proximity(context, &mesh, 0.05, &options, call_again, &n));
    must(context, toi_scene_proximity(context, n.scene, &at, 0.05, &options, call_again, &n));
    assert_true(n.calls > 1);
    // And none is under way any more.
    toi_impact impact;
    must(context, toi_scene_step(context, n.scene, &at, &options, &impact));
    toi_scene_destroy(n.scene);
    toi_context_destroy(context);
  }
  free(m);
}

/* --- memory --- */

/* With a budget in which lists have no room, the answers are the same. */
static void lists_without_room_are_done_without(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1416);
  made_mesh *m = made_new();
  make_scene(m, &state);
  const toi_mesh mesh = made_as(m, TOI_FLOAT64);
  toi_context_options small = toi_default_context_options();
  small.threads = 2;
  small.memory_budget = 600000;
  toi_context *context, *roomy = test_context(1);
  assert_int_equal(toi_context_create(&small, &context), TOI_OK);
  const toi_topology topology = topology_of(&mesh);
  toi_scene *scene;
  must(context, toi_scene_create(context, &topology, &scene));
  scene->near.lists.most = 10;
  for (size_t round = 0; round < 5; round++) {
    static answers fresh, kept;
    move(m, 0.001, &state);
    const toi_positions at = positions_of(&mesh);
    ask_mesh(roomy, &mesh, 0.05, 0.2, &fresh);
    ask_scene(context, scene, &at, 0.05, 0.2, &kept);
    check_same(&fresh, &kept, round);
    assert_false(scene->near.listed);
  }
  assert_true(scene->near.least_refused < 1);
  // Once there is room, a list is tried again, after a while.
  scene->near.lists.most = 100000;
  for (size_t round = 0; round < 8 && !scene->near.listed; round++) {
    digest d = {0, 0};
    const toi_options options = toi_default_options();
    const toi_positions at = positions_of(&mesh);
    must(context, toi_scene_proximity(context, scene, &at, 0.05, &options, add_close, &d));
  }
  assert_true(scene->near.listed && scene->near.least_refused > 1);
  toi_scene_destroy(scene);
  toi_context_destroy(context);
  toi_context_destroy(roomy);
  free(m);
}

static void every_allocation_of_a_scene_may_be_refused(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1417);
  made_mesh *m = made_new();
  make_scene(m, &state);
  move(m, 0.001, &state);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  mesh.bodies = m->bodies;
  mesh.fixed = m->fixed;
  mesh.thickness = m->thickness;
  bool done = false;
  for (size_t refuse = 1; !done; refuse++) {
    test_allocator allocator = {0};
    toi_context *context = test_context_on(&allocator);
    toi_topology topology = topology_of(&mesh);
    topology.edges = NULL;
    topology.edge_count = 0;
    const toi_positions at = positions_of(&mesh);
    const size_t before = allocator.bytes;
    allocator.refuse_at = allocator.calls + refuse;
    toi_scene *scene;
    toi_status status = toi_scene_create(context, &topology, &scene);
    const toi_options options = toi_default_options();
    toi_advance advance;
    digest d = {0, 0};
    static double placed[MADE_VERTICES][3];
    for (int round = 0; round < 3 && status == TOI_OK; round++) {
      status = toi_scene_proximity(context, scene, &at, 0.05, &options, add_close, &d);
      if (status == TOI_OK)
        status = toi_scene_line_search(context, scene, &at, &options, placed, &advance);
    }
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    done = allocator.calls < allocator.refuse_at;
    assert_true(!done || status == TOI_OK);
    toi_scene_destroy(scene);
    if (status == TOI_ERROR_MEMORY && !scene)
      assert_int_equal(allocator.bytes, before);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
  }
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thousand_iterations_have_the_answers_of_fresh_calls),
      cmocka_unit_test(other_norms_and_kinds_are_asked_anew),
      cmocka_unit_test(diagonal_pairs_are_found_in_the_maximum_norm),
      cmocka_unit_test(filter_of_the_caller_is_asked_anew),
      cmocka_unit_test(matrices_by_columns_and_all_numbers_are_read),
      cmocka_unit_test(bad_topologies_are_refused_with_a_sentence),
      cmocka_unit_test(bad_positions_leave_the_scene_as_it_was),
      cmocka_unit_test(calls_from_within_calls_are_refused),
      cmocka_unit_test(lists_without_room_are_done_without),
      cmocka_unit_test(every_allocation_of_a_scene_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
