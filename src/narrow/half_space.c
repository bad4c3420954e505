/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* A vertex and a half-space.
 *
 * Let h(x) = n . x - c, s its value in doubles, summed from the left, and m the sum of the magnitudes of the three
 * products and of c, in doubles.
 *
 * Claim: |s - h(x)| <= HEIGHT_ERROR m + HEIGHT_FLOOR, unless m is not finite. Why, with u = 2^-53:
 *   - each product rounds by u of itself, or by 2^-1075 where it is subnormal; each of three sums rounds by u of at
 * most M = |n_x x| + |n_y y| + |n_z z| + |c|, up to factors 1 + u: 4 u M (1 + 4 u), and 3 2^-1075;
 *   - m >= M (1 - 4 u) - 3 2^-1075, and its product with the power of two HEIGHT_ERROR = 8 u rounds only where it is
 *     subnormal: 2^-1075. Hence 4 u M (1 + 4 u) <= 8 u m + 2^-1074, and HEIGHT_FLOOR = 2^-1070 covers the rest.
 * The bounds are then rounded outward once more (toi_sum_down, toi_sum_up).
 *
 * Claim: if the lower bound of h at 0, and of h on [0, tau], are above L, an upper bound of both T |n| and
 * T (1 - F) |n| + F h(0), the vertex stays farther away than the separation until tau. Why: the separation is d <= T +
 * F max(0, d0 - T) with d0 = h(0) / |n|, so d |n| is at most the larger of the two; and contact is h <= d |n|. h is
 * linear, so its lower bounds a0 at 0 and a1 at 1 give (1 - t) a0 + t a1 at t, least at 0 or at tau.
 *
 * Claim: of toi_half_space_measure(), lo <= distance <= hi and hi - lo <= 2^-44 hi. Why: bounds of h and |n| that are
 * rounded outward at each step give bounds of the quotient; where they are too wide, or the distance may be 0, lo is
 * the exact distance rounded down, and hi the same double, or the next, as an exact comparison tells. */

#include "narrow/half_space.h"

#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "narrow/method.h"
#include "number/interval.h"
#include "number/vector.h"

#define HEIGHT_ERROR 0x1p-50
#define HEIGHT_FLOOR 0x1p-1070

/* Distances are known to this part of themselves. */
#define MEASURE_WIDTH 0x1p-44

/* --- bounds in doubles --- */

static toi_interval height_of(const double *query, const double *x) {
  const double *n = query + TOI_HALF_SPACE_NORMAL, c = query[TOI_HALF_SPACE_OFFSET];
  const double px = n[0] * x[0], py = n[1] * x[1], pz = n[2] * x[2];
  const double s = ((px + py) + pz) - c, m = ((fabs(px) + fabs(py)) + fabs(pz)) + fabs(c);
  const double error = HEIGHT_ERROR * m + HEIGHT_FLOOR;
  if (!(m <= DBL_MAX))
    return (toi_interval){-INFINITY, INFINITY};
  return (toi_interval){toi_sum_down(s, -error), toi_sum_up(s, error)};
}

/* |n|. */
static toi_interval size_of(const double *query, toi_norm norm) {
  toi_interval sum = {0, 0};
  for (int k = 0; k < 3; k++) {
    const double own = fabs(query[TOI_HALF_SPACE_NORMAL + k]);
    const bool squared = norm == TOI_NORM_L2;
    sum.lo = toi_sum_down(sum.lo, squared ? toi_product_down(own, own) : own);
    sum.hi = toi_sum_up(sum.hi, squared ? toi_product_up(own, own) : own);
  }
  return norm == TOI_NORM_L2 ? (toi_interval){toi_sqrt_down(sum.lo), toi_sqrt_up(sum.hi)} : sum;
}

/* L, or more. */
static double limit_of(const double *query, const toi_half_space_question *question, double h0_hi) {
  const double fraction = question->options->separation_fraction, least = question->least;
  if (!(least > 0) && !(fraction > 0))
    return 0;
  const double size = size_of(query, question->options->norm).hi;
  const double whole = least > 0 ? toi_product_up(least, size) : 0;
  if (!(fraction > 0))
    return whole;
  const double rest = fraction < 1 ? toi_product_up(whole, toi_sum_up(1, -fraction)) : 0;
  return toi_larger(whole, toi_sum_up(rest, toi_product_up(fraction, toi_larger(h0_hi, 0))));
}

/* Whether nothing can touch until then. */
static bool is_clear(const double *query, const toi_half_space_question *question) {
  const toi_interval h0 = height_of(query, query), h1 = height_of(query, query + 3);
  const double limit = limit_of(query, question, h0.hi);
  if (!(h0.lo > limit))
    return false;
  if (h1.lo >= h0.lo)
    return true;
  const double fall = toi_sum_up(h0.lo, -h1.lo);
  return toi_sum_down(h0.lo, -toi_product_up(question->until, fall)) > limit;
}

/* --- in integers --- */

typedef enum exact_aim { ASK_ORDER, ASK_SHARE, ASK_SIDE, ASK_BOTH } exact_aim;

/* A question about the start, and its answer. */
typedef struct exact_question {
  exact_aim aim;
  toi_norm norm;
  toi_share share;
  double value; /* what the distance is compared with, or the share */
  int order;
} exact_question;

static void ask(const double *query, toi_arena arena, exact_question *q) {
  toi_exact_distance distance;
  if (q->aim == ASK_SIDE) {
    q->order = toi_exact_half_space_side(query, arena);
    return;
  }
  toi_exact_half_space_distance(query, q->norm, arena, &distance);
  if (q->aim != ASK_ORDER)
    q->value = toi_exact_share(&distance, &q->share);
  if (q->aim != ASK_SHARE)
    q->order = toi_exact_distance_compare(&distance, 1, q->value);
}

static toi_status ask_exactly(const toi_half_space_query *query, exact_question *q) {
  const size_t bytes = toi_exact_half_space_distance_bytes(query->at);
  void *scratch = toi_borrow(query->context, query->thread, bytes);
  if (!scratch)
    return TOI_ERROR_MEMORY;
  ask(query->at, toi_arena_make(scratch, bytes), q);
  toi_give_back(query->context, scratch);
  return TOI_OK;
}

toi_status toi_half_space_compare(const toi_half_space_query *query, toi_norm norm, double x, int *order) {
  exact_question q = {.aim = ASK_ORDER, .norm = norm, .value = x};
  const toi_status status = ask_exactly(query, &q);
  *order = q.order;
  return status;
}

toi_status toi_half_space_share(const toi_half_space_query *query, toi_norm norm, const toi_share *share,
                                double *value) {
  exact_question q = {.aim = ASK_SHARE, .norm = norm, .share = *share};
  const toi_status status = ask_exactly(query, &q);
  *value = q.value;
  return status;
}

toi_status toi_half_space_side(const toi_half_space_query *query, int *side) {
  const toi_interval h = height_of(query->at, query->at);
  *side = (h.lo > 0) - (h.hi < 0);
  if (*side != 0)
    return TOI_OK;
  exact_question q = {.aim = ASK_SIDE};
  const toi_status status = ask_exactly(query, &q);
  *side = q.order;
  return status;
}

/* --- places --- */

/* The point of the plane that is `distance` away from x: along the normal, or to a corner of the cube around x. */
static void step_back(const double *x, const double unit[3], double distance, toi_norm norm, double out[3]) {
  for (int k = 0; k < 3; k++) {
    const double way = norm == TOI_NORM_L2 ? unit[k] : (unit[k] > 0) - (unit[k] < 0);
    out[k] = distance > 0 ? x[k] - distance * way : x[k];
  }
}

toi_status toi_half_space_measure(const toi_half_space_query *query, toi_norm norm, toi_distance *distance) {
  const toi_interval h = height_of(query->at, query->at);
  double unit[3];
  *distance = (toi_distance){.on_second = {2, 0}};
  if (h.hi > 0) {
    const toi_interval size = size_of(query->at, norm);
    distance->lo = h.lo > 0 && size.hi <= DBL_MAX ? toi_quotient_down(h.lo, size.hi) : 0;
    distance->hi = size.lo > 0 && h.hi <= DBL_MAX ? toi_quotient_up(h.hi, size.lo) : INFINITY;
  }
  if (!(distance->hi <= DBL_MAX && distance->hi - distance->lo <= MEASURE_WIDTH * distance->hi)) {
    exact_question q = {.aim = ASK_BOTH, .norm = norm, .share = {.factor = 1}};
    const toi_status status = ask_exactly(query, &q);
    if (status != TOI_OK)
      return status;
    distance->lo = q.value;
    distance->hi = q.order == 0 ? q.value : toi_next_up(q.value);
  }
  memcpy(distance->first, query->at, sizeof distance->first);
  toi_half_space_unit(query->at + TOI_HALF_SPACE_NORMAL, unit);
  step_back(query->at, unit, distance->lo, norm, distance->second);
  return TOI_OK;
}

/* --- the first time --- */

/* About when h comes to the limit. */
static double guess_time(const double *query, double d, toi_norm norm) {
  const toi_interval h0 = height_of(query, query), h1 = height_of(query, query + 3);
  const double limit = d > 0 ? d * size_of(query, norm).lo : 0;
  return (h0.lo - limit) / (h0.lo - h1.lo);
}

static toi_status find_time(const toi_half_space_query *query, const toi_options *options, double d,
                            toi_exact_search *search) {
  size_t limbs;
  (void)toi_exact_half_space_bound(query->at, d, &limbs);
  void *scratch = toi_borrow(query->context, query->thread, limbs * sizeof(toi_limb));
  if (!scratch)
    return TOI_ERROR_MEMORY;
  toi_arena arena = toi_arena_make(scratch, limbs * sizeof(toi_limb));
  *search = (toi_exact_search){.t_max = options->t_max, .bracket = {INFINITY, INFINITY}};
  search->guess = guess_time(query->at, d, options->norm);
  toi_exact_half_space_search(query->at, d, options->norm, &arena, search);
  toi_give_back(query->context, scratch);
  return TOI_OK;
}

/* Where they touch, of a hit with its times. */
static toi_status place(const toi_half_space_query *query, toi_norm norm, toi_hit *hit) {
  double x[3], t = hit->t_hi;
  for (int k = 0; k < 3; k++)
    x[k] = (1 - t) * query->at[k] + t * query->at[3 + k];
  hit->u = hit->v = 0;
  hit->distance = hit->separation;
  if (hit->touching_at_start) {
    toi_distance now;
    const toi_status status = toi_half_space_measure(query, norm, &now);
    if (status != TOI_OK)
      return status;
    hit->distance = toi_smaller(now.lo, hit->separation);
  }
  toi_half_space_unit(query->at + TOI_HALF_SPACE_NORMAL, hit->normal);
  step_back(x, hit->normal, hit->distance, norm, hit->point);
  return TOI_OK;
}

toi_status toi_half_space_answer(const toi_half_space_query *query, const toi_half_space_question *question,
                                 toi_hit *hit) {
  const toi_options *options = question->options;
  const bool clear = is_clear(query->at, question);
  *hit = toi_hit_miss(options->t_max, clear ? TOI_LEVEL_PLANE : TOI_LEVEL_EXACT);
  if (clear && question->quiet)
    return TOI_OK;
  hit->separation = question->least;
  toi_status status = TOI_OK;
  if (options->separation_fraction > 0) {
    const toi_share share = {options->separation_fraction, question->least, question->least};
    status = toi_half_space_share(query, options->norm, &share, &hit->separation);
  }
  if (status != TOI_OK || clear)
    return status;
  toi_exact_search search;
  status = find_time(query, options, hit->separation, &search);
  if (status != TOI_OK || search.bracket[1] > options->t_max)
    return status;
  const double lo = search.bracket[0], hi = search.bracket[1];
  hit->verdict = TOI_HIT;
  hit->t_lo = lo;
  hit->t_hi = hi;
  hit->t_safe = lo < hi || lo == 0 ? lo : toi_next_down(lo);
  hit->touching_at_start = hi == 0;
  return place(query, options->norm, hit);
}

/* --- for callers --- */

/* What the caller gave, put together; TOI_ERROR_INPUT if it is no question. */
static toi_status take(const double *start, const double *end, const toi_half_space *half_space,
                       toi_half_space_query *query) {
  *query = (toi_half_space_query){.context = NULL};
  if (!start || !end || !half_space || toi_half_space_fault(half_space) || !toi_all_finite(start, 3) ||
      !toi_all_finite(end, 3))
    return TOI_ERROR_INPUT;
  memcpy(query->at, start, 3 * sizeof(double));
  memcpy(query->at + 3, end, 3 * sizeof(double));
  memcpy(query->at + TOI_HALF_SPACE_NORMAL, half_space->normal, sizeof half_space->normal);
  query->at[TOI_HALF_SPACE_OFFSET] = half_space->offset;
  return TOI_OK;
}

static TOI_APART toi_status answer(const double *const states[2], const toi_half_space *half_space,
                                   const toi_options *given, toi_hit *hit) {
  if (!hit)
    return TOI_ERROR_INPUT;
  *hit = toi_hit_unknown();
  toi_half_space_query query;
  toi_options options = {.size = 0};
  toi_status status = take(states[0], states[1], half_space, &query);
  if (status == TOI_OK)
    status = toi_options_take(NULL, given, &options);
  if (status == TOI_OK)
    status = toi_options_check(NULL, &options);
  if (status == TOI_OK && !toi_method_find(options.method))
    status = TOI_ERROR_UNSUPPORTED;
  if (status != TOI_OK)
    return status;
  const toi_half_space_question question = {&options, options.min_separation, options.t_max, false};
  status = toi_half_space_answer(&query, &question, hit);
  if (status != TOI_OK)
    *hit = toi_hit_unknown();
  else if (options.counters)
    toi_count(options.counters, hit);
  return status;
}

toi_status toi_vertex_half_space(const double start[3], const double end[3], const toi_half_space *half_space,
                                 const toi_options *options, toi_hit *hit) {
  const double *const states[2] = {start, end};
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = answer(states, half_space, options, hit);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status measure(const double *point, const toi_half_space *half_space, toi_norm norm,
                                    toi_distance *distance) {
  if (!distance)
    return TOI_ERROR_INPUT;
  *distance = (toi_distance){.hi = INFINITY};
  toi_half_space_query query;
  toi_status status = take(point, point, half_space, &query);
  if (status == TOI_OK && norm != TOI_NORM_L2 && norm != TOI_NORM_LINF)
    status = TOI_ERROR_INPUT;
  if (status == TOI_OK)
    status = toi_half_space_measure(&query, norm, distance);
  if (status != TOI_OK)
    *distance = (toi_distance){.hi = INFINITY};
  return status;
}

toi_status toi_half_space_distance(const double point[3], const toi_half_space *half_space, toi_norm norm,
                                   toi_distance *distance) {
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = measure(point, half_space, norm, distance);
  toi_call_end(&call);
  return status;
}
