/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The text of a certificate, from its first line to qed.
 *
 * Claim: toi_certificate_bytes of arena are enough. Bound: with n bits for the coefficients of all polynomials (see
 * exact_bound.c), K bits for times, which are multiples of 2^-K, and X(b) = b / 64 + 2 limbs for an integer of b bits.
 * Why. What is kept:
 *   parts      6 differences for the coplanarity in powers of t, 12 for the corners: 18 X(n)
 *   moment     the number, twice; its primitive polynomial, 4 divisors, 4 quotients with remainders: 16 X(n);
 *              the candidate: 3 products with the leading coefficient and 4 sums, X(n + K) each;
 *              its test: 3 rounds of 4 integers of 4 n + 4 bits; lowest terms of a dyadic number: 8 X(K)
 *   divisor    one proper divisor at most (its degree falls from 3 to 2 once), found in two rounds: 30 integers of
 *              6 n bits
 *   cofactors  at most 3 divisions of the coplanarity by a linear polynomial, 18 integers, and 2 of each area,
 *              9 integers: 126, and as many remainders, of n + 8 bits (a divisor has at most 3 bits more than what it
 *              divides)
 *   cover      5 times
 * Temporaries, on top of these:
 *   pieces     the polynomials of a reason seen from a time, 10 integers of n + 3 K + 8 bits at most (of the
 *              coplanarity 3 shifted and 6 of Taylor's shift, of two areas 2 times 5);
 *              a test over a width, 15 of them (2 powers, 3 products, 4 shifted, 6 sums);
 *              6 sums of a reflected polynomial, and as many in a value; 8 derivatives: 20 X(n);
 *              steps and distances, 4 times each, 6 at once; the ends of a root's interval, those tried before (each
 *              twice as long as the last), their sum, what is missing to 1, for 4 roots at most: 64 X(K) in all;
 *              narrowing that root: 15 n + 28 K bits, 96 integers (exact_bound.c)
 *   signs      a change of basis, 24 integers of n + 3 K + 8 bits and 10 times: less
 *   weights    the reduced denominator of a rational contact time divides a leading coefficient, so it has n bits:
 *              16 values of 2 n bits, 12 areas of 4 n, 20 products, divisors and quotients of 8 n, and 5 for an exact
 *              division
 * or what the exact solver needs for a sign at a number, or to narrow its interval. */

#include "narrow/certificate_parts.h"

static size_t limbs_for(size_t bits) {
  return bits / 64 + 2;
}

size_t toi_certificate_bytes(const toi_exact_bound *bound) {
  const size_t n = bound->coefficient_bits + 8, times = (size_t)bound->limit + TOI_CERTIFICATE_FINER + 64;
  size_t kept = (18 + 16 + 2 * 126) * limbs_for(n) + 7 * limbs_for(n + times) + 12 * limbs_for(4 * n);
  kept += 30 * limbs_for(6 * n) + 13 * limbs_for(times) + 2 * toi_algebraic_limbs(bound->limit);
  const size_t pieces = 25 * limbs_for(n + 3 * times) + 20 * limbs_for(n) + 64 * limbs_for(times);
  const size_t narrowing = limbs_for(15 * n + 28 * times) + 2 * 96;
  const size_t weights = 16 * limbs_for(2 * n) + 12 * limbs_for(4 * n) + 25 * limbs_for(8 * n);
  return (kept + pieces + narrowing + weights) * sizeof(toi_limb) + toi_exact_solve_bytes(bound);
}

static void add_points(toi_prose *text, const char *name, const double *points, uint32_t count) {
  toi_prose_add(text, name);
  for (uint32_t i = 0; i < 3 * count; i++)
    toi_prose_add_double(text, points[i]);
  toi_prose_add(text, "\n");
}

static void add_query(const toi_certificate_source *source, toi_prose *text) {
  const toi_exact_hull *hull = source->hull;
  const uint32_t points = toi_kind_points(hull->kind);
  toi_prose_add(text, "toi-certificate 1\nkind ");
  toi_prose_add(text, toi_kind_name(hull->kind));
  toi_prose_add(text, "\n");
  add_points(text, "start", hull->query, points);
  add_points(text, "end", hull->query + (size_t)3 * points, points);
  toi_prose_add(text, "t-max");
  toi_prose_add_double(text, source->t_max);
  toi_prose_add(text, source->first != NULL ? "\nverdict hit\n" : "\nverdict miss\n");
}

static void add_time(toi_certificate_parts *parts, toi_prose *text) {
  toi_limb *mark = toi_arena_mark(parts->arena);
  const toi_contact_time *moment = &parts->moment;
  const toi_algebraic *a = &moment->number;
  toi_prose_add(text, "time");
  if (moment->rational) {
    toi_prose_add_rational(text, parts->arena, moment->numerator, moment->denominator);
    toi_prose_add_rational(text, parts->arena, moment->numerator, moment->denominator);
  } else {
    toi_prose_add_dyadic(text, parts->arena, a->m, a->k);
    toi_prose_add_dyadic(text, parts->arena, toi_integer_add(parts->arena, a->m, a->w), a->k);
  }
  toi_prose_add(text, "\npolynomial");
  for (int i = 0; i <= moment->root.degree; i++)
    toi_prose_add_integer(text, parts->arena, moment->root.c[i]);
  toi_prose_add(text, "\n");
  toi_arena_release(parts->arena, mark);
}

/* The sign of a form whose coefficients are all of this strict sign; 0 if they are not. Then its Bernstein coefficients
 * on every interval in [0, 1] have it too, being convex combinations of them. */
static int8_t constant_sign(const toi_integer_form *form) {
  const int sign = toi_integer_sign(form->c[0]);
  for (int i = 1; i <= form->degree; i++)
    if (toi_integer_sign(form->c[i]) != sign)
      return 0;
  return (int8_t)sign;
}

static void make_parts(toi_exact_hull *hull, toi_certificate_parts *parts) {
  *parts = (toi_certificate_parts){.hull = hull, .arena = hull->arena, .count = hull->count};
  parts->coplanarity.whole = toi_integer_form_power(parts->arena, &hull->coplanarity);
  parts->constant.coplanarity = constant_sign(&hull->coplanarity);
  for (int k = 0; k < hull->count; k++) {
    for (int axis = 0; axis < TOI_AXES; axis++) {
      parts->corner[k][axis] = toi_integer_form_power(parts->arena, &hull->corner[k][axis]);
      parts->constant.corner[k][axis] = constant_sign(&hull->corner[k][axis]);
      toi_polynomial *area = &parts->area[k][axis].whole;
      area->degree = -1;
      if (k < toi_exact_segments(hull)) {
        *area = *toi_exact_hull_power(hull, k, axis);
        parts->constant.area[k][axis] = constant_sign(&hull->area[k][axis]);
      } else if (hull->count == 2) {
        // Back from the second corner to the first.
        *area = parts->area[0][axis].whole;
        for (int i = 0; i <= area->degree; i++)
          area->c[i] = toi_integer_negate(area->c[i]);
        parts->constant.area[k][axis] = (int8_t)-parts->constant.area[0][axis];
      }
    }
  }
}

/* The proof after the verdict, in the order in which it is found; the contact time comes first in the certificate. */
static toi_status add_proof(const toi_certificate_source *source, toi_certificate_parts *parts, toi_prose *text) {
  toi_prose pieces = {.context = text->context};
  const toi_exact_first *first = source->first;
  toi_status status = TOI_OK;
  if (first != NULL && !toi_parts_set_moment(parts, first, source->placed)) {
    status =
        toi_fail(text->context, TOI_ERROR_UNSUPPORTED, "the interval of the contact time cannot be narrowed enough");
  }
  // At time 0 there is nothing before the contact.
  const bool at_start = first != NULL && first->bracket[1] == 0;
  if (status == TOI_OK && !at_start) {
    int exponent;
    const int64_t mantissa = toi_double_split(source->t_max, &exponent);
    const toi_dyadic end = {toi_integer_from_i64(parts->arena, mantissa), (uint32_t)-exponent};
    status = toi_parts_cover(parts, end, &pieces);
  }
  if (status == TOI_OK && first != NULL)
    add_time(parts, text);
  if (status == TOI_OK && pieces.length > 0)
    toi_prose_add(text, pieces.bytes);
  if (status == TOI_OK && first != NULL)
    toi_parts_add_contact(parts, &first->contact, text);
  text->failed = text->failed || pieces.failed;
  toi_prose_free(&pieces);
  return status;
}

toi_status toi_certificate_build(const toi_certificate_source *source, toi_prose *text) {
  toi_arena *arena = source->hull->arena;
  toi_limb *mark = toi_arena_mark(arena);
  toi_certificate_parts parts;
  make_parts(source->hull, &parts);
  add_query(source, text);
  toi_status status = add_proof(source, &parts, text);
  toi_prose_add(text, "qed\n");
  toi_arena_release(arena, mark);
  return status == TOI_OK && text->failed ? TOI_ERROR_MEMORY : status;
}
