/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A time of contact that outlives the work that found it: the tightest doubles around it and, where it is no double,
 * the algebraic number itself, in memory of its own. Two of them, from different queries, can be compared exactly. */

#ifndef TOI_NARROW_EXACT_TIME_H
#define TOI_NARROW_EXACT_TIME_H

#include "number/algebraic.h"

/* Sizes of a number that is kept: its primitive polynomial has at most this degree (3 or 6) and so many bits, the ends
 * of its interval denominators of at most `limit` bits. */
typedef struct toi_time_bound {
  int degree;
  uint32_t bits, limit;
} toi_time_bound;

typedef struct toi_exact_time {
  double bracket[2];    /* infinite if there is none yet */
  toi_algebraic number; /* if bracket[0] < bracket[1] */
  toi_limb *start;      /* the number's memory */
  toi_limb *end;
} toi_exact_time;

/* Limbs of a kept number; limbs of arena that comparing two takes, and keeping one; derivation in exact_time.c. */
size_t toi_exact_time_limbs(const toi_time_bound *bound);
size_t toi_exact_time_compare_limbs(const toi_time_bound *a, const toi_time_bound *b);

/* A time that is none yet, with memory for the number: toi_exact_time_limbs() of the arena. */
toi_exact_time toi_exact_time_make(toi_arena *arena, const toi_time_bound *bound);

/* Keeps a number in place of what was kept, with its tightest doubles; the arena is for temporaries. */
void toi_exact_time_keep(toi_exact_time *time, toi_arena *arena, const toi_algebraic *number, const double bracket[2]);

/* -1, 0, 1 as a number with these tightest doubles is <, =, > a time that is kept, or is none yet. */
int toi_exact_time_compare(toi_arena *arena, const toi_algebraic *number, const double bracket[2],
                           const toi_exact_time *time);

#endif
