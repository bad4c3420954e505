/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The shrinking queue of Sweep and Tiniest Queue (Belgrod 2023, section 6.2): a part of sweep_plain.c and sweep_avx2.c,
 * which differ in the number of lanes only.
 *
 * The paper's queue holds pairs (i, j); a round tests each of them and puts (i, j + 1) into the next queue while the
 * two overlap along the axis. Here a round takes every box of the queue as far as the end of the next tile of the
 * order, a group of lanes at a time, and the box stays in the queue while its interval reaches beyond: the tile stays
 * in the nearest cache for the whole round, and what is read is consecutive. */

#include "broad/sweep.h"

#include <assert.h>

#if SWEEP_LANES == 8 && defined(__AVX2__)
#include <immintrin.h>
#elif SWEEP_LANES == 4 && defined(__SSE2__)
#include <emmintrin.h>
#elif SWEEP_LANES == 4 && defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Boxes of a tile. */
#define TILE 512

#define INLINE static inline __attribute__((always_inline))

typedef float wide __attribute__((vector_size(4 * SWEEP_LANES)));
typedef float wide_loose __attribute__((vector_size(4 * SWEEP_LANES), aligned(4)));
typedef int32_t wide_mask __attribute__((vector_size(4 * SWEEP_LANES)));
typedef uint32_t number_loose __attribute__((vector_size(4 * SWEEP_LANES), aligned(4)));

_Static_assert(SWEEP_LANES <= TOI_SWEEP_PADDING, "lanes may reach beyond the last box");

INLINE wide load(const float *from) {
  return *(const wide_loose *)from;
}

INLINE unsigned bits(wide_mask m) {
#if SWEEP_LANES == 8 && defined(__AVX2__)
  return (unsigned)_mm256_movemask_ps((__m256)m);
#elif SWEEP_LANES == 4 && defined(__SSE2__)
  return (unsigned)_mm_movemask_ps((__m128)m);
#elif SWEEP_LANES == 4 && defined(__aarch64__)
  const uint32x4_t weight = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32((uint32x4_t)m, weight));
#else
  unsigned result = 0;
  for (unsigned i = 0; i < SWEEP_LANES; i++)
    result |= (unsigned)(m[i] & 1) << i;
  return result;
#endif
}

/* A box of `from` on its way through `to`. */
typedef struct traveller {
  uint32_t box;  /* its place in `from` */
  uint32_t next; /* the first place in `to` not yet looked at */
} traveller;

/* Its coordinates, read once a round. */
typedef struct coordinates {
  float lo[3], hi[3];
} coordinates;

/* Of the lanes from `at` on: those that overlap on all axes (closed), on all axes strictly, and those that share a
 * vertex. */
INLINE unsigned overlapping(const toi_sweep_order *to, const coordinates *c, size_t at) {
  return bits((load(to->lo[1] + at) <= c->hi[1]) & (load(to->hi[1] + at) >= c->lo[1]) &
              (load(to->lo[2] + at) <= c->hi[2]) & (load(to->hi[2] + at) >= c->lo[2]));
}

INLINE unsigned strictly_overlapping(const toi_sweep_order *to, const coordinates *c, size_t at) {
  return bits((load(to->lo[0] + at) < c->hi[0]) & (load(to->hi[0] + at) > c->lo[0]) &
              (load(to->lo[1] + at) < c->hi[1]) & (load(to->hi[1] + at) > c->lo[1]) &
              (load(to->lo[2] + at) < c->hi[2]) & (load(to->hi[2] + at) > c->lo[2]));
}

INLINE unsigned adjacent(const toi_sweep_pass *pass, size_t box, size_t at) {
  wide_mask shared = {0};
  for (size_t k = 0; k < pass->to->points; k++) {
    const number_loose theirs = *(const number_loose *)(pass->to->vertex[k] + at);
    for (size_t l = 0; l < pass->from->points; l++)
      shared |= (wide_mask)(theirs == pass->from->vertex[l][box]);
  }
  return bits(shared);
}

INLINE toi_pair pair_of(const toi_sweep_pass *pass, uint32_t own, uint32_t other) {
  const bool turned = pass->turn == TOI_SWEEP_TURNED || (pass->turn == TOI_SWEEP_SORTED && other < own);
  return turned ? (toi_pair){other, own} : (toi_pair){own, other};
}

/* Hands on the pairs of a box with the lanes in `closed`; where floats are equal, doubles decide. */
static toi_status take(const toi_sweep_pass *pass, uint32_t thread, traveller t, const coordinates *c,
                       unsigned closed) {
  closed &= bits(load(pass->to->lo[0] + t.next) <= c->hi[0]) & ~adjacent(pass, t.box, t.next);
  if (!closed)
    return TOI_OK;
  toi_sink *const sink = toi_join_sink(pass->join, thread);
  const unsigned strict = pass->join->boxer->exact ? closed : strictly_overlapping(pass->to, c, t.next);
  for (; closed; closed &= closed - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(closed);
    const toi_pair pair = pair_of(pass, pass->from->number[t.box], pass->to->number[t.next + lane]);
    if (strict >> lane & 1 || toi_join_touches(pass->join, pair.first, pair.second))
      sink->pairs[sink->count++] = pair;
  }
  return sink->count < TOI_SINK_PAIRS ? TOI_OK : toi_sink_flush(pass->join, thread);
}

/* Takes a box to the end of the tile, or of its interval: then *over. */
INLINE toi_status travel(const toi_sweep_pass *pass, uint32_t thread, traveller *t, size_t tile_end, bool *over) {
  const toi_sweep_order *const from = pass->from, *const to = pass->to;
  const uint32_t box = t->box;
  const coordinates c = {.lo = {from->lo[0][box], from->lo[1][box], from->lo[2][box]},
                         .hi = {from->hi[0][box], from->hi[1][box], from->hi[2][box]}};
  size_t next = t->next;
  *over = false;
  while (next < tile_end) {
    if (!(to->lo[0][next] <= c.hi[0])) {
      *over = true;
      break;
    }
    const unsigned closed = overlapping(to, &c, next);
    if (closed) {
      const toi_status status = take(pass, thread, (traveller){box, (uint32_t)next}, &c, closed);
      if (status != TOI_OK)
        return status;
    }
    next += SWEEP_LANES;
  }
  t->next = (uint32_t)next;
  return TOI_OK;
}

/* Whether the box at `at` in `to` begins too early for a box that begins at `own`. */
INLINE bool too_early(const toi_sweep_pass *pass, size_t at, float own) {
  const float lo = pass->to->lo[0][at];
  return pass->strictly ? lo <= own : lo < own;
}

/* The first place in `to` that a box of `from` looks at. */
static size_t first_place(const toi_sweep_pass *pass, size_t box) {
  if (pass->from == pass->to)
    return box + 1;
  size_t low = 0, high = pass->to->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (too_early(pass, middle, pass->from->lo[0][box]))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The boxes [begin, end) at their first places, each from that of the one before. */
INLINE void fill_queue(const toi_sweep_pass *pass, size_t begin, size_t end, size_t place, traveller *queue) {
  for (size_t box = begin; box < end; box++) {
    if (pass->from == pass->to)
      place = box + 1;
    else
      while (place < pass->to->count && too_early(pass, place, pass->from->lo[0][box]))
        place++;
    queue[box - begin] = (traveller){(uint32_t)box, (uint32_t)place};
  }
}

toi_status SWEEP_KERNEL(const toi_sweep_pass *pass, uint32_t thread, size_t begin, size_t end) {
  assert(begin < end && end - begin <= TOI_SWEEP_QUEUE && end <= pass->from->count);
  traveller queue[TOI_SWEEP_QUEUE];
  size_t tile = first_place(pass, begin), queued = end - begin;
  fill_queue(pass, begin, end, tile, queue);

  for (; queued > 0 && tile < pass->to->count; tile += TILE) {
    const size_t tile_end = tile + TILE < pass->to->count ? tile + TILE : pass->to->count;
    size_t kept = 0;
    for (size_t k = 0; k < queued; k++) {
      traveller t = queue[k];
      bool over;
      const toi_status status = travel(pass, thread, &t, tile_end, &over);
      if (status != TOI_OK)
        return status;
      queue[kept] = t;
      kept += !over;
    }
    queued = kept;
  }
  return TOI_OK;
}
