/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the libtoi authors */

/* What somebody who draws a shape asks: what it is drawn over, and the value of an implicit one at a point. The numbers
 * are midpoints of enclosures: nothing is proved with them. */

#include "contact/shape.h"

toi_extent toi_shape_extent(const toi_shape *shape) {
  const toi_interval *domain = shape->domain, *bounds = shape->bounds;
  toi_extent extent = {.implicit = shape->implicit, .solid = shape->solid};
  if (!shape->implicit) {
    extent.edges = shape->edges;
    extent.u = domain[0];
    extent.v = domain[1];
    return extent;
  }
  for (int k = 0; k < 3; k++)
    extent.bounds[k] = bounds[k];
  return extent;
}

/* False: the function is not defined there, or its owner gave up. */
static bool evaluate(const toi_shape *shape, const toi_interval at[4], double *value, double normal[3]) {
  toi_interval jet[TOI_JET_SIZE(4, 1)];
  if (!toi_shape_jets(shape, at, 1, jet))
    return false;
  double square = 0;
  for (int k = 0; k < 3; k++) {
    normal[k] = toi_interval_midpoint(jet[1 + k]);
    square += normal[k] * normal[k];
  }
  const double length = sqrt(square);
  const bool defined = length > 0 && isfinite(length);
  for (int k = 0; k < 3; k++)
    normal[k] = defined ? normal[k] / length : 0;
  *value = toi_interval_midpoint(jet[0]);
  return isfinite(jet[0].lo) && isfinite(jet[0].hi);
}

static TOI_APART toi_status value_of(const toi_shape *shape, const double point[3], double t, double *value,
                                     double normal[3]) {
  if (shape == NULL || point == NULL || value == NULL || normal == NULL)
    return toi_fail(shape != NULL ? shape->context : NULL, TOI_ERROR_INPUT,
                    "shape, point, value or normal is NULL; give all of them");
  *value = normal[0] = normal[1] = normal[2] = 0;
  if (!shape->implicit)
    return toi_fail(shape->context, TOI_ERROR_INPUT, "the shape is parametric; ask toi_shape_point() about it");
  if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]) || !isfinite(t))
    return toi_fail(shape->context, TOI_ERROR_INPUT, "(%g, %g, %g) at t = %g: give finite numbers", point[0], point[1],
                    point[2], t);
  const toi_interval at[4] = {{point[0], point[0]}, {point[1], point[1]}, {point[2], point[2]}, {t, t}};
  const bool evaluated = evaluate(shape, at, value, normal);
  if (!evaluated)
    return toi_fail(shape->context, TOI_ERROR_INPUT, "the function has no value at (%g, %g, %g), t = %g", point[0],
                    point[1], point[2], t);
  return TOI_OK;
}

toi_status toi_shape_value(const toi_shape *shape, const double point[3], double t, double *value, double normal[3]) {
  toi_call call;
  toi_call_begin(&call, shape ? shape->context : NULL);
  const toi_status status = value_of(shape, point, t, value, normal);
  toi_call_end(&call);
  return status;
}
