/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The roots in (0, 1] of a form of degree up to 6, one after another from the left: those of high degree are dear, and
 * whoever looks for a first time seldom needs them all. Multiple roots are found as such, once each.
 *
 * How to use it: start, then next until it gives NULL. A root lives until the next call; what the caller puts on the
 * arena in between must be gone by then. */

#ifndef TOI_NUMBER_ROOT_WALK_H
#define TOI_NUMBER_ROOT_WALK_H

#include "number/algebraic.h"

typedef struct toi_root_walk {
  toi_arena *arena;
  toi_limb *start, *mark; /* of the arena: before the walk took anything; above what it keeps */
  toi_polynomial p;
  uint32_t limit;   /* of its roots */
  toi_integer m;    /* the piece to look at next: [m, m + 1] / 2^k */
  toi_limb *memory; /* where m is kept */
  uint32_t k;
  double from, to;  /* roots outside need not be found */
  bool simple;      /* all roots of p are known to be simple */
  bool seen;        /* the root at the left end of the piece was given */
  bool has_pending; /* a root to give before the next piece is processed */
  toi_algebraic root, pending;
} toi_root_walk;

/* form is not zero. Roots before `from` may be left out, and so may those after `to`. */
void toi_root_walk_start(toi_root_walk *walk, toi_arena *arena, const toi_integer_form *form, double from, double to);

/* The next root; NULL if there is none. */
toi_algebraic *toi_root_walk_next(toi_root_walk *walk);

/* Gives back what it took of the arena. */
void toi_root_walk_end(toi_root_walk *walk);

/* Bits of the interval ends that it needs for polynomials with coefficients of so many bits in powers of t, and limbs
 * of arena for all that it does, bracketing its roots among doubles and asking for the signs of polynomials of degree
 * up to 4, no longer than p, included. */
uint32_t toi_root_walk_limit(uint32_t bits);
size_t toi_root_walk_limbs(uint32_t bits);

#endif
