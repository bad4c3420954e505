/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An independent decision on primitives of two turning bodies: in world coordinates, by Sturm's chains and bisection.
 *
 * Points are polynomials in t over one common denominator, N_A N_B, which is positive. The set of times at which 0 lies
 * in the hull of the corners is closed, and which times belong to it depends on the signs of finitely many polynomials.
 * So if it is not empty, its least element is 0 or a root of one of them: the oracle asks at every one of these times.
 * There, 0 is in the hull if it is a corner, or between two corners in line with it, or in a triangle of three corners:
 * exact arithmetic, signs at algebraic numbers by bisection and, for zero, a greatest common divisor.
 *
 * It may be believed everywhere; it is slow where roots are close together. Where the coplanarity vanishes identically,
 * polynomials of degree 20, which tell the inside of a triangle from its outside, take part if `thorough` only: the
 * boundary is made of the others. */

#ifndef TOI_TESTS_NARROW_ROTATING_ORACLE_H
#define TOI_TESTS_NARROW_ROTATING_ORACLE_H

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <toi/rigid.h>

enum { ORACLE_DEGREE = 24, ORACLE_POOL = 4096, ORACLE_ROOTS = 512 };

typedef struct opoly {
  int degree; /* -1: zero */
  mpz_t c[ORACLE_DEGREE + 1];
} opoly;

static opoly *oracle_pool[ORACLE_POOL];
static int oracle_used, oracle_made;

static inline opoly *opoly_new(void) {
  if (oracle_used == ORACLE_POOL)
    abort();
  if (oracle_used == oracle_made) {
    opoly *p = malloc(sizeof *p);
    if (p == NULL)
      abort();
    for (int i = 0; i <= ORACLE_DEGREE; i++)
      mpz_init(p->c[i]);
    oracle_pool[oracle_made++] = p;
  }
  opoly *p = oracle_pool[oracle_used++];
  p->degree = -1;
  for (int i = 0; i <= ORACLE_DEGREE; i++)
    mpz_set_ui(p->c[i], 0);
  return p;
}

static inline void oracle_free(void) {
  while (oracle_made > 0) {
    opoly *p = oracle_pool[--oracle_made];
    for (int i = 0; i <= ORACLE_DEGREE; i++)
      mpz_clear(p->c[i]);
    free(p);
  }
  oracle_used = 0;
}

static inline opoly *opoly_trim(opoly *p, int degree) {
  p->degree = degree;
  while (p->degree >= 0 && mpz_sgn(p->c[p->degree]) == 0)
    p->degree--;
  return p;
}

/* a + sign b. */
static inline opoly *opoly_sum(const opoly *a, const opoly *b, int sign) {
  opoly *s = opoly_new();
  int degree = a->degree > b->degree ? a->degree : b->degree;
  for (int i = 0; i <= degree; i++)
    if (sign > 0)
      mpz_add(s->c[i], a->c[i], b->c[i]);
    else
      mpz_sub(s->c[i], a->c[i], b->c[i]);
  return opoly_trim(s, degree);
}

static inline opoly *opoly_product(const opoly *a, const opoly *b) {
  opoly *s = opoly_new();
  if (a->degree < 0 || b->degree < 0)
    return s;
  if (a->degree + b->degree > ORACLE_DEGREE)
    abort();
  for (int i = 0; i <= a->degree; i++)
    for (int j = 0; j <= b->degree; j++)
      mpz_addmul(s->c[i + j], a->c[i], b->c[j]);
  return opoly_trim(s, a->degree + b->degree);
}

/* Divides by the content; signs stay. */
static inline opoly *opoly_primitive(opoly *p) {
  mpz_t g;
  mpz_init(g);
  for (int i = 0; i <= p->degree; i++)
    mpz_gcd(g, g, p->c[i]);
  for (int i = 0; i <= p->degree && mpz_sgn(g) > 0; i++)
    mpz_divexact(p->c[i], p->c[i], g);
  mpz_clear(g);
  return p;
}

/* A positive multiple of the remainder. */
static inline opoly *opoly_rest(const opoly *a, const opoly *b) {
  opoly *r = opoly_new();
  mpz_t lead, top;
  mpz_inits(lead, top, NULL);
  mpz_abs(lead, b->c[b->degree]);
  for (int i = 0; i <= a->degree; i++)
    mpz_set(r->c[i], a->c[i]);
  r->degree = a->degree;
  while (r->degree >= b->degree) {
    int shift = r->degree - b->degree;
    mpz_set(top, r->c[r->degree]);
    if (mpz_sgn(b->c[b->degree]) < 0)
      mpz_neg(top, top);
    for (int i = 0; i <= r->degree; i++) {
      mpz_mul(r->c[i], r->c[i], lead);
      if (i >= shift)
        mpz_submul(r->c[i], top, b->c[i - shift]);
    }
    opoly_trim(r, r->degree);
  }
  mpz_clears(lead, top, NULL);
  return opoly_primitive(r);
}

static inline opoly *opoly_derivative(const opoly *a) {
  opoly *d = opoly_new();
  for (int i = 1; i <= a->degree; i++)
    mpz_mul_ui(d->c[i - 1], a->c[i], (unsigned long)i);
  return opoly_trim(d, a->degree - 1);
}

static inline const opoly *opoly_gcd(const opoly *a, const opoly *b) {
  while (b->degree >= 0) {
    const opoly *r = opoly_rest(a, b);
    a = b;
    b = r;
  }
  return a;
}

/* a / b for a divisor b, up to a positive factor. */
static inline opoly *opoly_quotient(const opoly *a, const opoly *b) {
  opoly *q = opoly_new(), *r = opoly_new();
  mpz_t lead, top;
  mpz_inits(lead, top, NULL);
  mpz_abs(lead, b->c[b->degree]);
  for (int i = 0; i <= a->degree; i++)
    mpz_set(r->c[i], a->c[i]);
  for (int shift = a->degree - b->degree; shift >= 0; shift--) {
    mpz_set(top, r->c[shift + b->degree]);
    if (mpz_sgn(b->c[b->degree]) < 0)
      mpz_neg(top, top);
    for (int i = 0; i <= a->degree; i++) {
      mpz_mul(q->c[i], q->c[i], lead);
      mpz_mul(r->c[i], r->c[i], lead);
      if (i >= shift && i - shift <= b->degree)
        mpz_submul(r->c[i], top, b->c[i - shift]);
    }
    mpz_add(q->c[shift], q->c[shift], top);
  }
  mpz_clears(lead, top, NULL);
  return opoly_primitive(opoly_trim(q, a->degree - b->degree));
}

/* The sign at m / 2^k. */
static inline int opoly_sign(const opoly *p, const mpz_t m, unsigned long k) {
  if (p->degree < 0)
    return 0;
  mpz_t v, s;
  mpz_inits(v, s, NULL);
  mpz_set(v, p->c[p->degree]);
  for (int i = p->degree - 1; i >= 0; i--) {
    mpz_mul(v, v, m);
    mpz_mul_2exp(s, p->c[i], k * (unsigned long)(p->degree - i));
    mpz_add(v, v, s);
  }
  int sign = mpz_sgn(v);
  mpz_clears(v, s, NULL);
  return sign;
}

/* --- roots --- */

/* Sturm's chain of a polynomial without multiple roots. */
typedef struct osturm {
  const opoly *member[ORACLE_DEGREE + 1];
  int count;
} osturm;

static inline osturm osturm_make(const opoly *p) {
  osturm s = {.count = 0};
  const opoly *divisor = opoly_gcd(p, opoly_derivative(p));
  s.member[s.count++] = divisor->degree > 0 ? opoly_quotient(p, divisor) : p;
  s.member[s.count++] = opoly_derivative(s.member[0]);
  while (s.member[s.count - 1]->degree > 0) {
    opoly *r = opoly_rest(s.member[s.count - 2], s.member[s.count - 1]);
    for (int i = 0; i <= r->degree; i++)
      mpz_neg(r->c[i], r->c[i]);
    s.member[s.count++] = r;
  }
  return s;
}

static inline int osturm_at(const osturm *s, const mpz_t m, unsigned long k) {
  int changes = 0, last = 0;
  for (int i = 0; i < s->count; i++) {
    int sign = opoly_sign(s->member[i], m, k);
    changes += sign * last < 0;
    last = sign != 0 ? sign : last;
  }
  return changes;
}

/* Roots in (m, m + w] / 2^k. */
static inline int osturm_count(const osturm *s, const mpz_t m, unsigned long w, unsigned long k) {
  mpz_t end;
  mpz_init(end);
  mpz_add_ui(end, m, w);
  int count = osturm_at(s, m, k) - osturm_at(s, end, k);
  mpz_clear(end);
  return count;
}

/* The one root in (m, m + 1] / 2^k. */
typedef struct oroot {
  osturm sturm;
  mpz_t m;
  unsigned long k;
} oroot;

static inline void oroot_refine(oroot *r) {
  r->k++;
  mpz_mul_2exp(r->m, r->m, 1);
  if (osturm_count(&r->sturm, r->m, 1, r->k) == 0)
    mpz_add_ui(r->m, r->m, 1);
}

/* The sign that p certainly has on (m, m + 1] / 2^k, or 0. */
static inline int opoly_sign_on(const opoly *p, const mpz_t m, unsigned long k) {
  // p((m + y) / 2^k), y in [0, 1]: the first coefficient against the others.
  mpz_t c[ORACLE_DEGREE + 1], rest;
  mpz_init(rest);
  int n = p->degree;
  for (int i = 0; i <= n; i++) {
    mpz_init(c[i]);
    mpz_mul_2exp(c[i], p->c[i], k * (unsigned long)(n - i));
  }
  for (int round = 0; round < n; round++)
    for (int i = n - 1; i >= round; i--)
      mpz_addmul(c[i], c[i + 1], m);
  for (int i = 1; i <= n; i++) {
    mpz_abs(c[i], c[i]);
    mpz_add(rest, rest, c[i]);
  }
  int sign = n >= 0 && mpz_cmpabs(c[0], rest) > 0 ? mpz_sgn(c[0]) : 0;
  for (int i = 0; i <= n; i++)
    mpz_clear(c[i]);
  mpz_clear(rest);
  return sign;
}

static inline int oroot_sign(oroot *r, const opoly *p) {
  enum { PATIENCE = 6 };
  if (p->degree < 0)
    return 0;
  for (int i = 0;; i++) {
    int sign = opoly_sign_on(p, r->m, r->k);
    if (sign != 0)
      return sign;
    if (i == PATIENCE) {
      // A positive multiple of the remainder has the same sign there.
      p = p->degree >= r->sturm.member[0]->degree ? opoly_rest(p, r->sturm.member[0]) : p;
      if (p->degree < 0)
        return 0;
      const opoly *divisor = opoly_gcd(r->sturm.member[0], p);
      if (divisor->degree > 0) {
        osturm common = osturm_make(divisor);
        if (osturm_count(&common, r->m, 1, r->k) > 0)
          return 0;
      }
    }
    oroot_refine(r);
  }
}

/* The roots in (0, 1], from the left; their number. */
static inline int oracle_roots(const opoly *p, oroot *roots, int most) {
  if (p->degree < 1)
    return 0;
  osturm s = osturm_make(p);
  mpz_t m;
  mpz_init(m);
  unsigned long k = 0;
  int count = 0;
  for (bool more = true; more;) {
    int here = osturm_count(&s, m, 1, k);
    if (here > 1) {
      mpz_mul_2exp(m, m, 1);
      k++;
      continue;
    }
    if (here == 1) {
      if (count == most)
        abort();
      roots[count].sturm = s;
      roots[count].k = k;
      mpz_init_set(roots[count++].m, m);
    }
    mpz_add_ui(m, m, 1);
    while (k > 0 && mpz_even_p(m)) {
      mpz_fdiv_q_2exp(m, m, 1);
      k--;
    }
    more = k > 0;
  }
  mpz_clear(m);
  return count;
}

/* --- the hull --- */

typedef struct oracle_hull {
  int corners;
  const opoly *corner[4][3];
  const opoly *cross[4][4][3]; /* of corners i < j */
  const opoly *dot[4][4];
  const opoly *coplanarity; /* zero for fewer than three corners */
} oracle_hull;

static inline long oracle_exponent(const double *values, int count, long least) {
  for (int i = 0; i < count; i++) {
    int e;
    if (values[i] != 0) {
      frexp(values[i], &e);
      least = e - 53 < least ? e - 53 : least;
    }
  }
  return least;
}

/* x / 2^exponent as an integer. */
static inline void oracle_integer(mpz_t out, double x, long exponent) {
  int e;
  double m = ldexp(frexp(x, &e), 53);
  mpz_set_d(out, m);
  if (m != 0)
    mpz_mul_2exp(out, out, (mp_bitcnt_t)(e - 53 - exponent));
}

/* (1 - t) a + t b. */
static inline opoly *oracle_linear(double a, double b, long exponent) {
  opoly *p = opoly_new();
  oracle_integer(p->c[0], a, exponent);
  oracle_integer(p->c[1], b, exponent);
  mpz_sub(p->c[1], p->c[1], p->c[0]);
  return opoly_trim(p, 1);
}

static inline opoly *opoly_constant(double x, long exponent) {
  opoly *p = opoly_new();
  oracle_integer(p->c[0], x, exponent);
  return opoly_trim(p, 0);
}

/* v + 2 q_v x (q_v x v + w v), times N: turned by the quaternion without its matrix. */
static inline void oracle_turn(opoly *const q[4], const opoly *n, opoly *const v[3], opoly *out[3]) {
  opoly *inner[3];
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    opoly *cross = opoly_sum(opoly_product(q[y + 1], v[z]), opoly_product(q[z + 1], v[y]), -1);
    inner[i] = opoly_sum(cross, opoly_product(q[0], v[i]), 1);
  }
  for (int i = 0; i < 3; i++) {
    int y = (i + 1) % 3, z = (i + 2) % 3;
    opoly *outer = opoly_sum(opoly_product(q[y + 1], inner[z]), opoly_product(q[z + 1], inner[y]), -1);
    out[i] = opoly_sum(opoly_product(n, v[i]), opoly_sum(outer, outer, 1), 1);
  }
}

static inline void oracle_quaternion(const toi_moving_body *body, opoly *q[4], opoly **n) {
  const double *q0 = body->start.quaternion, *q1 = body->end.quaternion;
  long e = oracle_exponent(q1, 4, oracle_exponent(q0, 4, 4000));
  mpz_t sum, a, b;
  mpz_inits(sum, a, b, NULL);
  for (int i = 0; i < 4; i++) {
    oracle_integer(a, q0[i], e);
    oracle_integer(b, q1[i], e);
    mpz_addmul(sum, a, b);
  }
  *n = opoly_new();
  for (int i = 0; i < 4; i++) {
    q[i] = oracle_linear(q0[i], mpz_sgn(sum) < 0 ? -q1[i] : q1[i], e);
    *n = opoly_sum(*n, opoly_product(q[i], q[i]), 1);
  }
  mpz_clears(sum, a, b, NULL);
}

/* Points of one body in the world, times N of both. */
static inline void oracle_points(const toi_moving_body *body, const double (*points)[3], int count, long exponent,
                                 const opoly *other, opoly *out[][3]) {
  opoly *q[4], *n, *v[3], *turned[3];
  oracle_quaternion(body, q, &n);
  for (int i = 0; i < count; i++) {
    for (int axis = 0; axis < 3; axis++)
      v[axis] = opoly_constant(points[i][axis], exponent);
    oracle_turn(q, n, v, turned);
    for (int axis = 0; axis < 3; axis++) {
      const opoly *position = oracle_linear(body->start.position[axis], body->end.position[axis], exponent);
      out[i][axis] = opoly_product(opoly_sum(turned[axis], opoly_product(position, n), 1), other);
    }
  }
}

static inline void oracle_hull_make(const toi_moving_body body[2], toi_kind kind, const double (*points)[3],
                                    oracle_hull *hull) {
  static const int pairs[TOI_KIND_COUNT][4][2] = {
      {{0, 1}, {0, 2}, {0, 3}}, {{0, 2}, {1, 2}, {1, 3}, {0, 3}}, {{0, 1}, {0, 2}}, {{0, 1}}};
  static const int corners[TOI_KIND_COUNT] = {3, 4, 2, 1};
  int count = (int)toi_kind_points(kind), first = kind == TOI_EDGE_EDGE ? 2 : 1;
  long e = oracle_exponent(points[0], 3 * count, 4000);
  for (int i = 0; i < 2; i++)
    e = oracle_exponent(body[i].end.position, 3, oracle_exponent(body[i].start.position, 3, e));
  opoly *q[4], *n[2], *at[4][3];
  for (int i = 0; i < 2; i++)
    oracle_quaternion(&body[i], q, &n[i]);
  oracle_points(&body[0], points, first, e, n[1], at);
  oracle_points(&body[1], points + first, count - first, e, n[0], at + first);
  hull->corners = corners[kind];
  for (int c = 0; c < hull->corners; c++)
    for (int axis = 0; axis < 3; axis++)
      hull->corner[c][axis] = opoly_sum(at[pairs[kind][c][0]][axis], at[pairs[kind][c][1]][axis], -1);
  for (int i = 0; i < hull->corners; i++) {
    for (int j = i + 1; j < hull->corners; j++) {
      opoly *dot = opoly_new();
      for (int axis = 0; axis < 3; axis++) {
        int y = (axis + 1) % 3, z = (axis + 2) % 3;
        hull->cross[i][j][axis] = opoly_sum(opoly_product(hull->corner[i][y], hull->corner[j][z]),
                                            opoly_product(hull->corner[i][z], hull->corner[j][y]), -1);
        dot = opoly_sum(dot, opoly_product(hull->corner[i][axis], hull->corner[j][axis]), 1);
      }
      hull->dot[i][j] = dot;
    }
  }
  opoly *determinant = opoly_new();
  for (int axis = 0; axis < 3 && hull->corners > 2; axis++)
    determinant = opoly_sum(determinant, opoly_product(hull->cross[0][1][axis], hull->corner[2][axis]), 1);
  // The square of N_A N_B divides it; all of these are positive.
  const opoly *w = opoly_product(n[0], n[1]);
  hull->coplanarity = determinant->degree < 0 ? determinant : opoly_quotient(opoly_quotient(determinant, w), w);
}

/* --- contact at one time --- */

/* The sign at the root, or at 0 if there is none. */
static inline int oracle_sign(oroot *at, const opoly *p) {
  if (at != NULL)
    return oroot_sign(at, p);
  return p->degree < 0 ? 0 : mpz_sgn(p->c[0]);
}

static inline bool oracle_vanishes(oroot *at, const opoly *const v[3]) {
  return oracle_sign(at, v[0]) == 0 && oracle_sign(at, v[1]) == 0 && oracle_sign(at, v[2]) == 0;
}

/* N . (C_i x C_j) for the pairs of a triangle i < j < k, with the orientation of the cycle. */
static inline void oracle_insides(const oracle_hull *hull, const int corner[3], const opoly *normal[3],
                                  const opoly *inside[3]) {
  const opoly *const *ab = hull->cross[corner[0]][corner[1]], *const *bc = hull->cross[corner[1]][corner[2]];
  const opoly *const *ac = hull->cross[corner[0]][corner[2]];
  for (int axis = 0; axis < 3; axis++)
    normal[axis] = opoly_sum(opoly_sum(ab[axis], bc[axis], 1), ac[axis], -1);
  for (int i = 0; i < 3; i++) {
    const opoly *const *cross = i == 0 ? ab : i == 1 ? bc : ac;
    opoly *sum = opoly_new();
    for (int axis = 0; axis < 3; axis++)
      sum = opoly_sum(sum, opoly_product(normal[axis], cross[axis]), i == 2 ? -1 : 1);
    inside[i] = sum;
  }
}

static inline bool oracle_touch(const oracle_hull *hull, oroot *at) {
  for (int i = 0; i < hull->corners; i++) {
    if (oracle_vanishes(at, hull->corner[i]))
      return true;
    for (int j = i + 1; j < hull->corners; j++)
      if (oracle_vanishes(at, hull->cross[i][j]) && oracle_sign(at, hull->dot[i][j]) <= 0)
        return true;
  }
  if (hull->corners < 3 || oracle_sign(at, hull->coplanarity) != 0)
    return false;
  for (int half = 0; half < hull->corners - 2; half++) {
    const opoly *normal[3], *inside[3];
    oracle_insides(hull, (const int[3]){0, half + 1, half + 2}, normal, inside);
    bool flat = oracle_vanishes(at, normal), holds = true;
    for (int i = 0; i < 3 && !flat && holds; i++)
      holds = oracle_sign(at, inside[i]) >= 0;
    if (!flat && holds)
      return true;
  }
  return false;
}

/* --- the answer --- */

/* What is found of the times of contact in [0, 1], compared with a bracket. */
typedef struct oracle_answer {
  bool touching, at_start;
  bool before;  /* a contact before lo */
  bool between; /* one in [lo, hi] */
} oracle_answer;

/* -1, 0, 1 as the root <, =, > a double in [0, 1]. */
static inline int oracle_compare(const oroot *root, double x) {
  int e;
  mpz_t m;
  mpz_init(m);
  double mantissa = ldexp(frexp(x, &e), 53);
  mpz_set_d(m, mantissa);
  unsigned long k = x == 0 ? 0 : (unsigned long)(53 - e);
  // Roots in (0, x], and whether x is one of them, against those before the interval of this root.
  mpz_t zero;
  mpz_init(zero);
  int up_to = osturm_at(&root->sturm, zero, 0) - osturm_at(&root->sturm, m, k);
  int before = osturm_at(&root->sturm, zero, 0) - osturm_at(&root->sturm, root->m, root->k);
  int order = up_to > before ? -1 : 1;
  if (up_to == before + 1 && opoly_sign(root->sturm.member[0], m, k) == 0)
    order = 0;
  mpz_clears(m, zero, NULL);
  return order;
}

static inline void oracle_try(const oracle_hull *hull, const opoly *p, double lo, double hi, oracle_answer *answer) {
  static oroot roots[ORACLE_ROOTS];
  int start = oracle_used, count = oracle_roots(p, roots, ORACLE_ROOTS);
  for (int i = 0; i < count; i++) {
    int mark = oracle_used;
    if (oracle_touch(hull, &roots[i])) {
      answer->touching = true;
      bool early = oracle_compare(&roots[i], lo) < 0;
      answer->before |= early;
      answer->between |= !early && oracle_compare(&roots[i], hi) <= 0;
    }
    oracle_used = mark;
    mpz_clear(roots[i].m);
  }
  oracle_used = start;
}

static inline oracle_answer oracle_ask(const toi_moving_body body[2], toi_kind kind, const double (*points)[3],
                                       bool thorough, const double bracket[2]) {
  oracle_used = 0;
  oracle_hull hull;
  oracle_answer answer = {false, false, false, false};
  oracle_hull_make(body, kind, points, &hull);
  if (oracle_touch(&hull, NULL)) {
    answer.touching = answer.at_start = true;
    answer.before = 0 < bracket[0];
    answer.between = bracket[0] <= 0;
  }
  if (hull.coplanarity->degree >= 0) {
    oracle_try(&hull, hull.coplanarity, bracket[0], bracket[1], &answer);
    return answer;
  }
  for (int i = 0; i < hull.corners; i++) {
    for (int axis = 0; axis < 3; axis++)
      oracle_try(&hull, hull.corner[i][axis], bracket[0], bracket[1], &answer);
    for (int j = i + 1; j < hull.corners; j++) {
      for (int axis = 0; axis < 3; axis++)
        oracle_try(&hull, hull.cross[i][j][axis], bracket[0], bracket[1], &answer);
      oracle_try(&hull, hull.dot[i][j], bracket[0], bracket[1], &answer);
    }
  }
  for (int half = 0; half < hull.corners - 2 && thorough; half++) {
    const opoly *normal[3], *inside[3];
    oracle_insides(&hull, (const int[3]){0, half + 1, half + 2}, normal, inside);
    for (int i = 0; i < 3; i++)
      oracle_try(&hull, inside[i], bracket[0], bracket[1], &answer);
  }
  return answer;
}

#endif
