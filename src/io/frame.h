/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the readers and writers of mesh files share: a frame that grows while it is read. */

#ifndef TOI_IO_FRAME_H
#define TOI_IO_FRAME_H

#include <toi/io.h>

/* Numbers of primitives are 32 bits wide, and the largest one stands for "none". */
#define TOI_FRAME_MOST ((size_t)UINT32_MAX - 1)

typedef struct toi_frame_maker {
  toi_context *context;
  const char *path;
  toi_frame frame; /* its counts are what was read so far */
  size_t vertex_room, face_room, loose_room;
} toi_frame_maker;

static inline size_t toi_scalar_bytes(toi_scalar scalar) {
  return scalar == TOI_FLOAT32 ? sizeof(float) : sizeof(double);
}

/* Room for at least this many in all. */
toi_status toi_maker_reserve_vertices(toi_frame_maker *maker, size_t count);
toi_status toi_maker_reserve_faces(toi_frame_maker *maker, size_t count);

/* Each adds one; more than TOI_FRAME_MOST are refused. The coordinates have the frame's scalar's precision. */
toi_status toi_maker_add_vertex(toi_frame_maker *maker, const double point[3]);
toi_status toi_maker_add_face(toi_frame_maker *maker, uint32_t a, uint32_t b, uint32_t c);
toi_status toi_maker_add_loose(toi_frame_maker *maker, uint32_t a, uint32_t b);

/* Hands the arrays over at their exact size, from which toi_frame_free() computes it again. */
toi_status toi_maker_finish(toi_frame_maker *maker, toi_frame *frame);
void toi_maker_discard(toi_frame_maker *maker);

/* The formats: each reads or writes a whole file. */
toi_status toi_ply_read(toi_context *context, const char *path, toi_frame *frame);
toi_status toi_obj_read(toi_context *context, const char *path, toi_frame *frame);

#endif
