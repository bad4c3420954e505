/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A frame that grows while it is read.
 *
 * Promise: memory follows what has arrived, not what a file says will come; arrays double, so that all growth together
 * costs little. */

#include <string.h>

#include "io/array.h"
#include "io/frame.h"

static toi_status too_many(const toi_frame_maker *maker, const char *what) {
  return toi_fail(maker->context, TOI_ERROR_FORMAT, "%s: more than %zu %s; numbers of 32 bits cannot name them",
                  maker->path, TOI_FRAME_MOST, what);
}

toi_status toi_maker_reserve_vertices(toi_frame_maker *maker, size_t count) {
  const size_t size = 3 * toi_scalar_bytes(maker->frame.scalar);
  return toi_array_reserve(maker->context, &maker->frame.vertices, &maker->vertex_room, size, count);
}

toi_status toi_maker_reserve_faces(toi_frame_maker *maker, size_t count) {
  void *faces = maker->frame.faces;
  const toi_status status =
      toi_array_reserve(maker->context, &faces, &maker->face_room, sizeof *maker->frame.faces, count);
  maker->frame.faces = faces;
  return status;
}

toi_status toi_maker_add_vertex(toi_frame_maker *maker, const double point[3]) {
  toi_frame *frame = &maker->frame;
  if (frame->vertex_count >= TOI_FRAME_MOST)
    return too_many(maker, "vertices");
  if (frame->vertex_count == maker->vertex_room) {
    const toi_status status = toi_maker_reserve_vertices(maker, toi_array_larger(maker->vertex_room));
    if (status != TOI_OK)
      return status;
  }
  const size_t place = 3 * frame->vertex_count++;
  if (frame->scalar == TOI_FLOAT32)
    for (size_t k = 0; k < 3; k++)
      ((float *)frame->vertices)[place + k] = (float)point[k];
  else
    memcpy((double *)frame->vertices + place, point, 3 * sizeof(double));
  return TOI_OK;
}

toi_status toi_maker_add_face(toi_frame_maker *maker, uint32_t a, uint32_t b, uint32_t c) {
  toi_frame *frame = &maker->frame;
  if (frame->face_count >= TOI_FRAME_MOST)
    return too_many(maker, "faces");
  if (frame->face_count == maker->face_room) {
    const toi_status status = toi_maker_reserve_faces(maker, toi_array_larger(maker->face_room));
    if (status != TOI_OK)
      return status;
  }
  uint32_t *face = frame->faces[frame->face_count++];
  face[0] = a;
  face[1] = b;
  face[2] = c;
  return TOI_OK;
}

toi_status toi_maker_add_loose(toi_frame_maker *maker, uint32_t a, uint32_t b) {
  toi_frame *frame = &maker->frame;
  if (frame->loose_count >= TOI_FRAME_MOST)
    return too_many(maker, "edges");
  if (frame->loose_count == maker->loose_room) {
    void *loose = frame->loose;
    const toi_status status = toi_array_reserve(maker->context, &loose, &maker->loose_room, sizeof *frame->loose,
                                                toi_array_larger(maker->loose_room));
    frame->loose = loose;
    if (status != TOI_OK)
      return status;
  }
  uint32_t *edge = frame->loose[frame->loose_count++];
  edge[0] = a;
  edge[1] = b;
  return TOI_OK;
}

toi_status toi_maker_finish(toi_frame_maker *maker, toi_frame *frame) {
  toi_frame *made = &maker->frame;
  void *faces = made->faces, *loose = made->loose;
  toi_status status = toi_array_shrink(maker->context, &made->vertices, &maker->vertex_room,
                                       3 * toi_scalar_bytes(made->scalar), made->vertex_count);
  if (status == TOI_OK)
    status = toi_array_shrink(maker->context, &faces, &maker->face_room, sizeof *made->faces, made->face_count);
  made->faces = faces;
  if (status == TOI_OK)
    status = toi_array_shrink(maker->context, &loose, &maker->loose_room, sizeof *made->loose, made->loose_count);
  made->loose = loose;
  if (status != TOI_OK)
    return status;
  *frame = *made;
  *made = (toi_frame){0};
  maker->vertex_room = maker->face_room = maker->loose_room = 0;
  return TOI_OK;
}

void toi_maker_discard(toi_frame_maker *maker) {
  toi_frame *frame = &maker->frame;
  toi_free(maker->context, frame->vertices, maker->vertex_room * 3 * toi_scalar_bytes(frame->scalar));
  toi_free(maker->context, frame->faces, maker->face_room * sizeof *frame->faces);
  toi_free(maker->context, frame->loose, maker->loose_room * sizeof *frame->loose);
  *frame = (toi_frame){0};
  maker->vertex_room = maker->face_room = maker->loose_room = 0;
}
