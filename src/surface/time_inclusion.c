/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The method `time-inclusion` for curved patches.
 *
 * Pairs of pieces wait in one queue, the earliest time at which they may touch first; time itself is never subdivided.
 * The pair at the front is halved, and its halves, with the times left to them by the axes of apart.h, go back. So the
 * time at the front is always a lower bound for the first contact of everything in the queue. Now and then a contact is
 * looked for and proved near the front (find.c): an upper bound. The search ends when the two have met, when everything
 * is apart, when the pieces at the front are within the tolerance, or with the budget.
 *
 * What is proved here: a pair leaves the queue only by being apart at all times up to the upper bound, or for its
 * halves, which cover it. */

#include "surface/surface.h"

#include <math.h>
#include <string.h>

#include "search/search.h"
#include "surface/apart.h"
#include "surface/isolate.h"

/* Pairs of pieces looked at, unless the caller says otherwise: for one pair of patches, and for each further one. */
#define CHECKS_DEFAULT 65536
#define CHECKS_EACH 64

/* Memory for pieces, at the most. */
#define PIECES_BYTES ((size_t)32 << 20)

/* Contacts are looked for when this many pairs were examined, then at growing counts. */
#define FIRST_ATTEMPT 16

/* Pairs that were too large to be settled around a contact are tried again when they were halved so many times. */
#define ISOLATION_STEP 2

/* Pieces that are longer than others by this factor are halved first. */
#define MUCH_LONGER 4

/* Checks spent on the bracket of a proved contact when the pieces are within the tolerance already, besides once more
 * what was spent before. */
#define CHECKS_BEYOND 256

/* Below this width there is nothing more to halve. */
#define LEVEL_MOST 90

typedef struct pair_item {
  toi_search_key key; /* the earliest time, then how far it is halved */
  double last;        /* the latest time */
  toi_piece *a, *b;
} pair_item;

typedef struct pair_search {
  const toi_surface_options *options;
  const toi_apart_kernel *kernel;
  toi_apart_rules rules;
  toi_forest forest;
  toi_finder finder;
  toi_touch touch; /* the earliest contact that is proved */
  bool touched;
  double isolated;         /* nothing touches before this in the pairs that were settled around the contact */
  double bracket;          /* as narrow as the answer should be, in time */
  uint64_t last_check;     /* beyond the tolerance, for the bracket alone; 0: not there yet */
  uint64_t next_attempt;   /* at so many checks */
  uint32_t next_isolation; /* at this level */
  uint64_t tests;          /* pairs of pieces tested */
  toi_surface_end end;
  toi_moments moments[3];
} pair_search;

static toi_search_fate examine(void *user, toi_search *search, const void *item);
static const toi_search_rules rules = {sizeof(pair_item), TOI_SEARCH_BEST_FIRST, examine};

/* --- pairs --- */

static void push_pair(toi_search *search, toi_piece *a, toi_piece *b, toi_interval times) {
  pair_item item = {.key = {times.lo, -(double)(a->level + b->level)}, .last = times.hi, .a = a, .b = b};
  toi_search_push(search, &rules, &item);
}

/* Whether the pieces of a pair are small enough to be called near. */
static bool within_tolerance(const pair_search *s, const pair_item *item) {
  if (item->a->level + item->b->level >= 2 * LEVEL_MOST)
    return true;
  double tolerance = s->options->tolerance;
  if (s->options->accept == TOI_ACCEPT_WORLD)
    return toi_piece_size(item->a, item->key.first, item->last) <= tolerance &&
           toi_piece_size(item->b, item->key.first, item->last) <= tolerance;
  for (int k = 0; k < 2; k++)
    if (toi_piece_width(item->a, k) > tolerance || toi_piece_width(item->b, k) > tolerance)
      return false;
  return true;
}

/* Looks for an earlier contact than the one that is known. */
static void attempt(pair_search *s, toi_search *search, const pair_item *item) {
  toi_touch touch;
  if (!toi_find_touch(&s->finder, item->a, item->b, item->key.first, &touch))
    return;
  if (s->touched && touch.at.t >= s->touch.at.t)
    return;
  s->touch = touch;
  s->touched = true;
  s->next_isolation = 0;
  search->bound = touch.at.t;
}

/* Whether the pair is settled by the contact that is known: nothing in it is earlier. */
static bool settled(pair_search *s, const pair_item *item) {
  if (!s->touched || s->options->min_separation > 0 || item->a->root != s->touch.root[0] ||
      item->b->root != s->touch.root[1])
    return false;
  uint32_t level = item->a->level + item->b->level;
  double t_lo;
  if (level < s->next_isolation)
    return false;
  toi_interval times = {item->key.first, s->touch.at.t};
  if (!toi_isolate(&s->finder.prover, &s->touch.at, item->a, item->b, times, &t_lo) ||
      s->touch.at.t - t_lo > s->bracket) {
    /* A little smaller, it may do. */
    s->next_isolation = level + ISOLATION_STEP;
    return false;
  }
  s->isolated = t_lo < s->isolated ? t_lo : s->isolated;
  return true;
}

/* The piece to halve: the much longer one, else the one that was halved less. */
static bool halve_first(const toi_piece *a, const toi_piece *b) {
  double long_a = a->length[0] > a->length[1] ? a->length[0] : a->length[1];
  double long_b = b->length[0] > b->length[1] ? b->length[0] : b->length[1];
  if (long_a > MUCH_LONGER * long_b || long_b > MUCH_LONGER * long_a)
    return long_a > long_b;
  return a->level <= b->level;
}

static bool bracketed(const pair_search *s, double t_lo) {
  return s->touched && s->touch.at.t - t_lo <= s->bracket;
}

/* What becomes of a pair within the tolerance: without a contact, the axes have another try on what is left of its
 * span, as long as that gets them on; with one, the search goes on for the bracket, for a while (SPLIT). */
static toi_search_fate examine_small(pair_search *s, toi_search *search, const pair_item *item) {
  double t_lo = item->key.first;
  s->end = bracketed(s, t_lo) ? TOI_SURFACE_BRACKETED : TOI_SURFACE_ACCEPTED;
  if (s->touched) {
    if (s->last_check == 0)
      s->last_check = 2 * search->checks + CHECKS_BEYOND;
    return search->checks < s->last_check && s->end == TOI_SURFACE_ACCEPTED ? TOI_BOX_SPLIT : TOI_BOX_ACCEPTED;
  }
  toi_interval span = {t_lo, item->last}, times = span;
  s->kernel->moments(item->a, span, &s->moments[0]);
  s->kernel->moments(item->b, span, &s->moments[1]);
  s->tests++;
  if (!s->kernel->meet(&s->rules, &s->moments[0], &s->moments[1], &times))
    return TOI_BOX_PRUNED;
  if (times.lo - span.lo <= s->bracket && times.hi - times.lo >= 0.75 * (span.hi - span.lo))
    return TOI_BOX_ACCEPTED;
  push_pair(search, item->a, item->b, times);
  return TOI_BOX_SPLIT;
}

static toi_search_fate examine(void *user, toi_search *search, const void *at) {
  pair_search *s = user;
  pair_item item = *(const pair_item *)at;
  if (bracketed(s, item.key.first)) {
    s->end = TOI_SURFACE_BRACKETED;
    return TOI_BOX_ACCEPTED;
  }
  bool small = within_tolerance(s, &item);
  if (small || search->checks >= s->next_attempt) {
    attempt(s, search, &item);
    s->next_attempt = (s->touched ? 4 : 2) * search->checks;
  }
  if (small) {
    toi_search_fate fate = examine_small(s, search, &item);
    if (fate != TOI_BOX_SPLIT || !s->touched)
      return fate;
  }
  if (settled(s, &item))
    return TOI_BOX_PRUNED;
  bool first = halve_first(item.a, item.b);
  toi_piece *halved = first ? item.a : item.b, *kept = first ? item.b : item.a;
  if (!toi_piece_split(&s->forest, halved, item.key.first)) {
    s->end = TOI_SURFACE_MEMORY;
    return TOI_BOX_ACCEPTED;
  }
  toi_interval span = {item.key.first, item.last < search->bound ? item.last : search->bound};
  s->kernel->moments(kept, span, &s->moments[2]);
  for (int i = 0; i < 2; i++) {
    toi_interval times = span;
    s->kernel->moments(halved->child[i], span, &s->moments[i]);
    const toi_moments *a = first ? &s->moments[i] : &s->moments[2], *b = first ? &s->moments[2] : &s->moments[i];
    s->tests++;
    if (s->kernel->meet(&s->rules, a, b, &times))
      push_pair(search, first ? halved->child[i] : kept, first ? kept : halved->child[i], times);
  }
  return TOI_BOX_SPLIT;
}

/* --- the whole search --- */

/* The roots of all patches in pairs, and the pairs that are not apart. False: no memory. */
static bool push_roots(pair_search *s, toi_search *search, const toi_patch_pairs *pairs, toi_piece **roots) {
  toi_interval whole = {0, s->options->t_max};
  toi_piece **roots_of[2] = {roots, pairs->a == pairs->b ? roots : roots + pairs->a_count};
  const toi_patch *patches[2] = {pairs->a, pairs->b};
  for (size_t i = 0; i < pairs->count; i++) {
    toi_pair pair = pairs->pairs ? pairs->pairs[i] : (toi_pair){0, 0};
    uint32_t numbers[2] = {pair.first, pair.second};
    toi_piece *piece[2];
    for (int k = 0; k < 2; k++) {
      toi_piece **root = &roots_of[k][numbers[k]];
      if (*root == NULL)
        *root = toi_piece_root(&s->forest, &patches[k][numbers[k]], numbers[k]);
      if (*root == NULL)
        return false;
      piece[k] = *root;
      s->kernel->moments(piece[k], whole, &s->moments[k]);
    }
    toi_interval times = whole;
    s->tests++;
    if (s->kernel->meet(&s->rules, &s->moments[0], &s->moments[1], &times))
      push_pair(search, piece[0], piece[1], times);
  }
  return !search->full;
}

static void conclude(const pair_search *s, const toi_search *search, toi_search_end end, toi_surface_hit *hit) {
  const pair_item *front = end == TOI_SEARCH_EMPTY ? NULL : search->answer;
  if (front == NULL && !s->touched) {
    *hit = toi_surface_miss(s->options->t_max);
    return;
  }
  toi_surface_end why = end == TOI_SEARCH_EMPTY   ? TOI_SURFACE_BRACKETED
                        : end == TOI_SEARCH_SPENT ? TOI_SURFACE_BUDGET
                        : end == TOI_SEARCH_FULL  ? TOI_SURFACE_MEMORY
                                                  : s->end;
  hit->end = (uint8_t)why;
  /* Everything but the contact that is proved is apart up to it, if nothing is left. */
  hit->t_lo = front && !(s->touched && front->key.first > s->touch.at.t) ? front->key.first : s->touch.at.t;
  hit->t_lo = s->isolated < hit->t_lo ? s->isolated > 0 ? s->isolated : 0 : hit->t_lo;
  hit->t_safe = hit->t_lo > 0 ? toi_next_down(hit->t_lo) : 0;
  if (s->touched) {
    hit->verdict = TOI_HIT;
    hit->t_hi = s->touch.at.t;
    hit->tolerance_reached = 0;
    hit->touching_at_start = s->touch.at.t == 0;
    toi_surface_place(&s->forest, &s->touch, hit);
    return;
  }
  hit->verdict = TOI_NEAR;
  hit->t_hi = front->last;
  toi_touch middle = {.root = {front->a->root, front->b->root}, .at = {.t = hit->t_lo}};
  toi_piece_middle(front->a, middle.at.uv[0]);
  toi_piece_middle(front->b, middle.at.uv[1]);
  toi_surface_place(&s->forest, &middle, hit);
  hit->tolerance_reached = s->options->min_separation + toi_piece_size(front->a, hit->t_lo, hit->t_lo) +
                           toi_piece_size(front->b, hit->t_lo, hit->t_lo);
}

/* The largest relative speed of control points, roughly. */
static double speed_of(const toi_patch_pairs *pairs) {
  double most = 0;
  const toi_patch *patches[2] = {pairs->a, pairs->b};
  size_t counts[2] = {pairs->a_count, pairs->b_count};
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < counts[side]; i++) {
      const toi_patch *p = &patches[side][i];
      size_t count = p->velocities ? toi_patch_points(p->shape, p->degree) : 0;
      for (size_t j = 0; j < count; j++)
        for (int k = 0; k < 3; k++)
          most = fabs(p->velocities[j][k]) > most ? fabs(p->velocities[j][k]) : most;
    }
  return 2 * most;
}

static double bracket_of(const toi_surface_question *question) {
  const toi_surface_options *options = question->options;
  double part = options->tolerance * 0x1p-10;
  if (options->accept == TOI_ACCEPT_PARAMETER)
    return part * options->t_max;
  double speed = speed_of(&question->pairs), time = part / speed;
  return time < options->t_max ? time : options->t_max;
}

toi_status toi_time_inclusion_surface(toi_context *context, const toi_surface_question *question,
                                      toi_surface_hit *hit) {
  const toi_patch_pairs *pairs = &question->pairs;
  const toi_surface_options *options = question->options;
  uint64_t most = options->max_checks;
  if (most == 0)
    most = CHECKS_DEFAULT + CHECKS_EACH * (uint64_t)pairs->count;
  size_t root_count = pairs->a_count + (pairs->a == pairs->b ? 0 : pairs->b_count), root_bytes = 0, piece_bytes = 0;
  for (size_t i = 0; i < root_count; i++) {
    const toi_patch *patch = i < pairs->a_count ? &pairs->a[i] : &pairs->b[i - pairs->a_count];
    root_bytes += toi_root_bytes(patch);
    piece_bytes = toi_piece_bytes(patch) > piece_bytes ? toi_piece_bytes(patch) : piece_bytes;
  }
  /* A check makes two pieces at the most, and leaves one pair more in the queue. */
  size_t pieces = PIECES_BYTES / piece_bytes;
  pieces = most < pieces / 2 ? (size_t)most * 2 : pieces;
  size_t items = (pairs->count + (most < 8 * pieces ? (size_t)most : 8 * pieces) + 8) * sizeof(pair_item);
  size_t list = (root_count * sizeof(toi_piece *) + 31) / 32 * 32, state = (sizeof(pair_search) + 31) / 32 * 32;
  size_t forest = root_bytes + pieces * piece_bytes;
  unsigned char *memory = toi_scratch(context, question->thread, state + list + forest + items);
  if (memory == NULL)
    return TOI_ERROR_MEMORY;
  pair_search *s = (pair_search *)(void *)memory;
  toi_piece **roots = (toi_piece **)(void *)(memory + state);
  memset(roots, 0, list);
  s->options = options;
  s->kernel = toi_apart_best();
  s->rules = (toi_apart_rules){options->min_separation, options->norm, options->inclusion};
  s->forest = toi_forest_make(memory + state + list, forest, options->t_max, pairs->a, pairs->b);
  s->finder = (toi_finder){.separation = options->min_separation, .norm = options->norm};
  s->touched = false;
  s->isolated = INFINITY;
  s->bracket = bracket_of(question);
  s->next_attempt = FIRST_ATTEMPT;
  s->last_check = 0;
  s->tests = 0;
  toi_search search = toi_search_make(&rules, memory + state + list + forest, items);
  search.max_checks = most;
  *hit = toi_surface_near();
  if (!push_roots(s, &search, pairs, roots))
    return TOI_ERROR_MEMORY;
  toi_search_end end = toi_search_run(&search, &rules, s);
  conclude(s, &search, end, hit);
  hit->checks = s->tests;
  hit->pieces = s->forest.pieces;
  return TOI_OK;
}
