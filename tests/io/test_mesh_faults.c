/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Mesh files that were damaged at random, cut anywhere, or read and written while memory is refused: the call returns,
 * with a mesh that holds together or with a sentence, and leaves nothing behind. */

#include "io/meshes.h"

#include <math.h>
#include <toi/broad.h>

/* --- damage --- */

static void expect_sound(const toi_frame *frame) {
  assert_true(frame->vertex_count > 0);
  for (size_t i = 0; i < 3 * frame->vertex_count; i++)
    assert_true(isfinite(frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[i]
                                                      : ((const double *)frame->vertices)[i]));
  for (size_t i = 0; i < 3 * frame->face_count; i++)
    assert_true(frame->faces[i / 3][i % 3] < frame->vertex_count);
  for (size_t i = 0; i < 2 * frame->loose_count; i++)
    assert_true(frame->loose[i / 2][i % 2] < frame->vertex_count);
}

/* Reads a damaged file; true if something could be read. */
static bool read_damaged(toi_context *context, const char *path) {
  const uint64_t before = toi_context_bytes(context);
  toi_frame frame;
  const toi_status status = toi_frame_read(context, path, &frame);
  if (status == TOI_OK) {
    expect_sound(&frame);
    toi_frame_free(context, &frame);
  } else {
    assert_true(status == TOI_ERROR_FORMAT || status == TOI_ERROR_MEMORY);
    assert_true(strlen(toi_context_error(context)) > 0);
  }
  assert_null(frame.vertices);
  // The threads' scratch may stay.
  assert_true(toi_context_bytes(context) <= before + (1 << 20));
  return status == TOI_OK;
}

/* A new file each time: some file systems put an old one that was emptied on the disk at once. */
static const char *write_new(const char *name, const bytes *b, size_t size) {
  (void)remove(test_path(name));
  return test_write_bytes(name, b->data, size);
}

static void damage(bytes *b, uint64_t *seed) {
  static const char words[][12] = {"-1", "99999999999", "nan", " ", "\n", "e308", "element", "0x1", "\\\n", "/"};
  for (uint64_t times = 1 + test_random(seed) % 4; times > 0 && b->size > 0; times--) {
    const size_t place = test_random(seed) % b->size;
    switch (test_random(seed) % 5) {
    case 0:
      b->size = place;
      break;
    case 1:
      b->data[place] = (char)test_random(seed);
      break;
    case 2:
      b->data[place] = (char)(b->data[place] ^ (1 << (test_random(seed) % 8)));
      break;
    case 3: {
      const char *word = words[test_random(seed) % 10];
      const size_t length = strlen(word), room = b->size - place;
      memcpy(b->data + place, word, length < room ? length : room);
      break;
    }
    default:
      memmove(b->data + place, b->data + place + 1, b->size - place - 1);
      b->size--;
    }
  }
}

/* An OBJ text of a mesh. */
static bytes obj_bytes(const mesh *m) {
  bytes b = {0};
  for (size_t i = 0; i < m->vertex_count; i++)
    put_text(&b, "v %.17g %.17g %.17g # %zu\n", m->vertices[i][0], m->vertices[i][1], m->vertices[i][2], i);
  const uint32_t *corner = m->corners;
  for (size_t i = 0; i < m->polygon_count; i++) {
    put_text(&b, "f");
    for (uint32_t k = 0; k < m->sizes[i]; k++, corner++)
      put_text(&b, i % 2 == 0 ? " %u/1/1" : " -%u \\\n",
               i % 2 == 0 ? *corner + 1 : (unsigned)m->vertex_count - *corner);
    put_text(&b, "\n");
  }
  for (size_t i = 0; i < m->edge_count; i++)
    put_text(&b, "l %u %u\n", m->edges[i][0] + 1, m->edges[i][1] + 1);
  return b;
}

static bytes make_file(const mesh *m, size_t kind) {
  if (kind == 2 * FORMATS)
    return obj_bytes(m);
  const ply_layout l = {(ply_format)(kind % FORMATS), kind % 2 == 0 ? "float" : "double", "uchar",
                        kind % 2 == 0 ? "int" : "ushort", kind >= FORMATS};
  return ply_bytes(m, &l);
}

static void damaged_files_are_read_or_refused(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0048);
  toi_context_options options = toi_default_context_options();
  options.memory_budget = 16 << 20;
  options.threads = 2;
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  mesh m = mesh_make(&seed, 12, 5);
  size_t fine = 0, rounds = 0;
  for (uint64_t round = test_count(2000); round > 0; round--)
    for (size_t kind = 0; kind <= 2 * FORMATS; kind++, rounds++) {
      bytes b = make_file(&m, kind);
      damage(&b, &seed);
      const char *names[2][2] = {{"d.ply", "d.ply.gz"}, {"d.obj", "d.obj.gz"}};
      fine += read_damaged(context, write_new(names[kind == 2 * FORMATS][round % 8 == 0], &b, b.size));
      free(b.data);
    }
  print_message("%zu of %zu damaged files are meshes\n", fine, rounds);
  assert_true(fine < rounds);
  mesh_free(&m);
  toi_context_destroy(context);
}

/* Cut at every byte: never a mesh before the last row is there, but for an OBJ, which may end anywhere. */
static void files_cut_anywhere_are_refused(void **state) {
  (void)state;
  uint64_t seed = test_seed(0x5eed0049);
  toi_context *context = test_context(2);
  mesh m = mesh_make(&seed, 6, 4);
  for (size_t kind = 0; kind < 2 * FORMATS; kind++) {
    bytes b = make_file(&m, kind);
    const bool text = kind % FORMATS == ASCII;
    // The last line of a text may lack its end, and its last number digits.
    size_t whole = b.size;
    while (text && whole > 0 && b.data[whole - 1] <= ' ')
      whole--;
    while (text && b.data[whole - 2] != ' ')
      whole--;
    for (size_t size = 0; size < b.size; size++) {
      const bool fine = read_damaged(context, write_new("cut.ply", &b, size));
      assert_true(fine == (size >= whole));
    }
    free(b.data);
  }
  bytes b = obj_bytes(&m);
  for (size_t size = 0; size < b.size; size++)
    (void)read_damaged(context, write_new("cut.obj", &b, size));
  free(b.data);
  mesh_free(&m);
  toi_context_destroy(context);
}

/* --- refused memory --- */

/* Whether reading, or writing, went well with one request refused. */
static toi_status try_once(const char *path, const toi_frame *written, size_t refuse) {
  test_allocator allocator = {0};
  const toi_context_options options = test_context_options(&allocator, 2);
  toi_context *context;
  assert_int_equal(toi_context_create(&options, &context), TOI_OK);
  const size_t files = test_count_files();
  allocator.refuse_at = allocator.calls + refuse;
  toi_frame frame;
  const uint64_t before = toi_context_bytes(context);
  toi_status status;
  if (written != NULL) {
    status = toi_frame_write(context, path, written);
    assert_int_equal(test_count_files(), files);
    assert_int_equal(toi_context_bytes(context), before);
  } else {
    status = toi_frame_read(context, path, &frame);
    if (status != TOI_OK)
      assert_null(frame.vertices);
    toi_frame_free(context, &frame);
    assert_true(toi_context_bytes(context) <= before + (1 << 20));
  }
  if (status != TOI_OK)
    assert_true(strlen(toi_context_error(context)) > 0);
  toi_context_destroy(context);
  assert_int_equal(allocator.wrong_sizes, 0);
  assert_int_equal(allocator.blocks, 0);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  uint64_t seed = test_seed(0x5eed004a);
  mesh m = mesh_make(&seed, 3000, 4);
  static const char *const names[] = {"a.ply", "b.ply", "c.ply.gz", "d.obj", "e.obj.gz"};
  for (size_t i = 0; i < 5; i++) {
    bytes b = make_file(&m, i >= 3 ? 2 * FORMATS : i + FORMATS);
    const char *path = test_write_bytes(names[i], b.data, b.size);
    free(b.data);
    toi_frame frame;
    assert_int_equal(toi_frame_read(*state, path, &frame), TOI_OK);
    expect_mesh(&m, &frame);
    for (size_t write = 0; write < 2; write++) {
      toi_status status = TOI_ERROR_MEMORY;
      size_t refuse = 1;
      for (; status != TOI_OK; refuse++) {
        status = try_once(path, write == 1 ? &frame : NULL, refuse);
        assert_true(status == TOI_OK || status == TOI_ERROR_MEMORY);
      }
      assert_true(refuse > 3);
    }
    toi_frame_free(*state, &frame);
  }
  mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damaged_files_are_read_or_refused),
      cmocka_unit_test(files_cut_anywhere_are_refused),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
