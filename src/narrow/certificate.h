/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* From a decided query to the text of its certificate. */

#ifndef TOI_NARROW_CERTIFICATE_H
#define TOI_NARROW_CERTIFICATE_H

#include <toi/proof.h>

#include "narrow/exact_frame.h"

/* A query that is decided: everything a certificate is made of. */
typedef struct toi_certificate_source {
  toi_exact_frame *frame; /* corners, areas, coplanarity; frame->arena has toi_certificate_bytes() to spare */
  toi_exact_first *first; /* the first contact, if hit->verdict is TOI_HIT */
  const toi_hit *hit;
  double t_max;
  uint32_t contact_times;
} toi_certificate_source;

/* Bytes of arena that making the certificate may take, beyond what it gives back. */
size_t toi_certificate_bytes(const toi_exact_bound *bound);

/* Bytes of the text, its final zero byte included; writes it if text is not NULL. */
size_t toi_certificate_build(const toi_certificate_source *source, char *text);

#endif
