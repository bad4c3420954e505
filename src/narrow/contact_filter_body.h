/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The contact filter, written once for any number of lanes. contact_filter_scalar.c, contact_filter_four.c and
 * contact_filter_avx2.c define TOI_FLOAT_LANES and TOI_CONTACT_FILTER and include this file.
 *
 * Two stages, survivors compacted between them: box and sign for all pairs; box, sign and projections for those that
 * are left, some in a hundred to one in seven. The second stage makes its corners of high and low floats if the mesh
 * has low ones, so that what the mesh's extent costs is paid for by few; the first does so as well if the mesh says
 * that its high floats alone are too coarse for its pairs. */

#include "narrow/contact_filter.h"
#include "narrow/contact_filter_bounds.h"
#include "number/float_lanes_body.h"

#include "narrow/contact_filter_core_body.h"

#define ALL_LANES ((1u << TOI_FLOAT_LANES) - 1)

/* The lanes of a group; where it is the last and not full, the others repeat its first pair. */
TOI_INLINE unsigned lanes_of(size_t count) {
  return count < TOI_FLOAT_LANES ? (1u << count) - 1 : ALL_LANES;
}

TOI_INLINE float_bounds bounds_of(const toi_float_mesh *mesh, int fine) {
  const float *r = fine ? mesh->fine : mesh->coarse;
  if (fine)
    return (float_bounds){
        {every(r[0]), every(r[1]), every(r[2])}, TOI_FINE_END, TOI_FINE_MID, TOI_FINE_HALVES, TOI_FINE_AREAS};
  return (float_bounds){
      {every(r[0]), every(r[1]), every(r[2])}, TOI_COARSE_END, TOI_COARSE_MID, TOI_COARSE_HALVES, TOI_COARSE_AREAS};
}

/* The vertices of a group of pairs. */
TOI_INLINE void group_vertices(int n, const toi_float_mesh *mesh, const toi_contact_block *block,
                               const uint32_t numbers[TOI_FLOAT_LANES], uint32_t vertices[CORNERS][TOI_FLOAT_LANES]) {
  for (size_t j = 0; j < TOI_FLOAT_LANES; j++) {
    const toi_pair pair = block->pairs[numbers[j]];
    if (n == 4)
      for (int k = 0; k < 2; k++) {
        vertices[k][j] = mesh->edges[pair.first][k];
        vertices[2 + k][j] = mesh->edges[pair.second][k];
      }
    else {
      vertices[0][j] = pair.first;
      for (int k = 0; k < 3; k++)
        vertices[1 + k][j] = mesh->faces[pair.second][k];
    }
  }
}

/* Corners of a group. */
TOI_INLINE void load_hull(int n, int fine, const toi_float_mesh *mesh, uint32_t vertices[CORNERS][TOI_FLOAT_LANES],
                          float_hull *hull) {
  real high[CORNERS][TIMES * AXES], low[CORNERS][TIMES * AXES];
  TOI_UNROLL
  for (int k = 0; k < CORNERS; k++) {
    load_six(mesh->high, vertices[k], high[k]);
    if (fine)
      load_six(mesh->low, vertices[k], low[k]);
  }
  TOI_UNROLL
  for (int time = 0; time < TIMES; time++)
    TOI_UNROLL
  for (int k = 0; k < n; k++) {
    int first, second;
    corner_points(n, k, &first, &second);
    TOI_UNROLL
    for (int axis = 0; axis < AXES; axis++) {
      const int i = AXES * time + axis;
      hull->at[time][k][axis] = high[first][i] - high[second][i];
      if (fine)
        hull->at[time][k][axis] += low[first][i] - low[second][i];
    }
  }
}

/* Keeps the numbers of a group whose lanes are left. */
TOI_INLINE size_t keep(unsigned left, const uint32_t *numbers, uint32_t *open) {
  size_t kept = 0;
  for (; left; left &= left - 1)
    open[kept++] = numbers[__builtin_ctz(left)];
  return kept;
}

/* Box and sign. */
TOI_INLINE size_t first_stage(int n, int fine, const toi_float_mesh *mesh, toi_contact_block *block) {
  const float_bounds bounds = bounds_of(mesh, fine);
  size_t open = 0;
  for (size_t i = 0; i < block->count; i += TOI_FLOAT_LANES) {
    const unsigned all = lanes_of(block->count - i);
    uint32_t vertices[CORNERS][TOI_FLOAT_LANES], numbers[TOI_FLOAT_LANES];
    for (size_t j = 0; j < TOI_FLOAT_LANES; j++)
      numbers[j] = (uint32_t)(i + j < block->count ? i + j : i);
    group_vertices(n, mesh, block, numbers, vertices);
    float_hull hull;
    load_hull(n, fine, mesh, vertices, &hull);
    const unsigned boxes = all & bits_of(hull_box(n, &bounds, &hull));
    block->by_box += (unsigned)__builtin_popcount(boxes);
    if (boxes == all)
      continue;
    const float_cubic f = hull_cubic(n, &bounds, &hull);
    const unsigned signs = all & ~boxes & bits_of(cubic_one_sign(&bounds, &hull, &f));
    block->by_sign += (unsigned)__builtin_popcount(signs);
    open += keep(all & ~(boxes | signs), numbers, block->open + open);
  }
  return open;
}

/* All three on the first `count` open pairs. */
TOI_INLINE size_t second_stage(int n, int fine, const toi_float_mesh *mesh, toi_contact_block *block, size_t count) {
  const float_bounds bounds = bounds_of(mesh, fine);
  size_t open = 0;
  for (size_t i = 0; i < count; i += TOI_FLOAT_LANES) {
    const unsigned all = lanes_of(count - i);
    uint32_t vertices[CORNERS][TOI_FLOAT_LANES], numbers[TOI_FLOAT_LANES];
    for (size_t j = 0; j < TOI_FLOAT_LANES; j++)
      numbers[j] = block->open[i + j < count ? i + j : i];
    group_vertices(n, mesh, block, numbers, vertices);
    float_hull hull;
    load_hull(n, fine, mesh, vertices, &hull);
    const unsigned boxes = all & bits_of(hull_box(n, &bounds, &hull));
    const float_cubic f = hull_cubic(n, &bounds, &hull);
    const unsigned signs = all & ~boxes & bits_of(cubic_one_sign(&bounds, &hull, &f));
    const unsigned areas = all & ~(boxes | signs) & bits_of(projection_miss(n, &bounds, &hull, &f));
    block->by_box += (unsigned)__builtin_popcount(boxes);
    block->by_sign += (unsigned)__builtin_popcount(signs);
    block->by_projection += (unsigned)__builtin_popcount(areas);
    open += keep(all & ~(boxes | signs | areas), numbers, block->open + open);
  }
  return open;
}

/* A function of its own for each stage, so that the compiler keeps their registers apart. */
#define STAGES_OF(n, fine)                                                                                             \
  static __attribute__((noinline)) size_t first_##n##_##fine(const toi_float_mesh *mesh, toi_contact_block *block) {   \
    return first_stage(n, fine, mesh, block);                                                                          \
  }                                                                                                                    \
  static __attribute__((noinline))                                                                                     \
  size_t second_##n##_##fine(const toi_float_mesh *mesh, toi_contact_block *block, size_t count) {                     \
    return second_stage(n, fine, mesh, block, count);                                                                  \
  }
STAGES_OF(3, 0)
STAGES_OF(3, 1)
STAGES_OF(4, 0)
STAGES_OF(4, 1)

size_t TOI_CONTACT_FILTER(const toi_float_mesh *mesh, toi_contact_block *block) {
  const bool fine = mesh->low != NULL, fine_first = fine && mesh->fine_first;
  if (block->kind == TOI_EDGE_EDGE) {
    const size_t left = fine_first ? first_4_1(mesh, block) : first_4_0(mesh, block);
    return fine ? second_4_1(mesh, block, left) : second_4_0(mesh, block, left);
  }
  const size_t left = fine_first ? first_3_1(mesh, block) : first_3_0(mesh, block);
  return fine ? second_3_1(mesh, block, left) : second_3_0(mesh, block, left);
}
