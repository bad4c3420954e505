/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

#include "surface/fitting.h"

#include "surface/pairing.h"

/* Pairs around the one at the front that are probed, at the most; from each to the next both pieces are halved. */
#define PROBED_MOST 7

/* The next probe after one that failed: at so many times the tests. */
#define PROBE_AGAIN 4

/* A separator pays where pieces bend out of a plane by at least so many gaps: each halving of both takes off three
 * quarters of the bend, for four tests more on each pair. */
#define BEND_LEAST 8

/* Credit to begin with, and the most that one separator earns. */
#define CREDIT_START 64
#define CREDIT_MOST 8

/* Spans of time are not halved below this part of the whole. */
#define SPAN_LEAST 0x1p-20

static void ask(toi_pairing *p, const toi_piece_pair *pair, toi_separator_result *result) {
  const toi_separator_question question = {.piece = {pair->a, pair->b},
                                           .turn = p->fitting.turning ? p->fitting.turn : NULL,
                                           .times = pair->times,
                                           .at = p->fitting.turning ? 0.5 * p->options->t_max
                                                                    : 0.5 * pair->times.lo + 0.5 * pair->times.hi,
                                           .separation = p->options->min_separation,
                                           .norm = p->options->norm};
  p->tests++;
  toi_separator_test(&question, p->fitting.space, result);
}

/* Whether many halvings are saved. */
static double saving(const toi_separator_result *result) {
  return result->thickness / (BEND_LEAST * result->gap);
}

/* The pair of whole patches, from the time on that the search has reached. */
static bool whole(toi_pairing *p, const toi_piece_pair *pair, toi_piece_pair *found) {
  if (!toi_pairing_take(p, &p->question->pairs, (size_t)toi_pair_number(pair), found))
    return false;
  found->times.lo = pair->times.lo;
  return true;
}

/* Of the halves of *piece, the one around the middle of another piece in it; NULL: it was not halved. */
static toi_piece *half_around(const toi_piece *piece, const toi_piece *inner) {
  double middle[2], least = INFINITY;
  toi_piece *nearest = NULL;
  toi_piece_middle(inner, middle);
  for (int i = 0; i < 2 && piece->child[0] != NULL; i++) {
    double at[2];
    toi_piece_middle(piece->child[i], at);
    const double square = (at[0] - middle[0]) * (at[0] - middle[0]) + (at[1] - middle[1]) * (at[1] - middle[1]);
    nearest = square < least ? piece->child[i] : nearest;
    least = square < least ? square : least;
  }
  return nearest;
}

/* Whether a separator of pieces around the pair would save much. */
static bool probe(toi_pairing *p, const toi_piece_pair *pair) {
  toi_piece_pair around;
  if (!whole(p, pair, &around))
    return false;
  for (int i = 0; i < PROBED_MOST && around.a != NULL && around.b != NULL; i++) {
    toi_separator_result result;
    ask(p, &around, &result);
    if (result.apart)
      return saving(&result) >= 1;
    around.a = half_around(around.a, pair->a);
    around.b = half_around(around.b, pair->b);
  }
  return false;
}

bool toi_fitting_covered(const toi_pairing *p, const toi_piece_pair *pair) {
  return p->notes[toi_pair_number(pair)].restarted && !(pair->number & TOI_PAIR_RESTARTED);
}

/* The pair of whole patches in place of the pair, and of all others of these patches. */
static toi_fit restart(toi_pairing *p, toi_piece_pair *pair) {
  toi_piece_pair again;
  if (!whole(p, pair, &again))
    return TOI_FIT_NONE;
  p->notes[again.number].restarted = 1;
  again.number |= TOI_PAIR_RESTARTED;
  *pair = again;
  return TOI_FIT_CHANGED;
}

/* Where the separator varies most, the piece is halved next. */
static void choose_half(toi_pairing *p, const toi_piece_pair *pair, const toi_separator_result *result) {
  const double *of_a = result->variation[0], *of_b = result->variation[1];
  const double a = of_a[0] > of_a[1] ? of_a[0] : of_a[1], b = of_b[0] > of_b[1] ? of_b[0] : of_b[1];
  if (a == b)
    return;
  p->fitting.halve = a > b ? 0 : 1;
  toi_piece *piece = a > b ? pair->a : pair->b;
  const double *varies = a > b ? of_a : of_b;
  if (varies[0] != varies[1])
    piece->split = varies[0] > varies[1] ? 1 : 2;
}

/* From here on patches are halved anew, where separators vary: what was halved before stays for pairs that have it. */
static void switch_on(toi_pairing *p) {
  const toi_patch_pairs *pairs = &p->question->pairs;
  const size_t roots = pairs->a_count + (pairs->a == pairs->b ? 0 : pairs->b_count);
  for (size_t i = 0; i < roots; i++)
    if (p->roots[i] != NULL)
      p->roots[i]->child[0] = p->roots[i]->child[1] = NULL;
  p->fitting.on = true;
  p->fitting.credit = CREDIT_START;
}

static toi_fit try_pair(toi_pairing *p, toi_piece_pair *pair) {
  toi_fitting *f = &p->fitting;
  toi_separator_result result;
  ask(p, pair, &result);
  if (result.apart) {
    const double saved = saving(&result);
    f->credit += (saved < CREDIT_MOST ? saved : CREDIT_MOST) - 1;
    return TOI_FIT_APART;
  }
  f->credit -= 1;
  if (result.left.lo > pair->times.lo || result.left.hi < pair->times.hi) {
    pair->times = result.left;
    return TOI_FIT_CHANGED;
  }
  const double span = pair->times.hi - pair->times.lo;
  if (result.apart_at_once && !f->turning && span > SPAN_LEAST * p->options->t_max)
    return TOI_FIT_TIME;
  choose_half(p, pair, &result);
  return TOI_FIT_NONE;
}

toi_fit toi_fitting_try(toi_pairing *p, toi_piece_pair *pair) {
  toi_fitting *f = &p->fitting;
  f->halve = -1;
  if (!f->on) {
    // Coordinate axes alone are a baseline.
    if (p->tests < f->next_probe || p->options->inclusion != TOI_INCLUSION_OBB)
      return TOI_FIT_NONE;
    if (!probe(p, pair)) {
      f->next_probe = PROBE_AGAIN * p->tests;
      return TOI_FIT_NONE;
    }
    switch_on(p);
  }
  if (f->credit < 0) {
    f->on = false;
    f->next_probe = PROBE_AGAIN * p->tests;
    return TOI_FIT_NONE;
  }
  if (!p->notes[toi_pair_number(pair)].restarted) {
    // A pair of whole patches is the only one there is of them.
    if (pair->a->level + pair->b->level > 0)
      return restart(p, pair);
    p->notes[toi_pair_number(pair)].restarted = 1;
    pair->number |= TOI_PAIR_RESTARTED;
  }
  return try_pair(p, pair);
}
