/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From a decided query to the text of its certificate (docs/certificates.md). */

#ifndef TOI_NARROW_CERTIFICATE_H
#define TOI_NARROW_CERTIFICATE_H

#include "narrow/certificate_text.h"
#include "narrow/exact_hull.h"

/* A query that is decided: everything a certificate is made of. */
typedef struct toi_certificate_source {
  toi_exact_hull *hull;         /* complete: all areas, and the coplanarity; its arena has the bytes below to spare */
  const toi_exact_first *first; /* the first contact in [0, t_max]; NULL for a miss */
  const toi_algebraic *placed;  /* the contact time again, with a narrower interval if one was needed before */
  double t_max;
} toi_certificate_source;

/* Bytes of arena that making the certificate takes, and gives back; derivation in certificate.c. */
size_t toi_certificate_bytes(const toi_exact_bound *bound);

/* Adds the certificate to the text. Fails if memory is refused, or if the proof would need more than a bounded number
 * of pieces of time, or too fine ones, which no query is known to do. */
TOI_MUST_USE toi_status toi_certificate_build(const toi_certificate_source *source, toi_prose *text);

#endif
