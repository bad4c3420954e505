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
#include "number/integer_text.h"

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

static number_text describe(toi_exact_hull *hull, const toi_exact_first *first) {
  toi_arena *arena = hull->arena;
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
  for (int i = 0; i <= text->polynomial.degree; i++)
    size += toi_integer_decimal_size(text->polynomial.c[i]) + 1;
  for (int i = 0; i < 2; i++)
    size += toi_integer_decimal_size(text->numerator[i]) + toi_integer_decimal_size(text->denominator) + 1;
  return size + 1;
}

/* Writes the strings of a hit from `out` on; returns where they end. */
static char *write_number(toi_arena *arena, const number_text *text, char *out, toi_proof *proof) {
  proof->degree = (uint32_t)text->polynomial.degree;
  proof->polynomial = out;
  for (int i = 0; i <= text->polynomial.degree; i++) {
    if (i > 0)
      *out++ = ' ';
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
  toi_exact_hull hull;
  toi_exact_first first;
  toi_algebraic placed; /* the contact time with an interval narrow enough for the place */
  toi_hit hit;
  uint32_t contact_times;
} decided;

/* Puts the proof together in one block; the certificate may be empty. */
static toi_status assemble(toi_context *context, decided *query, const toi_prose *certificate, toi_proof **proof) {
  bool touching = query->hit.verdict == TOI_HIT;
  number_text text = {.polynomial.degree = 0};
  if (touching)
    text = describe(&query->hull, &query->first);
  size_t size = sizeof(proof_block) + 1 + certificate->length + 1;
  size += touching ? text_size(&text) : 0;
  proof_block *block = toi_allocate(context, size);
  if (block == NULL)
    return TOI_ERROR_MEMORY;
  char *empty = (char *)(block + 1), *out = empty + 1;
  *empty = '\0';
  block->size = size;
  block->proof = (toi_proof){.hit = query->hit,
                             .contact_times = query->contact_times,
                             .polynomial = empty,
                             .lo = empty,
                             .hi = empty,
                             .certificate = empty};
  if (touching)
    out = write_number(query->hull.arena, &text, out, &block->proof);
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
    toi_certificate_source source = {&query->hull, touching ? &query->first : NULL, &query->placed, t_max};
    status = toi_certificate_build(&source, &text);
  }
  if (status == TOI_OK)
    status = assemble(context, query, &text, proof);
  toi_prose_free(&text);
  return status;
}

/* Decides a query that has passed all checks, and proves the answer. */
static toi_status prove(toi_context *context, toi_kind kind, const double *query, double t_max,
                        toi_proof_request request, toi_proof **proof) {
  toi_exact_bound bound = toi_exact_bound_of(kind, query);
  size_t bytes = toi_exact_count_bytes(&bound) + toi_certificate_bytes(&bound);
  bytes += toi_algebraic_limbs(bound.limit) * sizeof(toi_limb);
  void *memory = toi_scratch(context, 0, bytes);
  if (memory == NULL)
    return TOI_ERROR_MEMORY;
  toi_arena arena = toi_arena_make(memory, bytes);
  decided it = {.contact_times = 0};
  toi_exact_hull_make(&arena, kind, query, &bound, &it.hull);
  if (it.hull.count >= 3)
    toi_exact_hull_coplanarity(&it.hull);
  toi_exact_hull_complete(&it.hull);
  toi_exact_first_contact(&it.hull, t_max, NAN, &it.first);
  // The place of the contact takes a narrower interval than the proof needs.
  toi_exact_first placed = it.first;
  if (it.first.touching)
    it.first.time = toi_algebraic_copy(&arena, &placed.time);
  toi_exact_answer(&it.hull, t_max, &placed, &it.hit);
  it.placed = placed.time;
  if (it.hit.verdict == TOI_HIT) {
    toi_limb *mark = toi_arena_mark(&arena);
    it.contact_times = toi_exact_count(&it.hull, t_max, &it.first);
    toi_arena_release(&arena, mark);
  }
  return certify(context, &it, t_max, request, proof);
}

/* A query as the caller gave it. */
typedef struct given_query {
  toi_kind kind;
  const double *start, *end;
} given_query;

static TOI_APART toi_status prove_given(toi_context *context, const given_query *given, const toi_options *options,
                                        toi_proof_request request, toi_proof **proof) {
  if (context == NULL || proof == NULL)
    return TOI_ERROR_INPUT;
  uint32_t points = toi_kind_points(given->kind);
  if (points == 0 || given->start == NULL || given->end == NULL)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "a query needs a kind, its points at the start and its points at the end");
  toi_options taken;
  toi_status status = toi_options_take(context, options, &taken);
  if (status == TOI_OK)
    status = toi_options_check(context, &taken);
  if (status != TOI_OK)
    return status;
  if (taken.min_separation > 0 || taken.separation_fraction > 0)
    return toi_fail(context, TOI_ERROR_UNSUPPORTED, "proofs support zero separation only; set the separation to 0");
  double query[6 * 4];
  memcpy(query, given->start, 3 * points * sizeof(double));
  memcpy(query + 3 * points, given->end, 3 * points * sizeof(double));
  if (!toi_all_finite(query, 6 * points))
    return toi_fail(context, TOI_ERROR_INPUT, "a coordinate is not finite; queries need finite numbers");
  return prove(context, given->kind, query, taken.t_max, request, proof);
}

toi_status toi_prove(toi_context *context, toi_kind kind, const double *start, const double *end,
                     const toi_options *options, toi_proof_request request, toi_proof **proof) {
  toi_call call;
  toi_call_begin(&call, context);
  if (proof != NULL)
    *proof = NULL;
  const given_query given = {kind, start, end};
  const toi_status status = prove_given(context, &given, options, request, proof);
  toi_call_end(&call);
  return status;
}

void toi_proof_free(toi_context *context, toi_proof *proof) {
  if (context == NULL || proof == NULL)
    return;
  toi_call call;
  toi_call_begin_free(&call, context);
  proof_block *block = (proof_block *)proof;
  toi_free(context, block, block->size);
  toi_call_end(&call);
}
