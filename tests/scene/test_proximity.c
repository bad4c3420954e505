/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs that are close, against all pairs with rational distances. The oracle may be believed everywhere: it compares
 * the square of the distance, which toi_distance_rational() gives and tests of its own vouch for, with the square of
 * the bound in rational arithmetic, and takes the pairs from the definition. Coordinates lie on a lattice, so that many
 * pairs are at exactly the distance that is asked for. */

#include <gmp.h>
#include <stdio.h>

#include "scene/meshes.h"

typedef struct close_list {
  toi_proximal *items;
  size_t count, room, stop_at;
} close_list;

static toi_status collect(void *user, const toi_proximal *pairs, size_t count) {
  close_list *list = user;
  assert_true(count > 0);
  if (list->count + count > list->room) {
    list->room = 2 * (list->count + count);
    list->items = realloc(list->items, list->room * sizeof(toi_proximal));
    assert_non_null(list->items);
  }
  memcpy(list->items + list->count, pairs, count * sizeof(toi_proximal));
  list->count += count;
  return list->stop_at && list->count >= list->stop_at ? TOI_ERROR_CANCELLED : TOI_OK;
}

/* Points, edges and triangles with corners on a lattice of sides 1/4; some corners are shared. */
static void make_lattice(made_mesh *m, uint64_t *random) {
  for (int i = 0; i < 30; i++)
    made_vertex(m, (double)(test_random(random) % 16) / 4, (double)(test_random(random) % 16) / 4,
                (double)(test_random(random) % 8) / 4);
  for (int i = 0; i < 9; i++) {
    uint32_t a = (uint32_t)(test_random(random) % 12), b = (uint32_t)(test_random(random) % 12);
    uint32_t c = (uint32_t)(test_random(random) % 12);
    if (a != b && b != c && c != a)
      made_face(m, a, b, c);
  }
  for (uint32_t i = 12; i < 22; i += 2)
    made_edge(m, i, i + 1);
  for (uint32_t i = 0; i < 30; i++) {
    m->bodies[i] = test_random(random) % 3 ? (uint32_t)(test_random(random) % 4) : TOI_NO_BODY;
    m->fixed[i] = test_random(random) % 4 == 0;
    m->thickness[i] = (double)(test_random(random) % 3) / 8;
  }
  for (int i = 0; i < 4; i++)
    m->body_thickness[i] = i / 8.0;
  made_finish(m);
}

/* --- the oracle --- */

static double thickness_of(const toi_mesh *mesh, const uint32_t *v, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) {
    double own = mesh->thickness ? mesh->thickness[v[i]] : 0;
    if (mesh->body_thickness && mesh->bodies[v[i]] != TOI_NO_BODY)
      own += mesh->body_thickness[mesh->bodies[v[i]]];
    most = own > most ? own : most;
  }
  return most;
}

/* -1, 0, 1 as the distance of the points is <, =, > x. */
static int compare_exactly(toi_kind kind, double points[4][3], toi_norm norm, double x) {
  char text[4096];
  size_t size = sizeof(text);
  mpq_t distance, bound;
  mpq_inits(distance, bound, NULL);
  assert_int_equal(toi_distance_rational(kind, (const double(*)[3])points, norm, text, &size), TOI_OK);
  assert_int_equal(mpq_set_str(distance, text, 16), 0);
  mpq_set_d(bound, x);
  if (norm == TOI_NORM_L2)
    mpq_mul(bound, bound, bound);
  int order = mpq_cmp(distance, bound);
  mpq_clears(distance, bound, NULL);
  return order < 0 ? -1 : order > 0;
}

/* Checks the list against all pairs; returns how many are at exactly the distance. */
static size_t check_list(const made_mesh *m, const toi_mesh *mesh, double distance, const toi_options *options,
                         const close_list *list) {
  all_pairs all = pairs_of(mesh, options);
  size_t next = 0, exactly = 0;
  for (int kind = 0; kind < TOI_KIND_COUNT; kind++)
    for (size_t i = 0; i < all.count[kind]; i++) {
      toi_pair pair = all.pairs[kind][i];
      double points[4][3];
      uint32_t v[4], firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
      uint32_t count = pair_points(mesh, (toi_kind)kind, pair, v);
      double reach = distance + thickness_of(mesh, v, firsts) + thickness_of(mesh, v + firsts, count - firsts);
      pair_place(mesh, m->start, (toi_kind)kind, pair, points);
      int order = compare_exactly((toi_kind)kind, points, options->norm, reach);
      if (order > 0)
        continue;
      exactly += order == 0;
      assert_true(next < list->count);
      const toi_proximal *found = &list->items[next++];
      assert_int_equal(found->kind, kind);
      assert_int_equal(found->pair.first, pair.first);
      assert_int_equal(found->pair.second, pair.second);
      toi_distance own;
      assert_int_equal(toi_distance_fast((toi_kind)kind, (const double(*)[3])points, options->norm, &own), TOI_OK);
      assert_memory_equal(&own, &found->distance, sizeof(own));
    }
  assert_int_equal(next, list->count);
  pairs_free(&all);
  return exactly;
}

static bool odd_sum(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)user;
  return ((unsigned)kind + first + second) % 2 == 1;
}

/* One of the ways to ask about a mesh, by number. */
static toi_mesh vary(made_mesh *m, uint64_t number, toi_options *options, toi_mesh_options *on_mesh) {
  toi_mesh mesh = made_as(m, number & 1 ? TOI_FLOAT32 : TOI_FLOAT64);
  options->norm = number & 2 ? TOI_NORM_LINF : TOI_NORM_L2;
  mesh.thickness = number & 4 ? m->thickness : NULL;
  mesh.bodies = number & 8 ? m->bodies : NULL;
  mesh.body_thickness = (number & 24) == 24 ? m->body_thickness : NULL;
  mesh.body_count = 4;
  mesh.fixed = number & 32 ? m->fixed : NULL;
  on_mesh->may_collide = number & 64 ? odd_sum : NULL;
  on_mesh->kinds = number & 256 ? (uint32_t)(number >> 9 & 15) : 0;
  on_mesh->kinds |= number >> 13 & 1 ? TOI_KINDS_EVERY_VERTEX_EDGE : 0;
  options->on_mesh = on_mesh;
  mesh.end = number & 128 ? NULL : mesh.end;
  return mesh;
}

/* --- tests --- */

static void close_pairs_of_lattices_are_those_of_all_pairs(void **state) {
  (void)state;
  static const double distances[] = {0, 0.25, 0.5, 1, 1.25, 0.70710678118654757, 40};
  uint64_t random = test_seed(11);
  size_t exactly = 0, found = 0;
  toi_context *context = test_context(2);
  made_mesh *m = made_new();
  for (uint64_t round = 0; round < test_count(150); round++) {
    memset(m, 0, sizeof(*m));
    make_lattice(m, &random);
    toi_options options = toi_default_options();
    toi_mesh_options on_mesh = toi_default_mesh_options();
    toi_mesh mesh = vary(m, test_random(&random), &options, &on_mesh);
    double distance = distances[test_random(&random) % 7];
    close_list list = {0};
    if (toi_proximity(context, &mesh, distance, &options, collect, &list) != TOI_OK)
      fail_msg("%s", toi_context_error(context));
    exactly += check_list(m, &mesh, distance, &options, &list);
    found += list.count;
    free(list.items);
  }
  printf("%zu pairs, %zu of them at exactly the distance\n", found, exactly);
  assert_true(exactly > 0 && found > exactly);
  free(m);
  toi_context_destroy(context);
}

/* Two sheets of cloth, one above the other, and a ball between; every pair is within the distance of several. */
static void make_sheets(made_mesh *m) {
  made_grid(m, 8, 0.25, (const double[]){0, 0, 0.3});
  made_grid(m, 8, 0.25, (const double[]){0.1, 0.05, 0.5});
  made_ball(m, 4, 0.25, (const double[]){0, 0, 0});
  made_finish(m);
}

static void same_stream_for_any_threads_budget_and_broad_phase(void **state) {
  (void)state;
  made_mesh *m = made_new();
  make_sheets(m);
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  close_list first = {0};
  uint32_t most_passes = 0;
  for (uint64_t budget = 1 << 30; budget > 1 << 16; budget = budget > 1 << 23 ? 1 << 23 : budget - budget / 4)
    for (size_t threads = TEST_SANITIZED ? 5 : 1; threads <= 5; threads += 1 + threads)
      for (size_t broad = 0; toi_broad_name(broad); broad++) {
        toi_context_options settings = toi_default_context_options();
        settings.threads = (uint32_t)threads;
        settings.memory_budget = budget;
        toi_context *context;
        toi_options options = toi_default_options();
        toi_mesh_options on_mesh = toi_default_mesh_options();
        options.on_mesh = &on_mesh;
        toi_work work;
        on_mesh.broad = toi_broad_name(broad);
        on_mesh.work = &work;
        close_list list = {0};
        assert_int_equal(toi_context_create(&settings, &context), TOI_OK);
        toi_status status = toi_proximity(context, &mesh, 0.3, &options, collect, &list);
        assert_true(status == TOI_OK || (budget < 1 << 21 && status == TOI_ERROR_MEMORY));
        if (status == TOI_OK && first.count == 0) {
          first = list;
          list = (close_list){0};
          assert_int_equal(work.passes, 1);
        } else if (status == TOI_OK) {
          assert_int_equal(list.count, first.count);
          assert_memory_equal(list.items, first.items, first.count * sizeof(toi_proximal));
          most_passes = work.passes > most_passes ? work.passes : most_passes;
        }
        free(list.items);
        toi_context_destroy(context);
      }
  printf("%zu pairs, in up to %u passes\n", first.count, most_passes);
  assert_true(first.count > 1000 && most_passes > 8);
  toi_options options = toi_default_options();
  check_list(m, &mesh, 0.3, &options, &first);
  free(first.items);
  free(m);
}

static void edges_of_faces_are_found_where_there_are_none(void **state) {
  (void)state;
  made_mesh *m = made_new();
  make_sheets(m);
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_mesh mesh = made_as(m, TOI_FLOAT64), bare = mesh;
  close_list with = {0}, without = {0};
  bare.edges = NULL;
  bare.edge_count = 0;
  assert_int_equal(toi_proximity(context, &mesh, 0.1, &options, collect, &with), TOI_OK);
  assert_int_equal(toi_proximity(context, &bare, 0.1, &options, collect, &without), TOI_OK);
  assert_true(with.count > 0 && with.count == without.count);
  assert_memory_equal(with.items, without.items, with.count * sizeof(toi_proximal));
  free(with.items);
  free(without.items);
  free(m);
  toi_context_destroy(context);
}

static void visitor_stops_the_call(void **state) {
  (void)state;
  made_mesh *m = made_new();
  make_sheets(m);
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  toi_mesh mesh = made_as(m, TOI_FLOAT64);
  close_list list = {.stop_at = 1};
  assert_int_equal(toi_proximity(context, &mesh, 1, &options, collect, &list), TOI_ERROR_CANCELLED);
  assert_true(list.count > 0 && list.count < 1000);
  free(list.items);
  free(m);
  toi_context_destroy(context);
}

/* Two points at a distance d apart, or a little less or more, far from the origin and close to 0. */
static void two_points_an_ulp_around_the_distance(void **state) {
  (void)state;
  static const double scales[] = {1, 0x1p-1060, 0x1p1000, 0x1p-500};
  toi_context *context = test_context(1);
  for (size_t i = 0; i < 4; i++)
    for (int off = -1; off <= 1; off++) {
      double d = 3 * scales[i], x = off < 0 ? nextafter(d, 0) : off > 0 ? nextafter(d, INFINITY) : d;
      double points[2][3] = {{0, 0, 0}, {0, 0, x}};
      toi_mesh mesh = {.start = points, .vertex_count = 2};
      toi_options options = toi_default_options();
      close_list list = {0};
      if (toi_proximity(context, &mesh, d, &options, collect, &list) != TOI_OK)
        fail_msg("%s", toi_context_error(context));
      assert_int_equal(list.count, off <= 0);
      assert_true(off > 0 || (list.items[0].distance.lo <= x && x <= list.items[0].distance.hi));
      free(list.items);
    }
  toi_context_destroy(context);
}

static void bad_calls_are_refused_with_a_sentence(void **state) {
  (void)state;
  double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}};
  uint32_t edge[1][2] = {{0, 7}};
  toi_mesh mesh = {.start = points, .vertex_count = 2}, bad = mesh, far = mesh;
  toi_context *context = test_context(1);
  toi_options options = toi_default_options(), unset = {.size = 0};
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  close_list list = {0};
  bad.vertex_count = 3;
  far.edges = (const uint32_t(*)[2])edge;
  far.edge_count = 1;
  assert_int_equal(toi_proximity(NULL, &mesh, 1, &options, collect, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, NULL, 1, &options, collect, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, &mesh, 1, &options, NULL, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, &mesh, -1, &options, collect, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, &mesh, NAN, &options, collect, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, &mesh, INFINITY, &options, collect, &list), TOI_ERROR_INPUT);
  assert_int_equal(toi_proximity(context, &far, 1, &options, collect, &list), TOI_ERROR_INPUT);
  assert_true(toi_context_error(context)[0] != 0);
  assert_int_equal(toi_proximity(context, &bad, 1, &options, collect, &list), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "vertex 2"));
  assert_int_equal(toi_proximity(context, &mesh, 1, &unset, collect, &list), TOI_ERROR_OPTION);
  on_mesh.broad = "none such";
  assert_int_equal(toi_proximity(context, &mesh, 1, &options, collect, &list), TOI_ERROR_UNSUPPORTED);
  assert_int_equal(list.count, 0);
  toi_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(close_pairs_of_lattices_are_those_of_all_pairs),
      cmocka_unit_test(same_stream_for_any_threads_budget_and_broad_phase),
      cmocka_unit_test(edges_of_faces_are_found_where_there_are_none),
      cmocka_unit_test(visitor_stops_the_call),
      cmocka_unit_test(two_points_an_ulp_around_the_distance),
      cmocka_unit_test(bad_calls_are_refused_with_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
