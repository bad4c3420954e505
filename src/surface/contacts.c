/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* All contacts of the first moment, some distance apart.
 *
 * The first contact is found as always. Then all pairs of pieces that may touch up to the end of the moment are walked
 * deepest first, so that a contact is soon found and everything near it is dropped: a pair is dropped if all places
 * where its pieces can meet are within `spacing` of a contact that was reported. A contact that is found is reported if
 * it is `spacing` or more from all others.
 *
 * Claim: reported contacts are at least `spacing` apart, and every place where the models touch within the moment is
 * within COVER times `spacing`, and the size of an accepted piece, of one, unless the search ended early, which `first`
 * says. Why: a pair leaves the walk for its halves, because it is apart, because it is covered as above, or because it
 * is within the tolerance; then its middle is reported, or there is a reported contact closer than `spacing` to it.
 * Distances here are between doubles as reported, and rounded to nearest. */

#include "surface/pairing.h"

#include <math.h>
#include <string.h>

#define COVER 1.25

/* Pieces may take this part of the context's memory; and so many pairs of them may wait. */
#define BUDGET_PART 8
#define MOST_WAITING ((size_t)1 << 19)

/* A contact is looked for at pairs that were halved so many times, and then every few times more. */
#define ATTEMPT_LEVEL 8
#define ATTEMPT_STEP 4

typedef struct contact_walk {
  toi_context *context;
  toi_pairing *p;
  const toi_surface_question *question;
  const toi_surface_hit *first;
  double end;          /* of the moment */
  double (*points)[3]; /* reported */
  size_t count, room;
  bool enough; /* the caller wants no more */
  toi_status status;
} contact_walk;

static toi_search_fate examine(void *user, toi_search *search, const void *at);
static const toi_search_rules rules = {sizeof(toi_piece_pair), TOI_SEARCH_BEST_FIRST, examine};

/* The deepest first; of two as deep, the earlier one. */
static void push(toi_search *search, toi_piece_pair *pair) {
  pair->key = (toi_search_key){-(double)(pair->a->level + pair->b->level), pair->times.lo};
  toi_search_push(search, &rules, pair);
}

/* --- distances --- */

/* Where the two pieces can meet, in the world: false if nowhere. */
static bool meeting_box(const contact_walk *w, const toi_piece_pair *pair, double lo[3], double hi[3]) {
  const toi_forest *forest = &w->p->forest;
  double grown = w->p->options->min_separation, other_lo[3], other_hi[3];
  toi_piece_box(pair->a, pair->times.lo, pair->times.hi, lo, hi);
  toi_piece_box(pair->b, pair->times.lo, pair->times.hi, other_lo, other_hi);
  for (int k = 0; k < 3; k++) {
    lo[k] = lo[k] > other_lo[k] - grown ? lo[k] : other_lo[k] - grown;
    hi[k] = hi[k] < other_hi[k] + grown ? hi[k] : other_hi[k] + grown;
    if (lo[k] > hi[k])
      return false;
    double start = pair->times.lo * forest->drift[k], last = pair->times.hi * forest->drift[k];
    lo[k] += forest->centre[k] + (start < last ? start : last);
    hi[k] += forest->centre[k] + (start > last ? start : last);
  }
  return true;
}

static bool covered(const contact_walk *w, const toi_piece_pair *pair) {
  double lo[3], hi[3], spacing = COVER * w->p->options->spacing;
  if (!meeting_box(w, pair, lo, hi))
    return true;
  for (size_t i = w->count; i-- > 0;) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
      double x = w->points[i][k], far = x - lo[k] > hi[k] - x ? x - lo[k] : hi[k] - x;
      square += far * far;
    }
    if (square <= spacing * spacing)
      return true;
  }
  return false;
}

static bool is_new(const contact_walk *w, const double point[3]) {
  double spacing = w->p->options->spacing;
  for (size_t i = 0; i < w->count; i++) {
    double square = 0;
    for (int k = 0; k < 3; k++)
      square += (point[k] - w->points[i][k]) * (point[k] - w->points[i][k]);
    if (!(square >= spacing * spacing))
      return false;
  }
  return true;
}

/* --- reports --- */

static toi_status remember(contact_walk *w, const double point[3]) {
  if (w->count == w->room) {
    size_t room = w->room ? 2 * w->room : 64, size = sizeof(*w->points);
    void *points = toi_resize(w->context, w->points, w->room * size, room * size);
    if (points == NULL)
      return TOI_ERROR_MEMORY;
    w->points = points;
    w->room = room;
  }
  memcpy(w->points[w->count++], point, sizeof(*w->points));
  return TOI_OK;
}

/* Reports the contact if it is far enough from the others. */
static void report(contact_walk *w, const toi_piece_pair *pair, const toi_touch *touch, bool proved) {
  toi_surface_hit contact = toi_surface_near();
  contact.t_hi = pair->times.hi;
  contact.tolerance_reached = toi_pair_distance(w->p, pair, pair->times.lo);
  toi_surface_place(&w->p->forest, touch, proved, &contact);
  if (!is_new(w, contact.point))
    return;
  // Nothing touches before the first contact does; whether its own pieces come later matters to no one.
  contact.t_lo = w->first->t_lo;
  contact.t_safe = w->first->t_safe;
  contact.end = proved ? TOI_SURFACE_BRACKETED : TOI_SURFACE_ACCEPTED;
  contact.checks = w->p->tests;
  contact.pieces = w->p->forest.pieces;
  w->status = remember(w, contact.point);
  if (w->status == TOI_OK)
    w->enough = !w->question->visit(w->question->user, &contact);
}

static toi_search_fate examine(void *user, toi_search *search, const void *at) {
  contact_walk *w = user;
  toi_piece_pair pair = *(const toi_piece_pair *)at;
  if (!toi_pairing_goes_on(w->p, search))
    return TOI_BOX_ACCEPTED;
  if (pair.times.lo > w->end || covered(w, &pair))
    return TOI_BOX_PRUNED;
  pair.times.hi = pair.times.hi < w->end ? pair.times.hi : w->end;
  bool small = toi_pairing_small(w->p, &pair);
  uint32_t level = pair.a->level + pair.b->level;
  toi_touch touch;
  bool worth = small || (level >= ATTEMPT_LEVEL && level % ATTEMPT_STEP == 0);
  bool found = worth && toi_find_touch(&w->p->finder, pair.a, pair.b, pair.times.lo, &touch) && touch.at.t <= w->end;
  if (found)
    report(w, &pair, &touch, true);
  if (small && !w->enough && w->status == TOI_OK && !covered(w, &pair)) {
    touch = toi_pair_middle(&pair, pair.times.lo);
    report(w, &pair, &touch, false);
  }
  if (w->enough || w->status != TOI_OK)
    return TOI_BOX_ACCEPTED;
  if (small || covered(w, &pair))
    return TOI_BOX_PRUNED;
  toi_piece_pair halves[2];
  int count = toi_pairing_halve(w->p, &pair, pair.times, halves);
  if (count < 0)
    search->full = true;
  for (int i = 0; i < count; i++)
    push(search, &halves[i]);
  return TOI_BOX_SPLIT;
}

/* --- the whole walk --- */

toi_status toi_contacts_walk(toi_context *context, const toi_surface_question *question, toi_surface_hit *first) {
  contact_walk w = {.context = context, .question = question, .first = first};
  toi_search search;
  uint64_t part = toi_budget(context) / BUDGET_PART;
  toi_pairing_limits limits = {&rules, 262144, 64, part < SIZE_MAX ? (size_t)part : SIZE_MAX, MOST_WAITING};
  w.status = toi_pairing_open(context, question, &limits, &w.p, &search);
  if (w.status != TOI_OK)
    return w.status;
  // Contacts are those next to the pieces, and may be later by the bracket of the first.
  w.p->finder.stay = true;
  w.end = (first->verdict == TOI_HIT ? first->t_hi : first->t_lo) + question->options->simultaneity + w.p->bracket;
  w.end = w.end < question->options->t_max ? w.end : question->options->t_max;
  for (size_t i = 0; !search.full && i < question->pairs.count; i++) {
    toi_piece_pair pair;
    if (!toi_pairing_take(w.p, &question->pairs, i, &pair))
      search.full = true;
    else if (toi_pairing_test(w.p, &pair))
      push(&search, &pair);
  }
  toi_search_end end = search.full ? TOI_SEARCH_FULL : toi_search_run(&search, &rules, &w);
  if (w.p->cancelled)
    w.status = TOI_ERROR_CANCELLED;
  toi_free(context, w.points, w.room * sizeof(*w.points));
  if (w.status == TOI_OK && end == TOI_SEARCH_SPENT)
    first->end = TOI_SURFACE_BUDGET;
  if (w.status == TOI_OK && end == TOI_SEARCH_FULL)
    first->end = TOI_SURFACE_MEMORY;
  return w.status;
}
