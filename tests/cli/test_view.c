/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* `toi view` and `--view`: pages, taken apart again as docs/view-format.md says, hold exactly what was read and what
 * the library answers; nothing of a name is HTML; what fails leaves no file. The viewer is a small stand-in. */

#include "cli/base64.h"
#include "cli/inputs.h"

#include <toi/io.h>
#include <toi/scene.h>
#define ZLIB_CONST
#include <zlib.h>

#define MARKER VIEWER_MARKER

/* --- a page, taken apart --- */

typedef struct stream {
  unsigned char *bytes;
  size_t size;
} stream;

typedef struct section {
  const unsigned char *bytes;
  uint64_t size;
} section;

/* The stream of a page; all around the data must be the viewer, unchanged. */
static stream open_page(const char *path) {
  size_t size;
  char *text = test_read_bytes(path, &size);
  const size_t before = strlen("<!doctype html>\n<title>viewer</title>\n" MARKER), after = strlen(VIEWER) - before;
  assert_true(size > strlen(VIEWER));
  assert_memory_equal(text, VIEWER, before);
  assert_memory_equal(text + size - after, &VIEWER[before], after);
  unsigned char *packed = malloc(size);
  z_stream zip = {.next_in = packed, .avail_in = (uInt)from_base64(text + before, size - before - after, packed)};
  stream s = {.bytes = malloc(1u << 24)};
  assert_true(packed != NULL && s.bytes != NULL);
  zip.next_out = s.bytes;
  zip.avail_out = 1u << 24;
  assert_int_equal(inflateInit2(&zip, 15 + 16), Z_OK);
  assert_int_equal(inflate(&zip, Z_FINISH), Z_STREAM_END);
  s.size = zip.total_out;
  inflateEnd(&zip);
  free(packed);
  free(text);
  assert_memory_equal(s.bytes, "TOIVIEW1", 8);
  return s;
}

static uint64_t number_from(const unsigned char *bytes, int count) {
  uint64_t value = 0;
  for (int i = count - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

/* A section by tag and number; without bytes if there is none. The last one must be the header. */
static section find_section(const stream *s, const char *tag, uint32_t number) {
  section found = {NULL, 0};
  bool last = false;
  for (size_t at = 8; at < s->size;) {
    assert_false(last);
    const unsigned char *head = s->bytes + at;
    const uint64_t size = number_from(head + 8, 8);
    if (memcmp(head, tag, 4) == 0 && number_from(head + 4, 4) == number)
      found = (section){head + 16, size};
    last = memcmp(head, "JSON", 4) == 0;
    at += 16 + (size + 7) / 8 * 8;
    assert_true(at <= s->size);
  }
  assert_true(last);
  return found;
}

static json_t *header_of(const stream *s) {
  const section json = find_section(s, "JSON", 0);
  json_t *header = json_loadb((const char *)json.bytes, (size_t)json.size, 0, NULL);
  assert_non_null(header);
  assert_text(header, "format", "toi-view");
  assert_count(header, "version", 1);
  return header;
}

/* Decodes an array, of `width` bytes each, into out; returns what follows it. */
static const unsigned char *decode(const unsigned char *at, unsigned width, const uint64_t *reference, uint64_t *out) {
  assert_int_equal(at[0], width);
  const unsigned predictor = at[1], components = (unsigned)number_from(at + 2, 2);
  const size_t count = (size_t)number_from(at + 8, 8);
  const uint64_t mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << (8 * width)) - 1;
  for (size_t i = 0; i < count; i++) {
    uint64_t r = 0;
    for (unsigned plane = 0; plane < width; plane++)
      r |= (uint64_t)at[16 + plane * count + i] << (8 * plane);
    if (predictor == 0) {
      out[i] = r;
      continue;
    }
    const uint64_t before = predictor == 2 ? reference[i] : i >= components ? out[i - components] : 0;
    out[i] = (before + ((r >> 1) ^ (0 - (r & 1)))) & mask;
  }
  return at + 16 + (width * count + 7) / 8 * 8;
}

/* Frame after frame against the files, bit by bit. */
static void check_frames(const stream *s, const char *const *paths, size_t count) {
  toi_context *context = test_context(1);
  uint64_t *values = calloc(2, sizeof *values), *before = NULL;
  for (size_t i = 0; i < count; i++) {
    toi_frame frame;
    assert_int_equal(toi_frame_read(context, paths[i], &frame), TOI_OK);
    const unsigned width = frame.scalar == TOI_FLOAT32 ? 4 : 8;
    free(before);
    before = values;
    values = calloc(3 * frame.vertex_count, sizeof *values);
    decode(find_section(s, "VERT", (uint32_t)i).bytes, width, before, values);
    for (size_t k = 0; k < 3 * frame.vertex_count; k++)
      assert_memory_equal(&values[k], (const char *)frame.vertices + k * width, width);
    if (i == 0) {
      uint64_t indices[64];
      decode(find_section(s, "FACE", 0).bytes, 4, NULL, indices);
      for (size_t k = 0; k < 3 * frame.face_count; k++)
        assert_int_equal(indices[k], ((const uint32_t *)frame.faces)[k]);
    }
    toi_frame_free(context, &frame);
  }
  free(values);
  free(before);
  toi_context_destroy(context);
}

/* --- meshes --- */

static void a_step_is_in_the_page_exactly(void **state) {
  (void)state;
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  const char *paths[] = {write_triangles("start.ply", 1), write_triangles("end.ply", -1.0 / 3)};
  json_t *printed = assert_json(run("step %s %s --view %s --viewer %s --json", paths[0], paths[1], page, viewer), 0);
  stream s = open_page(page);
  json_t *header = header_of(&s), *answer = json_object_get(header, "answer");
  check_frames(&s, paths, 2);
  assert_text(header, "view", "step");
  assert_text(json_object_get(header, "mesh"), "scalar", "float64");
  assert_count(json_object_get(header, "contacts"), "count", 1);
  assert_true(json_equal(json_object_get(answer, "toi"), json_object_get(printed, "toi")));
  assert_true(json_equal(json_object_get(answer, "first"), json_object_get(printed, "first")));
  // The one contact, column by column, is what the call of one query says.
  const unsigned char *at = find_section(&s, "CONT", 0).bytes;
  assert_true(number_from(at, 4) == 1 && number_from(at + 4, 4) == 0);
  uint64_t value[19];
  static const unsigned widths[19] = {1, 1, 1, 1, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
  at += 8;
  for (int i = 0; i < 19; i++)
    at = decode(at, widths[i], &value[6], &value[i]);
  const double start[4][3] = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double end[4][3] = {{0.25, 0.25, -1.0 / 3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const toi_options options = toi_default_options();
  toi_hit hit;
  assert_int_equal(toi_vertex_face(start, end, &options, &hit), TOI_OK);
  const double expected[13] = {hit.t_lo,      hit.t_hi,       hit.t_safe,   hit.u,         hit.v,
                               hit.point[0],  hit.point[1],   hit.point[2], hit.normal[0], hit.normal[1],
                               hit.normal[2], hit.separation, hit.distance};
  assert_true(value[0] == TOI_VERTEX_FACE && value[1] == TOI_HIT && value[2] == hit.level && value[3] == 0);
  assert_true(value[4] == 3 && value[5] == 0);
  assert_memory_equal(&value[6], expected, sizeof expected);
  json_decref(header);
  json_decref(printed);
  free(s.bytes);
}

#define FALLING 9000
#define FIRST_CHUNK 8192

/* A triangle, and loose points that fall through it from height z, or are there at the end. */
static const char *write_falling(const char *name, double z) {
  const size_t room = 64 * (size_t)(FALLING + 16);
  char *text = malloc(room);
  assert_non_null(text);
  size_t at = (size_t)snprintf(text, room,
                               "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"
                               "property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                               "0 0 0\n1 0 0\n0 1 0\n",
                               FALLING + 3);
  for (int i = 0; i < FALLING; i++)
    at += (size_t)snprintf(text + at, room - at, "%.17g %.17g %.17g\n", 0.25 + i / 65536.0, 0.25, z);
  snprintf(text + at, room - at, "3 0 1 2\n");
  const char *path = test_write_text(name, text);
  free(text);
  return path;
}

/* The chunk behind the first holds what names the pair and its time; the page computes the rest again. */
static void many_contacts_are_written_short(void **state) {
  (void)state;
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  const char *paths[] = {write_falling("start.ply", 1), write_falling("end.ply", -1.0 / 3)};
  ran result = run("view %s %s --out %s --viewer %s", paths[0], paths[1], page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  stream s = open_page(page);
  assert_int_equal(number_from(find_section(&s, "CONT", 0).bytes, 4), FIRST_CHUNK);
  assert_null(find_section(&s, "CONT", 1).bytes);
  const section shorter = find_section(&s, "PAIR", 1);
  assert_non_null(shorter.bytes);
  const size_t rows = FALLING - FIRST_CHUNK;
  assert_true(number_from(shorter.bytes, 4) == rows && number_from(shorter.bytes + 4, 4) == 0);
  static const unsigned widths[7] = {1, 1, 1, 1, 4, 4, 8};
  uint64_t *value[7];
  const unsigned char *at = shorter.bytes + 8;
  for (int i = 0; i < 7; i++) {
    value[i] = calloc(rows, sizeof *value[i]);
    assert_non_null(value[i]);
    at = decode(at, widths[i], NULL, value[i]);
  }
  assert_true(at == shorter.bytes + shorter.size);
  const toi_options options = toi_default_options();
  for (size_t i = 0; i < rows; i++) {
    const double x = 0.25 + (double)(FIRST_CHUNK + i) / 65536.0;
    const double start[4][3] = {{x, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const double end[4][3] = {{x, 0.25, -1.0 / 3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    toi_hit hit;
    assert_int_equal(toi_vertex_face(start, end, &options, &hit), TOI_OK);
    assert_true(value[0][i] == TOI_VERTEX_FACE && value[1][i] == TOI_HIT && value[2][i] == hit.level);
    assert_true(value[4][i] == 3 + FIRST_CHUNK + i && value[5][i] == 0);
    assert_memory_equal(&value[6][i], &hit.t_lo, sizeof hit.t_lo);
  }
  for (int i = 0; i < 7; i++)
    free(value[i]);
  free(s.bytes);
  // Another method's answers hang on more than the page has: they stay whole.
  result = run("step %s %s --method cubic --view %s --viewer %s", paths[0], paths[1], page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  s = open_page(page);
  assert_int_equal(number_from(find_section(&s, "CONT", 1).bytes, 4), rows);
  free(s.bytes);
}

static void floats_and_loose_edges_too(void **state) {
  (void)state;
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  const char *paths[] = {write_loose("start.ply", 0.1), write_loose("end.ply", 0.9), write_loose("third.ply", 1.3)};
  ran result = run("sequence %s %s %s --view %s --viewer %s", paths[0], paths[1], paths[2], page, viewer);
  assert_int_equal(result.code, 0);
  assert_non_null(strstr(result.out, "in a browser"));
  ran_free(&result);
  stream s = open_page(page);
  json_t *header = header_of(&s), *mesh = json_object_get(header, "mesh");
  check_frames(&s, paths, 3);
  assert_text(header, "view", "sequence");
  assert_text(mesh, "scalar", "float32");
  assert_count(mesh, "loose", 1);
  assert_int_equal(json_array_size(json_object_get(mesh, "frames")), 3);
  assert_int_equal(json_array_size(json_object_get(json_object_get(header, "answer"), "steps")), 2);
  assert_non_null(find_section(&s, "LOOS", 0).bytes);
  assert_true(number_from(find_section(&s, "CONT", 0).bytes + 4, 4) == 0);
  json_decref(header);
  free(s.bytes);
}

static void crossings_are_in_the_page(void **state) {
  (void)state;
  write_inputs();
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  ran result = run("view %s --out %s --viewer %s", test_path("crossed.ply"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  stream s = open_page(page);
  json_t *header = header_of(&s);
  assert_text(header, "view", "check");
  const json_int_t count = json_integer_value(json_object_get(json_object_get(header, "crossings"), "count"));
  assert_true(count > 0);
  const unsigned char *at = find_section(&s, "CROS", 0).bytes;
  assert_int_equal(number_from(at, 4), count);
  uint64_t kind[64];
  decode(at + 8, 1, NULL, kind);
  assert_int_equal(kind[0], TOI_EDGE_FACE);
  json_decref(header);
  free(s.bytes);
}

/* Whatever the threads and the memory. */
static void the_same_input_makes_the_same_page(void **state) {
  (void)state;
  write_inputs();
  static const char *const lines[] = {"step @start.ply @end.ply --viewer @viewer.html --view @page.html",
                                      "sequence @start.ply @end.ply @start.ply --viewer @viewer.html --view @page.html",
                                      "surface @cases.jsonl --viewer @viewer.html --view @page.html"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char *text[2];
    for (int way = 0; way < 2; way++) {
      ran result = run("%s %s", with_paths(lines[i]), way ? "--threads 2 --memory 256M" : "--threads 1");
      if (result.code != 0)
        fail_msg("%s", result.err);
      ran_free(&result);
      text[way] = test_read_bytes(test_path("page.html"), NULL);
    }
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
  }
}

/* More contacts than a chunk holds. */
static void many_contacts_come_in_chunks(void **state) {
  (void)state;
  enum { SIDE = 48 };
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  char *text[2] = {malloc(1u << 20), malloc(1u << 20)};
  for (int time = 0; time < 2; time++) {
    size_t length = 0;
    for (int layer = 0; layer < 2; layer++)
      for (int i = 0; i < SIDE * SIDE; i++) {
        const int column = i % SIDE, row = i / SIDE;
        length += (size_t)snprintf(text[time] + length, (1u << 20) - length, "v %g %g %g\n", column + 0.25 * layer,
                                   row + 0.125 * layer, layer == 0 ? 0.0 : 1.0 - 2 * time);
      }
    for (int layer = 0; layer < 2; layer++)
      for (int i = 0; i < SIDE * SIDE; i++)
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
          const int v = 1 + layer * SIDE * SIDE + i;
          length += (size_t)snprintf(text[time] + length, (1u << 20) - length, "f %d %d %d\nf %d %d %d\n", v, v + 1,
                                     v + SIDE, v + 1, v + SIDE + 1, v + SIDE);
        }
    test_write_text(time ? "end.obj" : "start.obj", text[time]);
    free(text[time]);
  }
  json_t *printed =
      assert_json(run("%s --viewer %s --view %s --json", with_paths("step @start.obj @end.obj"), viewer, page), 0);
  stream s = open_page(page);
  json_t *header = header_of(&s), *hits = json_object_get(printed, "hits");
  const json_int_t all =
      json_integer_value(json_object_get(hits, "vf")) + json_integer_value(json_object_get(hits, "ee"));
  assert_true(all > 8192);
  assert_count(json_object_get(header, "contacts"), "count", all);
  json_int_t rows = (json_int_t)number_from(find_section(&s, "CONT", 0).bytes, 4);
  for (uint32_t i = 1; find_section(&s, "PAIR", i).bytes != NULL; i++)
    rows += (json_int_t)number_from(find_section(&s, "PAIR", i).bytes, 4);
  assert_int_equal(rows, all);
  json_decref(header);
  json_decref(printed);
  free(s.bytes);
}

/* A file called <script>: nowhere in the page as it is. */
static void names_are_never_html(void **state) {
  (void)state;
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  write_triangles("<script>alert(1)<!--.ply", 1);
  write_triangles("end.ply", -1);
  ran result = run("view '%s' %s --out %s --viewer %s", test_path("<script>alert(1)<!--.ply"), test_path("end.ply"),
                   page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  char *text = test_read_bytes(page, NULL);
  assert_null(strstr(text, "alert"));
  free(text);
  stream s = open_page(page);
  json_t *header = header_of(&s);
  assert_non_null(strstr(json_string_value(json_object_get(header, "title")), "<script>alert(1)<!--.ply"));
  json_decref(header);
  free(s.bytes);
}

/* --- curved scenes --- */

static void assert_file(const stream *s, uint32_t number, const char *text) {
  const section file = find_section(s, "FILE", number);
  assert_int_equal(file.size, strlen(text));
  assert_memory_equal(file.bytes, text, strlen(text));
}

static void scenes_are_in_the_page_as_text(void **state) {
  (void)state;
  write_inputs();
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  ran result = run("view %s --out %s --viewer %s", test_path("spheres.json"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  stream s = open_page(page);
  json_t *header = header_of(&s);
  assert_text(header, "view", "contact");
  assert_file(&s, 0, SPHERES);
  assert_text(json_object_get(header, "answer"), "verdict", "hit");
  assert_text(json_array_get(json_object_get(header, "files"), 0), "role", "scene");
  json_decref(header);
  free(s.bytes);

  // A scene with a model of its own, gzipped.
  const char *scene =
      "{\"bodies\":[{\"name\":\"a\",\"shape\":{\"model\":\"model.json\"}},{\"name\":\"b\",\"shape\":{\"model\":"
      "\"model.json\"},\"motion\":{\"move\":{\"shift\":[0.25,0.125,1],\"velocity\":[0,0,-2]}}}]}";
  gzFile file = gzopen(test_path("model-scene.json.gz"), "wb");
  assert_true(gzputs(file, scene) > 0 && gzclose(file) == Z_OK);
  result = run("contact %s --view %s --viewer %s", test_path("model-scene.json.gz"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  s = open_page(page);
  header = header_of(&s);
  assert_file(&s, 0, scene);
  assert_file(&s, 1, "{\"patches\":[" SQUARE_AT("0", "0") "]}");
  assert_int_equal(json_array_size(json_object_get(header, "files")), 2);
  assert_text(json_array_get(json_object_get(header, "files"), 1), "name", "model.json");
  json_decref(header);
  free(s.bytes);
}

static void rigid_bodies_are_in_the_page(void **state) {
  (void)state;
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  ran result = run("view '%s/examples/sweep/door.json' --out %s --viewer %s", TOI_SOURCE_DIR, page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  stream s = open_page(page);
  json_t *header = header_of(&s), *answer = json_object_get(header, "answer");
  assert_text(header, "view", "sweep");
  assert_text(json_array_get(json_object_get(header, "files"), 0), "role", "sweep");
  assert_text(answer, "verdict", "hit");
  assert_int_equal(json_array_size(json_object_get(answer, "hits")), 1);
  assert_null(json_object_get(answer, "ms"));
  // The scene as the library reads it: every coordinate and every pose to the bit.
  const section file = find_section(&s, "FILE", 0);
  json_t *scene = json_loadb((const char *)file.bytes, (size_t)file.size, 0, NULL);
  assert_non_null(scene);
  toi_context *context = test_context(1);
  toi_sweep_scene read;
  assert_int_equal(toi_sweep_scene_read(context, TOI_SOURCE_DIR "/examples/sweep/door.json", &read), TOI_OK);
  for (size_t i = 0; i < read.count; i++) {
    const json_t *body = json_array_get(json_object_get(scene, "bodies"), i);
    const json_t *motion = json_array_get(json_array_get(json_object_get(scene, "pieces"), 0), i);
    const json_t *vertices = json_object_get(body, "vertices"), *end = json_object_get(motion, "end");
    assert_text(body, "name", read.names[i]);
    assert_text(motion, "law", "nlerp");
    assert_int_equal(json_array_size(vertices), 3 * read.meshes[i].vertex_count);
    for (size_t k = 0; k < json_array_size(vertices); k++)
      assert_true(json_number_value(json_array_get(vertices, k)) == ((const double *)read.meshes[i].start)[k]);
    for (size_t k = 0; k < 4; k++)
      assert_true(json_number_value(json_array_get(end, 3 + k)) == read.motions[i].end.quaternion[k]);
  }
  toi_sweep_scene_free(context, &read);
  toi_context_destroy(context);
  json_decref(scene);
  json_decref(header);
  free(s.bytes);
}

static void patches_are_in_the_page(void **state) {
  (void)state;
  write_inputs();
  const char *viewer = test_write_text("viewer.html", VIEWER), *page = test_path("page.html");
  ran result = run("view %s --out %s --viewer %s", test_path("cases.jsonl"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  stream s = open_page(page);
  json_t *header = header_of(&s);
  assert_file(&s, 0, CASE);
  assert_text(json_array_get(json_object_get(header, "results"), 0), "verdict", "hit");
  json_decref(header);
  free(s.bytes);

  result = run("view %s --out %s --viewer %s", test_path("scene.json"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  s = open_page(page);
  header = header_of(&s);
  assert_text(header, "view", "surface");
  assert_text(json_array_get(json_object_get(header, "files"), 0), "role", "scene");
  assert_file(&s, 1, "{\"patches\":[" SQUARE_AT("0", "0") "]}");
  json_decref(header);
  free(s.bytes);

  result = run("surface %s %s --shift-b 0,0,1 --velocity-b 0,0,-2 --view %s --viewer %s", test_path("model.json"),
               test_path("model.json"), page, viewer);
  assert_int_equal(result.code, 0);
  ran_free(&result);
  s = open_page(page);
  header = header_of(&s);
  assert_text(json_array_get(json_object_get(header, "files"), 1), "role", "model-b");
  const section model = find_section(&s, "FILE", 1);
  json_t *patches = json_loadb((const char *)model.bytes, (size_t)model.size, 0, NULL);
  const json_t *patch = json_array_get(json_object_get(patches, "patches"), 0);
  assert_true(json_number_value(json_array_get(json_array_get(json_object_get(patch, "velocities"), 0), 2)) == -2);
  json_decref(patches);
  json_decref(header);
  free(s.bytes);
}

/* --- failures --- */

static void without_a_viewer_it_says_how_to_make_one(void **state) {
  (void)state;
  write_inputs();
  const char *page = test_write_text("kept.html", "kept");
  const size_t files = test_count_files();
  assert_fails(run("step %s --view %s --viewer %s", with_paths("@start.ply @end.ply"), page, test_path("none.html")),
               "make it with script/viewer");
  static const char *const wrong[] = {"", "<html>", MARKER, MARKER "x</script>", MARKER "</script>" MARKER "</script>"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    const char *viewer = test_write_text("wrong.html", wrong[i]);
    assert_fails(run("check %s --view %s --viewer %s", test_path("start.ply"), page, viewer),
                 "not a viewer of this version");
  }
  assert_fails(run("check %s --view %s --viewer %s", test_path("start.ply"), page, test_path("")), "not a viewer");
  char *text = test_read_bytes(page, NULL);
  assert_string_equal(text, "kept");
  free(text);
  assert_int_equal(test_count_files(), files + 1);
  // The command of the build tree, without a viewer beside it.
  char line[4096];
  snprintf(line, sizeof line, "mkdir -p %s && cp %s %s/bin/toi && (%s/bin/toi check %s --view %s) 2>%s",
           test_path("bin"), TOI, test_path(""), test_path(""), test_path("start.ply"), page, test_path("stderr"));
  assert_int_equal(WEXITSTATUS(system(line)), 2);
  text = test_read_bytes(test_path("stderr"), NULL);
  assert_non_null(strstr(text, "make it with script/viewer, or name one by --viewer FILE"));
  free(text);
}

static void an_installed_viewer_is_found(void **state) {
  (void)state;
  write_inputs();
  char line[8192];
  const char *root = test_path("");
  snprintf(line, sizeof line,
           "mkdir -p %s/bin %s/share/libtoi && cp %s %s/bin/toi && printf '%%s' '%s' >%s/share/libtoi/viewer.html && "
           "%s/bin/toi view %s/start.ply %s/end.ply --out %s/page.html >/dev/null",
           root, root, TOI, root, VIEWER, root, root, root, root, root);
  assert_int_equal(system(line), 0);
  stream s = open_page(test_path("page.html"));
  json_t *header = header_of(&s);
  assert_text(header, "view", "step");
  json_decref(header);
  free(s.bytes);
}

static void what_cannot_be_written_leaves_nothing(void **state) {
  (void)state;
  write_inputs();
  const char *viewer = test_write_text("viewer.html", VIEWER);
  static const char *const lines[] = {"step @start.ply @end.ply", "sequence @start.ply @end.ply",
                                      "check @start.ply",         "contact @spheres.json",
                                      "surface @cases.jsonl",     "surface @scene.json"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    const size_t files = test_count_files();
    assert_fails(run("%s --viewer %s --view /dev/full", with_paths(lines[i]), viewer), "No space left");
    assert_fails(run("%s --viewer %s --view %s", with_paths(lines[i]), viewer, test_path("no/such")),
                 "cannot be written");
    assert_fails(run("%s --viewer %s --view - --json", with_paths(lines[i]), viewer), "both go to standard output");
    assert_int_equal(test_count_files(), files);
  }
  assert_fails(run("%s --viewer %s", with_paths("step @start.ply @end.ply --view @end.ply"), viewer),
               "would be replaced");
  assert_fails(run("%s --viewer %s", with_paths("sequence @start.ply @end.ply --view @end.ply"), viewer),
               "would be replaced");
}

static void the_command_line_is_checked(void **state) {
  (void)state;
  write_inputs();
  assert_fails(run("%s", with_paths("view @start.ply")), "needs --out FILE.html");
  assert_fails(run("view --out x.html"), "needs something to show");
  assert_fails(run("%s", with_paths("view @start.ply --out @x.html --min-separation 1")), "needs a motion");
  assert_fails(run("%s", with_paths("view @spheres.json --out @x.html --threads 1")), "--threads has no meaning");
  assert_fails(run("%s", with_paths("surface @cases.jsonl --method all --view @x.html")), "one method");
  assert_fails(run("%s", with_paths("contact @spheres.json --compare --view @x.html")), "need a single answer");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_is_in_the_page_exactly),
      cmocka_unit_test(many_contacts_are_written_short),
      cmocka_unit_test(floats_and_loose_edges_too),
      cmocka_unit_test(crossings_are_in_the_page),
      cmocka_unit_test(the_same_input_makes_the_same_page),
      cmocka_unit_test(many_contacts_come_in_chunks),
      cmocka_unit_test(names_are_never_html),
      cmocka_unit_test(scenes_are_in_the_page_as_text),
      cmocka_unit_test(rigid_bodies_are_in_the_page),
      cmocka_unit_test(patches_are_in_the_page),
      cmocka_unit_test(without_a_viewer_it_says_how_to_make_one),
      cmocka_unit_test(an_installed_viewer_is_found),
      cmocka_unit_test(what_cannot_be_written_leaves_nothing),
      cmocka_unit_test(the_command_line_is_checked),
  };
  return cmocka_run_group_tests(tests, test_directory_make, test_directory_remove);
}
