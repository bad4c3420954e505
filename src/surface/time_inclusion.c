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
 * Where parts nearly fit, curved separators take the place of axes (fitting.h); then spans of time may be halved too,
 * and searches of pairs of patches are restarted.
 *
 * What is proved here: a pair leaves the queue only by being apart at all times up to the upper bound, for its halves
 * or those of its span, which cover it, or for the whole patches from the same time on. */

#include "surface/pairing.h"

#include <math.h>
#include <string.h>

/* Pairs of pieces that wait, at the most. */
#define MOST_WAITING ((size_t)1 << 19)

/* Contacts are looked for when this many pairs were examined, then at growing counts. */
#define FIRST_ATTEMPT 16

/* And, in each of many pairs of patches, when it was halved so many times. */
#define ATTEMPT_LEVELS 16

/* Pairs that were too large to be settled around a contact are tried again when they were halved so many times. */
#define ISOLATION_STEP 2

/* Checks spent on the bracket of a proved contact when the pieces are within the tolerance already, besides once more
 * what was spent before. */
#define CHECKS_BEYOND 256

/* Checks that go into the bracket of a contact, unless the caller says how many: so many times those it took to find
 * it, and a few more. Contact along a curve would take all there are. */
#define BRACKET_FACTOR 16
#define BRACKET_CHECKS 16384

/* Pairs of pieces that are put aside, at the most; and how many of a pair of patches are searched for a proof. */
#define STUCK_MOST 64
#define GIVE_UP 8

typedef struct pair_search {
  toi_pairing *p;
  size_t pair_count; /* of patches */
  toi_touch touch;   /* the earliest contact that is proved */
  bool touched;
  double isolated;         /* nothing touches before this in the pairs that were settled around the contact */
  uint64_t last_check;     /* beyond the tolerance, for the bracket alone; 0: not there yet */
  uint64_t next_attempt;   /* at so many checks */
  uint32_t next_isolation; /* at this level */
  toi_piece_pair stuck;    /* the earliest pair within the tolerance in which no contact could be proved */
  uint32_t stuck_count;
  bool rough; /* see toi_surface_question */
  toi_surface_end end;
} pair_search;

static toi_search_fate examine(void *user, toi_search *search, const void *at);
static const toi_search_rules rules = {sizeof(toi_piece_pair), TOI_SEARCH_BEST_FIRST, examine};

/* Bytes for pieces: of a single pair, whichever thread asks about it; models may take a part of the context's memory.
 */
#define PIECE_BYTES ((size_t)32 << 20)
#define BUDGET_PART 8

static toi_pairing_limits limits_of(const toi_context *context, const toi_surface_question *question) {
  const uint64_t part = question->pairs.pairs ? toi_budget(context) / BUDGET_PART : 0;
  const size_t bytes = part < SIZE_MAX ? (size_t)part : SIZE_MAX;
  return (toi_pairing_limits){&rules, 65536, 64, bytes > PIECE_BYTES ? bytes : PIECE_BYTES, MOST_WAITING};
}

/* The earliest first; of two as early, the one that was halved more. */
static void push(toi_search *search, toi_piece_pair *pair) {
  pair->key = (toi_search_key){pair->times.lo, -(double)(pair->a->level + pair->b->level)};
  toi_search_push(search, &rules, pair);
}

/* Looks for an earlier contact than the one that is known; false: there is none, or no proof. */
static bool attempt(pair_search *s, toi_search *search, const toi_piece_pair *pair) {
  toi_touch touch;
  if (!toi_find_touch(&s->p->finder, pair->a, pair->b, pair->times.lo, &touch))
    return false;
  if (s->touched && touch.at.t >= s->touch.at.t)
    return false;
  uint64_t most = BRACKET_FACTOR * search->checks + BRACKET_CHECKS;
  if (!s->touched && s->p->options->max_checks == 0 && most < search->max_checks)
    search->max_checks = most;
  s->touch = touch;
  s->touched = true;
  s->next_isolation = 0;
  search->bound = touch.at.t;
  return true;
}

/* Whether it is time to look for a contact: at growing counts and, where many patches touch at the same time, at
 * growing levels of each pair of patches. */
static bool is_due(pair_search *s, const toi_search *search, const toi_piece_pair *pair) {
  uint32_t level = pair->a->level + pair->b->level;
  uint8_t *attempted = &s->p->notes[toi_pair_number(pair)].attempted;
  if (search->checks < s->next_attempt && (s->pair_count == 1 || level < *attempted + (uint32_t)ATTEMPT_LEVELS))
    return false;
  *attempted = level < UINT8_MAX - ATTEMPT_LEVELS ? (uint8_t)level : UINT8_MAX - ATTEMPT_LEVELS;
  if (search->checks >= s->next_attempt)
    s->next_attempt = (s->touched ? 4 : 2) * search->checks;
  return true;
}

/* In a pair that is not going to be halved, or not much more: it is noted if there is none. */
static void attempt_thoroughly(pair_search *s, toi_search *search, const toi_piece_pair *pair) {
  toi_pair_notes *notes = &s->p->notes[toi_pair_number(pair)];
  s->p->finder.thorough = !s->rough;
  if (!attempt(s, search, pair) && notes->stuck < UINT8_MAX)
    notes->stuck++;
  s->p->finder.thorough = false;
}

/* Whether the pair is settled by the contact that is known: nothing in it is earlier. */
static bool settled(pair_search *s, const toi_piece_pair *pair) {
  const toi_root *a = pair->a->root, *b = pair->b->root;
  uint32_t level = pair->a->level + pair->b->level;
  if (!s->touched || s->p->options->min_separation > 0 || a != s->touch.root[0] || b != s->touch.root[1] ||
      level < s->next_isolation)
    return false;
  toi_prover *prover = &s->p->finder.prover;
  if (prover->root[0] != a || prover->root[1] != b)
    toi_prover_make(a, b, 0, prover);
  double t_lo;
  toi_interval times = {pair->times.lo, s->touch.at.t};
  if (!toi_isolate(prover, &s->touch.at, pair->a, pair->b, times, &t_lo) || s->touch.at.t - t_lo > s->p->bracket) {
    // A little smaller, it may do.
    s->next_isolation = level + ISOLATION_STEP;
    return false;
  }
  s->isolated = t_lo < s->isolated ? t_lo : s->isolated;
  return true;
}

static bool bracketed(const pair_search *s, double t_lo) {
  return s->touched && s->touch.at.t - t_lo <= s->p->bracket;
}

/* The earliest time at which something may touch, if the pair is at the front. */
static double earliest(const pair_search *s, const toi_piece_pair *front) {
  return s->stuck_count > 0 ? s->stuck.times.lo : front->times.lo;
}

/* Looks for a contact in every other pair of patches that may touch as early as the pair that is stuck: patches that
 * meet at a corner touch in many pairs at once, and in some of them there is a proof. */
static void ask_others(pair_search *s, toi_search *search) {
  for (size_t i = 0; i < search->count && !bracketed(s, s->stuck.times.lo); i++) {
    toi_piece_pair other;
    memcpy(&other, search->now + i * sizeof(other), sizeof(other));
    bool given_up = s->p->notes[toi_pair_number(&other)].stuck >= GIVE_UP;
    if (!given_up && other.times.lo <= s->stuck.times.lo + s->p->bracket)
      attempt_thoroughly(s, search, &other);
  }
}

/* Puts aside a pair that no axis gets on with and no contact is proved in. After some of these, enough. */
static toi_search_fate set_aside(pair_search *s, toi_search *search, const toi_piece_pair *pair) {
  if (s->stuck_count++ == 0)
    s->stuck = *pair;
  if (s->rough)
    return TOI_BOX_ACCEPTED;
  if (s->pair_count > 1 && (s->stuck_count & (s->stuck_count - 1)) == 0)
    ask_others(s, search);
  return s->stuck_count < STUCK_MOST ? TOI_BOX_PRUNED : TOI_BOX_ACCEPTED;
}

/* What becomes of a pair within the tolerance: without a contact, the axes have another try on what is left of its
 * span, as long as that gets them on; with one, the search goes on for the bracket, for a while (SPLIT). */
static toi_search_fate examine_small(pair_search *s, toi_search *search, const toi_piece_pair *pair) {
  s->end = bracketed(s, earliest(s, pair)) ? TOI_SURFACE_BRACKETED : TOI_SURFACE_ACCEPTED;
  if (s->touched) {
    if (s->last_check == 0)
      s->last_check = 2 * search->checks + CHECKS_BEYOND;
    return search->checks < s->last_check && s->end == TOI_SURFACE_ACCEPTED ? TOI_BOX_SPLIT : TOI_BOX_ACCEPTED;
  }
  toi_piece_pair again = *pair;
  if (!toi_pairing_test(s->p, &again))
    return TOI_BOX_PRUNED;
  double gained = again.times.lo - pair->times.lo, left = again.times.hi - again.times.lo;
  if (gained <= s->p->bracket && left >= 0.75 * (pair->times.hi - pair->times.lo))
    return set_aside(s, search, pair);
  push(search, &again);
  return TOI_BOX_SPLIT;
}

/* With a pair for which a separator was looked for. */
static toi_search_fate go_on(toi_search *search, toi_piece_pair *pair, toi_fit fit) {
  if (fit == TOI_FIT_APART)
    return TOI_BOX_PRUNED;
  toi_piece_pair early = *pair;
  if (fit == TOI_FIT_TIME) {
    early.times.hi = pair->times.lo = 0.5 * pair->times.lo + 0.5 * pair->times.hi;
    push(search, &early);
  }
  push(search, pair);
  return TOI_BOX_SPLIT;
}

static toi_search_fate examine(void *user, toi_search *search, const void *at) {
  pair_search *s = user;
  toi_piece_pair pair = *(const toi_piece_pair *)at;
  if (bracketed(s, earliest(s, &pair))) {
    s->end = TOI_SURFACE_BRACKETED;
    return TOI_BOX_ACCEPTED;
  }
  if (!toi_pairing_goes_on(s->p, search))
    return TOI_BOX_ACCEPTED;
  if (toi_fitting_covered(s->p, &pair))
    return TOI_BOX_PRUNED;
  bool small = toi_pairing_small(s->p, &pair), given_up = s->p->notes[toi_pair_number(&pair)].stuck >= GIVE_UP;
  if (small && !given_up)
    attempt_thoroughly(s, search, &pair);
  else if (is_due(s, search, &pair))
    attempt(s, search, &pair);
  if (small) {
    toi_search_fate fate = examine_small(s, search, &pair);
    if (fate != TOI_BOX_SPLIT || !s->touched)
      return fate;
  }
  if (settled(s, &pair))
    return TOI_BOX_PRUNED;
  pair.times.hi = pair.times.hi < search->bound ? pair.times.hi : search->bound;
  const toi_fit fit = small ? TOI_FIT_NONE : toi_fitting_try(s->p, &pair);
  if (fit != TOI_FIT_NONE)
    return go_on(search, &pair, fit);
  if (s->p->fitting.turning && !s->p->fitting.on) {
    s->end = TOI_SURFACE_BUDGET;
    return TOI_BOX_ACCEPTED;
  }
  toi_piece_pair halves[2];
  int count = toi_pairing_halve(s->p, &pair, pair.times, halves);
  if (count < 0) {
    s->end = TOI_SURFACE_MEMORY;
    return TOI_BOX_ACCEPTED;
  }
  for (int i = 0; i < count; i++)
    push(search, &halves[i]);
  return TOI_BOX_SPLIT;
}

static void conclude(const pair_search *s, const toi_search *search, toi_search_end end, toi_surface_hit *hit) {
  const toi_piece_pair *front = s->stuck_count > 0 ? &s->stuck : end == TOI_SEARCH_EMPTY ? NULL : search->answer;
  if (front == NULL && !s->touched) {
    *hit = toi_surface_miss(s->p->options->t_max);
    return;
  }
  toi_surface_end why = end == TOI_SEARCH_EMPTY   ? (s->stuck_count > 0 ? TOI_SURFACE_ACCEPTED : TOI_SURFACE_BRACKETED)
                        : end == TOI_SEARCH_SPENT ? TOI_SURFACE_BUDGET
                        : end == TOI_SEARCH_FULL  ? TOI_SURFACE_MEMORY
                                                  : s->end;
  hit->end = (uint8_t)why;
  // Everything but the contact that is proved is apart up to it, if nothing is left.
  hit->t_lo = front && !(s->touched && front->times.lo > s->touch.at.t) ? front->times.lo : s->touch.at.t;
  hit->t_lo = s->isolated < hit->t_lo ? s->isolated > 0 ? s->isolated : 0 : hit->t_lo;
  hit->t_safe = hit->t_lo > 0 ? toi_next_down(hit->t_lo) : 0;
  if (s->touched) {
    toi_surface_place(&s->p->forest, &s->touch, true, hit);
    return;
  }
  hit->t_hi = front->times.hi;
  toi_touch middle = toi_pair_middle(front, hit->t_lo);
  toi_surface_place(&s->p->forest, &middle, false, hit);
  hit->tolerance_reached = toi_pair_distance(s->p, front, hit->t_lo);
}

toi_status toi_time_inclusion_surface(toi_context *context, const toi_surface_question *question,
                                      toi_surface_hit *hit) {
  pair_search s = {.isolated = INFINITY,
                   .rough = question->rough,
                   .next_attempt = FIRST_ATTEMPT,
                   .pair_count = question->pairs.count};
  toi_search search;
  const toi_pairing_limits limits = limits_of(context, question);
  toi_status status = toi_pairing_open(context, question, &limits, &s.p, &search);
  *hit = toi_surface_near();
  for (size_t i = 0; status == TOI_OK && i < question->pairs.count; i++) {
    toi_piece_pair pair;
    if (!toi_pairing_take(s.p, &question->pairs, i, &pair))
      status = TOI_ERROR_MEMORY;
    else if (toi_pairing_test(s.p, &pair))
      push(&search, &pair);
  }
  if (status != TOI_OK)
    return status;
  toi_search_end end = toi_search_run(&search, &rules, &s);
  if (s.p->cancelled)
    return TOI_ERROR_CANCELLED;
  conclude(&s, &search, end, hit);
  hit->checks = s.p->tests;
  hit->pieces = s.p->forest.pieces;
  return TOI_OK;
}
