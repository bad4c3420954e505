/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The steps of the check. docs/certificates.md proves why each is enough; the letters are the same.
 *
 * The primitives touch at time t if and only if 0 is in the convex hull of the corners, the differences of a point of
 * the first primitive and a point of the second; each corner is linear in t. Corners are numbered cyclically. */

#include "verify/certificate.h"

#include <string.h>

void certificate_init(certificate *c) {
  memset(c, 0, sizeof *c);
  for (int i = 0; i < VERIFY_POINTS; i++) {
    for (int k = 0; k < 3; k++) {
      mpq_inits(c->start[i][k], c->end[i][k], NULL);
      polynomial_init(&c->corners[i].at[k]);
    }
    mpq_init(c->numbers[i]);
  }
  mpq_inits(c->t_max, c->lo, c->hi, c->proved, NULL);
  polynomial_init(&c->root);
}

void certificate_clear(certificate *c) {
  for (int i = 0; i < VERIFY_POINTS; i++) {
    for (int k = 0; k < 3; k++) {
      mpq_clears(c->start[i][k], c->end[i][k], NULL);
      polynomial_clear(&c->corners[i].at[k]);
    }
    mpq_clear(c->numbers[i]);
  }
  mpq_clears(c->t_max, c->lo, c->hi, c->proved, NULL);
  polynomial_clear(&c->root);
}

/* Corner = point `first` of the first primitive minus point `second` of the second. */
static void set_corner(certificate *c, int corner, int first, int second) {
  second += c->first_points;
  for (int k = 0; k < 3; k++) {
    mpq_t *p = c->corners[corner].at[k].c;
    mpq_sub(p[0], c->start[first][k], c->start[second][k]);
    mpq_sub(p[1], c->end[first][k], c->end[second][k]);
    mpq_sub(p[1], p[1], p[0]);
  }
}

void certificate_set_corners(certificate *c) {
  const int first = c->first_points, second = c->points - c->first_points;
  c->corner_count = first * second;
  for (int i = 0; i < second; i++)
    set_corner(c, i, 0, i);
  // Two edges: a0 - b0, a1 - b0, a1 - b1, a0 - b1, around the parallelogram.
  if (first == 2) {
    set_corner(c, 1, 1, 0);
    set_corner(c, 2, 1, 1);
    set_corner(c, 3, 0, 1);
  }
}

const char *certificate_check_time(const certificate *c) {
  if (mpq_sgn(c->lo) < 0 || mpq_cmp(c->lo, c->hi) > 0 || mpq_cmp(c->hi, c->t_max) > 0)
    return "the interval of the contact time is not within [0, t-max]";
  if (polynomial_degree(&c->root) < 1)
    return "the polynomial of the contact time is constant";
  mpq_t value;
  mpq_init(value);
  polynomial_value(value, &c->root, c->lo);
  const int at_lo = mpq_sgn(value);
  polynomial_value(value, &c->root, c->hi);
  const int at_hi = mpq_sgn(value);
  mpq_clear(value);
  if (mpq_equal(c->lo, c->hi))
    return at_lo == 0 ? NULL : "the polynomial does not vanish at the contact time";
  if (at_lo * at_hi >= 0)
    return "the polynomial does not change sign in the interval";
  return polynomial_slope(&c->root, c->lo, c->hi) != 0 ? NULL : "the polynomial may have several roots in the interval";
}

/* The sign of direction . corner(t): -1 or 1, or 0 for zero. */
static int side(const certificate *c, const reason *why, int corner, const mpq_t t) {
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  for (int k = 0; k < 3; k++) {
    polynomial_value(term, &c->corners[corner].at[k], t);
    mpq_mul(term, term, why->direction[k]);
    mpq_add(sum, sum, term);
  }
  const int sign = mpq_sgn(sum);
  mpq_clears(sum, term, NULL);
  return sign;
}

/* Strictly positive at both ends, hence between; where b is not part of the piece, zero will do there. */
static bool plane_holds(const certificate *c, const mpq_t a, const mpq_t b, const reason *why, bool open) {
  for (int i = 0; i < c->corner_count; i++)
    if (side(c, why, i, a) <= 0 || side(c, why, i, b) < (open ? 0 : 1))
      return false;
  return true;
}

/* The sign of p on [a, b], or 0. On an open piece, where the root polynomial has the sign root_sign before the contact
 * time and b lies at or after it, the sign of p on [a, contact time): powers of the root polynomial are taken out of p
 * first. */
static int sign_on(const certificate *c, polynomial *p, const mpq_t a, const mpq_t b, int root_sign) {
  if (polynomial_degree(p) < 0)
    return 0;
  const int times = root_sign != 0 ? polynomial_divide_out(p, &c->root) : 0;
  const int sign = polynomial_sign(p, a, b);
  return times % 2 == 0 ? sign : sign * root_sign;
}

/* The reasons that speak of signs; root_sign is 0 on a closed piece. */
static bool signs_hold(const certificate *c, const mpq_t a, const mpq_t b, const reason *why, int root_sign) {
  polynomial p, q;
  polynomial_init(&p);
  polynomial_init(&q);
  bool holds = false;
  const int n = c->corner_count;
  if (why->kind == REASON_SIGN && n >= 3) {
    vector_determinant(&p, &c->corners[0], &c->corners[1], &c->corners[2]);
    holds = sign_on(c, &p, a, b, root_sign) != 0;
  } else if (why->kind == REASON_AREAS && why->first < n && why->second < n) {
    const int i = why->first, j = why->second;
    vector_area(&p, &c->corners[i], &c->corners[(i + 1) % n], why->axis);
    vector_area(&q, &c->corners[j], &c->corners[(j + 1) % n], why->axis);
    holds = sign_on(c, &p, a, b, root_sign) * sign_on(c, &q, a, b, root_sign) == -1;
  }
  polynomial_clear(&p);
  polynomial_clear(&q);
  return holds;
}

/* A piece begins where the one before it ended, the first one at 0. */
static bool continues(const certificate *c, const mpq_t a) {
  return !c->closed && mpq_equal(a, c->proved) != 0;
}

const char *certificate_check_piece(certificate *c, const mpq_t a, const mpq_t b, const reason *why) {
  if (!continues(c, a))
    return "the piece does not begin where the last one ended";
  if (mpq_cmp(a, b) > 0)
    return "the piece ends before it begins";
  if (why->kind == REASON_PLANE ? !plane_holds(c, a, b, why, false) : !signs_hold(c, a, b, why, 0))
    return "the reason does not hold on the piece";
  mpq_set(c->proved, b);
  c->any_piece = true;
  return NULL;
}

const char *certificate_check_last(certificate *c, const mpq_t a, const reason *why) {
  if (!c->hit || !continues(c, a))
    return "the last piece does not begin where the one before it ended";
  if (mpq_cmp(a, c->lo) > 0 || polynomial_slope(&c->root, a, c->hi) == 0)
    return "the polynomial may vanish between the last piece's beginning and the contact time";
  mpq_t value;
  mpq_init(value);
  polynomial_value(value, &c->root, a);
  const int root_sign = mpq_sgn(value);
  mpq_clear(value);
  if (root_sign == 0)
    return "the last piece is empty";
  const bool exact = mpq_equal(c->lo, c->hi) != 0;
  if (why->kind == REASON_PLANE ? !exact || !plane_holds(c, a, c->hi, why, true)
                                : !signs_hold(c, a, c->hi, why, root_sign))
    return "the reason does not hold on the last piece";
  c->closed = true;
  return NULL;
}

const char *certificate_check_weights(certificate *c, mpq_t weights[VERIFY_CORNERS]) {
  if (!c->hit || !mpq_equal(c->lo, c->hi))
    return "weights need a rational contact time";
  mpq_t sum, term;
  mpq_inits(sum, term, NULL);
  bool holds = true;
  for (int i = 0; i < c->corner_count; i++) {
    holds = holds && mpq_sgn(weights[i]) >= 0;
    mpq_add(sum, sum, weights[i]);
  }
  holds = holds && mpq_cmp_ui(sum, 1, 1) == 0;
  for (int k = 0; k < 3; k++) {
    mpq_set_ui(sum, 0, 1);
    for (int i = 0; i < c->corner_count; i++) {
      polynomial_value(term, &c->corners[i].at[k], c->lo);
      mpq_mul(term, term, weights[i]);
      mpq_add(sum, sum, term);
    }
    holds = holds && mpq_sgn(sum) == 0;
  }
  mpq_clears(sum, term, NULL);
  c->touching = holds;
  return holds ? NULL : "the weights do not show a contact";
}

const char *certificate_check_inside(certificate *c, int axis) {
  const int n = c->corner_count;
  if (!c->hit || n < 3)
    return "not a contact of a face or of two edges";
  polynomial p;
  polynomial_init(&p);
  vector_determinant(&p, &c->corners[0], &c->corners[1], &c->corners[2]);
  bool holds = polynomial_divides(&c->root, &p);

  // All areas that do not vanish at the contact time have one sign, and there is one.
  int common = 0;
  for (int i = 0; i < n && holds; i++) {
    vector_area(&p, &c->corners[i], &c->corners[(i + 1) % n], axis);
    if (!polynomial_divides(&c->root, &p)) {
      const int sign = polynomial_sign(&p, c->lo, c->hi);
      holds = sign != 0 && sign != -common;
      common = sign;
    }
  }
  polynomial_clear(&p);
  c->touching = holds && common != 0;
  return c->touching ? NULL : "the areas do not show a contact";
}

const char *certificate_check_segment(certificate *c, int first, int second) {
  if (!c->hit || first >= c->corner_count || second >= c->corner_count)
    return "no such corners";
  const vector *p = &c->corners[first], *q = &c->corners[second];
  polynomial product;
  polynomial_init(&product);
  bool holds = true;
  for (int k = 0; k < 3; k++) {
    // Parallel, and not on the same side of 0 in any coordinate.
    vector_area(&product, p, q, k);
    holds = holds && polynomial_divides(&c->root, &product);
    polynomial_set_zero(&product);
    polynomial_add_product(&product, &p->at[k], &q->at[k], 1);
    holds = holds && (polynomial_divides(&c->root, &product) || polynomial_sign(&product, c->lo, c->hi) < 0);
  }
  polynomial_clear(&product);
  c->touching = holds;
  return holds ? NULL : "the two corners do not show a contact";
}

const char *certificate_check_end(const certificate *c) {
  if (!c->hit) {
    const bool whole = c->any_piece && mpq_equal(c->proved, c->t_max) != 0;
    return whole ? NULL : "the pieces do not reach t-max";
  }
  if (!c->touching)
    return "there is no proof of contact";
  // Contact at 0 has no time before it.
  const bool at_start = mpq_sgn(c->hi) == 0;
  return at_start || c->closed ? NULL : "the pieces do not reach the contact time";
}
