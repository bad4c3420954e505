/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Meshes for tests, and PLY files of them in every format, written by hand. */

#ifndef TOI_TESTS_IO_MESHES_H
#define TOI_TESTS_IO_MESHES_H

#include "support/files.h"
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <toi/io.h>

/* --- bytes that grow --- */

typedef struct bytes {
  char *data;
  size_t size, room;
} bytes;

static inline void put(bytes *b, const void *data, size_t size) {
  if (b->size + size > b->room) {
    b->room = 2 * (b->size + size) + 256;
    b->data = realloc(b->data, b->room);
    assert_non_null(b->data);
  }
  memcpy(b->data + b->size, data, size);
  b->size += size;
}

__attribute__((format(printf, 2, 3))) static inline void put_text(bytes *b, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  put(b, text, (size_t)length);
}

/* --- meshes --- */

typedef struct mesh {
  size_t vertex_count, polygon_count, corner_count, edge_count;
  double (*vertices)[3];
  uint32_t *sizes;   /* of the polygons */
  uint32_t *corners; /* of all polygons, back to back */
  uint32_t (*edges)[2];
} mesh;

/* A strip of polygons with 3 to `most` corners each, and loose edges between distant vertices. The coordinates are
 * floats, so that every format has room for them. */
static inline mesh mesh_make(uint64_t *seed, size_t polygons, uint32_t most) {
  mesh m = {.vertex_count = polygons + 3, .polygon_count = polygons, .edge_count = polygons / 3};
  m.vertices = malloc(m.vertex_count * sizeof *m.vertices);
  m.sizes = malloc((polygons + 1) * sizeof *m.sizes);
  m.corners = malloc((polygons * most + 1) * sizeof *m.corners);
  m.edges = malloc((m.edge_count + 1) * sizeof *m.edges);
  for (size_t i = 0; i < m.vertex_count; i++)
    for (size_t k = 0; k < 3; k++)
      m.vertices[i][k] = (double)(float)(test_random_unit(seed) - 0.5) * (i % 7 == 0 ? 1e10 : 1);
  for (size_t i = 0; i < m.vertex_count; i++)
    for (size_t k = 0; k < 3; k++)
      m.vertices[i][k] = (double)(float)m.vertices[i][k];
  for (size_t i = 0; i < polygons; i++) {
    m.sizes[i] = 3 + (uint32_t)(test_random(seed) % (most - 2));
    for (uint32_t k = 0; k < m.sizes[i]; k++)
      m.corners[m.corner_count++] = (uint32_t)((i + k * (k + 1)) % m.vertex_count);
  }
  for (size_t i = 0; i < m.edge_count; i++) {
    m.edges[i][0] = (uint32_t)(i * 3);
    m.edges[i][1] = (uint32_t)(test_random(seed) % m.vertex_count);
  }
  return m;
}

static inline void mesh_free(mesh *m) {
  free(m->vertices);
  free(m->sizes);
  free(m->corners);
  free(m->edges);
}

/* Whether a frame is the mesh: polygons as fans, doubles or floats. */
static inline void expect_mesh(const mesh *m, const toi_frame *frame) {
  assert_int_equal(frame->vertex_count, m->vertex_count);
  for (size_t i = 0; i < m->vertex_count; i++)
    for (size_t k = 0; k < 3; k++) {
      const double value = frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[3 * i + k]
                                                        : ((const double *)frame->vertices)[3 * i + k];
      if (value != m->vertices[i][k])
        fail_msg("vertex %zu, axis %zu: %a is not %a", i, k, value, m->vertices[i][k]);
    }
  const uint32_t *corners = m->corners;
  size_t face = 0;
  for (size_t i = 0; i < m->polygon_count; corners += m->sizes[i++])
    for (uint32_t k = 2; k < m->sizes[i]; k++, face++) {
      assert_true(face < frame->face_count);
      const uint32_t wanted[3] = {corners[0], corners[k - 1], corners[k]};
      assert_memory_equal(frame->faces[face], wanted, sizeof wanted);
    }
  assert_int_equal(frame->face_count, face);
  assert_int_equal(frame->loose_count, m->edge_count);
  if (m->edge_count > 0)
    assert_memory_equal(frame->loose, m->edges, m->edge_count * sizeof *m->edges);
}

/* --- PLY --- */

typedef enum ply_format { ASCII, LITTLE, BIG, FORMATS } ply_format;

typedef struct ply_layout {
  ply_format format;
  const char *scalar;        /* "float", "double", ... */
  const char *count, *index; /* integer types */
  bool extras;               /* other properties, elements, comments, CR LF */
} ply_layout;

static inline size_t type_bytes(const char *type) {
  if (strstr(type, "char") != NULL || strstr(type, "t8") != NULL)
    return 1;
  if (strstr(type, "short") != NULL || strstr(type, "16") != NULL)
    return 2;
  return strcmp(type, "double") == 0 || strstr(type, "64") != NULL ? 8 : 4;
}

static inline void put_value(bytes *b, const ply_layout *l, const char *type, double value) {
  const bool real = strncmp(type, "float", 5) == 0 || strncmp(type, "double", 6) == 0;
  if (l->format == ASCII) {
    put_text(b, real ? "%.17g " : "%.0f ", value);
    return;
  }
  const size_t size = type_bytes(type);
  uint64_t bits = 0;
  const float single = (float)value;
  uint32_t single_bits;
  memcpy(&single_bits, &single, sizeof single_bits);
  if (real && size == 4)
    bits = single_bits;
  else if (real)
    memcpy(&bits, &value, sizeof bits);
  else
    bits = (uint64_t)(int64_t)value;
  for (size_t i = 0; i < size; i++) {
    const size_t byte = l->format == LITTLE ? i : size - 1 - i;
    const unsigned char c = (unsigned char)(bits >> (8 * byte));
    put(b, &c, 1);
  }
}

static inline void put_header(bytes *b, const mesh *m, const ply_layout *l) {
  static const char *const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  const char *end = l->extras ? "\r\n" : "\n";
  put_text(b, "ply%sformat %s 1.0%s", end, formats[l->format], end);
  if (l->extras)
    put_text(b, "comment element vertex 7%sobj_info nothing of interest%selement material 2%sproperty double shine%s",
             end, end, end, end);
  put_text(b, "element vertex %zu%s", m->vertex_count, end);
  if (l->extras)
    put_text(b, "property uchar red%s", end);
  put_text(b, "property %s x%sproperty %s y%s", l->scalar, end, l->scalar, end);
  if (l->extras)
    put_text(b, "property short between%s", end);
  put_text(b, "property %s z%s", l->scalar, end);
  if (l->extras)
    put_text(b, "element strip 2%sproperty list ushort float values%sproperty int id%s", end, end, end);
  put_text(b, "element face %zu%s", m->polygon_count, end);
  if (l->extras)
    put_text(b, "property float area%s", end);
  put_text(b, "property list %s %s %s%s", l->count, l->index, l->extras ? "vertex_index" : "vertex_indices", end);
  if (l->extras)
    put_text(b, "property char flags%s", end);
  if (m->edge_count > 0)
    put_text(b, "element edge %zu%sproperty %s vertex1%sproperty %s vertex2%s", m->edge_count, end, l->index, end,
             l->index, end);
  put_text(b, "end_header%s", end);
}

static inline void end_row(bytes *b, const ply_layout *l) {
  if (l->format == ASCII)
    put_text(b, l->extras ? "\r\n" : "\n");
}

static inline void put_skipped(bytes *b, const ply_layout *l) {
  for (int i = 0; i < 2; i++) {
    put_value(b, l, "ushort", i * 300);
    for (int k = 0; k < i * 300; k++)
      put_value(b, l, "float", 0.5 * k);
    put_value(b, l, "int", -i);
    end_row(b, l);
  }
}

/* A whole file; the caller frees the bytes. */
static inline bytes ply_bytes(const mesh *m, const ply_layout *l) {
  bytes b = {0};
  put_header(&b, m, l);
  for (int i = 0; i < 2 && l->extras; i++, end_row(&b, l))
    put_value(&b, l, "double", 1.5);
  for (size_t i = 0; i < m->vertex_count; i++, end_row(&b, l)) {
    if (l->extras)
      put_value(&b, l, "uchar", 200);
    put_value(&b, l, l->scalar, m->vertices[i][0]);
    put_value(&b, l, l->scalar, m->vertices[i][1]);
    if (l->extras)
      put_value(&b, l, "short", -3);
    put_value(&b, l, l->scalar, m->vertices[i][2]);
  }
  if (l->extras)
    put_skipped(&b, l);
  const uint32_t *corner = m->corners;
  for (size_t i = 0; i < m->polygon_count; i++, end_row(&b, l)) {
    if (l->extras)
      put_value(&b, l, "float", 0.25);
    put_value(&b, l, l->count, m->sizes[i]);
    for (uint32_t k = 0; k < m->sizes[i]; k++)
      put_value(&b, l, l->index, *corner++);
    if (l->extras)
      put_value(&b, l, "char", -1);
  }
  for (size_t i = 0; i < m->edge_count; i++, end_row(&b, l)) {
    put_value(&b, l, l->index, m->edges[i][0]);
    put_value(&b, l, l->index, m->edges[i][1]);
  }
  return b;
}

/* Reading fails with this sentence behind the path, and leaves an empty frame. */
static inline void expect_refused(toi_context *context, const char *path, const char *wanted) {
  toi_frame frame = {.vertex_count = 77};
  const toi_status status = toi_frame_read(context, path, &frame);
  const char *error = toi_context_error(context);
  if (status != TOI_ERROR_FORMAT)
    fail_msg("status %d, \"%s\" instead of: %s", (int)status, error, wanted);
  if (strncmp(error, path, strlen(path)) != 0 || strcmp(error + strlen(path), wanted) != 0)
    fail_msg("\"%s\"\n  instead of: %s", error, wanted);
  assert_int_equal(frame.vertex_count, 0);
  assert_null(frame.vertices);
}

#endif
