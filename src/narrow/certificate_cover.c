/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of time without contact, from 0 on, each with the reason that reaches furthest.
 *
 * At the end of a piece every reason that holds there is asked how far it holds: up to the end of everything, or else
 * by a power of two, the largest that it holds for, and three quarters of it more. A piece with the same reason as the
 * one before is joined to it where the reason holds on both together. Before each piece it is tried whether a reason
 * holds from here up to the contact time (the last piece).
 *
 * Why this ends: see certificate_parts.h; near the contact time, docs/certificates.md shows that a reason holds on the
 * last piece if it is short enough, and each piece before it at least halves the way, or the interval is narrowed. */

#include "narrow/certificate_parts.h"

/* Far more than any query is known to need (tens). */
#define MOST_PIECES 20000

typedef enum reason_kind { NO_REASON, SIGN, AREAS, PLANE } reason_kind;

typedef struct reason {
  reason_kind kind;
  int8_t axis;          /* of areas and plane */
  int8_t first, second; /* areas */
  int8_t side;          /* plane: 1 or -1 */
} reason;

/* A time in memory of its own. */
typedef struct place {
  toi_dyadic at;
  mp_limb_t *memory;
} place;

typedef struct cover {
  toi_parts *parts;
  toi_arena *arena;
  toi_prose *text;
  uint32_t finest; /* ends of pieces are multiples of 2^-finest */
  int pieces;
  place here;    /* everything before is covered */
  place target;  /* pieces end here at the latest */
  place pending; /* where the piece that is not written yet begins */
  place best;    /* where the best piece from here ends */
  reason pending_reason, best_reason;
} cover;

static place make_place(toi_arena *arena, uint32_t bits) {
  return (place){{TOI_INTEGER_ZERO, 0}, toi_arena_take(arena, bits / 64 + 2)};
}

static void set_place(place *p, toi_dyadic at) {
  p->at.m = toi_integer_store(p->memory, at.m);
  p->at.k = at.k;
}

static int compare(toi_arena *arena, toi_dyadic a, toi_dyadic b) {
  mp_limb_t *mark = toi_arena_mark(arena);
  const int order = toi_integer_compare(toi_integer_shift_left(arena, a.m, a.k < b.k ? b.k - a.k : 0),
                                        toi_integer_shift_left(arena, b.m, b.k < a.k ? a.k - b.k : 0));
  toi_arena_release(arena, mark);
  return order;
}

/* from + i / 2^e. */
static toi_dyadic step(toi_arena *arena, toi_dyadic from, uint64_t i, uint32_t e) {
  const uint32_t k = from.k > e ? from.k : e;
  const toi_integer start = toi_integer_shift_left(arena, from.m, k - from.k);
  const toi_integer width = toi_integer_shift_left(arena, toi_integer_from_u64(arena, i), k - e);
  toi_dyadic to = {toi_integer_add(arena, start, width), k};
  const uint32_t zeros = toi_integer_trailing_zeros(to.m), excess = zeros < k ? zeros : k;
  to.m = toi_integer_shift_right(arena, to.m, excess);
  to.k -= excess;
  return to;
}

/* --- reasons --- */

static bool plane_holds(const cover *c, const reason *why, toi_dyadic from, toi_dyadic to) {
  for (int k = 0; k < c->parts->count; k++) {
    if (toi_sign_between(c->arena, &c->parts->corner[k][why->axis], from, to) != why->side) {
      return false;
    }
  }
  return true;
}

/* On the closed interval. */
static bool holds(const cover *c, const reason *why, toi_dyadic from, toi_dyadic to) {
  const toi_parts *parts = c->parts;
  switch (why->kind) {
  case SIGN:
    return toi_sign_between(c->arena, &parts->coplanarity.whole, from, to) != 0;
  case AREAS: {
    const int first = toi_sign_between(c->arena, &parts->area[why->first][why->axis].whole, from, to);
    return first != 0 && first == -toi_sign_between(c->arena, &parts->area[why->second][why->axis].whole, from, to);
  }
  default:
    return plane_holds(c, why, from, to);
  }
}

/* The sign of a polynomial from a time up to the contact time, which comes before `to`. */
static int sign_until(const cover *c, const toi_factored *f, toi_dyadic from, toi_dyadic to) {
  const int left = toi_sign_between(c->arena, &f->left, from, to);
  return f->times % 2 == 0 ? left : left * c->parts->moment.before;
}

/* From a time up to the contact time, which is excluded and comes before `to`. */
static bool holds_until(const cover *c, const reason *why, toi_dyadic from, toi_dyadic to) {
  const toi_parts *parts = c->parts;
  switch (why->kind) {
  case SIGN:
    return sign_until(c, &parts->coplanarity, from, to) != 0;
  case AREAS: {
    const int first = sign_until(c, &parts->area[why->first][why->axis], from, to);
    return first != 0 && first == -sign_until(c, &parts->area[why->second][why->axis], from, to);
  }
  default:
    /* Linear functions: strictly on one side at the beginning, at least weakly at the contact time. */
    for (int k = 0; k < parts->count; k++) {
      const toi_polynomial *corner = &parts->corner[k][why->axis];
      if (!parts->moment.rational || toi_sign_between(c->arena, corner, from, from) != why->side ||
          toi_algebraic_sign(c->arena, &parts->moment.number, corner) == -why->side) {
        return false;
      }
    }
    return true;
  }
}

/* All reasons that there are, by number; false past the last. */
static bool reason_of(const toi_parts *parts, int number, reason *why) {
  const int pairs = parts->count * (parts->count - 1) / 2;
  if (number == 0) {
    *why = (reason){.kind = SIGN};
    return true;
  }
  number--;
  if (number < 2 * TOI_AXES) {
    *why = (reason){.kind = PLANE, .axis = (int8_t)(number / 2), .side = number % 2 == 0 ? 1 : -1};
    return true;
  }
  number -= 2 * TOI_AXES;
  if (number >= TOI_AXES * pairs) {
    return false;
  }
  int pair = number / TOI_AXES, second = 1;
  while (pair >= second) {
    pair -= second;
    second++;
  }
  *why = (reason){.kind = AREAS, .axis = (int8_t)(number % TOI_AXES), .first = (int8_t)pair, .second = (int8_t)second};
  return true;
}

/* --- text --- */

static void add_index(toi_prose *text, int number) {
  const char digits[] = {' ', (char)('0' + number), '\0'};
  toi_prose_add(text, digits);
}

static void add_reason(cover *c, const reason *why) {
  static const char *const axis_name[TOI_AXES] = {" x", " y", " z"};
  switch (why->kind) {
  case SIGN:
    toi_prose_add(c->text, " sign");
    break;
  case AREAS:
    toi_prose_add(c->text, " areas");
    toi_prose_add(c->text, axis_name[why->axis]);
    add_index(c->text, why->first);
    add_index(c->text, why->second);
    break;
  default:
    toi_prose_add(c->text, " plane");
    for (int axis = 0; axis < TOI_AXES; axis++) {
      toi_prose_add(c->text, axis != why->axis ? " 0" : why->side > 0 ? " 1" : " -1");
    }
    break;
  }
  toi_prose_add(c->text, "\n");
}

/* Writes the pending piece, which ends here. */
static void flush(cover *c) {
  if (c->pending_reason.kind == NO_REASON) {
    return;
  }
  toi_prose_add(c->text, "piece");
  toi_prose_add_dyadic(c->text, c->arena, c->pending.at.m, c->pending.at.k);
  toi_prose_add_dyadic(c->text, c->arena, c->here.at.m, c->here.at.k);
  add_reason(c, &c->pending_reason);
  c->pending_reason.kind = NO_REASON;
  c->pieces++;
}

/* --- pieces --- */

/* Takes the interval from here to `to` for this reason, if it holds on it and goes further than the best so far. */
static bool improve(cover *c, const reason *why, toi_dyadic to) {
  const bool none = c->best_reason.kind == NO_REASON;
  if (compare(c->arena, to, c->target.at) > 0 || (!none && compare(c->arena, to, c->best.at) <= 0) ||
      !holds(c, why, c->here.at, to)) {
    return false;
  }
  set_place(&c->best, to);
  c->best_reason = *why;
  return true;
}

/* The largest power of two below the distance from here to the target, as its negative exponent. */
static uint32_t first_exponent(cover *c) {
  mp_limb_t *mark = toi_arena_mark(c->arena);
  const uint32_t k = c->here.at.k > c->target.at.k ? c->here.at.k : c->target.at.k;
  const toi_integer from = toi_integer_shift_left(c->arena, c->here.at.m, k - c->here.at.k);
  const toi_integer to = toi_integer_shift_left(c->arena, c->target.at.m, k - c->target.at.k);
  const uint32_t bits = toi_integer_bits(toi_integer_subtract(c->arena, to, from));
  toi_arena_release(c->arena, mark);
  return k + 1 > bits ? k + 1 - bits : 0;
}

/* How far the reason reaches from here. */
static void reach(cover *c, const reason *why, uint32_t exponent) {
  mp_limb_t *mark = toi_arena_mark(c->arena);
  for (uint32_t e = exponent; e <= c->finest; e++) {
    toi_arena_release(c->arena, mark);
    toi_dyadic to = step(c->arena, c->here.at, 4, e + 2);
    const bool known = c->best_reason.kind != NO_REASON;
    if (known && compare(c->arena, to, c->best.at) < 0) {
      break;
    }
    if (!improve(c, why, to)) {
      continue;
    }
    /* A half more, and a quarter more. */
    uint64_t quarters = 4;
    for (uint64_t more = 2; more > 0; more /= 2) {
      to = step(c->arena, c->here.at, quarters + more, e + 2);
      quarters += improve(c, why, to) ? more : 0;
    }
    break;
  }
  toi_arena_release(c->arena, mark);
}

/* Finds the piece from here that reaches furthest; false if there is none that is not too short. */
static bool find_piece(cover *c) {
  c->best_reason.kind = NO_REASON;
  reason why;
  for (int i = 0; reason_of(c->parts, i, &why); i++) {
    if (holds(c, &why, c->here.at, c->here.at) && improve(c, &why, c->target.at)) {
      return true;
    }
  }
  if (compare(c->arena, c->here.at, c->target.at) == 0) {
    return false;
  }
  const uint32_t exponent = first_exponent(c);
  for (int i = 0; reason_of(c->parts, i, &why); i++) {
    if (holds(c, &why, c->here.at, c->here.at)) {
      reach(c, &why, exponent);
    }
  }
  return c->best_reason.kind != NO_REASON;
}

static bool same_reason(const reason *a, const reason *b) {
  return a->kind == b->kind && a->axis == b->axis && a->first == b->first && a->second == b->second &&
         a->side == b->side;
}

/* Goes on to the end of the best piece, which joins the pending one or becomes it. */
static void advance(cover *c) {
  const bool joins = c->pending_reason.kind != NO_REASON && same_reason(&c->pending_reason, &c->best_reason) &&
                     holds(c, &c->best_reason, c->pending.at, c->best.at);
  if (!joins) {
    flush(c);
    set_place(&c->pending, c->here.at);
    c->pending_reason = c->best_reason;
  }
  set_place(&c->here, c->best.at);
}

/* Writes the last piece if a reason holds from here, or from where the pending piece begins, up to the contact time. */
static bool finish(cover *c) {
  toi_parts *parts = c->parts;
  mp_limb_t *mark = toi_arena_mark(c->arena);
  const toi_algebraic *a = &parts->moment.number;
  const toi_dyadic lo = {a->m, a->k}, hi = {toi_integer_add(c->arena, a->m, a->w), a->k};
  /* At the contact time itself, if it is dyadic, there is nothing left to show. */
  bool found =
      compare(c->arena, c->here.at, lo) <= 0 && (parts->moment.rational || toi_parts_slope(parts, c->here.at, hi) != 0);
  reason why;
  for (int i = 0; found; i++) {
    found = reason_of(parts, i, &why);
    if (found && holds_until(c, &why, c->here.at, hi)) {
      break;
    }
  }
  toi_arena_release(c->arena, mark);
  if (!found) {
    return false;
  }
  flush(c);
  toi_prose_add(c->text, "last");
  toi_prose_add_dyadic(c->text, c->arena, c->here.at.m, c->here.at.k);
  add_reason(c, &why);
  c->pieces++;
  return true;
}

static toi_status too_hard(const cover *c, const char *what) {
  return toi_fail(c->text->context, TOI_ERROR_UNSUPPORTED, "the certificate of this query would need %s", what);
}

/* Moves the target to the lower end of the contact time's interval. */
static void aim(cover *c) {
  const toi_algebraic *a = &c->parts->moment.number;
  set_place(&c->target, (toi_dyadic){a->m, a->k});
}

toi_status toi_parts_cover(toi_parts *parts, toi_dyadic end, toi_prose *text) {
  cover c = {
      .parts = parts, .arena = parts->arena, .text = text, .finest = parts->frame->limit + TOI_CERTIFICATE_FINER};
  place *const places[] = {&c.here, &c.target, &c.pending, &c.best};
  for (int i = 0; i < 4; i++) {
    *places[i] = make_place(c.arena, c.finest + 64);
  }
  set_place(&c.target, end);
  for (;;) {
    if (parts->moment.present) {
      if (finish(&c)) {
        return TOI_OK;
      }
      aim(&c);
    }
    if (c.pieces >= MOST_PIECES) {
      return too_hard(&c, "too many pieces of time");
    }
    const bool arrived = compare(c.arena, c.here.at, c.target.at) == 0;
    if (parts->moment.present && arrived) {
      if (!toi_parts_refine(parts)) {
        return too_hard(&c, "a finer interval of the contact time");
      }
      continue;
    }
    if (!find_piece(&c)) {
      return too_hard(&c, "too short a piece of time");
    }
    advance(&c);
    if (!parts->moment.present && compare(c.arena, c.here.at, c.target.at) == 0) {
      flush(&c);
      return TOI_OK;
    }
  }
}
