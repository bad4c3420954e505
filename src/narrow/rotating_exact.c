/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Primitives of two turning bodies in integers: the hull as forms of degree 5, its first contact, and where it is.
 *
 * Claim: the smallest t in [0, 1] at which 0 lies in the hull is found, if there is one. Why: exact.c proves it for
 * corners that move linearly, and uses of this only that corners, areas and the coplanarity are continuous and have
 * finitely many zeros unless they vanish identically. Here they are polynomials of degree 5, up to powers of W > 0 (see
 * rotating.h).
 *
 * Sizes. All lengths, points and x, are integers below 2^l over one power of two; Q as in narrow/moving_integers.c,
 * whose norms apply with x below 2^(l+1) at each end, 2^(l+2) in all. Norms:
 * - P = T + R p: 2^(Q+l+13) + 3 2^(Q+l+11) < 2^(Q+l+14); corners: + 2^(Q+l+9) < 2^(Q+l+15);
 * - areas C x (f - f'): 2 2^(Q+l+15) 2^(l+1) = 2^(Q+2l+17); D: 3 2^(Q+11) 2^(l+1) < 2^(Q+l+14); p x p': 2^(2l+1); L: 3
 *   2^(Q+l+14) 2^(l+1) + 3 2^(Q+11) 2^(2l+1) < 2^(Q+2l+17); L - f x D < 2^(Q+2l+18);
 * - coplanarity: n: 2^(2l+3); 3 2^(2l+3) 2^(Q+l+15) < 2^(Q+3l+20); edges: 3 2^(l+1) 2^(Q+2l+18) < 2^(Q+3l+21).
 * In powers of t they grow by at most 2^5, derivatives up to the fifth by 120 < 2^7: n = Q + 3 l + 33 bits hold all of
 * them. Q <= 4 * 2098 and l <= 2099, so n < 14,800; contents are divided out (toi_integer_gcd) of polynomials of at
 * most 2 n + 8 bits (root_walk.c): 463 limbs.
 *
 * Memory, with X = n / 64 + 2 limbs an integer:
 * - the hull's: 12 coordinates and 15 differences and products of them; 36 coefficients of P, 18 of D, 72 of corners,
 *   72 of areas, 6 of the coplanarity, and in powers of t with what is left on the way 21 for each of 12 areas: 483;
 * - signs of areas and corners, of degree 5, at a root of a polynomial p of degree d <= 5. p has n bits, or 2 n + 8 if
 *   it was made simple, and then d <= 4. The remainder by p takes 6 - d rounds of at most 5 coefficients, each of
 *   which adds n + 1 bits to n. The chain of p and it has members of at most 5 n, 8 n, 11 n and 14 n bits for d = 5,
 *   made by way of 3 n to 30 n: 210 n in all, for lower d less; with coefficients twice as long 420 n. With the
 *   factors that are divided out that is less than the 1200 n that toi_root_walk_limbs(n) has for its own chains, of
 *   degree 6; so are values, and coefficients on an interval, of degree 5 instead of 6. One more set of
 *   toi_root_walk_limbs(n) holds it;
 * - candidates of planar motion: a kept time and comparisons with it (exact_time.c);
 * - the place: 3 components of the normal, of 2 sums of 6 coefficients; 10 forms of degree 2 of a pose: 66. */

#include <float.h>
#include <math.h>

#include "narrow/exact_hull.h"
#include "narrow/exact_time.h"
#include "narrow/rotating.h"
#include "number/root_walk.h"
#include "number/vector.h"

#define MOST_POINTS 4

/* The degree of a power form that is not made yet, as exact_hull.c has it. */
#define NOT_MADE (-2)

/* Bits of the pose's estimate. */
#define POSE_BITS 50

typedef struct bound {
  int exponent;
  uint32_t bits; /* n */
} bound;

static bound bound_of(const toi_rotating *query) {
  int low = query->pair->exponent, high = query->pair->top;
  for (int i = 0; i < 3 * (int)toi_kind_points(query->kind); i++) {
    int exponent;
    int64_t mantissa = toi_double_split(query->points[i], &exponent);
    if (mantissa == 0)
      continue;
    int top = exponent + 64 - __builtin_clzll((uint64_t)(mantissa < 0 ? -mantissa : mantissa));
    low = exponent < low ? exponent : low;
    high = top > high ? top : high;
  }
  bool zero = low == INT32_MAX;
  uint32_t length = zero ? 1 : (uint32_t)(high - low);
  return (bound){zero ? 0 : low, query->pair->quaternion_bits + 3 * length + 33};
}

static toi_time_bound time_bound(uint32_t bits) {
  enum { FACTOR_BITS = 9 };
  return (toi_time_bound){TOI_DEGREE_MAX, bits + FACTOR_BITS, toi_root_walk_limit(bits)};
}

/* Limbs of the arenas of the hull and of walks. */
static size_t hull_limbs(uint32_t bits) {
  enum { INTEGERS = 640 };
  return INTEGERS * ((size_t)bits / 64 + 2) + toi_root_walk_limbs(bits);
}

static size_t walk_limbs(uint32_t bits) {
  toi_time_bound time = time_bound(bits);
  return toi_root_walk_limbs(bits) + 2 * toi_exact_time_limbs(&time) + toi_exact_time_compare_limbs(&time, &time);
}

size_t toi_rotating_exact_scratch(const toi_rotating *query) {
  uint32_t bits = bound_of(query).bits;
  return toi_turn_integers_scratch(query->pair) + (hull_limbs(bits) + walk_limbs(bits)) * sizeof(toi_limb);
}

/* --- the hull --- */

typedef struct making {
  const toi_turn_integers *table;
  toi_arena *arena;
  toi_exact_hull *hull;
  toi_integer point[MOST_POINTS][3]; /* those of the first body in its frame, those of the second in its own */
  toi_integer lift;                  /* from the units of x to those of the points */
  toi_integer_form path[2][3];       /* P of the first body's points */
} making;

static toi_integer subtract(const making *m, toi_integer a, toi_integer b) {
  return toi_integer_subtract(m->arena, a, b);
}

/* P = T + R p. */
static void make_paths(making *m, int count) {
  for (int i = 0; i < count; i++) {
    for (int axis = 0; axis < 3; axis++) {
      toi_integer_form *path = &m->path[i][axis];
      const toi_integer_form *r = m->table->r[axis];
      path->degree = TOI_TURN_DEGREE;
      for (int k = 0; k <= TOI_TURN_DEGREE; k++) {
        const toi_integer pairs[4][2] = {{m->table->t[axis].c[k], m->lift},
                                         {r[0].c[k], m->point[i][0]},
                                         {r[1].c[k], m->point[i][1]},
                                         {r[2].c[k], m->point[i][2]}};
        path->c[k] = toi_integer_dot(m->arena, pairs, 4);
      }
    }
  }
}

/* C = P - W f. */
static void make_corners(making *m) {
  toi_exact_hull *hull = m->hull;
  const toi_corner *corners = toi_corners(hull->kind);
  for (int c = 0; c < hull->count; c++) {
    for (int axis = 0; axis < 3; axis++) {
      toi_integer_form *corner = &hull->corner[c][axis];
      const toi_integer_form *path = &m->path[corners[c].first][axis];
      toi_integer f = toi_integer_negate(m->point[corners[c].second][axis]);
      corner->degree = TOI_TURN_DEGREE;
      for (int k = 0; k <= TOI_TURN_DEGREE; k++)
        corner->c[k] = toi_integer_multiply_add(m->arena, m->table->w.c[k], f, path->c[k], 0);
      hull->area[c][axis].degree = hull->power[c][axis].degree = NOT_MADE;
    }
  }
}

/* The area of a corner and the next, of one point of the first body: C x (f - f'). */
static void make_area_of_second(making *m, int corner, const toi_integer g[3]) {
  toi_exact_hull *hull = m->hull;
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    toi_integer_form *area = &hull->area[corner][axis];
    toi_integer minus = toi_integer_negate(g[y]);
    area->degree = TOI_TURN_DEGREE;
    for (int k = 0; k <= TOI_TURN_DEGREE; k++) {
      const toi_integer pairs[2][2] = {{hull->corner[corner][y].c[k], g[z]}, {hull->corner[corner][z].c[k], minus}};
      area->c[k] = toi_integer_dot(m->arena, pairs, 2);
    }
  }
}

/* Areas 0 and 2 of an edge pair: L - f x D for eb0, and minus that for eb1. */
static void make_areas_of_first(making *m) {
  toi_arena *arena = m->arena;
  const toi_integer *a0 = m->point[0], *a1 = m->point[1];
  toi_integer d[3], lifted[3], moment[3];
  toi_integer_form direction[3];
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    d[axis] = subtract(m, a1[axis], a0[axis]);
    lifted[axis] = toi_integer_multiply(arena, d[axis], m->lift);
    moment[axis] = toi_integer_determinant(arena, a0[y], a1[z], a0[z], a1[y]);
  }
  for (int axis = 0; axis < 3; axis++) {
    const toi_integer_form *r = m->table->r[axis];
    direction[axis].degree = TOI_TURN_DEGREE;
    for (int k = 0; k <= TOI_TURN_DEGREE; k++)
      direction[axis].c[k] =
          toi_integer_dot(arena, (const toi_integer[][2]){{r[0].c[k], d[0]}, {r[1].c[k], d[1]}, {r[2].c[k], d[2]}}, 3);
  }
  for (int end = 0; end < 2; end++) {
    const toi_integer *f = m->point[2 + end];
    for (int axis = 0; axis < 3; axis++) {
      int y = (axis + 1) % 3, z = (axis + 2) % 3;
      const toi_integer_form *r = m->table->r[axis], *s = m->table->s[axis];
      toi_integer minus = toi_integer_negate(f[y]);
      toi_integer_form *area = &m->hull->area[2 * end][axis];
      area->degree = TOI_TURN_DEGREE;
      for (int k = 0; k <= TOI_TURN_DEGREE; k++) {
        const toi_integer pairs[8][2] = {{s[0].c[k], lifted[0]},     {s[1].c[k], lifted[1]},   {s[2].c[k], lifted[2]},
                                         {r[0].c[k], moment[0]},     {r[1].c[k], moment[1]},   {r[2].c[k], moment[2]},
                                         {direction[z].c[k], minus}, {direction[y].c[k], f[z]}};
        toi_integer sum = toi_integer_dot(arena, pairs, 8);
        area->c[k] = end ? toi_integer_negate(sum) : sum;
      }
    }
  }
}

static void make_areas(making *m) {
  toi_exact_hull *hull = m->hull;
  const toi_corner *corners = toi_corners(hull->kind);
  for (int c = 0; c < toi_exact_segments(hull); c++) {
    toi_corner own = corners[c], next = corners[toi_exact_next(hull, c)];
    if (own.first != next.first)
      continue;
    toi_integer g[3];
    for (int axis = 0; axis < 3; axis++)
      g[axis] = subtract(m, m->point[own.second][axis], m->point[next.second][axis]);
    make_area_of_second(m, c, g);
  }
  if (hull->kind == TOI_EDGE_EDGE)
    make_areas_of_first(m);
}

/* The dot product of a constant vector and a vector of forms. */
static toi_integer_form dot(toi_arena *arena, const toi_integer n[3], const toi_integer_form v[3]) {
  toi_integer_form sum = {TOI_TURN_DEGREE, {TOI_INTEGER_ZERO}};
  for (int k = 0; k <= TOI_TURN_DEGREE; k++)
    sum.c[k] =
        toi_integer_dot(arena, (const toi_integer[][2]){{n[0], v[0].c[k]}, {n[1], v[1].c[k]}, {n[2], v[2].c[k]}}, 3);
  return sum;
}

static void make_coplanarity(making *m) {
  toi_exact_hull *hull = m->hull;
  toi_arena *arena = m->arena;
  toi_integer edge[2][3], n[3];
  if (hull->kind == TOI_EDGE_EDGE) {
    for (int axis = 0; axis < 3; axis++)
      n[axis] = subtract(m, m->point[2][axis], m->point[3][axis]);
    hull->coplanarity = dot(arena, n, hull->area[0]);
    return;
  }
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 2; i++)
      edge[i][axis] = subtract(m, m->point[2 + i][axis], m->point[1][axis]);
  for (int axis = 0; axis < 3; axis++) {
    int y = (axis + 1) % 3, z = (axis + 2) % 3;
    n[axis] = toi_integer_determinant(arena, edge[0][y], edge[1][z], edge[0][z], edge[1][y]);
  }
  hull->coplanarity = dot(arena, n, hull->corner[0]);
}

static void make_hull(toi_arena *arena, const toi_rotating *query, const toi_turn_integers *table, const bound *size,
                      toi_exact_hull *hull) {
  making m = {.table = table, .arena = arena, .hull = hull};
  *hull = (toi_exact_hull){.arena = arena,
                           .kind = query->kind,
                           .count = (int)toi_corner_count(query->kind),
                           .coefficient_bits = size->bits,
                           .limit = toi_root_walk_limit(size->bits),
                           .coplanarity.degree = TOI_TURN_DEGREE};
  for (int i = 0; i < (int)toi_kind_points(query->kind); i++)
    for (int axis = 0; axis < 3; axis++)
      m.point[i][axis] = toi_integer_from_double(arena, query->points[3 * i + axis], size->exponent);
  bool at_origin = query->pair->exponent == INT32_MAX;
  m.lift = toi_integer_shift_left(arena, toi_integer_from_u64(arena, 1),
                                  at_origin ? 0 : (uint32_t)(query->pair->exponent - size->exponent));
  make_paths(&m, toi_rotating_first(query->kind));
  make_corners(&m);
  make_areas(&m);
  if (hull->count >= 3)
    make_coplanarity(&m);
}

/* --- the first contact --- */

/* Whether on some axis all corners are strictly on one side at all times. */
static bool are_apart(const toi_exact_hull *hull) {
  for (int axis = 0; axis < 3; axis++) {
    int sum = 0;
    for (int c = 0; c < hull->count; c++)
      for (int k = 0; k <= TOI_TURN_DEGREE; k++)
        sum += toi_integer_sign(hull->corner[c][axis].c[k]);
    if (sum == hull->count * (TOI_TURN_DEGREE + 1) || sum == -hull->count * (TOI_TURN_DEGREE + 1))
      return true;
  }
  return false;
}

/* The sign of the coplanarity just before a root of it: that of its first derivative that is not zero there, times -1
 * for each order. */
static int side_before(toi_exact_hull *hull, const toi_algebraic *root) {
  toi_limb *mark = toi_arena_mark(hull->arena);
  toi_polynomial p = toi_integer_form_power(hull->arena, &hull->coplanarity);
  int side = 0;
  for (int order = 1; side == 0 && p.degree > 0; order++) {
    p = toi_polynomial_derivative(hull->arena, &p);
    side = toi_algebraic_sign(hull->arena, root, &p) * (order % 2 == 0 ? 1 : -1);
  }
  toi_arena_release(hull->arena, mark);
  return side;
}

/* Contacts after the start at roots of the coplanarity. The time lives in the walk. */
static void first_of_coplanarity(toi_exact_hull *hull, double t_max, double guess, toi_root_walk *walk,
                                 toi_exact_first *first) {
  for (toi_algebraic *root; (root = toi_root_walk_next(walk)) != NULL;) {
    toi_algebraic_bracket(walk->arena, root, guess, first->bracket);
    if (first->bracket[1] > t_max)
      return;
    first->time = *root;
    first->contact = toi_exact_contact_at(hull, &first->time);
    if (first->contact.touching) {
      first->touching = true;
      first->side = side_before(hull, &first->time);
      return;
    }
  }
}

/* A polynomial for each segment that is not always in line with 0, and for each corner of the others: see exact.c. */
static int candidates(toi_exact_hull *hull, const toi_integer_form *forms[2 * TOI_MOST_CORNERS]) {
  int count = 0;
  bool needed[TOI_MOST_CORNERS] = {hull->count == 1};
  for (int c = 0; c < toi_exact_segments(hull); c++) {
    const toi_integer_form *form = NULL;
    for (int axis = 0; axis < 3 && form == NULL; axis++)
      form = toi_integer_form_is_zero(&hull->area[c][axis]) ? NULL : &hull->area[c][axis];
    if (form != NULL)
      forms[count++] = form;
    else
      needed[c] = needed[toi_exact_next(hull, c)] = true;
  }
  for (int c = 0; c < hull->count; c++)
    for (int axis = 0; needed[c] && axis < 3; axis++)
      if (!toi_integer_form_is_zero(&hull->corner[c][axis])) {
        forms[count++] = &hull->corner[c][axis];
        needed[c] = false;
      }
  return count;
}

/* Contacts after the start of a hull whose plane always holds 0, or of fewer corners. */
static void first_of_planar(toi_exact_hull *hull, toi_arena *arena, double t_max, double guess,
                            toi_exact_first *first) {
  const toi_integer_form *forms[2 * TOI_MOST_CORNERS];
  int count = candidates(hull, forms);
  toi_time_bound size = time_bound(hull->coefficient_bits);
  toi_exact_time time = toi_exact_time_make(arena, &size);
  for (int i = 0; i < count; i++) {
    toi_root_walk walk;
    toi_root_walk_start(&walk, arena, forms[i], 0, t_max);
    for (toi_algebraic *root; (root = toi_root_walk_next(&walk)) != NULL;) {
      double bracket[2];
      toi_algebraic_bracket(arena, root, guess, bracket);
      if (bracket[1] > t_max || toi_exact_time_compare(arena, root, bracket, &time) >= 0)
        break;
      if (toi_exact_contact_at(hull, root).touching) {
        toi_exact_time_keep(&time, arena, root, bracket);
        first->touching = true;
        break;
      }
    }
    toi_root_walk_end(&walk);
  }
  if (!first->touching)
    return;
  first->bracket[0] = time.bracket[0];
  first->bracket[1] = time.bracket[1];
  first->time = time.number;
  if (time.bracket[0] == time.bracket[1]) {
    int exponent;
    toi_integer m = toi_integer_from_i64(arena, toi_double_split(time.bracket[0], &exponent));
    first->time = toi_algebraic_dyadic(arena, m, (uint32_t)-exponent, hull->limit);
  }
  first->contact = toi_exact_contact_at(hull, &first->time);
}

/* Whether a form that is not zero shows by its coefficients that it has no root in (0, 1]. */
static bool has_no_root(const toi_integer_form *form) {
  return toi_integer_form_sign(form) != TOI_SIGN_OPEN && form->c[form->degree].size != 0;
}

static void first_contact(toi_exact_hull *hull, toi_arena *arena, double t_max, double guess, toi_exact_first *first) {
  first->touching = false;
  first->side = first->root_count = first->root = 0;
  first->bracket[0] = first->bracket[1] = 0;
  first->time = toi_algebraic_dyadic(arena, TOI_INTEGER_ZERO, 0, hull->limit);
  bool planar = toi_integer_form_is_zero(&hull->coplanarity);
  if (planar || hull->coplanarity.c[0].size == 0) {
    first->contact = toi_exact_contact_at(hull, &first->time);
    first->touching = first->contact.touching;
  }
  if (first->touching)
    return;
  if (planar) {
    first_of_planar(hull, arena, t_max, guess, first);
  } else if (!has_no_root(&hull->coplanarity)) {
    toi_root_walk walk;
    toi_root_walk_start(&walk, arena, &hull->coplanarity, 0, t_max);
    first_of_coplanarity(hull, t_max, guess, &walk, first);
  }
}

/* --- the place --- */

/* Rotation of a body at a time that may need more digits than a double has. */
static void rotation_at(toi_arena *arena, const toi_pose_forms *pose, toi_algebraic *time, double rotation[3][3]) {
  toi_limb *mark = toi_arena_mark(arena);
  toi_polynomial n = toi_integer_form_power(arena, &pose->n);
  toi_estimate size = toi_algebraic_estimate(arena, time, &n);
  while (size.bits < POSE_BITS && toi_algebraic_refine_by(arena, time, (uint32_t)(POSE_BITS - size.bits) + 64))
    size = toi_algebraic_estimate(arena, time, &n);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      toi_polynomial m = toi_integer_form_power(arena, &pose->m[i][j]);
      toi_estimate own = toi_algebraic_estimate(arena, time, &m);
      rotation[i][j] = own.m == 0 || own.e - size.e < -1000 ? 0 : ldexp(own.m / size.m, own.e - size.e);
    }
  }
  toi_arena_release(arena, mark);
}

/* The point in the frame of the second body, then in the world; the normal likewise. */
static void place(const toi_rotating *query, const toi_turn_integers *table, toi_exact_hull *hull,
                  toi_exact_first *first, toi_hit *hit) {
  double second[3] = {0}, local[3] = {0}, normal[3], rotation[3][3];
  toi_exact_place_in_hull(hull, first, second, hit);
  int points = (int)toi_kind_points(query->kind), skip = toi_rotating_first(query->kind);
  for (int i = skip; i < points; i++)
    for (int axis = 0; axis < 3; axis++)
      local[axis] += second[i - skip] * query->points[3 * i + axis];
  const toi_moving_body *body = &query->pair->body[1];
  rotation_at(hull->arena, &table->pose[1], &first->time, rotation);
  double t = first->bracket[0];
  for (int axis = 0; axis < 3; axis++) {
    normal[axis] = toi_dot(rotation[axis], hit->normal) + 0.0;
    double sum = (1 - t) * body->start.position[axis] + t * body->end.position[axis];
    // Rounding may not leave the range of doubles.
    hit->point[axis] = fmin(fmax(toi_dot(rotation[axis], local) + sum, -DBL_MAX), DBL_MAX);
  }
  for (int axis = 0; axis < 3; axis++)
    hit->normal[axis] = normal[axis];
}

void toi_rotating_exact(const toi_rotating *query, double t_max, double guess, void *scratch, toi_hit *hit) {
  *hit = toi_hit_miss(t_max, TOI_LEVEL_EXACT);
  toi_turn_integers own;
  const toi_turn_integers *table = toi_turn_integers_of(query->pair, &own, scratch);
  scratch = (char *)scratch + toi_turn_integers_scratch(query->pair);
  bound size = bound_of(query);
  size_t limbs = hull_limbs(size.bits);
  toi_arena arena = toi_arena_make(scratch, limbs * sizeof(toi_limb));
  toi_arena walks = toi_arena_make((toi_limb *)scratch + limbs, walk_limbs(size.bits) * sizeof(toi_limb));
  toi_exact_hull hull;
  make_hull(&arena, query, table, &size, &hull);
  if (are_apart(&hull))
    return;
  toi_exact_first first;
  first_contact(&hull, &walks, t_max, guess, &first);
  if (!first.touching || first.bracket[1] > t_max)
    return;
  double lo = first.bracket[0], hi = first.bracket[1];
  hit->verdict = TOI_HIT;
  hit->distance = 0;
  hit->t_lo = lo;
  hit->t_hi = hi;
  hit->t_safe = lo < hi || lo == 0 ? lo : nextafter(lo, 0);
  hit->touching_at_start = hi == 0;
  place(query, table, &hull, &first, hit);
}
