/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Making the tables of a pair of bodies.
 *
 * Sizes. Let a form's norm be the sum of the magnitudes of its coefficients: the norm of a product is at most the
 * product of the norms. Quaternions of A are integers below 2^a, of B below 2^b, x at both ends below 2^l; Q = 2 a + 2
 * b. A component of q has norm at most 2^(a+1), so M and N, sums of four products (or two, doubled), have 2^(2a+4);
 * - w: 2^(Q+8), elevated 2^(Q+9); r: three products, 2^(Q+10), elevated 2^(Q+11);
 * - N_A x: 2^(2a+4+l+1); t: 2^(Q+l+11); [x] M_A: 2^(2a+4+l+2); s: 2^(Q+l+12).
 * So Q + l + 13 bits hold every integer here, sums on the way included. Their number: per body 10 products and 19 sums
 * of 3 coefficients for M and N, 87; r 45 + 54; w 5 + 6; N_A x 12; t 18; [x] M_A 36; s 54; x and quaternions 24: fewer
 * than 450, and toi_integer_dot takes no more than one further limb each.
 *
 * Claim: bernstein is within 5 u of the largest of its kind. Why: hi is the first 53 bits of the coefficient, off by 2
 * u |hi|; dividing by a binomial rounds once, u; scaling is exact but for underflow, less than 2^-1074, where the
 * largest is at least 2^-500 (in_range). most_... are the largest computed, times 1 + 2^-40. */

#include "narrow/moving_pair.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"

#define LAYOUT TOI_LAYOUT(toi_moving_body, law)

/* Limits of the doubles: lengths may be multiplied three at a time without leaving the range. */
#define LEAST_LENGTH 0x1p-200
#define MOST_LENGTH 0x1p200

static const toi_moving_body resting = {
    .size = sizeof(toi_moving_body), .start.quaternion = {1, 0, 0, 0}, .end.quaternion = {1, 0, 0, 0}};

void toi_moving_body_init(toi_moving_body *body, size_t size) {
  toi_init_struct(LAYOUT, &resting, body, size);
}

/* --- the caller's bodies --- */

static toi_status check_pose(toi_context *context, const char *which, const char *when, const toi_pose *pose) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(pose->position[i]))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "%s body: coordinate %c of its position at the %s is %g; it must be "
                      "finite",
                      which, "xyz"[i], when, pose -> position[i]);
  bool zero = true;
  for (int i = 0; i < 4; i++) {
    if (!isfinite(pose->quaternion[i]))
      return toi_fail(context, TOI_ERROR_INPUT,
                      "%s body: component %c of its quaternion at the %s is %g; it must be "
                      "finite",
                      which, "wxyz"[i], when, pose -> quaternion[i]);
    zero = zero && pose->quaternion[i] == 0;
  }
  if (zero)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "%s body: its quaternion at the %s is zero; give one of any other "
                    "length, such as 1, 0, 0, 0 for no rotation",
                    which, when);
  return TOI_OK;
}

size_t toi_moving_body_stride(const toi_moving_body *first) {
  return toi_description_stride(LAYOUT, first);
}

toi_status toi_moving_body_take(toi_context *context, const char *which, const toi_moving_body *given,
                                toi_moving_body *taken) {
  *taken = resting;
  toi_status status = toi_take_description(context, LAYOUT, given, taken);
  if (status == TOI_OK && taken->law != TOI_LAW_NLERP)
    status =
        toi_fail(context, TOI_ERROR_INPUT, "%s body: law is %d; it must be one of toi_law", which, (int)taken->law);
  if (status == TOI_OK)
    status = check_pose(context, which, "start", &taken->start);
  return status == TOI_OK ? check_pose(context, which, "end", &taken->end) : status;
}

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

/* M and N of a body, whose end is turned to the shorter way first. */
static void make_pose(toi_arena *arena, toi_moving_body *body, int exponent, toi_pose_forms *pose) {
  toi_integer_form q[4], p[4][4];
  for (int i = 0; i < 4; i++)
    q[i] = (toi_integer_form){1,
                              {toi_integer_from_double(arena, body->start.quaternion[i], exponent),
                               toi_integer_from_double(arena, body->end.quaternion[i], exponent)}};
  toi_integer pairs[4][2];
  for (int i = 0; i < 4; i++)
    memcpy(pairs[i], q[i].c, sizeof pairs[i]);
  if (toi_integer_sign(toi_integer_dot(arena, (const toi_integer(*)[2])pairs, 4)) < 0) {
    for (int i = 0; i < 4; i++) {
      q[i].c[1] = toi_integer_negate(q[i].c[1]);
      body->end.quaternion[i] = -body->end.quaternion[i];
    }
  }
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

static void make_table(toi_arena *arena, const toi_pose_forms pose[2], const toi_integer_form x[3],
                       toi_turn_table *table) {
  const toi_pose_forms *a = &pose[0], *b = &pose[1];
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

/* --- doubles --- */

/* a = (hi + lo) (1 + d), |d| < 2^-104, times 2^*exponent. */
static void two_doubles(toi_integer a, int *exponent, double *hi, double *lo) {
  size_t count = (size_t)(a.size < 0 ? -a.size : a.size);
  *hi = *lo = 0;
  *exponent = 0;
  if (count == 0)
    return;
  // The first 128 bits.
  int zeros = __builtin_clzll(a.limb[count - 1]);
  uint64_t limb[3] = {a.limb[count - 1], count > 1 ? a.limb[count - 2] : 0, count > 2 ? a.limb[count - 3] : 0};
  for (int i = 0; i < 2 && zeros > 0; i++)
    limb[i] = limb[i] << zeros | limb[i + 1] >> (64 - zeros);
  // 53 of them, and the 64 after these, which round to 53 again.
  uint64_t next = limb[0] << 53 | limb[1] >> 11;
  *hi = (double)(limb[0] >> 11);
  *lo = (double)next * 0x1p-64;
  *exponent = (int)toi_integer_bits(a) - 53;
  if (a.size < 0) {
    *hi = -*hi;
    *lo = -*lo;
  }
}

/* Scaled by 2^scale. */
static void row_of(const toi_integer_form *form, int scale, double *hi, double *lo, double *bernstein) {
  static const double binomial[TOI_TURN_COEFFICIENTS] = {1, 5, 10, 10, 5, 1};
  for (int i = 0; i < TOI_TURN_COEFFICIENTS; i++) {
    int exponent;
    two_doubles(form->c[i], &exponent, &hi[i], &lo[i]);
    hi[i] = ldexp(hi[i], exponent + scale);
    lo[i] = ldexp(lo[i], exponent + scale);
    bernstein[i] = hi[i] / binomial[i];
  }
}

static double most_of(const double *values, int count) {
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fabs(values[i]) > most ? fabs(values[i]) : most;
  return most * (1 + 0x1p-40);
}

static bool fits(double most) {
  return most == 0 || (most >= LEAST_LENGTH && most <= MOST_LENGTH);
}

static void make_doubles(toi_moving_pair *pair) {
  const toi_turn_table *table = &pair->table;
  int top = INT32_MIN;
  for (int i = 0; i < TOI_TURN_COEFFICIENTS; i++) {
    int bits = (int)toi_integer_bits(table->w.c[i]);
    top = bits > top ? bits : top;
  }
  int length = pair->exponent == INT32_MAX ? 0 : pair->exponent;
  toi_turn_part *hi = &pair->hi, *lo = &pair->lo, *b = &pair->bernstein;
  row_of(&table->w, -top, hi->w, lo->w, b->w);
  for (int i = 0; i < 3; i++) {
    row_of(&table->t[i], length - top, hi->t[i], lo->t[i], b->t[i]);
    for (int j = 0; j < 3; j++) {
      row_of(&table->r[i][j], -top, hi->r[i][j], lo->r[i][j], b->r[i][j]);
      row_of(&table->s[i][j], length - top, hi->s[i][j], lo->s[i][j], b->s[i][j]);
    }
  }
  pair->most_w = most_of(b->w, TOI_TURN_COEFFICIENTS);
  pair->most_r = most_of(b->r[0][0], 9 * TOI_TURN_COEFFICIENTS);
  pair->most_t = most_of(b->t[0], 3 * TOI_TURN_COEFFICIENTS);
  pair->most_s = most_of(b->s[0][0], 9 * TOI_TURN_COEFFICIENTS);
  pair->in_range = fits(pair->most_t) && fits(pair->most_s);
}

/* --- the pair --- */

/* What `visit` is called with for every form that is kept. */
static void each_form(toi_moving_pair *pair, void (*visit)(toi_integer_form *form, void *user), void *user) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      visit(&pair->pose[0].m[i][j], user);
      visit(&pair->pose[1].m[i][j], user);
      visit(&pair->table.r[i][j], user);
      visit(&pair->table.s[i][j], user);
    }
    visit(&pair->table.t[i], user);
  }
  visit(&pair->pose[0].n, user);
  visit(&pair->pose[1].n, user);
  visit(&pair->table.w, user);
}

static void count_limbs(toi_integer_form *form, void *user) {
  for (int i = 0; i <= form->degree; i++)
    *(size_t *)user += (size_t)(form->c[i].size < 0 ? -form->c[i].size : form->c[i].size);
}

static void store_limbs(toi_integer_form *form, void *user) {
  toi_limb **next = user;
  for (int i = 0; i <= form->degree; i++) {
    form->c[i] = toi_integer_store(*next, form->c[i]);
    *next += form->c[i].size < 0 ? -form->c[i].size : form->c[i].size;
  }
}

/* Everything but its memory; integers on the arena. */
static void make_pair(toi_arena *arena, toi_moving_pair *pair, const range quaternion[2], range position) {
  for (int i = 0; i < 2; i++)
    make_pose(arena, &pair->body[i], quaternion[i].low, &pair->pose[i]);
  toi_integer_form x[3];
  bool zero = true;
  for (int axis = 0; axis < 3; axis++) {
    x[axis].degree = 1;
    for (int end = 0; end < 2; end++) {
      const toi_pose *a = end ? &pair->body[0].end : &pair->body[0].start;
      const toi_pose *b = end ? &pair->body[1].end : &pair->body[1].start;
      x[axis].c[end] = toi_integer_subtract(arena, toi_integer_from_double(arena, a->position[axis], position.low),
                                            toi_integer_from_double(arena, b->position[axis], position.low));
      zero = zero && x[axis].c[end].size == 0;
    }
  }
  pair->exponent = zero ? INT32_MAX : position.low;
  pair->top = zero ? INT32_MIN : position.high + 1;
  make_table(arena, pair->pose, x, &pair->table);
  make_doubles(pair);
}

toi_status toi_moving_pair_make(toi_context *context, uint32_t thread, const toi_moving_body *first,
                                const toi_moving_body *second, toi_moving_pair **pair) {
  enum { INTEGERS = 450 };
  toi_moving_pair made = {.context = context};
  *pair = NULL;
  toi_status status = toi_moving_body_take(context, "first", first, &made.body[0]);
  if (status == TOI_OK)
    status = toi_moving_body_take(context, "second", second, &made.body[1]);
  if (status != TOI_OK)
    return status;

  const range quaternion[2] = {quaternion_range(&made.body[0]), quaternion_range(&made.body[1])};
  const range position = position_range(made.body);
  uint32_t length = position.low > position.high ? 1 : (uint32_t)(position.high - position.low) + 1;
  for (int i = 0; i < 2; i++)
    made.quaternion_bits += 2 * (uint32_t)(quaternion[i].high - quaternion[i].low);
  const size_t work = INTEGERS * ((made.quaternion_bits + length + 13) / 64 + 3) * sizeof(toi_limb);
  void *scratch = toi_borrow(context, thread, work);
  if (scratch == NULL)
    return TOI_ERROR_MEMORY;
  toi_arena arena = toi_arena_make(scratch, work);
  make_pair(&arena, &made, quaternion, position);

  size_t limbs = 0;
  each_form(&made, count_limbs, &limbs);
  made.bytes = sizeof made + limbs * sizeof(toi_limb);
  *pair = toi_allocate(context, made.bytes);
  if (*pair == NULL)
    return TOI_ERROR_MEMORY;
  **pair = made;
  toi_limb *next = (toi_limb *)(*pair + 1);
  each_form(*pair, store_limbs, &next);
  return TOI_OK;
}

static TOI_APART toi_status create(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                                   toi_moving_pair **pair) {
  const toi_status status = toi_check_entered_once(context);
  return status == TOI_OK ? toi_moving_pair_make(context, 0, first, second, pair) : status;
}

toi_status toi_moving_pair_create(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                                  toi_moving_pair **pair) {
  if (pair == NULL)
    return TOI_ERROR_INPUT;
  *pair = NULL;
  if (context == NULL)
    return TOI_ERROR_INPUT;
  TOI_CALL(context, create(context, first, second, pair));
}

void toi_moving_pair_free(toi_moving_pair *pair) {
  if (pair != NULL)
    toi_free(pair->context, pair, pair->bytes);
}

void toi_moving_pair_destroy(toi_moving_pair *pair) {
  if (pair == NULL)
    return;
  toi_call call;
  toi_call_begin_free(&call, pair->context);
  toi_moving_pair_free(pair);
  toi_call_end(&call);
}

/* --- a pose in doubles --- */

void toi_pose_at(const toi_moving_body *body, double t, double rotation[3][3], double position[3]) {
  for (int axis = 0; axis < 3; axis++)
    position[axis] = (1 - t) * body->start.position[axis] + t * body->end.position[axis];
  // Both ends are scaled alike, so that squares stay in range.
  int top = INT32_MIN;
  for (int i = 0; i < 4; i++) {
    int own[2];
    (void)frexp(body->start.quaternion[i], &own[0]);
    (void)frexp(body->end.quaternion[i], &own[1]);
    top = body->start.quaternion[i] != 0 && own[0] > top ? own[0] : top;
    top = body->end.quaternion[i] != 0 && own[1] > top ? own[1] : top;
  }
  double q[4], n = 0;
  for (int i = 0; i < 4; i++) {
    q[i] = (1 - t) * ldexp(body->start.quaternion[i], -top) + t * ldexp(body->end.quaternion[i], -top);
    n += q[i] * q[i];
  }
  const double scale = n > 0 ? 2 / n : 0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    rotation[i][i] = 1 - scale * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
    rotation[i][j] = scale * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
    rotation[j][i] = scale * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
  }
}
