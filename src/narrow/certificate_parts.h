/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What the parts of the certificate's maker share: the polynomials that reasons speak of, and the contact time.
 *
 * Reasons, as in docs/certificates.md, for there being no contact in a piece of time:
 *   sign   the coplanarity has one strict sign
 *   areas  two cyclic areas on an axis have strictly opposite signs
 *   plane  all corners are strictly on one side of a coordinate plane
 * One of them holds at every time without contact, and then around it: so pieces of time with these reasons cover any
 * closed interval without contact. Before a contact time the polynomials may vanish there, and their cofactors speak
 * for them. */

#ifndef TOI_NARROW_CERTIFICATE_PARTS_H
#define TOI_NARROW_CERTIFICATE_PARTS_H

#include "narrow/certificate.h"

/* Times in a certificate are multiples of 2^-(limit + this), limit being that of algebraic numbers: so all doubles are.
 */
#define TOI_CERTIFICATE_FINER 1200

/* A polynomial = root^times left, where root is the contact time's polynomial; times is 0 and left the polynomial for a
 * miss. */
typedef struct toi_factored {
  toi_polynomial whole, left;
  int times;
} toi_factored;

/* The contact time. */
typedef struct toi_moment {
  bool present;  /* false for a miss */
  bool rational; /* then it is numerator / denominator, and root is linear */
  toi_integer numerator, denominator;
  toi_polynomial root;  /* primitive; divides all of the polynomials below that vanish at the contact time */
  int before;           /* sign of root before the contact time */
  toi_algebraic number; /* with an interval that can be narrowed */
} toi_moment;

typedef struct toi_parts {
  toi_exact_frame *frame;
  toi_arena *arena;
  int count;                                     /* corners */
  toi_factored coplanarity;                      /* zero for less than three corners */
  toi_factored area[TOI_MOST_CORNERS][TOI_AXES]; /* cyclic; zero for one corner */
  toi_polynomial corner[TOI_MOST_CORNERS][TOI_AXES];
  toi_moment moment;
} toi_parts;

/* A time m / 2^k. */
typedef struct toi_dyadic {
  toi_integer m;
  uint32_t k;
} toi_dyadic;

/* 1 or -1 if the polynomial has this strict sign on [from, to], shown by its Bernstein coefficients; else 0. */
int toi_sign_between(toi_arena *arena, const toi_polynomial *p, toi_dyadic from, toi_dyadic to);

/* certificate_time.c: sets moment, and what is left of the polynomials without its root. Narrows the interval until it
 * shows the contact; false if its limit does not allow that. */
bool toi_parts_set_moment(toi_parts *parts, const toi_exact_first *first);

/* The strict sign of the derivative of the contact time's polynomial on [from, to], or 0. */
int toi_parts_slope(toi_parts *parts, toi_dyadic from, toi_dyadic to);

/* Narrows the interval of the contact time; false if it cannot be. */
bool toi_parts_refine(toi_parts *parts);

/* certificate_cover.c: adds the pieces up to `end`, or to the contact time if there is one. */
toi_status toi_parts_cover(toi_parts *parts, toi_dyadic end, toi_prose *text);

/* certificate_contact.c: adds the line that proves the contact. */
void toi_parts_add_contact(toi_parts *parts, const toi_exact_contact *contact, toi_prose *text);

#endif
