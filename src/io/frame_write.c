/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Frames to files: binary PLY or OBJ, gzipped or not.
 *
 * Promise: what is written can be read, and reading it gives the same bits (an OBJ of floats: the same floats, once
 * rounded to them); what could not be read is refused before a file is begun. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "base/reserved.h"
#include "io/decimal.h"
#include "io/frame.h"
#include "io/writer.h"

/* The longest row: three numbers, four blanks and a letter. */
#define ROW_BYTES (3 * TOI_DECIMAL_TEXT + 8)

/* --- PLY --- */

static void store32(char *to, uint32_t bits) {
  bits = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap32(bits) : bits;
  memcpy(to, &bits, sizeof bits);
}

static void store64(char *to, uint64_t bits) {
  bits = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bits) : bits;
  memcpy(to, &bits, sizeof bits);
}

static void ply_header(toi_writer *w, const toi_frame *frame) {
  const char *scalar = frame->scalar == TOI_FLOAT32 ? "float" : "double";
  const char *number = frame->vertex_count <= INT32_MAX ? "int" : "uint";
  int length = snprintf(w->block, TOI_WRITER_BYTES,
                        "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty %s x\nproperty %s y\n"
                        "property %s z\nelement face %zu\nproperty list uchar %s vertex_indices\n",
                        frame->vertex_count, scalar, scalar, scalar, frame->face_count, number);
  if (frame->loose_count > 0)
    length +=
        snprintf(w->block + length, TOI_WRITER_BYTES - (size_t)length,
                 "element edge %zu\nproperty %s vertex1\nproperty %s vertex2\n", frame->loose_count, number, number);
  length += snprintf(w->block + length, TOI_WRITER_BYTES - (size_t)length, "end_header\n");
  w->used = (size_t)length;
}

static void ply_vertex(const toi_frame *frame, size_t row, toi_writer *w) {
  char *to = w->block + w->used;
  for (size_t k = 0; k < 3; k++) {
    if (frame->scalar == TOI_FLOAT32) {
      uint32_t bits;
      memcpy(&bits, (const float *)frame->vertices + 3 * row + k, sizeof bits);
      store32(to + k * sizeof bits, bits);
    } else {
      uint64_t bits;
      memcpy(&bits, (const double *)frame->vertices + 3 * row + k, sizeof bits);
      store64(to + k * sizeof bits, bits);
    }
  }
  w->used += 3 * toi_scalar_bytes(frame->scalar);
}

static void ply_face(const toi_frame *frame, size_t row, toi_writer *w) {
  char *to = w->block + w->used;
  to[0] = 3;
  for (size_t k = 0; k < 3; k++)
    store32(to + 1 + k * sizeof(uint32_t), frame->faces[row][k]);
  w->used += 1 + 3 * sizeof(uint32_t);
}

static void ply_edge(const toi_frame *frame, size_t row, toi_writer *w) {
  for (size_t k = 0; k < 2; k++)
    store32(w->block + w->used + k * sizeof(uint32_t), frame->loose[row][k]);
  w->used += 2 * sizeof(uint32_t);
}

/* --- OBJ --- */

static void obj_vertex(const toi_frame *frame, size_t row, toi_writer *w) {
  const bool single = frame->scalar == TOI_FLOAT32;
  const int digits = single ? TOI_FLOAT_DIGITS : TOI_DOUBLE_DIGITS;
  char *to = w->block + w->used;
  *to++ = 'v';
  for (size_t k = 0; k < 3; k++) {
    *to++ = ' ';
    const double value =
        single ? (double)((const float *)frame->vertices)[3 * row + k] : ((const double *)frame->vertices)[3 * row + k];
    to += toi_decimal_write(value, digits, to);
  }
  *to++ = '\n';
  w->used = (size_t)(to - w->block);
}

/* Numbers from 1 behind a letter. */
static void obj_numbers(toi_writer *w, char letter, const uint32_t *numbers, size_t count) {
  char *to = w->block + w->used;
  *to++ = letter;
  for (size_t k = 0; k < count; k++)
    to += snprintf(to, 16, " %" PRIu64, (uint64_t)numbers[k] + 1);
  *to++ = '\n';
  w->used = (size_t)(to - w->block);
}

static void obj_face(const toi_frame *frame, size_t row, toi_writer *w) {
  obj_numbers(w, 'f', frame->faces[row], 3);
}

static void obj_line(const toi_frame *frame, size_t row, toi_writer *w) {
  obj_numbers(w, 'l', frame->loose[row], 2);
}

/* --- both --- */

typedef void (*row_writer)(const toi_frame *frame, size_t row, toi_writer *w);

static void write_rows(toi_writer *w, const toi_frame *frame, size_t count, row_writer write) {
  for (size_t i = 0; i < count && toi_writer_room(w, ROW_BYTES) != NULL; i++)
    write(frame, i, w);
}

static void write_all(toi_writer *w, const toi_frame *frame, bool ply) {
  if (ply)
    ply_header(w, frame);
  write_rows(w, frame, frame->vertex_count, ply ? ply_vertex : obj_vertex);
  write_rows(w, frame, frame->face_count, ply ? ply_face : obj_face);
  write_rows(w, frame, frame->loose_count, ply ? ply_edge : obj_line);
}

static toi_status check_numbers(toi_context *context, const toi_frame *frame, const uint32_t *numbers, size_t width) {
  const size_t count = width * (width == 3 ? frame->face_count : frame->loose_count);
  for (size_t i = 0; i < count; i++)
    if (numbers[i] >= frame->vertex_count)
      return toi_fail(context, TOI_ERROR_INPUT, "%s %zu names vertex %u, but there are %zu, numbered from 0",
                      width == 3 ? "face" : "loose edge", i / width, (unsigned)numbers[i], frame->vertex_count);
  return TOI_OK;
}

static toi_status check_frame(toi_context *context, const toi_frame *frame) {
  if (!toi_reserved_is_zero(frame->reserved, sizeof frame->reserved))
    return toi_fail(context, TOI_ERROR_INPUT, "the frame's reserved fields are not zero; start from zeroes");
  if (frame->scalar != TOI_FLOAT64 && frame->scalar != TOI_FLOAT32)
    return toi_fail(context, TOI_ERROR_INPUT, "the frame's scalar is %d; it must be TOI_FLOAT64 or TOI_FLOAT32",
                    (int)frame->scalar);
  if (frame->vertex_count == 0 || frame->vertex_count > TOI_FRAME_MOST || frame->face_count > TOI_FRAME_MOST ||
      frame->loose_count > TOI_FRAME_MOST)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "%zu vertices, %zu faces, %zu loose edges; a file has 1 vertex or more, "
                    "and at most %zu of each",
                    frame->vertex_count, frame->face_count, frame->loose_count, TOI_FRAME_MOST);
  if (frame->vertices == NULL || (frame->face_count > 0 && frame->faces == NULL) ||
      (frame->loose_count > 0 && frame->loose == NULL))
    return toi_fail(context, TOI_ERROR_INPUT, "an array of the frame is NULL; give it");
  for (size_t i = 0; i < 3 * frame->vertex_count; i++) {
    const double value = frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[i]
                                                      : ((const double *)frame->vertices)[i];
    if (!isfinite(value))
      return toi_fail(context, TOI_ERROR_INPUT, "vertex %zu: %c is not finite; coordinates must be", i / 3,
                      (char)('x' + i % 3));
  }
  const toi_status status = frame->face_count == 0 ? TOI_OK : check_numbers(context, frame, frame->faces[0], 3);
  return status != TOI_OK || frame->loose_count == 0 ? status : check_numbers(context, frame, frame->loose[0], 2);
}

static TOI_APART toi_status write_frame(toi_context *context, const char *path, const toi_frame *frame) {
  if (context == NULL || path == NULL || frame == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "toi_frame_write needs a context, a path and a frame");
  const bool ply = toi_path_ends(path, ".ply") || toi_path_ends(path, ".ply.gz");
  if (!ply && !toi_path_ends(path, ".obj") && !toi_path_ends(path, ".obj.gz"))
    return toi_fail(context, TOI_ERROR_OPTION,
                    "%s: meshes are written to .ply or .obj, optionally with .gz; change the name", path);
  toi_status status = check_frame(context, frame);
  if (status != TOI_OK)
    return status;
  toi_writer *w = toi_allocate(context, sizeof *w);
  if (w == NULL)
    return TOI_ERROR_MEMORY;
  status = toi_writer_open(w, context, path);
  if (status == TOI_OK) {
    write_all(w, frame, ply);
    status = toi_writer_close(w);
  }
  toi_free(context, w, sizeof *w);
  return status;
}

toi_status toi_frame_write(toi_context *context, const char *path, const toi_frame *frame) {
  TOI_CALL(context, write_frame(context, path, frame));
}
