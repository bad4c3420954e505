/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* PLY files: every format and type gives the same mesh, on every way through the reader; everything else is refused
 * with a sentence that says where. */

#include "io/meshes.h"

#include <math.h>

static void read_fine(toi_context *context, const char *path, toi_frame *frame) {
  if (toi_frame_read(context, path, frame) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

static void expect_layout(toi_context *context, const mesh *m, const ply_layout *l, const char *name) {
  bytes b = ply_bytes(m, l);
  toi_frame frame;
  read_fine(context, test_write_bytes(name, b.data, b.size), &frame);
  expect_mesh(m, &frame);
  const bool wide = type_bytes(l->scalar) == 8 || strcmp(l->scalar, "int") == 0;
  assert_int_equal(frame.scalar, wide ? TOI_FLOAT64 : TOI_FLOAT32);
  toi_frame_free(context, &frame);
  assert_null(frame.vertices);
  free(b.data);
}

/* --- what is read --- */

static void every_format_and_type_gives_the_mesh(void **state) {
  uint64_t seed = test_seed(0x5eed0041);
  static const char *const names[] = {"m.ply", "m.ply.gz"};
  static const char *const indices[] = {"char", "uint8", "int16", "ushort", "int", "uint32"};
  static const char *const counts[] = {"uchar", "int8", "uint16", "short", "uint", "int32"};
  static const char *const scalars[] = {"float", "double", "float32", "float64"};
  mesh plain = mesh_make(&seed, 100, 3), mixed = mesh_make(&seed, 100, 9);
  for (int format = 0; format < FORMATS; format++)
    for (size_t i = 0; i < 6; i++)
      for (size_t extras = 0; extras < 2; extras++)
        for (size_t n = 0; n < 2; n++) {
          const ply_layout l = {(ply_format)format, scalars[i % 4], counts[(i + extras) % 6], indices[i], extras == 1};
          expect_layout(*state, &plain, &l, names[n]);
          expect_layout(*state, &mixed, &l, names[n]);
        }
  mesh_free(&plain);
  mesh_free(&mixed);
}

/* Large enough for many chunks, so that threads share the work; once with polygons of one size, once with one larger
 * polygon in the middle, from which on the rows are read one by one. */
static void large_files_are_the_same_on_all_ways(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0042);
  static const uint32_t sizes[] = {3, 4, 16};
  for (size_t i = 0; i < 3; i++) {
    mesh m = mesh_make(&seed, test_count(40000) + 2, 3);
    free(m.corners);
    m.corner_count = m.polygon_count * sizes[i];
    m.corners = malloc((m.corner_count + 1) * sizeof *m.corners);
    for (size_t k = 0; k < m.corner_count; k++)
      m.corners[k] = (uint32_t)(test_random(&seed) % m.vertex_count);
    for (size_t k = 0; k < m.polygon_count; k++)
      m.sizes[k] = sizes[i];
    for (int odd = 0; odd < 2; odd++) {
      if (odd == 1) {
        m.sizes[m.polygon_count / 2]++;
        m.sizes[m.polygon_count / 2 + 1]--;
        if (sizes[i] == 3)
          m.sizes[m.polygon_count / 2 + 1]++, m.polygon_count--;
      }
      for (uint32_t threads = 1; threads <= 3; threads += 2) {
        toi_context *context = test_context(threads);
        for (int format = LITTLE; format <= BIG; format++) {
          const ply_layout bare = {(ply_format)format, "double", "uchar", "int", false};
          const ply_layout extra = {(ply_format)format, "float", "uint", "uint", true};
          expect_layout(context, &m, &bare, "large.ply");
          expect_layout(context, &m, &extra, "large.ply");
          if (threads == 1)
            expect_layout(context, &m, &extra, "large.ply.gz");
        }
        toi_context_destroy(context);
      }
    }
    mesh_free(&m);
  }
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define FACES "property list uchar int vertex_indices\n"

static void decimal_coordinates_are_rounded_once(void **state) {
  toi_frame frame;
  read_fine(*state,
            test_write_text("d.ply", HEAD "element vertex 2\nproperty double x\nproperty float64 y\n"
                                          "property double z\nend_header\n"
                                          "0.1 -0 1e-320\n  9007199254740993 +.5 1.7976931348623157e308 \n\n"),
            &frame);
  const double *doubles = frame.vertices;
  assert_int_equal(frame.scalar, TOI_FLOAT64);
  assert_int_equal(frame.vertex_count, 2);
  assert_true(doubles[0] == 0.1 && doubles[1] == 0 && signbit(doubles[1]) && doubles[2] == 1e-320);
  assert_true(doubles[3] == 9007199254740992.0 && doubles[4] == 0.5 && doubles[5] == 1.7976931348623157e308);
  assert_null(frame.faces);
  assert_null(frame.loose);
  toi_frame_free(*state, &frame);

  // Just above a tie of two floats, by less than a double can tell: rounding twice would go to the even one.
  read_fine(*state,
            test_write_text("f.ply", HEAD "element vertex 1\n" XYZ "end_header\n"
                                          "1.00000005960464477539062500001 1 1\n"),
            &frame);
  assert_int_equal(frame.scalar, TOI_FLOAT32);
  assert_true(((const float *)frame.vertices)[0] == 0x1.000002p+0f);
  toi_frame_free(*state, &frame);
}

static void integers_and_mixed_types_are_widened(void **state) {
  toi_frame frame;
  bytes b = {0};
  put_text(&b, "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty short z\nproperty char x\n"
               "property uchar y\nend_header\n");
  put(&b, "\xff\x00\x80\xff", 4);
  read_fine(*state, test_write_bytes("i.ply", b.data, b.size), &frame);
  free(b.data);
  assert_int_equal(frame.scalar, TOI_FLOAT32);
  const float *floats = frame.vertices;
  assert_true(floats[0] == -128 && floats[1] == 255 && floats[2] == -256);
  toi_frame_free(*state, &frame);
  read_fine(*state,
            test_write_text("j.ply", HEAD "element vertex 1\nproperty float x\nproperty uint y\n"
                                          "property double z\nend_header\n0.1 4294967295 0.1\n"),
            &frame);
  assert_int_equal(frame.scalar, TOI_FLOAT64);
  const double *doubles = frame.vertices;
  assert_true(doubles[0] == (double)0.1f && doubles[1] == 4294967295.0 && doubles[2] == 0.1);
  toi_frame_free(*state, &frame);
}

static void faces_may_come_before_vertices(void **state) {
  toi_frame frame;
  read_fine(*state,
            test_write_text("b.ply", HEAD "element edge 1\nproperty int vertex2\nproperty int vertex1\n"
                                          "element face 1\n" FACES "element nothing 5\nelement vertex 4\n" XYZ
                                          "end_header\n2 1\n4 3 2 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0"),
            &frame);
  const uint32_t faces[2][3] = {{3, 2, 1}, {3, 1, 0}}, loose[1][2] = {{1, 2}};
  assert_int_equal(frame.vertex_count, 4);
  assert_int_equal(frame.face_count, 2);
  assert_memory_equal(frame.faces, faces, sizeof faces);
  assert_int_equal(frame.loose_count, 1);
  assert_memory_equal(frame.loose, loose, sizeof loose);
  toi_frame_free(*state, &frame);
}

/* --- what is refused --- */

static void headers_that_make_no_sense_are_refused(void **state) {
  static const struct {
    const char *text, *wanted;
  } cases[] = {
      {"", ": not a PLY file: its first line is not `ply`; check its name"},
      {"plyx\n", ": not a PLY file: its first line is not `ply`; check its name"},
      {"ply\nformat ascii 1.0\n", ": the header ends early: no `end_header`; restore the file"},
      {"ply\nformat text 1.0\n", ":2: \"text\" is not a format; use ascii, binary_little_endian or binary_big_endian"},
      {"ply\nformat ascii 2.0\n", ":2: \"2.0\" is not a supported version; use 1.0"},
      {HEAD "format ascii 1.0\n", ":3: a second format; keep one"},
      {HEAD "colour red\n", ":3: \"colour\" does not belong in a PLY header; remove the line"},
      {HEAD "element\n", ":3: an element without a name; write `element NAME COUNT`"},
      {HEAD "element vertex -1\n", ":3: \"-1\" is not a number of rows; write `element NAME COUNT`"},
      {HEAD "element vertex 99999999999999999999\n",
       ":3: \"99999999999999999999\" is not a number of rows; write `element NAME COUNT`"},
      {HEAD "element vertex 3 4\n", ":3: \"4\" is left over at the end of the line; remove it"},
      {HEAD "property float x\n", ":3: a property before the first element; put it after one"},
      {HEAD "element vertex 1\nproperty half x\n",
       ":4: \"half\" is not a type; use char, uchar, short, ushort, int, uint, float or double"},
      {HEAD "element vertex 1\nproperty float\n", ":4: a property without a name; give it one"},
      {HEAD "element vertex 1\nproperty list float int a\n",
       ":4: \"float\" does not count a list; write an integer type such as uchar"},
      {HEAD "element face 1\nproperty list uchar float vertex_indices\n",
       ":4: \"vertex_indices\" holds vertex numbers; give it an integer type such as int"},
      {HEAD "element vertex 1\nproperty float x\nproperty float x\n",
       ":5: \"x\" is a duplicate property of this element; keep one"},
      {HEAD "element vertex 1\n" XYZ "element vertex 1\n" XYZ "end_header\n", ":7: a second element vertex; keep one"},
      {HEAD "element vertex 1\nproperty float x\nproperty float y\nend_header\n",
       ":3: element vertex lacks properties x, y and z; add what is missing"},
      {HEAD "element vertex 1\n" XYZ "element face 1\nproperty int a\nend_header\n",
       ":7: element face lacks a list vertex_indices; add what is missing"},
      {HEAD "element vertex 1\n" XYZ "element edge 1\nproperty int vertex1\nend_header\n",
       ":7: element edge lacks properties vertex1 and vertex2; add what is missing"},
      {HEAD "element vertex 0\n" XYZ "end_header\n", ": a mesh without vertices; give it some"},
      {HEAD "end_header\n", ": a mesh without vertices; give it some"},
      {"ply\nelement vertex 1\n" XYZ "end_header\n",
       ":6: the header ends without a format; add `format ascii 1.0` or a binary one"},
      {HEAD "element vertex 4294967295\n" XYZ "end_header\n",
       ":3: 4294967295 rows of element vertex; numbers of 32 bits name at most 4294967294"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    expect_refused(*state, test_write_text("bad.ply", cases[i].text), cases[i].wanted);
}

#define THREE HEAD "element vertex 3\n" XYZ
#define POINTS "0 0 0\n1 0 0\n0 1 0\n"

static void rows_of_text_that_make_no_sense_are_refused(void **state) {
  static const struct {
    const char *text, *wanted;
  } cases[] = {
      {THREE "end_header\n0 0 0\n1 0\n0 1 0\n",
       ":9: vertex 1: the line ends too soon; a row has a value for each property"},
      {THREE "end_header\n0 0 0\n\n1 0 0 4\n0 1 0\n",
       ":10: vertex 1: \"4\" is left over at the end of the line; a row has a value for each property"},
      {THREE "end_header\n0 0 0\n1 nan 0\n0 1 0\n",
       ":9: vertex 1: \"nan\" is not a finite number; coordinates must be"},
      {THREE "end_header\n0 0 0\n1 0 0\n0 1 -inf\n",
       ":10: vertex 2: \"-inf\" is not a finite number; coordinates must be"},
      {THREE "end_header\n0 0 0\n1 0,5 0\n0 1 0\n",
       ":9: vertex 1: \"0,5\" is not a finite number; coordinates must be"},
      {THREE "end_header\n0 0 0\n1 0 1e39\n0 1 0\n", ":9: vertex 1: z is infinite; coordinates must be finite"},
      {THREE "end_header\n0 0 0\n1 0 0\n      ", ": the file ends in vertex 2 of 3; it is truncated, restore its end"},
      {THREE "end_header\n" POINTS "0 0 0\n",
       ": the file continues after the last row that its header counts (byte 118); correct the counts"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "3 0 1 3\n",
       ":13: face 0 names vertex 3, but there are 3, numbered from 0"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "3 0 1 -1\n",
       ":13: face 0 names vertex -1, but there are 3, numbered from 0"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "2 0 1\n",
       ":13: face 0 has 2 corners; a face has 3 at least"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "4 0 1 2\n",
       ":13: face 0: the line ends too soon; a row has a value for each property"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "3 0 1 1.5\n",
       ":13: face 0: \"1.5\" is not an integer; write digits only"},
      {THREE "element face 1\n" FACES "end_header\n" POINTS "-3 0 1 2\n",
       ":13: face 0: a list of -3 values; restore the file"},
      {THREE "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n" POINTS "0 7\n",
       ":14: edge 0 names vertex 7, but there are 3, numbered from 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_refused(*state, test_write_text("bad.ply", cases[i].text), cases[i].wanted);
    expect_refused(*state, test_write_text("bad.ply.gz", cases[i].text), cases[i].wanted);
  }
}

/* One value of a binary file is spoiled; plain and compressed, alone and on three threads, the sentence is the same. */
typedef struct spoiled {
  size_t vertices;
  size_t faces;
  size_t vertex, face; /* the row to spoil; SIZE_MAX: none */
  double value;
  const char *wanted;
} spoiled;

static void expect_spoiled(const spoiled *s, ply_format format) {
  uint64_t seed = 1;
  mesh m = mesh_make(&seed, s->faces, 3);
  if (s->vertex != SIZE_MAX)
    m.vertices[s->vertex][1] = s->value;
  if (s->face != SIZE_MAX)
    m.corners[3 * s->face + 2] = (uint32_t)s->value;
  const ply_layout l = {format, "float", "uchar", "int", false};
  bytes b = ply_bytes(&m, &l);
  for (uint32_t threads = 1; threads <= 3; threads += 2) {
    toi_context *context = test_context(threads);
    expect_refused(context, test_write_bytes("s.ply", b.data, b.size), s->wanted);
    expect_refused(context, test_write_bytes("s.ply.gz", b.data, b.size), s->wanted);
    toi_context_destroy(context);
  }
  free(b.data);
  mesh_free(&m);
}

static void binary_rows_that_make_no_sense_are_refused(void **state) {
  (void)state;
  const spoiled cases[] = {
      {0, 10, 3, SIZE_MAX, NAN, ": vertex 3: y is not a number; coordinates must be finite"},
      {0, 60000, 54321, SIZE_MAX, INFINITY, ": vertex 54321: y is infinite; coordinates must be finite"},
      {0, 10, SIZE_MAX, 9, 13, ": face 9 names vertex 13, but there are 13, numbered from 0"},
      {0, 60000, SIZE_MAX, 43210, 4294967295.0, ": face 43210 names vertex -1, but there are 60003, numbered from 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_spoiled(&cases[i], LITTLE);
    expect_spoiled(&cases[i], BIG);
  }
}

#define BINARY "ply\nformat binary_little_endian 1.0\n"

static void lists_longer_than_the_file_are_refused(void **state) {
  bytes b = {0};
  put_text(&b, BINARY "element vertex 1\n" XYZ "element face 1\nproperty list uint uchar vertex_indices\nend_header\n");
  put(&b, (float[3]){0, 0, 0}, 12);
  put(&b, "\0\0\0\x80\0\0\0\0", 8);
  expect_refused(*state, test_write_bytes("l.ply", b.data, b.size),
                 ": face 0: a list of 2147483648 values is longer than the rest of the file; restore it");
  // More behind it than the buffer holds: of a compressed file nobody knows how much.
  char *zeros = calloc(1, 1 << 20);
  put(&b, zeros, 1 << 20);
  free(zeros);
  expect_refused(*state, test_write_bytes("l.ply.gz", b.data, b.size),
                 ": the file ends in face 0 of 1; it is truncated, restore its end");
  free(b.data);
}

/* A header may promise anything: within a budget of 4 MiB the answer is about the file, not about memory. */
static void headers_that_lie_cost_no_memory(void **state) {
  (void)state;
  toi_context_options options = toi_default_context_options();
  options.memory_budget = 4 << 20;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  static const struct {
    const char *header, *plain, *compressed;
  } cases[] = {
      {BINARY "element vertex 4294967294\n" XYZ "end_header\n",
       ": the header counts 4294967294 rows of element vertex, 12 bytes each at least, but the file has 1048576 bytes "
       "for them; it is truncated, restore its end",
       ": the file ends in vertex 87381 of 4294967294; it is truncated, restore its end"},
      {BINARY "element vertex 1\n" XYZ "element face 4294967294\nproperty list uchar int vertex_indices\n"
              "property list int char vertex_index_too\nend_header\n",
       ": the header counts 4294967294 rows of element face, 17 bytes each at least, but the file has 1048564 bytes "
       "for them; it is truncated, restore its end",
       ": face 0 has 0 corners; a face has 3 at least"},
      {BINARY "element other 922337203685477579\nproperty double a\nelement vertex 1\n" XYZ "end_header\n",
       ": the header counts 922337203685477579 rows of element other, 8 bytes each at least, but the file has 1048576 "
       "bytes for them; it is truncated, restore its end",
       ": the file ends in the rows of element other; it is truncated, restore its end"},
      {HEAD "element vertex 4000000000\n" XYZ "end_header\n0 0 0\n1 1 1",
       ":9: vertex 1: \"1???????????????????????????????????????????...\" is not a finite number; coordinates must be",
       ":9: vertex 1: \"1???????????????????????????????????????????...\" is not a finite number; coordinates must be"},
  };
  char *zeros = calloc(1, 1 << 20);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bytes b = {0};
    put(&b, cases[i].header, strlen(cases[i].header));
    put(&b, zeros, 1 << 20);
    expect_refused(context, test_write_bytes("lie.ply", b.data, b.size), cases[i].plain);
    expect_refused(context, test_write_bytes("lie.ply.gz", b.data, b.size), cases[i].compressed);
    free(b.data);
  }
  free(zeros);
  toi_context_destroy(context);
}

static void names_and_arguments_are_checked(void **state) {
  toi_frame frame;
  assert_int_equal(toi_frame_read(*state, "mesh.stl", &frame), TOI_ERROR_OPTION);
  assert_string_equal(toi_context_error(*state),
                      "mesh.stl: meshes are read from .ply or .obj, optionally with .gz; change the name");
  assert_int_equal(toi_frame_read(*state, test_path("none.ply"), &frame), TOI_ERROR_FILE);
  assert_int_equal(toi_frame_read(NULL, "a.ply", &frame), TOI_ERROR_INPUT);
  assert_int_equal(toi_frame_read(*state, NULL, &frame), TOI_ERROR_INPUT);
  assert_int_equal(toi_frame_read(*state, "a.ply", NULL), TOI_ERROR_INPUT);
  toi_frame_free(*state, NULL);
  toi_frame_free(NULL, &frame);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_and_type_gives_the_mesh),
      cmocka_unit_test(large_files_are_the_same_on_all_ways),
      cmocka_unit_test(decimal_coordinates_are_rounded_once),
      cmocka_unit_test(integers_and_mixed_types_are_widened),
      cmocka_unit_test(faces_may_come_before_vertices),
      cmocka_unit_test(headers_that_make_no_sense_are_refused),
      cmocka_unit_test(rows_of_text_that_make_no_sense_are_refused),
      cmocka_unit_test(binary_rows_that_make_no_sense_are_refused),
      cmocka_unit_test(lists_longer_than_the_file_are_refused),
      cmocka_unit_test(headers_that_lie_cost_no_memory),
      cmocka_unit_test(names_and_arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
