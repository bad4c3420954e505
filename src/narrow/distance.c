/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Distances at one instant: in doubles with proved bounds, in balls, in integers.
 *
 * Fast. Claim: lo <= distance <= hi. Why, with u = 2^-53 and the hull scaled to a size of at most 1:
 * - lo: n . c >= h for all corners and any n makes the distance at least h / |n|*. Corners are off by u, so that the
 *   dot product is off by u |n|_1, and 3 u |n|_1 more for its roundings: 8 u |n|_1 covers it. The factor 1 - 2^-48
 *   covers the roundings of the norm and of the quotient.
 * - hi: the point x = c0 + u (c1 - c0) + v (cl - c0) is in the hull, and |x| is computed from corners off by u. For a
 *   coordinate, in u:
 *   - c0                                                                                     1
 *   - each difference, at most 2: corners 2, rounding 2; its product with the parameter: 2    6 + 6
 *   - the sums, on at most 3 and 5                                                            3 + 5
 *   Together 21 u. 64 u covers the norm of such an error; the factor 1 + 2^-48 covers the norm's roundings.
 * - Scaling by a power of two is exact but for underflow: corners are then off by 2^-1074 each, and so is the result;
 *   FLOOR covers it.
 *
 * Where these bounds are too far apart, balls or integers give neighbouring doubles.
 *
 * In the Euclidean norm the kernel (distance_kernel.h) comes first and settles most pairs; what follows is for the
 * rest, and for the maximum norm. */

#include "narrow/distance.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/distance_kernel.h"
#include "narrow/exact_distance.h"
#include "narrow/height.h"
#include "narrow/mesh.h"
#include "narrow/method.h"
#include "narrow/place.h"
#include "number/interval.h"

#define OUTWARD (1 + 0x1p-48)
#define LOW_ERROR 0x8p-53
#define HIGH_ERROR 0x40p-53
#define FLOOR 0x1p-1068

/* For a hull of size 1/2 to 1; FLOOR and roundings come on top. */
#define WIDEST 0x1.fp-46

/* --- in doubles --- */

void toi_pair_points(const toi_pair_instants *instants, toi_pair pair, double points[12]) {
  const toi_mesh mesh = {.edges = instants->mesh.edges, .faces = instants->mesh.faces};
  uint32_t vertices[4] = {0};
  toi_pair_vertices(instants->kind, &mesh, pair, vertices);
  for (size_t i = 0; i < toi_kind_points(instants->kind); i++)
    memcpy(points + 3 * i, instants->mesh.points + instants->mesh.row * vertices[i], 3 * sizeof(double));
}

static double low_bound(const toi_hull *hull, toi_norm norm, const double n[3]) {
  double sum = fabs(n[0]) + fabs(n[1]) + fabs(n[2]), height = INFINITY;
  double dual = norm == TOI_NORM_L2 ? sqrt(toi_dot(n, n)) : sum;
  for (int k = 0; k < hull->count; k++)
    height = fmin(height, toi_dot(n, hull->c[k]));
  height -= LOW_ERROR * sum;
  return height > 0 ? height / dual * (1 - 0x1p-48) : 0;
}

/* Any direction gives a bound. Close to the hull the best one is known badly, but for how it must stand to the sides:
 * square to those of its feature. Twice the side that helps most. */
static double straightened_bound(const toi_hull *hull, toi_norm norm, const double n[3]) {
  double best[3] = {n[0], n[1], n[2]}, lo = low_bound(hull, norm, n);
  for (int round = 0; round < 2; round++) {
    double from[3] = {best[0], best[1], best[2]};
    for (int k = 0; k < toi_hull_segments(hull->count); k++) {
      const double *p = hull->c[k], *q = hull->c[toi_hull_next(hull->count, k)];
      double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, part = toi_dot(from, e) / toi_dot(e, e);
      double square[3] = {from[0] - part * e[0], from[1] - part * e[1], from[2] - part * e[2]};
      double bound = low_bound(hull, norm, square);
      if (!(bound > lo))
        continue;
      lo = bound;
      memcpy(best, square, sizeof(best));
    }
  }
  return lo;
}

static double high_bound(const toi_hull *hull, toi_norm norm, toi_place place) {
  double x[3];
  toi_place_point(hull, place, x);
  return toi_size_in(norm, x) * OUTWARD + HIGH_ERROR;
}

/* Where a parameter is: 0 at its lower end, 1 between, 2 at its upper end. */
static int end_of(double x) {
  return (x > 0) + (x >= 1);
}

/* The features that hold the points with these parameters. */
static void region_of_place(toi_kind kind, toi_place place, toi_distance *out) {
  static const toi_region on_edge[3] = {{0, 0}, {1, 0}, {0, 1}};
  static const toi_region on_face[3][3] = {
      {{0, 0}, {1, 2}, {0, 2}}, {{1, 0}, {2, 0}, {1, 1}}, {{0, 1}, {1, 1}, {1, 1}}};
  const int u = end_of(place.u), v = end_of(place.v);
  out->on_first = on_edge[kind == TOI_EDGE_EDGE ? u : 0];
  if (kind != TOI_VERTEX_FACE) {
    out->on_second = on_edge[kind == TOI_EDGE_EDGE ? v : u];
    return;
  }
  // Between the ends of both sides u + v is 1 but for a rounding.
  const bool on_third = u == 1 && v == 1 && place.u + place.v >= 1 - 0x1p-51;
  out->on_second = on_third ? on_face[1][2] : on_face[u][v];
}

static bool valid_call(toi_kind kind, const double (*points)[3], toi_norm norm) {
  return toi_kind_points(kind) > 0 && points && (norm == TOI_NORM_L2 || norm == TOI_NORM_LINF) &&
         toi_all_finite(points[0], (size_t)3 * toi_kind_points(kind));
}

/* The points twice: a query without motion. */
static void still_query(toi_kind kind, const double *points, double query[24]) {
  size_t half = (size_t)3 * toi_kind_points(kind);
  memcpy(query, points, half * sizeof(double));
  memcpy(query + half, points, half * sizeof(double));
}

/* --- in integers --- */

/* Covers all but points whose coordinates span hundreds of binary digits. */
#define STACK_SCRATCH 16384

/* What is asked of an exact distance. */
typedef enum exact_aim { ASK_SHARE, ASK_ORDER, ASK_TEXT } exact_aim;

typedef struct exact_question {
  exact_aim aim;
  toi_share share; /* a share of it: answered */
  double value;
  double bound; /* its order to this: answered */
  int order;
  char *text; /* its text: written, and the size answered */
  size_t size;
} exact_question;

static void ask_exactly(const toi_instant *instant, toi_arena arena, exact_question *question) {
  toi_exact_distance exact;
  toi_exact_distance_at(instant->kind, instant->points, instant->norm, arena, &exact);
  switch (question->aim) {
  case ASK_SHARE:
    question->value = toi_exact_share(&exact, &question->share);
    return;
  case ASK_ORDER:
    question->order = toi_exact_distance_compare(&exact, 1, question->bound);
    return;
  case ASK_TEXT:
    question->size = toi_exact_distance_text(&exact, question->text, question->size);
  }
}

static toi_status distance_exact(const toi_instant *instant, exact_question *question) {
  size_t size = toi_exact_share_scratch(instant->kind, instant->points, &question->share);
  if (size <= STACK_SCRATCH) {
    _Alignas(64) unsigned char scratch[STACK_SCRATCH];
    ask_exactly(instant, toi_arena_make(scratch, size), question);
    return TOI_OK;
  }
  void *scratch = toi_borrow(instant->context, instant->thread, size);
  if (!scratch)
    return TOI_ERROR_MEMORY;
  ask_exactly(instant, toi_arena_make(scratch, size), question);
  toi_give_back(instant->context, scratch);
  return TOI_OK;
}

static TOI_APART toi_status rational(toi_kind kind, const double (*points)[3], toi_norm norm, char *text,
                                     size_t *size) {
  const size_t room = text ? *size : 0;
  exact_question question = {.aim = ASK_TEXT, .text = text, .size = room};
  toi_status status = TOI_ERROR_INPUT;
  if (valid_call(kind, points, norm)) {
    toi_instant instant = {kind, points[0], norm, NULL, 0};
    status = distance_exact(&instant, &question);
  }
  *size = status == TOI_OK ? question.size : 0;
  if (status == TOI_OK)
    return !text || question.size <= room ? TOI_OK : TOI_ERROR_MEMORY;
  if (room > 0)
    text[0] = '\0';
  return status;
}

toi_status toi_distance_rational(toi_kind kind, const double (*points)[3], toi_norm norm, char *text, size_t *size) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = size ? rational(kind, points, norm, text, size) : TOI_ERROR_INPUT;
  toi_call_end(&call);
  return status;
}

/* --- a share of it --- */

toi_status toi_instant_share(const toi_instant *instant, const toi_share *share, double *value) {
  double query[24];
  toi_moving moving;
  toi_hull hull = {0};
  toi_nearest nearest;
  still_query(instant->kind, instant->points, query);
  if (toi_moving_make(instant->kind, query, 1, instant->norm, &moving)) {
    toi_moving_at(&moving, 0, &hull);
    toi_nearest_to(&hull, instant->norm, &nearest);
    if (toi_height_share(&moving, nearest.feature, nearest.distance, share, value))
      return TOI_OK;
  }
  if (share->base > 0 && toi_instant_most(instant) <= share->base) {
    *value = share->lift;
    return TOI_OK;
  }
  exact_question question = {.aim = ASK_SHARE, .share = *share};
  toi_status status = distance_exact(instant, &question);
  *value = question.value;
  return status;
}

/* --- its order to a number --- */

toi_status toi_instant_compare(const toi_instant *instant, double x, int *order) {
  exact_question question = {.aim = ASK_ORDER, .bound = x};
  toi_status status = distance_exact(instant, &question);
  *order = question.order;
  return status;
}

/* --- fast --- */

double toi_instant_most(const toi_instant *instant) {
  double query[24];
  toi_hull hull = {0};
  toi_nearest nearest;
  int exponent;
  still_query(instant->kind, instant->points, query);
  if (!toi_place_corners(instant->kind, query, 0, &hull, &exponent))
    return 0;
  toi_nearest_to(&hull, instant->norm, &nearest);
  toi_place place = toi_place_on(instant->kind, &hull, instant->norm, &nearest);
  return ldexp(high_bound(&hull, instant->norm, place), exponent) + FLOOR;
}

/* Feature by feature, with what balls and integers add where doubles do not suffice. */
static toi_status distance_by_features(const toi_instant *instant, toi_distance *distance) {
  toi_kind kind = instant->kind;
  toi_norm norm = instant->norm;
  double query[24];
  still_query(kind, instant->points, query);
  toi_hull hull = {0};
  toi_nearest nearest;
  int exponent;
  bool apart = toi_place_corners(kind, query, 0, &hull, &exponent);
  toi_nearest_to(&hull, norm, &nearest);
  toi_place place = toi_place_on(kind, &hull, norm, &nearest);
  double lo = low_bound(&hull, norm, nearest.n), hi = high_bound(&hull, norm, place);
  if (hi - lo > WIDEST)
    lo = straightened_bound(&hull, norm, nearest.n);
  double least = fmin(ldexp(lo, exponent), DBL_MAX), most = ldexp(hi, exponent) + FLOOR;
  *distance = (toi_distance){.lo = least > FLOOR ? least - FLOOR : 0, .hi = apart ? most : 0};
  distance->u = place.u;
  distance->v = place.v;
  toi_place_points(kind, query, 0, place, distance->first, distance->second);
  region_of_place(kind, place, distance);
  if (!apart || hi - lo <= WIDEST)
    return TOI_OK;
  const toi_share whole = {.factor = 1};
  double rounded;
  toi_status status = toi_instant_share(instant, &whole, &rounded);
  if (status != TOI_OK)
    return status;
  distance->lo = rounded;
  distance->hi = toi_next_up(rounded);
  return TOI_OK;
}

/* Number i of a block, which is settled. */
static void take_settled(toi_kind kind, const toi_distance_block *block, size_t i, toi_distance *distance) {
  *distance = (toi_distance){.lo = block->lo[i], .hi = block->hi[i], .u = block->u[i], .v = block->v[i]};
  for (int axis = 0; axis < 3; axis++) {
    distance->first[axis] = block->first[axis][i];
    distance->second[axis] = block->second[axis][i];
  }
  region_of_place(kind, (toi_place){block->u[i], block->v[i]}, distance);
}

toi_status toi_pair_distances(const toi_pair_instants *instants, const toi_pair *pairs, size_t count,
                              toi_distance *distances, size_t stride) {
  assert(count <= TOI_DISTANCE_PAIRS);
  const toi_filter_mesh *mesh = &instants->mesh;
  toi_distance_block block;
  double points[12];
  if (instants->norm == TOI_NORM_L2)
    toi_distance_kernel_best(count)(instants->kind, mesh, pairs, count, &block);
  for (size_t i = 0; i < count; i++) {
    toi_distance *distance = (toi_distance *)(void *)((char *)distances + i * stride);
    if (instants->norm == TOI_NORM_L2 && block.settled[i]) {
      take_settled(instants->kind, &block, i, distance);
      continue;
    }
    toi_pair_points(instants, pairs[i], points);
    const toi_instant one = {instants->kind, points, instants->norm, instants->context, instants->thread};
    const toi_status status = distance_by_features(&one, distance);
    if (status != TOI_OK)
      return status;
  }
  return TOI_OK;
}

toi_status toi_instant_distance(const toi_instant *instant, toi_distance *distance) {
  static const uint32_t edges[2][2] = {{0, 1}, {2, 3}}, edge[2][2] = {{0, 1}, {1, 2}}, faces[1][3] = {{1, 2, 3}};
  static const toi_pair pairs[TOI_KIND_COUNT] = {{0, 0}, {0, 1}, {0, 1}, {0, 1}};
  double rows[4][TOI_STILL_ROW] = {{0}};
  for (size_t i = 0; i < toi_kind_points(instant->kind); i++)
    memcpy(rows[i], instant->points + 3 * i, 3 * sizeof(double));
  const toi_pair_instants instants = {
      .mesh = {rows[0], TOI_STILL_ROW, instant->kind == TOI_EDGE_EDGE ? edges : edge, faces},
      .kind = instant->kind,
      .norm = instant->norm,
      .context = instant->context,
      .thread = instant->thread};
  return toi_pair_distances(&instants, &pairs[instant->kind], 1, distance, sizeof *distance);
}

static TOI_APART toi_status fast(toi_kind kind, const double (*points)[3], toi_norm norm, toi_distance *distance) {
  toi_status status = TOI_ERROR_INPUT;
  if (valid_call(kind, points, norm)) {
    toi_instant instant = {kind, points[0], norm, NULL, 0};
    status = toi_instant_distance(&instant, distance);
  }
  if (status != TOI_OK)
    *distance = (toi_distance){.lo = 0, .hi = INFINITY, .u = NAN, .v = NAN};
  return status;
}

toi_status toi_distance_fast(toi_kind kind, const double (*points)[3], toi_norm norm, toi_distance *distance) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = distance ? fast(kind, points, norm, distance) : TOI_ERROR_INPUT;
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status fraction_of(toi_kind kind, const double (*points)[3], toi_norm norm, const double *factor,
                                        double *part) {
  toi_status status = TOI_ERROR_INPUT;
  if (valid_call(kind, points, norm) && *factor >= 0 && !isinf(*factor)) {
    toi_instant instant = {kind, points[0], norm, NULL, 0};
    const toi_share share = {.factor = *factor};
    status = toi_instant_share(&instant, &share, part);
  }
  if (status != TOI_OK)
    *part = 0;
  return status;
}

toi_status toi_distance_part(toi_kind kind, const double (*points)[3], toi_norm norm, double factor, double *part) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = part ? fraction_of(kind, points, norm, &factor, part) : TOI_ERROR_INPUT;
  toi_call_end(&call);
  return status;
}
