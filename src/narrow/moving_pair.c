/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Pairs of bodies: the caller's poses checked, tables made, and a pose at a time. */

#include "narrow/moving_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

#define LAYOUT TOI_LAYOUT(toi_moving_body, motion_to)

static const toi_moving_body resting = {
    .size = sizeof(toi_moving_body), .start.quaternion = {1, 0, 0, 0}, .end.quaternion = {1, 0, 0, 0}, .motion_to = 1};

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

static toi_status check_law(toi_context *context, const char *which, const toi_moving_body *body) {
  switch (body->law) {
  case TOI_LAW_NLERP:
  case TOI_LAW_SLERP:
  case TOI_LAW_SCREW:
    return TOI_OK;
  case TOI_LAW_MOTION:
    break;
  default:
    return toi_fail(context, TOI_ERROR_INPUT, "%s body: law is %d; it must be one of toi_law", which, (int)body->law);
  }
  if (body->motion == NULL)
    return toi_fail(context, TOI_ERROR_INPUT, "%s body: motion is NULL under TOI_LAW_MOTION; give it a motion", which);
  const double from = body->motion_from, to = body->motion_to;
  if (!isfinite(from) || !isfinite(to) || from == to)
    return toi_fail(context, TOI_ERROR_INPUT,
                    "%s body: motion_from is %g and motion_to %g; they must be two different finite times, such as 0 "
                    "and 1",
                    which, from, to);
  return TOI_OK;
}

toi_status toi_moving_body_check_motion(toi_context *context, const char *which, const toi_moving_body *body) {
  char what[96];
  if (body->law != TOI_LAW_MOTION)
    return TOI_OK;
  (void)snprintf(what, sizeof what, "%s body: motion", which);
  const toi_interval times = {fmin(body->motion_from, body->motion_to), fmax(body->motion_from, body->motion_to)};
  return toi_motion_check_over(context, body->motion, times, what);
}

size_t toi_moving_body_stride(const toi_moving_body *first) {
  return toi_description_stride(LAYOUT, first);
}

toi_status toi_moving_body_take(toi_context *context, const char *which, const toi_moving_body *given,
                                toi_moving_body *taken) {
  *taken = resting;
  toi_status status = toi_take_description(context, LAYOUT, given, taken);
  if (status == TOI_OK)
    status = check_law(context, which, taken);
  if (status == TOI_OK && taken->law == TOI_LAW_MOTION) {
    taken->start = taken->end = resting.start;
    return TOI_OK;
  }
  if (status == TOI_OK)
    status = check_pose(context, which, "start", &taken->start);
  return status == TOI_OK ? check_pose(context, which, "end", &taken->end) : status;
}

/* --- the pair --- */

/* Bodies farther apart than this, and one of them on a motion, are not looked into. */
#define MOST_FAR 0x1p170

/* What a coarse and a fine piece may leave out, of the magnitudes; and the most pieces. */
#define COARSE 0x1p-14
#define FINE 0x1p-28
enum { MOST_COARSE = 8, MOST_PIECES = 32 };

/* Of a pair that follows a motion: what is left out of the whole step shrinks with the sixth power of the length,
 * about.
 */
static void guess_pieces(toi_moving_pair *pair) {
  toi_turn_piece piece;
  toi_turn_fit(pair, 0, 1, &piece);
  double left = piece.unit;
  pair->coarse = pair->fine = 1;
  while (pair->coarse < MOST_COARSE && !(left <= COARSE)) {
    pair->coarse *= 2;
    left /= 64;
  }
  while (pair->coarse * pair->fine < MOST_PIECES && !(left <= FINE)) {
    pair->fine *= 2;
    left /= 64;
  }
}

static void choose_pieces(toi_moving_pair *pair) {
  if (!pair->piece.in_range)
    return;
  if (pair->of_laws != NULL) {
    guess_pieces(pair);
    return;
  }
  toi_turn_growth(pair);
  pair->coarse = pair->fine = 1;
  while (pair->coarse < MOST_COARSE && !(toi_turn_remainder(pair, 1.0 / pair->coarse) <= COARSE))
    pair->coarse *= 2;
  while (pair->coarse * pair->fine < MOST_PIECES &&
         !(toi_turn_remainder(pair, 1.0 / (pair->coarse * pair->fine)) <= FINE))
    pair->fine *= 2;
}

/* A body whose quaternions are those of one orientation, as they are stored but for a sign and a power of two. */
static bool keeps_orientation(const toi_moving_body *body) {
  int shift = 0;
  bool same = true;
  for (int i = 0; i < 4; i++) {
    int own[2];
    const double a = frexp(body->start.quaternion[i], &own[0]), b = frexp(body->end.quaternion[i], &own[1]);
    shift = a != 0 ? own[0] - own[1] : shift;
    same = same && a == b;
  }
  for (int i = 0; i < 4; i++)
    same = same && ldexp(body->end.quaternion[i], shift) == body->start.quaternion[i];
  return same;
}

/* At a constant rate of 0 a body may as well rest under nlerp, unless it winds: then it moves on a line too. */
static void rest(toi_moving_body *body) {
  if (body->law == TOI_LAW_NLERP || body->law == TOI_LAW_MOTION || !keeps_orientation(body))
    return;
  memcpy(body->end.quaternion, body->start.quaternion, sizeof body->end.quaternion);
  body->law = TOI_LAW_NLERP;
}

static bool is_steady(const toi_moving_body *body) {
  return body->law == TOI_LAW_SLERP || body->law == TOI_LAW_SCREW;
}

/* The pair under nlerp, if one body turns by slerp, the other keeps its orientation or turns at the same rate, and
 * neither moves. A screw that does not move is a slerp. */
static toi_status make_same_way(toi_moving_pair *pair) {
  toi_moving_body body[2] = {pair->body[0], pair->body[1]};
  const int turning = body[0].law == TOI_LAW_NLERP;
  const toi_moving_body *mover = &body[turning], *other = &body[!turning];
  bool apply = is_steady(mover) && (is_steady(other) || (other->law == TOI_LAW_NLERP && keeps_orientation(other)));
  for (int i = 0; i < 3; i++)
    for (int b = 0; b < 2; b++)
      apply = apply && body[b].start.position[i] == body[b].end.position[i];
  if (!apply || (is_steady(other) && !toi_quaternions_turn_alike(mover, other)))
    return TOI_OK;
  body[0].law = body[1].law = TOI_LAW_NLERP;
  pair->turning = turning;
  return toi_moving_pair_make(pair->context, &body[0], &body[1], &pair->same_way);
}

static void free_law(const toi_moving_pair *pair) {
  if (pair->of_laws != NULL)
    toi_free(pair->context, pair->of_laws, pair->law_bytes);
}

/* What a pair is that follows a motion, in memory of its own. */
static toi_status make_law(toi_moving_pair *pair) {
  const bool follows = pair->body[0].law == TOI_LAW_MOTION || pair->body[1].law == TOI_LAW_MOTION;
  if (!follows)
    return TOI_OK;
  pair->law_bytes = toi_turn_law_bytes(pair);
  void *memory = toi_allocate(pair->context, pair->law_bytes);
  if (memory == NULL)
    return TOI_ERROR_MEMORY;
  pair->of_laws = toi_turn_law_make(pair, memory);
  pair->square = 1;
  pair->far = toi_turn_law_far(pair->of_laws);
  pair->piece = (toi_turn_piece){.to = 1, .most_r = 1, .most_t = pair->far};
  pair->piece.in_range = pair->far <= MOST_FAR;
  return TOI_OK;
}

static void make_pieces(toi_moving_pair *pair) {
  toi_turn_piece *piece = pair->pieces;
  for (uint32_t level = 0; level < 2; level++) {
    const uint32_t count = level == 0 ? pair->coarse : pair->coarse * pair->fine;
    for (uint32_t i = 0; i < count; i++)
      toi_turn_fit(pair, (double)i / count, (double)(i + 1) / count, piece++);
  }
}

toi_status toi_moving_pair_make(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                                toi_moving_pair **pair) {
  toi_moving_pair made = {.context = context};
  *pair = NULL;
  toi_status status = toi_moving_body_take(context, "first", first, &made.body[0]);
  if (status == TOI_OK)
    status = toi_moving_body_take(context, "second", second, &made.body[1]);
  if (status != TOI_OK)
    return status;
  for (int b = 0; b < 2; b++) {
    double *end = made.body[b].end.quaternion;
    const bool longer = toi_quaternion_dot_sign(made.body[b].start.quaternion, end) < 0;
    for (int i = 0; i < 4 && longer; i++)
      end[i] = -end[i];
  }
  rest(&made.body[0]);
  rest(&made.body[1]);
  made.rational = made.body[0].law == TOI_LAW_NLERP && made.body[1].law == TOI_LAW_NLERP;
  toi_turn_integers_measure(&made);
  toi_turn_tables_make(&made);
  status = make_law(&made);
  if (status != TOI_OK)
    return status;
  if (!made.rational)
    choose_pieces(&made);
  const size_t pieces = made.coarse + (size_t)made.coarse * made.fine;
  made.bytes = sizeof made + pieces * sizeof(toi_turn_piece) + toi_turn_integers_bytes(&made);
  toi_moving_pair *kept = toi_allocate(context, made.bytes);
  if (kept == NULL) {
    free_law(&made);
    return TOI_ERROR_MEMORY;
  }
  *kept = made;
  atomic_init(&kept->made, TOI_INTEGERS_NONE);
  kept->pieces = (toi_turn_piece *)(kept + 1);
  kept->kept = (toi_turn_integers *)(kept->pieces + pieces);
  kept->limbs = (toi_limb *)(kept->kept + 1);
  make_pieces(kept);
  status = make_same_way(kept);
  if (status != TOI_OK) {
    toi_moving_pair_free(kept);
    return status;
  }
  *pair = kept;
  return TOI_OK;
}

static TOI_APART toi_status create(toi_context *context, const toi_moving_body *first, const toi_moving_body *second,
                                   toi_moving_pair **pair) {
  static const char *const names[] = {"first", "second"};
  const toi_moving_body *const given[] = {first, second};
  toi_status status = toi_check_entered_once(context);
  for (int b = 0; b < 2 && status == TOI_OK; b++) {
    toi_moving_body taken;
    status = toi_moving_body_take(context, names[b], given[b], &taken);
    if (status == TOI_OK)
      status = toi_moving_body_check_motion(context, names[b], &taken);
  }
  return status == TOI_OK ? toi_moving_pair_make(context, first, second, pair) : status;
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
  if (pair == NULL)
    return;
  free_law(pair);
  if (pair->same_way != NULL)
    toi_free(pair->context, pair->same_way, pair->same_way->bytes);
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

/* Of a pair that follows a motion. */
static void law_pose_at(const toi_turn_law *law, int number, double t, double rotation[3][3], double position[3]) {
  toi_motion_ball pose;
  toi_law_desk *desk = toi_law_desk_take(law);
  toi_body_law_ball(&law->body[number], t, desk, &pose);
  toi_law_desk_leave(desk);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      rotation[i][j] = pose.rotation[i][j].x.hi;
    position[i] = pose.translation[i].x.hi;
  }
}

void toi_pose_at(const toi_moving_pair *pair, int number, double t, double rotation[3][3], double position[3]) {
  if (pair->of_laws != NULL) {
    law_pose_at(pair->of_laws, number, t, rotation, position);
    return;
  }
  const toi_moving_body *body = &pair->body[number];
  double q[4], off[3], n = 0;
  toi_turn_pose_at(&pair->ends, number, t, q, off);
  for (int axis = 0; axis < 3; axis++)
    position[axis] = (1 - t) * body->start.position[axis] + t * body->end.position[axis] + off[axis];
  for (int i = 0; i < 4; i++)
    n += q[i] * q[i];
  const double scale = n > 0 ? 2 / n : 0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    rotation[i][i] = 1 - scale * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
    rotation[i][j] = scale * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
    rotation[j][i] = scale * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
  }
}
