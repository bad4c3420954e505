/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A frame that grows while it is read.
 *
 * Promise: memory follows what has arrived, not what a file says will come; arrays double, so that all growth together
 * costs little. */

#include <string.h>

#include "base/internal.h"
#include "io/frame.h"

#define FIRST_ROOM 1024

/* Makes *room at least `count`, each of `size` bytes, and moves *array; twice what it was where it grows on its own. */
static toi_status grow(toi_context *context, void **array, size_t *room, size_t size, size_t count) {
  if (count <= *room)
    return TOI_OK;
  void *moved = count > SIZE_MAX / size ? NULL : toi_resize(context, *array, *room * size, count * size);
  if (moved == NULL)
    return count > SIZE_MAX / size ? toi_fail(context, TOI_ERROR_MEMORY, "%zu rows do not fit in memory", count)
                                   : TOI_ERROR_MEMORY;
  *array = moved;
  *room = count;
  return TOI_OK;
}

static size_t larger(size_t room) {
  return room < FIRST_ROOM ? FIRST_ROOM : 2 * room;
}

static toi_status too_many(const toi_frame_maker *maker, const char *what) {
  return toi_fail(maker->context, TOI_ERROR_FORMAT, "%s: more than %zu %s; numbers of 32 bits cannot name them",
                  maker->path, TOI_FRAME_MOST, what);
}

toi_status toi_maker_reserve_vertices(toi_frame_maker *maker, size_t count) {
  const size_t size = 3 * toi_scalar_bytes(maker->frame.scalar);
  return grow(maker->context, &maker->frame.vertices, &maker->vertex_room, size, count);
}

toi_status toi_maker_reserve_faces(toi_frame_maker *maker, size_t count) {
  void *faces = maker->frame.faces;
  const toi_status status = grow(maker->context, &faces, &maker->face_room, sizeof *maker->frame.faces, count);
  maker->frame.faces = faces;
  return status;
}

toi_status toi_maker_add_vertex(toi_frame_maker *maker, const double point[3]) {
  toi_frame *frame = &maker->frame;
  if (frame->vertex_count >= TOI_FRAME_MOST)
    return too_many(maker, "vertices");
  if (frame->vertex_count == maker->vertex_room) {
    const toi_status status = toi_maker_reserve_vertices(maker, larger(maker->vertex_room));
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
    const toi_status status = toi_maker_reserve_faces(maker, larger(maker->face_room));
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
    const toi_status status =
        grow(maker->context, &loose, &maker->loose_room, sizeof *frame->loose, larger(maker->loose_room));
    frame->loose = loose;
    if (status != TOI_OK)
      return status;
  }
  uint32_t *edge = frame->loose[frame->loose_count++];
  edge[0] = a;
  edge[1] = b;
  return TOI_OK;
}

/* The array at its exact size; none if that is 0. */
static toi_status shrink(toi_context *context, void **array, size_t *room, size_t size, size_t count) {
  if (count == *room)
    return TOI_OK;
  void *moved = toi_resize(context, *array, *room * size, count * size);
  if (moved == NULL && count > 0)
    return TOI_ERROR_MEMORY;
  *array = moved;
  *room = count;
  return TOI_OK;
}

toi_status toi_maker_finish(toi_frame_maker *maker, toi_frame *frame) {
  toi_frame *made = &maker->frame;
  void *faces = made->faces, *loose = made->loose;
  toi_status status = shrink(maker->context, &made->vertices, &maker->vertex_room, 3 * toi_scalar_bytes(made->scalar),
                             made->vertex_count);
  if (status == TOI_OK)
    status = shrink(maker->context, &faces, &maker->face_room, sizeof *made->faces, made->face_count);
  made->faces = faces;
  if (status == TOI_OK)
    status = shrink(maker->context, &loose, &maker->loose_room, sizeof *made->loose, made->loose_count);
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
