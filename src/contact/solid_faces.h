/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Faces while they are joined into one solid. */

#ifndef TOI_CONTACT_SOLID_FACES_H
#define TOI_CONTACT_SOLID_FACES_H

#include "contact/solid.h"
#include "contact/solid_gap.h"

/* Points of an edge that are compared. */
#define TOI_RIM_SAMPLES 9

/* A side of a face. */
typedef struct toi_rim_state {
  bool real;   /* an edge, and no seam */
  bool point;  /* which is a single point */
  bool joined; /* to another one: toi_side has it */
  double at[TOI_RIM_SAMPLES][3];
} toi_rim_state;

typedef struct toi_face_join {
  toi_context *context;
  size_t count, room;      /* faces */
  toi_shape *faces;        /* copies, of which toi_shape_join() takes the terms */
  uint32_t *given, *patch; /* of each: which shape it is of, and which one of that; UINT32_MAX: it is all of it */
  toi_rim_state (*rims)[TOI_SIDES];
  toi_joints *joints;
  double size, tolerance;
} toi_face_join;

/* "faces[3]", or "faces[3], patch 2". */
#define TOI_FACE_NAME_SIZE 64
void toi_face_join_name(const toi_face_join *j, size_t face, char name[TOI_FACE_NAME_SIZE]);

/* The vertices, once all sides are joined: solid_vertices.c. */
toi_status toi_face_join_vertices(toi_face_join *j);

#endif
