/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact method in full: not only the answer, but the contact time as an algebraic number, the number of
 * contact times, and a certificate that others can check.
 *
 * The certificate is text (docs/certificates.md). The program `toi-verify` checks it with rational arithmetic and
 * shares no code with this library. */

#ifndef TOI_PROOF_H
#define TOI_PROOF_H

#include <toi/narrow.h>

#ifdef __cplusplus
extern "C" {
#endif

/* toi_proof.contact_times when they touch during a whole interval of time. */
#define TOI_CONTACT_TIMES_INFINITE UINT32_MAX

/* Strings live in the proof and end with it. The contact time is the only root of the polynomial in [lo, hi]. */
typedef struct toi_proof {
  toi_hit hit;            /* as with `exact`: tightest doubles around the contact time */
  uint32_t contact_times; /* different times in [0, t_max] at which they touch; TOI_CONTACT_TIMES_INFINITE */
  uint32_t degree;        /* of the polynomial; 0 for a miss */
  const char *polynomial; /* integer coefficients in decimal, constant term first, separated by spaces; "" for a miss */
  const char *lo, *hi;    /* isolating interval, each "numerator/denominator" in decimal; "" for a miss */
  const char *certificate; /* "" unless requested */
  uint64_t reserved[4];
} toi_proof;

typedef enum toi_proof_request {
  TOI_PROOF_NUMBER = 0,     /* everything but the certificate */
  TOI_PROOF_CERTIFICATE = 1 /* with the certificate: slower */
} toi_proof_request;

/* Solves one query (toi_kind_points(kind) points at start and end, 3 doubles each) in integers. *proof belongs to the
 * context, is freed by toi_proof_free, and is NULL on failure. options->method is not used. */
TOI_API TOI_MUST_USE toi_status toi_prove(toi_context *context, toi_kind kind, const double *start, const double *end,
                                          const toi_options *options, toi_proof_request request, toi_proof **proof);

/* Frees a proof; NULL is ignored. */
TOI_API void toi_proof_free(toi_context *context, toi_proof *proof);

#ifdef __cplusplus
}
#endif

#endif
