/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Queries with irrational contact times, which are bracketed by the exact sign of a polynomial at doubles.
 *
 * irrational: seen along the third axis the contact point stays inside for the whole step, so contact is where the
 * cubic f = det(A, B, C) of touch.c vanishes; its Bernstein coefficients decrease strictly through zero, so it has one
 * root.
 * irrational_edge: a point and an edge move in a plane. With p and q the differences of the point and the edge's ends,
 * p stays to the right of 0 and q to the left, so the point is on the edge where the area p x q vanishes, and only
 * there; its coefficients decrease strictly through zero. The rest of the query either stays strictly above the plane,
 * so that nothing else touches it, or is in the plane too, and then either the other end of the point's edge stays on
 * the positive side of the edge as well, or the area of q and the third corner stays negative: before the contact they
 * then have areas of opposite signs. Either way this is the first contact. */

#include "planted/draft.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

enum { A, B, C };

/* Three vectors at the start and the end. */
typedef struct frame {
  int64_t at[2][3][3];
} frame;

/* About (4, 0), (0, 4) and (1.3, 1.3) in the plane, with heights that let C pass through the face. */
static frame some_frame(planted_random *random) {
  static const int64_t base[3][2] = {{4096, 0}, {0, 4096}, {1365, 1365}};
  frame f;
  const int64_t wobble = planted_between(random, 1, 600), height = INT64_C(1) << planted_between(random, 0, 12);
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 2; k++)
        f.at[e][i][k] = base[i][k] + planted_between(random, -wobble, wobble);
      f.at[e][i][2] = planted_between(random, -height, height);
    }
  }
  f.at[0][C][2] += 3 * height;
  f.at[1][C][2] -= 3 * height;
  return f;
}

/* Coefficients of (p x q)[2] on (1-t)^2, (1-t) t, t^2. */
static void area(const frame *f, int p, int q, int64_t out[3]) {
  memset(out, 0, 3 * sizeof(int64_t));
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      out[i + j] += f->at[i][p][0] * f->at[j][q][1] - f->at[i][p][1] * f->at[j][q][0];
}

/* Whether (u, v) = (C x B, A x C) / (A x B) lies strictly inside for the whole step. */
static bool stays_inside(const frame *f, bool square) {
  int64_t n[3], u[3], v[3];
  area(f, A, B, n);
  area(f, C, B, u);
  area(f, A, C, v);
  for (int i = 0; i < 3; i++) {
    const bool low = n[i] > 0 && u[i] > 0 && v[i] > 0;
    const bool high = square ? u[i] < n[i] && v[i] < n[i] : u[i] + v[i] < n[i];
    if (!low || !high)
      return false;
  }
  return true;
}

/* Coefficients of f on (1-t)^3, (1-t)^2 t, (1-t) t^2, t^3. */
static void cubic(const frame *f, int64_t out[4]) {
  memset(out, 0, 4 * sizeof(int64_t));
  for (int s = 0; s < 8; s++) {
    const int64_t *a = f->at[s & 1][A], *b = f->at[(s >> 1) & 1][B], *c = f->at[(s >> 2) & 1][C];
    out[(s & 1) + ((s >> 1) & 1) + (s >> 2)] +=
        c[0] * (a[1] * b[2] - a[2] * b[1]) + c[1] * (a[2] * b[0] - a[0] * b[2]) + c[2] * (a[0] * b[1] - a[1] * b[0]);
  }
}

/* The exact sign of f at a double in (0, 1). */
static int sign_at(const int64_t f[4], double t) {
  int exponent;
  const double mantissa = ldexp(frexp(t, &exponent), 53);
  mpz_t power, rest, sum, term;
  mpz_inits(power, rest, sum, term, NULL);

  // t = power / 2^k; rest / 2^k = 1 - t. Horner's rule in rest and power, homogeneous of degree 3.
  mpz_set_d(power, mantissa);
  mpz_setbit(rest, (mp_bitcnt_t)(53 - exponent));
  mpz_sub(rest, rest, power);
  mpz_set_si(sum, f[0]);
  mpz_set(term, power);
  for (int i = 1; i < 4; i++) {
    mpz_mul(sum, sum, rest);
    if (f[i] >= 0)
      mpz_addmul_ui(sum, term, (unsigned long)f[i]);
    else
      mpz_submul_ui(sum, term, (unsigned long)-f[i]);
    mpz_mul(term, term, power);
  }
  const int sign = mpz_sgn(sum);
  mpz_clears(power, rest, sum, term, NULL);
  return sign;
}

/* A root of the decreasing f, as good as doubles find it. */
static double guess_root(const int64_t f[4]) {
  double lo = 0, hi = 1;
  for (int i = 0; i < 60; i++) {
    const double t = (lo + hi) / 2, s = 1 - t;
    const double value =
        s * (s * (s * (double)f[0] + t * (double)f[1]) + t * t * (double)f[2]) + t * t * t * (double)f[3];
    if (value > 0)
      lo = t;
    else
      hi = t;
  }
  return (lo + hi) / 2;
}

/* The tightest doubles around the root: from the guess in growing strides until f changes sign, then by halves. */
static void tighten(const int64_t f[4], double *lo, double *hi) {
  uint64_t bits, below, above;
  const double guess = guess_root(f);
  memcpy(&bits, &guess, sizeof bits);
  const int direction = sign_at(f, guess);
  uint64_t stride = 1;
  below = above = bits;
  double at = guess;
  while (sign_at(f, at) == direction && direction != 0) {
    bits = direction > 0 ? bits + stride : bits - stride;
    memcpy(&at, &bits, sizeof at);
    *(direction > 0 ? &below : &above) = *(direction > 0 ? &above : &below);
    *(direction > 0 ? &above : &below) = bits;
    stride *= 2;
  }
  while (above - below > 1) {
    const uint64_t middle = below + (above - below) / 2;
    memcpy(&at, &middle, sizeof at);
    const int sign = sign_at(f, at);
    below = sign >= 0 ? middle : below;
    above = sign <= 0 ? middle : above;
  }
  // One of the two may be the root itself.
  memcpy(lo, &below, sizeof below);
  memcpy(hi, &above, sizeof above);
  if (sign_at(f, *lo) == 0)
    *hi = *lo;
  else if (sign_at(f, *hi) == 0)
    *lo = *hi;
}

static void place_frame(planted_draft *draft, const frame *f) {
  for (int e = 0; e < 2; e++) {
    int64_t(*p)[3] = e == 0 ? draft->start : draft->end;
    const int64_t *a = f->at[e][A], *b = f->at[e][B], *c = f->at[e][C];
    for (int k = 0; k < 3; k++) {
      if (draft->kind == TOI_VERTEX_FACE) {
        p[0][k] = c[k];
        p[1][k] = 0;
        p[2][k] = a[k];
        p[3][k] = b[k];
      } else {
        p[0][k] = 0;
        p[1][k] = a[k];
        p[2][k] = c[k];
        p[3][k] = c[k] - b[k];
      }
    }
  }
}

void planted_irrational(planted_draft *draft) {
  frame f;
  int64_t b[4];
  bool good;
  do {
    f = some_frame(&draft->random);
    cubic(&f, b);
    good = b[0] > 0 && b[3] < 0 && 3 * b[0] > b[1] && b[1] > b[2] && b[2] > 3 * b[3];
  } while (!good || !stays_inside(&f, draft->kind == TOI_EDGE_EDGE));
  place_frame(draft, &f);
  draft->decided = true;
  draft->hit = true;
  draft->time_known = true;
  tighten(b, &draft->t_lo, &draft->t_hi);
}

/* --- a point and an edge in a plane --- */

/* In a frame: the point less the two ends of the edge, and what the third corner of the face or the far end of the
 * point's edge adds. */
enum { P, Q, R };

static frame some_flat(planted_random *random) {
  const int64_t size = INT64_C(1) << planted_between(random, 2, 24);
  const bool level = planted_once_in(random, 2);
  frame f;
  for (int e = 0; e < 2; e++) {
    for (int i = 0; i < 3; i++) {
      f.at[e][i][0] = planted_between(random, -size, size);
      f.at[e][i][1] = planted_between(random, -size, size);
      f.at[e][i][2] = 0;
    }
    f.at[e][P][0] = planted_between(random, 1, size);
    f.at[e][Q][0] = -planted_between(random, 1, size);
    f.at[e][R][2] = level ? 0 : planted_between(random, 1, size);
  }
  return f;
}

/* Whether the rest of the query keeps away until the point is on the edge. */
static bool keeps_away(const planted_draft *draft, const frame *f) {
  if (draft->kind == TOI_VERTEX_EDGE || f->at[0][R][2] > 0)
    return true;
  int64_t c[3];
  if (draft->kind == TOI_VERTEX_FACE) {
    area(f, Q, R, c);
    return c[0] < 0 && c[1] < 0 && c[2] < 0;
  }
  // The far end is the point plus r: its differences with the edge's ends are p + r and q + r.
  frame far = *f;
  for (int e = 0; e < 2; e++) {
    for (int k = 0; k < 3; k++) {
      far.at[e][P][k] += far.at[e][R][k];
      far.at[e][Q][k] += far.at[e][R][k];
    }
  }
  area(&far, P, Q, c);
  return c[0] > 0 && c[1] > 0 && c[2] > 0;
}

static void place_flat(planted_draft *draft, const frame *f) {
  for (int e = 0; e < 2; e++) {
    int64_t(*out)[3] = e == 0 ? draft->start : draft->end;
    for (int k = 0; k < 3; k++) {
      const int64_t p = f->at[e][P][k], q = f->at[e][Q][k], r = f->at[e][R][k];
      const bool edges = draft->kind == TOI_EDGE_EDGE;
      // The point is at the origin; its own edge ends at r, a face at -r.
      out[0][k] = 0;
      out[1][k] = edges ? r : -p;
      out[2][k] = edges ? -p : -q;
      out[3][k] = edges ? -q : -r;
    }
  }
}

void planted_irrational_edge(planted_draft *draft) {
  frame f;
  int64_t c[3];
  bool good;
  do {
    f = some_flat(&draft->random);
    area(&f, P, Q, c);
    good = c[0] > 0 && c[2] < 0 && 2 * c[0] > c[1] && c[1] > 2 * c[2];
  } while (!good || !keeps_away(draft, &f));
  place_flat(draft, &f);
  draft->decided = true;
  draft->hit = true;
  draft->time_known = true;
  // The same as a cubic: times (1-t) + t.
  const int64_t b[4] = {c[0], c[0] + c[1], c[1] + c[2], c[2]};
  tighten(b, &draft->t_lo, &draft->t_hi);
}
