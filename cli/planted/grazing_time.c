/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The first time at which a moving point comes within d: rational, or with one square root.
 *
 * The tightest doubles around t = (a - sqrt(p q)) / b come from floor(2^k t) = floor((2^k a - ceil(sqrt(4^k p q))) /
 * b), in integers of any size, with k such that the quotient has 53 bits. */

#include "planted/stage.h"

#include <assert.h>
#include <gmp.h>
#include <math.h>

enum { DOUBLE_BITS = 53 };

typedef struct workspace {
  mpz_t square, root, rest, quotient;
} workspace;

void grazing_miss(planted_draft *draft) {
  draft->decided = true;
  draft->hit = false;
}

/* quotient = floor(2^shift (a - sqrt(square)) / b), and whether that is the number itself. */
static bool scaled_floor(workspace *w, int64_t a, int64_t b, unsigned shift) {
  mpz_mul_2exp(w->quotient, w->square, 2 * shift);
  mpz_sqrtrem(w->root, w->rest, w->quotient);
  const bool whole = mpz_sgn(w->rest) == 0;
  if (!whole)
    mpz_add_ui(w->root, w->root, 1);
  mpz_set_si(w->quotient, a);
  mpz_mul_2exp(w->quotient, w->quotient, shift);
  mpz_sub(w->quotient, w->quotient, w->root);
  mpz_set_si(w->rest, b);
  mpz_fdiv_qr(w->quotient, w->rest, w->quotient, w->rest);
  return whole && mpz_sgn(w->rest) == 0;
}

static void bracket(workspace *w, int64_t a, int64_t b, double *lo, double *hi) {
  unsigned shift = DOUBLE_BITS;
  bool itself = scaled_floor(w, a, b, shift);
  while (mpz_sizeinbase(w->quotient, 2) < DOUBLE_BITS) {
    shift += DOUBLE_BITS - (unsigned)mpz_sizeinbase(w->quotient, 2);
    itself = scaled_floor(w, a, b, shift);
  }
  *lo = ldexp(mpz_get_d(w->quotient), -(int)shift);
  mpz_add_ui(w->quotient, w->quotient, 1);
  *hi = itself ? *lo : ldexp(mpz_get_d(w->quotient), -(int)shift);
}

/* With a root in it: 0 if they are within d at the start. */
static void hit_at_root(planted_draft *draft, int64_t a, int64_t b, int64_t p, int64_t q) {
  workspace w;
  mpz_inits(w.square, w.root, w.rest, w.quotient, NULL);
  mpz_set_si(w.square, p);
  mpz_mul_si(w.square, w.square, q);
  mpz_set_si(w.rest, a);
  mpz_mul_si(w.rest, w.rest, a);
  if (a <= 0 || mpz_cmp(w.rest, w.square) <= 0) {
    planted_set_hit(draft, 0);
  } else {
    draft->decided = draft->hit = draft->time_known = true;
    mpz_sqrtrem(w.root, w.rest, w.square);
    if (mpz_sgn(w.rest) == 0) {
      draft->time[0] = (double)(a - mpz_get_si(w.root));
      draft->time[1] = (double)b;
    }
    bracket(&w, a, b, &draft->t_lo, &draft->t_hi);
  }
  mpz_clears(w.square, w.root, w.rest, w.quotient, NULL);
}

void grazing_hit(planted_draft *draft, int64_t a, int64_t b, int64_t p, int64_t q) {
  assert(b > 0 && p >= 0 && q >= 0);
  if (p != 0 && q != 0) {
    hit_at_root(draft, a, b, p, q);
  } else if (a <= 0) {
    planted_set_hit(draft, 0);
  } else {
    draft->decided = draft->hit = draft->time_known = true;
    draft->time[0] = (double)a;
    draft->time[1] = (double)b;
    planted_bracket((planted_time){a, b}, &draft->t_lo, &draft->t_hi);
  }
  assert(draft->t_hi <= 1);
}
