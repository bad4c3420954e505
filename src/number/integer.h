/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Exact integers of any size on caller-supplied memory.
 *
 * A toi_integer is a value: it is never changed once made, copying it copies a pointer, negating it is free. Its limbs
 * lie in a toi_arena, a stack of limbs over the caller's scratch: results are pushed, temporaries are popped by a mark.
 * Multiplication and the like are done by limbs.h: by GMP's mpn layer, or by our own functions, which take nothing but
 * a known part of the stack (limbs_multiply.c). GMP prints and aborts when malloc refuses it memory. So it must not ask
 * for any.
 *
 * Claim: with operands of at most TOI_INTEGER_LIMBS_MAX = 1000 limbs, none of the mpn functions in limbs.h allocates.
 * Why: GMP takes temporaries from the stack up to 0x7f00 bytes = 4064 limbs at once, and from malloc beyond
 * (gmp-impl.h, TMP_ALLOC, in the default configuration "reentrant").
 * - mpn_mul of u by v limbs, u >= v: at most 4 v + 64 = 4064 limbs (ITCH_TOOMX3 in mul.c; toom8h takes less, 15/8 of
 *   8/7 u and 400) below the FFT's threshold, which is above 1700 limbs on every processor that GMP knows.
 * - mpn_tdiv_qr of n by d limbs: n + 1 and d limbs, and d more in dcpi1_div_qr; products of at most d limbs. The block
 *   division, which takes more, begins where n is above twice a threshold of at least 550 limbs.
 * - mpn_gcd of n limbs: 2 n / 3 + 6 for the matrix, and 5 n / 3 + 110 + a threshold of at most 400 for hgcd and its
 *   update: below 7 n / 3 + 600 limbs.
 * - mpn_add, sub, cmp, mul_1, submul_1, divrem_1, mod_1, lshift, rshift: none.
 * Conversions to and from decimal text, for which GMP allocates, are our own (integer_text.h).
 * tests/narrow/test_exact_scratch.c and test_proof_range.c watch GMP's allocator. Longer operands are multiplied piece
 * by piece; dividends and operands of the gcd are never longer:
 * - a secant's dividend has 2 TOI_ALGEBRAIC_PACE + 64 bits (algebraic.c): 513 limbs;
 * - the coefficients of a contact time's polynomial have at most 6 (3 * 2098 + 13) bits on the way to a divisor
 *   (certificate.c), weights 8 (3 * 2098 + 13): 789 limbs; ends of intervals 5 * 6307 + 192 bits: 496 limbs;
 * - with a separation, coefficients have less than 17,000 bits (exact_apart.c), twice as many without multiple roots
 *   (polynomial.c): 532 limbs; those of distances have fewer (exact_distance.c).
 *
 * The arena never grows. Whoever makes one sizes it by a derived bound (narrow/exact_bound.c); a debug build asserts
 * it. */

#ifndef TOI_NUMBER_INTEGER_H
#define TOI_NUMBER_INTEGER_H

#include <assert.h>

#include "number/limbs.h"

typedef struct toi_arena {
  toi_limb *next; /* first free limb */
  toi_limb *end;
} toi_arena;

/* Sign and magnitude: |size| limbs, least significant first, the top one not zero; the sign of size is the sign. */
typedef struct toi_integer {
  const toi_limb *limb;
  int32_t size;
} toi_integer;

#define TOI_INTEGER_ZERO ((toi_integer){NULL, 0})

/* --- the arena --- */

static inline toi_arena toi_arena_make(void *memory, size_t bytes) {
  toi_limb *start = memory;
  return (toi_arena){start, start + bytes / sizeof(toi_limb)};
}

static inline toi_limb *toi_arena_take(toi_arena *arena, size_t limbs) {
  assert((size_t)(arena->end - arena->next) >= limbs);
  toi_limb *taken = arena->next;
  arena->next += limbs;
  return taken;
}

static inline toi_limb *toi_arena_mark(const toi_arena *arena) {
  return arena->next;
}

static inline void toi_arena_release(toi_arena *arena, toi_limb *mark) {
  assert(mark <= arena->next);
  arena->next = mark;
}

/* Pops everything above the mark but this value, which moves down to it (or stays if it is older than the mark). */
toi_integer toi_arena_keep(toi_arena *arena, toi_limb *mark, toi_integer value);

/* --- making integers, asking about them --- */

toi_integer toi_integer_from_i64(toi_arena *arena, int64_t value);
toi_integer toi_integer_from_u64(toi_arena *arena, uint64_t value);

/* x / 2^exponent for a finite x, which must make an integer (see toi_double_split). */
toi_integer toi_integer_from_double(toi_arena *arena, double x, int exponent);

/* A copy in limbs of the caller's, at least as many as the value has. */
toi_integer toi_integer_store(toi_limb *limbs, toi_integer value);

/* A finite x as m 2^e with m odd, or 0 2^0: *exponent is e, the result is m with its sign. */
int64_t toi_double_split(double x, int *exponent);

/* Bits of the magnitude: 0 for 0, else 1 + floor(log2 |a|). */
uint32_t toi_integer_bits(toi_integer a);

/* Zero bits below the lowest set one; a must not be 0. */
uint32_t toi_integer_trailing_zeros(toi_integer a);

/* a = m 2^exponent (1 + d), |d| < 2^-52, 1/2 <= |m| <= 1; 0 and exponent 0 for 0. */
double toi_integer_approximate(toi_integer a, int *exponent);

static inline int toi_integer_sign(toi_integer a) {
  return (a.size > 0) - (a.size < 0);
}

static inline toi_integer toi_integer_negate(toi_integer a) {
  return (toi_integer){a.limb, -a.size};
}

static inline toi_integer toi_integer_absolute(toi_integer a) {
  return (toi_integer){a.limb, a.size < 0 ? -a.size : a.size};
}

/* -1, 0, 1 as a <, =, > b. */
int toi_integer_compare(toi_integer a, toi_integer b);

/* --- arithmetic: results on top of the arena, or the operand itself where it is the result --- */

toi_integer toi_integer_add(toi_arena *arena, toi_integer a, toi_integer b);
toi_integer toi_integer_subtract(toi_arena *arena, toi_integer a, toi_integer b);
toi_integer toi_integer_multiply(toi_arena *arena, toi_integer a, toi_integer b);
toi_integer toi_integer_multiply_small(toi_arena *arena, toi_integer a, int32_t b);
toi_integer toi_integer_shift_left(toi_arena *arena, toi_integer a, uint32_t bits);

/* a / 2^bits, rounded toward zero. */
toi_integer toi_integer_shift_right(toi_arena *arena, toi_integer a, uint32_t bits);

/* a m + c 2^bits: a step of Horner's rule. */
toi_integer toi_integer_multiply_add(toi_arena *arena, toi_integer a, toi_integer m, toi_integer c, uint32_t bits);

/* The sum of the products of pairs. */
toi_integer toi_integer_dot(toi_arena *arena, const toi_integer (*pairs)[2], int count);

/* a b - c d. */
toi_integer toi_integer_determinant(toi_arena *arena, toi_integer a, toi_integer b, toi_integer c, toi_integer d);

/* The greatest common divisor, not negative; gcd(0, b) = |b|. At most TOI_INTEGER_LIMBS_MAX limbs each. */
toi_integer toi_integer_gcd(toi_arena *arena, toi_integer a, toi_integer b);

/* The remainder in [0, m) of a by m, which is not 0. */
uint32_t toi_integer_modulo(toi_integer a, uint32_t m);

/* a / b rounded toward zero; b is not 0, and a has at most TOI_INTEGER_LIMBS_MAX limbs. */
toi_integer toi_integer_divide(toi_arena *arena, toi_integer a, toi_integer b);

/* a / b, which must be an integer; in memory of the arena only, whatever the sizes. */
toi_integer toi_integer_divide_exact(toi_arena *arena, toi_integer a, toi_integer b);

#endif
