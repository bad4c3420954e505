/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pieces of time without contact, from 0 on, each with the reason that reaches furthest.
 *
 * At the end of a piece every reason that holds there is asked how far it holds: up to the end of everything, or else
 * by a power of two, the largest that it holds for, and three quarters of it more. A piece with the same reason as the
 * one before is joined to it where the reason holds on both together. Before each piece it is tried whether a reason
 * holds from here up to the contact time (the last piece).
 *
 * A reason ends at a root of one of its polynomials, or where one comes close to zero, at a root of its derivative. The
 * next reason may hold around that root only very closely: within 2^-1000, say. Steps of powers of two would come
 * closer by a few binary places each. Instead the root is narrowed as an algebraic number, twice the places at each
 * step, until a reason holds on all of its interval; the piece ends where the interval begins (approach).
 *
 * Why this ends: see certificate_parts.h; near the contact time, docs/certificates.md shows that a reason holds on the
 * last piece if it is short enough, and each piece before it at least halves the way, or the interval is narrowed. */

#include "narrow/certificate_parts.h"

/* Far more than any query is known to need (tens). */
#define MOST_PIECES 20000

/* A time in memory of its own. */
typedef struct place {
  toi_dyadic at;
  toi_limb *memory;
} place;

typedef struct cover {
  toi_certificate_parts *parts;
  toi_arena *arena;
  toi_prose *text;
  uint32_t finest; /* ends of pieces are multiples of 2^-finest */
  int pieces;
  place here;      /* everything before is covered */
  toi_signs signs; /* of the polynomials here */
  place target;    /* pieces end here at the latest */
  place pending;   /* where the piece that is not written yet begins */
  place best;      /* where the best piece from here ends */
  place bridge;    /* from the end of the best piece its reason holds up to here at least; none: the piece is enough */
  toi_reason pending_reason, best_reason, bridge_reason;
} cover;

/* A step from here: quarters / 2^(e + 2), with 4 to 7 quarters. */
typedef struct stride {
  uint32_t e;
  uint32_t quarters;
} stride;

static place make_place(toi_arena *arena, uint32_t bits) {
  return (place){{TOI_INTEGER_ZERO, 0}, toi_arena_take(arena, bits / 64 + 2)};
}

static void set_place(place *p, toi_dyadic at) {
  p->at.m = toi_integer_store(p->memory, at.m);
  p->at.k = at.k;
}

/* from + i / 2^e, in lowest terms. */
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

/* to - from, which is not negative. */
static toi_dyadic distance(toi_arena *arena, toi_dyadic from, toi_dyadic to) {
  const uint32_t k = from.k > to.k ? from.k : to.k;
  const toi_integer start = toi_integer_shift_left(arena, from.m, k - from.k);
  const toi_integer end = toi_integer_shift_left(arena, to.m, k - to.k);
  return (toi_dyadic){toi_integer_subtract(arena, end, start), k};
}

/* --- text --- */

/* Writes the pending piece, which ends here. */
static void flush(cover *c) {
  if (c->pending_reason.kind == TOI_REASON_NONE)
    return;
  toi_prose_add(c->text, "piece");
  toi_prose_add_dyadic(c->text, c->arena, c->pending.at.m, c->pending.at.k);
  toi_prose_add_dyadic(c->text, c->arena, c->here.at.m, c->here.at.k);
  toi_reason_add(&c->pending_reason, c->text);
  c->pending_reason.kind = TOI_REASON_NONE;
  c->pieces++;
}

/* --- how far a reason reaches --- */

static bool holds_for(cover *c, const toi_ahead *ahead, uint32_t quarters, uint32_t e) {
  toi_limb *mark = toi_arena_mark(c->arena);
  const bool holds = toi_ahead_holds(c->arena, ahead, toi_integer_from_u64(c->arena, quarters), e + 2);
  toi_arena_release(c->arena, mark);
  return holds;
}

/* The smallest e from `least` on for which the reason holds over 2^-e, given one for which it does: downwards in steps
 * of growing length, then by halving what is left. */
static uint32_t smallest_exponent(cover *c, const toi_ahead *ahead, uint32_t least, uint32_t known) {
  uint32_t fails = least, length = 1;
  bool failed = false;
  while (known > least && !failed) {
    const uint32_t next = known - least > length ? known - length : least;
    failed = !holds_for(c, ahead, 4, next);
    fails = next;
    known = failed ? known : next;
    length *= 2;
  }
  while (failed && known - fails > 1) {
    const uint32_t middle = fails + (known - fails) / 2;
    if (holds_for(c, ahead, 4, middle))
      known = middle;
    else
      fails = middle;
  }
  return known;
}

/* Whether a step stays within a distance. */
static bool within(cover *c, uint32_t quarters, uint32_t e, toi_dyadic most) {
  toi_limb *mark = toi_arena_mark(c->arena);
  const toi_dyadic way = {toi_integer_from_u64(c->arena, quarters), e + 2};
  const bool inside = toi_dyadic_compare(c->arena, way, most) <= 0;
  toi_arena_release(c->arena, mark);
  return inside;
}

/* Makes *best the step over which the reason holds, if that is longer; 2^-least is the longest power of two within the
 * distance `most` to the target. */
static bool reach(cover *c, const toi_ahead *ahead, uint32_t least, toi_dyadic most, stride *best) {
  uint32_t known = best->e;
  if (best->quarters != 0) {
    // Nothing to gain if it does not hold over the next longer step.
    const uint32_t more = best->quarters == 7 ? 8 : best->quarters + 1;
    if (!within(c, more, best->e, most) || !holds_for(c, ahead, more, best->e))
      return false;
  } else {
    known = toi_ahead_sure(ahead);
    known = known > least ? known : least;
    if (known > c->finest)
      return false;
  }
  const uint32_t e = smallest_exponent(c, ahead, least, known);
  // A half more, and a quarter more.
  uint32_t quarters = 4;
  for (uint32_t more = 2; more > 0; more /= 2)
    quarters += within(c, quarters + more, e, most) && holds_for(c, ahead, quarters + more, e) ? more : 0;
  *best = (stride){e, quarters};
  return true;
}

/* --- close to a root --- */

/* An interval of time, and a reason that holds on it. */
typedef struct stretch {
  toi_dyadic lo, hi;
  toi_reason why;
} stretch;

/* Finds a reason that holds on all of the interval. */
static bool explain(cover *c, stretch *s) {
  toi_limb *mark = toi_arena_mark(c->arena);
  toi_signs signs;
  toi_signs_at(c->parts, s->lo, &signs);
  const toi_dyadic width = distance(c->arena, s->lo, s->hi);
  toi_limb *kept = toi_arena_mark(c->arena);
  bool found = false;
  for (int i = 0; !found && toi_reason_of(c->parts, i, &s->why); i++) {
    if (!toi_reason_shown(c->parts, &s->why, &signs))
      continue;
    toi_ahead ahead;
    toi_ahead_make(c->parts, &s->why, s->lo, 1, &ahead);
    found = toi_ahead_holds(c->arena, &ahead, width.m, width.k);
    toi_arena_release(c->arena, kept);
  }
  toi_arena_release(c->arena, mark);
  return found;
}

/* The interval that ends at a time and goes back by a power of two, over which the reason that does so furthest holds.
 * Its beginning lies in the arena. */
static bool explain_before(cover *c, toi_dyadic at, stretch *s) {
  toi_limb *mark = toi_arena_mark(c->arena);
  toi_signs signs;
  toi_signs_at(c->parts, at, &signs);
  uint32_t e = UINT32_MAX;
  toi_reason why;
  for (int i = 0; toi_reason_of(c->parts, i, &why); i++) {
    if (!toi_reason_shown(c->parts, &why, &signs))
      continue;
    toi_ahead ahead;
    toi_ahead_make(c->parts, &why, at, -1, &ahead);
    const uint32_t sure = toi_ahead_sure(&ahead);
    s->why = sure < e ? why : s->why;
    e = sure < e ? sure : e;
    toi_arena_release(c->arena, mark);
  }
  if (e > c->finest)
    return false;
  e = e > at.k ? e : at.k + 1;
  s->lo.m = toi_integer_subtract(c->arena, toi_integer_shift_left(c->arena, at.m, e - at.k),
                                 toi_integer_from_u64(c->arena, 1));
  s->lo.k = e;
  s->hi = at;
  return true;
}

/* What became of an approach to a root. */
typedef enum outcome { NO_ROOT, EXPLAINED, TOO_SLOW, TOO_FINE } outcome;

/* Narrows a root until a reason holds on its interval, or, if it is dyadic, shortly before it and at it; the interval
 * lies in the arena. Narrowing gains few bits at a time where several roots are close together, and is given up then if
 * `hurried`. */
static outcome approach(cover *c, toi_algebraic *root, bool hurried, stretch *s) {
  enum { SLOW_PACE = 4, SLOW_STEPS = 4 };
  int slow = 0;
  for (;;) {
    s->lo = (toi_dyadic){root->m, root->k};
    if (toi_algebraic_is_dyadic(root))
      return explain_before(c, s->lo, s) ? EXPLAINED : TOO_FINE;
    toi_limb *mark = toi_arena_mark(c->arena);
    s->hi = (toi_dyadic){toi_integer_add(c->arena, root->m, root->w), root->k};
    if (explain(c, s))
      return EXPLAINED;
    toi_arena_release(c->arena, mark);
    if (hurried && slow >= SLOW_STEPS)
      return TOO_SLOW;
    if (!toi_algebraic_refine(c->arena, root))
      return TOO_FINE;
    slow = root->pace <= SLOW_PACE ? slow + 1 : 0;
  }
}

/* A time rounded down to a multiple of 2^-k. */
static toi_dyadic round_down(toi_arena *arena, toi_dyadic at, uint32_t k) {
  return k >= at.k ? at : (toi_dyadic){toi_integer_shift_right(arena, at.m, at.k - k), k};
}

/* A root of a polynomial between two times at which it has different signs; false if it has not. It may vanish at the
 * second. The second may be known to many binary places: twice as many of them are used until the root is before it. */
static bool root_between(cover *c, const toi_polynomial *p, toi_dyadic from, toi_dyadic to, toi_algebraic *root) {
  const int sign = toi_polynomial_sign_at(c->arena, p, from.m, from.k);
  if (p->degree < 1 || sign == 0 || sign == toi_polynomial_sign_at(c->arena, p, to.m, to.k))
    return false;
  const uint32_t limit = c->finest + 2;
  for (uint32_t places = from.k + 8;; places *= 2) {
    const toi_dyadic end = round_down(c->arena, to, places);
    const int sign_end = toi_polynomial_sign_at(c->arena, p, end.m, end.k);
    if (sign_end == 0) {
      *root = toi_algebraic_dyadic(c->arena, end.m, end.k, limit);
      return true;
    }
    if (sign_end != sign) {
      const toi_integer m[2] = {from.m, end.m};
      *root = toi_algebraic_between(c->arena, p, sign, m, (uint32_t[2]){from.k, end.k}, limit);
      return true;
    }
    from = toi_dyadic_compare(c->arena, from, end) < 0 ? end : from;
  }
}

/* Ends the best piece at `end`, or, if its reason does not hold so far, before it by the smallest power of two for
 * which it does: where several roots are close together, `end` may be behind the first of them. Whether it ends there.
 */
static bool end_at(cover *c, toi_dyadic end) {
  toi_limb *mark = toi_arena_mark(c->arena);
  toi_ahead ahead;
  toi_ahead_make(c->parts, &c->best_reason, c->here.at, 1, &ahead);
  const toi_dyadic whole = distance(c->arena, c->here.at, end), gap = distance(c->arena, c->best.at, end);
  toi_limb *kept = toi_arena_mark(c->arena);
  const bool ends = toi_ahead_holds(c->arena, &ahead, whole.m, whole.k);
  if (ends) {
    set_place(&c->best, end);
  } else {
    // It holds up to the step found before, 2^-none before the end or less. Steps of growing length, then halving.
    const uint32_t none = gap.k + 1 - toi_integer_bits(gap.m);
    uint32_t known = none, fails = c->finest + 1, length = 1;
    while (fails - known > 1) {
      const uint32_t e = fails > c->finest && fails - known > length ? known + length : known + (fails - known) / 2;
      const toi_dyadic way = distance(c->arena, (toi_dyadic){toi_integer_from_u64(c->arena, 1), e}, whole);
      if (toi_ahead_holds(c->arena, &ahead, way.m, way.k))
        known = e;
      else
        fails = e;
      toi_arena_release(c->arena, kept);
      length *= 2;
    }
    if (known > none)
      set_place(&c->best, distance(c->arena, (toi_dyadic){toi_integer_from_u64(c->arena, 1), known}, end));
  }
  toi_arena_release(c->arena, mark);
  return ends;
}

/* Approaches what ends the reason of the best piece between two times: a root of one of its polynomials, or of a
 * derivative, where one comes close to zero without changing its sign, or where several roots are close together. */
static outcome approach_end(cover *c, toi_dyadic from, toi_dyadic to, stretch *s) {
  const toi_polynomial *p[TOI_MOST_CORNERS];
  toi_polynomial slope[TOI_MOST_CORNERS];
  const int count = toi_reason_polynomials(c->parts, &c->best_reason, p);
  toi_algebraic root, slow;
  outcome result = NO_ROOT;
  for (int order = 0; order < TOI_DEGREE_CUBIC; order++) {
    for (int i = 0; i < count; i++) {
      slope[i] = order == 0 ? *p[i] : toi_polynomial_derivative(c->arena, &slope[i]);
      if (!root_between(c, &slope[i], from, to, &root))
        continue;
      result = approach(c, &root, true, s);
      if (result != TOO_SLOW)
        return result;
      // Closer, between the roots of this polynomial, there is one of its derivative.
      slow = root;
      from = (toi_dyadic){root.m, root.k};
      to = (toi_dyadic){toi_integer_add(c->arena, root.m, root.w), root.k};
    }
  }
  return result == TOO_SLOW ? approach(c, &slow, false, s) : result;
}

/* Moves the end of the best piece, a step, closer to what ends its reason, if no reason holds around that otherwise. */
static void go_closer(cover *c, stride best) {
  toi_limb *mark = toi_arena_mark(c->arena);
  toi_dyadic next = step(c->arena, c->here.at, best.quarters + 1, best.e + 2);
  const bool last = toi_dyadic_compare(c->arena, next, c->target.at) >= 0;
  if (last)
    next = c->target.at;
  stretch s;
  if (approach_end(c, c->best.at, next, &s) == EXPLAINED) {
    const int order = toi_dyadic_compare(c->arena, s.lo, c->best.at);
    if (order == 0 || (order > 0 && end_at(c, s.lo))) {
      c->bridge_reason = s.why;
      set_place(&c->bridge, s.hi);
    }
  } else if (last) {
    (void)end_at(c, next);
  }
  toi_arena_release(c->arena, mark);
}

/* --- pieces --- */

/* Finds the piece from here that reaches furthest; false if there is none that is not too short. */
static bool find_piece(cover *c) {
  toi_limb *mark = toi_arena_mark(c->arena);
  const toi_dyadic most = distance(c->arena, c->here.at, c->target.at);
  const uint32_t bits = toi_integer_bits(most.m), least = most.k + 1 > bits ? most.k + 1 - bits : 0;
  toi_limb *kept = toi_arena_mark(c->arena);
  stride best = {0, 0};
  bool arrived = false;
  toi_reason why;
  c->best_reason.kind = TOI_REASON_NONE;
  for (int i = 0; !arrived && toi_reason_of(c->parts, i, &why); i++) {
    if (!toi_reason_shown(c->parts, &why, &c->signs))
      continue;
    toi_ahead ahead;
    toi_ahead_make(c->parts, &why, c->here.at, 1, &ahead);
    arrived = most.m.size == 0 || toi_ahead_holds(c->arena, &ahead, most.m, most.k);
    if (arrived || reach(c, &ahead, least, most, &best))
      c->best_reason = why;
    toi_arena_release(c->arena, kept);
  }
  if (arrived) {
    set_place(&c->best, c->target.at);
  } else if (best.quarters != 0) {
    set_place(&c->best, step(c->arena, c->here.at, best.quarters, best.e + 2));
    if (c->bridge_reason.kind != TOI_REASON_NONE && toi_dyadic_compare(c->arena, c->bridge.at, c->best.at) > 0) {
      c->best_reason = c->bridge_reason;
      set_place(&c->best, c->bridge.at);
      c->bridge_reason.kind = TOI_REASON_NONE;
    } else {
      c->bridge_reason.kind = TOI_REASON_NONE;
      go_closer(c, best);
    }
  }
  toi_arena_release(c->arena, mark);
  return c->best_reason.kind != TOI_REASON_NONE;
}

static void go_to(cover *c, toi_dyadic at) {
  set_place(&c->here, at);
  toi_signs_at(c->parts, c->here.at, &c->signs);
}

/* Goes on to the end of the best piece, which joins the pending one or becomes it. */
static void advance(cover *c) {
  const bool joins = c->pending_reason.kind != TOI_REASON_NONE &&
                     toi_reason_same(&c->pending_reason, &c->best_reason) &&
                     toi_reason_holds(c->parts, &c->best_reason, c->pending.at, c->best.at);
  if (!joins) {
    flush(c);
    set_place(&c->pending, c->here.at);
    c->pending_reason = c->best_reason;
  }
  go_to(c, c->best.at);
}

/* Writes the last piece if a reason holds from here up to the contact time. */
static bool finish(cover *c) {
  toi_certificate_parts *parts = c->parts;
  toi_limb *mark = toi_arena_mark(c->arena);
  const toi_algebraic *a = &parts->moment.number;
  const toi_dyadic lo = {a->m, a->k}, hi = {toi_integer_add(c->arena, a->m, a->w), a->k};
  // At the contact time itself, if it is dyadic, there is nothing left to show.
  bool found = toi_dyadic_compare(c->arena, c->here.at, lo) <= 0 &&
               (parts->moment.rational || toi_parts_slope(parts, c->here.at, hi) != 0);
  toi_reason why;
  for (int i = 0; found; i++) {
    found = toi_reason_of(parts, i, &why);
    if (found && toi_reason_shown(parts, &why, &c->signs) && toi_reason_holds_until(parts, &why, c->here.at, hi))
      break;
  }
  toi_arena_release(c->arena, mark);
  if (!found)
    return false;
  flush(c);
  toi_prose_add(c->text, "last");
  toi_prose_add_dyadic(c->text, c->arena, c->here.at.m, c->here.at.k);
  toi_reason_add(&why, c->text);
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

toi_status toi_parts_cover(toi_certificate_parts *parts, toi_dyadic end, toi_prose *text) {
  cover c = {.parts = parts, .arena = parts->arena, .text = text, .finest = parts->hull->limit + TOI_CERTIFICATE_FINER};
  place *const places[] = {&c.here, &c.target, &c.pending, &c.best, &c.bridge};
  for (int i = 0; i < 5; i++)
    *places[i] = make_place(c.arena, c.finest + 64);
  set_place(&c.target, end);
  go_to(&c, (toi_dyadic){TOI_INTEGER_ZERO, 0});
  for (;;) {
    if (parts->moment.present) {
      if (finish(&c))
        return TOI_OK;
      aim(&c);
    }
    if (c.pieces >= MOST_PIECES)
      return too_hard(&c, "too many pieces of time");
    const bool arrived = toi_dyadic_compare(c.arena, c.here.at, c.target.at) == 0;
    if (parts->moment.present && arrived) {
      if (!toi_parts_refine(parts))
        return too_hard(&c, "a finer interval of the contact time");
      continue;
    }
    if (!find_piece(&c))
      return too_hard(&c, "too short a piece of time");
    advance(&c);
    if (!parts->moment.present && toi_dyadic_compare(c.arena, c.here.at, c.target.at) == 0) {
      flush(&c);
      return TOI_OK;
    }
  }
}
