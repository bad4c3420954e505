/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Intersections of one state of a mesh: by hand, and random small meshes against all pairs in exact arithmetic
 * (intersection_oracle.h), which may be believed everywhere. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/intersection_oracle.h"
#include "scene/shapes.h"

static void complain(const toi_mesh *mesh, const toi_intersection *got, const char *what) {
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    double p[3];
    toi_mesh_point(mesh, mesh->start, i, p);
    print_error("v %a %a %a\n", p[0], p[1], p[2]);
  }
  for (size_t i = 0; i < mesh->face_count; i++)
    print_error("f %u %u %u\n", mesh->faces[i][0], mesh->faces[i][1], mesh->faces[i][2]);
  for (size_t i = 0; i < mesh->edge_count; i++)
    print_error("e %u %u\n", mesh->edges[i][0], mesh->edges[i][1]);
  print_error("got found %d, crossing %d, kind %d, %u %u\n", got->found, got->crossing, (int)got->kind, got->pair.first,
              got->pair.second);
  fail_msg("%s", what);
}

static bool same(const toi_intersection *a, const toi_intersection *b) {
  return a->found == b->found && a->crossing == b->crossing && a->kind == b->kind && a->pair.first == b->pair.first &&
         a->pair.second == b->pair.second;
}

/* One call, which must succeed. */
static toi_intersection ask(toi_context *context, const toi_mesh *mesh, const toi_options *options) {
  toi_intersection got;
  memset(&got, 0xff, sizeof got);
  if (toi_mesh_intersects(context, mesh, options, &got) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  return got;
}

/* The answer, which must be the same for all broad phases and numbers of threads. */
static toi_intersection ask_all(const toi_mesh *mesh) {
  toi_intersection first = {0};
  for (uint32_t threads = 1; threads <= 3; threads++) {
    toi_context *context = test_context(threads);
    for (size_t i = 0; toi_broad_name(i); i++) {
      toi_options options = toi_default_options();
      toi_mesh_options on_mesh = toi_default_mesh_options();
      options.on_mesh = &on_mesh;
      on_mesh.broad = toi_broad_name(i);
      toi_intersection got = ask(context, mesh, &options);
      if (threads == 1 && i == 0)
        first = got;
      if (!same(&got, &first))
        complain(mesh, &got, "the answer depends on threads or the broad phase");
    }
    toi_context_destroy(context);
  }
  return first;
}

static void expect(shape *s, toi_intersection want) {
  toi_mesh mesh = mesh_of(s);
  toi_intersection got = ask_all(&mesh);
  if (!same(&got, &want))
    complain(&mesh, &got, "another answer");
}

/* --- by hand --- */

static void an_edge_through_a_face_is_a_crossing(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, -1, 1, 1, 1});
  // Edges in the order of their larger vertex: 01, 02, 12, 34.
  expect(&s, crossing(3, 0));
  // Through the plane beside the face, and short of it.
  s.points[3][0] = s.points[4][0] = 8;
  expect(&s, none);
  s.points[3][0] = s.points[4][0] = 1;
  s.points[3][2] = 0x1p-1074;
  expect(&s, none);
}

static void two_faces_that_cross_name_the_first_edge(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_triangle(&s, (double[9]){1, 1, -1, 1, 1, 1, 2, 9, 0});
  // Edges are 01, 02, 12, 34, 35, 45. 34 passes through face 0, 12 through face 1 at (5, 19, 0) / 3.
  expect(&s, crossing(2, 1));
}

static void a_vertex_on_a_face_touches(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, 0, 1, 1, 1});
  expect(&s, touching(TOI_VERTEX_FACE, 3, 0));
  s.points[3][2] = 0x1p-1074;
  expect(&s, none);
}

static void an_edge_over_the_side_of_a_face_touches(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){3, 0, -1, 3, 0, 1});
  expect(&s, touching(TOI_EDGE_EDGE, 0, 3));
}

static void an_edge_in_the_plane_of_a_face_touches_where_it_meets_it(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){-1, 2, 0, 9, 2, 0});
  expect(&s, touching(TOI_EDGE_EDGE, 1, 3));
  // Inside, beside, along a side.
  memcpy(s.points[3], (double[6]){1, 2, 0, 2, 2, 0}, 6 * sizeof(double));
  expect(&s, touching(TOI_VERTEX_FACE, 3, 0));
  memcpy(s.points[3], (double[6]){-1, 9, 0, 9, 9, 0}, 6 * sizeof(double));
  expect(&s, none);
  memcpy(s.points[3], (double[6]){-1, 0, 0, 9, 0, 0}, 6 * sizeof(double));
  expect(&s, touching(TOI_EDGE_EDGE, 0, 3));
}

static void faces_in_one_plane_touch_where_they_overlap(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  // A star: no vertex inside the other.
  add_triangle(&s, (double[9]){5, 5, 0, -2, 5, 0, 5, -2, 0});
  expect(&s, touching(TOI_EDGE_EDGE, 0, 4));
  // One within the other.
  memcpy(s.points[3], (double[9]){1, 1, 0, 2, 1, 0, 1, 2, 0}, 9 * sizeof(double));
  expect(&s, touching(TOI_VERTEX_FACE, 3, 0));
}

static void shared_vertices_do_not_count(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  // A second face folded back onto the first one, and an edge that lies in it, both at vertex 0.
  uint32_t a = add_point(&s, 2, 1, 0), b = add_point(&s, 1, 2, 0);
  add_face(&s, 0, a, b);
  toi_mesh mesh = mesh_of(&s);
  toi_intersection got = ask_all(&mesh);
  // Its other vertices do touch.
  if (!got.found || got.crossing || got.kind != TOI_VERTEX_FACE || got.pair.first != a || got.pair.second != 0)
    complain(&mesh, &got, "want vertex 3 on face 0");
  // Out of the plane at all but that vertex nothing is left.
  s.points[a][2] = s.points[b][2] = 1;
  expect(&s, none);
}

static void loose_points_and_edges_touch(void **unused) {
  (void)unused;
  shape s = {0};
  add_segment(&s, (double[6]){0, 0, 0, 3, 3, 3});
  add_point(&s, 1, 1, 1);
  add_point(&s, 9, 1, 1);
  add_point(&s, 9, 1, 1);
  expect(&s, touching(TOI_VERTEX_EDGE, 2, 0));
  s.points[2][0] = nextafter(1, 2);
  expect(&s, touching(TOI_VERTEX_VERTEX, 3, 4));
  s.points[3][0] = 0;
  expect(&s, none);
}

static void a_shape_within_another_does_not_touch(void **unused) {
  (void)unused;
  shape s = {0};
  for (int size = 1; size <= 9; size += 8) {
    double d = size;
    uint32_t a = add_point(&s, -d, -d, -d), b = add_point(&s, 3 * d, -d, -d);
    uint32_t c = add_point(&s, -d, 3 * d, -d), e = add_point(&s, -d, -d, 3 * d);
    add_face(&s, a, b, c);
    add_face(&s, a, b, e);
    add_face(&s, a, c, e);
    add_face(&s, b, c, e);
  }
  expect(&s, none);
}

static void empty_meshes_are_apart(void **unused) {
  (void)unused;
  shape s = {0};
  expect(&s, none);
  add_point(&s, 1, 2, 3);
  expect(&s, none);
}

/* --- random meshes --- */

static void random_meshes_agree_with_all_pairs(void **unused) {
  (void)unused;
  uint64_t state = test_seed(1);
  int found[TOI_KIND_COUNT + 2] = {0};
  toi_context *context = test_context(2);
  toi_options options = toi_default_options();
  for (uint64_t round = 0; round < test_count(6000); round++) {
    shape s = {0};
    draw_shape(&state, &s);
    toi_mesh mesh = mesh_of(&s);
    toi_intersection want = oracle_all(&mesh), got = ask(context, &mesh, &options);
    if (!same(&got, &want))
      complain(&mesh, &got, "all pairs say otherwise");
    found[want.crossing ? 0 : want.found ? 1 + want.kind : TOI_KIND_COUNT + 1]++;
    if (round % 20 == 0)
      ask_all(&mesh);
  }
  toi_context_destroy(context);
  print_message("%d crossings, contacts %d %d %d %d, %d apart\n", found[0], found[1], found[2], found[3], found[4],
                found[5]);
  for (int i = 0; i < TOI_KIND_COUNT + 2; i++)
    assert_true(found[i] > 0);
}

static void floats_and_missing_edges_give_the_same(void **unused) {
  (void)unused;
  uint64_t state = test_seed(2);
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  for (uint64_t round = 0; round < test_count(500); round++) {
    shape s = {0};
    for (int i = 0; i < 3; i++) {
      double p[9];
      for (int k = 0; k < 9; k++)
        p[k] = draw(&state, (int)round % 2);
      add_triangle(&s, p);
    }
    toi_mesh mesh = mesh_of(&s);
    toi_intersection want = ask(context, &mesh, &options);
    toi_mesh bare = mesh;
    bare.edges = NULL;
    bare.edge_count = 0;
    toi_intersection got = ask(context, &bare, &options);
    assert_true(same(&got, &want));
    // Floats, one of four a number that is none of its business.
    float narrow[MOST_VERTICES][4];
    for (size_t i = 0; i < s.vertex_count; i++) {
      for (int k = 0; k < 3; k++)
        narrow[i][k] = (float)s.points[i][k];
      narrow[i][3] = NAN;
    }
    mesh.start = narrow;
    mesh.scalar = TOI_FLOAT32;
    mesh.stride = sizeof narrow[0];
    got = ask(context, &mesh, &options);
    assert_true(same(&got, &want));
  }
  toi_context_destroy(context);
}

/* --- rules --- */

static bool refuse_face_of_user(void *user, toi_kind kind, uint32_t first, uint32_t second) {
  (void)first;
  return kind != TOI_VERTEX_FACE || second != *(uint32_t *)user;
}

static void rules_leave_out_crossings_too(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, -1, 1, 1, 1});
  toi_mesh mesh = mesh_of(&s);
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  const uint8_t fixed[5] = {1, 1, 1, 1, 1};
  mesh.fixed = fixed;
  assert_false(ask(context, &mesh, &options).found);
  mesh.fixed = (const uint8_t[5]){1, 1, 1, 1, 0};
  assert_true(ask(context, &mesh, &options).crossing);
  mesh.fixed = NULL;
  mesh.bodies = (const uint32_t[5]){2, 2, 2, 2, 2};
  assert_false(ask(context, &mesh, &options).found);
  mesh.bodies = (const uint32_t[5]){2, 2, 2, 2, 1};
  assert_true(ask(context, &mesh, &options).crossing);
  mesh.bodies = NULL;
  // The caller is asked about the ends and the face.
  uint32_t face = 0;
  on_mesh.may_collide = refuse_face_of_user;
  on_mesh.may_collide_user = &face;
  assert_false(ask(context, &mesh, &options).found);
  face = 1;
  assert_true(ask(context, &mesh, &options).crossing);
  toi_context_destroy(context);
}

static void thickness_and_separation_are_not_looked_at(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, 0.5, 1, 1, 1});
  toi_mesh mesh = mesh_of(&s);
  mesh.thickness = (const double[5]){1, 1, 1, 1, 1};
  toi_context *context = test_context(1);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  options.min_separation = 3;
  toi_work work;
  on_mesh.work = &work;
  assert_false(ask(context, &mesh, &options).found);
  assert_int_equal(work.passes, 1);
  toi_context_destroy(context);
}

/* --- bad input --- */

static void expect_error(const toi_mesh *mesh, const toi_options *options, toi_status status, const char *word) {
  toi_context *context = test_context(2);
  toi_intersection got = {0};
  assert_int_equal(toi_mesh_intersects(context, mesh, options, &got), status);
  assert_non_null(strstr(toi_context_error(context), word));
  // The safe answer.
  assert_true(got.found && got.pair.first == UINT32_MAX);
  toi_context_destroy(context);
}

static bool stop_at_once(void *user, double done) {
  (void)done;
  ++*(int *)user;
  return false;
}

static void bad_input_is_said(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  add_segment(&s, (double[6]){1, 1, -1, 1, 1, 1});
  toi_mesh mesh = mesh_of(&s);
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  s.points[4][1] = NAN;
  expect_error(&mesh, &options, TOI_ERROR_INPUT, "4");
  s.points[4][1] = INFINITY;
  expect_error(&mesh, &options, TOI_ERROR_INPUT, "4");
  s.points[4][1] = 1;
  s.faces[0][2] = 5;
  expect_error(&mesh, &options, TOI_ERROR_INPUT, "5");
  s.faces[0][2] = 2;
  expect_error(NULL, &options, TOI_ERROR_INPUT, "NULL");
  expect_error(&mesh, NULL, TOI_ERROR_OPTION, "options");
  on_mesh.broad = "none such";
  expect_error(&mesh, &options, TOI_ERROR_UNSUPPORTED, "none such");
  toi_intersection got;
  assert_int_equal(toi_mesh_intersects(NULL, &mesh, &options, &got), TOI_ERROR_INPUT);
}

/* Many triangles side by side, some of them through the next if `cross`. */
static toi_mesh make_row(size_t count, bool cross, double (**points)[3], uint32_t (**faces)[3]) {
  *points = calloc(3 * count, sizeof **points);
  *faces = calloc(count, sizeof **faces);
  assert_true(*points && *faces);
  for (size_t i = 0; i < 3 * count; i++) {
    size_t triangle = i / 3;
    double p[3] = {(double)triangle, i % 3 == 1, i % 3 == 2};
    double through[3] = {p[0] + 1.5, 0.5, 0.25};
    memcpy((*points)[i], cross && i % 3 == 1 && triangle % 1000 == 999 ? through : p, sizeof p);
    (*faces)[triangle][i % 3] = (uint32_t)i;
  }
  return (toi_mesh){
      .start = *points, .vertex_count = 3 * count, .faces = (const uint32_t(*)[3]) * faces, .face_count = count};
}

static void long_rows_are_the_same_on_all_threads(void **unused) {
  (void)unused;
  for (int cross = 0; cross < 2; cross++) {
    double(*points)[3];
    uint32_t(*faces)[3];
    toi_mesh mesh = make_row(TEST_SANITIZED ? 1200 : 4000, cross, &points, &faces);
    toi_intersection got = ask_all(&mesh);
    // The first edge of triangle 999 goes through the next one; there are three each.
    toi_intersection want = cross ? crossing(2997, 1000) : none;
    if (!same(&got, &want))
      complain(&(toi_mesh){0}, &got, "want edge 2997 through face 1000");
    free(points);
    free(faces);
  }
}

static void a_callback_stops_it(void **unused) {
  (void)unused;
  double(*points)[3];
  uint32_t(*faces)[3];
  toi_mesh mesh = make_row(TEST_SANITIZED ? 10000 : 200000, false, &points, &faces);
  int calls = 0;
  toi_options options = toi_default_options();
  toi_mesh_options on_mesh = toi_default_mesh_options();
  options.on_mesh = &on_mesh;
  on_mesh.progress = stop_at_once;
  on_mesh.progress_user = &calls;
  toi_context *context = test_context(1);
  toi_intersection got = {0};
  toi_status status = toi_mesh_intersects(context, &mesh, &options, &got);
  // Calls come now and then only; a fast machine may be done before.
  assert_int_equal(status, calls ? TOI_ERROR_CANCELLED : TOI_OK);
  assert_int_equal(got.found, calls > 0);
  toi_context_destroy(context);
  free(points);
  free(faces);
}

static void refused_memory_is_said(void **unused) {
  (void)unused;
  shape s = {0};
  add_triangle(&s, floor_face);
  // A contact that takes integers: on the slope of a face.
  memcpy(s.points[1], (double[6]){0.1, 0.7, 0.3, 0.9, 0.2, 0.4}, 6 * sizeof(double));
  add_segment(&s, (double[6]){1, 1, -1, 0.1, 0.7, 0.3});
  add_point(&s, 5, 5, 5);
  toi_mesh mesh = mesh_of(&s);
  mesh.edges = NULL;
  mesh.edge_count = 0;
  toi_options options = toi_default_options();
  toi_status status = TOI_ERROR_MEMORY;
  for (size_t refuse = 1; status != TOI_OK; refuse++) {
    test_allocator allocator = {0};
    toi_context_options made = test_context_options(&allocator, 1);
    toi_context *context = NULL;
    assert_int_equal(toi_context_create(&made, &context), TOI_OK);
    allocator.refuse_at = allocator.calls + refuse;
    toi_intersection got = {0};
    status = toi_mesh_intersects(context, &mesh, &options, &got);
    assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
    assert_true(got.found);
    if (status != TOI_OK)
      assert_non_null(strstr(toi_context_error(context), "memory"));
    // Once more, with all the memory it wants.
    allocator.refuse_at = 0;
    if (toi_mesh_intersects(context, &mesh, &options, &got) != TOI_OK)
      fail_msg("request %zu refused, then %s", refuse, toi_context_error(context));
    assert_true(got.found && got.pair.first != UINT32_MAX);
    toi_context_destroy(context);
    assert_int_equal(allocator.blocks, 0);
    assert_true(refuse < 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_edge_through_a_face_is_a_crossing),
      cmocka_unit_test(two_faces_that_cross_name_the_first_edge),
      cmocka_unit_test(a_vertex_on_a_face_touches),
      cmocka_unit_test(an_edge_over_the_side_of_a_face_touches),
      cmocka_unit_test(an_edge_in_the_plane_of_a_face_touches_where_it_meets_it),
      cmocka_unit_test(faces_in_one_plane_touch_where_they_overlap),
      cmocka_unit_test(shared_vertices_do_not_count),
      cmocka_unit_test(loose_points_and_edges_touch),
      cmocka_unit_test(a_shape_within_another_does_not_touch),
      cmocka_unit_test(empty_meshes_are_apart),
      cmocka_unit_test(random_meshes_agree_with_all_pairs),
      cmocka_unit_test(floats_and_missing_edges_give_the_same),
      cmocka_unit_test(rules_leave_out_crossings_too),
      cmocka_unit_test(thickness_and_separation_are_not_looked_at),
      cmocka_unit_test(bad_input_is_said),
      cmocka_unit_test(long_rows_are_the_same_on_all_threads),
      cmocka_unit_test(a_callback_stops_it),
      cmocka_unit_test(refused_memory_is_said),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  dyadic_free_all();
  return failed;
}
