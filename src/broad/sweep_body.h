/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The shrinking queue of Sweep and Tiniest Queue (Belgrod 2023, section 6.2): a part of sweep_plain.c and sweep_avx2.c,
 * which define SWEEP_LANES, SWEEP_KERNEL, bits() and put_pairs().
 *
 * The paper's queue holds pairs (i, j); a round tests each of them and puts (i, j + 1) into the next queue while the
 * two overlap along the axis. Here a round takes every box of the queue through the next tile of the order, a group of
 * lanes at a time, and the box stays in the queue while its interval reaches beyond: the tile stays in the nearest
 * cache for the whole round, and lanes hold consecutive j of one i. The paper's rounds of one step, with consecutive i
 * in the lanes, took two to three times as long on the edges of the five scenes: twice the loads, and lanes that are
 * idle because intervals end at different j. */

#include <assert.h>

/* Boxes of a tile: as many groups of lanes as a word has bits. */
#define TILE (64 * SWEEP_LANES)

#define INLINE static inline __attribute__((always_inline))

typedef float wide __attribute__((vector_size(4 * SWEEP_LANES)));
typedef float wide_loose __attribute__((vector_size(4 * SWEEP_LANES), aligned(4)));
typedef int32_t wide_mask __attribute__((vector_size(4 * SWEEP_LANES)));
typedef uint32_t number_loose __attribute__((vector_size(4 * SWEEP_LANES), aligned(4)));

_Static_assert(SWEEP_LANES <= TOI_SWEEP_PADDING, "lanes may reach beyond the last box");

INLINE wide load(const float *from) {
  return *(const wide_loose *)from;
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

/* Which of the lanes from `at` on overlap the box on the two other axes? Closed: touching counts. */
INLINE unsigned overlapping(const toi_sweep_order *to, const coordinates *c, size_t at) {
  return bits((load(to->lo[1] + at) <= c->hi[1]) & (load(to->hi[1] + at) >= c->lo[1]) &
              (load(to->lo[2] + at) <= c->hi[2]) & (load(to->hi[2] + at) >= c->lo[2]));
}

/* Which begin within it, which overlap it on all axes strictly, which share a vertex with it? */
INLINE unsigned beginning(const toi_sweep_order *to, const coordinates *c, size_t at) {
  return bits(load(to->lo[0] + at) <= c->hi[0]);
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

/* Of lanes whose float boxes touch without overlapping strictly, those whose double boxes overlap. */
static unsigned settle_ties(const toi_sweep_pass *pass, size_t box, size_t at, unsigned ties) {
  unsigned kept = 0;
  const uint32_t own = pass->from->number[box];
  for (; ties; ties &= ties - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(ties);
    const uint32_t other = pass->to->number[at + lane];
    const bool turned = pass->turn == TOI_SWEEP_TURNED || (pass->turn == TOI_SWEEP_SORTED && other < own);
    if (toi_join_touches(pass->join, turned ? other : own, turned ? own : other))
      kept |= 1u << lane;
  }
  return kept;
}

/* Hands on the pairs of a box with the boxes of one group of lanes. */
INLINE void take(const toi_sweep_pass *pass, toi_sink *sink, size_t box, const coordinates *c, size_t at) {
  const toi_sweep_order *const to = pass->to;
  unsigned lanes = overlapping(to, c, at) & beginning(to, c, at) & ~adjacent(pass, box, at);
  if (!pass->join->boxer->exact) {
    const unsigned ties = lanes & ~strictly_overlapping(to, c, at);
    if (ties)
      lanes = (lanes & ~ties) | settle_ties(pass, box, at, ties);
  }
  put_pairs(sink->pairs + sink->count, pass->packed[lanes], to->number + at, pass->from->number[box], pass->turn);
  sink->count += (unsigned)__builtin_popcount(lanes);
}

/* Takes a box to the end of the tile, or of its interval; then *over. Groups in which something overlaps are marked
 * first and looked at afterwards, so that the first loop has no branch that the processor could guess wrong. */
INLINE toi_status travel(const toi_sweep_pass *pass, uint32_t thread, traveller *t, size_t tile_end, bool *over) {
  const toi_sweep_order *const from = pass->from, to = *pass->to;
  const uint32_t box = t->box;
  const coordinates c = {.lo = {from->lo[0][box], from->lo[1][box], from->lo[2][box]},
                         .hi = {from->hi[0][box], from->hi[1][box], from->hi[2][box]}};
  uint64_t marked = 0, mark = 1;
  size_t next = t->next;
  *over = !(to.lo[0][tile_end - 1] <= c.hi[0]);
  if (*over)
    for (; to.lo[0][next] <= c.hi[0]; next += SWEEP_LANES, mark <<= 1)
      marked |= overlapping(&to, &c, next) ? mark : 0;
  else
    for (; next < tile_end; next += SWEEP_LANES, mark <<= 1)
      marked |= overlapping(&to, &c, next) ? mark : 0;

  toi_sink *const sink = toi_join_sink(pass->join, thread);
  for (; marked; marked &= marked - 1) {
    take(pass, sink, box, &c, t->next + SWEEP_LANES * (size_t)__builtin_ctzll(marked));
    if (sink->count >= TOI_SINK_PAIRS) {
      const toi_status status = toi_sink_flush(pass->join, thread);
      if (status != TOI_OK)
        return status;
    }
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
