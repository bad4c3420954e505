/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* The integer forms of a pair of bodies, made when a query first needs them.
 *
 * Sizes. Let a form's norm be the sum of the magnitudes of its coefficients: the norm of a product is at most the
 * product of the norms. Quaternions of A are integers below 2^a, of B below 2^b, x at both ends below 2^l; Q = 2 a + 2
 * b. A component of q has norm at most 2^(a+1), so M and N, sums of four products (or two, doubled), have 2^(2a+4);
 * - w: 2^(Q+8), elevated 2^(Q+9); r: three products, 2^(Q+10), elevated 2^(Q+11);
 * - N_A x: 2^(2a+4+l+1); t: 2^(Q+l+11); [x] M_A: 2^(2a+4+l+2); s: 2^(Q+l+12).
 * So Q + l + 13 bits hold every integer here, sums on the way included. Their number: per body 10 products and 19 sums
 * of 3 coefficients for M and N, 87; r 45 + 54; w 5 + 6; N_A x 12; t 18; [x] M_A 36; s 54; x and quaternions 24: fewer
 * than 450, and toi_integer_dot takes no more than one further limb each. */

#include "narrow/moving_pair.h"

#include <math.h>

/* --- exponents --- */

/* The range of exponents of some doubles: all are multiples of 2^low, below 2^high in magnitude; high < low if all are
 * zero. */
typedef struct range {
  int low, high;
} range;

static range range_of(const double *values, int count, range so_far) {
  for (int i = 0; i < count; i++) {
    int exponent;
    int64_t mantissa = toi_double_split(values[i], &exponent);
    if (mantissa == 0)
      continue;
    int top = exponent + 64 - __builtin_clzll((uint64_t)(mantissa < 0 ? -mantissa : mantissa));
    so_far.low = exponent < so_far.low ? exponent : so_far.low;
    so_far.high = top > so_far.high ? top : so_far.high;
  }
  return so_far;
}

static const range nothing = {INT32_MAX, INT32_MIN};

static range quaternion_range(const toi_moving_body *body) {
  return range_of(body->end.quaternion, 4, range_of(body->start.quaternion, 4, nothing));
}

static range position_range(const toi_moving_body body[2]) {
  range r = nothing;
  for (int i = 0; i < 2; i++)
    r = range_of(body[i].end.position, 3, range_of(body[i].start.position, 3, r));
  return r;
}

/* --- forms --- */

static toi_integer_form product(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b) {
  return toi_integer_form_dot(arena, (const toi_integer_form *const[][2]){{a, b}}, 1);
}

static toi_integer_form negated(const toi_integer_form *a) {
  toi_integer_form result = *a;
  for (int i = 0; i <= a->degree; i++)
    result.c[i] = toi_integer_negate(a->c[i]);
  return result;
}

/* The same polynomial as a form of one degree more: times s + t. */
static toi_integer_form elevated(toi_arena *arena, const toi_integer_form *a) {
  toi_integer_form result = {a->degree + 1, {TOI_INTEGER_ZERO}};
  result.c[0] = a->c[0];
  result.c[a->degree + 1] = a->c[a->degree];
  for (int i = 1; i <= a->degree; i++)
    result.c[i] = toi_integer_add(arena, a->c[i - 1], a->c[i]);
  return result;
}

/* 2 (a + b), or 2 (a - b). */
static toi_integer_form doubled(toi_arena *arena, const toi_integer_form *a, const toi_integer_form *b, bool minus) {
  toi_integer_form sum = minus ? toi_integer_form_subtract(arena, a, b) : toi_integer_form_add(arena, a, b);
  return toi_integer_form_add(arena, &sum, &sum);
}

/* M and N of a body. */
static void make_pose(toi_arena *arena, const toi_moving_body *body, int exponent, toi_pose_forms *pose) {
  toi_integer_form q[4], p[4][4];
  for (int i = 0; i < 4; i++)
    q[i] = (toi_integer_form){1,
                              {toi_integer_from_double(arena, body->start.quaternion[i], exponent),
                               toi_integer_from_double(arena, body->end.quaternion[i], exponent)}};
  for (int i = 0; i < 4; i++)
    for (int j = i; j < 4; j++)
      p[i][j] = product(arena, &q[i], &q[j]);
  toi_integer_form wx = toi_integer_form_add(arena, &p[0][0], &p[1][1]);
  toi_integer_form yz = toi_integer_form_add(arena, &p[2][2], &p[3][3]);
  pose->n = toi_integer_form_add(arena, &wx, &yz);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    // w^2 + x^2 - y^2 - z^2 = N - 2 (y^2 + z^2), 2 (x y - w z), 2 (x y + w z), and so on.
    toi_integer_form away = doubled(arena, &p[j + 1][j + 1], &p[k + 1][k + 1], false);
    pose->m[i][i] = toi_integer_form_subtract(arena, &pose->n, &away);
    const toi_integer_form *xy = i < j ? &p[i + 1][j + 1] : &p[j + 1][i + 1], *wz = &p[0][k + 1];
    pose->m[i][j] = doubled(arena, xy, wz, true);
    pose->m[j][i] = doubled(arena, xy, wz, false);
  }
}

/* Row i of M_B' times the column `vector`. */
static toi_integer_form turned_back(toi_arena *arena, const toi_pose_forms *b, int i, const toi_integer_form *vector) {
  const toi_integer_form *pairs[3][2];
  for (int k = 0; k < 3; k++) {
    pairs[k][0] = &b->m[k][i];
    pairs[k][1] = &vector[k];
  }
  return toi_integer_form_dot(arena, (const toi_integer_form *const(*)[2])pairs, 3);
}

static void make_relative(toi_arena *arena, const toi_integer_form x[3], toi_turn_integers *table) {
  const toi_pose_forms *a = &table->pose[0], *b = &table->pose[1];
  toi_integer_form w = product(arena, &a->n, &b->n), minus[3], scaled[3];
  table->w = elevated(arena, &w);
  for (int k = 0; k < 3; k++) {
    minus[k] = negated(&x[k]);
    scaled[k] = product(arena, &x[k], &a->n);
  }
  for (int i = 0; i < 3; i++)
    table->t[i] = turned_back(arena, b, i, scaled);
  for (int j = 0; j < 3; j++) {
    // Column j of M_A, and of [x] M_A.
    toi_integer_form column[3], crossed[3];
    for (int k = 0; k < 3; k++)
      column[k] = a->m[k][j];
    for (int k = 0; k < 3; k++) {
      int y = (k + 1) % 3, z = (k + 2) % 3;
      const toi_integer_form *const pairs[2][2] = {{&x[y], &column[z]}, {&minus[z], &column[y]}};
      crossed[k] = toi_integer_form_dot(arena, pairs, 2);
    }
    for (int i = 0; i < 3; i++) {
      toi_integer_form r = turned_back(arena, b, i, column);
      table->r[i][j] = elevated(arena, &r);
      table->s[i][j] = turned_back(arena, b, i, crossed);
    }
  }
}

/* --- all of them --- */

enum { KEPT_INTEGERS = 2 * 30 + 22 * (TOI_TURN_DEGREE + 1) };

static void make(const toi_moving_pair *pair, toi_arena *arena, toi_turn_integers *made) {
  for (int i = 0; i < 2; i++)
    make_pose(arena, &pair->body[i], pair->quaternion_low[i], &made->pose[i]);
  const int low = position_range(pair->body).low;
  toi_integer_form x[3];
  for (int axis = 0; axis < 3; axis++) {
    x[axis].degree = 1;
    for (int end = 0; end < 2; end++) {
      const toi_pose *a = end ? &pair->body[0].end : &pair->body[0].start;
      const toi_pose *b = end ? &pair->body[1].end : &pair->body[1].start;
      x[axis].c[end] = toi_integer_subtract(arena, toi_integer_from_double(arena, a->position[axis], low),
                                            toi_integer_from_double(arena, b->position[axis], low));
    }
  }
  make_relative(arena, x, made);
}

static void store(toi_integer_form *form, toi_limb **next) {
  for (int i = 0; i <= form->degree; i++) {
    form->c[i] = toi_integer_store(*next, form->c[i]);
    *next += form->c[i].size < 0 ? -form->c[i].size : form->c[i].size;
  }
}

/* Limbs of their own for every form that is kept. */
static void keep(toi_turn_integers *made, toi_limb *next) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      store(&made->pose[0].m[i][j], &next);
      store(&made->pose[1].m[i][j], &next);
      store(&made->r[i][j], &next);
      store(&made->s[i][j], &next);
    }
    store(&made->t[i], &next);
  }
  store(&made->pose[0].n, &next);
  store(&made->pose[1].n, &next);
  store(&made->w, &next);
}

void toi_turn_integers_measure(toi_moving_pair *pair) {
  pair->quaternion_bits = 0;
  for (int i = 0; i < 2; i++) {
    const range own = quaternion_range(&pair->body[i]);
    pair->quaternion_low[i] = own.low;
    pair->quaternion_bits += 2 * (uint32_t)(own.high - own.low);
  }
  bool zero = true;
  for (int axis = 0; axis < 3; axis++)
    zero = zero && pair->body[0].start.position[axis] == pair->body[1].start.position[axis] &&
           pair->body[0].end.position[axis] == pair->body[1].end.position[axis];
  const range position = position_range(pair->body);
  const uint32_t length = position.low > position.high ? 1 : (uint32_t)(position.high - position.low) + 1;
  pair->exponent = zero ? INT32_MAX : position.low;
  pair->top = zero ? INT32_MIN : position.high + 1;
  pair->integer_limbs = (pair->quaternion_bits + length + 13) / 64 + 1;
}

size_t toi_turn_integers_bytes(const toi_moving_pair *pair) {
  return sizeof(toi_turn_integers) + KEPT_INTEGERS * (size_t)pair->integer_limbs * sizeof(toi_limb);
}

size_t toi_turn_integers_scratch(const toi_moving_pair *pair) {
  enum { INTEGERS = 450 };
  const size_t bytes = INTEGERS * ((size_t)pair->integer_limbs + 2) * sizeof(toi_limb);
  return (bytes + 63) / 64 * 64;
}

const toi_turn_integers *toi_turn_integers_of(const toi_moving_pair *pair, toi_turn_integers *own, void *scratch) {
  // What is kept is a cache: written by one thread, once, and never seen before it is whole.
  atomic_int *state = (atomic_int *)&pair->made;
  if (atomic_load_explicit(state, memory_order_acquire) == TOI_INTEGERS_THERE)
    return pair->kept;
  toi_arena arena = toi_arena_make(scratch, toi_turn_integers_scratch(pair));
  make(pair, &arena, own);
  int none = TOI_INTEGERS_NONE;
  if (!atomic_compare_exchange_strong(state, &none, TOI_INTEGERS_COMING))
    return own;
  *pair->kept = *own;
  keep(pair->kept, pair->limbs);
  atomic_store_explicit(state, TOI_INTEGERS_THERE, memory_order_release);
  return pair->kept;
}

/* --- the shorter way --- */

int toi_quaternion_dot_sign(const double q0[4], const double q1[4]) {
  // Far from 0 the rounded sum shows it: four products and three sums, each within u of a partial sum of magnitudes.
  double sum = 0, magnitude = 0;
  for (int i = 0; i < 4; i++) {
    sum += q0[i] * q1[i];
    magnitude += fabs(q0[i] * q1[i]);
  }
  if (magnitude > 0x1p-900 && magnitude < INFINITY && fabs(sum) > 0x1p-50 * magnitude)
    return sum > 0 ? 1 : -1;
  // Integers of at most 2098 bits: 33 limbs each, products of 66.
  enum { LIMBS = 8 * 35 + 6 * 72 };
  _Alignas(64) toi_limb limbs[LIMBS];
  toi_arena arena = toi_arena_make(limbs, sizeof limbs);
  const range low[2] = {range_of(q0, 4, nothing), range_of(q1, 4, nothing)};
  toi_integer pairs[4][2];
  for (int i = 0; i < 4; i++) {
    pairs[i][0] = toi_integer_from_double(&arena, q0[i], low[0].low);
    pairs[i][1] = toi_integer_from_double(&arena, q1[i], low[1].low);
  }
  return toi_integer_sign(toi_integer_dot(&arena, (const toi_integer(*)[2])pairs, 4));
}

/* q . r of two rows of integers. */
static toi_integer dot_of(toi_arena *arena, const toi_integer q[4], const toi_integer r[4]) {
  toi_integer pairs[4][2];
  for (int i = 0; i < 4; i++) {
    pairs[i][0] = q[i];
    pairs[i][1] = r[i];
  }
  return toi_integer_dot(arena, (const toi_integer(*)[2])pairs, 4);
}

/* With d = q0 . q1, n0 = |q0|^2 and n1 = |q1|^2 of both bodies, d >= 0: n1 / n0 is the same for both, and so is d / n0,
 * hence d^2 / (n0 n1), the square of the cosine of half the angle. */
bool toi_quaternions_turn_alike(const toi_moving_body *first, const toi_moving_body *second) {
  // Integers of at most 2098 bits: 33 limbs each, products of 66, and of these of 132.
  enum { LIMBS = 2 * (8 * 35 + 3 * 6 * 72) + 4 * 140 };
  _Alignas(64) toi_limb limbs[LIMBS];
  toi_arena arena = toi_arena_make(limbs, sizeof limbs);
  toi_integer d[2], n0[2], n1[2];
  for (int b = 0; b < 2; b++) {
    const toi_moving_body *body = b == 0 ? first : second;
    const int low = quaternion_range(body).low;
    toi_integer q[2][4];
    for (int i = 0; i < 4; i++) {
      q[0][i] = toi_integer_from_double(&arena, body->start.quaternion[i], low);
      q[1][i] = toi_integer_from_double(&arena, body->end.quaternion[i], low);
    }
    d[b] = dot_of(&arena, q[0], q[1]);
    n0[b] = dot_of(&arena, q[0], q[0]);
    n1[b] = dot_of(&arena, q[1], q[1]);
  }
  const toi_integer lengths[2] = {toi_integer_multiply(&arena, n1[0], n0[1]),
                                  toi_integer_multiply(&arena, n1[1], n0[0])};
  const toi_integer angles[2] = {toi_integer_multiply(&arena, d[0], n0[1]), toi_integer_multiply(&arena, d[1], n0[0])};
  return toi_integer_compare(lengths[0], lengths[1]) == 0 && toi_integer_compare(angles[0], angles[1]) == 0;
}
