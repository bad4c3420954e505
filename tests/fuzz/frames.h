/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Mesh files: what a frame promises, and that it reads the same after it was written. */

#ifndef TOI_TESTS_FUZZ_FRAMES_H
#define TOI_TESTS_FUZZ_FRAMES_H

#include "fuzz/fuzz.h"

#include <toi/broad.h>
#include <toi/io.h>

#include <math.h>
#include <string.h>

static inline double fuzz_frame_coordinate(const toi_frame *frame, size_t i) {
  return frame->scalar == TOI_FLOAT32 ? (double)((const float *)frame->vertices)[i]
                                      : ((const double *)frame->vertices)[i];
}

static inline void fuzz_frame_valid(toi_context *context, const toi_frame *frame) {
  FUZZ_CHECK(frame->vertex_count > 0);
  for (size_t i = 0; i < 3 * frame->vertex_count; i++)
    FUZZ_CHECK(isfinite(fuzz_frame_coordinate(frame, i)));
  for (size_t i = 0; i < 3 * frame->face_count; i++)
    FUZZ_CHECK(frame->faces[i / 3][i % 3] < frame->vertex_count);
  for (size_t i = 0; i < 2 * frame->loose_count; i++)
    FUZZ_CHECK(frame->loose[i / 2][i % 2] < frame->vertex_count);

  // A frame is a mesh at rest.
  uint32_t(*edges)[2];
  size_t edge_count;
  FUZZ_CHECK(toi_mesh_edges(context, (const uint32_t(*)[3])frame->faces, frame->face_count,
                            (const uint32_t(*)[2])frame->loose, frame->loose_count, &edges, &edge_count) == TOI_OK);
  const toi_mesh mesh = {.start = frame->vertices,
                         .end = frame->vertices,
                         .scalar = frame->scalar,
                         .vertex_count = frame->vertex_count,
                         .edges = (const uint32_t(*)[2])edges,
                         .edge_count = edge_count,
                         .faces = (const uint32_t(*)[3])frame->faces,
                         .face_count = frame->face_count};
  FUZZ_CHECK(toi_mesh_check(context, &mesh) == TOI_OK);
  toi_mesh_edges_free(context, edges, edge_count);
}

/* Written as `name`; where the format has doubles only, floats come back widened. */
static inline void fuzz_frame_again(toi_context *context, const char *name, const toi_frame *frame) {
  const char *path = fuzz_path(name);
  toi_frame again;
  FUZZ_CHECK(toi_frame_write(context, path, frame) == TOI_OK);
  FUZZ_CHECK(toi_frame_read(context, path, &again) == TOI_OK);
  FUZZ_CHECK(again.vertex_count == frame->vertex_count && again.face_count == frame->face_count &&
             again.loose_count == frame->loose_count);
  for (size_t i = 0; i < 3 * frame->vertex_count; i++) {
    const double was = fuzz_frame_coordinate(frame, i), is = fuzz_frame_coordinate(&again, i);
    FUZZ_CHECK(frame->scalar == TOI_FLOAT32 ? (float)is == (float)was : is == was);
  }
  FUZZ_CHECK(frame->face_count == 0 ||
             memcmp(again.faces, frame->faces, frame->face_count * sizeof frame->faces[0]) == 0);
  FUZZ_CHECK(frame->loose_count == 0 ||
             memcmp(again.loose, frame->loose, frame->loose_count * sizeof frame->loose[0]) == 0);
  toi_frame_free(context, &again);
}

/* The target of a format: the input is a file of this name. */
static inline int fuzz_frame(const char *name, const uint8_t *data, size_t size) {
  toi_context *context = fuzz_context();
  toi_frame frame;
  memset(&frame, 0xa5, sizeof frame);
  const toi_status status = toi_frame_read(context, fuzz_file(name, data, size), &frame);
  if (status != TOI_OK) {
    fuzz_refused(context, status);
    FUZZ_CHECK(frame.vertices == NULL && frame.faces == NULL && frame.loose == NULL);
    FUZZ_CHECK(frame.vertex_count == 0 && frame.face_count == 0 && frame.loose_count == 0);
  } else {
    fuzz_frame_valid(context, &frame);
    fuzz_frame_again(context, "again.ply", &frame);
    fuzz_frame_again(context, "again.obj", &frame);
  }
  toi_frame_free(context, &frame);
  toi_context_destroy(context);
  return 0;
}

#endif
