/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Reasons for there being no contact: which there are, where they hold, how far they reach.
 *
 * Claim (monotone): a polynomial with strict sign on [a, b], shown by its Bernstein coefficients there, has it on every
 * [a, c] with a <= c <= b. Why: the coefficients on [a, c] are convex combinations of those on [a, b] (de Casteljau).
 * So how far a reason reaches is found by searching for the exponent of its reach, not by trying one power of two after
 * another.
 *
 * Claim (toi_ahead_sure): with p(from + w) = c0 + c1 w + c2 w^2 + c3 w^3, the Bernstein coefficients on [from, from +
 * w] have the sign of c0 if |cj| w^j < |c0| / 4 for each j >= 1 whose cj has the opposite sign. Why: they are
 * c0 + sum over j of C(i, j) / C(n, j) cj w^j, with factors in [0, 1], and there are at most three terms against c0.
 * With w = 2^-e and B(x) the bits of x, |cj| 2^(-e j) < 2^(B(cj) - e j) <= 2^(B(c0) - 3) <= |c0| / 4 for
 * e >= (B(cj) - B(c0) + 3) / j. */

#include "narrow/certificate_parts.h"

int toi_dyadic_compare(toi_arena *arena, toi_dyadic a, toi_dyadic b) {
  toi_limb *mark = toi_arena_mark(arena);
  const int order = toi_integer_compare(toi_integer_shift_left(arena, a.m, a.k < b.k ? b.k - a.k : 0),
                                        toi_integer_shift_left(arena, b.m, b.k < a.k ? a.k - b.k : 0));
  toi_arena_release(arena, mark);
  return order;
}

/* --- which there are --- */

bool toi_reason_of(const toi_certificate_parts *parts, int number, toi_reason *why) {
  const int pairs = parts->count * (parts->count - 1) / 2;
  if (number == 0) {
    *why = (toi_reason){.kind = TOI_REASON_SIGN};
    return true;
  }
  number--;
  if (number < 2 * TOI_AXES) {
    *why = (toi_reason){
        .kind = TOI_REASON_PLANE, .axis = (int8_t)(number / 2), .side = number % 2 == 0 ? INT8_C(1) : INT8_C(-1)};
    return true;
  }
  number -= 2 * TOI_AXES;
  if (number >= TOI_AXES * pairs)
    return false;
  int pair = number / TOI_AXES, second = 1;
  while (pair >= second) {
    pair -= second;
    second++;
  }
  *why = (toi_reason){
      .kind = TOI_REASON_AREAS, .axis = (int8_t)(number % TOI_AXES), .first = (int8_t)pair, .second = (int8_t)second};
  return true;
}

bool toi_reason_same(const toi_reason *a, const toi_reason *b) {
  return a->kind == b->kind && a->axis == b->axis && a->first == b->first && a->second == b->second &&
         a->side == b->side;
}

static int add_open(int8_t constant, const toi_polynomial *own, const toi_polynomial *p[TOI_MOST_CORNERS], int count) {
  if (constant == 0)
    p[count++] = own;
  return count;
}

int toi_reason_polynomials(const toi_certificate_parts *parts, const toi_reason *why,
                           const toi_polynomial *p[TOI_MOST_CORNERS]) {
  const toi_signs *constant = &parts->constant;
  const int axis = why->axis;
  int count = 0;
  switch (why->kind) {
  case TOI_REASON_SIGN:
    return add_open(constant->coplanarity, &parts->coplanarity.whole, p, count);
  case TOI_REASON_AREAS:
    count = add_open(constant->area[why->first][axis], &parts->area[why->first][axis].whole, p, count);
    return add_open(constant->area[why->second][axis], &parts->area[why->second][axis].whole, p, count);
  default:
    for (int k = 0; k < parts->count; k++)
      count = add_open(constant->corner[k][axis], &parts->corner[k][axis], p, count);
    return count;
  }
}

/* --- at one time --- */

static int8_t sign_at(toi_arena *arena, int8_t constant, const toi_polynomial *p, toi_dyadic at) {
  return constant != 0 ? constant : (int8_t)toi_polynomial_sign_at(arena, p, at.m, at.k);
}

void toi_signs_at(const toi_certificate_parts *parts, toi_dyadic at, toi_signs *signs) {
  toi_arena *arena = parts->arena;
  const toi_signs *constant = &parts->constant;
  signs->coplanarity = sign_at(arena, constant->coplanarity, &parts->coplanarity.whole, at);
  for (int k = 0; k < parts->count; k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      signs->area[k][axis] = sign_at(arena, constant->area[k][axis], &parts->area[k][axis].whole, at);
      signs->corner[k][axis] = sign_at(arena, constant->corner[k][axis], &parts->corner[k][axis], at);
    }
  }
}

bool toi_reason_shown(const toi_certificate_parts *parts, const toi_reason *why, const toi_signs *signs) {
  switch (why->kind) {
  case TOI_REASON_SIGN:
    return signs->coplanarity != 0;
  case TOI_REASON_AREAS:
    return signs->area[why->first][why->axis] * signs->area[why->second][why->axis] < 0;
  default:
    for (int k = 0; k < parts->count; k++)
      if (signs->corner[k][why->axis] != why->side)
        return false;
    return true;
  }
}

/* --- from one time on --- */

void toi_ahead_make(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, int forward,
                    toi_ahead *ahead) {
  const toi_polynomial *p[TOI_MOST_CORNERS];
  ahead->count = toi_reason_polynomials(parts, why, p);
  ahead->k = from.k;
  for (int i = 0; i < ahead->count; i++) {
    ahead->p[i] = toi_polynomial_from(parts->arena, p[i], from.m, from.k);
    for (int j = 1; j <= p[i]->degree && forward < 0; j += 2)
      ahead->p[i].c[j] = toi_integer_negate(ahead->p[i].c[j]);
  }
}

/* Whether the Bernstein coefficients over the width m / 2^k, here as a form, all have the sign of the first. */
static bool keeps_sign(toi_arena *arena, const toi_polynomial *seen, uint32_t own, toi_integer m, uint32_t k) {
  const int n = seen->degree;
  toi_polynomial t = *seen;
  toi_integer power = m;
  for (int i = 0; i <= n; i++) {
    // y = m 2^(own - k), over the common denominator.
    const uint32_t shift = own >= k ? (own - k) * (uint32_t)i : (k - own) * (uint32_t)(n - i);
    if (i > 0) {
      t.c[i] = toi_integer_multiply(arena, t.c[i], power);
      power = i < n ? toi_integer_multiply(arena, power, m) : power;
    }
    t.c[i] = toi_integer_shift_left(arena, t.c[i], shift);
  }
  for (int i = n; i > 0; i--)
    for (int j = 1; j <= i; j++)
      t.c[j] = toi_integer_add(arena, t.c[j], t.c[j - 1]);
  const int sign = toi_integer_sign(t.c[0]);
  bool keeps = sign != 0;
  for (int i = 1; i <= n; i++)
    keeps = keeps && toi_integer_sign(t.c[i]) == sign;
  return keeps;
}

bool toi_ahead_holds(toi_arena *arena, const toi_ahead *ahead, toi_integer m, uint32_t k) {
  toi_limb *mark = toi_arena_mark(arena);
  bool holds = true;
  for (int i = 0; i < ahead->count && holds; i++) {
    holds = keeps_sign(arena, &ahead->p[i], ahead->k, m, k);
    toi_arena_release(arena, mark);
  }
  return holds;
}

uint32_t toi_ahead_sure(const toi_ahead *ahead) {
  uint32_t most = 0;
  for (int i = 0; i < ahead->count; i++) {
    const toi_polynomial *p = &ahead->p[i];
    for (int j = 1; j <= p->degree; j++) {
      if (toi_integer_sign(p->c[j]) * toi_integer_sign(p->c[0]) >= 0)
        continue;
      const int64_t excess = (int64_t)toi_integer_bits(p->c[j]) - toi_integer_bits(p->c[0]) + 3;
      // In units of y, that is over 2^k: rounded up.
      const int64_t e = (int64_t)ahead->k + (excess > 0 ? (excess + j - 1) / j : -(-excess / j));
      most = e > (int64_t)most ? (uint32_t)e : most;
    }
  }
  return most;
}

bool toi_reason_holds(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, toi_dyadic to) {
  const toi_polynomial *p[TOI_MOST_CORNERS];
  const int count = toi_reason_polynomials(parts, why, p);
  for (int i = 0; i < count; i++)
    if (toi_sign_between(parts->arena, p[i], from, to) == 0)
      return false;
  return true;
}

int toi_sign_between(toi_arena *arena, const toi_polynomial *p, toi_dyadic from, toi_dyadic to) {
  if (p->degree < 0)
    return 0;
  toi_limb *mark = toi_arena_mark(arena);
  const uint32_t k = from.k > to.k ? from.k : to.k;
  const toi_integer m = toi_integer_shift_left(arena, from.m, k - from.k);
  const toi_integer w = toi_integer_subtract(arena, toi_integer_shift_left(arena, to.m, k - to.k), m);
  const toi_integer_form form = toi_polynomial_on(arena, p, m, w, k);
  int sign = toi_integer_sign(form.c[0]);
  for (int i = 1; i <= form.degree; i++)
    sign = toi_integer_sign(form.c[i]) == sign ? sign : 0;
  toi_arena_release(arena, mark);
  return sign;
}

/* --- up to the contact time --- */

/* The sign of a polynomial, which may be constant, from a time up to the contact time, which comes before `to`. */
static int sign_until(const toi_certificate_parts *parts, int constant, const toi_factored *f, toi_dyadic from,
                      toi_dyadic to) {
  if (constant != 0)
    return constant;
  const int left = toi_sign_between(parts->arena, &f->left, from, to);
  return f->times % 2 == 0 ? left : left * parts->moment.before;
}

bool toi_reason_holds_until(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, toi_dyadic to) {
  const int axis = why->axis, i = why->first, j = why->second;
  switch (why->kind) {
  case TOI_REASON_SIGN:
    return sign_until(parts, parts->constant.coplanarity, &parts->coplanarity, from, to) != 0;
  case TOI_REASON_AREAS: {
    const int first = sign_until(parts, parts->constant.area[i][axis], &parts->area[i][axis], from, to);
    return first != 0 && first == -sign_until(parts, parts->constant.area[j][axis], &parts->area[j][axis], from, to);
  }
  default:
    // Linear functions: strictly on one side at the beginning, at least weakly at the contact time.
    for (int k = 0; k < parts->count; k++) {
      const toi_polynomial *corner = &parts->corner[k][why->axis];
      if (!parts->moment.rational || toi_sign_between(parts->arena, corner, from, from) != why->side ||
          toi_algebraic_sign(parts->arena, &parts->moment.number, corner) == -why->side)
        return false;
    }
    return true;
  }
}

/* --- text --- */

static void add_index(toi_prose *text, int number) {
  const char digits[] = {' ', (char)('0' + number), '\0'};
  toi_prose_add(text, digits);
}

void toi_reason_add(const toi_reason *why, toi_prose *text) {
  static const char *const axis_name[TOI_AXES] = {" x", " y", " z"};
  switch (why->kind) {
  case TOI_REASON_SIGN:
    toi_prose_add(text, " sign");
    break;
  case TOI_REASON_AREAS:
    toi_prose_add(text, " areas");
    toi_prose_add(text, axis_name[why->axis]);
    add_index(text, why->first);
    add_index(text, why->second);
    break;
  default:
    toi_prose_add(text, " plane");
    for (int axis = 0; axis < TOI_AXES; axis++)
      toi_prose_add(text, axis != why->axis ? " 0" : why->side > 0 ? " 1" : " -1");
    break;
  }
  toi_prose_add(text, "\n");
}
