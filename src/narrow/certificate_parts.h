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
typedef struct toi_contact_time {
  bool present;  /* false for a miss */
  bool rational; /* then it is numerator / denominator, and root is linear */
  toi_integer numerator, denominator;
  toi_polynomial root;  /* primitive; divides all of the polynomials below that vanish at the contact time */
  int before;           /* sign of root before the contact time */
  toi_algebraic number; /* with an interval that can be narrowed */
} toi_contact_time;

/* The signs of all polynomials at one time. */
typedef struct toi_signs {
  int8_t coplanarity;
  int8_t area[TOI_MOST_CORNERS][TOI_AXES], corner[TOI_MOST_CORNERS][TOI_AXES];
} toi_signs;

typedef struct toi_certificate_parts {
  toi_exact_hull *hull;
  toi_arena *arena;
  int count;                                     /* corners */
  toi_factored coplanarity;                      /* zero for less than three corners */
  toi_factored area[TOI_MOST_CORNERS][TOI_AXES]; /* cyclic; zero for one corner */
  toi_polynomial corner[TOI_MOST_CORNERS][TOI_AXES];
  toi_signs constant; /* of polynomials whose Bernstein coefficients on [0, 1] all have this strict sign; else 0 */
  toi_contact_time moment;
} toi_certificate_parts;

/* A time m / 2^k. */
typedef struct toi_dyadic {
  toi_integer m;
  uint32_t k;
} toi_dyadic;

/* -1, 0, 1 as a <, =, > b. */
int toi_dyadic_compare(toi_arena *arena, toi_dyadic a, toi_dyadic b);

/* 1 or -1 if the polynomial has this strict sign on [from, to], shown by its Bernstein coefficients; else 0. */
int toi_sign_between(toi_arena *arena, const toi_polynomial *p, toi_dyadic from, toi_dyadic to);

/* --- certificate_reason.c: reasons, where they hold and how far --- */

typedef enum toi_reason_kind { TOI_REASON_NONE, TOI_REASON_SIGN, TOI_REASON_AREAS, TOI_REASON_PLANE } toi_reason_kind;

typedef struct toi_reason {
  toi_reason_kind kind;
  int8_t axis;          /* of areas and plane */
  int8_t first, second; /* areas */
  int8_t side;          /* plane: 1 or -1 */
} toi_reason;

/* The reason with a number from 0 on; false past the last. */
bool toi_reason_of(const toi_certificate_parts *parts, int number, toi_reason *why);
bool toi_reason_same(const toi_reason *a, const toi_reason *b);

/* At a time in [0, 1]. */
void toi_signs_at(const toi_certificate_parts *parts, toi_dyadic at, toi_signs *signs);

/* Whether the reason holds at that time. */
bool toi_reason_shown(const toi_certificate_parts *parts, const toi_reason *why, const toi_signs *signs);

/* The polynomials that the reason speaks of, but for those with a constant sign; returns how many. */
int toi_reason_polynomials(const toi_certificate_parts *parts, const toi_reason *why,
                           const toi_polynomial *p[TOI_MOST_CORNERS]);

/* The polynomials of a reason as seen from a time at which it holds: p(from + y / 2^k) 2^(k degree) is
 * c[0] + c[1] y + ... */
typedef struct toi_ahead {
  int count;
  uint32_t k;
  toi_polynomial p[TOI_MOST_CORNERS];
} toi_ahead;

/* forward: 1 to look at later times, -1 at earlier ones, where y is the way back. */
void toi_ahead_make(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, int forward,
                    toi_ahead *ahead);

/* Whether the reason holds from there over a width m / 2^k, m > 0. If it does, it does over every shorter one. */
bool toi_ahead_holds(toi_arena *arena, const toi_ahead *ahead, toi_integer m, uint32_t k);

/* An e, at least 0, such that it holds over 2^-e: within a few of the smallest, as a rule. */
uint32_t toi_ahead_sure(const toi_ahead *ahead);

/* Whether the reason holds on the closed interval, if it does at its beginning. */
bool toi_reason_holds(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, toi_dyadic to);

/* Whether it holds from a time up to the contact time, which is excluded and comes before `to`. */
bool toi_reason_holds_until(const toi_certificate_parts *parts, const toi_reason *why, toi_dyadic from, toi_dyadic to);

/* Adds it to the text, as certificates write it, with the end of the line. */
void toi_reason_add(const toi_reason *why, toi_prose *text);

/* --- the contact time, the pieces, the contact --- */

/* certificate_time.c: sets moment, and what is left of the polynomials without its root. Narrows the interval until it
 * shows the contact, to that of `placed` first; false if its limit does not allow that. */
bool toi_parts_set_moment(toi_certificate_parts *parts, const toi_exact_first *first, const toi_algebraic *placed);

/* The strict sign of the derivative of the contact time's polynomial on [from, to], or 0. */
int toi_parts_slope(toi_certificate_parts *parts, toi_dyadic from, toi_dyadic to);

/* Narrows the interval of the contact time; false if it cannot be. */
bool toi_parts_refine(toi_certificate_parts *parts);

/* certificate_cover.c: adds the pieces up to `end`, or to the contact time if there is one. */
toi_status toi_parts_cover(toi_certificate_parts *parts, toi_dyadic end, toi_prose *text);

/* certificate_contact.c: adds the line that proves the contact. */
void toi_parts_add_contact(toi_certificate_parts *parts, const toi_exact_contact *contact, toi_prose *text);

#endif
