/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Dyadic numbers m 2^e on GMP's integers: sums and products of doubles, exactly, written as expressions. The oracle of
 * test_bounds.c: it knows nothing of roundings. Values live in a pool until dyadic_reset(). */

#ifndef TOI_TESTS_NARROW_DYADIC_H
#define TOI_TESTS_NARROW_DYADIC_H

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include <gmp.h>

typedef struct dyadic {
  mpz_t m;
  long e;
} dyadic;

typedef const dyadic *exact;

#define DYADIC_POOL 8192
static dyadic dyadic_pool[DYADIC_POOL];
static size_t dyadic_used, dyadic_ready;

/* All values made so far may be overwritten from now on. */
static inline void dyadic_reset(void) {
  dyadic_used = 0;
}

static inline void dyadic_free_all(void) {
  while (dyadic_ready > 0)
    mpz_clear(dyadic_pool[--dyadic_ready].m);
  dyadic_used = 0;
}

static inline dyadic *dyadic_fresh(void) {
  assert(dyadic_used < DYADIC_POOL);
  if (dyadic_used == dyadic_ready)
    mpz_init(dyadic_pool[dyadic_ready++].m);
  return &dyadic_pool[dyadic_used++];
}

/* A finite double: its 53 bits as an integer. */
static inline exact exactly(double a) {
  dyadic *x = dyadic_fresh();
  int exponent;
  mpz_set_d(x->m, ldexp(frexp(a, &exponent), 53));
  x->e = mpz_sgn(x->m) ? exponent - 53 : 0;
  return x;
}

/* a + sign b. */
static inline exact combined(exact a, exact b, int sign) {
  dyadic *x = dyadic_fresh();
  x->e = a->e < b->e ? a->e : b->e;
  if (a->e <= b->e) {
    mpz_mul_2exp(x->m, b->m, (mp_bitcnt_t)(b->e - a->e));
    if (sign < 0)
      mpz_neg(x->m, x->m);
    mpz_add(x->m, x->m, a->m);
    return x;
  }
  mpz_mul_2exp(x->m, a->m, (mp_bitcnt_t)(a->e - b->e));
  if (sign < 0)
    mpz_sub(x->m, x->m, b->m);
  else
    mpz_add(x->m, x->m, b->m);
  return x;
}

static inline exact plus(exact a, exact b) {
  return combined(a, b, 1);
}

static inline exact minus(exact a, exact b) {
  return combined(a, b, -1);
}

static inline exact times(exact a, exact b) {
  dyadic *x = dyadic_fresh();
  mpz_mul(x->m, a->m, b->m);
  x->e = a->e + b->e;
  return x;
}

static inline exact size_of(exact a) {
  dyadic *x = dyadic_fresh();
  mpz_abs(x->m, a->m);
  x->e = a->e;
  return x;
}

static inline int sign_of(exact a) {
  return mpz_sgn(a->m);
}

static inline exact larger(exact a, exact b) {
  return sign_of(minus(a, b)) > 0 ? a : b;
}

/* |a| / |b|, b not 0, as a double, off by a few units in the last place. */
static inline double ratio_of(exact a, exact b) {
  if (sign_of(a) == 0)
    return 0;
  long ea, eb;
  double ma = mpz_get_d_2exp(&ea, a->m), mb = mpz_get_d_2exp(&eb, b->m);
  return ldexp(fabs(ma / mb), (int)(ea + a->e - eb - b->e));
}

/* a (1 - t) + b t. */
static inline exact mixed(exact a, exact b, exact t) {
  return plus(a, times(minus(b, a), t));
}

#endif
