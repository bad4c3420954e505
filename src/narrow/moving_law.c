/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Tables of a pair of bodies one of which follows any motion.
 *
 * W is 1: rotations are divided by nothing that a query multiplies with. R = R_B' R_A and T = R_B' (a - b) of the piece
 * are Taylor models of order 6 in y, from -1 to 1 (motion/taylor.c), and S = T x R, column by column, since R_B' [x] =
 * [R_B' x] R_B'. A model's polynomial sum c_k y^k and its bound r become Bernstein coefficients of degree 5:
 *
 *   y^6 = (48 y^4 - 18 y^2 + 1) / 32 + T_6 / 32,   so that leaving out T_6 costs |c_6| / 32;
 *   y^k has the coefficients e_k / C(5, k), where sum e_k z^k = (1 + z)^j (1 - z)^(5 - j): at most 1 each.
 *
 * Claim: what is stored is off by at most r + |c_6| / 32 + 16 u sum |c_k|, u = 2^-53. Why: c_6 changes c_0, c_2 and c_4
 * by at most 1.5 |c_6|, product and sum rounding by 2 u of that; a coefficient is a sum of six products with constants
 * that are rounded: (1 + 1 + 5) u of 1.5 sum |c_k|.
 *
 * How far derivatives are off is not known: contacts are narrowed by the law itself (rotating_law.c). */

#include "narrow/moving_law.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "motion/stage.h"
#include "number/vector.h"

#define U 0x1p-53
#define ROUNDED_UP (1 + 0x1p-40)

/* Rounding makes bounds no better than about this. */
#define FLOOR 0x1p-46

/* What is said of a piece of which nothing is known but magnitudes. */
#define UNKNOWN 0x1p40

/* Times that [0, 1] is cut into for bounds of lengths. */
enum { PARTS = 32, MOST_DESKS = 16, COEFFICIENTS = TOI_TURN_COEFFICIENTS };

/* --- making --- */

static size_t round_up(size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

static size_t larger_size(size_t a, size_t b) {
  return a > b ? a : b;
}

static const toi_motion *motion_of(const toi_moving_body *body) {
  return body->law == TOI_LAW_MOTION ? body->motion : NULL;
}

/* Registers that any of two motions needs. */
typedef struct needs {
  size_t twins[2], balls, models, bytes;
} needs;

static needs needs_of(const toi_moving_pair *pair) {
  needs n = {.bytes = 0};
  for (int b = 0; b < 2; b++) {
    const toi_motion *motion = motion_of(&pair->body[b]);
    n.twins[b] = toi_motion_twin_bytes(motion);
    n.balls = larger_size(n.balls, toi_motion_ball_registers(motion));
    n.models = larger_size(n.models, toi_motion_taylor_registers(motion));
  }
  n.bytes = round_up(n.twins[0]) + round_up(n.twins[1]) + round_up(n.balls * sizeof(toi_ball)) +
            round_up(n.models * sizeof(toi_taylor));
  return n;
}

static uint32_t desks_of(const toi_moving_pair *pair, const needs *n) {
  const uint32_t threads = toi_context_threads(pair->context);
  return n->bytes == 0 ? 0 : threads < MOST_DESKS ? threads : MOST_DESKS;
}

size_t toi_turn_law_bytes(const toi_moving_pair *pair) {
  const needs n = needs_of(pair);
  return round_up(sizeof(toi_turn_law)) + desks_of(pair, &n) * (round_up(sizeof(toi_law_desk)) + n.bytes);
}

void toi_body_law_of_poses(const toi_moving_body *body, toi_body_law *law) {
  double quaternion[2][4], position[2][3];
  memcpy(quaternion[0], body->start.quaternion, sizeof quaternion[0]);
  memcpy(quaternion[1], body->end.quaternion, sizeof quaternion[1]);
  memcpy(position[0], body->start.position, sizeof position[0]);
  memcpy(position[1], body->end.position, sizeof position[1]);
  *law = (toi_body_law){.from = 0, .to = 1};
  toi_poses_make((const double(*)[4])quaternion, (const double(*)[3])position, body->law != TOI_LAW_NLERP,
                 body->law == TOI_LAW_SCREW, &law->poses);
}

toi_turn_law *toi_turn_law_make(const toi_moving_pair *pair, void *memory) {
  const needs n = needs_of(pair);
  toi_turn_law *law = memory;
  unsigned char *at = (unsigned char *)memory + round_up(sizeof *law);
  for (int b = 0; b < 2; b++) {
    const toi_moving_body *body = &pair->body[b];
    if (body->law == TOI_LAW_MOTION)
      law->body[b] = (toi_body_law){.motion = body->motion, .from = body->motion_from, .to = body->motion_to};
    else
      toi_body_law_of_poses(body, &law->body[b]);
  }
  toi_taylor_space_make(&law->space, 1, TOI_TAYLOR_ORDER);
  law->desk_count = desks_of(pair, &n);
  law->desks = (toi_law_desk *)(void *)at;
  at += law->desk_count * round_up(sizeof(toi_law_desk));
  for (uint32_t i = 0; i < law->desk_count; i++) {
    toi_law_desk *desk = &law->desks[i];
    atomic_flag_clear(&desk->busy);
    for (int b = 0; b < 2; b++) {
      desk->twin[b] = n.twins[b] > 0 ? toi_motion_twin(law->body[b].motion, at) : law->body[b].motion;
      at += round_up(n.twins[b]);
    }
    desk->balls = (toi_ball *)(void *)at;
    at += round_up(n.balls * sizeof(toi_ball));
    desk->models = (toi_taylor *)(void *)at;
    at += round_up(n.models * sizeof(toi_taylor));
  }
  return law;
}

/* Threads of the pair's context have a desk each; others wait for one. */
toi_law_desk *toi_law_desk_take(const toi_turn_law *law) {
  if (law == NULL || law->desk_count == 0)
    return NULL;
  for (uint32_t i = 0;; i = (i + 1) % law->desk_count)
    if (!atomic_flag_test_and_set_explicit(&law->desks[i].busy, memory_order_acquire))
      return &law->desks[i];
}

void toi_law_desk_leave(toi_law_desk *desk) {
  if (desk != NULL)
    atomic_flag_clear_explicit(&desk->busy, memory_order_release);
}

/* --- a body --- */

static bool is_unit_time(const toi_body_law *law) {
  return law->from == 0 && law->to == 1;
}

void toi_body_law_ball(const toi_body_law *law, double t, toi_law_desk *desk, toi_motion_ball *ball) {
  toi_ball time = toi_ball_of(t);
  if (!is_unit_time(law)) {
    const toi_ball from = toi_ball_of(law->from), way = toi_ball_sub(toi_ball_of(law->to), from);
    time = t == 0 ? from : t == 1 ? toi_ball_of(law->to) : toi_ball_add(from, toi_ball_mul(time, way));
  }
  if (law->motion == NULL)
    toi_poses_ball(&law->poses, time, ball);
  else
    toi_motion_ball_at(law->motion, time, desk == NULL ? NULL : desk->balls, ball);
}

void toi_body_law_jet(const toi_body_law *law, int body, toi_interval t, toi_law_desk *desk, toi_motion_jet *jet) {
  const toi_interval from = toi_interval_point(law->from);
  const toi_interval way = toi_interval_sub(toi_interval_point(law->to), from);
  toi_interval time = t;
  if (!is_unit_time(law)) {
    // What is rounded does not leave the step.
    const toi_interval all = {fmin(law->from, law->to), fmax(law->from, law->to)};
    time = toi_interval_add(from, toi_interval_mul(t, way));
    toi_interval_intersect(time, all, &time);
  }
  if (law->motion == NULL)
    toi_poses_jet(&law->poses, time, 1, jet);
  else
    toi_motion_jet_at(desk == NULL ? law->motion : desk->twin[body], time, 1, jet);
  for (int i = 0; i < 3 && !is_unit_time(law); i++) {
    for (int j = 0; j < 3; j++)
      jet->rotation[1][i][j] = toi_interval_mul(way, jet->rotation[1][i][j]);
    jet->translation[1][i] = toi_interval_mul(way, jet->translation[1][i]);
  }
}

double toi_turn_law_far(const toi_turn_law *law) {
  toi_law_desk *desk = toi_law_desk_take(law);
  double most = 0;
  for (int k = 0; k < PARTS; k++) {
    toi_motion_jet jet[2];
    double square = 0;
    for (int b = 0; b < 2; b++)
      toi_body_law_jet(&law->body[b], b, (toi_interval){(double)k / PARTS, (double)(k + 1) / PARTS}, desk, &jet[b]);
    for (int i = 0; i < 3; i++) {
      const double way = toi_interval_magnitude(toi_interval_sub(jet[0].translation[0][i], jet[1].translation[0][i]));
      square += way * way;
    }
    most = square >= most ? square : isnan(square) ? INFINITY : most;
  }
  toi_law_desk_leave(desk);
  return sqrt(most) * ROUNDED_UP;
}

/* --- a piece --- */

typedef struct tables {
  toi_motion_taylor relative;
  toi_taylor turned[3][3]; /* S */
} tables;

static void pose_models(const toi_turn_law *law, int b, const toi_taylor *t, toi_law_desk *desk,
                        toi_motion_taylor *pose) {
  const toi_body_law *body = &law->body[b];
  const toi_taylor_space *space = &law->space;
  toi_taylor time, from, way;
  toi_taylor_copy(space, t, &time);
  if (!is_unit_time(body)) {
    toi_taylor_constant(toi_interval_point(body->from), &from);
    toi_taylor_constant(toi_interval_sub(toi_interval_point(body->to), toi_interval_point(body->from)), &way);
    toi_taylor_mul(space, &way, t, &time);
    toi_taylor_add(space, &from, &time, &time);
  }
  if (body->motion == NULL)
    toi_poses_taylor(&body->poses, space, &time, pose);
  else
    toi_motion_taylor_at(desk == NULL ? body->motion : desk->twin[b], space, &time, desk == NULL ? NULL : desk->models,
                         pose);
}

static void make_tables(const toi_turn_law *law, double from, double to, tables *out) {
  toi_law_desk *desk = toi_law_desk_take(law);
  toi_motion_taylor pose[2];
  toi_taylor t;
  toi_taylor_variable((toi_interval){from, to}, 0, &t);
  for (int b = 0; b < 2; b++)
    pose_models(law, b, &t, desk, &pose[b]);
  toi_law_desk_leave(desk);
  const toi_taylor_space *space = &law->space;
  toi_motion_taylor_relative(space, &pose[0], &pose[1], &out->relative);
  const toi_taylor *x = out->relative.translation;
  for (int i = 0; i < 3; i++) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      toi_taylor a, b;
      toi_taylor_mul(space, &x[y], &out->relative.rotation[z][j], &a);
      toi_taylor_mul(space, &x[z], &out->relative.rotation[y][j], &b);
      toi_taylor_sub(space, &a, &b, &out->turned[i][j]);
    }
  }
}

/* What is known of some entries. */
typedef struct extent {
  double most, error, last; /* of coefficients; what they are off by; of |c_6| / 32 */
} extent;

static void put(const toi_taylor *model, double out[COEFFICIENTS], extent *of) {
  static const double bernstein[COEFFICIENTS][COEFFICIENTS] = {
      {1, -1, 1, -1, 1, -1},        {1, -0.6, 0.2, 0.2, -0.6, 1},  {1, -0.2, -0.2, 0.2, 0.2, -1},
      {1, 0.2, -0.2, -0.2, 0.2, 1}, {1, 0.6, 0.2, -0.2, -0.6, -1}, {1, 1, 1, 1, 1, 1}};
  double c[TOI_TAYLOR_ORDER + 1] = {0}, sum = 0;
  for (unsigned k = 0; k <= model->degree && k <= TOI_TAYLOR_ORDER; k++) {
    c[k] = model->c[k];
    sum += fabs(c[k]);
  }
  const double last = c[6] / 32;
  c[0] += last;
  c[2] -= 18 * last;
  c[4] += 48 * last;
  for (int j = 0; j < COEFFICIENTS; j++) {
    out[j] = 0;
    for (int k = 0; k < COEFFICIENTS; k++)
      out[j] += bernstein[j][k] * c[k];
    of->most = toi_larger(of->most, fabs(out[j]));
  }
  const double error = ((model->r + fabs(last)) + 16 * U * sum) * ROUNDED_UP;
  // NaN stays.
  of->error = error <= of->error ? of->error : error;
  of->last = toi_larger(of->last, fabs(last));
}

/* Nothing but magnitudes. */
static void put_unknown(const toi_moving_pair *pair, toi_turn_piece *piece) {
  memset(&piece->table, 0, sizeof piece->table);
  for (int k = 0; k < COEFFICIENTS; k++)
    piece->table.w[k] = 1;
  piece->most_r = 1;
  piece->most_t = pair->far;
  piece->unit = UNKNOWN;
  piece->finest = false;
}

void toi_turn_law_fit(const toi_moving_pair *pair, double from, double to, toi_turn_piece *piece) {
  tables made;
  extent turns = {.most = 1}, moves = {.most = 0};
  make_tables(pair->of_laws, from, to, &made);
  for (int i = 0; i < 3; i++) {
    put(&made.relative.translation[i], piece->table.t[i], &moves);
    for (int j = 0; j < 3; j++) {
      put(&made.relative.rotation[i][j], piece->table.r[i][j], &turns);
      put(&made.turned[i][j], piece->table.s[i][j], &moves);
    }
  }
  for (int k = 0; k < COEFFICIENTS; k++)
    piece->table.w[k] = 1;
  piece->from = from;
  piece->to = to;
  piece->in_range = pair->piece.in_range;
  piece->slope_unit = INFINITY;
  // One unit for both: what is relative to positions may be larger than they are.
  piece->most_r = turns.most * ROUNDED_UP;
  piece->unit = toi_larger(turns.error / turns.most, FLOOR) * ROUNDED_UP;
  piece->most_t = toi_larger(moves.most, moves.error / piece->unit) * ROUNDED_UP;
  piece->finest = turns.last <= 16 * U * turns.most && moves.last <= 16 * U * piece->most_t;
  if (!(piece->unit < UNKNOWN) || !(piece->most_t < INFINITY))
    put_unknown(pair, piece);
}
