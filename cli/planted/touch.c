/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Do two primitives touch at a rational time? Decided in integers of any size.
 *
 * Both kinds of pair ask for numbers u, v with C = u A + v B: for a face C = v - f0, A = f1 - f0, B = f2 - f0 and (u,
 * v) in the triangle u, v >= 0, u + v <= 1; for edges C = b0 - a0, A = a1 - a0, B = b0 - b1 and (u, v) in the unit
 * square. A shorter primitive has A or B zero. With N = A x B not zero there is one candidate, u = (C x B).N / N.N,  v
 * = (A x C).N / N.N,  if C.N = 0; otherwise the set { u A + v B } is a segment or a point, and so is the question. */

#include "planted/draft.h"

#include <gmp.h>

typedef struct vector {
  mpz_t at[3];
} vector;

enum { A, B, C, N, CROSS_U, CROSS_V, VECTORS };

typedef struct workspace {
  vector vectors[VECTORS];
  mpz_t x, y, z;
} workspace;

static void cross(vector *out, const vector *a, const vector *b) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    mpz_mul(out->at[k], a->at[i], b->at[j]);
    mpz_submul(out->at[k], a->at[j], b->at[i]);
  }
}

static void dot(mpz_t out, const vector *a, const vector *b) {
  mpz_set_ui(out, 0);
  for (int k = 0; k < 3; k++)
    mpz_addmul(out, a->at[k], b->at[k]);
}

static bool is_zero(const vector *a) {
  return mpz_sgn(a->at[0]) == 0 && mpz_sgn(a->at[1]) == 0 && mpz_sgn(a->at[2]) == 0;
}

/* out = n (point `to` - point `from`) at the time m / n. */
static void difference(vector *out, const planted_draft *draft, planted_time time, uint32_t to, uint32_t from) {
  mpz_t product;
  mpz_init(product);
  for (int k = 0; k < 3; k++) {
    mpz_set_si(out->at[k], draft->start[to][k] - draft->start[from][k]);
    mpz_mul_si(out->at[k], out->at[k], time.n - time.m);
    mpz_set_si(product, draft->end[to][k] - draft->end[from][k]);
    mpz_mul_si(product, product, time.m);
    mpz_add(out->at[k], out->at[k], product);
  }
  mpz_clear(product);
}

static void set_vectors(workspace *w, const planted_draft *draft, planted_time time) {
  switch (draft->kind) {
  case TOI_VERTEX_FACE:
    difference(&w->vectors[A], draft, time, 2, 1);
    difference(&w->vectors[B], draft, time, 3, 1);
    difference(&w->vectors[C], draft, time, 0, 1);
    break;
  case TOI_EDGE_EDGE:
    difference(&w->vectors[A], draft, time, 1, 0);
    difference(&w->vectors[B], draft, time, 2, 3);
    difference(&w->vectors[C], draft, time, 2, 0);
    break;
  case TOI_VERTEX_EDGE:
    difference(&w->vectors[A], draft, time, 2, 1);
    difference(&w->vectors[C], draft, time, 0, 1);
    break;
  default:
    difference(&w->vectors[C], draft, time, 1, 0);
    break;
  }
}

/* N is not zero: one candidate. */
static bool touches_plane(workspace *w, bool square) {
  dot(w->x, &w->vectors[C], &w->vectors[N]);
  if (mpz_sgn(w->x) != 0)
    return false;
  cross(&w->vectors[CROSS_U], &w->vectors[C], &w->vectors[B]);
  cross(&w->vectors[CROSS_V], &w->vectors[A], &w->vectors[C]);
  dot(w->x, &w->vectors[CROSS_U], &w->vectors[N]);
  dot(w->y, &w->vectors[CROSS_V], &w->vectors[N]);
  dot(w->z, &w->vectors[N], &w->vectors[N]);
  if (mpz_sgn(w->x) < 0 || mpz_sgn(w->y) < 0)
    return false;
  if (square)
    return mpz_cmp(w->x, w->z) <= 0 && mpz_cmp(w->y, w->z) <= 0;
  mpz_add(w->x, w->x, w->y);
  return mpz_cmp(w->x, w->z) <= 0;
}

/* A and B are parallel: the multiples of g = A (or B) from the least to the greatest of 0, A, B (and A + B). */
static bool touches_segment(workspace *w, bool square) {
  vector *g = &w->vectors[is_zero(&w->vectors[A]) ? B : A];
  if (is_zero(g))
    return is_zero(&w->vectors[C]);
  cross(&w->vectors[N], &w->vectors[C], g);
  if (!is_zero(&w->vectors[N]))
    return false;
  dot(w->x, &w->vectors[A], g);
  dot(w->y, &w->vectors[B], g);
  dot(w->z, &w->vectors[C], g);
  // The segment has an end beyond 0 on the side of z, if z is not 0 itself.
  if (mpz_sgn(w->z) == 0)
    return true;
  if (mpz_sgn(w->z) < 0) {
    mpz_neg(w->x, w->x);
    mpz_neg(w->y, w->y);
    mpz_neg(w->z, w->z);
  }
  if (square && mpz_sgn(w->x) > 0 && mpz_sgn(w->y) > 0)
    mpz_add(w->x, w->x, w->y);
  return mpz_cmp(w->z, w->x) <= 0 || mpz_cmp(w->z, w->y) <= 0;
}

bool planted_touches(const planted_draft *draft, planted_time time) {
  workspace w;
  for (int i = 0; i < VECTORS; i++)
    mpz_inits(w.vectors[i].at[0], w.vectors[i].at[1], w.vectors[i].at[2], NULL);
  mpz_inits(w.x, w.y, w.z, NULL);

  set_vectors(&w, draft, time);
  cross(&w.vectors[N], &w.vectors[A], &w.vectors[B]);
  const bool square = draft->kind == TOI_EDGE_EDGE;
  const bool touches = is_zero(&w.vectors[N]) ? touches_segment(&w, square) : touches_plane(&w, square);

  mpz_clears(w.x, w.y, w.z, NULL);
  for (int i = 0; i < VECTORS; i++)
    mpz_clears(w.vectors[i].at[0], w.vectors[i].at[1], w.vectors[i].at[2], NULL);
  return touches;
}
