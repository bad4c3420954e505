/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Corners of patches, numbered by where they are and how they move.
 *
 * A corner's number is 4 p + k for the first patch p and the first of its corners k that is there; a table finds it.
 * Where many corners coincide (a collapsed edge, the tip of a lid) they find the same place in the table at once. */

#include "surface/model.h"

#include <assert.h>
#include <string.h>

/* A corner: position, then velocity. */
typedef struct corner {
  double at[6];
} corner;

typedef struct corner_table {
  const toi_patch *patches;
  uint32_t *places; /* the number of a corner, and one more; 0: none */
  size_t mask;      /* how many places there are, less one */
} corner_table;

/* Which control points are the corners. */
static void find_corners(const toi_patch *patch, size_t points[4]) {
  size_t m = patch->degree[0], n = patch->degree[1];
  points[0] = 0;
  if (patch->shape == TOI_PATCH_TRIANGLE) {
    points[1] = m;
    points[2] = points[3] = (m + 1) * (m + 2) / 2 - 1;
    return;
  }
  points[1] = n;
  points[2] = m * (n + 1);
  points[3] = m * (n + 1) + n;
}

/* Adding zero leaves one sort of zeroes. */
static corner corner_of(const toi_patch *patch, size_t point) {
  corner c;
  for (int k = 0; k < 3; k++) {
    c.at[k] = patch->points[point][k] + 0.0;
    c.at[3 + k] = patch->velocities ? patch->velocities[point][k] + 0.0 : 0.0;
  }
  return c;
}

static uint64_t hash(const corner *c) {
  uint64_t h = 0;
  for (int k = 0; k < 6; k++) {
    uint64_t bits;
    memcpy(&bits, &c->at[k], sizeof(bits));
    h = (h ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
  }
  return h;
}

/* The number of the first corner that is where this one is, which is put into the table if there is none. */
static uint32_t look_up(const corner_table *table, const corner *c, uint32_t own) {
  for (size_t place = (size_t)hash(c) & table->mask;; place = (place + 1) & table->mask) {
    uint32_t found = table->places[place];
    if (found == 0) {
      table->places[place] = own + 1;
      return own;
    }
    const toi_patch *patch = &table->patches[(found - 1) / 4];
    size_t points[4];
    find_corners(patch, points);
    corner other = corner_of(patch, points[(found - 1) % 4]);
    if (memcmp(&other, c, sizeof(other)) == 0)
      return found - 1;
  }
}

toi_status toi_patch_corners_number(toi_context *context, const toi_patch *patches, size_t count,
                                    toi_patch_corners *corners) {
  assert(count <= TOI_NEIGHBOURS_MOST);
  // At most half full.
  size_t size = 8;
  while (size < 8 * count)
    size *= 2;
  corner_table table = {patches, toi_allocate(context, size * sizeof(uint32_t)), size - 1};
  if (!table.places)
    return TOI_ERROR_MEMORY;
  memset(table.places, 0, size * sizeof(uint32_t));
  for (size_t i = 0; i < count; i++) {
    size_t points[4];
    find_corners(&patches[i], points);
    for (uint32_t k = 0; k < 4; k++) {
      corner c = corner_of(&patches[i], points[k]);
      corners[i].at[k] = look_up(&table, &c, (uint32_t)(4 * i) + k);
    }
  }
  toi_free(context, table.places, size * sizeof(uint32_t));
  return TOI_OK;
}
