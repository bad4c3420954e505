/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* One certificate as it is read, line by line, and the steps of its check. */

#ifndef VERIFY_CERTIFICATE_H
#define VERIFY_CERTIFICATE_H

#include "verify/rational.h"

enum { VERIFY_CORNERS = 4, VERIFY_POINTS = 4 };

typedef enum reason_kind { REASON_PLANE, REASON_SIGN, REASON_AREAS } reason_kind;

/* Why there is no contact in a piece of time. */
typedef struct reason {
  reason_kind kind;
  mpq_t direction[3];      /* plane */
  int axis, first, second; /* areas */
} reason;

/* What has been read and established so far. */
typedef struct certificate {
  int points, first_points, corner_count;
  mpq_t start[VERIFY_POINTS][3], end[VERIFY_POINTS][3];
  vector corners[VERIFY_CORNERS];
  mpq_t t_max, lo, hi;
  polynomial root;  /* the contact time is the root of this in [lo, hi] */
  mpq_t proved;     /* no contact in [0, proved], if there was any piece */
  bool any_piece;   /* at least one closed piece */
  bool closed;      /* no contact before the contact time */
  bool hit;         /* the verdict; it comes with a contact time */
  bool touching;    /* contact at the contact time */
  mpq_t numbers[4]; /* scratch for the reader */
} certificate;

void certificate_init(certificate *c);
void certificate_clear(certificate *c);

/* Each returns NULL, or why the certificate is rejected. */

/* Sets the corners from the points. */
void certificate_set_corners(certificate *c);

/* The contact time exists. */
const char *certificate_check_time(const certificate *c);

/* No contact in [a, b]; a continues what was proved. */
const char *certificate_check_piece(certificate *c, const mpq_t a, const mpq_t b, const reason *why);

/* No contact from a until the contact time. */
const char *certificate_check_last(certificate *c, const mpq_t a, const reason *why);

/* Contact at the contact time: by weights of the corners, inside seen along an axis, or between two corners. */
const char *certificate_check_weights(certificate *c, mpq_t weights[VERIFY_CORNERS]);
const char *certificate_check_inside(certificate *c, int axis);
const char *certificate_check_segment(certificate *c, int first, int second);

/* Everything that the verdict needs was there. */
const char *certificate_check_end(const certificate *c);

#endif
