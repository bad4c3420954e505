/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Surfaces as lines in space, for pictures: parametric ones along u and v, implicit ones where planes cut them. */

#ifndef CLI_CONTACT_WIRES_H
#define CLI_CONTACT_WIRES_H

#include "contact.h"

typedef struct wire_point {
  double at[3], normal[3]; /* in the world; the normal may be zero */
  bool hidden;             /* for who draws it */
} wire_point;

typedef struct wire {
  size_t first, count; /* among the points */
  uint32_t body;
  bool solid; /* what faces away from the eye is hidden */
} wire;

typedef struct wires {
  wire_point *points;
  size_t point_count, point_capacity;
  wire *lines;
  size_t count, capacity;
  bool failed;              /* memory ran out */
  struct drawing *surfaces; /* of all bodies */
  size_t surface_count;
} wires;

/* All bodies of the scene at a time. Returns EXIT_DONE, or EXIT_BAD after its line; free them in both cases. */
int wires_make(const contact_scene *scene, double t, wires *w);
void wires_free(wires *w);

/* --- for those who make them --- */

/* Begins a line; then adds its points. */
void wires_begin(wires *w, uint32_t body, bool solid);
void wires_add(wires *w, const wire_point *point);

/* A body, or a patch of it, being drawn: at time t its point p is at rotation p + translation. */
typedef struct drawing {
  wires *w;
  const toi_shape *shape;
  toi_extent extent;
  int lines;           /* of each parameter */
  toi_interval box[3]; /* implicit: what is drawn of it, in its own coordinates */
  uint32_t body;
  double t;
  double rotation[3][3], translation[3];
} drawing;

/* A point of the body, and its normal there, in the world. */
wire_point drawing_place(const drawing *d, const double at[3], const double normal[3]);

/* The lines of an implicit shape within its box; false if memory ran out. */
bool drawing_cut(const drawing *d);

#endif
