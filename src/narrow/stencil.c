/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* Derivatives and places of stencils whose points may have any magnitude: the kernels settle what is in their range,
 * and the rest is rescaled by a power of two, which changes no bit of a result that neither overflows nor underflows.
 *
 * Rescaling loses nothing. The factor 2^-e brings the largest difference of a coordinate to [1/2, 1). A coordinate that
 * overflows then is above 2^1024 times that difference, so that the coordinates of all points on this axis, which are
 * multiples of 2^-53 of their size, differ by nothing: they become 0. What underflows is below 2^-1022 of the
 * difference. */

#include "narrow/stencil.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "number/vector.h"

_Static_assert(sizeof(toi_stencil_place) == TOI_STENCIL_PLACE * sizeof(double), "places are rows of doubles");

/* --- magnitudes --- */

bool toi_stencil_rescale(toi_kind kind, const toi_stencil_points *points, toi_stencil_points *scaled, int *exponent) {
  const uint32_t count = toi_kind_points(kind);
  double largest = 0;
  for (uint32_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      if (!isfinite(points->x[i][axis]))
        return false;
      largest = fmax(largest, fabs(points->x[i][axis] - points->x[0][axis]));
    }
  if (largest == 0)
    return false;
  *exponent = 1025;
  if (!isinf(largest))
    (void)frexp(largest, exponent);
  memset(scaled, 0, sizeof *scaled);
  for (int axis = 0; axis < 3; axis++) {
    bool fits = true;
    for (uint32_t i = 0; i < count; i++) {
      scaled->x[i][axis] = ldexp(points->x[i][axis], -*exponent);
      fits = fits && !isinf(scaled->x[i][axis]);
    }
    for (uint32_t i = 0; i < count && !fits; i++)
      scaled->x[i][axis] = 0;
  }
  return true;
}

/* --- derivatives --- */

static bool all_finite(const double *values, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; i++)
    finite = finite && isfinite(values[i]);
  return finite;
}

/* The square of the distance of two points, whatever its magnitude; NaN if one is not finite. */
static double vertices_squared(const toi_stencil_points *points) {
  double r[3];
  int exponent;
  toi_stencil_points scaled;
  toi_minus(points->x[0], points->x[1], r);
  const double squared = toi_dot(r, r);
  if (squared > 0x1p-900 && squared < 0x1p900)
    return squared;
  if (!toi_stencil_rescale(TOI_VERTEX_VERTEX, points, &scaled, &exponent))
    return all_finite(points->x[0], 3) && all_finite(points->x[1], 3) ? 0 : NAN;
  toi_minus(scaled.x[0], scaled.x[1], r);
  return ldexp(toi_dot(r, r), 2 * exponent);
}

/* Two vertices: the Hessian is constant, and points that are one have derivatives too. */
static bool derive_vertices(const toi_stencil_points *points, const toi_stencil_results *to) {
  static const double constant[6][6] = {{2, 0, 0, -2, 0, 0}, {0, 2, 0, 0, -2, 0}, {0, 0, 2, 0, 0, -2},
                                        {-2, 0, 0, 2, 0, 0}, {0, -2, 0, 0, 2, 0}, {0, 0, -2, 0, 0, 2}};
  const double squared = vertices_squared(points);
  double gradient[6];
  for (int axis = 0; axis < 3; axis++) {
    gradient[axis] = 2 * (points->x[0][axis] - points->x[1][axis]);
    gradient[3 + axis] = -gradient[axis];
  }
  if (!isfinite(squared) || !all_finite(gradient, 6))
    return false;
  if (to->squared)
    *to->squared = squared;
  if (to->gradient)
    memcpy(to->gradient, gradient, sizeof gradient);
  if (to->hessian)
    memcpy(to->hessian, constant, sizeof constant);
  return true;
}

/* One stencil that no kernel settled. */
static bool derive_scaled(toi_kind kind, const toi_stencil_points *points, const toi_stencil_results *to) {
  toi_stencil_points scaled;
  int exponent;
  uint8_t outcome = 0;
  const size_t n = (size_t)3 * toi_kind_points(kind);
  if (!toi_stencil_rescale(kind, points, &scaled, &exponent))
    return false;
  toi_stencil_kernel_scalar.derive(kind, &scaled, 1, to, &outcome);
  if (!(outcome & TOI_STENCIL_SETTLED))
    return false;
  if (to->squared)
    *to->squared = ldexp(*to->squared, 2 * exponent);
  for (size_t i = 0; i < n && to->gradient; i++)
    to->gradient[i] = ldexp(to->gradient[i], exponent);
  return (!to->squared || isfinite(*to->squared)) && (!to->gradient || all_finite(to->gradient, n));
}

/* One stencil that its kernel settled, or not. */
static bool finish_derivatives(toi_kind kind, const toi_stencil_points *points, const toi_stencil_results *results,
                               uint8_t outcome) {
  if (outcome & TOI_STENCIL_SETTLED)
    return true;
  return kind == TOI_VERTEX_VERTEX ? derive_vertices(points, results) : derive_scaled(kind, points, results);
}

bool toi_stencil_derive(toi_kind kind, const toi_stencil_points *points, size_t count,
                        const toi_stencil_results *results, size_t *failed) {
  uint8_t outcomes[TOI_STENCIL_BLOCK] = {0};
  assert(count <= TOI_STENCIL_BLOCK);
  if (kind != TOI_VERTEX_VERTEX)
    toi_stencil_kernel_best(count)->derive(kind, points, count, results, outcomes);
  for (size_t i = 0; i < count; i++) {
    *failed = i;
    if (!finish_derivatives(kind, &points[i], &results[i], outcomes[i]))
      return false;
  }
  return true;
}

/* --- the mollifier --- */

double toi_edges_cross_squared(const toi_stencil_points *points) {
  double a[3], b[3], n[3];
  for (int axis = 0; axis < 3; axis++) {
    a[axis] = points->x[1][axis] - points->x[0][axis];
    b[axis] = points->x[3][axis] - points->x[2][axis];
  }
  toi_cross(a, b, n);
  return toi_dot(n, n);
}

/* Whether the results of one stencil that the kernel did not settle are what they should be all the same. */
static bool mollified_finite(const toi_stencil_points *points, const toi_stencil_results *results) {
  bool finite = !isnan(toi_edges_cross_squared(points));
  for (int k = 0; k < 4; k++)
    finite = finite && all_finite(points->x[k], 3);
  finite = finite && (!results->gradient || all_finite(results->gradient, 12));
  return finite && (!results->hessian || all_finite(results->hessian, 144));
}

bool toi_stencil_mollify(const toi_stencil_points *points, const double *thresholds, size_t count,
                         const toi_stencil_results *results, size_t *failed) {
  uint8_t outcomes[TOI_STENCIL_BLOCK] = {0};
  assert(count <= TOI_STENCIL_BLOCK);
  toi_stencil_kernel_best(count)->mollify(points, thresholds, count, results, outcomes);
  for (size_t i = 0; i < count; i++)
    if (!(outcomes[i] & TOI_STENCIL_SETTLED) && !mollified_finite(&points[i], &results[i])) {
      *failed = i;
      return false;
    }
  return true;
}

/* --- places --- */

static void locate_scaled(toi_kind kind, const toi_stencil_points *points, toi_stencil_place *place, uint8_t *outcome) {
  toi_stencil_points scaled;
  int exponent;
  if (!toi_stencil_rescale(kind, points, &scaled, &exponent)) {
    // Two vertices in one point: all others have extent.
    *place = (toi_stencil_place){.weights = {1, -1}};
    memcpy(place->first, points->x[0], sizeof place->first);
    memcpy(place->second, points->x[1], sizeof place->second);
    *outcome = TOI_STENCIL_SETTLED;
    return;
  }
  toi_stencil_kernel_scalar.place(kind, &scaled, 1, place, outcome);
  place->squared = ldexp(place->squared, 2 * exponent);
  const uint32_t count = toi_kind_points(kind), firsts = kind == TOI_EDGE_EDGE ? 2 : 1;
  for (int axis = 0; axis < 3; axis++) {
    double sums[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++)
      sums[i >= firsts] += fabs(place->weights[i]) * points->x[i][axis];
    place->first[axis] = sums[0];
    place->second[axis] = sums[1];
  }
}

void toi_stencil_locate(toi_kind kind, const toi_stencil_points *points, size_t count, toi_stencil_place *places,
                        bool *close) {
  uint8_t outcomes[TOI_STENCIL_BLOCK] = {0};
  assert(count <= TOI_STENCIL_BLOCK);
  toi_stencil_kernel_best(count)->place(kind, points, count, places, outcomes);
  for (size_t i = 0; i < count; i++) {
    if (!(outcomes[i] & TOI_STENCIL_SETTLED))
      locate_scaled(kind, &points[i], &places[i], &outcomes[i]);
    assert(outcomes[i] & TOI_STENCIL_SETTLED);
    close[i] = outcomes[i] & TOI_STENCIL_CLOSE;
  }
}

/* --- single calls --- */

static void take_points(const double (*points)[3], uint32_t count, toi_stencil_points *taken) {
  for (uint32_t i = 0; i < count; i++) {
    memcpy(taken->x[i], points[i], sizeof points[i]);
    taken->x[i][3] = 0;
  }
}

/* What stands there on failure. */
static void clear_results(const toi_stencil_results *results, size_t n) {
  if (results->squared)
    *results->squared = 0;
  if (results->gradient)
    memset(results->gradient, 0, n * sizeof(double));
  if (results->hessian)
    memset(results->hessian, 0, n * n * sizeof(double));
}

static TOI_APART toi_status derive_one(toi_kind kind, const double (*points)[3], const toi_stencil_results *results) {
  const uint32_t count = toi_kind_points(kind);
  toi_stencil_points taken;
  uint8_t outcome = 0;
  if (count == 0)
    return TOI_ERROR_INPUT;
  if (points) {
    take_points(points, count, &taken);
    if (kind != TOI_VERTEX_VERTEX)
      toi_stencil_kernel_best(1)->derive(kind, &taken, 1, results, &outcome);
    if (finish_derivatives(kind, &taken, results, outcome))
      return TOI_OK;
  }
  clear_results(results, (size_t)3 * count);
  return TOI_ERROR_INPUT;
}

toi_status toi_stencil_derivatives(toi_kind kind, const double (*points)[3], double *squared, double *gradient,
                                   double *hessian) {
  const toi_stencil_results results = {squared, gradient, hessian};
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = derive_one(kind, points, &results);
  toi_call_end(&call);
  return status;
}

static TOI_APART toi_status mollify_one(const double (*points)[3], const double *threshold,
                                        const toi_stencil_results *results) {
  toi_stencil_points taken = {.x = {{0}}};
  size_t failed;
  if (points && *threshold > 0 && !isinf(*threshold)) {
    take_points(points, 4, &taken);
    if (toi_stencil_mollify(&taken, threshold, 1, results, &failed))
      return TOI_OK;
  }
  clear_results(results, 12);
  return TOI_ERROR_INPUT;
}

toi_status toi_stencil_mollifier(const double (*points)[3], double threshold, double *value, double *gradient,
                                 double *hessian) {
  const toi_stencil_results results = {value, gradient, hessian};
  toi_call call;
  toi_call_begin(&call, NULL);
  const toi_status status = mollify_one(points, &threshold, &results);
  toi_call_end(&call);
  return status;
}
