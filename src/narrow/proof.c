/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The exact answer in full: the contact time as an algebraic number, the number of contact times, the certificate.
 *
 * One block of the context's memory holds the proof and all of its strings. */

#include <math.h>
#include <string.h>

#include <toi/proof.h>

#include "base/internal.h"
#include "narrow/certificate.h"
#include "narrow/method.h"

/* A proof as it lies in memory: strings follow. */
typedef struct proof_block {
  toi_proof proof;
  size_t size;
} proof_block;

/* What the strings are made of. */
typedef struct number_text {
  toi_polynomial polynomial; /* primitive; degree 0 for a miss */
  toi_integer numerator[2];  /* of lo and hi */
  toi_integer denominator;
} number_text;

static number_text describe(toi_exact_frame *frame, const toi_exact_first *first) {
  toi_arena *arena = frame->arena;
  const toi_algebraic *time = &first->time;
  number_text text = {.numerator = {time->m, toi_integer_add(arena, time->m, time->w)}};
  text.denominator = toi_integer_shift_left(arena, toi_integer_from_u64(arena, 1), time->k);
  toi_polynomial p = time->p;
  if (toi_algebraic_is_dyadic(time)) {
    // A dyadic number is the root of 2^k t - m.
    p = (toi_polynomial){1, {toi_integer_negate(time->m), text.denominator}};
  }
  text.polynomial = toi_polynomial_primitive(arena, &p);
  return text;
}

static size_t text_size(const number_text *text) {
  size_t size = 0;
  for (int i = 0; i <= text->polynomial.degree; i++) {
    size += toi_integer_decimal_size(text->polynomial.c[i]) + 1;
  }
  for (int i = 0; i < 2; i++) {
    size += toi_integer_decimal_size(text->numerator[i]) + toi_integer_decimal_size(text->denominator) + 1;
  }
  return size + 1;
}

/* Writes the strings of a hit from `out` on; returns where they end. */
static char *write_number(toi_arena *arena, const number_text *text, char *out, toi_proof *proof) {
  proof->degree = (uint32_t)text->polynomial.degree;
  proof->polynomial = out;
  for (int i = 0; i <= text->polynomial.degree; i++) {
    if (i > 0) {
      *out++ = ' ';
    }
    out += toi_integer_decimal(arena, text->polynomial.c[i], out);
  }
  out++;
  for (int i = 0; i < 2; i++) {
    *(i == 0 ? &proof->lo : &proof->hi) = out;
    out += toi_integer_decimal(arena, text->numerator[i], out);
    *out++ = '/';
    out += toi_integer_decimal(arena, text->denominator, out) + 1;
  }
  return out;
}

/* A decided query. */
typedef struct decided {
  toi_exact_frame frame;
  toi_exact_first first;
  toi_hit hit;
  uint32_t contact_times;
} decided;

/* Puts the proof together in one block; the certificate may be empty. */
static toi_status assemble(toi_context *context, decided *query, const toi_prose *certificate, toi_proof **proof) {
  bool touching = query->hit.verdict == TOI_HIT;
  number_text text = {.polynomial.degree = 0};
  if (touching) {
    text = describe(&query->frame, &query->first);
  }
  size_t size = sizeof(proof_block) + 1 + certificate->length + 1;
  size += touching ? text_size(&text) : 0;
  proof_block *block = toi_allocate(context, size);
  if (block == NULL) {
    return TOI_ERROR_MEMORY;
  }
  char *empty = (char *)(block + 1), *out = empty + 1;
  *empty = '\0';
  block->size = size;
  block->proof = (toi_proof){.hit = query->hit,
                             .contact_times = query->contact_times,
                             .polynomial = empty,
                             .lo = empty,
                             .hi = empty,
                             .certificate = empty};
  if (touching) {
    out = write_number(query->frame.arena, &text, out, &block->proof);
  }
  if (certificate->length > 0) {
    block->proof.certificate = out;
    memcpy(out, certificate->bytes, certificate->length + 1);
  }
  *proof = &block->proof;
  return TOI_OK;
}

/* Proves the answer to a decided query, with a certificate if asked. */
static toi_status certify(toi_context *context, decided *query, double t_max, toi_proof_request request,
                          toi_proof **proof) {
  toi_prose text = {.context = context};
  toi_status status = TOI_OK;
  if (request == TOI_PROOF_CERTIFICATE) {
    bool touching = query->hit.verdict == TOI_HIT;
    toi_certificate_source source = {&query->frame, touching ? &query->first : NULL, t_max};
    status = toi_certificate_build(&source, &text);
  }
  if (status == TOI_OK) {
    status = assemble(context, query, &text, proof);
  }
  toi_prose_free(&text);
  return status;
}

/* Decides a query that has passed all checks, and proves the answer. */
static toi_status prove(toi_context *context, toi_kind kind, const double *query, double t_max,
                        toi_proof_request request, toi_proof **proof) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  size_t bytes = toi_exact_count_bytes(&bound) + toi_certificate_bytes(&bound);
  void *memory = toi_scratch(context, 0, bytes);
  if (memory == NULL) {
    return TOI_ERROR_MEMORY;
  }
  toi_arena arena = toi_arena_make(memory, bytes);
  decided it = {.contact_times = 0};
  toi_exact_frame_make(&arena, kind, query, &bound, &it.frame);
  if (it.frame.count >= 3) {
    toi_exact_frame_coplanarity(&it.frame);
  }
  toi_exact_frame_complete(&it.frame);
  toi_exact_first_contact(&it.frame, t_max, NAN, &it.first);
  toi_exact_answer(&it.frame, t_max, &it.first, &it.hit);
  if (it.hit.verdict == TOI_HIT) {
    mp_limb_t *mark = toi_arena_mark(&arena);
    it.contact_times = toi_exact_count(&it.frame, t_max);
    toi_arena_release(&arena, mark);
  }
  return certify(context, &it, t_max, request, proof);
}

toi_status toi_prove(toi_context *context, toi_kind kind, const double *start, const double *end,
                     const toi_options *options, toi_proof_request request, toi_proof **proof) {
  if (context == NULL || proof == NULL) {
    return TOI_ERROR_INPUT;
  }
  toi_clear_error(context);
  *proof = NULL;
  uint32_t points = toi_kind_points(kind);
  if (points == 0 || start == NULL || end == NULL) {
    return toi_fail(context, TOI_ERROR_INPUT,
                    "a query needs a kind, its points at the start and its points at the end");
  }
  toi_status status = toi_options_check(context, options);
  if (status != TOI_OK) {
    return status;
  }
  if (options->min_separation > 0 || options->separation_fraction > 0) {
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "proofs are made at zero separation only; set separation to 0");
  }
  double query[6 * 4];
  memcpy(query, start, 3 * points * sizeof(double));
  memcpy(query + 3 * points, end, 3 * points * sizeof(double));
  if (!toi_all_finite(query, 6 * points)) {
    return toi_fail(context, TOI_ERROR_INPUT, "a coordinate is not finite; queries need finite numbers");
  }
  toi_float_mode mode = toi_float_mode_enter();
  status = prove(context, kind, query, options->t_max, request, proof);
  toi_float_mode_leave(mode);
  return status;
}

void toi_proof_free(toi_context *context, toi_proof *proof) {
  if (proof == NULL) {
    return;
  }
  proof_block *block = (proof_block *)proof;
  toi_free(context, block, block->size);
}
