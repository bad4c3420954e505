/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The map from a mesh's coordinates to numbers that floats hold well: m(x) = (x - centre) * scale.
 *
 * The scale, a power of two, makes most of the mesh about 1 in size; one far vertex does not take the digits of the
 * others. A mesh near the origin is not moved: coordinates that are floats then map exactly. */

#ifndef TOI_NARROW_FLOAT_MAP_H
#define TOI_NARROW_FLOAT_MAP_H

#include <toi/narrow.h>

typedef struct toi_float_map {
  double centre[3];
  double scale;
} toi_float_map;

/* From a sample of the vertices at the start. There is a vertex; those that are not finite count as 0. */
toi_float_map toi_float_map_choose(const toi_mesh *mesh);

#endif
