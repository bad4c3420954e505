/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi check`, `toi line-search`, and what `toi step` and `toi sequence` say about their first frame. */

#include "cli/meshes.h"

#include <math.h>
#include <toi/io.h>

/* Two squares of two triangles each, in the planes z = 0 and x = h, the second one through the first; beside them a
 * pair of triangles that cross at x = 10, and a third one with a corner on the first of these.
 * Vertices 0 to 3 and 4 to 7 are the squares, 8 to 10, 11 to 13 and 14 to 16 the triangles; faces are 0 1, 2 3, 4,
 * 5, 6.
 */
static const char *write_crossed(const char *name, double h) {
  char text[2048];
  snprintf(text, sizeof text,
           "ply\nformat ascii 1.0\nelement vertex 17\nproperty double x\nproperty double y\nproperty double z\n"
           "element face 7\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n4 0 0\n4 4 0\n0 4 0\n"
           "%.17g 1 -1\n%.17g 3 -1\n%.17g 3 1\n%.17g 1 1\n"
           "10 0 0\n14 0 0\n10 4 0\n11 1 -1\n11 1 1\n9 9 9\n"
           "12 0.5 0\n12 0.5 2\n13 0.5 2\n"
           "3 0 1 2\n3 0 2 3\n3 4 5 6\n3 4 6 7\n3 8 9 10\n3 11 12 13\n3 14 15 16\n",
           h, h, h, h);
  return test_write_text(name, text);
}

/* --- the check --- */

static void a_mesh_that_is_free_says_so(void **state) {
  (void)state;
  const char *mesh = write_triangles("free.ply", 1);
  json_t *object = assert_json(run("check %s --json --fail-on-hit --threads 2", mesh), 0);
  assert_count(object, "vertices", 6);
  assert_count(object, "edges", 6);
  assert_count(object, "faces", 2);
  assert_true(json_is_false(json_object_get(object, "intersects")));
  assert_count(object, "crossings", 0);
  assert_count(object, "touching", 0);
  assert_count(object, "patches", 0);
  assert_true(json_is_null(json_object_get(object, "first")));
  assert_true(number_at(object, "ms") >= 0);
  json_decref(object);
  ran result = run("check %s", mesh);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "does not intersect itself"));
  ran_free(&result);
}

/* The lists of --out for write_crossed(..., 1.5): found by hand.
 * Edges in order of the larger vertex: 01; 02 12; 03 23; 45; 46 56; 47 67; 8-9; 8-10 9-10; 11-12; 11-13 12-13; 14-15;
 * 14-16 15-16: numbers 0 to 18. The second square's sides 56 (y = 3) and 47 (y = 1) and its diagonal 46 (y = 2 at z =
 * 0) pass through z = 0 at x = 1.5: (1.5, 1) is in face 0 (y < x), (1.5, 2) and (1.5, 3) in face 1. The diagonal 02 of
 * the first one passes through x = 1.5 at (1.5, 1.5, 0): in face 3, whose corners are 4 6 7: y - 1 <= z + 1. 11-12 and
 * 11-13 pass through face 4, and 14 lies in it. */
static void crossings_and_patches_are_written(void **state) {
  (void)state;
  const char *mesh = write_crossed("crossed.ply", 1.5), *out = test_path("crossed.json");
  json_t *object = assert_json(run("check %s --json --fail-on-hit --out %s --threads 3", mesh, out), 1);
  assert_true(json_is_true(json_object_get(object, "intersects")));
  assert_count(object, "crossings", 6);
  assert_count(object, "touching", 1);
  assert_count(object, "patches", 4);
  assert_first(object, "ef", 1, 3);
  json_decref(object);
  json_t *file = json_load_file(out, 0, NULL);
  json_t *want =
      json_loads("{\"crossings\":[[1,3],[6,1],[7,1],[8,0],[13,4],[14,4]],\"vf\":[[14,4]],\"ee\":[],\"ve\":[],"
                 "\"vv\":[],\"patch\":[0,1,1,2,3,3]}",
                 0, NULL);
  assert_non_null(want);
  if (!json_equal(file, want))
    fail_msg("%s", json_dumps(file, 0));
  json_decref(file);
  json_decref(want);
}

static void the_table_says_it_in_words(void **state) {
  (void)state;
  ran result = run("check %s --threads 1", write_crossed("words.ply", 1.5));
  assert_int_equal(result.code, 0);
  assert_string_equal(result.err, "");
  static const char *const said[] = {"17 vertices, 19 edges, 7 faces; 1 thread\n", "The mesh intersects itself.",
                                     "in 6 places (crossings), which make up 4 patches; 1 pair touches.",
                                     "The first: edge 1 passes through face 3.", "(11, 1, -1)"};
  for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
    if (strstr(result.out, said[i]) == NULL)
      fail_msg("no \"%s\" in \"%s\"", said[i], result.out);
  ran_free(&result);
}

static void patches_are_linked_by_a_common_edge_or_face(void **state) {
  (void)state;
  // A fork of three loose edges through a face, and one edge through two faces above each other.
  const char *mesh = test_write_text(
      "fork.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 1 1 5\nv 1 1 -1\nv 2 1 -1\nv 1 2 -1\nl 4 5\nl 4 6\nl 4 7\nf 1 2 3\n"
                  "v 0 0 -9\nv 9 0 -9\nv 0 9 -9\nf 8 9 10\nv 3 3 1\nv 3 3 -10\nl 11 12\nv 20 0 0\nv 29 0 0\nv 20 9 0\n"
                  "f 13 14 15\nv 21 1 1\nv 21 1 -1\nl 16 17\n");
  const char *out = test_path("fork.json");
  json_t *object = assert_json(run("check %s --json --out %s", mesh, out), 0);
  assert_count(object, "crossings", 6);
  assert_count(object, "patches", 2);
  json_decref(object);
  json_t *file = json_load_file(out, 0, NULL), *want = json_loads("[0,0,0,0,0,1]", 0, NULL);
  assert_true(json_equal(json_object_get(file, "patch"), want));
  json_decref(file);
  json_decref(want);
}

/* The colours of a row of the file, which is read as the library reads meshes, and then past what it skips. */
static void the_coloured_mesh_is_the_mesh(void **state) {
  (void)state;
  const char *mesh = write_crossed("plain.ply", 1.5), *colour = test_path("colour.ply");
  json_t *object = assert_json(run("check %s --json --colour %s", mesh, colour), 0);
  json_decref(object);
  toi_context *context = test_context(1);
  toi_frame a, b;
  assert_int_equal(toi_frame_read(context, mesh, &a), TOI_OK);
  if (toi_frame_read(context, colour, &b) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
  assert_int_equal(toi_frames_match(context, &a, mesh, &b, colour), TOI_OK);
  assert_memory_equal(a.vertices, b.vertices, 17 * 3 * sizeof(double));
  toi_frame_free(context, &a);
  toi_frame_free(context, &b);
  toi_context_destroy(context);
  size_t size;
  char *bytes = test_read_bytes(colour, &size);
  const char *end = strstr(bytes, "end_header\n");
  assert_non_null(end);
  const unsigned char *vertices = (const unsigned char *)end + strlen("end_header\n");
  const unsigned char *faces = vertices + 17 * 27;
  assert_ptr_equal(faces + 7 * 16, (const unsigned char *)bytes + size);
  static const unsigned char grey[3] = {160, 160, 160}, yellow[3] = {250, 220, 60};
  // Faces 0, 1 and 3 cross something, and so do the sides 46 of 2 and 3; 4 and 5 cross each other, 6 touches 4 only.
  for (int i = 0; i < 7; i++) {
    const unsigned char *own = faces + 16 * i + 13;
    assert_int_equal(memcmp(own, grey, 3) == 0, i == 6);
    assert_int_not_equal(memcmp(own, yellow, 3), 0);
  }
  // The corner that lies in face 4 touches.
  assert_memory_equal(vertices + 14 * 27 + 24, yellow, 3);
  assert_memory_equal(vertices + 15 * 27 + 24, grey, 3);
  // One patch, one colour: face 4 and the edge through it; another one for face 0.
  assert_memory_equal(faces + 16 * 4 + 13, vertices + 11 * 27 + 24, 3);
  assert_memory_not_equal(faces + 16 * 4 + 13, faces + 13, 3);
  free(bytes);
}

static void the_check_is_the_same_for_any_way_of_working(void **state) {
  (void)state;
  test_make_directory("cloth");
  json_t *made = assert_json(run("demo --size 16 --json --write %s", test_path("cloth")), 0);
  json_decref(made);
  static const char *const ways[] = {"--threads 1", "--threads 3 --broad sweep", "--memory 2M --threads 2",
                                     "--broad brute"};
  char *first = NULL;
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    json_t *object = assert_json(
        run("check %s/frame1.ply --json --out %s %s", test_path("cloth"), test_path("same.json"), ways[i]), 0);
    assert_true(json_integer_value(json_object_get(object, "crossings")) > 10);
    json_decref(object);
    char *bytes = test_read_bytes(test_path("same.json"), NULL);
    if (first != NULL)
      assert_string_equal(bytes, first);
    if (first == NULL)
      first = bytes;
    else
      free(bytes);
  }
  free(first);
}

static void bad_words_of_the_check_get_a_line(void **state) {
  (void)state;
  const char *mesh = write_triangles("bad.ply", 1);
  assert_fails(run("check"), "needs one mesh but got 0");
  assert_fails(run("check %s %s", mesh, mesh), "needs one mesh but got 2");
  assert_fails(run("check nowhere.ply"), "nowhere.ply");
  assert_fails(run("check %s --colour x.obj", mesh), "written as .ply");
  assert_fails(run("check %s --out %s", mesh, mesh), "would be replaced");
  assert_fails(run("check %s --colour %s", mesh, mesh), "would be replaced");
  assert_fails(run("check %s --min-separation 1", mesh), "--min-separation");
  assert_fails(run("check %s --broad none", mesh), "none");
  assert_fails(run("check %s --memory 1000", mesh), "1000");
  assert_fails(run("check %s --out /nowhere/x.json", mesh), "/nowhere");
}

/* --- the first frame of steps and sequences --- */

static void a_step_that_starts_intersecting_says_so(void **state) {
  (void)state;
  char start[1024], end[1024], clear[1024];
  snprintf(start, sizeof start, "%s", write_triangles("in.ply", -1));
  snprintf(end, sizeof end, "%s", write_triangles("below.ply", -1.5));
  snprintf(clear, sizeof clear, "%s", write_triangles("above.ply", 1));
  // Two sides pass through the face, and go on to do so: nothing touches.
  json_t *object = assert_json(run("step %s %s --json --fail-on-hit", start, end), 1);
  assert_text(object, "verdict", "miss");
  const json_t *found = json_object_get(object, "start");
  assert_true(json_is_true(json_object_get(found, "intersects")));
  assert_count(found, "crossings", 2);
  assert_count(found, "touching", 0);
  assert_true(number_at(json_object_get(object, "ms"), "start") >= 0);
  json_decref(object);
  object = assert_json(run("step %s %s --json --fail-on-hit --no-start-check", start, end), 0);
  assert_true(json_is_null(json_object_get(object, "start")));
  json_decref(object);
  object = assert_json(run("step %s %s --json --fail-on-hit", clear, clear), 0);
  assert_true(json_is_false(json_object_get(json_object_get(object, "start"), "intersects")));
  json_decref(object);
  ran result = run("step %s %s", start, end);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "start              intersects itself: 2 crossings, 0 touching pairs; edge 3 "
                                     "passes through face 0 first; see toi check\n"));
  ran_free(&result);
  result = run("step %s %s", clear, clear);
  assert_non_null(strstr(result.out, "free of intersections"));
  ran_free(&result);
}

static void a_sequence_examines_its_first_frame_only(void **state) {
  (void)state;
  char in[1024], below[1024], above[1024];
  snprintf(in, sizeof in, "%s", write_triangles("seq_in.ply", -1));
  snprintf(below, sizeof below, "%s", write_triangles("seq_below.ply", -1.5));
  snprintf(above, sizeof above, "%s", write_triangles("seq_above.ply", 1));
  json_t *object = assert_json(run("sequence %s %s %s --json --fail-on-hit", in, below, in), 1);
  assert_count(object, "impacts", 0);
  assert_count(json_object_get(object, "start"), "crossings", 2);
  // The steps name their frames by the same key.
  assert_text(json_array_get(json_object_get(object, "steps"), 0), "start", in);
  json_decref(object);
  object = assert_json(run("sequence %s %s %s --json --fail-on-hit --no-start-check", in, below, in), 0);
  assert_true(json_is_null(json_object_get(object, "start")));
  json_decref(object);
  object = assert_json(run("sequence %s %s --json", above, in), 0);
  assert_true(json_is_false(json_object_get(json_object_get(object, "start"), "intersects")));
  json_decref(object);
  ran result = run("sequence %s %s", in, below);
  assert_non_null(strstr(result.out, "intersects itself: 2 crossings"));
  ran_free(&result);
}

/* --- the line search --- */

static void a_line_search_stops_before_contact(void **state) {
  (void)state;
  char start[1024], end[1024], out[1024];
  snprintf(start, sizeof start, "%s", write_triangles("ls_start.ply", 1));
  snprintf(end, sizeof end, "%s", write_triangles("ls_end.ply", -1));
  snprintf(out, sizeof out, "%s", test_path("ls_out.ply"));
  json_t *object = assert_json(run("line-search %s %s --json --out %s --threads 2", start, end, out), 0);
  const double step = number_at(object, "step");
  assert_true(step > 0.49 && step < 0.5);
  assert_true(number_at(object, "fraction") == 0);
  assert_true(json_integer_value(json_object_get(object, "tries")) >= 1);
  assert_first(object, "vf", 3, 0);
  assert_true(number_at(object, "ms") >= 0);
  json_decref(object);
  // What was written is safe to go to, and nothing intersects there.
  object = assert_json(run("step %s %s --json --fail-on-hit", start, out), 0);
  assert_text(object, "verdict", "miss");
  json_decref(object);
  // It is where the step says, in the numbers of the input.
  toi_context *context = test_context(1);
  toi_frame reached;
  assert_int_equal(toi_frame_read(context, out, &reached), TOI_OK);
  assert_int_equal(reached.scalar, TOI_FLOAT64);
  assert_true(fabs(((const double *)reached.vertices)[3 * 3 + 2] - (1 - 2 * step)) < 1e-12);
  toi_frame_free(context, &reached);
  toi_context_destroy(context);
}

static void a_line_search_keeps_a_fraction_or_a_distance(void **state) {
  (void)state;
  char start[1024], end[1024], out[1024];
  snprintf(start, sizeof start, "%s", write_triangles("keep_start.ply", 1));
  snprintf(end, sizeof end, "%s", write_triangles("keep_end.ply", -1));
  snprintf(out, sizeof out, "%s", test_path("keep_out.obj.gz"));
  static const char *const words[] = {"--separation-fraction 0.25", "--min-separation 0.25",
                                      "--min-separation 0.25 --norm linf"};
  for (int i = 0; i < 3; i++) {
    json_t *object = assert_json(run("line-search %s %s --json --out %s %s", start, end, out, words[i]), 0);
    const double step = number_at(object, "step");
    assert_true(step > 0.37 && step <= 0.375);
    json_decref(object);
    object = assert_json(run("step %s %s --json --fail-on-hit %s", start, out, words[i]), 0);
    json_decref(object);
  }
  // Both: an initial distance of 1 may shrink to 0.5 + 0.25 (1 - 0.5).
  json_t *object = assert_json(
      run("line-search %s %s --json --out %s --min-separation 0.5 --separation-fraction 0.25", start, end, out), 0);
  assert_true(number_at(object, "step") > 0.185 && number_at(object, "step") <= 0.1875);
  assert_true(number_at(object, "fraction") == 0.25);
  json_decref(object);
  object = assert_json(run("step %s %s --json --fail-on-hit --min-separation 0.625", start, out), 0);
  json_decref(object);
  ran table = run("line-search %s %s --min-separation 0.5 --separation-fraction 0.25", start, end);
  assert_int_equal(table.code, 0);
  assert_non_null(strstr(table.out, "separation (l2): 0.5, and 0.25 of each pair's initial distance beyond it"));
  assert_non_null(strstr(table.out, "every pair keeps more than 0.5, and 0.25 of its initial distance beyond that"));
  ran_free(&table);
  object = assert_json(run("line-search %s %s --json --t-max 0.25", start, end), 0);
  assert_true(number_at(object, "step") == 0.25);
  assert_true(json_is_null(json_object_get(object, "first")));
  json_decref(object);
}

static void floats_stay_floats(void **state) {
  (void)state;
  char start[1024], end[1024], out[1024];
  snprintf(start, sizeof start, "%s", write_loose("narrow_start.ply", 0));
  snprintf(end, sizeof end, "%s", write_loose("narrow_end.ply", 1));
  snprintf(out, sizeof out, "%s", test_path("narrow_out.ply"));
  ran result = run("line-search %s %s --out %s", start, end, out);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "limited by"));
  ran_free(&result);
  toi_context *context = test_context(1);
  toi_frame reached;
  assert_int_equal(toi_frame_read(context, out, &reached), TOI_OK);
  assert_int_equal(reached.scalar, TOI_FLOAT32);
  assert_int_equal(reached.loose_count, 1);
  toi_frame_free(context, &reached);
  toi_context_destroy(context);
  json_t *object = assert_json(run("step %s %s --json --fail-on-hit", start, out), 0);
  json_decref(object);
}

static void bad_words_of_the_line_search_get_a_line(void **state) {
  (void)state;
  char mesh[1024];
  snprintf(mesh, sizeof mesh, "%s", write_triangles("lsbad.ply", 1));
  assert_fails(run("line-search %s", mesh), "needs two meshes, START and END, but got 1");
  assert_fails(run("line-search %s %s --out x.stl", mesh, mesh), "x.stl");
  assert_fails(run("line-search %s %s --out %s", mesh, mesh, mesh), "would be replaced");
  assert_fails(run("line-search %s %s --separation-fraction 1", mesh, mesh), "--separation-fraction");
  assert_fails(run("line-search %s %s --min-separation -1 --separation-fraction 0.5", mesh, mesh), "--min-separation");
  assert_fails(run("line-search %s %s --t-max 2", mesh, mesh), "--t-max");
  assert_fails(run("line-search %s %s", mesh, write_loose("lsother.ply", 0)), "lsother.ply");
  assert_fails(run("line-search %s %s --out /nowhere/x.ply", mesh, mesh), "/nowhere");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mesh_that_is_free_says_so),
      cmocka_unit_test(crossings_and_patches_are_written),
      cmocka_unit_test(the_table_says_it_in_words),
      cmocka_unit_test(patches_are_linked_by_a_common_edge_or_face),
      cmocka_unit_test(the_coloured_mesh_is_the_mesh),
      cmocka_unit_test(the_check_is_the_same_for_any_way_of_working),
      cmocka_unit_test(bad_words_of_the_check_get_a_line),
      cmocka_unit_test(a_step_that_starts_intersecting_says_so),
      cmocka_unit_test(a_sequence_examines_its_first_frame_only),
      cmocka_unit_test(a_line_search_stops_before_contact),
      cmocka_unit_test(a_line_search_keeps_a_fraction_or_a_distance),
      cmocka_unit_test(floats_stay_floats),
      cmocka_unit_test(bad_words_of_the_line_search_get_a_line),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
