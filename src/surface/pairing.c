/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of pieces, tested and halved. */

#include "surface/pairing.h"

#include <math.h>
#include <string.h>

/* Progress is reported, and the caller asked to go on, every so many checks. */
#define CHECKS_TOLD 64

/* Pieces that are longer than others by this factor are halved first. */
#define MUCH_LONGER 1.5

/* Below this width there is nothing more to halve. */
#define LEVEL_MOST 90

/* Tests of axes before curved separators are looked for: see fitting.h. */
#define FIRST_PROBE 8192

/* Separators that may fail where bodies turn, before others succeed. */
#define TURNING_CREDIT 32

/* --- memory --- */

/* Patches of both sides, one after the other; of one array, once. */
static size_t root_count(const toi_patch_pairs *pairs) {
  return pairs->a_count + (pairs->a == pairs->b ? 0 : pairs->b_count);
}

/* NULL: it occurs in no pair. */
static const toi_patch *patch_at(const toi_patch_pairs *pairs, size_t i) {
  if (pairs->used && !pairs->used[i])
    return NULL;
  return i < pairs->a_count ? &pairs->a[i] : &pairs->b[i - pairs->a_count];
}

/* The largest relative speed of control points, roughly. */
static double speed_of(const toi_patch_pairs *pairs) {
  double most = 0;
  for (size_t i = 0; i < root_count(pairs); i++) {
    const toi_patch *p = patch_at(pairs, i);
    size_t count = p && p->velocities ? toi_patch_points(p->shape, p->degree) : 0;
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
  double speed = speed_of(&question->pairs);
  return part < options->t_max * speed ? part / speed : options->t_max;
}

/* Bytes of the parts of a search, in their order in memory: what every search uses comes first, so that a short one
 * touches few pages. */
typedef struct sizes {
  size_t state, list, notes, moments, items, forest, space;
} sizes;

static sizes sizes_of(const toi_patch_pairs *pairs, uint64_t checks, const toi_pairing_limits *limits) {
  size_t roots = root_count(pairs), bytes = 0, piece = 1, points = 0;
  for (size_t i = 0; i < roots; i++) {
    const toi_patch *patch = patch_at(pairs, i);
    if (patch == NULL)
      continue;
    bytes += toi_root_bytes(patch);
    piece = toi_piece_bytes(patch) > piece ? toi_piece_bytes(patch) : piece;
    const size_t here = toi_patch_points(patch->shape, patch->degree);
    points = here > points ? here : points;
  }
  // A check makes two pieces at the most, and leaves one pair more in the queue.
  size_t pieces = limits->piece_bytes / piece;
  pieces = checks < pieces / 2 ? (size_t)checks * 2 : pieces;
  size_t waiting = checks < limits->waiting ? (size_t)checks : limits->waiting;
  return (sizes){toi_aligned(sizeof(toi_pairing)),
                 toi_aligned(roots * sizeof(toi_piece *)),
                 toi_aligned(pairs->count * sizeof(toi_pair_notes)),
                 toi_aligned(toi_moments_bytes(toi_piece_stride(points))),
                 toi_aligned((pairs->count + waiting + 8) * sizeof(toi_piece_pair)),
                 toi_aligned(bytes + pieces * piece),
                 sizeof(toi_separator_space)};
}

/* The forest moves with the turning bodies' centres. */
static void set_turning(toi_pairing *p) {
  const toi_turning *turning = p->question->turning;
  if (turning == NULL)
    return;
  memcpy(p->forest.drift, turning->drift, sizeof(p->forest.drift));
  p->fitting.turning = p->fitting.on = true;
  p->fitting.credit = TURNING_CREDIT;
  for (int side = 0; side < 2; side++) {
    toi_turn *turn = &p->fitting.turn[side];
    *turn = turning->side[side];
    for (int k = 0; k < 3; k++) {
      turn->centre[k] -= p->forest.centre[k];
      turn->centre_error += 2 * TOI_UNIT * fabs(turn->centre[k]);
    }
  }
}

toi_status toi_pairing_open(toi_context *context, const toi_surface_question *question,
                            const toi_pairing_limits *limits, toi_pairing **pairing, toi_search *search) {
  const toi_surface_options *options = question->options;
  const toi_patch_pairs *pairs = &question->pairs;
  uint64_t checks = options->max_checks;
  if (checks == 0)
    checks = limits->checks + limits->checks_each * (uint64_t)pairs->count;
  sizes size = sizes_of(pairs, checks, limits);
  unsigned char *memory =
      toi_scratch(context, question->thread,
                  size.state + size.list + size.notes + 3 * size.moments + size.items + size.forest + size.space);
  if (memory == NULL)
    return TOI_ERROR_MEMORY;
  toi_pairing *p = (toi_pairing *)(void *)memory;
  memory += size.state;
  p->roots = (toi_piece **)(void *)memory;
  memset(p->roots, 0, size.list);
  memory += size.list;
  p->notes = (toi_pair_notes *)(void *)memory;
  memset(p->notes, 0, size.notes);
  memory += size.notes;
  for (int i = 0; i < 3; i++, memory += size.moments)
    p->moments[i] = (toi_moments *)(void *)memory;
  unsigned char *items = memory, *space = memory + size.items + size.forest;
  memory += size.items;
  p->fitting = (toi_fitting){.space = (toi_separator_space *)(void *)space, .next_probe = FIRST_PROBE, .halve = -1};
  p->context = context;
  p->question = question;
  p->options = options;
  p->kernel = toi_apart_best();
  p->rules = (toi_apart_rules){options->min_separation, options->norm, options->inclusion};
  const toi_pair first = pairs->pairs ? pairs->pairs[0] : (toi_pair){0, 0};
  p->forest = toi_forest_make(memory, size.forest, options->t_max, &pairs->a[first.first], &pairs->b[first.second]);
  set_turning(p);
  p->finder = (toi_finder){.separation = options->min_separation, .norm = options->norm};
  p->bracket = fmax(bracket_of(question), question->bracket);
  p->tests = 0;
  p->cancelled = false;
  *search = toi_search_make(limits->rules, items, size.items);
  search->max_checks = checks;
  *pairing = p;
  return TOI_OK;
}

/* --- tests --- */

bool toi_pairing_take(toi_pairing *p, const toi_patch_pairs *pairs, size_t i, toi_piece_pair *pair) {
  toi_piece **roots[2] = {p->roots, pairs->a == pairs->b ? p->roots : p->roots + pairs->a_count}, *piece[2];
  const toi_patch *patches[2] = {pairs->a, pairs->b};
  toi_pair numbers = pairs->pairs ? pairs->pairs[i] : (toi_pair){0, 0};
  uint32_t number[2] = {numbers.first, numbers.second};
  for (int k = 0; k < 2; k++) {
    toi_piece **root = &roots[k][number[k]];
    if (*root == NULL)
      *root = toi_piece_root(&p->forest, &patches[k][number[k]], number[k]);
    if (*root == NULL)
      return false;
    piece[k] = *root;
  }
  *pair = (toi_piece_pair){.times = {0, p->options->t_max}, .a = piece[0], .b = piece[1], .number = i};
  return true;
}

bool toi_pairing_goes_on(toi_pairing *p, const toi_search *search) {
  const toi_surface_options *options = p->options;
  const toi_surface_question *q = p->question;
  if ((options->progress || q->progress) && search->checks % CHECKS_TOLD == 0) {
    const double done = (double)search->checks / (double)search->max_checks;
    const bool more = q->progress ? q->progress(q->progress_user, done)
                                  : toi_progress_made(p->context, options->progress, options->progress_user, done);
    p->cancelled = !more;
  }
  return !p->cancelled;
}

bool toi_pairing_test(toi_pairing *p, toi_piece_pair *pair) {
  p->kernel->moments(pair->a, pair->times, p->moments[0]);
  p->kernel->moments(pair->b, pair->times, p->moments[1]);
  p->tests++;
  return p->kernel->meet(&p->rules, p->moments[0], p->moments[1], &pair->times);
}

/* The piece to halve: the much longer one, else the one that was halved less. */
static bool halve_first(const toi_piece *a, const toi_piece *b) {
  double long_a = a->length[0] > a->length[1] ? a->length[0] : a->length[1];
  double long_b = b->length[0] > b->length[1] ? b->length[0] : b->length[1];
  if (long_a > MUCH_LONGER * long_b || long_b > MUCH_LONGER * long_a)
    return long_a > long_b;
  return a->level <= b->level;
}

int toi_pairing_halve(toi_pairing *p, const toi_piece_pair *pair, toi_interval span, toi_piece_pair halves[2]) {
  const int halve = p->fitting.halve;
  bool first = halve < 0 ? halve_first(pair->a, pair->b) : halve == 0;
  p->fitting.halve = -1;
  toi_piece *halved = first ? pair->a : pair->b, *kept = first ? pair->b : pair->a;
  if (!toi_piece_split(&p->forest, halved, span.lo))
    return -1;
  int count = 0;
  p->kernel->moments(kept, span, p->moments[2]);
  for (int i = 0; i < 2; i++) {
    toi_interval times = span;
    p->kernel->moments(halved->child[i], span, p->moments[i]);
    const toi_moments *a = first ? p->moments[i] : p->moments[2], *b = first ? p->moments[2] : p->moments[i];
    p->tests++;
    if (p->kernel->meet(&p->rules, a, b, &times))
      halves[count++] = (toi_piece_pair){.times = times,
                                         .a = first ? halved->child[i] : kept,
                                         .b = first ? kept : halved->child[i],
                                         .number = pair->number};
  }
  return count;
}

bool toi_pairing_small(const toi_pairing *p, const toi_piece_pair *pair) {
  if (pair->a->level + pair->b->level >= 2 * LEVEL_MOST)
    return true;
  double tolerance = p->options->tolerance;
  if (p->options->accept == TOI_ACCEPT_WORLD)
    return toi_piece_size(pair->a, pair->times.lo, pair->times.hi) <= tolerance &&
           toi_piece_size(pair->b, pair->times.lo, pair->times.hi) <= tolerance;
  for (int k = 0; k < 2; k++)
    if (toi_piece_width(pair->a, k) > tolerance || toi_piece_width(pair->b, k) > tolerance)
      return false;
  return true;
}

/* --- answers --- */

toi_touch toi_pair_middle(const toi_piece_pair *pair, double t) {
  toi_touch middle = {.root = {pair->a->root, pair->b->root}, .at = {.t = t}};
  toi_piece_middle(pair->a, middle.at.uv[0]);
  toi_piece_middle(pair->b, middle.at.uv[1]);
  return middle;
}

double toi_pair_distance(const toi_pairing *p, const toi_piece_pair *pair, double t) {
  const double reached = p->options->min_separation + toi_piece_size(pair->a, t, t) + toi_piece_size(pair->b, t, t);
  // Boxes of pieces whose error is infinite have no size.
  return isnan(reached) ? (double)INFINITY : reached;
}
