/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Worlds of a cloth, points and half-spaces, and the records that calls give about them. */

#ifndef TOI_TESTS_SCENE_HALF_SPACE_WORLDS_H
#define TOI_TESTS_SCENE_HALF_SPACE_WORLDS_H

#include "scene/meshes.h"

enum { MOST_PLANES = 4, MOST_RECORDS = 1 << 14 };

typedef struct world {
  made_mesh *made;
  toi_half_space planes[MOST_PLANES];
  size_t plane_count;
  toi_mesh mesh; /* with the planes */
} world;

/* In [-1, 1). */
static inline double pick_unit(uint64_t *random) {
  return 2 * test_random_unit(random) - 1;
}

/* A bumpy cloth and some loose points, above some planes or through them; in lattice style all on multiples of 1/4.
 * Vertices are moved by up to `bumps` from where a flat cloth has them. */
static inline void world_make(world *w, uint64_t *random, bool lattice, double height, double bumps) {
  static const toi_half_space choices[] = {
      {{0, 0, 2}, 0}, {{0, 3, 4}, -1}, {{1, 0, 1}, -1.5}, {{-0.3, 0.1, 7}, -0.25}, {{1, 2, 2}, -1}};
  *w = (world){.made = made_new()};
  made_grid(w->made, 5, 0.5, (const double[3]){0, 0, height});
  for (int i = 0; i < 8; i++)
    made_vertex(w->made, pick_unit(random), pick_unit(random), height + 1 + test_random_unit(random));
  for (size_t i = 0; i < w->made->vertex_count; i++)
    for (int k = 0; k < 3; k++) {
      const double bump = bumps * pick_unit(random), way = k == 2 ? -2 * test_random_unit(random) : pick_unit(random);
      w->made->start[i][k] += bump;
      w->made->end[i][k] = w->made->start[i][k] + way;
      if (!lattice)
        continue;
      w->made->start[i][k] = round(4 * w->made->start[i][k]) / 4;
      w->made->end[i][k] = round(4 * w->made->end[i][k]) / 4;
    }
  made_finish(w->made);
  w->plane_count = 1 + test_random(random) % MOST_PLANES;
  for (size_t i = 0; i < w->plane_count; i++)
    w->planes[i] = choices[test_random(random) % (sizeof choices / sizeof choices[0])];
  w->mesh = made_as(w->made, TOI_FLOAT64);
  w->mesh.half_spaces = w->planes;
  w->mesh.half_space_count = w->plane_count;
}

static inline toi_mesh without_planes(const world *w) {
  toi_mesh bare = w->mesh;
  bare.half_space_count = 0;
  return bare;
}

static inline toi_options choose_options(uint64_t *random) {
  toi_options options = toi_default_options();
  options.norm = (toi_norm)(test_random(random) % 2);
  options.min_separation = test_random(random) % 2 ? 0x1p-6 * (double)(test_random(random) % 8) : 0;
  options.separation_fraction = test_random(random) % 2 ? 0.125 * (double)(test_random(random) % 4) : 0;
  return options;
}

static inline void must(toi_context *context, toi_status status) {
  if (status != TOI_OK)
    fail_msg("%s", toi_context_error(context));
}

/* The answer of a vertex and a plane by itself, with the thickness of the vertex. */
static inline toi_hit answer_alone(const world *w, const toi_options *options, toi_pair pair) {
  toi_options own = *options;
  toi_hit hit;
  own.on_mesh = NULL;
  own.min_separation += w->mesh.thickness ? w->mesh.thickness[pair.first] : 0;
  assert_int_equal(
      toi_vertex_half_space(w->made->start[pair.first], w->made->end[pair.first], &w->planes[pair.second], &own, &hit),
      TOI_OK);
  return hit;
}

/* --- records --- */

typedef struct records {
  size_t size, count;
  unsigned char *bytes;
} records;

static inline records records_make(size_t size) {
  records r = {.size = size, .bytes = malloc(size * MOST_RECORDS)};
  assert_non_null(r.bytes);
  return r;
}

static inline toi_status records_add(records *r, const void *added, size_t count) {
  assert_true(r->count + count <= MOST_RECORDS);
  memcpy(r->bytes + r->size * r->count, added, r->size * count);
  r->count += count;
  return TOI_OK;
}

static inline toi_status add_collisions(void *user, const toi_collision *added, size_t count) {
  return records_add(user, added, count);
}

static inline toi_status add_close(void *user, const toi_proximal *added, size_t count) {
  return records_add(user, added, count);
}

static inline toi_status add_stencils(void *user, const toi_stencil *added, size_t count) {
  return records_add(user, added, count);
}

static inline toi_status add_crossings(void *user, const toi_crossing *added, size_t count) {
  return records_add(user, added, count);
}

/* Both begin alike, and `more` may go on. */
static inline void assert_begins_with(const records *more, const records *first) {
  assert_true(more->count >= first->count);
  assert_memory_equal(more->bytes, first->bytes, first->count * first->size);
}

#endif
