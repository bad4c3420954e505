/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Where planes cut an implicit surface: marching squares on a grid in each plane, the pieces joined to long lines.
 *
 * A corner of the grid is inside where the function is negative; the line crosses every edge of the grid between an
 * inside and an outside corner, once. So each crossing is shared by two squares at most, and has two neighbours at
 * most. */

#include <stdlib.h>

#include "contact_wires.h"
#include "memory.h"

#define SLICES 8 /* along each axis */
#define CELLS 48 /* along each side of a slice */
#define CORNERS (CELLS + 1)
#define ROW_EDGES (CELLS * CORNERS)
#define EDGES (2 * ROW_EDGES) /* those along the first axis, then those along the second */
#define NONE (-1)

typedef struct slice {
  const drawing *d;
  int axis;    /* across the plane */
  double here; /* on that axis */
  double values[CORNERS][CORNERS];
  int next[EDGES][2]; /* crossings that a crossing is joined to */
} slice;

/* --- the grid --- */

static double corner_at(toi_interval range, double number) {
  return range.lo + (range.hi - range.lo) * number / CELLS;
}

/* A place of the plane in the shape's coordinates. */
static void locate(const slice *s, double i, double j, double at[3]) {
  const int first = (s->axis + 1) % 3, second = (s->axis + 2) % 3;
  at[s->axis] = s->here;
  at[first] = corner_at(s->d->box[first], i);
  at[second] = corner_at(s->d->box[second], j);
}

/* Where the function has no value, there is no inside. */
static double value_at(const slice *s, const double at[3], double normal[3]) {
  double value;
  return toi_shape_value(s->d->shape, at, s->d->t, &value, normal) == TOI_OK ? value : 1;
}

static void fill(slice *s) {
  for (int i = 0; i < CORNERS; i++) {
    for (int j = 0; j < CORNERS; j++) {
      double at[3], normal[3];
      locate(s, i, j, at);
      s->values[i][j] = value_at(s, at, normal);
    }
  }
  for (int e = 0; e < EDGES; e++)
    s->next[e][0] = s->next[e][1] = NONE;
}

static int first_edge(int i, int j) {
  return i * CORNERS + j;
}

static int second_edge(int i, int j) {
  return ROW_EDGES + i * CELLS + j;
}

/* --- lines --- */

static void join(slice *s, int a, int b) {
  s->next[a][s->next[a][0] != NONE] = b;
  s->next[b][s->next[b][0] != NONE] = a;
}

/* The edges of a square whose ends lie on two sides, in turn around it. */
static void join_square(slice *s, int i, int j) {
  const int edges[4] = {first_edge(i, j), second_edge(i + 1, j), first_edge(i, j + 1), second_edge(i, j)};
  const bool inside[4] = {s->values[i][j] < 0, s->values[i + 1][j] < 0, s->values[i + 1][j + 1] < 0,
                          s->values[i][j + 1] < 0};
  int crossed[4] = {0}, count = 0;
  for (int k = 0; k < 4; k++)
    if (inside[k] != inside[(k + 1) % 4])
      crossed[count++] = edges[k];
  for (int k = 0; k + 1 < count; k += 2)
    join(s, crossed[k], crossed[k + 1]);
}

/* The point of an edge at which the function, were it linear there, is zero. */
static void add_crossing(const slice *s, int edge) {
  const bool second = edge >= ROW_EDGES;
  const int rest = second ? edge - ROW_EDGES : edge, row = second ? CELLS : CORNERS;
  const int i = rest / row, j = rest % row;
  const double a = s->values[i][j], b = second ? s->values[i][j + 1] : s->values[i + 1][j];
  const double part = a / (a - b);
  double at[3], normal[3] = {0, 0, 0};
  locate(s, second ? i : i + part, second ? j + part : j, at);
  value_at(s, at, normal);
  const wire_point point = drawing_place(s->d, at, normal);
  wires_add(s->d->w, &point);
}

/* Follows a line from a crossing to its end, or around; what is passed is taken away. */
static void follow(slice *s, int start) {
  wires_begin(s->d->w, s->d->body, s->d->extent.solid);
  int edge = start, last = NONE;
  while (edge != NONE && !s->d->w->failed) {
    add_crossing(s, edge);
    const int before = last;
    const int onward = s->next[edge][0] != before ? s->next[edge][0] : s->next[edge][1];
    s->next[edge][0] = s->next[edge][1] = NONE;
    last = edge;
    edge = onward;
    if (edge == start) {
      add_crossing(s, edge);
      return;
    }
  }
}

static void draw_slice(slice *s) {
  fill(s);
  for (int i = 0; i < CELLS; i++)
    for (int j = 0; j < CELLS; j++)
      join_square(s, i, j);
  // Lines with ends first, from an end; what is left then goes around.
  for (int e = 0; e < EDGES; e++)
    if (s->next[e][0] != NONE && s->next[e][1] == NONE)
      follow(s, e);
  for (int e = 0; e < EDGES; e++)
    if (s->next[e][0] != NONE)
      follow(s, e);
}

bool drawing_cut(const drawing *d) {
  slice *s = memory_zeroed(1, sizeof *s);
  if (s == NULL)
    return false;
  s->d = d;
  for (s->axis = 0; s->axis < 3; s->axis++) {
    for (int i = 0; i < SLICES && !d->w->failed; i++) {
      const toi_interval range = d->box[s->axis];
      s->here = range.lo + (range.hi - range.lo) * (i + 0.5) / SLICES;
      draw_slice(s);
    }
  }
  memory_free(s);
  return !d->w->failed;
}
