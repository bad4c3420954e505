/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of time from the left, each with a table of its own (moving_fit.c), until
 *
 * - a direction separates the primitives on it, or without a separation the levels of rotating_walk.c refute contact;
 * - or contact is proved: by a root, or by points that are certainly within the separation;
 * - or it is too short, or all noise, to tell: it is left open.
 *
 * Claim: nothing touches before the bracket's lower end, and something does within it. Why: pieces are taken in the
 * order of time, and every time before the lower end is in one that is free. A proved time only cuts off what is later.
 * What is left open is at most the interval from the first open piece to the last one in a row with it. */

#include "narrow/rotating_search.h"

#include <math.h>

#include "narrow/hull.h"
#include "narrow/rotating_law.h"
#include "number/interval.h"
#include "number/vector.h"

/* Pieces are not made shorter than this, a multiple of all times used; and no more of them are processed. */
#define SHORTEST 0x1p-50

/* Brackets that are wider are made again; on shorter pieces where even the laws do not tell their slope. */
#define WIDE 0x1p-46
#define FAR_TOO_WIDE 0x1p-44

enum { MOST_PIECES = 400, STACK = 64 };

typedef struct search {
  const toi_rotating *query;
  double separation;
  double stack[STACK][2];
  int count;
  bool any_open;
  double open[2];
  double reached; /* a time at which they are within the separation, INFINITY: none yet */
  toi_turn_nearest there;
} search;

/* Keeps the earliest open times, and what is in a row with them. */
static void leave_open(search *s, double from, double to) {
  if (!s->any_open || to < s->open[0]) {
    s->open[0] = from;
    s->open[1] = to;
  }
  s->open[0] = toi_smaller(s->open[0], from);
  if (from <= s->open[1])
    s->open[1] = toi_larger(s->open[1], to);
  s->any_open = true;
}

static void push(search *s, double from, double to) {
  if (!(from < to))
    return;
  if (s->count == STACK) {
    leave_open(s, from, to);
    return;
  }
  s->stack[s->count][0] = from;
  s->stack[s->count++][1] = to;
}

/* They are within the separation at this time. */
static void reach(search *s, double time, const toi_turn_nearest *there) {
  s->reached = time;
  s->there = *there;
  s->count = 0;
}

/* --- contact by a root --- */

/* The zone in the step's time, rounded outward. */
static void zone_of(const toi_turn_piece *piece, const toi_turn_root *root, double bracket[2]) {
  const double h = piece->to - piece->from;
  bracket[0] = root->zone[0] > 0 ? toi_next_down(toi_next_down(piece->from + h * root->zone[0])) : piece->from;
  bracket[1] = root->zone[1] < 1 ? toi_next_up(toi_next_up(piece->from + h * root->zone[1])) : piece->to;
  bracket[0] = toi_larger(bracket[0], piece->from);
  bracket[1] = toi_smaller(bracket[1], piece->to);
}

void toi_turn_refine(const toi_turn_kernels *kernels, const toi_moving_pair *pair, int corners, const toi_rows *rows,
                     const toi_turn_piece *const pieces[], toi_turn_root *roots) {
  enum { ROUNDS = 5, MOST = 64 };
  double times[MOST], values[MOST];
  // Of motions toi_turn_found_root() narrows each by itself.
  if (pair->of_laws != NULL)
    return;
  bool going = true, done[MOST] = {false};
  for (int round = 0; round < ROUNDS && going; round++) {
    for (size_t i = 0; i < rows->count; i++) {
      // The root's guess as a time of the step that is a double: pieces are dyadic, the difference is exact.
      const double from = pieces[i]->from, h = pieces[i]->to - from;
      times[i] = from + h * roots[i].at;
      roots[i].at = (times[i] - from) / h;
    }
    kernels->residual(corners, &pair->ends, rows, times, values);
    going = false;
    for (size_t i = 0; i < rows->count; i++) {
      toi_turn_root *root = &roots[i];
      const double before = root->zone[1] - root->zone[0];
      double bracket[2];
      // A row that is done stays as it is, whatever the others still need: its bits are those of a single query.
      if (done[i])
        continue;
      done[i] = true;
      if (!toi_turn_bracket(root, values[i], TOI_STEADY_RESIDUAL_ERROR * root->size, bracket) ||
          !(bracket[1] - bracket[0] < 0.5 * before))
        continue;
      root->zone[0] = bracket[0];
      root->zone[1] = bracket[1];
      root->at = 0.5 * (bracket[0] + bracket[1]);
      done[i] = !(bracket[1] - bracket[0] > 0x1p-50);
      going |= !done[i];
    }
  }
}

/* One row of a group, or a query by itself. */
static void refine_one(const toi_rotating *query, const toi_turn_piece *piece, toi_turn_root *root) {
  static const uint32_t first = 0;
  const toi_rows row = {query->points, 12, &first, 1};
  toi_turn_refine(&toi_turn_kernels_scalar, query->pair, (int)toi_corner_count(query->kind), &row, &piece, root);
}

static void put_root(const toi_turn_root *root, toi_turn_found *found) {
  found->u = root->u;
  found->v = root->v;
  for (int axis = 0; axis < 3; axis++)
    found->n[axis] = root->normal[axis];
}

/* A bracket that is still wide, since the table left too much out for the slope: once more on a short piece around it,
 * which leaves out less. False if that is no better. */
static bool sharpen(const toi_rotating *query, toi_turn_found *found) {
  // Not shorter: the slope per piece would fade, what doubles are off by would not.
  double h = 0x1p-9;
  while (h < 2 * (found->bracket[1] - found->bracket[0]))
    h *= 2;
  const double from = h * floor(found->bracket[0] / h), to = toi_smaller(from + 2 * h, 1);
  const double width = found->bracket[1] - found->bracket[0];
  if (h > 0.25 || to < found->bracket[1])
    return false;
  toi_turn_piece piece;
  toi_turn_root root;
  double bracket[2];
  toi_turn_fit(query->pair, from, to, &piece);
  toi_rotating_walk(query, &piece, &root);
  if (root.code != TOI_ROTATING_ROOT)
    return false;
  refine_one(query, &piece, &root);
  zone_of(&piece, &root, bracket);
  // Both hold every contact of the first bracket.
  found->bracket[0] = toi_larger(found->bracket[0], bracket[0]);
  found->bracket[1] = toi_smaller(found->bracket[1], bracket[1]);
  put_root(&root, found);
  return found->bracket[1] - found->bracket[0] < 0.5 * width;
}

void toi_turn_found_root(const toi_rotating *query, const toi_turn_piece *piece, const toi_turn_root *root,
                         toi_turn_found *found) {
  *found = (toi_turn_found){.verdict = TOI_HIT};
  zone_of(piece, root, found->bracket);
  put_root(root, found);
  bool better = query->pair->of_laws == NULL;
  while (better && found->bracket[1] - found->bracket[0] > WIDE)
    better = sharpen(query, found);
  if (found->bracket[1] - found->bracket[0] > WIDE)
    toi_law_narrow(query, found->bracket);
  better = true;
  while (better && found->bracket[1] - found->bracket[0] > FAR_TOO_WIDE)
    better = sharpen(query, found);
  if (found->bracket[1] - found->bracket[0] > WIDE)
    toi_law_narrow(query, found->bracket);
}

/* --- pieces --- */

static const toi_turn_piece *piece_of(const toi_moving_pair *pair, double from, double to, toi_turn_piece *own) {
  if (pair->rational && from == 0 && to == 1)
    return &pair->piece;
  toi_turn_fit(pair, from, to, own);
  return own;
}

/* Where to cut a piece at whose end they are within the separation: a little before the gap along n closes. */
static double cut_of(search *s, const toi_turn_view *view, const toi_turn_nearest *end, double from, double to) {
  double margin;
  const double closing = toi_turn_closing(view, end->n, &margin), h = to - from, middle = 0.5 * (from + to);
  if (isnan(closing) || !(margin < 0.25))
    return middle;
  const double after = from + h * (closing + 2 * margin) + SHORTEST, before = from + h * (closing - 2 * margin);
  if (after < to) {
    toi_turn_nearest there;
    const double time = ldexp(ceil(ldexp(after, 50)), -50);
    toi_turn_nearest_at(view, (time - from) / h, &there);
    if (time < to && there.within)
      reach(s, time, &there);
  }
  const double cut = ldexp(floor(ldexp(before, 50)), -50);
  return cut > from && cut < to ? cut : middle;
}

/* Where a piece is divided: a contact at the end of a piece is not proved there, so that times that are likely, such as
 * 1/2 and 1/4, are kept from being ends. */
static double division(double from, double to) {
  const double h = to - from;
  return h > 0.03125 ? from + h * (29.0 / 64) : 0.5 * (from + to);
}

/* A piece that is not settled: divided, unless it is too short. */
static void divide(search *s, const toi_turn_view *view, const toi_turn_nearest *end, double from, double to) {
  double cut = division(from, to);
  if (to - from <= SHORTEST) {
    leave_open(s, from, to);
    return;
  }
  if (s->reached == to)
    cut = cut_of(s, view, end, from, to);
  if (cut < s->reached)
    push(s, cut, toi_smaller(to, s->reached));
  push(s, from, toi_smaller(cut, s->reached));
}

/* True once contact is proved by a root. */
static bool visit(search *s, double from, double to, toi_turn_found *found) {
  toi_turn_piece own;
  toi_turn_view view;
  const toi_turn_piece *piece = piece_of(s->query->pair, from, to, &own);
  if (s->separation == 0) {
    toi_turn_root root;
    toi_rotating_walk(s->query, piece, &root);
    if (root.code == TOI_ROTATING_MISS)
      return false;
    if (root.code == TOI_ROTATING_ROOT) {
      refine_one(s->query, piece, &root);
      toi_turn_found_root(s->query, piece, &root, found);
      return true;
    }
  }
  toi_turn_look(s->query, piece, s->separation, &view);
  bool noise = !view.usable;
  toi_turn_nearest near[3];
  for (int i = 0; i < 3; i++) {
    static const double times[3] = {0.5, 0, 1};
    toi_turn_nearest_at(&view, times[i], &near[i]);
    const toi_turn_gap gap = toi_turn_gap_along(&view, near[i].n);
    if (gap == TOI_GAP_FREE)
      return false;
    noise |= gap == TOI_GAP_NOISE;
  }
  // What a coarse table does not show is no noise yet.
  noise &= piece->finest || !view.usable;
  if (near[1].within) {
    reach(s, from, &near[1]);
    return false;
  }
  if (near[0].within && to - from > SHORTEST) {
    reach(s, 0.5 * (from + to), &near[0]);
    push(s, from, s->reached);
  } else if (near[2].within && s->reached > to) {
    reach(s, to, &near[2]);
    divide(s, &view, &near[2], from, to);
  } else if (noise) {
    leave_open(s, from, to);
  } else {
    divide(s, &view, &near[2], from, to);
  }
  return false;
}

void toi_turn_search(const toi_rotating *query, double separation, toi_turn_found *found) {
  search s = {.query = query, .separation = separation, .reached = INFINITY};
  *found = (toi_turn_found){.verdict = TOI_MISS, .u = NAN, .v = NAN};
  push(&s, 0, 1);
  bool touching = false;
  for (int seen = 0; s.count > 0 && !touching; seen++) {
    const double *at = s.stack[--s.count], from = at[0], to = at[1];
    if (seen == MOST_PIECES) {
      // All that has not been looked at: up to the end, or to where they are within the separation.
      leave_open(&s, from, toi_smaller(s.reached, 1));
      s.open[1] = toi_smaller(s.reached, 1);
      s.count = 0;
    } else {
      touching = visit(&s, from, to, found);
    }
  }
  if (touching) {
    found->bracket[0] = s.any_open ? s.open[0] : found->bracket[0];
  } else if (s.reached <= 1) {
    *found = (toi_turn_found){TOI_HIT,   {s.any_open ? s.open[0] : s.reached, s.reached}, s.there.u,
                              s.there.v, {s.there.n[0], s.there.n[1], s.there.n[2]},      s.there.distance};
  } else if (s.any_open) {
    found->verdict = TOI_NEAR;
    found->bracket[0] = s.open[0];
    found->bracket[1] = s.open[1];
  }
}
