/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What is in front of what in a picture of surfaces, and the surfaces themselves, shaded. */

#ifndef CLI_CONTACT_PAPER_H
#define CLI_CONTACT_PAPER_H

#include "contact_wires.h"
#include "paper.h"
#include "raster.h"

typedef struct depth_map {
  const paper *paper;
  raster image;
  bool many; /* surfaces: each is small */
} depth_map;

/* For so many surfaces. False if memory ran out; free it in both cases. */
bool depth_map_make(const paper *p, size_t surfaces, depth_map *map);
void depth_map_free(depth_map *map);

/* Puts a body on the map. What cannot be evaluated hides nothing. False if memory ran out. */
bool depth_map_put(depth_map *map, const drawing *d, const uint8_t colour[3]);

/* Whether a surface lies clearly before the point. */
bool depth_map_hides(const depth_map *map, const double at[3]);

#endif
