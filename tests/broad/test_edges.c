/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Edges of meshes against sorting by the standard library, and the check of a mesh: every fault is named. */

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <toi/broad.h>

typedef uint32_t triangle[3];
typedef uint32_t segment[2];

/* --- edges --- */

static int by_second_then_first(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  if (a[1] != b[1])
    return a[1] < b[1] ? -1 : 1;
  return (a[0] > b[0]) - (a[0] < b[0]);
}

static size_t add_edge(segment *edges, size_t count, uint32_t a, uint32_t b) {
  if (a == b)
    return count;
  edges[count][0] = a < b ? a : b;
  edges[count][1] = a < b ? b : a;
  return count + 1;
}

/* All edges, sorted by the library of C, each once. */
static size_t expected_edges(const triangle *faces, size_t face_count, const segment *loose, size_t loose_count,
                             segment *edges) {
  size_t count = 0;
  for (size_t i = 0; i < face_count; i++)
    for (size_t k = 0; k < 3; k++)
      count = add_edge(edges, count, faces[i][k], faces[i][(k + 1) % 3]);
  for (size_t i = 0; i < loose_count; i++)
    count = add_edge(edges, count, loose[i][0], loose[i][1]);
  qsort(edges, count, sizeof *edges, by_second_then_first);
  size_t unique = 0;
  for (size_t i = 0; i < count; i++)
    if (unique == 0 || memcmp(edges[unique - 1], edges[i], sizeof *edges) != 0)
      memmove(edges[unique++], edges[i], sizeof *edges);
  return unique;
}

/* Both orders must agree; the arrays are of triangle and segment. */
static void compare_edges(const void *face_rows, size_t face_count, const void *loose_rows, size_t loose_count) {
  const triangle *faces = (const triangle *)face_rows;
  const segment *loose = (const segment *)loose_rows;
  toi_context *context = test_context(1);
  const uint64_t before = toi_context_bytes(context);
  segment *wanted = malloc((3 * face_count + loose_count + 1) * sizeof *wanted), *edges;
  const size_t wanted_count = expected_edges(faces, face_count, loose, loose_count, wanted);
  size_t count;
  assert_int_equal(toi_mesh_edges(context, faces, face_count, loose, loose_count, &edges, &count), TOI_OK);
  assert_int_equal(count, wanted_count);
  if (count > 0)
    assert_memory_equal(edges, wanted, count * sizeof *edges);
  else
    assert_null(edges);
  toi_mesh_edges_free(context, edges, count);
  assert_int_equal(toi_context_bytes(context), before);
  free(wanted);
  toi_context_destroy(context);
}

static void two_triangles_and_a_loose_edge_have_six_edges(void **state) {
  (void)state;
  const triangle faces[] = {{0, 1, 2}, {2, 1, 3}};
  const segment loose[] = {{4, 3}};
  const segment wanted[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 4}};
  toi_context *context = test_context(1);
  segment *edges;
  size_t count;
  assert_int_equal(toi_mesh_edges(context, faces, 2, loose, 1, &edges, &count), TOI_OK);
  assert_int_equal(count, 6);
  assert_memory_equal(edges, wanted, sizeof wanted);
  toi_mesh_edges_free(context, edges, count);
  toi_context_destroy(context);
}

static void repeated_corners_and_faces_add_no_edges(void **state) {
  (void)state;
  const triangle faces[] = {{7, 7, 7}, {1, 1, 5}, {5, 1, 5}, {0, 1, 2}, {2, 1, 0}, {0, 1, 2}};
  const segment loose[] = {{3, 3}, {5, 1}, {0, 9}, {9, 0}};
  compare_edges(faces, 6, loose, 4);
  compare_edges(faces, 1, loose, 1);
  compare_edges(NULL, 0, loose, 4);
  compare_edges(faces, 6, NULL, 0);
  compare_edges(NULL, 0, NULL, 0);
}

/* A hub puts all edges into one bucket, as do numbers that are used unevenly. */
static void fans_around_one_vertex_are_sorted(void **state) {
  (void)state;
  enum { SPOKES = 20000 };
  triangle *faces = malloc(SPOKES * sizeof *faces);
  const uint32_t hubs[] = {SPOKES, 0, UINT32_MAX, SPOKES / 2};
  for (size_t h = 0; h < 4; h++) {
    for (uint32_t i = 0; i < SPOKES; i++) {
      const uint32_t spoke = (uint32_t)((uint64_t)i * 7919 % SPOKES);
      const triangle face = {hubs[h], spoke, (spoke + 1) % SPOKES};
      memcpy(faces[i], face, sizeof face);
    }
    compare_edges(faces, SPOKES, NULL, 0);
  }
  free(faces);
}

static void random_faces_have_the_edges_that_sorting_finds(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0040);
  enum { MOST = 600 };
  triangle faces[MOST];
  segment loose[MOST];
  for (uint64_t round = test_count(2000); round > 0; round--) {
    // Few numbers make many repetitions, 32 bits make none.
    const unsigned bits = 1 + (unsigned)(test_random(&seed) % 32);
    const size_t face_count = test_random(&seed) % MOST, loose_count = test_random(&seed) % MOST;
    for (size_t i = 0; i < face_count; i++)
      for (size_t k = 0; k < 3; k++)
        faces[i][k] = (uint32_t)(test_random(&seed) >> (64 - bits));
    for (size_t i = 0; i < loose_count; i++)
      for (size_t k = 0; k < 2; k++)
        loose[i][k] = (uint32_t)(test_random(&seed) >> (64 - bits));
    compare_edges(faces, face_count, loose, loose_count);
  }
}

static void edges_without_their_arrays_are_refused(void **state) {
  (void)state;
  toi_context *context = test_context(1);
  const triangle face[] = {{0, 1, 2}};
  segment *edges;
  size_t count;
  assert_int_equal(toi_mesh_edges(context, NULL, 1, NULL, 0, &edges, &count), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "faces is NULL; give the array, or a count of 0");
  assert_int_equal(toi_mesh_edges(context, face, 1, NULL, 1, &edges, &count), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "loose is NULL; give the array, or a count of 0");
  assert_int_equal(toi_mesh_edges(context, face, SIZE_MAX / 2, NULL, 0, &edges, &count), TOI_ERROR_INPUT);
  assert_null(edges);
  assert_int_equal(count, 0);
  assert_int_equal(toi_mesh_edges(NULL, face, 1, NULL, 0, &edges, &count), TOI_ERROR_INPUT);
  assert_int_equal(toi_mesh_edges(context, face, 1, NULL, 0, NULL, &count), TOI_ERROR_INPUT);
  assert_int_equal(toi_mesh_edges(context, face, 1, NULL, 0, &edges, NULL), TOI_ERROR_INPUT);
  toi_mesh_edges_free(NULL, NULL, 0);
  toi_context_destroy(context);
}

/* --- a mesh to spoil --- */

/* Two triangles with a common edge, a loose edge and a loose point, in two bodies. */
typedef struct sample {
  toi_mesh mesh;
  double start[6][3], end[6][3];
  float start_float[6][4], end_float[6][4];
  triangle faces[2];
  segment edges[6];
  uint32_t bodies[6];
  double thickness[6], body_thickness[2];
} sample;

static void sample_make(sample *s) {
  memset(s, 0, sizeof *s);
  const triangle faces[2] = {{0, 1, 2}, {2, 1, 3}};
  const segment edges[6] = {{2, 1}, {0, 1}, {4, 3}, {0, 2}, {3, 1}, {2, 3}};
  memcpy(s->faces, faces, sizeof faces);
  memcpy(s->edges, edges, sizeof edges);
  for (uint32_t i = 0; i < 6; i++)
    s->bodies[i] = i < 5 ? i % 2 : TOI_NO_BODY;
  s->mesh = (toi_mesh){.start = s->start,
                       .end = s->end,
                       .vertex_count = 6,
                       .edges = (const segment *)s->edges,
                       .edge_count = 6,
                       .faces = (const triangle *)s->faces,
                       .face_count = 2,
                       .bodies = s->bodies,
                       .thickness = s->thickness,
                       .body_thickness = s->body_thickness,
                       .body_count = 2};
}

static void expect_fault(sample *s, const char *sentence) {
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    toi_context *context = test_context(threads);
    assert_int_equal(toi_mesh_check(context, &s->mesh), TOI_ERROR_INPUT);
    assert_string_equal(toi_context_error(context), sentence);
    toi_context_destroy(context);
  }
  sample_make(s);
}

static void expect_fine(const toi_mesh *mesh) {
  toi_context *context = test_context(2);
  const toi_status status = toi_mesh_check(context, mesh);
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  toi_context_destroy(context);
}

static void sound_meshes_pass(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  expect_fine(&s.mesh);
  s.mesh.edges = NULL;
  s.mesh.edge_count = 0;
  expect_fine(&s.mesh);

  // Floats in rows of four, the last of which is nobody's business.
  sample_make(&s);
  s.mesh.start = s.start_float;
  s.mesh.end = s.end_float;
  s.mesh.scalar = TOI_FLOAT32;
  s.mesh.stride = sizeof s.start_float[0];
  s.start_float[3][3] = s.end_float[5][3] = NAN;
  expect_fine(&s.mesh);

  // Repeated corners are no fault, and need no edge.
  sample_make(&s);
  memcpy(s.faces[1], (triangle){1, 0, 1}, sizeof(triangle));
  expect_fine(&s.mesh);

  const toi_mesh empty = {0};
  expect_fine(&empty);
}

static void coordinates_that_are_not_finite_are_named(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  s.start[2][1] = NAN;
  s.end[1][0] = INFINITY;
  expect_fault(&s, "vertex 2: y at the start is not a number; coordinates must be finite");
  s.end[5][2] = -INFINITY;
  expect_fault(&s, "vertex 5: z at the end is infinite; coordinates must be finite");
  s.mesh.start = s.start_float;
  s.mesh.end = s.end_float;
  s.mesh.scalar = TOI_FLOAT32;
  s.mesh.stride = sizeof s.start_float[0];
  s.start_float[4][0] = (float)INFINITY;
  expect_fault(&s, "vertex 4: x at the start is infinite; coordinates must be finite");
}

static void numbers_out_of_range_are_named(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  s.edges[2][0] = 6;
  expect_fault(&s, "edge 2 names vertex 6, but the mesh has 6 vertices, numbered from 0");
  s.faces[1][2] = UINT32_MAX;
  expect_fault(&s, "face 1 names vertex 4294967295, but the mesh has 6 vertices, numbered from 0");
  s.bodies[3] = 2;
  expect_fault(&s, "vertex 3 is of body 2, but body_thickness is for 2 bodies");
  static const uint64_t pairs[1] = {0};
  s.mesh.size = sizeof s.mesh;
  s.mesh.body_thickness = NULL;
  s.mesh.body_pairs = pairs;
  s.bodies[4] = 7;
  expect_fault(&s, "vertex 4 is of body 7, but body_pairs is for 2 bodies");
  s.mesh.size = sizeof s.mesh;
  s.mesh.body_thickness = NULL;
  s.mesh.body_pairs = pairs;
  s.mesh.bodies = NULL;
  expect_fault(&s, "body_pairs is given, but bodies is NULL; give the body of each vertex");
  s.mesh.vertex_count = 0;
  expect_fault(&s, "edge 0 names vertex 2, but the mesh has 0 vertices, numbered from 0");
}

static void thickness_is_finite_and_not_negative(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  s.thickness[5] = -1e-300;
  expect_fault(&s, "the thickness of vertex 5 is -1e-300; it must not be negative, and at most 2^1020");
  s.thickness[0] = NAN;
  expect_fault(&s, "the thickness of vertex 0 is nan; it must not be negative, and at most 2^1020");
  s.body_thickness[1] = INFINITY;
  expect_fault(&s, "the thickness of body 1 is inf; it must not be negative, and at most 2^1020");
  s.mesh.bodies = NULL;
  expect_fault(&s, "body_thickness is given, but bodies is NULL; give the body of each vertex");
}

static void lists_of_edges_must_be_whole_and_unique(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  memcpy(s.edges[5], (segment){1, 2}, sizeof(segment));
  expect_fault(&s, "edge 5 joins vertices 1 and 2, as edge 0 does; list every edge once (toi_mesh_edges does)");
  memcpy(s.edges[4], (segment){3, 5}, sizeof(segment));
  expect_fault(&s, "face 1 has an edge of vertices 1 and 3 that is not among the mesh's edges; list them all "
                   "(toi_mesh_edges does)");
  s.mesh.edge_count = 0;
  expect_fault(&s, "face 0 has an edge of vertices 0 and 1 that is not among the mesh's edges; list them all "
                   "(toi_mesh_edges does)");
}

static void missing_arrays_and_bad_layouts_are_named(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  s.mesh.start = NULL;
  expect_fault(&s, "start of the mesh is NULL, but its count is 6; give the array");
  s.mesh.end = NULL;
  expect_fault(&s, "end of the mesh is NULL, but its count is 6; give the array");
  s.mesh.edges = NULL;
  expect_fault(&s, "edges of the mesh is NULL, but its count is 6; give the array");
  s.mesh.faces = NULL;
  expect_fault(&s, "faces of the mesh is NULL, but its count is 2; give the array");
  s.mesh.face_count = UINT32_MAX;
  expect_fault(&s, "4294967295 faces in the mesh; at most 2^32 - 2 are possible");
  s.mesh.scalar = (toi_scalar)2;
  expect_fault(&s, "mesh scalar is 2; it must be TOI_FLOAT64 or TOI_FLOAT32");
  s.mesh.stride = 23;
  expect_fault(&s, "the mesh's stride is 23 bytes; a vertex has 24");
  toi_context *context = test_context(1);
  assert_int_equal(toi_mesh_check(context, NULL), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), "toi_mesh is NULL; give one");
  assert_int_equal(toi_mesh_check(NULL, &s.mesh), TOI_ERROR_INPUT);
  toi_context_destroy(context);
}

/* The first fault of many, behind the first chunk that a thread takes. */
static void first_of_many_faults_is_named(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  double(*places)[3] = calloc(COUNT, sizeof *places);
  triangle *faces = calloc(COUNT, sizeof *faces);
  const toi_mesh mesh = {
      .start = places, .end = places, .vertex_count = COUNT, .faces = (const triangle *)faces, .face_count = COUNT};
  toi_context *context = test_context(3);
  for (size_t i = 40000; i < COUNT; i++)
    faces[i][i % 3] = COUNT + 1;
  assert_int_equal(toi_mesh_check(context, &mesh), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context),
                      "face 40000 names vertex 100001, but the mesh has 100000 vertices, numbered from 0");
  memset(faces, 0, COUNT * sizeof *faces);
  for (size_t i = 71234; i < COUNT; i++)
    places[i][i % 3] = NAN;
  assert_int_equal(toi_mesh_check(context, &mesh), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context),
                      "vertex 71234: z at the start is not a number; coordinates must be finite");
  toi_context_destroy(context);
  free(places);
  free(faces);
}

/* --- memory --- */

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  sample s;
  sample_make(&s);
  bool succeeded = false;
  for (size_t refuse = 1; !succeeded; refuse++) {
    test_allocator allocator = {0};
    const toi_context_options options = test_context_options(&allocator, 1);
    toi_context *context;
    assert_int_equal(toi_context_create(&options, &context), TOI_OK);
    const size_t blocks = allocator.blocks;
    allocator.refuse_at = allocator.calls + refuse;
    segment *edges;
    size_t count;
    toi_status status = toi_mesh_edges(context, (const triangle *)s.faces, 2, NULL, 0, &edges, &count);
    if (status == TOI_OK) {
      toi_mesh_edges_free(context, edges, count);
      status = toi_mesh_check(context, &s.mesh);
    }
    succeeded = status == TOI_OK;
    assert_true(succeeded || status == TOI_ERROR_MEMORY);
    assert_int_equal(allocator.blocks, blocks);
    toi_context_destroy(context);
    assert_int_equal(allocator.wrong_sizes, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_triangles_and_a_loose_edge_have_six_edges),
      cmocka_unit_test(repeated_corners_and_faces_add_no_edges),
      cmocka_unit_test(fans_around_one_vertex_are_sorted),
      cmocka_unit_test(random_faces_have_the_edges_that_sorting_finds),
      cmocka_unit_test(edges_without_their_arrays_are_refused),
      cmocka_unit_test(sound_meshes_pass),
      cmocka_unit_test(coordinates_that_are_not_finite_are_named),
      cmocka_unit_test(numbers_out_of_range_are_named),
      cmocka_unit_test(thickness_is_finite_and_not_negative),
      cmocka_unit_test(lists_of_edges_must_be_whole_and_unique),
      cmocka_unit_test(missing_arrays_and_bad_layouts_are_named),
      cmocka_unit_test(first_of_many_faults_is_named),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
