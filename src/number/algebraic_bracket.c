/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The tightest doubles around an algebraic number.
 *
 * Doubles that are not negative are ordered as their bit patterns, so the search runs on 64-bit integers: its interval
 * of patterns starts with at most 2^62 of them, whatever the magnitude of the number, and halving ends after 62 exact
 * signs. A guess, made better by one exact Newton step, and strides of growing length from there, usually end it after
 * three. Floating point only says where to look: every step is an exact sign, so the bracket is a function of the
 * number. */

#include "number/algebraic.h"

#include <math.h>
#include <string.h>

static uint64_t pattern(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double value(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The largest double that is not above m / 2^k (in [0, 1]), or the smallest that is not below it. */
static double rounded(toi_arena *arena, toi_integer m, uint32_t k, bool up) {
  if (m.size == 0)
    return 0;
  // Doubles near it are multiples of 2^quantum.
  int bits = (int)toi_integer_bits(m), quantum = bits - 53 - (int)k;
  quantum = quantum < -1074 ? -1074 : quantum;
  int drop = quantum + (int)k;
  if (drop <= 0)
    return ldexp((double)m.limb[0], -(int)k);
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer kept = toi_integer_shift_right(arena, m, (uint32_t)drop);
  double floor = kept.size == 0 ? 0 : (double)kept.limb[0];
  bool exact = (int)toi_integer_trailing_zeros(m) >= drop;
  toi_arena_release(arena, mark);
  return ldexp(up && !exact ? floor + 1 : floor, quantum);
}

/* p in doubles: p(t) is about (c[0] + ... + c[n] t^n) 2^exponent. */
typedef struct model {
  double c[TOI_DEGREE_MAX + 1];
  int degree, exponent;
} model;

static model approximate(const toi_polynomial *p) {
  model approximation = {.degree = p->degree, .exponent = (int)toi_polynomial_bits(p)};
  for (int i = 0; i <= p->degree; i++) {
    int exponent;
    double mantissa = toi_integer_approximate(p->c[i], &exponent);
    approximation.c[i] = ldexp(mantissa, exponent - approximation.exponent);
  }
  return approximation;
}

static void evaluate(const model *p, double t, double *at, double *slope) {
  double y = p->c[p->degree], dy = 0;
  for (int i = p->degree - 1; i >= 0; i--) {
    dy = dy * t + y;
    y = y * t + p->c[i];
  }
  *at = y;
  *slope = dy;
}

/* A double between two: halfway, or, where they are of different magnitudes, halfway among the doubles between. */
static double between(double lo, double hi) {
  return lo < hi * 0x1p-8 ? value(pattern(lo) + (pattern(hi) - pattern(lo)) / 2) : lo + (hi - lo) / 2;
}

/* Where the root is, as far as doubles tell: Newton's method kept inside [lo, hi] by halving. */
static double look(const model *p, int sign_lo, double lo, double hi, double guess) {
  enum { STEPS = 64 };
  double t = guess > lo && guess < hi ? guess : lo + (hi - lo) / 2;
  for (int step = 0; step < STEPS; step++) {
    double y, dy;
    evaluate(p, t, &y, &dy);
    if (y == 0)
      return t;
    if ((y > 0) == (sign_lo > 0))
      lo = t;
    else
      hi = t;
    double next = t - y / dy;
    next = next > lo && next < hi ? next : between(lo, hi);
    if (fabs(next - t) <= 0x1p-52 * t)
      return next;
    t = next;
  }
  return t;
}

/* The search: the number is strictly between the doubles with patterns a and b. */
typedef struct search {
  uint64_t a, b;
  uint64_t at;  /* the pattern to try next */
  int side;     /* of the pattern tried last: -1 below the number, 1 above, 0 it is the number */
  double slide; /* Newton's step from there */
} search;

static void probe(toi_arena *arena, const toi_algebraic *number, const model *p, search *s) {
  if (s->at <= s->a || s->at >= s->b)
    s->at = s->a + (s->b - s->a) / 2;
  int exponent;
  double t = value(s->at), y, dy;
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer m = toi_integer_from_i64(arena, toi_double_split(t, &exponent));
  toi_integer at = toi_polynomial_at(arena, &number->p, m, (uint32_t)-exponent);
  int sign = toi_integer_sign(at);
  s->side = sign == 0 ? 0 : sign == number->sign_lo ? -1 : 1;
  evaluate(p, t, &y, &dy);
  int scale;
  double mantissa = toi_integer_approximate(at, &scale);
  s->slide = ldexp(mantissa, scale + exponent * number->p.degree - p->exponent) / dy;
  toi_arena_release(arena, mark);
  if (s->side < 0)
    s->a = s->at;
  else
    s->b = s->at;
}

/* Runs the search to its end; true if the pattern `at` is the number itself. */
static bool run(toi_arena *arena, const toi_algebraic *number, const model *p, search *s) {
  enum { NEWTON_STEPS = 6 };
  uint64_t stride = 1;
  int newton = NEWTON_STEPS, side = 0;
  while (s->b - s->a > 1) {
    probe(arena, number, p, s);
    if (s->side == 0)
      return true;
    // Newton's steps as long as they lead to another double, and inside.
    double next = value(s->at) - s->slide;
    uint64_t goal = next > 0 && next < 1 ? pattern(next) : 0;
    if (newton > 0 && goal > s->a && goal < s->b) {
      s->at = goal;
      newton--;
      continue;
    }
    // Then strides of growing length while the number stays on one side, then halving.
    newton = 0;
    bool same = side == 0 || side == s->side;
    side = same ? s->side : 2;
    s->at = !same || stride > s->b - s->a ? s->a : s->side < 0 ? s->at + stride : s->at - stride;
    stride *= 2;
  }
  return false;
}

void toi_algebraic_bracket(toi_arena *arena, toi_algebraic *a, double guess, double bracket[2]) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_integer end = toi_integer_add(arena, a->m, a->w);
  double lo = rounded(arena, a->m, a->k, false), hi = rounded(arena, end, a->k, true);
  toi_arena_release(arena, mark);
  bracket[0] = lo;
  bracket[1] = hi;
  if (toi_algebraic_is_dyadic(a))
    return;
  model p = approximate(&a->p);
  search s = {.a = pattern(lo), .b = pattern(hi)};
  bool exact = false;
  if (a->close_end != 0 && s.b - s.a > 1) {
    s.at = a->close_end < 0 ? s.a + 1 : s.b - 1;
    probe(arena, a, &p, &s);
    exact = s.side == 0;
  }
  if (!exact && s.b - s.a > 1) {
    // A number that doubles do not tell from an end is next to it.
    s.at = pattern(look(&p, a->sign_lo, value(s.a), value(s.b), guess));
    s.at = s.at <= s.a ? s.a + 1 : s.at >= s.b ? s.b - 1 : s.at;
    exact = run(arena, a, &p, &s);
  }
  toi_algebraic_narrow(arena, a, exact ? value(s.at) : value(s.a), exact ? value(s.at) : value(s.b));
  bracket[0] = value(exact ? s.at : s.a);
  bracket[1] = value(exact ? s.at : s.b);
}
