/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The checker of certificates (docs/certificates.md).
 *
 * Promise: a certificate is accepted only if its verdict follows, by the three lemmas proved in the document, from
 * statements about rational numbers that are all checked here. It uses GMP's rationals and nothing of libtoi. */

#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stddef.h>
#include <stdint.h>

typedef enum verify_status {
  VERIFY_ACCEPTED = 0, /* every certificate in the text */
  VERIFY_REJECTED,     /* a certificate does not prove what it says */
  VERIFY_UNREADABLE    /* the text is not made of certificates */
} verify_status;

/* Counts of what was accepted; after a failure, the line (from 1) and the reason. */
typedef struct verify_report {
  uint64_t hits, misses, pieces;
  size_t line;
  const char *reason; /* static storage */
} verify_report;

/* Checks a text of one certificate or more. Adds to the counts in the report; the caller zeroes it. */
verify_status verify_text(const char *text, size_t length, verify_report *report);

#endif
