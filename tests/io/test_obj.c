/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* OBJ files, and frames written as OBJ or PLY: what is written comes back bit for bit; everything else is refused with
 * its line. */

#include "io/meshes.h"

#include <math.h>
#include <unistd.h>

static void read_fine(toi_context *context, const char *path, toi_frame *frame) {
  if (toi_frame_read(context, path, frame) != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* --- reading --- */

static void everything_that_obj_may_say_is_understood(void **state) {
  static const char text[] = "# a comment \\\n"
                             "mtllib a.mtl \\\n  f 9 9 9\n"
                             "v 0 0 0\r\nv 1 0 0 1.0\n\tv  1 1 0  0.5 0.5 0.5 # colours\n"
                             "v \\\n0 1 \\\r\n 0\n"
                             "vn 0 0 1\nvt 0 0\nvp 1\no name\ng\ns off\n\n"
                             "f 1 2 3\nf 1/1 2/1 3/1 4/1\nf 1//1 2//1 3//1\nf 1/1/1 -3/-1/1 \\\n-2/1/1 +4 5\n"
                             "l 1 2 3\nl -1/1 -4/1\np 1 2 3\nv 1e-3 -2.5E+2 .5";
  static const uint32_t faces[][3] = {{0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  static const uint32_t loose[][2] = {{0, 1}, {1, 2}, {3, 0}};
  static const double points[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1e-3, -250, 0.5}};
  static const char *const names[] = {"a.obj", "a.obj.gz"};
  for (size_t n = 0; n < 2; n++) {
    toi_frame frame;
    read_fine(*state, test_write_text(names[n], text), &frame);
    assert_int_equal(frame.scalar, TOI_FLOAT64);
    assert_int_equal(frame.vertex_count, 5);
    assert_memory_equal(frame.vertices, points, sizeof points);
    assert_int_equal(frame.face_count, 7);
    assert_memory_equal(frame.faces, faces, sizeof faces);
    assert_int_equal(frame.loose_count, 3);
    assert_memory_equal(frame.loose, loose, sizeof loose);
    toi_frame_free(*state, &frame);
  }
}

#define POINTS "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define NO_VERTEX " is not a vertex; write its number, from 1, or from the end with a minus sign"

static void lines_that_make_no_sense_are_refused(void **state) {
  static const struct {
    const char *text, *wanted;
  } cases[] = {
      {"", ": a mesh without vertices; give it some"},
      {"# nothing\n", ": a mesh without vertices; give it some"},
      {"v 1 2\n", ":1: a vertex has three coordinates; add what is missing"},
      {"v 1 2 # 3\n", ":1: a vertex has three coordinates; add what is missing"},
      {POINTS "v 0 nan 0\n", ":4: vertex 4: y is \"nan\", which is not a finite number; coordinates must be"},
      {POINTS "v 0 0 1e309\n", ":4: vertex 4: z is \"1e309\", which is not a finite number; coordinates must be"},
      {POINTS "v 0,5 0 0\n", ":4: vertex 4: x is \"0,5\", which is not a finite number; coordinates must be"},
      {POINTS "f 1 2\n", ":4: a face has three corners at least; add what is missing"},
      {POINTS "l 1\n", ":4: a line has two vertices at least; add what is missing"},
      {POINTS "f 1 2 0\n", ":4: \"0\"" NO_VERTEX},
      {POINTS "f 1 2 x\n", ":4: \"x\"" NO_VERTEX},
      {POINTS "f 1 2 3-1\n", ":4: \"3-1\"" NO_VERTEX},
      {POINTS "f 1 2 3/1/1/1\n", ":4: \"3/1/1/1\"" NO_VERTEX},
      {POINTS "f 1 2 /1\n", ":4: \"/1\"" NO_VERTEX},
      {POINTS "f 1 2 -4\n", ":4: \"-4\" is out of range; there is no such vertex"},
      {POINTS "f 1 2 4294967295\n", ":4: \"4294967295\" is out of range; there is no such vertex"},
      {POINTS "f 1 2 99999999999999999999999\n",
       ":4: \"99999999999999999999999\" is out of range; there is no such vertex"},
      {POINTS "f 1 2 5\n\nf 1 2 7\nf 1 2 6\nv 0 0 0\n", ":6: vertex 7 is named, but there are 4"},
      {POINTS "f 1 \\\n2 \\\n x\n", ":4: \"x\"" NO_VERTEX},
      {"v 0 0 0\rv 1 0 0\r", ":1: a carriage return inside a line; end lines with a line feed, or with both"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    expect_refused(*state, test_write_text("bad.obj", cases[i].text), cases[i].wanted);
    expect_refused(*state, test_write_text("bad.obj.gz", cases[i].text), cases[i].wanted);
  }
}

/* Words of any length, at every place of the buffer. */
static void words_are_found_across_the_ends_of_the_buffer(void **state) {
  uint64_t seed = test_seed(0x5eed0043);
  bytes b = {0};
  size_t count = 0;
  while (b.size < 3 << 20) {
    put_text(&b, "v %d.%0*d 0 %llu\n", (int)(count % 100), 1 + (int)(test_random(&seed) % 200), 0,
             (unsigned long long)count);
    count++;
    if (count % 1000 == 0)
      for (size_t i = test_random(&seed) % 9000; i > 0; i--)
        put(&b, i % 2 == 0 ? " " : "#", 1);
    put(&b, "\n", 1);
  }
  toi_frame frame;
  read_fine(*state, test_write_bytes("words.obj", b.data, b.size), &frame);
  assert_int_equal(frame.vertex_count, count);
  for (size_t i = 0; i < count; i++) {
    const double *point = (const double *)frame.vertices + 3 * i;
    if (point[0] != (double)(i % 100) || point[1] != 0 || point[2] != (double)i)
      fail_msg("vertex %zu is %g %g %g", i, point[0], point[1], point[2]);
  }
  toi_frame_free(*state, &frame);
  free(b.data);
}

/* --- writing --- */

/* Doubles or floats of every exponent. */
static void fill_scalars(uint64_t *seed, void *values, toi_scalar scalar, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = i % 5 == 0 ? test_random(seed) >> (test_random(seed) % 64) : test_random(seed);
    double wide;
    float single;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&single, &bits, sizeof single);
    if (scalar == TOI_FLOAT32)
      ((float *)values)[i] = isfinite(single) ? single : -0.0f;
    else
      ((double *)values)[i] = isfinite(wide) ? wide : -0.0;
  }
}

static void expect_same(const toi_frame *written, const toi_frame *read, bool obj) {
  assert_int_equal(read->vertex_count, written->vertex_count);
  if (obj && written->scalar == TOI_FLOAT32) {
    // An OBJ has no types: the same floats come back as the doubles nearest to their digits.
    assert_int_equal(read->scalar, TOI_FLOAT64);
    for (size_t i = 0; i < 3 * written->vertex_count; i++) {
      const float value = (float)((const double *)read->vertices)[i];
      assert_memory_equal(&value, (const float *)written->vertices + i, sizeof value);
    }
  } else {
    assert_int_equal(read->scalar, written->scalar);
    const size_t scalar = written->scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
    assert_memory_equal(read->vertices, written->vertices, 3 * scalar * written->vertex_count);
  }
  assert_int_equal(read->face_count, written->face_count);
  if (written->face_count > 0)
    assert_memory_equal(read->faces, written->faces, written->face_count * sizeof *written->faces);
  assert_int_equal(read->loose_count, written->loose_count);
  if (written->loose_count > 0)
    assert_memory_equal(read->loose, written->loose, written->loose_count * sizeof *written->loose);
}

static void frames_come_back_bit_for_bit(void **state) {
  uint64_t seed = test_seed(0x5eed0044);
  enum { VERTICES = 5000, FACES = 9000, LOOSE = 700 };
  static double values[3 * VERTICES];
  static uint32_t faces[FACES][3], loose[LOOSE][2];
  static const char *const names[] = {"w.ply", "w.ply.gz", "w.obj", "w.obj.gz"};
  // Both scalars, with and without faces and edges, at any scale.
  for (uint64_t round = 3 + test_count(8); round > 0; round--) {
    toi_frame frame = {.vertices = values,
                       .scalar = round % 2 == 0 ? TOI_FLOAT64 : TOI_FLOAT32,
                       .vertex_count = VERTICES,
                       .faces = faces,
                       .face_count = FACES,
                       .loose = loose,
                       .loose_count = LOOSE};
    fill_scalars(&seed, values, frame.scalar, 3 * VERTICES);
    for (size_t i = 0; i < 3 * FACES; i++)
      faces[i / 3][i % 3] = (uint32_t)(test_random(&seed) % VERTICES);
    for (size_t i = 0; i < 2 * LOOSE; i++)
      loose[i / 2][i % 2] = (uint32_t)(test_random(&seed) % VERTICES);
    if (round % 3 == 0)
      frame.face_count = 0;
    if (round % 4 >= 2)
      frame.loose_count = 0;
    for (size_t n = 0; n < 4; n++) {
      if (toi_frame_write(*state, test_path(names[n]), &frame) != TOI_OK)
        fail_msg("%s", toi_context_error(*state));
      toi_frame read;
      read_fine(*state, test_path(names[n]), &read);
      expect_same(&frame, &read, n >= 2);
      toi_frame_free(*state, &read);
    }
  }
}

static void files_are_written_as_expected(void **state) {
  double points[2][3] = {{1, -0.5, 1e-7}, {0.1, 1e22, -0.0}};
  uint32_t faces[1][3] = {{0, 1, 0}}, loose[1][2] = {{1, 0}};
  const toi_frame frame = {.vertices = points,
                           .scalar = TOI_FLOAT64,
                           .vertex_count = 2,
                           .faces = faces,
                           .face_count = 1,
                           .loose = loose,
                           .loose_count = 1};
  const char *path = test_path("e.obj");
  assert_int_equal(toi_frame_write(*state, path, &frame), TOI_OK);
  char *text = test_read_bytes(path, NULL);
  assert_string_equal(text, "v 1 -0.5 9.9999999999999995e-8\nv 0.10000000000000001 1e22 -0\nf 1 2 1\nl 2 1\n");
  free(text);
  path = test_path("e.ply");
  assert_int_equal(toi_frame_write(*state, path, &frame), TOI_OK);
  size_t size;
  text = test_read_bytes(path, &size);
  const char *header = "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty double x\nproperty double y\n"
                       "property double z\nelement face 1\nproperty list uchar int vertex_indices\nelement edge 1\n"
                       "property int vertex1\nproperty int vertex2\nend_header\n";
  assert_memory_equal(text, header, strlen(header));
  assert_int_equal(size, strlen(header) + 2 * 24 + 13 + 8);
  free(text);
}

/* "v 0 0 0" and then a line of so many bytes: a comment, blanks, a face or a vertex with much behind it. */
static const char *write_long_line(const char *begin, const char *unit, size_t size_wanted) {
  static const char head[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const size_t size = strlen(unit);
  char *text = malloc(sizeof head + size_wanted + size + 2);
  assert_non_null(text);
  size_t length = (size_t)sprintf(text, "%s%s", head, begin);
  while (length < sizeof head - 1 + size_wanted) {
    memcpy(text + length, unit, size);
    length += size;
  }
  memcpy(text + length, "\n", 2);
  const char *path = test_write_text("long.obj", text);
  free(text);
  return path;
}

static void a_line_has_an_end(void **state) {
  static const struct {
    const char *begin, *unit;
  } lines[] = {{"# ", "x"}, {"  ", " "}, {"f 1 2 3", " 1"}, {"l 1", " 2"}, {"v 0 0 0", " 0"}, {"o", "n"}};
  enum { LIMIT = 16 << 20 };
  toi_frame frame;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    const char *path = write_long_line(lines[i].begin, lines[i].unit, LIMIT + (1 << 19));
    assert_int_equal(toi_frame_read(*state, path, &frame), TOI_ERROR_FORMAT);
    char place[512];
    snprintf(place, sizeof place, "%s:4: a line of more than 16777216 bytes", path);
    if (strncmp(toi_context_error(*state), place, strlen(place)) != 0)
      fail_msg("line %zu: \"%s\", not \"%s\"", i, toi_context_error(*state), place);
    assert_null(frame.vertices);
    // One that is a little shorter is fine.
    if (i > 0)
      continue;
    path = write_long_line(lines[i].begin, lines[i].unit, LIMIT - 64);
    assert_int_equal(toi_frame_read(*state, path, &frame), TOI_OK);
    assert_true(frame.vertex_count >= 3);
    toi_frame_free(*state, &frame);
  }
}

static void expect_unwritten(toi_context *context, const char *name, const toi_frame *frame, const char *wanted) {
  const size_t files = test_count_files();
  assert_int_equal(toi_frame_write(context, test_path(name), frame), TOI_ERROR_INPUT);
  assert_string_equal(toi_context_error(context), wanted);
  assert_int_equal(test_count_files(), files);
}

static void frames_that_could_not_be_read_are_not_written(void **state) {
  double points[2][3] = {{0}};
  uint32_t faces[1][3] = {{0, 1, 2}}, loose[2][2] = {{1, 0}, {9, 0}};
  const toi_frame fine = {.vertices = points, .scalar = TOI_FLOAT64, .vertex_count = 2};
  toi_frame frame = fine;
  frame.faces = faces;
  frame.face_count = 1;
  expect_unwritten(*state, "u.ply", &frame, "face 0 names vertex 2, but there are 2, numbered from 0");
  frame = fine;
  frame.loose = loose;
  frame.loose_count = 2;
  expect_unwritten(*state, "u.obj", &frame, "loose edge 1 names vertex 9, but there are 2, numbered from 0");
  frame = fine;
  points[1][2] = NAN;
  expect_unwritten(*state, "u.ply.gz", &frame, "vertex 1: z is not finite; coordinates must be");
  points[1][2] = 0;
  frame.vertex_count = 0;
  expect_unwritten(*state, "u.ply", &frame,
                   "0 vertices, 0 faces, 0 loose edges; a file has 1 vertex or more, and at most 4294967294 of each");
  frame = fine;
  frame.face_count = 1;
  expect_unwritten(*state, "u.ply", &frame, "an array of the frame is NULL; give it");
  frame = fine;
  frame.scalar = (toi_scalar)7;
  expect_unwritten(*state, "u.ply", &frame, "the frame's scalar is 7; it must be TOI_FLOAT64 or TOI_FLOAT32");
  assert_int_equal(toi_frame_write(*state, "u.stl", &fine), TOI_ERROR_OPTION);
  assert_string_equal(toi_context_error(*state),
                      "u.stl: meshes are written to .ply or .obj, optionally with .gz; change the name");
  assert_int_equal(toi_frame_write(NULL, "u.ply", &fine), TOI_ERROR_INPUT);
  assert_int_equal(toi_frame_write(*state, NULL, &fine), TOI_ERROR_INPUT);
  assert_int_equal(toi_frame_write(*state, "u.ply", NULL), TOI_ERROR_INPUT);
}

/* A folder that is not there, and a disk that is full. */
static void failed_writing_leaves_nothing_behind(void **state) {
  double points[1][3] = {{0}};
  const toi_frame frame = {.vertices = points, .scalar = TOI_FLOAT64, .vertex_count = 1};
  const size_t files = test_count_files();
  assert_int_equal(toi_frame_write(*state, test_path("no/such/folder.ply.gz"), &frame), TOI_ERROR_FILE);
  assert_int_equal(test_count_files(), files);
  assert_int_equal(symlink("/dev/full", test_path("full.ply")), 0);
  assert_int_equal(toi_frame_write(*state, test_path("full.ply"), &frame), TOI_ERROR_FILE);
  assert_int_equal(test_count_files(), files + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_that_obj_may_say_is_understood),
      cmocka_unit_test(lines_that_make_no_sense_are_refused),
      cmocka_unit_test(words_are_found_across_the_ends_of_the_buffer),
      cmocka_unit_test(a_line_has_an_end),
      cmocka_unit_test(frames_come_back_bit_for_bit),
      cmocka_unit_test(files_are_written_as_expected),
      cmocka_unit_test(frames_that_could_not_be_read_are_not_written),
      cmocka_unit_test(failed_writing_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
