/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The broad phase `brute`: every pair, decided on the double boxes alone. The reference for the others: no order, no
 * filter, nothing that could go wrong.
 *
 * Work is cut into tiles of a few hundred boxes against as many, so that memory does not grow with the mesh: a tile's
 * boxes are computed when it is visited, which costs little beside the pairs in it. */

#define TOI_LANES 2

#include "broad/cache.h"
#include "number/lanes.h"

/* Boxes on each side of a tile; both sides fit a core's nearest cache. */
#define TILE 256

/* Some boxes, one array a coordinate, so that the loop over them runs in lanes. */
typedef struct tile {
  _Alignas(16) double lo[3][TILE];
  double hi[3][TILE];
  uint32_t number[TILE];
  size_t count;
} tile;

/* What one thread works with. */
typedef struct bench {
  tile a, b;
} bench;

typedef struct brute {
  const toi_join *join;
  bench *benches; /* one a thread */
} brute;

/* Fills a tile with the boxes [begin, begin + TILE) of a set, or those that are there. */
static void load(const toi_join *join, const toi_box_set *set, size_t begin, tile *into) {
  into->count = set->count - begin < TILE ? set->count - begin : TILE;
  for (size_t i = 0; i < into->count; i++) {
    toi_swept_box box;
    into->number[i] = set->numbers ? set->numbers[begin + i] : (uint32_t)(begin + i);
    toi_box_of(join->boxer, set->primitive, into->number[i], &box);
    for (int axis = 0; axis < 3; axis++) {
      into->lo[axis][i] = box.lo[axis];
      into->hi[axis][i] = box.hi[axis];
    }
  }
}

/* Which of the TOI_LANES boxes of b from k on overlap box i of a? Closed: touching counts. */
TOI_INLINE unsigned overlapping(const tile *a, size_t i, const tile *b, size_t k) {
  mask apart = {0};
  for (int axis = 0; axis < 3; axis++) {
    const real b_lo = *(const real *)&b->lo[axis][k], b_hi = *(const real *)&b->hi[axis][k];
    apart |= less(b_hi, every(a->lo[axis][i])) | less(every(a->hi[axis][i]), b_lo);
  }
  return bits_of(~apart);
}

/* Hands on the pair of box i of a and box k of b, which overlap. */
static toi_status take(const toi_join *join, uint32_t thread, uint32_t first, uint32_t second) {
  if (toi_join_adjacent(join, first, second))
    return TOI_OK;
  toi_sink *const sink = toi_join_sink(join, thread);
  const bool turned = join->self && second < first;
  sink->pairs[sink->count++] = turned ? (toi_pair){second, first} : (toi_pair){first, second};
  return sink->count < TOI_SINK_PAIRS ? TOI_OK : toi_sink_flush(join, thread);
}

/* Box i of a against the boxes of b from `from` on. */
static toi_status run_box(const toi_join *join, uint32_t thread, const bench *tiles, size_t i, size_t from) {
  for (size_t k = from / TOI_LANES * TOI_LANES; k < tiles->b.count; k += TOI_LANES) {
    const unsigned bits = overlapping(&tiles->a, i, &tiles->b, k);
    if (!bits)
      continue;
    for (size_t lane_k = k; lane_k < k + TOI_LANES; lane_k++) {
      if (!(bits >> (lane_k - k) & 1) || lane_k < from || lane_k >= tiles->b.count)
        continue;
      const toi_status status = take(join, thread, tiles->a.number[i], tiles->b.number[lane_k]);
      if (status != TOI_OK)
        return status;
    }
  }
  return TOI_OK;
}

static size_t tiles_in(const toi_box_set *set) {
  return set->count / TILE + (set->count % TILE != 0);
}

/* Tiles [begin, end) of a, each against all of b; in a self join against those from itself on. */
static toi_status run_tiles(void *user, uint32_t thread, size_t begin, size_t end) {
  const brute *const all = user;
  const toi_join *const join = all->join;
  bench *const tiles = &all->benches[thread];
  const size_t rows = tiles_in(&join->a), columns = tiles_in(&join->b);
  for (size_t row = begin; row < end; row++) {
    load(join, &join->a, row * TILE, &tiles->a);
    for (size_t column = join->self ? row : 0; column < columns; column++) {
      toi_status status = toi_join_progress(join, thread, row * columns + column, rows * columns);
      load(join, &join->b, column * TILE, &tiles->b);
      for (size_t i = 0; i < tiles->a.count && status == TOI_OK; i++)
        status = run_box(join, thread, tiles, i, join->self && column == row ? i + 1 : 0);
      if (status != TOI_OK)
        return status;
    }
  }
  return TOI_OK;
}

static toi_status join_brute(toi_context *context, const toi_join *join) {
  toi_broad_cache *const cache = toi_broad_cache_of(context);
  if (!cache)
    return TOI_ERROR_MEMORY;
  brute all = {.join = join,
               .benches = toi_buffer_reserve(context, &cache->lists, toi_context_threads(context) * sizeof(bench))};
  if (!all.benches)
    return TOI_ERROR_MEMORY;
  return toi_parallel(context, tiles_in(&join->a), 1, run_tiles, &all);
}

const toi_broad_method toi_broad_brute = {
    .name = "brute",
    .promise = "Compares all pairs of boxes in double precision: the reference for the others; time grows with the "
               "square of their number.",
    .join = join_brute,
    .on_the_way = true,
};
