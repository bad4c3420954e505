/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Let h(t) = n . x(t) - c, which is linear in t, and D = d |n|, |n| the Euclidean norm of n, or the sum of the
 * magnitudes of its numbers in the maximum norm (the norm that is dual to it: n . y <= |n| max |y_i|, with equality for
 * y_i the signs of n_i; so the plane is h / |n| away).
 *
 * Claim: the first time with h <= D is 0 if h(0) <= D, and else the first root in (0, 1] of
 *   - h - D                in the maximum norm, or if d = 0;
 *   - h^2 - D^2            in the Euclidean norm, where D^2 = d^2 (n . n) is rational.
 * Why: h(0) > D >= 0, and h is linear, so it comes to D before it comes to -D: the first root of the square is one of
 * h - D. Where the square is used D > 0, so that its roots are simple.
 *
 * Sizes. x, n, c and d are integers times 2^e_x, 2^e_n, 2^e_c, 2^e_d, each exponent the least of its numbers; all of h
 * and D on the scale 2^e, e = min(e_x + e_n, e_c, e_d + e_n). If magnitudes are below 2^X, 2^N, 2^C, 2^S, then h is
 * below 2^(max(X + N + 2, C) + 1) and D below 2^(S + N + 2): B = max(X + N + 3, C + 1, S + N + 2) - e bits, at most
 * 4,200. The forms have B + 1 and 2 B + 2 bits; in powers of t twice as much at each of two steps: 2 B + 4 bits. On the
 * way there are 10 numbers, 6 products, their sums and shifts, and for the square 8 more: fewer than INTEGERS.
 *
 * Distances have the numerator h or h^2, without d, of at most 2 B bits, and a denominator of 2 (N - e_n) + 2 bits.
 * Shares (exact_distance.c) multiply by two doubles and by numbers of 4,200 bits, or their squares: SHARE_BITS more.
 * Shifts come only where both sides have the same number of bits. SHARED integers of the sum of all these hold a
 * comparison. */

#include "narrow/exact_half_space.h"

#include <math.h>

#include "number/interval.h"

enum { INTEGERS = 64, SHARED = 32, SHARE_BITS = 2 * 4200 + 256 };

/* Some numbers: 2^exponent divides all of them, and magnitudes are below 2^top. */
typedef struct extent {
  int exponent, top;
} extent;

static extent extent_of(const double *numbers, size_t count) {
  extent of = {INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < count; i++) {
    int exponent, top;
    if (toi_double_split(numbers[i], &exponent) == 0)
      continue;
    frexp(numbers[i], &top);
    of.exponent = exponent < of.exponent ? exponent : of.exponent;
    of.top = top > of.top ? top : of.top;
  }
  return of.top == INT32_MIN ? (extent){0, 0} : of;
}

/* The scale of h and D, and their bits. */
typedef struct scale {
  extent x, n;
  int exponent; /* e */
  uint32_t bits;
} scale;

static int larger_int(int a, int b) {
  return a > b ? a : b;
}

static int smaller_int(int a, int b) {
  return a < b ? a : b;
}

static scale scale_of(const double *query, size_t coordinates, double d) {
  const extent c = extent_of(query + TOI_HALF_SPACE_OFFSET, 1), s = extent_of(&d, 1);
  scale of = {extent_of(query, coordinates), extent_of(query + TOI_HALF_SPACE_NORMAL, 3), 0, 0};
  of.exponent = of.x.exponent + of.n.exponent;
  if (query[TOI_HALF_SPACE_OFFSET] != 0)
    of.exponent = smaller_int(of.exponent, c.exponent);
  if (d != 0)
    of.exponent = smaller_int(of.exponent, s.exponent + of.n.exponent);
  int top = larger_int(of.x.top + of.n.top + 3, s.top + of.n.top + 2);
  top = query[TOI_HALF_SPACE_OFFSET] != 0 ? larger_int(top, c.top + 1) : top;
  of.bits = (uint32_t)larger_int(top - of.exponent, 1);
  return of;
}

static toi_integer shifted(toi_arena *arena, toi_integer a, int bits) {
  assert(bits >= 0);
  return a.size == 0 ? a : toi_integer_shift_left(arena, a, (uint32_t)bits);
}

/* The normal over 2^e_n. */
static void make_normal(toi_arena *arena, const double *query, const scale *on, toi_integer n[3]) {
  for (int k = 0; k < 3; k++)
    n[k] = toi_integer_from_double(arena, query[TOI_HALF_SPACE_NORMAL + k], on->n.exponent);
}

/* n . x - c over 2^e. */
static toi_integer height(toi_arena *arena, const double *query, const double *x, const toi_integer n[3],
                          const scale *on) {
  toi_integer pairs[3][2];
  for (int k = 0; k < 3; k++) {
    pairs[k][0] = n[k];
    pairs[k][1] = toi_integer_from_double(arena, x[k], on->x.exponent);
  }
  const toi_integer dot = toi_integer_dot(arena, (const toi_integer(*)[2])pairs, 3);
  const double c = query[TOI_HALF_SPACE_OFFSET];
  const toi_integer offset = c == 0 ? TOI_INTEGER_ZERO : toi_integer_from_double(arena, c, on->exponent);
  return toi_integer_subtract(arena, shifted(arena, dot, on->x.exponent + on->n.exponent - on->exponent), offset);
}

/* |n| over 2^e_n in the maximum norm; its square over 2^(2 e_n) in the Euclidean. */
static toi_integer size_of(toi_arena *arena, const toi_integer n[3], toi_norm norm) {
  const toi_integer squares[3][2] = {{n[0], n[0]}, {n[1], n[1]}, {n[2], n[2]}};
  if (norm == TOI_NORM_L2)
    return toi_integer_dot(arena, squares, 3);
  toi_integer sum = toi_integer_absolute(n[0]);
  for (int k = 1; k < 3; k++)
    sum = toi_integer_add(arena, sum, toi_integer_absolute(n[k]));
  return sum;
}

static size_t limbs_of(size_t bits) {
  return bits / 64 + 2;
}

/* --- distances --- */

size_t toi_exact_half_space_distance_bytes(const double *query) {
  const scale on = scale_of(query, 3, 0);
  const size_t bits = 2 * (size_t)on.bits + 2 * (size_t)(on.n.top - on.n.exponent) + 2 + SHARE_BITS;
  return (INTEGERS * limbs_of(on.bits) + SHARED * limbs_of(bits)) * sizeof(toi_limb);
}

void toi_exact_half_space_distance(const double *query, toi_norm norm, toi_arena arena, toi_exact_distance *distance) {
  const scale on = scale_of(query, 3, 0);
  toi_integer n[3];
  make_normal(&arena, query, &on, n);
  toi_integer h = height(&arena, query, query, n, &on);
  h = h.size < 0 ? TOI_INTEGER_ZERO : h;
  const bool squared = norm == TOI_NORM_L2;
  *distance = (toi_exact_distance){.norm = norm,
                                   .numerator = squared ? toi_integer_multiply(&arena, h, h) : h,
                                   .denominator = size_of(&arena, n, norm),
                                   .exponent = (squared ? 2 : 1) * (on.exponent - on.n.exponent),
                                   .dimension = 0};
  distance->arena = arena;
}

int toi_exact_half_space_side(const double *query, toi_arena arena) {
  const scale on = scale_of(query, 3, 0);
  toi_integer n[3];
  make_normal(&arena, query, &on, n);
  return toi_integer_sign(height(&arena, query, query, n, &on));
}

/* --- the first time --- */

toi_time_bound toi_exact_half_space_bound(const double *query, double d, size_t *limbs) {
  const scale on = scale_of(query, 6, d);
  const uint32_t bits = 2 * on.bits + 4;
  *limbs = INTEGERS * limbs_of(bits) + toi_root_walk_limbs(bits);
  // Factors of polynomials of degree 2 have no more than 2 bits more.
  return (toi_time_bound){TOI_DEGREE_CUBIC, bits + 2, toi_root_walk_limit(bits)};
}

/* Every root is a time of contact. */
static bool any_root(const void *user, const toi_algebraic *root) {
  (void)user;
  (void)root;
  return true;
}

/* h - D, of which h are the values at both ends. */
static toi_integer_form linear(toi_arena *arena, const toi_integer h[2], toi_integer limit) {
  toi_integer_form form = {.degree = 1};
  for (int i = 0; i < 2; i++)
    form.c[i] = toi_integer_subtract(arena, h[i], limit);
  return form;
}

/* h^2 - D^2 = (h0^2 - D^2) s^2 + 2 (h0 h1 - D^2) s t + (h1^2 - D^2) t^2, s = 1 - t. */
static toi_integer_form square(toi_arena *arena, const toi_integer h[2], toi_integer limit) {
  toi_integer_form form = {.degree = 2};
  for (int i = 0; i < 3; i++) {
    const toi_integer product = toi_integer_multiply(arena, h[i / 2], h[(i + 1) / 2]);
    const toi_integer beyond = toi_integer_subtract(arena, product, limit);
    form.c[i] = i == 1 ? toi_integer_multiply_small(arena, beyond, 2) : beyond;
  }
  return form;
}

void toi_exact_half_space_search(const double *query, double d, toi_norm norm, toi_arena *arena,
                                 toi_exact_search *search) {
  const scale on = scale_of(query, 6, d);
  const bool squared = norm == TOI_NORM_L2 && d > 0;
  toi_integer n[3], limit = TOI_INTEGER_ZERO;
  make_normal(arena, query, &on, n);
  const toi_integer h[2] = {height(arena, query, query, n, &on), height(arena, query, query + 3, n, &on)};
  if (d > 0) {
    // D, or its square.
    int exponent;
    const toi_integer own = toi_integer_from_i64(arena, toi_double_split(d, &exponent));
    const int shift = exponent + on.n.exponent - on.exponent;
    limit = toi_integer_multiply(arena, own, size_of(arena, n, norm));
    limit = squared ? toi_integer_multiply(arena, own, limit) : limit;
    limit = shifted(arena, limit, squared ? 2 * shift : shift);
  }
  const toi_integer_form form = squared ? square(arena, h, limit) : linear(arena, h, limit);
  if (h[0].size <= 0 || form.c[0].size <= 0) {
    search->bracket[0] = search->bracket[1] = 0;
    return;
  }
  toi_search_form(search, arena, &form, any_root, NULL);
}
