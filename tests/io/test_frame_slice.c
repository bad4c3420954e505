/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Parts of binary PLY files: together they are the frame that is read as a whole, and what cannot be cut is said so. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <toi/io.h>

#include "support/files.h"
#include "support/support.h"

/* A file of this test's own, in the build's folder. */
static void path_of(char path[512], const char *name) {
  snprintf(path, 512, "%s/slice-%ld-%s", TOI_BINARY_DIR, (long)getpid(), name);
}

static void write_text(FILE *file, const char *text) {
  assert_int_equal(fputs(text, file) >= 0, 1);
}

/* Some vertices and faces of three or four corners; `odd`: a face in the middle has another number. */
static void write_mesh(const char *path, uint32_t vertices, uint32_t faces, uint8_t corners, bool odd) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fprintf(file,
          "ply\nformat binary_little_endian 1.0\nelement vertex %u\nproperty double x\nproperty uchar red\n"
          "property double y\nproperty double z\nelement face %u\nproperty list uchar int vertex_indices\n",
          vertices, faces);
  write_text(file, "end_header\n");
  for (uint32_t i = 0; i < vertices; i++) {
    const double at[3] = {i, 0.5 * i, -1.0 / (1 + i)};
    const uint8_t red = 7;
    fwrite(&at[0], sizeof at[0], 1, file);
    fwrite(&red, 1, 1, file);
    fwrite(&at[1], sizeof at[1], 2, file);
  }
  for (uint32_t i = 0; i < faces; i++) {
    const uint8_t own = odd && i == faces / 2 ? (uint8_t)(7 - corners) : corners;
    fwrite(&own, 1, 1, file);
    for (uint32_t k = 0; k < own; k++) {
      const int32_t corner = (int32_t)((i * 5 + k * 3) % vertices);
      fwrite(&corner, sizeof corner, 1, file);
    }
  }
  assert_int_equal(fclose(file), 0);
}

/* All parts, one behind the other, are the frame. */
static void expect_whole(toi_context *context, const char *path, uint32_t parts) {
  toi_frame whole;
  assert_int_equal(toi_frame_read(context, path, &whole), TOI_OK);
  size_t vertices = 0, faces = 0;
  for (uint32_t part = 0; part < parts; part++) {
    toi_frame_slice slice;
    assert_int_equal(toi_frame_slice_read(context, path, part, parts, &slice), TOI_OK);
    assert_int_equal(slice.vertex_count, whole.vertex_count);
    assert_int_equal(slice.face_count, whole.face_count);
    assert_int_equal(slice.first_vertex, vertices);
    assert_int_equal(slice.first_face, faces);
    assert_int_equal(slice.frame.scalar, whole.scalar);
    const size_t point = 3 * (whole.scalar == TOI_FLOAT64 ? sizeof(double) : sizeof(float));
    if (slice.frame.vertex_count > 0)
      assert_memory_equal(slice.frame.vertices, (char *)whole.vertices + vertices * point,
                          slice.frame.vertex_count * point);
    if (slice.frame.face_count > 0)
      assert_memory_equal(slice.frame.faces, whole.faces + faces, slice.frame.face_count * sizeof whole.faces[0]);
    vertices += slice.frame.vertex_count;
    faces += slice.frame.face_count;
    toi_frame_free(context, &slice.frame);
  }
  assert_int_equal(vertices, whole.vertex_count);
  assert_int_equal(faces, whole.face_count);
  toi_frame_free(context, &whole);
}

static void parts_together_are_the_frame(void **state) {
  toi_context *context = *state;
  char path[512];
  path_of(path, "whole.ply");
  for (uint8_t corners = 3; corners <= 4; corners++)
    for (uint32_t parts = 1; parts <= 17; parts += 4) {
      write_mesh(path, 11, 9, corners, false);
      expect_whole(context, path, parts);
      write_mesh(path, 2000, 3001, corners, false);
      expect_whole(context, path, parts);
    }
  remove(path);
}

/* Some part finds out. */
static void faces_of_several_sizes_are_not_cut(void **state) {
  toi_context *context = *state;
  char path[512];
  path_of(path, "odd.ply");
  for (uint8_t corners = 3; corners <= 4; corners++)
    for (uint32_t parts = 1; parts <= 12; parts++) {
      write_mesh(path, 50, 40, corners, true);
      bool found = false;
      for (uint32_t part = 0; part < parts; part++) {
        toi_frame_slice slice;
        const toi_status status = toi_frame_slice_read(context, path, part, parts, &slice);
        assert_true(status == TOI_OK || status == TOI_ERROR_UNSUPPORTED);
        found = found || status == TOI_ERROR_UNSUPPORTED;
        assert_true(status == TOI_OK || slice.frame.vertices == NULL);
        toi_frame_free(context, &slice.frame);
      }
      assert_true(found);
    }
  remove(path);
}

static void truncated_longer_and_other_files_are_not_cut(void **state) {
  toi_context *context = *state;
  char path[512];
  toi_frame_slice slice;
  path_of(path, "short.ply");
  write_mesh(path, 50, 40, 3, false);
  assert_int_equal(truncate(path, 1400), 0);
  assert_int_equal(toi_frame_slice_read(context, path, 0, 1, &slice), TOI_ERROR_UNSUPPORTED);
  write_mesh(path, 50, 40, 3, false);
  FILE *file = fopen(path, "ab");
  assert_non_null(file);
  write_text(file, "more");
  fclose(file);
  assert_int_equal(toi_frame_slice_read(context, path, 1, 2, &slice), TOI_ERROR_UNSUPPORTED);
  remove(path);
  assert_int_equal(toi_frame_slice_read(context, path, 0, 1, &slice), TOI_ERROR_FILE);
  assert_int_equal(toi_frame_slice_read(context, "mesh.obj", 0, 1, &slice), TOI_ERROR_UNSUPPORTED);
  assert_int_equal(toi_frame_slice_read(context, path, 2, 2, &slice), TOI_ERROR_INPUT);
  assert_non_null(strstr(toi_context_error(context), "part 2 of 2"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_together_are_the_frame),
      cmocka_unit_test(faces_of_several_sizes_are_not_cut),
      cmocka_unit_test(truncated_longer_and_other_files_are_not_cut),
  };
  return cmocka_run_group_tests(tests, test_context_make, test_context_remove);
}
