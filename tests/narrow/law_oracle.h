/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* An independent search for contacts of two bodies under any law, in world coordinates: poses by the textbook's
 * formulas in MPFR, 200 bits; times are excluded by distances and by how fast points move, and roots of the coplanarity
 * isolated by bounds of its second derivative.
 *
 * It may be believed where it says that there is contact or none; it says `unknown` where primitives pass each other
 * more closely than about 1e-10 of their size. */

#ifndef TOI_TESTS_NARROW_LAW_ORACLE_H
#define TOI_TESTS_NARROW_LAW_ORACLE_H

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include <toi/distance.h>
#include <toi/rigid.h>

enum { LAW_BITS = 200, LAW_POOL = 8192 };

static mpfr_t law_pool[LAW_POOL];
static int law_made, law_used;

static inline mpfr_ptr law_new(void) {
  if (law_used == LAW_POOL)
    abort();
  if (law_used == law_made)
    mpfr_init2(law_pool[law_made++], LAW_BITS);
  mpfr_set_zero(law_pool[law_used], 1);
  return law_pool[law_used++];
}

static inline void law_free(void) {
  while (law_made > 0)
    mpfr_clear(law_pool[--law_made]);
  law_used = 0;
  mpfr_free_cache();
}

/* A vector, or a quaternion w, x, y, z. */
typedef struct lvector {
  mpfr_ptr c[4];
} lvector;

static inline lvector lvector_of(const double *v, int count) {
  lvector out;
  for (int i = 0; i < 4; i++) {
    out.c[i] = law_new();
    mpfr_set_d(out.c[i], i < count ? v[i] : 0, MPFR_RNDN);
  }
  return out;
}

/* a + factor b, the first three. */
static inline lvector lvector_plus(const lvector *a, mpfr_srcptr factor, const lvector *b, int count) {
  lvector out = lvector_of(NULL, 0);
  for (int i = 0; i < count; i++)
    mpfr_fma(out.c[i], factor, b->c[i], a->c[i], MPFR_RNDN);
  return out;
}

static inline lvector lvector_minus(const lvector *a, const lvector *b) {
  lvector out = lvector_of(NULL, 0);
  for (int i = 0; i < 3; i++)
    mpfr_sub(out.c[i], a->c[i], b->c[i], MPFR_RNDN);
  return out;
}

static inline mpfr_ptr law_dot(const lvector *a, const lvector *b, int count) {
  mpfr_ptr sum = law_new();
  for (int i = 0; i < count; i++)
    mpfr_fma(sum, a->c[i], b->c[i], sum, MPFR_RNDN);
  return sum;
}

static inline lvector law_cross(const lvector *a, const lvector *b) {
  lvector out = lvector_of(NULL, 0);
  for (int i = 0; i < 3; i++)
    mpfr_fmms(out.c[i], a->c[(i + 1) % 3], b->c[(i + 2) % 3], a->c[(i + 2) % 3], b->c[(i + 1) % 3], MPFR_RNDN);
  return out;
}

/* Of length 1. */
static inline lvector law_unit(const lvector *a, int count) {
  lvector out = lvector_of(NULL, 0);
  mpfr_ptr length = law_dot(a, a, count);
  mpfr_sqrt(length, length, MPFR_RNDN);
  for (int i = 0; i < count; i++)
    mpfr_div(out.c[i], a->c[i], length, MPFR_RNDN);
  return out;
}

/* p turned by a quaternion of length 1. */
static inline lvector law_turned(const lvector *q, const lvector *p) {
  const lvector v = {{q->c[1], q->c[2], q->c[3], q->c[0]}};
  mpfr_ptr two = law_new();
  lvector inner = law_cross(&v, p);
  inner = lvector_plus(&inner, q->c[0], p, 3);
  inner = law_cross(&v, &inner);
  mpfr_set_ui(two, 2, MPFR_RNDN);
  return lvector_plus(p, two, &inner, 3);
}

/* cos(angle), sin(angle) axis. */
static inline lvector law_rotation(const lvector *axis, mpfr_srcptr half) {
  lvector q = lvector_of(NULL, 0);
  mpfr_ptr sine = law_new();
  mpfr_sin_cos(sine, q.c[0], half, MPFR_RNDN);
  for (int i = 0; i < 3; i++)
    mpfr_mul(q.c[i + 1], sine, axis->c[i], MPFR_RNDN);
  return q;
}

/* q1 q0', unit. */
static inline lvector law_between(const lvector *q0, const lvector *q1) {
  const lvector v0 = {{q0->c[1], q0->c[2], q0->c[3], NULL}}, v1 = {{q1->c[1], q1->c[2], q1->c[3], NULL}};
  lvector out = lvector_of(NULL, 0), crossed = law_cross(&v0, &v1);
  mpfr_set(out.c[0], law_dot(q0, q1, 4), MPFR_RNDN);
  for (int i = 0; i < 3; i++) {
    mpfr_fmms(out.c[i + 1], q0->c[0], v1.c[i], q1->c[0], v0.c[i], MPFR_RNDN);
    mpfr_add(out.c[i + 1], out.c[i + 1], crossed.c[i], MPFR_RNDN);
  }
  return out;
}

static inline lvector law_product(const lvector *a, const lvector *b) {
  const lvector va = {{a->c[1], a->c[2], a->c[3], NULL}}, vb = {{b->c[1], b->c[2], b->c[3], NULL}};
  lvector out = lvector_of(NULL, 0), crossed = law_cross(&va, &vb);
  mpfr_fms(out.c[0], a->c[0], b->c[0], law_dot(&va, &vb, 3), MPFR_RNDN);
  for (int i = 0; i < 3; i++) {
    mpfr_fmma(out.c[i + 1], a->c[0], vb.c[i], b->c[0], va.c[i], MPFR_RNDN);
    mpfr_add(out.c[i + 1], out.c[i + 1], crossed.c[i], MPFR_RNDN);
  }
  return out;
}

/* Where a body takes a point. */
static inline lvector law_move(const toi_moving_body *body, mpfr_srcptr t, const lvector *point) {
  lvector q0 = lvector_of(body->start.quaternion, 4), q1 = lvector_of(body->end.quaternion, 4), q;
  const lvector p0 = lvector_of(body->start.position, 3), p1 = lvector_of(body->end.position, 3);
  const lvector way = lvector_minus(&p1, &p0);
  lvector at = lvector_plus(&p0, t, &way, 3);
  if (mpfr_sgn(law_dot(&q0, &q1, 4)) < 0)
    for (int i = 0; i < 4; i++)
      mpfr_neg(q1.c[i], q1.c[i], MPFR_RNDN);
  if (body->law == TOI_LAW_NLERP) {
    mpfr_ptr s = law_new();
    lvector sum = lvector_of(NULL, 0);
    mpfr_ui_sub(s, 1, t, MPFR_RNDN);
    sum = lvector_plus(&sum, s, &q0, 4);
    sum = lvector_plus(&sum, t, &q1, 4);
    q = law_unit(&sum, 4);
  } else {
    q0 = law_unit(&q0, 4);
    q1 = law_unit(&q1, 4);
    const lvector step = law_between(&q0, &q1), v = {{step.c[1], step.c[2], step.c[3], NULL}};
    mpfr_ptr sine = law_dot(&v, &v, 3), half = law_new(), now = law_new();
    mpfr_sqrt(sine, sine, MPFR_RNDN);
    mpfr_atan2(half, sine, step.c[0], MPFR_RNDN);
    if (mpfr_cmp_d(half, 1e-50) < 0) {
      q = q0;
    } else {
      const lvector n = law_unit(&v, 3);
      mpfr_mul(now, half, t, MPFR_RNDN);
      const lvector turn = law_rotation(&n, now);
      q = law_product(&turn, &q0);
      if (body->law == TOI_LAW_SCREW) {
        // About the axis n through c, and along it.
        mpfr_ptr along = law_dot(&n, &way, 3), minus = law_new(), factor = law_new();
        mpfr_neg(minus, along, MPFR_RNDN);
        const lvector across = lvector_plus(&way, minus, &n, 3), side = law_cross(&n, &across);
        mpfr_set_d(factor, 0.5, MPFR_RNDN);
        lvector c = lvector_plus(&p0, factor, &across, 3);
        mpfr_cot(factor, half, MPFR_RNDN);
        mpfr_div_ui(factor, factor, 2, MPFR_RNDN);
        c = lvector_plus(&c, factor, &side, 3);
        const lvector arm = lvector_minus(&p0, &c), turned = law_turned(&turn, &arm);
        mpfr_set_ui(factor, 1, MPFR_RNDN);
        at = lvector_plus(&c, factor, &turned, 3);
        mpfr_mul(along, along, t, MPFR_RNDN);
        at = lvector_plus(&at, along, &n, 3);
      }
    }
  }
  const lvector turned = law_turned(&q, point);
  mpfr_ptr one = law_new();
  mpfr_set_ui(one, 1, MPFR_RNDN);
  return lvector_plus(&at, one, &turned, 3);
}

static inline lvector law_place(const toi_moving_body *body, mpfr_srcptr t, const double point[3]) {
  const lvector p = lvector_of(point, 3);
  return law_move(body, t, &p);
}

/* A body that is attached to others: each link moves the one before in its own frame. */
typedef struct law_chain {
  const toi_moving_body *links;
  int count;
} law_chain;

static inline lvector law_place_chain(const law_chain *chain, mpfr_srcptr t, const double point[3]) {
  lvector p = lvector_of(point, 3);
  for (int i = 0; i < chain->count; i++)
    p = law_move(&chain->links[i], t, &p);
  return p;
}

/* --- queries --- */

typedef struct law_query {
  law_chain body[2];
  toi_kind kind;
  const double (*points)[3];
  double speed; /* of any point relative to any other, at most */
  double bend;  /* of the coplanarity's second derivative, at most; sizes are below `size` */
  double size;
} law_query;

static inline void law_points(const law_query *query, mpfr_srcptr t, lvector out[4]) {
  for (int i = 0; i < (int)toi_kind_points(query->kind); i++)
    out[i] = law_place_chain(&query->body[i < (query->kind == TOI_EDGE_EDGE ? 2 : 1) ? 0 : 1], t, query->points[i]);
}

/* The coplanarity; margin: how far inside the contact would be, negative outside, as a share of the primitives. */
static inline int law_sign(const law_query *query, mpfr_srcptr t, double *value, double *margin) {
  const int mark = law_used;
  lvector p[4], d[3];
  law_points(query, t, p);
  const bool edges = query->kind == TOI_EDGE_EDGE;
  d[0] = lvector_minus(&p[edges ? 2 : 0], &p[edges ? 0 : 1]);
  d[1] = edges ? lvector_minus(&p[1], &p[0]) : lvector_minus(&p[2], &p[1]);
  d[2] = edges ? lvector_minus(&p[3], &p[2]) : lvector_minus(&p[3], &p[1]);
  const lvector n = law_cross(&d[1], &d[2]);
  mpfr_ptr f = law_dot(&d[0], &n, 3);
  const int sign = mpfr_sgn(f);
  *value = mpfr_get_d(f, MPFR_RNDN);
  if (margin != NULL) {
    // d0 = u d1 + v d2 of a face, d0 = u d1 - v d2 of edges.
    mpfr_ptr square = law_dot(&n, &n, 3);
    const lvector first = law_cross(&d[0], &d[2]), second = law_cross(&d[1], &d[0]);
    const double s = mpfr_get_d(square, MPFR_RNDN), u = mpfr_get_d(law_dot(&first, &n, 3), MPFR_RNDN) / s;
    const double v = mpfr_get_d(law_dot(&second, &n, 3), MPFR_RNDN) / s * (edges ? -1 : 1);
    *margin = edges ? fmin(fmin(u, 1 - u), fmin(v, 1 - v)) : fmin(fmin(u, v), 1 - u - v);
  }
  law_used = mark;
  return sign;
}

static inline toi_distance law_distance(const law_query *query, double t) {
  const int mark = law_used;
  lvector p[4];
  double at[4][3];
  toi_distance distance;
  mpfr_ptr time = law_new();
  mpfr_set_d(time, t, MPFR_RNDN);
  law_points(query, time, p);
  for (int i = 0; i < (int)toi_kind_points(query->kind); i++)
    for (int axis = 0; axis < 3; axis++)
      at[i][axis] = mpfr_get_d(p[i].c[axis], MPFR_RNDN);
  law_used = mark;
  if (toi_distance_fast(query->kind, (const double(*)[3])at, TOI_NORM_L2, &distance) != TOI_OK)
    abort();
  return distance;
}

static inline double law_length(const double *v, int count) {
  double square = 0;
  for (int i = 0; i < count; i++)
    square += v[i] * v[i];
  return sqrt(square);
}

/* How far a point may be from the origin, how fast it moves, and that changes. */
typedef struct law_bounds {
  double reach, speed, accelerate;
} law_bounds;

/* What a link makes of them. */
static inline law_bounds law_link(const toi_moving_body *body, law_bounds of) {
  const toi_pose *start = &body->start, *end = &body->end;
  const double least = fmin(law_length(start->quaternion, 4), law_length(end->quaternion, 4));
  const double most = fmax(law_length(start->quaternion, 4), law_length(end->quaternion, 4));
  double way[3], dot = 0;
  for (int i = 0; i < 3; i++)
    way[i] = end->position[i] - start->position[i];
  for (int i = 0; i < 4; i++)
    dot += start->quaternion[i] * end->quaternion[i];
  const double cosine = fmin(1, fabs(dot) / (law_length(start->quaternion, 4) * law_length(end->quaternion, 4)));
  // Under nlerp q passes 0 at cos of the half angle of the shorter end, at the nearest.
  const double half = acos(cosine), near = least * cos(fmin(half, 1.5707) / 2);
  const double rate =
      body->law == TOI_LAW_NLERP ? 2 * least * most * sin(half) / (near * near) + 1e-9 : 2 * half + 1e-9;
  const double sharp = body->law == TOI_LAW_NLERP ? rate * 4 * most / near : 0;
  const double line = law_length(way, 3) * (body->law == TOI_LAW_SCREW ? 1.6 : 1);
  const double bent = body->law == TOI_LAW_SCREW ? rate * line : 0;
  return (law_bounds){of.reach + fmax(law_length(start->position, 3), law_length(end->position, 3)) + bent / 8,
                      of.speed + line + rate * of.reach,
                      of.accelerate + (rate * rate + sharp) * of.reach + 2 * rate * of.speed + bent};
}

/* Bounds from the poses; positions and points are of size about 1, nlerp's quaternions of like lengths. */
static inline law_query law_make_chains(const law_chain chain[2], toi_kind kind, const double (*points)[3]) {
  law_query query = {.body = {chain[0], chain[1]}, .kind = kind, .points = points, .size = 1};
  law_bounds of[2] = {{0, 0, 0}};
  double accelerate = 0;
  for (int i = 0; i < (int)toi_kind_points(kind); i++) {
    law_bounds *own = &of[i < (kind == TOI_EDGE_EDGE ? 2 : 1) ? 0 : 1];
    own->reach = fmax(own->reach, law_length(points[i], 3));
  }
  for (int b = 0; b < 2; b++) {
    for (int i = 0; i < chain[b].count; i++)
      of[b] = law_link(&chain[b].links[i], of[b]);
    query.speed += of[b].speed;
    accelerate += of[b].accelerate;
    query.size += 2 * of[b].reach;
  }
  query.bend = 3 * query.size * query.size * 2 * accelerate + 6 * query.size * 4 * query.speed * query.speed;
  return query;
}

static inline law_query law_make(const toi_moving_body body[2], toi_kind kind, const double (*points)[3]) {
  const law_chain alone[2] = {{&body[0], 1}, {&body[1], 1}};
  return law_make_chains(alone, kind, points);
}

typedef enum law_verdict { LAW_APART, LAW_TOUCH, LAW_UNKNOWN } law_verdict;

/* --- the search --- */

/* One root, in [a, b], at most. */
static inline law_verdict law_root(const law_query *query, double a, double b, double *time) {
  const int mark = law_used;
  mpfr_ptr lo = law_new(), hi = law_new(), middle = law_new();
  double value, margin = 0;
  mpfr_set_d(lo, a, MPFR_RNDN);
  mpfr_set_d(hi, b, MPFR_RNDN);
  const int before = law_sign(query, lo, &value, NULL), after = law_sign(query, hi, &value, NULL);
  law_verdict verdict = before * after > 0 ? LAW_APART : LAW_UNKNOWN;
  if (before * after < 0) {
    for (int i = 0; i < 70; i++) {
      mpfr_add(middle, lo, hi, MPFR_RNDN);
      mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
      mpfr_set(law_sign(query, middle, &value, NULL) == before ? lo : hi, middle, MPFR_RNDN);
    }
    (void)law_sign(query, lo, &value, &margin);
    *time = mpfr_get_d(lo, MPFR_RNDN);
    verdict = margin > 1e-9 ? LAW_TOUCH : margin < -1e-9 ? LAW_APART : LAW_UNKNOWN;
  }
  law_used = mark;
  return verdict;
}

static inline law_verdict law_search(const law_query *query, double separation, double a, double b, double *time) {
  const double h = b - a, middle = 0.5 * (a + b);
  const toi_distance distance = law_distance(query, middle);
  if (distance.lo > separation + query->speed * h / 2 + 1e-13 * query->size)
    return LAW_APART;
  if (separation > 0 && distance.hi < separation - 1e-12 * query->size) {
    *time = middle;
    if (h < 1e-12)
      return LAW_TOUCH;
    const law_verdict before = law_search(query, separation, a, middle, time);
    return before == LAW_APART ? LAW_TOUCH : before;
  }
  if (separation == 0 && h < 0x1p-4 && toi_kind_points(query->kind) == 4) {
    const int mark = law_used;
    mpfr_ptr t = law_new();
    double start, end;
    mpfr_set_d(t, a, MPFR_RNDN);
    (void)law_sign(query, t, &start, NULL);
    mpfr_set_d(t, b, MPFR_RNDN);
    (void)law_sign(query, t, &end, NULL);
    law_used = mark;
    // No root, or one.
    if (start * end > 0 && fmin(fabs(start), fabs(end)) > query->bend * h * h / 8)
      return LAW_APART;
    if (fabs(end - start) > query->bend * h * h)
      return law_root(query, a, b, time);
  }
  if (h < 0x1p-34)
    return LAW_UNKNOWN;
  const law_verdict first = law_search(query, separation, a, middle, time);
  if (first != LAW_APART)
    return first;
  return law_search(query, separation, middle, b, time);
}

#endif
