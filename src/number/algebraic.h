/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Real algebraic numbers of degree up to 6 in [0, 1]: the roots of forms, exactly.
 *
 * A toi_algebraic is the only root of an integer polynomial in an interval with dyadic ends, and a simple one; or a
 * dyadic number itself. Everything asked about it is decided exactly: the sign of another polynomial there, which of
 * two is smaller, the tightest doubles around it. Nothing here needs more than the arena; how much, says
 * narrow/exact_bound.c. */

#ifndef TOI_NUMBER_ALGEBRAIC_H
#define TOI_NUMBER_ALGEBRAIC_H

#include "number/polynomial.h"

/* Bits that one refinement gains at most. */
#define TOI_ALGEBRAIC_PACE 16384u

typedef struct toi_algebraic {
  toi_polynomial p;   /* not zero at lo and hi, unless w is 0 */
  toi_integer m, w;   /* lo = m / 2^k < the number < hi = (m + w) / 2^k, or w = 0 and the number is m / 2^k */
  uint32_t k;         /* never above limit, but for doubles themselves */
  uint32_t limit;     /* refinement ends here; the number owns this many bits of memory for m and for w */
  int sign_lo;        /* of p at lo and up to the number; at hi it is the opposite */
  int multiplicity;   /* as a root of the form it was isolated from */
  uint32_t pace;      /* bits that the next refinement tries to gain */
  int close_end;      /* a guess: -1 it is very close to lo, 1 to hi, 0 neither */
  toi_limb *memory_m; /* where m and w are kept, so that refining does not use up the arena */
  toi_limb *memory_w;
} toi_algebraic;

/* The dyadic number m / 2^k. */
toi_algebraic toi_algebraic_dyadic(toi_arena *arena, toi_integer m, uint32_t k, uint32_t limit);

/* The only root of p, a simple one, between m[0] / 2^k[0] and m[1] / 2^k[1], where p is not zero; sign_lo is its sign
 * at the first. */
toi_algebraic toi_algebraic_between(toi_arena *arena, const toi_polynomial *p, int sign_lo, const toi_integer m[2],
                                    const uint32_t k[2], uint32_t limit);

/* The different roots of a form of degree 3 at most in [0, 1] in increasing order; the form must not be zero. limit
 * must be at least toi_algebraic_limit of a bound on the bits of the form's power basis coefficients. */
int toi_integer_form_roots(toi_arena *arena, const toi_integer_form *form, uint32_t limit,
                           toi_algebraic roots[TOI_DEGREE_CUBIC]);

/* Bits of an interval's ends that suffice to separate the roots of polynomials with coefficients of so many bits. */
uint32_t toi_algebraic_limit(uint32_t bits);

/* A copy with all of its integers in the arena, and the limbs that it may take if the number's coefficients have at
 * most as many bits as gave the limit. */
toi_algebraic toi_algebraic_copy(toi_arena *arena, const toi_algebraic *a);
size_t toi_algebraic_limbs(uint32_t limit);

/* What g is at the number, from one exact value: g(a) = m 2^e (1 + d) with |d| < 2^-bits, if bits > 0; nothing
 * otherwise. */
typedef struct toi_estimate {
  double m;
  int e, bits;
} toi_estimate;

toi_estimate toi_algebraic_estimate(toi_arena *arena, const toi_algebraic *a, const toi_polynomial *g);

/* The sign of g at the number. */
int toi_algebraic_sign(toi_arena *arena, const toi_algebraic *a, const toi_polynomial *g);
int toi_algebraic_sign_form(toi_arena *arena, const toi_algebraic *a, const toi_integer_form *g);

/* -1, 0, 1 as a <, =, > b. */
int toi_algebraic_compare(toi_arena *arena, const toi_algebraic *a, const toi_algebraic *b);

/* -1, 0, 1 as a <, =, > m / 2^k. */
int toi_algebraic_compare_dyadic(toi_arena *arena, const toi_algebraic *a, toi_integer m, uint32_t k);

/* The tightest doubles around the number: equal if it is a double, otherwise adjacent with the number strictly between.
 * Narrows the interval to them, or to the number. guess: where to look first, any double, NaN too; the result does not
 * depend on it. */
void toi_algebraic_bracket(toi_arena *arena, toi_algebraic *a, double guess, double bracket[2]);

/* Narrows the interval to the part of it in [lo, hi], two doubles in [0, 1] that are known to hold the number: lo < a <
 * hi, or lo = a = hi. */
void toi_algebraic_narrow(toi_arena *arena, toi_algebraic *a, double lo, double hi);

/* Narrows the interval by at least a half; false if the limit is reached or the number is dyadic. */
bool toi_algebraic_refine(toi_arena *arena, toi_algebraic *a);

/* The same, by 2^bits at most, bits > 0: for callers who know how much they need, as refining takes twice the bits at
 * each step. */
bool toi_algebraic_refine_by(toi_arena *arena, toi_algebraic *a, uint32_t bits);

static inline bool toi_algebraic_is_dyadic(const toi_algebraic *a) {
  return a->w.size == 0;
}

#endif
