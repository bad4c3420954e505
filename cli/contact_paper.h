/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The paper that a picture is drawn on, and what is in front of what. */

#ifndef CLI_CONTACT_PAPER_H
#define CLI_CONTACT_PAPER_H

#include "contact_wires.h"

/* How the world is seen: from far away, along `towards`, which points to the eye. */
typedef struct paper {
  double right[3], up[3], towards[3]; /* unit */
  double x_lo, y_hi, scale;           /* of the upper left corner, and pixels a unit of the world */
  double size;                        /* of what is drawn, in the world */
  int width, height;                  /* in pixels */
} paper;

double paper_dot(const double a[3], const double b[3]);

/* A point in pixels, and how near it is to the eye. */
void paper_project(const paper *p, const double at[3], double pixel[2], double *nearness);

/* How near the nearest surface is, cell by cell. */
typedef struct depth_map {
  const paper *paper;
  double *cells;
  int columns, rows;
} depth_map;

/* False if memory ran out; free it in both cases. */
bool depth_map_make(const paper *p, depth_map *map);
void depth_map_free(depth_map *map);

/* Puts a body on the map. What cannot be evaluated hides nothing. */
void depth_map_put(depth_map *map, const drawing *d);

/* Whether a surface lies clearly before the point. */
bool depth_map_hides(const depth_map *map, const double at[3]);

#endif
